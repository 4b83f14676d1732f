"""Bad usage: exit code 2, a message in the user's words, a hint that cures, and JSON where JSON was asked for."""

from __future__ import annotations

import pytest

from ludo_dsl import __version__
from ludo_dsl.cli import VERBS
from tests.cli.conftest import Ludo

TWO = "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
ANY = ["legal", "amarnepal", "--position", TWO, "--roll", "3"]


def test_help_names_every_verb(ludo: Ludo) -> None:
    answer = ludo("--help")
    assert answer.code == 0
    for verb, says in VERBS.items():
        assert f"  {verb} " in answer.out
        assert says.split()[0] in answer.out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_within_80_columns(ludo: Ludo, verb: str) -> None:
    answer = ludo(verb, "--help")
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: ludo {verb}")
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_version(ludo: Ludo) -> None:
    assert ludo("--version").out == f"ludo, version {__version__}\n"


def test_nothing_asked_shows_the_help_and_is_bad_usage(ludo: Ludo) -> None:
    answer = ludo()
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("Usage: ludo") == 1
    assert "simulate" in answer.err


USAGE = [
    (["simulat"], "there is no command `simulat`: did you mean `simulate`?"),
    (["bogus"], "there is no command `bogus`"),
    (["--bogus"], "--bogus"),
    (["legal"], "missing argument `VARIANT`"),
    (["legal", "amarnepal"], "missing option `--position`"),
    (["check"], "missing argument `FILE...`"),
    ([*ANY, "--players", "x"], "`x` is no whole number"),
    ([*ANY, "--players", "0"], "`--players`"),
    ([*ANY, "--players", "7"], "2 to 4 players, not 7"),
    ([*ANY, "--option", "capture-frist=on"], "did you mean `capture-first`?"),
    ([*ANY, "--option", "nothing-like-it=on"], "known options: `capture-first`, `capture-roll`, `one-leaves`"),
    ([*ANY, "--option", "capture-first=maybe"], "known values: `off`, `on`"),
    ([*ANY, "--option", "capture-first"], "write it as `name=value`"),
    ([*ANY, "--option", "capture-first=on", "--option", "capture-first=on"], "--option capture-first is given twice"),
    ([*ANY, "--reading", "sixs=in-turn"], "did you mean `sixes`?"),
    ([*ANY, "--option", "sixes=in-turn"], "`sixes` is a reading of amarnepal, not an option"),
    (["explain", "L9999"], "there is no code `L9999`"),
    (["simulate", "mensch", "-n", "0"], "`-n`"),
    (["simulate", "mensch", "--first", "nobody"], "black, yellow, green, red"),
    (["simulate", "mensch", "--player", "clever"], "`random`, `sensible`"),
]


@pytest.mark.parametrize(("args", "told"), USAGE)
def test_bad_usage_is_told(ludo: Ludo, args: list[str], told: str) -> None:
    answer = ludo(*args)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert answer.err.startswith("error: ")


@pytest.mark.parametrize("args", [args for args, _ in USAGE])
def test_bad_usage_is_json_where_json_is_asked_for(ludo: Ludo, args: list[str]) -> None:
    answer = ludo(*args, "--json")
    assert (answer.code, answer.err) == (2, "")
    assert answer.json("error")["error"]


POSITIONS = [
    ("red=20,Y,Y,Y,Y yellow=Y,Y,Y,Y", "red has 4 pieces, and 5 places are given"),
    ("red=20,Y,Y,Y", "2 players: red, yellow"),
    ("", "the position is empty"),
    ("bla", "`bla` is no field of a position"),
    ("red=20,Y,Y,\u0663 yellow=Y,Y,Y,Y", "`\u0663` in `red=` is no place on this board"),
    ("red=20,Y,Y,99999999999999999999 yellow=Y,Y,Y,Y", "is no place on this board"),
    ("red=20,Y,Y,Y red=20,Y,Y,Y yellow=Y,Y,Y,Y", "the field `red` is given twice"),
    ("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=blue", "nobody at this table is `blue`"),
    ("red=20,Y,Y,Y yellow=Y,Y,Y,Y pool=9", "the pool cannot hold a die `9`"),
    ("red=20,Y,Y,Y yellow=Y,Y,Y,Y pool=\u00b2", "the pool cannot hold a die `\u00b2`"),
    ("red=20,Y,Y,Y yellow=Y,Y,Y,Y owed=99999999999", "in `owed`"),
    ("red=20,Y,Y,Y yellow=Y,Y,Y,Y kicks.red=3", "amarnepal has no counter `kicks.red`"),
    (f"red={'6' * 5000},Y,Y,Y yellow=Y,Y,Y,Y", "is no place on this board"),
]


