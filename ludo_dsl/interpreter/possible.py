"""Whether pieces can stand together as a position says: some piece must have come last without anybody being sent away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludo_dsl.game.errors import PositionError
from ludo_dsl.game.state import State
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Meanings
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import (
    ALWAYS,
    And,
    Compare,
    Every,
    Expr,
    Fact,
    FactOf,
    Measure,
    Not,
    Nouns,
    Number,
    Or,
    Quantity,
    SquareIs,
    Squares,
    Truth,
    Where,
)
from ludo_dsl.rules.folding import fold, walk
from ludo_dsl.rules.statements import Destination, LaneOpens, Mark, NeverCross, Send, StatementId, Target, Trigger, When
from ludo_dsl.rules.topology import YARD

_OF_POSITIONS = (And, Compare, Every, Measure, Not, Number, Or, Truth)
"""Expressions that ask about nothing but where pieces stand."""

Standing = tuple[tuple[int, int], ...]
"""Pieces on one square: colour and index of each."""


class Possible:
    """Judges the squares of positions by the landing rules of one table.

    Only what is certain counts: a rule that hangs on the die, or on how the piece came, might have let the company be.
    """

    def __init__(self, ground: Ground, meanings: Meanings) -> None:
        self.ground = ground
        self._meanings = meanings
        statements = ground.table.statements
        self._guards = tuple(s for s in statements if isinstance(s, NeverCross) and s.landing)
        self._landings = tuple(s for s in statements if isinstance(s, When) and s.trigger is Trigger.LANDING)
        self._to_start = any(
            isinstance(e, Send) and e.destination is Destination.START for s in statements if isinstance(s, When) for e in s.effects
        )

    def completed(self, state: State, order_matters: bool) -> State:
        """The position with players in `retired` who must have finished and are not named there.

        Raises:
            PositionError: for places that no piece can reach, company that cannot be, a game that must be over, and
                players who finished in an order that matters and is not told.
        """
        self._places_are_reached(state)
        self._companies_can_meet(state)
        if state.over:
            return state
        finished = self._finished(state)
        missing = [p for p in finished if p not in state.retired]
        names = [self.ground.table.players[p].name for p in missing]
        if len(missing) > 1 and order_matters:
            raise PositionError(
                f"{' and '.join(names)} have finished, and nothing says in which order", "name them in `retired=`", "retired"
            )
        if state.turn in missing:
            raise PositionError(
                f"it cannot be {names[missing.index(state.turn)]}'s turn: {names[missing.index(state.turn)]} has finished", "", "turn"
            )
        completed = state._replace(retired=(*state.retired, *missing))
        self._game_goes_on(completed)
        return completed

    def _places_are_reached(self, state: State) -> None:
        """Behind its turning a piece comes only where the lane can be closed to it."""
        if any(isinstance(s, LaneOpens) for s in self.ground.table.statements):
            return
        for colour, places in enumerate(state.pieces):
            route = self.ground.routes[colour]
            for place in places:
                if route.turning < place < route.lane:
                    name = self.ground.table.colours[colour]
                    message = f"no piece of {name} comes to {route.spots[place]}: it turns into its lane after {route.spots[route.turning]}"
                    raise PositionError(message, "", name)

    def _finished(self, state: State) -> list[int]:
        """The players whom a rule retires as they stand, in seat order."""
        found = []
        for player, who in enumerate(self.ground.table.players):
            if not any(self.ground.routes[c].is_home(p) for c in who.colours for p in state.pieces[c]):
                continue
            for mark, sid in self._marks_of(self._scene_of(state, player), Trigger.REACHED_HOME):
                if mark is Mark.END_GAME:
                    raise PositionError(f"the game is over: `{sid.rule}` ends it as {who.name} stands", "write `turn=over`", "turn")
                if mark is Mark.RETIRE:
                    found.append(player)
        return found

    def _game_goes_on(self, state: State) -> None:
        for player in state.retired:
            if any(mark is Mark.END_GAME for mark, _ in self._marks_of(self._scene_of(state, player), Trigger.RETIRED)):
                name = self.ground.table.players[player].name
                raise PositionError(f"the game is over: {name} has finished", "write `turn=over`", "turn")

    @staticmethod
    def _scene_of(state: State, player: int) -> Scene:
        scene = Scene(state)
        scene.player = scene.turn = player
        return scene

    def _marks_of(self, scene: Scene, trigger: Trigger) -> Iterator[tuple[Mark, StatementId]]:
        """The marks that statements of a trigger set for certain, judged by the position alone."""
        for statement in self.ground.table.statements:
            if not isinstance(statement, When) or statement.trigger is not trigger:
                continue
            if all(isinstance(part, _OF_POSITIONS) or part == FactOf(Fact.PLAYERS_LEFT) for part in walk(statement.condition)) and (
                self._meanings.condition(statement.condition)(scene)
            ):
                yield from ((effect, statement.id) for effect in statement.effects if isinstance(effect, Mark))

    def _companies_can_meet(self, state: State) -> None:
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
