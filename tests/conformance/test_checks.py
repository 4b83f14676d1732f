"""`check_suite`: every kind of fault, with its place and its cure; ids; readings found out by playing; and the suite itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ludo_dsl.conformance.scenarios.check_faults import Fault
from ludo_dsl.conformance.scenarios.check_form import form_faults
from ludo_dsl.conformance.scenarios.check_ids import Scope, id_faults, read_ids, unlisted
from ludo_dsl.conformance.scenarios.check_readings import Readings, answers_of, questions_of
from ludo_dsl.conformance.scenarios.checks import check_suite, ids_beside, read_items
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import suite_folder
from ludo_dsl.documents import DocumentError

# Yellow's 49 is red's 49 + 26 - 52 = 23; a capture earns another roll.
PLAIN = """\
- id: amarnepal/capture/plain
  title: A piece that ends on a rival sends it home.
  variant: amarnepal
  players: 2
  clauses: [AN-14]
  given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 3
      legal: [20>23]
    - refuse: Y>0
    - move: 20>23
      then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red
"""

# A six that captures earns one roll, or two: after a 2 it is yellow's turn, or red's again.
SIX = """\
- id: amarnepal/capture/six
  title: A six that captures earns a roll, or two.
  variant: amarnepal
  players: 2
  readings: {capture-pays: once}
  clauses: [AN-11]
  given: red=17,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 6
    - move: 17>23
    - roll: 2
    - move: 23>25
      then: red=25,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow
"""

BOTH = """\
- id: amarnepal/capture/six
  title: A six that captures earns a roll, or two.
  variant: amarnepal
  players: 2
  clauses: [AN-11]
  given: red=17,Y,Y,Y yellow=49,Y,Y,Y turn=red
  steps:
    - roll: 6
    - move: 17>23
    - roll: 2
    - outcomes:
        capture-pays=once:
          - move: 23>25
            then: red=25,Y,Y,Y yellow=Y,Y,Y,Y turn=yellow
        capture-pays=twice sixes=in-a-row:
          - move: 23>25
            then: red=25,Y,Y,Y yellow=Y,Y,Y,Y turn=red
"""

# Red lands on 16 + 3 = 19, which is yellow's 19 - 26 + 52 = 45 on a ring of 52 alone, and a star where stars lie 19 - 13 = 6 on.
STAR = """\
- id: ludolive/capture/far
  title: A token that ends on a rival sends it home.
  variant: ludolive
  players: 2
  readings: {arm-length: 13, star-place: [8, 1, 2, 3, 4, 5, 7, 9, 10]}
  clauses: [LL-16]
  given: red=16,Y,Y,Y yellow=45,Y,Y,Y turn=red
  steps:
    - roll: 3
    - move: 16>19
      then: red=19,Y,Y,Y yellow=Y,Y,Y,Y turn=red
