"""Views: positions as data, each with what every player is shown of it, for hosts that show games to players.

The form of the files is `spec/schema/views.json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.documents import DocumentError, Kind, read_document
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.positions import split_fields
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.game import Game
from ludo_dsl.resources import data_root
from ludo_dsl.rules.table import TableError, make_table

VIEWS = Kind("a file of views", "views", "spec/schema/views.json")


@dataclass(frozen=True, slots=True)
class View:
    """A position, and by player what is shown of it."""

    id: str
    title: str
    variant: str
    players: int
    options: Choices
    readings: Choices
    clauses: tuple[str, ...]
    given: str
    seen: tuple[tuple[str, str], ...]
    place: str


@cache
def views(folder: Path | None = None) -> tuple[View, ...]:
    """The views of a folder; by default those of the project.

    Raises:
        DocumentError: a file is not of the form.
    """
    root = data_root() / "conformance" / "views" if folder is None else folder
    found = []
    for path in sorted(root.rglob("*.yaml")):
        document = read_document(path, VIEWS)
        for number, item in enumerate(document.value):
            options, readings = (tuple(sorted(item.get(key, {}).items())) for key in ("options", "readings"))
            found.append(
                View(
                    item["id"],
                    item["title"],
                    item["variant"],
                    item["players"],
                    options,
                    readings,
                    tuple(item["clauses"]),
                    item["given"],
                    tuple(item["seen"].items()),
                    f"{document.file}:{document.line(number)}",
                )
            )
    return tuple(found)


def differences(view: View) -> dict[str, str]:
    """The players who are shown something else than a view says, each with what they are shown; the order of fields does not count.

    Raises:
        DocumentError: the view speaks of a table, position or player that there is not.
    """
    try:
        table = make_table(book_of(view.variant), view.players, dict(view.options), dict(view.readings))
        engine = Interpreter(table)
        return unlike(view, Game(engine, engine.read(view.given)))
    except (TableError, GameError) as error:
        raise DocumentError(view.place, 0, "$", error.message, error.hint) from None


def unlike(view: View, game: Game) -> dict[str, str]:
    """The players who are shown something else of a game than a view says, each with what they are shown. Raises `GameError`."""
    found = {player: game.seen_by(player) for player, _ in view.seen}
    return {player: found[player] for player, wanted in view.seen if split_fields(found[player]) != split_fields(wanted)}
