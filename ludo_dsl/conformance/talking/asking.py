"""What every endpoint has in common: limits, errors, numbered messages, checked answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.protocol import Message, ProtocolFault


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that an engine has for `hello`, which includes its start, and for any other message."""

    hello: float = 10.0
    message: float = 5.0


class TroubleError(Exception):
    """An engine crashed, was too slow, or gave what is no answer; `verdict` says which, `note` what is known of it.

    The endpoint is of no more use: whatever it is asked, the same trouble comes again.
    """

    def __init__(self, verdict: Verdict, note: str) -> None:
        self.verdict = verdict
        self.note = note
        super().__init__(f"{verdict}: {note}")


class StartError(Exception):
    """An engine that cannot be started at all."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


class EngineTextError(Exception):
    """A text that names no engine."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


class Endpoint(Protocol):
    """An engine that has been started."""

    def ask(self, message: Mapping[str, object], seconds: float) -> dict[str, object]:
        """The answer to a message, which may be a refusal; its form is that of the protocol. The endpoint adds the `id`.

        Raises:
            TroubleError: there is no such answer within the time.
        """

    def close(self) -> None:
        """Ends the engine; may be called more than once."""


class Asking:
    """What all endpoints have in common: messages are numbered, answers are checked, and trouble lasts."""

    def __init__(self) -> None:
        self._number = 0
        self.trouble: TroubleError | None = None

    def ask(self, message: Mapping[str, object], seconds: float) -> dict[str, object]:
        """The answer to a message. Raises `TroubleError`."""
        if self.trouble is not None:
            raise TroubleError(self.trouble.verdict, self.trouble.note)
        try:
            said = self.next_message(message)
            try:
                return protocol.check_answer(said, self.exchange(said, seconds))
            except ProtocolFault as fault:
                raise TroubleError(Verdict.PROTOCOL_ERROR, self.with_errors(fault.message)) from None
        except TroubleError as trouble:
            self.trouble = TroubleError(trouble.verdict, trouble.note)
            raise

    def next_message(self, message: Message) -> dict[str, object]:
        """The message with the number that is due."""
        if message["op"] != "hello":
            self._number += 1
        return protocol.numbered(message, self._number)

    def exchange(self, said: Message, seconds: float) -> object:
        """What is answered, whatever it is. Raises `TroubleError`, or `ProtocolFault` where it cannot be read."""
        raise NotImplementedError

    def with_errors(self, note: str) -> str:
        """A note on trouble, with whatever else is known."""
        return note
