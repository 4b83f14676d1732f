"""Whether pieces can stand together as a position says: some piece must have come last without anybody being sent away."""

from __future__ import annotations

from collections.abc import Iterable

from ludo_dsl.game.errors import PositionError
from ludo_dsl.game.state import State
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import ALWAYS, Expr, Measure, Nouns, Number, Quantity, SquareIs, Squares, Truth, Where
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import Destination, NeverCross, Send, StatementId, Target, Trigger, When
from ludo_dsl.rules.topology import YARD

Standing = tuple[tuple[int, int], ...]
"""Pieces on one square: colour and index of each."""


class Possible:
    """Judges the squares of positions by the landing rules of one table.

    Only what is certain counts: a rule that hangs on the die, or on how the piece came, might have let the company be.
    """

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        statements = ground.table.statements
        self._guards = tuple(s for s in statements if isinstance(s, NeverCross) and s.landing)
        self._landings = tuple(s for s in statements if isinstance(s, When) and s.trigger is Trigger.LANDING)
        self._to_start = any(
            isinstance(e, Send) and e.destination is Destination.START for s in statements if isinstance(s, When) for e in s.effects
        )

    def check(self, state: State) -> None:
        """Raises `PositionError` for pieces that no last move can have brought together."""
        for square, standing in self._companies(state).items():
            if len(standing) < 2 or self._stood_so_at_first(square, standing):
                continue
            found = [self._parted_by(state, square, standing, last) for last in standing]
            if all(found):
                rules = ", ".join(dict.fromkeys(f"`{sid.rule}`" for sid in found if sid is not None))
                colour = standing[0][0]
                place = self.ground.routes[colour].spots[state.pieces[colour][standing[0][1]]]
                names = list(dict.fromkeys(self.ground.table.colours[c] for c, _ in standing))
                who = f"{len(standing)} pieces of {names[0]}" if len(names) == 1 else "pieces of " + " and ".join(names)
                message = f"{who} cannot stand together on {names[0]}'s {place}"
                raise PositionError(message, f"the last to come would part them by {rules}", names[-1])

    def _companies(self, state: State) -> dict[int, Standing]:
        found: dict[int, Standing] = {}
        for colour, places in enumerate(state.pieces):
            for index, place in enumerate(places):
                square = self.ground.routes[colour].squares[place]
                if square is not None:
                    found[square] = (*found.get(square, ()), (colour, index))
        return found

    def _stood_so_at_first(self, square: int, standing: Standing) -> bool:
        """Whether the opening, or a send to the start square, can have put the pieces there."""
        colours = {c for c, _ in standing}
        if len(colours) > 1 or square != self.ground.routes[standing[0][0]].squares[self.ground.routes[standing[0][0]].start]:
            return False
        return self._to_start or len(standing) <= self.ground.table.setup[1]

    def _parted_by(self, state: State, square: int, standing: Standing, last: tuple[int, int]) -> StatementId | None:
        """The rule that would certainly have kept this piece from coming last, or sent somebody away when it came."""
        scene = Scene(state)
        scene.colour, scene.index = last
        scene.player = scene.turn = self.ground.player_of[scene.colour]
        scene.here = square
        place = scene.pieces[scene.colour][scene.index]
        scene.change(scene.colour)[scene.index] = YARD
        for guard in self._guards:
            if self._forbids(scene, guard):
                return guard.id
        scene.change(scene.colour)[scene.index] = place
        for landing in self._landings:
            if self._certain(scene, landing) and any(self._sends(scene, e, square) for e in landing.effects if isinstance(e, Send)):
                return landing.id
        return None

    def _forbids(self, scene: Scene, guard: NeverCross) -> bool:
        here = Nouns(guard.nouns.owner, (*guard.nouns.places, Where.HERE))
        count = self.ground.most_of_one_colour(guard.nouns) if guard.one_colour else self.ground.counter(here)
        return count(scene) >= guard.count and fold(guard.condition, lambda e: self._known(scene, e)) == ALWAYS

    def _certain(self, scene: Scene, landing: When) -> bool:
        on = landing.squares
        if isinstance(on, Squares) and not self.ground.square_is(scene.here, scene.colour, on.names):
            return False
        return fold(landing.condition, lambda e: self._known(scene, e)) == ALWAYS

    def _known(self, scene: Scene, expr: Expr) -> Expr | None:
        if isinstance(expr, SquareIs) and expr.subject == "here" and isinstance(expr.squares, Squares):
            return Truth(self.ground.square_is(scene.here, scene.colour, expr.squares.names))
        if isinstance(expr, Measure) and expr.quantity is Quantity.COUNT and Where.HERE in expr.nouns.places:
            return Number(self.ground.counter(expr.nouns)(scene))
        return None

    def _sends(self, scene: Scene, effect: Send, square: int) -> bool:
        if effect.target is Target.PIECE:
            return True
        # Where only one of several is sent away, the others may be what is left of a larger company.
        if effect.target is not Target.ALL:
            return False
        chosen: Iterable[tuple[int, int]] = self.ground.selector(effect.nouns)(scene) if effect.nouns is not None else ()
        return any(self.ground.routes[c].squares[scene.pieces[c][i]] == square for c, i in chosen)
