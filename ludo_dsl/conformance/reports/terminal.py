"""A run for the terminal: fractions, readings, what was not shown, and the first failures with the board drawn."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from ludo_dsl.conformance.reports.failures import Drawn, Failure, Marked, look
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
from ludo_dsl.publish.draw import draw

FIRST = 10
"""Failures that are shown at length."""

_LABEL = 10
_MARK = "bold red"
_COLOURS = {0: "bold green", 1: "bold red", 2: "bold yellow"}


def show(run: Run, console: Console) -> None:
    """Prints a run; where the console is no terminal, as plain text of 80 columns at most but for what cannot be broken."""
    _Shown(console).run(run)


def failure_text(failure: Failure) -> str:
    """A failure as plain text, without the board."""
    return "\n".join(line.plain for line in _lines(failure))


class _Shown:
    def __init__(self, console: Console) -> None:
        self.console = console
        self.colour = console.is_terminal and console.color_system is not None and not console.no_color
        self.unicode = "utf" in (console.encoding or "utf-8").lower()
        self.width = max(40, console.width if console.is_terminal else 80)

    def run(self, run: Run) -> None:
        self._say(Text(f"{engine_name(run)}, held to suite {one_line(run.suite, 60)}{f' ({part(run)})' if part(run) else ''}", "bold"))
        for variant in variants_of(run):
            self._variant(run, variant)
        self._list("claims", [capability_says(c) for c in run.capabilities])
        self._list("problems", [one_line(p) for p in run.problems])
        self._failures(run)
        self._say(Text(""))
        self._say(Text(f"{engine_name(run)} {conclusion(run)}", _COLOURS[run.exit_code]))

    # ---- variants ----------------------------------------------------------------------------------------------------

    def _variant(self, run: Run, variant: str) -> None:
        self._say(Text(""))
        self._say(Text.assemble((variant_name(variant), "bold"), f": {fraction(run, variant)}"))
        self._list("scenarios", [counted(verdict_counts(run, variant))])
        for watched in (w for w in run.watched if w.variant == variant):
            self._list("watched", [f"{watched.games} games of {watched.plies} plies", *(one_line(f, 300) for f in watched.faults)])
        self._list("readings", [reading_says(r) for r in run.readings if r.variant == variant])
        for standing in (Standing.BROKEN, Standing.KNOWN, Standing.NOT_SHOWN):
            clauses = [c for c in run.clauses if c.variant == variant and c.standing is standing]
            self._list(str(standing), [_clause_says(c) for c in clauses])
        by_games = [c.clause for c in run.clauses if c.variant == variant and c.standing is Standing.KEPT and c.evidence is Evidence.GAMES]
        self._list("by games", [", ".join(by_games)] if by_games else [])

    # ---- failures ----------------------------------------------------------------------------------------------------

    def _failures(self, run: Run) -> None:
        self._group(run, "failures", of_verdicts(run, BROKEN))
        self._group(run, "not lived through", of_verdicts(run, SPOILT))
        known = of_verdicts(run, (Verdict.EXPECTED_FAILURE,))
        if known:
            self._say(Text(""))
            self._list("known", [f"{r.id}{f': {one_line(r.note, 200)}' if r.note else ''}" for r in known])

    def _group(self, run: Run, heading: str, results: Sequence[Result]) -> None:
        if results:
            self._say(Text(f"\n{heading}\n{'-' * len(heading)}", "bold"))
        for result in results[:FIRST]:
            self._failure(look(run, result))
        if len(results) > FIRST:
            self._say(Text(f"\n{len(results) - FIRST} others: `ludo report show` with --html or --json tells of all of them"))

    def _failure(self, failure: Failure) -> None:
        self._say(Text(""))
        for line in _lines(failure):
            self._say(line)
            if line.plain.startswith("  from ") and failure.boards:
                self._board(failure.boards[0])

    def _board(self, drawn: Drawn) -> None:
        board = draw(drawn.table, drawn.pieces, colour=self.colour, ascii_only=not self.unicode)
        for line in board.split("\n", allow_blank=True):
            self._put(Text("  ").append_text(line))

    # ---- lines -------------------------------------------------------------------------------------------------------

    def _list(self, label: str, entries: Sequence[str]) -> None:
        for number, entry in enumerate(entries):
            self._say(_labelled(label if not number else "", entry))

    def _say(self, line: Text) -> None:
        """Prints a line, broken between words; what is continued stands under its beginning. A command is kept whole, to be copied."""
        if line.plain.startswith("  again "):
            self._put(line)
            return
        indent = _LABEL + 4 if line.plain.startswith("  ") else 0
        for paragraph in line.split("\n", allow_blank=True):
            for piece in _wrapped(paragraph, self.width, indent):
                self._put(piece)

    def _put(self, line: Text) -> None:
        line.rstrip()
        self.console.print(line, soft_wrap=True, highlight=False)


def _wrapped(line: Text, width: int, indent: int) -> Iterator[Text]:
    """A line in pieces that are no wider than that; those after the first are indented."""
    first = next(iter(_broken(line.plain, width)), "")
    yield line[: len(first)]
    at = len(first)
    for piece in _broken(line.plain[at:], width - indent):
        blank = len(piece) - len(piece.lstrip())
        yield Text(" " * indent).append_text(line[at + blank : at + len(piece)])
        at += len(piece)


def _broken(text: str, width: int) -> list[str]:
    """A text broken between words, nothing of it lost."""
    wrapper = textwrap.TextWrapper(width, drop_whitespace=False, replace_whitespace=False, expand_tabs=False, break_on_hyphens=False)
    return wrapper.wrap(text)


def _clause_says(clause: ClauseResult) -> str:
    if clause.standing is not Standing.NOT_SHOWN:
        first = f": {one_line(clause.first_failure, 120)}" if clause.first_failure else ""
        return f"{clause.clause} ({clause.failed} failed, {clause.passed} passed){first}"
    return f"{clause.clause} ({clause.unplayed} not played)" if clause.unplayed else f"{clause.clause} (no scenario)"


def _labelled(label: str, text: str | Text) -> Text:
    return Text(f"  {label.ljust(_LABEL)}  ").append_text(text if isinstance(text, Text) else Text(text))


def _lines(failure: Failure) -> Iterator[Text]:
    result = failure.result
    yield Text.assemble((one_line(result.id, 200), "bold"), ": ", (str(result.verdict), _MARK))
    yield _labelled("", one_line(result.title, 300))
    if failure.says != result.verdict:
        yield _labelled("what", failure.says)
    if failure.reading:
        yield _labelled("reading", failure.reading)
    if result.options:
        yield _labelled("options", one_line(" ".join(f"{name}={value}" for name, value in result.options), 300))
    if failure.position:
        yield _labelled("from", failure.position)
    if failure.did:
        yield _labelled("done", failure.did)
    if failure.expected or failure.found:
        yield _labelled("expected", _text(failure.expected))
        yield _labelled("found", _text(failure.found))
    for number, difference in enumerate(failure.differences):
        yield _labelled("" if number else "differs", difference)
    for number, line in enumerate(failure.note.splitlines()):
        yield _labelled("" if number else "note", line)
    for number, rule in enumerate(failure.rules):
        yield _labelled("" if number else "rule", f"{rule.clause}{f': {rule.text}' if rule.text else ''}")
    yield _labelled("again", failure.command)


def _text(marked: Marked) -> Text:
    return Text.assemble(*((text, _MARK if differs else "") for text, differs in marked))
