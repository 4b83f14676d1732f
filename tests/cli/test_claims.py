"""`ludo claims`: what holds, what fails, and how small the counterexamples are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ludo

HEAD = 'variant doubtful "Doubtful" extends card-kings\n\n'
"""Two players; its own claims hold."""


def tried(ludo: Ludo, folder: Path, claim: str, *more: str, code: int = 1) -> list[dict[str, Any]]:
    """The assertions of a claim, after a trial that ends with an exit code."""
    file = folder / "doubtful.ludo"
    file.write_text(f'{HEAD}claim mine\n  "So it is said."\n  {claim}\n', encoding="utf-8")
    answer = ludo("claims", str(file), "--games", "10", "--json", *more)
    assert answer.code == code
    found = answer.json("claims")
    assert found["ok"] == (code == 0)
    assert found["complete"]
    return [c for c in found["claims"] if c["claim"] == "mine"]


def out(position: str) -> int:
    """Pieces of a position that are not in the yard."""
    fields = dict(part.split("=") for part in position.split())
    return sum(place != "Y" for colour in ("red", "yellow") for place in fields[colour].split(","))


def test_claims_that_hold(ludo: Ludo) -> None:
    answer = ludo("claims", "card-kings", "--games", "2")
    assert answer.code == 0
    assert "out-of-reach [CK-19]: holds" in answer.out
    assert "A token on a safe square is out of reach" in answer.out
    assert "2 random games" in " ".join(answer.out.split())
    assert "3 claims, and none fails" in answer.out
    # 52 squares of the track, five of the lane, yard and home for each of two pieces, and no two of them where they cannot be:
    # on each of the 52 squares that both use, less the eight safe ones, the second would have captured the first.
    assert f"all {59 * 59 - 44:,} positions of two pieces" in " ".join(answer.out.split())


def test_a_rule_book_without_claims(ludo: Ludo) -> None:
    answer = ludo("claims", "mensch")
    assert answer.code == 0
    assert "makes no claims" in answer.out


def test_the_board_decides(ludo: Ludo, tmp_path: Path) -> None:
    (found,) = tried(ludo, tmp_path, "always route = 56", code=0)
    assert found["tried"] == [{"method": "board", "exhaustive": True, "count": 1}]
    (found,) = tried(ludo, tmp_path, "always route = 57")
    assert found["counterexample"]["position"] is None


def test_scenarios_are_played_as_they_stand(ludo: Ludo, tmp_path: Path) -> None:
    start = "red={20-d},Y,Y,Y yellow=46,Y,Y,Y turn=red"
    (found,) = tried(ludo, tmp_path, f'for d in 1..4 given "{start}" roll d move "{{20-d}}>20" gives "yellow=Y,Y,Y,Y"', code=0)
    assert found["tried"] == [{"method": "scenarios", "exhaustive": True, "count": 4}]
    (found,) = tried(ludo, tmp_path, 'for d in 2..5 given "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red" roll d legal "20>2{d+1}", "20>22"')
    example = found["counterexample"]
    assert example["message"].startswith("with d = 2: legal are 20>22")
    assert example["position"] == "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red"


def test_a_counterexample_is_as_small_as_can_be(ludo: Ludo, tmp_path: Path) -> None:
    """A capture needs a captor and a captive, and no more; three of a colour that captures needs one at home as well."""
    (found,) = tried(ludo, tmp_path, "never captured")
    example = found["counterexample"]
    assert out(example["position"]) == 2
    assert len(example["rolls"]) == len(example["moves"]) == 1
    (found,) = tried(ludo, tmp_path, "never captured if own at home >= 1")
    assert out(found["counterexample"]["position"]) == 3
    assert "H" in found["counterexample"]["position"]
    (found,) = tried(ludo, tmp_path, "never rolled if die = 5")
    assert (out(found["counterexample"]["position"]), found["counterexample"]["rolls"]) == (0, [[5]])
    assert found["counterexample"]["moves"] == []


def test_a_counterexample_can_be_played(ludo: Ludo, tmp_path: Path) -> None:
    (found,) = tried(ludo, tmp_path, "never captured if captured >= 2")
    example = found["counterexample"]
    args = ["--position", example["position"], "--roll", str(example["rolls"][0][0]), "--move", example["moves"][0], "--json"]
    events = ludo("move", "card-kings", *args).json("move")["events"]
    assert sum(event["event"] == "captured" for event in events) == 2


def test_a_counterexample_is_drawn(ludo: Ludo, tmp_path: Path) -> None:
    tried(ludo, tmp_path, "never captured")
    answer = ludo("claims", str(tmp_path / "doubtful.ludo"), "--games", "1")
    assert answer.code == 1
    assert "mine: fails" in answer.out
    assert "    position: red=" in answer.out
    assert "    roll: " in answer.out
    assert "    move: " in answer.out
    assert "clockwise" in answer.out
    assert "1 of 4 claims fails" in answer.out


def test_the_seed_repeats_the_trial(ludo: Ludo, tmp_path: Path) -> None:
    claim = "never reached home if own at home >= 2"
    assert tried(ludo, tmp_path, claim, "--seed", "5") == tried(ludo, tmp_path, claim, "--seed", "5")


@pytest.mark.parametrize("args", [["--games", "-1"], ["--games", "x"], ["--players", "7"], ["--option", "x=1"], ["--seed", "x"]])
def test_bad_usage_of_claims(ludo: Ludo, args: list[str]) -> None:
    assert ludo("claims", "card-kings", *args).code == 2


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_reports_what_has_been_tried() -> None:
    program = (
        "import sys; from ludo_dsl.cli import main; import ludo_dsl.play.trials as t; follow = t._Watch._follow;"
        "t._Watch._follow = lambda *a: (print('here', file=sys.stderr, flush=True), follow(*a))[1]; main()"
    )
    args = [sys.executable, "-c", program, "claims", "card-kings", "--games", "5000"]
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    assert process.stderr.readline() == "here\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped: what stands here is what has been tried so far" in text
    assert "holds so far" in text
