"""The end of a game on the screen: the result, or how to go on with one that was stopped."""

from __future__ import annotations

import re
import shlex

from ludo_dsl.play.game import Game
from ludo_dsl.play.session import Session
from ludo_dsl.rules.table import shown_value

_HIDDEN = re.compile(r" \S+=\?")


def go_on(session: Session, variant: str, viewer: str | None, ascii_only: bool) -> list[str]:
    """The position at which a game stopped, as a player sees it, and the command that goes on from there."""
    game = session.game
    if game.over:
        return [f"the game is over: {game.position}"]
    seen = game.seen_by(viewer) if viewer else game.position
    lines = [f"stopped at {seen}"]
    if seen != game.position:
        lines.append("what rivals have hidden is left out; from here they begin it afresh:")
    command = [*_command(session, variant), "--position", _HIDDEN.sub("", seen)]
    return [*lines, "go on with: " + shlex.join([*command, "--ascii"] if ascii_only else command)]


def _command(session: Session, variant: str) -> list[str]:
    table = session.table
    command = ["ludo", "play", variant, "--players", str(len(table.players))]
    usual = {p.name: "human" if i == 0 else "sensible" for i, p in enumerate(table.players)}
    if not session.people:
        command.append("--watch")
        usual = {p.name: "sensible" for p in table.players}
    if session.who != usual:
        command += [word for name, kind in session.who.items() for word in ("--seat", f"{name}={kind}")]
    for name, value in table.changed().items():
        setting = table.book.setting(name)
        command += [f"--{setting.role if setting else 'option'}", f"{name}={shown_value(value)}"]
    return [*command, *(word for name, value in session.host.items() for word in ("--host", f"{name}={value}"))]


def result(game: Game, viewer: str | None) -> list[str]:
    """The places that the players of a game that is over have taken, with pieces home and scores."""
    lines = [f"the game is over: {game.seen_by(viewer) if viewer else game.position}"]
    names = [p.name for p in game.table.players]
    for name, place in sorted(game.places().items(), key=lambda item: item[1]):
        index = names.index(name)
        colours = game.table.players[index].colours
        home = sum(game.table.routes[c].is_home(place) for c in colours for place in game.state.pieces[c])
        score = f", {game.state.scores[index]} points" if any(game.state.scores) else ""
        lines.append(f"  {place}. {name}: {home} home{score}")
    return lines
