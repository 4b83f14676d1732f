"""A fault of a file of scenarios, and a scenario with the place of each of its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, Step
from ludo_dsl.documents import Document, DocumentError, json_path


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, where, and what cures it; `line` counts from 1, 0 for a file as a whole, `path` is a JSON path."""

    file: str
    line: int
    path: str
    scenario: str
    message: str
    hint: str

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def as_json(self) -> dict[str, object]:
        """The fault as plain data."""
        return {
            "file": self.file,
            "line": self.line,
            "path": self.path,
            "scenario": self.scenario,
            "message": self.message,
            "hint": self.hint,
        }


def fault_of(error: DocumentError) -> Fault:
    """The fault of a file that cannot be read as scenarios."""
    return Fault(error.file, error.line, error.path, "", error.message, error.hint)


@dataclass(frozen=True)
class Item:
    """A scenario, and where it stands in its file."""

    scenario: Scenario
    document: Document
    index: int

    def fault(self, message: str, hint: str, *where: str | int) -> Fault:
        """A fault at a part of the scenario, such as `"steps", 0, "then"`."""
        place = (self.index, *where)
        return Fault(self.document.file, self.document.line(*place), json_path(place), self.scenario.id, message, hint)


_IN_OUTCOMES = re.compile(r"(\d+) \((.+)\), (\d+)$")


def place_of(step: Step) -> tuple[str | int, ...]:
    """Where a step stands in its scenario; nothing for what stands before the first one."""
    inner = _IN_OUTCOMES.match(step.where)
    if inner is not None:
        return "steps", int(inner[1]) - 1, "outcomes", inner[2], int(inner[3]) - 1
    return ("steps", int(step.where) - 1) if step.where != "0" else ()


def label_of(branch: Branch) -> tuple[str | int, ...]:
    """Where a branch names its readings: at its outcome, or among the readings of the scenario where there are no outcomes."""
    last = place_of(branch.steps[-1])
    return last[:4] if len(last) > 2 else ("readings",)
