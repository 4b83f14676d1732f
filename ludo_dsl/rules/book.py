"""A whole checked rule book: declarations, settings still open, and rules in the order in which they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ludo_dsl.rules.expressions import CounterId, Expr, SettingId
from ludo_dsl.rules.statements import RESOLUTION, TURN, Phase, Stage, Statement, StatementId
from ludo_dsl.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for people, with placeholders, and when it is part of the book."""

    text: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Citation:
    """A clause of the register that a declaration states, and where it is cited."""

    clause: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Word:
    """A variant's own word for a thing, and what players call it in another tongue."""

    key: str
    text: str
    called: tuple[str, str] | None


# ---- settings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an option or reading: its name and how people read it."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Named:
    """A choice among named values."""

    values: tuple[Value, ...]
    default: str


@dataclass(frozen=True, slots=True)
class FaceSet:
    """A choice of one or more faces."""

    default: frozenset[int]


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    default: int


Domain = Named | FaceSet | Range
SettingValue = str | int | frozenset[int]


@dataclass(frozen=True, slots=True)
class Setting:
    """An option (the table chooses) or a reading (the text leaves it open), with its values."""

    id: SettingId
    role: Literal["option", "reading"]
    label: str
    domain: Domain
    only_if: Expr
    citations: tuple[Citation, ...]
    span: Span = field(compare=False, default=NOWHERE)

    @property
    def default(self) -> SettingValue:
        """The value that holds when nobody chooses."""
        return self.domain.default


# ---- board, players, dice --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Link:
    """Landing on a square of one kind carries the piece on to the next square of another, at most so many times a move."""

    source: Expr
    target: Expr
    or_home: bool
    limit: int


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """The measures of the board; numbers may hang on settings and the number of players."""

    arms: Expr
    arm: Expr
    turning: int
    approach: int
    lane: int
    slots: bool
    marks: tuple[tuple[str, Expr], ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Pieces of each colour at the beginning: so many in the yard, so many on the start square."""

    in_yard: int
    on_start: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class Sides:
    """Colours that play together, when the condition holds."""

    groups: tuple[tuple[str, ...], ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class PlayersSpec:
    """Who can sit down: colours in seat order, the colours of each player for each number of players, sides and setups."""

    low: int
    high: int
    colours: tuple[tuple[str, str | None], ...]
    seats: tuple[tuple[int, tuple[tuple[str, ...], ...]], ...]
    sides: tuple[Sides, ...]
    setups: tuple[Setup, ...]
    first: str | None

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players that can sit down, in rising order: those between `low` and `high` that have seats."""
        return tuple(sorted(count for count, _ in self.seats if self.low <= count <= self.high))


@dataclass(frozen=True, slots=True)
class Shoe:
    """Faces dealt from a shuffled shoe of so many full sets per player, and what becomes of a face that may not come."""

    sets: Expr
    barred: tuple[tuple[Literal["waits", "returns", "redrawn"], Expr], ...]


@dataclass(frozen=True, slots=True)
class DiceSpec:
    """How many dice, each with these faces and weights; further named dice; a shoe, if they are dealt."""

    count: int
    faces: tuple[tuple[int, int], ...]
    named: tuple[str, ...]
    shoe: Shoe | None


# ---- counters, host, claims ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visibility:
    """`hidden`: rivals do not see the value; `secret`: nor that there is one; until the condition holds for the owner."""

    how: Literal["hidden", "secret"]
    until: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that the game remembers, for the game or for each holder."""

    id: CounterId
    scope: frozenset[str]
    visibility: tuple[Visibility, ...]


@dataclass(frozen=True, slots=True)
class HostSetting:
    """A typed setting of the table around the game; its default may hang on options."""

    name: str
    values: tuple[str | int, ...]
    default: tuple[tuple[str | int, Expr], ...]


@dataclass(frozen=True, slots=True)
class GivenClaim:
    """A small scenario: from a position, by rolls, what follows; repeated for a range of numbers."""

    variable: tuple[str, int, int] | None
    position: str
    rolls: tuple[Expr | str, ...]
    outcomes: tuple[tuple[Literal["legal", "refuse", "move", "gives"], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class NeverClaim:
    """An event that never happens while the condition holds."""

    event: str
    squares: Expr | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class AlwaysClaim:
    """A condition that holds always, or whenever the event happens."""

    holds: Expr
    event: str | None
    condition: Expr


Assertion = GivenClaim | NeverClaim | AlwaysClaim


# ---- the book --------------------------------------------------------------------------------------------------------

DeclarationKind = Literal[
    "variant", "words", "option", "reading", "board", "players", "dice", "counter", "let", "rule", "host", "show", "claim"
]


NAMED: tuple[DeclarationKind, ...] = ("rule", "option", "reading", "host", "show", "claim")
"""The declarations that are spoken of by name, each name once."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What people read of any declaration: its name, its sentences, the clauses it states and where it stands."""

    kind: DeclarationKind
    name: str
    title: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    condition: Expr
    file: str = field(compare=False)
    span: Span = field(compare=False)
    line: int = field(compare=False)
    host_settings: tuple[HostSetting, ...] = ()
    assertions: tuple[Assertion, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A checked rule book. `statements` stand in their written order; `where` gives the span of each."""

    name: str
    title: str
    parent: str | None
    words: tuple[Word, ...]
    settings: tuple[Setting, ...]
    board: BoardSpec
    players: PlayersSpec
    dice: DiceSpec
    counters: tuple[Counter, ...]
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]
    where: tuple[tuple[StatementId, Span], ...] = field(compare=False)
    resolution: tuple[Phase, ...] = RESOLUTION
    turn: tuple[Stage, ...] = TURN

    def setting(self, name: str) -> Setting | None:
        """The option or reading of that name."""
        return next((s for s in self.settings if s.id == name), None)

    def declaration(self, name: str) -> Declaration | None:
        """The rule, option, reading, host, show or claim of that name."""
        return next((d for d in self.declarations if d.name == name and d.kind in NAMED), None)

    def word(self, key: str) -> str:
        """The variant's own word for a thing such as a piece or the yard; the common one where it has none."""
        return next((w.text for w in self.words if w.key == key), key)

    def clauses_of(self, rule: str) -> tuple[str, ...]:
        """The clauses that a rule, option or reading states."""
        found = self.declaration(rule)
        return tuple(c.clause for c in found.citations) if found else ()
