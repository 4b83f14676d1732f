"""`ludo claims`: the claims of a rule book, put to the test."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import coloured, console, json_option, open_table, print_json, say, table_options

if TYPE_CHECKING:
    from rich.text import Text

    from ludo_dsl.play.trials import Counterexample, Method, Report, Verdict
    from ludo_dsl.rules.table import Table


@click.command()
@click.argument("variant")
@click.option("--games", type=click.IntRange(0), default=100, show_default=True, help="Random games to watch for claims to fail.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other random games and positions.")
@table_options
@json_option
def claims(
    variant: str,
    games: int,
    seed: int,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Put every claim of a rule book to the test, and show a position in which a claim fails.

    Scenarios are played as they stand. What a claim says about all games is watched for in every position of two pieces with
    every roll and move, in positions made at random, and in random games. Ctrl-C stops and reports what has been tried.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from ludo_dsl.play.trials import try_claims

    table = open_table(variant, players, options, readings)
    errors = Console(stderr=True)
    bar = Progress(
        TextColumn("trying"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    with bar:
        task = bar.add_task("claims", total=None)
        report = try_claims(table, games, seed, lambda done, total: bar.update(task, completed=done, total=total))
    if as_json:
        print_json(_json(report, seed))
    else:
        _show(report, seed)
    return 130 if not report.complete else 1 if report.failed else 0


# ---- for people ------------------------------------------------------------------------------------------------------


def _show(report: Report, seed: int) -> None:
    table = report.table
    click.echo(f"{table.book.title}, {len(table.players)} players, seed {seed}")
    by_claim: dict[str, list[Verdict]] = {}
    for verdict in report.verdicts:
        by_claim.setdefault(verdict.claim.name, []).append(verdict)
    for verdicts in by_claim.values():
        _show_claim(table, verdicts, report.complete)
    failed = len({v.claim.name for v in report.failed})
    if not report.complete:
        click.echo("stopped: what stands here is what has been tried so far")
    elif failed:
        click.echo(f"{failed} of {len(by_claim)} {'claim' if len(by_claim) == 1 else 'claims'} {'fails' if failed == 1 else 'fail'}")
    else:
        count = f"{len(by_claim)} {'claim' if len(by_claim) == 1 else 'claims'}"
        click.echo(f"{count}, and none fails" if by_claim else "this rule book makes no claims")


def _show_claim(table: Table, verdicts: list[Verdict], complete: bool) -> None:
    from ludo_dsl.play.reasons import sentences

    claim = verdicts[0].claim
    cited = f" [{' '.join(c.clause for c in claim.citations)}]" if claim.citations else ""
    how = "fails" if any(v.failure for v in verdicts) else "holds" if complete else "holds so far"
    click.echo(f"{claim.name}{cited}: {how}")
    say(" ".join(sentences(table, claim.name)), "  ")
    for verdict in verdicts:
        tried = (
            "; ".join(_tried(method, count, verdict.failure is None and complete) for method, count in verdict.tried.items())
            or "not tried yet"
        )
        say(f"- {verdict.says()}: {'fails' if verdict.failure else 'held'} ({tried})", "  ")
        if verdict.failure:
            _show_failure(table, verdict.failure)


def _tried(method: Method, count: int, through: bool) -> str:
    words = {
        "board": "decided by the board",
        "scenarios": f"{count:,} {'scenario' if count == 1 else 'scenarios'}",
        "pairs": f"{'all ' if through else ''}{count:,} positions of two pieces, every roll and move",
        "generated": f"{count:,} positions made at random",
        "games": f"{count:,} random {'game' if count == 1 else 'games'}",
    }
    return words[method]


def _show_failure(table: Table, example: Counterexample) -> None:
    say(example.message, "    ")
    if example.position is None:
        return
    click.echo(f"    position: {example.position}")
    for roll in example.rolls:
        click.echo(f"    roll: {'+'.join(str(f) for f in roll)}")
    for move in example.moves:
        click.echo(f"    move: {move}")
    board = _board(table, example.position)
    if board is None:
        return
    if coloured():
        console().print(board)
    else:
        click.echo("\n".join(line.rstrip() for line in board.plain.splitlines()))


def _board(table: Table, position: str) -> Text | None:
    """The position of a counterexample, drawn; none where it is no position."""
    from ludo_dsl.game.errors import GameError
    from ludo_dsl.play.claims import game_of
    from ludo_dsl.publish.draw import draw

    try:
        game = game_of(table, position)
    except GameError:
        return None
    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return draw(game.table, game.state.pieces, colour=coloured(), ascii_only=not unicode)


# ---- for programs ----------------------------------------------------------------------------------------------------


def _json(report: Report, seed: int) -> dict[str, object]:
    from ludo_dsl.play.reasons import sentences

    table = report.table
    return {
        "variant": table.book.name,
        "players": len(table.players),
        "seed": seed,
        "ok": not report.failed,
        "complete": report.complete,
        "claims": [
            {
                "claim": v.claim.name,
                "number": v.number,
                "clauses": [c.clause for c in v.claim.citations],
                "sentences": list(sentences(table, v.claim.name)),
                "says": v.says(),
                "holds": v.failure is None,
                "tried": [
                    {"method": str(m), "exhaustive": m.exhaustive and v.failure is None and report.complete, "count": n}
                    for m, n in v.tried.items()
                ],
                "counterexample": _example(v.failure),
            }
            for v in report.verdicts
        ],
    }


def _example(example: Counterexample | None) -> dict[str, object] | None:
    if example is None:
        return None
    return {
        "message": example.message,
        "position": example.position,
        "rolls": [list(roll) for roll in example.rolls],
        "moves": list(example.moves),
    }
