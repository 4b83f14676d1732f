"""What the checks of rules share: the book, its tables, and what can hold at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ludo_dsl.check.places import Places
from ludo_dsl.check.tables import Choices, Offer, Tables
from ludo_dsl.check.truth import Constants, Ranges, constants, outcomes, ranges
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import BoardNumber, Every, Expr, Highest, Measure, Not, Or, SquareIs
from ludo_dsl.rules.folding import Known, conjunction, walk
from ludo_dsl.rules.statements import Effect, Must, Once, Statement, Trigger, When
from ludo_dsl.rules.table import measured, settled


def effects_of(statement: Statement) -> tuple[Effect, ...]:
    """What a statement does, if it does something."""
    match statement:
        case When(effects=effects) | Once(effects=effects) | Must(forfeit=effects):
            return effects
        case _:
            return ()


@dataclass
class Ground:
    """A book whose board has been checked, with what is worked out once for each table."""

    book: Book
    places: Places
    constant: dict[tuple[Expr, Trigger | None], bool | None] = field(default_factory=dict)
    _offer: Offer = field(init=False)
    _constants: Constants = field(init=False)
    _known: dict[Choices, Known] = field(default_factory=dict)
    _bounds: dict[Choices, Ranges] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._offer = Offer(self.book)
        self._constants = constants(self.book)

    def tables(self, *exprs: Expr) -> Tables:
        """The tables that the expressions can tell apart."""
        board, shoe = self.book.board, self.book.dice.shoe
        parts = [part for e in exprs for part in walk(e)]
        more: list[Expr] = []
        if any(isinstance(part, BoardNumber) for part in parts):
            more += [board.arms, board.arm, *(at for _, at in board.marks), *([shoe.sets] if shoe else [])]
        if any(isinstance(part, SquareIs) for part in parts):
            more += [at for _, at in board.marks]
        if any(isinstance(part, (Measure, Every, Highest)) for part in parts):
            more += [s.condition for s in self.book.players.sides]
        return self._offer.tables(*exprs, *more)

    def numbers(self, choices: Choices) -> dict[str, int]:
        """The measures of the table."""
        players = {"players": choices.players}
        return players | measured(self.book, choices.chosen, players)

    def known(self, choices: Choices) -> Known:
        """What is settled at the table."""
        if choices not in self._known:
            self._known[choices] = settled(choices.chosen, self.numbers(choices))
        return self._known[choices]

    def bounds(self, choices: Choices, trigger: Trigger | None = None) -> Ranges:
        """The ranges of numbers at the table, when the trigger happens."""
        if choices not in self._bounds:
            self._bounds[choices] = ranges(self.book, self._constants, self.known(choices), self.numbers(choices))
        found = self._bounds[choices]
        return found if trigger is None else replace(found, trigger=trigger)

    @staticmethod
    def together(bounds: Ranges, one: Expr, other: Expr) -> bool:
        """Whether two conditions, folded at a table, can hold at once."""
        return True in outcomes(conjunction(one, other), bounds)

    @staticmethod
    def none_holds(bounds: Ranges, conditions: Sequence[Expr]) -> bool:
        """Whether it can be that none of the conditions holds."""
        return True in outcomes(Not(Or(tuple(conditions))), bounds)
