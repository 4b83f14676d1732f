"""Whatever a scenario can be played on, and the interpreter as such a subject."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, Protocol

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.conformance.suite import Branch, Scenario
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import Table, make_table

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

    def new(self, reference: Engine, first: int) -> None:
        """A new game; `first` is the index of the player who begins."""

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
        """The place of each player, from 1; `None` where the subject cannot tell."""


@lru_cache(maxsize=64)
def book_of(variant: str) -> Book:
    """The checked rule book of a name or file. Raises `RuleBookError`."""
    return check_file(locate(variant)).book


@lru_cache(maxsize=512)
def _table(book: Book, players: int, options: tuple[tuple[str, object], ...], readings: tuple[tuple[str, object], ...]) -> Table:
    return make_table(book, players, dict(options), dict(readings))


def table_of(scenario: Scenario, branch: Branch, book: Book | None = None) -> Table:
    """The table of a scenario under the readings of a branch; `book` in place of the variant's own. Raises `TableError`."""
    return _table(book or book_of(scenario.variant), scenario.players, scenario.options, tuple(branch.chosen.items()))


@lru_cache(maxsize=512)
def reference_for(table: Table) -> Interpreter:
    """The interpreter at a table."""
    return Interpreter(table)


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


class Direct:
    """An engine of our own as a subject, without a protocol between: a state for each step, and no text in between."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.at: State | None = None

    def engine_for(self, reference: Engine) -> Engine:
        """The engine that plays at the table of a reference: the reference itself."""
        return reference

    def new(self, reference: Engine, first: int) -> None:
        """A new game; `first` is the index of the player who begins."""
        self.engine = self.engine_for(reference)
        self.at = self.engine.start(first)

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
        """The place of each player, from 1."""
        engine, at = self._game()
        return dict(zip([p.name for p in engine.table.players], engine.places(at), strict=True))

    def _game(self) -> tuple[Engine, State]:
        if self.engine is None or self.at is None:
            raise RefusedError("error", "no game has begun")
        return self.engine, self.at
