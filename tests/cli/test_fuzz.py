"""`ludo fuzz`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from ludo_dsl.conformance.fuzzing import fuzzer as fuzzing
from ludo_dsl.conformance.scenarios.suite import read_scenarios
from ludo_dsl.conformance.talking.servant import Servant
from tests.cli.conftest import Ludo

HERE = f"py:{__name__}"


class Right(Servant):
    def __init__(self) -> None:
        super().__init__(["amarnepal"], None, ("set", "force", "legal"))


class NoBonusAtHome(Right):
    """After a piece has come home by anything but a six, the turn passes."""

    def answer(self, message: Any) -> dict[str, object]:
        answer = super().answer(message)
        if message["op"] == "move" and message["move"].endswith(">H") and "turn=red" in str(answer.get("position", "")):
            return super().answer({"op": "state"}) | {"op": "move", "id": message["id"], "position": self._passed(answer)}
        return answer

    @staticmethod
    def _passed(answer: dict[str, object]) -> str:
        words = str(answer["position"]).split()
        following = words[1].partition("=")[0]
        return " ".join(f"turn={following}" if w == "turn=red" else w for w in words if not w.startswith("rolled"))


class OwnDice(Servant):
    def __init__(self) -> None:
        super().__init__(["amarnepal"], None, ("set", "legal"))


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no board")


def test_no_difference(ludo: Ludo) -> None:
    answer = ludo("fuzz", f"{HERE}:Right", "--variant", "amarnepal", "--games", "6", "--seed", "2")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("ludo-dsl 0.1.0 plays amarnepal in step with the rules (seed 2)\n  played      6 games, ")
    assert "  readings    capture-pays=once (" in answer.out
    assert answer.out.endswith("no difference\n")


def test_a_difference(ludo: Ludo, tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"
    given = ("fuzz", f"{HERE}:NoBonusAtHome", "--variant", "amarnepal", "--players", "2", "--seed", "2")
    answer = ludo(*given, "--games", "60", "-o", str(file))
    assert answer.code == 1
    for part in (
        "another position after `move ",
        "\n  from        red=",
        "\n      ╭─ red ──",
        "\n  expected    red=",
        "AN-12: A token that gets into the centre earns another roll.",
        f"\nplay it again: ludo conform {HERE}:NoBonusAtHome --suite {file}",
    ):
        assert part in answer.out
    (scenario,) = read_scenarios(file)
    assert f"- id: {scenario.id}" in answer.out
    assert scenario.given is not None
    assert scenario.given.split()[1] == "yellow=Y,Y,Y,Y"  # Nobody else takes part.
    # The scenario fails on the engine, and the command that is printed finds it again.
    assert ludo("conform", f"{HERE}:NoBonusAtHome", "--suite", str(file)).code == 1
    assert ludo("conform", f"{HERE}:Right", "--suite", str(file)).code != 1
    again = next(line for line in answer.out.splitlines() if line.startswith("  again"))
    repeated = ludo(*shlex.split(again.removeprefix("  again       ludo ")))
    assert repeated.code == 1
    assert f"- id: {scenario.id}" in repeated.out


def test_json(ludo: Ludo) -> None:
    answer = ludo("fuzz", f"{HERE}:Right", "--variant", "amarnepal", "--games", "3", "--option", "one-leaves=on", "--json")
    found = answer.json("fuzz")
    assert answer.code == 0
    assert (found["games"], found["finding"], found["complete"]) == (3, None, True)
    assert all(t["options"]["one-leaves"] == "on" for t in found["tables"])
    answer = ludo("fuzz", f"{HERE}:NoBonusAtHome", "--variant", "amarnepal", "--games", "60", "--players", "2", "--json")
    found = answer.json("fuzz")
    assert answer.code == 1
    assert found["finding"]["kind"] == "position"
    assert found["again"].startswith(f"ludo fuzz {HERE}:NoBonusAtHome --variant amarnepal --players 2 --seed 0 --games ")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((f"{HERE}:Right",), 2, "missing option `--variant`"),
        ((f"{HERE}:Right", "--variant", "qdan"), 2, "does not say that it plays `qdan`"),
        ((f"{HERE}:Right", "--variant", "chess"), 3, "chess"),
        ((f"{HERE}:Right", "--variant", "amarnepal", "--option", "flying=on"), 2, "no option `flying`"),
        ((f"{HERE}:Right", "--variant", "amarnepal", "--players", "9"), 2, "not 9"),
        ((f"{HERE}:OwnDice", "--variant", "amarnepal"), 2, f"`ludo conform {HERE}:OwnDice --games 100`"),
        ((f"{HERE}:Broken", "--variant", "amarnepal"), 3, "cannot be made"),
        ((f"{HERE}:Nobody", "--variant", "amarnepal"), 3, "no class `Nobody`"),
        (("exec:./no-such-engine", "--variant", "amarnepal"), 3, "no-such-engine"),
    ],
)
def test_what_cannot_be_done(ludo: Ludo, args: tuple[str, ...], code: int, message: str) -> None:
    answer = ludo("fuzz", *args)
    assert answer.code == code
    assert message in answer.err
    assert answer.out == ""


def test_stopped(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzzing._Fuzzing, "_tell", interrupt)
    answer = ludo("fuzz", f"{HERE}:Right", "--variant", "amarnepal")
    assert answer.code == 130
    assert "  played      1 game, " in answer.out
    assert "no difference" not in answer.out
    assert answer.err == "stopped: this is what was found until then\n"
    answer = ludo("fuzz", f"{HERE}:Right", "--variant", "amarnepal", "--json")
    assert answer.code == 130
    assert answer.json("fuzz")["complete"] is False
