"""Games per second of the interpreter and of ludopy 1.5.0, in turn, in one run: what counts is the ratio.

Both play four-player games to the first winner, every choice at random. `pip install 'ludo-dsl[bench]'` brings ludopy.

    python benchmarks/interpreter_vs_ludopy.py [--rounds 7] [--games 10]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import ludo_dsl
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.rules.statements import NeverRoll


def interpreter_games(variant: str, players: int) -> Callable[[int, random.Random], None]:
    """Plays so many games of a variant with the interpreter, through the interface of engines alone, as ludopy is through its own."""
    engine = Interpreter(ludo_dsl.load(variant).table(players))
    faces = tuple(face for face, _ in engine.table.book.dice.faces)
    barred = any(isinstance(s, NeverRoll) for s in engine.table.statements)

    def play(games: int, rng: random.Random) -> None:
        for _ in range(games):
            dice = dice_for(engine.table, rng)
            state = engine.start(rng.randrange(players))
            while not state.over:
                if state.awaits_roll:
                    roll = dice.roll(state.turn, engine.faces(state) if barred else faces)
                    state = engine.roll(state, roll).state
                else:
                    choices = engine.legal(state)
                    state = engine.move(state, choices[rng.randrange(len(choices))]).state

    return play


def ludopy_games(games: int, rng: random.Random) -> None:
    """Plays so many games of ludopy, as its own documentation does."""
    import ludopy

    for _ in range(games):
        game = ludopy.Game()
        over = False
        while not over:
            (_dice, movable, *_rest), _player = game.get_observation()
            piece = movable[rng.randrange(len(movable))] if len(movable) else -1
            over = game.answer_observation(piece)[-1]


def seconds(play: Callable[[int, random.Random], None], games: int, seed: int) -> float:
    """The processor time of so many games: other programs on the machine do not count."""
    began = time.process_time()
    play(games, random.Random(seed))
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--variant", default="amarnepal")
    parser.add_argument("--players", type=int, default=4)
    chosen = parser.parse_args()
    ours = interpreter_games(chosen.variant, chosen.players)
    for play in (ours, ludopy_games):
        play(1, random.Random(0))
    pairs = []
    for number in range(chosen.rounds):
        pair = seconds(ours, chosen.games, number), seconds(ludopy_games, chosen.games, number)
        pairs.append(pair)
        print(f"round {number + 1}: interpreter {chosen.games / pair[0]:.1f} games/s, ludopy {chosen.games / pair[1]:.1f} games/s")
    ratios = [theirs / its for its, theirs in pairs]
    print(f"interpreter / ludopy: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
