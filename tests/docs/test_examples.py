"""Every example of the documentation is true: rule books check, Python runs, and commands print what the page shows.

Blocks of `ludo` are whole rule books, or fragments of one (see `pages.Block`). Blocks of `python` are doctests; those of a
page build on each other. Blocks of `console` hold commands after `$ ` and what they print; `…` on a line of its own stands
for any lines. The faulty examples of `diagnostics.md` are tried by `tests/check/test_bad.py`.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludo_dsl.check.book import Checked, check
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.source import Source
from tests.docs.pages import DIAGNOSTICS, PAGES, Block, blocks, name_of

RULES = [block for page in PAGES if page != DIAGNOSTICS for block in blocks(page, "ludo")]

_SINGLE = re.compile(r"^(?=(?:words|board|players|dice)\b)", re.MULTILINE)


def book_of(block: Block) -> str:
    """The whole rule book of a block: a fragment changes one of the project's, whose board and dice it puts its own in place of."""
    if "fragment" not in block.words:
        return block.text
    parent = block.word("extends") or "amarnepal"
    return f'variant example "Example" extends {parent}\n\n' + _SINGLE.sub("replace ", block.text)


def checked(block: Block, folder: Path) -> Checked:
    for other in blocks(block.page, "ludo"):
        put(other, folder)
    return check(Source(str(folder / "example.ludo"), book_of(block)))


def put(block: Block, folder: Path) -> None:
    """Writes the file that a block stands for."""
    name = block.word("file")
    if name is not None:
        (folder / name).write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("block", [b for b in RULES if "faulty" not in b.words], ids=str)
def test_rules_are_without_fault(block: Block, tmp_path: Path) -> None:
    assert checked(block, tmp_path).warnings == ()


@pytest.mark.parametrize("block", [b for b in RULES if "faulty" in b.words], ids=str)
def test_faulty_rules_are_refused(block: Block, tmp_path: Path) -> None:
    with pytest.raises(RuleBookError):
        checked(block, tmp_path)


# ---- python ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=name_of)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for block in blocks(page, "python", "ludo"):
        if block.language == "ludo":
            put(block, tmp_path)
            continue
        test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line - 1)
        assert test.examples, f"{block}: a block of Python without `>>>` is never run"
        test.globs = names
        runner.run(test, out=said.append, clear_globs=False)
    assert runner.failures == 0, "".join(said)


# ---- commands ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console")], ids=name_of)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    run = Shell(tmp_path)
    for block in blocks(page, "console", "ludo"):
        if block.language == "ludo":
            put(block, run.folder)
            continue
        for command, expected in commands(block):
            assert command.startswith("ludo "), f"{block}: `{command}` is not tried by this test: use another kind of block"
            printed = run(command)
            assert matches(printed, expected), f"{block}: `{command}` prints\n{printed}"


class Shell:
    """Runs commands as a user would, in a folder of their own, with `ludo` from the package under test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        tools = folder / "tools"
        tools.mkdir()
        ludo = tools / "ludo"
        ludo.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from ludo_dsl.cli import main; main()" "$@"\n', encoding="utf-8")
        ludo.chmod(0o755)
        root = str(Path(__file__).parents[2])
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LUDO_", "COV_", "FORCE_", "CLICOLOR"))}
        self._environment = kept | {
            "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}",
            "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def __call__(self, command: str) -> str:
        """What a command prints, errors included."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        return done.stdout.decode("utf-8")


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a block, each with what it prints; a command goes on after a backslash at the end of its line."""
    found = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, expected = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        found.append((command, expected))
    return found


def matches(printed: str, expected: str) -> bool:
    """Whether a text is the expected one, `…` lines standing for any lines; spaces at line ends do not count."""
    lines = [re.escape(line.rstrip()) + "\n" if line.strip() != "…" else "(?:.*\n)*" for line in expected.rstrip("\n").splitlines()]
    text = "".join(f"{line.rstrip()}\n" for line in printed.rstrip("\n").splitlines())
    return re.fullmatch("".join(lines), text) is not None


def test_a_wrong_output_is_noticed() -> None:
    assert matches("a\nb \nc\n", "a\n…\nc\n")
    assert matches("a\nc\n", "a\n…\nc\n")
    assert not matches("a\nb\nd\n", "a\n…\nc\n")
    assert not matches("a\n", "a\nb\n")
