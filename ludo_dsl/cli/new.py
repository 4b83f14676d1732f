"""`ludo new`: the beginning of a rule book of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, shortened

if TYPE_CHECKING:
    from ludo_dsl.rules.book import Book

_NAME = re.compile(r"(?!d[0-9])[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.command()
@click.argument("name")
@click.option("--from", "parent", metavar="VARIANT", required=True, help="The rule book that the new one changes.")
@click.option("--title", metavar="TEXT", help="The name that people read; by default made from NAME.")
@click.option("--file", "file", metavar="FILE", help="Where to write it; by default NAME.ludo in this folder.")
@json_option
def new(name: str, parent: str, title: str | None, file: str | None, as_json: bool) -> None:
    """Write a rule book NAME that changes VARIANT, with its options, readings and rules listed as comments ready to uncomment.

    A file that exists is never overwritten.
    """
    from ludo_dsl.publish.draft import draft
    from ludo_dsl.resources import variant_names

    if len(name) > 60 or not _NAME.fullmatch(name):
        raise click.UsageError(f"`{shortened(name)}` is no name for a rule book: small letters, digits and hyphens, as in `my-house`")
    if name in variant_names():
        raise click.UsageError(f"there is a rule book `{name}` already: choose another name")
    shown = title if title is not None else _title(name)
    if '"' in shown or not shown.strip() or "\n" in shown:
        raise click.UsageError("--title: one line without double quotes")
    path = Path(file or f"{name}.ludo")
    if path.suffix != ".ludo":
        raise click.UsageError(f"--file {shortened(str(path))}: the name of a rule book's file ends in `.ludo`")
    if path.exists():
        raise click.UsageError(f"`{path}` exists already: nothing was written")
    book = open_book(parent).book
    _require_beside(book, parent, path)
    found = draft(name, shown, book, str(path))
    if found.fault is not None:
        raise click.UsageError(f"`{name}` cannot be the name of a rule book here: {found.fault.message}")
    _write(path, found.text)
    if as_json:
        print_json({"file": str(path), "variant": name, "extends": book.name})
    else:
        click.echo(f"{path}: {shown}, which changes {book.title}; `ludo check {path}` checks it, `ludo play {path}` plays it")


def _title(name: str) -> str:
    text = name.replace("-", " ")
    return text[:1].upper() + text[1:]


def _require_beside(book: Book, parent: str, path: Path) -> None:
    """A parent that is a file is found by its name, beside the new one; raises `UsageError` where it would not be."""
    from ludo_dsl.resources import variant_names

    if parent in variant_names():
        return
    source = Path(parent)
    if source.stem != book.name:
        raise click.UsageError(f"--from {parent}: it is the rule book `{book.name}`, which is looked for in a file `{book.name}.ludo`")
    if source.parent.resolve() != path.parent.resolve():
        raise click.UsageError(f"--from {parent}: the new file has to stand in the same folder; give it with `--file`")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"`{path}` exists already: nothing was written") from None
