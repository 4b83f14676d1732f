"""`ludo read`: what a rule book says formally, in plain English beside its sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, say, settings, table_options

if TYPE_CHECKING:
    from ludo_dsl.publish.reading import Part


@click.command()
@click.argument("variant")
@click.argument("rule", required=False)
@table_options
@json_option
def read(variant: str, rule: str | None, players: int | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool) -> None:
    """Print the sentences of VARIANT, or of one RULE, option or reading of it, each with what its statements say in plain English.

    With --option, --reading or --players, only what is in force at that table.
    """
    from ludo_dsl.publish.reading import parts

    book = open_book(variant)
    table = book.table(players, settings(options, "option"), settings(readings, "reading"))
    settled = bool(players or options or readings)
    found = list(parts(table, settled))
    if rule is not None:
        found = [part for part in found if part.name == rule] or _none(book.book, rule, settled)
    if as_json:
        print_json({"variant": book.name, "title": book.title, "parts": [part.as_json() for part in found]})
        return
    for number, part in enumerate(found):
        if number:
            click.echo()
        _show(part)


def _none(book: object, rule: str, settled: bool) -> list[Part]:
    """Nothing, where the part says nothing at this table; raises `UsageError` where the book has none of that name."""
    from ludo_dsl.diagnostics import suggestion
    from ludo_dsl.publish.reading import READ
    from ludo_dsl.rules.book import Book

    assert isinstance(book, Book)
    names = [d.name for d in book.declarations if d.kind in READ]
    if rule in names and settled:
        raise click.UsageError(f"`{rule}` says nothing at this table: leave out --option, --reading and --players to read all of it")
    raise click.UsageError(f"{book.name} has no rule, option or reading `{rule}`; {suggestion(rule, names, 'names')}")


def _show(part: Part) -> None:
    clauses = f" [{' '.join(part.clauses)}]" if part.clauses else ""
    click.echo(f"{part.kind} {part.name}{clauses}" + (f": {part.label}" if part.label else ""))
    for sentence in part.sentences:
        say(f"“{sentence.text}”" + (f" (if {sentence.condition})" if sentence.condition else ""), "  ")
    for line in part.statements:
        click.echo()
        say(line.written, "    ")
        say(f"= {line.says}", "    ")
    if not part.statements:
        say("(no statement of its own: others ask for it, or it is for people to keep)", "    ")