"""


def written(folder: Path, text: str, place: str = "amarnepal/capture.yaml") -> Path:
    """A suite of one file."""
    file = folder / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def faults(folder: Path, text: str, place: str = "amarnepal/capture.yaml") -> tuple[Fault, ...]:
    """What is wrong with a suite of one file."""
    written(folder, text, place)
    return check_suite([folder]).faults


def test_nothing_is_wrong(tmp_path: Path) -> None:
    written(tmp_path, PLAIN + BOTH)
    written(tmp_path, STAR, "ludolive/capture.yaml")
    checked = check_suite([tmp_path])
    assert checked.faults == ()
    assert (checked.files, checked.scenarios, checked.played, checked.complete) == (2, 3, 3, True)


# ---- form ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "message", "hint"),
    [
        ("players: 2", "player: 2", 1, "$[0]", "there is no `player` here", "did you mean `players`?"),
        ("  title: A piece that ends on a rival sends it home.\n", "", 1, "$[0]", "`title` is missing", "spec/language/scenarios.md"),
        ("capture/plain", "Capture/Plain", 1, "$[0].id", "is not written as it should be", "VARIANT/AREA/NAME"),
        ("- roll: 3\n", "- roll: 3\n      move: 20>23\n", 8, "$[0].steps[0]", "a step that does two things", "a step of its own"),
        ("variant: amarnepal", "variant: amarnepall", 3, "$[0].variant", "there is no rule book `amarnepall`", "did you mean `amarnepal`?"),
        ("variant: amarnepal", "variant: my.ludo", 3, "$[0].variant", "`my.ludo` is no rule book to play", "ludo check my.ludo"),
        ("move: 20>23", "mve: 20>23", 11, "$[0].steps[2]", "there is no `mve` here", "did you mean `move`?"),
        ("variant: amarnepal", "variant: qdan", 1, "$[0].id", "is not of `qdan`", "begins with the name of its variant"),
        ("AN-14", "AN-99", 5, "$[0].clauses[0]", "there is no clause AN-99", "AN-"),
        ("AN-14", "AN-14, LL-16", 5, "$[0].clauses[1]", "LL-16 is a clause of ludolive, not of amarnepal", "clauses of the variant itself"),
        ("AN-14", "exact-home", 5, "$[0].clauses[0]", "only for a rule book of one's own", "as in `AN-14`"),
        ("players: 2", "players: 7", 4, "$[0].players", "is for 2 to 4 players, not 7", "a number of players that it seats"),
        ("players: 2", "players: 2\n  options: {capture: on}", 5, "$[0].options.capture", "has no option `capture`", "did you mean"),
        ("players: 2", "players: 2\n  options: {capture-roll: no}", 5, "$[0].options.capture-roll", "has no value `no`", "`off`"),
        ("players: 2", "players: 2\n  options: {sixes: in-turn}", 5, "$[0].options.sixes", "is a reading of amarnepal", "--reading"),
        ("players: 2", "players: 2\n  readings: {six: in-turn}", 5, "$[0].readings.six", "leaves no question `six` open", "`sixes`?"),
        (
            "players: 2",
            "players: 2\n  readings: {bonus: once}",
            5,
            "$[0].readings.bonus",
            "no question `bonus`",
            "its questions are `capture-pays`",
        ),
        (
            "players: 2",
            "players: 2\n  readings: {sixes: in-row}",
            5,
            "$[0].readings.sixes",
            "has no value `in-row`",
            "did you mean `in-a-row`?",
        ),
        (
            "players: 2",
            "players: 2\n  readings: {sixes: [in-turn, in-turn]}",
            5,
            "$[0].readings.sixes",
            "a reading of `sixes` is named twice",
            "once",
        ),
        (
            "players: 2",
            "players: 2\n  readings: {sixes: [in-turn, in-a-row]}",
            5,
            "$[0].readings.sixes",
            "`in-a-row`, the usual reading of `sixes`, does not come first",
            "put `in-a-row` first",
        ),
        ("given: red=20", "given: red=60", 6, "$[0].given", "`60`", "places"),
        ("yellow=49,Y,Y,Y turn=red\n", "yellow=49,Y,Y turn=red\n", 6, "$[0].given", "4", ""),
        ("turn=red\n  steps", "turn=blue\n  steps", 6, "$[0].given", "`blue`", "red"),
        ("then: red=23", "then: red=2x", 12, "$[0].steps[2].then", "`2x`", "places"),
        ("legal: [20>23]", "legal: [20>23, 20-24]", 9, "$[0].steps[0].legal[1]", "`20-24` is no move", "write it as `20>23`"),
        ("refuse: Y>0", "refuse: Y>Z", 10, "$[0].steps[1].refuse", "`Z` in `Y>Z` is no place on this board", "places are Y, 0, 1"),
        ("move: 20>23", "move: 20-23", 11, "$[0].steps[2].move", "`20-23` is no move", "write it as `20>23`"),
        ("roll: 3", "roll: [3, 3]", 8, "$[0].steps[0].roll", "a roll shows 1 dice, not 2", "a step of its own"),
        ("- refuse: Y>0", "- refuse-roll: [6, 6]", 10, "$[0].steps[1].refuse-roll", "a roll shows 1 dice, not 2", "a step of its own"),
        (
            "then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red",
            "places: {red: 1, blue: 2}",
            12,
            "$[0].steps[2].places.blue",
            "no player is `blue`",
            "the players are `red`, `yellow`",
        ),
        (
            "given: red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red",
            "start: true\n  first: green",
            7,
            "$[0].first",
            "no player is `green`",
            "the players are `red`, `yellow`",
        ),
    ],
)
def test_a_fault_of_form(tmp_path: Path, old: str, new: str, line: int, path: str, message: str, hint: str) -> None:
    assert PLAIN.count(old) == 1
    (fault,) = faults(tmp_path, PLAIN.replace(old, new))
    assert (fault.line, fault.path) == (line, path)
    assert message in fault.message
    assert hint in fault.hint
    assert Path(fault.file).name == "capture.yaml"


def test_every_fault_of_every_scenario_is_told(tmp_path: Path) -> None:
    text = PLAIN.replace("AN-14", "AN-99") + SIX.replace("roll: 6", "roll: [6, 6]").replace("move: 17>23", "move: here")
    found = faults(tmp_path, text)
    assert [(f.line, f.scenario.rsplit("/", 1)[1]) for f in found] == [(5, "plain"), (21, "six"), (22, "six")]


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    written(tmp_path, "- id: [\n", "amarnepal/broken.yaml")
    first, second = faults(tmp_path, PLAIN.replace("AN-14", "AN-99"))
    assert (Path(first.file).name, first.scenario) == ("broken.yaml", "")
    assert "this is no YAML" in first.message
    assert "AN-99" in second.message


def test_a_fault_of_the_steps_that_outcomes_share_is_told_once(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, BOTH.replace("move: 17>23", "move: 17>x"))
    assert fault.path == "$[0].steps[1].move"


def test_a_fault_inside_an_outcome_has_its_place(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, BOTH.replace("red=25,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "red=25,Y,Y,Y turn=red"))
    assert (fault.line, fault.path) == (17, "$[0].steps[3].outcomes.capture-pays=twice sixes=in-a-row[0].then")


@pytest.mark.parametrize(
    ("label", "line", "message", "hint"),
    [
        ("capture-pay=twice", 15, "leaves no question `capture-pay` open", "did you mean `capture-pays`?"),
        ("capture-pays=thrice", 15, "has no value `thrice`", "did you mean `twice`?"),
        ("sixes=in-turn", 15, "the outcomes `capture-pays=once` and `sixes=in-turn` can hold at once", "takes one alone"),
    ],
)
def test_a_fault_of_a_label(tmp_path: Path, label: str, line: int, message: str, hint: str) -> None:
    (fault,) = faults(tmp_path, BOTH.replace("capture-pays=twice sixes=in-a-row", label))
    assert (fault.line, fault.path) == (line, f"$[0].steps[3].outcomes.{label}")
    assert message in fault.message
    assert hint in fault.hint


def test_outcomes_stand_at_the_end(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, BOTH + "    - roll: 1\n")
    assert (fault.line, fault.path) == (11, "$[0].steps[3]")
    assert "not the last step" in fault.message


def test_a_question_is_settled_in_one_place(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, BOTH.replace("  clauses", "  readings: {capture-pays: once}\n  clauses"))
    assert "settled in `readings`" in fault.message


def test_a_rule_book_of_ones_own_has_its_rules_cited_by_name(tmp_path: Path) -> None:
    house = tmp_path / "house.ludo"
    house.write_text('variant house "House" extends amarnepal\n', encoding="utf-8")
    mine = PLAIN.replace("amarnepal/", "house/").replace("variant: amarnepal", f"variant: {house}")
    assert faults(tmp_path, mine.replace("AN-14", "AN-14, exact-home"), "mine.yaml") == ()
    (fault,) = faults(tmp_path, mine.replace("AN-14", "exact-hom"), "mine.yaml")
    assert (fault.message, fault.hint) == ("house has no rule `exact-hom`", "did you mean `exact-home`?")


# ---- ids -------------------------------------------------------------------------------------------------------------


def with_list(folder: Path, ids: str) -> Path:
    """The list of ids of a suite in the folder `scenarios`."""
    file = folder / "ids.txt"
    file.write_text(ids, encoding="utf-8")
    return file


def test_an_id_is_unique(tmp_path: Path) -> None:
    written(tmp_path, PLAIN, "amarnepal/capture.yaml")
    (fault,) = faults(tmp_path, PLAIN, "amarnepal/other.yaml")
    assert (fault.line, fault.path) == (1, "$[0].id")
    assert fault.message.startswith("the id `amarnepal/capture/plain` is that of ")
    assert fault.message.endswith("capture.yaml:1 too")


def test_an_id_that_is_not_in_the_list(tmp_path: Path) -> None:
    with_list(tmp_path, "# the list\n\n")
    (fault,) = faults(tmp_path / "scenarios", PLAIN)
    assert (fault.line, fault.path, fault.scenario) == (1, "$[0].id", "amarnepal/capture/plain")
    assert "is not in ids.txt" in fault.message
    assert "--publish" in fault.hint


def test_a_scenario_that_is_gone(tmp_path: Path) -> None:
    file = with_list(tmp_path, "# the list\namarnepal/capture/old\namarnepal/capture/plain\n")
    (fault,) = faults(tmp_path / "scenarios", PLAIN)
    assert (fault.file, fault.line, fault.scenario) == (str(file), 2, "amarnepal/capture/old")
    assert "is gone" in fault.message
    assert "# retired:" in fault.hint
    with_list(tmp_path, "amarnepal/capture/old # retired: it said nothing\namarnepal/capture/plain\n")
    assert check_suite([tmp_path / "scenarios"]).faults == ()


def test_a_retired_id_is_not_used_again(tmp_path: Path) -> None:
    with_list(tmp_path, "amarnepal/capture/plain # retired: it said nothing\n")
    (fault,) = faults(tmp_path / "scenarios", PLAIN)
    assert (fault.line, fault.message) == (1, "the id `amarnepal/capture/plain` is retired: it said nothing")
    assert "a new one" in fault.hint


def test_only_what_was_asked_for_can_be_gone(tmp_path: Path) -> None:
    with_list(tmp_path, "amarnepal/capture/plain\namarnepal/home/gone\nqdan/home/gone\namarnepal/capture/gone\n")
    file = written(tmp_path / "scenarios", PLAIN)

    def gone(*paths: Path) -> list[str]:
        return [f.scenario for f in check_suite(paths).faults]

    assert gone(file) == ["amarnepal/capture/gone"]
    assert gone(file.parent) == ["amarnepal/home/gone", "amarnepal/capture/gone"]
    assert gone(tmp_path / "scenarios") == ["amarnepal/home/gone", "qdan/home/gone", "amarnepal/capture/gone"]


def test_scenarios_of_a_file_that_cannot_be_read_are_not_gone(tmp_path: Path) -> None:
    with_list(tmp_path, "amarnepal/capture/plain\n")
    (fault,) = faults(tmp_path / "scenarios", PLAIN.replace("players: 2", "players: two"))
    assert "of the wrong type" in fault.message


def test_a_published_scenario_lies_where_its_id_says(tmp_path: Path) -> None:
    with_list(tmp_path, "amarnepal/capture/plain\n")
    (fault,) = faults(tmp_path / "scenarios", PLAIN, "amarnepal/home.yaml")
    assert (fault.line, fault.path) == (1, "$[0].id")
    assert "does not belong in this file" in fault.message
    assert "its place is amarnepal/capture.yaml" in fault.hint


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("amarnepal/capture\n", 1, "`amarnepal/capture` is no id"),
        ("# x\na/b/c\na/b/c\n", 3, "`a/b/c` is in the list twice"),
        ("a/b/c # gone\n", 1, "`# gone` is no remark for an id"),
        ("a/b/c # retired:\n", 1, "`# retired:` is no remark for an id"),
    ],
)
def test_a_list_that_cannot_be_read(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_ids(with_list(tmp_path, text))
    assert (caught.value.line, caught.value.message) == (line, message)
    assert caught.value.hint


def test_publishing_adds_and_never_takes_away(tmp_path: Path) -> None:
    file = with_list(tmp_path, "# mine\namarnepal/capture/old # retired: twice the same")
    written(tmp_path / "scenarios", BOTH + PLAIN)
    checked = check_suite([tmp_path / "scenarios"], publish=True)
    assert checked.faults == ()
    assert checked.published == ("amarnepal/capture/plain", "amarnepal/capture/six")
    before = "# mine\namarnepal/capture/old # retired: twice the same\n"
    assert file.read_text(encoding="utf-8") == before + "amarnepal/capture/plain\namarnepal/capture/six\n"
    assert check_suite([tmp_path / "scenarios"], publish=True).published == ()
    assert check_suite([tmp_path / "scenarios"]).faults == ()


def test_nothing_is_published_while_something_is_wrong(tmp_path: Path) -> None:
    file = with_list(tmp_path, "")
    written(tmp_path / "scenarios", PLAIN + SIX.replace("turn=yellow", "turn=red"))
    checked = check_suite([tmp_path / "scenarios"], publish=True)
    assert checked.published == ()
    assert len(checked.faults) == 3  # two ids that are not in the list, and what is wrong with the second scenario
    assert file.read_text(encoding="utf-8") == ""


def test_a_suite_begins_its_list(tmp_path: Path) -> None:
    written(tmp_path, PLAIN)
    assert ids_beside(tmp_path) is None
    assert check_suite([tmp_path], publish=True).published == ("amarnepal/capture/plain",)
    assert ids_beside(tmp_path) == tmp_path / "ids.txt"
    assert (tmp_path / "ids.txt").read_text(encoding="utf-8").splitlines()[-1] == "amarnepal/capture/plain"


def test_a_list_that_is_named_must_be_there(tmp_path: Path) -> None:
    written(tmp_path, PLAIN)
    with pytest.raises(FileNotFoundError):
        check_suite([tmp_path], ids=tmp_path / "none.txt")


def test_there_must_be_scenarios(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="there are no scenarios here"):
        check_suite([tmp_path])


# ---- playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "message", "hint"),
    [
        ("legal: [20>23]", "legal: [20>23, Y>0]", 8, "$[0].steps[0]", "other legal moves after roll 3", "expected 20>23, Y>0; found 20>23"),
        ("refuse: Y>0", "refuse: 20>23", 10, "$[0].steps[1]", "move 20>23 is allowed", "expected it is refused"),
        ("move: 20>23", "move: 20>24", 11, "$[0].steps[2]", "move 20>24 is refused", "expected it is legal"),
        ("roll: 3", "roll: 7", 8, "$[0].steps[0]", "roll 7 is refused", "the dice have no face 7"),
        ("Y,Y,Y,Y turn=red", "Y,Y,Y,Y turn=yellow", 11, "$[0].steps[2]", "another position after move 20>23", "turn=yellow; found"),
        (
            "then: red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red",
            "places: {red: 1, yellow: 2}",
            7,
            "$[0].steps",
            "`places` is expected before the game is over",
            "spec/language/scenarios.md",
        ),
    ],
)
def test_a_scenario_that_does_not_pass(tmp_path: Path, old: str, new: str, line: int, path: str, message: str, hint: str) -> None:
    assert PLAIN.count(old) == 1
    (fault,) = faults(tmp_path, PLAIN.replace(old, new))
    assert (fault.line, fault.path) == (line, path)
    assert message in fault.message
    assert hint in fault.hint


def test_an_outcome_that_does_not_pass(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, BOTH.replace("turn=yellow", "turn=red"))
    assert (fault.line, fault.path) == (13, "$[0].steps[3].outcomes.capture-pays=once[0]")
    assert "by the rules under capture-pays=once: another position after move 23>25" in fault.message


@pytest.mark.parametrize(
    ("text", "line", "path", "message", "hint"),
    [
        pytest.param(
            SIX.replace("  readings: {capture-pays: once}\n", ""),
            1,
            "$[0].readings",
            "the scenario hangs on `capture-pays` and does not name it: it fails under `twice`",
            "write `readings: {capture-pays: once}`, or show the others in `outcomes`",
            id="not named",
        ),
        pytest.param(
            PLAIN.replace("  clauses", "  readings: {sixes: in-turn}\n  clauses"),
            5,
            "$[0].readings.sixes",
            "the scenario names `sixes` and does not hang on it",
            "take it out: it holds under every reading",
            id="named for nothing",
        ),
        pytest.param(
            SIX.replace("capture-pays: once", "capture-pays: [once, twice]"),
            5,
            "$[0].readings.capture-pays",
            "the scenario holds under `once` of `capture-pays`, and names `once`, `twice`",
            "write `readings: {capture-pays: once}`",
            id="too many",
        ),
        pytest.param(
            STAR.replace("[8, 1, 2, 3, 4, 5, 7, 9, 10]", "8"),
            5,
            "$[0].readings.star-place",
            "the scenario holds under 1 to 5, 7 to 10 of `star-place`, and names 8",
            "write `readings: {star-place: [8, 1, 2, 3, 4, 5, 7, 9, 10]}`",
            id="too few",
        ),
        pytest.param(
            BOTH.replace(" sixes=in-a-row", ""),
            15,
            "$[0].steps[3].outcomes.capture-pays=twice",
            "the outcome `capture-pays=twice` hangs on `sixes` and does not name it: it fails under `in-turn`",
            "write `sixes=in-a-row`",
            id="not named in an outcome",
        ),
        pytest.param(
            BOTH.replace("capture-pays=once:", "capture-pays=once distance=sum:"),
            12,
            "$[0].steps[3].outcomes.capture-pays=once distance=sum",
            "names `distance` and does not hang on it",
            "take it out",
            id="named for nothing in an outcome",
        ),
    ],
)
def test_readings_are_found_out_by_playing(tmp_path: Path, text: str, line: int, path: str, message: str, hint: str) -> None:
    (fault,) = faults(tmp_path, text, f"{text.split('/')[0].removeprefix('- id: ')}/capture.yaml")
    assert (fault.line, fault.path) == (line, path)
    assert message in fault.message
    assert hint in fault.hint


def test_answers_that_this_table_does_not_offer_do_not_count(tmp_path: Path) -> None:
    """Two men on a square is a question of Mensch only where barriers are on: without them nothing hangs on it."""
    question = book_of("mensch").setting("pair-at-start")
    assert question is not None
    assert len(answers_of(question, book_of("mensch"))) > 1
    text = """\
