"""Every scenario of the suite, under every reading that it shows, played on the interpreter: both say what the rule texts say."""

from __future__ import annotations

import pytest

from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import Direct, reference_for, table_of
from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, read_suite

BRANCHES = [(scenario, branch) for scenario in read_suite() for branch in scenario.branches]


@pytest.mark.parametrize(("scenario", "branch"), BRANCHES, ids=lambda part: part.id if isinstance(part, Scenario) else part.label)
def test_scenario(scenario: Scenario, branch: Branch) -> None:
    reference = reference_for(table_of(scenario, branch))
    assert play(scenario, branch, reference, Direct()) is None
