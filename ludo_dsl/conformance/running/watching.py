"""Games of an engine that are watched, in step with the rules: what can be shown of one that cannot be set to a position.

The runner chooses the moves. It gives the dice too, unless the engine rolls its own; an engine that only tells of games that it
played by itself has them replayed. Where a game goes another way than the rules under the readings assumed so far, other readings are
tried on everything seen: only what no reading explains is a fault.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from ludo_dsl.check.clauses import register
from ludo_dsl.conformance.running.following import Fault, Follower, Seen, SeenGame
from ludo_dsl.conformance.running.verdicts import ReadingTaken, Result, Verdict, Watched
from ludo_dsl.conformance.scenarios.playing import same_moves
from ludo_dsl.conformance.scenarios.subjects import RefusedError, Subject
from ludo_dsl.conformance.scenarios.suite import Choices
from ludo_dsl.conformance.talking.asking import TroubleError
from ludo_dsl.conformance.talking.protocol import shown
from ludo_dsl.game.notation import move_text
from ludo_dsl.game.state import Roll
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.rules.book import Book, Named, Range, Setting
from ludo_dsl.rules.table import TableError, make_table

LONGEST = 3000
"""Steps after which a game is no longer watched."""

MOST_FAULTS = 8
"""Faults of one variant after which it is no longer watched."""

TRIES = 0.15
"""How often something illegal is tried first."""


class Player(Subject, Protocol):
    """An engine that may also roll for itself, or tell of a game that it played."""

    def own_roll(self) -> Roll:
        """The faces that the engine rolled itself."""

    def log(self) -> str:
        """A game that it played by itself since it was begun."""


class Source(Protocol):
    """Where watched engines come from."""

    def player(self, seed: int) -> Player:
        """The engine; its next game is begun with a seed."""

    def trouble(self, error: Exception) -> tuple[Verdict, str] | None:
        """What kind of trouble an exception of the engine is, which is then started anew; none where it is not trouble at all."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A table at which games are watched: players, and options that differ from their defaults."""

    players: int
    options: Choices

    def says(self) -> str:
        """The table in words."""
        chosen = "".join(f", {name}={value}" for name, value in self.options)
        return f"{self.players} players{chosen}"


@dataclass
class Findings:
    """What watching a variant has found so far."""

    variant: str
    games: int = 0
    plies: int = 0
    clauses: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    blamed: set[str] = field(default_factory=set)
    troubles: list[Result] = field(default_factory=list)
    readings: dict[str, str] = field(default_factory=dict)

    def watched(self) -> Watched:
        """The findings as they are reported."""
        return Watched(self.variant, self.games, self.plies, tuple(sorted(self.clauses - self.blamed)), tuple(self.faults))

    def taken(self) -> tuple[ReadingTaken, ...]:
        """The readings without which some game could not be explained."""
        return tuple(ReadingTaken(self.variant, name, value, 1) for name, value in sorted(self.readings.items()))


