"""Moves and positions as text: what is written, what may be left out, and what is refused."""

from __future__ import annotations

import pytest

from ludo_dsl.game.errors import AmbiguousMoveError, GameError, NotationError
from ludo_dsl.game.notation import dice_text, mark_text, move_text, position_text, read_move, roll_text
from ludo_dsl.game.state import PASS, Granted, State
from tests.game.tables import Setup, engine

AMARNEPAL = engine(Setup("amarnepal", 2))
KINGS = engine(Setup("card-kings", 2))
CITIES = engine(Setup("ludo-cities", 2))
PARCHIS = engine(Setup("parchis", 2))
PACHISI = engine(Setup("pachisi", 4))
QDAN_FREE = engine(Setup("qdan", 2, (("no-piece", "bring-out"),)))
MARKED = engine(Setup("ludo-cities", 4, (("star-pieces", "same"),)))


def texts(at: object, position: str) -> list[str]:
    """The legal moves of a position, as they are written."""
    assert isinstance(at, type(AMARNEPAL))
    state = at.read(position)
    return sorted(move_text(at.table, state, c) for c in at.legal(state))


def read(at: object, position: str, text: str) -> str:
    """A text read as one of the legal moves of a position, written out in full again."""
    assert isinstance(at, type(AMARNEPAL))
    state = at.read(position)
    return move_text(at.table, state, read_move(at.table, state, text, at.legal(state)))


# ---- small parts -------------------------------------------------------------------------------------------------------


def test_dice_taken_together_are_joined() -> None:
    assert dice_text((2, 5)) == "2+5"
    assert dice_text((Granted(20),)) == "+20"
    assert dice_text(("free-entry",)) == "free-entry"
    assert roll_text((6, 3)) == "6+3"


@pytest.mark.parametrize(("mark", "text"), [((), ""), ((0,), ""), ((1,), "*"), ((2,), "*2"), ((0, 1), "*0/1"), ((1, 0), "*1/0")])
def test_marks(mark: tuple[int, ...], text: str) -> None:
    assert mark_text(mark) == text


# ---- moves -------------------------------------------------------------------------------------------------------------


