"""`ludo variants`, `clauses`, `table` and `simulate`: what they list and count."""

from __future__ import annotations

import json

import pytest
import yaml

from ludo_dsl.resources import data_root, spec_path, variant_names
from tests.cli.conftest import Ludo


def test_variants_lists_every_rule_book(ludo: Ludo) -> None:
    rows = {row["variant"]: row for row in ludo("variants", "--json").json("variants")}
    assert set(rows) == {path.stem for path in spec_path("variants").glob("*.ludo")}
    assert rows["ludolive"]["players"] == [2, 6]
    assert rows["card-kings"]["players"] == [2, 2]
    told = ludo("variants").out.splitlines()
    assert len(told) == len(rows) + 1
    assert any(line.startswith("ludolive ") and line.endswith("2 to 6") for line in told)


def test_variants_of_one_lists_options_and_readings(ludo: Ludo) -> None:
    rows = {row["name"]: row for row in ludo("variants", "amarnepal", "--json").json("variants")}
    assert {name for name, row in rows.items() if row["role"] == "option"} == {"capture-first", "capture-roll", "one-leaves"}
    assert (rows["one-leaves"]["default"], set(rows["one-leaves"]["values"])) == ("off", {"on", "off"})
    told = ludo("variants", "amarnepal").out
    assert "one-leaves" in told
    assert max(len(line) for line in told.splitlines()) <= 80


def test_every_clause_of_the_register_is_listed_where_it_is_stated(ludo: Ludo) -> None:
    register = yaml.safe_load(spec_path("clauses.yaml").read_text(encoding="utf-8"))
    rows = ludo("clauses", "--json").json("clauses")
    assert {row["clause"] for row in rows} == {clause["id"] for clauses in register.values() for clause in clauses}
    for row in rows:
        assert row["file"] == f"spec/variants/{row['variant']}.ludo"
        line = (data_root() / row["file"]).read_text(encoding="utf-8").splitlines()[row["line"] - 1]
        assert line.startswith(row["statement"].split()[0])


def test_clauses_of_one_variant(ludo: Ludo) -> None:
    rows = ludo("clauses", "qdan", "--json").json("clauses")
    assert {row["variant"] for row in rows} == {"qdan"}
    told = ludo("clauses", "qdan").out.splitlines()
    assert len(told) == len(rows) + 1
    assert "\u2026" not in "".join(told)
    assert ludo("clauses", "qdan", "--check").code == 0
    assert ludo("clauses", "qdan", "--check", "--json").out.startswith('{\n  "ok": true')


def test_a_clause_that_nobody_cites_is_a_no(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludo_dsl.check import clauses

    whole = clauses.register()
    monkeypatch.setattr(clauses, "register", lambda: {**whole, "AN-99": clauses.Clause("AN-99", "amarnepal", "play", "a new fact")})
    answer = ludo("clauses", "amarnepal", "--check")
    assert answer.code == 1
    assert "amarnepal: no statement cites AN-99" in answer.err
    assert json.loads(ludo("clauses", "amarnepal", "--check", "--json").out)["ok"] is False


@pytest.mark.parametrize("variant", variant_names())
def test_the_meeting_table_fits_80_columns(ludo: Ludo, variant: str) -> None:
    answer = ludo("table", variant)
    assert answer.code == 0
    assert "landing" in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_the_meeting_table_follows_the_options(ludo: Ludo) -> None:
    assert "(blocking)" in ludo("table", "qdan").out
    assert "(blocking)" not in ludo("table", "qdan", "--option", "blocking=off").out
    assert json.loads(ludo("table", "qdan", "--json").out)


def test_simulate_is_reproduced_by_its_seed(ludo: Ludo) -> None:
    args = ["simulate", "card-kings", "-n", "3", "--json"]
    first = ludo(*args, "--seed", "7").json("simulate")
    assert ludo(*args, "--seed", "7").json("simulate") == first
    assert ludo(*args, "--seed", "8").json("simulate") != first
    assert (first["games"], first["asked"], first["seed"], first["players"]) == (3, 3, 7, 2)
    assert sum(w["count"] for w in first["wins"].values()) + first["draws"]["count"] == 3
    drawn = ludo(*args).json("simulate")
    assert ludo(*args, "--seed", str(drawn["seed"])).json("simulate") == drawn


def test_simulate_tells_scores_where_the_rules_keep_them(ludo: Ludo) -> None:
    found = ludo("simulate", "ludo-cities", "-n", "1", "--seed", "1", "--json").json("simulate")
    assert set(found["scores"]) == {"red", "green", "yellow", "blue"}
    # At most 20 rounds of four players, each turn of three rolls at most.
    assert found["rolls"]["mean"] <= 20 * 4 * 3
    told = ludo("simulate", "ludo-cities", "-n", "1", "--seed", "1").out
    assert "score of blue" in told
    assert "95 % interval" in told


def test_an_interrupted_simulation_reports_what_was_played(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludo_dsl.play import simulate

    play_one = simulate._play_one

    def twice(tally: simulate.Tally, *others: object) -> None:
        if tally.games == 2:
            raise KeyboardInterrupt
        play_one(tally, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(simulate, "_play_one", twice)
    answer = ludo("simulate", "card-kings", "-n", "50", "--seed", "1", "--json")
    assert answer.code == 130
    assert (answer.json("simulate")["games"], answer.json("simulate")["asked"]) == (2, 50)
    told = ludo("simulate", "card-kings", "-n", "50", "--seed", "1")
    assert told.code == 130
    assert "2 of 50 games, seed 1" in told.out
