"""Reads the scenario files and plays them on an engine: expected values there are worked out from the rule texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.game.errors import IllegalRollError, NotationError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import data_root
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import make_table

FOLDER = data_root() / "conformance" / "scenarios"


class _Words(yaml.SafeLoader):
    """YAML 1.2 in what matters here: `on`, `off`, `yes` and `no` are words, not truth values."""


_Words.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class Scenario:
    """One scenario file entry."""

    file: Path
    id: str
    variant: str
    players: int
    clauses: tuple[str, ...]
    steps: tuple[dict[str, Any], ...]
    given: str | None
    first: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    readings: dict[str, Any] = field(default_factory=dict)


@cache
def book(variant: str) -> Book:
    """The checked rule book of a variant."""
    return check_file(locate(variant)).book


def all_scenarios() -> list[Scenario]:
    """Every scenario of the suite, in the order of files."""
    found = []
    for path in sorted(FOLDER.glob("*/*.yaml")):
        for item in yaml.load(path.read_text(encoding="utf-8"), Loader=_Words):
            found.append(
                Scenario(
                    file=path,
                    id=item["id"],
                    variant=item["variant"],
                    players=item["players"],
                    clauses=tuple(item["clauses"]),
                    steps=tuple(item["steps"]),
                    given=item.get("given"),
                    first=item.get("first"),
                    options=item.get("options", {}),
                    readings=item.get("readings", {}),
                )
            )
    return found


class Player:
    """Plays one scenario and says where it goes another way."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        table = make_table(book(scenario.variant), scenario.players, scenario.options, scenario.readings)
        self.engine = Interpreter(table)
        self.table = table
        self.rules: set[str] = set()

    def text(self, state: State) -> str:
        return position_text(self.table, state)

    def read(self, text: str) -> State:
        """A position, which must also survive being written and read again."""
        state = self.engine.read(text)
        again = self.engine.read(self.text(state))
        assert again == state, f"{self.text(state)} is read back as {self.text(again)}"
        return state

    def play(self) -> None:
        names = [p.name for p in self.table.players]
        first = names.index(self.scenario.first) if self.scenario.first else 0
        state = self.read(self.scenario.given) if self.scenario.given else self.engine.start(first)
        for step in self.scenario.steps:
            state = self._step(state, step)

    def _step(self, state: State, step: dict[str, Any]) -> State:
        if "refuse-roll" in step:
            self._refuse_roll(state, step["refuse-roll"])
            return state
        if "roll" in step:
            state = self._roll(state, step["roll"])
        if "refuse" in step:
            self._refuse(state, step["refuse"])
        if "move" in step:
            choice = read_move(self.table, state, step["move"], self.engine.legal(state))
            taken = self.engine.move(state, choice)
            self.rules |= set(taken.rules())
            state = taken.state
        if "legal" in step:
            self._legal(state, step["legal"])
        if "then" in step:
            wanted = self.read(step["then"])
            assert state == wanted, f"expected {self.text(wanted)}\n     got {self.text(state)}"
        if "places" in step:
            places = dict(zip([p.name for p in self.table.players], self.engine.places(state), strict=True))
            assert state.over, f"the game is not over: {self.text(state)}"
            assert places == step["places"]
        return state

    def _roll(self, state: State, value: Any) -> State:
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
        faces = [int(word) for word in words]
        count = self.table.book.dice.count
        for i in range(0, len(faces), count):
            taken = self.engine.roll(state, tuple(faces[i : i + count]))
            self.rules |= set(taken.rules())
            state = taken.state
        return state

    def _refuse_roll(self, state: State, value: Any) -> None:
        try:
            self._roll(state, value)
        except IllegalRollError:
            return
        raise AssertionError(f"the roll {value} is allowed")

    def _refuse(self, state: State, text: str) -> None:
        try:
            choice = read_move(self.table, state, text, self.engine.legal(state))
        except NotationError:
            return
        raise AssertionError(f"{text} is allowed, as {choice}")

    def _legal(self, state: State, wanted: list[object]) -> None:
        choices = self.engine.legal(state)
        found = {read_move(self.table, state, str(text), choices) for text in wanted}
        missing = [move_text(self.table, state, c) for c in choices if c not in found]
        assert not missing, f"also legal: {missing}"
        assert len(found) == len(wanted)
