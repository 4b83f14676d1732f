"""`ludo conform`: an engine held to the rules."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludo_dsl.cli.common import console, json_option, print_json, settings, shortened

if TYPE_CHECKING:
    from ludo_dsl.conformance.reports import JsonlWriter
    from ludo_dsl.conformance.running.runner import Progress, Shard
    from ludo_dsl.conformance.running.verdicts import Run
    from ludo_dsl.conformance.scenarios.suite import Scenario, Suite

FAILED = 3
"""The exit code where the runner itself has failed; 2 says that something could not be shown."""

STOPPED = 130

WORTH = 60
"""Scenarios for which it is worth while to start a process."""


class _Conform(click.Command):
    """A command whose every failure of its own has one exit code, bad usage included: the others are about the engine."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Reads the arguments, and keeps them as they were given."""
        given = list(args)
        with _failing("--json" in given):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta["given"] = given
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        with _failing(bool(ctx.params.get("as_json"))):
            return super().invoke(ctx)


@contextlib.contextmanager
def _failing(as_json: bool) -> Iterator[None]:
    try:
        yield
    except (click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except Exception as error:
        from ludo_dsl.cli.faults import report

        report(_in_words(error), ["--json"] if as_json else [])
        raise SystemExit(FAILED) from None


def _in_words(error: Exception) -> Exception:
    """Errors that only engines make, as errors that every verb can have."""
    from ludo_dsl.conformance.talking.asking import EngineTextError, StartError
    from ludo_dsl.game.errors import GameError

    return GameError(error.message, error.hint) if isinstance(error, EngineTextError | StartError) else error


_FILE = click.Path(dir_okay=False, path_type=Path)
_SECONDS = click.FloatRange(0, min_open=True)


@click.command(cls=_Conform)
@click.argument("engine")
@click.option("--variant", "variants", metavar="V", multiple=True, help="Only this rule book, by name or file; may be repeated.")
@click.option("--option", "options", metavar="K=V", multiple=True, help="Only scenarios with this option; may be repeated.")
@click.option("--suite", "folder", type=click.Path(exists=True, path_type=Path), help="Folder or file of scenarios of your own.")
@click.option("--clause", "clauses", metavar="C", multiple=True, help="Only scenarios that cite this clause; may be repeated.")
@click.option("--id", "ids", metavar="ID", multiple=True, help="Only this scenario; `*` at its end stands for anything. May be repeated.")
@click.option("--area", "areas", metavar="A", multiple=True, help="Only this area of the rules, such as `capture`; may be repeated.")
@click.option("--jobs", type=click.IntRange(1), help="Processes, each with an engine. [default: as many as are worth while]")
@click.option("--shard", metavar="I/N", help="Only part I, from 1, of N that together are the whole; `ludo report merge` joins them.")
@click.option("--timeout", type=_SECONDS, default=5.0, show_default=True, help="Seconds that an answer may take.")
@click.option("--start-timeout", type=_SECONDS, default=10.0, show_default=True, help="Seconds that `hello` may take, start included.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other games where games are watched.")
@click.option("--games", type=click.IntRange(0), default=20, show_default=True, help="Games of a variant that are watched, if need be.")
@click.option("--known", "known_file", type=_FILE, help="File of known failures: they run, and are excused until their day.")
@click.option("--jsonl", "--report", "jsonl", type=_FILE, help="Write a report that `ludo report` reads (JSON Lines).")
@click.option("--junit", type=_FILE, help="Write JUnit XML, as continuous integration reads it.")
@click.option("--html", type=_FILE, help="Write a page of HTML that needs nothing outside it.")
@click.option("--badge", type=_FILE, help="Write a badge: FILE.svg is a picture, FILE.json the endpoint of shields.io.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@json_option
@click.pass_context
def conform(
    context: click.Context,
    engine: str,
    variants: tuple[str, ...],
    options: tuple[str, ...],
    folder: Path | None,
    clauses: tuple[str, ...],
    ids: tuple[str, ...],
    areas: tuple[str, ...],
    jobs: int | None,
    shard: str | None,
    timeout: float,
    start_timeout: float,
    seed: int,
    games: int,
    known_file: Path | None,
    jsonl: Path | None,
    junit: Path | None,
    html: Path | None,
    badge: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Hold an engine to the rules: which it keeps, which it breaks, and what could not be shown.

    ENGINE is a command (`exec:./my-engine --flag`) that answers the protocol on its standard input and output, or a Python class
    (`py:module:Class`) that answers it by a method.

    Exit codes: 0 it conforms, 1 it breaks a rule, 2 something could not be shown, 3 the run itself failed. Ctrl-C stops (130), and
    what was found until then is reported.
    """
    from ludo_dsl.conformance.running.known import read_known
    from ludo_dsl.conformance.running.runner import About, conform, was_stopped
    from ludo_dsl.conformance.scenarios.suite import read_suite
    from ludo_dsl.conformance.talking.endpoints import Limits, connect

    connector = connect(engine)
    outputs = _Outputs(jsonl, junit, html, badge)
    outputs.require()
    part = _shard(shard)
    known = read_known(known_file) if known_file else None
    whole = read_suite(folder)
    books = _books(variants, whole)
    wanted = _Wanted(tuple(books) if variants else (), areas, clauses, ids, settings(options, "option"))
    suite = wanted.of(whole, books)
    about = About(
        **({"suite": str(folder)} if folder else {}),
        scope=wanted.says(),
        command=shlex.join(["ludo", "conform", *context.meta["given"]]),
        problems=known.strangers(whole) if known else (),
    )
    writer = outputs.writer()
    try:
        with _bar(quiet) as progress:
            run = conform(
                connector,
                suite,
                variants=wanted.variants,
                jobs=jobs or max(1, min(os.cpu_count() or 1, len(suite) // WORTH)),
                shard=part,
                limits=Limits(start_timeout, timeout),
                seed=seed,
                known=known,
                progress=progress,
                games=games,
                books=books,
                about=about,
                listener=writer,
            )
    finally:
        if writer is not None:
            writer.abandon()
    try:
        outputs.write(run, writer)
    finally:
        if not quiet or as_json:
            _tell(run, as_json)
    return STOPPED if was_stopped(run) else run.exit_code


def _tell(run: Run, as_json: bool) -> None:
    from ludo_dsl.conformance.reports import show
    from ludo_dsl.conformance.reports.summary import summary
    from ludo_dsl.conformance.running.runner import was_stopped

    if as_json:
        print_json({**summary(run), "stopped": was_stopped(run)})
        return
    show(run, console())
    if was_stopped(run):
        click.echo("stopped: what stands here is what has been found so far")


@contextlib.contextmanager
def _bar(quiet: bool) -> Iterator[Progress]:
    """A progress bar on standard error, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    errors = Console(stderr=True)
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[failed]}"))
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as bar:
        task = bar.add_task("scenarios", total=None, failed="")

        def progress(done: int, total: int, failed: int) -> None:
            bar.update(task, completed=done, total=total, failed=f"[red]{failed} failed" if failed else "")

        yield progress


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _shard(text: str | None) -> Shard | None:
    if text is None:
        return None
    number, slash, of = text.partition("/")
    if slash and all(n.isascii() and n.isdigit() and len(n) < 7 for n in (number, of)) and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise click.UsageError(f"--shard {shlex.quote(shortened(text))}: write it as `1/4`, from `1/4` to `4/4`")


Books = dict[str, str]
"""The rule books of a run by the name of their variant: how each is found."""


def _books(variants: Sequence[str], suite: Suite) -> Books:
    """The rule books that are named, or all that the suite is about. Raises `RuleBookError`."""
    from ludo_dsl.check.finding import locate
    from ludo_dsl.conformance.scenarios.subjects import book_of
    from ludo_dsl.diagnostics import RuleBookError

    books = {book_of(name).name: name for name in variants}
    for name in books:
        if name not in suite.variants:
            raise click.UsageError(f"there are no scenarios of `{name}`; `--suite` names those of your own")
    for name in () if variants else suite.variants:
        try:
            locate(name)
        except RuleBookError:
            hint = f"name its file, as in `--variant {name}.ludo`"
            raise click.UsageError(f"the suite has scenarios of `{name}`, and there is no such rule book here: {hint}") from None
    return books or {name: name for name in suite.variants}


@dataclass(frozen=True)
class _Wanted:
    """Which scenarios are asked for."""

    variants: tuple[str, ...]
    areas: tuple[str, ...]
    clauses: tuple[str, ...]
    ids: tuple[str, ...]
    options: dict[str, object]

    def says(self) -> str:
        """The part of the suite in words; empty for the whole, whatever the variants."""
        options = tuple(f"{name}={value}" for name, value in self.options.items())
        parts = (("area", self.areas), ("clause", self.clauses), ("id", self.ids), ("option", options))
        return ", ".join(f"{what} {' '.join(names)}" for what, names in parts if names)

    def of(self, suite: Suite, books: Books) -> Suite:
        """The scenarios asked for: at least one for each thing that is named. Raises `UsageError` or `TableError`."""
        from ludo_dsl.conformance.scenarios.suite import Suite

        for id_ in self.ids:
            _require(id_, [s.id for s in suite], "scenario", suite.chosen(ids=(id_,)))
        for area in self.areas:
            _require(area, [s.area for s in suite], "area", suite.chosen(areas=(area,)))
        for clause in self.clauses:
            _require(clause, [c for s in suite for c in s.clauses], "clause", suite.chosen(clauses=(clause,)))
        found = suite.chosen(self.variants, self.areas, self.clauses, self.ids)
        fits = self._with_options(books)
        chosen = Suite(tuple(s for s in found if fits(s)))
        if not chosen.scenarios:
            raise click.UsageError("no scenario fits all that is asked for; leave out one of the filters")
        return chosen

    def _with_options(self, books: Books) -> Callable[[Scenario], bool]:
        """Whether a scenario is played with the options asked for, its defaults among them."""
        from ludo_dsl.conformance.scenarios.subjects import book_of
        from ludo_dsl.diagnostics import suggestion
        from ludo_dsl.rules.table import read_value

        if not self.options:
            return lambda scenario: True
        known = {s.id for name in books.values() for s in book_of(name).settings if s.role == "option"}
        for name in self.options:
            if name not in known:
                raise click.UsageError(f"there is no option `{shortened(name)}`: {suggestion(name, known, 'options')}")

        def fits(scenario: Scenario) -> bool:
            book = book_of(books[scenario.variant])
            chosen = dict(scenario.options)
            for name, value in self.options.items():
                setting = book.setting(name)
                if setting is None or setting.role != "option":
                    return False
                played = read_value(book, setting, chosen[name]) if name in chosen else setting.default
                if played != read_value(book, setting, value):
                    return False
            return True

        return fits


def _require(name: str, known: Iterable[str], kind: str, found: Suite) -> None:
    from ludo_dsl.diagnostics import closest

    if not found.scenarios:
        near = closest(name, known)
        raise click.UsageError(f"no scenario has the {kind} `{shortened(name)}`" + (f": did you mean `{near}`?" if near else ""))


# ---- what is written -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outputs:
    """The report files that are asked for."""

    jsonl: Path | None
    junit: Path | None
    html: Path | None
    badge: Path | None

    def require(self) -> None:
        """Sees to it that each can be written, before anything is played. Raises `UsageError` or `OSError`."""
        from ludo_dsl.conformance.reports.badge import ENDINGS

        if self.badge is not None and not str(self.badge).endswith(ENDINGS):
            raise click.UsageError(f"--badge {self.badge}: the name of a badge ends in {' or '.join(f'`{e}`' for e in ENDINGS)}")
        files = [f for f in (self.jsonl, self.junit, self.html, self.badge) if f is not None]
        for file in files:
            if files.count(file) > 1:
                raise click.UsageError(f"{file} is named for two reports; name another file for one of them")
            _require_writable(file)

    def writer(self) -> JsonlWriter | None:
        """Writes results as they come, so that whatever happens to the runner, they are not lost."""
        from ludo_dsl.conformance.reports import JsonlWriter

        return JsonlWriter(self.jsonl) if self.jsonl is not None else None

    def write(self, run: Run, writer: JsonlWriter | None) -> None:
        """Writes every report; one that cannot be written does not keep the others from it. Raises `OSError`."""
        from ludo_dsl.conformance.reports import write_badge, write_html, write_junit
        from ludo_dsl.conformance.running.runner import undisturbed

        failed: OSError | None = None
        with undisturbed():
            if writer is not None:
                failed = _attempt(lambda: writer.close(run))
            for file, write in ((self.junit, write_junit), (self.html, write_html), (self.badge, write_badge)):
                if file is not None:
                    failed = _written(write, run, file) or failed
        if failed is not None:
            raise failed


def _written(write: Callable[[Run, Path], None], run: Run, file: Path) -> OSError | None:
    return _attempt(lambda: write(run, file))


def _attempt(write: Callable[[], None]) -> OSError | None:
    try:
        write()
    except OSError as error:
        return error
    return None


def _require_writable(file: Path) -> None:
    """Sees to it that a file can be written, and leaves no trace. Raises `OSError`."""
    if file.exists():
        with file.open("ab"):
            return
    file.touch()
    file.unlink()
