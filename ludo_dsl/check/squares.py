"""What can meet where: kinds of square that the rules tell apart, and the company that a piece can find there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ludo_dsl.rules.expressions import Compare, Expr, Measure, Nouns, Number, OnMark, Owner, Place, Quantity, Squares, Where
from ludo_dsl.rules.folding import walk
from ludo_dsl.rules.statements import MayCombine, NeverCross, Send, Share, Trigger, When
from ludo_dsl.rules.table import Table

Relevant = NeverCross | When
"""A statement that takes part in meetings: a guard of passing and landing, or what happens then."""

RELATIONS = (Owner.OWN, Owner.ALLIES, Owner.ENEMIES)
"""Whose pieces a moving piece can meet, seen from its player."""

MEANT = {
    Owner.OWN: (Owner.OWN,),
    Owner.ALLIES: (Owner.ALLIES,),
    Owner.ENEMIES: (Owner.ENEMIES,),
    Owner.OURS: (Owner.OWN, Owner.ALLIES),
    Owner.PIECES: RELATIONS,
}
"""The relations that each owner word takes in."""

_OWN_START = (Where.OWN_START, Where.OFF_OWN_START)


@dataclass(frozen=True, slots=True)
class Square:
    """A kind of square: its name for people and the words that are true of it.

    `private`: only pieces of one colour come there; `single`: it holds one piece; `entry`: whether a piece out of the
    yard can be there (nothing: it may); `home_of_mover`: whether it is known to be the mover's own start square.
    """

    label: str
    names: frozenset[str]
    private: bool = False
    single: bool = False
    entry: bool | None = False
    home_of_mover: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that fare alike: their relation to the mover, how many they are (from 1), whether on their own start square."""

    owner: Owner
    count: int
    at_home: bool | None


