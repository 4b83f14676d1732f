"""The sample engine of the project, whose text can be changed in a few places: engines that know nothing of our interpreter."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

SOURCE = Path(__file__).parents[3] / "conformance" / "engines" / "amarnepal.py"

Change = tuple[str, str]
"""What stands in the source, exactly once, and what stands there instead."""

_numbers = count()


def changed_text(*changes: Change) -> str:
    """The source of the sample engine with some of it changed."""
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times in {SOURCE.name}: {old}"
        text = text.replace(old, new)
    return text


@cache
def changed(*changes: Change) -> ModuleType:
    """The sample engine as a module, changed; `Engine` is its class."""
    module = ModuleType(f"changed_sample_{next(_numbers)}")
    sys.modules[module.__name__] = module  # Its dataclass looks for it there.
    exec(compile(changed_text(*changes), str(SOURCE), "exec"), module.__dict__)
    return module


def engine(*changes: Change) -> Callable[[], Any]:
    """What makes the changed engine."""
    made: Callable[[], Any] = changed(*changes).Engine
    return made


def sample() -> Any:
    """The sample engine as it is, with `Game`, `Engine` and its constants."""
    return changed()
