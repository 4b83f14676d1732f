"""Options that are stuck: the engine takes every value and always plays the same one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ludo_dsl.conformance.mutants.kinds import Mutant, MutantKind
from ludo_dsl.conformance.mutants.rewriting import Node, rebuilt
from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import Choice, ChoiceIs, Expr, Faces, Number, Truth
from ludo_dsl.rules.table import shown_value


def stuck_options(book: Book) -> Iterator[Mutant]:
    """Each option stuck at each of its values (a number or a set of faces: at its default). Readings are no faults and are left out."""
    for setting in book.settings:
        if setting.role == "option":
            for value in _values(setting):
                yield _stuck(book, setting, value)


def _values(setting: Setting) -> tuple[SettingValue, ...]:
    match setting.domain:
        case Named(values):
            return tuple(v.name for v in values)
        case FaceSet(default) | Range(_, _, default):
            return (default,)


def _stuck(book: Book, setting: Setting, value: SettingValue) -> Mutant:
    def settled(node: Node) -> Expr | None:
        match node:
            case ChoiceIs(name, asked) if name == setting.id:
                return Truth(asked == value)
            case Choice(name) if name == setting.id and isinstance(value, int):
                return Number(value)
            case Faces(name) if name == setting.id and isinstance(value, frozenset):
                return Faces(value)
            case _:
                return None

    mutated = replace(
        book,
        statements=rebuilt(book.statements, settled),
        board=rebuilt(book.board, settled),
        players=rebuilt(book.players, settled),
        dice=rebuilt(book.dice, settled),
        counters=rebuilt(book.counters, settled),
    )
    shown = shown_value(value)
    clauses = tuple(c.clause for c in setting.citations)
    says = f"`{setting.id}` always plays as `{shown}`, whatever is chosen"
    return Mutant(f"option/{setting.id}/stuck={shown}", MutantKind.OPTION, str(setting.id), clauses, says, mutated, book)
