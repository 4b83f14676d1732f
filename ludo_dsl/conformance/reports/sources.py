"""Where the rule books and scenarios of a run are: those of the project, or files that its command names."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ludo_dsl.conformance.reports.words import one_line
from ludo_dsl.conformance.running.verdicts import Result, Run
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Scenario, read_scenarios, read_suite, suite_folder
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.documents import DocumentError

_KEPT = ("--suite", "--variant", "--timeout", "--start-timeout")
"""Options of `ludo conform` that matter for one scenario."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the command of a run names: options that matter for one scenario, a suite of one's own, rule books by their variant."""

    options: tuple[tuple[str, str], ...]
    suite: str
    books: tuple[tuple[str, str], ...]

    def book(self, variant: str) -> str:
        """The rule book of a variant: a file, or its name."""
        return dict(self.books).get(variant, variant)


def sources(run: Run) -> Sources:
    """The sources of a run."""
    return _named(run.command)


@lru_cache(maxsize=64)
def _named(command: str) -> Sources:
    options = tuple(dict.fromkeys(_options(command)))
    suite = next((value for name, value in options if name == "--suite"), "")
    files = [value for name, value in options if name == "--variant" and value.endswith(".ludo")]
    books = ((_name(file), file) for file in files)
    return Sources(options, suite, tuple((name, file) for name, file in books if name))


def _options(command: str) -> Iterator[tuple[str, str]]:
    try:
        words = shlex.split(command)
    except ValueError:
        return
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if name in _KEPT and (equals or following):
            yield name, value if equals else following.removesuffix(";")


def _name(file: str) -> str:
    """The name that a rule book gives itself; nothing where it cannot be read."""
    try:
        return book_of(file).name
    except (RuleBookError, OSError, ValueError):
        return ""


def command(run: Run, scenario: str) -> str:
    """The command that plays one scenario again."""
    # A rule book of the project needs no naming: the scenario says which it is.
    kept = [(name, value) for name, value in sources(run).options if name != "--variant" or value.endswith(".ludo")]
    words = ["ludo", "conform", run.engine, *(word for option in kept for word in option), "--id", scenario]
    return " ".join(one_line(shlex.quote(word), 1000) for word in words)


def scenario_of(run: Run, result: Result) -> Scenario | None:
    """The scenario of a result, if it is on this machine as it was played."""
    suite = sources(run).suite
    known = _own(suite) if suite else _published(*result.id.split("/")[:2])
    scenario = known.get(result.id)
    same = scenario is not None and (scenario.variant, scenario.players, scenario.title) == (result.variant, result.players, result.title)
    return scenario if same else None


@lru_cache(maxsize=4)
def _own(folder: str) -> dict[str, Scenario]:
    try:
        return {s.id: s for s in read_suite(Path(folder))}
    except (OSError, DocumentError, ValueError):
        return {}


@lru_cache(maxsize=128)
def _published(variant: str, area: str = "") -> dict[str, Scenario]:
    try:
        return {s.id: s for s in read_scenarios(suite_folder() / variant / f"{area}.yaml")}
    except (OSError, DocumentError, ValueError):
        return {}
