"""A game that tells two rule books apart, as a scenario of the suite: what the first of the two does, ready to paste."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ludo_dsl.conformance.telling.paired import Step, Told
from ludo_dsl.game.errors import IllegalRollError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.table import Table, shown_value


def scenario_of(
    told: Told,
    table_a: Table,
    id: str,
    title: str,
    clauses: Iterable[str],
    readings: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """The scenario of a game, with what the first rule book does as its expectation.

    The readings of the table that are not the default are always named; `readings` names further ones. After the last step the
    whole position and the whole set of legal moves are expected, as far as they are in question.
    """
    chosen: dict[str, str] = {s.id: s.role for s in table_a.book.settings}
    changed: dict[str, object] = {str(name): _plain(value) for name, value in table_a.changed().items()}
    named = {name: _plain(value) for name, value in (readings or {}).items()}
    options = {n: v for n, v in changed.items() if chosen[n] == "option"}
    taken = {**{n: v for n, v in changed.items() if chosen[n] == "reading"}, **named}
    scenario: dict[str, Any] = {"id": id, "title": title, "variant": table_a.book.name, "players": len(table_a.players)}
    scenario |= {"options": options} if options else {}
    scenario |= {"readings": taken} if taken else {}
    scenario["clauses"] = list(clauses)
    if told.position is not None:
        scenario["given"] = told.position
    else:
        scenario["start"] = True
        scenario |= {"first": table_a.players[told.first].name} if told.first else {}
    scenario["steps"] = _steps(told, table_a)
    return scenario


def _plain(value: object) -> object:
    """A value as YAML holds it: a number, or a word."""
    return shown_value(value) if isinstance(value, frozenset) else value


def _steps(told: Told, table: Table) -> list[dict[str, Any]]:
    engine = Interpreter(table)
    state = engine.start(told.first) if told.position is None else engine.read(told.position)
    found: list[dict[str, Any]] = []
    for step in told.steps:
        before = state
        try:
            state = _after(engine, state, step)
        except IllegalRollError:
            found.append({"refuse-roll": _dice(step)})
            return found
        found.append({"roll": _dice(step)} if isinstance(step, tuple) else {"move": _move(engine, before, step)})
    if not found:
        found.append({})
    found[-1] |= _expected(told, engine, state)
    if told.difference.kind == "places":
        places = zip(table.players, engine.places(state), strict=True)
        found.append({"places": {player.name: place for player, place in places}})
    return found


def _after(engine: Interpreter, state: State, step: Step) -> State:
    if isinstance(step, tuple):
        return engine.roll(state, step).state
    return engine.move(state, read_move(engine.table, state, step, engine.legal(state))).state


def _move(engine: Interpreter, state: State, text: str) -> str:
    return move_text(engine.table, state, read_move(engine.table, state, text, engine.legal(state)))


def _expected(told: Told, engine: Interpreter, state: State) -> dict[str, Any]:
    """What is expected at the end: the moves where there is a choice, and the position unless the moves alone differ."""
    moves = [move_text(engine.table, state, c) for c in engine.legal(state)]
    found: dict[str, Any] = {"legal": moves} if moves else {}
    if told.difference.kind != "legal" or not moves:
        found["then"] = position_text(engine.table, state)
    return found


def _dice(step: Step) -> int | list[int]:
    assert isinstance(step, tuple)
    return step[0] if len(step) == 1 else list(step)


# ---- YAML ------------------------------------------------------------------------------------------------------------


def scenario_yaml(scenario: Mapping[str, Any]) -> str:
    """A scenario as YAML in the manner of the suite's files: one list item, ready to be pasted at the end of one."""
    lines = []
    for name in ("id", "title", "variant", "players", "options", "readings", "clauses", "given", "start", "first"):
        if name in scenario:
            lines.append(f"{name}: {_value(scenario[name])}")
    lines.append("steps:")
    for step in scenario["steps"]:
        entries = [f"{name}: {_value(value)}" for name, value in step.items()]
        lines += [f"  {'- ' if i == 0 else '  '}{entry}" for i, entry in enumerate(entries)]
    return "".join(f"{'- ' if i == 0 else '  '}{line}\n" for i, line in enumerate(lines))


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list():
            return "[" + ", ".join(_word(v, True) for v in value) + "]"
        case dict():
            return "{" + ", ".join(f"{k}: {_word(v, True)}" for k, v in value.items()) + "}"
        case _:
            return _word(value, False)


_SWITCHES = frozenset({"on", "off", "yes", "no", "true", "false", "null", "y", "n", "~"})


def _word(value: object, within: bool) -> str:
    """A word, in quotation marks where YAML would read it otherwise; `within`: in a list or mapping on one line."""
    if not isinstance(value, str):
        return _value(value)
    barred = any(c in value for c in "{}[],") if within else False
    plain = value and not barred and value[0] not in "{}[],&*#?|<>=!%@`\"'- " and ": " not in value and " #" not in value
    if plain and not value.endswith(":") and value.lower() not in _SWITCHES and not value.replace(".", "").isdigit():
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
