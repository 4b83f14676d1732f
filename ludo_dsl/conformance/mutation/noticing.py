"""Whether one check of the suite notices one mutant: a scenario, a view, or a dealt sequence.

A mutant is noticed where an engine that plays by it would not get a clean verdict: it does something else than the check expects,
does not offer the table, or never comes to an end. That our own interpreter trips over a wrong rule book shows nothing about the
suite, and does not count.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import islice, product
from types import FrameType

from ludo_dsl.conformance.covering.dealt import Sequence, judged_by
from ludo_dsl.conformance.covering.views import View, unlike
from ludo_dsl.conformance.mutants import Mutant, differs_at, settings_touched
from ludo_dsl.conformance.scenarios.check_readings import Reader, answers_of
from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import Direct, RefusedError, read_leniently, table_of
from ludo_dsl.conformance.scenarios.suite import Branch, Choices, Readings, Scenario
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.notation import once_names, position_text
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter, Memory
from ludo_dsl.play.game import Game
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.rules.book import Shoe
from ludo_dsl.rules.expressions import ALWAYS, Number
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

Check = Scenario | View | Sequence
"""What can notice a mutant: it has an `id`, and `clauses` that it cites."""

PATIENCE = 20.0
"""Seconds that one check may take on a mutant: thousands of times what it takes on the rule book. A mutant that takes longer hangs."""

MOST_READINGS = 16
"""Answers to open questions under which a branch that leaves them open is played, at most."""


class Sign(StrEnum):
    """What gives a mutant away."""

    MISS = "miss"  # it does something else than is expected
    UNSUPPORTED = "unsupported"  # it does not offer a table that the rules offer
    ENDLESS = "endless"  # its rules chase each other, or it takes longer than anybody waits


class BrokenError(Exception):
    """The interpreter cannot play a mutant at all: how it broke, in a few words."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"{type(error).__name__}: {error}"[:200])


class MutantSubject(Direct):
    """A mutant as a subject.

    It remembers what its own rules and the true ones can ask about, so that nothing is held against it but what it does.
    """

    def __init__(self, mutant: Mutant) -> None:
        super().__init__()
        self.mutant = mutant
        self._engines: dict[int, tuple[Table, Interpreter]] = {}
        self._differs: dict[object, bool] = {}
        self._touched = settings_touched(mutant)

    def differs(self, players: int, options: Choices, readings: Readings) -> bool:
        """Whether the mutant's rules are others than the true ones at a table; the first reading of each question counts."""
        key = players, options, readings
        if key not in self._differs:
            self._differs[key] = differs_at(self.mutant, players, dict(options), {name: values[0] for name, values in readings})
        return self._differs[key]

    def under_readings(self, branch: Branch) -> Iterator[Branch]:
        """A branch as it is played, and under other answers to the questions on which the mutant's change hangs.

        Where it names several readings of a question, an engine may take any of them; where it names none, any there is.
        """
        named = dict(branch.readings)
        asked = [s for s in self.mutant.original.settings if s.role == "reading" and s.id in self._touched]
        answers = [named.get(s.id) or answers_of(s, self.mutant.original) for s in asked]
        for values in islice(product(*answers), MOST_READINGS):
            taken = {s.id: value for s, value in zip(asked, values, strict=True) if s.id in named or value != shown_value(s.default)}
            readings = {str(name): (value, *(v for v in named.get(name, ()) if v != value)) for name, value in taken.items()}
            readings = {**named, **readings}
            yield Branch(tuple(sorted(readings.items())), branch.steps)

    def engine_for(self, reference: Engine) -> Engine:
        """The mutant's engine at the table of a reference."""
        known = self._engines.get(id(reference.table))
        if known is None:
            known = reference.table, self._made(reference.table)
            self._engines[id(reference.table)] = known
        return known[1]

    def _made(self, true: Table) -> Interpreter:
        chosen: dict[str, dict[str, object]] = {
            role: {str(s.id): true.chosen[s.id] for s in true.book.settings if s.role == role} for role in ("option", "reading")
        }
        try:
            table = make_table(self.mutant.book, len(true.players), chosen["option"], chosen["reading"])
        except TableError as error:
            raise RefusedError("unsupported", error.message) from None
        return Interpreter(table, Memory(true, table))

    def set(self, reference: Engine, position: str) -> None:
        """A game at a position; one that the mutant's own rules hold for impossible is set all the same, if its board has such places."""
        engine = self.engine_for(reference)
        self.engine = engine
        try:
            self.at = engine.read(position)
        except GameError as error:
            if not _same_shape(reference.table, engine.table):
                raise RefusedError("illegal", error.message) from None
            assert isinstance(engine, Interpreter)
            self.at = engine.canonical(reference.read(position))

    def state(self, reference: Engine) -> State:
        """The position as the true rules see it: without memory that only the mutant has a use for. Raises `UnreadableError`."""
        engine, at = self._game()
        assert isinstance(reference, Interpreter)
        if _same_shape(reference.table, engine.table):
            return reference.canonical(at)
        return reference.canonical(read_leniently(reference, position_text(engine.table, at)))

    def game(self) -> Game:
        """The game that was set."""
        engine, at = self._game()
        assert isinstance(engine, Interpreter)
        return Game(engine, at)


