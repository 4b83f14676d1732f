"""Two engines in step: the same position, the same rolls and the same moves, until they show something different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

from ludo_dsl.conformance.telling.shown import Difference, Eyes
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import EndlessRulesError, GameError, IllegalRollError
from ludo_dsl.game.notation import move_text, once_names, position_text, read_move, roll_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Choice, Roll, State
from ludo_dsl.rules.table import Table

MOST_MOVES = 400
"""Moves that are tried after the rolls of one position, at most: positions full of pieces and dice have too many."""

ROLLS = 5
"""Single rolls of games played in step that count as one position in which every roll is tried."""

STEPS = 25
"""Rolls and moves that are made from a position of the usual size; larger ones count as several."""

ENDLESS = "the rules chase each other"

Step = Roll | str
"""A roll, as the faces that fell, or a move, as text."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game that tells two engines apart in its last step.

    `position` is where it begins (nothing: the opening, in which the player numbered `first` begins); `steps` are rolls (tuples
    of faces) and moves (texts as the first engine reads them); without a step, the beginning itself differs.
    """

    position: str | None
    first: int
    steps: tuple[Step, ...]
    difference: Difference

    @property
    def rolls(self) -> int:
        """Rolls of the game."""
        return sum(isinstance(step, tuple) for step in self.steps)

    @property
    def moves(self) -> int:
        """Moves of the game."""
        return len(self.steps) - self.rolls

    @property
    def size(self) -> tuple[int, ...]:
        """What makes one game shorter than another: rolls, then moves, pieces out of the yard, those on the way, fields, characters."""
        if self.position is None:
            return self.rolls, self.moves
        fields = split_fields(self.position)
        places = [p for n, v in fields.items() if n not in _WORDS and "." not in n for p in v.split(",")]
        out = sum(p != "Y" for p in places)
        return self.rolls, self.moves, out, out - places.count("H"), len(fields), len(self.position)


_WORDS = frozenset({"turn", "pool", "rolled", "owed", "due", "retired", "round", "first", "order", "last"})


class Both(NamedTuple):
    """The states of both engines at one moment of the game."""

    a: State
    b: State


Level = dict[Both, tuple[Step, ...]]
"""Moments of the game with the steps that led there."""

Found = tuple[tuple[Step, ...], Difference]
"""The steps up to a difference, and what differs."""


class Pair:
    """Plays two engines in step. The tables must have the same colours and pieces (`same_setting`)."""

    def __init__(self, a: Engine, b: Engine) -> None:
        self.a, self.b = a, b
        self.eyes = Eyes(a, b)
        self.tried = 0
        self.steps = 0
        self._single = 0
        self._unknown = _Unknown(a.table, b.table, self.eyes)

    @cached_property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll that the dice of either table can show, the order of two dice apart."""
        dice = self.a.table.book.dice, self.b.table.book.dice
        faces = sorted({face for d in dice for face, _ in d.faces})
        return tuple(combinations_with_replacement(faces, dice[0].count))

    @property
    def spent(self) -> int:
        """What the search has cost, in positions of the usual size: those tried, or more where they have many moves."""
        return max(self.tried, self.steps // STEPS)

    def count_rolls(self, number: int) -> None:
        """Counts rolls of a game played in step towards the positions tried."""
        self._single += number
        self.tried += self._single // ROLLS
        self._single %= ROLLS

    # ---- beginnings --------------------------------------------------------------------------------------------------

    def read(self, text: str) -> Both | None:
        """A position in both engines; none where the first cannot have it, or the second for more than an unknown memory."""
        try:
            return Both(self.a.read(text), self.b.read(self._unknown.dropped(text)))
        except (GameError, EndlessRulesError):
            return None

    def start(self, first: int) -> Both | Difference | None:
        """The opening of both; none where the first engine has none."""
        try:
            state = self.a.start(first)
        except EndlessRulesError:
            return None
        try:
            both = Both(state, self.b.start(first))
        except EndlessRulesError:
            return Difference("state", position_text(self.a.table, state), ENDLESS)
        return self.eyes.difference(*both) or both

    # ---- steps -------------------------------------------------------------------------------------------------------

    def roll(self, both: Both, roll: Roll) -> Both | Difference | None:
        """Both after a roll, or what differs then; none where both refuse it."""
        self.steps += 1
        a, b = _rolled(self.a, both.a, roll), _rolled(self.b, both.b, roll)
        if a is None and b is None:
            return None
        if isinstance(a, str):
            return None
        if a is None or b is None:
            said = f"refuses {roll_text(roll)}", f"accepts {roll_text(roll)}"
            return Difference("refused-roll", *(said if a is None else said[::-1]))
        if isinstance(b, str):
            return Difference("state", position_text(self.a.table, a), b)
        return self._seen(Both(a, b))

    def move(self, both: Both, choice: tuple[Choice, Choice]) -> Both | Difference | None:
        """Both after a legal move of both, or what differs then; none where the first engine's rules never end."""
        self.steps += 1
        try:
            a = self.a.move(both.a, choice[0]).state
        except EndlessRulesError:
            return None
        try:
            b = self.b.move(both.b, choice[1]).state
        except EndlessRulesError:
            return Difference("state", position_text(self.a.table, a), ENDLESS)
        return self._seen(Both(a, b))

    def _seen(self, both: Both) -> Both | Difference:
        found = self.eyes.difference(*both)
        if found is not None:
            return found
        choices = self.choices(both)
        return choices if isinstance(choices, Difference) else both

    def choices(self, both: Both) -> tuple[tuple[Choice, Choice], ...] | Difference:
        """The legal choices of both side by side, or how they differ; none while a roll is due."""
        return () if both.a.awaits_roll or both.a.over else self.eyes.choices(*both)

    # ---- searching from a position -----------------------------------------------------------------------------------

    def look(self, text: str, depth: int = 1, rolls: Sequence[Roll] | None = None) -> Told | None:
        """The shortest game of at most `depth` rolls (of all, or those given) from a position that shows a difference, if any."""
        both = self.read(text)
        if both is None:
            return None
        found = self.at_once(both)
        if found is not None:
            return Told(text, 0, (), found)
        told = self.from_here(both, depth, self.rolls if rolls is None else rolls)
        return None if told is None else Told(text, 0, *told)

    def at_once(self, both: Both) -> Difference | None:
        """What differs in a position as it is set up."""
        if set(both.a.retired) != set(both.b.retired):
            return None
        found = self.eyes.unlike_at_first(*both)
        if found is not None:
            return found
        choices = self.choices(both)
        return choices if isinstance(choices, Difference) else None

    def from_here(self, both: Both, depth: int, rolls: Sequence[Roll]) -> Found | None:
        """The steps of the shortest difference within so many rolls of states that show the same."""
        level: Level = {}
        found = self.move_on({both: ()}, level) if not both.a.awaits_roll else None
        if both.a.awaits_roll:
            level[both] = ()
        for _ in range(depth):
            if found is not None:
                return found
            rolled: Level = {}
            found = self.roll_on(level, rolled, rolls)
            if found is None:
                level = {b: s for b, s in rolled.items() if b.a.awaits_roll}
                found = self.move_on({b: s for b, s in rolled.items() if not b.a.awaits_roll}, level)
        return found

    def roll_on(self, level: Level, after: Level, rolls: Sequence[Roll] | None = None) -> Found | None:
        """Makes every roll, or those given, from positions that await one; `after` gathers what comes. The first difference, if any."""
        for both, steps in level.items():
            self.tried += 1
            for roll in self.rolls if rolls is None else rolls:
                result = self.roll(both, roll)
                if isinstance(result, Difference):
                    return (*steps, roll), result
                if result is not None and not result.a.over:
                    after.setdefault(result, (*steps, roll))
        return None

    def move_on(self, level: Level, resting: Level) -> Found | None:
        """Makes every move until a roll is due everywhere; `resting` gathers those positions."""
        made = 0
        while level and made < MOST_MOVES:
            following: Level = {}
            for both, steps in level.items():
                for text, result in self.moves(both):
                    made += 1
                    if isinstance(result, Difference):
                        return (*steps, text), result
                    if result is not None and not result.a.over:
                        (resting if result.a.awaits_roll else following).setdefault(result, (*steps, text))
            level = following
        return None

    def moves(self, both: Both) -> Iterator[tuple[str, Both | Difference | None]]:
        """Every choice of states that show the same, as text, and what comes of it."""
        choices = self.choices(both)
        assert not isinstance(choices, Difference), "states with different choices are told apart already"
        for choice in choices:
            yield move_text(self.a.table, both.a, choice[0]), self.move(both, choice)

    # ---- following ---------------------------------------------------------------------------------------------------

    def step(self, both: Both, step: Step) -> Both | Difference | None:
        """Both after a given roll or move, or what differs then; none where it cannot be made."""
        if isinstance(step, tuple):
            return self.roll(both, step) if both.a.awaits_roll else None
        choices = self.choices(both)
        if isinstance(choices, Difference):
            return choices
        try:
            wanted = read_move(self.a.table, both.a, step, [c for c, _ in choices])
        except GameError:
            return None
        return self.move(both, next(pair for pair in choices if pair[0] is wanted))

    def follow(self, told: Told, steps: Sequence[Step]) -> Told | None:
        """A game from the same beginning with other steps, cut after the first difference; none without one."""
        at = self.begin(told)
        if at is None or isinstance(at, Difference):
            return Told(told.position, told.first, (), at) if at else None
        for number, step in enumerate(steps, 1):
            result = self.step(at, step)
            if isinstance(result, Difference):
                return Told(told.position, told.first, tuple(steps[:number]), result)
            if result is None:
                return None
            at = result
        return None

    def begin(self, told: Told) -> Both | Difference | None:
        """The beginning of a game in both engines."""
        if told.position is None:
            return self.start(told.first)
        both = self.read(told.position)
        return None if both is None else self.at_once(both) or both

    # ---- texts -------------------------------------------------------------------------------------------------------

    def texts(self, both: Both) -> tuple[str, ...]:
        """Texts of a position reached in step: as each writes it, and with what either remembers of it."""
        a, b = position_text(self.a.table, both.a), position_text(self.b.table, both.b)
        mine, theirs = split_fields(a), split_fields(b)
        merged = {**theirs, **mine}
        for name in ("rolled",):
            if len(theirs.get(name, "")) > len(mine.get(name, "")):
                merged[name] = theirs[name]
        return tuple(dict.fromkeys((a, joined(self.a.table, merged), b)))


def joined(table: Table, fields: dict[str, str]) -> str:
    """A position text of fields, in the order in which positions are written."""
    order = (*table.colours, "turn", "pool", "rolled", "owed", "due")
    names = [*(n for n in order if n in fields), *(n for n in fields if n not in order)]
    return " ".join(f"{n}={fields[n]}" for n in names)


def _rolled(engine: Engine, state: State, roll: Roll) -> State | str | None:
    """The state after a roll; none where it is refused; words where the rules then never end."""
    try:
        return engine.roll(state, roll).state
    except IllegalRollError:
        return None
    except EndlessRulesError:
        return ENDLESS


class _Unknown:
    """Fields of a position that the second rule book has no memory for, and which are therefore left out for it."""

    def __init__(self, a: Table, b: Table, eyes: Eyes) -> None:
        self._table = b
        memory = eyes.memories[1]
        heads = [w for w in ("round", "first", "captures", "order", "last") if not memory.tells(w)]
        heads += [c.id for c in a.counters if c.id not in {d.id for d in b.counters}]
        self._heads = frozenset(heads)
        self._once = frozenset(once_names(b))
        self._knows_all = not heads and frozenset(once_names(a)) <= self._once

    def dropped(self, text: str) -> str:
        """The text without those fields."""
        if self._knows_all:
            return text
        fields = {n: self._kept(n, v) for n, v in split_fields(text).items() if n.partition(".")[0] not in self._heads}
        return joined(self._table, {n: v for n, v in fields.items() if v is not None})

    def _kept(self, name: str, value: str) -> str | None:
        if not name.startswith("done."):
            return value
        return ",".join(w for w in value.split(",") if w in self._once) or None


def same_setting(a: Table, b: Table) -> bool:
    """Whether positions of two tables can be compared at all: the same colours, players and numbers of pieces."""
    seats = [[(p.name, p.colours) for p in t.players] for t in (a, b)]
    return (a.colours, a.pieces) == (b.colours, b.pieces) and seats[0] == seats[1]


def unlike_settings(a: Engine, b: Engine) -> Difference:
    """The difference of two openings that cannot be compared field by field."""
    return Difference("state", *(position_text(e.table, e.start(0)) for e in (a, b)))


__all__ = ["Both", "Pair", "Step", "Told", "joined", "same_setting", "unlike_settings"]
