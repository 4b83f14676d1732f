"""Roll-perft: small counts worked out by hand, a second counter that knows nothing but the Python interface, and the tables."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from pathlib import Path

import jsonschema
import pytest

from ludo_dsl.conformance.counting.perft import Counts, count, divide
from ludo_dsl.conformance.counting.tables import (
    Entry,
    PerftTable,
    choices,
    compared,
    opened,
    option_sets,
    read_table,
    table_path,
    table_text,
    tabled_variants,
)
from ludo_dsl.game.events import EventKind
from ludo_dsl.play.game import Game, load
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.rules.expressions import ALWAYS

YARD = "Y,Y,Y,Y"


def counted(game: Game, rolls: int) -> list[tuple[int, ...]]:
    """The counts over 1, 2, … rolls."""
    found = count(game.engine, game.state, rolls)
    assert found.complete
    return [tuple(c) for c in found.counts]


# ---- worked out by hand: sequences, positions, boards, captures, home, again -----------------------------------------


def test_the_opening_of_amarnepal() -> None:
    # One roll. 1 to 5 move nothing: 5 lines, all to yellow's turn. 6 brings a token out, and red rolls again.
    one = (6, 2, 2, 0, 0, 1)
    # Two rolls. From yellow's turn (5 lines): five faces back to red's turn, a six to yellow on 0, rolling again: 5 * 6 = 30 lines,
    # 2 positions, 5 lines again. From red on 0 (1 line): 1 to 5 have one move each, to five places; a six has two, `Y>0` and
    # `0>6`, and red goes on: 7 lines, 7 positions, 2 again.
    two = (30 + 7, 2 + 7, 2 + 7, 0, 0, 5 + 2)
    assert counted(load("amarnepal").start(2), 2) == [one, two]


def test_a_piece_on_the_track() -> None:
    # Red's only token walks 1 to 6 from 20. Yellow's 49 is red's 23, which is not safe: the three captures, and that earns a roll,
    # as the six does (26 is a start square, with nobody on it).
    game = load("amarnepal").position("red=20,H,H,H yellow=49,Y,Y,Y turn=red")
    assert counted(game, 1) == [(6, 6, 6, 1, 0, 2)]
    # Without the roll for a capture only the six goes on.
    game = load("amarnepal").position("red=20,H,H,H yellow=49,Y,Y,Y turn=red", options={"capture-roll": "off"})
    assert counted(game, 1) == [(6, 6, 6, 1, 0, 1)]


def test_a_piece_in_the_lane() -> None:
    # The lane has five squares: from L3 home is 3 away. 1: L4. 2: L5. 3: home, with the last token, and the game is over.
    # 4 and 5: nothing moves, yellow's turn. 6: nothing moves, but a six earns its roll even so. Five positions of six lines.
    one = (6, 5, 5, 0, 1, 1)
    # Two rolls. The line that is over is not continued. 4 lines come to yellow, with red on L4, L5, L3, L3: each has five faces
    # back to red and a six to yellow's 0, again: 24 lines, 3 * 2 positions. The line of the six: 1 and 2 move, 3 ends the game,
    # 4 and 5 pass, 6 rolls again: 6 lines; positions: L4, L5 and L3 with yellow's turn, over, and L3 after two sixes: 5.
    # Red on L3 before its roll is one board, whether two sixes were rolled or none: 10 boards of 11 positions.
    two = (24 + 6, 6 + 5, 10, 0, 1, 4 + 1)
    game = load("amarnepal").position(f"red=L3,H,H,H yellow={YARD} turn=red")
    assert counted(game, 2) == [one, two]


def test_two_dice() -> None:
    # 21 rolls. The last piece needs a 1 to its home: six rolls show one (1+1 to 1+6), and each has one move: both ones are the same
    # die to the player. The game is over with the same score. The 15 others move nothing: 14 pass, 6+6 rolls again. Three positions.
    game = load("ludo-cities").position("red=L5,H,H,H green=Y,H,H,H yellow=Y,H,H,H blue=Y,H,H,H turn=red")
    assert counted(game, 1) == [(21, 3, 3, 0, 6, 1)]
    # A piece that alone can move takes both dice as one move: one line a roll, to the 11 sums from 2 to 12; 6+6 goes on.
    # No star lies between 22 and 32 (21 and 34 are), and nobody is in the way.
    game = load("ludo-cities").position("red=20,H,H,H green=Y,H,H,H yellow=Y,H,H,H blue=Y,H,H,H turn=red")
    assert counted(game, 1) == [(21, 11, 11, 0, 0, 1)]
    # Green's 14 is red's 27: three rolls sum to 7 (1+6, 2+5, 3+4), and each kicks it.
    game = load("ludo-cities").position("red=20,H,H,H green=14,H,H,H yellow=Y,H,H,H blue=Y,H,H,H turn=red", options={"rules": "classic"})
    assert counted(game, 1) == [(21, 11, 11, 3, 0, 1)]


def test_rolls_at_once_are_rolls_of_their_own() -> None:
    # A six is rolled again at once: the first level ends before anything is moved, with the six kept.
    game = load("card-kings").position(f"red=10,H,H,H yellow={YARD} turn=red")
    # One roll: 1 to 5 move; 6 stays where it is. All six differ, and only the six goes on.
    assert counted(game, 1) == [(6, 6, 6, 0, 0, 1)]


def test_a_forbidden_face_is_not_rolled() -> None:
    # After two sixes the die of ludolive shows no third: five faces, one move each; none goes on.
    game = load("ludolive").position(f"red=40,H,H,H yellow={YARD} turn=red rolled=6,6 owed=1")
    assert counted(game, 1) == [(5, 5, 5, 0, 0, 0)]


def test_a_granted_move_belongs_to_the_roll_before_it() -> None:
    # Yellow's 20 + 3 is red's 57 (34 + 57 = 68 + 23), no safe square. The capture grants 20 steps to any piece: from 23 to 43, or
    # from 30 to 50. With a 3, 30 can go to 33 instead. So the 3 has 3 lines; 1, 2, 4 and 6 two each, the six going on.
    # A 5 brings in nobody, for nobody waits: two lines. Yellow has no piece in its house: its six counts 7, to 27 or 37.
    game = load("parchis").position("yellow=20,30,H,H red=57,Y,Y,Y turn=yellow")
    # Nothing stands in the way. Lines: five faces with two, the 3 with three; all end differently; two lines by the six.
    assert counted(game, 1) == [(5 * 2 + 3, 13, 13, 2, 0, 2)]


def test_moves_without_a_roll_belong_to_the_roll_before_them() -> None:
    # With `bring-out`, a player with nothing on the course taps instead of rolling: yellow's piece comes out before any roll is made,
    # then red's, then yellow rolls. So the first roll finds both on 0; it has one move a face, and a six two (another comes out).
    game = load("qdan").start(2, {"no-piece": "bring-out"})
    # After 1 to 5 it is red who rolls; after a six that was played, yellow.
    assert counted(game, 1) == [(5 + 2, 7, 7, 0, 0, 2)]


def test_dice_that_a_position_holds_come_first() -> None:
    # Red has a 3 to use, from 20 to 23 or from 30 to 33; then yellow rolls: five faces that pass and a six, after each.
    game = load("amarnepal").position(f"red=20,30,H,H yellow={YARD} turn=red pool=3")
    assert counted(game, 1) == [(2 * 6, 2 * 2, 2 * 2, 0, 0, 2)]


# ---- a second counter ------------------------------------------------------------------------------------------------


@dataclass
class Naive:
    """Counts line by line with the Python interface, reading boards out of the text of positions."""

    sequences: int = 0
    positions: set[str] = field(default_factory=set)
    boards: set[str] = field(default_factory=set)
    captures: int = 0
    home: int = 0
    again: int = 0

    def counts(self) -> Counts:
        """What was counted."""
        return Counts(self.sequences, len(self.positions), len(self.boards), self.captures, self.home, self.again)


def on_the_table(game: Game) -> str:
    """The board of a position: its text without marks of pieces and without what is only remembered."""
    kept = []
    for part in game.position.split():
        name, _, value = part.partition("=")
        if name in game.table.colours:
            value = ",".join(sorted(place.partition("*")[0] for place in value.split(",")))
        elif name == "pool":
            value = ",".join(sorted(value.split(",")))
        elif name != "turn" and not name.startswith("score."):
            continue
        kept.append(f"{name}={value}")
    return " ".join(kept)


def naively(game: Game, rolls: int) -> Counts:
    """The counts over so many rolls."""
    found = Naive()
    lines = [game]
    seen = []
    for _ in range(rolls):
        seen = [(line, *after) for line in lines if not line.over for after in one_roll(line)]
        lines = [after for _, after, _, _ in seen]
    for before, after, captures, home in seen:
        found.sequences += 1
        found.positions.add(after.position)
        found.boards.add(on_the_table(after))
        found.captures += captures
        found.home += home
        found.again += after.turn == before.turn
    return found.counts()


def one_roll(game: Game) -> Iterator[tuple[Game, int, int]]:
    for faces in combinations_with_replacement(game.faces(), game.table.book.dice.count):
        yield from to_the_next(game.roll(*faces), 0, 0)


def to_the_next(game: Game, captures: int, home: int) -> Iterator[tuple[Game, int, int]]:
    kinds = [event.kind for event in game.events]
    captures += kinds.count(EventKind.CAPTURED)
    home += kinds.count(EventKind.CAME_HOME)
    if game.over or game.awaits_roll:
        yield game, captures, home
        return
    for move in game.legal():
        yield from to_the_next(game.play(move), captures, home)


@pytest.mark.parametrize("variant", variant_names())
def test_the_tables_say_what_a_naive_counter_counts(variant: str) -> None:
    rules = load(variant)
    table = read_table(table_path(variant))
    small = [e for e in table.entries if e.counts[-1].sequences <= 600]
    for entry in random.Random(f"perft/{variant}").sample(small, 5):
        game = opened(rules, entry.case)
        if not game.awaits_roll:
            continue  # The naive counter begins with a roll.
        for rolls, counts in enumerate(entry.counts, start=1):
            assert naively(game, rolls) == counts, (entry.case.key(), rolls)


# ---- dividing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_branches_add_up(rolls: int) -> None:
    game = load("amarnepal").position("red=20,5,L4,H yellow=49,Y,Y,H turn=red")
    whole = count(game.engine, game.state, rolls).counts[-1]
    branches = list(divide(game.engine, game.state, rolls))
    for column in ("sequences", "captures", "home", "again"):
        assert sum(getattr(b.counts, column) for b in branches) == getattr(whole, column), column
    assert len(branches) == count(game.engine, game.state, 1).counts[0].sequences


def test_a_branch_can_be_counted_by_itself() -> None:
    game = load("amarnepal").position("red=20,5,L4,H yellow=49,Y,Y,H turn=red")
    for branch in divide(game.engine, game.state, 2):
        after = game.roll(*branch.roll)
        for move in branch.moves:
            after = after.play(move)
        assert after.state == branch.position
        assert naively(after, 1) == branch.counts


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_every_variant_has_a_table() -> None:
    assert tabled_variants() == variant_names()


@pytest.mark.parametrize("variant", variant_names())
def test_a_table_is_whole(variant: str) -> None:
    path = table_path(variant)
    text = path.read_text(encoding="utf-8")
    schema = json.loads(spec_path("schema", "perft-table.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    table = read_table(path)
    assert table_text(table) == text
    assert max(map(len, text.splitlines())) < 500
    rules = load(variant)
    book = rules.book
    assert {p.players for p in table.places if p.text is None} == set(book.players.counts)
    assert len(table.by_key) == len(table.entries)
    used = {entry.case.place.name for entry in table.entries}
    assert used == {p.name for p in table.places}
    # Every option set is counted somewhere, over two rolls.
    counted_sets = [dict(e.case.options) for e in table.entries if not e.case.readings and len(e.counts) >= 2]
    for options in option_sets(book):
        assert dict(options) in counted_sets, options
    # Every reading as well, unless it hangs on an option.
    for _, readings in choices(book):
        (name,) = readings or [None]
        setting = book.setting(name) if name else None
        if setting is not None and setting.only_if == ALWAYS:
            assert any(e.case.readings == readings for e in table.entries), readings


def test_option_sets_of_few_options_are_all_combinations() -> None:
    assert len(option_sets(load("amarnepal").book)) == 2**3
    # Of 3 * 3 * 2 * 2 * 2 = 72, beyond the bound: the defaults, seven changes, and the pairs of changes of two options: options with
    # 2, 2, 1, 1, 1 other values have 2*2 + 2*(1+1+1) + 2*(1+1+1) + 3 = 19 such pairs.
    assert len(option_sets(load("parchis").book)) == 1 + 7 + 19


def test_a_whole_table_agrees_with_the_rules() -> None:
    table = read_table(table_path("amarnepal"))
    entries: list[Entry] = []
    assert list(compared(table, load("amarnepal"), entries.append)) == []
    assert len(entries) == len(table.entries)


def test_differences_are_told() -> None:
    table = read_table(table_path("amarnepal"))
    first, second, *others = [e for e in table.entries if e.case.place.name == "end"]
    wrong = replace(first, counts=(first.counts[0]._replace(home=9), *first.counts[1:]))
    stray = replace(second, case=replace(second.case, options={"capture-roll": "loud"}))
    changed = PerftTable("amarnepal", (first.case.place,), (wrong, stray, *others))
    found = [d.says() for d in compared(changed, load("amarnepal"), lambda entry: None)]
    # By hand: with both on the last squares red comes home with a 1 alone.
    assert found == [
        "`end`, 1 roll: home 9, counted 1",
        f"`{second.case.key()}` is missing",
        "`end capture-roll=loud` belongs to no table of the rule book",
    ]


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        ("drop rule home-again", {"again"}),
        ('replace rule exact-home\n  "What is too large stops."\n  past home stop', {"sequences", "home"}),
        ("drop rule six-again", {"again"}),
    ],
)
def test_a_broken_rule_changes_a_column(change: str, columns: set[str], tmp_path: Path) -> None:
    house = tmp_path / "house.ludo"
    house.write_text(f'variant house "House" extends amarnepal\n\n{change}\n', encoding="utf-8")
    table = read_table(table_path("amarnepal"))
    lanes = PerftTable("house", tuple(p for p in table.places if p.name == "lanes"), ())
    entries = tuple(e for e in table.entries if e.case.place.name == "lanes")
    found = list(compared(replace(lanes, entries=entries), load(house), lambda entry: None))
    assert columns <= {d.column for d in found}


def test_a_file_that_is_no_table(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("{", encoding="utf-8")
    with pytest.raises(RecordError, match=r"mine\.json: is no JSON"):
        read_table(file)
    file.write_text('{"variant": "mine"}', encoding="utf-8")
    with pytest.raises(RecordError, match="columns"):
        read_table(file)


def test_stopping_keeps_what_was_finished() -> None:
    game = load("amarnepal").start(2)

    def stop(done: int, total: int) -> None:
        if total > 1:
            raise KeyboardInterrupt

    found = count(game.engine, game.state, 3, stop)
    assert not found.complete
    assert [tuple(c) for c in found.counts] == [(6, 2, 2, 0, 0, 1)]
