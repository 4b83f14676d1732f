"""Mutants of order: statements, phases of the resolution and stages of the turn, exchanged with a neighbour or left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ludo_dsl.conformance.mutants.expressions import dropped
from ludo_dsl.conformance.mutants.footprints import commute, exclusive, inert, phases_commute
from ludo_dsl.conformance.mutants.kinds import Mutant, MutantKind
from ludo_dsl.conformance.mutants.normal import acting, phases
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.statements import Must, Once, Past, Phase, Rank, Stage, Statement, When


def statement_orders(book: Book) -> Iterator[Mutant]:
    """Two statements that answer to the same thing and stand next to each other, exchanged; not where it makes no difference."""
    ordered: list[Statement] = [s for s in book.statements if isinstance(s, When | Once | Must | Past | Rank) and not inert(s)]
    for first in ordered:
        second = _next(first, ordered)
        if second is not None and not _indifferent(first, second):
            yield _exchanged(book, first, second)


def _next(first: Statement, ordered: list[Statement]) -> Statement | None:
    """The next statement of the same kind that can be in force together with this one."""
    later = ordered[ordered.index(first) + 1 :]
    return next((s for s in later if _answers_alike(first, s) and not exclusive(first.condition, s.condition)), None)


def _answers_alike(first: Statement, second: Statement) -> bool:
    if isinstance(first, When) and isinstance(second, When):
        return first.trigger is second.trigger
    return type(first) is type(second)


def _indifferent(first: Statement, second: Statement) -> bool:
    return isinstance(first, When | Once) and commute((first,), (second,))


def _exchanged(book: Book, first: Statement, second: Statement) -> Mutant:
    other = {first: second, second: first}
    statements = tuple(other.get(s, s) for s in book.statements)
    clauses = tuple(dict.fromkeys((*book.clauses_of(first.id.rule), *book.clauses_of(second.id.rule))))
    says = f"statement {second.id.number} of `{second.id.rule}` came before statement {first.id.number} of `{first.id.rule}`"
    mutated = replace(book, statements=statements)
    return Mutant(f"order/{first.id}/after-{second.id}", MutantKind.ORDER, first.id.rule, clauses, says, mutated, book)


# ---- order of resolution ---------------------------------------------------------------------------------------------


def resolution_orders(book: Book) -> Iterator[Mutant]:
    """Each phase that does something left out, and each two neighbours exchanged unless that makes no difference."""
    there = phases(book.resolution, book.statements, book.board.links)
    for phase in there:
        left = tuple(p for p in book.resolution if p is not phase)
        yield _resolved(book, f"without-{_slug(phase)}", f"the phase `{phase}` was left out of the resolution of a move", left)
    for first, second in pairwise(there):
        one, other = (acting(p, book.statements, book.board.links) or () for p in (first, second))
        if not phases_commute(first, one, second, other):
            says = f"the phase `{second}` came before `{first}`"
            order = tuple(_swap(p, first, second) for p in book.resolution)
            yield _resolved(book, f"{_slug(second)}-before-{_slug(first)}", says, order)


def _swap(item: Phase, first: Phase, second: Phase) -> Phase:
    return {first: second, second: first}.get(item, item)


def _resolved(book: Book, what: str, says: str, order: tuple[Phase, ...]) -> Mutant:
    return Mutant(f"resolution/{what}", MutantKind.RESOLUTION, None, (), says, replace(book, resolution=order), book)


# ---- turn ------------------------------------------------------------------------------------------------------------


def turn_orders(book: Book) -> Iterator[Mutant]:
    """Each stage of the turn left out, and each two neighbours exchanged."""
    for i, stage in enumerate(book.turn):
        yield _turned(book, f"without-{_slug(stage)}", f"the stage `{stage}` was left out of the turn", dropped(book.turn, i))
    for first, second in pairwise(book.turn):
        order = tuple({first: second, second: first}.get(s, s) for s in book.turn)
        yield _turned(book, f"{_slug(second)}-before-{_slug(first)}", f"the stage `{second}` came before `{first}`", order)


def _turned(book: Book, what: str, says: str, order: tuple[Stage, ...]) -> Mutant:
    return Mutant(f"turn/{what}", MutantKind.TURN, None, (), says, replace(book, turn=order), book)


def _slug(item: Phase | Stage) -> str:
    return item.value.replace(" ", "-")
