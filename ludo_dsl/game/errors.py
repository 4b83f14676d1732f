"""What can be wrong with a text or a choice, as exceptions with fields."""

from __future__ import annotations

from ludo_dsl.game.events import Refusal


class GameError(Exception):
    """Anything that a player or a text can get wrong; `message` says what, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


class NotationError(GameError):
    """A text that is no position or no move at all."""


class PositionError(GameError):
    """A position that cannot be: `field` names the part of the text that is wrong."""

    def __init__(self, message: str, hint: str = "", field: str = "") -> None:
        self.field = field
        super().__init__(message, hint)


class AmbiguousMoveError(GameError):
    """A text that names several moves."""


class IllegalMoveError(GameError):
    """A move that the rules forbid, with every reason."""

    def __init__(self, move: str, refusals: tuple[Refusal, ...]) -> None:
        self.move = move
        self.refusals = refusals
        super().__init__(f"`{move}` is not legal: " + "; ".join(r.reason for r in refusals))


class IllegalRollError(GameError):
    """A roll that the rules forbid, or that is not due."""

    def __init__(self, message: str, hint: str = "", refusals: tuple[Refusal, ...] = ()) -> None:
        self.refusals = refusals
        super().__init__(message, hint)


class EndlessRulesError(Exception):
    """The rules chase each other: turns pass without a roll or a choice. The fault is the rule book's."""
