"""The Python interface: a rule book, and games as frozen values whose methods give new ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ludo_dsl.check.book import Checked, check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.diagnostics import Diagnostic
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import GameError, IllegalMoveError, NotationError
from ludo_dsl.game.events import Event, Refusal, Step
from ludo_dsl.game.notation import move_text, position_text, read_move
from ludo_dsl.game.positions import players_of
from ludo_dsl.game.state import Choice, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.refusals import why_not
from ludo_dsl.rules.book import Book, SettingValue
from ludo_dsl.rules.table import Table, make_table

Settings = Mapping[str, object]


@dataclass(frozen=True)
class RuleBook:
    """A checked rule book, ready to be played."""

    checked: Checked

    @property
    def book(self) -> Book:
        """The checked rules themselves."""
        return self.checked.book

    @property
    def name(self) -> str:
        """The name by which the rule book is asked for."""
        return self.book.name

    @property
    def title(self) -> str:
        """The name that people read."""
        return self.book.title

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What the checker found that is no error."""
        return self.checked.warnings

    def defaults(self, role: str) -> dict[str, SettingValue]:
        """The options, or the readings, with their defaults."""
        return {s.id: s.default for s in self.book.settings if s.role == role}

    def table(self, players: int | None = None, options: Settings | None = None, readings: Settings | None = None) -> Table:
        """The rules at one table. Raises `TableError` for what the rule book does not offer."""
        return make_table(self.book, players, options, readings)

    def start(
        self,
        players: int | None = None,
        options: Settings | None = None,
        readings: Settings | None = None,
        first: str | None = None,
    ) -> Game:
        """A new game; `first` is the colour that begins (by default the rule book's first player).

        Raises:
            TableError: the rule book does not offer this table.
            GameError: nobody of that colour plays.
        """
        table = self.table(players, options, readings)
        engine = Interpreter(table)
        names = [p.name for p in table.players]
        wanted = first or self.book.players.first or names[0]
        if wanted not in names:
            raise GameError(f"nobody at this table is `{wanted}`", "the players are " + ", ".join(names))
        return Game(engine, engine.start(names.index(wanted)))

    def position(
        self,
        text: str,
        players: int | None = None,
        options: Settings | None = None,
        readings: Settings | None = None,
    ) -> Game:
        """The game at a position; without `players`, as many as have the colours of the position.

        Raises:
            TableError: the rule book does not offer this table.
            NotationError: the text is no position.
            PositionError: the position cannot be.
        """
        count = players if players is not None else players_of(self.book, text)
        engine = Interpreter(self.table(count, options, readings))
        return Game(engine, engine.read(text))


@dataclass(frozen=True)
class Game:
    """A game at one moment. Everything it does gives a new game; this one stays as it is."""

    engine: Engine = field(repr=False)
    state: State
    last: Step | None = field(default=None, repr=False, compare=False)

    @property
    def table(self) -> Table:
        """The rules at this table."""
        return self.engine.table

    @property
    def position(self) -> str:
        """The position as text."""
        return position_text(self.table, self.state)

    def __str__(self) -> str:
        return self.position

    @property
    def turn(self) -> str | None:
        """The colour of the player whose turn it is; none when the game is over."""
        return None if self.state.over else self.table.players[self.state.turn].name

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def awaits_roll(self) -> bool:
        """Whether the next thing is a roll of the dice."""
        return self.state.awaits_roll

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last step did."""
        return self.last.events if self.last else ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that took part in the last step, by name."""
        return self.last.rules() if self.last else ()

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The legal choices as values; `legal` gives them as text."""
        return self.engine.legal(self.state)

    def legal(self) -> list[str]:
        """The legal moves as text; none while a roll is due."""
        return [move_text(self.table, self.state, c) for c in self.choices]

    def refused(self) -> list[tuple[str, tuple[Refusal, ...]]]:
        """Moves that one might think of and that are not legal, with the reasons."""
        return [(move_text(self.table, self.state, c), reasons) for c, reasons in self.engine.refused(self.state)]

    def faces(self) -> tuple[int, ...]:
        """The faces that the next roll may show."""
        return self.engine.faces(self.state)

    def roll(self, *faces: int) -> Game:
        """The game after a roll that shows these faces. Raises `IllegalRollError`."""
        return self._after(self.engine.roll(self.state, faces))

    def play(self, move: str) -> Game:
        """The game after a move.

        Raises:
            NotationError: the text is no move.
            AmbiguousMoveError: the text fits several legal moves.
            IllegalMoveError: the move is not legal; the error holds every reason.
        """
        return self._after(self.engine.move(self.state, self.choice(move)))

    def choice(self, move: str) -> Choice:
        """The legal choice that a text names; raises as `play` does."""
        try:
            return read_move(self.table, self.state, move, self.choices)
        except NotationError as error:
            reasons = why_not(self.table, self.state, move, self.engine.refused(self.state))
            if not reasons:
                raise NotationError(error.message, error.hint) from None
            raise IllegalMoveError(move, reasons) from None

    def pick(self, choice: Choice) -> Game:
        """The game after a choice that is known to be legal."""
        return self._after(self.engine.move(self.state, choice))

    def places(self) -> dict[str, int]:
        """The place of each player, from 1, by the ranking of the rules; equal sides share a place."""
        return dict(zip([p.name for p in self.table.players], self.engine.places(self.state), strict=True))

    def seen_by(self, colour: str) -> str:
        """The position as the player of a colour sees it: hidden counters of rivals read `?`, secret ones are left out."""
        names = [p.name for p in self.table.players]
        if colour not in names:
            raise GameError(f"nobody at this table is `{colour}`", "the players are " + ", ".join(names))
        viewer = names.index(colour)
        hidden = self.engine.hidden(self.state, viewer)
        shown = frozenset((name, owner) for name, owner, how in hidden if how == "hidden")
        return position_text(self.table, self.engine.view(self.state, viewer), shown)

    def _after(self, step: Step) -> Game:
        return Game(self.engine, step.state, step)


def load(name: str | Path) -> RuleBook:
    """The rule book of a name (one of the project's) or a file.

    Raises:
        RuleBookError: there is no such rule book, or it has faults; the error holds every diagnostic.
    """
    return RuleBook(check_file(locate(str(name))))
