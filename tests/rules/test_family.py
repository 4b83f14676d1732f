"""The wider family: Parchís, Mensch ärgere Dich nicht and Pachisi, worked out by hand from their rules, not from output.

A square of one colour is another colour's square less the arms between them: in Parchís red starts 34 squares after
yellow, so yellow's 13 is red's 47; in Mensch ärgere Dich nicht green starts 20 after black; in Pachisi red, black and green
start 17, 34 and 51 after yellow.
"""

from __future__ import annotations

from typing import Any

import pytest

from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.game.errors import PositionError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.table import TableError, make_table


class Play:
    """A game at some position, with texts in and out; every position must survive being written and read."""

    def __init__(self, variant: str, given: str | None = None, players: int = 2, **choices: str) -> None:
        rules = book_of(variant)
        roles: dict[str, dict[str, Any]] = {"option": {}, "reading": {}}
        for name, value in choices.items():
            setting = rules.setting(name.replace("_", "-"))
            assert setting is not None, name
            roles[setting.role][setting.id] = value
        self.engine = Interpreter(make_table(rules, players, roles["option"], roles["reading"]))
        self.state = self._kept(self.engine.read(given) if given else self.engine.start())

    def _kept(self, state: State) -> State:
        assert self.engine.read(position_text(self.engine.table, state)) == state
        return state

    @property
    def text(self) -> str:
        return position_text(self.engine.table, self.state)

    def roll(self, *rolls: int) -> Play:
        for face in rolls:
            self.state = self._kept(self.engine.roll(self.state, (face,)).state)
        return self

    def legal(self) -> set[str]:
        choices = self.engine.legal(self.state)
        texts = {move_text(self.engine.table, self.state, c) for c in choices}
        assert len(texts) == len(choices)
        return texts

    def move(self, *moves: str) -> Play:
        for text in moves:
            choice = read_move(self.engine.table, self.state, text, self.engine.legal(self.state))
            self.state = self._kept(self.engine.move(self.state, choice).state)
        return self

    def field(self, name: str) -> str | None:
        return dict(part.split("=") for part in self.text.split()).get(name)

    def refusing(self, origin: str, to: str) -> set[str]:
        """The rules that refuse a move."""
        spots = self.engine.table.routes[0].by_text
        return {
            reason.statement.rule
            for choice, reasons in self.engine.refused(self.state)
            for reason in reasons
            if reason.statement is not None and choice[1:3] == (spots[origin], spots[to])
        }


# ---- Parchís -----------------------------------------------------------------------------------------------------------


def parchis(given: str | None = None, players: int = 2, **choices: str) -> Play:
    return Play("parchis", given, players, **choices)


def test_parchis_board() -> None:
    table = parchis().engine.table
    assert (table.measures.ring, table.measures.turn_off, table.measures.route) == (68, 63, 71)
    route = table.routes[0]
    kinds = {"start", "refuge", "tip"}
    safe = [n for n in range(64) if table.kinds[route.squares[route.start + n] or 0] & kinds]
    assert safe == [0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63]


def test_a_five_must_bring_a_piece_in() -> None:
    game = parchis("yellow=20,Y,Y,Y red=Y,Y,Y,Y turn=yellow").roll(5)
    assert game.legal() == {"Y>0"}
    assert game.refusing("20", "25") == {"come-in"}
    # With two own pieces on the entry there is no room, and the five is free.
    assert parchis("yellow=0,0,20,Y red=Y,Y,Y,Y turn=yellow").roll(5).legal() == {"0>5", "20>25"}
    # Nothing but a five brings a piece in.
    assert parchis("yellow=Y,Y,Y,Y red=Y,Y,Y,Y turn=yellow").roll(4).field("turn") == "red"


def test_a_capture_grants_twenty_to_any_piece() -> None:
    game = parchis("yellow=10,20,Y,Y red=47,Y,Y,Y turn=yellow").roll(3).move("10>13")
    assert game.text == "yellow=20,13,Y,Y red=Y,Y,Y,Y turn=yellow pool=+20 last=13"
    assert game.legal() == {"13>33", "20>40"}
    assert game.move("20>40").text == "yellow=40,13,Y,Y red=Y,Y,Y,Y turn=red"


