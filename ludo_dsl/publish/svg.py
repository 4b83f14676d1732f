"""The board as a picture: a stand-alone SVG without scripts or fonts, for light backgrounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import atan2, cos, hypot, pi, radians, sin
from xml.sax.saxutils import escape, quoteattr

from ludo_dsl.publish.layout import Layout, around, layout
from ludo_dsl.publish.shapes import Point
from ludo_dsl.publish.signs import Sign, signs, tint
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD

_UNIT = 36
"""Pixels of a square's side."""

_MARGIN = 0.6
_LINE = "#5b5546"
_PAPER = "#fffdf6"
_TABLE = "#f3ecdb"
_STAR = "#8a7a55"
_BARE = "#e4dcc8"
"""The ground of arms that no colour plays."""

_Piece = tuple[int, int, Point, float]
"""Colour, place, where it stands and its radius."""


def svg(table: Table, pieces: Sequence[Sequence[int]], title: str) -> str:
    """A picture of the board with pieces: `pieces` holds the places of each colour at the table, in the table's order.

    Every piece is one element of class `piece` with its colour and its place.
    """
    plan = layout(table)
    names = signs(table)
    body = [
        *(_yard(plan, i, sign) for i, sign in enumerate(names)),
        *(_polygon(home.outline, tint(sign.hue, 0.8)) for home, sign in zip(plan.homes, names)),
        *(_polygon(outline, _BARE) for outline in plan.vacant),
        *(_square(point, angle, _BARE) for point, angle in plan.unplayed),
        *_squares(table, plan, names),
        *(_piece(table, names, piece) for piece in _standing(table, plan, pieces)),
    ]
    return _document(plan, title, _told(table, pieces), body)


def _document(plan: Layout, title: str, told: str, body: Sequence[str]) -> str:
    reach = [*((p, 0.8) for p in plan.points), *((yard.middle, yard.radius + 0.2) for yard in plan.yards)]
    left, right = min(p.x - r for p, r in reach) - _MARGIN, max(p.x + r for p, r in reach) + _MARGIN
    top, bottom = min(p.y - r for p, r in reach) - _MARGIN, max(p.y + r for p, r in reach) + _MARGIN
    box = " ".join(_number(v * _UNIT) for v in (left, top, right - left, bottom - top))
    width, height = _number((right - left) * _UNIT), _number((bottom - top) * _UNIT)
    corner = f'x="{_number(left * _UNIT)}" y="{_number(top * _UNIT)}"'
    ground = f'<rect {corner} width="{width}" height="{height}" rx="{_UNIT // 2}" fill="{_TABLE}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}" role="img">'
    texts = [f"<title>{escape(title)}</title>", f"<desc>{escape(told)}</desc>"]
    return "\n".join([head, *texts, ground, *body, "</svg>", ""])


def _told(table: Table, pieces: Sequence[Sequence[int]]) -> str:
    """The position in words, for those who cannot see the picture: each colour's places in the notation of places."""
    parts = []
    for route, places in zip(table.routes, pieces):
        parts.append(f"{route.colour}: " + ", ".join(str(route.spots[place]) for place in places))
    return "; ".join(parts) + "."


# ---- the board ---------------------------------------------------------------------------------------------------------


def _squares(table: Table, plan: Layout, names: Sequence[Sign]) -> Iterator[str]:
    starts = {route.squares[route.start]: i for i, route in enumerate(table.routes)}
    owners = {square: i for i, route in enumerate(table.routes) for square in route.squares if square is not None}
    marks = [name for name, _ in table.book.board.marks]
    for square, (point, angle) in enumerate(zip(plan.points, plan.angles)):
        kinds = table.kinds[square] if square < table.measures.ring else frozenset()
        owner = starts.get(square, owners[square] if square >= table.measures.ring else None)
        if owner is not None:
            sign = names[owner]
            # The marks of a lane are pale: pieces that stand there must be the first thing one sees.
            yield _square(point, angle, tint(sign.hue, 0.8 if square in starts else 0.5))
            if square not in starts:
                yield _mark(sign, point, 0.19, "#ffffff", tint(sign.hue, 0.75))
            else:
                yield _mark(sign, point, 0.24, "none", sign.on_it)
                yield _arrow(point, plan.points[(square + 1) % table.measures.ring], sign.on_it)
        else:
            yield _square(point, angle, _BARE if "start" in kinds else _PAPER)
            if "start" not in kinds:
                yield from (_special(marks.index(name), point) for name in marks if name in kinds)


