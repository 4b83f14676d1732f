"""The interface that players, simulations, scenarios and the command line see; the interpreter is one engine behind it."""

from __future__ import annotations

from typing import Protocol

from ludo_dsl.game.events import Refusal, Step
from ludo_dsl.game.state import Choice, State
from ludo_dsl.rules.table import Table


class Engine(Protocol):
    """Plays one rule book at one table. Nothing is random in it: rolls are given. Every call is pure."""

    @property
    def table(self) -> Table:
        """The rule book and the choices that are played."""

    def start(self, first: int = 0) -> State:
        """The opening position; `first` is the index of the player who begins."""

    def read(self, text: str) -> State:
        """The position of a text. Raises `NotationError` or `PositionError`."""

    def legal(self, state: State) -> tuple[Choice, ...]:
        """The legal choices; none while a roll is due and when the game is over."""

    def refused(self, state: State) -> tuple[tuple[Choice, tuple[Refusal, ...]], ...]:
        """Moves that a player might think of and that are not legal, each with its reasons."""

    def faces(self, state: State) -> tuple[int, ...]:
        """The faces that the next roll may show."""

    def roll(self, state: State, faces: tuple[int, ...]) -> Step:
        """The position after a roll. Raises `IllegalRollError`."""

    def move(self, state: State, choice: Choice) -> Step:
        """The position after a legal choice; trusts that it is legal."""

    def places(self, state: State) -> tuple[int, ...]:
        """The place of each player, from 1, by the ranking of the rules; equal sides share a place."""

    def view(self, state: State, viewer: int) -> State:
        """The position as a player sees it: hidden things of rivals left out."""

    def hidden(self, state: State, viewer: int) -> tuple[tuple[str, int, str], ...]:
        """The counters whose value a player does not see: counter, owner (a player), and `hidden` or `secret`."""

    def weigh(
        self, state: State, faces: tuple[int, ...]
    ) -> tuple[State, tuple[Choice, ...], tuple[tuple[Choice, tuple[Refusal, ...]], ...]]:
        """What a roll could be used for before it is used or lost: that position, its legal choices, and what is refused and why."""
