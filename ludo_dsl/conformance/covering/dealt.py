"""Dealt sequences: rolls of dealt dice as data, each possible, or refuted by one roll, for engines and hosts that deal.

The form of the files is `spec/schema/dealt-sequences.json`. Dice are never forced for this: what somebody rolled is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.documents import DocumentError, Kind, read_document
from ludo_dsl.game.errors import GameError
from ludo_dsl.play.deal_records import fits, read_record
from ludo_dsl.play.dealing import Dealing
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.resources import data_root
from ludo_dsl.rules.table import Table, TableError, make_table

DEALT = Kind("a file of dealt sequences", "dealt-sequences", "spec/schema/dealt-sequences.json")


@dataclass(frozen=True, slots=True)
class Sequence:
    """Rolls in the order in which they were dealt, `refuted` by the roll of that number (from 1), or by none."""

    id: str
    title: str
    variant: str
    players: int
    options: Choices
    readings: Choices
    clauses: tuple[str, ...]
    rolls: tuple[str, ...]
    refuted: int | None
    place: str


@cache
def dealt_sequences(folder: Path | None = None) -> tuple[Sequence, ...]:
    """The sequences of a folder; by default those of the project.

    Raises:
        DocumentError: a file is not of the form.
    """
    root = data_root() / "conformance" / "dice" if folder is None else folder
    found = []
    for path in sorted(root.rglob("*.yaml")):
        document = read_document(path, DEALT)
        for number, item in enumerate(document.value):
            options, readings = (tuple(sorted(item.get(key, {}).items())) for key in ("options", "readings"))
            found.append(
                Sequence(
                    item["id"],
                    item["title"],
                    item["variant"],
                    item["players"],
                    options,
                    readings,
                    tuple(item["clauses"]),
                    tuple(item["rolls"]),
                    item.get("refuted"),
                    f"{document.file}:{document.line(number)}",
                )
            )
    return tuple(found)


def judged(sequence: Sequence) -> int | None:
    """The number of the first roll, from 1, that no deal can have given at the table of a sequence; nothing if all can have come.

    Raises:
        DocumentError: the sequence speaks of a table, player or face that there is not.
    """
    try:
        table = make_table(book_of(sequence.variant), sequence.players, dict(sequence.options), dict(sequence.readings))
        return judged_by(table, sequence)
    except (TableError, RecordError, GameError) as error:
        raise DocumentError(sequence.place, 0, "$", error.message, error.hint) from None


def judged_by(table: Table, sequence: Sequence) -> int | None:
    """As `judged`, by the rules of a table of one's own.

    Raises:
        RecordError: nobody at this table can make one of the rolls.
        GameError: the dice of the table are not dealt from shoes.
    """
    record = read_record(sequence.id, "\n".join(sequence.rolls))
    fits(sequence.id, table, record)
    refuted = Dealing(table).check(record.rolls).refuted
    if refuted is None:
        return None
    return 1 + next(i for i, dealt in enumerate(record.rolls) if dealt.line == refuted.line)


def clauses_broken(sequence: Sequence) -> tuple[str, ...]:
    """The clauses that the refuting roll breaks; none where the rolls can have come. Raises `DocumentError` as `judged` does."""
    table = make_table(book_of(sequence.variant), sequence.players, dict(sequence.options), dict(sequence.readings))
    refuted = Dealing(table).check(read_record(sequence.id, "\n".join(sequence.rolls)).rolls).refuted
    return refuted.clauses if refuted is not None else ()
