"""Positions in which two rule books may show a difference: likely ones first, then all of one and two pieces, then crowds.

A placing says where pieces stand that are not in their yard; a position text adds whose turn it is and what is remembered.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import chain

from ludo_dsl.conformance.telling.leads import FAMILIES, Leads
from ludo_dsl.conformance.telling.memory import MOVER, Setting
from ludo_dsl.game.notation import place_text
from ludo_dsl.rules.table import Table, per_piece
from ludo_dsl.rules.topology import YARD

Placing = tuple[tuple[int, int], ...]
"""Pieces out of the yard: colour and place of each, the one that is first to move first."""

RANKINGS = 80
"""Positions at the end of a game that are made for the places alone."""


class Positions:
    """Makes the positions of one table for one player to move."""

    def __init__(self, table: Table, player: int, leads: Leads, seed: int) -> None:
        self.table = table
        self.player = player
        self.leads = leads
        self.mover = table.players[player].colours[0]
        self.route = table.routes[self.mover]
        self.seed = seed
        side = table.players[player].side
        self._rivals = [c for p in table.players if p.side != side for c in p.colours]
        self._friends = [c for p in table.players if p.side == side for c in p.colours if c != self.mover]
        self._landings = self._special()

    # ---- texts -------------------------------------------------------------------------------------------------------

    def text(self, placing: Placing, setting: Setting = (), marks: Iterable[str] = ()) -> str | None:
        """The position of a placing under a setting of the memory; none where a colour has not so many pieces."""
        table = self.table
        places: list[list[int]] = [[] for _ in table.colours]
        for colour, place in placing:
            places[colour].append(place)
        if any(len(its) > table.pieces for its in places):
            return None
        starred = iter(marks)
        fields = []
        for colour, its in enumerate(places):
            full = sorted([*its, *[YARD] * (table.pieces - len(its))], reverse=True)
            words = (place_text(table, colour, p) + (next(starred, "") if p != YARD else "") for p in full)
            fields.append(f"{table.colours[colour]}=" + ",".join(words))
        fields.append(f"turn={table.players[self.player].name}")
        fields += [f"{name}={self._value(placing, value)}" for name, value in setting]
        return " ".join(fields)

    def _value(self, placing: Placing, value: str) -> str:
        if value != MOVER:
            return value
        colour, place = placing[0] if placing else (self.mover, YARD)
        named = f"{self.table.colours[colour]}:" if len(self.table.players[self.player].colours) > 1 else ""
        return named + place_text(self.table, colour, place)

    # ---- squares -----------------------------------------------------------------------------------------------------

    def _special(self) -> list[int]:
        """Places of the mover's route where landing may matter: those that the leads name first, one plain square, the ends."""
        route, table = self.route, self.table
        plain = next(p for p in range(route.start + 20 % max(2, table.measures.ring // 2), route.turning) if self._kinds(p) == {"track"})
        named = [p for p in range(route.start, route.turning + 1) if self._kinds(p) & self.leads.squares - {"track"}]
        starts = [p for p in range(route.start, route.turning + 1) if "start" in self._kinds(p)]
        marked = [p for p in range(route.start, route.turning + 1) if self._kinds(p) - {"track", "start"}]
        near = list(range(route.turning - 1, len(route.spots)))
        approach = list(range(1, route.start))
        return list(dict.fromkeys([plain, *named, *starts, *marked[:2], *near, *marked, *approach]))

    def _aims(self) -> list[tuple[int, int]]:
        """Landings with the die that leads there: what comes early among both comes first."""
        ranked = [(i + j, i, landing, face) for i, landing in enumerate(self._landings) for j, face in enumerate(self.leads.faces)]
        return [(landing, face) for _, _, landing, face in sorted(ranked)]

    def _kinds(self, place: int) -> frozenset[str]:
        square = self.route.squares[place]
        if square is None or square >= len(self.table.kinds):
            return frozenset()
        return self.table.kinds[square]

    def _before(self, place: int, steps: int) -> int | None:
        """The place from which so many steps lead to a place of the mover's route; none before its first square."""
        if place == YARD:
            return None
        at = self.route.travelled[place] - steps
        return next((p for p in range(1, len(self.route.spots)) if self.route.travelled[p] == at and not self._beyond(p)), None)

    def _beyond(self, place: int) -> bool:
        return self.route.turning < place < self.route.lane

    def _there(self, colour: int, place: int) -> int | None:
        """The place of another colour on the same square as a place of the mover's; none where it never comes there."""
        square = self.route.squares[place]
        its = self.table.routes[colour]
        if square is None:
            return None
        return next((p for p, s in enumerate(its.squares) if s == square and not its.turning < p < its.lane), None)

    # ---- likely ones -------------------------------------------------------------------------------------------------

    def likely(self) -> Iterator[Placing]:
        """Placings of all families in turn, those that the leads name three at a time, each once."""
        streams = {name: (getattr(self, f"_{name}")(), 3 if name in self.leads.families else 1) for name in FAMILIES}
        seen: set[Placing] = set()
        while streams:
            for name, (stream, often) in list(streams.items()):
                for _ in range(often):
                    placing = next(stream, None)
                    if placing is None:
                        del streams[name]
                        break
                    key = (*placing[:1], *sorted(placing[1:]))
                    if key not in seen:
                        seen.add(key)
                        yield placing

    def _alone(self) -> Iterator[Placing]:
        yield ()
        me = self.mover
        for landing, face in self._aims():
            at = self._before(landing, face)
            if at is not None:
                yield ((me, at),)
        yield from (((me, landing),) for landing in self._landings)

    def _company(self) -> Iterator[Placing]:
        """A piece that lands on one of its own or a partner's, or walks past; and two pieces apart."""
        me = self.mover
        for landing, face in self._aims():
            at = self._before(landing, face)
            if at is None:
                continue
            yield ((me, at), (me, landing))
            for friend in self._friends:
                there = self._there(friend, landing)
                if there is not None:
                    yield ((me, at), (friend, there))
            yield ((me, at), (me, at))
        plain = self._landings[0]
        yield from (((me, plain), (friend, self.table.routes[friend].start)) for friend in self._friends)
        yield from (tuple([(me, self.route.last)] * n) for n in range(self.table.pieces, 0, -1))
        yield from (((me, self.route.last), (me, plain), *[(me, self.route.last)] * n) for n in range(3))

    def _chase(self) -> Iterator[Placing]:
        """A piece so many steps behind a rival; or in the yard, with a rival on its first square; with a second piece elsewhere."""
        me = self.mover
        for landing, face in self._aims():
            for rival in self._rivals:
                there = self._there(rival, landing)
                if there is None:
                    continue
                if landing in (self.route.start, self.route.first):
                    yield ((rival, there),)
                at = self._before(landing, face)
                if at is not None:
                    yield ((me, at), (rival, there))
                    yield ((me, at), (me, self.route.lane), (rival, there))

    def _wall(self) -> Iterator[Placing]:
        """A piece some steps behind two or more pieces on one square: of one rival, of its own, or of several colours."""
        me = self.mover
        named = [n + d for n in (*self.leads.numbers, *self.leads.sizes) for d in (-1, 0) if 2 <= n + d <= 6]
        sizes = list(dict.fromkeys([2, *named, 3, 4, 5, 6]))
        for landing, steps in self._aims():
            at = self._before(landing, steps)
            for size in sizes:
                for company in self._crowds(landing, size):
                    if at is not None:
                        yield ((me, at), *company)
                    if landing == self.route.start:
                        yield company
            if at is not None:
                yield from (((me, at), (me, self.route.lane), *company) for size in sizes for company in self._crowds(landing, size))

    def _crowds(self, place: int, size: int) -> Iterator[Placing]:
        """Companies of a size on the square of one of the mover's places."""
        here = [(c, p) for c in self._rivals if (p := self._there(c, place)) is not None]
        pieces = self.table.pieces
        for colour, p in here:
            for mine in (0, 1, 2):
                if 0 < size - mine <= pieces:
                    yield (*[(colour, p)] * (size - mine), *[(self.mover, place)] * mine)
        if size <= pieces:
            yield tuple([(self.mover, place)] * size)
        mixed = [here[i % len(here)] for i in range(size)] if len(here) > 1 else []
        if mixed:
            yield tuple(mixed)

    def _finish(self) -> Iterator[Placing]:
        """A piece near home, with some of its own and of others' home."""
        me, home, pieces = self.mover, self.route.last, self.table.pieces
        slots = list(range(self.route.lane, len(self.route.spots))) if self.route.measures.slots else []
        for already in range(pieces - 1, -1, -1):
            homes = slots[::-1][:already] if slots else [home] * already
            for place in [*range(len(self.route.spots) - 2, self.route.lane - 1, -1), self.route.turning, self.route.turning - 3]:
                if place not in homes:
                    yield ((me, place), *[(me, p) for p in homes])
                    for friend in self._friends:
                        yield ((me, place), *[(me, p) for p in homes], *[(friend, self.table.routes[friend].last)] * pieces)
            for rival in self._rivals:
                near = [(rival, self.table.routes[rival].lane + 1)]
                yield ((me, self.route.turning), *[(me, p) for p in homes], *near)

    def _ranking(self) -> Iterator[Placing]:
        """The last piece of a player about to come home, and the others somewhere; with all but two having finished."""
        rng = random.Random(f"{self.seed}/ranking/{self.player}")
        table, me = self.table, self.mover
        pieces, home = table.pieces, self.route.last
        last = ((me, home - 1), *[(me, home - 1 - i if self.route.measures.slots else home) for i in range(1, pieces)])
        mine = [(c, table.routes[c].last) for c in self._friends for _ in range(pieces)]
        for _ in range(RANKINGS):
            others = [self._somewhere(rng, c) for c in self._rivals]
            yield (*last, *mine, *chain.from_iterable(others))
            if len(table.players) > 2:
                gone = rng.choice(self._rivals)
                finished = [(gone, table.routes[gone].last)] * pieces
                yield (*last, *mine, *finished, *(p for its in others for p in its if p[0] != gone))

    def _somewhere(self, rng: random.Random, colour: int) -> list[tuple[int, int]]:
        """Some pieces of a colour on the way or home, but not all of them home."""
        route = self.table.routes[colour]
        count = rng.randint(0, self.table.pieces)
        small = [route.start, route.start + 1, route.lane, route.last]
        found = [rng.choice(small) if rng.random() < 0.6 else self._any(rng, colour) for _ in range(count)]
        if len(found) == self.table.pieces and all(p == route.last for p in found):
            found.pop()
        return [(colour, p) for p in found]

    # ---- all of them -------------------------------------------------------------------------------------------------

    def all_small(self) -> Iterator[Placing]:
        """Every placing of one piece of the player's, then of two pieces of which one is the player's."""
        mine = self.table.players[self.player].colours
        every = [(c, p) for c in range(len(self.table.colours)) for p in self._reached(c)]
        own = [(c, p) for c, p in every if c in mine]
        yield from ((piece,) for piece in own)
        for piece in own:
            yield from ((piece, other) for other in every if other[0] not in mine or other >= piece)

    def _reached(self, colour: int) -> list[int]:
        route = self.table.routes[colour]
        return [p for p in range(1, len(route.spots)) if not route.turning < p < route.lane]

    def crowds(self) -> Iterator[Placing]:
        """Placings made at random, without end: stacks, pieces near home and in lanes, all but one home, and full boards."""
        rng = random.Random(f"{self.seed}/crowds/{self.player}")
        while True:
            placing: list[tuple[int, int]] = []
            full = rng.random() < 0.3
            for colour in (self.mover, *self._friends, *self._rivals):
                most = self.table.pieces if full or rng.random() < 0.5 else 1
                for _ in range(rng.randint(1 if colour == self.mover else 0, most)):
                    placing.append((colour, self._near_others(rng, colour, placing)))
            yield tuple(placing)

    def _near_others(self, rng: random.Random, colour: int, placing: list[tuple[int, int]]) -> int:
        """A place: on the square of another piece, a few steps behind it, near the end of the way, or anywhere."""
        route = self.table.routes[colour]
        chance = rng.random()
        squares = [s for c, p in placing if (s := self.table.routes[c].squares[p]) is not None]
        if squares and chance < 0.45:
            square = rng.choice(squares)
            place = next((p for p, s in enumerate(route.squares) if s == square and not route.turning < p < route.lane), None)
            if place is not None:
                back = place - rng.choice([0, 0, *self.leads.faces])
                return back if back >= 1 and not route.turning < back < route.lane else place
        if chance < 0.6:
            return rng.choice([p for p in self._reached(colour) if p >= route.turning - 3])
        return self._any(rng, colour)

    def _any(self, rng: random.Random, colour: int) -> int:
        return rng.choice(self._reached(colour))

    # ---- marks -------------------------------------------------------------------------------------------------------

    def marked(self, placing: Placing) -> list[tuple[str, ...]]:
        """Marks for the pieces of a placing where pieces carry counters: none, one on each piece, two on each."""
        count = len(per_piece(self.table))
        if not count or not placing:
            return [()]
        star = "*" if count == 1 else "*" + "/".join(["1"] * count)
        two = "*2" if count == 1 else "*" + "/".join(["2"] * count)
        return [(), (star,) * len(placing), (two,) * len(placing), ("", star)]


__all__ = ["Placing", "Positions"]
