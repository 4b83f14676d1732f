"""What a player sees: everything but the hidden counters of rivals."""

from __future__ import annotations

from ludo_dsl.game.state import CounterValue, State
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Condition, Meanings
from ludo_dsl.interpreter.scene import Scene


class Viewing:
    """The views of one table."""

    def __init__(self, ground: Ground, meanings: Meanings) -> None:
        self.ground = ground
        self._hidden: tuple[tuple[int, str, Condition, Condition], ...] = tuple(
            (slot, v.how, meanings.condition(v.condition), meanings.condition(v.until))
            for slot, counter in enumerate(ground.table.counters)
            for v in counter.visibility
        )

    def hidden(self, state: State, viewer: int) -> tuple[tuple[str, int, str], ...]:
        """The counters whose value a player does not see: counter, owner, and whether it is hidden or secret."""
        scene = Scene(state)
        found = []
        for slot, how, condition, until in self._hidden:
            for owner in range(len(self.ground.table.players)):
                if self.ground.side_of[owner] == self.ground.side_of[viewer]:
                    continue
                scene.player = owner
                if condition(scene) and not until(scene):
                    found.append((self.ground.table.counters[slot].id, owner, how))
        return tuple(found)

    def view(self, state: State, viewer: int) -> State:
        """The position with hidden values of rivals put to nothing."""
        if not self._hidden:
            return state
        counters = list(state.counters)
        marks = state.marks
        for name, owner, _ in self.hidden(state, viewer):
            slot = next(i for i, c in enumerate(self.ground.table.counters) if c.id == name)
            scope = self.ground.table.counters[slot].scope
            if scope == {"piece"}:
                marks = self._without_marks(marks, owner, self.ground.piece_counters.index(self.ground.table.counters[slot].id))
            elif scope != {"game"}:
                counters[slot] = _without(counters[slot], self.ground.side_of[owner] if scope == {"side"} else owner)
        return state._replace(counters=tuple(counters), marks=marks)

    def _without_marks(
        self, marks: tuple[tuple[tuple[int, ...], ...], ...], owner: int, at: int
    ) -> tuple[tuple[tuple[int, ...], ...], ...]:
        own = self.ground.table.players[owner].colours

        def bare(mark: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(0 if i == at else v for i, v in enumerate(mark))

        return tuple(tuple(bare(m) for m in of_colour) if c in own else of_colour for c, of_colour in enumerate(marks))


def _without(value: CounterValue, owner: int) -> CounterValue:
    assert not isinstance(value, int)
    empty: object = () if any(isinstance(v, tuple) for v in value) else 0
    return tuple(empty if i == owner else v for i, v in enumerate(value))  # type: ignore[return-value]
