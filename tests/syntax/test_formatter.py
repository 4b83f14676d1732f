"""The formatter: layouts written by hand, and laws that hold however badly a rule book is laid out."""

from __future__ import annotations

import random
import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.resources import spec_path
from ludo_dsl.source import Source
from ludo_dsl.syntax import formatter
from ludo_dsl.syntax.formatter import FormatterError, comments, format_source
from ludo_dsl.syntax.layout import WIDEST
from ludo_dsl.syntax.parser import grammar, parse

BOOKS = sorted(Path(str(spec_path("variants"))).glob("*.ludo"))


def formatted(text: str) -> str:
    return format_source(Source("book.ludo", text))


def check(before: str, after: str) -> None:
    head = 'variant x "X"\n\n'
    wanted = head + dedent(after).lstrip("\n")
    assert formatted(head + dedent(before).lstrip("\n")) == wanted
    assert formatted(wanted) == wanted


def test_spaces_between_words_and_none_inside_brackets() -> None:
    check(
        """
        rule   a[ AA-01   AA-02 ]if  x is   y
          may\tenter if( die=6  or die  =1 )and own out*2+1>=3
        players 2 .. 4
          colours red,green ,blue
          for 2 red+blue,green
        """,
        """
        rule a [AA-01 AA-02] if x is y
          may enter if (die = 6 or die = 1) and own out * 2 + 1 >= 3

        players 2..4
          colours red, green, blue
          for 2 red + blue, green
        """,
    )


def test_effects_stand_deeper_than_their_statement() -> None:
    check(
        """
        rule a "Text." if x is y when moved if captured roll again end turn once stars >= 2 score 50 may pass
        """,
        """
        rule a
          "Text." if x is y
          when moved if captured
            roll again
            end turn
          once stars >= 2
            score 50
          may pass
        """,
    )


def test_else_stands_under_its_must() -> None:
    check(
        """
        rule a
          must capture if x is y else send missed to yard retire
          may advance
        """,
        """
        rule a
          must capture if x is y
          else
            send missed to yard
            retire
          may advance
        """,
    )


def test_choices_and_what_they_bring() -> None:
    check(
        """
        option a "A" [AA-01]
            only if players=4
        default on "On" "It is on." when moved if captured
        roll again
        choice off "Off"
        option b "B" faces default 6,1 may enter if die in b
        reading c "C"
          number 1..12
          default 8
        """,
        """
        option a "A" [AA-01] only if players = 4
          default on "On"
            "It is on."
            when moved if captured
              roll again
          choice off "Off"

        option b "B"
          faces default 6, 1
          may enter if die in b

        reading c "C"
          number 1..12 default 8
        """,
    )


def test_board_players_and_dice() -> None:
    check(
        """
        board [AA-01] "Text." arms 4,or 5 if players=5 arm 13 squares turning 2 before start lane 5 squares
          mark star at 8 link star to next star 1 times
        players 2..2 colours red circle, blue for 2 red, blue pieces 1 on start,3 in yard first drawn
        dice 1 d6 [AA-02] also bonus from a shoe of 2 sets per player barred face waits "Text."
        """,
        """
        board [AA-01]
          "Text."
          arms 4, or 5 if players = 5
          arm 13 squares
          turning 2 before start
          lane 5 squares
          mark star at 8
          link star to next star 1 times

        players 2..2
          colours red circle, blue
          for 2 red, blue
          pieces 1 on start, 3 in yard
          first drawn

        dice 1 d6 [AA-02] also bonus
          from a shoe of 2 sets per player
          barred face waits
          "Text."
        """,
    )


def test_claims_keep_a_move_and_what_it_gives_together() -> None:
    check(
        """
        claim a "Text." never captured if entered always route=56 for d in 1 .. 6 given "p" roll d,d -6
          legal "1","2"
          refuse "3" move "4"
            gives "q" gives "r"
        """,
        """
        claim a
          "Text."
          never captured if entered
          always route = 56
          for d in 1..6 given "p" roll d, d - 6
            legal "1", "2"
            refuse "3"
            move "4" gives "q"
            gives "r"
        """,
    )


def test_the_condition_of_a_ranking_stands_below_its_keys() -> None:
    check(
        "rule a rank sides by first retired,most own at home if x is y\n",
        """
        rule a
          rank sides by first retired, most own at home
            if x is y
        """,
    )


