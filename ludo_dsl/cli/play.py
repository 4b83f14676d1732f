"""`ludo play`: a game in the terminal."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import open_book, settings, table_options
from ludo_dsl.diagnostics import suggestion

if TYPE_CHECKING:
    from ludo_dsl.play.game import Game
    from ludo_dsl.play.records import Recorder
    from ludo_dsl.play.session import Session
    from ludo_dsl.play.transcript import CommittedDice
    from ludo_dsl.rules.table import Table

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
@click.option("--log", metavar="FILE", type=click.Path(path_type=Path), help="Write a record of the game to a new file; see `ludo replay`.")
@click.option(
    "--transcript",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Roll dice that can be proven, and write their transcript to a new file; see `ludo fairness`.",
)
@click.option(
    "--host", "hosts", metavar="K=V", multiple=True, help="Choose a setting of the table, such as turn-seconds=30; may be repeated."
)
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
    log: Path | None,
    transcript: Path | None,
    hosts: tuple[str, ...],
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
    chosen_host = settings(hosts, "host")
    begins = None
    if position is not None:
        game = book.position(position, players, *chosen)
    else:
        begins = first or _first(book.table(players, *chosen), chosen_host, number)
        game = book.start(players, *chosen, first=begins)
    who = _who(game, seats, watch)
    with _committed(game, transcript) as dice:
        session = Session(game, who, number, dice=dice, host=chosen_host)
        with _recorder(session, variant, begins, log) as session.recorder:
            return Screen(session, variant, delay, ascii_only or not _has_unicode()).run()


@contextmanager
def _committed(game: Game, transcript: Path | None) -> Iterator[CommittedDice | None]:
    """Committed dice, if a transcript is asked for: the commitment is shown first, the secret when the game ends or stops."""
    if transcript is None:
        yield None
        return
    from ludo_dsl.play.fairness import new_secret, terms_of
    from ludo_dsl.play.transcript import CommittedDice

    match_id = f"{game.table.book.name}-{new_secret()[:8].hex()}"
    dice = CommittedDice(game.table, terms_of(game.table, match_id), new_secret(), transcript)
    click.echo(f"commitment {dice.commitment}")
    try:
        yield dice
    finally:
        dice.reveal()


def _recorder(session: Session, variant: str, begins: str | None, log: Path | None) -> AbstractContextManager[Recorder | None]:
    """What writes the game down in a file, if one is named."""
    if log is None:
        return nullcontext()
    from ludo_dsl.check.digest import digest
    from ludo_dsl.check.finding import locate
    from ludo_dsl.play.records import Recorder, header_of
    from ludo_dsl.syntax.parser import read_source

    book = digest(read_source(locate(variant)))
    return Recorder(log, header_of(session.game, variant, book, session.who, begins, session.seed))


def _has_unicode() -> bool:
    """Whether the terminal can show the marks of the board."""
    return "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()


def _first(table: Table, host: dict[str, object], seed: int) -> str:
    """Who begins, by the settings of the table: the colour that the rule book names (by default), or one that is drawn."""
    from ludo_dsl.play.host import opener
    from ludo_dsl.rules.hosting import settle

    return opener(table.book, settle(table, host), [p.name for p in table.players], seed)


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
