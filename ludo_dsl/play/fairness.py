"""Dice that can be proven: a commitment to a secret, and rolls that follow from it (`spec/language/fairness.md`)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.state import Roll
from ludo_dsl.rules.table import Table

SCHEME = "ludo-fairness-1"
SECRET_BYTES = 32
SPACE = 2**32
"""Numbers that one draw can give: 0 to `SPACE` - 1."""

LONGEST_TEXT = 200
"""Characters of a match id, a name or a seed."""

Seed = tuple[str, str]
"""A player's contribution: the player's name and the text that was given."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the first roll and bound by the commitment. `faces` are pairs of face and weight, in order."""

    match: str
    variant: str
    players: tuple[str, ...]
    count: int
    faces: tuple[tuple[int, int], ...]


def terms_of(table: Table, match: str) -> Terms:
    """The terms of a match at a table.

    Raises:
        GameError: the rule book deals its dice from shoes, or the match id is no short printable text.
    """
    dice = table.book.dice
    if dice.shoe is not None:
        hint = "`ludo fairness deal` checks a record of dealt dice"
        raise GameError(f"the dice of {table.book.title} are dealt from shoes; committed dice are independent", hint)
    return Terms(checked_text(match, "match id"), table.book.name, tuple(p.name for p in table.players), dice.count, dice.faces)


def checked_text(text: str, what: str) -> str:
    """The text, if it is short and printable; raises `GameError`."""
    if not text or len(text) > LONGEST_TEXT or not text.isprintable():
        raise GameError(f"the {what} is no text of 1 to {LONGEST_TEXT} printable characters", "choose another")
    return text


def new_secret() -> bytes:
    """A secret that nobody can guess, from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


# ---- the scheme --------------------------------------------------------------------------------------------------------


def framed(*fields: str | int | bytes) -> bytes:
    """Fields one after the other, each after its length, so that no two lists of fields give the same bytes.

    Texts are UTF-8, numbers 8 bytes, lengths 4 bytes, the most significant byte first.
    """
    found = bytearray()
    for field in fields:
        data = field.encode() if isinstance(field, str) else field.to_bytes(8, "big") if isinstance(field, int) else field
        found += len(data).to_bytes(4, "big") + data
    return bytes(found)


def commitment(secret: bytes, terms: Terms) -> str:
    """The fingerprint that is shown before the match: SHA-256 of the secret and the terms, as 64 hexadecimal digits."""
    numbers = [number for pair in terms.faces for number in pair]
    fields: list[str | int] = [terms.match, terms.variant, len(terms.players), *terms.players, terms.count, len(terms.faces), *numbers]
    return hashlib.sha256(framed(f"{SCHEME} commitment", secret, *fields)).hexdigest()


def seeds_digest(seeds: Sequence[Seed]) -> bytes:
    """What the contributions of the players come to in a draw, in the order in which they were given."""
    return hashlib.sha256(framed(f"{SCHEME} seeds", *(text for seed in seeds for text in seed))).digest()


def draw(secret: bytes, match: str, seeds: bytes, roll: int, die: int, attempt: int) -> int:
    """The number from 0 to `SPACE` - 1 that the secret gives; `roll`, `die` and `attempt` count from 1."""
    message = framed(f"{SCHEME} roll", match, seeds, roll, die, attempt)
    return int.from_bytes(hmac.digest(secret, message, "sha256")[:4], "big")


def face_of(number: int, faces: Sequence[tuple[int, int]], space: int = SPACE) -> int | None:
    """The face that a number stands for, by weight; none for the few numbers that would favour a face (draw again)."""
    total = sum(weight for _, weight in faces)
    if number >= space - space % total:
        return None
    rest = number % total
    for face, weight in faces:
        if rest < weight:
            return face
        rest -= weight
    raise AssertionError("weights add up to their total")


def fair_roll(secret: bytes, terms: Terms, seeds: bytes, roll: int, allowed: Sequence[int] | None = None) -> Roll:
    """The faces of a roll; `allowed` are the faces that may come, where rules bar others."""
    faces = [pair for pair in terms.faces if allowed is None or pair[0] in allowed]
    found = []
    for die in range(1, terms.count + 1):
        attempt, face = 0, None
        while face is None:
            attempt += 1
            face = face_of(draw(secret, terms.match, seeds, roll, die, attempt), faces)
        found.append(face)
    return tuple(found)
