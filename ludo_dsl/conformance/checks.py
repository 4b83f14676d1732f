"""The check of a suite: everything that can be wrong with scenario files, found and told at once.

The parts: `checks_ids` (ids, and the list of all that were published), `checks_form` (one scenario by itself), `checks_readings`
(by playing: whether it passes, and on which open questions it hangs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.conformance.checks_faults import Fault, Item, fault_of
from ludo_dsl.conformance.checks_form import form_faults
from ludo_dsl.conformance.checks_ids import Scope, id_faults, read_ids
from ludo_dsl.conformance.checks_readings import Readings
from ludo_dsl.conformance.suite import SCENARIOS, read_scenarios, suite_folder
from ludo_dsl.documents import DocumentError, read_document

IDS = "ids.txt"
"""The name of the list of published ids, which lies beside the folder of the scenarios."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: `scenarios` is how many were read, `played` how many of them were played to the end of their check.

    `idle` holds the readings, as `VARIANT QUESTION=VALUE`, that no scenario of the variants that were read names. `complete` is
    whether nobody stopped the check.
    """

    files: int
    scenarios: int
    played: int
    faults: tuple[Fault, ...]
    idle: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    complete: bool = True

    def as_json(self) -> dict[str, object]:
        """The findings as plain data; the schema is `spec/schema/scenarios-check.json`."""
        return {
            "files": self.files,
            "scenarios": self.scenarios,
            "played": self.played,
            "complete": self.complete,
            "faults": [f.as_json() for f in self.faults],
            "unnamed": list(self.idle),
            "published": list(self.published),
        }


Watch = Callable[[int, int], None]
"""Told how many scenarios have been played, and how many there are."""


def check_suite(
    paths: Iterable[Path] = (), ids: Path | None = None, publish: bool = False, watch: Watch = lambda done, of: None
) -> Checked:
    """Checks every scenario of some files and folders; by default of the suite that comes with the project.

    `ids` is the list of published ids; by default `ids.txt` beside or in the folder that is checked, and where there is none, ids
    need only be unique. With `publish`, ids that are not yet in the list are added to it, unless they are at fault themselves.

    Raises:
        DocumentError: there are no scenarios at all, or the list of ids cannot be read.
        OSError: a file cannot be read, or the list not be written.
    """
    roots = tuple(paths) or (suite_folder(),)
    list_file = ids or ids_beside(roots[0])
    known = read_ids(list_file) if list_file is not None else None
    files = _files(roots)
    items, broken = _read(files)
    faults = list(broken.values())
    published: tuple[str, ...] = ()
    if known is not None and publish:
        known, published = known.with_new(items)
    faults += id_faults(items, known, Scope(roots, frozenset(broken)))
    formed = [(item, form_faults(item, in_place=known is not None)) for item in items]
    faults += [f for _, found in formed for f in found]
    sound = [item for item, found in formed if not found]
    readings = Readings()
    played, complete = 0, True
    try:
        for item in sound:
            watch(played, len(sound))
            faults += readings.faults(item)
            played += 1
        watch(played, len(sound))
    except KeyboardInterrupt:
        complete = False
    ordered = tuple(sorted(faults, key=lambda f: (f.file, f.line)))
    return Checked(len(files), len(items), played, ordered, readings.unnamed(items), published, complete)


def ids_beside(root: Path) -> Path | None:
    """The list of published ids that goes with a file or folder of scenarios: in it, or in one of the folders around it."""
    around = (root, *root.resolve().parents[:3])
    return next((folder / IDS for folder in around if (folder / IDS).is_file()), None)


def _files(roots: Iterable[Path]) -> tuple[Path, ...]:
    """Every file of scenarios, each once, in order of their paths."""
    found: dict[Path, None] = {}
    for root in roots:
        files = sorted(root.rglob("*.yaml")) if root.is_dir() else [root]
        if not files:
            raise DocumentError(str(root), 0, "$", "there are no scenarios here", "name a folder with `.yaml` files, or one such file")
        found |= dict.fromkeys(files)
    return tuple(found)


def _read(files: Iterable[Path]) -> tuple[list[Item], dict[Path, Fault]]:
    """The scenarios of all files that can be read, and the first fault of each of the others."""
    items: list[Item] = []
    broken: dict[Path, Fault] = {}
    for path in files:
        try:
            scenarios = read_scenarios(path)
            document = read_document(path, SCENARIOS)
        except DocumentError as error:
            broken[path] = fault_of(error)
            continue
        items += [Item(scenario, document, index) for index, scenario in enumerate(scenarios)]
    return items, broken
