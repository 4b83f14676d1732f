"""Claims of engines: those that are borne out, and lies of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludo_dsl.conformance.running.verdicts import Capability, Verdict
from ludo_dsl.conformance.talking.capabilities import Hello, hello, verify
from ludo_dsl.conformance.talking.endpoints import Limits, ObjectEndpoint, StartError, TroubleError
from ludo_dsl.conformance.talking.protocol import CAPABILITIES
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.resources import variant_names

LIMITS = Limits(hello=5, message=5)
Answer = dict[str, Any]
Twist = Callable[[Answer, Answer], Answer | None]


class Twisted:
    """A servant whose answers are twisted by a function of message and answer; `None` leaves an answer as it is."""

    def __init__(self, twist: Twist, servant: Servant | None = None) -> None:
        self.servant = servant or Servant(["amarnepal"])
        self.twist = twist

    def answer(self, said: Answer) -> Answer:
        answer = self.servant.answer(said)
        return self.twist(said, answer) or answer


def plain(said: Answer, answer: Answer) -> None:
    return None


def tried(twist: Twist, make: Callable[[], Servant | None] = lambda: None) -> dict[str, Capability]:
    """What is found of an engine that is started again whenever a trial ends it."""

    def start() -> ObjectEndpoint:
        return ObjectEndpoint(lambda: Twisted(twist, make()))

    endpoint = start()
    found = verify(endpoint, hello(endpoint, LIMITS), LIMITS, start)
    return {c.name: c for c in found}


# ---- hello -----------------------------------------------------------------------------------------------------------


def greeting(**more: object) -> Hello:
    answer = {"op": "hello", "protocol": 1, "name": "e", "version": "0.3", "variants": "a  b a", "capabilities": "set log"}
    return hello(ObjectEndpoint(lambda: Twisted(lambda said, found: {**answer, **more})), LIMITS)


def test_hello_is_taken_apart() -> None:
    found = greeting(version=2, options="a.x=on,off a.y=1", mood="good")
    assert found == Hello("e", "2", 1, ("a", "b"), ("set", "log"), (("a.x", ("on", "off")), ("a.y", ("1",))))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"protocol": 2}, "version 2 of the protocol, not 1"),
        ({"op": "unsupported", "reason": "who are you"}, "`hello` is answered with `unsupported`: who are you"),
        ({"variants": ["a"]}, "`variants`"),
        ({"options": "a.x=on a.x=off"}, "`options`"),
    ],
)
def test_a_hello_that_is_none(more: dict[str, object], says: str) -> None:
    with pytest.raises(TroubleError) as error:
        greeting(**more)
    assert error.value.verdict is Verdict.PROTOCOL_ERROR
    assert says in error.value.note


# ---- true claims -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", variant_names())
def test_our_own_claims_are_borne_out_in_every_variant(variant: str) -> None:
    found = tried(plain, lambda: Servant([variant]))
    assert list(found) == list(CAPABILITIES)
    for capability in found.values():
        assert (capability.claimed, capability.verified, capability.note) == (True, True, ""), capability


@pytest.mark.parametrize("without", [{"set"}, {"force"}, {"set", "force"}, set(CAPABILITIES)])
def test_what_is_not_claimed_is_not_tried_and_the_rest_goes_without_it(without: set[str]) -> None:
    found = tried(plain, lambda: Servant(["amarnepal"], capabilities=set(CAPABILITIES) - without))
    for name, capability in found.items():
        assert capability == Capability(name, name not in without, None if name in without else True)


def test_a_claim_that_the_protocol_does_not_have() -> None:
    found = tried(lambda said, answer: {**answer, "capabilities": "set fly"} if said["op"] == "hello" else None)
    assert found["set"].verified
    assert found["fly"] == Capability("fly", True, None, "the protocol has no such capability")


def test_an_engine_that_plays_no_variant_of_ours_is_not_tried() -> None:
    found = tried(lambda said, answer: {**answer, "variants": "house-rules"} if said["op"] == "hello" else None)
    for capability in found.values():
        assert (capability.claimed, capability.verified) == (True, None)
        assert "no variant that has a rule book here" in capability.note


def test_an_engine_that_offers_one_number_of_players_and_one_option_alone() -> None:
    def picky(said: Answer, answer: Answer) -> Answer | None:
        if said["op"] == "hello":
            return {**answer, "options": "amarnepal.capture-roll=off"}
        if said["op"] == "new" and (said["seats"] != 4 or "capture-roll=off" not in said["options"]):
            return {"op": "unsupported", "reason": "not at this table"}
        return None

    assert all(capability.verified for capability in tried(picky).values())


def test_an_engine_that_offers_no_table_is_not_tried() -> None:
    found = tried(lambda said, answer: {"op": "unsupported", "reason": "closed today"} if said["op"] == "new" else None)
    for capability in found.values():
        assert capability.verified is None
        assert "closed today" in capability.note


def test_an_engine_that_breaks_a_rule_does_not_lie() -> None:
    """One that knows no sixes as a way out of the yard lists other moves, and still can do what it says."""

    def lists_less(said: Answer, answer: Answer) -> Answer | None:
        if said["op"] == "legal" and "moves" in answer:
            return {**answer, "moves": " ".join(m for m in answer["moves"].split() if not m.startswith("Y"))}
        return None

    assert all(capability.verified for capability in tried(lists_less).values())


# ---- lies ------------------------------------------------------------------------------------------------------------


def only(false: str, found: dict[str, Capability]) -> str:
    """The note on the one claim that is not borne out."""
    assert {name for name, c in found.items() if c.verified is False} == {false}
    assert all(c.verified for name, c in found.items() if name != false)
    return found[false].note


OPENING = "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"


class Repeats(Twisted):
    """Repeats the position that it is set to, and stays in the opening."""

    def __init__(self) -> None:
        super().__init__(plain)

    def answer(self, said: Answer) -> Answer:
        if said["op"] == "set":
            return {"op": "set", "id": said["id"], "position": said["position"]}
        return super().answer(said)


def test_set_that_repeats_what_it_hears() -> None:
    endpoint = ObjectEndpoint(Repeats)
    found = {c.name: c for c in verify(endpoint, hello(endpoint, LIMITS), LIMITS)}
    assert only("set", found).startswith("it was set to ")
    assert f"and stands at {OPENING}" in found["set"].note


def test_set_that_is_refused() -> None:
    for kind in ("unsupported", "illegal", "error"):
        found = tried(lambda said, answer, kind=kind: {"op": kind, "reason": "can't"} if said["op"] == "set" else None)  # type: ignore[misc]
        assert only("set", found) == f"the engine answers `{kind}`: can't"


def test_set_that_tells_of_no_position() -> None:
    found = tried(lambda said, answer: {**answer, "position": "somewhere"} if said["op"] in ("set", "state") else None)
    assert "no position" in found["set"].note
    assert found["set"].verified is False


def test_a_refusal_of_one_position_is_no_lie() -> None:
    refused: list[str] = []

    def once(said: Answer, answer: Answer) -> Answer | None:
        if said["op"] == "set" and not refused:
            refused.append(said["position"])
            return {"op": "illegal", "reason": "I think that this cannot be"}
        return None

    assert tried(once)["set"].verified
    assert refused


class OwnDice(Twisted):
    """Rolls what it likes, whatever it is told; it may pretend otherwise."""

    pretends = False

    def __init__(self) -> None:
        super().__init__(plain)

    def answer(self, said: Answer) -> Answer:
        if said["op"] == "roll":
            answer = super().answer({**said, "values": "6"})
            return {**answer, "values": said["values"]} if self.pretends and "values" in answer else answer
        return super().answer(said)


class Pretends(OwnDice):
    pretends = True


@pytest.mark.parametrize(
    ("engine", "says"), [(OwnDice, "it was to roll 1, and rolled 6"), (Pretends, "it was to roll 1, and the position")]
)
def test_force_that_rolls_what_it_likes(engine: type[OwnDice], says: str) -> None:
    endpoint = ObjectEndpoint(engine)
    found = {c.name: c for c in verify(endpoint, hello(endpoint, LIMITS), LIMITS)}
    assert found["force"].verified is False
    assert found["force"].note.startswith(says)
    assert found["set"].verified


def test_force_that_is_refused() -> None:
    found = tried(lambda said, answer: {"op": "unsupported", "reason": "mine"} if said["op"] == "roll" and "values" in said else None)
    assert "it is to roll 1 at the beginning, and answers `unsupported`: mine" in only("force", found)


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("", "it lists no move"),
        ("1 2", "it tells of the move `1`"),
        ("red-pawn-3", "it tells of the move `red-pawn-3`"),
        ("Y>77", "it tells of the move `Y>77`: `77` in `Y>77` is no place on this board"),
    ],
)
def test_legal_that_lists_nothing_or_what_is_no_move(moves: str, says: str) -> None:
    found = tried(lambda said, answer: {**answer, "moves": moves} if said["op"] == "legal" else None)
    assert only("legal", found).startswith(says)


def test_readings_that_are_refused() -> None:
    def one_way(said: Answer, answer: Answer) -> Answer | None:
        return {"op": "unsupported", "reason": "my way only"} if "readings" in said else None

    assert only("readings", tried(one_way)) == "the engine answers `unsupported`: my way only"


@pytest.mark.parametrize(("log", "says"), [("", "it tells of no game"), ("6 Y>0 well", "it tells of the move `well`")])
def test_a_log_that_is_none(log: str, says: str) -> None:
    found = tried(lambda said, answer: {**answer, "log": log} if said["op"] == "log" else None)
    assert only("log", found).startswith(says)


# ---- engines that end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["set", "legal", "log"])
def test_an_engine_that_crashes_is_started_again_for_the_next_trial(op: str) -> None:
    def crash(said: Answer, answer: Answer) -> None:
        if said["op"] == op:
            raise RuntimeError("no board")

    assert only(op, tried(crash)).startswith("crash: it raised RuntimeError: no board (test_capabilities.py, line ")


def test_without_a_way_to_start_it_again_the_rest_is_not_tried() -> None:
    def crash(said: Answer, answer: Answer) -> None:
        if said["op"] == "roll":
            raise RuntimeError

    endpoint = ObjectEndpoint(lambda: Twisted(crash))
    found = {c.name: c.verified for c in verify(endpoint, hello(endpoint, LIMITS), LIMITS)}
    assert found == {"set": True, "force": False, "legal": None, "readings": None, "log": None}


def test_an_engine_that_starts_only_once() -> None:
    def crash(said: Answer, answer: Answer) -> None:
        if said["op"] == "roll":
            raise RuntimeError

    def reopen() -> ObjectEndpoint:
        raise StartError("the board is gone")

    endpoint = ObjectEndpoint(lambda: Twisted(crash))
    found = {c.name: c for c in verify(endpoint, hello(endpoint, LIMITS), LIMITS, reopen)}
    assert (found["set"].verified, found["force"].verified, found["log"].verified) == (True, False, None)
    assert found["log"].note == "not tried: the engine could not be started again: the board is gone"


def test_what_was_started_for_trials_is_ended() -> None:
    opened: list[ObjectEndpoint] = []
    quits: list[int] = []

    class Engine(Twisted):
        def __init__(self) -> None:
            super().__init__(plain)

        def answer(self, said: Answer) -> Answer:
            if said["op"] == "quit":
                quits.append(1)
            if said["op"] == "set":
                raise RuntimeError
            return super().answer(said)

    def start() -> ObjectEndpoint:
        opened.append(ObjectEndpoint(Engine))
        return opened[-1]

    first = start()
    verify(first, hello(first, LIMITS), LIMITS, start)
    assert (len(opened), len(quits)) == (2, 1)
