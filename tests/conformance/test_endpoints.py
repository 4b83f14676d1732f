"""Engines that do well, and engines that do everything else: each gives its verdict, and the runner goes on."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.talking.endpoints import EngineTextError, ObjectEndpoint, PipeEndpoint, StartError, TroubleError, connect
from ludo_dsl.conformance.talking.protocol import message

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")

SOON = 0.3
LATE = 20.0  # So long may a process take to start on a busy machine.

PRELUDE = """
import json, os, signal, subprocess, sys, time

def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def say(**answer):
    write(json.dumps(answer) + "\\n")

def state(said):
    say(op="state", id=said["id"], position="p=" + str(said["id"]))

say(op="hello", protocol=1, name="n", version="1", variants="", capabilities="") if read() else None
"""

Start = Callable[[str], PipeEndpoint]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts an engine written in a few lines, which has said hello already."""
    opened: list[PipeEndpoint] = []

    def begin(lines: str) -> PipeEndpoint:
        program = tmp_path / f"engine{len(opened)}.py"
        program.write_text(PRELUDE + lines, encoding="utf-8")
        endpoint = PipeEndpoint([sys.executable, str(program)])
        opened.append(endpoint)
        assert endpoint.ask(message("hello", protocol=1, suite="1"), LATE)["name"] == "n"
        return endpoint

    yield begin
    for endpoint in opened:
        endpoint.close()
        assert endpoint._process.returncode is not None


def trouble(endpoint: PipeEndpoint | ObjectEndpoint, seconds: float = LATE) -> TroubleError:
    """The trouble that comes of a question, and of every further one."""
    with pytest.raises(TroubleError) as first:
        endpoint.ask(message("state"), seconds)
    with pytest.raises(TroubleError) as second:
        endpoint.ask(message("state"), seconds)
    assert (first.value.verdict, first.value.note) == (second.value.verdict, second.value.note)
    return first.value


# ---- engines that do well --------------------------------------------------------------------------------------------


def test_questions_are_numbered_and_answered_in_order(start: Start) -> None:
    endpoint = start("while True: state(read())")
    assert [endpoint.ask(message("state"), LATE)["position"] for _ in range(3)] == ["p=1", "p=2", "p=3"]


def test_an_answer_in_pieces_is_one_answer(start: Start) -> None:
    endpoint = start("""
while True:
    number = read()["id"]
    for part in ('{"op": "st', 'ate", "posi', 'tion": "p=%d"}' % number, "\\n"):
        write(part)
        time.sleep(0.01)
""")
    assert endpoint.ask(message("state"), LATE)["position"] == "p=1"
    assert endpoint.ask(message("state"), LATE)["position"] == "p=2"


def test_an_answer_as_large_as_may_be_is_taken(start: Start) -> None:
    endpoint = start("""
while True:
    say(op="state", id=read()["id"], position="p=" + 900_000 * "x")
""")
    assert len(str(endpoint.ask(message("state"), LATE)["position"])) == 900_002


def test_standard_error_is_read_away_and_its_end_is_kept(start: Start) -> None:
    endpoint = start("""
while True:
    said = read()
    sys.stderr.write("first " + 500_000 * "x" + " last\\n")
    sys.stderr.flush()
    state(said) if said["id"] < 3 else sys.exit(3)
""")
    assert endpoint.ask(message("state"), LATE)["position"] == "p=1"
    assert endpoint.ask(message("state"), LATE)["position"] == "p=2"
    found = trouble(endpoint)
    assert found.verdict is Verdict.CRASH
    assert found.note.startswith("it ended with exit code 3\nit wrote to standard error:\n…x")
    assert found.note.endswith("x last")
    assert len(found.note) < 4300


def test_quit_lets_an_engine_end_by_itself(start: Start, tmp_path: Path) -> None:
    endpoint = start(f"""
state(read())
open({str(tmp_path / "end")!r}, "w").write(json.dumps(read()))
""")
    endpoint.ask(message("state"), LATE)
    endpoint.close()
    endpoint.close()
    assert (tmp_path / "end").read_text() == '{"op": "quit", "id": 2}'
    assert endpoint._process.returncode == 0
    with pytest.raises(TroubleError, match="it was closed"):
        endpoint.ask(message("state"), SOON)


