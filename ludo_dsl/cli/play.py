"""`ludo play`: a game in the terminal."""

from __future__ import annotations

import math
import random
import sys
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import open_book, settings, table_options
from ludo_dsl.diagnostics import suggestion

if TYPE_CHECKING:
    from ludo_dsl.play.game import Game, RuleBook

KINDS = ("human", "sensible", "random")


@click.command()
@click.argument("variant")
@click.option(
    "--seat",
    "seats",
    metavar="COLOUR=WHO",
    multiple=True,
    help="Who plays a colour: human, sensible or random; may be repeated. [default: the first human, the others sensible]",
)
@click.option("--watch", is_flag=True, help="Let computer players play; you watch.")
@click.option(
    "--delay", type=click.FloatRange(0, 60), default=0.4, show_default=True, help="Seconds between plies when watching in a terminal."
)
@click.option("--seed", type=int, help="Play with the same dice again; without it, the seed is drawn and told.")
@click.option("--first", metavar="COLOUR", help="Who begins; by default as the rule book says (drawn, or a colour).")
@click.option("--position", metavar="P", help="Begin at a position.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw the board with ASCII characters.")
@table_options
def play(
    variant: str,
    seats: tuple[str, ...],
    watch: bool,
    delay: float,
    seed: int | None,
    first: str | None,
    position: str | None,
    ascii_only: bool,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
) -> int:
    """Play a game in the terminal: you against computer players, or several people at one keyboard.

    At the prompt: a number or a move, `?` for the reasons why other moves are refused, `b` for the board, `r` for the rules,
    `q` to stop.
    """
    if math.isnan(delay):
        raise click.UsageError("--delay nan: give a number of seconds, such as 0.5")
    if position is not None and first is not None:
        raise click.UsageError("--first: the position says whose turn it is; give one of the two")
    from ludo_dsl.cli.screen import Screen
    from ludo_dsl.play.session import Session

    number = random.SystemRandom().randrange(2**31) if seed is None else seed
    book = open_book(variant)
    chosen = settings(options, "option"), settings(readings, "reading")
    if position is not None:
        game = book.position(position, players, *chosen)
    else:
        game = book.start(players, *chosen, first=first or _first(book, players, number))
    who = _who(game, seats, watch)
    session = Session(game, who, number)
    return Screen(session, variant, delay, ascii_only or not _has_unicode()).run()


def _has_unicode() -> bool:
    """Whether the terminal can show the marks of the board."""
    return "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()


def _first(book: RuleBook, players: int | None, seed: int) -> str | None:
    """Who begins: the colour that the rule book names (by default), or one that is drawn."""
    if book.book.players.first is not None:
        return None
    names = [p.name for p in book.table(players).players]
    return random.Random(f"{seed}/first").choice(names)


def _who(game: Game, seats: tuple[str, ...], watch: bool) -> dict[str, str]:
    """Who plays each player: the first is a person and the others have sense, unless it is said otherwise."""
    names = [p.name for p in game.table.players]
    who = dict.fromkeys(names, "sensible")
    if not watch and not seats:
        who[names[0]] = "human"
    for colour, kind in settings(seats, "seat", "colour=who").items():
        if colour not in names:
            raise click.UsageError(f"--seat {colour}={kind}: nobody at this table is `{colour}`; {suggestion(colour, names, 'players')}")
        if kind not in KINDS:
            raise click.UsageError(f"--seat {colour}={kind}: nobody plays like `{kind}`; {suggestion(str(kind), KINDS, 'kinds')}")
        if watch and kind == "human":
            raise click.UsageError("--watch is for computer players only")
        who[colour] = str(kind)
    return who
