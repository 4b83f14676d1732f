"""Records of games: what is written is read again and found right; whatever is done to a record is noticed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludo_dsl import load
from ludo_dsl.check.digest import digest
from ludo_dsl.check.finding import locate
from ludo_dsl.game.errors import GameError
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.records import Recorder, check_of, header_of, undisturbed
from ludo_dsl.play.replay import Ended, Fault, Played, open_record, replay
from ludo_dsl.play.session import Session
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.source import Source
from ludo_dsl.syntax.parser import read_source
from tests.docs.pages import ROOT, blocks

Outcome = tuple[str, int]
"""How a record ends and after how many plies; or `fault` or `error` and in which line."""


def outcome(path: Path) -> Outcome:
    plies = 0
    try:
        record = open_record(path)
        if isinstance(record, Fault):
            return "fault", record.line
        for found in replay(record):
            match found:
                case Played():
                    plies += 1
                case Fault():
                    return "fault", found.line
                case Ended(end):
                    return (end.end if end else "cut"), plies
    except RecordError as error:
        return "error", error.line
    raise AssertionError("a record ends")


def play(variant: str, path: Path, plies: int = 100_000, seed: int = 1) -> Path:
    """Lets the computer play so many plies, and writes them down."""
    book = load(variant)
    first = random.Random(seed).choice([p.name for p in book.table().players])
    game = book.start(first=first)
    who = dict.fromkeys([p.name for p in game.table.players], "random")
    text = digest(read_source(locate(variant)))
    with Recorder(path, header_of(game, variant, text, who, first, seed)) as recorder:
        session = Session(game, who, seed, recorder)
        for _ in range(plies):
            if session.game.over:
                break
            if session.game.awaits_roll:
                session.roll()
            else:
                session.think()
        session.stop()
    return path


@pytest.mark.parametrize("variant", variant_names())
def test_what_is_written_is_found_right_and_fits_the_schema(variant: str, tmp_path: Path) -> None:
    path = play(variant, tmp_path / "game.jsonl", plies=300)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    schema = json.loads(spec_path("schema", "record.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for line in lines:
        validator.validate(line)
    assert outcome(path) == (lines[-1]["end"], len(lines) - 2)


# ---- a record by hand ----------------------------------------------------------------------------------------------------
#
# Red rolls a three and captures on 23 (yellow's 49 is red's 23), which earns another roll.

BEFORE = "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red"
PLIES: list[dict[str, Any]] = [
    {"line": "ply", "ply": 1, "player": "red", "roll": [3], "position": f"{BEFORE} pool=3"},
    {"line": "ply", "ply": 2, "player": "red", "move": "20>23", "position": "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red"},
    {"line": "ply", "ply": 3, "player": "red", "roll": [2], "position": "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red pool=2"},
]
END: dict[str, Any] = {"line": "end", "plies": 3, "end": "stopped", "places": None, "rules": []}


def header() -> dict[str, Any]:
    game = load("amarnepal").position(BEFORE)
    who = {"red": "human", "yellow": "random"}
    return header_of(game, "amarnepal", digest(read_source(locate("amarnepal"))), who, None, 7).as_json()


def written(path: Path, *lines: dict[str, Any]) -> Path:
    """A record whose checks fit, whatever its lines say."""
    check, texts = "", []
    for line in lines:
        check = check_of(check, line)
        texts.append(json.dumps({**line, "check": check}) + "\n")
    path.write_text("".join(texts), encoding="utf-8")
    return path


def fault_of(path: Path) -> Fault:
    record = open_record(path)
    if isinstance(record, Fault):
        return record
    found = list(replay(record))[-1]
    assert isinstance(found, Fault)
    return found


def test_a_record_by_hand(tmp_path: Path) -> None:
    path = written(tmp_path / "hand.jsonl", header(), *PLIES, END)
    assert outcome(path) == ("stopped", 3)


def test_the_page_shows_a_record() -> None:
    """The record of the page on records is this one; its rule book may have changed since."""
    block = blocks(ROOT / "spec" / "language" / "records.md", "json")[0]
    # There, an object may go on in a line that begins with a space.
    lines = [json.loads(line) for line in block.text.replace("\n ", " ").splitlines()]
    check = ""
    for line in lines:
        check = check_of(check, line)
        assert line["check"] == check
    assert [{k: v for k, v in line.items() if k != "check"} for line in lines[1:]] == [*PLIES, END]
    assert {**lines[0], "check": "", "book": ""} == {**header(), "check": "", "book": ""}


Change = Callable[[list[dict[str, Any]]], object]

FORGED: list[tuple[str, Change, int, str, list[str]]] = [
    ("an illegal move", lambda r: r[2].update(move="Y>0"), 3, "red's Y>0 is not legal", ["leave-yard"]),
    ("a face that no die has", lambda r: r[1].update(roll=[7]), 2, "the dice have no face 7", []),
    ("two dice", lambda r: r[1].update(roll=[3, 3]), 2, "a roll shows 1 dice, not 2", []),
    ("a roll that is not due", lambda r: r[2].update(roll=r[2].pop("move") and [3]), 3, "no roll is due", []),
    ("no move at all", lambda r: r[2].update(move="over there"), 3, "is no move", []),
    ("a piece left standing", lambda r: r[2].update(position="red=23,Y,Y,Y yellow=49,Y,Y,Y turn=red"), 3, "`capture`", []),
    ("another player", lambda r: r[3].update(player="yellow"), 4, "it is red's turn, not yellow's", []),
    ("plies in the wrong order", lambda r: r.insert(2, r.pop(3)), 3, "ply 3 stands here, and ply 2 is missing", []),
    ("a ply twice", lambda r: r.insert(3, r[2]), 4, "ply 2 stands here again", []),
    ("a ply gone", lambda r: r.pop(2), 3, "ply 2 is missing", []),
    ("the last ply gone", lambda r: r.pop(3), 4, "tells of 3 plies, and there are 2", []),
    ("a second header", lambda r: r.insert(1, r[0]), 2, "a second header", []),
    ("a second end", lambda r: r.append(r[-1]), 6, "goes on after its end", []),
    ("an end too early", lambda r: r[-1].update(end="over"), 5, "says that the game is over", []),
    ("a winner too early", lambda r: r[-1].update(places={"red": 1, "yellow": 2}), 5, "the places are none", []),
    ("another opening", lambda r: r[0].update(position="red=20,Y,Y,Y yellow=49,Y,Y turn=red"), 1, "yellow has 4 pieces", []),
    ("another beginner", lambda r: r[0].update(first="red"), 1, "the game begins at red=Y,Y,Y,Y", []),
    ("nobody begins", lambda r: r[0].update(first="pink"), 1, "nobody at this table is `pink`", []),
    ("too many players", lambda r: r[0].update(players=9), 1, "is for 2 to 4 players", []),
    ("somebody else at the table", lambda r: r[0]["seats"].update(pink="human"), 1, "not those of the players", []),
    ("an option of another game", lambda r: r[0]["options"].update(tries="on"), 1, "has no option `tries`", []),
]


@pytest.mark.parametrize(("change", "line", "told", "rules"), [row[1:] for row in FORGED], ids=[row[0] for row in FORGED])
def test_a_forged_record_breaks_a_rule_in_a_line(change: Change, line: int, told: str, rules: list[str], tmp_path: Path) -> None:
    lines = [json.loads(json.dumps(row)) for row in (header(), *PLIES, END)]
    change(lines)
    fault = fault_of(written(tmp_path / "forged.jsonl", *lines))
    assert fault.line == line
    assert told in fault.message
    assert [r.statement.rule for r in fault.reasons if r.statement] == rules


def test_a_game_that_is_over_goes_no_further(tmp_path: Path) -> None:
    """One red piece is two steps from home; amarnepal ends with the first who has all home."""
    start = "red=H,H,H,L4 yellow=Y,Y,Y,Y turn=red"
    top = {**header(), "position": start}
    plies: list[dict[str, Any]] = [
        {"line": "ply", "ply": 1, "player": "red", "roll": [2], "position": f"{start} pool=2"},
        {"line": "ply", "ply": 2, "player": "red", "move": "L4>H", "position": "red=H,H,H,H yellow=Y,Y,Y,Y turn=over"},
    ]
    over = {**END, "plies": 2, "end": "over", "places": {"red": 1, "yellow": 2}}
    fault = fault_of(written(tmp_path / "a.jsonl", top, *plies, over))
    assert (fault.line, fault.message[:26]) == (4, "the rules that ended the g")
    fault = fault_of(written(tmp_path / "b.jsonl", top, *plies, {**over, "places": {"red": 2, "yellow": 1}}))
    assert fault.message == "the places are 1. red, 2. yellow, and the record says 1. yellow, 2. red"
    fault = fault_of(written(tmp_path / "c.jsonl", top, *plies, {**PLIES[2], "player": "yellow"}))
    assert (fault.line, fault.message) == (4, "the game is over after ply 2")


# ---- files that are no records -------------------------------------------------------------------------------------------

BAD: list[tuple[str, bytes, int, str]] = [
    ("nothing", b"", 0, "the file is empty"),
    ("text", b"once upon a time\n", 1, "the line is not JSON"),
    ("a number", b"12\n", 1, "no JSON object"),
    ("another format", b'{"format": "chess"}\n', 1, "no record of a game"),
    ("another version", b'{"format": "ludo-record", "version": 2}\n', 1, "version 2 of the format"),
    ("a version that is none", b'{"format": "ludo-record", "version": true}\n', 1, "version true"),
    ("a bare header", b'{"format": "ludo-record", "version": 1, "line": "header"}\n', 1, "a header without `"),
    ("a ply first", b'{"format": "ludo-record", "version": 1, "line": "ply"}\n', 1, "a ply without"),
    ("Latin-1", '{"format": "Möhre"}\n'.encode("latin-1"), 1, "not UTF-8: byte 14"),
    ("zeros", bytes(500), 1, "the line is not JSON"),
    ("a picture", b"\x89PNG\r\n\x1a\n" + bytes(80), 1, "not UTF-8: byte 1"),
    ("a long line", b"x" * 200_000, 1, "far too long"),
    ("deep brackets", b"[" * 50_000 + b"\n", 1, "not JSON"),
    ("a long number", b"9" * 50_000 + b"\n", 1, "not JSON"),
    ("a name twice", b'{"format": 1, "format": 2}\n', 1, "`format` is given twice"),
    ("half a character", b'{"format": "\\ud800"}\n', 1, "half a character"),
    ("no number", b'{"format": NaN}\n', 1, "not JSON"),
]


@pytest.mark.parametrize(("data", "line", "told"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_file_that_is_no_record(data: bytes, line: int, told: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(data)
    with pytest.raises(RecordError) as error:
        open_record(path)
    assert error.value.line == line
    assert told in error.value.message
    assert error.value.hint


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "hand.jsonl", header(), *PLIES, END)
    lines = path.read_bytes().splitlines(keepends=True)
    for broken in (
        b"\n",
        b"{\n",
        b"\xff\n",
        b'{"line": "move"}\n',
        lines[2].replace(b'"20>23"', b"20"),
        lines[2].replace(b"}", b', "x": 1}'),
    ):
        path.write_bytes(b"".join([*lines[:2], broken, *lines[3:]]))
        assert outcome(path) == ("error", 3)


@pytest.mark.parametrize("name", ["../amarnepal.ludo", "/etc/passwd", "a\\b", "a\0b", "\ud800.ludo", ""])
def test_a_rule_book_is_named_without_folders(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "hand.jsonl", {**header(), "file": name}, *PLIES, END)
    assert outcome(path) == ("error", 1)


def test_the_rule_book_must_be_the_one_that_was_played(tmp_path: Path) -> None:
    house = tmp_path / "house.ludo"
    text = 'variant house "House" extends amarnepal\n\ndrop rule home-again\n'
    house.write_text(text, encoding="utf-8")
    path = play(str(house), tmp_path / "game.jsonl", plies=30)
    assert str(tmp_path) not in path.read_text(encoding="utf-8")
    assert outcome(path) == ("stopped", 30)
    with pytest.raises(RecordError, match="a game of `house`, and the rule book is `qdan`"):
        open_record(path, "qdan")
    house.write_text("# changed\n" + text, encoding="utf-8")
    with pytest.raises(RecordError, match="not as it was when the game was played"):
        open_record(path)
    assert not isinstance(open_record(path, changed=True), Fault)
    house.unlink()
    with pytest.raises(RecordError, match=r"`house\.ludo` is not here"):
        open_record(path)


def test_the_digest_is_of_the_text_and_its_parents(tmp_path: Path) -> None:
    parent, child = tmp_path / "parent.ludo", tmp_path / "child.ludo"
    base = read_source(locate("amarnepal")).text.replace("variant amarnepal", "variant parent")
    parent.write_text(base, encoding="utf-8")
    child.write_text('variant child "Child" extends parent\n\ndrop rule home-again\n', encoding="utf-8")
    before = digest(read_source(child))
    assert digest(Source(str(child), child.read_text(encoding="utf-8").replace("\n", "\r\n"))) == before
    parent.write_text(base + "\n# more\n", encoding="utf-8")
    assert digest(read_source(child)) != before


# ---- mutilated records ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of some 60 plies of card-kings, stopped."""
    return play("card-kings", tmp_path_factory.mktemp("record") / "game.jsonl", plies=60).read_bytes()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "mutilated.jsonl"


MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(data=st.data())
def test_a_cut_off_record_is_accepted_up_to_its_last_whole_line(data: st.DataObject, game: bytes, scratch: Path) -> None:
    at = data.draw(st.integers(0, len(game)))
    scratch.write_bytes(game[:at])
    lines = game.splitlines(keepends=True)
    whole = game[:at].count(b"\n")
    # A line that lacks nothing but its end is whole.
    whole += at < len(game) and game[at : at + 1] == b"\n"
    if whole == 0:
        assert outcome(scratch) == ("error", 1 if at else 0)
    elif whole == len(lines):
        assert outcome(scratch) == ("stopped", 60)
    else:
        assert outcome(scratch) == ("cut", whole - 1)


@MANY
@given(data=st.data())
def test_a_changed_byte_is_noticed(data: st.DataObject, game: bytes, scratch: Path) -> None:
    at = data.draw(st.integers(0, len(game) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != game[at]))
    changed = game[:at] + bytes([byte]) + game[at + 1 :]
    scratch.write_bytes(changed)
    how, where = outcome(scratch)
    same = _values(changed) == _values(game)
    assert (how == "stopped") == same
    if how == "cut":
        # The last line has lost its end.
        assert where == 60
        assert at == len(game) - 1


def _values(data: bytes) -> list[Any] | None:
    try:
        return [json.loads(line) for line in data.decode().split("\n") if line]
    except ValueError:
        return None


