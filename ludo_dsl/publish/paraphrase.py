"""Checked statements in plain English, in the words of their rule book: what a rule says formally, for readers of sentences.

Conditions build on `ludo_dsl.rules.spoken`; here they get the book's own words, and statements and effects are added.
"""

from __future__ import annotations

from ludo_dsl.publish.words import Words, a, listed, sentence
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import (
    ALWAYS,
    And,
    Cases,
    ChoiceIs,
    Compare,
    CounterOf,
    Every,
    Expr,
    Fact,
    FactOf,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Owner,
    Product,
    Quantity,
    SquareIs,
    Squares,
    Sum,
    Where,
)
from ludo_dsl.rules.spoken import spoken
from ludo_dsl.rules.statements import (
    Act,
    Add,
    Builtin,
    Count,
    Destination,
    Effect,
    Goal,
    GoalKind,
    Grant,
    LaneOpens,
    Mark,
    May,
    MayCombine,
    MayPass,
    Must,
    NeverCross,
    NeverKeep,
    NeverMove,
    NeverRoll,
    Once,
    Order,
    Overshoot,
    Past,
    Rank,
    RankKey,
    RollAgain,
    Score,
    Send,
    Share,
    Stands,
    Statement,
    Target,
    Trigger,
    When,
)

_COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_OWNERS = {
    Owner.OWN: ("an own piece", "own pieces"),
    Owner.ALLIES: ("a partner's piece", "partner's pieces"),
    Owner.ENEMIES: ("an opponent's piece", "opponents' pieces"),
    Owner.PIECES: ("a piece", "pieces"),
    Owner.OURS: ("a piece of the side", "pieces of the side"),
}
_PLACES = {
    Where.HERE: "on that square",
    Where.OUT: "on the way",
    Where.TRACK: "on the track",
    Where.LANE: "in the lane",
    Where.HOME: "at home",
    Where.YARD: "in the yard",
    Where.START: "on a start square",
    Where.OWN_START: "on their own start square",
    Where.OFF_OWN_START: "away from their own start square",
}
_QUANTITIES = {
    Quantity.COUNT: "the number of",
    Quantity.MOVABLE: "the number of movable",
    Quantity.STUCK: "the number of unmovable",
    Quantity.GROUPS: "the number of places with movable",
    Quantity.TRAVELLED: "the steps that have been travelled by",
    Quantity.REMAINING: "the steps that still lie before",
    Quantity.NEAREST: "the steps that still lie before the nearest of the",
}
_TRUTHS = {
    Fact.ENTERED: ("the move brought the piece out of the yard", "the move did not bring the piece out of the yard"),
    Fact.RETREATING: ("the piece goes backward", "the piece does not go backward"),
    Fact.UNTOUCHED: ("no die of the roll has been used", "a die of the roll has been used"),
    Fact.CAME_HOME: ("the piece came home", "the piece did not come home"),
    Fact.SENT_BACK: ("the piece itself was sent back", "the piece itself was not sent back"),
}
_WHEN = {
    Trigger.TURN_STARTS: "when a turn starts",
    Trigger.ROLLED: "after a roll",
    Trigger.PASSING: "when a piece passes {square}",
    Trigger.LANDING: "when a piece comes to stand on {square}",
    Trigger.CAPTURED: "when a move has captured",
    Trigger.REACHED_HOME: "when a piece has come home",
    Trigger.MOVED: "after a move",
    Trigger.RETIRED: "when a player has finished",
    Trigger.NO_MOVE: "when no piece can use what was rolled",
    Trigger.TURN_ENDS: "when a turn ends",
    Trigger.ROUND_ENDS: "when a round ends",
}
_MARKS = {
    Mark.END_TURN: "the turn ends and what is left of its rolls is not moved",
    Mark.END_GAME: "the game ends",
    Mark.RETIRE: "the player has finished and takes no more turns",
    Mark.SKIP_ROLL: "the player does not roll",
}
_GOALS = {
    GoalKind.DICE: "uses as many dice as possible",
    GoalKind.PIPS: "uses the highest total of dice",
    GoalKind.ENTER: "brings a piece out of the yard",
    GoalKind.ADVANCE: "moves a piece forward",
    GoalKind.CAPTURE: "captures",
    GoalKind.COMBINE: "takes all dice at once with one piece",
    GoalKind.SINGLE: "takes a single die",
}
_STANDS = {
    Builtin.TURN_ORDER: "the turn passes to the next player round the table who has not finished",
    Builtin.LOST_DICE: "a die that no piece can use is lost",
    Builtin.FREE_PASSING: "a piece may be passed, and nothing happens to it",
    Builtin.OWN_LANE: "the lane of a colour is for its own pieces alone",
    Builtin.ALL_COLOURS: "a player may move pieces of each colour that the player has",
    Builtin.CAPTOR_STAYS: "a piece that captures stays where it landed",
    Builtin.NO_SCORE: "nothing scores points",
}
_OVERSHOOT = {
    Overshoot.NEVER: "a piece cannot use a roll that would take it past home",
    Overshoot.STOP: "a piece comes home by a roll that would take it past home as well, and the rest is lost",
    Overshoot.BOUNCE: "a roll that would take a piece past home is walked to the end of the way, and the rest back again",
}