def test_a_leap_that_nobody_can_make_is_lost() -> None:
    # Red's 28 is yellow's 62, from where home is 9 steps away.
    game = parchis("yellow=60,Y,Y,Y red=28,Y,Y,Y turn=yellow").roll(2).move("60>62")
    assert game.text == "yellow=62,Y,Y,Y red=Y,Y,Y,Y turn=red"


def test_a_piece_home_grants_ten_and_leaps_chain() -> None:
    game = parchis("yellow=L5,3,Y,Y red=47,Y,Y,Y turn=yellow").roll(3).move("L5>H")
    assert game.legal() == {"3>13"}
    game.move("3>13")
    assert (game.field("red"), game.field("pool")) == ("Y,Y,Y,Y", "+20")
    assert game.move("13>33").text == "yellow=H,33,Y,Y red=Y,Y,Y,Y turn=red"


def test_leaps_can_be_switched_off() -> None:
    game = parchis("yellow=10,20,Y,Y red=47,Y,Y,Y turn=yellow", capture_bonus="off").roll(3).move("10>13")
    assert game.field("turn") == "red"
    game = parchis("yellow=L5,3,Y,Y red=47,Y,Y,Y turn=yellow", home_bonus="off").roll(3).move("L5>H")
    assert game.field("turn") == "red"


def test_a_barrier_stops_its_owner_too() -> None:
    game = parchis("yellow=20,20,18,Y red=Y,Y,Y,Y turn=yellow").roll(3)
    assert game.legal() == {"20>23"}
    assert game.refusing("18", "21") == {"barrier"}
    game = parchis("yellow=20,20,18,Y red=Y,Y,Y,Y turn=yellow").roll(2)
    assert game.legal() == {"20>22"}
    assert game.refusing("18", "20") == {"room-for-two"}
    # Red's 52 is yellow's 18.
    assert parchis("yellow=20,20,Y,Y red=52,Y,Y,Y turn=red").roll(3).field("turn") == "yellow"


def test_a_six_opens_the_barrier_before_anything_else() -> None:
    game = parchis("yellow=20,20,40,Y red=Y,Y,Y,Y turn=yellow").roll(6)
    assert game.legal() == {"20>26"}
    assert game.refusing("40", "46") == {"open-barrier"}
    # Another barrier in the way, on yellow's 23: then the six is free.
    assert parchis("yellow=20,20,40,Y red=57,57,Y,Y turn=yellow").roll(6).legal() == {"40>46"}
    assert parchis("yellow=20,20,40,Y red=Y,Y,Y,Y turn=yellow").roll(4).legal() == {"20>24", "40>44"}


@pytest.mark.parametrize(("six", "steps"), [("seven", 7), ("twelve", 12), ("six", 6)])
def test_a_six_counts_more_with_nobody_in_the_house(six: str, steps: int) -> None:
    game = parchis("yellow=10,20,30,L1 red=Y,Y,Y,Y turn=yellow", six=six).roll(6)
    assert {f"{n}>{n + steps}" for n in (10, 20, 30)} <= game.legal()
    assert "10>16" in parchis("yellow=10,20,30,Y red=Y,Y,Y,Y turn=yellow", six=six).roll(6).legal()


def test_the_stranger_that_came_last_makes_room() -> None:
    # Yellow's entry is blue's 51 and green's 17.
    given = "yellow=Y,Y,Y,Y blue=51,Y,Y,Y red=Y,Y,Y,Y green=17,Y,Y,Y turn=yellow order="
    game = parchis(given + "blue:51,green:17", players=4).roll(5).move("Y>0")
    assert (game.field("blue"), game.field("green"), game.field("pool")) == ("51,Y,Y,Y", "Y,Y,Y,Y", "+20")
    game = parchis(given + "green:17,blue:51", players=4).roll(5).move("Y>0")
    assert (game.field("blue"), game.field("green")) == ("Y,Y,Y,Y", "17,Y,Y,Y")


