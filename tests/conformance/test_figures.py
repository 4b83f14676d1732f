"""The figures of the page on adequacy are those of the committed files."""

from __future__ import annotations

import re

from ludo_dsl.conformance.mutation.files import read_matrix, reasons_of
from ludo_dsl.conformance.scenarios.suite import read_suite
from ludo_dsl.resources import spec_path


def test_the_page_tells_how_many_mutants_are_noticed() -> None:
    text = spec_path("language", "adequacy.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    suite = read_suite()
    found = []
    for variant in suite.variants:
        matrix = read_matrix(variant)
        assert matrix is not None
        noticed = sum(1 for killers in matrix.killers.values() if killers)
        reasons = len(reasons_of(variant))
        scenarios = sum(1 for s in suite if s.variant == variant)
        found.append((variant, *(str(n) for n in (scenarios, len(matrix.killers), noticed, reasons))))
    assert told == found
