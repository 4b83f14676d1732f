"""An engine as a Python object: no pipe, the same protocol, and time limits all the same."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.asking import Asking, StartError, TroubleError
from ludo_dsl.conformance.talking.protocol import Message, shown

GRACE = 0.5
"""Seconds that an object has for `quit`."""


class ObjectEndpoint(Asking):
    """An engine as a Python object with a method `answer`; `factory` makes it, without arguments.

    In the main thread an engine is stopped when its time is up. Elsewhere it cannot be: an answer that came too late is then
    found out when it comes.

    Raises:
        StartError: the object cannot be made, or has no method `answer`.
    """

    def __init__(self, factory: Callable[[], object]) -> None:
        super().__init__()
        name = getattr(factory, "__name__", "the engine")
        try:
            engine = factory()
        except (Exception, SystemExit) as error:
            raise StartError(f"`{name}` cannot be made: {raised(error)}", "it is made without arguments") from None
        self._answer: Any = getattr(engine, "answer", None)
        if not callable(self._answer):
            raise StartError(f"`{name}` has no method `answer`", "it takes a message as a `dict` and returns the answer")
        self._closed = False

    def exchange(self, said: Message, seconds: float) -> object:
        """What the object returns."""
        began = time.monotonic()
        watch = _Watch()
        try:
            try:
                watch.start(seconds)
                answer = self._answered(said, watch)
            finally:
                watch.stop()
        except _TimeUpError:
            raise self._too_slow(said, seconds) from None
        finally:
            watch.stop()  # A signal may have come while it was being stopped.
        if watch.interrupted:
            raise KeyboardInterrupt  # The engine has caught what was not meant for it.
        if time.monotonic() - began > seconds:
            raise self._too_slow(said, seconds)
        # All values that matter are texts and numbers: this is a copy through and through.
        return dict(answer) if isinstance(answer, dict) else answer

    def _answered(self, said: Message, watch: _Watch) -> object:
        try:
            return self._answer(dict(said))
        except _TimeUpError:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and watch.interrupted:
                raise
            raise TroubleError(Verdict.CRASH, raised(error)) from None

    @staticmethod
    def _too_slow(said: Message, seconds: float) -> TroubleError:
        return TroubleError(Verdict.TIMEOUT, f"no answer to `{said['op']}` within {seconds:g} s")

    def close(self) -> None:
        """Tells the object to quit."""
        if self._closed:
            return
        self._closed = True
        if self.trouble is None:
            self.trouble = TroubleError(Verdict.CRASH, "it was closed")
            with contextlib.suppress(TroubleError):
                self.exchange(self.next_message(protocol.message("quit")), GRACE)


class _TimeUpError(BaseException):
    """The time of an engine is up. No `Exception`: an engine that catches those must not catch this."""


class _Watch:
    """The signals while an object answers: the alarm, again and again should it be caught, and Ctrl-C, told from its imitation."""

    def __init__(self) -> None:
        main = threading.current_thread() is threading.main_thread()
        self._can = main and hasattr(signal, "setitimer")
        self._before: tuple[Any, Any] | None = None
        self._armed = False
        self.interrupted = False

    def start(self, seconds: float) -> None:
        """From now on, the time runs."""
        if not self._can:
            return
        self._before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
        self._armed = True
        if callable(self._before[0]):
            signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGALRM, self._alarm)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), 0.05)

    def stop(self) -> None:
        """All is as it was before."""
        self._armed = False
        if self._before is None:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip((signal.SIGINT, signal.SIGALRM), self._before, strict=True):
            if handler is not None:
                signal.signal(number, handler)
        self._before = None

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            raise _TimeUpError

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C was pressed: what it would have done without us is done."""
        assert self._before is not None
        try:
            self._before[0](number, frame)
        except BaseException:
            self.interrupted = True
            raise


def raised(error: BaseException) -> str:
    """An exception of an engine: its type, what it says, and the line that raised it."""
    last = next(iter(traceback.extract_tb(error.__traceback__)[-1:]), None)
    ours = last is None or last.filename == __file__
    place = "" if last is None or ours else f" ({Path(last.filename).name}, line {last.lineno})"
    try:
        says = str(error)
    except Exception:
        says = ""
    return f"it raised {type(error).__name__}" + (f": {shown(says, 300)}" if says else "") + place
