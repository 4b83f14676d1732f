"""`ludo report`: reports shown, merged and compared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ludo_dsl.conformance.reports import read_jsonl, write_jsonl
from ludo_dsl.conformance.running.verdicts import Run, Standing, Verdict
from tests.cli.conftest import Ludo
from tests.conformance.runs import CAPTURE, FULL, GOOD, HOSTILE, clause, result, run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(told: Run, name: str = "report.jsonl") -> str:
    write_jsonl(told, Path(name))
    return name


def test_a_report_is_shown(ludo: Ludo, folder: Path) -> None:
    answer = ludo("report", "show", written(FULL))
    assert answer.code == 0
    assert "amarnepal: 2 of 5 clauses kept" in answer.out
    assert "again       ludo conform exec:./engine --id amarnepal/capture/single" in answer.out
    assert answer.err == ""


def test_a_report_in_short_as_json(ludo: Ludo, folder: Path) -> None:
    found = ludo("report", "show", written(FULL), "--json").json("report-show")
    assert (found["exit_code"], found["complete"], found["notes"]) == (1, True, [])
    (variant,) = found["variants"]
    assert (variant["clauses"], variant["kept"], variant["broken"], variant["known"], variant["not_shown"]) == (5, 2, 1, 1, ["AN-12"])
    first = found["failures"][0]
    assert (first["id"], first["expected"], first["position"]) == ("amarnepal/capture/single", CAPTURE.expected, CAPTURE.position)
    # Fail twice; one each of inconsistent, unexpected pass, crash, timeout, protocol error and expected failure.
    assert len(found["failures"]) == 2 + 6
    ludo("report", "show", written(HOSTILE), "--json").json("report-show")


def test_a_report_in_other_forms(ludo: Ludo, folder: Path) -> None:
    answer = ludo("report", "show", written(FULL), "--html", "r.html", "--junit", "r.xml", "--badge", "r.svg")
    assert answer.code == 0
    assert answer.err.splitlines() == ["written: r.html", "written: r.xml", "written: r.svg"]
    assert (folder / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (folder / "r.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert (folder / "r.svg").read_text(encoding="utf-8").startswith("<svg")
    assert ludo("report", "show", "report.jsonl", "--badge", "b.json", "--json").code == 0
    assert json.loads((folder / "b.json").read_text(encoding="utf-8"))["message"] == "2/5 clauses, 1 broken"


def test_bad_usage(ludo: Ludo, folder: Path) -> None:
    file = written(GOOD)
    for args in (["show"], ["show", file, "--badge", "b.png"], ["merge", "-o", "x"], ["merge", file], ["compare", file], ["paint", file]):
        answer = ludo("report", *args)
        assert answer.code == 2, args
        assert "error: " in answer.err


def test_files_that_are_no_reports(ludo: Ludo, folder: Path) -> None:
    good = written(GOOD)
    cut = Path("cut.jsonl")
    cut.write_bytes(Path(good).read_bytes()[:-40])
    Path("other.txt").write_text("nothing\n", encoding="utf-8")
    for bad, said in (("cut.jsonl", "no footer"), ("other.txt", "other.txt:1: this is no JSON"), ("none.jsonl", "none.jsonl")):
        for args in (["show", bad], ["merge", good, bad, "-o", "m.jsonl"], ["compare", good, bad]):
            answer = ludo("report", *args)
            assert answer.code == 3, args
            assert said in answer.err
            answer = ludo("report", *args, "--json")
            assert answer.code == 3
            assert said in answer.json("error")["error"]
    assert not Path("m.jsonl").exists()


def test_shards_are_merged(ludo: Ludo, folder: Path) -> None:
    one = written(run(result("capture/a"), shard="1/2"), "1.jsonl")
    answer = ludo("report", "merge", one, "-o", "all.jsonl")
    assert answer.code == 2
    assert "note: missing: shard 2" in answer.out
    other = written(run(result("capture/b", Verdict.FAIL, CAPTURE), shard="2/2"), "2.jsonl")
    answer = ludo("report", "merge", one, other, "-o", "all.jsonl", "--json")
    assert answer.code == 1
    assert answer.json("report-show")["shard"] == ""
    assert [r.id for r in read_jsonl(Path("all.jsonl")).results] == ["amarnepal/capture/a", "amarnepal/capture/b"]


def test_merging_with_known_failures(ludo: Ludo, folder: Path) -> None:
    failed = result("capture/a", Verdict.EXPECTED_FAILURE, CAPTURE, note="known until 2999-01-31: soon\nseen: fail")
    file = written(run(failed, scope="area capture"))
    answer = ludo("report", "merge", file, "-o", "all.jsonl")
    assert (answer.code, "--known" in answer.out) == (1, True)
    Path("known.yaml").write_text("- clause: AN-14\n  reason: soon\n  until: 2999-01-31\n", encoding="utf-8")
    answer = ludo("report", "merge", file, "-o", "all.jsonl", "--known", "known.yaml")
    assert answer.code == 0
    assert "1 known to be broken" in answer.out


def test_reports_of_two_engines_are_not_merged(ludo: Ludo, folder: Path) -> None:
    answer = ludo("report", "merge", written(GOOD), written(replace(GOOD, engine="exec:./other"), "o.jsonl"), "-o", "all.jsonl")
    assert answer.code == 3
    assert "o.jsonl:1: $.engine: the engine is `exec:./other`, and in report.jsonl it is `exec:./engine`" in answer.err
    assert not Path("all.jsonl").exists()


def test_reports_are_compared(ludo: Ludo, folder: Path) -> None:
    before = written(GOOD, "a.jsonl")
    worse = run(result("capture/single", Verdict.FAIL, CAPTURE), clauses=(clause("AN-14", Standing.BROKEN),), version="0.4")
    after = written(worse, "b.jsonl")
    answer = ludo("report", "compare", before, after)
    assert answer.code == 1
    assert answer.out.splitlines() == [
        "before: engine 0.3, suite 1: 1 of 1 clause kept",
        "after: engine 0.4, suite 1: 0 of 1 clause kept, 1 broken",
        "",
        "newly broken: 1",
        "  amarnepal AN-14: kept -> broken  (worse)",
        "",
        "scenarios: 1",
        "  amarnepal/capture/single: pass -> fail  (worse)",
        "",
        "worse: 1 clause, 1 scenario",
    ]
    found = ludo("report", "compare", before, after, "--json").json("report-compare")
    assert found["worse"]
    assert [c["id"] for c in found["newly_broken"]] == ["AN-14"]
    answer = ludo("report", "compare", after, before)
    assert (answer.code, answer.out.splitlines()[-1]) == (0, "nothing got worse")
    answer = ludo("report", "compare", after, after)
    assert (answer.code, answer.out.splitlines()[-1]) == (0, "nothing is otherwise")
    ludo("report", "compare", before, written(HOSTILE, "h.jsonl"), "--json").json("report-compare")
