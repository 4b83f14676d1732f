"""The cells of the meeting table: for each kind of square and each company there, whether one may pass, and what becomes of whom.

Everything that is known of a meeting is put into the rules of passing and landing; what remains of a condition is kept
as a residual. Two approximations: a meeting is seen by the player who moves a piece of the player's own (a partner's
piece that one moves fares by the same statements), and statements are read as the piece arrives, not one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from ludo_dsl.check.squares import (
    MEANT,
    RELATIONS,
    Bounds,
    Company,
    Group,
    Relevant,
    Square,
    bounds_of,
    companies,
    relevant,
    squares_of,
    stands,
)
from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    Compare,
    Expr,
    Fact,
    FactOf,
    Measure,
    Nouns,
    Number,
    Owner,
    Quantity,
    SquareIs,
    Squares,
    Truth,
    Where,
)
from ludo_dsl.rules.folding import Known, conjunction, fold, walk
from ludo_dsl.rules.statements import Destination, Effect, Grant, NeverCross, Send, Share, StatementId, Target, Trigger, When
from ludo_dsl.rules.table import Table


class Fate(StrEnum):
    """What a meeting does to pieces."""

    SHARE = "share"
    CAPTURED = "captured"
    YARD = "sent to the yard"
    HOME = "sent home"
    START = "sent to the start square"
    FORBIDDEN = "landing forbidden"


class Reach(StrEnum):
    """Which of the pieces concerned it does that to."""

    ALL = "all"
    ONE = "one"
    LAST = "the last that came"
    MOVER = "the mover"


_FATES = {Destination.YARD: Fate.YARD, Destination.HOME: Fate.HOME, Destination.START: Fate.START}
_REACHES = {Target.ALL: Reach.ALL, Target.ONE: Reach.ONE, Target.LAST: Reach.LAST}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one statement decides about one relation (about the mover itself: `relation` is nothing).

    `covers`: the groups of the company that it speaks of, by index; `rule`: nothing where the board itself decides;
    `residual`: what must hold besides, as far as the meeting does not settle it.
    """

    relation: Owner | None
    fate: Fate
    reach: Reach
    covers: frozenset[int]
    rule: StatementId | None
    residual: Expr = ALWAYS


