"""How colours, marks and squares look: their glyphs, and their colours on a screen and on paper."""

from __future__ import annotations

from dataclasses import dataclass

from ludo_dsl.rules.table import Table

_SHAPES = {
    "circle": ("●", "○", "o"),
    "square": ("■", "□", "#"),
    "triangle": ("▲", "△", "^"),
    "cross": ("✚", "✛", "+"),
    "diamond": ("◆", "◇", "@"),
}
"""Marks that have a glyph: filled, hollow, and without Unicode."""

_SPECIAL = ("★", "◎", "◈", "※", "¤")
_SPECIAL_ASCII = ("x", "%", "=", "&", "$")

_HUES = {
    "red": "#d62f3c",
    "green": "#2b9348",
    "yellow": "#f0b400",
    "blue": "#2667c9",
    "purple": "#8440a8",
    "orange": "#ee7b1c",
    "black": "#333333",
    "white": "#d8d8d8",
    "pink": "#e2619f",
    "brown": "#8a5a36",
    "grey": "#808080",
}
_OTHER_HUES = ("#0f9ba8", "#6b7f17", "#b0486f", "#5c5cc4")


@dataclass(frozen=True, slots=True)
class Sign:
    """How a colour shows: the name of its mark if that has a shape, else none; glyphs for pieces and lanes; `#rrggbb`."""

    colour: str
    shape: str | None
    solid: str
    hollow: str
    hue: str

    @property
    def on_it(self) -> str:
        """Black or white, whichever reads better on the colour."""
        return "#000000" if brightness(self.hue) > 0.55 else "#ffffff"


def signs(table: Table, ascii_only: bool = False) -> tuple[Sign, ...]:
    """The signs of the colours at a table; no two share a glyph."""
    letters = _letters(table.colours)
    found = []
    for i, (colour, mark, letter) in enumerate(zip(table.colours, table.marks, letters)):
        hue = _HUES.get(colour, _OTHER_HUES[i % len(_OTHER_HUES)])
        if mark not in _SHAPES:
            found.append(Sign(colour, None, letter, letter.lower(), hue))
            continue
        solid, hollow, plain = _SHAPES[mark]
        if ascii_only:
            # A small o would be the circle's piece.
            solid, hollow = plain, "O" if letter == "O" else letter.lower()
        found.append(Sign(colour, mark, solid, hollow, hue))
    return tuple(found)


def _letters(colours: tuple[str, ...]) -> tuple[str, ...]:
    """A capital for each colour: its first letter that no colour before it has taken."""
    taken: list[str] = []
    for colour in colours:
        free = [c for c in (*colour.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ") if c.isalpha() and c not in taken]
        taken.append(free[0])
    return tuple(taken)


def special(table: Table, ascii_only: bool = False) -> dict[str, str]:
    """A glyph for each mark that squares of the track carry, such as the star; the start square is none of them."""
    names = [name for name, _ in table.book.board.marks]
    glyphs = _SPECIAL_ASCII if ascii_only else _SPECIAL
    return {name: glyphs[min(i, len(glyphs) - 1)] for i, name in enumerate(names)}


def brightness(hue: str) -> float:
    """How bright a colour `#rrggbb` looks, from 0 to 1."""
    red, green, blue = (int(hue[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def tint(hue: str, strength: float) -> str:
    """A colour `#rrggbb` mixed with white: 1 is the colour itself, 0 is white."""
    return "#" + "".join(f"{round(255 - (255 - int(hue[i : i + 2], 16)) * strength):02x}" for i in (1, 3, 5))
