"""One game of the fuzzer: where it begins, what is done on the engine, and whether the rules say the same at every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ludo_dsl.conformance.running.following import Follower, Seen
from ludo_dsl.conformance.running.started import Started
from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.running.watching import Seating
from ludo_dsl.conformance.scenarios.playing import What, play, same_moves
from ludo_dsl.conformance.scenarios.subjects import RefusedError, UnreadableError, agree, read_leniently, who_begins
from ludo_dsl.conformance.scenarios.suite import Choices, Scenario
from ludo_dsl.conformance.talking.asking import TroubleError
from ludo_dsl.conformance.talking.spoken import Spoken
from ludo_dsl.game.errors import AmbiguousMoveError, IllegalRollError, NotationError
from ludo_dsl.game.notation import move_text, position_text, read_move, roll_text
from ludo_dsl.game.state import Choice, Move, Roll, State
from ludo_dsl.interpreter import Interpreter

Action = Roll | str
"""A roll, as the faces that the dice are to show, or a move, as text; the rules decide whether it is legal."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a game begins: a table, and a position; or none, for the opening in which the player numbered `first` begins.

    `told` are the readings that the engine is told to play, where it can choose them.
    """

    seating: Seating
    told: Choices = ()
    position: str | None = None
    first: int = 0

    def state(self, reference: Interpreter) -> State:
        """The beginning by the rules. Raises `GameError` where they do not know such a position."""
        return reference.start(self.first) if self.position is None else reference.read(self.position)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an engine goes another way: in what, or what kind of trouble it is in; after what, from which position.

    `rules` are those that take part there; `position` is the last one in which both agreed, empty where there is none.
    """

    what: What | Verdict
    doing: str
    position: str
    expected: str
    found: str
    rules: tuple[str, ...] = ()

    @property
    def trouble(self) -> bool:
        """Whether the engine crashed, hung or talked rubbish, rather than play otherwise."""
        return isinstance(self.what, Verdict)

    def says(self) -> str:
        """The difference in one sentence."""
        match self.what:
            case What.REFUSED:
                return f"`{self.doing}` is legal, and is refused"
            case What.ALLOWED:
                return f"`{self.doing}` is not legal, and is allowed"
            case Verdict():
                return f"{self.what} at `{self.doing}`"
            case What.LEGAL:
                return f"other legal moves after `{self.doing}`"
            case _:
                return f"{'other' if self.what is What.PLACES else 'another'} {self.what} after `{self.doing}`"


@dataclass
class Played:
    """A game that was played: what was done, what was seen (first of the beginning), and the difference in the last step, if any.

    `unsupported` is why the engine does not offer the table, `refused` why it does not take the position.
    """

    beginning: Beginning
    actions: list[Action] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    difference: Difference | None = None
    unsupported: str | None = None
    refused: str | None = None

    @property
    def size(self) -> tuple[int, ...]:
        """What makes one game smaller than another: steps, then pieces out of the yard, those on the way, fields, characters."""
        text = self.beginning.position
        changed = len(self.beginning.seating.options) + len(self.beginning.told)
        if text is None:
            return len(self.actions), 1, changed
        fields = dict(word.partition("=")[::2] for word in text.split())
        places = [p for n, v in fields.items() if n not in _WORDS and "." not in n for p in v.split(",")]
        out = sum(p != "Y" for p in places)
        pool = int("pool" in fields)  # A die that lies there already has been rolled.
        return len(self.actions) + pool, pool, changed, out, out - places.count("H"), len(fields), len(text)


_WORDS = frozenset({"turn", "pool", "rolled", "owed", "due", "retired", "round", "first", "order", "last"})


# ---- by the rules ----------------------------------------------------------------------------------------------------


def reached(reference: Interpreter, state: State, action: Action) -> State | None:
    """The state after a roll or a move; none where the rules forbid it. Raises `AmbiguousMoveError`."""
    try:
        if not isinstance(action, str):
            return reference.roll(state, action).state
        return reference.move(state, read_move(reference.table, state, action, reference.legal(state))).state
    except (IllegalRollError, NotationError):
        return None


def tempting(reference: Interpreter, state: State) -> list[str]:
    """Moves that one might think of and that are not legal, in alphabetical order; passing, where there is something to move."""
    if state.over or state.awaits_roll:
        return []
    legal = [move_text(reference.table, state, c) for c in reference.legal(state)]
    refused = {move_text(reference.table, state, c) for c, _ in reference.refused(state)} | {"pass"}
    return sorted(text for text in refused if not any(same_moves((text,), (m,)) for m in legal))


def sensible(reference: Interpreter, state: State, action: Action) -> bool:
    """Whether an action is legal here, or at least such that an engine must know that it is not."""
    if state.over:
        return False
    if not isinstance(action, str):
        return True
    if state.awaits_roll:
        return False
    legal = reference.legal(state)
    try:
        return plain(read_move(reference.table, state, action, legal), legal)
    except AmbiguousMoveError:
        return False
    except NotationError:
        return action in tempting(reference, state)


def plain(choice: Choice, legal: Iterable[Choice]) -> bool:
    """Whether the text of a legal choice names it for everybody: not that of an unmarked piece beside a marked one."""
    if not isinstance(choice, Move) or any(choice.mark):
        return True
    return not any(isinstance(c, Move) and c.mark != choice.mark and c._replace(mark=choice.mark) == choice for c in legal)


