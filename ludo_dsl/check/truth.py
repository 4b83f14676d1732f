"""Which truth values a condition can take at one table, whatever happens in the game.

Numbers of the game are known by their ranges only, and each is tried at every value that matters (next to the numbers it is
compared with); whatever else a condition asks is tried both ways. Questions are taken to be independent of each other,
so that the answer can be too cautious, but a condition called constant is constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import (
    ALWAYS,
    And,
    Cases,
    Compare,
    CounterOf,
    DieIn,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Not,
    Number,
    Or,
    Owner,
    Product,
    Quantity,
    SquareIs,
    Squares,
    Sum,
    Truth,
)
from ludo_dsl.rules.folding import COMPARISONS, Known, fold
from ludo_dsl.rules.statements import Grant, Trigger

Interval = tuple[int | None, int | None]
"""Lowest and highest value; nothing where there is no bound."""

_MOST_TRIES = 20_000
_BOTH = frozenset({True, False})
_COUNTS = {Quantity.COUNT, Quantity.MOVABLE, Quantity.STUCK, Quantity.GROUPS}


@dataclass(frozen=True)
class Ranges:
    """What bounds the numbers of a game at one table."""

    players: int
    pieces: Mapping[Owner, int]
    die: frozenset[int]
    faces: frozenset[int]
    profiles: tuple[frozenset[str], ...]
    signed: bool
    trigger: Trigger | None = None

    def of(self, term: Expr) -> Interval:
        """The range of a number."""
        match term:
            case Number(value):
                return (value, value)
            case Measure(quantity, nouns):
                return (0, self.pieces[nouns.owner] if quantity in _COUNTS else None)
            case FactOf(fact):
                return self._fact(fact)
            case CounterOf() | Highest():
                return (None if self.signed else 0, None)
            case Sum(terms):
                return _added([self.of(t) if sign > 0 else _negative(self.of(t)) for sign, t in terms])
            case Product(factors):
                return _multiplied([self.of(f) for f in factors])
            case _:
                return (None, None)

    def _fact(self, fact: Fact) -> Interval:
        match fact:
            case Fact.PLAYERS:
                return (self.players, self.players)
            case Fact.PLAYERS_LEFT:
                return (0, self.players - 1 if self.trigger is Trigger.RETIRED else self.players)
            case Fact.ROUND:
                return (1, None)
            case Fact.TURN_ROLLS:
                return (1 if self.trigger is Trigger.ROLLED else 0, None)
            case Fact.CAPTURED:
                return (1 if self.trigger is Trigger.CAPTURED else 0, self.pieces[Owner.PIECES])
            case Fact.DIE:
                return (min(self.die), max(self.die))
            case Fact.SCORE:
                return (None, None)
            case _:
                return (0, None)


def _negative(interval: Interval) -> Interval:
    low, high = interval
    return (None if high is None else -high, None if low is None else -low)


def _added(parts: list[Interval]) -> Interval:
    lows, highs = [low for low, _ in parts if low is not None], [high for _, high in parts if high is not None]
    return (sum(lows) if len(lows) == len(parts) else None, sum(highs) if len(highs) == len(parts) else None)


def _multiplied(parts: list[Interval]) -> Interval:
    result: Interval = (1, 1)
    for low, high in parts:
        # Negative factors do not occur in rules that mean anything: nothing is claimed about them.
        if low is None or low < 0 or result[0] is None:
            return (None, None)
        result = (result[0] * low, None if high is None or result[1] is None else result[1] * high)
    return result


@dataclass(frozen=True, slots=True)
class Constants:
    """What is the same at every table: what a die can be, its faces, and whether counters can fall below 0."""

    die: frozenset[int]
    faces: frozenset[int]
    signed: bool


def constants(book: Book) -> Constants:
    """What a book has at every table."""
    faces = frozenset(face for face, _ in book.dice.faces)
    return Constants(_die_values(book, faces), faces, _is_signed(book))


def ranges(book: Book, same: Constants, known: Known, numbers: Mapping[str, int]) -> Ranges:
    """The bounds at a table: `known` settles its choices, and `numbers` are its measures, `players` among them."""
    players = numbers["players"]
    seating = dict(book.players.seats)[players]
    each = numbers["pieces"]
    owned = [len(seat) for seat in seating]
    total = sum(owned)
    sides = next((s for s in book.players.sides if fold(s.condition, known) == ALWAYS), None)
    ours = max((len(group) for group in sides.groups), default=max(owned)) if sides is not None else max(owned)
    pieces = {
        Owner.OWN: each * max(owned),
        Owner.ALLIES: each * (ours - min(owned)) if sides is not None else 0,
        Owner.ENEMIES: each * (total - min(owned)),
        Owner.PIECES: each * total,
        Owner.OURS: each * max(ours, *owned),
    }
    return Ranges(players, pieces, same.die, same.faces, _profiles(book, known), same.signed)


def _die_values(book: Book, faces: frozenset[int]) -> frozenset[int]:
    """What `die` can be: a face, a granted number, nothing (a named die), or all dice of a roll together."""
    granted = {e.value for s in book.statements for e in getattr(s, "effects", ()) if isinstance(e, Grant) and isinstance(e.value, int)}
    sums = range(2 * min(faces), book.dice.count * max(faces) + 1) if book.dice.count > 1 else ()
    named = {0} if book.dice.named else set()
    return faces | granted | set(sums) | named


def _is_signed(book: Book) -> bool:
    """Whether a counter could fall below 0: something is added that is written with a minus."""

    def minus(expr: object) -> bool:
        return isinstance(expr, Sum) and any(sign < 0 for sign, _ in expr.terms)

    return any(minus(getattr(e, "amount", None)) for s in book.statements for e in getattr(s, "effects", ()))


def _profiles(book: Book, known: Known) -> tuple[frozenset[str], ...]:
    """The kinds that one and the same square can have."""
    at: dict[int, set[str]] = {0: {"start"}}
    for name, expr in book.board.marks:
        folded = fold(expr, known)
        if isinstance(folded, Number):
            at.setdefault(folded.value, set()).add(name)
    track = [frozenset({"track", *names}) for names in at.values()]
    own = frozenset({"own start", *track[0]})
    return (frozenset({"track"}), *track, own, frozenset({"lane"}), frozenset())


# ---- trying ----------------------------------------------------------------------------------------------------------


def outcomes(expr: Expr, bounds: Ranges) -> frozenset[bool]:
    """The truth values that a condition, folded at the table of these bounds, can take."""
    asked: dict[Expr, set[object]] = {}
    _collect(expr, bounds, asked)
    size = 1
    for values in asked.values():
        size *= max(1, len(values))
    if size > _MOST_TRIES:
        return _BOTH
    found: set[bool] = set()
    for row in product(*asked.values()):
        found.add(_holds(expr, bounds, dict(zip(asked, row, strict=True))))
        if len(found) == 2:
            break
    return frozenset(found)


def _collect(expr: Expr, bounds: Ranges, asked: dict[Expr, set[object]]) -> None:
    """Finds the questions of a condition and the answers to try for each."""
    match expr:
        case Truth():
            pass
        case And(parts) | Or(parts):
            for part in parts:
                _collect(part, bounds, asked)
        case Not(part):
            _collect(part, bounds, asked)
        case Cases(cases, otherwise):
            for value, condition in cases:
                _collect(value, bounds, asked)
                _collect(condition, bounds, asked)
            if otherwise is not None:
                _collect(otherwise, bounds, asked)
        case _:
            _collect_question(expr, bounds, asked)


def _collect_question(expr: Expr, bounds: Ranges, asked: dict[Expr, set[object]]) -> None:
    match expr:
        case Compare():
            term, number = _one_term(expr)
            if term is not None:
                asked.setdefault(term, set()).update(_near(term, number, bounds))
            elif _by_interval(expr, bounds) is None:
                asked.setdefault(expr, set()).update(_BOTH)
        case DieIn(Faces(values)) if isinstance(values, frozenset):
            asked.setdefault(FactOf(Fact.DIE), set()).update(bounds.die)
        case SquareIs(subject, Squares()):
            asked.setdefault(SquareIs(subject, Squares(frozenset())), set()).update(bounds.profiles)
        case EveryDie(op, value) if len({COMPARISONS[op](face, value) for face in bounds.faces}) == 1:
            pass
        case _:
            asked.setdefault(expr, set()).update(_BOTH)


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


def _one_term(expr: Compare) -> tuple[Expr | None, int]:
    """The term of a comparison of one term with a number, and that number."""
    for term, number in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(number, Number) and isinstance(term, (Measure, FactOf, CounterOf, Highest)):
            return term, number.value
    return None, 0


def _near(term: Expr, number: int, bounds: Ranges) -> set[int]:
    if term == FactOf(Fact.DIE):
        return set(bounds.die)
    low, high = bounds.of(term)
    near = {number - 1, number, number + 1} | {b for b in (low, high) if b is not None}
    return {n for n in near if (low is None or n >= low) and (high is None or n <= high)}


def _by_interval(expr: Compare, bounds: Ranges) -> bool | None:
    (a, b), (c, d) = bounds.of(expr.left), bounds.of(expr.right)
    less = b is not None and c is not None and b < c
    more = a is not None and d is not None and a > d
    at_most = b is not None and c is not None and b <= c
    at_least = a is not None and d is not None and a >= d
    equal = a is not None and a == b == c == d
    certain = {"<": less, "<=": at_most, ">": more, ">=": at_least, "=": equal, "!=": less or more}[expr.op]
    impossible = {"<": at_least, "<=": more, ">": at_most, ">=": less, "=": less or more, "!=": equal}[expr.op]
    return True if certain else False if impossible else None


def _holds(expr: Expr, bounds: Ranges, answers: Mapping[Expr, object]) -> bool:
    match expr:
        case Truth(holds):
            return holds
        case And(parts):
            return all(_holds(p, bounds, answers) for p in parts)
        case Or(parts):
            return any(_holds(p, bounds, answers) for p in parts)
        case Not(part):
            return not _holds(part, bounds, answers)
        case Cases(cases, otherwise):
            chosen = next((value for value, condition in cases if _holds(condition, bounds, answers)), otherwise)
            return chosen is not None and _holds(chosen, bounds, answers)
        case _:
            return _answer(expr, bounds, answers)


def _answer(expr: Expr, bounds: Ranges, answers: Mapping[Expr, object]) -> bool:
    match expr:
        case Compare(op, left):
            term, number = _one_term(expr)
            if term is not None:
                value = answers[term]
                assert isinstance(value, int)
                return COMPARISONS[op if term == left else _MIRRORED[op]](value, number)
            certain = _by_interval(expr, bounds)
            return bool(answers[expr]) if certain is None else certain
        case DieIn(Faces(values)) if isinstance(values, frozenset):
            return answers[FactOf(Fact.DIE)] in values
        case SquareIs(subject, Squares(names)):
            profile = answers[SquareIs(subject, Squares(frozenset()))]
            assert isinstance(profile, frozenset)
            return bool(profile & names)
        case EveryDie(op, value) if len({COMPARISONS[op](face, value) for face in bounds.faces}) == 1:
            return COMPARISONS[op](next(iter(bounds.faces)), value)
        case _:
            return bool(answers[expr])
