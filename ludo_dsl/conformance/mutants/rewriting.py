"""Going through checked rules: every node of a statement or expression, and the whole again with one node put in its stead.

The walk follows the fields of the dataclasses, so that a new type of expression or statement is reached without a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from ludo_dsl.conformance.mutants.kinds import MutantKind
from ludo_dsl.rules.book import Book, Counter
from ludo_dsl.rules.expressions import And, Cases, ChoiceIs, CounterId, Expr, Not, Or
from ludo_dsl.rules.folding import children, walk
from ludo_dsl.rules.statements import Mark, RankKey, Statement

Node = Any
"""A statement, effect, goal, key, expression or choice of pieces: any frozen value of `ludo_dsl.rules`."""

Put = Callable[[Node], Node]
"""Gives the whole with this node put in."""

_NEVER_ENTERED = frozenset({"id", "span", "where"})


@dataclass(frozen=True, slots=True)
class Around:
    """What the rule book has to offer to a change: faces, marks, counters, further dice, options, and whether anybody has partners."""

    faces: tuple[int, ...]
    marks: tuple[str, ...]
    counters: tuple[Counter, ...]
    named: tuple[str, ...]
    options: frozenset[str]
    teams: bool

    def same_scope(self, counter: CounterId) -> tuple[CounterId, ...]:
        """Other counters that are kept for the same holders."""
        scope = next((c.scope for c in self.counters if c.id == counter), None)
        return tuple(c.id for c in self.counters if c.id != counter and c.scope == scope)


def around(book: Book) -> Around:
    """What a rule book offers to changes of its statements."""
    return Around(
        faces=tuple(sorted(face for face, _ in book.dice.faces)),
        marks=tuple(name for name, _ in book.board.marks),
        counters=book.counters,
        named=book.dice.named,
        options=frozenset(s.id for s in book.settings if s.role == "option"),
        teams=bool(book.players.sides),
    )


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: what stood there (a node or a text), what stands there now, and the node that results.

    A change that is no replacement of one phrase by another has a `label` for its id and words of its own for what it `says`.
    """

    kind: MutantKind
    before: Node
    after: Node
    result: Node
    label: str | None = None
    says: str | None = None


def holes(node: Node) -> Iterator[tuple[str, Node, Put]]:
    """The nodes directly inside a node: the field each is in, the node, and how to put another in its stead."""
    for f in fields(node) if is_dataclass(node) else ():
        if f.name not in _NEVER_ENTERED:
            for inner, put in _within(getattr(node, f.name)):
                yield f.name, inner, _into(node, f.name, put)


def _into(node: Node, name: str, put: Put) -> Put:
    return lambda new: replace(node, **{name: put(new)})


def _within(value: object) -> Iterator[tuple[Node, Put]]:
    if is_dataclass(value) or isinstance(value, Mark):
        yield value, lambda new: new
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            for inner, put in _within(item):
                yield inner, _at(value, i, put)


def _at(items: tuple[Node, ...], i: int, put: Put) -> Put:
    return lambda new: (*items[:i], put(new), *items[i + 1 :])


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The node with every node in it replaced for which `change` gives another, from the outside inward."""
    new = change(node)
    if new is not None:
        return new
    if isinstance(node, tuple):
        return tuple(rebuilt(item, change) for item in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {f.name: rebuilt(getattr(node, f.name), change) for f in fields(node) if f.name not in _NEVER_ENTERED}
    return replace(node, **{k: v for k, v in changed.items() if v != getattr(node, k)})


def nodes(node: Node) -> Iterator[Node]:
    """A node and everything in it."""
    yield node
    if isinstance(node, tuple | frozenset):
        for item in node:
            yield from nodes(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for f in fields(node):
            if f.name not in _NEVER_ENTERED:
                yield from nodes(getattr(node, f.name))


def lifted(edit: Edit, whole: Node, put: Put) -> Edit:
    """The change seen from the node around it: a reader is shown the smallest condition, amount or effect that changed."""
    result = put(edit.result)
    if isinstance(whole, And | Or | Not | Cases | RankKey | Statement):
        return replace(edit, result=result)
    return replace(edit, before=whole, after=result, result=result)


def chosen_only(expr: Expr) -> bool:
    """Whether a condition hangs on options and readings alone."""
    leaves = [part for part in walk(expr) if not children(part)]
    return all(isinstance(leaf, ChoiceIs) for leaf in leaves) and all(isinstance(p, And | Or | Not | ChoiceIs) for p in walk(expr))
