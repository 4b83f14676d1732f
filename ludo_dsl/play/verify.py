"""Verifying a transcript: every line in its place, every roll as the secret gives it; the first line that is wrong otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ludo_dsl.game.state import Roll
from ludo_dsl.play.fairness import LONGEST_TEXT, SCHEME, SECRET_BYTES, SPACE, Seed, Terms, commitment, fair_roll, seeds_digest
from ludo_dsl.play.record_error import RecordError
from ludo_dsl.play.transcript import link_after, split_link
from ludo_dsl.rules.book import Book
from ludo_dsl.rules.statements import NeverRoll

LARGEST = 64 * 2**20
"""Bytes of a transcript."""

MOST_DICE = 100
MOST_FACES = 1000

FaultKind = Literal["changed", "inserted", "dropped", "moved", "cut-short", "commitment", "roll", "terms"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What refutes a transcript: the line, counted from 1, and how."""

    line: int
    kind: FaultKind
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll as the transcript has it, and as the secret gives it (nothing: the secret is not known)."""

    line: int
    number: int
    player: str
    faces: Roll
    allowed: tuple[int, ...] | None
    computed: Roll | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a transcript says, and the first thing that is wrong with it (nothing: it is proven)."""

    terms: Terms | None
    commitment: str
    seeds: tuple[Seed, ...]
    rolls: tuple[RollLine, ...]
    secret: bytes | None
    fault: Fault | None
    lines: int
    link: str

    @property
    def proven(self) -> bool:
        """Whether every roll is the one that the secret gives."""
        return self.fault is None

    @property
    def restricted(self) -> int:
        """How many rolls could not show every face: that they could not is taken from the transcript."""
        return sum(roll.allowed is not None for roll in self.rolls)

    def as_json(self) -> dict[str, object]:
        """The report as plain data."""
        found: dict[str, object] = {"proven": self.proven}
        if self.terms is not None:
            found |= {"match": self.terms.match, "variant": self.terms.variant, "commitment": self.commitment}
        found |= {"seeds": [{"player": p, "seed": s} for p, s in self.seeds], "rolls": len(self.rolls), "restricted": self.restricted}
        if self.secret is not None:
            found["secret"] = self.secret.hex()
        if self.fault is not None:
            f = self.fault
            found["fault"] = {"line": f.line, "kind": f.kind, "message": f.message, "hint": f.hint}
        return found


def verify(name: str, data: bytes, noted: str | None = None, book: Book | None = None) -> Report:
    """Verifies a transcript, the bytes of a file of that name; `noted` is the commitment as somebody wrote it
    down before the match, `book` the variant's rule book.

    Raises:
        RecordError: the bytes are no transcript of this scheme at all.
    """
    if len(data) > LARGEST:
        raise RecordError(name, 0, f"a transcript holds {LARGEST // 2**20} MiB at most", "give the transcript of one match")
    lines = data.split(b"\n")
    ended = lines[-1] == b""
    if ended:
        lines.pop()
    found = [_parsed(line) for line in lines]
    if not any(content is not None and "kind" in content and "link" in content for content in found):
        raise RecordError(name, 0, "this is no transcript of committed dice", "a transcript is a file that `ludo fairness new` begins")
    fault = _first_break(lines, found, ended)
    if fault is None and found[0] is not None and found[0].get("kind") == "match" and found[0].get("scheme") != SCHEME:
        raise RecordError(name, 0, "this transcript follows another scheme", f"this version knows `{SCHEME}`")
    read = _Reading(found[: fault.line - 1] if fault else found)
    link = "" if fault else (split_link(lines[-1]) or (b"", ""))[1]
    report = read.report(len(lines), link)
    return _with(report, fault or read.fault or _judged(report, noted, book))


def _with(report: Report, fault: Fault | None) -> Report:
    return Report(report.terms, report.commitment, report.seeds, report.rolls, report.secret, fault, report.lines, report.link)


# ---- lines in their places ---------------------------------------------------------------------------------------------

Content = dict[str, object]


def _parsed(line: bytes) -> Content | None:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _first_break(lines: Sequence[bytes], found: Sequence[Content | None], ended: bool) -> Fault | None:
    """The first line that does not follow the line before it."""
    before = ""
    for index, line in enumerate(lines):
        if not _follows(line, before):
            return _broken(lines, found, index, before, ended)
        before = _link(line)
    return None


def _link(line: bytes) -> str:
    split = split_link(line)
    return split[1] if split else ""


def _follows(line: bytes, before: str) -> bool:
    split = split_link(line)
    return split is not None and link_after(before, split[0]) == split[1]


