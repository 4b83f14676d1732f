"""Table scripts: reading them, with the place of everything in the file, so that each fault is told where it stands.

Defined in `spec/language/table.md` and `spec/schema/table-script.json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludo_dsl.documents import Document, DocumentError, Kind, read_document
from ludo_dsl.play.script_steps import ScriptEvent, StepError, read_step

TABLE_SCRIPT = Kind("a table script", "table-script", "spec/language/table.md")


class OtherVariantError(DocumentError):
    """A script that was written for another rule book."""


@dataclass(frozen=True)
class ScriptStep:
    """One step: its text, what it means, where it stands, and what is expected of it."""

    text: str
    event: ScriptEvent
    line: int
    then: dict[str, Any] | None = None
    refused: str | None = None


@dataclass(frozen=True)
class Script:
    """A table script: the table, and what happens there."""

    file: str
    variant: str
    title: str
    clauses: tuple[str, ...]
    settings: dict[str, Any]
    steps: tuple[ScriptStep, ...]
    document: Document

    def error(self, message: str, hint: str, *where: str | int) -> DocumentError:
        """An error at a place of the file."""
        return self.document.error(message, hint, *where)


def read_script(path: Path) -> Script:
    """The table script of a file. Raises `DocumentError`, or `OSError` where the file cannot be read."""
    document = read_document(path, TABLE_SCRIPT)
    value = document.value
    steps = []
    for i, item in enumerate(value["steps"]):
        given: dict[str, Any] = {"do": item} if isinstance(item, str) else item
        where = ("steps", i) if isinstance(item, str) else ("steps", i, "do")
        try:
            event = read_step(given["do"])
        except StepError as error:
            raise document.error(error.message, error.hint, *where) from None
        steps.append(ScriptStep(given["do"], event, document.line(*where), given.get("then"), given.get("refused")))
    settings: dict[str, Any] = {k: value[k] for k in ("players", "options", "readings", "host", "seed", "begins", "position") if k in value}
    return Script(document.file, value["variant"], value["title"], tuple(value.get("clauses", ())), settings, tuple(steps), document)
