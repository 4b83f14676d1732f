"""`ludo legal`: the legal moves of a position, and the reason for each refusal."""

from __future__ import annotations

import click

from ludo_dsl.cli.common import json_option, open_book, print_json, read_rolls, say, settings, table_options


@click.command()
@click.argument("variant")
@click.option("--position", required=True, metavar="P", help="The position, such as 'red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red'.")
@click.option("--roll", metavar="N[,N]", help="The faces rolled; several for several dice, or for rolls made at once one after another.")
@click.option("--why", is_flag=True, help="Tell the reason for each refusal, with rule and clauses.")
@table_options
@json_option
def legal(
    variant: str,
    position: str,
    roll: str | None,
    why: bool,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Show the legal moves of a position after a roll (or before one, where the rules give moves without it)."""
    from ludo_dsl.play.turns import Refused, weigh

    game = open_book(variant).position(position, players, settings(options, "option"), settings(readings, "reading"))
    weighed = weigh(game, read_rolls(roll))
    if isinstance(weighed, Refused):
        if as_json:
            print_json({"legal": [], "refused": weighed.as_json()})
        else:
            click.echo(weighed.text())
        return 1
    if as_json:
        print_json({"legal": weighed.legal, "refused": weighed.refused_json()})
        return 0
    for move in weighed.legal:
        click.echo(move)
    if not weighed.legal:
        click.echo(weighed.nothing())
    if why:
        for line in weighed.reasons():
            click.echo(line)
        for line in weighed.rules():
            say(line, "  ")
    return 0
