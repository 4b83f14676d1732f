"""Failures of an engine that are known: a file that says why, and until when they are excused.

The form of the file is in `spec/schema/known-failures.json`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.scenarios.suite import Scenario
from ludo_dsl.diagnostics import closest
from ludo_dsl.documents import Document, Kind, read_document

KNOWN = Kind("a file of known failures", "known-failures", "spec/schema/known-failures.json")


@dataclass(frozen=True, slots=True)
class Entry:
    """One scenario, or all scenarios of one clause, excused with a reason up to and with a day; `place` is file and line."""

    kind: Literal["scenario", "clause"]
    name: str
    reason: str
    until: date
    place: str = field(compare=False, default="")

    def covers(self, scenario: str, clauses: Iterable[str]) -> bool:
        """Whether it speaks of a scenario, by its id and the clauses that it cites."""
        return self.name == scenario if self.kind == "scenario" else self.name in clauses

    def past(self, today: date) -> bool:
        """Whether its last day is over."""
        return today > self.until

    def excuse(self) -> str:
        """The excuse in one line, for people."""
        return f"known until {self.until.isoformat()}: {' '.join(self.reason.split())}"


@dataclass(frozen=True, slots=True)
class Known:
    """The entries of a file, in their order."""

    entries: tuple[Entry, ...]

    def in_force(self, today: date) -> tuple[Entry, ...]:
        """The entries whose last day is not over."""
        return tuple(e for e in self.entries if not e.past(today))

    def expired(self, today: date) -> tuple[str, ...]:
        """A problem, in words, for each entry whose last day is over."""
        return tuple(
            f"{e.place}: `{e.name}` was excused until {e.until.isoformat()}: mend the engine, or give the entry a new day"
            for e in self.entries
            if e.past(today)
        )

    def strangers(self, scenarios: Iterable[Scenario]) -> tuple[str, ...]:
        """A problem, in words, for each entry that names no scenario of the whole suite, and no clause of it or of the register."""
        suite = list(scenarios)
        ids = {s.id for s in suite}
        clauses = {c for s in suite for c in s.clauses} | register().keys()
        return tuple(_stranger(e, ids if e.kind == "scenario" else clauses) for e in self.entries if not _named(e, ids, clauses))


def _named(entry: Entry, ids: set[str], clauses: set[str]) -> bool:
    return entry.name in (ids if entry.kind == "scenario" else clauses)


def _stranger(entry: Entry, names: set[str]) -> str:
    near = closest(entry.name, names, likeness=0.8)
    return f"{entry.place}: there is no {entry.kind} `{entry.name}`: {f'did you mean `{near}`?' if near else 'take the entry out'}"


def read_known(path: Path) -> Known:
    """The known failures of a file.

    Raises:
        DocumentError: the file is no file of known failures.
        OSError: it cannot be read.
    """
    document = read_document(path, KNOWN)
    return Known(tuple(_entry(document, i, item) for i, item in enumerate(document.value)))


def _entry(document: Document, index: int, item: dict[str, Any]) -> Entry:
    try:
        until = date.fromisoformat(item["until"])
    except ValueError:
        raise document.error(f"`{item['until']}` is no day", "write year, month and day, as in `2027-01-31`", index, "until") from None
    place = f"{document.file}:{document.line(index)}"
    if "scenario" in item:
        return Entry("scenario", item["scenario"], item["reason"], until, place)
    return Entry("clause", item["clause"], item["reason"], until, place)
