"""Statements that can never act, because what they wait for or ask about never happens in this rule book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from ludo_dsl.check.ground import Ground, effects_of
from ludo_dsl.check.spots import spot, statement_place
from ludo_dsl.diagnostics import Diagnostic
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import CounterOf, DieIs, Expr, Fact, FactOf, Highest
from ludo_dsl.rules.folding import walk
from ludo_dsl.rules.statements import (
    Act,
    Add,
    Effect,
    Goal,
    GoalKind,
    Grant,
    Mark,
    May,
    MayCombine,
    Must,
    NeverMove,
    Order,
    Rank,
    Score,
    Send,
    Statement,
    Trigger,
    When,
)


@dataclass(frozen=True, slots=True)
class _Happens:
    """What can happen at all, at some table."""

    captures: bool
    retires: bool
    scores: bool
    acts: frozenset[Act]
    combines: bool
    counted: frozenset[str]
    granted: frozenset[str]
    asked_dice: frozenset[str]


def _what_happens(book: Book) -> _Happens:
    effects: list[Effect] = [e for s in book.statements for e in effects_of(s)]
    asked = {part.name for s in book.statements for e in expressions_of(s) for part in walk(e) if isinstance(part, DieIs)}
    return _Happens(
        captures=any(isinstance(e, Send) and e.as_capture for e in effects),
        retires=Mark.RETIRE in effects,
        scores=any(isinstance(e, Score) for e in effects),
        acts=frozenset(s.act for s in book.statements if isinstance(s, May)),
        combines=any(isinstance(s, MayCombine) for s in book.statements),
        counted=frozenset(e.counter for e in effects if isinstance(e, Add)),
        granted=frozenset(e.value for e in effects if isinstance(e, Grant) and isinstance(e.value, str)),
        asked_dice=frozenset(asked),
    )


def expressions_of(value: object) -> Iterator[Expr]:
    """Every expression that a checked value holds, at its outermost."""
    if isinstance(value, Expr):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from expressions_of(getattr(value, part.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from expressions_of(item)


def idle_statements(ground: Ground) -> list[Diagnostic]:
    """A fault (L0508) for each statement that waits for what never happens."""
    happens = _what_happens(ground.book)
    found = []
    for statement in ground.book.statements:
        reasons = (*_waits(statement, happens), *_does(statement, happens), *_asks(statement, happens))
        # What is wrong with the trigger explains the rest.
        for phrase, message, hint in reasons[:1]:
            source, span = statement_place(ground.book, ground.places, statement.id)
            found.append(Diagnostic("L0508", message, source, spot(source, span, phrase), hint))
    return found


Reason = tuple[str, str, str]
"""The phrase to blame, what is wrong with it, and what to do."""

_CAPTURE_HINT = "a capture is a `send … as capture`: add one, or remove this"
_NO_CAPTURE = "nothing is ever captured"


def _waits(statement: Statement, happens: _Happens) -> Iterator[Reason]:
    if not isinstance(statement, When):
        return
    if statement.trigger is Trigger.RETIRED and not happens.retires:
        yield "when retired", "nobody ever retires", "a player retires by the effect `retire`: add it, or remove this"
    if statement.trigger is Trigger.CAPTURED and not happens.captures:
        yield "when captured", _NO_CAPTURE, _CAPTURE_HINT


def _does(statement: Statement, happens: _Happens) -> Iterator[Reason]:
    match statement:
        case NeverMove(act=act) if act not in happens.acts:
            yield f"never {act.value}", f"no piece may {act.value} anyhow", f"remove it, or add `may {act.value}`"
        case Must(goals=goals):
            for goal in goals:
                yield from _aims(goal, happens)
        case Rank(keys=keys) if not happens.retires and any(k.order is Order.FIRST_RETIRED for k in keys):
            yield "first retired", "nobody ever retires", "a player retires by the effect `retire`: add it, or rank by something else"
        case _:
            pass
    for effect in effects_of(statement):
        if isinstance(effect, Grant) and isinstance(effect.value, str) and effect.value not in happens.asked_dice:
            hint = f"say what it is good for, as in `may enter if die is {effect.value}`"
            yield f"grant {effect.value}", f"no move can use the die `{effect.value}`", hint


def _aims(goal: Goal, happens: _Happens) -> Iterator[Reason]:
    if goal.kind is GoalKind.CAPTURE and not happens.captures:
        yield "capture", _NO_CAPTURE, _CAPTURE_HINT
    if goal.kind is GoalKind.COMBINE and not happens.combines:
        yield "move by all dice at once", "no piece may move by all dice at once", "add `may move by all dice at once`, or remove this"
    for kind, act in ((GoalKind.ENTER, Act.ENTER), (GoalKind.ADVANCE, Act.ADVANCE)):
        if goal.kind is kind and act not in happens.acts:
            yield f"must {act.value}", f"no piece may {act.value}", f"add `may {act.value}`, or remove this"


def _asks(statement: Statement, happens: _Happens) -> Iterator[Reason]:
    for expr in expressions_of(statement):
        for part in walk(expr):
            yield from _asks_in_vain(part, happens)


def _asks_in_vain(part: Expr, happens: _Happens) -> Iterator[Reason]:
    match part:
        case FactOf(Fact.CAPTURED | Fact.CAPTURES as fact) if not happens.captures:
            yield fact.value, _NO_CAPTURE, _CAPTURE_HINT
        case FactOf(Fact.SCORE) if not happens.scores:
            yield "score", "nothing ever scores", "points come from the effect `score`: add it, or ask for something else"
        case FactOf(Fact.ENTERED) if Act.ENTER not in happens.acts:
            yield "entered", "no piece ever enters", "add `may enter`, or remove this"
        case FactOf(Fact.RETREATING) if Act.RETREAT not in happens.acts:
            yield "retreating", "no piece ever retreats", "add `may retreat`, or remove this"
        case CounterOf(counter) | Highest(counter) if counter not in happens.counted:
            yield counter, f"the counter `{counter}` is always 0", f"add to it, as in `add 1 to {counter}`"
        case DieIs(name) if name not in happens.granted:
            yield f"die is {name}", f"the die `{name}` never comes", f"it comes by the effect `grant {name}`: add it, or remove this"
        case _:
            pass
