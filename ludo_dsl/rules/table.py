"""A rule book at one table: players, options and readings chosen, and everything that hangs on them decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.rules.book import (
    Book,
    Counter,
    Declaration,
    FaceSet,
    Link,
    Named,
    Range,
    Setting,
    SettingValue,
    Visibility,
)
from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    BoardNumber,
    Choice,
    ChoiceIs,
    CounterId,
    Expr,
    Faces,
    Fact,
    FactOf,
    Number,
    SettingId,
    Truth,
)
from ludo_dsl.rules.folding import Known, fold
from ludo_dsl.rules.statements import (
    Add,
    Effect,
    Must,
    Once,
    Rank,
    RankKey,
    Score,
    Statement,
    When,
)
from ludo_dsl.rules.topology import Measures, Route, make_route


class TableError(Exception):
    """A table that the rule book does not offer: an unknown option, a value it does not have, too many players."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the name (the first colour's), the colours played and the side, as indices."""

    name: str
    colours: tuple[int, ...]
    side: int


@dataclass(frozen=True)
class Table:
    """A rule book with all choices made. Statements are those in force, with everything settled folded in."""

    book: Book
    choices: tuple[tuple[SettingId, SettingValue], ...]
    measures: Measures
    colours: tuple[str, ...]
    marks: tuple[str | None, ...]
    routes: tuple[Route, ...]
    players: tuple[Player, ...]
    sides: tuple[tuple[int, ...], ...]
    setup: tuple[int, int]
    kinds: tuple[frozenset[str], ...]
    links: tuple[Link, ...]
    statements: tuple[Statement, ...]
    counters: tuple[Counter, ...]
    numbers: tuple[tuple[str, int], ...]

    @cached_property
    def chosen(self) -> dict[SettingId, SettingValue]:
        """Every option and reading with its value at this table."""
        return dict(self.choices)

    @property
    def pieces(self) -> int:
        """Pieces of each colour."""
        return sum(self.setup)

    @cached_property
    def known(self) -> Known:
        """What is settled at this table, for folding further expressions of the book."""
        return settled(self.chosen, dict(self.numbers))

    def holds(self, condition: Expr) -> bool:
        """Whether a condition that hangs on choices alone holds at this table; a condition of the game counts as holding."""
        return fold(condition, self.known) != NEVER

    def in_force(self, declaration: Declaration) -> bool:
        """Whether a declaration is part of the rules at this table."""
        return self.holds(declaration.condition)

    def changed(self) -> dict[SettingId, SettingValue]:
        """The options and readings that differ from their defaults."""
        return {s.id: self.chosen[s.id] for s in self.book.settings if self.chosen[s.id] != s.default}


def make_table(
    book: Book,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, object] | None = None,
) -> Table:
    """The table for a number of players (as many as can play, by default) and chosen options and readings.

    Raises:
        TableError: the rule book does not offer this.
    """
    spec = book.players
    count = spec.high if players is None else players
    if count not in spec.counts:
        seats = (
            f"{spec.low} {'to' if len(spec.counts) > spec.high - spec.low else 'or'} {spec.high}" if spec.low < spec.high else f"{spec.low}"
        )
        raise TableError(f"{book.title} is for {seats} players, not {count}", "choose a number of players that it seats")
    chosen = _choose(book, options or {}, readings or {})
    numbers = {"players": count}
    numbers |= measured(book, chosen, numbers)
    known = settled(chosen, numbers)
    _check_only_if(book, chosen, known)
    measures = Measures(
        arms=numbers["arms"],
        arm=numbers["arm"],
        turning=book.board.turning,
        approach=book.board.approach,
        lane=book.board.lane,
        slots=book.board.slots,
    )
    seating = dict(spec.seats)[count]
    seated = {colour for colours in seating for colour in colours}
    order = [name for name, _ in spec.colours]
    colours = tuple(name for name in order if name in seated)
    # A board with an arm for every colour that plays seats them in turn; on a larger one, each colour has its own arm.
    arms = [i if measures.arms == len(colours) else order.index(name) for i, name in enumerate(colours)]
    routes = tuple(make_route(name, arm, i, measures) for i, (name, arm) in enumerate(zip(colours, arms, strict=True)))
    sides, of_player = _sides(book, seating, known)
    table_players = tuple(Player(names[0], tuple(sorted(colours.index(n) for n in names)), of_player[i]) for i, names in enumerate(seating))
    setup = next(s for s in spec.setups if fold(s.condition, known) == ALWAYS)
    return Table(
        book=book,
        choices=tuple(chosen.items()),
        measures=measures,
        colours=colours,
        marks=tuple(mark for name, mark in spec.colours if name in seated),
        routes=routes,
        players=table_players,
        sides=sides,
        setup=(setup.in_yard, setup.on_start),
        kinds=_kinds(book, measures, known),
        links=tuple(replace(link, source=fold(link.source, known), target=fold(link.target, known)) for link in book.board.links),
        statements=tuple(_in_force(book.statements, known)),
        counters=tuple(_counter(c, known) for c in book.counters),
        numbers=tuple(numbers.items()),
    )


