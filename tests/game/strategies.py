"""Hypothesis strategies: tables, positions that games reach, and positions that somebody might write down."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.game.errors import PositionError
from ludo_dsl.game.notation import once_names, position_text
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.interpreter.freezing import Memory
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.statements import Grant, Once, When
from ludo_dsl.rules.table import Table, per_piece
from ludo_dsl.rules.topology import Region
from tests.game.tables import Setup, counts, engine, game, numbers, offered, others

MOST_CHANGES = 4
"""Options and readings that a drawn table changes at most: enough for any two to meet, few enough to shrink."""

MOST_REPAIRS = 6
"""How often a position that is refused is mended before another one is drawn."""


@st.composite
def setups(draw: DrawFn, variants: tuple[str, ...] = variant_names()) -> Setup:
    """A table of a bundled rule book with any number of players and any few options and readings changed."""
    variant = draw(st.sampled_from(variants))
    players = draw(st.sampled_from(counts(variant)))
    settings = [s for s in book_of(variant).settings if others(s)]
    changed = draw(st.lists(st.sampled_from(settings), unique_by=lambda s: s.id, max_size=MOST_CHANGES))
    chosen = tuple(sorted((s.id, draw(st.sampled_from(others(s)))) for s in changed))
    setup = Setup(variant, players, chosen)
    if not offered(setup):
        reject()
    return setup


@dataclass(frozen=True)
class At:
    """A position at a table, shown as one would write it down."""

    setup: Setup
    state: State

    @property
    def engine(self) -> Interpreter:
        """The engine of the table."""
        return engine(self.setup)

    @property
    def table(self) -> Table:
        """The table."""
        return self.engine.table

    def __repr__(self) -> str:
        return f"{self.setup}: {position_text(self.table, self.state)}"


@st.composite
def reached(draw: DrawFn, tables: st.SearchStrategy[Setup] | None = None) -> At:
    """A position that a game reaches: some plies from the start, by numbers from a seed."""
    setup = draw(setups() if tables is None else tables)
    at = engine(setup)
    first = draw(st.integers(0, setup.players - 1))
    plies = draw(st.integers(0, 120))
    state = at.start(first)
    for ply in islice(game(at, numbers(str(draw(st.integers(0, 10_000)))), first), plies):
        state = ply.step.state
    return At(setup, state)


@st.composite
def written(draw: DrawFn, tables: st.SearchStrategy[Setup] | None = None) -> At:
    """A position that somebody writes down, whether or not a game could come to it: whatever the engine reads."""
    setup = draw(setups() if tables is None else tables)
    at = engine(setup)
    fields = dict(field.split("=", 1) for field in draw(_texts(at.table)).split())
    for _ in range(MOST_REPAIRS):
        try:
            return At(setup, at.read(" ".join(f"{name}={value}" for name, value in fields.items())))
        except PositionError as error:
            _repair(at.table, fields, error.field)
    return reject()


def _repair(table: Table, fields: dict[str, str], wrong: str) -> None:
    """Takes out of a position what cannot be: pieces that cannot stand together go to the yard, dice that nobody can use are dropped."""
    if wrong in table.colours:
        fields[wrong] = ",".join(["Y"] * table.pieces)
    elif wrong in ("pool", "owed", "rolled"):
        for name in ("pool", "owed", "rolled"):
            fields.pop(name, None)
    elif wrong in ("turn", "retired"):
        # The game would be over, or somebody would have finished: nobody is home then.
        fields.pop("retired", None)
        for colour in table.colours:
            fields[colour] = fields[colour].replace("H", "Y") if "H" in fields[colour] else ",".join(["Y"] * table.pieces)
    else:
        raise AssertionError(f"the strategy writes a field `{wrong}` that is refused: {fields}")


def positions(tables: st.SearchStrategy[Setup] | None = None) -> st.SearchStrategy[At]:
    """A position of either kind."""
    return st.one_of(reached(tables), written(tables))


# ---- texts -----------------------------------------------------------------------------------------------------------


@st.composite
def _texts(draw: DrawFn, table: Table) -> str:
    players = [p.name for p in table.players]
    fields = [f"{name}={draw(_places(table, colour))}" for colour, name in enumerate(table.colours)]
    turn = draw(st.sampled_from(players))
    fields.append(f"turn={turn}")
    fields += draw(_dice(table))
    fields += draw(_memory(table, players))
    retired = draw(st.lists(st.sampled_from([p for p in players if p != turn]), unique=True, max_size=max(0, len(players) - 2)))
    told = draw(st.booleans())
    if retired and told:
        fields.append("retired=" + ",".join(retired))
    return " ".join(fields)


@st.composite
def _places(draw: DrawFn, table: Table, colour: int) -> str:
    route = table.routes[colour]
    # The yard, the end of the way and the squares just before it matter most.
    usual = st.sampled_from([0, route.first, route.start, route.lane - 1, route.lane, route.last - 1, route.last])
    anywhere = st.integers(0, route.last)
    texts = []
    held: set[int] = set()
    for _ in range(table.pieces):
        place = draw(st.one_of(anywhere, usual))
        if route.measures.slots and route.spots[place].region is Region.LANE:
            place = 0 if place in held else place
            held.add(place)
        marks = [str(draw(st.integers(0, 2))) for _ in per_piece(table)] if place else []
        texts.append(str(route.spots[place]) + ("*" + "/".join(marks) if any(m != "0" for m in marks) else ""))
    return ",".join(texts)


@st.composite
def _dice(draw: DrawFn, table: Table) -> list[str]:
    """A roll owed, or rolls of which some dice are left, and dice that were granted."""
    faces = [face for face, _ in table.book.dice.faces]
    count = table.book.dice.count
    rolls = draw(st.lists(st.lists(st.sampled_from(faces), min_size=count, max_size=count), max_size=3))
    rolled = [face for roll in rolls for face in roll]
    left = [face for face in rolled if draw(st.booleans())]
    granted = sorted({e.value for s in table.statements if isinstance(s, When | Once) for e in s.effects if isinstance(e, Grant)}, key=str)
    gifts: list[int | str] = draw(st.lists(st.sampled_from(granted), max_size=2)) if granted else []
    pool = [str(face) for face in left] + [f"+{g}" if isinstance(g, int) else g for g in gifts]
    found = ["rolled=" + (",".join("+".join(map(str, roll)) for roll in rolls) or "none")] if rolls else []
    found += ["pool=" + ",".join(pool)] if pool else []
    found += [f"owed={draw(st.integers(0 if pool else 1, 2))}"] if found else []
    return found


@st.composite
def _memory(draw: DrawFn, table: Table, players: list[str]) -> list[str]:
    small = st.integers(0, 3)
    found = [f"score.{p}={draw(st.integers(0, 200))}" for p in players if draw(st.booleans())]
    for name in [c.id for c in table.counters if c.scope == {"player"}]:
        found += [f"{name}.{p}={draw(small)}" for p in players if draw(st.booleans())]
    for name in [c.id for c in table.counters if "square" in c.scope]:
        squares = st.dictionaries(st.integers(0, table.measures.ring - 1), st.integers(1, 2), max_size=2)
        for p in players:
            seen = draw(squares)
            found += [f"{name}.{p}=" + ",".join(f"{square}:{n}" for square, n in sorted(seen.items()))] if seen else []
    once = once_names(table)
    if once:
        for p in players:
            done = draw(st.lists(st.sampled_from(once), unique=True))
            found += [f"done.{p}=" + ",".join(done)] if done else []
    tells = Memory(table).tells
    if tells("captures"):
        found += [f"captures.{p}={draw(small)}" for p in players]
    if tells("round"):
        found += [f"round={draw(st.integers(1, 20))}", f"first={draw(st.sampled_from(players))}"]
    return found
