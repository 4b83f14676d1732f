"""Holding an engine to a suite: who it is, what it can do, what becomes of each scenario, and what follows from all of them."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from types import FrameType
from typing import Protocol

from ludo_dsl.conformance.running.explaining import Explaining, among
from ludo_dsl.conformance.running.known import Known
from ludo_dsl.conformance.running.settling import settle
from ludo_dsl.conformance.running.started import EngineGoneError, Setup, Started, played
from ludo_dsl.conformance.running.verdicts import Capability, Result, Run, Verdict, result_of
from ludo_dsl.conformance.running.watching import Seating, Watching
from ludo_dsl.conformance.running.workers import Workers
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Scenario, Suite
from ludo_dsl.conformance.talking.capabilities import Hello, hello, verify
from ludo_dsl.conformance.talking.endpoints import Connector, Limits, StartError, TroubleError
from ludo_dsl.conformance.talking.protocol import PROTOCOL, SUITE

GONE = "the engine can no longer be started"
"""How the problem begins that ends a run for that reason."""

Progress = Callable[[int, int, int], None]
"""Told after each scenario: how many are done, of how many, and how many have failed so far."""

Shard = tuple[int, int]
"""Part `number`, from 1, of so many."""


class Listener(Protocol):
    """Whoever wants results as they come; verdicts that hang on the whole run are not settled yet."""

    def header(self, run: Run) -> None:
        """What is known before the first scenario."""

    def result(self, result: Result) -> None:
        """What became of a scenario."""


@dataclass(frozen=True)
class About:
    """What a report says of a run beside what it found: the version of the suite, its part, and the command that was given.

    `problems` are faults of the files that steer the run, known before it begins.
    """

    suite: str = SUITE
    scope: str = ""
    command: str = ""
    problems: tuple[str, ...] = ()


def conform(
    connector: Connector,
    suite: Suite,
    *,
    variants: Iterable[str] = (),
    jobs: int = 1,
    shard: Shard | None = None,
    limits: Limits | None = None,
    seed: int = 1,
    known: Known | None = None,
    progress: Progress | None = None,
    games: int = 20,
    books: Mapping[str, str] | None = None,
    about: About | None = None,
    listener: Listener | None = None,
    today: date | None = None,
) -> Run:
    """Holds an engine to the scenarios of a suite; the settled run, its results in the order of the suite.

    Without `variants`, those that the engine says it plays. `jobs` processes share the scenarios, each with its own engine; one
    plays them in this process. `games` is how many are watched of each variant, one at least at each table of the suite, where the
    engine cannot be set to a position or takes no dice; 0 for none. `books` are the files of rule books of one's own, by the name
    of their variant.

    Ctrl-C, or being told to end, cuts the run short: it is then settled as it stands, and not `complete`. So does an engine that
    can no longer be started, with a problem that says so.

    Raises:
        StartError: the engine cannot be started at all, or does not say who it is.
        DocumentError: a scenario cannot be played by anybody.
        OSError: the listener cannot write.
    """
    began = time.monotonic()
    setup = Setup(connector, limits or Limits(), frozenset(), seed, dict(books or {}))
    with interruptible():
        said, capabilities = introduce(setup)
        holding = _Holding(replace(setup, able=_able(capabilities)), said, _chosen(suite, said, tuple(variants), shard), progress, games)
        run = _header(connector, said, capabilities, holding.scenarios, about or About(), shard, seed)
        run = holding.through(run, jobs, listener)
        settled = settle(run, known, today or date.today(), setup.books, Explaining(among(suite), setup.books))
    return replace(settled, seconds=time.monotonic() - began)


def was_stopped(run: Run) -> bool:
    """Whether somebody cut the run short, rather than the engine."""
    return not run.complete and not any(p.startswith(GONE) for p in run.problems)


# ---- before ----------------------------------------------------------------------------------------------------------


def introduce(setup: Setup) -> tuple[Hello, tuple[Capability, ...]]:
    """Who an engine is, and which of its claims are borne out. Raises `StartError`."""
    endpoint = setup.connector.open()
    try:
        said = hello(endpoint, setup.limits)
        return said, verify(endpoint, said, setup.limits, setup.connector.open, setup.books)
    except TroubleError as error:
        hint = "it answers `hello` with a line of JSON on its standard output, as spec/language/protocol.md says"
        raise StartError(f"the engine does not say who it is: {error.verdict}: {error.note}", hint) from None
    finally:
        endpoint.close()


def _able(capabilities: Iterable[Capability]) -> frozenset[str]:
    """What can be relied upon: claims that no trial refuted."""
    return frozenset(c.name for c in capabilities if c.claimed and c.verified is not False)


def _chosen(suite: Suite, said: Hello, variants: tuple[str, ...], shard: Shard | None) -> Suite:
    chosen = suite.chosen(variants=variants) if variants else Suite(tuple(s for s in suite if s.variant in said.variants))
    return chosen.shard(*shard) if shard else chosen


def _header(
    connector: Connector, said: Hello, capabilities: tuple[Capability, ...], suite: Suite, about: About, shard: Shard | None, seed: int
) -> Run:
    return Run(
        engine=connector.name,
        name=said.name,
        version=said.version,
        protocol=PROTOCOL,
        suite=about.suite,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        command=about.command,
        variants=suite.variants,
        scope=about.scope,
        shard=f"{shard[0]}/{shard[1]}" if shard else "",
        seed=seed,
        capabilities=capabilities,
        problems=about.problems,
        asked=len(suite),
    )


def barrier(scenario: Scenario, able: frozenset[str], variants: Iterable[str]) -> str:
    """Why an engine cannot be asked to play a scenario at all; empty where it can."""
    rolls = any(step.roll or step.refuse_roll for branch in scenario.branches for step in branch.steps)
    if scenario.variant not in variants:
        return f"the engine does not say that it plays `{scenario.variant}`"
    if scenario.given is not None and "set" not in able:
        return "it begins with a position, and the engine cannot be set to one (`set`)"
    return "it needs dice that show what they are told, and the engine rolls its own (`force`)" if rolls and "force" not in able else ""


# ---- a run -----------------------------------------------------------------------------------------------------------


@dataclass
class _Holding:
    """One run under way: results by the number of their scenario, and what has been watched."""

    setup: Setup
    said: Hello
    scenarios: Suite
    progress: Progress | None
    games: int
    results: dict[int, Result] = field(default_factory=dict)
    watches: list[Watching] = field(default_factory=list)
    done: int = 0
    total: int = 0
    failed: int = 0

    def through(self, run: Run, jobs: int, listener: Listener | None) -> Run:
        """The run with all raw results, or those that there were when it was cut short."""
        tables = self._tables()
        self.total = len(self.scenarios) + sum(len(its) for its in tables.values())
        if listener is not None:
            listener.header(run)
        try:
            with contextlib.closing(self._played(jobs)) as results:
                for number, result in results:
                    self.results[number] = result
                    self._step(result)
                    if listener is not None:
                        listener.result(result)
            self._watch(self._so_far(run), tables)
        except KeyboardInterrupt:
            return replace(self._so_far(run), complete=False)
        except EngineGoneError as error:
            run = self._so_far(run)
            return replace(run, complete=False, problems=(*run.problems, f"{GONE}: {error}"))
        return self._so_far(run)

    def _so_far(self, run: Run) -> Run:
        results = [self.results[number] for number in sorted(self.results)]
        found = [watch.found for watch in self.watches]
        return replace(
            run,
            results=(*results, *(r for f in found for r in f.troubles)),
            watched=tuple(f.watched() for f in found if f.games),
            readings=tuple(r for f in found for r in f.taken()),
        )

    def _step(self, result: Result | None = None) -> None:
        self.done += 1
        rests = result is not None and any(b.readings for b in result.branches)
        if result is not None and result.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED) and not rests:
            self.failed += 1
        if self.progress is not None:
            self.progress(self.done, self.total, self.failed)

    # ---- scenarios ---------------------------------------------------------------------------------------------------

    def _played(self, jobs: int) -> Generator[tuple[int, Result], None, None]:
        """Results with the numbers of their scenarios, as they come."""
        tasks = []
        for number, scenario in enumerate(self.scenarios):
            why = barrier(scenario, self.setup.able, self.said.variants)
            if why:
                yield number, result_of(scenario, Verdict.UNSUPPORTED, (), why)
            else:
                tasks.append((number, scenario))
        yield from self._here(tasks) if jobs <= 1 or len(tasks) <= 1 else self._elsewhere(tasks, jobs)

    def _here(self, tasks: Sequence[tuple[int, Scenario]]) -> Iterator[tuple[int, Result]]:
        with _ending(Started(self.setup)) as started:
            for number, scenario in tasks:
                yield number, played(scenario, started)

    def _elsewhere(self, tasks: Sequence[tuple[int, Scenario]], jobs: int) -> Iterator[tuple[int, Result]]:
        with Workers(self.setup, jobs) as workers:
            yield from workers.play(tasks)

    # ---- games -------------------------------------------------------------------------------------------------------

    def _tables(self) -> dict[str, list[Seating]]:
        """The tables at which games are watched: those of the scenarios that cannot be played, where positions or dice are why."""
        if {"set", "force"} <= self.setup.able or not self.games:
            return {}
        found: dict[str, dict[Seating, None]] = {}
        for scenario in self.scenarios:
            if scenario.variant in self.said.variants and barrier(scenario, self.setup.able, self.said.variants):
                found.setdefault(scenario.variant, {})[Seating(scenario.players, scenario.options)] = None
        return {variant: list(tables) for variant, tables in found.items()}

    def _watch(self, run: Run, tables: Mapping[str, list[Seating]]) -> None:
        if not tables:
            return
        readings = settle(run, None, date.min, self.setup.books).readings
        with _ending(Started(self.setup)) as started:
            for variant, its in tables.items():
                taken = {r.question: r.value for r in readings if r.variant == variant}
                book = book_of(self.setup.books.get(variant, variant))
                watch = Watching(book, started, self.setup.able, taken, self.setup.seed)
                self.watches.append(watch)
                for seating in its:
                    watch.table(seating, -(-self.games // len(its)))
                    self._step()


@contextlib.contextmanager
def _ending(started: Started) -> Iterator[Started]:
    """The engine has ended when the context ends."""
    try:
        yield started
    finally:
        started.drop()


# ---- being cut short -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C, and being told to end, interrupt what is done in this context once; after that they are not heard any more.

    What stands so far can then be settled and written. Outside of the main thread, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal told
        if not told:
            told = True
            raise KeyboardInterrupt

    def end(number: int, frame: FrameType | None) -> None:
        # An engine of this process would take an exception for its own: it tells an interrupt apart.
        signal.raise_signal(signal.SIGINT)

    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is not heard while something short is done that must not be left half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
