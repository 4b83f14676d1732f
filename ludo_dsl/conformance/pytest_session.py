"""What the pytest plugin does once an engine is named: which files it plays, and what becomes of each scenario.

A scenario on which no open question hangs is played when its turn comes. Which reading an engine takes follows from many scenarios:
those that hang on one are all played at the first of them, so that the outcome of each does not hang on the order. With
pytest-xdist, each worker does so for itself, with an engine of its own, and so comes to the same readings.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from ludo_dsl.check.finding import locate
from ludo_dsl.conformance.fuzzing.told import failure_shown
from ludo_dsl.conformance.reports.failures import look
from ludo_dsl.conformance.running.explaining import Explaining, among
from ludo_dsl.conformance.running.runner import barrier, introduce
from ludo_dsl.conformance.running.settling import settle
from ludo_dsl.conformance.running.started import EngineGoneError, Setup, Started, played
from ludo_dsl.conformance.running.verdicts import Result, Run, Verdict, result_of
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Scenario, suite_folder
from ludo_dsl.conformance.talking.endpoints import EngineTextError, Limits, StartError, connect
from ludo_dsl.conformance.talking.protocol import PROTOCOL, SUITE
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.documents import DocumentError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a scenario as a test, and the text that tells why."""

    kind: Literal["pass", "skip", "fail"]
    text: str = ""


def wanted_files(variants: tuple[str, ...], suite: Path | None) -> tuple[tuple[Path, ...], dict[str, str]]:
    """The files of scenarios that options name, and the rule books by the name of their variant.

    Raises `ValueError`, in words for users.
    """
    books: dict[str, str] = {}
    for name in variants:
        try:
            books[book_of(name).name] = str(locate(name)) if name.endswith(".ludo") else name
        except (RuleBookError, OSError) as error:
            raise ValueError(f"--ludo-variant {name}: {_first_line(error)}") from None
    if suite is not None:
        files = [suite] if suite.is_file() else sorted(suite.rglob("*.yaml"))
        if not files:
            raise ValueError(f"--ludo-suite {suite}: there are no scenarios here")
        return tuple(files), books
    found = {name: sorted((suite_folder() / name).glob("*.yaml")) for name in books}
    for name, files in found.items():
        if not files:
            raise ValueError(f"--ludo-variant {name}: the project has no scenarios of it; `--ludo-suite` names those of your own")
    return tuple(itertools.chain.from_iterable(found.values())), books


def _first_line(error: Exception) -> str:
    return error.diagnostics[0].message if isinstance(error, RuleBookError) else str(error)


def looks_like_scenarios(path: Path) -> bool:
    """Whether a file of YAML that nobody named is one of scenarios: by the comment that points editors to the schema, or the first key."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = list(itertools.islice(file, 20))
    except OSError:
        return False
    if any(line.startswith("#") and "scenarios.json" in line for line in lines):
        return True
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return first.startswith("- id: ") and first.count("/") == 2


class Playing:
    """Plays scenarios on one engine, which is started when the first of them is played.

    `books` are the rule books that were named; `scenarios` all that this session collected: from those among them that rest on a
    reading follows which readings the engine takes.
    """

    def __init__(self, engine: str, books: dict[str, str], seconds: float) -> None:
        self.engine = engine
        self.books = books
        self.scenarios: tuple[Scenario, ...] = ()
        self._limits = Limits(message=seconds)
        self._broken = ""
        self._started: Started | None = None
        self._run: Run | None = None
        self._settled: Run | None = None

    def close(self) -> None:
        """Ends the engine."""
        if self._started is not None:
            self._started.drop()

    def outcome(self, scenario: Scenario) -> Outcome:
        """What becomes of a scenario."""
        try:
            run, result = self._result(scenario)
        except (StartError, EngineTextError) as error:
            self._broken = f"the engine cannot be started: {error}"
        except EngineGoneError as error:
            self._broken = f"the engine can no longer be started: {error}"
        except (DocumentError, RuleBookError) as error:
            return Outcome("fail", str(error))
        if self._broken:
            return Outcome("fail", self._broken)
        return self._judged(run, result)

    def _judged(self, run: Run, result: Result) -> Outcome:
        match result.verdict:
            case Verdict.PASS | Verdict.READING:
                return Outcome("pass")
            case Verdict.UNSUPPORTED:
                return Outcome("skip", f"unsupported: {result.note}")
            case Verdict.OTHER_READING:
                return Outcome("skip", f"it rests on another reading: {result.note}")
            case _:
                return Outcome("fail", failure_shown(look(run, result)))

    # ---- playing -----------------------------------------------------------------------------------------------------

    def _result(self, scenario: Scenario) -> tuple[Run, Result]:
        """The result of a scenario, settled as far as it hangs on readings, and the run that it is part of."""
        run, started = self._introduced()
        if not scenario.questions or "readings" in started.setup.able:
            return run, self._played(scenario, run, started)
        if self._settled is None:
            open_ones = [s for s in self.scenarios if s.questions] or [scenario]
            results = tuple(self._played(s, run, started) for s in open_ones)
            self._settled = settle(_with(run, results), None, date.min, self.books, Explaining(among(open_ones), self.books))
        return self._settled, next(r for r in self._settled.results if r.id == scenario.id)

    def _introduced(self) -> tuple[Run, Started]:
        if self._run is None or self._started is None:
            if self._broken:
                raise StartError(self._broken)
            connector = connect(self.engine)
            said, capabilities = introduce(Setup(connector, self._limits, frozenset()))
            able = frozenset(c.name for c in capabilities if c.claimed and c.verified is not False)
            self._started = Started(Setup(connector, self._limits, able, 1, self.books))
            self._run = Run(
                engine=connector.name,
                name=said.name,
                version=said.version,
                protocol=PROTOCOL,
                suite=SUITE,
                started="",
                command=self._command(),
                variants=said.variants,
                capabilities=capabilities,
            )
        return self._run, self._started

    def _command(self) -> str:
        """The command of which reports of failures make one that plays a single scenario again."""
        files = [file for file in self.books.values() if file.endswith(".ludo")]
        return " ".join(["ludo", "conform", *(f"--variant {file}" for file in files)])

    @staticmethod
    def _played(scenario: Scenario, run: Run, started: Started) -> Result:
        why = barrier(scenario, started.setup.able, run.variants)
        return result_of(scenario, Verdict.UNSUPPORTED, (), why) if why else played(scenario, started)


def _with(run: Run, results: Iterable[Result]) -> Run:
    its = tuple(results)
    return replace(run, results=its, variants=tuple(dict.fromkeys(r.variant for r in its)), asked=len(its))
