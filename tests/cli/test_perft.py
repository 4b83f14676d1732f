"""`ludo perft`: counts, branches, and the committed tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludo_dsl.conformance.counting import perft as counting
from ludo_dsl.conformance.counting import tables
from tests.cli.conftest import Ludo

LANE = "red=L3,H,H,H yellow=Y,Y,Y,Y turn=red"


def test_counts_of_a_position(ludo: Ludo) -> None:
    answer = ludo("perft", "amarnepal", "--position", LANE)
    assert answer.code == 0
    # The numbers are worked out in tests/conformance/test_perft.py.
    assert [line.split() for line in answer.out.splitlines()[1:]] == [
        ["rolls", "sequences", "positions", "boards", "captures", "home", "again"],
        ["1", "6", "5", "5", "0", "1", "1"],
        ["2", "30", "11", "10", "0", "1", "5"],
    ]


def test_json(ludo: Ludo) -> None:
    answer = ludo("perft", "amarnepal", "--players", "2", "--rolls", "1", "--divide", "--option", "one-leaves=on", "--json")
    found = answer.json("perft")
    assert found["options"] == {"one-leaves": "on"}
    assert found["readings"] == {}
    assert found["complete"]
    # A one brings a token out as well, but earns nothing.
    assert found["counts"] == [{"rolls": 1, "sequences": 6, "positions": 3, "boards": 3, "captures": 0, "home": 0, "again": 1}]
    assert [(b["roll"], b["moves"]) for b in found["divided"]] == [([1], ["Y>0"]), *(([n], []) for n in range(2, 6)), ([6], ["Y>0"])]
    assert found["divided"][5]["position"] == "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6"


def test_divided(ludo: Ludo) -> None:
    answer = ludo("perft", "amarnepal", "--position", LANE, "--divide")
    lines = answer.out.splitlines()
    assert "over 2 rolls, by the first:" in lines
    # Home ends the game: no second roll. After a six that moved nothing, red rolls six ways, one of them home, one again.
    assert next(line for line in lines if "L3>H" in line).split()[:8] == ["3", "L3>H", "0", "0", "0", "0", "0", "0"]
    assert next(line for line in lines if line.strip().startswith("6 ")).split()[:8] == ["6", "-", "6", "5", "5", "0", "1", "1"]


def test_usage(ludo: Ludo) -> None:
    answer = ludo("perft")
    assert answer.code == 2
    assert "name a variant" in answer.err
    answer = ludo("perft", "amarnepal", "--check", "--rolls", "3")
    assert answer.code == 2
    assert "give it a variant at most" in answer.err
    answer = ludo("perft", "monopoly", "--check")
    assert answer.code == 2
    assert "there is no table for `monopoly`" in answer.err
    answer = ludo("perft", "amarnepal", "--position", "red=L9,H,H,H yellow=Y,Y,Y,Y")
    assert answer.code == 2
    assert "`L9`" in answer.err


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The table of card-kings with one position, in a folder of its own."""
    table = tables.read_table(tables.table_path("card-kings"))
    places = tuple(p for p in table.places if p.name == "end")
    entries = tuple(e for e in table.entries if e.case.place.name == "end")
    file = tmp_path / "card-kings.json"
    file.write_text(tables.table_text(tables.PerftTable("card-kings", places, entries)), encoding="utf-8")
    monkeypatch.setattr(tables, "table_path", lambda variant: tmp_path / f"{variant}.json")
    return file


def test_a_table_that_agrees(ludo: Ludo, small: Path) -> None:
    answer = ludo("perft", "--check")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[-1].endswith("entries counted, no differences")
    found = ludo("perft", "card-kings", "--check", "--json").json("perft")
    assert found["ok"]
    assert found["complete"]


def test_a_table_that_differs_and_is_written_anew(ludo: Ludo, small: Path) -> None:
    right = small.read_text(encoding="utf-8")
    table = json.loads(right)
    table["entries"][0]["counts"][0][4] += 1
    small.write_text(json.dumps(table), encoding="utf-8")
    was = table["entries"][0]["counts"][0][4]
    answer = ludo("perft", "card-kings", "--check")
    assert answer.code == 1
    assert answer.out.splitlines()[0] == f"conformance/perft/card-kings.json: `end`, 1 roll: home {was}, counted {was - 1}"
    answer = ludo("perft", "card-kings", "--check", "--json")
    assert answer.code == 1
    (file,) = answer.json("perft")["files"]
    assert file["differences"] == [{"entry": "end", "rolls": 1, "column": "home", "expected": was, "found": was - 1}]
    assert ludo("perft", "card-kings", "--write").code == 0
    assert small.read_text(encoding="utf-8") == right


def test_a_broken_file(ludo: Ludo, small: Path) -> None:
    small.write_text("[]", encoding="utf-8")
    answer = ludo("perft", "card-kings", "--check")
    assert answer.code == 3
    assert "card-kings.json" in answer.err


def interrupt(*args: object) -> None:
    raise KeyboardInterrupt


def test_stopped(ludo: Ludo, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = small.read_text(encoding="utf-8")
    monkeypatch.setattr(counting, "_next_level", interrupt)
    answer = ludo("perft", "amarnepal", "--json")
    assert answer.code == 130
    found = answer.json("perft")
    assert (found["complete"], found["counts"]) == (False, [])
    for task in ("--check", "--write"):
        answer = ludo("perft", task)
        assert answer.code == 130
        assert "stopped" in answer.err
    assert small.read_text(encoding="utf-8") == before
