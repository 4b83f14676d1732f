"""Recorded games: what they look like as text, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ludo_dsl.game.notation import move_text, position_text, roll_text
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.table import shown_value
from tests.game.tables import Ply, Setup, counts, each_value, engine, game, numbers

FOLDER = Path(__file__).parent / "playthroughs"

SHOWN = {True: 60, False: 40}
"""Plies that are written down: of a game by the defaults, and of one with a setting changed. Its end is written as well."""

BROKEN_OFF = 5_000
"""Plies after which a game is broken off: with some readings none may ever end."""


def recorded() -> list[Setup]:
    """The tables whose games are recorded: defaults for the fewest and the most players, and each other value once."""
    most = [Setup(variant, counts(variant)[-1]) for variant in variant_names() if len(counts(variant)) > 1]
    return [*each_value(), *most]


def path(setup: Setup) -> Path:
    """The file of a table's game."""
    settings = ["+".join((name, shown_value(value).replace(",", "."))) for name, value in setup.chosen]
    return FOLDER / ("_".join([setup.variant, f"{setup.players}p", *settings]) + ".txt")


def text(setup: Setup) -> str:
    """The game of a table as text: a header, a line a ply with the roll or move and the position after it, and the end."""
    return "\n".join(_lines(setup)) + "\n"


def _lines(setup: Setup) -> Iterator[str]:
    table = setup.table
    yield f"variant {setup.variant}"
    yield f"players {setup.players}"
    for name, value in setup.chosen:
        setting = table.book.setting(name)
        assert setting is not None
        yield f"{setting.role} {name} {shown_value(value)}"
    yield f"seed {setup}"
    now = engine(setup).start()
    yield f"start: {position_text(table, now)}"
    shown = SHOWN[not setup.chosen]
    count = 0
    for ply in game(engine(setup), numbers(str(setup))):
        count += 1
        now = ply.step.state
        if count <= shown:
            yield f"{_done(setup, ply)}: {position_text(table, now)}"
        if count == BROKEN_OFF:
            break
    yield f"{'end' if now.over else 'broken off'} after {count} plies: {position_text(table, now)}"
    places = engine(setup).places(now)
    yield "places " + " ".join(f"{p.name}={place}" for p, place in zip(table.players, places, strict=True))


def _done(setup: Setup, ply: Ply) -> str:
    if ply.choice is None:
        assert ply.roll is not None
        return f"roll {roll_text(ply.roll)}"
    return f"move {move_text(setup.table, ply.before, ply.choice)}"
