"""Committed dice: published vectors, exact weights, and every way to touch a transcript found at its line."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludo_dsl import load
from ludo_dsl.game.errors import GameError
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.fairness import SPACE, Terms, commitment, draw, face_of, fair_roll, framed, new_secret, seeds_digest, terms_of
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.transcript import CommittedDice, Writer
from ludo_dsl.play.verify import Report, verify
from ludo_dsl.resources import data_root, spec_path
from tests.game.tables import Setup
from tests.play import plain_fairness as plain

VECTORS: dict[str, Any] = json.loads((data_root() / "conformance" / "fairness" / "vectors.json").read_text(encoding="utf-8"))
LINES: list[bytes] = [line.encode() for line in VECTORS["transcript"]]
"""A match line, two seeds, five rolls (lines 4 to 8) and the secret (line 9)."""

FACES = (1, 2, 3, 4, 5, 6)


def terms(found: dict[str, Any]) -> Terms:
    dice = found["dice"]
    return Terms(found["match"], found["variant"], tuple(found["players"]), dice["count"], tuple((f, w) for f, w in dice["faces"]))


def seeds(found: list[list[str]]) -> list[tuple[str, str]]:
    return [(player, text) for player, text in found]


def judged(lines: list[bytes], ended: bool = True) -> Report:
    return verify("t", b"\n".join(lines) + (b"\n" if ended else b""))


def fault(lines: list[bytes], ended: bool = True) -> tuple[int, str]:
    found = judged(lines, ended).fault
    assert found is not None
    return found.line, found.kind


# ---- vectors -----------------------------------------------------------------------------------------------------------


def test_the_published_vectors_are_those_of_the_plain_implementation() -> None:
    assert json.loads(json.dumps(plain.vectors())) == VECTORS


def test_frames() -> None:
    for case in VECTORS["frames"]:
        assert framed(*case["fields"]).hex() == case["hex"]


def test_commitments_seeds_and_draws() -> None:
    for case in VECTORS["commitments"]:
        assert commitment(bytes.fromhex(case["secret"]), terms(case["terms"])) == case["commitment"]
    for case in VECTORS["seeds"]:
        assert seeds_digest(seeds(case["seeds"])).hex() == case["digest"]
    for case in VECTORS["draws"]:
        secret, given_seeds = bytes.fromhex(case["secret"]), seeds_digest(seeds(case["seeds"]))
        assert draw(secret, case["match"], given_seeds, case["roll"], case["die"], case["attempt"]) == case["number"]


def test_faces_and_rolls() -> None:
    for case in VECTORS["faces"]:
        assert face_of(case["number"], case["faces"]) == case["face"]
    for case in VECTORS["rolls"]:
        secret, digest = bytes.fromhex(case["secret"]), seeds_digest(seeds(case["seeds"]))
        assert list(fair_roll(secret, terms(case["terms"]), digest, case["roll"], case.get("allowed"))) == case["faces"]
    assert any(attempt > 1 for case in VECTORS["rolls"] for attempt in case["attempts"])


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL's command line is not here")
def test_openssl_agrees() -> None:
    def openssl(data: bytes, *args: str) -> str:
        done = subprocess.run(["openssl", "dgst", "-sha256", *args, "-r"], input=data, capture_output=True, check=True, timeout=60)
        return done.stdout.decode().split()[0]

    for case in VECTORS["draws"]:
        code = openssl(bytes.fromhex(case["message"]), "-mac", "HMAC", "-macopt", f"hexkey:{case['secret']}")
        assert (code, int(code[:8], 16)) == (case["hmac"], case["number"])
    # By hand: the length and the text of the first field, the secret, the match and so on, each after its length.
    by_hand = (
        "0000001a6c75646f2d666169726e6573732d3120636f6d6d69746d656e74"
        "00000020000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "000000096576656e696e672d31"
        "0000000b6c75646f2d636974696573"
        "000000080000000000000002"
        "00000003726564"
        "00000005677265656e"
        "000000080000000000000002"
        "000000080000000000000006" + "".join(f"00000008{face:016x}00000008{1:016x}" for face in FACES)
    )
    assert openssl(bytes.fromhex(by_hand)) == VECTORS["commitments"][0]["commitment"]


# ---- exact weights -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "space", "each"),
    [
        # 256 = 42 * 6 + 4: four numbers are rejected, and each face has 42.
        (dict.fromkeys(FACES, 1), 256, 42),
        # 256 = 4 * 64: none is rejected.
        ({25: 1, 10: 6, 2: 15, 3: 20, 4: 15, 5: 6, 6: 1}, 256, 4),
        # 64 = 1 * 57 + 7 where 25 and 10 may not come.
        ({2: 15, 3: 20, 4: 15, 5: 6, 6: 1}, 64, 1),
        ({3: 1}, 16, 16),
    ],
)
def test_every_number_counts_and_faces_come_exactly_by_weight(faces: dict[int, int], space: int, each: int) -> None:
    seen = Counter(face_of(number, list(faces.items()), space) for number in range(space))
    rejected = seen.pop(None, 0)
    assert seen == {face: weight * each for face, weight in faces.items()}
    assert rejected == space - each * sum(faces.values())


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(60, 400))
def test_faces_are_exact_for_any_weights(weights: list[int], space: int) -> None:
    faces = list(enumerate(weights, 1))
    seen = Counter(face_of(number, faces, space) for number in range(space))
    assert {seen[face] / weight for face, weight in faces} == {space // sum(weights)}


def test_the_last_whole_round_of_the_real_space() -> None:
    """4294967296 = 6 * 715827882 + 4."""
    cube = [(face, 1) for face in FACES]
    assert [face_of(SPACE - back, cube) for back in (5, 4, 3, 2, 1)] == [6, None, None, None, None]


def test_faces_that_may_not_come_do_not() -> None:
    at = terms(plain.SHELLS)
    seen = {fair_roll(bytes(32), at, b"", roll, (2, 3))[0] for roll in range(1, 60)}
    assert seen == {2, 3}


def test_everything_that_is_bound_changes_the_rolls() -> None:
    at = terms(plain.TWO)
    usual = [fair_roll(bytes(32), at, seeds_digest(()), n) for n in range(1, 30)]
    assert usual != [fair_roll(bytes(31) + b"\1", at, seeds_digest(()), n) for n in range(1, 30)]
    assert usual != [fair_roll(bytes(32), at, seeds_digest([("red", "x")]), n) for n in range(1, 30)]
    assert usual != [
        fair_roll(
            bytes(32), Terms("evening-2", *tuple(getattr(at, f) for f in ("variant", "players", "count", "faces"))), seeds_digest(()), n
        )
        for n in range(1, 30)
    ]
    assert len({commitment(bytes(32), Terms(m, v, p, c, f)) for m, v, p, c, f in [
        ("a", "bc", ("d",), 1, ((1, 1),)), ("ab", "c", ("d",), 1, ((1, 1),)), ("a", "bc", ("d", "e"), 1, ((1, 1),)),
        ("a", "bc", ("d",), 2, ((1, 1),)), ("a", "bc", ("d",), 1, ((1, 2),)), ("a", "bc", ("d",), 1, ((1, 1), (2, 1)))]}) == 6  # fmt: skip


# ---- transcripts -------------------------------------------------------------------------------------------------------


def test_the_vector_transcript_is_proven() -> None:
    report = judged(LINES)
    assert report.proven
    assert [r.faces for r in report.rolls] == [r.computed for r in report.rolls]
    assert [r.line for r in report.rolls] == [4, 5, 6, 7, 8]
    assert report.seeds == (("red", "blue moon"), ("green", "žluťoučký kůň"))
    # The last line feed is no content.
    assert judged(LINES, ended=False).proven


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(LINES) - 1), st.data())
def test_a_changed_byte_is_found_in_its_line(at: int, data: st.DataObject) -> None:
    line = LINES[at]
    place = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b not in (line[place], 10)))
    assert fault([*LINES[:at], line[:place] + bytes([byte]) + line[place + 1 :], *LINES[at + 1 :]]) == (at + 1, "changed")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(LINES) - 1), st.data())
def test_an_inserted_or_removed_byte_is_found_in_its_line(at: int, data: st.DataObject) -> None:
    line = LINES[at]
    place = data.draw(st.integers(0, len(line) - 1))
    more = line[:place] + bytes([data.draw(st.integers(0, 255).filter(lambda b: b != 10))]) + line[place:]
    less = line[:place] + line[place + 1 :]
    for edited in (more, less):
        assert fault([*LINES[:at], edited, *LINES[at + 1 :]])[0] == at + 1


@pytest.mark.parametrize("at", range(len(LINES)))
def test_a_dropped_line_is_found_where_it_stood(at: int) -> None:
    wanted = (at + 1, "cut-short" if at == len(LINES) - 1 else "dropped")
    assert fault([*LINES[:at], *LINES[at + 1 :]]) == wanted


@pytest.mark.parametrize("at", range(len(LINES) + 1))
@pytest.mark.parametrize("extra", [LINES[4], b"", b"{}", b"hello", b'{"line":5,"kind":"roll"}'])
def test_an_inserted_line_is_found(at: int, extra: bytes) -> None:
    found = fault([*LINES[:at], extra, *LINES[at:]])
    # A copy of line 5 just before line 5 is that line; the one after it is too many.
    wanted = 6 if extra == LINES[4] and at == 4 else at + 1
    assert found[0] == wanted
    assert found[1] == ("inserted" if wanted <= len(LINES) else "changed")


@pytest.mark.parametrize("first", range(len(LINES)))
def test_swapped_lines_are_found_at_the_first(first: int) -> None:
    for second in range(first + 1, len(LINES)):
        lines = list(LINES)
        lines[first], lines[second] = lines[second], lines[first]
        assert fault(lines) == (first + 1, "moved")


@pytest.mark.parametrize("kept", range(1, len(LINES)))
def test_a_transcript_that_is_cut_short(kept: int) -> None:
    assert fault(LINES[:kept]) == (kept + 1, "cut-short")
    assert fault([*LINES[:kept], LINES[kept][:30]], ended=False) == (kept + 1, "cut-short")
    assert len(judged(LINES[:kept]).rolls) == min(max(kept - 3, 0), 5)


def test_line_ends_of_another_system_are_told() -> None:
    found = verify("t", b"\r\n".join(LINES) + b"\r\n").fault
    assert found is not None
    assert (found.line, found.message) == (1, "the line ends in a carriage return")


@pytest.mark.parametrize("data", [b"", b"\n", b"hello\n", b"[1]\n", b"\0\xff" * 9, b'{"line": "header"}\n', b"[" * 100_000])
def test_what_is_no_transcript_at_all(data: bytes) -> None:
    with pytest.raises(RecordError, match="no transcript"):
        verify("t", data)


# ---- a server that cheats: every line is linked anew -------------------------------------------------------------------


def linked(contents: list[dict[str, Any]]) -> list[bytes]:
    link, lines = "", []
    for number, content in enumerate(contents, 1):
        body = json.dumps({"line": number, **content}, separators=(",", ":"))[:-1]
        link = plain.sha(plain.NAME + " line", link, body)
        lines.append(f'{body},"link":"{link}"}}'.encode())
    return lines


def contents() -> list[dict[str, Any]]:
    return [{k: v for k, v in json.loads(line).items() if k not in ("line", "link")} for line in LINES]


def test_linking_anew_changes_nothing() -> None:
    assert linked(contents()) == LINES


@pytest.mark.parametrize(("at", "die"), [(at, die) for at in range(3, 8) for die in (0, 1)])
def test_another_face_is_found_though_every_link_fits(at: int, die: int) -> None:
    for face in FACES:
        lines = contents()
        if lines[at]["faces"][die] != face:
            lines[at]["faces"][die] = face
            assert fault(linked(lines)) == (at + 1, "roll")


def test_a_roll_that_is_dropped_shows_in_those_after_it() -> None:
    lines = contents()
    del lines[4]
    for number, line in enumerate(lines[3:-1], 1):
        line["roll"] = number
    lines[-1]["rolls"] = 4
    assert fault(linked(lines)) == (5, "roll")


def test_a_number_of_rolls_that_is_wrong() -> None:
    lines = contents()
    lines[4]["roll"] = 3
    assert fault(linked(lines)) == (5, "changed")
    lines = contents()
    lines[-1]["rolls"] = 4
    assert fault(linked(lines)) == (9, "changed")


def test_a_commitment_that_does_not_fit() -> None:
    lines = contents()
    lines[0]["commitment"] = "0" * 64
    assert fault(linked(lines)) == (1, "commitment")
    lines = contents()
    lines[-1]["secret"] = "0" * 64
    assert fault(linked(lines)) == (9, "commitment")
    # The name of the rule book is bound, though no roll follows from it.
    lines = contents()
    lines[0]["variant"] = "qdan"
    assert fault(linked(lines)) == (1, "commitment")


def test_a_seed_that_was_changed_or_left_out() -> None:
    lines = contents()
    lines[1]["seed"] = "red moon"
    assert fault(linked(lines))[1] == "roll"
    lines = contents()
    del lines[1]
    assert fault(linked(lines))[1] == "roll"


def test_another_match_with_a_commitment_of_its_own_is_found_by_the_one_that_was_noted() -> None:
    other = [line.encode() for line in plain.transcript(plain.OTHER, plain.TWO, [], ["red"])]
    assert verify("t", b"\n".join(other)).proven
    noted = VECTORS["commitments"][0]["commitment"]
    found = verify("t", b"\n".join(other), noted).fault
    assert found is not None
    assert (found.line, found.kind) == (1, "commitment")
    assert verify("t", b"\n".join(LINES), noted.upper() + "\n").proven


NONSENSE: list[tuple[int, str, Any]] = [
    (0, "players", []), (0, "players", ["\ud800"]), (0, "players", "red"), (0, "dice", {}), (0, "dice", {"count": 0, "faces": [[1, 1]]}),
    (0, "dice", {"count": 10**9, "faces": [[1, 1]]}), (0, "dice", {"count": 1, "faces": [[1, 2**32], [2, 1]]}),
    (0, "dice", {"count": 1, "faces": [[1, 1], [1, 1]]}), (0, "dice", {"count": True, "faces": [[1, 1]]}), (0, "match", ""),
    (0, "match", 7), (0, "commitment", "x"), (0, "more", 1), (1, "player", "nobody"), (1, "seed", ["x"]), (3, "faces", [1]),
    (3, "faces", [1, 7]), (3, "faces", [True, 1]), (3, "allowed", []), (3, "allowed", [2, 1]), (3, "allowed", [9]), (3, "roll", True),
    (3, "kind", "match"), (3, "kind", "secret"), (3, "kind", []), (8, "rolls", 5.0), (8, "secret", "G" * 64), (8, "secret", None),
]  # fmt: skip


@pytest.mark.parametrize(("at", "name", "value"), NONSENSE)
def test_lines_that_fit_their_links_and_make_no_sense(at: int, name: str, value: Any) -> None:
    lines = contents()
    lines[at][name] = value
    assert fault(linked(lines)) == (at + 1, "changed")


def test_a_seed_after_a_roll_and_a_line_after_the_secret() -> None:
    lines = contents()
    assert fault(linked([*lines[:1], *lines[3:4], lines[1], *lines[4:]])) == (3, "changed")
    assert fault(linked([*lines, lines[4]])) == (10, "changed")
    assert fault(linked(lines[1:])) == (1, "changed")


def test_a_scheme_that_is_not_known() -> None:
    lines = contents()
    lines[0]["scheme"] = "ludo-fairness-2"
    with pytest.raises(RecordError, match="another scheme"):
        verify("t", b"\n".join(linked(lines)))


def test_dice_are_compared_with_the_rule_book() -> None:
    book = load("ludo-cities").book
    assert verify("t", b"\n".join(LINES), None, book).proven
    other = verify("t", b"\n".join(LINES), None, load("mensch").book).fault
    assert other is not None
    assert (other.line, other.kind) == (1, "terms")
    # A server that says without a rule that no six may come.
    lines = contents()
    few = [1, 2, 3, 4, 5]
    lines[3] |= {"allowed": few, "faces": plain.roll(plain.COUNTED, plain.TWO, plain.GIVEN, 1, few)[0]}
    assert judged(linked(lines)).proven
    barred = verify("t", b"\n".join(linked(lines)), None, book).fault
    assert barred is not None
    assert (barred.line, barred.kind) == (4, "terms")


# ---- playing with them -------------------------------------------------------------------------------------------------


def test_a_game_with_committed_dice_leaves_a_transcript_that_is_proven(tmp_path: Path) -> None:
    table, file = Setup("ludo-cities", 2).table, tmp_path / "t.jsonl"
    dice = CommittedDice(table, terms_of(table, "one"), new_secret(), file)
    dice.seed("red", "luck")
    engine, rng = Interpreter(table), random.Random(1)
    plies = list(playing(engine, engine.start(), [RandomPlayer(rng)] * 2, dice))
    rolled = [ply.roll for ply in plies if ply.roll is not None]
    cut = verify("t", file.read_bytes()).fault
    assert cut is not None
    assert (cut.line, cut.kind) == (len(rolled) + 3, "cut-short")
    dice.reveal()
    report = verify("t", file.read_bytes(), dice.commitment, table.book)
    assert report.proven
    assert [r.faces for r in report.rolls] == rolled
    schema = json.loads(spec_path("schema", "transcript.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for line in file.read_text(encoding="utf-8").splitlines():
        jsonschema.validate(json.loads(line), schema, cls=jsonschema.Draft202012Validator)


def test_every_line_is_in_the_file_before_the_next_thing_happens(tmp_path: Path) -> None:
    table, file = Setup("amarnepal", 2).table, tmp_path / "t.jsonl"
    dice = CommittedDice(table, terms_of(table, "one"), bytes(32), file)
    for number in range(1, 5):
        assert file.read_bytes().count(b"\n") == number
        dice.roll(0, FACES)


def test_what_committed_dice_refuse(tmp_path: Path) -> None:
    shoe, table = Setup("ludolive", 2).table, Setup("amarnepal", 2).table
    with pytest.raises(GameError, match="dealt from shoes"):
        terms_of(shoe, "one")
    with pytest.raises(GameError, match="match id"):
        terms_of(table, "two\nlines")
    dice = CommittedDice(table, terms_of(table, "one"), bytes(32), tmp_path / "t")
    dice.roll(0, FACES)
    with pytest.raises(GameError, match="before the first roll"):
        dice.seed("red", "late")
    dice.reveal()
    dice.reveal()
    assert verify("t", (tmp_path / "t").read_bytes()).proven
    with pytest.raises(GameError, match="revealed"):
        dice.roll(0, FACES)
    with pytest.raises(GameError, match="never overwritten"):
        Writer(tmp_path / "t").write({})


def test_secrets_differ() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert {len(new_secret()) for _ in range(10)} == {32}
