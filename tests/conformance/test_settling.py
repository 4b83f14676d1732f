"""What follows from what a run saw. Every expectation is worked out from the settling rules, with results made by hand.

`sixes` of amarnepal is `in-a-row` (the default) or `in-turn`; `capture-pays` is `once` (the default) or `twice`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.running.known import Entry, Known
from ludo_dsl.conformance.running.settling import LEAK, fault_clauses, settle
from ludo_dsl.conformance.running.verdicts import (
    BranchPlayed,
    Capability,
    ClauseResult,
    Evidence,
    ReadingTaken,
    Result,
    Run,
    Standing,
    Verdict,
    Watched,
)
from tests.conformance.runs import CAPTURE, result
from tests.conformance.runs import run as some_run

TODAY = date(2027, 1, 15)
ROW, TURN = {"sixes": "in-a-row"}, {"sixes": "in-turn"}


def branch(readings: dict[str, str], passes: bool) -> BranchPlayed:
    return BranchPlayed(tuple((name, tuple(v.split("|"))) for name, v in sorted(readings.items())), None if passes else CAPTURE)


def rests(name: str, readings: dict[str, str], passes: bool, **more: Any) -> Result:
    """A scenario that rests on readings, and passes or not."""
    return result(name, Verdict.PASS if passes else Verdict.FAIL, branches=(branch(readings, passes),), **more)


def fails(name: str, **more: Any) -> Result:
    return result(name, Verdict.FAIL, CAPTURE, **more)


def part(*results: Result, **more: Any) -> Run:
    """A raw run of a part of the suite."""
    return some_run(*results, **({"scope": "area some"} | more))


def settled(*results: Result, known: Known | None = None, **more: Any) -> Run:
    return settle(part(*results, **more), known, TODAY)


def verdicts(run: Run) -> list[Verdict]:
    return [r.verdict for r in run.results]


# ---- verdicts and readings -------------------------------------------------------------------------------------------


def test_what_rests_on_no_reading_is_as_it_was_seen() -> None:
    trouble = [result(f"x/{v.name.lower()}", v, branches=()) for v in (Verdict.UNSUPPORTED, Verdict.CRASH, Verdict.TIMEOUT)]
    run = settled(result("a/a"), fails("a/b"), *trouble)
    assert verdicts(run) == [Verdict.PASS, Verdict.FAIL, Verdict.UNSUPPORTED, Verdict.CRASH, Verdict.TIMEOUT]
    assert run.readings == ()


def test_the_reading_that_passes_is_taken_and_the_other_is_not_held_against_the_engine() -> None:
    run = settled(rests("a/row", ROW, False), rests("a/turn", TURN, True))
    assert verdicts(run) == [Verdict.OTHER_READING, Verdict.READING]
    assert run.readings == (ReadingTaken("amarnepal", "sixes", "in-turn", 1),)


def test_a_scenario_that_names_the_value_taken_and_fails_is_a_failure() -> None:
    run = settled(rests("a/one", TURN, True), rests("a/two", TURN, False), rests("a/row", ROW, False))
    assert verdicts(run) == [Verdict.READING, Verdict.FAIL, Verdict.OTHER_READING]


def test_where_nothing_is_known_of_a_question_all_its_scenarios_fail() -> None:
    run = settled(rests("a/row", ROW, False), rests("a/turn", TURN, False))
    assert verdicts(run) == [Verdict.FAIL, Verdict.FAIL]
    assert run.readings == ()
    assert "`sixes`" in run.results[0].note


def test_the_value_with_most_support_is_taken_and_the_others_are_inconsistent() -> None:
    run = settled(rests("a/row", ROW, True), rests("a/turn", TURN, True), rests("a/turn-too", TURN, True))
    assert verdicts(run) == [Verdict.INCONSISTENT, Verdict.READING, Verdict.READING]
    assert run.readings == (ReadingTaken("amarnepal", "sixes", "in-turn", 2, ("amarnepal/a/row",)),)
    assert run.exit_code == 1


def test_of_two_values_with_as_much_support_the_default_is_taken() -> None:
    run = settled(rests("a/turn", TURN, True), rests("a/row", ROW, True))
    assert verdicts(run) == [Verdict.INCONSISTENT, Verdict.READING]
    assert run.readings[0].value == "in-a-row"


def test_of_two_values_with_as_much_support_the_one_that_nothing_speaks_against_is_taken() -> None:
    """A star at 6: whatever passes passes with a star at 8 too, but what fails names 8 and not 6."""
    here = {"id": "ludo-cities/a/both", "variant": "ludo-cities"}
    both = rests("a/both", {"star-place": "8|6"}, True, **here)
    other = rests("a/other", {"star-place": "8|5"}, False, **here | {"id": "ludo-cities/a/other"})
    run = settled(both, other)
    assert [(r.value, r.shown_by, r.against) for r in run.readings] == [("6", 1, ())]
    assert verdicts(run) == [Verdict.READING, Verdict.OTHER_READING]


def test_without_the_default_the_first_by_name_is_taken() -> None:
    nine, ten = ({"star-place": str(n)} for n in (9, 10))
    run = settled(*(rests(f"a/{n['star-place']}", n, True, id=f"ludolive/a/{n['star-place']}", variant="ludolive") for n in (nine, ten)))
    assert [r.value for r in run.readings] == ["10"]


def test_questions_of_two_variants_are_two_questions() -> None:
    mine, other = rests("a/turn", TURN, True), rests("b/row", ROW, True, id="card-kings/b/row", variant="card-kings")
    run = settled(mine, other)
    assert [(r.variant, r.value) for r in run.readings] == [("amarnepal", "in-turn"), ("card-kings", "in-a-row")]
    assert verdicts(run) == [Verdict.READING, Verdict.READING]


def test_a_scenario_that_passes_under_every_value_shows_nothing() -> None:
    both = result("a/both", branches=(branch(ROW, True), branch(TURN, True)))
    run = settled(both, rests("a/turn", TURN, True))
    assert run.readings == (ReadingTaken("amarnepal", "sixes", "in-turn", 1),)
    assert verdicts(run) == [Verdict.READING, Verdict.READING]
    assert settled(rests("a/either", {"sixes": "in-a-row|in-turn"}, True)).readings == ()


def test_branches_of_one_scenario() -> None:
    open_ = result("a/open", branches=(branch(ROW, False), branch(TURN, True)))
    run = settled(open_)
    assert (verdicts(run), run.readings[0].value) == ([Verdict.READING], "in-turn")
    neither = result("a/open", Verdict.FAIL, branches=(branch(ROW, False), branch(TURN, False)))
    assert verdicts(settled(neither, rests("a/turn", TURN, True)))[0] == Verdict.FAIL


def test_two_questions_of_one_scenario() -> None:
    two = TURN | {"capture-pays": "twice"}
    run = settled(rests("a/two", two, True))
    assert [(r.question, r.value) for r in run.readings] == [("capture-pays", "twice"), ("sixes", "in-turn")]
    # One of the two is known to be read otherwise: it does not count. One is known to be read so, of the other nothing: it fails.
    assert verdicts(settled(rests("a/two", two, False), rests("a/row", ROW, True)))[0] == Verdict.OTHER_READING
    assert verdicts(settled(rests("a/two", two, False), rests("a/turn", TURN, True)))[0] == Verdict.FAIL


def test_an_engine_that_is_told_the_reading_passes_under_each() -> None:
    told = (Capability("readings", claimed=True, verified=True),)
    run = settled(rests("a/row", ROW, True), rests("a/turn", TURN, True), capabilities=told)
    assert (verdicts(run), run.readings) == ([Verdict.PASS, Verdict.PASS], ())
    half = result("a/open", branches=(branch(ROW, True), branch(TURN, False)))
    assert verdicts(settled(half, rests("a/turn", TURN, False), capabilities=told)) == [Verdict.FAIL, Verdict.FAIL]
    lie = (Capability("readings", claimed=True, verified=False),)
    assert verdicts(settled(half, capabilities=lie)) == [Verdict.READING]


def test_what_passes_on_a_fresh_engine_only_is_inconsistent() -> None:
    leak = result("a/leak", Verdict.INCONSISTENT, CAPTURE, note=LEAK)
    for capabilities in ((), (Capability("readings", claimed=True, verified=True),)):
        run = settled(leak, capabilities=capabilities)
        assert (verdicts(run), run.results[0].note) == ([Verdict.INCONSISTENT], LEAK)
        assert run.exit_code == 1


def test_a_book_that_is_not_at_hand_hinders_nothing() -> None:
    run = settled(rests("a/row", ROW, True, variant="my-house"), rests("a/turn", TURN, False, variant="my-house"), variants=("my-house",))
    assert verdicts(run) == [Verdict.READING, Verdict.OTHER_READING]


# ---- clauses ---------------------------------------------------------------------------------------------------------


def standing(*results: Result, clause: str = "AN-14", known: Known | None = None, **more: Any) -> ClauseResult:
    return next(c for c in settled(*results, known=known, **more).clauses if c.clause == clause)


def test_a_clause_is_kept_if_one_passes_and_none_fails() -> None:
    neutral = [rests("a/row", ROW, False), result("a/no", Verdict.UNSUPPORTED, branches=())]
    found = standing(result("a/a"), rests("a/turn", TURN, True), *neutral)
    assert found == ClauseResult("AN-14", "amarnepal", Standing.KEPT, Evidence.SCENARIOS, 2, 0, 1)


@pytest.mark.parametrize("verdict", [Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR])
def test_trouble_leaves_a_clause_unshown(verdict: Verdict) -> None:
    trouble = result("a/b", verdict, branches=())
    assert standing(result("a/a"), trouble).standing is Standing.NOT_SHOWN
    assert standing(fails("a/a"), trouble).standing is Standing.BROKEN
    assert settled(result("a/a"), trouble).exit_code == 2


def test_nothing_but_neutral_verdicts_shows_nothing() -> None:
    unsupported = result("a/no", Verdict.UNSUPPORTED, branches=())
    found = standing(unsupported, rests("a/row", ROW, False), rests("a/turn", TURN, True, clauses=("AN-13",)))
    assert (found.standing, found.evidence) == (Standing.NOT_SHOWN, Evidence.NOTHING)
    assert settled(unsupported).exit_code == 2


def test_one_failure_breaks_a_clause_and_the_first_is_named() -> None:
    found = standing(result("a/a"), fails("a/b"), fails("a/c"))
    assert found == ClauseResult("AN-14", "amarnepal", Standing.BROKEN, Evidence.SCENARIOS, 1, 2, 0, "amarnepal/a/b")
    other = standing(fails("a/b", clauses=("AN-11", "AN-14")), clause="AN-11")
    assert other.standing is Standing.BROKEN


def test_a_whole_run_answers_for_every_clause_that_scenarios_can_show() -> None:
    wanted = {c.id for c in register().values() if c.variant == "amarnepal" and c.kind in ("play", "score", "setup", "option")}
    run = settled(result("a/a"), scope="")
    assert {c.clause for c in run.clauses} == wanted
    assert run.counts() == {**dict.fromkeys(Standing, 0), Standing.KEPT: 1, Standing.NOT_SHOWN: len(wanted) - 1}
    parts: list[dict[str, Any]] = [{"scope": "id amarnepal/a/a"}, {"scope": "", "shard": "1/2"}]
    for partial in parts:
        assert [c.clause for c in settled(result("a/a"), **partial).clauses] == ["AN-14"]


def test_clauses_of_other_kinds_do_not_count_and_rules_by_name_do() -> None:
    claim = next(c.id for c in register().values() if c.variant == "amarnepal" and c.kind == "claim")
    run = settled(fails("a/a", clauses=(claim, "my-rule")))
    assert [c.clause for c in run.clauses] == ["my-rule"]


# ---- watched games ---------------------------------------------------------------------------------------------------


def test_games_show_what_scenarios_could_not() -> None:
    unplayed = result("a/no", Verdict.UNSUPPORTED, branches=(), clauses=("AN-11", "AN-14"))
    games = (Watched("amarnepal", 3, 900, ("AN-14", "AN-11"), ("[AN-11] seed 5, 2 players, ply 7: another",)),)
    kept, broken = standing(unplayed, watched=games), standing(unplayed, watched=games, clause="AN-11")
    assert (kept.standing, kept.evidence) == (Standing.KEPT, Evidence.GAMES)
    assert (broken.standing, broken.evidence) == (Standing.BROKEN, Evidence.GAMES)
    assert settled(unplayed, watched=games).exit_code == 1


def test_scenarios_say_more_than_games() -> None:
    games = (Watched("amarnepal", 3, 900, ("AN-14",)),)
    assert standing(result("a/a"), watched=games).evidence is Evidence.SCENARIOS
    assert standing(fails("a/a"), watched=games).standing is Standing.BROKEN
    assert standing(result("a/c", Verdict.CRASH, branches=()), watched=games).standing is Standing.NOT_SHOWN


def test_a_reading_that_games_showed_holds_until_scenarios_show_it() -> None:
    games = (Watched("amarnepal", 3, 900, ("AN-14",)),)
    seen = (ReadingTaken("amarnepal", "sixes", "in-turn", 1),)
    run = settled(rests("a/row", ROW, False), watched=games, readings=seen)
    assert (verdicts(run), run.readings) == ([Verdict.OTHER_READING], seen)
    again = settled(rests("a/row", ROW, True), watched=games, readings=seen)
    assert again.readings == (ReadingTaken("amarnepal", "sixes", "in-a-row", 1),)
    assert settled(rests("a/row", ROW, False), readings=seen).readings == ()


def test_what_a_fault_is_laid_to() -> None:
    assert fault_clauses("[AN-14 AN-11] seed 3: other moves [AN-01]") == ("AN-14", "AN-11")
    assert fault_clauses("no clauses [AN-01] here") == ()


# ---- known failures --------------------------------------------------------------------------------------------------


def known(*names: str, until: date = date(2027, 1, 15)) -> Known:
    """Entries for scenarios (by the end of their id) and clauses; the last day is that of the run by default."""
    kinds = [("clause" if name.isupper() else "scenario") for name in names]
    entries = [Entry(k, n if k == "clause" else f"amarnepal/{n}", "why", until, "known.yaml:1") for k, n in zip(kinds, names, strict=True)]  # type: ignore[arg-type]
    return Known(tuple(entries))


def test_a_known_failure_is_expected_and_its_clause_is_known_to_be_broken() -> None:
    run = settled(fails("a/b"), result("a/a"), known=known("a/b"))
    assert verdicts(run) == [Verdict.EXPECTED_FAILURE, Verdict.PASS]
    assert run.results[0].note.startswith("known until 2027-01-15: why\n")
    assert run.clauses[0].standing is Standing.KNOWN
    assert run.exit_code == 0
    worse = settled(fails("a/b"), fails("a/c"), known=known("a/b"))
    assert (worse.clauses[0].standing, worse.clauses[0].first_failure) == (Standing.BROKEN, "amarnepal/a/c")


@pytest.mark.parametrize("verdict", [Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR])
def test_known_trouble_is_excused_as_well(verdict: Verdict) -> None:
    run = settled(result("a/b", verdict, branches=(), note="two\nlines"), known=known("a/b"))
    assert (verdicts(run), run.clauses[0].standing, run.exit_code) == ([Verdict.EXPECTED_FAILURE], Standing.KNOWN, 0)


def test_an_entry_for_a_clause_excuses_all_its_scenarios() -> None:
    run = settled(fails("a/b"), fails("a/c", clauses=("AN-14", "AN-11")), fails("a/d", clauses=("AN-11",)), known=known("AN-14"))
    assert verdicts(run) == [Verdict.EXPECTED_FAILURE, Verdict.EXPECTED_FAILURE, Verdict.FAIL]


def test_an_unexpected_pass_counts_as_broken() -> None:
    run = settled(result("a/b"), known=known("a/b"))
    assert (verdicts(run), run.clauses[0].standing, run.exit_code) == ([Verdict.UNEXPECTED_PASS], Standing.KEPT, 1)


def test_an_entry_for_a_clause_is_idle_only_if_the_whole_of_it_passes() -> None:
    entry = known("AN-14")
    assert verdicts(settled(result("a/b"), result("a/c"), known=entry, scope="")) == [Verdict.UNEXPECTED_PASS] * 2
    assert verdicts(settled(result("a/b"), fails("a/c"), known=entry, scope="")) == [Verdict.PASS, Verdict.EXPECTED_FAILURE]
    # In a part of the suite, those that fail may be elsewhere.
    parts: list[dict[str, Any]] = [{"scope": "area a"}, {"scope": "", "shard": "1/2"}, {"scope": "", "complete": False}]
    for partial in parts:
        assert verdicts(settled(result("a/b"), known=entry, **partial)) == [Verdict.PASS]


def test_an_entry_past_its_day_excuses_nothing_and_is_a_problem() -> None:
    run = settled(fails("a/b"), known=known("a/b", until=date(2027, 1, 14)))
    assert verdicts(run) == [Verdict.FAIL]
    assert run.problems == ("known.yaml:1: `amarnepal/a/b` was excused until 2027-01-14: mend the engine, or give the entry a new day",)
    fine = settled(result("a/b"), known=known("a/b", until=date(2027, 1, 14)))
    assert (verdicts(fine), fine.exit_code) == ([Verdict.PASS], 1)


def test_what_games_break_can_be_known() -> None:
    games = (Watched("amarnepal", 3, 900, (), ("[AN-14] seed 5: another",)),)
    assert standing(watched=games, known=known("AN-14")).standing is Standing.KNOWN
    assert settled(watched=games, known=known("AN-14")).exit_code == 0


# ---- settling again --------------------------------------------------------------------------------------------------

SEEN = (
    result("a/a"),
    fails("a/b"),
    rests("a/row", ROW, False),
    rests("a/turn", TURN, True),
    rests("a/row-too", ROW, True),
    rests("a/turn-too", TURN, True),
    result("a/leak", Verdict.INCONSISTENT, CAPTURE, note=LEAK),
    result("a/crash", Verdict.CRASH, branches=(), note="it ended\nwith a note"),
    result("a/no", Verdict.UNSUPPORTED, branches=(), note="it does not"),
)


@pytest.mark.parametrize("excused", [None, known("a/b", "a/leak", "a/crash", "a/row-too", "a/a"), known("AN-14")])
def test_what_is_settled_can_be_settled_again(excused: Known | None) -> None:
    plain = settle(part(*SEEN), None, TODAY)
    once = settle(part(*SEEN), excused, TODAY)
    assert settle(once, excused, TODAY) == once
    assert settle(once, None, TODAY) == plain


def test_parts_that_are_joined_are_settled_anew() -> None:
    one, two = part(*SEEN[::2]), part(*SEEN[1::2])
    entries = known("a/b", "a/crash")
    joined = tuple(sorted((*settle(one, entries, TODAY).results, *settle(two, entries, TODAY).results), key=lambda r: r.id))
    assert settle(part(*joined), entries, TODAY) == settle(part(*sorted(SEEN, key=lambda r: r.id)), entries, TODAY)
