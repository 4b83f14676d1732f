"""The parser: Lark over `spec/grammar/ludo.lark`, declaration by declaration, so that every broken one is reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from ludo_dsl.diagnostics import Diagnostic, RuleBookError, closest
from ludo_dsl.resources import spec_path
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.cache import cached
from ludo_dsl.syntax.faults import DECLARATIONS, Reading
from ludo_dsl.syntax.tree import Node, Word

LARGEST = 256_000
"""Characters that a rule book may have: many times the longest, and short enough to be parsed in a second or two."""

DEEPEST = 400
"""Levels of phrases within phrases: about fifty brackets."""

_START = re.compile(rf"^(?:{'|'.join(DECLARATIONS)})(?![\w-])", re.MULTILINE)
_WORD_BEFORE = re.compile(r"[a-z][a-z0-9-]*\Z")
_FIRST_COLUMN = re.compile(r"^[a-z][a-z0-9-]*", re.MULTILINE)


@cache
def grammar() -> Lark:
    """The parser of the language; its tables are kept in a cache file, because making them takes half a second."""
    options = {
        "start": ["book", "variant", "declarations"],
        "parser": "lalr",
        "propagate_positions": True,
        "maybe_placeholders": False,
    }
    text = spec_path("grammar", "ludo.lark").read_text(encoding="utf-8")
    return cached(f"{text}{options}", lambda: Lark(text, **options))


@cache
def keywords() -> dict[str, str]:
    """The reserved words: terminal name to word."""
    found = {t.name: t.pattern.value for t in grammar().terminals if t.pattern.type == "str"}
    return {name: word for name, word in found.items() if word[0].isalpha()}


def read_source(path: Path) -> Source:
    """The text of a file.

    Raises:
        RuleBookError: the file cannot be read (L0005), is not UTF-8 text (L0001) or is too large (L0003).
    """
    try:
        with path.open("rb") as file:
            data = file.read(4 * LARGEST + 1)
    except OSError as error:
        empty = Source(str(path), "")
        raise RuleBookError([Diagnostic("L0005", f"cannot read the file: {error.strerror}", empty, Span(0, 0))]) from None
    return decode(str(path), data)


def decode(name: str, data: bytes) -> Source:
    """The text that bytes stand for: UTF-8, with or without a byte order mark, with any line ends.

    Raises:
        RuleBookError: the bytes are not UTF-8 (L0001) or too many (L0003).
    """
    if len(data) > 4 * LARGEST:
        return_name = Source(name, "")
        raise RuleBookError([_too_large(return_name)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8", "replace")
        source = Source(name, good + "�")
        at = len(good)
        raise RuleBookError(
            [
                Diagnostic(
                    "L0001",
                    f"not UTF-8 text: byte 0x{data[error.start]:02x} does not belong here",
                    source,
                    Span(at, at + 1),
                    "save the file with the encoding UTF-8",
                )
            ]
        ) from None
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def _too_large(source: Source) -> Diagnostic:
    return Diagnostic(
        "L0003",
        f"the rule book is longer than {LARGEST} characters",
        source,
        Span(0, 0),
        "no rule book is that long: is this the right file?",
    )


def parse(source: Source) -> Node:
    """The syntax tree of a whole rule book.

    Raises:
        RuleBookError: with one diagnostic for each declaration that is not well formed.
    """
    if len(source.text) > LARGEST:
        raise RuleBookError([_too_large(source)])
    bad = next((m for m in re.finditer(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", source.text)), None)
    if bad is not None:
        message = f"a control character (code {ord(bad.group())}) in the text"
        raise RuleBookError([Diagnostic("L0002", message, source, Span(bad.start(), bad.end()), "remove it")])
    parts: list[Node] = []
    faults: list[Diagnostic] = []
    for start, end in _chunks(source.text):
        try:
            node = _convert(_tree(source.text[start:end]), start, source)
            parts.extend([node] if node.kind == "variant" else node.nodes())
        except UnexpectedInput:
            faults.extend(_faults(source, start, end))
        except _FaultError as error:
            faults.append(error.diagnostic)
    if faults:
        raise RuleBookError(faults)
    if not parts or parts[0].kind != "variant":
        at = parts[0].span if parts else Span(0, 0)
        hint = 'begin the file with a line such as `variant my-house "My house rules"`'
        raise RuleBookError([Diagnostic("L0106", "a rule book begins with its `variant` line", source, at, hint)])
    extra = [p for p in parts[1:] if p.kind == "variant"]
    if extra:
        message = "a second `variant` line: a file holds one rule book"
        raise RuleBookError([Diagnostic("L0107", message, source, e.span, "move it to a file of its own") for e in extra])
    return Node("book", tuple(parts), Span(0, len(source.text)))


def _tree(text: str) -> Tree[Token]:
    tree = grammar().parse(text, start="book" if text.startswith("variant") else "declarations")
    assert isinstance(tree, Tree)
    return tree


def _failure(text: str) -> int | None:
    """Where a text cannot be parsed: the offset of the word that does not fit, or the length of a text that ends too early."""
    try:
        _tree(text)
    except UnexpectedInput as error:
        at = error.pos_in_stream
        return at if isinstance(at, int) and at >= 0 and getattr(error, "token", None) != "" else len(text)
    return None


def _faults(source: Source, start: int, end: int) -> Iterator[Diagnostic]:
    """The faults of a stretch that cannot be parsed: one for each declaration in it, misspelt ones counted."""
    words = _FIRST_COLUMN.finditer(source.text, start, end)
    known = set(keywords().values())
    misspelt = [m.start() for m in words if m.start() > start and m.group() not in known and closest(m.group(), DECLARATIONS)]
    for a, b in zip([start, *misspelt], [*misspelt, end], strict=True):
        try:
            _tree(source.text[a:b])
        except UnexpectedInput as error:
            yield Reading(source, a, b, keywords(), _failure).explain(error)


_UNFINISHED = re.compile(r"(?:(?:before|after)\s+[a-z][\w-]*|replace)(?:\s|#[^\n]*\n)*")


def _chunks(text: str) -> list[tuple[int, int]]:
    """Stretches of text that each begin with a declaration in the first column; what is before the first belongs to it."""
    starts: list[int] = []
    for match in _START.finditer(text):
        # `before NAME`, `after NAME` and `replace` go on with what comes next, on the same line or the one below.
        if not (starts and _UNFINISHED.fullmatch(text, starts[-1], match.start())):
            starts.append(match.start())
    before = text[: starts[0]] if starts else text
    if before and re.sub(r"#[^\n]*", "", before).strip():
        starts.insert(0, 0)
    return list(pairwise([*starts, len(text)]))


class _FaultError(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


def _check_apart(source: Source, at: int, word: str) -> None:
    """Refuse a word that runs into the one before it, which the lexer would let pass."""
    before = source.text[max(0, at - 40) : at]
    if before[-1:].isalnum() and word[0].isalnum() and _WORD_BEFORE.search(before):
        message = f"`{word}` runs into the word before it"
        raise _FaultError(Diagnostic("L0101", message, source, Span(at, at + len(word)), "put a space between them"))


def _convert(tree: Tree[Token], base: int, source: Source) -> Node:
    """Lark's tree as our own, without recursion: deep nesting must not exhaust the stack."""
    done: list[list[Node | Word]] = [[]]
    todo: list[tuple[Tree[Token] | Token, bool]] = [(tree, False)]
    while todo:
        item, closing = todo.pop()
        if isinstance(item, Token):
            at = base + (item.start_pos or 0)
            _check_apart(source, at, item)
            done[-1].append(Word(str(item.type), str(item), Span(at, at + len(item))))
        elif closing:
            parts = tuple(done.pop())
            # Lark's own place includes brackets, which are no parts.
            span = Span(base, base) if item.meta.empty else Span(base + item.meta.start_pos, base + item.meta.end_pos)
            kind = str(item.data)
            # A phrase of one part says no more than the part.
            if kind in _TRANSPARENT and len(parts) == 1 and isinstance(parts[0], Node):
                done[-1].append(parts[0])
            else:
                done[-1].append(Node(kind, parts, span))
        else:
            if len(done) > DEEPEST:
                at = base + (item.meta.start_pos if not item.meta.empty else 0)
                message = "phrases are nested too deeply here"
                hint = "give parts of the condition names with `let`"
                raise _FaultError(Diagnostic("L0105", message, source, Span(at, at + 1), hint))
            done.append([])
            todo.append((item, True))
            todo.extend((child, False) for child in reversed(item.children))
    root = done[0][0]
    assert isinstance(root, Node)
    return root


_TRANSPARENT = frozenset({"or_", "and_", "plain", "sum", "product"})
