"""Making a game that tells two engines apart smaller, while it still does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludo_dsl.conformance.telling.paired import Pair, Step, Told, joined
from ludo_dsl.game.positions import split_fields
from ludo_dsl.rules.table import Table

MOST_LOOKED = 2
"""Rolls up to which every way is tried from a smaller position; above, the game itself is followed."""


def shrunk(pair: Pair, told: Told) -> Told:
    """The smallest game by set position that is found from a game by set position."""
    told = _cut(pair, told)
    while True:
        smaller = next((t for text in _smaller(pair.a.table, told.position or "") if (t := _again(pair, told, text)) is not None), None)
        if smaller is None:
            return told
        told = smaller


def _again(pair: Pair, told: Told, text: str) -> Told | None:
    """A smaller game from another position, if there is one."""
    if told.rolls <= MOST_LOOKED:
        found = pair.look(text, told.rolls)
    else:
        found = pair.follow(Told(text, 0, (), told.difference), told.steps)
    return found if found is not None and found.size < told.size else None


def _cut(pair: Pair, told: Told) -> Told:
    """The end of the game alone, from a position that was reached in it."""
    best = told
    at = pair.begin(told)
    for number, step in enumerate(told.steps):
        if not isinstance(at, tuple):
            break
        if isinstance(step, tuple) and number:
            rest = told.steps[number:]
            for text in pair.texts(at):
                found = pair.follow(Told(text, 0, (), told.difference), rest)
                if found is None and sum(isinstance(s, tuple) for s in rest) <= MOST_LOOKED:
                    found = pair.look(text, MOST_LOOKED)
                if found is not None and found.size < best.size:
                    best = found
        at = pair.step(at, step)
    return best


def _smaller(table: Table, text: str) -> Iterator[str]:
    """Positions with something less: a field, a piece out of the yard, a number; first the position itself, for a shorter way."""
    yield text
    fields = split_fields(text)
    # A game begins with a roll: what is rolled at once belongs to the pool that it joins.
    kept = {*table.colours, "turn", *(("due",) if "pool" in fields else ())}
    for name in list(fields):
        if name not in kept:
            yield joined(table, {k: v for k, v in fields.items() if k != name})
    for name in table.colours:
        places = fields[name].split(",")
        for spot in dict.fromkeys(p for p in places if p != "Y"):
            others = list(places)
            others.remove(spot)
            for put in ("Y", *(("H",) if spot != "H" and "H" in table.routes[table.colours.index(name)].by_text else ())):
                yield joined(table, {**fields, name: _sorted(table, name, [*others, put])})
            bare = spot.partition("*")[0]
            if bare != spot:
                yield joined(table, {**fields, name: _sorted(table, name, [*others, bare])})
    yield joined(table, {**fields, "turn": table.players[0].name})
    for name, value in fields.items():
        if name in ("rolled", "pool") and "," in value:
            rolls = value.split(",")
            yield from (joined(table, {**fields, name: ",".join([*rolls[:i], *rolls[i + 1 :]])}) for i in range(len(rolls)))
        elif name.startswith("done.") and "," in value:
            words = value.split(",")
            yield from (joined(table, {**fields, name: ",".join([*words[:i], *words[i + 1 :]])}) for i in range(len(words)))


def _sorted(table: Table, colour: str, places: Sequence[str]) -> str:
    by_text = table.routes[table.colours.index(colour)].by_text
    return ",".join(sorted(places, key=lambda p: by_text[p.partition("*")[0]], reverse=True))


def shortened(pair: Pair, told: Told) -> Told:
    """The game with as few rolls as it still tells the engines apart with: parts of it are left out, larger ones first."""
    plies = _plies(told.steps)
    size = max(1, len(plies) // 2)
    while size:
        at = 0
        while at < len(plies):
            steps = [s for ply in (*plies[:at], *plies[at + size :]) for s in ply]
            found = pair.follow(told, steps)
            if found is not None and found.size < told.size:
                told, plies = found, _plies(found.steps)
            else:
                at += 1
        size //= 2
    return told


def _plies(steps: Sequence[Step]) -> list[tuple[Step, ...]]:
    """The steps in groups that begin with a roll."""
    found: list[tuple[Step, ...]] = []
    for step in steps:
        if isinstance(step, tuple) or not found:
            found.append((step,))
        else:
            found[-1] = (*found[-1], step)
    return found
