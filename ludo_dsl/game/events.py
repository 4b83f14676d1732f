"""What a step does, as events for people and programs, and the trace of the rules that took part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ludo_dsl.game.state import State
from ludo_dsl.rules.statements import StatementId


class EventKind(StrEnum):
    """The events of a game."""

    ROLLED = "rolled"
    MOVED = "moved"
    PASSED = "passed"
    LINKED = "carried on"
    CAPTURED = "captured"
    SENT = "sent"
    CAME_HOME = "came home"
    SCORED = "scored"
    COUNTED = "counted"
    ROLL_AGAIN = "roll again"
    GRANTED = "granted"
    LOST = "lost"
    RETIRED = "retired"
    TURN_ENDED = "turn ended"
    ROUND_ENDED = "round ended"
    TURN_STARTED = "turn started"
    GAME_ENDED = "game ended"


class Event(NamedTuple):
    """One thing that happened. Places are route indices of the piece's colour; `value` is a number, dice or a name."""

    kind: EventKind
    player: int | None = None
    colour: int | None = None
    origin: int | None = None
    to: int | None = None
    value: object = None


class Part(StrEnum):
    """How a rule took part in a step."""

    ALLOWED = "allowed"
    NARROWED = "narrowed"
    FIRED = "fired"
    STOOD = "stood"


class Trace(NamedTuple):
    """A statement that took part in a step, and how."""

    statement: StatementId
    part: Part


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason why a move is not legal: the statement that refuses it, and why in words."""

    statement: StatementId | None
    reason: str


class Step(NamedTuple):
    """What became of a roll or a move: the next position, what happened, and the rules that took part."""

    state: State
    events: tuple[Event, ...]
    trace: tuple[Trace, ...]

    def rules(self) -> tuple[str, ...]:
        """The names of the rules, options and readings that took part, each once, in order."""
        return tuple(dict.fromkeys(t.statement.rule for t in self.trace))
