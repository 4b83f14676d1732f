"""Checked statements. Each knows the rule it stands in, so that whatever it does or forbids can be traced to that rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ludo_dsl.rules.expressions import ALWAYS, CounterId, Expr, Nouns, Owner


class Act(StrEnum):
    """What a move can be."""

    ADVANCE = "advance"
    ENTER = "enter"
    RETREAT = "retreat"


class Trigger(StrEnum):
    """When a `when` statement fires."""

    TURN_STARTS = "turn starts"
    ROLLED = "rolled"
    PASSING = "passing"
    LANDING = "landing"
    CAPTURED = "captured"
    REACHED_HOME = "reached home"
    MOVED = "moved"
    RETIRED = "retired"
    NO_MOVE = "no move"
    TURN_ENDS = "turn ends"
    ROUND_ENDS = "round ends"


@dataclass(frozen=True, slots=True)
class StatementId:
    """The rule, option or reading that a statement stands in, and its number there, from 1."""

    rule: str
    number: int

    def __str__(self) -> str:
        return f"{self.rule}/{self.number}"


# ---- effects ---------------------------------------------------------------------------------------------------------


class Target(StrEnum):
    """Which pieces a `send` moves."""

    PIECE = "piece"
    MISSED = "missed"
    LAST_MOVED = "last moved"
    ALL = "all"
    ONE = "one of"
    LAST = "last of"


class Destination(StrEnum):
    """Where a `send` moves pieces."""

    YARD = "yard"
    HOME = "home"
    START = "start"


@dataclass(frozen=True, slots=True)
class Send:
    """Pieces go to their yard, home or start square; `as capture` counts them as captured by the move."""

    target: Target
    nouns: Nouns | None
    destination: Destination
    as_capture: bool


@dataclass(frozen=True, slots=True)
class Share:
    """The pieces that meet stay together: nothing happens, and that is stated."""

    owner: Owner


@dataclass(frozen=True, slots=True)
class RollAgain:
    """One more roll is owed; at once: before anything of the pool is used."""

    at_once: bool


@dataclass(frozen=True, slots=True)
class Grant:
    """A die joins the pool: a number of steps, or a named die."""

    value: int | str


@dataclass(frozen=True, slots=True)
class Score:
    """The player scores points."""

    points: Expr


@dataclass(frozen=True, slots=True)
class Add:
    """A counter grows."""

    amount: Expr
    counter: CounterId


class Mark(StrEnum):
    """Effects that act when the present move or roll has been resolved, and the roll that is skipped."""

    END_TURN = "end turn"
    END_GAME = "end game"
    RETIRE = "retire"
    SKIP_ROLL = "skip roll"


Effect = Send | Share | RollAgain | Grant | Score | Add | Mark


# ---- statements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class May:
    """Adds moves: a piece may advance, enter, retreat; `allies`: a partner's piece; `walking`: it comes out by as many steps as the die."""

    id: StatementId
    act: Act
    whose: Owner
    condition: Expr = ALWAYS
    walking: bool = False


@dataclass(frozen=True, slots=True)
class MayCombine:
    """A piece may take all dice of an unused roll as one move, landing only at its end."""

    id: StatementId
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class MayPass:
    """The player may decline to move."""

    id: StatementId
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class NeverRoll:
    """The dice may not show the face."""

    id: StatementId
    face: int
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class NeverCross:
    """A move may not pass, or land on, a square with so many of these pieces."""

    id: StatementId
    passing: bool
    landing: bool
    count: int
    nouns: Nouns
    one_colour: bool
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class NeverMove:
    """Moves of this kind are forbidden."""

    id: StatementId
    act: Act
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class NeverKeep:
    """A die that no piece can use is lost at once, whatever else the pool holds."""

    id: StatementId
    condition: Expr = ALWAYS


