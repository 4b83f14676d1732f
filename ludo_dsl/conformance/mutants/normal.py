"""One form for all rules that mean the same, so that a mutant that changes nothing, or the same as another, is found by comparing.

Only what is plain is brought into one form: `captured >= 1` and `captured > 0`, `die != 6` and `die < 6` with a die that shows no more,
a condition of pieces for an effect that needs those pieces anyway. What needs thought is left to whoever writes down why no game
can tell a mutant apart.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from ludo_dsl.conformance.mutants.footprints import conjuncts, inert
from ludo_dsl.rules.expressions import (
    ALWAYS,
    NEVER,
    And,
    Compare,
    CounterOf,
    DieIn,
    Every,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Measure,
    Not,
    Nouns,
    Number,
    Or,
    Owner,
    Quantity,
    Squares,
    Where,
)
from ludo_dsl.rules.folding import COMPARISONS, fold
from ludo_dsl.rules.statements import (
    Mark,
    May,
    Must,
    NeverCross,
    Once,
    Past,
    Phase,
    Rank,
    RollAgain,
    Send,
    Share,
    Stage,
    Stands,
    Statement,
    StatementId,
    Target,
    Trigger,
    When,
)

NOBODY = StatementId("", 0)
_SIDE_BY_SIDE = frozenset({"start", "own start"})


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known of all games: the faces, whether there are partners, and whether a player's pieces are all of one colour."""

    faces: tuple[int, ...]
    teams: bool
    one_colour: bool


# ---- expressions -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def normal(expr: Expr, ground: Ground) -> Expr:
    """The expression in the one form."""
    simple = _deep(fold(expr, lambda e: None), ground)
    return fold(simple, lambda e: None)


def _deep(value: Any, ground: Ground) -> Any:
    if isinstance(value, tuple):
        return tuple(_deep(item, ground) for item in value)
    if not isinstance(value, Expr):
        return _nouns(value, ground) if isinstance(value, Nouns) else value
    inside = {f.name: _deep(getattr(value, f.name), ground) for f in fields(value)}
    return _tidy(type(value)(**inside), ground)


def _nouns(nouns: Nouns, ground: Ground) -> Nouns:
    return Nouns(Owner.OWN, nouns.places) if nouns.owner is Owner.OURS and not ground.teams else nouns


def _tidy(expr: Expr, ground: Ground) -> Expr:
    match expr:
        case Compare(op, FactOf(Fact.DIE), Number(n)):
            return _die_in({f for f in (0, *ground.faces) if COMPARISONS[op](f, n)}, ground)
        case Compare(op, left, Number(n)):
            return _bounds(op, left, n)
        case DieIn(Faces(values)) if not isinstance(values, str):
            return _die_in(values, ground)
        case EveryDie(op, value) if op in COMPARISONS:
            kept = [f for f in ground.faces if COMPARISONS[op](f, value)]
            return EveryDie(",".join(map(str, kept)), 0) if kept else NEVER
        case Not(part):
            return _contrary(part, ground)
        case And(parts) | Or(parts):
            return _faces_together(type(expr), parts, ground)
        case Squares(names) if "track" in names:
            return Squares(names & {"track", "lane", "home"})
        case Every(Nouns(owner, ())) if owner is not Owner.ALLIES:
            return ALWAYS
        case _:
            return expr


def _die_in(values: set[int] | frozenset[int], ground: Ground) -> Expr:
    if not values:
        return NEVER
    return ALWAYS if values >= {0, *ground.faces} else DieIn(Faces(frozenset(values)))


def _bounds(op: str, left: Expr, n: int) -> Expr:
    """Comparisons by `<=`, `>=`, `=` and `!=` alone, and none that a number of things always or never meets."""
    if op in ("<", ">"):
        op, n = ("<=", n - 1) if op == "<" else (">=", n + 1)
    least = _least(left)
    if least is None:
        return Compare(op, left, Number(n))
    if n < least:
        return ALWAYS if op in (">=", "!=") else NEVER
    if n == least:
        if op == ">=":
            return ALWAYS
        op, n = {"=": ("<=", n), "!=": (">=", n + 1), "<=": ("<=", n)}[op]
    if op == ">=" and n == 1 and isinstance(left, Measure) and left.quantity is Quantity.COUNT and not left.nouns.places:
        return ALWAYS if left.nouns.owner is not Owner.ALLIES else Compare(op, left, Number(n))
    return Compare(op, left, Number(n))


