"""From the syntax tree of a statement to the checked statement."""

from __future__ import annotations

from ludo_dsl.check.expressions import Expressions
from ludo_dsl.check.scope import BEFORE, CHOICE, GUARD, RESULT, ROLL, SETTLED, STATE, Context
from ludo_dsl.diagnostics import suggestion
from ludo_dsl.rules.expressions import ALWAYS, CounterId, Expr, Nouns, Owner
from ludo_dsl.rules.folding import conjunction
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
    StatementId,
    Target,
    Trigger,
    When,
)
from ludo_dsl.syntax.tree import Node

TRIGGER_CONTEXT = {
    Trigger.TURN_STARTS: BEFORE,
    Trigger.ROLLED: ROLL,
    Trigger.NO_MOVE: BEFORE,
    Trigger.TURN_ENDS: STATE,
    Trigger.ROUND_ENDS: STATE,
}

_MARKS = {
    "end_turn": Mark.END_TURN,
    "end_game": Mark.END_GAME,
    "retire": Mark.RETIRE,
    "skip_roll": Mark.SKIP_ROLL,
}
_TARGETS = {
    "the_piece": Target.PIECE,
    "the_missed": Target.MISSED,
    "the_last_moved": Target.LAST_MOVED,
    "one_of": Target.ONE,
    "last_of": Target.LAST,
    "all_of": Target.ALL,
}
_GOALS = {
    "goal_dice": GoalKind.DICE,
    "goal_pips": GoalKind.PIPS,
    "goal_enter": GoalKind.ENTER,
    "goal_advance": GoalKind.ADVANCE,
    "goal_capture": GoalKind.CAPTURE,
    "goal_combine": GoalKind.COMBINE,
    "goal_single": GoalKind.SINGLE,
    "goal_from": GoalKind.FROM,
}

STATEMENTS = ("may", "never", "must", "when", "once", "past", "lane_opens", "count", "rank", "stands")


