"""What a rule book declares, by name and type, and what each kind of statement may ask about."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludo_dsl.diagnostics import Diagnostic, Label
from ludo_dsl.rules.book import Setting
from ludo_dsl.rules.expressions import Expr, Fact, Kind
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.tree import Node, Word


@dataclass(frozen=True, slots=True)
class Placed:
    """A declaration and the text that it stands in: a rule book that extends another holds declarations of both."""

    node: Node
    source: Source


@dataclass(frozen=True, slots=True)
class Let:
    """A name for an expression, resolved when it is first used."""

    name: Word
    cases: Node
    source: Source


BOARD_NUMBERS = ("arms", "arm", "ring", "turning", "lane", "route", "pieces", "dice", "longest-wait", "longest-streak")
"""Measures of the table that expressions and sentences can name."""

DEEPEST = 80
"""Conditions within conditions, names put in: what is deeper cannot be read, and would exhaust the stack."""

LARGEST_LET = 2_000
"""Phrases that a name may stand for, the names in it put in."""

MOST_EXPANDED = 100_000
"""Phrases that the names of a rule book may stand for, all places together where they are used."""

BUILTIN_COUNTERS = {"captures": Fact.CAPTURES}
"""Counters that every game has."""


@dataclass(frozen=True, slots=True)
class Context:
    """What can be asked in one kind of place, and how messages call that place."""

    name: str
    facts: frozenset[Fact] = frozenset()
    game: bool = True  # pieces, counters, scores
    here: bool = False  # the square in question
    dice: bool = False  # faces of the present roll
    choices: bool = False  # which pieces could move


_GAME = frozenset({Fact.ROUND, Fact.SCORE, Fact.CAPTURES, Fact.PLAYERS, Fact.PLAYERS_LEFT, Fact.OWED, Fact.TURN_ROLLS})
_MOVE = _GAME | {Fact.DIE, Fact.UNTOUCHED, Fact.RETREATING, Fact.ENTERED, Fact.STEPS_LEFT}
_DONE = _MOVE | {Fact.CAPTURED, Fact.WALKED, Fact.CAME_HOME, Fact.SENT_BACK}

SETTLED = Context("what is settled before the game", frozenset({Fact.PLAYERS}), game=False)
STATE = Context("what holds between moves", _GAME)
GUARD = Context("a `may` or `never`", _MOVE, here=True, dice=True)
CHOICE = Context("a `must`", _MOVE, here=True, dice=True, choices=True)
BEFORE = Context("what happens without a move", _GAME | {Fact.DIE, Fact.UNTOUCHED}, dice=True, choices=True)
ROLL = Context("what happens when dice are rolled", _GAME | {Fact.DIE}, dice=True)
RESULT = Context("what a move does", _DONE, here=True, dice=True)
CLAIM = Context("a claim", _DONE, here=True, dice=True)


@dataclass
class Scope:
    """The names of a rule book, and the faults found so far."""

    settings: dict[str, Setting] = field(default_factory=dict)
    lets: dict[str, Let] = field(default_factory=dict)
    counters: dict[str, frozenset[str]] = field(default_factory=dict)
    marks: dict[str, Span] = field(default_factory=dict)
    named_dice: set[str] = field(default_factory=set)
    faces: frozenset[int] = frozenset()
    resolved_lets: dict[str, tuple[Expr, Kind]] = field(default_factory=dict)
    open_lets: list[str] = field(default_factory=list)
    let_sizes: dict[str, int] = field(default_factory=dict)
    expanded: int = 0
    depth: int = 0
    used: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def fault(
        self,
        code: str,
        message: str,
        source: Source,
        span: Span,
        hint: str = "",
        labels: tuple[Label, ...] = (),
    ) -> None:
        """Notes a fault."""
        self.diagnostics.append(Diagnostic(code, message, source, span, hint, labels))

    def number_names(self) -> list[str]:
        """Names that can stand where an expression is wanted."""
        return [*self.lets, *self.counters, *self.marks, *self.settings, *BOARD_NUMBERS, *BUILTIN_COUNTERS]
