"""The parser: spans, the grammar itself, several faults at once, encodings, and what is said about typical mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Lark

from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.resources import spec_path
from ludo_dsl.source import Source
from ludo_dsl.syntax import parser
from ludo_dsl.syntax.faults import DECLARATIONS
from ludo_dsl.syntax.parser import decode, parse, read_source
from ludo_dsl.syntax.tree import Node, Word

BOOKS = sorted(Path(str(spec_path("variants"))).glob("*.ludo"))
HEAD = 'variant x "X"\n\n'


def tree(text: str) -> Node:
    return parse(Source("book.ludo", HEAD + text))


def faults(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RuleBookError) as caught:
        tree(text)
    return caught.value.diagnostics


def fault(text: str) -> Diagnostic:
    (only,) = faults(text)
    return only


def told(diagnostic: Diagnostic) -> tuple[int, str]:
    """The line of a diagnostic, not counting the head, and the text that it marks."""
    line, _ = diagnostic.source.position(diagnostic.span.start)
    return line - HEAD.count("\n"), diagnostic.source.slice(diagnostic.span)


def phrases(node: Node) -> Iterator[Node | Word]:
    yield node
    for part in node.parts:
        if isinstance(part, Node):
            yield from phrases(part)
        else:
            yield part


def only(node: Node, kind: str) -> Node:
    (found,) = (p for p in phrases(node) if isinstance(p, Node) and p.kind == kind)
    return found


# ---- the grammar ---------------------------------------------------------------------------------------------------------


def test_the_grammar_has_no_conflicts() -> None:
    pytest.importorskip("interegular")
    text = spec_path("grammar", "ludo.lark").read_text(encoding="utf-8")
    Lark(text, start=["book", "variant", "declarations"], parser="lalr", strict=True, maybe_placeholders=False)


def test_every_keyword_of_a_declaration_is_a_word_of_the_grammar() -> None:
    assert set(DECLARATIONS) <= set(parser.keywords().values())


# ---- spans ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_spans_cover_their_words(book: Path) -> None:
    source = read_source(book)
    for part in phrases(parse(source)):
        covered = source.slice(part.span)
        if isinstance(part, Word):
            assert covered == part.text
        else:
            inner = [p.span for p in part.parts]
            assert inner == sorted(inner)
            assert all(part.span.start <= span.start and span.end <= part.span.end for span in inner)
            assert covered == covered.strip() or part.kind == "book"


def test_the_span_of_a_phrase_includes_its_brackets() -> None:
    text = "rule a [AA-01 AA-02]\n  may enter if (die = 6 or captured) and entered\n"
    source = Source("book.ludo", HEAD + text)
    book = parse(source)
    covered = {kind: source.slice(only(book, kind).span) for kind in ("cites", "group", "or_", "condition", "rule")}
    assert covered == {
        "cites": "[AA-01 AA-02]",
        "group": "(die = 6 or captured)",
        "or_": "die = 6 or captured",
        "condition": "if (die = 6 or captured) and entered",
        "rule": text.rstrip(),
    }


def test_layout_and_comments_do_not_change_the_tree() -> None:
    assert tree("rule a\n  may enter if die = 6\n") == tree("# first\nrule a may # here\nenter if\n\tdie=6")
    assert tree("rule a\n  may enter if die = 6\n") != tree("rule a\n  may enter if die = 5\n")


# ---- several faults in one run -------------------------------------------------------------------------------------------


def test_every_broken_declaration_is_told_on_its_own_line() -> None:
    found = faults(
        "rule a\n  may advnce\n\n"  # 1-3
        "rule b\n  may advance\n\n"  # 4-6
        "option c\n  default on\n\n"  # 7-9
        "board\n  arms\n\n"  # 10-12
        "let d = 1\n"
    )
    assert [told(f) for f in found] == [(2, "advnce"), (8, "default"), (11, "s")]
    assert [f.code for f in found] == ["L0101", "L0101", "L0102"]


def test_a_misspelt_declaration_is_told_beside_the_fault_before_it() -> None:
    found = faults("rule a\n  may advnce\n\nrul b\n  may advance\n\nlett c = 1\nlet d = 2\n")
    assert [(told(f), f.hint) for f in found] == [
        ((2, "advnce"), "did you mean `advance`?"),
        ((4, "rul"), "did you mean `rule`?"),
        ((7, "lett"), "did you mean `let`?"),
    ]


def test_a_fault_hides_nothing_of_later_declarations_in_the_tree_of_a_good_book() -> None:
    kinds = [part.kind for part in tree("let a = 1\nrule b\n  may pass\nlet c = 2\n").nodes()]
    assert kinds == ["variant", "let", "rule", "let"]


# ---- encodings and sizes -------------------------------------------------------------------------------------------------


def test_byte_order_mark_and_line_ends_do_not_matter() -> None:
    text = 'variant x "X"\n\nrule a\n  may pass\n'
    marked = decode("b", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert marked.text == text
    assert decode("b", text.replace("\n", "\r").encode()).text == text
    assert parse(marked) == parse(Source("a", text))


def test_carriage_returns_that_were_not_decoded_do_not_matter_either() -> None:
    assert parse(Source("a", 'variant x "X"\r\nrule a\r\n  may pass\r\n')) == parse(Source("a", 'variant x "X"\nrule a\n  may pass\n'))


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b'variant x "X"\n"\xff"', "L0001", 2),
        (b"x" * (4 * parser.LARGEST + 1), "L0003", 1),
    ],
)
def test_bytes_that_are_no_text(data: bytes, code: str, line: int) -> None:
    with pytest.raises(RuleBookError) as caught:
        decode("book.ludo", data)
    (found,) = caught.value.diagnostics
    assert (found.code, found.source.position(found.span.start)[0]) == (code, line)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match="cannot read the file"):
        read_source(tmp_path / "none.ludo")


def test_too_long_a_text_and_control_characters() -> None:
    with pytest.raises(RuleBookError) as caught:
        parse(Source("book.ludo", HEAD + "#" * parser.LARGEST))
    assert caught.value.diagnostics[0].code == "L0003"
    bell = fault("rule a\n  may\x07 pass\n")
    assert (bell.code, told(bell)) == ("L0002", (2, "\x07"))


def test_phrases_nested_too_deeply() -> None:
    assert fault(f"let a = {'(' * 200}1{')' * 200}\n").code == "L0105"


# ---- a book as a whole ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "rule a\n  may pass\n"])
def test_a_book_begins_with_its_variant(text: str) -> None:
    with pytest.raises(RuleBookError) as caught:
        parse(Source("book.ludo", text))
    assert [d.code for d in caught.value.diagnostics] == ["L0106"]


def test_a_second_variant() -> None:
    second = fault('rule a\n  may pass\nvariant y "Y"\n')
    assert (second.code, told(second)) == ("L0107", (3, 'variant y "Y"'))


# ---- typical mistakes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        ("rul travel\n  may pass\n", (1, "rul"), "rule"),
        ("let a = 1\nrul travel\n  may pass\n", (2, "rul"), "rule"),
        ("rulee travel\n  may pass\n", (1, "rulee"), "rule"),
        ("bord\n  arms 4\n", (1, "bord"), "board"),
        ("replac rule a\n  may pass\n", (1, "replac"), "replace"),
        ("rule a\n  mya pass\n", (2, "mya"), "may"),
        ("rule a\n  may advances\n", (2, "advances"), "advance"),
        ("rule a\n  when landig on track\n    roll again\n", (2, "landig"), "landing"),
        ("rule a\n  when moved\n    snd own to yard\n", (3, "snd"), "send"),
        ("rule a\n  when moved\n    send own to yrd\n", (3, "yrd"), "yard"),
        ("rule a\n  past home nevr\n", (2, "nevr"), "never"),
        ("rule a\n  may pass if own ot = 0\n", (2, "ot"), "out"),
        # Taken for a name at first: the fault shows one word later.
        ("rule a\n  may pass if evry die = 6\n", (2, "evry"), "every"),
        ("rule a\n  may pass if movble own = 1\n", (2, "movble"), "movable"),
        ('option a "A"\n  defalt on "On"\n', (2, "defalt"), "default"),
        ("players 2..4\n  color red\n", (2, "color"), "colours"),
        ("claim a\n  allways 1 = 1\n", (2, "allways"), "always"),
    ],
)
def test_misspelt_words(text: str, place: tuple[int, str], meant: str) -> None:
    found = fault(text)
    assert (found.code, found.message, told(found)) == ("L0101", f"`{place[1]}` was not expected here", place)
    assert found.hint == f"did you mean `{meant}`?"


@pytest.mark.parametrize(
    ("text", "code", "place", "hint"),
    [
        ("rule a\n  may enter if die == 6\n", "L0101", (2, "="), "one `=`"),
        ("rule a\n  may enter when die = 6\n", "L0101", (2, "die"), "a condition begins with `if`"),
        ("rule a\n  may enterif die = 6\n", "L0101", (2, "if"), "put a space between them"),
        ("rule a\n  roll again\n", "L0101", (2, "roll"), "under `when` or `once`"),
        ("may pass\n", "L0101", (1, "may"), "under a `rule`"),
        ("players 2-4\n  colours red\n", "L0101", (1, "-"), "`..`"),
        ("rule a\n", "L0102", (1, "a"), "a statement such as `may`"),
        ("rule a\n  may enter if\n", "L0102", (2, "f"), "a value or condition"),
        ("rule a\n  may enter if (die = 6\n", "L0102", (2, "6"), "`)`"),
        ("rule a [LC-1]\n  may pass\n", "L0103", (1, "L"), "such as `LC-01`"),
        ("rule Travel\n  may pass\n", "L0103", (1, "T"), "small letters"),
        ("Rule travel\n  may pass\n", "L0103", (1, "R"), "small letters"),
        ("rule my_rule\n  may pass\n", "L0103", (1, "_"), "hyphens"),
        ("rule a\n  'Text.'\n  may pass\n", "L0103", (2, "'"), "straight double quotes"),
        ("rule a\n  “Text.”\n  may pass\n", "L0103", (2, "“"), "straight double quotes"),
        ("rule a // comment\n  may pass\n", "L0103", (1, "/"), "`#`"),
        ("rule a\n  may pass;\n", "L0103", (2, ";"), "nothing is needed"),
        ('rule a\n  "Text.\n  may pass\n', "L0104", (2, '"Text.'), "closing quote"),
    ],
)
def test_other_mistakes(text: str, code: str, place: tuple[int, str], hint: str) -> None:
    found = fault(text)
    assert (found.code, told(found)) == (code, place)
    assert hint in found.hint or hint in found.message


def test_what_was_expected_is_a_short_list_in_the_words_of_the_book() -> None:
    found = fault("rule a\n  may pass if die is 6\n")
    assert found.hint == "expected `not` or a name"
    assert "expected" in fault("rule a\n  when moved\n    6\n").hint


def test_a_text_of_one_endless_word_is_refused_soon() -> None:
    # Looking back for a misspelt word must not search the whole text again and again.
    assert fault(f"rule a\n  may pass if {'a' * 100_000} 6\n").code == "L0101"


def test_a_change_may_go_on_in_the_next_line() -> None:
    source = Source(
        "mine.ludo", 'variant mine "Mine" extends amarnepal\nbefore capture  # so that it comes first\n\nrule extra\n  "More."\n'
    )
    assert [node.kind for node in parse(source).nodes()] == ["variant", "insert"]
    source = Source("mine.ludo", 'variant mine "Mine" extends amarnepal\nreplace\nrule extra\n  "More."\nrule other\n  "Else."\n')
    assert [node.kind for node in parse(source).nodes()] == ["variant", "replace", "rule"]
