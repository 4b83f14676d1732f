"""What of two rule books differs, and what that says of where a difference will show: the leads that the search follows first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ludo_dsl.interpreter.freezing import parts
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import (
    Compare,
    CounterOf,
    EveryDie,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Nouns,
    Number,
    OnMark,
    Owner,
    Quantity,
    RolledTimes,
    Squares,
    Where,
)
from ludo_dsl.rules.statements import (
    Act,
    Add,
    Count,
    LaneOpens,
    Mark,
    May,
    Must,
    NeverCross,
    NeverRoll,
    Once,
    Past,
    Rank,
    Score,
    Send,
    Statement,
    StatementId,
    Target,
    Trigger,
    When,
)
from ludo_dsl.rules.table import Table

FAMILIES = ("alone", "company", "chase", "wall", "finish", "ranking")
"""The families of positions: a piece alone; with its own; behind a rival; behind many; near the end; at the end."""

_NOWHERE = StatementId("", 0)


@dataclass(frozen=True)
class Leads:
    """What the differing statements name: faces, numbers, topics of memory, kinds of square, and families of positions.

    `sizes` are the numbers of pieces that any rule of the two books counts.
    """

    faces: tuple[int, ...]
    numbers: tuple[int, ...]
    sizes: tuple[int, ...]
    topics: frozenset[str]
    squares: frozenset[str]
    families: frozenset[str]


def same_rules(a: Table, b: Table) -> bool:
    """Whether two tables hold the same rules of play in the same order, whatever the rules are called.

    How dice are dealt, and what is hidden from whom, is no part of a position and is not compared.
    """
    return _plain(a) == _plain(b)


def _plain(table: Table) -> tuple[object, ...]:
    book: Book = table.book
    return (
        [replace(s, id=_NOWHERE) for s in table.statements],
        table.measures,
        table.routes,
        table.players,
        table.sides,
        table.setup,
        table.kinds,
        table.links,
        [(c.id, c.scope) for c in table.counters],
        replace(book.dice, shoe=None),
        book.resolution,
        book.turn,
    )


def leads(a: Table, b: Table) -> Leads:
    """The leads of two tables."""
    found = list(differing(a.statements, b.statements)) or [*a.statements, *b.statements]
    things = [p for s in found for p in parts(s)]
    dice = [face for face, _ in a.book.dice.faces]
    named = [f for f in dict.fromkeys(_faces(things)) if f in dice]
    rest = [f for f in (max(dice), *dice) if f not in named]
    return Leads(
        faces=tuple(dict.fromkeys([*named, *rest])),
        numbers=tuple(sorted(set(_numbers(things)))),
        sizes=tuple(sorted({n for s in (*a.statements, *b.statements) for n in _sizes(s)})),
        topics=frozenset(_topics(things)),
        squares=frozenset(n for p in things for n in _squares(p)),
        families=frozenset(f for p in things for f in _families(p)) or frozenset(FAMILIES),
    )


def differing(a: Iterable[Statement], b: Iterable[Statement]) -> Iterator[Statement]:
    """The statements that only one of two sequences holds; where only the order differs, those that are out of order."""
    mine, theirs = ([replace(s, id=_NOWHERE) for s in its] for its in (a, b))
    counts = Counter(mine), Counter(theirs)
    only = [*(counts[0] - counts[1]).elements(), *(counts[1] - counts[0]).elements()]
    if only:
        yield from only
        return
    yield from (s for one, other in zip(mine, theirs, strict=True) if one != other for s in (one, other))


# ---- what is named ---------------------------------------------------------------------------------------------------


def _faces(things: list[object]) -> Iterator[int]:
    for thing in things:
        match thing:
            case RolledTimes(face) | NeverRoll(_, face) | Count(_, face):
                yield face
            case Faces(values) if isinstance(values, frozenset):
                yield from sorted(values)
            case Compare(_, FactOf(Fact.DIE), Number(value)) | EveryDie(_, value):
                yield value


def _numbers(things: list[object]) -> Iterator[int]:
    for thing in things:
        match thing:
            case Number(value):
                yield value
            case RolledTimes(_, times) | NeverCross(count=times):
                yield times


def _sizes(statement: Statement) -> Iterator[int]:
    for thing in parts(statement):
        match thing:
            case Compare(_, Measure(Quantity.COUNT), Number(value)) if value > 1:
                yield value
            case NeverCross(count=value) if value > 1:
                yield value


def _squares(thing: object) -> Iterator[str]:
    match thing:
        case Squares(names):
            yield from names
        case OnMark(mark):
            yield mark


_FACTS = {
    Fact.TURN_ROLLS: "rolled",
    Fact.CAPTURES: "captures",
    Fact.ROUND: "round",
    Fact.SCORE: "score",
    Fact.OWED: "owed",
    Fact.PLAYERS_LEFT: "retired",
}


def _topics(things: list[object]) -> Iterator[str]:
    for thing in things:
        match thing:
            case RolledTimes() | EveryDie():
                yield "rolled"
            case FactOf(fact) if fact in _FACTS:
                yield _FACTS[fact]
            case CounterOf(name) | Highest(name) | Add(_, name):
                yield name
            case When(trigger=Trigger.ROUND_ENDS):
                yield "round"
            case When(trigger=Trigger.RETIRED) | Mark.RETIRE:
                yield "retired"
            case Once():
                yield "done"
            case Send(target=Target.LAST):
                yield "order"
            case Send(target=Target.LAST_MOVED):
                yield from ("last", "rolled")
            case Rank() | Score():
                yield "score"


def _families(thing: object) -> Iterator[str]:
    match thing:
        case Fact.SENT_BACK:
            yield "wall"
        case Fact.ENTERED | Fact.UNTOUCHED:
            yield from ("company", "chase")
        case Fact.CAPTURED | Trigger.CAPTURED | Trigger.LANDING | Send():
            yield "chase"
            yield "wall"
        case Trigger.PASSING | NeverCross():
            yield "wall"
        case Nouns(Owner.ENEMIES, places):
            yield "wall" if Where.HERE in places else "chase"
            yield "chase"
        case Nouns(Owner.PIECES):
            yield "wall"
        case Nouns(Owner.OWN | Owner.OURS | Owner.ALLIES, places):
            yield "finish" if Where.HOME in places else "company"
        case Where.HOME | Fact.CAME_HOME | Trigger.REACHED_HOME | Past() | LaneOpens():
            yield "finish"
            yield "alone"
        case Rank() | Trigger.RETIRED | Mark.END_GAME | Mark.RETIRE:
            yield "ranking"
            yield "finish"
        case Must():
            yield from ("alone", "finish", "company", "chase")
        case Measure(Quantity.MOVABLE | Quantity.STUCK | Quantity.GROUPS):
            yield from ("company", "finish", "alone")
        case May(act=Act.ENTER):
            yield "alone"
            yield "company"
        case May() | RolledTimes() | NeverRoll() | Count():
            yield "alone"


__all__ = ["FAMILIES", "Leads", "differing", "leads", "same_rules"]
