"""The scenarios as tests of pytest, on engines that keep the rules and on some that do not."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import jsonschema.validators
import pytest
import yaml

import ludo_dsl.conformance.pytest_session

pytest_plugins = ("pytester",)

MODULE = "ludo_dsl.conformance.pytest_plugin"
# Tests within this process forget what they import, and not every module can be imported twice.
KEPT = (jsonschema.validators, yaml, ludo_dsl.conformance.pytest_session)

# Where the package is installed with its entry point, pytest loads the plugin by itself, and not twice.
LOADED = () if any(e.value == MODULE for e in entry_points(group="pytest11")) else ("-p", MODULE)

ENGINES = """
from ludo_dsl.conformance.talking.servant import Servant

class Right(Servant):
    def __init__(self, readings=None):
        super().__init__(["amarnepal"], readings, ("set", "force", "legal"))

class Twice(Right):
    def __init__(self):
        super().__init__({"capture-pays": "twice"})

class NoCapture(Right):
    def answer(self, message):
        answer = super().answer(message)
        if "capture" in str(answer.get("events", "")):
            answer["position"] = answer["position"].replace("yellow=Y,", "yellow=49,")
        return answer

class NoThree(Right):
    def answer(self, message):
        if message["op"] == "new" and message["seats"] == 3:
            return {"op": "unsupported", "id": message["id"], "reason": "two or four"}
        return super().answer(message)

class Broken:
    def __init__(self):
        raise RuntimeError("no board")
"""

SCENARIOS = """
- id: amarnepal/capture/single
  title: Ending on an opposing piece sends it to its yard.
  variant: amarnepal
  players: 2
  clauses: [AN-14]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 3
    - move: 20>23
      then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red
- id: amarnepal/moving/three
  title: A piece walks as far as the die says.
  variant: amarnepal
  players: 3
  clauses: [AN-05]
  given: red=20,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red
  steps:
    - roll: 3
    - move: 20>23
      then: red=23,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=green
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(engines=ENGINES)
    pytester.syspathinsert()
    return pytester


def scenarios(project: pytest.Pytester, text: str) -> str:
    return str(project.makefile(".yaml", rules=text))


ONE = SCENARIOS.split("- id: amarnepal/moving")[0]


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    return project.runpytest_inprocess(*LOADED, "-p", "no:cacheprovider", *args)


def test_a_file_that_is_named(project: pytest.Pytester) -> None:
    result = run(project, scenarios(project, SCENARIOS), "--ludo-engine", "py:engines:Right", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["rules.yaml::amarnepal/capture/single PASSED*", "rules.yaml::amarnepal/moving/three PASSED*"])


def test_one_is_chosen_by_k_and_by_id(project: pytest.Pytester) -> None:
    file = scenarios(project, SCENARIOS)
    run(project, file, "--ludo-engine", "py:engines:Right", "-k", "moving").assert_outcomes(passed=1, deselected=1)
    run(project, f"{file}::amarnepal/moving/three", "--ludo-engine", "py:engines:Right").assert_outcomes(passed=1)


