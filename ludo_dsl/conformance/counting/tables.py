"""The committed tables of roll-perft: fixed positions by hand, and what is counted from each at every table that the suite plays.

A table file holds one entry a line. Which entries it has follows from the rule book and from the file's positions:

- every set of options: each combination of their values where there are at most `MOST_COMBINATIONS`, otherwise the defaults, each
  single change and each pair of changes;
- with the options at their defaults, each single reading changed;
- of a number, the lowest and the highest stand for the others; of faces, the lowest alone, the lowest beside the default, and all.

A position that cannot be at a table is left out there. Each position says over how many rolls is counted with every choice at its
default, with one option changed, with several, and with another reading; 0 leaves these out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from typing import NamedTuple

import jsonschema

from ludo_dsl.conformance.counting.perft import Counts, count
from ludo_dsl.game.errors import PositionError
from ludo_dsl.play.game import Game, RuleBook
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.resources import data_root, spec_path
from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting
from ludo_dsl.rules.table import TableError, shown_value

MOST_COMBINATIONS = 32
ROLLS_OF = ("default", "option", "options", "reading")

Rolls = tuple[int, int, int, int]
"""Over how many rolls is counted, in the order of `ROLLS_OF`."""

Chosen = Mapping[str, str]
"""Settings away from their defaults, by name, written as on the command line."""


class Place(NamedTuple):
    """A fixed position of a table file: `text` in the notation, or none for the opening of a game.

    `rolls` says over how many rolls is counted: with defaults alone, with one option changed, with several, with another
    reading; not at all where it says 0.
    """

    name: str
    players: int
    text: str | None
    rolls: Rolls
    about: str


@dataclass(frozen=True, slots=True)
class Case:
    """A position at a table: what an entry counts."""

    place: Place
    options: Chosen
    readings: Chosen

    @property
    def rolls(self) -> int:
        """Over how many rolls is counted."""
        default, one, several, reading = self.place.rolls
        return reading if self.readings else (default, one, several)[min(len(self.options), 2)]

    def key(self) -> str:
        """The case in one line, such as `opening-2 capture-roll=off`."""
        chosen = (f"{name}={value}" for name, value in chain(self.options.items(), self.readings.items()))
        return " ".join((self.place.name, *chosen))


@dataclass(frozen=True, slots=True)
class Entry:
    """A case and what was counted over 1, 2, … rolls."""

    case: Case
    counts: tuple[Counts, ...]


@dataclass(frozen=True)
class PerftTable:
    """A table file."""

    variant: str
    places: tuple[Place, ...]
    entries: tuple[Entry, ...]

    @cached_property
    def by_key(self) -> dict[str, Entry]:
        """The entries by the keys of their cases."""
        return {entry.case.key(): entry for entry in self.entries}


class Difference(NamedTuple):
    """Where a file and the rules differ: an entry, the number of rolls and the column, with what the file has and what was counted.

    An entry that the file lacks, or has beyond the plan, has no rolls and no column.
    """

    entry: str
    rolls: int | None
    column: str | None
    expected: int | None
    found: int | None

    def says(self) -> str:
        """The difference in words."""
        if self.column is None:
            return f"`{self.entry}` is missing" if self.expected is None else f"`{self.entry}` belongs to no table of the rule book"
        return f"`{self.entry}`, {self.rolls} {'roll' if self.rolls == 1 else 'rolls'}: {self.column} {self.expected}, counted {self.found}"


# ---- which entries there are -----------------------------------------------------------------------------------------


def changes(book: Book, setting: Setting) -> tuple[str, ...]:
    """The values away from the default with which a setting is counted."""
    match setting.domain:
        case Named(values):
            found = [value.name for value in values]
        case Range(low, high):
            found = [str(low), str(high)]
        case FaceSet(default):
            found = _face_sets(default, frozenset(face for face, _ in book.dice.faces))
    return tuple(dict.fromkeys(value for value in found if value != shown_value(setting.default)))


def _face_sets(default: frozenset[int], faces: frozenset[int]) -> list[str]:
    lowest = frozenset({min(faces)})
    return [shown_value(chosen) for chosen in (lowest, default | lowest, faces)]


def option_sets(book: Book) -> tuple[Chosen, ...]:
    """The sets of options that are counted, the defaults first."""
    options = [s for s in book.settings if s.role == "option"]
    values = [[(s.id, value) for value in changes(book, s)] for s in options]
    most = len(options) if prod(len(v) + 1 for v in values) <= MOST_COMBINATIONS else 2
    return tuple(dict(chosen) for size in range(most + 1) for group in combinations(values, size) for chosen in product(*group))


def choices(book: Book) -> Iterator[tuple[Chosen, Chosen]]:
    """The options and readings of every table that is counted, the defaults first."""
    for options in option_sets(book):
        yield options, {}
    for setting in book.settings:
        if setting.role == "reading":
            for value in changes(book, setting):
                yield {}, {setting.id: value}


def plan(rules: RuleBook, places: Iterable[Place]) -> Iterator[tuple[Case, Game]]:
    """Every case of a table file with its game, position by position; a position that cannot be at a table is left out there.

    Raises:
        NotationError: a position is no text of the notation.
    """
    for place in places:
        for options, readings in choices(rules.book):
            case = Case(place, options, readings)
            if not case.rolls:
                continue
            try:
                game = opened(rules, case)
            except (TableError, PositionError):
                continue
            yield case, game


def opened(rules: RuleBook, case: Case) -> Game:
    """The game of a case. Raises `TableError` or `PositionError` where the position cannot be at that table."""
    place = case.place
    if place.text is None:
        return rules.start(place.players, case.options, case.readings)
    return rules.position(place.text, place.players, case.options, case.readings)


def counted(case: Case, game: Game) -> Entry:
    """The entry of a case.

    Raises:
        KeyboardInterrupt: Ctrl-C; an entry is whole or not at all.
    """
    found = count(game.engine, game.state, case.rolls)
    if not found.complete:
        raise KeyboardInterrupt
    return Entry(case, found.counts)


# ---- comparing and filling -------------------------------------------------------------------------------------------

AfterEach = Callable[[Entry], None]


def filled(table: PerftTable, rules: RuleBook, after_each: AfterEach) -> PerftTable:
    """The table with its entries counted anew; lets `KeyboardInterrupt` through, for half a table is not to be written."""
    entries = []
    for case, game in plan(rules, table.places):
        entries.append(counted(case, game))
        after_each(entries[-1])
    return replace(table, entries=tuple(entries))


def compared(table: PerftTable, rules: RuleBook, after_each: AfterEach) -> Iterator[Difference]:
    """The differences between a table and the rules, as they are found; lets `KeyboardInterrupt` through."""
    left = dict(table.by_key)
    for case, game in plan(rules, table.places):
        entry = counted(case, game)
        after_each(entry)
        yield from _differences(case.key(), left.pop(case.key(), None), entry)
    for key, entry in left.items():
        yield Difference(key, None, None, len(entry.counts), None)


def _differences(key: str, expected: Entry | None, found: Entry) -> Iterator[Difference]:
    if expected is None:
        yield Difference(key, None, None, None, len(found.counts))
        return
    if len(expected.counts) != len(found.counts):
        yield Difference(key, len(found.counts), "levels", len(expected.counts), len(found.counts))
    for rolls, (old, new) in enumerate(zip(expected.counts, found.counts, strict=False), start=1):
        for column, was, now in zip(Counts._fields, old, new, strict=True):
            if was != now:
                yield Difference(key, rolls, column, was, now)


# ---- files -----------------------------------------------------------------------------------------------------------


def table_path(variant: str) -> Path:
    """Where the table of a variant lies."""
    return data_root() / "conformance" / "perft" / f"{variant}.json"


def tabled_variants() -> tuple[str, ...]:
    """The variants that have a table, in alphabetical order."""
    return tuple(sorted(path.stem for path in table_path("any").parent.glob("*.json")))


def read_table(path: Path) -> PerftTable:
    """The table of a file.

    Raises:
        OSError: the file cannot be read.
        RecordError: it is no table of roll-perft.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(value, json.loads(spec_path("schema", "perft-table.json").read_text(encoding="utf-8")))
    except ValueError as error:
        raise RecordError(path.name, 0, f"is no JSON: {error}") from None
    except jsonschema.ValidationError as error:
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
        raise RecordError(path.name, 0, f"`{where}`: {error.message}" if where else error.message) from None
    places = {p["name"]: Place(p["name"], p["players"], p["position"], _rolls_of(p["rolls"]), p["about"]) for p in value["positions"]}
    unknown = next((e["at"] for e in value["entries"] if e["at"] not in places), None)
    if unknown is not None:
        raise RecordError(path.name, 0, f"there is no position `{unknown}`", "name one of `positions`")
    entries = (
        Entry(Case(places[e["at"]], e["options"], e["readings"]), tuple(Counts(*row) for row in e["counts"])) for e in value["entries"]
    )
    return PerftTable(value["variant"], tuple(places.values()), tuple(entries))


def _rolls_of(given: Mapping[str, int]) -> Rolls:
    default, one, several, reading = (given[name] for name in ROLLS_OF)
    return default, one, several, reading


def table_text(table: PerftTable) -> str:
    """A table as it is written to its file: JSON with one position and one entry a line."""
    places = [
        {"name": p.name, "players": p.players, "position": p.text, "rolls": dict(zip(ROLLS_OF, p.rolls, strict=True)), "about": p.about}
        for p in table.places
    ]
    entries = [{"at": e.case.place.name, "options": e.case.options, "readings": e.case.readings, "counts": e.counts} for e in table.entries]
    head = {"$schema": "../../spec/schema/perft-table.json", "variant": table.variant, "columns": Counts._fields}
    fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    fields += [f'"{name}": [\n{_lines(items)}\n]' for name, items in (("positions", places), ("entries", entries))]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _lines(items: Iterable[object]) -> str:
    return ",\n".join("  " + json.dumps(item, ensure_ascii=False) for item in items)