def _yard(plan: Layout, i: int, sign: Sign) -> str:
    yard = plan.yards[i]
    size = _slot(yard.points)
    # The colour's mark shows in the empty slots; a piece covers it with its own.
    spots = "".join(
        _circle(point, size, "#ffffff", tint(sign.hue, 0.7)) + _mark(sign, point, size / 2, "none", tint(sign.hue, 0.6))
        for point in yard.points
    )
    across = yard.radius * 2 * _UNIT
    x, y = (yard.middle.x - yard.radius) * _UNIT, (yard.middle.y - yard.radius) * _UNIT
    corner = yard.radius if any(1 < frame.angle % 90 < 89 for frame in plan.frames) else 0.35
    frame = (
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(across)}" height="{_number(across)}" rx="{_number(corner * _UNIT)}"'
        f' fill="{tint(sign.hue, 0.45)}" stroke="{sign.hue}" stroke-width="3"/>'
    )
    return frame + spots


def _slot(points: Sequence[Point]) -> float:
    """The radius of a yard's slots: smaller where many stand close."""
    apart = hypot(points[1].x - points[0].x, points[1].y - points[0].y) if len(points) > 1 else 1.0
    return min(0.42, 0.47 * apart)


def _arrow(point: Point, following: Point, ink: str) -> str:
    """A small head that points along the track, at the edge of a start square."""
    along = atan2(following.y - point.y, following.x - point.x)
    at = Point(point.x + 0.4 * cos(along), point.y + 0.4 * sin(along))
    wings = [Point(at.x + 0.16 * cos(along + turn), at.y + 0.16 * sin(along + turn)) for turn in (pi * 0.8, -pi * 0.8)]
    return f'<polygon points="{_points([at, *wings])}" fill="{ink}" fill-opacity="0.7"/>'


def _special(which: int, point: Point) -> str:
    """The sign of a mark on the track: a star for the first, polygons of more and more corners for others."""
    if which == 0:
        return f'<polygon points="{_points(_star(point, 0.34, 0.14))}" fill="{_STAR}"/>'
    return f'<polygon points="{_points(_regular(point, 0.28, which + 3))}" fill="none" stroke="{_STAR}" stroke-width="2.5"/>'


def _star(middle: Point, outer: float, inner: float) -> list[Point]:
    turns = [(-pi / 2 + i * pi / 5, inner if i % 2 else outer) for i in range(10)]
    return [Point(middle.x + r * cos(turn), middle.y + r * sin(turn)) for turn, r in turns]


def _regular(middle: Point, radius: float, corners: int) -> list[Point]:
    turns = [-pi / 2 + i * 2 * pi / corners for i in range(corners)]
    return [Point(middle.x + radius * cos(turn), middle.y + radius * sin(turn)) for turn in turns]


# ---- pieces ------------------------------------------------------------------------------------------------------------


def _standing(table: Table, plan: Layout, pieces: Sequence[Sequence[int]]) -> Iterator[_Piece]:
    together: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for i, (route, places) in enumerate(zip(table.routes, pieces)):
        homed = sum(route.squares[place] is None and place != YARD for place in places)
        yard, home = iter(plan.yards[i].points), iter(around(plan.homes[i].middle, homed, 0.5) if homed else ())
        for place in places:
            square = route.squares[place]
            if square is not None:
                together[square].append((i, place))
            elif place == YARD:
                yield i, place, next(yard), 0.86 * _slot(plan.yards[i].points)
            else:
                yield i, place, next(home), 0.23
    for square, company in together.items():
        middle, angle = plan.points[square], radians(plan.angles[square])
        radius = 0.36 if len(company) == 1 else 0.25 if len(company) <= 4 else 0.18
        for (i, place), at in zip(company, _places(middle, angle, len(company))):
            yield i, place, at, radius


