"""Faults of a house rule that show in the rule book it extends: told at the change that made them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ludo_dsl.diagnostics import Diagnostic, Label
from ludo_dsl.rules.book import Book, Declaration
from ludo_dsl.source import Source
from ludo_dsl.syntax.tree import Node

MOST_CHANGES = 20
"""Changes of one rule book that are tried for having made a fault: each is a check of the whole book."""

Faults = Callable[[Node], Iterable[Diagnostic]]
"""The faults of the rule book without one of its own declarations."""


def blamed(found: list[Diagnostic], source: Source, book: Book, own: list[Node], without: Faults) -> list[Diagnostic]:
    """The faults, those that stand in another text moved to the change of this one without which they would not be."""
    if all(f.source.name == source.name for f in found):
        return found
    head, *changes = own
    left: dict[int, set[tuple[str, str]]] = {}

    def makes(number: int, fault: Diagnostic) -> bool:
        if number not in left:
            left[number] = {(f.code, f.message) for f in without(changes[number])}
        return (fault.code, fault.message) not in left[number]

    moved = []
    for fault in found:
        if fault.source.name != source.name:
            number = next((n for n in range(min(len(changes), MOST_CHANGES)) if makes(n, fault)), None)
            moved.append(_moved(fault, source, book, head if number is None else changes[number]))
        else:
            moved.append(fault)
    return moved


def _moved(fault: Diagnostic, source: Source, book: Book, change: Node) -> Diagnostic:
    there = Label(fault.span, f"in `{book.parent}`", fault.source)
    place = (change.node("extends") or change.parts[0]) if change.kind == "variant" else change.parts[0]
    last = change.word("NAME") or change.parts[-1]
    span = place.span if change.kind == "variant" else place.span.to(last.span)
    declaration = _declaration(book, fault)
    cure = ""
    # A meeting that nothing decides is told at some rule of landing, which need not be the one to change.
    if declaration is not None and fault.code != "L0502":
        named = f"{declaration.kind} {declaration.name}"
        ways = f"`replace {named}` or `drop {named}`" if declaration.kind != declaration.name else f"`replace {declaration.kind}`"
        cure = f"{ways} changes what stands in `{book.parent}`"
    hint = "; ".join(part for part in (cure, fault.hint) if part)
    return replace(fault, source=source, span=span, hint=hint, labels=(there, *fault.labels))


def _declaration(book: Book, fault: Diagnostic) -> Declaration | None:
    for declaration in book.declarations:
        if declaration.file == fault.source.name and declaration.span.start <= fault.span.start < declaration.span.end:
            return declaration
    return None
