"""What there is to exercise in a rule book: its statements, and the parts of its board, players and dice, by clause and by rule.

- A rule is its statements. An option or reading is its own statements, all others that name it, and the parts of board and players
  that hang on it. A counter is the statements that count by it, a `let` those in whose text its name stands.
- A part has no statement, so it has a sense of its own. The board, and who sits at it, apply wherever something is shown: the opening,
  a move, a list of moves, a move refused, the places. A mark applies where a move ends on it. Where pieces stand at first, and who
  begins, apply where a game begins from the opening. Seats, sides and pieces just do not where the same is shown at a table for
  which another line holds, and so does a board that is laid out by a setting, at its default. The dice apply where they roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ludo_dsl.check.book import parsed
from ludo_dsl.conformance.covering.looks import Way
from ludo_dsl.conformance.covering.observer import Observer
from ludo_dsl.conformance.covering.probes import expressions_of, named_in, parts_of, settings_in
from ludo_dsl.game.events import EventKind
from ludo_dsl.rules.book import Book, Declaration
from ludo_dsl.rules.expressions import ALWAYS, CounterOf, Expr, Highest, SettingId
from ludo_dsl.rules.folding import fold, walk
from ludo_dsl.rules.statements import Add, Once, Rank, Statement, StatementId, Trigger, When
from ludo_dsl.rules.table import Table
from ludo_dsl.source import Span
from ludo_dsl.syntax.parser import read_source
from ludo_dsl.syntax.tree import Node


@dataclass(frozen=True, slots=True)
class Board:
    """The board as a whole; with a setting, that it is laid out by it."""

    setting: SettingId | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """The squares that carry a mark; with a setting, that they lie where it says."""

    mark: str
    setting: SettingId | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits down, in which order, with which colours."""


@dataclass(frozen=True, slots=True)
class First:
    """Who begins."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of so many players."""

    players: int


