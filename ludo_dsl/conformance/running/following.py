"""Following a game that was seen, in step with the rules: whether the rules explain it, and where they do not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ludo_dsl.conformance.scenarios.playing import What, same_moves
from ludo_dsl.conformance.scenarios.subjects import UnreadableError, agree, read_leniently
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.game.errors import AmbiguousMoveError, IllegalRollError, NotationError
from ludo_dsl.game.events import Refusal
from ludo_dsl.game.notation import move_text, position_text, read_move, roll_text
from ludo_dsl.game.state import Choice, Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.statements import Rank


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that was seen of a game: what was done, whether the engine let it be done, and what it told then.

    Neither `roll` nor `move`: the opening. What is `None` further on was not told.
    """

    roll: Roll | None = None
    move: str | None = None
    allowed: bool = True
    reason: str = ""
    position: str | None = None
    legal: tuple[str, ...] | None = None
    places: tuple[tuple[str, int], ...] | None = None

    @property
    def doing(self) -> str:
        """What was done, in words."""
        if self.roll is not None:
            return f"roll {roll_text(self.roll)}"
        return f"move {self.move}" if self.move is not None else "the opening"


@dataclass
class SeenGame:
    """A game as it was seen, from its opening on, and the table at which it was played."""

    players: int
    options: Choices
    first: int
    seen: list[Seen] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a game goes another way than the rules: the rules that take part there, and what was expected and found.

    `position` is the last one in which both agreed; empty at the opening.
    """

    rules: tuple[str, ...]
    what: What
    doing: str
    position: str
    expected: str
    found: str

    def says(self) -> str:
        """The fault in one line."""
        after = f" from {self.position}" if self.position else ""
        match self.what:
            case What.REFUSED:
                return f"{self.doing}{after} is refused ({self.found}), and is legal"
            case What.ALLOWED:
                return f"{self.doing}{after} is allowed ({self.found}), and is not legal"
            case _:
                return f"{self.doing}{after}: {self.what} {self.found}, expected {self.expected}"


class Follower:
    """Follows one game at a table. `state` is where it stands; `rules` those that took part in what was followed last."""

    def __init__(self, reference: Interpreter, first: int) -> None:
        self.reference = reference
        self.first = first
        self.state = reference.start(first)
        self.rules: frozenset[str] = frozenset()

    def become(self, reference: Interpreter, seen: Iterable[Seen]) -> Fault | None:
        """Follows the same game from its opening under other rules; the first fault, if these do not explain it either."""
        self.reference = reference
        self.state = reference.start(self.first)
        return next((fault for one in seen if (fault := self.follow(one)) is not None), None)

    def follow(self, seen: Seen) -> Fault | None:
        """Goes on by what was seen; the fault, if the rules do not explain it."""
        before = self.state
        self.rules = frozenset()
        fault = self._roll(seen, seen.roll) if seen.roll is not None else self._move(seen, seen.move) if seen.move is not None else None
        return fault or self._told(seen, before)

    # ---- what was done -----------------------------------------------------------------------------------------------

    def _roll(self, seen: Seen, roll: Roll) -> Fault | None:
        try:
            step = self.reference.roll(self.state, roll)
        except IllegalRollError as error:
            return self._forbidden(seen, error.refusals, error.message)
        self.rules = frozenset(step.rules())
        return self._legal_step(seen, step.state)

    def _move(self, seen: Seen, text: str) -> Fault | None:
        try:
            choice = read_move(self.reference.table, self.state, text, self.reference.legal(self.state))
        except (NotationError, AmbiguousMoveError) as error:
            return self._forbidden(seen, self._reasons(text), error.message)
        step = self.reference.move(self.state, choice)
        self.rules = frozenset(step.rules())
        return self._legal_step(seen, step.state)

    def _legal_step(self, seen: Seen, after: State) -> Fault | None:
        if not seen.allowed:
            return self._fault(What.REFUSED, seen, self.state, "it is legal", seen.reason)
        self.state = after
        return None

    def _forbidden(self, seen: Seen, refusals: Iterable[Refusal], why: str) -> Fault | None:
        self.rules = frozenset(r.statement.rule for r in refusals if r.statement is not None)
        if seen.allowed:
            return self._fault(What.ALLOWED, seen, self.state, why, seen.position or "it is played")
        return None

    def _reasons(self, text: str) -> tuple[Refusal, ...]:
        """Why a move is not legal, as far as it is one that somebody might think of."""
        table = self.reference.table
        found = [(move_text(table, self.state, choice), reasons) for choice, reasons in self.reference.refused(self.state)]
        return tuple(r for move, reasons in found if same_moves((move,), (text,)) for r in reasons)

    # ---- what was told -----------------------------------------------------------------------------------------------

    def _told(self, seen: Seen, before: State) -> Fault | None:
        if seen.position is not None and not self._same(seen.position):
            return self._fault(What.POSITION, seen, before, position_text(self.reference.table, self.state), seen.position)
        if seen.legal is not None:
            fault = self._legal(seen, seen.legal)
            if fault is not None:
                return fault
        if seen.places is not None:
            return self._places(seen, dict(seen.places), before)
        return None

    def _same(self, text: str) -> bool:
        # Most engines write positions as we do, and reading one takes long.
        try:
            return text == position_text(self.reference.table, self.state) or agree(self.state, read_leniently(self.reference, text))
        except UnreadableError:
            return False

    def _legal(self, seen: Seen, found: tuple[str, ...]) -> Fault | None:
        """The lists of legal moves agree; then the rules that keep other moves from it took part as well."""
        table, choices = self.reference.table, self.reference.legal(self.state)
        refused = self.reference.refused(self.state)
        expected = {move_text(table, self.state, choice): choice for choice in choices}
        if same_moves(expected, found):
            self.rules |= {r.statement.rule for _, reasons in refused for r in reasons if r.statement is not None}
            return None
        missing = [choice for text, choice in expected.items() if not any(same_moves((text,), (f,)) for f in found)]
        wrong = [text for text in found if not any(same_moves((e,), (text,)) for e in expected)]
        self.rules |= {rule for choice in missing for rule in self._allowing(choice)}
        self.rules |= {r.statement.rule for text in wrong for r in self._reasons(text) if r.statement is not None}
        return self._fault(What.LEGAL, seen, self.state, ", ".join(sorted(expected)) or "none", ", ".join(sorted(found)) or "none")

    def _allowing(self, choice: Choice) -> tuple[str, ...]:
        return self.reference.move(self.state, choice).rules()

    def _places(self, seen: Seen, found: dict[str, int], before: State) -> Fault | None:
        players = [p.name for p in self.reference.table.players]
        expected = dict(zip(players, self.reference.places(self.state), strict=True))
        self.rules |= {s.id.rule for s in self.reference.table.statements if isinstance(s, Rank)}
        return None if found == expected else self._fault(What.PLACES, seen, before, _placed(expected), _placed(found))

    def _fault(self, what: What, seen: Seen, at: State, expected: str, found: str) -> Fault:
        opening = seen.roll is None and seen.move is None
        position = "" if opening else position_text(self.reference.table, at)
        return Fault(tuple(sorted(self.rules)), what, seen.doing, position, expected, found)


def _placed(places: dict[str, int]) -> str:
    return ", ".join(f"{name} {place}" for name, place in sorted(places.items(), key=lambda item: (item[1], item[0])))
