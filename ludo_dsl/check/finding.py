"""Finding rule books by name: those of the project, and files beside the one that names them."""

from __future__ import annotations

from pathlib import Path

from ludo_dsl.diagnostics import Diagnostic, RuleBookError, closest
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.parser import read_source


def find_source(name: str, near: Source) -> Source | None:
    """The rule book `name`: a file beside the one that names it, or one of the project's."""
    beside = Path(near.name).parent / f"{name}.ludo"
    if near.name and not near.name.startswith("<") and beside.is_file() and beside.resolve() != Path(near.name).resolve():
        return read_source(beside)
    ours = spec_path("variants", f"{name}.ludo")
    if ours.is_file():
        return read_source(ours)
    return read_source(beside) if beside.is_file() else None


def locate(name: str) -> Path:
    """The file of a rule book that a user names: a path, or the name of one of the project's.

    Raises:
        RuleBookError: there is no such file or rule book (L0701).
    """
    path = Path(name)
    if path.suffix == ".ludo" or path.is_file():
        return path
    if name in variant_names():
        return spec_path("variants", f"{name}.ludo")
    near = closest(name, variant_names(), likeness=0.7)
    hint = f"did you mean `{near}`?" if near else "rule books of the project: " + ", ".join(variant_names())
    raise RuleBookError([Diagnostic("L0701", f"there is no rule book `{name}`", Source(name, ""), Span(0, 0), hint)])
