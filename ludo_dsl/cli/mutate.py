"""`ludo mutate`: whether a suite notices when a rule book is broken."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json, show_grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ludo_dsl.conformance.mutants import Mutant
    from ludo_dsl.conformance.mutation.files import Gate
    from ludo_dsl.conformance.mutation.gate import Fate
    from ludo_dsl.conformance.mutation.noticing import Check
    from ludo_dsl.conformance.scenarios.suite import Suite
    from ludo_dsl.rules.book import Book

ALL = "all"


@click.command()
@click.argument("variants", metavar="VARIANT…", nargs=-1, required=True)
@click.option("--suite", type=click.Path(exists=True, path_type=Path), help="Folder or file of scenarios. [default: those of the project]")
@click.option(
    "--reasons", "reasons_file", type=click.Path(exists=True, path_type=Path), help="File of reasons for mutants that cannot be told apart."
)
@click.option("--by-hand", is_flag=True, help="Leave out scenarios that a program wrote.")
@click.option("--sample", "number", type=click.IntRange(1), metavar="N", help="Only so many mutants of each rule book, drawn by the seed.")
@click.option("--seed", type=int, help="Draw the same mutants again; without it, the seed is drawn and reported.")
@click.option(
    "--only", "patterns", metavar="ID", multiple=True, help="Only this mutant; `*` at its end stands for anything. May be repeated."
)
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes that work at once.")
@click.option("--list", "listing", is_flag=True, help="List the mutants, and play nothing.")
@click.option("--write", is_flag=True, help="Play each through every scenario, and write the kill matrix of the project.")
@json_option
def mutate(
    variants: tuple[str, ...],
    suite: Path | None,
    reasons_file: Path | None,
    by_hand: bool,
    number: int | None,
    seed: int | None,
    patterns: tuple[str, ...],
    jobs: int,
    listing: bool,
    write: bool,
    as_json: bool,
) -> int:
    """Break a rule book in every small way, and see whether a scenario fails on each of the mutants.

    VARIANT is a rule book, or `all` for those that have scenarios. The answer is no (exit code 1) if a mutant survives that has no
    written reason, or a reason is given for one that does not.
    """
    from ludo_dsl.conformance.mutants import mutants
    from ludo_dsl.conformance.mutation.gate import sample
    from ludo_dsl.conformance.scenarios.subjects import book_of
    from ludo_dsl.conformance.scenarios.suite import read_suite

    if write and (number or patterns or suite or by_hand):
        raise click.UsageError(
            "--write is for whole rule books and the project's own scenarios: leave out --sample, --only, --suite and --by-hand"
        )
    scenarios = read_suite(suite)
    names = scenarios.variants if variants == (ALL,) else variants
    drawn = random.SystemRandom().randrange(2**31) if seed is None else seed
    told, holds, stopped = [], True, False
    for name in names:
        book = book_of(name)
        every = mutants(book)
        chosen = [m for m in every if not patterns or any(_fits(m.id, p) for p in patterns)]
        chosen = sample(chosen, number, drawn) if number else chosen
        if listing:
            told.append(_listed(book, chosen, as_json))
            continue
        mine = _checks(book, scenarios if suite else None, by_hand)
        fates = _played(book, mine, chosen, jobs, "all" if write else "first")
        gate = _gate(book, fates, every, reasons_file)
        holds = holds and gate.holds
        stopped = len(fates) < len(chosen)
        told.append(_told(book, chosen, fates, gate, drawn if number else None, as_json))
        if write and not stopped:
            _write(book, fates)
        if stopped:
            break
    if as_json:
        print_json({"books": told, **({} if listing else {"seed": drawn, "holds": holds, "complete": not stopped})})
    return 130 if stopped else 0 if holds else 1


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def _checks(book: Book, suite: Suite | None, by_hand: bool) -> list[Check]:
    """The checks of a rule book, of a suite of one's own or of the project. Raises `UsageError`."""
    from ludo_dsl.conformance.mutation.gate import GENERATED, checks_of

    every: Iterable[Check] = checks_of(book.name) if suite is None else suite
    mine = [c for c in every if c.variant == book.name and not (by_hand and f"/{GENERATED}/" in c.id)]
    if not mine:
        hint = "name a folder with --suite, or write some with `ludo scenarios generate`"
        raise click.UsageError(f"there are no scenarios for {book.name}: {hint}")
    return mine


