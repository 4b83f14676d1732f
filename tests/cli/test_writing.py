"""`ludo new`, `read`, `diff` and `rules`: writing rule books, understanding them, and printing them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.diagnostics import RuleBookError
from ludo_dsl.resources import variant_names
from ludo_dsl.source import Source
from tests.cli.conftest import Ludo

# ---- new -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("variant", variant_names())
def test_a_new_book_lists_everything_and_is_sound_with_any_line_of_it(ludo: Ludo, folder: Path, variant: str) -> None:
    answer = ludo("new", "mine", "--from", variant, "--json").json("new")
    assert answer == {"file": "mine.ludo", "variant": "mine", "extends": variant}
    assert ludo("check", "mine.ludo").code == 0
    text = (folder / "mine.ludo").read_text(encoding="utf-8")
    assert text.startswith(f'variant mine "Mine" extends {variant}\n')
    offered = re.findall(r"^# ((?:set|drop|rule) .*)$", text, re.MULTILINE)
    assert offered
    for line in offered:
        changed = text.replace(f"# {line}", line, 1)
        try:
            check(Source(str(folder / "mine.ludo"), changed))
        except RuleBookError as error:
            pytest.fail(f"{line}\n{error}")
    settings = [row["name"] for row in ludo("variants", variant, "--json").json("variants")]
    rules = [part["name"] for part in ludo("read", variant, "--json").json("read")["parts"] if part["kind"] == "rule"]
    assert [s for s in settings if not re.search(rf"^#(?: set|  ) {s} (?:to|is) ", text, re.MULTILINE)] == []
    assert [r for r in rules if not re.search(rf"^#(?: drop rule {r}  #|   {r}: )", text, re.MULTILINE)] == []


def test_a_rule_that_holds_another_up_is_told_with_the_reason(ludo: Ludo, folder: Path) -> None:
    ludo("new", "mine", "--from", "amarnepal")
    text = (folder / "mine.ludo").read_text(encoding="utf-8")
    assert "\n#   capture: nothing is ever captured\n" in text
    assert "\n#   places: can be dropped together with" not in text  # a rule book needs a ranking
    # The other way round: what `drop` refuses is really refused.
    for rule in re.findall(r"^#   ([a-z-]+): ", text, re.MULTILINE):
        with pytest.raises(RuleBookError):
            check(Source(str(folder / "mine.ludo"), f"{text}\ndrop rule {rule}\n"))


def test_new_writes_where_it_is_told_and_under_a_title(ludo: Ludo, folder: Path) -> None:
    (folder / "sub").mkdir()
    answer = ludo("new", "sunday", "--from", "qdan", "--title", "Sunday’s game", "--file", "sub/s.ludo")
    assert answer.code == 0
    assert (folder / "sub" / "s.ludo").read_text(encoding="utf-8").startswith('variant sunday "Sunday’s game" extends qdan\n')


def test_new_never_overwrites(ludo: Ludo, folder: Path) -> None:
    (folder / "mine.ludo").write_text("precious", encoding="utf-8")
    answer = ludo("new", "mine", "--from", "qdan")
    assert answer.code == 2
    assert "`mine.ludo` exists already" in answer.err
    assert (folder / "mine.ludo").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["Mine", "--from", "qdan"], 2, "is no name for a rule book"),
        (["../mine", "--from", "qdan"], 2, "is no name for a rule book"),
        (["d6-house", "--from", "qdan"], 2, "is no name for a rule book"),
        (["x" * 200, "--from", "qdan"], 2, "is no name for a rule book"),
        (["qdan", "--from", "qdan"], 2, "there is a rule book `qdan` already"),
        (["mine"], 2, "--from"),
        (["mine", "--from", "qdam"], 3, "there is no rule book `qdam`"),
        (["mine", "--from", "qdan", "--title", 'a "b"'], 2, "without double quotes"),
        (["mine", "--from", "qdan", "--file", "mine.txt"], 2, "ends in `.ludo`"),
        (["mine", "--from", "qdan", "--file", "nowhere/mine.ludo"], 3, "nowhere/mine.ludo"),
    ],
)
def test_new_refuses(ludo: Ludo, folder: Path, args: list[str], code: int, message: str) -> None:
    answer = ludo("new", *args)
    assert answer.code == code
    assert message in answer.err
    assert list(folder.iterdir()) == []


def test_a_book_of_ones_own_can_be_changed_in_its_turn(ludo: Ludo, folder: Path) -> None:
    ludo("new", "mine", "--from", "card-kings")
    assert ludo("new", "ours", "--from", "mine.ludo").code == 0
    assert ludo("check", "ours.ludo").code == 0
    (folder / "sub").mkdir()
    assert "same folder" in ludo("new", "theirs", "--from", "mine.ludo", "--file", "sub/theirs.ludo").err


# ---- read ----------------------------------------------------------------------------------------------------------------


def test_read_sets_the_statement_beside_the_sentence(ludo: Ludo) -> None:
    told = ludo("read", "amarnepal", "six-again").out.splitlines()
    assert told == [
        "rule six-again [AN-10]",
        "  “A six earns another roll, even when no token could use it.”",
        "",
        "    when rolled if die = 6 roll again",
        "    = After a roll, if the die is 6: the player gets another roll.",
    ]


@pytest.mark.parametrize("variant", variant_names())
def test_read_has_every_statement_once(ludo: Ludo, variant: str) -> None:
    answer = ludo("read", variant, "--json").json("read")
    lines = [line for part in answer["parts"] for line in part["statements"]]
    text = ludo("check", variant).out
    assert f" {len(lines)} statements," in text
    assert len({line["id"] for line in lines}) == len(lines)
    assert all(line["written"] and "\n" not in line["written"] for line in lines)


def test_read_at_a_table_has_only_what_is_in_force(ludo: Ludo) -> None:
    [part] = ludo("read", "qdan", "blocking", "--option", "blocking=off", "--json").json("read")["parts"]
    assert part["statements"] == []
    assert [s["text"] for s in part["sentences"]] == ["Pieces stop nobody."]
    assert "bounce" not in ludo("read", "ludo-cities", "--option", "rules=classic").out
    assert ludo("read", "ludo-cities", "kick-score", "--option", "rules=classic").code == 2


def test_read_of_an_unknown_rule_suggests_one(ludo: Ludo) -> None:
    answer = ludo("read", "qdan", "blokking")
    assert answer.code == 2
    assert "did you mean `blocking`?" in answer.err
    assert ludo("read", "nothing").code == 3


# ---- diff ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", variant_names())
def test_a_book_does_not_differ_from_itself(ludo: Ludo, variant: str) -> None:
    answer = ludo("diff", variant, variant, "--json").json("diff")
    assert answer["same"] is True
    assert answer["rules"] == answer["settings"] == answer["numbers"] == answer["meetings"] == []


def test_diff_of_an_option_tells_the_rule_and_the_meetings(ludo: Ludo) -> None:
    answer = ludo("diff", "qdan", "qdan", "--option", "safe-squares=none", "--json").json("diff")
    assert [(s["name"], s["a"]["value"], s["b"]["value"]) for s in answer["settings"]] == [("safe-squares", "start-and-star", "none")]
    assert answer["numbers"] == []
    # A single opponent on a star or start square shared it, and is captured now; pairs stay blocks.
    assert {(m["square"], m["company"]) for m in answer["meetings"]} == {("star, start", "enemies, no two of one colour")}
    [meeting] = answer["meetings"]
    assert [o["what"] for o in meeting["a"]["outcomes"]] == ["share the square (shelter)"]
    assert [o["what"] for o in meeting["b"]["outcomes"]] == ["captured (capture)"]


def test_diff_of_a_house_rule(ludo: Ludo, folder: Path) -> None:
    (folder / "mine.ludo").write_text(
        'variant mine "Mine" extends amarnepal\n\ndrop rule six-again\n\nrule leap\n  "Home."\n  when captured\n    send piece to home\n',
        encoding="utf-8",
    )
    rules = {r["name"]: r for r in ludo("diff", "amarnepal", "mine.ludo", "--json").json("diff")["rules"]}
    assert set(rules) == {"six-again", "leap"}
    assert rules["six-again"]["b"] is None
    assert rules["leap"]["a"] is None
    assert rules["leap"]["b"]["says"] == ["When a move has captured: the token that moved goes to the centre."]
    told = ludo("diff", "amarnepal", "mine.ludo").out
    assert "  six-again: only in amarnepal\n" in told
    assert "  leap: only in mine\n" in told


def test_rules_that_say_the_same_under_other_names_are_no_difference(ludo: Ludo) -> None:
    rules = {r["name"]: r for r in ludo("diff", "card-kings", "amarnepal", "--json").json("diff")["rules"]}
    # Both bring a token out by a six, as `leave-base` and as `leave-yard`.
    assert "leave-base" not in rules
    assert "leave-yard" not in rules
    assert rules["six-at-once"]["a"]["says"] == ["After a roll, if the die is 6: the player rolls again at once, before anything is moved."]


def test_diff_of_boards_tells_their_numbers(ludo: Ludo) -> None:
    numbers = {n["name"]: (n["a"], n["b"]) for n in ludo("diff", "mensch", "parchis", "--json").json("diff")["numbers"]}
    # Ten squares an arm and seventeen; both boards have four arms.
    assert (numbers["ring"], numbers["arm"]) == ((40, 68), (10, 17))
    assert "arms" not in numbers
    assert numbers["pieces on start"] == (1, 0)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["qdan", "qdan", "--option", "blocking=none"], 2),
        (["qdan", "amarnepal", "--option", "blocking=off"], 2),
        (["qdan", "nothing"], 3),
        (["qdan"], 2),
        (["qdan", "qdan", "--players", "7"], 2),
    ],
)
def test_diff_refuses(ludo: Ludo, args: list[str], code: int) -> None:
    assert ludo("diff", *args).code == code


# ---- rules ---------------------------------------------------------------------------------------------------------------


class _Html(HTMLParser):
    """The text of a page, and what its elements point to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [str(value) for name, value in attrs if name in ("src", "href", "srcset")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [str(value) for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page(ludo: Ludo, *args: str) -> _Html:
    answer = ludo("rules", *args, "--format", "html")
    assert answer.code == 0
    parser = _Html()
    parser.feed(answer.out)
    assert parser.open == []
    return parser


@pytest.mark.parametrize("variant", variant_names())
def test_every_rule_in_force_is_printed_in_every_format(ludo: Ludo, variant: str) -> None:
    answer = ludo("rules", variant, "--json").json("rules")
    html = page(ludo, variant)
    assert html.outside == []
    markdown, told = ludo("rules", variant, "--format", "markdown").out, " ".join(ludo("rules", variant).out.split())
    in_html = " ".join("".join(html.text).split())
    printed = {entry["name"] for section in answer["sections"] for entry in section["rules"]}
    settled = ludo("read", variant, "--players", str(answer["players"]), "--json").json("read")["parts"]
    assert {part["name"] for part in settled if part["sentences"]} <= printed
    for section in answer["sections"]:
        for entry in section["rules"]:
            assert entry["text"] in in_html
            assert entry["text"] in told
            assert entry["text"].replace("*", "\\*") in markdown.replace("\\#", "#")
            assert not re.search(r"[{}]", entry["text"])


def heading_of(answer: dict[str, list[dict[str, object]]]) -> dict[str, str]:
    return {
        str(entry["name"]): str(section["heading"])
        for section in answer["sections"]
        for entry in section["rules"]  # type: ignore[attr-defined]
    }


def test_rules_stand_where_a_reader_looks_for_them(ludo: Ludo) -> None:
    found = heading_of(ludo("rules", "amarnepal", "--json").json("rules"))
    assert found["travel"] == found["leave-yard"] == "Moving"
    assert found["turn"] == found["three-sixes"] == found["pass-on"] == found["capture-roll"] == "The turn"
    assert found["capture"] == found["safe-squares"] == found["passing-over"] == "When tokens meet"
    assert found["exact-home"] == found["own-column"] == "Coming home"
    assert found["finish"] == found["places"] == "Winning"
    assert found["seats"] == "At the table"
    cities = heading_of(ludo("rules", "ludo-cities", "--json").json("rules"))
    # Objectives are scored, whatever is counted on the way.
    assert cities["kick-twice"] == cities["two-stars"] == cities["move-score"] == "Winning"
    # The option has no statement: it belongs with the rules that ask for it.
    assert heading_of(ludo("rules", "qdan", "--json").json("rules"))["safe-squares"] == "When pieces meet"


def test_only_rules_of_the_table_are_printed(ludo: Ludo) -> None:
    points, classic = (ludo("rules", "ludo-cities", "--option", f"rules={r}", "--json").json("rules") for r in ("points-race", "classic"))
    assert "captor-home" in heading_of(points)
    assert "captor-home" not in heading_of(classic)
    assert "captor-stays" in heading_of(classic)
    assert points["hidden"]


def test_choices_that_are_not_the_standard_are_marked(ludo: Ludo) -> None:
    args = ["qdan", "--option", "blocking=no-overtaking", "--option", "leave-on=1,6"]
    choices = {c["name"]: c for c in ludo("rules", *args, "--json").json("rules")["choices"]}
    assert (choices["blocking"]["value"], choices["blocking"]["standard"]) == ("No overtaking", "Pairs")
    assert (choices["leave-on"]["value"], choices["leave-on"]["standard"]) == ("one or six", "six")
    assert [name for name, c in choices.items() if c["standard"] is not None] == ["leave-on", "blocking"]
    assert ludo("rules", *args).out.count("NOT STANDARD") == 2
    assert ludo("rules", *args, "--format", "markdown").out.count("*not standard*") == 2
    assert "".join(page(ludo, *args).text).count("not standard") == 2
    assert "NOT STANDARD" not in ludo("rules", "qdan").out


def test_the_quick_reference_has_only_claims_that_hold(ludo: Ludo) -> None:
    quick = {q["name"] for q in ludo("rules", "amarnepal", "--json").json("rules")["quick"]}
    assert {"answers", "reach", "distance-to-centre"} <= quick
    # With a one that brings tokens out too, it is not a six alone that does.
    changed = ludo("rules", "amarnepal", "--option", "one-leaves=on", "--json").json("rules")
    assert "answers" not in {q["name"] for q in changed["quick"]}
    numbers = {n["name"]: n["value"] for n in changed["numbers"]}
    assert numbers["squares of the track"] == "52"
    assert numbers["steps from the start square to the end of the way"] == "56"


def test_the_glossary_has_the_words_of_the_players(ludo: Ludo) -> None:
    glossary = {t["word"]: t for t in ludo("rules", "amarnepal", "--json").json("rules")["glossary"]}
    assert (glossary["token"]["called"], glossary["token"]["spelling"]) == ("goti", "गोटी")
    assert (glossary["six"]["called"], glossary["six"]["spelling"]) == ("chhakka", "छक्का")
    assert "गोटी" in "".join(page(ludo, "amarnepal").text)
    qdan = {t["word"] for t in ludo("rules", "qdan", "--json").json("rules")["glossary"]}
    assert {"base", "start square", "home column", "home", "safe square", "block"} <= qdan
    # Where nothing blocks, there is no block to explain.
    assert "block" not in {t["word"] for t in ludo("rules", "qdan", "--option", "blocking=off", "--json").json("rules")["glossary"]}


def test_html_is_safe_from_what_authors_write(ludo: Ludo, folder: Path) -> None:
    (folder / "mine.ludo").write_text(
        'variant mine "<script>alert(1)</script> & more" extends amarnepal\n\nrule odd\n  "A <b>bold</b> rule & *more*."\n'
        "  when captured\n    send piece to home\n",
        encoding="utf-8",
    )
    answer = ludo("rules", "mine.ludo", "--format", "html")
    assert "<script" not in answer.out
    assert "<b>bold" not in answer.out
    assert "A <b>bold</b> rule & *more*." in "".join(page(ludo, "mine.ludo").text)
    assert r"A \<b\>bold\</b\> rule & \*more\*." in ludo("rules", "mine.ludo", "--format", "markdown").out


def test_rules_are_written_to_a_file(ludo: Ludo, folder: Path) -> None:
    answer = ludo("rules", "card-kings", "--format", "html", "--output", "out.html")
    assert (answer.code, answer.out) == (0, "")
    assert (folder / "out.html").read_text(encoding="utf-8") == ludo("rules", "card-kings", "--format", "html").out
    assert ludo("rules", "card-kings", "--output", "out.txt").code == 0
    assert (folder / "out.txt").read_text(encoding="utf-8") == ludo("rules", "card-kings").out
    assert ludo("rules", "card-kings", "--output", "nowhere/out.txt").code == 3
    assert ludo("rules", "card-kings", "--format", "pdf").code == 2
    assert ludo("rules", "card-kings", "--json", "--format", "html").code == 2
    assert ludo("rules", "card-kings", "--players", "3").code == 2


@pytest.mark.parametrize("variant", variant_names())
def test_rules_fit_the_terminal(ludo: Ludo, variant: str) -> None:
    assert max(len(line) for line in ludo("rules", variant).out.splitlines()) <= 80
