"""Statements in plain English: every kind of them, in the words of the rule book, and nothing left in the words of the language."""

from __future__ import annotations

import re

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.play.game import load
from ludo_dsl.publish.paraphrase import Paraphrase
from ludo_dsl.publish.words import Words, plural
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.book import Book
from ludo_dsl.source import Source


def book_of(lines: str, parent: str = "ludo-cities") -> Book:
    return check(Source("<text>", f'variant mine "Mine" extends {parent}\n\n{lines}')).book


def says(statement: str, parent: str = "ludo-cities", more: str = "") -> str:
    """What a statement of a rule is paraphrased as."""
    book = book_of(f'rule mine\n  "Something."\n  {statement}\n{more}', parent)
    return next(Paraphrase(book)(s) for s in book.statements if s.id.rule == "mine")


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        (
            "may advance allies if all own at home",
            "A piece of the partner may move forward by as many steps as the die shows, if all own pieces are in the centre.",
        ),
        ("may enter walking if die = 6", "A piece may come out of the base and walk as many steps as the die shows, if the die is 6."),
        (
            "may retreat if from is track and enemies here and here is not own start",
            "A piece may move backward by as many steps as the die shows, if the square that the piece leaves is a square of the track "
            "and there is an opponent's piece on that square and that square is not the piece's own start square.",
        ),
        (
            "may move by all dice at once if own in yard = 0",
            "A piece may take all dice of a fresh roll as one move that lands only at its end, if there are no own pieces in the base.",
        ),
        ("may pass if movable own = 1", "The player may leave the roll unused, if the number of movable own pieces is 1."),
        ("never roll 1 if turn rolls >= 3", "The die cannot show a 1, if the number of rolls of the turn is at least 3."),
        ("never enter if own out >= 4", "No piece may come out of the base, if there are 4 or more own pieces on the way."),
        (
            "never keep stuck dice if players = 3",
            "A die that no piece can use is lost at once, even while others are left to use, if the number of players is 3.",
        ),
        (
            "must use most pips, then most dice if round >= 10",
            "If the round is at least 10, the player must choose a move that uses the highest total of dice, and among those one that "
            "uses as many dice as possible, as long as there is one.",
        ),
        (
            "must move from 2 own on start if die = 6",
            "If the die is 6, the player must choose a move that begins on a square with 2 or more own pieces on a start square, as long "
            "as there is one.",
        ),
        (
            "must capture if die = 6 else send missed to yard",
            "If the die is 6, a player who could make a move that captures and makes another one pays for it: a piece that could have "
            "done it goes back to its base.",
        ),
        ("when rolled if every die = 1 grant 10", "After a roll, if every die is 1: the player may move a piece 10 steps more."),
        (
            "when moved if sent back roll again at once",
            "After a move, if the piece itself was sent back: the player rolls again at once, before anything is moved.",
        ),
        (
            "when retired if players left = 2 send last of allies on track to home",
            "When a player has finished, if 2 players are left: the one that came last of the partner's "
            "pieces on the track goes to the centre.",
        ),
        ("when turn starts if round = 9 skip roll end turn", "When a turn starts, if the round is 9: the player does not roll and"),
        (
            "once own at home >= 1 and rules is points-race score 7",
            "The first time that there is an own piece in the centre and `rules` is `points-race`, once for each player: "
            "the player scores 7 points.",
        ),
        ("count 6 as 7 if own in yard = 0", "A roll of 6 counts as 7 steps, if there are no own pieces in the base."),
        (
            "lane opens if captures >= 1",
            "A piece turns into its home lane only if the player has captured a piece in this game; otherwise it goes on round the track.",
        ),
    ],
)
def test_says_a_statement(statement: str, wanted: str) -> None:
    said = says(statement)
    assert (said if wanted.endswith(".") else said[: len(wanted)]) == wanted


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("never", "A token cannot use a roll that would take it past the centre."),
        ("stop", "A token comes to the centre by a roll that would take it past the centre as well, and the rest is lost."),
        ("bounce", "A roll that would take a token past the centre is walked to the end of the way, and the rest back again."),
    ],
)
def test_says_what_becomes_of_too_much(statement: str, wanted: str) -> None:
    lines = f'replace rule exact-home\n  "Home."\n  past home {statement}\n' if statement != "never" else ""
    book = book_of(lines, "amarnepal") if lines else load("amarnepal").book
    assert next(Paraphrase(book)(s) for s in book.statements if s.id.rule == "exact-home") == wanted


@pytest.mark.parametrize(
    ("variant", "statement", "wanted"),
    [
        (
            "parchis",
            "come-in/2",
            "If the die is 5, the player must choose a move that brings a piece out of the house, as long as there is one.",
        ),
        ("mensch", "barriers/1", "No man may land on a square that holds an own man, if `barriers` is `off`."),
        (
            "mensch",
            "capture/1",
            "When a man comes to stand on a square of the track, if there is an opponent's man on that square: all opponents' men on that "
            "square go back to their B fields, and that is a capture.",
        ),
        ("pachisi", "winner/2", "The first place is for the most own pieces in the Charkoni; who is equal in all of it shares a place."),
        ("ludo-cities", "captor-home/1", "When a move has captured, if `rules` is `points-race`: the piece that moved goes to the centre."),
        (
            "ludo-cities",
            "points-winner/1",
            "If `rules` is `points-race`, the first place is for the most points; who is equal in all of it shares a place.",
        ),
        ("card-kings", "passing-over/1", "A token may be passed, and nothing happens to it."),
    ],
)
def test_uses_the_words_of_the_variant(variant: str, statement: str, wanted: str) -> None:
    book = load(variant).book
    assert next(Paraphrase(book)(s) for s in book.statements if str(s.id) == statement) == wanted


@pytest.mark.parametrize("variant", variant_names())
def test_every_statement_of_every_rule_book_is_said(variant: str) -> None:
    book = load(variant).book
    say = Paraphrase(book)
    for statement in book.statements:
        text = say(statement)
        assert text[0].isupper(), text
        assert text.endswith("."), text
        # Nothing of the program shows: no class names, no general word where the book has its own.
        bare = re.sub(r"`[^`]*`", "", text)
        assert not re.search(r"[A-Z][a-z]+\(|frozenset|=|_", bare), text
        assert book.word("piece") == "piece" or not re.search(r"\bpieces?\b", bare), text
        assert book.word("yard") == "yard" or not re.search(r"\byard\b", bare), text


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("token", "tokens"), ("man", "men"), ("entry", "entries"), ("toy", "toys"), ("cross", "crosses"), ("hutch", "hutches")],
)
def test_plurals(word: str, wanted: str) -> None:
    assert plural(word) == wanted


def test_names_in_backticks_stay_as_they_are() -> None:
    words = Words(load("amarnepal").book)
    assert words.own("a piece, `piece home` and the yard; it goes home") == "a token, `piece home` and the yard; it goes to the centre"
