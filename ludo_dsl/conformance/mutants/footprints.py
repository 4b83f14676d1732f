"""What statements read and write, to tell whether the order of two of them can make a difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludo_dsl.conformance.mutants.rewriting import Node, nodes
from ludo_dsl.rules.expressions import And, ChoiceIs, CounterOf, Expr, Fact, FactOf, Highest, Measure, Not, Nouns, Quantity
from ludo_dsl.rules.statements import Add, Effect, Grant, Mark, Phase, RollAgain, Score, Send, Share, Statement, When

_POOL_QUANTITIES = (Quantity.MOVABLE, Quantity.STUCK, Quantity.GROUPS)
_PHASE_READS = {Phase.CAPTURED: Fact.CAPTURED, Phase.REACHED_HOME: Fact.CAME_HOME, Phase.RETIRED: Mark.RETIRE}


@dataclass(frozen=True, slots=True)
class Footprint:
    """What is asked about and what is changed, by name."""

    reads: frozenset[str]
    writes: frozenset[str]

    def disturbs(self, other: Footprint) -> bool:
        """Whether it matters which of the two comes first."""
        both = self.writes & other.writes
        return bool(self.writes & other.reads or other.writes & self.reads or both & {"pieces", "skip"})


def footprint(values: Iterable[Node]) -> Footprint:
    """The footprint of statements or effects."""
    reads: set[str] = set()
    writes: set[str] = set()
    for value in values:
        for node in nodes(value):
            reads.update(_reads(node))
            writes.update(_writes(node))
    if "skip" in writes:
        # To take away what is owed is not the same before and after more is owed.
        reads.add("owed")
    return Footprint(frozenset(reads), frozenset(writes))


def _reads(node: Node) -> Iterator[str]:
    match node:
        case Nouns():
            yield "pieces"
        case Measure(quantity) if quantity in _POOL_QUANTITIES:
            yield "pool"
        case FactOf(Fact.UNTOUCHED):
            yield "pool"
        case FactOf(Fact.STEPS_LEFT):
            yield "pieces"
        case FactOf(fact):
            yield fact.value
        case CounterOf(counter) | Highest(counter):
            yield counter


def _writes(node: Node) -> Iterator[str]:
    match node:
        case Send():
            yield from ("pieces", Fact.CAME_HOME.value, Fact.SENT_BACK.value)
            if node.as_capture:
                yield from (Fact.CAPTURED.value, Fact.CAPTURES.value)
        case RollAgain():
            yield Fact.OWED.value
        case Score():
            yield Fact.SCORE.value
        case Add(_, counter):
            yield counter
        case Grant():
            yield "pool"
        case Mark.SKIP_ROLL:
            yield from ("skip", Fact.OWED.value)
        case Mark.RETIRE:
            yield Mark.RETIRE.value


def commute(first: tuple[Effect | Statement, ...], second: tuple[Effect | Statement, ...]) -> bool:
    """Whether it is the same in whichever order these come."""
    return not footprint(first).disturbs(footprint(second))


def phases_commute(first: Phase, firsts: tuple[Statement, ...], second: Phase, seconds: tuple[Statement, ...]) -> bool:
    """Whether two phases of a resolution can be exchanged without any difference, given the statements that act in each."""
    if Phase.SPEND in (first, second):
        return False
    one, other = _in_phase(first, firsts), _in_phase(second, seconds)
    return not one.disturbs(other)


def _in_phase(phase: Phase, statements: tuple[Statement, ...]) -> Footprint:
    found = footprint(statements)
    read = _PHASE_READS.get(phase)
    return found if read is None else Footprint(found.reads | {read.value}, found.writes)


# ---- statements that never meet --------------------------------------------------------------------------------------


def inert(statement: Statement) -> bool:
    """Whether a statement does nothing that a position or the legal moves could show: it only states that pieces share a square."""
    return isinstance(statement, When) and all(isinstance(e, Share) for e in statement.effects)


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a condition that must all hold."""
    return condition.parts if isinstance(condition, And) else (condition,)


def exclusive(first: Expr, second: Expr) -> bool:
    """Whether two conditions plainly never hold together: the same choice with two values, or a part and its contrary."""
    for a in conjuncts(first):
        for b in conjuncts(second):
            if Not(a) == b or Not(b) == a:
                return True
            if isinstance(a, ChoiceIs) and isinstance(b, ChoiceIs) and a.setting == b.setting and a.value != b.value:
                return True
    return False
