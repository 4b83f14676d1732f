"""Runs made by hand, for the tests of reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludo_dsl.conformance.running.verdicts import (
    BranchPlayed,
    Capability,
    ClauseResult,
    Evidence,
    ReadingTaken,
    Result,
    Run,
    Standing,
    Verdict,
    Watched,
)
from ludo_dsl.conformance.scenarios.playing import Miss, What

BEFORE = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
AFTER = "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
WRONG = "red=23,Y,Y,Y yellow=49,Y,Y,Y turn=yellow"

CAPTURE = Miss("2", What.POSITION, "move 20>23", AFTER, WRONG, BEFORE)
"""The first scenario of captures, by an engine that leaves the captured piece where it stands."""

NASTY = "<script>alert('x')</script> \x1b[31m\x07\x00 \ud800 ￾ \u202eabc & \" ]]> {{ 7*7 }}"
"""What an engine may call itself or print: markup, control characters, and characters that XML does not allow."""

LONG = "x" * 100_000


def result(name: str, verdict: Verdict = Verdict.PASS, miss: Miss | None = None, **more: Any) -> Result:
    """A result; its branch missed where a miss is given."""
    given: dict[str, Any] = {
        "id": f"amarnepal/{name}",
        "title": "Ending on an opposing piece sends it to its yard and gives another roll.",
        "variant": "amarnepal",
        "players": 2,
        "options": (),
        "clauses": ("AN-14",),
        "verdict": verdict,
        "branches": (BranchPlayed((), miss),),
        "seconds": 0.25,
    }
    return Result(**(given | more))


def clause(name: str, standing: Standing = Standing.KEPT, variant: str = "amarnepal", **more: Any) -> ClauseResult:
    """A clause with one scenario that passed, or failed, or could not be played."""
    given: dict[str, Any] = {
        "clause": name,
        "variant": variant,
        "standing": standing,
        "evidence": Evidence.NOTHING if standing is Standing.NOT_SHOWN else Evidence.SCENARIOS,
        "passed": int(standing is Standing.KEPT),
        "failed": int(standing in (Standing.BROKEN, Standing.KNOWN)),
        "unplayed": int(standing is Standing.NOT_SHOWN),
    }
    return ClauseResult(**(given | more))


def run(*results: Result, clauses: tuple[ClauseResult, ...] = (), **more: Any) -> Run:
    """A run of one engine on amarnepal."""
    given: dict[str, Any] = {
        "engine": "exec:./engine",
        "name": "engine",
        "version": "0.3",
        "protocol": 1,
        "suite": "1",
        "started": "2026-11-30T20:11:12+00:00",
        "command": "ludo conform exec:./engine",
        "variants": ("amarnepal",),
        "results": results,
        "clauses": clauses,
        "asked": len(results),
        "seconds": 1.5,
    }
    return Run(**(given | more))


GOOD = run(result("capture/single"), clauses=(clause("AN-14"),))
"""A run of an engine that conforms."""

FULL = run(
    result("capture/single", Verdict.FAIL, CAPTURE, seconds=0.5),
    *(result(f"moving/{verdict.name.lower().replace('_', '-')}", verdict, note=f"a note on {verdict}") for verdict in Verdict),
    result("moving/open", Verdict.READING, branches=(BranchPlayed((("sixes", ("in-turn",)),), None),), options=(("capture-first", "on"),)),
    clauses=(
        clause("AN-14", Standing.BROKEN, first_failure="amarnepal/capture/single"),
        clause("AN-08"),
        clause("AN-09", evidence=Evidence.GAMES),
        clause("AN-12", Standing.NOT_SHOWN),
        clause("AN-13", Standing.KNOWN),
    ),
    readings=(ReadingTaken("amarnepal", "sixes", "in-turn", 3, ("amarnepal/moving/inconsistent",)),),
    capabilities=(Capability("set", True, True), Capability("legal", True, False, "left out `Y>0`"), Capability("log", False, None)),
    watched=(Watched("amarnepal", 20, 4100, ("AN-09",), ("[AN-14] game 3, ply 7: nobody was captured",)),),
    problems=("known.yaml:3: `AN-01` was excused until 2026-01-01",),
)
"""A run with every verdict, every standing, and everything else that a run can hold."""

HOSTILE = replace(
    FULL,
    engine=NASTY,
    name=NASTY,
    version=LONG,
    command=NASTY,
    results=(
        result("capture/single", Verdict.FAIL, replace(CAPTURE, found=NASTY), title=NASTY, note=NASTY),
        result("capture/long", Verdict.FAIL, replace(CAPTURE, found=LONG, position=LONG), note=LONG),
        result("capture/moves", Verdict.FAIL, Miss("1", What.LEGAL, "roll 3", "20>23", f"{NASTY}, 20>24", NASTY)),
        result("capture/refused", Verdict.FAIL, Miss("1", What.REFUSED, "roll 3", "it is legal", NASTY, BEFORE)),
        result("capture/crash", Verdict.CRASH, branches=(), note=f"{NASTY}\n{NASTY}"),
        result("capture/unsupported", Verdict.UNSUPPORTED, branches=(), note=NASTY),
        result("capture/stranger", Verdict.FAIL, CAPTURE, variant=f"no-such-book-{NASTY[:8]}", clauses=("XX-99",)),
    ),
    capabilities=(Capability(NASTY, True, False, NASTY),),
    problems=(NASTY,),
)
"""A run of an engine that means ill."""
