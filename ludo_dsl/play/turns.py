"""One roll and what can be made of it: legal moves and refusals before, position and story after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludo_dsl.game.errors import AmbiguousMoveError, GameError, IllegalMoveError, IllegalRollError, NotationError
from ludo_dsl.game.events import Event, EventKind, Refusal
from ludo_dsl.game.notation import move_text, read_move
from ludo_dsl.game.state import Choice, State
from ludo_dsl.play.game import Game
from ludo_dsl.play.refusals import as_json, in_own_words, reason_text, why_not
from ludo_dsl.play.story import event_json, event_text
from ludo_dsl.rules.table import Table


@dataclass(frozen=True)
class Refused:
    """A roll or a move that the rules refuse, with the reasons."""

    game: Game
    what: str
    reasons: tuple[Refusal, ...]

    def as_json(self) -> list[dict[str, object]]:
        """The reasons as plain data."""
        return as_json(self.game.table, self.what, self.reasons)

    def text(self) -> str:
        """The reasons for people."""
        table = self.game.table
        return "\n".join([f"{self.what} is refused:", *(f"  {reason_text(table, r)}" for r in self.reasons), *_words(table, self.reasons)])


@dataclass(frozen=True)
class Weighed:
    """What a roll could be used for."""

    game: Game
    state: State
    choices: tuple[Choice, ...]
    refused: tuple[tuple[Choice, tuple[Refusal, ...]], ...]

    @property
    def legal(self) -> list[str]:
        """The legal moves as text."""
        return [move_text(self.game.table, self.state, c) for c in self.choices]

    def refused_json(self) -> list[dict[str, object]]:
        """The refusals as plain data."""
        return [row for c, reasons in self.refused for row in as_json(self.game.table, move_text(self.game.table, self.state, c), reasons)]

    def reasons(self) -> list[str]:
        """The refusals for people."""
        lines = []
        for choice, reasons in self.refused:
            text = move_text(self.game.table, self.state, choice)
            lines += [f"not {text}: {reason_text(self.game.table, r)}" for r in reasons]
        return lines

    def rules(self) -> list[str]:
        """The rules behind the refusals, in the words of the rule book."""
        return in_own_words(self.game.table, (r.statement.rule for _, reasons in self.refused for r in reasons if r.statement))

    def nothing(self) -> str:
        """Why there is no legal move."""
        if self.state.over:
            return "no legal move: the game is over"
        if self.state.awaits_roll:
            return f"no legal move yet: {self.game.table.players[self.state.turn].name} has to roll"
        return "no legal move: the roll is lost"


@dataclass(frozen=True)
class Taken:
    """What became of a roll and a move."""

    before: Game
    game: Game
    steps: tuple[Game, ...]

    def _events(self, viewer: str | None) -> list[Event]:
        events = [e for step in self.steps for e in step.events]
        return events if viewer is None else [e for e in events if visible(self.game, e, viewer)]

    def events_json(self, viewer: str | None = None) -> list[dict[str, object]]:
        """The events as plain data; for a viewer, without what that player does not see."""
        return [event_json(self.game.table, e) for e in self._events(viewer)]

    def rules(self, viewer: str | None = None) -> list[str]:
        """The names of the rules that took part, in order, each once; for a viewer, without those that only touched what is hidden."""
        found = dict.fromkeys(rule for step in self.steps for rule in step.rules)
        secret = _secret_rules(self.game, viewer, self.before.state.turn) if viewer else frozenset()
        return [rule for rule in found if rule not in secret]

    def story(self, viewer: str | None = None) -> list[str]:
        """The events and rules for people."""
        lines = [f"  {event_text(self.game.table, e)}" for e in self._events(viewer)]
        rules = self.rules(viewer)
        return [*lines, "  rules: " + ", ".join(rules)] if rules else lines


def _words(table: Table, reasons: Iterable[Refusal]) -> list[str]:
    return [f"  {line}" for line in in_own_words(table, (r.statement.rule for r in reasons if r.statement))]


def weigh(game: Game, faces: Sequence[int]) -> Weighed | Refused:
    """What the rolls can be used for; several rolls where they are made at once, one after the other.

    Raises:
        GameError: a roll is due and none is given, or the reverse.
    """
    rolled = _rolls(game, faces)
    try:
        for roll in rolled[:-1]:
            game = _same_turn(game, game.roll(*roll), roll)
        if rolled:
            state, choices, refused = game.engine.weigh(game.state, rolled[-1])
            return Weighed(game, state, choices, refused)
    except IllegalRollError as error:
        return _refused_roll(game, faces, error)
    return Weighed(game, game.state, game.engine.legal(game.state), game.engine.refused(game.state))


def take(game: Game, faces: Sequence[int], move: str | None) -> Taken | Refused:
    """The game after the rolls and a move; without a move where the rolls leave no choice.

    Raises:
        GameError: a choice is left and no move is given; the move is no text of a move, or ambiguous.
    """
    steps: list[Game] = []
    now = game
    rolled = _rolls(game, faces)
    weighed: Weighed | None = None
    try:
        for i, roll in enumerate(rolled):
            if i == len(rolled) - 1:
                weighed = Weighed(now, *now.engine.weigh(now.state, roll))
            after = now.roll(*roll)
            now = after if i == len(rolled) - 1 else _same_turn(now, after, roll)
            steps.append(now)
    except IllegalRollError as error:
        return _refused_roll(now, faces, error)
    if weighed is None:
        weighed = Weighed(now, now.state, now.engine.legal(now.state), now.engine.refused(now.state))
    if move is None:
        return _without_move(game, now, steps, weighed)
    try:
        read_move(now.table, weighed.state, move, weighed.choices)
    except AmbiguousMoveError:
        raise
    except NotationError:
        return Refused(game, move, why_not(now.table, weighed.state, move, weighed.refused))
    try:
        now = now.play(move)
    except IllegalMoveError as error:
        return Refused(game, move, error.refusals)
    return Taken(game, now, (*steps, now))


def _without_move(game: Game, now: Game, steps: list[Game], weighed: Weighed) -> Taken:
    if weighed.choices:
        many = "one of " if len(weighed.legal) > 1 else ""
        raise GameError("the roll can be used", f"give `--move` {many}" + ", ".join(weighed.legal))
    if not steps:
        raise GameError("nothing is asked for", "give a roll, or a move")
    return Taken(game, now, tuple(steps))


def _rolls(game: Game, faces: Sequence[int]) -> list[tuple[int, ...]]:
    count = game.table.book.dice.count
    if faces and not game.awaits_roll:
        why = "the game is over" if game.over else "there are dice in the pool to be used first"
        raise GameError(f"no roll is due: {why}", "leave the roll out")
    if len(faces) % count:
        given = "1 face is" if len(faces) == 1 else f"{len(faces)} faces are"
        raise GameError(f"a roll shows {count} dice, and {given} given", "give the faces of whole rolls, as in `6,3`")
    return [tuple(faces[i : i + count]) for i in range(0, len(faces), count)]


def _same_turn(before: Game, after: Game, roll: tuple[int, ...]) -> Game:
    """The game after a roll that is followed by another; the next must not be another player's."""
    if after.turn != before.turn:
        shown = "+".join(str(face) for face in roll)
        raise GameError(f"the turn of {before.turn} ends with the roll {shown}", "give the rolls of one turn")
    return after


