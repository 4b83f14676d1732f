"""Games that are watched: of engines that keep the rules, that read them otherwise, and that break one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.running.following import Follower, Seen
from ludo_dsl.conformance.running.settling import fault_clauses
from ludo_dsl.conformance.running.started import Setup, Started
from ludo_dsl.conformance.running.verdicts import Verdict
from ludo_dsl.conformance.running.watching import MOST_FAULTS, Findings, Seating, Watching
from ludo_dsl.conformance.scenarios.subjects import book_of, reference_for
from ludo_dsl.conformance.talking.endpoints import Connector, Limits
from ludo_dsl.conformance.talking.objects import ObjectEndpoint
from ludo_dsl.conformance.talking.servant import Servant
from ludo_dsl.play.game import RuleBook, load
from ludo_dsl.rules.table import make_table

TWO = Seating(2, ())
FOUR = Seating(4, ())
FORCE = ("force", "legal")


class Source(Started):
    """Engines that are made by a function."""

    def __init__(self, make: Any, able: Iterable[str]) -> None:
        super().__init__(Setup(Connector("py:tests:made"), Limits(), frozenset(able)))
        self.make = make

    def _open(self) -> ObjectEndpoint:
        return ObjectEndpoint(self.make)


def watched(
    make: Any, variant: str = "card-kings", able: Iterable[str] = FORCE, games: int = 2, known: Mapping[str, str] | None = None, **more: Any
) -> Findings:
    watch = Watching(book_of(variant), Source(make, able), frozenset(able), known or {}, seed=more.pop("seed", 1))
    for seating in more.pop("seatings", [TWO]):
        watch.table(seating, games)
    return watch.found


def house(folder: Path, changes: str, parent: str = "card-kings") -> RuleBook:
    """A rule book that says that it is its parent, and is not quite."""
    file = folder / "house.ludo"
    file.write_text(f'variant house "House" extends {parent}\n\n{changes}\n', encoding="utf-8")
    checked = load(file).checked
    return RuleBook(replace(checked, book=replace(checked.book, name=parent)))


# ---- engines that keep the rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("able", [("force", "legal"), ("force",), ("legal",), (), ("log",)])
def test_whatever_an_engine_can_do_its_games_are_followed(able: tuple[str, ...]) -> None:
    found = watched(lambda: Servant(["card-kings"], {}, able), able=able)
    assert (found.games, found.faults, found.troubles, found.readings) == (2, [], [], {})
    assert found.plies > 100
    # Rolling, coming out, moving, capturing, coming home, ending: none of it can be left out of a whole game.
    assert {"CK-05", "CK-06", "CK-11", "CK-14", "CK-15", "CK-03"} <= set(found.watched().clauses)


def test_the_seed_repeats_the_games() -> None:
    def games(seed: int) -> Findings:
        return watched(lambda: Servant(["card-kings"], {}, FORCE), games=1, seed=seed)

    assert games(1) == games(1)
    assert games(1).plies != games(2).plies


def test_a_table_that_is_not_offered_shows_nothing() -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        return {"op": "unsupported", "reason": "not here"}

    class Engine:
        def answer(self, said: dict[str, Any]) -> dict[str, Any]:
            return answer(said)

    found = watched(Engine)
    assert (found.games, found.faults, found.troubles) == (0, [], [])


# ---- engines that read the rules otherwise ---------------------------------------------------------------------------


def test_another_reading_is_found_out() -> None:
    found = watched(lambda: Servant(["card-kings"], {"unused": "fewest"}, FORCE))
    assert (found.readings, found.faults) == ({"unused": "fewest"}, [])
    (taken,) = found.taken()
    assert (taken.variant, taken.question, taken.value, taken.against) == ("card-kings", "unused", "fewest", ())


def test_two_other_readings_are_found_out_one_after_the_other() -> None:
    found = watched(
        lambda: Servant(["amarnepal"], {"capture-pays": "twice", "sixes": "in-turn"}, FORCE), "amarnepal", seatings=[FOUR], games=4
    )
    assert found.faults == []
    assert found.readings == {"capture-pays": "twice", "sixes": "in-turn"}


def test_a_reading_that_is_known_is_not_found_out_again() -> None:
    found = watched(lambda: Servant(["card-kings"], {"unused": "fewest"}, FORCE), known={"unused": "fewest"})
    assert (found.readings, found.faults) == ({}, [])


def test_an_engine_that_is_told_the_reading_must_take_it() -> None:
    class Deaf(Servant):
        """Claims that it can choose readings, and does not."""

        def answer(self, message: object) -> dict[str, object]:
            assert isinstance(message, dict)
            return super().answer({k: v for k, v in message.items() if k != "readings"})

    able = ("force", "legal", "readings")
    found = watched(lambda: Deaf(["card-kings"], {"unused": "fewest"}, able), able=able)
    assert found.readings == {}
    assert found.faults


# ---- engines that break a rule ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("able", [("force", "legal"), ("force",), ("legal",), ("log",)])
def test_a_broken_rule_is_a_fault_that_is_laid_to_its_clauses(tmp_path: Path, able: tuple[str, ...]) -> None:
    wrong = house(tmp_path, "drop rule capture-again")
    found = watched(lambda: Servant([wrong], {}, able), able=able, games=6)
    assert found.readings == {}
    blamed = fault_clauses(found.faults[0])
    # The first capture earns no roll. The log does not say so, and while dice are left nobody has to: it shows when somebody else rolls.
    assert able in (("log",), ("legal",)) or {"CK-11", "CK-12"} <= set(blamed)
    assert blamed
    assert not set(blamed) & set(found.watched().clauses)


def test_a_fault_tells_how_to_come_there(tmp_path: Path) -> None:
    wrong = house(tmp_path, "drop rule capture-again")
    fault = watched(lambda: Servant([wrong], {}, FORCE), games=4).faults[0]
    assert " seed " in fault
    assert "2 players, ply " in fault
    assert ": move " in fault
    assert " from red=" in fault
    assert "position red=" in fault
    assert "expected red=" in fault


class Lying(Servant):
    """An engine that answers one message otherwise than it should."""

    op = ""

    def __init__(self) -> None:
        super().__init__(["card-kings"], {}, FORCE)

    def answer(self, message: object) -> dict[str, object]:
        assert isinstance(message, dict)
        answer = super().answer(message)
        return self.lie(answer) if message["op"] == self.op else answer

    def lie(self, answer: dict[str, object]) -> dict[str, object]:
        raise NotImplementedError


class LeavesOut(Lying):
    op = "legal"

    def lie(self, answer: dict[str, object]) -> dict[str, object]:
        moves = str(answer["moves"]).split()
        return answer | {"moves": " ".join(moves[1:])} if len(moves) > 1 else answer


class AllowsAll(Lying):
    op = "move"
    at = ""

    def lie(self, answer: dict[str, object]) -> dict[str, object]:
        if answer["op"] == "illegal":
            answer = super().answer({"op": "state"}) | {"op": "move"}
        return answer


class LoserWins(Lying):
    op = "state"

    def lie(self, answer: dict[str, object]) -> dict[str, object]:
        swapped = str(answer.get("places", "")).translate(str.maketrans("12", "21"))
        return answer | {"places": swapped} if swapped else answer


class Forbids(Lying):
    op = "roll"

    def lie(self, answer: dict[str, object]) -> dict[str, object]:
        return {"op": "illegal", "reason": "no five"} if answer.get("values") == "5" else answer


@pytest.mark.parametrize(
    ("make", "says", "clause"),
    [
        # The first choice that there is to list: another step, or coming out. That is left out.
        (LeavesOut, "legal moves", "CK-09"),
        (AllowsAll, "is allowed", ""),
        (LoserWins, "places", "CK-15"),
        (Forbids, "roll 5 from", ""),
    ],
)
def test_lies_are_found(make: type[Lying], says: str, clause: str) -> None:
    found = watched(make, games=2)
    assert says in found.faults[0]
    assert fault_clauses(found.faults[0])
    assert not clause or clause in fault_clauses(found.faults[0])


def test_another_opening_is_laid_to_the_board_and_the_players(tmp_path: Path) -> None:
    book = book_of("card-kings")
    wrong = RuleBook(
        replace(
            load("card-kings").checked,
            book=replace(book, players=replace(book.players, setups=(replace(book.players.setups[0], in_yard=3, on_start=1),))),
        )
    )
    found = watched(lambda: Servant([wrong], {}, FORCE), games=1)
    assert "ply 0: the opening" in found.faults[0]
    ground = {c.clause for d in book.declarations if d.kind in ("board", "players") for c in d.citations}
    assert set(fault_clauses(found.faults[0])) == ground


def test_where_nothing_is_cited_rules_are_blamed_by_name(tmp_path: Path) -> None:
    wrong = house(tmp_path, "drop rule six-again", "mensch")
    found = watched(lambda: Servant([wrong], {}, FORCE), "mensch", games=1)
    assert "six-again" in fault_clauses(found.faults[0])


def test_after_so_many_faults_no_more_games_are_watched(tmp_path: Path) -> None:
    found = watched(LeavesOut, games=MOST_FAULTS + 3)
    assert (found.games, len(found.faults)) == (MOST_FAULTS, MOST_FAULTS)


# ---- trouble ---------------------------------------------------------------------------------------------------------


def test_trouble_ends_the_games_at_a_table_and_is_a_result() -> None:
    class Crashing(Lying):
        op = "move"

        def lie(self, answer: dict[str, object]) -> dict[str, object]:
            raise ZeroDivisionError("oh")

    found = watched(Crashing, seatings=[TWO, Seating(2, (("match", "one-round"),))], games=3)
    assert (found.games, found.faults) == (0, [])
    assert [(r.verdict, r.options) for r in found.troubles] == [(Verdict.CRASH, ()), (Verdict.CRASH, (("match", "one-round"),))]
    assert "ZeroDivisionError" in found.troubles[0].note
    assert len({r.id for r in found.troubles}) == 2


def test_rubbish_in_a_log_is_a_protocol_error() -> None:
    class Babbling(Servant):
        def __init__(self) -> None:
            super().__init__(["card-kings"], {}, ["log"])

        def answer(self, message: object) -> dict[str, object]:
            assert isinstance(message, dict)
            return {"op": "log", "log": "3 hello"} if message["op"] == "log" else super().answer(message)

    found = watched(Babbling, able=["log"])
    assert [r.verdict for r in found.troubles] == [Verdict.PROTOCOL_ERROR]
    assert "hello" in found.troubles[0].note


# ---- following -------------------------------------------------------------------------------------------------------


def test_a_game_is_followed_under_other_rules_from_its_opening() -> None:
    """A six earns its roll as it falls, and is remembered: it may become one of three."""
    book = book_of("amarnepal")
    row, turn = (reference_for(make_table(book, 2, {}, {"sixes": value})) for value in ("in-a-row", "in-turn"))
    at = "red={} yellow=Y,Y,Y,Y turn=red"
    seen = [
        Seen(position=at.format("Y,Y,Y,Y")),
        Seen(roll=(6,), position=at.format("Y,Y,Y,Y") + " pool=6 owed=1"),
        Seen(move="Y>0", position=at.format("0,Y,Y,Y") + " rolled=6"),
    ]
    follower = Follower(row, 0)
    assert [follower.follow(s) for s in seen] == [None, None, None]
    assert follower.become(turn, seen) is None
    assert Follower(turn, 0).become(row, seen) is None
    wrong = [*seen, Seen(roll=(3,), allowed=False, reason="no")]
    fault = Follower(row, 0).become(row, wrong)
    assert fault is not None
    assert fault.says() == "roll 3 from red=0,Y,Y,Y yellow=Y,Y,Y,Y turn=red rolled=6 is refused (no), and is legal"
