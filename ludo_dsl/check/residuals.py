"""What is left of conditions when a meeting is known: whether it can hold, and whether it must.

A condition is taken apart into questions. Comparisons of one number with constants are one question, answered by every
value that makes a difference (`die = 5` and `die = 6` never hold together); any other question is answered yes or no,
whatever the answers to the rest are. Beyond `MOST` combinations of answers the functions do not decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from ludo_dsl.rules.expressions import And, Compare, Expr, Fact, FactOf, Not, Number, Or, Sum, Truth
from ludo_dsl.rules.folding import COMPARISONS

MOST = 4096
"""How many combinations of answers are tried."""

_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"!=": "=", "<": ">=", ">": "<="}

Answers = Mapping[Expr, int]


def can_hold(condition: Expr, faces: Iterable[int] = ()) -> bool:
    """Whether some answers make the condition true; no where there are too many questions."""
    return any(_value(condition, answers) for answers in _answers(condition, faces))


def must_hold(condition: Expr, faces: Iterable[int] = ()) -> bool:
    """Whether all answers make the condition true; yes where there are too many questions."""
    return all(_value(condition, answers) for answers in _answers(condition, faces))


def _answers(condition: Expr, faces: Iterable[int]) -> Iterator[Answers]:
    questions: dict[Expr, set[int]] = {}
    for atom in _atoms(condition):
        subject, constant = _subject(atom)
        # Numbers of the game are never negative; only a difference can be.
        least = 0 if not isinstance(subject, Sum) else -MOST
        near = (0, 1) if constant is None else range(max(least, constant - 1), constant + 2)
        questions.setdefault(subject, set()).update(near)
    die = FactOf(Fact.DIE)
    if die in questions and faces:
        questions[die] = set(faces)
    if prod(len(values) for values in questions.values()) > MOST:
        return
    for combination in product(*(sorted(values) for values in questions.values())):
        yield dict(zip(questions, combination, strict=True))


def _atoms(condition: Expr) -> Iterator[Expr]:
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _atoms(part)
        case Not(part):
            yield from _atoms(part)
        case Truth():
            return
        case _:
            yield condition


def _subject(atom: Expr) -> tuple[Expr, int | None]:
    """What an atom asks about, and the constant that it is compared with."""
    match atom:
        case Compare(_, left, Number(value)):
            return left, value
        case Compare(_, Number(value), right):
            return right, value
        case Compare(op, left, right) if op in _OPPOSITE:
            return Compare(_OPPOSITE[op], left, right), None
        case _:
            return atom, None


def _value(condition: Expr, answers: Answers) -> bool:
    match condition:
        case Truth(holds):
            return holds
        case And(parts):
            return all(_value(part, answers) for part in parts)
        case Or(parts):
            return any(_value(part, answers) for part in parts)
        case Not(part):
            return not _value(part, answers)
        case Compare(op, left, Number(value)):
            return COMPARISONS[op](answers[left], value)
        case Compare(op, Number(value), right):
            return COMPARISONS[_FLIPPED[op]](answers[right], value)
        case Compare(op, left, right) if op in _OPPOSITE:
            return not answers[Compare(_OPPOSITE[op], left, right)]
        case _:
            return bool(answers[condition])
