"""`ludo simulate`: many games by computer players."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_table, print_json, show_grid, table_options

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from ludo_dsl.play.simulate import Tally
    from ludo_dsl.play.statistics import Mean


@click.command()
@click.argument("variant")
@click.option("-n", "games", type=click.IntRange(1), default=100, show_default=True, help="Number of games.")
@click.option("--seed", type=int, help="Play the same games again; without it, the seed is drawn and reported.")
@click.option(
    "--player",
    "computer",
    multiple=True,
    type=click.Choice(["random", "sensible"]),
    help="Computer player of each seat in turn. [default: random]",
)
@click.option("--first", default="drawn", show_default=True, metavar="WHO", help="Who begins: a colour, `drawn`, or `rotate`.")
@table_options
@json_option
def simulate(
    variant: str,
    games: int,
    seed: int | None,
    computer: tuple[str, ...],
    first: str,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play games by computer and report length, wins, draws and captures with 95 % confidence intervals.

    Ctrl-C stops and reports what has been played.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludo_dsl.play.simulate import simulate as play

    table = open_table(variant, players, options, readings)
    names = [p.name for p in table.players]
    if first not in ("drawn", "rotate", *names):
        raise click.UsageError(f"--first {first}: give `drawn`, `rotate`, or one of {', '.join(names)}")
    number = random.SystemRandom().randrange(2**31) if seed is None else seed
    errors = Console(stderr=True)
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    with bar:
        task = bar.add_task("games", total=games)
        tally = play(table, games, number, computer or ("random",), first, lambda t: bar.update(task, completed=t.games))
    if as_json:
        print_json({**tally.as_json(), "asked": games, "seed": number})
    else:
        _show(tally, games, number)
    return 130 if tally.games + tally.unfinished < games else 0


def _show(tally: Tally, asked: int, seed: int) -> None:
    from ludo_dsl.play.statistics import proportion

    title = tally.table.book.title
    played = f"{tally.games} of {asked} games" if tally.games < asked else f"{asked} games"
    click.echo(f"{title}, {len(tally.table.players)} players: {played}, seed {seed}")
    if not tally.games:
        click.echo("no game was played to its end")
        return
    grid = _grid("mean", "95 % interval", "shortest", "longest")
    for name, mean in (("rolls", tally.rolls), ("moves", tally.moves), ("turns", tally.turns), ("captures", tally.captures)):
        grid.add_row(f"{name} per game", *_cells(mean))
    for player, score in zip(tally.table.players, tally.scores, strict=True):
        if any(s.high > 0 for s in tally.scores):
            grid.add_row(f"score of {player.name}", *_cells(score))
    show_grid(grid)
    wins = _grid("games", "share", "95 % interval")
    rows = [(f"won by {p.name}", w) for p, w in zip(tally.table.players, tally.wins, strict=True)]
    for name, count in [*rows, ("drawn", tally.draws)]:
        low, high = proportion(count, tally.games)
        wins.add_row(name, str(count), f"{count / tally.games:.1%}", f"{low:.1%} to {high:.1%}")
    click.echo()
    show_grid(wins)
    if tally.unfinished:
        click.echo(f"{tally.unfinished} games were broken off as too long")


def _grid(*headings: str) -> Grid:
    from rich.table import Table as Grid

    grid = Grid("", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        grid.add_column(heading, justify="right")
    return grid


def _cells(mean: Mean) -> tuple[str, ...]:
    low, high = mean.interval()
    return f"{mean.mean:.1f}", f"{low:.1f} to {high:.1f}", f"{mean.low:.0f}", f"{mean.high:.0f}"
