"""From a scene back to a position: in one order, and without what no rule can see any more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from ludo_dsl.game.state import CounterValue, Die, Roll, State
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import EveryDie, Fact, RolledTimes
from ludo_dsl.rules.statements import Order, Send, Target, Trigger
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD


def parts(value: object) -> Iterable[object]:
    """A statement or expression and everything in it."""
    yield value
    if isinstance(value, tuple):
        for item in value:
            yield from parts(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from parts(getattr(value, field.name))


class Memory:
    """What the rules in force can ask about, and a position therefore has to remember.

    Of several tables, what the rules of any of them ask about: positions of two rule books can be compared where both remember as much.
    """

    def __init__(self, *tables: Table) -> None:
        found = [p for table in tables for s in table.statements for p in parts(s)]
        found += [p for table in tables for c in table.counters for p in parts(c.visibility)]
        facts = {p for p in found if isinstance(p, Fact)}
        rolled = [p for p in found if isinstance(p, RolledTimes)]
        self.turn_rolls = Fact.TURN_ROLLS in facts
        self.captures = Fact.CAPTURES in facts
        self.rounds = Fact.ROUND in facts or any(p is Trigger.ROUND_ENDS for p in found)
        self.runs = frozenset(r.face for r in rolled if r.in_a_row)
        self.counts = frozenset(r.face for r in rolled if not r.in_a_row)
        self.retired = any(p is Order.FIRST_RETIRED for p in found)
        sends = [p for p in found if isinstance(p, Send)]
        self.arrivals = any(s.target is Target.LAST for s in sends)
        self.last = any(s.target is Target.LAST_MOVED for s in sends)
        self.last_roll = any(isinstance(p, EveryDie) for p in found)

    def tells(self, what: str) -> bool:
        """Whether positions hold this part of the memory."""
        return {
            "round": self.rounds,
            "first": self.rounds,
            "captures": self.captures,
            "order": self.arrivals,
            "last": self.last,
        }[what]


class Freezing:
    """Makes the positions of one table."""

    def __init__(self, ground: Ground, memory: Memory) -> None:
        self.ground = ground
        self.memory = memory
        self._no_captures = (0,) * len(ground.table.players)

    def opening(self, first: int) -> State:
        """The position before the first turn begins."""
        table = self.ground.table
        in_yard, on_start = table.setup
        pieces = tuple(tuple([YARD] * in_yard + [route.start] * on_start) for route in table.routes)
        players = len(table.players)
        carried = len(self.ground.piece_counters)
        marks = tuple(((0,) * carried,) * table.pieces for _ in table.colours) if carried else ()
        return State(
            pieces=pieces,
            turn=first,
            scores=(0,) * players,
            captures=(0,) * players,
            counters=tuple(self._empty(c.scope) for c in table.counters),
            done=(frozenset(),) * players,
            first=first if self.memory.rounds else 0,
            marks=marks,
        )

    def _empty(self, scope: frozenset[str]) -> CounterValue:
        if scope <= {"game", "piece"}:
            return 0
        if scope == {"side"}:
            return (0,) * len(self.ground.table.sides)
        if "square" in scope:
            return ((),) * len(self.ground.table.players)
        return (0,) * len(self.ground.table.players)

    def freeze(self, scene: Scene) -> State:
        """The position of a scene."""
        pieces, marks = (scene.unmoved, ()) if scene.unmoved is not None and not scene.marks else self._sorted(scene)
        memory = self.memory
        rolled = scene.rolled
        if rolled:
            rolled = () if scene.over else self.seen(rolled, scene.pool)
        return State(
            pieces,
            0 if scene.over else scene.turn,
            scene.pool,
            rolled,
            scene.owed,
            scene.due,
            scene.scores,
            scene.captures if memory.captures else self._no_captures,
            scene.counters,
            scene.done,
            scene.retired if memory.retired or not scene.retired else self._retired(scene),
            scene.round if memory.rounds else 1,
            scene.first if memory.rounds else 0,
            marks,
            self._arrivals(scene) if memory.arrivals else (),
            scene.last if memory.last and not scene.over else None,
            scene.over,
        )

    def _sorted(self, scene: Scene) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[tuple[int, ...], ...], ...]]:
        if scene.unmoved is not None:
            return scene.unmoved, tuple(scene.marks)  # type: ignore[arg-type]
        if not scene.marks:
            return tuple([p if isinstance(p, tuple) else tuple(sorted(p)) for p in scene.pieces]), ()
        pairs = [sorted(zip(p, m, strict=True)) for p, m in zip(scene.pieces, scene.marks, strict=True)]
        return tuple(tuple(p for p, _ in pair) for pair in pairs), tuple(tuple(m for _, m in pair) for pair in pairs)

    @staticmethod
    def _retired(scene: Scene) -> tuple[int, ...]:
        """The players who have retired, where the order in which they did decides nothing."""
        return () if scene.over else tuple(sorted(scene.retired))

    def seen(self, rolled: tuple[Roll, ...], pool: tuple[Die, ...]) -> tuple[Roll, ...]:
        """The rolls of the turn that a rule can still see, and those that dice of the pool come from."""
        memory = self.memory
        from_pool = len(rolled) == 1 and bool(pool) and isinstance(pool[0], int)
        if not rolled or from_pool or memory.turn_rolls or (memory.runs and memory.counts):
            return rolled
        source = _source(rolled, pool, memory.last_roll) if pool or memory.last_roll else len(rolled)
        if memory.runs:
            kept = len(rolled)
            while kept and all(face in memory.runs for face in rolled[kept - 1]):
                kept -= 1
            return rolled[min(kept, source) :]
        return (*(roll for roll in rolled[:source] if all(face in memory.counts for face in roll)), *rolled[source:])

    def _arrivals(self, scene: Scene) -> tuple[tuple[int, int], ...]:
        """The order of arrival, square by square, for those that hold pieces of several colours."""
        if not self.memory.arrivals:
            return ()
        routes = self.ground.routes
        standing: dict[int, list[tuple[int, int]]] = {}
        for colour, places in enumerate(scene.pieces):
            for place in sorted(places):
                square = routes[colour].squares[place]
                if square is not None:
                    standing.setdefault(square, []).append((colour, place))
        found: list[tuple[int, int]] = []
        for _, there in sorted(standing.items()):
            if len({colour for colour, _ in there}) > 1:
                known = [arrival for arrival in scene.arrivals if arrival in there]
                # Pieces of one colour alone leave no order: whoever is not known stood there before the others came.
                for arrival in known:
                    there.remove(arrival)
                found += [*there, *known]
        return tuple(found)


def _source(rolled: tuple[Roll, ...], pool: tuple[Die, ...], last: bool) -> int:
    """The index of the latest roll from which on the rolls show all rolled dice of the pool; the number of rolls for none.

    `last`: a rule can ask about the last roll as long as the pool holds anything.
    """
    missing = [die for die in pool if isinstance(die, int)]
    at = len(rolled)
    while at and (missing or (last and pool and at == len(rolled))):
        at -= 1
        for face in rolled[at]:
            if face in missing:
                missing.remove(face)
    return at
