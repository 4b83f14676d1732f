"""Why a move that somebody wants is not legal, as reasons with rule and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.events import Refusal
from ludo_dsl.game.notation import read_move, require_move
from ludo_dsl.game.state import Choice, Move, State
from ludo_dsl.rules.statements import Act, May, StatementId
from ludo_dsl.rules.table import Table
from ludo_dsl.rules.topology import YARD
from ludo_dsl.rules.wording import fill

Refused = Iterable[tuple[Choice, tuple[Refusal, ...]]]


def why_not(table: Table, state: State, text: str, refused: Refused) -> tuple[Refusal, ...]:
    """The reasons why the move of a text is not legal.

    Raises:
        NotationError: the text is no move at all.
    """
    require_move(table, text)
    known = dict(refused)
    try:
        wanted = read_move(table, state, text, known)
        return known[wanted]
    except GameError:
        pass
    found = [c for c in known if isinstance(c, Move) and _same_way(table, text, c)]
    if found:
        return tuple(dict.fromkeys(reason for c in found for reason in known[c]))
    return (_no_such_move(table, state, text),)


def _parts(table: Table, text: str) -> tuple[str, str, str]:
    """The colour, the way and the dice of a move's text, each empty where it is not given."""
    head, colon, rest = text.strip().partition(":")
    colour, body = (head, rest) if colon and head in table.colours else ("", text.strip())
    way, _, dice = body.partition(":")
    return colour, way, dice


def _same_way(table: Table, text: str, choice: Move) -> bool:
    """Whether a text names the same piece and the same target, whatever the dice."""
    colour, way, _ = _parts(table, text)
    origin, _, to = way.partition(">")
    spots = table.routes[choice.colour].spots
    if colour and table.colours[choice.colour] != colour:
        return False
    return str(spots[choice.origin]) == origin.partition("*")[0] and str(spots[choice.to]) == to


def _no_such_move(table: Table, state: State, text: str) -> Refusal:
    """A move that no die makes: the rule is the one that says how pieces move."""
    _, way, dice = _parts(table, text)
    origin = way.partition(">")[0].partition("*")[0]
    player = table.players[state.turn]
    standing = [c for c in player.colours if table.routes[c].by_text.get(origin) in state.pieces[c]]
    entering = any(table.routes[c].by_text.get(origin) == YARD for c in player.colours)
    act = Act.ENTER if entering and standing else Act.ADVANCE
    rule: StatementId | None = next((s.id for s in table.statements if isinstance(s, May) and s.act is act), None)
    if state.over:
        return Refusal(None, "the game is over")
    if not state.pool:
        return Refusal(rule, "the dice must be rolled first")
    if way == "pass":
        return Refusal(None, f"no rule lets {player.name} pass")
    if not standing:
        return Refusal(rule, f"{player.name} has no piece " + ("in the yard" if entering else f"on {origin}"))
    return Refusal(rule, _no_such_dice([str(d) for d in state.pool], re.split(r"(?<=.)\+", dice) if dice else [], origin))


def _no_such_dice(pool: list[str], spent: list[str], origin: str) -> str:
    lacking = next((d for d in spent if spent.count(d) > pool.count(d)), None)
    if lacking is not None:
        return f"there is no {lacking} to spend: the pool holds {' and '.join(pool)}"
    dice = " and ".join(spent) or " or ".join(dict.fromkeys(pool))
    return f"a die of {dice} does not take a piece from {origin} there"


def reason_text(table: Table, refusal: Refusal) -> str:
    """A refusal for people: the reason, and the rule behind it with its clauses."""
    if refusal.statement is None:
        return f"{refusal.reason} (the board)"
    rule = refusal.statement.rule
    clauses = table.book.clauses_of(rule)
    cited = f" [{' '.join(clauses)}]" if clauses else ""
    return f"{refusal.reason} (rule `{rule}`{cited})"


def in_own_words(table: Table, rules: Iterable[str]) -> list[str]:
    """What the rules of these names say, each once, in the sentences of the rule book for this table."""
    lines = []
    for rule in dict.fromkeys(rules):
        declaration = table.book.declaration(rule)
        if declaration is None:
            continue
        said = [fill(s.text, table, declaration) for s in declaration.sentences if table.holds(s.condition)]
        if said:
            lines.append(f"{rule}: {' '.join(said)}")
    return lines


def as_json(table: Table, move: str, refusals: Iterable[Refusal]) -> list[dict[str, object]]:
    """Refusals as plain data: the move, the rule's name, the clauses it states, and the reason."""
    return [
        {
            "move": move,
            "rule": r.statement.rule if r.statement else "board",
            "clauses": list(table.book.clauses_of(r.statement.rule)) if r.statement else [],
            "reason": r.reason,
        }
        for r in refusals
    ]
