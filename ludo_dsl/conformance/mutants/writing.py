"""Checked rules written much as they stand in a rule book, so that a mutant can show what it changed."""

from __future__ import annotations

from ludo_dsl.rules.book import Link, Setup
from ludo_dsl.rules.expressions import (
    ALWAYS,
    And,
    BoardNumber,
    Cases,
    Choice,
    ChoiceIs,
    Compare,
    CounterOf,
    DieIn,
    DieIs,
    Every,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Place,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
    Truth,
)
from ludo_dsl.rules.statements import (
    Add,
    Count,
    Effect,
    Goal,
    GoalKind,
    Grant,
    LaneOpens,
    Mark,
    May,
    MayCombine,
    MayPass,
    Must,
    NeverCross,
    NeverKeep,
    NeverMove,
    NeverRoll,
    Once,
    Order,
    Past,
    Rank,
    RankKey,
    RollAgain,
    Score,
    Send,
    Share,
    Stands,
    Statement,
    Target,
    When,
)


def written(value: object) -> str:
    """A statement, effect, expression or text as a rule book would write it (a `let` is written out, and the text is not parsed again)."""
    match value:
        case str() if not isinstance(value, Mark):
            return value
        case Send() | Share() | RollAgain() | Grant() | Score() | Add() | Mark():
            return _effect(value)
        case Nouns():
            return pieces(value)
        case Goal():
            return _goal(value)
        case RankKey():
            return _key(value)
        case Link():
            return f"link {written(value.source)} to next {written(value.target)}{' or home' if value.or_home else ''} {value.limit} times"
        case Setup():
            return _setup(value)
        case _ if isinstance(value, Expr):
            return _expr(value)
        case _ if isinstance(value, Statement):
            return _statement(value)
        case _:
            raise TypeError(f"nobody knows how to write a {type(value).__name__}")


def _setup(setup: Setup) -> str:
    parts = [f"{setup.on_start} on start" if setup.on_start else "", f"{setup.in_yard} in yard" if setup.in_yard else ""]
    return "pieces " + ", ".join(filter(None, parts))


# ---- statements ------------------------------------------------------------------------------------------------------


def _statement(statement: Statement) -> str:
    condition = "" if statement.condition == ALWAYS else f" if {written(statement.condition)}"
    match statement:
        case When(trigger=trigger, squares=squares, effects=effects):
            where = "" if squares is None else f" on {written(squares)}"
            return f"when {trigger}{where}{condition} {_effects(effects)}"
        case Once(condition=once, effects=effects):
            return f"once {written(once)} {_effects(effects)}"
        case Must(goals=goals, forfeit=forfeit):
            penalty = f" else {_effects(forfeit)}" if forfeit else ""
            return f"must {', then '.join(written(g) for g in goals)}{condition}{penalty}"
        case Rank(keys=keys):
            return f"rank sides by {', '.join(written(k) for k in keys)}{condition}"
        case _:
            return _plain(statement) + condition


def _plain(statement: Statement) -> str:
    match statement:
        case May(act=act, whose=whose, walking=walking):
            return f"may {act}{' allies' if whose == 'allies' else ''}{' walking' if walking else ''}"
        case MayCombine():
            return "may move by all dice at once"
        case MayPass():
            return "may pass"
        case NeverRoll(face=face):
            return f"never roll {face}"
        case NeverCross():
            return crossing(statement)
        case NeverMove(act=act):
            return f"never {act}"
        case NeverKeep():
            return "never keep stuck dice"
        case Past(overshoot=overshoot):
            return f"past home {overshoot}"
        case LaneOpens():
            return "lane opens"
        case Count(face=face, steps=steps):
            return f"count {face} as {steps}"
        case Stands(builtin=builtin):
            return f"stands {builtin}"
        case _:
            raise TypeError(f"nobody knows how to write a {type(statement).__name__}")


def crossing(never: NeverCross) -> str:
    """What a `never pass` or `never land on` forbids, without its condition."""
    deeds = " or ".join([*(["pass"] if never.passing else []), *(["land on"] if never.landing else [])])
    return f"never {deeds} {never.count} {pieces(never.nouns)}{' of one colour' if never.one_colour else ''}"


def _goal(goal: Goal) -> str:
    if goal.kind is GoalKind.FROM and goal.nouns is not None:
        return f"move from {goal.count} {pieces(goal.nouns)}"
    return goal.kind.value


def _key(key: RankKey) -> str:
    return key.order.value if key.order is Order.FIRST_RETIRED or key.value is None else f"{key.order} {written(key.value)}"