# ---- choices ---------------------------------------------------------------------------------------------------------


def _choose(book: Book, options: Mapping[str, object], readings: Mapping[str, object]) -> dict[SettingId, SettingValue]:
    chosen: dict[SettingId, SettingValue] = {s.id: s.default for s in book.settings}
    for role, given in (("option", options), ("reading", readings)):
        for name, value in given.items():
            setting = book.setting(name)
            if setting is None or setting.role != role:
                if setting is not None:
                    raise TableError(
                        f"`{name}` is {_a(setting.role)} of {book.name}, not {_a(role)}", f"give it as `--{setting.role} {name}=…`"
                    )
                names = [s.id for s in book.settings if s.role == role]
                raise TableError(f"{book.name} has no {role} `{name}`", suggestion(name, names, f"{role}s"))
            chosen[setting.id] = read_value(book, setting, value)
    return chosen


def _a(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def read_value(book: Book, setting: Setting, value: object) -> SettingValue:
    """The value that a text, number, switch or collection of faces stands for.

    Raises:
        TableError: the option or reading has no such value.
    """
    match setting.domain:
        case Named(values):
            text = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
            names = [v.name for v in values]
            if text in names:
                return str(text)
            raise TableError(f"{setting.role} `{setting.id}` has no value `{text}`", suggestion(str(text), names, "values"))
        case Range(low, high):
            number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
            if isinstance(number, int) and not isinstance(number, bool) and low <= number <= high:
                return number
            raise TableError(f"{setting.role} `{setting.id}` is a number from {low} to {high}, not `{value}`")
        case FaceSet():
            faces = _faces(value)
            dice = {face for face, _ in book.dice.faces}
            if faces and faces <= dice:
                return faces
            shown = ", ".join(str(f) for f in sorted(dice))
            raise TableError(
                f"{setting.role} `{setting.id}` is a choice of faces, not `{value}`", f"give one or more of {shown}, as in `1,6`"
            )


def _faces(value: object) -> frozenset[int]:
    if isinstance(value, bool):
        return frozenset()
    if isinstance(value, int):
        return frozenset({value})
    items: Iterable[object] = value.replace("+", ",").split(",") if isinstance(value, str) else value if isinstance(value, Iterable) else ()
    found = set()
    for item in items:
        text = str(item).strip()
        if not (text.isascii() and text.isdigit()) or isinstance(item, bool):
            return frozenset()
        found.add(int(text))
    return frozenset(found)


def _check_only_if(book: Book, chosen: dict[SettingId, SettingValue], known: Known) -> None:
    for setting in book.settings:
        if chosen[setting.id] != setting.default and fold(setting.only_if, known) == NEVER:
            raise TableError(
                f"{setting.role} `{setting.id}` cannot be chosen at this table", f"leave it at `{shown_value(setting.default)}`"
            )


def shown_value(value: SettingValue) -> str:
    """A value as it is written on the command line."""
    return ",".join(str(v) for v in sorted(value)) if isinstance(value, frozenset) else str(value)


# ---- settling --------------------------------------------------------------------------------------------------------


def settled(chosen: Mapping[SettingId, SettingValue], numbers: Mapping[str, int]) -> Known:
    """What choices and measures say about the leaves of expressions; `numbers` holds `players` at least."""

    def known(expr: Expr) -> Expr | None:
        match expr:
            case ChoiceIs(setting, value):
                return Truth(chosen[setting] == value)
            case Choice(setting):
                value_of = chosen[setting]
                return Number(value_of) if isinstance(value_of, int) else None
            case Faces(values) if isinstance(values, str):
                faces = chosen[values]
                return Faces(faces) if isinstance(faces, frozenset) else None
            case BoardNumber(name):
                return Number(numbers[name]) if name in numbers else None
            case FactOf(Fact.PLAYERS):
                return Number(numbers["players"])
            case _:
                return None

    return known


def measured(book: Book, chosen: Mapping[SettingId, SettingValue], numbers: Mapping[str, int]) -> dict[str, int]:
    """The measures of a board that has been checked, by name; `numbers` holds `players`."""
    known = settled(chosen, numbers)
    board = book.board
    arms, arm = (_number(fold(e, known)) for e in (board.arms, board.arm))
    measures = Measures(arms, arm, board.turning, board.approach, board.lane, board.slots)
    setups = [s for s in book.players.setups if fold(s.condition, known) == ALWAYS]
    found = {
        "arms": arms,
        "arm": arm,
        "ring": measures.ring,
        "turning": measures.turn_off,
        "lane": board.lane,
        "route": measures.route,
        "pieces": setups[0].in_yard + setups[0].on_start if setups else 0,
        "dice": book.dice.count,
    }
    for name, expr in board.marks:
        found.setdefault(name, _number(fold(expr, known)))
    if book.dice.shoe is not None:
        # Once for the faces of one shoe, once for those of the next: all of a face first here and last there, or the reverse.
        sets = _number(fold(book.dice.shoe.sets, known))
        found["longest-wait"] = 2 * sets * (len(book.dice.faces) - 1)
        found["longest-streak"] = 2 * sets
    return found


def _number(expr: Expr) -> int:
    if not isinstance(expr, Number):
        raise TypeError(f"a measure of the board is not settled: {expr}")
    return expr.value


def _sides(book: Book, seating: tuple[tuple[str, ...], ...], known: Known) -> tuple[tuple[tuple[int, ...], ...], dict[int, int]]:
    groups = next((s.groups for s in book.players.sides if fold(s.condition, known) == ALWAYS), None)
    if groups is None:
        return tuple((i,) for i in range(len(seating))), {i: i for i in range(len(seating))}
    of_player = {i: next(k for k, group in enumerate(groups) if names[0] in group) for i, names in enumerate(seating)}
    used = sorted(set(of_player.values()))
    renumbered = {i: used.index(k) for i, k in of_player.items()}
    return tuple(tuple(i for i in renumbered if renumbered[i] == k) for k in range(len(used))), renumbered


def _kinds(book: Book, measures: Measures, known: Known) -> tuple[frozenset[str], ...]:
    """The kinds of each square of the ring: track, start, and the marks."""
    marks = [(name, _number(fold(expr, known))) for name, expr in book.board.marks]
    found = []
    for square in range(measures.ring):
        offset = square % measures.arm
        names = {"track"} | {name for name, at in marks if at == offset}
        found.append(frozenset(names | {"start"} if offset == 0 else names))
    return tuple(found)


def _counter(counter: Counter, known: Known) -> Counter:
    kept = []
    for v in counter.visibility:
        condition = fold(v.condition, known)
        if condition != NEVER:
            kept.append(Visibility(v.how, fold(v.until, known), condition))
    return replace(counter, visibility=tuple(kept))


def _in_force(statements: tuple[Statement, ...], known: Known) -> Iterable[Statement]:
    for statement in statements:
        condition = fold(statement.condition, known)
        if condition == NEVER:
            continue
        yield fold_statement(replace(statement, condition=condition), known)


def fold_statement(statement: Statement, known: Known) -> Statement:
    """The statement with everything known put into its other expressions."""
    match statement:
        case When(squares=squares, effects=effects):
            folded = None if squares is None else fold(squares, known)
            return replace(statement, squares=folded, effects=tuple(_effect(e, known) for e in effects))
        case Once(effects=effects):
            return replace(statement, effects=tuple(_effect(e, known) for e in effects))
        case Must(forfeit=forfeit):
            return replace(statement, forfeit=tuple(_effect(e, known) for e in forfeit))
        case Rank(keys=keys):
            new = tuple(RankKey(k.order, None if k.value is None else fold(k.value, known)) for k in keys)
            return replace(statement, keys=new)
        case _:
            return statement


def _effect(effect: Effect, known: Known) -> Effect:
    match effect:
        case Score(points):
            return Score(fold(points, known))
        case Add(amount, counter):
            return Add(fold(amount, known), counter)
        case _:
            return effect


def per_piece(table: Table) -> tuple[CounterId, ...]:
    """The counters that pieces carry, in declared order."""
    return tuple(c.id for c in table.counters if c.scope == {"piece"})
