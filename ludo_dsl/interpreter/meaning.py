"""What expressions mean: each becomes a function of a scene, once for a table.

Expressions themselves are closed data; these functions are the interpreter's own and are never part of the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import (
    TRUTH_FACTS,
    And,
    Cases,
    Compare,
    CounterId,
    CounterOf,
    DieIn,
    DieIs,
    Every,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    Or,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
    Truth,
)
from ludo_dsl.rules.folding import COMPARISONS

Condition = Callable[[Scene], bool]
Value = Callable[[Scene], int]


def counter_slot(ground: Ground, counter: CounterId) -> int:
    """The place of a counter in a state's `counters`."""
    return next(i for i, c in enumerate(ground.table.counters) if c.id == counter)


class Meanings:
    """Turns the expressions of one table into functions of a scene."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    # ---- conditions --------------------------------------------------------------------------------------------------

    def condition(self, expr: Expr) -> Condition:
        """Whether the expression holds."""
        match expr:
            case Truth(holds):
                return lambda s: holds
            case And(parts):
                return self._all(tuple(self.condition(p) for p in parts))
            case Or(parts):
                return self._any(tuple(self.condition(p) for p in parts))
            case Not(part):
                inner = self.condition(part)
                return lambda s: not inner(s)
            case Compare(op, left, right):
                return self._compare(op, left, right)
            case SquareIs(subject, Squares(names)):
                return self._square_is(subject, names)
            case DieIs(name):
                return lambda s: s.die == name
            case DieIn(Faces(frozenset() as faces)):
                return lambda s: s.face in faces
            case EveryDie(op, value):
                holds_for = COMPARISONS[op]
                return lambda s: bool(s.rolled) and all(holds_for(face, value) for face in s.rolled[-1])
            case RolledTimes(face, times, in_a_row):
                return self._rolled(face, times, in_a_row)
            case Every(nouns):
                return self._every(nouns)
            case FactOf(fact) if fact in TRUTH_FACTS:
                return _TRUTHS[fact]
            case _:
                amount = self.value(expr)
                return lambda s: amount(s) >= 1

    @staticmethod
    def _all(parts: tuple[Condition, ...]) -> Condition:
        if len(parts) == 2:
            first, second = parts
            return lambda s: first(s) and second(s)
        return lambda s: all(p(s) for p in parts)

    @staticmethod
    def _any(parts: tuple[Condition, ...]) -> Condition:
        if len(parts) == 2:
            first, second = parts
            return lambda s: first(s) or second(s)
        return lambda s: any(p(s) for p in parts)

    def _compare(self, op: str, left: Expr, right: Expr) -> Condition:
        compare = COMPARISONS[op]
        if isinstance(right, Number):
            measured, number = self.value(left), right.value
            match op:
                case "=":
                    return lambda s: measured(s) == number
                case ">=":
                    return lambda s: measured(s) >= number
            return lambda s: compare(measured(s), number)
        a, b = self.value(left), self.value(right)
        return lambda s: compare(a(s), b(s))

    def _square_is(self, subject: str, names: frozenset[str]) -> Condition:
        is_kind = self.ground.square_is
        if subject == "from":
            return lambda s: is_kind(s.origin_square, s.colour, names)
        return lambda s: is_kind(s.here, s.colour, names)

    def _case_value(self, cases: tuple[tuple[Expr, Expr], ...], otherwise: Expr) -> Value:
        ready = tuple((self.value(value), self.condition(when)) for value, when in cases)
        last = self.value(otherwise)

        def value_of(s: Scene) -> int:
            return next((value for value, when in ready if when(s)), last)(s)

        return value_of

    @staticmethod
    def _rolled(face: int, times: int, in_a_row: bool) -> Condition:
        if in_a_row:
            return lambda s: len(s.rolled) >= times and all(all(f == face for f in roll) for roll in s.rolled[-times:])
        return lambda s: sum(all(f == face for f in roll) for roll in s.rolled) >= times

    def _every(self, nouns: Nouns) -> Condition:
        count = self.count(nouns)
        everyone = self.count(Nouns(nouns.owner))
        return lambda s: count(s) == everyone(s)

    # ---- numbers -----------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Value:
        """The number that the expression stands for; a condition counts 1 where it holds and 0 where not."""
        match expr:
            case Number(number):
                return lambda s: number
            case Sum(terms):
                parts = tuple((sign, self.value(term)) for sign, term in terms)
                return lambda s: sum(sign * part(s) for sign, part in parts)
            case Product(factors):
                return self._product(tuple(self.value(f) for f in factors))
            case FactOf(fact) if fact not in TRUTH_FACTS:
                return _FACTS[fact](self.ground)
            case CounterOf(counter):
                return self._counter(counter)
            case Highest(counter, nouns):
                return self._highest(counter, nouns)
            case Measure(quantity, nouns):
                return self._measure(quantity, nouns)
            case Cases(cases, otherwise) if otherwise is not None:
                return self._case_value(cases, otherwise)
            case _:
                holds = self.condition(expr)
                return lambda s: int(holds(s))

    @staticmethod
    def _product(factors: tuple[Value, ...]) -> Value:
        def product(s: Scene) -> int:
            result = 1
            for factor in factors:
                result *= factor(s)
            return result

        return product

    def _counter(self, counter: CounterId) -> Value:
        slot = counter_slot(self.ground, counter)
        scope = self.ground.table.counters[slot].scope
        if scope == {"piece"}:
            at = self.ground.piece_counters.index(counter)
            return lambda s: s.marks[s.colour][s.index][at] if s.index >= 0 else 0
        if scope == {"game"}:
            return lambda s: s.counters[slot]  # type: ignore[return-value]
        if scope == {"side"}:
            sides = self.ground.side_of
            return lambda s: s.counters[slot][sides[s.player]]  # type: ignore[index, return-value]
        if "square" in scope:
            return lambda s: dict(s.counters[slot][s.player]).get(s.here, 0)  # type: ignore[index, arg-type]
        return lambda s: s.counters[slot][s.player]  # type: ignore[index, return-value]

    def _highest(self, counter: CounterId, nouns: Nouns) -> Value:
        at = self.ground.piece_counters.index(counter)
        select = self.ground.selector(nouns)

        def highest(s: Scene) -> int:
            return max((s.marks[c][i][at] for c, i in select(s)), default=0)

        return highest

    def count(self, nouns: Nouns) -> Value:
        """How many pieces there are of a choice."""
        return self.ground.counter(nouns)

    def _measure(self, quantity: Quantity, nouns: Nouns) -> Value:
        select = self.ground.selector(nouns)
        routes = self.ground.table.routes
        match quantity:
            case Quantity.COUNT:
                return self.count(nouns)
            case Quantity.MOVABLE:
                return lambda s: sum((c, s.pieces[c][i]) in self.ground.movable(s) for c, i in select(s))
            case Quantity.STUCK:
                return lambda s: sum((c, s.pieces[c][i]) not in self.ground.movable(s) for c, i in select(s))
            case Quantity.GROUPS:
                return lambda s: len({(c, s.pieces[c][i]) for c, i in select(s)} & self.ground.movable(s))
            case Quantity.TRAVELLED:
                return lambda s: sum(routes[c].travelled[s.pieces[c][i]] for c, i in select(s))
            case Quantity.REMAINING:
                return lambda s: sum(routes[c].remaining[s.pieces[c][i]] for c, i in select(s))
            case Quantity.NEAREST:
                return lambda s: min(
                    (routes[c].remaining[s.pieces[c][i]] for c, i in select(s) if not routes[c].is_home(s.pieces[c][i])), default=0
                )


_TRUTHS: dict[Fact, Condition] = {
    Fact.ENTERED: lambda s: s.act_entered,
    Fact.RETREATING: lambda s: s.act_retreats,
    Fact.UNTOUCHED: lambda s: s.untouched(),
    Fact.CAME_HOME: lambda s: s.came_home,
    Fact.SENT_BACK: lambda s: s.sent_back,
}

_FACTS: dict[Fact, Callable[[Ground], Value]] = {
    Fact.CAPTURED: lambda g: lambda s: s.captured,
    Fact.WALKED: lambda g: lambda s: s.walked,
    Fact.STEPS_LEFT: lambda g: lambda s: g.routes[s.colour].remaining[s.pieces[s.colour][s.index]] if s.index >= 0 else 0,
    Fact.TURN_ROLLS: lambda g: lambda s: len(s.rolled),
    Fact.OWED: lambda g: lambda s: s.owed + s.due,
    Fact.ROUND: lambda g: lambda s: s.round,
    Fact.SCORE: lambda g: lambda s: s.scores[s.player],
    Fact.CAPTURES: lambda g: lambda s: s.captures[s.player],
    Fact.PLAYERS: lambda g: lambda s: len(g.table.players),
    Fact.PLAYERS_LEFT: lambda g: lambda s: len(g.table.players) - len(s.retired),
    Fact.DIE: lambda g: lambda s: s.face,
}
