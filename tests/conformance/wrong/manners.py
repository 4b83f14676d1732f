"""Engines without manners: they know the rules of amarnepal, and break a promise of the protocol."""

from __future__ import annotations

from typing import Any

from ludo_dsl.conformance.talking.servant import Servant
from tests.conformance.wrong.pipe import HIT
from tests.conformance.wrong.sample import sample

Message = dict[str, Any]


class Mannered:
    """Answers as the sample engine does; those below do not."""

    claims = "set force legal log"
    variants = "amarnepal"

    def __init__(self) -> None:
        self.engine: Any = sample().Engine()

    def answer(self, said: Message) -> Message:
        """The answer to a message."""
        answer: Message = self.engine.answer(said)
        return answer | {"capabilities": self.claims, "variants": self.variants} if answer["op"] == "hello" else answer


def refusal(said: Message, op: str) -> Message:
    """One of the three refusals."""
    return {"op": op, "id": said.get("id"), "reason": f"{said['op']}: because"}


# ---- crashes, answers that come late ---------------------------------------------------------------------------------


class CrashesNowAndThen(Mannered):
    """Crashes at every hundredth message that any of its kind gets."""

    messages = 0
    crashes = 0

    def answer(self, said: Message) -> Message:
        kind = type(self)
        kind.messages += 1
        if kind.messages % 100 == 0:
            kind.crashes += 1
            raise RuntimeError("bad luck")
        return super().answer(said)


class Late(Mannered):
    """From one position on, each answer is the one that was due a message ago."""

    due: Message | None = None
    before: Message | None = None

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        if said["op"] == "set" and said["position"] == HIT:
            self.due = self.before
        self.before = answer
        if self.due is None:
            return answer
        self.due, late = answer, self.due
        return late


class LateRolls(Mannered):
    """A roll that comes after a roll is answered as the one before; without an `id`, so that it does not show by that."""

    before: Message | None = None

    def answer(self, said: Message) -> Message:
        answer = {key: value for key, value in super().answer(said).items() if key != "id"}
        late, self.before = self.before, answer if said["op"] == "roll" else None
        return late if said["op"] == "roll" and late is not None else answer


# ---- lies ------------------------------------------------------------------------------------------------------------


class SetsNothing(Mannered):
    """Says that it stands where it was told to, and does not."""

    def answer(self, said: Message) -> Message:
        return {"op": "set", "id": said["id"], "position": said["position"]} if said["op"] == "set" else super().answer(said)


class RollsItsOwn(Mannered):
    """Rolls its own dice whatever it is given, and says so."""

    def answer(self, said: Message) -> Message:
        return super().answer({key: value for key, value in said.items() if key != "values"} if said["op"] == "roll" else said)


class RollsTheOtherSide(Mannered):
    """Says that it rolled what it was given, and takes the bottom of the die."""

    def answer(self, said: Message) -> Message:
        if said["op"] != "roll" or "values" not in said:
            return super().answer(said)
        answer = super().answer(said | {"values": str(7 - int(said["values"]))})
        return answer | {"values": said["values"]} if answer["op"] == "roll" else answer


class ListsNothing(Mannered):
    """Claims to list the moves, and lists none."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return answer | {"moves": ""} if answer["op"] == "legal" else answer


class ListsNumbers(Mannered):
    """Claims to list the moves, and lists numbers of tokens."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return answer | {"moves": "1 2 3"} if answer["op"] == "legal" else answer


class RefusesReadings(Mannered):
    """Claims to play every reading, and offers one of each."""

    claims = "set force legal readings"

    def answer(self, said: Message) -> Message:
        others = ("in-turn", "twice", "nearest", "=start ")
        refuses = said["op"] == "new" and any(value in f"{said.get('readings', '')} " for value in others)
        return refusal(said, "unsupported") if refuses else super().answer(said)


class IgnoresReadings(Mannered):
    """Claims to play every reading, and plays the same one always."""

    claims = "set force legal readings"


class TellsNothing(Mannered):
    """Claims to tell of its games, and does not know the message."""

    def answer(self, said: Message) -> Message:
        return refusal(said, "unsupported") if said["op"] == "log" else super().answer(said)


