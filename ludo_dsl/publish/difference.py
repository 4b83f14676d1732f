"""How the rules of two tables differ, in words: settings, rules, measures and what happens when pieces meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ludo_dsl.check.meeting_cells import meeting_table
from ludo_dsl.check.meeting_difference import Difference, differences
from ludo_dsl.publish.paraphrase import Paraphrase
from ludo_dsl.publish.reading import READ
from ludo_dsl.rules.book import Declaration, Named, Range, Setting
from ludo_dsl.rules.statements import Statement, StatementId
from ludo_dsl.rules.table import Table, shown_value
from ludo_dsl.rules.wording import fill

_NOWHERE = StatementId("", 0)


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """An option or reading that is not the same: its value in each table (nothing: the book has none), and its values."""

    role: str
    name: str
    label: str
    first: str | None
    second: str | None
    first_values: tuple[str, ...]
    second_values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What one table says under a name: its sentences, and the paraphrases of statements that the other table does not have."""

    sentences: tuple[str, ...]
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """A rule, or what an option or reading says, that is not the same; nothing where a table has no such rule in force."""

    name: str
    first: Side | None
    second: Side | None


@dataclass(frozen=True, slots=True)
class Differences:
    """All differences of two tables. Statements under rules of other names that say the same are no difference."""

    numbers: tuple[tuple[str, int | None, int | None], ...]
    settings: tuple[SettingDifference, ...]
    rules: tuple[RuleDifference, ...]
    meetings: tuple[Difference, ...]

    def __bool__(self) -> bool:
        return bool(self.numbers or self.settings or self.rules or self.meetings)

    def as_json(self) -> dict[str, object]:
        """The differences as plain data."""
        return {
            "numbers": [{"name": name, "a": a, "b": b} for name, a, b in self.numbers],
            "settings": [
                {
                    "role": s.role,
                    "name": s.name,
                    "label": s.label,
                    "a": None if s.first is None else {"value": s.first, "values": list(s.first_values)},
                    "b": None if s.second is None else {"value": s.second, "values": list(s.second_values)},
                }
                for s in self.settings
            ],
            "rules": [{"name": r.name, "a": _side_json(r.first), "b": _side_json(r.second)} for r in self.rules],
            "meetings": [
                {"square": m.square, "company": m.company, "a": _row_json(m.first), "b": _row_json(m.second)} for m in self.meetings
            ],
        }


def _side_json(side: Side | None) -> dict[str, object] | None:
    return None if side is None else {"sentences": list(side.sentences), "says": list(side.says)}


def _row_json(row: object) -> dict[str, object] | None:
    from ludo_dsl.check.meeting_text import Row

    if not isinstance(row, Row):
        return None
    return {"passing": row.passing, "outcomes": [{"who": who or None, "what": text} for who, text in row.outcomes]}


def compare(first: Table, second: Table) -> Differences:
    """How the rules at two tables differ."""
    return Differences(
        tuple(_numbers(first, second)),
        tuple(_settings(first, second)),
        tuple(_rules(first, second)),
        tuple(differences(meeting_table(first), meeting_table(second))),
    )


def _numbers(first: Table, second: Table) -> Iterator[tuple[str, int | None, int | None]]:
    left, right = ({**dict(t.numbers), "pieces on start": t.setup[1]} for t in (first, second))
    for name in dict.fromkeys([*left, *right]):
        if left.get(name) != right.get(name):
            yield name, left.get(name), right.get(name)


# ---- settings --------------------------------------------------------------------------------------------------------


def _settings(first: Table, second: Table) -> Iterator[SettingDifference]:
    names = dict.fromkeys(s.id for table in (first, second) for s in table.book.settings)
    for name in names:
        a, b = first.book.setting(name), second.book.setting(name)
        shown = [None if s is None else shown_value(t.chosen[s.id]) for t, s in ((first, a), (second, b))]
        if shown[0] == shown[1] and values(a) == values(b):
            continue
        table, setting = (second, b) if b is not None else (first, a)
        assert setting is not None
        declaration = table.book.declaration(name)
        assert declaration is not None
        label = fill(setting.label, table, declaration)
        yield SettingDifference(setting.role, name, label, shown[0], shown[1], values(a), values(b))


def values(setting: Setting | None) -> tuple[str, ...]:
    """The values that a setting can have, as words; none without a setting."""
    match setting.domain if setting is not None else None:
        case None:
            return ()
        case Named(found):
            return tuple(v.name for v in found)
        case Range(low, high):
            return (f"{low}..{high}",)
        case _:
            return ("any faces",)


# ---- rules -----------------------------------------------------------------------------------------------------------


def _rules(first: Table, second: Table) -> Iterator[RuleDifference]:
    sides = [_Sides(first), _Sides(second)]
    known = [side.known for side in sides]
    for name in dict.fromkeys([*sides[0].names, *sides[1].names]):
        a, b = sides[0].side(name, known[1]), sides[1].side(name, known[0])
        only = a or b
        # Sentences alone, under a name that the other book does not have, are other words for the same.
        reworded = (a is None or b is None) and only is not None and not only.says
        if a == b or reworded:
            continue
        yield RuleDifference(name, a, b)


class _Sides:
    """What is in force at one table, by the name under which it stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.say = Paraphrase(table.book)
        self.declared = {d.name: d for d in table.book.declarations if d.kind in READ and table.in_force(d)}
        self.statements: dict[str, list[Statement]] = {}
        for statement in table.statements:
            self.statements.setdefault(statement.id.rule, []).append(statement)
        self.known = {_bare(s) for s in table.statements}
        self.names = [n for n in self.declared if n in self.statements or self._sentences(self.declared[n])]

    def side(self, name: str, known: set[Statement]) -> Side | None:
        """What stands under a name, and what of it the other table does not know; nothing if nothing stands there."""
        if name not in self.names:
            return None
        new = [s for s in self.statements.get(name, []) if _bare(s) not in known]
        return Side(self._sentences(self.declared[name]), tuple(self.say(s) for s in new))

    def _sentences(self, declaration: Declaration) -> tuple[str, ...]:
        return tuple(fill(s.text, self.table, declaration) for s in declaration.sentences if self.table.holds(s.condition))


def _bare(statement: Statement) -> Statement:
    """A statement without the rule that it stands in."""
    return replace(statement, id=_NOWHERE)
