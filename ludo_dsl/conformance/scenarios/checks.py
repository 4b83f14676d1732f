"""The check of a suite: everything that can be wrong with scenario files, found and told at once.

The parts: `check_ids` (ids, and the list of all that were published), `check_form` (one scenario by itself), `check_readings`
(by playing: whether it passes, and on which open questions it hangs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.conformance.scenarios.check_faults import Fault, Item, fault_of
from ludo_dsl.conformance.scenarios.check_form import form_faults
from ludo_dsl.conformance.scenarios.check_ids import IdList, Scope, id_faults, read_ids, unlisted
from ludo_dsl.conformance.scenarios.check_readings import Readings
from ludo_dsl.conformance.scenarios.suite import SCENARIOS, read_scenarios, suite_folder
from ludo_dsl.documents import DocumentError, read_document
from ludo_dsl.rules.book import Book

IDS = "ids.txt"
"""The name of the list of published ids, which lies beside the folder of the scenarios."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: `scenarios` is how many were read, `played` how many of them were played under every reading.

    `unnamed` holds the readings, as `VARIANT QUESTION=VALUE`, that no scenario of the variants that were read names; `published`
    the ids that were added to the list. `complete` is whether nobody stopped the check.
    """

    files: int
    scenarios: int
    played: int
    faults: tuple[Fault, ...]
    unnamed: tuple[str, ...] = ()
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
            "unnamed": list(self.unnamed),
            "published": list(self.published),
        }


Watch = Callable[[int, int], None]
"""Told how many scenarios have been played, and how many there are."""


def check_suite(
    paths: Iterable[Path] = (),
    ids: Path | None = None,
    publish: bool = False,
    watch: Watch = lambda done, of: None,
    books: Mapping[str, Book] | None = None,
) -> Checked:
    """Checks every scenario of some files and folders; by default of the suite that comes with the project.

    `ids` is the list of published ids; by default `ids.txt` in the folder that is checked or in one around it, and where there is
    none, ids need only be unique and scenarios may lie in any file. With `publish`, ids that are not yet in the list are added to
    it, provided that nothing else is wrong; a list is made where there is none. `books` holds rule books of one's own, by name.
    Ctrl-C ends the playing, and what was found by then is told.

    Raises:
        DocumentError: there are no scenarios at all, or the list of ids cannot be read.
        OSError: a file cannot be read, or the list not be written.
    """
    roots = tuple(paths) or (suite_folder(),)
    known = _list_for(roots[0], ids, publish)
    files = _files(roots)
    items, broken = read_items(files)
    formed = [(item, form_faults(item, known is not None, books)) for item in items]
    readings = Readings(books)
    found = [*broken.values(), *id_faults(items, known, Scope(roots, frozenset(broken))), *(f for _, faults in formed for f in faults)]
    played = _play(readings, [item for item, faults in formed if not faults], found, watch)
    complete = played == sum(not faults for _, faults in formed)
    new = unlisted(items, known) if known is not None else {}
    published: tuple[str, ...] = ()
    if known is not None and publish and complete and not found:
        published = tuple(sorted(new))
        known.add(published)
    else:
        found += new.values()
    ordered = tuple(sorted(found, key=lambda f: (f.file, f.line)))
    return Checked(len(files), len(items), played, ordered, readings.unnamed(items), published, complete)


def _play(readings: Readings, items: list[Item], found: list[Fault], watch: Watch) -> int:
    """Plays scenarios and adds what is wrong with them to what was found; how many were played, fewer than all after Ctrl-C."""
    played = 0
    try:
        for item in items:
            watch(played, len(items))
            found += readings.faults(item)
            played += 1
        watch(played, len(items))
    except KeyboardInterrupt:
        pass
    return played


def _list_for(root: Path, ids: Path | None, publish: bool) -> IdList | None:
    """The list of published ids that counts; where one is to be written and there is none, an empty one."""
    file = ids or ids_beside(root)
    if publish and (file is None or not file.is_file()):
        return IdList(file or (root if root.is_dir() else root.parent) / IDS, ())
    return read_ids(file) if file is not None else None


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


def read_items(files: Iterable[Path]) -> tuple[list[Item], dict[Path, Fault]]:
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
