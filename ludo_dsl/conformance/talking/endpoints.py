"""From the text that names an engine to the engine, behind a pipe or as a Python object."""

from __future__ import annotations

import importlib
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludo_dsl.conformance.talking.asking import Endpoint, EngineTextError, Limits, StartError, TroubleError
from ludo_dsl.conformance.talking.objects import ObjectEndpoint, raised
from ludo_dsl.conformance.talking.pipes import PipeEndpoint
from ludo_dsl.conformance.talking.protocol import shown

__all__ = [
    "Connector",
    "Endpoint",
    "EngineTextError",
    "Limits",
    "ObjectEndpoint",
    "PipeEndpoint",
    "StartError",
    "TroubleError",
    "connect",
]


@dataclass(frozen=True, slots=True)
class Connector:
    """How an engine is started, as often as need be; `name` is the text that the user gave. It can be sent to other processes."""

    name: str

    def open(self) -> Endpoint:
        """A freshly started engine. Raises `StartError`, or `EngineTextError` where the text no longer holds."""
        kind, _, rest = self.name.partition(":")
        return PipeEndpoint(_words(self.name, rest)) if kind == "exec" else ObjectEndpoint(_factory(self.name, rest))


def connect(engine: str) -> Connector:
    """The connector of `exec:COMMAND` or `py:module:Class`; the module is imported, from the current folder too.

    Raises:
        EngineTextError: the text names no engine.
    """
    kind, colon, rest = engine.partition(":")
    match kind if colon else "":
        case "exec":
            _words(engine, rest)
        case "py":
            _factory(engine, rest)
        case _:
            raise EngineTextError(f"`{shown(engine)}` names no engine", "write `exec:./my-engine --flag`, or `py:module:Class`")
    return Connector(engine)


def _words(engine: str, command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineTextError(f"`{shown(engine)}` is no command: {str(error).lower()}", "close every quotation mark") from None
    if not words or not words[0]:
        raise EngineTextError(f"`{shown(engine)}` names no command", "write it as `exec:./my-engine --flag`")
    return words


def _factory(engine: str, text: str) -> Callable[[], object]:
    name, _, member = text.partition(":")
    if not all(part.isidentifier() for part in name.split(".")) or not member.isidentifier():
        raise EngineTextError(f"`{shown(engine)}` names no class", "write it as `py:module:Class`")
    found: Any = getattr(_module(name), member, None)
    if not callable(found):
        raise EngineTextError(f"the module `{name}` has no class `{member}`", "write it as `py:module:Class`")
    factory: Callable[[], object] = found
    return factory


def _module(name: str) -> object:
    if str(Path.cwd()) not in sys.path and "" not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise EngineTextError(f"there is no module `{error.name}`", "run it in the folder of the module, or install it") from None
        raise EngineTextError(f"the module `{name}` cannot be imported: {raised(error)}", "install what it needs") from None
    except (Exception, SystemExit) as error:
        raise EngineTextError(f"the module `{name}` cannot be imported: {raised(error)}", "mend it") from None
