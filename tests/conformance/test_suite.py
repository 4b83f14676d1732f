"""Scenarios as values: how files become steps and branches, and how a suite is cut down to a part."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, Suite, read_suite, readings_text, scenario_from
from ludo_dsl.documents import DocumentError

TEXT = """\
- id: amarnepal/capture/six
  title: A six that captures earns a roll, or two.
  variant: amarnepal
  players: 2
  options: {one-leaves: on, capture-first: off}
  readings: {distance: [sum, nearest]}
  clauses: [AN-11, AN-14]
  given: red=17,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - refuse-roll: 7
    - roll: 6
      legal: [17>23, Y>0]
    - refuse: Y>1
    - outcomes:
        capture-pays=once:
          - move: 17>23
            then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6
        capture-pays=twice sixes=in-a-row|in-turn:
          - move: 17>23
          - places: {red: 1, yellow: 2}

- id: qdan/start/two
  title: Red begins.
  variant: qdan
  players: 2
  clauses: []
  start: true
  first: red
  steps:
    - roll: [6, 2]
"""


def read(folder: Path, text: str = TEXT, name: str = "some.yaml") -> Suite:
    """The suite of a folder with one more file."""
    (folder / name).write_text(text, encoding="utf-8")
    return read_suite(folder)


def some(name: str, **more: object) -> Scenario:
    """A scenario of which only the head matters."""
    head = {"id": name, "title": "t", "variant": name.split("/")[0], "players": 2, "clauses": [], "start": True, "steps": [{"roll": 1}]}
    return scenario_from({**head, **more})


def test_words_are_words(tmp_path: Path) -> None:
    first, _ = read(tmp_path)
    assert first.options == (("capture-first", "off"), ("one-leaves", "on"))


def test_a_scenario_knows_where_it_stands(tmp_path: Path) -> None:
    first, second = read(tmp_path)
    assert (first.place, second.place) == (f"{tmp_path / 'some.yaml'}:1", f"{tmp_path / 'some.yaml'}:22")
    assert first.area == "capture"
    assert some("a/b/c").place == "a/b/c"


def test_where_it_stands_is_not_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    first = read(tmp_path / "below").scenarios
    second = read(tmp_path / "below", "# a remark\n" + TEXT).scenarios
    assert first == second
    assert first[0].line + 1 == second[0].line


def test_outcomes_make_branches(tmp_path: Path) -> None:
    first, _ = read(tmp_path)
    once, twice = first.branches
    assert once.steps[:3] == twice.steps[:3]
    assert [s.where for s in once.steps] == ["1", "2", "3", "4 (capture-pays=once), 1"]
    assert [s.where for s in twice.steps[3:]] == [f"4 (capture-pays=twice sixes=in-a-row|in-turn), {n}" for n in (1, 2)]
    assert once.steps[0].refuse_roll == (7,)
    assert (once.steps[1].roll, once.steps[1].legal) == ((6,), ("17>23", "Y>0"))
    assert once.steps[2].refuse == "Y>1"
    assert once.steps[3].then == "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6"
    assert twice.steps[4].places == (("red", 1), ("yellow", 2))


def test_branches_rest_on_the_readings_of_the_scenario_and_their_own(tmp_path: Path) -> None:
    first, second = read(tmp_path)
    once, twice = first.branches
    assert once.label == "capture-pays=once distance=sum|nearest"
    assert twice.readings == (("capture-pays", ("twice",)), ("distance", ("sum", "nearest")), ("sixes", ("in-a-row", "in-turn")))
    assert twice.chosen == {"capture-pays": "twice", "distance": "sum", "sixes": "in-a-row"}
    assert first.questions == {"capture-pays", "distance", "sixes"}
    assert second.branches == (Branch((), second.branches[0].steps),)
    assert second.questions == frozenset()


def test_numbers_are_readings_as_text() -> None:
    (branch,) = some("a/b/c", readings={"star-place": [8, 1], "arm-length": 13}).branches
    assert branch.readings == (("arm-length", ("13",)), ("star-place", ("8", "1")))
    assert readings_text(branch.readings) == "arm-length=13 star-place=8|1"


def test_the_opening(tmp_path: Path) -> None:
    _, second = read(tmp_path)
    assert (second.given, second.first) == (None, "red")
    assert second.branches[0].steps[0].roll == (6, 2)


def test_a_question_is_settled_once(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        read(tmp_path, TEXT.replace("distance: [sum, nearest]", "capture-pays: once"))
    assert (caught.value.line, caught.value.path) == (9, "$[0].steps")
    assert "settled in `readings`" in caught.value.message


def test_an_id_is_unique(tmp_path: Path) -> None:
    read(tmp_path)
    with pytest.raises(DocumentError) as caught:
        read(tmp_path, TEXT, "also.yaml")
    assert "the id `amarnepal/capture/six` is that of" in caught.value.message
    assert "also.yaml:1 too" in caught.value.message
    assert caught.value.file.endswith("some.yaml")


def test_folders_are_read_to_the_bottom_and_files_alone(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    read(below)
    assert [s.id for s in read_suite(tmp_path)] == ["amarnepal/capture/six", "qdan/start/two"]
    assert len(read_suite(below / "some.yaml")) == 2


def test_there_must_be_scenarios(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="there are no scenarios here"):
        read_suite(tmp_path)


SUITE = Suite(
    (
        some("a/move/one", clauses=["AA-01"]),
        some("a/home/two", clauses=["AA-01", "AA-02"], options={"x": "on"}),
        some("b/move/three", options={"x": "off", "n": 5}),
        some("b/home/four"),
    )
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "one two three four"),
        ({"variants": ["b"]}, "three four"),
        ({"areas": ["home"]}, "two four"),
        ({"variants": ["a"], "areas": ["home"]}, "two"),
        ({"clauses": ["AA-02", "AA-03"]}, "two"),
        ({"clauses": ["AA-01"]}, "one two"),
        ({"ids": ["a/move/one", "b/home/four"]}, "one four"),
        ({"ids": ["a/*"]}, "one two"),
        ({"ids": ["a/move"]}, ""),
        ({"options": {"x": "on"}}, "two"),
        ({"options": {"n": "5"}}, "three"),
        ({"options": {"n": 5, "x": "on"}}, ""),
    ],
)
def test_a_part_of_a_suite(wanted: dict[str, list[str]], found: str) -> None:
    assert [s.id.split("/")[2] for s in SUITE.chosen(**wanted)] == found.split()  # type: ignore[arg-type]


def test_shards_are_together_the_whole() -> None:
    shards = [SUITE.shard(number, 3) for number in (1, 2, 3)]
    assert [len(s) for s in shards] == [2, 1, 1]
    assert {s.id for shard in shards for s in shard} == {s.id for s in SUITE}
    assert SUITE.variants == ("a", "b")
