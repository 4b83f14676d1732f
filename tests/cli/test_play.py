"""`ludo play`, with what a person types coming through a pipe."""

from __future__ import annotations

import re
import shlex

import pytest

from ludo_dsl.resources import variant_names
from tests.cli.conftest import Answer, Ludo

START = "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red"


def at(ludo: Ludo, position: str, typed: str, *more: str, variant: str = "amarnepal") -> Answer:
    return ludo("play", variant, "--position", position, "--seed", "1", *more, stdin=typed)


@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_begins_and_stops_with_a_command_to_go_on(ludo: Ludo, variant: str) -> None:
    answer = ludo("play", variant, "--seed", "3", stdin="q\n")
    assert answer.code == 0
    assert "(? help, q stop)> " in answer.out
    position = re.search(r"^stopped at (.+)$", answer.out, re.MULTILINE)
    command = re.search(r"^go on with: ludo (.+)$", answer.out, re.MULTILINE)
    assert position
    assert command
    again = ludo(*shlex.split(command[1]), stdin="q\n")
    assert again.code == 0
    assert f"stopped at {position[1]}\n" in again.out
    assert max(len(line) for line in answer.out.splitlines() if not line.startswith(("stopped", "go on"))) <= 80


def test_the_end_of_the_input_stops_the_game(ludo: Ludo) -> None:
    answer = at(ludo, START, "")
    assert answer.code == 0
    assert f"stopped at {START}\n" in answer.out


def test_going_on_keeps_seats_options_and_readings(ludo: Ludo) -> None:
    choices = ["--option", "one-leaves=on", "--reading", "sixes=in-turn", "--seat", "yellow=human", "--ascii"]
    answer = at(ludo, START, "q\n", *choices)
    command = next(line for line in answer.out.splitlines() if line.startswith("go on with: "))
    assert "--option one-leaves=on" in command
    assert "--reading sixes=in-turn" in command
    assert "--seat yellow=human" in command
    assert command.endswith(" --ascii")


def test_moves_are_numbered_and_a_number_or_a_text_makes_one(ludo: Ludo) -> None:
    # With a three there is one move; with a six left in the pool, there are two.
    one = at(ludo, f"{START} pool=3", "\nq\n")
    assert "red can move with 3:\n  1  20>23\n" in one.out
    assert "a red token moves 20>23 with 3" in one.out
    two = at(ludo, f"{START} pool=6", "Y>0\nq\n")
    assert {line[5:] for line in two.out.splitlines() if re.match(r"  [12]  ", line)} == {"20>26", "Y>0"}
    assert "a red token moves Y>0 with 6" in two.out
    assert "stopped at red=20,0,Y,Y yellow=Y,Y,Y,Y turn=red" in two.out


@pytest.mark.parametrize("typed", ["0", "2", "99", "-1", "9" * 5000, "\u00b2", "\u0661", "foo", "20>", "pass", "Y>0", "1 1"])
def test_what_is_no_legal_move_is_told_and_asked_again(ludo: Ludo, typed: str) -> None:
    answer = at(ludo, f"{START} pool=3", f"{typed}\nq\n")
    assert answer.code == 0
    assert f"stopped at {START} pool=3\n" in answer.out
    told = [line for line in answer.out.splitlines() if line.startswith("  ")]
    assert any(word in line for line in told for word in ("no move", "no place", "not ", "numbers go from"))


def test_reasons_are_told_on_request(ludo: Ludo) -> None:
    answer = at(ludo, f"{START} pool=3", "?\nq\n")
    assert "not Y>0: " in answer.out
    assert "[AN-08" in answer.out
    assert "leave-yard: Nothing but a six lets a token leave the yard" in answer.out


def test_reasons_are_told_when_a_roll_is_lost(ludo: Ludo) -> None:
    lost = 0
    for seed in range(6):
        answer = ludo("play", "amarnepal", "--position", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "--seed", str(seed), stdin="\nq\n")
        rolled = re.search(r"red rolls (\d)", answer.out)
        assert rolled
        if rolled[1] == "6":
            assert "  1  Y>0\n" in answer.out
            continue
        lost += 1
        told = answer.out[rolled.start() :]
        assert told.index(f"{rolled[1]} is lost") < told.index("not Y>0: ")
        assert "`leave-yard`" in told
    assert lost


