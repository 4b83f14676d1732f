"""The tables that a phrase of a rule book can meet: numbers of players and values of the settings that it hangs on."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from math import prod

from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import NEVER, Choice, ChoiceIs, Expr, Faces, Fact, FactOf, SettingId
from ludo_dsl.rules.folding import Known, fold, walk
from ludo_dsl.rules.table import settled, shown_value

MOST = 4096
"""Tables that are looked at for one phrase; beyond that, every pair of choices is tried instead of every product."""

_MOST_NUMBERS = 64


@dataclass(frozen=True)
class Choices:
    """A number of players and the values of the settings that matter; the others have their defaults."""

    players: int
    values: tuple[tuple[SettingId, SettingValue], ...]
    defaults: dict[SettingId, SettingValue] = field(compare=False, repr=False)

    @cached_property
    def chosen(self) -> Mapping[SettingId, SettingValue]:
        """Every setting with its value."""
        return ChainMap(dict(self.values), self.defaults)

    @cached_property
    def known(self) -> Known:
        """What these choices settle."""
        return settled(self.chosen, {"players": self.players})

    def note(self, *exprs: Expr) -> str:
        """The choices that matter to expressions, as the end of a message; nothing if none does."""
        parts = []
        if any(part == FactOf(Fact.PLAYERS) for expr in exprs for part in walk(expr)):
            parts.append(f"{self.players} player{'s' if self.players != 1 else ''}")
        asked = settings_in(*exprs)
        parts += [_shown(name, value) for name, value in self.values if name in asked]
        return f", with {' and '.join(parts)}" if parts else ""


def _shown(name: SettingId, value: SettingValue) -> str:
    return f"`{name} {'=' if isinstance(value, int) else 'is'} {shown_value(value)}`"


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables to look at, and whether they are all that there are."""

    all: tuple[Choices, ...]
    complete: bool

    def __iter__(self) -> Iterator[Choices]:
        return iter(self.all)


def settings_in(*exprs: Expr) -> frozenset[SettingId]:
    """The options and readings that expressions ask about."""
    found: set[SettingId] = set()
    for expr in exprs:
        for part in walk(expr):
            match part:
                case ChoiceIs(setting) | Choice(setting):
                    found.add(setting)
                case Faces(values) if isinstance(values, str):
                    found.add(values)
                case _:
                    pass
    return frozenset(found)


class Offer:
    """What a rule book offers to choose: numbers of players, and options and readings by name."""

    def __init__(self, book: Book) -> None:
        self.counts = book.players.counts
        self.settings = {s.id: s for s in book.settings}
        self.defaults = {s.id: s.default for s in book.settings}

    def tables(self, *exprs: Expr) -> Tables:
        """The tables that expressions can tell apart: the other settings have their defaults."""
        involved = [self.settings[name] for name in sorted(self._closed(settings_in(*exprs)))]
        domains = [_values(s) for s in involved]
        complete = all(not isinstance(s.domain, Range) or s.domain.high - s.domain.low < _MOST_NUMBERS for s in involved)
        size = prod([len(self.counts), *(len(domain) for domain in domains)])
        rows: Iterable[tuple[SettingValue, ...]] = product(*domains)
        if size > MOST:
            rows, complete = _pairs(involved, domains), False
        found = []
        for row in rows:
            values = tuple(zip([s.id for s in involved], row, strict=True))
            for count in self.counts:
                choices = Choices(count, values, self.defaults)
                if _offered(involved, choices):
                    found.append(choices)
        return Tables(tuple(found[: 4 * MOST]), complete)

    def _closed(self, names: frozenset[SettingId]) -> frozenset[SettingId]:
        """The settings, and those that decide whether they can be chosen at all."""
        while True:
            more = settings_in(*(self.settings[name].only_if for name in names)) | names
            if more == names:
                return names
            names = more


def _values(setting: Setting) -> tuple[SettingValue, ...]:
    match setting.domain:
        case Named(values):
            return tuple(v.name for v in values)
        case FaceSet(default):
            return (default,)
        case Range(low, high, default):
            if high - low < _MOST_NUMBERS:
                return tuple(range(low, high + 1))
            return tuple(sorted({low, low + 1, default, high - 1, high}))


def _pairs(settings: list[Setting], domains: list[tuple[SettingValue, ...]]) -> Iterator[tuple[SettingValue, ...]]:
    defaults = [s.default for s in settings]
    seen = set()
    for i, j in combinations(range(len(settings)), 2):
        for first, second in product(domains[i][:12], domains[j][:12]):
            row = tuple(first if k == i else second if k == j else d for k, d in enumerate(defaults))
            if row not in seen:
                seen.add(row)
                yield row
            if len(seen) >= MOST:
                return


def _offered(settings: list[Setting], choices: Choices) -> bool:
    return all(choices.chosen[s.id] == s.default or fold(s.only_if, choices.known) != NEVER for s in settings)