# ---- crashes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ("read(); sys.exit(7)", "it ended with exit code 7"),
        ("read()", "it ended with exit code 0"),
        ("read(); os.kill(os.getpid(), signal.SIGSEGV)", "it was ended by SIGSEGV"),
        ("read(); os.kill(os.getpid(), signal.SIGKILL)", "it was ended by SIGKILL"),
        ("read(); os.close(1); time.sleep(60)", "it closed its output and went on running"),
        ("""read(); write('{"op": "sta'); os._exit(1)""", 'it ended with exit code 1, in the middle of a line: {"op": "sta'),
        ("read(); sys.exit('out of \\x1b[31mluck')", "it ended with exit code 1\nit wrote to standard error:\nout of �[31mluck"),
    ],
)
def test_crashes(start: Start, lines: str, note: str) -> None:
    found = trouble(start(lines))
    assert (found.verdict, found.note) == (Verdict.CRASH, note)


def test_an_engine_that_has_ended_before_it_is_asked(start: Start) -> None:
    endpoint = start("sys.exit(5)")
    endpoint._process.wait(LATE)
    assert trouble(endpoint).note == "it ended with exit code 5"


def test_a_traceback_of_the_engine_is_shown(start: Start) -> None:
    found = trouble(start("read(); {}['lost']"))
    assert found.verdict is Verdict.CRASH
    assert found.note.endswith("KeyError: 'lost'")


# ---- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ("read(); time.sleep(60)", "no answer to `state` within 0.3 s"),
        ("time.sleep(60)", "no answer to `state` within 0.3 s"),
        ("""read(); write('{"op": "state", "id": 1'); time.sleep(60)""", 'half a line: {"op": "state", "id": 1'),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)", "no answer"),
    ],
)
def test_hanging(start: Start, lines: str, note: str) -> None:
    endpoint = start(lines)
    began = time.monotonic()
    found = trouble(endpoint, SOON)
    endpoint.close()
    assert SOON <= time.monotonic() - began < SOON + 2
    assert found.verdict is Verdict.TIMEOUT
    assert note in found.note
    assert endpoint._process.returncode == -signal.SIGKILL


def test_an_engine_that_reads_nothing_does_not_hold_up_the_runner(start: Start) -> None:
    endpoint = start("time.sleep(60)")
    with pytest.raises(TroubleError) as error:
        endpoint.ask(message("set", position="x" * 500_000), SOON)
    assert error.value.verdict is Verdict.TIMEOUT
    assert error.value.note == "it took no message for 0.3 s"


def test_dripping_does_not_put_off_the_end_of_the_time(start: Start) -> None:
    endpoint = start("""
read()
while True:
    write("x")
    time.sleep(0.02)
""")
    assert trouble(endpoint, SOON).verdict is Verdict.TIMEOUT


# ---- rubbish ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ("read(); write('Red moves.\\n'); read()", "the answer is no JSON: Red moves."),
        ("read(); write('\\n'); read()", "the answer is no JSON: an empty line"),
        ("read(); sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); read()", "the answer is no text in ASCII or UTF-8: \\xff"),
        ("read(); say(op='legal', id=1, moves=''); read()", "`state` is answered with the op `legal`"),
        ("read(); say(op='state', id=8, position='p=8'); read()", "message 1 is answered with the id 8"),
        ("read(); say(op='state', id=1); read()", "`state`: `position` is missing"),
        ("read(); write('x' * 3_000_000); read()", "the answer is longer than 1,000,000 bytes: xxx"),
        ("say(op='state', id=1, position='p=1'); read(); read()", "an answer that nobody asked for: {"),
        ("write('x' * 3_000_000); read(); read()", "an answer that nobody asked for: xxx"),
    ],
)
def test_rubbish(start: Start, lines: str, note: str) -> None:
    endpoint = start(lines)
    if note.startswith("an answer that nobody"):
        time.sleep(SOON)
    found = trouble(endpoint)
    assert found.verdict is Verdict.PROTOCOL_ERROR
    assert found.note.startswith(note)
    assert len(found.note) < 300


def test_two_answers_to_one_question(start: Start) -> None:
    endpoint = start("said = read(); state(said); state(said); read()")
    assert endpoint.ask(message("state"), LATE)["position"] == "p=1"
    time.sleep(0.05)
    found = trouble(endpoint)
    assert found.verdict is Verdict.PROTOCOL_ERROR
    assert found.note.startswith(('an answer that nobody asked for: {"op": "state"', "message 2 is answered with the id 1"))


# ---- starting and ending ---------------------------------------------------------------------------------------------


def test_what_an_engine_has_started_ends_with_it(start: Start) -> None:
    endpoint = start("""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
say(op="state", id=read()["id"], position="p=%d" % child.pid)
read()
""")
    child = int(str(endpoint.ask(message("state"), LATE)["position"])[2:])
    os.kill(child, 0)
    endpoint.close()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
        if Path(f"/proc/{child}/stat").read_text().split(")")[1].split()[0] == "Z":
            break  # Ended; whoever adopts orphans here has not yet looked after it.
        time.sleep(0.01)
    else:
        assert not Path(f"/proc/{child}").exists()


