"""Reports of a run: for the terminal, for programs (JSON Lines, JUnit XML), as a page, as a badge."""

from __future__ import annotations

from ludo_dsl.conformance.reports.badge import write_badge
from ludo_dsl.conformance.reports.html import write_html
from ludo_dsl.conformance.reports.junit import write_junit
from ludo_dsl.conformance.reports.lines import JsonlWriter, read_jsonl, write_jsonl
from ludo_dsl.conformance.reports.terminal import show

__all__ = ["JsonlWriter", "read_jsonl", "show", "write_badge", "write_html", "write_jsonl", "write_junit"]
