"""Records of games as JSON Lines: their lines, writing them as a game goes on, and reading them one by one.

Defined in `spec/language/records.md` and `spec/schema/record.json`; what the lines say is checked in `play.replay`.
"""

from __future__ import annotations

import hashlib
import json
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from ludo_dsl.game.errors import GameError
from ludo_dsl.play.game import Game
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.resources import spec_path
from ludo_dsl.rules.table import Table, shown_value

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

FORMAT = "ludo-record"
VERSION = 1
LONGEST_LINE = 100_000
"""Bytes of one line at most: no position comes near it."""

Setting = str | int
Ending = Literal["over", "stopped"]


# ---- lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: by which rules, at which table and from where the game is played.

    `file` is the name of the rule book's file if it is not one of the project's, `book` the digest of its text; `first` the
    player who begins, or none where the game begins at a position that was given.
    """

    variant: str
    file: str | None
    book: str
    players: int
    options: Mapping[str, Setting]
    readings: Mapping[str, Setting]
    seats: Mapping[str, str]
    first: str | None
    seed: int
    position: str

    def as_json(self) -> dict[str, object]:
        """The line as plain data, without its check."""
        return {
            "line": "header",
            "format": FORMAT,
            "version": VERSION,
            "variant": self.variant,
            "file": self.file,
            "book": self.book,
            "players": self.players,
            "options": dict(self.options),
            "readings": dict(self.readings),
            "seats": dict(self.seats),
            "first": self.first,
            "seed": self.seed,
            "position": self.position,
        }


@dataclass(frozen=True, slots=True)
class PlyLine:
    """One ply: its number from 1, the player, a roll or a move, and the position after it."""

    ply: int
    player: str
    roll: tuple[int, ...] | None
    move: str | None
    position: str

    def as_json(self) -> dict[str, object]:
        """The line as plain data, without its check."""
        did: dict[str, object] = {"roll": list(self.roll)} if self.roll is not None else {"move": self.move}
        return {"line": "ply", "ply": self.ply, "player": self.player, **did, "position": self.position}

    @property
    def what(self) -> str:
        """The roll or the move as text."""
        return "roll " + ",".join(str(f) for f in self.roll) if self.roll is not None else str(self.move)


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line: the number of plies, why the record ends, and, if the game is over, the places and the rules that ended it."""

    plies: int
    end: Ending
    places: Mapping[str, int] | None
    rules: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The line as plain data, without its check."""
        places = None if self.places is None else dict(self.places)
        return {"line": "end", "plies": self.plies, "end": self.end, "places": places, "rules": list(self.rules)}


Line = Header | PlyLine | EndLine


def check_of(previous: str, line: Mapping[str, object]) -> str:
    """The check of a line: SHA-256 of the check before it and of the line without its own, keys in order and without spaces."""
    rest = {key: value for key, value in line.items() if key != "check"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


def header_of(game: Game, variant: str, book: str, who: Mapping[str, str], first: str | None, seed: int) -> Header:
    """The header of a game that begins; `variant` is the rule book as it was asked for, `book` the digest of its text."""
    table = game.table
    own = Path(variant).suffix == ".ludo" or Path(variant).is_file()
    return Header(
        variant=table.book.name,
        file=Path(variant).name if own else None,
        book=book,
        players=len(table.players),
        options=_settings(table, "option"),
        readings=_settings(table, "reading"),
        seats=who,
        first=first,
        seed=seed,
        position=game.position,
    )


def _settings(table: Table, role: str) -> dict[str, Setting]:
    chosen = {s.id: table.chosen[s.id] for s in table.book.settings if s.role == role}
    return {str(name): value if isinstance(value, int) else shown_value(value) for name, value in chosen.items()}


def end_of(game: Game, plies: int) -> EndLine:
    """The end line of a game that is over, or of one that was stopped."""
    if not game.over:
        return EndLine(plies, "stopped", None, ())
    return EndLine(plies, "over", game.places(), game.rules)


# ---- writing ---------------------------------------------------------------------------------------------------------


class Recorder:
    """Writes a record, each line at once, so that a killed process leaves all lines but the one that it was writing.

    Raises:
        GameError: the file exists already.
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, header: Header) -> None:
        try:
            self._file = path.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            raise GameError(f"`{path}` exists already, and a record is never overwritten", "give another name after --log") from None
        self._path = path
        self._check = ""
        self._plies = 0
        self._write(header)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def roll(self, before: Game, faces: tuple[int, ...], after: Game) -> None:
        """Writes a roll down."""
        self._plies += 1
        self._write(PlyLine(self._plies, before.turn or "", faces, None, after.position))

    def move(self, before: Game, move: str, after: Game) -> None:
        """Writes a move down."""
        self._plies += 1
        self._write(PlyLine(self._plies, before.turn or "", None, move, after.position))

    def end(self, game: Game) -> None:
        """Writes the end line."""
        self._write(end_of(game, self._plies))

    def _write(self, line: Line) -> None:
        value = line.as_json()
        self._check = check_of(self._check, value)
        try:
            self._file.write(json.dumps({**value, "check": self._check}, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from error


@contextmanager
def undisturbed() -> Iterator[None]:
    """Lets Ctrl-C wait until what is done here is done, so that a game and its record stay together."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held and before is not signal.SIG_IGN:
            raise KeyboardInterrupt


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A whole line of a file: its number from 1, what it says, its check, and the plain data that the check is of."""

    number: int
    line: Line
    check: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Cut:
    """The file ends within this line: whoever wrote it was stopped."""

    number: int


def read_entries(path: Path) -> Iterator[Entry | Cut]:
    """The lines of a file, one by one.

    Raises:
        OSError: the file cannot be read.
        RecordError: a line is none of a record; a last line that is not whole is a `Cut` instead.
    """
    name = str(path)
    with path.open("rb") as file:
        number = 0
        while data := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(data) > LONGEST_LINE and not data.endswith(b"\n"):
                raise RecordError(name, number, "the line is far too long for a record", _WHAT if number == 1 else "")
            try:
                yield _entry(name, number, data)
            except RecordError:
                if data.endswith(b"\n") or number == 1:
                    raise
                yield Cut(number)
        if number == 0:
            raise RecordError(name, 0, "the file is empty", _WHAT)


_WHAT = "a record is what `ludo play VARIANT --log FILE` writes"


def _entry(name: str, number: int, data: bytes) -> Entry:
    value = _value(name, number, data)
    if number == 1 and value.get("format") != FORMAT:
        raise RecordError(name, number, "this is no record of a game", _WHAT)
    if number == 1 and not (type(value.get("version")) is int and value["version"] == VERSION):
        hint = f"this program reads version {VERSION}"
        raise RecordError(name, number, f"the record has version {_shown(value.get('version'))} of the format", hint)
    kind = value.get("line")
    if kind not in ("header", "ply", "end"):
        raise RecordError(name, number, "the line is none of a record", 'its `line` is "header", "ply" or "end"')
    for error in _validator(str(kind)).iter_errors(value):
        raise RecordError(name, number, _fault(str(kind), error), "the lines of a record are described in spec/schema/record.json")
    return Entry(number, _line(value), str(value["check"]), value)


def _value(name: str, number: int, data: bytes) -> dict[str, Any]:
    hint = _WHAT if number == 1 else ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(name, number, f"the line is not UTF-8: byte {error.start + 1} is wrong", hint) from None
    if number > 1 and not text.strip():
        raise RecordError(name, number, "the line is empty", "take it out")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except _TwiceError as error:
        raise RecordError(name, number, f"`{error.key}` is given twice", hint) from None
    except json.JSONDecodeError as error:
        raise RecordError(name, number, f"the line is not JSON: {error.msg.lower()} (column {error.colno})", hint) from None
    except (ValueError, RecursionError):
        raise RecordError(name, number, "the line is not JSON that a record holds", hint) from None
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RecordError(name, number, "the line has half a character in it (a lone surrogate)", hint) from None
    if not isinstance(value, dict):
        raise RecordError(name, number, "the line is no JSON object", hint)
    return value


class _TwiceError(Exception):
    def __init__(self, key: str) -> None:
        self.key = _ascii(key)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for key in keys if keys.count(key) > 1))
    return found


