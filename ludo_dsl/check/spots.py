"""Finding the words of a checked phrase in the text again, so that late faults can point at them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludo_dsl.check.places import Places
from ludo_dsl.rules.book import Book, Declaration
from ludo_dsl.source import Source, Span

_TOKEN = re.compile(r'#[^\n]*|"[^"\n]*"|[a-z0-9]+(?:-[a-z0-9]+)*|\.\.|[<>!]=|[^\s\w]')


def tokens(source: Source, span: Span) -> list[tuple[str, Span]]:
    """The words of a stretch of text, without comments."""
    found = _TOKEN.finditer(source.text, span.start, span.end)
    return [(m.group(), Span(m.start(), m.end())) for m in found if not m.group().startswith("#")]


def phrases(source: Source, within: Span, phrase: str) -> Iterator[Span]:
    """Every place within a stretch of text where the words of `phrase` stand in a row."""
    wanted = [text for text, _ in tokens(Source("", phrase), Span(0, len(phrase)))]
    there = tokens(source, within)
    for i in range(len(there) - len(wanted) + 1):
        if wanted and [text for text, _ in there[i : i + len(wanted)]] == wanted:
            yield there[i][1].to(there[i + len(wanted) - 1][1])


def spot(source: Source, within: Span, phrase: str, number: int = 0) -> Span:
    """One of the places of a phrase (counted from 0); all of `within` if it is not written so."""
    found = list(phrases(source, within, phrase))
    return found[number] if number < len(found) else within


def head(source: Source, declaration: Declaration) -> Span:
    """The first word of a declaration and its name, if it has one."""
    words = tokens(source, declaration.span)
    if not words:
        return declaration.span
    named = len(words) > 1 and words[1][0] == declaration.name
    return words[0][1].to(words[1][1]) if named else words[0][1]


def of_kind(book: Book, kind: str) -> Declaration:
    """The board, the players or the dice of a book; its head if it is taken over without one."""
    return next((d for d in book.declarations if d.kind == kind), book.declarations[0])


def sentence(source: Source, declaration: Declaration, text: str) -> Span:
    """Where the text of a sentence or label stands, without its quotes."""
    found = spot(source, declaration.span, f'"{text}"')
    return Span(found.start + 1, found.end - 1) if found != declaration.span else found


def statement_place(book: Book, places: Places, sid: object) -> tuple[Source, Span]:
    """The text and the span of a statement."""
    rule = getattr(sid, "rule", "")
    return places.source_of(rule), places.statement(sid)