@pytest.mark.parametrize(("position", "told"), POSITIONS)
def test_impossible_positions_are_told(ludo: Ludo, position: str, told: str) -> None:
    for verb in ("legal", "move"):
        answer = ludo(verb, "amarnepal", "--position", position)
        assert (answer.code, answer.out) == (2, "")
        if len(position) < 1000:
            assert told in answer.err
        assert max(len(line) for line in answer.err.splitlines()) < 200
        assert ludo(verb, "amarnepal", "--position", position, "--json").json("error")


def test_a_goal_square_of_mensch_holds_one_piece(ludo: Ludo) -> None:
    answer = ludo("legal", "mensch", "--position", "black=L2,L2,Y,Y green=Y,Y,Y,Y turn=black", "--roll", "3")
    assert answer.code == 2
    assert "L2 holds one piece only, and black has 2 there" in answer.err


@pytest.mark.parametrize("roll", ["0", "-1", "7", "x", "", "3,", "\u0663", "\u00b2", "6" * 5000, "3.0"])
def test_rolls_that_no_die_shows_are_bad_usage(ludo: Ludo, roll: str) -> None:
    answer = ludo("legal", "amarnepal", "--position", TWO, "--roll", roll)
    assert (answer.code, answer.out) == (2, "")
    assert "face" in answer.err
    assert len(answer.err) < 300
    assert ludo("legal", "amarnepal", "--position", TWO, f"--roll={roll}", "--json").json("error")["error"]


def test_a_roll_that_is_not_due_is_told(ludo: Ludo) -> None:
    answer = ludo("legal", "amarnepal", "--position", f"{TWO} pool=3", "--roll", "3")
    assert answer.code == 2
    assert "no roll is due: there are dice in the pool" in answer.err
    over = ludo("legal", "amarnepal", "--position", "red=H,H,H,H yellow=Y,Y,Y,Y turn=over", "--roll", "3")
    assert over.code == 2
    assert "no roll is due: the game is over" in over.err
    twice = ludo("legal", "amarnepal", "--position", TWO, "--roll", "3,3")
    assert twice.code == 2
    assert "one roll at a time" in twice.err


def test_two_dice_are_rolled_at_once_in_the_points_race(ludo: Ludo) -> None:
    position = "red=5,0,Y,Y green=0,Y,Y,Y yellow=0,Y,Y,Y blue=0,Y,Y,Y turn=red"
    answer = ludo("move", "ludo-cities", "--position", position, "--roll", "4")
    assert answer.code == 2
    assert "a roll shows 2 dice, and 1 face is given" in answer.err


MISSING = [["play"], ["variants"], ["clauses"], ["table"], ["simulate"], ["check"]]


@pytest.mark.parametrize("verb", MISSING)
def test_an_unknown_rule_book_is_bad_input_with_a_suggestion(ludo: Ludo, verb: list[str]) -> None:
    answer = ludo(*verb, "amarnepl")
    assert (answer.code, answer.out) == (3, "")
    assert "error[L0701]: there is no rule book `amarnepl`" in answer.err
    assert "did you mean `amarnepal`?" in answer.err
    assert "-->" not in answer.err


@pytest.mark.parametrize("verb", ["variants", "clauses", "table", "simulate"])
def test_an_unknown_rule_book_as_json(ludo: Ludo, verb: str) -> None:
    answer = ludo(verb, "nope", "--json")
    assert (answer.code, answer.err) == (3, "")
    assert answer.json("error")["diagnostics"][0]["code"] == "L0701"


def test_a_fault_of_ours_has_its_own_exit_code(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.delenv("LUDO_DEBUG", raising=False)
    monkeypatch.setattr("ludo_dsl.cli.common.settings", broken)
    monkeypatch.setattr("ludo_dsl.cli.legal.settings", broken)
    answer = ludo(*ANY)
    assert answer.code == 4
    assert "a fault of the program, not yours: ZeroDivisionError: oh" in answer.err
    assert "LUDO_DEBUG=1" in answer.err
    assert ludo(*ANY, "--json").json("error")
