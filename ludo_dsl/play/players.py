"""Computer players: one that plays at random, and one with sense."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from ludo_dsl.game.engine import Engine
from ludo_dsl.game.state import Choice, State
from ludo_dsl.rules.expressions import NEVER, Expr, SquareIs, Squares, Truth
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import Send, Trigger, When
from ludo_dsl.rules.table import Table


class Player(Protocol):
    """Chooses among legal choices."""

    def choose(self, engine: Engine, state: State, choices: tuple[Choice, ...]) -> Choice:
        """One of the choices (at least one is given)."""


class RandomPlayer:
    """Takes every legal choice with the same chance."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, engine: Engine, state: State, choices: tuple[Choice, ...]) -> Choice:
        """One of the choices, each with the same chance."""
        return choices[0] if len(choices) == 1 else self._rng.choice(choices)


class SensiblePlayer:
    """Tries each choice once and takes the best position: own pieces far on and out of reach, rivals far back.

    It looks at the rules only through the engine and the squares on which pieces can be captured at all; ties are broken
    at random.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._exposed: dict[int, frozenset[int]] = {}

    def choose(self, engine: Engine, state: State, choices: tuple[Choice, ...]) -> Choice:
        """The choice whose position is worth most to the player."""
        if len(choices) == 1:
            return choices[0]
        worths = [self._worth(engine, engine.move(state, choice).state, state.turn) for choice in choices]
        best = max(worths)
        return self._rng.choice([c for c, w in zip(choices, worths, strict=True) if w == best])

    def _worth(self, engine: Engine, after: State, player: int) -> float:
        table = engine.table
        side = table.players[player].side
        worth = 0.0
        for index, other in enumerate(table.players):
            sign = 1.0 if other.side == side else -1.0 / max(1, len(table.sides) - 1)
            worth += sign * (after.scores[index] + sum(self._progress(table, after, c) for c in other.colours))
        worth -= sum(self._risk(table, after, c, side) for c in table.players[player].colours)
        if after.turn == player and not after.over:
            worth += 8 * (after.owed + after.due) + 2 * len(after.pool)
        return worth

    @staticmethod
    def _progress(table: Table, state: State, colour: int) -> float:
        """Steps travelled, with a reward for being out and for being home."""
        route = table.routes[colour]
        total = 0.0
        for place in state.pieces[colour]:
            if place:
                total += route.travelled[place] + 12 + (10 if route.is_home(place) else 0)
        return total

    def _risk(self, table: Table, state: State, colour: int, side: int) -> float:
        """What could be lost at a rival's next roll: for each exposed piece, its way so far times the dice that hit it."""
        route = table.routes[colour]
        exposed = self._squares(table)
        ring = table.measures.ring
        faces = [face for face, _ in table.book.dice.faces]
        risk = 0.0
        for place in state.pieces[colour]:
            square = route.squares[place]
            if square is None or square not in exposed:
                continue
            hits = 0
            for player in table.players:
                if player.side == side:
                    continue
                for c in player.colours:
                    for other in state.pieces[c]:
                        its = table.routes[c].squares[other]
                        if its is not None and its < ring and (square - its) % ring in faces:
                            hits += 1
            risk += hits * (route.travelled[place] + 12) / len(faces)
        return risk

    def _squares(self, table: Table) -> frozenset[int]:
        key = id(table)
        if key not in self._exposed:
            self._exposed = {key: exposed_squares(table)}
        return self._exposed[key]


def exposed_squares(table: Table) -> frozenset[int]:
    """The squares of the track on which some rule lets a piece that lands capture."""
    captures = [
        s
        for s in table.statements
        if isinstance(s, When)
        and s.trigger in (Trigger.LANDING, Trigger.PASSING)
        and any(isinstance(e, Send) and e.as_capture for e in s.effects)
    ]
    return frozenset(square for square, kinds in enumerate(table.kinds) if any(_can_act(s, kinds) for s in captures))


def _can_act(statement: When, kinds: frozenset[str]) -> bool:
    def known(expr: Expr) -> Expr | None:
        if isinstance(expr, SquareIs) and expr.subject == "here" and isinstance(expr.squares, Squares):
            return Truth(not expr.squares.names.isdisjoint(kinds))
        return None

    on = statement.squares
    if isinstance(on, Squares) and on.names.isdisjoint(kinds):
        return False
    return fold(statement.condition, known) != NEVER


PLAYERS: dict[str, Callable[[random.Random], Player]] = {"random": RandomPlayer, "sensible": SensiblePlayer}
"""The computer players by name."""