def test_arrival_order_is_kept_by_play() -> None:
    # Blue comes to yellow's entry after green, and is still the later one when it is yellow's turn.
    game = parchis("yellow=Y,Y,Y,Y blue=48,Y,Y,Y red=Y,Y,Y,Y green=17,30,Y,Y turn=blue", players=4).roll(3).move("48>51")
    assert game.field("order") == "green:17,blue:51"
    game.roll(1).roll(1).move("30>31").roll(5).move("Y>0")
    assert (game.field("blue"), game.field("green"), game.field("order")) == ("Y,Y,Y,Y", "31,17,Y,Y", "green:17,yellow:0")


def test_own_and_strange_piece_on_the_entry() -> None:
    game = parchis("yellow=0,Y,Y,Y red=34,Y,Y,Y turn=yellow").roll(5).move("Y>0")
    assert (game.field("yellow"), game.field("red")) == ("0,0,Y,Y", "Y,Y,Y,Y")
    # A lone stranger there is on a safe square and stays.
    game = parchis("yellow=Y,Y,Y,Y red=34,Y,Y,Y turn=yellow").roll(5).move("Y>0")
    assert game.text == "yellow=0,Y,Y,Y red=34,Y,Y,Y turn=red order=red:34,yellow:0"


def test_making_room_can_be_no_capture() -> None:
    game = parchis("yellow=0,Y,Y,Y red=34,Y,Y,Y turn=yellow", make_room="sent").roll(5).move("Y>0")
    assert game.text == "yellow=0,0,Y,Y red=Y,Y,Y,Y turn=red"


def test_strangers_in_pairs_on_the_entry() -> None:
    given = "yellow=Y,Y,Y,Y red=34,34,Y,Y turn=yellow"
    assert parchis(given).roll(5).move("Y>0").field("red") == "34,Y,Y,Y"
    assert parchis(given, strangers="holds").roll(5).field("turn") == "red"


def test_the_third_six_sends_back_the_piece_moved_last() -> None:
    game = parchis("yellow=30,10,Y,Y red=Y,Y,Y,Y turn=yellow").roll(6).move("10>16")
    assert game.text == "yellow=30,16,Y,Y red=Y,Y,Y,Y turn=yellow rolled=6 last=16"
    game.roll(6).move("16>22").roll(6)
    assert game.text == "yellow=30,Y,Y,Y red=Y,Y,Y,Y turn=red"


def test_the_third_six_spares_a_piece_in_its_lane() -> None:
    game = parchis("yellow=58,10,Y,Y red=Y,Y,Y,Y turn=yellow").roll(6).move("10>16").roll(6).move("58>L1").roll(6)
    assert game.text == "yellow=L1,16,Y,Y red=Y,Y,Y,Y turn=red"


def test_a_leap_is_a_move_too_for_the_third_six() -> None:
    # Red's 56 is yellow's 22.
    game = parchis("yellow=30,10,Y,Y red=56,Y,Y,Y turn=yellow").roll(6).move("10>16").roll(6).move("16>22")
    assert game.move("22>42").roll(6).text == "yellow=30,Y,Y,Y red=Y,Y,Y,Y turn=red"


def test_safe_squares_hold_two_colours() -> None:
    # Red's 51 is yellow's 17, a safe square.
    game = parchis("yellow=15,Y,Y,Y red=51,Y,Y,Y turn=yellow").roll(2).move("15>17")
    assert (game.field("red"), game.field("turn")) == ("51,Y,Y,Y", "red")
    given = "yellow=17,15,Y,Y red=51,Y,Y,Y turn=yellow"
    assert parchis(given).roll(2).legal() == {"17>19"}
    assert parchis(given).roll(3).legal() == {"15>18", "17>20"}
    assert parchis(given, full_refuge="shut").roll(3).legal() == {"17>20"}


def test_the_goal_needs_the_exact_number() -> None:
    assert parchis("yellow=L5,Y,Y,Y red=Y,Y,Y,Y turn=yellow").roll(4).field("turn") == "red"


