"""What happens between moves: rolls are made, lost and owed, turns and rounds end, and players are skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ludo_dsl.game.errors import EndlessRulesError
from ludo_dsl.game.events import Event, EventKind, Part, Refusal, Trace
from ludo_dsl.game.state import Move
from ludo_dsl.interpreter.candidates import Candidate, Candidates
from ludo_dsl.interpreter.choice import Choosing, movable
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Condition, Meanings
from ludo_dsl.interpreter.resolution import Resolution
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.statements import Builtin, NeverKeep, NeverRoll, Stage, StatementId, Trigger

LONGEST_CHAIN = 1000
"""Stages that may follow each other without a roll or a choice before the rules are found to chase each other."""


class Options(NamedTuple):
    """What a player can do now: the choice, and whether passing is part of it."""

    kept: tuple[Candidate, ...]
    ruled_out: tuple[tuple[Candidate, Refusal], ...]
    took_part: tuple[StatementId, ...]
    candidates: tuple[Candidate, ...]
    passing: StatementId | None

    def candidate(self, move: Move) -> Candidate:
        """The candidate of a move that the player can make."""
        for candidate in self.kept:
            if candidate.move is move or candidate.move == move:
                return candidate
        raise ValueError(f"{move} is none of the legal moves")


NOTHING = Options((), (), (), (), None)


Stop = Options | Literal[True] | None
"""What a stage of the turn comes to: a rest with options, something done, or (nothing) it does not apply."""


class Turns:
    """The turn loop of one table."""

    def __init__(self, ground: Ground, meanings: Meanings, candidates: Candidates, choosing: Choosing, resolution: Resolution) -> None:
        self.ground = ground
        self.candidates = candidates
        self.choosing = choosing
        self.resolution = resolution
        statements = ground.table.statements
        self.never_rolls = tuple((n, meanings.condition(n.condition)) for n in statements if isinstance(n, NeverRoll))
        self._keeps: tuple[tuple[StatementId, Condition], ...] = tuple(
            (n.id, meanings.condition(n.condition)) for n in statements if isinstance(n, NeverKeep)
        )
        self._on_roll, self._on_no_move, self._on_turn_start, self._on_turn_end, self._on_round_end = (
            resolution.reactions[t] for t in (Trigger.ROLLED, Trigger.NO_MOVE, Trigger.TURN_STARTS, Trigger.TURN_ENDS, Trigger.ROUND_ENDS)
        )
        stages: dict[Stage, Callable[[Scene], Stop]] = {
            Stage.DUE_ROLL: self._due_roll,
            Stage.CHOOSE: self._choose,
            Stage.LOSE: self._lose_pool,
            Stage.OWED_ROLL: self._owed_roll,
            Stage.END: self._end_of_turn,
        }
        self._stages = tuple(stages[stage] for stage in ground.table.book.turn)
        ground.movable_of = self._movable

    def _movable(self, scene: Scene) -> frozenset[tuple[int, int]]:
        """The pieces that some die of the pool can move; with an empty pool, that some face of the dice could."""
        pool = scene.pool
        if not pool:
            scene.pool = tuple(face for face, _ in self.ground.table.book.dice.faces)
        found = movable(self.candidates.legal(scene))
        scene.pool = pool
        return found

    def options(self, scene: Scene) -> Options:
        """What the player can do with the pool."""
        found = self.candidates.legal(scene)
        if scene.colour >= 0:
            scene.forget_move()
        if not found:
            return NOTHING
        candidates = tuple(found)
        kept, ruled_out, took_part = self.choosing.narrow(scene, found) if self.choosing.musts else (candidates, (), ())
        passing = self._passing(scene) if self.choosing.passes else None
        scene.candidates = None
        return Options(kept, ruled_out, took_part, candidates, passing)

    def _passing(self, scene: Scene) -> StatementId | None:
        self._speak_of_roll(scene)
        found = self.choosing.may_pass(scene)
        scene.forget_move()
        return found

    @staticmethod
    def _speak_of_roll(scene: Scene) -> None:
        """Lets `die` mean the face of the last roll, where no move is meant."""
        faces = scene.rolled[-1] if scene.rolled else ()
        scene.die = scene.face = faces[0] if len(faces) == 1 else 0

    # ---- rolls -------------------------------------------------------------------------------------------------------

    def barred(self, scene: Scene, faces: tuple[int, ...]) -> list[Refusal]:
        """The statements that forbid a roll to show these faces."""
        return [
            Refusal(never.id, f"the die cannot show {never.face} now")
            for never, condition in self.never_rolls
            if never.face in faces and condition(scene)
        ]

    def roll(self, scene: Scene, faces: tuple[int, ...]) -> None:
        """Makes a roll that is due or owed."""
        if self.never_rolls:
            scene.trace += [Trace(never.id, Part.FIRED) for never, condition in self.never_rolls if condition(scene)]
        if scene.due:
            scene.due -= 1
        else:
            scene.owed -= 1
        scene.rolled = (*scene.rolled, faces)
        scene.pool = (*scene.pool, *faces)
        scene.face = faces[0] if len(faces) == 1 else 0
        scene.die = scene.face
        scene.events.append(Event(EventKind.ROLLED, scene.player, None, None, None, faces))
        self.resolution.react(scene, self._on_roll)
        if self.resolution.once or scene.retiring:
            self._conditions(scene)
        if scene.end_turn or scene.end_game or scene.turn in scene.retired:
            self.marks(scene)

    def _conditions(self, scene: Scene) -> None:
        if not self.resolution.once and not scene.retiring:
            return
        scene.forget_move()
        self.resolution.conditions(scene)
        self.resolution.retire(scene)

    # ---- moves -------------------------------------------------------------------------------------------------------

    def move(self, scene: Scene, chosen: Candidate, options: Options) -> None:
        """Carries a move out, with the penalty for one that an obligation would have preferred otherwise."""
        if options.took_part:
            scene.trace += [Trace(sid, Part.NARROWED) for sid in options.took_part]
        failed = self.choosing.forfeits(scene, options.kept, chosen) if self.choosing.musts else []
        missed = [(must, tuple(dict.fromkeys(self._piece(scene, c.move) for c in met))) for must, met in failed]
        self.resolution.resolve(scene, chosen)
        for must, pieces in missed:
            scene.missed = pieces
            scene.fired(must.id)
            for action in must.forfeit:
                action(scene)
        scene.forget_move()
        scene.candidates = None
        self.marks(scene)

    @staticmethod
    def _piece(scene: Scene, move: Move) -> tuple[int, int]:
        return move.colour, scene.pieces[move.colour].index(move.origin)

    def pass_turn(self, scene: Scene, statement: StatementId) -> None:
        """The player declines to move: what the pool holds is lost."""
        scene.trace.append(Trace(statement, Part.ALLOWED))
        scene.note(EventKind.PASSED)
        self._lose(scene)

    def _lose(self, scene: Scene) -> None:
        scene.note(EventKind.LOST, value=scene.pool)
        scene.pool = ()
        self.marks(scene)

    # ---- marks -------------------------------------------------------------------------------------------------------

    def marks(self, scene: Scene) -> None:
        """Lets the marks of the step act: the game ends, or the turn does, without its pool and the rolls it was owed."""
        if scene.end_game:
            self._end_game(scene)
        elif scene.end_turn or scene.turn in scene.retired:
            scene.pool, scene.owed, scene.due = (), 0, 0
            scene.end_turn = False

    def _end_game(self, scene: Scene) -> None:
        scene.pool, scene.owed, scene.due = (), 0, 0
        scene.over = True
        scene.note(EventKind.GAME_ENDED)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def settle(self, scene: Scene) -> Options:
        """Goes on until the players are asked for a roll or a choice, or the game is over."""
        for _ in range(LONGEST_CHAIN):
            if scene.over:
                return NOTHING
            for stage in self._stages:
                found = stage(scene)
                if found is not None:
                    break
            else:
                raise EndlessRulesError("the turn loop has no stage that applies")
            if found is not True:
                return found
        raise EndlessRulesError("turns pass without a roll or a choice: the rules chase each other")

    @staticmethod
    def _due_roll(scene: Scene) -> Stop:
        return NOTHING if scene.due else None

    @staticmethod
    def _owed_roll(scene: Scene) -> Stop:
        return NOTHING if scene.owed else None

    def _choose(self, scene: Scene) -> Stop:
        if not scene.pool:
            return None
        options = self.options(scene)
        if self._keeps and self._drop_stuck(scene, options):
            return True
        return options if options.candidates else None

    def _drop_stuck(self, scene: Scene, options: Options) -> bool:
        """Takes dice out of the pool that no piece can use now, where a rule says so and others remain."""
        keeping = [sid for sid, condition in self._keeps if condition(scene)]
        usable = {die for c in options.candidates for die in c.move.dice}
        stuck = tuple(d for d in scene.pool if d not in usable)
        if not keeping or not stuck or len(stuck) == len(scene.pool):
            return False
        scene.fired(keeping[0])
        scene.pool = tuple(d for d in scene.pool if d in usable)
        scene.note(EventKind.LOST, value=stuck)
        return True

    def _lose_pool(self, scene: Scene) -> Stop:
        if not scene.pool:
            return None
        if self._on_no_move and scene.untouched():
            self._speak_of_roll(scene)
            self.resolution.react(scene, self._on_no_move)
            self._conditions(scene)
        self.resolution.stood(scene, Builtin.LOST_DICE)
        self._lose(scene)
        return True

    def _end_of_turn(self, scene: Scene) -> Stop:
        if self._on_turn_end:
            self.resolution.react(scene, self._on_turn_end)
            self._conditions(scene)
        if scene.end_game:
            self._end_game(scene)
            return True
        scene.events.append(Event(EventKind.TURN_ENDED, scene.player))
        self._pass_on(scene)
        if not scene.over:
            self.begin_turn(scene)
        return True

    def _pass_on(self, scene: Scene) -> None:
        """The turn goes to the next player who has not retired; a round ends when it reaches or passes the one who began."""
        count = len(self.ground.table.players)
        self.resolution.stood(scene, Builtin.TURN_ORDER)
        for _ in range(count):
            following = (scene.turn + 1) % count
            if following == scene.first:
                self._end_of_round(scene)
                if scene.over:
                    return
            scene.turn = scene.player = following
            if following not in scene.retired:
                return
        # Nobody is left who could play.
        self._end_game(scene)

    def _end_of_round(self, scene: Scene) -> None:
        scene.note(EventKind.ROUND_ENDED, value=scene.round)
        self.resolution.react(scene, self._on_round_end)
        self._conditions(scene)
        if scene.end_game:
            self._end_game(scene)
        else:
            scene.round += 1

    def begin_turn(self, scene: Scene) -> None:
        """A player's turn begins: one roll is owed, unless a rule says otherwise."""
        scene.player = scene.turn
        scene.rolled = ()
        scene.pool = ()
        scene.owed, scene.due = 1, 0
        scene.last = None
        # A mark that was made as the last turn ended has nothing left to end.
        scene.end_turn = False
        scene.candidates = None
        scene.events.append(Event(EventKind.TURN_STARTED, scene.player))
        if self._on_turn_start:
            self.resolution.react(scene, self._on_turn_start)
            scene.candidates = None
            self._conditions(scene)
            self.marks(scene)
