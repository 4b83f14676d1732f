"""Moves and places as text, and positions written as text; reading positions is in `game.positions`.

Defined in `spec/language/notation.md`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludo_dsl.game.errors import AmbiguousMoveError, NotationError
from ludo_dsl.game.state import Choice, Die, Granted, Move, Roll, State
from ludo_dsl.rules.expressions import Owner
from ludo_dsl.rules.statements import May, Once, Trigger, When
from ludo_dsl.rules.table import Table


def dice_text(dice: Iterable[Die]) -> str:
    """Dice taken together, as in `2+5`."""
    return "+".join(str(d).removeprefix("+") if isinstance(d, Granted) and i else str(d) for i, d in enumerate(dice))


def roll_text(roll: Roll) -> str:
    """One roll as text: `3`, or `3+4` for two dice."""
    return "+".join(str(face) for face in roll)


def place_text(table: Table, colour: int, place: int, mark: tuple[int, ...] = ()) -> str:
    """A place of a colour's route, with the mark of the piece there."""
    return str(table.routes[colour].spots[place]) + mark_text(mark)


def mark_text(mark: tuple[int, ...]) -> str:
    """The counters of a piece: nothing where all are 0, `*` for 1, `*2`, `*1/2`."""
    if not any(mark):
        return ""
    text = "/".join(str(v) for v in mark)
    return "*" if text == "1" else f"*{text}"


# ---- moves -----------------------------------------------------------------------------------------------------------


def move_text(table: Table, state: State, choice: Choice) -> str:
    """A choice as text, in a position: dice and colours are named where there is more than one."""
    if not isinstance(choice, Move):
        return "pass"
    text = f"{place_text(table, choice.colour, choice.origin, choice.mark)}>{place_text(table, choice.colour, choice.to)}"
    if names_colours(table, state.turn):
        text = f"{table.colours[choice.colour]}:{text}"
    if len(state.pool) > 1:
        text += ":" + dice_text(choice.dice)
    return text


def names_colours(table: Table, player: int) -> bool:
    """Whether the moves of a player name the colour: those of a player of several colours, or of one with partners' pieces to move."""
    helps = any(isinstance(s, May) and s.whose is Owner.ALLIES for s in table.statements)
    return len(table.players[player].colours) > 1 or helps


def read_move(table: Table, state: State, text: str, choices: Iterable[Choice]) -> Choice:
    """The one of the choices that a text names; what can be left out may be.

    Raises:
        NotationError: the text is no move, or none of the choices.
        AmbiguousMoveError: the text fits several of the choices.
    """
    wanted = _Wanted(table, text)
    fitting = [c for c in choices if wanted.fits(c)]
    exact = [c for c in fitting if move_text(table, state, c) == text.strip()]
    if len(exact) == 1:
        return exact[0]
    if not fitting:
        raise NotationError(f"`{text}` is not among the moves", "")
    if len(fitting) > 1:
        shown = ", ".join(f"`{move_text(table, state, c)}`" for c in fitting)
        raise AmbiguousMoveError(f"`{text}` could be {shown}", "name the colour or the dice as well")
    return fitting[0]


def require_move(table: Table, text: str) -> None:
    """Sees to it that a text is written as a move on this board, legal or not. Raises `NotationError`."""
    _Wanted(table, text)


class _Wanted:
    """A move as a text describes it: what it does not say fits anything."""

    def __init__(self, table: Table, text: str) -> None:
        self.table = table
        self.passes = text.strip() == "pass"
        self.colour: int | None = None
        self.dice: tuple[str, ...] | None = None
        if self.passes:
            return
        body = text.strip()
        head, colon, rest = body.partition(":")
        if colon and head in table.colours:
            self.colour = table.colours.index(head)
            body = rest
        body, colon, dice = body.partition(":")
        if colon:
            self.dice = tuple(sorted(_dice_words(dice)))
        origin, arrow, to = body.partition(">")
        if not arrow or not origin or not to:
            raise NotationError(f"`{text}` is no move", "write it as `20>23`, `Y>0` or `L5>H`")
        self.origin, star, mark = origin.partition("*")
        self.mark = ("*" if mark in ("", "1") else f"*{mark}") if star else None
        self.to = to.partition("*")[0]
        known = [table.colours[self.colour]] if self.colour is not None else list(table.colours)
        routes = [r for r in table.routes if r.colour in known]
        for part in (self.origin, self.to):
            if not any(part in r.by_text for r in routes):
                raise NotationError(f"`{part}` in `{text}` is no place on this board", "places are Y, 0, 1, … L1, … H")

    def fits(self, choice: Choice) -> bool:
        if not isinstance(choice, Move):
            return self.passes
        if self.passes or (self.colour is not None and choice.colour != self.colour):
            return False
        spots = self.table.routes[choice.colour].spots
        if (str(spots[choice.origin]), str(spots[choice.to])) != (self.origin, self.to):
            return False
        if self.mark is not None and mark_text(choice.mark) != self.mark:
            return False
        return self.dice is None or self.dice == tuple(sorted(str(d) for d in choice.dice))


