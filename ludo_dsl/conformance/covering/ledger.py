"""The ledger: for each clause that scenarios cannot show, what checks it, or what it waits for.

The file is `conformance/ledger.yaml`, its form `spec/schema/ledger.json`. Here it is held to the truth: every clause that needs an
entry has one, and every check that is named is there and cites the clause.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.covering.dealt import dealt_sequences
from ludo_dsl.conformance.covering.units import Units
from ludo_dsl.conformance.covering.views import views
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import read_suite
from ludo_dsl.diagnostics import closest
from ludo_dsl.documents import Kind, read_document
from ludo_dsl.play.scripts import read_script
from ludo_dsl.resources import data_root

LEDGER = Kind("a ledger of clauses", "ledger", "spec/schema/ledger.json")

BY_SCENARIO = ("play", "score", "setup", "option")
"""The kinds of clause that an engine is held to by scenarios; the others have checks of their own kind."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause, its checks as kind and name, and what it waits for (nothing, as text, if for nothing)."""

    clause: str
    checks: tuple[tuple[str, str], ...]
    waits: str
    place: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that is wrong with a ledger: where, of which clause, and what."""

    place: str
    clause: str
    message: str


@cache
def read_ledger(path: Path | None = None) -> tuple[Entry, ...]:
    """The entries of a ledger; by default of the project's. Raises `DocumentError`, or `OSError` where it cannot be read."""
    document = read_document(data_root() / "conformance" / "ledger.yaml" if path is None else path, LEDGER)
    return tuple(
        Entry(
            item["clause"],
            tuple((kind, name) for kind, names in item.items() if isinstance(names, list) for name in names),
            item.get("waits", ""),
            f"{document.file}:{document.line(number)}",
        )
        for number, item in enumerate(document.value)
    )


def needed(variant: str, units: Units) -> tuple[str, ...]:
    """The clauses of a variant that need an entry: of other kinds than scenarios show, or with nothing that one could exercise."""
    ours = (c for c in register().values() if c.variant == variant)
    return tuple(c.id for c in ours if c.kind not in BY_SCENARIO or not units.by_clause.get(c.id))


def wrongs(variant: str, units: Units, entries: Iterable[Entry] | None = None) -> tuple[Wrong, ...]:
    """What is wrong with the entries for the clauses of a variant.

    Raises:
        DocumentError: a file of checks is not of its form.
    """
    mine = [e for e in (read_ledger() if entries is None else entries) if _variant(e.clause) == variant]
    stated = {e.clause for e in mine}
    missing = (Wrong("", c, f"`{c}` is in no entry of the ledger: name what checks it") for c in needed(variant, units) if c not in stated)
    doubled = (
        Wrong(e.place, e.clause, f"`{e.clause}` has two entries: make one of them")
        for n, e in enumerate(mine)
        if e.clause in {other.clause for other in mine[:n]}
    )
    return (*missing, *doubled, *(w for e in mine for w in _checked(e)))


def unknown(entries: Iterable[Entry] | None = None) -> tuple[Wrong, ...]:
    """The entries for clauses that are not in the register."""
    found = read_ledger() if entries is None else entries
    return tuple(Wrong(e.place, e.clause, f"there is no clause `{e.clause}`") for e in found if e.clause not in register())


def _variant(clause: str) -> str:
    known = register().get(clause)
    return known.variant if known else ""


def _checked(entry: Entry) -> Iterator[Wrong]:
    for kind, name in entry.checks:
        message = _CHECKS[kind](entry.clause, name)
        if message:
            yield Wrong(entry.place, entry.clause, message)


# ---- kinds of checks -------------------------------------------------------------------------------------------------
# Each says what is wrong with a check of that name for a clause, or nothing.


def _cites(clause: str, name: str, what: str, known: dict[str, tuple[str, ...]]) -> str:
    if name not in known:
        near = closest(name, known)
        return f"there is no {what} `{name}`" + (f": did you mean `{near}`?" if near else "")
    return "" if clause in known[name] else f"the {what} `{name}` does not cite `{clause}`"


def _scenario(clause: str, name: str) -> str:
    return _cites(clause, name, "scenario", {s.id: s.clauses for s in read_suite()})


def _table(clause: str, name: str) -> str:
    folder = data_root() / "conformance" / "tables"
    known = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.yaml")}
    clauses = read_script(known[name]).clauses if name in known else ()
    return _cites(clause, name, "table script", dict.fromkeys(known, clauses))


def _dice(clause: str, name: str) -> str:
    return _cites(clause, name, "dealt sequence", {s.id: s.clauses for s in dealt_sequences()})


def _view(clause: str, name: str) -> str:
    return _cites(clause, name, "view", {v.id: v.clauses for v in views()})


def _claim(clause: str, name: str) -> str:
    claims = (d for d in book_of(_variant(clause)).declarations if d.kind == "claim")
    return _cites(clause, name, "claim", {d.name: tuple(c.clause for c in d.citations) for d in claims})


def _vectors(clause: str, name: str) -> str:
    """Vectors are of the scheme as a whole: they cite no clauses."""
    path = data_root() / "conformance" / "fairness" / "vectors.json"
    return "" if name in json.loads(path.read_text(encoding="utf-8")) else f"there is no part `{name}` in {path.name}"


def _test(clause: str, name: str) -> str:
    """Tests are part of a checkout alone, and are named here rather than citing."""
    file, _, function = name.partition("::")
    path = data_root() / file
    if not (data_root() / "tests").is_dir():
        return ""
    if not path.is_file():
        return f"there is no file of tests `{file}`"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body)
    return "" if found else f"there is no test `{function}` in {file}"


_CHECKS: dict[str, Callable[[str, str], str]] = {
    "scenario": _scenario,
    "table": _table,
    "dice": _dice,
    "view": _view,
    "claim": _claim,
    "vectors": _vectors,
    "test": _test,
}
