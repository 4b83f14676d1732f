"""`ludo host`, and `ludo play` with settings of the table."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ludo_dsl.resources import data_root
from tests.cli.conftest import Answer, Ludo

GOOD = """\
variant: amarnepal
title: The only move is made for the player.
players: 2
position: red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red
steps:
  - sit red on phone-a
  - sit yellow on phone-b
  - begin
  - do: roll 3
    then: {turn: yellow}
"""


def run(ludo: Ludo, folder: Path, text: str | bytes, *more: str) -> Answer:
    path = folder / "script.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.chdir(folder)
    return ludo("host", "script.yaml", *more)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_scripts_of_the_project_hold(ludo: Ludo) -> None:
    answer = ludo("host", str(data_root() / "conformance" / "tables"), "--json")
    assert answer.code == 0
    scripts = answer.json("host")["scripts"]
    assert len(scripts) >= 25
    assert all(s["as_expected"] for s in scripts)
    assert {s["variant"] for s in scripts} == {"amarnepal", "ludo-cities", "ludolive", "qdan"}


def test_a_script_that_holds(ludo: Ludo, tmp_path: Path) -> None:
    answer = run(ludo, tmp_path, GOOD)
    assert (answer.code, answer.out, answer.err) == (0, "script.yaml: 4 steps as expected\n", "")
    notes = run(ludo, tmp_path, GOOD, "--notes").out
    assert "> roll 3\n  red rolls 3\n  20>23 is made for red: there is no choice\n" in notes


def test_the_first_step_that_comes_otherwise_is_told(ludo: Ludo, tmp_path: Path) -> None:
    wrong = GOOD.replace("turn: yellow", "turn: red, clock: 1") + "  - roll 99\n"
    answer = run(ludo, tmp_path, wrong)
    assert answer.code == 1
    assert answer.out == (
        "script.yaml:9: step 4, `roll 3`, comes otherwise\n"
        "  turn: expected red\n        found    yellow\n"
        "  clock: expected 1\n         found    0.0\n"
    )
    failure = run(ludo, tmp_path, wrong, "--json").json("host")["scripts"][0]["failure"]
    assert (failure["step"], failure["line"], failure["do"]) == (4, 9, "roll 3")
    assert failure["differences"][0] == {"what": "turn", "expected": "red", "found": "yellow"}


REFUSED = [
    ("  - clock -5s\n", "refused as clock-goes-back: the clock stands at 0s and cannot go back to -5s"),
    ("  - return red\n", "refused as returns-twice: `red` is at the table and cannot come back"),
    ("  - drop red\n  - return red on phone-c\n", "refused as returns-from-elsewhere: the seat `red` is kept for the device"),
    ("  - drop red\n  - return red\n  - return red\n", "refused as returns-twice"),
    ("  - roll 3 by red\n", "refused as out-of-turn: it is the turn of `yellow`, not of `red`"),
    ("  - roll 7\n", "refused as illegal-roll"),
    ("  - {do: clock +1s, refused: refused}\n", "expected refused"),
    ("  - sit red\n", "refused as not-now"),
    ("  - play again\n", "refused as not-now"),
    ("  - roll 6\n  - move 5>12\n", "refused as illegal-move"),
]


@pytest.mark.parametrize(("steps", "told"), REFUSED, ids=[told[:40] for _, told in REFUSED])
def test_what_the_table_refuses_is_told(ludo: Ludo, tmp_path: Path, steps: str, told: str) -> None:
    answer = run(ludo, tmp_path, GOOD + steps)
    assert answer.code == 1
    assert told in " ".join(answer.out.split())
    assert f"script.yaml:{(GOOD + steps).count(chr(10))}: " in answer.out


FAULTY: list[tuple[str, str, str, str]] = [
    (GOOD.replace("- begin", "- beginn"), "script.yaml:8: $.steps[2]: `beginn` is no step", "did you mean `begin`?", "misspelt step"),
    (GOOD.replace("roll 3", "roll x"), "script.yaml:9: $.steps[3].do: `roll x` is no step", "write it as `roll", "form of a step"),
    (
        GOOD.replace("turn: yellow", "trun: yellow"),
        "script.yaml:10: $.steps[3].then: there is no `trun` here",
        "did you mean `turn`?",
        "key",
    ),
    (GOOD.replace("title", "titel"), "there is no `titel` here", "did you mean `title`?", "key of the script"),
    (GOOD.replace("amarnepal", "amarnipal"), "script.yaml:1: $.variant: there is no rule book", "did you mean `amarnepal`?", "variant"),
    (GOOD.replace("players: 2", "players: 9"), "script.yaml:3: $.players: Amarnepal Ludo is for", "choose", "players"),
    (GOOD.replace("players: 2", "players: two"), "script.yaml:3: $.players: this is of the wrong type", "write a whole number", "type"),
    (GOOD + "host: {turn-secs: 30}\n", "script.yaml:11: $.host: there is no host setting", "did you mean `turn-seconds`?", "setting"),
    (GOOD + "options: {one-leave: on}\n", "script.yaml:11: $.options: amarnepal has no option", "did you mean `one-leaves`?", "option"),
    (GOOD.replace("red=20,", "red=70,"), "script.yaml:4: $.position: ", "", "position"),
    (GOOD.replace("{turn: yellow}", "{position: red=1}"), "script.yaml:10: $.steps[3].then.position: ", "", "expected position"),
    (GOOD + "  - {do: roll 1, refused: tired}\n", "script.yaml:11: $.steps[4].refused: nothing is refused as `tired`", "known", "reason"),
    (GOOD + "players: 2\n", "script.yaml:11: $.players: `players` is given twice", "keep one", "twice"),
    (GOOD + "  - [1\n", "script.yaml:1", "mend the line", "yaml"),
    ("", "script.yaml: the file is empty", "spec/language/table.md", "empty"),
    ("- a\n- b\n", "script.yaml:1: this is of the wrong type", "write a mapping", "list"),
    (GOOD.replace("steps:", "steps: &a") + "  - *a\n", "taken again by an alias", "write it out", "alias"),
    (GOOD + "1: 2\n", "script.yaml:11: `1` cannot be a key", "words", "number as a key"),
    (GOOD + "seed: " + "9" * 5000 + "\n", "cannot be read", "plain numbers", "number"),
    ("[" * 4000, "script.yaml", "", "deep"),
]


@pytest.mark.parametrize(("text", "told", "hint", "what"), FAULTY, ids=[what for *_, what in FAULTY])
def test_a_file_that_is_no_script(ludo: Ludo, tmp_path: Path, text: str, told: str, hint: str, what: str) -> None:
    answer = run(ludo, tmp_path, text)
    assert (answer.code, answer.out) == (3, ""), what
    assert told in answer.err
    assert hint in answer.err
    assert told.partition(": ")[2] in run(ludo, tmp_path, text, "--json").json("error")["error"]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"title: \x07\n", b"#" * 1_000_001], ids=["bytes", "bell", "long"])
def test_bytes_that_are_no_script(ludo: Ludo, tmp_path: Path, data: bytes) -> None:
    answer = run(ludo, tmp_path, data)
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.startswith("error: script.yaml")


def test_a_file_that_is_not_there(ludo: Ludo) -> None:
    assert ludo("host", "missing.yaml").code == 3
    assert ludo("host").code == 2


def test_words_are_words(ludo: Ludo, tmp_path: Path) -> None:
    assert run(ludo, tmp_path, GOOD.replace("players: 2", "players: 2\noptions: {one-leaves: on, capture-roll: off}")).code == 0


def test_a_script_for_another_variant(ludo: Ludo, tmp_path: Path) -> None:
    other = run(ludo, tmp_path, GOOD, "--variant", "qdan")
    assert (other.code, other.out) == (3, "")
    assert other.err == (
        "error: script.yaml:1: $.variant: this is a script for amarnepal, not for qdan\n"
        "  = hint: give the rule book that it was written for, or one that extends it\n"
    )
    (tmp_path / "mine.ludo").write_text('variant mine "Mine" extends amarnepal\n\nset capture-roll to off\n', encoding="utf-8")
    assert run(ludo, tmp_path, GOOD, "--variant", "mine.ludo").code == 0


# ---- ludo play ---------------------------------------------------------------------------------------------------------

START = "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red"


def play(ludo: Ludo, typed: str, *more: str, variant: str = "amarnepal", position: str = START) -> Answer:
    return ludo("play", variant, "--position", position, "--seed", "1", *more, stdin=typed)


def test_a_forced_move_is_made_and_told(ludo: Ludo) -> None:
    told = play(ludo, "\nq\n").out
    assert "has no choice with " in told
    assert "stopped at red=20," not in told
    asked = play(ludo, "\nq\n", "--host", "forced-moves=asked").out
    assert "has no choice with " not in asked
    assert "red can move with " in asked
    assert "--host forced-moves=asked" in asked


def test_a_person_who_takes_too_long_is_played_for(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 100_000, 31))
    monkeypatch.setattr("ludo_dsl.cli.screen.monotonic", lambda: next(times))
    position = "yellow=20,3,Y,Y red=10,Y,Y,Y turn=yellow"
    late = play(ludo, "\nq\n", "--host", "turn-seconds=30", variant="qdan", position=position).out
    assert "the time of yellow is up: the computer plays this turn" in late
    assert "yellow rolls" in late
    assert "stopped at yellow=20,3," not in late
    free = play(ludo, "\nq\n", variant="qdan", position=position).out
    assert "the time of yellow is up" not in free


def test_who_begins_is_a_setting(ludo: Ludo) -> None:
    def first(*more: str) -> set[str]:
        plays = (ludo("play", "amarnepal", *more, "--seed", str(seed), stdin="").out for seed in range(12))
        return {found[1] for out in plays if (found := re.search(r"(\w+)(?: rolls|, press)", out))}

    assert first() == {"red"}
    assert len(first("--host", "first-player=drawn")) > 1


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("turn-seconds", "write it as `name=value`"),
        ("turn-secs=30", "did you mean `turn-seconds`?"),
        ("turn-seconds=soon", "it is `none` or a whole number from 1 to 86400"),
        ("forced-moves=never", "it is one of `asked`, `automatic`"),
        ("room=any", "amarnepal does not offer `any`"),
    ],
)
def test_bad_settings_of_the_table(ludo: Ludo, setting: str, told: str) -> None:
    answer = play(ludo, "", "--host", setting)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
