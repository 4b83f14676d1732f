"""The engine protocol: the messages of a runner, and whether an answer is one.

What the messages mean is in `spec/language/protocol.md`, their form in `spec/schema/protocol.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ludo_dsl.documents import in_words
from ludo_dsl.resources import spec_path

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

PROTOCOL = 1
"""The version of the protocol."""

SUITE = "1"
"""The version of the suite, as `hello` tells it."""

CAPABILITIES = ("set", "force", "legal", "readings", "log")
"""What an engine may claim that it can do."""

REFUSALS: tuple[Literal["unsupported", "illegal", "error"], ...] = ("unsupported", "illegal", "error")
"""The three ways to say no: not offered; forbidden by the rules; a fault of the engine."""

Message = Mapping[str, object]
Answer = dict[str, object]


class ProtocolFault(Exception):  # noqa: N818 - the fault is the engine's
    """An answer that is none; `message` says what is wrong with it."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


# ---- messages --------------------------------------------------------------------------------------------------------


def message(op: str, **keys: object) -> dict[str, object]:
    """A message: `op` first, then its keys in the order given, without those that are `None`."""
    return {"op": op, **{key: value for key, value in keys.items() if value is not None}}


def numbered(said: Message, number: int) -> dict[str, object]:
    """The message with an `id`, which stands behind `op`. `hello` has none: it is the first, and tells who speaks."""
    if said["op"] == "hello":
        return dict(said)
    return {"op": said["op"], "id": number, **{key: value for key, value in said.items() if key not in ("op", "id")}}


def line(said: Message) -> bytes:
    """A message or an answer as it goes through a pipe: one line, in ASCII."""
    return json.dumps(said).encode("ascii") + b"\n"


def pairs_text(pairs: Iterable[tuple[str, object]]) -> str:
    """Options or readings as one text: `capture-first=off capture-roll=on`."""
    return " ".join(f"{name}={value}" for name, value in pairs)


def read_pairs(text: str) -> dict[str, str]:
    """The values of a text such as `red=1 yellow=2`, by name. Raises `ProtocolFault`."""
    found: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or not name or not value or name in found:
            raise ProtocolFault(f"`{shown(part)}` should be `name=value`, each name once")
        found[name] = value
    return found


# ---- answers ---------------------------------------------------------------------------------------------------------


def read_line(data: bytes) -> object:
    """What stands in one line of an engine. Raises `ProtocolFault` where it is no JSON."""
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ProtocolFault(f"the answer is no text in ASCII or UTF-8: {shown(data.decode('ascii', 'backslashreplace'))}") from None
    except (ValueError, RecursionError):
        raise ProtocolFault(f"the answer is no JSON: {shown(data.decode('utf-8')) or 'an empty line'}") from None


def check_answer(said: Message, answer: object) -> Answer:
    """The answer to a message, which has the `op` of the message or is a refusal, and whose values are as they should be.

    Raises:
        ProtocolFault: it is no answer at all, or none to this message.
    """
    if not isinstance(answer, dict):
        raise ProtocolFault(f"the answer is no object: {shown(repr(answer))}")
    op = answer.get("op")
    if op != said["op"] and op not in REFUSALS:
        raise ProtocolFault(
            f"`{said['op']}` is answered with " + (f"the op `{shown(str(op))}`" if "op" in answer else "an object without `op`")
        )
    given = answer.get("id")
    # An engine that gives back what it finds has nothing to give back for `hello`.
    if given is not None and "id" in said and (given != said["id"] or isinstance(given, bool)):
        raise ProtocolFault(f"message {said['id']} is answered with the id {shown(json.dumps(given, default=repr))}")
    _require_form(str(op) if op in REFUSALS else f"{op}-answer", answer)
    return answer


def _require_form(part: str, answer: Answer) -> None:
    if _plainly_kept(part, answer):
        return
    error = next(validator(part).iter_errors(answer), None)
    if error is not None:
        where = ".".join(str(key) for key in error.absolute_path)
        what = in_words(error)[0]
        raise ProtocolFault(f"`{answer['op']}`: " + (f"`{where}`: {what}" if where else what))


def _plainly_kept(part: str, answer: Answer) -> bool:
    """Whether an answer keeps the schema as can be seen at once; where it cannot, the schema is asked, which takes much longer."""
    required, patterns = _texts(part)
    for key in required:
        if key not in answer:
            return False
    for key, value in answer.items():
        if key in patterns:
            pattern = patterns[key]
            if type(value) is not str or (pattern is not None and not pattern.search(value)):
                return False
        elif key not in ("op", "id") or (key == "id" and type(value) is not int):
            return False
    return True


@cache
def _texts(part: str) -> tuple[tuple[str, ...], dict[str, re.Pattern[str] | None]]:
    """The keys that an answer must have, and those that are texts, with their patterns."""
    everything = _schema()["$defs"]
    texts = {}
    for key, form in everything[part]["properties"].items():
        form = everything[form["$ref"].rpartition("/")[2]] if "$ref" in form else form
        if form.get("type") == "string" and form.keys() <= {"type", "description", "pattern", "minLength"}:
            pattern = form.get("pattern") or ("." if form.get("minLength") == 1 else None)
            texts[key] = re.compile(pattern) if pattern else None
    return tuple(everything[part]["required"]), texts


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(spec_path("schema", "protocol.json").read_text(encoding="utf-8"))
    return schema


@cache
def validator(part: str) -> Draft202012Validator:
    """The validator of one definition of the schema, such as `new-message`, `new-answer`, `answer` or `illegal`."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": _schema()["$defs"]})


def shown(text: str, longest: int = 80) -> str:
    """A text of an engine as it is shown in a note: on one line, and not too long."""
    words = "".join(c if c.isprintable() else " " for c in text).strip()
    return words if len(words) <= longest else f"{words[:longest]}…"