def _least(amount: Expr) -> int | None:
    """The least that a number can be: there are never fewer than no pieces, and a game goes on with one player at least."""
    match amount:
        case FactOf(Fact.SCORE):
            return None
        case FactOf(Fact.ROUND | Fact.PLAYERS_LEFT | Fact.PLAYERS):
            return 1
        case FactOf() | Measure() | CounterOf() | Highest():
            return 0
        case _:
            return None


def _contrary(part: Expr, ground: Ground) -> Expr:
    match part:
        case DieIn(Faces(values)) if not isinstance(values, str):
            return _die_in({0, *ground.faces} - values, ground)
        case Compare(op, left, Number(n)):
            other = {"=": "!=", "!=": "=", ">=": "<", "<=": ">"}.get(op)
            return Not(part) if other is None else _bounds(other, left, n)
        case Not(inner):
            return inner
        case _:
            return Not(part)


def _faces_together(kind: type[And] | type[Or], parts: tuple[Expr, ...], ground: Ground) -> Expr:
    sets = [p.faces.values for p in parts if isinstance(p, DieIn) and isinstance(p.faces, Faces) and not isinstance(p.faces.values, str)]
    if len(sets) < 2:
        return kind(parts)
    joined = frozenset.intersection(*sets) if kind is And else frozenset.union(*sets)
    rest = tuple(p for p in parts if not (isinstance(p, DieIn) and isinstance(p.faces, Faces) and not isinstance(p.faces.values, str)))
    return kind((_die_in(joined, ground), *rest))


# ---- statements ------------------------------------------------------------------------------------------------------


def essence(statements: tuple[Statement, ...], ground: Ground) -> tuple[object, ...]:
    """What the statements come to: those of each kind in order where order matters, without those that do nothing."""
    stirs = _stirs_the_mover(statements)
    kept = [s for s in (_bare(s, ground, stirs) for s in statements) if s is not None]
    free = {(m.act, m.whose, m.walking) for m in kept if isinstance(m, May) and m.condition == ALWAYS}
    groups: dict[str, list[Statement]] = defaultdict(list)
    for s in kept:
        if isinstance(s, May) and s.condition != ALWAYS and (s.act, s.whose, s.walking) in free:
            continue
        groups[_group(s)].append(s)
    return tuple((name, _arranged(name, group)) for name, group in sorted(groups.items()))


def _group(statement: Statement) -> str:
    return f"When {statement.trigger}" if isinstance(statement, When) else type(statement).__name__


def _arranged(name: str, group: list[Statement]) -> object:
    if name.startswith("When") or isinstance(group[0], Once | Must | Past | Rank):
        return tuple(group)
    return frozenset(group)


def _stirs_the_mover(statements: tuple[Statement, ...]) -> bool:
    """Whether a landing can take the piece that has just landed off its square again."""
    landings = (s for s in statements if isinstance(s, When) and s.trigger is Trigger.LANDING)
    sends = [e for s in landings for e in s.effects if isinstance(e, Send)]
    return any(e.nouns is None or e.nouns.owner not in (Owner.ENEMIES, Owner.ALLIES) for e in sends)


@lru_cache(maxsize=100_000)
def _bare(statement: Statement, ground: Ground, stirs: bool) -> Statement | None:
    """The statement without its place in the book and with its expressions in the one form; nothing if it does nothing."""
    condition = normal(statement.condition, ground)
    if isinstance(statement, When) and statement.trigger is Trigger.LANDING and not stirs:
        condition = _with_mover_there(condition, ground)
    if condition == NEVER or isinstance(statement, Stands) or inert(statement):
        return None
    match statement:
        case When(squares=squares, effects=effects):
            kept = tuple(_settled(e, ground) for e in effects if not isinstance(e, Share))
            where = None if squares is None else normal(squares, ground)
            return replace(statement, id=NOBODY, condition=_needed(condition, kept), effects=kept, squares=where)
        case Once(effects=effects):
            return replace(statement, id=NOBODY, condition=condition, effects=tuple(_settled(e, ground) for e in effects))
        case NeverCross(count=count, nouns=nouns, one_colour=one_colour):
            alike = count <= 1 or (nouns.owner is Owner.OWN and ground.one_colour)
            whose = _nouns(nouns, ground)
            return replace(statement, id=NOBODY, condition=condition, nouns=whose, one_colour=one_colour and not alike)
        case Rank(keys=keys):
            settled = tuple(k if k.value is None else replace(k, value=normal(k.value, ground)) for k in keys)
            return replace(statement, id=NOBODY, condition=condition, keys=settled)
        case _:
            return replace(statement, id=NOBODY, condition=condition)


