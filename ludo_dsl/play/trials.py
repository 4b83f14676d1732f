"""All claims of a rule book put to the test together, as widely as can be, with a small counterexample for one that fails.

What a claim is tried on hangs on what it says. What the board's measures decide is decided; scenarios are played as they stand;
a claim about what happens is watched for in every position of two pieces with every roll and move, in positions made at random,
and in random games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, product

from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.events import Step
from ludo_dsl.game.notation import move_text, position_text
from ludo_dsl.game.positions import split_fields
from ludo_dsl.game.state import Choice, Roll, State
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.play.claims import LONGEST, filled, given_number, play_given, probes_of, settled_claim
from ludo_dsl.play.game import Game
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.rules.book import AlwaysClaim, Assertion, Declaration, GivenClaim, NeverClaim
from ludo_dsl.rules.expressions import ALWAYS
from ludo_dsl.rules.spoken import spoken
from ludo_dsl.rules.statements import StatementId, When
from ludo_dsl.rules.table import Table

MOST_ROLLS = 250_000
"""Rolls in positions of two pieces that are made at most; where there are more, the space is not small."""

PER_GAME = 40
"""Positions that are made at random for each random game."""


class Method(StrEnum):
    """How a claim is tried."""

    BOARD = "board"
    SCENARIOS = "scenarios"
    PAIRS = "pairs"
    GENERATED = "generated"
    GAMES = "games"

    @property
    def exhaustive(self) -> bool:
        """Whether nothing that the method could try is left out."""
        return self not in (Method.GENERATED, Method.GAMES)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """How a claim fails, and a position with the rolls and the moves that show it (none where the board alone decides)."""

    message: str
    position: str | None = None
    rolls: tuple[Roll, ...] = ()
    moves: tuple[str, ...] = ()


@dataclass
class Verdict:
    """What became of one assertion of a claim so far: on what it was tried, and where it fails."""

    claim: Declaration
    number: int
    assertion: Assertion
    tried: dict[Method, int] = field(default_factory=dict)
    failure: Counterexample | None = None

    def says(self) -> str:
        """The assertion in words."""
        return _says(self.assertion)

    def count(self, method: Method, number: int = 1) -> None:
        """Counts what was tried."""
        self.tried[method] = self.tried.get(method, 0) + number


@dataclass
class Report:
    """The verdicts so far; `complete` unless somebody stopped it."""

    table: Table
    verdicts: list[Verdict]
    complete: bool = True

    @property
    def failed(self) -> list[Verdict]:
        """The verdicts on what does not hold."""
        return [v for v in self.verdicts if v.failure is not None]


def try_claims(table: Table, games: int, seed: int, progress: Callable[[int, int], None] = lambda done, total: None) -> Report:
    """Puts every claim that holds at a table to the test; on `KeyboardInterrupt`, what has been tried so far.

    `progress` hears how much is done, and of how much. Raises `EndlessRulesError` where the rules chase each other.
    """
    claims = [d for d in table.book.declarations if d.kind == "claim" and table.in_force(d)]
    report = Report(table, [Verdict(c, n, a) for c in claims for n, a in enumerate(c.assertions, 1)])
    try:
        for verdict in report.verdicts:
            _at_once(table, verdict)
        watched = [v for v in report.verdicts if not v.tried]
        if watched:
            _Watch(table, watched).run(games, seed, progress)
    except KeyboardInterrupt:
        report.complete = False
    return report


# ---- in words --------------------------------------------------------------------------------------------------------


def _says(assertion: Assertion) -> str:
    match assertion:
        case GivenClaim(variable, position):
            many = f"for {variable[0]} from {variable[1]} to {variable[2]}, " if variable else ""
            return f"{many}from {position}"
        case NeverClaim(event, squares, condition):
            on = f" on {spoken(squares)}" if squares is not None else ""
            return f"never {event}{on}" + ("" if condition == ALWAYS else f" if {spoken(condition)}")
        case AlwaysClaim(holds, event, condition):
            when = f" when {event}" if event else ""
            return f"always {spoken(holds)}{when}" + ("" if condition == ALWAYS else f" if {spoken(condition)}")


# ---- at once ---------------------------------------------------------------------------------------------------------


def _at_once(table: Table, verdict: Verdict) -> None:
    """Tries what needs no search: scenarios, and what the board decides."""
    assertion = verdict.assertion
    if isinstance(assertion, GivenClaim):
        _scenarios(table, verdict, assertion)
        return
    settled = settled_claim(table, assertion)
    if settled is not None:
        verdict.count(Method.BOARD)
        if settled:
            verdict.failure = Counterexample(settled)


def _scenarios(table: Table, verdict: Verdict, claim: GivenClaim) -> None:
    name, low, high = claim.variable or ("", 0, 0)
    for value in range(low, high + 1):
        names = {name: value} if name else {}
        verdict.count(Method.SCENARIOS)
        try:
            failure = play_given(table, claim, names)
        except (GameError, EndlessRulesError) as error:
            failure = str(error)
        if failure is not None:
            shown = f"with {name} = {value}: " if name else ""
            verdict.failure = _scenario(table, claim, names, f"{shown}{failure}")
            return


def _scenario(table: Table, claim: GivenClaim, names: dict[str, int], message: str) -> Counterexample:
    """The scenario itself: it is somebody's own, and small already."""
    try:
        faces = [given_number(str(roll), names) for roll in claim.rolls]
        moves = tuple(filled(text, names) for kind, texts in claim.outcomes if kind == "move" for text in texts)
        position = filled(claim.position, names)
    except GameError:
        return Counterexample(message, claim.position)
    count = table.book.dice.count
    return Counterexample(message, position, tuple(tuple(faces[i : i + count]) for i in range(0, len(faces), count)), moves)


