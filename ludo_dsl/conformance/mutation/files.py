"""What is committed about mutants: the kill matrix of a variant, and the reasons why some cannot be told apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.conformance.mutants import Mutant
from ludo_dsl.conformance.mutation.gate import Fate
from ludo_dsl.documents import Kind, read_document
from ludo_dsl.resources import data_root

MATRIX = Kind("a kill matrix", "mutant-matrix", "spec/language/adequacy.md", largest=10_000_000)
REASONS = Kind("a file of reasons", "mutant-reasons", "spec/language/adequacy.md")


def folder() -> Path:
    """The folder of the matrices and reasons that come with the project."""
    return data_root() / "conformance" / "mutants"


# ---- the matrix ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matrix:
    """The kill matrix of a variant: for each mutant, by id, the scenarios that fail on it."""

    variant: str
    killers: dict[str, tuple[str, ...]]

    @staticmethod
    def of(variant: str, fates: Iterable[Fate]) -> Matrix:
        """The matrix of mutants that were played through the whole suite."""
        return Matrix(variant, {fate.mutant: fate.killers for fate in fates})

    def text(self) -> str:
        """The matrix as its file holds it: one line for each scenario and each mutant, so that changes can be read."""
        scenarios = sorted({name for killers in self.killers.values() for name in killers})
        bit = {name: 1 << i for i, name in enumerate(scenarios)}
        rows = {mutant: format(sum(bit[k] for k in killers), "x") for mutant, killers in sorted(self.killers.items())}
        lines = [f"  {json.dumps(mutant)}: {json.dumps(row)}" for mutant, row in rows.items()]
        names = [f"  {json.dumps(name)}" for name in scenarios]
        return (
            f'{{\n"variant": {json.dumps(self.variant)},\n"scenarios": [\n'
            + ",\n".join(names)
            + '\n],\n"mutants": {\n'
            + ",\n".join(lines)
            + "\n}\n}\n"
        )


def read_matrix(variant: str, place: Path | None = None) -> Matrix | None:
    """The committed matrix of a variant; none where there is no such file. Raises `DocumentError`."""
    path = (place or folder()) / f"{variant}.json"
    if not path.is_file():
        return None
    value = read_document(path, MATRIX).value
    scenarios = value["scenarios"]
    rows = {mutant: int(row, 16) for mutant, row in value["mutants"].items()}
    return Matrix(value["variant"], {m: tuple(name for i, name in enumerate(scenarios) if row >> i & 1) for m, row in rows.items()})


# ---- reasons ---------------------------------------------------------------------------------------------------------


def read_reasons(path: Path) -> dict[str, str]:
    """The reason of each mutant of a file, by id. Raises `DocumentError`, or `OSError`."""
    document = read_document(path, REASONS)
    found: dict[str, str] = {}
    for i, item in enumerate(document.value):
        for j, mutant in enumerate(item["mutants"]):
            if mutant in found:
                raise document.error(f"`{mutant}` has a reason already", "give each mutant one reason", i, "mutants", j)
            found[mutant] = item["reason"]
    return found


def reasons_of(variant: str) -> dict[str, str]:
    """The committed reasons of a variant; none where there is no such file. Raises `DocumentError`."""
    path = folder() / f"{variant}.reasons.yaml"
    return read_reasons(path) if path.is_file() else {}


@dataclass(frozen=True)
class Gate:
    """What of a run of mutants is not as it should be: survivors without a reason, and reasons that are none."""

    survivors: tuple[str, ...]
    refuted: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every mutant is killed or reasoned about, and every reason is in its place."""
        return not (self.survivors or self.refuted or self.unknown)


def gate(fates: Sequence[Fate], reasons: dict[str, str], every: Sequence[Mutant]) -> Gate:
    """Holds the fates of mutants to the reasons; `every` is all mutants of the book, of which `fates` may be a part."""
    known = {m.id for m in every}
    return Gate(
        survivors=tuple(f.mutant for f in fates if not f.killers and f.mutant not in reasons),
        refuted=tuple(f.mutant for f in fates if f.killers and f.mutant in reasons),
        unknown=tuple(sorted(m for m in reasons if m not in known)),
    )