def test_the_first_with_all_in_the_goal_wins() -> None:
    given = "yellow=H,H,H,L5 blue=H,Y,Y,Y red=9,11,Y,Y turn=yellow"
    game = parchis(given, players=3).roll(3).move("L5>H")
    assert game.state.over
    assert game.engine.places(game.state) == (1, 2, 3)
    game = parchis(given, players=3, play_on="on").roll(3).move("L5>H")
    assert (game.field("turn"), game.field("retired")) == ("blue", "yellow")
    game = parchis("yellow=H,H,H,H blue=H,H,H,L5 red=9,11,Y,Y turn=blue retired=yellow", players=3, play_on="on").roll(3).move("L5>H")
    assert game.state.over
    assert game.engine.places(game.state) == (1, 2, 3)


@pytest.mark.parametrize(("opening", "places"), [("yard", "Y,Y,Y,Y"), ("one", "0,Y,Y,Y"), ("pair", "0,0,Y,Y")])
def test_openings(opening: str, places: str) -> None:
    assert parchis(opening=opening).field("red") == places


# ---- Mensch ärgere Dich nicht -------------------------------------------------------------------------------------------


def mensch(given: str | None = None, players: int = 2, **choices: str) -> Play:
    return Play("mensch", given, players, **choices)


def test_mensch_board_and_opening() -> None:
    game = mensch(players=4)
    assert (game.engine.table.measures.ring, game.engine.table.measures.turn_off, game.engine.table.measures.route) == (40, 39, 43)
    assert game.field("black") == "0,Y,Y,Y"
    assert mensch(opening="waiting").field("green") == "Y,Y,Y,Y"


def test_a_six_must_bring_a_man_in() -> None:
    # Green's 20 is black's A field.
    game = mensch("black=10,Y,Y,Y green=20,Y,Y,Y turn=black").roll(6)
    assert game.legal() == {"Y>0"}
    assert game.move("Y>0").field("green") == "Y,Y,Y,Y"
    assert game.field("turn") == "black"


def test_the_a_field_is_cleared_first() -> None:
    given = "black=10,0,Y,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given).roll(6).legal() == {"0>6"}
    assert mensch(given).roll(3).legal() == {"0>3"}
    # Its way is shut by a man of its own: then the others are free.
    assert mensch("black=6,0,Y,Y green=Y,Y,Y,Y turn=black").roll(6).legal() == {"6>12"}
    # Nobody waits.
    assert mensch("black=L4,20,10,0 green=Y,Y,Y,Y turn=black").roll(3).legal() == {"0>3", "10>13", "20>23"}


def test_one_man_to_a_square_and_no_landing_on_own() -> None:
    game = mensch("black=13,10,Y,Y green=Y,Y,Y,Y turn=black").roll(3)
    assert game.legal() == {"13>16"}
    assert game.refusing("10", "13") == {"barriers"}


def test_slots_hold_one() -> None:
    given = "black=L2,38,Y,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given).roll(3).field("turn") == "green"
    assert mensch(given).roll(2).legal() == {"38>L1", "L2>L4"}
    with pytest.raises(PositionError, match="L2 holds one piece only"):
        mensch("black=L2,L2,Y,Y green=Y,Y,Y,Y turn=black")


def test_jumping_in_the_goal() -> None:
    given = "black=L2,38,Y,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given).roll(4).legal() == {"38>L3"}
    assert mensch(given, jumping="off").roll(4).field("turn") == "green"
    given = "black=L1,L2,Y,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given).roll(2).legal() == {"L1>L3", "L2>L4"}
    assert mensch(given, jumping="off").roll(2).legal() == {"L2>L4"}


def test_backward_only_to_capture() -> None:
    # Green's 27 is black's 7.
    game = mensch("black=30,10,Y,Y green=27,Y,Y,Y turn=black", backward="on").roll(3)
    assert game.legal() == {"10>13", "30>33", "10>7"}
    assert game.move("10>7").text.startswith("black=30,7,Y,Y green=Y,Y,Y,Y turn=green")
    assert mensch("black=30,10,Y,Y green=26,Y,Y,Y turn=black", backward="on").roll(3).legal() == {"10>13", "30>33"}
    assert mensch("black=30,10,Y,Y green=27,Y,Y,Y turn=black").roll(3).legal() == {"10>13", "30>33"}


