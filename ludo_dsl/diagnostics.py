"""Diagnostics: what is wrong, where, and what to do about it; and the only renderer of them.

Every code is explained at length in `spec/language/diagnostics.md`, which `ludo explain` reads.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ludo_dsl.source import Source, Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a diagnostic, and why."""

    span: Span
    text: str
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault: a stable code (`L0123`), a message, its place, further places, and a hint."""

    code: str
    message: str
    source: Source
    span: Span
    hint: str = ""
    labels: tuple[Label, ...] = ()
    severity: Severity = "error"

    def as_json(self) -> dict[str, object]:
        """The diagnostic as plain data: lines and columns counted from 1."""
        line, column = self.source.position(self.span.start)
        end_line, end_column = self.source.position(max(self.span.start, self.span.end))
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": self.source.name,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "hint": self.hint,
        }


class RuleBookError(Exception):
    """A rule book has faults; `diagnostics` holds every one that the failing phase found."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """In the order of their places, without repetitions."""
    return sorted(dict.fromkeys(diagnostics), key=lambda d: (d.source.name, d.span.start, d.span.end, d.code))


_WIDEST = 120


def render(diagnostic: Diagnostic) -> str:
    """The diagnostic as text: place, line with caret, further places, hint."""
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    lines += _excerpt(diagnostic.source, diagnostic.span, "")
    for label in diagnostic.labels:
        lines += _excerpt(label.source or diagnostic.source, label.span, label.text)
    if diagnostic.hint:
        lines.append(f"  = hint: {diagnostic.hint}")
    return "\n".join(lines)


def _excerpt(source: Source, span: Span, text: str) -> list[str]:
    line, column = source.position(min(span.start, len(source.text)))
    shown = source.line(line)
    # A very long line is shown around the caret only.
    left = max(0, column - 1 - _WIDEST // 2) if len(shown) > _WIDEST else 0
    before = "".join(c if c == "\t" else " " for c in shown[left : column - 1])
    width = max(1, min(span.end - span.start, len(shown) - column + 1, _WIDEST))
    shown = "".join(c if c.isprintable() or c == "\t" else "�" for c in shown[left : left + _WIDEST])
    margin = " " * len(str(line))
    note = f" {text}" if text else ""
    return [
        f" {margin}--> {source.name}:{line}:{column}",
        f" {margin} |",
        f" {line} | {shown}",
        f" {margin} | {before}{'^' * width}{note}",
    ]


def closest(word: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The known word that `word` is most likely a misspelling of; `likeness` from 0 (anything) to 1 (the same)."""
    names = sorted(set(known))
    folded = {name.casefold().replace("_", "-"): name for name in names}
    exact = folded.get(word.casefold().replace("_", "-"))
    if exact is not None:
        return exact
    found = difflib.get_close_matches(word, names, n=1, cutoff=likeness)
    return found[0] if found else None


def suggestion(word: str, known: Iterable[str], kind: str) -> str:
    """A hint: the likely meant word, or the list of what there is."""
    names = sorted(set(known))
    near = closest(word, names)
    if near is not None:
        return f"did you mean `{near}`?"
    if not names:
        return f"there are no {kind} here"
    listed = ", ".join(f"`{name}`" for name in names[:12]) + (" …" if len(names) > 12 else "")
    return f"known {kind}: {listed}"
