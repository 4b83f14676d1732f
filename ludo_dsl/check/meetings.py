"""Whether the rules agree on every meeting: two that decide one differently (L0501), and one that none decides (L0502)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, product
from math import prod
from typing import TYPE_CHECKING

from ludo_dsl.check.meeting_cells import Cell, Fate, Ground, MeetingTable, Outcome, Reach, cells_of, ground_of, meeting_table
from ludo_dsl.check.meeting_words import company_words, fate_words, listed, named, on_square
from ludo_dsl.check.residuals import can_hold, must_hold
from ludo_dsl.check.squares import expressions, relevant
from ludo_dsl.diagnostics import Diagnostic, Label
from ludo_dsl.rules.book import Book, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import ALWAYS, Choice, ChoiceIs, Faces, Not, Or, Owner
from ludo_dsl.rules.folding import conjunction, walk
from ludo_dsl.rules.statements import Grant, MayCombine, Statement, StatementId, Trigger, When
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

if TYPE_CHECKING:
    from ludo_dsl.check.places import Places

TABLES = 200
"""How many tables of a rule book are looked at; beyond them, some of the others, evenly spread."""

_SPREAD = 50


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that decide differently about one relation (about the mover: nothing), in written order."""

    cell: Cell
    relation: Owner | None
    first: Outcome
    second: Outcome
    rules: tuple[StatementId, StatementId]
    passing: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """A relation of which no statement is certain to decide."""

    cell: Cell
    relation: Owner


# ---- faults of one table ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def faults_of(ground: Ground) -> tuple[Conflict | Gap, ...]:
    """The conflicts and gaps of all meetings of a ground, smallest company first."""
    found: list[Conflict | Gap] = []
    for cell in cells_of(ground):
        found += _conflicts(cell, ground.faces)
        found += _gaps(cell, ground.faces)
    return tuple(found)


def _conflicts(cell: Cell, faces: frozenset[int]) -> Iterator[Conflict]:
    for passing, outcomes in ((False, cell.outcomes), (True, cell.passing.outcomes)):
        barred = [o.residual for o in outcomes if o.fate is Fate.FORBIDDEN]
        for first, second in combinations(outcomes, 2):
            rules = (first.rule, second.rule)
            if rules[0] is None or rules[1] is None or rules[0] == rules[1]:
                continue
            if first.relation is not second.relation or not _differ(first, second, cell):
                continue
            together = conjunction(first.residual, second.residual, *(Not(b) for b in barred))
            if can_hold(together, faces):
                yield Conflict(cell, first.relation, first, second, (rules[0], rules[1]), passing)


def _differ(first: Outcome, second: Outcome, cell: Cell) -> bool:
    if Fate.FORBIDDEN in (first.fate, second.fate) or (first.fate, first.reach) == (second.fate, second.reach):
        return False
    if first.relation is None:
        return True
    if not first.covers & second.covers or first.reach is second.reach is Reach.MOVER:
        return False
    kept = next((o for o in (first, second) if o.fate is Fate.SHARE), None)
    if kept is not None:
        # `share` speaks of those that remain when a statement sends some of them, chosen by where they stand.
        other = second if kept is first else first
        return other.covers == cell.company.members(first.relation)
    return Reach.MOVER not in (first.reach, second.reach)


def _gaps(cell: Cell, faces: frozenset[int]) -> Iterator[Gap]:
    if cell.forbidden:
        return
    barred = [o.residual for o in cell.outcomes if o.fate is Fate.FORBIDDEN]
    for relation in cell.company.present:
        for group in cell.company.members(relation):
            decided = [o.residual for o in cell.of(relation) if group in o.covers]
            if ALWAYS not in decided and not must_hold(Or((*decided, *barred)), faces):
                yield Gap(cell, relation)
                break


# ---- tables of a book ------------------------------------------------------------------------------------------------


