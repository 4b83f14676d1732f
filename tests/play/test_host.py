"""The table around the game: events one by one, and many tables at once. Scripts of every clause are in `conformance/tables`."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl import load
from ludo_dsl.check.clauses import register
from ludo_dsl.play.forced import forced_choice
from ludo_dsl.play.game import Game, RuleBook
from ludo_dsl.play.host import Party, apply, open_table
from ludo_dsl.play.host_events import (
    AwayError,
    Begin,
    Clock,
    ClockError,
    Computed,
    ElsewhereError,
    HostError,
    Leave,
    Moved,
    Note,
    NoteKind,
    NotNowError,
    OutOfTurnError,
    PlayAgain,
    Return,
    ReturnedTwiceError,
    Rolled,
    RoomError,
    SeatTakenError,
    Sit,
    TableEvent,
)
from ludo_dsl.play.results import rated
from ludo_dsl.play.script_runner import REFUSALS, run
from ludo_dsl.play.script_steps import FORMS
from ludo_dsl.play.scripts import read_script
from ludo_dsl.play.snapshot import snapshot, told
from ludo_dsl.resources import data_root, spec_path
from ludo_dsl.rules.hosting import VOCABULARY, Words, settle
from ludo_dsl.rules.table import TableError

SCRIPTS = sorted((data_root() / "conformance" / "tables").rglob("*.yaml"))


@cache
def book(name: str) -> RuleBook:
    return load(name)


def after(party: Party, *events: TableEvent) -> Party:
    for event in events:
        party, _ = apply(party, event)
    return party


def notes_of(party: Party, event: TableEvent) -> tuple[Note, ...]:
    return apply(party, event)[1]


def qdan(position: str | None = None, **given: Any) -> Party:
    """Yellow on device a and red on device b, the game begun."""
    party = open_table(book("qdan"), seed=given.pop("seed", 0), position=position, **given)
    return after(party, Sit("yellow", device="a"), Sit("red", device="b"), Begin())


# ---- scripts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_scripts_come_as_expected(path: Path) -> None:
    script = read_script(path)
    assert script.variant == path.parent.name
    assert script.clauses
    assert {register()[c].variant for c in script.clauses} == {script.variant}
    outcome = run(script)
    assert outcome.failed is None, json.dumps(outcome.as_json(), indent=1)


def test_every_clause_of_the_table_has_a_script() -> None:
    found = {clause for path in SCRIPTS for clause in read_script(path).clauses}
    hosts = {c.id for c in register().values() if c.kind == "host"}
    assert hosts | {"QD-40", "LC-02", "LC-25"} <= found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_an_expectation_that_is_wrong_is_noticed(path: Path) -> None:
    """Each `then` of each script, with something else in place of one expectation, fails at that step."""
    script = read_script(path)
    other = {str: "something-else", int: 99_999, float: 99_999.5, list: ["something-else"]}
    for i, step in enumerate(script.steps):
        for key, wanted in (step.then or {}).items():
            if isinstance(wanted, dict) or key in ("position", "seen"):
                continue
            changed = type(step)(step.text, step.event, step.line, {key: other[type(wanted)]}, None)
            steps = (*script.steps[:i], changed)
            outcome = run(type(script)(**{f.name: getattr(script, f.name) for f in fields(script)} | {"steps": steps}))
            assert outcome.failed is not None
            assert len(outcome.done) == i + 1


# ---- the machine -------------------------------------------------------------------------------------------------------


def test_a_table_is_a_value() -> None:
    party = qdan()
    before = snapshot(party)
    after(party, Rolled((6,)), Moved("Y>0"), Clock(5000), Leave("red"))
    assert snapshot(party) == before
    with pytest.raises(FrozenInstanceError):
        party.clock = 1  # type: ignore[misc]


def test_the_clock_goes_on() -> None:
    party = after(qdan(), Clock(1500))
    assert party.clock == 1500
    with pytest.raises(ClockError, match=r"stands at 1\.5s and cannot go back to 1s"):
        apply(party, Clock(-500))
    assert after(party, Clock(0)).clock == 1500


def test_time_is_up_at_the_limit_and_not_before() -> None:
    party = qdan(host={"turn-seconds": 60})
    assert after(party, Clock(59_999)).plays("yellow") == "person"
    assert after(party, Clock(60_000)).plays("yellow") == "computer"
    assert notes_of(party, Clock(60_000)) == (Note(NoteKind.TIME_OUT, "yellow"),)


def test_a_time_out_can_count_as_a_drop_out() -> None:
    # qdan does not offer it, a book without the setting does.
    with pytest.raises(TableError, match="does not offer `drop-out`"):
        qdan(host={"time-out": "drop-out"})
    host = {"turn-seconds": 10, "time-out": "drop-out", "forced-moves": "asked"}
    party = open_table(book("card-kings"), seed=1, begins="red", host=host)
    party = after(party, Sit("red"), Sit("yellow"), Begin(), Clock(10_000))
    assert party.plays("red") == "computer"
    # Back before the turn has ended: the turn stays the computer's, the next is the player's.
    party = after(party, Return("red"))
    assert party.plays("red") == "computer"
    with pytest.raises(ReturnedTwiceError):
        apply(party, Return("red"))


def test_seats_are_kept_for_the_device_that_was_left() -> None:
    party = qdan()
    with pytest.raises(ReturnedTwiceError):
        apply(party, Return("yellow", "a"))
    party = after(party, Leave("yellow"))
    with pytest.raises(AwayError):
        apply(party, Leave("yellow"))
    with pytest.raises(ElsewhereError, match="kept for the device `a`, not for `b`"):
        apply(party, Return("yellow", "b"))
    party = after(party, Return("yellow", "a"))
    with pytest.raises(ReturnedTwiceError):
        apply(party, Return("yellow", "a"))


def test_where_any_device_will_do_the_seat_moves_to_it() -> None:
    party = open_table(book("card-kings"), seed=1, begins="red", host={"return": "any-device"})
    party = after(party, Sit("red", device="a"), Sit("yellow", device="b"), Begin(), Leave("red"), Return("red", "c"))
    assert party.seat("red").device == "c"
    assert party.seat("red").away is None


def test_nobody_moves_out_of_turn() -> None:
    party = after(qdan(), Rolled((6,)))
    with pytest.raises(OutOfTurnError, match="it is the turn of `yellow`, not of `red`"):
        apply(party, Moved("Y>0", "red"))
    with pytest.raises(OutOfTurnError, match="not the computer"):
        apply(party, Computed())
    with pytest.raises(NotNowError):
        apply(qdan(), Moved("Y>0"))
    with pytest.raises(NotNowError, match="has not begun"):
        apply(open_table(book("qdan"), seed=0), Rolled((6,)))


def test_a_seat_is_taken_once() -> None:
    party = after(open_table(book("qdan"), seed=0), Sit("yellow"))
    with pytest.raises(SeatTakenError):
        apply(party, Sit("yellow", "computer"))
    with pytest.raises(RoomError, match="did you mean `sensible`"):
        apply(party, Sit("red", "sensable"))


def test_the_party_sets_the_number_of_players() -> None:
    with pytest.raises(RoomError, match="size of the party"):
        open_table(book("qdan"), seed=0, players=4)


def test_an_online_room_has_so_many_seats_and_no_more() -> None:
    party = open_table(book("mensch"), seed=0, host={"room": "online", "online-seats": 3, "empty-seats": "left-out"})
    party = after(party, *(Sit(name) for name in ("black", "yellow", "green")))
    assert after(party, Begin()).phase == "playing"
    with pytest.raises(RoomError, match="a room has 3 seats, not 4"):
        apply(after(party, Sit("red")), Begin())


def test_chance_lets_each_seat_begin_about_as_often() -> None:
    def first(seed: int) -> str | None:
        party = open_table(book("ludo-cities"), seed=seed, players=4)
        return after(party, *(Sit(name) for name in ("red", "green", "yellow", "blue")), Begin()).first

    found = [first(seed) for seed in range(120)]
    # 30 of each are to be expected, with a standard deviation of 4.7.
    assert all(10 <= found.count(name) <= 50 for name in ("red", "green", "yellow", "blue"))
    assert first(7) == first(7)


OVER = "yellow=H,H,H,L5 blue=Y,Y,Y,Y red=Y,Y,Y,Y turn=yellow"


@pytest.mark.parametrize(("how", "then"), [("rotate", ["yellow", "blue"]), ("same", ["yellow", "yellow"])])
def test_who_begins_a_series(how: str, then: Sequence[str]) -> None:
    party = open_table(book("qdan"), seed=5, host={"first-player": how}, position=OVER)
    party = after(party, Sit("yellow"), Sit("blue"), Sit("red"), Begin())
    begun = [party.first]
    party = after(party, Rolled((1,)), Moved("L5>H"))
    assert party.phase == "over"
    party = after(party, PlayAgain())
    begun.append(party.first)
    assert begun == then
    assert party.game is not None
    assert party.game.turn == party.first


def test_first_player_goes_round_the_table() -> None:
    """Four games of three computer players."""
    party = after(open_table(book("qdan"), seed=2), *(Sit(name, "random") for name in ("yellow", "blue", "red")), Begin())
    begun = []
    for _ in range(4):
        begun.append(party.first)
        while party.phase == "playing":
            party, _ = apply(party, Computed())
        party = after(party, PlayAgain())
    assert begun == ["yellow", "blue", "red", "yellow"]
    assert len(party.results) == 4
    assert [r.first for r in party.results] == begun


# ---- forced moves ------------------------------------------------------------------------------------------------------


def position(text: str, variant: str = "amarnepal", **options: object) -> Game:
    return book(variant).position(text, None, options)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=3", "20>23"),
        ("red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6", "Y>0"),
        ("red=20,20,20,20 yellow=Y,Y,Y,Y turn=red pool=6", "20>26"),
        ("red=20,20,Y,Y yellow=Y,Y,Y,Y turn=red pool=6", None),
        ("red=20,21,Y,Y yellow=Y,Y,Y,Y turn=red pool=3", None),
        ("red=L5,L5,20,Y yellow=Y,Y,Y,Y turn=red pool=2", "20>22"),
        ("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red", None),
        ("red=H,H,H,H yellow=Y,Y,Y,Y turn=over", None),
    ],
)
def test_moves_without_a_choice(text: str, made: str | None) -> None:
    game = position(text)
    choice = forced_choice(game)
    assert (choice is None) == (made is None)
    if choice is not None and made is not None:
        assert game.pick(choice).position == game.play(made).position


def test_tokens_on_one_square_are_no_choice_on_whatever_lap() -> None:
    """With capture before home, a token walks on past its turning and stands beside one that has just come out."""
    on = {"capture-first": "on"}
    game = position("red=51,0,H,H yellow=Y,Y,Y,Y turn=red pool=1", **on).play("51>0")
    assert game.position.startswith("red=H,H,0,0 yellow=Y,Y,Y,Y ")
    stack = position("red=H,H,0,0 yellow=Y,Y,Y,Y turn=red pool=3", **on)
    choice = forced_choice(stack)
    assert choice is not None
    assert stack.pick(choice).position.startswith("red=H,H,3,0 ")


PASSING = "yellow=Y,Y,Y,Y red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=yellow pool=2"


def test_a_pass_is_a_choice() -> None:
    """Where a player may decline to move, the only move is not forced."""
    game = position(PASSING, "pachisi")
    assert "pass" in game.legal()
    assert len(game.legal()) == 2
    assert forced_choice(game) is None


def test_forced_moves_are_made_for_people_only() -> None:
    party = open_table(book("amarnepal"), seed=0, players=2, position="red=20,Y,Y,Y yellow=5,Y,Y,Y turn=red")
    party = after(party, Sit("red", "computer"), Sit("yellow"), Begin(), Rolled((3,)))
    assert party.game is not None
    assert party.game.legal() == ["20>23"]


# ---- ratings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "sides", "points"),
    [
        ((1, 2), (0, 1), (1, 0)),
        ((1, 1), (0, 1), (0.5, 0.5)),
        ((1, 2, 2, 4), (0, 1, 2, 3), (3, 1.5, 1.5, 0)),
        ((1, 1, 1), (0, 1, 2), (1, 1, 1)),
        # Partners share a place and are no opponents: each beats two, or neither anybody.
        ((1, 2, 1, 2), (0, 1, 0, 1), (2, 0, 2, 0)),
    ],
)
def test_a_draw_counts_half(places: tuple[int, ...], sides: tuple[int, ...], points: tuple[float, ...]) -> None:
    settings = settle(book("qdan").table(), {"rated": "on"})
    assert rated(places, sides, settings) == points


def test_a_draw_may_count_nothing() -> None:
    settings = settle(book("mensch").table(), {"rated": "on", "draw": "nothing"})
    assert rated((1, 2, 2), (0, 1, 2), settings) == (2, 0, 0)


# ---- what a seat sees --------------------------------------------------------------------------------------------------

STARS = "red=20,2,Y,Y green=5,Y,Y,Y yellow=5,Y,Y,Y blue=5,Y,Y,Y turn=red stars.green=1"


def test_a_seat_sees_only_its_own_view() -> None:
    party = open_table(book("ludo-cities"), seed=0, players=4, position=STARS)
    party = after(party, *(Sit(name) for name in ("red", "green", "yellow", "blue")), Begin(), Rolled((1, 2)))
    # The first star of red: its count is for red to see, the points of the move are for all.
    party, notes = apply(party, Moved("20>21:1"))
    views = {name: str(snapshot(party, name)["position"]) for name in ("red", "green")}
    assert "stars.red=1" in views["red"].split()
    assert "stars.red=?" in views["green"].split()
    assert "stars.green=1" in views["green"].split()
    assert "stars.green=?" in views["red"].split()
    assert [n.kind for n in told(notes, "green")] == [NoteKind.MOVED]


# ---- many tables -------------------------------------------------------------------------------------------------------

PLIES = 12


def table_of(number: int) -> Party:
    """A table of its own kind: other rules, seats, seed and settings for each number."""
    variant, seats = (("qdan", ("yellow", "red")), ("amarnepal", ("red", "yellow")), ("ludolive", ("red", "yellow")))[number % 3]
    host: dict[str, object] = {"room": "one-device"} if variant == "ludolive" else {"turn-seconds": 30}
    party = open_table(book(variant), seed=number, host=host, players=2 if variant == "amarnepal" else None)
    return after(party, *(Sit(s, "person" if i == number % 2 else "random") for i, s in enumerate(seats)), Begin())


def next_event(party: Party, number: int, step: int) -> TableEvent:
    """What happens next at a table: computers play; people roll, take the first move, dawdle, drop out and return."""
    game, name = party.game, party.on_turn
    if game is None or name is None:
        return PlayAgain()
    if party.plays(name) == "computer":
        return Computed()
    if party.seat(name).away is not None:
        return Return(name)
    dice = random.Random(f"{number}/{step}").random()
    if dice < 0.1:
        return Clock(31_000)
    if dice < 0.2:
        return Leave(name)
    return Rolled() if game.awaits_roll else Moved(game.legal()[0])


def test_a_thousand_tables_share_nothing() -> None:
    """Played in turn, an event at a time, 1,000 tables come to just where each comes alone."""
    together = [table_of(number) for number in range(1000)]
    for step in range(PLIES):
        for number, party in enumerate(together):
            together[number] = apply(party, next_event(party, number, step))[0]
    assert len({json.dumps(snapshot(party)) for party in together}) > 700
    for number, party in enumerate(together):
        alone = table_of(number)
        for step in range(PLIES):
            alone = apply(alone, next_event(alone, number, step))[0]
        assert snapshot(alone) == snapshot(party), number


# ---- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_tells_every_setting_value_refusal_and_step() -> None:
    page = (spec_path("language") / "table.md").read_text(encoding="utf-8")
    for kind in VOCABULARY.values():
        assert f"| `{kind.name}` | `{kind.default}`" in page
        for value in kind.type.values if isinstance(kind.type, Words) else kind.type.words:
            assert f"`{value}`" in page
    assert [code for code in REFUSALS if f"`{code}`" not in page] == []
    assert [kind for kind in NoteKind if f"`{kind}`" not in page] == []
    for word in FORMS:
        assert f"`{word}" in page


def test_every_refusal_has_a_name_of_its_own() -> None:
    codes = [error.code for error in HostError.__subclasses__()]
    assert len(set(codes)) == len(codes)
    assert HostError.code not in codes


@pytest.mark.parametrize("value", ["sometimes", "", "31.5", "-1", "0", "86401", True])
def test_settings_have_types(value: object) -> None:
    with pytest.raises(TableError, match="`turn-seconds`"):
        settle(book("mensch").table(), {"turn-seconds": value})


def test_settings_hang_on_options() -> None:
    on, off = (book("qdan").table(2, {"rotate-first": value}) for value in ("on", "off"))
    assert (settle(on, {})["first-player"], settle(off, {})["first-player"]) == ("rotate", "same")
    assert settle(off, {"first-player": "rotate"})["first-player"] == "rotate"
