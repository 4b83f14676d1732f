"""Moves without a choice: the only one, or moves of pieces that stand together and cannot be told apart."""

from __future__ import annotations

from ludo_dsl.game.state import Choice, Move
from ludo_dsl.play.game import Game
from ludo_dsl.rules.topology import YARD


def forced_choice(game: Game) -> Choice | None:
    """The choice that a player has to make; none while a roll is due, or where there is something to choose.

    All pieces of one colour in the yard are the same, and so are those on one square, on whatever lap: what lies before them
    is the same. They have to be moved by the same dice to the same square, and to carry the same counters.
    """
    choices = game.choices
    if len(choices) == 1:
        return choices[0]
    moves = [c for c in choices if isinstance(c, Move)]
    if not choices or len(moves) < len(choices):
        return None
    return moves[0] if len({_kind(game, move) for move in moves}) == 1 else None


def _kind(game: Game, move: Move) -> tuple[object, ...]:
    """What of a move makes a difference."""
    route = game.table.routes[move.colour]
    origin = "yard" if move.origin == YARD else (route.squares[move.origin], route.is_home(move.origin))
    return move.colour, origin, (route.squares[move.to], route.is_home(move.to)), move.dice, move.act, move.mark
