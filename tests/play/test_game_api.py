"""The Python interface: rule books, games as values, and the errors that say what is wrong."""

from __future__ import annotations

import doctest
import importlib
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import ludo_dsl
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.game.errors import AmbiguousMoveError, GameError, IllegalMoveError, IllegalRollError, NotationError, PositionError
from ludo_dsl.game.events import EventKind
from ludo_dsl.play.turns import Taken
from ludo_dsl.rules.table import TableError

AMARNEPAL = ludo_dsl.load("amarnepal")
CITIES = ludo_dsl.load("ludo-cities")


@pytest.mark.parametrize("module", ["ludo_dsl", "ludo_dsl.play.game"])
def test_examples_of_the_documentation(module: str) -> None:
    found = importlib.import_module(module)
    results = doctest.testmod(found)
    assert results.failed == 0
    assert results.attempted >= (3 if module == "ludo_dsl" else 0)


# ---- rule books --------------------------------------------------------------------------------------------------------


def test_a_rule_book_tells_its_name_and_its_settings() -> None:
    assert (AMARNEPAL.name, AMARNEPAL.title, AMARNEPAL.warnings) == ("amarnepal", "Amarnepal Ludo", ())
    assert AMARNEPAL.defaults("option") == {"capture-first": "off", "capture-roll": "on", "one-leaves": "off"}
    assert set(AMARNEPAL.defaults("reading")) == {"capture-pays", "sixes", "yard-distance", "distance"}


def test_a_rule_book_comes_from_a_file(tmp_path: Path) -> None:
    house = tmp_path / "house.ludo"
    house.write_text('variant house "House rules" extends amarnepal\nset one-leaves to on\n', encoding="utf-8")
    rules = ludo_dsl.load(house)
    assert rules.defaults("option")["one-leaves"] == "on"
    assert rules.start(players=2).roll(1).legal() == ["Y>0"]


def test_rule_books_that_are_not_there_or_faulty(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError) as caught:
        ludo_dsl.load("amarnepl")
    assert "amarnepal" in caught.value.diagnostics[0].hint
    faulty = tmp_path / "faulty.ludo"
    faulty.write_text('variant faulty "Faulty" extends amarnepal\nset one-leafs to on\n', encoding="utf-8")
    with pytest.raises(RuleBookError):
        ludo_dsl.load(faulty)


def test_the_package_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'dump'"):
        ludo_dsl.dump  # noqa: B018


# ---- tables and positions ----------------------------------------------------------------------------------------------


def test_a_game_begins() -> None:
    game = AMARNEPAL.start(players=2)
    assert str(game) == game.position == "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    assert (game.turn, game.over, game.awaits_roll, game.events, game.rules) == ("red", False, True, (), ())
    assert game.faces() == (1, 2, 3, 4, 5, 6)
    assert game.legal() == []
    assert game.refused() == []


def test_as_many_play_as_can_by_default() -> None:
    assert len(AMARNEPAL.start().table.players) == 4


def test_who_begins_can_be_chosen() -> None:
    assert AMARNEPAL.start(players=2, first="yellow").turn == "yellow"
    with pytest.raises(GameError, match="nobody at this table is `green`"):
        AMARNEPAL.start(players=2, first="green")


def test_options_and_readings() -> None:
    game = AMARNEPAL.start(players=2, options={"one-leaves": True})
    assert game.roll(1).legal() == ["Y>0"]
    for options, readings in (({"one-leaf": "on"}, {}), ({"one-leaves": "maybe"}, {}), ({}, {"one-leaves": "on"})):
        with pytest.raises(TableError):
            AMARNEPAL.start(2, options, readings)
    with pytest.raises(TableError):
        AMARNEPAL.start(players=5)


def test_the_number_of_players_follows_from_a_position() -> None:
    assert len(AMARNEPAL.position("red=Y,Y,Y,Y yellow=Y,Y,Y,Y green=Y,Y,Y,Y").table.players) == 3
    four = "red=Y,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y"
    # Two players with two colours each, or four with one: the larger number, unless it is given.
    assert len(CITIES.position(four).table.players) == 4
    assert len(CITIES.position(four, players=2).table.players) == 2
    with pytest.raises(PositionError, match="sit at no table"):
        AMARNEPAL.position("red=Y,Y,Y,Y green=Y,Y,Y,Y")
    with pytest.raises(NotationError):
        AMARNEPAL.position("")


# ---- playing -----------------------------------------------------------------------------------------------------------


def test_a_game_is_a_value() -> None:
    game = AMARNEPAL.start(players=2)
    rolled = game.roll(6)
    out = rolled.play("Y>0")
    assert (game.position, rolled.legal()) == ("red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", ["Y>0"])
    assert out.position == "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6"
    assert [e.kind for e in out.events] == [EventKind.MOVED]
    assert "leave-yard" in out.rules
    assert rolled == game.roll(6)
    assert rolled.pick(rolled.choices[0]) == out
    with pytest.raises(FrozenInstanceError):
        game.state = out.state  # type: ignore[misc]