class Paraphrase:
    """Says statements, effects and conditions of one rule book in plain English."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.words = Words(book)

    def __call__(self, statement: Statement) -> str:
        """The statement as a sentence."""
        return sentence(self.words.own(self._statement(statement)))

    def condition(self, expr: Expr) -> str:
        """The condition or number as a phrase."""
        return self.words.own(self._expr(expr))

    def group(self, nouns: Nouns) -> str:
        """The pieces as a phrase."""
        return self.words.own(self._pieces(nouns))

    # ---- statements ----------------------------------------------------------------------------------------------------

    def _statement(self, statement: Statement) -> str:
        match statement:
            case When(trigger=trigger, squares=squares, condition=condition, effects=effects):
                where = "a square" if squares is None else self._expr(squares)
                head = _WHEN[trigger].format(square=where) + self._if(condition)
                return f"{head}: {self._effects(effects)}"
            case Once(condition=condition, effects=effects):
                return f"the first time that {self._expr(condition)}, once for each player: {self._effects(effects)}"
            case Rank(keys=keys, condition=condition):
                order = ", then ".join(self._key(k) for k in keys)
                return f"{self._first(condition)}the first place is for {order}; who is equal in all of it shares a place"
            case Must(goals=goals, condition=condition, forfeit=forfeit):
                return self._must(goals, condition, forfeit)
            case LaneOpens(condition=condition):
                return f"a piece turns into its lane only if {self._expr(condition)}; otherwise it goes on round the track"
            case _:
                return self._plain(statement) + self._if(statement.condition)

    def _plain(self, statement: Statement) -> str:
        match statement:
            case May(act=act, whose=whose, walking=walking):
                return self._may(act, whose, walking)
            case MayCombine():
                return "a piece may take all dice of a fresh roll as one move that lands only at its end"
            case MayPass():
                return "the player may leave the roll unused"
            case NeverRoll(face=face):
                return f"the die cannot show a {face}"
            case NeverCross():
                return self._cross(statement)
            case NeverMove(act=act):
                deed = {Act.ADVANCE: "move forward", Act.ENTER: "come out of the yard", Act.RETREAT: "move backward"}[act]
                return f"no piece may {deed}"
            case NeverKeep():
                return "a die that no piece can use is lost at once, even while others are left to use"
            case Past(overshoot=overshoot):
                return _OVERSHOOT[overshoot]
            case Count(face=face, steps=steps):
                return f"a roll of {face} counts as {steps} steps"
            case Stands(builtin=builtin):
                return _STANDS[builtin]
            case _:
                raise AssertionError(f"no words for {type(statement).__name__}")

    @staticmethod
    def _may(act: Act, whose: Owner, walking: bool) -> str:
        piece = "a piece of the partner" if whose is Owner.ALLIES else "a piece"
        match act:
            case Act.ADVANCE:
                return f"{piece} may move forward by as many steps as the die shows"
            case Act.RETREAT:
                return f"{piece} may move backward by as many steps as the die shows"
            case Act.ENTER if walking:
                return f"{piece} may come out of the yard and walk as many steps as the die shows"
            case _:
                return f"{piece} may come out of the yard onto its start square"

    def _cross(self, statement: NeverCross) -> str:
        deed = " or ".join([*(["pass"] if statement.passing else []), *(["land on"] if statement.landing else [])])
        who = self._counted(statement.count, statement.nouns)
        return f"no piece may {deed} a square that holds {who}{' of one colour' if statement.one_colour else ''}"

    def _must(self, goals: tuple[Goal, ...], condition: Expr, forfeit: tuple[Effect, ...]) -> str:
        wanted = ", and among those one that ".join(self._goal(g) for g in goals)
        what = self._first(condition)
        if forfeit:
            return f"{what}a player who could make a move that {wanted} and makes another one pays for it: {self._effects(forfeit)}"
        return f"{what}the player must choose a move that {wanted}, as long as there is one"

    def _goal(self, goal: Goal) -> str:
        if goal.kind is GoalKind.FROM and goal.nouns is not None:
            return f"begins on a square with {self._counted(goal.count, goal.nouns)}"
        return _GOALS[goal.kind]

    def _key(self, key: RankKey) -> str:
        most = key.order is Order.MOST
        match key.value:
            case None:
                return "who finished first"
            case Measure(_, _) as measure:
                amount = self._expr(measure).removeprefix("the number of ").removeprefix("the ")
                return f"the {'most' if most else 'fewest'} {amount}"
            case FactOf(Fact.SCORE):
                return f"the {'most' if most else 'fewest'} points"
            case And() | Or() | Not() | Every() | SquareIs() as condition:
                return f"those {'of whom it is' if most else 'of whom it is not'} true that {self._expr(condition)}"
            case value:
                return f"the {'highest' if most else 'lowest'} of this number: {self._expr(value)}"

    # ---- effects -------------------------------------------------------------------------------------------------------

    def _effects(self, effects: tuple[Effect, ...]) -> str:
        return listed([self._effect(e) for e in effects])

    def _effect(self, effect: Effect) -> str:
        match effect:
            case Send():
                return self._send(effect)
            case Share(owner=owner):
                return f"it stands there together with {_OWNERS[owner][1]}, and nothing happens to them"
            case RollAgain(at_once=True):
                return "the player rolls again at once, before anything is moved"
            case RollAgain():
                return "the player gets another roll"
            case Grant(value=int(steps)):
                return f"the player may move a piece {steps} steps more"
            case Grant(value=name):
                return f"the player gets the die `{name}` to use"
            case Score(points=points):
                return f"the player scores {self._points(points)}"
            case Add(amount=amount, counter=counter):
                return f"`{counter}` grows by {self._expr(amount)}"
            case Mark():
                return _MARKS[effect]

    def _points(self, points: Expr) -> str:
        text = self._expr(points)
        if isinstance(points, Number):
            return f"{text} point{'s' if points.value != 1 else ''}"
        return f"as many points as {text}"

    def _send(self, send: Send) -> str:
        several = send.nouns is not None and send.target is Target.ALL
        match send.target:
            case Target.PIECE:
                who = "the piece that moved"
            case Target.MISSED:
                who = "a piece that could have done it"
            case Target.LAST_MOVED:
                who = f"the last moved of the {self._pieces(send.nouns)}"
            case Target.ONE:
                who = f"one of the {self._pieces(send.nouns)}"
            case Target.LAST:
                who = f"the one that came last of the {self._pieces(send.nouns)}"
            case Target.ALL:
                who = f"all {self._pieces(send.nouns)}"
        verb = "go" if several else "goes"
        owner = "their" if several else "its"
        where = {
            Destination.YARD: f"{verb} back to {owner} yard",
            Destination.HOME: f"{verb} home",
            Destination.START: f"{verb} to {owner} start square",
        }[send.destination]
        capture = a(self.book.word("capture"))
        return f"{who} {where}{f', and that is {capture}' if send.as_capture else ''}"

    # ---- pieces --------------------------------------------------------------------------------------------------------

    def _pieces(self, nouns: Nouns | None) -> str:
        if nouns is None:
            return "pieces"
        return " ".join([_OWNERS[nouns.owner][1], *self._places(nouns)])

    def _places(self, nouns: Nouns) -> list[str]:
        return [f"on {a(self.book.word(p.mark))}" if isinstance(p, OnMark) else _PLACES[p] for p in nouns.places]

    def _counted(self, count: int, nouns: Nouns) -> str:
        one, several = _OWNERS[nouns.owner]
        return " ".join([one if count == 1 else f"{count} or more {several}", *self._places(nouns)])

    # ---- conditions and numbers ----------------------------------------------------------------------------------------

    def _if(self, condition: Expr) -> str:
        return "" if condition == ALWAYS else f", if {self._expr(condition)}"

    def _first(self, condition: Expr) -> str:
        return "" if condition == ALWAYS else f"if {self._expr(condition)}, "

    def _expr(self, expr: Expr) -> str:
        match expr:
            case And(parts):
                return " and ".join(self._inner(p) for p in parts)
            case Or(parts):
                return " or ".join(self._inner(p) for p in parts)
            case Not(part):
                return self._not(part)
            case Compare():
                return self._compare(expr)
            case Sum(terms):
                text = " ".join(f"{'plus' if sign > 0 else 'minus'} {self._inner(t)}" for sign, t in terms)
                return text.removeprefix("plus ")
            case Product(factors):
                return " times ".join(self._inner(f) for f in factors)
            case Cases(cases, otherwise):
                text = ", ".join(f"{self._expr(value)} if {self._expr(when)}" for value, when in cases)
                return text if otherwise is None else f"{text}, otherwise {self._expr(otherwise)}"
            case FactOf(fact) if fact in _TRUTHS:
                return _TRUTHS[fact][0]
            case Squares(names):
                return " or ".join(self.words.kind(name) for name in sorted(names)) if names else "no square"
            case SquareIs(subject, squares):
                return f"{_subject(subject)} is {self._inner(squares)}"
            case Measure(quantity, nouns):
                return f"{_QUANTITIES[quantity]} {self._pieces(nouns)}"
            case Every(nouns):
                return f"all {_OWNERS[nouns.owner][1]} are {' '.join(self._places(nouns))}"
            case _:
                return spoken(expr)

    def _inner(self, expr: Expr) -> str:
        return f"({self._expr(expr)})" if isinstance(expr, And | Or | Sum | Cases) else self._expr(expr)

    def _not(self, part: Expr) -> str:
        match part:
            case SquareIs(subject, squares):
                return f"{_subject(subject)} is not {self._inner(squares)}"
            case ChoiceIs(setting, value):
                return f"`{setting}` is not `{value}`"
            case FactOf(fact) if fact in _TRUTHS:
                return _TRUTHS[fact][1]
            case Every(nouns):
                return f"not all {_OWNERS[nouns.owner][1]} are {' '.join(self._places(nouns))}"
            case _:
                return f"it is not so that {self._inner(part)}"

    def _compare(self, expr: Compare) -> str:
        match expr:
            case Compare(op, FactOf(Fact.CAPTURED), Number(n)) if (op, n) in ((">=", 1), (">", 0)):
                return "the move captured"
            case Compare(op, FactOf(Fact.CAPTURES), Number(n)) if (op, n) in ((">=", 1), (">", 0)):
                return "the player has captured a piece in this game"
            case Compare(op, FactOf(Fact.PLAYERS_LEFT), Number(n)) if op == "=":
                return f"{'only one player is' if n == 1 else f'{n} players are'} left"
            case Compare(op, Measure(Quantity.COUNT, nouns), Number(n)):
                return self._there_are(op, n, nouns)
            case Compare(op, CounterOf() as left, right):
                return f"{self._expr(left)} {_COMPARED[op]} {self._expr(right)}"
            case Compare(op, left, right):
                return f"{self._inner(left)} {_COMPARED[op]} {self._inner(right)}"

    def _there_are(self, op: str, n: int, nouns: Nouns) -> str:
        one, several = _OWNERS[nouns.owner]
        where = " ".join(["", *self._places(nouns)])
        match op, n:
            case (">=", 1) | (">", 0) | ("!=", 0):
                return f"there is {one}{where}"
            case ("=", 0) | ("<", 1) | ("<=", 0):
                return f"there are no {several}{where}"
            case _:
                amount = {
                    "=": f"exactly {n}",
                    "!=": f"not {n}",
                    "<": f"fewer than {n}",
                    "<=": f"at most {n}",
                    ">": f"more than {n}",
                    ">=": f"{n} or more",
                }[op]
                return f"there are {amount} {several}{where}"


def _subject(subject: str) -> str:
    return "that square" if subject == "here" else "the square that the piece leaves"
