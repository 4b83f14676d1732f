"""`ludo coverage`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Ludo

SUITE = """\
- id: amarnepal/capture/one
  title: A capture.
  variant: amarnepal
  players: 2
  clauses: [AN-14]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 3
    - move: 20>23
- id: amarnepal/capture/none
  title: No capture, and a citation that is not true.
  variant: amarnepal
  players: 2
  clauses: [AN-14, AN-20]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 2
    - move: 20>22
"""


@pytest.fixture
def suite(tmp_path: Path) -> str:
    path = tmp_path / "suite.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return str(path)


def test_a_table_for_each_clause_and_rule(ludo: Ludo, suite: str) -> None:
    answer = ludo("coverage", "--suite", suite)
    lines = answer.out.splitlines()
    assert (answer.code, lines[0]) == (0, "amarnepal: 2 scenarios")
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith(("AN-", "capture ", "exact-home "))}
    assert rows["AN-14"] == ["play", "1", "2"]
    assert rows["capture"] == ["rule", "1", "1"]
    # Home is far: nothing is shown of the way past it, and something should be.
    assert rows["AN-20"] == ["play", "0", "0"]
    # What is no matter for scenarios, and what has no case in which it does not apply, has a dash.
    assert rows["AN-17"] == ["claim", "-", "-"]
    assert rows["AN-03"] == ["setup", "0", "-"]
    assert "amarnepal/capture/none: it cites `AN-20`" in " ".join(answer.out.split())


def test_faults_fail_only_a_check(ludo: Ludo, suite: str) -> None:
    assert ludo("coverage", "amarnepal", "--suite", suite).code == 0
    assert ludo("coverage", "amarnepal", "--suite", suite, "--check").code == 1
    # Of the clauses that are asked for.
    assert ludo("coverage", "amarnepal", "--suite", suite, "--check", "--clause", "AN-14").code == 0
    answer = ludo("coverage", "amarnepal", "--suite", suite, "--check", "--clause", "AN-20")
    assert (answer.code, "it cites `AN-20`" in " ".join(answer.out.split()), "AN-13" in answer.out) == (1, True, False)


def test_one_clause_with_its_scenarios(ludo: Ludo, suite: str) -> None:
    answer = ludo("coverage", "--suite", suite, "--rule", "capture")
    assert answer.out.splitlines()[-5:] == [
        "capture applies:",
        "  amarnepal/capture/one",
        "capture just does not:",
        "  amarnepal/capture/none",
        "no faults",
    ]


def test_for_programs(ludo: Ludo, suite: str) -> None:
    found = ludo("coverage", "--suite", suite, "--json").json("coverage")
    [variant] = found["variants"]
    clauses = {c["name"]: c for c in variant["clauses"]}
    assert (found["ok"], found["complete"], variant["scenarios"]) == (False, True, 2)
    assert clauses["AN-14"]["applies"] == ["amarnepal/capture/one"]
    assert clauses["AN-06"]["checks"] == []
    assert {"cited and not exercised", "never applies"} <= {f["lack"] for f in variant["faults"]}


def test_the_project_has_checks_of_other_kinds(ludo: Ludo) -> None:
    found = ludo("coverage", "card-kings", "--json", "--clause", "CK-16", "--clause", "CK-02").json("coverage")
    clauses = {c["name"]: c for c in found["variants"][0]["clauses"]}
    assert clauses["CK-16"]["checks"] == [{"kind": "claim", "name": "order-matters"}]
    assert clauses["CK-02"]["waits"]


def test_as_markdown(ludo: Ludo, suite: str) -> None:
    lines = ludo("coverage", "--suite", suite, "--markdown").out.splitlines()
    assert "| Clause | Kind | Applies | Just does not | Other checks |" in lines
    assert "| AN-14 | play | 1 | 2 |  |" in lines
    assert any(line.startswith("- **amarnepal/capture/none: it cites `AN-20`") for line in lines)


def test_a_house_rule(ludo: Ludo, tmp_path: Path, suite: str) -> None:
    book = tmp_path / "mine.ludo"
    book.write_text('variant mine "Mine" extends amarnepal\n\ndrop rule home-again\n', encoding="utf-8")
    own = tmp_path / "own.yaml"
    by_rule = SUITE.replace("amarnepal", "mine").replace("[AN-14, AN-20]", "[capture]").replace("[AN-14]", "[capture]")
    own.write_text(by_rule, encoding="utf-8")
    answer = ludo("coverage", str(book), "--suite", str(own), "--rule", "capture", "--check")
    assert (answer.code, answer.out.splitlines()[0]) == (0, "mine: 2 scenarios")
    assert ludo("coverage", str(book), "--suite", str(own), "--rule", "finish", "--check").code == 1


def test_bad_usage(ludo: Ludo, suite: str) -> None:
    answer = ludo("coverage", "--suite", suite, "--clause", "AN-15O")
    assert (answer.code, "there is no clause or rule `AN-15O`" in answer.err) == (2, True)
    assert "did you mean `capture`?" in ludo("coverage", "--suite", suite, "--rule", "captur").err
    assert ludo("coverage", "--suite", suite, "--json", "--markdown").code == 2
    answer = ludo("coverage", "qdan", "--suite", suite)
    assert (answer.code, "there are no scenarios for qdan" in answer.err) == (2, True)
    assert ludo("coverage", "nowhere").code == 3
    assert ludo("coverage", "--suite", "nowhere").code == 2
