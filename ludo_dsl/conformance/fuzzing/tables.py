"""What the fuzzer plays: tables, rich positions, and what is done at random in a game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice

from ludo_dsl.conformance.fuzzing.steps import Action, Judge, plain, tempting
from ludo_dsl.conformance.running.watching import Seating
from ludo_dsl.conformance.scenarios.check_readings import answers_of, questions_of
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.conformance.telling.leads import Leads, leads
from ludo_dsl.conformance.telling.memory import Setting, settings_of
from ludo_dsl.conformance.telling.positions import Placing, Positions
from ludo_dsl.conformance.telling.shown import Eyes
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import move_text, position_text
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

TRIES = 0.15
"""How often something illegal is tried; more often where the engine does not list the legal moves."""

MOST_LIKELY = 2000
"""Placings that are likely to show something, of each player at a table, from which some are taken."""

DRAWS = 60
"""Tables, or positions, that are drawn before it is given up."""

DROPPED_AFTER = 8
"""Tables with a value that an engine refuses, none being offered, before it is no longer asked for it: it may have been another value."""


class Tables:
    """The rules of one book at its tables; those used last are kept."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.at: Callable[[Seating, Choices], Interpreter | None] = lru_cache(maxsize=256)(self._at)
        self.starts: Callable[[Interpreter], Starts] = lru_cache(maxsize=16)(Starts)

    def _at(self, seating: Seating, readings: Choices) -> Interpreter | None:
        """The rules at a table; readings that it does not offer are left at their defaults. None where there is no such table."""
        table = self._table(seating, readings)
        if table is None:
            table = self._table(seating, tuple(r for r in readings if self._table(seating, (r,)) is not None))
        return None if table is None else Interpreter(table)

    def _table(self, seating: Seating, readings: Choices) -> Table | None:
        try:
            return make_table(self.book, seating.players, dict(seating.options), dict(readings))
        except TableError:
            return None


def changed(table: Table, role: str) -> Choices:
    """The options, or the readings, of a table that differ from their defaults, as scenarios write them."""
    roles = {s.id: s.role for s in table.book.settings}
    found = {n: v if isinstance(v, int) else shown_value(v) for n, v in table.changed().items() if roles[n] == role}
    return tuple(sorted(found.items()))


# ---- tables ----------------------------------------------------------------------------------------------------------


