"""Claims put to the test: small scenarios exactly, `always` and `never` over random games.

A claim of the form `never EVENT if C` becomes a statement without effect at that event; that it acted shows in the trace.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ludo_dsl.check.book import parsed, resolve
from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.game.errors import EndlessRulesError, GameError
from ludo_dsl.game.notation import position_text
from ludo_dsl.game.positions import players_of
from ludo_dsl.interpreter import Interpreter
from ludo_dsl.play.chance import dice_for
from ludo_dsl.play.game import Game
from ludo_dsl.play.match import playing
from ludo_dsl.play.players import RandomPlayer
from ludo_dsl.rules.book import AlwaysClaim, Assertion, Book, Declaration, GivenClaim, NeverClaim
from ludo_dsl.rules.expressions import Expr, Not, Owner, Truth
from ludo_dsl.rules.folding import conjunction, fold
from ludo_dsl.rules.statements import Mark, Share, Statement, StatementId, Trigger, When
from ludo_dsl.rules.table import Table, fold_statement, make_table
from ludo_dsl.source import Source, Span

_BRACES = re.compile(r"\{([^{}]*)\}")
_TERM = re.compile(r"\s*([+-]?)\s*([a-z][a-z0-9-]*|[0-9]+)\s*")
LONGEST = 5000
"""Plies of a random game that a claim about all games is tried on."""

_EVERYWHERE = (Trigger.ROLLED, Trigger.MOVED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one assertion of a claim: how often it was tried, and where it failed first (nothing: it held)."""

    claim: str
    number: int
    tried: int
    failure: str | None


def check_claims(table: Table, games: int, seed: int) -> Iterator[Outcome]:
    """Puts every claim that holds at a table to the test; `games` random games for the claims about all games."""
    for declaration in table.book.declarations:
        if declaration.kind != "claim" or not table.in_force(declaration):
            continue
        for number, assertion in enumerate(declaration.assertions, 1):
            yield _check(table, declaration, number, assertion, games, seed)


def _check(table: Table, claim: Declaration, number: int, assertion: Assertion, games: int, seed: int) -> Outcome:
    if isinstance(assertion, GivenClaim):
        tried, failure = _check_given(table, assertion)
    else:
        settled = settled_claim(table, assertion)
        tried, failure = (1, settled) if settled is not None else _check_games(table, claim.name, assertion, games, seed)
    return Outcome(claim.name, number, tried, failure or None)


def settled_claim(table: Table, assertion: NeverClaim | AlwaysClaim) -> str | None:
    """For a claim about the board alone: nothing said (it holds), or how it fails; none if games decide it."""
    if not isinstance(assertion, AlwaysClaim):
        return None
    holds = fold(assertion.holds, table.known)
    if isinstance(holds, Truth):
        return "" if holds.holds else "it does not hold at this table"
    return None


# ---- small scenarios -------------------------------------------------------------------------------------------------


def _check_given(table: Table, claim: GivenClaim) -> tuple[int, str | None]:
    name, low, high = claim.variable or ("", 0, 0)
    for value in range(low, high + 1):
        names = {name: value} if name else {}
        try:
            failure = play_given(table, claim, names)
        except (GameError, EndlessRulesError) as error:
            failure = str(error)
        if failure is not None:
            shown = f"with {name} = {value}: " if name else ""
            return value - low + 1, f"{shown}{failure}"
    return high - low + 1, None


def play_given(table: Table, claim: GivenClaim, names: dict[str, int]) -> str | None:
    """How a scenario fails, with its names given numbers; nothing if it holds. Raises `GameError` where it cannot be played."""
    game = game_of(table, filled(claim.position, names))
    rolls = [given_number(str(roll), names) for roll in claim.rolls]
    game, rolls = _rolled(game, rolls)
    for kind, texts in claim.outcomes:
        words = [filled(text, names) for text in texts]
        match kind:
            case "legal":
                wanted = {move.strip() for text in words for move in text.split(",")}
                if set(game.legal()) != wanted:
                    return f"legal are {', '.join(game.legal()) or 'no moves'}"
            case "refuse":
                allowed = [text for text in words if _allows(game, text)]
                if allowed:
                    return f"{allowed[0]} is allowed"
            case "move":
                for text in words:
                    game, rolls = _rolled(game.play(text), rolls)
            case "gives":
                failure = _differs(game, words[0])
                if failure is not None:
                    return failure
    return None


def game_of(table: Table, position: str) -> Game:
    """The game at a position, with as many players as it has, under the options and readings of a table. Raises `GameError`."""
    engine = Interpreter(_seated(table, position))
    return Game(engine, engine.read(position))


def _seated(table: Table, position: str) -> Table:
    """The table, or one with as many players as the position has, under the same options and readings."""
    count = players_of(table.book, position)
    if count == len(table.players):
        return table
    options, readings = ({str(s.id): table.chosen[s.id] for s in table.book.settings if s.role == r} for r in ("option", "reading"))
    return make_table(table.book, count, options, readings)


