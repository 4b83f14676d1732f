"""Recorded games: every table has one, and it is played today as it was written down.

A difference that is intended is accepted with `python -m tests.game.record`.
"""

from __future__ import annotations

import pytest

from tests.game.playthrough import FOLDER, path, recorded, text
from tests.game.tables import Setup

ACCEPT = "run `python -m tests.game.record` if this is intended, and read what it changes"


@pytest.mark.parametrize("setup", recorded(), ids=str)
def test_the_game_is_played_as_recorded(setup: Setup) -> None:
    file = path(setup)
    assert file.is_file(), f"no game is recorded for {setup}: {ACCEPT}"
    was, now = (content.splitlines() for content in (file.read_text(encoding="utf-8"), text(setup)))
    for number, (old, new) in enumerate(zip(was, now, strict=False), start=1):
        assert new == old, f"line {number} differs: {ACCEPT}"
    assert len(now) == len(was), ACCEPT


def test_no_recorded_game_is_left_over() -> None:
    assert set(FOLDER.glob("*.txt")) == {path(setup) for setup in recorded()}


def test_recorded_games_stay_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.glob("*.txt")) < 1_000_000
