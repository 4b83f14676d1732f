"""Rule books with one statement changed, played by the interpreter: engines that break one rule of a variant of two dice, or of blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ludo_dsl.check.book import check
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.play.game import RuleBook
from ludo_dsl.resources import spec_path
from ludo_dsl.source import Source


@dataclass(frozen=True)
class Changed:
    """A rule book in which one text, found exactly once, is another.

    `breaks` are the clauses that the new one breaks, `spares` some that have nothing to do with it; `areas` of the suite show both.
    """

    variant: str
    areas: tuple[str, ...]
    breaks: frozenset[str]
    spares: frozenset[str]
    old: str
    new: str


BOOKS: Mapping[str, Changed] = {
    # A kick scores 10 in the points race. Getting home, the stars and the classic game are as they were.
    "cheap_kicks": Changed(
        "ludo-cities",
        ("capture", "home", "end"),
        frozenset({"LC-22"}),
        frozenset({"LC-08", "LC-31", "LC-32", "LC-33"}),
        "score 20 * captured",
        "score 10 * captured",
    ),
    # A die that is too large stops in the centre, which is not on the track, where kicks and stars are.
    "inexact_centre": Changed(
        "ludo-cities",
        ("home", "safety"),
        frozenset({"LC-08"}),
        frozenset({"LC-11", "LC-12", "LC-13"}),
        "past home never",
        "past home stop",
    ),
    # Two pieces block nobody, three do. The way home, its exact number and the places know nothing of blocks.
    "blocks_of_three": Changed(
        "qdan",
        ("blocking", "home", "ranking"),
        frozenset({"QD-11"}),
        frozenset({"QD-13", "QD-16", "QD-35", "QD-38"}),
        "never pass or land on 2 enemies of one colour",
        "never pass or land on 3 enemies of one colour",
    ),
}
"""By name."""


def _servant(changed: Changed) -> Servant:
    name = f"{changed.variant}.ludo"
    text = spec_path("variants", name).read_text(encoding="utf-8")
    assert text.count(changed.old) == 1, f"{text.count(changed.old)} times in {name}: {changed.old}"
    book = RuleBook(check(Source(name, text.replace(changed.old, changed.new))))
    return Servant([book], capabilities=("set", "force", "legal"))


def __getattr__(name: str) -> Callable[[], Servant]:
    """What makes the engine of this name, for `py:tests.conformance.wrong.books:NAME`."""
    if name not in BOOKS:
        raise AttributeError(name)
    return lambda: _servant(BOOKS[name])
