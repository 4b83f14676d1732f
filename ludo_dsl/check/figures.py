"""The numbers that a sentence may speak of: those of the rules around it, so that text and rules cannot drift apart.

A sentence may use the numbers

- of its own declaration: statements, measures, settings, claims with their scenarios;
- of whatever hangs on an option or reading that the declaration is, or that its conditions (or the sentence's) ask about;
- of faces that some statement of the book asks about (`die = 6`): a six is a six in every sentence;
- 1, because a bare `enemies here` means at least one.

`6 rolled 3 times` gives 3 and also 2: the rolls before the last one are spoken of as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cached_property

from ludo_dsl.check.tables import settings_in
from ludo_dsl.rules.book import Book, Declaration, GivenClaim, Sentence
from ludo_dsl.rules.expressions import Compare, EveryDie, Expr, Fact, FactOf, Number, RolledTimes, SettingId
from ludo_dsl.rules.folding import walk
from ludo_dsl.rules.statements import NeverRoll, Statement, StatementId
from ludo_dsl.source import Span


def numbers_in(value: object) -> frozenset[int]:
    """Every number in a checked value, however deep."""
    match value:
        case bool() | StatementId() | Span():
            return frozenset()
        case int():
            return frozenset({value})
        case RolledTimes(face, times):
            return frozenset({face, times, times - 1})
        case tuple() | frozenset() | list():
            return frozenset().union(*(numbers_in(item) for item in value))
        case _ if is_dataclass(value) and not isinstance(value, type):
            return frozenset().union(*(numbers_in(getattr(value, f.name)) for f in fields(value)))
        case _:
            return frozenset()


def settings_of(value: object) -> frozenset[SettingId]:
    """The options and readings that a checked value asks about, however deep."""
    match value:
        case _ if isinstance(value, Expr):
            return settings_in(value)
        case tuple() | list():
            return frozenset().union(*(settings_of(item) for item in value))
        case _ if is_dataclass(value) and not isinstance(value, type):
            return frozenset().union(*(settings_of(getattr(value, f.name)) for f in fields(value)))
        case _:
            return frozenset()


class Figures:
    """The numbers of a book, by declaration."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._hanging: dict[SettingId, frozenset[int]] = {}

    def of(self, declaration: Declaration, sentence: Sentence) -> frozenset[int]:
        """The numbers that a sentence of a declaration may use."""
        own = self._own(declaration)
        asked = settings_in(declaration.condition, sentence.condition) | settings_of(self._statements(declaration.name))
        if declaration.kind in ("option", "reading"):
            asked |= {SettingId(declaration.name)}
        return own | self._faces | {1} | frozenset().union(*(self._hanging_on(name) for name in asked))

    def _statements(self, name: str) -> list[Statement]:
        return self._by_rule.get(name, [])

    @cached_property
    def _by_rule(self) -> dict[str, list[Statement]]:
        found: dict[str, list[Statement]] = {}
        for statement in self.book.statements:
            found.setdefault(statement.id.rule, []).append(statement)
        return found

    def _own(self, declaration: Declaration) -> frozenset[int]:
        found = numbers_in(self._statements(declaration.name)) | numbers_in(declaration.condition)
        match declaration.kind:
            case "board":
                return found | numbers_in(self.book.board) | self._players
            case "players":
                return found | numbers_in(self.book.players) | self._players | self._group_sizes
            case "dice":
                return found | numbers_in(self.book.dice)
            case "option" | "reading":
                setting = self.book.setting(declaration.name)
                return found | (numbers_in((setting.domain, setting.only_if)) if setting else frozenset())
            case "host":
                return found | numbers_in(declaration.host_settings)
            case "claim":
                return found | frozenset().union(*(_claimed(a) for a in declaration.assertions))
            case _:
                return found

    @cached_property
    def _players(self) -> frozenset[int]:
        return frozenset(self.book.players.counts)

    @cached_property
    def _group_sizes(self) -> frozenset[int]:
        """Sides, players of a side, colours of a player."""
        players = self.book.players
        sides = {n for s in players.sides for n in (len(s.groups), *(len(g) for g in s.groups))}
        return frozenset(sides | {len(seat) for _, seating in players.seats for seat in seating})

    @cached_property
    def _faces(self) -> frozenset[int]:
        """Faces of the dice that some statement asks about by number."""
        found: set[int] = set()
        for statement in self.book.statements:
            if isinstance(statement, NeverRoll):
                found.add(statement.face)
            for part in _parts(statement):
                match part:
                    case Compare("=", FactOf(Fact.DIE), Number(face)) | EveryDie("=", face) | RolledTimes(face):
                        found.add(face)
                    case _:
                        pass
        return frozenset(found)

    def _hanging_on(self, name: SettingId) -> frozenset[int]:
        """The numbers of statements and measures that hang on an option or reading."""
        if name not in self._hanging:
            self._hanging[name] = self._find_hanging_on(name)
        return self._hanging[name]

    def _find_hanging_on(self, name: SettingId) -> frozenset[int]:
        board, players = self.book.board, self.book.players
        found: frozenset[int] = numbers_in([s for s in self.book.statements if s.id.rule == name or name in settings_of(s)])
        for part in (board.arms, board.arm, *board.marks, *players.sides, *players.setups, *self.book.counters):
            if name in settings_of(part):
                found |= numbers_in(part)
                if any(p == FactOf(Fact.PLAYERS) for p in _parts(part)):
                    found |= self._players
                if part in players.sides:
                    found |= self._group_sizes
        return found


def _parts(value: object) -> Iterable[Expr]:
    """Every expression within a checked value, parts of expressions included."""
    if isinstance(value, Expr):
        yield from walk(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _parts(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from _parts(getattr(value, f.name))


def _claimed(assertion: object) -> frozenset[int]:
    """The numbers of a claim: of its scenario also those written in positions, and how many rolls and moves there are."""
    found = numbers_in(assertion)
    if isinstance(assertion, GivenClaim):
        texts = [assertion.position, *(str(r) for r in assertion.rolls), *(t for _, outcome in assertion.outcomes for t in outcome)]
        found |= {int(n) for text in texts for n in re.findall(r"[0-9]{1,6}", text)}
        found |= {len(assertion.rolls), *(len(outcome) for _, outcome in assertion.outcomes)}
    return found
