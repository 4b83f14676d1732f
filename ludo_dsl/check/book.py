"""Checking a rule book, phase by phase: text, changes to other books, names and types, board, rules, sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ludo_dsl.check.blame import blamed
from ludo_dsl.check.board import check_board
from ludo_dsl.check.declarations import Declarations
from ludo_dsl.check.expand import CHANGES, expand
from ludo_dsl.check.finding import find_source
from ludo_dsl.check.lint import check_rules
from ludo_dsl.check.meetings import check_meetings
from ludo_dsl.check.places import Places
from ludo_dsl.check.sentences import check_sentences
from ludo_dsl.diagnostics import Diagnostic, RuleBookError, ordered
from ludo_dsl.rules.book import Book, Setting
from ludo_dsl.source import Source
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
def parsed(source: Source) -> Node:
    """The syntax tree of a text; raises `RuleBookError`."""
    return parse(source)


def check(source: Source) -> Checked:
    """The checked rule book of a text.

    Raises:
        RuleBookError: with all faults of the first phase that finds any.
    """
    book, idle = _resolved(source, None)
    faults = _faults(source, book)
    if book.parent is not None:
        own = list(parsed(source).nodes())
        faults = [*blamed(faults, source, book, own, lambda change: _faults_without(source, change)), *_useless_changes(source, book)]
    if any(f.severity == "error" for f in faults):
        raise RuleBookError(ordered(faults))
    return Checked(book, tuple(ordered([*idle, *faults])))


def _faults(source: Source, book: Book) -> list[Diagnostic]:
    """What the phases after names and types find: board, rules and sentences, meetings."""
    places = Places(source, book)
    faults = check_board(book, places)
    if not faults:
        faults = [*check_rules(book, places), *check_sentences(book, places)]
    if not any(f.severity == "error" for f in faults):
        faults += check_meetings(book, places)
    return faults


def _faults_without(source: Source, change: Node) -> list[Diagnostic]:
    try:
        return _faults(source, resolve(source, change))
    except (RuleBookError, StopIteration):
        return []


def resolve(source: Source, without: Node | None = None) -> Book:
    """The rule book of a text with its names and types resolved; `without` leaves one of its declarations out.

    Raises:
        RuleBookError: a text is not well formed, a change names nothing, or names or types are wrong.
    """
    return _resolved(source, without)[0]


def _resolved(source: Source, without: Node | None) -> tuple[Book, list[Diagnostic]]:
    """The rule book, and warnings about settings of another one that its changes have left idle."""
    expanded = expand(source, parsed, find_source, without)
    declarations = Declarations(expanded)
    book = declarations.resolve()
    if declarations.scope.diagnostics:
        raise RuleBookError(ordered(declarations.scope.diagnostics))
    places = Places(source, book)
    unused = [_unused(s, source, places) for s in book.settings if s.id not in declarations.scope.used]
    if any(f.severity == "error" for f in unused):
        raise RuleBookError(ordered(unused))
    return book, unused


def _unused(setting: Setting, source: Source, places: Places) -> Diagnostic:
    """An option or reading that changes nothing; one of another rule book has lost its rule by a change."""
    if places.source_of(setting.id) == source:
        message = f"nothing reads the {setting.role} `{setting.id}`"
        return Diagnostic("L0206", message, source, setting.span, "remove it, or ask for it in a rule")
    head = next(parsed(source).nodes())
    place = head.node("extends") or head
    message = f"nothing reads the {setting.role} `{setting.id}` after these changes"
    hint = f"write `drop {setting.role} {setting.id}`, or ask for it in a rule"
    return Diagnostic("L0206", message, source, place.span, hint, severity="warning")


def _useless_changes(source: Source, book: Book) -> list[Diagnostic]:
    """Changes to another rule book that leave the checked rules as they were."""
    found = []
    changes = [n for n in parsed(source).nodes() if n.kind in CHANGES] if book.parent is not None else []
    # Each change is judged by the whole book without it, which takes a while: house rules are a few lines.
    for node in changes[:MOST_CHANGES]:
        try:
            without = resolve(source, node)
        except RuleBookError:
            continue
        if without == book:
            hint = "remove it, or change what was meant"
            found.append(Diagnostic("L0704", "this change leaves the rules as they are", source, node.span, hint))
    return found


def check_file(path: Path) -> Checked:
    """The checked rule book of a file; raises `RuleBookError`."""
    return check(read_source(path))
