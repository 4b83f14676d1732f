"""Small rule books for tests of the interpreter, written out in the test that plays them."""

from __future__ import annotations

from functools import cache

from ludo_dsl.check.book import resolve
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import make_table
from ludo_dsl.source import Source

PLAIN = """
variant plain "Plain"
board
  arms 4
  arm 13 squares
  turning 2 before start
  lane 5 squares
  mark star at 8
{board}
players 2..2
  colours red, green, yellow, blue
  for 2 red, yellow
  pieces 4 in yard
dice {dice}
{counters}
rule travel
  "Travel."
  may advance
  may enter if die = 6
{past}
{rules}
"""
"""Two players, red and yellow, opposite each other: red's square 20 is yellow's 46. Nothing is captured and nothing earns a roll."""


@cache
def plain(rules: str = "", *, counters: str = "", board: str = "", dice: str = "1 d6", past: str = "never") -> Book:
    """The plain rule book with rules added, each line a statement of one rule after the other: `a`, `b`, `c`, …

    Not checked for sense, only for names and types: what is tested here need not be a sensible game.
    """
    written = []
    for letter, statements in zip("abcdefgh", [r for r in rules.strip().split("\n\n") if r], strict=False):
        written.append(f'rule {letter}\n  "Rule."\n{statements}\n')
    filled = {
        "rules": "".join(written),
        "counters": counters,
        "board": f"  {board}" if board else "",
        "dice": dice,
        "past": f"  past home {past}",
    }
    return resolve(Source("plain.ludo", PLAIN.format(**filled)))


def engine(book: Book) -> Interpreter:
    """An engine of the book at its largest table."""
    return Interpreter(make_table(book))
