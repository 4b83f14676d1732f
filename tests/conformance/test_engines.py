"""The sample engines: short, and right as far as the suite can show, through the pipe."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from ludo_dsl.conformance.running.runner import conform
from ludo_dsl.conformance.running.verdicts import Standing
from ludo_dsl.conformance.scenarios.suite import read_suite
from ludo_dsl.conformance.talking.endpoints import connect
from ludo_dsl.resources import data_root

ENGINES = data_root() / "conformance" / "engines"

SAMPLES = {"amarnepal.py": sys.executable, "amarnepal.js": "node"}


@pytest.mark.parametrize("name", SAMPLES)
def test_it_has_under_250_lines(name: str) -> None:
    assert len((ENGINES / name).read_text(encoding="utf-8").splitlines()) < 250


def test_every_sample_is_here() -> None:
    assert {p.name for p in ENGINES.iterdir() if p.is_file() and p.suffix in (".py", ".js")} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_it_conforms(name: str) -> None:
    program = SAMPLES[name]
    if shutil.which(program) is None:
        pytest.skip(f"there is no {Path(program).name} here")
    run = conform(connect(f"exec:{program} {ENGINES / name}"), read_suite(), variants=("amarnepal",), jobs=1)
    assert [(c.clause, c.first_failure) for c in run.clauses if c.standing is not Standing.KEPT] == []
    assert run.exit_code == 0
    assert len(run.results) > 150
