"""Making a game in which an engine goes another way smaller, while it still does: each smaller game is played on the engine itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ludo_dsl.conformance.fuzzing.steps import Action, Beginning, Bench, Judge, Played, sensible
from ludo_dsl.conformance.fuzzing.tables import Tables
from ludo_dsl.conformance.running.started import EngineGoneError
from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.scenarios.subjects import UnreadableError, read_leniently
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.notation import position_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.table import Table

MOST_TRIALS = 600
"""Smaller games that are tried at most."""

MOST_WAITS = 10
"""Smaller games that are tried of one in which the engine does not answer in time: each costs that time."""

FAR_BACK = 40
"""Steps before the difference from which a game may be taken up."""


class _NotHereError(Exception):
    """A game cannot be played on like this: what comes next makes no sense in its position."""


class Shrinking:
    """Shrinks one game. `best` is the smallest so far, and stands whenever this is interrupted; `trials` is how many were tried.

    `assumed` are the readings under which the rules are asked, where the engine is not told.
    """

    def __init__(self, bench: Bench, tables: Tables, assumed: Choices, played: Played, tell: Callable[[int], None]) -> None:
        assert played.difference is not None
        self.bench = bench
        self.tables = tables
        self.assumed = assumed
        self.best = played
        self.trials = 0
        self.tell = tell
        self._most = MOST_WAITS if played.difference.what is Verdict.TIMEOUT else MOST_TRIALS
        self._tried: set[tuple[Beginning, tuple[Action, ...]]] = set()

    def run(self) -> Played:
        """The smallest game that is found."""
        before = None
        while before != self.best.size and self.trials < self._most:
            before = self.best.size
            try:
                if "set" in self.bench.able:
                    self._cut()
                self._leave_out()
                self._lessen()
            except EngineGoneError:
                break
        return self.best

    # ---- trials ------------------------------------------------------------------------------------------------------

    def again(self, beginning: Beginning, actions: Sequence[Action]) -> Played | None:
        """A game that ends in a difference of the same kind, if this is one. Raises `EngineGoneError`."""
        reference = self.reference(beginning)
        if reference is None:
            return None
        self.trials += 1
        self.tell(self.trials)
        try:
            played = self.bench.play(reference, beginning, _Following(actions))
        except (_NotHereError, GameError, EndlessRulesError):
            return None
        found, wanted = played.difference, self.best.difference
        assert wanted is not None
        if found is None or found.trouble is not wanted.trouble or (wanted.trouble and found.what is not wanted.what):
            return None
        return played

    def reference(self, beginning: Beginning) -> Interpreter | None:
        """The rules at the table of a beginning, under the readings that are told or assumed."""
        return self.tables.at(beginning.seating, beginning.told or self.assumed)

    def _better(self, beginning: Beginning, actions: Sequence[Action]) -> bool:
        """Whether a game is smaller than the best and shows a difference as well; it is then the best."""
        key = (beginning, tuple(actions))
        if key in self._tried or self.trials >= self._most or Played(beginning, list(actions)).size >= self.best.size:
            return False
        self._tried.add(key)
        found = self.again(beginning, actions)
        if found is None or found.size >= self.best.size:
            return False
        self.best = found
        return True

    # ---- fewer steps -------------------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """The end of the game alone, from a position that was reached in it; rather one in which a roll is due."""
        reference = self.reference(self.best.beginning)
        assert reference is not None
        states = list(_states(reference, self.best))
        numbers = range(len(states) - 1, max(-1, len(states) - FAR_BACK), -1)
        for rolls in (True, False):
            for number in numbers:
                state, actions = states[number], self.best.actions[number:]
                if not actions or state.over or state.awaits_roll is not rolls:
                    continue
                beginning = replace(self.best.beginning, position=position_text(reference.table, state), first=0)
                if self._better(beginning, actions):
                    return

    def _leave_out(self) -> None:
        """Parts of the game are left out, larger ones first; the last step is the one that matters."""
        size = max(1, len(_plies(self.best.actions)) // 2)
        while size:
            at = 0
            while at < len(plies := _plies(self.best.actions)):
                rest = [a for ply in (*plies[:at], *plies[at + size :]) for a in ply]
                if not rest or not self._better(self.best.beginning, rest):
                    at += 1
            size //= 2
        for at in range(len(self.best.actions) - 2, -1, -1):
            actions = self.best.actions
            if at < len(actions) - 1:
                self._better(self.best.beginning, [*actions[:at], *actions[at + 1 :]])

    # ---- less in the position ----------------------------------------------------------------------------------------

    def _lessen(self) -> None:
        """Anything that can be left out of the beginning is left out, again and again."""
        while any(self._better(beginning, self.best.actions) for beginning in self._lesser(self.best.beginning)):
            pass

    def _lesser(self, beginning: Beginning) -> Iterator[Beginning]:
        seating = beginning.seating
        for option in seating.options:
            fewer = replace(seating, options=tuple(o for o in seating.options if o != option))
            yield self._reread(replace(beginning, seating=fewer))
        for reading in beginning.told:
            yield replace(beginning, told=tuple(r for r in beginning.told if r != reading))
        reference = self.reference(beginning)
        if beginning.position is not None and reference is not None:
            for text in _smaller(reference.table, beginning.position):
                yield replace(beginning, position=text)

    def _reread(self, beginning: Beginning) -> Beginning:
        """A beginning without the memory that the rules at its table have no use for."""
        reference = self.reference(beginning)
        if beginning.position is None or reference is None:
            return beginning
        try:
            return replace(beginning, position=position_text(reference.table, read_leniently(reference, beginning.position)))
        except (UnreadableError, EndlessRulesError):
            return beginning


class _Following:
    """Chooses what is done by a list."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._rest = list(actions)

    def __call__(self, judge: Judge) -> Action | None:
        if not self._rest:
            return None
        action = self._rest.pop(0)
        if not sensible(judge.reference, judge.state, action):
            raise _NotHereError
        return action