class Watching:
    """Watches the games of one variant, table by table.

    `able` are the capabilities that hold; `readings` those that are known already. `found` grows with each call of `table`.
    """

    def __init__(self, book: Book, source: Source, able: frozenset[str], readings: Mapping[str, str], seed: int) -> None:
        self.book = book
        self.source = source
        self.able = able
        self.seed = seed
        self.assumed: dict[str, object] = dict(readings)
        self.found = Findings(book.name)
        self._explained: list[SeenGame] = []
        self._references: dict[object, Interpreter | None] = {}

    def table(self, seating: Seating, games: int) -> None:
        """Watches so many games at a table; an engine that does not offer it shows nothing there."""
        for number in range(games):
            seed = random.Random(f"{self.seed} {self.book.name} {seating.says()} {number}").randrange(2**31)
            if len(self.found.faults) >= MOST_FAULTS or not self._tried(seating, seed):
                return

    def _tried(self, seating: Seating, seed: int) -> bool:
        """Watches a game; whether another one is worth it."""
        try:
            return self._game(seating, seed)
        except Exception as error:
            trouble = self.source.trouble(error)
            if trouble is None:
                raise
            self.found.troubles.append(self._troubled(seating, seed, *trouble))
            return False

    def _troubled(self, seating: Seating, seed: int, verdict: Verdict, note: str) -> Result:
        name, title = f"{self.book.name}/games/seed-{seed}", f"A game that was watched: {seating.says()}, seed {seed}."
        return Result(name, title, self.book.name, seating.players, seating.options, (), verdict, (), note)

    # ---- one game ----------------------------------------------------------------------------------------------------

    def _game(self, seating: Seating, seed: int) -> bool:
        """Watches a game to its end or its first fault; whether the engine offers it."""
        reference = self._reference(seating, self.assumed)
        if reference is None:
            return False
        rng = random.Random(seed)
        first = rng.randrange(len(reference.table.players))
        player = self.source.player(seed)
        try:
            player.new(reference, first)
        except RefusedError as error:
            if error.kind != "unsupported":
                raise
            return False
        steps = _told(player) if self.able == {"log"} else _Stepped(player, self.able, rng).steps
        self._follow(SeenGame(seating.players, seating.options, first), seating, seed, Follower(reference, first), steps)
        return True

    def _follow(self, game: SeenGame, seating: Seating, seed: int, follower: Follower, steps: Steps) -> None:
        rules: set[str] = set()
        clean = True
        for seen in steps(follower):
            game.seen.append(seen)
            fault = follower.follow(seen)
            if fault is not None and not self._explains(game, seating, follower):
                self._blame(fault, seating, seed, len(game.seen) - 1)
                clean = False
                break
            rules |= follower.rules
        self.found.games += 1
        self.found.plies += len(game.seen) - 1
        self.found.clauses |= {c for rule in rules for c in self._clauses(rule)}
        if clean:
            self._explained.append(game)
            self.found.clauses |= self._ground() if follower.state.over else set()

    def _reference(self, seating: Seating, readings: Mapping[str, object]) -> Interpreter | None:
        """The rules at a table; none where they do not offer it."""
        key = (seating, tuple(sorted((name, str(value)) for name, value in readings.items())))
        if key not in self._references:
            try:
                table = make_table(self.book, seating.players, dict(seating.options), readings)
                self._references[key] = Interpreter(table)
            except TableError:
                self._references[key] = None
        return self._references[key]

    # ---- other readings ----------------------------------------------------------------------------------------------

    def _explains(self, game: SeenGame, seating: Seating, follower: Follower) -> bool:
        """Whether one reading read otherwise explains this game, and all that were explained before; it is assumed from then on."""
        if "readings" in self.able:
            return False
        for name, value in self._others():
            readings = {**self.assumed, name: value}
            if self._fits(game, readings) and all(self._fits(earlier, readings) for earlier in self._explained):
                self.assumed = readings
                self.found.readings[name] = str(value)
                reference = self._reference(seating, readings)
                assert reference is not None
                follower.become(reference, game.seen)
                return True
        return False

    def _others(self) -> Iterator[tuple[str, object]]:
        """Every question with every value that is not assumed of it."""
        for setting in self.book.settings:
            if setting.role == "reading":
                assumed = self.assumed.get(setting.id, setting.default)
                yield from ((setting.id, value) for value in values_of(setting) if str(value) != str(assumed))

    def _fits(self, game: SeenGame, readings: Mapping[str, object]) -> bool:
        reference = self._reference(Seating(game.players, game.options), readings)
        return reference is not None and Follower(reference, game.first).become(reference, game.seen) is None

    # ---- clauses -----------------------------------------------------------------------------------------------------

    def _blame(self, fault: Fault, seating: Seating, seed: int, ply: int) -> None:
        clauses = {c for rule in fault.rules for c in self._clauses(rule)} or self._ground()
        self.found.blamed |= clauses
        self.found.faults.append(f"[{' '.join(sorted(clauses))}] seed {seed}, {seating.says()}, ply {ply}: {fault.says()}")

    def _clauses(self, rule: str) -> tuple[str, ...]:
        """What a rule is reported as: its clauses; by name where it has none, or where the rule book is no variant of the register."""
        cited = self.book.clauses_of(rule)
        named = not cited or not any(c.variant == self.book.name for c in register().values())
        return (*cited, rule) if named else cited

    def _ground(self) -> set[str]:
        """The clauses of the board and the players: what every game rests on."""
        ground = [d for d in self.book.declarations if d.kind in ("board", "players")]
        return {c.clause for d in ground for c in d.citations} or {d.kind for d in ground}


