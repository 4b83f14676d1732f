"""`ludo distinguish`: the shortest game that tells two rule books apart, or two tables of one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ludo_dsl.cli.common import coloured, console, json_option, open_book, print_json, say, settings, table_options

if TYPE_CHECKING:
    from rich.text import Text

    from ludo_dsl.conformance.telling.search import Bound, Told
    from ludo_dsl.game.state import State
    from ludo_dsl.interpreter import Interpreter
    from ludo_dsl.play.game import RuleBook
    from ludo_dsl.rules.table import Table

    Found = dict[str, Told | Bound]

_HEADINGS = {"position": "by set position", "opening": "from the opening"}


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.option("--option-b", "options_b", metavar="K=V", multiple=True, help="Choose an option for B alone; may be repeated.")
@click.option("--reading-b", "readings_b", metavar="K=V", multiple=True, help="Take another reading for B alone; may be repeated.")
@click.option(
    "--from", "begin", type=click.Choice(["position", "opening", "both"]), default="both", show_default=True, help="Where the game begins."
)
@click.option("--budget", type=click.IntRange(1), metavar="N", help="Positions that are tried at most, for each of the two searches.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other random positions and games.")
@table_options
@json_option
def distinguish(
    first: str,
    second: str | None,
    options_b: tuple[str, ...],
    readings_b: tuple[str, ...],
    begin: str,
    budget: int | None,
    seed: int,
    players: int | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find the shortest game that tells two rule books apart, and print it as a scenario.

    --option and --reading hold for A, and for B too where B is left out: then A under other choices is meant, which --option-b and
    --reading-b make. Without --players, the table with the fewest colours is taken at which a difference is found. Ctrl-C stops with
    what has been found.
    """
    from ludo_dsl.conformance.telling.search import BUDGET, Told

    books = open_book(first), open_book(second or first)
    if second is None and not options_b and not readings_b:
        raise click.UsageError("there is nothing to tell apart: name a second rule book, or choose with --option-b or --reading-b")
    chosen = (settings(options, "option"), settings(readings, "reading"))
    chosen_b = (settings(options_b, "option-b"), settings(readings_b, "reading-b"))
    if second is None:
        chosen_b = ({**chosen[0], **chosen_b[0]}, {**chosen[1], **chosen_b[1]})
    found: Found = {}
    tables: tuple[Table, Table] | None = None
    for count in _counts(books, players):
        pair = _tables(books, count, chosen, chosen_b, count == players)
        if pair is None:
            continue
        tables = pair
        found = _search(pair, begin, budget or BUDGET, seed)
        if any(isinstance(f, Told) for f in found.values()) or _stopped(found):
            break
    if tables is None:
        # The reason is that of the largest table, as it is told anywhere else.
        tables = books[0].table(None, *chosen), books[1].table(None, *chosen_b)
        raise click.UsageError("A and B seat different numbers of players under these choices, so that no table can be compared")
    told = any(isinstance(f, Told) for f in found.values())
    if as_json:
        print_json(_json(tables, found, seed))
    else:
        _show(tables, found)
    return 130 if _stopped(found) else 0 if told else 1


# ---- tables ----------------------------------------------------------------------------------------------------------


def _counts(books: tuple[RuleBook, RuleBook], players: int | None) -> list[int]:
    """The numbers of players to try: those with the fewest colours at the table first, then the fewest players."""
    if players is not None:
        return [players]
    seats = {count: sum(len(colours) for colours in seat) for count, seat in books[0].book.players.seats}
    both = set(books[0].book.players.counts) & set(books[1].book.players.counts)
    return sorted(both, key=lambda count: (seats[count], count))


def _tables(
    books: tuple[RuleBook, RuleBook],
    count: int,
    chosen: tuple[dict[str, object], dict[str, object]],
    chosen_b: tuple[dict[str, object], dict[str, object]],
    insist: bool,
) -> tuple[Table, Table] | None:
    """The two tables for a number of players; none where one of them is not offered, unless just this number was asked for."""
    from ludo_dsl.rules.table import TableError

    try:
        return books[0].table(count, *chosen), books[1].table(count, *chosen_b)
    except TableError:
        if insist:
            raise
        return None


