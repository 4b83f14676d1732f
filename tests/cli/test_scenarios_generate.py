"""`ludo scenarios generate`, and what a user does with the file it writes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from ludo_dsl.conformance.mutants import Mutant, mutants
from ludo_dsl.conformance.mutation import generating
from ludo_dsl.rules.book import Book
from tests.cli.conftest import Ludo
from tests.conformance.test_generating import HOUSE

CHOSEN = ("face/leave-yard/1/die=5->die=4", "option/capture-roll/stuck=on", "square/capture/1/on-track->on-any-square")
"""The last can be told from the rule book by no game: pieces of two colours meet on the track alone."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule book has three mutants: all of them would take minutes."""

    def some(book: Book) -> tuple[Mutant, ...]:
        return tuple(m for m in mutants(book) if m.id in CHOSEN)

    monkeypatch.setattr(generating, "mutants", some)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my-house.ludo"
    path.write_text(HOUSE, encoding="utf-8")
    return path


FEW = ("--jobs", "1", "--budget", "300")


def test_a_suite_for_a_house_rule_serves_everywhere(ludo: Ludo, house: Path) -> None:
    answer = ludo("scenarios", "generate", "my-house.ludo", *FEW)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[:2] == ["Our house: 2 scenarios in my-house-generated.yaml", "2 of 3 mutants are noticed"]
    assert lines[2] == f"not told apart: {CHOSEN[2]}"
    assert lines[-2:] == [
        "check it: ludo scenarios check my-house-generated.yaml --variant my-house.ludo",
        "hold it to the mutants: ludo mutate my-house.ludo --suite my-house-generated.yaml",
    ]
    assert "all pass" in " ".join(ludo(*lines[-2].removeprefix("check it: ludo ").split()).out.split())
    only = [word for name in CHOSEN[:2] for word in ("--only", name)]
    assert ludo(*lines[-1].rpartition(": ludo ")[2].split(), *only, "--jobs", "1").code == 0
    covered = ludo("coverage", "my-house.ludo", "--suite", "my-house-generated.yaml", "--json").json("coverage")
    assert "leave-yard" in {r["name"] for v in covered["variants"] for r in v["rules"]}
    engine = f"exec:{shlex.quote(sys.executable)} -m ludo_dsl serve my-house.ludo"
    assert ludo("conform", engine, "--variant", "my-house.ludo", "--suite", "my-house-generated.yaml", "--jobs", "1").code == 0


def test_a_suite_is_written_as_json_tells(ludo: Ludo, house: Path) -> None:
    answer = ludo("scenarios", "generate", "my-house.ludo", *FEW, "--json", "-o", "mine.yaml")
    assert answer.code == 0
    found = answer.json("scenarios-generate")
    assert (found["variant"], found["file"], found["mutants"], found["noticed"], found["complete"]) == ("my-house", "mine.yaml", 3, 2, True)
    assert len(found["scenarios"]) == 2
    assert all(name.startswith("my-house/generated/") for name in found["scenarios"])
    assert [m["id"] for m in found["untold"]] == [CHOSEN[2]]
    # Once more, with what there is: nothing is to be added, and no file is left.
    again = ludo("scenarios", "generate", "my-house.ludo", *FEW, "--suite", "mine.yaml")
    assert again.code == 0
    assert again.out.startswith("Our house: no scenario was needed, or found\n2 of 3 mutants are noticed\n")
    assert not Path("my-house-generated.yaml").exists()


def test_nothing_is_found(ludo: Ludo, house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "mutants", lambda book: tuple(m for m in mutants(book) if m.id == CHOSEN[2]))
    answer = ludo("scenarios", "generate", "my-house.ludo", "--jobs", "1", "--budget", "20", "--json")
    assert answer.code == 1
    assert answer.json("scenarios-generate")["file"] is None


def test_ctrl_c_writes_what_was_found(ludo: Ludo, house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: object, *_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(generating._Writing, "_give_up", stop)
    answer = ludo("scenarios", "generate", "my-house.ludo", *FEW)
    assert answer.code == 130
    assert answer.out.splitlines()[0].startswith("Our house: ")
    assert "stopped before all were thought of" in answer.out


def test_no_file_is_written_over(ludo: Ludo, house: Path) -> None:
    Path("mine.yaml").write_text("mine", encoding="utf-8")
    answer = ludo("scenarios", "generate", "my-house.ludo", *FEW, "-o", "mine.yaml")
    assert answer.code == 2
    assert "mine.yaml exists already" in answer.err
    assert Path("mine.yaml").read_text(encoding="utf-8") == "mine"
    assert ludo("scenarios", "generate", "my-house.ludo", *FEW, "-o", "nowhere/mine.yaml").code == 3
    assert ludo("scenarios", "generate", "nowhere.ludo", *FEW).code == 3


def test_a_check_must_know_the_rule_book(ludo: Ludo, house: Path) -> None:
    assert ludo("scenarios", "generate", "my-house.ludo", *FEW, "-o", "sub.yaml").code == 0
    answer = ludo("scenarios", "check", "sub.yaml", "--variant", "my-house.ludo", "--json")
    assert (answer.code, answer.json("scenarios-check")["played"]) == (0, 2)
    text = Path("sub.yaml").read_text(encoding="utf-8")
    Path("sub.yaml").write_text(text.replace("[leave-yard]", "[leave-yrad]"), encoding="utf-8")
    answer = ludo("scenarios", "check", "sub.yaml", "--variant", "my-house.ludo")
    assert answer.code == 3
    assert "my-house has no rule `leave-yrad`" in answer.out
    assert ludo("scenarios", "check", "sub.yaml", "--variant", "nowhere.ludo").code == 3