def _settled(effect: Any, ground: Ground) -> Any:
    """An effect with its expressions and pieces in the one form."""
    if not hasattr(effect, "__dataclass_fields__"):
        return effect
    inside = {f.name: getattr(effect, f.name) for f in fields(effect)}
    changed = {k: normal(v, ground) if isinstance(v, Expr) else _nouns(v, ground) if isinstance(v, Nouns) else v for k, v in inside.items()}
    return replace(effect, **changed)


def _needed(condition: Expr, effects: tuple[object, ...]) -> Expr:
    """The condition without asking for the pieces that all effects send: without them nothing happens anyway."""
    sent = {e.nouns if isinstance(e, Send) and e.target in (Target.ALL, Target.ONE, Target.LAST) else None for e in effects}
    nouns = next(iter(sent)) if len(sent) == 1 else None
    if nouns is None:
        return condition
    asked = Compare(">=", Measure(Quantity.COUNT, nouns), Number(1))
    return _all(tuple(p for p in conjuncts(condition) if p != asked))


def _with_mover_there(condition: Expr, ground: Ground) -> Expr:
    """The condition without asking whether any piece at all stands where one has just landed."""
    there = [Owner.PIECES, Owner.OURS] if ground.teams else [Owner.PIECES, Owner.OWN]
    known = [Compare(">=", Measure(Quantity.COUNT, Nouns(owner, (Where.HERE,))), Number(1)) for owner in there]
    return fold(condition, lambda e: ALWAYS if e in known else None)


def _all(parts: tuple[Expr, ...]) -> Expr:
    return ALWAYS if not parts else parts[0] if len(parts) == 1 else And(parts)


# ---- order of resolution, turn loop ----------------------------------------------------------------------------------


def acting(phase: Phase, statements: tuple[Statement, ...], links: tuple[object, ...]) -> tuple[Statement, ...] | None:
    """The statements that act in a phase; nothing where the phase can do nothing in any game."""
    trigger = next((t for t in Trigger if t.value == phase.value), None)
    match phase:
        case Phase.SPEND:
            return ()
        case Phase.MARKS:
            return None
        case Phase.LINK:
            return () if links else None
        case Phase.ONCE:
            return tuple(s for s in statements if isinstance(s, Once)) or None
        case Phase.RETIRED if not any(Mark.RETIRE in s.effects for s in statements if isinstance(s, When | Once)):
            return None
        case _:
            found = tuple(s for s in statements if isinstance(s, When) and s.trigger is trigger and not inert(s))
            return found if phase is Phase.RETIRED else found or None


def phases(resolution: tuple[Phase, ...], statements: tuple[Statement, ...], links: tuple[object, ...]) -> tuple[Phase, ...]:
    """The order of resolution without phases that can do nothing."""
    return tuple(p for p in resolution if acting(p, statements, links) is not None)


def stages(turn: tuple[Stage, ...], statements: tuple[Statement, ...]) -> tuple[Stage, ...]:
    """The stages of the turn in the one form: without what comes too late, and without what makes no difference to any position."""
    found = [s for s in turn if s is not Stage.DUE_ROLL or _rolls_at_once(statements)]
    if Stage.END in found:
        del found[found.index(Stage.END) + 1 :]
    if Stage.LOSE in found and Stage.CHOOSE in found and found.index(Stage.LOSE) < found.index(Stage.CHOOSE):
        found.remove(Stage.CHOOSE)
    asked = any(isinstance(s, When) and s.trigger is Trigger.NO_MOVE for s in statements)
    if not asked and found[-2:] == [Stage.LOSE, Stage.END]:
        # What is left of the pool when the turn ends is lost in any case.
        found.remove(Stage.LOSE) if Stage.OWED_ROLL in found and found.index(Stage.OWED_ROLL) < found.index(Stage.LOSE) else None
    return tuple(found)


def _rolls_at_once(statements: tuple[Statement, ...]) -> bool:
    effects = [e for s in statements if isinstance(s, When | Once) for e in s.effects]
    effects += [e for s in statements if isinstance(s, Must) for e in s.forfeit]
    return RollAgain(True) in effects
