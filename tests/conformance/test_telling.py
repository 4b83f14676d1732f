"""Telling rule books apart: what is found is short, can be played, and holds for the one and not for the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ludo_dsl.conformance.scenarios.playing import play
from ludo_dsl.conformance.scenarios.subjects import Direct, read_leniently
from ludo_dsl.conformance.scenarios.suite import SCENARIOS, scenario_from
from ludo_dsl.conformance.telling.search import Bound, Told, scenario_of, scenario_yaml, tell_apart, tell_from_opening
from ludo_dsl.conformance.telling.shown import Eyes
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.notation import read_move
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.game import load
from ludo_dsl.resources import spec_path

Choices = dict[str, object]


def table(name: str | Path, players: int = 2, options: Choices | None = None, readings: Choices | None = None) -> Interpreter:
    """An interpreter at a table."""
    return Interpreter(load(name).table(players, options, readings))


def told(result: Told | Bound) -> Told:
    """What was found; the bound in words where nothing was."""
    assert isinstance(result, Told), result.says()
    return result


def out(position: str) -> int:
    """Pieces of a position that are not in the yard."""
    fields = dict(part.split("=") for part in position.split())
    return sum(place != "Y" for n, v in fields.items() if n in ("red", "yellow", "green", "blue") for place in v.split(","))


class _Another(Direct):
    """A subject that plays by another table than the scenario's, and reads and writes positions as text."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._own = engine

    def engine_for(self, reference: Engine) -> Engine:
        return self._own

    def state(self, reference: Engine) -> State:
        return read_leniently(reference, self.text())


def passes(scenario: dict[str, Any], reference: Engine, engine: Engine) -> bool:
    """Whether an engine does what a scenario says."""
    whole = scenario_from(scenario)
    return play(whole, whole.branches[0], reference, _Another(engine)) is None


# ---- by set position -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_first", [False, True])
def test_capture_before_home(on_first: bool) -> None:
    """The lane of five begins after square 50: a piece that has captured nothing walks on to 51 instead of L1. One roll shows it."""
    engines = table("amarnepal"), table("amarnepal", options={"capture-first": "on"})
    found = told(tell_apart(*(engines[::-1] if on_first else engines)))
    assert (found.rolls, found.moves, out(found.position or "")) == (1, 0, 1)
    fields = dict(part.split("=") for part in (found.position or "").split())
    spot, (roll,) = fields["red"].split(",")[0], found.steps
    assert spot.isdigit()
    assert 45 <= int(spot) <= 50
    assert int(spot) + int(roll[0]) > 50
    assert found.difference.kind == "legal"
    assert set(fields) == {"red", "yellow", "turn"}, "whoever has captured nothing needs no field that says so"


def test_an_extra_roll_for_a_capture() -> None:
    """A captor, a victim, the roll between them and the move: with less, nothing is captured."""
    found = told(tell_apart(table("amarnepal"), table("amarnepal", options={"capture-roll": "off"})))
    assert (found.rolls, found.moves, out(found.position or "")) == (1, 1, 2)
    assert found.steps[0] != (6,), "a six rolls again either way"
    assert found.difference.a.endswith("turn=red")
    assert found.difference.b.endswith("turn=yellow")


def test_sixes_of_a_turn_that_do_not_follow_one_another() -> None:
    """Two sixes with another roll between them, and a third six: only one who counts all of the turn ends it."""
    found = told(tell_apart(table("amarnepal"), table("amarnepal", readings={"sixes": "in-turn"})))
    assert found.rolls == 1
    assert found.steps[-1] == (6,)
    rolled = dict(part.split("=") for part in (found.position or "").split())["rolled"].split(",")
    assert rolled.count("6") == 2
    assert rolled[0] == rolled[-1] == "6"
    assert len(rolled) == 3
    assert found.difference.b.endswith("turn=yellow")


def test_places_alone_can_differ() -> None:
    """A yard that is as far as the start square: whoever has a piece there and nothing else is placed as one who has none out."""
    a, b = (table("amarnepal", 3, readings={"yard-distance": way}) for way in ("start-and-one", "start"))
    found = told(tell_apart(a, b))
    assert found.difference.kind == "places"
    assert (found.rolls, found.moves) == (1, 1)


def test_a_turn_that_begins_otherwise_needs_no_roll() -> None:
    found = told(tell_apart(table("qdan"), table("qdan", options={"no-piece": "bring-out"})))
    assert (found.steps, out(found.position or "")) == ((), 0)
    assert "pool=free-entry" in found.difference.b


