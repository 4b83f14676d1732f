"""Who can sit at a table, on what device, and at which table of the rule book the party sits down."""

from __future__ import annotations

from dataclasses import dataclass

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.play.host_events import COMPUTER, RoomError, SeatError, SeatTakenError, Sit
from ludo_dsl.play.players import PLAYERS
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.hosting import HostSettings

PERSON = "person"
STAND_IN = "sensible"
"""The computer player that fills in for people and takes empty seats."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that is taken, named by its colour. `away` is the number of the turn during which its player dropped out."""

    name: str
    kind: str
    device: str | None = None
    away: int | None = None

    @property
    def is_person(self) -> bool:
        """Whether the seat belongs to a person, present or not."""
        return self.kind == PERSON


def colours_of(book: Book, count: int) -> tuple[str, ...]:
    """The names of the seats at the table of so many players."""
    return tuple(colours[0] for colours in dict(book.players.seats)[count])


def require_seat(book: Book, name: str, count: int | None) -> None:
    """Sees to it that some table of the rule book has this seat. Raises `SeatError`."""
    counts = book.players.counts if count is None else (count,)
    known = list(dict.fromkeys(c for n in reversed(counts) for c in colours_of(book, n)))
    if name not in known:
        raise SeatError(f"there is no seat `{name}`", suggestion(name, known, "seats"))


def seated(seats: tuple[Seat, ...], sit: Sit, settings: HostSettings) -> Seat:
    """The seat that somebody takes.

    Raises:
        SeatTakenError: somebody sits there.
        RoomError: the device does not suit the room.
    """
    if any(s.name == sit.seat for s in seats):
        raise SeatTakenError(f"the seat `{sit.seat}` is taken", "choose another one")
    if sit.kind != PERSON:
        kind = STAND_IN if sit.kind == COMPUTER else sit.kind
        if kind not in PLAYERS:
            raise RoomError(f"nobody plays like `{sit.kind}`", suggestion(sit.kind, [PERSON, COMPUTER, *PLAYERS], "kinds"))
        return Seat(sit.seat, kind)
    others = [s.device for s in seats if s.is_person]
    if settings["room"] == "one-device":
        device = sit.device or (others[0] if others else "the table")
        if others and device != others[0]:
            raise RoomError(f"everybody plays on one device, and `{sit.seat}` sits at another", f"sit on `{others[0]}`")
        return Seat(sit.seat, PERSON, device)
    device = sit.device or sit.seat
    if settings["room"] == "online" and device in others:
        raise RoomError(f"somebody plays on the device `{device}`", "in this room each player has a device of their own")
    if settings["room"] == "computer" and others:
        raise RoomError("one person plays alone against the computer", "choose another room")
    return Seat(sit.seat, PERSON, device)


def table_for(book: Book, seats: tuple[Seat, ...], players: int | None, settings: HostSettings) -> tuple[Seat, ...]:
    """The seats at which a game begins, in their order: those that are taken, and computer players in the others.

    The number of players is what the party has chosen, or as many as there are: see `spec/language/table.md`.

    Raises:
        RoomError: no table has these seats, or the room does not suit them.
    """
    fills = settings["empty-seats"] == COMPUTER or settings["room"] == COMPUTER
    taken = {s.name: s for s in seats}
    count = _count(book, frozenset(taken), players, fills, settings["seats"] == "party")
    found = tuple(taken.get(name, Seat(name, STAND_IN)) for name in colours_of(book, count))
    people = [s for s in found if s.is_person]
    if settings["room"] == COMPUTER and len(people) != 1:
        raise RoomError("one person plays alone against the computer", "let one person sit down")
    most = settings["online-seats"]
    if settings["room"] == "online" and isinstance(most, int) and len(found) > most:
        raise RoomError(f"a room has {most} seats, not {len(found)}", "let fewer sit down")
    return found


def _count(book: Book, taken: frozenset[str], players: int | None, fills: bool, party: bool) -> int:
    tables = {count: frozenset(colours_of(book, count)) for count in book.players.counts}
    fitting = [count for count, names in tables.items() if names >= taken]
    if not fills:
        fitting = [count for count in fitting if tables[count] == taken]
    wanted = players if players is not None and fills else fitting[0] if fitting and party else fitting[-1] if fitting else None
    if taken and wanted in fitting:
        assert wanted is not None
        return wanted
    known = "; ".join(f"{count} players: {', '.join(colours_of(book, count))}" for count in tables)
    raise RoomError(f"no table has these seats: {', '.join(sorted(taken)) or 'none is taken'}", known)
