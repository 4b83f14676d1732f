"""Playing one branch of a scenario on a subject, and telling where it goes another way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ludo_dsl.conformance.scenarios.subjects import RefusedError, Subject, UnreadableError, agree
from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, Step
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.notation import position_text, roll_text
from ludo_dsl.game.state import Roll, State


class What(StrEnum):
    """What a subject did otherwise than the scenario says."""

    POSITION = "position"
    LEGAL = "legal moves"
    REFUSED = "refused"
    ALLOWED = "allowed"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Miss:
    """Where a subject goes another way: the step, what was done there, what was expected, and what came.

    `position` is the last one in which both agreed, so far as it is known.
    """

    where: str
    what: What
    doing: str
    expected: str
    found: str
    position: str

    def says(self) -> str:
        """The miss in one sentence."""
        after = f" after {self.doing}" if self.doing else ""
        match self.what:
            case What.REFUSED:
                return f"{self.doing} is refused: {self.found}"
            case What.ALLOWED:
                return f"{self.doing} is allowed"
            case _:
                return f"other {self.what}{after}" if self.what is What.LEGAL else f"another {self.what}{after}"


class _MissError(Exception):
    def __init__(self, miss: Miss) -> None:
        self.miss = miss


def play(scenario: Scenario, branch: Branch, reference: Engine, subject: Subject) -> Miss | None:
    """Plays a branch; the first miss, or none.

    Raises:
        RefusedError: the subject says that it does not offer this table, or that a fault of its own keeps it from playing.
        GameError: the scenario itself holds a text that is no position; `ludo scenarios check` finds such.
    """
    try:
        _Playing(scenario, branch, reference, subject).run()
    except _MissError as error:
        return error.miss
    return None


class _Playing:
    def __init__(self, scenario: Scenario, branch: Branch, reference: Engine, subject: Subject) -> None:
        self.scenario = scenario
        self.branch = branch
        self.reference = reference
        self.subject = subject
        self.known = scenario.given or "the opening"

    def run(self) -> None:
        self._begin()
        for step in self.branch.steps:
            self._do(step)
            self._expect(step)

    def _begin(self) -> None:
        given, first = self.scenario.given, self.scenario.first
        names = [p.name for p in self.reference.table.players]
        if given is None:
            self.subject.new(self.reference, names.index(first) if first else None)
            return
        try:
            self.subject.set(self.reference, given)
        except RefusedError as error:
            self._forgive(error)
            raise self._miss(Step("0"), What.REFUSED, "the position", "", error.reason) from None
        self._position(Step("0", then=given), "the position was set")

    # ---- doing -------------------------------------------------------------------------------------------------------

    def _do(self, step: Step) -> None:
        doing = _doing(step)
        if step.roll is not None:
            self._allowed(step, doing, step.roll)
        elif step.move is not None:
            self._allowed(step, doing, step.move)
        elif step.refuse_roll is not None:
            self._refused(step, doing, step.refuse_roll)
        elif step.refuse is not None:
            self._refused(step, doing, step.refuse)

    def _act(self, action: Roll | str) -> None:
        if isinstance(action, str):
            self.subject.move(action)
        else:
            self.subject.roll(action)

    def _allowed(self, step: Step, doing: str, action: Roll | str) -> None:
        try:
            self._act(action)
        except RefusedError as error:
            self._forgive(error)
            raise self._miss(step, What.REFUSED, doing, "it is legal", error.reason) from None

    def _refused(self, step: Step, doing: str, action: Roll | str) -> None:
        """The subject refuses, and stands where it stood."""
        before = self._state(step, doing)
        try:
            self._act(action)
        except RefusedError as error:
            self._forgive(error)
            if self._state(step, doing) != before:
                expected = position_text(self.reference.table, before)
                raise self._miss(step, What.POSITION, f"{doing} was refused", expected, self.subject.text()) from None
            return
        raise self._miss(step, What.ALLOWED, doing, "it is refused", self.subject.text())

    @staticmethod
    def _forgive(error: RefusedError) -> None:
        """Only `illegal` is an answer about the rules."""
        if error.kind != "illegal":
            raise error

    # ---- expecting ---------------------------------------------------------------------------------------------------

    def _expect(self, step: Step) -> None:
        doing = _doing(step)
        if step.legal is not None:
            found = self.subject.legal()
            if found is not None and not same_moves(step.legal, found):
                raise self._miss(step, What.LEGAL, doing, _listed(step.legal), _listed(found))
        if step.then is not None:
            self._position(step, doing)
        if step.places is not None:
            places = self.subject.places()
            if places != dict(step.places):
                told = "none, for the game goes on" if places is None else _placed(places)
                raise self._miss(step, What.PLACES, doing, _placed(dict(step.places)), told)

    def _position(self, step: Step, doing: str) -> None:
        assert step.then is not None
        if not agree(self.reference.read(step.then), self._state(step, doing)):
            raise self._miss(step, What.POSITION, doing, step.then, self.subject.text())
        self.known = step.then

    def _state(self, step: Step, doing: str) -> State:
        try:
            return self.subject.state(self.reference)
        except UnreadableError as error:
            found = f"{error.text} ({error.reason})"
            raise self._miss(step, What.POSITION, doing, step.then or "a position", found) from None

    def _miss(self, step: Step, what: What, doing: str, expected: str, found: str) -> _MissError:
        return _MissError(Miss(step.where, what, doing, expected, found, self.known))


def _doing(step: Step) -> str:
    for faces in (step.roll, step.refuse_roll):
        if faces is not None:
            return f"roll {roll_text(faces)}"
    text = step.move or step.refuse
    return f"move {text}" if text else ""


def _listed(moves: Iterable[str]) -> str:
    return ", ".join(sorted(moves)) or "none"


def _placed(places: dict[str, int]) -> str:
    return ", ".join(f"{name} {place}" for name, place in sorted(places.items(), key=lambda item: (item[1], item[0])))


# ---- moves -----------------------------------------------------------------------------------------------------------


_ONE = re.compile(r"\*1(?![0-9])")


def same_moves(expected: Iterable[str], found: Iterable[str]) -> bool:
    """Whether two sets of moves are the same; dice and colours that one of the two leaves out are not compared."""
    wanted, given = [_parts(m) for m in expected], [_parts(m) for m in found]
    return all(any(_agree(w, g) for g in given) for w in wanted) and all(any(_agree(w, g) for w in wanted) for g in given)


def _parts(text: str) -> tuple[str, str, tuple[str, ...]]:
    """A move in three parts: colour (or nothing), places, dice (or none)."""
    words = text.strip().split(":")
    walk = next((i for i, word in enumerate(words) if ">" in word or word == "pass"), 0)
    dice = tuple(sorted(words[walk + 1].lstrip("+").split("+"))) if len(words) > walk + 1 else ()
    return words[0] if walk else "", _ONE.sub("*", words[walk]), dice


def _agree(one: tuple[str, str, tuple[str, ...]], other: tuple[str, str, tuple[str, ...]]) -> bool:
    return one[1] == other[1] and all(not a or not b or a == b for a, b in ((one[0], other[0]), (one[2], other[2])))
