"""`extends`: a rule book that changes another by name, as one list of declarations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludo_dsl.check.scope import Placed
from ludo_dsl.diagnostics import Diagnostic, Label, RuleBookError, closest, suggestion
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.expressions import SettingId
from ludo_dsl.source import Source
from ludo_dsl.syntax.tree import Node, Word

Finder = Callable[[str, Source], Source | None]
"""Finds the text of the rule book of a name, seen from the text that names it."""

Parser = Callable[[Source], Node]

CHANGES = ("default_change", "drop", "replace", "insert")
_CHANGED = ("rule", "option", "reading", "host", "show", "claim")
_SINGLE = ("words", "board", "players", "dice")


@dataclass(frozen=True, slots=True)
class Expanded:
    """The declarations of a rule book with those it takes over, its own changes, and defaults it sets."""

    head: Placed
    declarations: tuple[Placed, ...]
    defaults: tuple[tuple[SettingId, Placed], ...]
    parent: str | None


def expand(source: Source, parse: Parser, find: Finder, without: Node | None = None) -> Expanded:
    """The rule book of a text, changes carried out; `without` leaves one change of this text out.

    Raises:
        RuleBookError: a text is not well formed, a parent cannot be found (L0701), parents form a circle (L0702) or a
            change names nothing (L0703).
    """
    return _expand(source, parse, find, (source.name,), without)


def _expand(source: Source, parse: Parser, find: Finder, path: tuple[str, ...], without: Node | None) -> Expanded:
    book = parse(source)
    head, *rest = book.nodes()
    extends = head.node("extends")
    own = [n for n in rest if n is not without]
    faults: list[Diagnostic] = []
    if extends is None:
        for node in own:
            if node.kind in CHANGES:
                hint = 'name the rule book that it changes: `variant NAME "Title" extends OTHER`'
                faults.append(Diagnostic("L0703", "there is nothing to change: this rule book extends no other", source, node.span, hint))
        if faults:
            raise RuleBookError(faults)
        return Expanded(Placed(head, source), tuple(Placed(n, source) for n in own), (), None)
    name = extends.the("NAME")
    parent_source = find(name.text, source)
    if parent_source is None:
        near = closest(name.text, variant_names())
        hint = f"did you mean `{near}`?" if near else "name a rule book of the project, or a file `NAME.ludo` in the same folder"
        raise RuleBookError([Diagnostic("L0701", f"there is no rule book `{name.text}`", source, name.span, hint)])
    if parent_source.name in path:
        circle = " → ".join([*path[path.index(parent_source.name) :], parent_source.name])
        raise RuleBookError([Diagnostic("L0702", "rule books extend each other in a circle", source, name.span, circle)])
    parent = _expand(parent_source, parse, find, (*path, parent_source.name), None)
    changer = _Changer(parent, source, faults)
    for node in own:
        changer.change(node)
    if faults:
        raise RuleBookError(faults)
    return Expanded(Placed(head, source), tuple(changer.declarations), tuple(changer.defaults), name.text)


def declared_name(node: Node) -> str | None:
    """The name that a declaration gives, if its kind has names."""
    if node.kind in _SINGLE or node.kind == "variant":
        return None
    word = node.word("NAME")
    return word.text if word else None


class _Changer:
    def __init__(self, parent: Expanded, source: Source, faults: list[Diagnostic]) -> None:
        self.declarations = list(parent.declarations)
        self.defaults = list(parent.defaults)
        self.source = source
        self.faults = faults

    def change(self, node: Node) -> None:
        match node.kind:
            case "default_change":
                self._set(node)
            case "drop":
                kind = next(w for w in node.words() if w.kind not in ("DROP", "NAME")).text
                index = self._find(kind, node.the("NAME"))
                if index is not None:
                    del self.declarations[index]
            case "replace":
                new = next(node.nodes())
                index = self._find(new.kind, new.word("NAME") or new.parts[0])
                if index is not None:
                    self.declarations[index] = Placed(new, self.source)
            case "insert":
                index = self._find("rule", node.the("NAME"))
                if index is not None:
                    rule = next(node.nodes("rule"))
                    self.declarations.insert(index + (1 if node.has("AFTER") else 0), Placed(rule, self.source))
            case _:
                self._add(node)

    def _add(self, node: Node) -> None:
        if node.kind in _SINGLE:
            message = f"the rule book that this one extends has its `{node.kind}` already"
            there = next((p for p in self.declarations if p.node.kind == node.kind), None)
            if there is not None:
                hint = f"write `replace {node.kind} …` to change it"
                label = Label(there.node.parts[0].span, "here", there.source)
                self.faults.append(Diagnostic("L0202", message, self.source, node.parts[0].span, hint, (label,)))
                return
        self.declarations.append(Placed(node, self.source))

    def _set(self, node: Node) -> None:
        word = node.the("NAME")
        found = next((p for p in self.declarations if p.node.kind in ("option", "reading") and declared_name(p.node) == word.text), None)
        if found is None:
            known = [declared_name(p.node) or "" for p in self.declarations if p.node.kind in ("option", "reading")]
            rule = any(p.node.kind == "rule" and declared_name(p.node) == word.text for p in self.declarations)
            hint = suggestion(word.text, known, "options and readings")
            if rule:
                hint = f"`{word.text}` is a rule: write `drop rule {word.text}` to do without it"
            self.faults.append(Diagnostic("L0703", f"there is no option or reading `{word.text}` to set", self.source, word.span, hint))
            return
        self.defaults.append((SettingId(word.text), Placed(node, self.source)))

    def _find(self, kind: str, word: Word | Node) -> int | None:
        text = word.text if isinstance(word, Word) else ""
        for index, placed in enumerate(self.declarations):
            if placed.node.kind == kind and (kind in _SINGLE or declared_name(placed.node) == text):
                return index
        if kind in _SINGLE:
            self.declarations.append(Placed(Node(kind, (), word.span), self.source))
            return len(self.declarations) - 1
        known = [declared_name(p.node) or "" for p in self.declarations if p.node.kind == kind]
        hint = suggestion(text, known, f"{kind}s")
        other = next((p.node.kind for p in self.declarations if p.node.kind in _CHANGED and declared_name(p.node) == text), None)
        if other is not None:
            hint = f"`{text}` is {'an' if other == 'option' else 'a'} {other}: write `{other} {text}`"
        self.faults.append(Diagnostic("L0703", f"there is no {kind} `{text}` to change", self.source, word.span, hint))
        return None


__all__ = ["CHANGES", "Expanded", "Finder", "Parser", "declared_name", "expand"]
