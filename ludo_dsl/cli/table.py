"""`ludo table`: what happens when pieces meet, in every kind of square and company."""

from __future__ import annotations

from collections.abc import Mapping

import click
from rich.table import Table as Grid

from ludo_dsl.check.meeting_cells import meeting_table
from ludo_dsl.check.meeting_text import Row, as_json, rows
from ludo_dsl.cli.common import open_table, print_json, show_grid, table_options


@click.command("table")
@click.argument("variant")
@table_options
@click.option("--json", "json_output", is_flag=True, help="Print every meeting as JSON.")
def table(variant: str, players: int | None, options: Mapping[str, str], readings: Mapping[str, str], json_output: bool) -> None:
    """Print the meeting table of VARIANT: who may pass whom, and what becomes of pieces that meet."""
    opened = open_table(variant, players, options, readings)
    meetings = meeting_table(opened)
    if json_output:
        print_json(as_json(meetings))
        return
    show_grid(_grid(rows(meetings), f"{opened.book.title}, {len(opened.players)} players"))


def _grid(found: list[Row], title: str) -> Grid:
    grid = Grid(title=title, title_justify="left")
    for heading in ("square", "company", "passing", "landing"):
        grid.add_column(heading, overflow="fold")
    before = ""
    for row in found:
        grid.add_row("" if row.square == before else row.square, row.company, row.passing, _cell(row))
        before = row.square
    return grid


def _cell(row: Row) -> str:
    return "\n".join(f"{who}: {text}" if who and who != row.company else text for who, text in row.outcomes)
