"""Checked expressions: what conditions and numbers of a rule can ask about. Closed data, compared by value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

SettingId = NewType("SettingId", str)
"""The name of an option or a reading, known to exist."""

CounterId = NewType("CounterId", str)
"""The name of a declared counter."""


class Kind(StrEnum):
    """The types of expressions, as messages name them."""

    NUMBER = "number"
    TRUTH = "condition"
    SQUARES = "kind of square"


class Owner(StrEnum):
    """Whose pieces, seen from the player whose rule it is."""

    OWN = "own"
    ALLIES = "allies"
    ENEMIES = "enemies"
    PIECES = "pieces"
    OURS = "ours"


class Where(StrEnum):
    """Where pieces stand, apart from marked squares (`OnMark`)."""

    HERE = "here"
    OUT = "out"
    TRACK = "on track"
    LANE = "in lane"
    HOME = "at home"
    YARD = "in yard"
    START = "on start"
    OWN_START = "on own start"
    OFF_OWN_START = "off own start"


@dataclass(frozen=True, slots=True)
class OnMark:
    """Pieces on a track square that carries the mark."""

    mark: str


Place = Where | OnMark


@dataclass(frozen=True, slots=True)
class Nouns:
    """A choice of pieces: an owner and every place that must hold of them."""

    owner: Owner
    places: tuple[Place, ...] = ()


class Fact(StrEnum):
    """What the game knows of the present move, roll, turn and table."""

    CAPTURED = "captured"  # pieces that this move captured (a number)
    ENTERED = "entered"  # this move brought the piece out of the yard
    RETREATING = "retreating"  # this move goes backward
    UNTOUCHED = "untouched"  # no die of the last roll has been used
    WALKED = "walked"  # squares that this move walked (0 for an entry)
    CAME_HOME = "came home"  # this move brought the piece home, by walking, a link or a send
    SENT_BACK = "sent back"  # this move ended with the moving piece in its yard
    STEPS_LEFT = "steps left"  # steps from where the moving piece stands to home, its lane open; 0 without a move
    TURN_ROLLS = "turn rolls"  # rolls made in this turn, the present one included
    OWED = "owed"  # rolls owed, due ones included
    ROUND = "round"
    SCORE = "score"
    CAPTURES = "captures"  # pieces that the player has captured in this game
    PLAYERS = "players"
    PLAYERS_LEFT = "players left"  # players who have not retired
    DIE = "die"  # the face that the move takes, or that was rolled


TRUTH_FACTS = frozenset({Fact.ENTERED, Fact.RETREATING, Fact.UNTOUCHED, Fact.CAME_HOME, Fact.SENT_BACK})


class Quantity(StrEnum):
    """Sums and extremes over pieces, in steps, and counts of pieces that can or cannot move."""

    COUNT = "count"
    MOVABLE = "movable"  # pieces with a legal move by one die
    STUCK = "stuck"  # pieces without one; with an empty pool, without one by any face
    GROUPS = "groups of movable"  # places of movable pieces
    TRAVELLED = "travelled"  # steps from the start square, summed
    REMAINING = "remaining"  # steps to home, summed; from the yard one more than from the start square
    NEAREST = "nearest"  # the fewest steps to home among pieces that are not home; 0 if all are


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """A condition that always holds, or never."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Squares:
    """Kinds of square: mark names and the words start, own start, track, lane, home. Empty: no square."""

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of a numeric option or reading."""

    setting: SettingId


@dataclass(frozen=True, slots=True)
class ChoiceIs:
    """Whether an option or reading has one of the values."""

    setting: SettingId
    value: str


@dataclass(frozen=True, slots=True)
class BoardNumber:
    """A measure of the board or the dice at this table, by its name (`ring`, `route`, `lane` …)."""

    name: str


@dataclass(frozen=True, slots=True)
class Cases:
    """The first case whose condition holds; `otherwise` if none does."""

    cases: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """Two numbers compared by `=`, `!=`, `<`, `<=`, `>` or `>=`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Sum:
    """Numbers added, each with its sign (+1 or -1)."""

    terms: tuple[tuple[int, Expr], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Numbers multiplied."""

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class FactOf:
    """A fact of the game, as a number or a condition."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class CounterOf:
    """The value of a counter: of the player, the side, the game, the moving piece, or (`here`) the square."""

    counter: CounterId


@dataclass(frozen=True, slots=True)
class Highest:
    """The highest value of a piece counter among pieces; 0 without pieces."""

    counter: CounterId
    nouns: Nouns


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of pieces."""

    quantity: Quantity
    nouns: Nouns


@dataclass(frozen=True, slots=True)
class Every:
    """All pieces of the owner are at the places."""

    nouns: Nouns


@dataclass(frozen=True, slots=True)
class SquareIs:
    """Whether the square in question (`here`, or `from`: where the move began) is of a kind."""

    subject: str
    squares: Expr


@dataclass(frozen=True, slots=True)
class DieIs:
    """The move takes the named die."""

    name: str


@dataclass(frozen=True, slots=True)
class DieIn:
    """The move takes, or the roll shows, one of the faces."""

    faces: Expr


@dataclass(frozen=True, slots=True)
class Faces:
    """A set of faces: those of an option, or given ones."""

    values: frozenset[int] | SettingId


@dataclass(frozen=True, slots=True)
class EveryDie:
    """Every die of the last roll compares so."""

    op: str
    value: int


@dataclass(frozen=True, slots=True)
class RolledTimes:
    """A face came up so many times in this turn, at least; in a row: in each of the last so many rolls.

    Of several dice, a roll counts when every die shows the face.
    """

    face: int
    times: int
    in_a_row: bool


Expr = (
    Number | Truth | Squares | Choice | ChoiceIs | BoardNumber | Cases | And | Or | Not | Compare | Sum | Product | FactOf | CounterOf
    | Highest | Measure | Every | SquareIs | DieIs | DieIn | Faces | EveryDie | RolledTimes
)  # fmt: skip

ALWAYS = Truth(True)
NEVER = Truth(False)
