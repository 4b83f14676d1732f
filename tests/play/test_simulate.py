"""Many games: reproducible, interruptible, and in constant memory."""

from __future__ import annotations

import tracemalloc

import pytest

from ludo_dsl.play import simulate as module
from ludo_dsl.play.match import playing
from ludo_dsl.play.simulate import Tally, simulate
from tests.game.tables import Setup

AMARNEPAL = Setup("amarnepal", 2).table


def test_the_same_seed_gives_the_same_tally() -> None:
    first, again, other = (simulate(AMARNEPAL, 8, seed=seed).as_json() for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_a_game_hangs_on_the_seed_and_its_number_alone() -> None:
    """Longer series begin with the same games: the tallies after each game agree as far as both go."""
    seen: list[list[object]] = [[], []]
    for found, games in zip(seen, (4, 9), strict=True):
        simulate(AMARNEPAL, games, seed=5, after_each=lambda tally, found=found: found.append(tally.as_json()))  # type: ignore[misc]
    assert [len(s) for s in seen] == [4, 9]
    assert seen[0] == seen[1][:4]


@pytest.mark.parametrize("variant", ["amarnepal", "card-kings", "ludo-cities", "ludolive", "qdan", "mensch", "parchis", "pachisi"])
def test_tallies_add_up(variant: str) -> None:
    table = Setup(variant, 2).table
    tally = simulate(table, 5, seed=2)
    assert (tally.games, tally.unfinished) == (5, 0)
    assert sum(tally.wins) + tally.draws == 5
    assert tally.rolls.count == tally.moves.count == tally.turns.count == tally.captures.count == 5
    # A move needs a roll, save granted ones; a turn has a roll at least.
    assert tally.turns.mean <= tally.rolls.mean
    plain = tally.as_json()
    assert (plain["variant"], plain["players"], plain["games"]) == (variant, 2, 5)
    assert ("scores" in plain) == (variant == "ludo-cities")


def test_both_players_of_a_team_win_together() -> None:
    tally = simulate(Setup("ludo-cities", 4, (("teams", "on"),)).table, 6, seed=1)
    assert tally.wins[0] == tally.wins[2]
    assert tally.wins[1] == tally.wins[3]
    assert tally.wins[0] + tally.wins[1] + tally.draws == 6


def test_an_interruption_leaves_the_games_so_far() -> None:
    def interrupt(tally: Tally) -> None:
        if tally.games == 3:
            raise KeyboardInterrupt

    tally = simulate(AMARNEPAL, 1000, seed=6, after_each=interrupt)
    assert tally.as_json() == simulate(AMARNEPAL, 3, seed=6).as_json()


def test_an_interruption_within_a_game_leaves_the_games_before(monkeypatch: pytest.MonkeyPatch) -> None:
    plies = 0

    def stopping(*args: object) -> object:
        nonlocal plies
        for ply in playing(*args):  # type: ignore[arg-type]
            plies += 1
            if plies == 500:
                raise KeyboardInterrupt
            yield ply

    monkeypatch.setattr(module, "playing", stopping)
    tally = simulate(AMARNEPAL, 1000, seed=6)
    monkeypatch.undo()
    # A game takes two to four hundred plies here, so that the second or third was cut short.
    assert 1 <= tally.games <= 2
    assert tally.as_json() == simulate(AMARNEPAL, tally.games, seed=6).as_json()


def test_games_that_never_end_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_GAME", 50)
    tally = simulate(AMARNEPAL, 3, seed=1)
    assert (tally.games, tally.unfinished, sum(tally.wins), tally.rolls.count) == (0, 3, 0, 0)
    assert tally.as_json()["unfinished"] == 3


def test_no_games_are_a_tally_too() -> None:
    tally = simulate(AMARNEPAL, 0, seed=1)
    assert tally.as_json()["games"] == 0


def test_who_begins() -> None:
    """With `rotate` the players take turns at beginning; a name is always the same one; drawn, both come."""
    begun: dict[str, list[int]] = {}
    real = module._play_one
    for first in ("rotate", "yellow", "drawn"):
        seen = begun.setdefault(first, [])

        def noting(tally: Tally, engine: object, rng: object, seats: object, begins: int, seen: list[int] = seen) -> None:
            seen.append(begins)
            tally.games += 1

        module._play_one = noting  # type: ignore[assignment]
        try:
            simulate(AMARNEPAL, 40, seed=1, first=first)
        finally:
            module._play_one = real
    assert begun["rotate"] == [0, 1] * 20
    assert begun["yellow"] == [1] * 40
    # Both begin at least ten times of 40: fails for one fair draw in a thousand.
    assert min(begun["drawn"].count(0), begun["drawn"].count(1)) >= 10


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    """What 120 games leave behind is what 20 leave: tallies and tables of the engine, and no games.

    The games are short ones, of a single round: about a hundred plies.
    """
    table = Setup("card-kings", 2, (("match", "one-round"),)).table
    held: dict[int, int] = {}

    def measure(tally: Tally) -> None:
        if tally.games in (20, 120):
            held[tally.games] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        simulate(table, 120, seed=1, after_each=measure)
    finally:
        tracemalloc.stop()
    # A hundred games of a hundred positions would be ten megabytes; what the engine learns of the board still grows a little.
    assert held[120] - held[20] < 500_000
