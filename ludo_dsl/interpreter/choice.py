"""How `must` narrows the choice: in written order, each among what the ones before it left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ludo_dsl.game.events import Refusal
from ludo_dsl.game.state import Granted
from ludo_dsl.interpreter.candidates import Candidate, Candidates
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Condition, Meanings
from ludo_dsl.interpreter.resolution import Action, Resolution
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import Nouns, Where
from ludo_dsl.rules.statements import Act, Goal, GoalKind, MayPass, Must, StatementId

Worth = tuple[int, ...]

_AIMS = {
    GoalKind.DICE: "more of the dice must be used",
    GoalKind.PIPS: "more pips must be used",
    GoalKind.ENTER: "a {piece} must come out",
    GoalKind.ADVANCE: "a {piece} must advance",
    GoalKind.CAPTURE: "a capture must be made",
    GoalKind.COMBINE: "all dice must be taken at once",
    GoalKind.SINGLE: "one die must be taken at a time",
    GoalKind.FROM: "another {piece} must be moved first",
}


@dataclass(frozen=True, slots=True)
class Obligation:
    """A `must` statement, ready to judge."""

    id: StatementId
    goals: tuple[Goal, ...]
    condition: Condition
    forfeit: tuple[Action, ...]


class Narrowed(NamedTuple):
    """What the obligations leave, what they ruled out and why, and the ones that had a say."""

    kept: tuple[Candidate, ...]
    ruled_out: tuple[tuple[Candidate, Refusal], ...]
    took_part: tuple[StatementId, ...]


class Choosing:
    """The obligations of one table."""

    def __init__(self, ground: Ground, meanings: Meanings, candidates: Candidates, resolution: Resolution) -> None:
        self.ground = ground
        self.candidates = candidates
        self.resolution = resolution
        self.meanings = meanings
        statements = ground.table.statements
        self.musts = tuple(self._obligation(m) for m in statements if isinstance(m, Must))
        self.passes = tuple((m.id, meanings.condition(m.condition)) for m in statements if isinstance(m, MayPass))

    def _obligation(self, must: Must) -> Obligation:
        forfeit = tuple(self.resolution.action(e, must.id) for e in must.forfeit)
        return Obligation(must.id, must.goals, self.meanings.condition(must.condition), forfeit)

    def narrow(self, scene: Scene, candidates: list[Candidate]) -> Narrowed:
        """The candidates that every obligation leaves."""
        if not self.musts or not candidates:
            return Narrowed(tuple(candidates), (), ())
        scene.candidates = movable(candidates)
        kept = list(candidates)
        ruled_out: list[tuple[Candidate, Refusal]] = []
        took_part: list[StatementId] = []
        for must in self.musts:
            if must.forfeit:
                continue
            worth = self._worths(scene, must, kept)
            best = max((w for w in worth if w is not None), default=None)
            if best is None or not any(best):
                continue
            losing = [c for c, w in zip(kept, worth, strict=True) if w is not None and w != best]
            took_part.append(must.id)
            aim = _AIMS[must.goals[0].kind].format(piece=self.ground.table.book.word("piece"))
            ruled_out += [(c, Refusal(must.id, aim)) for c in losing]
            kept = [c for c in kept if c not in losing]
        return Narrowed(tuple(kept), tuple(ruled_out), tuple(took_part))

    def _worths(self, scene: Scene, must: Obligation, candidates: list[Candidate]) -> list[Worth | None]:
        """The worth of each candidate to an obligation; nothing where it does not apply."""
        looks_ahead = any(g.kind in (GoalKind.DICE, GoalKind.PIPS) for g in must.goals)
        found: list[Worth | None] = []
        for candidate in candidates:
            self._imagine(scene, candidate)
            if not must.condition(scene):
                found.append(None)
            elif looks_ahead:
                found.append(self._ahead(scene, candidate, must.goals))
            else:
                found.append(tuple(int(self._reaches(scene, candidate, g)) for g in must.goals))
        scene.forget_move()
        return found

    def _imagine(self, scene: Scene, candidate: Candidate) -> None:
        """Sets the scene for asking about a candidate before it is carried out."""
        move = candidate.move
        route = self.ground.routes[move.colour]
        scene.colour = move.colour
        scene.index = scene.pieces[move.colour].index(move.origin)
        scene.die = move.dice[0] if len(move.dice) == 1 else 0
        scene.face = scene.die if isinstance(scene.die, int) else 0
        scene.here = route.squares[move.to]
        scene.origin_square = route.squares[move.origin]
        scene.act_entered = move.act is Act.ENTER
        scene.act_retreats = move.act is Act.RETREAT

    def _reaches(self, scene: Scene, candidate: Candidate, goal: Goal) -> bool:
        match goal.kind:
            case GoalKind.ENTER:
                return candidate.move.act is Act.ENTER
            case GoalKind.ADVANCE:
                return candidate.move.act is Act.ADVANCE
            case GoalKind.COMBINE:
                return len(candidate.move.dice) > 1
            case GoalKind.SINGLE:
                return len(candidate.move.dice) == 1
            case GoalKind.CAPTURE:
                return self._after(scene, candidate).captured > 0
            case GoalKind.FROM:
                return self._begins_at(scene, candidate, goal)
            case GoalKind.DICE | GoalKind.PIPS:
                return False

    def _begins_at(self, scene: Scene, candidate: Candidate, goal: Goal) -> bool:
        """Whether the move begins on a square with so many of the pieces, its own piece among them."""
        assert goal.nouns is not None
        move = candidate.move
        square = self.ground.routes[move.colour].squares[move.origin]
        landing, scene.here = scene.here, square
        select = self.ground.selector(Nouns(goal.nouns.owner, (*goal.nouns.places, Where.HERE)))
        there = list(select(scene)) if square is not None else []
        scene.here = landing
        return len(there) >= goal.count and any(c == move.colour and scene.pieces[c][i] == move.origin for c, i in there)

    # ---- looking ahead -----------------------------------------------------------------------------------------------

    def _after(self, scene: Scene, candidate: Candidate) -> Scene:
        """The scene after a candidate, resolved on a copy."""
        copy = scene.copy()
        copy.forget_move()
        self.resolution.resolve(copy, candidate)
        return copy

    def _ahead(self, scene: Scene, candidate: Candidate, goals: tuple[Goal, ...]) -> Worth:
        """The most dice, and pips, that this candidate and the moves after it can use of the pool."""
        dice = [d for d in candidate.move.dice if isinstance(d, int)]
        here = tuple(len(dice) if g.kind is GoalKind.DICE else sum(dice) for g in goals)
        rolled = [d for d in scene.pool if isinstance(d, int)]
        if len(rolled) == len(dice):
            return here
        after = self._after(scene, candidate)
        if after.end_turn or after.end_game or after.retiring or scene.player in after.retired or after.due:
            return here
        after.forget_move()
        after.pool = tuple(d for d in after.pool if not isinstance(d, Granted | str))
        following = [self._ahead(after, c, goals) for c in self.candidates.legal(after)]
        best = max(following, default=(0,) * len(goals))
        return tuple(a + b for a, b in zip(here, best, strict=True))

    # ---- forfeits ----------------------------------------------------------------------------------------------------

    def forfeits(self, scene: Scene, candidates: tuple[Candidate, ...], chosen: Candidate) -> list[tuple[Obligation, list[Candidate]]]:
        """Obligations with a penalty that the chosen one of the legal moves fails, and those that would have met them."""
        found = []
        scene.candidates = movable(candidates)
        for must in self.musts:
            if not must.forfeit:
                continue
            met = []
            for candidate in candidates:
                self._imagine(scene, candidate)
                if must.condition(scene) and all(self._reaches(scene, candidate, g) for g in must.goals):
                    met.append(candidate)
            if met and chosen not in met:
                found.append((must, met))
        scene.forget_move()
        return found

    def may_pass(self, scene: Scene) -> StatementId | None:
        """The statement that lets the player decline to move, if one does."""
        return next((sid for sid, condition in self.passes if condition(scene)), None)


def movable(candidates: list[Candidate] | tuple[Candidate, ...]) -> frozenset[tuple[int, int]]:
    """Colour and place of the pieces that one die can move."""
    return frozenset((c.move.colour, c.move.origin) for c in candidates if len(c.move.dice) == 1)