def values_of(setting: Setting) -> tuple[object, ...]:
    """The values of a reading that can be tried one by one; none of a choice of faces."""
    match setting.domain:
        case Named(values):
            return tuple(v.name for v in values)
        case Range(low, high):
            return tuple(range(low, high + 1))
        case _:
            return ()


# ---- what an engine shows --------------------------------------------------------------------------------------------

_ROLL = re.compile(r"[0-9]{1,3}(\+[0-9]{1,3})*", re.ASCII)

Steps = Callable[[Follower], Iterator[Seen]]
"""Goes on with a game, one thing after another; the follower has followed the one before when the next is asked for."""


class _Stepped:
    """A game that is played step by step: the runner moves, and rolls unless the engine rolls its own dice."""

    def __init__(self, player: Player, able: frozenset[str], rng: random.Random) -> None:
        self.player = player
        self.able = able
        self.rng = rng

    def steps(self, follower: Follower) -> Iterator[Seen]:
        """The game, to its end."""
        dice = dice_for(follower.reference.table, self.rng) if "force" in self.able else None
        yield self._shown(Seen(), follower)
        for _ in range(LONGEST):
            if follower.state.over:
                return
            if self.rng.random() < TRIES:
                yield from self._forbidden(follower, dice is not None)
            if not follower.state.awaits_roll:
                choice = self.rng.choice(follower.reference.legal(follower.state))
                yield self._moved(move_text(follower.reference.table, follower.state, choice), follower)
            elif dice is None:
                yield self._shown(Seen(roll=self.player.own_roll()), follower)
            else:
                yield self._rolled(dice.roll(follower.state.turn, follower.reference.faces(follower.state)), follower)

    def _forbidden(self, follower: Follower, force: bool) -> Iterator[Seen]:
        """Something illegal that is tried, if there is anything of the kind."""
        engine, state = follower.reference, follower.state
        if state.awaits_roll:
            barred = sorted({face for face, _ in engine.table.book.dice.faces} - set(engine.faces(state))) if force else []
            if barred:
                yield self._rolled((self.rng.choice(barred),) * engine.table.book.dice.count, follower)
            return
        legal = [move_text(engine.table, state, c) for c in engine.legal(state)]
        refused = sorted({move_text(engine.table, state, c) for c, _ in engine.refused(state)})
        tries = [text for text in refused if not any(same_moves((text,), (m,)) for m in legal)]
        if tries:
            yield self._moved(self.rng.choice(tries), follower)

    def _rolled(self, faces: Roll, follower: Follower) -> Seen:
        return self._done(Seen(roll=faces), lambda: self.player.roll(faces), follower)

    def _moved(self, text: str, follower: Follower) -> Seen:
        return self._done(Seen(move=text), lambda: self.player.move(text), follower)

    def _done(self, seen: Seen, act: Callable[[], None], follower: Follower) -> Seen:
        try:
            act()
        except RefusedError as error:
            if error.kind != "illegal":
                raise
            seen = replace(seen, allowed=False, reason=error.reason)
        return self._shown(seen, follower)

    def _shown(self, seen: Seen, follower: Follower) -> Seen:
        """What the engine tells after something was done."""
        position = self.player.text()
        over = "turn=over" in position.split()
        places = self.player.places() if over else None
        legal = None if over else self.player.legal()
        return replace(seen, position=position, legal=legal, places=tuple(places.items()) if places else None)


def _told(player: Player) -> Steps:
    """A game that the engine played by itself, as it tells of it: rolls and moves, and no positions."""

    def steps(follower: Follower) -> Iterator[Seen]:
        yield Seen()
        for word in player.log().split():
            if ">" in word or word == "pass":
                yield Seen(move=word)
            elif _ROLL.fullmatch(word):
                yield Seen(roll=tuple(int(face) for face in word.split("+")))
            else:
                raise TroubleError(Verdict.PROTOCOL_ERROR, f"`{shown(word)}` in `log` is no roll and no move")

    return steps