@dataclass(frozen=True, slots=True)
class Together:
    """Sides that play together, by their number among the lines of the players."""

    number: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """Where pieces stand at first, by the number of the line."""

    number: int


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice."""


Unit = StatementId | Board | Marked | Seating | First | Seats | Together | Pieces | Dice
"""Something that a scenario can exercise."""

Seen = tuple[Unit, Way]


@dataclass(frozen=True)
class Units:
    """What there is to exercise, by clause and by the name of each rule, option and reading; `timeless` units always apply."""

    by_clause: dict[str, frozenset[Unit]]
    by_name: dict[str, frozenset[Unit]]
    timeless: frozenset[Unit] = field(default=frozenset())


def units_of(book: Book) -> Units:
    """The units of a rule book."""
    finder = _Finder(book)
    by_clause: dict[str, set[Unit]] = {}
    for declaration in book.declarations:
        for citation in declaration.citations:
            by_clause.setdefault(citation.clause, set()).update(finder.at(declaration, citation.span))
    by_name = {d.name: frozenset(finder.of(d)) for d in book.declarations if d.kind in ("rule", "option", "reading")}
    found = {clause: frozenset(units) for clause, units in by_clause.items()}
    every = frozenset().union(*found.values(), *by_name.values())
    return Units(found, by_name, frozenset(u for u in every if finder.always(u)))


class _Finder:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.spans = dict(book.where)
        self.statements = {s.id: s for s in book.statements}
        self.rankings = sum(isinstance(s, Rank) for s in book.statements)

    # ---- whole declarations ------------------------------------------------------------------------------------------

    def of(self, declaration: Declaration) -> Iterator[Unit]:
        """Everything that a declaration has a say in."""
        match declaration.kind:
            case "rule":
                yield from self._of_rule(declaration.name)
            case "option" | "reading":
                yield from self._of_rule(declaration.name)
                yield from (s.id for s in self.book.statements if declaration.name in settings_in(s))
                yield from self._parts_by(SettingId(declaration.name))
            case "counter":
                yield from (s.id for s in self.book.statements if _counts_by(s, declaration.name))
            case "let":
                yield from self._naming(declaration.name)
            case "board":
                yield Board()
            case "players":
                yield Seating()
            case "dice":
                yield Dice()
            case _:
                return

    def _of_rule(self, name: str) -> Iterator[StatementId]:
        return (s.id for s in self.book.statements if s.id.rule == name)

    def _parts_by(self, setting: SettingId) -> Iterator[Unit]:
        board, players = self.book.board, self.book.players
        if setting in _named(board.arms, board.arm):
            yield Board(setting)
        yield from (Marked(mark, setting) for mark, at in board.marks if setting in _named(at))
        yield from (Together(n) for n, s in enumerate(players.sides) if setting in _named(s.condition))
        yield from (Pieces(n) for n, s in enumerate(players.setups) if setting in _named(s.condition))

    def _naming(self, name: str) -> Iterator[StatementId]:
        """The statements in whose text a name stands, or another name that is defined by it."""
        names = {name}
        lets = [d for d in self.book.declarations if d.kind == "let"]
        for _ in lets:
            names |= {d.name for d in lets if any(_stands(n, self._text(d.file, d.span).partition("=")[2]) for n in names)}
        files = {d.name: d.file for d in self.book.declarations if d.kind in ("rule", "option", "reading")}
        for statement in self.book.statements:
            text = self._text(files.get(statement.id.rule, ""), self.spans.get(statement.id, Span(0, 0)))
            if any(_stands(n, text) for n in names):
                yield statement.id

    @staticmethod
    def _text(file: str, span: Span) -> str:
        path = Path(file)
        return read_source(path).slice(span) if path.is_file() else ""

    # ---- parts -------------------------------------------------------------------------------------------------------

    def at(self, declaration: Declaration, citation: Span) -> Iterator[Unit]:
        """What a citation at a place of a declaration speaks of."""
        line = _line(declaration, citation) if declaration.kind in ("board", "players") else None
        if line is None:
            yield from self.of(declaration)
            return
        node, number = line
        match node.kind:
            case "mark":
                mark = node.the("NAME").text
                yield Marked(mark)
                yield from (Marked(mark, s) for name, at in self.book.board.marks if name == mark for s in _named(at))
            case "seats":
                yield Seats(int(node.the("INT").text))
            case "sides":
                yield Together(number)
            case "setup_line":
                yield Pieces(number)
            case "first":
                yield First()
            case _:
                yield from self.of(declaration)

    # ---- what cannot fail --------------------------------------------------------------------------------------------

    def always(self, unit: Unit) -> bool:
        """Whether there is no case in which a unit just does not apply."""
        match unit:
            case Board(setting) | Marked(setting=setting):
                return setting is None
            case Seating() | First() | Dice():
                return True
            case Seats():
                return len(self.book.players.seats) == 1
            case Together(number):
                return self.book.players.sides[number].condition == ALWAYS
            case Pieces(number):
                return self.book.players.setups[number].condition == ALWAYS
            case StatementId():
                return self._unfailing(self.statements[unit])

    def _unfailing(self, statement: Statement) -> bool:
        match statement:
            case Rank():
                return self.rankings == 1
            case When(trigger=trigger) if trigger not in (Trigger.CAPTURED, Trigger.REACHED_HOME, Trigger.RETIRED, Trigger.NO_MOVE):
                return not parts_of(statement)
            case Once():
                return statement.condition == ALWAYS
            case _:
                return False


def _named(*exprs: Expr) -> tuple[SettingId, ...]:
    return named_in(part for e in exprs for part in walk(e))


def _counts_by(statement: Statement, counter: str) -> bool:
    effects = statement.effects if isinstance(statement, When | Once) else ()
    return any(isinstance(e, CounterOf | Highest) and e.counter == counter for e in expressions_of(statement)) or any(
        isinstance(e, Add) and e.counter == counter for e in effects
    )


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _line(declaration: Declaration, citation: Span) -> tuple[Node, int] | None:
    """The line of a declaration in which a clause is cited, and its number among those of its kind; nothing for its head."""
    path = Path(declaration.file)
    if not path.is_file():
        return None
    node = _node(parsed(read_source(path)), declaration.span)
    for line in node.nodes() if node is not None else ():
        if line.kind != "cites" and line.span.start <= citation.start and citation.end <= line.span.end:
            assert node is not None
            return line, list(node.nodes(line.kind)).index(line)
    return None


def _node(tree: Node, span: Span) -> Node | None:
    if tree.span == span and tree.kind in ("board", "players"):
        return tree
    inside = (n for n in tree.nodes() if n.span.start <= span.start and span.end <= n.span.end)
    return next((found for n in inside if (found := _node(n, span)) is not None), None)


# ---- parts that were seen --------------------------------------------------------------------------------------------


def seen_by(observer: Observer, units: Iterable[Unit]) -> frozenset[Seen]:
    """What an observer saw of some units."""
    wanted = tuple(units)
    statements = frozenset(s for s in observer.seen if s[0] in wanted)
    parts = ((unit, _part_seen(unit, observer)) for unit in wanted if not isinstance(unit, StatementId))
    return statements | {(unit, way) for unit, way in parts if way is not None}


def _part_seen(unit: Unit, observer: Observer) -> Way | None:
    table = observer.lens.table
    played = observer.played or EventKind.MOVED in observer.happened
    match unit:
        case Board(setting):
            return _by(table, setting) if played else None
        case Marked(mark, setting):
            return _by(table, setting) if mark in observer.stood_on else None
        case Seating():
            return Way.APPLIES if played else None
        case First():
            return Way.APPLIES if observer.opened else None
        case Seats(players):
            return _way(len(table.players) == players) if played else None
        case Together(number):
            return _way(_holds(table, table.book.players.sides[number].condition)) if played else None
        case Pieces(number):
            return _way(_holds(table, table.book.players.setups[number].condition)) if observer.opened else None
        case Dice():
            return Way.APPLIES if EventKind.ROLLED in observer.happened else None
        case _:
            return None


def _by(table: Table, setting: SettingId | None) -> Way:
    """Whether a setting that lays out the board has another value than by default."""
    found = table.book.setting(setting) if setting is not None else None
    return _way(found is None or table.chosen[found.id] != found.default)


def _holds(table: Table, condition: Expr) -> bool:
    return fold(condition, table.known) == ALWAYS


def _way(applies: bool) -> Way:
    return Way.APPLIES if applies else Way.JUST_NOT
