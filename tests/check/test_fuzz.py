"""The checker on broken input: whatever the text, it is checked or refused with diagnostics, soon and without much memory.

`LUDO_FUZZ=5000 pytest tests/check/test_fuzz.py` makes a long run.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludo_dsl.check.book import check
from ludo_dsl.diagnostics import RuleBookError, render
from ludo_dsl.resources import spec_path, variant_names
from ludo_dsl.syntax.parser import decode

EXAMPLES = int(os.environ.get("LUDO_FUZZ", "40"))
SECONDS = 5.0
MOST_MEMORY = 500 * 2**20

BOOKS = {name: spec_path("variants", f"{name}.ludo").read_text(encoding="utf-8") for name in variant_names()}
TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[\w-]+|\s+|[^\w\s]')
WORDS = sorted({token for text in BOOKS.values() for token in TOKEN.findall(text) if token.strip() and not token.startswith(('"', "#"))})

fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,  # `outcome` measures each check by itself
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)


def outcome(data: bytes) -> list[str]:
    """The codes that the checker reports, none if it finds nothing; any other exception fails the test."""
    began = time.process_time()
    try:
        found = check(decode("mine.ludo", data)).warnings
    except RuleBookError as error:
        found = error.diagnostics or pytest.fail("an error without a diagnostic")
    assert time.process_time() - began < SECONDS
    assert all(render(d) for d in found[:50])
    return [d.code for d in found]


# ---- mutated rule books ------------------------------------------------------------------------------------------------


def dropped(tokens: list[str], rng: random.Random) -> None:
    del tokens[rng.randrange(len(tokens))]


def doubled(tokens: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(tokens))
    tokens.insert(at, tokens[at])


def swapped(tokens: list[str], rng: random.Random) -> None:
    one, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[one], tokens[other] = tokens[other], tokens[one]


def replaced(tokens: list[str], rng: random.Random) -> None:
    """A word becomes another word of the rule books: mostly still well formed, and wrong further on."""
    at = rng.choice([i for i, t in enumerate(tokens) if re.fullmatch(r"[\w-]+", t)] or [0])
    same_kind = [w for w in WORDS if w.isdigit() == tokens[at].isdigit()]
    tokens[at] = rng.choice(same_kind)


def renumbered(tokens: list[str], rng: random.Random) -> None:
    at = rng.choice([i for i, t in enumerate(tokens) if t.isdigit()] or [0])
    tokens[at] = rng.choice(["0", "1", "2", "7", "13", "99", "100000", "9" * 30])


MUTATIONS: list[Callable[[list[str], random.Random], None]] = [dropped, doubled, swapped, replaced, replaced, renumbered]


@fuzzed
@given(name=st.sampled_from(sorted(BOOKS)), seed=st.integers(0, 2**32), count=st.integers(1, 6))
def test_tokens_lost_doubled_swapped_or_replaced(name: str, seed: int, count: int) -> None:
    rng = random.Random(seed)
    tokens = TOKEN.findall(BOOKS[name])
    for _ in range(count):
        rng.choice(MUTATIONS)(tokens, rng)
    outcome("".join(tokens).encode())


@fuzzed
@given(name=st.sampled_from(sorted(BOOKS)), seed=st.integers(0, 2**32), count=st.integers(1, 20))
def test_lines_lost_doubled_or_swapped(name: str, seed: int, count: int) -> None:
    rng = random.Random(seed)
    lines = BOOKS[name].splitlines(keepends=True)
    for _ in range(count):
        rng.choice([dropped, doubled, swapped])(lines, rng)
    outcome("".join(lines).encode())


@fuzzed
@given(name=st.sampled_from(sorted(BOOKS)), seed=st.integers(0, 2**32), count=st.integers(1, 8))
def test_bytes_corrupted(name: str, seed: int, count: int) -> None:
    rng = random.Random(seed)
    data = bytearray(BOOKS[name].encode())
    for _ in range(count):
        at = rng.randrange(len(data))
        data[at] = rng.randrange(256)
    outcome(bytes(data))


@fuzzed
@given(data=st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    assert outcome(data)


@fuzzed
@given(words=st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words_after_a_good_beginning(words: list[str]) -> None:
    outcome(f'variant mine "Mine" extends amarnepal\n\nrule mine\n  "Mine."\n  {" ".join(words)}\n'.encode())


# ---- fixed cases -------------------------------------------------------------------------------------------------------

HEAD = 'variant mine "Mine" extends amarnepal\n\nrule mine\n  "Mine."\n  may enter if '
QDAN = BOOKS["qdan"].encode()
MANY_RULES = 'variant mine "Mine" extends amarnepal\n' + "".join(f'rule r{i}\n  "A."\n  may enter if die = 6\n' for i in range(3000))
MANY_OPTIONS = 'variant mine "Mine" extends amarnepal\n' + "".join(
    f'option o{i} "O"\n  default off "Off"\n  choice on "On"\n    may enter if die = 5\n' for i in range(1500)
)
DEEP_LETS = 'variant mine "Mine" extends amarnepal\n' + "".join(f"let l{i} = not l{i + 1}\n" for i in range(300)) + "let l300 = captured\n"
DOUBLED_LETS = (
    'variant mine "Mine" extends amarnepal\nlet l0 = captured\n'
    + "".join(f"let l{i} = l{i - 1} and not l{i - 1}\n" for i in range(1, 40))
    + 'rule mine\n  "M."\n  when moved if l39\n    roll again\n'
)
WIDE_LETS = (
    'variant mine "Mine" extends amarnepal\nlet wide = '
    + " or ".join(["captured"] * 900)
    + '\nrule mine\n  "M."\n  when moved if '
    + " and ".join(["wide"] * 2000)
    + "\n    roll again\n"
)
UPWARD_LETS = (
    'variant mine "Mine" extends amarnepal\nlet l0 = captured\n'
    + "".join(f"let l{i} = not l{i - 1}\n" for i in range(1, 300))
    + 'rule mine\n  "M."\n'
    + "".join(f"  when moved if l{i}\n    roll again\n" for i in range(300))
)
MANY_LETS = 'variant mine "Mine" extends amarnepal\n' + "".join(f"let l{i} = l{i + 1} and l{i + 1}\n" for i in range(300))

FIXED = {
    "nothing": (b"", "L0106"),
    "only comments": (b"# nothing\n# at all\n", "L0106"),
    "only spaces": (b" \t\n\n", "L0106"),
    "NUL": (b'variant mine "Mi\x00ne"\n', "L0002"),
    "not UTF-8": (QDAN.replace(b"Qdan", b"Qd\xe4n"), "L0001"),
    "UTF-16": ('variant mine "Mine"\n'.encode("utf-16"), "L0001"),
    "10,000 brackets": ((HEAD + "(" * 10_000 + "die = 6" + ")" * 10_000).encode(), "L0105"),
    "10,000 open brackets": ((HEAD + "(" * 10_000).encode(), "L0102"),
    "10,000 nots": ((HEAD + "not " * 10_000 + "captured").encode(), "L0105"),
    "5,000 ors": ((HEAD + " or ".join(["die = 6"] * 5_000)).encode(), None),
    "5,000 terms": ((HEAD + " + ".join(["own out"] * 5_000) + " > 3").encode(), None),
    "10 MB on one line": (b"a" * 10_000_000, "L0003"),
    "10 MB in one sentence": (b'variant mine "' + b"a" * 10_000_000 + b'"', "L0003"),
    "a long line": (b'variant mine "' + b"a" * 200_000 + b'"\n', "L0405"),
    "a number of 100,000 digits": ((HEAD + "die = " + "9" * 100_000).encode(), "L0303"),
    "3,000 rules": (MANY_RULES.encode(), None),
    "1,500 options": (MANY_OPTIONS.encode(), None),
    "300 lets upon lets": (MANY_LETS.encode(), None),
    "lets that nest deeply": (DEEP_LETS.encode(), None),
    "lets that double": (DOUBLED_LETS.encode(), "L0208"),
    "a long let used often": (WIDE_LETS.encode(), "L0208"),
    "lets used from the bottom up": (UPWARD_LETS.encode(), "L0208"),
    "390 nots": ((HEAD + "not " * 390 + "(die = 6)").encode(), "L0105"),
    "45 brackets": ((HEAD + "(not " * 45 + "die = 6" + ")" * 45).encode(), None),
    "2,000 changes": (b'variant mine "Mine" extends amarnepal\n' + b"set capture-roll to off\n" * 2000, None),
    "a million players": (QDAN.replace(b"players 2..4", b"players 2..1000000"), "L0403"),
    "a board of a million arms": (QDAN.replace(b"arms 4,", b"arms 1000000,"), "L0411"),
    "a die of a million sides": (QDAN.replace(b"1 d6", b"1 d1000000"), None),
    "a million pieces": (QDAN.replace(b"pieces 4", b"pieces 999"), "L0411"),
}


@pytest.mark.parametrize("case", FIXED, ids=[name.replace(" ", "-") for name in FIXED])
def test_fixed_cases(case: str) -> None:
    data, code = FIXED[case]
    codes = outcome(data)
    if code is not None:
        assert code in codes


@pytest.mark.parametrize("case", ["10,000 brackets", "10,000 nots", "10 MB on one line", "300 lets upon lets", "a long line"])
def test_memory_stays_small(case: str) -> None:
    tracemalloc.start()
    try:
        with contextlib.suppress(RuleBookError):
            check(decode("mine.ludo", FIXED[case][0]))
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("old", "new"), [(b"\n", b"\r\n"), (b"\n", b"\r"), (b"variant qdan", b"\xef\xbb\xbfvariant qdan")])
def test_line_ends_and_byte_order_marks_mean_nothing(old: bytes, new: bytes) -> None:
    data = QDAN.replace(old, new)
    if new.startswith(b"\xef"):
        data = new[:3] + QDAN
    assert check(decode("qdan.ludo", data)).book == check(decode("qdan.ludo", QDAN)).book
