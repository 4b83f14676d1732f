"""Table scripts: reading them, with the place of everything in the file, so that each fault is told where it stands.

Defined in `spec/language/table.md` and `spec/schema/table-script.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ludo_dsl.diagnostics import suggestion
from ludo_dsl.play.script_steps import ScriptEvent, StepError, read_step
from ludo_dsl.resources import spec_path

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

LARGEST = 1_000_000
"""Bytes that a script may have: many times the longest one known."""

Where = Sequence[str | int]


class ScriptError(Exception):
    """A file that is no table script; `line` counts from 1, or is 0 for the file as a whole; `path` is a JSON path."""

    def __init__(self, file: str, line: int, path: str, message: str, hint: str = "") -> None:
        self.file = file
        self.line = line
        self.path = path
        self.message = message
        self.hint = hint
        super().__init__(f"{self.place}: {message}")

    @property
    def place(self) -> str:
        """File, line, and path in the file."""
        line = f"{self.file}:{self.line}" if self.line else self.file
        return f"{line}: {self.path}" if self.path not in ("", "$") else line


class OtherVariantError(ScriptError):
    """A script that was written for another rule book."""


@dataclass(frozen=True)
class ScriptStep:
    """One step: its text, what it means, where it stands, and what is expected of it."""

    text: str
    event: ScriptEvent
    line: int
    then: dict[str, Any] | None = None
    refused: str | None = None


@dataclass(frozen=True)
class Script:
    """A table script: the table, and what happens there."""

    file: str
    variant: str
    title: str
    clauses: tuple[str, ...]
    settings: dict[str, Any]
    steps: tuple[ScriptStep, ...]
    root: yaml.Node

    def error(self, message: str, hint: str, *where: str | int) -> ScriptError:
        """An error at a place of the file."""
        return ScriptError(self.file, line_of(self.root, where), json_path(where), message, hint)


class _Words(yaml.SafeLoader):
    """YAML by the core schema of version 1.2, where it matters here: `on`, `off`, `yes`, dates and `1:30` are words."""


_OLD = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int")
_Words.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag not in _OLD]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Words.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+$"), list("-+0123456789"))


def line_of(root: yaml.Node, where: Where) -> int:
    """The line, from 1, on which a part of a document stands, or the innermost part of the way to it that there is."""
    node = root
    line = node.start_mark.line
    for key in where:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if k.value == key), None)
            if found is None:
                break
            line, node = found[0].start_mark.line, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line
        else:
            break
    return line + 1


def json_path(where: Where) -> str:
    """A place in a document as a JSON path, such as `$.steps[2].then`."""
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in where)


def read_script(path: Path) -> Script:
    """The table script of a file. Raises `ScriptError`, or `OSError` where the file cannot be read."""
    file = str(path)
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise ScriptError(file, 0, "$", f"a table script has {LARGEST:,} bytes at most", "name another file, or write several scripts")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ScriptError(file, line, "$", "the file holds bytes that are not UTF-8", "save it with the encoding UTF-8") from None
    return _parsed(file, text)


def _parsed(file: str, text: str) -> Script:
    try:
        root, value = _loaded(file, text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"this is no YAML: {error.problem or error.context}"
        raise ScriptError(file, mark.line + 1 if mark is not None else 0, "$", what, "mend the line, or the one above") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ScriptError(file, line, "$", "the file holds a control character", "remove it") from None
    except ValueError:
        raise ScriptError(file, 0, "$", "the file holds a number or a tag that cannot be read", "write plain numbers and texts") from None
    except RecursionError:
        raise ScriptError(file, 0, "$", "the file is nested too deep", "write a script as in `conformance/tables`") from None
    _require_schema(file, root, value)
    return _script(file, root, value)


def _loaded(file: str, text: str) -> tuple[yaml.Node, Any]:
    """The document of a text, as nodes that know their places and as plain data."""
    loader = _Words(text)
    root = loader.get_single_node()
    if root is None:
        raise ScriptError(file, 0, "$", "the file is empty", "write a script as in `conformance/tables`")
    _require_plain(file, root)
    return root, loader.construct_document(root)


def _require_plain(file: str, root: yaml.Node) -> None:
    """No key twice, and no part of the file taken again by an alias: what is read is what is written."""
    waiting: list[tuple[yaml.Node, tuple[str | int, ...]]] = [(root, ())]
    seen: set[int] = set()
    while waiting:
        node, where = waiting.pop()
        line = node.start_mark.line + 1
        if not isinstance(node, yaml.ScalarNode) and id(node) in seen:
            raise ScriptError(file, line, json_path(where), "a part of the file is taken again by an alias", "write it out")
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                name, line = str(key.value), key.start_mark.line + 1
                if key.tag != "tag:yaml.org,2002:str":
                    raise ScriptError(file, line, json_path(where), f"`{name}` cannot be a key", "keys are words")
                if name in keys:
                    raise ScriptError(file, line, json_path((*where, name)), f"`{name}` is given twice", "keep one of them")
                keys.add(name)
                waiting.append((value, (*where, name)))
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(item, (*where, i)) for i, item in enumerate(node.value)]


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(spec_path("schema", "table-script.json").read_text(encoding="utf-8")))


def _require_schema(file: str, root: yaml.Node, value: object) -> None:
    from jsonschema.exceptions import best_match

    errors = list(_validator().iter_errors(value))
    # A misspelt key is also a missing one: the first is the better message.
    error = best_match([e for e in errors if e.validator == "additionalProperties"] or errors)
    if error is not None:
        where = tuple(error.absolute_path)
        raise ScriptError(file, line_of(root, where), json_path(where), *_in_words(error))


def _in_words(error: ValidationError) -> tuple[str, str]:
    """What is wrong with a part of a script, and what could stand there."""
    hint = "the form of scripts is in spec/language/table.md"
    schema: Any = error.schema
    properties = schema.get("properties", {})
    instance: Any = error.instance
    allowed: Any = error.validator_value
    match error.validator:
        case "required":
            missing = [name for name in allowed if name not in instance]
            return f"`{missing[0]}` is missing", hint
        case "additionalProperties" if properties:
            extra = next(name for name in instance if name not in properties)
            return f"there is no `{extra}` here", suggestion(str(extra), properties, "keys")
        case "enum":
            return f"this cannot be `{instance}`", "it is one of " + ", ".join(f"`{v}`" for v in allowed)
        case "type":
            kinds = allowed if isinstance(allowed, list) else [allowed]
            names = {"object": "a mapping", "array": "a list", "string": "a text", "integer": "a whole number", "number": "a number"}
            return "this is of the wrong type", "write " + " or ".join(names.get(str(k), str(k)) for k in kinds)
        case "not":
            return "a step is expected to be refused, or to leave a state, not both", "keep one of `then` and `refused`"
        case _:
            return error.message[:200], hint


def _script(file: str, root: yaml.Node, value: dict[str, Any]) -> Script:
    steps = []
    for i, item in enumerate(value["steps"]):
        given: dict[str, Any] = {"do": item} if isinstance(item, str) else item
        where: Where = ("steps", i) if isinstance(item, str) else ("steps", i, "do")
        line = line_of(root, where)
        try:
            event = read_step(given["do"])
        except StepError as error:
            raise ScriptError(file, line, json_path(where), error.message, error.hint) from None
        steps.append(ScriptStep(given["do"], event, line, given.get("then"), given.get("refused")))
    settings: dict[str, Any] = {k: value[k] for k in ("players", "options", "readings", "host", "seed", "begins", "position") if k in value}
    return Script(file, value["variant"], value["title"], tuple(value.get("clauses", ())), settings, tuple(steps), root)
