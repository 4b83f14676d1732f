"""Writing a suite for a rule book: for every mutant that no scenario notices, the smallest game that tells it apart.

What these scenarios expect is what the interpreter does. They show that an engine plays a rule book as the interpreter does; that the
rule book says what its author means, only scenarios show that are worked out by hand.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ludo_dsl.conformance.mutants import Mutant, differing_tables, mutants
from ludo_dsl.conformance.mutation.gate import GENERATED, mutate
from ludo_dsl.conformance.mutation.noticing import BrokenError, Check, MutantSubject, kills
from ludo_dsl.conformance.scenarios.check_readings import Readings, answers_of, questions_of
from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import Direct, who_begins
from ludo_dsl.conformance.scenarios.suite import Scenario, scenario_from
from ludo_dsl.conformance.telling.paired import Pair, Told, same_setting
from ludo_dsl.conformance.telling.scenarios import scenario_of, scenario_yaml
from ludo_dsl.conformance.telling.search import BUDGET, Bound, Difference, tell_apart
from ludo_dsl.game.errors import EndlessRulesError, IllegalRollError
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import Roll
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import Book, SettingValue
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

MOST_TABLES = 12
"""Tables at which a mutant is tried: where a rule hangs on more choices than that, the first ones stand for all."""

MOST_TURNS = 3000
"""Turns of random games that are tried where a difference was found that the game itself does not show to others."""

LONGEST_NAME = 70
"""Letters of the last part of an id, at most."""

Seating = tuple[int, dict[str, SettingValue], dict[str, SettingValue]]
"""A table to try: players, options, readings."""


@dataclass(frozen=True)
class Written:
    """A suite that was written: scenarios as plain data, and the mutants that no game within the bound tells apart, with the bound.

    `mutants` were thought of, and `told` of them are noticed; where somebody stopped it, some are neither noticed nor given up.
    """

    scenarios: tuple[dict[str, Any], ...]
    untold: tuple[tuple[Mutant, str], ...]
    mutants: int
    told: int
    complete: bool = True

    def yaml(self, schema: str = "") -> str:
        """The scenarios as a file of the suite; `schema` is where editors find the schema of such files."""
        head = f"# yaml-language-server: $schema={schema}\n" if schema else ""
        about = "# Written by `ludo scenarios generate`: what is expected here is what the interpreter does.\n"
        return head + about + "\n" + "\n".join(scenario_yaml(s) for s in self.scenarios)


def generate(
    book: Book,
    noticed_by: Sequence[Check] = (),
    *,
    of: Sequence[Mutant] | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    jobs: int = 1,
    cite: Callable[[Mutant], tuple[str, ...]] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Written:
    """Scenarios for the mutants of a rule book that the given checks do not notice; what was found so far on `KeyboardInterrupt`.

    `of` is the mutants to think of: all, by default. `budget` positions are tried for a mutant at a table at most, drawn by the
    seed. `cite` says what a scenario cites for a mutant: by default the clauses that the changed rule states; in a rule book of
    one's own, the rule itself. What is written hangs on the seed and the budget, and not on `jobs`.
    """
    every = mutants(book) if of is None else tuple(of)
    left = list(every)
    if noticed_by:
        fates = mutate(noticed_by, every, jobs=jobs, until="first")
        if len(fates) < len(every):
            return Written((), (), len(every), 0, complete=False)
        left = [m for m, fate in zip(every, fates, strict=True) if not fate.killers]
    return _Writing(book, left, len(every), cite or cited, seed, progress).run(budget, jobs)


def cited(mutant: Mutant) -> tuple[str, ...]:
    """What a scenario for a mutant cites: the clauses of the changed rule; in a rule book of one's own, its name. Nothing for the turn."""
    book = mutant.original
    if book.name in variant_names():
        return mutant.clauses
    return tuple(d.name for d in book.declarations if d.name and d.name == mutant.rule)


