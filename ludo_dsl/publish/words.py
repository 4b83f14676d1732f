"""A rule book's own words in general English: `the {piece}` becomes `the token` where that is what its players say."""

from __future__ import annotations

import re

from ludo_dsl.rules.book import Book

_GENERAL = re.compile(
    r"`[^`]*`|\b(?:(?:came|comes|come|goes|go|gets|not|past|of|to|into|at) home\b|home\b|start squares?\b|pieces?\b"
    r"|(?:the|their|its) yard\b|(?:the|its) lane\b|the die\b)"
)
_VOWELS = "aeiou"
_PREPOSITIONS = {"came": "to", "come": "to", "comes": "to", "goes": "to", "go": "to", "gets": "into", "not": "in", "at": "in"}


def plural(word: str) -> str:
    """The plural of an English noun: `tokens`, `men`, `entries`."""
    if word.endswith("man"):
        return f"{word[:-3]}men"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    return f"{word}s"


def a(noun: str) -> str:
    """A noun with its article: `a token`, `an entry`."""
    return f"an {noun}" if noun[:1].lower() in _VOWELS else f"a {noun}"


def listed(words: list[str], last: str = "and") -> str:
    """Words as a list: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def sentence(text: str) -> str:
    """A phrase as a sentence: a capital at its beginning, a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}." if not text.endswith((".", "!", "?")) else f"{text[:1].upper()}{text[1:]}"


class Words:
    """The words of one rule book for the things that every Ludo has."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.piece = book.word("piece")
        self.pieces = plural(self.piece)
        self.home = book.word("home")
        self.yard = book.word("yard")
        self.lane = book.word("lane") if book.word("lane") != "lane" else "home column"
        self.die = book.word("die")
        start = book.word("start")
        self.start = start if start != "start" else "start square"

    def own(self, text: str) -> str:
        """A phrase with general words (`piece`, `the yard`, `home`) in the words of the book; names in backticks stay as they are."""
        # One pass over the general text, so that a word of the book is never replaced in its turn.
        return _GENERAL.sub(lambda match: self._word(match.group()), text)

    def _word(self, found: str) -> str:
        before, _, last = found.rpartition(" ")
        match last:
            case "piece":
                return self.piece
            case "pieces":
                return self.pieces
            case "yard":
                return f"{before} {self.yard}"
            case "lane":
                return f"{before} {self.lane}"
            case "die":
                return f"the {self.die}"
            case "square":
                return self.start
            case "squares":
                return plural(self.start)
            case "home":
                return self._home(before)
            case _:
                return found

    def _home(self, before: str) -> str:
        if self.home == "home":
            return f"{before} home".strip() if before != "at" else "home"
        if before in ("past", "of", "to", "into"):
            return f"{before} the {self.home}"
        if before == "at" or not before:
            return f"in the {self.home}"
        return f"{before} {_PREPOSITIONS[before]} the {self.home}"

    def kind(self, name: str) -> str:
        """One square of a kind, with its article: `a star`, `a start square`."""
        general = {
            "start": a(self.start),
            "own start": f"the {self.piece}'s own {self.start}",
            "track": "a square of the track",
            "lane": f"a square of the {self.lane}",
            "approach": "a square of the approach",
            "home": f"the {self.home}" if self.home != "home" else "home",
        }
        return general.get(name) or a(self.book.word(name))
