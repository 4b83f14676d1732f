"""The command line: one file per verb; loaded only when the verb is used.

Exit codes: 0 fine, 1 the answer is no, 2 bad usage, 3 bad input file, 4 our fault; 130 after Ctrl-C.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from ludo_dsl import __version__

VERBS = {
    "check": "Check rule books: names, types, board, meetings, sentences.",
    "claims": "Put the claims of a rule book to the test.",
    "clauses": "List the clauses of the source texts and where they are stated.",
    "conform": "Hold an engine to the rules: which it keeps, which it breaks, what could not be shown.",
    "coverage": "Show which scenarios exercise each clause and each rule.",
    "diff": "Tell how two rule books, or two tables of one, differ.",
    "distinguish": "Find the shortest game that tells two rule books, or two tables of one, apart.",
    "explain": "Explain a code such as L0203 at length.",
    "fairness": "Prove that dice were not changed, or find the roll that was.",
    "fmt": "Lay rule books out in the one well-formed way.",
    "fuzz": "Play random games on an engine in step with the rules, and shrink what differs.",
    "host": "Run scripts for the table around the game: seats, clock, drop-outs, series.",
    "legal": "Show the legal moves of a position, and why others are refused.",
    "move": "Make a move and show the position, the events and the rules that took part.",
    "mutate": "Break a rule book in every small way and see whether the suite notices.",
    "new": "Begin a rule book of your own that changes another.",
    "perft": "Count the positions that two and three rolls reach.",
    "play": "Play a game in the terminal.",
    "read": "Say in plain English what the statements of a rule book say.",
    "replay": "Check a record of a game against the rules, and walk through it.",
    "report": "Merge, show and compare reports of `ludo conform`.",
    "rules": "Print the rule book of a table as people read it.",
    "scenarios": "Check the scenarios of a suite, or write a suite for a rule book.",
    "serve": "Be an engine over the protocol, playing the rule books.",
    "simulate": "Play many games by computer and report lengths, wins and captures.",
    "table": "Show what happens when pieces meet, square by square.",
    "variants": "List the rule books, or the options and readings of one.",
    "why": "Tell why a move of a recorded game was legal, or another was not.",
}


class _NobodyReadsError(Exception):
    """Whoever read our output has heard enough; Click would make a failure of it."""


class _Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def invoke(self, ctx: click.Context) -> object:
        """Runs a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _NobodyReadsError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"ludo_dsl.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds a verb; a misspelt one gets a suggestion."""
        from ludo_dsl.diagnostics import closest

        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            near = closest(name, VERBS)
            hint = f": did you mean `{near}`?" if near else ""
            raise click.UsageError(f"there is no command `{name}`{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ludo")
def ludo() -> None:
    """The rule book of Ludo: read, check and play rules that are written down once.

    A VARIANT is the name of a rule book that comes with the project (`ludo variants`), or a file such as `my-house.ludo`.
    """


def main(args: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process with one of the documented exit codes."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show must not end the program.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Runs the command line; the exit code."""
    given = list(sys.argv[1:] if args is None else args)
    try:
        try:
            result = ludo.main(args=given, prog_name="ludo", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
        except SystemExit as error:
            # Rich ends the process itself when nobody reads its output any more.
            if isinstance(error.__context__, BrokenPipeError):
                raise error.__context__ from None
            return error.code if isinstance(error.code, int) else 1
        return result if isinstance(result, int) else 0
    except (BrokenPipeError, _NobodyReadsError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, click.Abort):
        click.echo('{"error": "stopped", "hint": ""}' if "--json" in given else "stopped", err="--json" not in given)
        return 130
    except Exception as error:
        # Only here: most runs need none of what it loads.
        from ludo_dsl.cli.faults import report

        return report(error, given)
