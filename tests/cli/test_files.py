"""`ludo check`, `fmt` and `explain`: good files, and files of every bad kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludo_dsl.resources import spec_path, variant_names
from tests.cli.conftest import Ludo

HOUSE = """variant my-house "My house rules" extends amarnepal

drop claim answers

replace rule exact-home
  "A larger roll stops in the centre."
  past home stop
"""
UNTIDY = HOUSE.replace("drop claim", "drop   claim")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "my-house.ludo"
    path.write_text(UNTIDY, encoding="utf-8")
    return path


@pytest.mark.parametrize("variant", variant_names())
def test_the_rule_books_of_the_project_have_no_faults(ludo: Ludo, variant: str) -> None:
    answer = ludo("check", variant, "--json")
    assert answer.code == 0
    assert answer.json("check") == {"ok": True, "diagnostics": []}


def test_a_rule_book_of_ones_own_is_checked_and_played(ludo: Ludo, house: Path) -> None:
    answer = ludo("check", str(house))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("my-house.ludo: My house rules: ")
    assert "3 options" in answer.out
    played = ludo("legal", str(house), "--position", "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "--roll", "3")
    assert played.out == "20>23\n"
    # Home is three steps from L3; in this house a four gets there as well, and earns another roll.
    home = ludo("move", str(house), "--position", "red=L3,Y,Y,Y yellow=Y,Y,Y,Y turn=red", "--roll", "4", "--move", "L3>H")
    assert home.out.startswith("red=H,Y,Y,Y yellow=Y,Y,Y,Y turn=red\n")


def test_a_warning_is_told_and_is_no_fault(ludo: Ludo) -> None:
    warned = HOUSE.replace("drop claim answers\n\n", "")
    answer = ludo("check", "-", stdin=warned)
    assert answer.code == 0
    assert "warning[L0705]" in answer.err
    found = ludo("check", "-", "--json", stdin=warned).json("check")
    assert (found["ok"], [d["severity"] for d in found["diagnostics"]]) == (True, ["warning"])


def test_standard_input_is_checked(ludo: Ludo) -> None:
    assert ludo("check", "-", stdin=HOUSE).code == 0
    bad = ludo("check", "-", stdin=HOUSE.replace("replace", "reploce"))
    assert bad.code == 3
    assert "--> <stdin>:5:1" in bad.err
    assert "\n1 fault; `ludo explain L0" in bad.err


BAD = {
    "empty": (b"", "L0106"),
    "binary": (bytes(range(256)) * 20, "L0001"),
    "latin": ('variant x "\u00e9"'.encode("latin-1"), "L0001"),
    "nul": (b'variant x "X"\x00', "L0002"),
    "prose": (b"Dear players, once upon a time", "L0"),
    "large": (b"# x\n" * 300_000, "L0003"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_told_with_their_code(ludo: Ludo, tmp_path: Path, kind: str) -> None:
    data, code = BAD[kind]
    path = tmp_path / f"{kind}.ludo"
    path.write_bytes(data)
    for args in (["check"], ["fmt"], ["fmt", "--check"], ["variants"]):
        answer = ludo(*args, str(path))
        assert (answer.code, answer.out) == (3, "")
        assert f"error[{code}" in answer.err
        assert f"{kind}.ludo" in answer.err
    found = ludo("check", str(path), "--json").json("check")
    assert not found["ok"]
    assert found["diagnostics"][0]["code"].startswith(code)
    assert path.read_bytes() == data
    assert ludo("check", "-", stdin=data).code == 3


@pytest.mark.parametrize("verb", ["check", "fmt"])
def test_files_that_cannot_be_read(ludo: Ludo, tmp_path: Path, verb: str) -> None:
    missing = ludo(verb, str(tmp_path / "none.ludo"))
    assert missing.code == 3
    assert "error[L0005]: cannot read the file" in missing.err
    assert "--> " in missing.err
    assert "none.ludo" in missing.err
    folder = tmp_path / "folder.ludo"
    folder.mkdir()
    assert ludo(verb, str(folder)).code == 3


def test_the_other_files_are_checked_all_the_same(ludo: Ludo, house: Path, tmp_path: Path) -> None:
    answer = ludo("check", str(tmp_path / "none.ludo"), str(house))
    assert answer.code == 3
    assert "my-house.ludo: My house rules" in answer.out


# ---- fmt -------------------------------------------------------------------------------------------------------------


def test_fmt_check_says_no_and_changes_nothing(ludo: Ludo, house: Path) -> None:
    answer = ludo("fmt", "--check", str(house))
    assert (answer.code, answer.out) == (1, f"would change: {house}\n")
    assert house.read_text(encoding="utf-8") == UNTIDY
    found = json.loads(ludo("fmt", "--check", "--json", str(house)).out)
    assert (found["ok"], [c["file"] for c in found["changes"]]) == (False, [str(house)])
    assert "-drop   claim answers\n+drop claim answers\n" in found["changes"][0]["diff"]


def test_fmt_changes_the_file_once(ludo: Ludo, house: Path) -> None:
    assert "-drop   claim answers\n+drop claim answers\n" in ludo("fmt", "--diff", str(house)).out
    assert ludo("fmt", str(house)).code == 0
    assert house.read_text(encoding="utf-8") == HOUSE
    assert ludo("fmt", "--check", str(house)).code == 0
    assert json.loads(ludo("fmt", "--check", "--json", str(house)).out) == {"ok": True, "changes": []}


def test_fmt_checks_standard_input(ludo: Ludo) -> None:
    assert ludo("fmt", "--check", "-", stdin=HOUSE).code == 0
    assert ludo("fmt", "--check", "-", stdin=UNTIDY).code == 1


@pytest.mark.parametrize("variant", variant_names())
def test_the_rule_books_are_well_laid_out(ludo: Ludo, variant: str) -> None:
    assert ludo("fmt", "--check", str(spec_path("variants", f"{variant}.ludo"))).code == 0


def test_fmt_answers_json_where_it_changes_nothing(ludo: Ludo, house: Path) -> None:
    answer = ludo("fmt", "--json", str(house))
    assert answer.code == 2
    assert answer.json("error")["error"] == "--json answers for --check and --diff only"
    assert house.read_text(encoding="utf-8") == UNTIDY


# ---- explain ---------------------------------------------------------------------------------------------------------


def test_explain_lists_and_explains(ludo: Ludo) -> None:
    listed = ludo("explain").out.splitlines()
    assert "L0005  A file that cannot be read" in listed
    for args in (["explain", "L0005"], ["explain", "l0005"]):
        answer = ludo(*args)
        assert answer.code == 0
        assert "A file that cannot be read" in answer.out
        assert max(len(line) for line in answer.out.splitlines()) <= 80
    assert json.loads(ludo("explain", "l0005", "--json").out)["code"] == "L0005"
    assert len(json.loads(ludo("explain", "--json").out)) == len(listed)
