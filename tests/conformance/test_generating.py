"""A suite that is written for a rule book: on a house rule with three changes, it notices every mutant that the bound can tell apart."""

from __future__ import annotations

import datetime
import random
from functools import cache
from pathlib import Path

import pytest

from ludo_dsl.conformance.mutants import Mutant, mutants
from ludo_dsl.conformance.mutation.gate import fate_of
from ludo_dsl.conformance.mutation.generating import Written, generate
from ludo_dsl.conformance.scenarios.checks import check_suite
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import read_suite, scenario_from
from ludo_dsl.rules.book import Book

HOUSE = """\
variant my-house "Our house" extends amarnepal

replace board
  "A cross-shaped board: {ring} squares of track, and a star {9:word} squares after each start."
  arms 4
  arm 13 squares
  turning 2 before start
  lane 5 squares
  mark star at 9

set capture-roll to off

replace rule leave-yard
  "A {5:word} or a {6:word} lets a token leave the yard."
  may enter if die = 5 or die = 6

drop claim answers
"""
"""Another star, no roll for a capture, and leaving the yard on 5 and 6."""

TODAY = datetime.date.today().toordinal()
BUDGET = 1000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Book:
    path = tmp_path_factory.mktemp("house") / "my-house.ludo"
    path.write_text(HOUSE, encoding="utf-8")
    return book_of(str(path))


@cache
def every(book: Book) -> tuple[Mutant, ...]:
    return mutants(book)


def named(book: Book, *names: str) -> list[Mutant]:
    return [m for m in every(book) if m.id in names]


def failing(book: Book, written: Written) -> dict[str, bool]:
    """Whether each mutant that could be told apart fails a scenario, played from the plain data once more."""
    untold = {m.id for m, _ in written.untold}
    scenarios = [scenario_from(s) for s in written.scenarios]
    return {m.id: bool(fate_of(m, scenarios, "first").killers) for m in every(book) if m.id not in untold}


def test_the_three_changes_are_shown(house: Book, tmp_path: Path) -> None:
    names = (
        "number/board/mark-star=9->8",
        "number/board/mark-star=9->10",
        "option/capture-roll/stuck=on",
        "face/leave-yard/1/die=5->die=4",
        "drop/leave-yard/1",
    )
    chosen = named(house, *names)
    assert {m.id for m in chosen} == set(names)
    written = generate(house, of=chosen, budget=BUDGET)
    assert (written.untold, written.mutants, written.told, written.complete) == ((), 5, 5, True)
    assert all(failing(house, Written(written.scenarios, tuple((m, "") for m in every(house) if m not in chosen), 5, 5)).values())
    # Rules of a rule book of one's own are cited by name, as clauses are of a text that is not its own.
    cited = {c for s in written.scenarios for c in s["clauses"]}
    assert "leave-yard" in cited
    assert not any(c.startswith("AN-") for c in cited)
    path = tmp_path / "suite.yaml"
    path.write_text(written.yaml(), encoding="utf-8")
    assert [s.id for s in read_suite(path)] == [s["id"] for s in written.scenarios]
    checked = check_suite([path], books={"my-house": house})
    assert (checked.faults, checked.played) == ((), len(written.scenarios))


def test_every_mutant_that_can_be_told_apart_is_noticed(house: Book) -> None:
    """Some mutants each day, others tomorrow: all of them take minutes."""
    chosen = random.Random(TODAY).sample(every(house), 10)
    written = generate(house, of=chosen, budget=BUDGET)
    noticed = failing(house, written)
    assert all(noticed[m.id] for m in chosen if m.id in noticed), f"day {TODAY}"
    assert written.told + len(written.untold) == 10
    # What is given up is given up for want of a game, never because a scenario could not say it.
    assert not [why for _, why in written.untold if "no scenario can express" in why], f"day {TODAY}"


def test_what_is_written_hangs_on_the_seed_alone(house: Book) -> None:
    chosen = named(house, "drop/capture/1", "drop/leave-yard/1", "number/board/mark-star=9->8", "turn/without-lose")
    one = generate(house, of=chosen, budget=BUDGET, jobs=1)
    assert generate(house, of=chosen, budget=BUDGET, jobs=2) == one
    assert one.told == len(chosen) == 4


def test_what_others_notice_needs_no_scenario(house: Book) -> None:
    chosen = named(house, "drop/capture/1", "drop/leave-yard/1")
    first = generate(house, of=chosen[:1], budget=BUDGET)
    there = [scenario_from(s) for s in first.scenarios]
    more = generate(house, there, of=chosen, budget=BUDGET)
    assert (more.mutants, more.told) == (2, 2)
    assert len(more.scenarios) == 1
    assert generate(house, [*there, *map(scenario_from, more.scenarios)], of=chosen).scenarios == ()


def test_what_cannot_be_told_apart_is_told_with_its_bound() -> None:
    """What a landing on any square captures: pieces of two colours meet on the track alone, so that the track need not be asked for."""
    book = book_of("amarnepal")
    (mutant,) = named(book, "square/capture/1/on-track->on-any-square")
    written = generate(book, of=[mutant], budget=60)
    assert (written.scenarios, written.told) == ((), 0)
    ((untold, bound),) = written.untold
    assert untold == mutant
    assert "positions" in bound
    assert "seed 0" in bound


def test_ctrl_c_leaves_what_was_found(house: Book) -> None:
    chosen = named(house, "drop/capture/1", "drop/leave-yard/1", "number/board/mark-star=9->8")

    def stop(done: int, total: int) -> None:
        assert total == 3
        if done:
            raise KeyboardInterrupt

    written = generate(house, of=chosen, budget=BUDGET, progress=stop)
    assert not written.complete
    assert len(written.scenarios) == 1
    assert 1 <= written.told < 3