@pytest.mark.parametrize(
    ("options", "readings", "rolls", "moves", "pieces"),
    [
        # 5 alone brings out, where 6 did: one roll of the opening.
        ({"leave-on": "5"}, {}, 1, 0, 0),
        # Two of a colour, and one behind them that would land there or pass.
        ({"blocking": "off"}, {}, 1, 0, 3),
        # A roll too large is used all the same.
        ({"exact-home": "off"}, {}, 1, 0, 1),
        # Coming home earns a roll: a piece in the lane and the move home.
        ({"home-bonus": "on"}, {}, 1, 1, 1),
        # A rival on a star.
        ({"safe-squares": "start"}, {}, 1, 1, 2),
        # A pair of one's own, and a third behind it.
        ({}, {"own-block": "yes"}, 1, 0, 3),
        # With a piece out and others in the base, a six leaves a choice or does not.
        ({}, {"leaving": "forced"}, 1, 0, 1),
    ],
)
def test_house_rules_of_qdan(options: Choices, readings: Choices, rolls: int, moves: int, pieces: int) -> None:
    found = told(tell_apart(table("qdan"), table("qdan", options=options, readings=readings)))
    assert (found.rolls, found.moves, out(found.position or "")) == (rolls, moves, pieces)


def test_boards_of_different_size() -> None:
    """The long board has 26 squares: a piece turns into its lane where the cross goes on."""
    found = told(tell_apart(table("qdan"), table("qdan", options={"shape": "match"})))
    assert (found.rolls, found.moves) == (1, 0)
    assert found.difference.kind == "legal"


def test_tables_that_cannot_be_compared_differ_as_they_are_set_up() -> None:
    found = told(tell_apart(table("amarnepal"), table("mensch")))
    assert (found.position, found.steps, found.difference.kind) == (None, (), "state")


def test_a_book_and_itself() -> None:
    result = tell_apart(table("qdan"), table("qdan"))
    assert isinstance(result, Bound)
    assert result.why == "same rules"
    assert isinstance(tell_from_opening(table("qdan"), table("qdan")), Bound)


def test_rules_that_come_to_the_same_are_not_told_apart_and_the_bound_says_how_far_the_search_went() -> None:
    """Two players of amarnepal are first and second, whatever ranks the others; the budget ends the search."""
    result = tell_apart(table("amarnepal"), table("amarnepal", readings={"distance": "nearest"}), budget=300, seed=3)
    assert isinstance(result, Bound)
    assert result.why == "searched"
    assert result.positions <= 400
    assert result.playouts >= 1
    assert f"{result.positions:,} positions" in result.says()
    assert "seed 3" in result.says()


def test_the_seed_repeats_the_search() -> None:
    pair = table("ludolive"), table("ludolive", readings={"shelter": "owner"})
    assert tell_apart(*pair, seed=2) == tell_apart(*pair, seed=2)


def test_a_stopped_search_tells_how_far_it_went() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for search in (tell_apart, tell_from_opening):
        result = search(table("amarnepal"), table("amarnepal", readings={"distance": "nearest"}), budget=200, progress=stop)
        assert isinstance(result, Bound)
        assert result.why == "stopped"


# ---- what is no difference -------------------------------------------------------------------------------------------


def test_what_only_one_remembers_is_no_difference() -> None:
    """Under `capture-first` captures are remembered; that the other book forgets them shows only when a piece wants home."""
    a, b = table("amarnepal", options={"capture-first": "on"}), table("amarnepal")
    eyes = Eyes(a, b)
    text = "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
    assert eyes.difference(a.read(text + " captures.red=1"), b.read(text)) is None
    assert eyes.difference(a.read(text), b.read(text.replace("23", "24"))) is not None
    # Of rolls, one of these keeps the sixes at the end alone, the other every six.
    a, b = table("amarnepal"), table("amarnepal", readings={"sixes": "in-turn"})
    rolled = text + " rolled=6,1"
    assert a.read(rolled).rolled != b.read(rolled).rolled
    assert Eyes(a, b).difference(a.read(rolled), b.read(rolled)) is None