def _listed(book: Book, chosen: Sequence[Mutant], as_json: bool) -> dict[str, object]:
    if not as_json:
        click.echo(f"{book.title}: {len(chosen)} mutants")
        for mutant in chosen:
            click.echo(f"  {mutant.id}\n      {mutant.says}")
    return {"variant": book.name, "mutants": [_mutant(m) for m in chosen]}


def _mutant(mutant: Mutant) -> dict[str, str]:
    return {"id": mutant.id, "kind": str(mutant.kind), "says": mutant.says}


def _played(book: Book, checks: Sequence[Check], chosen: Sequence[Mutant], jobs: int, until: str) -> list[Fate]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludo_dsl.conformance.mutation.files import read_matrix
    from ludo_dsl.conformance.mutation.gate import mutate as play

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
    matrix = read_matrix(book.name)
    hints = {m: killers[:3] for m, killers in matrix.killers.items()} if matrix else {}
    with bar:
        task = bar.add_task("mutants", total=len(chosen))
        return play(checks, chosen, jobs=jobs, until=until, hints=hints, progress=lambda done, total: bar.update(task, completed=done))


def _gate(book: Book, fates: Sequence[Fate], every: Sequence[Mutant], reasons_file: Path | None) -> Gate:
    from ludo_dsl.conformance.mutation.files import gate, read_reasons, reasons_of

    reasons = reasons_of(book.name) if reasons_file is None else read_reasons(reasons_file)
    return gate(fates, reasons, every)


def _told(book: Book, chosen: Sequence[Mutant], fates: Sequence[Fate], gate: Gate, seed: int | None, as_json: bool) -> dict[str, object]:
    by_id = {m.id: m for m in chosen}
    broken = {f.mutant: f.broken for f in fates if f.broken}
    killed = sum(1 for f in fates if f.killers)
    survivors = [by_id[m] for m in gate.survivors]
    reasoned = len(fates) - killed - len(survivors)
    if not as_json:
        _show(book, chosen, fates, seed)
        for mutant in survivors:
            click.echo(f"survives: {mutant.id}\n    {mutant.says}")
            if mutant.id in broken:
                click.echo(f"    the interpreter cannot play it: {broken[mutant.id]}")
        for name in gate.refuted:
            click.echo(f"has a reason, but is noticed: {name}")
        for name in gate.unknown:
            click.echo(f"has a reason, but is no mutant of {book.name}: {name}")
    return {
        "variant": book.name,
        "mutants": len(chosen),
        "played": len(fates),
        "killed": killed,
        "killed_by_hand": sum(1 for f in fates if f.by_hand),
        "reasoned": reasoned,
        "survivors": [_mutant(m) | ({"broken": broken[m.id]} if m.id in broken else {}) for m in survivors],
        "refuted": list(gate.refuted),
        "unknown": list(gate.unknown),
    }


def _show(book: Book, chosen: Sequence[Mutant], fates: Sequence[Fate], seed: int | None) -> None:
    from rich.table import Table as Grid

    drawn = "" if seed is None else f", drawn by seed {seed}"
    click.echo(f"{book.title}: {len(fates)} of {len(chosen)} mutants played{drawn}")
    grid = Grid("", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("mutants", "noticed", "not"):
        grid.add_column(heading, justify="right")
    kind_of = {m.id: str(m.kind) for m in chosen}
    for kind in sorted(set(kind_of.values())):
        its = [f for f in fates if kind_of[f.mutant] == kind]
        noticed = sum(1 for f in its if f.killers)
        grid.add_row(kind, str(len(its)), str(noticed), str(len(its) - noticed or ""))
    noticed = sum(1 for f in fates if f.killers)
    grid.add_row("all", str(len(fates)), str(noticed), str(len(fates) - noticed or ""))
    show_grid(grid)
    if len(fates) < len(chosen):
        click.echo("stopped: what stands here is what has been played")


def _write(book: Book, fates: Sequence[Fate]) -> None:
    from ludo_dsl.conformance.mutation.files import Matrix, folder

    path = folder() / f"{book.name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(Matrix.of(book.name, fates).text(), encoding="utf-8")
