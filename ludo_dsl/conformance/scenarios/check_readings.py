"""By playing: whether a scenario passes on the interpreter, and on which open questions it hangs.

A branch is played under the readings that it names, and then with one question at a time answered in every other way. It hangs on
a question when it fails under one of the answers; `readings`, or the label of the outcome, must name just these questions, and just
the answers under which it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, groupby

from ludo_dsl.conformance.scenarios.check_faults import Fault, Item, label_of, place_of
from ludo_dsl.conformance.scenarios.playing import Miss, play
from ludo_dsl.conformance.scenarios.subjects import Direct, RefusedError, book_of
from ludo_dsl.conformance.scenarios.suite import Branch, Choices, Scenario
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting
from ludo_dsl.rules.table import Table, TableError, make_table, shown_value


def questions_of(book: Book) -> tuple[Setting, ...]:
    """The open questions of a rule book."""
    return tuple(s for s in book.settings if s.role == "reading")


def answers_of(setting: Setting, book: Book) -> tuple[str, ...]:
    """Every value of a question as text, the default first."""
    match setting.domain:
        case Named(values):
            found = [v.name for v in values]
        case Range(low, high):
            found = [str(n) for n in range(low, high + 1)]
        case FaceSet():
            faces = sorted(face for face, _ in book.dice.faces)
            found = [",".join(map(str, some)) for size in range(1, len(faces) + 1) for some in combinations(faces, size)]
    usual = shown_value(setting.default)
    return (usual, *(v for v in found if v != usual))


class Reader(Interpreter):
    """The interpreter, which remembers the positions that it has read: a scenario is played at many tables that play alike."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._known: dict[str, State] = {}

    def read(self, text: str) -> State:
        """The position of a text, as the interpreter reads it; raises what that raises."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = super().read(text)
        return found


class _AtTheEnd(Direct):
    """The interpreter as a subject that tells places only when the game is over, as other engines may."""

    def places(self) -> dict[str, int] | None:
        if self.at is not None and not self.at.over:
            raise RefusedError("error", "`places` is expected before the game is over")
        return super().places()


class Readings:
    """Plays scenarios under every reading; what was made for one scenario serves the next.

    `books` holds rule books of one's own, by name; all others are those that come with the project.
    """

    def __init__(self, books: Mapping[str, Book] | None = None) -> None:
        self._books = dict(books or {})
        self._tables: dict[tuple[str, int, Choices, Choices], Reader | None] = {}
        self._engines: dict[object, Reader] = {}

    def faults(self, item: Item) -> list[Fault]:
        """What playing finds: a branch that does not pass, or that hangs on other questions than it names."""
        found: dict[Fault, None] = {}
        for branch in item.scenario.branches:
            miss = self._missed(item, branch)
            found |= dict.fromkeys(self._marks(item, branch) if miss is None else [miss])
        return list(found)

    def unnamed(self, items: Iterable[Item]) -> tuple[str, ...]:
        """The readings of the variants of some scenarios that none of them names."""
        named: dict[str, set[tuple[str, str]]] = {}
        for item in items:
            of_variant = named.setdefault(item.scenario.variant, set())
            of_variant |= {(name, value) for b in item.scenario.branches for name, values in b.readings for value in values}
        found = []
        for variant in sorted(v for v in named if self._can_open(v)):
            book = self._book(variant)
            every = [(s.id, value) for s in questions_of(book) for value in answers_of(s, book)]
            found += [f"{variant} {name}={value}" for name, value in every if (name, value) not in named[variant]]
        return tuple(found)

    def _can_open(self, variant: str) -> bool:
        try:
            self._book(variant)
        except RuleBookError:
            return False
        return True

    # ---- playing -----------------------------------------------------------------------------------------------------

    def _book(self, variant: str) -> Book:
        return self._books.get(variant) or book_of(variant)

    def _engine(self, scenario: Scenario, readings: dict[str, object]) -> Reader | None:
        """The engine of a table; tables that play alike share one. None where the table cannot be chosen."""
        key = (scenario.variant, scenario.players, scenario.options, tuple(sorted(readings.items())))
        if key not in self._tables:
            try:
                table = make_table(self._book(scenario.variant), scenario.players, dict(scenario.options), readings)
            except TableError:
                self._tables[key] = None
            else:
                alike = _played(table)
                if alike not in self._engines:
                    self._engines[alike] = Reader(table)
                self._tables[key] = self._engines[alike]
        return self._tables[key]

    def _missed(self, item: Item, branch: Branch) -> Fault | None:
        engine = self._engine(item.scenario, branch.chosen)
        assert engine is not None, "a scenario is played whose table cannot be chosen"
        try:
            miss = play(item.scenario, branch, engine, _AtTheEnd())
        except EndlessRulesError as error:
            return item.fault(str(error), "mend the rule book", *label_of(branch))
        except (RefusedError, GameError) as error:
            reason = error.reason if isinstance(error, RefusedError) else error.message
            return item.fault(f"it cannot be played: {reason}", "what a step may expect is in spec/language/scenarios.md", "steps")
        return None if miss is None else _miss_fault(item, branch, miss)

    def _holds(self, scenario: Scenario, branch: Branch, engine: Reader) -> bool:
        try:
            return play(scenario, branch, engine, _AtTheEnd()) is None
        except (RefusedError, GameError):
            # A position of the scenario cannot be, under this reading.
            return False

    def answers(self, scenario: Scenario, branch: Branch, question: Setting) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The answers to a question under which a branch that passes holds, and those under which it does not."""
        usual = self._engine(scenario, branch.chosen)
        held: list[str] = []
        failed: list[str] = []
        for value in answers_of(question, self._book(scenario.variant)):
            engine = self._engine(scenario, {**branch.chosen, question.id: value})
            if engine is None:
                continue
            (held if engine is usual or self._holds(scenario, branch, engine) else failed).append(value)
        return tuple(held), tuple(failed)

    def _marks(self, item: Item, branch: Branch) -> Iterator[Fault]:
        for question in questions_of(self._book(item.scenario.variant)):
            held, failed = self.answers(item.scenario, branch, question)
            if not failed and _tells_apart(item.scenario, branch, question.id):
                continue
            fault = _mark_fault(item, branch, question.id, held, failed)
            if fault is not None:
                yield fault


