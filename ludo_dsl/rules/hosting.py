"""The table around the game: every setting that `host` statements can name, its type, and its value at one table.

Defined in `spec/language/table.md`. A rule book that says nothing about a setting leaves it at the default that stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.rules.book import Book, HostSetting
from ludo_dsl.rules.expressions import NEVER
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.table import Table, TableError

HostValue = str | int


@dataclass(frozen=True, slots=True)
class Words:
    """A choice among words."""

    values: tuple[str, ...]

    def allows(self, value: HostValue) -> bool:
        """Whether a value is of this type."""
        return value in self.values

    def __str__(self) -> str:
        return "one of " + ", ".join(f"`{v}`" for v in self.values) if len(self.values) > 1 else f"`{self.values[0]}`"


@dataclass(frozen=True, slots=True)
class Numbers:
    """A whole number from `low` to `high`, or one of a few words."""

    low: int
    high: int
    words: tuple[str, ...] = ()

    def allows(self, value: HostValue) -> bool:
        """Whether a value is of this type."""
        return value in self.words if isinstance(value, str) else self.low <= value <= self.high

    def __str__(self) -> str:
        return " or ".join([*(f"`{w}`" for w in self.words), f"a whole number from {self.low} to {self.high}"])


@dataclass(frozen=True, slots=True)
class HostKind:
    """One setting of the vocabulary: its type, and the value that holds where nobody says anything."""

    name: str
    type: Words | Numbers
    default: HostValue


VOCABULARY: dict[str, HostKind] = {
    kind.name: kind
    for kind in (
        HostKind("room", Words(("any", "computer", "one-device", "online")), "any"),
        HostKind("seats", Words(("chosen", "party")), "chosen"),
        HostKind("online-seats", Numbers(1, 12), 12),
        HostKind("empty-seats", Words(("left-out", "computer")), "left-out"),
        HostKind("options-set", Words(("before-game", "before-series")), "before-game"),
        HostKind("first-player", Words(("fixed", "drawn", "rotate", "same")), "fixed"),
        HostKind("turn-seconds", Numbers(1, 86_400, ("none",)), "none"),
        HostKind("time-out", Words(("computer", "drop-out")), "computer"),
        HostKind("drop-out", Words(("computer", "computer-at-once", "wait")), "computer"),
        HostKind("return", Words(("same-device", "any-device")), "same-device"),
        HostKind("forced-moves", Words(("asked", "automatic")), "asked"),
        HostKind("dice", Words(("table", "committed")), "table"),
        HostKind("rated", Words(("off", "on")), "off"),
        HostKind("draw", Words(("half", "nothing")), "half"),
    )
}
"""Every setting of the table, by name. What each value means is what `play.host` does."""


def default_of(book: Book, kind: HostKind) -> HostValue:
    """The value of a setting of which the rule book says nothing; who begins is drawn where no colour is named to begin."""
    return "drawn" if kind.name == "first-player" and book.players.first is None else kind.default


@dataclass(frozen=True, slots=True)
class HostSettings:
    """The value of every setting at one table."""

    values: tuple[tuple[str, HostValue], ...]

    def __getitem__(self, name: str) -> HostValue:
        return dict(self.values)[name]

    @property
    def turn_limit(self) -> int | None:
        """The time limit of a turn in milliseconds; none where there is no limit."""
        seconds = self["turn-seconds"]
        return seconds * 1000 if isinstance(seconds, int) else None


def declared(book: Book) -> dict[str, HostSetting]:
    """The settings that the `host` statements of a rule book name."""
    return {s.name: s for d in book.declarations if d.kind == "host" for s in d.host_settings}


def settle(table: Table, chosen: Mapping[str, object]) -> HostSettings:
    """The settings at a table: those that its host has chosen, the rule book's defaults, or those of the vocabulary.

    Raises:
        TableError: a name that is no setting, or a value that the rule book does not offer.
    """
    for name in chosen:
        if name not in VOCABULARY:
            raise TableError(f"there is no host setting `{name}`", suggestion(name, VOCABULARY, "host settings"))
    named = declared(table.book)
    values = tuple((name, _value(table, kind, named.get(name), chosen.get(name))) for name, kind in VOCABULARY.items())
    return HostSettings(values)


def _value(table: Table, kind: HostKind, named: HostSetting | None, chosen: object) -> HostValue:
    if chosen is not None:
        return _read(table.book, kind, named, chosen)
    if named is None:
        return default_of(table.book, kind)
    held = [value for value, condition in named.default if fold(condition, table.known) != NEVER]
    return held[0] if held else named.values[0]


def _read(book: Book, kind: HostKind, named: HostSetting | None, chosen: object) -> HostValue:
    value: HostValue = (
        {True: "on", False: "off"}[chosen] if isinstance(chosen, bool) else chosen if isinstance(chosen, int) else str(chosen)
    )
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 9:
        value = int(value)
    if not kind.type.allows(value):
        raise TableError(f"the host setting `{kind.name}` cannot be `{chosen}`", f"it is {kind.type}")
    if named is not None and value not in named.values:
        offered = ", ".join(f"`{v}`" for v in named.values)
        raise TableError(f"{book.name} does not offer `{value}` for the host setting `{kind.name}`", f"it offers {offered}")
    return value
