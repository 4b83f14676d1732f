"""Checking board, seats, sides and setups: every table that the rule book offers must be one that can be played at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludo_dsl.check.places import Places
from ludo_dsl.check.spots import head, of_kind, spot
from ludo_dsl.check.tables import Choices, Offer
from ludo_dsl.diagnostics import Diagnostic, suggestion
from ludo_dsl.rules.book import Book, Declaration, Setup, Sides
from ludo_dsl.rules.expressions import ALWAYS, BoardNumber, Expr, Number
from ludo_dsl.rules.folding import fold, walk
from ludo_dsl.source import Source, Span

MOST_SQUARES = 1000
"""Squares that a ring may have."""

MOST_PIECES = 16
"""Pieces that a colour may have."""

_LONGEST = 100


def check_board(book: Book, places: Places) -> list[Diagnostic]:
    """The faults of board, seats, sides and setups at every number of players and every choice that they hang on."""
    checker = _BoardChecker(book, places)
    checker.measures_stand_alone()
    if not checker.faults:
        checker.fixed_measures()
        checker.measures()
        checker.sides()
        checker.setups()
    return list(checker.faults.values())


class _BoardChecker:
    """Collects one fault for each thing that is wrong, with the first table at which it is."""

    def __init__(self, book: Book, places: Places) -> None:
        self.book = book
        self.places = places
        self.offer = Offer(book)
        self.faults: dict[tuple[str, str], Diagnostic] = {}

    # ---- measures ----------------------------------------------------------------------------------------------------

    def measures_stand_alone(self) -> None:
        """No measure hangs on another: they are all settled by players, options and readings (L0410)."""
        board, players, shoe = self.book.board, self.book.players, self.book.dice.shoe
        where: list[tuple[str, str, Iterable[Expr]]] = [
            ("board", "arms", [board.arms]),
            ("board", "arm", [board.arm]),
            *(("board", f"mark {name}", [expr]) for name, expr in board.marks),
            ("players", "sides", [s.condition for s in players.sides]),
            ("players", "pieces", [s.condition for s in players.setups]),
            ("dice", "shoe", [] if shoe is None else [shoe.sets, *(c for _, c in shoe.barred)]),
        ]
        for kind, phrase, exprs in where:
            for name in sorted({p.name for e in exprs for p in walk(e) if isinstance(p, BoardNumber)}):
                message = f"`{phrase}` cannot hang on `{name}`, which is itself a measure of the table"
                self._fault("L0410", kind, phrase, message, "let it hang on options, readings or `players`")

    def fixed_measures(self) -> None:
        """The measures that are the same at every table."""
        board = self.book.board
        if not 1 <= board.lane <= _LONGEST:
            self._fault("L0411", "board", f"lane {board.lane}", f"a lane of {board.lane} squares", f"a lane has 1 to {_LONGEST} squares")
        if board.approach > _LONGEST:
            phrase = f"approach {board.approach}"
            self._fault("L0411", "board", phrase, f"an approach of {board.approach} squares", f"an approach has up to {_LONGEST} squares")
        for count, seats in self.book.players.seats:
            if not self.book.players.low <= count <= self.book.players.high:
                message = f"seats for {count} players, but {self.book.players.low} to {self.book.players.high} can play"
                hint = "remove the line, or let so many play"
                self._fault("L0403", "players", f"for {count} {seats[0][0] if seats and seats[0] else ''}", message, hint)

    def measures(self) -> None:
        """Arms, lanes, turning, marks and seats at every table."""
        board = self.book.board
        for choices in self.offer.tables(board.arms, board.arm, *(expr for _, expr in board.marks)):
            arms, arm = self._number(board.arms, choices), self._number(board.arm, choices)
            if not self._size(arms, arm, choices):
                continue
            self._turning(arm, choices)
            self._marks(arm, choices)
            self._seats(arms, choices)

    def _size(self, arms: int, arm: int, choices: Choices) -> bool:
        note = choices.note(self.book.board.arms, self.book.board.arm)
        if arms < 1 or arm < 2:
            phrase, message = (
                ("arms", f"a board of {arms} arms") if arms < 1 else ("arm", f"an arm of {arm} square{'' if arm == 1 else 's'}")
            )
            self._fault("L0411", "board", phrase, message, "a board has at least 1 arm, and an arm at least 2 squares", note)
            return False
        if arms * arm > MOST_SQUARES:
            message = f"a track of {arms * arm} squares"
            self._fault("L0411", "board", "arm", message, f"a track has at most {MOST_SQUARES} squares", note)
            return False
        return True

    def _turning(self, arm: int, choices: Choices) -> None:
        board = self.book.board
        if not 0 <= board.turning < arm:
            message = f"the turning, {board.turning} squares before the start, is off the arm of {arm} squares"
            hint = f"give a number from 0 to {arm - 1}"
            self._fault("L0408", "board", f"turning {board.turning}", message, hint, choices.note(board.arm))
        room = (arm - 1) // 2
        # Lanes lead inward from the middle of each arm's end: longer ones would cross those of the neighbours.
        if board.lane > room and self._arms(choices) > 1:
            message = f"lanes of {board.lane} squares overlap: arms of {arm} squares leave room for {room}"
            hint = f"make the lanes shorter, or the arms at least {2 * board.lane + 1} squares long"
            self._fault("L0402", "board", f"lane {board.lane}", message, hint, choices.note(board.arms, board.arm))

    def _arms(self, choices: Choices) -> int:
        return self._number(self.book.board.arms, choices)

    def _marks(self, arm: int, choices: Choices) -> None:
        for name, expr in self.book.board.marks:
            at = self._number(expr, choices)
            if not 0 <= at < arm:
                message = f"the mark `{name}` at {at} is off the arm of {arm} squares"
                hint = f"squares of an arm are counted from its start square: give a number from 0 to {arm - 1}"
                self._fault("L0401", "board", f"mark {name}", message, hint, choices.note(self.book.board.arm, expr))

    def _seats(self, arms: int, choices: Choices) -> None:
        players = self.book.players
        seating = dict(players.seats).get(choices.players, ())
        seated = [colour for seat in seating for colour in seat]
        order = [name for name, _ in players.colours]
        phrase = f"for {choices.players}"
        if len(seated) > arms:
            message = f"{len(seated)} colours sit at a board of {arms} arms"
            self._fault("L0403", "players", phrase, message, "each colour needs an arm of its own", choices.note(self.book.board.arms))
        elif len(seated) < arms:
            for name in seated:
                if order.index(name) >= arms:
                    number = order.index(name) + 1
                    message = f"`{name}` is colour {number}, but the board has {arms} arms"
                    hint = f"seat colours among the first {arms}, or as many colours as the board has arms"
                    self._fault("L0403", "players", phrase, message, hint, choices.note(self.book.board.arms))

    # ---- sides and setups --------------------------------------------------------------------------------------------

    def sides(self) -> None:
        """At a table where sides hold, they are the players who sit there, each in one side (L0407)."""
        for number, sides in enumerate(self.book.players.sides):
            for choices in self.offer.tables(sides.condition):
                if fold(sides.condition, choices.known) == ALWAYS:
                    self._one_division(number, sides, choices)

    def _one_division(self, number: int, sides: Sides, choices: Choices) -> None:
        seating = dict(self.book.players.seats).get(choices.players, ())
        flat = [colour for group in sides.groups for colour in group]
        seated = {colour for seat in seating for colour in seat}
        for message, hint in _division_faults(sides, seating, flat, seated):
            self._fault("L0407", "players", "sides", message, hint, choices.note(sides.condition), number)

    def setups(self) -> None:
        """At every table exactly one setup holds (L0409), with a sensible number of pieces (L0411)."""
        setups = self.book.players.setups
        for number, setup in enumerate(setups):
            if not 1 <= setup.in_yard + setup.on_start <= MOST_PIECES:
                message = f"{setup.in_yard + setup.on_start} pieces of each colour"
                self._fault("L0411", "players", "pieces", message, f"a colour has 1 to {MOST_PIECES} pieces", "", number)
        for choices in self.offer.tables(*(s.condition for s in setups)):
            holding = [i for i, s in enumerate(setups) if fold(s.condition, choices.known) == ALWAYS]
            if len(holding) != 1:
                self._setup_fault(setups, holding, choices)

    def _setup_fault(self, setups: tuple[Setup, ...], holding: list[int], choices: Choices) -> None:
        if holding:
            message, hint = "two setups hold at one table", "let their conditions exclude each other"
        else:
            message, hint = "no setup holds at some table", "add a `pieces` line for it"
        self._fault(
            "L0409",
            "players",
            "pieces",
            message,
            hint,
            choices.note(*(s.condition for s in setups)),
            holding[1] if holding else len(setups) - 1,
        )

    # ---- small things ------------------------------------------------------------------------------------------------

    @staticmethod
    def _number(expr: Expr, choices: Choices) -> int:
        folded = fold(expr, choices.known)
        return folded.value if isinstance(folded, Number) else 0

    def _fault(self, code: str, kind: str, phrase: str, message: str, hint: str, note: str = "", number: int = 0) -> None:
        """Notes the fault, unless it is known from another table; the place is the phrase in the declaration."""
        key = (code, f"{phrase}/{number}")
        if key in self.faults:
            return
        declaration = of_kind(self.book, kind)
        source = self.places.source(declaration.file)
        self.faults[key] = Diagnostic(code, message + note, source, _place(source, declaration, phrase, number), hint)


def _place(source: Source, declaration: Declaration, phrase: str, number: int) -> Span:
    found = spot(source, declaration.span, phrase, number)
    return found if found != declaration.span else head(source, declaration)


def _division_faults(sides: Sides, seating: tuple[tuple[str, ...], ...], flat: list[str], seated: set[str]) -> Iterator[tuple[str, str]]:
    for colour in flat:
        if flat.count(colour) > 1:
            yield f"`{colour}` belongs to two sides", "name each colour once"
    missing = sorted(seated - set(flat))
    if missing:
        yield f"`{missing[0]}` plays on no side", "add it to a side, or let the sides hold at fewer tables"
    absent = sorted(set(flat) - seated)
    if absent:
        hint = suggestion(absent[0], seated, "colours at this table")
        yield f"`{absent[0]}` is on a side, but does not sit at this table", f"let the sides hold at fewer tables; {hint}"
    for seat in seating:
        if len({i for i, group in enumerate(sides.groups) for colour in seat if colour in group}) > 1:
            yield f"the colours of one player, {' and '.join(f'`{c}`' for c in seat)}, are on different sides", "keep them together"
