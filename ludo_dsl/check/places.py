"""Where the declarations and statements of a checked book stand."""

from __future__ import annotations

from pathlib import Path

from ludo_dsl.rules.book import NAMED, Book
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.parser import read_source


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
