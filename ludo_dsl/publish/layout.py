"""Where everything on a board lies: in the plane for pictures, and on a grid of characters for the terminal.

Builds on `shapes`, which knows the outline of a board; here squares, yards and homes of one table get their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, sqrt

from ludo_dsl.publish.shapes import Corner, Frame, Point, Shape, shape, start_depth, straight_run
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import Measures

CELL = 3
"""Characters that a square takes in its row of the terminal."""


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A place on the character grid: the row from above and the first of `CELL` columns from the left, both from 0."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of characters: its upper left corner and its measures."""

    at: Cell
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Yard:
    """The yard of one colour: middle, radius and a slot per piece in the plane; a box and a slot per piece on the grid."""

    middle: Point
    radius: float
    points: tuple[Point, ...]
    box: Box
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """The home of one colour: its part of the middle and where pieces gather there in the plane, and one cell on the grid."""

    outline: tuple[Point, ...]
    middle: Point
    cell: Cell


@dataclass(frozen=True, slots=True)
class Layout:
    """A board laid out.

    `points`, `angles` (degrees) and `cells` are by square: the ring, then the approach and lane of each seat. `yards` and
    `homes` are by colour at the table; `homes` is empty where the slots of the lane are the goal. `frames` are by arm. Of arms
    that no colour plays, `unplayed` are the squares of the lanes and `vacant` the parts of the middle. `columns` and `rows`
    measure the grid.
    """

    points: tuple[Point, ...]
    angles: tuple[float, ...]
    cells: tuple[Cell, ...]
    yards: tuple[Yard, ...]
    homes: tuple[Home, ...]
    frames: tuple[Frame, ...]
    unplayed: tuple[tuple[Point, float], ...]
    vacant: tuple[tuple[Point, ...], ...]
    columns: int
    rows: int


def layout(table: Table) -> Layout:
    """Where the squares, yards and homes of a table's board lie; no two of its cells on the grid overlap."""
    return _layout(table.measures, tuple(route.arm for route in table.routes), table.colours, table.pieces)


@lru_cache(maxsize=32)
def _layout(measures: Measures, arms: tuple[int, ...], colours: tuple[str, ...], pieces: int) -> Layout:
    form = shape(measures)
    placed = [*_ring(form, measures), *_private(form, measures, arms)]
    points = [point for point, _ in placed]
    homes = [] if measures.slots else [form.homes[arm] for arm in arms]
    grid = _grid([*points, *homes], form.slanted)
    cells = [grid.cell(point) for point in [*points, *homes]]
    boxes = _boxes(grid, [form.corners[arm] for arm in arms], cells, colours, pieces)
    top = min([cell.row for cell in cells] + [box.at.row for box in boxes])
    left = min([cell.column for cell in cells] + [box.at.column for box in boxes])
    cells = [Cell(cell.row - top, cell.column - left) for cell in cells]
    boxes = [Box(Cell(box.at.row - top, box.at.column - left), box.width, box.height) for box in boxes]
    spare = [i for i in range(measures.arms) if i not in arms]
    return Layout(
        points=tuple(points),
        angles=tuple(angle for _, angle in placed),
        cells=tuple(cells[: len(points)]),
        yards=tuple(_yard(form.corners[arm], box, pieces) for arm, box in zip(arms, boxes)),
        homes=tuple(Home(form.outlines[arm], home, cell) for arm, home, cell in zip(arms, homes, cells[len(points) :])),
        frames=form.frames,
        unplayed=tuple((form.frames[i].at(d), form.frames[i].angle) for i in spare for d in range(1, measures.lane + 1)),
        vacant=() if measures.slots else tuple(form.outlines[i] for i in spare),
        columns=max([cell.column + CELL for cell in cells] + [box.at.column + box.width for box in boxes]),
        rows=max([cell.row + 1 for cell in cells] + [box.at.row + box.height for box in boxes]),
    )


# ---- squares -----------------------------------------------------------------------------------------------------------


def _ring(form: Shape, measures: Measures) -> Iterator[tuple[Point, float]]:
    # The track of a shape begins at a tip, the ring at the start square behind it.
    for square in range(measures.ring):
        yield form.track[(square + measures.turning) % measures.ring]


def _private(form: Shape, measures: Measures, arms: Sequence[int]) -> Iterator[tuple[Point, float]]:
    for frame in (form.frames[arm] for arm in arms):
        yield from _approach(form, measures, frame)
        for depth in range(1, measures.lane + 1):
            yield frame.at(depth), frame.angle


