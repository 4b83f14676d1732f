"""Whether the suite notices: every mutant of a rule book is held to the checks until one fails, or to all of them."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from ludo_dsl.conformance.covering.dealt import dealt_sequences
from ludo_dsl.conformance.covering.views import views
from ludo_dsl.conformance.mutants import Mutant
from ludo_dsl.conformance.mutation.noticing import BrokenError, Check, MutantSubject, kills
from ludo_dsl.conformance.scenarios.suite import read_suite

GENERATED = "generated"
"""The area of scenarios that a program wrote; all others were written by hand."""


def checks_of(variant: str) -> tuple[Check, ...]:
    """Every check of the project that can notice a mutant of a variant: scenarios, views and dealt sequences. Raises `DocumentError`."""
    every: tuple[Check, ...] = (*read_suite(), *views(), *dealt_sequences())
    return tuple(check for check in every if check.variant == variant)


# ---- one mutant ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: the checks that fail on it (where it was played to the end; otherwise the first).

    `broken` says how the interpreter broke, where it could not play the mutant in one of the checks; that notices nothing.
    """

    mutant: str
    killers: tuple[str, ...]
    broken: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether a check that was written by hand notices it."""
        return any(f"/{GENERATED}/" not in k for k in self.killers)


def fate_of(mutant: Mutant, checks: Sequence[Check], until: str = "all") -> Fate:
    """Holds a mutant to checks: to `all`, or until the `first` that fails."""
    subject = MutantSubject(mutant)
    found, broken = [], ""
    for check in checks:
        try:
            noticed = kills(check, subject)
        except BrokenError as error:
            noticed, broken = False, broken or f"{check.id}: {error}"
        if noticed:
            found.append(check.id)
            if until == "first":
                break
    return Fate(mutant.id, tuple(sorted(found)), broken)


def ordered(mutant: Mutant, checks: Sequence[Check], hints: Iterable[str] = ()) -> list[Check]:
    """The checks, those first that are likely to notice: the ones that did before, then those of the clauses of the changed rule."""
    before, clauses = frozenset(hints), frozenset(mutant.clauses)
    return sorted(checks, key=lambda c: (c.id not in before, clauses.isdisjoint(c.clauses)))


# ---- all of them -----------------------------------------------------------------------------------------------------


class _Work:
    """What each process of the pool holds: sent once, as mutants are large and mostly alike."""

    mutants: tuple[Mutant, ...]
    checks: tuple[Check, ...]
    hints: Mapping[str, tuple[str, ...]]
    until: str


def _prepare(chosen: tuple[Mutant, ...], checks: tuple[Check, ...], hints: Mapping[str, tuple[str, ...]], until: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Work.mutants, _Work.checks, _Work.hints, _Work.until = chosen, checks, hints, until


def _do(numbers: range) -> tuple[Fate, ...]:
    return tuple(_fate(_Work.mutants[i]) for i in numbers)


def _fate(mutant: Mutant) -> Fate:
    return fate_of(mutant, ordered(mutant, _Work.checks, _Work.hints.get(mutant.id, ())), _Work.until)


def mutate(
    checks: Sequence[Check],
    chosen: Sequence[Mutant],
    *,
    jobs: int = 1,
    until: str = "all",
    hints: Mapping[str, tuple[str, ...]] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Fate]:
    """The fate of each mutant, in the order given; on `KeyboardInterrupt`, of those that were played.

    `until` is `all` (every check is played) or `first` (the first that fails is enough); `hints` says which failed before. What is
    found hangs on neither `jobs` nor `hints`, but for which check is the first.
    """
    batches = [range(i, min(i + BATCH, len(chosen))) for i in range(0, len(chosen), BATCH)]
    found: dict[str, Fate] = {}
    pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(tuple(chosen), tuple(checks), dict(hints or {}), until))
    try:
        for future in as_completed([pool.submit(_do, batch) for batch in batches]):
            found |= {fate.mutant: fate for fate in future.result()}
            progress(len(found), len(chosen))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
    else:
        pool.shutdown()
    return [found[m.id] for m in chosen if m.id in found]


BATCH = 4
"""Mutants that a process is given at a time."""


def sample(all_mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some mutants, drawn by a seed; all where there are no more."""
    if number >= len(all_mutants):
        return list(all_mutants)
    drawn = frozenset(random.Random(seed).sample(range(len(all_mutants)), number))
    return [m for i, m in enumerate(all_mutants) if i in drawn]