def _dice_words(text: str) -> list[str]:
    if text.startswith("+"):
        return [text]
    return text.split("+")


# ---- positions -------------------------------------------------------------------------------------------------------


def position_text(table: Table, state: State, hidden: frozenset[tuple[str, int]] = frozenset()) -> str:
    """A position as text; counters in `hidden` (name and player) are shown as `?`."""
    fields = [f"{name}={_pieces(table, state, colour)}" for colour, name in enumerate(table.colours)]
    fields.append("turn=over" if state.over else f"turn={table.players[state.turn].name}")
    fields += _dice_fields(table, state)
    names = [p.name for p in table.players]
    fields += [f"score.{n}={v}" for n, v in zip(names, state.scores, strict=True) if v]
    fields += [f"captures.{n}={v}" for n, v in zip(names, state.captures, strict=True) if v]
    fields += _counter_fields(table, state, hidden)
    once = once_names(table)
    fields += [f"done.{n}=" + ",".join(once[i] for i in sorted(d)) for n, d in zip(names, state.done, strict=True) if d]
    if state.retired:
        fields.append("retired=" + ",".join(names[p] for p in state.retired))
    if state.round != 1:
        fields.append(f"round={state.round}")
    if state.first:
        fields.append(f"first={names[state.first]}")
    if state.arrivals:
        fields.append("order=" + ",".join(f"{table.colours[c]}:{place_text(table, c, p)}" for c, p in state.arrivals))
    if state.last is not None:
        colour, place = state.last
        named = f"{table.colours[colour]}:" if names_colours(table, state.turn) else ""
        fields.append(f"last={named}{place_text(table, colour, place)}")
    return " ".join(fields)


def _pieces(table: Table, state: State, colour: int) -> str:
    marks = state.marks[colour] if state.marks else ((),) * table.pieces
    pairs = sorted(zip(state.pieces[colour], marks, strict=True), reverse=True)
    return ",".join(place_text(table, colour, place, mark) for place, mark in pairs)


def _dice_fields(table: Table, state: State) -> list[str]:
    found = []
    if state.pool:
        found.append("pool=" + ",".join(str(d) for d in state.pool))
    if state.rolled != default_rolled(table, state.pool):
        found.append("rolled=" + (",".join(roll_text(r) for r in state.rolled) or "none"))
    usual = 0 if state.pool or state.over or state.due else 1
    # Where something happens as a turn begins, a roll owed is written out: without it, the turn would begin once more.
    begins = any(isinstance(s, When) and s.trigger is Trigger.TURN_STARTS for s in table.statements)
    if state.owed != usual or (begins and not state.over and not state.pool):
        found.append(f"owed={state.owed}")
    if state.due:
        found.append(f"due={state.due}")
    return found


def default_rolled(table: Table, pool: tuple[Die, ...]) -> tuple[Roll, ...]:
    """The rolls that a pool stands for when nothing else is said."""
    faces = tuple(d for d in pool if isinstance(d, int))
    if table.book.dice.count == 1:
        return tuple((f,) for f in faces)
    return (faces,) if faces else ()


def _counter_fields(table: Table, state: State, hidden: frozenset[tuple[str, int]]) -> list[str]:
    found = []
    for counter, value in zip(table.counters, state.counters, strict=True):
        if counter.scope == {"piece"}:
            continue
        if isinstance(value, int):
            found += [f"{counter.id}={value}"] if value else []
            continue
        for holder, its in enumerate(value):
            name = table.players[holder].name
            if counter.scope == {"side"}:
                name = table.players[table.sides[holder][0]].name
            if (counter.id, holder) in hidden:
                found.append(f"{counter.id}.{name}=?")
            elif isinstance(its, tuple):
                found += [f"{counter.id}.{name}=" + ",".join(f"{s}:{n}" for s, n in its)] if its else []
            elif its:
                found.append(f"{counter.id}.{name}={its}")
    return found


def once_names(table: Table) -> tuple[str, ...]:
    """The names of the `once` statements in force: the rule's, numbered where a rule has several."""
    rules = [s.id.rule for s in table.statements if isinstance(s, Once)]
    return tuple(name if rules.count(name) == 1 else f"{name}/{rules[: i + 1].count(name)}" for i, name in enumerate(rules))
