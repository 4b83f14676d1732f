"""The steps of a table script: from a line such as `clock +31s` to what happens at the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.play.host_events import (
    Begin,
    Clock,
    Computed,
    Leave,
    Moved,
    PlayAgain,
    Return,
    Rolled,
    SetOption,
    Sit,
    TableEvent,
)


@dataclass(frozen=True, slots=True)
class ClockTo:
    """The clock is put to a time, in milliseconds."""

    at: int


@dataclass(frozen=True, slots=True)
class ComputersPlay:
    """Computer players roll and move until a person is to act, or the game is over."""


ScriptEvent = TableEvent | ClockTo | ComputersPlay


class StepError(Exception):
    """A line that is no step; `hint` says how it is written."""

    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


_UNITS = {"ms": 1, "s": 1000, "m": 60_000}
_KINDS = ("computer", "sensible", "random")

FORMS: dict[str, tuple[str, str, Callable[[re.Match[str]], ScriptEvent]]] = {
    "sit": (
        "sit COLOUR [on DEVICE], or sit COLOUR computer|sensible|random",
        r"(\S+)(?: on (\S+)| (computer|sensible|random))?",
        lambda m: Sit(m[1], m[3] or "person", m[2]),
    ),
    "leave": ("leave COLOUR", r"(\S+)", lambda m: Leave(m[1])),
    "drop": ("drop COLOUR", r"(\S+)", lambda m: Leave(m[1])),
    "return": ("return COLOUR [on DEVICE]", r"(\S+)(?: on (\S+))?", lambda m: Return(m[1], m[2])),
    "option": ("option NAME=VALUE", r"([^\s=]+)=(\S+)", lambda m: SetOption(m[1], m[2])),
    "begin": ("begin", r"", lambda m: Begin()),
    "play": ("play again", r"again", lambda m: PlayAgain()),
    "clock": (
        "clock +31s, or clock 90s for the time itself; units are ms, s and m",
        r"([+-]?)(\d{1,9})(ms|s|m)",
        lambda m: _clock(m[1], int(m[2]) * _UNITS[m[3]]),
    ),
    "roll": (
        "roll [FACE[,FACE]] [by COLOUR]",
        r"(?:(\d{1,3}(?:,\d{1,3})*))?(?: ?by (\S+))?",
        lambda m: Rolled(tuple(int(f) for f in m[1].split(",")) if m[1] else None, m[2]),
    ),
    "move": ("move MOVE [by COLOUR|computer]", r"(\S+)(?: by (\S+))?", lambda m: Moved(m[1], m[2])),
    "computer": ("computer", r"", lambda m: Computed()),
    "computers": ("computers", r"", lambda m: ComputersPlay()),
}
"""Every step by its first word: how it is written, what follows the word, and what it means."""


def _clock(sign: str, time: int) -> ScriptEvent:
    return Clock(-time if sign == "-" else time) if sign else ClockTo(time)


def read_step(text: str) -> ScriptEvent:
    """What a step means. Raises `StepError`."""
    word, _, rest = " ".join(text.split()).partition(" ")
    if word not in FORMS:
        raise StepError(f"`{text}` is no step", suggestion(word, FORMS, "steps"))
    form, pattern, meaning = FORMS[word]
    match = re.fullmatch(pattern, rest)
    if match is None:
        raise StepError(f"`{text}` is no step", f"write it as `{form}`")
    return meaning(match)
