"""The meeting table in rows for people: equal meetings are one row, with ranges of pieces; and as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, product

from ludo_dsl.check.meeting_cells import Cell, Fate, MeetingTable, Outcome, Reach, Verdict
from ludo_dsl.check.meeting_words import condition_words, fate_words, listed, many, named
from ludo_dsl.check.squares import RELATIONS, Bounds, Group, Square
from ludo_dsl.rules.expressions import ALWAYS, Expr, Owner
from ludo_dsl.rules.statements import StatementId

AS_ALONE = "each as if alone"
"""The outcome of company of several relations in which each fares as it does without the others."""


@dataclass(frozen=True, slots=True)
class Row:
    """Meetings that end alike: the square, the company, the passage, and for whom (empty: everyone) what comes out."""

    square: str
    company: str
    passing: str
    outcomes: tuple[tuple[str, str], ...]


Body = tuple[str, tuple[tuple[str, str], ...]]
Coordinates = tuple[int, ...]


def rows(table: MeetingTable) -> list[Row]:
    """The rows of a meeting table. Kinds of square on which the same happens share their rows."""
    bodies: dict[tuple[tuple[str, Body], ...], list[str]] = {}
    for square, cells in groupby(table.cells, key=lambda c: c.square):
        body = tuple(_Square(square, tuple(cells), table.ground.bounds).rows())
        bodies.setdefault(body, []).append(square.label)
    return [Row(", ".join(labels), company, *body) for body_rows, labels in bodies.items() for company, body in body_rows]


def body_of(cell: Cell) -> Body:
    """What comes out of a meeting, in words: the passage, and each relation with its outcomes."""
    return _passing(cell), _outcomes(cell)


# ---- outcomes --------------------------------------------------------------------------------------------------------


def _passing(cell: Cell) -> str:
    passing = cell.passing
    happens = [f"{named(o.relation)}: {_outcome(o, cell)}" for o in passing.outcomes]
    certain = passing.verdict is Verdict.REFUSED
    refusals = [_by("refused", rule, residual) for rule, residual in passing.refusals if not certain or residual == ALWAYS]
    return "; ".join([*(refusals or ["allowed"]), *happens])


def _outcomes(cell: Cell) -> tuple[tuple[str, str], ...]:
    if cell.forbidden:
        certain = [o for o in cell.outcomes if o.residual == ALWAYS]
        return (("", "; ".join(dict.fromkeys(_outcome(o, cell) for o in certain))),)
    found = []
    for relation in (*RELATIONS, None):
        outcomes = cell.of(relation)
        if outcomes:
            found.append((named(relation), "; ".join(_outcome(o, cell) for o in outcomes)))
        elif relation in cell.company.present:
            found.append((named(relation), "undecided"))
    return tuple(found)


def _outcome(outcome: Outcome, cell: Cell) -> str:
    return _by(_chosen(outcome, cell) + fate_words(outcome), outcome.rule, outcome.residual)


def _chosen(outcome: Outcome, cell: Cell) -> str:
    if outcome.relation is None or outcome.covers == cell.company.members(outcome.relation):
        return ""
    at_home = all(cell.company.groups[i].at_home for i in outcome.covers)
    return f"those {'on' if at_home else 'off'} their own start square "


def _by(text: str, rule: StatementId | None, residual: Expr) -> str:
    condition = "" if residual == ALWAYS else f" if {condition_words(residual)}"
    return f"{text}{condition} ({rule.rule if rule else 'the board'})"


# ---- rows of one square ----------------------------------------------------------------------------------------------


class _Square:
    """Groups the meetings on one kind of square."""

    def __init__(self, square: Square, cells: tuple[Cell, ...], bounds: Bounds) -> None:
        self.square = square
        self.cells = cells
        self.bounds = bounds
        self.alone = {c.company.groups: c for c in cells if len(c.company.present) == 1}

    def rows(self) -> list[tuple[str, Body]]:
        """Company and what comes out, for the company of one relation first."""
        found: list[tuple[str, Body]] = []
        mixed = [c for c in self.cells if len(c.company.present) > 1]
        special = [c for c in mixed if not self._as_alone(c)]
        by_pattern = sorted([*self.alone.values(), *special], key=lambda c: _order(_pattern(c)))
        for pattern, cells in groupby(by_pattern, key=_pattern):
            found += self._ranges(pattern, list(cells))
        if len(special) < len(mixed):
            words = "other mixed company" if special else "mixed company"
            found.append((words, (AS_ALONE, (("", AS_ALONE),))))
        return found

    def _as_alone(self, cell: Cell) -> bool:
        """Whether each relation fares as it does without the others."""
        parts = [self.alone.get(tuple(g for g in cell.company.groups if g.owner is r)) for r in cell.company.present]
        alone = [part for part in parts if part is not None]
        refusals = {refusal for part in alone for refusal in part.passing.refusals}
        if len(alone) < len(parts) or set(cell.passing.refusals) != refusals:
            return False
        if cell.forbidden or any(part.forbidden for part in alone):
            barred = {o.rule for part in alone for o in part.outcomes if o.fate is Fate.FORBIDDEN}
            return {o.rule for o in cell.outcomes} <= barred
        return _fates(cell) == frozenset().union(*(_fates(part) for part in alone))

    def _ranges(self, pattern: Pattern, cells: list[Cell]) -> list[tuple[str, Body]]:
        for words, coordinates in self._readings(pattern):
            found: dict[Coordinates, Body] = {}
            if all(found.setdefault(coordinates(c), body_of(c)) == body_of(c) for c in cells):
                return [(words(low, high), body) for low, high, body in _boxes(found)]
        raise AssertionError("the last reading tells all meetings apart")

    def _readings(self, pattern: Pattern) -> list[tuple[Words, Callable[[Cell], Coordinates]]]:
        """Ways of telling meetings of one pattern apart, the coarsest first."""
        by_total: tuple[Words, Callable[[Cell], Coordinates]] = (
            lambda low, high: self._together(pattern, low[0], high[0]),
            lambda c: (sum(g.count for g in c.company.groups),),
        )
        totals: tuple[Words, Callable[[Cell], Coordinates]] = (
            lambda low, high: self._counted(pattern, low, high, of_one_colour=False),
            lambda c: tuple(sum(g.count for g in c.company.groups if _axis(g) == axis) for axis in pattern),
        )
        largest: tuple[Words, Callable[[Cell], Coordinates]] = (
            lambda low, high: self._counted(pattern, low, high, of_one_colour=True),
            lambda c: tuple(max(g.count for g in c.company.groups if _axis(g) == axis) for axis in pattern),
        )
        exact: tuple[Words, Callable[[Cell], Coordinates]] = (
            lambda low, high: listed([self._range(a, n, n, False) for a, n in zip(_spread(pattern, low), low, strict=True)]),
            lambda c: tuple(g.count for g in c.company.groups),
        )
        return [*([by_total] if len(pattern) > 1 else []), totals, largest, exact]

    # ---- words -------------------------------------------------------------------------------------------------------

    def _together(self, pattern: Pattern, low: int, high: int) -> str:
        most = sum(self._most(axis)[0] for axis in pattern)
        who = listed([_name(axis, pattern) for axis in pattern])
        amount = f"{low} or more" if high >= most else str(low) if low == high else f"{low} to {high}"
        return who if low <= len(pattern) and high >= most else f"{who}, {amount} together"

    def _counted(self, pattern: Pattern, low: Coordinates, high: Coordinates, *, of_one_colour: bool) -> str:
        ranges = zip(pattern, low, high, strict=True)
        texts = [self._range(axis, a, b, of_one_colour) for axis, a, b in ranges]
        if _HOSTS in pattern and len(pattern) > 1:
            texts = [t if axis != _STRANGERS else f"{t} off theirs" for t, axis in zip(texts, pattern, strict=True)]
        return listed(texts)

    def _range(self, axis: Axis, low: int, high: int, of_one_colour: bool) -> str:
        owner, at_home = axis
        where = " on their own start square" if at_home and owner is not Owner.OWN else ""
        of_one_colour = of_one_colour and owner is Owner.ENEMIES and not at_home and self.bounds.apart
        most, real = self._most(axis)
        if of_one_colour:
            most = min(most, self.bounds.pieces)
            where = " of one colour" if high > 1 else ", no two of one colour"
        if high < most or low == high == real:
            text = many(low, owner) if low == high else f"{low} to {high} {named(owner)}"
            return (named(owner) if of_one_colour and high == 1 else text) + where
        return f"{named(owner) if low == 1 and not of_one_colour else f'{low} or more {named(owner)}'}{where}"

    def _most(self, axis: Axis) -> tuple[int, int]:
        """The most pieces that are told apart, and the most that there can be."""
        owner, at_home = axis
        bounds = self.bounds
        if owner is Owner.OWN:
            real = 1 if self.square.single else (bounds.pieces * (1 if self.square.private else bounds.own_colours)) - 1
            return min(bounds.own, real), real
        if owner is Owner.ALLIES:
            return bounds.allies, bounds.pieces * bounds.own_colours
        real = bounds.pieces * (1 if at_home else bounds.enemy_colours)
        return min(bounds.enemies, real), real


Axis = tuple[Owner, bool]
Pattern = tuple[Axis, ...]
_HOSTS: Axis = (Owner.ENEMIES, True)
_STRANGERS: Axis = (Owner.ENEMIES, False)
Words = Callable[[Coordinates, Coordinates], str]


def _axis(group: Group) -> Axis:
    return group.owner, group.at_home is True


def _pattern(cell: Cell) -> Pattern:
    return tuple(dict.fromkeys(_axis(g) for g in cell.company.groups))


def _name(axis: Axis, pattern: Pattern) -> str:
    owner, at_home = axis
    if at_home and owner is not Owner.OWN:
        return f"{named(owner)} on their own start square"
    return f"{named(owner)} off theirs" if axis == _STRANGERS and _HOSTS in pattern else named(owner)


def _order(pattern: Pattern) -> tuple[int, list[tuple[int, bool]]]:
    return len({owner for owner, _ in pattern}), [(RELATIONS.index(owner), at_home) for owner, at_home in pattern]


def _spread(pattern: Pattern, sizes: Coordinates) -> Pattern:
    """The pattern with an axis for each group: only the last axis, enemies, can have several."""
    return (*pattern, *(pattern[-1:] * (len(sizes) - len(pattern))))


def _fates(cell: Cell) -> frozenset[tuple[object, ...]]:
    """What happens to whom, without the company."""
    outcomes = (*cell.passing.outcomes, *cell.outcomes)
    return frozenset((o.relation, o.fate, o.reach, o.rule, o.residual, _chosen(o, cell)) for o in outcomes)


def _boxes(found: dict[Coordinates, Body]) -> list[tuple[Coordinates, Coordinates, Body]]:
    """Ranges of coordinates with the same body that cover all of them, each once."""
    left = dict(sorted(found.items()))
    boxes = []
    while left:
        low, body = next(iter(left.items()))
        high = low
        for axis in range(len(low)):
            while _all(low, longer := _longer(high, axis), left, body):
                high = longer
        for point in _points(low, high):
            del left[point]
        boxes.append((low, high, body))
    return boxes


def _longer(high: Coordinates, axis: int) -> Coordinates:
    return tuple(n + (i == axis) for i, n in enumerate(high))


def _all(low: Coordinates, high: Coordinates, left: dict[Coordinates, Body], body: Body) -> bool:
    return all(left.get(point) == body for point in _points(low, high))


def _points(low: Coordinates, high: Coordinates) -> Iterable[Coordinates]:
    return product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))


# ---- plain data ------------------------------------------------------------------------------------------------------


def as_json(table: MeetingTable) -> dict[str, object]:
    """The whole table as plain data, one entry for each meeting."""
    return {
        "squares": [square.label for square in table.ground.squares],
        "meetings": [_cell_json(cell) for cell in table.cells],
    }


def _cell_json(cell: Cell) -> dict[str, object]:
    groups = cell.company.groups
    return {
        "square": cell.square.label,
        "company": [{"who": str(g.owner), "count": g.count, "on_own_start": g.at_home is True} for g in groups],
        "passing": {
            "verdict": str(cell.passing.verdict),
            "by": [{"rule": str(rule), "if": _if(residual)} for rule, residual in cell.passing.refusals],
            "outcomes": [_outcome_json(o, cell) for o in cell.passing.outcomes],
        },
        "landing": "forbidden" if cell.forbidden else "allowed",
        "outcomes": [_outcome_json(o, cell) for o in cell.outcomes],
    }


def _outcome_json(outcome: Outcome, cell: Cell) -> dict[str, object]:
    return {
        "who": "mover" if outcome.relation is None else str(outcome.relation),
        "fate": str(outcome.fate),
        "reach": str(Reach.ALL if outcome.relation is None else outcome.reach),
        "pieces": sum(cell.company.groups[i].count for i in outcome.covers) if outcome.relation is not None else 1,
        "rule": str(outcome.rule) if outcome.rule else None,
        "if": _if(outcome.residual),
    }


def _if(residual: Expr) -> str | None:
    return None if residual == ALWAYS else condition_words(residual)
