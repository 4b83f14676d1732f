"""The contract of the engine interface, kept by every rule book at every number of players with every value of every setting."""

from __future__ import annotations

from itertools import islice

import pytest

from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import IllegalRollError, NotationError, PositionError
from ludo_dsl.game.events import EventKind, Step
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.state import State
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD
from tests.game.tables import Setup, engine, every_single, game, numbers

PLIES = 60
"""How far a game is followed at each table."""


@pytest.mark.parametrize("setup", every_single(), ids=str)
def test_contract(setup: Setup) -> None:
    at: Engine = engine(setup)
    for first in range(setup.players):
        _start(at, first)
    _refusals_of_read(at)
    states = []
    for ply in islice(game(engine(setup), numbers(str(setup))), PLIES):
        states.append(ply.before)
        _step(at, ply.step)
    for state in states[::12] + states[-1:]:
        _position(at, state)


def _start(at: Engine, first: int) -> None:
    state = at.start(first)
    in_yard, on_start = at.table.setup
    assert state.turn == first
    assert not state.over
    assert state.retired == ()
    assert state.round == 1
    assert not any(state.scores)
    for places, route in zip(state.pieces, at.table.routes, strict=True):
        assert (places.count(YARD), places.count(route.start)) == (in_yard, on_start)
    assert state.awaits_roll != bool(at.legal(state))
    assert at.read(position_text(at.table, state)) == state


def _refusals_of_read(at: Engine) -> None:
    with pytest.raises(NotationError):
        at.read("nonsense")
    with pytest.raises(PositionError) as caught:
        at.read(position_text(at.table, at.start()) + " mistake=1")
    assert caught.value.field == "mistake"


def _step(at: Engine, step: Step) -> None:
    state = step.state
    known = {s.id for s in at.table.statements}
    assert step.events
    assert {t.statement for t in step.trace} <= known
    assert len(step.rules()) == len(set(step.rules()))
    assert state.over == (step.events[-1].kind is EventKind.GAME_ENDED)
    for event in step.events:
        assert event.player in range(len(at.table.players))
        assert event.colour is None or event.colour in range(len(at.table.colours))


def _position(at: Engine, state: State) -> None:
    assert at.read(position_text(at.table, state)) == state
    _choices(at, state)
    _rolls(at, state)
    _places(at.table, at.places(state))
    _views(at, state)


def _choices(at: Engine, state: State) -> None:
    legal = at.legal(state)
    assert bool(legal) != (state.over or state.awaits_roll)
    for choice in legal:
        assert read_move(at.table, state, move_text(at.table, state, choice), legal) == choice
        assert at.move(state, choice) == at.move(state, choice)
    assert not {c for c, _ in at.refused(state)} & set(legal)


def _rolls(at: Engine, state: State) -> None:
    faces = at.faces(state)
    known = [face for face, _ in at.table.book.dice.faces]
    assert faces
    assert [f for f in known if f in faces] == list(faces)
    count = at.table.book.dice.count
    for face in known:
        if state.awaits_roll and face in faces:
            rolled = at.roll(state, (face,) * count)
            assert rolled.events[0] == (EventKind.ROLLED, state.turn, None, None, None, (face,) * count)
            continue
        with pytest.raises(IllegalRollError):
            at.roll(state, (face,) * count)
    with pytest.raises(IllegalRollError):
        at.roll(state, (faces[0],) * (count + 1))
    with pytest.raises(IllegalRollError):
        at.roll(state, (max(known) + 1,) * count)


def _places(table: Table, places: tuple[int, ...]) -> None:
    """Places count sides from 1; sides that are equal share one, and the next is skipped: 1, 1, 3."""
    assert len(places) == len(table.players)
    of_side = [{places[p] for p in side} for side in table.sides]
    assert all(len(found) == 1 for found in of_side)
    ranked = [found.pop() for found in of_side]
    assert all(place == 1 + sum(other < place for other in ranked) for place in ranked)


def _views(at: Engine, state: State) -> None:
    for viewer in range(len(at.table.players)):
        seen = at.view(state, viewer)
        assert seen.pieces == state.pieces
        assert at.view(seen, viewer) == seen
        hidden = at.hidden(state, viewer)
        assert bool(hidden) or seen == state
        for name, owner, how in hidden:
            assert how in ("hidden", "secret")
            assert name in {c.id for c in at.table.counters}
            assert at.table.players[owner].side != at.table.players[viewer].side


def test_every_rule_book_is_under_contract() -> None:
    assert {s.variant for s in every_single()} == set(variant_names())


def test_equal_sides_share_a_place_and_the_next_is_skipped() -> None:
    at = engine(Setup("amarnepal", 4))
    # Two home each for red and green; then yellow, one step nearer than blue.
    state = at.read("red=H,H,10,Y green=H,H,10,Y yellow=H,20,Y,Y blue=H,19,Y,Y turn=red")
    assert at.places(state) == (1, 1, 3, 4)
    state = at.read("red=H,H,10,Y green=H,H,12,Y yellow=H,H,10,Y blue=H,H,10,Y turn=red")
    assert at.places(state) == (2, 1, 2, 2)
