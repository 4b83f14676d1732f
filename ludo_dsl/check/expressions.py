"""Names and types of expressions: from the syntax tree to checked expressions."""

from __future__ import annotations

from ludo_dsl.check.scope import BOARD_NUMBERS, BUILTIN_COUNTERS, DEEPEST, LARGEST_LET, MOST_EXPANDED, STATE, Context, Scope
from ludo_dsl.diagnostics import suggestion
from ludo_dsl.rules.book import FaceSet, Named, Range
from ludo_dsl.rules.expressions import (
    NEVER,
    TRUTH_FACTS,
    And,
    BoardNumber,
    Cases,
    Choice,
    ChoiceIs,
    Compare,
    CounterId,
    CounterOf,
    DieIn,
    DieIs,
    Every,
    EveryDie,
    Expr,
    Faces,
    Fact,
    FactOf,
    Highest,
    Kind,
    Measure,
    Not,
    Nouns,
    Number,
    OnMark,
    Or,
    Owner,
    Place,
    Product,
    Quantity,
    RolledTimes,
    SettingId,
    SquareIs,
    Squares,
    Sum,
    Where,
)
from ludo_dsl.rules.folding import children
from ludo_dsl.source import Source, Span
from ludo_dsl.syntax.tree import Node, Word

Typed = tuple[Expr, Kind]

_COUNTABLE = {Quantity.COUNT, Quantity.MOVABLE, Quantity.STUCK, Quantity.GROUPS}
_FACTS = {fact.value: fact for fact in Fact}
_SQUARE_WORDS = {"start", "own start", "track", "lane"}


