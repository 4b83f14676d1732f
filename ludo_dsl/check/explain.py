"""Explanations of diagnostics: the sections of `spec/language/diagnostics.md`."""

from __future__ import annotations

import re
from functools import cache

from ludo_dsl.resources import spec_path

_HEADING = re.compile(r"^## (L[0-9]{4}) (.+)$", re.MULTILINE)


@cache
def _sections() -> dict[str, tuple[str, str]]:
    """Title and text of each section, by code."""
    text = spec_path("language", "diagnostics.md").read_text(encoding="utf-8")
    found = list(_HEADING.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    return {m.group(1): (m.group(2), text[m.start() : end].strip() + "\n") for m, end in zip(found, ends, strict=True)}


def explain(code: str) -> str | None:
    """The section on a code (in any case) as Markdown, heading included; nothing if there is no such code."""
    found = _sections().get(code.strip().upper())
    return found[1] if found else None


def codes() -> list[tuple[str, str]]:
    """Every code with its title, in order."""
    return [(code, title) for code, (title, _) in sorted(_sections().items())]
