"""Looking at a choice that is put to a player: which statements made it what it is, and which just had no say in it.

A choice shows in a scenario where its legal moves are listed, where one of them is made or another refused, and where a roll is
lost because there are none. What the statements do then, and what it means that one just does not:

| statement | applies | just does not |
| --- | --- | --- |
| `may` | a move that it allows is there, or is made | a use of a die is refused because its condition fails, or for any reason if it has none; or there is no such move at all |
| `may move by all dice` | such a move is there | moves are there, and none such |
| `never pass`, `never land`, `never enter` … | it refuses a move | a move is legal that a slightly stricter rule (one piece fewer, passing as well as landing, no condition) would refuse |
| `must` | it rules a move out | it rules none out |
| `past home` | a roll goes past home | a piece comes into its lane, or home, without |
| `lane opens` | a piece turns into its lane | a piece goes on past its turning |
| `count` | a move takes the face | a move takes another |
| `never keep` | (seen in the step) | dice are kept |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from ludo_dsl.game.events import Refusal
from ludo_dsl.game.state import PASS, Choice, Move, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.interpreter.candidates import Candidate
from ludo_dsl.interpreter.turn import Options
from ludo_dsl.rules.expressions import ALWAYS
from ludo_dsl.rules.statements import (
    Act,
    Builtin,
    Count,
    LaneOpens,
    May,
    MayCombine,
    MayPass,
    Must,
    NeverCross,
    NeverKeep,
    NeverMove,
    Overshoot,
    Past,
    Stands,
    Statement,
    StatementId,
)
from ludo_dsl.rules.table import Table


class Way(StrEnum):
    """How a scenario exercises a statement."""

    APPLIES = "applies"
    JUST_NOT = "just does not"


Sighting = tuple[StatementId, Way]
Refused = Iterable[tuple[Choice, tuple[Refusal, ...]]]


def whole(engine: Interpreter, state: State, refused: Refused | None = None) -> Iterator[Sighting]:
    """What a choice shows that is shown as a whole: by the list of its legal moves, or by a roll that is lost.

    `refused` is what is refused at the position, where the engine does not tell it of that position itself.
    """
    options = engine.options(state)
    reasons = tuple(engine.refused(state) if refused is None else refused)
    yield from _kept(engine, state, options, options.kept)
    for choice, its in reasons:
        yield from _refused(engine, choice, its)
    blamed = {r.statement for _, its in reasons for r in its}
    for statement in engine.table.statements:
        yield from _missing(statement, options, blamed)


def chosen(engine: Interpreter, state: State, choice: Choice) -> Iterator[Sighting]:
    """What it shows that a move is legal."""
    options = engine.options(state)
    if not isinstance(choice, Move):
        return
    yield from _kept(engine, state, options, (options.candidate(choice),))
    ruling = {reason.statement for _, reason in options.ruled_out}
    for statement in engine.table.statements:
        if isinstance(statement, Must) and not statement.forfeit:
            yield statement.id, Way.APPLIES if statement.id in ruling else Way.JUST_NOT


def barred(engine: Interpreter, state: State, choice: Choice) -> Iterator[Sighting]:
    """What it shows that a move is refused."""
    for other, reasons in engine.refused(state):
        if other == choice:
            yield from _refused(engine, other, reasons)


# ---- moves that are there --------------------------------------------------------------------------------------------


def _kept(engine: Interpreter, state: State, options: Options, moves: Iterable[Candidate]) -> Iterator[Sighting]:
    shape = [s for s in engine.table.statements if isinstance(s, Past | LaneOpens | Count)]
    stricter = _stricter(engine.table)
    for candidate in moves:
        for entry in candidate.allowed_by:
            yield entry.statement, Way.APPLIES
        for statement in shape:
            yield from _shaped(engine, statement, candidate)
        for statement_id, other in stricter:
            if not any(isinstance(c, Move) and c == candidate.move for c in other.legal(state)):
                yield statement_id, Way.JUST_NOT


def _shaped(engine: Interpreter, statement: Past | LaneOpens | Count, candidate: Candidate) -> Iterator[Sighting]:
    """What a way along the route says of the statements that shape it."""
    move = candidate.move
    route = engine.table.routes[move.colour]
    match statement:
        case Past(id=sid, overshoot=overshoot) if move.act is Act.ADVANCE:
            pips = sum(d for d in move.dice if isinstance(d, int))
            if overshoot is not Overshoot.NEVER and pips > route.remaining[move.origin]:
                yield sid, Way.APPLIES
            elif move.to >= route.lane:
                yield sid, Way.JUST_NOT
        case LaneOpens(id=sid) if move.act is Act.ADVANCE and move.origin < route.lane:
            if move.to >= route.lane:
                yield sid, Way.APPLIES
            elif move.to > route.turning or move.to < move.origin:
                yield sid, Way.JUST_NOT
        case Count(id=sid, face=face):
            yield sid, Way.APPLIES if face in move.dice else Way.JUST_NOT
        case _:
            return


@lru_cache(maxsize=256)
def _stricter(table: Table) -> tuple[tuple[StatementId, Interpreter], ...]:
    """For each `never` about moves that could be a little stricter, an interpreter that holds it so."""
    found = []
    for number, statement in enumerate(table.statements):
        harder = _harder(statement)
        if harder is not None:
            changed = (*table.statements[:number], harder, *table.statements[number + 1 :])
            found.append((statement.id, Interpreter(replace(table, statements=changed))))
    return tuple(found)


def _harder(statement: Statement) -> Statement | None:
    match statement:
        case NeverMove(condition=condition) if condition != ALWAYS:
            return replace(statement, condition=ALWAYS)
        case NeverCross(count=count) if count > 1:
            return replace(statement, count=count - 1)
        case NeverCross(passing=passing, landing=landing) if not (passing and landing):
            return replace(statement, passing=True, landing=True)
        case NeverCross(condition=condition) if condition != ALWAYS:
            return replace(statement, condition=ALWAYS)
        case _:
            return None


# ---- moves that are not there ----------------------------------------------------------------------------------------


def _refused(engine: Interpreter, choice: Choice, reasons: Iterable[Refusal]) -> Iterator[Sighting]:
    blamed = {r.statement for r in reasons}
    for statement in engine.table.statements:
        if statement.id in blamed and isinstance(statement, NeverCross | NeverMove | Past | Must):
            yield statement.id, Way.APPLIES
        if isinstance(statement, May) and isinstance(choice, Move) and choice.act is statement.act:
            if statement.id in blamed or statement.condition == ALWAYS:
                yield statement.id, Way.JUST_NOT


def _missing(statement: Statement, options: Options, blamed: set[StatementId | None]) -> Iterator[Sighting]:
    """What the whole of a choice says of the statements that left no mark on it."""
    kept = options.kept
    match statement:
        case May(id=sid, act=act) if not any(c.move.act is act for c in kept):
            yield sid, Way.JUST_NOT
        case MayCombine(id=sid) if kept and not any(len(c.move.dice) > 1 for c in kept):
            yield sid, Way.JUST_NOT
        case MayPass(id=sid):
            yield sid, Way.APPLIES if options.passing == sid else Way.JUST_NOT
        case Must(id=sid, forfeit=()) if kept and sid not in blamed:
            yield sid, Way.JUST_NOT
        case NeverKeep(id=sid) if len(options.candidates) and len({d for c in kept for d in c.move.dice}) > 1:
            yield sid, Way.JUST_NOT
        case Stands(id=sid, builtin=Builtin.LOST_DICE) if kept:
            yield sid, Way.JUST_NOT
        case _:
            return


__all__ = ["PASS", "Sighting", "Way", "barred", "chosen", "whole"]
