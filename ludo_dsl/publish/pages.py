"""The rule book of a table laid out: as one page of HTML fit for a phone and for print, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from ludo_dsl.publish.booklet import Booklet, Chosen, Entry, Term
from ludo_dsl.publish.svg import svg
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD

_SPECIAL = re.compile(r"([\\*_{}\[\]<>#|])|(^[-+](?=\s)|^\d+\.(?=\s))")


@cache
def _environment() -> Environment:
    loader = PackageLoader("ludo_dsl.publish")
    return Environment(loader=loader, autoescape=select_autoescape(["html"]), undefined=StrictUndefined, trim_blocks=True)


def _markdown(text: str) -> str:
    """A text in which nothing is a mark of Markdown."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def html(book: Booklet, table: Table) -> str:
    """One HTML file without anything outside it: style and drawing are inside."""
    # The drawing is our own, with every text in it escaped.
    board = Markup(svg(table, _beginning(table), f"The board of {book.title} at the beginning"))
    return _environment().get_template("rules.html").render(book=book, board=board)


def markdown(book: Booklet) -> str:
    """The book as Markdown."""
    return "\n".join(_lines(book)) + "\n"


def _lines(book: Booklet) -> Iterator[str]:
    yield f"# {_markdown(book.title)}"
    yield from ["", _markdown(book.about)] if book.about else []
    yield from ["", f"For {book.players}."]
    for section in book.sections:
        yield from _list(section.heading, [_rule(entry) for entry in section.entries])
    yield from _list("Hidden", [_markdown(line) for line in book.hidden])
    yield from _list("Options at this table", [_choice(c) for c in book.options])
    yield from _list("Questions that the text leaves open", [_choice(c) for c in book.readings])
    numbers = [f"{_markdown(name)}: **{_markdown(value)}**" for name, value in book.numbers]
    yield from _list("Quick reference", [*numbers, *(_rule(entry) for entry in book.quick)])
    yield from _list("Glossary", [_term(term) for term in book.glossary])


def _list(heading: str, items: Sequence[str]) -> list[str]:
    return ["", f"## {_markdown(heading)}", "", *(f"- {item}" for item in items)] if items else []


def _rule(entry: Entry) -> str:
    return _markdown(entry.text) + (f" <sub>{' '.join(entry.clauses)}</sub>" if entry.clauses else "")


def _choice(chosen: Chosen) -> str:
    other = f" (*not standard*; standard: {_markdown(chosen.standard)})" if chosen.standard is not None else ""
    return f"{_markdown(chosen.label)}: **{_markdown(chosen.value)}**{other}"


def _term(term: Term) -> str:
    called = ", ".join(_markdown(text) for text in dict.fromkeys((term.called, term.spelling)) if text)
    meaning = f": {_markdown(term.meaning)}" if term.meaning else ""
    return f"**{_markdown(term.word)}**{f' ({called})' if called else ''}{meaning}"


def _beginning(table: Table) -> list[list[int]]:
    """Where the pieces of each colour stand at the beginning."""
    in_yard, on_start = table.setup
    return [[YARD] * in_yard + [route.start] * on_start for route in table.routes]
