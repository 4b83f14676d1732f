"""Faulty rule books and what the checker says about each: `bad/L0123-what.ludo` and beside it `.expected`.

The expected texts were read line by line: right line, right caret, a hint that cures. After a message has been changed on
purpose, write them anew with `LUDO_WRITE_EXPECTED=1 pytest tests/check/test_bad.py` and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ludo_dsl.check.book import check, check_file
from ludo_dsl.check.explain import codes, explain
from ludo_dsl.check.finding import locate
from ludo_dsl.diagnostics import Diagnostic, RuleBookError, ordered, render
from ludo_dsl.play.claims import claims_broken_by_changes
from ludo_dsl.resources import spec_path
from ludo_dsl.syntax.parser import LARGEST, decode, read_source

BAD = Path(__file__).parent / "bad"
FILES = sorted(BAD.glob("L*.ludo"))
PACKAGE = Path(__file__).parents[2] / "ludo_dsl"

IN_BYTES = {"L0001", "L0003", "L0005"}
"""Faults of the file itself: the tests below write the bytes."""

EXPLAINED_ONLY = {"L0001", "L0002", "L0003", "L0005", "L0105"}
"""Faults whose section has no example: it could not be printed, or not be read."""


BY_PLAYING = "L0705"
"""Found by putting the claims of another rule book to the test, after everything else is in order."""


def faults_of(path: Path, code: str = "") -> tuple[Diagnostic, ...]:
    """The faults, or else the warnings; those of claims only where they are what is looked for."""
    try:
        checked = check_file(path)
    except RuleBookError as error:
        return tuple(ordered(error.diagnostics))
    if code == BY_PLAYING:
        return (*checked.warnings, *claims_broken_by_changes(read_source(path), checked.book))
    return checked.warnings


def text_of(diagnostics: tuple[Diagnostic, ...]) -> str:
    folder = f"{spec_path('variants')}{os.sep}"
    return "\n".join(render(d).replace(folder, "") + "\n" for d in diagnostics)


def source_codes() -> set[str]:
    found = (re.findall(r'"(L0\d{3})"', path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py"))
    return {code for codes_of_file in found for code in codes_of_file}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_says_what_is_wrong(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    faults = faults_of(Path(path.name), path.stem[:5])
    expected = path.with_suffix(".expected")
    if os.environ.get("LUDO_WRITE_EXPECTED"):
        expected.write_text(text_of(faults), encoding="utf-8")
    assert text_of(faults) == expected.read_text(encoding="utf-8")
    assert path.stem[:5] in {d.code for d in faults}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_caret_stands_in_its_text(path: Path) -> None:
    for fault in faults_of(path):
        for source, span in [(fault.source, fault.span), *((label.source or fault.source, label.span) for label in fault.labels)]:
            assert 0 <= span.start < span.end <= len(source.text)
            assert source.slice(span).strip()


def test_no_expectation_is_left_over() -> None:
    assert {p.stem for p in BAD.glob("*.expected")} == {p.stem for p in FILES}


def test_every_code_has_a_section_and_a_faulty_file() -> None:
    explained = {code for code, _ in codes()}
    assert explained == source_codes()
    assert {path.stem[:5] for path in FILES} | IN_BYTES == explained


@pytest.mark.parametrize("name", ["L0101-several", "L0201-several", "L0302-parts", "L0508-several", "L0601-many"])
def test_all_faults_of_a_phase_come_at_once(name: str) -> None:
    faults = faults_of(BAD / f"{name}.ludo")
    assert len({fault.span for fault in faults}) >= 4


# ---- the page of explanations ------------------------------------------------------------------------------------------


def examples(code: str) -> list[str]:
    return re.findall(r"```ludo\n(.*?)```", explain(code) or "", re.DOTALL)


@pytest.mark.parametrize("code", [code for code, _ in codes() if code not in EXPLAINED_ONLY])
def test_examples_of_the_page(code: str, tmp_path: Path) -> None:
    faulty, cured = examples(code)
    path = tmp_path / "mine.ludo"
    path.write_text(faulty, encoding="utf-8")
    assert code in {d.code for d in faults_of(path, code)}
    cured_path = tmp_path / "cured.ludo"
    cured_path.write_text(cured, encoding="utf-8")
    assert text_of(faults_of(cured_path, code)) == ""


def test_explain_knows_codes_in_any_case_and_no_others() -> None:
    text = explain("l0302")
    assert text is not None
    assert text.startswith("## L0302 A condition that is constant\n")
    assert "## L0303" not in text
    assert explain("L0999") is None
    assert explain("") is None


# ---- faults of files ---------------------------------------------------------------------------------------------------


def the_fault(data: bytes) -> Diagnostic:
    with pytest.raises(RuleBookError) as caught:
        check(decode("mine.ludo", data))
    (fault,) = caught.value.diagnostics
    return fault


def test_bytes_that_are_not_utf8() -> None:
    fault = the_fault(b'variant mine "M\xe4rz"\n')
    assert fault.code == "L0001"
    assert "0xe4" in fault.message
    assert fault.source.position(fault.span.start) == (1, 16)


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f"])
def test_control_characters(char: str) -> None:
    fault = the_fault(f'variant mine "Mi{char}ne"\n'.encode())
    assert fault.code == "L0002"
    assert str(ord(char)) in fault.message
    assert fault.source.position(fault.span.start) == (1, 17)


@pytest.mark.parametrize("size", [LARGEST + 1, 4 * LARGEST + 1])
def test_a_text_that_is_too_long(size: int) -> None:
    assert the_fault(b"#" * size).code == "L0003"


def test_a_text_that_is_just_short_enough_is_read() -> None:
    assert the_fault(b"#" * LARGEST).code == "L0106"


@pytest.mark.parametrize("name", ["missing.ludo", "."])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuleBookError) as caught:
        check_file(tmp_path / name)
    assert [d.code for d in caught.value.diagnostics] == ["L0005"]


def test_a_rule_book_that_a_user_misspells() -> None:
    with pytest.raises(RuleBookError) as caught:
        locate("qdann")
    (fault,) = caught.value.diagnostics
    assert fault.code == "L0701"
    assert fault.hint == "did you mean `qdan`?"
