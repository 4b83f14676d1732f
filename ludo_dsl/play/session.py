"""A game with people and computer players, one ply at a time."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludo_dsl.check.book import Checked
from ludo_dsl.play.chance import Source, dice_for
from ludo_dsl.play.game import Game, RuleBook
from ludo_dsl.play.host import Party, apply, at_table
from ludo_dsl.play.host_events import COMPUTER, Clock, Moved, Note, NoteKind, Rolled, TableEvent
from ludo_dsl.play.players import PLAYERS, Player
from ludo_dsl.play.records import Recorder, undisturbed
from ludo_dsl.play.seating import PERSON, STAND_IN, Seat
from ludo_dsl.rules.table import Table


@dataclass
class Session:
    """A game in progress: who plays whom, the dice, and the game as it stands.

    `who` names, for each player, `human` or a computer player; a `recorder` writes down what happens.
    `dice` are rolled instead of those of the rule book, if any are given. `host` holds chosen settings of the table around the
    game; `told` is what the table told last.
    """

    game: Game
    who: dict[str, str]
    seed: int
    recorder: Recorder | None = None
    dice: Source | None = None
    host: Mapping[str, object] = field(default_factory=dict)
    told: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        self._dice: Source = self.dice or dice_for(self.game.table, rng)
        self._computers: dict[str, Player] = {name: PLAYERS[kind](rng) for name, kind in self.who.items() if kind != "human"}
        self._stand_in = PLAYERS[STAND_IN](rng)
        seats = tuple(Seat(name, PERSON if kind == "human" else kind, name if kind == "human" else None) for name, kind in self.who.items())
        self.party: Party = at_table(RuleBook(Checked(self.table.book, ())), self.game, seats, self.seed, dict(self.host))

    @property
    def table(self) -> Table:
        """The rules at this table."""
        return self.game.table

    @property
    def people(self) -> tuple[str, ...]:
        """The players that people play."""
        return tuple(name for name, kind in self.who.items() if kind == "human")

    def is_human(self) -> bool:
        """Whether a person is to act now."""
        return self.game.turn is not None and self.party.plays(self.game.turn) == "person"

    def roll(self) -> tuple[int, ...]:
        """Makes the roll that is due, and moves that are made for a person; the faces."""
        faces = self._dice.roll(self.game.state.turn, self.game.faces())
        self._take(Rolled(faces))
        return faces

    def think(self) -> None:
        """Lets the computer player whose turn it is choose."""
        turn = self.game.turn
        assert turn is not None
        player = self._computers.get(turn, self._stand_in)
        self._take(Moved(player.choose(self.game.engine, self.game.state, self.game.choices), COMPUTER))

    def play(self, move: str) -> None:
        """Makes a person's move; raises as `Game.play` does."""
        self._take(Moved(self.game.choice(move)))

    @property
    def timed(self) -> bool:
        """Whether turns have a time limit."""
        return self.party.settings.turn_limit is not None

    def wait(self, seconds: float) -> bool:
        """Lets time pass; whether the time of the person on turn is up, so that the computer plays the turn."""
        self._take(Clock(round(seconds * 1000)))
        return any(note.kind is NoteKind.TIME_OUT for note in self.told)

    def stop(self) -> None:
        """Writes down that the game has ended, or that nobody plays on."""
        if self.recorder is not None:
            self.recorder.end(self.game)

    def _take(self, event: TableEvent) -> None:
        """Lets something happen at the table, and writes down what it is of the game."""
        party, notes = apply(self.party, event)
        with undisturbed():
            self.party, self.told = party, notes
            if party.game is not None:
                self.game = party.game
            for note in notes if self.recorder is not None else ():
                self._record(note)

    def _record(self, note: Note) -> None:
        if self.recorder is None or note.before is None or note.after is None:
            return
        if note.roll is not None:
            self.recorder.roll(note.before, note.roll, note.after)
        else:
            self.recorder.move(note.before, note.value, note.after)