class GoalKind(StrEnum):
    """What a `must` prefers."""

    DICE = "use most dice"
    PIPS = "use most pips"
    ENTER = "enter"
    ADVANCE = "advance"
    CAPTURE = "capture"
    COMBINE = "move by all dice at once"
    SINGLE = "move by one die"
    FROM = "move from"


@dataclass(frozen=True, slots=True)
class Goal:
    """One aim of a `must`; `move from` names the pieces on the square where the move begins, and how many there must be."""

    kind: GoalKind
    nouns: Nouns | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Must:
    """Narrows the choice to moves that reach the goals, if there are any; or (`forfeit`) punishes the choice of another."""

    id: StatementId
    goals: tuple[Goal, ...]
    condition: Expr = ALWAYS
    forfeit: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class When:
    """Effects at a trigger. `squares` restricts landing and passing to a kind of square."""

    id: StatementId
    trigger: Trigger
    squares: Expr | None
    condition: Expr
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Once:
    """Effects the first time that the condition holds, for each player."""

    id: StatementId
    condition: Expr
    effects: tuple[Effect, ...]


class Overshoot(StrEnum):
    """What becomes of a move that would go past home."""

    NEVER = "never"
    STOP = "stop"
    BOUNCE = "bounce"


@dataclass(frozen=True, slots=True)
class Past:
    """How a roll larger than what is left to home is taken."""

    id: StatementId
    overshoot: Overshoot
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class LaneOpens:
    """The lane is open only on a condition; otherwise the piece goes on round the track."""

    id: StatementId
    condition: Expr = ALWAYS


@dataclass(frozen=True, slots=True)
class Count:
    """A face counts as another number of steps."""

    id: StatementId
    face: int
    steps: int
    condition: Expr = ALWAYS


class Order(StrEnum):
    """How a ranking key orders."""

    MOST = "most"
    FEWEST = "fewest"
    FIRST_RETIRED = "first retired"


@dataclass(frozen=True, slots=True)
class RankKey:
    """One key of a ranking; `first retired` has no value of its own."""

    order: Order
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Rank:
    """Sides are placed by keys, in order; equal sides share a place and the next place is skipped."""

    id: StatementId
    keys: tuple[RankKey, ...]
    condition: Expr = ALWAYS


class Builtin(StrEnum):
    """Behaviour that every game has, for rules that state it."""

    TURN_ORDER = "turn-order"  # the turn passes to the next seat that has not retired
    LOST_DICE = "lost-dice"  # dice that no piece can use are lost
    FREE_PASSING = "free-passing"  # pieces are passed without effect
    OWN_LANE = "own-lane"  # a lane is used by its own colour alone
    ALL_COLOURS = "all-colours"  # a player moves pieces of every colour that is the player's
    CAPTOR_STAYS = "captor-stays"  # a piece that captures stays where it landed
    NO_SCORE = "no-score"  # nothing scores


@dataclass(frozen=True, slots=True)
class Stands:
    """States that a built-in behaviour holds."""

    id: StatementId
    builtin: Builtin
    condition: Expr = ALWAYS


Statement = (
    May | MayCombine | MayPass | NeverRoll | NeverCross | NeverMove | NeverKeep | Must
    | When | Once | Past | LaneOpens | Count | Rank | Stands
)  # fmt: skip


# ---- the published order ---------------------------------------------------------------------------------------------


class Phase(StrEnum):
    """The steps in which a move is resolved."""

    SPEND = "spend"
    PASSING = "passing"
    LANDING = "landing"
    LINK = "link"
    CAPTURED = "captured"
    REACHED_HOME = "reached home"
    MOVED = "moved"
    ONCE = "once"
    RETIRED = "retired"
    MARKS = "marks"


RESOLUTION = tuple(Phase)


class Stage(StrEnum):
    """What a turn does next: the first of these that applies."""

    DUE_ROLL = "due roll"
    CHOOSE = "choose"
    LOSE = "lose"
    OWED_ROLL = "owed roll"
    END = "end"


TURN = tuple(Stage)