def _states(reference: Interpreter, played: Played) -> Iterator[State]:
    """The states, by the rules, in which each of the actions was done."""
    judge = Judge(reference, played.beginning)
    for seen, _ in zip(played.seen, played.actions, strict=False):
        judge.judge(seen)
        yield judge.state


def _plies(actions: Sequence[Action]) -> list[tuple[Action, ...]]:
    """The actions in groups that begin with a roll."""
    found: list[tuple[Action, ...]] = []
    for action in actions:
        if isinstance(action, tuple) or not found:
            found.append((action,))
        else:
            found[-1] = (*found[-1], action)
    return found


def _smaller(table: Table, text: str) -> Iterator[str]:
    """Positions with something less: a field, a piece out of the yard, a mark, one of several words, a number."""
    fields = split_fields(text)
    kept = {*table.colours, "turn", *(("due",) if "pool" in fields else ())}
    for name in fields:
        if name not in kept:
            yield _joined({n: v for n, v in fields.items() if n != name})
    for colour, name in enumerate(table.colours):
        yield from (_joined({**fields, name: less}) for less in _fewer(table, colour, fields[name]))
    for name, value in fields.items():
        words = value.split(",")
        if name not in table.colours and len(words) > 1:
            yield from (_joined({**fields, name: ",".join([*words[:i], *words[i + 1 :]])}) for i in range(len(words)))
        elif value.isdigit() and int(value) > 1 and name not in kept:
            yield _joined({**fields, name: "1"})


def _fewer(table: Table, colour: int, places: str) -> Iterator[str]:
    """The pieces of a colour with one of them put away, or without its mark."""
    by_text = table.routes[colour].by_text
    words = places.split(",")
    for spot in dict.fromkeys(w for w in words if w != "Y"):
        bare = spot.partition("*")[0]
        puts = ["Y", *(["H"] if spot != "H" and "H" in by_text else []), *([bare] if bare != spot else [])]
        for put in puts:
            rest = list(words)
            rest[rest.index(spot)] = put
            yield ",".join(sorted(rest, key=lambda w: by_text[w.partition("*")[0]], reverse=True))


def _joined(fields: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items())