class Statements:
    """Resolves the statements of one declaration: all hold only under its condition `given`."""

    def __init__(self, rule: str, given: Expr, expressions: Expressions) -> None:
        self.rule = rule
        self.given = given
        self.expressions = expressions
        self.scope = expressions.scope
        self.number = 0

    def resolve(self, node: Node) -> Statement:
        """The checked statement of a phrase."""
        self.number += 1
        sid = StatementId(self.rule, self.number)
        result: Statement = getattr(self, f"_{node.kind}")(node, sid)
        return result

    def _condition(self, node: Node, context: Context) -> Expr:
        own = self.expressions.condition(node.node("condition"), context)
        return self.given if own is None else conjunction(self.given, own)

    # ---- may and never -----------------------------------------------------------------------------------------------

    def _may(self, node: Node, sid: StatementId) -> Statement:
        act = next(n for n in node.nodes() if n.kind.startswith("may_"))
        if act.kind == "may_pass":
            return MayPass(sid, self._condition(node, BEFORE))
        condition = self._condition(node, GUARD)
        if act.kind == "may_combine":
            return MayCombine(sid, condition)
        whose = Owner.ALLIES if act.has("ALLIES") else Owner.OWN
        return May(sid, Act(act.kind.removeprefix("may_")), whose, condition, act.has("WALKING"))

    def _never(self, node: Node, sid: StatementId) -> Statement:
        act = next(n for n in node.nodes() if n.kind.startswith("never_"))
        if act.kind == "never_roll":
            face = act.the("INT")
            self.expressions.check_face(int(face.text[:9]), face.span)
            return NeverRoll(sid, int(face.text[:9]), self._condition(node, STATE))
        if act.kind == "never_keep":
            return NeverKeep(sid, self._condition(node, STATE))
        condition = self._condition(node, GUARD)
        if act.kind == "never_move":
            return NeverMove(sid, Act(act.parts[0].text if not isinstance(act.parts[0], Node) else ""), condition)
        crossing = next(act.nodes("crossing")).text()
        count = act.word("INT")
        return NeverCross(
            sid,
            passing="pass" in crossing,
            landing="land" in crossing,
            count=int(count.text[:9]) if count else 1,
            nouns=self.expressions.nouns(next(act.nodes("nouns")), GUARD),
            one_colour=act.has("COLOUR"),
            condition=condition,
        )

    def _past(self, node: Node, sid: StatementId) -> Statement:
        word = node.the("NEVER", "STOP", "BOUNCE")
        return Past(sid, Overshoot(word.text), self._condition(node, GUARD))

    def _lane_opens(self, node: Node, sid: StatementId) -> Statement:
        return LaneOpens(sid, self._condition(node, STATE))

    def _count(self, node: Node, sid: StatementId) -> Statement:
        face, steps = node.words("INT")
        self.expressions.check_face(int(face.text[:9]), face.span)
        return Count(sid, int(face.text[:9]), int(steps.text[:9]), self._condition(node, STATE))

    # ---- must --------------------------------------------------------------------------------------------------------

    def _must(self, node: Node, sid: StatementId) -> Statement:
        goals = tuple(self._goal(n) for n in node.nodes(*_GOALS))
        forfeit = node.node("forfeit")
        effects = tuple(self._effect(e, RESULT) for e in forfeit.nodes()) if forfeit else ()
        return Must(sid, goals, self._condition(node, CHOICE), effects)

    def _goal(self, node: Node) -> Goal:
        nouns = node.node("nouns")
        count = node.word("INT")
        return Goal(
            _GOALS[node.kind],
            self.expressions.nouns(nouns, STATE) if nouns else None,
            int(count.text[:9]) if count else 1,
        )

    # ---- when and once -----------------------------------------------------------------------------------------------

    def _when(self, node: Node, sid: StatementId) -> Statement:
        trigger_node = next(node.nodes())
        trigger = Trigger(trigger_node.kind.replace("_", " "))
        context = TRIGGER_CONTEXT.get(trigger, RESULT)
        kind = trigger_node.node("kind")
        squares = self.expressions.squares(kind) if kind else None
        condition = self._condition(node, context)
        effects = tuple(self._effect(e, context) for e in list(node.nodes())[1:] if e.kind != "condition")
        return When(sid, trigger, squares, condition, effects)

    def _once(self, node: Node, sid: StatementId) -> Statement:
        condition, *effects = node.nodes()
        holds = conjunction(self.given, self.expressions.truth(condition, STATE))
        return Once(sid, holds, tuple(self._effect(e, STATE) for e in effects))

    def _effect(self, node: Node, context: Context) -> Effect:
        if node.kind in _MARKS:
            return _MARKS[node.kind]
        effect: Effect = getattr(self, f"_{node.kind}")(node, context)
        return effect

    def _send(self, node: Node, context: Context) -> Effect:
        target_node = next(node.nodes(*_TARGETS))
        nouns_node = target_node.node("nouns")
        nouns: Nouns | None = self.expressions.nouns(nouns_node, context) if nouns_node else None
        target = _TARGETS[target_node.kind]
        if target is Target.PIECE and context is not RESULT:
            self._no_piece(target_node, context)
        to = node.the("YARD", "HOME", "START")
        return Send(target, nouns, Destination(to.text), node.has("CAPTURE"))

    def _no_piece(self, node: Node, context: Context) -> None:
        message = f"`piece` has no meaning in {context.name}"
        self.scope.fault("L0304", message, self.expressions.source, node.span, "no piece is moving then")

    def _share(self, node: Node, context: Context) -> Effect:
        return Share(Owner(next(node.nodes("owner")).text()))

    def _roll_again(self, node: Node, context: Context) -> Effect:
        return RollAgain(node.has("AT"))

    def _grant(self, node: Node, context: Context) -> Effect:
        number = node.word("INT")
        if number is not None:
            return Grant(int(number.text[:9]))
        word = node.the("NAME")
        if word.text not in self.scope.named_dice:
            hint = suggestion(word.text, self.scope.named_dice, "named dice")
            message = f"there is no named die `{word.text}`"
            self.scope.fault("L0201", message, self.expressions.source, word.span, f"{hint}; name one in `dice … also {word.text}`")
        return Grant(word.text)

    def _score(self, node: Node, context: Context) -> Effect:
        return Score(self.expressions.number(next(node.nodes()), context))

    def _add(self, node: Node, context: Context) -> Effect:
        amount = self.expressions.number(next(node.nodes()), context)
        word = node.the("NAME")
        scope = self.scope.counters.get(word.text)
        if scope is None:
            message = f"there is no counter `{word.text}`"
            self.scope.fault("L0201", message, self.expressions.source, word.span, suggestion(word.text, self.scope.counters, "counters"))
        elif context is not RESULT and scope & {"piece", "square"}:
            message = f"`{word.text}` counts per {'piece' if 'piece' in scope else 'square'}, and none is meant here"
            self.scope.fault("L0304", message, self.expressions.source, word.span)
        return Add(amount, CounterId(word.text))

    # ---- what a game has once ------------------------------------------------------------------------------------------

    def _rank(self, node: Node, sid: StatementId) -> Statement:
        keys = []
        for key in node.nodes("most", "fewest", "first_retired"):
            if key.kind == "first_retired":
                keys.append(RankKey(Order.FIRST_RETIRED, None))
            else:
                keys.append(RankKey(Order(key.kind), self.expressions.value(next(key.nodes()), STATE)))
        return Rank(sid, tuple(keys), self._condition(node, SETTLED))

    def _stands(self, node: Node, sid: StatementId) -> Statement:
        word = node.the("NAME")
        names = [b.value for b in Builtin]
        if word.text not in names:
            message = f"there is no built-in behaviour `{word.text}`"
            self.scope.fault("L0210", message, self.expressions.source, word.span, suggestion(word.text, names, "built-in behaviours"))
            return Stands(sid, Builtin.LOST_DICE, ALWAYS)
        return Stands(sid, Builtin(word.text), self._condition(node, SETTLED))
