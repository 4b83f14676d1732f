"""The result of a game at a table: places, pieces brought home, and what it counts for a rating."""

from __future__ import annotations

from dataclasses import dataclass

from ludo_dsl.play.game import Game
from ludo_dsl.rules.hosting import HostSettings


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended, seat by seat: place, pieces home, score in the game, and, if the game is rated, rating points."""

    first: str
    places: tuple[tuple[str, int], ...]
    home: tuple[tuple[str, int], ...]
    scores: tuple[tuple[str, int], ...]
    points: tuple[tuple[str, float], ...] | None

    def as_json(self) -> dict[str, object]:
        """The result as plain data."""
        found: dict[str, object] = {"first": self.first, "places": dict(self.places), "home": dict(self.home)}
        if any(score for _, score in self.scores):
            found["scores"] = dict(self.scores)
        if self.points is not None:
            found["points"] = dict(self.points)
        return found


def result_of(game: Game, first: str, settings: HostSettings) -> Result:
    """The result of a game that is over."""
    table = game.table
    names = [p.name for p in table.players]
    places = game.places()
    home = {p.name: sum(table.routes[c].is_home(place) for c in p.colours for place in game.state.pieces[c]) for p in table.players}
    points = rated(tuple(places.values()), tuple(p.side for p in table.players), settings) if settings["rated"] == "on" else None
    return Result(
        first,
        tuple(places.items()),
        tuple(home.items()),
        tuple(zip(names, game.state.scores, strict=True)),
        tuple(zip(names, points, strict=True)) if points is not None else None,
    )


def rated(places: tuple[int, ...], sides: tuple[int, ...], settings: HostSettings) -> tuple[float, ...]:
    """The rating points of each player: 1 for every opponent who was beaten, and for one with the same place what a draw counts."""
    draw = 0.5 if settings["draw"] == "half" else 0.0

    def against(mine: int, other: int) -> float:
        return 1.0 if mine < other else draw if mine == other else 0.0

    return tuple(
        sum(against(mine, other) for other, its in zip(places, sides, strict=True) if its != side)
        for mine, side in zip(places, sides, strict=True)
    )
