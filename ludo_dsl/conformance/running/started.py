"""An engine that is started when it is needed and anew after trouble, and what it makes of one scenario."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludo_dsl.conformance.running.settling import LEAK
from ludo_dsl.conformance.running.verdicts import BranchPlayed, Result, Verdict, result_of
from ludo_dsl.conformance.scenarios.playing import What, play
from ludo_dsl.conformance.scenarios.subjects import RefusedError, book_of, reference_for, table_of
from ludo_dsl.conformance.scenarios.suite import Scenario
from ludo_dsl.conformance.talking.capabilities import hello
from ludo_dsl.conformance.talking.endpoints import Connector, Endpoint, Limits, StartError, TroubleError
from ludo_dsl.conformance.talking.spoken import Spoken
from ludo_dsl.documents import DocumentError
from ludo_dsl.game.errors import GameError
from ludo_dsl.rules.table import TableError

STARTS = 3
"""How often in a row an engine may fail to start before the run ends."""


class EngineGoneError(Exception):
    """An engine that started before and cannot be started any more; the message is for people."""


@dataclass(frozen=True)
class Setup:
    """What it takes to play scenarios, in this process or another one.

    `able` are the capabilities that hold; `books` the files of rule books of one's own, by the name of their variant.
    """

    connector: Connector
    limits: Limits
    able: frozenset[str]
    seed: int = 0
    books: Mapping[str, str] = field(default_factory=dict)


class Started:
    """The engine of a setup, running or not."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._endpoint: Endpoint | None = None
        self._subject: Spoken | None = None
        self._used = False
        self.fresh = True

    def subject(self) -> Spoken:
        """The engine, started if it is not running. Raises `EngineGoneError`."""
        if self._subject is None:
            self._endpoint = self._open()
            self._subject = Spoken(self._endpoint, self.setup.able, self.setup.limits, self.setup.seed)
            self._used = False
        return self._subject

    def begin(self) -> Spoken:
        """The engine for a scenario; `fresh` is whether it has played none before. Raises `EngineGoneError`."""
        subject = self.subject()
        self.fresh, self._used = not self._used, True
        return subject

    def player(self, seed: int) -> Spoken:
        """The engine; its next game is begun with a seed."""
        subject = self.subject()
        subject.seed = seed
        return subject

    def drop(self) -> None:
        """Ends the engine; it is started anew when it is next needed."""
        endpoint, self._endpoint, self._subject = self._endpoint, None, None
        if endpoint is not None:
            endpoint.close()

    def trouble(self, error: Exception) -> tuple[Verdict, str] | None:
        """What kind of trouble an exception of the engine is, which is then ended; none where it is not trouble at all."""
        match error:
            case TroubleError():
                found = error.verdict, error.note
            case RefusedError(kind="error"):
                found = Verdict.CRASH, f"it answers `error`: {error.reason}"
            case RefusedError(kind="illegal"):
                found = Verdict.PROTOCOL_ERROR, f"it answers `illegal` where no rule is asked about: {error.reason}"
            case _:
                return None
        self.drop()
        return found

    def _open(self) -> Endpoint:
        """A fresh engine that has said who it is, at the third attempt at the latest."""
        last = ""
        for _ in range(STARTS):
            endpoint: Endpoint | None = None
            try:
                endpoint = self.setup.connector.open()
                hello(endpoint, self.setup.limits)
            except (StartError, TroubleError) as error:
                last = error.message if isinstance(error, StartError) else f"{error.verdict}: {error.note}"
                if endpoint is not None:
                    endpoint.close()
                continue
            except BaseException:
                if endpoint is not None:
                    endpoint.close()
                raise
            return endpoint
        raise EngineGoneError(last)


# ---- one scenario ----------------------------------------------------------------------------------------------------


def played(scenario: Scenario, started: Started) -> Result:
    """What becomes of a scenario, before anything is settled; whatever the engine does spoils this one only.

    Raises:
        EngineGoneError: the engine cannot be started any more.
        DocumentError: the scenario itself cannot be played.
    """
    began = time.monotonic()
    verdict, branches, note = _outcome(scenario, started)
    return result_of(scenario, verdict, branches, note, time.monotonic() - began)


Outcome = tuple[Verdict, tuple[BranchPlayed, ...], str]


def _outcome(scenario: Scenario, started: Started) -> Outcome:
    try:
        branches = _branches(scenario, started)
        fails = not _passes(branches, started)
    except (TroubleError, RefusedError) as error:
        return _kept_from_playing(error, started)
    if not fails:
        return Verdict.PASS, branches, ""
    if _passes_afresh(scenario, started):
        return Verdict.INCONSISTENT, branches, LEAK
    return Verdict.FAIL, branches, ""


def _kept_from_playing(error: TroubleError | RefusedError, started: Started) -> Outcome:
    trouble = started.trouble(error)
    if trouble is not None:
        return trouble[0], (), trouble[1]
    assert isinstance(error, RefusedError)
    return Verdict.UNSUPPORTED, (), error.reason


def _passes(branches: tuple[BranchPlayed, ...], started: Started) -> bool:
    """Whether it passes so far as this scenario alone can tell: every branch, where the engine was told what to play; or any."""
    passes = [b.miss is None for b in branches]
    return all(passes) if "readings" in started.setup.able else any(passes)


def _passes_afresh(scenario: Scenario, started: Started) -> bool:
    """Whether a scenario that failed passes on an engine that has played nothing before."""
    if started.fresh:
        return False
    started.drop()
    try:
        return _passes(_branches(scenario, started), started)
    except (TroubleError, RefusedError) as error:
        started.trouble(error)
        return False


def _branches(scenario: Scenario, started: Started) -> tuple[BranchPlayed, ...]:
    subject = started.begin()
    name = started.setup.books.get(scenario.variant, scenario.variant)
    found = []
    for branch in scenario.branches:
        try:
            reference = reference_for(table_of(scenario, branch, book_of(name)))
            miss = play(scenario, branch, reference, subject)
            if miss is not None and miss.what is What.REFUSED and miss.where == "0" and scenario.given is not None:
                reference.read(scenario.given)  # An engine that refuses what is no position is right.
            found.append(BranchPlayed(branch.readings, miss))
        except (GameError, TableError) as error:
            raise unplayable(scenario, error.message) from None
    return tuple(found)


def unplayable(scenario: Scenario, message: str) -> DocumentError:
    """The error for a scenario that is at fault itself."""
    file = scenario.file or scenario.id
    return DocumentError(file, scenario.line, "$", f"`{scenario.id}` cannot be played: {message}", "`ludo scenarios check` finds such")