def _broken(lines: Sequence[bytes], found: Sequence[Content | None], index: int, before: str, ended: bool) -> Fault:
    """What happened to the line at an index, which does not follow the one before it."""
    number = index + 1
    content = found[index]
    if content is None and number == len(lines) and not ended:
        return Fault(number, "cut-short", f"the file is cut off within line {number}: the secret is missing", _ASK)
    if lines[index].endswith(b"\r") and _follows(lines[index][:-1], before):
        return Fault(
            number, "changed", "the line ends in a carriage return", "a tool has changed the line ends: take the file as it was sent"
        )
    later = range(index + 1, len(lines))
    if any(_follows(lines[i], before) for i in later):
        if lines[index] not in lines[index + 1 :] and any(_follows(lines[index], _link(lines[i])) for i in later):
            return Fault(number, "moved", f"line {number} is not in its place: lines have been put into another order", _ASK)
        return Fault(number, "inserted", f"line {number} was put in: the line that belongs here comes later", _ASK)
    claimed = content.get("line") if content is not None else None
    if isinstance(claimed, int) and claimed > number and _goes_on(found, index, claimed):
        gone = f"line {number} is missing" if claimed == number + 1 else f"lines {number} to {claimed - 1} are missing"
        return Fault(number, "dropped", f"{gone}: what stands here is line {claimed} of the transcript", _ASK)
    return Fault(number, "changed", f"line {number} was changed: it does not fit its own link", _ASK)


_ASK = "ask for the file as the server wrote it"


def _goes_on(found: Sequence[Content | None], index: int, claimed: int) -> bool:
    """Whether the line after the one at an index counts on from the number that this one claims."""
    after = found[index + 1] if index + 1 < len(found) else None
    return after is None or after.get("line") == claimed + 1


# ---- what the lines say ------------------------------------------------------------------------------------------------


class _WrongError(Exception):
    """A line that fits its link and says something that no transcript says."""


class _Reading:
    """What the lines say, up to the first that says something impossible."""

    def __init__(self, lines: Sequence[Content | None]) -> None:
        self.terms: Terms | None = None
        self.commitment = ""
        self.seeds: list[Seed] = []
        self.rolls: list[RollLine] = []
        self.secret: bytes | None = None
        self.fault: Fault | None = None
        self.length = len(lines)
        for number, content in enumerate(lines, 1):
            try:
                self._take(number, content or {})
            except _WrongError as wrong:
                self.fault = Fault(number, "changed", str(wrong), "no transcript has such a line: the server wrote it wrong")
                return

    def report(self, lines: int, link: str) -> Report:
        """What was read, with the rolls recomputed where the secret is known."""
        rolls = tuple(self.rolls)
        if self.secret is not None and self.terms is not None:
            digest = seeds_digest(self.seeds)
            rolls = tuple(
                RollLine(r.line, r.number, r.player, r.faces, r.allowed, fair_roll(self.secret, self.terms, digest, r.number, r.allowed))
                for r in rolls
            )
        return Report(self.terms, self.commitment, tuple(self.seeds), rolls, self.secret, self.fault, lines, link)

    def _take(self, number: int, content: Content) -> None:
        if not _equals(content.get("line"), number):
            raise _WrongError(f"line {number} is numbered {_shown(content.get('line'))}")
        kind = content.get("kind")
        if (kind == "match") != (number == 1):
            raise _WrongError("the first line, and no other, is that of the match")
        if self.secret is not None:
            raise _WrongError("something follows the secret, which ends a transcript")
        match kind:
            case "match":
                self._match(content)
            case "seed":
                _only(content, "player", "seed")
                if self.rolls:
                    raise _WrongError("a seed is given after the first roll")
                self.seeds.append((self._player(content), _text(content, "seed")))
            case "roll":
                self._roll(number, content)
            case "secret":
                _only(content, "rolls", "secret")
                if not _equals(content.get("rolls"), len(self.rolls)):
                    raise _WrongError(f"there are {len(self.rolls)} rolls, and the last line counts {_shown(content.get('rolls'))}")
                self.secret = bytes.fromhex(_hexadecimal(content, "secret"))
            case _:
                raise _WrongError(f"there is no kind of line {_shown(kind)}")

    def _match(self, content: Content) -> None:
        _only(content, "scheme", "match", "variant", "players", "dice", "commitment")
        players, dice = content.get("players"), content.get("dice")
        if not isinstance(players, list) or not players or not all(_is_text(player) for player in players):
            raise _WrongError("`players` is no list of names")
        if not isinstance(dice, dict) or set(dice) != {"count", "faces"}:
            raise _WrongError("`dice` has not a count and faces")
        faces = dice["faces"]
        if not isinstance(faces, list) or not 0 < len(faces) <= MOST_FACES or not all(_is_pair(pair) for pair in faces):
            raise _WrongError("`faces` is no list of faces and weights")
        if len({face for face, _ in faces}) < len(faces) or sum(weight for _, weight in faces) > SPACE:
            raise _WrongError("a face is named twice, or the weights add up to too much")
        if not _is_count(dice["count"]) or dice["count"] > MOST_DICE:
            raise _WrongError(f"`count` is no number of dice from 1 to {MOST_DICE}")
        shown = tuple((face, weight) for face, weight in faces)
        self.terms = Terms(_text(content, "match"), _text(content, "variant"), tuple(players), dice["count"], shown)
        self.commitment = _hexadecimal(content, "commitment")

    def _player(self, content: Content) -> str:
        assert self.terms is not None
        player = content.get("player")
        if not isinstance(player, str) or player not in self.terms.players:
            raise _WrongError(f"nobody at this table is {_shown(player)}")
        return player

    def _roll(self, number: int, content: Content) -> None:
        assert self.terms is not None
        _only(content, "roll", "player", "faces", *(["allowed"] if "allowed" in content else []))
        if not _equals(content.get("roll"), len(self.rolls) + 1):
            raise _WrongError(f"roll {len(self.rolls) + 1} is due, not roll {_shown(content.get('roll'))}")
        known = [face for face, _ in self.terms.faces]
        faces, allowed = content.get("faces"), content.get("allowed", known)
        if not isinstance(faces, list) or len(faces) != self.terms.count or not all(_is_count(f) and f in known for f in faces):
            raise _WrongError(f"`faces` is no roll of {self.terms.count} of the dice")
        if not isinstance(allowed, list) or not allowed or allowed != [face for face in known if face in allowed]:
            raise _WrongError("`allowed` is no choice of faces in the order of the dice")
        few = tuple(allowed) if "allowed" in content else None
        self.rolls.append(RollLine(number, len(self.rolls) + 1, self._player(content), tuple(faces), few))