def test_a_game_goes_to_its_end() -> None:
    game = AMARNEPAL.position("red=L5,H,H,H yellow=20,Y,Y,Y").roll(1).play("L5>H")
    assert (game.over, game.turn, game.legal(), game.awaits_roll) == (True, None, [], False)
    assert game.places() == {"red": 1, "yellow": 2}
    assert game.events[-1].kind is EventKind.GAME_ENDED
    with pytest.raises(IllegalRollError, match="the game is over"):
        game.roll(1)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play("20>21")


def test_moves_that_are_refused_come_with_rule_and_reason() -> None:
    game = AMARNEPAL.position("red=L4,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=2")
    assert game.legal() == ["L4>H"]
    ((text, reasons),) = game.refused()
    assert text == "Y>0"
    assert [r.statement.rule for r in reasons if r.statement] == ["leave-yard"]
    with pytest.raises(IllegalMoveError) as caught:
        game.play("Y>0")
    assert (caught.value.move, caught.value.refusals) == ("Y>0", reasons)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("20>24", "a die of 3 does not take a piece"),
        ("21>24", "red has no piece on 21"),
        ("Y>0", "only if the die is 6"),
        ("pass", "no rule lets red pass"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    game = AMARNEPAL.position("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=3")
    with pytest.raises(IllegalMoveError, match=reason):
        game.play(text)


def test_before_the_roll_nothing_can_be_played() -> None:
    with pytest.raises(IllegalMoveError, match="the dice must be rolled first"):
        AMARNEPAL.start(players=2).play("Y>0")


@pytest.mark.parametrize("text", ["hello", "", "20", "20>99"])
def test_what_is_no_move_at_all_is_another_error(text: str) -> None:
    game = AMARNEPAL.position("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=3")
    with pytest.raises(NotationError):
        game.play(text)


def test_an_ambiguous_move_is_a_third_error() -> None:
    position = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=20,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3"
    game = CITIES.position(position, players=2)
    with pytest.raises(AmbiguousMoveError):
        game.play("20>23")
    assert game.play("yellow:20>23").position.split()[2] == "yellow=23,Y,Y,Y"


def test_rolls_that_are_refused() -> None:
    game = AMARNEPAL.start(players=2)
    with pytest.raises(IllegalRollError) as caught:
        game.roll(7)
    assert caught.value.hint == "their faces are 1, 2, 3, 4, 5, 6"
    with pytest.raises(IllegalRollError, match="a roll shows 1 dice, not 2"):
        game.roll(3, 4)
    with pytest.raises(IllegalRollError, match="dice to be used first"):
        game.roll(6).roll(6)
    live = ludo_dsl.load("ludolive").position("red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6,6 owed=1")
    assert live.faces() == (1, 2, 3, 4, 5)
    with pytest.raises(IllegalRollError) as caught:
        live.roll(6)
    assert [r.statement.rule for r in caught.value.refusals if r.statement] == ["two-sixes"]


# ---- views -------------------------------------------------------------------------------------------------------------

STARS = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red stars.red=1 stars.green=1"


def test_hidden_counters_of_rivals_read_a_question() -> None:
    game = CITIES.position(STARS)
    assert "stars.red=1" in game.seen_by("red")
    assert "stars.green=?" in game.seen_by("red")
    assert "stars.red=?" in game.seen_by("blue")
    assert "stars" not in game.position.replace("stars.red=1", "").replace("stars.green=1", "")


def test_secret_counters_are_not_even_named() -> None:
    game = CITIES.position(STARS, readings={"star-secret": "existence"})
    assert "stars.red=1" in game.seen_by("red")
    assert "stars" not in game.seen_by("blue")


def test_what_was_hidden_is_shown_when_it_pays() -> None:
    game = CITIES.position(STARS.replace("stars.red=1", "stars.red=2 done.red=two-stars"))
    assert "stars.red=2" in game.seen_by("blue")


def test_partners_see_each_others_counters() -> None:
    game = CITIES.position(STARS, options={"teams": "on"})
    assert "stars.red=1" in game.seen_by("yellow")
    assert "stars.red=?" in game.seen_by("green")


def test_only_players_look() -> None:
    with pytest.raises(GameError, match="nobody at this table is `purple`"):
        CITIES.position(STARS).seen_by("purple")


def test_rules_that_touch_only_what_is_hidden_are_not_told_to_rivals() -> None:
    """Red lands on a star for the first time: its own player is told so, and a rival sees the move alone."""
    before = CITIES.position("red=5,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3")
    after = before.play("5>8")
    taken = Taken(before, after, (after,))
    assert "two-stars" in taken.rules()
    assert "two-stars" in taken.rules("red")
    assert "two-stars" not in taken.rules("green")
    counted = [[e["value"] for e in taken.events_json(viewer) if e["event"] == "counted"] for viewer in ("red", "green")]
    assert counted == [[["stars", 1]], []]
