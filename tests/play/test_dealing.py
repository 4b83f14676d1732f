"""Records of dealt dice, against every order of the shoes."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludo_dsl.game.errors import GameError
from ludo_dsl.play.chance import Shoes
from ludo_dsl.play.deal_records import fits, read_record
from ludo_dsl.play.dealing import Dealing, Dealt, Judgement
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.rules.book import DiceSpec, SettingValue
from ludo_dsl.rules.expressions import ALWAYS, NEVER, And, Fact, FactOf, Not, Number, Or, RolledTimes
from ludo_dsl.rules.statements import NeverRoll, StatementId
from ludo_dsl.rules.table import Table
from tests.game.tables import Setup

HOW = ("waits", "returns", "redrawn")


def table(**chosen: SettingValue) -> Table:
    return Setup("ludolive", 2, tuple((name.replace("_", "-"), value) for name, value in sorted(chosen.items()))).table


def check(text: str, at: Table | None = None) -> Judgement:
    return Dealing(at or table()).check(read_record("r", text).rolls)


def line(found: Judgement) -> int | None:
    return found.refuted.line if found.refuted else None


# ---- by hand -----------------------------------------------------------------------------------------------------------


def test_a_third_six_in_a_turn_is_refuted() -> None:
    found = check("red 6\nred 6\nred 6\n")
    assert found.refuted is not None
    assert (found.refuted.line, found.refuted.rule, found.refuted.clauses) == (3, "two-sixes", ("LL-10",))
    assert found.refuted.message == "a 6 has come 2 times in this turn of red and may not come again"


def test_turns_are_told_apart() -> None:
    # Two sets: the third six needs a new shoe even in a new turn.
    assert line(check("red 6\nyellow 1\nred 6\nyellow 2\nred 1\n")) is None
    assert line(check("red 6\nyellow 1\nred 6\nyellow 2\nred 6\n")) == 5
    assert line(check("red 6\nred 6\nturn red\nred 5\n")) is None


def test_a_face_more_often_than_the_shoe_holds_it() -> None:
    rolls = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    text = "".join(f"red {face}\nyellow {face}\n" for face in rolls)
    # Twelve rolls empty a shoe, and the thirteenth is the first of a new one.
    for face in range(1, 7):
        assert line(check(f"{text}red {face}\n")) is None
    found = check("red 5\nyellow 1\nred 5\nyellow 1\nred 5\n")
    assert found.refuted is not None
    assert (found.refuted.line, "LL-06" in found.refuted.clauses) == (5, True)
    assert found.refuted.message == "the shoe of red cannot give 5 here: what it can give is 1, 2, 3, 4, 6"
    assert line(check("red 5\nyellow 1\nred 5\nyellow 1\nred 5\n", table(shoe_sets=3))) is None


def test_a_six_that_waits_comes_first() -> None:
    # One set, a shoe of six faces. All but the 6 have come when the turn ends with two sixes from a shoe before; see below.
    at = table(shoe_sets=1)
    # Five others, then only the 6 is left.
    start = "".join(f"red {face}\nyellow 1\n" if face == 1 else f"turn red\nred {face}\n" for face in (1, 2, 3, 4, 5))
    assert line(check(start + "turn red\nred 6\n", at)) is None
    found = check(start + "turn red\nred 5\n", at)
    assert found.refuted is not None
    assert found.refuted.message.endswith("what it can give is 6")


SIXES = "red 6\nred 6\n"
"""Both sixes of a shoe of two sets, in one turn: the rest of the turn bars a six that is no longer there."""


def test_what_becomes_of_a_barred_six_decides() -> None:
    # The shoe of two sets runs empty within a long turn of red that has had both sixes.
    ten = "".join(f"red {face}\n" for face in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5))
    # A new shoe begins within the turn, and its ten other faces come; its two sixes were barred all the time.
    full = SIXES + ten + ten
    for how, after in (("waits", True), ("returns", True), ("redrawn", False)):
        at = table() if how == "waits" else table(skipped_six=how)
        assert line(check(full, at)) is None
        # In the next turn the two sixes are all that is left where none is lost; where they are put aside, they may be lost.
        assert line(check(full + "turn red\nred 6\n", at)) is None
        assert (line(check(full + "turn red\nred 1\n", at)) == 24) is after
    # Four of the ten have come while a six was barred: a six that is not first is not waiting, and cannot be told.
    assert line(check(SIXES + ten + "red 1\nred 2\nturn red\nred 3\nturn red\nred 6\n")) is None
    # The sixes of the new shoe come both, and no third.
    assert line(check(SIXES + ten + "red 1\nturn red\nred 6\nturn red\nred 6\nturn red\nred 6\n")) == 19


def test_the_record_of_a_player_says_nothing_about_others() -> None:
    assert line(check("red 5\nyellow 5\nred 5\nyellow 5\nred 4\nyellow 5\n")) == 6


# ---- against every order of the shoes ----------------------------------------------------------------------------------


def tiny(how: str, faces: tuple[tuple[int, int], ...] = ((1, 2), (6, 2)), times: int = 1) -> Table:
    at = table()
    shoe = at.book.dice.shoe
    assert shoe is not None
    dealt = replace(shoe, sets=Number(1), barred=tuple((h, ALWAYS if h == how else NEVER) for h, _ in shoe.barred))
    never = NeverRoll(StatementId("two-sixes", 1), 6, RolledTimes(6, times, False))
    return replace(at, book=replace(at.book, dice=DiceSpec(1, faces, (), dealt)), statements=(never,))


def orders(faces: list[int]) -> set[tuple[int, ...]]:
    return set(permutations(faces))


def drawn(shoe: tuple[int, ...], face: int, allowed: set[int], how: str, full: list[int]) -> set[tuple[int, ...]]:
    """Every shoe that a shoe, in its order, can be after it gave the face: one step after the other, as the rules of the deal say."""
    found, seen, now = set(), set(), {shoe}
    while now:
        at = now.pop()
        if at in seen:
            continue
        seen.add(at)
        if not set(at) & allowed:
            now |= {at + more for more in orders(full)}
        elif how == "waits" or at[0] in allowed:
            place = next(i for i, f in enumerate(at) if f in allowed)
            if at[place] == face:
                found.add(at[:place] + at[place + 1 :])
        elif how == "redrawn":
            now.add(at[1:])
        else:
            now |= {at[1 : 1 + place] + at[:1] + at[1 + place :] for place in range(len(at))}
    return found


def by_every_order(rolls: list[tuple[int, bool]], faces: tuple[tuple[int, int], ...], how: str, times: int) -> int | None:
    full = [f for f, n in faces for _ in range(n)]
    shoes: set[tuple[int, ...]] = {()}
    sixes = 0
    for number, (face, begins) in enumerate(rolls, 1):
        sixes = 0 if begins else sixes
        allowed = {f for f, _ in faces} - ({6} if sixes >= times else set())
        shoes = {after for shoe in shoes if face in allowed for after in drawn(shoe, face, allowed, how, full)}
        if not shoes:
            return number
        sixes += face == 6
    return None


@pytest.mark.parametrize("how", HOW)
def test_the_check_is_exact_for_all_short_records(how: str) -> None:
    faces = ((1, 1), (6, 2))
    for length in range(1, 7):
        for shown, turns in product(product((1, 6), repeat=length), product((False, True), repeat=length)):
            rolls = list(zip(shown, turns, strict=True))
            record = [Dealt(n, "red", (face,), begins) for n, (face, begins) in enumerate(rolls, 1)]
            assert line(Dealing(tiny(how, faces)).check(record)) == by_every_order(rolls, faces, how, 1), rolls


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([1, 2, 6]), st.booleans()), min_size=1, max_size=7), st.sampled_from(HOW))
def test_the_check_is_exact_for_three_faces(rolls: list[tuple[int, bool]], how: str) -> None:
    faces = ((1, 1), (2, 1), (6, 2))
    record = [Dealt(n, "red", (face,), begins) for n, (face, begins) in enumerate(rolls, 1)]
    assert line(Dealing(tiny(how, faces)).check(record)) == by_every_order(rolls, faces, how, 1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(HOW), st.lists(st.integers(0, 5), min_size=30, max_size=60), st.sampled_from([1, 2, 3]))
def test_what_the_shoes_deal_is_never_refuted(seed: int, how: str, turns: list[int], sets: int) -> None:
    chosen: dict[str, SettingValue] = {"skipped_six": how, "shoe_sets": sets}
    chosen = {name: value for name, value in chosen.items() if value not in ("waits", 2)}
    at = table(**chosen)
    source = Shoes(at, random.Random(seed))
    record: list[Dealt] = []
    for number, length in enumerate(turns):
        sixes, player = 0, number % 2
        for roll in range(length + 1):
            face = source.roll(player, (1, 2, 3, 4, 5) if sixes >= 2 else (1, 2, 3, 4, 5, 6))[0]
            sixes += face == 6
            record.append(Dealt(len(record) + 1, at.players[player].name, (face,), roll == 0))
    assert Dealing(at).check(record).refuted is None
    # Two sixes and a third in one turn are refuted wherever they come.
    more = [Dealt(len(record) + n, "red", (6,), n == 1) for n in (1, 2, 3)]
    assert (line(Dealing(at).check([*record, *more])) or 0) > len(record)


def test_a_returned_face_may_come_anywhere() -> None:
    at = tiny("returns", ((1, 2), (6, 2)))
    # 6, then a 1 while the other six was barred; then both orders of what is left.
    for rest in ((1, 6), (6, 1)):
        record = [Dealt(1, "red", (6,), True), Dealt(2, "red", (1,))]
        record += [Dealt(n, "red", (face,), True) for n, face in enumerate(rest, 3)]
        assert Dealing(at).check(record).refuted is None
        assert line(Dealing(at).check([*record[:3], Dealt(4, "red", (rest[0],), True)])) == 4


# ---- rules that hang on more than the rolls ----------------------------------------------------------------------------


def test_conditions_on_the_board_leave_both_cases_open() -> None:
    board = FactOf(next(f for f in Fact if f not in (Fact.DIE,)))
    twice = RolledTimes(6, 2, False)
    for condition, refuted in (
        (board, None), (And((board, twice)), None), (Or((board, twice)), 3), (Not(board), None), (And((board, NEVER)), None),
        (Or((board, ALWAYS)), 1), (Not(Not(twice)), 3), (RolledTimes(6, 2, True), 3),
    ):  # fmt: skip
        at = replace(table(shoe_sets=3), statements=(NeverRoll(StatementId("two-sixes", 1), 6, condition),))
        assert line(check("red 6\nred 6\nred 6\n", at)) == refuted, condition


def test_fair_dice_cannot_be_checked_so() -> None:
    with pytest.raises(GameError, match="not dealt from shoes"):
        Dealing(Setup("amarnepal", 2).table)


# ---- records -----------------------------------------------------------------------------------------------------------


def test_a_record_is_read() -> None:
    record = read_record("r", "# evening\nvariant ludolive\nplayers 3\nreading shoe-sets=1 # few\n\nred 6\n  red 5\nturn red\nred 4\r\n")
    assert (record.variant, record.players, record.readings) == ("ludolive", 3, ("shoe-sets=1",))
    assert record.rolls == (Dealt(6, "red", (6,)), Dealt(7, "red", (5,)), Dealt(9, "red", (4,), True))
    assert read_record("r", "red 6,2\nred 3 4\n").rolls == (Dealt(1, "red", (6, 2)), Dealt(2, "red", (3, 4)))


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("red\n", 1, "no roll"),
        ("red 6\nred six\n", 2, "no roll"),
        ("red ²\n", 1, "no roll"),
        ("red -1\n", 1, "no roll"),
        ("red 6\nvariant x\n", 2, "before the rolls"),
        ("variant\n", 1, "one word more"),
        ("turn\n", 1, "names the player"),
        ("turn red\nyellow 1\n", 2, "turn of red begins"),
        ("variant a\nvariant b\n", 1, "given twice"),
        ("players x\n", 1, "followed by a number"),
    ],
)
def test_lines_that_are_none_of_a_record(text: str, at: int, told: str) -> None:
    with pytest.raises(RecordError, match=told) as caught:
        read_record("r", text)
    assert caught.value.line == at


@pytest.mark.parametrize(("text", "told"), [("pink 6\n", "nobody"), ("red 7\n", "no face 7"), ("red 1,2\n", "shows 1 dice, not 2")])
def test_rolls_that_nobody_can_make(text: str, told: str) -> None:
    with pytest.raises(RecordError, match=told):
        fits("r", table(), read_record("r", text))
