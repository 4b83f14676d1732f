"""A rule book declaration by declaration: its sentences, and beside them what its statements say in plain English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludo_dsl.check.places import Places
from ludo_dsl.publish.paraphrase import Paraphrase
from ludo_dsl.rules.book import Book, Declaration
from ludo_dsl.rules.expressions import ALWAYS, Expr
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import Statement
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.wording import fill
from ludo_dsl.source import Source

READ = ("rule", "option", "reading")
"""The declarations that hold statements."""


@dataclass(frozen=True, slots=True)
class Line:
    """A statement as it is written, and what it says."""

    id: str
    written: str
    says: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for people, and under which choices it stands (empty: always)."""

    text: str
    condition: str


@dataclass(frozen=True, slots=True)
class Part:
    """A rule, option or reading: its sentences and its statements."""

    kind: str
    name: str
    label: str
    clauses: tuple[str, ...]
    sentences: tuple[Said, ...]
    statements: tuple[Line, ...]

    def as_json(self) -> dict[str, object]:
        """The part as plain data."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "clauses": list(self.clauses),
            "sentences": [{"text": s.text, "if": s.condition or None} for s in self.sentences],
            "statements": [{"id": s.id, "written": s.written, "says": s.says} for s in self.statements],
        }


def parts(table: Table, settled: bool) -> Iterator[Part]:
    """The rules, options and readings of a book in their order; `settled`: only what is in force at the table.

    Otherwise everything is told, with the choices that it hangs on; the table only fills the numbers of sentences.
    """
    book = table.book
    say = Paraphrase(book)
    written = _Written(book)
    statements = table.statements if settled else book.statements
    for declaration in book.declarations:
        if declaration.kind not in READ or (settled and not table.in_force(declaration)):
            continue
        said = tuple(_said(table, declaration, say, settled))
        lines = tuple(Line(str(s.id), written(s), say(s)) for s in statements if s.id.rule == declaration.name)
        if settled and not (said or lines):
            continue
        clauses = tuple(c.clause for c in declaration.citations)
        label = fill(declaration.title, table, declaration, fragment=True) if declaration.title else ""
        yield Part(declaration.kind, declaration.name, label[:1].upper() + label[1:], clauses, said, lines)


def _said(table: Table, declaration: Declaration, say: Paraphrase, settled: bool) -> Iterator[Said]:
    for sentence in declaration.sentences:
        condition: Expr = fold(sentence.condition, table.known) if settled else sentence.condition
        if settled and not table.holds(sentence.condition):
            continue
        yield Said(fill(sentence.text, table, declaration), "" if condition == ALWAYS else say.condition(condition))


class _Written:
    """Statements as they are written, on one line."""

    def __init__(self, book: Book) -> None:
        # The texts are read by their file; the book itself needs none.
        self.places = Places(Source("", ""), book)

    def __call__(self, statement: Statement) -> str:
        source = self.places.source_of(statement.id.rule)
        text = source.slice(self.places.statement(statement.id))
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        return " ".join(line for line in lines if line)