def _rolled(game: Game, rolls: list[int]) -> tuple[Game, list[int]]:
    """Makes the given rolls as long as they are due."""
    count = game.table.book.dice.count
    while game.awaits_roll and len(rolls) >= count:
        game, rolls = game.roll(*rolls[:count]), rolls[count:]
    return game, rolls


def _allows(game: Game, move: str) -> bool:
    try:
        game.choice(move)
    except GameError:
        return False
    return True


def _differs(game: Game, wanted: str) -> str | None:
    """How a position differs from the fields that are given of it."""
    found = dict(part.split("=", 1) for part in game.position.split())
    for part in wanted.split():
        name, _, value = part.partition("=")
        if sorted(found.get(name, "").split(",")) != sorted(value.split(",")):
            return f"the position is {game.position}"
    return None


def filled(text: str, names: dict[str, int]) -> str:
    """A text of a scenario with its sums worked out."""
    return _BRACES.sub(lambda match: str(given_number(match.group(1), names)), text)


def given_number(text: str, names: dict[str, int]) -> int:
    """A sum such as `20-d`; raises `GameError` for anything else."""
    total, at = 0, 0
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or (at and not match.group(1)):
            raise GameError(f"`{text}` is no sum of numbers and names", "write it as `20-d`")
        word = match.group(2)
        if not word.isdigit() and word not in names:
            raise GameError(f"`{word}` in `{text}` is not known here", "name it with `for`")
        total += (-1 if match.group(1) == "-" else 1) * (int(word) if word.isdigit() else names[word])
        at = match.end()
    return total


# ---- claims about all games ------------------------------------------------------------------------------------------


def _check_games(table: Table, name: str, assertion: NeverClaim | AlwaysClaim, games: int, seed: int) -> tuple[int, str | None]:
    probes = tuple(probes_of(table, name, assertion))
    engine = Interpreter(replace(table, statements=(*table.statements, *probes)))
    looked_for = {probe.id for probe in probes}
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        seats = [RandomPlayer(rng)] * len(table.players)
        try:
            plies = playing(engine, engine.start(rng.randrange(len(seats))), seats, dice_for(table, rng))
            # Rules need not let a game end.
            for ply in islice(plies, LONGEST):
                if any(entry.statement in looked_for for entry in ply.step.trace):
                    return number + 1, f"game {number + 1} of seed {seed}, at {position_text(table, ply.before)}"
        except EndlessRulesError as error:
            return number + 1, str(error)
    return games, None


def probes_of(table: Table, name: str, assertion: NeverClaim | AlwaysClaim) -> Iterable[When]:
    """Statements without effect that act exactly where the claim fails."""
    for number, (trigger, squares, condition) in enumerate(_where(table, assertion), 1):
        probe: Statement = When(StatementId(f"claim {name}", number), trigger, squares, fold(condition, table.known), (Share(Owner.OWN),))
        folded = fold_statement(probe, table.known)
        assert isinstance(folded, When)
        yield folded


def _where(table: Table, assertion: NeverClaim | AlwaysClaim) -> Iterable[tuple[Trigger, Expr | None, Expr]]:
    if isinstance(assertion, AlwaysClaim):
        broken = conjunction(assertion.condition, Not(assertion.holds))
        triggers = _EVERYWHERE if assertion.event is None else (Trigger(assertion.event),)
        return [(trigger, None, broken) for trigger in triggers]
    if assertion.event == "turn ended":
        return [
            (s.trigger, s.squares, conjunction(s.condition, assertion.condition))
            for s in table.statements
            if isinstance(s, When) and Mark.END_TURN in s.effects
        ]
    return [(Trigger(assertion.event), assertion.squares, assertion.condition)]


# ---- claims of a parent ----------------------------------------------------------------------------------------------

FEW_GAMES = 2
"""Random games for each claim of another rule book that a change may have broken: `check` has to answer at once."""


def claims_broken_by_changes(source: Source, book: Book) -> Iterator[Diagnostic]:
    """Warnings about claims of the rule book that this one extends which no longer hold, each at the change that broke it."""
    if book.parent is None:
        return
    table = make_table(book)
    for claim in book.declarations:
        if claim.kind != "claim" or claim.file == source.name or not table.in_force(claim):
            continue
        failure = _failure(table, claim)
        if failure is not None:
            span = _culprit(source, claim)
            message = f"the claim `{claim.name}` of `{book.parent}` no longer holds: {failure}"
            yield Diagnostic("L0705", message, source, span, f"write `drop claim {claim.name}`, or `replace` it", severity="warning")


def _failure(table: Table, claim: Declaration) -> str | None:
    for number, assertion in enumerate(claim.assertions, 1):
        failure = _check(table, claim, number, assertion, FEW_GAMES, 1).failure
        if failure is not None:
            return failure
    return None


def _culprit(source: Source, claim: Declaration) -> Span:
    """The change without which the claim holds; the `extends` if there is no single one."""
    head, *changes = parsed(source).nodes()
    for change in changes:
        try:
            table = make_table(resolve(source, change))
        except (RuleBookError, StopIteration):
            continue
        if _failure(table, claim) is None:
            return change.span
    return (head.node("extends") or head).span
