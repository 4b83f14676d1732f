"""The order in which a move is resolved and a turn goes on, on house rule books that make the order visible.

Squares: yellow's start lies 26 steps on from red's, so that red's 20 is yellow's 46; stars are at 8, 21, 34 and 47.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from ludo_dsl.game.errors import EndlessRulesError
from ludo_dsl.game.events import EventKind, Part, Step
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.statements import RESOLUTION, TURN, Phase, Stage
from tests.interpreter.books import engine, plain

YARD = "yellow=Y,Y,Y,Y"


def play(at: Interpreter, position: str, *does: int | tuple[int, ...] | str) -> Step:
    """What the last of some rolls (numbers) and moves (texts) from a position comes to."""
    state = at.read(position)
    step = Step(state, (), ())
    for what in does:
        if isinstance(what, str):
            step = at.move(state, read_move(at.table, state, what, at.legal(state)))
        else:
            step = at.roll(state, what if isinstance(what, tuple) else (what,))
        state = step.state
    return step


def after(book: Book, position: str, *does: int | tuple[int, ...] | str) -> str:
    """The position as text after some rolls and moves."""
    at = engine(book)
    return position_text(at.table, play(at, position, *does).state)


def fired(book: Book, position: str, *does: int | tuple[int, ...] | str) -> list[str]:
    """The statements that acted in the last step, in order."""
    return [str(t.statement) for t in play(engine(book), position, *does).trace if t.part is Part.FIRED]


def legal(book: Book, position: str, *does: int | tuple[int, ...] | str) -> list[str]:
    """The legal moves after some rolls and moves."""
    at = engine(book)
    state = play(at, position, *does).state
    return sorted(move_text(at.table, state, c) for c in at.legal(state))


# ---- phases of a move --------------------------------------------------------------------------------------------------

# Written in the reverse of the order in which they act: the phase decides, not the place in the book.
EVERY_PHASE = plain(
    """
  once captures >= 1
    score 1

  when retired
    score 1

  when moved
    score 1

  when reached home
    score 1
    retire

  when captured
    score 1
    send piece to home

  when landing if enemies here
    send enemies here to yard as capture
    score 1

  when passing on star
    score 1
"""
)


def test_phases_come_in_the_published_order() -> None:
    """Passing star 21, landing, captured, home by being sent, moved, the condition, retired."""
    position = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    assert fired(EVERY_PHASE, position, 3, "20>23") == ["g/1", "f/1", "e/1", "d/1", "c/1", "a/1", "b/1"]


def test_the_published_order_is_complete() -> None:
    assert EVERY_PHASE.resolution == RESOLUTION == tuple(Phase)
    assert EVERY_PHASE.turn == TURN == tuple(Stage)


@pytest.mark.parametrize(("first", "second"), [*pairwise(RESOLUTION[1:-1])], ids=str)
def test_the_order_is_a_field_of_the_rules(first: Phase, second: Phase) -> None:
    """Two phases exchanged give another trace, or another outcome: nothing about the order is fixed in the engine."""
    order = list(RESOLUTION)
    i = order.index(first)
    order[i], order[i + 1] = second, first
    exchanged = replace(LINKED_PHASES, resolution=tuple(order))
    position = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    outcomes = []
    for book in (LINKED_PHASES, exchanged):
        step = play(engine(book), position, 3, "20>23")
        outcomes.append((step.state, step.events, step.trace))
    assert outcomes[0] != outcomes[1]


LINKED_PHASES = plain(
    """
  once captures >= 1
    score 1

  when retired
    score 1

  when moved
    score 1

  when reached home
    score 1
    retire

  when captured
    score 1
    send piece to home

  when landing if enemies here
    send enemies here to yard as capture
    score 1

  when passing on star
    score 1
