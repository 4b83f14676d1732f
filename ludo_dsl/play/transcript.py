"""Transcripts of committed dice: written line by line as the match goes on, and committed dice as a source of rolls."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.state import Roll
from ludo_dsl.play.fairness import SCHEME, Seed, Terms, checked_text, commitment, fair_roll, framed, seeds_digest
from ludo_dsl.play.records import undisturbed
from ludo_dsl.rules.table import Table

_BEFORE, _AFTER = b',"link":"', b'"}'
LINK_BYTES = len(_BEFORE) + 64 + len(_AFTER)


def link_after(before: str, body: bytes) -> str:
    """The link of a line: SHA-256 of the link before it (empty in the first line) and of the line up to its own link."""
    return hashlib.sha256(framed(f"{SCHEME} line", before, body)).hexdigest()


def split_link(line: bytes) -> tuple[bytes, str] | None:
    """What a line says and its link; none for a line that does not end in a link."""
    body, tail = line[:-LINK_BYTES], line[-LINK_BYTES:]
    if len(tail) < LINK_BYTES or not tail.startswith(_BEFORE) or not tail.endswith(_AFTER):
        return None
    return body, tail[len(_BEFORE) : -len(_AFTER)].decode("ascii", "replace")


class Writer:
    """Writes the lines of one transcript. Each line is with the operating system before the next thing happens.

    `lines` and `link` say how far the file has come.
    """

    def __init__(self, path: Path, lines: int = 0, link: str = "") -> None:
        self.path = path
        self._lines = lines
        self._link = link

    def write(self, content: Mapping[str, object]) -> None:
        """Adds a line; raises `OSError`, and `GameError` where the first line would go into a file that exists."""
        text = json.dumps({"line": self._lines + 1, **content}, separators=(",", ":"))
        body = text[:-1].encode()
        link = link_after(self._link, body)
        try:
            with self.path.open("ab" if self._lines else "xb") as file:
                file.write(body + _BEFORE + link.encode() + _AFTER + b"\n")
        except FileExistsError:
            raise GameError(f"`{self.path}` exists already, and a transcript is never overwritten", "give another name") from None
        self._lines, self._link = self._lines + 1, link

    def match(self, terms: Terms, fingerprint: str) -> None:
        """The first line: the terms and the commitment."""
        dice = {"count": terms.count, "faces": [list(pair) for pair in terms.faces]}
        shown = {"match": terms.match, "variant": terms.variant, "players": list(terms.players), "dice": dice}
        self.write({"kind": "match", "scheme": SCHEME, **shown, "commitment": fingerprint})

    def seed(self, player: str, seed: str) -> None:
        """A player's contribution."""
        self.write({"kind": "seed", "player": player, "seed": seed})

    def roll(self, number: int, player: str, faces: Roll, allowed: Sequence[int] | None = None) -> None:
        """A roll; `allowed` where not every face may come."""
        more = {} if allowed is None else {"allowed": list(allowed)}
        self.write({"kind": "roll", "roll": number, "player": player, "faces": list(faces), **more})

    def reveal(self, rolls: int, secret: bytes) -> None:
        """The last line: how many rolls there were, and the secret."""
        self.write({"kind": "secret", "rolls": rolls, "secret": secret.hex()})


class CommittedDice:
    """Dice whose rolls follow from a secret, written to a transcript as they fall; a `Source` for a match.

    The first line of the transcript, with the commitment, is written at once; then the seeds may be given; the first roll ends
    that.
    """

    def __init__(self, table: Table, terms: Terms, secret: bytes, path: Path | None = None) -> None:
        self.terms = terms
        self.commitment = commitment(secret, terms)
        self.rolls = 0
        self._secret = secret
        self._names = tuple(p.name for p in table.players)
        self._seeds: list[Seed] = []
        self._digest = seeds_digest(())
        self._revealed = False
        self._writer = Writer(path) if path is not None else None
        if self._writer:
            self._writer.match(terms, self.commitment)

    def seed(self, player: str, seed: str) -> None:
        """Takes in a player's contribution; raises `GameError` after the first roll, or where it is no short printable text."""
        if self.rolls:
            raise GameError("seeds are given before the first roll", "give it in the next match")
        self._seeds.append((player, checked_text(seed, "seed")))
        self._digest = seeds_digest(self._seeds)
        if self._writer:
            self._writer.seed(player, seed)

    def roll(self, player: int, allowed: tuple[int, ...]) -> Roll:
        """The next roll of a player, of faces that may come; raises `GameError` once the secret is revealed."""
        if self._revealed:
            raise GameError("the secret is revealed: whoever knows it knows every further roll", "begin a new match")
        number = self.rolls + 1
        few = allowed if len(allowed) < len(self.terms.faces) else None
        faces = fair_roll(self._secret, self.terms, self._digest, number, few)
        with undisturbed():
            self.rolls = number
            if self._writer:
                self._writer.roll(number, self._names[player], faces, few)
        return faces

    def reveal(self) -> bytes:
        """Shows the secret and ends the transcript; the secret."""
        if self._writer and not self._revealed:
            self._writer.reveal(self.rolls, self._secret)
        self._revealed = True
        return self._secret