@MANY
@given(data=st.data())
def test_lines_that_are_gone_doubled_or_moved_are_noticed(data: st.DataObject, game: bytes, scratch: Path) -> None:
    lines = game.splitlines(keepends=True)
    order = list(range(len(lines)))
    at, to = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["gone", "doubled", "moved"])):
        case "gone":
            del order[at]
        case "doubled":
            order.insert(to, at)
        case _:
            order.insert(to, order.pop(at))
    scratch.write_bytes(b"".join(lines[i] for i in order))
    how, where = outcome(scratch)
    if order == list(range(len(lines))):
        assert (how, where) == ("stopped", 60)
    elif order == list(range(len(order))):
        assert (how, where) == ("cut", 60)
    else:
        assert how in ("fault", "error")
        wrong = next(n for n, i in enumerate(order) if i != n) + 1
        assert where == wrong


@MANY
@given(data=st.data())
def test_an_edited_value_is_noticed_in_its_line(data: st.DataObject, game: bytes, scratch: Path) -> None:
    lines = [json.loads(line) for line in game.splitlines()]
    number = data.draw(st.integers(0, len(lines) - 1))
    key = data.draw(st.sampled_from(sorted(lines[number])))
    scalars = st.none() | st.booleans() | st.integers(-5, 100) | st.text(max_size=8) | st.sampled_from(["Y>0", "red", "over", "header"])
    value = data.draw(scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=5), scalars, max_size=2))
    if json.dumps(value) == json.dumps(lines[number][key]):
        return
    lines[number][key] = value
    scratch.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    how, where = outcome(scratch)
    assert how in ("fault", "error")
    assert where == number + 1


@MANY
@given(junk=st.binary(max_size=300))
def test_junk_is_never_a_record(junk: bytes, scratch: Path) -> None:
    scratch.write_bytes(junk)
    assert outcome(scratch)[0] == "error"


# ---- writing -------------------------------------------------------------------------------------------------------------


def test_a_record_is_never_overwritten(tmp_path: Path) -> None:
    path = play("card-kings", tmp_path / "game.jsonl", plies=3)
    before = path.read_bytes()
    with pytest.raises(GameError, match="exists already"):
        play("card-kings", path, plies=3)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_waits_for_a_line() -> None:
    done = []

    def write() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append("line")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == ["line"]


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_killed_process_leaves_a_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    program = (
        "import time, pathlib, sys; import tests.play.test_records as t; from ludo_dsl.play.session import Session;"
        "think = Session.think; Session.think = lambda s: (think(s), time.sleep(0.02))[0];"
        "t.play('card-kings', pathlib.Path(sys.argv[1]))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], cwd=Path(__file__).parents[2])
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 20):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait(60)
    lines = path.read_bytes().count(b"\n")
    how, plies = outcome(path)
    assert how == "cut"
    assert plies == lines - 1 >= 20
