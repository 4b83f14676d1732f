"""Scenarios shared out to processes, each with an engine of its own. What one of them does not survive spoils one scenario."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

from ludo_dsl.conformance.running.started import STARTS, EngineGoneError, Setup, Started, played
from ludo_dsl.conformance.running.verdicts import Result, Verdict, result_of
from ludo_dsl.conformance.scenarios.suite import Scenario
from ludo_dsl.documents import DocumentError

PATIENCE = 15.0
"""Seconds that a worker has to end its engine and itself, before it is killed."""

AGAIN = 0.5
"""Seconds after which a worker is told again to end."""

_Task = tuple[int, Scenario]


class WorkerError(Exception):
    """A fault of our own in another process."""


@dataclass
class _Worker:
    """A process, the pipe to it, and the scenario that it plays; `ready` once it has said that it can."""

    process: SpawnProcess
    pipe: Connection
    task: _Task | None = None
    ready: bool = False


class Workers:
    """So many processes that play scenarios; a context, at whose end they have ended."""

    def __init__(self, setup: Setup, jobs: int) -> None:
        self._setup = setup
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._vain = 0

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            # An interrupt can be lost in a place that swallows exceptions: it is told again.
            until = time.monotonic() + PATIENCE
            while worker.process.is_alive() and time.monotonic() < until:
                worker.process.join(AGAIN)
                worker.process.terminate()
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers = []

    def play(self, scenarios: Sequence[_Task]) -> Iterator[tuple[int, Result]]:
        """The results of numbered scenarios, each with its number, as they come.

        Raises:
            EngineGoneError: the engine cannot be started any more.
            DocumentError: a scenario itself cannot be played.
        """
        waiting = deque(scenarios)
        left = len(waiting)
        while left:
            while len(self._workers) < min(self._jobs, left):
                self._workers.append(self._begin())
            for pipe in wait([w.pipe for w in self._workers]):
                worker = next(w for w in self._workers if w.pipe is pipe)
                for result in self._heard(worker):
                    left -= 1
                    yield result
                if worker.ready and worker.task is None and waiting:
                    worker.task = waiting.popleft()
                    self._say(worker)

    def _begin(self) -> _Worker:
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        process = multiprocessing.get_context("spawn").Process(target=_work, args=(theirs, self._setup), daemon=True)
        with _no_interrupts():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _say(self, worker: _Worker) -> None:
        """Gives a worker its scenario; if it has just ended, the next thing heard from its pipe is that."""
        with contextlib.suppress(OSError):
            worker.pipe.send(worker.task)

    def _heard(self, worker: _Worker) -> Iterator[tuple[int, Result]]:
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            yield from self._lost(worker)
            return
        match kind:
            case "ready":
                worker.ready, self._vain = True, 0
            case "result":
                assert worker.task is not None
                number, worker.task = worker.task[0], None
                yield number, value
            case "gone":
                raise EngineGoneError(value)
            case "scenario":
                raise DocumentError(*value)
            case _:
                raise WorkerError(value)

    def _lost(self, worker: _Worker) -> Iterator[tuple[int, Result]]:
        """A process has ended by itself: an engine within it has brought it down."""
        worker.process.join()
        worker.ready = False
        self._workers.remove(worker)
        worker.pipe.close()
        how = f"the process in which the engine ran ended ({worker.process.exitcode})"
        if worker.task is not None:
            yield worker.task[0], result_of(worker.task[1], Verdict.CRASH, (), how)
            return
        self._vain += 1
        if self._vain >= STARTS:
            raise EngineGoneError(how)


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C waits meanwhile; a process that begins here is deaf to it until it says otherwise."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- the other process -----------------------------------------------------------------------------------------------


def _work(pipe: Connection, setup: Setup) -> None:
    """Plays the scenarios that come through the pipe, until it is closed or the process is told to end."""
    _end_when_told()
    started = Started(setup)
    try:
        pipe.send(("ready", None))
        while True:
            _, scenario = pipe.recv()
            pipe.send(_answer(scenario, started))
    except (EOFError, OSError, KeyboardInterrupt):
        pass
    finally:
        # Being told again must not keep the engine from being ended.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        started.drop()


def _answer(scenario: Scenario, started: Started) -> tuple[str, Any]:
    try:
        return "result", played(scenario, started)
    except EngineGoneError as error:
        return "gone", str(error)
    except DocumentError as error:
        return "scenario", (error.file, error.line, error.path, error.message, error.hint)
    except Exception as error:
        return "fault", f"{type(error).__name__}: {error}"


def _end_when_told() -> None:
    """Ctrl-C is for the process that began this one, which then tells it to end. That is turned into an interrupt: no engine can
    take it for an exception of its own.
    """
    told = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal told
        told = True
        signal.raise_signal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        if told:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, end)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
