"""What players must be able to see: marks beside colours, and the words that players use."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from ludo_dsl.publish.draw import draw
from ludo_dsl.publish.signs import Sign, signs
from ludo_dsl.publish.svg import svg
from ludo_dsl.rules.table import Table, make_table
from tests.publish.boards import book

SVG = "{http://www.w3.org/2000/svg}"

CORNERS = {"circle": 0, "square": 4, "triangle": 3, "cross": 12}
"""The corners of each mark in a picture; a circle has an element of its own."""


@pytest.fixture(scope="module")
def qdan() -> Table:
    return make_table(book("qdan"), 4)


def corners(element: ElementTree.Element) -> int:
    return len(element.attrib["points"].split()) if element.tag == f"{SVG}polygon" else 0


def test_every_colour_has_the_mark_of_the_clause(qdan: Table) -> None:
    """QD-03."""
    assert [(s.colour, s.shape) for s in signs(qdan)] == [("yellow", "circle"), ("blue", "square"), ("red", "triangle"), ("green", "cross")]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_two_colours_look_alike_without_colour(qdan: Table, ascii_only: bool) -> None:
    found = signs(qdan, ascii_only)
    assert len({s.solid for s in found} | {s.hollow for s in found}) == 8


@pytest.mark.parametrize("ascii_only", [False, True])
def test_yards_and_columns_carry_a_mark_in_the_terminal(qdan: Table, ascii_only: bool) -> None:
    """QD-03: with all pieces in the yard, each yard is headed by its mark, and five squares of its column show it."""
    plain = draw(qdan, ((0,) * 4,) * 4, colour=False, ascii_only=ascii_only).plain
    board = plain[: plain.rindex("clockwise")]
    for sign in signs(qdan, ascii_only):
        assert re.search(rf"{re.escape(sign.hollow)} {sign.colour} ", board)
        # One before the yard's name, one on the start square, five in the column, and one in the key.
        assert len(re.findall(rf"(?<![a-z]){re.escape(sign.hollow)}(?![a-z])", board)) == 8
        assert board.count(sign.solid) >= 4


def test_pieces_carry_their_mark_in_the_picture(qdan: Table) -> None:
    """QD-03: the mark is drawn on each piece, in black or white, whatever its colour."""
    root = ElementTree.fromstring(svg(qdan, ((0, 5, 54, 58),) * 4, "Qdan"))
    by_colour = {sign.colour: sign for sign in signs(qdan)}
    pieces = [g for g in root.iter(f"{SVG}g") if g.get("class") == "piece"]
    assert len(pieces) == 16
    for piece in pieces:
        sign = by_colour[piece.attrib["data-colour"]]
        body, mark = [child for child in piece if child.tag != f"{SVG}title"]
        assert body.get("fill") == sign.hue
        assert mark.get("fill") == sign.on_it
        assert corners(mark) == CORNERS[str(sign.shape)]


def test_yards_and_columns_carry_their_mark_in_the_picture(qdan: Table) -> None:
    """QD-03: four slots of the yard and five squares of the column, start square aside, each with the mark of its owner."""
    root = ElementTree.fromstring(svg(qdan, ((58,) * 4,) * 4, "Qdan"))
    shapes = [e for e in root.iter() if e.tag in (f"{SVG}polygon", f"{SVG}circle")]

    def drawn(sign: Sign) -> int:
        wanted = CORNERS[str(sign.shape)]
        inks = {sign.hue, *(e.get("stroke") for e in shapes if e.get("fill") in ("none", "#ffffff"))}
        return sum(corners(e) == wanted and e.get("fill") in ("none", "#ffffff") and e.get("stroke") in inks for e in shapes)

    for sign in signs(qdan):
        assert drawn(sign) >= 4 + 5


WORDS = {
    "piece": ("goti", "गोटी"),
    "home": ("ghar", "घर"),
    "yard": ("ghar", "घर"),
    "die": ("pasa", "पासा"),
    "capture": ("katnu", "काट्नु"),
    "star": ("tara", "तारा"),
    "six": ("chhakka", "छक्का"),
}


def test_the_words_that_players_use_stand_beside_ours() -> None:
    """AN-28."""
    assert {w.key: w.called for w in book("amarnepal").words if w.called} == WORDS
