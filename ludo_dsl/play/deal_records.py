"""Records of rolls for `play.dealing`: as plain text, or taken from the record of a whole game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.game.events import EventKind
from ludo_dsl.play.dealing import Dealt
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.replay import Fault, Played, open_record, replay
from ludo_dsl.rules.table import Table


@dataclass(frozen=True, slots=True)
class Record:
    """A record as text: the rolls, and the `variant`, `players`, `option` and `reading` lines before them."""

    rolls: tuple[Dealt, ...]
    variant: str | None
    players: int | None
    options: tuple[str, ...]
    readings: tuple[str, ...]


HINT = "a line is `red 6`, or `turn red` where a turn begins"


def read_record(name: str, text: str) -> Record:
    """The record of a text, from a file of that name, one roll a line: see `spec/language/fairness.md`.

    Raises:
        RecordError: a line is none of a record.
    """
    rolls: list[Dealt] = []
    head: dict[str, list[str]] = {"variant": [], "players": [], "option": [], "reading": []}
    begins: str | None = None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0] in head:
            if len(words) != 2 or rolls:
                raise RecordError(name, number, f"a `{words[0]}` line has one word more, and stands before the rolls", HINT)
            head[words[0]].append(words[1])
        elif words[0] == "turn":
            if len(words) != 2:
                raise RecordError(name, number, "a turn mark names the player whose turn begins", HINT)
            begins = words[1]
        else:
            rolls.append(_roll(name, number, words, begins))
            begins = None
    for key in ("variant", "players"):
        if len(head[key]) > 1:
            raise RecordError(name, 1, f"`{key}` is given twice", "leave one of them out")
    count = head["players"][0] if head["players"] else None
    if count is not None and not (count.isascii() and count.isdigit() and len(count) < 4):
        raise RecordError(name, 1, "`players` is followed by a number", "write `players 4`")
    variant = head["variant"][0] if head["variant"] else None
    return Record(tuple(rolls), variant, int(count) if count else None, tuple(head["option"]), tuple(head["reading"]))


def _roll(name: str, number: int, words: list[str], begins: str | None) -> Dealt:
    faces = [face for word in words[1:] for face in word.split(",")]
    if not faces or not all(face.isascii() and face.isdigit() and len(face) < 7 for face in faces):
        raise RecordError(name, number, "this is no roll of a player", HINT)
    if begins is not None and begins != words[0]:
        raise RecordError(name, number, f"the turn of {begins} begins, and {words[0]} rolls", HINT)
    return Dealt(number, words[0], tuple(int(face) for face in faces), begins is not None)


def fits(name: str, table: Table, record: Record) -> None:
    """Raises `RecordError` for a roll that nobody at the table can make: an unknown player, face or number of dice."""
    names = [p.name for p in table.players]
    known = {face for face, _ in table.book.dice.faces}
    for dealt in record.rolls:
        if dealt.player not in names:
            raise RecordError(name, dealt.line, f"nobody at this table is `{dealt.player}`", "the players are " + ", ".join(names))
        if len(dealt.faces) != table.book.dice.count:
            raise RecordError(name, dealt.line, f"a roll shows {table.book.dice.count} dice, not {len(dealt.faces)}", HINT)
        odd = next((face for face in dealt.faces if face not in known), None)
        if odd is not None:
            shown = ", ".join(str(face) for face in sorted(known))
            raise RecordError(name, dealt.line, f"the dice have no face {odd}", f"their faces are {shown}")


def of_game(path: Path, variant: str | None = None) -> tuple[Table, tuple[Dealt, ...], Fault | None]:
    """The table and the rolls of the record of a whole game, and the line that breaks a rule, up to which the rolls are taken.

    Raises:
        OSError: the file cannot be read.
        RecordError: the file is no record of a game.
        RuleBookError: its rule book has faults.
    """
    record = open_record(path, variant)
    if isinstance(record, Fault):
        raise RecordError(str(path), record.line, record.message, record.hint)
    rolls: list[Dealt] = []
    begins = True
    for found in replay(record):
        if isinstance(found, Fault):
            return record.game.table, tuple(rolls), found
        if isinstance(found, Played):
            if found.ply.roll is not None:
                rolls.append(Dealt(found.number, found.ply.player, found.ply.roll, begins))
                begins = False
            begins = begins or any(event.kind is EventKind.TURN_STARTED for event in found.game.events)
    return record.game.table, tuple(rolls), None