""",
    board="mark gate at 10\n  mark exit at 12\n  link gate to next exit 1 times",
)
"""With a link from 23 (an arm's tenth square) to 25, where the landing is done again."""


@pytest.mark.parametrize("phase", RESOLUTION[:-1], ids=str)
def test_every_phase_matters(phase: Phase) -> None:
    """A book without one phase of the order plays otherwise."""
    without = replace(LINKED_PHASES, resolution=tuple(p for p in RESOLUTION if p is not phase))
    position = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    state = engine(without).read(position)
    at = engine(without)
    rolled = at.roll(state, (3,)).state
    choice = read_move(at.table, rolled, "20>23", at.legal(rolled))
    usual = play(engine(LINKED_PHASES), position, 3, "20>23")
    # Without spending, the die stays; the piece is nobody's, and the step cannot be told at all.
    found: object
    try:
        found = at.move(rolled, choice)
    except (IndexError, KeyError, ValueError):
        found = None
    assert found != usual


def test_effects_are_seen_by_the_next_statement() -> None:
    """The first empties the square, so that the second finds nobody; exchanged, both act."""
    sending = "  when landing if enemies here\n    send enemies here to yard"
    scoring = "  when landing if enemies here\n    score 5"
    position = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    assert fired(plain(f"{sending}\n\n{scoring}"), position, 3, "20>23") == ["a/1"]
    assert fired(plain(f"{scoring}\n\n{sending}"), position, 3, "20>23") == ["a/1", "b/1"]


def test_effects_of_one_statement_are_seen_by_each_other() -> None:
    """Counted before the send there is one enemy, after it there is none."""
    before = plain("  when landing if enemies here\n    score enemies here\n    send enemies here to yard")
    behind = plain("  when landing if enemies here\n    send enemies here to yard\n    score enemies here")
    position = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
    assert after(before, position, 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=yellow score.red=1"
    assert after(behind, position, 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=yellow"


def test_every_passed_square_is_seen_in_order() -> None:
    """From 20 by 4 the walk passes 21, 22 and 23, and not 20 or 24."""
    book = plain("  when passing if enemies here\n    send enemies here to yard")
    position = "red=20,Y,Y,Y yellow=46,48,50,Y turn=red"
    assert after(book, position, 4, "20>24") == "red=24,Y,Y,Y yellow=50,46,Y,Y turn=yellow"


def test_here_stays_the_landing_square() -> None:
    """A piece that was sent home for its capture still moved to 23, a square of the track."""
    book = plain(
        """
  when landing if enemies here
    send enemies here to yard as capture

  when captured
    send piece to home

  when moved if here is track
    score 7
"""
    )
    assert after(book, "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red", 3, "20>23") == f"red=H,Y,Y,Y {YARD} turn=yellow score.red=7"


def test_captured_happens_once_a_move_however_many_there_were() -> None:
    book = plain(
        """
  when landing if enemies here
    send enemies here to yard as capture

  when captured
    score 10 * captured
    score 1
"""
    )
    position = "red=20,Y,Y,Y yellow=49,49,49,Y turn=red"
    assert after(book, position, 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=yellow score.red=31"


def test_a_sent_piece_does_not_land() -> None:
    """Yellow is sent to its start square, where red stands: nobody is captured by that."""
    book = plain("  when landing if enemies here\n    send enemies here to start as capture")
    position = "red=20,26,Y,Y yellow=49,Y,Y,Y turn=red"
    assert after(book, position, 3, "20>23") == "red=26,23,Y,Y yellow=0,Y,Y,Y turn=yellow"


def test_a_piece_that_is_there_already_is_not_sent() -> None:
    """Home by its own steps, it is not sent home once more: no event, and no second coming home."""
    step = play(engine(plain("  when reached home\n    send piece to home as capture")), f"red=L4,Y,Y,Y {YARD} turn=red", 2, "L4>H")
    kinds = [e.kind for e in step.events]
    assert kinds.count(EventKind.CAME_HOME) == 1
    assert EventKind.CAPTURED not in kinds


def test_events_tell_the_move_before_what_came_of_it() -> None:
    step = play(engine(plain("  when reached home\n    retire")), f"red=L4,Y,Y,Y {YARD} turn=red", 2, "L4>H")
    assert [e.kind for e in step.events[:3]] == [EventKind.MOVED, EventKind.CAME_HOME, EventKind.RETIRED]


# ---- marks -------------------------------------------------------------------------------------------------------------


def test_marks_act_when_everything_else_is_done() -> None:
    """The turn is marked as ended while landing; the points for moving are still scored."""
    book = plain("  when landing\n    end turn\n\n  when moved\n    score 3")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=yellow score.red=3"


@pytest.mark.parametrize("adding", ["roll again", "roll again at once", "grant 20"])
@pytest.mark.parametrize("order", ["mark first", "mark last"])
def test_nothing_is_added_beside_a_mark(adding: str, order: str) -> None:
    """Rolls and dice that were earned are lost with the turn, whether they came before the mark or after it."""
    parts = ["  when moved\n    end turn", f"  when moved\n    {adding}"]
    book = plain("\n\n".join(parts if order == "mark first" else parts[::-1]))
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=yellow"


def test_a_roll_that_ends_the_turn_is_not_moved() -> None:
    book = plain("  when rolled if die = 6\n    roll again\n    end turn")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 6) == f"red=20,Y,Y,Y {YARD} turn=yellow"


def test_the_end_of_the_game_comes_after_the_other_phases() -> None:
    book = plain("  when landing\n    end game\n\n  when moved\n    score 2")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 3, "20>23") == f"red=23,Y,Y,Y {YARD} turn=over score.red=2"


def test_the_end_of_the_game_outdoes_the_end_of_the_turn() -> None:
    book = plain("  when moved\n    end turn\n    end game\n    roll again")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 3, "20>23").endswith("turn=over")


@pytest.mark.parametrize("trigger", ["turn ends", "round ends"])
def test_ending_a_turn_that_has_ended_does_not_end_the_next(trigger: str) -> None:
    """The mark belongs to the turn in which it was made; the next player rolls as usual, even where turns begin with something."""
    book = plain(f"  when {trigger}\n    end turn\n\n  when turn starts\n    score 1")
    text = after(book, "red=20,Y,Y,Y yellow=20,Y,Y,Y turn=yellow owed=1", 3, "20>23")
    assert text.startswith("red=20,Y,Y,Y yellow=23,Y,Y,Y turn=red owed=1 score.red=1")


def test_a_roll_by_which_its_player_retires_is_lost() -> None:
    book = plain("  when rolled if die = 6\n    retire\n    roll again")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 6) == f"red=20,Y,Y,Y {YARD} turn=yellow retired=red"


