"""At which tables a mutant can play otherwise than the right rule book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import product

from ludo_dsl.conformance.mutants.kinds import Mutant, MutantKind
from ludo_dsl.conformance.mutants.normal import Ground, acting, essence, phases, stages
from ludo_dsl.conformance.mutants.rewriting import Node, nodes
from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting, SettingValue
from ludo_dsl.rules.expressions import Choice, ChoiceIs, Faces, Owner, SettingId
from ludo_dsl.rules.statements import NeverKeep, Phase, RollAgain, Stage, Statement, Trigger, When
from ludo_dsl.rules.table import Table, TableError, make_table

MOST_TABLES = 500
"""Tables that are looked at to find one where a mutant differs; with more it is taken to differ at one of the others."""

Choices = frozenset[tuple[str, SettingValue]]
Position = tuple[object, ...]


def differs_at(mutant: Mutant, players: int, options: Mapping[str, object], readings: Mapping[str, object]) -> bool:
    """Whether the mutant's rules are others than the right ones at a table; if not, no game there tells it apart.

    Cheap (about a millisecond). Where one of the two does not offer the table and the other does, they differ.
    """
    given = (_frozen(options), _frozen(readings))
    return _right_rules_at(mutant.original, players, *given) != rules_at(mutant.book, players, *given)


def differs_somewhere(mutant: Mutant) -> bool:
    """Whether the mutant's rules are others than the right ones at any table that can show it."""
    return next(differing_tables(mutant), None) is not None


def differing_tables(mutant: Mutant) -> Iterator[tuple[int, dict[str, SettingValue], dict[str, SettingValue]]]:
    """Tables at which the mutant differs, as players, options and readings: the settings touched vary, the others have their defaults.

    The largest number of players and the defaults come first. Tables that the right rule book does not offer are passed over.
    """
    book = mutant.original
    touched = settings_touched(mutant)
    settings = [s for s in book.settings if s.id in touched]
    for looked_at, values in enumerate(product(*(_values(s, book) for s in settings))):
        chosen = {s.id: v for s, v in zip(settings, values, strict=True) if v != s.default}
        options = {str(n): v for n, v in chosen.items() if _role(book, n) == "option"}
        readings = {str(n): v for n, v in chosen.items() if _role(book, n) == "reading"}
        for players in reversed(book.players.counts):
            offered = _right_rules_at(book, players, _frozen(options), _frozen(readings)) is not None
            if offered and (looked_at >= MOST_TABLES or differs_at(mutant, players, options, readings)):
                yield players, options, readings
        if looked_at >= MOST_TABLES:
            return


def plays_as(mutant: Mutant, players: int, options: Mapping[str, object], readings: Mapping[str, object]) -> dict[str, SettingValue] | None:
    """The readings under which the right rule book plays at a table exactly as the mutant does, if there are any."""
    book = mutant.original
    touched = settings_touched(mutant)
    wrong = rules_at(mutant.book, players, _frozen(options), _frozen(readings))
    settings = [s for s in book.settings if s.role == "reading" and s.id in touched]
    for values in product(*(_values(s, book) for s in settings)):
        others = {**readings, **{str(s.id): v for s, v in zip(settings, values, strict=True)}}
        if wrong is not None and _right_rules_at(book, players, _frozen(options), _frozen(others)) == wrong:
            return {str(s.id): v for s, v in zip(settings, values, strict=True)}
    return None


def is_a_reading(mutant: Mutant) -> bool:
    """Whether the mutant only takes another reading wherever it differs: that is no fault, for the text leaves it open."""
    book = mutant.original
    if mutant.kind is MutantKind.OPTION or not any(_role(book, name) == "reading" for name in settings_touched(mutant)):
        return False
    return all(plays_as(mutant, *table) is not None for table in differing_tables(mutant))


def _role(book: Book, name: SettingId) -> str:
    setting = book.setting(name)
    return setting.role if setting is not None else ""


def _values(setting: Setting, book: Book) -> tuple[SettingValue, ...]:
    """Values to try, the default first: all names; the ends of a range; some sets of faces."""
    match setting.domain:
        case Named(values, default):
            return tuple(dict.fromkeys((default, *(v.name for v in values))))
        case Range(low, high, default):
            return tuple(dict.fromkeys((default, low, high)))
        case FaceSet(default):
            faces = sorted(face for face, _ in book.dice.faces)
            return tuple(dict.fromkeys((default, frozenset(faces[:1]), frozenset({faces[0], faces[-1]}), frozenset(faces))))


def _frozen(choices: Mapping[str, object]) -> Choices:
    return frozenset((name, frozenset(v) if isinstance(v, set | list | tuple) else v) for name, v in choices.items())  # type: ignore[misc]


# ---- the rules at a table --------------------------------------------------------------------------------------------


def _right_rules_at(book: Book, players: int, options: Choices, readings: Choices) -> Position | None:
    """As `rules_at`, remembered: the right rule book is asked about again and again.

    It is known by its identity, for to compare rule books takes as long as to look at the table.
    """
    key = id(book), players, options, readings
    found = _RIGHT.get(key)
    if found is None or found[0] is not book:
        if len(_RIGHT) >= MOST_REMEMBERED:
            _RIGHT.clear()
        found = _RIGHT[key] = book, rules_at(book, players, options, readings)
    return found[1]


