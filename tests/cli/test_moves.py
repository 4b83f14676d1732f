"""`ludo legal` and `ludo move`: moves, refusals, positions. Expected values follow from the rule texts.

Amarnepal: the ring has 52 squares, yellow's start lies 26 after red's, stars lie 8 after each start. So yellow's piece on its 6
stands on red's 32, and yellow's piece on its 8 (a star) on red's 34.
"""

from __future__ import annotations

import pytest

from tests.cli.conftest import Answer, Ludo

APART = "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red"


def legal(ludo: Ludo, position: str, roll: str, *more: str, variant: str = "amarnepal") -> Answer:
    return ludo("legal", variant, "--position", position, "--roll", roll, *more)


def move(ludo: Ludo, position: str, roll: str, wanted: str, *more: str, variant: str = "amarnepal") -> Answer:
    return ludo("move", variant, "--position", position, "--roll", roll, "--move", wanted, *more)


# ---- legal -----------------------------------------------------------------------------------------------------------


def test_only_a_six_leaves_the_yard(ludo: Ludo) -> None:
    three = legal(ludo, APART, "3", "--json").json("legal")
    assert three["legal"] == ["20>23"]
    (refusal,) = three["refused"]
    assert (refusal["move"], refusal["rule"]) == ("Y>0", "leave-yard")
    assert {"AN-08", "AN-09"} <= set(refusal["clauses"])
    assert set(legal(ludo, APART, "6", "--json").json("legal")["legal"]) == {"20>26", "Y>0"}


def test_an_option_lets_a_one_leave_the_yard(ludo: Ludo) -> None:
    one = legal(ludo, APART, "1", "--json", "--option", "one-leaves=on").json("legal")
    assert set(one["legal"]) == {"20>21", "Y>0"}
    assert one["refused"] == []


def test_legal_for_people_is_one_move_a_line_and_why_adds_reasons(ludo: Ludo) -> None:
    assert legal(ludo, APART, "3").out == "20>23\n"
    first, reason, *sentence = legal(ludo, APART, "3", "--why").out.splitlines()
    assert first == "20>23"
    assert reason.startswith("not Y>0: ")
    assert "6 (rule `leave-yard` [AN-08 AN-09])" in reason
    assert sentence[0].startswith("  leave-yard: Nothing but a six ")
    assert max(len(line) for line in sentence) <= 80


def test_home_needs_the_exact_number(ludo: Ludo) -> None:
    # From L3 home is three steps away: L4, L5, H.
    position = "red=L3,H,H,H yellow=Y,Y,Y,Y turn=red"
    assert legal(ludo, position, "3", "--json").json("legal")["legal"] == ["L3>H"]
    four = legal(ludo, position, "4", "--json").json("legal")
    assert four["legal"] == []
    assert [r["rule"] for r in four["refused"]] == ["exact-home"]
    assert legal(ludo, position, "4").out == "no legal move: the roll is lost\n"


def test_before_a_roll_and_after_the_end_there_is_no_move(ludo: Ludo) -> None:
    waiting = ludo("legal", "amarnepal", "--position", APART)
    assert (waiting.code, waiting.out) == (0, "no legal move yet: red has to roll\n")
    over = ludo("legal", "amarnepal", "--position", "red=H,H,H,H yellow=Y,Y,Y,Y turn=over")
    assert (over.code, over.out) == (0, "no legal move: the game is over\n")


def test_the_dice_of_the_pool_need_no_roll(ludo: Ludo) -> None:
    assert ludo("legal", "amarnepal", "--position", f"{APART} pool=3").out == "20>23\n"


def test_a_third_six_is_refused_by_the_rule_that_forbids_it(ludo: Ludo) -> None:
    position = "red=5,0,Y,Y yellow=3,Y,Y,Y turn=red rolled=6,6 owed=1"
    for verb, schema in (("legal", "legal"), ("move", "refused")):
        answer = ludo(verb, "ludolive", "--position", position, "--roll", "6", "--json")
        assert answer.code == 1
        (refusal,) = answer.json(schema)["refused"]
        assert (refusal["move"], refusal["rule"], refusal["clauses"]) == ("roll 6", "two-sixes", ["LL-10"])
    assert ludo("legal", "ludolive", "--position", position, "--roll", "5", "--json").code == 0


# ---- move ------------------------------------------------------------------------------------------------------------


def test_a_move_gives_position_events_and_rules(ludo: Ludo) -> None:
    found = move(ludo, APART, "3", "20>23", "--json").json("move")
    assert found["position"] == "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"
    assert found["events"][:2] == [
        {"event": "rolled", "player": "red", "value": [3]},
        {"event": "moved", "player": "red", "piece": "red", "from": "20", "to": "23", "value": [3]},
    ]
    assert "travel" in found["rules"]
    assert "leave-yard" not in found["rules"]


def test_a_capture_sends_home_and_rolls_again(ludo: Ludo) -> None:
    found = move(ludo, "red=29,Y,Y,Y yellow=6,Y,Y,Y turn=red", "3", "29>32", "--json").json("move")
    assert found["position"] == "red=32,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    captured = [e for e in found["events"] if e["event"] == "captured"]
    assert [(e["piece"], e["from"], e["to"]) for e in captured] == [("yellow", "6", "Y")]
    assert "capture" in found["rules"]


