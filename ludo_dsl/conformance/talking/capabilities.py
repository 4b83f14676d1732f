"""What an engine says it is and can do, and whether each claim is borne out by a trial."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from ludo_dsl.conformance.running.verdicts import Capability, Verdict
from ludo_dsl.conformance.scenarios.subjects import RefusedError, UnreadableError, book_of
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.asking import Endpoint, Limits, StartError, TroubleError
from ludo_dsl.conformance.talking.protocol import CAPABILITIES, PROTOCOL, SUITE, ProtocolFault, shown
from ludo_dsl.conformance.talking.spoken import Spoken
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import position_text, require_move, roll_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import Book, Named
from ludo_dsl.rules.table import Table, TableError, make_table

TRIES = 3
"""Positions on which a claim is tried before it is given up: an engine that breaks a rule may refuse one of them."""

MOST_ROLLS = 3
"""Rolls in a row by which a position with a choice is looked for."""

LONGEST_GAME = 150
"""Plies of a random game from which positions are taken."""

MOST_POSITIONS = 12
"""Positions that are taken from random games."""

LONGEST_TRIAL = 60
"""Steps that an engine which rolls itself has to come to a choice."""


@dataclass(frozen=True)
class Hello:
    """How an engine presents itself; `options` is what it says it can vary, as `amarnepal.capture-first` with the values."""

    name: str
    version: str
    protocol: int
    variants: tuple[str, ...]
    capabilities: tuple[str, ...]
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()


def hello(endpoint: Endpoint, limits: Limits) -> Hello:
    """Asks an engine who it is.

    Raises:
        TroubleError: it does not say, or speaks another version of the protocol.
    """
    answer = endpoint.ask(protocol.message("hello", protocol=PROTOCOL, suite=SUITE), limits.hello)
    if answer["op"] != "hello":
        raise TroubleError(Verdict.PROTOCOL_ERROR, f"`hello` is answered with `{answer['op']}`: {shown(str(answer['reason']))}")
    if answer["protocol"] != PROTOCOL:
        raise TroubleError(Verdict.PROTOCOL_ERROR, f"the engine speaks version {answer['protocol']} of the protocol, not {PROTOCOL}")
    try:
        options = protocol.read_pairs(str(answer.get("options", "")))
    except ProtocolFault as fault:
        raise TroubleError(Verdict.PROTOCOL_ERROR, f"`options`: {fault.message}") from None
    return Hello(
        name=str(answer["name"]),
        version=str(answer["version"]),
        protocol=PROTOCOL,
        variants=_words(answer["variants"]),
        capabilities=_words(answer["capabilities"]),
        options=tuple((name, tuple(values.split(","))) for name, values in options.items()),
    )


def _words(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(value).split()))


# ---- trials ----------------------------------------------------------------------------------------------------------


class _LieError(Exception):
    """A claim that is not borne out, and how that shows."""


class _UntriedError(Exception):
    """A claim that cannot be tried, and why."""


def verify(
    endpoint: Endpoint, hello: Hello, limits: Limits, reopen: Callable[[], Endpoint] | None = None, books: Mapping[str, str] | None = None
) -> tuple[Capability, ...]:
    """Every capability of the protocol, and whatever else the engine claims, with what a trial found.

    Where a trial ends the engine, `reopen` starts it again for the next one; without it, the others are not tried. `endpoint`
    itself is left open, and of no more use if a trial ended it. `books` holds the files of rule books of one's own, by name.
    """
    found = []
    trial = _Trial(endpoint, hello, limits, reopen, {**{name: name for name in variant_names()}, **(books or {})})
    try:
        for name in CAPABILITIES:
            found.append(trial.of(name) if name in hello.capabilities else Capability(name, claimed=False, verified=None))
    finally:
        trial.close()
    unknown = [Capability(c, True, None, "the protocol has no such capability") for c in hello.capabilities if c not in CAPABILITIES]
    return (*found, *unknown)


class _Trial:
    """The trials of one engine, one after the other; what a claim needs of another is used only if that was borne out or claimed."""

    def __init__(
        self, endpoint: Endpoint, hello: Hello, limits: Limits, reopen: Callable[[], Endpoint] | None, books: Mapping[str, str]
    ) -> None:
        self.endpoint = endpoint
        self.own: Endpoint | None = None
        self.hello = hello
        self.limits = limits
        self.reopen = reopen
        self.books = books
        self.can = set(hello.capabilities)
        self.ended = False
        self._trials: dict[str, Callable[[], None]] = {
            "set": self._set,
            "force": self._force,
            "legal": self._legal,
            "readings": self._readings,
            "log": self._log,
        }

    def close(self) -> None:
        """Ends what was started here."""
        if self.own is not None:
            self.own.close()

    def of(self, name: str) -> Capability:
        """What the trial of one claim finds."""
        try:
            self._start_again()
            self._trials[name]()
        except _UntriedError as error:
            return Capability(name, claimed=True, verified=None, note=str(error))
        except _LieError as error:
            note = str(error)
        except TroubleError as trouble:
            self.ended = True
            note = f"{trouble.verdict}: {trouble.note}"
        except RefusedError as refusal:
            note = f"the engine answers `{refusal.kind}`: {shown(refusal.reason)}"
        except UnreadableError as error:
            note = f"the engine tells of what is no position: {shown(str(error))}"
        else:
            return Capability(name, claimed=True, verified=True)
        self.can.discard(name)
        return Capability(name, claimed=True, verified=False, note=note)

    def _start_again(self) -> None:
        if not self.ended:
            return
        if self.reopen is None:
            raise _UntriedError("not tried: the engine had ended")
        self.close()
        try:
            self.own = self.endpoint = self.reopen()
        except StartError as error:
            raise _UntriedError(f"not tried: the engine could not be started again: {error.message}") from None
        self.ended = False
        hello(self.endpoint, self.limits)

    # ---- tables ------------------------------------------------------------------------------------------------------

    def _played(self) -> tuple[Interpreter, Spoken]:
        """A table that the engine plays, and a game that has begun there."""
        refused = "it claims no variant that has a rule book here"
        for variant in self.hello.variants:
            if variant not in self.books:
                continue
            for table in _tables(book_of(self.books[variant]), dict(self.hello.options)):
                reference, spoken = Interpreter(table), self._spoken()
                try:
                    spoken.new(reference, 0)
                except RefusedError as refusal:
                    if refusal.kind != "unsupported":
                        raise
                    refused = f"it offers no table that was tried: {shown(refusal.reason)}"
                    continue
                return reference, spoken
        raise _UntriedError(f"not tried: {refused}")

    def _spoken(self) -> Spoken:
        return Spoken(self.endpoint, frozenset(self.can - {"readings"}), self.limits)

    # ---- set, force --------------------------------------------------------------------------------------------------

    def _set(self) -> None:
        """A position of some game is set, and told of afterwards; one of several will do."""
        reference, spoken = self._played()
        fault: Exception | None = None
        for state in islice(_positions(reference), TRIES):
            try:
                return _held(spoken, reference, state)
            except (RefusedError, UnreadableError, _LieError) as error:
                fault = error
        raise fault or _UntriedError("not tried: no position was found")

    def _force(self) -> None:
        """The engine rolls what it is told, though that be another thing each time."""
        reference, spoken = self._played()
        for faces in _rolls(reference):
            spoken.new(reference, 0)
            given = roll_text(faces)
            answer = self.endpoint.ask(protocol.message("roll", values=given), self.limits.message)
            if answer["op"] in protocol.REFUSALS:
                raise _LieError(f"it is to roll {given} at the beginning, and answers `{answer['op']}`: {shown(str(answer['reason']))}")
            if sorted(str(answer["values"]).split("+")) != sorted(given.split("+")):
                raise _LieError(f"it was to roll {given}, and rolled {answer['values']}")
            if not _of_roll(str(answer["position"]), faces):
                raise _LieError(f"it was to roll {given}, and the position then is {shown(str(answer['position']), 200)}")

    # ---- legal -------------------------------------------------------------------------------------------------------

    def _legal(self) -> None:
        """Moves are listed that are written as moves; where there are moves, one list of several names one at least."""
        reference, spoken = self._played()
        lists = 0
        for _ in islice(self._choices(reference, spoken), TRIES):
            moves = spoken.legal() or ()
            for move in moves:
                _require_move(reference.table, move)
            if moves:
                return
            lists += 1
        if not lists:
            raise _UntriedError("not tried: no position was found that offers a choice")
        raise _LieError("it lists no move, in positions where there are some")

    def _choices(self, reference: Interpreter, spoken: Spoken) -> Iterator[State]:
        """The engine is brought to positions in which the rules offer moves, by whatever it can do."""
        if "force" in self.can:
            anywhere = "set" in self.can
            for state, rolls in _offers(reference, _positions(reference) if anywhere else [reference.start()]):
                try:
                    if anywhere:
                        spoken.set(reference, position_text(reference.table, state))
                    else:
                        spoken.new(reference, 0)
                    for faces in rolls:
                        spoken.roll(faces)
                except RefusedError:
                    continue
                yield state
            return
        for _ in range(LONGEST_TRIAL):
            state = spoken.state(reference)
            if state.over:
                return
            if state.awaits_roll:
                spoken.own_roll()
                continue
            yield state
            spoken.move((spoken.legal() or ("pass",))[0])

    # ---- readings, log -----------------------------------------------------------------------------------------------

    def _readings(self) -> None:
        """`new` takes another reading of an open question, one question or another."""
        reference, _ = self._played()
        table = reference.table
        spoken = Spoken(self.endpoint, frozenset({"readings"}), self.limits)
        refusal: RefusedError | None = None
        for other in islice(_other_readings(table), 2 * TRIES):
            try:
                return spoken.new(Interpreter(other), 0)
            except RefusedError as error:
                refusal = error
        raise refusal or _UntriedError(f"not tried: {table.book.name} leaves no question open")

    def _log(self) -> None:
        """A game is told of, in rolls and moves."""
        reference, spoken = self._played()
        words = spoken.log().split()
        if not words:
            raise _LieError("it tells of no game")
        for word in words:
            # What is written as a move is one, if only on a board of the engine's own: a rule that is broken is no false claim.
            if ">" not in word and not all(face.isascii() and face.isdigit() for face in word.split("+")):
                _require_move(reference.table, word)


# ---- what is tried ---------------------------------------------------------------------------------------------------


def _tables(book: Book, offered: dict[str, tuple[str, ...]]) -> Iterator[Table]:
    """Tables that an engine may play: the defaults, or what it says it offers in their place, for each number of players."""
    options: dict[str, object] = {}
    for setting in book.settings:
        values = offered.get(f"{book.name}.{setting.id}")
        if setting.role == "option" and values and isinstance(setting.domain, Named) and setting.default not in values:
            options[setting.id] = values[0]
    for players in book.players.counts:
        try:
            yield make_table(book, players, options)
        except TableError:
            continue


def _other_readings(table: Table) -> Iterator[Table]:
    """The table under another reading of one question, for each question with named values."""
    chosen: dict[str, object] = {s.id: table.chosen[s.id] for s in table.book.settings if s.role == "option"}
    for setting in table.book.settings:
        if setting.role != "reading" or not isinstance(setting.domain, Named):
            continue
        for value in setting.domain.values:
            if value.name != setting.default:
                try:
                    yield make_table(table.book, len(table.players), chosen, {setting.id: value.name})
                except TableError:
                    continue


def _positions(reference: Interpreter) -> list[State]:
    """Positions of random games that await a roll, in no order: those that pieces and turn describe, where there are such."""
    opening = reference.start()
    plain = {*reference.table.colours, "turn"}
    found: dict[str, State] = {}
    for seed in range(TRIES):
        rng = random.Random(seed)
        players = [RandomPlayer(rng)] * len(reference.table.players)
        for ply in islice(playing(reference, opening, players, dice_for(reference.table, rng)), LONGEST_GAME):
            state = ply.step.state
            if state.awaits_roll and state.pieces != opening.pieces:
                found[position_text(reference.table, state)] = state
    described = [state for text, state in found.items() if split_fields(text).keys() <= plain]
    chosen = described or list(found.values())
    return random.Random(0).sample(chosen, min(len(chosen), MOST_POSITIONS))


def _offers(reference: Interpreter, starts: Iterable[State]) -> Iterator[tuple[State, tuple[Roll, ...]]]:
    """Positions with rolls after which the rules offer moves, those that offer most of them first."""
    found = [(state, *_to_a_choice(reference, state, MOST_ROLLS)) for state in starts]
    for state, rolls, choices in sorted(found, key=lambda item: -item[2]):
        if choices:
            yield state, rolls


def _to_a_choice(reference: Interpreter, state: State, most: int) -> tuple[tuple[Roll, ...], int]:
    """The fewest rolls of this turn that offer moves, the highest faces first, and how many moves those are."""
    reached: list[tuple[State, tuple[Roll, ...]]] = [(state, ())]
    for _ in range(most):
        before, reached = reached, []
        for at, rolls in before:
            for faces in reversed(_rolls(reference)):
                try:
                    after = reference.roll(at, faces).state
                except GameError:
                    continue
                if after.turn == state.turn and reference.legal(after):
                    return (*rolls, faces), len(reference.legal(after))
                if after.turn == state.turn and after.awaits_roll:
                    reached.append((after, (*rolls, faces)))
    return (), 0


def _rolls(reference: Interpreter) -> list[Roll]:
    """Rolls that may come at the beginning, all dice showing one face."""
    return [(face,) * reference.table.book.dice.count for face in reference.faces(reference.start())]


def _held(spoken: Spoken, reference: Interpreter, state: State) -> None:
    text = position_text(reference.table, state)
    spoken.set(reference, text)
    spoken.places()  # Asks for the state again: what an engine repeats it need not have understood.
    if spoken.state(reference) != state:
        raise _LieError(f"it was set to {text}, and stands at {shown(spoken.text(), 200)}")


def _of_roll(position: str, faces: Roll) -> bool:
    """Whether the rolled dice of a position are among those of the only roll so far."""
    try:
        pool = split_fields(position).get("pool", "")
    except GameError as error:
        raise UnreadableError(position, error.message) from None
    left = [str(face) for face in faces]
    for die in pool.split(","):
        if die.isdigit():
            if die not in left:
                return False
            left.remove(die)
    return True


def _require_move(table: Table, text: str) -> None:
    try:
        require_move(table, text)
    except GameError as error:
        raise _LieError(f"it tells of the move `{shown(text)}`: {error.message}") from None
