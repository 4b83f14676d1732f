"""The meeting table: cells worked out by hand for each rule book of the project, and a faulty book for each fault."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ludo_dsl.check.book import resolve
from ludo_dsl.check.meeting_cells import Cell, Fate, MeetingTable, Reach, Verdict
from ludo_dsl.check.meeting_text import as_json, rows
from ludo_dsl.check.meetings import TABLES, check_meetings, meeting_table, tables
from ludo_dsl.check.places import Places
from ludo_dsl.check.residuals import can_hold, must_hold
from ludo_dsl.diagnostics import Diagnostic
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import And, Compare, CounterId, CounterOf, DieIs, Expr, Fact, FactOf, Not, Number, Or, Owner
from ludo_dsl.rules.table import make_table
from ludo_dsl.source import Source
from ludo_dsl.syntax.parser import read_source

OWN, ALLIES, ENEMIES = Owner.OWN, Owner.ALLIES, Owner.ENEMIES


def book_of(name: str) -> Book:
    return resolve(read_source(spec_path("variants", f"{name}.ludo")))


def table_of(
    name: str, players: int | None = None, options: Mapping[str, object] | None = None, readings: Mapping[str, object] | None = None
) -> MeetingTable:
    return meeting_table(make_table(book_of(name), players, options, readings))


def fates(cell: Cell, relation: Owner | None) -> list[tuple[Fate, str]]:
    """What becomes of a relation, and the rule that says so."""
    return [(o.fate, o.rule.rule if o.rule else "") for o in cell.of(relation)]


# ---- the rule books of the project -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", variant_names())
def test_the_books_decide_every_meeting_once(name: str) -> None:
    source = read_source(spec_path("variants", f"{name}.ludo"))
    book = resolve(source)
    assert check_meetings(book, Places(source, book)) == []


def test_amarnepal() -> None:
    table = table_of("amarnepal")
    assert [s.label for s in table.ground.squares] == ["track", "star", "start", "lane"]
    stack = table.find("track", enemies=(2,))
    assert fates(stack, ENEMIES) == [(Fate.CAPTURED, "capture")]
    assert stack.passing.verdict is Verdict.ALLOWED
    for square in ("star", "start"):
        assert fates(table.find(square, own=1, enemies=(1,)), ENEMIES) == [(Fate.SHARE, "safe-squares")]
        assert fates(table.find(square, own=1, enemies=(1,)), OWN) == [(Fate.SHARE, "own-company")]
    assert fates(table.find("lane", own=3), OWN) == [(Fate.SHARE, "own-company")]
    with pytest.raises(KeyError, match="lane"):
        table.find("lane", enemies=(1,))


def test_card_kings() -> None:
    table = table_of("card-kings")
    assert fates(table.find("track", enemies=(2,)), ENEMIES) == [(Fate.CAPTURED, "capture")]
    assert fates(table.find("star", enemies=(1,)), ENEMIES) == [(Fate.SHARE, "safe-squares")]
    assert fates(table.find("track", own=2), OWN) == [(Fate.SHARE, "no-blocks")]


def test_ludo_cities_knows_no_safe_start() -> None:
    table = table_of("ludo-cities", options={"rules": "classic"})
    assert [s.label for s in table.ground.squares] == ["track", "star", "lane"]
    cell = table.find("track", enemies=(2,))
    assert [(o.fate, o.reach) for o in cell.of(ENEMIES)] == [(Fate.CAPTURED, Reach.ALL)]
    assert not [c for c in table.cells if ALLIES in c.company.present]


def test_ludo_cities_teams_and_one_kick() -> None:
    table = table_of("ludo-cities", 4, {"teams": "on"}, {"kicked": "one"})
    cell = table.find("track", allies=1, enemies=(1,))
    assert fates(cell, ALLIES) == [(Fate.SHARE, "company")]
    assert [(o.fate, o.reach) for o in cell.of(ENEMIES)] == [(Fate.CAPTURED, Reach.ONE)]


@pytest.mark.parametrize("square", ["start", "star"])
def test_ludolive_square_gives_way_to_the_fifth(square: str) -> None:
    table = table_of("ludolive")
    fourth = table.find(square, own=1, enemies=(2,))
    assert fates(fourth, ENEMIES) == [(Fate.SHARE, "safe-squares")]
    assert fates(fourth, None) == []
    fifth = table.find(square, own=1, enemies=(3,))
    for who in (OWN, ENEMIES, None):
        assert fates(fifth, who) == [(Fate.YARD, "gives-way")]


def test_ludolive_shelter_of_the_owner_only() -> None:
    table = table_of("ludolive", readings={"shelter": "owner"})
    assert fates(table.find("own start", enemies=(1,)), ENEMIES) == [(Fate.CAPTURED, "capture")]
    alone = {c.company.groups[0].at_home: c for c in table.cells if c.square.label == "another's start" and _sizes(c) == (1,)}
    assert fates(alone[True], ENEMIES) == [(Fate.SHARE, "safe-squares")]
    assert fates(alone[False], ENEMIES) == [(Fate.CAPTURED, "capture")]
    both = table.find("another's start", enemies=(1, 1))
    captured = next(o for o in both.of(ENEMIES) if o.fate is Fate.CAPTURED)
    assert [both.company.groups[i].at_home for i in captured.covers] == [False]


def _sizes(cell: Cell) -> tuple[int, ...]:
    return tuple(g.count for g in cell.company.groups) if cell.company.present == (ENEMIES,) else ()


@pytest.mark.parametrize("square", ["track", "star", "start"])
def test_qdan_pairs_block(square: str) -> None:
    table = table_of("qdan")
    pair = table.find(square, enemies=(2,))
    assert pair.forbidden
    assert [rule.rule for rule, _ in pair.passing.refusals] == ["blocking"]
    assert pair.passing.verdict is Verdict.REFUSED
    two_colours = table.find(square, enemies=(1, 1))
    assert not two_colours.forbidden
    assert two_colours.passing.verdict is Verdict.ALLOWED
    assert table.find(square, enemies=(2, 1)).forbidden
    own_pair = table.find(square, own=2)
    assert own_pair.passing.verdict is Verdict.ALLOWED
    assert fates(own_pair, OWN) == [(Fate.SHARE, "own-company")]


def test_qdan_single_enemies() -> None:
    table = table_of("qdan")
    assert fates(table.find("track", enemies=(1, 1)), ENEMIES) == [(Fate.CAPTURED, "capture")]
    assert fates(table.find("star", enemies=(1,)), ENEMIES) == [(Fate.SHARE, "shelter")]


def test_qdan_own_pairs_block_too() -> None:
    table = table_of("qdan", readings={"own-block": "yes"})
    assert table.find("track", own=2).forbidden
    assert table.find("lane", own=2).passing.verdict is Verdict.REFUSED
    assert not table.find("track", own=1).forbidden


@pytest.mark.parametrize(("where", "lane"), [("everywhere", Verdict.REFUSED), ("track", Verdict.ALLOWED)])
def test_qdan_no_overtaking(where: str, lane: Verdict) -> None:
    table = table_of("qdan", options={"blocking": "no-overtaking"}, readings={"overtaking": where})
    assert table.find("track", own=1).passing.verdict is Verdict.REFUSED
    assert table.find("lane", own=1).passing.verdict is lane
    assert fates(table.find("track", enemies=(2,)), ENEMIES) == [(Fate.CAPTURED, "capture")]


def test_qdan_safe_squares_are_an_option() -> None:
    table = table_of("qdan", options={"safe-squares": "start"})
    assert [s.label for s in table.ground.squares] == ["track", "start", "lane"]
    assert [s.label for s in table_of("qdan", options={"safe-squares": "none"}).ground.squares] == ["track", "lane"]


# ---- faulty books ----------------------------------------------------------------------------------------------------

HEAD = """variant small "Small"

