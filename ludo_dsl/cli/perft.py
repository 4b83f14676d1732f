"""`ludo perft`: what so many rolls can reach from a position, counted; and the committed tables of such counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, settings, table_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress

    from ludo_dsl.conformance.counting.perft import Branch, Counts, Perft
    from ludo_dsl.conformance.counting.tables import Difference
    from ludo_dsl.play.game import Game

ALL = "all"


@click.command()
@click.argument("variant", default=ALL)
@click.option("--position", metavar="P", help="The position to count from. [default: the opening]")
@click.option("--rolls", type=click.IntRange(1), metavar="N", help="How many rolls. [default: 2]")
@click.option("--divide", is_flag=True, help="Count apart for each first roll and each way of using it.")
@click.option("--check", "task", flag_value="check", help="Count the committed tables again and compare.")
@click.option("--write", "task", flag_value="write", help="Write the entries of the committed tables anew.")
@table_options
@json_option
def perft(
    variant: str,
    position: str | None,
    rolls: int | None,
    divide: bool,
    task: str | None,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Count what can be reached over one, two and more rolls from a position.

    Columns: sequences of rolls and moves, distinct positions, and distinct boards (pieces, turn, dice kept, scores); then, of the
    last roll: pieces captured, pieces that came home, and lines after which the same player rolls again. With --check or --write
    VARIANT may be left out: all tables are meant. Ctrl-C stops and reports what has been counted.
    """
    if task is not None:
        if position or rolls or divide or players or options or readings:
            raise click.UsageError(f"--{task} counts the committed tables: give it a variant at most")
        return _tables(variant, task, as_json)
    if variant == ALL:
        raise click.UsageError("name a variant to count from, or give --check to compare the committed tables")
    chosen = settings(options, "option"), settings(readings, "reading")
    book = open_book(variant)
    game = book.position(position, players, *chosen) if position else book.start(players, *chosen)
    return _count(game, rolls or 2, divide, as_json)


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    errors = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        yield bar


# ---- counting from a position ----------------------------------------------------------------------------------------


def _count(game: Game, rolls: int, divided: bool, as_json: bool) -> int:
    from ludo_dsl.conformance.counting import perft as counting

    branches: list[Branch] = []
    with _bar("counting") as bar:
        task = bar.add_task("positions", total=None)

        def watch(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        found = counting.count(game.engine, game.state, rolls, watch)
        complete = found.complete
        if divided and complete:
            try:
                branches.extend(counting.divide(game.engine, game.state, rolls, watch))
            except KeyboardInterrupt:
                complete = False
    if as_json:
        print_json(_as_json(game, rolls, found, branches if divided else None, complete))
    else:
        _show(game, found, branches, rolls)
    if not complete and not as_json:
        click.echo("stopped: this is what has been counted", err=True)
    return 0 if complete else 130


def _show(game: Game, found: Perft, branches: Sequence[Branch], rolls: int) -> None:
    click.echo(f"{game.table.book.title}, {len(game.table.players)} players: {game.position}")
    rows = [[str(number), *map(str, counts)] for number, counts in enumerate(found.counts, start=1)]
    _show_rows(["rolls"], rows)
    if branches:
        click.echo(f"\nover {rolls} {'roll' if rolls == 1 else 'rolls'}, by the first:")
        _show_rows(["roll", "moves"], [_branch(game, b) for b in branches], "reached")


def _branch(game: Game, branch: Branch) -> list[str]:
    from ludo_dsl.game.notation import position_text, roll_text

    moves = " ".join(branch.moves) or "-"
    return [roll_text(branch.roll), moves, *map(str, branch.counts), position_text(game.table, branch.position)]


def _show_rows(first: list[str], rows: list[list[str]], *last: str) -> None:
    """Prints columns of numbers; what comes `last` is as long as it likes, for positions are to be copied from there."""
    from ludo_dsl.conformance.counting.perft import Counts

    lines = [[*first, *Counts._fields, *last], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        if last:
            cells[1], cells[-1] = line[1].ljust(widths[1]), line[-1]
        click.echo("  ".join(cells))


def _as_json(game: Game, rolls: int, found: Perft, branches: Sequence[Branch] | None, complete: bool) -> dict[str, object]:
    from ludo_dsl.game.notation import position_text

    table = game.table
    divided = None
    if branches is not None:
        divided = [
            {"roll": list(b.roll), "moves": list(b.moves), "position": position_text(table, b.position), "counts": _row(rolls, b.counts)}
            for b in branches
        ]
    return {
        "variant": table.book.name,
        "players": len(table.players),
        "options": _changed(game, "option"),
        "readings": _changed(game, "reading"),
        "position": game.position,
        "rolls": rolls,
        "complete": complete,
        "counts": [_row(number, counts) for number, counts in enumerate(found.counts, start=1)],
        "divided": divided,
    }


def _changed(game: Game, role: str) -> dict[str, str]:
    from ludo_dsl.rules.table import shown_value

    table = game.table
    roles = {s.id: s.role for s in table.book.settings}
    return {name: shown_value(value) for name, value in table.changed().items() if roles[name] == role}


def _row(rolls: int, counts: Counts) -> dict[str, int]:
    return {"rolls": rolls, **counts._asdict()}


# ---- the committed tables --------------------------------------------------------------------------------------------


def _tables(variant: str, task: str, as_json: bool) -> int:
    from ludo_dsl.conformance.counting.tables import tabled_variants

    known = tabled_variants()
    if variant not in (ALL, *known):
        raise click.UsageError(f"there is no table for `{variant}`: there are {', '.join(known)}")
    files: list[dict[str, object]] = []
    found: list[Difference] = []
    complete = True
    for name in known if variant == ALL else (variant,):
        differences: list[Difference] = []
        entries, whole = _one_table(name, task, differences)
        files.append(
            {
                "file": f"conformance/perft/{name}.json",
                "entries": entries,
                "written": task == "write" and whole,
                "differences": [d._asdict() for d in differences],
            }
        )
        found += differences
        if not as_json:
            _tell(files[-1], differences, task)
        if not whole:
            complete = False
            break
    if as_json:
        print_json({"ok": not found, "complete": complete, "files": files})
    elif not complete:
        click.echo("stopped: what comes after it was not counted", err=True)
    return 130 if not complete else 1 if found else 0


def _one_table(name: str, task: str, differences: list[Difference]) -> tuple[int, bool]:
    """Compares or writes one table; the number of entries that were counted, and whether it was finished."""
    from ludo_dsl.conformance.counting import tables

    path = tables.table_path(name)
    table = tables.read_table(path)
    rules = open_book(name)
    counted = 0
    with _bar(name) as bar:
        progress = bar.add_task("entries", total=len(table.entries) or None)

        def after_each(entry: tables.Entry) -> None:
            nonlocal counted
            counted += 1
            bar.update(progress, completed=counted)

        try:
            if task == "check":
                differences.extend(tables.compared(table, rules, after_each))
            else:
                path.write_text(tables.table_text(tables.filled(table, rules, after_each)), encoding="utf-8", newline="\n")
        except KeyboardInterrupt:
            return counted, False
    return counted, True


def _tell(file: dict[str, object], differences: Sequence[Difference], task: str) -> None:
    for difference in differences:
        click.echo(f"{file['file']}: {difference.says()}")
    what = "written" if file["written"] else "left as it was" if task == "write" else f"{len(differences) or 'no'} differences"
    click.echo(f"{file['file']}: {file['entries']} entries counted, {what}")
