"""`ludo check`: every fault of a rule book, with its place and its cure."""

from __future__ import annotations

from pathlib import Path

import click

from ludo_dsl.cli.common import json_option, print_json, shown, standard_input


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@json_option
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check rule books and tell every fault that a phase finds, with file, line, caret and hint.

    FILE is a `.ludo` file, `-` for standard input, or the name of a rule book of the project.
    """
    from ludo_dsl.check.book import check as check_source
    from ludo_dsl.check.finding import locate
    from ludo_dsl.diagnostics import Diagnostic, RuleBookError
    from ludo_dsl.source import Source
    from ludo_dsl.syntax.parser import LARGEST, decode, read_source

    def source_of(name: str) -> Source:
        return decode("<stdin>", standard_input(4 * LARGEST + 1)) if name == "-" else read_source(locate(name))

    found: list[Diagnostic] = []
    fine: list[str] = []
    for name in files:
        try:
            source = source_of(name)
            checked = check_source(source)
        except RuleBookError as error:
            found.extend(error.diagnostics)
        else:
            found.extend(checked.warnings)
            if checked.book.parent is not None:
                # The interpreter is loaded only where there is something to try on it.
                from ludo_dsl.play.claims import claims_broken_by_changes

                found.extend(claims_broken_by_changes(source, checked.book))
            fine.append(f"{Path(name).name}: {checked.book.title}: {_counts(checked.book)}")
    errors = sum(d.severity == "error" for d in found)
    if as_json:
        print_json({"ok": not errors, "diagnostics": [d.as_json() for d in found]})
    else:
        for diagnostic in found:
            click.echo(shown(diagnostic) + "\n", err=True)
        for line in fine:
            click.echo(line)
        if errors:
            code = next(d.code for d in found if d.severity == "error")
            click.echo(f"{errors} {'fault' if errors == 1 else 'faults'}; `ludo explain {code}` tells more about {code}", err=True)
    return 3 if errors else 0


def _counts(book: object) -> str:
    from ludo_dsl.rules.book import Book

    assert isinstance(book, Book)
    options = sum(s.role == "option" for s in book.settings)
    readings = len(book.settings) - options
    rules = sum(d.kind == "rule" for d in book.declarations)
    return f"{rules} rules, {len(book.statements)} statements, {options} options, {readings} readings, no faults"
