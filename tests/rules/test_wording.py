"""Numbers in words, and placeholders filled for a table."""

from __future__ import annotations

from functools import cache

import pytest

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import make_table
from ludo_dsl.rules.wording import WordingError, choice, fill, ordinal, span, times, word


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "zero"), (1, "one"), (13, "thirteen"), (20, "twenty"), (21, "twenty-one"), (99, "ninety-nine"), (100, "one hundred"),
     (256, "two hundred and fifty-six"), (700, "seven hundred"), (1000, "1000")],
)  # fmt: skip
def test_words(number: int, text: str) -> None:
    assert word(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (8, "eighth"), (9, "ninth"), (12, "twelfth"),
     (20, "twentieth"), (21, "twenty-first"), (40, "fortieth"), (100, "one hundredth"), (103, "one hundred and third")],
)  # fmt: skip
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text


def test_every_number_has_its_own_words() -> None:
    assert len({word(n) for n in range(1000)}) == 1000
    assert len({ordinal(n) for n in range(1000)}) == 1000


def test_times_choices_and_spans() -> None:
    assert [times(n) for n in (1, 2, 3, 12)] == ["once", "twice", "three times", "twelve times"]
    assert [choice(n) for n in ({6}, {6, 1}, {5, 1, 6})] == ["six", "one or six", "one, five or six"]
    assert (span(2, 4), span(2, 2)) == ("two to four", "two")


@cache
def book(name: str) -> Book:
    return check_file(locate(name)).book


def filled(text: str, name: str = "qdan", players: int | None = None, **options: object) -> str:
    table = make_table(book(name), players, {key.replace("_", "-"): value for key, value in options.items()})
    return fill(text, table, book(name).declarations[0])


def test_a_placeholder_at_the_beginning_of_a_sentence_is_a_capital() -> None:
    assert filled("{2:word} or more. {3:word} as well, {4:word} not.") == "Two or more. Three as well, four not."
    assert filled("at {2:word}") == "at two"


def test_a_fragment_begins_small() -> None:
    table = make_table(book("qdan"))
    assert fill("{3:word} in a row", table, book("qdan").declarations[0], fragment=True) == "three in a row"


def test_names_are_filled_for_the_table() -> None:
    assert filled("{ring} squares, {lane:word}, {pieces:word}") == "52 squares, five, four"
    assert filled("{ring}", players=2, shape="match") == "26"
    assert filled("for {players:word} of {players:range}", players=3) == "for three of two to four"
    assert filled("{players:word}") == "Four"


def test_faces_are_a_list() -> None:
    assert filled("A {leave-on:list}.") == "A six."
    assert filled("A {leave-on:list}.", leave_on="1,6") == "A one or six."


@pytest.mark.parametrize("text", ["{nothing}", "{leave-on}", "{blocking:word}", "{ring:list}", "{6:range}", "{}"])
def test_what_cannot_be_filled(text: str) -> None:
    with pytest.raises(WordingError):
        filled(text)


@pytest.mark.parametrize("name", ["amarnepal", "card-kings", "ludo-cities", "ludolive", "qdan"])
def test_every_sentence_of_the_project_can_be_filled(name: str) -> None:
    for players in range(book(name).players.low, book(name).players.high + 1):
        table = make_table(book(name), players)
        for declaration in book(name).declarations:
            for sentence in declaration.sentences:
                text = fill(sentence.text, table, declaration)
                assert "{" not in text
                assert text[0].isupper()
