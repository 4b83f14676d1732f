"""The layout of a rule book: lines with levels and comments in, text out. What the words mean is unknown here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

WIDEST = 120
"""Columns that a line may have before it is wrapped; comments and the strings of sentences do not count."""

INDENT = 2
"""Spaces for each level."""

_NO_SPACE_BEFORE = frozenset({",", ")", "]", ".."})
_NO_SPACE_AFTER = frozenset({"(", "[", ".."})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its `#`; the column where it stood (from 0), whether alone on its line, and below a blank line."""

    text: str
    column: int
    own_line: bool
    blank: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a punctuation mark.

    `boundary` is set where a line may be wrapped before the piece: how deep in its phrases that place lies, from 0, so that
    outer places can be preferred; `reluctant`, where this is done only if nothing else helps. `prose` marks a sentence,
    whose length counts for nothing, as it cannot be wrapped.
    """

    text: str
    boundary: int | None = None
    reluctant: bool = False
    prose: bool = False


@dataclass(slots=True)
class Line:
    """A line before wrapping: its level from 0, the column where it stood, and the comments above it and inside it.

    `blank` says that a blank line stood before it (and after its comments); `compact`, that it is a declaration which may
    follow another such declaration without one.
    """

    level: int
    column: int
    blank: bool
    compact: bool
    above: list[Comment]
    pieces: list[Piece] = field(default_factory=list)
    inside: list[Comment] = field(default_factory=list)

    def add(self, piece: Piece) -> None:
        """Append a piece."""
        self.pieces.append(piece)


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never broken: the text from one place for wrapping to the next, and the columns that it counts for."""

    text: str
    width: int
    boundary: int
    reluctant: bool


def write(lines: list[Line], after: list[Comment]) -> str:
    """The text of a rule book; `after` are the comments that follow its last line."""
    end = Line(0, 0, blank=False, compact=False, above=after)
    out: list[str] = []
    for index, line in enumerate([*lines, end]):
        before = lines[index - 1] if index else None
        nested = index + 1 < len(lines) and lines[index + 1].level > line.level
        trailing = _hoist(line)
        out += _above(line, before)
        out += _wrapped(line, INDENT * (2 if nested else 1))
        if trailing is not None:
            out[-1] += f"  {trailing.text}"
    # The imagined last line leaves a blank line behind where no comment comes before it.
    return "\n".join(out).rstrip("\n") + "\n"


def _hoist(line: Line) -> Comment | None:
    """Move the comments from inside a line above it, except a last one at the end of a line of text, which is returned."""
    trailing = line.inside.pop() if line.inside and not line.inside[-1].own_line else None
    for comment in line.inside:
        # The blank line that stood before the line now stands before the first of them.
        line.above.append(Comment(comment.text, line.column, own_line=True, blank=line.blank))
        line.blank = False
    line.inside.clear()
    return trailing


def _above(line: Line, before: Line | None) -> Iterator[str]:
    """The comments above a line, and the blank lines among them and before the line."""
    comments = list(line.above)
    if before is not None:
        # A comment indented like the line before it, and deeper than the next, still belongs to the former.
        while comments and before.level > line.level and before.column <= comments[0].column > line.column:
            yield " " * (INDENT * before.level) + comments.pop(0).text
    declares = line.level == 0
    forced = before is not None and not (line.compact and before.compact)
    for comment in comments:
        if declares and before is not None and (forced or comment.blank):
            yield ""
        yield " " * (INDENT * line.level) + comment.text
        forced = False
        before = line
    if declares and before is not None and (forced or line.blank):
        yield ""


def _wrapped(line: Line, hanging: int) -> Iterator[str]:
    """The line as text, wrapped at its outermost places, which continue `hanging` columns to the right, inner ones further."""
    atoms = _atoms(line.pieces)
    indent = INDENT * line.level
    broken: list[int] = []
    start = 0
    while start < len(atoms):
        end = start + _fitting(atoms, start, WIDEST - indent)
        yield " " * indent + " ".join(atom.text for atom in atoms[start:end])
        start = end
        if start < len(atoms):
            broken = [*(depth for depth in broken if depth < atoms[start].boundary), atoms[start].boundary]
            indent = INDENT * (line.level + len(broken) - 1) + hanging


def _fitting(atoms: list[_Atom], start: int, room: int) -> int:
    """How many atoms to write on a line with so much room: all that are left, or up to the outermost place in its second half."""
    fitting: list[tuple[int, int]] = []
    end = atoms[start].width
    for count in range(1, len(atoms) - start):
        if end > room:
            break
        fitting.append((count, end))
        end += 1 + atoms[start + count].width
    else:
        if end <= room or not fitting:
            return len(atoms) - start
    willing = [(count, end) for count, end in fitting if not atoms[start + count].reluctant]
    late = [(count, end) for count, end in willing if end >= room // 2]
    return min(late or willing or fitting or [(1, 0)], key=lambda place: (atoms[start + place[0]].boundary, -place[0]))[0]


def _atoms(pieces: list[Piece]) -> list[_Atom]:
    atoms: list[_Atom] = []
    group: list[Piece] = []
    for piece in pieces:
        if piece.boundary is not None:
            atoms.append(_atom(group))
            group = []
        group.append(piece)
    return [*atoms, _atom(group)] if group else atoms


def _atom(group: list[Piece]) -> _Atom:
    text = ""
    for before, piece in zip([None, *group], group):
        glued = before is None or piece.text in _NO_SPACE_BEFORE or before.text in _NO_SPACE_AFTER
        text += piece.text if glued else f" {piece.text}"
    width = len(text) - sum(len(piece.text) for piece in group if piece.prose)
    return _Atom(text, width, group[0].boundary or 0, group[0].reluctant)
