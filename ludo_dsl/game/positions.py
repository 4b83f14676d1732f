"""Reading positions: every field is understood, and the position as a whole is possible."""

from __future__ import annotations

from collections.abc import Callable

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.game.errors import NotationError, PositionError
from ludo_dsl.game.notation import default_rolled, names_colours, once_names
from ludo_dsl.game.state import CounterValue, Die, Granted, Roll, State
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.statements import Grant, Once, When
from ludo_dsl.rules.table import Table, per_piece
from ludo_dsl.rules.topology import YARD, Region

TURN_FIELDS = frozenset({"pool", "rolled", "owed", "due", "last"})
"""Fields that place a position within a turn; without any of them it is the turn's beginning."""


def split_fields(text: str) -> dict[str, str]:
    """The fields of a position text.

    Raises:
        NotationError: a part is no `name=value`, or a name comes twice.
    """
    found: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise NotationError(f"`{part}` is no field of a position", "fields are written `name=value`, without spaces around `=`")
        if name in found:
            raise NotationError(f"the field `{name}` is given twice", "keep one of them")
        found[name] = value
    if not found:
        raise NotationError("the position is empty", "write one such as `red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red`")
    return found


def colours_in(text: str, known: tuple[str, ...]) -> frozenset[str]:
    """The colours whose pieces a position text gives."""
    return frozenset(split_fields(text)) & frozenset(known)


def players_of(book: Book, text: str) -> int:
    """The number of players at whose table the colours of a position sit.

    Raises:
        NotationError: the text is no position.
        PositionError: these colours sit at no table.
    """
    given = colours_in(text, tuple(name for name, _ in book.players.colours))
    fitting = [count for count, seats in book.players.seats if {c for seat in seats for c in seat} == given]
    if not fitting:
        known = "; ".join(f"{n} players: {', '.join(c for seat in seats for c in seat)}" for n, seats in book.players.seats)
        shown = ", ".join(sorted(given)) or "none"
        raise PositionError(f"the colours of the position ({shown}) sit at no table of {book.name}", known)
    # Of two tables with the same colours, the one where each player has one.
    return max(fitting)


