"""Every clause of the register is stated by a rule book, and every clause that a position can show has scenarios."""

from __future__ import annotations

from collections import Counter

from ludo_dsl.check.clauses import citations, disagreements, register
from ludo_dsl.conformance.scenarios.suite import read_suite

SHOWN_BY_POSITIONS = {"play", "score", "setup", "option"}


def test_the_register_is_whole() -> None:
    assert len(register()) == 167
    by_variant = Counter(c.variant for c in register().values())
    assert by_variant == {"ludo-cities": 45, "ludolive": 35, "qdan": 35, "amarnepal": 33, "card-kings": 19}


def test_every_clause_is_stated_and_every_citation_is_known() -> None:
    assert disagreements() == []
    assert {c.clause for c in citations()} == set(register())


def test_a_statement_of_the_right_kind_states_each_clause() -> None:
    kinds = {c.id: c.kind for c in register().values()}
    stated: dict[str, set[str]] = {}
    for cited in citations():
        stated.setdefault(cited.clause, set()).add(cited.statement.split()[0])
    for clause, kind in kinds.items():
        if kind == "claim":
            assert stated[clause] & {"claim", "rule"}, clause
        elif kind == "option":
            assert stated[clause] & {"option", "players"}, clause
        elif kind == "host":
            assert stated[clause] & {"host", "players", "option"}, clause


def test_every_clause_of_the_game_has_scenarios_on_both_sides() -> None:
    found = Counter(clause for scenario in read_suite() for clause in scenario.clauses)
    for clause in register().values():
        if clause.kind in SHOWN_BY_POSITIONS:
            assert found[clause.id] >= 2, f"{clause.id} has {found[clause.id]} scenarios: {clause.fact}"


def test_scenarios_cite_clauses_of_their_own_text() -> None:
    for scenario in read_suite():
        assert scenario.clauses, scenario.id
        for clause in scenario.clauses:
            assert register()[clause].variant == scenario.variant, scenario.id
