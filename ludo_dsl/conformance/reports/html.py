"""A run as one page of HTML that needs nothing outside it: fit for a phone, for the dark, and without scripts but for its filters."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from ludo_dsl.conformance.reports.failures import Drawn, Failure, look, sentence
from ludo_dsl.conformance.reports.files import save
from ludo_dsl.conformance.reports.sources import sources
from ludo_dsl.conformance.reports.words import (
    BROKEN,
    SPOILT,
    capability_says,
    conclusion,
    counted,
    engine_name,
    fraction,
    of_verdicts,
    one_line,
    part,
    reading_says,
    variant_name,
    variants_of,
    verdict_counts,
)
from ludo_dsl.conformance.running.verdicts import ClauseResult, Evidence, Result, Run, Standing, Verdict
from ludo_dsl.publish.svg import svg

DRAWN = 60
"""Failures whose boards are drawn; the others tell their positions as text, or the page would not load on a phone."""

_ORDER = (Standing.BROKEN, Standing.KNOWN, Standing.NOT_SHOWN, Standing.KEPT)


@dataclass(frozen=True)
class Row:
    """A clause as a row of a table."""

    clause: str
    text: str
    standing: str
    css: str
    evidence: str
    scenarios: tuple[Result, ...]
    first: str


@dataclass(frozen=True)
class Part:
    """A variant as a part of the page; `bar` is a word of style and a share in per cent for each standing that occurs."""

    name: str
    fraction: str
    bar: tuple[tuple[str, float], ...]
    scenarios: str
    readings: tuple[str, ...]
    watched: tuple[str, ...]
    rows: tuple[Row, ...]


def write_html(run: Run, path: Path) -> None:
    """Writes a run as a page. Raises `OSError`."""
    save(path, html(run).encode("utf-8", "backslashreplace"))


def html(run: Run) -> str:
    """The page."""
    script = _source("report.js")
    return (
        _environment()
        .get_template("report.html")
        .render(
            run=run,
            engine=engine_name(run),
            conclusion=conclusion(run),
            part=part(run),
            variants=[_part(run, variant) for variant in variants_of(run)],
            capabilities=[capability_says(c) for c in run.capabilities],
            groups=list(_groups(run)),
            others=_others(run),
            anchors={r.id: f"s{i}" for i, r in enumerate(run.results)},
            # Nothing of an engine's is ever run: the page itself allows this one script and no other.
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            style=Markup(_source("report.css")),
        )
    )


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("ludo_dsl.conformance.reports"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["line"] = one_line
    found.filters["board"] = _board
    return found


def _source(name: str) -> str:
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0]


# ---- clauses ---------------------------------------------------------------------------------------------------------


def _part(run: Run, variant: str) -> Part:
    counts = run.counts(variant)
    total = sum(counts.values())
    return Part(
        name=variant_name(variant),
        fraction=fraction(run, variant),
        bar=tuple((_css(s), round(100 * counts[s] / total, 2)) for s in (Standing.KEPT, *_ORDER[:-1]) if counts[s]),
        scenarios=counted(verdict_counts(run, variant)),
        readings=tuple(reading_says(r) for r in run.readings if r.variant == variant),
        watched=tuple(_watched(run, variant)),
        rows=tuple(_rows(run, variant)),
    )


def _watched(run: Run, variant: str) -> Iterator[str]:
    for watched in (w for w in run.watched if w.variant == variant):
        yield f"{watched.games:,} games of {watched.plies:,} plies"
        yield from (one_line(fault, 300) for fault in watched.faults)


def _rows(run: Run, variant: str) -> Iterator[Row]:
    book = sources(run).book(variant)
    citing: dict[str, list[Result]] = {}
    for result in run.results:
        for clause in result.clauses if result.variant == variant else ():
            citing.setdefault(clause, []).append(result)
    its = [c for c in run.clauses if c.variant == variant]
    for found in sorted(its, key=lambda c: (_ORDER.index(c.standing), c.clause)):
        yield Row(
            found.clause,
            sentence(book, found.clause),
            str(found.standing),
            _css(found.standing),
            _evidence(found),
            tuple(citing.get(found.clause, ())),
            found.first_failure,
        )


def _css(standing: Standing) -> str:
    return {Standing.KEPT: "kept", Standing.BROKEN: "broken", Standing.KNOWN: "known", Standing.NOT_SHOWN: "unshown"}[standing]


def _evidence(clause: ClauseResult) -> str:
    if clause.evidence is Evidence.GAMES:
        return "watched games"
    counts = ((clause.passed, "passed"), (clause.failed, "failed"), (clause.unplayed, "not played"))
    return ", ".join(f"{n} {what}" for n, what in counts if n) or "no scenario"


# ---- scenarios -------------------------------------------------------------------------------------------------------


def _groups(run: Run) -> Iterator[tuple[str, list[Failure], bool]]:
    """Failures by heading; whether the group stands open."""
    left = DRAWN
    for heading, verdicts, opened in (
        ("Failures", BROKEN, True),
        ("Not lived through", SPOILT, True),
        ("Known failures", (Verdict.EXPECTED_FAILURE,), False),
    ):
        results = of_verdicts(run, verdicts)
        if results:
            yield heading, list(_looked(run, results, left)), opened
            left = max(0, left - len(results))


def _looked(run: Run, results: Sequence[Result], most: int) -> Iterator[Failure]:
    for number, result in enumerate(results):
        failure = look(run, result)
        yield failure if number < most else replace(failure, boards=())


def _others(run: Run) -> list[tuple[str, tuple[Result, ...]]]:
    """Scenarios of which there is little to tell, by verdict."""
    verdicts = (Verdict.PASS, Verdict.READING, Verdict.OTHER_READING, Verdict.UNSUPPORTED)
    groups = ((str(verdict), of_verdicts(run, (verdict,))) for verdict in verdicts)
    return [(name, results) for name, results in groups if results]


def _board(drawn: Drawn) -> Markup:
    # The drawing is our own, with every text in it escaped.
    return Markup(svg(drawn.table, drawn.pieces, f"The board: {drawn.label}"))
