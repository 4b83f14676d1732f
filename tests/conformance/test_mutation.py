"""Whether the suite notices: what counts as noticed, what does not, and that the committed matrices are what playing gives."""

from __future__ import annotations

import datetime
import random
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ludo_dsl.conformance.covering.dealt import dealt_sequences
from ludo_dsl.conformance.covering.views import views
from ludo_dsl.conformance.mutants import Mutant, mutants
from ludo_dsl.conformance.mutation import noticing
from ludo_dsl.conformance.mutation.files import Matrix, gate, read_matrix, read_reasons, reasons_of
from ludo_dsl.conformance.mutation.gate import Fate, checks_of, fate_of, mutate, ordered, sample
from ludo_dsl.conformance.mutation.noticing import BrokenError, MutantSubject, Sign, kills, sign_of
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Branch, Scenario, scenario_from, suite_folder
from ludo_dsl.documents import DocumentError
from ludo_dsl.rules.table import TableError

VARIANTS = sorted(p.name for p in suite_folder().iterdir())
TODAY = datetime.date.today().toordinal()


@cache
def of(variant: str) -> dict[str, Mutant]:
    return {m.id: m for m in mutants(book_of(variant))}


# Yellow's 49 is red's 49 + 26 - 52 = 23, a plain square; a capture earns a roll, so red goes on.
CAPTURE = {
    "id": "amarnepal/capture/plain",
    "title": "A piece that ends on a rival sends it home.",
    "variant": "amarnepal",
    "players": 2,
    "clauses": ["AN-14"],
    "given": "red=20,Y,Y,Y yellow=49,Y,Y,Y turn=red",
    "steps": [{"roll": 3}, {"move": "20>23", "then": "red=23,Y,Y,Y yellow=Y,Y,Y,Y turn=red"}],
}


def scenario(**changed: object) -> Scenario:
    return scenario_from({**CAPTURE, **changed})


def signed(variant: str, mutant: str, check: noticing.Check) -> Sign | None:
    return sign_of(check, MutantSubject(of(variant)[mutant]))


# ---- what counts as noticed ------------------------------------------------------------------------------------------


def test_a_scenario_notices_what_it_shows() -> None:
    assert signed("amarnepal", "drop/capture/1", scenario()) is Sign.MISS
    # That a star is elsewhere shows on 9 only, and nobody comes there.
    assert signed("amarnepal", "number/board/mark-star=8->9", scenario()) is None
    # Without the option an extra roll for a capture is always paid; the scenario needs it.
    assert signed("amarnepal", "option/capture-roll/stuck=off", scenario()) is Sign.MISS
    assert signed("amarnepal", "option/capture-roll/stuck=on", scenario()) is None


def test_a_scenario_that_fails_on_the_rule_book_itself_notices_nothing() -> None:
    """A wrong scenario fails on every mutant: that says nothing about them."""
    wrong = scenario(steps=[{"roll": 3}, {"move": "20>23", "then": "red=23,Y,Y,Y yellow=49,Y,Y,Y turn=red"}])
    assert signed("amarnepal", "face/leave-yard/1/die=6->die=5", wrong) is None
    assert signed("amarnepal", "option/capture-roll/stuck=off", wrong) is None


def test_rules_that_never_end_are_noticed() -> None:
    assert signed("amarnepal", "turn/without-end", scenario(steps=[{"roll": 2}, {"move": "20>22"}])) is Sign.ENDLESS


def test_whoever_takes_too_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = MutantSubject(of("amarnepal")["drop/capture/1"])
    monkeypatch.setattr(noticing, "PATIENCE", 0.05)
    monkeypatch.setattr(subject, "roll", lambda faces: time.sleep(30))
    assert sign_of(scenario(), subject) is Sign.ENDLESS


def test_a_table_that_is_not_offered_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TableError("nobody can play this")

    subject = MutantSubject(of("amarnepal")["drop/capture/1"])
    assert subject.differs(2, (), ())
    monkeypatch.setattr(noticing, "make_table", refuse)
    assert sign_of(scenario(), subject) is Sign.UNSUPPORTED


