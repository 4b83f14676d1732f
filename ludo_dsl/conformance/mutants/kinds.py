"""What a mutant is, and the ways in which a rule book can be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ludo_dsl.rules.book import Book


class MutantKind(StrEnum):
    """What was done to the rule book."""

    OPTION = "option"  # an option always plays as one of its values
    DROP = "drop"  # a statement is missing
    NUMBER = "number"  # a number is one off
    FACE = "face"  # a face is another one, is missing or is one too many
    COMPARE = "compare"  # `<`, `<=`, `=` … are another comparison
    NEGATE = "negate"  # a condition is turned into its contrary
    PART = "part"  # a part of a condition, sum, list of goals or ranking is missing
    JUNCTION = "junction"  # `and` and `or` are exchanged
    OWNER = "owner"  # whose pieces are meant
    PLACE = "place"  # where those pieces stand
    SQUARE = "square"  # which kind of square is meant
    QUANTITY = "quantity"  # what is counted of the pieces
    COUNTER = "counter"  # which counter, or whose
    EFFECT = "effect"  # an effect is missing or another one
    TRIGGER = "trigger"  # when effects happen
    ACT = "act"  # what a piece may or may not do
    CROSSING = "crossing"  # passing, landing, of one colour
    GOAL = "goal"  # what a `must` prefers
    OVERSHOOT = "overshoot"  # what becomes of a move past home
    BUILTIN = "builtin"  # a built-in behaviour that a rule states is contradicted
    ORDER = "order"  # two neighbours are exchanged
    BOARD = "board"  # slots for squares, a mark missing
    LINK = "link"  # links of the board
    SETUP = "setup"  # the pieces of the opening
    SEATS = "seats"  # seats, colours and sides
    DICE = "dice"  # the dice
    SIGHT = "sight"  # what rivals see of a counter
    RESOLUTION = "resolution"  # the order in which a move is resolved
    TURN = "turn"  # the turn loop


@dataclass(frozen=True, slots=True)
class Mutant:
    """A rule book that is wrong in one thing.

    `id` is unique in its book and stays the same when other rules change; `rule` is the rule, option or reading in which the
    fault is (or `board`, `players`, `dice`, a counter; nothing for the order of resolution and the turn), `clauses` are those
    that it cites, `says` tells a reader what was changed. `book` is the wrong rule book, `original` the right one.
    """

    id: str
    kind: MutantKind
    rule: str | None
    clauses: tuple[str, ...]
    says: str
    book: Book = field(repr=False)
    original: Book = field(repr=False, compare=False)
