"""The one place that knows where the project's data lies: in a checkout, or inside an installed package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class MissingResourceError(Exception):
    """A data file that belongs to the project is not where it should be: a broken installation."""


@cache
def data_root() -> Path:
    """The folder that holds `spec/` and `conformance/`.

    Raises:
        MissingResourceError: neither the checkout nor the installed package holds them.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        if (root / "spec" / "grammar" / "ludo.lark").is_file():
            return root
    raise MissingResourceError(f"no spec/ folder beside or inside {_PACKAGE}: install the package again")


def spec_path(*parts: str) -> Path:
    """A path below `spec/`, whether or not it exists."""
    return data_root().joinpath("spec", *parts)


@cache
def variant_names() -> tuple[str, ...]:
    """Names of the rule books that come with the project, in alphabetical order."""
    return tuple(sorted(path.stem for path in spec_path("variants").glob("*.ludo")))
