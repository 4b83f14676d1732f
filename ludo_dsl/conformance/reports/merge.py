"""Several reports of one engine as one: the shards of a run, or runs of several parts of the suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from ludo_dsl.conformance.reports.sources import scenario_of, sources
from ludo_dsl.conformance.reports.words import one_line
from ludo_dsl.conformance.running.explaining import Explaining
from ludo_dsl.conformance.running.known import Known
from ludo_dsl.conformance.running.settling import settle, unsettled
from ludo_dsl.conformance.running.verdicts import Result, Run, Verdict
from ludo_dsl.documents import DocumentError

T = TypeVar("T")

_SAME = (("engine", "engine"), ("name", "name of the engine"), ("version", "version of the engine"), ("suite", "suite"), ("seed", "seed"))


@dataclass(frozen=True, slots=True)
class Merged:
    """The run that several make, and what there is to be told of it: shards that are missing, known failures that are excused no more."""

    run: Run
    notes: tuple[str, ...]


def merge(runs: Mapping[str, Run], known: Known | None, today: date) -> Merged:
    """One run of several, by the names of their files; verdicts and clauses are settled anew.

    A scenario that two reports tell of in different ways is a problem of the run: the engine does not do the same every time.

    Raises:
        DocumentError: the reports are of different engines, suites or seeds, or of shards that were cut otherwise.
    """
    _require_alike(runs)
    parts = tuple(runs.values())
    shard, missing = _shards(runs)
    results, differing = _results(runs)
    first = min(parts, key=lambda run: run.started)
    merged = replace(
        first,
        command="; ".join(_once(run.command for run in parts)),
        variants=_once(v for run in parts for v in run.variants),
        scope=_scope(parts),
        shard=shard,
        capabilities=_once(c for run in parts for c in run.capabilities),
        results=results,
        clauses=(),
        readings=_once(r for run in parts for r in run.readings),
        watched=_once(w for run in parts for w in run.watched),
        problems=(*_once(p for run in parts for p in run.problems), *differing),
        seconds=sum(run.seconds for run in parts),
        complete=all(run.complete for run in parts) and not missing,
        asked=len(results) if all(run.complete for run in parts) else sum(run.asked for run in parts),
    )
    books = dict(sources(merged).books)
    explains = Explaining(lambda result: scenario_of(merged, result), books)
    return Merged(settle(merged, known, today, books, explains), tuple(_notes(runs, missing, known)))


def _once(values: Iterator[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _require_alike(runs: Mapping[str, Run]) -> None:
    (first, one), *others = runs.items()
    for file, other in others:
        for field, called in _SAME:
            mine, theirs = getattr(one, field), getattr(other, field)
            if mine != theirs:
                message = f"the {called} is `{one_line(str(theirs), 100)}`, and in {first} it is `{one_line(str(mine), 100)}`"
                hint = "merge reports of one engine, one suite and one seed; `ludo report compare` tells what differs between two"
                raise DocumentError(file, 1, f"$.{field}", message, hint)


def _notes(runs: Mapping[str, Run], missing: Sequence[int], known: Known | None) -> Iterator[str]:
    for file, run in runs.items():
        if not run.complete:
            yield f"{file} is of a run that was cut short"
    if missing:
        yield f"missing: shard {', '.join(map(str, missing))}"
    excused = sum(r.verdict is Verdict.EXPECTED_FAILURE for run in runs.values() for r in run.results)
    if excused and known is None:
        yield f"{excused} known failures are excused no more: give their file with --known"


# ---- shards ----------------------------------------------------------------------------------------------------------


def _shards(runs: Mapping[str, Run]) -> tuple[str, list[int]]:
    """The shard that several make (empty: all of the suite) and the numbers that are missing. Raises `DocumentError`."""
    found: set[int] = set()
    of: dict[int, str] = {}
    for file, run in runs.items():
        numbers, slash, count = run.shard.partition("/")
        if slash:
            found |= {int(n) for n in numbers.split(",")}
            of.setdefault(int(count), file)
    if len(of) > 1:
        (one, first), (other, second), *_ = of.items()
        message = f"this is a shard of {other}, and {first} is one of {one}"
        raise DocumentError(second, 1, "$.shard", message, "merge shards of one and the same cut")
    if not of or any(not run.shard for run in runs.values()):
        return "", []
    whole = next(iter(of))
    missing = [n for n in range(1, whole + 1) if n not in found]
    return (f"{','.join(map(str, sorted(found)))}/{whole}" if missing else ""), missing


def _scope(parts: Sequence[Run]) -> str:
    """The whole where one of the parts is the whole; otherwise the parts one after another."""
    scopes = _once(run.scope for run in parts)
    return "" if "" in scopes else "; ".join(scopes)


# ---- results ---------------------------------------------------------------------------------------------------------


def _results(runs: Mapping[str, Run]) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """Each scenario once, the worse of two that differ; and what differs, in words."""
    found: dict[str, tuple[str, Result]] = {}
    told = []
    for file, run in runs.items():
        for result in run.results:
            before, other = found.setdefault(result.id, (file, result))
            if _seen(other) != _seen(result):
                told.append(f"{result.id}: `{other.verdict}` in {before}, `{result.verdict}` in {file}: it is not the same every time")
                found[result.id] = min((before, other), (file, result), key=lambda pair: unsettled(pair[1]).verdict is Verdict.PASS)
    ordered = sorted(found.values(), key=lambda pair: pair[1].id)
    return tuple(result for _, result in ordered), tuple(told)


def _seen(result: Result) -> object:
    """What was seen, whatever the rest of its run made of it."""
    return unsettled(result).verdict, tuple((b.readings, b.miss is None) for b in result.branches)
