"""`ludo` as a process of its own: what it loads, pipes, Ctrl-C, closed streams, and the cache of the parser's tables."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludo_dsl.resources import spec_path

LUDO = [sys.executable, "-m", "ludo_dsl"]
START = "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and streams as POSIX has them")


def ludo(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LUDO, *args], capture_output=True, text=True, env={**os.environ, **more}, timeout=60, check=False)


def test_help_loads_nothing_that_takes_time() -> None:
    program = "import sys; from ludo_dsl.cli import run; run(['--help']); print(sorted(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(eval(answer.stdout.splitlines()[-1]))
    assert "click" in loaded
    assert not loaded & {"lark", "rich", "yaml", "ludo_dsl.rules", "ludo_dsl.check", "ludo_dsl.game", "ludo_dsl.interpreter"}


@POSIX
def test_help_answers_at_once() -> None:
    taken = []
    for _ in range(3):
        process = subprocess.Popen([*LUDO, "--help"], stdout=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        taken.append(used.ru_utime + used.ru_stime)
    assert min(taken) < 0.4


@POSIX
@pytest.mark.parametrize(
    "args",
    [["clauses"], ["clauses", "--json"], ["table", "parchis"], ["play", "card-kings", "--watch", "--seed", "1"]],
)
def test_whoever_reads_the_output_may_stop_reading(args: list[str]) -> None:
    process = subprocess.Popen([*LUDO, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 0


@POSIX
def test_closed_standard_input_is_told() -> None:
    for args, code in ((["check", "-"], 2), (["fmt", "-"], 2), (["play", "amarnepal", "--position", START], 0)):
        process = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *LUDO, *args], capture_output=True, text=True, timeout=60, check=False)
        assert process.returncode == code
        assert "Traceback" not in process.stderr
    assert f"stopped at {START}" in process.stdout


def _interrupted(args: list[str], after: str) -> tuple[int, str, str]:
    """Ctrl-C once a line of the output holds a text."""
    more = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([*LUDO, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=more)
    assert process.stdout
    heard = ""
    while after and after not in heard:
        heard += process.stdout.read(1)
    if not after:
        time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, heard + out, err


@POSIX
def test_ctrl_c_stops_a_game_and_tells_how_to_go_on() -> None:
    code, out, err = _interrupted(["play", "amarnepal", "--position", START], "Enter to roll")
    assert (code, err) == (130, "")
    assert f"stopped at {START}\n" in out
    assert "go on with: ludo play amarnepal" in out


@POSIX
def test_ctrl_c_during_a_simulation_reports_what_was_played() -> None:
    code, out, err = _interrupted(["simulate", "card-kings", "-n", "1000000", "--seed", "1", "--json"], "")
    found = json.loads(out)
    assert code == 130
    assert err.strip() == ""
    # On a very busy machine it may still have been loading.
    assert found.get("asked", 1_000_000) == 1_000_000
    assert found.get("games", 0) < 1_000_000


@POSIX
def test_ctrl_c_during_a_check_leaves_no_traceback() -> None:
    for wait in (0.2, 0.4):
        process = subprocess.Popen(
            [*LUDO, "check", "parchis", "qdan", "ludo-cities"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        # The interpreter of Python itself may still be starting, which is no matter of ours.
        if "ludo_dsl" in err or process.returncode == 130:
            assert (process.returncode, "Traceback" in err) == (130, False)


def test_no_colour_in_a_pipe_and_text_that_the_terminal_lacks() -> None:
    answer = ludo("play", "parchis", "--watch", "--seed", "1", "--option", "play-on=off", PYTHONIOENCODING="ascii")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "\x1b" not in answer.stdout


# ---- the cache of the parser's tables ---------------------------------------------------------------------------------


def _cache(folder: Path) -> list[Path]:
    return sorted(folder.glob("ludo-dsl-*/grammar-*"))


def _check(folder: Path) -> None:
    answer = ludo("fmt", "--check", str(spec_path("variants", "mensch.ludo")), TMPDIR=str(folder))
    assert (answer.returncode, answer.stderr) == (0, "")


@POSIX
def test_the_tables_are_kept_and_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    _check(tmp_path)
    (kept,) = _cache(tmp_path)
    whole = kept.read_bytes()
    assert kept.parent.stat().st_mode & 0o077 == 0
    stamp = kept.stat().st_mtime_ns
    _check(tmp_path)
    assert kept.stat().st_mtime_ns == stamp
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 255
    another = b"not the tables of this version"
    for bad in (b"", whole[: len(whole) // 2], bytes(changed), hashlib.sha256(another).digest() + another):
        kept.write_bytes(bad)
        _check(tmp_path)
        assert hashlib.sha256(kept.read_bytes()[32:]).digest() == kept.read_bytes()[:32]
        assert len(kept.read_bytes()) > len(whole) // 2


@POSIX
def test_several_processes_may_start_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(_check, [tmp_path] * 3))
    assert len(_cache(tmp_path)) == 1


@POSIX
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    folder = tmp_path / f"ludo-dsl-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    _check(tmp_path)
    assert _cache(tmp_path) == []
    folder.rmdir()
    folder.write_text("a file, not a folder", encoding="utf-8")
    _check(tmp_path)


@POSIX
def test_a_folder_that_cannot_be_written_to_is_no_matter(tmp_path: Path) -> None:
    folder = tmp_path / f"ludo-dsl-{os.getuid()}"
    folder.mkdir(mode=0o700)
    folder.chmod(0o500)
    _check(tmp_path)
    folder.chmod(0o700)
    # Where the superuser runs the tests, even this folder is written to; a folder in place of the file stops everybody.
    for path in folder.iterdir():
        path.unlink()
        path.mkdir()
    _check(tmp_path)
