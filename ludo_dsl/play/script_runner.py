"""Running a table script: each step is done at the table, and what comes of it is compared with what is expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludo_dsl.diagnostics import RuleBookError, suggestion
from ludo_dsl.game.errors import AmbiguousMoveError, GameError, IllegalMoveError, IllegalRollError, NotationError, PositionError
from ludo_dsl.play.game import Game, RuleBook, load
from ludo_dsl.play.host import Party, apply, open_table
from ludo_dsl.play.host_events import Clock, Computed, HostError, Note
from ludo_dsl.play.script_steps import ClockTo, ComputersPlay, ScriptEvent
from ludo_dsl.play.scripts import OtherVariantError, Script, ScriptStep
from ludo_dsl.play.snapshot import snapshot
from ludo_dsl.rules.table import TableError

MOST_PLIES = 100_000
"""Plies that `computers` may play: no game of the project is nearly as long."""

_CODES: tuple[tuple[type[Exception], str], ...] = (
    (IllegalRollError, "illegal-roll"),
    (IllegalMoveError, "illegal-move"),
    (AmbiguousMoveError, "ambiguous-move"),
    (NotationError, "illegal-move"),
    (TableError, "not-offered"),
)

REFUSALS = ("refused", *sorted({e.code for e in HostError.__subclasses__()} | {code for _, code in _CODES}))
"""Every reason that a step can be refused for, as scripts name it."""


@dataclass(frozen=True)
class Difference:
    """What came otherwise: what was asked about, and what was expected and found."""

    what: str
    expected: object
    found: object


@dataclass(frozen=True)
class Done:
    """A step that was done: what was told, why it was refused if it was, and what differs from what is expected."""

    step: ScriptStep
    party: Party
    notes: tuple[Note, ...]
    refused: str | None
    reason: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a script: its steps up to the first that came otherwise."""

    script: Script
    done: tuple[Done, ...]

    @property
    def failed(self) -> Done | None:
        """The step that came otherwise, if one did."""
        return self.done[-1] if self.done and self.done[-1].differences else None

    def as_json(self) -> dict[str, object]:
        """The outcome as plain data."""
        found: dict[str, object] = {
            "file": self.script.file,
            "variant": self.script.variant,
            "title": self.script.title,
            "clauses": list(self.script.clauses),
            "steps": len(self.script.steps),
            "as_expected": self.failed is None,
        }
        if self.failed is not None:
            found["failure"] = {
                "step": len(self.done),
                "line": self.failed.step.line,
                "do": self.failed.step.text,
                "differences": [{"what": d.what, "expected": d.expected, "found": d.found} for d in self.failed.differences],
            }
        return found


def run(script: Script, book: RuleBook | None = None) -> Outcome:
    """Does the steps of a script, up to the first that comes otherwise; with a rule book in place of the one it names, if given.

    Raises:
        OtherVariantError: the rule book is another one than the script's, and does not extend it.
        DocumentError: the script asks for what its rule book does not have.
        RuleBookError: the rule book has faults.
    """
    if book is None:
        book = _named(script)
    elif script.variant not in (book.name, book.book.parent):
        message = f"this is a script for {script.variant}, not for {book.name}"
        where = script.file, script.document.line("variant"), "$.variant"
        raise OtherVariantError(*where, message, "give the rule book that it was written for, or one that extends it")
    party = _opened(script, book)
    _require_known(script, party)
    done: list[Done] = []
    for i, step in enumerate(script.steps):
        done.append(_do(script, party, i, step))
        party = done[-1].party
        if done[-1].differences:
            break
    return Outcome(script, tuple(done))


def _named(script: Script) -> RuleBook:
    try:
        return load(script.variant)
    except RuleBookError as error:
        if error.diagnostics[0].code != "L0701":
            raise
        raise script.error(error.diagnostics[0].message, error.diagnostics[0].hint, "variant") from None


def _opened(script: Script, book: RuleBook) -> Party:
    given: dict[str, Any] = {"seed": 0, **script.settings}
    try:
        return open_table(book, **given)
    except TableError as error:
        given_in = ("options", "readings", "host")
        found = next((s for s in given_in if any(f"`{n}`" in error.message for n in script.settings.get(s, {}))), "players")
        raise script.error(error.message, error.hint, found) from None
    except GameError as error:
        raise script.error(error.message, error.hint, "players") from None