def tables(book: Book) -> Iterator[Table]:
    """Tables that can differ in their meetings, those with the fewest changes first; at most `TABLES`."""
    meetings = {s.id for s in relevant(book.statements)}
    kept = tuple(s for s in book.statements if s.id in meetings or isinstance(s, MayCombine) or _grants(s))
    bare = replace(book, statements=kept, counters=())
    settings = _asked(book)
    seats = book.players.counts[::-1]
    for changes, players in _choices(settings, len(seats)):
        yield from _table(bare, settings, changes, seats[players])


def _grants(statement: Statement) -> bool:
    return isinstance(statement, When) and any(isinstance(e, Grant) for e in statement.effects)


def _asked(book: Book) -> tuple[Setting, ...]:
    """The options and readings that the statements of meetings ask for, and those that place marks, where marks can coincide."""
    asked = [*expressions(relevant(book.statements))]
    if len(book.board.marks) > 1:
        asked += [e for _, expr in book.board.marks for e in walk(expr)]
    names = {e.setting for e in asked if isinstance(e, Choice | ChoiceIs)}
    names |= {e.values for e in asked if isinstance(e, Faces) and isinstance(e.values, str)}
    # A setting that only some tables can choose brings the one that it hangs on.
    for setting in book.settings:
        if setting.id in names:
            names |= {e.setting for e in walk(setting.only_if) if isinstance(e, Choice | ChoiceIs)}
    names |= {e.setting for s in book.players.sides for e in walk(s.condition) if isinstance(e, Choice | ChoiceIs)}
    return tuple(s for s in book.settings if s.id in names)


def _others(setting: Setting) -> list[SettingValue]:
    match setting.domain:
        case Named(values, default):
            return [v.name for v in values if v.name != default]
        case Range(low, high, default):
            return sorted({low, high} - {default})
        case _:
            return []


Changes = Mapping[str, SettingValue]


def _choices(settings: tuple[Setting, ...], seats: int) -> Iterator[tuple[Changes, int]]:
    sizes = [1 + len(_others(s)) for s in settings]
    count = prod(sizes) * seats
    first = ((dict(c), p) for c in _fewest_changes(settings) for p in range(seats))
    if count <= TABLES:
        yield from first
        return
    yield from islice(first, TABLES - _SPREAD)
    for number in range(_SPREAD):
        index = number * count // _SPREAD
        changes: dict[str, SettingValue] = {}
        for setting, size in zip(settings, sizes, strict=True):
            index, digit = divmod(index, size)
            if digit:
                changes[setting.id] = _others(setting)[digit - 1]
        yield changes, index % seats


def _fewest_changes(settings: tuple[Setting, ...]) -> Iterator[tuple[tuple[str, SettingValue], ...]]:
    for count in range(len(settings) + 1):
        for chosen in combinations(settings, count):
            for values in product(*(_others(s) for s in chosen)):
                yield tuple((s.id, v) for s, v in zip(chosen, values, strict=True))


def _table(book: Book, settings: tuple[Setting, ...], changes: Changes, players: int) -> Iterator[Table]:
    """The table, if the rule book offers it."""
    roles: dict[str, str] = {s.id: s.role for s in settings}
    options = {name: value for name, value in changes.items() if roles[name] == "option"}
    readings = {name: value for name, value in changes.items() if roles[name] == "reading"}
    try:
        yield make_table(book, players, options, readings)
    except TableError:
        return


# ---- diagnostics -----------------------------------------------------------------------------------------------------


def check_meetings(book: Book, places: Places) -> list[Diagnostic]:
    """The conflicts (L0501) and gaps (L0502) of a rule book, each once, with the smallest example."""
    conflicts: dict[tuple[frozenset[StatementId], Owner | None], tuple[Conflict, Table]] = {}
    gaps: dict[Owner, tuple[list[Gap], Table]] = {}
    seen: set[Ground] = set()
    for table in tables(book):
        ground = ground_of(table)
        if ground in seen:
            continue
        seen.add(ground)
        for fault in faults_of(ground):
            if isinstance(fault, Conflict):
                pair = frozenset(fault.rules)
                conflicts.setdefault((pair, fault.relation), (fault, table))
            else:
                of_relation, first = gaps.setdefault(fault.relation, ([], table))
                if first is table:
                    of_relation.append(fault)
    report = _Report(book, places)
    return [report.conflict(c, t) for c, t in conflicts.values()] + [report.gap(g, t) for g, t in gaps.values()]


