"""The formatter: one canonical layout for a rule book, with the same syntax tree and every comment.

Built on the syntax tree alone: which phrases begin a line, and how deep, follows from their kind (`_leaves`); comments and
punctuation, which the tree leaves out, are read from the text between its words (`_lines`). How the lines are then written
and wrapped is the business of `layout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ludo_dsl.source import Source
from ludo_dsl.syntax.layout import Comment, Line, Piece, write
from ludo_dsl.syntax.parser import parse
from ludo_dsl.syntax.tree import Node, Word

COMPACT = frozenset({"counter", "let", "default_change", "drop"})
"""Declarations of one line, which may stand together without a blank line."""

_LINES = frozenset(
    (
        # sentences, words, choices and settings
        *("sentence", "word", "choice", "face_values", "number_values", "setting"),
        # board, players, dice
        *("arms", "arm", "turning", "approach", "lane", "mark", "link"),
        *("colours", "seats", "sides", "setup_line", "first", "shoe"),
        # statements and their effects
        *("may", "never", "must", "when", "once", "past", "lane_opens", "count", "rank", "stands"),
        *("send", "share", "roll_again", "end_turn", "end_game", "retire", "skip_roll", "grant", "score", "add"),
        # claims and their outcomes
        *("claim_never", "claim_always", "claim_given"),
        *("outcome_legal", "outcome_refuse", "outcome_move", "outcome_gives"),
    )
)
"""The phrases that begin a line of their own, a level deeper than the line that they belong to."""

_LEVEL_WITH_PARENT = frozenset({"forfeit", "BARRED"})
"""Lines on the level of the line that they belong to: `else` stands under its `must`, `barred` under the shoe."""

_LEVEL_WITH_CHILDREN = frozenset({"face_values", "number_values"})
"""Lines whose sentences and statements stand on the same level."""

_BREAKS = frozenset({"IF", "AND", "OR", "OTHERWISE"})
_RELUCTANT_BREAKS = frozenset({"PLUS", "MINUS"})

_BETWEEN = re.compile(r"#[^\n]*|[^\s#]")
_COMMENT = re.compile(r'"[^"\n]*"|(#[^\n]*)')
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


class FormatterError(AssertionError):
    """The formatter would have changed what a rule book says: a fault of the formatter, never of the book."""


def format_source(source: Source) -> str:
    """The rule book in canonical layout; formatting the result again changes nothing.

    Raises:
        RuleBookError: the text is not well formed.
        FormatterError: the result would not say the same (a fault of this module).
    """
    book = parse(source)
    text = write(*_lines(source.text, book))
    again = Source(source.name, text)
    if parse(again) != book or comments(text) != comments(source.text):
        raise FormatterError(f"the layout of {source.name} would change what it says")
    return text


def comments(text: str) -> list[str]:
    """The comments of a rule book, in order, without the spaces at their ends."""
    return [match.group(1).rstrip() for match in _COMMENT.finditer(text) if match.group(1)]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A word of the tree: the level of the line that it begins, if it does, and how deep the boundary before it lies."""

    word: Word
    level: int | None
    boundary: int
    compact: bool


def _leaves(book: Node) -> Iterator[_Leaf]:
    """The words of a book in order, without recursion: deep nesting must not exhaust the stack."""
    begins: int | None = None
    boundary = 0
    compact = False
    # A phrase or word, the level of the line it stands in, whether it begins that line, and its depth in the tree.
    todo: list[tuple[Node | Word, int, bool, int]] = [(part, 0, True, 1) for part in reversed(book.parts)]
    while todo:
        part, level, begins_line, depth = todo.pop()
        if begins_line:
            begins = level
        if depth == 1:
            compact = isinstance(part, Node) and part.kind in COMPACT
        # The boundary between two words belongs to the smallest phrase that holds both.
        boundary = min(boundary, depth - 1)
        if isinstance(part, Word):
            yield _Leaf(part, begins, boundary, compact)
            begins, boundary = None, depth
        else:
            todo.extend((*place, depth + 1) for place in reversed(_places(part, level)))


def _places(phrase: Node, level: int) -> list[tuple[Node | Word, int, bool]]:
    """The parts of a phrase, each with the level of its line and whether it begins that line."""
    if phrase.kind in _LEVEL_WITH_CHILDREN:
        level -= 1
    found: list[tuple[Node | Word, int, bool]] = []
    before = ""
    for part in phrase.parts:
        step = _step(part, phrase.kind, before)
        found.append((part, level + (step or 0), step is not None))
        before = part.kind
    return found


def _step(part: Node | Word, parent: str, before: str) -> int | None:
    """How much deeper than the line it belongs to a part begins a line of its own; `None` if it does not."""
    if part.kind == "condition" and parent == "rank":
        return 1  # a list of keys is long enough
    if part.kind == "outcome_gives" and before == "outcome_move":
        return None  # what a move gives is read together with the move
    if part.kind in _LEVEL_WITH_PARENT:
        return 0
    return 1 if part.kind in _LINES else None


def _lines(text: str, book: Node) -> tuple[list[Line], list[Comment]]:
    """The logical lines of a book with their comments, and the comments after the last of them."""
    lines: list[Line] = []
    pending: list[Comment] = []
    end = 0
    for leaf in _leaves(book):
        start = leaf.word.span.start
        end = _read_gap(text, (end, start), leaf.boundary, lines, pending)
        blank = _BLANK_LINE.search(text, end, start) is not None
        if leaf.level is None:
            lines[-1].inside.extend(pending)
        else:
            if pending and not pending[0].own_line:
                lines[-1].inside.append(pending.pop(0))
            lines.append(Line(leaf.level, _column(text, start), blank, leaf.compact, above=list(pending)))
        pending.clear()
        lines[-1].add(_piece(leaf, lines[-1].pieces))
        end = leaf.word.span.end
    _read_gap(text, (end, len(text)), 0, lines, pending)
    if pending and not pending[0].own_line:
        lines[-1].inside.append(pending.pop(0))
    return lines, pending


def _read_gap(text: str, gap: tuple[int, int], boundary: int, lines: list[Line], pending: list[Comment]) -> int:
    """Read what stands between two words: punctuation into the last line, comments into `pending`; the end of the last one."""
    start, end = gap
    for match in _BETWEEN.finditer(text, start, end):
        blank = _BLANK_LINE.search(text, start, match.start()) is not None
        start = match.end()
        if match.group().startswith("#"):
            column = _column(text, match.start())
            own_line = not text[match.start() - column : match.start()].strip()
            pending.append(Comment(match.group().rstrip(), column, own_line, blank))
        else:
            lines[-1].inside.extend(pending)
            pending.clear()
            # Clauses go to a line of their own where nothing else helps; the bracket belongs to the word after it.
            bracket = match.group() == "["
            lines[-1].add(Piece(match.group(), boundary if bracket else None, reluctant=bracket))
    return start


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)


def _piece(leaf: _Leaf, before: list[Piece]) -> Piece:
    """A word as a piece of its line: where it may be wrapped, and a sentence that must not force wrapping."""
    after_comma = bool(before) and before[-1].text == ","
    reluctant = leaf.word.kind in _RELUCTANT_BREAKS
    breaks = bool(before) and (after_comma or reluctant or leaf.word.kind in _BREAKS)
    prose = not before and leaf.word.kind == "STRING"
    return Piece(leaf.word.text, leaf.boundary if breaks else None, reluctant, prose)