class _Writing:
    """The mutants that are left, and the scenarios found so far."""

    def __init__(
        self,
        book: Book,
        left: Sequence[Mutant],
        total: int,
        cite: Callable[[Mutant], tuple[str, ...]],
        seed: int,
        progress: Callable[[int, int], None],
    ) -> None:
        self.book = book
        self.left = {m.id: m for m in left}
        self.total = total
        self.asked = len(left)
        self.cite = cite
        self.seed = seed
        self.progress = progress
        self.scenarios: list[dict[str, Any]] = []
        self.names: set[str] = set()
        self.untold: list[tuple[Mutant, str]] = []
        self.readings = Readings({book.name: book})
        self.subjects: dict[str, MutantSubject] = {}

    def run(self, budget: int, jobs: int) -> Written:
        """Looks for a game for each mutant in turn, some ahead in other processes; one that is noticed meanwhile needs none."""
        queue = list(self.left.values())
        ahead: dict[str, Future[_Search]] = {}
        complete = True
        with _processes(jobs, (tuple(queue), budget, self.seed)) as pool:
            try:
                for at, mutant in enumerate(queue):
                    for number in range(at, len(queue)):
                        if len(ahead) >= 2 * jobs:
                            break
                        if queue[number].id in self.left and queue[number].id not in ahead:
                            ahead[queue[number].id] = pool.submit(_tell, number)
                    search = ahead.pop(mutant.id, None)
                    if search is not None and mutant.id in self.left:
                        self._take(mutant, search.result())
                    elif search is not None:
                        search.cancel()
                    self.progress(self.asked - len(self.left), self.asked)
            except KeyboardInterrupt:
                complete = False
        told = self.total - len(self.untold) - len(self.left)
        return Written(tuple(self.scenarios), tuple(self.untold), self.total, told, complete)

    def _take(self, mutant: Mutant, told: _Search) -> None:
        if isinstance(told, str):
            self._give_up(mutant, told)
            return
        for data in self._candidates(mutant, *told):
            scenario = scenario_from(data)
            if self._notices(scenario, mutant):
                break
        else:
            self._give_up(mutant, f"a difference was found that no scenario can express: {told[1].difference}")
            return
        self.names.add(scenario.id)
        self.scenarios.append(data)
        self.left = {name: m for name, m in self.left.items() if not self._notices(scenario, m)}

    def _give_up(self, mutant: Mutant, why: str) -> None:
        del self.left[mutant.id]
        self.untold.append((mutant, why))

    def _notices(self, scenario: Scenario, mutant: Mutant) -> bool:
        try:
            return kills(scenario, self.subjects.setdefault(mutant.id, MutantSubject(mutant)))
        except BrokenError:
            return False

    def _candidates(self, mutant: Mutant, seating: Seating, told: Told) -> Iterator[dict[str, Any]]:
        """Scenarios that may show a mutant: the game that was found; where that shows nothing to others, turns of random games."""
        table = make_table(self.book, *seating)
        name, title = f"{self.book.name}/{GENERATED}/{self._name(mutant)}", f"It shows if {mutant.says}."
        plain = scenario_of(told, table, name, title, self.cite(mutant))
        yield self._finished(plain, seating, table)
        for given, steps in turns(table, self.seed, MOST_TURNS):
            data = {**{k: v for k, v in plain.items() if k not in ("start", "first", "steps")}, "given": given, "steps": steps}
            if self._notices(scenario_from(data), mutant):
                yield self._finished(data, seating, table)

    def _finished(self, data: dict[str, Any], seating: Seating, table: Table) -> dict[str, Any]:
        """A scenario with the readings on which it hangs, and with something that it cites."""
        data = _with_readings(data, self._marks(data, seating))
        return data if data["clauses"] else {**data, "clauses": self._taking_part(data, table)}

    def _taking_part(self, data: dict[str, Any], table: Table) -> list[str]:
        """What a scenario cites that is for no one rule: those that take part in its last step."""
        watched = _Watched()
        scenario = scenario_from(data)
        play(scenario, scenario.branches[0], Interpreter(table), watched)
        if self.book.name not in variant_names():
            return list(watched.rules)
        return list(dict.fromkeys(clause for rule in watched.rules for clause in self.book.clauses_of(rule)))

    def _marks(self, data: dict[str, Any], seating: Seating) -> dict[str, object]:
        """The open questions on which a scenario hangs, with the readings under which it holds."""
        chosen = {name: shown_value(value) for name, value in seating[2].items()}
        plain = scenario_from({**data, "readings": chosen})
        found: dict[str, object] = {}
        for question in questions_of(self.book):
            held, failed = self.readings.answers(plain, plain.branches[0], question)
            if failed:
                usual = [v for v in answers_of(question, self.book) if v in held]
                found[question.id] = usual[0] if len(usual) == 1 else usual
        return found

    def _name(self, mutant: Mutant) -> str:
        plain = re.sub(r"[^a-z0-9]+", "-", mutant.id.lower()).strip("-")
        if len(plain) > LONGEST_NAME:
            plain = plain[:LONGEST_NAME].rpartition("-")[0]
        name, number = plain, 2
        while f"{self.book.name}/{GENERATED}/{name}" in self.names:
            name, number = f"{plain}-{number}", number + 1
        return name