def test_a_player_who_retires_loses_the_rest_of_the_turn() -> None:
    book = plain("  when reached home if all own at home\n    retire\n    roll again")
    text = after(book, f"red=L5,H,H,H {YARD} turn=red", 1, "L5>H")
    assert text == f"red=H,H,H,H {YARD} turn=yellow retired=red"


# ---- once, retire ------------------------------------------------------------------------------------------------------


def test_the_mover_comes_first_when_both_meet_a_condition_at_once() -> None:
    """Yellow captures: from six, the pieces in both yards become seven, which each of the players may count."""
    book = plain(
        """
  when landing if enemies here
    send enemies here to yard as capture

  once enemies in yard + own in yard >= 7
    score 5
"""
    )
    step = play(engine(book), "red=49,Y,Y,Y yellow=20,Y,Y,Y turn=yellow", 3, "20>23")
    assert [e.player for e in step.events if e.kind is EventKind.SCORED] == [1, 0]


def test_a_one_time_condition_pays_once() -> None:
    book = plain("  once own out >= 1\n    score 5\n\n  when moved\n    roll again")
    text = after(book, f"red=Y,Y,Y,Y {YARD} turn=red", 6, "Y>0", 6, "0>6")
    assert "score.red=5" in text
    assert "done.red=a" in text


