"""Statements without effect, put into a table to see where its own statements act and where they just do not.

A `when` acts if its trigger comes, its square is of the kind, and every part of its condition holds. It *just does not* act where all
but one of these hold: each near probe denies one part and keeps the others. A part that counts (`6 rolled 3 times`, `pieces here >= 5`)
is only just denied: one less than it takes. Statements that are out of force at a table, and would be in force with one
setting chosen otherwise, have a shadow probe: it acts where they would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    And,
    Choice,
    ChoiceIs,
    Compare,
    Expr,
    Fact,
    FactOf,
    Faces,
    Not,
    Number,
    Owner,
    RolledTimes,
    SettingId,
    SquareIs,
    Truth,
)
from ludo_dsl.rules.folding import conjunction, fold, walk
from ludo_dsl.rules.statements import Add, Must, Once, Rank, Score, Share, Statement, StatementId, Trigger, When
from ludo_dsl.rules.table import Table, fold_statement, settled


class Asks(StrEnum):
    """What it says of a statement that one of its probes acted."""

    NEAR = "near"  # it just did not act
    SHADOW = "shadow"  # it would have acted, were it in force
    PAID = "paid"  # a `once` had acted before, unless it acted in this very step
    HOMECOMING = "homecoming"  # a piece came home; nobody retired unless the step says so


@dataclass(frozen=True)
class Probed:
    """A table with probes among its statements, and what each probe asks of which statement."""

    table: Table
    asks: dict[StatementId, tuple[StatementId, Asks]]


def probed(table: Table) -> Probed:
    """The table with near probes for the statements in force, and shadow probes for those that are not."""
    force = {s.id: s for s in table.statements}
    statements: list[Statement] = []
    asks: dict[StatementId, tuple[StatementId, Asks]] = {}
    for written in table.book.statements:
        held = force.get(written.id)
        found = _near(held) if held is not None else _shadows(table, written)
        for number, (what, trigger, condition) in enumerate(found, 1):
            name = StatementId(f"probe of {written.id}", number)
            asks[name] = (written.id, what)
            statements.append(When(name, trigger, None, condition, (Share(Owner.OWN),)))
        if held is not None:
            statements.append(held)
    return Probed(replace(table, statements=tuple(statements)), asks)


Probe = tuple[Asks, Trigger, Expr]


# ---- near ------------------------------------------------------------------------------------------------------------

_TRIGGER_IS = {
    Trigger.CAPTURED: Compare(">=", FactOf(Fact.CAPTURED), Number(1)),
    Trigger.REACHED_HOME: FactOf(Fact.CAME_HOME),
}
"""Triggers that are themselves conditions of a move: where they do not come, the statement may just not act."""


def _near(statement: Statement) -> Iterator[Probe]:
    match statement:
        case When(trigger=Trigger.NO_MOVE as trigger):
            yield from _denied(trigger, parts_of(statement))
            # A roll that can be used: what else the statement asks may hang on that, so one part more may fail.
            yield Asks.NEAR, Trigger.ROLLED, conjunction(*parts_of(statement))
            yield from _denied(Trigger.ROLLED, parts_of(statement))
        case When(trigger=Trigger.RETIRED as trigger):
            yield from _denied(trigger, parts_of(statement))
            yield Asks.HOMECOMING, Trigger.REACHED_HOME, ALWAYS
        case When(trigger=trigger):
            yield from _denied(trigger, parts_of(statement))
            if trigger in _TRIGGER_IS:
                yield Asks.NEAR, Trigger.MOVED, conjunction(*parts_of(statement), Not(_TRIGGER_IS[trigger]))
        case Once():
            yield from _denied(Trigger.MOVED, parts_of(statement))
            yield Asks.PAID, Trigger.MOVED, statement.condition
        case _:
            return


def parts_of(statement: When | Once) -> tuple[Expr, ...]:
    """What has to hold, beside the trigger: the kind of square, and each part of the condition."""
    on = (SquareIs("here", statement.squares),) if isinstance(statement, When) and statement.squares is not None else ()
    condition = statement.condition
    held = condition.parts if isinstance(condition, And) else () if condition == ALWAYS else (condition,)
    return (*on, *held)


def _denied(trigger: Trigger, parts: tuple[Expr, ...]) -> Iterator[Probe]:
    for i, part in enumerate(parts):
        yield Asks.NEAR, trigger, conjunction(*parts[:i], just_not(part), *parts[i + 1 :])


def just_not(part: Expr) -> Expr:
    """That a part of a condition fails, by as little as can be where it counts."""
    match part:
        case RolledTimes(face, times, _) if times > 1:
            return conjunction(RolledTimes(face, times - 1, False), Not(part))
        case Compare(">=", counted, Number(least)) if least > 1:
            return Compare("=", counted, Number(least - 1))
        case _:
            return Not(part)


# ---- shadows ---------------------------------------------------------------------------------------------------------


def _shadows(table: Table, written: Statement) -> Iterator[Probe]:
    """Where a statement out of force would act: for the first other value of a setting that brings it into force."""
    if not isinstance(written, When | Once):
        return
    for setting, value in other_values(table, written):
        folded = _under(table, written, setting, value)
        if folded is None:
            continue
        assert isinstance(folded, When | Once)
        trigger = folded.trigger if isinstance(folded, When) else Trigger.MOVED
        yield Asks.SHADOW, trigger, conjunction(*parts_of(folded))
        return


def _under(table: Table, written: Statement, setting: SettingId, value: SettingValue) -> Statement | None:
    """A statement folded as if a setting had another value; nothing where it is out of force then too."""
    known = settled({**table.chosen, setting: value}, dict(table.numbers))
    condition = fold(written.condition, known)
    return None if condition == NEVER else fold_statement(replace(written, condition=condition), known)


def other_values(table: Table, written: Statement) -> Iterator[tuple[SettingId, SettingValue]]:
    """The settings that a statement names, each with its values other than the table's."""
    for name in settings_in(written):
        setting = table.book.setting(name)
        assert setting is not None
        for value in values_of(setting):
            if value != table.chosen[setting.id]:
                yield setting.id, value


