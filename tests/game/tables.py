"""Tables to test at: every bundled rule book, with every value of every option and reading, and games played there by given numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.game.events import Step
from ludo_dsl.game.notation import move_text
from ludo_dsl.game.state import Choice, Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

Chosen = tuple[tuple[str, SettingValue], ...]
"""Options and readings that differ from their defaults, by name."""


@dataclass(frozen=True)
class Setup:
    """A table by name: what a test needs to make it, and nothing of it made yet."""

    variant: str
    players: int
    chosen: Chosen = ()

    def __str__(self) -> str:
        return "/".join([self.variant, str(self.players), *(f"{name}={shown_value(value)}" for name, value in self.chosen)])

    @property
    def table(self) -> Table:
        """The table; raises `TableError` where the rule book does not offer it."""
        return _table(self)


@cache
def _table(setup: Setup) -> Table:
    rules = book_of(setup.variant)
    given: dict[str, dict[str, object]] = {"option": {}, "reading": {}}
    for name, value in setup.chosen:
        setting = rules.setting(name)
        assert setting is not None
        given[setting.role][name] = value
    return make_table(rules, setup.players, given["option"], given["reading"])


@cache
def engine(setup: Setup) -> Interpreter:
    """The engine of a table, made once."""
    return Interpreter(setup.table)


def others(setting: Setting) -> tuple[SettingValue, ...]:
    """The values that are tried beside the default: all names, both ends of a range, one face, two and all."""
    match setting.domain:
        case Named(values):
            found: tuple[SettingValue, ...] = tuple(v.name for v in values)
        case Range(low, high):
            found = (low, high)
        case FaceSet():
            found = (frozenset({1}), frozenset({1, 6}), frozenset(range(1, 7)))
    return tuple(v for v in found if v != setting.default)


def offered(setup: Setup) -> bool:
    """Whether the rule book offers the table."""
    try:
        _table(setup)
    except TableError:
        return False
    return True


@cache
def singles(variant: str, players: int) -> tuple[Setup, ...]:
    """The table of all defaults, and one for each other value of each option and reading, alone as far as that is offered.

    A value that only goes with another one is taken together with the first that lets it be; one that does not go with
    this number of players is left out.
    """
    rules = book_of(variant)
    found = [Setup(variant, players)]
    for setting in rules.settings:
        for value in others(setting):
            alone = Setup(variant, players, ((setting.id, value),))
            paired = (Setup(variant, players, ((o.id, v), (setting.id, value))) for o in rules.settings if o != setting for v in others(o))
            fitting = next((s for s in (alone, *paired) if offered(s)), None)
            if fitting is not None:
                found.append(fitting)
    return tuple(found)


@cache
def counts(variant: str) -> tuple[int, ...]:
    """The numbers of players that a rule book seats."""
    return book_of(variant).players.counts


def every_single() -> list[Setup]:
    """Every table of `singles`, for every rule book and number of players."""
    return [setup for variant in variant_names() for players in counts(variant) for setup in singles(variant, players)]


def each_value() -> list[Setup]:
    """Every value of every option and reading at one table each: the smallest number of players that offers it."""
    found: dict[tuple[str, Chosen], Setup] = {}
    for setup in every_single():
        found.setdefault((setup.variant, setup.chosen), setup)
    return list(found.values())


# ---- games -----------------------------------------------------------------------------------------------------------

Pick = Callable[[int], int]
"""Chooses one of so many, from 0."""


def numbers(seed: str) -> Pick:
    """A chooser that hangs on the seed alone: the same on every machine and in every version of Python."""
    taken = 0

    def pick(count: int) -> int:
        nonlocal taken
        taken += 1
        digest = hashlib.sha256(f"{seed}/{taken}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % count

    return pick


@dataclass(frozen=True)
class Ply:
    """One roll or one choice, the position before it and what came of it."""

    before: State
    roll: Roll | None
    choice: Choice | None
    step: Step


def choices(at: Interpreter, state: State) -> list[tuple[str, Choice]]:
    """The legal choices with their texts, in the order of the texts."""
    return sorted(((move_text(at.table, state, c), c) for c in at.legal(state)), key=lambda pair: pair[0])


def game(at: Interpreter, pick: Pick, first: int = 0) -> Iterator[Ply]:
    """A game in which rolls and choices are picked; it goes on until it is over."""
    weights = dict(at.table.book.dice.faces)
    now = at.start(first)
    while not now.over:
        if now.awaits_roll:
            faces = [face for face in at.faces(now) for _ in range(weights[face])]
            roll = tuple(faces[pick(len(faces))] for _ in range(at.table.book.dice.count))
            ply = Ply(now, roll, None, at.roll(now, roll))
        else:
            legal = at.legal(now)
            choice = legal[0] if len(legal) == 1 else choices(at, now)[pick(len(legal))][1]
            ply = Ply(now, None, choice, at.move(now, choice))
        yield ply
        now = ply.step.state
