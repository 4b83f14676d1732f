"""How anything that goes wrong is told to a user, and the exit code that goes with it."""

from __future__ import annotations

import os
import re

import click

from ludo_dsl.cli.common import print_json, shortened, shown
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.documents import DocumentError
from ludo_dsl.game.errors import EndlessRulesError, GameError, IllegalMoveError, IllegalRollError, PositionError
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.resources import MissingResourceError
from ludo_dsl.rules.table import TableError

NO, USAGE, INPUT, OURS = 1, 2, 3, 4


def report(error: Exception, args: list[str]) -> int:
    """Tells what went wrong, as JSON where JSON was asked for; the exit code."""
    as_json = "--json" in args
    match error:
        case RuleBookError():
            _tell_faults(error, as_json)
            return INPUT
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return USAGE
        case click.ClickException():
            _tell(as_json, _plain(error.format_message()), _help(error))
            return USAGE
        case IllegalMoveError() | IllegalRollError():
            _tell(as_json, error.message, error.hint)
            return NO
        case PositionError():
            where = f"in `{shortened(error.field)}`: " if error.field else ""
            _tell(as_json, where + error.message, error.hint)
            return USAGE
        case GameError() | TableError():
            _tell(as_json, error.message, error.hint)
            return USAGE
        case RecordError() | DocumentError():
            _tell(as_json, error.message, error.hint, f"{error.place}: ")
            return INPUT
        case EndlessRulesError():
            _tell(as_json, str(error), "a rule ends every turn, or skips every roll: give it a condition")
            return INPUT
        case MissingResourceError():
            _tell(as_json, str(error), "")
            return OURS
        case OSError():
            _tell(as_json, f"{error.filename or 'the output'}: {(error.strerror or str(error)).lower()}", "")
            return INPUT
        case _:
            return _our_fault(error, as_json)


def _tell_faults(error: RuleBookError, as_json: bool) -> None:
    if not as_json:
        click.echo("\n\n".join(shown(d) for d in error.diagnostics), err=True)
        return
    first = error.diagnostics[0]
    print_json({"error": first.message, "hint": first.hint, "diagnostics": [d.as_json() for d in error.diagnostics]})


def _plain(message: str) -> str:
    """A message of Click in our manner: lower case, names in backticks, no full stop."""
    text = re.sub(r"'([^']*)'", r"`\1`", message).rstrip(".")
    text = text.replace("is not a valid integer range", "is no whole number").replace("is not a valid integer", "is no whole number")
    text = text.replace("is not a valid float range", "is no number")
    return text[:1].lower() + text[1:]


def _help(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"`{context.command_path} --help` shows how it is used" if context is not None else ""


def _tell(as_json: bool, message: str, hint: str, place: str = "") -> None:
    message = place + " ".join(shortened(word) for word in message.split(" "))
    if as_json:
        print_json({"error": message, "hint": hint})
        return
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"  = hint: {hint}", err=True)


def _our_fault(error: Exception, as_json: bool) -> int:
    if os.environ.get("LUDO_DEBUG"):
        raise error
    message = f"this is a fault of the program, not yours: {type(error).__name__}: {error}"
    _tell(as_json, message, "set LUDO_DEBUG=1 to see where, and please report it with the command that you gave")
    return OURS
