"""`ludo scenarios check`: what is told, where, and with which exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_dsl.conformance.scenarios.check_readings import Readings
from tests.cli.conftest import Ludo

# Yellow's 49 is red's 49 + 26 - 52 = 23; a capture earns another roll.
GOOD = """\
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


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of one scenario, in the folder `mine` below the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine" / "amarnepal").mkdir(parents=True)
    file = tmp_path / "mine" / "amarnepal" / "capture.yaml"
    file.write_text(GOOD, encoding="utf-8")
    return file


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_wrong(ludo: Ludo, suite: Path) -> None:
    answer = ludo("scenarios", "check", "mine")
    assert (answer.code, answer.err) == (0, "")
    assert " ".join(answer.out.split()) == "1 scenario in 1 file: all pass, and each names just the questions on which it hangs"
    assert ludo("scenarios", "check", str(suite)).code == 0


def test_nothing_is_wrong_as_json(ludo: Ludo, suite: Path) -> None:
    answer = ludo("scenarios", "check", "mine", "--json")
    found = answer.json("scenarios-check")
    assert answer.code == 0
    assert (found["files"], found["scenarios"], found["played"], found["complete"], found["faults"]) == (1, 1, 1, True, [])
    assert "amarnepal sixes=in-turn" in found["unnamed"]


def test_faults_have_a_place_and_a_cure(ludo: Ludo, suite: Path) -> None:
    spoil(suite, "AN-14", "AN-99")
    spoil(suite, "move: 20>23", "move: 20-23")
    answer = ludo("scenarios", "check", "mine")
    assert (answer.code, answer.err) == (3, "")
    lines = answer.out.splitlines()
    place = Path("mine", "amarnepal", "capture.yaml")
    assert lines[0] == f"{place}:5: there is no clause AN-99"
    assert lines[1] == "  in amarnepal/capture/plain, at `clauses[0]`"
    assert lines[2].startswith("  = hint: ")
    assert lines[-1] == "1 scenario in 1 file: 1 fault"
    spoil(suite, "AN-99", "AN-14")
    lines = ludo("scenarios", "check", "mine").out.splitlines()
    assert lines[0] == f"{place}:9: `20-23` is no move"
    assert lines[1] == "  in amarnepal/capture/plain, at `steps[1].move`"


def test_faults_as_json(ludo: Ludo, suite: Path) -> None:
    spoil(suite, "turn=red\n  steps", "turn=yellow\n  steps")
    answer = ludo("scenarios", "check", "--json", "mine")
    (fault,) = answer.json("scenarios-check")["faults"]
    assert answer.code == 3
    assert (Path(fault["file"]).name, fault["line"], fault["path"]) == ("capture.yaml", 9, "$[0].steps[1]")
    assert fault["scenario"] == "amarnepal/capture/plain"
    # It is yellow's turn, whose 49 goes to L2 by a 3: 49 + 3 = 52, two squares past the turning at 50.
    assert "move 20>23 is refused" in fault["message"]
    assert fault["hint"]


def test_a_file_that_is_none(ludo: Ludo, suite: Path) -> None:
    suite.write_text("- id: [\n", encoding="utf-8")
    answer = ludo("scenarios", "check", "mine")
    assert answer.code == 3
    assert "this is no YAML" in answer.out
    assert "0 scenarios in 1 file: 1 fault" in answer.out


def test_ids(ludo: Ludo, suite: Path) -> None:
    answer = ludo("scenarios", "check", "mine", "--publish", "--json")
    assert answer.code == 0
    assert answer.json("scenarios-check")["published"] == ["amarnepal/capture/plain"]
    assert (suite.parent.parent / "ids.txt").is_file()
    assert "no id was added" in ludo("scenarios", "check", "mine", "--publish").out
    spoil(suite, "capture/plain", "capture/simple")
    answer = ludo("scenarios", "check", "mine")
    assert answer.code == 3
    assert "the id `amarnepal/capture/simple` is not in ids.txt" in answer.out
    assert f"{Path('mine', 'ids.txt')}:3: the scenario `amarnepal/capture/plain` is gone" in answer.out
    answer = ludo("scenarios", "check", "mine", "--publish")
    assert answer.code == 3
    assert "mend the faults first" in answer.out


def test_a_list_elsewhere(ludo: Ludo, suite: Path) -> None:
    assert ludo("scenarios", "check", "mine", "--ids", "list.txt").code == 3
    answer = ludo("scenarios", "check", "mine", "--ids", "list.txt", "--publish")
    assert answer.code == 0
    assert "added to the list of ids: 1" in answer.out
    assert ludo("scenarios", "check", "mine", "--ids", "list.txt").code == 0
    Path("list.txt").write_text("nonsense\n", encoding="utf-8")
    answer = ludo("scenarios", "check", "mine", "--ids", "list.txt")
    assert answer.code == 3
    assert "list.txt:1: `nonsense` is no id" in answer.err


def test_nothing_to_check(ludo: Ludo, tmp_path: Path) -> None:
    answer = ludo("scenarios", "check", str(tmp_path))
    assert answer.code == 3
    assert "there are no scenarios here" in answer.err
    answer = ludo("scenarios", "check", str(tmp_path / "none.yaml"), "--json")
    assert answer.code == 3
    assert "no such file" in answer.json("error")["error"]


def test_a_stopped_check(ludo: Ludo, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: Readings, item: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Readings, "faults", stop)
    answer = ludo("scenarios", "check", "mine", "--json")
    assert answer.code == 130
    found = answer.json("scenarios-check")
    assert (found["complete"], found["scenarios"], found["played"]) == (False, 1, 0)
    answer = ludo("scenarios", "check", "mine")
    assert answer.code == 130
    assert "stopped after 0 had been played" in " ".join(answer.out.split())


def test_the_commands_are_listed(ludo: Ludo) -> None:
    answer = ludo("scenarios", "--help")
    assert answer.code == 0
    assert "check " in answer.out
    assert "generate " in answer.out
    assert ludo("scenarios", "chek").code == 2