@pytest.mark.parametrize(
    ("black", "green", "roll", "legal"),
    [
        ("3,Y,Y,Y", "20,Y,Y,Y", 3, {"3>6"}),  # onto the own A field
        ("2,Y,Y,Y", "19,Y,Y,Y", 3, {"2>5"}),  # across it, to black's 39
        ("L1,Y,Y,Y", "18,Y,Y,Y", 2, {"L1>L3"}),  # out of the goal, to black's 38
    ],
)
def test_backward_neither_over_the_own_start_nor_out_of_the_goal(black: str, green: str, roll: int, legal: set[str]) -> None:
    assert mensch(f"black={black} green={green} turn=black", backward="on").roll(roll).legal() == legal


def test_a_man_that_did_not_capture_goes_back() -> None:
    # Green's 33 is black's 13.
    given = "black=30,10,Y,Y green=33,Y,Y,Y turn=black"
    game = mensch(given, forced_capture="on").roll(3)
    assert game.legal() == {"10>13", "30>33"}
    assert game.move("30>33").field("black") == "33,Y,Y,Y"
    assert mensch(given, forced_capture="on").roll(3).move("10>13").field("black") == "30,13,Y,Y"
    assert mensch(given).roll(3).move("30>33").field("black") == "33,10,Y,Y"


def test_no_forfeit_for_a_capture_that_was_not_free() -> None:
    # Green's 36 is black's 16, but the six has to bring a man in.
    game = mensch("black=30,10,Y,Y green=36,Y,Y,Y turn=black", forced_capture="on").roll(6)
    assert game.legal() == {"Y>0"}
    assert game.move("Y>0").field("black") == "30,10,0,Y"


def test_the_man_that_went_forward_instead_of_back_is_the_one_that_failed() -> None:
    game = mensch("black=30,10,Y,Y green=27,Y,Y,Y turn=black", forced_capture="on", backward="on").roll(3)
    assert game.move("10>13").field("black") == "30,Y,Y,Y"


@pytest.mark.parametrize("black", ["Y,Y,Y,Y", "L4,Y,Y,Y", "L4,L3,Y,Y", "L4,L3,L2,Y"])
def test_three_tries(black: str) -> None:
    game = mensch(f"black={black} green=5,Y,Y,Y turn=black", tries="on")
    assert [game.roll(5).field("turn") for _ in range(3)] == ["black", "black", "green"]
    assert mensch(f"black={black} green=5,Y,Y,Y turn=black").roll(5).field("turn") == "green"


@pytest.mark.parametrize("black", ["L3,Y,Y,Y", "L4,L2,Y,Y", "39,Y,Y,Y"])
def test_no_tries_while_some_roll_could_move_a_man(black: str) -> None:
    # A five moves none of these: from 39 the last slot is four steps away.
    game = mensch(f"black={black} green=5,Y,Y,Y turn=black", tries="on").roll(5)
    assert game.field("turn") == "green"


def test_a_try_that_succeeds() -> None:
    game = mensch("black=Y,Y,Y,Y green=5,Y,Y,Y turn=black", tries="on").roll(1, 6).move("Y>0")
    assert game.roll(4).legal() == {"0>4"}
    assert game.move("0>4").field("turn") == "green"


def test_a_six_that_brings_the_last_man_in_is_not_rolled_again() -> None:
    game = mensch("black=L4,L3,L2,34 green=5,Y,Y,Y yellow=Y,Y,Y,Y turn=black", players=3).roll(6).move("34>L1")
    assert (game.field("turn"), game.field("retired")) == ("yellow", "black")
    game = mensch("black=L4,L3,L2,34 green=5,Y,Y,Y turn=black").roll(6).move("34>L1")
    assert game.state.over
    assert game.engine.places(game.state) == (1, 2)