- id: mensch/moving/plain
  title: A man walks on.
  variant: mensch
  players: 2
  clauses: []
  given: black=10,Y,Y,Y green=Y,Y,Y,Y turn=black
  steps:
    - roll: 3
      legal: [10>13]
"""
    assert faults(tmp_path, text, "mensch/moving.yaml") == ()


def test_answers() -> None:
    book = book_of("ludolive")
    found = {str(question.id): answers_of(question, book) for question in questions_of(book)}
    assert found["bonus"] == ("once", "twice")
    assert found["star-place"] == ("8", "1", "2", "3", "4", "5", "6", "7", "9", "10")
    assert "leave-on" not in {q.id for q in questions_of(book_of("qdan"))}


def test_readings_that_no_scenario_names(tmp_path: Path) -> None:
    written(tmp_path, SIX)
    assert check_suite([tmp_path]).unnamed == (
        "amarnepal capture-pays=twice",
        "amarnepal sixes=in-a-row",
        "amarnepal sixes=in-turn",
        "amarnepal yard-distance=start-and-one",
        "amarnepal yard-distance=start",
        "amarnepal distance=sum",
        "amarnepal distance=nearest",
    )


def test_a_stopped_check_tells_what_it_has(tmp_path: Path) -> None:
    written(tmp_path, SIX.replace("once", "twice") + PLAIN)

    def stop(done: int, of: int) -> None:
        assert of == 2
        if done == 1:
            raise KeyboardInterrupt

    checked = check_suite([tmp_path], watch=stop)
    assert (checked.complete, checked.played, len(checked.faults)) == (False, 1, 1)


# ---- the suite itself ------------------------------------------------------------------------------------------------


def test_the_form_and_the_ids_of_the_whole_suite() -> None:
    folder = suite_folder()
    items, broken = read_items(sorted(folder.rglob("*.yaml")))
    assert broken == {}
    assert len(items) > 700
    known = read_ids(folder.parent / "ids.txt")
    assert id_faults(items, known, Scope([folder])) == []
    assert list(unlisted(items, known).values()) == []
    assert [f for item in items for f in form_faults(item)] == []


def test_the_readings_of_a_sample_of_the_suite() -> None:
    """Every twelfth scenario, beginning with another one each day; `ludo scenarios check` plays all of them, in half a minute or so."""
    items, _ = read_items(sorted(suite_folder().rglob("*.yaml")))
    readings = Readings()
    day = int(time.time()) // 86_400
    assert [f for item in items[day % 12 :: 12] for f in readings.faults(item)] == [], f"day {day}"
