"""Whatever a scenario can be played on, and the interpreter as such a subject."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Generic, Literal, Protocol, TypeVar

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.conformance.scenarios.suite import Branch, Scenario
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import Table, make_table

T = TypeVar("T")

Refusal = Literal["unsupported", "illegal", "error"]
"""Not offered; forbidden by the rules; a fault of the engine."""


class RefusedError(Exception):
    """A subject says no: what kind of no, and why in its words."""

    def __init__(self, kind: Refusal, reason: str) -> None:
        self.kind: Refusal = kind
        self.reason = reason
        super().__init__(f"{kind}: {reason}")


class UnreadableError(Exception):
    """A subject tells of a position that is none: its text, and what is wrong with it."""

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason
        super().__init__(f"{reason}: {text}")


class Subject(Protocol):
    """Plays one game at a time. Every call may raise `RefusedError`; `reference` knows the table and reads positions."""

    def new(self, reference: Engine, first: int | None) -> None:
        """A new game; `first` is the index of the player who begins, or `None` for whom the rules name."""

    def set(self, reference: Engine, position: str) -> None:
        """A game at a position."""

    def roll(self, faces: Roll) -> None:
        """A roll that shows these faces."""

    def move(self, text: str) -> None:
        """A move, or `pass`."""

    def legal(self) -> tuple[str, ...] | None:
        """The legal moves as text; `None` where the subject cannot tell."""

    def text(self) -> str:
        """The position as the subject writes it."""

    def state(self, reference: Engine) -> State:
        """The position as the reference understands it. Raises `UnreadableError`."""

    def places(self) -> dict[str, int] | None:
        """The place of each player, from 1; `None` where the game goes on."""


@lru_cache(maxsize=64)
def book_of(variant: str) -> Book:
    """The checked rule book of a name or file. Raises `RuleBookError`."""
    return check_file(locate(variant)).book


def table_of(scenario: Scenario, branch: Branch, book: Book | None = None) -> Table:
    """The table of a scenario under the readings of a branch; `book` in place of the variant's own. Raises `TableError`."""
    rules = book or book_of(scenario.variant)
    readings = tuple(branch.chosen.items())
    return _TABLES.get(
        rules,
        (scenario.players, scenario.options, readings),
        lambda: make_table(rules, scenario.players, dict(scenario.options), dict(readings)),
    )


def reference_for(table: Table) -> Interpreter:
    """The interpreter at a table."""
    return _REFERENCES.get(table, (), lambda: Interpreter(table))


class _Remembered(Generic[T]):
    """What was made for an object, which is known by its identity: rule books and tables are large, and comparing them takes long."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.known: dict[tuple[int, Hashable], tuple[object, T]] = {}

    def get(self, of: object, key: Hashable, make: Callable[[], T]) -> T:
        """What was made before under a key, or is made now."""
        found = self.known.get((id(of), key))
        if found is None or found[0] is not of:
            if len(self.known) >= self.most:
                del self.known[next(iter(self.known))]
            found = self.known[id(of), key] = (of, make())
        return found[1]


_TABLES: _Remembered[Table] = _Remembered(1024)
_REFERENCES: _Remembered[Interpreter] = _Remembered(1024)


def read_leniently(reference: Engine, text: str) -> State:
    """The position of a text that an engine wrote; memory that no rule at this table asks about is passed over.

    Raises `UnreadableError`.
    """
    try:
        return reference.read(text)
    except GameError:
        try:
            return reference.read(_without_idle(reference, text))
        except GameError as error:
            raise UnreadableError(text, error.message) from None


def agree(expected: State, found: State) -> bool:
    """Whether a position is the one that is expected.

    An engine may count the rolls that it owes only when the dice have been used: while the pool holds dice, `owed` is not compared.
    """
    return found == expected or (bool(expected.pool) and found._replace(owed=expected.owed) == expected)


def _without_idle(reference: Engine, text: str) -> str:
    """A position text without the fields of memory that the table has no use for."""
    table = reference.table
    known = {"turn", "pool", "rolled", "owed", "due", "retired", *table.colours}
    kept = []
    for name, value in split_fields(text).items():
        if name in known or _told(reference, name):
            kept.append(f"{name}={value}")
    return " ".join(kept)


def _told(reference: Engine, field: str) -> bool:
    """Whether a position of this table may hold a field of memory."""
    table = reference.table
    holder = field.partition(".")[0]
    if holder in ("score", "done") or any(c.id == holder for c in table.counters):
        return True
    return isinstance(reference, Interpreter) and holder in ("round", "first", "captures", "order", "last") and reference.tells(holder)


def who_begins(table: Table) -> int:
    """The index of the player who begins by the rules; the first in order of seats where they leave it to chance or choice."""
    return next((i for i, p in enumerate(table.players) if p.name == table.book.players.first), 0)


class Direct:
    """An engine of our own as a subject, without a protocol between: a state for each step, and no text in between."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.at: State | None = None

    def engine_for(self, reference: Engine) -> Engine:
        """The engine that plays at the table of a reference: the reference itself."""
        return reference

    def new(self, reference: Engine, first: int | None) -> None:
        """A new game; `first` is the index of the player who begins, or `None` for whom the rules name."""
        self.engine = self.engine_for(reference)
        self.at = self.engine.start(who_begins(self.engine.table) if first is None else first)

    def set(self, reference: Engine, position: str) -> None:
        """A game at a position."""
        self.engine = self.engine_for(reference)
        try:
            self.at = self.engine.read(position)
        except GameError as error:
            raise RefusedError("illegal", error.message) from None

    def roll(self, faces: Roll) -> None:
        """A roll that shows these faces."""
        engine, at = self._game()
        try:
            self.at = engine.roll(at, faces).state
        except GameError as error:
            raise RefusedError("illegal", error.message) from None

    def move(self, text: str) -> None:
        """A move, or `pass`."""
        engine, at = self._game()
        try:
            self.at = engine.move(at, read_move(engine.table, at, text, engine.legal(at))).state
        except GameError as error:
            raise RefusedError("illegal", error.message) from None

    def legal(self) -> tuple[str, ...] | None:
        """The legal moves as text."""
        engine, at = self._game()
        return tuple(move_text(engine.table, at, choice) for choice in engine.legal(at))

    def text(self) -> str:
        """The position as text."""
        engine, at = self._game()
        return position_text(engine.table, at)

    def state(self, reference: Engine) -> State:
        """The position itself."""
        return self._game()[1]

    def places(self) -> dict[str, int] | None:
        """The place of each player, from 1; `None` while the game goes on."""
        engine, at = self._game()
        if not at.over:
            return None
        return dict(zip([p.name for p in engine.table.players], engine.places(at), strict=True))

    def _game(self) -> tuple[Engine, State]:
        if self.engine is None or self.at is None:
            raise RefusedError("error", "no game has begun")
        return self.engine, self.at