def test_commands_that_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("no program\n")
    cases = {
        "no-such-engine --fast": ("there is no command `no-such-engine`", "written `./NAME`"),
        "mine": ("there is no command `mine`", "it lies in this folder: write `./mine`"),
        "./mine": ("`./mine` may not be run", "`chmod +x ./mine`"),
        "./mine/engine": ("`./mine/engine` cannot be run", ""),
    }
    for command, (says, hint) in cases.items():
        with pytest.raises(StartError) as error:
            connect(f"exec:{command}").open()
        assert says in error.value.message
        assert hint in error.value.hint
    Path("mine").chmod(0o700)
    with pytest.raises(StartError, match="cannot be run") as error:
        connect("exec:./mine").open()
    assert "first line" in error.value.hint


def test_a_command_is_split_as_a_shell_does() -> None:
    program = "import sys; input(); print(sys.argv[1])"
    endpoint = connect(f"""exec:{sys.executable} -c "{program}" '{{"op": "state", "position": "a b"}}'""").open()
    assert endpoint.ask(message("state"), LATE)["position"] == "a b"
    endpoint.close()


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("./my-engine", "`./my-engine` names no engine", "exec:./my-engine"),
        ("", "names no engine", "py:module:Class"),
        ("exe:./engine", "names no engine", "exec:"),
        ("exec:", "names no command", "exec:./my-engine"),
        ("exec:  ", "names no command", "exec:./my-engine"),
        ("exec:./engine 'half", "is no command: no closing quotation", "quotation mark"),
        ("py:engine", "names no class", "py:module:Class"),
        ("py:my-engine:Class", "names no class", "py:module:Class"),
        ("py:no_such_module:Class", "there is no module `no_such_module`", "install"),
        ("py:ludo_dsl.no_such:Class", "there is no module `ludo_dsl.no_such`", "install"),
        ("py:json:Ludo", "the module `json` has no class `Ludo`", "py:module:Class"),
    ],
)
def test_texts_that_name_no_engine(text: str, says: str, hint: str) -> None:
    with pytest.raises(EngineTextError) as error:
        connect(text)
    assert says in error.value.message
    assert hint in error.value.hint


def test_a_module_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    text = "class Engine:\n    def answer(self, said): return {'op': said['op'], 'position': 'here'}\n"
    Path("engine_of_this_folder.py").write_text(text)
    Path("broken_engine.py").write_text("import no_such_thing\n")
    Path("ending_engine.py").write_text("raise SystemExit(3)\n")
    connector = pickle.loads(pickle.dumps(connect("py:engine_of_this_folder:Engine")))
    assert connector.name == "py:engine_of_this_folder:Engine"
    assert connector.open().ask(message("state"), SOON)["position"] == "here"
    with pytest.raises(EngineTextError, match="cannot be imported: it raised ModuleNotFoundError: No module named 'no_such_thing'"):
        connect("py:broken_engine:Engine")
    with pytest.raises(EngineTextError, match=r"cannot be imported: it raised SystemExit: 3 \(ending_engine.py, line 1\)"):
        connect("py:ending_engine:Engine")


# ---- Python objects --------------------------------------------------------------------------------------------------


def engine(answer: Callable[[dict[str, Any]], object]) -> ObjectEndpoint:
    """An engine that answers by a function."""

    class Engine:
        def answer(self, said: dict[str, Any]) -> object:
            return answer(said)

    return ObjectEndpoint(Engine)


def _state(said: dict[str, Any]) -> dict[str, Any]:
    return {"op": "state", "id": said["id"], "position": f"p={said['id']}"}


def test_an_object_is_asked_with_numbers_and_told_to_quit() -> None:
    heard: list[dict[str, Any]] = []

    def answer(said: dict[str, Any]) -> dict[str, Any]:
        heard.append(said)
        return _state(said)

    endpoint = engine(answer)
    assert [endpoint.ask(message("state"), SOON)["position"] for _ in range(2)] == ["p=1", "p=2"]
    endpoint.close()
    endpoint.close()
    assert heard == [{"op": "state", "id": 1}, {"op": "state", "id": 2}, {"op": "quit", "id": 3}]