class _Report:
    """Writes diagnostics about one book."""

    def __init__(self, book: Book, places: Places) -> None:
        self.book = book
        self.places = places

    def conflict(self, conflict: Conflict, table: Table) -> Diagnostic:
        """Two statements that decide differently: at the second, with a label at the first."""
        order = [s.id for s in self.book.statements]
        one, two = conflict.rules
        first, second = (conflict.first, conflict.second) if order.index(one) < order.index(two) else (conflict.second, conflict.first)
        one, two = sorted((one, two), key=order.index)
        who = named(conflict.relation)
        names = f"`{two.rule}` and `{one.rule}` decide" if one.rule != two.rule else f"two statements of `{one.rule}` decide"
        event = "passing" if conflict.passing else "landing"
        fates = f"{who}: {fate_words(first)}, or {fate_words(second)}"
        message = f"{names} the same meeting differently, {event} {_example(conflict.cell)}{self._settings(table)} ({fates})"
        label = Label(self.places.statement(one), f"{who}: {fate_words(first)}", self.places.source_of(one.rule))
        elsewhere = self.places.source_of(one.rule) != self.places.source_of(two.rule)
        other = f"say the other one differently with `replace rule {one.rule}`" if elsewhere else "drop it"
        hint = f"let one of them stand aside, as in `if here is not {_kind(conflict.cell)}`, or {other}"
        return Diagnostic("L0501", message, self.places.source_of(two.rule), self.places.statement(two), hint, (label,))

    def gap(self, gaps: list[Gap], table: Table) -> Diagnostic:
        """A meeting that nobody decides: at the first rule of landing, or where the rule book begins."""
        example = gaps[0].cell
        relation = gaps[0].relation
        message = f"no rule decides what becomes of {named(relation)} when a piece lands {_example(example)}{self._settings(table)}"
        squares = list(dict.fromkeys(on_square(g.cell.square) for g in gaps))
        if len(squares) > 1:
            message += f"; nor {listed(squares[1:])}"
        met = {c.square.label for c in cells_of(ground_of(table)) if relation in c.company.present}
        where = f" on {_kind(example)}" if len(squares) == 1 < len(met) else ""
        condition = "own here >= 2" if relation is Owner.OWN else f"{relation} here"
        hint = f"state it, as in `when landing{where} if {condition}  share with {relation}`"
        landing = next((s.id for s in relevant(self.book.statements) if isinstance(s, When) and s.trigger is Trigger.LANDING), None)
        if landing is None:
            head = self.book.declarations[0]
            return Diagnostic("L0502", message, self.places.source(head.file), head.span, hint)
        return Diagnostic("L0502", message, self.places.source_of(landing.rule), self.places.statement(landing), hint)

    def _settings(self, table: Table) -> str:
        """The table of the example, as far as it is not the default one."""
        words = [f"`{name}` {shown_value(value)}" for name, value in table.changed().items()]
        if len(table.players) != self.book.players.high:
            words.append(f"{len(table.players)} players")
        return f", with {listed(words)}" if words else ""


def _example(cell: Cell) -> str:
    return f"{on_square(cell.square)} where there {_is(cell)} {company_words(cell.company)}"


def _is(cell: Cell) -> str:
    return "is" if cell.company.groups[0].count == 1 else "are"


def _kind(cell: Cell) -> str:
    """The kind of square as a rule names it."""
    names = cell.square.names
    marks = sorted(names - {"track", "start", "own start"})
    if marks:
        return marks[0]
    return next((name for name in ("own start", "start", "track") if name in names), "lane")


__all__ = ["MeetingTable", "check_meetings", "meeting_table"]
