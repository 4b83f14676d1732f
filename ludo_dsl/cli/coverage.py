"""`ludo coverage`: which scenarios exercise each clause and each rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json, say, show_grid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ludo_dsl.conformance.covering.coverage import Coverage, Covered, Fault
    from ludo_dsl.conformance.scenarios.suite import Suite
    from ludo_dsl.rules.book import Book


@click.command()
@click.argument("variants", metavar="[VARIANT…]", nargs=-1)
@click.option("--suite", type=click.Path(exists=True, path_type=Path), help="Folder or file of scenarios. [default: those of the project]")
@click.option("--clause", "clauses", metavar="CLAUSE", multiple=True, help="Only this clause, with its scenarios; may be repeated.")
@click.option(
    "--rule", "rules", metavar="RULE", multiple=True, help="Only this rule, option or reading, and its scenarios; may be repeated."
)
@click.option("--check", "checking", is_flag=True, help="Exit with 1 if something is not exercised, or is cited and not exercised.")
@click.option("--markdown", is_flag=True, help="Answer as Markdown.")
@json_option
def coverage(
    variants: tuple[str, ...],
    suite: Path | None,
    clauses: tuple[str, ...],
    rules: tuple[str, ...],
    checking: bool,
    markdown: bool,
    as_json: bool,
) -> int:
    """Show which scenarios exercise each clause and each rule: where it applies, and where it just does not.

    That is seen in what the rules do while the scenarios are played, whatever the scenarios cite. VARIANT is a rule book; without
    one, all that have scenarios are shown. Ctrl-C stops and shows what has been played.
    """
    from ludo_dsl.conformance.scenarios.suite import read_suite

    if markdown and as_json:
        raise click.UsageError("--markdown and --json are two ways to answer: choose one")
    scenarios = read_suite(suite)
    found: list[Coverage] = []
    for name in variants or scenarios.variants:
        found.append(_covered(name, scenarios, with_ledger=suite is None))
        if not found[-1].complete:
            break
    wanted = frozenset((*clauses, *rules))
    _require_known(found, wanted)
    faults = [f for c in found for f in c.faults if not wanted or f.concerns(wanted)]
    complete = all(c.complete for c in found)
    if as_json:
        print_json({"ok": not faults, "complete": complete, "variants": [_json(c, wanted) for c in found]})
    elif markdown:
        click.echo("\n".join(line for c in found for line in _markdown(c, wanted)))
    else:
        for each in found:
            _show(each, wanted)
    return 130 if not complete else 1 if checking and faults else 0


def _covered(name: str, scenarios: Suite, with_ledger: bool) -> Coverage:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from ludo_dsl.conformance.covering.coverage import cover
    from ludo_dsl.conformance.covering.ledger import read_ledger
    from ludo_dsl.conformance.scenarios.subjects import book_of

    book: Book = book_of(name)
    mine = [s for s in scenarios if s.variant in (book.name, name)]
    if not mine:
        raise click.UsageError(
            f"there are no scenarios for {book.name}: name a folder with --suite, or write some with `ludo scenarios generate`"
        )
    errors = Console(stderr=True)
    columns = (TextColumn(f"scenarios of {book.name}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("scenarios", total=len(mine))
        ledger = read_ledger() if with_ledger else None
        return cover(book, mine, ledger, lambda done, total: bar.update(task, completed=done, total=total))


def _require_known(found: list[Coverage], wanted: frozenset[str]) -> None:
    from ludo_dsl.diagnostics import closest

    names = [c.name for each in found for c in (*each.clauses, *each.rules)]
    for name in sorted(wanted):
        if name not in names:
            near = closest(name, names)
            raise click.UsageError(f"there is no clause or rule `{name}`" + (f": did you mean `{near}`?" if near else ""))


def _rows(covered: Coverage, wanted: frozenset[str]) -> tuple[list[Covered], list[Covered], list[Fault]]:
    """The clauses, rules and faults that are asked for."""
    clauses = [c for c in covered.clauses if not wanted or c.name in wanted]
    rules = [r for r in covered.rules if not wanted or r.name in wanted]
    return clauses, rules, [f for f in covered.faults if not wanted or f.concerns(wanted)]


# ---- for people ------------------------------------------------------------------------------------------------------


def _show(covered: Coverage, wanted: frozenset[str]) -> None:
    from rich.table import Table as Grid

    clauses, rules, faults = _rows(covered, wanted)
    played = "" if covered.complete else f" ({covered.played} of them played)"
    click.echo(f"{covered.variant}: {covered.scenarios} scenarios{played}")
    for what, rows in (("clause", clauses), ("rule", rules)):
        if not rows:
            continue
        grid = Grid(what, box=None, pad_edge=False, padding=(0, 2, 0, 0))
        grid.add_column("kind")
        grid.add_column("applies", justify="right")
        grid.add_column("just not", justify="right")
        if what == "clause":
            grid.add_column("other checks", overflow="fold")
        for row in rows:
            own = [_others(row)] if what == "clause" else []
            grid.add_row(row.name, row.kind, *_counts(row), *own)
        show_grid(grid)
    if wanted:
        for row in (*clauses, *rules):
            _list(row)
    for fault in faults:
        say(_told(fault))
    if not faults and covered.complete:
        click.echo("every clause is exercised, and every citation is true" if not wanted else "no faults")


def _counts(row: Covered) -> tuple[str, str]:
    """How many scenarios show it each way; a dash where it cannot be shown so, or is not held to be."""
    from ludo_dsl.conformance.covering.looks import Way

    counts = ((Way.APPLIES, len(row.applies)), (Way.JUST_NOT, len(row.just_not)))
    shown = [str(n) if n or way in row.needs else "-" for way, n in counts]
    return shown[0], shown[1]


def _others(row: Covered) -> str:
    """The checks of a clause beside scenarios, counted by kind."""
    kinds: dict[str, int] = {}
    for kind, _ in row.checks:
        kinds[kind] = kinds.get(kind, 0) + 1
    parts = [f"{kind} {count}" for kind, count in kinds.items()]
    return ", ".join([*parts, *(["waits"] if row.waits else [])])


def _list(row: Covered) -> None:
    for heading, names in (
        ("applies", row.applies),
        ("just does not", row.just_not),
        ("other checks", [f"{k} {n}" for k, n in row.checks]),
    ):
        if names:
            click.echo(f"{row.name} {heading}:")
            for name in names:
                click.echo(f"  {name}")
    if row.waits:
        say(f"{row.name} waits for: {row.waits}")


def _told(fault: Fault) -> str:
    where = f" ({fault.shown_place})" if fault.place else ""
    return f"{fault.name}: {fault.message}{where}"


# ---- for programs and pages ------------------------------------------------------------------------------------------


def _json(covered: Coverage, wanted: frozenset[str]) -> dict[str, object]:
    clauses, rules, faults = _rows(covered, wanted)
    return covered.as_json() | {
        "clauses": [c.as_json() for c in clauses],
        "rules": [r.as_json() for r in rules],
        "faults": [f.as_json() for f in faults],
    }


def _markdown(covered: Coverage, wanted: frozenset[str]) -> Iterable[str]:
    clauses, rules, faults = _rows(covered, wanted)
    yield from (f"## {covered.variant}", "", f"{covered.scenarios} scenarios.", "")
    if clauses:
        yield from ("| Clause | Kind | Applies | Just does not | Other checks |", "| --- | --- | ---: | ---: | --- |")
        yield from (f"| {c.name} | {c.kind} | {' | '.join(_counts(c))} | {_others(c)} |" for c in clauses)
        yield ""
    if rules:
        yield from ("| Rule | Kind | Applies | Just does not |", "| --- | --- | ---: | ---: |")
        yield from (f"| {r.name} | {r.kind} | {' | '.join(_counts(r))} |" for r in rules)
        yield ""
    if wanted:
        for row in (*clauses, *rules):
            yield from (f"- {row.name} applies: `{name}`" for name in row.applies)
            yield from (f"- {row.name} just does not: `{name}`" for name in row.just_not)
        yield ""
    yield from (f"- **{_told(f)}**" for f in faults)
    if faults:
        yield ""
