"""Chance: sources of rolls, outside the rules. Each is seeded, so that a game can be played again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.state import Roll
from ludo_dsl.rules.expressions import NEVER, Number
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.table import Table


class Source(Protocol):
    """Gives rolls to players."""

    def roll(self, player: int, allowed: tuple[int, ...]) -> Roll:
        """The next roll of a player, of faces that may come."""


class FairDice:
    """Independent dice with the faces and weights of the rule book."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self._rng = rng
        self._count = table.book.dice.count
        self._weights = dict(table.book.dice.faces)
        self._even = len(set(self._weights.values())) == 1

    def roll(self, player: int, allowed: tuple[int, ...]) -> Roll:
        """The next roll of a player, of faces that may come."""
        if self._even and self._count == 1:
            return (allowed[int(self._rng.random() * len(allowed))],)
        if self._even:
            return tuple([allowed[int(self._rng.random() * len(allowed))] for _ in range(self._count)])
        weights = [self._weights[face] for face in allowed]
        return tuple(self._rng.choices(allowed, weights, k=self._count))


Barred = Literal["waits", "returns", "redrawn"]

Contents = tuple[tuple[int, ...], ...]
"""The faces that are left in the shoe of each player."""


class Shoes:
    """Each player draws from a shuffled shoe of full sets of faces, refilled when it is empty (LL-06).

    A face that may not come now **waits** at the front, **returns** to a random place, or is put aside and another is
    **redrawn** (LL-10).
    """

    def __init__(self, table: Table, rng: random.Random, contents: Contents = ()) -> None:
        shoe = table.book.dice.shoe
        assert shoe is not None, "the rule book deals no dice"
        sets = fold(shoe.sets, table.known)
        assert isinstance(sets, Number)
        self._rng = rng
        self._count = table.book.dice.count
        self._faces = [face for face, weight in table.book.dice.faces for _ in range(weight * sets.value)]
        self._barred: Barred = next((how for how, condition in shoe.barred if fold(condition, table.known) != NEVER), "waits")
        self._shoes: list[list[int]] = [list(shoe) for shoe in contents] or [[] for _ in table.players]

    @property
    def contents(self) -> Contents:
        """What is left in the shoe of each player, in the order in which it will be dealt."""
        return tuple(tuple(shoe) for shoe in self._shoes)

    def roll(self, player: int, allowed: tuple[int, ...]) -> Roll:
        """The next roll of a player, of faces that may come."""
        return tuple(self._draw(self._shoes[player], allowed) for _ in range(self._count))

    def _draw(self, shoe: list[int], allowed: tuple[int, ...]) -> int:
        while True:
            if not any(face in allowed for face in shoe):
                shoe.extend(self._shuffled())
            match self._barred:
                case "waits":
                    return shoe.pop(next(i for i, face in enumerate(shoe) if face in allowed))
                case "returns":
                    face = shoe.pop(0)
                    if face in allowed:
                        return face
                    shoe.insert(self._rng.randint(0, len(shoe)), face)
                case "redrawn":
                    face = shoe.pop(0)
                    if face in allowed:
                        return face

    def _shuffled(self) -> list[int]:
        faces = list(self._faces)
        self._rng.shuffle(faces)
        return faces


class Given:
    """Rolls that somebody else made: forced values, in order."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self._rolls: Iterator[Roll] = iter(rolls)

    def roll(self, player: int, allowed: tuple[int, ...]) -> Roll:
        """The next of the given rolls.

        Raises:
            GameError: no more rolls are given.
        """
        roll = next(self._rolls, None)
        if roll is None:
            raise GameError("no more rolls are given", "give more of them")
        return roll


def dice_for(table: Table, rng: random.Random) -> Source:
    """The dice that the rule book is played with: dealt from shoes, or fair."""
    return Shoes(table, rng) if table.book.dice.shoe is not None else FairDice(table, rng)
