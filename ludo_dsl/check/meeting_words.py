"""Meetings in words: squares, company, outcomes, and what is left of conditions."""

from __future__ import annotations

from ludo_dsl.check.meeting_cells import Fate, Outcome, Reach
from ludo_dsl.check.squares import Company, Group, Square
from ludo_dsl.rules.expressions import (
    And,
    BoardNumber,
    Compare,
    CounterOf,
    DieIn,
    DieIs,
    Every,
    EveryDie,
    Expr,
    Faces,
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Owner,
    Product,
    Quantity,
    RolledTimes,
    SquareIs,
    Squares,
    Sum,
    Truth,
)
from ludo_dsl.rules.folding import COMPARISONS

_ONE = {Owner.OWN: "own piece", Owner.ALLIES: "ally", Owner.ENEMIES: "enemy"}
_SEVERAL = {Owner.OWN: "own pieces", Owner.ALLIES: "allies", Owner.ENEMIES: "enemies"}
_SHARING = {Fate.SHARE: "share the square", Fate.CAPTURED: "captured"}


def many(count: int, owner: Owner) -> str:
    """So many pieces of one relation."""
    return f"{count} {_ONE[owner] if count == 1 else _SEVERAL[owner]}"


def named(owner: Owner | None) -> str:
    """The pieces of a relation; the moving piece where there is none."""
    return "the moving piece" if owner is None else _SEVERAL[owner]


def on_square(square: Square) -> str:
    """A square of a kind, as a sentence says it: `on a star`."""
    if square.label == "track":
        return "on the track"
    if square.private:
        return f"in a {square.label}" if square.label != "approach" else "on an approach"
    article = "" if square.label.startswith("another") else "the " if square.home_of_mover else "a "
    return f"on {article}{square.label}" if square.home_of_mover or article == "" else f"on {article}{square.label}{_square(square)}"


def _square(square: Square) -> str:
    return " square" if square.label == "start" else ""


def company_words(company: Company) -> str:
    """The pieces that are there: `1 own piece and 2 enemies of one colour`."""
    colours = sum(g.owner is Owner.ENEMIES for g in company.groups)
    return listed([_group_words(g, colours) for g in company.groups])


def _group_words(group: Group, colours: int) -> str:
    text = many(group.count, group.owner)
    if group.at_home and group.owner is not Owner.OWN:
        return f"{text} on their own start square"
    return f"{text} of one colour" if group.owner is Owner.ENEMIES and colours > 1 and group.count > 1 else text


def listed(words: list[str]) -> str:
    """Words as a list: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def fate_words(outcome: Outcome) -> str:
    """What becomes of the pieces, without the rule that says so."""
    text = _SHARING.get(outcome.fate, str(outcome.fate))
    match outcome.reach:
        case Reach.ONE:
            return f"one of them {text}"
        case Reach.LAST:
            return f"the last that came {text}"
        case Reach.MOVER if outcome.relation is not None:
            return f"the mover {text}"
        case _:
            return text


# ---- conditions ------------------------------------------------------------------------------------------------------


def condition_words(expr: Expr, inside: bool = False) -> str:
    """What is left of a condition, in the words of the language."""
    match expr:
        case And(parts):
            return " and ".join(condition_words(p, True) for p in parts)
        case Or(parts):
            text = " or ".join(condition_words(p, True) for p in parts)
            return f"({text})" if inside else text
        case Not(SquareIs(subject, squares)):
            return f"{subject} is not {condition_words(squares)}"
        case Not(DieIs(name)):
            return f"die is not {name}"
        case Not(part):
            return f"not {condition_words(part, True)}"
        case Compare(">=", Measure(Quantity.COUNT, nouns), Number(1)):
            return nouns_words(nouns)
        case Compare(op, left, right) if op in COMPARISONS:
            return f"{condition_words(left)} {op} {condition_words(right)}"
        case _:
            return _term(expr)


def _term(expr: Expr) -> str:
    match expr:
        case Number(value):
            return str(value)
        case Truth(holds):
            return "always" if holds else "never"
        case Squares(names):
            return " or ".join(sorted(names))
        case BoardNumber(name):
            return name
        case FactOf(fact):
            return str(fact)
        case CounterOf(counter):
            return str(counter)
        case Highest(counter, nouns):
            return f"highest {counter} of {nouns_words(nouns)}"
        case Measure(quantity, nouns):
            return nouns_words(nouns) if quantity is Quantity.COUNT else f"{quantity} {nouns_words(nouns)}"
        case Every(nouns):
            return f"all {nouns_words(nouns)}"
        case SquareIs(subject, squares):
            return f"{subject} is {condition_words(squares)}"
        case Sum(terms):
            text = " ".join(f"{'+' if sign > 0 else '-'} {condition_words(t, True)}" for sign, t in terms)
            return text.removeprefix("+ ")
        case Product(factors):
            return " * ".join(condition_words(f, True) for f in factors)
        case _:
            return _die_term(expr)


def _die_term(expr: Expr) -> str:
    match expr:
        case DieIs(name):
            return f"die is {name}"
        case DieIn(faces):
            return f"die in {condition_words(faces)}"
        case Faces(values):
            return values if isinstance(values, str) else ", ".join(str(v) for v in sorted(values))
        case EveryDie(op, value):
            return f"every die {op} {value}"
        case RolledTimes(face, times, in_a_row):
            return f"{face} rolled {times} times{' in a row' if in_a_row else ''}"
        case _:
            return "a further condition"


def nouns_words(nouns: Nouns) -> str:
    """A choice of pieces, in the words of the language."""
    places = [f"on {place.mark}" if isinstance(place, OnMark) else str(place) for place in nouns.places]
    return " ".join([str(nouns.owner), *places])
