"""The runner, on engines that are made of the interpreter: as it is, reading a clause otherwise, and misbehaving."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.reports.merge import merge
from ludo_dsl.conformance.running.known import Entry, Known
from ludo_dsl.conformance.running.runner import GONE, About, conform, was_stopped
from ludo_dsl.conformance.running.settling import LEAK
from ludo_dsl.conformance.running.verdicts import ReadingTaken, Result, Run, Standing, Verdict
from ludo_dsl.conformance.scenarios.suite import Suite, read_suite
from ludo_dsl.conformance.talking.asking import Endpoint, StartError
from ludo_dsl.conformance.talking.endpoints import Connector, Limits, connect
from ludo_dsl.conformance.talking.objects import ObjectEndpoint
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.documents import DocumentError

SCENARIOS = """
- id: amarnepal/some/capture
  title: A capture.
  variant: amarnepal
  players: 2
  clauses: [AN-14]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 3
      legal: [20>23]
    - move: 20>23
      then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red
- id: amarnepal/some/row
  title: Three sixes that do not follow one another are no matter.
  variant: amarnepal
  players: 2
  clauses: [AN-13]
  readings: {sixes: in-a-row}
  given: red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6,6,3 owed=1
  steps:
    - roll: 6
      legal: [20>26, Y>0]
- id: amarnepal/some/turn
  title: Three sixes lose the turn even if they do not follow one another.
  variant: amarnepal
  players: 2
  clauses: [AN-13]
  readings: {sixes: in-turn}
  given: red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6,6,3 owed=1
  steps:
    - roll: 6
      then: red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow
- id: amarnepal/some/open
  title: Three sixes that do not follow one another.
  variant: amarnepal
  players: 2
  clauses: [AN-13]
  given: red=30,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6,6,3 owed=1
  steps:
    - roll: 6
    - outcomes:
        sixes=in-a-row:
          - legal: [30>36, Y>0]
        sixes=in-turn:
          - legal: []
- id: amarnepal/some/start
  title: Only a six brings a token out.
  variant: amarnepal
  players: 2
  clauses: [AN-08]
  start: true
  steps:
    - roll: 5
      then: red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow
    - roll: 6
      legal: [Y>0]