def test_players_retire_in_the_order_in_which_they_were_marked() -> None:
    """Both conditions come true by one move; the mover's is asked first, and each one's retirement is told to the rules."""
    book = plain("  once own in yard + enemies in yard = 6\n    retire\n\n  when retired\n    score players left")
    text = after(book, "red=Y,Y,Y,Y yellow=20,Y,Y,Y turn=red", 6, "Y>0")
    # Red retires while one is left, yellow while nobody is.
    assert text == "red=0,Y,Y,Y yellow=20,Y,Y,Y turn=over score.red=1 done.red=a done.yellow=a"


def test_those_who_retired_are_ranked_in_that_order() -> None:
    book = plain(
        """
  when reached home if all own at home
    retire
  when retired if players left = 1
    end game
  rank sides by first retired
"""
    )
    at = engine(book)
    state = play(at, "red=Y,Y,Y,Y yellow=L5,H,H,H turn=yellow", 1, "L5>H").state
    assert state.over
    assert at.places(state) == (2, 1)


# ---- links -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("times", "place"), [(1, "21"), (2, "34"), (3, "47")])
def test_links_carry_on_up_to_their_limit(times: int, place: str) -> None:
    """From star to star: 8, 21, 34, 47; a star next to a star would end it, so each hop is landed on."""
    book = plain("  when landing on star\n    score 1", board=f"link star to next star {times} times")
    text = after(book, f"red=5,Y,Y,Y {YARD} turn=red", 3, "5>8")
    # The first landing, and one for each link.
    assert text == f"red={place},Y,Y,Y {YARD} turn=yellow score.red={times + 1}"


def test_a_link_lands_again() -> None:
    """Somebody stands where the link ends, and is captured there; whoever stands where it begins has been captured before."""
    book = plain("  when landing if enemies here\n    send enemies here to yard as capture", board="link star to next star 1 times")
    # Yellow's 34 is red's 8, yellow's 47 is red's 21.
    assert after(book, "red=5,Y,Y,Y yellow=34,47,Y,Y turn=red", 3, "5>8") == f"red=21,Y,Y,Y {YARD} turn=yellow"


def test_the_last_link_leads_home_where_it_says_so() -> None:
    for home, place in ((" or home", "H"), ("", "47")):
        book = plain("  when reached home\n    score 9", board=f"link star to next star{home} 1 times")
        text = after(book, f"red=45,Y,Y,Y {YARD} turn=red", 2, "45>47")
        assert text == f"red={place},Y,Y,Y {YARD} turn=yellow" + (" score.red=9" if home else "")


# ---- past home ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("past", "moves"),
    # Home is two steps from L4: five are three too many. Back from home these lead over L5 and L4 to L3.
    [("never", []), ("stop", ["L4>H"]), ("bounce", ["L4>L3"])],
)
def test_past_home(past: str, moves: list[str]) -> None:
    book = plain(past=past)
    at = engine(book)
    state, choices, refused = at.weigh(at.read(f"red=H,H,H,L4 {YARD} turn=red"), (5,))
    assert [move_text(at.table, state, c) for c in choices] == moves
    assert bool(refused) == (past == "never")


@pytest.mark.parametrize(("die", "place"), [(2, "H"), (3, "L5"), (4, "L4"), (6, "L2")])
def test_a_bounce_counts_back_from_home(die: int, place: str) -> None:
    """Where it comes back to its own square, it has moved all the same."""
    book = plain(past="bounce")
    moves = legal(book, f"red=L4,Y,Y,Y {YARD} turn=red", die)
    assert f"L4>{place}" in moves


def test_a_bounce_passes_what_it_walks_over_twice() -> None:
    book = plain("  when passing on lane\n    score 1", past="bounce")
    # From L4 by 4: L5, home, L5, L4. Passed are L5 on the way in, and L5 on the way out; home is never passed.
    assert after(book, f"red=L4,Y,Y,Y {YARD} turn=red", 4, "L4>L4") == f"red=L4,Y,Y,Y {YARD} turn=yellow score.red=2"


