"""What follows from what a run saw: readings, verdicts, the standing of each clause, and what is wrong with the known failures.

`settle` is pure, and settles again what is settled: the parts of a run that was shared out are settled anew when they are merged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.running.known import Entry, Known
from ludo_dsl.conformance.running.verdicts import TROUBLE, ClauseResult, Evidence, ReadingTaken, Result, Run, Standing, Verdict
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Readings
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.rules.book import Named, Range, Setting

Taken = Mapping[str, str]
"""Open questions of one variant, each with the value that an engine takes."""

Explains = Callable[[Result, Taken], bool]
"""Whether an engine of these readings plays a scenario just as this one did."""

LEAK = "it fails after other scenarios and passes on an engine freshly started: something is carried over from one to the next"
"""The note of a scenario that passed only when it was tried again."""

COUNTED = ("play", "score", "setup", "option")
"""The kinds of clauses that scenarios can show."""

BAD = (Verdict.FAIL, Verdict.INCONSISTENT)
GOOD = (Verdict.PASS, Verdict.READING, Verdict.UNEXPECTED_PASS)
SPOILT = (Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR)


def settle(
    run: Run, known: Known | None, today: date, books: Mapping[str, str] | None = None, explains: Explains = lambda result, taken: False
) -> Run:
    """The run with everything that follows from its results, its capabilities and its watched games.

    `known` are the failures that are excused; what an earlier call with other ones excused is taken back first. `books` are the
    files of rule books of one's own, by the name of their variant. `explains` says whether readings explain a scenario that seems to
    speak against them.
    """
    seen = tuple(unsettled(r) for r in run.results)
    told = chooses_readings(run)
    readings = () if told else _explained(_readings(run, seen, books or {}), seen, explains)
    judged = tuple(_all_branches(r) for r in seen) if told else _judged(seen, readings, explains)
    entries = known.in_force(today) if known else ()
    excused = _excused(judged, entries, whole=_whole(run))
    problems = (*run.problems, *(known.expired(today) if known else ()))
    clauses = _clauses(run, excused, entries)
    return replace(run, results=excused, readings=readings, clauses=clauses, problems=tuple(dict.fromkeys(problems)))


def chooses_readings(run: Run) -> bool:
    """Whether the engine plays whichever reading it is told: a claim that no trial has refuted."""
    return any(c.name == "readings" and c.claimed and c.verified is not False for c in run.capabilities)


def _whole(run: Run) -> bool:
    """Whether every scenario of the variants is in it."""
    return run.complete and not run.scope and not run.shard


# ---- what was seen ---------------------------------------------------------------------------------------------------

_EXCUSE = re.compile(r"known until [^\n]*\nseen: (?P<seen>[a-z ]+)(?:\n(?P<note>.*))?", re.DOTALL)


def unsettled(result: Result) -> Result:
    """A result as it was before it was settled: trouble, a leak, or plainly a pass or a failure of its branches."""
    excuse = _EXCUSE.fullmatch(result.note) if result.verdict is Verdict.EXPECTED_FAILURE else None
    if excuse is not None:
        result = result.settled(Verdict(excuse["seen"]), excuse["note"] or "")
    leaks = result.verdict is Verdict.INCONSISTENT and result.note == LEAK
    if leaks or result.verdict in TROUBLE or not result.branches:
        return result
    return result.settled(Verdict.PASS if result.passed else Verdict.FAIL, "")


def _all_branches(result: Result) -> Result:
    """The verdict of an engine that was told which readings to play: every branch passes."""
    if result.verdict in TROUBLE or result.verdict is Verdict.INCONSISTENT:
        return result
    return result.settled(Verdict.FAIL if result.miss else Verdict.PASS)


# ---- readings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shown:
    """What one scenario shows of one question: the values under which it passes, if others would not do."""

    variant: str
    question: str
    scenario: str
    values: frozenset[str]


def _readings(run: Run, results: Sequence[Result], books: Mapping[str, str]) -> tuple[ReadingTaken, ...]:
    """The readings that scenarios show; for a question of which they show nothing, what watched games showed."""
    shown: dict[tuple[str, str], list[_Shown]] = {}
    for found in (s for r in results for s in _shown_by(r, books)):
        shown.setdefault((found.variant, found.question), []).append(found)
    failed = [r for r in results if r.verdict is Verdict.FAIL]
    inferred = [_taken(variant, name, its, failed, books) for (variant, name), its in shown.items()]
    watched = {w.variant for w in run.watched}
    games = [r for r in run.readings if r.variant in watched and (r.variant, r.question) not in shown]
    return tuple(sorted((*inferred, *dict.fromkeys(games)), key=lambda r: (r.variant, r.question)))


def _shown_by(result: Result, books: Mapping[str, str]) -> Iterable[_Shown]:
    if result.verdict is not Verdict.PASS:
        return
    passed = [dict(readings) for readings in result.passed]
    for question in sorted({name for readings in passed for name in readings}):
        if all(question in readings for readings in passed):
            values = frozenset(v for readings in passed for v in readings[question])
            if values != _domain(result.variant, question, books):
                yield _Shown(result.variant, question, result.id, values)


def _taken(variant: str, question: str, shown: list[_Shown], failed: Iterable[Result], books: Mapping[str, str]) -> ReadingTaken:
    """The value with the most scenarios behind it.

    Of several, that under which the fewest scenarios fail: they may all be among the values of everything that passes. Then the
    default of the book, or the first by name.
    """
    support = Counter(value for s in shown for value in s.values)
    against = Counter(value for r in failed if r.variant == variant for value in _named(r, question))
    setting = _setting(variant, question, books)
    default = str(setting.default) if setting else ""
    value = min(support, key=lambda v: (-support[v], against[v], v != default, v))
    return ReadingTaken(variant, question, value, support[value], tuple(s.scenario for s in shown if value not in s.values))


def _named(result: Result, question: str) -> frozenset[str]:
    """The values of a question on which the branches of a scenario rest."""
    return frozenset(v for branch in result.branches for name, values in branch.readings if name == question for v in values)


def _setting(variant: str, question: str, books: Mapping[str, str]) -> Setting | None:
    """The question as the rule book has it; none where the book is not at hand, as with a report from elsewhere."""
    try:
        return book_of(books.get(variant, variant)).setting(question)
    except (RuleBookError, OSError):
        return None


def _domain(variant: str, question: str, books: Mapping[str, str]) -> frozenset[str] | None:
    """All values of a question; none where they cannot be listed."""
    setting = _setting(variant, question, books)
    match setting.domain if setting else None:
        case Named(values):
            return frozenset(v.name for v in values)
        case Range(low, high):
            return frozenset(str(n) for n in range(low, high + 1))
        case _:
            return None


# ---- verdicts --------------------------------------------------------------------------------------------------------


def _explained(readings: Iterable[ReadingTaken], results: Iterable[Result], explains: Explains) -> tuple[ReadingTaken, ...]:
    """The readings without what only seems to speak against them."""
    found = tuple(readings)
    taken, by_id = _taken_of(found), {r.id: r for r in results}
    return tuple(replace(r, against=tuple(a for a in r.against if not explains(by_id[a], taken[r.variant]))) for r in found)


def _taken_of(readings: Iterable[ReadingTaken]) -> dict[str, dict[str, str]]:
    taken: dict[str, dict[str, str]] = {}
    for reading in readings:
        taken.setdefault(reading.variant, {})[reading.question] = reading.value
    return taken


def _judged(results: Iterable[Result], readings: Iterable[ReadingTaken], explains: Explains) -> tuple[Result, ...]:
    taken = _taken_of(readings)
    return tuple(_verdict(r, taken.get(r.variant, {}), explains) for r in results)


def _verdict(result: Result, taken: Taken, explains: Explains) -> Result:
    if result.verdict not in (Verdict.PASS, Verdict.FAIL):
        return result
    questions = sorted({name for branch in result.branches for name, _ in branch.readings})
    if not questions:
        return result
    if result.verdict is Verdict.PASS:
        if any(_fits(readings, taken) for readings in result.passed) or explains(result, taken):
            return result.settled(Verdict.READING)
        note = f"it passes under {_listed(result.passed)}; elsewhere the engine takes {_all(taken, questions)}"
        return result.settled(Verdict.INCONSISTENT, note)
    if not any(_fits(branch.readings, taken) for branch in result.branches):
        return result.settled(Verdict.OTHER_READING, f"the engine takes {_all(taken, questions)}")
    unknown = [name for name in questions if name not in taken]
    note = f"nothing shows how the engine reads {', '.join(f'`{name}`' for name in unknown)}" if unknown else ""
    return result.settled(Verdict.FAIL, note)


def _fits(readings: Readings, taken: Taken) -> bool:
    """Whether readings agree with what is taken, so far as that is known."""
    return all(name not in taken or taken[name] in values for name, values in readings)


def _listed(passed: Iterable[Readings]) -> str:
    return " or ".join(" ".join(f"`{name}={'|'.join(values)}`" for name, values in readings) for readings in passed)


def _all(taken: Taken, questions: Iterable[str]) -> str:
    return ", ".join(f"`{name}={taken[name]}`" for name in questions if name in taken)


# ---- known failures --------------------------------------------------------------------------------------------------


def _excused(results: tuple[Result, ...], entries: tuple[Entry, ...], whole: bool) -> tuple[Result, ...]:
    """The results with known failures excused, and with passes that an entry did not expect."""
    idle = [e for e in entries if (whole or e.kind == "scenario") and _idle(e, results)]
    return tuple(_excuse(r, entries, idle) for r in results)


def _idle(entry: Entry, results: Iterable[Result]) -> bool:
    """Whether everything that an entry excuses passes."""
    covered = [r for r in results if entry.covers(r.id, r.clauses)]
    return any(r.verdict in GOOD for r in covered) and not any(r.verdict in (*BAD, *SPOILT) for r in covered)


def _excuse(result: Result, entries: Iterable[Entry], idle: Iterable[Entry]) -> Result:
    def first(some: Iterable[Entry]) -> Entry | None:
        return next((e for e in some if e.covers(result.id, result.clauses)), None)

    if result.verdict in (*BAD, *SPOILT) and (entry := first(entries)):
        lines = [entry.excuse(), f"seen: {result.verdict}", *([result.note] if result.note else [])]
        return result.settled(Verdict.EXPECTED_FAILURE, "\n".join(lines))
    if result.verdict in GOOD and (entry := first(idle)):
        return result.settled(Verdict.UNEXPECTED_PASS, f"{entry.place}: `{entry.name}` is excused and passes: take the entry out")
    return result


# ---- clauses ---------------------------------------------------------------------------------------------------------


def _clauses(run: Run, results: tuple[Result, ...], entries: tuple[Entry, ...]) -> tuple[ClauseResult, ...]:
    found = []
    for variant in run.variants:
        its = [r for r in results if r.variant == variant]
        games = _Games.of(run, variant)
        cited = [c for r in its for c in r.clauses if _counts(c)]
        wanted = cited if run.scope or run.shard else [*_of_register(variant), *cited]
        for clause in sorted({*wanted, *games.broken}):
            excused = any(e.kind == "clause" and e.name == clause for e in entries)
            found.append(_clause(clause, variant, [r for r in its if clause in r.clauses], games, excused))
    return tuple(found)


def _counts(name: str) -> bool:
    """Whether a clause is of a kind that scenarios show; the name of a rule counts as it is."""
    clause = register().get(name)
    return clause is None or clause.kind in COUNTED


def _of_register(variant: str) -> list[str]:
    return [c.id for c in register().values() if c.variant == variant and c.kind in COUNTED]


def _clause(clause: str, variant: str, results: list[Result], games: _Games, excused: bool) -> ClauseResult:
    bad, good, spoilt = (_with(results, *verdicts) for verdicts in (BAD, GOOD, SPOILT))
    failed = [*bad, *_with(results, Verdict.EXPECTED_FAILURE)]
    standing, evidence = Standing.NOT_SHOWN, Evidence.SCENARIOS if good or failed else Evidence.NOTHING
    if bad:
        standing = Standing.BROKEN
    elif clause in games.broken:
        standing, evidence = (Standing.KNOWN if excused else Standing.BROKEN), Evidence.GAMES
    elif failed:
        standing = Standing.KNOWN
    elif good and not spoilt:
        standing = Standing.KEPT
    elif clause in games.kept and not spoilt:
        standing, evidence = Standing.KEPT, Evidence.GAMES
    first = failed[0].id if failed else ""
    return ClauseResult(clause, variant, standing, evidence, len(good), len(failed), len(_with(results, *TROUBLE)), first)


def _with(results: Iterable[Result], *verdicts: Verdict) -> list[Result]:
    return [r for r in results if r.verdict in verdicts]


_CLAUSES = re.compile(r"\[(?P<names>[^\]]*)\] ")


def fault_clauses(fault: str) -> tuple[str, ...]:
    """The clauses, or rules, that a fault of a watched game is laid to: the text names them first, as in `[AN-14 AN-11] game 3 …`."""
    found = _CLAUSES.match(fault)
    return tuple(found["names"].split()) if found else ()


@dataclass(frozen=True, slots=True)
class _Games:
    """What the watched games of a variant show: clauses that were kept, and clauses that were broken."""

    kept: frozenset[str]
    broken: frozenset[str]

    @staticmethod
    def of(run: Run, variant: str) -> _Games:
        its = [w for w in run.watched if w.variant == variant]
        broken = frozenset(c for w in its for fault in w.faults for c in fault_clauses(fault))
        return _Games(frozenset(c for w in its for c in w.clauses) - broken, broken)
