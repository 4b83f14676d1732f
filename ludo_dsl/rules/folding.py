"""Partial evaluation: whatever is known of an expression is put in, and what remains is as small as it can be."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    And,
    Cases,
    Compare,
    DieIn,
    Expr,
    Faces,
    Not,
    Number,
    Or,
    Product,
    SquareIs,
    Squares,
    Sum,
    Truth,
)

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Known = Callable[[Expr], Expr | None]
"""Gives the value of a leaf where it is known, and nothing where it is not."""


def fold(expr: Expr, known: Known) -> Expr:
    """The expression with everything known put in; a `Number`, `Truth` or `Squares` if that decides it."""
    value = known(expr)
    if value is not None:
        return value
    match expr:
        case And(parts):
            return _junction(tuple(fold(p, known) for p in parts), And, NEVER, ALWAYS)
        case Or(parts):
            folded = tuple(fold(p, known) for p in parts)
            if folded and all(isinstance(p, Squares) for p in folded):
                return Squares(frozenset().union(*(p.names for p in folded if isinstance(p, Squares))))
            return _junction(folded, Or, ALWAYS, NEVER)
        case Not(part):
            inner = fold(part, known)
            if isinstance(inner, Truth):
                return Truth(not inner.holds)
            return inner.part if isinstance(inner, Not) else Not(inner)
        case Compare(op, left, right):
            a, b = fold(left, known), fold(right, known)
            if isinstance(a, Number) and isinstance(b, Number):
                return Truth(COMPARISONS[op](a.value, b.value))
            return Compare(op, a, b)
        case Sum(terms):
            return _sum(tuple((sign, fold(term, known)) for sign, term in terms))
        case Product(factors):
            return _product(tuple(fold(f, known) for f in factors))
        case Cases(cases, otherwise):
            return _cases(cases, otherwise, known)
        case SquareIs(subject, squares):
            inner = fold(squares, known)
            if isinstance(inner, Squares) and not inner.names:
                return NEVER
            return known(SquareIs(subject, inner)) or SquareIs(subject, inner)
        case DieIn(faces):
            return DieIn(fold(faces, known))
        case _:
            return expr


def _junction(parts: tuple[Expr, ...], kind: type[And] | type[Or], absorbing: Truth, neutral: Truth) -> Expr:
    kept: list[Expr] = []
    for part in parts:
        if part == absorbing:
            return absorbing
        if part == neutral:
            continue
        for inner in part.parts if isinstance(part, kind) else (part,):
            if inner not in kept:
                kept.append(inner)
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else kind(tuple(kept))


def _sum(terms: tuple[tuple[int, Expr], ...]) -> Expr:
    constant = sum(sign * t.value for sign, t in terms if isinstance(t, Number))
    rest = tuple((sign, t) for sign, t in terms if not isinstance(t, Number))
    if not rest:
        return Number(constant)
    if constant == 0 and len(rest) == 1 and rest[0][0] == 1:
        return rest[0][1]
    return Sum((*rest, (1, Number(constant)))) if constant else Sum(rest)


def _product(factors: tuple[Expr, ...]) -> Expr:
    constant = 1
    rest = []
    for factor in factors:
        if isinstance(factor, Number):
            constant *= factor.value
        else:
            rest.append(factor)
    if not rest or constant == 0:
        return Number(constant)
    if constant == 1 and len(rest) == 1:
        return rest[0]
    return Product((*rest, Number(constant))) if constant != 1 else Product(tuple(rest))


def _cases(cases: tuple[tuple[Expr, Expr], ...], otherwise: Expr | None, known: Known) -> Expr:
    open_cases: list[tuple[Expr, Expr]] = []
    for value, condition in cases:
        when = fold(condition, known)
        if when == NEVER:
            continue
        folded = fold(value, known)
        if when == ALWAYS:
            return folded if not open_cases else Cases(tuple(open_cases), folded)
        open_cases.append((folded, when))
    last = fold(otherwise, known) if otherwise is not None else None
    if not open_cases and last is not None:
        return last
    return Cases(tuple(open_cases), last)


def conjunction(*parts: Expr) -> Expr:
    """All of the conditions, without those that always hold."""
    return _junction(parts, And, NEVER, ALWAYS)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression."""
    match expr:
        case And(parts) | Or(parts):
            return parts
        case Not(part):
            return (part,)
        case Compare(_, left, right):
            return (left, right)
        case Sum(terms):
            return tuple(term for _, term in terms)
        case Product(factors):
            return factors
        case Cases(cases, otherwise):
            inner = tuple(part for case in cases for part in case)
            return inner if otherwise is None else (*inner, otherwise)
        case SquareIs(_, squares):
            return (squares,)
        case DieIn(Faces() as faces):
            return (faces,)
        case _:
            return ()


def walk(expr: Expr) -> tuple[Expr, ...]:
    """The expression and everything in it."""
    found = [expr]
    for item in found:
        found.extend(children(item))
    return tuple(found)


__all__ = ["COMPARISONS", "Known", "children", "conjunction", "fold", "walk"]
