"""What the fuzzer found, as a scenario that anybody can play again, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.fuzzing.steps import Action, Difference, Played, reached
from ludo_dsl.conformance.fuzzing.tables import Tables
from ludo_dsl.conformance.running.verdicts import BranchPlayed, Result, Verdict, result_of
from ludo_dsl.conformance.scenarios.check_readings import answers_of, questions_of
from ludo_dsl.conformance.scenarios.playing import Miss, What, play
from ludo_dsl.conformance.scenarios.subjects import Direct, RefusedError
from ludo_dsl.conformance.scenarios.suite import Choices, Scenario, scenario_from
from ludo_dsl.conformance.telling.scenarios import scenario_yaml
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book


@dataclass(frozen=True)
class Finding:
    """The first difference, shrunk.

    `game` is the number of the game in which it was found, `trials` how many smaller games were tried. `scenario` is what the
    rules say, as plain data of a scenario file; it fails on the engine unless `note` says otherwise.
    """

    game: int
    played: Played
    difference: Difference
    scenario: dict[str, Any]
    trials: int
    note: str = ""

    @property
    def id(self) -> str:
        """The id of the scenario."""
        return str(self.scenario["id"])

    @property
    def yaml(self) -> str:
        """The scenario as one item of a scenario file."""
        return scenario_yaml(self.scenario)

    def result(self) -> Result:
        """The finding as a result, as reports show it."""
        scenario = scenario_from(self.scenario)
        difference = self.difference
        if isinstance(difference.what, Verdict):
            note = "\n".join(filter(None, (difference.found, self.note)))
            return result_of(scenario, difference.what, (), note)
        where = scenario.branches[0].steps[-1].where
        miss = Miss(where, difference.what, difference.doing, difference.expected, difference.found, difference.position)
        return result_of(scenario, Verdict.FAIL, (BranchPlayed(scenario.branches[0].readings, miss),), self.note)

    def as_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "game": self.game,
            "kind": str(self.difference.what),
            "says": self.difference.says(),
            "position": self.difference.position,
            "doing": self.difference.doing,
            "expected": self.difference.expected,
            "found": self.difference.found,
            "trials": self.trials,
            "note": self.note,
            "scenario": self.scenario,
            "yaml": self.yaml,
        }


def found_in(tables: Tables, reference: Interpreter, played: Played, seed: int, game: int, trials: int, note: str) -> Finding:
    """The finding that a shrunk game is; `reference` knows the rules at its table, under the readings that are told or assumed."""
    assert played.difference is not None
    book = tables.book
    difference = played.difference
    scenario: dict[str, Any] = {
        "id": f"{book.name}/fuzz/seed-{seed}-game-{game}".replace("--", "-minus-"),
        "title": f"Found by random games: {difference.says()}.",
        "variant": book.name,
        "players": played.beginning.seating.players,
    }
    options = dict(played.beginning.seating.options)
    scenario |= {"options": options} if options else {}
    scenario["clauses"] = list(_clauses(book, (*difference.rules, *_rules(reference, played))))
    if played.beginning.position is not None:
        scenario["given"] = played.beginning.position
    else:
        scenario["start"] = True
        scenario |= {"first": reference.table.players[played.beginning.first].name}
    scenario["steps"] = list(_steps(reference, played))
    readings = _readings(tables, scenario_from(scenario), reference, played)
    ordered = {**{k: v for k, v in scenario.items() if k in _BEFORE}, **({"readings": readings} if readings else {}), **scenario}
    return Finding(game, played, difference, ordered, trials, note)


_BEFORE = ("id", "title", "variant", "players", "options")


# ---- steps -----------------------------------------------------------------------------------------------------------


def _steps(reference: Interpreter, played: Played) -> Iterator[dict[str, Any]]:
    """What was done, and in the last step what the rules say of it."""
    state = played.beginning.state(reference)
    step: dict[str, Any] = {}
    for action in played.actions:
        if step:
            yield step
        after = reached(reference, state, action)
        step = _step(action, after is not None)
        state = after or state
    yield step | _expected(reference, state, played.difference, bool(step))


def _step(action: Action, legal: bool) -> dict[str, Any]:
    if isinstance(action, str):
        return {"move" if legal else "refuse": action}
    return {"roll" if legal else "refuse-roll": action[0] if len(action) == 1 else list(action)}


def _expected(reference: Interpreter, state: State, difference: Difference | None, done: bool) -> dict[str, Any]:
    """What shows the difference: no more, so that a scenario does not say what is not in question."""
    assert difference is not None
    table = reference.table
    position = {"then": position_text(table, state)}
    match difference.what:
        case What.LEGAL:
            return {"legal": [move_text(table, state, c) for c in reference.legal(state)]}
        case What.ALLOWED if done:
            return {}
        case What.PLACES | Verdict() if state.over:
            # An engine in trouble may be so when it is asked for the places.
            return {**position, "places": dict(zip([p.name for p in table.players], reference.places(state), strict=True))}
        case _:
            return position


# ---- clauses and readings --------------------------------------------------------------------------------------------


def _rules(reference: Interpreter, played: Played) -> tuple[str, ...]:
    """The rules that take part since the last roll, so far as the rules let it be done."""
    state = played.beginning.state(reference)
    found: list[str] = []
    for action in played.actions:
        if not isinstance(action, str):
            found = []
        after = reached(reference, state, action)
        if after is None:
            continue
        if isinstance(action, str):
            found += reference.move(state, read_move(reference.table, state, action, reference.legal(state))).rules()
        else:
            found += reference.roll(state, action).rules()
        state = after
    return tuple(found)


def _clauses(book: Book, rules: tuple[str, ...]) -> tuple[str, ...]:
    """What the rules are cited for; by their names where the rule book is no variant of the register."""
    known = any(c.variant == book.name for c in register().values())
    if not known:
        return tuple(sorted(set(rules)))
    cited = {c for rule in rules for c in book.clauses_of(rule)}
    ground = {c.clause for d in book.declarations if d.kind in ("board", "players") for c in d.citations}
    return tuple(sorted(cited or ground))


def _readings(tables: Tables, scenario: Scenario, reference: Interpreter, played: Played) -> dict[str, Any]:
    """The questions on which a scenario hangs, with the answers under which it holds, the others being as they are now."""
    chosen = {n: v for n, v in reference.table.chosen.items() if n in {s.id for s in questions_of(tables.book)}}
    found: dict[str, Any] = {}
    for question in questions_of(tables.book):
        answers = answers_of(question, tables.book)
        held = [v for v in answers if holds(tables, scenario, played, tuple(sorted({**chosen, question.id: v}.items())))]
        if len(held) < len(answers):
            plain = [int(v) if v.isdigit() else v for v in held]
            found[question.id] = plain[0] if len(plain) == 1 else plain
    return found


def holds(tables: Tables, scenario: Scenario, played: Played, readings: Choices) -> bool:
    """Whether the rules keep a scenario under some readings; readings that cannot be chosen at its table change nothing."""
    reference = tables.at(played.beginning.seating, readings)
    if reference is None:
        return False
    try:
        return play(scenario, scenario.branches[0], reference, Direct()) is None
    except (GameError, RefusedError):
        return False


__all__ = ["Finding", "found_in", "holds"]
