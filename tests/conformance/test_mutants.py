"""Wrong rule books: which there are, that each is another rule book, and that nothing in the language is left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, get_args

import pytest

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.conformance.mutants import Mutant, MutantKind, differing_tables, differs_at, mutants, plays_as, settings_touched
from ludo_dsl.conformance.mutants.differing import is_a_reading
from ludo_dsl.conformance.mutants.expressions import expression_changes
from ludo_dsl.conformance.mutants.normal import Ground, normal, stages
from ludo_dsl.conformance.mutants.rewriting import around
from ludo_dsl.conformance.mutants.statements import changes, edits
from ludo_dsl.conformance.mutants.writing import written
from ludo_dsl.game.notation import move_text
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import variant_names
from ludo_dsl.rules import expressions as ex
from ludo_dsl.rules import statements as st
from ludo_dsl.rules.book import Book, Counter
from ludo_dsl.rules.table import make_table
from tests.interpreter.books import plain

SID = st.StatementId("r", 1)
OWN = ex.Nouns(ex.Owner.OWN, (ex.Where.HERE, ex.OnMark("star")))
DIE = ex.FactOf(ex.Fact.DIE)
GROUND = Ground((1, 2, 3, 4, 5, 6), teams=False, one_colour=True)


@cache
def book(variant: str) -> Book:
    return check_file(locate(variant)).book


@cache
def all_of(variant: str) -> tuple[Mutant, ...]:
    return mutants(book(variant))


def of(variant: str) -> dict[str, Mutant]:
    return {m.id: m for m in all_of(variant)}


def in_rule(found: Iterable[Mutant], rule: str) -> set[str]:
    return {m.id for m in found if m.rule == rule}


# ---- what is wrong in one statement, worked out by hand --------------------------------------------------------------

# A die of 1 to 6; the faces beside 6 are 5 and (round about) 1. `die <= 6` always holds, `die >= 6` is `die = 6`.
DIE_IS_SIX = {
    "compare/a/1/die=6->die<=6",
    "face/a/1/die=6->die=5",
    "face/a/1/die=6->die=1",
    "face/a/1/die=6->die=6-or-die=1",
    "negate/a/1/die=6->not-die=6",
}
STATEMENTS = {
    "when rolled if die = 6\n  roll again": DIE_IS_SIX
    | {
        "drop/a/1",
        "trigger/a/1/when-rolled->when-moved",
        "trigger/a/1/when-rolled->when-no-move",
        "effect/a/1/roll-again->roll-again-at-once",
    },
    "never pass 2 pieces": {
        "drop/a/1",
        "crossing/a/1/never-pass-2-pieces->never-land-on-2-pieces",
        "crossing/a/1/never-pass-2-pieces->never-pass-or-land-on-2-pieces",
        "crossing/a/1/never-pass-2-pieces->never-pass-2-pieces-of-one-colour",
        "number/a/1/never-pass-2-pieces->never-pass-1-pieces",
        "number/a/1/never-pass-2-pieces->never-pass-3-pieces",
        "owner/a/1/pieces->own",
        "owner/a/1/pieces->enemies",
    },
    "count 6 as 12": {
        "drop/a/1",
        "face/a/1/count-6->count-5",
        "face/a/1/count-6->count-1",
        "number/a/1/as-12->as-11",
        "number/a/1/as-12->as-13",
    },
    "must move from 2 own if die = 6": DIE_IS_SIX
    | {
        "drop/a/1",
        "goal/a/1/move-from-2-own->advance",
        "number/a/1/move-from-2-own->move-from-1-own",
        "number/a/1/move-from-2-own->move-from-3-own",
        "owner/a/1/move-from-2-own->move-from-2-enemies",
        "owner/a/1/move-from-2-own->move-from-2-pieces",
    },
    "rank sides by most own at home, fewest remaining own": {
        "drop/a/1",
        "part/a/1/without-most-own-at-home",
        "part/a/1/without-fewest-remaining-own",
        "order/a/1/fewest-remaining-own-before-most-own-at-home",
        "order/a/1/most-own-at-home->fewest-own-at-home",
        "order/a/1/fewest-remaining-own->most-remaining-own",
        "owner/a/1/own-at-home->enemies-at-home",
        "owner/a/1/own-at-home->pieces-at-home",
        "place/a/1/own-at-home->own",
        "place/a/1/own-at-home->own-in-lane",
        "place/a/1/own-at-home->own-in-yard",
        "quantity/a/1/remaining-own->nearest-own",
        "quantity/a/1/remaining-own->travelled-own",
        "owner/a/1/remaining-own->remaining-enemies",
        "owner/a/1/remaining-own->remaining-pieces",
    },
    # `own out >= 3` and `> 2` are the same; `>= 2` and `>= 4` are the numbers one off, `> 3` is the latter.
    "once own out >= 3\n  score 40": {
        "drop/a/1",
        "trigger/a/1/once->when-moved",
        "number/a/1/own-out>=3->own-out>=2",
        "number/a/1/own-out>=3->own-out>=4",
        "compare/a/1/own-out>=3->own-out=3",
        "negate/a/1/own-out>=3->not-own-out>=3",
        "owner/a/1/own-out>=3->enemies-out>=3",
        "owner/a/1/own-out>=3->pieces-out>=3",
        "place/a/1/own-out>=3->own>=3",
        "place/a/1/own-out>=3->own-on-track>=3",
        "number/a/1/score-40->score-39",
        "number/a/1/score-40->score-41",
    },
    # A statement that only says that pieces share a square does nothing: all that can be wrong is that they do not.
    "when landing if own here >= 2\n  share with own": {"effect/a/1/share-with-own->send-own-here-to-yard-as-capture"},
    "stands lost-dice": {"builtin/a/1/stands-lost-dice->when-no-move-roll-again"},
    "stands own-lane": set(),
}


@pytest.mark.parametrize("rule", STATEMENTS)
def test_everything_that_can_be_wrong_in_a_statement(rule: str) -> None:
    assert in_rule(mutants(plain(f"  {rule}")), "a") == STATEMENTS[rule]


def test_of_two_conditions_each_part_can_be_missing_and_and_can_be_or() -> None:
    found = in_rule(mutants(plain("  when moved if came home and die != 6\n    roll again")), "a")
    assert {i for i in found if i.startswith(("part/", "junction/", "negate/"))} == {
        "part/a/1/without-came-home",
        "part/a/1/without-die!=6",
        "junction/a/1/and->or-at-came-home",
        "negate/a/1/came-home->not-came-home",
        "negate/a/1/die!=6->not-die!=6",
    }


def test_a_condition_that_its_effect_needs_anyway_is_not_missed() -> None:
    """Without enemies there is nobody to send: to leave the question out changes nothing."""
    found = in_rule(mutants(plain("  when landing on track if enemies here\n    send enemies here to yard as capture")), "a")
    assert "number/a/1/enemies-here->enemies-here>=2" in found
    assert not any(i.startswith(("number/a/1/enemies-here->enemies-here>=0", "owner/a/1/enemies-here->pieces-here")) for i in found)


def test_links_of_the_board() -> None:
    found = {
        m.id
        for m in mutants(plain(board="mark far at 4\n  link star to next far or home 1 times"))
        if "/link-1=" in m.id or "-link-" in m.id
    }
    base = "link/board/link-1=link-star-to-next-far-or-home-1-times->link-"
    assert {
        "link/board/without-link-1",
        f"{base}star-to-next-far-1-times",
        f"{base}star-to-next-far-or-home-2-times",
        f"{base}far-to-next-star-or-home-1-times",
    } <= found


# ---- order -----------------------------------------------------------------------------------------------------------


def test_statements_are_exchanged_where_the_order_can_matter() -> None:
    capture = "  when landing if enemies here\n    send enemies here to yard as capture"
    again = "  when landing if captured\n    roll again"
    points = "  when landing\n    score 1"
    home = "  when reached home\n    score 1"
    assert "order/a/1/after-b/1" in {m.id for m in mutants(plain(f"{capture}\n\n{again}"))}
    # A point and a roll do not touch each other; a landing and a coming home answer to different things.
    assert not any(m.id.startswith("order/a/1/after") for m in mutants(plain(f"{again}\n\n{points}")))
    assert not any(m.id.startswith("order/a/1/after") for m in mutants(plain(f"{capture}\n\n{home}")))


def test_phases_that_do_nothing_are_neither_left_out_nor_exchanged() -> None:
    found = {
        m.id for m in mutants(plain("  when landing if enemies here\n    send enemies here to yard as capture")) if m.kind == "resolution"
    }
    assert found == {"resolution/without-spend", "resolution/without-landing", "resolution/landing-before-spend"}


def test_phases_are_exchanged_where_one_sees_what_the_other_did() -> None:
    capture = "  when landing if enemies here\n    send enemies here to yard as capture"
    rules = f"{capture}\n\n  when captured\n    send piece to home\n\n  when reached home\n    score 1"
    found = {m.id for m in mutants(plain(rules)) if m.kind == "resolution"}
    assert {"resolution/captured-before-landing", "resolution/reached-home-before-captured"} <= found
    assert not any("marks" in i for i in found)


def test_stages_of_the_turn() -> None:
    found = {m.id for m in mutants(plain("  when rolled if die = 6\n    roll again at once")) if m.kind == "turn"}
    assert {"turn/without-due-roll", "turn/without-choose", "turn/choose-before-due-roll", "turn/without-end"} <= found
    # To lose the pool before anything can be chosen is not to choose at all.
    assert "turn/lose-before-choose" not in found
    assert stages((st.Stage.LOSE, st.Stage.CHOOSE, st.Stage.END), ()) == stages((st.Stage.LOSE, st.Stage.END), ())


# ---- real rule books -------------------------------------------------------------------------------------------------


def test_amarnepal() -> None:
    found = of("amarnepal")
    assert {
        "option/one-leaves/stuck=off",
        "option/one-leaves/stuck=on",
        "drop/capture/1",
        "face/leave-yard/1/die=6->die=5",
        "face/leave-yard/1/die=6->die=1",
        "square/capture/1/track->lane",
        "overshoot/exact-home/1/past-home-never->past-home-bounce",
        "number/board/lane=5->4",
        "number/board/arm=13->14",
        "number/board/mark-star=8->9",
        "board/board/without-mark-star",
        "setup/players/pieces-4-in-yard->pieces-3-in-yard",
        "seats/players/first=red->yellow",
        "dice/dice/without-face-6",
        "resolution/landing-before-spend",
        "turn/without-lose",
    } <= set(found)
    drop = found["drop/capture/1"]
    assert [s.id for s in drop.original.statements if s not in drop.book.statements] == [st.StatementId("capture", 1)]
    assert drop.clauses == ("AN-14",)
    face = found["face/leave-yard/1/die=6->die=5"]
    assert face.says == "`leave-yard`: `die = 6` became `die = 5`"
    assert (face.kind, face.rule, face.clauses) == (MutantKind.FACE, "leave-yard", ("AN-08", "AN-09"))


def test_boards_on_which_nobody_can_play_are_no_mutants() -> None:
    """A lane of none, or a third arm fewer than the four colours need."""
    found = of("amarnepal")
    assert "number/board/arms=4->5" in found
    seats = {m.book.board.lane for m in found.values()}
    assert min(seats) == 4


def test_a_mutant_plays_what_it_says() -> None:
    given = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    right, wrong = (_landed(b, given) for b in (book("amarnepal"), of("amarnepal")["drop/capture/1"].book))
    assert (right, wrong) == (0, 1)  # yellow's pieces on the track after red has landed on 23, which is yellow's 49
    five = Interpreter(make_table(of("amarnepal")["face/leave-yard/1/die=6->die=5"].book, 2))
    state = five.roll(five.read("red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"), (5,)).state
    assert [move_text(five.table, state, m) for m in five.legal(state)] == ["Y>0"]


def _landed(rules: Book, given: str) -> int:
    engine = Interpreter(make_table(rules, 2))
    state = engine.roll(engine.read(given), (3,)).state
    move = next(m for m in engine.legal(state) if move_text(engine.table, state, m) == "20>23")
    return sum(place > 0 for place in engine.move(state, move).state.pieces[1])


def test_readings_are_no_faults() -> None:
    """`sixes` leaves it open whether three sixes must follow each other: to count them either way is no mutant."""
    found = of("amarnepal")
    assert not any(i.startswith(("quantity/sixes", "option/sixes")) for i in found)
    assert not any(is_a_reading(m) for m in found.values())
    assert "drop/sixes/1" in found
    other = found["number/sixes/1/6-rolled-3-times-in-a-row->6-rolled-2-times-in-a-row"]
    assert plays_as(other, 2, {}, {}) is None


def test_where_a_mutant_differs() -> None:
    mutant = of("amarnepal")["face/one-leaves/1/die=1->die=2"]
    assert settings_touched(mutant) == {"one-leaves"}
    assert not differs_at(mutant, 4, {}, {})
    assert differs_at(mutant, 4, {"one-leaves": "on"}, {})
    assert {(n, *o.items()) for n, o, _ in differing_tables(mutant)} == {(n, ("one-leaves", "on")) for n in (2, 3, 4)}
    stuck = of("amarnepal")["option/one-leaves/stuck=on"]
    assert differs_at(stuck, 2, {}, {})
    assert not differs_at(stuck, 2, {"one-leaves": "on"}, {})
    lane = of("amarnepal")["number/board/lane=5->4"]
    assert settings_touched(lane) == frozenset()
    assert differs_at(lane, 2, {}, {})


def test_partners_are_looked_for_where_a_choice_makes_them() -> None:
    """In ludo-cities players have partners only with `teams`: there alone are `own` and `ours` not the same."""
    mutant = of("ludo-cities")["owner/all-home/1/all-own-at-home->all-ours-at-home"]
    assert ex.SettingId("teams") in settings_touched(mutant)
    helps = {"finished": "helps"}
    assert not differs_at(mutant, 4, {}, helps)
    assert differs_at(mutant, 4, {"teams": "on"}, {})
    # A suite cannot ask for `players <= 2` where nobody plays alone.
    assert not any("players<=2" in i for i in of("ludo-cities"))


@pytest.mark.parametrize("variant", variant_names())
def test_every_mutant_is_another_book_and_has_a_name_of_its_own(variant: str) -> None:
    found = all_of(variant)
    assert len({m.id for m in found}) == len(found) > 150
    for m in found:
        assert m.book != book(variant), m.id
        assert " " not in m.id
        assert m.id.split("/")[0] == m.kind
        assert m.says
    seen: list[Any] = [
        (m.book.statements, m.book.board, m.book.players, m.book.dice, m.book.counters, m.book.resolution, m.book.turn) for m in found
    ]
    assert len(set(seen)) == len(found)
    assert all(next(differing_tables(m), None) is not None for m in found[::7])


def test_names_stay_when_other_rules_are_added() -> None:
    rule = "  when rolled if die = 6\n    roll again"
    alone, beside = (mutants(plain(text)) for text in (rule, f"{rule}\n\n  never pass 2 pieces\n  count 6 as 12"))
    assert in_rule(alone, "a") == in_rule(beside, "a")
    assert [m.id for m in mutants(plain(rule))] == [m.id for m in alone]


# ---- nothing is left out ---------------------------------------------------------------------------------------------

TRUTH = ex.Compare(">=", ex.Measure(ex.Quantity.MOVABLE, OWN), ex.Number(1))
EXPRESSIONS: list[ex.Expr] = [
    *(ex.Number(2), ex.Truth(True), ex.Squares(frozenset({"star"})), ex.Choice(ex.SettingId("o")), ex.ChoiceIs(ex.SettingId("o"), "on")),
    *(ex.BoardNumber("ring"), ex.Cases(((TRUTH, TRUTH),), TRUTH), ex.And((TRUTH, DIE)), ex.Or((TRUTH, DIE)), ex.Not(TRUTH), TRUTH),
    *(ex.Sum(((1, DIE), (-1, DIE))), ex.Product((DIE, DIE)), ex.FactOf(ex.Fact.CAME_HOME), ex.CounterOf(ex.CounterId("laps"))),
    *(
        ex.Highest(ex.CounterId("laps"), OWN),
        ex.Measure(ex.Quantity.MOVABLE, OWN),
        ex.Every(OWN),
        ex.SquareIs("here", ex.Squares(frozenset({"start"}))),
    ),
    *(ex.DieIs("gift"), ex.DieIn(ex.Faces(frozenset({6}))), ex.Faces(frozenset({6})), ex.EveryDie("=", 6), ex.RolledTimes(6, 3, True)),
]
EFFECTS: list[Any] = [
    *(st.Send(st.Target.ALL, OWN, st.Destination.YARD, True), st.Share(ex.Owner.OWN), st.RollAgain(False), st.Grant(10)),
    *(st.Score(ex.Number(5)), st.Add(ex.Number(1), ex.CounterId("laps")), st.Mark.END_TURN),
]
STATEMENT_SAMPLES: list[Any] = [
    *(st.May(SID, st.Act.ENTER, ex.Owner.OWN), st.MayCombine(SID, TRUTH), st.MayPass(SID, TRUTH), st.NeverRoll(SID, 6)),
    *(st.NeverCross(SID, True, False, 2, OWN, False), st.NeverMove(SID, st.Act.ENTER), st.NeverKeep(SID, TRUTH)),
    *(st.Must(SID, (st.Goal(st.GoalKind.ENTER),)), st.When(SID, st.Trigger.MOVED, None, TRUTH, (st.RollAgain(False),))),
    *(st.Once(SID, TRUTH, (st.Score(ex.Number(5)),)), st.Past(SID, st.Overshoot.NEVER), st.LaneOpens(SID, TRUTH), st.Count(SID, 6, 7)),
    *(st.Rank(SID, (st.RankKey(st.Order.MOST, DIE),)), st.Stands(SID, st.Builtin.LOST_DICE)),
]
LAPS, STARS = (Counter(ex.CounterId(name), frozenset({"player"}), ()) for name in ("laps", "stars"))
BESIDE = replace(around(plain()), counters=(LAPS, STARS), named=("gift", "prize"), options=frozenset({"o"}))
CANNOT_BE_WRONG = {ex.Truth, ex.ChoiceIs}
"""A condition that always holds says nothing; choices are mistaken by options that are stuck."""


@pytest.mark.parametrize("sample", [*EXPRESSIONS, *EFFECTS, *STATEMENT_SAMPLES], ids=lambda s: type(s).__name__)
def test_everything_of_the_language_can_be_wrong(sample: Any) -> None:
    found = list(edits(sample, BESIDE))
    assert bool(found) == (type(sample) not in CANNOT_BE_WRONG)
    for edit in found:
        assert type(edit.result) is type(sample) or edit.result != sample
        assert edit.result != sample
        assert written(edit.before) != written(edit.after)


def test_there_is_a_sample_of_each_type() -> None:
    """Whoever adds to the language is told here to think of what can be wrong in it."""
    assert {type(e) for e in EXPRESSIONS} == set(get_args(ex.Expr))
    assert {type(e) for e in EFFECTS} == set(get_args(st.Effect))
    assert {type(s) for s in STATEMENT_SAMPLES} == set(get_args(st.Statement))


@pytest.mark.parametrize("trigger", st.Trigger)
def test_every_trigger_can_be_another(trigger: st.Trigger) -> None:
    statement = st.When(SID, trigger, None, ex.ALWAYS, (st.RollAgain(False),))
    assert any(e.kind is MutantKind.TRIGGER for e in changes(statement, BESIDE))


@pytest.mark.parametrize("effect", st.Mark)
def test_every_mark_can_be_another(effect: st.Mark) -> None:
    assert [e.result for e in changes(effect, BESIDE) if e.result is not effect]


@pytest.mark.parametrize("goal", st.GoalKind)
def test_every_goal_can_be_another(goal: st.GoalKind) -> None:
    assert [e.result for e in changes(st.Goal(goal), BESIDE) if e.kind is MutantKind.GOAL and e.result.kind is not goal]


@pytest.mark.parametrize("owner", ex.Owner)
@pytest.mark.parametrize("place", ex.Where)
def test_every_choice_of_pieces_can_be_another(owner: ex.Owner, place: ex.Where) -> None:
    kinds = {e.kind for e in expression_changes(ex.Nouns(owner, (place,)), BESIDE)}
    assert kinds == {MutantKind.OWNER, MutantKind.PLACE}


def test_what_nobody_has_thought_of_is_an_error() -> None:
    @dataclass(frozen=True)
    class Strange:
        number: int

    with pytest.raises(TypeError, match="Strange"):
        list(changes(Strange(1), BESIDE))


# ---- one form for what means the same --------------------------------------------------------------------------------

CAPTURED = ex.FactOf(ex.Fact.CAPTURED)
OUT = ex.Measure(ex.Quantity.COUNT, ex.Nouns(ex.Owner.OWN, (ex.Where.OUT,)))


def _is(op: str, left: ex.Expr, n: int) -> ex.Expr:
    return ex.Compare(op, left, ex.Number(n))


SAME = [
    (_is(">", CAPTURED, 0), _is(">=", CAPTURED, 1)),
    (_is("!=", CAPTURED, 0), _is(">=", CAPTURED, 1)),
    (_is("=", OUT, 0), _is("<", OUT, 1)),
    (_is(">=", OUT, 0), ex.ALWAYS),
    (_is(">=", DIE, 6), _is("=", DIE, 6)),
    (ex.Not(_is("=", DIE, 6)), _is("<", DIE, 6)),
    (ex.Or((_is("=", DIE, 5), _is("=", DIE, 6))), _is(">", DIE, 4)),
    (_is("=", DIE, 7), ex.NEVER),
    (ex.EveryDie(">", 5), ex.EveryDie("=", 6)),
    (ex.Not(ex.Not(TRUTH)), TRUTH),
]
OTHERS = [
    (_is(">", CAPTURED, 1), _is(">=", CAPTURED, 1)),
    (_is(">=", ex.FactOf(ex.Fact.SCORE), 0), ex.ALWAYS),
    (_is("<=", DIE, 5), ex.ALWAYS),
    (_is("=", DIE, 0), ex.NEVER),  # two dice at once are no face
    (_is("=", OUT, 1), _is(">=", OUT, 1)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_one_form(one: ex.Expr, other: ex.Expr) -> None:
    assert normal(one, GROUND) == normal(other, GROUND)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_what_is_not_the_same_stays_apart(one: ex.Expr, other: ex.Expr) -> None:
    assert normal(one, GROUND) != normal(other, GROUND)
