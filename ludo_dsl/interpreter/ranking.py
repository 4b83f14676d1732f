"""Who comes where: sides by the keys of the ranking, in order; equal sides share a place and the next is skipped."""

from __future__ import annotations

from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Meanings, Value
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.statements import Order, Rank


class Ranking:
    """The ranking of one table."""

    def __init__(self, ground: Ground, meanings: Meanings) -> None:
        self.ground = ground
        rank = next((s for s in ground.table.statements if isinstance(s, Rank)), None)
        self._keys: tuple[tuple[Order, Value | None], ...] = tuple(
            (key.order, meanings.value(key.value) if key.value is not None else None) for key in (rank.keys if rank else ())
        )

    def places(self, scene: Scene) -> tuple[int, ...]:
        """The place of each player, from 1."""
        sides = self.ground.table.sides
        worth = [tuple(self._worth(scene, side, order, value) for order, value in self._keys) for side in sides]
        place = {i: 1 + sum(other < worth[i] for other in worth) for i in range(len(sides))}
        return tuple(place[player.side] for player in self.ground.table.players)

    def _worth(self, scene: Scene, side: tuple[int, ...], order: Order, value: Value | None) -> int:
        """The value of a side by one key; smaller is better. A side retires when the last of its players does."""
        if value is None:
            never = len(self.ground.table.players)
            return max(scene.retired.index(p) if p in scene.retired else never for p in side)
        total = 0
        for player in side:
            scene.player = player
            total += value(scene)
        return -total if order is Order.MOST else total