def _same_shape(one: Table, other: Table) -> bool:
    """Whether positions of two tables are made alike: the same places, pieces, counters and one-time conditions."""
    return one is other or (_shape(one) == _shape(other))


def _shape(table: Table) -> tuple[object, ...]:
    found = _SHAPES.get(id(table))
    if found is None or found[0] is not table:
        shape = (table.measures, table.colours, table.pieces, tuple(c.id for c in table.counters), once_names(table), table.players)
        found = _SHAPES[id(table)] = (table, shape)
    return found[1]


_SHAPES: dict[int, tuple[Table, tuple[object, ...]]] = {}


# ---- one check on one mutant -----------------------------------------------------------------------------------------


def kills(check: Check, subject: MutantSubject) -> bool:
    """Whether a check notices a mutant, in one of its branches. Raises `BrokenError`."""
    return sign_of(check, subject) is not None


def sign_of(check: Check, subject: MutantSubject) -> Sign | None:
    """By what a check notices a mutant; nothing where the mutant passes.

    The mutant plays a scenario under the readings that a branch names, and under every one of them, or of other questions, on which
    its change hangs: a branch that does not name a question holds whatever the answer is.

    Raises:
        BrokenError: the interpreter cannot play the mutant.
    """
    match check:
        case Scenario():
            branches = ((check, branch) for named in check.branches for branch in subject.under_readings(named))
            return next((sign for s, b in branches if (sign := _sign(partial(_played, s, b, subject)))), None)
        case View():
            return _sign(lambda: _shown(check, subject))
        case Sequence():
            return _sign(lambda: _dealt(check, subject))


def _sign(passes: Callable[[], bool]) -> Sign | None:
    """What a subject gives away while something is asked of it that is true where it passes."""
    try:
        with _patience(PATIENCE):
            return None if passes() else Sign.MISS
    except TableError:
        # These readings do not go with the options of the check.
        return None
    except (EndlessRulesError, _HangsError):
        return Sign.ENDLESS
    except RefusedError as error:
        return Sign.UNSUPPORTED if error.kind == "unsupported" else None
    except Exception as error:
        raise BrokenError(error) from error


def _played(scenario: Scenario, branch: Branch, subject: MutantSubject) -> bool:
    if not subject.differs(scenario.players, scenario.options, branch.readings):
        return True
    reference = _reference(table_of(scenario, branch, subject.mutant.original))
    try:
        return play(scenario, branch, reference, subject) is None or not _is_true(scenario, branch, reference)
    except GameError:
        # What the scenario holds is no position under these readings: it says nothing of them.
        return True


def _is_true(scenario: Scenario, branch: Branch, reference: Reader) -> bool:
    """Whether the rule book itself passes: if not, the scenario is wrong, or hangs on several readings together, and shows nothing."""
    key = id(reference), scenario.id, branch.steps
    if key not in _TRUE:
        try:
            _TRUE[key] = play(scenario, branch, reference, Direct()) is None
        except (RefusedError, GameError):
            _TRUE[key] = False
    return _TRUE[key]


_TRUE: dict[tuple[object, ...], bool] = {}


def _table(check: View | Sequence, subject: MutantSubject) -> Table | None:
    """The table of a check by the true rules; none where the mutant's are the same there."""
    readings = tuple((name, (str(value),)) for name, value in check.readings)
    if not subject.differs(check.players, check.options, readings):
        return None
    return make_table(subject.mutant.original, check.players, dict(check.options), dict(check.readings))


def _shown(view: View, subject: MutantSubject) -> bool:
    table = _table(view, subject)
    if table is None:
        return True
    try:
        subject.set(_reference(table), view.given)
    except RefusedError as error:
        if error.kind == "unsupported":
            raise
        return False
    try:
        return not unlike(view, subject.game())
    except GameError:
        # One who is to see it does not sit at the table.
        return False


def _dealt(sequence: Sequence, subject: MutantSubject) -> bool:
    """Whether dice that are dealt by the mutant's rules can have come, and are refuted, where the sequence says so."""
    true = _table(sequence, subject)
    if true is None:
        return True
    try:
        table = make_table(subject.mutant.book, sequence.players, dict(sequence.options), dict(sequence.readings))
    except TableError as error:
        raise RefusedError("unsupported", error.message) from None
    if table.book.dice.shoe is None:
        # Independent dice are a shoe that never runs low; what a rule forbids them to show is forbidden all the same.
        table = replace(table, book=replace(table.book, dice=replace(table.book.dice, shoe=_ENDLESS_SHOE)))
    try:
        return judged_by(table, sequence) == sequence.refuted
    except RecordError:
        # A roll that these dice cannot show at all.
        return sequence.refuted is not None


_ENDLESS_SHOE = Shoe(Number(10_000), (("returns", ALWAYS),))


def _reference(table: Table) -> Reader:
    """The interpreter at a table, which remembers what it has read: every mutant is held to the same texts."""
    known = _REFERENCES.get(id(table))
    if known is None or known.table is not table:
        known = _REFERENCES[id(table)] = Reader(table)
    return known


_REFERENCES: dict[int, Reader] = {}


# ---- patience --------------------------------------------------------------------------------------------------------


class _HangsError(Exception):
    pass


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Ends what takes longer; only where the system has such a clock, and in the main thread of a process."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise _HangsError

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
