"""The checks of rules against each other and of sentences, one statement at a time added to a sound rule book."""

from __future__ import annotations

import pytest

from ludo_dsl.check.book import check, check_file
from ludo_dsl.check.finding import locate
from ludo_dsl.check.tables import Offer
from ludo_dsl.diagnostics import Diagnostic, RuleBookError
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import Range, Setting
from ludo_dsl.rules.expressions import Choice
from ludo_dsl.rules.table import make_table
from ludo_dsl.source import Source

HEAD = 'variant mine "Mine" extends {parent}\n\n'


def faults(text: str, parent: str = "amarnepal") -> list[Diagnostic]:
    try:
        return list(check(Source("mine.ludo", HEAD.format(parent=parent) + text)).warnings)
    except RuleBookError as error:
        return list(error.diagnostics)


def blamed(text: str, parent: str = "amarnepal") -> list[tuple[str, str]]:
    """The codes, and the text under each caret."""
    return [(d.code, d.source.slice(d.span)) for d in faults(text, parent)]


def rule(statement: str) -> str:
    return f'rule mine\n  "Mine."\n  {statement}\n'


@pytest.mark.parametrize("name", variant_names())
def test_rule_books_of_the_project_are_sound(name: str) -> None:
    assert check_file(locate(name)).warnings == ()


@pytest.mark.parametrize("name", ["amarnepal", "card-kings", "ludo-cities", "ludolive", "qdan"])
def test_every_table_of_a_sound_book_can_be_made(name: str) -> None:
    """What `check_board` promises: every number of players with every value of every option and reading."""
    book = check_file(locate(name)).book
    for choices in Offer(book).tables(*(_asking(s) for s in book.settings if isinstance(s.domain, Range))):
        table = make_table(book, choices.players, {}, dict(choices.values))
        assert table.measures.ring == table.measures.arms * table.measures.arm
        assert all(len(route.spots) > 2 for route in table.routes)
        assert len(table.players) == choices.players


def _asking(setting: Setting) -> Choice:
    return Choice(setting.id)


# ---- constant conditions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "constant"),
    [
        ("own at home > 4", "own at home > 4"),  # four pieces
        ("4 < own at home", "4 < own at home"),
        ("enemies out <= 12", "enemies out <= 12"),  # three rivals with four pieces at most
        ("pieces out > 16", "pieces out > 16"),
        ("own out + own in yard < 0", "own out + own in yard < 0"),
        ("own out * 2 > 8", "own out * 2 > 8"),
        ("allies out", "allies out"),  # no sides in this rule book
        ("players left > 4", "players left > 4"),
        ("players >= 2", "players >= 2"),
        ("captures < 0", "captures < 0"),
        ("die < 7", "die < 7"),
        ("die >= 2 and die < 2", "die >= 2 and die < 2"),
        ("die < 3 and die = 3", "die < 3 and die = 3"),
        ("not (own out >= 0)", "own out >= 0"),
        ("captured or not captured", "captured or not captured"),
        ("here is star and here is lane", "here is star and here is lane"),
        ("every die <= 6", "every die <= 6"),
        ("route = 56", "route = 56"),
        ("star > 8", None),  # a mark is a kind of square, and no number: another fault
    ],
)
def test_conditions_that_decide_nothing(condition: str, constant: str | None) -> None:
    found = blamed(rule(f"when moved if {condition}\n    roll again"))
    assert ("L0302" in dict(found)) == (constant is not None)
    if constant is not None:
        assert ("L0302", constant) in found


@pytest.mark.parametrize(
    "condition",
    [
        "own at home > 3",
        "own at home = 4",
        "enemies out > 11",
        "own out = 0",
        "own out + own in yard > 7",  # both at most four: no more is known of them together
        "round > 1000",
        "score < 0",
        "players left < 2",
        "players = 4",
        "captured > 3",
        "die = 6 or die = 1",
        "die < 3 and not die = 1",
        "die > 5",
        "here is star and here is safe",
        "captured and die = 5",
        "nearest own = 0",
        "5 rolled 2 times and die != 5",
        "capture-roll is on and capture-first is off",
    ],
)
def test_conditions_that_can_go_either_way(condition: str) -> None:
    assert "L0302" not in dict(blamed(rule(f"when moved if {condition}\n    roll again")))