def test_house_rules_words_and_settings() -> None:
    check(
        """
        words [AA-01] piece "token" called "a" "b" star "star"
        set x to on
        drop rule y
        replace rule z may pass
        before z rule w may pass
        host h "Text." setting s one,two default one if x is on, or two
        """,
        """
        words [AA-01]
          piece "token" called "a" "b"
          star "star"

        set x to on
        drop rule y

        replace rule z
          may pass

        before z rule w
          may pass

        host h
          "Text."
          setting s one, two default one if x is on, or two
        """,
    )


def test_one_line_declarations_stand_together_only_if_they_did() -> None:
    check(
        """
        let a = 1
        let b = 2


        counter c per player
        rule r
          may pass

          may advance
        let d = 3
        """,
        """
        let a = 1
        let b = 2

        counter c per player

        rule r
          may pass
          may advance

        let d = 3
        """,
    )


def test_comments_stay_where_they_are() -> None:
    check(
        """
        # About a.


        # Directly before a.
        rule a   # the head
              # before the statement
          may pass   # the statement
          # after the last statement, and still of the rule
        # before b, next to a
        let b = 1 # one

        # before c

        let c = 2
        # before d
        let d = 3
        #the end
        """,
        """
        # About a.

        # Directly before a.
        rule a  # the head
          # before the statement
          may pass  # the statement
          # after the last statement, and still of the rule

        # before b, next to a
        let b = 1  # one

        # before c

        let c = 2
        # before d
        let d = 3

        #the end
        """,
    )


def test_comments_inside_a_phrase_go_above_its_line_and_the_last_stays_at_its_end() -> None:
    check(
        """
        rule a [AA-01 # clause
          ]
          may enter # first
            # second
            if die = 6 # third "quoted"
        """,
        """
        rule a [AA-01]  # clause
          # first
          # second
          may enter if die = 6  # third "quoted"
        """,
    )


def test_a_number_sign_in_a_sentence_is_no_comment() -> None:
    assert comments('rule a\n  "No # comment." # yes  \n  # "also"\n') == ["# yes", '# "also"']


def test_comments_at_the_head_of_the_file() -> None:
    text = '# One.\n\n# Two.\nvariant x "X"\n  "Text."\n'
    assert formatted(f"\n\n{text}\n\n") == text


def test_long_lines_are_wrapped_at_their_outermost_place() -> None:
    check(
        """
        let lone = untouched and movable own + movable allies = 1 if base-pieces is each, otherwise untouched and movable own out >= 1
        """,
        """
        let lone = untouched and movable own + movable allies = 1 if base-pieces is each,
          otherwise untouched and movable own out >= 1
        """,
    )


def test_a_wrapped_statement_stands_apart_from_its_effects() -> None:
    check(
        """
        rule a
          when moved if every die = 6 and turn rolls <= 2 and double-six is used and owed = 0 and not (players = 2 and duel is off)
            roll again
        """,
        """
        rule a
          when moved if every die = 6 and turn rolls <= 2 and double-six is used and owed = 0
              and not (players = 2 and duel is off)
            roll again
        """,
    )


def test_lines_of_the_greatest_width_are_not_wrapped_and_wider_ones_are() -> None:
    # `let NAME = a if b` has 14 columns beside the name.
    fits = f"let {'n' * (WIDEST - 14)} = 11 if b"
    check(fits + "\n", fits + "\n")
    check(f"let n{fits[4:]}\n", f"let n{fits[4:].removesuffix(' if b')}\n  if b\n")


def test_sums_and_clauses_are_wrapped_only_if_nothing_else_helps() -> None:
    n = "n" * 36
    check(f"let a = x and {n} + {n} + {n}\n", f"let a = x\n  and {n} + {n} + {n}\n")
    # 8 columns, and three times 34 with two signs between: 116, too many with the clause.
    m = "m" * 34
    check(f"let a = {m} + {m} + {m} [AA-01]\n", f"let a = {m} + {m} + {m}\n  [AA-01]\n")
    check(f"let a = {m} + {m} + {m} - {m}\n", f"let a = {m} + {m} + {m}\n  - {m}\n")


def test_sentences_are_never_broken() -> None:
    text = f'rule a\n  "{"word " * 40}" if x is y and z is w\n  may pass\n'
    check(text, text)


