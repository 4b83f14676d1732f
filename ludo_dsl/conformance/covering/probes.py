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

from ludo_dsl.rules.book import FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    And,
    Choice,
    ChoiceIs,
    Compare,
    Every,
    Expr,
    Faces,
    Fact,
    FactOf,
    Measure,
    Not,
    Number,
    Owner,
    Quantity,
    RolledTimes,
    SettingId,
    SquareIs,
    Where,
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
        found = _near(table, held) if held is not None else _shadows(table, written)
        for number, (what, trigger, condition) in enumerate(found, 1):
            name = StatementId(f"probe of {written.id}", number)
            asks[name] = (written.id, what)
            statements.append(When(name, trigger, None, condition, (Share(Owner.OWN),)))
        if held is not None:
            statements.append(held)
    return Probed(replace(table, statements=tuple(statements)), asks)


Probe = tuple[Asks, Trigger, Expr]


# ---- near ------------------------------------------------------------------------------------------------------------

_TRIGGER_IS: dict[Trigger, Expr] = {
    Trigger.CAPTURED: Compare(">=", FactOf(Fact.CAPTURED), Number(1)),
    Trigger.REACHED_HOME: FactOf(Fact.CAME_HOME),
}
"""Triggers that are themselves conditions of a move: where they do not come, the statement may just not act."""


def _near(table: Table, statement: Statement) -> Iterator[Probe]:
    if not isinstance(statement, When | Once):
        return
    parts = parts_of(statement)
    denied = _denied(parts)
    if isinstance(statement, Once):
        yield from ((Asks.NEAR, Trigger.MOVED, d) for d in denied)
        yield Asks.PAID, Trigger.MOVED, statement.condition
        return
    yield from ((Asks.NEAR, statement.trigger, d) for d in denied)
    yield from _without_trigger(table, statement.trigger, parts)


def _without_trigger(table: Table, missing: Trigger, parts: tuple[Expr, ...]) -> Iterator[Probe]:
    """Where a trigger that is itself a condition does not come, and all else holds, but for what cannot hold without it."""
    match missing:
        case Trigger.NO_MOVE:
            yield Asks.NEAR, Trigger.ROLLED, conjunction(*parts)
            # A roll that can be used: what else the statement asks may hang on that.
            yield from ((Asks.NEAR, Trigger.ROLLED, d) for d in _denied(parts))
        case Trigger.RETIRED:
            yield Asks.HOMECOMING, Trigger.REACHED_HOME, ALWAYS
        case Trigger.MOVED:
            yield Asks.NEAR, Trigger.NO_MOVE, conjunction(*parts)
        case Trigger.CAPTURED | Trigger.REACHED_HOME:
            absent = Not(_TRIGGER_IS[missing])
            yield Asks.NEAR, Trigger.MOVED, conjunction(*parts, absent)
            for i, part in enumerate(parts):
                if missing is Trigger.REACHED_HOME and _asks_who_is_home(part):
                    yield Asks.NEAR, Trigger.MOVED, conjunction(*parts[:i], _all_but_one(table, part), *parts[i + 1 :], absent)
        case _:
            return


def _asks_who_is_home(part: Expr) -> bool:
    return any(isinstance(e, Every | Measure) and Where.HOME in e.nouns.places for e in walk(part))


def parts_of(statement: When | Once) -> tuple[Expr, ...]:
    """What has to hold, beside the trigger: the kind of square, and each part of the condition."""
    on = (SquareIs("here", statement.squares),) if isinstance(statement, When) and statement.squares is not None else ()
    condition = statement.condition
    held = condition.parts if isinstance(condition, And) else () if condition == ALWAYS else (condition,)
    return (*on, *held)


def _denied(parts: tuple[Expr, ...]) -> list[Expr]:
    """For each part, that it alone fails."""
    return [conjunction(*parts[:i], just_not(part), *parts[i + 1 :]) for i, part in enumerate(parts)]


def just_not(part: Expr) -> Expr:
    """That a part of a condition fails, by as little as can be where it counts."""
    match part:
        case RolledTimes(face, times, _) if times > 1:
            return conjunction(RolledTimes(face, times - 1, False), Not(part))
        case Compare(">=", counted, Number(least)) if least > 1:
            return Compare("=", counted, Number(least - 1))
        case _:
            return Not(part)


def _all_but_one(table: Table, part: Expr) -> Expr:
    """That all pieces but one are where a part of a condition wants them all."""
    if isinstance(part, Every) and part.nouns.owner in (Owner.OWN, Owner.OURS):
        return Compare("=", Measure(Quantity.COUNT, part.nouns), Number(_pieces(table, part.nouns.owner) - 1))
    return just_not(part)


def _pieces(table: Table, owner: Owner) -> int:
    """How many pieces a player has, or a side; as many as every other."""
    players = table.players[:1] if owner is Owner.OWN else [table.players[i] for i in table.sides[0]]
    return table.pieces * sum(len(player.colours) for player in players)


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
        parts = parts_of(folded)
        yield Asks.SHADOW, trigger, conjunction(*parts)
        found = table.book.setting(setting)
        if found is not None and table.chosen[setting] != found.default:
            # A table that has chosen otherwise shows it where the statement would only just act, too.
            yield from ((Asks.SHADOW, trigger, d) for d in _denied(parts))
            yield from ((Asks.SHADOW, at, condition) for _, at, condition in _without_trigger(table, trigger, parts))
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
