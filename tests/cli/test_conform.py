"""`ludo conform`: which scenarios it plays, what it answers and writes, and its exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.resources import spec_path
from tests.cli.conftest import Answer, Ludo
from tests.conformance.test_runner import SCENARIOS

ENGINES = "tests.conformance.test_runner"
PLAIN, CRASHES = (f"py:{ENGINES}:{name}" for name in ("Plain", "Crashes"))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    return folder


@pytest.fixture
def conform(ludo: Ludo, suite: Path) -> Ludo:
    """`ludo conform` with the small suite."""

    def call(engine: str, *args: str, **more: Any) -> Answer:
        return ludo("conform", engine, "--suite", str(suite), *args, **more)

    return call


def played(answer: Answer) -> int:
    """How many scenarios were played."""
    return sum(answer.json("conform")["verdicts"].values())


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_an_engine_that_conforms(conform: Ludo) -> None:
    answer = conform(PLAIN, "--clause", "AN-13", "--clause", "AN-14", "--clause", "AN-08")
    assert (answer.code, answer.err) == (0, "")
    assert "amarnepal: 3 of 3 clauses kept" in answer.out
    assert "sixes=in-a-row" in answer.out
    assert "conforms" in answer.out


def test_what_is_not_shown_leaves_it_incomplete(conform: Ludo) -> None:
    answer = conform(PLAIN)
    assert answer.code == 2
    assert "not shown" in answer.out


def test_a_broken_rule(conform: Ludo, suite: Path) -> None:
    file = suite / "some.yaml"
    file.write_text(SCENARIOS.replace("red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow"))
    answer = conform(PLAIN, "--area", "some")
    assert answer.code == 1
    assert "AN-14" in answer.out
    assert "amarnepal/some/capture: fail" in answer.out
    # The board is drawn, and what has to be typed to see it again.
    assert "[ ] start" in answer.out
    assert f"ludo conform {PLAIN}" in answer.out
    assert "--id amarnepal/some/capture" in answer.out


def test_the_answer_as_json(conform: Ludo) -> None:
    answer = conform(CRASHES, "--id", "amarnepal/some/c*", "--json")
    found = answer.json("conform")
    assert (answer.code, answer.err) == (2, "")
    assert (found["exit_code"], found["stopped"], found["verdicts"]) == (2, False, {"crash": 1})
    assert found["failures"][0]["id"] == "amarnepal/some/capture"


def test_the_schema_is_that_of_the_report_and_a_word_more() -> None:
    ours, theirs = (json.loads(spec_path("schema", f"{name}.json").read_text(encoding="utf-8")) for name in ("conform", "report-show"))
    assert ours["properties"].keys() - theirs["properties"].keys() == {"stopped"}
    assert {name: value for name, value in ours["properties"].items() if name != "stopped"} == theirs["properties"]


def test_quiet_says_nothing(conform: Ludo) -> None:
    answer = conform(PLAIN, "--area", "some", "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")


# ---- filters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "count"),
    [
        (["--id", "amarnepal/some/row", "--id", "amarnepal/some/t*"], 2),
        (["--clause", "AN-13"], 3),
        (["--area", "some"], 5),
        (["--variant", "amarnepal"], 5),
        (["--shard", "1/2"], 3),
        (["--shard", "2/2"], 2),
        (["--option", "capture-roll=on"], 5),
    ],
)
def test_filters(conform: Ludo, args: list[str], count: int) -> None:
    assert played(conform(PLAIN, *args, "--json")) == count


def test_an_option_is_that_of_the_scenario_or_its_default(conform: Ludo, suite: Path) -> None:
    extra = (
        SCENARIOS.split("- id:")[1].replace("some/capture", "some/other").replace("players: 2", "players: 2\n  options: {one-leaves: on}")
    )
    (suite / "more.yaml").write_text("- id:" + extra)
    assert played(conform(PLAIN, "--option", "one-leaves=on", "--json")) == 1
    assert played(conform(PLAIN, "--option", "one-leaves=off", "--json")) == 5
    assert played(conform(PLAIN, "--json")) == 6


HOUSE = 'variant my-house "My house" extends amarnepal\n\nreplace rule six-again\n  "A {6:word} that was moved earns another roll."\n'
HOUSE += "  when moved if die = 6\n    roll again\n"


def test_a_rule_book_of_ones_own(ludo: Ludo, tmp_path: Path) -> None:
    book, suite = tmp_path / "my-house.ludo", tmp_path / "house.yaml"
    book.write_text(HOUSE)
    steps = "  start: true\n  steps:\n    - roll: 6\n      then: red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6\n"
    suite.write_text(f"- id: my-house/sixes/moved\n  title: A title.\n  variant: my-house\n  players: 2\n  clauses: [six-again]\n{steps}")
    engine = f"exec:{shlex.quote(sys.executable)} -m ludo_dsl serve {shlex.quote(str(book))}"
    answer = ludo("conform", engine, "--suite", str(suite), "--variant", str(book))
    assert answer.code == 0, answer.out
    assert "my-house: 1 of 1 " in answer.out
    other = ludo("conform", engine, "--suite", str(suite))
    assert other.code == 3
    assert "there is no such rule book here" in other.err


# ---- bad usage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "missing argument `ENGINE`"),
        (["my-engine"], "names no engine"),
        (["py:nothing.of.the.kind:Class"], "there is no module"),
        (["exec:./no-such-engine"], "there is no command"),
        (["exec:true"], "does not say who it is"),
        ([PLAIN, "--bogus"], "--bogus"),
        ([PLAIN, "--id", "amarnepal/some/captur"], "did you mean `amarnepal/some/capture`?"),
        ([PLAIN, "--clause", "AN-31"], "no scenario has the clause `AN-31`"),
        ([PLAIN, "--area", "somme"], "did you mean `some`?"),
        ([PLAIN, "--area", "some", "--clause", "AN-13", "--id", "amarnepal/some/capture"], "no scenario fits all"),
        ([PLAIN, "--variant", "amarnepl"], "did you mean `amarnepal`?"),
        ([PLAIN, "--variant", "card-kings"], "there are no scenarios of `card-kings`"),
        ([PLAIN, "--option", "capture-frist=on"], "did you mean `capture-first`?"),
        ([PLAIN, "--option", "capture-first=maybe"], "known values: `off`, `on`"),
        ([PLAIN, "--option", "capture-first"], "write it as `name=value`"),
        ([PLAIN, "--shard", "3/2"], "write it as `1/4`"),
        ([PLAIN, "--shard", "one"], "write it as `1/4`"),
        ([PLAIN, "--timeout", "0"], "--timeout"),
        ([PLAIN, "--jobs", "0"], "--jobs"),
        ([PLAIN, "--badge", "badge.png"], "ends in `.svg` or `.json`"),
        ([PLAIN, "--html", "x", "--junit", "x"], "named for two reports"),
        ([PLAIN, "--jsonl", "no/such/folder/x"], "no such file or directory"),
        ([PLAIN, "--known", "no-such-file"], "no such file or directory"),
    ],
)
def test_the_runner_itself_fails_with_3(conform: Ludo, ludo: Ludo, args: list[str], told: str) -> None:
    answer = conform(*args) if args else ludo("conform")
    assert (answer.code, answer.out) == (3, "")
    assert told in answer.err
    assert answer.err.startswith("error")
    as_json = conform(*args, "--json") if args else ludo("conform", "--json")
    assert (as_json.code, as_json.err) == (3, "")
    assert as_json.json("error")["error"]


def test_a_suite_that_is_none(conform: Ludo, suite: Path) -> None:
    (suite / "some.yaml").write_text("- id: amarnepal/some\n")
    answer = conform(PLAIN)
    assert (answer.code, answer.out) == (3, "")
    assert "some.yaml:1" in answer.err


def test_help_is_no_failure(ludo: Ludo) -> None:
    answer = ludo("conform", "--help")
    assert (answer.code, answer.err) == (0, "")


# ---- files -----------------------------------------------------------------------------------------------------------


def test_reports_are_written(conform: Ludo, tmp_path: Path) -> None:
    files = {name: tmp_path / f"report.{name}" for name in ("jsonl", "xml", "html", "svg")}
    options = [f"--{option}={files[name]}" for option, name in (("jsonl", "jsonl"), ("junit", "xml"), ("html", "html"), ("badge", "svg"))]
    answer = conform(CRASHES, "--clause", "AN-13", *options)
    assert answer.code == 0
    lines = [json.loads(line) for line in files["jsonl"].read_text().splitlines()]
    assert (lines[0]["kind"], lines[-1]["kind"], lines[-1]["exit_code"]) == ("header", "footer", 0)
    assert lines[0]["command"].startswith(f"ludo conform {CRASHES} --suite ")
    assert "<testsuite" in files["xml"].read_text()
    assert "<html" in files["html"].read_text()
    assert "<svg" in files["svg"].read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.html", "report.jsonl", "report.svg", "report.xml", "suite"]


def test_a_report_that_cannot_be_written_is_told_before_anything_is_played(conform: Ludo, tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole.jsonl", tmp_path / "folder"
    folder.mkdir()
    for nowhere in (folder, tmp_path / "none" / "x"):
        answer = conform(PLAIN, "--jsonl", str(whole), "--html", str(nowhere))
        assert (answer.code, answer.out) == (3, "")
        assert "directory" in answer.err
        assert not whole.exists()


def known(folder: Path, name: str, until: str) -> list[str]:
    file = folder / "known.yaml"
    kind = "scenario" if "/" in name else "clause"
    file.write_text(f"- {kind}: {name}\n  reason: it is being mended\n  until: {until}\n")
    return ["--area", "some", "--known", str(file), "--json"]


def test_known_failures(conform: Ludo, tmp_path: Path) -> None:
    excused = conform(CRASHES, *known(tmp_path, "amarnepal/some/capture", "2999-01-01"))
    assert excused.code == 0
    assert excused.json("conform")["verdicts"]["expected failure"] == 1
    mended = conform(PLAIN, *known(tmp_path, "amarnepal/some/capture", "2999-01-01"))
    assert mended.code == 1
    assert mended.json("conform")["verdicts"]["unexpected pass"] == 1
    expired = conform(CRASHES, *known(tmp_path, "amarnepal/some/capture", "2020-01-01"))
    assert expired.code == 1
    assert expired.json("conform")["verdicts"]["crash"] == 1
    assert "was excused until 2020-01-01" in expired.json("conform")["problems"][0]
    stranger = conform(PLAIN, *known(tmp_path, "amarnepal/some/captur", "2999-01-01"))
    assert stranger.code == 1
    assert "did you mean `amarnepal/some/capture`?" in stranger.json("conform")["problems"][0]


def test_an_entry_for_a_scenario_that_was_left_out_is_no_stranger(conform: Ludo, tmp_path: Path) -> None:
    options = known(tmp_path, "amarnepal/some/start", "2999-01-01")
    assert conform(PLAIN, *options, "--clause", "AN-14").code == 0


# ---- being cut short -------------------------------------------------------------------------------------------------

SLOW = """
import os, sys, time, json
from ludo_dsl.conformance.talking.servant import Servant
engine = Servant(["amarnepal"], {}, ["set", "force", "legal"])
with open(sys.argv[1], "a") as file:
    print(os.getpid(), file=file, flush=True)
