"""`ludo fairness`: hosting a match step by step, verifying its transcript, the page, and dealt dice."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ludo_dsl.resources import data_root, spec_path
from tests.cli.conftest import Ludo

VECTORS: dict[str, Any] = json.loads((data_root() / "conformance" / "fairness" / "vectors.json").read_text(encoding="utf-8"))
LINES: list[str] = VECTORS["transcript"]
COMMITMENT: str = VECTORS["commitments"][0]["commitment"]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The published transcript as a file."""
    path = tmp_path / "whole.jsonl"
    path.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    return path


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The same with another face in line 5."""
    path = tmp_path / "edited.jsonl"
    lines = [re.sub(r'"faces":\[6', '"faces":[5', line) if n == 5 else line for n, line in enumerate(LINES, 1)]
    assert lines != LINES
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


# ---- hosting -----------------------------------------------------------------------------------------------------------


def test_a_match_from_the_commitment_to_the_proof(ludo: Ludo, tmp_path: Path) -> None:
    file, secret = tmp_path / "m.jsonl", tmp_path / "m.jsonl.secret"
    begun = ludo("fairness", "new", str(file), "--match", "evening-1", "--variant", "pachisi", "--players", "2", "--json")
    fingerprint = json.loads(begun.out)["commitment"]
    assert (secret.stat().st_mode & 0o077, len(secret.read_text("ascii"))) == (0, 65)
    assert fingerprint in file.read_text("utf-8")
    assert secret.read_text("ascii").strip() not in file.read_text("utf-8")
    red, other = json.loads(file.read_text("utf-8"))["players"]
    assert ludo("fairness", "seed", str(file), red, "blue moon").code == 0
    told = ludo("fairness", "roll", str(file), red).out
    assert re.fullmatch(rf"{red} rolls (2|3|4|5|6|10|25)\n", told)
    assert json.loads(ludo("fairness", "roll", str(file), other, "--allowed", "2,3", "--json").out)["faces"][0] in (2, 3)
    assert ludo("fairness", "verify", str(file)).code == 1
    assert ludo("fairness", "reveal", str(file)).code == 0
    assert not secret.exists()
    # No rule of the book bars a face: the server that said so is found out.
    answer = ludo("fairness", "verify", str(file), "--commitment", fingerprint)
    assert (answer.code, answer.err) == (1, "")
    assert "line 4: no rule of Pachisi ever keeps" in answer.out.replace("\n ", "")
    after = ludo("fairness", "roll", str(file), red)
    assert (after.code, "is revealed: the match has ended" in after.err) == (2, True)


def test_what_a_host_cannot_do(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    begin = ["fairness", "new", str(file), "--match", "one", "--variant", "amarnepal"]
    assert ludo(*begin).code == 0
    before = file.read_bytes()
    for args, code, told in (
        (begin, 2, "never overwritten"),
        (["fairness", "new", str(tmp_path / "n"), "--match", "", "--variant", "amarnepal"], 2, "printable"),
        (["fairness", "new", str(tmp_path / "n"), "--match", "x", "--variant", "ludolive"], 2, "dealt from shoes"),
        (["fairness", "new", str(tmp_path / "no" / "n"), "--match", "x", "--variant", "amarnepal"], 3, "no such file"),
        (["fairness", "seed", str(file), "pink", "x"], 2, "nobody at this table is `pink`"),
        (["fairness", "seed", str(file), "red", "a\nb"], 2, "printable"),
        (["fairness", "roll", str(file), "pink"], 2, "nobody"),
        (["fairness", "roll", str(file), "red", "--allowed", "7"], 2, "no face 7"),
        (["fairness", "roll", str(file), "red", "--allowed", "x"], 2, "--allowed x: write faces"),
        (["fairness", "roll", str(tmp_path / "none"), "red"], 3, "no such file"),
        (["fairness", "bogus"], 2, "bogus"),
    ):
        answer = ludo(*args)
        assert (answer.code, told in answer.err) == (code, True), answer
    assert file.read_bytes() == before
    assert ludo("fairness", "roll", str(file), "red").code == 0
    late = ludo("fairness", "seed", str(file), "red", "late")
    assert (late.code, "before the first roll" in late.err) == (2, True)


def test_a_damaged_transcript_is_not_gone_on_with(ludo: Ludo, tmp_path: Path) -> None:
    file, secret = tmp_path / "m.jsonl", tmp_path / "m.jsonl.secret"
    assert ludo("fairness", "new", str(file), "--match", "one", "--variant", "amarnepal").code == 0
    good, kept = file.read_bytes(), secret.read_bytes()
    for data, told in (
        (good[:-9], "line 1 was changed"),
        (good[:-1], "the last line does not end"),
        (good + b'{"line":2,', "cut off within line 2"),
    ):
        file.write_bytes(data)
        answer = ludo("fairness", "roll", str(file), "red")
        assert answer.code == 3 or "no transcript" in answer.err
        assert told in answer.err or "no transcript" in answer.err
        assert file.read_bytes() == data
    file.write_bytes(good)
    for wrong in (b"", b"zz", b"00" * 32):
        secret.write_bytes(wrong)
        answer = ludo("fairness", "roll", str(file), "red")
        assert (answer.code, "not the secret" in answer.err) == (3, True)
    # After the damage is mended, the match goes on.
    secret.write_bytes(kept)
    assert ludo("fairness", "roll", str(file), "red").code == 0


def test_a_game_with_a_transcript(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    play = ["play", "amarnepal", "--players", "2", "--watch", "--seed", "1", "--transcript", str(file)]
    answer = ludo(*play)
    assert answer.code == 0
    fingerprint = re.match(r"commitment ([0-9a-f]{64})\n", answer.out)
    assert fingerprint
    found = ludo("fairness", "verify", str(file), "--commitment", fingerprint[1], "--json").json("fairness")
    assert (found["proven"], found["dice_checked"], found["rolls"]) == (True, True, len(re.findall(r"^  \w+ rolls ", answer.out, re.M)))
    again = ludo(*play)
    assert (again.code, "never overwritten" in again.err) == (2, True)
    shoe = ludo("play", "ludolive", "--players", "2", "--watch", "--transcript", str(tmp_path / "n"))
    assert (shoe.code, "dealt from shoes" in shoe.err) == (2, True)


def test_a_game_that_is_stopped_reveals_its_secret(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    assert ludo("play", "amarnepal", "--players", "2", "--transcript", str(file), stdin="\n\nq\n").code == 0
    assert ludo("fairness", "verify", str(file)).code == 0


# ---- verifying ---------------------------------------------------------------------------------------------------------


def test_a_proof(ludo: Ludo, whole: Path) -> None:
    answer = ludo("fairness", "verify", str(whole))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "proven: all 5 rolls are as the secret gives them, in match evening-1 of\n  ludo-cities\n"
        f"  commitment {COMMITMENT} (compare it with the one shown before the match)\n"
        "  seed of red: blue moon\n  seed of green: žluťoučký kůň\n"
    )
    found = ludo("fairness", "verify", str(whole), "--commitment", COMMITMENT, "--json").json("fairness")
    assert (found["proven"], found["rolls"], found["match"]) == (True, 5, "evening-1")
    assert ludo("fairness", "verify", "-", stdin=whole.read_bytes()).out == answer.out


def test_a_refutation(ludo: Ludo, edited: Path, whole: Path) -> None:
    answer = ludo("fairness", "verify", str(edited))
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith("not proven: line 5: line 5 was changed")
    found = ludo("fairness", "verify", str(edited), "--json").json("fairness")
    assert (found["proven"], found["fault"]["line"], found["fault"]["kind"]) == (False, 5, "changed")
    other = ludo("fairness", "verify", str(whole), "--commitment", "0" * 64, "--json")
    assert (other.code, other.json("fairness")["fault"]["kind"]) == (1, "commitment")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"hello\n", b"{}\n", b"\x80\0\n", b"[1, 2]\n"])
def test_no_transcript_at_all(ludo: Ludo, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "f"
    file.write_bytes(data)
    answer = ludo("fairness", "verify", str(file))
    assert (answer.code, answer.out) == (3, "")
    assert "this is no transcript of committed dice" in answer.err
    assert ludo("fairness", "verify", str(file), "--json").json("error")["hint"]


def test_files_that_cannot_be_read(ludo: Ludo, tmp_path: Path) -> None:
    for verb in ("verify", "deal"):
        for path in (tmp_path, tmp_path / "none"):
            assert ludo("fairness", verb, str(path)).code == 3


def test_bad_usage_of_verify(ludo: Ludo, whole: Path) -> None:
    for args, told in (
        (["--json", "--format", "html"], "give one of the two"),
        (["--output", "x"], "add `--format html`"),
        (["--format", "pdf"], "pdf"),
    ):
        answer = ludo("fairness", "verify", str(whole), *args)
        assert answer.code == 2
        assert told in answer.err + answer.out


# ---- the page ----------------------------------------------------------------------------------------------------------


def page(ludo: Ludo, file: Path) -> str:
    return ludo("fairness", "verify", str(file), "--format", "html").out


def test_the_page_shows_every_roll_and_needs_nothing_else(ludo: Ludo, whole: Path, tmp_path: Path) -> None:
    text = page(ludo, whole)
    assert [int(n) for n in re.findall(r'<tr id="line-(\d+)" class="good">', text)] == [4, 5, 6, 7, 8]
    assert COMMITMENT in text
    assert "žluťoučký kůň" in text
    assert 'name="viewport"' in text
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:", text)
    out = tmp_path / "page.html"
    answer = ludo("fairness", "verify", str(whole), "--format", "html", "--output", str(out))
    assert (answer.code, answer.out[:7], out.read_text("utf-8")) == (0, "proven:", text)


def test_the_page_of_a_changed_transcript_says_so(ludo: Ludo, edited: Path) -> None:
    assert ludo("fairness", "verify", str(edited), "--format", "html").code == 1
    assert 'class="verdict bad">Not proven. Line 5: line 5 was changed' in page(ludo, edited)


def test_names_cannot_break_out_of_the_page(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    evil = "</script><b onload=x>&$title"
    assert ludo("fairness", "new", str(file), "--match", evil, "--variant", "amarnepal").code == 0
    assert ludo("fairness", "seed", str(file), "red", evil).code == 0
    assert ludo("fairness", "roll", str(file), "red").code == 0
    assert ludo("fairness", "reveal", str(file)).code == 0
    text = page(ludo, file)
    assert "<b onload" not in text
    assert text.count("</script>") == 2
    embedded = re.search(r'<script type="application/json" id="transcript">(.*?)</script>', text, re.DOTALL)
    assert embedded
    assert json.loads(embedded[1]) == file.read_text("utf-8")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not here")
def test_the_script_of_the_page_recomputes(ludo: Ludo, whole: Path, edited: Path, tmp_path: Path) -> None:
    def run(text: str) -> Any:
        script = re.search(r'<script id="recompute">(.*?)</script>', text, re.DOTALL)
        embedded = re.search(r'id="transcript">(.*?)</script>', text, re.DOTALL)
        assert script
        assert embedded
        file = tmp_path / "page.cjs"
        more = f"globalThis.crypto ??= require('crypto').webcrypto; recompute({embedded[1]}).then((f) => console.log(JSON.stringify(f)));"
        file.write_text(script[1] + more, encoding="utf-8")
        done = subprocess.run(["node", str(file)], capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)

    assert run(page(ludo, whole)) == {"rolls": 5}
    assert run(page(ludo, edited))["line"] == 5
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(f"{line}\n" for line in LINES[:-1]), encoding="utf-8")
    assert run(page(ludo, cut)) == {"line": 9, "why": "the secret is missing"}
    # Weights, restrictions and rejected attempts are recomputed too.
    shells = tmp_path / "shells.jsonl"
    assert ludo("fairness", "new", str(shells), "--match", "Märchen", "--variant", "pachisi").code == 0
    for more in ([], ["--allowed", "2,3,25"], []):
        assert ludo("fairness", "roll", str(shells), "red", *more).code in (0, 2)
    player = json.loads(shells.read_text("utf-8").splitlines()[0])["players"][0]
    for more in ([], ["--allowed", "2,3,25"], []):
        assert ludo("fairness", "roll", str(shells), player, *more).code == 0
    assert ludo("fairness", "reveal", str(shells)).code == 0
    assert run(page(ludo, shells))["rolls"] >= 3


# ---- dealt dice --------------------------------------------------------------------------------------------------------


def test_a_deal_that_holds_and_one_that_does_not(ludo: Ludo, tmp_path: Path) -> None:
    answer = ludo("fairness", "deal", "-", "--variant", "ludolive", stdin="red 6\nred 6\nred 2\n")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("not refuted: the shoes can have given all 3 rolls\n  checked: 2 full sets of faces a shoe")
    file = tmp_path / "deal.txt"
    file.write_text("variant ludolive\nplayers 2\nred 6\nred 6\nred 6\n", encoding="utf-8")
    answer = ludo("fairness", "deal", str(file))
    assert answer.code == 1
    assert answer.out.startswith("refuted: line 5: a 6 has come 2 times in this turn of red")
    assert "(rule `two-sixes` [LL-10])" in answer.out
    found = ludo("fairness", "deal", str(file), "--json").json("deal")
    assert (found["refuted"], found["fault"]["line"], found["fault"]["clauses"]) == (True, 5, ["LL-10"])


def test_readings_change_what_can_be_refuted(ludo: Ludo) -> None:
    rolls = "red 5\nyellow 1\nred 5\nyellow 2\nred 5\n"
    usual = ludo("fairness", "deal", "-", "--variant", "ludolive", "--json", stdin=rolls).json("deal")
    assert (usual["fault"]["line"], usual["sets"], usual["barred"]) == (5, 2, "waits")
    more = ["--reading", "shoe-sets=3", "--reading", "skipped-six=redrawn"]
    other = ludo("fairness", "deal", "-", "--variant", "ludolive", *more, "--json", stdin=rolls)
    assert (other.code, other.json("deal")["sets"], other.json("deal")["barred"]) == (0, 3, "redrawn")
    assert ludo("fairness", "deal", "-", stdin="variant ludolive\nreading shoe-sets=3\n" + rolls).code == 0


def test_bad_records_and_bad_usage_of_deal(ludo: Ludo, tmp_path: Path) -> None:
    for text, args, code, told in (
        ("red 6\n", [], 2, "which rule book?"),
        ("red 6\n", ["--variant", "amarnepal"], 2, "not dealt from shoes"),
        ("red six\n", ["--variant", "ludolive"], 3, "-:1: this is no roll of a player"),
        ("\nred 7\n", ["--variant", "ludolive"], 3, "-:2: the dice have no face 7"),
        ("pink 3\n", ["--variant", "ludolive"], 3, "nobody at this table is `pink`"),
        (b"\xff\n", ["--variant", "ludolive"], 3, "not UTF-8"),
        ("red 6\n", ["--variant", "ludolive", "--reading", "shoe-sets=0"], 2, "shoe-sets"),
    ):
        answer = ludo("fairness", "deal", "-", *args, stdin=text)
        assert (answer.code, told in answer.err) == (code, True), answer
    assert ludo("fairness", "deal", "-", "--variant", "ludolive", stdin="").code == 0


def test_the_record_of_a_whole_game(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    assert ludo("play", "ludolive", "--players", "2", "--watch", "--seed", "5", "--log", str(file)).code == 0
    rolls = file.read_text("utf-8").count('"roll": ')
    found = ludo("fairness", "deal", str(file), "--json").json("deal")
    assert (found["refuted"], found["rolls"]) == (False, rolls)
    usage = ludo("fairness", "deal", str(file), "--reading", "shoe-sets=3")
    assert (usage.code, "leave the settings out" in usage.err) == (2, True)


def test_the_schemas_are_schemas() -> None:
    for name in ("transcript", "fairness", "deal"):
        jsonschema.Draft202012Validator.check_schema(json.loads(spec_path("schema", f"{name}.json").read_text("utf-8")))
