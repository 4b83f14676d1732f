"""A badge: the fraction of clauses that are kept, as a picture, or as what shields.io draws one from."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ludo_dsl.conformance.reports.files import save
from ludo_dsl.conformance.reports.words import fraction, variant_name, variants_of
from ludo_dsl.conformance.running.verdicts import Run, Standing

ENDINGS = (".svg", ".json")
"""What the name of a badge may end in."""

_GREEN, _YELLOW_GREEN, _YELLOW, _RED, _GREY = "brightgreen", "yellowgreen", "yellow", "red", "lightgrey"
_PAINT = {_GREEN: "#2f8a1c", _YELLOW_GREEN: "#69770f", _YELLOW: "#8f6b00", _RED: "#c4361f", _GREY: "#6b6b6b"}
"""Darker than shields' own, so that white letters can be read on all of them."""

_WIDE = {
    "ijl'|!": 3.1,
    " f.,:;": 3.9,
    "rtI-()[]/\\": 4.7,
    'csz"': 5.75,
    "kvxy": 6.5,
    "0123456789": 7.0,
    "w%@": 9.2,
    "mMW": 10.6,
}
_LETTER, _CAPITAL, _BROAD = 6.8, 7.7, 11.0
"""Widths of characters in Verdana at 11 pixels: those above, other letters, capitals, and those of far-off scripts."""


def write_badge(run: Run, path: Path) -> None:
    """Writes a badge: `.svg` is a picture, `.json` the answer of an endpoint for shields.io.

    Raises:
        ValueError: the name ends otherwise.
        OSError: the file cannot be written.
    """
    if path.name.endswith(".svg"):
        save(path, badge_svg(run).encode("utf-8", "backslashreplace"))
    elif path.name.endswith(".json"):
        save(path, (json.dumps(badge_json(run)) + "\n").encode("ascii"))
    else:
        raise ValueError(f"the name of a badge ends in {' or '.join(ENDINGS)}")


def label(run: Run) -> str:
    """What the badge is about."""
    variants = variants_of(run)
    return f"ludo {variant_name(variants[0])[:40]}" if len(variants) == 1 else "ludo rules"


def message(run: Run) -> str:
    """The fraction of clauses kept, and what keeps the run from standing for all of them."""
    counts = run.counts()
    total = sum(counts.values())
    words = [f"{counts[Standing.KEPT]}/{total} clauses" if total else "nothing shown"]
    broken = counts[Standing.BROKEN]
    words += [f"{broken} broken"] if broken else []
    words += ["incomplete"] if not run.complete else []
    words += ["in part"] if run.complete and (run.scope or run.shard) else []
    return ", ".join(words)


def colour(run: Run) -> str:
    """The colour, by the names of shields.io: only an engine that conforms is green."""
    if run.exit_code == 1:
        return _RED
    if run.exit_code == 2 or run.scope or run.shard:
        return _YELLOW if run.clauses else _GREY
    return _YELLOW_GREEN if run.counts()[Standing.KNOWN] else _GREEN


def badge_json(run: Run) -> dict[str, object]:
    """What an endpoint for shields.io answers."""
    return {"schemaVersion": 1, "label": label(run), "message": message(run), "color": colour(run)}


def badge_svg(run: Run) -> str:
    """The badge as a picture, without fonts of its own: every text is stretched to the width that it was given."""
    left, right = label(run), message(run)
    lw, rw = _width(left), _width(right)
    a, b = lw + 12, rw + 12
    title = quoteattr(f"{left}: {fraction(run)}")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{a + b}" height="20" viewBox="0 0 {a + b} 20" role="img" aria-label={title}>',
            f"<title>{escape(f'{left}: {fraction(run)}')}</title>",
            f'<clipPath id="r{a}-{b}"><rect width="{a + b}" height="20" rx="3"/></clipPath>',
            f'<g clip-path="url(#r{a}-{b})">',
            f'<rect width="{a}" height="20" fill="#444"/>',
            f'<rect x="{a}" width="{b}" height="20" fill="{_PAINT[colour(run)]}"/>',
            "</g>",
            '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
            f'<text x="6" y="14" textLength="{lw}">{escape(left)}</text>',
            f'<text x="{a + 6}" y="14" textLength="{rw}">{escape(right)}</text>',
            "</g>",
            "</svg>\n",
        ]
    )


def _width(text: str) -> int:
    """About how wide a text is in Verdana at 11 pixels."""
    return max(1, round(sum(_of(c) for c in text)))


def _of(character: str) -> float:
    for characters, width in _WIDE.items():
        if character in characters:
            return width
    if ord(character) > 0x2E7F:
        return _BROAD
    return _CAPITAL if character.isupper() else _LETTER