{settings}
board
  arms 4
  arm 13 squares
  turning 2 before start
  lane 4 {lane}
  mark star at 8

players 2..4
  colours red, green, yellow, blue
  for 2 red, yellow
  for 3 red, green, yellow
  for 4 red, green, yellow, blue
  pieces 4 in yard

dice 1 d6

rule travel
  may advance
  may enter if die = 6

rule own-company
  when landing if own here >= 2
    share with own

"""


def faults(rules: str, settings: str = "", lane: str = "squares", head: str = HEAD) -> list[Diagnostic]:
    source = Source("<test>", head.format(settings=settings, lane=lane) + rules)
    book = resolve(source)
    return check_meetings(book, Places(source, book))


def rule(name: str, when: str, effect: str) -> str:
    return f"rule {name}\n  when landing {when}\n    {effect}\n\n"


CAPTURE = "send enemies here to yard as capture"
SHARE = "share with enemies"


def test_two_rules_for_one_meeting() -> None:
    (fault,) = faults(rule("capture", "on track if enemies here", CAPTURE) + rule("refuge", "on star if enemies here", SHARE))
    assert fault.code == "L0501"
    assert "`refuge` and `capture`" in fault.message
    assert "on a star where there is 1 enemy " in fault.message
    assert fault.source.slice(fault.span).startswith("when landing on star")
    (label,) = fault.labels
    assert fault.source.slice(label.span).startswith("when landing on track")
    assert "`if here is not star`" in fault.hint


def test_the_hint_of_a_conflict_cures_it() -> None:
    capture = rule("capture", "on track if here is not star and enemies here", CAPTURE)
    assert faults(capture + rule("refuge", "on star if enemies here", SHARE)) == []


@pytest.mark.parametrize(
    ("one", "two", "codes"),
    [
        ("die = 6", "die != 6", []),
        ("die >= 5", "die < 5", []),
        ("die >= 5", "die <= 5", ["L0501"]),
        ("die = 6", "die = 5", ["L0502"]),
        ("entered", "not entered", []),
        ("entered", "round >= 2", ["L0501", "L0502"]),
        ("round >= 2", "not round > 1", []),
    ],
)
def test_conditions_that_are_left(one: str, two: str, codes: list[str]) -> None:
    capture = rule("capture", f"if enemies here and {one}", CAPTURE)
    found = faults(capture + rule("refuge", f"if enemies here and {two}", SHARE))
    assert [f.code for f in found] == codes


def test_the_smallest_example_counts_the_mover() -> None:
    rules = rule("full", "if pieces here >= 5", "send pieces here to yard") + rule("refuge", "if enemies here and pieces here <= 5", SHARE)
    found = [f for f in faults(rules) if "enemies:" in f.message]
    # Four that stand there and the mover are five; one fewer, and only `refuge` speaks.
    assert len(found) == 1
    assert "where there are 4 enemies " in found[0].message


@pytest.mark.parametrize(
    ("one", "two", "conflict"),
    [
        (CAPTURE, "send enemies here to yard", True),
        (CAPTURE, "send one of enemies here to yard as capture", True),
        (SHARE, "send piece to yard", True),
        (CAPTURE, "send piece to home", False),
        ("send piece to yard", "send piece to home", True),
        (CAPTURE, CAPTURE, False),
        (SHARE, "roll again", False),
    ],
)
def test_effects_that_differ(one: str, two: str, conflict: bool) -> None:
    found = faults(rule("one", "if enemies here", one) + rule("two", "if enemies here", two))
    assert [f.code for f in found] == (["L0501"] if conflict else [])


def test_a_narrower_send_goes_with_sharing() -> None:
    send = rule("strangers", "on start if enemies here off own start", "send enemies here off own start to yard as capture")
    track = rule("capture", "on track if here is not start and enemies here", CAPTURE)
    assert faults(track + send + rule("hosts", "on start if enemies here on own start", SHARE)) == []
    (fault,) = faults(track + send + rule("hosts", "on start if enemies here", SHARE))
    assert fault.code == "L0501"


def test_a_forbidden_landing_is_no_meeting() -> None:
    pair = "rule pair\n  never land on 2 enemies of one colour\n\n"
    single = rule("capture", "if enemies here", CAPTURE)
    assert faults(pair + single) == []
    both = rule("refuge", "if enemies here >= 4", SHARE)
    # With three enemy colours, no four enemies can stand without a pair; without the guard they could.
    assert faults(pair + single + both) == []
    assert [f.code for f in faults(single + both)] == ["L0501"]


def test_a_landing_forbidden_on_a_condition() -> None:
    both = rule("capture", "if enemies here", CAPTURE) + rule("refuge", "if enemies here and die = 6", SHARE)
    assert [f.code for f in faults(both)] == ["L0501"]
    assert faults(both + "rule no-six\n  never land on enemies if die = 6\n\n") == []


def test_who_has_come_out_and_walked_on() -> None:
    rules = rule("capture", "if enemies here", CAPTURE) + rule("refuge", "on star if enemies here and entered", SHARE)
    # Out of the yard a piece comes to a start square, and beyond it only with all dice at once.
    assert faults(rules) == []
    assert [f.code for f in faults(rules + "rule both\n  may move by all dice at once\n\n")] == ["L0501"]


def test_one_colour_at_home() -> None:
    head = HEAD.replace("  pieces 4 in yard", "  sides red + yellow, green + blue\n  pieces 4 in yard")
    strangers = rule("strangers", "on start if pieces here off own start", "send pieces here off own start to yard")
    table = meeting_table(make_table(resolve(Source("<test>", head.format(settings="", lane="squares") + strangers)), 4))
    hosts = [sum(g.at_home is True for g in c.company.groups) for c in table.cells if c.square.label == "another's start"]
    assert set(hosts) == {0, 1}


def test_a_meeting_that_nobody_decides() -> None:
    (fault,) = faults(rule("capture", "on track if here is not star and enemies here", CAPTURE))
    assert fault.code == "L0502"
    assert "enemies when a piece lands on a star where there is 1 enemy" in fault.message
    assert fault.source.slice(fault.span).startswith("when landing if own here >= 2")
    assert "`when landing on star if enemies here  share with enemies`" in fault.hint


def test_without_any_rule_of_landing() -> None:
    head = HEAD[: HEAD.index("rule own-company")]
    found = faults("", head=head)
    assert [f.code for f in found] == ["L0502", "L0502"]
    assert all(f.span.start == 0 for f in found)
    assert "`when landing if own here >= 2  share with own`" in found[0].hint
    assert "`when landing if enemies here  share with enemies`" in found[1].hint


def test_slots_hold_one_piece() -> None:
    head = HEAD.replace("when landing if own", "when landing on track if own")
    capture = rule("capture", "if enemies here", CAPTURE)
    assert [f.code for f in faults(capture, head=head, lane="squares")] == ["L0502"]
    assert faults(capture, head=head, lane="slots") == []


OPTION = """option refuge "Refuge"
  default off "Off"
  choice on "On"
    when landing on star if enemies here
      share with enemies

