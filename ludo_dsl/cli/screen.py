"""The game on the screen: board, story, prompts."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator

import click
from rich.live import Live
from rich.text import Text

from ludo_dsl.cli.common import console
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.events import EventKind
from ludo_dsl.game.state import Move
from ludo_dsl.play.session import Session
from ludo_dsl.play.story import event_text
from ludo_dsl.play.turns import Weighed, visible
from ludo_dsl.publish.draw import draw
from ludo_dsl.rules.table import Table, shown_value
from ludo_dsl.rules.wording import fill

HELP = "a number or a move; ? why other moves are refused; b board; r rules; q stop"
_QUIET = {EventKind.TURN_ENDED, EventKind.TURN_STARTED, EventKind.PASSED, EventKind.ROUND_ENDED}


class _StopError(Exception):
    """The person at the keyboard has had enough."""


class Screen:
    """Shows one session and asks the people in it."""

    def __init__(self, session: Session, delay: float, ascii_only: bool) -> None:
        self.session = session
        self.delay = delay
        self.ascii_only = ascii_only
        self.terminal = console().is_terminal and sys.stdin.isatty()

    def run(self) -> int:
        """Plays the session to its end, or until somebody stops it; the exit code."""
        self._greet()
        try:
            if self.session.people:
                self._with_people()
            else:
                self._watch()
        except (_StopError, KeyboardInterrupt, EOFError, click.Abort) as stop:
            self._stopped()
            return 0 if isinstance(stop, _StopError) else 130
        self._result()
        return 0

    # ---- watching ----------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        if not self.terminal:
            for lines in self._plies():
                for line in lines:
                    click.echo(line)
            console().print(self._board())
            return
        with Live(self._board(), console=console(), auto_refresh=False) as live:
            told: list[str] = []
            for lines in self._plies():
                told = [*told, *lines][-6:]
                live.update(Text("\n").join([self._board(), Text("\n".join(told), style="dim")]), refresh=True)
                time.sleep(self.delay)
            live.update(self._board(), refresh=True)

    def _plies(self) -> Iterator[list[str]]:
        """Lets the computer players play; yields the story of each ply."""
        while not self.session.game.over:
            self._computer_ply()
            yield self._story()

    def _computer_ply(self) -> None:
        if self.session.game.awaits_roll:
            self.session.roll()
        else:
            self.session.think()

    # ---- people ------------------------------------------------------------------------------------------------------

    def _with_people(self) -> None:
        console().print(self._board())
        shown = self.session.game.state
        while not self.session.game.over:
            game = self.session.game
            if self.session.is_human() and game.state.pieces != shown.pieces:
                console().print(self._board())
                shown = game.state
            if not self.session.is_human():
                self._computer_ply()
            elif game.awaits_roll:
                self._ask(f"{game.turn}: press Enter to roll", {"": self._roll})
            else:
                self._choose()
                shown = shown if self.session.is_human() else self.session.game.state
                console().print(self._board())
            for line in self._story():
                click.echo(line)

    def _roll(self) -> None:
        before = self.session.game
        faces = self.session.roll()
        if self.session.game.turn != before.turn or not self.session.game.state.pool:
            weighed = Weighed(before, *before.engine.weigh(before.state, faces))
            for line in weighed.reasons() if not weighed.choices else []:
                click.echo(f"  {line}")

    def _choose(self) -> None:
        game = self.session.game
        moves = game.legal()
        click.echo(f"{game.turn} can move (pool {', '.join(str(d) for d in game.state.pool)}):")
        for number, move in enumerate(moves, 1):
            click.echo(f"  {number}  {move}")
        while True:
            answer = self._ask("move", {})
            text = moves[int(answer) - 1] if answer.isdigit() and 0 < int(answer) <= len(moves) else answer
            try:
                self.session.play(text)
                return
            except GameError as error:
                click.echo(f"  {error.message}" + (f" ({error.hint})" if error.hint else ""))

    def _ask(self, prompt: str, actions: dict[str, object]) -> str:
        while True:
            answer = click.prompt(f"{prompt} [?brq]", default="", show_default=False, prompt_suffix="> ").strip()
            if not self.terminal:
                click.echo()
            match answer:
                case "q" | "quit":
                    raise _StopError
                case "?" | "h" | "help":
                    self._why()
                case "b" | "board":
                    console().print(self._board())
                case "r" | "rules":
                    self._rules()
                case _ if answer in actions:
                    action = actions[answer]
                    assert callable(action)
                    action()
                    return answer
                case "":
                    click.echo(f"  {HELP}")
                case _ if not actions:
                    return answer
                case _:
                    click.echo(f"  {HELP}")

    def _why(self) -> None:
        game = self.session.game
        click.echo(f"  {HELP}")
        if game.awaits_roll:
            click.echo("  the dice have to be rolled")
            return
        weighed = Weighed(game, game.state, game.choices, game.engine.refused(game.state))
        for line in weighed.reasons():
            click.echo(f"  {line}")

    def _rules(self) -> None:
        table = self.session.table
        for declaration in table.book.declarations:
            if declaration.kind not in ("rule", "option") or not table.in_force(declaration):
                continue
            for sentence in declaration.sentences:
                if table.holds(sentence.condition):
                    click.echo(f"  {fill(sentence.text, table, declaration)}")

    # ---- what is shown -----------------------------------------------------------------------------------------------

    @property
    def _viewer(self) -> str | None:
        """Whose eyes the screen shows: with one person at it, that person's; otherwise those of whoever has the turn."""
        people = self.session.people
        if len(people) == 1:
            return people[0]
        return self.session.game.turn if people else None

    def _board(self) -> Text:
        game = self.session.game
        highlight: dict[int, str] = {}
        if self.session.is_human() and not game.awaits_roll:
            for number, choice in enumerate(game.choices, 1):
                if isinstance(choice, Move) and number < 10:
                    square = game.table.routes[choice.colour].squares[choice.to]
                    if square is not None:
                        highlight.setdefault(square, str(number))
        return draw(
            game.table, game.state.pieces, colour=console().color_system is not None, highlight=highlight, ascii_only=self.ascii_only
        )

    def _story(self) -> list[str]:
        game = self.session.game
        events = [e for e in game.events if e.kind not in _QUIET and (self._viewer is None or visible(game, e, self._viewer))]
        return [f"  {event_text(game.table, e)}" for e in events]

    def _greet(self) -> None:
        table = self.session.table
        who = ", ".join(f"{name} ({kind})" for name, kind in self.session.who.items())
        click.echo(f"{table.book.title}: {who}; seed {self.session.seed}")
        changed = table.changed()
        if changed:
            click.echo("with " + ", ".join(f"{name}={shown_value(value)}" for name, value in changed.items()))

    def _stopped(self) -> None:
        game = self.session.game
        viewer = self._viewer
        position = game.seen_by(viewer) if viewer and not game.over else game.position
        command = ["ludo", "play", game.table.book.name, "--players", str(len(game.table.players)), "--position", game.position]
        for name, value in game.table.changed().items():
            setting = game.table.book.setting(name)
            command += [f"--{setting.role if setting else 'option'}", f"{name}={shown_value(value)}"]
        click.echo(f"\nstopped at {position}")
        if position == game.position:
            click.echo(f"go on with: {shlex.join(command)}")

    def _result(self) -> None:
        game = self.session.game
        click.echo(f"the game is over: {game.position}")
        home = {p.name: _home(game.table, game.state.pieces, p.colours) for p in game.table.players}
        for name, place in sorted(game.places().items(), key=lambda item: item[1]):
            index = [p.name for p in game.table.players].index(name)
            score = f", {game.state.scores[index]} points" if any(game.state.scores) else ""
            click.echo(f"  {place}. {name}: {home[name]} home{score}")


def _home(table: Table, pieces: tuple[tuple[int, ...], ...], colours: tuple[int, ...]) -> int:
    return sum(table.routes[c].is_home(place) for c in colours for place in pieces[c])
