"""What the fuzzer found, in words: the board, what was done, what differs, the rule's own sentence."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from ludo_dsl.conformance.fuzzing.found import Finding
from ludo_dsl.conformance.fuzzing.fuzzer import Fuzzed
from ludo_dsl.conformance.fuzzing.steps import action_text
from ludo_dsl.conformance.reports.failures import Drawn, Failure, look, table_for
from ludo_dsl.conformance.reports.terminal import failure_text
from ludo_dsl.conformance.reports.words import one_line
from ludo_dsl.conformance.running.verdicts import Run
from ludo_dsl.conformance.scenarios.subjects import reference_for
from ludo_dsl.conformance.scenarios.suite import scenario_from
from ludo_dsl.publish.draw import draw

WIDE = 120
"""Characters of a line that holds sentences."""

FIRST = 3
"""Tables that are named at length where there are many."""


def finding_text(fuzzed: Fuzzed, finding: Finding, *, book: str, again: str, colour: bool = False, ascii_only: bool = False) -> str:
    """The finding as text of several lines; `book` is the name or the file of the rule book, `again` a command that finds it again."""
    return failure_shown(finding_failure(fuzzed, finding, book=book, again=again), colour=colour, ascii_only=ascii_only)


def finding_failure(fuzzed: Fuzzed, finding: Finding, *, book: str, again: str) -> Failure:
    """The finding as a failure of its scenario, from where the scenario begins."""
    result = finding.result()
    run = Run(fuzzed.engine, fuzzed.name, fuzzed.version, 1, "", "", f"ludo fuzz --variant {book}", (fuzzed.variant,), results=(result,))
    failure = look(run, result)
    beginning = finding.played.beginning
    readings = scenario_from(finding.scenario).branches[0].chosen
    table = table_for(book, beginning.seating.players, beginning.seating.options, tuple(readings.items()))
    boards: tuple[Drawn, ...] = ()
    if table is not None:
        boards = (Drawn("before", table, beginning.state(reference_for(table)).pieces),)
    return replace(
        failure,
        says=one_line(finding.difference.says()),
        position=beginning.position or "the opening",
        did=one_line(", ".join(map(action_text, finding.played.actions)) or "nothing"),
        boards=boards,
        command=again,
    )


def failure_shown(failure: Failure, *, colour: bool = False, ascii_only: bool = False) -> str:
    """A failure as text, with the board drawn under the position from which it comes."""
    lines: list[str] = []
    label = ""
    for line in failure_text(failure).splitlines():
        label = line[2:12].strip() or label
        # Sentences are broken between words; positions and commands are kept whole, to be copied.
        lines += textwrap.wrap(line, WIDE, subsequent_indent=" " * 16, break_long_words=False) if label == "rule" else [line]
        if line.startswith("  from ") and failure.boards:
            first = failure.boards[0]
            board = draw(first.table, first.pieces, colour=colour, ascii_only=ascii_only)
            lines += [f"  {row.plain.rstrip()}".rstrip() for row in board.split("\n", allow_blank=True)]
    return "\n".join(lines)


def summary_lines(fuzzed: Fuzzed) -> list[str]:
    """What was played, and what was found out beside differences, a line for each thing."""
    lines = [
        f"{one_line(f'{fuzzed.name} {fuzzed.version}', 120)} plays {fuzzed.variant} in step with the rules (seed {fuzzed.seed})",
        _labelled(
            "played", f"{_many(fuzzed.games, 'game')}, {_many(fuzzed.steps, 'step')}, {fuzzed.positions:,} of them from rich positions"
        ),
    ]
    most = sorted(fuzzed.tables, key=lambda t: -t.games)
    lines += [_labelled("" if n else "tables", f"{t.seating.says()}: {_many(t.games, 'game')}") for n, t in enumerate(most[:FIRST])]
    if len(most) > FIRST:
        rest = most[FIRST:]
        lines.append(_labelled("", f"{len(rest)} others: {_many(sum(t.games for t in rest), 'game')}"))
    lines += [_labelled("" if n else "readings", text) for n, text in enumerate(_readings(fuzzed))]
    lines += [_labelled("" if n else "left out", f"{what}: {one_line(why, 200)}") for n, (what, why) in enumerate(fuzzed.unsupported)]
    if fuzzed.refusals:
        position, why = fuzzed.refused[0]
        lines.append(_labelled("refused", f"{_many(fuzzed.refusals, 'position')}, the first {position}: {one_line(why, 200)}"))
    return lines


def _readings(fuzzed: Fuzzed) -> list[str]:
    if fuzzed.told:
        return ["the engine was told which to play, another one now and then"]
    says = {"given": "as you say", "shown": "no other one explains its games"}
    return [f"{t.question}={t.value} ({says.get(t.how) or f'assumed; {_listed(t.others)} would do as well'})" for t in fuzzed.readings]


def _listed(values: tuple[str, ...]) -> str:
    return ", ".join(values) if len(values) <= 4 else f"{len(values)} others"


def _labelled(label: str, text: str) -> str:
    return f"  {label:<10}  {text}"


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
