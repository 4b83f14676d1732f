"""The register of clauses: what the source texts say, numbered, and which declarations state it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ludo_dsl.check.book import resolve
from ludo_dsl.check.finding import locate
from ludo_dsl.resources import data_root, spec_path, variant_names
from ludo_dsl.syntax.parser import read_source


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the register: its id, the variant whose text it is of, its kind, and the fact in our words."""

    id: str
    variant: str
    kind: str
    fact: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A clause and one declaration that states it."""

    clause: str
    variant: str
    kind: str
    statement: str
    file: str
    line: int

    @property
    def shown_file(self) -> str:
        """The file, from the root of the project where it lies in it."""
        path = Path(self.file)
        return str(path.relative_to(data_root())) if path.is_relative_to(data_root()) else self.file

    def as_json(self) -> dict[str, object]:
        """The citation as plain data."""
        return {
            "clause": self.clause,
            "variant": self.variant,
            "kind": self.kind,
            "statement": self.statement,
            "file": self.shown_file,
            "line": self.line,
        }


@cache
def register() -> dict[str, Clause]:
    """Every clause by its id."""
    data: dict[str, list[dict[str, Any]]] = yaml.safe_load(spec_path("clauses.yaml").read_text(encoding="utf-8"))
    return {c["id"]: Clause(c["id"], variant, c["kind"], c["fact"]) for variant, clauses in data.items() for c in clauses}


def citations(variants: Iterable[str] | None = None) -> list[Cited]:
    """Every citation of the rule books, in the order of clauses."""
    found = []
    for name in variants if variants is not None else variant_names():
        book = resolve(read_source(locate(name)))
        for declaration in book.declarations:
            for citation in declaration.citations:
                clause = register().get(citation.clause)
                found.append(
                    Cited(
                        citation.clause,
                        book.name,
                        clause.kind if clause else "unknown",
                        f"{declaration.kind} {declaration.name}" if declaration.name != declaration.kind else declaration.kind,
                        declaration.file,
                        declaration.line,
                    )
                )
    return sorted(dict.fromkeys(found), key=lambda c: (c.variant, c.clause, c.line))


def disagreements(variants: Iterable[str] | None = None) -> list[str]:
    """Clauses that no declaration of their variant cites, and citations that are not in the register."""
    names = list(variants) if variants is not None else list(variant_names())
    cited = citations(names)
    faults = [f"{c.shown_file}:{c.line}: {c.clause} is not in the register of clauses" for c in cited if c.clause not in register()]
    stated = {(c.variant, c.clause) for c in cited}
    for clause in register().values():
        if clause.variant in names and (clause.variant, clause.id) not in stated:
            faults.append(f"{clause.variant}: no statement cites {clause.id} ({clause.kind}: {clause.fact})")
    return faults