def test_malformed_text_is_refused() -> None:
    with pytest.raises(RuleBookError):
        formatted('variant x "X"\nrule a\n  may advnce\n')


def test_a_layout_that_says_something_else_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "write", lambda lines, after: 'variant x "Y"\n')
    with pytest.raises(FormatterError):
        formatted('variant x "X"\n')
    monkeypatch.setattr(formatter, "write", lambda lines, after: 'variant x "X"\n')
    with pytest.raises(FormatterError):
        formatted('variant x "X" # a comment to lose\n')


def test_every_phrase_that_begins_a_line_is_one_of_the_grammar() -> None:
    known = {rule.alias or rule.origin.name for rule in grammar().rules}
    assert {str(getattr(name, "value", name)) for name in known} >= formatter._LINES


def test_deep_nesting_is_laid_out() -> None:
    check(f"let a = {'( ' * 40}1{' )' * 40}\n", f"let a = {'(' * 40}1{')' * 40}\n")


# ---- laws, on the real rule books with their layout destroyed ------------------------------------------------------------

_TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\.\.|[!<>]=|[][(),=<>+*-]|[A-Z]{2}-[0-9]{2}|[a-z][a-z0-9-]*|[0-9]+')


def declarations(book: Path) -> list[str]:
    """The declarations of a book without their comments, the variant first."""
    bare = re.sub(r"^#.*\n", "", book.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [part for part in re.split(r"^(?=[a-z])", bare, flags=re.MULTILINE) if part.strip()]


def spoil(text: str, chance: random.Random, share: float) -> tuple[str, list[str]]:
    """The text with any white space and comments between its tokens, and the comments in order."""
    added: list[str] = []

    def comment() -> str:
        added.append(f"# {len(added)} {chance.choice(['', 'rule', chr(34), '#', 'é'])}".rstrip())
        return added[-1] + chance.choice(["", "  "]) + "\n"

    def space() -> str:
        return chance.choice([" ", " ", " ", "  ", "\t", "\n ", "\n\n    ", "\n  "])

    parts: list[str] = []
    for match in _TOKEN.finditer(text):
        parts.append(space())
        while chance.random() < share:
            parts.append(chance.choice(["", "\n", "\n\n", "\n    "]) + comment() + space())
        if match.start() == 0 or text[match.start() - 1] == "\n":
            parts.append(chance.choice(["\n", "\n\n\n"]))
            while chance.random() < share:
                parts.append(comment() + chance.choice(["", "\n\n"]))
        parts.append(match.group())
    return "".join(parts) + space() + (comment() if chance.random() < share else ""), added


@st.composite
def spoilt_books(draw: st.DrawFn, share: float) -> tuple[str, str, list[str]]:
    """A variant line and some declarations of a real book: as they are, spoilt, and the comments added to a share of the gaps."""
    first, *others = declarations(draw(st.sampled_from(BOOKS)))
    chosen = draw(st.lists(st.sampled_from(others), max_size=6))
    text = first + "".join(chosen)
    spoilt, added = spoil(text, random.Random(draw(st.integers(0, 2**32))), share)
    return text, spoilt, added


@settings(max_examples=100, deadline=None)
@given(spoilt_books(0.1))
def test_any_layout_becomes_canonical(case: tuple[str, str, list[str]]) -> None:
    text, spoilt, added = case
    once = formatted(spoilt)
    assert formatted(once) == once
    assert parse(Source("", once)) == parse(Source("", text))
    assert comments(once) == added
    assert once.endswith("\n")
    assert not once.endswith("\n\n")
    assert "\n\n\n" not in once
    for line in once.split("\n"):
        assert line == line.rstrip()
        assert len(line) <= WIDEST or '"' in line or "#" in line


@settings(max_examples=50, deadline=None)
@given(spoilt_books(0))
def test_layout_without_comments_depends_on_the_words_only(case: tuple[str, str, list[str]]) -> None:
    text, spoilt, _ = case
    # Where declarations of one line stand together is the author's choice, so blank lines are left out.
    assert re.sub(r"\n+", "\n", formatted(spoilt)) == re.sub(r"\n+", "\n", formatted(text))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_real_books_keep_words_and_comments(book: Path) -> None:
    text = book.read_text(encoding="utf-8")
    once = formatted(text)
    assert formatted(once) == once
    assert "".join(once.split()) == "".join(text.split())
