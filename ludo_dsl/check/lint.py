"""Checking rules against each other: conditions that decide nothing, statements that cannot act, games that cannot end."""

from __future__ import annotations

from collections.abc import Iterator

from ludo_dsl.check.constant import constant_conditions
from ludo_dsl.check.ground import Ground, effects_of
from ludo_dsl.check.idle import idle_statements
from ludo_dsl.check.loops import endless_turns
from ludo_dsl.check.places import Places
from ludo_dsl.check.spots import head, spot, statement_place
from ludo_dsl.check.tables import Choices
from ludo_dsl.check.truth import outcomes
from ludo_dsl.diagnostics import Diagnostic, Label
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.expressions import NEVER, Squares
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import (
    Builtin,
    Mark,
    NeverCross,
    Past,
    Rank,
    Score,
    Send,
    Stands,
    Statement,
    Target,
    Trigger,
    When,
)


def check_rules(book: Book, places: Places) -> list[Diagnostic]:
    """The faults and warnings of the rules of a book whose board has none."""
    ground = Ground(book, places)
    return [
        *constant_conditions(ground),
        *endless_turns(ground),
        *_exactly_one(ground, Past, "L0504", "past home", "`past home never`, `stop` or `bounce`"),
        *_exactly_one(ground, Rank, "L0505", "rank", "`rank sides by most own at home`"),
        *_no_end(ground),
        *_contradicted(ground),
        *idle_statements(ground),
    ]


# ---- what a game has exactly once ------------------------------------------------------------------------------------


def _exactly_one(ground: Ground, kind: type[Past] | type[Rank], code: str, name: str, example: str) -> list[Diagnostic]:
    """At every table, whatever happens, exactly one statement of the kind holds."""
    found: list[Past | Rank] = [s for s in ground.book.statements if isinstance(s, kind)]
    for choices in ground.tables(*(s.condition for s in found)):
        bounds, known = ground.bounds(choices), ground.known(choices)
        folded = [(s, fold(s.condition, known)) for s in found]
        for i, (later, condition) in enumerate(folded):
            for earlier, other in folded[:i]:
                if ground.together(bounds, condition, other):
                    return [_two(ground, code, name, earlier, later, choices)]
        if ground.none_holds(bounds, [condition for _, condition in folded]):
            return [_none(ground, code, name, example, found, choices)]
    return []


def _two(ground: Ground, code: str, name: str, earlier: Statement, later: Statement, choices: Choices) -> Diagnostic:
    source, span = statement_place(ground.book, ground.places, later.id)
    other_source, other = statement_place(ground.book, ground.places, earlier.id)
    message = f"two statements `{name}` can hold at once{choices.note(earlier.condition, later.condition)}"
    labels = (Label(other, "the other one", other_source),)
    return Diagnostic(code, message, source, span, "let their conditions exclude each other", labels)


def _none(ground: Ground, code: str, name: str, example: str, found: list[Past | Rank], choices: Choices) -> Diagnostic:
    if not found:
        declaration = ground.book.declarations[0]
        source = ground.places.source(declaration.file)
        return Diagnostic(code, f"no rule says `{name}`", source, head(source, declaration), f"add a rule with {example}")
    source, span = statement_place(ground.book, ground.places, found[-1].id)
    message = f"it can be that no `{name}` holds{choices.note(*(s.condition for s in found))}"
    return Diagnostic(code, message, source, span, "add one for that case, or leave the condition out")


# ---- the end of the game ---------------------------------------------------------------------------------------------


def _no_end(ground: Ground) -> list[Diagnostic]:
    """A warning if at some table nothing can end the game."""
    ending = [s for s in ground.book.statements if Mark.END_GAME in effects_of(s)]
    for choices in ground.tables(*(s.condition for s in ending)):
        if all(fold(s.condition, ground.known(choices)) == NEVER for s in ending):
            declaration = ground.book.declarations[0]
            source = ground.places.source(declaration.file)
            hint = "add a rule such as `when reached home if all own at home end game`"
            return [
                Diagnostic(
                    "L0506",
                    f"nothing can end the game{choices.note(*(s.condition for s in ending))}",
                    source,
                    head(source, declaration),
                    hint,
                    (),
                    "warning",
                )
            ]
    return []


# ---- stated behaviour that other rules contradict ----------------------------------------------------------------------


def _contradicted(ground: Ground) -> Iterator[Diagnostic]:
    for stands in ground.book.statements:
        if not isinstance(stands, Stands):
            continue
        against = [s for s in ground.book.statements if _contradicts(s, stands.builtin)]
        for choices in ground.tables(stands.condition, *(s.condition for s in against)):
            fault = _contradiction(ground, stands, against, choices)
            if fault is not None:
                yield fault
                break


def _contradiction(ground: Ground, stands: Stands, against: list[Statement], choices: Choices) -> Diagnostic | None:
    known, bounds = ground.known(choices), ground.bounds(choices)
    if fold(stands.condition, known) == NEVER:
        return None
    source, span = statement_place(ground.book, ground.places, stands.id)
    place = spot(source, span, stands.builtin.value)
    if stands.builtin is Builtin.ALL_COLOURS and all(len(s) < 2 for s in dict(ground.book.players.seats)[choices.players]):
        message = f"`{stands.builtin}` stands where no player has two colours, with {choices.players} players"
        return Diagnostic("L0507", message, source, place, "let the rule hold only for tables where players have several colours")
    for statement in against:
        if True in outcomes(fold(statement.condition, known), bounds):
            there, other = statement_place(ground.book, ground.places, statement.id)
            note = choices.note(stands.condition, statement.condition)
            own = ground.places.source(ground.book.declarations[0].file)
            if there == own != source:
                # The other rule book stays as it is: the cure is a line of this one.
                message = f"the rule `{stands.id.rule}` says `stands {stands.builtin}`, and this says otherwise{note}"
                hint = f"write `drop rule {stands.id.rule}`, or let their conditions exclude each other"
                return Diagnostic("L0507", message, there, other, hint, (Label(place, "the other rule", source),))
            message = f"`{stands.builtin}` does not stand{note}"
            hint = "remove one of them, or let their conditions exclude each other"
            return Diagnostic("L0507", message, source, place, hint, (Label(other, "another rule says otherwise", there),))
    return None


def _contradicts(statement: Statement, builtin: Builtin) -> bool:
    match builtin:
        case Builtin.NO_SCORE:
            return any(isinstance(e, Score) for e in effects_of(statement))
        case Builtin.CAPTOR_STAYS:
            return isinstance(statement, When) and statement.trigger is Trigger.CAPTURED and _sends_piece(statement)
        case Builtin.FREE_PASSING:
            sends = any(isinstance(e, Send) for e in effects_of(statement))
            # What is passed on a kind of square only is an exception, and reads like one.
            everywhere = isinstance(statement, When) and statement.squares in (None, Squares(frozenset({"track"})))
            return (isinstance(statement, NeverCross) and statement.passing) or (
                isinstance(statement, When) and statement.trigger is Trigger.PASSING and everywhere and sends
            )
        case Builtin.OWN_LANE | Builtin.LOST_DICE | Builtin.TURN_ORDER | Builtin.ALL_COLOURS:
            return False


def _sends_piece(statement: When) -> bool:
    return any(isinstance(e, Send) and e.target is Target.PIECE for e in statement.effects)


__all__ = ["check_rules"]
