"""What can be wrong in an expression or a choice of pieces, one node at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from ludo_dsl.conformance.mutants.kinds import MutantKind
from ludo_dsl.conformance.mutants.rewriting import Around, Edit, chosen_only
from ludo_dsl.conformance.mutants.writing import written
from ludo_dsl.rules.expressions import (
    TRUTH_FACTS,
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
    Owner,
    Place,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
    Truth,
    Where,
)
from ludo_dsl.rules.folding import walk

T = TypeVar("T")

# For each comparison the two that come closest. With the number one off, the condition negated and the condition dropped,
# they tell all others: whoever finds these also finds what is farther away.
_NEXT_COMPARISONS = {"=": ("<=", ">="), "!=": ("<", ">"), "<": ("<=", "!="), "<=": ("<", "="), ">": (">=", "!="), ">=": (">", "=")}
_OTHER_QUANTITIES = {
    Quantity.MOVABLE: (Quantity.COUNT, Quantity.STUCK),
    Quantity.STUCK: (Quantity.COUNT, Quantity.MOVABLE),
    Quantity.GROUPS: (Quantity.MOVABLE,),
    Quantity.TRAVELLED: (Quantity.COUNT, Quantity.REMAINING),
    Quantity.REMAINING: (Quantity.NEAREST, Quantity.TRAVELLED),
    Quantity.NEAREST: (Quantity.REMAINING,),
}
_OTHER_OWNERS = {
    Owner.OWN: (Owner.ENEMIES, Owner.PIECES, Owner.OURS),
    Owner.ENEMIES: (Owner.OWN, Owner.PIECES, Owner.ALLIES),
    Owner.PIECES: (Owner.OWN, Owner.ENEMIES),
    Owner.OURS: (Owner.OWN, Owner.PIECES, Owner.ALLIES),
    Owner.ALLIES: (Owner.OWN, Owner.ENEMIES, Owner.OURS),
}
_OTHER_PLACES: dict[Place, tuple[Place, ...]] = {
    Where.HERE: (),
    Where.OUT: (Where.TRACK,),
    Where.TRACK: (Where.OUT, Where.LANE),
    Where.LANE: (Where.TRACK, Where.HOME),
    Where.HOME: (Where.LANE, Where.YARD),
    Where.YARD: (Where.HOME, Where.OUT),
    Where.START: (Where.OWN_START,),
    Where.OWN_START: (Where.START, Where.OFF_OWN_START),
    Where.OFF_OWN_START: (Where.OWN_START,),
}


def is_truth(expr: Expr) -> bool:
    """Whether the expression is a condition (and no number, faces or kind of square)."""
    match expr:
        case Or(parts):
            return all(is_truth(p) for p in parts)
        case Cases(cases, otherwise):
            return all(is_truth(value) for value, _ in cases) and (otherwise is None or is_truth(otherwise))
        case FactOf(fact):
            return fact in TRUTH_FACTS
        case Truth() | And() | Not() | Compare() | ChoiceIs() | SquareIs() | DieIs() | DieIn() | Every() | EveryDie() | RolledTimes():
            return True
        case _:
            return False


def compares_die(expr: Expr) -> bool:
    """Whether the expression compares the die with a face; the number in it is a face and no amount."""
    return isinstance(expr, Compare) and expr.left == FactOf(Fact.DIE) and isinstance(expr.right, Number)


def expression_changes(expr: Expr | Nouns | OnMark, around: Around) -> Iterator[Edit]:
    """The changes of the node itself; those of the nodes inside are theirs.

    Raises:
        TypeError: it is of a type that nobody has thought of here.
    """
    match expr:
        case Number() | BoardNumber() | Choice() | Sum() | Product():
            return _amounts(expr, around)
        case And() | Or() | Not() | Cases() | Truth() | ChoiceIs():
            return _logic(expr, around)
        case Compare() | EveryDie() | RolledTimes() | DieIn() | DieIs() | Faces():
            return _comparisons(expr, around)
        case Squares() | SquareIs():
            return _squares(expr, around)
        case Measure() | Every() | Highest() | CounterOf() | FactOf():
            return _quantities(expr, around)
        case Nouns():
            return _nouns(expr, around)
        case OnMark():
            return iter(())
        case _:
            raise TypeError(f"nobody has thought of what can be wrong in a {type(expr).__name__}")


def negation(expr: Expr) -> Iterator[Edit]:
    """The contrary of a condition that has no parts of its own to be turned round."""
    if is_truth(expr) and not isinstance(expr, And | Or | Truth | ChoiceIs) and not chosen_only(expr):
        result = expr.part if isinstance(expr, Not) else Not(expr)
        yield Edit(MutantKind.NEGATE, expr, result, result)


def swapped(items: tuple[T, ...], i: int) -> tuple[T, ...]:
    """The items with the one at `i` and the next exchanged."""
    return (*items[:i], items[i + 1], items[i], *items[i + 2 :])


def dropped(items: tuple[T, ...], i: int) -> tuple[T, ...]:
    """The items without the one at `i`."""
    return (*items[:i], *items[i + 1 :])


# ---- numbers ---------------------------------------------------------------------------------------------------------


def one_off(value: int, least: int = 0) -> tuple[int, ...]:
    """The numbers next to a number, none below the least."""
    return tuple(n for n in (value - 1, value + 1) if n >= least)


def shifted(expr: Expr) -> tuple[Expr, ...]:
    """A number that is not written out, one less and one more."""
    return tuple(Sum(((1, expr), (sign, Number(1)))) for sign in (-1, 1))


def _replaced(kind: MutantKind, before: Expr, results: Iterable[object]) -> Iterator[Edit]:
    return (Edit(kind, before, result, result) for result in results)


def _without(kind: MutantKind, part: object, result: object) -> Edit:
    return Edit(kind, part, "nothing", result, label=f"without {written(part)}", says=f"`{written(part)}` was left out")


def _amounts(expr: Expr, around: Around) -> Iterator[Edit]:
    match expr:
        case Number(value):
            yield from _replaced(MutantKind.NUMBER, expr, [Number(n) for n in one_off(value)])
        case BoardNumber():
            yield from _replaced(MutantKind.NUMBER, expr, shifted(expr))
        case Choice(setting) if setting in around.options:
            # Of a reading, the number one off is another reading and no fault.
            yield from _replaced(MutantKind.NUMBER, expr, shifted(expr))
        case Sum(terms):
            for i, (sign, term) in enumerate(terms):
                if i:
                    turned = Sum((*terms[:i], (-sign, term), *terms[i + 1 :]))
                    yield Edit(MutantKind.COMPARE, expr, turned, turned)
                if len(terms) > 1 and not isinstance(term, Number):
                    yield _without(MutantKind.PART, term, Sum((*terms[:i], *terms[i + 1 :])))
        case Product(factors):
            for i, factor in enumerate(factors):
                if len(factors) > 1:
                    yield _without(MutantKind.PART, factor, Product((*factors[:i], *factors[i + 1 :])))


# ---- conditions ------------------------------------------------------------------------------------------------------


def _logic(expr: Expr, around: Around) -> Iterator[Edit]:
    match expr:
        case And(parts) | Or(parts):
            yield from _junctions(expr, parts, around)
        case Cases(cases, otherwise):
            for i, (value, condition) in enumerate(cases):
                if not chosen_only(condition) and (otherwise is not None or len(cases) > 1):
                    left = (*cases[:i], *cases[i + 1 :])
                    result = Cases(left, otherwise) if left or otherwise is None else otherwise
                    yield _without(MutantKind.PART, value, result)


def _junctions(expr: And | Or, parts: tuple[Expr, ...], around: Around) -> Iterator[Edit]:
    kind = type(expr)
    for i, part in enumerate(parts):
        if len(parts) > 1 and not _hangs_on_readings(part, around):
            left = (*parts[:i], *parts[i + 1 :])
            yield _without(MutantKind.PART, part, left[0] if len(left) == 1 else kind(left))
    played = tuple(p for p in parts if not chosen_only(p))
    if len(played) < 2 or not all(is_truth(p) for p in played):
        return
    other: Expr = Or(played) if kind is And else And(played)
    chosen = tuple(p for p in parts if chosen_only(p))
    result = kind((*chosen, other)) if chosen else other
    word = "`and` became `or`" if kind is And else "`or` became `and`"
    label = f"{word.replace('`', '').replace(' became ', '->')} at {written(played[0])}"
    yield Edit(MutantKind.JUNCTION, expr, other, result, label=label, says=f"{word} in `{written(expr)}`")


def _hangs_on_readings(part: Expr, around: Around) -> bool:
    """Whether a part of a condition is a reading alone: to take another reading is no fault."""
    return chosen_only(part) and any(isinstance(p, ChoiceIs) and p.setting not in around.options for p in walk(part))


# ---- comparisons and faces -------------------------------------------------------------------------------------------


def neighbours(face: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    """The faces before and after a face in rising order, the last beside the first."""
    if face not in faces or len(faces) < 2:
        return tuple(f for f in faces if f != face)[:1]
    at = faces.index(face)
    return tuple(dict.fromkeys((faces[at - 1], faces[(at + 1) % len(faces)])))


def _comparisons(expr: Expr, around: Around) -> Iterator[Edit]:
    match expr:
        case Compare(op, left, right):
            yield from _replaced(MutantKind.COMPARE, expr, [Compare(other, left, right) for other in _NEXT_COMPARISONS[op]])
            if compares_die(expr) and isinstance(right, Number):
                yield from _compared_faces(op, left, right.value, expr, around)
        case EveryDie(op, value):
            yield from _replaced(MutantKind.COMPARE, expr, [EveryDie(other, value) for other in _NEXT_COMPARISONS[op]])
            yield from _replaced(MutantKind.FACE, expr, [EveryDie(op, f) for f in neighbours(value, around.faces)])
        case RolledTimes(face, times, in_a_row):
            yield from _replaced(MutantKind.FACE, expr, [replace(expr, face=f) for f in neighbours(face, around.faces)])
            yield from _replaced(MutantKind.NUMBER, expr, [replace(expr, times=n) for n in one_off(times, 1)])
            yield from _replaced(MutantKind.QUANTITY, expr, [replace(expr, in_a_row=not in_a_row)])
        case DieIs(name):
            yield from _replaced(MutantKind.FACE, expr, [DieIs(other) for other in around.named if other != name])
        case Faces(values) if not isinstance(values, str):
            yield from _replaced(MutantKind.FACE, expr, [Faces(values - {f}) for f in sorted(values)])
            yield from _replaced(MutantKind.FACE, expr, [Faces(values | {f}) for f in around.faces if f not in values])


def _compared_faces(op: str, left: Expr, face: int, expr: Expr, around: Around) -> Iterator[Edit]:
    others = neighbours(face, around.faces)
    yield from _replaced(MutantKind.FACE, expr, [Compare(op, left, Number(f)) for f in others])
    if op == "=":
        yield from _replaced(MutantKind.FACE, expr, [Or((expr, Compare(op, left, Number(f)))) for f in others[-1:]])


# ---- squares ---------------------------------------------------------------------------------------------------------


def _squares(expr: Expr, around: Around) -> Iterator[Edit]:
    match expr:
        case Squares(names):
            for name in sorted(names):
                others = [names - {name} | {other} for other in _other_kinds(name, around)]
                yield from _replaced(MutantKind.SQUARE, expr, [Squares(n) for n in others])
        case SquareIs(subject, squares):
            yield from _replaced(MutantKind.SQUARE, expr, [SquareIs("from" if subject == "here" else "here", squares)])


def _other_kinds(name: str, around: Around) -> tuple[str, ...]:
    match name:
        case "track":
            return ("lane", "start")
        case "start":
            return ("own start", "track", *around.marks)
        case "own start":
            return ("start", "track")
        case "lane" | "home":
            return ("track",)
        case _:
            return ("start", "track", *(m for m in around.marks if m != name))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _quantities(expr: Expr, around: Around) -> Iterator[Edit]:
    match expr:
        case Measure(quantity, nouns):
            yield from _replaced(MutantKind.QUANTITY, expr, [Measure(q, nouns) for q in _OTHER_QUANTITIES.get(quantity, ())])
        case Every(nouns):
            yield from _replaced(MutantKind.QUANTITY, expr, [Compare(">=", Measure(Quantity.COUNT, nouns), Number(1))])
        case CounterOf(counter):
            yield from _replaced(MutantKind.COUNTER, expr, [CounterOf(c) for c in around.same_scope(counter)])
        case Highest(counter, nouns):
            yield from _replaced(MutantKind.COUNTER, expr, [Highest(c, nouns) for c in around.same_scope(counter)])


def _nouns(nouns: Nouns, around: Around) -> Iterator[Edit]:
    for owner in _OTHER_OWNERS[nouns.owner]:
        if around.teams or owner not in (Owner.OURS, Owner.ALLIES):
            result = Nouns(owner, nouns.places)
            yield Edit(MutantKind.OWNER, nouns, result, result)
    for i, place in enumerate(nouns.places):
        left = (*nouns.places[:i], *nouns.places[i + 1 :])
        others = [Nouns(nouns.owner, left)]
        others += [Nouns(nouns.owner, (*nouns.places[:i], other, *nouns.places[i + 1 :])) for other in _elsewhere(place, around)]
        yield from (Edit(MutantKind.PLACE, nouns, other, other) for other in others)


def _elsewhere(place: Place, around: Around) -> tuple[Place, ...]:
    if isinstance(place, OnMark):
        return (Where.START, *(OnMark(m) for m in around.marks if m != place.mark))
    return _OTHER_PLACES[place]
