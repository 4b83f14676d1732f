"""How anything that goes wrong is told to a user, and the exit code that goes with it."""

from __future__ import annotations

import json
import os

import click

from ludo_dsl.diagnostics import RuleBookError, render
from ludo_dsl.game.errors import GameError, IllegalMoveError, IllegalRollError, PositionError
from ludo_dsl.resources import MissingResourceError
from ludo_dsl.rules.table import TableError

NO, USAGE, INPUT, OURS = 1, 2, 3, 4


def report(error: Exception, args: list[str]) -> int:
    """Tells what went wrong, as JSON where JSON was asked for; the exit code."""
    as_json = "--json" in args
    match error:
        case RuleBookError():
            if as_json:
                click.echo(json.dumps({"diagnostics": [d.as_json() for d in error.diagnostics]}, ensure_ascii=False, indent=2))
            else:
                click.echo("\n\n".join(render(d) for d in error.diagnostics), err=True)
            return INPUT
        case click.ClickException():
            _tell(as_json, error.format_message(), "", error)
            return USAGE
        case IllegalMoveError() | IllegalRollError():
            _tell(as_json, error.message, error.hint)
            return NO
        case PositionError():
            where = f"in `{error.field}`: " if error.field else ""
            _tell(as_json, where + error.message, error.hint)
            return USAGE
        case GameError() | TableError():
            _tell(as_json, error.message, error.hint)
            return USAGE
        case MissingResourceError():
            _tell(as_json, str(error), "")
            return OURS
        case OSError():
            _tell(as_json, f"{error.filename or 'file'}: {error.strerror or error}", "")
            return INPUT
        case _:
            return _our_fault(error, as_json)


def _tell(as_json: bool, message: str, hint: str, error: click.ClickException | None = None) -> None:
    if as_json:
        click.echo(json.dumps({"error": message, "hint": hint}, ensure_ascii=False, indent=2))
        return
    context = getattr(error, "ctx", None)
    if context is not None:
        click.echo(context.get_usage(), err=True)
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"  = hint: {hint}", err=True)


def _our_fault(error: Exception, as_json: bool) -> int:
    if os.environ.get("LUDO_DEBUG"):
        raise error
    message = f"this is a fault of the program, not yours: {type(error).__name__}: {error}"
    _tell(as_json, message, "set LUDO_DEBUG=1 to see where, and please report it with the command that you gave")
    return OURS
