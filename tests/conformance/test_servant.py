"""Our interpreter as an engine: the conversation of the page, the three refusals, and whatever else may be asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludo_dsl import __version__
from ludo_dsl.conformance.talking.protocol import CAPABILITIES, validator
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.play.game import load
from ludo_dsl.resources import spec_path, variant_names

PAGE = spec_path("language", "protocol.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0].splitlines()
NEW: dict[str, Any] = {"op": "new", "variant": "amarnepal", "seats": 2, "options": "", "first": "red", "seed": 3}
GIVEN = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"


@pytest.fixture
def servant() -> Servant:
    return Servant(["amarnepal"])


def ask(servant: Servant, op: str, **keys: Any) -> dict[str, Any]:
    answer = servant.answer({"op": op, **keys})
    assert validator("answer").is_valid(answer)
    return answer


# ---- the page --------------------------------------------------------------------------------------------------------


def test_the_conversation_of_the_page(servant: Servant) -> None:
    answers = [json.loads(line[2:]) for line in PAGE if line.startswith("< ")]
    for line in PAGE:
        if not line.startswith("> "):
            continue
        found = servant.answer(json.loads(line[2:]))
        if not answers:
            assert found == {}  # To `quit`.
            break
        expected = answers.pop(0)
        own = {"name", "version", "capabilities", "reason"}  # Each engine has its own.
        assert {k: v for k, v in found.items() if k not in own} == {k: v for k, v in expected.items() if k not in own}
        assert found.keys() == expected.keys()
        assert next(iter(found)) == "op"
    else:
        pytest.fail("the page has no `quit`")
    assert answers == []


def test_hello_tells_the_variants_without_reading_their_books() -> None:
    answer = ask(Servant(), "hello", protocol=1, suite="1", mood="good")
    assert answer == {
        "op": "hello",
        "protocol": 1,
        "name": "ludo-dsl",
        "version": __version__,
        "variants": " ".join(variant_names()),
        "capabilities": "set force legal readings log",
    }


# ---- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "op", "reason"),
    [
        ({"variant": "chess"}, "unsupported", "`chess` is not played here"),
        ({"variant": "qdan"}, "unsupported", "`qdan` is not played here, but amarnepal"),
        ({"seats": 7}, "unsupported", "for 2 to 4 players, not 7"),
        ({"options": "flying=on"}, "unsupported", "no option `flying`"),
        ({"options": "capture-roll=perhaps"}, "unsupported", "no value `perhaps`"),
        ({"readings": "flying=on"}, "unsupported", "no reading `flying`"),
        ({"first": "blue"}, "unsupported", "nobody at this table is `blue`"),
        ({"options": "capture-roll"}, "error", "`options`: `capture-roll` should be `name=value`"),
        ({"options": 3}, "error", "`options` should be a text"),
        ({"seats": "2"}, "error", "`seats` should be a whole number"),
        ({"seats": None}, "error", "no `seats`"),
        ({"variant": None}, "error", "no `variant`"),
        ({"seed": "x"}, "error", "`seed` should be a whole number"),
    ],
)
def test_tables_that_are_not_offered_and_messages_that_are_none(servant: Servant, keys: dict[str, object], op: str, reason: str) -> None:
    answer = servant.answer({**NEW, "id": 5, **keys})
    assert (answer["op"], answer["id"]) == (op, 5)
    assert reason in str(answer["reason"])


def test_options_and_first_are_taken(servant: Servant) -> None:
    ask(servant, **{**NEW, "options": "capture-roll=off", "first": "yellow"})
    assert ask(servant, "state")["position"] == "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"
    ask(servant, **{**NEW, "options": "capture-roll=off"})
    ask(servant, "set", position=GIVEN)
    ask(servant, "roll", values="3")
    # Without the roll that a capture earns, it is yellow's turn.
    assert ask(servant, "move", move="20>23") == {"op": "move", "position": "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow", "events": "capture"}


def test_what_is_left_out_of_new_has_its_usual_value(servant: Servant) -> None:
    assert ask(servant, "new", variant="amarnepal", seats=2)["position"] == "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"


def _turn_after_broken_sixes(servant: Servant, **more: str) -> str:
    """Whose turn it is in `card-kings` after one six, a capture, and two more sixes: three in the turn, but not in a row."""
    ask(servant, "new", variant="card-kings", seats=2, **more)
    ask(servant, "set", position="red=17,30,Y,Y yellow=49,Y,Y,Y turn=red")
    for step in ("6", "2", "17>23:6", "30>32:2", "6", "6"):
        answer = ask(servant, "move", move=step) if ">" in step else ask(servant, "roll", values=step)
    return str(answer["position"]).split("turn=")[1].split()[0]


def test_readings_are_those_of_the_servant_unless_the_runner_names_others() -> None:
    assert _turn_after_broken_sixes(Servant(["card-kings"])) == "red"
    own = Servant(["card-kings"], {"sixes": "in-turn"})
    assert _turn_after_broken_sixes(own) == "yellow"
    assert _turn_after_broken_sixes(own, readings="sixes=in-a-row") == "red"
    assert _turn_after_broken_sixes(own) == "yellow"


def test_readings_are_passed_over_where_they_cannot_be_chosen() -> None:
    servant = Servant(["card-kings"], capabilities=["set", "force"])
    assert _turn_after_broken_sixes(servant, readings="sixes=in-turn") == "red"


def test_readings_that_only_one_of_the_books_has() -> None:
    servant = Servant([load("amarnepal"), "card-kings"], {"sixes": "in-turn"})
    assert ask(servant, **NEW)["op"] == "new"
    assert ask(servant, "new", variant="card-kings", seats=2)["op"] == "new"


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("op", "keys", "refusal"),
    [
        ("roll", {"values": "7"}, "illegal"),
        ("roll", {"values": "3+3"}, "illegal"),
        ("roll", {"values": "six"}, "error"),
        ("roll", {"values": 6}, "error"),
        ("move", {"move": "Y>0"}, "illegal"),
        ("move", {"move": "99>100"}, "illegal"),
        ("move", {"move": "hop"}, "illegal"),
        ("move", {"move": "pass"}, "illegal"),
        ("move", {}, "error"),
        ("set", {"position": "red=Y,Y,Y,Y turn=red"}, "illegal"),
        ("set", {"position": "red=99,Y,Y,Y yellow=Y,Y,Y,Y turn=red"}, "illegal"),
        ("set", {"position": "red is winning"}, "illegal"),
        ("set", {"position": GIVEN + " pool=7"}, "illegal"),
        ("set", {}, "error"),
        ("undo", {}, "unsupported"),
    ],
)
def test_after_a_refusal_the_game_stands_where_it_stood(servant: Servant, op: str, keys: dict[str, Any], refusal: str) -> None:
    ask(servant, **NEW)
    ask(servant, "set", position=GIVEN)
    answer = ask(servant, op, id=9, **keys)
    assert (answer["op"], answer["id"]) == (refusal, 9)
    assert ask(servant, "state") == {"op": "state", "position": GIVEN}
    assert ask(servant, "roll", values="3", why="for fun")["op"] == "roll"


def test_a_roll_that_is_not_due_is_illegal_whoever_rolls(servant: Servant) -> None:
    ask(servant, **NEW)
    ask(servant, "set", position=GIVEN)
    ask(servant, "roll", values="3")
    assert ask(servant, "roll", values="3")["op"] == "illegal"
    assert ask(servant, "roll")["op"] == "illegal"


@pytest.mark.parametrize("op", ["set", "roll", "legal", "move", "state", "log"])
def test_nothing_goes_without_a_game(servant: Servant, op: str) -> None:
    answer = ask(servant, op, position=GIVEN, values="3", move="Y>0")
    assert answer["op"] == "error"
    assert "`new` comes first" in answer["reason"]


@pytest.mark.parametrize("message", [None, [], "new", 3, {}, {"op": None}, {"op": 3}, {"id": 4}, {"op": []}])
def test_it_never_raises(servant: Servant, message: object) -> None:
    answer = servant.answer(message)
    assert answer["op"] == "error"
    assert answer["reason"]


def test_a_fault_of_ours_is_an_error(servant: Servant, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, *args: object) -> None:
        raise ZeroDivisionError("oh")

    ask(servant, **NEW)
    monkeypatch.setattr("ludo_dsl.play.game.Game.roll", fails)
    assert ask(servant, "roll", values="3") == {"op": "error", "reason": "ZeroDivisionError: oh"}


# ---- what it can do --------------------------------------------------------------------------------------------------


def test_what_is_not_claimed_is_not_done() -> None:
    servant = Servant(["amarnepal"], capabilities=["legal"])
    assert ask(servant, "hello")["capabilities"] == "legal"
    ask(servant, **NEW)
    assert ask(servant, "set", position=GIVEN)["op"] == "unsupported"
    assert ask(servant, "log")["op"] == "unsupported"
    assert ask(servant, "roll", values="6")["op"] == "unsupported"
    assert ask(servant, "roll")["op"] == "roll"
    mute = Servant(["amarnepal"], capabilities=[c for c in CAPABILITIES if c != "legal"])
    ask(mute, **NEW)
    assert ask(mute, "legal")["op"] == "unsupported"


def _own_rolls(seed: int) -> list[str]:
    servant = Servant(["amarnepal"])
    ask(servant, **{**NEW, "seed": seed})
    found = []
    for _ in range(12):
        answer = ask(servant, "roll")
        found.append(answer["values"])
        assert answer["values"] in ["1", "2", "3", "4", "5", "6"]
        if "pool=" in answer["position"]:
            ask(servant, "move", move=ask(servant, "legal")["moves"].split()[0])
    return found


def test_own_rolls_hang_on_the_seed() -> None:
    assert _own_rolls(3) == _own_rolls(3)
    assert _own_rolls(3) != _own_rolls(4)


def test_moves_are_listed_and_none_while_a_roll_is_due(servant: Servant) -> None:
    ask(servant, **NEW)
    ask(servant, "set", position="red=20,30,Y,Y yellow=Y,Y,Y,Y turn=red")
    assert ask(servant, "legal") == {"op": "legal", "moves": ""}
    ask(servant, "roll", values="6")
    assert set(ask(servant, "legal")["moves"].split()) == {"20>26", "30>36", "Y>0"}


def test_dice_that_nobody_can_use_are_lost_within_the_answer(servant: Servant) -> None:
    ask(servant, **NEW)
    answer = ask(servant, "roll", values="3")
    assert answer == {"op": "roll", "values": "3", "position": "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"}


def test_coming_home_ends_the_game_and_gives_places(servant: Servant) -> None:
    ask(servant, **NEW)
    ask(servant, "set", position="red=L3,H,H,H yellow=Y,Y,Y,20 turn=red")
    ask(servant, "roll", values="3")
    answer = ask(servant, "move", move="L3>H")
    assert "turn=over" in answer["position"]
    assert answer["events"].split()[0] == "home"
    assert "over" in answer["events"].split()
    assert ask(servant, "state") == {"op": "state", "position": answer["position"], "places": "red=1 yellow=2"}
    assert ask(servant, "legal")["moves"] == ""
    assert ask(servant, "roll", values="3")["op"] == "illegal"


@pytest.mark.parametrize("variant", ["amarnepal", "ludo-cities"])
def test_a_log_is_a_whole_game_that_the_rules_allow(variant: str) -> None:
    servant = Servant([variant])
    keys: dict[str, Any] = {"variant": variant, "seats": 2, "seed": 11}
    ask(servant, "new", **keys)
    log = ask(servant, "log")["log"]
    end = ask(servant, "state")
    game = load(variant).start(2)
    for word in log.split():
        game = game.play(word) if ">" in word or word == "pass" else game.roll(*(int(face) for face in word.split("+")))
    assert game.over
    assert end["position"] == game.position
    ask(servant, "new", **keys)
    assert ask(servant, "log")["log"] == log
    ask(servant, "new", **{**keys, "seed": 12})
    assert ask(servant, "log")["log"] != log