# ---- from the opening ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "most"),
    # To 45 in three turns of six, six, five, the rival's rolls between them, and one roll more: thirteen.
    [({"capture-first": "on"}, 13), ({"one-leaves": "on"}, 1), ({"capture-roll": "off"}, 14)],
)
def test_a_game_from_the_opening_is_a_real_game(options: Choices, most: int) -> None:
    a, b = table("amarnepal"), table("amarnepal", options=options)
    found = told(tell_from_opening(a, b))
    assert found.position is None
    assert found.rolls <= most
    states = a.start(found.first), b.start(found.first)
    for step in found.steps[:-1]:
        states = after(a, states[0], step), after(b, states[1], step)
        assert Eyes(a, b).difference(*states) is None, "nothing differs before the last step"
    assert after(a, states[0], found.steps[-1]) is not None


def after(engine: Interpreter, state: State, step: tuple[int, ...] | str) -> State:
    """The state after a step, which raises where the step is not legal."""
    if isinstance(step, tuple):
        return engine.roll(state, step).state
    return engine.move(state, read_move(engine.table, state, step, engine.legal(state))).state


# ---- scenarios -------------------------------------------------------------------------------------------------------

PAIRS: list[tuple[str, int, Choices, Choices]] = [
    ("amarnepal", 2, {"capture-first": "on"}, {}),
    ("amarnepal", 2, {"capture-roll": "off"}, {}),
    ("amarnepal", 2, {}, {"sixes": "in-turn"}),
    ("amarnepal", 3, {}, {"yard-distance": "start"}),
    ("qdan", 2, {"no-piece": "bring-out"}, {}),
    ("qdan", 3, {"play-on": "on"}, {}),
    ("ludolive", 2, {}, {"shelter": "owner"}),
    ("card-kings", 2, {"match": "one-round"}, {}),
    ("ludo-cities", 2, {}, {"leaving": "forced"}),
]


@pytest.mark.parametrize(("name", "players", "options", "readings"), PAIRS, ids=lambda v: str(v) if isinstance(v, str) else None)
@pytest.mark.parametrize("turned", [False, True])
def test_the_scenario_holds_for_the_one_and_not_for_the_other(
    name: str, players: int, options: Choices, readings: Choices, turned: bool
) -> None:
    pair = table(name, players), table(name, players, options, readings)
    a, b = pair[::-1] if turned else pair
    found = told(tell_apart(a, b))
    scenario = scenario_of(found, a.table, f"{name}/told/one", "They differ here", ["rule"])
    again = yaml.load(scenario_yaml(scenario), yaml.BaseLoader)
    assert len(again) == 1
    assert [str(s) for s in again[0]["clauses"]] == ["rule"]
    schema = json.loads(spec_path("schema", f"{SCENARIOS.schema}.json").read_text(encoding="utf-8"))
    jsonschema.validate([scenario], schema, cls=jsonschema.Draft202012Validator)
    assert passes(scenario, a, a)
    assert not passes(scenario, a, b)


def test_yaml_says_what_the_scenario_says(tmp_path: Path) -> None:
    """Read as the suite reads files, the text gives the same scenario: words such as `off` and titles with a colon survive."""
    from ludo_dsl.conformance.scenarios.suite import read_scenarios

    a, b = table("amarnepal", options={"capture-roll": "off"}), table("amarnepal")
    scenario = scenario_of(told(tell_apart(a, b)), a.table, "amarnepal/told/off", "Off: no roll, [none]", ["AN-25"], {"sixes": "in-turn"})
    file = tmp_path / "told.yaml"
    file.write_text(scenario_yaml(scenario), encoding="utf-8")
    (read,) = read_scenarios(file)
    made = scenario_from(scenario)
    assert read == made
    assert dict(read.options) == {"capture-roll": "off"}


# ---- house rules -----------------------------------------------------------------------------------------------------


def test_a_house_rule_and_its_parent(tmp_path: Path) -> None:
    """A roll that is too large stops in the centre: one piece in reach of it, and one roll."""
    file = tmp_path / "house.ludo"
    file.write_text(
        'variant house "House" extends amarnepal\n\nreplace rule exact-home [AN-20]\n'
        '  "The centre needs no exact number."\n  past home stop\n',
        encoding="utf-8",
    )
    a, b = table("amarnepal"), table(file)
    found = told(tell_apart(a, b))
    assert (found.rolls, found.moves, out(found.position or "")) == (1, 0, 1)
    scenario = scenario_of(found, a.table, "amarnepal/told/house", "A house rule", ["exact-home"])
    assert passes(scenario, a, a)
    assert not passes(scenario, a, b)
