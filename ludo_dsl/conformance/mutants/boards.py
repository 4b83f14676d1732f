"""Mutants of the declarations: board, players, dice and counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Literal

from ludo_dsl.conformance.mutants.expressions import dropped, one_off, swapped
from ludo_dsl.conformance.mutants.kinds import Mutant, MutantKind
from ludo_dsl.conformance.mutants.rewriting import Around, Edit, around, chosen_only
from ludo_dsl.conformance.mutants.statements import edits
from ludo_dsl.conformance.mutants.writing import slug, written
from ludo_dsl.rules.book import Book, Counter, DeclarationKind, Link, PlayersSpec, Setup, Visibility
from ludo_dsl.rules.expressions import ChoiceIs, Expr
from ludo_dsl.rules.folding import walk


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes the mutants of one declaration."""

    book: Book
    kind: DeclarationKind
    name: str

    def __call__(self, kind: MutantKind, what: str, says: str, **changed: object) -> Mutant:
        cited = [d.citations for d in self.book.declarations if d.kind == self.kind and (d.kind != "counter" or d.name == self.name)]
        clauses = tuple(dict.fromkeys(c.clause for found in cited for c in found))
        mutated = replace(self.book, **changed)  # type: ignore[arg-type]
        return Mutant(f"{kind}/{self.name}/{slug(what)}", kind, self.name, clauses, f"`{self.name}`: {says}", mutated, self.book)


def declaration_mutants(book: Book) -> Iterator[Mutant]:
    """Everything that can be wrong with board, players, dice and counters."""
    yield from _board(book)
    yield from _links(book)
    yield from _setups(book)
    yield from _seats(book)
    yield from _sides(book)
    yield from _dice(book)
    for i in range(len(book.counters)):
        yield from _counter(book, i)


def _became(before: object, after: object) -> str:
    return f"`{before}` became `{after}`"


# ---- board -----------------------------------------------------------------------------------------------------------


def _board(book: Book) -> Iterator[Mutant]:
    make, board = _Making(book, "board", "board"), book.board
    beside = around(book)
    for name in ("arms", "arm"):
        for edit in edits(getattr(board, name), beside, holds="number"):
            yield _measure(make, name, edit, board=replace(board, **{name: edit.result}))
    for name in ("turning", "approach", "lane"):
        value: int = getattr(board, name)
        for n in one_off(value):
            says = f"`{name}` was {n} instead of {value}"
            changed = replace(board, **{name: n})  # type: ignore[arg-type]
            yield make(MutantKind.NUMBER, f"{name}={value}->{n}", says, board=changed)
    for i, (mark, at) in enumerate(board.marks):
        for edit in edits(at, beside, holds="number"):
            marks = (*board.marks[:i], (mark, edit.result), *board.marks[i + 1 :])
            yield _measure(make, f"mark-{mark}", edit, board=replace(board, marks=marks))
        left = replace(board, marks=dropped(board.marks, i))
        yield make(MutantKind.BOARD, f"without-mark-{mark}", f"no square is marked `{mark}`", board=left)
    what = "squares" if board.slots else "slots"
    says = f"the lane has {what} instead of {'slots' if board.slots else 'squares'}"
    yield make(MutantKind.BOARD, f"lane-of-{what}", says, board=replace(board, slots=not board.slots))


def _measure(make: _Making, name: str, edit: Edit, **changed: object) -> Mutant:
    what = f"{name}={written(edit.before)}->{written(edit.after)}"
    return make(edit.kind, what, f"`{name}`: {_became(written(edit.before), written(edit.after))}", **changed)


def _links(book: Book) -> Iterator[Mutant]:
    make, board = _Making(book, "board", "board"), book.board
    beside = around(book)
    for i, link in enumerate(board.links):
        others = [(e.kind, e.result) for e in edits(link.source, beside) for e in [replace(e, result=replace(link, source=e.result))]]
        others += [(e.kind, replace(link, target=e.result)) for e in edits(link.target, beside)]
        others += [(MutantKind.LINK, other) for other in _other_links(link)]
        for kind, other in others:
            links = (*board.links[:i], other, *board.links[i + 1 :])
            what = f"link-{i + 1}={written(link)}->{written(other)}"
            yield make(kind, what, _became(written(link), written(other)), board=replace(board, links=links))
        left = replace(board, links=dropped(board.links, i))
        yield make(MutantKind.LINK, f"without-link-{i + 1}", f"`{written(link)}` was left out", board=left)
        if i + 1 < len(board.links):
            order = replace(board, links=swapped(board.links, i))
            yield make(MutantKind.ORDER, f"link-{i + 2}-before-{i + 1}", f"link {i + 2} came before link {i + 1}", board=order)


