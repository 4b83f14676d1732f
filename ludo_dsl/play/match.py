"""Playing a game to its end: players choose, a source rolls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludo_dsl.game.engine import Engine
from ludo_dsl.game.events import Step
from ludo_dsl.game.state import Choice, Roll, State
from ludo_dsl.play.chance import Source
from ludo_dsl.play.players import Player
from ludo_dsl.rules.statements import NeverRoll


class Ply(NamedTuple):
    """One roll or one choice in a game, and what came of it."""

    before: State
    roll: Roll | None
    choice: Choice | None
    step: Step


def playing(engine: Engine, state: State, players: Sequence[Player], dice: Source) -> Iterator[Ply]:
    """The plies of a game from a position to its end; `players` has one player for each at the table."""
    faces = tuple(face for face, _ in engine.table.book.dice.faces)
    barred = any(isinstance(s, NeverRoll) for s in engine.table.statements)
    while not state.over:
        if state.due or (state.owed and not state.pool):
            roll = dice.roll(state.turn, engine.faces(state) if barred else faces)
            ply = Ply(state, roll, None, engine.roll(state, roll))
        else:
            choice = players[state.turn].choose(engine, state, engine.legal(state))
            ply = Ply(state, None, choice, engine.move(state, choice))
        yield ply
        state = ply.step.state
