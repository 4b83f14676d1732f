"""Playing a record again, line by line, and naming the first line that is not as the rules have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.check.digest import digest
from ludo_dsl.check.finding import locate
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.game.errors import GameError, IllegalMoveError, IllegalRollError
from ludo_dsl.game.events import Refusal
from ludo_dsl.play.game import Game, RuleBook, load
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.records import Cut, EndLine, Entry, Header, PlyLine, check_of, end_of, read_entries
from ludo_dsl.play.refusals import as_json, in_own_words, reason_text
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.table import Table, TableError
from ludo_dsl.syntax.parser import read_source


@dataclass(frozen=True)
class Fault:
    """A line that is not as the rules have it: what is wrong, and the rules behind it where rules refuse it."""

    line: int
    message: str
    hint: str = ""
    what: str = ""
    reasons: tuple[Refusal, ...] = ()
    table: Table | None = None

    def text(self) -> list[str]:
        """The reasons for people, and the rules in the words of the rule book."""
        if self.table is None:
            return []
        lines = [reason_text(self.table, r) for r in self.reasons]
        return [*lines, *in_own_words(self.table, (r.statement.rule for r in self.reasons if r.statement))]

    def as_json(self) -> dict[str, object]:
        """The fault as plain data."""
        refused = as_json(self.table, self.what, self.reasons) if self.table is not None else []
        return {"line": self.line, "message": self.message, "hint": self.hint, "refused": refused}


@dataclass(frozen=True)
class Played:
    """A ply that the rules allow: its line, the game before and after it."""

    number: int
    ply: PlyLine
    before: Game
    game: Game


@dataclass(frozen=True)
class Ended:
    """The end of a record: the end line, or the line in which the file was cut off (0: between two lines)."""

    end: EndLine | None
    cut: int = 0


@dataclass(frozen=True)
class Record:
    """A record whose header has been read: the rules, the opening, and the lines still to come."""

    file: str
    header: Header
    game: Game
    check: str
    entries: Iterator[Entry | Cut]
    fault: Fault | None


# ---- the header ------------------------------------------------------------------------------------------------------


def open_record(path: Path, variant: str | None = None, changed: bool = False) -> Record | Fault:
    """The record of a file; a `Fault` if its first line is not as the rules have it.

    `variant` names the rule book where it is not to be looked for; with `changed` it may differ from the one that was played.

    Raises:
        OSError: the file cannot be read.
        RecordError: the file is no record, or it cannot be checked with this rule book.
        RuleBookError: the rule book has faults.
    """
    entries = read_entries(path)
    first = next(entries)
    assert isinstance(first, Entry)
    header, name = first.line, str(path)
    if not isinstance(header, Header):
        raise RecordError(name, 1, "the header is missing", "a record begins with its header")
    if check_of("", first.data) != first.check:
        return Fault(1, *_EDITED)
    book = _book(path, header, variant, changed)
    try:
        game = _opening(book, header)
    except (TableError, GameError) as error:
        return Fault(1, f"the game cannot begin so: {error.message}", error.hint)
    names = [p.name for p in game.table.players]
    if set(header.seats) != set(names):
        return Fault(1, "the seats are not those of the players", "the players are " + ", ".join(names))
    if game.position != header.position:
        return Fault(1, f"the game begins at {game.position}, and the record says {header.position}")
    return Record(name, header, game, first.check, entries, None)


_EDITED = (
    "the line is not as it was written: its check does not fit",
    "somebody has edited it, or a line before it was taken out",
)


_NOT_THERE = ("L0701", "L0005")


def _book(path: Path, header: Header, variant: str | None, changed: bool) -> RuleBook:
    where = variant or _where(path, header)
    try:
        book = load(where)
    except RuleBookError as error:
        if variant is None and error.diagnostics[0].code in _NOT_THERE and not Path(where).is_file():
            message = f"the rule book `{header.file or header.variant}` is not here"
            raise RecordError(str(path), 1, message, "name it with `--variant`, or put it beside the record") from None
        raise
    if book.name != header.variant:
        message = f"the record is of a game of `{header.variant}`, and the rule book is `{book.name}`"
        raise RecordError(str(path), 1, message, "give the rule book that was played with `--variant`")
    if not changed and digest(read_source(locate(where))) != header.book:
        message = f"the rule book `{header.variant}` is not as it was when the game was played"
        raise RecordError(str(path), 1, message, "with `--changed` the record is checked by the rules as they are now")
    return book


def _where(path: Path, header: Header) -> str:
    """The rule book of a record: one of the project's, or a file beside the record or in the current folder."""
    if header.file is None:
        return header.variant
    name = Path(header.file).name
    beside = path.parent / name
    return str(beside) if beside.is_file() or header.variant in variant_names() else name


