"""The pages say everything: no word of the language, term, setting, verb or code is missing, and no link leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ludo_dsl import load
from ludo_dsl.check import scope
from ludo_dsl.check.scope import BOARD_NUMBERS, Context
from ludo_dsl.cli import VERBS, ludo
from ludo_dsl.game.events import EventKind, Part
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.expressions import Fact
from ludo_dsl.rules.statements import RESOLUTION, TURN, Builtin, Trigger
from ludo_dsl.rules.table import shown_value
from ludo_dsl.source import Source
from ludo_dsl.syntax.parser import grammar, keywords, parse
from ludo_dsl.syntax.tree import Node
from tests.docs.pages import PAGES, ROOT, blocks, name_of
from tests.docs.test_examples import book_of

LANGUAGE = ROOT / "spec" / "language"
DOCS = ROOT / "docs"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# ---- syntax ------------------------------------------------------------------------------------------------------------


def forms() -> set[str]:
    """Every kind of phrase that the grammar can make."""
    return {rule.alias or str(rule.origin.name) for rule in grammar().rules if not str(rule.origin.name).startswith("_")}


def phrases(node: Node) -> Iterator[Node]:
    yield node
    for part in node.nodes():
        yield from phrases(part)


def test_the_examples_of_the_syntax_page_show_every_form() -> None:
    shown = {p.kind for b in blocks(LANGUAGE / "syntax.md", "ludo") for p in phrases(parse(Source(str(b), book_of(b))))}
    inlined = {str(rule.origin.name) for rule in grammar().rules if rule.options.expand1}
    assert forms() - shown - inlined - {"declarations", "plain"} == set()


def test_the_syntax_page_names_every_word_of_the_language() -> None:
    text = read(LANGUAGE / "syntax.md")
    assert [word for word in keywords().values() if not re.search(rf"(?<![\w-]){word}(?![\w-])", text)] == []


# ---- checking ------------------------------------------------------------------------------------------------------------

CONTEXTS = [context for context in vars(scope).values() if isinstance(context, Context)]


def table_after(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, head and rule left out."""
    rows = []
    for line in text[text.index(heading) :].splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
        elif rows:
            break
    return rows[2:]


def marks(context: Context) -> dict[str, bool]:
    """What can be asked in a context, by the rows of the page."""
    facts = {f"`{fact}`": fact in context.facts for fact in Fact if fact not in (Fact.CAPTURES, Fact.DIE)}
    return facts | {
        "pieces, counters, `captures`": context.game,
        "`6 rolled 3 times`": context.game,
        "`here`, `from`": context.here,
        "`die`, `every die`": context.dice,
        "`movable`, `stuck`": context.choices,
    }


def test_the_table_of_terms_is_the_one_that_the_checker_uses() -> None:
    text = read(LANGUAGE / "checking.md")
    heading = "## What can be asked where"
    order = [scope.SETTLED, scope.STATE, scope.GUARD, scope.CHOICE, scope.BEFORE, scope.ROLL, scope.RESULT, scope.CLAIM]
    assert {c.name for c in order} == {c.name for c in CONTEXTS}
    rows = table_after(text, heading)
    found = {row[0]: [cell == "yes" for cell in row[1:]] for row in rows}
    assert found == {what: [marks(context)[what] for context in order] for what in marks(scope.STATE)}


@pytest.mark.parametrize("name", BOARD_NUMBERS)
def test_measures_are_explained(name: str) -> None:
    assert f"`{name}`" in read(LANGUAGE / "checking.md")


# ---- play ----------------------------------------------------------------------------------------------------------------


def test_the_play_page_tells_the_phases_and_stages_in_their_order() -> None:
    text = read(LANGUAGE / "play.md")
    assert re.findall(r"^\d+\. \*\*([a-z ]+)\*\*", text[text.index("## What a move does") :], re.MULTILINE)[: len(RESOLUTION)] == list(
        RESOLUTION
    )
    assert re.findall(r"^\d+\. \*\*([a-z ]+)\*\*", text[text.index("## A turn") :], re.MULTILINE)[: len(TURN)] == list(TURN)


@pytest.mark.parametrize("word", [*Trigger, *Builtin, *Part, *EventKind])
def test_the_play_page_names_events_behaviours_and_traces(word: str) -> None:
    assert f"`{word}`" in read(LANGUAGE / "play.md")


# ---- rule books ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", variant_names())
def test_the_page_of_rule_books_lists_options_and_readings(name: str) -> None:
    book = load(name).book
    rows = table_after(read(DOCS / "rule-books.md"), f"## {book.title}")
    expected = [[s.role, f"`{s.id}`", f"`{shown_value(s.default)}`"] for s in book.settings]
    assert [row[:3] for row in rows] == expected


# ---- command line ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_and_option_is_on_the_page(verb: str) -> None:
    text = read(DOCS / "command-line.md")
    assert f"## ludo {verb}" in text
    section = text[text.index(f"## ludo {verb}") :]
    section = section[: section.find("\n## ", 5)] if "\n## " in section[5:] else section
    command = ludo.get_command(click.Context(ludo), verb)
    assert command is not None
    common = {"--players", "--option", "--reading", "--json"}
    options = {o for p in command.params if isinstance(p, click.Option) for o in p.opts} - common
    assert [o for o in options if f"`{o}" not in section] == []


# ---- links and privacy -----------------------------------------------------------------------------------------------------

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path: Path) -> set[str]:
    """The anchors of a page: its headings in small letters, without punctuation, spaces as hyphens."""
    text = re.sub(r"```.*?```", "", read(path), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_line_is_too_long(page: Path) -> None:
    long = [line for line in read(page).splitlines() if len(line) > 140 and not line.startswith("|")]
    assert long == []
