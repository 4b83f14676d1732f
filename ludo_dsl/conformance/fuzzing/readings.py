"""Which readings an engine takes of what its rule text leaves open, so far as the games of the fuzzer tell.

One reading of each question is assumed, at first the default. A difference that goes away under other readings, under which
everything seen before is explained as well, is no fault: these are assumed from then on. Each game that agrees is held against one of the
other answers in turn: what does not explain it is ruled out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal

from ludo_dsl.conformance.fuzzing.steps import Judge, Played
from ludo_dsl.conformance.fuzzing.tables import Tables
from ludo_dsl.conformance.scenarios.check_readings import answers_of, questions_of
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.rules.table import read_value, shown_value

KEPT = 100
"""Games that agreed, the last of them, that are kept to hold other readings against."""

CHECKS = 600
"""Combinations of other readings that are tried on a difference."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The reading that an engine takes of a question, and how that is known.

    `given`: it was told, or said by whoever asked; `shown`: no other answer explains what was seen; `open`: nothing seen
    contradicts it, and `others` would do as well.
    """

    question: str
    value: str
    how: Literal["given", "shown", "open"]
    others: tuple[str, ...] = ()


class Hypotheses:
    """What is assumed of the readings of an engine, `given` ones for good."""

    def __init__(self, tables: Tables, given: Mapping[str, object]) -> None:
        self.tables = tables
        book = tables.book
        questions = questions_of(book)
        known = {s.id: shown_value(read_value(book, s, given[s.id])) for s in questions if s.id in given}
        self._given = frozenset(known)
        self._assumed: dict[str, str] = {s.id: known.get(s.id, shown_value(s.default)) for s in questions}
        self._left: dict[str, list[str]] = {s.id: [known[s.id]] if s.id in known else list(answers_of(s, book)) for s in questions}
        self._evidence: list[Played] = []
        self._recent: deque[Played] = deque(maxlen=KEPT)
        self._turn = 0
        self.against = ""

    @property
    def assumed(self) -> Choices:
        """The readings that are assumed, of all questions."""
        return tuple(sorted(self._assumed.items()))

    def taken(self) -> tuple[Taken, ...]:
        """What is known of each question, in order of their names."""
        return tuple(self._taken(name, value) for name, value in self.assumed)

    def _taken(self, name: str, value: object) -> Taken:
        others = tuple(v for v in self._left[name] if v != value)
        return Taken(name, str(value), "given" if name in self._given else "open" if others else "shown", others)

    # ---- narrowing ---------------------------------------------------------------------------------------------------

    def agreed(self, played: Played) -> None:
        """A game has agreed with what is assumed: one other answer to one question is held against it."""
        others = [(name, v) for name, left in self._left.items() for v in left if v != self._assumed[name]]
        if not others or not played.actions:
            return
        self._turn += 1
        name, value = others[self._turn % len(others)]
        if self._explains(played, {**self._assumed, name: value}):
            self._recent.append(played)
        else:
            self._left[name].remove(value)
            self._evidence.append(played)

    def explain(self, played: Played) -> bool:
        """Whether other readings explain a game that differs, and all that was seen before; they are assumed from then on.

        Where some explain this game alone, `against` says which, and `inconsistent` is the word for the engine.
        """
        self.against = ""
        for readings in islice(self._others(), CHECKS):
            if not self._explains(played, readings):
                continue
            if all(self._explains(earlier, readings) for earlier in (*self._evidence, *self._recent)):
                self._assume(readings, played)
                return True
            changes = ", ".join(f"`{n}={v}`" for n, v in readings.items() if v != self._assumed[n])
            self.against = self.against or changes
        return False

    def _assume(self, readings: dict[str, str], played: Played) -> None:
        flipped = [n for n, v in readings.items() if v != self._assumed[n]]
        self._assumed = readings
        self._evidence.append(played)
        for name in flipped:
            left = [v for v in self._left[name] if v != readings[name] and self._explains(played, {**readings, name: v})]
            self._left[name] = [readings[name], *left]

    def _others(self) -> Iterator[dict[str, str]]:
        """Other readings of one question, then of two, then of three."""
        free = [(n, v) for n, left in self._left.items() if n not in self._given for v in left if v != self._assumed[n]]
        ruled = [
            (s.id, v)
            for s in questions_of(self.tables.book)
            if s.id not in self._given
            for v in answers_of(s, self.tables.book)
            if v not in self._left[s.id]
        ]
        # What a game ruled out may have been ruled out by another reading that has changed since.
        every = [*free, *ruled]
        for many in (1, 2, 3):
            for chosen in combinations(every, many):
                if len({name for name, _ in chosen}) == many:
                    yield {**self._assumed, **dict(chosen)}

    def _explains(self, played: Played, readings: Mapping[str, str]) -> bool:
        reference = self.tables.at(played.beginning.seating, tuple(sorted(readings.items())))
        if reference is None:
            return False
        try:
            judge = Judge(reference, played.beginning)
            return all(judge.judge(seen) is None for seen in played.seen)
        except (GameError, EndlessRulesError):
            return False
