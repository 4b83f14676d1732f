"""`ludo rules`: the rule book of a table as people read it."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, say, settings, table_options

if TYPE_CHECKING:
    from ludo_dsl.publish.booklet import Booklet, Chosen, Entry
    from ludo_dsl.rules.table import Table

GAMES = 2
"""Random games on which each claim about all games is tried before it is printed."""


@click.command()
@click.argument("variant")
@table_options
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "html"]), default="text", help="Text for the terminal, Markdown, or HTML."
)
@click.option("--output", metavar="FILE", help="Write to a file instead of the terminal.")
@json_option
def rules(
    variant: str,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    form: str,
    output: str | None,
    as_json: bool,
) -> None:
    """Print the rule book of VARIANT for one table: only what is in force there, in the variant's own words.

    HTML is one file, fit for a phone and for print. Choices that are not the standard are marked.
    """
    if as_json and (form != "text" or output is not None):
        raise click.UsageError("--json answers in the terminal: leave out --format and --output")
    from ludo_dsl.publish.booklet import booklet

    table = open_book(variant).table(players, settings(options, "option"), settings(readings, "reading"))
    book = booklet(table, _holding(table))
    if as_json:
        print_json(_plain(book, table))
    elif form == "text" and output is None:
        _Told().show(book)
    else:
        _write(_laid_out(book, table, form), output)


def _holding(table: Table) -> set[str]:
    """The claims of the rule book that hold at this table."""
    from ludo_dsl.play.claims import check_claims

    outcomes = list(check_claims(table, GAMES, 1))
    return {o.claim for o in outcomes} - {o.claim for o in outcomes if o.failure is not None}


def _laid_out(book: Booklet, table: Table, form: str) -> str:
    from ludo_dsl.publish.pages import html, markdown

    if form == "html":
        return html(book, table)
    if form == "markdown":
        return markdown(book)
    with redirect_stdout(io.StringIO()) as told:
        _Told().show(book)
    return told.getvalue()


def _write(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    Path(output).write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"written: {output}", err=True)


class _Told:
    """The book for a terminal."""

    def show(self, book: Booklet) -> None:
        click.echo(f"{book.title}\n{'=' * len(book.title)}")
        if book.about:
            say(book.about)
        say(f"For {book.players}.")
        for section in book.sections:
            self._heading(section.heading)
            self._entries(section.entries)
        if book.hidden:
            self._heading("Hidden")
            for line in book.hidden:
                say(f"- {line}")
        self._choices("Options at this table", book.options)
        self._choices("Questions that the text leaves open", book.readings)
        self._heading("Quick reference")
        for name, value in book.numbers:
            say(f"- {name}: {value}")
        self._entries(book.quick)
        self._heading("Glossary")
        for term in book.glossary:
            called = ", ".join(dict.fromkeys(filter(None, (term.called, term.spelling))))
            say(f"- {term.word}{f' ({called})' if called else ''}{f': {term.meaning}' if term.meaning else ''}")

    @staticmethod
    def _heading(text: str) -> None:
        click.echo(f"\n{text}\n{'-' * len(text)}")

    @staticmethod
    def _entries(entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            say(f"- {entry.text}" + (f" [{' '.join(entry.clauses)}]" if entry.clauses else ""))

    def _choices(self, heading: str, chosen: tuple[Chosen, ...]) -> None:
        if not chosen:
            return
        self._heading(heading)
        for c in chosen:
            say(f"- {c.label}: {c.value}" + (f" (NOT STANDARD; standard: {c.standard})" if c.standard is not None else ""))


def _plain(book: Booklet, table: Table) -> dict[str, object]:
    return {
        "variant": table.book.name,
        "title": book.title,
        "about": book.about,
        "players": len(table.players),
        "sections": [{"heading": s.heading, "rules": [_entry(e) for e in s.entries]} for s in book.sections],
        "choices": [{"role": c.role, "name": c.name, "label": c.label, "value": c.value, "standard": c.standard} for c in book.chosen],
        "numbers": [{"name": name, "value": value} for name, value in book.numbers],
        "quick": [_entry(e) for e in book.quick],
        "glossary": [{"word": t.word, "meaning": t.meaning, "called": t.called, "spelling": t.spelling} for t in book.glossary],
        "hidden": list(book.hidden),
    }


def _entry(entry: Entry) -> dict[str, object]:
    return {"name": entry.name, "text": entry.text, "clauses": list(entry.clauses)}
