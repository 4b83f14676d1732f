"""What can be wrong in a statement: in itself, in its effects and goals, and in every expression inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ludo_dsl.conformance.mutants.expressions import (
    compares_die,
    dropped,
    expression_changes,
    negation,
    neighbours,
    one_off,
    shifted,
    swapped,
)
from ludo_dsl.conformance.mutants.footprints import commute
from ludo_dsl.conformance.mutants.kinds import MutantKind
from ludo_dsl.conformance.mutants.rewriting import Around, Edit, Node, chosen_only, holes, lifted, nodes
from ludo_dsl.conformance.mutants.writing import crossing, written
from ludo_dsl.rules.expressions import Compare, Expr, Fact, Nouns, Number, Owner, SquareIs, Where
from ludo_dsl.rules.statements import (
    Act,
    Add,
    Builtin,
    Count,
    Destination,
    Effect,
    Goal,
    GoalKind,
    Grant,
    LaneOpens,
    Mark,
    May,
    MayCombine,
    MayPass,
    Must,
    NeverCross,
    NeverKeep,
    NeverMove,
    NeverRoll,
    Once,
    Order,
    Overshoot,
    Past,
    Rank,
    RankKey,
    RollAgain,
    Score,
    Send,
    Share,
    Stands,
    Statement,
    Target,
    Trigger,
    When,
)

_HERE = (Where.HERE,)
_OTHER_TRIGGERS = {
    Trigger.TURN_STARTS: (Trigger.TURN_ENDS, Trigger.ROLLED),
    Trigger.ROLLED: (Trigger.MOVED, Trigger.NO_MOVE),
    Trigger.PASSING: (Trigger.LANDING,),
    Trigger.LANDING: (Trigger.PASSING, Trigger.MOVED),
    Trigger.CAPTURED: (Trigger.LANDING, Trigger.MOVED),
    Trigger.REACHED_HOME: (Trigger.CAPTURED, Trigger.MOVED),
    Trigger.MOVED: (Trigger.ROLLED, Trigger.LANDING),
    Trigger.RETIRED: (Trigger.TURN_ENDS, Trigger.REACHED_HOME),
    Trigger.NO_MOVE: (Trigger.ROLLED, Trigger.TURN_ENDS),
    Trigger.TURN_ENDS: (Trigger.TURN_STARTS, Trigger.ROUND_ENDS),
    Trigger.ROUND_ENDS: (Trigger.TURN_ENDS,),
}
_DURING_A_MOVE = (Trigger.PASSING, Trigger.LANDING, Trigger.CAPTURED, Trigger.REACHED_HOME, Trigger.MOVED)
_OF_A_MOVE = (Fact.CAPTURED, Fact.ENTERED, Fact.RETREATING, Fact.WALKED, Fact.CAME_HOME, Fact.SENT_BACK, Where.HERE)
_OTHER_ACTS = {
    Act.ADVANCE: (Act.RETREAT, Act.ENTER),
    Act.ENTER: (Act.RETREAT,),
    Act.RETREAT: (Act.ADVANCE,),
}
_OTHER_GOALS = {
    GoalKind.DICE: (GoalKind.PIPS,),
    GoalKind.PIPS: (GoalKind.DICE,),
    GoalKind.ENTER: (GoalKind.ADVANCE, GoalKind.CAPTURE),
    GoalKind.ADVANCE: (GoalKind.ENTER,),
    GoalKind.CAPTURE: (GoalKind.ENTER, GoalKind.ADVANCE),
    GoalKind.COMBINE: (GoalKind.SINGLE,),
    GoalKind.SINGLE: (GoalKind.COMBINE,),
    GoalKind.FROM: (GoalKind.ADVANCE,),
}
_OTHER_MARKS = {
    Mark.END_TURN: (Mark.END_GAME, Mark.RETIRE),
    Mark.END_GAME: (Mark.END_TURN, Mark.RETIRE),
    Mark.RETIRE: (Mark.END_GAME, Mark.END_TURN),
    Mark.SKIP_ROLL: (Mark.END_TURN,),
}
_OTHER_TARGETS = {
    Target.PIECE: (),
    Target.MISSED: (Target.PIECE,),
    Target.LAST_MOVED: (Target.ALL, Target.PIECE),
    Target.ALL: (Target.ONE, Target.PIECE),
    Target.ONE: (Target.ALL, Target.PIECE),
    Target.LAST: (Target.ALL, Target.ONE, Target.PIECE),
}

_STATEMENTS = (
    May
    | MayCombine
    | MayPass
    | NeverRoll
    | NeverCross
    | NeverMove
    | NeverKeep
    | Must
    | When
    | Once
    | Past
    | LaneOpens
    | Count
    | Rank
    | Stands
)


def edits(node: Node, around: Around, *, holds: str = "condition") -> Iterator[Edit]:
    """Every change of a node and of what is in it; `holds` says whether expressions there are a `condition` or a `number`.

    Conditions on options and readings alone are left as they are: a statement may lose one (`part`), and an option may be stuck,
    but to take another reading is no fault.

    Raises:
        TypeError: there is a node of a type that nobody has thought of.
    """
    if isinstance(node, Expr) and chosen_only(node):
        return
    itself = [*changes(node, around), *(negation(node) if holds == "condition" and isinstance(node, Expr) else ())]
    inside = () if isinstance(node, Expr) and compares_die(node) else _inside(node, around, holds)
    # `> 3` and `>= 4` are the same: the number one off is the plainer name for it.
    yield from (*inside, *itself) if isinstance(node, Compare) else (*itself, *inside)


def _inside(node: Node, around: Around, holds: str) -> Iterator[Edit]:
    expected = "number" if isinstance(node, RankKey | Score | Add) else holds
    for _, inner, put in holes(node):
        for edit in edits(inner, around, holds=expected):
            yield lifted(edit, node, put)


def changes(node: Node, around: Around) -> Iterator[Edit]:
    """The changes of a node itself, without those of what is in it."""
    if isinstance(node, Effect):
        return _effect_changes(node, around)
    if isinstance(node, Goal | RankKey):
        return _aim_changes(node)
    if isinstance(node, _STATEMENTS):
        return _statement_changes(node, around)
    return expression_changes(node, around)


def _others(kind: MutantKind, before: Node, results: list[Any]) -> Iterator[Edit]:
    return (Edit(kind, before, result, result) for result in results)


def _field(kind: MutantKind, node: Node, name: str, values: list[Any], show: Callable[[Any], str] = str) -> Iterator[Edit]:
    """A field of a statement with other values, shown by the field alone."""
    before = show(getattr(node, name))
    return (Edit(kind, before, show(value), replace(node, **{name: value})) for value in values)


# ---- statements ------------------------------------------------------------------------------------------------------


def _statement_changes(statement: Statement, around: Around) -> Iterator[Edit]:
    match statement:
        case May(act=act, whose=whose, walking=walking):
            yield from _field(MutantKind.ACT, statement, "act", list(_OTHER_ACTS[act]), lambda a: f"may {a}")
            if around.teams:
                other = Owner.ALLIES if whose is Owner.OWN else Owner.OWN
                yield from _field(MutantKind.OWNER, statement, "whose", [other])
            if act is Act.ENTER:
                yield from _field(MutantKind.ACT, statement, "walking", [not walking], lambda w: "walking" if w else "placed")
        case NeverRoll(face=face):
            others = list(neighbours(face, around.faces))
            yield from _field(MutantKind.FACE, statement, "face", others, lambda f: f"never roll {f}")
        case NeverCross():
            yield from _crossing_changes(statement)
        case NeverMove(act=act):
            others_ = [a for a in Act if a is not act]
            yield from _field(MutantKind.ACT, statement, "act", others_, lambda a: f"never {a}")
        case Past(overshoot=overshoot):
            others_o = [o for o in Overshoot if o is not overshoot]
            yield from _field(MutantKind.OVERSHOOT, statement, "overshoot", others_o, lambda o: f"past home {o}")
        case Count(face=face, steps=steps):
            yield from _field(MutantKind.FACE, statement, "face", list(neighbours(face, around.faces)), lambda f: f"count {f}")
            yield from _field(MutantKind.NUMBER, statement, "steps", list(one_off(steps)), lambda n: f"as {n}")
        case Stands():
            yield from _contrary(statement)
        case Must() | Rank() | When() | Once():
            yield from _sequence_changes(statement)
        case MayCombine() | MayPass() | NeverKeep() | LaneOpens():
            return


def _crossing_changes(never: NeverCross) -> Iterator[Edit]:
    def edit(kind: MutantKind, **changed: object) -> Edit:
        result = replace(never, **changed)  # type: ignore[arg-type]
        return Edit(kind, crossing(never), crossing(result), result)

    for passing, landing in ((True, False), (False, True), (True, True)):
        if (passing, landing) != (never.passing, never.landing):
            yield edit(MutantKind.CROSSING, passing=passing, landing=landing)
    for count in one_off(never.count, 1):
        yield edit(MutantKind.NUMBER, count=count)
    yield edit(MutantKind.CROSSING, one_colour=not never.one_colour)


def _contrary(statement: Stands) -> Iterator[Edit]:
    """A statement against the built-in behaviour that a rule states, where the language has one."""
    sid, condition = statement.id, statement.condition
    # That the turn does not pass, that a lane is everybody's or that only one colour moves cannot be said in the language.
    against: dict[Builtin, Statement] = {
        Builtin.FREE_PASSING: NeverCross(sid, True, False, 1, Nouns(Owner.PIECES), False, condition),
        Builtin.LOST_DICE: When(sid, Trigger.NO_MOVE, None, condition, (RollAgain(False),)),
        Builtin.CAPTOR_STAYS: When(sid, Trigger.CAPTURED, None, condition, (Send(Target.PIECE, None, Destination.HOME, False),)),
        Builtin.NO_SCORE: When(sid, Trigger.MOVED, None, condition, (Score(Number(1)),)),
    }
    if statement.builtin in against:
        result = against[statement.builtin]
        yield Edit(MutantKind.BUILTIN, f"stands {statement.builtin}", result, result)


def _sequence_changes(statement: Must | Rank | When | Once) -> Iterator[Edit]:
    match statement:
        case When(squares=squares):
            yield from _field(MutantKind.TRIGGER, statement, "trigger", _other_triggers(statement), lambda t: f"when {t}")
            if squares is not None:
                yield Edit(MutantKind.SQUARE, f"on {written(squares)}", "on any square", replace(statement, squares=None))
            yield from _effects(statement, "effects")
        case Once(id=sid, condition=condition, effects=effects):
            again = When(sid, Trigger.MOVED, None, condition, effects)
            yield Edit(MutantKind.TRIGGER, "once", "when moved", again)
            yield from _effects(statement, "effects")
        case Must(goals=goals, forfeit=forfeit):
            yield from _places(statement, "goals", goals, MutantKind.GOAL)
            if forfeit:
                yield from _effects(statement, "forfeit")
                label = "without else"
                yield Edit(
                    MutantKind.EFFECT, "else", "", replace(statement, forfeit=()), label=label, says="a penalty became an obligation"
                )
        case Rank(keys=keys):
            yield from _places(statement, "keys", keys, MutantKind.PART)


def _other_triggers(statement: When) -> list[Trigger]:
    others = list(_OTHER_TRIGGERS[statement.trigger])
    if statement.trigger is Trigger.REACHED_HOME and all(isinstance(e, Mark) for e in statement.effects):
        # What ends with the last piece that comes home cannot come about by another move.
        others.remove(Trigger.MOVED)
    if any(node in _OF_A_MOVE or isinstance(node, SquareIs) for node in nodes(statement.condition)):
        # Without a move such a condition never holds: the statement might as well be missing.
        others = [t for t in others if t in _DURING_A_MOVE]
    return others


def _effects(statement: Node, name: str) -> Iterator[Edit]:
    effects: tuple[Effect, ...] = getattr(statement, name)
    for i, effect in enumerate(effects):
        if len(effects) > 1:
            yield _left_out(statement, name, effects, i, MutantKind.EFFECT)
        if i + 1 < len(effects) and not commute((effect,), (effects[i + 1],)):
            yield _exchanged(statement, name, effects, i)


def _places(statement: Node, name: str, items: tuple[Node, ...], kind: MutantKind) -> Iterator[Edit]:
    """Goals or keys: one left out, two neighbours exchanged."""
    for i in range(len(items)):
        if len(items) > 1:
            yield _left_out(statement, name, items, i, kind)
        if i + 1 < len(items):
            yield _exchanged(statement, name, items, i)


def _left_out(statement: Node, name: str, items: tuple[Node, ...], i: int, kind: MutantKind) -> Edit:
    text = written(items[i])
    result = replace(statement, **{name: dropped(items, i)})
    return Edit(kind, text, "", result, label=f"without {text}", says=f"`{text}` was left out")


def _exchanged(statement: Node, name: str, items: tuple[Node, ...], i: int) -> Edit:
    first, second = written(items[i]), written(items[i + 1])
    result = replace(statement, **{name: swapped(items, i)})
    label, says = f"{second} before {first}", f"`{second}` came before `{first}`"
    return Edit(MutantKind.ORDER, first, second, result, label=label, says=says)


# ---- goals and ranking keys ------------------------------------------------------------------------------------------


def _aim_changes(aim: Goal | RankKey) -> Iterator[Edit]:
    match aim:
        case Goal(kind, _, count):
            yield from _others(MutantKind.GOAL, aim, [Goal(other) for other in _OTHER_GOALS[kind]])
            if kind is GoalKind.FROM:
                yield from _others(MutantKind.NUMBER, aim, [replace(aim, count=n) for n in one_off(count, 1)])
        case RankKey(order, value) if value is not None:
            turned = Order.FEWEST if order is Order.MOST else Order.MOST
            yield from _others(MutantKind.ORDER, aim, [RankKey(turned, value)])


# ---- effects ---------------------------------------------------------------------------------------------------------


def _effect_changes(effect: Effect, around: Around) -> Iterator[Edit]:
    match effect:
        case Send():
            yield from _others(MutantKind.EFFECT, effect, _other_sends(effect))
        case Share(owner):
            capture = Send(Target.ALL, Nouns(owner, _HERE), Destination.YARD, True)
            yield from _others(MutantKind.EFFECT, effect, [capture])
        case RollAgain(at_once):
            yield from _others(MutantKind.EFFECT, effect, [RollAgain(not at_once)])
        case Grant(value) if isinstance(value, int):
            yield from _others(MutantKind.NUMBER, effect, [Grant(n) for n in one_off(value, 1)])
        case Grant(value):
            yield from _others(MutantKind.EFFECT, effect, [Grant(name) for name in around.named if name != value])
        case Score(points):
            yield from _others(MutantKind.NUMBER, effect, [Score(p) for p in _amounts_off(points)])
        case Add(amount, counter):
            yield from _others(MutantKind.NUMBER, effect, [Add(a, counter) for a in _amounts_off(amount)])
            yield from _others(MutantKind.COUNTER, effect, [Add(amount, c) for c in around.same_scope(counter)])
        case Mark():
            yield from _others(MutantKind.EFFECT, effect, list(_OTHER_MARKS[effect]))


def _other_sends(send: Send) -> list[Send]:
    found = [replace(send, destination=d) for d in Destination if d is not send.destination]
    found.append(replace(send, as_capture=not send.as_capture))
    for target in _OTHER_TARGETS[send.target]:
        found.append(replace(send, target=target, nouns=None if target is Target.PIECE else send.nouns))
    return found


def _amounts_off(amount: Expr) -> tuple[Expr, ...]:
    """An amount in which no number stands that could be one off, one off as a whole."""
    return () if any(isinstance(part, Number) for part in nodes(amount)) else shifted(amount)