def test_a_piece_that_stopped_has_walked_what_was_left() -> None:
    book = plain("  when moved\n    score walked", past="stop")
    assert after(book, f"red=L4,Y,Y,Y {YARD} turn=red", 5, "L4>H") == f"red=H,Y,Y,Y {YARD} turn=yellow score.red=2"


# ---- which moves -------------------------------------------------------------------------------------------------------


def test_a_face_can_count_as_another_number() -> None:
    """With nobody in the yard a six counts seven; with somebody there, six."""
    book = plain("  count 6 as 7 if own in yard = 0")
    assert legal(book, f"red=20,H,H,H {YARD} turn=red", 6) == ["20>27"]
    assert legal(book, f"red=20,Y,H,H {YARD} turn=red", 6) == ["20>26", "Y>0"]


def test_obligations_narrow_in_written_order() -> None:
    """A six may enter or capture. What is written first leaves only its own moves to what comes next."""
    position = "red=20,Y,Y,Y yellow=0,Y,Y,Y turn=red"
    capture = "  when landing if enemies here\n    send enemies here to yard as capture"
    enter_first = plain(f"  must enter\n  must capture\n\n{capture}")
    capture_first = plain(f"  must capture\n  must enter\n\n{capture}")
    assert legal(enter_first, position, 6) == ["Y>0"]
    assert legal(capture_first, position, 6) == ["20>26"]


def test_an_obligation_that_nothing_meets_leaves_everything() -> None:
    book = plain("  must enter")
    assert legal(book, f"red=20,30,Y,Y {YARD} turn=red", 3) == ["20>23", "30>33"]


def test_an_obligation_only_judges_the_moves_of_its_condition() -> None:
    """Among moves from the track to a star the one that captures is a must; entering is none of its business."""
    book = plain("  must capture if not entered\n\n  when landing if enemies here\n    send enemies here to yard as capture")
    assert legal(book, "red=20,10,Y,Y yellow=0,Y,Y,Y turn=red", 6) == ["20>26", "Y>0"]


def test_using_most_dice_looks_ahead() -> None:
    """Rolled 6 and 3: the six can only be used by entering if the three is kept for the piece that has entered."""
    book = plain("  must use most dice", dice="2 d6")
    # L3 can use the 3 (home), and nothing else can until somebody has entered: both orders use both dice.
    assert legal(book, f"red=L3,Y,H,H {YARD} turn=red", (6, 3)) == ["L3>H:3", "Y>0:6"]
    # From L1 the 4 leads to L5, where the 2 no longer helps; the 2 first, to L3, leaves a 4 that is too much.
    assert legal(book, f"red=L1,H,H,H {YARD} turn=red", (4, 2)) == ["L1>L3:2", "L1>L5:4"]
    # With 3 and 2 from L1 either first leaves the other to end on H: 3 leads to L4 and 2 home, 2 to L3 and 3 home.
    assert legal(book, f"red=L1,H,H,H {YARD} turn=red", (3, 2)) == ["L1>L3:2", "L1>L4:3"]
    # Two pieces: 5 takes L1 home and then the 2 only L4; but 2 with L1 leaves no use for the 5.
    assert legal(book, f"red=L1,L4,H,H {YARD} turn=red", (5, 2)) == ["L1>H:5", "L4>H:2"]
    free = plain(dice="2 d6")
    assert legal(free, f"red=L1,L4,H,H {YARD} turn=red", (5, 2)) == ["L1>H:5", "L1>L3:2", "L4>H:2"]


def test_then_most_pips_decides_between_as_many_dice() -> None:
    """From L1 either the 4 or the 2 can be used, not both: by pips it must be the 4."""
    book = plain("  must use most dice, then most pips", dice="2 d6")
    assert legal(book, f"red=L1,H,H,H {YARD} turn=red", (4, 2)) == ["L1>L5:4"]


def test_passing_is_a_choice_and_loses_the_dice() -> None:
    book = plain("  may pass if die != 6\n\n  when no move\n    score 1")
    position = f"red=20,Y,Y,Y {YARD} turn=red"
    assert legal(book, position, 3) == ["20>23", "pass"]
    # Declining is not being unable: `no move` does not fire.
    assert after(book, position, 3, "pass") == f"red=20,Y,Y,Y {YARD} turn=yellow"


