"""Many games by computer players: lengths, wins, draws and captures, with confidence intervals."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludo_dsl.game.events import EventKind
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import PLAYERS, Player
from ludo_dsl.play.statistics import Mean, proportion
from ludo_dsl.rules.table import Table

LONGEST_GAME = 200_000
"""Plies after which a game is broken off and counted as unfinished."""


@dataclass
class Tally:
    """What a simulation has counted so far."""

    table: Table
    games: int = 0
    draws: int = 0
    unfinished: int = 0
    wins: list[int] = field(default_factory=list)
    rolls: Mean = field(default_factory=Mean)
    moves: Mean = field(default_factory=Mean)
    turns: Mean = field(default_factory=Mean)
    captures: Mean = field(default_factory=Mean)
    scores: list[Mean] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = [0] * len(self.table.players)
        self.scores = [Mean() for _ in self.table.players]

    def as_json(self) -> dict[str, object]:
        """The tally as plain data, with 95 % confidence intervals."""

        def mean(value: Mean) -> dict[str, object]:
            low, high = value.interval()
            return {
                "mean": value.mean,
                "interval": [low, high],
                "shortest": value.low if value.count else None,
                "longest": value.high if value.count else None,
            }

        def share(count: int) -> dict[str, object]:
            return {"count": count, "share": count / self.games if self.games else None, "interval": list(proportion(count, self.games))}

        found: dict[str, object] = {
            "variant": self.table.book.name,
            "players": len(self.table.players),
            "games": self.games,
            "unfinished": self.unfinished,
            "rolls": mean(self.rolls),
            "moves": mean(self.moves),
            "turns": mean(self.turns),
            "captures": mean(self.captures),
            "wins": {p.name: share(w) for p, w in zip(self.table.players, self.wins, strict=True)},
            "draws": share(self.draws),
        }
        if any(s.high > 0 for s in self.scores):
            found["scores"] = {p.name: mean(s) for p, s in zip(self.table.players, self.scores, strict=True)}
        return found


def simulate(
    table: Table,
    games: int,
    seed: int,
    players: Sequence[str] = ("random",),
    first: str = "drawn",
    after_each: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Plays games and tallies them; on `KeyboardInterrupt` the tally of the games so far is given.

    Game `n` hangs on the seed and `n` alone. `players` names a computer player for each seat, repeated as needed; `first` is
    a player's name, `drawn`, or `rotate`.
    """
    tally = Tally(table)
    engine = Interpreter(table)
    names = [p.name for p in table.players]
    try:
        for number in range(games):
            rng = random.Random(f"{seed}/{number}")
            seats: list[Player] = [PLAYERS[players[i % len(players)]](rng) for i in range(len(names))]
            begins = {"drawn": rng.randrange(len(names)), "rotate": number % len(names)}.get(first)
            _play_one(tally, engine, rng, seats, names.index(first) if begins is None else begins)
            after_each(tally)
    except KeyboardInterrupt:
        pass
    return tally


def _play_one(tally: Tally, engine: Interpreter, rng: random.Random, seats: Sequence[Player], first: int) -> None:
    rolls = moves = turns = captures = 0
    state = engine.start(first)
    for count, ply in enumerate(playing(engine, state, seats, dice_for(engine.table, rng))):
        if ply.roll is not None:
            rolls += 1
        else:
            moves += 1
        for event in ply.step.events:
            if event.kind is EventKind.CAPTURED:
                captures += 1
            elif event.kind is EventKind.TURN_ENDED:
                turns += 1
        state = ply.step.state
        if count >= LONGEST_GAME:
            tally.unfinished += 1
            return
    tally.games += 1
    for mean, value in ((tally.rolls, rolls), (tally.moves, moves), (tally.turns, turns + 1), (tally.captures, captures)):
        mean.add(value)
    for mean, score in zip(tally.scores, state.scores, strict=True):
        mean.add(score)
    _count_winner(tally, engine.places(state))


def _count_winner(tally: Tally, places: tuple[int, ...]) -> None:
    """A shared first place of several sides is a draw; all players of a winning side win."""
    winners = [i for i, place in enumerate(places) if place == 1]
    if len({tally.table.players[i].side for i in winners}) > 1:
        tally.draws += 1
        return
    for i in winners:
        tally.wins[i] += 1
