"""`ludo why`: the rules and clauses behind a ply of a recorded game, or behind a move that was not made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, print_json, say
from ludo_dsl.cli.replay import F_CHANGED, F_VARIANT, tell_fault, told

if TYPE_CHECKING:
    from ludo_dsl.play.reasons import Use
    from ludo_dsl.play.replay import Fault, Played
    from ludo_dsl.play.turns import Refused


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("ply", type=click.IntRange(1))
@click.argument("move", required=False)
@F_VARIANT
@F_CHANGED
@json_option
def why(file: Path, ply: int, move: str | None, variant: str | None, changed: bool, as_json: bool) -> int:
    """Tell which rules and clauses made ply PLY of a record legal and took part in what it did.

    With MOVE: whether that move would have been legal there, and by which rules. Of a roll, what could be made of it is asked.
    """
    from ludo_dsl.play.reasons import uses
    from ludo_dsl.play.replay import Fault
    from ludo_dsl.play.turns import Refused, take

    played = _find(file, ply, variant, changed)
    if isinstance(played, Fault):
        if as_json:
            print_json({"fault": played.as_json()})
        else:
            tell_fault(file, played)
        return 1
    if move is None:
        return _answer(played, None, uses([played.game]), as_json)
    taken = take(played.before, played.ply.roll or (), move)
    if isinstance(taken, Refused):
        return _refused(played, move, taken, as_json)
    return _answer(played, move, uses(taken.steps), as_json)


def _find(file: Path, ply: int, variant: str | None, changed: bool) -> Played | Fault:
    """The ply of that number; a fault in or before it; raises `GameError` if there are fewer plies."""
    from ludo_dsl.game.errors import GameError
    from ludo_dsl.play.replay import Fault, Played, open_record, replay

    record = open_record(file, variant, changed)
    if isinstance(record, Fault):
        return record
    count = 0
    for found in replay(record):
        if isinstance(found, Fault):
            return found
        if isinstance(found, Played):
            count = found.ply.ply
            if count == ply:
                return found
    raise GameError(
        f"the record has {count} {'ply' if count == 1 else 'plies'}, and no ply {ply}", f"give a number from 1 to {count}" if count else ""
    )


def _answer(played: Played, move: str | None, found: tuple[Use, ...], as_json: bool) -> int:
    if as_json:
        print_json({**_what(played, move), "legal": True, "rules": [u.as_json() for u in found], "refused": []})
        return 0
    _tell_ply(played)
    if move is not None:
        click.echo(f"{move} would have been legal")
    legal, acted = [u for u in found if u.makes_legal], [u for u in found if u.acted]
    if not legal and played.ply.roll is None:
        click.echo("no rule had to allow it")
    _tell(legal, "legal by")
    _tell(acted, "in what it did took part" if move is None else "in what it would have done took part")
    if move is None and played.ply.roll is not None:
        _tell_use(played)
    return 0


def _refused(played: Played, move: str, refused: Refused, as_json: bool) -> int:
    if as_json:
        print_json({**_what(played, move), "legal": False, "rules": [], "refused": refused.as_json()})
        return 1
    _tell_ply(played)
    for line in refused.text().splitlines():
        say(line.strip(), "  " if line.startswith(" ") else "")
    return 1


def _what(played: Played, move: str | None) -> dict[str, object]:
    ply = played.ply
    did = {"roll": list(ply.roll)} if ply.roll is not None else {"move": ply.move}
    return {"line": played.number, "ply": ply.ply, "player": ply.player, "before": played.before.position, **did, "asked": move}


def _tell_ply(played: Played) -> None:
    click.echo(told(played))
    click.echo(f"before: {played.before.position}")
    click.echo(f"after:  {played.game.position}")


def _tell(found: list[Use], heading: str) -> None:
    if not found:
        return
    click.echo(f"{heading}:")
    for use in found:
        say(use.text(), "  ")


def _tell_use(played: Played) -> None:
    """What a roll could be used for, or why nothing could use it."""
    from ludo_dsl.play.turns import Refused, weigh

    weighed = weigh(played.before, played.ply.roll or ())
    if isinstance(weighed, Refused):
        return
    if weighed.choices:
        say(f"it could be used for {', '.join(weighed.legal)}")
    if weighed.choices or not weighed.refused:
        return
    click.echo("no piece could use it:")
    for line in [*weighed.reasons(), *weighed.rules()]:
        say(line, "  ")
