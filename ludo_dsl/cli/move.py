"""`ludo move`: the position after a move, with its events and the rules that took part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, read_rolls, settings, table_options

if TYPE_CHECKING:
    from ludo_dsl.play.game import Game


@click.command()
@click.argument("variant")
@click.option("--position", required=True, metavar="P", help="The position, such as 'red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red'.")
@click.option("--roll", metavar="N[,N]", help="The faces rolled; several for several dice, or for rolls made at once one after another.")
@click.option("--move", "wanted", metavar="M", help="The move, such as 20>23; may be left out when the roll can only be lost.")
@click.option("--as", "viewer", metavar="COLOUR", help="Show the new position as this player sees it.")
@table_options
@json_option
def move(
    variant: str,
    position: str,
    roll: str | None,
    wanted: str | None,
    viewer: str | None,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Make a move and show the position after it, what happened, and the rules that took part."""
    from ludo_dsl.play.turns import Refused, take

    game = open_book(variant).position(position, players, settings(options, "option"), settings(readings, "reading"))
    taken = take(game, read_rolls(roll), wanted)
    if isinstance(taken, Refused):
        if as_json:
            print_json({"refused": taken.as_json()})
        else:
            click.echo(taken.text(), err=True)
        return 1
    shown = taken.game.seen_by(viewer) if viewer else taken.game.position
    if as_json:
        print_json({"position": shown, "events": taken.events_json(viewer), "rules": taken.rules(viewer), **_places(taken.game)})
        return 0
    click.echo(shown)
    for line in taken.story(viewer):
        click.echo(line)
    return 0


def _places(game: Game) -> dict[str, object]:
    """The places, once the game is over."""
    return {"places": game.places()} if game.over else {}