"""

NAMES = ("capture", "row", "turn", "open", "start")
PART = About(scope="some", command="ludo conform py:engine")
QUICK = Limits(message=1.5)
"""Long enough for an engine that answers, however busy the machine is with other tests."""
CLAIMS = ("set", "force", "legal")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    file = tmp_path_factory.mktemp("suite") / "some.yaml"
    file.write_text(SCENARIOS, encoding="utf-8")
    return read_suite(file)


# ---- engines ---------------------------------------------------------------------------------------------------------


class Plain(Servant):
    """Plays amarnepal by the default readings."""

    def __init__(self) -> None:
        super().__init__(["amarnepal"], {}, CLAIMS)


class InTurn(Servant):
    """Plays amarnepal by another reading."""

    def __init__(self) -> None:
        super().__init__(["amarnepal"], {"sixes": "in-turn"}, CLAIMS)


class Odd(Servant):
    """Does something odd when it is set to the position with a token on 49."""

    def __init__(self) -> None:
        super().__init__(["amarnepal"], {}, CLAIMS)

    def answer(self, message: object) -> dict[str, object]:
        assert isinstance(message, dict)
        if message["op"] == "set" and "yellow=49" in message["position"] and "red=20," in message["position"]:
            return self.odd(super().answer(message))
        return super().answer(message)

    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        raise NotImplementedError


class Crashes(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        raise ZeroDivisionError("oh")


class Hangs(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        time.sleep(60)
        return answer


class Babbles(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        return {"op": "set", "id": answer["id"]}


class Declines(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        return {"op": "unsupported", "reason": "not that"}


class Fails(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        return {"op": "error", "reason": "out of paper"}


class Dies(Odd):
    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        os._exit(7)


class Leaks(Odd):
    """Does not come to the same position twice without forgetting what is legal there."""

    visits = 0

    def answer(self, message: object) -> dict[str, object]:
        answer = super().answer(message)
        return answer | {"moves": ""} if self.visits > 1 and answer["op"] == "legal" else answer

    def odd(self, answer: dict[str, object]) -> dict[str, object]:
        self.visits += 1
        return answer


class Talkative(Plain):
    """Cannot choose the option that one scenario asks for."""

    def answer(self, message: object) -> dict[str, object]:
        assert isinstance(message, dict)
        if message["op"] == "new" and "capture-first=on" in message["options"]:
            return {"op": "unsupported", "id": message["id"], "reason": "no such option"}
        return super().answer(message)


def run(engine: type | str, suite: Suite, **more: Any) -> Run:
    name = engine if isinstance(engine, str) else f"py:{__name__}:{engine.__name__}"
    given: dict[str, Any] = {"about": PART, "limits": QUICK if engine is Hangs else Limits()}
    return conform(connect(name), suite, **(given | more))


def verdicts(found: Run) -> dict[str, Verdict]:
    return {r.id.rpartition("/")[2]: r.verdict for r in found.results}


def timeless(results: tuple[Result, ...]) -> list[Result]:
    return [replace(r, seconds=0.0) for r in results]


# ---- engines that keep the rules -------------------------------------------------------------------------------------


def test_an_engine_that_can_choose_readings_passes_everything(suite: Suite) -> None:
    found = run("py:ludo_dsl.conformance.talking.servant:Servant", suite)
    assert set(verdicts(found).values()) == {Verdict.PASS}
    assert (found.readings, found.exit_code, found.complete, found.asked) == ((), 0, True, 5)
    assert [(c.clause, c.standing) for c in found.clauses] == [(c, Standing.KEPT) for c in ("AN-08", "AN-13", "AN-14")]
    assert all(c.verified for c in found.capabilities)


def test_scenarios_of_the_project(suite: Suite) -> None:
    part = read_suite().chosen(variants=("amarnepal",), areas=("capture", "ending"))
    found = run("py:ludo_dsl.conformance.talking.servant:Servant", part)
    assert len(part) > 10
    assert set(verdicts(found).values()) == {Verdict.PASS}
    assert found.exit_code == 0


@pytest.mark.parametrize(("engine", "value", "other"), [(Plain, "in-a-row", "turn"), (InTurn, "in-turn", "row")])
def test_another_reading_is_as_good(suite: Suite, engine: type, value: str, other: str) -> None:
    """Two scenarios show the reading; the one that rests on the other does not count, and its clause is shown by the others."""
    found = run(engine, suite)
    same = "row" if other == "turn" else "turn"
    assert verdicts(found) == {
        "capture": Verdict.PASS,
        same: Verdict.READING,
        other: Verdict.OTHER_READING,
        "open": Verdict.READING,
        "start": Verdict.PASS,
    }
    assert found.readings == (ReadingTaken("amarnepal", "sixes", value, 2),)
    assert found.exit_code == 0
    # With nothing but the scenario of the other reading, nothing is known of the question; with one more, nothing is shown.
    alone = run(engine, suite.chosen(ids=(f"amarnepal/some/{other}",)))
    assert (verdicts(alone), alone.exit_code) == ({other: Verdict.FAIL}, 1)


def test_what_only_the_other_reading_shows_is_not_shown(suite: Suite) -> None:
    row = replace(suite.scenarios[1], clauses=("AN-12",))
    found = run(InTurn, Suite((row, *suite.scenarios[2:])))
    assert [c.standing for c in found.clauses if c.clause == "AN-12"] == [Standing.NOT_SHOWN]
    assert found.exit_code == 2


def test_a_whole_run_that_does_not_show_every_clause_is_incomplete(suite: Suite) -> None:
    assert run(Plain, suite, about=About()).exit_code == 2


def test_an_option_that_is_not_offered_is_unsupported(suite: Suite) -> None:
    first = suite.scenarios[0]
    found = run(Talkative, Suite((first, replace(first, id="amarnepal/some/first", options=(("capture-first", "on"),)))))
    assert verdicts(found) == {"capture": Verdict.PASS, "first": Verdict.UNSUPPORTED}
    assert found.results[1].note == "no such option"
    assert found.exit_code == 0


def test_variants_that_are_not_claimed(suite: Suite) -> None:
    other = replace(suite.scenarios[0], id="card-kings/some/capture", variant="card-kings", clauses=("CK-11",))
    both = Suite((other, *suite.scenarios))
    assert run(Plain, both).variants == ("amarnepal",)
    asked = run(Plain, both, variants=("card-kings",))
    assert (asked.variants, verdicts(asked), asked.exit_code) == (("card-kings",), {"capture": Verdict.UNSUPPORTED}, 2)
    assert "card-kings" in asked.results[0].note


# ---- engines in trouble ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "verdict", "note"),
    [
        (Crashes, Verdict.CRASH, "ZeroDivisionError: oh"),
        (Hangs, Verdict.TIMEOUT, "no answer to `set` within 1.5 s"),
        (Babbles, Verdict.PROTOCOL_ERROR, "position"),
        (Declines, Verdict.UNSUPPORTED, "not that"),
        (Fails, Verdict.CRASH, "it answers `error`: out of paper"),
    ],
)
def test_trouble_spoils_one_scenario(suite: Suite, engine: type, verdict: Verdict, note: str) -> None:
    found = run(engine, suite)
    assert verdicts(found) == verdicts(run(Plain, suite)) | {"capture": verdict}
    assert note in found.results[0].note
    assert found.complete
    assert found.exit_code == 2


def test_what_brings_a_process_down_spoils_one_scenario(suite: Suite) -> None:
    """All others are as if one process had played them, in the order of the suite."""
    found, alone = run(Dies, suite, jobs=2), run(Plain, suite)
    assert timeless(found.results)[1:] == timeless(alone.results)[1:]
    assert (found.results[0].verdict, found.readings) == (Verdict.CRASH, alone.readings)
    assert "ended (7)" in found.results[0].note


def test_what_passes_on_a_fresh_engine_only_is_inconsistent(suite: Suite) -> None:
    again = replace(suite.scenarios[0], id="amarnepal/some/again")
    found = run(Leaks, Suite((suite.scenarios[0], again)))
    assert verdicts(found) == {"capture": Verdict.PASS, "again": Verdict.INCONSISTENT}
    assert found.results[1].note == LEAK
    assert found.results[1].miss is not None
    assert found.exit_code == 1


class Made(Connector):
    """Engines that a function makes, which may fail to."""

    make: Callable[[], object]

    def open(self) -> Endpoint:
        return ObjectEndpoint(self.make)


def made(make: Callable[[], object]) -> Connector:
    found = Made("py:made")
    object.__setattr__(found, "make", make)
    return found


def test_an_engine_that_cannot_be_started_any_more_ends_the_run(suite: Suite) -> None:
    starts: list[int] = []

    def make() -> object:
        starts.append(1)
        if len(starts) > 2:
            raise OSError("no more of them")
        return Crashes()

    found = conform(made(make), suite, about=PART)
    # One start to be introduced, one to play the first scenario, which crashes it, and three in vain.
    assert len(starts) == 5
    assert verdicts(found) == {"capture": Verdict.CRASH}
    assert not found.complete
    assert not was_stopped(found)
    assert found.problems[0].startswith(GONE)
    assert "no more of them" in found.problems[0]
    assert found.asked == 5


def test_an_engine_that_fails_to_start_now_and_then_is_started_again(suite: Suite) -> None:
    starts: list[int] = []

    def make() -> object:
        starts.append(1)
        if len(starts) in (2, 3, 5):
            raise OSError("busy")
        return Crashes()

    found = conform(made(make), suite, about=PART)
    assert found.complete
    assert verdicts(found)["start"] is Verdict.PASS


def test_an_engine_that_never_starts(suite: Suite) -> None:
    with pytest.raises(StartError):
        conform(connect("exec:./no-such-engine"), suite)
    with pytest.raises(StartError, match="does not say who it is"):
        conform(connect("exec:true"), suite)


def test_a_scenario_that_nobody_can_play(suite: Suite) -> None:
    first = suite.scenarios[0]
    (branch,) = first.branches
    nowhere = "red=99,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    begins = replace(first, given=nowhere)
    ends = replace(first, branches=(replace(branch, steps=(*branch.steps[:-1], replace(branch.steps[-1], then=nowhere))),))
    for broken, jobs in ((begins, 1), (ends, 2)):
        with pytest.raises(DocumentError, match="amarnepal/some/capture"):
            run(Plain, Suite((broken, *suite.scenarios[1:])), jobs=jobs)


# ---- sharing out -----------------------------------------------------------------------------------------------------


def test_shards_that_are_merged_are_the_whole(suite: Suite) -> None:
    """The reading shows only in one shard; a known failure lies in the other."""
    known = Known((Entry("scenario", "amarnepal/some/start", "why", date(2027, 1, 1), "known.yaml:1"),))
    today = date(2026, 12, 1)
    whole = run(InTurn, suite, known=known, today=today)
    shards = {f"{n}.jsonl": run(InTurn, suite, shard=(n, 2), known=known, today=today) for n in (1, 2)}
    assert [len(s.results) for s in shards.values()] == [3, 2]
    merged = merge(shards, known, today).run
    assert timeless(merged.results) == sorted(timeless(whole.results), key=lambda r: r.id)
    assert (merged.clauses, merged.readings, merged.problems) == (whole.clauses, whole.readings, whole.problems)
    assert verdicts(whole)["start"] is Verdict.UNEXPECTED_PASS
    assert merged.exit_code == whole.exit_code == 1


# ---- watched games ---------------------------------------------------------------------------------------------------


class NeverSet(Servant):
    def __init__(self) -> None:
        super().__init__(["amarnepal"], {"capture-pays": "twice"}, ("force", "legal"))


class OwnDice(Servant):
    def __init__(self) -> None:
        super().__init__(["amarnepal"], {}, ())


def test_an_engine_that_cannot_be_set_is_watched(suite: Suite) -> None:
    found = run(NeverSet, suite, games=2)
    assert verdicts(found) == {**dict.fromkeys(("capture", "row", "turn", "open"), Verdict.UNSUPPORTED), "start": Verdict.PASS}
    (watched,) = found.watched
    assert (watched.variant, watched.games, watched.faults) == ("amarnepal", 2, ())
    evidence = {c.clause: str(c.evidence) for c in found.clauses if c.standing is Standing.KEPT}
    assert evidence["AN-08"] == "scenarios"
    assert evidence["AN-14"] == "games"


def test_an_engine_that_rolls_its_own_dice_is_watched(suite: Suite) -> None:
    found = run(OwnDice, suite, games=1)
    assert set(verdicts(found).values()) == {Verdict.UNSUPPORTED}
    assert found.watched[0].games == 1
    assert run(OwnDice, suite, games=0).watched == ()


# ---- telling ---------------------------------------------------------------------------------------------------------


def test_progress_and_results_are_told_as_they_come(suite: Suite) -> None:
    told: list[tuple[int, int, int]] = []
    heard: list[object] = []

    class Listener:
        def header(self, run: Run) -> None:
            heard.append(run.asked)

        def result(self, result: Result) -> None:
            heard.append(result.id.rpartition("/")[2])

    run(Crashes, suite, progress=lambda *counts: told.append(counts), listener=Listener())
    assert told == [(n, 5, 1) for n in range(1, 6)]
    assert heard == [5, *NAMES]


def test_an_interrupt_leaves_what_there_is(suite: Suite) -> None:
    def stop(done: int, total: int, failed: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    found = run(Plain, suite, progress=stop)
    assert verdicts(found) == {"capture": Verdict.PASS, "row": Verdict.READING}
    assert not found.complete
    assert was_stopped(found)
    assert found.exit_code == 2


def test_what_is_written_of_a_run(suite: Suite, tmp_path: Path) -> None:
    about = About(suite="mine", scope="some", command="ludo conform", problems=("a file is wrong",))
    found = run(Plain, suite, about=about, seed=7)
    assert (found.engine, found.name, found.suite, found.scope) == (f"py:{__name__}:Plain", "ludo-dsl", "mine", "some")
    assert (found.command, found.seed, found.shard, found.problems, found.exit_code) == ("ludo conform", 7, "", ("a file is wrong",), 1)
    assert found.started.startswith("20")
    assert found.seconds > 0
