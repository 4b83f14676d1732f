"""What can be wrong with a scenario before it is played: its place, its table, its clauses, its positions and moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.scenarios.check_faults import Fault, Item, label_of, place_of
from ludo_dsl.conformance.scenarios.subjects import book_of, reference_for, table_of
from ludo_dsl.conformance.scenarios.suite import Branch, Step
from ludo_dsl.diagnostics import RuleBookError, closest
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import position_text, require_move
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import TableError, make_table, read_value, shown_value


def form_faults(item: Item, in_place: bool = True, books: Mapping[str, Book] | None = None) -> list[Fault]:
    """What is wrong with a scenario by itself; `in_place` is whether it must lie in the file that its id names.

    `books` holds rule books of one's own, by name; all others are those that come with the project.
    """
    try:
        book = (books or {}).get(item.scenario.variant) or book_of(item.scenario.variant)
    except RuleBookError as error:
        first, name = error.diagnostics[0], item.scenario.variant
        message = first.message if f"`{name}`" in first.message else f"`{name}` is no rule book to play: {first.message}"
        return [item.fault(message, first.hint or f"`ludo check {name}` tells all that is wrong with it", "variant")]
    named = item.scenario.id.split("/")[0]
    if Path(item.scenario.variant).stem != named:
        message = f"the id `{item.scenario.id}` is not of `{item.scenario.variant}`"
        return [item.fault(message, "an id begins with the name of its variant", "id")]
    found = [*(_placed(item) if in_place else ()), *_clauses(item, book), *_options(item, book), *_readings(item, book)]
    found = found or list(_outcomes(item))
    if found:
        return found
    # Branches share their first steps, and the faults of these.
    return list(dict.fromkeys(fault for branch in item.scenario.branches for fault in _branch(item, branch, book)))


# ---- where it lies ---------------------------------------------------------------------------------------------------


def _placed(item: Item) -> Iterator[Fault]:
    variant, area, _ = item.scenario.id.split("/")
    path = Path(item.document.file)
    if (path.resolve().parent.name, path.stem) != (variant, area):
        hint = f"its place is {variant}/{area}.yaml, or it needs another id"
        yield item.fault(f"`{item.scenario.id}` does not belong in this file", hint, "id")


# ---- clauses ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _citable(book: Book) -> tuple[frozenset[str], frozenset[str]]:
    """The clauses that a scenario of a rule book may name, and, in a book of one's own, the rules."""
    clauses = {c.id for c in register().values() if c.variant == book.name}
    clauses |= {c.clause for declaration in book.declarations for c in declaration.citations}
    rules = set() if book.name in variant_names() else {d.name for d in book.declarations if d.name}
    return frozenset(clauses), frozenset(rules)


def _clauses(item: Item, book: Book) -> Iterator[Fault]:
    clauses, rules = _citable(book)
    for number, name in enumerate(item.scenario.clauses):
        if name in clauses or name in rules:
            continue
        where = ("clauses", number)
        known = register().get(name)
        if known is not None:
            yield item.fault(f"{name} is a clause of {known.variant}, not of {book.name}", "name clauses of the variant itself", *where)
        elif name[:1].isupper():
            hint = _nearest(name, clauses) or f"`ludo clauses {book.name}` lists those that there are"
            yield item.fault(f"there is no clause {name}", hint, *where)
        else:
            kind = "rules are named only for a rule book of one's own" if not rules else f"{book.name} has no rule `{name}`"
            yield item.fault(kind, _nearest(name, rules) or "name a clause, as in `AN-14`", *where)


def _nearest(word: str, known: Iterable[str]) -> str:
    near = closest(word, sorted(known))
    return f"did you mean `{near}`?" if near else ""


# ---- table -----------------------------------------------------------------------------------------------------------


def _options(item: Item, book: Book) -> Iterator[Fault]:
    """The table with its options, under the default readings."""
    scenario = item.scenario
    try:
        table = make_table(book, scenario.players, dict(scenario.options))
    except TableError as error:
        blamed = next((name for name, _ in scenario.options if f"`{name}`" in error.message), None)
        where = ("players",) if blamed is None else ("options", blamed)
        yield item.fault(error.message, error.hint or "choose a table that the rule book offers", *where)
        return
    names = [p.name for p in table.players]
    if scenario.first is not None and scenario.first not in names:
        yield item.fault(f"no player is `{scenario.first}`", f"the players are {_listed(names)}", "first")
    for branch in scenario.branches:
        for step in branch.steps:
            for name, _ in step.places or ():
                if name not in names:
                    yield item.fault(f"no player is `{name}`", f"the players are {_listed(names)}", *place_of(step), "places", name)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# ---- readings --------------------------------------------------------------------------------------------------------


