"""`ludo fmt`: rule books in canonical layout."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from ludo_dsl.cli.common import console, print_json, standard_input
from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.formatter import format_source
from ludo_dsl.syntax.parser import LARGEST, decode, read_source

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_STYLES = (("+++", "bold"), ("---", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))


@dataclass(frozen=True, slots=True)
class _Formatted:
    """A file (standard input without a path): its bytes as they are and as they should be."""

    name: str
    path: Path | None
    before: bytes
    after: bytes


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Change nothing; list what would change, and exit with 1 if anything would.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
@click.option("--json", "as_json", is_flag=True, help="With --check or --diff: answer as JSON.")
def fmt(files: tuple[str, ...], check: bool, diff: bool, as_json: bool) -> None:
    """Give rule books their canonical layout, in place; `-` stands for standard input and output."""
    if as_json and not (check or diff):
        raise click.UsageError("--json answers for --check and --diff only")
    faults: list[Diagnostic] = []
    changed_files: list[dict[str, str]] = []
    for name in files:
        try:
            formatted = _read(name)
            changed = formatted.before != formatted.after
            if changed:
                changed_files.append({"file": formatted.name, "diff": "".join(_difference(formatted))})
            if not as_json:
                _tell(formatted, changed, check, diff)
            if not (check or diff):
                _write(formatted, changed)
        except RuleBookError as error:
            # The other files are formatted all the same.
            faults.extend(error.diagnostics)
    if faults:
        raise RuleBookError(faults)
    if as_json:
        print_json({"ok": not changed_files, "changes": changed_files})
    if check and changed_files:
        raise click.exceptions.Exit(1)


def _read(name: str) -> _Formatted:
    """A file and its layout; one byte more than is allowed is read of standard input, so that too long a text is noticed."""
    if name == "-":
        before = standard_input(4 * LARGEST + 1)
        return _Formatted("<stdin>", None, before, format_source(decode("<stdin>", before)).encode())
    path = Path(name)
    after = format_source(read_source(path)).encode()
    return _Formatted(name, path, path.read_bytes(), after)


def _tell(formatted: _Formatted, changed: bool, check: bool, diff: bool) -> None:
    if not changed:
        return
    if diff:
        _show_difference(formatted)
    if check:
        click.echo(f"would change: {formatted.name}", err=diff)
    elif not diff and formatted.path is not None:
        click.echo(f"changed: {formatted.name}", err=True)


def _difference(formatted: _Formatted) -> list[str]:
    before, after = (_LINE.findall(data.decode("utf-8")) for data in (formatted.before, formatted.after))
    lines = difflib.unified_diff(before, after, formatted.name, formatted.name)
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _show_difference(formatted: _Formatted) -> None:
    """The unified difference: exact for a file or pipe, coloured on a terminal."""
    lines = _difference(formatted)
    if not console().is_terminal:
        sys.stdout.buffer.write("".join(lines).encode())
        return
    from rich.text import Text  # only here: it takes time to load

    for line in lines:
        style = next((style for start, style in _STYLES if line.startswith(start)), "")
        console().print(Text(line.rstrip("\r\n"), style=style), soft_wrap=True)


def _write(formatted: _Formatted, changed: bool) -> None:
    if formatted.path is None:
        sys.stdout.buffer.write(formatted.after)
    elif changed:
        try:
            _replace(formatted.path.resolve(), formatted.after)
        except OSError as error:
            source = Source(formatted.name, "")
            message = f"cannot write the file: {error.strerror}"
            raise RuleBookError([Diagnostic("L0005", message, source, Span(0, 0), "nothing was changed")]) from None


def _replace(path: Path, data: bytes) -> None:
    """Put new bytes in the place of a file at once: whatever fails, either the old ones or the new ones are there."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
