"""Where two meeting tables differ, row by row, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ludo_dsl.check.meeting_cells import MeetingTable
from ludo_dsl.check.meeting_text import Row, rows

_RULE = re.compile(r" \([^()]*\)")
"""The name of the rule behind an outcome: two books may call the same rule differently."""


_RELATIONS = (("own piece", "own pieces"), ("ally", "allies"), ("enemy", "enemies"))

_PRIVATE = ("lane", "approach")

_Pair = tuple[str, Row | None, Row | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """What happens on one kind of square to one company, by each table; nothing where a table does not tell it apart."""

    square: str
    company: str
    first: Row | None
    second: Row | None


def differences(first: MeetingTable, second: MeetingTable) -> list[Difference]:
    """The meetings that end differently, in the order of the first table; squares on which the same differs are told together."""
    before, after = _by_square(first), _by_square(second)
    found: dict[tuple[_Pair, ...], list[str]] = {}
    for square in dict.fromkeys([*before, *after]):
        pairs = tuple(_pairs(_on(square, before), _on(square, after)))
        found.setdefault(pairs, []).append(square)
    return [Difference(", ".join(squares), company, a, b) for pairs, squares in found.items() for company, a, b in pairs]


def _on(square: str, table: dict[str, dict[str, Row]]) -> dict[str, Row]:
    """The rows of a kind of square; a kind of the track that a table does not tell apart is plain track there."""
    return table.get(square) or ({} if square in _PRIVATE else table.get("track", {}))


def _pairs(left: dict[str, Row], right: dict[str, Row]) -> Iterator[_Pair]:
    for company in dict.fromkeys([*left, *right]):
        a, b = _of(company, left), _of(company, right)
        if (a is None and _told_finer(company, left)) or (b is None and _told_finer(company, right)):
            continue
        if _plain(a) != _plain(b):
            yield company, _bare(a), _bare(b)


def _of(company: str, rows_of: dict[str, Row]) -> Row | None:
    """The row of a company, or the one for any number of these pieces."""
    return rows_of.get(company) or rows_of.get(_relation(company) or company)


def _told_finer(company: str, rows_of: dict[str, Row]) -> bool:
    """Whether a table has several rows where another one has this one: they are compared one by one."""
    return _relation(company) == company and any(_relation(other) == company for other in rows_of)


def _relation(company: str) -> str | None:
    """Whose pieces the company are, if they are of one relation."""
    found = {words[-1] for words in _RELATIONS if any(re.search(rf"\b{word}\b", company) for word in words)}
    return found.pop() if len(found) == 1 else None


def _bare(row: Row | None) -> Row | None:
    return None if row is None else Row("", "", row.passing, row.outcomes)


def _by_square(table: MeetingTable) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for row in rows(table):
        for square in row.square.split(", "):
            found.setdefault(square, {})[row.company] = row
    return found


def _plain(row: Row | None) -> object:
    """A row without the names of rules."""
    if row is None:
        return None
    return _RULE.sub("", row.passing), [(who, _RULE.sub("", text)) for who, text in row.outcomes]
