"""What a position can remember beside its pieces, in settings small enough to be tried one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludo_dsl.conformance.telling.leads import Leads
from ludo_dsl.conformance.telling.shown import Eyes, asked_counters
from ludo_dsl.game.notation import once_names, roll_text
from ludo_dsl.interpreter.freezing import parts
from ludo_dsl.rules.expressions import Compare, CounterOf, Fact, FactOf, Number, RolledTimes
from ludo_dsl.rules.statements import RollAgain, Send, Statement, Target
from ludo_dsl.rules.table import Table

Setting = tuple[tuple[str, str], ...]
"""Fields of a position with their values; `@mover` in a value stands for the place of the piece that is first to move."""

MOVER = "@mover"


def settings_of(table: Table, other: Table, eyes: Eyes, player: int, leads: Leads) -> tuple[list[Setting], list[Setting]]:
    """Settings of the memory with one player to move: those that the leads name, and the others, the smallest first."""
    hot: list[Setting] = []
    cold: list[Setting] = []
    for topic, setting in _all(table, other, eyes, player):
        (hot if topic in leads.topics else cold).append(setting)
    return list(dict.fromkeys(hot)), list(dict.fromkeys(cold))


def _all(table: Table, other: Table, eyes: Eyes, player: int) -> Iterator[tuple[str, Setting]]:
    statements = (*table.statements, *other.statements)
    name = table.players[player].name
    yield from (("rolled", s) for s in _rolled(table, statements, eyes))
    yield from (("owed", s) for s in _owed(table, statements))
    numbers = _limits(statements)
    if eyes.memories[0].captures:
        for value in _near(numbers.get("captures", ()), 1):
            yield "captures", ((f"captures.{name}", str(value)),)
        yield from (("captures", ((f"captures.{p.name}", "1"),)) for p in table.players if p.name != name)
    yield from _counters(table, other, name, numbers)
    if eyes.memories[0].rounds:
        yield from _rounds(table, numbers.get("round", ()))
    yield from (("done", ((f"done.{name}", word),)) for word in once_names(table))
    yield from _scores(table, player, numbers.get("score", ()))
    if eyes.memories[0].last and any(isinstance(p, Send) and p.target is Target.LAST_MOVED for s in statements for p in parts(s)):
        for setting in _rolled(table, statements, eyes):
            yield "last", (*setting, ("last", MOVER))
        yield "last", (("last", MOVER),)


# ---- rolls -----------------------------------------------------------------------------------------------------------


def _rolled(table: Table, statements: Iterable[Statement], eyes: Eyes) -> Iterator[Setting]:
    """Rolls of the turn so far: runs of the faces that are counted, broken runs, and numbers of rolls near the limits."""
    found = [p for s in statements for p in parts(s)]
    counted = sorted({(p.face, p.times) for p in found if isinstance(p, RolledTimes)})
    dice = table.book.dice
    plain = next(f for f, _ in dice.faces if f not in {face for face, _ in counted})
    for face, times in counted:
        for length in range(times - 1, 0, -1):
            yield _rolls(dice.count, [face] * length)
        for at in range(1, times - 1):
            yield _rolls(dice.count, [*[face] * at, plain, *[face] * (times - 1 - at)])
        yield _rolls(dice.count, [*[face] * (times - 1), plain])
        yield _rolls(dice.count, [face] * times)
    if eyes.memories[0].turn_rolls or eyes.memories[1].turn_rolls:
        most = max([3, *_limits(statements).get("rolled", ())])
        high = max(f for f, _ in dice.faces)
        for length in range(1, most + 2):
            yield _rolls(dice.count, [plain] * length)
            yield _rolls(dice.count, [high] * length)
    elif not counted:
        return
    yield _rolls(dice.count, [plain])


def _rolls(dice: int, faces: list[int]) -> Setting:
    return (("rolled", ",".join(roll_text((face,) * dice) for face in faces)),)


def _owed(table: Table, statements: Iterable[Statement]) -> Iterator[Setting]:
    again = [p for s in statements for p in parts(s) if isinstance(p, RollAgain)]
    if again:
        yield (("owed", "2"),)
    if any(p.at_once for p in again) and table.book.dice.count == 1:
        high = str(max(f for f, _ in table.book.dice.faces))
        yield (("pool", high), ("due", "1"))
        yield (("pool", f"{high},{high}"), ("due", "1"))
        yield (("pool", high), ("due", "1"), ("owed", "1"))


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _limits(statements: Iterable[Statement]) -> dict[str, tuple[int, ...]]:
    """The numbers with which the rules compare what is remembered, by what it is."""
    names = {Fact.CAPTURES: "captures", Fact.ROUND: "round", Fact.SCORE: "score", Fact.TURN_ROLLS: "rolled"}
    found: dict[str, set[int]] = {}
    for thing in (p for s in statements for p in parts(s)):
        match thing:
            case Compare(_, FactOf(fact), Number(value)) if fact in names:
                found.setdefault(names[fact], set()).add(value)
            case Compare(_, CounterOf(name), Number(value)):
                found.setdefault(name, set()).add(value)
    return {name: tuple(sorted(values)) for name, values in found.items()}


def _near(limits: Iterable[int], low: int) -> list[int]:
    """Small numbers and those just below, at and above the limits."""
    near = {n + d for n in limits for d in (-1, 0, 1)} | {1, 2}
    return sorted(n for n in near if n >= low)


def _counters(table: Table, other: Table, name: str, limits: dict[str, tuple[int, ...]]) -> Iterator[tuple[str, Setting]]:
    asked = asked_counters(table) | asked_counters(other)
    for counter in table.counters:
        if counter.id not in asked or counter.scope == {"piece"}:
            continue
        if "square" in counter.scope:
            squares = [square for square, kinds in enumerate(table.kinds) if len(kinds) > 1 and "start" not in kinds]
            yield from ((counter.id, ((f"{counter.id}.{name}", f"{square}:1"),)) for square in squares)
            continue
        field = counter.id if counter.scope == {"game"} else f"{counter.id}.{name}"
        yield from ((counter.id, ((field, str(value)),)) for value in _near(limits.get(counter.id, ()), 1))


def _rounds(table: Table, limits: Iterable[int]) -> Iterator[tuple[str, Setting]]:
    for value in _near(limits, 1):
        yield "round", (("round", str(value)),)
    for value in limits:
        yield from (("round", (("round", str(value)), ("first", p.name))) for p in table.players[1:])


def _scores(table: Table, player: int, limits: Iterable[int]) -> Iterator[tuple[str, Setting]]:
    if limits:
        yield from (("score", ((f"score.{table.players[player].name}", str(value)),)) for value in _near(limits, 1))