def _stopped(found: Found) -> bool:
    from ludo_dsl.conformance.telling.search import Bound

    return any(isinstance(f, Bound) and f.why == "stopped" for f in found.values())


# ---- searching -------------------------------------------------------------------------------------------------------


def _search(tables: tuple[Table, Table], begin: str, budget: int, seed: int) -> Found:
    """What the wanted searches find; after Ctrl-C, those that were begun."""
    from ludo_dsl.conformance.telling.search import Bound, Told, tell_apart, tell_from_opening
    from ludo_dsl.interpreter import Interpreter

    engines = Interpreter(tables[0]), Interpreter(tables[1])
    found: Found = {}
    if begin != "opening":
        found["position"] = _watched("positions", lambda p: tell_apart(*engines, budget=budget, seed=seed, progress=p))
        same = isinstance(found["position"], Bound) and found["position"].why != "searched"
        if same or (isinstance(found["position"], Told) and found["position"].position is None):
            return found
    if begin != "position":
        placed = found.get("position")
        aim = placed if isinstance(placed, Told) else None
        found["opening"] = _watched("openings", lambda p: tell_from_opening(*engines, budget=budget, seed=seed, progress=p, toward=aim))
    return found


def _watched(what: str, search: Callable[[Callable[[int, int], None]], Told | Bound]) -> Told | Bound:
    """A search with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    errors = Console(stderr=True)
    bar = Progress(
        TextColumn(f"trying {what}"), BarColumn(), TaskProgressColumn(), console=errors, transient=True, disable=not errors.is_terminal
    )
    with bar:
        task = bar.add_task(what, total=None)
        return search(lambda done, total: bar.update(task, completed=done, total=total))


# ---- for people ------------------------------------------------------------------------------------------------------


def _names(tables: tuple[Table, Table]) -> tuple[str, str]:
    first, second = (t.book.name for t in tables)
    return ("A", "B") if first == second else (first, second)


def _show(tables: tuple[Table, Table], found: Found) -> None:
    from ludo_dsl.conformance.telling.search import Told

    a, b = tables
    click.echo(f"A: {_described(a)}")
    click.echo(f"B: {_described(b)}")
    for begin, result in found.items():
        click.echo()
        if isinstance(result, Told):
            _show_told(tables, begin, result)
        elif result.why == "same rules":
            say(f"nothing tells them apart: {result.says()}")
        else:
            say(f"{_HEADINGS[begin]}: none within the bound: {result.says()}")


def _described(table: Table) -> str:
    from ludo_dsl.rules.table import shown_value

    changed = "".join(f", {name}={shown_value(value)}" for name, value in table.changed().items())
    return f"{table.book.title} for {len(table.players)}{changed}"


def _show_told(tables: tuple[Table, Table], begin: str, told: Told) -> None:
    from ludo_dsl.conformance.telling.search import scenario_yaml
    from ludo_dsl.game.notation import position_text

    rolls, moves = (f"{n} {word}{'' if n == 1 else 's'}" for n, word in ((told.rolls, "roll"), (told.moves, "move")))
    click.echo(f"told apart {_HEADINGS[begin]} by {rolls} and {moves}")
    names = _names(tables)
    for name, text in zip(names, (told.difference.a, told.difference.b), strict=True):
        say(f"{name}: {_WORDS[told.difference.kind]} {text}", "  ")
    engine, state = _last_position(tables[0], told)
    if told.steps:
        click.echo(f"  before the last step: {position_text(engine.table, state)}")
    board = _board(engine, state.pieces)
    if coloured():
        console().print(board)
    else:
        click.echo("\n".join(line.rstrip() for line in board.plain.splitlines()))
    click.echo()
    click.echo(scenario_yaml(_scenario(tables, begin, told)), nl=False)


_WORDS = {"legal": "legal moves:", "state": "position:", "refused-roll": "the engine", "over": "position:", "places": "places:"}


def _last_position(table: Table, told: Told) -> tuple[Interpreter, State]:
    """The position before the last step, in which the difference shows."""
    from ludo_dsl.game.notation import read_move
    from ludo_dsl.interpreter import Interpreter

    engine = Interpreter(table)
    state = engine.start(told.first) if told.position is None else engine.read(told.position)
    for step in told.steps[:-1]:
        if isinstance(step, tuple):
            state = engine.roll(state, step).state
        else:
            state = engine.move(state, read_move(table, state, step, engine.legal(state))).state
    return engine, state


def _board(engine: Interpreter, pieces: tuple[tuple[int, ...], ...]) -> Text:
    from ludo_dsl.publish.draw import draw

    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return draw(engine.table, pieces, colour=coloured(), ascii_only=not unicode)


# ---- scenarios -------------------------------------------------------------------------------------------------------


def _scenario(tables: tuple[Table, Table], begin: str, told: Told) -> dict[str, Any]:
    """The scenario, with every reading named in which the two tables of one book differ, and the clauses of what differs."""
    from ludo_dsl.conformance.telling.search import scenario_of

    a, b = tables
    roles: dict[str, str] = {s.id: s.role for s in a.book.settings}
    unlike = [str(n) for n, v in a.choices if a.book.name == b.book.name and b.chosen.get(n) != v]
    readings: dict[str, object] = {str(n): v for n, v in a.choices if n in unlike and roles[n] == "reading"}
    named = unlike or _rules_apart(a, b, told)
    clauses = list(dict.fromkeys(c for n in named for c in a.book.clauses_of(n))) or named[:1] or ["setup"]
    title = f"{a.book.title} and {b.book.title} differ" if a.book.name != b.book.name else f"{', '.join(unlike)} decides this"
    return scenario_of(told, a, f"{a.book.name}/told/{begin}", title, clauses, readings)


def _rules_apart(a: Table, b: Table, told: Told) -> list[str]:
    """The rules whose statements differ: those that took part in the last step of A, or all where none did."""
    apart = sorted({s.id.rule for s in {*a.statements} ^ {*b.statements}})
    if not told.steps:
        return apart
    engine, state = _last_position(a, told)
    acted = _played(engine, state, told.steps[-1])
    return [name for name in apart if name in acted] or apart


def _played(engine: Interpreter, state: State, step: tuple[int, ...] | str) -> tuple[str, ...]:
    """The rules that take part in a step; none where the step is refused."""
    from ludo_dsl.game.errors import IllegalRollError
    from ludo_dsl.game.notation import read_move

    if isinstance(step, str):
        return engine.move(state, read_move(engine.table, state, step, engine.legal(state))).rules()
    try:
        return engine.roll(state, step).rules()
    except IllegalRollError:
        return ()


# ---- for programs ----------------------------------------------------------------------------------------------------


def _json(tables: tuple[Table, Table], found: Found, seed: int) -> dict[str, object]:
    from ludo_dsl.rules.table import shown_value

    return {
        "a": tables[0].book.name,
        "b": tables[1].book.name,
        "players": len(tables[0].players),
        "choices": [{str(name): shown_value(value) for name, value in t.changed().items()} for t in tables],
        "seed": seed,
        "complete": not _stopped(found),
        "found": {begin: _result(tables, begin, result) for begin, result in found.items()},
    }


def _result(tables: tuple[Table, Table], begin: str, result: Told | Bound) -> dict[str, object]:
    from ludo_dsl.conformance.telling.search import Told, scenario_yaml

    if not isinstance(result, Told):
        bound = {"pieces": result.pieces, "positions": result.positions, "depth": result.depth, "playouts": result.playouts}
        return {"told": False, "why": result.why, "bound": {**bound, "says": result.says()}}
    scenario = _scenario(tables, begin, result)
    return {
        "told": True,
        "position": result.position,
        "first": tables[0].players[result.first].name,
        "rolls": result.rolls,
        "moves": result.moves,
        "steps": [list(step) if isinstance(step, tuple) else step for step in result.steps],
        "difference": {"kind": result.difference.kind, "a": result.difference.a, "b": result.difference.b},
        "scenario": scenario,
        "yaml": scenario_yaml(scenario),
    }
