"""Whether the suite notices: every mutant of a rule book is played through the scenarios until one fails, or through all of them."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from types import FrameType

from ludo_dsl.conformance.checks_readings import answers_of
from ludo_dsl.conformance.mutants import Mutant, differs_at, mutants, settings_touched
from ludo_dsl.conformance.playing import play
from ludo_dsl.conformance.subjects import Direct, RefusedError, UnreadableError, reference_for, table_of
from ludo_dsl.conformance.suite import Branch, Scenario
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.notation import once_names, position_text
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter, Memory
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

GENERATED = "generated"
"""The area of scenarios that a program wrote; all others were written by hand."""

PATIENCE = 20.0
"""Seconds that one scenario may take on a mutant: thousands of times what it takes on the rule book. A mutant that takes longer hangs."""


MOST_READINGS = 16
"""Answers to open questions under which a branch that leaves them open is played, at most."""


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

    def differs(self, scenario: Scenario, branch: Branch) -> bool:
        """Whether the mutant's rules are others than the true ones at the table of a branch."""
        key = scenario.players, scenario.options, branch.readings
        if key not in self._differs:
            self._differs[key] = differs_at(self.mutant, scenario.players, dict(scenario.options), branch.chosen)
        return self._differs[key]

    def under_readings(self, branch: Branch) -> Iterator[Branch]:
        """A branch as it is, and with the other readings of the questions that it leaves open and on which the mutant's change hangs."""
        named = {name for name, _ in branch.readings}
        asked = [s for s in self.mutant.original.settings if s.role == "reading" and s.id in self._touched and s.id not in named]
        for values in islice(product(*(answers_of(s, self.mutant.original) for s in asked)), MOST_READINGS):
            more = ((str(s.id), (value,)) for s, value in zip(asked, values, strict=True) if value != shown_value(s.default))
            yield Branch(tuple(sorted((*branch.readings, *more))), branch.steps)

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
        """The position as the true rules see it: without memory that only the mutant has a use for."""
        engine, at = self._game()
        assert isinstance(reference, Interpreter)
        if _same_shape(reference.table, engine.table):
            return reference.canonical(at)
        text = position_text(engine.table, at)
        try:
            return reference.canonical(reference.read(text))
        except GameError as error:
            raise UnreadableError(text, error.message) from None


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


# ---- one mutant ------------------------------------------------------------------------------------------------------


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


def kills(scenario: Scenario, subject: MutantSubject) -> bool:
    """Whether a scenario fails on a mutant, in one of its branches.

    The mutant plays under the readings that a branch names, and under every reading of other questions on which its change hangs:
    a branch that does not name a question holds whatever the answer is.
    """
    return any(_kills(scenario, branch, subject) for named in scenario.branches for branch in subject.under_readings(named))


def _kills(scenario: Scenario, branch: Branch, subject: MutantSubject) -> bool:
    if not subject.differs(scenario, branch):
        return False
    try:
        table = table_of(scenario, branch, subject.mutant.original)
        with _patience(PATIENCE):
            return play(scenario, branch, reference_for(table), subject) is not None
    except TableError:
        # These readings do not go with the options of the scenario.
        return False
    except (EndlessRulesError, _HangsError):
        return True
    except RefusedError as error:
        # A mutant that cannot sit down at a table which the rules offer is noticed.
        return error.kind == "unsupported"
    except Exception:
        # Rules that make no sense may break the interpreter in any way, and that is noticed too.
        return True


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: the scenarios that fail on it (where it was played to the end; otherwise the first)."""

    mutant: str
    killers: tuple[str, ...]

    @property
    def by_hand(self) -> bool:
        """Whether a scenario that was written by hand notices it."""
        return any(f"/{GENERATED}/" not in k for k in self.killers)


def fate_of(mutant: Mutant, scenarios: Sequence[Scenario], until: str = "all") -> Fate:
    """Plays a mutant through scenarios: through `all`, or until the `first` that fails."""
    subject = MutantSubject(mutant)
    found = []
    for scenario in scenarios:
        if kills(scenario, subject):
            found.append(scenario.id)
            if until == "first":
                break
    return Fate(mutant.id, tuple(sorted(found)))


# ---- all of them -----------------------------------------------------------------------------------------------------


class _Work:
    """What each process of the pool holds: made once, as the mutants of a book are too many to be sent about."""

    scenarios: tuple[Scenario, ...]
    by_id: dict[str, Mutant]
    hints: Mapping[str, tuple[str, ...]]
    until: str


def _prepare(book: Book, scenarios: tuple[Scenario, ...], hints: Mapping[str, tuple[str, ...]], until: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Work.scenarios, _Work.hints, _Work.until = scenarios, hints, until
    _Work.by_id = {m.id: m for m in mutants(book)}


def _do(names: tuple[str, ...]) -> tuple[Fate, ...]:
    return tuple(_fate(_Work.by_id[name]) for name in names)


def _fate(mutant: Mutant) -> Fate:
    return fate_of(mutant, ordered(mutant, _Work.scenarios, _Work.hints.get(mutant.id, ())), _Work.until)


def ordered(mutant: Mutant, scenarios: Sequence[Scenario], hints: Iterable[str] = ()) -> list[Scenario]:
    """The scenarios, those first that are likely to notice: the ones that did before, then those of the clauses of the changed rule."""
    before, clauses = frozenset(hints), frozenset(mutant.clauses)
    return sorted(scenarios, key=lambda s: (s.id not in before, clauses.isdisjoint(s.clauses)))


def mutate(
    book: Book,
    scenarios: Sequence[Scenario],
    chosen: Sequence[Mutant],
    *,
    jobs: int = 1,
    until: str = "all",
    hints: Mapping[str, tuple[str, ...]] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Fate]:
    """The fate of each mutant, in the order given; on `KeyboardInterrupt`, of those that were played.

    `until` is `all` (every scenario is played) or `first` (the first that fails is enough); `hints` says which failed before.
    """
    mine = tuple(scenarios)
    batches = [tuple(m.id for m in chosen[i : i + 4]) for i in range(0, len(chosen), 4)]
    found: dict[str, Fate] = {}
    pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(book, mine, dict(hints or {}), until))
    try:
        for future in as_completed([pool.submit(_do, batch) for batch in batches]):
            found |= {fate.mutant: fate for fate in future.result()}
            progress(len(found), len(chosen))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
    else:
        pool.shutdown()
    return [found[m.id] for m in chosen if m.id in found]


def sample(all_mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some mutants, drawn by a seed; all where there are no more."""
    if number >= len(all_mutants):
        return list(all_mutants)
    drawn = frozenset(random.Random(seed).sample(range(len(all_mutants)), number))
    return [m for i, m in enumerate(all_mutants) if i in drawn]
