"""Data files that people write, in YAML: read strictly, held to their schema, with the place of everything for messages."""

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
from ludo_dsl.resources import spec_path

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

Where = Sequence[str | int]


class DocumentError(Exception):
    """A file that is not what it should be; `line` counts from 1, or is 0 for the file as a whole; `path` is a JSON path."""

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


@dataclass(frozen=True)
class Kind:
    """A kind of file: what it is called, its schema in `spec/schema`, the page with its form, and the bytes that one may have."""

    name: str
    schema: str
    form: str
    largest: int = 1_000_000


@dataclass(frozen=True)
class Document:
    """A file that keeps its schema, as plain data; `root` knows where everything stands."""

    file: str
    value: Any
    root: yaml.Node

    def line(self, *where: str | int) -> int:
        """The line, from 1, on which a part stands."""
        return line_of(self.root, where)

    def error(self, message: str, hint: str, *where: str | int) -> DocumentError:
        """An error at a place of the file."""
        return DocumentError(self.file, line_of(self.root, where), json_path(where), message, hint)


class _Words(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML by the core schema of version 1.2, where it matters here: `on`, `off`, `yes`, dates and `1:30` are words."""


_OLD = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int")
_Words.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag not in _OLD]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Words.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+$"), list("-+0123456789"))
_Words.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)$"), list("tf"))


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
    return int(line) + 1


def json_path(where: Where) -> str:
    """A place in a document as a JSON path, such as `$.steps[2].then`."""
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in where)


def read_document(path: Path, kind: Kind) -> Document:
    """The file of a kind. Raises `DocumentError`, or `OSError` where the file cannot be read."""
    file = str(path)
    data = path.read_bytes()
    if len(data) > kind.largest:
        raise DocumentError(file, 0, "$", f"{kind.name} has {kind.largest:,} bytes at most", "name another file, or split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DocumentError(file, line, "$", "the file holds bytes that are not UTF-8", "save it with the encoding UTF-8") from None
    return _parsed(file, text, kind)


def _parsed(file: str, text: str, kind: Kind) -> Document:
    try:
        root, value = _loaded(file, text, kind)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"this is no YAML: {error.problem or error.context}"
        raise DocumentError(file, mark.line + 1 if mark is not None else 0, "$", what, "mend the line, or the one above") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise DocumentError(file, line, "$", "the file holds a control character", "remove it") from None
    except ValueError:
        raise DocumentError(file, 0, "$", "the file holds a number or a tag that cannot be read", "write plain numbers and texts") from None
    except RecursionError:
        raise DocumentError(file, 0, "$", "the file is nested too deep", f"its form is in {kind.form}") from None
    _require_schema(file, root, value, kind)
    return Document(file, value, root)


def _loaded(file: str, text: str, kind: Kind) -> tuple[yaml.Node, Any]:
    """The document of a text, as nodes that know their places and as plain data."""
    loader = _Words(text)
    root = loader.get_single_node()
    if root is None:
        raise DocumentError(file, 0, "$", "the file is empty", f"its form is in {kind.form}")
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
            raise DocumentError(file, line, json_path(where), "a part of the file is taken again by an alias", "write it out")
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                name, line = str(key.value), key.start_mark.line + 1
                if key.tag != "tag:yaml.org,2002:str":
                    raise DocumentError(file, line, json_path(where), f"`{name}` cannot be a key", "keys are words")
                if name in keys:
                    raise DocumentError(file, line, json_path((*where, name)), f"`{name}` is given twice", "keep one of them")
                keys.add(name)
                waiting.append((value, (*where, name)))
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(item, (*where, i)) for i, item in enumerate(node.value)]


@cache
def validator(schema: str) -> Draft202012Validator:
    """The validator of a schema in `spec/schema`, by name without ending."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(spec_path("schema", f"{schema}.json").read_text(encoding="utf-8")))


def _require_schema(file: str, root: yaml.Node, value: object, kind: Kind) -> None:
    from jsonschema.exceptions import best_match

    errors = list(validator(kind.schema).iter_errors(value))
    # A misspelt key is also a missing one: the first is the better message.
    error = best_match([e for e in errors if e.validator == "additionalProperties"] or errors)
    if error is not None:
        where = tuple(error.absolute_path)
        raise DocumentError(file, line_of(root, where), json_path(where), *in_words(error, f"the form is in {kind.form}"))


def in_words(error: ValidationError, hint: str = "") -> tuple[str, str]:
    """What is wrong with a part of a document, and what could stand there."""
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
        case "pattern":
            return f"`{str(instance)[:60]}` is not written as it should be here", schema.get("description") or hint
        case "not":
            return schema["not"].get("description", "two things that do not go together"), schema["not"].get("$comment", hint)
        case _:
            return error.message[:200], hint