# ---- watching --------------------------------------------------------------------------------------------------------


class _Watch:
    """Watches for claims to fail, by statements without effect that act where they do."""

    def __init__(self, table: Table, verdicts: list[Verdict]) -> None:
        self.table = table
        self.verdicts = verdicts
        self.owner: dict[StatementId, Verdict] = {}
        probes: list[When] = []
        for verdict in verdicts:
            assert not isinstance(verdict.assertion, GivenClaim)
            found = tuple(probes_of(table, f"{verdict.claim.name}/{verdict.number}", verdict.assertion))
            self.owner |= {probe.id: verdict for probe in found}
            probes += found
        self.engine = Interpreter(replace(table, statements=(*table.statements, *probes)))
        self.opening = self.engine.opening()

    def run(self, games: int, seed: int, progress: Callable[[int, int], None]) -> None:
        """Tries everything, or as much as is needed to see all of the claims fail."""
        pairs = _pairs(self.table)
        total = len(pairs) + (PER_GAME + PER_GAME) * games
        done = 0
        for step in (self._pairs(pairs), self._generated(PER_GAME * games, seed), self._games(games, seed)):
            for weight in step:
                done += weight
                progress(done, total)
                if all(v.failure is not None for v in self.verdicts):
                    return

    def _count(self, method: Method) -> None:
        for verdict in self.verdicts:
            if verdict.failure is None:
                verdict.count(method)

    def _pairs(self, pairs: list[tuple[int, int, int, int]]) -> Iterator[int]:
        """Every position of two pieces with every roll and every move that it allows."""
        for mover, place, other, its in pairs:
            pieces = {mover: [place], other: [its]}
            state = self._read(pieces, mover)
            if state is not None and state.awaits_roll:
                self._count(Method.PAIRS)
                for roll in product(self.engine.faces(state), repeat=self.table.book.dice.count):
                    self._follow(state, roll)
            yield 1

    def _generated(self, count: int, seed: int) -> Iterator[int]:
        """Positions made at random, with one roll and every move that it allows."""
        rng = random.Random(f"{seed}/generated")
        for _ in range(count):
            colour = rng.randrange(len(self.table.colours))
            state = self._read(_crowd(self.table, rng, colour), colour)
            if state is not None and state.awaits_roll:
                faces = self.engine.faces(state)
                self._count(Method.GENERATED)
                self._follow(state, tuple(rng.choice(faces) for _ in range(self.table.book.dice.count)))
            yield 1

    def _games(self, count: int, seed: int) -> Iterator[int]:
        for number in range(count):
            rng = random.Random(f"{seed}/{number}")
            seats = [RandomPlayer(rng)] * len(self.table.players)
            before: State | None = None
            roll: Roll | None = None
            self._count(Method.GAMES)
            plies = playing(self.engine, self.engine.start(rng.randrange(len(seats))), seats, dice_for(self.table, rng))
            # Rules need not let a game end.
            for ply in islice(plies, LONGEST):
                if ply.choice is None:
                    before, roll = ply.before, ply.roll
                    self._look(ply.step, ply.before, roll, None)
                else:
                    self._look(ply.step, ply.before, None, ply.choice, before, roll)
                    before = None
            yield PER_GAME

    def _read(self, pieces: dict[int, list[int]], colour: int) -> State | None:
        """The position with these pieces and all others in the yard; none where the rules do not let them stand so."""
        table = self.table
        player = next(i for i, p in enumerate(table.players) if colour in p.colours)
        squares = [table.routes[c].squares[place] for c, places in pieces.items() for place in places]
        together = len(set(squares)) < len(squares)
        places = tuple(
            tuple(sorted([0] * (table.pieces - len(its)) + its)) for its in (pieces.get(c, []) for c in range(len(table.colours)))
        )
        arrivals = tuple((c, place) for c, its in enumerate(places) for place in its if place)
        try:
            if together:
                # Only reading sees whether pieces can stand together.
                text = split_fields(position_text(table, self.opening._replace(pieces=places, turn=player)))
                return self.engine.read(_joined({name: value for name, value in text.items() if name in ("turn", *table.colours)}))
            return self.engine.begin(self.opening._replace(pieces=places, turn=player, arrivals=arrivals)).state
        except GameError:
            return None

    def _follow(self, state: State, roll: Roll) -> None:
        step = self.engine.roll(state, roll)
        self._look(step, state, roll, None)
        if step.state.over or step.state.awaits_roll:
            return
        for choice in self.engine.legal(step.state):
            self._look(self.engine.move(step.state, choice), step.state, None, choice, state, roll)

    def _look(
        self, step: Step, at: State, roll: Roll | None, choice: Choice | None, before: State | None = None, rolled: Roll | None = None
    ) -> None:
        """Sees whether a claim has failed in a step; `before` and `rolled` tell of the roll that a move used."""
        for entry in step.trace:
            if entry.statement in self.owner:
                verdict = self.owner[entry.statement]
                if verdict.failure is None:
                    verdict.failure = self._smallest(verdict, at, roll, choice, before, rolled)

    # ---- counterexamples ---------------------------------------------------------------------------------------------

    def _smallest(
        self, verdict: Verdict, at: State, roll: Roll | None, choice: Choice | None, before: State | None, rolled: Roll | None
    ) -> Counterexample:
        moves = () if choice is None else (move_text(self.table, at, choice),)
        message = "it fails in the last step from here"
        found = Counterexample(message, position_text(self.table, at), () if roll is None else (roll,), moves)
        if before is not None and rolled is not None:
            whole = Counterexample(message, position_text(self.table, before), (rolled,), moves)
            found = whole if self._fails(verdict, whole) else found
        return self._shrunk(verdict, found) if self._fails(verdict, found) else found

    def _shrunk(self, verdict: Verdict, found: Counterexample) -> Counterexample:
        """The counterexample with as few pieces out of the yard, and as little besides, as it fails with."""
        while True:
            smaller = next((c for c in self._smaller(found) if self._fails(verdict, c)), None)
            if smaller is None:
                return found
            found = smaller

    def _smaller(self, found: Counterexample) -> Iterator[Counterexample]:
        fields = split_fields(found.position or "")
        for name, value in fields.items():
            if name in self.table.colours:
                places = value.split(",")
                for i, place in enumerate(places):
                    if place != "Y":
                        rest = ",".join([*places[:i], *places[i + 1 :], "Y"])
                        yield replace(found, position=_joined({**fields, name: rest}))
            elif name not in ("turn", "pool"):
                yield replace(found, position=_joined({k: v for k, v in fields.items() if k != name}))

    def _fails(self, verdict: Verdict, example: Counterexample) -> bool:
        """Whether a claim fails in the last step of a counterexample."""
        try:
            game = Game(self.engine, self.engine.read(example.position or ""))
            for roll in example.rolls:
                game = game.roll(*roll)
            for move in example.moves:
                game = game.play(move)
        except (GameError, EndlessRulesError):
            return False
        return game.last is not None and any(self.owner.get(entry.statement) is verdict for entry in game.last.trace)


