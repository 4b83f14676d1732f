"""`ludo report`: reports of `ludo conform` shown, merged and compared."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludo_dsl.cli.common import json_option

if TYPE_CHECKING:
    from ludo_dsl.conformance.running.verdicts import Run


@click.group()
def report() -> None:
    """Show, merge and compare reports that `ludo conform --report FILE` has written (JSON Lines).

    A report whose last line, the footer, is missing was cut short, and is refused.
    """


@report.command()
@click.argument("file", metavar="FILE")
@click.option("--html", metavar="FILE", help="Write a page of HTML that needs nothing outside it.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML, as continuous integration reads it.")
@click.option("--badge", metavar="FILE", help="Write a badge: FILE.svg is a picture, FILE.json the endpoint of shields.io.")
@json_option
def show(file: str, html: str | None, junit: str | None, badge: str | None, as_json: bool) -> None:
    """Show a report: fractions of clauses, readings, what was not shown, and the first failures with the board drawn."""
    from ludo_dsl.conformance.reports import read_jsonl, write_badge, write_html, write_junit
    from ludo_dsl.conformance.reports.badge import ENDINGS

    if badge is not None and not badge.endswith(ENDINGS):
        raise click.UsageError(f"--badge {badge}: the name of a badge ends in {' or '.join(f'`{e}`' for e in ENDINGS)}")
    run = read_jsonl(Path(file))
    for target, write in ((html, write_html), (junit, write_junit), (badge, write_badge)):
        if target is not None:
            write(run, Path(target))
            click.echo(f"written: {target}", err=True)
    _tell(run, (), as_json)


@report.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write the merged report.")
@click.option("--known", metavar="FILE", help="The known failures that the runs were given; without it none is excused.")
@json_option
def merge(files: tuple[str, ...], output: str, known: str | None, as_json: bool) -> int:
    """Merge reports of one engine, such as the shards of a run, and settle readings and clauses anew.

    Exit codes are those of `ludo conform`: 0 conforms, 1 broken, 2 incomplete (also where a shard is missing).
    """
    from ludo_dsl.conformance.reports import read_jsonl, write_jsonl
    from ludo_dsl.conformance.reports.merge import merge as merged_of
    from ludo_dsl.conformance.running.known import read_known

    excused = read_known(Path(known)) if known is not None else None
    runs = {file: read_jsonl(Path(file)) for file in files}
    merged = merged_of(runs, excused, date.today())
    write_jsonl(merged.run, Path(output))
    click.echo(f"written: {output}", err=True)
    _tell(merged.run, merged.notes, as_json)
    return merged.run.exit_code


@report.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@json_option
def compare(before: str, after: str, as_json: bool) -> int:
    """Tell what is otherwise in the report AFTER than in BEFORE: two runs of an engine, or two engines.

    Exit code 1 if anything got worse: a clause that is newly broken, one that was kept and is not shown any more, or a scenario
    that went well and does not. Another reading of an open clause is none the worse.
    """
    from ludo_dsl.conformance.reports import read_jsonl
    from ludo_dsl.conformance.reports.compare import compare as comparison_of
    from ludo_dsl.conformance.reports.compare import comparison_json, comparison_lines

    runs = (read_jsonl(Path(before)), read_jsonl(Path(after)))
    comparison = comparison_of(*runs)
    if as_json:
        _print_json(comparison_json(comparison, (before, after), runs))
    else:
        for line in comparison_lines(comparison, runs):
            click.echo(line)
    return 1 if comparison.worse else 0


def _tell(run: Run, notes: tuple[str, ...], as_json: bool) -> None:
    from ludo_dsl.cli.common import console
    from ludo_dsl.conformance.reports import show as show_run
    from ludo_dsl.conformance.reports.summary import summary

    if as_json:
        _print_json(summary(run, notes))
        return
    show_run(run, console())
    for note in notes:
        click.echo(f"note: {note}")


def _print_json(value: dict[str, Any]) -> None:
    """Prints JSON in ASCII: an engine may have said anything, halves of characters included."""
    click.echo(json.dumps(value, indent=2))
