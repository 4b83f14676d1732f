"""The ground that a table is played on: who is whose, which places are meant, what stands on a square."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import Nouns, OnMark, Owner, Place, Where
from ludo_dsl.rules.table import Table, per_piece
from ludo_dsl.rules.topology import YARD, Region, Route

Selector = Callable[[Scene], Iterable[tuple[int, int]]]
"""The pieces of a choice, each as its colour and its index among that colour's pieces."""


class Ground:
    """Precomputed answers about colours, places and squares of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.side_of = tuple(player.side for player in table.players)
        self.player_of = self._player_of()
        self.piece_counters = per_piece(table)
        self.routes = table.routes
        # For each square, the places of each colour that lie on it (two where a lap ends on the start square itself).
        self.on: tuple[dict[int | None, tuple[int, ...]], ...] = tuple(self._by_square(route) for route in table.routes)
        self.homes = tuple(frozenset(p for p in range(len(r.spots)) if r.is_home(p)) for r in table.routes)
        self._known_places: dict[tuple[int, tuple[Place, ...]], frozenset[int]] = {}
        self._known_squares: dict[tuple[int, tuple[Place, ...]], dict[int | None, tuple[int, ...]]] = {}
        self.movable_of: Callable[[Scene], frozenset[tuple[int, int]]] = lambda s: frozenset()

    def _player_of(self) -> tuple[int, ...]:
        owner = {c: i for i, player in enumerate(self.table.players) for c in player.colours}
        return tuple(owner[c] for c in range(len(self.table.colours)))

    @staticmethod
    def _by_square(route: Route) -> dict[int | None, tuple[int, ...]]:
        found: dict[int | None, tuple[int, ...]] = {}
        for place, square in enumerate(route.squares):
            if square is not None:
                found[square] = (*found.get(square, ()), place)
        return found

    def movable(self, scene: Scene) -> frozenset[tuple[int, int]]:
        """Colour and place of the pieces that have a legal move by one die."""
        if scene.candidates is None:
            scene.candidates = self.movable_of(scene)
        return scene.candidates

    @cached_property
    def mouths(self) -> tuple[frozenset[int], ...]:
        """For each colour, the places on its route where the lane of another colour branches off."""
        turnings = [route.squares[route.turning] for route in self.routes]
        return tuple(
            frozenset(p for p in range(route.start, route.lane) if route.squares[p] in turnings[:i] + turnings[i + 1 :])
            for i, route in enumerate(self.routes)
        )

    # ---- owners ------------------------------------------------------------------------------------------------------

    @cached_property
    def colours_of(self) -> tuple[dict[Owner, tuple[int, ...]], ...]:
        """For each player, the colours of each owner."""
        return tuple(self._owners(p) for p in range(len(self.table.players)))

    def _owners(self, player: int) -> dict[Owner, tuple[int, ...]]:
        everyone = range(len(self.table.colours))
        side = self.side_of[player]
        ours = tuple(c for c in everyone if self.side_of[self.player_of[c]] == side)
        own = self.table.players[player].colours
        return {
            Owner.OWN: own,
            Owner.ALLIES: tuple(c for c in ours if c not in own),
            Owner.ENEMIES: tuple(c for c in everyone if c not in ours),
            Owner.OURS: ours,
            Owner.PIECES: tuple(everyone),
        }

    # ---- squares -----------------------------------------------------------------------------------------------------

    def square_is(self, square: int | None, colour: int, names: frozenset[str]) -> bool:
        """Whether a square is of one of the kinds, seen from a colour."""
        if square is None:
            return False
        ring = self.table.measures.ring
        if square >= ring:
            return "lane" in names and self.routes[0].is_lane_square(square)
        if not names.isdisjoint(self.table.kinds[square]):
            return True
        return "own start" in names and colour >= 0 and self.routes[colour].squares[self.routes[colour].start] == square

    # ---- choices of pieces -------------------------------------------------------------------------------------------

    def _places(self, colour: int, places: tuple[Place, ...]) -> frozenset[int]:
        key = (colour, places)
        if key not in self._known_places:
            self._known_places[key] = self._find_places(colour, places)
        return self._known_places[key]

    def _find_places(self, colour: int, places: tuple[Place, ...]) -> frozenset[int]:
        route = self.routes[colour]
        return frozenset(p for p in range(len(route.spots)) if all(self._is_at(route, p, place) for place in places))

    def _is_at(self, route: Route, place: int, where: Place) -> bool:
        region = route.spots[place].region
        square = route.squares[place]
        if isinstance(where, OnMark):
            return region is Region.TRACK and square is not None and where.mark in self.table.kinds[square]
        match where:
            case Where.YARD:
                return place == YARD
            case Where.HOME:
                return route.is_home(place)
            case Where.LANE:
                return region is Region.LANE
            case Where.TRACK:
                return region is Region.TRACK
            case Where.OUT:
                return place != YARD and not route.is_home(place)
            case Where.START:
                return region is Region.TRACK and square is not None and "start" in self.table.kinds[square]
            case Where.OWN_START:
                return square is not None and square == route.squares[route.start]
            case Where.OFF_OWN_START:
                return square is None or square != route.squares[route.start]
            case Where.HERE:
                return True

    def selector(self, nouns: Nouns) -> Selector:
        """The pieces of a choice in a scene."""
        by_player = tuple(tuple((c, self._places(c, nouns.places)) for c in colours[nouns.owner]) for colours in self.colours_of)
        on = self.on

        def anywhere(s: Scene) -> Iterable[tuple[int, int]]:
            return [(c, i) for c, allowed in by_player[s.player] for i, place in enumerate(s.pieces[c]) if place in allowed]

        def here(s: Scene) -> Iterable[tuple[int, int]]:
            square = s.here
            if square is None:
                return []
            found = []
            for c, allowed in by_player[s.player]:
                there = on[c].get(square, ())
                found += [(c, i) for i, place in enumerate(s.pieces[c]) if place in there and place in allowed]
            return found

        return here if Where.HERE in nouns.places else anywhere

    def counter(self, nouns: Nouns) -> Callable[[Scene], int]:
        """How many pieces of a choice there are in a scene."""
        if Where.HERE not in nouns.places:
            if not nouns.places:
                sizes = tuple(len(colours[nouns.owner]) * self.table.pieces for colours in self.colours_of)
                return lambda s: sizes[s.player]
            select = self.selector(nouns)
            return lambda s: len(select(s))  # type: ignore[arg-type]
        # The square in question is asked about most often: its places of each colour are counted directly.
        filtered = tuple(tuple((c, self._on_square(c, nouns.places)) for c in colours[nouns.owner]) for colours in self.colours_of)

        def here(s: Scene) -> int:
            square = s.here
            total = 0
            if square is not None:
                for c, there in filtered[s.player]:
                    for place in there.get(square, ()):
                        total += s.pieces[c].count(place)
            return total

        return here

    def _on_square(self, colour: int, places: tuple[Place, ...]) -> dict[int | None, tuple[int, ...]]:
        key = (colour, places)
        if key not in self._known_squares:
            allowed = self._places(colour, places)
            found = {square: tuple([p for p in there if p in allowed]) for square, there in self.on[colour].items()}
            self._known_squares[key] = {square: there for square, there in found.items() if there}
        return self._known_squares[key]

    def most_of_one_colour(self, nouns: Nouns) -> Callable[[Scene], int]:
        """The largest number of pieces of one colour of a choice on the square in question."""
        select = self.selector(Nouns(nouns.owner, (*nouns.places, Where.HERE)))

        def most(s: Scene) -> int:
            counts: dict[int, int] = {}
            for c, _ in select(s):
                counts[c] = counts.get(c, 0) + 1
            return max(counts.values(), default=0)

        return most