def _readings(item: Item, book: Book) -> Iterator[Fault]:
    """Questions that the book asks, and values that it has, written as the book writes them."""
    for branch in item.scenario.branches:
        outcome = label_of(branch)
        for name, values in branch.readings:
            where = ("readings", name) if name in item.document.value[item.index].get("readings", {}) else outcome
            yield from _reading(item, book, name, values, where)


def _reading(item: Item, book: Book, name: str, values: tuple[str, ...], where: tuple[str | int, ...]) -> Iterator[Fault]:
    setting = book.setting(name)
    questions = [s.id for s in book.settings if s.role == "reading"]
    if setting is None or setting.role != "reading":
        asked = f"its questions are {_listed(questions)}" if questions else f"{book.name} leaves nothing open"
        yield item.fault(f"{book.name} leaves no question `{name}` open", _nearest(name, questions) or asked, *where)
        return
    try:
        taken = [read_value(book, setting, value) for value in values]
    except TableError as error:
        yield item.fault(error.message, error.hint, *where)
        return
    if len(set(taken)) < len(taken):
        yield item.fault(f"a reading of `{name}` is named twice", "name each reading once", *where)
    if setting.default in taken[1:]:
        usual = shown_value(setting.default)
        yield item.fault(
            f"`{usual}`, the usual reading of `{name}`, does not come first",
            f"a scenario is played under the first of its readings: put `{usual}` first",
            *where,
        )


def _outcomes(item: Item) -> Iterator[Fault]:
    """No engine could take two outcomes at once."""
    branches = item.scenario.branches
    for one, other in combinations(branches, 2):
        if not _apart(one, other):
            both = f"`{label_of(one)[-1]}` and `{label_of(other)[-1]}`"
            yield item.fault(f"the outcomes {both} can hold at once", "name readings of which an engine takes one alone", *label_of(other))


def _apart(one: Branch, other: Branch) -> bool:
    """Whether some question has no reading that belongs to both."""
    others = dict(other.readings)
    return any(name in others and not set(values) & set(others[name]) for name, values in one.readings)


# ---- notation --------------------------------------------------------------------------------------------------------


def _branch(item: Item, branch: Branch, book: Book) -> Iterator[Fault]:
    """The positions, moves and rolls of a branch, at its table."""
    try:
        table = table_of(item.scenario, branch, book)
    except TableError as error:
        yield item.fault(error.message, error.hint, *label_of(branch))
        return
    reference = reference_for(table)
    if item.scenario.given is not None:
        yield from _position(item, reference, item.scenario.given, "given")
    for step in branch.steps:
        where = place_of(step)
        if step.then is not None:
            yield from _position(item, reference, step.then, *where, "then")
        yield from _moves(item, reference, step, where)
        yield from _rolls(item, reference, step, where)


def _position(item: Item, reference: Interpreter, text: str, *where: str | int) -> Iterator[Fault]:
    """A position can be read, and one that is written and read again is the same."""
    try:
        state = reference.read(text)
        written = position_text(reference.table, state)
        again = reference.read(written)
    except GameError as error:
        yield item.fault(error.message, error.hint or "positions are written as spec/language/notation.md says", *where)
        return
    if again != state:
        yield item.fault(f"this is written as `{written}`, which is read as another position", "write all that decides the future", *where)


def _moves(item: Item, reference: Interpreter, step: Step, where: tuple[str | int, ...]) -> Iterator[Fault]:
    moves = [(step.move, ("move",)), (step.refuse, ("refuse",)), *((m, ("legal", i)) for i, m in enumerate(step.legal or ()))]
    for text, part in moves:
        if text is None:
            continue
        try:
            require_move(reference.table, text)
        except GameError as error:
            yield item.fault(error.message, error.hint or "moves are written as spec/language/notation.md says", *where, *part)


def _rolls(item: Item, reference: Interpreter, step: Step, where: tuple[str | int, ...]) -> Iterator[Fault]:
    """As many faces as there are dice: that more or fewer are refused says nothing about the rules."""
    dice = reference.table.book.dice
    for roll, part in ((step.roll, "roll"), (step.refuse_roll, "refuse-roll")):
        if roll is None:
            continue
        if len(roll) != dice.count:
            yield item.fault(f"a roll shows {dice.count} dice, not {len(roll)}", "write each roll as a step of its own", *where, part)
