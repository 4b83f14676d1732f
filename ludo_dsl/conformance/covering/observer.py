"""A subject that plays a branch by the interpreter and notes which statements took part in what the branch shows.

What a step itself shows, beside the choices in it (`looks`):

| statement | applies | just does not |
| --- | --- | --- |
| `when`, `once` | it acted | all but one of trigger, square and parts of the condition held; a `once` had acted already |
| `never roll` | it bars its face at a roll, or refuses one | its face is rolled |
| `rank` | places are asked for | places are asked for, and another ranking is in force |
| `stands …` | what it states shows in the step | a move or roll without it; `captor-stays`: out of force, a capture without it |
| a penalty of `must` | it is paid | a move without it |

`probes` tells of the first. A statement that is out of force at the table just does not apply where it would, were one
setting chosen otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ludo_dsl.conformance.covering.looks import Sighting, Way, barred, chosen, standing, whole
from ludo_dsl.conformance.covering.probes import Asks, Probed, other_values, probed
from ludo_dsl.conformance.scenarios.playing import same_moves
from ludo_dsl.conformance.scenarios.subjects import Direct, RefusedError, who_begins
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import GameError, IllegalRollError
from ludo_dsl.game.events import EventKind, Part, Step
from ludo_dsl.game.notation import move_text, read_move
from ludo_dsl.game.state import Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.statements import (
    Builtin,
    LaneOpens,
    Must,
    NeverKeep,
    NeverRoll,
    Once,
    Rank,
    Stands,
    Statement,
    StatementId,
    When,
)
from ludo_dsl.rules.table import Table, TableError, make_table


@dataclass(frozen=True)
class Lens:
    """What a table is watched through.

    `probed` has the probes in it; `out` are statements out of force; `others` are interpreters at tables where one setting is
    chosen otherwise, each with the statements that come into force there.
    """

    table: Table
    probed: Probed
    engine: Interpreter
    out: tuple[Statement, ...]
    others: tuple[tuple[Interpreter, frozenset[StatementId]], ...]


@lru_cache(maxsize=512)
def lens_for(table: Table) -> Lens:
    """The lens for a table."""
    watched = probed(table)
    force = {s.id for s in table.statements}
    out = tuple(s for s in table.book.statements if s.id not in force)
    return Lens(table, watched, Interpreter(watched.table), out, tuple(_others(table, out)))


_SEEN_IN_STEPS = (When, Once, Rank, Stands, NeverRoll)
"""Statements that need no table of their own to be seen where they are out of force."""


def _others(table: Table, out: Iterable[Statement]) -> Iterable[tuple[Interpreter, frozenset[StatementId]]]:
    wanted = {s.id for s in out if not isinstance(s, _SEEN_IN_STEPS)}
    changes = dict.fromkeys(change for s in out if s.id in wanted for change in other_values(table, s))
    for setting, value in changes:
        choices = {**table.chosen, setting: value}
        roles = {s.id: s.role for s in table.book.settings}
        options, readings = ({str(k): v for k, v in choices.items() if roles[k] == r} for r in ("option", "reading"))
        try:
            other = make_table(table.book, len(table.players), options, readings)
        except TableError:
            continue
        fresh = frozenset(s.id for s in other.statements if s.id in wanted)
        if fresh:
            # On this table's own board, so that its positions mean what they mean here.
            yield Interpreter(replace(table, statements=other.statements, choices=other.choices)), fresh


class Observer(Direct):
    """Plays by the interpreter at a table; `seen` is what its statements did in all that was played."""

    def __init__(self, lens: Lens) -> None:
        super().__init__()
        self.lens = lens
        self.force = frozenset(s.id for s in lens.table.statements)
        self.seen: set[Sighting] = set()
        self.happened: set[EventKind] = set()
        self.stood_on: set[str] = set()
        self.opened = False
        self.played = False

    # ---- as a subject ------------------------------------------------------------------------------------------------

    def engine_for(self, reference: Engine) -> Engine:
        """The interpreter with the probes in it."""
        return self.lens.engine

    def new(self, reference: Engine, first: int | None) -> None:
        """A new game; what happens as the first turn begins is noted."""
        self.opened = self.played = True
        self.engine = self.lens.engine
        begins = who_begins(self.lens.table) if first is None else first
        self._took(self.lens.engine.begin(self.lens.engine.opening(begins)))

    def set(self, reference: Engine, position: str) -> None:
        """A game at a position; at the beginning of a turn, what happens then is noted."""
        super().set(reference, position)
        at = self._at()
        self._look(standing(self.lens.table, at))
        if not at.over and not at.rolled:
            begun = self.lens.engine.begin(at)
            if begun.state == at:
                self._took(begun)

    def roll(self, faces: Roll) -> None:
        """A roll; where nothing can use it, what keeps each piece from it is noted."""
        engine, at = self.lens.engine, self._at()
        try:
            position, legal, refused = engine.weigh(at, faces)
        except IllegalRollError as error:
            self.seen |= {(r.statement, Way.APPLIES) for r in error.refusals if r.statement is not None}
            raise RefusedError("illegal", error.message) from None
        step = engine.roll(at, faces)
        if not legal and position.pool:
            self._look(whole(engine, position, refused))
            self._elsewhere(position)
        self.seen |= {(s.id, Way.JUST_NOT) for s in self.lens.table.book.statements if isinstance(s, NeverRoll) and s.face in faces}
        self._took(step)

    def move(self, text: str) -> None:
        """A move, or `pass`."""
        engine, at = self.lens.engine, self._at()
        try:
            choice = read_move(engine.table, at, text, engine.legal(at))
        except GameError as error:
            self._look(_refusals_of(engine, at, text))
            self._elsewhere(at)
            for other, fresh in self.lens.others:
                # Were these in force, they would not let it be either.
                self.seen |= {(sid, Way.JUST_NOT) for sid, _ in _refusals_of(other, at, text) if sid in fresh}
            raise RefusedError("illegal", error.message) from None
        self._look(chosen(engine, at, choice))
        self._elsewhere(at)
        self._took(engine.move(at, choice))

    def legal(self) -> tuple[str, ...] | None:
        """The legal moves as text; all that makes and refuses them is noted."""
        self._look(whole(self.lens.engine, self._at()))
        self._elsewhere(self._at())
        return super().legal()

    def state(self, reference: Engine) -> State:
        """The position, with as much memory as the table itself has use for."""
        assert isinstance(reference, Interpreter)
        return reference.canonical(self._at())

    def places(self) -> dict[str, int] | None:
        """The place of each player, from 1."""
        self.played = True
        for statement in self.lens.table.book.statements:
            if isinstance(statement, Rank):
                self.seen.add((statement.id, Way.APPLIES if statement.id in self.force else Way.JUST_NOT))
        return super().places()

    def _at(self) -> State:
        return self._game()[1]

    # ---- noting ------------------------------------------------------------------------------------------------------

    def _look(self, sightings: Iterable[Sighting]) -> None:
        asks = self.lens.probed.asks
        self.seen |= {s for s in sightings if s[0] not in asks}

    def _elsewhere(self, at: State) -> None:
        """Notes statements out of force that would have a say in this choice."""
        self.played = True
        for engine, fresh in self.lens.others:
            for sid, way in whole(engine, at):
                if sid in fresh and (way is Way.APPLIES or self._is_lane(sid)):
                    self.seen.add((sid, Way.JUST_NOT))

    def _is_lane(self, sid: StatementId) -> bool:
        return any(s.id == sid and isinstance(s, LaneOpens) for s in self.lens.out)

    def _took(self, step: Step) -> None:
        """Notes a step, and stands where it leads."""
        self.at = step.state
        self._look(standing(self.lens.table, step.state))
        kinds = {e.kind for e in step.events}
        self.happened |= kinds
        asks = self.lens.probed.asks
        # That an obligation took part says a candidate met it, not that it kept anything out: `chosen` tells that.
        acted = {t.statement for t in step.trace if t.statement not in asks and t.part is not Part.NARROWED}
        self.seen |= {(sid, Way.APPLIES) for sid in acted}
        for entry in step.trace:
            if entry.statement in asks:
                sid, what = asks[entry.statement]
                if sid not in acted and not (what is Asks.HOMECOMING and EventKind.RETIRED in kinds):
                    self.seen.add((sid, Way.JUST_NOT))
        for statement in self.lens.table.book.statements:
            if statement.id not in acted and _had_its_occasion(statement, kinds, step, statement.id in self.force):
                self.seen.add((statement.id, Way.JUST_NOT))
        self._note_squares(step)

    def _note_squares(self, step: Step) -> None:
        """Notes the kinds of the squares on which moves ended."""
        for event in step.events:
            if event.kind is EventKind.MOVED and event.colour is not None and event.to is not None:
                square = self.lens.table.routes[event.colour].squares[event.to]
                if square is not None and square < self.lens.table.measures.ring:
                    self.stood_on |= self.lens.table.kinds[square]


def _refusals_of(engine: Interpreter, at: State, text: str) -> Iterator[Sighting]:
    """What it shows that a move, as text, is refused."""
    for choice, _ in engine.refused(at):
        if same_moves((text,), (move_text(engine.table, at, choice),)):
            yield from barred(engine, at, choice)


def _had_its_occasion(statement: Statement, kinds: set[EventKind], step: Step, in_force: bool) -> bool:
    """Whether what a statement that left no trace speaks of could have shown in a step."""
    match statement:
        case Stands(builtin=Builtin.CAPTOR_STAYS):
            return EventKind.CAPTURED in kinds or (in_force and EventKind.MOVED in kinds)
        case Stands(builtin=Builtin.OWN_LANE | Builtin.FREE_PASSING) if in_force:
            return False  # the ways themselves tell
        case Stands(builtin=Builtin.TURN_ORDER):
            return EventKind.ROLLED in kinds or EventKind.MOVED in kinds
        case Stands():
            return EventKind.MOVED in kinds
        case Must(forfeit=forfeit):
            return bool(forfeit) and EventKind.MOVED in kinds
        case NeverKeep():
            return len(step.state.pool) > 1
        case _:
            return False