def _only(content: Content, *names: str) -> None:
    if set(content) != {"line", "kind", "link", *names}:
        odd = sorted(set(content) ^ {"line", "kind", "link", *names})
        raise _WrongError(f"{_shown(odd[0])} is {'missing' if odd[0] in names else 'no part of such a line'}")


def _text(content: Content, name: str) -> str:
    text = content.get(name)
    if not isinstance(text, str) or not _is_text(text):
        raise _WrongError(f"`{name}` is no short text")
    return text


def _hexadecimal(content: Content, name: str) -> str:
    text = content.get(name)
    if not isinstance(text, str) or len(text) != 2 * SECRET_BYTES or set(text) - set("0123456789abcdef"):
        raise _WrongError(f"`{name}` is not 64 hexadecimal digits")
    return text


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and value.isprintable()


def _equals(value: object, number: int) -> bool:
    """Whether a value is that whole number, and neither true nor 1.0."""
    return type(value) is int and value == number


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= SPACE


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_count(number) for number in value)


def _shown(value: object) -> str:
    text = str(value)
    return f"`{text if len(text) <= 40 else text[:40] + '…'}`"


# ---- what follows from the secret --------------------------------------------------------------------------------------


def _judged(report: Report, noted: str | None, book: Book | None) -> Fault | None:
    """What the lines, each of them in its place, are refuted by."""
    assert report.terms is not None
    if noted is not None and noted.strip().lower() != report.commitment:
        return Fault(1, "commitment", "the commitment is not the one that was noted before the match", "another match, or another secret")
    if report.secret is None:
        line = report.lines + 1
        return Fault(line, "cut-short", f"the transcript ends after line {report.lines}, without the secret", "nothing is proven before it")
    wrong = next((r for r in report.rolls if r.computed != r.faces), None)
    if commitment(report.secret, report.terms) != report.commitment:
        if report.rolls and wrong is None:
            hint = "the rolls follow from the secret: the first line was changed"
            return Fault(1, "commitment", "the commitment does not fit the secret and what was agreed", hint)
        message = "the secret is not the one that the first line commits to"
        return Fault(report.lines, "commitment", message, "the server revealed another secret, or changed the first line")
    if wrong is not None:
        assert wrong.computed is not None
        message = f"roll {wrong.number} of {wrong.player} shows {_dice(wrong.faces)}, and the secret gives {_dice(wrong.computed)}"
        return Fault(wrong.line, "roll", message, "the server did not show the roll that it had committed to")
    return _against(report, book) if book is not None else None


def _against(report: Report, book: Book) -> Fault | None:
    """Whether the dice of a transcript are those of the rule book, and faces are barred only where a rule can bar them."""
    assert report.terms is not None
    if (book.dice.count, book.dice.faces) != (report.terms.count, report.terms.faces):
        return Fault(1, "terms", f"these are not the dice of {book.title}", "the match was played with other dice")
    barred = {s.face for s in book.statements if isinstance(s, NeverRoll)}
    for roll in report.rolls:
        kept = roll.allowed if roll.allowed is not None else [face for face, _ in book.dice.faces]
        odd = next((face for face, _ in book.dice.faces if face not in kept and face not in barred), None)
        if odd is not None:
            return Fault(
                roll.line, "terms", f"no rule of {book.title} ever keeps a {odd} from coming", "the roll was restricted without a rule"
            )
    return None


def _dice(faces: Roll) -> str:
    return " and ".join(str(face) for face in faces)