def test_a_failure_tells_what_a_report_tells(project: pytest.Pytester) -> None:
    result = run(project, scenarios(project, SCENARIOS), "--ludo-engine", "py:engines:NoCapture")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "amarnepal/capture/single: fail",
            "*another position after move 20>23",
            "*from *red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red",
            "*red ──*",  # The board.
            "*expected *red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red",
            "*found *red=23,Y,Y,Y yellow=49,Y,Y,Y turn=red",
            "*AN-14: A token that ends its move among opponents*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_what_is_not_offered_is_skipped(project: pytest.Pytester) -> None:
    result = run(project, scenarios(project, SCENARIOS), "--ludo-engine", "py:engines:NoThree", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*unsupported: two or four"])


def test_settings_in_a_file(project: pytest.Pytester) -> None:
    scenarios(project, SCENARIOS)
    project.makeini("[pytest]\nludo_engine = py:engines:Right\nludo_suite = rules.yaml\n")
    run(project).assert_outcomes(passed=2)


def test_a_suite_of_ones_own(project: pytest.Pytester) -> None:
    project.mkdir("suite").joinpath("rules.yaml").write_text(SCENARIOS, encoding="utf-8")
    args = ("--ludo-engine", "py:engines:Right", "--ludo-suite", "suite")
    run(project, *args).assert_outcomes(passed=2)
    # Scenarios of another rule book are left out.
    run(project, *args, "--ludo-variant", "qdan").assert_outcomes()


CAPTURE_BY_SIX = """
- id: amarnepal/bonus/NAME
  title: A capture by a six.
  variant: amarnepal
  players: 2
  readings: {capture-pays: NAME}
  clauses: [AN-11]
  given: red=17,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 6
    - move: 17>23
      then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6MORE
"""
EITHER = CAPTURE_BY_SIX.replace("NAME", "once").replace("MORE", "") + CAPTURE_BY_SIX.replace("NAME", "twice").replace("MORE", " owed=2")


@pytest.mark.parametrize(("engine", "taken"), [("Right", "once"), ("Twice", "twice")])
def test_a_scenario_that_rests_on_another_reading_is_skipped(project: pytest.Pytester, engine: str, taken: str) -> None:
    file = scenarios(project, EITHER)
    result = run(project, file, "--ludo-engine", f"py:engines:{engine}", "-v", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines([f"rules.yaml::amarnepal/bonus/{taken} PASSED*"])
    result.stdout.fnmatch_lines([f"*it rests on another reading: the engine takes `capture-pays={taken}`"])
    # Chosen alone, nothing tells that the engine reads otherwise: it is held to what the scenario says.
    other = "twice" if taken == "once" else "once"
    run(project, file, "--ludo-engine", f"py:engines:{engine}", "-k", f"bonus and {other}").assert_outcomes(failed=1, deselected=1)


def test_the_scenarios_of_the_project(project: pytest.Pytester) -> None:
    result = run(project, "--ludo-engine", "py:engines:Twice", "--ludo-variant", "amarnepal", "-v")
    found = result.parseoutcomes()
    assert found.keys() <= {"passed", "skipped"}
    assert found["passed"] > 100
    result.stdout.fnmatch_lines(["*amarnepal/capture.yaml::amarnepal/capture/single PASSED*"])


def test_the_same_with_workers(project: pytest.Pytester) -> None:
    result = run(project, "--ludo-engine", "py:engines:Right", "--ludo-variant", "amarnepal", "-k", "bonus", "-n", "2")
    alone = run(project, "--ludo-engine", "py:engines:Right", "--ludo-variant", "amarnepal", "-k", "bonus")
    assert {k: v for k, v in result.parseoutcomes().items() if k != "deselected"} == {
        k: v for k, v in alone.parseoutcomes().items() if k != "deselected"
    }


def test_an_engine_that_cannot_be_started(project: pytest.Pytester) -> None:
    result = run(project, scenarios(project, SCENARIOS), "--ludo-engine", "py:engines:Broken")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["the engine cannot be started: `Broken` cannot be made: it raised RuntimeError: no board*"])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--ludo-variant", "chess"), "*--ludo-variant chess: *"),
        (("--ludo-variant", "pachisi"), "*the project has no scenarios of it*"),
        (("--ludo-suite", "."), "*there are no scenarios here*"),
        (("--ludo-timeout", "soon"), "*could not convert*"),
    ],
)
def test_usage(project: pytest.Pytester, args: tuple[str, ...], message: str) -> None:
    result = run(project, "--ludo-engine", "py:engines:Right", *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_a_file_that_is_wrong(project: pytest.Pytester) -> None:
    result = run(project, scenarios(project, ONE.replace("players: 2", "players: two")), "--ludo-engine", "py:engines:Right")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*rules.yaml:4: *this is of the wrong type*"])


def test_without_an_engine_it_does_nothing(project: pytest.Pytester) -> None:
    scenarios(project, ONE)
    project.makepyfile(test_own="def test_own():\n    pass\n")
    run(project).assert_outcomes(passed=1)
    run(project, "--ludo-engine", "py:engines:Right").assert_outcomes(passed=2)


def test_other_yaml_is_left_alone(project: pytest.Pytester) -> None:
    project.makefile(".yaml", other="- id: something\n  else: 1\n", more="a: b\n", none="")
    result = run(project, "--ludo-engine", "py:engines:Right")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_import_is_cheap() -> None:
    """What costs time is loaded only where an engine is named."""
    program = f"import sys, pytest; before = set(sys.modules); import {MODULE}; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert {name for name in found if name.startswith("ludo_dsl")} == {"ludo_dsl", "ludo_dsl.conformance", MODULE}
    assert not {"yaml", "lark", "rich", "jsonschema", "click"} & set(found)
