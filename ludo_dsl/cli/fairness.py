"""`ludo fairness`: dice that can be proven, and dealt dice that can be refuted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludo_dsl.cli.common import json_option, open_book, open_table, print_json, read_rolls, say, standard_input, table_options

if TYPE_CHECKING:
    from ludo_dsl.play.dealing import Dealt, Judgement
    from ludo_dsl.play.verify import Report
    from ludo_dsl.rules.book import Book
    from ludo_dsl.rules.table import Table

LARGEST_RECORD = 16 * 2**20
"""Bytes of a record of rolls."""

_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group()
def fairness() -> None:
    """Prove that dice were not changed: host a match with committed dice, and verify its transcript.

    A match is hosted by `new`, `seed`, `roll` and `reveal`; anybody can `verify` its transcript. `deal` checks a record of dealt
    dice.
    """


# ---- hosting -----------------------------------------------------------------------------------------------------------


@fairness.command("new")
@_FILE
@click.option("--match", "match_id", metavar="ID", required=True, help="The name of the match, never used before.")
@click.option("--variant", required=True, metavar="VARIANT", help="The rule book that is played.")
@table_options
@json_option
def new_transcript(
    file: Path, match_id: str, variant: str, players: int | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool
) -> None:
    """Begin a transcript with a new secret, and print the commitment to show before the match.

    The secret goes to FILE.secret, for nobody else to read.
    """
    from ludo_dsl.play.hosted import begin

    fingerprint = begin(file, open_table(variant, players, options, readings), match_id)
    if as_json:
        print_json({"match": match_id, "commitment": fingerprint})
    else:
        click.echo(f"commitment {fingerprint}")


@fairness.command()
@_FILE
@click.argument("player")
@click.argument("text")
def seed(file: Path, player: str, text: str) -> None:
    """Add the TEXT that a player contributes to the rolls, before the first of them."""
    from ludo_dsl.play.hosted import resume

    resume(file).seed(player, text)


@fairness.command()
@_FILE
@click.argument("player")
@click.option("--allowed", metavar="N,N", help="The faces that may come, where a rule bars others.")
@json_option
def roll(file: Path, player: str, allowed: str | None, as_json: bool) -> None:
    """Make a player's next roll."""
    from ludo_dsl.play.hosted import resume

    match = resume(file)
    faces = match.roll(player, read_rolls(allowed, "--allowed") if allowed else None)
    if as_json:
        print_json({"roll": len(match.report.rolls) + 1, "player": player, "faces": list(faces)})
    else:
        click.echo(f"{player} rolls " + " and ".join(str(face) for face in faces))


@fairness.command()
@_FILE
def reveal(file: Path) -> None:
    """End the transcript with the secret."""
    from ludo_dsl.play.hosted import resume

    resume(file).reveal()


# ---- verifying ---------------------------------------------------------------------------------------------------------


@fairness.command()
@_FILE
@click.option("--commitment", metavar="HEX", help="The commitment as you noted it before the match.")
@click.option("--format", "form", type=click.Choice(["text", "html"]), default="text", help="Write a page that recomputes every roll.")
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the page goes; standard output if left out.")
@json_option
def verify(file: Path, commitment: str | None, form: str, output: Path | None, as_json: bool) -> int:
    """Recompute every roll of a transcript, and name the first line that is not as the secret gives it.

    The exit code is 0 if every roll is proven, 1 if not, and 3 if FILE holds no transcript. `-` stands for standard input.
    """
    from ludo_dsl.play import verify as verifying

    if as_json and form == "html":
        raise click.UsageError("--json and --format html: give one of the two")
    if output is not None and form != "html":
        raise click.UsageError("--output takes a page: add `--format html`")
    data = _read(file, verifying.LARGEST)
    report = verifying.verify(str(file), data, commitment)
    book = _book_of(report) if report.proven else None
    if book is not None:
        report = verifying.verify(str(file), data, commitment, book)
    if form == "html":
        _write_page(report, data, output)
        if output is None:
            return 0 if report.proven else 1
    if as_json:
        print_json(report.as_json() | {"dice_checked": book is not None})
    else:
        _tell(report, book, commitment is not None)
    return 0 if report.proven else 1


def _read(file: Path, most: int) -> bytes:
    """The bytes of a file, or of standard input for `-`; of one that is too long, one byte more than it may have."""
    if str(file) == "-":
        return standard_input(most + 1)
    with file.open("rb") as opened:
        return opened.read(most + 1)


def _book_of(report: Report) -> Book | None:
    """The rule book of the project that a transcript names; none if it is somebody's own."""
    from ludo_dsl.resources import variant_names

    assert report.terms is not None
    return open_book(report.terms.variant).book if report.terms.variant in variant_names() else None


