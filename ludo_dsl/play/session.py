"""A game with people and computer players, one ply at a time."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ludo_dsl.play.chance import Source, dice_for
from ludo_dsl.play.game import Game
from ludo_dsl.play.players import PLAYERS, Player
from ludo_dsl.rules.table import Table


@dataclass
class Session:
    """A game in progress: who plays whom, the dice, and the game as it stands.

    `who` names, for each player, `human` or a computer player.
    """

    game: Game
    who: dict[str, str]
    seed: int

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        self._dice: Source = dice_for(self.game.table, rng)
        self._computers: dict[str, Player] = {name: PLAYERS[kind](rng) for name, kind in self.who.items() if kind != "human"}

    @property
    def table(self) -> Table:
        """The rules at this table."""
        return self.game.table

    @property
    def people(self) -> tuple[str, ...]:
        """The players that people play."""
        return tuple(name for name, kind in self.who.items() if kind == "human")

    def is_human(self) -> bool:
        """Whether a person is to act now."""
        return self.game.turn in self.people

    def roll(self) -> tuple[int, ...]:
        """Makes the roll that is due; the faces."""
        faces = self._dice.roll(self.game.state.turn, self.game.faces())
        self.game = self.game.roll(*faces)
        return faces

    def think(self) -> None:
        """Lets the computer player whose turn it is choose."""
        turn = self.game.turn
        assert turn is not None
        choice = self._computers[turn].choose(self.game.engine, self.game.state, self.game.choices)
        self.game = self.game.pick(choice)

    def play(self, move: str) -> None:
        """Makes a person's move; raises as `Game.play` does."""
        self.game = self.game.play(move)
