"""What every report says in the same words: the fraction of clauses, the conclusion; and foreign texts made harmless."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from ludo_dsl.conformance.running.verdicts import Capability, ReadingTaken, Result, Run, Standing, Verdict

BROKEN = (Verdict.FAIL, Verdict.INCONSISTENT, Verdict.UNEXPECTED_PASS)
"""Verdicts that break a clause."""

SPOILT = (Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL_ERROR)
"""Verdicts of scenarios that the engine did not live through."""

LONGEST = 2000
"""Characters of a text of the engine that are shown; the report in JSON Lines holds all of it."""

_CALLED = {Standing.BROKEN: "broken", Standing.KNOWN: "known to be broken", Standing.NOT_SHOWN: "not shown"}

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})


# ---- foreign texts ---------------------------------------------------------------------------------------------------


def one_line(text: str, longest: int = LONGEST) -> str:
    """A text as it is safe to show: what cannot be seen, or steers a terminal, is written as an escape; what goes on is cut."""
    shown = "".join(_visible(c) for c in text[:longest])
    return shown + _more(text, longest)


def some_lines(text: str, longest: int = LONGEST) -> str:
    """A text of several lines as it is safe to show."""
    cut = text[:longest].replace("\r\n", "\n").strip("\n")
    return "\n".join("".join(_visible(c) for c in line.expandtabs(4)) for line in cut.split("\n")) + _more(text, longest)


def _more(text: str, longest: int) -> str:
    return f"… ({len(text) - longest:,} characters more)" if len(text) > longest else ""


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _UNSEEN:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


# ---- the run ---------------------------------------------------------------------------------------------------------


def engine_name(run: Run) -> str:
    """The engine as it calls itself, with its version; as it was called where it says nothing."""
    return one_line(" ".join(filter(None, (run.name, run.version))) or run.engine, 120)


def variant_name(variant: str) -> str:
    """A variant as it is spoken of: a rule book in a file by the name of the file."""
    return one_line(PurePath(variant).stem if variant.endswith(".ludo") else variant, 120)


def variants_of(run: Run) -> tuple[str, ...]:
    """The variants that were tested, those of findings included."""
    return tuple(dict.fromkeys((*run.variants, *(c.variant for c in run.clauses), *(r.variant for r in run.results))))


def fraction(run: Run, variant: str | None = None) -> str:
    """How many clauses are kept of how many, and what became of the others: never a bare yes."""
    counts = run.counts(variant)
    total = sum(counts.values())
    if not total:
        return "no clause was tested"
    others = ", ".join(f"{n} {_CALLED[standing]}" for standing, n in counts.items() if n and standing in _CALLED)
    return f"{counts[Standing.KEPT]} of {total} {'clause' if total == 1 else 'clauses'} kept{', ' if others else ''}{others}"


def conclusion(run: Run) -> str:
    """What follows from the run, in a sentence."""
    where = f" in the part that was tested ({part(run)})" if part(run) else ""
    if run.exit_code == 1:
        return f"does not conform{where}: " + _listed(_faults(run))
    if run.exit_code == 2:
        return f"incomplete{where}: nothing is broken, but {_listed(_gaps(run))}"
    if run.counts()[Standing.KNOWN]:
        return f"nothing is broken{where} but what is known to be"
    return f"conforms{where}: every clause is kept"


def part(run: Run) -> str:
    """Which part of the suite was tested; empty for all of it."""
    return one_line(", ".join(filter(None, (run.scope, f"shard {run.shard}" if run.shard else ""))), 200)


def _faults(run: Run) -> list[str]:
    counts = run.counts()
    broken, problems = counts[Standing.BROKEN], len(run.problems)
    scenarios = sum(r.verdict in BROKEN for r in run.results)
    found = [_number(broken, "clause is broken", "clauses are broken")] if broken else []
    found += [_number(scenarios, "scenario breaks the rules", "scenarios break the rules")] if scenarios and not broken else []
    return found + ([_number(problems, "problem with the files of the run", "problems with the files of the run")] if problems else [])


def _gaps(run: Run) -> list[str]:
    missing = run.counts()[Standing.NOT_SHOWN]
    spoilt = sum(r.verdict in SPOILT for r in run.results)
    lies = len(unfounded(run))
    found = ["the run is not whole"] if not run.complete else []
    found += [_number(missing, "clause was not shown", "clauses were not shown")] if missing else []
    found += [_number(spoilt, "scenario was not lived through", "scenarios were not lived through")] if spoilt else []
    found += [_number(lies, "capability is claimed and not there", "capabilities are claimed and not there")] if lies else []
    return found or ["no clause was tested"]


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def unfounded(run: Run) -> tuple[Capability, ...]:
    """Capabilities that the engine claims and does not have."""
    return tuple(c for c in run.capabilities if c.claimed and c.verified is False)


def verdict_counts(run: Run, variant: str | None = None) -> dict[Verdict, int]:
    """How many scenarios have each verdict that occurs, of one variant or of all."""
    counts = Counter(r.verdict for r in run.results if variant in (None, r.variant))
    return {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}


def counted(counts: dict[Verdict, int]) -> str:
    """The counts as text."""
    return ", ".join(f"{n} {verdict}" for verdict, n in counts.items()) or "none"


def of_verdicts(run: Run, verdicts: Iterable[Verdict]) -> tuple[Result, ...]:
    """The results with these verdicts, in the order of the verdicts."""
    return tuple(r for verdict in verdicts for r in run.results if r.verdict is verdict)


def reading_says(reading: ReadingTaken) -> str:
    """The reading in a sentence."""
    shown = f"shown by {_number(reading.shown_by, 'scenario', 'scenarios')}"
    against = f"; against it {_number(len(reading.against), 'scenario', 'scenarios')}" if reading.against else ""
    return f"{reading.question}={reading.value} ({shown}{against})"


def capability_says(capability: Capability) -> str:
    """The capability in words."""
    tried = {True: "verified", False: "NOT borne out", None: "not tried"}[capability.verified]
    note = f" ({one_line(capability.note, 200)})" if capability.note else ""
    return f"{one_line(capability.name, 60)}: {f'claimed, {tried}' if capability.claimed else 'not claimed'}{note}"