def test_that_our_interpreter_breaks_notices_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise IndexError("no such square")

    mutant = of("amarnepal")["drop/capture/1"]
    monkeypatch.setattr(MutantSubject, "roll", breaks)
    with pytest.raises(BrokenError, match="IndexError: no such square"):
        kills(scenario(), MutantSubject(mutant))
    fate = fate_of(mutant, [scenario()])
    assert (fate.killers, fate.broken) == ((), "amarnepal/capture/plain: IndexError: no such square")


def test_another_board_is_judged_by_what_it_writes() -> None:
    """A lane of four: from L4 a 1 leads home, where the rules have an L5; a position on the track alone is the same."""
    home = scenario(given="red=L3,Y,Y,Y yellow=Y,Y,Y,Y turn=red", steps=[{"roll": 2}, {"move": "L3>L5"}])
    assert signed("amarnepal", "number/board/lane=5->4", home) is Sign.MISS
    assert signed("amarnepal", "number/board/lane=5->4", scenario()) is None
    # With five pieces each, nobody can be set to a position of four.
    assert signed("amarnepal", "setup/players/pieces-4-in-yard->pieces-5-in-yard", scenario()) is Sign.MISS


def test_a_mutant_plays_under_every_reading_that_a_branch_leaves_open() -> None:
    """Two sixes that are not in a row: only where any three sixes of the turn lose it does a third one end the turn."""
    mutant = next(m for m in of("amarnepal").values() if m.id.startswith("drop/sixes") and m.id.endswith("/2"))
    subject = MutantSubject(mutant)
    steps = scenario().branches[0].steps
    taken = [dict(b.readings).get("sixes", ("in-a-row",))[0] for b in subject.under_readings(Branch((), steps))]
    assert taken == ["in-a-row", "in-turn"]
    both = Branch((("sixes", ("in-a-row", "in-turn")),), steps)
    assert [dict(b.readings)["sixes"][0] for b in subject.under_readings(both)] == ["in-a-row", "in-turn"]
    one = Branch((("sixes", ("in-turn",)),), steps)
    assert [dict(b.readings)["sixes"][0] for b in subject.under_readings(one)] == ["in-turn"]


def test_views_notice_what_is_shown() -> None:
    by_id = {v.id: v for v in views()}
    left_out = MutantSubject(of("ludo-cities")["sight/stars/hidden-1/left-out"])
    # `hidden` is in force only under the reading by which rivals do not see how far one has come.
    assert kills(by_id["ludo-cities/stars/own-alone"], left_out)
    assert not kills(by_id["ludo-cities/stars/existence"], left_out)
    secret = MutantSubject(of("ludo-cities")["sight/stars/secret-2/left-out"])
    assert kills(by_id["ludo-cities/stars/existence"], secret)
    assert not kills(by_id["ludo-cities/stars/own-alone"], secret)


def test_dealt_sequences_notice_other_dice() -> None:
    """Independent dice can have shown whatever a shoe cannot; the third six of a turn is forbidden all the same."""
    subject = MutantSubject(of("ludolive")["dice/dice/without-shoe"])
    found = {s.id for s in dealt_sequences() if kills(s, subject)}
    refuted = {s.id for s in dealt_sequences() if s.variant == "ludolive" and s.refuted is not None}
    assert found == refuted - {"ludolive/sixes/third", "ludolive/sixes/third-later"}
    no_six = MutantSubject(of("ludolive")["dice/dice/without-face-6"])
    by_id = {s.id: s for s in dealt_sequences()}
    assert kills(by_id["ludolive/sixes/two"], no_six)
    # That roll 3 cannot come is what a die without a six says too.
    assert not kills(by_id["ludolive/sixes/third"], no_six)


# ---- many ------------------------------------------------------------------------------------------------------------


def test_what_is_found_is_the_same_whatever_the_jobs() -> None:
    chosen = [of("amarnepal")[name] for name in ("drop/capture/1", "number/board/mark-star=8->9", "option/capture-roll/stuck=off")]
    checks = [scenario(), scenario(id="amarnepal/capture/other")]
    heard: list[tuple[int, int]] = []
    found = mutate(checks, chosen, jobs=1, progress=lambda done, total: heard.append((done, total)))
    both = ("amarnepal/capture/other", "amarnepal/capture/plain")
    assert found == [Fate(chosen[0].id, both), Fate(chosen[1].id, ()), Fate(chosen[2].id, both)]
    assert heard[-1] == (3, 3)
    assert mutate(checks, chosen, jobs=2) == found
    first = mutate(checks, chosen, jobs=2, until="first", hints={chosen[0].id: ("amarnepal/capture/other",)})
    assert [f.killers for f in first] == [both[:1], (), both[1:]]


