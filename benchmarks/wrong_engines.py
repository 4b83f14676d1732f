"""How soon engines that each break one rule are caught: by which scenario of the suite, and by random games.

python benchmarks/wrong_engines.py [--seconds 30] [--seed 1] [ENGINE ...]

Prints a Markdown table. The engines are those of `tests/conformance/wrong/rules.py`, so this runs in a checkout only.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from ludo_dsl.conformance.fuzzing.fuzzer import fuzz
from ludo_dsl.conformance.running.runner import conform
from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Suite, read_suite
from ludo_dsl.conformance.talking.endpoints import connect

VARIANT = "amarnepal"
MODULE = "tests.conformance.wrong.rules"


def caught(name: str, suite: Suite) -> tuple[str, int]:
    """The first scenario that an engine fails, in the order of the suite, and how many it fails."""
    found = conform(connect(f"py:{MODULE}:{name}"), suite)
    failed = [r.id.removeprefix(f"{VARIANT}/") for r in found.results if r.verdict in (Verdict.FAIL, Verdict.INCONSISTENT)]
    return (failed or ["none"])[0], len(failed)


def fuzzed(name: str, seconds: float, seed: int) -> tuple[float | None, int, int, float]:
    """Seconds until random games differ (none if they do not), games and steps until then, and seconds with the shrinking."""
    began = time.monotonic()
    first: list[float] = []
    steps = [0, 0]

    def told(games: int, so_far: int, doing: str) -> None:
        if doing == "shrinking" and not first:
            first.append(time.monotonic() - began)
        if not first:
            steps[:] = games, so_far

    found = fuzz(connect(f"py:{MODULE}:{name}"), book_of(VARIANT), seconds=seconds, seed=seed, progress=told)
    whole = time.monotonic() - began
    return (None if found.finding is None else (first or [whole])[0]), steps[0] + 1, steps[1], whole


def row(name: str, engine: Any, suite: Suite, seconds: float, seed: int) -> tuple[str, float | None]:
    """The line of one engine, and how long the random games took."""
    scenario, failed = caught(name, suite)
    until, games, steps, whole = fuzzed(name, seconds, seed)
    soon = f"no difference in {whole:.0f} s ({games - 1} games)" if until is None else f"{until:.2f} s ({games} games, {steps} steps)"
    shrunk = "" if until is None else f"{whole:.1f} s"
    clauses = " ".join(sorted(engine.breaks))
    return f"| {engine.says} | {clauses} | `{scenario}` | {failed} | {soon} | {shrunk} |", until


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="for the random games on each engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("engines", nargs="*")
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1]))
    engines = importlib.import_module(MODULE).ENGINES
    suite = read_suite().chosen(variants=(VARIANT,))
    print("| What is wrong | Clauses | First scenario that fails | Fail | Random games differ after | With shrinking |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    times = []
    for name in chosen.engines or engines:
        line, until = row(name, engines[name], suite, chosen.seconds, chosen.seed)
        print(line, flush=True)
        times.append(until)
    found = [t for t in times if t is not None]
    if found:
        print(f"\n{len(found)} of {len(times)} found by random games; median {statistics.median(found):.2f} s, longest {max(found):.2f} s.")


if __name__ == "__main__":
    main()
