"""`ludo host`: scripts for the table around the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, say

if TYPE_CHECKING:
    from ludo_dsl.play.script_runner import Done, Outcome


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--variant", metavar="VARIANT", help="Play by this rule book: the one that the scripts name, or one that extends it.")
@click.option("--notes", is_flag=True, help="Show each step and what the table tells.")
@json_option
def host(files: tuple[Path, ...], variant: str | None, notes: bool, as_json: bool) -> int:
    """Run table scripts: seats, clock, drop-outs, series of games, and what is expected after each step.

    A folder stands for all scripts in it. The first step of a script that comes otherwise is told.
    """
    from ludo_dsl.play.script_runner import run
    from ludo_dsl.play.scripts import read_script

    book = open_book(variant) if variant is not None else None
    outcomes = []
    for path in _scripts(files):
        outcome = run(read_script(path), book)
        outcomes.append(outcome)
        if not as_json:
            _tell(outcome, notes)
    if as_json:
        print_json({"scripts": [o.as_json() for o in outcomes]})
    return 1 if any(o.failed for o in outcomes) else 0


def _scripts(files: tuple[Path, ...]) -> list[Path]:
    found: list[Path] = []
    for path in files:
        inside = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        if not inside:
            raise click.UsageError(f"there is no table script in the folder `{path}`")
        found += inside
    return found


def _tell(outcome: Outcome, notes: bool) -> None:
    script = outcome.script
    if notes:
        click.echo(f"{script.file}: {script.title}")
        for done in outcome.done:
            _tell_step(done)
    failed = outcome.failed
    if failed is None:
        click.echo(f"{script.file}: {len(script.steps)} steps as expected")
        return
    click.echo(f"{script.file}:{failed.step.line}: step {len(outcome.done)}, `{failed.step.text}`, comes otherwise")
    for d in failed.differences:
        say(f"{d.what}: expected {d.expected}", "  ")
        say(f"{' ' * len(d.what)}  found    {d.found}", "  ")


def _tell_step(done: Done) -> None:
    click.echo(f"> {done.step.text}")
    if done.refused is not None:
        say(f"refused as {done.refused}: {done.reason}", "  ")
    for note in done.notes:
        say(note.text(), "  ")