def test_nobody_is_captured_on_a_star(ludo: Ludo) -> None:
    found = move(ludo, "red=31,Y,Y,Y yellow=8,Y,Y,Y turn=red", "3", "31>34", "--json").json("move")
    assert found["position"] == "red=34,Y,Y,Y yellow=8,Y,Y,Y turn=yellow"
    assert "captured" not in [e["event"] for e in found["events"]]


def test_an_option_takes_the_roll_after_a_capture_away(ludo: Ludo) -> None:
    position = "red=29,Y,Y,Y yellow=6,Y,Y,Y turn=red"
    found = move(ludo, position, "3", "29>32", "--json", "--option", "capture-roll=off").json("move")
    assert found["position"] == "red=32,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"


def test_a_roll_that_can_only_be_lost_needs_no_move(ludo: Ludo) -> None:
    answer = ludo("move", "amarnepal", "--position", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "--roll", "3", "--json")
    assert answer.code == 0
    found = answer.json("move")
    assert found["position"] == "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"
    assert {"event": "lost", "player": "red", "value": [3]} in found["events"]


def test_a_choice_has_to_be_made(ludo: Ludo) -> None:
    answer = ludo("move", "amarnepal", "--position", APART, "--roll", "6")
    assert answer.code == 2
    assert "give `--move` one of" in answer.err
    assert "20>26" in answer.err
    assert "Y>0" in answer.err
    assert ludo("move", "amarnepal", "--position", APART).code == 2


REFUSED = [
    ("Y>0", "leave-yard", "6"),
    ("20>24", "travel", "a die of 3 does not take a piece from 20 there"),
    ("5>8", "travel", "red has no piece on 5"),
    ("20>24:4", "travel", "there is no 4 to spend: the pool holds 3"),
    ("pass", "board", "no rule lets red pass"),
]


@pytest.mark.parametrize(("wanted", "rule", "reason"), REFUSED)
def test_a_refused_move_is_a_no(ludo: Ludo, wanted: str, rule: str, reason: str) -> None:
    answer = move(ludo, APART, "3", wanted, "--json")
    assert (answer.code, answer.err) == (1, "")
    (refusal,) = answer.json("refused")["refused"]
    assert (refusal["move"], refusal["rule"]) == (wanted, rule)
    assert reason in refusal["reason"]
    for_people = move(ludo, APART, "3", wanted)
    assert (for_people.code, for_people.out) == (1, "")
    assert for_people.err.startswith(f"{wanted} is refused:\n  ")


def test_a_move_without_its_roll_is_refused(ludo: Ludo) -> None:
    answer = ludo("move", "amarnepal", "--position", APART, "--move", "20>23", "--json")
    assert answer.code == 1
    assert answer.json("refused")["refused"][0]["reason"] == "the dice must be rolled first"


@pytest.mark.parametrize("wanted", ["foo", "", "1>>2", "\u00b2>3", "20-23", "20>", ">", "20>999999999999999999", "Q>0"])
def test_garbage_is_no_move_and_bad_usage(ludo: Ludo, wanted: str) -> None:
    answer = move(ludo, APART, "3", wanted)
    assert (answer.code, answer.out) == (2, "")
    assert "is no move" in answer.err or "no place on this board" in answer.err
    assert "hint: " in answer.err
    assert move(ludo, APART, "3", wanted, "--json").json("error")


def test_a_move_that_names_two_pieces_is_bad_usage(ludo: Ludo) -> None:
    # One against one, each has two colours; pieces of both stand on their start squares.
    position = "red=0,Y,Y,Y green=0,Y,Y,Y yellow=0,Y,Y,Y blue=0,Y,Y,Y turn=red"
    answer = move(ludo, position, "3,1", "0>3", "--players", "2", variant="ludo-cities")
    assert answer.code == 2
    assert "`0>3` could be `red:0>3:3`, `" in answer.err
    assert "name the colour or the dice as well" in answer.err


def test_a_player_sees_a_move_without_what_rivals_hide(ludo: Ludo) -> None:
    # Red lands on the star 8 after its start: one of the two stars of its objective, which rivals do not see.
    position = "red=30,5,Y,Y green=0,Y,Y,Y yellow=0,Y,Y,Y blue=0,Y,Y,Y turn=red pool=3,1"
    args = ["move", "ludo-cities", "--position", position, "--move", "5>8"]
    whole = ludo(*args, "--json").json("move")
    seen = ludo(*args, "--as", "green", "--json").json("move")
    assert "stars.red=1" in whole["position"]
    assert "stars.red=?" in seen["position"]
    counted = [e for e in whole["events"] if e["event"] == "counted"]
    assert counted
    assert not [e for e in seen["events"] if e["event"] == "counted"]
    assert "stars.red=1" not in ludo(*args, "--as", "green").out


def test_a_view_is_for_somebody_at_the_table(ludo: Ludo) -> None:
    answer = move(ludo, APART, "3", "20>23", "--as", "blue")
    assert answer.code == 2
    assert "the players are red, yellow" in answer.err
