"""A first text for somebody's own rule book: it changes another one, and lists what could be changed, ready to uncomment.

Every line that is offered is sound: with it alone, the rule book still has no faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ludo_dsl.check.book import check
from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.publish.words import Words, sentence
from ludo_dsl.rules.book import Book, FaceSet, Named, Range, Setting
from ludo_dsl.rules.expressions import ALWAYS
from ludo_dsl.rules.table import make_table, shown_value
from ludo_dsl.rules.wording import fill
from ludo_dsl.source import Source

Trial = Callable[[str], Diagnostic | None]
"""Gives the first fault of the rule book with some lines added; nothing if it is sound."""

MOST_TOGETHER = 4
"""Settings that are dropped together with a rule, at most."""

_DROP = re.compile(r"`(drop (?:option|reading) [a-z0-9-]+)`")


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a new rule book, and the first fault of it (none: it is sound)."""

    text: str
    fault: Diagnostic | None


def draft(name: str, title: str, parent: Book, file: str) -> Draft:
    """The first text of a rule book `name` that changes `parent` and is to stand in `file`; nothing is written."""
    head = f'variant {name} "{title}" extends {parent.name}\n'

    def trial(line: str) -> Diagnostic | None:
        try:
            check(Source(file, f"{head}\n{line}\n"))
        except RuleBookError as error:
            return error.diagnostics[0]
        return None

    fault = trial("")
    if fault is not None:
        return Draft(head, fault)
    return Draft("\n".join([head.rstrip("\n"), *_body(parent, trial), ""]), None)


def _body(parent: Book, trial: Trial) -> Iterator[str]:
    yield ""
    yield f"# House rules on top of {parent.title}. Remove the `# ` before a line to make it count, then: ludo check FILE"
    yield f"# `ludo read {parent.name}` tells what each rule says. What stands after a second # on a line is a remark."
    for role, told in (
        ("option", "Options: what the table may choose. A line here gives one another default."),
        ("reading", "Readings: questions that the text of the rules leaves open."),
    ):
        found = [s for s in parent.settings if s.role == role]
        if found:
            yield ""
            yield f"# {told}"
            for setting in found:
                yield from _setting(parent, setting, trial)
    yield ""
    yield "# Rules that can be left out."
    needed: list[str] = []
    for declaration in parent.declarations:
        if declaration.kind == "rule":
            fault = trial(f"drop rule {declaration.name}")
            if fault is None:
                yield f"# drop rule {declaration.name}{_sentence(parent, declaration.name)}"
            else:
                needed.append(f"{declaration.name}: {_why(declaration.name, fault, trial)}")
    if needed:
        yield ""
        yield "# Rules that cannot be left out alone, and why; each can be said differently with `replace rule NAME`."
        for line in needed:
            yield f"#   {line}"
    yield ""
    yield "# A rule of your own: a name, a sentence for people, and what happens. `ludo fmt` lays it out on lines of its own."
    own = Words(parent).own
    examples = (
        f'rule captor-leap "{sentence(own("a piece that captures goes home"))}" when captured send piece to home',
        f'rule lucky-home "{sentence(own("a piece that comes home earns another roll"))}" when reached home roll again',
    )
    yield from (f"# {line}" for line in islice((e for e in examples if trial(e) is None), 1))


def _why(rule: str, fault: Diagnostic, trial: Trial) -> str:
    """What keeps a rule from being dropped alone: settings that nothing else reads, which can go with it, or a hole in the rules."""
    together: list[str] = []
    next_fault: Diagnostic | None = fault
    while next_fault is not None and next_fault.code == "L0206" and len(together) < MOST_TOGETHER:
        found = _DROP.search(next_fault.hint)
        if found is None:
            break
        together.append(found.group(1))
        next_fault = trial("\n".join([f"drop rule {rule}", *together]))
    return f"can be dropped together with `{'` and `'.join(together)}`" if next_fault is None else fault.message


def _sentence(parent: Book, rule: str) -> str:
    """The beginning of what a rule says, as a remark."""
    declaration = parent.declaration(rule)
    table = make_table(parent)
    said = [fill(s.text, table, declaration) for s in declaration.sentences if table.holds(s.condition)] if declaration else []
    return f"  # {said[0]}" if said else ""


def _setting(parent: Book, setting: Setting, trial: Trial) -> Iterator[str]:
    declaration = parent.declaration(setting.id)
    assert declaration is not None
    label = fill(setting.label, make_table(parent), declaration)
    now = shown_value(setting.default).replace(",", ", ")
    values = _values(parent, setting)
    # Rules are checked for every value of a setting, so that another default is sound, unless only some tables can choose it.
    certain = setting.only_if == ALWAYS and not isinstance(setting.domain, FaceSet)
    for value in values:
        if certain or trial(f"set {setting.id} to {value}") is None:
            others = [v for v in values if v != value] if isinstance(setting.domain, Named) else []
            more = f"; or {', '.join(others)}" if others else _range(setting)
            yield f"# set {setting.id} to {value}  # {label}; now {now}{more}"
            return
    yield f"#   {setting.id} is {now} ({label}); other values only count at some tables: {', '.join(values)}"


def _range(setting: Setting) -> str:
    domain = setting.domain
    if isinstance(domain, Range):
        return f"; or any from {domain.low} to {domain.high}"
    return "; or any other faces" if isinstance(domain, FaceSet) else ""


def _values(parent: Book, setting: Setting) -> list[str]:
    """Other values than the default, as `set` writes them."""
    match setting.domain:
        case Named(values, default):
            return [v.name for v in values if v.name != default]
        case Range(low, high, default):
            return [str(n) for n in (default + 1, default - 1) if low <= n <= high]
        case FaceSet(default):
            faces = [face for face, _ in parent.dice.faces]
            other = next((f for f in faces if f not in default), None)
            return [", ".join(str(f) for f in sorted({*default, other}))] if other is not None else []
