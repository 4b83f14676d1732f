"""Turns that could go on for ever: what happens makes the same thing happen again, and nothing has to change in between."""

from __future__ import annotations

from collections.abc import Iterator

from ludo_dsl.check.ground import Ground, effects_of
from ludo_dsl.check.spots import spot, statement_place
from ludo_dsl.check.truth import outcomes
from ludo_dsl.diagnostics import Diagnostic
from ludo_dsl.rules.expressions import ALWAYS, CounterOf, DieIn, DieIs, EveryDie, Expr, Fact, FactOf, Highest, RolledTimes
from ludo_dsl.rules.folding import fold, walk
from ludo_dsl.rules.statements import Add, Effect, Grant, Mark, RollAgain, Score, Statement, Trigger, When

_CHANCE = (DieIn, DieIs, EveryDie, RolledTimes)
_LIMITS = frozenset({Fact.DIE, Fact.TURN_ROLLS, Fact.OWED})
# A move by a granted die is of its own kind: it need not capture, come out or get home again.
_MOVE_LIMITS = _LIMITS | {
    Fact.CAPTURED,
    Fact.CAME_HOME,
    Fact.ENTERED,
    Fact.SENT_BACK,
    Fact.RETREATING,
    Fact.WALKED,
    Fact.UNTOUCHED,
    Fact.CAPTURES,
}


def endless_turns(ground: Ground) -> list[Diagnostic]:
    """A fault (L0503) for each statement that can keep a turn, or the whole game, where it is."""
    return [*_rolls(ground), *_grants(ground), *_skips(ground)]


def _rolls(ground: Ground) -> Iterator[Diagnostic]:
    """A roll, or the lack of a move, that earns another roll whatever is thrown."""
    for statement in ground.book.statements:
        if not isinstance(statement, When) or statement.trigger not in (Trigger.ROLLED, Trigger.NO_MOVE):
            continue
        roll = next((e for e in statement.effects if isinstance(e, RollAgain)), None)
        if roll is not None and not _is_limited(statement, _LIMITS) and _can_hold(ground, statement):
            cause = "every roll" if statement.trigger is Trigger.ROLLED else "every roll that cannot be used"
            hint = "let it hang on the die, on `turn rolls` or on `owed`, as in `if turn rolls < 3`"
            yield _fault(ground, statement, "roll again", f"{cause} earns another roll, so that the turn need not end", hint)


def _grants(ground: Ground) -> Iterator[Diagnostic]:
    """A move, or the lack of one, that grants a die whatever has been moved."""
    for statement in ground.book.statements:
        if not isinstance(statement, When) or not _is_general(statement):
            continue
        grant = next((e for e in statement.effects if isinstance(e, Grant)), None)
        if grant is not None and not _is_limited(statement, _MOVE_LIMITS) and _can_hold(ground, statement):
            cause = "having no move" if statement.trigger is Trigger.NO_MOVE else "every move, also one by a granted die,"
            message = f"{cause} grants another die, so that the turn need not end"
            hint = "let it hang on what was moved, as in `if captured` or `if die = 6`"
            yield _fault(ground, statement, f"grant {grant.value}", message, hint)


def _is_general(statement: When) -> bool:
    """Whether the trigger comes with every move or with none: a capture, or a marked square, is not met for ever."""
    return statement.trigger in (Trigger.MOVED, Trigger.NO_MOVE) or (statement.trigger is Trigger.LANDING and statement.squares is None)


def _skips(ground: Ground) -> Iterator[Diagnostic]:
    """Every turn skips its roll, and nothing else is granted."""
    starts = [s for s in ground.book.statements if isinstance(s, When) and s.trigger is Trigger.TURN_STARTS]
    for statement in starts:
        if Mark.SKIP_ROLL not in statement.effects:
            continue
        for choices in ground.tables(*(s.condition for s in starts)):
            known = ground.known(choices)
            granted = any(_gives_more(e) for s in starts if fold(s.condition, known) == ALWAYS for e in s.effects)
            if fold(statement.condition, known) == ALWAYS and not granted:
                message = "every turn skips its roll and grants nothing: no piece will ever move"
                yield _fault(ground, statement, "skip roll", message, "add a condition, or `grant` a die instead")
                break


def _gives_more(effect: Effect) -> bool:
    return isinstance(effect, (Grant, RollAgain)) or effect in (Mark.END_GAME, Mark.RETIRE)


def _can_hold(ground: Ground, statement: When) -> bool:
    tables = ground.tables(statement.condition)
    return any(True in outcomes(fold(statement.condition, ground.known(c)), ground.bounds(c, statement.trigger)) for c in tables)


def _is_limited(statement: When, limits: frozenset[Fact]) -> bool:
    """Whether the condition asks something that need not be so the next time."""
    counted = {e.counter for e in effects_of(statement) if isinstance(e, Add)}
    scores = any(isinstance(e, Score) for e in effects_of(statement))
    ends = any(e in (Mark.END_TURN, Mark.END_GAME, Mark.RETIRE) for e in statement.effects)

    def limits_it(part: Expr) -> bool:
        match part:
            case FactOf(fact):
                return fact in limits or (scores and fact is Fact.SCORE)
            case CounterOf(counter) | Highest(counter):
                return counter in counted
            case _:
                return isinstance(part, _CHANCE)

    return ends or any(limits_it(part) for part in walk(statement.condition))


def _fault(ground: Ground, statement: Statement, phrase: str, message: str, hint: str) -> Diagnostic:
    source, span = statement_place(ground.book, ground.places, statement.id)
    return Diagnostic("L0503", message, source, spot(source, span, phrase), hint)
