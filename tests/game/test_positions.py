"""Reading positions: every way in which a text can be wrong, with the field and the message that tell of it."""

from __future__ import annotations

import pytest

from ludo_dsl.game.errors import NotationError, PositionError
from ludo_dsl.game.notation import position_text
from ludo_dsl.game.positions import colours_in, split_fields
from ludo_dsl.interpreter import Interpreter
from tests.game.tables import Setup, engine

KINGS = engine(Setup("card-kings", 2))
CITIES = engine(Setup("ludo-cities", 4))
MARKED = engine(Setup("ludo-cities", 4, (("star-pieces", "same"),)))
TEAMS = engine(Setup("ludo-cities", 4, (("teams", "on"),)))
LIVE = engine(Setup("ludolive", 3))
MENSCH = engine(Setup("mensch", 2))
PACHISI = engine(Setup("pachisi", 2))
PARCHIS = engine(Setup("parchis", 2))

RED = "red=20,Y,Y,Y yellow=Y,Y,Y,Y"
FOUR = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y"
YELLOW = "yellow=20,Y,Y,Y red=Y,Y,Y,Y"


# ---- no position at all ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the position is empty"),
        ("  \t ", "the position is empty"),
        ("red", "`red` is no field of a position"),
        ("=20", "`=20` is no field of a position"),
        (f"{RED} turn = red", "`turn` is no field of a position"),
        (f"{RED} red=Y,Y,Y,Y", "the field `red` is given twice"),
    ],
)
def test_what_is_no_position(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        KINGS.read(text)
    assert caught.value.message == message
    assert caught.value.hint


def test_fields_and_colours_of_a_text() -> None:
    assert split_fields("red=Y  turn=red\tpool=") == {"red": "Y", "turn": "red", "pool": ""}
    assert colours_in("red=Y turn=green green.x=1 blue=H", ("red", "green", "blue")) == {"red", "blue"}


# ---- positions that cannot be ------------------------------------------------------------------------------------------

WRONG: list[tuple[Interpreter, str, str, str]] = [
    # Fields that are not known, or that no rule asks for.
    (KINGS, f"{RED} trun=red", "trun", "card-kings has no field `trun` at this table"),
    (KINGS, f"{RED} green=Y,Y,Y,Y", "green", "card-kings has no field `green` at this table"),
    (KINGS, f"{RED} stars.red=1", "stars.red", "card-kings has no counter `stars.red` at this table"),
    (KINGS, f"{RED} score.green=1", "score.green", "card-kings has no counter `score.green` at this table"),
    (KINGS, f"{RED} round=2", "round", "no rule at this table asks for `round`"),
    (KINGS, f"{RED} first=red", "first", "no rule at this table asks for `first`"),
    (KINGS, f"{RED} captures.red=1", "captures.red", "no rule at this table asks for `captures.red`"),
    (KINGS, f"{RED} order=red:20", "order", "no rule at this table asks for `order`"),
    (KINGS, f"{RED} last=20", "last", "no rule at this table asks for `last`"),
    # Pieces.
    (KINGS, "red=Y,Y,Y,Y", "yellow", "the pieces of yellow are missing"),
    (KINGS, "red=20,Y,Y yellow=Y,Y,Y,Y", "red", "red has 4 pieces, and 3 places are given"),
    (KINGS, "red= yellow=Y,Y,Y,Y", "red", "red has 4 pieces, and 1 places are given"),
    (KINGS, "red=52,Y,Y,Y yellow=Y,Y,Y,Y", "red", "`52` in `red=` is no place on this board"),
    (KINGS, "red=L6,Y,Y,Y yellow=Y,Y,Y,Y", "red", "`L6` in `red=` is no place on this board"),
    (KINGS, "red=A1,Y,Y,Y yellow=Y,Y,Y,Y", "red", "`A1` in `red=` is no place on this board"),
    (KINGS, "red=020,Y,Y,Y yellow=Y,Y,Y,Y", "red", "`020` in `red=` is no place on this board"),
    (KINGS, "red=20*,Y,Y,Y yellow=Y,Y,Y,Y", "red", "`20*`: pieces carry no mark here"),
    (MARKED, FOUR.replace("20", "20*1/2"), "red", "`20*1/2`: pieces carry 1 counters here, not 2"),
    (MARKED, FOUR.replace("20", "20*x"), "red", "`red=x` is no number from 0 upwards"),
    (MENSCH, "black=L2,L2,Y,Y green=Y,Y,Y,Y", "black", "L2 holds one piece only, and black has 2 there"),
    (MENSCH, "black=H,Y,Y,Y green=Y,Y,Y,Y", "black", "`H` in `black=` is no place on this board"),
    # Whose turn it is.
    (KINGS, f"{RED} turn=blue", "turn", "nobody at this table is `blue`"),
    (KINGS, f"{RED} turn=", "turn", "nobody at this table is ``"),
    (LIVE, "red=H,H,H,H green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red retired=red", "turn", "it cannot be red's turn: red has retired"),
    # Dice.
    (KINGS, f"{RED} pool=7", "pool", "the pool cannot hold a die `7`"),
    (KINGS, f"{RED} pool=six", "pool", "the pool cannot hold a die `six`"),
    (KINGS, f"{RED} pool=+20", "pool", "the pool cannot hold a die `+20`"),
    (PARCHIS, f"{YELLOW} pool=+15", "pool", "the pool cannot hold a die `+15`"),
    (KINGS, f"{RED} pool=3,", "pool", "the pool cannot hold a die ``"),
    (KINGS, f"{RED} rolled=6,2 pool=3", "pool", "the pool cannot hold a 3 that was not rolled"),
    (KINGS, f"{RED} rolled=3 pool=3,3", "pool", "the pool cannot hold a 3 that was not rolled"),
    (CITIES, f"{FOUR} pool=1,2,3", "pool", "the pool cannot hold 3 dice of one roll"),
    (KINGS, "red=Y,Y,Y,Y yellow=Y,Y,Y,Y pool=3", "pool", "no piece can use anything of the pool"),
    (KINGS, f"{RED} rolled=7", "rolled", "`7` is no roll of these dice"),
    (KINGS, f"{RED} rolled=6,,2", "rolled", "`` is no roll of these dice"),
    (KINGS, f"{RED} rolled=6+2", "rolled", "the roll `6+2` shows 2 dice, not 1"),
    (CITIES, f"{FOUR} rolled=6", "rolled", "the roll `6` shows 1 dice, not 2"),
    (KINGS, f"{RED} owed=0", "owed", "there is nothing to do in this turn: no dice and no roll owed"),
    (KINGS, f"{RED} owed=-1", "owed", "`owed=-1` is no number from 0 upwards"),
    (KINGS, f"{RED} due=x", "due", "`due=x` is no number from 0 upwards"),
    (KINGS, f"{RED} owed=1000000000", "owed", "`owed=1000000000` is no number from 0 upwards"),
    (KINGS, f"{RED} turn=over pool=3", "turn", "a game that is over has no dice left"),
    (KINGS, f"{RED} turn=over owed=1", "turn", "a game that is over has no dice left"),
    # What the game remembers.
    (CITIES, f"{FOUR} score.red=٣", "score.red", "`score.red=٣` is no number from 0 upwards"),
    (CITIES, f"{FOUR} stars.red=one", "stars.red", "`stars.red=one` is no number from 0 upwards"),
    (CITIES, f"{FOUR} round=0", "round", "`round=0` is no number from 1 upwards"),
    (CITIES, f"{FOUR} first=purple", "first", "nobody at this table is `purple`"),
    (CITIES, f"{FOUR} visits.red=8", "visits.red", "`8` is no square and value"),
    (CITIES, f"{FOUR} visits.red=52:1", "visits.red", "`52:1` is no square and value"),
    (CITIES, f"{FOUR} visits.red=x:1", "visits.red", "`visits.red=x` is no number from 0 upwards"),
    (CITIES, f"{FOUR} visits.red=8:0", "visits.red", "`visits.red=0` is no number from 1 upwards"),
    (CITIES, f"{FOUR} done.red=four-out", "done.red", "there is no one-time condition `four-out`"),
    (LIVE, "red=H,H,H,H green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=green retired=blue", "retired", "`blue` cannot be in `retired=` here"),
    (LIVE, "red=H,H,H,H green=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=green retired=red,red", "retired", "`red` cannot be in `retired=` here"),
    (PARCHIS, f"{YELLOW} order=yellow:21", "order", "`yellow:21` in `order=` is no piece of this position"),
    (PARCHIS, f"{YELLOW} order=20", "order", "`20` in `order=` is no piece of this position"),
    (PARCHIS, f"{YELLOW} order=blue:20", "order", "`blue:20` in `order=` is no piece of this position"),
    (PARCHIS, f"{YELLOW} order=yellow:20,yellow:20", "order", "`yellow:20` comes too often in `order=`"),
    (PARCHIS, f"{YELLOW} last=21", "last", "`21` in `last=` is no piece of yellow's"),
    (PARCHIS, f"{YELLOW} last=purple:20", "last", "`purple:20` in `last=` is no piece of yellow's"),
]


@pytest.mark.parametrize(("at", "text", "field", "message"), WRONG, ids=[f"{field}: {message}" for _, _, field, message in WRONG])
def test_what_cannot_be(at: Interpreter, text: str, field: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        at.read(text)
    assert caught.value.message == message
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (f"{RED} trun=red", "turn"),
        (f"{RED} turn=yelow", "yellow"),
        ("red=Y,Y,Y,Y", "add `yellow=` with 4 places, such as `yellow=Y,Y,Y,Y`"),
        ("red=99,Y,Y,Y yellow=Y,Y,Y,Y", "places are Y, 0 to 51, L1 to L5, H"),
        (f"{RED} pool=7", "it holds 1, 2, 3, 4, 5, 6"),
    ],
)
def test_hints_say_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(PositionError) as caught:
        KINGS.read(text)
    assert hint in caught.value.hint


