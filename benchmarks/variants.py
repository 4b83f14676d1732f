"""Games per second of the interpreter for each rule book, and the time of `ludo check` on it, start-up included.

python benchmarks/variants.py [--games 20]
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time

from interpreter_vs_ludopy import interpreter_games, seconds

import ludo_dsl
from ludo_dsl.resources import variant_names


def check_seconds(variant: str) -> float:
    """The median wall time of `ludo check`, of five runs."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "ludo_dsl", "check", variant], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    chosen = parser.parse_args()
    print("variant       players  games/s  check, seconds")
    for variant in variant_names():
        players = min(4, ludo_dsl.load(variant).book.players.high)
        play = interpreter_games(variant, players)
        play(2, random.Random(0))
        rate = chosen.games / seconds(play, chosen.games, 1)
        print(f"{variant:<13} {players:>7} {rate:>8.1f} {check_seconds(variant):>10.2f}")


if __name__ == "__main__":
    main()
