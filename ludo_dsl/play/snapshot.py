"""A party as plain data: what can be seen of a table, and what one seat sees of it."""

from __future__ import annotations

from ludo_dsl.play.host import Party
from ludo_dsl.play.host_events import Note
from ludo_dsl.play.turns import visible


def snapshot(party: Party, viewer: str | None = None) -> dict[str, object]:
    """The state of a table as plain data; for a viewer, the position as that seat sees it. Times are in seconds."""
    game = party.game
    left = party.time_left
    found: dict[str, object] = {
        "phase": party.phase,
        "turn": ("over" if game.over else game.turn) if game is not None else "nobody",
        "plays": {s.name: party.plays(s.name) for s in party.seats},
        "devices": {s.name: s.device for s in party.seats if s.device is not None},
        "clock": party.clock / 1000,
        "left": "none" if left is None else left / 1000,
        "games": len(party.results),
        "totals": totals(party),
        "settings": dict(party.settings.values),
    }
    if game is not None:
        found["position"] = game.position if viewer is None else game.seen_by(viewer)
        found["first"] = party.first
    if party.results:
        found["result"] = party.results[-1].as_json()
    return found


def totals(party: Party) -> dict[str, float]:
    """The rating points of each seat, all games together; nothing where none is rated."""
    found: dict[str, float] = {}
    for result in party.results:
        for name, points in result.points or ():
            found[name] = found.get(name, 0.0) + points
    return found


def told(notes: tuple[Note, ...], viewer: str) -> tuple[Note, ...]:
    """The notes without those events of the game that a seat does not see."""
    return tuple(n for n in notes if n.after is None or any(visible(n.after, e, viewer) for e in n.after.events))
