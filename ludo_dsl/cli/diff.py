"""`ludo diff`: how two rule books differ, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table as Grid

from ludo_dsl.cli.common import json_option, open_book, print_json, say, settings, show_grid, table_options

if TYPE_CHECKING:
    from ludo_dsl.check.meeting_difference import Difference
    from ludo_dsl.check.meeting_text import Row
    from ludo_dsl.publish.difference import Differences, RuleDifference, SettingDifference


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@table_options
@json_option
def diff(first: str, second: str, players: int | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool) -> None:
    """Tell how the rules of B differ from those of A: numbers, options and readings, rules, and what happens when pieces meet.

    --option and --reading choose values for B, while A stands under its defaults: A and B may be the same rule book. --players
    holds for both; without it, for each as many as both can seat.
    """
    from ludo_dsl.publish.difference import compare

    books = open_book(first), open_book(second)
    count = players if players is not None else _most(books[0].book.players.counts, books[1].book.players.counts)
    tables = books[0].table(count), books[1].table(count, settings(options, "option"), settings(readings, "reading"))
    found = compare(*tables)
    names = books[0].name, books[1].name
    if as_json:
        seated = [len(table.players) for table in tables]
        print_json({"a": names[0], "b": names[1], "players": seated, "same": not found, **found.as_json()})
    elif not found:
        click.echo(f"{names[0]} and {names[1]} play by the same rules")
    else:
        _Told("A" if names[0] == names[1] else names[0], "B" if names[0] == names[1] else names[1]).show(found)


def _most(first: tuple[int, ...], second: tuple[int, ...]) -> int | None:
    """The largest number of players that both books seat; none if there is none."""
    return max(set(first) & set(second), default=None)


class _Told:
    """Differences for a terminal, under the names of the two books."""

    def __init__(self, first: str, second: str) -> None:
        self.names = first, second
        self.begun = False

    def show(self, found: Differences) -> None:
        if found.numbers:
            self._heading("Numbers")
            for name, a, b in found.numbers:
                say(f"{name}: {self._pair(_number(a), _number(b))}", "  ")
        if found.settings:
            self._heading("Options and readings")
            for setting in found.settings:
                say(self._setting(setting), "  ")
        if found.rules:
            self._heading("Rules")
            for rule in found.rules:
                self._rule(rule)
        if found.meetings:
            self._heading("When pieces meet")
            self._meetings(found.meetings)

    def _heading(self, text: str) -> None:
        click.echo(("\n" if self.begun else "") + text)
        self.begun = True

    def _pair(self, first: str, second: str) -> str:
        return f"{first} in {self.names[0]}, {second} in {self.names[1]}"

    def _setting(self, setting: SettingDifference) -> str:
        head = f"{setting.role} {setting.name} ({setting.label})"
        if setting.first is None:
            return f"{head}: only in {self.names[1]}, where it is {setting.second}"
        if setting.second is None:
            return f"{head}: only in {self.names[0]}, where it is {setting.first}"
        if setting.first != setting.second:
            return f"{head}: {self._pair(setting.first, setting.second)}"
        return f"{head}: the values differ: {self._pair(', '.join(setting.first_values), ', '.join(setting.second_values))}"

    def _rule(self, rule: RuleDifference) -> None:
        if rule.first is None or rule.second is None:
            which = 0 if rule.second is None else 1
            click.echo(f"  {rule.name}: only in {self.names[which]}")
        else:
            same = not rule.first.says and not rule.second.says
            click.echo(f"  {rule.name}: {'said differently' if same else 'changed'}")
        both = set(rule.first.sentences) & set(rule.second.sentences) if rule.first and rule.second else set()
        for name, side in zip(self.names, (rule.first, rule.second), strict=True):
            for sentence in side.sentences if side is not None else ():
                if sentence not in both:
                    say(f"{name}: “{sentence}”", "    ")
            for text in side.says if side is not None else ():
                say(f"{name} = {text}", "    ")

    def _meetings(self, found: tuple[Difference, ...]) -> None:
        grid = Grid()
        for heading in ("square", "company", *self.names):
            grid.add_column(heading, overflow="fold")
        before = ""
        for row in found:
            grid.add_row("" if row.square == before else row.square, row.company, _cell(row.first), _cell(row.second))
            before = row.square
        show_grid(grid)


def _number(value: int | None) -> str:
    return "none" if value is None else str(value)


def _cell(row: Row | None) -> str:
    if row is None:
        return "(not told apart)"
    landing = "; ".join(f"{who}: {text}" if len(row.outcomes) > 1 else text for who, text in row.outcomes)
    return f"pass: {row.passing}\nland: {landing}"
