"""A run as JSON Lines: a header, a line for each finding, and a footer that vouches for all before it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ludo_dsl.conformance.reports.files import part_of, save
from ludo_dsl.conformance.reports.words import one_line
from ludo_dsl.conformance.running.verdicts import Capability, ClauseResult, ReadingTaken, Result, Run, Watched
from ludo_dsl.documents import DocumentError, in_words, json_path, validator

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

FORMAT = "ludo-conformance-report"
FORMAT_VERSION = 1
LARGEST = 500_000_000
"""Bytes that a report may have."""

_HEADER = ("engine", "name", "version", "protocol", "suite", "started", "command", "scope", "shard", "seed", "asked")
_AGAIN = "run `ludo conform` again with `--report`"

Line = dict[str, Any]


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_jsonl(run: Run, path: Path) -> None:
    """Writes a run; a file that is there already is replaced as a whole. Raises `OSError`."""
    save(path, jsonl(run).encode("ascii"))


def jsonl(run: Run) -> str:
    """The text of the report: one JSON object a line, in ASCII, the footer last."""
    body = "".join(_dumped(line) for line in _body(run))
    return body + _dumped(_footer(run, body))


class JsonlWriter:
    """Writes results as they come, into FILE.part, so that a crash loses none; `close` makes the report of it and removes the part.

    What stands in the part are raw results: verdicts that hang on the whole run are settled at its end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = part_of(path)
        self._file: TextIO | None = None

    def header(self, run: Run) -> None:
        """Begins the part with what is known of the run. Raises `OSError`."""
        self._file = self.part.open("w", encoding="ascii", newline="\n")
        self._write(_header(run))

    def result(self, result: Result) -> None:
        """Adds a result. Raises `OSError`."""
        self._write(result.as_json())

    def close(self, run: Run) -> None:
        """Writes the report of the run, whole or cut short, and only then removes the part. Raises `OSError`."""
        self.abandon()
        write_jsonl(run, self.path)
        self.part.unlink(missing_ok=True)

    def abandon(self) -> None:
        """Closes the part and leaves it where it is."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: Line) -> None:
        if self._file is None:
            raise ValueError("a report begins with its header")
        self._file.write(_dumped(line))
        self._file.flush()


def _dumped(line: Line) -> str:
    return json.dumps(line) + "\n"


def _body(run: Run) -> Iterator[Line]:
    yield _header(run)
    for result in run.results:
        yield result.as_json()
    for clause in run.clauses:
        yield clause.as_json()
    for reading in run.readings:
        yield reading.as_json()
    for watched in run.watched:
        yield {"kind": "watched", **asdict(watched)}
    for capability in run.capabilities:
        yield {"kind": "capability", **asdict(capability)}


def _header(run: Run) -> Line:
    known = {name: getattr(run, name) for name in _HEADER}
    return {"kind": "header", "format": FORMAT, "format_version": FORMAT_VERSION, **known, "variants": list(run.variants)}


def _footer(run: Run, body: str) -> Line:
    return {
        "kind": "footer",
        "verdicts": dict(Counter(str(r.verdict) for r in run.results)),
        "standings": {str(standing): count for standing, count in run.counts().items() if count},
        "problems": list(run.problems),
        "exit_code": run.exit_code,
        "complete": run.complete,
        "seconds": round(run.seconds, 4),
        "lines": body.count("\n"),
        "sha256": hashlib.sha256(body.encode("ascii")).hexdigest(),
    }


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass
class _Found:
    """What the lines so far hold."""

    header: Line | None = None
    footer: Line | None = None
    results: list[Result] = field(default_factory=list)
    clauses: list[ClauseResult] = field(default_factory=list)
    readings: list[ReadingTaken] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    capabilities: list[Capability] = field(default_factory=list)

    def take(self, line: Line) -> None:
        match line["kind"]:
            case "header":
                self.header = line
            case "footer":
                self.footer = line
            case "scenario":
                self.results.append(Result.from_json(line))
            case "clause":
                self.clauses.append(ClauseResult.from_json(line))
            case "reading":
                self.readings.append(ReadingTaken.from_json(line))
            case "watched":
                lists = (tuple(line["clauses"]), tuple(line["faults"]))
                self.watched.append(Watched(line["variant"], line["games"], line["plies"], *lists))
            case _:
                self.capabilities.append(Capability(line["name"], line["claimed"], line["verified"], line["note"]))


def read_jsonl(path: Path) -> Run:
    """The run of a report.

    Raises:
        DocumentError: a line is none of a report, the footer is missing, or what stands before it is not what was written.
        OSError: the file cannot be read.
    """
    file = str(path)
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise DocumentError(file, 0, "$", f"a report has {LARGEST:,} bytes at most", "name another file")
    found = _Found()
    begins = 0
    number = 0
    for number, raw in enumerate(data.splitlines(keepends=True), 1):
        if found.footer is not None:
            raise DocumentError(file, number, "$", "something stands after the footer", "keep one report in a file")
        line = _line(file, number, raw, found)
        found.take(line)
        begins += len(raw) if line["kind"] != "footer" else 0
    if found.header is None or found.footer is None:
        raise _without_footer(file, number, found)
    _require_untouched(file, found.footer, number, data[:begins])
    return _run(found.header, found.footer, found)


def _line(file: str, number: int, raw: bytes, found: _Found) -> Line:
    """A line that keeps the schema and stands where it may."""
    line = _parsed(file, number, raw, found)
    kind = line.get("kind") if isinstance(line, dict) else None
    if found.header is None and kind != "header":
        raise DocumentError(file, number, "$", "this is no report of `ludo conform`", "a report begins with its header")
    if found.header is not None and kind == "header":
        raise DocumentError(file, number, "$", "a second header", "keep one report in a file; `ludo report merge` joins several")
    if not isinstance(kind, str) or kind not in _kinds():
        raise DocumentError(file, number, "$.kind", "there is no such kind of line", f"a line is one of {', '.join(_kinds())}")
    _require_schema(file, number, line, kind)
    return line


def _parsed(file: str, number: int, raw: bytes, found: _Found) -> Line:
    try:
        line: Line = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        if found.header is not None and not raw.endswith(b"\n"):
            raise _without_footer(file, number, found) from None
        raise DocumentError(file, number, "$", "this is no JSON", "a report holds one JSON object a line") from None
    return line


def _no_number(name: str) -> float:
    raise ValueError(name)


def _without_footer(file: str, number: int, found: _Found) -> DocumentError:
    if found.header is None:
        return DocumentError(file, 0, "$", "the file is empty", f"{_AGAIN}")
    saved = f"{len(found.results)} of {found.header['asked']} scenarios were played and saved here before it broke off"
    return DocumentError(file, number, "$", "the report has no footer: it is not whole", f"{saved}; {_AGAIN}")


def _require_untouched(file: str, footer: Line, number: int, before: bytes) -> None:
    if footer["lines"] != number - 1:
        message = f"{number - 1} lines stand before the footer, and it counts {footer['lines']}"
        raise DocumentError(file, number, "$.lines", message, f"the file was changed: {_AGAIN}")
    if footer["sha256"] != hashlib.sha256(before).hexdigest():
        raise DocumentError(file, number, "$.sha256", "the lines before the footer are not those that were written", _AGAIN)


@cache
def _kinds() -> dict[str, Draft202012Validator]:
    """A validator for each kind of line, whose messages are plainer than those of all kinds at once."""
    from jsonschema import Draft202012Validator

    schema: Any = validator("report").schema
    names = [part["$ref"].rpartition("/")[2] for part in schema["oneOf"]]
    return {name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}) for name in names}


def _require_schema(file: str, number: int, line: Line, kind: str) -> None:
    from jsonschema.exceptions import best_match

    error = best_match(_kinds()[kind].iter_errors(line))
    if error is not None:
        form = "the form is in spec/schema/report.json"
        message, hint = in_words(error, form)
        raise DocumentError(file, number, one_line(json_path(tuple(error.absolute_path)), 200), one_line(message, 300), one_line(hint, 300))


def _run(header: Line, footer: Line, found: _Found) -> Run:
    return Run(
        **{name: header[name] for name in _HEADER},
        variants=tuple(header["variants"]),
        capabilities=tuple(found.capabilities),
        results=tuple(found.results),
        clauses=tuple(found.clauses),
        readings=tuple(found.readings),
        watched=tuple(found.watched),
        problems=tuple(footer["problems"]),
        seconds=footer["seconds"],
        complete=footer["complete"],
    )
