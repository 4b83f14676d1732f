"""What a run found: of each scenario, of each clause, of each open question; as values and as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from ludo_dsl.conformance.scenarios.playing import Miss, What
from ludo_dsl.conformance.scenarios.suite import Choices, Readings, Scenario


class Verdict(StrEnum):
    """What became of one scenario."""

    PASS = "pass"
    READING = "pass under a reading"
    OTHER_READING = "other reading"
    FAIL = "fail"
    INCONSISTENT = "inconsistent"
    UNSUPPORTED = "unsupported"
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL_ERROR = "protocol error"
    EXPECTED_FAILURE = "expected failure"
    UNEXPECTED_PASS = "unexpected pass"

    @property
    def good(self) -> bool:
        """Whether the engine did as some reading of the text says."""
        return self in (Verdict.PASS, Verdict.READING)


TROUBLE = (Verdict.UNSUPPORTED, Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR)
"""What keeps a scenario from being played to its end."""


@dataclass(frozen=True, slots=True)
class BranchPlayed:
    """One branch of a scenario and where the engine went another way in it, if it did."""

    readings: Readings
    miss: Miss | None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one scenario.

    `branches` is what was seen; `verdict` what follows from it, which hangs on the whole run where a clause is open. `seconds` is
    how long it took; `note` says more, such as what the engine printed before it crashed.
    """

    id: str
    title: str
    variant: str
    players: int
    options: Choices
    clauses: tuple[str, ...]
    verdict: Verdict
    branches: tuple[BranchPlayed, ...] = ()
    note: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> tuple[Readings, ...]:
        """The readings of the branches that passed."""
        return tuple(b.readings for b in self.branches if b.miss is None)

    @property
    def miss(self) -> Miss | None:
        """The first miss, if there is one."""
        return next((b.miss for b in self.branches if b.miss is not None), None)

    def settled(self, verdict: Verdict, note: str | None = None) -> Result:
        """The result with another verdict."""
        return replace(self, verdict=verdict, note=self.note if note is None else note)

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "kind": "scenario",
            "id": self.id,
            "title": self.title,
            "variant": self.variant,
            "players": self.players,
            "options": dict(self.options),
            "clauses": list(self.clauses),
            "verdict": str(self.verdict),
            "branches": [{"readings": {n: list(v) for n, v in b.readings}, "miss": _miss_json(b.miss)} for b in self.branches],
            "note": self.note,
            "seconds": round(self.seconds, 4),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Result:
        """The result of plain data."""
        return Result(
            data["id"],
            data["title"],
            data["variant"],
            data["players"],
            tuple(sorted(data["options"].items())),
            tuple(data["clauses"]),
            Verdict(data["verdict"]),
            tuple(
                BranchPlayed(tuple(sorted((n, tuple(v)) for n, v in b["readings"].items())), _miss_from(b["miss"]))
                for b in data["branches"]
            ),
            data["note"],
            data["seconds"],
        )


def result_of(
    scenario: Scenario, verdict: Verdict, branches: tuple[BranchPlayed, ...] = (), note: str = "", seconds: float = 0.0
) -> Result:
    """The result of a scenario that was played, or could not be."""
    return Result(
        scenario.id,
        scenario.title,
        scenario.variant,
        scenario.players,
        scenario.options,
        scenario.clauses,
        verdict,
        branches,
        note,
        seconds,
    )


def _miss_json(miss: Miss | None) -> dict[str, str] | None:
    if miss is None:
        return None
    return {
        "where": miss.where,
        "what": str(miss.what),
        "doing": miss.doing,
        "expected": miss.expected,
        "found": miss.found,
        "position": miss.position,
    }


def _miss_from(data: dict[str, str] | None) -> Miss | None:
    if data is None:
        return None
    return Miss(data["where"], What(data["what"]), data["doing"], data["expected"], data["found"], data["position"])


# ---- clauses ---------------------------------------------------------------------------------------------------------


class Standing(StrEnum):
    """What was found of one clause."""

    KEPT = "kept"
    BROKEN = "broken"
    KNOWN = "broken, known"
    NOT_SHOWN = "not shown"


class Evidence(StrEnum):
    """On what a standing rests."""

    SCENARIOS = "scenarios"
    GAMES = "games"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """What was found of one clause: how many of its scenarios passed and failed, how many could not be played, and the first to fail."""

    clause: str
    variant: str
    standing: Standing
    evidence: Evidence
    passed: int
    failed: int
    unplayed: int
    first_failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "kind": "clause",
            "clause": self.clause,
            "variant": self.variant,
            "standing": str(self.standing),
            "evidence": str(self.evidence),
            "passed": self.passed,
            "failed": self.failed,
            "unplayed": self.unplayed,
            "first_failure": self.first_failure,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> ClauseResult:
        """The finding of plain data."""
        return ClauseResult(
            data["clause"],
            data["variant"],
            Standing(data["standing"]),
            Evidence(data["evidence"]),
            data["passed"],
            data["failed"],
            data["unplayed"],
            data["first_failure"],
        )


@dataclass(frozen=True, slots=True)
class ReadingTaken:
    """The reading that an engine takes of an open question: the value, how many scenarios show it, and which show another."""

    variant: str
    question: str
    value: str
    shown_by: int
    against: tuple[str, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether nothing shows another reading."""
        return not self.against

    def as_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "kind": "reading",
            "variant": self.variant,
            "question": self.question,
            "value": self.value,
            "shown_by": self.shown_by,
            "against": list(self.against),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> ReadingTaken:
        """The finding of plain data."""
        return ReadingTaken(data["variant"], data["question"], data["value"], data["shown_by"], tuple(data["against"]))


# ---- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that an engine claims it can do, and whether a trial bore that out (`None`: it was not tried)."""

    name: str
    claimed: bool
    verified: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Watched:
    """Games of an engine that were watched: how many, of how many plies, and the clauses whose rules took part without a fault."""

    variant: str
    games: int
    plies: int
    clauses: tuple[str, ...]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """Everything that a run found. `complete` is whether nobody stopped it; `problems` are faults of the files that steer it."""

    engine: str
    name: str
    version: str
    protocol: int
    suite: str
    started: str
    command: str
    variants: tuple[str, ...]
    scope: str = ""
    shard: str = ""
    seed: int = 0
    capabilities: tuple[Capability, ...] = ()
    results: tuple[Result, ...] = ()
    clauses: tuple[ClauseResult, ...] = ()
    readings: tuple[ReadingTaken, ...] = ()
    watched: tuple[Watched, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    complete: bool = True
    asked: int = field(default=0)

    @property
    def exit_code(self) -> int:
        """0 conforms, 1 broken, 2 incomplete."""
        bad = (Verdict.FAIL, Verdict.INCONSISTENT, Verdict.UNEXPECTED_PASS)
        if self.problems or any(r.verdict in bad for r in self.results) or any(c.standing is Standing.BROKEN for c in self.clauses):
            return 1
        shown = all(c.standing is not Standing.NOT_SHOWN for c in self.clauses)
        trouble = any(r.verdict in (Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR) for r in self.results)
        lies = any(c.claimed and c.verified is False for c in self.capabilities)
        return 0 if self.complete and shown and self.clauses and not trouble and not lies else 2

    def counts(self, variant: str | None = None) -> dict[Standing, int]:
        """How many clauses stand how, of one variant or of all."""
        found = dict.fromkeys(Standing, 0)
        for clause in self.clauses:
            if variant in (None, clause.variant):
                found[clause.standing] += 1
        return found