MOST_REMEMBERED = 4096
"""Tables of right rule books whose rules are remembered."""

_RIGHT: dict[tuple[int, int, Choices, Choices], tuple[Book, Position | None]] = {}


def rules_at(book: Book, players: int, options: Choices, readings: Choices) -> Position | None:
    """Everything at a table that can decide a game, in one form for rules that mean the same; nothing where there is no such table."""
    try:
        table = make_table(book, players, dict(options), dict(readings))
    except (TableError, TypeError, ValueError, StopIteration, LookupError, ArithmeticError):
        return None
    ground = Ground(
        faces=tuple(sorted(face for face, _ in book.dice.faces)),
        teams=any(len(side) > 1 for side in table.sides),
        one_colour=all(len(player.colours) == 1 for player in table.players),
    )
    statements = essence(_first_ranking(table.statements), ground)
    first = book.players.first
    order = phases(book.resolution, table.statements, table.links), stages(book.turn, table.statements)
    return (*_board(table), statements, first, book.dice, *order)


def _first_ranking(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Of several rankings in force the first one counts."""
    rankings = [s for s in statements if type(s).__name__ == "Rank"]
    return tuple(s for s in statements if s not in rankings[1:])


def _board(table: Table) -> Position:
    return (
        *(table.measures, table.colours, table.routes, table.players, table.sides),
        *(table.setup, table.kinds, table.links, table.counters),
    )


# ---- settings --------------------------------------------------------------------------------------------------------


def settings_touched(mutant: Mutant) -> frozenset[SettingId]:
    """The options and readings on which hangs whether and how the changed rules are in force."""
    true, wrong = mutant.original, mutant.book
    found: set[SettingId] = set()
    for before, after in ((true.board, wrong.board), (true.players, wrong.players), (true.dice, wrong.dice)):
        if before != after:
            found |= settings_in(_differing(before, after))
    changed = _changed_statements(true.statements, wrong.statements)
    found |= settings_in(changed)
    if any(node in (Owner.OURS, Owner.ALLIES) for statement in changed for node in nodes(statement)):
        # Whether anybody has a partner can hang on a choice too.
        found |= settings_in(sides.condition for sides in true.players.sides)
    found |= settings_in(_differing(true.counters, wrong.counters))
    if mutant.kind is MutantKind.RESOLUTION:
        found |= settings_in(_acting_in(mutant))
    if mutant.kind is MutantKind.TURN:
        found |= settings_in(_moving_the_turn(mutant))
    return frozenset(found)


def _changed_statements(before: tuple[Statement, ...], after: tuple[Statement, ...]) -> list[Statement]:
    """The statements, as they were and as they are, between the first and the last that is another."""
    start, end = 0, 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    changed = (*before[start : len(before) - end], *after[start : len(after) - end])
    if not changed:
        return []
    # Where two were exchanged, these are the first and the last of what is another.
    return [s for s in changed if s not in before or s not in after] or [before[start], before[len(before) - end - 1]]


def settings_in(values: Iterable[Node]) -> set[SettingId]:
    """The options and readings that statements or expressions ask about."""
    found: set[SettingId] = set()
    for value in values:
        for node in nodes(value):
            match node:
                case Choice(name) | ChoiceIs(name, _):
                    found.add(name)
                case Faces(name) if isinstance(name, str):
                    found.add(name)
    return found


def _differing(before: Node, after: Node) -> list[Node]:
    if before == after:
        return []
    if isinstance(before, tuple) and isinstance(after, tuple):
        return [v for v in (*before, *after) if v not in before or v not in after]
    if is_dataclass(before) and type(before) is type(after):
        pairs = [(getattr(before, f.name), getattr(after, f.name)) for f in fields(before)]
        return [v for a, b in pairs for v in _differing(a, b)]
    return [before, after]


def _acting_in(mutant: Mutant) -> list[Statement]:
    """The statements of the phases that were left out or exchanged."""
    true, wrong = mutant.original, mutant.book
    moved = [p for p in Phase if p not in wrong.resolution]
    moved += [a for a, b in zip(true.resolution, wrong.resolution) if a is not b and not moved]
    return [s for p in moved for s in acting(p, true.statements, true.board.links) or ()]


def _moving_the_turn(mutant: Mutant) -> list[Statement]:
    """The statements on which it hangs whether a stage of the turn makes a difference."""
    true, wrong = mutant.original, mutant.book
    moved = {s for s in Stage if s not in wrong.turn} | {a for a, b in zip(true.turn, wrong.turn) if a is not b}
    found: list[Statement] = []
    if Stage.LOSE in moved:
        found += [s for s in true.statements if isinstance(s, When) and s.trigger is Trigger.NO_MOVE]
    if Stage.DUE_ROLL in moved:
        found += [s for s in true.statements if RollAgain(True) in getattr(s, "effects", ())]
    return found + [s for s in true.statements if isinstance(s, NeverKeep)]
