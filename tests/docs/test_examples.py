"""Every example of the documentation is true: rule books check, Python runs, and commands print what the page shows.

Blocks of `ludo` are whole rule books, or fragments of one (see `pages.Block`). Blocks of `python` are doctests; those of a
page build on each other. Blocks of `text` and `yaml` with `file=NAME` are files for the commands after them. Blocks of
`console` hold commands after `$ ` and what they print; `…` stands for any characters, on a line of its own for any lines.
The faulty examples of `diagnostics.md` are tried by `tests/check/test_bad.py`.

After outputs have been changed on purpose, write them anew with `LUDO_WRITE_EXPECTED=1 pytest tests/docs` and read the
difference.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.play.claims import claims_broken_by_changes
from ludo_dsl.resources import spec_path
from ludo_dsl.source import Source
from tests.docs.pages import DIAGNOSTICS, PAGES, Block, blocks, name_of

ALL = [block for page in PAGES if page != DIAGNOSTICS for block in blocks(page, "ludo")]
EXCERPTS = [block for block in ALL if block.word("excerpt")]
RULES = [block for block in ALL if block not in EXCERPTS]

_SINGLE = re.compile(r"^(?=(?:words|board|players|dice)\b)", re.MULTILINE)


def book_of(block: Block) -> str:
    """The whole rule book of a block: a fragment changes one of the project's, whose board and dice it puts its own in place of."""
    if "fragment" not in block.words:
        return block.text
    parent = block.word("extends") or "amarnepal"
    return f'variant example "Example" extends {parent}\n\n' + _SINGLE.sub("replace ", block.text)


def warnings_of(block: Block, folder: Path) -> list[Diagnostic]:
    """The warnings about the rule book of a block; files of its page are found beside it."""
    for other in blocks(block.page, "ludo"):
        put(other, folder)
    source = Source(str(folder / "example.ludo"), book_of(block))
    checked = check(source)
    broken = claims_broken_by_changes(source, checked.book) if "fragment" not in block.words else ()
    return [*checked.warnings, *broken]


def put(block: Block, folder: Path) -> None:
    """Writes the file that a block stands for."""
    name = block.word("file")
    if name is not None:
        (folder / name).write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("block", [b for b in RULES if "faulty" not in b.words], ids=str)
def test_rules_are_without_fault(block: Block, tmp_path: Path) -> None:
    assert [d.code for d in warnings_of(block, tmp_path)] == ([block.word("warning")] if block.word("warning") else [])


@pytest.mark.parametrize("block", [b for b in RULES if "faulty" in b.words], ids=str)
def test_faulty_rules_are_refused(block: Block, tmp_path: Path) -> None:
    with pytest.raises(RuleBookError):
        warnings_of(block, tmp_path)


@pytest.mark.parametrize("block", EXCERPTS, ids=str)
def test_excerpts_are_taken_from_the_rule_book(block: Block) -> None:
    book = spec_path("variants", f"{block.word('excerpt')}.ludo").read_text(encoding="utf-8")
    for paragraph in block.text.strip().split("\n\n"):
        assert f"\n{paragraph}\n" in book


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
    for block in blocks(page, "console", "ludo", "text", "yaml"):
        if block.language != "console":
            put(block, run.folder)
            continue
        for command, expected in commands(block):
            assert command.startswith("ludo "), f"{block}: `{command}` is not tried by this test: use another kind of block"
            printed = run(command)
            if os.environ.get("LUDO_WRITE_EXPECTED") and not matches(printed, expected):
                write_anew(page, command, expected, printed)
                continue
            assert matches(printed, expected), f"{block}: `{command}` prints\n{printed}"


def write_anew(page: Path, command: str, expected: str, printed: str) -> None:
    text = page.read_text(encoding="utf-8")
    old, new = f"$ {command}\n{expected}", "\n".join([f"$ {command}", *lines(printed), ""])
    assert old in text
    page.write_text(text.replace(old, new, 1), encoding="utf-8")


class Shell:
    """Runs commands as a user would, in a folder of their own, with `ludo` from the package under test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        tools = folder / "tools"
        tools.mkdir()
        python = f'#!/bin/sh\nexec "{sys.executable}"'
        for name, rest in (("ludo", ' -c "from ludo_dsl.cli import main; main()" "$@"'), ("python3", ' "$@"')):
            (tools / name).write_text(f"{python}{rest}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        root = str(Path(__file__).parents[2])
        # Commands that name a sample engine are given in a clone of the project.
        (self.folder / "conformance").symlink_to(Path(root) / "conformance")
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
    """Whether a text is the expected one; `…` stands for any characters of a line, or, alone, for any lines."""
    patterns = ["(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines(expected)]
    return re.fullmatch("".join(patterns), "".join(f"{line}\n" for line in lines(printed))) is not None


def lines(text: str) -> list[str]:
    """The lines of a text, without spaces at their ends, and without empty ones before and after."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").splitlines()


def test_a_wrong_output_is_noticed() -> None:
    assert matches("a\nb \nc\n", "a\n…\nc\n")
    assert matches("a\nc\n", "a\n…\nc\n")
    assert not matches("a\nb\nd\n", "a\n…\nc\n")
    assert not matches("a\n", "a\nb\n")
    assert matches("12 faults\n", "… faults\n")
    assert not matches("12 faults\n", "… fault\n")