def test_an_object_cannot_reach_the_messages_and_answers_of_the_runner() -> None:
    kept: list[dict[str, Any]] = []

    def answer(said: dict[str, Any]) -> dict[str, Any]:
        given = {"op": said["op"], "id": said["id"], "position": "before"}
        kept.append(given)
        said.clear()
        return given

    endpoint = engine(answer)
    said = message("set", position="p")
    got = endpoint.ask(said, SOON)
    kept[0]["position"] = "after"
    assert said == {"op": "set", "position": "p"}
    assert got["position"] == "before"


class Odd(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("no such piece"), "it raised ValueError: no such piece"),
        (SystemExit(3), "it raised SystemExit: 3"),
        (KeyboardInterrupt(), "it raised KeyboardInterrupt"),
        (Odd(), "it raised Odd"),
        (AssertionError("one\ntwo"), "it raised AssertionError: one two"),
    ],
)
def test_what_an_object_raises_is_a_crash(error: BaseException, says: str) -> None:
    def answer(said: dict[str, Any]) -> None:
        raise error

    found = trouble(engine(answer))
    assert found.verdict is Verdict.CRASH
    assert found.note.startswith(says + " (test_endpoints.py, line ")


@pytest.mark.parametrize("answer", [None, [], "state", {}, {"op": "state"}, {"op": "state", "position": ["p"]}, {1: 2}])
def test_what_an_object_returns_may_be_no_answer(answer: object) -> None:
    assert trouble(engine(lambda said: answer)).verdict is Verdict.PROTOCOL_ERROR


def _ever(catching: type[BaseException]) -> Callable[[dict[str, Any]], None]:
    def answer(said: dict[str, Any]) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                time.sleep(0.001)
            except catching:
                catches.append(1)
                if len(catches) > 3:
                    raise

    catches: list[int] = []
    return answer


@pytest.mark.parametrize("catching", [ZeroDivisionError, Exception, BaseException])
def test_an_object_that_hangs_is_stopped_even_if_it_catches_everything(catching: type[BaseException]) -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)
    began = time.monotonic()
    found = trouble(engine(_ever(catching)), SOON)
    assert (found.verdict, found.note) == (Verdict.TIMEOUT, "no answer to `state` within 0.3 s")
    assert time.monotonic() - began < 5
    assert (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)) == before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_elsewhere_than_in_the_main_thread_a_late_answer_is_a_timeout() -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        time.sleep(0.1 if said["id"] > 1 else 0)
        return _state(said)

    found: list[object] = []

    def ask() -> None:
        endpoint = engine(answer)
        found.append(endpoint.ask(message("state"), LATE)["position"])
        try:
            endpoint.ask(message("state"), 0.05)
        except TroubleError as error:
            found.append(error.verdict)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(30)
    assert found == ["p=1", Verdict.TIMEOUT]


@pytest.mark.parametrize("swallows", [False, True])
def test_ctrl_c_goes_through_even_if_the_object_catches_it(swallows: bool) -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            if not swallows:
                raise
        return _state(said)

    with pytest.raises(KeyboardInterrupt):
        engine(answer).ask(message("state"), LATE)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_runner_that_notes_ctrl_c_and_goes_on_gets_its_answer() -> None:
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:

        def answer(said: dict[str, Any]) -> dict[str, Any]:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            return _state(said)

        assert engine(answer).ask(message("state"), LATE)["position"] == "p=1"
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == [signal.SIGINT]


def test_objects_that_cannot_be_made() -> None:
    class Wants:
        def __init__(self, more: int) -> None: ...

    class Fails:
        def __init__(self) -> None:
            raise OSError("no board")

    class Mute:
        pass

    for factory, says in (
        (Wants, "`Wants` cannot be made: it raised TypeError"),
        (Fails, "`Fails` cannot be made: it raised OSError: no board (test_endpoints.py, line "),
        (Mute, "`Mute` has no method `answer`"),
    ):
        with pytest.raises(StartError) as error:
            ObjectEndpoint(factory)  # type: ignore[arg-type]
        assert error.value.message.startswith(says)


def test_quitting_may_fail_and_take_long() -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        if said["op"] == "quit":
            time.sleep(60)
        return _state(said)

    endpoint = engine(answer)
    endpoint.ask(message("state"), SOON)
    began = time.monotonic()
    endpoint.close()
    assert time.monotonic() - began < 5


def test_ctrl_c_in_a_terminal_reaches_the_runner_alone(start: Start) -> None:
    endpoint = start("while True: state(read())")
    assert os.getpgid(endpoint._process.pid) == endpoint._process.pid
    assert subprocess.run(["kill", "-0", str(endpoint._process.pid)], check=False).returncode == 0