def test_one_die_is_not_named() -> None:
    assert texts(AMARNEPAL, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6") == ["20>26", "Y>0"]


def test_dice_are_named_where_there_are_several() -> None:
    assert texts(KINGS, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6,3") == ["20>23:3", "20>26:6", "Y>0:6"]


def test_granted_moves_are_named_with_a_plus_where_there_are_several_dice() -> None:
    position = "yellow=20,1,Y,Y red=Y,Y,Y,Y turn=yellow pool=+20,3"
    assert texts(PARCHIS, position) == ["1>21:+20", "1>4:3", "20>23:3", "20>40:+20"]


def test_a_granted_move_alone_is_named_by_its_places() -> None:
    assert texts(PARCHIS, "yellow=20,Y,Y,Y red=Y,Y,Y,Y turn=yellow pool=+20") == ["20>40"]


def test_both_dice_for_one_piece_are_joined() -> None:
    assert texts(CITIES, "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red pool=2,5") == ["red:20>27:2+5"]


def test_colours_are_named_where_a_player_has_several() -> None:
    position = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=20,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3"
    assert texts(CITIES, position) == ["red:20>23", "yellow:20>23"]


def test_named_dice() -> None:
    state = QDAN_FREE.start()
    assert [move_text(QDAN_FREE.table, state, c) for c in QDAN_FREE.legal(state)] == ["Y>0"]
    assert position_text(QDAN_FREE.table, state) == "yellow=Y,Y,Y,Y red=Y,Y,Y,Y turn=yellow pool=free-entry"


def test_passing_is_a_choice_where_rules_allow_it() -> None:
    position = "yellow=20,Y,Y,Y red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=1 pool=2"
    assert texts(PACHISI, position) == ["20>22", "pass"]
    assert read(PACHISI, position, " pass ") == "pass"
    assert PASS in PACHISI.legal(PACHISI.read(position))


def test_pieces_are_told_apart_by_their_marks() -> None:
    position = "red=20*,20,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3"
    assert texts(MARKED, position) == ["20*>23", "20>23"]
    assert read(MARKED, position, "20*>23") == "20*>23"
    assert read(MARKED, position, "20*1>23") == "20*>23"
    # Written in full, the one without a mark is meant.
    assert read(MARKED, position, "20>23") == "20>23"


@pytest.mark.parametrize("text", ["20>23", "20>23:3", " 20>23 ", "red:20>23", "red:20>23:3"])
def test_what_can_be_left_out_may_be_left_out(text: str) -> None:
    assert read(KINGS, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6,3", text) == "20>23:3"


def test_dice_come_in_any_order() -> None:
    position = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red pool=2,5"
    assert read(CITIES, position, "red:20>27:5+2") == "red:20>27:2+5"
    assert read(CITIES, position, "20>27") == "red:20>27:2+5"


def test_a_text_that_fits_several_moves_is_ambiguous() -> None:
    position = "red=20,Y,Y,Y green=Y,Y,Y,Y yellow=20,Y,Y,Y blue=Y,Y,Y,Y turn=red rolled=3+4 pool=3"
    with pytest.raises(AmbiguousMoveError, match="`20>23` could be `red:20>23`, `yellow:20>23`") as caught:
        read(CITIES, position, "20>23")
    assert "colour" in caught.value.hint


@pytest.mark.parametrize("text", ["", ">", "20", "20>", ">23", "passing", "red:20", "20-23", "red>23", "20>23>26", "20>99", "X>0", "20>Y0"])
def test_what_is_no_move_at_all(text: str) -> None:
    with pytest.raises(NotationError):
        read(KINGS, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6,3", text)


@pytest.mark.parametrize("text", ["20>24", "20>23:6", "yellow:20>23", "21>24", "pass", "20*>23"])
def test_what_is_none_of_the_moves(text: str) -> None:
    with pytest.raises(NotationError, match="is not among the moves"):
        read(KINGS, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6,3", text)


# ---- positions ---------------------------------------------------------------------------------------------------------


def test_places_are_written_from_home_to_yard() -> None:
    text = "red=H,L5,51,0 yellow=L1,50,1,Y turn=yellow pool=2"
    capture_first = engine(Setup("amarnepal", 2, (("capture-first", "on"),)))
    assert position_text(capture_first.table, capture_first.read(text)) == text


def test_only_what_differs_from_the_usual_is_written() -> None:
    plain = "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    assert position_text(AMARNEPAL.table, AMARNEPAL.start()) == plain
    full = f"{plain} pool=none rolled=none owed=1 due=0 score.red=0 retired="
    assert position_text(AMARNEPAL.table, AMARNEPAL.read(full)) == plain


def test_rolls_that_no_rule_can_see_any_more_are_not_written() -> None:
    position = "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled={} owed=1"
    seen = {"6,6": "6,6", "3": None, "3,6": "6", "6,3": None, "6,6,3": None}
    for rolled, kept in seen.items():
        text = position_text(AMARNEPAL.table, AMARNEPAL.read(position.format(rolled)))
        assert [f for f in text.split() if f.startswith("rolled")] == ([f"rolled={kept}"] if kept else []), rolled


def test_the_end_is_written() -> None:
    state = AMARNEPAL.read("red=L5,H,H,H yellow=Y,Y,Y,Y turn=red pool=1")
    (choice,) = AMARNEPAL.legal(state)
    over = AMARNEPAL.move(state, choice).state
    assert position_text(AMARNEPAL.table, over) == "red=H,H,H,H yellow=Y,Y,Y,Y turn=over"


def test_the_end_can_be_read_whoever_moved_last() -> None:
    """Which piece moved last is of the turn, and a game that is over has none."""
    state = PARCHIS.read("yellow=20,Y,Y,Y red=L7,H,H,H turn=red pool=1")
    (choice,) = PARCHIS.legal(state)
    over = PARCHIS.move(state, choice).state
    assert over.over
    assert PARCHIS.read(position_text(PARCHIS.table, over)) == over


def test_the_piece_moved_last_is_of_the_turn() -> None:
    """A position that names it is within a turn, not at its beginning."""
    text = "yellow=20,Y,Y,Y red=Y,Y,Y,Y turn=yellow last=20"
    state = PARCHIS.read(text)
    assert state.last == (0, PARCHIS.table.routes[0].by_text["20"])
    assert position_text(PARCHIS.table, state) == text


def test_where_turns_begin_with_something_a_roll_owed_is_written() -> None:
    """Without it the position would be the beginning of the turn, and a piece would be brought out."""
    state = QDAN_FREE.read("yellow=Y,Y,Y,Y red=Y,Y,Y,Y turn=yellow owed=1")
    assert state.awaits_roll
    assert "owed=1" in position_text(QDAN_FREE.table, state)
    assert QDAN_FREE.read("yellow=Y,Y,Y,Y red=Y,Y,Y,Y turn=yellow").pool == ("free-entry",)


def test_hidden_counters_are_shown_as_a_question() -> None:
    state = MARKED.read("red=Y,Y,Y,Y green=Y,Y,Y,Y yellow=Y,Y,Y,Y blue=Y,Y,Y,Y turn=red stars.red=1 stars.blue=1")
    text = position_text(MARKED.table, state, frozenset({("stars", 3), ("stars", 1)}))
    assert text.endswith("stars.red=1 stars.green=? stars.blue=?")


def test_states_are_compared_by_value() -> None:
    state = AMARNEPAL.start()
    assert state == State(**state._asdict())
    assert len({state, AMARNEPAL.read(position_text(AMARNEPAL.table, state))}) == 1


def test_errors_tell_their_hint() -> None:
    assert str(GameError("wrong", "do it so")) == "wrong (do it so)"
    assert str(GameError("wrong")) == "wrong"