def test_allies_exist_at_the_tables_that_have_sides() -> None:
    assert "L0302" not in dict(blamed(rule("when moved if allies out > 3 and die = 5\n    roll again"), "ludo-cities"))
    assert ("L0302", "allies out > 4") in blamed(rule("when moved if allies out > 4\n    roll again"), "ludo-cities")


def test_what_stands_under_a_choice_must_not_exclude_it() -> None:
    option = (
        'option pace "Pace"\n  default brisk "Brisk"\n    when moved if die = 5 and pace is {}\n      roll again\n  choice slow "Slow"\n'
    )
    assert "L0302" in dict(blamed(option.format("slow")))
    assert "L0302" not in dict(blamed(option.format("brisk")))


def test_a_landing_condition_must_fit_its_squares() -> None:
    assert "L0302" in dict(blamed(rule("when landing on star if here is lane\n    roll again")))
    assert "L0302" not in dict(blamed(rule("when landing on track if here is safe\n    roll again")))


def test_names_mean_the_same_on_both_sides_of_or() -> None:
    """A name for what only a move knows can stand in an `or`, which once looked it up too early."""
    assert faults('let hot = captured and die = 5\n\nrule mine\n  "Mine."\n  when moved if hot or die = 4\n    roll again\n') == []


# ---- endless turns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "endless"),
    [
        ("when rolled\n    roll again", True),
        ("when rolled if own out = 0\n    roll again at once", True),
        ("when rolled if die = 5\n    roll again", False),
        ("when rolled if turn rolls < 3\n    roll again", False),
        ("when no move\n    roll again", True),
        ("when no move if owed = 0 and own out = 0\n    roll again", False),
        ("when moved\n    grant 3", True),
        ("when moved if captured\n    grant 20", False),
        ("when moved if die = 6\n    grant 3", False),
        ("when landing\n    grant 3", True),
        ("when landing on star\n    grant 3", False),
        ("when no move\n    grant 3", True),
        ("when turn starts\n    skip roll", True),
        ("when turn starts\n    skip roll\n    grant 3", False),
        ("when turn starts if own out = 0\n    skip roll", False),
        ("when rolled\n    roll again\n    end turn", False),
    ],
)
def test_turns_that_need_not_end(statement: str, endless: bool) -> None:
    assert ("L0503" in dict(blamed(rule(statement)))) == endless


# ---- sentences ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("One roll, once, for the first.", []),
        ("Half a roll.", []),
        ("{20} or {20:word}, {3:ordinal}, {3:times}, {2:word}.", []),  # of the statement; 2: the rolls before the third
        ("A {6:word} is a face that rules ask about.", []),
        ("{ring}, {pieces:word}, {players:range}, {star:word}.", []),
        ("Twenty-one.", ["Twenty-one"]),
        ("The 2nd, the second, 13.", ["second", "13"]),
        ("A tenth, twice, twelve.", ["tenth", "twice", "twelve"]),
        ("{21}", ["{21}"]),
        ("{4:ordinal}", ["{4:ordinal}"]),
        ("{3:words}", ["{3:words}"]),
        ("{players:list}", ["{players:list}"]),
        ("{ring:range}", ["{ring:range}"]),
        ("{Ring}", ["{Ring}"]),
        ("{}", ["{}"]),
        ("a } and a {", ["}", "{"]),
        ("{distance}", ["{distance}"]),
        ("{longest-wait}", ["{longest-wait}"]),  # dice without a shoe
    ],
)
def test_numbers_in_sentences(sentence: str, expected: list[str]) -> None:
    statement = "when rolled if 5 rolled 3 times and round = 20\n    roll again"
    found = blamed(f'rule mine\n  "{sentence}"\n  {statement}\n')
    assert [text for code, text in found if code in ("L0601", "L0602", "L0603")] == expected
    assert len(found) == len(expected)