def _approach(form: Shape, measures: Measures, frame: Frame) -> list[tuple[Point, float]]:
    """The squares of an approach, beside the start side of the arm and ending beside the start square.

    In a cross and a bar they come from within, to and fro where one row is too short; between slanted arms there is no room
    for that, so they come from outside.
    """
    depth = start_depth(measures, frame.room)
    straight = straight_run(measures, frame.room)
    backward = []
    for i in range(measures.approach):
        row, along = divmod(i, straight)
        inside = depth + (along if row % 2 == 0 else straight - 1 - along)
        at = frame.at(depth - i, 2) if form.slanted else frame.at(inside, 2 + row)
        backward.append((at, frame.angle))
    return backward[::-1]


# ---- the character grid ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Grid:
    """Characters per square across and down."""

    across: float
    down: float

    def cell(self, point: Point) -> Cell:
        return Cell(_rounded(point.y * self.down), _rounded(point.x * self.across))

    def error(self, points: Sequence[Point]) -> float:
        """How far the points move by rounding, in squares of a character's width; the less, the straighter the arms."""
        found = 0.0
        for point in points:
            cell = self.cell(point)
            found += (cell.column - point.x * self.across) ** 2 + (2 * (cell.row - point.y * self.down)) ** 2
        return found


def _rounded(value: float) -> int:
    # The small part keeps halves that arithmetic left a hair too low from falling to the other side.
    return floor(value + 0.5 + 1e-6)


def _grid(points: Sequence[Point], slanted: bool) -> _Grid:
    """The smallest grid on which no two points collide; of those about as small, the one that keeps the arms straightest."""
    if not slanted:
        return _Grid(CELL, 1)
    for smallest in range(CELL, 10 * CELL):
        # A character is about twice as high as it is wide; up to a fifth more height than that does no harm.
        candidates = [_Grid(smallest + i / 4, (smallest + i / 4) / 2 * (1 + j / 40)) for i in range(6) for j in range(-4, 9)]
        clear = [grid for grid in candidates if not _collide(grid.cell(point) for point in points)]
        if clear:
            return min(clear, key=lambda grid: grid.error(points))
    raise ValueError("two squares of the board lie on one another")


def _collide(cells: Iterable[Cell]) -> bool:
    ordered = sorted(cells)
    return any(a.row == b.row and b.column - a.column < CELL for a, b in pairwise(ordered))


# ---- yards and homes ---------------------------------------------------------------------------------------------------


def _side(pieces: int) -> int:
    """Slots in a row of a yard."""
    return max(1, ceil(sqrt(pieces)))


def _boxes(grid: _Grid, corners: Sequence[Corner], cells: Sequence[Cell], colours: Sequence[str], pieces: int) -> list[Box]:
    """A box for each yard as near to its corner as squares and other yards allow."""
    rows = -(-pieces // _side(pieces)) if pieces else 1
    boxes: list[Box] = []
    for corner, colour in zip(corners, colours):
        # Two frame lines, and room for the colour's mark and name in the upper one.
        width, height = max(_side(pieces) * 4 + 3, len(colour) + 7), rows + 2
        taken = [*boxes, *(Box(cell, CELL, 1) for cell in cells)]
        for step in range(1000):
            middle = corner.middle.plus(corner.away, step / 8)
            at = Cell(_rounded((middle.y + 0.5) * grid.down - height / 2), _rounded((middle.x + 0.5) * grid.across - width / 2))
            box = Box(at, width, height)
            if not any(_overlap(box, other) for other in taken):
                break
        boxes.append(box)
    return boxes


def _overlap(box: Box, other: Box) -> bool:
    """Whether two boxes share a character or touch in a row."""
    beside = box.at.column + box.width < other.at.column or other.at.column + other.width < box.at.column
    apart = box.at.row + box.height <= other.at.row or other.at.row + other.height <= box.at.row
    return not (beside or apart)


def _yard(corner: Corner, box: Box, pieces: int) -> Yard:
    side = _side(pieces)
    first = box.at.column + (box.width - (side * 4 - 1)) // 2
    cells = tuple(Cell(box.at.row + 1 + i // side, first + 4 * (i % side)) for i in range(pieces))
    return Yard(corner.middle, corner.radius, around(corner.middle, pieces, corner.radius * 0.9 * 2 / (side + 1)), box, cells)


def around(middle: Point, count: int, spacing: float) -> tuple[Point, ...]:
    """So many points in a square round a middle, `spacing` squares apart."""
    side = _side(count)
    rows = -(-count // side)
    found = []
    for i in range(count):
        row, column = divmod(i, side)
        in_row = min(side, count - row * side)
        found.append(Point(middle.x + (column - (in_row - 1) / 2) * spacing, middle.y + (row - (rows - 1) / 2) * spacing))
    return tuple(found)
