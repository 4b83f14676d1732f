"""What the runner says to an engine, and what it makes of the answers."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.scenarios.subjects import RefusedError, UnreadableError, book_of
from ludo_dsl.conformance.talking.capabilities import hello
from ludo_dsl.conformance.talking.endpoints import Limits, ObjectEndpoint, TroubleError
from ludo_dsl.conformance.talking.protocol import validator
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.conformance.talking.spoken import Spoken
from ludo_dsl.game.notation import move_text
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import spec_path
from ludo_dsl.rules.table import make_table

ALL = frozenset({"set", "force", "legal", "readings", "log"})
OPENING = "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
SIX = " pool=6 owed=1"
PAGE = spec_path("language", "protocol.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0].splitlines()


class Script:
    """An endpoint that answers what it is told to, and notes what it hears."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.heard: list[dict[str, object]] = []
        self.seconds: list[float] = []

    def ask(self, message: Mapping[str, object], seconds: float) -> dict[str, object]:
        self.heard.append(dict(message))
        self.seconds.append(seconds)
        return self.answers.pop(0)

    def close(self) -> None: ...


def at(op: str, position: str, **more: object) -> dict[str, Any]:
    return {"op": op, "position": position, **more}


@pytest.fixture(scope="module")
def reference() -> Interpreter:
    return Interpreter(make_table(book_of("amarnepal"), 2))


# ---- the page --------------------------------------------------------------------------------------------------------


def test_the_runner_says_what_the_page_says(reference: Interpreter) -> None:
    heard: list[dict[str, Any]] = []
    answers = [json.loads(line[2:]) for line in PAGE if line.startswith("< ")]

    class Engine:
        def answer(self, said: dict[str, Any]) -> object:
            heard.append(said)
            return answers.pop(0) if answers else None

    endpoint = ObjectEndpoint(Engine)
    known = hello(endpoint, Limits())
    spoken = Spoken(endpoint, frozenset(known.capabilities), Limits())
    spoken.set(reference, "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red")
    spoken.roll((3,))
    assert spoken.legal() == ("20>23",)
    with pytest.raises(RefusedError) as refusal:
        spoken.move("Y>0")
    assert (refusal.value.kind, refusal.value.reason) == ("illegal", "only a six leaves the yard")
    spoken.move("20>23")
    assert spoken.text() == "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    endpoint.close()
    assert [json.dumps(said) for said in heard] == [line[2:] for line in PAGE if line.startswith("> ")]
    assert (known.name, known.version, known.variants) == ("my-engine", "0.3", ("amarnepal",))
    assert known.capabilities == ("set", "force", "legal")


# ---- messages --------------------------------------------------------------------------------------------------------


def test_a_new_game_names_every_option_and_the_readings_only_to_an_engine_that_can_choose() -> None:
    table = make_table(book_of("amarnepal"), 3, {"capture-first": "on"})
    for capabilities, told in ((frozenset({"set"}), False), (ALL, True)):
        script = Script(at("new", "p=1"))
        Spoken(script, capabilities, seed=7).new(Interpreter(table), 1)
        said = script.heard[0]
        assert said["options"] == "capture-first=on capture-roll=on one-leaves=off"
        assert (said["seats"], said["first"], said["seed"]) == (3, table.players[1].name, 7)
        assert ("readings" in said) == told
        assert validator("new-message").is_valid(said)


def test_every_option_and_reading_is_named_and_faces_are_written_with_commas() -> None:
    table = make_table(book_of("qdan"), 2, {"leave-on": {6, 1}})
    script = Script(at("new", "p=1"))
    Spoken(script, ALL).new(Interpreter(table), 0)
    said = script.heard[0]
    for role in ("option", "reading"):
        told = [part.partition("=")[0] for part in str(said[f"{role}s"]).split()]
        assert told == [s.id for s in table.book.settings if s.role == role]
        assert told
    assert "leave-on=1,6" in str(said["options"]).split()
    assert validator("new-message").is_valid(said)


