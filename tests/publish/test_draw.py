"""Drawings show every piece, with and without colour, in the terminal and as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from ludo_dsl.publish.draw import draw
from ludo_dsl.publish.layout import CELL, Cell, layout
from ludo_dsl.publish.signs import signs
from ludo_dsl.publish.svg import svg
from ludo_dsl.rules.table import Table, make_table
from tests.publish.boards import TABLES, book, spread

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=TABLES, ids=lambda name: name)
def table(request: pytest.FixtureRequest) -> Table:
    return TABLES[request.param]


@pytest.fixture(scope="module")
def qdan() -> Table:
    return make_table(book("qdan"))


def shown(plain: str, cell: Cell) -> str:
    return plain.split("\n")[cell.row].ljust(cell.column + CELL)[cell.column : cell.column + CELL].strip()


@pytest.mark.parametrize("ascii_only", [False, True])
def test_all_pieces_are_visible_where_they_stand(table: Table, ascii_only: bool) -> None:
    plain = draw(table, spread(table), colour=False, ascii_only=ascii_only).plain
    plan = layout(table)
    for i, (route, sign) in enumerate(zip(table.routes, signs(table, ascii_only))):
        assert sign.solid in [shown(plain, cell) for cell in plan.yards[i].cells]
        for place in (route.start, route.lane + 1, route.last):
            square = route.squares[place]
            cell = plan.homes[i].cell if square is None else plan.cells[square]
            assert sign.solid in shown(plain, cell)


def test_ascii_is_ascii(table: Table) -> None:
    assert draw(table, spread(table), colour=False, ascii_only=True).plain.isascii()


def test_colour_changes_the_style_and_not_the_text(qdan: Table) -> None:
    plain, coloured = draw(qdan, spread(qdan), colour=False), draw(qdan, spread(qdan), colour=True)
    assert plain.plain == coloured.plain
    assert not any(span.style for span in plain.spans)
    assert any("on #" in str(span.style) for span in coloured.spans)


def test_pieces_carry_the_marks_of_the_rule_book(qdan: Table) -> None:
    assert [sign.solid for sign in signs(qdan)] == ["●", "■", "▲", "✚"]
    assert [sign.solid for sign in signs(qdan, ascii_only=True)] == ["o", "#", "^", "+"]


def test_colours_without_marks_are_letters_that_differ() -> None:
    table = make_table(book("ludolive"), 6)
    assert [sign.solid for sign in signs(table)] == ["R", "G", "Y", "B", "P", "O"]


@pytest.mark.parametrize(
    ("yellow", "blue", "red", "text"),
    [
        ((20, 20), (), (), "●2"),
        ((20,), (7,), (), "●■"),
        ((20,), (7,), (46,), "●■▲"),
        ((20, 20), (7,), (), "●2■"),
        ((20, 20), (7, 7), (), "*1"),
    ],
)
def test_company_on_one_square(qdan: Table, yellow: tuple[int, ...], blue: tuple[int, ...], red: tuple[int, ...], text: str) -> None:
    # Square 20 is 20 steps from yellow's start, 7 from blue's and 46 from red's; places are one more than steps.
    pieces = tuple((*(step + 1 for step in steps), *[0] * (4 - len(steps))) for steps in (yellow, blue, red, ()))
    plain = draw(qdan, pieces, colour=False).plain
    assert shown(plain, layout(qdan).cells[20]) == text
    assert ("*1 ●2 ■2" in plain) == (text == "*1")


def test_start_squares_and_stars_are_marked_even_where_nobody_sits() -> None:
    table = make_table(book("card-kings"))
    plan = layout(table)
    plain = draw(table, spread(table), colour=False).plain
    assert [shown(plain, plan.cells[square]) for square in (13, 39)] == ["[ ]", "[ ]"]
    assert [shown(plain, plan.cells[square]) for square in (8, 21, 34, 47)] == ["★"] * 4


def test_a_lane_carries_the_mark_of_its_colour(qdan: Table) -> None:
    plan = layout(qdan)
    plain = draw(qdan, ((0,) * 4,) * 4, colour=False).plain
    for route, sign in zip(qdan.routes, signs(qdan)):
        lane = [plan.cells[square] for square in route.squares[route.lane :] if square is not None]
        assert [shown(plain, cell) for cell in lane] == [sign.hollow] * 5


def test_highlights_label_squares_and_leave_the_pieces_visible(qdan: Table) -> None:
    plan = layout(qdan)
    plain = draw(qdan, spread(qdan), colour=False, highlight={3: "a", 0: "b"}).plain
    assert shown(plain, plan.cells[3]) == "(a)"
    assert re.fullmatch(r"b.?●.?", shown(plain, plan.cells[0]))


def test_the_picture_has_an_element_for_every_piece(table: Table) -> None:
    pieces = spread(table)
    root = ElementTree.fromstring(svg(table, pieces, "A <test> & more"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "A <test> & more"
    found = [(g.get("data-colour"), g.get("data-place")) for g in root.iter(f"{SVG}g") if g.get("class") == "piece"]
    wanted = [(route.colour, str(route.spots[place])) for route, places in zip(table.routes, pieces) for place in places]
    assert sorted(map(str, found)) == sorted(map(str, wanted))


def test_the_picture_stands_alone(qdan: Table) -> None:
    picture = svg(qdan, spread(qdan), "Qdan")
    root = ElementTree.fromstring(picture)
    assert not {element.tag.removeprefix(SVG) for element in root.iter()} & {"script", "image", "use", "style", "foreignObject"}
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_no_piece_of_the_picture_lies_outside_it_or_on_another(table: Table) -> None:
    root = ElementTree.fromstring(svg(table, spread(table), "Board"))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    centres = []
    for group in root.iter(f"{SVG}g"):
        circle = group.find(f"{SVG}circle")
        assert circle is not None
        x, y, r = (float(circle.attrib[key]) for key in ("cx", "cy", "r"))
        assert left + r <= x <= left + width - r
        assert top + r <= y <= top + height - r
        centres.append((x, y))
    assert len(set(centres)) == len(centres)
