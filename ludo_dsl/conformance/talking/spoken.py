"""An engine that answers the protocol, as a subject of scenarios."""

from __future__ import annotations

from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.scenarios.subjects import RefusedError, UnreadableError, read_leniently
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.endpoints import Endpoint, Limits, TroubleError
from ludo_dsl.conformance.talking.protocol import Answer, ProtocolFault, shown
from ludo_dsl.game.engine import Engine
from ludo_dsl.game.errors import GameError
from ludo_dsl.game.notation import roll_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Roll, State
from ludo_dsl.rules.table import Table, shown_value


def new_message(table: Table, first: str | None, seed: int = 0, *, readings: bool = False) -> dict[str, object]:
    """The message that begins a game at a table: every option with its value, and every reading where the engine can choose them.

    Who begins is named where the rules do not say it.
    """
    return protocol.message(
        "new",
        variant=table.book.name,
        seats=len(table.players),
        options=choices_text(table, "option"),
        first=first,
        seed=seed,
        readings=choices_text(table, "reading") if readings else None,
    )


def choices_text(table: Table, role: str) -> str:
    """The options, or the readings, of a table with their values."""
    return protocol.pairs_text((s.id, shown_value(table.chosen[s.id])) for s in table.book.settings if s.role == role)


def read_roll(text: str) -> Roll:
    """The faces of one roll that has been checked to be one."""
    return tuple(int(face) for face in text.split("+"))


class Spoken:
    """A `Subject` that asks an endpoint; `capabilities` are those that may be relied upon.

    Every call may raise `RefusedError` for one of the three refusals, and `TroubleError`. After trouble it is of no more use.
    `seed` is what the next game is told.
    """

    def __init__(self, endpoint: Endpoint, capabilities: frozenset[str], limits: Limits | None = None, seed: int = 0) -> None:
        self.endpoint = endpoint
        self.capabilities = capabilities
        self.limits = limits or Limits()
        self.seed = seed
        self._text: str | None = None
        self._openings: dict[str, State | str] = {}

    # ---- games -------------------------------------------------------------------------------------------------------

    def new(self, reference: Engine, first: int | None) -> None:
        """A new game from the opening; `first` is the index of the player who begins, or `None` for whom the rules name."""
        self._begin(reference, None if first is None else reference.table.players[first].name)

    def set(self, reference: Engine, position: str) -> None:
        """A new game, set to a position.

        Raises:
            TroubleError: among others, if the new game begins otherwise than one at the same table did before.
        """
        try:
            said, opening = self._begin(reference, _first(reference, position))
        except RefusedError as error:
            if error.kind == "illegal":  # That is no word on the position, which has not been told yet.
                note = f"it answers `illegal` to `new`, where no rule is asked about: {error.reason}"
                raise TroubleError(Verdict.PROTOCOL_ERROR, note) from None
            raise
        if self._openings.setdefault(said, opening) != opening:
            note = f"`new` gives another opening than before, as if something of an earlier game were left: {shown(self.text(), 200)}"
            raise TroubleError(Verdict.INCONSISTENT, note)
        self._keep(self._ask("set", position=position))

    def _begin(self, reference: Engine, first: str | None) -> tuple[str, State | str]:
        """Begins a game; what was said, and the opening of the engine (as text, where it is no position)."""
        self._text = None
        said = new_message(reference.table, first, self.seed, readings="readings" in self.capabilities)
        self._keep(self._answer(said))
        text = self.text()
        try:
            return repr(said), read_leniently(reference, text)
        except UnreadableError:
            return repr(said), text

    # ---- steps -------------------------------------------------------------------------------------------------------

    def roll(self, faces: Roll) -> None:
        """A roll that shows these faces."""
        given = roll_text(faces)
        answer = self._ask("roll", values=given)
        rolled = str(answer["values"])
        if sorted(read_roll(rolled)) != sorted(faces):
            raise TroubleError(Verdict.PROTOCOL_ERROR, f"it was to roll {given}, and tells of a {rolled}")
        self._keep(answer)

    def own_roll(self) -> Roll:
        """A roll of the engine's own; the faces."""
        answer = self._ask("roll")
        self._keep(answer)
        return read_roll(str(answer["values"]))

    def move(self, text: str) -> None:
        """A move, or `pass`."""
        self._keep(self._ask("move", move=text))

    # ---- questions ---------------------------------------------------------------------------------------------------

    def legal(self) -> tuple[str, ...] | None:
        """The legal moves as text; `None` where the engine cannot list them."""
        if "legal" not in self.capabilities:
            return None
        return tuple(str(self._ask("legal")["moves"]).split())

    def text(self) -> str:
        """The position as the engine wrote it last; after a refusal, it is asked for."""
        if self._text is None:
            self._keep(self._ask("state"))
        assert self._text is not None
        return self._text

    def state(self, reference: Engine) -> State:
        """The position as the reference understands it. Raises `UnreadableError`."""
        return read_leniently(reference, self.text())

    def places(self) -> dict[str, int] | None:
        """The place of each player, from 1; `None` where the game goes on by what the engine tells.

        Raises:
            TroubleError: among others, if the game is over and the answer leaves the places out.
        """
        answer = self._ask("state")
        self._keep(answer)
        if "places" not in answer:
            if "turn=over" in self.text().split():
                raise TroubleError(Verdict.PROTOCOL_ERROR, "`state`: the game is over, and `places` is missing")
            return None
        try:
            return {name: int(place) for name, place in protocol.read_pairs(str(answer["places"])).items()}
        except ProtocolFault as fault:
            raise TroubleError(Verdict.PROTOCOL_ERROR, f"`places`: {fault.message}") from None

    def log(self) -> str:
        """A game that the engine played by itself since `new`: rolls and moves in their order."""
        self._text = None
        return str(self._ask("log")["log"])

    # ---- asking ------------------------------------------------------------------------------------------------------

    def _keep(self, answer: Answer) -> None:
        self._text = str(answer["position"])

    def _ask(self, op: str, **keys: object) -> Answer:
        return self._answer(protocol.message(op, **keys))

    def _answer(self, said: protocol.Message) -> Answer:
        answer = self.endpoint.ask(said, self.limits.message)
        for kind in protocol.REFUSALS:
            if answer["op"] == kind:
                self._text = None
                raise RefusedError(kind, str(answer["reason"]))
        return answer


def _first(reference: Engine, position: str) -> str | None:
    """The player who began the game of a position, if it tells."""
    try:
        first = split_fields(position).get("first")
    except GameError:
        return None
    return first if first in {p.name for p in reference.table.players} else None
