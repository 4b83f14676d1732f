"""Conditions that decide nothing: they hold at every table and in every position, or in none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludo_dsl.check.ground import Ground, effects_of
from ludo_dsl.check.shown import shown
from ludo_dsl.check.spots import head, of_kind, phrases, spot, statement_place
from ludo_dsl.check.truth import outcomes
from ludo_dsl.diagnostics import Diagnostic, ordered
from ludo_dsl.rules.book import NAMED
from ludo_dsl.rules.expressions import (
    TRUTH_FACTS,
    BoardNumber,
    Cases,
    Choice,
    CounterOf,
    Expr,
    Faces,
    FactOf,
    Highest,
    Measure,
    Number,
    Or,
    Product,
    SquareIs,
    Squares,
    Sum,
    Truth,
)
from ludo_dsl.rules.folding import children, conjunction, fold, walk
from ludo_dsl.rules.statements import Add, NeverRoll, Rank, Score, Statement, Trigger, When
from ludo_dsl.source import Source, Span


@dataclass(frozen=True)
class _Written:
    """A condition, where it stands, and when it is asked."""

    expr: Expr
    source: Source
    span: Span
    around: Span
    trigger: Trigger | None = None
    squares: Expr | None = None


def constant_conditions(ground: Ground) -> list[Diagnostic]:
    """A fault (L0302) for each smallest condition that is constant."""
    found: list[Diagnostic] = []
    for written in (*_of_statements(ground), *_of_declarations(ground)):
        faults = list(_constant_parts(ground, written))
        found.extend(faults or _never_as_a_whole(ground, written))
    return ordered(found)


# ---- where conditions stand --------------------------------------------------------------------------------------------


def _of_statements(ground: Ground) -> Iterator[_Written]:
    spans = {d.name: d.span for d in ground.book.declarations if d.kind in NAMED}
    for statement in ground.book.statements:
        source, span = statement_place(ground.book, ground.places, statement.id)
        around = spans.get(statement.id.rule, span)
        trigger = statement.trigger if isinstance(statement, When) else Trigger.ROLLED if isinstance(statement, NeverRoll) else None
        squares = statement.squares if isinstance(statement, When) else None
        yield _Written(statement.condition, source, span, around, trigger, squares)
        for expr in _inside(statement):
            yield _Written(expr, source, span, around, trigger)


def _inside(statement: Statement) -> Iterator[Expr]:
    """The other expressions of a statement: they may hold conditions of their own."""
    if isinstance(statement, Rank):
        yield from (key.value for key in statement.keys if key.value is not None)
    for effect in effects_of(statement):
        if isinstance(effect, Score):
            yield effect.points
        elif isinstance(effect, Add):
            yield effect.amount


def _of_declarations(ground: Ground) -> Iterator[_Written]:
    book = ground.book
    board, players, shoe = book.board, book.players, book.dice.shoe
    only_if: dict[str, Expr] = {s.id: s.only_if for s in book.settings}
    for declaration in book.declarations:
        source = ground.places.source(declaration.file)
        exprs = [declaration.condition, *(s.condition for s in declaration.sentences)]
        exprs += [c for setting in declaration.host_settings for _, c in setting.default]
        if declaration.kind in ("option", "reading"):
            exprs.append(only_if[declaration.name])
        first = head(source, declaration)
        yield from (_Written(e, source, first, declaration.span) for e in exprs if declaration.kind != "claim")
    of_kind_exprs = [
        ("board", [board.arms, board.arm, *(at for _, at in board.marks), *(e for k in board.links for e in (k.source, k.target))]),
        ("players", [*(s.condition for s in players.sides), *(s.condition for s in players.setups)]),
        ("dice", [] if shoe is None else [shoe.sets, *(condition for _, condition in shoe.barred)]),
        ("counter", [e for counter in book.counters for v in counter.visibility for e in (v.until, v.condition)]),
    ]
    for kind, exprs in of_kind_exprs:
        declaration = of_kind(book, kind)
        source = ground.places.source(declaration.file)
        yield from (_Written(e, source, head(source, declaration), declaration.span) for e in exprs)


# ---- what is constant --------------------------------------------------------------------------------------------------


def _constant_parts(ground: Ground, written: _Written) -> Iterator[Diagnostic]:
    """The smallest parts that are constant: a phrase around one of them says nothing new."""
    blamed: set[Expr] = set()
    for part in _truths(written.expr):
        if _says_none(part):
            continue
        if any(child in blamed for child in children(part)):
            blamed.add(part)
            continue
        value = _constant(ground, part, written.trigger)
        if value is not None:
            blamed.add(part)
            yield _fault(written, part, value)


NO_SQUARE = Squares(frozenset())


def _says_none(expr: Expr) -> bool:
    """Whether a kind of square is asked for that a `let` says is none: that there is no such square is meant."""
    return any(isinstance(part, SquareIs) and part.squares == NO_SQUARE for part in walk(expr))


def _truths(expr: Expr) -> Iterator[Expr]:
    """The conditions in an expression, inner ones first."""
    for child in children(expr):
        yield from _truths(child)
    if _is_condition(expr) and not isinstance(expr, Truth):
        yield expr


_NO_CONDITIONS = (Number, Squares, Faces, Sum, Product, Choice, BoardNumber, CounterOf, Highest, Measure)


def _is_condition(expr: Expr) -> bool:
    match expr:
        case FactOf(fact):
            return fact in TRUTH_FACTS
        case Or(parts):
            return _is_condition(parts[0])
        case Cases(cases, _):
            return _is_condition(cases[0][0])
        case _:
            return not isinstance(expr, _NO_CONDITIONS)


def _constant(ground: Ground, expr: Expr, trigger: Trigger | None) -> bool | None:
    """The value that a condition always has, if there is one."""
    key = (expr, trigger)
    if key not in ground.constant:
        ground.constant[key] = _find_constant(ground, expr, trigger)
    return ground.constant[key]


def _find_constant(ground: Ground, expr: Expr, trigger: Trigger | None) -> bool | None:
    tables = ground.tables(expr)
    values: set[bool] = set()
    for choices in tables:
        values |= outcomes(fold(expr, ground.known(choices)), ground.bounds(choices, trigger))
        if len(values) == 2:
            return None
    return values.pop() if len(values) == 1 and tables.complete else None


def _never_as_a_whole(ground: Ground, written: _Written) -> Iterator[Diagnostic]:
    """A condition whose parts exclude each other, together with where and when it is asked."""
    if not _is_condition(written.expr) or isinstance(written.expr, Truth):
        return
    whole: Expr = written.expr
    if _says_none(whole) or written.squares == NO_SQUARE:
        return
    if written.squares is not None:
        whole = conjunction(whole, SquareIs("here", written.squares))
    if _constant(ground, whole, written.trigger) is False:
        yield _fault(written, whole, False)


def _condition_span(written: _Written) -> Span:
    start = next(phrases(written.source, written.span, "if"), written.span).start
    return Span(start, written.span.end)


def _fault(written: _Written, part: Expr, value: bool) -> Diagnostic:
    hint = "leave it out" if value else "what hangs on it can never happen: remove it, or mend the condition"
    when = "always" if value else "never"
    for text in (shown(part), shown(part, brief=True)):
        for within in (written.span, written.around):
            place = spot(written.source, within, text) if text else within
            if place != within:
                return Diagnostic("L0302", f"`{text}` {when} holds", written.source, place, hint)
    hint = hint if value else "its parts, and what it stands under, exclude each other: remove it, or mend one of them"
    return Diagnostic("L0302", f"this condition {when} holds", written.source, _condition_span(written), hint)


__all__ = ["constant_conditions"]
