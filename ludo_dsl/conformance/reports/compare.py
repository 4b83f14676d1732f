"""What is otherwise in one run than in another: what is newly broken, newly kept, newly shown, and read in another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludo_dsl.conformance.reports.words import engine_name, fraction, one_line, variant_name
from ludo_dsl.conformance.running.verdicts import Run, Standing, Verdict

_GOOD = (Verdict.PASS, Verdict.READING, Verdict.OTHER_READING, Verdict.UNEXPECTED_PASS)
"""What an engine may do: another reading than the default is none the worse."""


@dataclass(frozen=True, slots=True)
class Change:
    """A clause or a scenario that stands otherwise; `None` where one of the runs does not tell of it."""

    id: str
    variant: str
    before: str | None
    after: str | None
    worse: bool

    def as_json(self) -> dict[str, Any]:
        """The change as plain data."""
        return {"id": self.id, "variant": self.variant, "before": self.before, "after": self.after, "worse": self.worse}


@dataclass(frozen=True, slots=True)
class OtherReading:
    """An open question that is read in another way; `None` where one of the runs shows no reading."""

    variant: str
    question: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes from one run to another.

    `worse` is whether anything got worse: a clause that was not broken is, a clause that was kept is not shown any more, or a
    scenario that went well does not. What only one of the runs was asked about makes nothing worse.
    """

    newly_broken: tuple[Change, ...]
    no_longer_shown: tuple[Change, ...]
    newly_kept: tuple[Change, ...]
    other_clauses: tuple[Change, ...]
    scenarios: tuple[Change, ...]
    readings: tuple[OtherReading, ...]

    @property
    def clauses(self) -> tuple[Change, ...]:
        """The changes of clauses, in the order in which they matter."""
        return self.newly_broken + self.no_longer_shown + self.newly_kept + self.other_clauses

    @property
    def worse(self) -> bool:
        """Whether anything got worse."""
        return any(change.worse for change in (*self.clauses, *self.scenarios))


def compare(before: Run, after: Run) -> Comparison:
    """What is otherwise in the second run than in the first."""
    clauses = list(_clauses(before, after))
    broken = (str(Standing.BROKEN), str(Standing.KNOWN))
    newly_broken = tuple(c for c in clauses if c.before is not None and c.worse and c.after in broken)
    unshown = tuple(c for c in clauses if c.before is not None and c.after == Standing.NOT_SHOWN)
    kept = tuple(c for c in clauses if c.before is not None and c.after == Standing.KEPT)
    sorted_out = {*newly_broken, *unshown, *kept}
    others = tuple(c for c in clauses if c not in sorted_out)
    return Comparison(newly_broken, unshown, kept, others, tuple(_scenarios(before, after)), tuple(_readings(before, after)))


def _changes(
    before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, str, str | None, str | None]]:
    for variant, name in sorted({*before, *after}):
        one, other = before.get((variant, name)), after.get((variant, name))
        if one != other:
            yield variant, name, one, other


def _clauses(before: Run, after: Run) -> Iterator[Change]:
    one, other = ({(c.variant, c.clause): str(c.standing) for c in run.clauses} for run in (before, after))
    for variant, clause, was, now in _changes(one, other):
        yield Change(clause, variant, was, now, _worse_clause(was, now))


def _worse_clause(was: str | None, now: str | None) -> bool:
    if was is None or now is None:
        return False
    if was == Standing.KEPT:
        return True
    return now == Standing.BROKEN or (was == Standing.NOT_SHOWN and now == Standing.KNOWN)


def _scenarios(before: Run, after: Run) -> Iterator[Change]:
    one, other = ({(r.variant, r.id): str(r.verdict) for r in run.results} for run in (before, after))
    good = {str(verdict) for verdict in _GOOD}
    for variant, scenario, was, now in _changes(one, other):
        yield Change(scenario, variant, was, now, was in good and now is not None and now not in good)


def _readings(before: Run, after: Run) -> Iterator[OtherReading]:
    one, other = ({(r.variant, r.question): r.value for r in run.readings} for run in (before, after))
    for variant, question, was, now in _changes(one, other):
        yield OtherReading(variant, question, was, now)


# ---- as text and as data ---------------------------------------------------------------------------------------------


def comparison_json(comparison: Comparison, files: tuple[str, str], runs: tuple[Run, Run]) -> dict[str, Any]:
    """The comparison as plain data."""
    sides = [_side(file, run) for file, run in zip(files, runs, strict=True)]
    lists = ("newly_broken", "no_longer_shown", "newly_kept", "other_clauses", "scenarios")
    return {
        "before": sides[0],
        "after": sides[1],
        "worse": comparison.worse,
        **{name: [change.as_json() for change in getattr(comparison, name)] for name in lists},
        "readings": [{"variant": r.variant, "question": r.question, "before": r.before, "after": r.after} for r in comparison.readings],
    }


def _side(file: str, run: Run) -> dict[str, Any]:
    return {
        "file": file,
        "engine": run.engine,
        "name": run.name,
        "version": run.version,
        "suite": run.suite,
        "complete": run.complete,
        "kept": run.counts()[Standing.KEPT],
        "clauses": len(run.clauses),
    }


def comparison_lines(comparison: Comparison, runs: tuple[Run, Run]) -> Iterator[str]:
    """The comparison in lines."""
    for label, run in zip(("before", "after"), runs, strict=True):
        yield f"{label}: {engine_name(run)}, suite {one_line(run.suite, 60)}: {fraction(run)}{'' if run.complete else ', not whole'}"
    groups = (
        ("newly broken", comparison.newly_broken),
        ("not shown any more", comparison.no_longer_shown),
        ("newly kept", comparison.newly_kept),
        ("other clauses", comparison.other_clauses),
        ("scenarios", comparison.scenarios),
    )
    for heading, changes in groups:
        yield from ["", f"{heading}: {len(changes)}"] if changes else []
        yield from (f"  {_says(change)}" for change in changes)
    if comparison.readings:
        yield from ["", f"readings: {len(comparison.readings)}"]
        for r in comparison.readings:
            yield f"  {variant_name(r.variant)} {one_line(r.question, 60)}: {r.before or 'not shown'} -> {r.after or 'not shown'}"
    yield ""
    yield conclusion_of(comparison)


def _says(change: Change) -> str:
    name = one_line(change.id, 200)
    where = name if "/" in name else f"{variant_name(change.variant)} {name}"
    worse = "  (worse)" if change.worse else ""
    return f"{where}: {change.before or 'not there'} -> {change.after or 'not there'}{worse}"


def conclusion_of(comparison: Comparison) -> str:
    """The comparison in one line."""
    clauses = sum(c.worse for c in comparison.clauses)
    scenarios = sum(c.worse for c in comparison.scenarios)
    if comparison.worse:
        return f"worse: {clauses} {'clause' if clauses == 1 else 'clauses'}, {scenarios} {'scenario' if scenarios == 1 else 'scenarios'}"
    changed = comparison.clauses or comparison.scenarios or comparison.readings
    return "nothing got worse" if changed else "nothing is otherwise"
