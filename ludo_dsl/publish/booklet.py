"""The rule book of one table as people read it: what is in force there, in the variant's own words, in a reader's order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ludo_dsl.publish.grouping import Group, group_of_declaration
from ludo_dsl.publish.paraphrase import Paraphrase
from ludo_dsl.publish.words import listed, plural, sentence
from ludo_dsl.rules.book import Declaration, FaceSet, Named, Setting, SettingValue
from ludo_dsl.rules.expressions import Owner
from ludo_dsl.rules.statements import NeverCross, Rank, Share, Trigger, When
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.wording import choice, fill, word

_GROUPED = ("board", "players", "dice", "rule", "option", "reading")
_SETUP = ("board", "players", "dice")


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule: its sentences, the name by which it is spoken of, and the clauses of the source that it states."""

    name: str
    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the book."""

    heading: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """An option or reading at this table; `standard` is what the book has by default, where the table chose something else."""

    role: str
    name: str
    label: str
    value: str
    standard: str | None


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary: what it means, and what players call it in another tongue, with its spelling there."""

    word: str
    meaning: str
    called: str
    spelling: str


@dataclass(frozen=True, slots=True)
class Booklet:
    """All of it, ready to be laid out."""

    title: str
    about: str
    players: str
    sections: tuple[Section, ...]
    chosen: tuple[Chosen, ...]
    numbers: tuple[tuple[str, str], ...]
    quick: tuple[Entry, ...]
    glossary: tuple[Term, ...]
    hidden: tuple[str, ...]

    @property
    def options(self) -> tuple[Chosen, ...]:
        """The options of the table."""
        return tuple(c for c in self.chosen if c.role == "option")

    @property
    def readings(self) -> tuple[Chosen, ...]:
        """The readings of what the source text leaves open."""
        return tuple(c for c in self.chosen if c.role == "reading")

    @property
    def changed(self) -> tuple[Chosen, ...]:
        """What is not as the book has it by default."""
        return tuple(c for c in self.chosen if c.standard is not None)


def booklet(table: Table, claims: Collection[str]) -> Booklet:
    """The rule book of a table; `claims` are the claims that hold there, whose sentences make the quick reference."""
    return _Maker(table).make(claims)


