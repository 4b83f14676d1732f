"""The syntax tree: phrases named as the grammar names them, and the words they consist of.

Names are still plain strings here; the checker gives them their meaning. Spans take no part in equality, so two texts
that differ in layout and comments only have equal trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludo_dsl.source import Span


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the text: its terminal in the grammar, and how it is written."""

    kind: str
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Node:
    """A phrase: the rule of the grammar that it follows, and its parts."""

    kind: str
    parts: tuple[Node | Word, ...]
    span: Span = field(compare=False)

    def nodes(self, *kinds: str) -> Iterator[Node]:
        """The direct parts that are phrases of one of the kinds; all phrases without kinds."""
        for part in self.parts:
            if isinstance(part, Node) and (not kinds or part.kind in kinds):
                yield part

    def node(self, *kinds: str) -> Node | None:
        """The first direct part of one of the kinds."""
        return next(self.nodes(*kinds), None)

    def words(self, *kinds: str) -> Iterator[Word]:
        """The direct parts that are words of one of the terminals; all words without terminals."""
        for part in self.parts:
            if isinstance(part, Word) and (not kinds or part.kind in kinds):
                yield part

    def word(self, *kinds: str) -> Word | None:
        """The first direct word of one of the terminals."""
        return next(self.words(*kinds), None)

    def has(self, *kinds: str) -> bool:
        """Whether one of the terminals is a direct part."""
        return self.word(*kinds) is not None

    def the(self, *kinds: str) -> Word:
        """The first direct word of one of the terminals, which the grammar guarantees."""
        found = self.word(*kinds)
        assert found is not None, f"{self.kind} without {kinds}"
        return found

    def text(self) -> str:
        """The words of the phrase, joined by spaces."""
        return " ".join(p.text if isinstance(p, Word) else p.text() for p in self.parts)