@dataclass(frozen=True, slots=True)
class Company:
    """The pieces on a square before the mover arrives. Enemies are one group for each colour where colours matter."""

    groups: tuple[Group, ...]

    def count(self, owner: Owner) -> int:
        """Pieces that an owner word takes in, without the mover."""
        return sum(g.count for g in self.groups if g.owner in MEANT[owner])

    def members(self, owner: Owner) -> frozenset[int]:
        """The groups of one relation, by index."""
        return frozenset(i for i, g in enumerate(self.groups) if g.owner is owner)

    @property
    def present(self) -> tuple[Owner, ...]:
        """The relations that are there."""
        return tuple(r for r in RELATIONS if any(g.owner is r for g in self.groups))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most pieces worth telling apart, by relation, and how enemies are split.

    Every further piece changes no condition. `pieces`: those of one colour; `enemy_colours`: how many matter;
    `apart`: whether anything asks for pieces of one colour; `hosts`: whether anything asks who is on their own start square.
    """

    pieces: int
    own_colours: int
    enemy_colours: int
    own: int
    allies: int
    enemies: int
    apart: bool
    hosts: bool


# ---- squares ---------------------------------------------------------------------------------------------------------


def relevant(statements: Iterable[object]) -> tuple[Relevant, ...]:
    """The statements that take part in meetings, in written order."""
    return tuple(s for s in statements if isinstance(s, NeverCross) or (isinstance(s, When) and _is_meeting(s)))


def _is_meeting(statement: When) -> bool:
    return statement.trigger in (Trigger.LANDING, Trigger.PASSING) and any(isinstance(e, Send | Share) for e in statement.effects)


def expressions(statements: Iterable[Relevant]) -> Iterator[Expr]:
    """Everything that the statements ask about, leaf by leaf."""
    for statement in statements:
        yield from walk(statement.condition)
        if isinstance(statement, When) and statement.squares is not None:
            yield from walk(statement.squares)


def choices_of(statements: Iterable[Relevant]) -> Iterator[Nouns]:
    """The choices of pieces that the statements speak of."""
    for expr in expressions(statements):
        if isinstance(expr, Measure):
            yield expr.nouns
    for statement in statements:
        if isinstance(statement, NeverCross):
            yield statement.nouns
        else:
            yield from (e.nouns for e in statement.effects if isinstance(e, Send) and e.nouns is not None)


def squares_of(table: Table, statements: tuple[Relevant, ...]) -> tuple[Square, ...]:
    """The kinds of square at a table that the statements tell apart: plain track first, then marks, then private squares."""
    used = _names_used(statements)
    split = "own start" in used or any(p in _OWN_START for n in choices_of(statements) for p in n.places)
    told = used | {"track"}
    kinds = {names & told for names in table.kinds}
    # A piece that takes several dice at once can come out of the yard and walk on in one move.
    walks_on = any(isinstance(s, MayCombine) for s in table.statements)
    found: list[Square] = []
    for names in sorted(kinds, key=lambda n: (len(n), sorted(n))):
        # Start squares are part of the plain track where nobody asks for them.
        entered = table.measures.approach == 0 and any("start" in k for k in table.kinds if k & told == names)
        found += _track_squares(names, split, entered, walks_on)
    if table.measures.approach:
        found.append(Square("approach", frozenset(), private=True, entry=None))
    lane_label = "slot" if table.measures.slots else "lane"
    found.append(Square(lane_label, frozenset({"lane"}), private=True, single=table.measures.slots, entry=None if walks_on else False))
    return tuple(found)


def _track_squares(names: frozenset[str], split: bool, entered: bool, walks_on: bool) -> list[Square]:
    marks = sorted(names - {"track", "start"})
    entry = None if entered or walks_on else False
    if "start" not in names:
        return [Square(" and ".join(marks) or "track", names, entry=entry)]
    label = " and ".join(["start", *marks])
    if not split:
        return [Square(label, names, entry=entry)]
    mine = Square(f"own {label}", names | {"own start"}, entry=entry, home_of_mover=True)
    return [mine, Square(f"another's {label}", names, entry=None if walks_on else False)]


def _names_used(statements: tuple[Relevant, ...]) -> frozenset[str]:
    names: set[str] = set()
    for expr in expressions(statements):
        if isinstance(expr, Squares):
            names |= expr.names
    for nouns in choices_of(statements):
        for place in nouns.places:
            if isinstance(place, OnMark):
                names.add(place.mark)
            elif place is Where.START or place in _OWN_START:
                names.add("start")
    if "own start" in names:
        names.add("start")
    return frozenset(names)


# ---- company ---------------------------------------------------------------------------------------------------------


def bounds_of(table: Table, statements: tuple[Relevant, ...]) -> Bounds:
    """How far company has to be counted at a table. Players who differ in their colours are taken together."""
    own_colours = max(len(p.colours) for p in table.players)
    allies = enemies = 0
    for player in table.players:
        side = [q for q in table.players if q.side == player.side and q != player]
        others = [q for q in table.players if q.side != player.side]
        allies = max(allies, sum(len(q.colours) for q in side))
        enemies = max(enemies, sum(len(q.colours) for q in others))
    pieces = table.pieces
    limit = {relation: _largest(statements, relation) + 1 for relation in RELATIONS}
    apart = any(isinstance(s, NeverCross) and s.one_colour for s in statements)
    # Colours beyond those that the counted pieces need, and one whose start square it is, change nothing.
    needed = 1 + (limit[Owner.ENEMIES] if apart else -(-limit[Owner.ENEMIES] // pieces))
    return Bounds(
        pieces=pieces,
        own_colours=own_colours,
        enemy_colours=min(enemies, needed),
        own=min(limit[Owner.OWN], pieces * own_colours - 1),
        allies=min(limit[Owner.ALLIES], pieces * allies),
        enemies=min(limit[Owner.ENEMIES], pieces * enemies),
        apart=apart,
        hosts=any(p in _OWN_START for n in choices_of(statements) for p in n.places),
    )


def _largest(statements: tuple[Relevant, ...], relation: Owner) -> int:
    """The largest number that pieces of the relation are compared with, at least 1; very large where no number is given."""
    sizes = [1]
    for expr in expressions(statements):
        if isinstance(expr, Compare):
            sizes += _compared(expr.left, expr.right, relation) + _compared(expr.right, expr.left, relation)
    sizes += [s.count for s in statements if isinstance(s, NeverCross) and relation in MEANT[s.nouns.owner]]
    return max(sizes)


_UNBOUNDED = 10**6


def _compared(one: Expr, other: Expr, relation: Owner) -> list[int]:
    if _counts_here(one, relation):
        return [other.value if isinstance(other, Number) else _UNBOUNDED]
    inner = any(_counts_here(e, relation) for e in walk(one))
    return [_UNBOUNDED] if inner else []


def _counts_here(expr: Expr, relation: Owner) -> bool:
    if not isinstance(expr, Measure) or expr.quantity is not Quantity.COUNT or Where.HERE not in expr.nouns.places:
        return False
    return relation in MEANT[expr.nouns.owner]


def companies(square: Square, bounds: Bounds) -> list[Company]:
    """Every company that can be met on a kind of square, smallest first."""
    most = min(bounds.own, 1 if square.single else bounds.pieces - 1 if square.private else bounds.own)
    home = square.home_of_mover
    if square.private:
        return [Company((Group(Owner.OWN, n, False),)) for n in range(1, most + 1)]
    ask_hosts = bounds.hosts and "start" in square.names and not home
    # A player of several colours can have pieces of another colour there; where nobody asks, either answer will do.
    at_home = home if not home or bounds.own_colours == 1 else None
    found = []
    enemies = [*_enemies(bounds, ask_hosts)]
    for own, allies, groups in product(range(most + 1), _allies(bounds, ask_hosts), enemies):
        if sum(g.at_home is True for g in (*allies, *groups)) > 1:
            continue
        mine = (Group(Owner.OWN, own, at_home),) if own else ()
        if mine or allies or groups:
            found.append(Company((*mine, *allies, *groups)))
    return sorted(found, key=_size)


def _size(company: Company) -> tuple[int, int, list[int]]:
    groups = company.groups
    return sum(g.count for g in groups), len(groups), [RELATIONS.index(g.owner) for g in groups]


def _allies(bounds: Bounds, hosts: bool) -> list[tuple[Group, ...]]:
    found: list[tuple[Group, ...]] = [()]
    for home in (False, True) if hosts else (False,):
        found += [(Group(Owner.ALLIES, n, home),) for n in range(1, bounds.allies + 1)]
    return found


def _enemies(bounds: Bounds, hosts: bool) -> Iterator[tuple[Group, ...]]:
    """The enemies that can be met: on a start square, those of at most one colour are at home there."""
    for host in range(min(bounds.enemies, bounds.pieces) + 1 if hosts else 1):
        first = (Group(Owner.ENEMIES, host, True),) if host else ()
        colours = bounds.enemy_colours - (1 if host else 0)
        split = (colours, bounds.pieces) if bounds.apart else (min(colours, 1), colours * bounds.pieces)
        for counts in _multisets(*split, bounds.enemies):
            yield (*first, *(Group(Owner.ENEMIES, n, False) for n in counts))


def _multisets(colours: int, size: int, total: int) -> Iterator[tuple[int, ...]]:
    """Falling counts of at most `colours` colours, each from 1 to `size`, `total` together at most; the empty one too."""
    yield ()
    if colours:
        for first in range(1, min(size, total) + 1):
            for rest in _multisets(colours - 1, first, total - first):
                yield (first, *rest)


# ---- places ----------------------------------------------------------------------------------------------------------


def stands(square: Square, group: Group, place: Place) -> bool | None:
    """Whether a group on a kind of square is at a place; nothing if that hangs on more than is known."""
    if isinstance(place, OnMark):
        return place.mark in square.names
    match place:
        case Where.HERE | Where.OUT:
            return True
        case Where.TRACK:
            return "track" in square.names
        case Where.LANE:
            return "lane" in square.names
        case Where.HOME:
            return square.single
        case Where.YARD:
            return False
        case Where.START:
            return "start" in square.names
        case Where.OWN_START:
            return group.at_home
        case Where.OFF_OWN_START:
            return None if group.at_home is None else not group.at_home
