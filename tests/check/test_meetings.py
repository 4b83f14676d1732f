"""The meeting table: cells worked out by hand for each rule book of the project, and a faulty book for each fault."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from ludo_dsl.check.book import resolve
from ludo_dsl.check.meeting_cells import Cell, Fate, MeetingTable, Reach, Verdict
from ludo_dsl.check.meeting_text import AS_ALONE, Row, as_json, body_of, rows
from ludo_dsl.check.meetings import TABLES, check_meetings, meeting_table, tables
from ludo_dsl.check.places import Places
from ludo_dsl.check.residuals import can_hold, must_hold
from ludo_dsl.check.squares import Company
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


WALLS = ["never pass or land on 2 enemies of one colour"]


def walled(guards: list[str]) -> Book:
    """LudoLive with guards against enemies that stand together, as a house rule."""
    written = "\n".join(f"  {guard}" for guard in guards)
    sentence = '"{2:word} or more tokens of one colour stop the others."'
    text = f'variant short "Short" extends ludolive\n\ndrop rule passing-over\n\nrule walls\n  {sentence}\n{written}\n'
    return resolve(Source(str(spec_path("variants", "short.ludo")), text))


def companies_on(table: MeetingTable, square: str) -> list[str]:
    return [r.company for r in rows(table) if square in r.square.split(", ")]


def test_rows_of_walls_that_give_way() -> None:
    table = meeting_table(make_table(walled(WALLS)))
    assert companies_on(table, "star") == [
        "own pieces",
        "1 to 3 enemies, no two of one colour",
        "2 or more enemies of one colour",
        "4 or more enemies, no two of one colour",
        "own pieces and enemies, 4 or more together, no two enemies of one colour",
        "other mixed company",
    ]
    wall = table.find("star", own=3, enemies=(2,))
    assert (wall.passing.verdict, wall.forbidden) == (Verdict.REFUSED, True)
    assert [r.company for r in covering(rows(table), wall)] == ["other mixed company"]


def test_rows_of_parchis_count_by_colour() -> None:
    companies = companies_on(table_of("parchis"), "track")
    assert companies[2:5] == ["1 enemy", "2 or more enemies, no two of one colour", "2 or more enemies of one colour"]


def test_rows_tell_at_most_and_the_commonest_colour() -> None:
    table = meeting_table(make_table(walled(["never pass 2 enemies of one colour", "never land on 3 enemies of one colour"])))
    assert companies_on(table, "track")[1:4] == [
        "enemies, no two of one colour",
        "enemies, 2 of the commonest colour",
        "3 or more enemies of one colour",
    ]
    table = meeting_table(make_table(walled(["never land on 3 enemies of one colour"])))
    assert companies_on(table, "track")[1:3] == ["enemies, at most 2 of one colour", "3 or more enemies of one colour"]


@pytest.mark.parametrize("name", variant_names())
def test_the_rows_of_each_book_are_exact(name: str) -> None:
    for table in tables(book_of(name)):
        check_rows(meeting_table(table))


@pytest.mark.parametrize(
    "guards",
    [
        WALLS,
        ["never pass or land on 2 pieces of one colour"],
        ["never pass or land on 3 enemies of one colour"],
        ["never pass 2 enemies of one colour", "never land on 3 enemies of one colour"],
        ["never pass 2 own of one colour", "never land on 2 enemies of one colour if here is star"],
        ["never land on 4 pieces", "never pass 2 enemies of one colour if die = 6"],
        ["never pass 3 enemies", "never land on 2 enemies of one colour"],
    ],
)
@pytest.mark.parametrize("shelter", ["anyone", "owner"])
def test_the_rows_of_house_rules_are_exact(guards: list[str], shelter: str) -> None:
    book = walled(guards)
    for players in book.players.counts:
        check_rows(meeting_table(make_table(book, players, readings={"shelter": shelter})))


@pytest.mark.parametrize(
    "rules",
    [
        "rule guard\n  never land on enemies if own here = 0\n\n",
        "rule guard\n  never land on enemies\n\nrule over\n  when passing if own here and enemies here\n    send enemies here to yard\n\n",
        "rule guard\n  never land on enemies\n  never land on own if enemies here\n\n",
        "rule some\n  when landing if enemies here = 2\n    share with enemies\n\n",
        "rule some\n  when landing if enemies here\n    send one of pieces here to yard\n\n",
    ],
)
def test_the_rows_of_faulty_books_are_exact(rules: str) -> None:
    book = resolve(Source("<test>", HEAD.format(settings="", lane="squares") + rules))
    for players in book.players.counts:
        check_rows(meeting_table(make_table(book, players)))


def check_rows(table: MeetingTable) -> None:
    """Every meeting is covered by one row, read as it is worded, and the row tells what comes out."""
    found = rows(table)
    cells = {(c.square.label, c.company): c for c in table.cells}
    used = set()
    for cell in table.cells:
        (row,) = covering(found, cell)
        used.add(row)
        if row.passing == AS_ALONE:
            parts = [Company(tuple(g for g in cell.company.groups if g.owner is r)) for r in cell.company.present]
            check_as_alone(cell, [cells[cell.square.label, part] for part in parts])
        else:
            assert (row.passing, row.outcomes) == body_of(cell), row
    assert used == set(found)


def check_as_alone(cell: Cell, alone: list[Cell]) -> None:
    bodies = [body_of(c) for c in alone]
    if cell.passing.verdict is Verdict.ALLOWED:
        assert {c.passing.verdict for c in alone} == {Verdict.ALLOWED}
    told = {part for passing, _ in bodies for part in passing.split("; ")}
    assert {*body_of(cell)[0].split("; ")} - {"allowed"} == told - {"allowed"}
    assert cell.forbidden == any(c.forbidden for c in alone)
    if cell.forbidden:
        bodies = [body for body, c in zip(bodies, alone, strict=True) if c.forbidden]
    assert {*texts(body_of(cell)[1])} == {text for _, outcomes in bodies for text in texts(outcomes)}


def texts(outcomes: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    return ((who, text) for who, all_texts in outcomes for text in all_texts.split("; "))


_AMOUNT = r"(?:(?P<low>\d+)(?: to (?P<high>\d+)|(?P<more> or more))? ?)"
_PLACE = r"(?P<place> on their own start square| off their own start square| off theirs)?"
_PIECES = re.compile(rf"{_AMOUNT}?(?P<who>own|all|enem)(?: pieces?|y|ies)(?P<colour> of one colour)?{_PLACE}")
_COLOUR = re.compile(rf", (?:(?P<single>no two)|at most (?P<most>\d+)|{_AMOUNT})(?: ?enemies{_PLACE})? ?of (?:one|the commonest) colour$")
_TOGETHER = re.compile(rf", {_AMOUNT}together$")
_WHO = {"own": OWN, "all": ALLIES, "enem": ENEMIES}


def covering(found: list[Row], cell: Cell) -> list[Row]:
    """The rows that are about a meeting, by their words alone."""
    here = [r for r in found if cell.square.label in r.square.split(", ")]
    told = [r for r in here if not r.company.endswith("mixed company") and _is_told(r.company, cell.company)]
    mixed = len(cell.company.present) > 1
    return told + [r for r in here if mixed and (r.company == "mixed company" or (r.company == "other mixed company" and not told))]


def _is_told(text: str, company: Company) -> bool:
    sizes: dict[tuple[Owner, bool], list[int]] = {}
    for group in company.groups:
        sizes.setdefault((group.owner, group.owner is not OWN and group.at_home is True), []).append(group.count)
    strangers = max(sizes.get((ENEMIES, False), [0]))
    answers = []
    if colour := _COLOUR.search(text):
        text = text[: colour.start()]
        highest = 1 if colour["single"] else int(colour["most"] or 0)
        answers.append(0 < strangers <= highest if highest else _within(colour, strangers))
    if together := _TOGETHER.search(text):
        text = text[: together.start()]
        answers.append(_within(together, sum(g.count for g in company.groups)))
    axes = set()
    for words in re.split(", | and ", text):
        pieces = _PIECES.fullmatch(words)
        assert pieces, words
        axis = (_WHO[pieces["who"]], pieces["place"] == " on their own start square")
        axes.add(axis)
        there = sizes.get(axis, [0])
        answers.append(_within(pieces, max(there) if pieces["colour"] else sum(there)))
        if pieces["colour"] and not pieces["more"]:
            answers.append(max(there) == sum(there))
    return axes == set(sizes) and all(answers)


def _within(match: re.Match[str], number: int) -> bool:
    if match["low"] is None:
        return True
    low = int(match["low"])
    return low <= number and (bool(match["more"]) or number <= int(match["high"] or low))


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
