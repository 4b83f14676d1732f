"""A match with committed dice that is hosted step by step: a transcript for everybody, and beside it a file with the secret."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludo_dsl.game.errors import GameError
from ludo_dsl.game.state import Roll
from ludo_dsl.play.fairness import SECRET_BYTES, checked_text, commitment, fair_roll, new_secret, seeds_digest, terms_of
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.transcript import Writer
from ludo_dsl.play.verify import Report, verify
from ludo_dsl.rules.table import Table


def secret_path(path: Path) -> Path:
    """The file that holds the secret of a transcript while the match lasts."""
    return path.with_name(path.name + ".secret")


def begin(path: Path, table: Table, match: str) -> str:
    """Begins a transcript with a new secret, kept in a file that only its owner can read; the commitment.

    Raises:
        GameError: the table has no committed dice, the match id will not do, or there are such files already.
        OSError: the files cannot be written.
    """
    terms, secret = terms_of(table, match), new_secret()
    if path.exists():
        raise GameError(f"`{path}` exists already, and a transcript is never overwritten", "give another name")
    try:
        handle = os.open(secret_path(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise GameError(f"`{secret_path(path)}` exists already: another match is under way", "give another name") from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secret.hex() + "\n")
    fingerprint = commitment(secret, terms)
    Writer(path).match(terms, fingerprint)
    return fingerprint


@dataclass(frozen=True)
class Hosted:
    """A match under way: what its transcript says so far, and its secret."""

    path: Path
    report: Report
    secret: bytes

    def seed(self, player: str, seed: str) -> None:
        """Adds a player's contribution; raises `GameError` after the first roll and for unknown players."""
        if self.report.rolls:
            raise GameError("seeds are given before the first roll", "give it in the next match")
        self._writer.seed(self._known(player), checked_text(seed, "seed"))

    def roll(self, player: str, allowed: Sequence[int] | None = None) -> Roll:
        """Adds a player's roll; `allowed` are the faces that may come, where rules bar others."""
        terms, number = self.report.terms, len(self.report.rolls) + 1
        assert terms is not None
        known = [face for face, _ in terms.faces]
        odd = next((face for face in allowed or () if face not in known), None)
        if odd is not None:
            raise GameError(f"the dice have no face {odd}", "their faces are " + ", ".join(str(face) for face in known))
        few = None if allowed is None else [face for face in known if face in allowed]
        if few is not None and (not few or few == known):
            few = None
        faces = fair_roll(self.secret, terms, seeds_digest(self.report.seeds), number, few)
        self._writer.roll(number, self._known(player), faces, few)
        return faces

    def reveal(self) -> None:
        """Ends the transcript with the secret, and removes the file that held it."""
        self._writer.reveal(len(self.report.rolls), self.secret)
        secret_path(self.path).unlink()

    @property
    def _writer(self) -> Writer:
        return Writer(self.path, self.report.lines, self.report.link)

    def _known(self, player: str) -> str:
        assert self.report.terms is not None
        if player not in self.report.terms.players:
            raise GameError(f"nobody at this table is `{player}`", "the players are " + ", ".join(self.report.terms.players))
        return player


def resume(path: Path) -> Hosted:
    """A match under way, from its transcript and its secret.

    Raises:
        OSError: one of the two files cannot be read.
        RecordError: the transcript is damaged, or the secret is not its own.
        GameError: the match has ended.
    """
    data = path.read_bytes()
    report = verify(str(path), data)
    if report.secret is not None:
        raise GameError(f"the secret of `{path}` is revealed: the match has ended", "begin another with `ludo fairness new`")
    fault = report.fault
    if fault is not None and fault.line <= report.lines:
        raise RecordError(str(path), fault.line, fault.message, fault.hint)
    if not data.endswith(b"\n"):
        raise RecordError(str(path), report.lines, "the last line does not end", "take the line out: its roll comes again as it was")
    text = secret_path(path).read_text(encoding="ascii", errors="replace").strip()
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or report.terms is None or commitment(secret, report.terms) != report.commitment:
        raise RecordError(str(secret_path(path)), 0, "this is not the secret that the transcript commits to", "")
    return Hosted(path, report, secret)
