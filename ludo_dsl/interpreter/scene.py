"""A scene: a position while a step is being worked out, with what the present move or roll has done so far.

A scene is made from a frozen state and becomes a frozen state again; nothing of it is shared or kept.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from ludo_dsl.game.events import Event, EventKind, Part, Trace
from ludo_dsl.game.state import Die, Roll, State
from ludo_dsl.rules.statements import StatementId


class Scene:
    """What conditions can see. Fields of the position first, then those of the present move."""

    # What belongs to the present move or roll; a new scene has none of it yet.
    colour = -1
    index = -1
    die: Die = 0
    face = 0
    here: int | None = None
    origin_square: int | None = None
    walked = 0
    captured = 0
    came_home = False
    sent_back = False
    act_entered = False
    act_retreats = False
    candidates: frozenset[tuple[int, int]] | None = None
    missed: tuple[tuple[int, int], ...] = ()
    # Marks that act when the step has been resolved.
    end_turn = False
    end_game = False
    ended_by: str | None = None

    def __init__(self, state: State) -> None:
        self.pieces: list[Sequence[int]] = list(state.pieces)
        # The pieces as they were, until one of them moves.
        self.unmoved: tuple[tuple[int, ...], ...] | None = state.pieces
        self.marks: list[Sequence[tuple[int, ...]]] = list(state.marks)
        self.turn = self.player = state.turn
        self.pool: tuple[Die, ...] = state.pool
        self.rolled: tuple[Roll, ...] = state.rolled
        self.owed = state.owed
        self.due = state.due
        self.scores = state.scores
        self.captures = state.captures
        self.counters = state.counters
        self.done = state.done
        self.retired = state.retired
        self.round = state.round
        self.first = state.first
        self.arrivals = state.arrivals
        self.last = state.last
        self.over = state.over
        self.retiring: list[int] = []
        self.events: list[Event] = []
        self.trace: list[Trace] = []

    def change(self, colour: int) -> MutableSequence[int]:
        """The pieces of a colour, to be changed."""
        places = self.pieces[colour]
        if isinstance(places, list):
            return places
        fresh = list(places)
        self.unmoved = None
        self.pieces[colour] = fresh
        return fresh

    def fired(self, statement: StatementId) -> None:
        """Notes that a statement acted."""
        self.trace.append(Trace(statement, Part.FIRED))

    def note(
        self,
        kind: EventKind,
        colour: int | None = None,
        origin: int | None = None,
        to: int | None = None,
        value: object = None,
    ) -> None:
        """Notes an event of the present player."""
        self.events.append(Event(kind, self.player, colour, origin, to, value))

    def forget_move(self) -> None:
        """Clears what belongs to one move or roll."""
        self.colour = self.index = -1
        self.die = self.face = 0
        self.here = self.origin_square = None
        self.walked = self.captured = 0
        self.came_home = self.sent_back = self.act_entered = self.act_retreats = False
        self.missed = ()

    def copy(self) -> Scene:
        """A scene on which something can be tried."""
        other = Scene.__new__(Scene)
        other.__dict__.update(self.__dict__)
        other.pieces = [list(p) for p in self.pieces]
        other.unmoved = None
        other.marks = [list(m) for m in self.marks]
        other.retiring = list(self.retiring)
        other.events = []
        other.trace = []
        return other

    def untouched(self) -> bool:
        """Whether no die of the last roll has been used."""
        if not self.rolled:
            return False
        left = list(self.pool)
        for face in self.rolled[-1]:
            if face not in left:
                return False
            left.remove(face)
        return True
