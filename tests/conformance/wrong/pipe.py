"""A process that plays amarnepal well, but for one fault: `python pipe.py FAULT`. Most faults show at one position only."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HIT = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
"""Where the faults show that spoil one scenario: the position with which `amarnepal/capture/single` begins."""

Answer = dict[str, Any]


def write(text: str | bytes) -> None:
    """Writes as it stands."""
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.buffer.flush()


def line(answer: object) -> str:
    """An answer as one line."""
    return json.dumps(answer) + "\n"


def half_and_end(answer: Answer) -> None:
    """Half a line, and the end."""
    write(line(answer)[:20])
    os._exit(0)


def half_and_wait(answer: Answer) -> None:
    """Half a line, and nothing more."""
    write(line(answer)[:20])
    time.sleep(60)


def shut(answer: Answer) -> None:
    """The output is closed, and the process goes on."""
    os.close(1)
    time.sleep(60)


def ignore_quit(answer: Answer) -> None:
    """Nothing makes it end but force."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def noisily(answer: Answer) -> None:
    """A great deal on standard error, which is nobody's business."""
    os.write(2, b"x" * 1_000_000)
    write(line(answer))


def slowly(answer: Answer) -> None:
    """Letter by letter."""
    for letter in line(answer):
        write(letter)
        time.sleep(0.002)


AT_THE_POSITION: dict[str, Callable[[Answer], object]] = {
    "exits": lambda answer: os._exit(3),
    "exits_well": lambda answer: os._exit(0),
    "killed": lambda answer: os.kill(os.getpid(), signal.SIGSEGV),
    "shuts": shut,
    "hangs": lambda answer: time.sleep(60),
    "deaf": ignore_quit,
    "half_and_wait": half_and_wait,
    "half_and_end": half_and_end,
    "no_json": lambda answer: write("Segmentation fault (core dumped)\n"),
    "single_quotes": lambda answer: write(str(answer) + "\n"),
    "a_list": lambda answer: write(line([answer])),
    "a_number": lambda answer: write("7\n"),
    "empty_line": lambda answer: write("\n" + line(answer)),
    "two_lines": lambda answer: write(line(answer) * 2),
    "chatter": lambda answer: write("thinking...\n" + line(answer)),
    "binary": lambda answer: write(b"\xff\xfe\x00\x80\n"),
    "huge": lambda answer: write(line(answer | {"position": "x" * 2_000_000})),
    "endless": lambda answer: write("[" * 2_000_000),
    "nested": lambda answer: write("[" * 200_000 + "]" * 200_000 + "\n"),
    "other_op": lambda answer: write(line(answer | {"op": "state"})),
    "no_op": lambda answer: write(line({key: value for key, value in answer.items() if key != "op"})),
    "other_id": lambda answer: write(line(answer | {"id": answer["id"] + 1})),
    "no_position": lambda answer: write(line({"op": "set", "id": answer["id"]})),
    "position_no_text": lambda answer: write(line(answer | {"position": 20})),
    "refuses_without_reason": lambda answer: write(line({"op": "illegal", "id": answer["id"]})),
    # What the protocol allows, and an engine is not to be blamed for.
    "more_keys": lambda answer: write(line(answer | {"mood": "good", "depth": [1, {"x": None}]})),
    "no_id": lambda answer: write(line({key: value for key, value in answer.items() if key != "id"})),
    "noise_on_stderr": noisily,
    "spaces": lambda answer: write("  " + json.dumps(answer, indent=None, separators=(" ,  ", " : ")) + "  \r\n"),
    "slowly": slowly,
}
"""What is done instead of answering where the faults show."""

AT_HELLO: dict[str, Callable[[Answer], object]] = {
    "ends_at_once": lambda answer: os._exit(1),
    "hangs_at_once": lambda answer: time.sleep(60),
    "banner": lambda answer: write("My engine 0.3 (c) 2026\n" + line(answer)),
    "version_two": lambda answer: write(line(answer | {"protocol": 2})),
    "no_name": lambda answer: write(line({key: value for key, value in answer.items() if key != "name"})),
    "hello_refused": lambda answer: write(line({"op": "error", "reason": "no licence"})),
}
"""What is done instead of answering `hello`."""


def sample() -> Any:
    """An object of the sample engine."""
    place = Path(__file__).resolve().parents[3] / "conformance" / "engines" / "amarnepal.py"
    spec = spec_from_file_location("amarnepal", place)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["amarnepal"] = module
    spec.loader.exec_module(module)
    return module.Engine()


def main(fault: str) -> None:
    """Answers message after message."""
    engine = sample()
    for said in sys.stdin:
        message = json.loads(said)
        if message["op"] == "quit":
            return
        answer = engine.answer(message)
        if message["op"] == "hello" and fault in AT_HELLO:
            AT_HELLO[fault](answer)
        elif message["op"] == "set" and message["position"] == HIT and fault in AT_THE_POSITION:
            AT_THE_POSITION[fault](answer)
        else:
            write(line(answer))


if __name__ == "__main__":
    main(sys.argv[1])