def test_time_limits_are_those_of_a_message(reference: Interpreter) -> None:
    script = Script(at("new", OPENING), at("roll", OPENING, values="3"))
    spoken = Spoken(script, ALL, Limits(hello=9, message=2))
    spoken.new(reference, 0)
    spoken.roll((3,))
    assert script.seconds == [2, 2]


def test_set_begins_a_fresh_game_with_the_player_whom_the_position_names() -> None:
    table = make_table(book_of("ludo-cities"), 2)
    names = [p.name for p in table.players]
    for fields, first in ((f" first={names[1]}", names[1]), ("", None), (" first=nobody", None)):
        script = Script(at("new", "p=1"), at("set", "p=2"))
        Spoken(script, ALL).set(Interpreter(table), f"turn={names[0]}{fields}")
        assert [said["op"] for said in script.heard] == ["new", "set"]
        assert script.heard[0].get("first") == first
        assert script.heard[1]["position"] == f"turn={names[0]}{fields}"


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_the_position_of_an_answer_is_kept_and_asked_for_after_a_refusal(reference: Interpreter) -> None:
    script = Script(
        at("new", OPENING), at("roll", OPENING + SIX, values="6"), {"op": "illegal", "reason": "no"}, at("state", OPENING + SIX)
    )
    spoken = Spoken(script, ALL)
    spoken.new(reference, 0)
    assert spoken.state(reference) == reference.start()
    spoken.roll((6,))
    assert spoken.text() == OPENING + SIX
    assert [said["op"] for said in script.heard] == ["new", "roll"]
    with pytest.raises(RefusedError, match="illegal: no"):
        spoken.move("Y>1")
    assert spoken.state(reference) == reference.roll(reference.start(), (6,)).state
    assert spoken.text() == OPENING + SIX
    assert [said["op"] for said in script.heard] == ["new", "roll", "move", "state"]


@pytest.mark.parametrize("kind", ["unsupported", "illegal", "error"])
def test_refusals_keep_their_kind(kind: str, reference: Interpreter) -> None:
    spoken = Spoken(Script({"op": kind, "reason": "why not"}), ALL)
    with pytest.raises(RefusedError) as error:
        spoken.new(reference, 0)
    assert (error.value.kind, error.value.reason) == (kind, "why not")


def test_a_position_that_is_none(reference: Interpreter) -> None:
    spoken = Spoken(Script(at("new", "red is winning")), ALL)
    spoken.new(reference, 0)
    with pytest.raises(UnreadableError, match="red is winning"):
        spoken.state(reference)


def test_moves_are_not_asked_for_without_the_capability() -> None:
    script = Script({"op": "legal", "moves": " Y>0   20>26 "}, {"op": "legal", "moves": ""})
    assert Spoken(script, frozenset({"set"})).legal() is None
    assert Spoken(script, ALL).legal() == ("Y>0", "20>26")
    assert Spoken(script, ALL).legal() == ()


def test_places_are_asked_for(reference: Interpreter) -> None:
    script = Script(at("state", OPENING, places="red=2 yellow=1"), at("state", OPENING), at("state", OPENING, places="red=1 red=2"))
    spoken = Spoken(script, ALL)
    assert spoken.places() == {"red": 2, "yellow": 1}
    assert spoken.places() is None
    with pytest.raises(TroubleError, match="protocol error"):
        spoken.places()


def test_a_roll_that_is_another_than_was_given() -> None:
    spoken = Spoken(Script(at("roll", OPENING, values="2+6"), at("roll", OPENING, values="2+5")), ALL)
    spoken.roll((6, 2))
    with pytest.raises(TroubleError) as error:
        spoken.roll((6, 2))
    assert (error.value.verdict, error.value.note) == (Verdict.PROTOCOL_ERROR, "it was to roll 6+2, and tells of a 2+5")


