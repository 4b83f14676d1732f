"""The fairness page: one file that shows every roll of a match recomputed, and recomputes them in the reader's browser."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template


@dataclass(frozen=True, slots=True)
class PageRoll:
    """A roll on the page: its line, number and player, the faces shown and computed, the faces that could come if not all."""

    line: int
    number: int
    player: str
    faces: tuple[int, ...]
    computed: tuple[int, ...] | None
    allowed: tuple[int, ...] | None


def page(
    title: str, commitment: str, seeds: Sequence[tuple[str, str]], rolls: Sequence[PageRoll], fault: str | None, transcript: str
) -> str:
    """The page: a whole HTML document that needs nothing else. `fault` says what refutes the transcript, if anything does."""
    template = Template(resources.files(__package__).joinpath("fairness.html").read_text(encoding="utf-8"))
    verdict = f"Not proven. {fault}" if fault else f"Proven: every roll is the one that the secret gives ({len(rolls)} rolls)."
    return template.substitute(
        title=html.escape(title),
        commitment=html.escape(commitment or "none"),
        verdict=html.escape(verdict),
        state="bad" if fault else "good",
        seeds="".join(f"<li>{html.escape(player)}: {html.escape(seed)}</li>" for player, seed in seeds) or "<li>none</li>",
        rolls="\n".join(_row(roll) for roll in rolls),
        # A script element ends at `</`, whatever stands around it.
        transcript=json.dumps(transcript).replace("<", "\\u003c"),
    )


def _row(roll: PageRoll) -> str:
    computed = _faces(roll.computed) if roll.computed is not None else "not known"
    same = roll.computed == roll.faces
    state = "good" if same else "bad"
    few = f" <small>of {_faces(roll.allowed)}</small>" if roll.allowed is not None else ""
    cells = f"<td>{roll.number}</td><td>{html.escape(roll.player)}</td><td>{_faces(roll.faces)}{few}</td><td>{computed}</td>"
    return f'<tr id="line-{roll.line}" class="{state}">{cells}<td>{"yes" if same else "no"}</td></tr>'


def _faces(faces: tuple[int, ...]) -> str:
    return ", ".join(str(face) for face in faces)
