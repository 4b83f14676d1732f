"""Sentences for people: numbers as words, and placeholders filled from the rules at a table.

A placeholder is `{6}`, `{6:word}`, `{5:ordinal}`, `{2:times}`; instead of the number, it can name a measure of the board or
the dice, or an option or reading that is a number or a choice of faces (`{ring}`, `{leave-on:list}`). `{players:range}` gives
the numbers of players that the book seats. At the beginning of a sentence the first letter becomes a capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludo_dsl.rules.book import Declaration
from ludo_dsl.rules.table import Table

FORMATS = ("word", "ordinal", "times", "range", "list")
"""The formats that a placeholder can ask for; without one it gives digits."""

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SHAPE = re.compile(r"([0-9]{1,6}|[a-z][a-z0-9-]*)(?::([a-z]+))?")


class WordingError(Exception):
    """A placeholder that cannot be filled; the checker finds these before anyone publishes."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder in a text: from where to where, what it names and its format (empty: digits)."""

    start: int
    end: int
    subject: str
    format: str


def placeholders(text: str) -> Iterator[Placeholder]:
    """The placeholders of a text in order; the subject is empty where one is not well formed."""
    for match in _PLACEHOLDER.finditer(text):
        shape = _SHAPE.fullmatch(match.group(1))
        subject, form = (shape.group(1), shape.group(2) or "") if shape else ("", "")
        yield Placeholder(match.start(), match.end(), subject, form)


# ---- numbers as words --------------------------------------------------------------------------------------------------


def word(number: int) -> str:
    """A number in words: `six`, `twenty-one`, `two hundred and five`; digits from a thousand on."""
    if number >= 1000 or number < 0:
        return str(number)
    if number >= 100:
        rest = f" and {word(number % 100)}" if number % 100 else ""
        return f"{_SMALL[number // 100]} hundred{rest}"
    if number < 20:
        return _SMALL[number]
    rest = f"-{_SMALL[number % 10]}" if number % 10 else ""
    return _TENS[number // 10 - 2] + rest


def ordinal(number: int) -> str:
    """An ordinal in words: `third`, `twenty-first`; with digits from a thousand on."""
    text = word(number)
    if text[-1].isdigit():
        return f"{text}th"
    head, last = re.fullmatch(r"(.*?)([a-z]+)", text).groups()  # type: ignore[union-attr]
    if last in _ORDINALS:
        return f"{head}{_ORDINALS[last]}"
    return head + (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def times(number: int) -> str:
    """How often: `once`, `twice`, `three times`."""
    return {1: "once", 2: "twice"}.get(number) or f"{word(number)} times"


def choice(numbers: Iterable[int]) -> str:
    """Numbers to choose from, in words: `six`, `one or six`, `one, two or six`."""
    words = [word(number) for number in sorted(numbers)]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def span(low: int, high: int) -> str:
    """A range in words: `two to four`."""
    return word(low) if low == high else f"{word(low)} to {word(high)}"


# ---- filling -----------------------------------------------------------------------------------------------------------


def fill(text: str, table: Table, declaration: Declaration, *, fragment: bool = False) -> str:
    """The text of a declaration with its placeholders filled for a table; a `fragment` does not begin with a capital.

    Raises:
        WordingError: a placeholder names nothing at this table.
    """
    parts: list[str] = []
    done = 0
    for found in placeholders(text):
        before = text[done : found.start]
        parts.append(before)
        filled = _filled(found, table, declaration)
        starts = _begins_sentence("".join(parts), fragment)
        parts.append(filled[:1].upper() + filled[1:] if starts else filled)
        done = found.end
    return "".join([*parts, text[done:]])


def _begins_sentence(before: str, fragment: bool) -> bool:
    return not (before or fragment) or re.search(r"[.!?]\s+$", before) is not None


def _filled(found: Placeholder, table: Table, declaration: Declaration) -> str:
    if found.format == "range" and found.subject == "players":
        players = table.book.players
        gaps = len(players.counts) <= players.high - players.low
        return choice(players.counts) if gaps else span(players.low, players.high)
    value = _value(found.subject, table)
    if found.format == "list" and isinstance(value, frozenset) and value:
        return choice(value)
    if not isinstance(value, int) or found.format in ("range", "list"):
        shown = ":".join(filter(None, (found.subject, found.format)))
        raise WordingError(f"`{{{shown}}}` in `{declaration.name}` cannot be filled")
    return {"word": word, "ordinal": ordinal, "times": times}.get(found.format, str)(value)


def _value(subject: str, table: Table) -> object:
    if subject.isdigit():
        return int(subject)
    chosen = {str(name): value for name, value in table.choices}
    return chosen.get(subject, dict(table.numbers).get(subject))
