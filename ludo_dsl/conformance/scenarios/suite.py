"""Scenarios as frozen values, and the suite: every scenario of a folder.

The form of the files is in `spec/language/scenarios.md` and `spec/schema/scenarios.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ludo_dsl.documents import Document, DocumentError, Kind, read_document
from ludo_dsl.resources import data_root

SCENARIOS = Kind("a file of scenarios", "scenarios", "spec/language/scenarios.md")

Choices = tuple[tuple[str, object], ...]
"""Options or readings with their values, in order of their names."""

Readings = tuple[tuple[str, tuple[str, ...]], ...]
"""Open questions with the readings (one or several) under which something holds, in order of their names."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: at most one thing that is done (`roll`, `refuse_roll`, `move`, `refuse`), and what is then expected.

    `legal` is the whole set of legal moves; `then` a whole position; `places` the place of each player, from 1.
    """

    where: str
    roll: tuple[int, ...] | None = None
    refuse_roll: tuple[int, ...] | None = None
    move: str | None = None
    refuse: str | None = None
    legal: tuple[str, ...] | None = None
    then: str | None = None
    places: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A scenario under one of the readings that it names: its steps in a row."""

    readings: Readings
    steps: tuple[Step, ...]

    @property
    def label(self) -> str:
        """The readings as text: `sixes=in-turn`; empty where none is named."""
        return readings_text(self.readings)

    @property
    def chosen(self) -> dict[str, object]:
        """The readings under which the branch is played: the first that holds, for each question."""
        return {name: values[0] for name, values in self.readings}


@dataclass(frozen=True)
class Scenario:
    """One scenario: a table, a position or the opening, and one branch or, where a clause is open, several."""

    id: str
    title: str
    variant: str
    players: int
    options: Choices
    clauses: tuple[str, ...]
    given: str | None
    first: str | None
    branches: tuple[Branch, ...]
    file: str = field(compare=False, default="")
    line: int = field(compare=False, default=0)

    @property
    def area(self) -> str:
        """The rule area: the second part of the id."""
        return self.id.split("/")[1]

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.file else self.id

    @cached_property
    def questions(self) -> frozenset[str]:
        """The open questions whose readings decide what the scenario expects."""
        return frozenset(name for branch in self.branches for name, _ in branch.readings)


@dataclass(frozen=True)
class Suite:
    """Scenarios in the order of their files."""

    scenarios: tuple[Scenario, ...]

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self.scenarios)

    def __len__(self) -> int:
        return len(self.scenarios)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that have scenarios, in alphabetical order."""
        return tuple(sorted({s.variant for s in self.scenarios}))

    def chosen(
        self,
        variants: Iterable[str] = (),
        areas: Iterable[str] = (),
        clauses: Iterable[str] = (),
        ids: Iterable[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> Suite:
        """The scenarios that fit every filter that is given; an id may end in `*`, and options are those that a scenario must have."""
        wanted = (frozenset(variants), frozenset(areas), frozenset(clauses), tuple(ids), dict(options or {}))
        return Suite(tuple(s for s in self.scenarios if _fits(s, *wanted)))

    def shard(self, number: int, of: int) -> Suite:
        """Part `number`, from 1, of so many that together are the whole suite."""
        return Suite(self.scenarios[number - 1 :: of])


def _fits(
    scenario: Scenario,
    variants: frozenset[str],
    areas: frozenset[str],
    clauses: frozenset[str],
    ids: tuple[str, ...],
    options: dict[str, object],
) -> bool:
    chosen = {name: str(value) for name, value in scenario.options}
    return (
        (not variants or scenario.variant in variants)
        and (not areas or scenario.area in areas)
        and (not clauses or not clauses.isdisjoint(scenario.clauses))
        and (not ids or any(scenario.id == i or (i.endswith("*") and scenario.id.startswith(i[:-1])) for i in ids))
        and all(chosen.get(name) == str(value) for name, value in options.items())
    )


def readings_text(readings: Readings) -> str:
    """Readings as they are written in `outcomes`: `sixes=in-turn bonus=twice`, several of one question `star-place=8|9`."""
    return " ".join(f"{name}={'|'.join(values)}" for name, values in readings)


# ---- reading ---------------------------------------------------------------------------------------------------------


def suite_folder() -> Path:
    """The folder of the scenarios that come with the project."""
    return data_root() / "conformance" / "scenarios"


def read_suite(folder: Path | None = None) -> Suite:
    """The scenarios of a folder and all below it, or of one file; by default those that come with the project.

    Raises:
        DocumentError: a file is no file of scenarios, there is none, or two scenarios have one id.
        OSError: a file cannot be read.
    """
    root = suite_folder() if folder is None else folder
    files = [root] if root.is_file() else sorted(root.rglob("*.yaml"))
    if not files:
        raise DocumentError(str(root), 0, "$", "there are no scenarios here", "name a folder with `.yaml` files, or one such file")
    found: dict[str, Scenario] = {}
    for path in files:
        for scenario in read_scenarios(path):
            if scenario.id in found:
                other = found[scenario.id].place
                raise DocumentError(
                    scenario.file,
                    scenario.line,
                    "$",
                    f"the id `{scenario.id}` is that of {other} too",
                    "give each scenario an id of its own",
                )
            found[scenario.id] = scenario
    return Suite(tuple(found.values()))


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of one file. Raises `DocumentError`, or `OSError` where the file cannot be read."""
    document = read_document(path, SCENARIOS)
    return tuple(_scenario(document, i, item) for i, item in enumerate(document.value))