def test_stuck_dice_are_dropped_where_a_rule_says_so() -> None:
    """The 6 can enter and the 5 is too much for L3; kept, it could be used by the piece that has come out."""
    position = f"red=H,H,L3,Y {YARD} turn=red"
    dropped = plain("  never keep stuck dice", dice="2 d6")
    kept = plain(dice="2 d6")
    assert after(kept, position, (6, 5)).endswith("pool=6,5")
    assert after(dropped, position, (6, 5)).endswith("pool=6 rolled=6+5")
    assert legal(kept, position, (6, 5), "Y>0:6") == ["0>5"]
    assert after(dropped, position, (6, 5), "Y>0") == f"red=H,H,L3,0 {YARD} turn=yellow"


# ---- dice of the pool --------------------------------------------------------------------------------------------------


def test_a_granted_move_joins_the_pool() -> None:
    book = plain("  when captured\n    grant 20\n\n  when landing if enemies here\n    send enemies here to yard as capture")
    position = "red=20,1,Y,Y yellow=49,Y,Y,Y turn=red"
    assert after(book, position, 3, "20>23") == f"red=23,1,Y,Y {YARD} turn=red pool=+20"
    assert legal(book, position, 3, "20>23") == ["1>21", "23>43"]
    assert after(book, position, 3, "20>23", "1>21") == f"red=23,21,Y,Y {YARD} turn=yellow"


def test_a_granted_move_that_nobody_can_make_is_lost() -> None:
    book = plain("  when reached home\n    grant 20")
    assert after(book, f"red=L5,L2,H,H {YARD} turn=red", 1, "L5>H") == f"red=H,H,H,L2 {YARD} turn=yellow"


def test_a_named_die_serves_its_own_moves_alone() -> None:
    book = plain("  when moved if die = 5\n    grant free\n  may enter if die is free", dice="1 d6 also free")
    position = f"red=20,Y,Y,Y {YARD} turn=red"
    assert legal(book, position, 5, "20>25") == ["Y>0"]
    assert after(book, position, 5, "20>25", "Y>0") == f"red=25,0,Y,Y {YARD} turn=yellow"


# ---- the turn ----------------------------------------------------------------------------------------------------------


def test_a_roll_owed_waits_and_a_roll_due_does_not() -> None:
    position = f"red=20,Y,Y,Y {YARD} turn=red"
    owed = plain("  when rolled if die = 6\n    roll again")
    due = plain("  when rolled if die = 6\n    roll again at once")
    assert legal(owed, position, 6) == ["20>26", "Y>0"]
    assert legal(due, position, 6) == []
    assert legal(due, position, 6, 3) == ["20>23:3", "20>26:6", "Y>0:6"]


def test_rolls_of_two_dice_are_in_a_row_when_both_show_the_face() -> None:
    """A six with another face breaks the row, and is not remembered once it has been moved."""
    book = plain("  when rolled\n    roll again\n\n  when rolled if 6 rolled 2 times in a row\n    end turn", dice="2 d6")
    position = f"red=0,0,Y,Y {YARD} turn=red"
    assert after(book, position, (6, 6), "0>6:6", "0>6", (6, 6)).startswith("red=6,6,Y,Y yellow=Y,Y,Y,Y turn=yellow")
    assert "rolled" not in after(book, position, (6, 5), "0>6:6", "0>5")
    assert "turn=red" in after(book, position, (6, 5), "0>6:6", "0>5", (6, 6))


def test_rolls_owed_add_up() -> None:
    book = plain("  when rolled if die = 6\n    roll again\n    roll again")
    assert after(book, f"red=20,Y,Y,Y {YARD} turn=red", 6, "20>26").endswith("turn=red owed=2")


