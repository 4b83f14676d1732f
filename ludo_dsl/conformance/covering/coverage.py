"""Which scenarios exercise each clause and each rule of a rule book, seen in what the interpreter does, not in what is written.

A scenario exercises a clause where one of the statements that state it applies, or just does not; `looks` and
`observer` say for each kind of statement what that means, `units` which statements state a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.covering.ledger import BY_SCENARIO, Entry, wrongs
from ludo_dsl.conformance.covering.looks import Way
from ludo_dsl.conformance.covering.observer import Observer, lens_for
from ludo_dsl.conformance.covering.probes import values_of
from ludo_dsl.conformance.covering.units import Seen, Unit, Units, seen_by, units_of
from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import RefusedError, reference_for, table_of
from ludo_dsl.conformance.scenarios.suite import Scenario
from ludo_dsl.game.errors import GameError
from ludo_dsl.resources import data_root
from ludo_dsl.rules.book import Book, Named, SettingValue
from ludo_dsl.rules.table import TableError, shown_value


class Lack(StrEnum):
    """What is wrong with a suite."""

    APPLIES = "never applies"
    JUST_NOT = "never just does not apply"
    VALUE = "value never chosen"
    CITES = "cited and not exercised"
    FAILS = "not passed by the interpreter"
    LEDGER = "ledger"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a suite: what it is, of which clause, option or scenario, and in words; `about` is the clause or rule that is cited."""

    lack: Lack
    name: str
    message: str
    place: str = ""
    about: str = ""

    def concerns(self, names: Collection[str]) -> bool:
        """Whether it is a fault of one of some clauses or rules."""
        return self.name in names or self.about in names

    @property
    def shown_place(self) -> str:
        """File and line, the file from the root of the project where it lies in it."""
        file, _, line = self.place.rpartition(":")
        path = Path(file)
        return f"{path.relative_to(data_root()).as_posix()}:{line}" if path.is_relative_to(data_root()) else self.place

    def as_json(self) -> dict[str, object]:
        """The fault as plain data."""
        return {"lack": str(self.lack), "name": self.name, "about": self.about, "message": self.message, "place": self.shown_place}


@dataclass(frozen=True, slots=True)
class Covered:
    """A clause or rule, with the ids of the scenarios in which it applies, and in which it just does not.

    `kind` is that of the clause, or `rule`, `option`, `reading`. `needs` are the ways that a suite has to show. `checks` are those of
    the ledger, as kind and name, and `waits` what the clause waits for.
    """

    name: str
    kind: str
    applies: tuple[str, ...]
    just_not: tuple[str, ...]
    needs: tuple[Way, ...]
    checks: tuple[tuple[str, str], ...] = ()
    waits: str = ""

    @property
    def lacks(self) -> tuple[Way, ...]:
        """What no scenario shows."""
        found = {Way.APPLIES: self.applies, Way.JUST_NOT: self.just_not}
        return tuple(way for way in self.needs if not found[way])

    def as_json(self) -> dict[str, object]:
        """The finding as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "applies": list(self.applies),
            "just_not": list(self.just_not),
            "needs": [str(way) for way in self.needs],
            "checks": [{"kind": kind, "name": name} for kind, name in self.checks],
            "waits": self.waits,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a suite exercises of one rule book; `played` of its scenarios were, all of them if `complete`."""

    variant: str
    scenarios: int
    played: int
    clauses: tuple[Covered, ...]
    rules: tuple[Covered, ...]
    faults: tuple[Fault, ...]
    complete: bool = True

    def as_json(self) -> dict[str, object]:
        """The findings as plain data; the schema is `spec/schema/coverage.json`."""
        return {
            "variant": self.variant,
            "scenarios": self.scenarios,
            "played": self.played,
            "complete": self.complete,
            "clauses": [c.as_json() for c in self.clauses],
            "rules": [c.as_json() for c in self.rules],
            "faults": [f.as_json() for f in self.faults],
        }


@dataclass(frozen=True, slots=True)
class Exercise:
    """What one scenario exercises: units and how, and the values of the options at its tables."""

    scenario: Scenario
    seen: frozenset[Seen]
    chosen: frozenset[tuple[str, SettingValue]]
    faults: tuple[Fault, ...] = ()

    def of(self, units: Iterable[Unit], way: Way) -> bool:
        """Whether it exercises one of some units in one way."""
        return any((unit, way) in self.seen for unit in units)

    def touches(self, units: Iterable[Unit]) -> bool:
        """Whether it exercises one of some units in either way."""
        return any(self.of(units, way) for way in Way)


