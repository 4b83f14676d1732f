"""Which moves there are: `may` makes candidates, `never` removes them, `must` narrows the choice among those that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from ludo_dsl.game.events import Part, Refusal, Trace
from ludo_dsl.game.state import Die, Granted, Move
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Condition, Meanings
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import (
    And,
    Compare,
    DieIn,
    DieIs,
    Expr,
    Faces,
    Fact,
    FactOf,
    Not,
    Nouns,
    Number,
    Or,
    Owner,
    Truth,
    Where,
)
from ludo_dsl.rules.folding import walk
from ludo_dsl.rules.spoken import pieces, spoken
from ludo_dsl.rules.statements import (
    Act,
    Count,
    LaneOpens,
    May,
    MayCombine,
    NeverCross,
    NeverMove,
    Overshoot,
    Past,
    Statement,
    StatementId,
)
from ludo_dsl.rules.topology import YARD, Route


class Candidate(NamedTuple):
    """A move, the places it passes in order, the squares it walks, and the statements that allow it."""

    move: Move
    passed: tuple[int, ...]
    walked: int
    allowed_by: tuple[Trace, ...]


@dataclass(frozen=True, slots=True)
class _Crossing:
    rule: NeverCross
    count: Callable[[Scene], int]
    condition: Condition


class _Trial(NamedTuple):
    """One way to use one die: where it leads, or the statements that keep it from anywhere."""

    to: int
    passed: tuple[int, ...]
    walked: int
    allowed_by: StatementId
    refused: tuple[Refusal, ...] = ()


class Candidates:
    """The moves of one table."""

    def __init__(self, ground: Ground, meanings: Meanings) -> None:
        self.ground = ground
        self.meanings = meanings
        statements = ground.table.statements
        self._mays = tuple((m, meanings.condition(m.condition)) for m in statements if isinstance(m, May))
        self._combines = self._of(statements, MayCombine)
        self._lanes = self._of(statements, LaneOpens)
        self._counts = tuple((c, meanings.condition(c.condition)) for c in statements if isinstance(c, Count))
        self._pasts = tuple((p, meanings.condition(p.condition)) for p in statements if isinstance(p, Past))
        self._never_moves = tuple((n, meanings.condition(n.condition)) for n in statements if isinstance(n, NeverMove))
        self._crossings = tuple(self._crossing(n) for n in statements if isinstance(n, NeverCross))
        self._enters = tuple(m for m in self._mays if m[0].act is Act.ENTER)
        self._walks = tuple(m for m in self._mays if m[0].act is not Act.ENTER)
        self._allies = any(m.whose is Owner.ALLIES for m, _ in self._mays)
        self._guarded = bool(self._crossings or self._never_moves or ground.table.measures.slots)
        # Where a die leads hangs on the board alone, unless a rule lets it hang on the position: then it is found anew each time.
        self._ways: dict[tuple[int, int, int, Die, bool], tuple[tuple[Candidate, Condition | None], ...]] = {}
        self._plain: dict[tuple[int, int, int, Die, bool], list[Candidate]] = {}
        self._ways_are_fixed = all(asks_only_the_die(s.condition) for s in statements if isinstance(s, Count | Past))
        self._piece = ground.table.book.word("piece")
        self._own = tuple(frozenset(owners[Owner.OWN]) for owners in ground.colours_of)
        self._movers = tuple((*owners[Owner.OWN], *(owners[Owner.ALLIES] if self._allies else ())) for owners in ground.colours_of)

    def _of(self, statements: Iterable[Statement], kind: type[MayCombine] | type[LaneOpens]) -> tuple[tuple[StatementId, Condition], ...]:
        return tuple((s.id, self.meanings.condition(s.condition)) for s in statements if isinstance(s, kind))

    def _crossing(self, rule: NeverCross) -> _Crossing:
        count = self.ground.most_of_one_colour(rule.nouns) if rule.one_colour else self.ground.counter(_here(rule))
        return _Crossing(rule, count, self.meanings.condition(rule.condition))

    # ---- the moves ---------------------------------------------------------------------------------------------------

    def legal(self, scene: Scene) -> list[Candidate]:
        """What `may` and `never` leave of the pool in a scene."""
        found: list[Candidate] = []
        dice = _distinct(scene.pool)
        lane_open = not self._lanes or self.lane_open(scene)
        player, plain = scene.player, self._plain
        for colour in self._movers[player]:
            for place, mark in self._pieces(scene, colour):
                for die in dice:
                    # Most often nothing hangs on the position: then the moves are the same each time.
                    known = plain.get((player, colour, place, die, lane_open)) if not mark else None
                    if known is not None:
                        found += known
                    else:
                        self._by_one_die(scene, colour, place, mark, die, lane_open, found)
        if self._combines and len(scene.pool) > 1:
            found.extend(self._combined(scene, lane_open))
        return found

    def _pieces(self, scene: Scene, colour: int) -> list[tuple[int, tuple[int, ...]]]:
        """Place and mark of the pieces of a colour that could move, alike ones once."""
        last = self.ground.routes[colour].last
        places = scene.pieces[colour]
        if not scene.marks:
            return [(place, ()) for place in dict.fromkeys(places) if place != last]
        return [piece for piece in dict.fromkeys(zip(places, scene.marks[colour], strict=True)) if piece[0] != last]

    def _by_one_die(
        self, scene: Scene, colour: int, place: int, mark: tuple[int, ...], die: Die, lane_open: bool, found: list[Candidate]
    ) -> None:
        """Adds the moves of a piece with a die; a move that several statements allow is one move."""
        key = (scene.player, colour, place, die, lane_open)
        ways = self._ways.get(key)
        if ways is None:
            ways = self._find_ways(scene, colour, place, die, lane_open)
            if self._ways_are_fixed:
                self._ways[key] = ways
                if not self._guarded and all(condition is None for _, condition in ways):
                    firsts: dict[Move, Candidate] = {}
                    for candidate, _ in ways:
                        firsts.setdefault(candidate.move, candidate)
                    self._plain[key] = list(firsts.values())
        for candidate, condition in ways:
            if condition is not None or self._guarded:
                move = candidate.move
                self._set(scene, colour, place, die, move.act)
                scene.here = self.ground.routes[colour].squares[move.to]
                if condition is not None and not condition(scene):
                    continue
                if self._guarded and next(self._refusals(scene, move.to, candidate.passed, colour, move.act), None) is not None:
                    continue
            if mark:
                candidate = candidate._replace(move=candidate.move._replace(mark=mark))
            if len(ways) == 1 or not any(c.move == candidate.move for c in found):
                found.append(candidate)

    def _find_ways(
        self, scene: Scene, colour: int, place: int, die: Die, lane_open: bool
    ) -> tuple[tuple[Candidate, Condition | None], ...]:
        """Where a die can lead from a place, before any `never`, each with what has still to hold of the position."""
        ways: list[tuple[Candidate, Condition | None]] = []
        for may, condition in self._enters if place == YARD else self._walks:
            trial = self._try(scene, colour, place, die, may, lane_open)
            if trial is None or trial.refused:
                continue
            fixed = asks_only_the_die(may.condition)
            if not fixed or condition(scene):
                move = Move(colour, place, trial.to, (die,), may.act)
                ways.append((Candidate(move, trial.passed, trial.walked, (Trace(may.id, Part.ALLOWED),)), None if fixed else condition))
        return tuple(ways)

    def _try(self, scene: Scene, colour: int, place: int, die: Die, may: May, lane_open: bool) -> _Trial | None:
        """Where a `may` would take a piece with a die; nothing if it does not speak of such a piece or die."""
        if (may.whose is Owner.OWN) != (colour in self._own[scene.player]):
            return None
        route = self.ground.routes[colour]
        self._set(scene, colour, place, die, may.act)
        if may.act is Act.ENTER and not may.walking:
            scene.here = route.squares[route.first]
            return _Trial(route.first, (), 0, may.id)
        steps = die if isinstance(die, int) and not self._counts else self.steps(scene, die)
        if steps is None:
            return None
        if may.act is Act.RETREAT:
            walk = route.back(place, steps)
            if walk is None:
                return _Trial(place, (), 0, may.id, (Refusal(may.id, f"there are not {steps} squares behind it on its way"),))
            scene.here = route.squares[walk.to]
            return _Trial(walk.to, walk.passed, steps, may.id)
        return self._advance(scene, route, place, steps, may.id, lane_open)

    def _advance(self, scene: Scene, route: Route, place: int, steps: int, may: StatementId, lane_open: bool) -> _Trial:
        walk = route.walk(place, steps, lane_open)
        scene.here = route.squares[walk.to]
        if not walk.over:
            return _Trial(walk.to, walk.passed, steps, may)
        for past, condition in self._pasts:
            if not condition(scene):
                continue
            if past.overshoot is Overshoot.STOP:
                return _Trial(walk.to, walk.passed, steps - walk.over, may)
            if past.overshoot is Overshoot.BOUNCE:
                to, back = route.bounce(walk.over)
                scene.here = route.squares[to]
                return _Trial(to, (*walk.passed, *back), steps, may)
            left = steps - walk.over
            reason = f"{steps} steps would go past home, which is {left} away" if left else "it is at the end of its way"
            return _Trial(walk.to, (), 0, may, (Refusal(past.id, reason),))
        return _Trial(walk.to, (), 0, may, (Refusal(None, "no rule says how to go past home"),))

    def _set(self, scene: Scene, colour: int, place: int, die: Die, act: Act) -> None:
        scene.colour, scene.die = colour, die
        # While dice are taken one after the other, the piece is still where it began.
        scene.index = scene.pieces[colour].index(place) if place in scene.pieces[colour] else scene.index
        scene.face = die if isinstance(die, int) else 0
        scene.origin_square = self.ground.routes[colour].squares[place]
        scene.act_entered = act is Act.ENTER
        scene.act_retreats = act is Act.RETREAT

    def steps(self, scene: Scene, die: Die) -> int | None:
        """How many steps a die counts; nothing for a named die."""
        if isinstance(die, Granted):
            return die.steps
        if isinstance(die, str):
            return None
        for count, condition in self._counts:
            if count.face == die and condition(scene):
                return count.steps
        return die

    def lane_open(self, scene: Scene) -> bool:
        """Whether the player's pieces may turn into their lanes."""
        return all(condition(scene) for _, condition in self._lanes)

    # ---- never -------------------------------------------------------------------------------------------------------

    def _refusals(self, scene: Scene, to: int, passed: tuple[int, ...], colour: int, act: Act) -> Iterator[Refusal]:
        """Every `never` that forbids a walk; the scene's square in question is the landing square again afterwards."""
        route = self.ground.routes[colour]
        landing = route.squares[to]
        for never, condition in self._never_moves:
            if never.act is act and condition(scene):
                yield Refusal(never.id, f"a {self._piece} may not {act.value} now")
        for crossing in self._crossings:
            rule = crossing.rule
            if rule.passing:
                for place in passed:
                    scene.here = route.squares[place]
                    if scene.here is not None and crossing.count(scene) >= rule.count and crossing.condition(scene):
                        yield Refusal(rule.id, f"it cannot pass {route.spots[place]}, where {_who(rule)}")
            scene.here = landing
            if rule.landing and landing is not None and crossing.count(scene) >= rule.count and crossing.condition(scene):
                yield Refusal(rule.id, f"it cannot land on {route.spots[to]}, where {_who(rule)}")
        scene.here = landing
        if self.ground.table.measures.slots and to >= route.lane and to in scene.pieces[colour]:
            yield Refusal(None, f"{route.spots[to]} holds one {self._piece} only")

    # ---- all dice at once --------------------------------------------------------------------------------------------

    def _combined(self, scene: Scene, lane_open: bool) -> Iterator[Candidate]:
        if not scene.untouched() or sorted(map(str, scene.pool)) != sorted(map(str, scene.rolled[-1])):
            return
        allowing = [Trace(sid, Part.ALLOWED) for sid, condition in self._combines if condition(scene)]
        if not allowing:
            return
        dice = tuple(sorted(d for d in scene.pool if isinstance(d, int)))
        for colour in self._movers[scene.player]:
            for place, mark in self._pieces(scene, colour):
                seen: set[int] = set()
                for order in sorted(set(permutations(dice))):
                    found = self._by_order(scene, colour, place, order, lane_open)
                    if found is not None and found.to not in seen:
                        seen.add(found.to)
                        act = Act.ENTER if place == YARD else Act.ADVANCE
                        move = Move(colour, place, found.to, dice, act, mark)
                        yield Candidate(move, found.passed, found.walked, (*allowing, Trace(found.allowed_by, Part.ALLOWED)))

    def _by_order(self, scene: Scene, colour: int, place: int, order: tuple[Die, ...], lane_open: bool) -> _Trial | None:
        """The dice taken one after the other; the squares between are passed and not landed on."""
        at, walked = place, 0
        passed: tuple[int, ...] = ()
        first: StatementId | None = None
        for number, die in enumerate(order):
            trial = self._one_of_order(scene, colour, at, die, lane_open)
            if trial is None:
                return None
            first = first or trial.allowed_by
            between = trial.passed if number == 0 else (at, *trial.passed)
            passed, walked, at = (*passed, *between), walked + trial.walked, trial.to
        assert first is not None
        act = Act.ENTER if place == YARD else Act.ADVANCE
        self._set(scene, colour, place, order[0], act)
        scene.here = self.ground.routes[colour].squares[at]
        if next(self._refusals(scene, at, passed, colour, act), None) is not None:
            return None
        return _Trial(at, passed, walked, first)

    def _one_of_order(self, scene: Scene, colour: int, at: int, die: Die, lane_open: bool) -> _Trial | None:
        for may, condition in self._enters if at == YARD else self._walks:
            if at == self.ground.routes[colour].last or may.act is Act.RETREAT:
                continue
            trial = self._try(scene, colour, at, die, may, lane_open)
            if trial is not None and not trial.refused and condition(scene):
                return trial
        return None

    # ---- reasons -----------------------------------------------------------------------------------------------------

    def refused(self, scene: Scene) -> list[tuple[Move, tuple[Refusal, ...]]]:
        """Every use of one die that a player might think of and that `may` and `never` do not leave, with all reasons."""
        found: dict[Move, list[Refusal]] = {}
        legal = {c.move for c in self.legal(scene)}
        lane_open = self.lane_open(scene)
        for colour in self._movers[scene.player]:
            for place, mark in self._pieces(scene, colour):
                for die in _distinct(scene.pool):
                    for move, reasons in self._reasons(scene, colour, place, mark, die, lane_open):
                        if move not in legal:
                            known = found.setdefault(move, [])
                            known.extend(r for r in reasons if r not in known)
        return [(move, tuple(reasons)) for move, reasons in found.items() if reasons]

    def _reasons(
        self, scene: Scene, colour: int, place: int, mark: tuple[int, ...], die: Die, lane_open: bool
    ) -> Iterator[tuple[Move, list[Refusal]]]:
        for may, condition in self._enters if place == YARD else self._walks:
            trial = self._try(scene, colour, place, die, may, lane_open)
            if trial is None:
                continue
            reasons = list(trial.refused)
            if not condition(scene):
                if may.act is Act.RETREAT:
                    continue
                reasons.append(Refusal(may.id, self._unmet(may)))
            if not trial.refused:
                reasons += self._refusals(scene, trial.to, trial.passed, colour, may.act)
            yield Move(colour, place, trial.to, (die,), may.act, mark), reasons

    def _unmet(self, may: May) -> str:
        return f"a {self._piece} may {may.act.value} only if {spoken(may.condition)}"


def _here(rule: NeverCross) -> Nouns:
    return Nouns(rule.nouns.owner, (*rule.nouns.places, Where.HERE))


def asks_only_the_die(condition: Expr) -> bool:
    """Whether a condition can be judged by the die that a move takes, without looking at the position."""
    return all(
        isinstance(part, And | Or | Not | Compare | Number | Truth | DieIs | DieIn | Faces) or part == FactOf(Fact.DIE)
        for part in walk(condition)
    )


def _who(rule: NeverCross) -> str:
    """The pieces that keep others from a square, in words."""
    same = " of one colour" if rule.one_colour else ""
    return f"{pieces(rule.nouns)} stand" if rule.count == 1 else f"{rule.count} or more {pieces(rule.nouns)}{same} stand"


def _distinct(pool: tuple[Die, ...]) -> tuple[Die, ...]:
    return tuple(dict.fromkeys(pool)) if len(pool) > 1 else pool