def values_of(setting: Setting) -> tuple[SettingValue, ...]:
    """The values of an option or reading; of faces and numbers, the default."""
    match setting.domain:
        case Named(values):
            return tuple(v.name for v in values)
        case FaceSet(default) | Range(default=default):
            return (default,)


# ---- what a statement names ------------------------------------------------------------------------------------------


def expressions_of(statement: Statement) -> Iterator[Expr]:
    """Every expression of a statement, with everything in it."""
    tops: list[Expr | None] = [statement.condition]
    if isinstance(statement, When):
        tops.append(statement.squares)
    if isinstance(statement, When | Once | Must):
        effects = statement.forfeit if isinstance(statement, Must) else statement.effects
        tops += [e.points if isinstance(e, Score) else e.amount for e in effects if isinstance(e, Score | Add)]
    if isinstance(statement, Rank):
        tops += [key.value for key in statement.keys]
    for top in tops:
        if top is not None:
            yield from walk(top)


def settings_in(statement: Statement) -> tuple[SettingId, ...]:
    """The options and readings that a statement names, each once."""
    return named_in(expressions_of(statement))


def named_in(parts: Iterable[Expr]) -> tuple[SettingId, ...]:
    """The options and readings among parts of expressions, each once."""
    found: dict[SettingId, None] = {}
    for part in parts:
        match part:
            case ChoiceIs(setting) | Choice(setting):
                found[setting] = None
            case Faces(str() as setting):
                found[SettingId(setting)] = None
            case _:
                pass
    return tuple(found)


def settings_by_statement(book: Book) -> dict[StatementId, tuple[SettingId, ...]]:
    """For each statement of a book, the options and readings that it names."""
    return {s.id: settings_in(s) for s in book.statements}


__all__ = ["Asks", "Probed", "Truth", "expressions_of", "just_not", "named_in", "other_values", "parts_of", "probed", "settings_in"]
