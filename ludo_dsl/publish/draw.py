"""The board in the terminal: squares, pieces and a legend, readable without colour and, if need be, in ASCII."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from ludo_dsl.publish.layout import CELL, Box, Cell, Home, Layout, layout
from ludo_dsl.publish.signs import Sign, signs, special, tint
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD

_INK = "#1c1c1c"
_PAPER = ("#f4f1e8", "#e6e1d3")
_GOLD = "#a87400"
_NARROW = 60
"""The legend may be this wide even under a smaller board."""


@dataclass(frozen=True, slots=True)
class _Company:
    """Who stands on a square: pieces per colour at the table, colours in their order."""

    counts: tuple[tuple[int, int], ...]

    def text(self, names: Sequence[Sign]) -> str:
        """The pieces as glyphs; a count follows where there are several of a colour."""
        return "".join(names[i].solid + (str(n) if n > 1 else "") for i, n in self.counts)


@dataclass
class _Canvas:
    """Characters with styles, by row and column."""

    characters: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def put(self, at: Cell, text: str, style: str) -> None:
        for i, character in enumerate(text):
            self.characters[at.row, at.column + i] = (character, style)

    def tone(self, at: Cell, styles: Mapping[str, str]) -> None:
        """Gives some of the characters of a square styles of their own."""
        for column in range(at.column, at.column + CELL):
            character, style = self.characters[at.row, column]
            self.characters[at.row, column] = (character, styles.get(character, style))

    def lines(self, rows: int) -> list[Text]:
        return [self._line(row) for row in range(rows)]

    def _line(self, row: int) -> Text:
        line = Text()
        used = [column for r, column in self.characters if r == row]
        for column in range(max(used, default=-1) + 1):
            line.append(*self.characters.get((row, column), (" ", "")))
        return line


class _Drawing:
    """One drawing under way."""

    def __init__(self, table: Table, pieces: Sequence[Sequence[int]], colour: bool, highlight: Mapping[int, str], ascii_only: bool) -> None:
        self.table = table
        self.pieces = pieces
        self.colour = colour
        self.highlight = highlight
        self.ascii = ascii_only
        self.signs = signs(table, ascii_only)
        self.special = special(table, ascii_only)
        self.layout: Layout = layout(table)
        self.canvas = _Canvas()
        self.notes: list[str] = []
        self.blank = "." if ascii_only else "·"
        self.roof = "H" if ascii_only else "⌂"
        self.starts = {route.squares[route.start]: i for i, route in enumerate(table.routes)}
        self.owners = {
            square: i
            for i, route in enumerate(table.routes)
            for square in route.squares
            if square is not None and square >= table.measures.ring
        }

    def draw(self) -> Text:
        for i, yard in enumerate(self.layout.yards):
            self._yard(i, yard.box, yard.cells)
        standing = self._standing()
        for square, cell in enumerate(self.layout.cells):
            self._square(square, cell, standing.get(square, _Company(())))
        for i, home in enumerate(self.layout.homes):
            self._home(i, home)
        lines = self.canvas.lines(self.layout.rows)
        return Text("\n").join([*lines, Text(""), *self._legend()])

    def _standing(self) -> dict[int, _Company]:
        found: dict[int, Counter[int]] = {}
        for i, (route, places) in enumerate(zip(self.table.routes, self.pieces)):
            for place in places:
                square = route.squares[place]
                if square is not None:
                    found.setdefault(square, Counter())[i] += 1
        return {square: _Company(tuple(sorted(counts.items()))) for square, counts in found.items()}

    # ---- squares -------------------------------------------------------------------------------------------------------

    def _square(self, square: int, cell: Cell, company: _Company) -> None:
        content = self._pieces(square, company) if company.counts else self._empty(square)
        label = self.highlight.get(square)
        if label is not None:
            content = f"({label[:1]})" if not company.counts else label[:1] + content.strip("[] ")[: CELL - 1]
        style = self._style(square, company)
        self.canvas.put(cell, _centred(content), f"{style} reverse".strip() if label is not None else style)
        if self.colour and label is None and len(company.counts) > 1:
            self.canvas.tone(cell, {self.signs[i].solid: f"bold {tint(self.signs[i].hue, 0.85)} on {_INK}" for i, _ in company.counts})

    def _empty(self, square: int) -> str:
        if square in self.starts:
            return f"[{self.signs[self.starts[square]].hollow}]"
        if square in self.owners:
            return self.signs[self.owners[square]].hollow
        kinds = self.table.kinds[square]
        return "[ ]" if "start" in kinds else self._mark_of(square) or self.blank

    def _mark_of(self, square: int) -> str:
        kinds = self.table.kinds[square] if square < self.table.measures.ring else frozenset()
        return next((glyph for name, glyph in self.special.items() if name in kinds), "")

    def _pieces(self, square: int, company: _Company) -> str:
        text = company.text(self.signs)
        if len(text) > CELL:
            self.notes.append(f"*{len(self.notes) + 1} {_listed(company, self.signs)}")
            return f"*{len(self.notes)}"
        if square in self.starts and len(text) == 1 and not self.ascii:
            return f"[{text}]"
        mark = self._mark_of(square)
        return text + mark if len(text) < CELL else text

    def _style(self, square: int, company: _Company) -> str:
        if not self.colour:
            return ""
        owner = self.starts.get(square, self.owners.get(square))
        ground = _PAPER[square % 2] if owner is None else tint(self.signs[owner].hue, 0.75 if square in self.starts else 0.4)
        if len(company.counts) == 1:
            sign = self.signs[company.counts[0][0]]
            return f"bold {sign.on_it} on {sign.hue}"
        if company.counts:
            return f"bold #ffffff on {_INK}"
        ink = _GOLD if owner is None and self._mark_of(square) else _INK if owner is None or square in self.starts else "#6a6a6a"
        return f"{ink} on {ground}"

    # ---- yards and homes -----------------------------------------------------------------------------------------------

    def _yard(self, i: int, box: Box, cells: Sequence[Cell]) -> None:
        sign = self.signs[i]
        ground = f" on {tint(sign.hue, 0.4)}" if self.colour else ""
        style = f"{_INK}{ground}" if self.colour else ""
        left_up, right_up, left_down, right_down, flat, upright = "++++-|" if self.ascii else "╭╮╰╯─│"
        title = f" {sign.hollow} {sign.colour} " if sign.shape else f" {sign.colour} "
        self.canvas.put(box.at, left_up + flat + title.ljust(box.width - 3, flat) + right_up, style)
        for row in range(1, box.height - 1):
            self.canvas.put(Cell(box.at.row + row, box.at.column), upright + " " * (box.width - 2) + upright, style)
        self.canvas.put(Cell(box.at.row + box.height - 1, box.at.column), left_down + flat * (box.width - 2) + right_down, style)
        waiting = sum(place == YARD for place in self.pieces[i])
        for n, cell in enumerate(cells):
            inside = sign.solid if n < waiting else self.blank
            taken = f"bold {sign.on_it} on {sign.hue}" if self.colour and n < waiting else style
            self.canvas.put(cell, _centred(inside), taken)

    def _home(self, i: int, home: Home) -> None:
        route, sign = self.table.routes[i], self.signs[i]
        arrived = sum(place == route.last for place in self.pieces[i])
        text = sign.solid + (str(arrived) if arrived > 1 else "") if arrived else ""
        ground = f"bold {sign.on_it} on {sign.hue}" if arrived else f"{_INK} on {tint(sign.hue, 0.75)}"
        style = ground if self.colour else ""
        self.canvas.put(home.cell, _centred(self.roof + text), style)

    # ---- legend --------------------------------------------------------------------------------------------------------

    def _legend(self) -> list[Text]:
        words = {word.key: word.text for word in self.table.book.words}
        entries = [(f"{s.solid} {s.colour}", f"bold {s.hue}") for s in self.signs]
        places = ["[ ] start", *(f"{glyph} {words.get(name, name)}" for name, glyph in self.special.items())]
        places.append(f"{'/'.join(s.hollow for s in self.signs)} {words.get('lane', 'lane')}")
        if self.layout.homes:
            places.append(f"{self.roof} {words.get('home', 'home')}")
        plain = [(text, "") for text in (*places, "clockwise")]
        width = max(_NARROW, self.layout.columns)
        wrapped = [*_wrapped(entries, width), *_wrapped(plain, width), *_wrapped([(note, "") for note in self.notes], width)]
        return [line if self.colour else Text(line.plain) for line in wrapped]


def _centred(text: str) -> str:
    return f" {text}".ljust(CELL) if len(text) < CELL else text[:CELL]


def _listed(company: _Company, names: Sequence[Sign]) -> str:
    return " ".join(names[i].solid + (str(n) if n > 1 else "") for i, n in company.counts)


def _wrapped(entries: Sequence[tuple[str, str]], width: int) -> list[Text]:
    """Entries with three spaces between them, as many in a line as fit."""
    lines: list[Text] = []
    for text, style in entries:
        if not lines or len(lines[-1]) + 3 + len(text) > width:
            lines.append(Text(text, style=""))
            lines[-1].stylize(style)
        else:
            lines[-1].append("   ").append(text, style)
    return lines


def draw(
    table: Table,
    pieces: Sequence[Sequence[int]],
    *,
    colour: bool,
    highlight: Mapping[int, str] | None = None,
    ascii_only: bool = False,
) -> Text:
    """The board with pieces, for the terminal; `.plain` is its text, which alone tells everything.

    `pieces` holds the places of each colour at the table, in the table's order. `highlight` puts a label of one character on
    squares, such as the destinations to choose from.
    """
    return _Drawing(table, pieces, colour, highlight or {}, ascii_only).draw()