class _Watched(Direct):
    """The interpreter as a subject that remembers which rules took part in the last step."""

    def __init__(self) -> None:
        super().__init__()
        self.rules: tuple[str, ...] = ()

    def roll(self, faces: Roll) -> None:
        """A roll that shows these faces."""
        engine, at = self._game()
        super().roll(faces)
        self.rules = engine.roll(at, faces).rules()

    def move(self, text: str) -> None:
        """A move, or `pass`."""
        engine, at = self._game()
        super().move(text)
        self.rules = engine.move(at, read_move(engine.table, at, text, engine.legal(at))).rules()


def turns(table: Table, seed: int, most: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Rolls of random games by the rules, each with the position before it, and as steps with what follows, up to the next roll."""
    engine, rng = Interpreter(table), random.Random(seed)
    faces = [face for face, _ in table.book.dice.faces]
    state = engine.start(who_begins(table))
    for number in range(most):
        if state.over or number % LONGEST_GAME == 0:
            state = engine.start(who_begins(table))
        given = position_text(table, state)
        roll = tuple(rng.choice(faces) for _ in range(table.book.dice.count))
        try:
            state = engine.roll(state, roll).state
            steps: list[dict[str, Any]] = [{"roll": roll[0] if len(roll) == 1 else list(roll)}]
            while not (state.awaits_roll or state.over):
                choice = rng.choice(engine.legal(state))
                steps[-1]["legal"] = [move_text(table, state, c) for c in engine.legal(state)]
                steps.append({"move": move_text(table, state, choice)})
                state = engine.move(state, choice).state
        except (IllegalRollError, EndlessRulesError):
            continue
        steps[-1]["then"] = position_text(table, state)
        yield given, steps


LONGEST_GAME = 300
"""Rolls after which a random game is broken off."""


def _with_readings(data: dict[str, Any], marks: dict[str, object]) -> dict[str, Any]:
    kept = {k: v for k, v in data.items() if k != "readings"}
    if not marks:
        return kept
    found: dict[str, Any] = {}
    for key, value in kept.items():
        if key == "clauses":
            found["readings"] = marks
        found[key] = value
    return found


# ---- searching, in processes of their own ------------------------------------------------------------------------------


_Search = tuple[Seating, Told] | str
"""A table with a game that tells a mutant apart, or how far the search went."""


class _Work:
    mutants: tuple[Mutant, ...]
    budget: int
    seed: int


def _prepare(chosen: tuple[Mutant, ...], budget: int, seed: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Work.mutants, _Work.budget, _Work.seed = chosen, budget, seed


@contextmanager
def _processes(jobs: int, work: tuple[tuple[Mutant, ...], int, int]) -> Iterator[ProcessPoolExecutor]:
    """Processes that search; what they still do at the end is not waited for."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=work)
    try:
        yield pool
    finally:
        ours = [child for child in multiprocessing.active_children() if child not in others]
        pool.shutdown(wait=False, cancel_futures=True)
        for child in ours:
            child.terminate()


def _tell(number: int) -> _Search:
    return told_apart(_Work.mutants[number], _Work.budget, _Work.seed)


def told_apart(mutant: Mutant, budget: int, seed: int) -> _Search:
    """The first table at which a game tells a mutant apart, and that game; or how far the search went."""
    tables = list(islice(differing_tables(mutant), MOST_TABLES))
    bounds = []
    for seating in tables:
        try:
            found = _searched(mutant, seating, budget // min(len(tables), 4), seed)
        except (EndlessRulesError, TableError) as error:
            bounds.append(str(error))
            continue
        if isinstance(found, Told):
            return seating, found
        bounds.append(found.says())
    return f"at {len(tables)} tables: {bounds[0]}" if bounds else "no table shows a difference"


def _searched(mutant: Mutant, seating: Seating, budget: int, seed: int) -> Told | Bound:
    true: Table = make_table(mutant.original, *seating)
    wrong = make_table(mutant.book, *seating)
    engines = Interpreter(true), Interpreter(wrong)
    if same_setting(true, wrong):
        first = who_begins(true)
        opening = Pair(*engines).start(first)
        if isinstance(opening, Difference):
            return Told(None, first, (), opening)
    return tell_apart(*engines, budget=budget, seed=seed)