def test_no_move_fires_before_the_roll_is_lost() -> None:
    book = plain("  when no move if turn rolls < 3\n    roll again")
    position = f"red=Y,Y,Y,Y {YARD} turn=red"
    at = engine(book)
    assert play(at, position, 1).state.awaits_roll
    assert play(at, position, 1, 1).state.turn == 0
    assert play(at, position, 1, 1, 1).state.turn == 1


def test_no_move_does_not_fire_once_a_die_was_used() -> None:
    """Of two dice one is used and the other cannot be: that is no roll without a move."""
    book = plain("  when no move\n    score 1", dice="2 d6")
    assert after(book, f"red=L4,H,H,H {YARD} turn=red", (2, 5), "L4>H") == f"red=H,H,H,H {YARD} turn=yellow"
    assert after(book, f"red=L4,H,H,H {YARD} turn=red", (4, 5)) == f"red=H,H,H,L4 {YARD} turn=yellow score.red=1"


CHASE = "  when rolled if die = 6\n    roll again\n\n  when no move\n    score 1"


@pytest.mark.parametrize(
    ("order", "outcome"),
    [
        # The published order: the six is moved, and the roll that it earned is made then.
        (TURN, "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=6 owed=1"),
        # An owed roll before the choice: like one that is made at once.
        ((Stage.DUE_ROLL, Stage.OWED_ROLL, Stage.CHOOSE, Stage.LOSE, Stage.END), "rolling"),
        # Dice lost before they can be chosen from: every roll is lost.
        ((Stage.DUE_ROLL, Stage.LOSE, Stage.CHOOSE, Stage.OWED_ROLL, Stage.END), "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red score.red=1"),
        # The end before the owed roll: nothing that was earned is ever rolled.
        ((Stage.DUE_ROLL, Stage.END, Stage.CHOOSE, Stage.LOSE, Stage.OWED_ROLL), "endless"),
    ],
)
def test_the_turn_loop_is_a_field_of_the_rules(order: tuple[Stage, ...], outcome: str) -> None:
    book = replace(plain(CHASE), turn=order)
    position = f"red=20,Y,Y,Y {YARD} turn=red owed=1"
    if outcome == "endless":
        with pytest.raises(EndlessRulesError):
            after(book, position, 6)
        return
    at = engine(book)
    step = play(at, position, 6)
    if outcome == "rolling":
        assert not any(e.kind is EventKind.MOVED for e in step.events)
        assert step.state.owed == 1
        return
    assert position_text(at.table, step.state) == outcome


def test_a_turn_without_an_end_is_found_out() -> None:
    at = engine(replace(plain(), turn=(Stage.DUE_ROLL, Stage.CHOOSE, Stage.LOSE, Stage.OWED_ROLL)))
    with pytest.raises(EndlessRulesError, match="no stage that applies"):
        play(at, f"red=20,Y,Y,Y {YARD} turn=red", 3, "20>23")


def test_turns_that_skip_their_rolls_for_ever_are_found_out() -> None:
    at = engine(plain("  when turn starts\n    skip roll"))
    with pytest.raises(EndlessRulesError, match="chase each other"):
        at.start()


def test_players_who_have_retired_are_skipped_and_rounds_still_end() -> None:
    book = plain("  when reached home if all own at home\n    retire\n\n  when round ends\n    score round")
    # Red, who began, has retired; yellow's turns follow each other, and the round ends between them.
    position = "red=H,H,H,H yellow=20,Y,Y,Y turn=yellow retired=red round=3"
    assert after(book, position, 3, "20>23").startswith("red=H,H,H,H yellow=23,Y,Y,Y turn=yellow")
    assert "round=4" in after(book, position, 3, "20>23")


def test_faces_that_may_not_come() -> None:
    book = plain("  never roll 6 if 6 rolled 2 times\n\n  when rolled if die = 6\n    roll again")
    at = engine(book)
    state = play(at, f"red=20,Y,Y,Y {YARD} turn=red", 6, "20>26", 6, "26>32").state
    assert at.faces(state) == (1, 2, 3, 4, 5)
    assert at.faces(at.start()) == (1, 2, 3, 4, 5, 6)
