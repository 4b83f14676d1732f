"""Ids of scenarios: unique, permanent, and all of them in the list of those that were ever published.

The list is a text file with one id a line, in the order in which they were published. A scenario that is given up keeps its line,
with the reason behind it, `# retired: reason`; its id is never used again. Lines that begin with `#` are remarks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.conformance.scenarios.check_faults import Fault, Item
from ludo_dsl.documents import DocumentError

HEADING = """\
# Every id of a scenario that was ever published, in order; `ludo scenarios check --publish` adds new ones at the end.
# An id is permanent. Of a scenario that is given up it stays here, with `# retired: reason` behind it, and is never used again.
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list: an id, where it stands, and why it is retired, if it is."""

    id: str
    line: int
    retired: str | None


@dataclass(frozen=True)
class IdList:
    """The list of all ids that were ever published."""

    file: Path
    lines: tuple[Listed, ...]

    @property
    def by_id(self) -> dict[str, Listed]:
        """The line of each id."""
        return {listed.id: listed for listed in self.lines}

    def add(self, names: Iterable[str]) -> None:
        """Writes further ids to the end of the file, which is made where there is none; nothing is ever taken out of it.

        Raises `OSError` where the file cannot be written.
        """
        text = self.file.read_text(encoding="utf-8") if self.file.is_file() else HEADING
        text = text if text.endswith("\n") or not text else text + "\n"
        self.file.write_text(text + "".join(f"{name}\n" for name in names), encoding="utf-8")


@dataclass(frozen=True)
class Scope:
    """What was asked for, folders and files, and those of the files there that could not be read."""

    roots: Sequence[Path]
    unread: frozenset[Path] = frozenset()

    def covers(self, name: str, suite: Path) -> bool:
        """Whether the scenario of that id, in a suite, would have been read: its file was asked for, or a folder around it."""
        variant, area, _ = name.split("/")
        home = (suite / variant / f"{area}.yaml").resolve()
        if home in {path.resolve() for path in self.unread}:
            return False
        return any(root.resolve() == home or root.resolve() in home.parents for root in self.roots)


def read_ids(file: Path) -> IdList:
    """The list of a file. Raises `DocumentError` where a line is no id, or an id comes twice, or `OSError`."""
    found: dict[str, Listed] = {}
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        name, mark, remark = (part.strip() for part in text.partition("#"))
        if not name:
            continue
        if name.count("/") != 2 or " " in name:
            raise DocumentError(str(file), number, "$", f"`{name}` is no id", "write VARIANT/AREA/NAME, one a line")
        if name in found:
            raise DocumentError(str(file), number, "$", f"`{name}` is in the list twice", f"line {found[name].line} has it")
        if mark and not (remark.startswith("retired:") and remark.removeprefix("retired:").strip()):
            raise DocumentError(str(file), number, "$", f"`# {remark}` is no remark for an id", "write `# retired:` and the reason")
        found[name] = Listed(name, number, remark.removeprefix("retired:").strip() if mark else None)
    return IdList(file, tuple(found.values()))


def id_faults(items: Sequence[Item], known: IdList | None, scope: Scope) -> list[Fault]:
    """What is wrong with ids: those used twice, those used again, and those whose scenario is gone."""
    faults = _doubles(items)
    if known is None:
        return faults
    listed = known.by_id
    for item in items:
        line = listed.get(item.scenario.id)
        if line is not None and line.retired is not None:
            message = f"the id `{line.id}` is retired: {line.retired}"
            faults.append(item.fault(message, "an id is never used again: give the scenario a new one", "id"))
    return faults + _gone(items, known, scope)


def unlisted(items: Iterable[Item], known: IdList) -> dict[str, Fault]:
    """The ids that are not in the list, each with its fault; several scenarios of one id count once."""
    listed = known.by_id
    cure = "`ludo scenarios check --publish` adds it; an id that was changed is to be changed back"
    return {
        item.scenario.id: item.fault(f"the id `{item.scenario.id}` is not in {known.file.name}", cure, "id")
        for item in items
        if item.scenario.id not in listed
    }


def _doubles(items: Sequence[Item]) -> list[Fault]:
    first: dict[str, Item] = {}
    faults = []
    for item in items:
        other = first.setdefault(item.scenario.id, item)
        if other is not item:
            message = f"the id `{item.scenario.id}` is that of {other.scenario.place} too"
            faults.append(item.fault(message, "give each scenario an id of its own", "id"))
    return faults


def _gone(items: Sequence[Item], known: IdList, scope: Scope) -> list[Fault]:
    """Ids of the list whose scenario should have been read and was not."""
    present = {item.scenario.id for item in items}
    suite = known.file.parent / "scenarios" if (known.file.parent / "scenarios").is_dir() else known.file.parent
    return [
        Fault(
            str(known.file),
            listed.line,
            "$",
            listed.id,
            f"the scenario `{listed.id}` is gone",
            "an id is permanent: bring the scenario back, or write `# retired:` and the reason behind the id",
        )
        for listed in known.lines
        if listed.retired is None and listed.id not in present and scope.covers(listed.id, suite)
    ]