class Verdict(StrEnum):
    """Whether a square may be passed."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    PERHAPS = "refused if"


@dataclass(frozen=True, slots=True)
class Passing:
    """Who refuses the passage, each on its residual, and what `when passing` does."""

    refusals: tuple[tuple[StatementId, Expr], ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Whether the square may be passed."""
        if any(residual == ALWAYS for _, residual in self.refusals):
            return Verdict.REFUSED
        return Verdict.PERHAPS if self.refusals else Verdict.ALLOWED


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting. Where landing is certainly forbidden, the outcomes say nothing else."""

    square: Square
    company: Company
    passing: Passing
    outcomes: tuple[Outcome, ...]

    @property
    def forbidden(self) -> bool:
        """Whether nothing may land there."""
        return any(o.fate is Fate.FORBIDDEN and o.residual == ALWAYS for o in self.outcomes)

    def of(self, relation: Owner | None) -> tuple[Outcome, ...]:
        """The outcomes for one relation, or for the mover."""
        return tuple(o for o in self.outcomes if o.relation is relation)


@dataclass(frozen=True, slots=True)
class Ground:
    """All that a meeting table hangs on; tables of the same ground have the same cells. `faces`: what a die can show."""

    statements: tuple[Relevant, ...]
    squares: tuple[Square, ...]
    bounds: Bounds
    faces: frozenset[int]


@dataclass(frozen=True, slots=True)
class MeetingTable:
    """The meetings at one table, square by square, smaller companies first."""

    ground: Ground
    cells: tuple[Cell, ...]

    def find(self, square: str, own: int = 0, allies: int = 0, enemies: tuple[int, ...] = ()) -> Cell:
        """The meeting on a square (by its label) with so many own and allied pieces, and enemies of each colour.

        Raises:
            KeyError: the table does not tell that meeting apart.
        """
        for cell in self.cells:
            sizes = tuple(g.count for g in cell.company.groups if g.owner is Owner.ENEMIES)
            counts = (cell.company.count(Owner.OWN), cell.company.count(Owner.ALLIES))
            if cell.square.label == square and counts == (own, allies) and sizes == enemies:
                return cell
        raise KeyError(f"{square}: {own} own, {allies} allies, {enemies} enemies")


def meeting_table(table: Table) -> MeetingTable:
    """The meeting table of the rules at a table."""
    ground = ground_of(table)
    return MeetingTable(ground, cells_of(ground))


def ground_of(table: Table) -> Ground:
    """What the meetings at a table hang on."""
    statements = relevant(table.statements)
    granted = {
        e.value for s in table.statements if isinstance(s, When) for e in s.effects if isinstance(e, Grant) and isinstance(e.value, int)
    }
    faces = frozenset(face for face, _ in table.book.dice.faces) | granted
    return Ground(statements, squares_of(table, statements), bounds_of(table, statements), faces)


@lru_cache(maxsize=1024)
def cells_of(ground: Ground) -> tuple[Cell, ...]:
    """Every meeting of a ground."""
    found: list[Cell] = []
    for square in ground.squares:
        on_square = _on_square(ground.statements, square)
        found += (_Meeting(on_square, ground.bounds, square, company).cell() for company in companies(square, ground.bounds))
    return tuple(found)


def _on_square(statements: tuple[Relevant, ...], square: Square) -> tuple[Relevant, ...]:
    """The statements that can speak of the kind of square, with that put in."""
    found: list[Relevant] = []
    for statement in statements:
        condition = fold(statement.condition, lambda e: _square_is(e, square))
        if isinstance(statement, When) and statement.squares is not None:
            condition = conjunction(fold(SquareIs("here", statement.squares), lambda e: _square_is(e, square)), condition)
            statement = replace(statement, squares=None)
        if condition != NEVER:
            found.append(replace(statement, condition=condition))
    return tuple(found)


def _square_is(expr: Expr, square: Square) -> Expr | None:
    match expr:
        case SquareIs("here", Squares(names)):
            return Truth(not names.isdisjoint(square.names))
        case FactOf(Fact.ENTERED) if square.entry is False:
            return NEVER
        case _:
            return None


class _Meeting:
    """One meeting, on its way to a cell."""

    def __init__(self, statements: tuple[Relevant, ...], bounds: Bounds, square: Square, company: Company) -> None:
        self.statements = statements
        self.bounds = bounds
        self.square = square
        self.company = company
        self.mover = Group(Owner.OWN, 1, square.home_of_mover)

    def cell(self) -> Cell:
        refusals = tuple(found for s in self._guards() if s.passing and (found := self._refusal(s)))
        passed = tuple(o for s in self._events(Trigger.PASSING) for o in self._event(s, self._known(arrived=False), False))
        return Cell(self.square, self.company, Passing(refusals, passed), self._landing())

    def _landing(self) -> tuple[Outcome, ...]:
        forbidden = self._forbidden()
        if any(o.residual == ALWAYS for o in forbidden):
            return forbidden
        known = self._known(arrived=True)
        return (*forbidden, *(o for s in self._events(Trigger.LANDING) for o in self._event(s, known, True)))

    def _guards(self) -> Iterator[NeverCross]:
        return (s for s in self.statements if isinstance(s, NeverCross))

    def _events(self, trigger: Trigger) -> Iterator[When]:
        return (s for s in self.statements if isinstance(s, When) and s.trigger is trigger)

    # ---- what is known -----------------------------------------------------------------------------------------------

    def _known(self, *, arrived: bool) -> Known:
        def known(expr: Expr) -> Expr | None:
            match expr:
                case Measure(Quantity.COUNT, nouns) if Where.HERE in nouns.places:
                    count = self._count(nouns, arrived)
                    return None if count is None else Number(count)
                case _:
                    return None

        return known

    def _count(self, nouns: Nouns, arrived: bool) -> int | None:
        groups = [g for g in self.company.groups if g.owner in MEANT[nouns.owner]]
        if arrived and Owner.OWN in MEANT[nouns.owner]:
            groups.append(self.mover)
        there = [(g.count, self._chosen(g, nouns)) for g in groups]
        if any(chosen is None for _, chosen in there):
            return None
        return sum(count for count, chosen in there if chosen)

    def _chosen(self, group: Group, nouns: Nouns) -> bool | None:
        """Whether a group is where the nouns want it; nothing if that is not known."""
        answers = [stands(self.square, group, place) for place in nouns.places]
        if False in answers:
            return False
        return None if None in answers else True

    # ---- guards ------------------------------------------------------------------------------------------------------

    def _refusal(self, statement: NeverCross) -> tuple[StatementId, Expr] | None:
        there = self._enough(statement)
        if there == NEVER:
            return None
        residual = conjunction(fold(statement.condition, self._known(arrived=False)), there)
        return None if residual == NEVER else (statement.id, residual)

    def _enough(self, statement: NeverCross) -> Expr:
        """Whether so many pieces are there; a question of its own where a player has pieces of several colours."""
        nouns = statement.nouns
        groups = [(g, self._chosen(g, nouns)) for g in self.company.groups if g.owner in MEANT[nouns.owner]]
        possible = [g for g, chosen in groups if chosen is not False]
        certain = [g for g, chosen in groups if chosen]
        if self._reaches(certain, statement, surely=True):
            return ALWAYS
        if self._reaches(possible, statement, surely=False):
            return Compare(">=", Measure(Quantity.COUNT, nouns), Number(statement.count))
        return NEVER

    def _reaches(self, groups: list[Group], statement: NeverCross, *, surely: bool) -> bool:
        if not statement.one_colour:
            return sum(g.count for g in groups) >= statement.count
        mixed = self.bounds.own_colours if surely and not self.square.private else 1
        return any(g.count > (statement.count - 1) * (1 if g.owner is Owner.ENEMIES else mixed) for g in groups)

    def _forbidden(self) -> tuple[Outcome, ...]:
        if self.square.single:
            everyone = frozenset(range(len(self.company.groups)))
            return (Outcome(Owner.OWN, Fate.FORBIDDEN, Reach.ALL, everyone, None),)
        found = []
        for statement in self._guards():
            refusal = self._refusal(statement) if statement.landing else None
            if refusal:
                found += [
                    Outcome(relation, Fate.FORBIDDEN, Reach.ALL, self.company.members(relation), *refusal)
                    for relation in self._meant(statement.nouns.owner)
                ]
        return tuple(found)

    def _meant(self, owner: Owner) -> list[Owner]:
        return [relation for relation in MEANT[owner] if relation in self.company.present]

    # ---- events ------------------------------------------------------------------------------------------------------

    def _event(self, statement: When, known: Known, arrived: bool) -> Iterator[Outcome]:
        residual = fold(statement.condition, known)
        if residual == NEVER:
            return
        for effect in statement.effects:
            for outcome in self._effect(effect, statement, arrived):
                yield Outcome(*outcome, statement.id, residual)

    def _effect(self, effect: Effect, statement: When, arrived: bool) -> Iterator[tuple[Owner | None, Fate, Reach, frozenset[int]]]:
        match effect:
            case Share(owner):
                for relation in self._meant(owner):
                    yield relation, Fate.SHARE, Reach.ALL, self.company.members(relation)
            case Send(target, Nouns() as nouns, destination, as_capture) if target in _REACHES:
                fate = Fate.CAPTURED if as_capture else _FATES[destination]
                yield from self._sent(nouns, fate, _REACHES[target], arrived)
            case Send(Target.PIECE, _, destination, as_capture):
                fate = Fate.CAPTURED if as_capture else _FATES[destination]
                for relation in self._meant_by(statement):
                    yield relation, fate, Reach.MOVER, self.company.members(relation)
                yield None, fate, Reach.MOVER, frozenset()
            case _:
                return

    def _sent(self, nouns: Nouns, fate: Fate, reach: Reach, arrived: bool) -> Iterator[tuple[Owner | None, Fate, Reach, frozenset[int]]]:
        groups = self.company.groups
        for relation in self._meant(nouns.owner):
            covers = frozenset(i for i in self.company.members(relation) if self._chosen(groups[i], nouns) is not False)
            if covers:
                yield relation, fate, reach, covers
        if arrived and reach is Reach.ALL and Owner.OWN in MEANT[nouns.owner] and self._chosen(self.mover, nouns) is not False:
            yield None, fate, Reach.MOVER, frozenset()

    def _meant_by(self, statement: When) -> list[Owner]:
        """The relations that the condition asks for: their meeting is what sends the mover away."""
        asked = {e.nouns.owner for e in walk(statement.condition) if isinstance(e, Measure) and Where.HERE in e.nouns.places}
        meant = {relation for owner in asked for relation in MEANT[owner]}
        return [relation for relation in RELATIONS if relation in meant and relation in self.company.present]
