"""The interpreter behind the engine interface: pure steps from position to position."""

from __future__ import annotations

from ludo_dsl.game.errors import IllegalRollError, PositionError
from ludo_dsl.game.events import Refusal, Step
from ludo_dsl.game.positions import read_fields
from ludo_dsl.game.state import PASS, Choice, Pass, State
from ludo_dsl.interpreter.candidates import Candidates
from ludo_dsl.interpreter.choice import Choosing
from ludo_dsl.interpreter.freezing import Freezing, Memory
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Meanings
from ludo_dsl.interpreter.possible import Possible
from ludo_dsl.interpreter.ranking import Ranking
from ludo_dsl.interpreter.resolution import Resolution
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.interpreter.turn import NOTHING, Options, Turns
from ludo_dsl.interpreter.viewing import Viewing
from ludo_dsl.rules.table import Table

Refused = tuple[tuple[Choice, tuple[Refusal, ...]], ...]


class Interpreter:
    """Plays a rule book at one table, straight from its statements.

    `memory` is what its positions remember beside what no rule could do without: by default, what the rules in force ask about.
    """

    def __init__(self, table: Table, memory: Memory | None = None) -> None:
        self.table = table
        self._faces = frozenset(face for face, _ in table.book.dice.faces)
        ground = Ground(table)
        meanings = Meanings(ground)
        self._candidates = Candidates(ground, meanings)
        self._resolution = Resolution(ground, meanings)
        self._choosing = Choosing(ground, meanings, self._candidates, self._resolution)
        self._turns = Turns(ground, meanings, self._candidates, self._choosing, self._resolution)
        self._freezing = Freezing(ground, memory or Memory(table))
        self._possible = Possible(ground, meanings)
        self._ranking = Ranking(ground, meanings)
        self._viewing = Viewing(ground, meanings)
        # What was found while settling the last position is asked for again at once.
        self._last: tuple[State, Options] | None = None

    # ---- positions ---------------------------------------------------------------------------------------------------

    def opening(self, first: int = 0) -> State:
        """The position before the first turn begins."""
        return self._freezing.opening(first)

    def start(self, first: int = 0) -> State:
        """The opening position; `first` is the index of the player who begins."""
        return self.begin(self.opening(first)).state

    def begin(self, state: State) -> Step:
        """The position after the player's turn has begun, from one in which it has not."""
        scene = Scene(state)
        self._turns.begin_turn(scene)
        return self._finish(scene)

    def canonical(self, state: State) -> State:
        """The position without what cannot change the future."""
        return self._freezing.freeze(Scene(state))

    def tells(self, what: str) -> bool:
        """Whether positions of this table hold a part of the memory: `round`, `first`, `captures`, `order` or `last`."""
        return self._freezing.memory.tells(what)

    def read(self, text: str) -> State:
        """The position of a text; at the beginning of a turn, what happens then has happened.

        Raises:
            NotationError: the text is no position.
            PositionError: the position cannot be.
        """
        state, begins = read_fields(self.table, text, self.opening(), self._freezing.memory.tells)
        state = self._possible.completed(state, self._freezing.memory.retired)
        self._check_rolled(state)
        if begins:
            return self.begin(state).state
        found = self.canonical(state)
        if not found.over and not found.awaits_roll and not self.legal(found):
            raise PositionError("no piece can use anything of the pool", "leave `pool=` out: dice that nobody can use are lost", "pool")
        return found

    def _check_rolled(self, state: State) -> None:
        """No roll of the turn shows a face that a rule forbade then."""
        for number, roll in enumerate(state.rolled if self._turns.never_rolls else ()):
            barred = self._turns.barred(Scene(state._replace(rolled=state.rolled[:number])), roll)
            if barred:
                message = f"the {number + 1}. roll of the turn cannot show {'+'.join(map(str, roll))}: {barred[0].reason}"
                raise PositionError(message, "", "rolled")

    def faces(self, state: State) -> tuple[int, ...]:
        """The faces that the next roll may show."""
        scene = Scene(state)
        return tuple(f for f, _ in self.table.book.dice.faces if not self._turns.barred(scene, (f,)))

    # ---- choices -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Options:
        """The choices with the statements that allow each, and those that are ruled out with the obligation that does so."""
        if self._last is not None and self._last[0] is state:
            return self._last[1]
        if state.over or state.due or not state.pool:
            return NOTHING
        options = self._turns.options(Scene(state))
        self._last = (state, options)
        return options

    def legal(self, state: State) -> tuple[Choice, ...]:
        """The legal choices; none while a roll is due and when the game is over."""
        options = self.options(state)
        moves: tuple[Choice, ...] = tuple([c.move for c in options.kept])
        return (*moves, PASS) if options.passing else moves

    def refused(self, state: State) -> Refused:
        """Moves that a player might think of and that are not legal, each with its reasons."""
        if state.over or state.due or not state.pool:
            return ()
        found: list[tuple[Choice, tuple[Refusal, ...]]] = list(self._candidates.refused(Scene(state)))
        found += [(c.move, (reason,)) for c, reason in self.options(state).ruled_out]
        return tuple(found)

    def weigh(self, state: State, faces: tuple[int, ...]) -> tuple[State, tuple[Choice, ...], Refused]:
        """What a roll could be used for before it is used or lost: that position, its legal choices, and what is refused and why.

        Raises:
            IllegalRollError: as `roll` does.
        """
        self._check_roll(state, faces)
        scene = Scene(state)
        self._turns.roll(scene, faces)
        ended_by = scene.ended_by if not scene.pool else None
        if ended_by is not None:
            scene.pool, scene.due = faces, 0
        at = self._freezing.freeze(scene)
        legal, refused = self.legal(at), self.refused(at)
        if ended_by is None:
            return at, legal, refused
        # The roll itself ended the turn: what it could have moved is refused for that reason.
        rule = next(s.id for s in self.table.statements if s.id.rule == ended_by)
        lost = tuple((choice, (Refusal(rule, "the roll ended the turn"),)) for choice in legal)
        return at, (), (*refused, *lost)

    # ---- steps -------------------------------------------------------------------------------------------------------

    def roll(self, state: State, faces: tuple[int, ...]) -> Step:
        """The position after a roll.

        Raises:
            IllegalRollError: no roll is due, the dice have no such faces, or a rule forbids them now.
        """
        self._check_roll(state, faces)
        scene = Scene(state)
        self._turns.roll(scene, faces)
        return self._finish(scene)

    def _check_roll(self, state: State, faces: tuple[int, ...]) -> None:
        dice = self.table.book.dice
        if not state.awaits_roll:
            reason = "the game is over" if state.over else "there are dice to be used first"
            raise IllegalRollError(f"no roll is due: {reason}")
        if len(faces) != dice.count:
            raise IllegalRollError(f"a roll shows {dice.count} dice, not {len(faces)}")
        if not self._faces.issuperset(faces):
            face = next(f for f in faces if f not in self._faces)
            shown = ", ".join(str(f) for f in sorted(self._faces))
            raise IllegalRollError(f"the dice have no face {face}", f"their faces are {shown}")
        if self._turns.never_rolls:
            barred = self._turns.barred(Scene(state), faces)
            if barred:
                raise IllegalRollError(barred[0].reason, refusals=tuple(barred))

    def move(self, state: State, choice: Choice) -> Step:
        """The position after a legal choice; trusts that it is legal."""
        options = self.options(state)
        scene = Scene(state)
        if isinstance(choice, Pass):
            assert options.passing is not None, "passing is not allowed here"
            self._turns.pass_turn(scene, options.passing)
        else:
            self._turns.move(scene, options.candidate(choice), options)
        return self._finish(scene)

    def _finish(self, scene: Scene) -> Step:
        options = self._turns.settle(scene)
        state = self._freezing.freeze(scene)
        self._last = (state, options)
        return Step(state, tuple(scene.events), tuple(scene.trace))

    # ---- outcomes ----------------------------------------------------------------------------------------------------

    def places(self, state: State) -> tuple[int, ...]:
        """The place of each player, from 1, by the ranking of the rules; equal sides share a place."""
        return self._ranking.places(Scene(state))

    def view(self, state: State, viewer: int) -> State:
        """The position as a player sees it: hidden counters of rivals read 0 and secret payments are not shown."""
        return self._viewing.view(state, viewer)

    def hidden(self, state: State, viewer: int) -> tuple[tuple[str, int, str], ...]:
        """The counters whose value a player does not see: counter, owner, and whether it is hidden or secret."""
        return self._viewing.hidden(state, viewer)
