"""A scenario that went wrong, as every report shows it: the position, what was done, what differs, and the rule's own sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.reports.sources import command, scenario_of, sources
from ludo_dsl.conformance.reports.words import one_line, some_lines
from ludo_dsl.conformance.running.verdicts import BranchPlayed, Result, Run, Verdict
from ludo_dsl.conformance.scenarios.playing import Miss, What
from ludo_dsl.conformance.scenarios.subjects import UnreadableError, book_of, read_leniently, reference_for
from ludo_dsl.conformance.scenarios.suite import Step, readings_text
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import position_text, roll_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import State
from ludo_dsl.rules.table import Table, TableError, make_table
from ludo_dsl.rules.wording import fill

Marked = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it differs."""

_GROUND = ("board", "players", "dice")
"""Declarations whose sentences tell of many things at once."""

_REASONED = re.compile(r"(?P<text>[^()]*) \((?P<why>.*)\)", re.DOTALL)
"""A position that could not be read, and why."""

_READABLE = 5000
"""Characters of a text of an engine that are tried as a position."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A position to be drawn, and what it is called."""

    label: str
    table: Table
    pieces: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A clause, and what the rule book says of it (empty where it cannot be read)."""

    clause: str
    text: str


@dataclass(frozen=True)
class Failure:
    """A result as it is shown. `did` is what was done since `position`; `boards` what there is to draw: before, expected, found."""

    result: Result
    says: str
    reading: str
    position: str
    did: str
    expected: Marked
    found: Marked
    differences: tuple[str, ...]
    rules: tuple[Told, ...]
    boards: tuple[Drawn, ...]
    note: str
    command: str


def look(run: Run, result: Result) -> Failure:
    """What there is to be shown of a result."""
    branch = _telling(run, result)
    miss = branch.miss if branch is not None else None
    readings = branch.readings if branch is not None else ()
    book = sources(run).book(result.variant)
    table = table_for(book, result.players, result.options, tuple((n, v[0]) for n, v in readings))
    rules = tuple(Told(clause, sentence(book, clause, table)) for clause in result.clauses)
    boards, expected, found, differences = _compared(table, miss)
    return Failure(
        result=result,
        says=_says(result, miss),
        reading=readings_text(readings),
        position=one_line(miss.position) if miss is not None else "",
        did=_did(run, result, branch, miss),
        expected=expected,
        found=found,
        differences=differences,
        rules=rules,
        boards=boards,
        note=some_lines(result.note),
        command=command(run, result.id),
    )


def _telling(run: Run, result: Result) -> BranchPlayed | None:
    """The branch whose miss tells most: that of the readings which the engine takes, else the first."""
    missed = [b for b in result.branches if b.miss is not None]
    taken = {r.question: r.value for r in run.readings if r.variant == result.variant}
    fitting = [b for b in missed if all(taken.get(name) in (None, *values) for name, values in b.readings)]
    return next(iter([*fitting, *missed]), None)


def _says(result: Result, miss: Miss | None) -> str:
    if result.verdict is Verdict.INCONSISTENT and result.passed:
        return "it takes one reading here, and another elsewhere"
    if miss is None:
        return str(result.verdict)
    # What the engine said may have any length.
    return one_line(Miss(miss.where, miss.what, miss.doing, miss.expected, miss.found[:200], miss.position).says())


# ---- the rule's own words ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def table_for(
    variant: str, players: int | None, options: tuple[tuple[str, object], ...], readings: tuple[tuple[str, object], ...]
) -> Table | None:
    """The table of a scenario; none where its rule book is not on this machine, or has changed."""
    try:
        return make_table(book_of(variant), players, dict(options), dict(readings))
    except (RuleBookError, TableError, OSError, ValueError):
        return None


def sentence(variant: str, clause: str, table: Table | None = None) -> str:
    """What the rule book says of a clause, or of a rule by name; what the register says where no rule in force tells; or nothing."""
    if table is None:
        table = table_for(variant, None, (), ())
    said = list(dict.fromkeys(_sentences(table, clause))) if table is not None else []
    known = register().get(clause)
    return " ".join(said) or (known.fact if known is not None else "")


def _sentences(table: Table, clause: str) -> list[str]:
    """The sentences of the rules that state a clause; only where no rule does, those of the board and the dice."""
    citing = [d for d in table.book.declarations if d.name == clause or any(c.clause == clause for c in d.citations)]
    said = [(d.kind in _GROUND, fill(s.text, table, d)) for d in citing for s in d.sentences if table.holds(s.condition)]
    return [text for ground, text in said if not ground] or [text for _, text in said]


# ---- what was done -----------------------------------------------------------------------------------------------------


def _did(run: Run, result: Result, branch: BranchPlayed | None, miss: Miss | None) -> str:
    """Rolls and moves since the position in which both agreed; only the last where the scenario is not on this machine."""
    if miss is None or branch is None:
        return ""
    scenario = scenario_of(run, result)
    steps = next((b.steps for b in scenario.branches if b.readings == branch.readings), ()) if scenario is not None else ()
    before: list[str] = []
    for step in steps:
        if step.where == miss.where:
            break
        before = [] if step.then is not None else [*before, *_done(step)]
    return one_line(", ".join([*before, *([miss.doing] if miss.doing else [])]))


def _done(step: Step) -> list[str]:
    return [f"roll {roll_text(step.roll)}"] if step.roll is not None else [f"move {step.move}"] if step.move is not None else []


# ---- what differs --------------------------------------------------------------------------------------------------------

_Comparison = tuple[tuple[Drawn, ...], Marked, Marked, tuple[str, ...]]


def _compared(table: Table | None, miss: Miss | None) -> _Comparison:
    if miss is None:
        return (), (), (), ()
    before = tuple(_board("before", table, miss.position))
    if miss.what is What.POSITION:
        expected, found, differences = _positions(table, miss.expected, miss.found)
        after = (*_board("expected", table, miss.expected), *_board("found", table, miss.found))
        return before + (after if len({b.pieces for b in after}) > 1 else ()), expected, found, differences
    if miss.what is What.LEGAL:
        return before, *_moves(miss.expected, miss.found)
    return before, ((one_line(miss.expected), False),), ((one_line(miss.found), False),), ()


def _state(table: Table | None, text: str) -> State | None:
    if table is None or len(text) > _READABLE:
        return None
    reference = reference_for(table)
    try:
        return reference.start(0) if text == "the opening" else read_leniently(reference, text)
    except (UnreadableError, GameError):
        return None


def _board(label: str, table: Table | None, text: str) -> Iterator[Drawn]:
    state = _state(table, text)
    pieces = state.pieces if state is not None else _pieces(table, text)
    if table is not None and pieces is not None:
        yield Drawn(label, table, pieces)


def _pieces(table: Table | None, text: str) -> tuple[tuple[int, ...], ...] | None:
    """The pieces of a position that cannot be, such as rivals on one square; none where their places cannot be told."""
    fields = _split(text)
    if table is None or not fields:
        return None
    found = []
    for route in table.routes:
        places = [route.by_text.get(word.partition("*")[0]) for word in fields.get(route.colour, "").split(",")]
        known = tuple(sorted(place for place in places if place is not None))
        if len(known) != len(places) or len(known) != table.pieces:
            return None
        found.append(known)
    return tuple(found)


def _split(text: str) -> dict[str, str]:
    reasoned = _REASONED.fullmatch(text[:_READABLE])
    try:
        return split_fields(reasoned["text"] if reasoned else text[:_READABLE])
    except GameError:
        return {}


def _fields(table: Table | None, text: str) -> dict[str, str]:
    """The fields of a position, written as the rules need them where the text can be read; the order of pieces never matters."""
    state = _state(table, text)
    if table is None or state is None:
        colours = table.colours if table is not None else ()
        return {name: ",".join(sorted(value.split(","))) if name in colours else value for name, value in _split(text).items()}
    return _split(position_text(table, state))


def _positions(table: Table | None, expected: str, found: str) -> tuple[Marked, Marked, tuple[str, ...]]:
    wanted, given = _fields(table, expected), _fields(table, found)
    other = {name for name in (*wanted, *given) if wanted.get(name) != given.get(name)} if wanted and given else set()
    differences = [_difference(name, wanted.get(name), given.get(name)) for name in dict.fromkeys((*wanted, *given)) if name in other]
    reasoned = _REASONED.fullmatch(found[:_READABLE])
    if reasoned:
        found = reasoned["text"]
        differences.append(reasoned["why"])
    mine = tuple(_marked(expected, given, other))
    theirs = tuple(_marked(found, wanted, other))
    return mine, theirs, tuple(one_line(d, 300) for d in differences)


def _difference(name: str, wanted: str | None, given: str | None) -> str:
    if wanted is None:
        return f"{name}: {given}, where none is expected"
    if given is None:
        return f"{name}: none instead of {wanted}"
    mine, theirs = Counter(wanted.split(",")), Counter(given.split(","))
    gone, come = list((mine - theirs).elements()), list((theirs - mine).elements())
    return f"{name}: {','.join(come)} instead of {','.join(gone)}" if gone and come else f"{name}: {given} instead of {wanted}"


def _marked(text: str, other: dict[str, str], differing: set[str]) -> Iterator[tuple[str, bool]]:
    """A position in pieces: what of it the other one does not have is marked."""
    for number, word in enumerate(one_line(text).split(" ")):
        gap = " " if number else ""
        name, equals, value = word.partition("=")
        if name not in differing or not equals:
            yield gap + word, False
            continue
        yield f"{gap}{name}=", False
        left = Counter(other.get(name, "").split(","))
        parts = value.split(",")
        alone = parts if name in other and len(parts) > 1 else []
        for i, part in enumerate(alone or [value]):
            shared = bool(alone) and left[part] > 0
            left[part] -= 1
            yield from [(",", False)] if i else []
            yield part, not shared


def _moves(expected: str, found: str) -> tuple[Marked, Marked, tuple[str, ...]]:
    wanted, given = ([one_line(move, 200) for move in text[:_READABLE].split(", ")] for text in (expected, found))
    left_out, extra = ([m for m in one if m not in other and m != "none"] for one, other in ((wanted, given), (given, wanted)))
    differences = [f"left out: {', '.join(left_out)}"] if left_out else []
    differences += [f"not legal: {', '.join(extra)}"] if extra else []
    return tuple(_listed(wanted, left_out)), tuple(_listed(given, extra)), tuple(one_line(d, 300) for d in differences)


def _listed(moves: list[str], marked: list[str]) -> Iterator[tuple[str, bool]]:
    for number, move in enumerate(moves):
        yield from [(", ", False)] if number else []
        yield move, move in marked
