"""The meeting table in rows for people: equal meetings are one row, with ranges of pieces; and as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

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

_EACH_AS_ALONE: Body = (AS_ALONE, (("", AS_ALONE),))


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
        self.bounds = bounds
        self.alone = {c.company.groups: c for c in cells if len(c.company.present) == 1}
        self.hosts = any(_axis(g) == _HOSTS for c in cells for g in c.company.groups)
        self.bodies = [(cell, self._body(cell)) for cell in cells]

    def rows(self) -> list[tuple[str, Body]]:
        """Company and what comes out, for the company of one relation first."""
        found: list[tuple[str, Body]] = []
        by_pattern = groupby(sorted(self.bodies, key=lambda b: _order(_pattern(b[0]))), key=lambda b: _pattern(b[0]))
        for pattern, bodies in by_pattern:
            found += self._ranges(pattern, list(bodies))
        mixed = [body for cell, body in self.bodies if len(cell.company.present) > 1]
        if _EACH_AS_ALONE in mixed:
            words = "mixed company" if all(body == _EACH_AS_ALONE for body in mixed) else "other mixed company"
            found.append((words, _EACH_AS_ALONE))
        return found

    def _body(self, cell: Cell) -> Body:
        return _EACH_AS_ALONE if len(cell.company.present) > 1 and self._as_alone(cell) else body_of(cell)

    def _as_alone(self, cell: Cell) -> bool:
        """Whether each relation fares as it does without the others."""
        parts = [self.alone.get(tuple(g for g in cell.company.groups if g.owner is r)) for r in cell.company.present]
        alone = [part for part in parts if part is not None]
        if len(alone) < len(parts):
            return False
        # Where the landing is certainly forbidden, the rest of what would happen there is not told.
        telling = (_refusals, _passed, _bars) if cell.forbidden else (_refusals, _passed, _bars, _fates)
        return all(told(cell) == frozenset().union(*(told(part) for part in alone)) for told in telling)

    def _ranges(self, pattern: Pattern, bodies: list[tuple[Cell, Body]]) -> list[tuple[str, Body]]:
        """The rows of one pattern, in the reading that needs the fewest; company that fares as if alone is left out."""
        found = [rows for facets in _readings(pattern, self.bounds) if (rows := self._reading(pattern, facets, bodies)) is not None]
        if not found:
            raise AssertionError("the last reading tells all meetings apart")
        return min(found, key=len)

    def _reading(self, pattern: Pattern, facets: Facets, bodies: list[tuple[Cell, Body]]) -> list[tuple[str, Body]] | None:
        """The rows in one reading; nothing if it takes meetings together that end differently."""
        found: dict[Coordinates, Body] = {}
        for cell, body in bodies:
            if found.setdefault(tuple(f.of(cell) for f in facets), body) != body:
                return None
        boxes = [(box, body) for box, body in _boxes(found) if body != _EACH_AS_ALONE]
        return [(self._words(pattern, _ranges_of(facets, box, found)), body) for box, body in boxes]

    # ---- words -------------------------------------------------------------------------------------------------------

    def _words(self, pattern: Pattern, ranges: dict[Facet, Range]) -> str:
        together = ranges.get(_TOGETHER)
        if together is None:
            return listed([self._range(axis, pattern, ranges) for axis in pattern])
        who = listed([self._name(axis, pattern) for axis in pattern])
        text = who if together.all else f"{who}, {together.words()} together"
        colour = ranges.get(_STRANGERS_COLOUR)
        if colour is None or colour.all:
            return text
        strangers = self._name(_STRANGERS, pattern)
        return f"{text}, {_of_one_colour(colour, strangers)}"

    def _range(self, axis: Axis, pattern: Pattern, ranges: dict[Facet, Range]) -> str:
        owner = axis[0]
        where = self._name(axis, pattern).removeprefix(named(owner))
        total = ranges.get(Facet(axis))
        colour = ranges.get(_STRANGERS_COLOUR) if axis == _STRANGERS else None
        if total and total.low == total.high and (total.high < total.most or total.high == self._real(axis)):
            text = many(total.low, owner)
        elif total and not total.all:
            text = f"{total.words()} {named(owner)}"
        else:
            text = named(owner)
        if colour is None or colour.all:
            return text + where
        if total is None or total.all:
            if colour.low > 1 and colour.high == colour.most:
                return f"{colour.low} or more {named(owner)} of one colour{where}"
        elif colour.low == total.high:
            return f"{many(total.high, owner)} of one colour{where}"
        return f"{text}{where}, {_of_one_colour(colour)}"

    def _name(self, axis: Axis, pattern: Pattern) -> str:
        owner, at_home = axis
        if owner is Owner.OWN or not (at_home or (axis == _STRANGERS and self.hosts)):
            return named(owner)
        if at_home:
            return f"{named(owner)} on their own start square"
        return f"{named(owner)} off theirs" if _HOSTS in pattern else f"{named(owner)} off their own start square"

    def _real(self, axis: Axis) -> int:
        """The most pieces that there can be."""
        owner, at_home = axis
        bounds = self.bounds
        if owner is Owner.OWN:
            return 1 if self.square.single else (bounds.pieces * (1 if self.square.private else bounds.own_colours)) - 1
        if owner is Owner.ALLIES:
            return bounds.pieces * bounds.own_colours
        return bounds.pieces * (1 if at_home else bounds.enemy_colours)


Axis = tuple[Owner, bool]
Pattern = tuple[Axis, ...]
_HOSTS: Axis = (Owner.ENEMIES, True)
_STRANGERS: Axis = (Owner.ENEMIES, False)


@dataclass(frozen=True, slots=True)
class Facet:
    """A number that tells companies apart: the pieces of an axis (of all, without one), or the most of one colour among them."""

    axis: Axis | None = None
    of_one_colour: bool = False

    def of(self, cell: Cell) -> int:
        """That number of a meeting."""
        sizes = [g.count for g in cell.company.groups if self.axis is None or _axis(g) == self.axis]
        return max(sizes) if self.of_one_colour else sum(sizes)


Facets = tuple[Facet, ...]
_TOGETHER = Facet()
_STRANGERS_COLOUR = Facet(_STRANGERS, of_one_colour=True)


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a facet has in a row, and those that it can have at all; the most stand for any that are more."""

    low: int
    high: int
    least: int
    most: int

    @property
    def all(self) -> bool:
        """Whether the row does not hang on the facet."""
        return self.low == self.least and self.high == self.most

    def words(self) -> str:
        """The range: `2`, `2 to 3`, `4 or more`."""
        if self.high == self.most:
            return f"{self.low} or more"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