def cover(
    book: Book,
    scenarios: Iterable[Scenario],
    ledger: Iterable[Entry] | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Coverage:
    """What scenarios exercise of the rule book that they are for; on `KeyboardInterrupt`, those that have been played.

    With a ledger, clauses that scenarios cannot show are looked up in it.

    Raises:
        DocumentError: a file of checks that the ledger names is not of its form.
    """
    mine = tuple(scenarios)
    units = units_of(book)
    played: list[Exercise] = []
    try:
        for scenario in mine:
            progress(len(played), len(mine))
            played.append(exercise(book, units, scenario))
        progress(len(played), len(mine))
    except KeyboardInterrupt:
        pass
    found = _judged(book, units, len(mine), played)
    return found if ledger is None else _with_ledger(found, units, tuple(ledger))


def exercise(book: Book, units: Units, scenario: Scenario) -> Exercise:
    """What a scenario exercises, in all its branches."""
    every = frozenset().union(*units.by_clause.values(), *units.by_name.values())
    seen: set[Seen] = set()
    chosen: set[tuple[str, SettingValue]] = set()
    faults: list[Fault] = []
    for branch in scenario.branches:
        try:
            table = table_of(scenario, branch, book)
            observer = Observer(lens_for(table))
            miss = play(scenario, branch, reference_for(table), observer)
        except (TableError, GameError, RefusedError) as error:
            faults.append(_fails(scenario, str(error)))
            continue
        if miss is not None:
            faults.append(_fails(scenario, f"step {miss.where}: {miss.says()}"))
        chosen |= {(str(name), value) for name, value in table.choices}
        seen |= seen_by(observer, every)
    return Exercise(scenario, frozenset(seen), frozenset(chosen), tuple(faults))


def _fails(scenario: Scenario, message: str) -> Fault:
    return Fault(Lack.FAILS, scenario.id, message, scenario.place)


def _with_ledger(found: Coverage, units: Units, ledger: tuple[Entry, ...]) -> Coverage:
    entries = {e.clause: e for e in ledger}
    clauses = tuple(
        replace(c, checks=entries[c.name].checks, waits=entries[c.name].waits) if c.name in entries else c for c in found.clauses
    )
    faults = tuple(Fault(Lack.LEDGER, w.clause, w.message, w.place) for w in wrongs(found.variant, units, ledger))
    return replace(found, clauses=clauses, faults=(*found.faults, *faults))


# ---- judging ---------------------------------------------------------------------------------------------------------


def _judged(book: Book, units: Units, count: int, played: list[Exercise]) -> Coverage:
    known = register()
    ours = {c.id: c.kind for c in known.values() if c.variant == book.name}
    kinds = ours or {name: known[name].kind for name in units.by_clause if name in known}
    clauses = tuple(
        _covered(clause, kind, units.by_clause.get(clause, frozenset()), units, played, kind in BY_SCENARIO)
        for clause, kind in sorted(kinds.items())
    )
    own = not ours
    rules = tuple(
        _covered(d.name, d.kind, units.by_name[d.name], units, played, own)
        for d in book.declarations
        if d.kind in ("rule", "option", "reading")
    )
    complete = len(played) == count
    faults = [f for e in played for f in e.faults]
    faults += _idle_citations(units, played)
    if complete:
        faults += [f for c in (rules if own else clauses) for f in _gaps(c)]
        faults += _values(book, units, played)
    return Coverage(book.name, count, len(played), clauses, rules, tuple(faults), complete)


def _covered(name: str, kind: str, units: frozenset[Unit], all_units: Units, played: list[Exercise], counts: bool) -> Covered:
    found = {way: tuple(e.scenario.id for e in played if e.of(units, way)) for way in Way}
    needs: tuple[Way, ...] = ()
    if counts and units:
        needs = (Way.APPLIES,) if units <= all_units.timeless else tuple(Way)
    return Covered(name, kind, found[Way.APPLIES], found[Way.JUST_NOT], needs)


def _gaps(covered: Covered) -> Iterator[Fault]:
    what = "clause" if covered.kind in BY_SCENARIO else covered.kind
    for way in covered.lacks:
        lack, message = {
            Way.APPLIES: (Lack.APPLIES, f"no scenario shows the {what} `{covered.name}` at work"),
            Way.JUST_NOT: (Lack.JUST_NOT, f"no scenario shows where the {what} `{covered.name}` just does not apply"),
        }[way]
        yield Fault(lack, covered.name, message)


def _idle_citations(units: Units, played: list[Exercise]) -> Iterator[Fault]:
    """Clauses, or rules by name, that a scenario cites and does not exercise; what has no unit is no matter for scenarios."""
    for each in played:
        for name in each.scenario.clauses:
            stated = units.by_clause.get(name) or units.by_name.get(name) or frozenset()
            if stated and not each.touches(stated):
                message = f"it cites `{name}`, and none of the statements for it has a say in what it shows"
                yield Fault(Lack.CITES, each.scenario.id, message, each.scenario.place, name)


def _values(book: Book, units: Units, played: list[Exercise]) -> Iterator[Fault]:
    """Values of options at which no scenario exercises the option."""
    for setting in book.settings:
        stated = units.by_name[str(setting.id)]
        if setting.role != "option" or not stated:
            continue
        at = {value for e in played if e.touches(stated) for name, value in e.chosen if name == setting.id}
        for value in values_of(setting):
            if value not in at:
                message = f"no scenario exercises the option `{setting.id}` at `{shown_value(value)}`"
                yield Fault(Lack.VALUE, str(setting.id), message)
        if not isinstance(setting.domain, Named) and not at - {setting.default}:
            yield Fault(Lack.VALUE, str(setting.id), f"no scenario exercises the option `{setting.id}` away from its default")
