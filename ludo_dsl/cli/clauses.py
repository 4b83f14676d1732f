"""`ludo clauses`: which statement of a rule book states which clause of its source text."""

from __future__ import annotations

import click

from ludo_dsl.cli.common import json_option, print_json, show_grid


@click.command()
@click.argument("variant", required=False)
@click.option(
    "--check", "checking", is_flag=True, help="Exit with 1 if a clause is not stated anywhere, or a citation is not in the register."
)
@json_option
def clauses(variant: str | None, checking: bool, as_json: bool) -> int:
    """List each clause that a rule book cites, with the statement that states it.

    The register of clauses is `spec/clauses.yaml`: every statement of the source texts, numbered, in our own words.
    """
    from ludo_dsl.check.clauses import citations, disagreements

    names = [variant] if variant else None
    rows = citations(names)
    if checking:
        faults = disagreements(names)
        if as_json:
            print_json({"ok": not faults, "faults": faults})
        else:
            for fault in faults:
                click.echo(fault, err=True)
            click.echo(f"{len(rows)} citations, {len(faults)} faults")
        return 1 if faults else 0
    if as_json:
        print_json([row.as_json() for row in rows])
        return 0
    from rich.table import Table as Grid

    grid = Grid("clause", "kind", box=None, pad_edge=False)
    grid.add_column("statement", overflow="fold")
    grid.add_column("place", no_wrap=True)
    for row in rows:
        grid.add_row(row.clause, row.kind, row.statement, f"{row.shown_file}:{row.line}")
    show_grid(grid)
    return 0
