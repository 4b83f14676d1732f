"""An engine as a process: one line out, one line in, whatever the process does."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import IO

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.asking import Asking, StartError, TroubleError
from ludo_dsl.conformance.talking.protocol import Message, ProtocolFault, shown

LONGEST_LINE = 1_000_000
"""Bytes of an answer beyond which it is taken for rubbish."""

KEPT_ERRORS = 4096
"""Bytes of standard error, the last ones, that are kept to be shown beside a fault."""

GRACE = 0.5
"""Seconds that an engine has to end after `quit`, or to end altogether once it has closed its output."""


class PipeEndpoint(Asking):
    """An engine as a process with a pipe, in a process group of its own, so that what it has started ends with it.

    Raises:
        StartError: there is no such command, or it cannot be run.
    """

    def __init__(self, command: list[str], folder: str | None = None) -> None:
        super().__init__()
        self._process = _started(command, folder)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._heard = bytearray()
        self._errors = _LastWords(self._process.stderr)
        self._closed = False

    # ---- one message -------------------------------------------------------------------------------------------------

    def exchange(self, said: Message, seconds: float) -> object:
        """What stands in the next line that the engine writes."""
        deadline = time.monotonic() + seconds
        self._nothing_unasked()
        self._say(protocol.line(said), deadline, seconds)
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise ProtocolFault(f"the answer is longer than {LONGEST_LINE:,} bytes: {shown(self._beginning())}")
            if not self._wait(self._out, selectors.EVENT_READ, deadline):
                raise self._too_slow(said, seconds)
            if not self._hear():
                raise self._ended()
        line, _, rest = bytes(self._heard).partition(b"\n")
        self._heard = bytearray(rest)
        return protocol.read_line(line)

    def _nothing_unasked(self) -> None:
        """An answer that nobody asked for stands in the way of the next one."""
        while len(self._heard) <= LONGEST_LINE and self._wait(self._out, selectors.EVENT_READ, 0.0):
            if not self._hear():
                break
        if self._heard:
            raise ProtocolFault(f"an answer that nobody asked for: {shown(self._beginning()) or 'an empty line'}")

    def _say(self, data: bytes, deadline: float, seconds: float) -> None:
        while data:
            if not self._wait(self._in, selectors.EVENT_WRITE, deadline):
                raise TroubleError(Verdict.TIMEOUT, self.with_errors(f"it took no message for {seconds:g} s"))
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def _hear(self) -> bool:
        """Takes what the engine has written; whether it may write more."""
        try:
            data = os.read(self._out, 65536)
        except BlockingIOError:
            return True
        self._heard += data
        return bool(data)

    @staticmethod
    def _wait(stream: int, event: int, deadline: float) -> bool:
        with selectors.PollSelector() as selector:
            selector.register(stream, event)
            return bool(selector.select(max(0.0, deadline - time.monotonic()) if deadline else 0.0))

    # ---- trouble -----------------------------------------------------------------------------------------------------

    def _too_slow(self, said: Message, seconds: float) -> TroubleError:
        half = f"; it has written half a line: {shown(self._beginning())}" if self._heard else ""
        return TroubleError(Verdict.TIMEOUT, self.with_errors(f"no answer to `{said['op']}` within {seconds:g} s{half}"))

    def _ended(self) -> TroubleError:
        """What became of an engine that gives no more answers."""
        try:
            note = _how_it_ended(self._process.wait(GRACE))
        except subprocess.TimeoutExpired:
            note = "it closed its output and went on running"
        half = f", in the middle of a line: {shown(self._beginning())}" if self._heard else ""
        self._errors.finish(GRACE)
        return TroubleError(Verdict.CRASH, self.with_errors(note + half))

    def _beginning(self) -> str:
        return self._heard[:400].decode("utf-8", "backslashreplace")

    def with_errors(self, note: str) -> str:
        """The note, with the end of what the engine wrote to standard error."""
        errors = self._errors.text()
        return f"{note}\nit wrote to standard error:\n{errors}" if errors else note

    # ---- the end -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Asks the engine to quit, waits a moment, and ends it with whatever it has started."""
        if self._closed:
            return
        self._closed = True
        try:
            self._farewell()
        finally:
            self.trouble = self.trouble or TroubleError(Verdict.CRASH, "it was closed")
            _kill(self._process)
            self._errors.finish(GRACE)
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _farewell(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._in, protocol.line(self.next_message(protocol.message("quit"))))
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        if self.trouble is None:  # Otherwise it is not waited for again.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)


def _started(command: list[str], folder: str | None) -> subprocess.Popen[bytes]:
    name = command[0] if command else ""
    if not name:
        raise StartError("the command of the engine is empty", "write it as `exec:./my-engine --flag`")
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0)
    except FileNotFoundError:
        here = (Path(folder or ".") / name).is_file() and "/" not in name
        hint = f"it lies in this folder: write `./{name}`" if here else "check its name; a program in this folder is written `./NAME`"
        raise StartError(f"there is no command `{name}`", hint) from None
    except PermissionError:
        raise StartError(f"`{name}` may not be run", f"`chmod +x {name}` makes a file a program") from None
    except (OSError, ValueError) as error:
        what = (getattr(error, "strerror", None) or str(error)).lower()
        raise StartError(f"`{name}` cannot be run: {what}", "does its first line name what runs it, as `#!/usr/bin/env python3`?") from None


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and the group that it leads, and leaves no zombie."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class _LastWords:
    """What an engine writes to standard error, read away so that it is never held up; the end of it is kept."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._cut = False
        self._thread = threading.Thread(target=self._read, daemon=True, name="standard error of an engine")
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._stream:
            while data := self._stream.read(65536):
                kept = self._kept + data
                self._cut = self._cut or len(kept) > KEPT_ERRORS
                self._kept = kept[-KEPT_ERRORS:]

    def finish(self, seconds: float) -> None:
        """Waits until everything is read, so long at most."""
        self._thread.join(seconds)

    def text(self) -> str:
        """The last words, readable on a terminal."""
        text = bytes(self._kept).decode("utf-8", "replace").strip()
        readable = "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
        return f"…{readable}" if self._cut and readable else readable