def test_a_six_that_no_man_can_use() -> None:
    # From 36 the last slot is seven steps away, and a six leads to the slot that is taken.
    given = "black=L3,36,L4,L2 green=5,Y,Y,Y turn=black"
    assert mensch(given).roll(6).field("turn") == "green"
    assert mensch(given, unused_six="pays").roll(6).field("turn") == "black"


def test_barriers_of_two() -> None:
    given = "black=10,10,8,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given, barriers="on").roll(3).legal() == {"10>13"}
    assert mensch(given, barriers="on").roll(2).legal() == {"10>12"}
    assert "8>10" in mensch("black=10,8,Y,Y green=Y,Y,Y,Y turn=black", barriers="on").roll(2).legal()
    # Green's 28 is black's 8.
    assert mensch("black=10,10,Y,Y green=28,Y,Y,Y turn=green", barriers="on").roll(3).field("turn") == "black"
    given = "black=10,0,Y,Y green=Y,Y,Y,Y turn=black"
    assert mensch(given, barriers="on").roll(6).legal() == {"0>6"}
    assert mensch(given, barriers="on", pair_at_start="yes").roll(6).legal() == {"Y>0"}


# ---- Pachisi -----------------------------------------------------------------------------------------------------------


REST = "red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=1"


def pachisi(given: str | None = None, players: int = 4, **choices: str) -> Play:
    return Play("pachisi", given, players, **choices)


def test_the_whole_way_is_84_steps() -> None:
    table = pachisi().engine.table
    route = table.routes[0]
    # `route` counts from the first square of the way; from the Charkoni it is a step more.
    assert (table.measures.ring, table.measures.turn_off, table.measures.route) == (68, 68, 83)
    assert route.remaining[0] == 84
    assert [str(s) for s in route.spots[1:9]] == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "0"]
    assert [str(s) for s in route.spots[75:79]] == ["67", "68", "L1", "L2"]
    assert route.squares[8] == route.squares[76], "the tip is walked over twice"
    castles = [n for n in range(8, 77) if table.kinds[route.squares[n] or 0] & {"start", "near", "far"}]
    assert castles == [8, 12, 21, 25, 29, 38, 42, 46, 55, 59, 63, 72, 76]
    assert [route.is_lane_square(route.squares[n] or 0) for n in (1, 7, 8, 77, 83)] == [False, False, False, True, True]


def test_six_cowries() -> None:
    # Mouths up 0 to 6 come in 1, 6, 15, 20, 15, 6, 1 of 64 ways; none up counts 25, one counts 10.
    faces = dict(pachisi().engine.table.book.dice.faces)
    assert faces == {25: 1, 10: 6, 2: 15, 3: 20, 4: 15, 5: 6, 6: 1}


def test_the_first_piece_needs_no_grace() -> None:
    game = pachisi().roll(3)
    assert game.legal() == {"Y>A3", "pass"}
    assert game.move("Y>A3").text.startswith("yellow=A3,Y,Y,Y red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=red begun.yellow=1")
    assert pachisi(coming_in="placed").roll(3).legal() == {"Y>A1", "pass"}
    # Every other one does, and one that was captured as well.
    assert pachisi("yellow=A3,Y,Y,Y " + REST).roll(3).legal() == {"A3>A6", "pass"}
    assert pachisi("yellow=Y,Y,Y,Y " + REST).roll(3).field("turn") == "red"


@pytest.mark.parametrize(("throw", "moves"), [(6, {"A3>1", "Y>A6"}), (10, {"A3>5", "Y>2"}), (25, {"A3>20", "Y>17"})])
def test_a_grace_brings_a_piece_in_and_is_thrown_again(throw: int, moves: set[str]) -> None:
    game = pachisi("yellow=A3,Y,Y,Y " + REST).roll(throw)
    assert game.legal() == {*moves, "pass"}
    game.move(max(moves))
    assert (game.field("turn"), game.state.awaits_roll) == ("yellow", True)