def _joined(fields: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items())


def _pairs(table: Table) -> list[tuple[int, int, int, int]]:
    """Every placing of a piece of the colour that moves and a piece of another: colour and place of each, up to turning the board.

    None where that would be more than `MOST_ROLLS` rolls.
    """
    kinds: dict[tuple[int, bool, bool], tuple[int, int]] = {}
    for player in table.players:
        for mover in player.colours:
            for other, route in enumerate(table.routes):
                if other == mover:
                    continue
                owner = next(p for p in table.players if other in p.colours)
                offset = (route.arm - table.routes[mover].arm) % table.measures.arms
                kinds.setdefault((offset, owner is player, owner.side == player.side), (mover, other))
    found = [
        (mover, place, other, its)
        for mover, other in kinds.values()
        for place in range(len(table.routes[mover].spots))
        for its in range(len(table.routes[other].spots))
    ]
    rolls = len(table.book.dice.faces) ** table.book.dice.count
    return found if len(found) * rolls <= MOST_ROLLS else []


def _crowd(table: Table, rng: random.Random, colour: int) -> dict[int, list[int]]:
    """Pieces of a colour and another, now and then of all, at random, and often one on a square with others."""
    others = [c for c in range(len(table.colours)) if c != colour]
    playing = [colour, *(others if rng.random() < 0.2 else rng.sample(others, min(1, len(others))))]
    found: dict[int, list[int]] = {}
    taken: list[int] = []
    for each in playing:
        route = table.routes[each]
        for _ in range(rng.randint(1, table.pieces)):
            place = rng.randrange(len(route.spots))
            if taken and rng.random() < 0.3:
                square = rng.choice(taken)
                place = next((i for i, s in enumerate(route.squares) if s == square), place)
            found.setdefault(each, []).append(place)
            square_of = route.squares[place]
            taken += [square_of] if square_of is not None else []
    return found
