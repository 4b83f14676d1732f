"""The tables whose boards the drawing tests go through, and positions on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from ludo_dsl.check.book import resolve
from ludo_dsl.resources import spec_path
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import Table, make_table
from ludo_dsl.rules.topology import Measures, make_route
from ludo_dsl.syntax.parser import read_source

Position = tuple[tuple[int, ...], ...]


@cache
def book(name: str) -> Book:
    return resolve(read_source(spec_path("variants", f"{name}.ludo")))


def measured(measures: Measures, pieces: int = 4) -> Table:
    """A table on a board that no rule book of the project has: only what drawing needs is changed."""
    table = make_table(book("amarnepal"))
    seats = min(4, measures.arms)
    return replace(
        table,
        measures=measures,
        colours=table.colours[:seats],
        marks=table.marks[:seats],
        routes=tuple(make_route(table.colours[i], i, i, measures) for i in range(seats)),
        kinds=tuple(frozenset({"track", "start"} if square % measures.arm == 0 else {"track"}) for square in range(measures.ring)),
        setup=(pieces, 0),
    )


OTHERS = {
    "mensch": Measures(4, 10, 1, 0, 4, True),
    "parchis": Measures(4, 17, 5, 0, 7, False),
    "pachisi": Measures(4, 17, 0, 7, 7, False),
    "hangars": Measures(4, 13, 3, 1, 5, False),
    "long lanes": Measures(4, 9, 2, 0, 7, False),
    "long slots": Measures(4, 8, 2, 0, 7, True),
    "eight": Measures(8, 17, 5, 0, 7, False),
    "hexagon with approach": Measures(6, 13, 2, 3, 6, False),
    "T with approach": Measures(3, 13, 2, 3, 5, False),
    "long board with approach": Measures(2, 13, 2, 3, 5, False),
    "triangle": Measures(3, 8, 2, 0, 7, False),
}


def tables() -> Iterator[tuple[str, Table]]:
    """Boards of 2 to 8 arms: those of the project's books with every arm length, and some of other families."""
    for name in ("amarnepal", "card-kings", "ludo-cities", "qdan"):
        yield name, make_table(book(name))
    for arm in range(11, 21):
        for players in range(2, 7):
            yield f"ludolive {players} {arm}", make_table(book("ludolive"), players, readings={"arm-length": arm})
        for players in (2, 3):
            options = {"shape": "match"}
            yield f"qdan {players} {arm}", make_table(book("qdan"), players, options, {"arm-length": arm})
    for name, measures in OTHERS.items():
        yield name, measured(measures)


TABLES = dict(tables())


def spread(table: Table) -> Position:
    """Every colour with a piece in the yard, one on its start square, one on its lane's second square and one at the end."""
    return tuple((0, route.start, route.lane + 1, route.last) for route in table.routes)