def _places(middle: Point, angle: float, count: int) -> list[Point]:
    """Points within a square for so many pieces: one in the middle, up to four in the corners, more in a circle."""
    if count == 1:
        return [middle]
    corners = [(-1, -1), (1, 1), (1, -1), (-1, 1)]
    offsets = [(0.21 * x, 0.21 * y) for x, y in corners[:count]]
    if count > 4:
        offsets = [(0.32 * cos(2 * pi * i / count), 0.32 * sin(2 * pi * i / count)) for i in range(count)]
    turned = [(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in offsets]
    return [Point(middle.x + x, middle.y + y) for x, y in turned]


def _piece(table: Table, names: Sequence[Sign], piece: _Piece) -> str:
    i, place, at, radius = piece
    sign = names[i]
    spot = str(table.routes[i].spots[place])
    body = _circle(at, radius, sign.hue, "#222222") + _mark(sign, at, radius * 0.55, sign.on_it, sign.on_it)
    attributes = f'class="piece" data-colour={quoteattr(sign.colour)} data-place="{spot}"'
    return f"<g {attributes}><title>{escape(sign.colour)} {spot}</title>{body}</g>"


def _mark(sign: Sign, at: Point, radius: float, fill: str, line: str) -> str:
    """The mark of a colour: its shape, or its letter where it has none."""
    if sign.shape is None:
        ink = line if fill in ("none", "#ffffff") and line != fill else fill
        size = _number(radius * 2.1 * _UNIT)
        x, y = _number(at.x * _UNIT), _number((at.y + radius * 0.75) * _UNIT)
        font = f'font-family="sans-serif" font-weight="bold" font-size="{size}" text-anchor="middle"'
        return f'<text x="{x}" y="{y}" {font} fill="{ink}">{escape(sign.solid)}</text>'
    if sign.shape == "circle":
        return _circle(at, radius * 0.85, fill, line)
    return f'<polygon points="{_points(_outline(sign.shape, at, radius))}" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'


def _outline(name: str, at: Point, radius: float) -> list[Point]:
    match name:
        case "square":
            r = radius * 0.78
            return [Point(at.x - r, at.y - r), Point(at.x + r, at.y - r), Point(at.x + r, at.y + r), Point(at.x - r, at.y + r)]
        case "triangle":
            return _regular(Point(at.x, at.y + radius * 0.15), radius, 3)
        case "cross":
            a, b = radius * 0.32, radius * 0.95
            quarter = [(-a, -b), (a, -b), (a, -a)]
            turned = [q for _ in range(4) for q in _turn(quarter)]
            return [Point(at.x + x, at.y + y) for x, y in turned]
        case _:
            return _regular(at, radius, 4)


def _turn(quarter: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points as they are; afterwards the list holds them turned by a right angle, clockwise."""
    now = list(quarter)
    quarter[:] = [(-y, x) for x, y in now]
    return now


# ---- elements ----------------------------------------------------------------------------------------------------------


def _number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(p.x * _UNIT)},{_number(p.y * _UNIT)}" for p in points)


def _polygon(points: Sequence[Point], fill: str) -> str:
    return f'<polygon points="{_points(points)}" fill="{fill}" stroke="{_LINE}" stroke-width="1"/>'


def _circle(at: Point, radius: float, fill: str, line: str) -> str:
    x, y, r = (_number(v * _UNIT) for v in (at.x, at.y, radius))
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'


def _square(at: Point, angle: float, fill: str, line: str = _LINE) -> str:
    half = hypot(0.5, 0.5)
    corners = [radians(angle) + pi / 4 + i * pi / 2 for i in range(4)]
    points = [Point(at.x + half * cos(c), at.y + half * sin(c)) for c in corners]
    return f'<polygon points="{_points(points)}" fill="{fill}" stroke="{line}" stroke-width="1"/>'
