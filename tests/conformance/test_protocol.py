"""Messages and answers: their form, and what is no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.protocol import ProtocolFault, check_answer, message, numbered, read_line, validator
from ludo_dsl.resources import spec_path

SCHEMA = json.loads(spec_path("schema", "protocol.json").read_text(encoding="utf-8"))
PAGE = spec_path("language", "protocol.md").read_text(encoding="utf-8")
OPENING = "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"

ANSWERS: dict[str, dict[str, Any]] = {
    "hello": {"op": "hello", "protocol": 1, "name": "e", "version": "0.3", "variants": "amarnepal qdan", "capabilities": ""},
    "new": {"op": "new", "id": 4, "position": OPENING},
    "set": {"op": "set", "id": 4, "position": OPENING},
    "roll": {"op": "roll", "id": 4, "values": "6+2", "position": OPENING},
    "legal": {"op": "legal", "id": 4, "moves": ""},
    "move": {"op": "move", "id": 4, "position": OPENING, "events": "capture"},
    "state": {"op": "state", "id": 4, "position": OPENING, "places": "red=1 yellow=2"},
    "log": {"op": "log", "id": 4, "log": "6 Y>0 3"},
}


# ---- the schema ------------------------------------------------------------------------------------------------------


def _first_column(heading: str) -> list[str]:
    """The words in the first column of the table below a heading of the page."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line.split("`")[1] for line in section.splitlines() if line.startswith("| `") and not line.startswith("| `op`")]


def test_the_schema_is_one_and_has_a_form_for_every_message_of_the_page() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    messages = _first_column("Messages")
    assert messages == ["hello", "new", "set", "roll", "legal", "move", "state", "log", "quit"]
    for op in messages:
        assert f"{op}-message" in SCHEMA["$defs"]
        assert (f"{op}-answer" in SCHEMA["$defs"]) == (op != "quit")
    assert _first_column("Three refusals") == list(protocol.REFUSALS)
    assert _first_column("Capabilities") == list(protocol.CAPABILITIES)


@pytest.mark.parametrize("line", [line for line in PAGE.splitlines() if line.startswith(("> {", "< {"))])
def test_every_line_of_the_page_keeps_the_schema(line: str) -> None:
    value = json.loads(line[2:])
    kind = "message" if line.startswith(">") else "answer" if value["op"] not in protocol.REFUSALS else ""
    assert list(validator(f"{value['op']}-{kind}" if kind else value["op"]).iter_errors(value)) == []
    assert Draft202012Validator(SCHEMA).is_valid(value)
    assert next(iter(value)) == "op"


def test_messages_that_lack_a_key_or_hold_a_list_are_none() -> None:
    whole = {"op": "new", "id": 1, "variant": "v", "seats": 2, "options": "a=on b=1,6", "first": "red", "seed": 0}
    check = validator("new-message")
    assert check.is_valid(whole)
    # Who begins is left out where the rules say it.
    assert check.is_valid({k: v for k, v in whole.items() if k != "first"})
    for key in whole.keys() - {"id", "first"}:
        assert not check.is_valid({k: v for k, v in whole.items() if k != key})
    assert not check.is_valid({**whole, "options": "a"})
    assert not check.is_valid({**whole, "more": ["lists", "are", "texts"]})
    assert check.is_valid({**whole, "more": "is passed over"})


# ---- messages --------------------------------------------------------------------------------------------------------


def test_a_message_has_its_op_first_and_its_number_second() -> None:
    assert list(numbered(message("roll", values="3"), 7).items()) == [("op", "roll"), ("id", 7), ("values", "3")]
    assert message("roll", values=None) == {"op": "roll"}
    assert numbered(message("hello", protocol=1), 7) == {"op": "hello", "protocol": 1}


def test_a_line_is_ascii() -> None:
    assert protocol.line({"op": "illegal", "reason": "böse\n"}) == b'{"op": "illegal", "reason": "b\\u00f6se\\n"}\n'


def test_pairs() -> None:
    assert protocol.pairs_text([("a", "on"), ("b", 3)]) == "a=on b=3"
    assert protocol.read_pairs(" a=on  b=1,6 ") == {"a": "on", "b": "1,6"}
    for wrong in ("a", "=on", "a=", "a=1 a=2"):
        with pytest.raises(ProtocolFault, match="should be `name=value`"):
            protocol.read_pairs(wrong)