def _no_constant(text: str) -> object:
    raise ValueError(text)


def _shown(value: object) -> str:
    """A value as it is shown in a message, in ASCII and cut short."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()[:60]


@cache
def _validator(kind: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    schema = json.loads(spec_path("schema", "record.json").read_text(encoding="utf-8"))
    return Draft202012Validator({**schema["$defs"][kind], "$defs": schema["$defs"]})


def _fault(kind: str, error: ValidationError) -> str:
    """What does not fit the schema, in our words."""
    what = {"header": "a header", "ply": "a ply", "end": "an end line"}[kind]
    where = ".".join(_ascii(str(part)) for part in error.absolute_path)
    if where:
        return f"`{where}` cannot be {_shown(error.instance)}"
    if error.validator == "required":
        missing = re.match(r"'(\w+)'", error.message)
        return f"{what} without `{missing[1]}`" if missing else f"{what} lacks something"
    if error.validator == "oneOf":
        return f"{what} has either a `roll` or a `move`"
    return f"{what} with something else in it than it holds"


def _line(value: dict[str, Any]) -> Line:
    """A line that fits the schema."""
    match value["line"]:
        case "header":
            return Header(**{key: value[key] for key in Header.__dataclass_fields__})
        case "ply":
            roll = value.get("roll")
            return PlyLine(value["ply"], value["player"], None if roll is None else tuple(roll), value.get("move"), value["position"])
        case _:
            return EndLine(value["plies"], value["end"], value["places"], tuple(value["rules"]))
