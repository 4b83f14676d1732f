"""Looking at a choice that is put to a player: which statements made it what it is, and which just had no say in it.

A choice shows in a scenario where its legal moves are listed, where one of them is made or another refused, and where a roll is
lost because there are none. What the statements do then, and what it means that one just does not:

| statement | applies | just does not |
| --- | --- | --- |
| `may` | a move that it allows is there, or is made | its condition refuses one (anything, if it has none) or there is none |
| `may move by all dice` | such a move is there | moves are there, and none such |
| `never pass`, `never enter` … | it refuses a move | a move is legal that would not be if it were a little stricter |
| `must` | it rules a move out | it rules none out |
| `past home` | a roll goes past home | a piece comes into its lane, or home, without |
| `lane opens` | a piece turns into its lane | a piece goes on past its turning, or stands there |
| `count` | a move takes the face | a move takes another |
| `never keep` | (seen in the step) | dice are kept |
| `stands lost-dice` | (seen in the step) | the dice can be used |
| `stands own-lane` | a way turns into its lane, or past that of another | another way |
| `stands free-passing` | a way leads past a piece | another way |

A little stricter is a `never` for one piece fewer, for landing as well as passing, or without its condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from ludo_dsl.game.events import Refusal
from ludo_dsl.game.state import Choice, Die, Move, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.interpreter.candidates import Candidate
from ludo_dsl.interpreter.turn import Options
from ludo_dsl.rules.expressions import ALWAYS, DieIn, DieIs, Expr, Faces, Fact, FactOf, Number, Owner, Truth
from ludo_dsl.rules.folding import fold
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


def standing(table: Table, state: State) -> Iterator[Sighting]:
    """What it shows where pieces stand."""
    for statement in table.statements:
        if isinstance(statement, LaneOpens):
            for route, places in zip(table.routes, state.pieces, strict=True):
                if any(route.turning < place < route.lane for place in places):
                    yield statement.id, Way.JUST_NOT


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
    shape = [s for s in engine.table.statements if isinstance(s, Past | LaneOpens | Count | Stands | May | NeverCross)]
    stricter = _stricter(engine.table)
    for candidate in moves:
        for entry in candidate.allowed_by:
            yield entry.statement, Way.APPLIES
        for statement in shape:
            yield from _shaped(engine.table, state, statement, candidate)
        for statement_id, other in stricter:
            if not any(isinstance(c, Move) and c == candidate.move for c in other.legal(state)):
                yield statement_id, Way.JUST_NOT


def _shaped(table: Table, state: State, statement: Statement, candidate: Candidate) -> Iterator[Sighting]:
    """What a way along the route says of statements that do not allow it by themselves."""
    move = candidate.move
    route = table.routes[move.colour]
    match statement:
        case May(id=sid, act=act, condition=condition) if act is move.act and len(move.dice) == 1:
            # A move that several allow names the first of them alone; those that ask for nothing but the die are judged here.
            by_die = fold(condition, lambda e: _of_die(e, move.dice[0]))
            if isinstance(by_die, Truth):
                yield sid, _way(by_die.holds)
        case Stands(id=sid, builtin=Builtin.OWN_LANE):
            yield sid, _way(_past_a_lane(table, candidate))
        case Stands(id=sid, builtin=Builtin.FREE_PASSING):
            yield sid, _way(_past_a_piece(table, state, candidate))
        case NeverCross(id=sid, nouns=nouns) if nouns.owner is not Owner.ENEMIES:
            # Those who are home stand on no square, and keep nobody out.
            if move.to == route.last and route.last in state.pieces[move.colour]:
                yield sid, Way.JUST_NOT
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


def _way(applies: bool) -> Way:
    return Way.APPLIES if applies else Way.JUST_NOT


def _of_die(expr: Expr, die: Die) -> Expr | None:
    """What a die says of a part of a condition."""
    face = die if isinstance(die, int) else 0
    match expr:
        case FactOf(Fact.DIE):
            return Number(face)
        case DieIn(Faces(frozenset() as faces)):
            return Truth(face in faces)
        case DieIs(name):
            return Truth(die == name)
        case _:
            return None


def _past_a_lane(table: Table, candidate: Candidate) -> bool:
    move = candidate.move
    route = table.routes[move.colour]
    mouths = {r.squares[r.turning] for r in table.routes if r is not route}
    return move.to >= route.lane or any(route.squares[p] in mouths for p in (move.origin, *candidate.passed))


def _past_a_piece(table: Table, state: State, candidate: Candidate) -> bool:
    squares = {table.routes[candidate.move.colour].squares[p] for p in candidate.passed} - {None}
    return any(table.routes[c].squares[p] in squares for c, places in enumerate(state.pieces) for p in places)


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
        such = isinstance(statement, May) and isinstance(choice, Move) and choice.act is statement.act
        if such and (statement.id in blamed or statement.condition == ALWAYS):
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