# ---- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ANSWERS)
def test_answers_are_taken_with_and_without_id_and_with_more_keys(op: str) -> None:
    said = numbered(message(op), 4)
    answer = ANSWERS[op]
    assert check_answer(said, answer) == answer
    assert check_answer(said, {k: v for k, v in answer.items() if k != "id"})
    assert check_answer(said, {**answer, "mood": ["good", {"very": None}]})
    for refusal in protocol.REFUSALS:
        assert check_answer(said, {"op": refusal, "id": 4, "reason": ""} if "id" in answer else {"op": refusal, "reason": ""})


def test_an_engine_may_give_back_for_hello_the_id_that_it_did_not_get() -> None:
    for nothing in (None, 0):
        assert check_answer(message("hello"), {**ANSWERS["hello"], "id": nothing})


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([], "the answer is no object"),
        ("new", "the answer is no object"),
        (None, "the answer is no object"),
        ({}, "without `op`"),
        ({"op": "set", "id": 4, "position": OPENING}, "`roll` is answered with the op `set`"),
        ({"op": ["roll"], "id": 4}, "`roll` is answered with the op"),
        ({"op": "roll", "id": 3, "values": "3", "position": OPENING}, "message 4 is answered with the id 3"),
        ({"op": "roll", "id": "4", "values": "3", "position": OPENING}, 'message 4 is answered with the id "4"'),
        ({"op": "illegal", "id": 3, "reason": "no"}, "message 4 is answered with the id 3"),
        ({"op": "roll", "id": 4, "values": "3"}, "`roll`: `position` is missing"),
        ({"op": "roll", "id": 4, "values": 3, "position": OPENING}, "`roll`: `values`: this is of the wrong type"),
        ({"op": "roll", "id": 4, "values": "three", "position": OPENING}, "`roll`: `values`"),
        ({"op": "roll", "id": 4, "values": "3", "position": ""}, "`roll`: `position`"),
        ({"op": "unsupported", "id": 4}, "`unsupported`: `reason` is missing"),
        ({"op": "error", "id": 4, "reason": 3}, "`error`: `reason`: this is of the wrong type"),
    ],
)
def test_what_is_no_answer_is_told(answer: object, says: str) -> None:
    with pytest.raises(ProtocolFault) as fault:
        check_answer(numbered(message("roll"), 4), answer)
    assert says in fault.value.message


def test_true_is_not_the_number_one() -> None:
    with pytest.raises(ProtocolFault, match="the id true"):
        check_answer(numbered(message("state"), 1), {"op": "state", "id": True, "position": OPENING})


KEYS = st.sampled_from(["op", "id", "position", "values", "places", "moves", "reason", "events", "protocol", "name", "more"])
VALUES = st.one_of(
    st.sampled_from(["roll", "6+2", "3", "+", "", " ", "\n", "red=1", "red=0", "a=1 b=2 ", OPENING]),
    st.none(),
    st.integers(-1, 5),
    st.text(max_size=20),
)


# A busy machine may draw slowly.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(op=st.sampled_from(sorted(ANSWERS)), more=st.dictionaries(KEYS, VALUES, max_size=3), lost=st.sets(KEYS, max_size=1))
def test_the_quick_check_takes_exactly_what_keeps_the_schema(op: str, more: dict[str, Any], lost: set[str]) -> None:
    answer = {k: v for k, v in {**ANSWERS[op], **more, "op": op}.items() if k not in lost or k == "op"}
    answer.pop("id", None)
    try:
        check_answer(message(op), answer)
        taken = True
    except ProtocolFault:
        taken = False
    form = Draft202012Validator({"$ref": f"#/$defs/{op}-answer", "$defs": SCHEMA["$defs"]})
    assert taken == form.is_valid(answer)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"hello!", "the answer is no JSON: hello!"),
        (b"", "the answer is no JSON: an empty line"),
        (b'{"op": "state"', "the answer is no JSON"),
        (b"\xff\xfe", "no text in ASCII or UTF-8: \\xff\\xfe"),
        (b"[" * 100_000, "the answer is no JSON: [[["),
        (b"\x1b[31mred", "the answer is no JSON: [31mred"),
    ],
)
def test_lines_that_cannot_be_read(data: bytes, says: str) -> None:
    with pytest.raises(ProtocolFault) as fault:
        read_line(data)
    assert says in fault.value.message
    assert len(fault.value.message) < 200


def test_a_line_may_end_in_a_carriage_return() -> None:
    assert read_line(b'{"op": "quit"}\r') == {"op": "quit"}
