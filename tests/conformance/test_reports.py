"""Reports: nothing is lost, nothing foreign gets out, and what they say follows from the run."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from rich.console import Console

from ludo_dsl.conformance.reports import JsonlWriter, read_jsonl, show, write_badge, write_html, write_jsonl, write_junit
from ludo_dsl.conformance.reports.badge import badge_json
from ludo_dsl.conformance.reports.compare import compare
from ludo_dsl.conformance.reports.failures import look, sentence
from ludo_dsl.conformance.reports.merge import merge
from ludo_dsl.conformance.reports.words import conclusion, fraction, one_line
from ludo_dsl.conformance.running.known import Entry, Known
from ludo_dsl.conformance.running.verdicts import BranchPlayed, Run, Standing, Verdict
from ludo_dsl.conformance.scenarios.playing import What
from ludo_dsl.documents import DocumentError
from ludo_dsl.resources import spec_path
from tests.conformance.runs import AFTER, BEFORE, CAPTURE, FULL, GOOD, HOSTILE, LONG, NASTY, WRONG, clause, result, run

TODAY = date(2026, 12, 1)

RUNS = [GOOD, FULL, HOSTILE, run(), replace(GOOD, complete=False, asked=7)]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def printed(shown: Run, **more: Any) -> str:
    out = io.StringIO()
    show(shown, Console(file=out, **more))
    return out.getvalue()


# ---- JSON Lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", RUNS)
def test_a_run_comes_back_as_it_was(told: Run, tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(told, file)
    assert read_jsonl(file) == told
    assert [p.name for p in tmp_path.iterdir()] == ["report.jsonl"]


@pytest.mark.parametrize("told", RUNS)
def test_every_line_keeps_the_schema(told: Run, tmp_path: Path) -> None:
    schema = json.loads(spec_path("schema", "report.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    write_jsonl(told, tmp_path / "report.jsonl")
    found = lines(tmp_path / "report.jsonl")
    for line in found:
        jsonschema.validate(line, schema, cls=jsonschema.Draft202012Validator)
    assert (found[0]["kind"], found[-1]["kind"]) == ("header", "footer")


def test_the_footer_vouches_for_what_stands_before(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(FULL, file)
    *body, last = file.read_bytes().splitlines(keepends=True)
    footer = json.loads(last)
    assert footer["lines"] == len(body)
    assert footer["sha256"] == hashlib.sha256(b"".join(body)).hexdigest()
    assert footer["standings"] == {"kept": 2, "broken": 1, "broken, known": 1, "not shown": 1}
    assert footer["verdicts"]["fail"] == 2
    assert footer["exit_code"] == 1


def refused(file: Path) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_jsonl(file)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("number", "text", "line", "path", "message"),
    [
        (1, "{", 2, "$", "no JSON"),
        (1, "[" * 100_000, 2, "$", "no JSON"),
        (1, "NaN", 2, "$", "no JSON"),
        (1, "7", 2, "$.kind", "no such kind"),
        (1, '{"kind": "dream"}', 2, "$.kind", "no such kind"),
        (1, '{"kind": ["header"]}', 2, "$.kind", "no such kind"),
        (0, '{"kind": "scenario"}', 1, "$", "no report"),
        (0, '{"kind": "header"}', 1, "$", "`format` is missing"),
        (2, '{"kind": "capability", "name": "set", "claimed": 1, "verified": null, "note": ""}', 3, "$.claimed", "wrong type"),
    ],
)
def test_a_line_that_is_none(tmp_path: Path, number: int, text: str, line: int, path: str, message: str) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(FULL, file)
    found = file.read_text(encoding="ascii").splitlines()
    found[number] = text
    file.write_text("\n".join(found) + "\n", encoding="ascii")
    error = refused(file)
    assert (error.line, error.path) == (line, path)
    assert message in error.message


def test_a_verdict_that_there_is_none(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(GOOD, file)
    file.write_text(file.read_text(encoding="ascii").replace('"verdict": "pass"', '"verdict": "splendid"'), encoding="ascii")
    error = refused(file)
    assert (error.line, error.path) == (2, "$.verdict")


def test_what_a_file_says_does_not_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(GOOD, file)
    text = file.read_text(encoding="ascii").replace('"verdict": "pass"', '"verdict": "\\u001b[2J"')
    file.write_text(text.replace('"options": {}', '"options": {"\\u001b[2J": []}'), encoding="ascii")
    error = refused(file)
    assert "\x1b" not in error.message + error.hint + error.path
    with pytest.raises(DocumentError) as caught:
        merge({"a": GOOD, "b": HOSTILE}, None, TODAY)
    assert "\x1b" not in caught.value.message


def test_a_report_without_its_footer_is_none(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(replace(FULL, asked=99), file)
    whole = file.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    # After every line but the last, and in the midst of one.
    for cut in (*ends[:-1], ends[3] + 20, len(whole) - 2):
        file.write_bytes(whole[:cut])
        assert "no footer" in refused(file).message
    file.write_bytes(whole[: ends[3]])
    assert "3 of 99 scenarios" in refused(file).hint
    file.write_bytes(b"")
    assert "empty" in refused(file).message


def test_a_report_that_was_changed_is_none(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    write_jsonl(FULL, file)
    text = file.read_text(encoding="ascii")
    file.write_text(text.replace('"standing": "broken"', '"standing": "kept"'), encoding="ascii")
    assert "not those that were written" in refused(file).message
    first, *others = text.splitlines(keepends=True)
    file.write_text("".join([first, *others[1:]]), encoding="ascii")
    assert "lines stand before the footer" in refused(file).message
    file.write_text(text + text, encoding="ascii")
    assert "after the footer" in refused(file).message
    file.write_text(first + text, encoding="ascii")
    assert "second header" in refused(file).message


def test_results_are_saved_as_they_come(tmp_path: Path) -> None:
    file, part = tmp_path / "report.jsonl", tmp_path / "report.jsonl.part"
    writer = JsonlWriter(file)
    writer.header(replace(FULL, results=()))
    writer.result(FULL.results[0])
    assert [line["kind"] for line in lines(part)] == ["header", "scenario"]
    assert not file.exists()
    writer.result(FULL.results[1])
    writer.close(FULL)
    assert read_jsonl(file) == FULL
    assert not part.exists()


def test_what_came_before_a_crash_stays(tmp_path: Path) -> None:
    file, part = tmp_path / "report.jsonl", tmp_path / "report.jsonl.part"
    write_jsonl(GOOD, file)
    writer = JsonlWriter(file)
    writer.header(FULL)
    writer.result(FULL.results[0])
    writer.abandon()
    assert len(lines(part)) == 2
    assert f"1 of {FULL.asked} scenarios" in refused(part).hint
    # The report of the run before is as it was.
    assert read_jsonl(file) == GOOD


def test_a_run_that_was_cut_short_says_so(tmp_path: Path) -> None:
    cut = replace(GOOD, complete=False, asked=7)
    writer = JsonlWriter(tmp_path / "report.jsonl")
    writer.header(cut)
    writer.close(cut)
    found = read_jsonl(tmp_path / "report.jsonl")
    assert (found.complete, found.exit_code) == (False, 2)
    assert "not whole" in conclusion(found)


# ---- words -------------------------------------------------------------------------------------------------------------


def test_the_fraction_is_told_and_never_a_bare_yes() -> None:
    assert fraction(FULL) == "2 of 5 clauses kept, 1 broken, 1 known to be broken, 1 not shown"
    assert fraction(GOOD) == "1 of 1 clause kept"
    assert fraction(run()) == "no clause was tested"
    assert fraction(FULL, "qdan") == "no clause was tested"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (GOOD, "conforms: every clause is kept"),
        (replace(GOOD, shard="1/2"), "conforms in the part that was tested (shard 1/2): every clause is kept"),
        (replace(GOOD, clauses=(clause("AN-14", Standing.KNOWN),)), "nothing is broken but what is known to be"),
        (replace(GOOD, clauses=(clause("AN-14", Standing.NOT_SHOWN),)), "incomplete: nothing is broken, but 1 clause was not shown"),
        (replace(GOOD, complete=False), "incomplete: nothing is broken, but the run is not whole"),
        (run(), "incomplete: nothing is broken, but no clause was tested"),
        (replace(GOOD, problems=("x",)), "does not conform: 1 problem with the files of the run"),
        (FULL, "does not conform: 1 clause is broken and 1 problem with the files of the run"),
    ],
)
def test_the_conclusion(told: Run, says: str) -> None:
    assert conclusion(told) == says


def test_foreign_text_is_made_harmless() -> None:
    shown = one_line("a\x1b[2J\nb\u202ec\ud800\x00")
    assert shown == "a\\x1b[2J\\x0ab\\u202ec\\ud800\\x00"
    assert one_line("x" * 50, 10) == "xxxxxxxxxx… (40 characters more)"
    assert one_line("é ludo ♟ लूडो") == "é ludo ♟ लूडो"


# ---- failures ----------------------------------------------------------------------------------------------------------


def test_a_failure_is_looked_at_closely() -> None:
    seen = look(FULL, FULL.results[0])
    assert [d.label for d in seen.boards] == ["before", "expected", "found"]
    assert "".join(text for text, _ in seen.expected) == AFTER
    assert "".join(text for text, _ in seen.found) == WRONG
    assert [text for text, differs in seen.expected if differs] == ["Y", "red"]
    assert [text for text, differs in seen.found if differs] == ["49", "yellow"]
    # Rivals cannot stand together on that square, and the position is compared and drawn all the same.
    assert seen.differences == ("yellow: 49 instead of Y", "turn: yellow instead of red")
    assert seen.did == "roll 3, move 20>23"
    assert seen.command == "ludo conform exec:./engine --id amarnepal/capture/single"
    assert "captures every one of them" in seen.rules[0].text


def test_only_what_decides_the_game_is_told_as_a_difference() -> None:
    """Fields and pieces in another order, and a roll owed that would be owed anyway, are the same position."""
    written = "turn=yellow yellow=Y,Y,Y,Y red=Y,23,Y,Y owed=1"
    seen = look(FULL, result("capture/single", Verdict.FAIL, replace(CAPTURE, found=written)))
    assert seen.differences == ("turn: yellow instead of red",)
    assert [text for text, differs in seen.found if differs] == ["yellow"]
    # The pieces are those that were expected: there is nothing to see on a second board.
    assert [d.label for d in seen.boards] == ["before"]


def test_the_order_of_pieces_is_no_difference_even_in_a_position_that_cannot_be() -> None:
    written = "red=Y,23,Y,Y yellow=Y,Y,Y,49 turn=red"
    seen = look(FULL, result("capture/single", Verdict.FAIL, replace(CAPTURE, found=written)))
    assert seen.differences == ("yellow: 49 instead of Y",)


def test_why_a_position_could_not_be_read_is_told_beside_it() -> None:
    seen = look(FULL, result("capture/single", Verdict.FAIL, replace(CAPTURE, found=f"{WRONG} (nobody can stand there)")))
    assert "".join(text for text, _ in seen.found) == WRONG
    assert seen.differences[-1] == "nobody can stand there"
    assert [d.label for d in seen.boards] == ["before", "expected", "found"]


def test_legal_moves_that_differ_are_marked() -> None:
    miss = replace(CAPTURE, what=What.LEGAL, doing="roll 6", expected="20>26, Y>0", found="20>26, 20>27")
    seen = look(FULL, result("capture/none", Verdict.FAIL, miss))
    assert [text for text, differs in seen.expected if differs] == ["Y>0"]
    assert [text for text, differs in seen.found if differs] == ["20>27"]
    assert seen.differences == ("left out: Y>0", "not legal: 20>27")
    assert [d.label for d in seen.boards] == ["before"]
    assert seen.did == "roll 6"


def test_of_several_readings_the_one_that_the_engine_takes_is_shown() -> None:
    other = replace(CAPTURE, found=BEFORE)
    branches = (BranchPlayed((("sixes", ("in-a-row",)),), other), BranchPlayed((("sixes", ("in-turn",)),), CAPTURE))
    seen = look(FULL, result("capture/open", Verdict.FAIL, branches=branches))
    assert seen.reading == "sixes=in-turn"
    assert "".join(text for text, _ in seen.found) == WRONG


def test_the_rules_own_sentence_is_that_of_the_rule_and_else_of_the_register() -> None:
    assert sentence("amarnepal", "AN-12").startswith("A token that gets into the centre earns another roll.")
    # AN-26 is an option that is off by default: no sentence is in force, and the register tells.
    assert "earns no extra roll" in sentence("amarnepal", "AN-26")
    assert sentence("no-such-book", "XX-99") == ""


def test_a_suite_and_a_rule_book_of_ones_own_are_found_by_the_command(tmp_path: Path) -> None:
    book, suite = tmp_path / "my-house.ludo", tmp_path / "suite.yaml"
    book.write_text('variant my-house "My House" extends amarnepal\n', encoding="utf-8")
    miss = replace(CAPTURE, where="2")
    own = result("capture/own", Verdict.FAIL, miss, id="my-house/capture/own", variant="my-house", title="A capture.", clauses=("capture",))
    head = "- id: my-house/capture/own\n  title: A capture.\n  variant: my-house\n  players: 2\n  clauses: [capture]\n"
    steps = f"  given: {BEFORE}\n  steps:\n    - roll: 3\n    - move: 20>23\n      then: {AFTER}\n"
    suite.write_text(head + steps, encoding="utf-8")
    command = f"ludo conform exec:./engine --suite {suite} --variant={book} --timeout 2 --html x.html"
    seen = look(run(own, command=command), own)
    assert seen.command == f"ludo conform exec:./engine --suite {suite} --variant {book} --timeout 2 --id my-house/capture/own"
    assert seen.did == "roll 3, move 20>23"
    assert "captures every one of them" in seen.rules[0].text
    assert [d.label for d in seen.boards] == ["before", "expected", "found"]
    # Elsewhere, where there are no such files, there is less to be told.
    seen = look(run(own), own)
    assert (seen.did, seen.boards, seen.rules[0].text) == ("move 20>23", (), "")


def test_a_command_can_be_copied_into_a_shell() -> None:
    told = run(engine="exec:./engine --fast", command="ludo conform 'exec:./engine --fast' --variant amarnepal --shard 1/2 'unended")
    assert look(told, result("capture/a")).command == "ludo conform 'exec:./engine --fast' --id amarnepal/capture/a"


# ---- the terminal --------------------------------------------------------------------------------------------------------


def test_the_terminal_shows_what_matters() -> None:
    text = printed(FULL)
    said = " ".join(text.split())
    assert "amarnepal: 2 of 5 clauses kept, 1 broken, 1 known to be broken, 1 not shown" in said
    assert "sixes=in-turn (shown by 3 scenarios; against it 1 scenario)" in said
    assert "not shown AN-12 (1 not played)" in said
    assert "by games AN-09" in said
    assert "legal: claimed, NOT borne out (left out `Y>0`)" in said
    assert "done roll 3, move 20>23" in said
    assert f"expected {AFTER}" in said
    assert f"found {WRONG}" in said
    assert "differs yellow: 49 instead of Y" in said
    assert "again ludo conform exec:./engine --id amarnepal/capture/single" in said
    assert "clockwise" in text
    assert said.endswith("does not conform: 1 clause is broken and 1 problem with the files of the run")


@pytest.mark.parametrize("told", RUNS)
def test_without_a_terminal_it_is_plain_and_80_columns_wide(told: Run) -> None:
    text = printed(told, width=300)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\u202e]", text)
    wide = [line for line in text.splitlines() if len(line) > 80 and not line.startswith("  again ")]
    assert wide == []
    assert text == printed(told)


def test_ten_failures_are_shown_and_the_others_counted() -> None:
    many = run(*(result(f"capture/n{i}", Verdict.FAIL, CAPTURE) for i in range(13)))
    text = printed(many)
    assert text.count("  again ") == 10
    assert "3 others" in text


def test_a_terminal_without_unicode() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    show(FULL, Console(file=out))
    out.flush()
    assert b"clockwise" in raw.getvalue()


# ---- HTML --------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The page as a browser takes it: elements that stay open, attributes, text."""

    VOID = ("meta", "link", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif not self.open or self.open[-1] != "style":
            self.text += data


def page(told: Run, folder: Path) -> Page:
    write_html(told, folder / "report.html")
    found = Page((folder / "report.html").read_text(encoding="utf-8"))
    assert found.open == []
    return found


@pytest.mark.parametrize("told", RUNS)
def test_the_page_needs_nothing_outside_it(told: Run, tmp_path: Path) -> None:
    found = page(told, tmp_path)
    links = [v for name, v in found.attributes if name in ("href", "src", "srcset", "action", "data", "poster", "xlink:href")]
    assert all(link.startswith("#") or link == "data:," for link in links)
    style = (tmp_path / "report.html").read_text(encoding="utf-8").partition("<style>")[2].partition("</style>")[0]
    assert "@import" not in style
    assert "url(" not in style
    assert not [name for name, _ in found.attributes if name.startswith("on")]


@pytest.mark.parametrize("told", RUNS)
def test_one_script_is_allowed_and_it_is_ours(told: Run, tmp_path: Path) -> None:
    found = page(told, tmp_path)
    assert found.tags.count("script") == 1
    (policy,) = [v for name, v in found.attributes if "default-src" in v]
    digest = base64.b64encode(hashlib.sha256("".join(found.scripts).encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_what_an_engine_says_is_text_and_nothing_else(tmp_path: Path) -> None:
    text = page(HOSTILE, tmp_path).text
    assert "<script>alert('x')</script>" in text
    assert "{{ 7*7 }}" in text
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e\ud800-\udfff]", text)
    assert LONG not in text


def test_the_page_tells_all(tmp_path: Path) -> None:
    found = page(FULL, tmp_path)
    said = " ".join(found.text.split())
    assert "2 of 5 clauses kept, 1 broken, 1 known to be broken, 1 not shown" in said
    assert "does not conform: 1 clause is broken" in said
    assert "ludo conform exec:./engine --id amarnepal/capture/single" in said
    assert "sixes=in-turn (shown by 3 scenarios; against it 1 scenario)" in said
    assert "watched games" in said
    assert all(r.id in said for r in FULL.results)
    assert all(c.clause in said for c in FULL.clauses)
    assert found.tags.count("mark") == 4
    # Before, expected and found of the one failure that has positions.
    assert found.tags.count("svg") == 3


def test_links_lead_somewhere(tmp_path: Path) -> None:
    found = page(FULL, tmp_path)
    ids = [value for name, value in found.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {v[1:] for name, v in found.attributes if name == "href" and v.startswith("#")} <= set(ids)


# ---- JUnit XML -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", RUNS)
def test_junit_is_well_formed(told: Run, tmp_path: Path) -> None:
    write_junit(told, tmp_path / "junit.xml")
    root = ET.parse(tmp_path / "junit.xml").getroot()
    cases = list(root.iter("testcase"))
    assert root.get("tests") == str(len(cases))
    assert {c.get("name") for c in cases} >= {one_line(r.id, 300) for r in told.results if r.variant in told.variants}


def test_junit_sorts_verdicts(tmp_path: Path) -> None:
    write_junit(FULL, tmp_path / "junit.xml")
    root = ET.parse(tmp_path / "junit.xml").getroot()
    outcome = {c.get("name"): [e.tag for e in c if e.tag != "system-out"] for c in root.iter("testcase")}
    for verdict, tag in {
        Verdict.PASS: [],
        Verdict.READING: [],
        Verdict.OTHER_READING: ["skipped"],
        Verdict.UNSUPPORTED: ["skipped"],
        Verdict.EXPECTED_FAILURE: ["skipped"],
        Verdict.FAIL: ["failure"],
        Verdict.INCONSISTENT: ["failure"],
        Verdict.UNEXPECTED_PASS: ["failure"],
        Verdict.CRASH: ["error"],
        Verdict.TIMEOUT: ["error"],
        Verdict.PROTOCOL_ERROR: ["error"],
    }.items():
        assert outcome[f"amarnepal/moving/{verdict.name.lower().replace('_', '-')}"] == tag
    suite = root.find("testsuite[@name='amarnepal']")
    assert suite is not None
    # Fail twice, inconsistent, unexpected pass, and the fault of a watched game.
    assert (suite.get("failures"), suite.get("errors"), suite.get("skipped")) == ("5", "3", "3")
    case = root.find(".//testcase[@name='amarnepal/capture/single']")
    assert case is not None
    assert (case.get("classname"), case.get("time")) == ("amarnepal.capture", "0.500")
    assert WRONG in "".join(case.itertext())
    # A stale entry of the known failures fails the run, and so it does here.
    assert root.find("testsuite[@name='run']/testcase/failure") is not None


def test_junit_of_a_run_that_was_cut_short_is_not_all_well(tmp_path: Path) -> None:
    write_junit(replace(GOOD, complete=False), tmp_path / "junit.xml")
    assert ET.parse(tmp_path / "junit.xml").getroot().get("errors") == "1"


# ---- badges --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "message", "colour"),
    [
        (GOOD, "1/1 clauses", "brightgreen"),
        (FULL, "2/5 clauses, 1 broken", "red"),
        (replace(GOOD, problems=("x",)), "1/1 clauses", "red"),
        (replace(GOOD, clauses=(clause("AN-14"), clause("AN-12", Standing.NOT_SHOWN))), "1/2 clauses", "yellow"),
        (replace(GOOD, clauses=(clause("AN-14"), clause("AN-12", Standing.KNOWN))), "1/2 clauses", "yellowgreen"),
        (replace(GOOD, shard="1/2"), "1/1 clauses, in part", "yellow"),
        (replace(GOOD, complete=False), "1/1 clauses, incomplete", "yellow"),
        (run(), "nothing shown", "lightgrey"),
    ],
)
def test_a_badge_is_green_only_for_an_engine_that_conforms(told: Run, message: str, colour: str, tmp_path: Path) -> None:
    write_badge(told, tmp_path / "badge.json")
    expected = {"schemaVersion": 1, "label": "ludo amarnepal", "message": message, "color": colour}
    assert json.loads((tmp_path / "badge.json").read_text(encoding="ascii")) == expected
    write_badge(told, tmp_path / "badge.svg")
    texts = [e.text for e in ET.parse(tmp_path / "badge.svg").getroot().iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["ludo amarnepal", message]


def test_a_badge_of_several_variants_and_of_a_hostile_name(tmp_path: Path) -> None:
    assert badge_json(replace(GOOD, variants=("amarnepal", "qdan")))["label"] == "ludo rules"
    assert badge_json(run(variants=("books/my-house.ludo",)))["label"] == "ludo my-house"
    write_badge(run(variants=(NASTY,)), tmp_path / "badge.svg")
    assert ET.parse(tmp_path / "badge.svg").getroot().find("{http://www.w3.org/2000/svg}script") is None


def test_a_badge_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.svg or \.json"):
        write_badge(GOOD, tmp_path / "badge.png")


# ---- merging -------------------------------------------------------------------------------------------------------------


def shard(number: int, of: int, *results: Any, **more: Any) -> Run:
    return run(*results, shard=f"{number}/{of}", **more)


def test_shards_make_a_whole() -> None:
    """All clauses of the register count in the whole, and only those that are cited in a part."""
    one, other = shard(1, 2, result("capture/a")), shard(2, 2, result("capture/b", clauses=("AN-12",)))
    merged = merge({"a": one, "b": other}, None, TODAY)
    assert merged.notes == ()
    assert (merged.run.shard, merged.run.complete, merged.run.asked) == ("", True, 2)
    assert [r.id for r in merged.run.results] == ["amarnepal/capture/a", "amarnepal/capture/b"]
    # 14 of play, 4 of the setup, 3 options and 2 of the score are in the register.
    assert sum(merged.run.counts().values()) == 14 + 4 + 3 + 2
    assert merged.run.counts()[Standing.KEPT] == 2


def test_a_missing_shard_leaves_the_run_incomplete() -> None:
    parts = {"a": shard(1, 4, result("capture/a")), "b": shard(3, 4, result("capture/b"))}
    merged = merge(parts, None, TODAY)
    assert merged.notes == ("missing: shard 2, 4",)
    assert (merged.run.shard, merged.run.complete, merged.run.exit_code) == ("1,3/4", False, 2)
    whole = merge({"ab": merged.run, "c": shard(2, 4), "d": shard(4, 4)}, None, TODAY)
    assert whole.run.shard == ""


def test_readings_are_settled_over_all_parts() -> None:
    """Two scenarios of two shards that show two readings: neither shard alone can see it."""

    def shows(name: str, value: str) -> Any:
        other = "in-turn" if value == "in-a-row" else "in-a-row"
        branches = (BranchPlayed((("sixes", (value,)),), None), BranchPlayed((("sixes", (other,)),), CAPTURE))
        return result(name, Verdict.READING, branches=branches)

    one = shard(1, 2, shows("bonus/a", "in-a-row"), shows("bonus/b", "in-a-row"))
    merged = merge({"a": one, "b": shard(2, 2, shows("bonus/c", "in-turn"))}, None, TODAY).run
    assert [(r.question, r.value, r.against) for r in merged.readings] == [("sixes", "in-a-row", ("amarnepal/bonus/c",))]
    assert [str(r.verdict) for r in merged.results] == ["pass under a reading", "pass under a reading", "inconsistent"]
    assert merged.exit_code == 1


def test_a_scenario_twice() -> None:
    good, bad = result("capture/a"), result("capture/a", Verdict.FAIL, CAPTURE)
    assert merge({"a": run(good), "b": run(good)}, None, TODAY).run.problems == ()
    for parts in ({"a": run(good), "b": run(bad)}, {"a": run(bad), "b": run(good)}):
        merged = merge(parts, None, TODAY).run
        assert [r.verdict for r in merged.results] == [Verdict.FAIL]
        (problem,) = merged.problems
        assert "amarnepal/capture/a" in problem
        assert merged.exit_code == 1


def test_known_failures_are_excused_again() -> None:
    failed = result("capture/a", Verdict.EXPECTED_FAILURE, CAPTURE, note="known until 2027-01-31: soon\nseen: fail")
    entry = Entry("clause", "AN-14", "soon", date(2027, 1, 31), "known.yaml:1")
    merged = merge({"a": run(failed)}, Known((entry,)), TODAY)
    assert [r.verdict for r in merged.run.results] == [Verdict.EXPECTED_FAILURE]
    assert merged.notes == ()
    merged = merge({"a": run(failed)}, None, TODAY)
    assert [r.verdict for r in merged.run.results] == [Verdict.FAIL]
    assert "--known" in merged.notes[0]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"engine": "exec:./other"}, "$.engine"),
        ({"version": "0.4"}, "$.version"),
        ({"suite": "2"}, "$.suite"),
        ({"seed": 5}, "$.seed"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(more: dict[str, Any], path: str) -> None:
    with pytest.raises(DocumentError) as caught:
        merge({"a": GOOD, "b": replace(GOOD, **more)}, None, TODAY)
    assert (caught.value.file, caught.value.path) == ("b", path)
    assert caught.value.hint


def test_shards_of_another_cut_are_not_merged() -> None:
    with pytest.raises(DocumentError) as caught:
        merge({"a": shard(1, 2), "b": shard(2, 3)}, None, TODAY)
    assert (caught.value.file, caught.value.path) == ("b", "$.shard")


# ---- comparing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "group", "worse"),
    [
        (Standing.KEPT, Standing.BROKEN, "newly_broken", True),
        (Standing.KEPT, Standing.KNOWN, "newly_broken", True),
        (Standing.NOT_SHOWN, Standing.BROKEN, "newly_broken", True),
        (Standing.NOT_SHOWN, Standing.KNOWN, "newly_broken", True),
        (Standing.KNOWN, Standing.BROKEN, "newly_broken", True),
        (Standing.KEPT, Standing.NOT_SHOWN, "no_longer_shown", True),
        (Standing.BROKEN, Standing.NOT_SHOWN, "no_longer_shown", False),
        (Standing.BROKEN, Standing.KEPT, "newly_kept", False),
        (Standing.NOT_SHOWN, Standing.KEPT, "newly_kept", False),
        (Standing.BROKEN, Standing.KNOWN, "other_clauses", False),
    ],
)
def test_a_clause_that_stands_otherwise(before: Standing, after: Standing, group: str, worse: bool) -> None:
    found = compare(run(clauses=(clause("AN-14", before),)), run(clauses=(clause("AN-14", after),)))
    (change,) = getattr(found, group)
    assert (change.before, change.after, change.worse) == (before, after, worse)
    assert (len(found.clauses), found.worse) == (1, worse)


def test_what_only_one_run_tells_of_makes_nothing_worse() -> None:
    bad = result("capture/b", Verdict.FAIL, CAPTURE)
    found = compare(GOOD, run(bad, clauses=(clause("AN-12", Standing.BROKEN),)))
    assert [(c.id, c.before, c.after) for c in found.clauses] == [("AN-12", None, "broken"), ("AN-14", "kept", None)]
    assert [(c.before, c.after) for c in found.scenarios] == [(None, "fail"), ("pass", None)]
    assert not found.worse


@pytest.mark.parametrize(
    ("before", "after", "worse"),
    [
        (Verdict.PASS, Verdict.FAIL, True),
        (Verdict.READING, Verdict.CRASH, True),
        (Verdict.PASS, Verdict.UNSUPPORTED, True),
        (Verdict.READING, Verdict.OTHER_READING, False),
        (Verdict.FAIL, Verdict.PASS, False),
        (Verdict.FAIL, Verdict.CRASH, False),
    ],
)
def test_a_scenario_that_goes_otherwise(before: Verdict, after: Verdict, worse: bool) -> None:
    found = compare(run(result("a/b", before)), run(result("a/b", after)))
    assert [(c.before, c.after, c.worse) for c in found.scenarios] == [(before, after, worse)]


def test_a_run_compared_with_itself() -> None:
    found = compare(FULL, FULL)
    assert not found.worse
    assert not found.clauses
    assert not found.scenarios
    assert not found.readings


def test_readings_that_differ() -> None:
    other = replace(FULL, readings=(replace(FULL.readings[0], value="in-a-row"),))
    assert [(r.question, r.before, r.after) for r in compare(FULL, other).readings] == [("sixes", "in-turn", "in-a-row")]
    assert [(r.before, r.after) for r in compare(FULL, GOOD).readings] == [("in-turn", None)]
