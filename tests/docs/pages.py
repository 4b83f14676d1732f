"""The written pages of the project and the blocks of code in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = sorted(
    [
        *(ROOT / "spec" / "language").glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md")),
    ]
)

DIAGNOSTICS = ROOT / "spec" / "language" / "diagnostics.md"

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code: the page, the line of its first line, the language it names, further words beside that, the text.

    The words beside a language are `fragment` (declarations without their `variant` line), `faulty` (the checker must refuse
    it), `extends=NAME` (the rule book that a fragment changes, Amarnepal by default), `file=NAME` (the examples that follow on
    the page find the text in a file of that name) `warning=CODE` (the one warning it gives) and `excerpt=NAME`
    (the text stands in that rule book).
    """

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    def word(self, key: str) -> str | None:
        """What stands after `key=` beside the language."""
        return next((w.partition("=")[2] for w in self.words if w.startswith(f"{key}=")), None)

    def __str__(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def name_of(page: Path) -> str:
    """The path of a page from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks of a page in the languages, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        language, *words = match.group("info").split() or [""]
        if language in languages:
            indent = len(match.group("indent"))
            lines = "".join(line[indent:] if line[:indent].isspace() else line for line in match.group("text").splitlines(keepends=True))
            found.append(Block(page, text.count("\n", 0, match.start("text")) + 1, language, tuple(words), lines))
    return found
