"""Intervals against values that were worked out elsewhere."""

from __future__ import annotations

import math
import random

import pytest

from ludo_dsl.play.statistics import Mean, proportion


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
    # method 3 (Wilson's score without continuity correction).
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_proportions_of_a_textbook(successes: int, count: int, low: float, high: float) -> None:
    assert proportion(successes, count) == pytest.approx((low, high), abs=5e-5)


def test_proportions_mirror_each_other() -> None:
    low, high = proportion(3, 10)
    assert proportion(7, 10) == pytest.approx((1 - high, 1 - low))


def test_a_proportion_of_nothing_can_be_anything() -> None:
    assert proportion(0, 0) == (0.0, 1.0)


def test_intervals_of_proportions_stay_between_0_and_1() -> None:
    assert proportion(20, 20)[1] == 1.0
    assert proportion(0, 3)[0] == 0.0


def test_intervals_hold_their_share() -> None:
    """The exact cover of Wilson's interval for 40 throws of a fair coin, summed over the binomial: 96 %, near its 95 %."""
    cover = sum(math.comb(40, k) / 2**40 for k in range(41) if proportion(k, 40)[0] <= 0.5 <= proportion(k, 40)[1])
    assert cover == pytest.approx(0.9615, abs=5e-4)


def filled(*values: float) -> Mean:
    mean = Mean()
    for value in values:
        mean.add(value)
    return mean


def test_a_mean_by_hand() -> None:
    """2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, variance 32/7, standard error 0.7559, times 1.96 is 1.4816."""
    mean = filled(2, 4, 4, 4, 5, 5, 7, 9)
    assert (mean.count, mean.mean, mean.low, mean.high) == (8, 5.0, 2, 9)
    assert mean.interval() == pytest.approx((3.5184, 6.4816), abs=1e-4)


def test_few_numbers_give_no_interval() -> None:
    assert Mean().interval() == (0.0, 0.0)
    assert filled(3).interval() == (3, 3)


def test_equal_numbers_leave_no_doubt() -> None:
    assert filled(4, 4, 4).interval() == (4, 4)


def test_large_numbers_keep_their_spread() -> None:
    """What a sum of squares would lose to rounding: three numbers around a thousand million."""
    low, high = filled(1e9 + 4, 1e9 + 7, 1e9 + 13).interval()
    # Mean 8, squares 16 + 1 + 25, variance 21, standard error 2.6458, times 1.96 is 5.1856.
    assert (low - 1e9, high - 1e9) == pytest.approx((2.8144, 13.1856), abs=1e-3)


def test_intervals_of_means_hold_their_share() -> None:
    """Of 2000 samples of 50 dice, 95 % hold 3.5, give or take four standard errors (2 %)."""
    rng = random.Random(1)
    held = 0
    for _ in range(2000):
        low, high = filled(*rng.choices(range(1, 7), k=50)).interval()
        held += low <= 3.5 <= high
    assert held / 2000 == pytest.approx(0.95, abs=0.02)
