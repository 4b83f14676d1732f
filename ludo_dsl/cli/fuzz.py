"""`ludo fuzz`: random games on an engine in step with the rules."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import console, json_option, open_book, print_json, settings, table_options

if TYPE_CHECKING:
    from ludo_dsl.conformance.fuzzing.found import Finding
    from ludo_dsl.conformance.fuzzing.fuzzer import Fuzzed, Progress

FAILED = 3
"""The exit code where the engine cannot be started."""

_FILE = click.Path(dir_okay=False, path_type=Path)
_SECONDS = click.FloatRange(0, min_open=True)


@click.command()
@click.argument("engine")
@click.option("--variant", required=True, metavar="V", help="The rule book, by name or file.")
@table_options
@click.option("--seconds", type=_SECONDS, help="How long to play. [default: 30, without --games]")
@click.option("--games", type=click.IntRange(1), metavar="N", help="How many games to play at most.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other games.")
@click.option("--timeout", type=_SECONDS, default=5.0, show_default=True, help="Seconds that an answer may take.")
@click.option("-o", "--output", type=_FILE, help="Write what is found as a file of scenarios.")
@json_option
def fuzz(
    engine: str,
    variant: str,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    seconds: float | None,
    games: int | None,
    seed: int,
    timeout: float,
    output: Path | None,
    as_json: bool,
) -> int:
    """Play random games on an engine in step with the rules, and shrink the first difference to the smallest game that shows it.

    ENGINE is a command (`exec:./my-engine --flag`) or a Python class (`py:module:Class`) that answers the protocol. Games begin
    with the opening and with rich positions; options and numbers of players that are not given vary. Where the engine cannot be
    told how to read what the rules leave open, its readings are inferred.

    Exit codes: 0 no difference, 1 a difference, 2 it cannot be fuzzed, 3 it cannot be started. Ctrl-C stops (130) and tells what there is.
    """
    from ludo_dsl.conformance.fuzzing.fuzzer import SECONDS, CannotFuzzError
    from ludo_dsl.conformance.fuzzing.fuzzer import fuzz as play
    from ludo_dsl.conformance.running.started import EngineGoneError
    from ludo_dsl.conformance.talking.endpoints import EngineTextError, Limits, StartError, connect

    chosen, taken = settings(options, "option"), settings(readings, "reading")
    book = open_book(variant).book
    time = seconds if seconds is not None else None if games is not None else SECONDS
    try:
        with _bar() as progress:
            fuzzed = play(
                connect(engine),
                book,
                seconds=time,
                seed=seed,
                games=games,
                players=players,
                options=chosen,
                readings=taken,
                limits=Limits(message=timeout),
                progress=progress,
            )
    except CannotFuzzError as error:
        raise click.UsageError(f"{error.message}; {error.hint}") from None
    except (StartError, EngineTextError) as error:
        return _not_started(error.message, error.hint, as_json)
    except EngineGoneError as error:
        return _not_started(f"the engine can no longer be started: {error}", "", as_json)
    if fuzzed.finding is not None and output is not None:
        output.write_text(_file(fuzzed.finding), encoding="utf-8", newline="\n")
    again = _again(engine, variant, players, options, readings, seed, timeout, fuzzed.finding)
    conform = ["ludo", "conform", engine, *(["--variant", variant] if variant.endswith(".ludo") else []), "--suite", str(output)]
    conforming = shlex.join(conform) if output is not None else ""
    if as_json:
        print_json({**fuzzed.as_json(), "again": again, "conform": conforming})
    else:
        _show(fuzzed, variant, again, conforming)
    return fuzzed.exit_code


def _not_started(message: str, hint: str, as_json: bool) -> int:
    from ludo_dsl.cli.faults import report
    from ludo_dsl.game.errors import GameError

    report(GameError(message, hint), ["--json"] if as_json else [])
    return FAILED


@contextlib.contextmanager
def _bar() -> Iterator[Progress]:
    """A progress bar on standard error, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    errors = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("starting", total=None)

        def progress(games: int, steps: int, doing: str) -> None:
            bar.update(task, description=f"{doing}: {games:,} games, {steps:,} steps")

        yield progress


def _again(
    engine: str,
    variant: str,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    seed: int,
    timeout: float,
    finding: Finding | None,
) -> str:
    """The command that plays the same games again, up to the one in which something was found."""
    if finding is None:
        return ""
    words = ["ludo", "fuzz", engine, "--variant", variant]
    words += ["--players", str(players)] if players is not None else []
    words += [word for option in options for word in ("--option", option)]
    words += [word for reading in readings for word in ("--reading", reading)]
    words += ["--timeout", f"{timeout:g}"] if timeout != 5 else []
    return shlex.join([*words, "--seed", str(seed), "--games", str(finding.game)])


def _file(finding: Finding) -> str:
    return f"# Found by `ludo fuzz`; the form is in spec/language/scenarios.md.\n{finding.yaml}"


def _show(fuzzed: Fuzzed, variant: str, again: str, conforming: str) -> None:
    from ludo_dsl.conformance.fuzzing.told import finding_text, summary_lines

    click.echo("\n".join(summary_lines(fuzzed)))
    finding = fuzzed.finding
    if finding is not None:
        plain = "utf" not in (console().encoding or "utf-8").lower()
        click.echo("\n" + finding_text(fuzzed, finding, book=variant, again=again, ascii_only=plain))
        if fuzzed.inconsistent:
            click.echo(f"  reading     under {fuzzed.inconsistent} this would be right, but other games show another reading: inconsistent")
        click.echo("\n" + finding.yaml.rstrip())
        click.echo(f"\nplay it again: {conforming}" if conforming else "\n`-o FILE` writes the scenario, for `ludo conform --suite FILE`")
    elif fuzzed.complete:
        click.echo("no difference")
    if not fuzzed.complete:
        click.echo("stopped: this is what was found until then", err=True)
