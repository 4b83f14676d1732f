"""The table around a game: a machine on a virtual clock. A party is a value; `apply` gives the next one and what is to be told.

Nothing here asks which variant is played: what a table does is in its settings (`rules.hosting`), and chance comes from the
seed of the party, so that the same events always lead to the same party. Defined in `spec/language/table.md`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Literal

from ludo_dsl.game.events import EventKind
from ludo_dsl.game.notation import move_text
from ludo_dsl.game.state import Choice, Roll
from ludo_dsl.play.chance import Contents, FairDice, Shoes
from ludo_dsl.play.forced import forced_choice
from ludo_dsl.play.game import Game, RuleBook
from ludo_dsl.play.host_events import (
    COMPUTER,
    AwayError,
    Begin,
    Clock,
    ClockError,
    Computed,
    DiceError,
    ElsewhereError,
    Leave,
    Moved,
    Note,
    NoteKind,
    NotNowError,
    OutOfTurnError,
    PlayAgain,
    Return,
    ReturnedTwiceError,
    Rolled,
    RoomError,
    SeatError,
    SetOption,
    Sit,
    TableEvent,
    rolled,
)
from ludo_dsl.play.players import PLAYERS
from ludo_dsl.play.results import Result, result_of
from ludo_dsl.play.seating import PERSON, STAND_IN, Seat, require_seat, seated, table_for
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.hosting import HostSettings, settle

Who = Literal["person", "computer", "away"]
Pairs = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Party:
    """A table at one moment: who sits there, the game under way, the clock (in milliseconds), and the games that are over."""

    book: RuleBook = field(repr=False)
    seed: int
    settings: HostSettings
    players: int | None = None
    options: Pairs = ()
    readings: Pairs = ()
    chosen: Pairs = ()
    begins: str | None = None
    position: str | None = None
    seats: tuple[Seat, ...] = ()
    game: Game | None = None
    clock: int = 0
    turn: int = 0
    turn_began: int = 0
    timed_out: bool = False
    plies: int = 0
    shoes: Contents = ()
    first: str | None = None
    results: tuple[Result, ...] = ()

    @property
    def phase(self) -> Literal["gathering", "playing", "over"]:
        """Whether the party gathers, plays, or has played a game to its end."""
        return "gathering" if self.game is None else "over" if self.game.over else "playing"

    @property
    def on_turn(self) -> str | None:
        """The seat whose turn it is."""
        return self.game.turn if self.game is not None else None

    def seat(self, name: str) -> Seat:
        """The seat of a name. Raises `SeatError` where nobody sits there."""
        found = next((s for s in self.seats if s.name == name), None)
        if found is None:
            raise SeatError(f"nobody sits at `{name}`", "the seats are " + ", ".join(s.name for s in self.seats) if self.seats else "")
        return found

    def plays(self, name: str) -> Who:
        """Who plays a seat now: its person, a computer player, or nobody while its person is away."""
        seat = self.seat(name)
        if not seat.is_person or (self.timed_out and name == self.on_turn):
            return "computer"
        if seat.away is None:
            return "person"
        return "computer" if self._filled(seat) else "away"

    def _filled(self, seat: Seat) -> bool:
        """Whether a computer player stands in for a person who is away: from the next turn on, at once, or never."""
        match self.settings["drop-out"]:
            case "computer-at-once":
                return True
            case "computer":
                return seat.name != self.on_turn or seat.away != self.turn
            case _:
                return False

    @property
    def time_left(self) -> int | None:
        """The milliseconds that the turn may still take; none where there is no limit, or no person who takes the turn."""
        limit = self.settings.turn_limit
        if limit is None or self.on_turn is None or self.plays(self.on_turn) == "computer":
            return None
        return self.turn_began + limit - self.clock


def open_table(
    book: RuleBook,
    *,
    seed: int,
    players: int | None = None,
    options: dict[str, object] | None = None,
    readings: dict[str, object] | None = None,
    host: dict[str, object] | None = None,
    begins: str | None = None,
    position: str | None = None,
) -> Party:
    """A table at which nobody sits yet; `begins` and `position` are about the first game.

    Raises:
        TableError: the rule book does not offer this.
        RoomError: a number of players, where the party sets it.
    """
    table = book.table(players, options, readings)
    settings = settle(table, host or {})
    if players is not None and settings["seats"] == "party":
        raise RoomError("the size of the party sets the number of players", "leave the number out, or choose `seats` as `chosen`")
    return Party(
        book,
        seed,
        settings,
        players,
        tuple((options or {}).items()),
        tuple((readings or {}).items()),
        tuple((host or {}).items()),
        begins,
        position,
    )


def at_table(book: RuleBook, game: Game, seats: tuple[Seat, ...], seed: int, host: dict[str, object], first: str | None = None) -> Party:
    """A table in the middle of a game, which somebody has set up; raises `TableError`."""
    choices = {s.id: game.table.chosen[s.id] for s in game.table.book.settings}
    roles = {s.id: s.role for s in game.table.book.settings}
    options = tuple((name, value) for name, value in choices.items() if roles[name] == "option")
    readings = tuple((name, value) for name, value in choices.items() if roles[name] == "reading")
    settings = settle(game.table, host)
    party = Party(book, seed, settings, len(game.table.players), options, readings, tuple(host.items()), first, None, seats)
    return replace(party, game=game, turn=1, first=first or game.turn or game.table.players[0].name)


def apply(party: Party, event: TableEvent) -> tuple[Party, tuple[Note, ...]]:
    """The party after an event, and what is to be told; the party that is given stays as it is.

    Raises:
        HostError: the table refuses the event.
        GameError: the game refuses the roll or the move.
        TableError: the rule book does not offer an option.
    """
    match event:
        case Sit():
            return _sit(party, event)
        case Leave(name):
            return _leave(party, name)
        case Return(name, device):
            return _return(party, name, device)
        case SetOption(name, value):
            return _set_option(party, name, value)
        case Begin():
            return _begin(party)
        case PlayAgain():
            return _play_again(party)
        case Clock(by):
            return _clock(party, by)
        case Rolled(faces, by):
            return _rolled(party, faces, by)
        case Moved(move, by):
            return _moved(party, move, by)
        case Computed():
            return _computed(party)


# ---- people ----------------------------------------------------------------------------------------------------------


def _sit(party: Party, sit: Sit) -> tuple[Party, tuple[Note, ...]]:
    if party.game is not None:
        raise NotNowError("the game has begun, and nobody sits down any more", "sit down before the game")
    require_seat(party.book.book, sit.seat, party.players)
    seat = seated(party.seats, sit, party.settings)
    who = f"a person on `{seat.device}`" if seat.is_person else "a computer player"
    return replace(party, seats=(*party.seats, seat)), (Note(NoteKind.SAT, seat.name, who),)


def _leave(party: Party, name: str) -> tuple[Party, tuple[Note, ...]]:
    seat = party.seat(name)
    if party.game is None:
        return replace(party, seats=tuple(s for s in party.seats if s != seat)), (Note(NoteKind.LEFT, name),)
    if not seat.is_person:
        raise AwayError(f"a computer player sits at `{name}`, and does not drop out", "name the seat of a person")
    if seat.away is not None:
        raise AwayError(f"`{name}` has left already", "let the player return first")
    after = _with_seat(party, replace(seat, away=party.turn))
    return after, (Note(NoteKind.LEFT, name), *_filling(party, after))


def _return(party: Party, name: str, device: str | None) -> tuple[Party, tuple[Note, ...]]:
    seat = party.seat(name)
    if party.game is None or not seat.is_person or seat.away is None:
        raise ReturnedTwiceError(f"`{name}` is at the table and cannot come back", "only a player who has dropped out returns")
    if device not in (None, seat.device) and party.settings["return"] == "same-device":
        raise ElsewhereError(f"the seat `{name}` is kept for the device `{seat.device}`, not for `{device}`", "return on the same device")
    return _with_seat(party, replace(seat, away=None, device=device or seat.device)), (Note(NoteKind.RETURNED, name),)


def _with_seat(party: Party, seat: Seat) -> Party:
    return replace(party, seats=tuple(seat if s.name == seat.name else s for s in party.seats))


def _filling(before: Party, after: Party) -> tuple[Note, ...]:
    """Tells that a computer player has begun to stand in for the person on turn."""
    name = after.on_turn
    if name is None or not after.seat(name).is_person or after.timed_out or after.plays(name) != "computer":
        return ()
    same = before.game is not None and before.turn == after.turn and before.plays(name) == "computer"
    return () if same else (Note(NoteKind.FILLED_IN, name),)


# ---- games -----------------------------------------------------------------------------------------------------------


def _set_option(party: Party, name: str, value: str) -> tuple[Party, tuple[Note, ...]]:
    series = party.settings["options-set"] == "before-series"
    if party.phase == "playing" or (series and party.phase == "over"):
        raise NotNowError("options are chosen before the " + ("first game" if series else "game"), "play on, or end this table")
    options = tuple({**dict(party.options), name: value}.items())
    count = party.players if party.game is None else len(party.game.table.players)
    table = party.book.table(count, dict(options), dict(party.readings))
    after = replace(party, options=options, settings=settle(table, dict(party.chosen)))
    return after, (Note(NoteKind.OPTION, None, f"`{name}={value}`"),)


def _begin(party: Party) -> tuple[Party, tuple[Note, ...]]:
    if party.game is not None:
        raise NotNowError("the game has begun", "after it, `play again` begins another")
    seats = table_for(party.book.book, party.seats, party.players, party.settings)
    return _new_game(replace(party, seats=seats))


def _play_again(party: Party) -> tuple[Party, tuple[Note, ...]]:
    if party.phase != "over":
        raise NotNowError("no game has been played to its end", "play again when the game is over")
    return _new_game(replace(party, position=None, begins=None if party.settings["first-player"] != "fixed" else party.begins))


def _new_game(party: Party) -> tuple[Party, tuple[Note, ...]]:
    count = len(party.seats)
    choices = dict(party.options), dict(party.readings)
    party = replace(party, settings=settle(party.book.table(count, *choices), dict(party.chosen)))
    if party.position is not None:
        game = party.book.position(party.position, count, *choices)
    else:
        game = party.book.start(count, *choices, first=who_begins(party))
    turn = party.turn + 1
    after = replace(
        party, game=game, turn=turn, turn_began=party.clock, timed_out=False, plies=0, shoes=(), first=game.turn or party.seats[0].name
    )
    return after, (Note(NoteKind.BEGAN, after.first), *_filling(party, after))


def who_begins(party: Party) -> str:
    """The seat that begins the next game, by the setting `first-player` and the games before."""
    names = [s.name for s in party.seats]
    how = party.settings["first-player"]
    if party.begins is not None:
        if party.begins not in names:
            raise SeatError(f"nobody sits at `{party.begins}`, who should begin", "the seats are " + ", ".join(names))
        return party.begins
    if party.first in names and how in ("rotate", "same"):
        at = names.index(party.first)
        return names[(at + 1) % len(names)] if how == "rotate" else names[at]
    return opener(party.book.book, party.settings, names, party.seed, len(party.results))


def opener(book: Book, settings: HostSettings, names: list[str], seed: int, games: int = 0) -> str:
    """The seat that begins where no game before decides it: the one that the rule book names, or one that chance draws."""
    how = settings["first-player"]
    named = book.players.first
    if how != "drawn" and named in names:
        return named
    # Who begins the first game is drawn as `ludo play` has always drawn it.
    return names[0] if how == "fixed" else random.Random(f"{seed}/first/{games}" if games else f"{seed}/first").choice(names)


# ---- time ------------------------------------------------------------------------------------------------------------


def _clock(party: Party, by: int) -> tuple[Party, tuple[Note, ...]]:
    if by < 0:
        raise ClockError(f"the clock stands at {seconds(party.clock)} and cannot go back to {seconds(party.clock + by)}", "clocks go on")
    after = replace(party, clock=party.clock + by)
    left = after.time_left
    name = after.on_turn
    if left is None or left > 0 or name is None:
        return after, ()
    after = replace(after, timed_out=True)
    notes: tuple[Note, ...] = (Note(NoteKind.TIME_OUT, name),)
    if after.settings["time-out"] == "drop-out" and after.seat(name).away is None:
        after = _with_seat(after, replace(after.seat(name), away=after.turn))
        notes += (Note(NoteKind.LEFT, name),)
    return after, notes


def seconds(milliseconds: int) -> str:
    """A time for people, as in `31s` or `1.5s`."""
    return f"{milliseconds / 1000:g}s"


# ---- play ------------------------------------------------------------------------------------------------------------


def _acting(party: Party, by: str | None, rolls: bool) -> Game:
    """The game, if whoever acts may do so now: the person on turn, a computer player on turn, or the dice."""
    game, name = party.game, party.on_turn
    if game is None or name is None:
        raise NotNowError("the game has not begun" if game is None else "the game is over", "begin one first")
    if by not in (None, COMPUTER):
        party.seat(by)
        if by != name:
            raise OutOfTurnError(f"it is the turn of `{name}`, not of `{by}`", f"wait for the turn of `{by}`")
    who = party.plays(name)
    if who == "away":
        raise AwayError(f"`{name}` is away, and the table waits", "let the player return, or the time run out")
    if who == "computer" and by != COMPUTER and not (rolls and by is None):
        raise OutOfTurnError(f"the computer plays this turn of `{name}`", "let it play")
    if who == "person" and by == COMPUTER:
        raise OutOfTurnError(f"`{name}` plays this turn, not the computer", "let the player move")
    return game


def _rolled(party: Party, faces: Roll | None, by: str | None) -> tuple[Party, tuple[Note, ...]]:
    game = _acting(party, by, rolls=True)
    if by is not None and faces is not None and party.settings["dice"] == "committed":
        raise DiceError("at this table nobody but the dice source rolls", "take the roll from the source")
    shoes = party.shoes
    if faces is None:
        if not game.awaits_roll:
            raise NotNowError("no roll is due", "move first")
        faces, shoes = _dealt(party, game)
    after = game.roll(*faces)
    note = rolled(game, faces, after)
    return _settled(party, replace(party, game=after, shoes=shoes, plies=party.plies + 1), note)


def _dealt(party: Party, game: Game) -> tuple[Roll, Contents]:
    rng = _chance(party)
    if game.table.book.dice.shoe is None:
        return FairDice(game.table, rng).roll(game.state.turn, game.faces()), ()
    shoes = Shoes(game.table, rng, party.shoes)
    return shoes.roll(game.state.turn, game.faces()), shoes.contents


def _chance(party: Party) -> random.Random:
    """The chance of one ply: from the seed, the game and the ply, so that no generator is carried along."""
    return random.Random(f"{party.seed}/{len(party.results)}/{party.plies}")


def _moved(party: Party, move: str | Choice, by: str | None) -> tuple[Party, tuple[Note, ...]]:
    game = _acting(party, by, rolls=False)
    if isinstance(move, str):
        if game.awaits_roll:
            raise NotNowError(f"`{game.turn}` has to roll before a move", "roll first")
        move = game.choice(move)
    return _settled(party, *_picked(party, game, move, NoteKind.MOVED))


def _picked(party: Party, game: Game, choice: Choice, kind: NoteKind) -> tuple[Party, Note]:
    after = game.pick(choice)
    note = Note(kind, game.turn, move_text(game.table, game.state, choice), game, after)
    return replace(party, game=after, plies=party.plies + 1), note


def _computed(party: Party) -> tuple[Party, tuple[Note, ...]]:
    name = party.on_turn
    if name is not None and party.plays(name) != "computer":
        raise OutOfTurnError(f"`{name}` plays this turn, not the computer", "let the player move")
    game = _acting(party, COMPUTER, rolls=True)
    assert name is not None
    if game.awaits_roll:
        return _rolled(party, None, COMPUTER)
    kind = party.seat(name).kind
    player = PLAYERS[STAND_IN if kind == PERSON else kind](_chance(party))
    return _moved(party, player.choose(game.engine, game.state, game.choices), COMPUTER)


def _settled(before: Party, after: Party, *notes: Note) -> tuple[Party, tuple[Note, ...]]:
    """What follows from a roll or a move: a new turn, moves that are made for a person, the end of the game."""
    after, told = _turned(before, after)
    found = [*notes, *told]
    while (choice := _made_for(after)) is not None and after.game is not None:
        last = after
        after, note = _picked(after, after.game, choice, NoteKind.FORCED)
        after, told = _turned(last, after)
        found += [note, *told]
    game = after.game
    if game is not None and game.over:
        result = result_of(game, after.first or after.seats[0].name, after.settings)
        after = replace(after, results=(*after.results, result), timed_out=False)
        found.append(Note(NoteKind.OVER))
    return after, tuple(found)


def _made_for(party: Party) -> Choice | None:
    name, game = party.on_turn, party.game
    automatic = party.settings["forced-moves"] == "automatic"
    if not automatic or game is None or name is None or game.awaits_roll or party.plays(name) != "person":
        return None
    return forced_choice(game)


def _turned(before: Party, after: Party) -> tuple[Party, tuple[Note, ...]]:
    game = after.game
    if game is None or not any(e.kind is EventKind.TURN_STARTED for e in game.events):
        return after, ()
    after = replace(after, turn=after.turn + 1, turn_began=after.clock, timed_out=False)
    return after, _filling(before, after)