def _require_known(script: Script, party: Party) -> None:
    """Sees to it that what is expected can come at all: reasons, and names of settings."""
    for i, step in enumerate(script.steps):
        if step.refused is not None and step.refused not in REFUSALS:
            raise script.error(
                f"nothing is refused as `{step.refused}`", suggestion(step.refused, REFUSALS, "reasons"), "steps", i, "refused"
            )
        known = dict(party.settings.values)
        for name in (step.then or {}).get("settings", {}):
            if name not in known:
                hint = suggestion(name, known, "host settings")
                raise script.error(f"there is no host setting `{name}`", hint, "steps", i, "then", "settings", name)


def _do(script: Script, party: Party, at: int, step: ScriptStep) -> Done:
    try:
        after, notes = perform(party, step.event)
    except (GameError, TableError) as error:
        code = _code(error)
        if isinstance(error, PositionError):
            raise script.error(error.message, error.hint, "position") from None
        reason = error.message + (f" ({error.hint})" if error.hint else "")
        fine = step.refused in (code, "refused")
        found = f"refused as {code}: {reason}"
        return Done(step, party, (), code, reason, () if fine else (Difference("the step", _wanted(step), found),))
    if step.refused is not None:
        return Done(step, after, notes, None, "", (Difference("the step", _wanted(step), "done"),))
    return Done(step, after, notes, None, "", _differences(script, after, notes, at, step.then or {}))


def _wanted(step: ScriptStep) -> str:
    return "done" if step.refused is None else "refused" if step.refused == "refused" else f"refused as {step.refused}"


def _code(error: GameError | TableError) -> str:
    if isinstance(error, HostError):
        return error.code
    return next((code for kind, code in _CODES if isinstance(error, kind)), "refused")


def perform(party: Party, event: ScriptEvent) -> tuple[Party, tuple[Note, ...]]:
    """The party after a step of a script; raises as `host.apply` does."""
    match event:
        case ClockTo(at):
            return apply(party, Clock(at - party.clock))
        case ComputersPlay():
            return _computers(party)
        case _:
            return apply(party, event)


def _computers(party: Party) -> tuple[Party, tuple[Note, ...]]:
    notes: list[Note] = []
    for _ in range(MOST_PLIES):
        name = party.on_turn
        if notes and (name is None or party.plays(name) != "computer"):
            break
        party, told = apply(party, Computed())
        notes += told
    return party, tuple(notes)


# ---- comparing -------------------------------------------------------------------------------------------------------


def _differences(script: Script, party: Party, notes: tuple[Note, ...], at: int, then: dict[str, Any]) -> tuple[Difference, ...]:
    found = {**snapshot(party), "notes": [str(n.kind) for n in notes]}
    differences: list[Difference] = []
    for key, wanted in then.items():
        where = ("steps", at, "then", key)
        if key == "seen":
            differences += _views(script, party, wanted, where)
        elif key == "position":
            differences += _position(script, party, str(wanted), where)
        else:
            differences += _compare(key, wanted, found.get(key))
    return tuple(differences)


def _compare(what: str, wanted: object, found: object) -> list[Difference]:
    """The differences, part by part; of a mapping only the parts that are named are compared."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [d for key, value in wanted.items() for d in _compare(f"{what}.{key}", value, found.get(key))]
    shown = "none" if found is None else found
    return [] if wanted == shown else [Difference(what, wanted, shown)]


def _position(script: Script, party: Party, wanted: str, where: tuple[str | int, ...]) -> list[Difference]:
    game = party.game
    if game is None:
        return [Difference("position", wanted, "no game")]
    try:
        expected = Game(game.engine, game.engine.read(wanted))
    except GameError as error:
        raise script.error(error.message, error.hint, *where) from None
    return [] if expected.state == game.state else [Difference("position", expected.position, game.position)]


def _views(script: Script, party: Party, wanted: dict[str, str], where: tuple[str | int, ...]) -> list[Difference]:
    """Views are compared as texts: what is hidden in them has no value."""
    if party.game is None:
        return [Difference("seen", wanted, "no game")]
    found = []
    for name, text in wanted.items():
        try:
            seen = party.game.seen_by(name)
        except GameError as error:
            raise script.error(error.message, error.hint, *where, name) from None
        if set(seen.split()) != set(text.split()):
            found.append(Difference(f"seen.{name}", text, seen))
    return found
