"""Computer players: what the sensible one prefers, and that it wins."""

from __future__ import annotations

import random

import pytest

from ludo_dsl.game.notation import move_text
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.players import PLAYERS, RandomPlayer, SensiblePlayer, exposed_squares
from ludo_dsl.play.simulate import simulate
from ludo_dsl.play.statistics import proportion
from tests.game.tables import Setup, engine

AMARNEPAL = engine(Setup("amarnepal", 2))


def chosen(position: str, at: Interpreter = AMARNEPAL) -> set[str]:
    """What the sensible player chooses in a position, by twenty seeds; there is a choice."""
    state = at.read(position)
    legal = at.legal(state)
    assert len(legal) > 1
    return {move_text(at.table, state, SensiblePlayer(random.Random(seed)).choose(at, state, legal)) for seed in range(20)}


def test_it_takes_a_win() -> None:
    assert chosen("red=L5,20,H,H yellow=Y,Y,Y,Y turn=red pool=1") == {"L5>H"}
    one_round = engine(Setup("card-kings", 2, (("match", "one-round"),)))
    assert chosen("red=L4,20,Y,Y yellow=49,Y,Y,Y turn=red pool=2", one_round) == {"L4>H"}


def test_it_takes_a_capture() -> None:
    """Yellow's 49 is red's 23."""
    assert chosen("red=20,30,Y,Y yellow=49,Y,Y,Y turn=red pool=3") == {"20>23"}


def test_of_two_captures_it_takes_the_one_that_costs_the_rival_more() -> None:
    """Yellow's 49 is red's 23, yellow's 7 is red's 33."""
    assert chosen("red=20,30,Y,Y yellow=49,7,Y,Y turn=red pool=3") == {"20>23"}


def test_it_shelters() -> None:
    """Yellow's 15 is red's 41: both of red's pieces are within reach; one step takes one of them to the star on 47, out of it."""
    assert chosen("red=46,44,Y,Y yellow=15,Y,Y,Y turn=red pool=1") == {"46>47"}


def test_it_runs_away_from_a_rival_behind() -> None:
    """Yellow's 40 is red's 14, two steps behind red's 16, which six steps take out of reach; the other piece is safe on a start square."""
    assert chosen("red=16,0,H,H yellow=40,Y,Y,Y turn=red pool=5") == {"16>21"}


def test_it_brings_a_piece_out_rather_than_walk_on() -> None:
    assert chosen("red=30,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6") == {"Y>0"}


def test_ties_are_broken_at_random() -> None:
    """The two pieces of one player stand alike: with two colours each, either may go."""
    at = engine(Setup("ludo-cities", 2))
    position = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=20,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3"
    assert chosen(position, at) == {"red:20>23", "yellow:20>23"}


def test_a_single_choice_is_taken_without_a_thought() -> None:
    state = AMARNEPAL.read("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=3")
    (only,) = AMARNEPAL.legal(state)
    for kind in PLAYERS.values():
        assert kind(random.Random(1)).choose(AMARNEPAL, state, (only,)) == only


def test_random_choices_are_even() -> None:
    """3000 choices among three: each 1000, give or take 4 standard errors (103); fails for one fair player in 5000."""
    state = AMARNEPAL.read("red=20,30,0,Y yellow=Y,Y,Y,Y turn=red pool=3")
    legal = AMARNEPAL.legal(state)
    player = RandomPlayer(random.Random(5))
    seen = [player.choose(AMARNEPAL, state, legal) for _ in range(3000)]
    assert len(legal) == 3
    assert all(abs(seen.count(c) - 1000) < 103 for c in legal)


def test_squares_on_which_pieces_can_be_captured() -> None:
    """Of 52 squares eight are safe, starts and stars; in Ludo Cities only the stars are; in qdan as chosen."""
    assert exposed_squares(AMARNEPAL.table) == set(range(52)) - {0, 8, 13, 21, 26, 34, 39, 47}
    assert exposed_squares(Setup("ludo-cities", 4).table) == set(range(52)) - {8, 21, 34, 47}
    assert exposed_squares(Setup("qdan", 4, (("safe-squares", "none"),)).table) == set(range(52))


@pytest.mark.parametrize("seats", [("sensible", "random"), ("random", "sensible")])
def test_it_beats_a_random_player(seats: tuple[str, str]) -> None:
    """Of 100 games from each seat it wins most: the interval of its share, 95 % either way, lies above one half."""
    tally = simulate(AMARNEPAL.table, 100, seed=1, players=seats, first="rotate")
    assert (tally.games, tally.draws) == (100, 0)
    low, _ = proportion(tally.wins[seats.index("sensible")], tally.games)
    assert low > 0.5
