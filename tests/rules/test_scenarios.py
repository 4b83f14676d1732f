"""Every scenario of the suite, played on the interpreter."""

from __future__ import annotations

import pytest

from tests.scenarios import Player, Scenario, all_scenarios

SCENARIOS = all_scenarios()


def test_ids_are_unique() -> None:
    ids = [s.id for s in SCENARIOS]
    assert len(ids) == len(set(ids)) > 500


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.id)
def test_scenario(scenario: Scenario) -> None:
    Player(scenario).play()