def test_board_and_rules_are_shown_on_request(ludo: Ludo) -> None:
    plain = at(ludo, START, "q\n").out
    assert at(ludo, START, "b\nq\n").out.count("clockwise") == plain.count("clockwise") + 1
    rules = at(ludo, START, "r\nq\n").out
    assert "leave-yard: Nothing but a six lets a token leave" in rules
    option = at(ludo, START, "r\nq\n", "--option", "one-leaves=on").out
    assert option != rules


def test_ascii_and_no_colours_in_a_pipe(ludo: Ludo) -> None:
    assert at(ludo, START, "q\n", "--ascii").out.isascii()
    assert not at(ludo, START, "q\n").out.isascii()
    assert "\x1b" not in at(ludo, START, "\nq\n").out


@pytest.mark.parametrize("variant", ["card-kings", "ludo-cities"])
def test_watching_plays_to_the_end_and_the_seed_repeats_it(ludo: Ludo, variant: str) -> None:
    args = ["play", variant, "--watch", "--seed"]
    first = ludo(*args, "4")
    assert first.code == 0
    assert "\nthe game is over: " in first.out
    assert re.search(r"^  1\. \w+: \d home", first.out, re.MULTILINE)
    assert ludo(*args, "4").out == first.out
    assert ludo(*args, "5").out.splitlines()[1:] != first.out.splitlines()[1:]


HIDDEN = "red=20,Y,Y,Y green=5,Y,Y,Y yellow=5,Y,Y,Y blue=5,Y,Y,Y turn=red stars.green=1 stars.red=1 first=red"


def test_one_person_never_sees_what_rivals_hide(ludo: Ludo) -> None:
    stopped = at(ludo, HIDDEN, "q\n", variant="ludo-cities").out
    assert "stars.red=1" in stopped
    assert "stars.green=?" in stopped
    assert "stars.green=1" not in stopped
    # Rivals take many turns, and some land on stars.
    whole = at(ludo, HIDDEN, "", "--watch", variant="ludo-cities").out
    assert "stars of " in whole
    played = at(ludo, HIDDEN, "\n1\n1\n" * 60, variant="ludo-cities").out
    told = re.findall(r"stars of (\w+)", played)
    completed = len(re.findall(r"scores 50", played))
    assert set(told) <= {"red"} or completed


def test_two_people_share_a_keyboard(ludo: Ludo) -> None:
    seats = ["--seat", "red=human", "--seat", "yellow=human"]
    answer = at(ludo, f"{START} pool=3", "1\nq\n", *seats)
    assert "yellow, press Enter to roll" in answer.out


USAGE = [
    (["--seat", "purple=human"], "nobody at this table is `purple`; known players: `black`"),
    (["--seat", "black"], "write it as `colour=who`"),
    (["--seat", "black=hooman"], "did you mean `human`?"),
    (["--seat", "black=human", "--seat", "black=random"], "--seat black is given twice"),
    (["--watch", "--seat", "black=human"], "--watch is for computer players only"),
    (["--first", "blu"], "the players are black, yellow, green, red"),
    (["--first", "black", "--position", "x"], "the position says whose turn it is"),
    (["--position", ""], "the position is empty"),
    (["--delay", "nan"], "--delay nan"),
    (["--delay", "inf"], "`--delay`"),
    (["--seed", "x"], "`x` is no whole number"),
    (["--option", "tires=on"], "did you mean `tries`?"),
    (["--reading", "unused-sx=pays"], "did you mean `unused-six`?"),
]


@pytest.mark.parametrize(("args", "told"), USAGE)
def test_bad_usage_of_play(ludo: Ludo, args: list[str], told: str) -> None:
    answer = ludo("play", "mensch", *args)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
