"""`ludo distinguish`: what tells two tables apart, in words, drawn, and as a scenario; and the bound where nothing does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Ludo


def test_one_book_under_two_choices(ludo: Ludo) -> None:
    answer = ludo("distinguish", "amarnepal", "--option-b", "capture-roll=off", "--from", "position")
    assert answer.code == 0
    assert "A: Amarnepal Ludo for 2\nB: Amarnepal Ludo for 2, capture-roll=off\n" in answer.out
    assert "told apart by set position by 1 roll and 1 move" in answer.out
    assert "clockwise" in answer.out, "the board is drawn"
    assert "- id: amarnepal/told/position\n" in answer.out
    assert "  clauses: [AN-25, AN-11]\n" in answer.out
    assert "from the opening" not in answer.out


def test_as_json(ludo: Ludo) -> None:
    answer = ludo("distinguish", "qdan", "--option-b", "leave-on=5", "--json")
    assert answer.code == 0
    found = answer.json("distinguish")
    assert found["choices"] == [{}, {"leave-on": "5"}]
    # At once: a five brings a piece out for B, and nothing comes of it for A.
    for begin in ("position", "opening"):
        result = found["found"][begin]
        assert (result["told"], result["rolls"], result["moves"]) == (True, 1, 0)
    assert found["found"]["opening"]["position"] is None
    assert found["found"]["opening"]["scenario"]["start"] is True


def test_options_hold_for_both_where_b_is_left_out(ludo: Ludo) -> None:
    """Which pieces count as on the course matters under one house rule alone."""
    args = ("distinguish", "qdan", "--players", "2", "--reading-b", "on-course=no", "--from", "position", "--budget", "1000", "--json")
    assert ludo(*args).code == 1
    answer = ludo(*args, "--option", "no-piece=three-tries")
    assert answer.code == 0
    found = answer.json("distinguish")
    assert found["choices"] == [{"no-piece": "three-tries"}, {"no-piece": "three-tries", "on-course": "no"}]
    scenario = found["found"]["position"]["scenario"]
    assert scenario["options"] == {"no-piece": "three-tries"}
    assert scenario["readings"] == {"on-course": "yes"}


def test_more_players_are_taken_where_two_do_not_show_it(ludo: Ludo) -> None:
    """With two players, whoever is left when one has finished is alone."""
    found = ludo("distinguish", "qdan", "--option-b", "play-on=on", "--from", "position", "--budget", "200", "--json").json("distinguish")
    assert found["players"] == 3
    assert found["found"]["position"]["difference"]["kind"] == "over"


def test_a_house_rule_and_its_parent(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "house.ludo"
    file.write_text(
        'variant house "House" extends amarnepal\n\nreplace rule exact-home [AN-20]\n'
        '  "The centre needs no exact number."\n  past home stop\n',
        encoding="utf-8",
    )
    answer = ludo("distinguish", str(file), "amarnepal", "--from", "position")
    assert answer.code == 0
    assert "- id: house/told/position\n  title: House and Amarnepal Ludo differ\n  variant: house\n" in answer.out


def test_none_within_the_bound(ludo: Ludo) -> None:
    args = ("distinguish", "amarnepal", "--reading-b", "distance=nearest", "--players", "2", "--budget", "150", "--seed", "4")
    answer = ludo(*args)
    assert answer.code == 1
    assert "by set position: none within the bound: tried" in answer.out
    assert "from the opening: none within the bound: tried" in answer.out
    assert "(seed 4)" in answer.out
    found = ludo(*args, "--json").json("distinguish")
    assert {r["told"] for r in found["found"].values()} == {False}


def test_the_same_rules(ludo: Ludo) -> None:
    answer = ludo("distinguish", "card-kings", "card-kings")
    assert answer.code == 1
    assert "nothing tells them apart: the two tables play by the same rules" in answer.out


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["qdan"], 2, "there is nothing to tell apart"),
        (["qdan", "--option-b", "nothing"], 2, "write it as `name=value`"),
        (["qdan", "--option-b", "shape=round"], 2, "has no value `round`"),
        (["qdan", "amarnepal", "--players", "7"], 2, "not 7"),
        (["qdan", "no-such-book"], 3, "no-such-book"),
        (["qdan", "--budget", "0", "--option-b", "shape=match"], 2, "--budget"),
        (["ludo-cities", "--players", "2", "--option-b", "teams=on"], 2, "cannot be chosen at this table"),
    ],
)
def test_bad_usage(ludo: Ludo, args: list[str], code: int, says: str) -> None:
    answer = ludo("distinguish", *args)
    assert answer.code == code
    assert says in answer.err


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_reports_how_far_it_went() -> None:
    program = (
        "import sys; from ludo_dsl.cli import main; import ludo_dsl.conformance.telling.paired as t; look = t.Pair.look;"
        "t.Pair.look = lambda *a: (print('here', file=sys.stderr, flush=True), look(*a))[1]; main()"
    )
    args = [sys.executable, "-c", program, "distinguish", "amarnepal", "--players", "2", "--reading-b", "distance=nearest"]
    process = subprocess.Popen([*args, "--budget", "1000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    assert process.stderr.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "none within the bound: stopped after" in text
