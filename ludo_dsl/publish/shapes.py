"""The outline of a board in the plane: where the track, the arms and the middle lie, before anything is drawn.

Lengths are in squares, x grows to the right and y downward, the middle of the board is the origin. A board is made of
units, one per arm: the square at the tip of the arm, then the track down the arm's start side, then up the other side of
the next arm, clockwise. Boards of two and three arms are a bar, with a stem for the third; all others are a star of arms
round a middle, of which the cross is the one with four.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, pi, sin, tan

from ludo_dsl.rules.topology import Measures

_YARD = 1.7
"""The radius of a yard beside a bar or between the arms of a star."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point or vector of the plane, in squares."""

    x: float
    y: float

    def plus(self, other: Point, times: float = 1.0) -> Point:
        """This point moved along a vector, `times` times."""
        return Point(self.x + other.x * times, self.y + other.y * times)


@dataclass(frozen=True, slots=True)
class Frame:
    """The coordinates of an arm: its tip, the way inward, and the way to its start side; `room` is its length in squares."""

    tip: Point
    inward: Point
    side: Point
    angle: float
    room: int

    def at(self, depth: float, lateral: float = 0.0) -> Point:
        """The point so many squares from the tip and so many to the start side."""
        return self.tip.plus(self.inward, depth).plus(self.side, lateral)


@dataclass(frozen=True, slots=True)
class Corner:
    """Where the yard of an arm lies: its middle, its radius, and the way to push it clear of the squares."""

    middle: Point
    radius: float
    away: Point


@dataclass(frozen=True, slots=True)
class Shape:
    """A board in the plane.

    `track` holds the squares of the ring from the tip of the first arm on, each with its angle in degrees. `homes` and
    `outlines` give for each arm the point where pieces are home and the piece of the middle that belongs to it. A board is
    `slanted` when not all of its arms lie along the rows and columns of a grid.
    """

    frames: tuple[Frame, ...]
    track: tuple[tuple[Point, float], ...]
    homes: tuple[Point, ...]
    outlines: tuple[tuple[Point, ...], ...]
    corners: tuple[Corner, ...]
    slanted: bool


def shape(measures: Measures) -> Shape:
    """The outline of a board of these measures (two arms or more)."""
    if measures.arms == 2 or (measures.arms == 3 and _stem_side(measures) >= 1):
        return _bar(measures)
    return _star(measures)


def _homeward(measures: Measures) -> int:
    """Squares that an arm needs behind its tip: the lane, and home where that is not the lane itself."""
    return measures.lane + (0 if measures.slots else 1)


# ---- stars: the cross, and more arms -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Build:
    """How the arms of a star are built.

    `column` is the number of squares on the start side of an arm, `first` and `last` are the depths on the other side,
    `inner` is the distance from the middle of the board to the inner end of the arms.
    """

    column: int
    first: int
    last: int
    inner: float


def _build(measures: Measures) -> _Build:
    arms, arm = measures.arms, measures.arm
    column = arm // 2
    narrow = 1.5 / tan(pi / arms)
    if arms == 4 and arm % 2 == 0 and _homeward(measures) <= column - 1:
        # Both columns end on one square at the inner corner, as on the board of Mensch ärgere dich nicht.
        return _Build(column, column - 2, 0, 0.5)
    # With an even number of squares, one of the two corners at the tip is left out.
    last = 0 if arm % 2 else 1
    return _Build(column, column - 1, last, narrow + _widening(measures, column, narrow))


def _widening(measures: Measures, column: int, narrow: float) -> float:
    """How much wider than usual the middle has to be for lanes and homes to fit into it."""
    if measures.arms == 4:
        if measures.slots:
            return max(0, measures.lane - column)
        return 0 if measures.lane <= column else measures.lane + 1 - column
    closest = 0.5 / sin(pi / measures.arms)
    innermost = narrow + column - 0.5 - _homeward(measures)
    return max(0.0, closest - innermost)


