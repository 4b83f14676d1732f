"""What the parser could not read, told in the words of the rule book: one diagnostic for one fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ludo_dsl.diagnostics import Diagnostic, closest
from ludo_dsl.source import Source, Span

DECLARATIONS = tuple(
    sorted(
        {"variant", "words", "option", "reading", "board", "players", "dice", "counter", "let", "rule", "host", "show", "claim"}
        | {"set", "drop", "replace", "before", "after"}
    )
)
"""The words that begin a declaration."""

_STATEMENTS = frozenset({"may", "never", "must", "when", "once", "past", "lane", "count", "rank", "stands"})
_EFFECTS = frozenset({"send", "share", "roll", "end", "retire", "skip", "grant", "score", "add"})
_EVENTS = frozenset({"rolled", "moved", "captured", "landing", "passing", "reached", "retired", "no", "turn", "round"})
_VALUES = frozenset({"all", "groups", "highest", "movable", "nearest", "none", "remaining", "start", "stuck", "travelled"})
_MORE_VALUES = frozenset(
    {"not", "every", "die", "here", "from", "captured", "entered", "retreating", "untouched", "walked", "came", "sent", "turn"}
    | {"owed", "round", "score", "players", "own", "allies", "enemies", "pieces", "ours", "`(`", "a number", "a name"}
)

_GROUPS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("a value or condition", _VALUES, _MORE_VALUES),
    ("an effect such as `send`", _EFFECTS, frozenset()),
    ("an event such as `moved` (a condition begins with `if`)", _EVENTS, frozenset()),
    ("a statement such as `may`", _STATEMENTS, frozenset()),
    ("the next declaration", frozenset({"rule", "let"}), frozenset(DECLARATIONS)),
)
"""What to say for words that are expected together: the words that must all be there, and those that are then left out as well."""

_TERMINALS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a sentence in quotes",
    "CLAUSE": "a clause such as LC-01",
    "SIDES_OF_DIE": "a die such as d6",
    "COMPARE": "a comparison such as `=`",
    "DOTS": "`..`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "COMMA": "`,`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "STAR": "`*`",
    "EQUAL": "`=`",
}

_CHARACTERS = {
    "'": 'a sentence stands in straight double quotes: `"`',
    "“": 'a sentence stands in straight double quotes: `"`',
    "”": 'a sentence stands in straight double quotes: `"`',
    "„": 'a sentence stands in straight double quotes: `"`',
    "_": "names are written with hyphens, such as `my-rule`",
    "/": "a comment begins with `#`",
    ".": "no full stop is needed: a statement ends with its line",
    ";": "nothing is needed at the end of a line",
    ":": "nothing is needed at the end of a line",
    "–": "a range is written with two dots, such as `2..4`; a minus is `-`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "×": "write `*`",
}

_LAST_WORD = re.compile(r"[a-z][a-z0-9-]*(?=\s*\Z)")
_LOOK_BACK = 200  # characters: a word and the indentation after it, but no text so long that searching it takes time


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of a source that could not be parsed, and what is needed to say why.

    `keywords` are the reserved words by the names of their terminals. `failure` parses a text instead of the stretch and gives
    the offset in it of the first fault, or `None` without one.
    """

    source: Source
    start: int
    end: int
    keywords: Mapping[str, str]
    failure: Callable[[str], int | None]

    def explain(self, error: UnexpectedInput) -> Diagnostic:
        """The diagnostic for an error of the parser in this stretch."""
        if isinstance(error, UnexpectedCharacters):
            return self._character(self.start + (error.pos_in_stream or 0))
        expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
        if isinstance(error, UnexpectedToken) and error.token.type != "$END":
            at = self.start + (error.token.start_pos or 0)
            span = Span(at, at + len(error.token))
            return self._run_together(span) or self._token(error.token.type, span, expected)
        # The end: shown at the last character that is not space.
        at = max(self.start, self.start + len(self.source.text[self.start : self.end].rstrip()) - 1)
        return self._fault("L0102", "the declaration ends too early", Span(at, at + 1), self._expected(expected))

    def _fault(self, code: str, message: str, span: Span, hint: str) -> Diagnostic:
        return Diagnostic(code, message, self.source, span, hint)

    def _character(self, at: int) -> Diagnostic:
        text = self.source.text
        if text[at] == '"':
            stop = text.find("\n", at)
            hint = 'end it with `"` on the same line; a longer text is written as several sentences'
            return self._fault("L0104", "this sentence has no closing quote", Span(at, stop if stop > 0 else len(text)), hint)
        hint = _CHARACTERS.get(text[at], "")
        if text[at].isupper():
            line = text[text.rfind("\n", 0, at) + 1 : at]
            in_brackets = line.rfind("[") > line.rfind("]")
            hint = "a clause is two capitals, a hyphen and two digits, such as `LC-01`" if in_brackets else self._capital(line)
        return self._fault("L0103", f"`{text[at]}` has no meaning here", Span(at, at + 1), hint)

    @staticmethod
    def _capital(line: str) -> str:
        """The cure for a capital letter: a line that begins with one is meant for people."""
        small = "write small letters here"
        return small if line.strip() else small + '; a sentence for people stands in quotes: `"…"`'

    def _run_together(self, span: Span) -> Diagnostic | None:
        """The fault in a word of which the parser took the beginning for a keyword."""
        text = self.source.text
        first = max(self.start, span.start - _LOOK_BACK)
        match = _LAST_WORD.search(text[first : span.start])
        if match is None or first + match.end() != span.start or not text[span.start].isalnum():
            return None
        whole = Span(first + match.start(), span.end)
        near = closest(text[whole.start : whole.end], self.keywords.values())
        hint = f"did you mean `{near}`?" if near else "a space is missing"
        return self._fault("L0101", f"`{_short(self.source.slice(whole))}` was not expected here", whole, hint)

    def _token(self, kind: str, span: Span, expected: set[str]) -> Diagnostic:
        word = self.source.slice(span)
        before = self.source.text[self.start : span.start]
        line = before.rpartition("\n")[2]
        # Where a value may stand, a keyword is more likely a slip in the condition than an attempt at a name.
        if "NAME" in expected and "LPAR" not in expected and kind in self.keywords and line.strip():
            hint = f"choose another name, such as `my-{word}`"
            return self._fault("L0203", f"`{word}` is a word of the language and cannot be a name", span, hint)
        slip = None if kind == "NAME" and self._near(word, line, expected) else self._slip_before(before, span)
        if slip is not None:
            return slip
        return self._fault("L0101", f"`{_short(word)}` was not expected here", span, self._hint(word, kind, line, expected))

    def _near(self, word: str, line: str, expected: set[str]) -> str | None:
        """The word that may stand here and is most like the one that does."""
        words = {self.keywords[name] for name in expected if name in self.keywords}
        return closest(word, words if line else words | set(DECLARATIONS))

    def _slip_before(self, before: str, span: Span) -> Diagnostic | None:
        """The fault in the word before, if it passed for a name and with a like keyword the text can be read further."""
        match = _LAST_WORD.search(before, max(0, len(before) - _LOOK_BACK))
        if match is None or match.group() in self.keywords.values():
            return None
        near = closest(match.group(), self.keywords.values())
        if near is None:
            return None
        changed = before[: match.start()] + near + before[match.end() :]
        failure = self.failure(changed + self.source.text[span.start : self.end])
        if failure is not None and failure <= len(changed):
            return None
        place = Span(self.start + match.start(), self.start + match.end())
        return self._fault("L0101", f"`{_short(match.group())}` was not expected here", place, f"did you mean `{near}`?")

    def _hint(self, word: str, kind: str, line: str, expected: set[str]) -> str:
        near = self._near(word, line, expected) if kind == "NAME" else None
        if near is not None:
            return f"did you mean `{near}`?"
        if word == "=" and line.rstrip().endswith("="):
            return "a comparison for equality is written with one `=`"
        if word in _STATEMENTS and not line:
            return "a statement stands under a `rule`, or under a choice of an `option` or `reading`"
        if word in _EFFECTS and "MAY" in expected:
            return "an effect stands under `when` or `once`, such as `when moved`"
        return self._expected(expected)

    def _expected(self, expected: set[str]) -> str:
        """What could have stood here, in the user's words; at most nine things."""
        words = {_TERMINALS[name] for name in expected if name in _TERMINALS}
        words |= {self.keywords[name] for name in expected if name in self.keywords}
        groups: list[str] = []
        for name, needed, more in _GROUPS:
            if needed <= words:
                groups.append(name)
                words -= needed | more
        known = set(self.keywords.values())
        # Words before punctuation: what can follow is more likely one of them.
        singles = sorted(
            (f"`{word}`" if word in known else word for word in words), key=lambda text: (not text.strip("`")[0].isalpha(), text)
        )
        listed = groups + singles
        if len(listed) > 9:
            listed = [*listed[:8], "…"]
        if not listed:
            return ""
        return "expected " + (listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " or " + listed[-1])


def _short(token: str) -> str:
    return token if len(token) <= 40 else token[:39] + "…"