class Offers:
    """Which tables an engine is asked for: all that the book has, but for what is given and what the engine does not offer."""

    def __init__(
        self,
        book: Book,
        players: int | None,
        options: Mapping[str, object],
        readings: Mapping[str, object],
        said: Mapping[str, Iterable[str]],
    ) -> None:
        self.book = book
        self.players = players
        self.options = dict(options)
        self.readings = dict(readings)
        self._values = {s.id: self._offered(s.id, answers_of(s, book), said) for s in book.settings if s.role == "option"}
        self._refused: Counter[tuple[str, str]] = Counter()
        self._played: set[tuple[str, str]] = set()
        self.reasons: dict[tuple[str, str], str] = {}

    @staticmethod
    def _offered(name: str, values: tuple[str, ...], said: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
        """The values of an option that the engine says it has; all, where it says nothing."""
        named = [v for v in values if v in tuple(said.get(name, ()))]
        return tuple(named) or values

    def drawn(self, rng: random.Random, *, readings: bool) -> tuple[Seating, Choices] | None:
        """A table, and the readings to be told where the engine can choose them; none where nothing is left to be asked for."""
        for _ in range(DRAWS):
            counts = [self.players] if self.players is not None else [n for n in self.book.players.counts if self._open("players", str(n))]
            if not counts:
                return None
            try:
                table = make_table(self.book, rng.choice(counts), self._some_options(rng), self._some_readings(rng, readings))
            except TableError:
                continue
            if all(self._open(*pair) for pair in self._pairs(table)):
                return Seating(len(table.players), changed(table, "option")), changed(table, "reading")
        return None

    def _some_options(self, rng: random.Random) -> dict[str, object]:
        usual = rng.random() < 0.4
        found: dict[str, object] = {}
        for name, values in self._values.items():
            chosen = rng.choice(values)
            if (not usual and rng.random() < 0.5) or not self._open(name, values[0]):
                found[name] = chosen
        return found | self.options

    def _some_readings(self, rng: random.Random, vary: bool) -> dict[str, object]:
        found: dict[str, object] = {}
        for question in questions_of(self.book) if vary and rng.random() < 0.7 else ():
            if rng.random() < 0.3:
                found[question.id] = rng.choice(answers_of(question, self.book))
        return found | self.readings

    def _pairs(self, table: Table) -> list[tuple[str, str]]:
        """What is chosen at a table and was not given."""
        pairs: list[tuple[str, str]] = [(name, shown_value(table.chosen[name])) for name in self._values if name not in self.options]
        return pairs if self.players is not None else [("players", str(len(table.players))), *pairs]

    def _open(self, name: str, value: str) -> bool:
        return (name, value) in self._played or self._refused[name, value] < DROPPED_AFTER

    def offered(self, table: Table) -> None:
        """The engine plays at a table."""
        self._played.update(self._pairs(table))

    def refused(self, table: Table, reason: str) -> None:
        """The engine does not offer a table."""
        unknown = [pair for pair in self._pairs(table) if pair not in self._played]
        for pair in unknown:
            self._refused[pair] += 1 if len(unknown) > 1 else DROPPED_AFTER
            self.reasons.setdefault(pair, reason)

    @property
    def dropped(self) -> tuple[tuple[str, str], ...]:
        """What the engine does not offer, as `name=value` with its reason."""
        return tuple((f"{n}={v}", self.reasons[n, v]) for (n, v) in sorted(self._refused) if not self._open(n, v))


# ---- positions -------------------------------------------------------------------------------------------------------


class Starts:
    """Rich positions of one table: crowds, pieces behind one another, walls, near home, in lanes, after runs of sixes."""

    def __init__(self, reference: Interpreter) -> None:
        self.reference = reference
        self.table = reference.table
        self._leads: Leads = leads(self.table, self.table)
        self._eyes = Eyes(reference, reference)
        self._known: dict[int, tuple[list[Placing], list[Placing], list[Setting]]] = {}

    def drawn(self, rng: random.Random) -> str | None:
        """The text of a position that the rules know; none where several attempts were in vain."""
        for _ in range(DRAWS):
            text = self._text(rng)
            try:
                state = self.reference.read(text) if text is not None else None
            except GameError:
                continue
            if state is not None and not state.over:
                return position_text(self.table, state)
        return None

    def _text(self, rng: random.Random) -> str | None:
        player = rng.randrange(len(self.table.players))
        maker = Positions(self.table, player, self._leads, rng.randrange(2**31))
        likely, ends, settings = self._of(player)
        chance = rng.random()
        some = ends if chance < 0.2 else likely if chance < 0.6 else []
        placing = rng.choice(some) if some else next(maker.crowds())
        return maker.text(placing, _mixed(rng, settings), rng.choice(maker.marked(placing)))

    def _of(self, player: int) -> tuple[list[Placing], list[Placing], list[Setting]]:
        """Likely placings of a player to move, those among them with the last piece on its way, and what may be remembered."""
        if player not in self._known:
            maker = Positions(self.table, player, self._leads, 0)
            hot, cold = settings_of(self.table, self.table, self._eyes, player, self._leads)
            likely = list(islice(maker.likely(), MOST_LIKELY))
            mover, last, most = maker.mover, maker.route.lane, self.table.pieces
            ends = [p for p in likely if sum(c == mover and place >= last for c, place in p) >= most]
            self._known[player] = likely, ends, [*hot, *cold]
        return self._known[player]


def _mixed(rng: random.Random, settings: list[Setting]) -> Setting:
    """No memory, or up to two things that are remembered."""
    found: dict[str, str] = {}
    for chance in (0.5, 0.3):
        if settings and rng.random() < chance:
            setting = dict(rng.choice(settings))
            found |= setting if found.keys().isdisjoint(setting) else {}
    return tuple(found.items())


# ---- what is done ----------------------------------------------------------------------------------------------------


class Wandering:
    """Chooses what is done in a random game of so many steps; `enough` may end it sooner."""

    def __init__(self, rng: random.Random, steps: int, able: frozenset[str], enough: Callable[[], bool]) -> None:
        self.rng = rng
        self.left = steps
        self.tries = TRIES if "legal" in able else 3 * TRIES
        self.enough = enough

    def __call__(self, judge: Judge) -> Action | None:
        """A roll or a move; now and then one that the rules forbid."""
        reference, state = judge.reference, judge.state
        self.left -= 1
        if state.over or self.left < 0 or self.enough():
            return None
        if self.rng.random() < self.tries:
            forbidden = self._forbidden(judge)
            if forbidden is not None:
                return forbidden
        if state.awaits_roll:
            return self._roll(judge)
        legal = reference.legal(state)
        choices = [c for c in legal if plain(c, legal)]
        return move_text(reference.table, state, self.rng.choice(choices)) if choices else None

    def _roll(self, judge: Judge) -> tuple[int, ...]:
        """The highest face more often than others, for a rule book makes most of it, and what brings a piece home."""
        faces, dice = judge.reference.faces(judge.state), judge.reference.table.book.dice
        keen = [max(faces), *_homeward(judge, faces)]
        return tuple(self.rng.choice(keen if self.rng.random() < 0.3 else faces) for _ in range(dice.count))

    def _forbidden(self, judge: Judge) -> Action | None:
        reference, state = judge.reference, judge.state
        dice = reference.table.book.dice
        faces = sorted({face for face, _ in dice.faces})
        if state.awaits_roll:
            barred = sorted(set(faces) - set(reference.faces(state)))
            return (self.rng.choice(barred),) * dice.count if barred else None
        if self.rng.random() < 0.1:
            return (self.rng.choice(faces),) * dice.count
        tries = tempting(reference, state)
        return self.rng.choice(tries) if tries else None


def _homeward(judge: Judge, faces: tuple[int, ...]) -> list[int]:
    """The faces that a piece of the player's needs to come home."""
    table, state = judge.reference.table, judge.state
    found = set()
    for colour in table.players[state.turn].colours:
        route = table.routes[colour]
        found |= {route.travelled[route.last] - route.travelled[place] for place in state.pieces[colour] if place}
    return sorted(found & set(faces))
