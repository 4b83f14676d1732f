"""Whether an engine of certain readings plays a scenario as it did: answers to several questions can come to one end.

A scenario names readings one question at a time. On another board, or where another question is answered otherwise as well, it may
pass under a reading that it does not name. That is no contradiction, and the interpreter knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ludo_dsl.conformance.running.verdicts import Result
from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import Direct, RefusedError, book_of, reference_for
from ludo_dsl.conformance.scenarios.suite import Branch, Scenario
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.rules.table import TableError, make_table


def among(scenarios: Iterable[Scenario]) -> Callable[[Result], Scenario | None]:
    """Finds the scenario of a result among these."""
    by_id = {s.id: s for s in scenarios}
    return lambda result: by_id.get(result.id)


class Explaining:
    """Plays scenarios on the interpreter.

    `find` gives the scenario of a result; `books` holds the files of rule books of one's own, by the name of their variant.
    """

    def __init__(self, find: Callable[[Result], Scenario | None], books: Mapping[str, str] | None = None) -> None:
        self.find = find
        self.books = dict(books or {})

    def __call__(self, result: Result, taken: Mapping[str, str]) -> bool:
        """Whether the branches that passed are just those that pass under the readings taken, all others at their defaults."""
        scenario = self.find(result)
        if scenario is None or [b.readings for b in scenario.branches] != [b.readings for b in result.branches]:
            return False
        pairs = zip(result.branches, scenario.branches, strict=True)
        return all((seen.miss is None) == self._passes(scenario, branch, taken) for seen, branch in pairs)

    def _passes(self, scenario: Scenario, branch: Branch, taken: Mapping[str, str]) -> bool:
        try:
            book = book_of(self.books.get(scenario.variant, scenario.variant))
            reference = reference_for(make_table(book, scenario.players, dict(scenario.options), taken))
            return play(scenario, branch, reference, Direct()) is None
        except (TableError, RuleBookError, RefusedError, GameError, EndlessRulesError, OSError):
            return False
