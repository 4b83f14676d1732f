"""Telling two rule books apart: the shortest game that shows a difference, by set position and from the opening.

Positions are tried in an order that follows what differs between the rules (`leads`), then systematically, then at
random; whatever is found is shrunk. Everything hangs on the seed and the budget alone, so that a search can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from ludo_dsl.conformance.telling.leads import Leads, leads, same_rules
from ludo_dsl.conformance.telling.memory import Setting, settings_of
from ludo_dsl.conformance.telling.opening import Opening, random_steps
from ludo_dsl.conformance.telling.paired import Both, Pair, Step, Told, same_setting, unlike_settings
from ludo_dsl.conformance.telling.positions import Placing, Positions
from ludo_dsl.conformance.telling.scenarios import scenario_of, scenario_yaml
from ludo_dsl.conformance.telling.shown import Difference
from ludo_dsl.conformance.telling.shrinking import shortened, shrunk
from ludo_dsl.game.engine import Engine

BUDGET = 5_000
"""Positions that are tried, unless somebody says otherwise: some seconds for one die."""

DEPTH = 2
"""Rolls after which a search from one position ends; games played in step go further."""

LONGEST = 400
"""Rolls after which a game played in step is broken off."""

Progress = Callable[[int, int], None]
"""Hears how many positions have been tried, and of how many at most."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How far a search went that found nothing.

    `positions` in which every roll was tried, of up to `pieces` pieces systematically and of more at random; `depth` rolls from
    each at most; `playouts`: games played in step at random. `why` it ended: all was searched that the budget allows, the
    rules are the same, or somebody stopped it.
    """

    pieces: int
    positions: int
    depth: int
    playouts: int
    seed: int
    why: Literal["searched", "same rules", "stopped"] = "searched"

    def says(self) -> str:
        """The bound in words."""
        if self.why == "same rules":
            return "the two tables play by the same rules (how dice are dealt and what is hidden is not compared)"
        stopped = "stopped after" if self.why == "stopped" else "tried"
        games = f"{self.playouts:,} random {'game' if self.playouts == 1 else 'games'} in step"
        small = {0: "positions", 1: "positions, all of one piece among them"}.get(
            self.pieces, f"positions, all of up to {self.pieces} pieces among them"
        )
        rolls = "every roll" if self.depth == 1 else f"up to {self.depth} rolls"
        return f"{stopped} {self.positions:,} {small}, {rolls} from each with every move, and {games} (seed {self.seed})"


def tell_apart(a: Engine, b: Engine, *, budget: int = BUDGET, seed: int = 0, progress: Progress = lambda done, total: None) -> Told | Bound:
    """The shortest game by set position that tells two engines apart, or how far the search went.

    The position is legal under both rule books. Shortest: fewest rolls, then fewest moves, then fewest pieces out of the yard
    and fewest fields. `budget` is the number of positions tried at most. A `KeyboardInterrupt` ends the search with its bound.
    """
    if not same_setting(a.table, b.table):
        return Told(None, 0, (), unlike_settings(a, b))
    if same_rules(a.table, b.table):
        return Bound(0, 0, 0, 0, seed, "same rules")
    return _Search(Pair(a, b), budget, seed, progress).run()


def tell_from_opening(
    a: Engine,
    b: Engine,
    *,
    budget: int = BUDGET,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
    toward: Told | None = None,
) -> Told | Bound:
    """The shortest game from the opening that tells two engines apart, or how far the search went.

    Every roll and move is legal under the first rule book, and up to the difference under both. First all games of few rolls
    are tried, then games that make for a position in which a difference shows (`toward`, or one that is looked for), then
    random ones. A `KeyboardInterrupt` ends the search with its bound.
    """
    if not same_setting(a.table, b.table):
        return Told(None, 0, (), unlike_settings(a, b))
    if same_rules(a.table, b.table):
        return Bound(0, 0, 0, 0, seed, "same rules")
    pair = Pair(a, b)
    opening = Opening(pair, budget, seed, lambda done: progress(min(done, budget), budget))
    why: Literal["searched", "stopped"] = "searched"
    try:
        found = opening.all_short(budget // 4)
        if found is None:
            if toward is None:
                aim = tell_apart(a, b, budget=budget // 4, seed=seed)
                toward = aim if isinstance(aim, Told) else None
            found = opening.toward(toward) if toward is not None and toward.position is not None else None
            found = found or opening.random_games()
        if found is not None:
            return shortened(pair, found)
    except KeyboardInterrupt:
        why = "stopped"
    return Bound(0, pair.tried, opening.depth, opening.playouts, seed, why)


class _Search:
    """The search by set position."""

    def __init__(self, pair: Pair, budget: int, seed: int, progress: Progress) -> None:
        self.pair = pair
        self.budget = budget
        self.seed = seed
        self.progress = progress
        table = pair.a.table
        self.leads: Leads = leads(table, pair.b.table)
        memory = pair.eyes.memories
        # A round ends with the last seat; everywhere else one player to move is like another.
        last = [len(table.players) - 1] if memory[0].rounds or memory[1].rounds else []
        self.makers = [Positions(table, player, self.leads, seed) for player in dict.fromkeys([0, *last])]
        self.settings = [settings_of(table, pair.b.table, pair.eyes, maker.player, self.leads) for maker in self.makers]
        self.pieces = 0
        self.playouts = 0
        self.depth = 1

    def run(self) -> Told | Bound:
        why: Literal["searched", "stopped"] = "searched"
        try:
            for found in self._tried():
                self.progress(min(self.pair.spent, self.budget), self.budget)
                if found is not None:
                    return shrunk(self.pair, found)
        except KeyboardInterrupt:
            why = "stopped"
        return Bound(self.pieces, self.pair.tried, self.depth, self.playouts, self.seed, why)

    def _tried(self) -> Iterator[Told | None]:
        """What each attempt comes to, the likeliest first."""
        quick = ((self._quick, 0.05),) if self.pair.a.table.book.dice.count > 1 else ()
        usual = ((self._likely, 0.3), (self._deeper, 0.5), (self._small, 0.65), (self._crowds, 0.85), (self._playouts, 1.0))
        for stage, share in (*quick, *usual):
            until = int(self.budget * share)
            for found in stage():
                yield found
                if self.pair.spent >= until:
                    break

    # ---- stages ------------------------------------------------------------------------------------------------------

    def _quick(self) -> Iterator[Told | None]:
        """Likely placings with a few rolls each, where several dice make many."""
        rng = random.Random(f"{self.seed}/quick")
        for maker, (hot, _), placing in self._placings():
            for setting in ((), *rng.sample(hot, min(2, len(hot)))):
                text = maker.text(placing, setting)
                yield None if text is None else self.pair.look(text, 1, rng.sample(self.pair.rolls, 3))

    def _likely(self) -> Iterator[Told | None]:
        """Likely placings as they are and with each setting that the leads name; the other settings take turns."""
        rng = random.Random(f"{self.seed}/settings")
        for maker, (hot, cold), placing in self._placings():
            for setting in ((), *hot, *rng.sample(cold, min(1, len(cold)))):
                for marks in maker.marked(placing):
                    yield self._look(maker.text(placing, setting, marks), 1)

    def _deeper(self) -> Iterator[Told | None]:
        """Likely placings once more, two rolls deep."""
        self.depth = DEPTH
        for maker, (hot, _), placing in self._placings():
            for setting in ((), *hot[:2]):
                yield self._look(maker.text(placing, setting), DEPTH)

    def _placings(self) -> Iterator[tuple[Positions, tuple[list[Setting], list[Setting]], Placing]]:
        streams = [(maker, settings, maker.likely()) for maker, settings in zip(self.makers, self.settings, strict=True)]
        while streams:
            for entry in list(streams):
                placing = next(entry[2], None)
                if placing is None:
                    streams.remove(entry)
                else:
                    yield entry[0], entry[1], placing

    def _small(self) -> Iterator[Told | None]:
        """Every placing of one piece under every setting, then every placing of two."""
        maker, (hot, cold) = self.makers[0], self.settings[0]
        for placing in maker.all_small():
            alone = len(placing) == 1
            self.pieces = max(self.pieces, len(placing) - 1)
            for setting in ((), *hot, *cold) if alone else ((),):
                yield self._look(maker.text(placing, setting), 1)
        self.pieces = 2

    def _crowds(self) -> Iterator[Told | None]:
        """Random crowds with random settings."""
        rng = random.Random(f"{self.seed}/crowded")
        streams = [maker.crowds() for maker in self.makers]
        while True:
            for maker, (hot, cold), stream in zip(self.makers, self.settings, streams, strict=True):
                placing = next(stream)
                yield self._look(maker.text(placing, _mixed(rng, hot, cold), rng.choice(maker.marked(placing))), 1)

    def _look(self, text: str | None, depth: int) -> Told | None:
        return None if text is None else self.pair.look(text, depth)

    def _playouts(self) -> Iterator[Told | None]:
        """Random games in step, from the opening or a crowd; a difference is cut to its last position."""
        rng = random.Random(f"{self.seed}/playouts")
        crowds = self.makers[0].crowds()
        while True:
            self.playouts += 1
            if self.playouts % 2:
                begun = Told(None, rng.randrange(len(self.pair.a.table.players)), (), _NONE)
            else:
                text = self.makers[0].text(next(crowds))
                begun = Told(text, 0, (), _NONE)
            found = played(self.pair, begun, rng, LONGEST)
            yield None if found is None else _placed(self.pair, found)


_NONE = Difference("state", "", "")


def _mixed(rng: random.Random, hot: list[Setting], cold: list[Setting]) -> Setting:
    """No setting, or up to three of them that do not speak of the same field."""
    found: dict[str, str] = {}
    for settings, chance in ((hot, 0.6), (hot, 0.3), (cold, 0.3)):
        if settings and rng.random() < chance:
            setting = dict(rng.choice(settings))
            if found.keys().isdisjoint(setting):
                found |= setting
    return tuple(found.items())


def played(pair: Pair, begun: Told, rng: random.Random, longest: int) -> Told | None:
    """A random game in step from a beginning until something differs; none where nothing does within so many rolls."""
    at = pair.begin(begun)
    if at is None:
        return None
    if isinstance(at, Difference):
        return Told(begun.position, begun.first, (), at)
    steps: list[Step] = []
    for step, result in islice(random_steps(pair, at, rng), 3 * longest):
        steps.append(step)
        pair.count_rolls(isinstance(step, tuple))
        if isinstance(result, Difference):
            return Told(begun.position, begun.first, tuple(steps), result)
    return None


def _placed(pair: Pair, told: Told) -> Told | None:
    """The end of a game as a game by set position, as short as the positions reached in it allow."""
    at = pair.begin(told)
    beginnings: list[tuple[Both, int]] = []
    for number, step in enumerate(told.steps):
        if not isinstance(at, Both):
            break
        if isinstance(step, tuple):
            beginnings.append((at, number))
        at = pair.step(at, step)
    for both, number in reversed(beginnings):
        for text in pair.texts(both):
            found = pair.follow(Told(text, 0, (), told.difference), told.steps[number:])
            if found is not None:
                return found
    return None


__all__ = [
    "BUDGET",
    "DEPTH",
    "Bound",
    "Difference",
    "Progress",
    "Told",
    "scenario_of",
    "scenario_yaml",
    "tell_apart",
    "tell_from_opening",
]
