"""From the declarations of a rule book to the checked book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast

from ludo_dsl.check.expand import Expanded, declared_name
from ludo_dsl.check.expressions import Expressions
from ludo_dsl.check.scope import BOARD_NUMBERS, BUILTIN_COUNTERS, CLAIM, SETTLED, STATE, Let, Placed, Scope
from ludo_dsl.check.statements import STATEMENTS, Statements
from ludo_dsl.diagnostics import Label, suggestion
from ludo_dsl.rules.book import (
    AlwaysClaim,
    Assertion,
    BoardSpec,
    Book,
    Citation,
    Counter,
    Declaration,
    DeclarationKind,
    DiceSpec,
    Domain,
    FaceSet,
    GivenClaim,
    HostSetting,
    Link,
    Named,
    NeverClaim,
    PlayersSpec,
    Range,
    Sentence,
    Setting,
    Setup,
    Shoe,
    Sides,
    Value,
    Visibility,
    Word,
)
from ludo_dsl.rules.expressions import ALWAYS, Cases, ChoiceIs, CounterId, Expr, Number, SettingId
from ludo_dsl.rules.folding import conjunction
from ludo_dsl.rules.hosting import VOCABULARY
from ludo_dsl.rules.statements import Statement, StatementId
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax import tree
from ludo_dsl.syntax.parser import keywords
from ludo_dsl.syntax.tree import Node

_IN_EXPRESSIONS = ("option", "reading", "let", "counter")
_NEEDED = ("board", "players", "dice")


class Declarations:
    """Resolves all declarations of an expanded rule book."""

    def __init__(self, expanded: Expanded) -> None:
        self.expanded = expanded
        self.scope = Scope()
        self.statements: list[Statement] = []
        self.where: list[tuple[StatementId, Span]] = []
        self.declarations: list[Declaration] = []
        self.words: list[Word] = []
        self._host_names: dict[str, tuple[tree.Word, Source]] = {}

    def resolve(self) -> Book:
        """The checked book; faults are in `scope.diagnostics`."""
        self._declare()
        for kind in _NEEDED:
            found = list(self._placed(kind))
            if not found:
                head = self.expanded.head
                hint = f"add a line that begins with `{kind}`"
                self.scope.fault("L0405", f"the rule book has no `{kind}`", head.source, head.node.span, hint)
            for extra in found[1:]:
                here = Label(found[0].node.parts[0].span, "the first", found[0].source)
                self.scope.fault("L0202", f"a second `{kind}`", extra.source, extra.node.parts[0].span, "keep one of them", (here,))
        board, players, dice = self._board(), self._players(), self._dice()
        head = self.expanded.head
        self._describe(head, "variant", self._text(head.node.the("STRING")))
        for placed in self.expanded.declarations:
            self._declaration(placed)
        for let in self.scope.lets.values():
            # What a house rule leaves without use belongs to the other rule book, and is no fault of its own.
            if let.name.text not in self.scope.used and let.source == head.source:
                Expressions(self.scope, let.source).cases(let.cases, CLAIM)
                self.scope.fault(
                    "L0206", f"nothing uses the name `{let.name.text}`", let.source, let.name.span, "remove it, or use it in a rule"
                )
        counters = tuple(self._counter(p) for p in self._placed("counter"))
        return Book(
            name=head.node.the("NAME").text,
            title=self._text(head.node.the("STRING")),
            parent=self.expanded.parent,
            words=tuple(self.words),
            settings=tuple(self.scope.settings.values()),
            board=board,
            players=players,
            dice=dice,
            counters=counters,
            declarations=tuple(self.declarations),
            statements=tuple(self.statements),
            where=tuple(self.where),
        )

    # ---- names -------------------------------------------------------------------------------------------------------

    def _placed(self, kind: str) -> Iterable[Placed]:
        return (p for p in self.expanded.declarations if p.node.kind == kind)

    def _declare(self) -> None:
        named: dict[str, Placed] = {}
        values: dict[str, Placed] = {}
        for placed in self.expanded.declarations:
            name = declared_name(placed.node)
            if name is None:
                continue
            word = placed.node.the("NAME")
            if placed.node.kind in _IN_EXPRESSIONS and name in keywords().values():
                hint = f"choose another name, such as `my-{name}`"
                self.scope.fault("L0203", f"`{name}` is a word of the language and cannot be a name", placed.source, word.span, hint)
            # Rules, options, readings, hosts, shows and claims are spoken of by name; lets, counters, marks and
            # settings are used in expressions. A name means one thing in each of these.
            for group, kinds in (
                (named, ("rule", "option", "reading", "host", "show", "claim")),
                (values, ("option", "reading", "let", "counter")),
            ):
                if placed.node.kind not in kinds:
                    continue
                if name in group:
                    other = group[name]
                    label = Label(other.node.the("NAME").span, "the first", other.source)
                    cure = "give one of them another name"
                    if other.source != placed.source:
                        cure = f"write `replace {other.node.kind} {name}` to change it, or give yours another name"
                    self.scope.fault("L0202", f"`{name}` is declared twice", placed.source, word.span, cure, (label,))
                    continue
                group[name] = placed
            if placed.node.kind in ("let", "counter") and (name in BOARD_NUMBERS or name in BUILTIN_COUNTERS):
                self.scope.fault("L0203", f"`{name}` is a name that every rule book has", placed.source, word.span, "choose another name")
        for placed in self._placed("let"):
            name_word = placed.node.the("NAME")
            self.scope.lets[name_word.text] = Let(name_word, next(placed.node.nodes("cases")), placed.source)
        for placed in self._placed("counter"):
            holders = frozenset(h.text() for h in placed.node.nodes("holder"))
            self.scope.counters[placed.node.the("NAME").text] = holders
        for placed in self._placed("board"):
            for mark in placed.node.nodes("mark"):
                self._mark(mark, placed)
        for placed in self._placed("dice"):
            also = placed.node.node("also")
            self.scope.named_dice.update(w.text for w in also.words("NAME")) if also else None
            self.scope.faces = frozenset(face for face, _ in self._faces(placed.node))
        for placed in self.expanded.declarations:
            if placed.node.kind in ("option", "reading"):
                setting = self._setting(placed)
                self.scope.settings[setting.id] = setting

    def _mark(self, mark: Node, placed: Placed) -> None:
        word = mark.the("NAME")
        if word.text in keywords().values() or word.text in self.scope.lets:
            self.scope.fault("L0203", f"`{word.text}` cannot be the name of a mark", placed.source, word.span, "choose another name")
        if word.text in self.scope.marks:
            self.scope.fault(
                "L0202", f"the mark `{word.text}` is declared twice", placed.source, word.span, "give one of them another name"
            )
        self.scope.marks[word.text] = word.span

    # ---- settings ----------------------------------------------------------------------------------------------------

    def _setting(self, placed: Placed) -> Setting:
        node = placed.node
        name = SettingId(node.the("NAME").text)
        choices = next(node.nodes("named_values", "face_values", "number_values"))
        domain = self._domain(name, choices, placed)
        return Setting(
            id=name,
            role=cast(Literal["option", "reading"], node.kind),
            label=self._text(node.the("STRING")),
            domain=domain,
            only_if=ALWAYS,
            citations=self._citations(node),
            span=node.the("NAME").span,
        )

    def _domain(self, name: SettingId, choices: Node, placed: Placed) -> Domain:
        changed = [p for setting, p in self.expanded.defaults if setting == name]
        if choices.kind == "named_values":
            return self._named(name, choices, placed, changed)
        ints = list(choices.words("INT"))
        numbers = [int(w.text[:9]) for w in ints]
        if choices.kind == "face_values":
            default = frozenset(numbers)
            for change in changed:
                default = frozenset(int(v.text()) for v in change.node.nodes("setting_value") if v.text().isdigit())
                if not default:
                    self._bad_default(name, change, "give one or more faces")
            for word in ints:
                Expressions(self.scope, placed.source).check_face(int(word.text[:9]), word.span)
            return FaceSet(default or frozenset(numbers))
        low, high, number = numbers
        if low > high or not low <= number <= high:
            span = ints[0].span.to(ints[-1].span)
            self.scope.fault(
                "L0306", f"{number} is not a number from {low} to {high}", placed.source, span, "the default must be in the range"
            )
        for change in changed:
            text = next(change.node.nodes("setting_value")).text()
            if not text.isdigit() or not low <= int(text) <= high:
                self._bad_default(name, change, f"give a number from {low} to {high}")
            else:
                number = int(text)
        return Range(low, high, number)

    def _bad_default(self, name: SettingId, change: Placed, hint: str) -> None:
        value = next(change.node.nodes("setting_value"))
        self.scope.fault("L0204", f"`{name}` has no value `{value.text()}`", change.source, value.span, hint)

    def _named(self, name: SettingId, choices: Node, placed: Placed, changed: list[Placed]) -> Named:
        values: list[Value] = []
        defaults: list[str] = []
        for choice in choices.nodes("choice"):
            value = next(choice.nodes("value"))
            if any(v.name == value.text() for v in values):
                self.scope.fault("L0202", f"the value `{value.text()}` is declared twice", placed.source, value.span, "keep one of them")
            values.append(Value(value.text(), self._text(choice.the("STRING"))))
            if choice.has("DEFAULT"):
                defaults.append(value.text())
        if len(defaults) != 1:
            message = f"`{name}` has {'no default' if not defaults else 'several defaults'}"
            self.scope.fault("L0209", message, placed.source, placed.node.the("NAME").span, "begin exactly one value with `default`")
        default = defaults[0] if defaults else values[0].name
        for change in changed:
            text = next(change.node.nodes("setting_value")).text()
            if text not in [v.name for v in values]:
                self._bad_default(name, change, suggestion(text, [v.name for v in values], "values"))
            else:
                default = text
        return Named(tuple(values), default)

    # ---- declarations that people read -------------------------------------------------------------------------------

    def _declaration(self, placed: Placed) -> None:
        node = placed.node
        match node.kind:
            case "option" | "reading":
                self._setting_declaration(placed)
            case "rule":
                self._rule(placed)
            case "host" | "show":
                settings = tuple(self._host_setting(s, placed) for s in node.nodes("setting"))
                self._describe(placed, cast(DeclarationKind, node.kind), "", host_settings=settings)
            case "claim":
                self._claim(placed)
            case "words":
                self._words(placed)
                self._describe(placed, "words", "")
            case "let" | "counter" | "board" | "players" | "dice":
                self._describe(placed, cast(DeclarationKind, node.kind), "")

    def _setting_declaration(self, placed: Placed) -> None:
        node = placed.node
        name = SettingId(node.the("NAME").text)
        expressions = Expressions(self.scope, placed.source)
        only_if = expressions.condition(node.node("only_if"), SETTLED) or ALWAYS
        setting = self.scope.settings[name]
        self.scope.settings[name] = Setting(
            setting.id, setting.role, setting.label, setting.domain, only_if, setting.citations, setting.span
        )
        choices = next(node.nodes("named_values", "face_values", "number_values"))
        statements = Statements(name, ALWAYS, expressions)
        sentences: list[Sentence] = []
        if choices.kind != "named_values":
            sentences += self._lines(choices, statements, ALWAYS)
        for choice in choices.nodes("choice"):
            given = ChoiceIs(name, next(choice.nodes("value")).text())
            statements.given = given
            before = len(self.statements)
            sentences += self._lines(choice, statements, given)
            if len(self.statements) > before:
                self.scope.used.add(name)
        if any(True for _ in choices.nodes(*STATEMENTS)) and choices.kind != "named_values":
            self.scope.used.add(name)
        self._describe(placed, cast(DeclarationKind, node.kind), setting.label, sentences=tuple(sentences))

    def _rule(self, placed: Placed) -> None:
        node = placed.node
        expressions = Expressions(self.scope, placed.source)
        given = expressions.condition(node.node("condition"), SETTLED) or ALWAYS
        statements = Statements(node.the("NAME").text, given, expressions)
        sentences = self._lines(node, statements, ALWAYS)
        self._describe(placed, "rule", "", condition=given, sentences=tuple(sentences))

    def _lines(self, node: Node, statements: Statements, given: Expr) -> list[Sentence]:
        sentences = []
        for line in node.nodes():
            if line.kind == "sentence":
                sentences.append(self._sentence(line, statements.expressions, given))
            elif line.kind in STATEMENTS:
                statement = statements.resolve(line)
                self.statements.append(statement)
                self.where.append((statement.id, line.span))
        return sentences

    def _sentence(self, node: Node, expressions: Expressions, given: Expr) -> Sentence:
        condition = expressions.condition(node.node("condition"), SETTLED)
        text = self._text(node.the("STRING"))
        return Sentence(text, given if condition is None else conjunction(given, condition))

    def _describe(
        self,
        placed: Placed,
        kind: DeclarationKind,
        title: str,
        *,
        condition: Expr = ALWAYS,
        sentences: tuple[Sentence, ...] | None = None,
        host_settings: tuple[HostSetting, ...] = (),
        assertions: tuple[Assertion, ...] = (),
    ) -> None:
        node = placed.node
        if sentences is None:
            expressions = Expressions(self.scope, placed.source)
            sentences = tuple(self._sentence(s, expressions, ALWAYS) for s in node.nodes("sentence"))
        first = node.parts[0].span
        self.declarations.append(
            Declaration(
                kind=kind,
                name=declared_name(node) or node.kind if kind != "variant" else node.the("NAME").text,
                title=title,
                sentences=sentences,
                citations=self._citations(node),
                condition=condition,
                file=placed.source.name,
                span=node.span,
                line=placed.source.position(first.start)[0],
                host_settings=host_settings,
                assertions=assertions,
            )
        )

    def _citations(self, node: Node) -> tuple[Citation, ...]:
        """Every clause cited in a declaration, at its head or at one of its lines."""
        found: list[Citation] = []
        for part in node.nodes():
            if part.kind == "cites":
                found.extend(Citation(w.text, w.span) for w in part.words("CLAUSE"))
            elif part.kind in (
                "arms",
                "arm",
                "turning",
                "approach",
                "lane",
                "mark",
                "link",
                "colours",
                "seats",
                "sides",
                "setup_line",
                "first",
                "shoe",
            ):
                found.extend(self._citations(part))
        return tuple(found)

    def _words(self, placed: Placed) -> None:
        for word in placed.node.nodes("word"):
            strings = [self._text(s) for s in word.words("STRING")]
            called = (strings[1], strings[2]) if len(strings) == 3 else None
            self.words.append(Word(next(word.nodes("word_key")).text(), strings[0], called))

    def _host_setting(self, node: Node, placed: Placed) -> HostSetting:
        def value(part: Node) -> str | int:
            text = part.text()
            return int(text) if text.isdigit() else text

        values = tuple(value(v) for v in node.nodes("setting_value"))
        self._require_host_type(node, placed, [(value(v), v) for v in node.nodes("setting_value")])
        defaults = []
        expressions = Expressions(self.scope, placed.source)
        for default in node.nodes("setting_default"):
            chosen = next(default.nodes("setting_value"))
            if value(chosen) not in values:
                known = [str(v) for v in values]
                message = f"`{node.the('NAME').text}` has no value `{chosen.text()}`"
                self.scope.fault("L0204", message, placed.source, chosen.span, suggestion(chosen.text(), known, "values"))
            defaults.append((value(chosen), expressions.condition(default.node("condition"), SETTLED) or ALWAYS))
        return HostSetting(node.the("NAME").text, values, tuple(defaults))

    def _require_host_type(self, node: Node, placed: Placed, values: list[tuple[str | int, Node]]) -> None:
        """Sees to it that a setting of the table is one that there is, named once, with values of its type."""
        word = node.the("NAME")
        if word.text in self._host_names:
            other = self._host_names[word.text]
            label = Label(other[0].span, "the first", other[1])
            message = f"the host setting `{word.text}` is declared twice"
            self.scope.fault("L0202", message, placed.source, word.span, "keep one of them", (label,))
            return
        self._host_names[word.text] = (word, placed.source)
        kind = VOCABULARY.get(word.text)
        if kind is None:
            hint = suggestion(word.text, VOCABULARY, "host settings")
            self.scope.fault("L0801", f"there is no host setting `{word.text}`", placed.source, word.span, hint)
            return
        for value, part in values:
            if not kind.type.allows(value):
                hint = f"it is {kind.type}"
                self.scope.fault("L0802", f"the host setting `{word.text}` cannot be `{value}`", placed.source, part.span, hint)

    # ---- board -------------------------------------------------------------------------------------------------------

    def _number_cases(self, node: Node, source: Source) -> Expr:
        expressions = Expressions(self.scope, source)
        plain: Expr = Number(0)
        cases: list[tuple[Expr, Expr]] = []
        unconditional = 0
        for case in node.nodes("number_case"):
            condition = expressions.condition(case.node("condition"), SETTLED)
            value = expressions.number(next(case.nodes()), SETTLED)
            if condition is None:
                plain = value
                unconditional += 1
            else:
                cases.append((value, condition))
        if unconditional != 1:
            self.scope.fault(
                "L0305", "exactly one of the numbers stands without a condition", source, node.span, "as in `4, or 5 if players = 5`"
            )
        return Cases(tuple(cases), plain) if cases else plain

    def _board(self) -> BoardSpec:
        placed = next(iter(self._placed("board")), None)
        if placed is None:
            return BoardSpec(Number(4), Number(13), 2, 0, 5, False, (), ())
        node, source = placed.node, placed.source
        lines: dict[str, Node] = {}
        for line in node.nodes("arms", "arm", "turning", "approach", "lane"):
            if line.kind in lines:
                label = Label(lines[line.kind].parts[0].span, "the first", source)
                self.scope.fault("L0202", f"the board has `{line.kind}` twice", source, line.parts[0].span, "keep one of them", (label,))
            lines[line.kind] = line
        for kind in ("arms", "arm", "turning", "lane"):
            if kind not in lines:
                self.scope.fault("L0405", f"the board has no `{kind}`", source, node.parts[0].span, f"add a line that begins with `{kind}`")

        def number(kind: str, default: int) -> int:
            return int(lines[kind].the("INT").text[:9]) if kind in lines else default

        def cases(kind: str, default: int) -> Expr:
            return self._number_cases(next(lines[kind].nodes("number_cases")), source) if kind in lines else Number(default)

        expressions = Expressions(self.scope, source)
        marks = tuple((m.the("NAME").text, self._number_cases(next(m.nodes("number_cases")), source)) for m in node.nodes("mark"))
        links = []
        for link in node.nodes("link"):
            first, second = link.nodes("kind")
            links.append(Link(expressions.squares(first), expressions.squares(second), link.has("HOME"), int(link.the("INT").text[:9])))
        return BoardSpec(
            arms=cases("arms", 4),
            arm=cases("arm", 13),
            turning=number("turning", 2),
            approach=number("approach", 0),
            lane=number("lane", 5),
            slots="lane" in lines and lines["lane"].has("SLOTS"),
            marks=marks,
            links=tuple(links),
        )

    # ---- players -----------------------------------------------------------------------------------------------------

    def _players(self) -> PlayersSpec:
        placed = next(iter(self._placed("players")), None)
        if placed is None:
            return PlayersSpec(2, 2, (), (), (), (), None)
        node, source = placed.node, placed.source
        low_word, high_word = node.words("INT")
        low, high = int(low_word.text[:3]), int(high_word.text[:3])
        colours = tuple(
            (words[0].text, words[1].text if len(words) > 1 else None)
            for line in node.nodes("colours")
            for words in ([*c.words("NAME")] for c in line.nodes("colour"))
        )
        names = [c for c, _ in colours]
        for name in {n for n in names if names.count(n) > 1}:
            self.scope.fault("L0404", f"the colour `{name}` is named twice", source, node.span, "each colour is named once")
        expressions = Expressions(self.scope, source)

        def group(seat: Node) -> tuple[str, ...]:
            found = []
            for word in seat.words("NAME"):
                if word.text not in names:
                    hint = suggestion(word.text, names, "colours")
                    self.scope.fault("L0404", f"there is no colour `{word.text}`", source, word.span, hint)
                found.append(word.text)
            return tuple(found)

        seats: list[tuple[int, tuple[tuple[str, ...], ...]]] = []
        for line in node.nodes("seats"):
            count = int(line.the("INT").text[:3])
            seating = tuple(group(s) for s in line.nodes("seat"))
            flat = [c for seat in seating for c in seat]
            if len(seating) != count:
                self.scope.fault("L0403", f"{len(seating)} seats for {count} players", source, line.span, "name one seat for each player")
            if len(set(flat)) != len(flat):
                self.scope.fault("L0404", "a colour sits at two seats", source, line.span, "each colour has one seat")
            if node.has("OR") and low < count < high:
                self.scope.fault(
                    "L0403",
                    f"seats for {count} players, but {low} or {high} can play",
                    source,
                    line.span,
                    f"write `{low}..{high}`, or remove the line",
                )
            if count in [c for c, _ in seats]:
                self.scope.fault("L0202", f"the seats of {count} players are named twice", source, line.span, "keep one of them")
            seats.append((count, seating))
        if low > high or low < 1:
            self.scope.fault("L0403", f"`{low}..{high}` is no range of players", source, low_word.span.to(high_word.span), "as in `2..4`")
        for count in range(low, high + 1) if node.has("DOTS") else (low, high):
            if count not in [c for c, _ in seats]:
                hint = f"add a line `for {count} …` with their colours"
                self.scope.fault("L0403", f"nobody knows where {count} players sit", source, node.parts[0].span, hint)
        sides = tuple(
            Sides(tuple(group(s) for s in line.nodes("seat")), expressions.condition(line.node("condition"), SETTLED) or ALWAYS)
            for line in node.nodes("sides")
        )
        first_line = node.node("first")
        first_word = first_line.word("NAME") if first_line else None
        if first_word is not None and first_word.text not in names:
            hint = suggestion(first_word.text, names, "colours")
            self.scope.fault("L0404", f"there is no colour `{first_word.text}`", source, first_word.span, hint)
        setups = self._setups(node, source, expressions)
        first = first_word.text if first_word else None
        return PlayersSpec(low, high, colours, tuple(seats), sides, setups, first)

    def _setups(self, node: Node, source: Source, expressions: Expressions) -> tuple[Setup, ...]:
        found = []
        for line in node.nodes("setup_line"):
            counts = {"yard": 0, "start": 0}
            for part in line.nodes("setup"):
                counts["yard" if part.has("YARD") else "start"] += int(part.the("INT").text[:3])
            condition = expressions.condition(line.node("condition"), SETTLED) or ALWAYS
            found.append(Setup(counts["yard"], counts["start"], condition))
        if not found:
            self.scope.fault("L0405", "the players have no `pieces`", source, node.parts[0].span, "add a line such as `pieces 4 in yard`")
        if len({s.in_yard + s.on_start for s in found}) > 1:
            self.scope.fault(
                "L0406",
                "the number of pieces is not the same in all setups",
                source,
                node.span,
                "let every setup add up to the same number",
            )
        return tuple(found)

    # ---- dice, counters ----------------------------------------------------------------------------------------------

    def _faces(self, node: Node) -> tuple[tuple[int, int], ...]:
        plain = node.node("numbered_die")
        if plain is not None:
            sides = min(int(plain.the("SIDES_OF_DIE").text[1:7]), 1000)
            return tuple((face, 1) for face in range(1, sides + 1))
        found: dict[int, int] = {}
        for die in node.nodes("faced_die"):
            for face in die.nodes("face"):
                ints = [int(w.text[:9]) for w in face.words("INT")]
                found[ints[0]] = found.get(ints[0], 0) + (ints[1] if len(ints) > 1 else 1)
        return tuple(sorted(found.items()))

    def _dice(self) -> DiceSpec:
        placed = next(iter(self._placed("dice")), None)
        if placed is None:
            return DiceSpec(1, tuple((f, 1) for f in range(1, 7)), (), None)
        node = placed.node
        count = int(node.the("INT").text[:3])
        if not 1 <= count <= 4:
            self.scope.fault("L0306", f"{count} dice", placed.source, node.the("INT").span, "a turn is played with 1 to 4 dice")
        faces = self._faces(node)
        if not faces or any(face < 1 or weight < 1 for face, weight in faces):
            self.scope.fault("L0306", "a die has faces from 1 upwards, each with a weight from 1 upwards", placed.source, node.span)
        shoe_node = node.node("shoe")
        shoe = None
        if shoe_node is not None:
            expressions = Expressions(self.scope, placed.source)
            sets = expressions.number(next(shoe_node.nodes()), SETTLED)
            barred = tuple(
                (
                    cast(Literal["waits", "returns", "redrawn"], b.the("WAITS", "RETURNS", "REDRAWN").text),
                    expressions.condition(b.node("condition"), SETTLED) or ALWAYS,
                )
                for b in shoe_node.nodes("barred")
            )
            shoe = Shoe(sets, barred)
        return DiceSpec(count, faces, tuple(sorted(self.scope.named_dice)), shoe)

    def _counter(self, placed: Placed) -> Counter:
        node = placed.node
        name = node.the("NAME")
        scope = self.scope.counters[name.text]
        if scope not in ({"player"}, {"side"}, {"game"}, {"piece"}, {"player", "square"}):
            shown = " and ".join(sorted(scope))
            hint = "a counter is per player, side, game, piece, or player and square"
            self.scope.fault("L0306", f"a counter cannot be per {shown}", placed.source, node.span, hint)
        if scope == {"game"} and node.node("visibility"):
            message = f"`{name.text}` counts for the whole game: it has no owner from whose rivals it could be hidden"
            self.scope.fault("L0306", message, placed.source, node.span, "let it count per player, per side or per piece")
        if name.text not in self.scope.used and placed.source == self.expanded.head.source:
            self.scope.fault(
                "L0206", f"nothing reads the counter `{name.text}`", placed.source, name.span, "remove it, or use it in a condition"
            )
        expressions = Expressions(self.scope, placed.source)
        visibility = tuple(
            Visibility(
                cast(Literal["hidden", "secret"], v.the("HIDDEN", "SECRET").text),
                expressions.truth(next(v.nodes()), STATE),
                expressions.condition(v.node("condition"), SETTLED) or ALWAYS,
            )
            for v in node.nodes("visibility")
        )
        return Counter(CounterId(name.text), scope, visibility)

    # ---- claims ------------------------------------------------------------------------------------------------------

    def _claim(self, placed: Placed) -> None:
        node = placed.node
        expressions = Expressions(self.scope, placed.source)
        condition = expressions.condition(node.node("condition"), SETTLED) or ALWAYS
        sentences = []
        assertions: list[Assertion] = []
        for line in node.nodes():
            match line.kind:
                case "sentence":
                    sentences.append(self._sentence(line, expressions, ALWAYS))
                case "claim_never":
                    assertions.append(self._never_claim(line, expressions))
                case "claim_always":
                    assertions.append(self._always_claim(line, expressions))
                case "claim_given":
                    assertions.append(self._given_claim(line, placed))
        self._describe(placed, "claim", "", condition=condition, sentences=tuple(sentences), assertions=tuple(assertions))

    @staticmethod
    def _event(node: Node, expressions: Expressions) -> tuple[str, Expr | None]:
        kind = node.node("kind")
        return node.kind.replace("_", " "), expressions.squares(kind) if kind else None

    def _never_claim(self, line: Node, expressions: Expressions) -> Assertion:
        event, squares = self._event(next(line.nodes()), expressions)
        return NeverClaim(event, squares, expressions.condition(line.node("condition"), CLAIM) or ALWAYS)

    def _always_claim(self, line: Node, expressions: Expressions) -> Assertion:
        holds, *rest = line.nodes()
        event = self._event(rest[0], expressions)[0] if rest else None
        condition = expressions.condition(line.node("condition"), CLAIM) or ALWAYS
        return AlwaysClaim(expressions.truth(holds, CLAIM), event, condition)

    def _given_claim(self, line: Node, placed: Placed) -> Assertion:
        range_node = line.node("range")
        variable = None
        if range_node is not None:
            low, high = (int(w.text[:4]) for w in range_node.words("INT"))
            variable = (range_node.the("NAME").text, low, high)
        rolls = line.node("given_roll")
        found: list[str] = []
        if rolls is not None:
            for roll in rolls.nodes():
                text = placed.source.slice(roll.span).strip()
                found.append(text)
        outcomes = []
        for outcome in line.nodes("outcome_legal", "outcome_refuse", "outcome_move", "outcome_gives"):
            kind = cast(Literal["legal", "refuse", "move", "gives"], outcome.kind.removeprefix("outcome_"))
            outcomes.append((kind, tuple(self._text(s) for s in outcome.words("STRING"))))
        return GivenClaim(variable, self._text(line.the("STRING")), tuple(found), tuple(outcomes))

    # ---- small things ------------------------------------------------------------------------------------------------

    @staticmethod
    def _text(word: tree.Word) -> str:
        return word.text[1:-1]
