"""The digest of a rule book's text, by which a record of a game knows the rules that it was played by."""

from __future__ import annotations

import hashlib

from ludo_dsl.check.book import parsed
from ludo_dsl.check.finding import find_source
from ludo_dsl.source import Source


def digest(source: Source) -> str:
    """SHA-256 of the text and of those that it extends, as `sha256:…`; how lines end makes no difference.

    Raises:
        RuleBookError: a text is not well formed.
    """
    found = hashlib.sha256()
    here: Source | None = source
    seen: list[str] = []
    while here is not None and here.name not in seen:
        seen.append(here.name)
        text = here.text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        # The length keeps two texts apart that would run into each other.
        found.update(b"%d:" % len(text) + text)
        extends = next(parsed(here).nodes()).node("extends")
        here = find_source(extends.the("NAME").text, here) if extends is not None else None
    return f"sha256:{found.hexdigest()}"