def _tell(report: Report, book: Book | None, noted: bool) -> None:
    fault = report.fault
    if fault is not None:
        say(f"not proven: line {fault.line}: {fault.message}")
        if fault.hint:
            click.echo(f"  = hint: {fault.hint}")
        return
    assert report.terms is not None
    count = "1 roll is" if len(report.rolls) == 1 else f"all {len(report.rolls)} rolls are"
    say(f"proven: {count} as the secret gives them, in match {report.terms.match} of {report.terms.variant}")
    click.echo(f"  commitment {report.commitment}" + ("" if noted else " (compare it with the one shown before the match)"))
    for player, text in report.seeds:
        say(f"seed of {player}: {text}", "  ")
    if book is None:
        say(f"{report.terms.variant} is no rule book of the project: that its dice are these was not checked", "  ")
    if report.restricted:
        few = "1 roll" if report.restricted == 1 else f"{report.restricted} rolls"
        say(f"{few} could not show every face; whether the rules say so, a record of the game tells", "  ")


def _write_page(report: Report, data: bytes, output: Path | None) -> None:
    from ludo_dsl.publish.fairness import PageRoll, page

    rolls = [PageRoll(r.line, r.number, r.player, r.faces, r.computed, r.allowed) for r in report.rolls]
    fault = f"Line {report.fault.line}: {report.fault.message}." if report.fault else None
    title = f"{report.terms.match} ({report.terms.variant})" if report.terms else "A match"
    text = page(title, report.commitment, report.seeds, rolls, fault, data.decode("utf-8", "replace"))
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


# ---- dealt dice --------------------------------------------------------------------------------------------------------


@fairness.command()
@_FILE
@click.option("--variant", metavar="VARIANT", help="The rule book, if the record does not name it.")
@table_options
@json_option
def deal(file: Path, variant: str | None, players: int | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool) -> int:
    """Check a record of rolls against the shoes that the rule book deals its dice from.

    The exit code is 1 if a roll cannot have come, and 3 if FILE is no record of rolls. `-` stands for standard input.
    """
    from ludo_dsl.play.dealing import Dealing, Refuted

    data = _read(file, LARGEST_RECORD)
    fault = None
    if data.lstrip().startswith(b"{") and str(file) != "-":
        from ludo_dsl.play.deal_records import of_game

        if players or options or readings:
            raise click.UsageError("the record of a whole game says at which table it was played: leave the settings out")
        table, rolls, fault = of_game(file, variant)
    else:
        table, rolls = _record(file, data, variant, players, options, readings)
    found = Dealing(table).check(rolls)
    if fault is not None and found.refuted is None:
        rule = next((str(r.statement.rule) for r in fault.reasons if r.statement), "")
        found = replace(found, refuted=Refuted(fault.line, fault.message, rule, table.book.clauses_of(rule)))
    if as_json:
        print_json(_deal_json(table.book.name, found))
    else:
        _tell_deal(found)
    return 1 if found.refuted else 0


def _record(
    file: Path, data: bytes, variant: str | None, players: int | None, options: tuple[str, ...], readings: tuple[str, ...]
) -> tuple[Table, tuple[Dealt, ...]]:
    """The table and the rolls of a record as plain text."""
    from ludo_dsl.play.deal_records import fits, read_record
    from ludo_dsl.play.record_error import RecordError

    if len(data) > LARGEST_RECORD:
        raise RecordError(str(file), 0, f"a record holds {LARGEST_RECORD // 2**20} MiB at most", "give the record of one game")
    try:
        record = read_record(str(file), data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(str(file), 0, f"the file is not UTF-8: byte {error.start + 1} is wrong", "save it as UTF-8") from None
    named = variant or record.variant
    if named is None:
        raise click.UsageError("which rule book? Give --variant, or begin the record with `variant NAME`")
    table = open_table(named, players or record.players, options or record.options, readings or record.readings)
    fits(str(file), table, record)
    return table, record.rolls


def _deal_json(variant: str, found: Judgement) -> dict[str, object]:
    answer: dict[str, object] = {"refuted": found.refuted is not None, "variant": variant, "rolls": found.rolls}
    answer |= {"sets": found.sets, "barred": found.barred, "notes": list(found.notes)}
    if found.refuted is not None:
        r = found.refuted
        answer["fault"] = {"line": r.line, "message": r.message, "rule": r.rule, "clauses": list(r.clauses)}
    return answer


def _tell_deal(found: Judgement) -> None:
    if found.refuted is not None:
        r = found.refuted
        clauses = f" [{' '.join(r.clauses)}]" if r.clauses else ""
        cited = f" (rule `{r.rule}`{clauses})" if r.rule else ""
        say(f"refuted: line {r.line}: {r.message}{cited}")
    else:
        say(f"not refuted: the shoes can have given all {found.rolls} rolls")
    sets = "1 full set" if found.sets == 1 else f"{found.sets} full sets"
    say(f"checked: {sets} of faces a shoe, one shoe a player, a new one when nothing is left that may come", "  ")
    for note in found.notes:
        say(note, "  ")