def _refused_roll(game: Game, faces: Sequence[int], error: IllegalRollError) -> Refused:
    if not error.refusals:
        hint = "give one roll at a time: its die has to be used before the next" if game.state.pool else error.hint
        raise GameError(error.message, hint)
    return Refused(game, "roll " + ",".join(str(f) for f in faces), error.refusals)


# ---- views -----------------------------------------------------------------------------------------------------------


def _hidden_from(game: Game, viewer: str) -> frozenset[tuple[str, int]]:
    index = [p.name for p in game.table.players].index(viewer)
    return frozenset((name, owner) for name, owner, _ in game.engine.hidden(game.state, index))


def visible(game: Game, event: Event, viewer: str) -> bool:
    """Whether the player of a colour sees an event: all but those that count a hidden counter of a rival."""
    if event.kind is not EventKind.COUNTED or not isinstance(event.value, tuple):
        return True
    return (event.value[0], event.player) not in _hidden_from(game, viewer)


def _secret_rules(game: Game, viewer: str, mover: int) -> frozenset[str]:
    """Rules all of whose effects are on counters that the viewer does not see of the player whose step it was."""
    from ludo_dsl.rules.statements import Add, When

    hidden = {name for name, owner in _hidden_from(game, viewer) if owner == mover}
    touched: dict[str, set[bool]] = {}
    for statement in game.table.statements:
        if isinstance(statement, When):
            secret = all(isinstance(e, Add) and e.counter in hidden for e in statement.effects)
            touched.setdefault(statement.id.rule, set()).add(secret)
    return frozenset(rule for rule, secret in touched.items() if secret == {True})
