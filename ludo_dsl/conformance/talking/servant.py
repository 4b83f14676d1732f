"""Our interpreter as an engine: it answers every message of the protocol, and never raises."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice

from ludo_dsl import __version__
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.protocol import CAPABILITIES, PROTOCOL, Answer, ProtocolFault
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.events import Event, EventKind
from ludo_dsl.game.notation import move_text, roll_text
from ludo_dsl.game.state import Roll
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import Source, dice_for
from ludo_dsl.play.game import Game, RuleBook, load
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.table import TableError

LONGEST_LOG = 20_000
"""Plies after which a game that is to be told of is broken off."""

EVENTS = {
    EventKind.CAPTURED: "capture",
    EventKind.CAME_HOME: "home",
    EventKind.SCORED: "score",
    EventKind.RETIRED: "finished",
    EventKind.GAME_ENDED: "over",
}
"""The events that an answer tells of, in the words of the answer."""

Pairs = tuple[tuple[str, object], ...]


class _NoError(Exception):
    """One of the three refusals, and why."""

    def __init__(self, op: str, reason: str) -> None:
        self.op = op
        self.reason = reason


class Servant:
    """An engine for rule books, given themselves or by the names under which the project has them (all of those, by default).

    A book that is given by name is read when it is first asked for. `readings` are taken by every book that has them, unless
    `new` names others; what is not among the `capabilities` is neither claimed nor done.
    """

    def __init__(
        self,
        books: Iterable[str | RuleBook] | None = None,
        readings: Mapping[str, object] | None = None,
        capabilities: Iterable[str] = CAPABILITIES,
    ) -> None:
        shelf = variant_names() if books is None else books
        self._books = {book if isinstance(book, str) else book.name: book for book in shelf}
        self._readings = dict(readings or {})
        self._capabilities = tuple(c for c in CAPABILITIES if c in frozenset(capabilities))
        self._engine = lru_cache(maxsize=128)(self._made)
        self._game: Game | None = None
        self._opening: Game | None = None
        self._dice: Source | None = None
        self._rng = random.Random(0)
        self._answers: dict[str, Callable[[Mapping[str, object]], Answer]] = {
            "hello": self._hello,
            "new": self._new,
            "set": self._set,
            "roll": self._roll,
            "legal": self._legal,
            "move": self._move,
            "state": self._state,
            "log": self._log,
            "quit": lambda said: {},
        }

    def answer(self, message: object) -> Answer:
        """The answer to a message, or one of the three refusals; empty for `quit`, which is not answered."""
        if not isinstance(message, Mapping):
            return {"op": "error", "reason": "a message is an object"}
        number = {"id": message["id"]} if "id" in message else {}
        try:
            answer = self._answered(message)
        except _NoError as no:
            return {"op": no.op, **number, "reason": no.reason}
        except GameError as error:
            return {"op": "illegal", **number, "reason": str(error)}
        except TableError as error:
            return {"op": "unsupported", **number, "reason": str(error)}
        except Exception as error:
            return {"op": "error", **number, "reason": f"{type(error).__name__}: {error}"}
        return answer and {"op": message["op"], **number, **answer}

    def _answered(self, said: Mapping[str, object]) -> Answer:
        op = _text(said, "op")
        if op not in self._answers:
            raise _NoError("unsupported", f"there is no message `{op}`")
        if op in ("set", "legal", "log") and op not in self._capabilities:
            raise _NoError("unsupported", f"`{op}` is not claimed")
        return self._answers[op](said)

    # ---- tables ------------------------------------------------------------------------------------------------------

    def _hello(self, said: Mapping[str, object]) -> Answer:
        return {
            "protocol": PROTOCOL,
            "name": "ludo-dsl",
            "version": __version__,
            "variants": " ".join(self._books),
            "capabilities": " ".join(self._capabilities),
        }

    def _new(self, said: Mapping[str, object]) -> Answer:
        readings = _pairs(said, "readings") if "readings" in self._capabilities else ()
        engine = self._engine(_text(said, "variant"), _whole(said, "seats"), _pairs(said, "options"), readings)
        names = [p.name for p in engine.table.players]
        first = _text(said, "first") if "first" in said else engine.table.book.players.first or names[0]
        if first not in names:
            raise _NoError("unsupported", f"nobody at this table is `{first}`: the players are {', '.join(names)}")
        self._rng = random.Random(_whole(said, "seed") if "seed" in said else 0)
        self._dice = dice_for(engine.table, self._rng)
        self._opening = Game(engine, engine.start(names.index(first)))
        return self._stands(self._opening)

    def _made(self, variant: str, seats: int, options: Pairs, readings: Pairs) -> Interpreter:
        book = self._book(variant)
        own = {name: value for name, value in self._readings.items() if name in book.defaults("reading")}
        return Interpreter(book.table(seats, dict(options), {**own, **dict(readings)}))

    def _book(self, variant: str) -> RuleBook:
        book = self._books.get(variant)
        if book is None:
            raise _NoError("unsupported", f"`{variant}` is not played here, but {', '.join(self._books)}")
        if isinstance(book, str):
            book = self._books[variant] = load(book)
        return book

    def _set(self, said: Mapping[str, object]) -> Answer:
        engine = self._now().engine
        return self._stands(Game(engine, engine.read(_text(said, "position"))))

    # ---- steps -------------------------------------------------------------------------------------------------------

    def _roll(self, said: Mapping[str, object]) -> Answer:
        game = self._now()
        faces = self._given(said) if "values" in said else self._own_roll(game)
        return {"values": roll_text(faces), **self._stands(game.roll(*faces))}

    def _given(self, said: Mapping[str, object]) -> Roll:
        if "force" not in self._capabilities:
            raise _NoError("unsupported", "the dice are rolled here")
        try:
            return tuple(int(face) for face in _text(said, "values").split("+"))
        except ValueError:
            raise _NoError("error", "`values` should be faces, as in `3` or `6+2`") from None

    def _own_roll(self, game: Game) -> Roll:
        assert self._dice is not None
        if not game.awaits_roll:
            raise _NoError("illegal", "no roll is due")
        return self._dice.roll(game.state.turn, game.faces())

    def _move(self, said: Mapping[str, object]) -> Answer:
        game = self._now().play(_text(said, "move"))
        told = _told(game.events)
        return {**self._stands(game), **({"events": told} if told else {})}

    def _stands(self, game: Game) -> Answer:
        """The game stands so from now on."""
        position = game.position
        self._game = game
        return {"position": position}

    # ---- questions ---------------------------------------------------------------------------------------------------

    def _legal(self, said: Mapping[str, object]) -> Answer:
        return {"moves": " ".join(self._now().legal())}

    def _state(self, said: Mapping[str, object]) -> Answer:
        game = self._now()
        return {"position": game.position, **({"places": protocol.pairs_text(game.places().items())} if game.over else {})}

    def _log(self, said: Mapping[str, object]) -> Answer:
        """Plays a whole game from the opening; the game stands at its end afterwards."""
        opening = self._opening
        if opening is None or self._dice is None:
            raise _NoError("error", "no game has begun: `new` comes first")
        players = [RandomPlayer(self._rng)] * len(opening.table.players)
        words, state = [], opening.state
        for ply in islice(playing(opening.engine, state, players, self._dice), LONGEST_LOG):
            if ply.roll is not None:
                words.append(roll_text(ply.roll))
            elif ply.choice is not None:
                words.append(move_text(opening.table, ply.before, ply.choice))
            state = ply.step.state
        self._game = Game(opening.engine, state)
        return {"log": " ".join(words)}

    def _now(self) -> Game:
        if self._game is None:
            raise _NoError("error", "no game has begun: `new` comes first")
        return self._game


def _told(events: Iterable[Event]) -> str:
    return " ".join(EVENTS[event.kind] for event in events if event.kind in EVENTS)


# ---- what a message holds --------------------------------------------------------------------------------------------


def _text(said: Mapping[str, object], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str):
        raise _NoError("error", f"the message has no `{key}`" if value is None else f"`{key}` should be a text")
    return value


def _whole(said: Mapping[str, object], key: str) -> int:
    value = said.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _NoError("error", f"the message has no `{key}`" if value is None else f"`{key}` should be a whole number")
    return value


def _pairs(said: Mapping[str, object], key: str) -> Pairs:
    if key not in said:
        return ()
    try:
        return tuple(protocol.read_pairs(_text(said, key)).items())
    except ProtocolFault as fault:
        raise _NoError("error", f"`{key}`: {fault.message}") from None
