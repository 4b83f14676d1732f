"""`ludo mutate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_dsl.conformance.mutants import mutants
from ludo_dsl.conformance.mutation import files as mutant_files
from ludo_dsl.conformance.mutation.noticing import MutantSubject
from ludo_dsl.conformance.scenarios.subjects import book_of
from tests.cli.conftest import Ludo

# Yellow's 49 is red's 23: without a capture yellow stays there. That a star is elsewhere shows on other squares.
SUITE = """\
- id: amarnepal/capture/plain
  title: A piece that ends on a rival sends it home.
  variant: amarnepal
  players: 2
  clauses: [AN-14]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 3
    - move: 20>23
      then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red
"""
CAPTURE, STAR = "drop/capture/1", "number/board/mark-star=8->9"
BOTH = ("--only", CAPTURE, "--only", STAR, "--jobs", "1")


@pytest.fixture
def suite(tmp_path: Path) -> str:
    path = tmp_path / "suite.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return str(path)


def reasons(folder: Path, *mutants: str) -> str:
    path = folder / "reasons.yaml"
    path.write_text(f"- mutants: [{', '.join(mutants)}]\n  reason: these are never played at all\n", encoding="utf-8")
    return str(path)


def test_survivors_are_told(ludo: Ludo, suite: str) -> None:
    answer = ludo("mutate", "amarnepal", "--suite", suite, *BOTH)
    assert answer.code == 1
    lines = answer.out.splitlines()
    assert lines[0] == "Amarnepal Ludo: 2 of 2 mutants played"
    assert [line.split() for line in lines if line.startswith(("drop", "number", "all"))] == [
        ["drop", "1", "1"],
        ["number", "1", "0", "1"],
        ["all", "2", "1", "1"],
    ]
    assert lines[-2:] == [f"survives: {STAR}", "    `board`: `mark-star`: `8` became `9`"]
    assert ludo("mutate", "amarnepal", "--suite", suite, "--only", CAPTURE, "--jobs", "1").code == 0


def test_survivors_as_json(ludo: Ludo, suite: str) -> None:
    answer = ludo("mutate", "amarnepal", "--suite", suite, *BOTH, "--json")
    assert answer.code == 1
    found = answer.json("mutate")
    (book,) = found["books"]
    assert (found["holds"], found["complete"]) == (False, True)
    assert (book["mutants"], book["played"], book["killed"], book["killed_by_hand"], book["reasoned"]) == (2, 2, 1, 1, 0)
    assert [m["id"] for m in book["survivors"]] == [STAR]


def test_a_reason_excuses_a_survivor_and_nothing_else(ludo: Ludo, suite: str, tmp_path: Path) -> None:
    def gate(*mutants: str) -> tuple[int, list[str]]:
        answer = ludo("mutate", "amarnepal", "--suite", suite, *BOTH, "--reasons", reasons(tmp_path, *mutants))
        return answer.code, answer.out.splitlines()

    assert gate(STAR)[0] == 0
    code, lines = gate(STAR, CAPTURE)
    assert (code, lines[-1]) == (1, f"has a reason, but is noticed: {CAPTURE}")
    code, lines = gate(STAR, "drop/nothing/1")
    assert (code, lines[-1]) == (1, "has a reason, but is no mutant of amarnepal: drop/nothing/1")


def test_mutants_are_listed(ludo: Ludo) -> None:
    answer = ludo("mutate", "amarnepal", "--list", "--only", "drop/capture/*")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "Amarnepal Ludo: 1 mutants"
    assert lines[1] == f"  {CAPTURE}"
    found = ludo("mutate", "amarnepal", "--list", "--json").json("mutate")
    assert {m["id"] for m in found["books"][0]["mutants"]} == {m.id for m in mutants(book_of("amarnepal"))}


def test_a_sample_is_drawn_again_by_its_seed(ludo: Ludo, suite: str) -> None:
    first = ludo("mutate", "amarnepal", "--suite", suite, "--sample", "3", "--jobs", "1", "--json").json("mutate")
    assert first["books"][0]["mutants"] == 3
    again = ludo("mutate", "amarnepal", "--suite", suite, "--sample", "3", "--seed", str(first["seed"]), "--jobs", "1")
    assert f"3 of 3 mutants played, drawn by seed {first['seed']}" in again.out
    survivors = [line.removeprefix("survives: ") for line in again.out.splitlines() if line.startswith("survives: ")]
    assert survivors == [m["id"] for m in first["books"][0]["survivors"]]


def test_the_matrix_is_written(ludo: Ludo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a rule book that has two mutants, one of which has a reason."""
    chosen = tuple(m for m in mutants(book_of("amarnepal")) if m.id in (CAPTURE, STAR))
    monkeypatch.setattr("ludo_dsl.conformance.mutants.mutants", lambda book: chosen)
    monkeypatch.setattr(mutant_files, "folder", lambda: tmp_path / "mutants")
    assert ludo("mutate", "amarnepal", "--write", "--jobs", "1").code == 0
    matrix = mutant_files.read_matrix("amarnepal", tmp_path / "mutants")
    assert matrix is not None
    assert set(matrix.killers) == {CAPTURE, STAR}
    assert all(len(killers) > 1 for killers in matrix.killers.values())


def test_what_the_interpreter_cannot_play_is_a_survivor(ludo: Ludo, suite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise IndexError("no such square")

    # Processes are forked from this one where the system can; elsewhere the patch does not reach them.
    monkeypatch.setattr(MutantSubject, "roll", breaks)
    monkeypatch.setattr("ludo_dsl.conformance.mutation.gate.ProcessPoolExecutor", _Here)
    answer = ludo("mutate", "amarnepal", "--suite", suite, "--only", CAPTURE, "--json")
    assert answer.code == 1
    (survivor,) = answer.json("mutate")["books"][0]["survivors"]
    assert survivor["broken"] == "amarnepal/capture/plain: IndexError: no such square"


class _Here:
    """A pool that works in this process."""

    def __init__(self, jobs: int, initializer: object, initargs: tuple[object, ...]) -> None:
        from ludo_dsl.conformance.mutation.gate import _Work

        _Work.mutants, _Work.checks, _Work.hints, _Work.until = initargs  # type: ignore[assignment]

    def submit(self, function: object, *args: object) -> object:
        from concurrent.futures import Future

        future: Future[object] = Future()
        future.set_result(function(*args))  # type: ignore[operator]
        return future

    def shutdown(self) -> None:
        """Nothing to do."""


def test_ctrl_c_tells_what_was_played(ludo: Ludo, suite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludo_dsl.conformance.mutation.gate.as_completed", stop)
    answer = ludo("mutate", "amarnepal", "--suite", suite, *BOTH, "--json")
    assert answer.code == 130
    found = answer.json("mutate")
    assert (found["complete"], found["books"][0]["played"]) == (False, 0)
    assert "stopped: what stands here is what has been played" in ludo("mutate", "amarnepal", "--suite", suite, *BOTH).out


def test_bad_usage(ludo: Ludo, suite: str) -> None:
    answer = ludo("mutate", "amarnepal", "--write", "--suite", suite)
    assert answer.code == 2
    assert "--write is for whole rule books" in answer.err
    answer = ludo("mutate", "qdan", "--suite", suite)
    assert answer.code == 2
    assert "there are no scenarios for qdan" in answer.err
    assert ludo("mutate").code == 2
    assert ludo("mutate", "no-such-book").code == 3
