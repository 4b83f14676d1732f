"""A run as JUnit XML, as continuous integration reads it: a suite per variant, a case per scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from ludo_dsl.conformance.reports.failures import look
from ludo_dsl.conformance.reports.files import save
from ludo_dsl.conformance.reports.terminal import failure_text
from ludo_dsl.conformance.reports.words import BROKEN, SPOILT, engine_name, fraction, one_line, variant_name, variants_of
from ludo_dsl.conformance.running.verdicts import Result, Run, Verdict, Watched

_TAGS = ("failure", "error", "skipped")


def write_junit(run: Run, path: Path) -> None:
    """Writes a run as JUnit XML. Raises `OSError`."""
    save(path, junit(run))


def junit(run: Run) -> bytes:
    """The XML, in UTF-8."""
    suites = [_suite(run, variant) for variant in variants_of(run)]
    own = list(_own(run))
    if own:
        suites.append(_element("testsuite", {"name": "run"}, own))
    root = _element("testsuites", {"name": f"ludo conform {engine_name(run)}"}, suites)
    for element in (*suites, root):
        _count(element)
    root.set("time", f"{run.seconds:.3f}")
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _element(tag: str, attributes: dict[str, str], children: Sequence[ET.Element] = (), text: str | None = None) -> ET.Element:
    element = ET.Element(tag, attributes)
    element.extend(children)
    element.text = text
    return element


def _count(element: ET.Element) -> None:
    """Sums up a suite."""
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for tag, name in zip(_TAGS, ("failures", "errors", "skipped"), strict=True):
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _suite(run: Run, variant: str) -> ET.Element:
    name = variant_name(variant)
    told = {"engine": one_line(run.engine), "suite": one_line(run.suite, 60), "clauses": fraction(run, variant)}
    told |= {f"reading.{r.question}": r.value for r in run.readings if r.variant == variant}
    properties = [_element("property", {"name": key, "value": value}) for key, value in told.items()]
    cases = [_case(run, name, r) for r in run.results if r.variant == variant]
    games = [_games(name, w) for w in run.watched if w.variant == variant]
    # ISO 8601 without a zone, as the common schema wants it.
    attributes = {"name": name, "timestamp": one_line(run.started, 19).partition("…")[0]}
    return _element("testsuite", attributes, [_element("properties", {}, properties), *cases, *games])


def _case(run: Run, variant: str, result: Result) -> ET.Element:
    area = result.id.split("/")[1] if result.id.count("/") > 1 else "scenarios"
    attributes = {"classname": one_line(f"{variant}.{area}", 200), "name": one_line(result.id, 300), "time": f"{result.seconds:.3f}"}
    return _element("testcase", attributes, list(_outcome(run, result)))


def _outcome(run: Run, result: Result) -> Iterator[ET.Element]:
    verdict = result.verdict
    if verdict in (*BROKEN, *SPOILT):
        failure = look(run, result)
        tag = "failure" if verdict in BROKEN else "error"
        yield _element(tag, {"type": str(verdict), "message": f"{verdict}: {failure.says}"[:500]}, text=failure_text(failure))
    elif not verdict.good:
        note = one_line(result.note, 500)
        known = verdict is Verdict.EXPECTED_FAILURE
        message = f"{verdict}{f': {note}' if note else ''}{f': {look(run, result).says}' if known and not note else ''}"
        yield _element("skipped", {"type": str(verdict), "message": message})
    elif result.note:
        yield _element("system-out", {}, text=one_line(result.note))


def _games(variant: str, watched: Watched) -> ET.Element:
    faults = [one_line(fault) for fault in watched.faults]
    name = f"{watched.games} games of {watched.plies} plies, watched"
    outcome = [_element("failure", {"type": "fail", "message": faults[0][:500]}, text="\n".join(faults))] if faults else []
    return _element("testcase", {"classname": f"{variant}.games", "name": name}, outcome)


def _own(run: Run) -> Iterator[ET.Element]:
    """What is wrong with the run itself: without it, a run that fails could look as if all were well."""
    for problem in run.problems:
        text = one_line(problem)
        failure = _element("failure", {"type": "problem", "message": text[:500]}, text=text)
        yield _element("testcase", {"classname": "run.files", "name": text[:200]}, [failure])
    if not run.complete:
        error = _element("error", {"type": "cut short", "message": f"{len(run.results)} scenarios were played before the run was stopped"})
        yield _element("testcase", {"classname": "run", "name": "the run came to its end"}, [error])
