"""`ludo play --log`, `ludo replay` and `ludo why`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Ludo

START = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"


@pytest.fixture
def record(ludo: Ludo, tmp_path: Path) -> Path:
    """Red captures with a three that is in the pool, and then stops: one ply, for yellow's 49 is red's 23."""
    path = tmp_path / "game.jsonl"
    answer = ludo("play", "amarnepal", "--position", f"{START} pool=3", "--seed", "1", "--log", str(path), stdin="20>23\nq\n")
    assert answer.code == 0
    return path


def test_a_game_is_recorded_and_found_right(ludo: Ludo, record: Path) -> None:
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert [line["line"] for line in lines] == ["header", "ply", "end"]
    assert lines[0]["position"] == f"{START} pool=3"
    assert (lines[1]["player"], lines[1]["move"]) == ("red", "20>23")
    answer = ludo("replay", str(record))
    assert answer.code == 0
    assert "1 ply, every one as the rules have it" in answer.out
    assert "the game was stopped" in answer.out
    assert "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red" in answer.out
    found = ludo("replay", str(record), "--json").json("replay")
    assert (found["plies"], found["ending"], found["fault"]) == (1, "stopped", None)


def test_a_watched_game_is_recorded_to_its_end(ludo: Ludo, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = ludo("play", "card-kings", "--watch", "--seed", "4", "--log", str(path))
    assert played.code == 0
    answer = ludo("replay", str(path))
    assert answer.code == 0
    # The same last lines: who came first, and who second.
    assert answer.out.splitlines()[-3:] == played.out.splitlines()[-3:]
    found = ludo("replay", str(path), "--json").json("replay")
    assert found["ending"] == "over"
    assert sorted(found["places"].values()) == [1, 2]


def test_the_log_changes_nothing_in_the_game(ludo: Ludo, tmp_path: Path) -> None:
    args = ["play", "card-kings", "--watch", "--seed", "4"]
    assert ludo(*args).out == ludo(*args, "--log", str(tmp_path / "game.jsonl")).out


def test_a_log_is_never_overwritten(ludo: Ludo, record: Path) -> None:
    before = record.read_bytes()
    answer = ludo("play", "amarnepal", "--watch", "--log", str(record))
    assert (answer.code, answer.out) == (2, "")
    assert "exists already, and a record is never overwritten" in answer.err
    assert "hint: give another name after --log" in answer.err
    assert record.read_bytes() == before


def test_a_log_that_cannot_be_written(ludo: Ludo, tmp_path: Path) -> None:
    answer = ludo("play", "amarnepal", "--watch", "--log", str(tmp_path / "missing" / "game.jsonl"))
    assert answer.code == 3
    assert "no such file or directory" in answer.err


def test_bad_usage_leaves_no_log(ludo: Ludo, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert ludo("play", "amarnepal", "--seat", "pink=human", "--log", str(path)).code == 2
    assert not path.exists()


def test_an_edited_line_is_named(ludo: Ludo, record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace('"move": "20>23"', '"move": "Y>0"'), encoding="utf-8")
    answer = ludo("replay", str(record))
    assert answer.code == 1
    assert f"{record}:2: red's Y>0 is not legal" in answer.err
    assert "(rule `leave-yard` [AN-08 AN-09])" in answer.err
    assert "leave-yard: Nothing but a six lets a token leave the yard" in answer.err
    again = ludo("replay", str(record), "--json")
    assert again.code == 1
    fault = again.json("replay")["fault"]
    assert fault["line"] == 2
    assert [r["rule"] for r in fault["refused"]] == ["leave-yard"]
    assert ludo("why", str(record), "1").code == 1
    assert ludo("why", str(record), "1", "--json").json("why")["fault"]["line"] == 2


def test_an_edited_line_does_not_command_the_terminal(ludo: Ludo, record: Path) -> None:
    text = record.read_text(encoding="utf-8").replace('"move": "20>23"', r'"move": "\u001b[31m>0"')
    record.write_text(text, encoding="utf-8")
    answer = ludo("replay", str(record))
    assert answer.code == 1
    assert "\x1b" not in answer.err
    assert ludo("replay", str(record), "--json").json("replay")["fault"]["line"] == 2


def test_an_edit_that_breaks_no_rule_is_noticed(ludo: Ludo, record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace('"seed": 1', '"seed": 2'), encoding="utf-8")
    answer = ludo("replay", str(record))
    assert answer.code == 1
    assert f"{record}:1: the line is not as it was written" in answer.err
    assert ludo("replay", str(record), "--json").json("replay")["variant"] is None


def test_a_record_that_is_cut_short_is_accepted(ludo: Ludo, record: Path) -> None:
    data = record.read_bytes()
    record.write_bytes(data[:-5])
    answer = ludo("replay", str(record))
    assert answer.code == 0
    assert "cut short in line 3: it has no end line" in answer.out
    assert ludo("replay", str(record), "--json").json("replay")["ending"] == "cut short"
    record.write_bytes(b"".join(data.splitlines(keepends=True)[:2]))
    assert "cut short after line 2" in ludo("replay", str(record)).out
    record.write_bytes(data[:40])
    assert ludo("replay", str(record)).code == 3


@pytest.mark.parametrize("verb", [["replay"], ["why"]])
def test_what_is_no_record(ludo: Ludo, verb: list[str], tmp_path: Path) -> None:
    more = ["1"] if verb == ["why"] else []
    path = tmp_path / "no.jsonl"
    assert ludo(*verb, str(path), *more).code == 3
    assert ludo(*verb, str(tmp_path), *more).code == 3
    path.write_bytes(b"\xff\xfe")
    answer = ludo(*verb, str(path), *more)
    assert answer.code == 3
    assert f"{path}:1: the line is not UTF-8" in answer.err
    assert "what `ludo play VARIANT --log FILE` writes" in answer.err
    assert "not UTF-8" in ludo(*verb, str(path), *more, "--json").json("error")["error"]


def test_the_rule_book_can_be_named(ludo: Ludo, tmp_path: Path) -> None:
    house = tmp_path / "house.ludo"
    house.write_text('variant house "House" extends amarnepal\n\ndrop rule home-again\n', encoding="utf-8")
    path = tmp_path / "game.jsonl"
    assert ludo("play", str(house), "--seed", "1", "--log", str(path), stdin="q\n").code == 0
    assert ludo("replay", str(path)).code == 0
    moved = tmp_path / "elsewhere" / "other.ludo"
    moved.parent.mkdir()
    house.rename(moved)
    lost = ludo("replay", str(path))
    assert lost.code == 3
    assert f"{path}:1: the rule book `house.ludo` is not here" in lost.err
    assert ludo("replay", str(path), "--variant", str(moved)).code == 0
    wrong = ludo("replay", str(path), "--variant", "amarnepal")
    assert wrong.code == 3
    assert "a game of `house`, and the rule book is `amarnepal`" in wrong.err
    moved.write_text("# new\n" + moved.read_text(encoding="utf-8"), encoding="utf-8")
    assert "--changed" in ludo("replay", str(path), "--variant", str(moved)).err
    assert ludo("replay", str(path), "--variant", str(moved), "--changed").code == 0


def test_walking_through_a_record(ludo: Ludo, record: Path) -> None:
    answer = ludo("replay", str(record), "--step", stdin="\n\n")
    assert answer.code == 0
    assert answer.out.count("clockwise") == 2
    assert "ply 1: red plays 20>23" in answer.out
    assert "a yellow token on 49 is captured" in answer.out
    assert "the game was stopped" in answer.out
    stopped = ludo("replay", str(record), "--step", stdin="q\n")
    assert (stopped.code, stopped.out.count("clockwise")) == (0, 1)
    assert ludo("replay", str(record), "--step", stdin="").code == 0
    assert ludo("replay", str(record), "--step", "--json").code == 2


# ---- why -----------------------------------------------------------------------------------------------------------------


def test_why_a_move_was_legal_and_what_it_did(ludo: Ludo, record: Path) -> None:
    answer = ludo("why", str(record), "1")
    assert answer.code == 0
    legal, acted = answer.out.split("in what it did took part:")
    assert "legal by:\n  travel [" in legal
    assert "capture [" in acted
    assert "capture-roll [" in acted
    found = ludo("why", str(record), "1", "--json").json("why")
    assert (found["line"], found["legal"], found["move"]) == (2, True, "20>23")
    rules = {r["rule"]: r for r in found["rules"]}
    assert rules["travel"]["parts"] == ["allowed"]
    assert "AN-14" in rules["capture"]["clauses"]
    assert any("captures every one of them" in s for s in rules["capture"]["sentences"])


def test_why_another_move_was_not(ludo: Ludo, record: Path) -> None:
    answer = ludo("why", str(record), "1", "Y>0")
    assert answer.code == 1
    assert "Y>0 is refused:" in answer.out
    assert "(rule `leave-yard` [AN-08 AN-09])" in answer.out
    again = ludo("why", str(record), "1", "Y>0", "--json")
    assert again.code == 1
    assert [r["rule"] for r in again.json("why")["refused"]] == ["leave-yard"]
    assert ludo("why", str(record), "1", "nowhere").code == 2


def test_why_another_move_would_have_been(ludo: Ludo, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    ludo("play", "amarnepal", "--position", f"{START} pool=6", "--log", str(path), stdin="20>26\nq\n")
    answer = ludo("why", str(path), "1", "Y>0")
    assert answer.code == 0
    assert "Y>0 would have been legal" in answer.out
    assert "leave-yard [AN-08 AN-09]" in answer.out
    assert ludo("why", str(path), "1", "Y>0", "--json").json("why")["asked"] == "Y>0"


def test_why_a_roll_was_lost(ludo: Ludo, tmp_path: Path) -> None:
    """With everybody in the yard, a roll that is no six is lost; seeds are tried until one comes."""
    for seed in range(5):
        path = tmp_path / f"{seed}.jsonl"
        ludo(
            "play", "amarnepal", "--position", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "--seed", str(seed), "--log", str(path), stdin="\nq\n"
        )
        roll = json.loads(path.read_text(encoding="utf-8").splitlines()[1])["roll"]
        answer = ludo("why", str(path), "1")
        if roll != [6]:
            assert "no piece could use it:\n  not Y>0: a token may enter only if the die is 6" in answer.out
            assert ludo("why", str(path), "1", "Y>0").code == 1
            return
        assert "it could be used for Y>0" in answer.out
    raise AssertionError("five sixes")


def test_why_of_a_ply_that_is_not_there(ludo: Ludo, record: Path) -> None:
    answer = ludo("why", str(record), "2")
    assert answer.code == 2
    assert "the record has 1 ply, and no ply 2" in answer.err
    assert ludo("why", str(record), "0").code == 2


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_a_record_well(ludo: Ludo, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    program = (
        "import time; from ludo_dsl.cli import main; from ludo_dsl.play.session import Session;"
        "think = Session.think; Session.think = lambda s: (think(s), time.sleep(0.02))[0]; main()"
    )
    args = ["play", "card-kings", "--watch", "--seed", "1", "--log", str(path)]
    process = subprocess.Popen([sys.executable, "-c", program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 20):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    found = ludo("replay", str(path), "--json").json("replay")
    assert (found["ending"], found["fault"]) == ("stopped", None)