def test_nobody_has_to_move() -> None:
    assert (
        pachisi("yellow=20,Y,Y,Y " + REST)
        .roll(3)
        .move("pass")
        .text.startswith("yellow=20,Y,Y,Y red=Y,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=red")
    )
    game = pachisi("yellow=20,Y,Y,Y " + REST).roll(6).move("pass")
    assert (game.field("turn"), game.state.awaits_roll) == ("yellow", True), "the grace is still thrown again"


def test_saved_throws_go_to_several_pieces_whole() -> None:
    game = pachisi("yellow=30,20,Y,Y " + REST, grace_throws="saved").roll(10, 3)
    assert game.legal() == {"20>30:10", "20>23:3", "30>40:10", "30>33:3", "Y>2:10", "pass"}
    game.move("Y>2:10", "30>33")
    assert (game.field("yellow"), game.field("turn")) == ("33,20,2,Y", "red")


def test_no_landing_on_a_castle_of_the_enemy() -> None:
    # Red's 55 is yellow's 4.
    given = "yellow=10,2,Y,Y red=55,Y,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=1"
    game = pachisi(given).roll(2)
    assert game.legal() == {"10>12", "pass"}
    assert game.refusing("2", "4") == {"castles"}
    assert pachisi(given).roll(3).legal() == {"2>5", "10>13", "pass"}, "passing it is free"
    # Black's 38 is yellow's 4 as well, and black is yellow's partner.
    given = "yellow=10,2,Y,Y red=Y,Y,Y,Y black=38,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=1"
    assert pachisi(given).roll(2).move("2>4").field("black") == "38,Y,Y,Y"


def test_a_capture_takes_all_and_may_earn_a_throw() -> None:
    # Red's 56 is yellow's 5.
    given = "yellow=2,Y,Y,Y red=56,56,Y,Y black=Y,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=1"
    game = pachisi(given).roll(3).move("2>5")
    assert (game.field("red"), game.field("turn")) == ("Y,Y,Y,Y", "red")
    assert pachisi(given, capture_throw="on").roll(3).move("2>5").field("turn") == "yellow"


def test_round_from_tip_to_tip() -> None:
    assert pachisi("yellow=66,Y,Y,Y " + REST).roll(3).legal() == {"66>L1", "pass"}
    assert pachisi("yellow=68,0,Y,Y " + REST).roll(3).legal() == {"0>3", "68>L3", "pass"}


def test_home_exactly_or_by_grace_from_the_last_square() -> None:
    assert pachisi("yellow=L5,Y,Y,Y " + REST).roll(3).legal() == {"L5>H", "pass"}
    assert pachisi("yellow=L5,Y,Y,Y " + REST).roll(4).field("turn") == "red"
    assert pachisi("yellow=L7,L6,20,L5 " + REST).roll(6).legal() == {"L7>H", "20>26", "pass"}
    assert pachisi("yellow=L7,L6,20,L5 " + REST, last_square="large").roll(6).legal() == {"20>26", "pass"}
    assert pachisi("yellow=L7,L6,H,L5 " + REST, last_square="large").roll(10).legal() == {"L7>H", "pass"}
    assert pachisi("yellow=L7,H,H,H " + REST).roll(2).field("turn") == "red"


def test_the_other_count_of_no_mouths() -> None:
    assert pachisi("yellow=20,18,H,H " + REST, none_up="ten").roll(25).legal() == {"20>30", "18>28", "pass"}
    assert pachisi("yellow=20,18,H,H " + REST, none_up="ten").roll(10).legal() == {"20>45", "18>43", "pass"}


def test_the_side_with_all_eight_home_wins() -> None:
    game = pachisi("yellow=H,H,H,H red=H,H,H,H black=L5,H,H,H green=3,H,H,H turn=black retired=yellow,red").roll(3).move("L5>H")
    assert game.state.over
    assert game.engine.places(game.state) == (1, 2, 1, 2)