def _of_one_colour(colour: Range, who: str = "") -> str:
    """How many of those named are of one colour, as far as the range tells."""
    of_whom = f" {who}" if who else ""
    if colour.high == 1:
        return f"no two{of_whom} of one colour"
    if colour.low == 1:
        return f"at most {colour.high}{of_whom} of one colour"
    return f"{colour.words()}{of_whom} of {'one' if colour.high == colour.most else 'the commonest'} colour"


def _readings(pattern: Pattern, bounds: Bounds) -> list[Facets]:
    """Ways of telling meetings of one pattern apart, the coarsest first. No statement tells more than the last."""
    together: list[Facets] = [(_TOGETHER,)] if len(pattern) > 1 else []
    totals = tuple(Facet(axis) for axis in pattern)
    if not bounds.apart or _STRANGERS not in pattern:
        return [*together, totals]
    others = tuple(Facet(axis) for axis in pattern if axis != _STRANGERS)
    coloured = [(*facets, _STRANGERS_COLOUR) for facets in (others, *together, totals)]
    return [*together, totals, *coloured]


def _ranges_of(facets: Facets, box: Box, found: dict[Coordinates, Body]) -> dict[Facet, Range]:
    low, high = _widest(box, found)
    least, most = _limits(found)
    return {facet: Range(*numbers) for facet, *numbers in zip(facets, low, high, least, most, strict=True)}


def _axis(group: Group) -> Axis:
    return group.owner, group.at_home is True


def _pattern(cell: Cell) -> Pattern:
    return tuple(dict.fromkeys(_axis(g) for g in cell.company.groups))


def _order(pattern: Pattern) -> tuple[int, list[tuple[int, bool]]]:
    return len({owner for owner, _ in pattern}), [(RELATIONS.index(owner), at_home) for owner, at_home in pattern]


# ---- what is the same with company and without -----------------------------------------------------------------------


def _refusals(cell: Cell) -> frozenset[object]:
    return frozenset(cell.passing.refusals)


def _passed(cell: Cell) -> frozenset[object]:
    return frozenset(_fate(o, cell) for o in cell.passing.outcomes)


def _bars(cell: Cell) -> frozenset[object]:
    """The rules that certainly forbid the landing."""
    return frozenset(o.rule for o in cell.outcomes if o.fate is Fate.FORBIDDEN and o.residual == ALWAYS)


def _fates(cell: Cell) -> frozenset[object]:
    return frozenset(_fate(o, cell) for o in cell.outcomes)


def _fate(outcome: Outcome, cell: Cell) -> object:
    """What happens to whom, without the company."""
    return outcome.relation, outcome.fate, outcome.reach, outcome.rule, outcome.residual, _chosen(outcome, cell)


# ---- boxes -----------------------------------------------------------------------------------------------------------


Box = tuple[Coordinates, Coordinates]
"""The lowest and the highest coordinates of a row."""


def _boxes(found: dict[Coordinates, Body]) -> list[tuple[Box, Body]]:
    """Ranges of coordinates with the same body that cover all that are found, each once; no others can be."""
    left = dict(sorted(found.items()))
    _, most = _limits(found)
    boxes = []
    while left:
        low, body = next(iter(left.items()))
        high = low
        for axis in range(len(low)):
            longer = _moved(high, axis, 1)
            while longer[axis] <= most[axis] and all(left.get(p) == body for p in _inside((low, longer), found)):
                high, longer = longer, _moved(longer, axis, 1)
        for point in _inside((low, high), found):
            del left[point]
        boxes.append(((low, high), body))
    return boxes


def _widest(box: Box, found: dict[Coordinates, Body]) -> Box:
    """The box without the bounds that need not be told, because the others leave nothing beyond them."""
    inside = _inside(box, found)
    least, most = _limits(found)
    for axis in reversed(range(len(least))):
        low, high = box
        wider = _moved(low, axis, least[axis] - low[axis]), high
        box = wider if _inside(wider, found) == inside else box
        low, high = box
        wider = low, _moved(high, axis, most[axis] - high[axis])
        box = wider if _inside(wider, found) == inside else box
    return box


def _limits(found: dict[Coordinates, Body]) -> Box:
    axes = [*zip(*found, strict=True)]
    return tuple(min(axis) for axis in axes), tuple(max(axis) for axis in axes)


def _moved(point: Coordinates, axis: int, by: int) -> Coordinates:
    return tuple(n + by * (i == axis) for i, n in enumerate(point))


def _inside(box: Box, found: dict[Coordinates, Body]) -> list[Coordinates]:
    """The coordinates in a box that a meeting has."""
    return [p for p in found if all(a <= n <= b for a, n, b in zip(box[0], p, box[1], strict=True))]


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
