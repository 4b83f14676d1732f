"""A run in short, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludo_dsl.conformance.reports.failures import look
from ludo_dsl.conformance.reports.words import BROKEN, SPOILT, conclusion, fraction, of_verdicts, variants_of, verdict_counts
from ludo_dsl.conformance.running.verdicts import Result, Run, Standing, Verdict


def summary(run: Run, notes: Sequence[str] = ()) -> dict[str, Any]:
    """What matters of a run, as `spec/schema/report-show.json` has it; the whole of it is its report in JSON Lines."""
    return {
        "engine": run.engine,
        "name": run.name,
        "version": run.version,
        "suite": run.suite,
        "scope": run.scope,
        "shard": run.shard,
        "complete": run.complete,
        "exit_code": run.exit_code,
        "says": conclusion(run),
        "variants": [_variant(run, variant) for variant in variants_of(run)],
        "readings": [{name: value for name, value in r.as_json().items() if name != "kind"} for r in run.readings],
        "verdicts": {str(verdict): count for verdict, count in verdict_counts(run).items()},
        "failures": [_failure(run, r) for r in of_verdicts(run, (*BROKEN, *SPOILT, Verdict.EXPECTED_FAILURE))],
        "problems": list(run.problems),
        "notes": list(notes),
    }


def _variant(run: Run, variant: str) -> dict[str, Any]:
    counts = run.counts(variant)
    return {
        "variant": variant,
        "clauses": sum(counts.values()),
        "kept": counts[Standing.KEPT],
        "broken": counts[Standing.BROKEN],
        "known": counts[Standing.KNOWN],
        "not_shown": [c.clause for c in run.clauses if c.variant == variant and c.standing is Standing.NOT_SHOWN],
        "says": fraction(run, variant),
    }


def _failure(run: Run, result: Result) -> dict[str, Any]:
    seen = look(run, result)
    return {
        "id": result.id,
        "verdict": str(result.verdict),
        "says": seen.says,
        "expected": "".join(text for text, _ in seen.expected),
        "found": "".join(text for text, _ in seen.found),
        "position": seen.position,
        "clauses": list(result.clauses),
        "note": seen.note,
        "command": seen.command,
    }
