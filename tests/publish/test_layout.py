"""Boards are laid out so that people can follow the track, and no two squares fall on one another."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import pytest

from ludo_dsl.publish.layout import CELL, Cell, Layout, layout
from ludo_dsl.publish.shapes import Point
from ludo_dsl.rules.table import Table, make_table
from tests.publish.boards import OTHERS, TABLES, book, measured


def apart(a: Point, b: Point) -> float:
    return hypot(a.x - b.x, a.y - b.y)


def characters(plan: Layout) -> list[tuple[int, int]]:
    cells = [*plan.cells, *(home.cell for home in plan.homes)]
    squares = [(cell.row, cell.column + i) for cell in cells for i in range(CELL)]
    boxes = [
        (yard.box.at.row + r, yard.box.at.column + c) for yard in plan.yards for r in range(yard.box.height) for c in range(yard.box.width)
    ]
    return squares + boxes


@pytest.fixture(params=TABLES, ids=lambda name: name)
def table(request: pytest.FixtureRequest) -> Table:
    return TABLES[request.param]


def test_every_square_yard_and_home_has_characters_of_its_own(table: Table) -> None:
    taken = characters(layout(table))
    assert len(set(taken)) == len(taken)


def test_every_square_of_every_route_is_laid_out(table: Table) -> None:
    squares = {square for route in table.routes for square in route.squares if square is not None}
    squares |= set(range(table.measures.ring))
    plan = layout(table)
    assert squares == set(range(len(plan.cells))) == set(range(len(plan.points)))


def test_everything_fits_the_grid(table: Table) -> None:
    plan = layout(table)
    taken = characters(plan)
    assert min(row for row, _ in taken) == min(column for _, column in taken) == 0
    assert max(row for row, _ in taken) + 1 == plan.rows
    assert max(column for _, column in taken) + 1 == plan.columns


def test_no_two_squares_overlap_in_the_plane(table: Table) -> None:
    points = layout(table).points
    closest = min(apart(a, b) for i, a in enumerate(points) for b in points[:i])
    # Squares of neighbouring arms may touch at corners, never nearer than their sides are long.
    assert closest > 0.99


def test_consecutive_squares_of_the_track_are_neighbours(table: Table) -> None:
    points = layout(table).points
    ring = table.measures.ring
    steps = [apart(points[square], points[(square + 1) % ring]) for square in range(ring)]
    # Lanes longer than an arm widen the middle, and the step round its corner with it.
    longest = 1.9 if table.measures.lane < table.measures.arm // 2 + 1 else 9.0
    assert max(steps) < longest


def test_the_lane_begins_beside_its_turning_and_leads_straight_home(table: Table) -> None:
    plan = layout(table)
    for i, route in enumerate(table.routes):
        turning = route.squares[route.turning]
        lane = [square for square in route.squares[route.lane :] if square is not None]
        assert turning is not None
        way = [plan.points[square] for square in (turning, *lane)]
        assert [apart(a, b) for a, b in pairwise(way)] == pytest.approx([1.0] * len(lane))
        assert apart(way[0], way[-1]) == pytest.approx(len(lane))
        if plan.homes:
            assert apart(plan.homes[i].middle, way[-1]) < apart(plan.homes[i].middle, way[0])


def test_the_approach_leads_step_by_step_to_the_start_square(table: Table) -> None:
    plan = layout(table)
    for route in table.routes:
        squares = [square for square in route.squares[1 : route.start + 1] if square is not None]
        steps = [apart(plan.points[a], plan.points[b]) for a, b in pairwise(squares)]
        assert max(steps, default=0.0) <= 2.0


def test_the_track_runs_clockwise(table: Table) -> None:
    points = layout(table).points[: table.measures.ring]
    # Twice the enclosed area is positive for a clockwise round where y grows downward.
    assert sum(a.x * b.y - b.x * a.y for a, b in zip(points, [*points[1:], points[0]])) > 0


def test_boards_of_the_projects_books_fit_a_terminal_of_120_by_60(table: Table) -> None:
    if table.measures not in OTHERS.values():
        plan = layout(table)
        # A few lines more are for the legend.
        assert plan.columns <= 120
        assert plan.rows <= 55


@pytest.mark.parametrize(("arm", "side"), [(13, 15), (17, 19), (15, 17)])
def test_the_cross_of_odd_arms_is_a_square_of_the_usual_size(arm: int, side: int) -> None:
    plan = layout(make_table(book("ludolive"), 4, readings={"arm-length": arm}))
    rows = [cell.row for cell in plan.cells]
    columns = {cell.column for cell in plan.cells}
    assert max(rows) - min(rows) + 1 == side
    assert max(columns) - min(columns) == CELL * (side - 1)
    assert {(column - min(columns)) % CELL for column in columns} == {0}


def test_the_cross_of_ten_squares_an_arm_is_eleven_by_eleven() -> None:
    plan = layout(measured(OTHERS["mensch"]))
    rows = [cell.row for cell in plan.cells]
    assert max(rows) - min(rows) + 1 == 11
    steps = [apart(a, b) for a, b in zip(plan.points[:40], [*plan.points[1:40], plan.points[0]])]
    assert steps == pytest.approx([1.0] * 40)


def test_the_classical_board_begins_in_the_left_arm_below_the_first_yard() -> None:
    plan = layout(make_table(book("amarnepal")))
    # Row 7 of 15 is the upper row of the left arm (6 rows above it), the start is its second square.
    assert plan.cells[0] == Cell(6, CELL)
    assert plan.cells[50] == Cell(7, 0)
    assert [plan.cells[52 + i] for i in range(5)] == [Cell(7, CELL * (i + 1)) for i in range(5)]
    red = plan.yards[0].box
    assert red.at.row + red.height <= 6
    assert red.at.column + red.width <= 6 * CELL


def test_the_board_of_two_arms_is_long() -> None:
    plan = layout(make_table(book("qdan"), 2, {"shape": "match"}))
    assert len({cell.row for cell in plan.cells}) == 3


def test_the_board_of_three_arms_is_a_t() -> None:
    plan = layout(make_table(book("qdan"), 3, {"shape": "match"}))
    by_row: dict[int, list[int]] = {}
    for cell in plan.cells:
        by_row.setdefault(cell.row, []).append(cell.column)
    widths = [max(columns) - min(columns) for _, columns in sorted(by_row.items())]
    assert min(widths[:3]) > 3 * max(widths[3:])
    assert len(widths) > 6