class _Reader:
    def __init__(self, table: Table, fields: dict[str, str], opening: State, tells: Callable[[str], bool]) -> None:
        self.table = table
        self.fields = fields
        self.opening = opening
        self.tells = tells
        self.players = [p.name for p in table.players]

    def read(self) -> State:
        self._known()
        pieces, marks = self._pieces()
        over = self.fields.get("turn") == "over"
        turn = 0 if over else self._player("turn", self.players[self._first()])
        pool = self._pool()
        rolled = self._rolled(pool)
        due = self._count("due", 0)
        owed = self._count("owed", 0 if pool or due or over else 1)
        retired = self._retired()
        if turn in retired and not over:
            raise PositionError(f"it cannot be {self.players[turn]}'s turn: {self.players[turn]} has retired", "", "turn")
        state = State(
            pieces=pieces,
            turn=turn,
            pool=pool,
            rolled=rolled,
            owed=owed,
            due=due,
            scores=self._per_player("score"),
            captures=self._per_player("captures"),
            counters=self._counters(),
            done=self._done(),
            retired=retired,
            round=self._count("round", 1, low=1),
            first=self._first(),
            marks=marks,
            arrivals=self._arrivals(pieces),
            last=self._last(turn, pieces),
            over=over,
        )
        self._dice_are_possible(state)
        return state

    # ---- fields ------------------------------------------------------------------------------------------------------

    def _known(self) -> None:
        plain = {"turn", "pool", "rolled", "owed", "due", "retired", "round", "first", "order", "last", *self.table.colours}
        plain |= {c.id for c in self.table.counters if c.scope == {"game"}}
        holders = {c.id for c in self.table.counters if c.scope not in ({"game"}, {"piece"})} | {"score", "captures", "done"}
        names = [*plain, *(f"{h}.{p}" for h in sorted(holders) for p in self.players)]
        for field in self.fields:
            if field not in names:
                kind = "counter" if "." in field else "field"
                raise PositionError(
                    f"{self.table.book.name} has no {kind} `{field}` at this table", suggestion(field, names, "fields"), field
                )
        for field, what in (("round", "round"), ("first", "first"), ("captures", "captures"), ("order", "order"), ("last", "last")):
            given = [f for f in self.fields if f == field or f.startswith(f"{field}.")]
            if given and not self.tells(what):
                raise PositionError(f"no rule at this table asks for `{given[0]}`", "leave it out", given[0])

    def _number(self, field: str, text: str, low: int = 0) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < low:
            raise PositionError(f"`{field}={text}` is no number from {low} upwards", "", field)
        return int(text)

    def _count(self, field: str, default: int, low: int = 0) -> int:
        return self._number(field, self.fields[field], low) if field in self.fields else default

    def _player(self, field: str, default: str) -> int:
        name = self.fields.get(field, default)
        if name not in self.players:
            raise PositionError(f"nobody at this table is `{name}`", suggestion(name, self.players, "players"), field)
        return self.players.index(name)

    def _first(self) -> int:
        return self._player("first", self.players[0])

    def _per_player(self, field: str) -> tuple[int, ...]:
        return tuple(self._number(f"{field}.{p}", self.fields.get(f"{field}.{p}", "0")) for p in self.players)

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _pieces(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[tuple[int, ...], ...], ...]]:
        carried = len(per_piece(self.table))
        pieces, marks = [], []
        for colour, name in enumerate(self.table.colours):
            if name not in self.fields:
                hint = f"add `{name}=` with {self.table.pieces} places, such as `{name}={','.join(['Y'] * self.table.pieces)}`"
                raise PositionError(f"the pieces of {name} are missing", hint, name)
            texts = self.fields[name].split(",")
            if len(texts) != self.table.pieces:
                raise PositionError(f"{name} has {self.table.pieces} pieces, and {len(texts)} places are given", "", name)
            pairs = sorted(self._piece(colour, name, text, carried) for text in texts)
            self._slots(colour, name, [place for place, _ in pairs])
            pieces.append(tuple(place for place, _ in pairs))
            marks.append(tuple(mark for _, mark in pairs))
        return tuple(pieces), tuple(marks) if carried else ()

    def _piece(self, colour: int, name: str, text: str, carried: int) -> tuple[int, tuple[int, ...]]:
        spot, star, mark = text.partition("*")
        route = self.table.routes[colour]
        place = route.by_text.get(spot)
        if place is None:
            approach = f"A1 to A{route.measures.approach}, " if route.measures.approach else ""
            hint = f"places are Y, {approach}0 to {route.lane - route.start - 1}, L1 to L{route.measures.lane}" + (
                "" if route.measures.slots else ", H"
            )
            raise PositionError(f"`{spot}` in `{name}=` is no place on this board", hint, name)
        if not star:
            return place, (0,) * carried
        values = [self._number(name, v) for v in (mark or "1").split("/")]
        if len(values) != carried:
            message = (
                f"`{text}`: pieces carry {carried} counters here, not {len(values)}" if carried else f"`{text}`: pieces carry no mark here"
            )
            raise PositionError(message, "", name)
        return place, tuple(values)

    def _slots(self, colour: int, name: str, places: list[int]) -> None:
        route = self.table.routes[colour]
        for place in set(places):
            if route.measures.slots and route.spots[place].region is Region.LANE and places.count(place) > 1:
                raise PositionError(f"{route.spots[place]} holds one piece only, and {name} has {places.count(place)} there", "", name)

    # ---- dice --------------------------------------------------------------------------------------------------------

    def _pool(self) -> tuple[Die, ...]:
        text = self.fields.get("pool", "")
        return tuple(self._die(part) for part in text.split(",")) if text not in ("", "none") else ()

    def _die(self, text: str) -> Die:
        dice = self.table.book.dice
        granted = {e.value for s in self.table.statements if isinstance(s, When | Once) for e in s.effects if isinstance(e, Grant)}
        if text in granted:
            return text
        if text.startswith("+") and text[1:].isascii() and text[1:].isdigit() and int(text[1:]) in granted:
            return Granted(int(text[1:]))
        if text.isascii() and text.isdigit() and int(text) in {f for f, _ in dice.faces}:
            return int(text)
        known = [str(f) for f, _ in dice.faces] + [f"+{g}" if isinstance(g, int) else g for g in sorted(granted, key=str)]
        raise PositionError(f"the pool cannot hold a die `{text}`", "it holds " + ", ".join(known), "pool")

    def _rolled(self, pool: tuple[Die, ...]) -> tuple[Roll, ...]:
        text = self.fields.get("rolled")
        if text is None:
            return default_rolled(self.table, pool)
        if text in ("", "none"):
            return ()
        faces = {f for f, _ in self.table.book.dice.faces}
        rolls = []
        for part in text.split(","):
            words = part.split("+")
            if not all(w.isascii() and w.isdigit() and int(w) in faces for w in words):
                raise PositionError(f"`{part}` is no roll of these dice", "rolls are written `6,2`, two dice of one roll `6+3`", "rolled")
            if len(words) != self.table.book.dice.count:
                raise PositionError(f"the roll `{part}` shows {len(words)} dice, not {self.table.book.dice.count}", "", "rolled")
            rolls.append(tuple(int(w) for w in words))
        return tuple(rolls)

    def _dice_are_possible(self, state: State) -> None:
        """Rolled dice of the pool come from rolls of this turn; a game that is over, or a turn at rest, has none."""
        left = [face for roll in state.rolled for face in roll]
        for die in state.pool:
            if isinstance(die, int):
                if die not in left:
                    raise PositionError(
                        f"the pool cannot hold a {die} that was not rolled", "let `rolled=` name the roll that it came from", "pool"
                    )
                left.remove(die)
        if self.table.book.dice.count > 1 and "rolled" not in self.fields:
            rolled = [d for d in state.pool if isinstance(d, int)]
            if len(rolled) > self.table.book.dice.count:
                raise PositionError(f"the pool cannot hold {len(rolled)} dice of one roll", "let `rolled=` name the rolls", "pool")
        if state.over and (state.pool or state.owed or state.due):
            raise PositionError("a game that is over has no dice left", "leave out `pool=`, `owed=` and `due=`", "turn")
        if not state.over and not state.pool and not state.owed and not state.due:
            raise PositionError("there is nothing to do in this turn: no dice and no roll owed", "leave out `owed=`", "owed")

    # ---- memory ------------------------------------------------------------------------------------------------------

    def _counters(self) -> tuple[CounterValue, ...]:
        found: list[CounterValue] = []
        for counter, empty in zip(self.table.counters, self.opening.counters, strict=True):
            if isinstance(empty, int):
                found.append(self._count(counter.id, 0) if counter.scope == {"game"} else 0)
            elif "square" in counter.scope:
                found.append(tuple(self._squares(f"{counter.id}.{p}") for p in self.players))
            elif counter.scope == {"side"}:
                names = [self.players[side[0]] for side in self.table.sides]
                found.append(tuple(self._count(f"{counter.id}.{n}", 0) for n in names))
            else:
                found.append(self._per_player(counter.id))
        return tuple(found)

    def _squares(self, field: str) -> tuple[tuple[int, int], ...]:
        text = self.fields.get(field, "")
        found = []
        for part in text.split(",") if text else []:
            square, colon, value = part.partition(":")
            if not colon or self._number(field, square) >= self.table.measures.ring:
                raise PositionError(f"`{part}` is no square and value", "write them as `8:1,21:2`", field)
            found.append((int(square), self._number(field, value, 1)))
        return tuple(sorted(found))

    def _done(self) -> tuple[frozenset[int], ...]:
        names = once_names(self.table)
        found = []
        for player in self.players:
            field = f"done.{player}"
            words = self.fields[field].split(",") if self.fields.get(field) else []
            for word in words:
                if word not in names:
                    raise PositionError(f"there is no one-time condition `{word}`", suggestion(word, names, "one-time conditions"), field)
            found.append(frozenset(names.index(w) for w in words))
        return tuple(found)

    def _retired(self) -> tuple[int, ...]:
        text = self.fields.get("retired", "")
        found: list[int] = []
        for name in text.split(",") if text else []:
            if name not in self.players or self.players.index(name) in found:
                raise PositionError(f"`{name}` cannot be in `retired=` here", suggestion(name, self.players, "players"), "retired")
            found.append(self.players.index(name))
        return tuple(found)

    def _arrivals(self, pieces: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, int], ...]:
        given: list[tuple[int, int]] = []
        text = self.fields.get("order", "")
        for part in text.split(",") if text else []:
            name, colon, spot = part.partition(":")
            colour = self.table.colours.index(name) if name in self.table.colours else -1
            place = self.table.routes[colour].by_text.get(spot) if colon and colour >= 0 else None
            if place is None or place not in pieces[colour]:
                raise PositionError(f"`{part}` in `order=` is no piece of this position", "write pieces as `blue:20`", "order")
            given.append((colour, place))
            if given.count((colour, place)) > pieces[colour].count(place):
                raise PositionError(f"`{part}` comes too often in `order=`", "name each piece once", "order")
        standing = [(c, p) for c, places in enumerate(pieces) for p in places if p != YARD]
        for arrival in given:
            if arrival in standing:
                standing.remove(arrival)
        return (*standing, *given)

    def _last(self, turn: int, pieces: tuple[tuple[int, ...], ...]) -> tuple[int, int] | None:
        if "last" not in self.fields:
            return None
        text = self.fields["last"]
        name, colon, spot = text.partition(":") if ":" in text else ("", "", text)
        colour = self.table.players[turn].colours[0] if not colon else self.table.colours.index(name) if name in self.table.colours else -1
        place = self.table.routes[colour].by_text.get(spot) if colour >= 0 else None
        players = self.table.players
        ours = {c for p in players if p.side == players[turn].side for c in p.colours}
        if place is None or colour not in ours or place not in pieces[colour]:
            hint = "name the colour as well, as in `last=red:20`" if names_colours(self.table, turn) else ""
            raise PositionError(f"`{text}` in `last=` is no piece of {self.players[turn]}'s", hint, "last")
        return colour, place


def read_fields(table: Table, text: str, opening: State, tells: Callable[[str], bool]) -> tuple[State, bool]:
    """The position of a text, and whether it is the beginning of a turn; `tells` says what the rules remember.

    Raises:
        NotationError: the text is no position.
        PositionError: the position cannot be.
    """
    fields = split_fields(text)
    state = _Reader(table, fields, opening, tells).read()
    return state, not state.over and not TURN_FIELDS & fields.keys()
