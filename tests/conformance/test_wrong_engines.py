"""Engines that are wrong on purpose: the runner gives each exactly the verdict that it deserves."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.running.runner import About, conform
from ludo_dsl.conformance.running.settling import LEAK
from ludo_dsl.conformance.running.verdicts import Evidence, ReadingTaken, Result, Run, Standing, Verdict
from ludo_dsl.conformance.scenarios.playing import What
from ludo_dsl.conformance.scenarios.suite import Scenario, Suite, read_suite
from ludo_dsl.conformance.talking.asking import Endpoint, StartError
from ludo_dsl.conformance.talking.endpoints import Connector, Limits, connect
from ludo_dsl.conformance.talking.objects import ObjectEndpoint
from ludo_dsl.conformance.talking.servant import Servant
from tests.conformance.wrong import manners, pipe
from tests.conformance.wrong.books import BOOKS
from tests.conformance.wrong.moments import at_stake
from tests.conformance.wrong.rules import ENGINES, OTHERS

PART = About(scope="some", command="ludo conform")

HIT = "amarnepal/capture/single"  # AN-14 AN-11 AN-25; begins where the processes of pipe.py have their faults
REFUSE = "amarnepal/leaving/five-leaves-no-choice"  # AN-08 AN-09; a move is refused in it
HOME = "amarnepal/home/exact"  # AN-20 AN-12 AN-19
ROLLS = "amarnepal/leaving/one-to-five-do-not"  # AN-08 AN-07; rolls follow each other
START = "amarnepal/setup/two-start"  # AN-01 AN-02 AN-03 AN-04; begins with the opening
FIVE = (HIT, REFUSE, HOME, ROLLS, START)
CLAUSES = ("01", "02", "03", "04", "07", "08", "09", "11", "12", "14", "19", "20", "25")


@cache
def everything() -> Suite:
    return read_suite()


@cache
def whole() -> Suite:
    return everything().chosen(variants=("amarnepal",))


def some(*ids: str) -> Suite:
    """Scenarios of the project, in this order."""
    known = {s.id: s for s in everything()}
    return Suite(tuple(known[name] for name in ids))


def run(engine: str, suite: Suite, **more: Any) -> Run:
    return conform(connect(engine), suite, **({"about": PART} | more))


def mannered(engine: type, *ids: str, **more: Any) -> Run:
    return run(f"py:{engine.__module__}:{engine.__name__}", some(*(ids or FIVE)), **more)


def verdicts(found: Run) -> dict[str, Verdict]:
    return {r.id: r.verdict for r in found.results}


def all_pass(**others: Verdict) -> dict[str, Verdict]:
    """The verdicts of the five scenarios: passes, but for those that are named."""
    return dict.fromkeys(FIVE, Verdict.PASS) | {globals()[name]: verdict for name, verdict in others.items()}


def standing(found: Run, standing: Standing) -> set[str]:
    return {c.clause.removeprefix("AN-") for c in found.clauses if c.standing is standing}


def lies(found: Run) -> set[str]:
    return {c.name for c in found.capabilities if c.verified is False}


def expect(found: Run, wanted: Mapping[str, Verdict], code: int, *, broken: str = "", not_shown: str = "") -> None:
    """The verdict of each scenario, the standing of each clause, and the exit code of the run."""
    assert verdicts(found) == wanted
    assert standing(found, Standing.BROKEN) == set(broken.split())
    assert standing(found, Standing.NOT_SHOWN) == set(not_shown.split())
    assert found.exit_code == code
    assert found.complete


def one(found: Run, scenario: str) -> Result:
    (result,) = [r for r in found.results if r.id == scenario]
    return result


# ---- engines that break one rule -------------------------------------------------------------------------------------


def test_the_sample_that_they_are_made_of_breaks_none() -> None:
    found = run("py:tests.conformance.wrong.manners:Mannered", whole(), about=About())
    assert found.exit_code == 0
    assert {c.standing for c in found.clauses} == {Standing.KEPT}
    assert len(ENGINES) >= 25


SEEMING = ("farthest_first",)
"""Engines that seem to take another reading: whoever has most to go may be the one whose nearest token is nearest."""


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_breaks_one_rule(name: str) -> None:
    """What it breaks is broken; what fails is at stake; and what is at stake in no scenario is kept."""
    engine = ENGINES[name]
    found = run(f"py:tests.conformance.wrong.rules:{name}", whole(), about=About())
    bad = {r.id for r in found.results if r.verdict in (Verdict.FAIL, Verdict.INCONSISTENT)}
    stake = [s for s in whole() if at_stake(s, engine.where)]
    broken = {c.clause for c in found.clauses if c.standing is Standing.BROKEN}
    assert found.exit_code == 1
    assert engine.breaks <= broken
    assert bad <= {s.id for s in stake}
    assert broken <= {clause for s in stake for clause in s.clauses}
    assert {c.standing for c in found.clauses} <= {Standing.BROKEN, Standing.KEPT}
    assert lies(found) == set()
    others = {Verdict.OTHER_READING} if name in SEEMING else set()
    assert {r.verdict for r in found.results} <= {Verdict.PASS, Verdict.READING, Verdict.FAIL, Verdict.INCONSISTENT, *others}


def test_no_situation_arises_everywhere() -> None:
    """Each leaves a clause that is not at stake, so that the test above may find one wrongly blamed."""
    for name, engine in ENGINES.items():
        cited = {clause for s in whole() if at_stake(s, engine.where) for clause in s.clauses}
        assert engine.breaks <= cited, name
        assert {clause for s in whole() for clause in s.clauses} - cited, name


@pytest.mark.parametrize("name", OTHERS)
def test_an_engine_that_reads_a_clause_otherwise_breaks_nothing(name: str) -> None:
    other = OTHERS[name]
    found = run(f"py:tests.conformance.wrong.rules:{name}", whole(), about=About())
    taken = {r.question: r.value for r in found.readings}
    assert taken == {"sixes": "in-a-row", "capture-pays": "once", "yard-distance": "start-and-one", "distance": "sum"} | {
        other.question: other.value
    }
    assert all(r.consistent for r in found.readings)
    assert {r.verdict for r in found.results} == {Verdict.PASS, Verdict.READING, Verdict.OTHER_READING}
    assert {c.standing for c in found.clauses} == {Standing.KEPT}
    assert found.exit_code == 0


class Read(Connector):
    """Our interpreter, which takes some readings and does not say so."""

    readings: dict[str, str]

    def open(self) -> Endpoint:
        return ObjectEndpoint(lambda: Servant(["amarnepal"], self.readings, ("set", "force", "legal")))


@pytest.mark.parametrize("sixes", ["in-a-row", "in-turn"])
def test_readings_of_several_questions_break_nothing_together(sixes: str) -> None:
    for pays, (yard, distance) in product(("once", "twice"), (("start-and-one", "sum"), ("start", "nearest"))):
        connector = Read("py:read")
        wanted = {"sixes": sixes, "capture-pays": pays, "yard-distance": yard, "distance": distance}
        object.__setattr__(connector, "readings", wanted)
        found = conform(connector, whole().chosen(areas=("bonus", "capture", "claims", "ranking")), about=PART)
        assert {r.question: r.value for r in found.readings} == wanted
        assert standing(found, Standing.BROKEN) == set()
        assert {r.verdict for r in found.results} <= {Verdict.PASS, Verdict.READING, Verdict.OTHER_READING}


@pytest.mark.parametrize("name", BOOKS)
def test_a_rule_book_with_one_statement_changed(name: str) -> None:
    book = BOOKS[name]
    suite = everything().chosen(variants=(book.variant,), areas=book.areas)
    found = run(f"py:tests.conformance.wrong.books:{name}", suite)
    stands = {c.clause: c.standing for c in found.clauses}
    assert found.exit_code == 1
    assert {stands[clause] for clause in book.breaks} == {Standing.BROKEN}
    assert {clause: stands[clause] for clause in book.spares} == dict.fromkeys(book.spares, Standing.KEPT)
    assert not {r.verdict for r in found.results} & {Verdict.CRASH, Verdict.PROTOCOL_ERROR, Verdict.UNSUPPORTED}


# ---- processes: crashes, hangs, rubbish ------------------------------------------------------------------------------

QUICK = Limits(message=1.5)
PATIENT = Limits(message=10.0)


def process(fault: str) -> str:
    return f"exec:{sys.executable} {Path(pipe.__file__)} {fault}"


FAULTS: dict[str, tuple[Verdict, str]] = {
    "exits": (Verdict.CRASH, "it ended with exit code 3"),
    "exits_well": (Verdict.CRASH, "it ended with exit code 0"),
    "killed": (Verdict.CRASH, "it was ended by SIGSEGV"),
    "shuts": (Verdict.CRASH, "it closed its output and went on running"),
    "hangs": (Verdict.TIMEOUT, "no answer to `set` within 1.5 s"),
    "deaf": (Verdict.TIMEOUT, "no answer to `set` within 1.5 s"),
    "half_and_wait": (Verdict.TIMEOUT, "it has written half a line"),
    "half_and_end": (Verdict.CRASH, "in the middle of a line"),
    "no_json": (Verdict.PROTOCOL_ERROR, "no JSON: Segmentation fault"),
    "single_quotes": (Verdict.PROTOCOL_ERROR, "no JSON"),
    "a_list": (Verdict.PROTOCOL_ERROR, "no object"),
    "a_number": (Verdict.PROTOCOL_ERROR, "no object: 7"),
    "empty_line": (Verdict.PROTOCOL_ERROR, "an empty line"),
    "two_lines": (Verdict.PROTOCOL_ERROR, "an answer that nobody asked for"),
    "chatter": (Verdict.PROTOCOL_ERROR, "no JSON: thinking"),
    "binary": (Verdict.PROTOCOL_ERROR, "no text in ASCII or UTF-8"),
    "huge": (Verdict.PROTOCOL_ERROR, "longer than 1,000,000 bytes"),
    "endless": (Verdict.PROTOCOL_ERROR, "longer than 1,000,000 bytes"),
    "nested": (Verdict.PROTOCOL_ERROR, "no JSON"),
    "other_op": (Verdict.PROTOCOL_ERROR, "`set` is answered with the op `state`"),
    "no_op": (Verdict.PROTOCOL_ERROR, "without `op`"),
    "other_id": (Verdict.PROTOCOL_ERROR, "is answered with the id"),
    "no_position": (Verdict.PROTOCOL_ERROR, "position"),
    "position_no_text": (Verdict.PROTOCOL_ERROR, "position"),
    "refuses_without_reason": (Verdict.PROTOCOL_ERROR, "reason"),
}
"""What becomes of the scenario in which a fault shows, and what is said of it."""

FORGIVEN = ("more_keys", "no_id", "noise_on_stderr", "spaces", "slowly")


def test_every_fault_has_its_verdict() -> None:
    assert {*FAULTS, *FORGIVEN} == pipe.AT_THE_POSITION.keys()
    assert next(s for s in whole() if s.id == HIT).given == pipe.HIT


@pytest.mark.parametrize("fault", FAULTS)
def test_a_process_with_a_fault(fault: str) -> None:
    """It spoils its scenario, and no other; its clauses are not shown, and the run is incomplete."""
    verdict, note = FAULTS[fault]
    found = run(process(fault), some(HIT, REFUSE, START), limits=QUICK if verdict is Verdict.TIMEOUT else PATIENT)
    expect(found, {HIT: verdict, REFUSE: Verdict.PASS, START: Verdict.PASS}, 2, not_shown="11 14 25")
    assert note in found.results[0].note
    assert lies(found) == set()


@pytest.mark.parametrize("fault", FORGIVEN)
def test_a_process_without_fault(fault: str) -> None:
    expect(run(process(fault), some(HIT, REFUSE), limits=PATIENT), {HIT: Verdict.PASS, REFUSE: Verdict.PASS}, 0)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("ends_at_once", "crash: it ended with exit code 1"),
        ("hangs_at_once", "timeout: no answer to `hello` within 1 s"),
        ("banner", "protocol error: the answer is no JSON: My engine"),
        ("version_two", "speaks version 2 of the protocol, not 1"),
        ("no_name", "protocol error: .*name"),
        ("hello_refused", "`hello` is answered with `error`: no licence"),
    ],
)
def test_a_process_that_does_not_say_who_it_is(fault: str, says: str) -> None:
    with pytest.raises(StartError, match=f"does not say who it is: .*{says}"):
        run(process(fault), some(START), limits=Limits(hello=1.0 if fault == "hangs_at_once" else 10.0))


# ---- crashes and lateness of objects ---------------------------------------------------------------------------------


def test_crashes_now_and_then_spoil_as_many_scenarios() -> None:
    """Those that it lives through pass: it keeps all rules."""
    engine = manners.CrashesNowAndThen
    before = engine.crashes
    found = mannered(engine, *(s.id for s in whole()), limits=PATIENT)
    crashed = [r for r in found.results if r.verdict is Verdict.CRASH]
    refuted = [c for c in found.capabilities if c.verified is False]
    assert len(crashed) > 5
    assert 0 <= engine.crashes - before - len(crashed) - len(refuted) <= 3  # One may be while it says hello again, or goodbye.
    assert all("bad luck" in r.note for r in crashed)
    assert {r.verdict for r in found.results} <= {Verdict.PASS, Verdict.READING, Verdict.CRASH}
    spoilt = {clause for r in crashed for clause in r.clauses}
    assert {c.clause for c in found.clauses if c.standing is Standing.KEPT} == {c.clause for c in found.clauses} - spoilt
    assert (standing(found, Standing.BROKEN), found.exit_code) == (set(), 2)


def test_answers_that_come_one_late() -> None:
    found = mannered(manners.Late)
    expect(found, all_pass(HIT=Verdict.PROTOCOL_ERROR), 2, not_shown="11 14 25")
    assert "`set` is answered with the op `new`" in one(found, HIT).note


def test_rolls_that_come_one_late() -> None:
    found = mannered(manners.LateRolls)
    expect(found, all_pass(ROLLS=Verdict.PROTOCOL_ERROR), 2, not_shown="07 08")
    assert one(found, ROLLS).note == "it was to roll 2, and tells of a 1"


# ---- lies ------------------------------------------------------------------------------------------------------------


def test_an_engine_that_sets_nothing_is_held_to_games() -> None:
    found = mannered(manners.SetsNothing, games=2)
    assert verdicts(found) == dict.fromkeys(FIVE, Verdict.UNSUPPORTED) | {START: Verdict.PASS}
    assert lies(found) == {"set"}
    assert (standing(found, Standing.BROKEN), found.exit_code) == (set(), 2)
    evidence = {c.clause: c.evidence for c in found.clauses if c.standing is Standing.KEPT}
    assert (evidence["AN-03"], evidence["AN-08"]) == (Evidence.SCENARIOS, Evidence.GAMES)
    assert [(w.games, w.faults) for w in found.watched] == [(2, ())]


@pytest.mark.parametrize("engine", [manners.RollsItsOwn, manners.RollsTheOtherSide])
def test_an_engine_that_takes_no_dice(engine: type) -> None:
    found = mannered(engine, games=0)
    not_shown = " ".join(c for c in CLAUSES if c not in ("01", "02", "03", "04"))
    expect(found, dict.fromkeys(FIVE, Verdict.UNSUPPORTED) | {START: Verdict.PASS}, 2, not_shown=not_shown)
    assert lies(found) == {"force"}


@pytest.mark.parametrize("engine", [manners.ListsNothing, manners.ListsNumbers])
def test_an_engine_that_does_not_list_the_moves(engine: type) -> None:
    """Its moves are tried one by one, and are right: nothing is broken, but the claim."""
    found = mannered(engine)
    expect(found, all_pass(), 2)
    assert lies(found) == {"legal"}


@pytest.mark.parametrize("engine", [manners.TellsNothing, manners.TellsStories])
def test_an_engine_that_does_not_tell_of_its_games(engine: type) -> None:
    found = mannered(engine)
    expect(found, all_pass(), 2)
    assert lies(found) == {"log"}


RUN_BROKEN, SIX_ONCE, THIRD_SIX = "amarnepal/bonus/run-broken", "amarnepal/capture/six-once", "amarnepal/bonus/third-six-no-capture"


def test_an_engine_that_refuses_readings_is_asked_for_none() -> None:
    found = mannered(manners.RefusesReadings, RUN_BROKEN, SIX_ONCE, HIT)
    expect(found, {RUN_BROKEN: Verdict.READING, SIX_ONCE: Verdict.READING, HIT: Verdict.PASS}, 2)
    assert lies(found) == {"readings"}


def test_an_engine_that_ignores_readings_plays_otherwise_than_it_was_told() -> None:
    """That it took no notice shows in games only: it fails where it was told to play the other reading."""
    found = mannered(manners.IgnoresReadings, RUN_BROKEN, SIX_ONCE, HIT)
    expect(found, {RUN_BROKEN: Verdict.FAIL, SIX_ONCE: Verdict.FAIL, HIT: Verdict.PASS}, 1, broken="10 11 13 14")
    assert [b.miss is None for b in one(found, RUN_BROKEN).branches] == [True, False]


def test_a_claim_that_nobody_knows_is_shown_and_does_no_harm() -> None:
    found = mannered(manners.ReadsMinds)
    expect(found, all_pass(), 0)
    assert [(c.name, c.verified) for c in found.capabilities if c.name == "telepathy"] == [("telepathy", None)]


INTO_COLUMN, BLOCK, QDAN_HOME = "qdan/home/turn-into-column", "qdan/blocking/no-landing", "qdan/home/exact"


def test_a_variant_that_is_played_as_another() -> None:
    """The two games have the home column in common; qdan has blocks, and no roll for a piece that gets home."""
    found = mannered(manners.PlaysItForQdan, HIT, INTO_COLUMN, BLOCK, QDAN_HOME)
    assert verdicts(found) == {HIT: Verdict.PASS, INTO_COLUMN: Verdict.PASS, BLOCK: Verdict.FAIL, QDAN_HOME: Verdict.FAIL}
    assert standing(found, Standing.BROKEN) == {"QD-11", "QD-13", "QD-35"}
    assert standing(found, Standing.KEPT) == {"QD-12", "11", "14", "25"}
    assert found.exit_code == 1


def test_a_variant_that_is_not_offered() -> None:
    found = mannered(manners.OffersNoQdan, HIT, INTO_COLUMN)
    expect(found, {HIT: Verdict.PASS, INTO_COLUMN: Verdict.UNSUPPORTED}, 2, not_shown="QD-12")


OVER, GOES_ON, RANKING = "amarnepal/ending/fourth-home", "amarnepal/ending/third-home-goes-on", "amarnepal/ranking/one-step-decides"


def test_an_engine_that_tells_no_places_does_not_keep_the_clause_of_the_places() -> None:
    found = mannered(manners.NoPlaces, OVER, GOES_ON, RANKING)
    wanted = {OVER: Verdict.PROTOCOL_ERROR, GOES_ON: Verdict.PASS, RANKING: Verdict.PROTOCOL_ERROR}
    expect(found, wanted, 2, not_shown="22 23")
    assert "`places` is missing" in one(found, RANKING).note


def test_an_engine_whose_games_go_on_tells_no_places_either() -> None:
    found = run("py:tests.conformance.wrong.rules:goes_on", some(GOES_ON, RANKING))
    expect(found, {GOES_ON: Verdict.PASS, RANKING: Verdict.FAIL}, 1, broken="23")
    miss = one(found, RANKING).miss
    assert miss is not None
    assert miss.what is What.PLACES


# ---- refusals --------------------------------------------------------------------------------------------------------

NO_ROLL = "amarnepal/capture/roll-off"


def test_a_refusal_that_leaves_a_trace() -> None:
    found = mannered(manners.MovesAllTheSame)
    expect(found, all_pass(REFUSE=Verdict.FAIL), 1, broken="08 09")
    miss = one(found, REFUSE).miss
    assert miss is not None
    assert (miss.what, miss.doing) == (What.POSITION, "move Y>0 was refused")


def test_an_error_where_the_rules_forbid_is_a_fault() -> None:
    found = mannered(manners.ErrorForIllegal)
    expect(found, all_pass(REFUSE=Verdict.CRASH), 2, not_shown="08 09")
    assert one(found, REFUSE).note == "it answers `error`: move: because"


def test_unsupported_where_the_rules_forbid_shows_nothing() -> None:
    """It does the clause no harm that another scenario shows."""
    expect(mannered(manners.UnsupportedForIllegal), all_pass(REFUSE=Verdict.UNSUPPORTED), 2, not_shown="09")


@pytest.mark.parametrize(
    ("engine", "verdict", "code", "not_shown"),
    [
        (manners.NoCaptureRollOff, Verdict.UNSUPPORTED, 0, ""),
        (manners.IllegalForUnsupported, Verdict.PROTOCOL_ERROR, 2, "11 14 25"),
        (manners.ErrorForUnsupported, Verdict.CRASH, 2, "11 14 25"),
    ],
)
def test_only_unsupported_says_that_something_is_not_offered(engine: type, verdict: Verdict, code: int, not_shown: str) -> None:
    expect(mannered(engine, HIT, NO_ROLL), {HIT: Verdict.PASS, NO_ROLL: verdict}, code, not_shown=not_shown)


# ---- leaks -----------------------------------------------------------------------------------------------------------

CAPTURED = "amarnepal/options/first-on-captured"  # ends after one capture
ROUND = "amarnepal/options/first-on-goes-round"  # begins without one
SIX = "amarnepal/leaving/six"  # ends after a six
POOL = "amarnepal/home/another-must-move"  # ends with a five in the pool

LEAKS = [
    (manners.KeepsCaptures, CAPTURED, ROUND, What.POSITION, "21"),
    (manners.KeepsCapturesInSecret, CAPTURED, ROUND, What.LEGAL, "21"),
    (manners.KeepsSixes, SIX, HOME, What.POSITION, "12 19 20"),
    (manners.KeepsPool, POOL, HOME, What.POSITION, "12 19 20"),
    (manners.KeepsTurn, HIT, START, What.POSITION, "01 02 03 04"),
]


@pytest.mark.parametrize(("engine", "first", "then", "what", "broken"), LEAKS)
def test_what_is_left_of_the_scenario_before(engine: type, first: str, then: str, what: What, broken: str) -> None:
    """Each passes alone; one after the other, the second fails, and passes on an engine freshly started."""
    for alone in (first, then):
        expect(mannered(engine, alone), {alone: Verdict.PASS}, 0)
    found = mannered(engine, first, then)
    good = set(broken.split())
    assert verdicts(found) == {first: Verdict.PASS, then: Verdict.INCONSISTENT}
    assert good <= standing(found, Standing.BROKEN)
    assert one(found, then).note == LEAK
    miss = one(found, then).miss
    assert miss is not None
    assert miss.what is what
    assert found.exit_code == 1
    expect(mannered(engine, then), {then: Verdict.PASS}, 0)


def test_an_opening_that_hangs_on_the_game_before_shows_when_a_position_is_set() -> None:
    """It is told apart from the first opening, though the position that is set afterwards is right."""
    found = mannered(manners.KeepsTurn, REFUSE, HIT)
    expect(found, {REFUSE: Verdict.PASS, HIT: Verdict.INCONSISTENT}, 1, broken="11 14 25")
    assert "something of an earlier game" in one(found, HIT).note


# ---- two minds -------------------------------------------------------------------------------------------------------

BETWEEN, BOTH, SEVEN, FRESH, BEHIND = (
    "amarnepal/bonus/home-between-sixes",
    "amarnepal/capture/twice-needs-both",
    "amarnepal/claims/seven-behind",
    "amarnepal/claims/fresh-piece-hits",
    "amarnepal/claims/six-behind",
)


def test_sixes_that_are_counted_in_two_ways() -> None:
    """Three tokens are on their way in the first, one in the last; two in the others, where sixes count in a row."""
    found = mannered(manners.TwoMindsOfSixes, RUN_BROKEN, BETWEEN, BOTH, SEVEN, FRESH)
    wanted = {
        RUN_BROKEN: Verdict.INCONSISTENT,
        BETWEEN: Verdict.READING,
        BOTH: Verdict.READING,
        SEVEN: Verdict.READING,
        FRESH: Verdict.FAIL,  # It shows one reading only, and that is the one which the engine takes elsewhere.
    }
    expect(found, wanted, 1, broken="08 10 11 13 14")
    assert found.readings == (ReadingTaken("amarnepal", "sixes", "in-a-row", 3, (RUN_BROKEN,)),)
    assert "elsewhere the engine takes `sixes=in-a-row`" in one(found, RUN_BROKEN).note


def test_captures_that_are_paid_in_two_ways() -> None:
    """One scenario shows each. The last one fails, though it names `once`: that speaks for the other value."""
    found = mannered(manners.TwoMindsOfCaptures, SIX_ONCE, THIRD_SIX, BEHIND)
    wanted = {SIX_ONCE: Verdict.READING, THIRD_SIX: Verdict.INCONSISTENT, BEHIND: Verdict.OTHER_READING}
    expect(found, wanted, 1, broken="13 14")
    assert found.readings == (ReadingTaken("amarnepal", "capture-pays", "twice", 1, (THIRD_SIX,)),)
    assert not found.readings[0].consistent


def test_what_is_expected_of_the_scenarios_here() -> None:
    """The clauses that the tests above rest on are those that the scenarios cite."""

    def cited(ids: Collection[str]) -> set[str]:
        return {c.removeprefix("AN-") for s in scenarios() if s.id in ids for c in s.clauses}

    def scenarios() -> tuple[Scenario, ...]:
        return whole().scenarios

    assert cited([HIT]) == {"11", "14", "25"}
    assert cited([REFUSE]) == {"08", "09"}
    assert cited([HOME]) == {"12", "19", "20"}
    assert cited([START]) == {"01", "02", "03", "04"}
    assert cited(FIVE) - {"30"} == set(CLAUSES)  # AN-30 is a claim, which scenarios do not decide.
