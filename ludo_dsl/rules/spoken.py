"""Checked expressions in plain words, for reasons and explanations."""

from __future__ import annotations

from ludo_dsl.rules.expressions import (
    And,
    BoardNumber,
    Cases,
    Choice,
    ChoiceIs,
    Compare,
    CounterOf,
    DieIn,
    DieIs,
    Every,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Owner,
    Place,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
    Truth,
    Where,
)

_OPS = {"=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least"}
_OWNERS = {
    Owner.OWN: "own pieces",
    Owner.ALLIES: "partner's pieces",
    Owner.ENEMIES: "opponents' pieces",
    Owner.PIECES: "pieces",
    Owner.OURS: "pieces of the side",
}
_PLACES = {
    Where.HERE: "on that square",
    Where.OUT: "out of the yard and not home",
    Where.TRACK: "on the track",
    Where.LANE: "in the lane",
    Where.HOME: "home",
    Where.YARD: "in the yard",
    Where.START: "on a start square",
    Where.OWN_START: "on their own start square",
    Where.OFF_OWN_START: "off their own start square",
}
_QUANTITIES = {
    Quantity.COUNT: "the number of",
    Quantity.MOVABLE: "the number of movable",
    Quantity.STUCK: "the number of unmovable",
    Quantity.GROUPS: "the number of places of movable",
    Quantity.TRAVELLED: "the steps travelled by",
    Quantity.REMAINING: "the steps left to",
    Quantity.NEAREST: "the fewest steps left to one of the",
}
_FACTS = {
    Fact.CAPTURED: "the number of pieces captured by the move",
    Fact.ENTERED: "the piece came out of the yard",
    Fact.RETREATING: "the piece goes backward",
    Fact.UNTOUCHED: "no die of the roll has been used",
    Fact.WALKED: "the number of squares walked",
    Fact.CAME_HOME: "the piece came home",
    Fact.SENT_BACK: "the piece itself was sent back",
    Fact.STEPS_LEFT: "the number of steps the piece has left",
    Fact.TURN_ROLLS: "the number of rolls of the turn",
    Fact.OWED: "the number of rolls owed",
    Fact.ROUND: "the round",
    Fact.SCORE: "the player's score",
    Fact.CAPTURES: "the number of pieces the player has captured",
    Fact.PLAYERS: "the number of players",
    Fact.PLAYERS_LEFT: "the number of players left",
    Fact.DIE: "the die",
}


def spoken(expr: Expr) -> str:
    """The expression as an English phrase."""
    match expr:
        case Truth(holds):
            return "always" if holds else "never"
        case Number(value):
            return str(value)
        case And(parts):
            return " and ".join(_inner(p) for p in parts)
        case Or(parts):
            return " or ".join(_inner(p) for p in parts)
        case Not(part):
            return f"not ({spoken(part)})" if isinstance(part, And | Or) else f"it is not so that {spoken(part)}"
        case Compare(">=", Measure(Quantity.COUNT, nouns), Number(1)):
            return f"there are {pieces(nouns)}"
        case Compare("=", Measure(Quantity.COUNT, nouns), Number(0)):
            return f"there are no {pieces(nouns)}"
        case Compare(">=", FactOf(Fact.CAPTURED), Number(1)):
            return "the move captured"
        case Compare(op, left, right):
            return f"{spoken(left)} {_OPS[op]} {spoken(right)}"
        case Sum(terms):
            shown = " ".join(f"{'plus' if sign > 0 else 'minus'} {spoken(t)}" for sign, t in terms)
            return shown.removeprefix("plus ")
        case Product(factors):
            return " times ".join(spoken(f) for f in factors)
        case FactOf(fact):
            return _FACTS[fact]
        case Measure(quantity, nouns):
            return f"{_QUANTITIES[quantity]} {pieces(nouns)}"
        case Every(nouns):
            return f"all {pieces(nouns)}"
        case _:
            return _other(expr)


def _other(expr: Expr) -> str:
    match expr:
        case Squares(names):
            return " or ".join(sorted(names)) if names else "no square"
        case SquareIs(subject, squares):
            return f"{'the square' if subject == 'here' else 'the square it leaves'} is {spoken(squares)}"
        case Choice(setting):
            return f"`{setting}`"
        case ChoiceIs(setting, value):
            return f"`{setting}` is `{value}`"
        case BoardNumber(name):
            return f"the board's {name}"
        case Cases(cases, otherwise):
            shown = ", ".join(f"{spoken(value)} if {spoken(condition)}" for value, condition in cases)
            return shown if otherwise is None else f"{shown}, otherwise {spoken(otherwise)}"
        case CounterOf(counter):
            return f"`{counter}`"
        case Highest(counter, nouns):
            return f"the highest `{counter}` of {pieces(nouns)}"
        case DieIs(name):
            return f"the die is `{name}`"
        case DieIn(Faces(values)) if not isinstance(values, str):
            return "the die is " + " or ".join(str(v) for v in sorted(values))
        case DieIn(faces):
            return f"the die is one of {spoken(faces)}"
        case Faces(values):
            return f"`{values}`"
        case EveryDie(op, value):
            return f"every die {_OPS[op]} {value}"
        case RolledTimes(face, times, in_a_row):
            row = " in a row" if in_a_row else ""
            return f"{face} was rolled {times} times{row} in the turn"
        case _:
            return str(expr)


def _inner(expr: Expr) -> str:
    return f"({spoken(expr)})" if isinstance(expr, And | Or) else spoken(expr)


def pieces(nouns: Nouns) -> str:
    """A choice of pieces as an English phrase."""
    return " ".join([_OWNERS[nouns.owner], *(_place(p) for p in nouns.places)])


def _place(place: Place) -> str:
    return f"on a {place.mark}" if isinstance(place, OnMark) else _PLACES[place]
