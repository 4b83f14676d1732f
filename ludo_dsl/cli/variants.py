"""`ludo variants`: which rule books there are, and what one of them lets a table choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, show_grid

if TYPE_CHECKING:
    from ludo_dsl.rules.book import Setting


@click.command()
@click.argument("variant", required=False)
@json_option
def variants(variant: str | None, as_json: bool) -> int:
    """List the rule books of the project; with VARIANT, its options and readings."""
    return _one(variant, as_json) if variant else _all(as_json)


def _all(as_json: bool) -> int:
    from ludo_dsl.check.book import resolve
    from ludo_dsl.check.finding import locate
    from ludo_dsl.resources import variant_names
    from ludo_dsl.syntax.parser import read_source

    books = [resolve(read_source(locate(name))) for name in variant_names()]
    if as_json:
        print_json(
            [{"variant": b.name, "title": b.title, "players": [b.players.low, b.players.high], "options": len(b.settings)} for b in books]
        )
        return 0
    from rich.table import Table as Grid

    grid = Grid("variant", "title", "players", box=None, pad_edge=False)
    for b in books:
        seats = str(b.players.low) if b.players.low == b.players.high else f"{b.players.low} to {b.players.high}"
        grid.add_row(b.name, b.title, seats)
    show_grid(grid)
    return 0


def _one(variant: str, as_json: bool) -> int:
    from ludo_dsl.rules.table import make_table, shown_value
    from ludo_dsl.rules.wording import fill

    book = open_book(variant).book
    table = make_table(book)

    def label(setting: Setting) -> str:
        declaration = book.declaration(setting.id)
        assert declaration is not None
        text = fill(setting.label, table, declaration, fragment=True)
        return text[:1].upper() + text[1:]

    if as_json:
        print_json(
            [
                {
                    "role": s.role,
                    "name": s.id,
                    "label": label(s),
                    "default": shown_value(s.default),
                    "values": _values(s),
                    "clauses": [c.clause for c in s.citations],
                }
                for s in book.settings
            ]
        )
        return 0
    from rich.table import Table as Grid

    grid = Grid("", "name", "values, the default first", "what it decides", box=None, pad_edge=False)
    for s in book.settings:
        values = _values(s)
        default = shown_value(s.default)
        shown = " ".join([default, *(v for v in values if v != default)])
        grid.add_row(s.role, s.id, shown, label(s))
    show_grid(grid)
    return 0


def _values(setting: Setting) -> list[str]:
    from ludo_dsl.rules.book import Named, Range

    match setting.domain:
        case Named(values):
            return [v.name for v in values]
        case Range(low, high):
            return [f"{low}..{high}"]
        case _:
            return ["any faces, as 1,6"]
