"""Random games on engines that keep the rules, and on engines that break one each."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ludo_dsl.conformance.fuzzing import fuzzer as fuzzing
from ludo_dsl.conformance.fuzzing import shrinking as fuzzing_shrinking
from ludo_dsl.conformance.fuzzing.found import Finding
from ludo_dsl.conformance.fuzzing.fuzzer import CannotFuzzError, Fuzzed, fuzz
from ludo_dsl.conformance.fuzzing.steps import Bench
from ludo_dsl.conformance.running.started import Setup, Started
from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.scenarios.playing import What, play
from ludo_dsl.conformance.scenarios.subjects import Direct, book_of, reference_for, table_of
from ludo_dsl.conformance.scenarios.suite import Scenario, scenario_from
from ludo_dsl.conformance.talking.endpoints import Limits, StartError, connect
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.documents import validator
from ludo_dsl.play.game import RuleBook, load
from ludo_dsl.rules.table import TableError

PLAIN = ("set", "force", "legal")


@cache
def without(variant: str, rule: str) -> RuleBook:
    """A rule book that has lost the statements of one rule."""
    book = load(variant)
    rest = tuple(s for s in book.book.statements if s.id.rule != rule)
    assert len(rest) < len(book.book.statements)
    return RuleBook(replace(book.checked, book=replace(book.book, statements=rest)))


class Right(Servant):
    def __init__(self, books: Iterable[str | RuleBook] = ("amarnepal",), readings: Any = None, capabilities: Iterable[str] = PLAIN) -> None:
        super().__init__(books, readings, capabilities)


class Told(Right):
    def __init__(self) -> None:
        super().__init__(capabilities=(*PLAIN, "readings"))


class Lists(Right):
    """Does not list the legal moves."""

    def __init__(self) -> None:
        super().__init__(capabilities=("set", "force"))


class OpeningOnly(Right):
    def __init__(self) -> None:
        super().__init__(capabilities=("force", "legal"))


class OwnDice(Right):
    def __init__(self) -> None:
        super().__init__(capabilities=("set", "legal"))


class NoCapture(Right):
    def __init__(self) -> None:
        super().__init__([without("amarnepal", "capture")])


class NoCaptureFromTheOpening(Right):
    def __init__(self) -> None:
        super().__init__([without("amarnepal", "capture")], capabilities=("force", "legal"))


class NoHomeBonus(Right):
    def __init__(self) -> None:
        super().__init__([without("amarnepal", "home-again")])


class NoPlaces(Right):
    def __init__(self) -> None:
        super().__init__([without("amarnepal", "places")])


class KeepsPlacesToItself(Right):
    """Does not tell the places when the game is over."""

    def answer(self, message: Any) -> dict[str, object]:
        return {key: value for key, value in super().answer(message).items() if key != "places"}


class OtherReadings(Right):
    def __init__(self) -> None:
        super().__init__(readings={"sixes": "in-turn", "capture-pays": "twice", "distance": "nearest"})


class Wavering(Right):
    """Takes one reading with two players, and another with more."""

    def __init__(self) -> None:
        super().__init__()
        self._once, self._twice = Right(readings={"capture-pays": "once"}), Right(readings={"capture-pays": "twice"})
        self._answering = self._once

    def answer(self, message: Any) -> dict[str, object]:
        if message["op"] == "new":
            self._answering = self._once if message["seats"] == 2 else self._twice
        return self._answering.answer(message)


class NotAllOptions(Right):
    def answer(self, message: Any) -> dict[str, object]:
        if message["op"] == "new" and ("capture-roll=off" in message["options"] or message["seats"] == 3):
            return {"op": "unsupported", "id": message["id"], "reason": "not offered"}
        return super().answer(message)


class Crashes(Right):
    """Crashes at a capture."""

    def answer(self, message: Any) -> dict[str, object]:
        answer = super().answer(message)
        if "capture" in str(answer.get("events", "")):
            raise ValueError("where is it?")
        return answer


class Hangs(Right):
    """Takes too long over a capture."""

    def answer(self, message: Any) -> dict[str, object]:
        answer = super().answer(message)
        if "capture" in str(answer.get("events", "")):
            time.sleep(5)
        return answer


class Passes(Right):
    """Lets a player pass who could move: nothing happens then, but it is not refused."""

    def answer(self, message: Any) -> dict[str, object]:
        answer = super().answer(message)
        if message["op"] == "move" and message["move"] == "pass" and answer["op"] == "illegal":
            return {**super().answer({**message, "op": "state"}), "op": "move"}
        return answer


class Suffers(Right):
    """A move that is refused costs the turn: the game is begun anew."""

    def __init__(self) -> None:
        super().__init__()
        self._said: Any = None

    def answer(self, message: Any) -> dict[str, object]:
        self._said = message if message["op"] == "new" else self._said
        answer = super().answer(message)
        if message["op"] == "move" and answer["op"] == "illegal":
            super().answer(self._said)
        return answer


class Tires(Right):
    """Rolls otherwise from its tenth game on, or, within one game, after five hundred answers."""

    most_games, most_answers = 9, 10**6

    def __init__(self) -> None:
        super().__init__()
        self._games = self._count = 0

    def answer(self, message: Any) -> dict[str, object]:
        self._games += message["op"] == "new"
        self._count += 1
        answer = super().answer(message)
        tired = self._games > self.most_games or self._count > self.most_answers
        if tired and message["op"] == "roll" and "position" in answer:
            return {**answer, "position": f"{answer['position']} score.red=7"}
        return answer


class TiresWithinAGame(Tires):
    most_games, most_answers = 10**6, 500


class Silent:
    """No engine at all."""


def games(engine: type, number: int = 60, **more: Any) -> Fuzzed:
    connector = connect(f"py:{__name__}:{engine.__name__}")
    given: dict[str, Any] = {"seconds": None, "games": number, "seed": 3}
    return fuzz(connector, book_of("amarnepal"), **(given | more))


def found(engine: type, **more: Any) -> Finding:
    fuzzed = games(engine, **more)
    assert fuzzed.exit_code == 1
    assert fuzzed.finding is not None
    return fuzzed.finding


def require_told(engine: type, finding: Finding) -> Scenario:
    """The scenario keeps the schema, passes on the interpreter, and fails on the engine."""
    assert list(validator("scenarios").iter_errors([finding.scenario])) == []
    scenario = scenario_from(finding.scenario)
    reference = reference_for(table_of(scenario, scenario.branches[0]))
    assert play(scenario, scenario.branches[0], reference, Direct()) is None
    started = Started(Setup(connect(f"py:{__name__}:{engine.__name__}"), Limits(), frozenset(PLAIN)))
    assert Bench(started).fails(scenario, reference)
    return scenario


def out(position: str | None) -> int:
    """Pieces that are neither in the yard nor home."""
    assert position is not None
    fields = [word.partition("=") for word in position.split()]
    return sum(p not in ("Y", "H") for n, _, v in fields if n in ("red", "green", "yellow", "blue") for p in v.split(","))


# ---- engines that keep the rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", [Right, Told, Lists, OpeningOnly])
def test_an_engine_that_keeps_the_rules(engine: type) -> None:
    fuzzed = games(engine, 6 if engine is OpeningOnly else 20)
    assert fuzzed.finding is None
    assert fuzzed.exit_code == 0
    assert fuzzed.games == (6 if engine is OpeningOnly else 20)
    assert fuzzed.steps > 100
    assert (fuzzed.positions == 0) is (engine is OpeningOnly)
    assert fuzzed.told is (engine is Told)
    assert len(fuzzed.tables) > 1  # Options and numbers of players vary.


def test_what_is_given_does_not_vary() -> None:
    fuzzed = games(Right, 12, players=3, options={"one-leaves": "on"})
    (table,) = {(t.seating.players, dict(t.seating.options)["one-leaves"]) for t in fuzzed.tables}
    assert table == (3, "on")


def test_what_is_not_offered_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "PER_TABLE", 1)
    fuzzed = games(NotAllOptions, 30)
    assert fuzzed.finding is None
    assert dict(fuzzed.unsupported) == {"capture-roll=off": "not offered", "players=3": "not offered"}
    assert all(t.seating.players != 3 and ("capture-roll", "off") not in t.seating.options for t in fuzzed.tables)


# ---- engines that break a rule ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "what", "pieces", "steps", "clause"),
    [
        (NoCapture, What.POSITION, 2, 2, "AN-14"),  # One that captures, one that is captured; a roll and a move.
        (NoHomeBonus, What.POSITION, 1, 2, "AN-12"),
        (NoPlaces, What.PLACES, 1, 2, "AN-23"),  # The last piece comes home.
        (KeepsPlacesToItself, Verdict.PROTOCOL_ERROR, 1, 2, "AN-22"),
        (Passes, What.ALLOWED, 0, 2, "AN-08"),  # A six, which could bring one out, and `pass`.
        (Crashes, Verdict.CRASH, 2, 2, "AN-14"),
    ],
)
def test_a_fault_is_found_and_shrunk(engine: type, what: What | Verdict, pieces: int, steps: int, clause: str) -> None:
    finding = found(engine)
    assert finding.difference.what is what
    assert finding.note == ""
    scenario = require_told(engine, finding)
    assert len(scenario.branches[0].steps) == steps
    assert out(scenario.given) <= pieces + (engine is Passes)
    if engine is not Passes:
        assert out(scenario.given) == pieces
        assert clause in scenario.clauses
    assert scenario.options == ()


def test_harm_done_by_a_refused_move() -> None:
    finding = found(Suffers)
    scenario = require_told(Suffers, finding)
    assert scenario.branches[0].steps[-1].refuse is not None


def test_an_engine_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing_shrinking, "MOST_WAITS", 2)
    finding = found(Hangs, limits=Limits(message=0.7))
    assert finding.difference.what is Verdict.TIMEOUT
    assert "within 0.7 s" in finding.difference.found


def test_an_engine_that_begins_with_the_opening_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing_shrinking, "MOST_TRIALS", 300)
    finding = found(NoCaptureFromTheOpening, number=10)
    scenario = scenario_from(finding.scenario)
    assert scenario.given is None
    steps = scenario.branches[0].steps
    # At the least: two pieces come out with a six each, and one walks up to the other.
    assert 7 <= len(steps) < 120
    assert "AN-14" in scenario.clauses
    reference = reference_for(table_of(scenario, scenario.branches[0]))
    assert play(scenario, scenario.branches[0], reference, Direct()) is None


def test_what_does_not_come_again_is_said_to_be_so() -> None:
    finding = found(Tires)
    assert finding.game == 10
    assert "does not come again" in finding.note


def test_what_hangs_on_a_long_game_is_not_shrunk() -> None:
    finding = found(TiresWithinAGame, number=40)
    assert "hangs on what was played before" in finding.note or "does not come again" in finding.note


# ---- seeds -----------------------------------------------------------------------------------------------------------


def test_the_same_seed_finds_the_same() -> None:
    one, other = games(NoHomeBonus), games(NoHomeBonus)
    assert replace(one, seconds=0) == replace(other, seconds=0)
    assert one.finding is not None
    again = games(NoHomeBonus, one.finding.game)
    assert again.finding is not None
    assert again.finding.scenario == one.finding.scenario
    other_seed = games(NoHomeBonus, seed=4).finding
    assert other_seed is not None
    assert other_seed.id == f"amarnepal/fuzz/seed-4-game-{other_seed.game}"


def test_time_only_cuts() -> None:
    fuzzed = games(Right, None, seconds=0.001)  # type: ignore[arg-type]
    assert fuzzed.games == 1
    assert fuzzed.complete


# ---- readings --------------------------------------------------------------------------------------------------------


def test_readings_are_inferred() -> None:
    fuzzed = games(OtherReadings, 60, players=3)
    assert fuzzed.finding is None
    taken = {t.question: t for t in fuzzed.readings}
    for question, value in (("sixes", "in-turn"), ("capture-pays", "twice")):
        assert (taken[question].value, taken[question].how, taken[question].others) == (value, "shown", ())
    # Few games end so that this decides the places; where none did, it is left open.
    assert "nearest" in (taken["distance"].value, *taken["distance"].others)


def test_readings_that_are_given_are_held_to() -> None:
    fuzzed = games(OtherReadings, 80, readings={"capture-pays": "once"})
    assert fuzzed.finding is not None
    scenario = require_told(OtherReadings, fuzzed.finding)
    assert dict(scenario.branches[0].readings) == {"capture-pays": ("once",)}
    assert {t.question: t.how for t in fuzzed.readings}["capture-pays"] == "given"


def test_an_engine_that_reads_now_so_and_now_otherwise() -> None:
    fuzzed = games(Wavering, 120, options={"capture-roll": "on"})
    assert fuzzed.finding is not None
    assert "`capture-pays=" in fuzzed.inconsistent


# ---- what cannot be done ---------------------------------------------------------------------------------------------


def test_an_engine_that_rolls_its_own_dice() -> None:
    with pytest.raises(CannotFuzzError, match=r"rolls its own dice.*`ludo conform py:.* --games 100` watches"):
        games(OwnDice)


def test_an_engine_of_other_variants() -> None:
    with pytest.raises(CannotFuzzError, match="does not say that it plays `qdan`: it plays amarnepal"):
        fuzz(connect(f"py:{__name__}:Right"), book_of("qdan"), games=1)


def test_a_table_that_the_engine_does_not_offer() -> None:
    with pytest.raises(CannotFuzzError, match="at no table"):
        games(NotAllOptions, players=3)


def test_one_table_alone_that_the_engine_does_not_offer() -> None:
    options = {"capture-roll": "off", "capture-first": "on", "one-leaves": "on"}
    with pytest.raises(CannotFuzzError, match="at no table that may be drawn: not offered"):
        games(NotAllOptions, players=2, options=options)


def test_a_table_that_the_rules_do_not_offer() -> None:
    with pytest.raises(TableError, match="2 to 4 players, not 9"):
        games(Right, players=9)


def test_no_engine() -> None:
    with pytest.raises(StartError, match="no method `answer`"):
        games(Silent)


def test_stopped() -> None:
    def third(games: int, steps: int, doing: str) -> None:
        if games == 3:
            raise KeyboardInterrupt

    fuzzed = games(Right, progress=third)
    assert not fuzzed.complete
    assert fuzzed.exit_code == 130
    assert fuzzed.games == 3


def test_stopped_while_it_shrinks() -> None:
    def shrinking(games: int, steps: int, doing: str) -> None:
        if doing == "shrinking" and tried.append(doing) is None and len(tried) > 3:  # type: ignore[func-returns-value]
            raise KeyboardInterrupt

    tried: list[str] = []
    fuzzed = games(NoCapture, progress=shrinking)
    assert fuzzed.exit_code == 130
    assert fuzzed.finding is not None
    assert fuzzed.finding.note == "it was not shrunk to the end"


# ---- other variants --------------------------------------------------------------------------------------------------


class All(Servant):
    def __init__(self) -> None:
        super().__init__(None, None, PLAIN)


@pytest.mark.parametrize("variant", ["ludo-cities", "parchis", "pachisi", "qdan", "mensch", "card-kings"])
def test_the_interpreter_keeps_every_rule_book(variant: str) -> None:
    fuzzed = fuzz(connect(f"py:{__name__}:All"), book_of(variant), seconds=None, games=6, seed=1)
    assert fuzzed.finding is None