for line in sys.stdin:
    said = json.loads(line)
    if said["op"] == "set" and "red=30" in said["position"]:
        print(os.getpid(), "plays", file=open(sys.argv[1], "a"), flush=True)
        time.sleep(60)
    print(json.dumps(engine.answer(said)), flush=True)
"""


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("jobs", "sent"), [(1, signal.SIGTERM), (2, signal.SIGINT)])
def test_ctrl_c_reports_what_there_is_and_ends_every_engine(suite: Path, tmp_path: Path, jobs: int, sent: signal.Signals) -> None:
    program, pids, report = tmp_path / "slow.py", tmp_path / "pids", tmp_path / "report.jsonl"
    program.write_text(SLOW)
    engine = f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(program))} {shlex.quote(str(pids))}"
    args = ["conform", engine, "--suite", str(suite), "--timeout", "100", "--start-timeout", "100", "--jobs", str(jobs)]
    command = [sys.executable, "-m", "ludo_dsl", *args, "--jsonl", str(report)]
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    part = tmp_path / "report.jsonl.part"
    deadline = time.monotonic() + 60
    done = 3 if jobs == 1 else 4

    def lines(file: Path) -> list[str]:
        return file.read_text().splitlines() if file.exists() else []

    while time.monotonic() < deadline and not ("plays" in " ".join(lines(pids)) and len(lines(part)) > done):
        time.sleep(0.05)
    # As a terminal does it: to the whole group.
    os.killpg(process.pid, sent)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stopped: what stands here is what has been found so far" in out
    footer = json.loads(lines(report)[-1])
    assert (footer["kind"], footer["complete"]) == ("footer", False)
    assert sum(footer["verdicts"].values()) == done
    assert not part.exists()
    assert not [pid for pid in {int(line.split()[0]) for line in lines(pids)} if alive(pid)]
