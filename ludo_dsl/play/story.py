"""Events in words and as plain data."""

from __future__ import annotations

from ludo_dsl.game.events import Event, EventKind
from ludo_dsl.game.notation import dice_text, place_text, roll_text
from ludo_dsl.game.state import Granted
from ludo_dsl.rules.table import Table


def event_json(table: Table, event: Event) -> dict[str, object]:
    """An event as plain data: `event`, `player`, and what applies of `piece`, `from`, `to` and `value`."""
    found: dict[str, object] = {"event": str(event.kind)}
    if event.player is not None:
        found["player"] = table.players[event.player].name
    if event.colour is not None:
        found["piece"] = table.colours[event.colour]
        if event.origin is not None:
            found["from"] = place_text(table, event.colour, event.origin)
        if event.to is not None:
            found["to"] = place_text(table, event.colour, event.to)
    if event.value is not None:
        found["value"] = _plain(event.value)
    return found


def _plain(value: object) -> object:
    if isinstance(value, Granted):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value


_WORDED = {
    EventKind.PASSED: "{player} declines to move",
    EventKind.ROLL_AGAIN: "{player} has another roll",
    EventKind.RETIRED: "{player} has finished",
    EventKind.TURN_ENDED: "the turn of {player} ends",
    EventKind.TURN_STARTED: "it is the turn of {player}",
    EventKind.GAME_ENDED: "the game is over",
}


def event_text(table: Table, event: Event) -> str:
    """An event as an English sentence without a full stop."""
    words = {w.key: w.text for w in table.book.words}
    player = table.players[event.player].name if event.player is not None else "nobody"
    if event.kind in _WORDED:
        return _WORDED[event.kind].format(player=player)
    if event.colour is not None and event.origin is not None and event.to is not None:
        return _of_piece(table, event, words)
    value = event.value
    match event.kind:
        case EventKind.ROLLED:
            return f"{player} rolls {roll_text(value) if isinstance(value, tuple) else value}"
        case EventKind.SCORED:
            return f"{player} scores {value}"
        case EventKind.COUNTED if isinstance(value, tuple):
            amount = value[1]
            return (
                f"{value[0]} of {player if event.player is not None else 'the game'}: {amount:+d}"
                if isinstance(amount, int)
                else str(value[0])
            )
        case EventKind.GRANTED:
            return f"{player} is granted {value}"
        case EventKind.LOST:
            lost = [str(d) for d in value] if isinstance(value, tuple) else [str(value)]
            return f"{' and '.join(lost)} {'is' if len(lost) == 1 else 'are'} lost"
        case _:
            return f"round {value} is over"


def _of_piece(table: Table, event: Event, words: dict[str, str]) -> str:
    assert event.colour is not None
    assert event.origin is not None
    assert event.to is not None
    piece = f"{table.colours[event.colour]} {words.get('piece', 'piece')}"
    origin, to = (place_text(table, event.colour, place) for place in (event.origin, event.to))
    named = {"Y": words.get("yard", "yard"), "H": words.get("home", "home")}
    match event.kind:
        case EventKind.MOVED:
            dice = dice_text(event.value) if isinstance(event.value, tuple) else ""
            return f"a {piece} moves {origin}>{to} with {dice}"
        case EventKind.CAPTURED:
            return f"a {piece} on {origin} is captured and goes to the {named.get(to, to)}"
        case EventKind.CAME_HOME:
            return f"a {piece} is home"
        case EventKind.LINKED:
            return f"a {piece} is carried on from {origin} to {to}"
        case _:
            return f"a {piece} on {origin} goes to the {named.get(to, to)}"
