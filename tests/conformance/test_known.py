"""Files of known failures: what may stand in them, and what is wrong with an entry."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ludo_dsl.conformance.running.known import Entry, Known, read_known
from ludo_dsl.conformance.scenarios.suite import Scenario, scenario_from
from ludo_dsl.documents import DocumentError


def read(folder: Path, text: str) -> Known:
    file = folder / "known.yaml"
    file.write_text(text, encoding="utf-8")
    return read_known(file)


def scenario() -> Scenario:
    return scenario_from(
        {
            "id": "my-house/moving/two-steps",
            "title": "A title.",
            "variant": "my-house",
            "players": 2,
            "clauses": ["two-steps"],
            "start": True,
            "steps": [{"roll": 2}],
        }
    )


def test_a_file(tmp_path: Path) -> None:
    text = """
- scenario: amarnepal/capture/whole-stack
  reason: the stack stays
    in the yard
  until: 2027-01-31
- {clause: AN-14, reason: not yet, until: 2027-02-01}
"""
    first, second = read(tmp_path, text).entries
    assert first == Entry("scenario", "amarnepal/capture/whole-stack", "the stack stays in the yard", date(2027, 1, 31))
    assert second == Entry("clause", "AN-14", "not yet", date(2027, 2, 1))
    assert (first.place, second.place) == (f"{tmp_path}/known.yaml:2", f"{tmp_path}/known.yaml:6")
    assert read(tmp_path, "[]").entries == ()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{clause: AN-14, until: 2027-01-31}", "`reason` is missing"),
        ("{clause: AN-14, reason: '  ', until: 2027-01-31}", "is not written as it should be"),
        ("{clause: AN-14, reason: why}", "`until` is missing"),
        ("{clause: AN-14, reason: why, until: 31.1.2027}", "`31.1.2027` is not written as it should be"),
        ("{clause: AN-14, reason: why, until: 2027-02-29}", "`2027-02-29` is no day"),
        ("{reason: why, until: 2027-01-31}", "`scenario` is missing"),
        ("{clause: AN-14, scenario: a/b/c, reason: why, until: 2027-01-31}", "not both"),
        ("{clauses: AN-14, reason: why, until: 2027-01-31}", "there is no `clauses` here"),
        ("{clause: AN 14, reason: why, until: 2027-01-31}", "`AN 14` is not written as it should be"),
    ],
)
def test_what_an_entry_cannot_be(tmp_path: Path, entry: str, message: str) -> None:
    with pytest.raises(DocumentError) as raised:
        read(tmp_path, f"# known failures\n- {entry}\n")
    assert message in raised.value.message
    assert raised.value.line == 2


def test_the_last_day_is_included() -> None:
    known = Known((Entry("clause", "AN-14", "why", date(2027, 1, 31), "known.yaml:1"),))
    assert known.in_force(date(2027, 1, 31)) == known.entries
    assert known.expired(date(2027, 1, 31)) == ()
    assert known.in_force(date(2027, 2, 1)) == ()
    assert len(known.expired(date(2027, 2, 1))) == 1


def test_entries_that_name_nothing() -> None:
    names = (
        ("scenario", "my-house/moving/two-steps"),
        ("scenario", "my-house/moving/two-step"),
        ("scenario", "other/area/thing"),
        ("clause", "two-steps"),
        ("clause", "AN-14"),
        ("clause", "AN-99"),
    )
    known = Known(tuple(Entry(kind, name, "why", date(2027, 1, 31), f"known.yaml:{i}") for i, (kind, name) in enumerate(names)))  # type: ignore[arg-type]
    told = known.strangers([scenario()])
    assert told[:2] == (
        "known.yaml:1: there is no scenario `my-house/moving/two-step`: did you mean `my-house/moving/two-steps`?",
        "known.yaml:2: there is no scenario `other/area/thing`: take the entry out",
    )
    assert told[2].startswith("known.yaml:5: there is no clause `AN-99`: did you mean `AN-")
    assert len(told) == 3
