"""Checking a rule book, phase by phase: text, changes to other books, names and types, board, rules, sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ludo_dsl.check.declarations import Declarations
from ludo_dsl.check.expand import CHANGES, expand
from ludo_dsl.diagnostics import Diagnostic, RuleBookError, closest, ordered
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.rules.book import NAMED, Book, Setting
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.parser import parse, read_source
from ludo_dsl.syntax.tree import Node

MOST_CHANGES = 40
"""Changes of one rule book that are tried for having an effect."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked rule book and the warnings about it."""

    book: Book
    warnings: tuple[Diagnostic, ...]


@lru_cache(maxsize=64)
def _parsed(source: Source) -> Node:
    return parse(source)


def find_source(name: str, near: Source) -> Source | None:
    """The rule book `name`: a file beside the one that names it, or one of the project's."""
    beside = Path(near.name).parent / f"{name}.ludo"
    if near.name and not near.name.startswith("<") and beside.is_file() and beside.resolve() != Path(near.name).resolve():
        return read_source(beside)
    ours = spec_path("variants", f"{name}.ludo")
    if ours.is_file():
        return read_source(ours)
    return read_source(beside) if beside.is_file() else None


def check(source: Source) -> Checked:
    """The checked rule book of a text.

    Raises:
        RuleBookError: with all faults of the first phase that finds any.
    """
    book = _resolved(source, None)
    from ludo_dsl.check.board import check_board
    from ludo_dsl.check.lint import check_rules
    from ludo_dsl.check.meetings import check_meetings
    from ludo_dsl.check.sentences import check_sentences

    places = Places(source, book)
    faults = check_board(book, places)
    if not faults:
        faults = [*check_rules(book, places), *check_sentences(book, places), *_useless_changes(source, book)]
    if not any(f.severity == "error" for f in faults):
        faults += check_meetings(book, places)
    if any(f.severity == "error" for f in faults):
        raise RuleBookError(ordered(faults))
    return Checked(book, tuple(ordered(faults)))


def _resolved(source: Source, without: Node | None) -> Book:
    expanded = expand(source, _parsed, find_source, without)
    declarations = Declarations(expanded)
    book = declarations.resolve()
    if declarations.scope.diagnostics:
        raise RuleBookError(ordered(declarations.scope.diagnostics))
    unused = [s for s in book.settings if s.id not in declarations.scope.used]
    if unused:
        places = Places(source, book)
        raise RuleBookError(ordered(_unused(s, source, places) for s in unused))
    return book


def _unused(setting: Setting, source: Source, places: Places) -> Diagnostic:
    """An option or reading that changes nothing; one of another rule book has lost its rule by a change."""
    if places.source_of(setting.id) == source:
        message = f"nothing reads the {setting.role} `{setting.id}`"
        return Diagnostic("L0206", message, source, setting.span, "remove it, or ask for it in a rule")
    head = next(_parsed(source).nodes())
    place = head.node("extends") or head
    message = f"nothing reads the {setting.role} `{setting.id}` after these changes"
    return Diagnostic("L0206", message, source, place.span, f"write `drop {setting.role} {setting.id}`, or ask for it in a rule")


def _useless_changes(source: Source, book: Book) -> list[Diagnostic]:
    """Changes to another rule book that leave the checked rules as they were."""
    found = []
    changes = [n for n in _parsed(source).nodes() if n.kind in CHANGES] if book.parent is not None else []
    # Each change is judged by the whole book without it, which takes a while: house rules are a few lines.
    for node in changes[:MOST_CHANGES]:
        try:
            without = _resolved(source, node)
        except RuleBookError:
            continue
        if without == book:
            hint = "remove it, or change what was meant"
            found.append(Diagnostic("L0704", "this change leaves the rules as they are", source, node.span, hint))
    return found


class Places:
    """Where the declarations of a book stand, for faults that are found after names are resolved."""

    def __init__(self, source: Source, book: Book) -> None:
        self._book = book
        self._sources = {source.name: source}
        self._spans: dict[object, Span] = dict(book.where)
        self._files = {d.name: d.file for d in reversed(book.declarations) if d.kind in NAMED}

    def source(self, file: str) -> Source:
        """The text of a file that is part of the book."""
        if file not in self._sources:
            self._sources[file] = read_source(Path(file))
        return self._sources[file]

    def source_of(self, name: str) -> Source:
        """The text in which a declaration stands."""
        return self.source(self._files.get(name, self._book.declarations[0].file))

    def statement(self, sid: object) -> Span:
        """The span of a statement."""
        return self._spans.get(sid, Span(0, 0))


def check_file(path: Path) -> Checked:
    """The checked rule book of a file; raises `RuleBookError`."""
    return check(read_source(path))


def locate(name: str) -> Path:
    """The file of a rule book that a user names: a path, or the name of one of the project's.

    Raises:
        RuleBookError: there is no such file or rule book (L0701).
    """
    path = Path(name)
    if path.suffix == ".ludo" or path.is_file():
        return path
    if name in variant_names():
        return spec_path("variants", f"{name}.ludo")
    near = closest(name, variant_names())
    hint = f"did you mean `{near}`?" if near else "rule books of the project: " + ", ".join(variant_names())
    raise RuleBookError([Diagnostic("L0701", f"there is no rule book `{name}`", Source(name, ""), Span(0, 0), hint)])