def _other_links(link: Link) -> Iterator[Link]:
    yield replace(link, or_home=not link.or_home)
    for n in one_off(link.limit):
        yield replace(link, limit=n)
    if link.source != link.target:
        yield replace(link, source=link.target, target=link.source)


# ---- players ---------------------------------------------------------------------------------------------------------


def _setups(book: Book) -> Iterator[Mutant]:
    make, spec = _Making(book, "players", "players"), book.players
    for i, setup in enumerate(spec.setups):
        for other in _other_setups(setup):
            setups = (*spec.setups[:i], other, *spec.setups[i + 1 :])
            what = f"{written(setup)}->{written(other)}"
            yield make(MutantKind.SETUP, what, _became(written(setup), written(other)), players=replace(spec, setups=setups))


def _other_setups(setup: Setup) -> Iterator[Setup]:
    yard, start = setup.in_yard, setup.on_start
    for in_yard, on_start in ((yard - 1, start), (yard + 1, start), (yard, start - 1), (yard - 1, start + 1), (yard + 1, start - 1)):
        if in_yard >= 0 and on_start >= 0 and in_yard + on_start:
            yield replace(setup, in_yard=in_yard, on_start=on_start)


def _seats(book: Book) -> Iterator[Mutant]:
    make, spec = _Making(book, "players", "players"), book.players
    names = [name for name, _ in spec.colours]
    for i, (first, second) in enumerate(pairwise(names)):
        says = f"`{first}` and `{second}` sat at each other's arm"
        yield make(MutantKind.SEATS, f"{second}-before-{first}", says, players=replace(spec, colours=swapped(spec.colours, i)))
    for i, (number, seating) in enumerate(spec.seats):
        for what, other in _other_seatings(seating, names):
            seats = (*spec.seats[:i], (number, other), *spec.seats[i + 1 :])
            yield make(MutantKind.SEATS, f"for-{number}-{what}", f"for {number}: {what}", players=replace(spec, seats=seats))
    if spec.first is not None:
        yield from _other_first(make, spec, spec.first)


Seating = tuple[tuple[str, ...], ...]


def _other_seatings(seating: Seating, names: list[str]) -> Iterator[tuple[str, Seating]]:
    """Other turns, another colour for a player, and colours dealt otherwise. The turns of two players are the same either way round."""
    taken = [c for colours in seating for c in colours]
    if len(seating) > 2:
        last = len(seating) - 2
        yield f"{seating[last + 1][0]} before {seating[last][0]}", swapped(seating, last)
    free = next((n for n in names if n not in taken), None)
    if free is not None:
        for i, colours in enumerate(seating):
            if i:
                yield f"{free} for {colours[0]}", (*seating[:i], (free, *colours[1:]), *seating[i + 1 :])
    if len(seating) > 1 and all(len(colours) > 1 for colours in seating[:2]):
        one, two = seating[0], seating[1]
        what = f"{two[0]} and {one[1]} for each other"
        yield what, ((one[0], two[0], *one[2:]), (one[1], *two[1:]), *seating[2:])


def _other_first(make: _Making, spec: PlayersSpec, first: str) -> Iterator[Mutant]:
    """Another colour begins, one that sits at every table."""
    always = [name for name, _ in spec.colours if all(any(name in colours for colours in seating) for _, seating in spec.seats)]
    other = next((name for name in always if name != first), None)
    if other is not None:
        yield make(MutantKind.SEATS, f"first={first}->{other}", f"`{other}` began instead of `{first}`", players=replace(spec, first=other))


