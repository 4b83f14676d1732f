"""Every recipe of the cookbook is sound, changes what it says it changes, and can be played; positions are worked out by hand."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.play.claims import check_claims
from ludo_dsl.play.game import Game, RuleBook, load
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.publish.difference import compare
from ludo_dsl.rules.table import make_table
from ludo_dsl.source import Source
from tests.docs.pages import ROOT, Block, blocks

RECIPES: dict[str, Block] = {str(block.word("file")): block for block in blocks(ROOT / "docs" / "cookbook.md", "ludo")}
LONGEST = 20_000
"""Plies; random games of these rules take some hundreds."""


@cache
def book_of(name: str) -> RuleBook:
    return RuleBook(check(Source(name, RECIPES[name].text)))


def test_there_are_twenty_recipes() -> None:
    assert len(RECIPES) == 20


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_differs_from_its_parent(name: str) -> None:
    book = book_of(name)
    assert book.book.parent is not None
    found = compare(make_table(load(book.book.parent).book, 2), make_table(book.book, 2))
    assert found


@pytest.mark.parametrize("name", RECIPES)
def test_random_games_of_a_recipe_come_to_an_end(name: str) -> None:
    table = make_table(book_of(name).book, 2)
    for seed in range(3):
        rng = random.Random(f"cookbook/{seed}")
        engine = Interpreter(table)
        plies = list(islice(playing(engine, engine.start(0), [RandomPlayer(rng)] * 2, dice_for(table, rng)), LONGEST))
        assert plies[-1].step.state.over


@pytest.mark.parametrize("name", RECIPES)
def test_claims_of_a_recipe_hold(name: str) -> None:
    broken = [o for o in check_claims(make_table(book_of(name).book), 1, 1) if o.failure]
    assert broken == []


# Position, rolls and moves alternating; then what the recipe gives, and what its parent gives.
Ply = int | str
NO_MOVE = "refused"
EFFECTS: list[tuple[str, str, list[Ply], str, str]] = [
    # A one brings a token out, and earns no roll: yellow's turn.
    ("one-out.ludo", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [1, "Y>0"], "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow", NO_MOVE),
    # The first of three tries is lost, and red may go on.
    ("three-tries.ludo", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [4, 3, 6, "Y>0"], "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red", NO_MOVE),
    ("three-tries.ludo", "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [4, 3, 2], "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow", NO_MOVE),
    # Yellow's 26 is red's start square: half of the 52 squares further.
    ("out-hits.ludo", "red=Y,Y,Y,Y yellow=26,Y,Y,Y turn=red", [6, "Y>0"], "red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "yellow=26,Y,Y,Y"),
    # Who walks there shares the square as before: red's 26 is yellow's start.
    ("out-hits.ludo", "red=23,Y,Y,Y yellow=0,Y,Y,Y turn=red", [3, "23>26"], "red=26,Y,Y,Y yellow=0,Y,Y,Y turn=yellow", "yellow=0,Y,Y,Y"),
    # A six from L3 needs two steps only: nothing can use it, and it pays nothing.
    ("used-six.ludo", "red=L3,H,H,H yellow=Y,Y,Y,Y turn=red", [6], "turn=yellow", "turn=red"),
    ("used-six.ludo", "red=20,H,H,H yellow=Y,Y,Y,Y turn=red", [6, "20>26"], "red=26,H,H,H turn=red", "red=26,H,H,H turn=red"),
    # Two sixes are moved, the third throws the token back.
    ("greedy-six.ludo", "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [6, "20>26", 6, "26>32", 6], "red=Y,Y,Y,Y turn=yellow", "red=32,Y,Y,Y"),
    # Red's 23 is yellow's 49.
    (
        "captor-leap.ludo",
        "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red",
        [3, "20>23"],
        "red=H,Y,Y,Y yellow=Y,Y,Y,Y",
        "red=23,Y,Y,Y yellow=Y,Y,Y,Y",
    ),
    ("no-prize.ludo", "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", [3, "20>23"], "yellow=Y,Y,Y,Y turn=yellow", "yellow=Y,Y,Y,Y turn=red"),
    ("must-capture.ludo", "red=20,10,Y,Y yellow=49,Y,Y,Y turn=red", [3, "10>13"], NO_MOVE, "red=20,13,Y,Y"),
    # With nothing to capture any move is free.
    ("must-capture.ludo", "red=20,10,Y,Y yellow=49,Y,Y,Y turn=red", [2, "10>12"], "red=20,12,Y,Y", "red=20,12,Y,Y"),
    ("huff.ludo", "red=20,10,Y,Y yellow=49,Y,Y,Y turn=red", [3, "10>13"], "red=13,Y,Y,Y yellow=49,Y,Y,Y", "red=20,13,Y,Y"),
    # Red's 17 is yellow's 43.
    ("look-behind.ludo", "red=20,Y,Y,Y yellow=43,Y,Y,Y turn=red", [3, "20>17"], "red=17,Y,Y,Y yellow=Y,Y,Y,Y", NO_MOVE),
    ("look-behind.ludo", "red=20,Y,Y,Y yellow=44,Y,Y,Y turn=red", [3, "20>17"], NO_MOVE, NO_MOVE),
    # Yellow's 8, a star, is red's 34.
    ("no-shelter.ludo", "yellow=5,Y,Y,Y red=34,Y,Y,Y turn=yellow", [3, "5>8"], "yellow=8,Y,Y,Y red=Y,Y,Y,Y", "yellow=8,Y,Y,Y red=34,Y,Y,Y"),
    ("blocks.ludo", "red=20,Y,Y,Y yellow=49,49,Y,Y turn=red", [4, "20>24"], NO_MOVE, "red=24,Y,Y,Y"),
    ("blocks.ludo", "red=20,Y,Y,Y yellow=49,49,Y,Y turn=red", [3, "20>23"], NO_MOVE, "yellow=Y,Y,Y,Y"),
    ("blocks.ludo", "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", [4, "20>24"], "red=24,Y,Y,Y", "red=24,Y,Y,Y"),
    (
        "strong-pairs.ludo",
        "red=20,Y,Y,Y yellow=49,49,Y,Y turn=red",
        [3, "20>23"],
        "red=Y,Y,Y,Y yellow=49,49,Y,Y",
        "red=23,Y,Y,Y yellow=Y,Y,Y,Y",
    ),
    (
        "strong-pairs.ludo",
        "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red",
        [3, "20>23"],
        "red=23,Y,Y,Y yellow=Y,Y,Y,Y",
        "red=23,Y,Y,Y yellow=Y,Y,Y,Y",
    ),
    ("elbow-room.ludo", "red=20,23,Y,Y yellow=Y,Y,Y,Y turn=red", [3, "20>23"], NO_MOVE, "red=23,23,Y,Y"),
    # 50, 51, start, 1: without a capture red goes by its turning; the book itself leads it into the lane.
    ("earn-it.ludo", "red=49,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [4, "49>1"], "red=1,Y,Y,Y", NO_MOVE),
    ("earn-it.ludo", "red=49,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [4, "49>L3"], NO_MOVE, "red=L3,Y,Y,Y"),
    # One step is left: home, and two back.
    ("bounce.ludo", "red=L5,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [3, "L5>L4"], "red=L4,Y,Y,Y turn=yellow", NO_MOVE),
    ("open-door.ludo", "red=L5,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [4, "L5>H"], "red=H,Y,Y,Y turn=red", NO_MOVE),
    ("quick.ludo", "red=L5,Y,Y,Y yellow=Y,Y,Y,Y turn=red", [1, "L5>H"], "red=H,Y,Y,Y turn=over", "red=H,Y,Y,Y turn=red"),
    ("to-the-end.ludo", "yellow=L5,H,H,H blue=3,Y,Y,Y red=3,Y,Y,Y turn=yellow", [1, "L5>H"], "turn=blue", "turn=over"),
]


def gives(book: RuleBook, position: str, plies: list[Ply]) -> dict[str, str]:
    """The fields of the position after rolls and moves; `refused` alone where one of them cannot be."""
    game: Game = book.position(position)
    for ply in plies:
        if isinstance(ply, int):
            if not game.awaits_roll or game.turn != position.rpartition("turn=")[2]:
                return {NO_MOVE: NO_MOVE}
            game = game.roll(ply)
        elif ply not in game.legal():
            return {NO_MOVE: NO_MOVE}
        else:
            game = game.play(ply)
    return dict(part.split("=", 1) for part in game.position.split())


def fields(text: str) -> dict[str, list[str]]:
    return {name: sorted(value.split(",")) for name, _, value in (part.partition("=") for part in text.split())}


@pytest.mark.parametrize(("name", "position", "plies", "wanted", "of_parent"), EFFECTS)
def test_a_recipe_has_its_effect(name: str, position: str, plies: list[Ply], wanted: str, of_parent: str) -> None:
    book = book_of(name)
    for rules, text in ((book, wanted), (load(str(book.book.parent)), of_parent)):
        found = gives(rules, position, plies)
        if text == NO_MOVE:
            assert found == {NO_MOVE: NO_MOVE}
        else:
            assert {k: sorted(found.get(k, "").split(",")) for k in fields(text)} == fields(text)


def test_the_head_start_is_one_token() -> None:
    start = book_of("head-start.ludo").start(players=2)
    assert start.position == "red=0,Y,Y,Y yellow=0,Y,Y,Y turn=red"


def test_every_recipe_has_a_position_that_shows_its_effect() -> None:
    assert {name for name, *_ in EFFECTS} | {"head-start.ludo"} == set(RECIPES)
