"""What happens in a scenario, step by step, as the sample engine plays it: where a rule is at stake, and where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, Step
from tests.conformance.wrong.sample import sample

OPTIONS = {"capture-first": "off", "capture-roll": "on", "one-leaves": "off"}


@dataclass(frozen=True)
class Moment:
    """One step.

    `kind` is `begin`, `roll`, `move`, `tried` (and refused) or `places`. `at` is the game in which it happens, the die that was
    just rolled in it; `after` the game then. `way` is where a move leads from and to, `text` what was tried.
    """

    kind: str
    at: Any
    after: Any
    way: tuple[int, int] = (-2, -2)
    text: str = ""

    @property
    def own(self) -> list[int]:
        """Where the tokens of the player are."""
        return [] if self.at.turn == "over" else list(self.at.tokens[self.at.turn])

    @property
    def die(self) -> int:
        """The die of a roll or a move."""
        return int(self.at.die)

    @property
    def ways(self) -> list[tuple[int, int]]:
        """The legal moves with this die."""
        return list(self.at.moves().values())

    @property
    def third_six(self) -> bool:
        """Whether a third six in a row has just been rolled."""
        return bool(self.kind == "roll" and self.die == 6 and self.at.sixes == 2)

    def on(self, option: str) -> bool:
        """Whether an option is on."""
        return bool(self.at.options[option] == "on")

    @property
    def others(self) -> list[tuple[str, int]]:
        """The colours and places of the tokens of all opponents."""
        return [(colour, place) for colour, tokens in self.at.tokens.items() if colour != self.at.turn for place in tokens]

    def foes(self, place: int) -> int:
        """How many opponents stand on the square of a place of the player."""
        square = sample().ring_square(self.at.turn, place)
        return sum(square is not None and sample().ring_square(colour, p) == square for colour, p in self.others)

    def safe(self, place: int) -> bool:
        """Whether a place of the player is a safe square."""
        return sample().ring_square(self.at.turn, place) in sample().SAFE

    def hits(self, way: tuple[int, int]) -> int:
        """How many opponents a move captures."""
        return 0 if self.safe(way[1]) else self.foes(way[1])

    @property
    def captured(self) -> int:
        """How many opponents this move captures."""
        return self.hits(self.way) if self.kind == "move" else 0


def moments(scenario: Scenario) -> list[Moment]:
    """Everything that happens in the branches of a scenario, so far as the default readings lead."""
    return [m for branch in scenario.branches for m in _of(scenario, branch)]


def _of(scenario: Scenario, branch: Branch) -> Iterator[Moment]:
    engine = sample().Engine()
    options = " ".join(f"{name}={value}" for name, value in (OPTIONS | dict(scenario.options)).items())
    told: dict[str, object] = {"op": "new", "variant": "amarnepal", "seats": scenario.players, "options": options}
    assert engine.answer(told)["op"] == "new"
    if scenario.given is not None:
        assert engine.answer({"op": "set", "position": scenario.given})["op"] == "set"
    yield Moment("begin", deepcopy(engine.game), deepcopy(engine.game))
    for step in branch.steps:
        moment = _step(engine, step)
        if moment is None:
            return
        yield moment
        if step.places is not None:
            yield Moment("places", moment.after, moment.after)


def _step(engine: Any, step: Step) -> Moment | None:
    """One step; none where the default readings do not allow it."""
    at = deepcopy(engine.game)
    if step.roll is not None:
        at.die = step.roll[0]
        answer = engine.answer({"op": "roll", "values": str(step.roll[0])})
        return Moment("roll", at, deepcopy(engine.game)) if answer["op"] == "roll" else None
    if step.move is not None:
        way = at.moves().get(step.move)
        answer = engine.answer({"op": "move", "move": step.move})
        return Moment("move", at, deepcopy(engine.game), way or (-2, -2)) if answer["op"] == "move" else None
    return Moment("tried", at, at, text=step.refuse or "")


@cache
def _remembered(scenario: Scenario) -> tuple[Moment, ...]:
    return tuple(moments(scenario))


def at_stake(scenario: Scenario, where: Callable[[Moment], object]) -> bool:
    """Whether a situation arises anywhere in a scenario."""
    return any(where(m) for m in _remembered(scenario))
