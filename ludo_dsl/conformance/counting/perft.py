"""Roll-perft: what can be reached from a position over so many rolls, as a few integers that catch most faults of an engine.

A level is a roll and one complete way of using it: every move until the next roll is to be made, or the game is over. So a granted
move or a named die belongs to the roll before it. A roll is the faces that fell, whatever their order and weight: two dice have
21 rolls, not 36. Moves are those of the notation: pieces of a colour on one place are one piece, dice that show the same are one die.

Nothing here knows how an engine works: only rolls, moves, and the positions between them are seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple

from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import EndlessRulesError, IllegalRollError
from ludo_dsl.game.events import EventKind, Step
from ludo_dsl.game.notation import move_text
from ludo_dsl.game.state import Choice, Roll, State

LONGEST_USE = 500
"""Moves after one roll beyond which the rules are taken to be endless."""

Watch = Callable[[int, int], None]
"""Is told of progress: how many positions of the present level have been gone through, and of how many."""


class Counts(NamedTuple):
    """What was counted over so many rolls; the names are those of the columns, in order.

    `sequences`: lines of exactly so many rolls, each with one complete way of using every roll. `positions`: distinct positions
    at their ends, by the notation. `boards`: distinct by what lies open on the table alone: places of the pieces, whose turn it
    is or that the game is over, dice kept, scores. Of the last roll of every line: `captures`, pieces captured; `home`, pieces
    that came home; `again`, lines after which whoever made that roll makes the next one too.
    """

    sequences: int
    positions: int
    boards: int
    captures: int
    home: int
    again: int


class Use(NamedTuple):
    """One complete way of using one roll: the moves and where each was made, what happened, and the position that is reached."""

    roll: Roll
    moves: tuple[tuple[State, Choice], ...]
    state: State
    captures: int
    home: int


@dataclass(frozen=True, slots=True)
class Perft:
    """Counts over 1, 2, … rolls; not `complete` where it was stopped before the last of them."""

    counts: tuple[Counts, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Branch:
    """One use of the first roll, by its texts, and what was counted at the last roll of the lines that begin with it."""

    roll: Roll
    moves: tuple[str, ...]
    position: State
    counts: Counts


# ---- one roll --------------------------------------------------------------------------------------------------------


def possible_rolls(engine: Engine) -> tuple[Roll, ...]:
    """Every roll of the dice, in rising order of faces, each combination once."""
    dice = engine.table.book.dice
    return tuple(combinations_with_replacement(sorted(face for face, _ in dice.faces), dice.count))


def uses(engine: Engine, state: State) -> Iterator[Use]:
    """Every complete way of using every roll that may come in a position that awaits one; none when the game is over.

    Raises:
        EndlessRulesError: the moves after a roll never come to an end.
    """
    if not state.awaits_roll:
        return
    for roll in possible_rolls(engine):
        try:
            step = engine.roll(state, roll)
        except IllegalRollError:
            continue  # A face that a rule forbids now is not rolled.
        yield from _played(engine, step, Use(roll, (), state, 0, 0))


def at_rest(engine: Engine, state: State) -> list[State]:
    """The positions that await a roll, or are over, once the dice that a position holds have been used in every way; each once."""
    step = Step(state, (), ())
    return list(dict.fromkeys(use.state for use in _played(engine, step, Use((), (), state, 0, 0))))


def _played(engine: Engine, step: Step, so_far: Use) -> Iterator[Use]:
    captures, home = so_far.captures, so_far.home
    for event in step.events:
        if event.kind is EventKind.CAPTURED:
            captures += 1
        elif event.kind is EventKind.CAME_HOME:
            home += 1
    state = step.state
    if state.over or state.awaits_roll:
        yield Use(so_far.roll, so_far.moves, state, captures, home)
        return
    if len(so_far.moves) >= LONGEST_USE:
        raise EndlessRulesError(f"{LONGEST_USE} moves were made without another roll")
    for choice in engine.legal(state):
        made = Use(so_far.roll, (*so_far.moves, (state, choice)), state, captures, home)
        yield from _played(engine, engine.move(state, choice), made)


# ---- several rolls ---------------------------------------------------------------------------------------------------


def nobody(done: int, total: int) -> None:
    """Watches nothing."""


def count(engine: Engine, state: State, rolls: int, watch: Watch = nobody) -> Perft:
    """The counts over 1 to `rolls` rolls from a position; on `KeyboardInterrupt` those that were finished.

    Dice that the position still holds are used first and count as no roll. Lines that meet in one position go on together, so
    that the work grows with the positions and not with the lines.

    Raises:
        EndlessRulesError: the moves after a roll never come to an end.
    """
    found: list[Counts] = []
    try:
        here = dict.fromkeys(at_rest(engine, state), 1)
        for _ in range(rolls):
            here, counts = _next_level(engine, here, watch)
            found.append(counts)
    except KeyboardInterrupt:
        return Perft(tuple(found), complete=False)
    return Perft(tuple(found), complete=True)


def _next_level(engine: Engine, here: dict[State, int], watch: Watch) -> tuple[dict[State, int], Counts]:
    """One roll more: the positions with the number of lines that lead to each, and the counts."""
    reached: dict[State, int] = {}
    captures = home = again = 0
    for done, (state, lines) in enumerate(here.items()):
        watch(done, len(here))
        for use in uses(engine, state):
            reached[use.state] = reached.get(use.state, 0) + lines
            captures += lines * use.captures
            home += lines * use.home
            again += lines * (use.state.turn == state.turn and not use.state.over)
    return reached, Counts(sum(reached.values()), len(reached), len({board(s) for s in reached}), captures, home, again)


def board(state: State) -> object:
    """What lies open on the table: places of the pieces, whose turn it is (or that the game is over), dice kept, scores."""
    return state.pieces, None if state.over else state.turn, tuple(sorted(map(str, state.pool))), state.scores


def divide(engine: Engine, state: State, rolls: int, watch: Watch = nobody) -> Iterator[Branch]:
    """The counts over `rolls` rolls for each use of the first roll, in order of rolls and moves, as they are found.

    The sequences, captures, home arrivals and rolls again of all branches add up to those of `count`. Two branches may reach
    positions in common, so positions and boards do not.

    Raises:
        EndlessRulesError: the moves after a roll never come to an end.
    """
    known: dict[State, Counts] = {}
    firsts = [(start, use) for start in at_rest(engine, state) for use in uses(engine, start)]
    for done, (start, use) in enumerate(firsts):
        watch(done, len(firsts))
        if rolls > 1 and use.state not in known:
            known[use.state] = _last_level(engine, use.state, rolls - 1)
        counts = known[use.state] if rolls > 1 else _alone(use, start)
        moves = tuple(move_text(engine.table, at, choice) for at, choice in use.moves)
        yield Branch(use.roll, moves, use.state, counts)


def _last_level(engine: Engine, state: State, rolls: int) -> Counts:
    """The counts at the last of so many rolls. Unlike `count`, it lets Ctrl-C through: half a branch is of no use."""
    here, counts = {state: 1}, Counts(0, 0, 0, 0, 0, 0)
    for _ in range(rolls):
        here, counts = _next_level(engine, here, nobody)
    return counts


def _alone(use: Use, before: State) -> Counts:
    return Counts(1, 1, 1, use.captures, use.home, int(use.state.turn == before.turn and not use.state.over))
