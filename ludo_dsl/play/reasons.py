"""Why a ply of a game was legal and did what it did: the rules that took part, in the words of the rule book."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludo_dsl.game.events import Part
from ludo_dsl.play.game import Game
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.wording import fill

_LEGAL = {Part.ALLOWED, Part.NARROWED}


@dataclass(frozen=True, slots=True)
class Use:
    """A rule that took part: how, the clauses that it states, and its sentences for this table."""

    rule: str
    parts: tuple[Part, ...]
    clauses: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def makes_legal(self) -> bool:
        """Whether the rule allowed the move, or was one that narrowed the choice."""
        return not _LEGAL.isdisjoint(self.parts)

    @property
    def acted(self) -> bool:
        """Whether the rule took part in what was done."""
        return not _LEGAL.issuperset(self.parts)

    def text(self) -> str:
        """The rule for people."""
        cited = f" [{' '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.rule}{cited}" + (f": {' '.join(self.sentences)}" if self.sentences else "")

    def as_json(self) -> dict[str, object]:
        """The rule as plain data."""
        return {
            "rule": self.rule,
            "parts": [str(p) for p in self.parts],
            "clauses": list(self.clauses),
            "sentences": list(self.sentences),
        }


def uses(games: Iterable[Game]) -> tuple[Use, ...]:
    """The rules that took part in the last steps of games, each once, in order."""
    found: dict[str, dict[Part, None]] = {}
    table: Table | None = None
    for game in games:
        table = game.table
        for entry in game.last.trace if game.last is not None else ():
            found.setdefault(entry.statement.rule, {})[entry.part] = None
    if table is None:
        return ()
    return tuple(Use(rule, tuple(parts), table.book.clauses_of(rule), sentences(table, rule)) for rule, parts in found.items())


def sentences(table: Table, rule: str) -> tuple[str, ...]:
    """What a rule says, in the sentences of the rule book for this table."""
    declaration = table.book.declaration(rule)
    if declaration is None:
        return ()
    return tuple(fill(s.text, table, declaration) for s in declaration.sentences if table.holds(s.condition))