def _sides(book: Book) -> Iterator[Mutant]:
    make, spec = _Making(book, "players", "players"), book.players
    for i, sides in enumerate(spec.sides):
        left = replace(spec, sides=dropped(spec.sides, i))
        yield make(MutantKind.SEATS, f"without-sides-{i + 1}", "nobody had a partner", players=left)
        one, two, *rest = sides.groups
        regrouped = ((one[0], *two[1:]), (*one[1:], two[0]), *rest)
        groups = (*spec.sides[:i], replace(sides, groups=regrouped), *spec.sides[i + 1 :])
        shown = ", ".join(" + ".join(g) for g in regrouped)
        yield make(MutantKind.SEATS, f"sides-{i + 1}-regrouped", f"the sides were {shown}", players=replace(spec, sides=groups))


# ---- dice ------------------------------------------------------------------------------------------------------------


def _dice(book: Book) -> Iterator[Mutant]:
    make, dice = _Making(book, "dice", "dice"), book.dice
    for n in one_off(dice.count, 1):
        yield make(MutantKind.DICE, f"count={dice.count}->{n}", f"{n} dice instead of {dice.count}", dice=replace(dice, count=n))
    for i, (face, _) in enumerate(dice.faces):
        if len(dice.faces) > 1:
            left = replace(dice, faces=dropped(dice.faces, i))
            yield make(MutantKind.DICE, f"without-face-{face}", f"no die shows a {face}", dice=left)
    if dice.shoe is None:
        return
    yield make(MutantKind.DICE, "without-shoe", "every roll was independent of those before", dice=replace(dice, shoe=None))
    for edit in edits(dice.shoe.sets, around(book), holds="number"):
        yield _measure(make, "shoe", edit, dice=replace(dice, shoe=replace(dice.shoe, sets=edit.result)))


# ---- counters --------------------------------------------------------------------------------------------------------


def _counter(book: Book, i: int) -> Iterator[Mutant]:
    counter = book.counters[i]
    make = _Making(book, "counter", str(counter.id))

    def counters(other: Counter) -> tuple[Counter, ...]:
        return (*book.counters[:i], other, *book.counters[i + 1 :])

    for scope in _other_scopes(counter.scope, around(book)):
        before, after = (f"per {' and '.join(sorted(s))}" for s in (counter.scope, scope))
        changed = counters(replace(counter, scope=scope))
        yield make(MutantKind.COUNTER, f"{before}->{after}", _became(before, after), counters=changed)
    for at, seen in zip(count(), counter.visibility):
        for kind, what, others in _other_sights(seen, around(book)):
            visibility = (*counter.visibility[:at], *others, *counter.visibility[at + 1 :])
            changed = counters(replace(counter, visibility=visibility))
            yield make(kind, f"{seen.how}-{at + 1}/{what}", f"`{seen.how} until {written(seen.until)}`: {what}", counters=changed)


def _other_scopes(scope: frozenset[str], beside: Around) -> Iterator[frozenset[str]]:
    if scope == {"player"}:
        yield frozenset({"game"})
        if beside.teams:
            yield frozenset({"side"})
    elif scope == {"side"}:
        yield frozenset({"player"})
    elif "square" in scope:
        yield scope - {"square"}


def _other_sights(seen: Visibility, beside: Around) -> Iterator[tuple[MutantKind, str, tuple[Visibility, ...]]]:
    yield MutantKind.SIGHT, "left out", ()
    if not _hangs_on_reading(seen.condition, beside):
        # Where a reading says how much is hidden, the other way is the other reading.
        how: Literal["hidden", "secret"] = "secret" if seen.how == "hidden" else "hidden"
        yield MutantKind.SIGHT, f"{how} instead", (Visibility(how, seen.until, seen.condition),)
    for edit in edits(seen.until, beside):
        if edit.kind not in (MutantKind.NUMBER, MutantKind.NEGATE):
            continue
        what = edit.says or _became(written(edit.before), written(edit.after))
        yield MutantKind.SIGHT, what, (replace(seen, until=edit.result),)


def _hangs_on_reading(condition: Expr, beside: Around) -> bool:
    return chosen_only(condition) and any(isinstance(p, ChoiceIs) and p.setting not in beside.options for p in walk(condition))
