"""Files that are made from others, and the check that they are up to date.

python -m tests.generated           # tells which are out of date; exit code 1 if any is
python -m tests.generated --write   # makes them anew
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from ludo_dsl.check.book import check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.check.meeting_text import Row, rows
from ludo_dsl.check.meetings import meeting_table
from ludo_dsl.play.game import load
from ludo_dsl.publish.svg import svg
from ludo_dsl.resources import data_root, variant_names
from ludo_dsl.rules.table import make_table

PICTURED = "red=L3,21,5,H green=Y,20,20,8 yellow=Y,Y,44,33 blue=H,H,41,0 turn=red"


def board_picture() -> str:
    """The picture of the README: a game of four in the middle."""
    game = load("amarnepal").position(PICTURED)
    return svg(game.table, game.state.pieces, "A game of Amarnepal Ludo with four players")


def meeting_tables() -> str:
    """The meeting tables of all rule books, under their defaults."""
    return "\n".join(_meetings())


def _meetings() -> Iterator[str]:
    yield "# What happens when pieces meet"
    yield ""
    yield "<!-- made by `python -m tests.generated --write`: do not edit -->"
    yield ""
    yield "For each kind of square and each company that may stand there: whether a piece may pass, and what happens when it"
    yield "lands. The tables are worked out from the rules, under default options and readings; `ludo table VARIANT` prints"
    yield "them for any others."
    for name in variant_names():
        book = check_file(locate(name)).book
        table = make_table(book)
        yield ""
        yield f"## {book.title}, {len(table.players)} players"
        yield ""
        yield "| square | company | passing | landing |"
        yield "|---|---|---|---|"
        for row in rows(meeting_table(table)):
            yield f"| {row.square} | {row.company} | {row.passing} | {_landing(row)} |"
    yield ""


def _landing(row: Row) -> str:
    return "; ".join(f"{relation}: {outcome}" if relation else outcome for relation, outcome in row.outcomes) or "—"


FILES: dict[str, Callable[[], str]] = {
    "docs/images/board.svg": board_picture,
    "docs/meetings.md": meeting_tables,
}


def main(arguments: list[str]) -> int:
    """Checks the files, or writes them; the exit code."""
    stale = []
    for name, produce in FILES.items():
        path = data_root() / name
        wanted = produce()
        if path.is_file() and path.read_text(encoding="utf-8") == wanted:
            continue
        if "--write" in arguments:
            path.write_text(wanted, encoding="utf-8")
            print(f"written: {name}")
        else:
            stale.append(name)
    for name in stale:
        print(f"out of date: {name}; run `python -m tests.generated --write`")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
