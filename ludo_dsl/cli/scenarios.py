"""`ludo scenarios`: checks the scenarios of a suite, or writes a suite for a rule book."""

from __future__ import annotations

import importlib
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json, say
from ludo_dsl.cli.faults import INPUT

if TYPE_CHECKING:
    from ludo_dsl.conformance.scenarios.check_faults import Fault
    from ludo_dsl.conformance.scenarios.checks import Checked

ELSEWHERE = {"generate": "Write a whole suite for a rule book, one that notices every small change of it."}
"""Commands in files of their own, `scenarios_NAME.py`, loaded only when they are used."""


class _Scenarios(click.Group):
    """A group of which some commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(importlib.import_module(f"ludo_dsl.cli.scenarios_{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands without importing them."""
        known = {name: command.get_short_help_str(120) for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted({**known, **ELSEWHERE}.items()))


@click.group(cls=_Scenarios)
def scenarios() -> None:
    """Check the scenarios of a suite, or write a suite for a rule book."""


@scenarios.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FOLDER|FILE]...")
@click.option(
    "--ids", type=click.Path(path_type=Path), metavar="FILE", help="The list of published ids. [default: ids.txt beside the suite]"
)
@click.option(
    "--variant", "variants", metavar="FILE", multiple=True, help="A rule book of your own that scenarios are for; may be repeated."
)
@click.option("--publish", is_flag=True, help="Add new ids to the list, if nothing else is wrong; none is ever taken out.")
@json_option
def check(paths: tuple[Path, ...], ids: Path | None, variants: tuple[str, ...], publish: bool, as_json: bool) -> int:
    """Check scenarios: form, ids, clauses; that they pass, and name the open questions on which they hang.

    By default, the suite that comes with the project. Every fault is told, with its place and what cures it. Ctrl-C stops and tells
    what was found by then.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludo_dsl.conformance.scenarios.checks import check_suite
    from ludo_dsl.conformance.scenarios.subjects import book_of

    books = {book.name: book for book in map(book_of, variants)}
    errors = Console(stderr=True)
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("scenarios", total=None)
        checked = check_suite(paths, ids, publish, lambda done, of: bar.update(task, completed=done, total=of), books)
    if as_json:
        print_json(checked.as_json())
    else:
        _show(checked, publish, whole=not paths)
    return 130 if not checked.complete else INPUT if checked.faults else 0


def _show(checked: Checked, publish: bool, whole: bool) -> None:
    for fault in checked.faults:
        _show_fault(fault)
    if checked.faults:
        click.echo()
    say(_summary(checked))
    if checked.published:
        say(f"added to the list of ids: {len(checked.published)}")
    elif publish:
        say("no id was added to the list" + (": mend the faults first" if checked.faults else ", for all are in it"))
    if whole and checked.unnamed and checked.complete:
        say(f"readings that no scenario names: {_questions(checked.unnamed)}")


def _show_fault(fault: Fault) -> None:
    click.echo(f"{_place(fault)}: {fault.message}")
    path = fault.path.partition("].")[2]
    inside = f", at `{path}`" if path else ""
    if fault.scenario:
        click.echo(f"  in {fault.scenario}{inside}")
    elif fault.path not in ("", "$"):
        click.echo(f"  at `{fault.path}`")
    if fault.hint:
        click.echo(f"  = hint: {fault.hint}")


def _place(fault: Fault) -> str:
    """File and line, the file as it is reached from here."""
    path, here = Path(fault.file), Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"{shown}:{fault.line}" if fault.line else str(shown)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _summary(checked: Checked) -> str:
    read = f"{_counted(checked.scenarios, 'scenario')} in {_counted(checked.files, 'file')}"
    stopped = "" if checked.complete else f"; stopped after {checked.played} had been played"
    if checked.faults:
        return f"{read}: {_counted(len(checked.faults), 'fault')}{stopped}"
    if stopped:
        return f"{read}{stopped}, and no fault was found until then"
    return f"{read}: all pass, and each names just the questions on which it hangs"


def _questions(unnamed: tuple[str, ...]) -> str:
    """Readings as text, those of one question together: `qdan bonus (once, twice)`."""
    pairs = [text.partition("=")[::2] for text in unnamed]
    return "; ".join(f"{question} ({', '.join(value for _, value in group)})" for question, group in groupby(pairs, lambda p: p[0]))