def test_the_places_of_other_boards() -> None:
    with pytest.raises(PositionError) as caught:
        MENSCH.read("black=H,Y,Y,Y green=Y,Y,Y,Y")
    assert caught.value.hint == "places are Y, 0 to 39, L1 to L4"
    with pytest.raises(PositionError) as caught:
        PACHISI.read("yellow=99,Y,Y,Y red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y")
    # A lap of the whole ring ends on the square where it began: 0 and 68.
    assert caught.value.hint == "places are Y, A1 to A7, 0 to 68, L1 to L7, H"


# ---- what is left out --------------------------------------------------------------------------------------------------


def test_left_out_fields_stand_for_the_beginning_of_the_first_players_turn() -> None:
    state = CITIES.read(FOUR)
    assert (state.turn, state.pool, state.rolled, state.owed, state.due) == (0, (), (), 1, 0)
    assert (state.round, state.first, state.retired, state.scores) == (1, 0, (), (0, 0, 0, 0))


def test_the_player_who_began_is_the_default_for_the_turn() -> None:
    assert CITIES.read(f"{FOUR} first=yellow").turn == 2


def test_a_pool_stands_for_one_roll_of_all_dice_or_for_rolls_of_one() -> None:
    assert CITIES.read(f"{FOUR} pool=3,4").rolled == ((3, 4),)
    assert KINGS.read(f"{RED} pool=6,4").rolled == ((6,), (4,))
    assert KINGS.read(f"{RED} pool=6,4").owed == 0


def test_the_owner_of_the_turn_follows_from_nothing_else() -> None:
    state = KINGS.read(f"{RED} turn=yellow")
    assert state.turn == 1


def test_pieces_are_put_in_order() -> None:
    assert KINGS.read("red=Y,H,3,Y yellow=Y,Y,Y,Y") == KINGS.read("red=3,Y,Y,H yellow=Y,Y,Y,Y")


def test_counters_of_a_player_and_a_square() -> None:
    text = f"{FOUR} turn=red visits.red=8:1,21:2"
    different = engine(Setup("ludo-cities", 4, (("star-squares", "different"),)))
    assert position_text(different.table, different.read(f"{FOUR} visits.red=21:2,8:1")) == text


def test_a_granted_move_can_be_in_the_pool_without_a_roll() -> None:
    assert position_text(PARCHIS.table, PARCHIS.read(f"{YELLOW} pool=+20 rolled=none")) == f"{YELLOW} turn=yellow pool=+20"


def test_partners_both_need_their_pieces() -> None:
    assert TEAMS.read(FOUR).pieces[2] == (0, 0, 0, 0)
