"""What an engine shows of a game, and where two engines show something else: the eyes of the search for differences.

A state is compared by what decides the game before everybody's eyes. What only one of two rule books remembers (rolls of the
turn, captures, the round …) is no difference: when it matters, the game itself comes to differ later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from ludo_dsl.game.engine import Engine
from ludo_dsl.game.notation import move_text, once_names, position_text
from ludo_dsl.game.state import Choice, Move, State
from ludo_dsl.interpreter.freezing import Memory, parts
from ludo_dsl.rules.expressions import CounterOf, Highest
from ludo_dsl.rules.table import Table, per_piece

Kind = Literal["legal", "state", "refused-roll", "over", "places"]
"""What differs: the legal moves, the state, a roll that one refuses, the end of the game, or the places."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What one engine shows and what the other shows instead, as texts."""

    kind: Kind
    a: str
    b: str


class Eyes:
    """Compares what two engines show, of tables with the same colours, players and numbers of pieces.

    Where the boards differ, places are compared as they are written.
    """

    def __init__(self, a: Engine, b: Engine) -> None:
        self.a, self.b = a, b
        self.memories = Memory(a.table), Memory(b.table)
        self._counters = _compared_counters(a.table, b.table)
        self._marks = _compared_marks(a.table, b.table)
        self._done = _compared_done(a.table, b.table)
        first, second = self.memories
        self._rolled = _trims(first) == _trims(second)
        self._order = first.retired and second.retired
        # Where both remember the same, equal states are equal in everything that is shown.
        self._same_routes = a.table.routes == b.table.routes
        self._alike = self._same_routes and a.table.counters == b.table.counters and once_names(a.table) == once_names(b.table)

    # ---- states ------------------------------------------------------------------------------------------------------

    def difference(self, a: State, b: State) -> Difference | None:
        """What the states show differently; nothing where an engine's user could not see it."""
        if (self._alike and a == b) or self._shown(0, a) == self._shown(1, b):
            return self._places(a, b) if a.over else None
        texts = position_text(self.a.table, a), position_text(self.b.table, b)
        return Difference("over" if a.over != b.over else "state", *texts)

    def unlike_at_first(self, a: State, b: State) -> Difference | None:
        """What a position shows differently as it is set up, before anything is rolled."""
        found = self.difference(a, b)
        # Who has finished is worked out in reading by each book's own rules; that it was not told is no difference of play.
        return None if found is not None and set(a.retired) != set(b.retired) else found

    def _shown(self, which: int, state: State) -> tuple[Hashable, ...]:
        """All that is compared of a state of one of the two engines, by position in a tuple."""
        first, second = self.memories
        table = (self.a.table, self.b.table)[which]
        retired = state.retired if self._order else () if state.over else tuple(sorted(state.retired))
        return (
            state.pieces
            if self._same_routes
            else tuple(tuple(self._place(table, c, p) for p in its) for c, its in enumerate(state.pieces)),
            state.turn,
            tuple(sorted(str(d) for d in state.pool)),
            # While dice are left, an engine may count the rolls that it owes later.
            0 if state.pool else state.owed,
            state.due,
            state.scores,
            state.over,
            retired,
            tuple(frozenset(self._done[which][i] for i in done if i in self._done[which]) for done in state.done),
            tuple(state.counters[i] for i in self._counters[which]),
            tuple(tuple(tuple(mark[i] for i in self._marks[which]) for mark in its) for its in state.marks) if self._marks[which] else (),
            state.rolled if self._rolled else (),
            state.captures if first.captures and second.captures else (),
            (state.round, state.first) if first.rounds and second.rounds else (),
            tuple((c, self._place(table, c, p)) for c, p in state.arrivals) if first.arrivals and second.arrivals else (),
            (state.last[0], self._place(table, *state.last)) if state.last and first.last and second.last else None,
        )

    def _place(self, table: Table, colour: int, place: int) -> Hashable:
        return place if self._same_routes else str(table.routes[colour].spots[place])

    def _places(self, a: State, b: State) -> Difference | None:
        places = self.a.places(a), self.b.places(b)
        return None if places[0] == places[1] else Difference("places", *(self._placed(p) for p in places))

    def _placed(self, places: Iterable[int]) -> str:
        return ", ".join(f"{player.name} {place}" for player, place in zip(self.a.table.players, places, strict=True))

    # ---- moves -------------------------------------------------------------------------------------------------------

    def choices(self, a: State, b: State) -> tuple[tuple[Choice, Choice], ...] | Difference:
        """The legal choices of both, side by side in the order of the first; or how the sets of them differ."""
        mine, theirs = self.a.legal(a), self.b.legal(b)
        if mine == theirs and self._same_routes:
            return tuple(zip(mine, theirs, strict=True))
        keys = {self._key(self.b.table, c): c for c in theirs}
        its = {self._key(self.a.table, c): c for c in mine}
        if its.keys() != keys.keys():
            return Difference("legal", listed(self.a.table, a, mine), listed(self.b.table, b, theirs))
        return tuple((c, keys[key]) for key, c in its.items())

    def _key(self, table: Table, choice: Choice) -> Hashable:
        if not isinstance(choice, Move):
            return "pass"
        mark = choice.mark if len(self._marks[0]) == len(self._marks[1]) == len(choice.mark) else ()
        ends = self._place(table, choice.colour, choice.origin), self._place(table, choice.colour, choice.to)
        return choice.colour, *ends, tuple(sorted(str(d) for d in choice.dice)), mark


def listed(table: Table, state: State, choices: Iterable[Choice]) -> str:
    """Legal moves as a sentence lists them."""
    return ", ".join(move_text(table, state, c) for c in choices) or "none"


# ---- what is compared ------------------------------------------------------------------------------------------------


def _trims(memory: Memory) -> tuple[object, ...]:
    """What decides how the rolls of a turn are cut down to what can still matter."""
    return memory.turn_rolls, memory.runs, memory.counts, memory.last_roll


def asked_counters(table: Table) -> frozenset[str]:
    """The counters whose value some rule at the table asks for."""
    found = (p for s in table.statements for p in parts(s) if isinstance(p, CounterOf | Highest))
    return frozenset(p.counter for p in found)


def _compared_counters(a: Table, b: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The indices, in each table, of the counters that rules of both tables ask for."""
    asked = asked_counters(a) & asked_counters(b)
    scopes = {c.id: c.scope for c in b.counters}
    names = [c.id for c in a.counters if c.id in asked and scopes.get(c.id) == c.scope and c.scope != {"piece"}]
    return tuple([c.id for c in a.counters].index(n) for n in names), tuple([c.id for c in b.counters].index(n) for n in names)


def _compared_marks(a: Table, b: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    asked = asked_counters(a) & asked_counters(b)
    names = [c for c in per_piece(a) if c in asked and c in per_piece(b)]
    return tuple(per_piece(a).index(n) for n in names), tuple(per_piece(b).index(n) for n in names)


def _compared_done(a: Table, b: Table) -> tuple[dict[int, str], dict[int, str]]:
    both = set(once_names(a)) & set(once_names(b))
    first, second = ({i: name for i, name in enumerate(once_names(t)) if name in both} for t in (a, b))
    return first, second
