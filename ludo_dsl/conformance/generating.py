"""Writing a suite for a rule book: for every mutant that no scenario notices, the smallest game that tells it apart.

What these scenarios expect is what the interpreter does. They show that an engine plays a rule book as the interpreter does; that the
rule book says what its author means, only scenarios show that are worked out by hand.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ludo_dsl.conformance.checks_readings import Readings, answers_of, questions_of
from ludo_dsl.conformance.mutants import Mutant, differing_tables, mutants
from ludo_dsl.conformance.mutation import GENERATED, MutantSubject, kills
from ludo_dsl.conformance.suite import Scenario, scenario_from
from ludo_dsl.conformance.telling import BUDGET, Bound, tell_apart
from ludo_dsl.conformance.telling_paired import Told
from ludo_dsl.conformance.telling_scenarios import scenario_of, scenario_yaml
from ludo_dsl.game.errors import EndlessRulesError
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book, SettingValue
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value

MOST_TABLES = 12
"""Tables at which a mutant is tried: where a rule hangs on more choices than that, the first ones stand for all."""

LONGEST_NAME = 70
"""Letters of the last part of an id, at most."""

Seating = tuple[int, dict[str, SettingValue], dict[str, SettingValue]]
"""A table to try: players, options, readings."""


@dataclass(frozen=True)
class Written:
    """A suite that was written: scenarios as plain data, and the mutants that no game within the bound tells apart, with the bound."""

    scenarios: tuple[dict[str, Any], ...]
    untold: tuple[tuple[Mutant, str], ...]
    mutants: int
    complete: bool = True

    def yaml(self, schema: str = "") -> str:
        """The scenarios as a file of the suite; `schema` is where editors find the schema of such files."""
        head = f"# yaml-language-server: $schema={schema}\n" if schema else ""
        about = "# Written by `ludo scenarios generate`: what is expected here is what the interpreter does.\n"
        return head + about + "\n" + "\n".join(scenario_yaml(s) for s in self.scenarios)


def generate(
    book: Book,
    noticed_by: Sequence[Scenario] = (),
    *,
    budget: int = BUDGET,
    seed: int = 0,
    jobs: int = 1,
    cite: Callable[[Mutant], tuple[str, ...]] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Written:
    """Scenarios for the mutants of a rule book that the given scenarios do not notice; what was found so far on `KeyboardInterrupt`.

    `budget` positions are tried for a mutant at most, drawn by the seed. `cite` says what a scenario cites for a mutant: by default
    the clauses that the changed rule states, or the rule itself where it states none.
    """
    every = mutants(book)
    left = [m for m in every if not _noticed(m, noticed_by)]
    return _Writing(book, left, len(every), cite or cited, progress).run(budget, seed, jobs)


def cited(mutant: Mutant) -> tuple[str, ...]:
    """What a scenario for a mutant cites: the clauses of the changed rule, or its name."""
    return mutant.clauses or ((mutant.rule,) if mutant.rule else ())


def _noticed(mutant: Mutant, scenarios: Sequence[Scenario]) -> bool:
    subject = MutantSubject(mutant)
    return any(kills(scenario, subject) for scenario in scenarios)


class _Writing:
    """The mutants that are left, and the scenarios found so far."""

    def __init__(
        self,
        book: Book,
        left: Sequence[Mutant],
        total: int,
        cite: Callable[[Mutant], tuple[str, ...]],
        progress: Callable[[int, int], None],
    ) -> None:
        self.book = book
        self.left = list(left)
        self.total = total
        self.asked = len(left)
        self.cite = cite
        self.progress = progress
        self.scenarios: list[dict[str, Any]] = []
        self.names: set[str] = set()
        self.untold: list[tuple[Mutant, str]] = []
        self.readings = Readings({book.name: book})
        self.subjects: dict[str, MutantSubject] = {}

    def run(self, budget: int, seed: int, jobs: int) -> Written:
        complete = True
        pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(self.book,))
        try:
            while self.left:
                batch = self.left[: 2 * jobs]
                found = list(pool.map(_tell, [m.id for m in batch], [budget] * len(batch), [seed] * len(batch)))
                for mutant, told in zip(batch, found, strict=True):
                    self._take(mutant, told)
                self.progress(self.asked - len(self.left), self.asked)
        except KeyboardInterrupt:
            complete = False
        pool.shutdown(wait=False, cancel_futures=True)
        return Written(tuple(self.scenarios), tuple(self.untold), self.total, complete)

    def _take(self, mutant: Mutant, told: tuple[Seating, Told] | str) -> None:
        if mutant not in self.left:
            # A scenario for another one of the batch has noticed it.
            return
        if isinstance(told, str):
            self.left.remove(mutant)
            self.untold.append((mutant, told))
            return
        data = self._scenario(mutant, *told)
        scenario = scenario_from(data)
        if not kills(scenario, self._subject(mutant)):
            self.left.remove(mutant)
            self.untold.append((mutant, "a difference was found that no scenario can express"))
            return
        self.scenarios.append(data)
        self.left = [m for m in self.left if not kills(scenario, self._subject(m))]

    def _subject(self, mutant: Mutant) -> MutantSubject:
        return self.subjects.setdefault(mutant.id, MutantSubject(mutant))

    def _scenario(self, mutant: Mutant, seating: Seating, told: Told) -> dict[str, Any]:
        table = make_table(self.book, *seating)
        name = f"{self.book.name}/{GENERATED}/{self._name(mutant)}"
        data = scenario_of(told, table, name, f"It shows if {mutant.says}.", self.cite(mutant))
        return _with_readings(data, self._marks(data, seating))

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
        while name in self.names:
            name, number = f"{plain}-{number}", number + 1
        self.names.add(name)
        return name


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


class _Work:
    book: Book
    by_id: dict[str, Mutant]


def _prepare(book: Book) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Work.book = book
    _Work.by_id = {m.id: m for m in mutants(book)}


def _tell(name: str, budget: int, seed: int) -> tuple[Seating, Told] | str:
    return told_apart(_Work.by_id[name], budget, seed)


def told_apart(mutant: Mutant, budget: int, seed: int) -> tuple[Seating, Told] | str:
    """The first table at which a game tells a mutant apart, and that game; or how far the search went."""
    tables = list(islice(differing_tables(mutant), MOST_TABLES))
    bounds = []
    for seating in tables:
        try:
            found = _search(mutant, seating, budget // min(len(tables), 4), seed)
        except (EndlessRulesError, TableError) as error:
            bounds.append(str(error))
            continue
        if isinstance(found, Told):
            return seating, found
        bounds.append(found.says())
    return f"at {len(tables)} tables: {bounds[0]}" if bounds else "no table shows a difference"


def _search(mutant: Mutant, seating: Seating, budget: int, seed: int) -> Told | Bound:
    true: Table = make_table(mutant.original, *seating)
    wrong = make_table(mutant.book, *seating)
    return tell_apart(Interpreter(true), Interpreter(wrong), budget=budget, seed=seed)