"""


def test_the_option_of_a_conflict_is_named() -> None:
    (fault,) = faults(rule("capture", "if enemies here", CAPTURE), settings=OPTION)
    assert fault.code == "L0501"
    assert "with `refuge` on" in fault.message
    assert "players" not in fault.message


def test_the_players_of_a_conflict_are_named() -> None:
    rules = rule("capture", "if enemies here", CAPTURE) + rule("refuge", "if enemies here and players = 3", SHARE)
    (fault,) = faults(rules)
    assert "with 3 players" in fault.message


def test_what_happens_in_passing() -> None:
    capture = rule("capture", "if enemies here", CAPTURE)
    over = capture + "rule over\n  when passing if enemies here\n    send enemies here to yard as capture\n\n"
    assert faults(over) == []
    (fault,) = faults(over + "rule free\n  when passing if enemies here\n    share with enemies\n\n")
    assert "passing on the track" in fault.message


def test_many_options_are_sampled() -> None:
    names = [f"extra-{i}" for i in range(12)]
    settings = "".join(f'option {n} "{n}"\n  default off "Off"\n  choice on "On"\n\n' for n in names)
    asked = " or ".join(f"{n} is on" for n in names)
    rules = rule("capture", "if enemies here", CAPTURE) + rule("refuge", f"if enemies here and ({asked})", SHARE)
    source = Source("<test>", HEAD.format(settings=settings, lane="squares") + rules)
    book = resolve(source)
    assert len([*tables(book)]) == TABLES
    (fault,) = check_meetings(book, Places(source, book))
    assert "with `extra-0` on" in fault.message


# ---- what is left of conditions --------------------------------------------------------------------------------------

DIE = FactOf(Fact.DIE)
A, B = DieIs("a"), DieIs("b")


def at_least(number: int) -> Expr:
    return Compare(">=", CounterOf(CounterId("n")), Number(number))


def test_can_hold() -> None:
    assert can_hold(And((A, Not(B))))
    assert not can_hold(And((A, Not(A))))
    assert not can_hold(And((at_least(3), Not(at_least(2)))))
    assert can_hold(And((at_least(2), Not(at_least(3)))))
    assert can_hold(Compare("=", DIE, Number(7)))
    assert not can_hold(Compare("=", DIE, Number(7)), faces=range(1, 7))


def test_must_hold() -> None:
    assert must_hold(Or((A, Not(A))))
    assert not must_hold(Or((A, Not(B))))
    assert must_hold(Or((at_least(2), Compare("<=", CounterOf(CounterId("n")), Number(1)))))
    assert must_hold(Or((Compare("!=", DIE, DIE), Compare("=", DIE, DIE))))


# ---- for people ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", variant_names())
def test_the_table_of_each_book_is_short(name: str) -> None:
    table = table_of(name)
    assert 4 <= len(rows(table)) <= 40
    meetings = as_json(table)["meetings"]
    assert isinstance(meetings, list)
    assert len(meetings) == len(table.cells) > len(rows(table))


def test_rows_of_qdan() -> None:
    found = {(r.square, r.company): r for r in rows(table_of("qdan"))}
    pair = found["star, start", "2 or more enemies of one colour"]
    assert (pair.passing, pair.outcomes) == ("refused (blocking)", (("", "landing forbidden (blocking)"),))
    single = found["track", "enemies, no two of one colour"]
    assert (single.passing, single.outcomes) == ("allowed", (("enemies", "captured (capture)"),))


def test_rows_of_two_players_need_no_colours() -> None:
    companies = [r.company for r in rows(table_of("qdan", 2)) if r.square == "track"]
    assert companies == ["own pieces", "1 enemy", "2 or more enemies", "mixed company"]


def test_rows_of_ludolive() -> None:
    companies = [r.company for r in rows(table_of("ludolive")) if r.square == "star, start"]
    together = "own pieces and enemies, 4 or more together"
    assert companies == ["own pieces", "1 to 3 enemies", "4 or more enemies", together, "other mixed company"]


def test_rows_tell_what_is_left_of_a_condition() -> None:
    source = Source("<test>", HEAD.format(settings="", lane="squares") + rule("capture", "if enemies here and die = 6", CAPTURE))
    table = meeting_table(make_table(resolve(source)))
    (row,) = [r for r in rows(table) if r.square == "track" and r.company == "enemies"]
    assert row.outcomes == (("enemies", "captured if die = 6 (capture)"),)


def test_own_pieces_of_two_colours_may_be_no_pair() -> None:
    head = HEAD.replace("players 2..4", "players 2..2").replace("for 2 red, yellow\n", "for 2 red + yellow, green + blue\n")
    head = head.replace("  for 3 red, green, yellow\n  for 4 red, green, yellow, blue\n", "")
    pair = "rule pair\n  never pass 2 own of one colour\n\n"
    source = Source("<test>", head.format(settings="", lane="squares") + rule("capture", "if enemies here", CAPTURE) + pair)
    table = meeting_table(make_table(resolve(source)))
    # Two may be one of each colour; of three, two are of one colour; the lane belongs to a single colour.
    verdicts = [table.find("track", own=n).passing.verdict for n in (1, 2, 3)]
    assert verdicts == [Verdict.ALLOWED, Verdict.PERHAPS, Verdict.REFUSED]
    assert table.find("lane", own=2).passing.verdict is Verdict.REFUSED