def scenario_from(value: Mapping[str, Any]) -> Scenario:
    """The scenario of plain data that keeps the schema, such as one that has just been made."""
    return _scenario(None, 0, value)


def _scenario(document: Document | None, index: int, item: Mapping[str, Any]) -> Scenario:
    early = next((i for i, step in enumerate(item["steps"][:-1]) if "outcomes" in step), None)
    if early is not None and document is not None:
        raise document.error("`outcomes` is not the last step", "move what follows into each of the outcomes", index, "steps", early)
    readings = _readings(item.get("readings", {}))
    branches = tuple(Branch(_joined(document, index, readings, more), steps) for more, steps in _branches(item["steps"]))
    return Scenario(
        id=item["id"],
        title=item["title"],
        variant=item["variant"],
        players=item["players"],
        options=tuple(sorted(item.get("options", {}).items())),
        clauses=tuple(item["clauses"]),
        given=item.get("given"),
        first=item.get("first"),
        branches=branches,
        file=document.file if document else "",
        line=document.line(index) if document else 0,
    )


def _joined(document: Document | None, index: int, first: Readings, second: Readings) -> Readings:
    both = {**dict(first), **dict(second)}
    if len(both) < len(first) + len(second) and document is not None:
        message = "an outcome names a question that the scenario has settled in `readings`"
        raise document.error(message, "name each question in one of the two places", index, "steps")
    return tuple(sorted(both.items()))


def _readings(given: Mapping[str, Any]) -> Readings:
    return tuple(sorted((name, tuple(str(v) for v in (value if isinstance(value, list) else [value]))) for name, value in given.items()))


def _branches(steps: list[dict[str, Any]]) -> Iterator[tuple[Readings, tuple[Step, ...]]]:
    plain = [s for s in steps if "outcomes" not in s]
    common = tuple(_step(str(number), step) for number, step in enumerate(plain, 1))
    last = steps[-1]
    if "outcomes" not in last:
        yield (), common
        return
    for label, more in last["outcomes"].items():
        readings = _readings({name: value.split("|") for name, _, value in (word.partition("=") for word in label.split())})
        own = tuple(_step(f"{len(steps)} ({label}), {number}", step) for number, step in enumerate(more, 1))
        yield readings, common + own


def _step(where: str, step: Mapping[str, Any]) -> Step:
    return Step(
        where=where,
        roll=_faces(step.get("roll")),
        refuse_roll=_faces(step.get("refuse-roll")),
        move=step.get("move"),
        refuse=step.get("refuse"),
        legal=tuple(str(m) for m in step["legal"]) if "legal" in step else None,
        then=step.get("then"),
        places=tuple(step["places"].items()) if "places" in step else None,
    )


def _faces(value: int | list[int] | None) -> tuple[int, ...] | None:
    return None if value is None else (value,) if isinstance(value, int) else tuple(value)