def _opening(book: RuleBook, header: Header) -> Game:
    if header.first is None:
        return book.position(header.position, header.players, header.options, header.readings)
    return book.start(header.players, header.options, header.readings, header.first)


# ---- the lines -------------------------------------------------------------------------------------------------------


def replay(record: Record) -> Iterator[Played | Fault | Ended]:
    """The plies of a record, then a `Fault` or an `Ended`, with which it stops.

    Raises:
        RecordError: a line is none of a record.
    """
    game, check, plies = record.game, record.check, 0
    for entry in record.entries:
        if isinstance(entry, Cut):
            yield Ended(None, entry.number)
            return
        found = _next(entry, game, plies)
        if not isinstance(found, Fault) and check_of(check, entry.data) != entry.check:
            found = Fault(entry.number, *_EDITED)
        if isinstance(found, Ended):
            after = next(record.entries, None)
            if after is not None:
                found = Fault(after.number, "the record goes on after its end", "take out what follows the end line")
        yield found
        if not isinstance(found, Played):
            return
        game, check, plies = found.game, entry.check, plies + 1
    yield Ended(None)


def _next(entry: Entry, game: Game, plies: int) -> Played | Fault | Ended:
    match entry.line:
        case Header():
            return Fault(entry.number, "a second header", "a record holds one game")
        case EndLine() as end:
            return _end(entry.number, end, game, plies)
        case PlyLine() as ply:
            return _order(entry.number, ply, game, plies) or _play(entry.number, ply, game)


def _order(number: int, ply: PlyLine, game: Game, plies: int) -> Fault | None:
    if ply.ply <= plies:
        return Fault(number, f"ply {ply.ply} stands here again, after ply {plies}", "a line is there twice, or lines have changed places")
    if ply.ply > plies + 1:
        return Fault(number, f"ply {ply.ply} stands here, and ply {plies + 1} is missing", "a line is gone, or lines have changed places")
    if game.over:
        return Fault(number, f"the game is over after ply {plies}")
    if ply.player != game.turn:
        return Fault(number, f"it is {game.turn}'s turn, not {ply.player}'s")
    return None


def _play(number: int, ply: PlyLine, game: Game) -> Played | Fault:
    try:
        after = game.roll(*ply.roll) if ply.roll is not None else game.play(ply.move or "")
    except (IllegalMoveError, IllegalRollError) as error:
        message = f"{ply.what} is not legal" if error.refusals else f"{ply.what} is not legal: {error.message}"
        return Fault(number, f"{ply.player}'s {message}", error.hint, ply.what, error.refusals, game.table)
    except GameError as error:
        return Fault(number, f"{ply.player}'s {ply.what}: {error.message}", error.hint)
    if after.position != ply.position:
        by = f" (by {', '.join(f'`{rule}`' for rule in after.rules)})" if after.rules else ""
        return Fault(number, f"{ply.player}'s {ply.what} leads to {after.position}{by}, and the record says {ply.position}")
    return Played(number, ply, game, after)


def _end(number: int, end: EndLine, game: Game, plies: int) -> Ended | Fault:
    if end.plies != plies:
        return Fault(number, f"the record tells of {end.plies} plies, and there are {plies}", "lines are gone, or were put in")
    found = end_of(game, plies)
    if end.end != found.end:
        return Fault(
            number, "the record says that the game is over, and it goes on" if end.end == "over" else "the game is over, not stopped"
        )
    if (end.places, end.rules) != (found.places, found.rules):
        what = "places" if end.places != found.places else "rules that ended the game"
        told, true = (end.places, found.places) if what == "places" else (", ".join(end.rules), ", ".join(found.rules))
        return Fault(number, f"the {what} are {_listed(true)}, and the record says {_listed(told)}")
    return Ended(end)


def _listed(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{place}. {name}" for name, place in sorted(value.items(), key=lambda item: (item[1], item[0])))
    return str(value) if value else "none"
