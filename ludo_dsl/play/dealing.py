"""Checking a record of dealt dice: whether any order of the shoes can have given these rolls.

A shoe is followed as segments, each a number of faces whose order nobody knows. Every way in which the rolls so far can have
come is kept; a roll that none of them allows refutes the record.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.state import Roll
from ludo_dsl.rules.expressions import NEVER, And, Expr, Not, Number, Or, RolledTimes, Truth
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import NeverRoll
from ludo_dsl.rules.table import Table

Segment = tuple[tuple[int, int], ...]
"""Faces and how many of each, in rising order; the order in which they lie is not known."""

Shoe = tuple[Segment, ...]
"""What can lie in a shoe, the front first."""

MOST_SHOES = 10_000
"""Ways in which a shoe can lie that are followed at once."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A roll of a record: its line, the player and the faces; `begins` where the record says that a turn begins."""

    line: int
    player: str
    faces: Roll
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Refuted:
    """The roll that no deal can have given: its line, why, and the rule and clauses that are broken."""

    line: int
    message: str
    rule: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a record: how much was checked, by which settings, what that cannot show, and what refutes it."""

    rolls: int
    sets: int
    barred: str
    notes: tuple[str, ...]
    refuted: Refuted | None


class Dealing:
    """Checks records of the rolls of one table."""

    def __init__(self, table: Table) -> None:
        shoe = table.book.dice.shoe
        if shoe is None:
            raise GameError(f"the dice of {table.book.title} are not dealt from shoes", "name a rule book that deals its dice")
        sets = fold(shoe.sets, table.known)
        assert isinstance(sets, Number)
        self.table = table
        self.sets = sets.value
        self.barred = next((how for how, condition in shoe.barred if fold(condition, table.known) != NEVER), "waits")
        self._faces = tuple(sorted((face, weight * self.sets) for face, weight in table.book.dice.faces))
        self._never = tuple(s for s in table.statements if isinstance(s, NeverRoll))
        self._clauses = next((d for d in table.book.declarations if d.kind == "dice"), None)

    def check(self, record: Sequence[Dealt]) -> Judgement:
        """Checks a whole record, from the beginning of the game.

        Raises:
            GameError: there are too many ways to follow.
        """
        shoes: dict[str, set[Shoe]] = {}
        rolled: tuple[Roll, ...] = ()
        turn: str | None = None
        refuted = None
        for dealt in record:
            if dealt.begins or dealt.player != turn:
                turn, rolled = dealt.player, ()
            refuted = self._barred(dealt, rolled) or self._drawn(dealt, rolled, shoes)
            if refuted is not None:
                break
            rolled = (*rolled, dealt.faces)
        return Judgement(len(record), self.sets, self.barred, tuple(self._notes()), refuted)

    # ---- faces that may not come ---------------------------------------------------------------------------------------

    def _barred(self, dealt: Dealt, rolled: tuple[Roll, ...]) -> Refuted | None:
        for never in self._never:
            if never.face in dealt.faces and _holds(never.condition, rolled):
                times = sum(roll.count(never.face) for roll in rolled)
                before = f" has come {_times(times)} in this turn of {dealt.player} and" if times else ""
                came = f"a {never.face}{before} may not come{' again' if times else ''}"
                return Refuted(dealt.line, came, never.id.rule, self.table.book.clauses_of(never.id.rule))
        return None

    def _possible_bars(self, rolled: tuple[Roll, ...]) -> Iterator[frozenset[int]]:
        """The sets of faces that the rules may have kept from coming: several where that hangs on more than the rolls."""
        known = [(never.face, _holds(never.condition, rolled)) for never in self._never]
        surely = frozenset(face for face, holds in known if holds)
        open_faces = sorted({face for face, holds in known if holds is None} - surely)
        for count in range(len(open_faces) + 1):
            for some in itertools.combinations(open_faces, count):
                yield surely | set(some)

    # ---- shoes ---------------------------------------------------------------------------------------------------------

    def _drawn(self, dealt: Dealt, rolled: tuple[Roll, ...], shoes: dict[str, set[Shoe]]) -> Refuted | None:
        before = shoes.get(dealt.player, {()})
        bars = list(self._possible_bars(rolled))
        # The bars of a roll hold for all its dice.
        after: set[Shoe] = set()
        for bar in bars:
            now = before
            for face in dealt.faces:
                now = {rest for shoe in now for rest in self._draw(shoe, face, bar)}
            after |= now
            if len(after) > MOST_SHOES:
                raise GameError("there are too many ways in which these rolls can have been dealt", "check a shorter record")
        if after:
            shoes[dealt.player] = after
            return None
        possible = [face for face, _ in self._faces if any(self._draws(shoe, face, bar) for shoe in before for bar in bars)]
        could = ", ".join(str(face) for face in possible)
        shown = " and ".join(str(face) for face in dealt.faces)
        message = f"the shoe of {dealt.player} cannot give {shown} here: what it can give is {could}"
        citations = self._clauses.citations if self._clauses else ()
        return Refuted(dealt.line, message, "dice", tuple(c.clause for c in citations))

    def _draws(self, shoe: Shoe, face: int, bar: frozenset[int]) -> bool:
        return next(self._draw(shoe, face, bar), None) is not None

    def _draw(self, shoe: Shoe, face: int, bar: frozenset[int]) -> Iterator[Shoe]:
        """Every way in which a shoe can lie after it has given a face while others were barred."""
        if face in bar:
            return
        if all(f in bar for segment in shoe for f, _ in segment):
            shoe = (*shoe, self._faces)
        if self.barred == "returns":
            # A face that goes back lies anywhere: the whole shoe is in an order that nobody knows.
            shoe = (_together(shoe),)
        place = next(i for i, segment in enumerate(shoe) if any(f not in bar for f, _ in segment))
        if not any(f == face for f, _ in shoe[place]):
            return
        ahead = shoe[:place] if self.barred == "waits" else ()
        rest = _without(shoe[place], ((face, 1),))
        skipping = [(f, n) for f, n in rest if f in bar] if self.barred != "returns" else []
        for numbers in itertools.product(*(range(n + 1) for _, n in skipping)):
            skipped = tuple((f, n) for (f, _), n in zip(skipping, numbers, strict=True) if n)
            kept = (skipped,) if self.barred == "waits" else ()
            yield tuple(s for s in (*ahead, *kept, _without(rest, skipped), *shoe[place + 1 :]) if s)

    # ---- what was checked ----------------------------------------------------------------------------------------------

    def _notes(self) -> Iterator[str]:
        yield "that the shoes were shuffled fairly cannot be seen from the rolls; a single roll refutes only what no shuffle can give"
        match self.barred:
            case "waits":
                yield "a face that may not come waits at the front of its shoe: every face of a shoe comes, and a waiting one comes first"
            case "returns":
                yield "a face that may not come goes back to a random place: every face of a shoe comes, and when cannot be checked"
            case _:
                yield "a face that may not come is put aside unseen: only that no face comes too often can be checked, not that it comes"
        if any(_holds(never.condition, ()) is None for never in self._never):
            yield "some rules keep faces from coming by what stands on the board; both cases are allowed for"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _together(shoe: Shoe) -> Segment:
    counts: dict[int, int] = {}
    for segment in shoe:
        for face, number in segment:
            counts[face] = counts.get(face, 0) + number
    return tuple(sorted(counts.items()))


def _without(segment: Segment, faces: Segment) -> Segment:
    taken = dict(faces)
    return tuple((f, n - taken.get(f, 0)) for f, n in segment if n > taken.get(f, 0))


def _holds(condition: Expr, rolled: tuple[Roll, ...]) -> bool | None:
    """Whether a condition holds after the rolls of a turn; nothing where it hangs on more than them."""
    match condition:
        case Truth(holds):
            return holds
        case RolledTimes(face, times, in_a_row):
            shown = [all(f == face for f in roll) for roll in rolled]
            return len(shown) >= times and all(shown[-times:]) if in_a_row else sum(shown) >= times
        case Not(part):
            inner = _holds(part, rolled)
            return None if inner is None else not inner
        case And(parts) | Or(parts):
            decisive = isinstance(condition, Or)
            found = [_holds(part, rolled) for part in parts]
            return decisive if decisive in found else None if None in found else not decisive
        case _:
            return None
