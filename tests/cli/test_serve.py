"""`ludo serve`: lines in, lines out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.talking.capabilities import hello, verify
from ludo_dsl.conformance.talking.endpoints import Limits, connect
from ludo_dsl.conformance.talking.protocol import validator
from ludo_dsl.resources import spec_path
from tests.cli.conftest import Ludo

HELLO = '{"op": "hello", "protocol": 1, "suite": "1"}'
NEW = '{"op": "new", "id": 1, "variant": "amarnepal", "seats": 2, "options": "", "first": "red", "seed": 0}'
QUIT = '{"op": "quit", "id": 2}'
SERVE = [sys.executable, "-m", "ludo_dsl", "serve"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")


def lines(text: str) -> list[dict[str, Any]]:
    answers = [json.loads(line) for line in text.splitlines()]
    for answer in answers:
        assert validator("answer").is_valid(answer)
    return answers


def test_each_message_is_answered_until_quit(ludo: Ludo) -> None:
    answer = ludo("serve", "amarnepal", stdin="\n".join([HELLO, NEW, QUIT, NEW]))
    assert (answer.code, answer.err) == (0, "")
    greeting, new = lines(answer.out)
    assert greeting["variants"] == "amarnepal"
    assert greeting["capabilities"] == "set force legal readings log"
    assert new == {"op": "new", "id": 1, "position": "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"}


def test_the_end_of_the_input_ends_it(ludo: Ludo) -> None:
    assert ludo("serve", "amarnepal", stdin="").code == 0
    answer = ludo("serve", "amarnepal", "qdan", stdin=HELLO)
    assert answer.code == 0
    assert lines(answer.out)[0]["variants"] == "amarnepal qdan"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello", "the message is no JSON: hello"),
        (b'{"op": "hello"', "the message is no JSON"),
        (b"\xff\xfe", "the message is no text in ASCII or UTF-8"),
        (b"[1]", "a message is an object"),
        (b"{}", "the message has no `op`"),
        (b"[" * 100_000, "the message is no JSON"),
        (b"x" * 2_500_000, "a message has 1,000,000 bytes at most"),
    ],
)
def test_a_line_that_is_no_message_is_an_error_and_nothing_worse(ludo: Ludo, line: bytes, reason: str) -> None:
    answer = ludo("serve", "amarnepal", stdin=line + b"\n\n  \n" + NEW.encode() + b"\r\n")
    assert (answer.code, answer.err) == (0, "")
    wrong, right = lines(answer.out)
    assert wrong["op"] == "error"
    assert reason in wrong["reason"]
    assert right["op"] == "new"


def test_capabilities_can_be_left_out(ludo: Ludo) -> None:
    answer = ludo("serve", "amarnepal", "--without", "set", "--without", "log", stdin=f"{HELLO}\n{NEW}\n" + '{"op": "log", "id": 3}')
    greeting, _, refusal = lines(answer.out)
    assert greeting["capabilities"] == "force legal readings"
    assert refusal["op"] == "unsupported"
    assert ludo("serve", "amarnepal", "--without", "luck").code == 2


def test_a_reading_is_taken(ludo: Ludo) -> None:
    """One six, a capture, and two more sixes: where all sixes of the turn count, the turn is lost."""
    said: list[dict[str, object]] = [{"op": "new", "variant": "card-kings", "seats": 2}]
    said.append({"op": "set", "position": "red=17,30,Y,Y yellow=49,Y,Y,Y turn=red"})
    for step in ("6", "2", "17>23:6", "30>32:2", "6", "6"):
        said.append({"op": "move", "move": step} if ">" in step else {"op": "roll", "values": step})
    stdin = "\n".join(json.dumps(message) for message in said)
    for more, turn in (([], "red"), (["--reading", "sixes=in-turn"], "yellow")):
        answers = lines(ludo("serve", "card-kings", "mensch", *more, stdin=stdin).out)
        assert f"turn={turn}" in answers[-1]["position"].split()
    for given, says in (
        ("sixes=never", "no value `never`"),
        ("flying=on", "has no reading `flying`"),
        ("sixes", "write it as `name=value`"),
    ):
        answer = ludo("serve", "card-kings", "amarnepal", "--reading", given, stdin=QUIT)
        assert answer.code == 2
        assert says in answer.err


def test_a_file_of_ones_own_is_served_under_its_own_name(ludo: Ludo, tmp_path: Path) -> None:
    own = tmp_path / "my-file.ludo"
    text = spec_path("variants", "mensch.ludo").read_text(encoding="utf-8").replace("variant mensch ", "variant house ", 1)
    own.write_text(text, encoding="utf-8")
    new = json.dumps({"op": "new", "id": 1, "variant": "house", "seats": 2})
    greeting, answer = lines(ludo("serve", str(own), "mensch", stdin=f"{HELLO}\n{new}").out)
    assert greeting["variants"] == "house mensch"
    assert answer["op"] == "new"
    assert ludo("serve", "mensch", "mensch", stdin="").code == 2
    assert ludo("serve", "no-such-variant", stdin="").code == 3
    assert ludo("serve", stdin="").code == 2


def test_hello_is_answered_without_reading_a_rule_book() -> None:
    program = (
        "import io, sys; from ludo_dsl.cli import run; sys.stdin = io.TextIOWrapper(io.BytesIO(sys.argv[1].encode()));"
        "run(['serve', 'parchis']); print(sorted(sys.modules), file=sys.stderr)"
    )
    answer = subprocess.run([sys.executable, "-c", program, HELLO], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(answer.stdout)["op"] == "hello"
    loaded = set(eval(answer.stderr.splitlines()[-1]))
    assert "ludo_dsl.conformance.talking.servant" in loaded
    assert not loaded & {"rich", "jsonschema", "ludo_dsl.publish"}


@POSIX
def test_answers_come_at_once_and_ctrl_c_ends_it() -> None:
    process = subprocess.Popen([*SERVE, "amarnepal"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    for line, op in ((HELLO, "hello"), (NEW, "new")):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["op"] == op
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")


@POSIX
def test_through_the_pipe_every_claim_is_borne_out() -> None:
    endpoint = connect(f"exec:{sys.executable} -m ludo_dsl serve amarnepal").open()
    try:
        limits = Limits(30, 30)
        found = verify(endpoint, hello(endpoint, limits), limits)
    finally:
        endpoint.close()
    assert [c.verified for c in found] == [True] * 5
