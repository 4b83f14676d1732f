"""Which part of a printed rule book a rule belongs to, told from what its statements do; names take no part in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from ludo_dsl.rules.book import Declaration
from ludo_dsl.rules.expressions import Choice, ChoiceIs, Expr, Faces
from ludo_dsl.rules.folding import walk
from ludo_dsl.rules.statements import (
    Builtin,
    LaneOpens,
    Mark,
    NeverCross,
    NeverKeep,
    NeverRoll,
    Once,
    Past,
    Rank,
    Score,
    Stands,
    Statement,
    Trigger,
    When,
)
from ludo_dsl.rules.table import Table


class Group(StrEnum):
    """The parts of a rule book, in the order in which they are read."""

    SETUP = "The board and the players"
    TURN = "The turn"
    MOVING = "Moving"
    MEETING = "When pieces meet"
    HOME = "Coming home"
    WINNING = "Winning"


_STANDS = {
    Builtin.TURN_ORDER: Group.TURN,
    Builtin.LOST_DICE: Group.TURN,
    Builtin.FREE_PASSING: Group.MEETING,
    Builtin.OWN_LANE: Group.HOME,
    Builtin.ALL_COLOURS: Group.MOVING,
    Builtin.CAPTOR_STAYS: Group.MEETING,
    Builtin.NO_SCORE: Group.WINNING,
}
_ENDS = (Mark.END_GAME, Mark.RETIRE)
_MEETINGS = (Trigger.LANDING, Trigger.PASSING, Trigger.CAPTURED)


def group_of(statement: Statement) -> Group:
    """The part of the book that a statement belongs to."""
    match statement:
        case When(trigger=trigger, effects=effects) if any(e in _ENDS or isinstance(e, Score) for e in effects):
            return Group.WINNING if trigger is not Trigger.CAPTURED or any(isinstance(e, Score) for e in effects) else Group.MEETING
        case When(trigger=trigger) if trigger in _MEETINGS:
            return Group.MEETING
        case When() | NeverRoll() | NeverKeep():
            return Group.TURN
        case Once() | Rank():
            return Group.WINNING
        case NeverCross():
            return Group.MEETING
        case Past() | LaneOpens():
            return Group.HOME
        case Stands(builtin=builtin):
            return _STANDS[builtin]
        case _:
            return Group.MOVING


def group_of_declaration(table: Table, declaration: Declaration) -> Group | None:
    """The part of the book for a rule, option or reading; none if no rule asks for it.

    What has no statement of its own belongs with the statements that ask for the same options and readings.
    """
    own = [group_of(s) for s in table.statements if s.id.rule == declaration.name]
    if own:
        # What earns points or ends the game is about winning, whatever is counted on the way.
        return Group.WINNING if Group.WINNING in own else own[0]
    names = {declaration.name} | _settings(s.condition for s in declaration.sentences)
    asking = Counter(group_of(s) for s in table.book.statements if s.id.rule in names or _settings(_expressions(s)) & names)
    if asking:
        return asking.most_common(1)[0][0]
    if _settings([table.book.board.arms, table.book.board.arm, *(e for _, e in table.book.board.marks)]) & names:
        return Group.SETUP
    if _settings(s.condition for s in table.book.players.setups) & names:
        return Group.SETUP
    return None


def _expressions(statement: Statement) -> Iterable[Expr]:
    yield statement.condition
    if isinstance(statement, When) and statement.squares is not None:
        yield statement.squares


def _settings(exprs: Iterable[Expr]) -> set[str]:
    found: set[str] = set()
    for part in (part for expr in exprs for part in walk(expr)):
        match part:
            case ChoiceIs(setting) | Choice(setting):
                found.add(setting)
            case Faces(values) if isinstance(values, str):
                found.add(values)
            case _:
                pass
    return found