def test_a_player_all_home_waits_or_helps() -> None:
    given = "yellow=L5,H,H,H red=3,Y,Y,Y black=20,Y,Y,Y green=4,Y,Y,Y turn=yellow begun.yellow=4 begun.black=1"
    game = pachisi(given).roll(3).move("L5>H").roll(2).move("pass").roll(2).move("pass").roll(2).move("pass")
    assert game.field("turn") == "red"
    game = pachisi(given, finished="helps").roll(3).move("yellow:L5>H").roll(2).move("pass").roll(2).move("pass").roll(2).move("pass")
    assert game.roll(2).legal() == {"black:20>22", "pass"}
    given = "yellow=H,H,H,H red=3,Y,Y,Y black=20,Y,Y,Y green=40,Y,Y,Y turn=yellow begun.yellow=4 begun.black=1"
    assert pachisi(given, finished="helps").roll(6).legal() == {"black:20>26", "black:Y>A6", "pass"}
    assert pachisi(given, finished="helps", coming_in="placed").roll(6).legal() == {"black:20>26", "black:Y>A1", "pass"}


def test_two_players_with_two_colours_each() -> None:
    # Black's 39 is yellow's 5.
    game = pachisi("yellow=2,Y,Y,Y red=Y,Y,Y,Y black=39,Y,Y,Y green=Y,Y,Y,Y turn=yellow begun.yellow=2", players=2).roll(3)
    assert game.legal() == {"yellow:2>5", "black:39>42", "pass"}
    assert game.move("yellow:2>5").field("black") == "39,Y,Y,Y"
    game = pachisi("yellow=H,H,H,H red=Y,Y,Y,Y black=L5,H,H,H green=Y,Y,Y,Y turn=yellow", players=2).roll(3).move("black:L5>H")
    assert game.state.over
    assert game.engine.places(game.state) == (1, 2)


def test_two_or_four_players_and_no_three() -> None:
    with pytest.raises(TableError, match="for 2 or 4 players, not 3"):
        pachisi(players=3)


# ---- notation ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "players", "text"),
    [
        ("pachisi", 4, "yellow=A3,A7,0,68 red=L7,H,Y,A1 black=Y,Y,Y,Y green=Y,Y,Y,Y turn=red pool=25"),
        ("pachisi", 2, "yellow=A3,Y,Y,Y red=Y,Y,Y,Y black=A1,Y,Y,Y green=Y,Y,Y,Y turn=red begun.yellow=2"),
        ("parchis", 2, "yellow=20,13,Y,Y red=Y,Y,Y,Y turn=yellow pool=+20,+10 rolled=6 owed=1 last=13"),
        ("parchis", 4, "yellow=17,Y,Y,Y blue=0,Y,Y,Y red=46,Y,Y,Y green=29,Y,Y,Y turn=red order=green:29,red:46,blue:0,yellow:17"),
        ("mensch", 3, "black=L4,L3,39,0 yellow=Y,Y,Y,Y green=L1,L2,L3,L4 turn=black pool=6 retired=green"),
    ],
)
def test_notation_round_trips(variant: str, players: int, text: str) -> None:
    game = Play(variant, text, players)
    fields = dict(part.split("=") for part in text.split())
    found = dict(part.split("=") for part in game.text.split())
    sorted_places = {name: sorted(value.split(",")) for name, value in fields.items()}
    assert {name: sorted(value.split(",")) for name, value in found.items()} == sorted_places
    assert found.get("order") == fields.get("order")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("yellow=0,Y,Y,Y red=34,Y,Y,Y turn=yellow order=red:34,red:34", "`red:34` comes too often"),
        ("yellow=0,Y,Y,Y red=34,Y,Y,Y turn=yellow order=red:30", "`red:30` in `order=` is no piece"),
        ("yellow=20,Y,Y,Y red=Y,Y,Y,Y turn=yellow pool=6 last=21", "`21` in `last=` is no piece of yellow's"),
        ("yellow=20,Y,Y,Y red=20,Y,Y,Y turn=yellow pool=6 last=red:20", "`red:20` in `last=` is no piece of yellow's"),
        ("yellow=20,Y,Y,Y red=Y,Y,Y,Y turn=yellow pool=+30", "cannot hold a die `\\+30`"),
    ],
)
def test_impossible_memory_is_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        parchis(text)