class Expressions:
    """Resolves the expressions of one declaration, in one text."""

    def __init__(self, scope: Scope, source: Source) -> None:
        self.scope = scope
        self.source = source

    # ---- what a place wants ------------------------------------------------------------------------------------------

    def condition(self, node: Node | None, context: Context) -> Expr | None:
        """The condition of an optional `if` phrase (or of a bare expression); nothing if there is none."""
        if node is None:
            return None
        inner = next(node.nodes()) if node.kind in ("condition", "only_if") else node
        return self.truth(inner, context)

    def truth(self, node: Node, context: Context) -> Expr:
        """A condition; a count of pieces stands for `at least one`."""
        before = len(self.scope.diagnostics)
        expr, kind = self.typed(node, context)
        if kind is Kind.TRUTH:
            return expr
        if kind is Kind.NUMBER and _is_countable(expr):
            return Compare(">=", expr, Number(1))
        if len(self.scope.diagnostics) > before:
            return NEVER  # what is not known has no type: one mistake, one fault
        if kind is Kind.NUMBER:
            self._fault("L0301", "a condition is wanted here, and this is a number", node.span, "compare it, as in `… >= 1`")
        else:
            self._fault("L0301", "a condition is wanted here, and this is a kind of square", node.span, "write `here is …`")
        return NEVER

    def number(self, node: Node, context: Context) -> Expr:
        """A number."""
        before = len(self.scope.diagnostics)
        expr, kind = self.typed(node, context)
        if kind is not Kind.NUMBER:
            if len(self.scope.diagnostics) == before:
                hint = "numbers are counts of pieces, measures, counters and what a turn knows, such as `turn rolls`"
                self._fault("L0301", f"a number is wanted here, and this is a {kind}", node.span, hint)
            return Number(0)
        return expr

    def value(self, node: Node, context: Context) -> Expr:
        """A number, or a condition that counts as 1 where it holds and 0 where not: what sides are ranked by."""
        expr, kind = self.typed(node, context)
        if kind is Kind.SQUARES:
            self._fault("L0301", "a number is wanted here, and this is a kind of square", node.span)
            return Number(0)
        return expr

    def squares(self, node: Node) -> Expr:
        """A kind of square named in a `kind` phrase."""
        text = node.text()
        if text in _SQUARE_WORDS:
            return Squares(frozenset({text}))
        word = node.the("NAME")
        return self._squares_named(word)

    def _squares_named(self, word: Word) -> Expr:
        if word.text in self.scope.marks:
            self.scope.used.add(word.text)
            return Squares(frozenset({word.text}))
        if word.text in self.scope.lets:
            expr, kind = self._let(word, STATE)
            if kind is Kind.SQUARES:
                return expr
            self._fault("L0301", f"`{word.text}` is a {kind}, not a kind of square", word.span)
            return Squares(frozenset())
        known = [*self.scope.marks, *self.scope.lets, *_SQUARE_WORDS]
        self._fault("L0201", f"there is no kind of square `{word.text}`", word.span, suggestion(word.text, known, "kinds of square"))
        return Squares(frozenset())

    # ---- expressions -------------------------------------------------------------------------------------------------

    def typed(self, node: Node, context: Context) -> Typed:
        """The expression and its type."""
        handler = getattr(self, f"_{node.kind.rstrip('_')}")
        if self.scope.depth >= DEEPEST:
            self._fault("L0105", "phrases are nested too deeply here", node.span, "give parts of the condition names with `let`")
            return NEVER, Kind.TRUTH
        self.scope.depth += 1
        result: Typed = handler(node, context)
        self.scope.depth -= 1
        return result

    def _or(self, node: Node, context: Context) -> Typed:
        parts = list(node.nodes())
        kinds = [self._peek(p, context) for p in parts if not self._is_unknown(p)]
        if kinds and all(k is Kind.SQUARES for k in kinds):
            return Or(tuple(self.typed(p, context)[0] for p in parts)), Kind.SQUARES
        return Or(tuple(self.truth(p, context) for p in parts)), Kind.TRUTH

    def _peek(self, node: Node, context: Context) -> Kind | None:
        """Whether a phrase names a kind of square, without reporting anything."""
        if node.kind in ("start_kind", "none_kind"):
            return Kind.SQUARES
        if node.kind == "named":
            name = node.the("NAME").text
            if name in self.scope.marks:
                return Kind.SQUARES
            if name in self.scope.lets and name not in self.scope.open_lets:
                return self._let(node.the("NAME"), context)[1]
        return None

    def _is_unknown(self, node: Node) -> bool:
        """Whether a phrase is a name that is declared nowhere."""
        return node.kind == "named" and node.the("NAME").text not in self.scope.number_names()

    def _and(self, node: Node, context: Context) -> Typed:
        return And(tuple(self.truth(p, context) for p in node.nodes())), Kind.TRUTH

    def _not(self, node: Node, context: Context) -> Typed:
        return Not(self.truth(next(node.nodes()), context)), Kind.TRUTH

    def _group(self, node: Node, context: Context) -> Typed:
        return self.typed(next(node.nodes()), context)

    def _compare(self, node: Node, context: Context) -> Typed:
        left, right = node.nodes()
        op = node.the("COMPARE").text
        a, b = self.number(left, context), self.number(right, context)
        for one, other, place in ((a, b, right), (b, a, left)):
            if one == FactOf(Fact.DIE) and isinstance(other, Number) and op == "=":
                self.check_face(other.value, place.span)
        return Compare(op, a, b), Kind.TRUTH

    def check_face(self, face: int, span: Span) -> None:
        """Reports a face that the dice do not have."""
        if self.scope.faces and face not in self.scope.faces:
            faces = ", ".join(str(f) for f in sorted(self.scope.faces))
            self._fault("L0303", f"the dice have no face {face}", span, f"their faces are {faces}")

    def _sum(self, node: Node, context: Context) -> Typed:
        terms: list[tuple[int, Expr]] = []
        sign = 1
        for part in node.parts:
            if isinstance(part, Word):
                sign = 1 if part.kind == "PLUS" else -1
            else:
                terms.append((sign, self.number(part, context)))
        return Sum(tuple(terms)), Kind.NUMBER

    def _product(self, node: Node, context: Context) -> Typed:
        return Product(tuple(self.number(p, context) for p in node.nodes())), Kind.NUMBER

    def _literal(self, node: Node, context: Context) -> Typed:
        return Number(int(node.the("INT").text[:9])), Kind.NUMBER

    def _players_fact(self, node: Node, context: Context) -> Typed:
        return FactOf(Fact.PLAYERS), Kind.NUMBER

    def _fact(self, node: Node, context: Context) -> Typed:
        fact = _FACTS[node.text()]
        self._allowed(fact in context.facts, f"`{fact}`", node.span, context)
        return FactOf(fact), Kind.TRUTH if fact in TRUTH_FACTS else Kind.NUMBER

    def _die_face(self, node: Node, context: Context) -> Typed:
        self._allowed(context.dice, "`die`", node.span, context)
        return FactOf(Fact.DIE), Kind.NUMBER

    def _start_kind(self, node: Node, context: Context) -> Typed:
        return Squares(frozenset({"start"})), Kind.SQUARES

    def _none_kind(self, node: Node, context: Context) -> Typed:
        return Squares(frozenset()), Kind.SQUARES

    def _named(self, node: Node, context: Context) -> Typed:
        word = node.the("NAME")
        name = word.text
        if name in self.scope.lets:
            return self._let(word, context)
        if name in self.scope.counters:
            self.scope.used.add(name)
            scope = self.scope.counters[name]
            self._allowed(context.game, f"the counter `{name}`", word.span, context)
            if "square" in scope:
                self._fault("L0301", f"`{name}` counts per square: of which square?", word.span, f"write `{name} here`")
            if scope == {"piece"} and not context.here:
                self._fault("L0304", f"`{name}` counts per piece, and no piece is meant here", word.span, f"write `highest {name} of own`")
            return CounterOf(CounterId(name)), Kind.NUMBER
        if name in BUILTIN_COUNTERS:
            self._allowed(context.game, f"`{name}`", word.span, context)
            return FactOf(BUILTIN_COUNTERS[name]), Kind.NUMBER
        if name in self.scope.settings:
            return self._setting_number(word)
        if name in self.scope.marks:
            return self._squares_named(word), Kind.SQUARES
        if name in BOARD_NUMBERS:
            return BoardNumber(name), Kind.NUMBER
        self._fault("L0201", f"there is no `{name}`", word.span, suggestion(name, self.scope.number_names(), "names"))
        return Number(0), Kind.NUMBER

    def _setting_number(self, word: Word) -> Typed:
        setting = self.scope.settings[word.text]
        self.scope.used.add(word.text)
        if isinstance(setting.domain, Range):
            return Choice(SettingId(word.text)), Kind.NUMBER
        cure = f"`die in {word.text}`" if isinstance(setting.domain, FaceSet) else f"`{word.text} is {setting.default}`"
        self._fault("L0301", f"the {setting.role} `{word.text}` is no number", word.span, f"ask for its value, as in {cure}")
        return Number(0), Kind.NUMBER

    def _named_here(self, node: Node, context: Context) -> Typed:
        word = node.the("NAME")
        scope = self.scope.counters.get(word.text)
        self.scope.used.add(word.text)
        if scope is None or "square" not in scope:
            known = [n for n, s in self.scope.counters.items() if "square" in s]
            self._fault("L0201", f"there is no counter per square `{word.text}`", word.span, suggestion(word.text, known, "counters"))
            return Number(0), Kind.NUMBER
        self._allowed(context.here, "`here`", node.span, context)
        return CounterOf(CounterId(word.text)), Kind.NUMBER

    def _let(self, word: Word, context: Context) -> Typed:
        name = word.text
        self.scope.used.add(name)
        let = self.scope.lets[name]
        if name in self.scope.open_lets:
            ring = " → ".join([*self.scope.open_lets[self.scope.open_lets.index(name) :], name])
            self._fault("L0207", f"`{name}` is defined by itself", word.span, f"the circle is `{ring}`")
            return Number(0), Kind.NUMBER
        # What a name means hangs on nothing but its definition; where it may stand is checked by what it asks about.
        key = f"{name}/{context.name}"
        if key not in self.scope.resolved_lets:
            self.scope.open_lets.append(name)
            inner = Expressions(self.scope, let.source)
            resolved = inner.cases(let.cases, context)
            self.scope.open_lets.pop()
            self.scope.let_sizes[key], deep = _size(resolved[0])
            if deep or self.scope.let_sizes[key] > LARGEST_LET:
                hint = "names may stand for names, but not so many of them"
                self.scope.fault("L0208", f"`{name}` stands for too much to be read", let.source, let.name.span, hint)
                resolved = _nothing(resolved[1])
            self.scope.resolved_lets[key] = resolved
        self.scope.expanded += self.scope.let_sizes[key]
        if self.scope.expanded > MOST_EXPANDED:
            if self.scope.expanded <= MOST_EXPANDED + LARGEST_LET:
                self._fault("L0208", "names stand for too much in this rule book", word.span, f"`{name}` is used in too many places")
            return _nothing(self.scope.resolved_lets[key][1])
        return self.scope.resolved_lets[key]

    def cases(self, node: Node, context: Context) -> Typed:
        """The value of a name: one expression, or several with conditions."""
        parts = list(node.nodes())
        typed: list[tuple[Node, Node | None]] = []
        for part in parts:
            if part.kind == "case":
                inner = list(part.nodes())
                typed.append((inner[0], inner[1] if len(inner) > 1 else None))
            else:
                typed.append((part, None))
        resolved = [(self.typed(value, context), condition, value) for value, condition in typed]
        kind = resolved[0][0][1]
        values: list[tuple[Expr, Node | None]] = []
        for (expr, its_kind), condition, place in resolved:
            if its_kind is not kind and {its_kind, kind} == {Kind.TRUTH, Kind.NUMBER} and _is_countable(expr):
                expr, its_kind = Compare(">=", expr, Number(1)), Kind.TRUTH
            if its_kind is not kind:
                self._fault("L0301", f"this is a {its_kind}, and the first case is a {kind}", place.span, "all cases are of one type")
            values.append((expr, condition))
        if len(values) == 1 and values[0][1] is None:
            return values[0][0], kind
        otherwise = values[-1][0] if values[-1][1] is None else None
        if otherwise is None:
            self._fault("L0305", "no case is left when none of the conditions holds", node.span, "end with `, otherwise …`")
        conditional = values[:-1] if otherwise is not None else values
        found = []
        for expr, condition in conditional:
            if condition is None:
                self._fault("L0305", "only the last case can do without a condition", node.span)
                continue
            found.append((expr, self.truth(next(condition.nodes()), context)))
        return Cases(tuple(found), otherwise), kind

    # ---- comparisons with words --------------------------------------------------------------------------------------

    def _option_is(self, node: Node, context: Context) -> Typed:
        name, value = node.the("NAME"), next(node.nodes("value"))
        expr = self.choice_is(name, value)
        return (Not(expr) if node.has("NOT") else expr), Kind.TRUTH

    def choice_is(self, name: Word, value: Node) -> Expr:
        """Whether an option or reading has a value, both given by name."""
        setting = self.scope.settings.get(name.text)
        if setting is None:
            known = list(self.scope.settings)
            self._fault(
                "L0201", f"there is no option or reading `{name.text}`", name.span, suggestion(name.text, known, "options and readings")
            )
            return NEVER
        self.scope.used.add(name.text)
        if not isinstance(setting.domain, Named):
            self._fault("L0301", f"the {setting.role} `{name.text}` has no named values", name.span, "compare it as a number")
            return NEVER
        values = [v.name for v in setting.domain.values]
        if value.text() not in values:
            message = f"the {setting.role} `{name.text}` has no value `{value.text()}`"
            self._fault("L0204", message, value.span, suggestion(value.text(), values, "values"))
            return NEVER
        return ChoiceIs(SettingId(name.text), value.text())

    def _square_is(self, node: Node, context: Context) -> Typed:
        self._allowed(context.here, f"`{node.parts[0].text if isinstance(node.parts[0], Word) else ''}`", node.span, context)
        subject = "from" if node.has("FROM") else "here"
        expr = SquareIs(subject, self.squares(next(node.nodes("kind"))))
        return (Not(expr) if node.has("NOT") else expr), Kind.TRUTH

    def _die_is(self, node: Node, context: Context) -> Typed:
        self._allowed(context.dice, "`die`", node.span, context)
        word = node.the("NAME")
        if word.text not in self.scope.named_dice:
            hint = suggestion(word.text, self.scope.named_dice, "named dice")
            if word.text in self.scope.settings:
                hint = f"write `die in {word.text}`"
            self._fault("L0201", f"there is no named die `{word.text}`", word.span, hint)
            return NEVER, Kind.TRUTH
        expr = DieIs(word.text)
        return (Not(expr) if node.has("NOT") else expr), Kind.TRUTH

    def _die_in(self, node: Node, context: Context) -> Typed:
        self._allowed(context.dice, "`die`", node.span, context)
        word = node.the("NAME")
        setting = self.scope.settings.get(word.text)
        if setting is None or not isinstance(setting.domain, FaceSet):
            known = [s.id for s in self.scope.settings.values() if isinstance(s.domain, FaceSet)]
            message = f"there is no option or reading of faces `{word.text}`"
            hint = suggestion(word.text, known, "options of faces")
            if setting is not None and isinstance(setting.domain, Named):
                hint = f"it has named values: write `{word.text} is {setting.default}`"
            self._fault("L0201", message, word.span, hint)
            return NEVER, Kind.TRUTH
        self.scope.used.add(word.text)
        return DieIn(Faces(SettingId(word.text))), Kind.TRUTH

    def _every_die(self, node: Node, context: Context) -> Typed:
        self._allowed(context.dice, "`every die`", node.span, context)
        face = int(node.the("INT").text[:9])
        if node.the("COMPARE").text == "=":
            self.check_face(face, node.the("INT").span)
        return EveryDie(node.the("COMPARE").text, face), Kind.TRUTH

    def _rolled_times(self, node: Node, context: Context) -> Typed:
        self._allowed(context.game, "the rolls of the turn", node.span, context)
        face, times = node.words("INT")
        self.check_face(int(face.text[:9]), face.span)
        if int(times.text[:9]) < 1:
            self._fault("L0302", "a face has always been rolled 0 times", times.span, "count from 1")
        return RolledTimes(int(face.text[:9]), int(times.text[:9]), node.has("ROW")), Kind.TRUTH

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def nouns(self, node: Node, context: Context) -> Nouns:
        """A choice of pieces."""
        self._allowed(context.game, f"`{node.text()}`", node.span, context)
        owner = Owner(next(node.nodes("owner")).text())
        places: list[Place] = []
        for part in node.nodes("place"):
            text = part.text()
            if text == "here":
                self._allowed(context.here, "`here`", part.span, context)
            mark = part.word("NAME")
            if mark is not None:
                if mark.text not in self.scope.marks:
                    self._fault("L0201", f"there is no mark `{mark.text}`", mark.span, suggestion(mark.text, self.scope.marks, "marks"))
                places.append(OnMark(mark.text))
            else:
                places.append(Where(text))
        return Nouns(owner, tuple(places))

    def _some(self, node: Node, context: Context) -> Typed:
        return Measure(Quantity.COUNT, self.nouns(next(node.nodes("nouns")), context)), Kind.NUMBER

    def _every(self, node: Node, context: Context) -> Typed:
        nouns = self.nouns(next(node.nodes("nouns")), context)
        if not nouns.places:
            self._fault("L0302", f"`{node.text()}` says nothing about the pieces", node.span, "add where they are, as in `all own at home`")
        return Every(nouns), Kind.TRUTH

    def _measure(self, node: Node, context: Context) -> Typed:
        quantity = Quantity(next(node.words()).text)
        if quantity in (Quantity.MOVABLE, Quantity.STUCK):
            self._allowed(context.choices, f"`{quantity}`", node.span, context)
        return Measure(quantity, self.nouns(next(node.nodes("nouns")), context)), Kind.NUMBER

    def _groups(self, node: Node, context: Context) -> Typed:
        self._allowed(context.choices, "`movable`", node.span, context)
        return Measure(Quantity.GROUPS, self.nouns(next(node.nodes("nouns")), context)), Kind.NUMBER

    def _highest(self, node: Node, context: Context) -> Typed:
        word = node.the("NAME")
        self.scope.used.add(word.text)
        if self.scope.counters.get(word.text) != frozenset({"piece"}):
            known = [n for n, s in self.scope.counters.items() if s == {"piece"}]
            self._fault(
                "L0201", f"there is no counter per piece `{word.text}`", word.span, suggestion(word.text, known, "counters per piece")
            )
            return Number(0), Kind.NUMBER
        return Highest(CounterId(word.text), self.nouns(next(node.nodes("nouns")), context)), Kind.NUMBER

    # ---- faults ------------------------------------------------------------------------------------------------------

    def _allowed(self, holds: bool, what: str, span: Span, context: Context) -> None:
        if not holds:
            self._fault("L0304", f"{what} has no meaning in {context.name}", span, _cure(what, context))

    def _fault(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.scope.fault(code, message, self.source, span, hint)


def _size(expr: Expr) -> tuple[int, bool]:
    """How many phrases an expression has, as far as that is readable, and whether they are nested too deeply."""
    level: list[Expr] = [expr]
    count = depth = 0
    while level and count <= LARGEST_LET and depth <= DEEPEST:
        count += len(level)
        depth += 1
        level = [part for e in level for part in children(e)]
    return count, depth > DEEPEST


def _nothing(kind: Kind) -> Typed:
    """A value of the type, for what has been reported."""
    values: dict[Kind, Expr] = {Kind.TRUTH: NEVER, Kind.NUMBER: Number(0), Kind.SQUARES: Squares(frozenset())}
    return values[kind], kind


def _is_countable(expr: Expr) -> bool:
    return (isinstance(expr, Measure) and expr.quantity in _COUNTABLE) or expr == FactOf(Fact.CAPTURED)


_OF_MOVES = "what a move does is known when it is made: ask in `when moved` or `when landing`"
_OF_CHOICES = "only a `must`, `may pass`, `when no move` or `when turn starts` can ask what could be moved"
_OF_PLACES = "only a move leads to a square: ask in a `may`, a `never`, a `must` or `when landing`"
_OF_DICE = "a die is known once it is rolled: ask in a `may`, in `when rolled` or in `when moved`"
_CURES = {
    **dict.fromkeys(("`captured`", "`walked`", "`came home`", "`sent back`", "`entered`", "`retreating`"), _OF_MOVES),
    **dict.fromkeys(("`movable`", "`stuck`"), _OF_CHOICES),
    **dict.fromkeys(("`here`", "`from`"), _OF_PLACES),
    **dict.fromkeys(("`die`", "`every die`"), _OF_DICE),
}


def _cure(what: str, context: Context) -> str:
    if not context.game:
        return "options, readings and the number of players are known there"
    return _CURES.get(what, "ask for it where it is known: the page on checking lists what can be asked where")


__all__ = ["Expressions"]
