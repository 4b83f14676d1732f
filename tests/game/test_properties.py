"""What holds at every table, in every position: of bundled rule books with any options and readings."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludo_dsl.game.errors import GameError, IllegalMoveError, IllegalRollError
from ludo_dsl.game.events import Event, EventKind, Step
from ludo_dsl.game.notation import move_text, place_text, position_text, read_move
from ludo_dsl.game.state import Move, State
from ludo_dsl.interpreter.freezing import Memory
from ludo_dsl.play.game import Game
from ludo_dsl.play.turns import Taken
from ludo_dsl.rules.table import Table
from tests.game.strategies import At, positions, reached, setups
from tests.game.tables import Setup, each_value, engine, game, numbers

LONGEST_GAME = 8_000
"""Plies within which a random game of a bundled rule book ends; the longest seen is a third of it."""


def steps(at: At) -> list[tuple[str, Step]]:
    """Everything that can happen next, with the move or the roll that does it."""
    if at.state.awaits_roll:
        count = at.table.book.dice.count
        return [(str(f), at.engine.roll(at.state, (f,) * count)) for f in at.engine.faces(at.state)]
    return [(move_text(at.table, at.state, c), at.engine.move(at.state, c)) for c in at.engine.legal(at.state)]


# ---- pieces, points and turns ------------------------------------------------------------------------------------------


@given(positions())
def test_no_piece_is_lost_or_found(at: At) -> None:
    for what, step in steps(at):
        for colour, route in enumerate(at.table.routes):
            places = step.state.pieces[colour]
            assert len(places) == at.table.pieces, what
            assert list(places) == sorted(places), what
            assert 0 <= places[0] <= places[-1] <= route.last, what
        assert [len(m) for m in step.state.marks] in ([], [at.table.pieces] * len(at.table.colours)), what


@given(positions(setups(("mensch",))))
def test_slots_hold_one_piece(at: At) -> None:
    assert at.table.measures.slots
    for what, step in steps(at):
        for colour, route in enumerate(at.table.routes):
            inside = [p for p in step.state.pieces[colour] if p >= route.lane]
            assert len(inside) == len(set(inside)), what


@given(positions())
def test_points_captures_and_conditions_met_never_go_back(at: At) -> None:
    before = at.state
    for what, step in steps(at):
        after = step.state
        assert all(a >= b for a, b in zip(after.scores, before.scores, strict=True)), what
        assert all(a >= b for a, b in zip(after.captures, before.captures, strict=True)), what
        assert all(a >= b for a, b in zip(after.done, before.done, strict=True)), what
        assert after.over or after.retired[: len(before.retired)] == before.retired, what


@given(positions())
def test_scores_grow_by_what_the_events_tell(at: At) -> None:
    for what, step in steps(at):
        told = list(at.state.scores)
        for event in step.events:
            if event.kind is EventKind.SCORED and event.player is not None and isinstance(event.value, int):
                told[event.player] += event.value
        assert tuple(told) == step.state.scores, what


@given(positions())
def test_nobody_captures_a_piece_of_the_same_side(at: At) -> None:
    side_of = {colour: player.side for player in at.table.players for colour in player.colours}
    mover = at.table.players[at.state.turn].side
    for what, step in steps(at):
        captured = [e for e in step.events if e.kind is EventKind.CAPTURED and e.colour is not None]
        assert all(side_of[e.colour] != mover for e in captured if e.colour is not None), what


@given(positions())
def test_a_move_takes_its_dice_and_only_them(at: At) -> None:
    for choice in at.engine.legal(at.state):
        moved = at.engine.move(at.state, choice).events[0]
        if not isinstance(choice, Move):
            assert (moved.kind, moved.player) == (EventKind.PASSED, at.state.turn)
            continue
        assert moved == Event(EventKind.MOVED, at.state.turn, choice.colour, choice.origin, choice.to, choice.dice)
        assert choice.origin in at.state.pieces[choice.colour]
        left = list(at.state.pool)
        for die in choice.dice:
            left.remove(die)


@given(positions())
def test_turns_pass_clockwise_to_who_still_plays(at: At) -> None:
    """Each turn that begins is that of the next player who has not retired, and follows one that ended."""
    for what, step in steps(at):
        player, retired, ended = at.state.turn, set(at.state.retired), False
        for event in step.events:
            if event.kind is EventKind.RETIRED:
                assert event.player is not None
                retired.add(event.player)
            elif event.kind is EventKind.TURN_ENDED:
                assert (event.player, ended) == (player, False), what
                ended = True
            elif event.kind is EventKind.TURN_STARTED:
                assert ended, what
                player, ended = _next(at.table, player, retired), False
                assert event.player == player, what
        if not step.state.over:
            assert (step.state.turn, ended) == (player, False), what


def _next(table: Table, player: int, retired: set[int]) -> int:
    count = len(table.players)
    return next(p for p in ((player + i) % count for i in range(1, count + 1)) if p not in retired)


@given(positions(setups(("ludo-cities",))))
def test_rounds_end_when_the_turn_comes_to_who_began(at: At) -> None:
    counts = Memory(at.table).rounds
    for what, step in steps(at):
        rounds = sum(e.kind is EventKind.ROUND_ENDED for e in step.events)
        passed = [e.player for e in step.events if e.kind is EventKind.TURN_STARTED]
        at_first = sum(p == at.state.first for p in passed)
        if at.state.first not in (*at.state.retired, *step.state.retired) and not step.state.over:
            assert rounds == at_first, what
        assert step.state.round - at.state.round == (rounds - (step.state.over and rounds > 0) if counts else 0), what


@given(positions())
def test_a_game_is_at_rest_or_over(at: At) -> None:
    """After every step somebody is asked for a roll or a choice, or nobody ever will be."""
    for state in (at.state, *(step.state for _, step in steps(at))):
        legal = at.engine.legal(state)
        assert sum((state.over, state.awaits_roll, bool(legal))) == 1
        if state.over:
            assert (state.pool, state.owed, state.due) == ((), 0, 0)
        elif not state.awaits_roll:
            assert state.turn not in state.retired


# ---- values ------------------------------------------------------------------------------------------------------------


@given(positions())
def test_positions_are_values(at: At) -> None:
    same = at.engine.read(position_text(at.table, at.state))
    assert hash(same) == hash(at.state)
    with pytest.raises(AttributeError):
        at.state.turn = 0  # type: ignore[misc]
    _frozen(at.state)


def _frozen(value: object) -> None:
    """Nothing in a position can be changed in place."""
    assert isinstance(value, int | str | tuple | frozenset | None), type(value)
    for part in value if isinstance(value, tuple | frozenset) else ():
        _frozen(part)


@given(positions())
def test_the_same_step_twice_is_the_same_step(at: At) -> None:
    fresh = type(at.engine)(at.table)
    once = steps(at)
    assert once == steps(at)
    other = [(what, _again(fresh, at.state, what)) for what, _ in once]
    assert once == other


def _again(fresh: object, state: State, what: str) -> Step:
    from ludo_dsl.interpreter import Interpreter

    assert isinstance(fresh, Interpreter)
    if state.awaits_roll:
        return fresh.roll(state, (int(what),) * fresh.table.book.dice.count)
    return fresh.move(state, read_move(fresh.table, state, what, fresh.legal(state)))


@given(setups(), st.integers(0, 1000))
def test_the_same_input_gives_the_same_game(setup: Setup, seed: int) -> None:
    first, second = (list(islice(game(engine(setup), numbers(str(seed))), 60)) for _ in range(2))
    assert first == second


# ---- notation ----------------------------------------------------------------------------------------------------------


@given(positions())
def test_positions_round_trip(at: At) -> None:
    for state in (at.state, *(step.state for _, step in steps(at))):
        text = position_text(at.table, state)
        again = at.engine.read(text)
        assert again == state
        assert position_text(at.table, again) == text


@given(positions(), st.randoms(use_true_random=False))
def test_the_fields_of_a_position_come_in_any_order(at: At, rng: object) -> None:
    import random

    assert isinstance(rng, random.Random)
    fields = position_text(at.table, at.state).split()
    rng.shuffle(fields)
    assert at.engine.read("  ".join(fields)) == at.state


@given(positions())
def test_moves_round_trip(at: At) -> None:
    legal = at.engine.legal(at.state)
    texts = [move_text(at.table, at.state, c) for c in legal]
    assert len(set(texts)) == len(texts)
    for choice, text in zip(legal, texts, strict=True):
        assert read_move(at.table, at.state, text, legal) == choice


# ---- what is legal and what is not -------------------------------------------------------------------------------------


@given(positions())
def test_legal_and_refused_are_disjoint(at: At) -> None:
    legal = at.engine.legal(at.state)
    refused = at.engine.refused(at.state)
    assert len(set(legal)) == len(legal)
    assert len({c for c, _ in refused}) == len(refused)
    assert not {c for c, _ in refused} & set(legal)
    assert all(reasons for _, reasons in refused)
    known = {s.id for s in at.table.statements}
    assert all(r.reason and (r.statement is None or r.statement in known) for _, reasons in refused for r in reasons)


@given(positions())
def test_every_refused_move_raises_with_its_reasons(at: At) -> None:
    now = Game(at.engine, at.state)
    legal = set(now.legal())
    for text, reasons in now.refused():
        if text in legal:
            # A move by another way that comes to the same, such as a piece that enters walking.
            continue
        with pytest.raises(IllegalMoveError) as caught:
            now.play(text)
        assert set(reasons) <= set(caught.value.refusals)
        assert now.state == at.state
        assert set(now.legal()) == legal


@given(positions(), st.data())
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(at: At, data: st.DataObject) -> None:
    now = Game(at.engine, at.state)
    colour = data.draw(st.sampled_from(range(len(at.table.colours))))
    origin, to = (data.draw(st.integers(0, at.table.routes[colour].last)) for _ in range(2))
    text = f"{place_text(at.table, colour, origin)}>{place_text(at.table, colour, to)}"
    fitting = [c for c in now.choices if isinstance(c, Move) and place_text(at.table, c.colour, c.origin) == text.split(">")[0]]
    assume(not any(place_text(at.table, c.colour, c.to) == text.split(">")[1] for c in fitting))
    with pytest.raises(IllegalMoveError) as caught:
        now.play(text)
    assert caught.value.refusals
    assert now.state == at.state


@given(positions(), st.text(alphabet="0123456789HLYA>:+*=, abcdefgrstuw\t", max_size=12))
def test_any_text_is_a_legal_move_or_an_error(at: At, text: str) -> None:
    now = Game(at.engine, at.state)
    try:
        after = now.play(text)
    except GameError:
        assert now.legal() == [move_text(at.table, at.state, c) for c in at.engine.legal(at.state)]
    else:
        assert after.state in [step.state for _, step in steps(at)]


@given(positions(), st.text(alphabet="0123456789HLYA=,.:*+ redyellowtunpsco", max_size=60))
def test_any_text_is_a_position_or_an_error(at: At, text: str) -> None:
    for given_text in (text, f"{position_text(at.table, at.state)} {text}"):
        try:
            state = at.engine.read(given_text)
        except GameError:
            continue
        else:
            assert at.engine.read(position_text(at.table, state)) == state


@given(positions(), st.integers(-1, 30), st.integers(1, 3))
def test_a_roll_that_may_not_be_is_refused_and_changes_nothing(at: At, face: int, count: int) -> None:
    roll = (face,) * count
    allowed = at.engine.faces(at.state)
    assume(not (at.state.awaits_roll and count == at.table.book.dice.count and face in allowed))
    for does in (at.engine.roll, at.engine.weigh):
        with pytest.raises(IllegalRollError) as caught:
            does(at.state, roll)
        assert caught.value.message
    assert at.engine.legal(at.state) == type(at.engine)(at.table).legal(at.state)


@given(positions())
def test_a_roll_is_weighed_as_it_is_made(at: At) -> None:
    """What can be done with a roll before it is used or lost is what can be done after it, if anything can."""
    assume(at.state.awaits_roll)
    for face in at.engine.faces(at.state):
        faces = (face,) * at.table.book.dice.count
        weighed, legal, refused = at.engine.weigh(at.state, faces)
        after = at.engine.roll(at.state, faces).state
        assert not set(legal) & {c for c, _ in refused}
        if legal:
            assert weighed.turn == after.turn
            kept = at.engine.legal(after)
            assert set(kept) <= set(legal) if len(after.pool) < len(weighed.pool) else kept == legal


# ---- what is hidden ----------------------------------------------------------------------------------------------------


def cities(secret: str, **others: str) -> Setup:
    """A table of Ludo Cities that keeps stars from rivals."""
    return Setup("ludo-cities", 4, tuple(sorted({"star-secret": secret, **others}.items())))


HIDING = st.sampled_from([cities(secret, **more) for secret in ("progress", "existence") for more in
                          ({}, {"star-pieces": "same"}, {"star-squares": "different"}, {"teams": "on"})])  # fmt: skip


@given(reached(HIDING), st.integers(0, 3), st.integers(0, 3), st.integers(0, 1), st.integers(0, 1))
def test_hidden_counters_stay_hidden(at: At, viewer: int, owner: int, one: int, other: int) -> None:
    """Positions that differ in what a rival hides look alike to everybody else, and not to the owner."""
    assume(at.table.players[viewer].side != at.table.players[owner].side)
    first, second = (_with_stars(at, owner, stars) for stars in (one, other))
    seen = [Game(at.engine, s).seen_by(at.table.players[viewer].name) for s in (first, second)]
    assert seen[0] == seen[1]
    own = [Game(at.engine, s).seen_by(at.table.players[owner].name) for s in (first, second)]
    assert (own[0] == own[1]) == (first == second)


def _with_stars(at: At, owner: int, stars: int) -> State:
    """The position with that many stars, visits and landings (of the piece that is furthest) of a player, below what uncovers them."""
    ids = [str(c.id) for c in at.table.counters]
    counters = list(at.state.counters)
    for name, value in (("stars", stars), ("visits", ((8, 1),) if stars else ())):
        held = counters[ids.index(name)]
        assert isinstance(held, tuple)
        counters[ids.index(name)] = (*held[:owner], value, *held[owner + 1 :])
    marks = list(at.state.marks)
    for colour in at.table.players[owner].colours:
        marks[colour] = tuple((stars if i == at.table.pieces - 1 else 0,) for i in range(at.table.pieces))
    return at.engine.canonical(at.state._replace(counters=tuple(counters), marks=tuple(marks)))


@settings(max_examples=max(100, settings().max_examples))
@given(positions(HIDING), st.integers(0, 3))
def test_steps_tell_nothing_of_hidden_counters(at: At, viewer: int) -> None:
    """What the mover hides shows in no event and no rule that a rival sees, until it is uncovered."""
    owner = at.state.turn
    assume(not at.state.over and at.table.players[viewer].side != at.table.players[owner].side)
    name = at.table.players[viewer].name
    seen = []
    for stars in (0, 1):
        before = Game(at.engine, _with_stars(at, owner, stars))
        steps_seen = {}
        for what, step in _bare_steps(at, before.state):
            taken = Taken(before, Game(at.engine, step.state, step), (Game(at.engine, step.state, step),))
            uncovered = not any(counter == "stars" and of == owner for counter, of, _ in at.engine.hidden(step.state, viewer))
            if not uncovered:
                steps_seen[what] = (taken.events_json(name), taken.rules(name), taken.game.seen_by(name))
        seen.append(steps_seen)
    for what in seen[0].keys() & seen[1].keys():
        assert seen[0][what] == seen[1][what], what


def _bare_steps(at: At, state: State) -> list[tuple[object, Step]]:
    """Everything that can happen next, named without the marks of pieces, which a rival does not see."""
    if state.awaits_roll:
        pairs = [(a, b) for a in at.engine.faces(state) for b in (1, a)]
        return [(faces, at.engine.roll(state, faces)) for faces in pairs]
    return [(c._replace(mark=()) if isinstance(c, Move) else c, at.engine.move(state, c)) for c in at.engine.legal(state)]


@given(reached(HIDING), st.integers(0, 3))
def test_a_player_sees_all_that_is_the_players_own(at: At, viewer: int) -> None:
    name = at.table.players[viewer].name
    ours = {p.name for p in at.table.players if p.side == at.table.players[viewer].side}
    seen = Game(at.engine, at.state).seen_by(name).split()
    for field in position_text(at.table, at.state).split():
        holder = field.partition("=")[0].rpartition(".")[2]
        if holder in ours:
            assert field in seen


# ---- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", each_value(), ids=str)
def test_random_games_end(setup: Setup) -> None:
    """Every value of every option and reading leaves a game that random play brings to its end."""
    for seed in range(2):
        last = None
        for ply in islice(game(engine(setup), numbers(f"end {seed}")), LONGEST_GAME):
            last = ply.step
        assert last is not None
        assert last.state.over or _can_never_end(setup, last.state), position_text(setup.table, last.state)
        assert last.state.over == (last.events[-1].kind is EventKind.GAME_ENDED)


def _can_never_end(setup: Setup, state: State) -> bool:
    """Pachisi's exact last square: a piece that stops there needs a single step, which no throw gives; here one of each side has."""
    if ("last-square", "exact") not in setup.chosen:
        return False
    stuck = {player.side for player in setup.table.players for c in player.colours if setup.table.routes[c].last - 1 in state.pieces[c]}
    return len(stuck) == len(setup.table.sides)
