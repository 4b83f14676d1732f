"""Random games on an engine in step with the rules; the first difference is shrunk to the smallest game that shows it.

Everything hangs on the seed: the same seed plays the same games, and `seconds` only cuts them short.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludo_dsl.conformance.fuzzing.found import Finding, found_in
from ludo_dsl.conformance.fuzzing.readings import Hypotheses, Taken
from ludo_dsl.conformance.fuzzing.shrinking import Shrinking
from ludo_dsl.conformance.fuzzing.steps import Beginning, Bench, Played
from ludo_dsl.conformance.fuzzing.tables import Offers, Tables, Wandering
from ludo_dsl.conformance.running.runner import interruptible, introduce
from ludo_dsl.conformance.running.started import EngineGoneError, Setup, Started
from ludo_dsl.conformance.running.watching import Seating
from ludo_dsl.conformance.scenarios.suite import Choices, scenario_from
from ludo_dsl.conformance.talking.capabilities import Hello
from ludo_dsl.conformance.talking.endpoints import Connector, Limits
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.table import make_table

SECONDS = 30.0
"""How long is played, unless somebody says otherwise."""

PER_TABLE = 2
"""Games that are played at one table before another is drawn."""

OPENINGS = 0.2
"""The share of games that begin with the opening, where the engine can be set to positions."""

WHOLE = 1500
"""Steps after which a game from the opening is broken off."""

SHORT = (4, 8, 20, 60)
"""Steps after which games from rich positions are broken off."""

MOST_TABLES = 100
"""Tables in a row that an engine may not offer."""

MOST_READINGS = 40
"""Times that one game may be explained by another reading, and played again."""

Progress = Callable[[int, int, str], None]
"""Told now and then: games and steps that were played, and what is being done: `playing` or `shrinking`."""


class CannotFuzzError(Exception):
    """An engine on which no random games can be played: why, and what would help."""

    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})")


@dataclass(frozen=True, slots=True)
class TablePlayed:
    """How much was played at one table: games, steps (rolls and moves), and games that began with a rich position."""

    seating: Seating
    games: int
    steps: int
    positions: int

    def as_json(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "players": self.seating.players,
            "options": dict(self.seating.options),
            "games": self.games,
            "steps": self.steps,
            "positions": self.positions,
        }


@dataclass(frozen=True)
class Fuzzed:
    """What came of random games on an engine.

    `told` is whether the engine was told which readings to play. `unsupported` is what it does not offer, with its reasons;
    `refused` the first positions that it did not take, with its reasons, and `refusals` how many. `inconsistent` names readings
    that would explain the finding, had the engine not shown others before. `complete` is whether nobody stopped it.
    """

    engine: str
    name: str
    version: str
    variant: str
    seed: int
    tables: tuple[TablePlayed, ...] = ()
    readings: tuple[Taken, ...] = ()
    told: bool = False
    unsupported: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    refusals: int = 0
    finding: Finding | None = None
    inconsistent: str = ""
    complete: bool = True
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """Games that were played."""
        return sum(t.games for t in self.tables)

    @property
    def steps(self) -> int:
        """Rolls and moves of all games, those among them that the rules forbid."""
        return sum(t.steps for t in self.tables)

    @property
    def positions(self) -> int:
        """Games that began with a rich position."""
        return sum(t.positions for t in self.tables)

    @property
    def exit_code(self) -> int:
        """0 without a difference, 1 with one, 130 where somebody stopped it."""
        return 130 if not self.complete else 0 if self.finding is None else 1

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "engine": self.engine,
            "name": self.name,
            "version": self.version,
            "variant": self.variant,
            "seed": self.seed,
            "games": self.games,
            "steps": self.steps,
            "positions": self.positions,
            "tables": [t.as_json() for t in self.tables],
            "readings": [{"question": r.question, "value": r.value, "how": r.how, "others": list(r.others)} for r in self.readings],
            "told": self.told,
            "unsupported": [{"what": what, "reason": reason} for what, reason in self.unsupported],
            "refused": [{"position": position, "reason": reason} for position, reason in self.refused],
            "refusals": self.refusals,
            "finding": None if self.finding is None else self.finding.as_json(),
            "inconsistent": self.inconsistent,
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
        }


def fuzz(
    connector: Connector,
    book: Book,
    *,
    seconds: float | None = SECONDS,
    seed: int = 0,
    games: int | None = None,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Fuzzed:
    """Plays random games on an engine until something differs, the time is up, or so many games are played.

    Options and numbers of players that are not given vary from table to table, and so do readings where the engine can be told
    them. Where it cannot, the readings that it takes are inferred; `readings` are then assumed for good. Ctrl-C ends it with what there is.

    Raises:
        StartError: the engine cannot be started.
        CannotFuzzError: it rolls its own dice, or plays nothing of what is asked for.
        TableError: the rule book does not offer what is given.
        EngineGoneError: it started before, and cannot be started any more, without a difference having been found.
    """
    began = time.monotonic()
    make_table(book, players, options, readings)
    setup = Setup(connector, limits or Limits(), frozenset(), seed)
    with interruptible():
        said, capabilities = introduce(setup)
        able = frozenset(c.name for c in capabilities if c.claimed and c.verified is not False)
        _require(connector, said, able, book)
        started = Started(Setup(connector, setup.limits, able, seed))
        until = None if seconds is None else time.monotonic() + seconds
        run = _Fuzzing(book, Bench(started), seed, until, progress or (lambda games, steps, doing: None))
        run.offers = Offers(book, players, options or {}, readings or {}, _said(said, book))
        run.hypotheses = Hypotheses(run.tables, readings or {})
        try:
            complete = run.through(games)
        finally:
            started.drop()
        return run.fuzzed(connector, said, complete, time.monotonic() - began)


def _require(connector: Connector, said: Hello, able: frozenset[str], book: Book) -> None:
    """Sees to it that an engine can be fuzzed at all."""
    if book.name not in said.variants:
        plays = ", ".join(said.variants) or "nothing"
        raise CannotFuzzError(f"the engine does not say that it plays `{book.name}`: it plays {plays}", "name another `--variant`")
    if "force" not in able:
        hint = f"`ludo conform {connector.name} --games 100` watches its games"
        raise CannotFuzzError("the engine rolls its own dice: it does not take those that it is given (`force`)", hint)


def _said(said: Hello, book: Book) -> dict[str, tuple[str, ...]]:
    """The values of options that the engine says it has."""
    return {name.removeprefix(f"{book.name}."): values for name, values in said.options if name.startswith(f"{book.name}.")}


@dataclass
class _Fuzzing:
    """Games under way."""

    book: Book
    bench: Bench
    seed: int
    until: float | None
    progress: Progress
    tables: Tables = field(init=False)
    offers: Offers = field(init=False)
    hypotheses: Hypotheses = field(init=False)
    counts: dict[Seating, list[int]] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)
    refusals: int = 0
    finding: Finding | None = None
    inconsistent: str = ""

    def __post_init__(self) -> None:
        self.tables = Tables(self.book)

    def through(self, games: int | None) -> bool:
        """Plays until something ends it; whether that was not Ctrl-C."""
        number = 0
        try:
            while self.finding is None and (games is None or number < games) and not (number and self._enough()):
                number += 1
                self._game(number)
                self._tell("playing")
        except KeyboardInterrupt:
            return False
        return True

    def fuzzed(self, connector: Connector, said: Hello, complete: bool, seconds: float) -> Fuzzed:
        """What there is to be told."""
        told = "readings" in self.bench.able
        return Fuzzed(
            engine=connector.name,
            name=said.name,
            version=said.version,
            variant=self.book.name,
            seed=self.seed,
            tables=tuple(TablePlayed(seating, *counts) for seating, counts in sorted(self.counts.items(), key=lambda item: item[0].says())),
            readings=() if told else self.hypotheses.taken(),
            told=told,
            unsupported=self.offers.dropped,
            refused=tuple(self.refused),
            refusals=self.refusals,
            finding=self.finding,
            inconsistent=self.inconsistent,
            complete=complete,
            seconds=seconds,
        )

    def _enough(self) -> bool:
        return self.until is not None and time.monotonic() >= self.until

    def _tell(self, doing: str) -> None:
        self.progress(sum(c[0] for c in self.counts.values()), sum(c[1] for c in self.counts.values()), doing)

    # ---- one game ----------------------------------------------------------------------------------------------------

    def _game(self, number: int) -> None:
        """One game; once more, as long as what differs in it is explained by other readings."""
        for _ in range(MOST_READINGS):
            played = self._random(number)
            if played is None:
                return
            if played.difference is None:
                self._count(played)
                if "readings" not in self.bench.able:
                    self.hypotheses.agreed(played)
                return
            if not self._look_into(played, number):
                return
        raise AssertionError("readings explain a game again and again")

    def _count(self, played: Played) -> None:
        counts = self.counts.setdefault(played.beginning.seating, [0, 0, 0])
        for i, number in enumerate((1, len(played.actions), int(played.beginning.position is not None))):
            counts[i] += number

    def _random(self, number: int) -> Played | None:
        """A random game; none where the engine does not take its position. Raises `CannotFuzzError`."""
        rng = random.Random(f"{self.seed}/table/{(number - 1) // PER_TABLE}")
        own = random.Random(f"{self.seed}/game/{number}")
        reason = "it answers `unsupported`"
        for _ in range(MOST_TABLES):
            drawn = self.offers.drawn(rng, readings="readings" in self.bench.able)
            if drawn is None:
                break
            reference = self.tables.at(drawn[0], self._readings(drawn[1]))
            assert reference is not None
            beginning = self._beginning(own, reference, *drawn)
            steps = WHOLE if beginning.position is None else own.choice(SHORT)
            played = self.bench.play(reference, beginning, Wandering(own, steps, self.bench.able, self._enough))
            if played.unsupported is not None:
                reason = played.unsupported
                self.offers.refused(reference.table, reason)
                continue
            self.offers.offered(reference.table)
            if played.refused is not None:
                self._note_refused(beginning, played.refused)
                return None
            return played
        message = f"the engine plays `{self.book.name}` at no table that may be drawn: {reason}"
        raise CannotFuzzError(message, "ask for other options, or another number of players")

    def _readings(self, told: Choices) -> Choices:
        return told if "readings" in self.bench.able else self.hypotheses.assumed

    def _beginning(self, rng: random.Random, reference: Interpreter, seating: Seating, told: Choices) -> Beginning:
        told = told if "readings" in self.bench.able else ()
        if "set" in self.bench.able and rng.random() >= OPENINGS:
            position = self.tables.starts(reference).drawn(rng)
            if position is not None:
                return Beginning(seating, told, position)
        return Beginning(seating, told, None, rng.randrange(len(reference.table.players)))

    def _note_refused(self, beginning: Beginning, reason: str) -> None:
        """A position made at random that the engine does not take is no difference: it may be one that no game reaches."""
        self.refusals += 1
        if len(self.refused) < 3:
            self.refused.append((str(beginning.position), reason))

    # ---- a difference ------------------------------------------------------------------------------------------------

    def _look_into(self, played: Played, number: int) -> bool:
        """Shrinks a game that differs; whether other readings explain it, so that the game is to be played again."""
        assert played.difference is not None
        told = "readings" in self.bench.able
        shrinking = Shrinking(self.bench, self.tables, self.hypotheses.assumed, played, lambda trials: self._tell("shrinking"))
        note, smallest = "", played
        try:
            if self._comes_again(shrinking, played):
                smallest = shrinking.run()
                if not self._comes_again(shrinking, smallest):
                    smallest, note = played, "it hangs on what was played before in the same run or game, and was not shrunk"
            else:
                note = "it does not come again on an engine freshly started: something is carried over from game to game, or left to chance"
        except KeyboardInterrupt:
            self._find(shrinking.best, number, shrinking, "it was not shrunk to the end")
            raise
        except EngineGoneError as error:
            note = f"it was not shrunk: the engine can no longer be started: {error}"
        if not told and not note and not played.difference.trouble and self.hypotheses.explain(smallest):
            return True
        if not told and not played.difference.trouble:
            self.inconsistent = self.hypotheses.against
        self._find(smallest, number, shrinking, note)
        return False

    def _comes_again(self, shrinking: Shrinking, played: Played) -> bool:
        self.bench.started.drop()
        again = shrinking.again(played.beginning, played.actions)
        return again is not None and again.actions == played.actions

    def _find(self, smallest: Played, number: int, shrinking: Shrinking, note: str) -> None:
        reference = shrinking.reference(smallest.beginning)
        assert reference is not None
        self._count(smallest)
        finding = found_in(self.tables, reference, smallest, self.seed, number, shrinking.trials, note)
        if not note and not self._fails(finding, reference):
            why = "played as a scenario on an engine freshly started, it passes: the fault hangs on what was played before"
            finding = found_in(self.tables, reference, smallest, self.seed, number, shrinking.trials, why)
        self.finding = finding

    def _fails(self, finding: Finding, reference: Interpreter) -> bool:
        try:
            return self.bench.fails(scenario_from(finding.scenario), reference)
        except EngineGoneError:
            return True