def test_likely_checks_come_first() -> None:
    checks = [scenario(id="amarnepal/a/a", clauses=["AN-20"]), scenario(), scenario(id="amarnepal/b/b", clauses=[])]
    mutant = of("amarnepal")["drop/capture/1"]
    assert [c.id for c in ordered(mutant, checks, ["amarnepal/b/b"])] == ["amarnepal/b/b", "amarnepal/capture/plain", "amarnepal/a/a"]


def test_a_sample_is_drawn_by_its_seed() -> None:
    every = tuple(of("amarnepal").values())
    assert sample(every, 10, 1) == sample(every, 10, 1) != sample(every, 10, 2)
    assert len({m.id for m in sample(every, 10, 1)}) == 10
    assert sample(every, 10_000, 1) == list(every)


def test_what_a_program_wrote_is_not_by_hand() -> None:
    assert not Fate("m", ("amarnepal/generated/x",)).by_hand
    assert Fate("m", ("amarnepal/capture/plain", "amarnepal/generated/x")).by_hand


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    fates = [Fate("b", ("v/a/y", "v/a/x")), Fate("a", ()), Fate("c", ("v/a/x",))]
    text = Matrix.of("v", fates).text()
    # The scenarios in order: v/a/x is bit 0, v/a/y bit 1.
    assert '"b": "3"' in text
    assert '"c": "1"' in text
    (tmp_path / "v.json").write_text(text, encoding="utf-8")
    read = read_matrix("v", tmp_path)
    assert read is not None
    assert read.killers == {"a": (), "b": ("v/a/x", "v/a/y"), "c": ("v/a/x",)}
    assert read_matrix("w", tmp_path) is None


def test_a_mutant_has_one_reason(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    text = "- mutants: [a, b]\n  reason: nobody ever comes there at all\n"
    path.write_text(text, encoding="utf-8")
    assert read_reasons(path) == {"a": "nobody ever comes there at all", "b": "nobody ever comes there at all"}
    path.write_text(text + text.replace("a, b", "b"), encoding="utf-8")
    with pytest.raises(DocumentError, match="`b` has a reason already"):
        read_reasons(path)


def test_the_gate() -> None:
    every = [replace(m, id=name) for m, name in zip(of("amarnepal").values(), "abc", strict=False)]
    fates = [Fate("a", ("x",)), Fate("b", ()), Fate("c", ())]
    found = gate(fates, {"a": "…", "b": "…", "d": "…"}, every)
    assert (found.survivors, found.refuted, found.unknown, found.holds) == (("c",), ("a",), ("d",), False)
    assert gate(fates, {"b": "…", "c": "…"}, every).holds


# ---- what is committed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_checks_have_ids_of_their_own(variant: str) -> None:
    ids = [c.id for c in checks_of(variant)]
    assert len(ids) == len(set(ids)) > 100


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_matrix_is_of_this_rule_book_and_this_suite(variant: str) -> None:
    """Written anew by `ludo mutate all --write`. The gate holds: what nothing notices has a reason, and nothing else has."""
    matrix = read_matrix(variant)
    assert matrix is not None, "there is no matrix: `ludo mutate all --write` makes it"
    assert set(matrix.killers) == set(of(variant))
    assert {k for killers in matrix.killers.values() for k in killers} <= {c.id for c in checks_of(variant)}
    fates = [Fate(mutant, killers) for mutant, killers in matrix.killers.items()]
    assert gate(fates, reasons_of(variant), tuple(of(variant).values())).holds


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_matrix_is_what_playing_gives(variant: str) -> None:
    """Some mutants each day, others tomorrow."""
    matrix = read_matrix(variant)
    assert matrix is not None
    drawn = random.Random(f"{variant}/{TODAY}").sample(sorted(of(variant)), 4)
    checks = checks_of(variant)
    for name in drawn:
        assert fate_of(of(variant)[name], checks) == Fate(name, tuple(sorted(matrix.killers[name]))), f"{name} on day {TODAY}"
