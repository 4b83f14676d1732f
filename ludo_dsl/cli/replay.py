"""`ludo replay`: a record of a game, checked against the rules line by line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import coloured, console, json_option, print_json, say, shortened

if TYPE_CHECKING:
    from ludo_dsl.play.game import Game
    from ludo_dsl.play.replay import Ended, Fault, Played, Record

F_VARIANT = click.option("--variant", metavar="VARIANT", help="The rule book, if it is not one of the project's or beside the record.")
F_CHANGED = click.option("--changed", is_flag=True, help="Check by the rule book as it is, though it has changed since the game.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--step", is_flag=True, help="Walk through the game: Enter for the next ply, q to stop.")
@F_VARIANT
@F_CHANGED
@json_option
def replay(file: Path, step: bool, variant: str | None, changed: bool, as_json: bool) -> int:
    """Check a record of a game against the rules, and name the first line that is not as they have it.

    A record that was cut short, because the program that wrote it was killed, is accepted up to its last whole line.
    """
    if step and as_json:
        raise click.UsageError("--step is for people, --json for programs: give one of the two")
    from ludo_dsl.play.replay import Fault, Played, open_record
    from ludo_dsl.play.replay import replay as playing

    record = open_record(file, variant, changed)
    if isinstance(record, Fault):
        return _answer(file, None, None, record, 0, as_json)
    game, plies = record.game, 0
    if step and not _show(game, f"{record.header.variant}: {game.position}"):
        return 0
    found: Fault | Ended | Played
    for found in playing(record):
        if not isinstance(found, Played):
            return _answer(file, record, game, found, plies, as_json)
        game, plies = found.game, plies + 1
        if step and not _show(game, told(found), found):
            return 0
    raise AssertionError("a record ends with a fault or an end")


def told(played: Played) -> str:
    """A ply as a line: its number, the player, and the roll or move."""
    ply = played.ply
    did = "rolls " + "+".join(str(f) for f in ply.roll) if ply.roll is not None else f"plays {ply.move}"
    return f"ply {ply.ply}: {ply.player} {did}"


def tell_fault(file: Path, fault: Fault) -> None:
    """Tells people what is wrong with a line."""
    click.echo(f"{file}:{fault.line}: {_plain(fault.message)}", err=True)
    for line in fault.text():
        click.echo(f"  {_plain(line)}", err=True)
    if fault.hint:
        click.echo(f"  = hint: {fault.hint}", err=True)


def _plain(text: str) -> str:
    """A text that may quote a line which somebody has edited: nothing in it commands the terminal, and no word goes on and on."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return " ".join(shortened(word, 200) for word in shown.split(" "))


def _answer(file: Path, record: Record | None, game: Game | None, last: Fault | Ended, plies: int, as_json: bool) -> int:
    from ludo_dsl.play.replay import Fault

    fault = last if isinstance(last, Fault) else None
    end = last.end if not isinstance(last, Fault) else None
    ending = "fault" if fault else end.end if end else "cut short"
    if as_json:
        places = dict(end.places) if end and end.places else None
        found: dict[str, object] = {"file": str(file), "variant": record.header.variant if record else None, "plies": plies}
        found |= {"ending": ending, "position": game.position if game else None, "places": places}
        print_json({**found, "fault": fault.as_json() if fault else None})
        return 1 if fault else 0
    if fault is not None:
        tell_fault(file, fault)
        return 1
    assert game is not None
    assert record is not None
    assert not isinstance(last, Fault)
    _tell_end(file, record, game, last, plies)
    return 0


def _tell_end(file: Path, record: Record, game: Game, last: Ended, plies: int) -> None:
    from ludo_dsl.cli.ending import result

    count = f"{plies} {'ply' if plies == 1 else 'plies'}"
    click.echo(f"{file}: {game.table.book.title}, {record.header.players} players: {count}, every one as the rules have it")
    if last.end is None:
        where = f"in line {last.cut}" if last.cut else f"after line {plies + 1}"
        click.echo(f"the record is cut short {where}: it has no end line")
    elif last.end.end == "stopped":
        click.echo("the game was stopped")
    if game.over:
        for line in result(game, None):
            click.echo(line)
    else:
        click.echo(f"it stands at {game.position}")


def _show(game: Game, title: str, played: Played | None = None) -> bool:
    """Shows a ply with the board; whether to go on."""
    from ludo_dsl.play.turns import Taken
    from ludo_dsl.publish.draw import draw

    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    board = draw(game.table, game.state.pieces, colour=coloured(), ascii_only=not unicode)
    if coloured():
        console().print(board)
    else:
        click.echo("\n".join(line.rstrip() for line in board.plain.splitlines()))
    say(title)
    if played is not None:
        for line in Taken(played.before, game, (game,)).story():
            say(line.strip(), "  ")
    return game.over or _goes_on()


def _goes_on() -> bool:
    if sys.stdin is None:
        return False
    try:
        answer = click.prompt("Enter for the next ply, q to stop", default="", show_default=False, prompt_suffix="> ")
    except click.Abort as stop:
        if isinstance(stop.__context__, KeyboardInterrupt):
            raise
        return False
    if not sys.stdin.isatty():
        click.echo()
    return answer.strip() not in ("q", "quit")
