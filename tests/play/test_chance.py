"""Dice and shoes: exact properties, and statistics whose chance of a false alarm is stated.

All sources are seeded, so a statistical test gives the same verdict each time; a new seed would fail with the stated chance.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludo_dsl.game.errors import GameError
from ludo_dsl.play.chance import FairDice, Given, Shoes, dice_for
from ludo_dsl.rules.book import SettingValue
from ludo_dsl.rules.table import Table
from tests.game.tables import Setup

FACES = (1, 2, 3, 4, 5, 6)
NO_SIX = (1, 2, 3, 4, 5)

ONE_IN_A_THOUSAND = {5: 20.515, 6: 22.458}
"""Chi-squared by degrees of freedom that a true source exceeds once in a thousand samples."""


def table(variant: str, **chosen: SettingValue) -> Table:
    return Setup(variant, 2, tuple((name.replace("_", "-"), value) for name, value in sorted(chosen.items()))).table


def shoes(seed: int = 1, sets: int = 2, barred: str = "waits") -> Shoes:
    at = table("ludolive", skipped_six=barred) if sets == 2 else table("ludolive", shoe_sets=sets, skipped_six=barred)
    return Shoes(at, random.Random(seed))


def drawn(source: Shoes, count: int, player: int = 0) -> list[int]:
    return [source.roll(player, FACES)[0] for _ in range(count)]


def chi_squared(seen: Counter[int], weights: dict[int, int]) -> float:
    """How far counts are from what weights let expect."""
    total, whole = sum(seen.values()), sum(weights.values())
    return sum((seen[face] - total * w / whole) ** 2 / (total * w / whole) for face, w in weights.items())


# ---- fair dice ---------------------------------------------------------------------------------------------------------


def test_the_book_decides_between_dice_and_shoes() -> None:
    assert isinstance(dice_for(table("amarnepal"), random.Random(1)), FairDice)
    assert isinstance(dice_for(table("ludolive"), random.Random(1)), Shoes)


def test_the_same_seed_gives_the_same_rolls() -> None:
    for variant in ("amarnepal", "ludolive", "ludo-cities", "pachisi"):
        at = table(variant)
        faces = tuple(face for face, _ in at.book.dice.faces)
        first, second, other = (
            [source.roll(0, faces) for _ in range(50)] for source in (dice_for(at, random.Random(seed)) for seed in (7, 7, 8))
        )
        assert first == second != other


@pytest.mark.parametrize("variant", ["amarnepal", "pachisi"])
def test_faces_come_by_their_weights(variant: str) -> None:
    """Fails for one true source in a thousand."""
    at = table(variant)
    weights = dict(at.book.dice.faces)
    source = FairDice(at, random.Random(2))
    seen = Counter(source.roll(0, tuple(weights))[0] for _ in range(12_800))
    assert set(seen) <= set(weights)
    assert chi_squared(seen, weights) < ONE_IN_A_THOUSAND[len(weights) - 1]


def test_a_loaded_die_is_found_out() -> None:
    """The statistic has the power to see one face of six that comes a quarter more often."""
    rng = random.Random(3)
    seen = Counter(rng.choices(FACES, (1, 1, 1, 1, 1, 1.25), k=12_800))
    assert chi_squared(seen, dict.fromkeys(FACES, 1)) > ONE_IN_A_THOUSAND[5]


def test_two_dice_are_independent() -> None:
    """36 pairs, 35 degrees of freedom: chi-squared exceeds 66.62 once in a thousand samples."""
    source = FairDice(table("ludo-cities"), random.Random(4))
    pairs = Counter(source.roll(0, FACES) for _ in range(36_000))
    assert len(pairs) == 36
    assert sum((n - 1000) ** 2 / 1000 for n in pairs.values()) < 66.62


def test_faces_that_may_not_come_do_not() -> None:
    """The others keep their proportions: 2 to 6 mouths of cowries without the graces 10 and 25."""
    weights = {2: 15, 3: 20, 4: 15, 5: 6}
    source = FairDice(table("pachisi"), random.Random(5))
    seen = Counter(source.roll(0, tuple(weights))[0] for _ in range(5_600))
    assert set(seen) == set(weights)
    # Three degrees of freedom: 16.266 once in a thousand.
    assert chi_squared(seen, weights) < 16.266


# ---- shoes -------------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 10]), st.integers(1, 4))
def test_every_shoe_holds_each_face_equally_often(seed: int, sets: int, number: int) -> None:
    source = shoes(seed, sets)
    for _ in range(number):
        assert Counter(drawn(source, 6 * sets)) == dict.fromkeys(FACES, sets)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 10]))
def test_waits_and_streaks_are_bounded(seed: int, sets: int) -> None:
    """A face stays away for five other faces of two shoes at most, and comes in a row as often as two shoes hold it."""
    at = shoes(seed, sets)
    numbers = dict(table("ludolive", **({} if sets == 2 else {"shoe_sets": sets})).numbers)
    assert (numbers["longest-wait"], numbers["longest-streak"]) == (10 * sets, 2 * sets)
    rolls = drawn(at, 600)
    for face in FACES:
        runs = [(here, len(list(run))) for here, run in groupby(rolls, key=lambda r: r == face)]
        assert max(n for here, n in runs if here) <= numbers["longest-streak"]
        assert max(n for here, n in runs if not here) <= numbers["longest-wait"]


def test_the_bounds_are_reached() -> None:
    """With one set of six faces, the longest wait of ten and a streak of two both happen."""
    rolls = [drawn(shoes(seed, 1), 12) for seed in range(3000)]
    assert any(r[:2] == [6, 6] or r[5:7] == [6, 6] for r in rolls)
    assert any(r[0] == 6 and r[11] == 6 for r in rolls)


def test_every_player_draws_from_a_shoe_of_the_players_own() -> None:
    source = shoes()
    first = drawn(source, 7, player=0)
    assert Counter(drawn(source, 12, player=1)) == dict.fromkeys(FACES, 2)
    assert Counter(first + drawn(source, 5, player=0)) == dict.fromkeys(FACES, 2)


def test_shuffles_are_even() -> None:
    """The first face of a shoe is each of six equally often; fails for one true shuffle in a thousand."""
    source = shoes(9)
    firsts: Counter[int] = Counter()
    for _ in range(1_200):
        firsts[drawn(source, 12)[0]] += 1
    assert chi_squared(firsts, dict.fromkeys(FACES, 1)) < ONE_IN_A_THOUSAND[5]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_face_that_waits_comes_as_soon_as_it_may(seed: int) -> None:
    """The faces come in the order of the shoe, except that sixes are held back; none is lost."""
    open_shoe, held = shoes(seed), shoes(seed)
    order = drawn(open_shoe, 12)
    without = [held.roll(0, NO_SIX)[0] for _ in range(10)]
    assert without == [face for face in order if face != 6]
    assert drawn(held, 2) == [6, 6]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.booleans(), min_size=24, max_size=60))
def test_no_face_is_lost_by_waiting_or_returning(seed: int, bars: list[bool]) -> None:
    """What was drawn and what lies in the shoe together are whole shoes."""
    for barred in ("waits", "returns"):
        source = shoes(seed, barred=barred)
        seen = [source.roll(0, NO_SIX if bar else FACES)[0] for bar in bars]
        assert all(face != 6 for face, bar in zip(seen, bars, strict=True) if bar)
        together = Counter(seen + source._shoes[0])
        assert set(together) == set(FACES)
        assert len(set(together.values())) == 1
        assert together[1] % 2 == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_face_that_is_put_aside_is_gone_from_its_shoe(seed: int) -> None:
    order = drawn(shoes(seed), 12)
    source = shoes(seed, barred="redrawn")
    ahead = sum(face == 6 for face in order[: order.index(next(f for f in reversed(order) if f != 6))])
    seen = [source.roll(0, NO_SIX)[0] for _ in range(10)]
    assert seen == [face for face in order if face != 6]
    assert ahead <= 2
    # Sixes before the last other face were put aside; what is left of the shoe are those behind it.
    behind = order[::-1].index(next(f for f in reversed(order) if f != 6))
    assert source._shoes[0] == [6] * behind


def test_a_face_that_returns_does_not_come_at_once_for_sure() -> None:
    """Put back at a random place it is first again sometimes, not always; waiting it always is."""
    after: Counter[tuple[str, bool]] = Counter()
    for seed in range(400):
        for barred in ("waits", "returns"):
            source = shoes(seed, barred=barred)
            if drawn(shoes(seed), 1) == [6]:
                assert source.roll(0, NO_SIX)[0] != 6
                after[barred, drawn(source, 1) == [6]] += 1
    assert after["waits", False] == 0 < after["waits", True]
    assert after["returns", False] > after["returns", True] > 0


def test_a_shoe_of_barred_faces_alone_is_filled_up() -> None:
    for barred in ("waits", "returns", "redrawn"):
        source = shoes(1, 1, barred)
        for _ in range(40):
            assert source.roll(0, (3,)) == (3,)


# ---- given rolls -------------------------------------------------------------------------------------------------------


def test_given_rolls_come_in_order_and_end() -> None:
    source = Given([(6,), (3,)])
    assert [source.roll(0, FACES), source.roll(1, FACES)] == [(6,), (3,)]
    with pytest.raises(GameError, match="no more rolls are given"):
        source.roll(0, FACES)