def test_an_engine_that_rolls_itself_and_tells_of_games() -> None:
    script = Script(at("roll", OPENING, values="6+2"), {"op": "log", "log": "6 Y>0"}, at("state", OPENING))
    spoken = Spoken(script, ALL)
    assert spoken.own_roll() == (6, 2)
    assert script.heard == [{"op": "roll"}]
    assert spoken.log() == "6 Y>0"
    assert spoken.text() == OPENING
    assert script.heard[-1] == {"op": "state"}


# ---- leaks -----------------------------------------------------------------------------------------------------------


def test_an_opening_that_changes_from_game_to_game_is_told_when_a_position_is_set(reference: Interpreter) -> None:
    left = OPENING + " rolled=6"
    script = Script(at("new", OPENING), at("set", "p=1"), at("new", left))
    spoken = Spoken(script, ALL)
    spoken.set(reference, "turn=red")
    with pytest.raises(TroubleError) as error:
        spoken.set(reference, "turn=red")
    assert error.value.verdict is Verdict.INCONSISTENT
    assert "something of an earlier game" in error.value.note
    assert left in error.value.note


def test_an_opening_that_is_always_wrong_or_written_otherwise_is_no_leak(reference: Interpreter) -> None:
    wrong = "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    other = "turn=red yellow=Y,Y,Y,Y red=Y,0,Y,Y"
    odd = "no position"
    for first, second in ((wrong, wrong), (wrong, other), (odd, odd)):
        spoken = Spoken(Script(at("new", first), at("set", "p=1"), at("new", second), at("set", "p=1")), ALL)
        spoken.set(reference, "turn=red")
        spoken.set(reference, "turn=red")


def test_another_table_has_another_opening(reference: Interpreter) -> None:
    three = Interpreter(make_table(book_of("amarnepal"), 3))
    spoken = Spoken(Script(at("new", OPENING), at("set", "p=1"), at("new", "other"), at("set", "p=1")), ALL)
    spoken.set(reference, "turn=red")
    spoken.set(three, "turn=red")


# ---- whole games -----------------------------------------------------------------------------------------------------


class Strict:
    """A servant of which every message and every answer is held to the schema."""

    def __init__(self) -> None:
        self.servant = Servant()
        self.count = 0

    def answer(self, said: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        assert validator(f"{said['op']}-message").is_valid(said)
        answer = self.servant.answer(said)
        if said["op"] != "quit":
            assert validator(answer["op"] if "reason" in answer else f"{said['op']}-answer").is_valid(answer)
            assert next(iter(answer)) == "op"
            assert answer.get("id") == said.get("id")
            assert json.dumps(answer).isascii()
        return answer


@pytest.mark.parametrize("variant", ["amarnepal", "ludo-cities"])
def test_a_whole_random_game_in_step_with_the_rules_keeps_the_schema(variant: str) -> None:
    table = make_table(book_of(variant), 2)
    reference, rng = Interpreter(table), random.Random(5)
    engine = Strict()
    endpoint = ObjectEndpoint(lambda: engine)
    hello(endpoint, Limits())
    spoken = Spoken(endpoint, ALL)
    spoken.new(reference, 0)
    state, plies = reference.start(), 0
    while not state.over and plies < 1500:
        plies += 1
        if state.awaits_roll:
            faces = tuple(rng.choice(reference.faces(state)) for _ in range(table.book.dice.count))
            with pytest.raises(RefusedError, match="illegal"):
                spoken.roll((9,) * len(faces))
            spoken.roll(faces)
            state = reference.roll(state, faces).state
        else:
            choices = reference.legal(state)
            assert sorted(spoken.legal() or ()) == sorted(move_text(table, state, c) for c in choices)
            with pytest.raises(RefusedError, match="illegal"):
                spoken.move("nowhere>nowhere")
            choice = rng.choice(choices)
            spoken.move(move_text(table, state, choice))
            state = reference.move(state, choice).state
        assert spoken.state(reference) == state
    assert plies > 100
    if state.over:
        assert spoken.places() == dict(zip([p.name for p in table.players], reference.places(state), strict=True))
    endpoint.close()
    assert engine.count > plies