class Judge:
    """Follows what is seen of a game by the rules, from its beginning on; looks closer only where something is not as expected.

    Raises `GameError` where the rules do not know the beginning.
    """

    def __init__(self, reference: Interpreter, beginning: Beginning) -> None:
        self.reference = reference
        self.state = beginning.state(reference)

    def judge(self, seen: Seen) -> Difference | None:
        """Goes on by what was seen; where it is not what the rules say, how it differs."""
        action: Action | None = seen.move if seen.move is not None else seen.roll
        after = self.state if action is None else reached(self.reference, self.state, action)
        if (after is not None) is seen.allowed and self._as_expected(after or self.state, seen):
            self.state = after or self.state
            return None
        return self._closer(seen)

    def _as_expected(self, state: State, seen: Seen) -> bool:
        table = self.reference.table
        if seen.position is not None and seen.position != position_text(table, state) and not self._same(seen.position, state):
            return False
        if seen.legal is not None:
            legal = [move_text(table, state, c) for c in self.reference.legal(state)]
            if set(legal) != set(seen.legal) and not same_moves(legal, seen.legal):
                return False
        return seen.places is None

    def _same(self, text: str, state: State) -> bool:
        try:
            return agree(state, read_leniently(self.reference, text))
        except UnreadableError:
            return False

    def _closer(self, seen: Seen) -> Difference | None:
        follower = Follower(self.reference, 0)
        follower.state = self.state
        fault = follower.follow(seen)
        before, self.state = self.state, follower.state
        if fault is None:
            return None
        doing = "the beginning" if seen.roll is None and seen.move is None else seen.doing
        position = fault.position or position_text(self.reference.table, before)
        return Difference(fault.what, doing, position, fault.expected, fault.found, fault.rules)


# ---- on the engine ---------------------------------------------------------------------------------------------------

Choose = Callable[[Judge], Action | None]
"""What is done next in a game that the judge has followed so far; none where the game is to end."""


class Bench:
    """Plays games on one engine, which is started anew after trouble. Every call may raise `EngineGoneError`."""

    def __init__(self, started: Started) -> None:
        self.started = started

    @property
    def able(self) -> frozenset[str]:
        """The capabilities of the engine that hold."""
        return self.started.setup.able

    def play(self, reference: Interpreter, beginning: Beginning, choose: Choose) -> Played:
        """A game, until it ends or something differs. Raises `GameError` where the rules do not know the beginning."""
        judge = Judge(reference, beginning)
        played = Played(beginning)
        engine = self.started.subject()
        try:
            self._begin(engine, reference, played)
            if played.unsupported is None and played.refused is None:
                self._go_on(engine, judge, played, choose)
        except (TroubleError, RefusedError) as error:
            played.difference = self._trouble(error, played, judge)
        return played

    def fails(self, scenario: Scenario, reference: Interpreter) -> bool:
        """Whether a scenario without outcomes fails on the engine, freshly started."""
        self.started.drop()
        try:
            return play(scenario, scenario.branches[0], reference, self.started.subject()) is not None
        except (TroubleError, RefusedError) as error:
            return self.started.trouble(error) is not None

    def _begin(self, engine: Spoken, reference: Interpreter, played: Played) -> None:
        beginning = played.beginning
        try:
            if beginning.position is None:
                # Where the rules say who begins, the engine has to know.
                by_rules = bool(reference.table.book.players.first) and beginning.first == who_begins(reference.table)
                engine.new(reference, None if by_rules else beginning.first)
            else:
                engine.set(reference, beginning.position)
        except RefusedError as error:
            if error.kind == "unsupported":
                played.unsupported = error.reason
            elif error.kind == "illegal" and beginning.position is not None:
                played.refused = error.reason
            else:
                raise
            return
        played.seen.append(_shown(engine, Seen()))

    def _go_on(self, engine: Spoken, judge: Judge, played: Played, choose: Choose) -> None:
        played.difference = judge.judge(played.seen[0])
        while played.difference is None:
            action = choose(judge)
            if action is None:
                return
            played.actions.append(action)
            played.seen.append(_done(engine, action))
            played.difference = judge.judge(played.seen[-1])

    def _trouble(self, error: Exception, played: Played, judge: Judge) -> Difference:
        trouble = self.started.trouble(error)
        if trouble is None:
            # It took part until here: what it does not offer cannot be a roll or a move.
            self.started.drop()
            trouble = Verdict.PROTOCOL_ERROR, f"in the middle of a game, it answers `unsupported`: {error}"
        doing = action_text(played.actions[-1]) if played.actions else "the beginning"
        return Difference(trouble[0], doing, position_text(judge.reference.table, judge.state), "", trouble[1])


def action_text(action: Action) -> str:
    """An action in words: `roll 6`, `move Y>0`."""
    return f"move {action}" if isinstance(action, str) else f"roll {roll_text(action)}"


def _done(engine: Spoken, action: Action) -> Seen:
    seen = Seen(move=action) if isinstance(action, str) else Seen(roll=action)
    try:
        if isinstance(action, str):
            engine.move(action)
        else:
            engine.roll(action)
    except RefusedError as error:
        if error.kind != "illegal":
            raise
        seen = replace(seen, allowed=False, reason=error.reason)
    return _shown(engine, seen)


def _shown(engine: Spoken, seen: Seen) -> Seen:
    """What the engine tells after something was done."""
    position = engine.text()
    over = "turn=over" in position.split()
    # At the end, whoever tells no places tells wrong ones.
    places = tuple((engine.places() or {}).items()) if over else None
    legal = None if over else engine.legal()
    return replace(seen, position=position, legal=legal, places=places)
