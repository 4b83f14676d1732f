"""`ludo scenarios generate`: a suite for a rule book."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json

if TYPE_CHECKING:
    from ludo_dsl.conformance.generating import Written
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

    from ludo_dsl.conformance.generating import generate as write
    from ludo_dsl.conformance.subjects import book_of
    from ludo_dsl.conformance.suite import read_suite

    book = book_of(variant)
    there = [s for s in read_suite(suite) if s.variant == book.name] if suite else []
    path = output or Path(f"{book.name}-generated.yaml")
    if path.exists():
        raise click.UsageError(f"{path} exists already: name another file with -o")
    path.touch()
    errors = Console(stderr=True)
    bar = Progress(
        TextColumn(f"mutants of {book.name}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    with bar:
        task = bar.add_task("mutants", total=None)
        written = write(
            book, there, budget=budget, seed=seed, jobs=jobs, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if written.scenarios:
        path.write_text(written.yaml(), encoding="utf-8")
    else:
        path.unlink()
    _tell(book, written, path, as_json)
    return 130 if not written.complete else 0 if written.scenarios or there else 1


def _tell(book: Book, written: Written, path: Path, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "variant": book.name,
                "file": str(path) if written.scenarios else None,
                "scenarios": [s["id"] for s in written.scenarios],
                "mutants": written.mutants,
                "untold": [{"id": m.id, "says": m.says, "bound": bound} for m, bound in written.untold],
                "complete": written.complete,
            }
        )
        return
    number = len(written.scenarios)
    click.echo(f"{book.title}: {number} scenarios in {path}" if number else f"{book.title}: no scenario was needed, or found")
    told = written.mutants - len(written.untold)
    click.echo(f"{told} of {written.mutants} mutants are noticed")
    for mutant, bound in written.untold:
        click.echo(f"not told apart: {mutant.id}\n    {mutant.says}\n    {bound}")
    if number:
        click.echo(f"try it: ludo mutate {book.name} --suite {path}")
