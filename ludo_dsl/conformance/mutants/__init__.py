"""Wrong rule books: everything that can be wrong in one place of a rule book, each as a rule book of its own.

Rules are data, so wrong ones come for free. Each mutant is wrong in one thing (`MutantKind` says in which ways). Left out is what
no game could show: a mutant that comes to the same rules as the right book, or as another mutant, at every table; the readings,
for to take another reading is no fault; titles, sentences, host settings, claims; defaults, which whoever asks for a game may leave
out; and the weights of faces and the draw of who begins, which no single game refutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ludo_dsl.conformance.mutants.boards import declaration_mutants
from ludo_dsl.conformance.mutants.choices import stuck_options
from ludo_dsl.conformance.mutants.differing import differing_tables, differs_at, differs_somewhere, is_a_reading, plays_as, settings_touched
from ludo_dsl.conformance.mutants.expressions import dropped
from ludo_dsl.conformance.mutants.kinds import Mutant, MutantKind
from ludo_dsl.conformance.mutants.normal import Ground, essence, phases, stages
from ludo_dsl.conformance.mutants.rewriting import Edit, around
from ludo_dsl.conformance.mutants.sequences import resolution_orders, statement_orders, turn_orders
from ludo_dsl.conformance.mutants.statements import edits
from ludo_dsl.conformance.mutants.writing import slug, written
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.statements import Statement
from ludo_dsl.rules.table import Table, TableError, make_table

__all__ = ["Mutant", "MutantKind", "differing_tables", "differs_at", "differs_somewhere", "mutants", "plays_as", "settings_touched"]


def mutants(book: Book) -> tuple[Mutant, ...]:
    """Every rule book that is wrong in one thing, each once, in a stable order: options, statements, orders, declarations.

    Of several that come to the same rules the first stands for all.
    """
    seen: set[object] = {_rules(book)}
    found = []
    for mutant in _candidates(book):
        rules = _rules(mutant.book)
        if rules not in seen and _makes_a_table(mutant.book) and differs_somewhere(mutant) and not is_a_reading(mutant):
            seen.add(rules)
            found.append(mutant)
    return tuple(found)


def _candidates(book: Book) -> Iterator[Mutant]:
    yield from stuck_options(book)
    yield from _missing_statements(book)
    for i in range(len(book.statements)):
        yield from _statement_mutants(book, i)
    yield from statement_orders(book)
    yield from declaration_mutants(book)
    yield from resolution_orders(book)
    yield from turn_orders(book)


# ---- statements ------------------------------------------------------------------------------------------------------


def _missing_statements(book: Book) -> Iterator[Mutant]:
    for i, statement in enumerate(book.statements):
        says = f"`{statement.id.rule}`: `{written(statement)}` was left out"
        yield _of(book, statement, MutantKind.DROP, f"drop/{statement.id}", says, dropped(book.statements, i))


def _statement_mutants(book: Book, at: int) -> Iterator[Mutant]:
    statement = book.statements[at]
    times: Counter[str] = Counter()
    for edit in edits(statement, around(book)):
        name = f"{edit.kind}/{statement.id}/{_label(edit)}"
        times[name] += 1
        # The same words can stand in a statement twice.
        number = f"#{times[name]}" if times[name] > 1 else ""
        says = edit.says or f"`{written(edit.before)}` became `{written(edit.after)}`"
        statements = (*book.statements[:at], edit.result, *book.statements[at + 1 :])
        yield _of(book, statement, edit.kind, name + number, f"`{statement.id.rule}`: {says}", statements)


def _label(edit: Edit) -> str:
    return slug(edit.label) if edit.label else f"{slug(written(edit.before))}->{slug(written(edit.after))}"


def _of(book: Book, statement: Statement, kind: MutantKind, name: str, says: str, statements: tuple[Statement, ...]) -> Mutant:
    rule = statement.id.rule
    return Mutant(name, kind, rule, book.clauses_of(rule), says, replace(book, statements=statements), book)


# ---- which are worth having ------------------------------------------------------------------------------------------


def _rules(book: Book) -> object:
    """What a rule book comes to, at any table."""
    ground = Ground(
        faces=tuple(sorted(face for face, _ in book.dice.faces)),
        teams=bool(book.players.sides),
        one_colour=all(len(colours) == 1 for _, seating in book.players.seats for colours in seating),
    )
    order = phases(book.resolution, book.statements, book.board.links), stages(book.turn, book.statements)
    return essence(book.statements, ground), book.board, book.players, book.dice, book.counters, order


def _makes_a_table(book: Book) -> bool:
    """Whether the rule book still is one: at some number of players there is a board on which they can play."""
    return any(_is_board(book, players) for players in reversed(book.players.counts))


def _is_board(book: Book, players: int) -> bool:
    try:
        table = make_table(book, players)
    except (TableError, TypeError, ValueError, LookupError, StopIteration, ArithmeticError):
        return False
    return _holds_together(table)


def _holds_together(table: Table) -> bool:
    measures = table.measures
    marks = [at for name, at in table.numbers if name in dict(table.book.board.marks)]
    arms = max(route.arm for route in table.routes) < measures.arms
    return arms and measures.lane > 0 and measures.turn_off > 0 and all(at < measures.arm for at in marks)
