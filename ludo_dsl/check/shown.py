"""Conditions and numbers as a rule book writes them, for messages."""

from __future__ import annotations

from ludo_dsl.rules.expressions import (
    And,
    BoardNumber,
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
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
)


def nouns(choice: Nouns) -> str:
    """A choice of pieces."""
    places = [f"on {p.mark}" if isinstance(p, OnMark) else p.value for p in choice.places]
    return " ".join([choice.owner.value, *places])


def shown(expr: Expr, brief: bool = False) -> str | None:
    """The expression as it is written, without needless brackets; nothing if it has no writing of its own (`Cases`).

    A bare count of pieces means at least one: `brief` writes it so.
    """
    match expr:
        case And(parts):
            return _joined(" and ", parts, brief)
        case Or(parts):
            return _joined(" or ", parts, brief)
        case Not():
            return _negation(expr, brief)
        case Compare(">=", left, Number(1)) if brief:
            return shown(left, brief)
        case Compare(op, left, right):
            return _joined(f" {op} ", (left, right), brief)
        case Sum(terms):
            return _sum(terms)
        case Product(factors):
            return _joined(" * ", factors, brief)
        case Number(value):
            return str(value)
        case _:
            return _asked(expr) or _named(expr)


def _asked(expr: Expr) -> str | None:
    """Questions about squares, dice and rolls."""
    match expr:
        case SquareIs(subject, Squares(names)) if len(names) == 1:
            return f"{subject} is {next(iter(names))}"
        case DieIs(name):
            return f"die is {name}"
        case DieIn(Faces(values)) if isinstance(values, str):
            return f"die in {values}"
        case EveryDie(op, value):
            return f"every die {op} {value}"
        case RolledTimes(face, times, in_a_row):
            return f"{face} rolled {times} times{' in a row' if in_a_row else ''}"
        case _:
            return None


def _named(expr: Expr) -> str | None:
    """Pieces, facts and names."""
    match expr:
        case Measure(Quantity.COUNT, which):
            return nouns(which)
        case Measure(quantity, which):
            return f"{quantity.value} {nouns(which)}"
        case Every(which):
            return f"all {nouns(which)}"
        case FactOf(fact):
            return fact.value
        case CounterOf(counter):
            return counter
        case Highest(counter, which):
            return f"highest {counter} of {nouns(which)}"
        case ChoiceIs(setting, value):
            return f"{setting} is {value}"
        case Choice(setting):
            return setting
        case BoardNumber(name):
            return name
        case _:
            return None


def _joined(between: str, parts: tuple[Expr, ...], brief: bool) -> str | None:
    texts = [shown(part, brief) for part in parts]
    written = [text for text in texts if text is not None]
    return between.join(written) if len(written) == len(texts) else None


def _negation(expr: Not, brief: bool) -> str | None:
    inner = shown(expr.part, brief)
    if inner is None:
        return None
    if isinstance(expr.part, (ChoiceIs, SquareIs, DieIs)):
        return inner.replace(" is ", " is not ", 1)
    return f"not {inner}"


def _sum(terms: tuple[tuple[int, Expr], ...]) -> str | None:
    text = ""
    for sign, term in terms:
        inner = shown(term)
        if inner is None:
            return None
        text += f" {'+' if sign > 0 else '-'} {inner}" if text else inner
    return text