class TellsStories(Mannered):
    """Claims to tell of its games, and tells a story."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return answer | {"log": "once upon a time"} if answer["op"] == "log" else answer


class ReadsMinds(Mannered):
    """Claims what the protocol does not know."""

    claims = "set force legal log telepathy"


class PlaysItForQdan(Mannered):
    """Says that it plays qdan as well, and plays that as it plays amarnepal."""

    variants = "amarnepal qdan"

    def answer(self, said: Message) -> Message:
        if said.get("variant") == "qdan":
            said = {**said, "variant": "amarnepal", "options": ""}
        return super().answer(said)


class OffersNoQdan(Mannered):
    """Says that it plays qdan as well, and does not offer it."""

    variants = "amarnepal qdan"


class NoPlaces(Mannered):
    """Does not tell the places when a game is over."""

    def answer(self, said: Message) -> Message:
        return {key: value for key, value in super().answer(said).items() if key != "places"}


# ---- refusals --------------------------------------------------------------------------------------------------------


class MovesAllTheSame(Mannered):
    """A move that it refuses leaves a trace."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        if said["op"] == "move" and answer["op"] == "illegal":
            self.engine.game.tokens["red"][3] = 0
        return answer


class ErrorForIllegal(Mannered):
    """Takes a move that the rules forbid for a fault of its own."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return refusal(said, "error") if said["op"] == "move" and answer["op"] == "illegal" else answer


class UnsupportedForIllegal(Mannered):
    """Does not offer the moves that the rules forbid."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return refusal(said, "unsupported") if said["op"] == "move" and answer["op"] == "illegal" else answer


class NoCaptureRollOff(Mannered):
    """Does not offer a table without the roll for a capture, and says so."""

    word = "unsupported"

    def answer(self, said: Message) -> Message:
        off = said["op"] == "new" and "capture-roll=off" in said["options"]
        return refusal(said, self.word) if off else super().answer(said)


class IllegalForUnsupported(NoCaptureRollOff):
    """The same, but calls it illegal."""

    word = "illegal"


class ErrorForUnsupported(NoCaptureRollOff):
    """The same, but calls it an error."""

    word = "error"


# ---- what is left of the game before ---------------------------------------------------------------------------------


class Leaks(Mannered):
    """Something of the game before is left when a position is set."""

    def answer(self, said: Message) -> Message:
        before = self.engine.game
        answer = super().answer(said)
        if said["op"] == "new":
            self.left = before
        if answer["op"] != "set" or self.left is None:
            return answer
        self.leak(self.left, self.engine.game)
        return answer | {"position": str(self.engine.game)}

    left: Any = None

    def leak(self, before: Any, game: Any) -> None:
        """What is left."""
        raise NotImplementedError


class KeepsCaptures(Leaks):
    """What was captured before still opens the lane."""

    def leak(self, before: Any, game: Any) -> None:
        for colour in game.captures.keys() & before.captures.keys():
            game.captures[colour] += before.captures[colour]


class KeepsCapturesInSecret(KeepsCaptures):
    """The same, and the answer to `set` does not show it."""

    def answer(self, said: Message) -> Message:
        answer = super().answer(said)
        return answer | {"position": said["position"]} if answer["op"] == "set" else answer


class KeepsSixes(Leaks):
    """A run of sixes goes on in the next game."""

    def leak(self, before: Any, game: Any) -> None:
        game.sixes = game.sixes or before.sixes


class KeepsPool(Leaks):
    """A die that nobody moved is still there."""

    def leak(self, before: Any, game: Any) -> None:
        game.die = game.die or before.die


class KeepsTurn(Mannered):
    """Whoever was to play goes on in the next game, until a position is set."""

    def answer(self, said: Message) -> Message:
        before = self.engine.game
        answer = super().answer(said)
        if answer["op"] == "new" and before is not None and before.turn in self.engine.game.tokens:
            self.engine.game.turn = before.turn
            return answer | {"position": str(self.engine.game)}
        return answer


# ---- two minds -------------------------------------------------------------------------------------------------------


class TwoMinds:
    """Reads an open question one way with an even number of tokens on their way, and another way with an odd number of them."""

    readings: tuple[dict[str, str], dict[str, str]]

    def __init__(self) -> None:
        self.minds = [Servant(["amarnepal"], its, ("set", "force", "legal")) for its in self.readings]
        self.now = self.minds[0]

    def answer(self, said: Message) -> Message:
        """The answer to a message."""
        if said["op"] in ("hello", "new"):
            answers = [mind.answer(said) for mind in self.minds]
            self.now = self.minds[0]
            return answers[0]
        if said["op"] == "set":
            words = [word.partition("=")[2] for word in said["position"].split() if "," in word and "rolled" not in word]
            self.now = self.minds[sum(place not in ("Y", "H") for word in words for place in word.split(",")) % 2]
        return self.now.answer(said)


class TwoMindsOfSixes(TwoMinds):
    """Counts sixes in a row, or all those of the turn."""

    readings = ({"sixes": "in-a-row"}, {"sixes": "in-turn"})


class TwoMindsOfCaptures(TwoMinds):
    """A six that captures earns two rolls, or one."""

    readings = ({"capture-pays": "twice"}, {"capture-pays": "once"})
