"""What verbs have in common: options for the table, and output for people and programs."""

from __future__ import annotations

import json
import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

    from ludo_dsl.diagnostics import Diagnostic
    from ludo_dsl.play.game import RuleBook
    from ludo_dsl.rules.table import Table

F = TypeVar("F", bound=Callable[..., Any])


def table_options(function: F) -> F:
    """Adds `--players`, `--option` and `--reading` to a verb."""
    for option in (
        click.option(
            "--reading", "readings", metavar="K=V", multiple=True, help="Take another reading of an open question; may be repeated."
        ),
        click.option("--option", "options", metavar="K=V", multiple=True, help="Choose an option of the rule book; may be repeated."),
        click.option("--players", type=click.IntRange(1), metavar="N", help="Number of players."),
    ):
        function = option(function)
    return function


def json_option(function: F) -> F:
    """Adds `--json` to a verb."""
    return click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")(function)


def settings(pairs: Iterable[str], what: str, shape: str = "name=value") -> dict[str, object]:
    """Chosen options or readings from `name=value` texts; raises `UsageError`."""
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--{what} {shlex.quote(shortened(pair))}: write it as `{shape}`")
        if name in found:
            raise click.UsageError(f"--{what} {name} is given twice")
        found[name] = value
    return found


def open_book(variant: str) -> RuleBook:
    """The rule book of a name or file; raises `RuleBookError`."""
    from ludo_dsl.play.game import load

    return load(variant)


def open_table(variant: str, players: int | None, options: Iterable[str], readings: Iterable[str]) -> Table:
    """The rules of a variant at one table; raises `RuleBookError`, `TableError` or `UsageError`."""
    return open_book(variant).table(players, settings(options, "option"), settings(readings, "reading"))


@cache
def console() -> Console:
    """The terminal."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def coloured() -> bool:
    """Whether colours are to be shown: on a terminal that has them, unless `NO_COLOR` is set."""
    return console().color_system is not None and not console().no_color


def say(text: str, indent: str = "") -> None:
    """Prints a sentence, broken between words at the width of the terminal (80 columns where there is none)."""
    wide = max(40, console().width)
    click.echo(textwrap.fill(text, wide, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False))


def show_grid(grid: Grid) -> None:
    """Prints a table, without the blanks that fill up its lines."""
    with console().capture() as capture:
        console().print(grid)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def standard_input(most: int = -1) -> bytes:
    """The bytes of standard input, `most` at most; raises `UsageError` where it is closed."""
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read")
    return sys.stdin.buffer.read(most)


def shown(diagnostic: Diagnostic) -> str:
    """A diagnostic as text; one about something that has no text, such as a missing file, without an excerpt."""
    from ludo_dsl.diagnostics import render

    text = render(diagnostic)
    if diagnostic.source.text:
        return text
    first, *others = [line for line in text.splitlines() if not _EXCERPT.match(line)]
    name = diagnostic.source.name
    return "\n".join([first, *([] if f"`{name}`" in first else [f"  --> {name}"]), *others])


_EXCERPT = re.compile(r" +(-->|\d* *\|)")


def shortened(word: str, longest: int = 60) -> str:
    """A word as it is shown in a message: one that goes on and on is cut."""
    return word if len(word) <= longest else f"{word[:longest]}…"


def print_json(value: object) -> None:
    """Prints a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def read_rolls(text: str | None, option: str = "--roll") -> list[int]:
    """The faces of an option: `3`, or `6,2`; none where it is not given. Raises `UsageError`."""
    faces: list[int] = []
    if text is None:
        return faces
    for part in text.replace("+", ",").split(","):
        word = part.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 6:
            raise click.UsageError(f"{option} {shlex.quote(shortened(text))}: write faces, as in `3` or `6,2`")
        faces.append(int(word))
    return faces
