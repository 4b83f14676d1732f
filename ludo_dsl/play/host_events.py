"""What can happen at a table, what it tells of it, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import roll_text
from ludo_dsl.game.state import Choice, Roll
from ludo_dsl.play.game import Game

COMPUTER = "computer"
"""Who moves where a computer player moves: no seat can have this name, which is that of no colour."""

# ---- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes a seat before the game: a `person` on a device, or a computer player (`sensible`, `random`)."""

    seat: str
    kind: str = "person"
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody goes away: before the game the seat is free again, during it the player has dropped out."""

    seat: str


@dataclass(frozen=True, slots=True)
class Return:
    """A player who dropped out comes back; without a device, on the one that was left."""

    seat: str
    device: str | None = None


@dataclass(frozen=True, slots=True)
class SetOption:
    """The party chooses an option of the rule book."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Begin:
    """The first game begins."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Another game of the series begins."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time passes, in milliseconds."""

    by: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice fall: as given, or, without faces, from the table's seed. `by` names the seat that says so, if a seat does."""

    faces: Roll | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A move, as text or as one of the legal choices. `by` is a seat or `computer`; without it, the person on turn."""

    move: str | Choice
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Computed:
    """The computer player on turn rolls or moves, from the table's seed."""


TableEvent = Sit | Leave | Return | SetOption | Begin | PlayAgain | Clock | Rolled | Moved | Computed

# ---- notes -----------------------------------------------------------------------------------------------------------


class NoteKind(StrEnum):
    """What a table tells."""

    SAT = "sat"
    LEFT = "left"
    RETURNED = "returned"
    OPTION = "option"
    BEGAN = "began"
    ROLLED = "rolled"
    MOVED = "moved"
    FORCED = "forced"
    TIME_OUT = "time-out"
    FILLED_IN = "filled-in"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a table tells; rolls and moves come with the game before and after."""

    kind: NoteKind
    seat: str | None = None
    value: str = ""
    before: Game | None = field(default=None, repr=False, compare=False)
    after: Game | None = field(default=None, repr=False, compare=False)
    roll: Roll | None = None

    def text(self) -> str:
        """The note as an English sentence without a full stop."""
        return _WORDED[self.kind].format(seat=self.seat, value=self.value)


_WORDED = {
    NoteKind.SAT: "{seat} is taken by {value}",
    NoteKind.LEFT: "{seat} has left",
    NoteKind.RETURNED: "{seat} is back",
    NoteKind.OPTION: "the party plays with {value}",
    NoteKind.BEGAN: "a game begins: the first turn is that of {seat}",
    NoteKind.ROLLED: "{seat} rolls {value}",
    NoteKind.MOVED: "{seat} moves {value}",
    NoteKind.FORCED: "{value} is made for {seat}: there is no choice",
    NoteKind.TIME_OUT: "the time of {seat} is up: the computer plays this turn",
    NoteKind.FILLED_IN: "the computer plays for {seat}",
    NoteKind.OVER: "the game is over",
}


def rolled(before: Game, roll: Roll, after: Game) -> Note:
    """The note of a roll."""
    return Note(NoteKind.ROLLED, before.turn, roll_text(roll), before, after, roll)


# ---- refusals --------------------------------------------------------------------------------------------------------


class HostError(GameError):
    """What a table refuses; `code` names the reason for programs."""

    code = "refused"


class ClockError(HostError):
    """A clock that goes back."""

    code = "clock-goes-back"


class SeatError(HostError):
    """A seat that there is not."""

    code = "no-such-seat"


class SeatTakenError(HostError):
    """A seat in which somebody sits."""

    code = "seat-taken"


class RoomError(HostError):
    """Players or devices that do not suit the room, or too few or too many of them."""

    code = "room"


class AwayError(HostError):
    """A player who has dropped out cannot do this."""

    code = "away"


class ReturnedTwiceError(HostError):
    """A player who is at the table comes back to it."""

    code = "returns-twice"


class ElsewhereError(HostError):
    """A player comes back from another device."""

    code = "returns-from-elsewhere"


class OutOfTurnError(HostError):
    """Somebody acts whose turn it is not."""

    code = "out-of-turn"


class NotNowError(HostError):
    """Something that has its time, and not now."""

    code = "not-now"


class DiceError(HostError):
    """A roll that a player reports where only the dice source rolls."""

    code = "only-the-source-rolls"
