"""The command line, called as a user calls it: arguments and standard input go in, exit code and texts come out."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest

from ludo_dsl.cli import run
from ludo_dsl.resources import spec_path


@dataclass(frozen=True)
class Answer:
    """What a command answers."""

    code: int
    out: str
    err: str

    def json(self, schema: str) -> Any:
        """Standard output as JSON that fits one of the project's schemas."""
        value = json.loads(self.out)
        rules = json.loads(spec_path("schema", f"{schema}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(rules)
        jsonschema.validate(value, rules, cls=jsonschema.Draft202012Validator)
        return value


Ludo = Callable[..., Answer]


@pytest.fixture
def ludo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ludo:
    """Runs `ludo` with arguments, and with bytes or text as its standard input."""

    def call(*args: str, stdin: str | bytes = "") -> Answer:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        code = run(list(args))
        heard = capsys.readouterr()
        assert "Traceback" not in heard.out + heard.err
        return Answer(code, heard.out, heard.err)

    return call
