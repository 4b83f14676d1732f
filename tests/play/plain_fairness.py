"""The scheme of `spec/language/fairness.md` a second time, plainly and from its text alone; it also made the published vectors.

python -m tests.play.plain_fairness   # prints conformance/fairness/vectors.json
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from typing import Any

NAME = "ludo-fairness-1"


def frame(*fields: str | int | bytes) -> bytes:
    out = b""
    for field in fields:
        if isinstance(field, int):
            field = struct.pack(">Q", field)
        elif isinstance(field, str):
            field = field.encode("utf-8")
        out += struct.pack(">I", len(field)) + field
    return out


def sha(*fields: str | int | bytes) -> str:
    return hashlib.sha256(frame(*fields)).hexdigest()


def commitment(secret: str, t: dict[str, Any]) -> str:
    dice = t["dice"]
    flat = [number for pair in dice["faces"] for number in pair]
    agreed = [t["match"], t["variant"], len(t["players"]), *t["players"], dice["count"], len(dice["faces"]), *flat]
    return sha(NAME + " commitment", bytes.fromhex(secret), *agreed)


def seeds(given: list[list[str]]) -> str:
    return sha(NAME + " seeds", *[text for pair in given for text in pair])


def message(match: str, given: list[list[str]], roll: int, die: int, attempt: int) -> bytes:
    return frame(NAME + " roll", match, bytes.fromhex(seeds(given)), roll, die, attempt)


def mac(secret: str, text: bytes) -> str:
    return hmac.new(bytes.fromhex(secret), text, hashlib.sha256).hexdigest()


def face(number: int, faces: list[list[int]]) -> int | None:
    remainders = [shown for shown, weight in faces for _ in range(weight)] if sum(w for _, w in faces) < 1000 else None
    total = sum(weight for _, weight in faces)
    if number >= 2**32 - 2**32 % total:
        return None
    if remainders is not None:
        return remainders[number % total]
    below = 0
    for shown, weight in faces:
        below += weight
        if number % total < below:
            return shown
    return None


def roll(
    secret: str, t: dict[str, Any], given: list[list[str]], number: int, allowed: list[int] | None = None
) -> tuple[list[int], list[int]]:
    """The faces of a roll and the attempts that each die took."""
    faces = [pair for pair in t["dice"]["faces"] if allowed is None or pair[0] in allowed]
    shown, attempts = [], []
    for die in range(1, t["dice"]["count"] + 1):
        for attempt in range(1, 1000):
            found = face(int(mac(secret, message(t["match"], given, number, die, attempt))[:8], 16), faces)
            if found is not None:
                shown.append(found)
                attempts.append(attempt)
                break
    return shown, attempts


def transcript(secret: str, t: dict[str, Any], given: list[list[str]], players: list[str]) -> list[str]:
    says: list[dict[str, Any]] = [{"kind": "match", "scheme": NAME, **t, "commitment": commitment(secret, t)}]
    says += [{"kind": "seed", "player": player, "seed": text} for player, text in given]
    says += [{"kind": "roll", "roll": n, "player": p, "faces": roll(secret, t, given, n)[0]} for n, p in enumerate(players, 1)]
    says.append({"kind": "secret", "rolls": len(players), "secret": secret})
    lines: list[str] = []
    link = ""
    for number, content in enumerate(says, 1):
        body = json.dumps({"line": number, **content}, separators=(",", ":"))[:-1]
        link = sha(NAME + " line", link, body)
        lines.append(f'{body},"link":"{link}"}}')
    return lines


CUBE = [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1]]
COWRIES = [[25, 1], [10, 6], [2, 15], [3, 20], [4, 15], [5, 6], [6, 1]]
UNEVEN = [[1, 2**31], [2, 2**30 + 1]]
COUNTED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
OTHER = hashlib.sha256(b"another secret for the vectors").hexdigest()
TWO = {"match": "evening-1", "variant": "ludo-cities", "players": ["red", "green"], "dice": {"count": 2, "faces": CUBE}}
SHELLS = {"match": "Märchen №7", "variant": "pachisi", "players": ["red", "yellow"], "dice": {"count": 1, "faces": COWRIES}}
LOADED = {"match": "uneven", "variant": "mine", "players": ["red"], "dice": {"count": 3, "faces": UNEVEN}}
GIVEN = [["red", "blue moon"], ["green", "žluťoučký kůň"]]


def vectors() -> dict[str, Any]:
    cases: list[tuple[str, dict[str, Any], list[list[str]], int, list[int] | None]] = [
        *((COUNTED, TWO, [], n, None) for n in (1, 2, 3)),
        *((COUNTED, TWO, GIVEN, n, None) for n in (1, 2, 1_000_000)),
        *((OTHER, SHELLS, [["red", "x"]], n, None) for n in (1, 2, 3, 4)),
        (OTHER, SHELLS, [], 1, [2, 3, 4, 5, 6]),
        *((OTHER, LOADED, [], n, None) for n in (1, 2, 3, 4, 5)),
    ]
    rolls = []
    for secret, t, given, n, allowed in cases:
        shown, attempts = roll(secret, t, given, n, allowed)
        more = {} if allowed is None else {"allowed": allowed}
        rolls.append({"secret": secret, "terms": t, "seeds": given, "roll": n, **more, "faces": shown, "attempts": attempts})
    draws = []
    for secret, match, given, at in (
        (COUNTED, "evening-1", [], (1, 1, 1)),
        (COUNTED, "evening-1", GIVEN, (2, 2, 1)),
        (OTHER, "Märchen №7", [], (3, 1, 2)),
    ):
        text = message(match, given, *at)
        code = mac(secret, text)
        place = dict(zip(("roll", "die", "attempt"), at, strict=True))
        number = int(code[:8], 16)
        draws.append({"secret": secret, "match": match, "seeds": given, **place, "message": text.hex(), "hmac": code, "number": number})
    top = 2**32
    faces = [
        (CUBE, 0), (CUBE, 5), (CUBE, 6), (CUBE, top - 5), (CUBE, top - 4), (CUBE, top - 1),
        (COWRIES, 0), (COWRIES, 1), (COWRIES, 6), (COWRIES, 7), (COWRIES, 22), (COWRIES, 63), (COWRIES, top - 1),
        (UNEVEN, 2**31 - 1), (UNEVEN, 2**31), (UNEVEN, 2**31 + 2**30), (UNEVEN, 2**31 + 2**30 + 1),
    ]  # fmt: skip
    return {
        "scheme": NAME,
        "frames": [
            {"fields": ["ab", "c"], "hex": frame("ab", "c").hex()},
            {"fields": ["a", "bc"], "hex": frame("a", "bc").hex()},
            {"fields": ["ü", 258], "hex": frame("ü", 258).hex()},
        ],
        "commitments": [{"secret": s, "terms": t, "commitment": commitment(s, t)} for s, t in ((COUNTED, TWO), (OTHER, SHELLS))],
        "seeds": [{"seeds": given, "digest": seeds(given)} for given in ([], GIVEN)],
        "draws": draws,
        "faces": [{"faces": f, "number": n, "face": face(n, f)} for f, n in faces],
        "rolls": rolls,
        "transcript": transcript(COUNTED, TWO, GIVEN, ["red", "red", "green", "red", "green"]),
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), ensure_ascii=False, indent=1))
