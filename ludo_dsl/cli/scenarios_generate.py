"""`ludo scenarios generate`: a suite for a rule book."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json, say

if TYPE_CHECKING:
    from ludo_dsl.conformance.mutation.generating import Written
    from ludo_dsl.rules.book import Book


@click.command()
@click.argument("variant")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write. [default: NAME-generated.yaml]")
@click.option(
    "--suite",
    type=click.Path(exists=True, path_type=Path),
    help="Scenarios that there are already: only what these do not notice is added.",
)
@click.option("--budget", type=click.IntRange(1), default=5000, show_default=True, help="Positions tried for each mutant, at most.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides which positions are tried.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes that work at once.")
@json_option
def generate(variant: str, output: Path | None, suite: Path | None, budget: int, seed: int, jobs: int, as_json: bool) -> int:
    """Write scenarios for a rule book, a house rule's included: the smallest game for every way in which it could be played wrong.

    The rule book is broken in every small way (`ludo mutate`), and for each a game is looked for that shows it. What cannot be told
    apart within the budget is listed. The answer is no (exit code 1) if no scenario was found at all.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludo_dsl.conformance.mutation.generating import generate as write
    from ludo_dsl.conformance.scenarios.subjects import book_of
    from ludo_dsl.conformance.scenarios.suite import read_suite

    book = book_of(variant)
    there = [s for s in read_suite(suite) if s.variant == book.name] if suite else []
    path = output or Path(f"{book.name}-generated.yaml")
    _require_new(path)
    errors = Console(stderr=True)
    columns = (TextColumn(f"mutants of {book.name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("mutants", total=None)
        written = write(
            book, there, budget=budget, seed=seed, jobs=jobs, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if written.scenarios:
        path.write_text(written.yaml(), encoding="utf-8")
    _tell(variant, book, written, path, as_json)
    return 130 if not written.complete else 0 if written.scenarios or there else 1


def _require_new(path: Path) -> None:
    """Sees to it that a file can be written and is not there yet, before a long search. Raises `UsageError` or `OSError`."""
    try:
        path.open("x").close()
    except FileExistsError:
        raise click.UsageError(f"{path} exists already: name another file with -o") from None
    path.unlink()


def _tell(variant: str, book: Book, written: Written, path: Path, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "variant": book.name,
                "file": str(path) if written.scenarios else None,
                "scenarios": [s["id"] for s in written.scenarios],
                "mutants": written.mutants,
                "noticed": written.told,
                "untold": [{"id": m.id, "says": m.says, "bound": bound} for m, bound in written.untold],
                "complete": written.complete,
            }
        )
        return
    number = len(written.scenarios)
    stopped = "" if written.complete else ", stopped before all were thought of"
    counted = "1 scenario" if number == 1 else f"{number} scenarios"
    click.echo(f"{book.title}: " + (f"{counted} in {path}" if number else "no scenario was needed, or found") + stopped)
    say(f"{written.told} of {written.mutants} mutants are noticed")
    for mutant, bound in written.untold:
        click.echo(f"not told apart: {mutant.id}\n    {mutant.says}\n    {bound}")
    if number:
        mine = "" if variant == book.name else f" --variant {shlex.quote(variant)}"
        click.echo(f"check it: ludo scenarios check {shlex.quote(str(path))}{mine}")
        click.echo(f"hold it to the mutants: ludo mutate {shlex.quote(variant)} --suite {shlex.quote(str(path))}")
