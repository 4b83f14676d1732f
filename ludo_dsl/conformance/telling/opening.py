"""Games from the opening that tell two engines apart: all short ones, those that make for a known position, and random ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ludo_dsl.conformance.telling.paired import Both, Level, Pair, Step, Told
from ludo_dsl.conformance.telling.shown import Difference
from ludo_dsl.game.notation import move_text
from ludo_dsl.game.state import State
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD

WIDTH = 24
"""Positions that a game making for a position goes on from at each roll."""

FURTHER = 60
"""Rolls that such a game makes at most, beyond those that the way needs by the largest die."""

AROUND = 4
"""Rolls that are tried in every way once the position is reached."""

LONGEST = 400
"""Rolls after which a random game is broken off."""


class Opening:
    """The search from the opening; `tried` positions are counted by the pair."""

    def __init__(self, pair: Pair, budget: int, seed: int, progress: Callable[[int], None]) -> None:
        self.pair = pair
        self.budget = budget
        self.seed = seed
        self.progress = progress
        self.depth = 0
        self.playouts = 0

    # ---- all short games ---------------------------------------------------------------------------------------------

    def all_short(self, budget: int) -> Told | None:
        """The shortest game, if games of so few rolls that they fit the budget hold one."""
        level: Level = {}
        both = self.pair.start(0)
        if both is None:
            return None
        if isinstance(both, Difference):
            return Told(None, 0, (), both)
        at_once = self.pair.at_once(both)
        if at_once is not None:
            return Told(None, 0, (), at_once)
        level[both] = ()
        seen = {both}
        self.depth = 0
        while level and self.pair.spent + len(level) < budget:
            following: Level = {}
            found = self.grow(level, following)
            self.depth += 1
            if found is not None:
                return found
            level = {b: s for b, s in following.items() if b not in seen}
            seen.update(level)
        return None

    def grow(self, level: Level, following: Level) -> Told | None:
        """Makes every roll, and all moves until the next roll, from each position; the first difference, if there is one."""
        rolled: Level = {}
        waiting = {b: s for b, s in level.items() if b.a.awaits_roll}
        found = self.pair.roll_on(waiting, rolled)
        if found is None:
            rest = {b: s for b, s in level.items() if not b.a.awaits_roll}
            rest |= {b: s for b, s in rolled.items() if not b.a.awaits_roll}
            following |= {b: s for b, s in rolled.items() if b.a.awaits_roll}
            found = self.pair.move_on(rest, following)
        self.progress(self.pair.spent)
        return None if found is None else Told(None, 0, *found)

    # ---- making for a position ---------------------------------------------------------------------------------------

    def toward(self, aim: Told) -> Told | None:
        """A game that brings up a position in which a difference shows, by the rolls and moves that come nearest to it."""
        goal, start = self.pair.read(aim.position or ""), self.pair.start(0)
        if goal is None or not isinstance(start, Both):
            return None
        far = _Distance(self.pair.a.table, goal.a)
        level: Level = {start: ()}
        seen = {start}
        for _ in range(int(far.rolls(start.a)) + FURTHER):
            following: Level = {}
            found = self.grow(level, following)
            if found is not None:
                return found
            fresh = sorted(((far.rolls(b.a), n, b) for n, b in enumerate(following) if b not in seen), key=lambda e: e[:2])[:WIDTH]
            if not fresh or self.pair.spent > self.budget:
                return None
            level = {b: following[b] for _, _, b in fresh}
            seen.update(level)
            if fresh[0][0] < 1:
                found = self._around({fresh[0][2]: level[fresh[0][2]]})
                if found is not None:
                    return found
        return None

    def _around(self, level: Level) -> Told | None:
        """Every way on from positions that are as wanted."""
        for _ in range(AROUND):
            following: Level = {}
            found = self.grow(level, following)
            if found is not None:
                return found
            level = dict(list(following.items())[: 10 * WIDTH])
        return None

    # ---- random games ------------------------------------------------------------------------------------------------

    def random_games(self) -> Told | None:
        """Random games in step until the budget is spent; the shortest of the first few that show a difference."""
        rng = random.Random(f"{self.seed}/opening")
        best: Told | None = None
        late = 0
        while self.pair.spent < self.budget and late < 5:
            self.playouts += 1
            found = self._game(rng, rng.randrange(len(self.pair.a.table.players)), best.rolls if best else LONGEST)
            self.progress(self.pair.spent)
            if found is not None:
                best = found
            late += best is not None
        return best

    def _game(self, rng: random.Random, first: int, longest: int) -> Told | None:
        at = self.pair.start(first)
        if not isinstance(at, Both):
            return None
        steps: list[Step] = []
        for step, result in random_steps(self.pair, at, rng):
            steps.append(step)
            if isinstance(result, Difference):
                return Told(None, first, tuple(steps), result)
            if isinstance(step, tuple):
                self.pair.count_rolls(1)
                longest -= 1
                if longest <= 0:
                    return None
        return None


def random_steps(pair: Pair, at: Both, rng: random.Random) -> Iterator[tuple[Step, Both | Difference]]:
    """The steps of a random game and what comes of each, until something differs or the game is over.

    Half of the rolls show what a rule book makes most of, its highest face, so that things happen.
    """
    faces = tuple(face for face, _ in pair.a.table.book.dice.faces)
    count = pair.a.table.book.dice.count
    while not at.a.over:
        if at.a.awaits_roll:
            roll = tuple(max(faces) if rng.random() < 0.2 else rng.choice(faces) for _ in range(count))
            result = pair.roll(at, roll)
            step: Step = roll
            if result is None:
                continue
        else:
            choices = pair.choices(at)
            if isinstance(choices, Difference) or not choices:
                return
            choice = rng.choice(choices)
            step, result = move_text(pair.a.table, at.a, choice[0]), pair.move(at, choice)
            if result is None:
                return
        yield step, result
        if isinstance(result, Difference):
            return
        at = result


class _Distance:
    """How many rolls a position is away from a wanted one, roughly and at least 0."""

    def __init__(self, table: Table, goal: State) -> None:
        self.table = table
        self.goal = goal
        self.high = max(face for face, _ in table.book.dice.faces) * table.book.dice.count

    def rolls(self, state: State) -> float:
        """The estimate."""
        away = sum(self._pieces(c, its) for c, its in enumerate(state.pieces))
        goal = self.goal
        away += 4.0 * sum(abs(g - s) for g, s in zip(goal.captures, state.captures, strict=True))
        away += 2.0 * len(self.table.players) * max(0, goal.round - state.round)
        away += 0.5 * (state.turn != goal.turn)
        for wanted, given in zip(goal.counters, state.counters, strict=True):
            away += 3.0 * (wanted != given)
        return away + 3.0 * sum(len(g - s) for g, s in zip(goal.done, state.done, strict=True))

    def _pieces(self, colour: int, places: tuple[int, ...]) -> float:
        route = self.table.routes[colour]
        total = 0.0
        for wanted, given in zip(self.goal.pieces[colour], places, strict=True):
            if wanted == given:
                continue
            if given == YARD:
                total += 1.5 + route.travelled[wanted] / self.high
            elif wanted == YARD or route.travelled[wanted] < route.travelled[given]:
                # It has to be sent back first.
                total += 20
            else:
                total += max(1.0, (route.travelled[wanted] - route.travelled[given]) / self.high)
        return total