class _Maker:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.book = table.book
        self.say = Paraphrase(table.book)
        self.words = self.say.words

    def make(self, claims: Collection[str]) -> Booklet:
        head = self.book.declarations[0]
        count = len(self.table.players)
        return Booklet(
            title=self.book.title,
            about=self._text(head),
            players=f"{word(count)} players" if count != 1 else "one player",
            sections=tuple(self._sections()),
            chosen=tuple(self._chosen(s) for s in self.book.settings),
            numbers=tuple(self._numbers()),
            quick=tuple(e for d in self.book.declarations if d.kind == "claim" and d.name in claims for e in self._entry(d)),
            glossary=tuple(self._glossary()),
            hidden=tuple(self._hidden()),
        )

    # ---- sections ------------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Section]:
        found: dict[Group, list[Entry]] = {group: [] for group in Group}
        table_entries: list[Entry] = []
        for declaration in sorted(self.book.declarations, key=self._order):
            if declaration.kind not in _GROUPED or not self.table.in_force(declaration):
                continue
            entries = list(self._entry(declaration))
            group = Group.SETUP if declaration.kind in _SETUP else group_of_declaration(self.table, declaration)
            (table_entries if group is None else found[group]).extend(entries)
        for group, entries in found.items():
            if entries:
                heading = group.value if group is not Group.MEETING else f"When {self.words.pieces} meet"
                yield Section(heading, tuple(entries))
        for kind, heading in (("host", "At the table"), ("show", "What players are shown")):
            entries = [e for d in self.book.declarations if d.kind == kind and self.table.in_force(d) for e in self._entry(d)]
            entries = [*(table_entries if kind == "host" else []), *entries]
            if entries:
                yield Section(heading, tuple(entries))

    def _order(self, declaration: Declaration) -> int:
        """What options and readings say is an addition to the rules and comes after them; the places are told at the very end."""
        own = [s for s in self.table.statements if s.id.rule == declaration.name]
        if own and all(isinstance(s, Rank) for s in own):
            return 2
        return 1 if declaration.kind in ("option", "reading") else 0

    def _entry(self, declaration: Declaration) -> Iterator[Entry]:
        text = self._text(declaration)
        if text:
            name = declaration.name if declaration.kind not in _SETUP else ""
            yield Entry(name, text, tuple(dict.fromkeys(c.clause for c in declaration.citations)))

    def _text(self, declaration: Declaration) -> str:
        return " ".join(fill(s.text, self.table, declaration) for s in declaration.sentences if self.table.holds(s.condition))

    # ---- choices -------------------------------------------------------------------------------------------------------

    def _chosen(self, setting: Setting) -> Chosen:
        declaration = self.book.declaration(setting.id)
        assert declaration is not None
        value = self.table.chosen[setting.id]
        standard = self._value(setting, setting.default, declaration) if value != setting.default else None
        return Chosen(
            setting.role, setting.id, fill(setting.label, self.table, declaration), self._value(setting, value, declaration), standard
        )

    def _value(self, setting: Setting, value: SettingValue, declaration: Declaration) -> str:
        match setting.domain:
            case Named(values):
                label = next(v.label for v in values if v.name == value)
                return fill(label, self.table, declaration, fragment=True)
            case FaceSet() if isinstance(value, frozenset):
                return choice(value)
            case _:
                return str(value)

    # ---- numbers, hidden things -------------------------------------------------------------------------------------------

    def _numbers(self) -> Iterator[tuple[str, str]]:
        numbers = dict(self.table.numbers)
        yield f"{self.words.pieces} of each colour", str(numbers["pieces"])
        yield "squares of the track", str(numbers["ring"])
        yield f"squares of the {self.words.lane}", str(numbers["lane"])
        yield f"steps from the {self.words.start} to the end of the way", str(numbers["route"])
        for name, _ in self.book.board.marks:
            yield f"steps from a {self.words.start} to the {self.book.word(name)}", str(numbers[name])
        dice = self.book.dice
        faces = [face for face, _ in dice.faces]
        running = faces == list(range(faces[0], faces[-1] + 1))
        shown = f"{faces[0]} to {faces[-1]}" if running and len(faces) > 1 else ", ".join(map(str, faces))
        yield "dice" if dice.count != 1 else self.book.word("die"), f"{dice.count}, {shown}"

    def _hidden(self) -> Iterator[str]:
        for counter in self.table.counters:
            for visibility in counter.visibility:
                owner = listed(sorted(counter.scope))
                what = "that there is" if visibility.how == "secret" else "the value of"
                yield sentence(
                    f"rivals are not shown {what} `{counter.id}` (kept for each {owner}) until {self.say.condition(visibility.until)}"
                )

    # ---- glossary ------------------------------------------------------------------------------------------------------------

    def _glossary(self) -> Iterator[Term]:
        spoken = {w.key: w for w in self.book.words}
        meanings = self._meanings()
        for key, meaning in meanings.items():
            own = spoken.get(key)
            if own is None and key in ("capture", "die"):
                continue
            called, spelling = own.called if own is not None and own.called is not None else ("", "")
            default = {"start": self.words.start, "lane": self.words.lane}.get(key, key)
            yield Term(own.text if own is not None else default, sentence(meaning), called, spelling)
        for key, own in spoken.items():
            if key not in meanings:
                yield Term(own.text, "", *(own.called or ("", "")))
        yield from self._derived()

    def _meanings(self) -> dict[str, str]:
        """What the things of every Ludo are; and the marks of this board."""
        w = self.words
        numbers = dict(self.table.numbers)
        found = {
            "piece": "what a player moves round the board",
            "yard": f"where {w.pieces} wait before they come out, and where captured ones go back to",
            "start": f"the square of a colour on which its {w.pieces} come out",
            "lane": f"the last squares of a colour's way, {word(numbers['lane'])} of them, which nobody else can enter",
            "home": f"the end of the way, where a {w.piece} has finished",
            "die": "what is rolled",
            "capture": "taking an opponent's " + w.piece + " off the board, so that it has to begin again",
        }
        for name, _ in self.book.board.marks:
            steps = numbers[name]
            found[name] = f"the square {word(steps)} step{'s' if steps != 1 else ''} past each {w.start}, marked on the board"
        return found

    def _derived(self) -> Iterator[Term]:
        """Safe squares and blocks, where the rules of this table know them."""
        for statement in self.table.statements:
            shelters = isinstance(statement, When) and statement.trigger is Trigger.LANDING and statement.squares is not None
            if shelters and isinstance(statement, When) and Share(Owner.ENEMIES) in statement.effects and statement.squares is not None:
                where = self.say.condition(statement.squares)
                yield Term("safe square", sentence(f"{where}: nobody is captured there"), "", "")
                break
        for statement in self.table.statements:
            if isinstance(statement, NeverCross) and statement.passing:
                yield Term("block", f"{plural(self.words.piece).capitalize()} that others cannot pass. {self.say(statement)}", "", "")
                break