def _star(measures: Measures) -> Shape:
    build = _build(measures)
    arms = measures.arms
    # The first arm points to the left; with an odd number of arms, one points straight up.
    first = pi if arms % 2 == 0 else 1.5 * pi - (arms // 4) * 2 * pi / arms
    directions = [first + i * 2 * pi / arms for i in range(arms)]
    frames = tuple(_star_frame(direction, build) for direction in directions)
    return Shape(
        frames=frames,
        track=tuple(square for i in range(arms) for square in _star_unit(frames[i], frames[(i + 1) % arms], build)),
        homes=tuple(_star_home(frame, build, measures) for frame in frames),
        outlines=tuple(_star_outline(frame, build, measures) for frame in frames),
        corners=tuple(_star_corner(direction, build, measures) for direction in directions),
        slanted=arms != 4,
    )


def _star_frame(direction: float, build: _Build) -> Frame:
    outward = Point(cos(direction), sin(direction))
    # In a plane whose y grows downward, a quarter turn clockwise takes (x, y) to (-y, x).
    side = Point(-outward.y, outward.x)
    tip = Point(0, 0).plus(outward, build.inner + build.column - 0.5)
    return Frame(tip, Point(-outward.x, -outward.y), side, degrees(direction), build.column)


def _star_unit(frame: Frame, following: Frame, build: _Build) -> list[tuple[Point, float]]:
    down = [(frame.at(depth, 1), frame.angle) for depth in range(build.column)]
    up = [(following.at(depth, -1), following.angle) for depth in range(build.first, build.last - 1, -1)]
    return [(frame.at(0), frame.angle), *down, *up]


def _star_home(frame: Frame, build: _Build, measures: Measures) -> Point:
    if _home_in_corner(measures, build):
        return frame.at(measures.lane, 1)
    reach = build.inner + build.column - 0.5
    in_middle = reach - max(build.inner - 0.5, 0.5 / sin(pi / measures.arms))
    return frame.at(max(in_middle if measures.arms != 4 else round(in_middle - 0.2), measures.lane + 1))


def _home_in_corner(measures: Measures, build: _Build) -> bool:
    """Whether the lane takes the middle of its side of the centre, so that home is the corner beside it."""
    return measures.arms == 4 and measures.lane == build.column and not measures.slots


def _star_outline(frame: Frame, build: _Build, measures: Measures) -> tuple[Point, ...]:
    """The arm's part of the middle: a triangle, drawn out to the end of the lane where that ends before the middle."""
    middle = Point(0, 0)
    if _home_in_corner(measures, build):
        near, far, inner, outer = measures.lane - 0.5, measures.lane + 0.5, 0.5, 1.5
        return (frame.at(near, inner), frame.at(near, outer), frame.at(far, outer), frame.at(far, inner))
    reach = build.inner + build.column - 0.5
    lane_end = reach - measures.lane - 0.5
    if lane_end <= build.inner:
        wide = lane_end * tan(pi / measures.arms)
        return (frame.at(reach - lane_end, -wide), frame.at(reach - lane_end, wide), middle)
    wide = build.inner * tan(pi / measures.arms)
    neck, foot = measures.lane + 0.5, reach - build.inner
    out = [frame.at(foot, -0.5), frame.at(neck, -0.5), frame.at(neck, 0.5), frame.at(foot, 0.5)]
    return (frame.at(foot, -wide), *out, frame.at(foot, wide), middle)


def _star_corner(direction: float, build: _Build, measures: Measures) -> Corner:
    half = pi / measures.arms
    away = Point(cos(direction + half), sin(direction + half))
    apex = max(build.inner, 1.5 / tan(half)) / cos(half)
    outward = Point(-sin(direction), cos(direction))
    if measures.arms != 4:
        beside = 0.5 if measures.approach else 0.0
        return Corner(Point(0, 0).plus(away, apex + (_YARD + 0.25 + beside) / sin(half)).plus(outward, beside), _YARD, away)
    # A square in the corner of the cross, less the rows that an approach takes along the arm.
    inside = max(build.inner, 1.5)
    side = build.inner + build.column - inside
    rows = -(-measures.approach // straight_run(measures, build.column))
    middle = Point(0, 0).plus(away, (inside + side / 2) / cos(half))
    return Corner(middle.plus(outward, rows / 2), max(0.9, (side - rows) / 2 - 0.35), away)


def straight_run(measures: Measures, room: int) -> int:
    """How many squares of an approach fit in a row beside an arm of `room` squares, from the start square inward; at least 1."""
    return max(1, room - start_depth(measures, room))


def start_depth(measures: Measures, room: int) -> int:
    """How deep the start square lies in its arm of `room` squares, seen from the tip."""
    return max(0, min(measures.turning, room) - 1)


# ---- bars: the long board and the T ------------------------------------------------------------------------------------


def _bar_width(measures: Measures) -> int:
    """Columns of the bar between its two tips: the longer of the track and of two lanes end to end."""
    return max(measures.arm - 1, 2 * _homeward(measures))


def _stem_side(measures: Measures) -> int:
    """Squares on the under side of the bar, to each side of the stem; none or less where a stem does not fit."""
    return min((_bar_width(measures) - 3) // 2, measures.arm - 1 - measures.lane)


def _spread(start: Point, end: Point, count: int) -> list[tuple[Point, float]]:
    """So many squares evenly from one point to another."""
    if count == 1:
        return [(start.plus(end).plus(start.plus(end), -0.5), 0.0)]
    step = Point((end.x - start.x) / (count - 1), (end.y - start.y) / (count - 1))
    return [(start.plus(step, i), 0.0) for i in range(count)]


def _bar(measures: Measures) -> Shape:
    end = (_bar_width(measures) - 1) / 2
    room = _bar_width(measures) // 2 if measures.arms == 2 else _stem_side(measures) + 1
    left = Frame(Point(-end - 1, 0), Point(1, 0), Point(0, -1), 180.0, room)
    right = Frame(Point(end + 1, 0), Point(-1, 0), Point(0, 1), 0.0, room)
    top = [(left.tip, 0.0), *_spread(Point(-end, -1), Point(end, -1), measures.arm - 1)]
    frames = [left, right]
    if measures.arms == 2:
        track = [*top, (right.tip, 0.0), *_spread(Point(end, 1), Point(-end, 1), measures.arm - 1)]
    else:
        stem, below = _stem(measures, end, right)
        frames.append(stem)
        track = [*top, *below]
    depths = [_bar_width(measures) // 2] * 2 + [measures.arm - _stem_side(measures)]
    homes = tuple(frame.at(depth) for frame, depth in zip(frames, depths))
    outlines = tuple(_pointed(frame, measures.lane + 0.5, depth) for frame, depth in zip(frames, depths))
    return Shape(tuple(frames), tuple(track), homes, outlines, _bar_corners(frames), False)


def _stem(measures: Measures, end: float, right: Frame) -> tuple[Frame, list[tuple[Point, float]]]:
    """The stem of the T, and the track from the right tip round the stem to the left tip."""
    side = _stem_side(measures)
    length = measures.arm - 1 - side
    stem = Frame(Point(0, length + 2), Point(0, -1), Point(-1, 0), 90.0, length)
    near = end - side + 1 if side == (_bar_width(measures) - 3) // 2 else 2.0
    along = _spread(Point(end, 1), Point(near, 1), side)
    down = [(Point(1, 2 + i), 0.0) for i in range(length)]
    up = [(Point(-p.x, p.y), 0.0) for p, _ in reversed([*along, *down])]
    return stem, [(right.tip, 0.0), *along, *down, (stem.tip, 0.0), *up]


def _pointed(frame: Frame, start: float, home: float) -> tuple[Point, ...]:
    """A pointed box from the end of the lane to the home square."""
    return (frame.at(start, -0.5), frame.at(start, 0.5), frame.at(home + 0.1, 0.5), frame.at(home + 0.5), frame.at(home + 0.1, -0.5))


def _bar_corners(frames: list[Frame]) -> tuple[Corner, ...]:
    ends = [Corner(f.at(-_YARD - 0.9), _YARD, Point(-f.inward.x, 0)) for f in frames[:2]]
    beside = [Corner(Point(-_YARD - 2.1, _YARD + 2.5), _YARD, Point(-0.7, 0.7)) for _ in frames[2:]]
    return (*ends, *beside)