def _tells_apart(scenario: Scenario, branch: Branch, question: str) -> bool:
    """Whether an outcome names a question so that another one, which hangs on it, cannot hold at once.

    Two ways to the same end are two outcomes: otherwise an engine that takes the second would seem to take the first.
    """
    named = dict(branch.readings).get(question)
    others = [dict(b.readings).get(question) for b in scenario.branches if b is not branch]
    return named is not None and any(other is not None and set(other).isdisjoint(named) for other in others)


def _played(table: Table) -> object:
    """What is played at a table: everything but the names of the choices, and what only viewers and dealers ask about."""
    counters = tuple((c.id, c.scope) for c in table.counters)
    board = (table.measures, table.colours, table.routes, table.kinds, table.links, table.setup)
    return board, table.players, table.sides, counters, table.statements, table.book.dice.faces, table.book.name


# ---- telling ---------------------------------------------------------------------------------------------------------


def _miss_fault(item: Item, branch: Branch, miss: Miss) -> Fault:
    step = next((s for s in branch.steps if s.where == miss.where), None)
    where = place_of(step) if step is not None else ("given",)
    under = f" under {branch.label}" if branch.readings else ""
    return item.fault(f"by the rules{under}: {miss.says()}", f"expected {miss.expected}; found {miss.found}", *where)


def _mark_fault(item: Item, branch: Branch, question: str, held: tuple[str, ...], failed: tuple[str, ...]) -> Fault | None:
    """What is wrong with how a branch names a question, given the answers under which it holds and fails."""
    named = dict(branch.readings).get(question)
    outcome = len(label_of(branch)) > 1
    whole = f"the outcome `{branch.label}`" if outcome else "the scenario"
    mark = f"{question}={'|'.join(held)}" if outcome else f"readings: {{{question}: {_written(held)}}}"
    if named is None:
        if not failed:
            return None
        message = f"{whole} hangs on `{question}` and does not name it: it fails under {_listed(failed)}"
        return item.fault(message, f"write `{mark}`, or show the others in `outcomes`", *label_of(branch))
    where = label_of(branch) if outcome and question in _label_words(branch) else ("readings", question)
    if not failed:
        return item.fault(f"{whole} names `{question}` and does not hang on it", "take it out: it holds under every reading", *where)
    if set(named) == set(held):
        return None
    return item.fault(f"{whole} holds under {_listed(held)} of `{question}`, and names {_listed(named)}", f"write `{mark}`", *where)


def _label_words(branch: Branch) -> set[str]:
    """The questions that the label of an outcome names."""
    return {word.partition("=")[0] for word in str(label_of(branch)[-1]).split()}


def _written(values: tuple[str, ...]) -> str:
    """Readings as they stand in a file."""
    quoted = [f'"{v}"' if v in ("yes", "no", "on", "off") else v for v in values]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def _listed(values: tuple[str, ...]) -> str:
    """Readings as text: numbers that follow one another as `3 to 7`."""
    if not all(v.isdigit() for v in values):
        return ", ".join(f"`{v}`" for v in values)
    numbers = sorted(map(int, values))
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}{' to ' if len(run) > 2 else ', '}{run[-1]}" for run in runs)
