"""The game on the screen: board, story, prompts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from time import monotonic

import click
from rich.live import Live
from rich.text import Text

from ludo_dsl.cli.common import coloured, console, say
from ludo_dsl.cli.ending import go_on, result
from ludo_dsl.game.errors import GameError, IllegalMoveError
from ludo_dsl.game.events import EventKind
from ludo_dsl.game.state import Move
from ludo_dsl.play.host_events import NoteKind
from ludo_dsl.play.refusals import in_own_words, reason_text
from ludo_dsl.play.session import Session
from ludo_dsl.play.story import event_text
from ludo_dsl.play.turns import Weighed, visible
from ludo_dsl.publish.draw import draw
from ludo_dsl.rules.table import shown_value

HELP = "a number or a move such as 20>23; ? why other moves are refused; b the board; r the rules; q stop"
_QUIET = {EventKind.TURN_ENDED, EventKind.TURN_STARTED, EventKind.ROUND_ENDED}


class _StopError(Exception):
    """The person at the keyboard has had enough."""


class _TimeOutError(Exception):
    """The person at the keyboard has taken too long."""


class Screen:
    """Shows one session and asks the people in it; `variant` is the rule book as the user named it."""

    def __init__(self, session: Session, variant: str, delay: float, ascii_only: bool) -> None:
        self.session = session
        self.variant = variant
        self.delay = delay
        self.ascii_only = ascii_only

    def run(self) -> int:
        """Plays the session to its end, or until somebody stops it; the exit code."""
        self._greet()
        try:
            if self.session.people:
                self._with_people()
            else:
                self._watch()
        except (_StopError, KeyboardInterrupt, EOFError, click.Abort) as stop:
            self.session.stop()
            click.echo()
            for line in go_on(self.session, self.variant, self._viewer, self.ascii_only):
                click.echo(line)
            interrupted = any(isinstance(e, KeyboardInterrupt) for e in (stop, stop.__context__))
            return 130 if interrupted else 0
        self.session.stop()
        for line in result(self.session.game, self._viewer):
            click.echo(line)
        return 0

    # ---- watching ----------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        room = console().height - self._board().plain.count("\n") - 2
        # A board that does not fit the screen cannot be redrawn in place.
        if not console().is_terminal or room < 1:
            for lines in self._plies():
                self._tell(lines)
                if console().is_terminal:
                    time.sleep(self.delay)
            self._show_board()
            return
        with Live(self._board(), console=console(), auto_refresh=False) as live:
            told: list[str] = []
            for lines in self._plies():
                told = [*told, *lines][-min(room, 6) :]
                live.update(Text("\n").join([self._board(), Text("\n".join(told), style="dim", no_wrap=True)]), refresh=True)
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
        self._show_board()
        shown = self.session.game.state.pieces
        while not self.session.game.over:
            game = self.session.game
            if self.session.is_human() and game.state.pieces != shown:
                self._show_board()
                shown = game.state.pieces
            if not self.session.is_human():
                self._computer_ply()
                self._tell(self._story())
            else:
                self._person()
        self._show_board()

    def _person(self) -> None:
        """A person rolls or moves; nothing of it holds when the time is up, and the computer plays this turn."""
        try:
            if self.session.game.awaits_roll:
                self._roll()
            else:
                self._choose()
                self._tell(self._story())
        except _TimeOutError:
            self._tell(f"  {note.text()}" for note in self.session.told)

    def _roll(self) -> None:
        """A person rolls; where that leaves nothing to choose, the reasons are told."""
        before = self.session.game
        while self._ask(f"{before.turn}, press Enter to roll (? help, q stop)"):
            click.echo("  the dice come first: press Enter to roll them")
        faces = self.session.roll()
        self._tell(self._story())
        game = self.session.game
        if any(note.kind is NoteKind.FORCED for note in self.session.told):
            return
        if game.over or game.state.pool or (game.awaits_roll and game.turn == before.turn):
            return
        weighed = Weighed(before, *before.engine.weigh(before.state, faces))
        self._tell(f"  {line}" for line in weighed.reasons())
        if not weighed.refused:
            self._tell(f"  {line}" for line in in_own_words(game.table, game.rules))

    def _choose(self) -> None:
        game = self.session.game
        moves = game.legal()
        click.echo(f"{game.turn} can move with {' and '.join(str(d) for d in game.state.pool)}:")
        for number, move in enumerate(moves, 1):
            click.echo(f"  {number}  {move}")
        only = len(moves) == 1
        while True:
            answer = self._ask("move (Enter for 1, ? help, q stop)" if only else f"move, 1 to {len(moves)} (? help, q stop)")
            if not answer and not only:
                say(HELP, "  ")
                continue
            if self._play(answer or "1", moves):
                return

    def _play(self, answer: str, moves: list[str]) -> bool:
        """Makes the move that an answer names; whether there is such a move."""
        game = self.session.game
        if answer.isascii() and answer.isdigit():
            if not (len(answer) < 5 and 0 < int(answer) <= len(moves)):
                click.echo(f"  there is no move {answer[:20]}: the numbers go from 1 to {len(moves)}")
                return False
            answer = moves[int(answer) - 1]
        try:
            self.session.play(answer)
        except IllegalMoveError as error:
            self._tell(f"  not {error.move}: {reason_text(game.table, r)}" for r in error.refusals)
            self._tell(f"  {line}" for line in in_own_words(game.table, (r.statement.rule for r in error.refusals if r.statement)))
            return False
        except GameError as error:
            say(error.message + (f" ({error.hint})" if error.hint else ""), "  ")
            return False
        return True

    def _ask(self, prompt: str) -> str:
        """The answer to a prompt; requests for help, the board or the rules are met, and the prompt comes again."""
        while True:
            if sys.stdin is None:
                raise EOFError
            asked = monotonic()
            answer = click.prompt(prompt, default="", show_default=False, prompt_suffix="> ").strip()
            late = self.session.timed and self.session.wait(monotonic() - asked)
            if not sys.stdin.isatty():
                click.echo()
            if late and answer not in ("q", "quit"):
                raise _TimeOutError
            match answer:
                case "q" | "quit":
                    raise _StopError
                case "?" | "h" | "help":
                    self._why()
                case "b" | "board":
                    self._show_board()
                case "r" | "rules":
                    self._rules()
                case _:
                    return answer

    def _why(self) -> None:
        game = self.session.game
        say("Enter to roll; b the board; r the rules; q stop" if game.awaits_roll else HELP, "  ")
        if game.awaits_roll:
            return
        weighed = Weighed(game, game.state, game.choices, game.engine.refused(game.state))
        self._tell(f"  {line}" for line in [*weighed.reasons(), *weighed.rules()])
        if not weighed.refused:
            click.echo("  no other move is in question")

    def _rules(self) -> None:
        table = self.session.table
        names = [d.name for d in table.book.declarations if d.kind in ("rule", "option") and table.in_force(d)]
        self._tell(f"  {line}" for line in in_own_words(table, names))

    # ---- what is shown -----------------------------------------------------------------------------------------------

    @property
    def _viewer(self) -> str | None:
        """Whose eyes the screen shows: with one person at it, that person's; otherwise those of whoever has the turn."""
        people = self.session.people
        if len(people) == 1:
            return people[0]
        return self.session.game.turn if people else None

    def _tell(self, lines: Iterator[str] | list[str]) -> None:
        for line in lines:
            say(line.strip(), "  ")

    def _show_board(self) -> None:
        board = self._board()
        if coloured():
            console().print(board)
        else:
            click.echo("\n".join(line.rstrip() for line in board.plain.splitlines()))

    def _board(self) -> Text:
        game = self.session.game
        highlight: dict[int, str] = {}
        if self.session.is_human() and not game.awaits_roll:
            for number, choice in enumerate(game.choices, 1):
                if isinstance(choice, Move) and number < 10:
                    square = game.table.routes[choice.colour].squares[choice.to]
                    if square is not None:
                        highlight.setdefault(square, str(number))
        return draw(game.table, game.state.pieces, colour=coloured(), highlight=highlight, ascii_only=self.ascii_only)

    def _story(self) -> list[str]:
        """What the last step did, and the moves that were made for a person."""
        found: list[str] = []
        for note in self.session.told:
            if note.kind is NoteKind.FORCED and note.before is not None:
                dice = " and ".join(str(d) for d in note.before.state.pool)
                found += [f"{note.seat} has no choice with {dice}, and the move is made:", f"1  {note.value}"]
            game = note.after
            if game is not None:
                events = [e for e in game.events if e.kind not in _QUIET and (self._viewer is None or visible(game, e, self._viewer))]
                found += [event_text(game.table, e) for e in events]
        return found

    def _greet(self) -> None:
        table = self.session.table
        who = ", ".join(f"{name} ({kind})" for name, kind in self.session.who.items())
        say(f"{table.book.title}: {who}; seed {self.session.seed}")
        changed = table.changed()
        if changed:
            say("with " + ", ".join(f"{name}={shown_value(value)}" for name, value in changed.items()))
