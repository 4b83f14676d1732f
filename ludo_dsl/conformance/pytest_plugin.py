"""The scenarios as tests of pytest: one test for each, played on the engine that `--ludo-engine` names.

Without that option the plugin does nothing, and loads nothing: pytest imports it in every project where the package is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ludo_dsl.conformance.pytest_session import Playing
    from ludo_dsl.conformance.scenarios.suite import Scenario

NAMES = ("ludo_engine", "ludo_variant", "ludo_suite", "ludo_timeout")

HELPS = (
    "the engine on which scenarios are played: `exec:./my-engine`, or `py:module:Class`",
    "play the scenarios of this rule book, by name, or by file with those of `ludo_suite`",
    "a folder or a file of scenarios of your own",
    "seconds that an answer may take (5)",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options, and lines of the same names for the file of settings."""
    group = parser.getgroup("ludo", "scenarios of the Ludo rule books")
    for name, text in zip(NAMES, HELPS, strict=True):
        option = f"--{name.replace('_', '-')}"
        if name == "ludo_variant":
            group.addoption(option, dest=name, action="append", default=None, help=text)
            parser.addini(name, text, type="args", default=[])
        else:
            group.addoption(option, dest=name, default=None, help=text)
            parser.addini(name, text, type="string", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Goes to work where an engine is named."""
    if config.getoption("ludo_engine") or config.getini("ludo_engine"):
        config.pluginmanager.register(_Scenarios(config), "ludo-scenarios")


class _Scenarios:
    """Collects scenarios, and plays them."""

    def __init__(self, config: pytest.Config) -> None:
        from ludo_dsl.conformance.pytest_session import Playing, wanted_files

        def given(name: str) -> str:
            return str(config.getoption(name) or config.getini(name) or "")

        variants = config.getoption("ludo_variant") or config.getini("ludo_variant")
        suite = Path(given("ludo_suite")) if given("ludo_suite") else None
        if suite is not None and not suite.is_absolute():
            suite = (config.invocation_params.dir if config.getoption("ludo_suite") else config.rootpath) / suite
        try:
            seconds = float(given("ludo_timeout") or 5)
            self.files, books = wanted_files(tuple(variants), suite)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None
        # Named as files on the command line are: their tests can be chosen by id, and deselected.
        known = [str(arg).partition("::")[0] for arg in config.args]
        config.args += [str(file) for file in self.files if str(file) not in known]
        self.variants = tuple(books) if suite is not None else ()
        self.playing: Playing = Playing(given("ludo_engine"), books, seconds)

    @pytest.hookimpl
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A file of scenarios: one that is named, or that looks like one."""
        from ludo_dsl.conformance.pytest_session import looks_like_scenarios

        if file_path.suffix not in (".yaml", ".yml"):
            return None
        if file_path not in self.files and not parent.session.isinitpath(file_path) and not looks_like_scenarios(file_path):
            return None
        # Files outside of the project, such as those that come with the package, have no name of their own for pytest.
        inside = file_path.is_relative_to(parent.config.rootpath)
        nodeid = None if inside else f"{file_path.parent.name}/{file_path.name}"
        file = ScenarioFile.from_parent(parent, path=file_path, nodeid=nodeid)
        file.playing = self.playing
        file.variants = self.variants if file_path in self.files else ()
        return file

    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Before the first test: which scenarios there are, for the readings are inferred from all of them."""
        self.playing.scenarios = tuple(item.scenario for item in session.items if isinstance(item, ScenarioItem))

    def pytest_unconfigure(self) -> None:
        """Ends the engine."""
        self.playing.close()


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    playing: Playing
    variants: tuple[str, ...]

    def collect(self) -> Iterator[ScenarioItem]:
        """A test for each scenario, named by its id. What is wrong with the file is an error of collection."""
        from ludo_dsl.conformance.scenarios.suite import read_scenarios
        from ludo_dsl.documents import DocumentError

        try:
            scenarios = read_scenarios(self.path)
        except DocumentError as error:
            raise self.CollectError(f"{error}\n{error.hint}".rstrip()) from None
        for scenario in scenarios:
            if not self.variants or scenario.variant in self.variants:
                item: ScenarioItem = ScenarioItem.from_parent(self, name=scenario.id)
                item.scenario, item.playing = scenario, self.playing
                yield item


class ScenarioItem(pytest.Item):
    """One scenario as a test."""

    scenario: Scenario
    playing: Playing

    def runtest(self) -> None:
        """Plays the scenario; a skip says why it cannot be shown, or on which other reading it rests."""
        outcome = self.playing.outcome(self.scenario)
        if outcome.kind == "skip":
            pytest.skip(outcome.text)
        if outcome.kind == "fail":
            raise _FailedError(outcome.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The failure as reports of `ludo conform` show it."""
        if isinstance(excinfo.value, _FailedError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, line (from 0) and id."""
        return self.path, max(0, self.scenario.line - 1), self.name


class _FailedError(Exception):
    """A scenario that fails; the message is the whole report."""
