"""What scenarios exercise: small ones whose every statement is worked out by hand, and the suite of the project as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.conformance.covering.coverage import Coverage, Lack, cover, exercise
from ludo_dsl.conformance.covering.dealt import clauses_broken, dealt_sequences, judged
from ludo_dsl.conformance.covering.ledger import BY_SCENARIO, Entry, needed, read_ledger, unknown, wrongs
from ludo_dsl.conformance.covering.looks import Way
from ludo_dsl.conformance.covering.units import units_of
from ludo_dsl.conformance.covering.views import View, differences, views
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Scenario, read_suite, scenario_from
from ludo_dsl.documents import DocumentError
from ludo_dsl.rules.book import Book
from ludo_dsl.source import Source

FIVE = ("amarnepal", "card-kings", "ludo-cities", "ludolive", "qdan")


def scenario(variant: str, given: str | None, *steps: dict[str, Any], clauses: tuple[str, ...] = ("AN-01",), **more: Any) -> Scenario:
    players = more.pop("players", 2)
    begins = {"start": True} if given is None else {"given": given}
    head = {"id": f"{variant}/a/b", "title": "A scenario.", "variant": variant, "players": players, "clauses": list(clauses)}
    return scenario_from({**head, **begins, "steps": list(steps), **more})


def ways(variant: str, clause: str, given: str | None, *steps: dict[str, Any], **more: Any) -> set[str]:
    """How a scenario exercises a clause, or a rule by name."""
    units = units_of(book_of(variant))
    found = exercise(book_of(variant), units, scenario(variant, given, *steps, **more))
    assert found.faults == (), found.faults
    stated = units.by_clause.get(clause) or units.by_name[clause]
    return {way.name for way in Way if found.of(stated, way)}


APPLIES, JUST_NOT = {"APPLIES"}, {"JUST_NOT"}
BOTH = APPLIES | JUST_NOT
NEITHER: set[str] = set()


def walk(roll: int, move: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"roll": roll}, {"move": move}


# ---- when ------------------------------------------------------------------------------------------------------------
# amarnepal, rule capture [AN-14]: when landing on track if here is not safe and enemies here.
# Red's square 23 is yellow's 49; red's 21 is a star, and yellow's 47.


def test_a_statement_that_acts_applies() -> None:
    assert ways("amarnepal", "capture", "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", *walk(3, "20>23")) == APPLIES


@pytest.mark.parametrize(
    ("given", "roll", "move"),
    [
        ("red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", 2, "20>22"),  # no enemy there: all else holds
        ("red=20,Y,Y,Y yellow=47,Y,Y,Y turn=red", 1, "20>21"),  # an enemy on a star: all but `not safe` holds
    ],
)
def test_a_statement_just_does_not_act_if_one_part_fails(given: str, roll: int, move: str) -> None:
    assert ways("amarnepal", "capture", given, *walk(roll, move)) == JUST_NOT


@pytest.mark.parametrize(
    ("given", "roll", "move"),
    [
        ("red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red", 1, "20>21"),  # a star without an enemy: two parts fail
        ("red=L1,Y,Y,Y yellow=5,Y,Y,Y turn=red", 2, "L1>L3"),  # in the lane: neither track nor enemy
        ("red=L5,Y,Y,Y yellow=5,Y,Y,Y turn=red", 1, "L5>H"),  # home is no square: nobody lands
    ],
)
def test_a_statement_is_not_exercised_if_more_fails(given: str, roll: int, move: str) -> None:
    assert ways("amarnepal", "capture", given, *walk(roll, move)) == NEITHER


def test_numbers_just_fail_by_one() -> None:
    # AN-13: when rolled if 6 rolled 3 times in a row.
    given = "red=10,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    two = (*walk(6, "10>16"), *walk(6, "16>22"))
    assert ways("amarnepal", "AN-13", given, *walk(6, "10>16")) == NEITHER
    assert ways("amarnepal", "AN-13", given, *two, *walk(2, "22>24")) == JUST_NOT
    assert "APPLIES" in ways("amarnepal", "AN-13", given, *two, {"roll": 6})


def test_a_trigger_that_does_not_come() -> None:
    # AN-22: when reached home if all own at home. Three home and one just before: all but the last.
    assert ways("amarnepal", "AN-22", "red=L3,H,H,H yellow=5,Y,Y,Y turn=red", *walk(2, "L3>L5")) == JUST_NOT
    assert ways("amarnepal", "AN-22", "red=L3,H,H,Y yellow=5,Y,Y,Y turn=red", *walk(2, "L3>L5")) == NEITHER
    # One home of three others: the trigger comes, and not all are home.
    assert ways("amarnepal", "AN-22", "red=L5,Y,Y,Y yellow=5,Y,Y,Y turn=red", *walk(1, "L5>H")) == JUST_NOT
    assert ways("amarnepal", "AN-22", "red=L5,H,H,H yellow=5,Y,Y,Y turn=red", *walk(1, "L5>H")) == APPLIES


def test_an_unusable_six_is_where_a_roll_for_a_move_is_just_not_earned() -> None:
    # LL-11: when moved if die = 6. Nothing can use it; a five that nothing can use is two parts away.
    given = "red=L2,H,H,H yellow=5,Y,Y,Y turn=red"
    rule = "extra-roll"
    assert ways("ludolive", rule, given, {"roll": 6}) == JUST_NOT
    assert ways("ludolive", rule, given, {"roll": 5}) == NEITHER


# ---- choices ---------------------------------------------------------------------------------------------------------


def test_a_choice_shows_what_is_asked_of_it() -> None:
    # AN-08: may enter if die = 6.
    given = "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    assert ways("amarnepal", "AN-08", given, *walk(3, "20>23")) == NEITHER
    assert ways("amarnepal", "AN-08", given, {"roll": 3, "legal": ["20>23"]}) == JUST_NOT
    assert ways("amarnepal", "AN-08", given, {"roll": 3}, {"refuse": "Y>0"}) == JUST_NOT
    assert ways("amarnepal", "AN-08", given, {"roll": 3}, {"refuse": "20>24"}) == NEITHER
    assert ways("amarnepal", "AN-08", given, {"roll": 6, "legal": ["20>26", "Y>0"]}) == APPLIES
    assert ways("amarnepal", "AN-08", given, *walk(6, "Y>0")) == APPLIES
    # The roll is lost: that shows why nothing can use it.
    assert ways("amarnepal", "AN-08", "red=Y,Y,Y,Y yellow=5,Y,Y,Y turn=red", {"roll": 3}) == JUST_NOT


def test_past_home() -> None:
    given = "red=L4,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    assert ways("amarnepal", "AN-20", given, {"roll": 3}) == APPLIES
    assert ways("amarnepal", "AN-20", given, *walk(2, "L4>H")) == JUST_NOT
    assert ways("amarnepal", "AN-20", "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red", *walk(2, "20>22")) == NEITHER


def test_never_is_near_where_one_piece_fewer_would_be_stopped() -> None:
    # qdan: never pass or land on 2 enemies of one colour. Yellow's 24 is red's 50.
    one, two = "yellow=22,Y,Y,Y red=50,Y,Y,Y turn=yellow", "yellow=22,Y,Y,Y red=50,50,Y,Y turn=yellow"
    # Under no overtaking it would be stopped as well: the option is seen both ways.
    assert ways("qdan", "blocking", two, {"roll": 3}) == BOTH
    assert ways("qdan", "blocking", one, *walk(3, "22>25")) == JUST_NOT
    assert ways("qdan", "blocking", one, *walk(1, "22>23")) == NEITHER


def test_must_applies_where_it_rules_something_out() -> None:
    # LC-04: both dice must be used if that is possible. Everybody else is far away.
    classic: dict[str, Any] = {"options": {"rules": "classic"}, "players": 4}
    others = "green=5,H,H,H yellow=5,H,H,H blue=5,H,H,H turn=red"
    # Whatever the 3 does, 20 is left for the 5, and the other way round: nothing is ruled out.
    assert ways("ludo-cities", "both-dice", f"red=L1,20,H,H {others}", {"roll": [3, 5]}, {"refuse": "20>24"}, **classic) == NEITHER
    listed = {"roll": [3, 5], "legal": ["L1>L4", "L1>H", "20>23", "20>25"]}
    assert ways("ludo-cities", "both-dice", f"red=L1,20,H,H {others}", listed, **classic) == JUST_NOT
    # The 3 brings L3 home and the 5 L1; from L1 the 3 would leave the 5 to nobody. (So says the reading that is not taken, too.)
    listed = {"roll": [3, 5], "legal": ["L3>H", "L1>H"]}
    assert ways("ludo-cities", "both-dice", f"red=L3,L1,H,H {others}", listed, **classic) == BOTH


def test_rankings_show_where_places_are_asked_for() -> None:
    given, steps = "red=L5,H,H,H yellow=5,Y,Y,Y turn=red", walk(1, "L5>H")
    assert ways("amarnepal", "places", given, *steps) == NEITHER
    assert "APPLIES" in ways("amarnepal", "places", given, *steps, {"places": {"red": 1, "yellow": 2}})


# ---- options and readings --------------------------------------------------------------------------------------------


def test_an_option_that_is_off_is_seen_where_it_would_act() -> None:
    off: dict[str, Any] = {"options": {"capture-roll": "off"}}
    capture: tuple[Any, ...] = ("red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", *walk(3, "20>23"))
    assert ways("amarnepal", "AN-25", *capture, **off) == JUST_NOT
    assert ways("amarnepal", "AN-25", *capture) == APPLIES
    # A six that captures pays for the six alone: it is one part away from a roll for the capture.
    assert ways("amarnepal", "AN-25", "red=17,Y,Y,Y yellow=49,Y,Y,Y turn=red", *walk(6, "17>23"), **off) == JUST_NOT


def test_a_move_that_another_value_would_allow() -> None:
    # AN-26, leaving on a one.
    given, steps = "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red", {"roll": 1, "legal": ["20>21"]}
    assert ways("amarnepal", "AN-26", given, steps) == JUST_NOT
    assert ways("amarnepal", "AN-26", given, {"roll": 3, "legal": ["20>23"]}) == NEITHER
    on: dict[str, Any] = {"options": {"one-leaves": "on"}}
    assert ways("amarnepal", "AN-26", given, {"roll": 1, "legal": ["20>21", "Y>0"]}, **on) == APPLIES
    assert ways("amarnepal", "AN-26", given, {"roll": 3, "legal": ["20>23"]}, **on) == JUST_NOT


def test_a_move_that_several_statements_allow() -> None:
    on: dict[str, Any] = {"options": {"one-leaves": "on"}}
    given = "red=Y,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    assert ways("amarnepal", "leave-yard", given, *walk(6, "Y>0"), **on) == APPLIES
    assert ways("amarnepal", "leave-yard", given, *walk(1, "Y>0"), **on) == JUST_NOT


def test_a_lane_that_is_not_open() -> None:
    on: dict[str, Any] = {"options": {"capture-first": "on"}}
    assert ways("amarnepal", "AN-21", "red=50,Y,Y,Y yellow=5,Y,Y,Y turn=red", *walk(2, "50>0"), **on) == JUST_NOT
    assert ways("amarnepal", "AN-21", "red=50,Y,Y,Y yellow=5,Y,Y,Y turn=red captures.red=1", *walk(2, "50>L2"), **on) == APPLIES
    assert ways("amarnepal", "AN-21", "red=10,Y,Y,Y yellow=5,Y,Y,Y turn=red", *walk(2, "10>12"), **on) == NEITHER


# ---- parts without statements ----------------------------------------------------------------------------------------


def test_how_a_game_begins() -> None:
    opening = "red=Y,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    classic: dict[str, Any] = {"options": {"rules": "classic"}, "players": 3, "first": "red"}
    assert ways("ludo-cities", "LC-30", None, {"then": opening}, **classic) == APPLIES
    assert ways("ludo-cities", "LC-20", None, {"then": opening}, **classic) == JUST_NOT
    given: dict[str, Any] = {"options": {"rules": "classic"}, "players": 3}
    assert ways("ludo-cities", "LC-30", "red=5,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", {"roll": [1, 2]}, **given) == NEITHER


def test_marks_are_shown_by_landing_on_them() -> None:
    units = units_of(book_of("card-kings"))
    assert units.by_clause["CK-01"] <= units.timeless
    # The board cites QD-12 at its head and QD-10 at the star.
    given = "yellow=6,Y,Y,Y red=5,Y,Y,Y turn=yellow"
    assert "APPLIES" in ways("qdan", "QD-10", given, *walk(2, "6>8"))
    assert "APPLIES" not in ways("qdan", "QD-10", given, *walk(1, "6>7"))


# ---- faults ----------------------------------------------------------------------------------------------------------


def lacks(found: Coverage) -> set[tuple[Lack, str]]:
    return {(f.lack, f.name) for f in found.faults}


def test_a_citation_that_is_not_true_is_a_fault() -> None:
    given = "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    one = scenario("amarnepal", given, *walk(3, "20>23"), clauses=("AN-05", "AN-20", "AN-17"))
    found = cover(book_of("amarnepal"), [one])
    cited = [f for f in found.faults if f.lack is Lack.CITES]
    # AN-05 is the walk, AN-20 the way past home; AN-17 is a claim, with nothing to exercise.
    assert [(f.name, "`AN-20`" in f.message) for f in cited] == [("amarnepal/a/b", True)]


def test_gaps_are_faults() -> None:
    one = scenario("amarnepal", "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red", *walk(3, "20>23"), clauses=("AN-05",))
    found = lacks(cover(book_of("amarnepal"), [one]))
    assert {(Lack.APPLIES, "AN-14"), (Lack.APPLIES, "AN-03"), (Lack.JUST_NOT, "AN-20"), (Lack.VALUE, "capture-first")} <= found
    # The move shows that nobody was captured there; and pieces in the yard are no matter of a case in which they are not.
    assert (Lack.JUST_NOT, "AN-14") not in found
    assert (Lack.JUST_NOT, "AN-03") not in found
    assert not {name for _, name in found} & {"AN-06", "AN-17", "AN-24"}


def test_a_scenario_that_fails_is_a_fault() -> None:
    wrong = scenario("amarnepal", "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red", {"roll": 3, "legal": ["20>24"]})
    unreadable = scenario("amarnepal", "red=99,Y,Y,Y yellow=5,Y,Y,Y turn=red", {"roll": 3})
    untabled = scenario("amarnepal", None, {"roll": 3}, options={"colour": "mauve"})
    for each in (wrong, unreadable, untabled):
        assert (Lack.FAILS, "amarnepal/a/b") in lacks(cover(book_of("amarnepal"), [each]))


def test_what_was_played_before_somebody_stopped() -> None:
    given = "red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red"
    two = [scenario("amarnepal", given, *walk(3, "20>23"), clauses=("AN-05",))] * 2

    def stop(done: int, of: int) -> None:
        assert of == 2
        if done == 1:
            raise KeyboardInterrupt

    found = cover(book_of("amarnepal"), two, progress=stop)
    assert (found.complete, found.played, found.faults) == (False, 1, ())


# ---- a rule book of one's own ----------------------------------------------------------------------------------------

LEAP = 'variant mine "Mine" extends amarnepal\n\nrule leap\n  "A capture leads home."\n  when captured\n    send piece to home\n'


def test_rules_of_a_house_rule_are_cited_by_name() -> None:
    book: Book = check(Source("<text>", LEAP)).book
    leap = scenario("mine", "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", *walk(3, "20>23"), clauses=("leap", "finish"))
    found = cover(book, [leap])
    rules = {r.name: r for r in found.rules}
    assert (rules["leap"].applies, rules["leap"].needs) == (("mine/a/b",), (Way.APPLIES, Way.JUST_NOT))
    assert (Lack.JUST_NOT, "leap") in lacks(found)
    assert (Lack.APPLIES, "leap") not in lacks(found)
    # A piece comes home by the leap, and not all are there.
    assert not [f for f in found.faults if f.lack is Lack.CITES]


# ---- the suite of the project ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def suite() -> tuple[Scenario, ...]:
    return tuple(read_suite())


@pytest.mark.parametrize("variant", FIVE)
def test_the_suite_exercises_every_clause_and_cites_the_truth(variant: str, suite: tuple[Scenario, ...]) -> None:
    found = cover(book_of(variant), [s for s in suite if s.variant == variant], read_ledger())
    assert [f"{f.lack}: {f.name}: {f.message}" for f in found.faults] == []
    counted = [c for c in found.clauses if c.kind in BY_SCENARIO and c.needs]
    assert counted
    assert all(c.applies for c in counted)


# ---- the ledger ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", FIVE)
def test_the_ledger_is_true(variant: str) -> None:
    assert wrongs(variant, units_of(book_of(variant))) == ()
    assert unknown() == ()


def test_what_needs_an_entry() -> None:
    found = set(needed("qdan", units_of(book_of("qdan"))))
    # Hosts, what is shown, a claim, and the one option that no rule of the game reads.
    assert found == {"QD-02", "QD-03", *(f"QD-2{n}" for n in range(7)), "QD-40", "QD-41"}


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (("table", "qdan/turn-clok"), "did you mean `qdan/turn-clock`?"),
        (("table", "qdan/rating"), "the table script `qdan/rating` does not cite `QD-20`"),
        (("dice", "ludolive/sixes/two"), "does not cite `QD-20`"),
        (("view", "ludo-cities/stars/none"), "there is no view"),
        (("claim", "answers"), "the claim `answers` does not cite `QD-20`"),
        (("scenario", "qdan/none/at-all"), "there is no scenario"),
        (("vectors", "dreams"), "there is no part `dreams`"),
        (("test", "tests/publish/test_shown.py::test_nothing"), "there is no test `test_nothing`"),
        (("test", "tests/none.py::test_x"), "there is no file of tests"),
    ],
)
def test_a_check_that_is_not_there_is_told(check: tuple[str, str], message: str) -> None:
    units = units_of(book_of("qdan"))
    entries = [e for e in read_ledger() if e.clause != "QD-20"]
    assert [w.clause for w in wrongs("qdan", units, entries)] == ["QD-20"]
    found = wrongs("qdan", units, [*entries, Entry("QD-20", (check,), "", "ledger:1")])
    assert [w.clause for w in found] == ["QD-20"]
    assert message in found[0].message


def test_two_entries_and_unknown_clauses_are_told() -> None:
    units = units_of(book_of("qdan"))
    twice = Entry("QD-20", (), "a clock", "ledger:9")
    assert [w.place for w in wrongs("qdan", units, [*read_ledger(), twice])] == ["ledger:9"]
    assert [w.clause for w in unknown([Entry("XX-01", (), "all", "ledger:1")])] == ["XX-01"]


def test_a_ledger_of_another_form_is_told(tmp_path: Path) -> None:
    for text in ("- clause: QD-20\n", "- clause: QD-20\n  tables: [a]\n", "- {clause: QD-20, waits: ' '}\n"):
        path = tmp_path / f"{len(text)}.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DocumentError):
            read_ledger(path)


# ---- dice and views --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sequence", dealt_sequences(), ids=lambda s: s.id)
def test_dealt_sequences_are_judged_as_worked_out(sequence: Any) -> None:
    assert judged(sequence) == sequence.refuted
    assert sequence.refuted is None or set(clauses_broken(sequence)) & set(sequence.clauses)


def test_dealt_sequences_are_told_apart_by_one_roll() -> None:
    by_id = {s.id.partition("/")[2]: s for s in dealt_sequences()}
    assert by_id["barred/waits-refuted"].rolls == by_id["barred/redrawn"].rolls
    assert by_id["shoe/third-of-a-face"].rolls == by_id["shoe/three-sets"].rolls
    assert {s.refuted is None for s in dealt_sequences()} == {True, False}


@pytest.mark.parametrize("text", ["- {id: a/b/c}\n", "- 5\n"])
def test_files_of_another_form_are_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError):
        dealt_sequences(tmp_path)
    with pytest.raises(DocumentError):
        views(tmp_path)


@pytest.mark.parametrize("view", views(), ids=lambda v: v.id)
def test_views_are_shown_as_worked_out(view: View) -> None:
    assert differences(view) == {}


def test_a_view_that_tells_too_much_is_noticed() -> None:
    first = next(v for v in views() if v.id.endswith("own-alone"))
    seen = dict(first.seen)
    telling = replace(first, seen=(("green", seen["green"].replace("stars.red=?", "stars.red=1")),))
    assert list(differences(telling)) == ["green"]
