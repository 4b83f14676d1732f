"""Checking sentences: every number in them is a placeholder, and stands in the rules that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ludo_dsl.check.figures import Figures
from ludo_dsl.check.places import Places
from ludo_dsl.check.scope import BOARD_NUMBERS
from ludo_dsl.check.spots import head, sentence
from ludo_dsl.diagnostics import Diagnostic, closest, suggestion
from ludo_dsl.rules.book import Book, Declaration, FaceSet, Named, Range, Sentence
from ludo_dsl.rules.expressions import ALWAYS
from ludo_dsl.rules.wording import FORMATS, Placeholder, ordinal, placeholders, word
from ludo_dsl.source import Source, Span

_WORDS = {word(n): (n, "word") for n in range(2, 100)} | {"hundred": (100, "word"), "dozen": (12, "word")}
# Beyond `tenth` people write other things; `second` and `third` are ordinals here, not parts of a minute or of a whole.
_ORDINALS = {ordinal(n): (n, "ordinal") for n in range(2, 21)}
_TIMES = {"twice": (2, "times"), "thrice": (3, "times")}
_NUMERALS = _WORDS | _ORDINALS | _TIMES
_NUMERAL = re.compile(r"\b(?:[0-9]+|" + "|".join(sorted(_NUMERALS, key=len, reverse=True)) + r")\b", re.IGNORECASE)

_NEEDS_SENTENCE = ("rule", "host", "show")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text for people, the sentence whose condition it stands under, and where its first letter is."""

    text: str
    sentence: Sentence
    start: int


def check_sentences(book: Book, places: Places) -> list[Diagnostic]:
    """The faults of sentences and labels: numerals, placeholders that name nothing, and numbers that no rule has."""
    return list(_SentenceChecker(book, places).faults())


class _SentenceChecker:
    def __init__(self, book: Book, places: Places) -> None:
        self.book = book
        self.places = places
        self.figures = Figures(book)

    def faults(self) -> Iterator[Diagnostic]:
        for declaration in self.book.declarations:
            source = self.places.source(declaration.file)
            if declaration.kind in _NEEDS_SENTENCE and not declaration.sentences:
                message = f"the {declaration.kind} `{declaration.name}` has no sentence"
                hint = 'say in a sentence what it means, in quotes: `"…"`'
                yield Diagnostic("L0604", message, source, head(source, declaration), hint)
            for text in self._texts(declaration, source):
                yield from self._numerals(text, source)
                yield from self._braces(text, source)
                for found in placeholders(text.text):
                    yield from self._placeholder(found, text, declaration, source)

    def _texts(self, declaration: Declaration, source: Source) -> Iterator[_Text]:
        """The sentences of a declaration, and the labels of an option or reading and of its values."""
        plain = Sentence("", ALWAYS)
        for written in declaration.sentences:
            yield _Text(written.text, written, sentence(source, declaration, written.text).start)
        setting = self.book.setting(declaration.name) if declaration.kind in ("option", "reading") else None
        if setting is not None:
            labels = [v.label for v in setting.domain.values] if isinstance(setting.domain, Named) else []
            for label in (setting.label, *labels):
                yield _Text(label, plain, sentence(source, declaration, label).start)

    # ---- numerals and braces -------------------------------------------------------------------------------------------

    def _numerals(self, text: _Text, source: Source) -> Iterator[Diagnostic]:
        bare = re.sub(r"\{[^{}]*\}", lambda m: " " * len(m.group()), text.text)
        for match in _NUMERAL.finditer(bare):
            number, form = _NUMERALS.get(match.group().lower(), (match.group(), ""))
            placeholder = f"{{{number}:{form}}}" if form else f"{{{number}}}"
            span = Span(text.start + match.start(), text.start + match.end())
            hint = f"write `{placeholder}`, so that it is held to the rules, or say it without a number"
            yield Diagnostic("L0601", f"the number `{match.group()}` is no placeholder", source, span, hint)

    def _braces(self, text: _Text, source: Source) -> Iterator[Diagnostic]:
        bare = re.sub(r"\{[^{}]*\}", lambda m: " " * len(m.group()), text.text)
        for match in re.finditer(r"[{}]", bare):
            at = text.start + match.start()
            hint = "a placeholder is `{6}`, `{6:word}` or `{name}`"
            yield Diagnostic("L0602", f"`{match.group()}` without its partner", source, Span(at, at + 1), hint)

    # ---- placeholders --------------------------------------------------------------------------------------------------

    def _placeholder(self, found: Placeholder, text: _Text, declaration: Declaration, source: Source) -> Iterator[Diagnostic]:
        span = Span(text.start + found.start, text.start + found.end)
        shown = text.text[found.start : found.end]
        if not found.subject:
            hint = "a placeholder is `{6}`, `{6:word}` or `{name}`"
            yield Diagnostic("L0602", f"`{shown}` is no placeholder", source, span, hint)
        elif found.format and found.format not in FORMATS:
            near = closest(found.format, FORMATS)
            hint = f"did you mean `{near}`?" if near else "formats: " + ", ".join(f"`{f}`" for f in FORMATS)
            yield Diagnostic("L0602", f"there is no format `{found.format}`", source, span, hint)
        elif found.subject.isdigit():
            yield from self._number(found, shown, text, declaration, source, span)
        else:
            yield from self._name(found, source, span)

    def _name(self, found: Placeholder, source: Source, span: Span) -> Iterator[Diagnostic]:
        kind = self._kinds().get(found.subject)
        wanted = {"list": "faces", "range": "players"}.get(found.format, "number")
        if kind is None:
            hint = suggestion(found.subject, self._kinds(), "names")
            setting = self.book.setting(found.subject)
            if setting is not None:
                hint = f"the {setting.role} `{setting.id}` has named values: give the sentence a condition instead"
            yield Diagnostic("L0602", f"`{found.subject}` names no number", source, span, hint)
        elif wanted != kind and not (wanted == "number" and kind == "players"):
            cure = {"faces": "list", "players": "word", "number": "word"}[kind]
            message = f"`{found.subject}` cannot be given as `{found.format or 'digits'}`"
            yield Diagnostic("L0602", message, source, span, f"write `{{{found.subject}:{cure}}}`")

    def _kinds(self) -> dict[str, str]:
        """The names that placeholders can use, and what each of them is."""
        names = {name: "number" for name in BOARD_NUMBERS if self.book.dice.shoe is not None or not name.startswith("longest")}
        names |= {name: "number" for name, _ in self.book.board.marks}
        for setting in self.book.settings:
            if isinstance(setting.domain, (Range, FaceSet)):
                names[setting.id] = "number" if isinstance(setting.domain, Range) else "faces"
        return names | {"players": "players"}

    def _number(
        self, found: Placeholder, shown: str, text: _Text, declaration: Declaration, source: Source, span: Span
    ) -> Iterator[Diagnostic]:
        if found.format in ("range", "list"):
            hint = f"write `{{{found.subject}:word}}`"
            yield Diagnostic("L0602", f"a number cannot be given as `{found.format}`", source, span, hint)
            return
        known = self.figures.of(declaration, text.sentence)
        if int(found.subject) not in known:
            numbers = ", ".join(str(n) for n in sorted(known)[:12])
            hint = f"the numbers there are {numbers}" if known else "it has no number at all: say it without one"
            yield Diagnostic("L0603", f"the number of `{shown}` stands in no rule that this speaks of", source, span, hint)