# ---- effects ---------------------------------------------------------------------------------------------------------


def _effects(effects: tuple[Effect, ...]) -> str:
    return "; ".join(written(e) for e in effects)


def _effect(effect: Effect) -> str:
    match effect:
        case Send(target, nouns, destination, as_capture):
            who = [] if target is Target.ALL else ["last moved of" if target is Target.LAST_MOVED else target.value]
            whose = [pieces(nouns)] if nouns is not None else []
            return f"send {' '.join([*who, *whose])} to {destination}{' as capture' if as_capture else ''}"
        case Share(owner):
            return f"share with {owner}"
        case RollAgain(at_once):
            return f"roll again{' at once' if at_once else ''}"
        case Grant(value):
            return f"grant {value}"
        case Score(points):
            return f"score {written(points)}"
        case Add(amount, counter):
            return f"add {written(amount)} to {counter}"
        case Mark():
            return effect.value


# ---- expressions -----------------------------------------------------------------------------------------------------


def _expr(expr: Expr) -> str:
    match expr:
        case And(parts):
            return " and ".join(_inner(p) for p in parts)
        case Or(parts):
            return " or ".join(_inner(p) for p in parts)
        case Not(SquareIs(subject, squares)):
            return f"{subject} is not {_inner(squares)}"
        case Not(ChoiceIs(setting, value)):
            return f"{setting} is not {value}"
        case Not(part):
            return f"not {_inner(part)}"
        case Compare(">=", Measure(Quantity.COUNT, nouns), Number(1)):
            return pieces(nouns)
        case Compare(">=", FactOf(Fact.CAPTURED), Number(1)):
            return "captured"
        case Compare(op, left, right):
            return f"{_inner(left)} {op} {_inner(right)}"
        case Sum(terms):
            return " ".join(f"{'+' if sign > 0 else '-'} {_inner(t)}" for sign, t in terms).removeprefix("+ ")
        case Product(factors):
            return " * ".join(_inner(f) for f in factors)
        case Cases(cases, otherwise):
            text = ", ".join(f"{written(value)} if {written(when)}" for value, when in cases)
            return text if otherwise is None else f"{text}, otherwise {written(otherwise)}"
        case Measure(quantity, nouns):
            return pieces(nouns) if quantity is Quantity.COUNT else f"{quantity} {pieces(nouns)}"
        case Every(nouns):
            return f"all {pieces(nouns)}"
        case Highest(counter, nouns):
            return f"highest {counter} of {pieces(nouns)}"
        case SquareIs(subject, squares):
            return f"{subject} is {_inner(squares)}"
        case _:
            return _leaf(expr)


def _leaf(expr: Expr) -> str:
    match expr:
        case Number(value):
            return str(value)
        case Truth(holds):
            return "always" if holds else "never"
        case Squares(names):
            return " or ".join(sorted(names)) or "none"
        case Choice(name) | CounterOf(name) | BoardNumber(name):
            return name
        case ChoiceIs(setting, value):
            return f"{setting} is {value}"
        case FactOf(fact):
            return fact.value
        case DieIs(name):
            return f"die is {name}"
        case DieIn(faces):
            return f"die in {written(faces)}"
        case Faces(values):
            return values if isinstance(values, str) else ", ".join(str(v) for v in sorted(values))
        case EveryDie(op, value):
            return f"every die {op} {value}"
        case RolledTimes(face, times, in_a_row):
            return f"{face} rolled {times} times{' in a row' if in_a_row else ''}"
        case _:
            raise TypeError(f"nobody knows how to write a {type(expr).__name__}")


def _inner(expr: Expr) -> str:
    return f"({written(expr)})" if isinstance(expr, And | Or | Cases | Sum) else written(expr)


def pieces(nouns: Nouns) -> str:
    """A choice of pieces, such as `enemies here`."""
    return " ".join([nouns.owner.value, *(_place(p) for p in nouns.places)])


def _place(place: Place) -> str:
    return f"on {place.mark}" if isinstance(place, OnMark) else place.value


# ---- names -----------------------------------------------------------------------------------------------------------

_JOINED = (" >= ", " <= ", " != ", " = ", " < ", " > ", " + ", " - ", " * ")


def slug(text: str) -> str:
    """A text as a part of an id: without blanks, operators close to what they join."""
    for sign in _JOINED:
        text = text.replace(sign, sign.strip())
    return text.replace(", ", ",").replace(" ", "-").replace("`", "")
