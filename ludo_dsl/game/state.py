"""Positions and choices, as frozen values. What they mean on a board is in `rules.topology`: a place is an index on a route."""

from __future__ import annotations

from typing import NamedTuple

from ludo_dsl.rules.statements import Act


class Granted(NamedTuple):
    """A die that was granted and not rolled: a number of steps."""

    steps: int

    def __str__(self) -> str:
        return f"+{self.steps}"


Die = int | Granted | str
"""A die of the pool: a rolled face, a granted number of steps, or a named die."""

Roll = tuple[int, ...]
"""The faces of one roll, in the order in which they fell."""

CounterValue = int | tuple[int, ...] | tuple[tuple[tuple[int, int], ...], ...]
"""Of the game; of each player or side; or of each player, by square, where it is not 0."""


class State(NamedTuple):
    """A position: everything that decides the future, and nothing else.

    `pieces` holds the places of each colour in ascending order; `marks` the counters of each piece beside them (empty when
    pieces carry none). `turn` is the index of the player whose turn it is; `last` the colour and place of the piece moved last.
    """

    pieces: tuple[tuple[int, ...], ...]
    turn: int
    pool: tuple[Die, ...] = ()
    rolled: tuple[Roll, ...] = ()
    owed: int = 0
    due: int = 0
    scores: tuple[int, ...] = ()
    captures: tuple[int, ...] = ()
    counters: tuple[CounterValue, ...] = ()
    done: tuple[frozenset[int], ...] = ()
    retired: tuple[int, ...] = ()
    round: int = 1
    first: int = 0
    marks: tuple[tuple[tuple[int, ...], ...], ...] = ()
    arrivals: tuple[tuple[int, int], ...] = ()
    last: tuple[int, int] | None = None
    over: bool = False

    @property
    def awaits_roll(self) -> bool:
        """Whether the next thing is a roll of the dice."""
        return not self.over and (self.due > 0 or (self.owed > 0 and not self.pool))


class Move(NamedTuple):
    """A piece, by colour and place, and what it takes from the pool; `to` is where its walk ends."""

    colour: int
    origin: int
    to: int
    dice: tuple[Die, ...]
    act: Act
    mark: tuple[int, ...] = ()


class Pass(NamedTuple):
    """The choice not to move."""


PASS = Pass()

Choice = Move | Pass
