"""`ludo serve`: our interpreter as an engine over the protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import click

from ludo_dsl.cli.common import open_book, settings
from ludo_dsl.conformance.talking import protocol
from ludo_dsl.conformance.talking.protocol import CAPABILITIES, Answer, ProtocolFault
from ludo_dsl.resources import variant_names

if TYPE_CHECKING:
    from ludo_dsl.conformance.talking.servant import Servant
    from ludo_dsl.play.game import RuleBook

LONGEST_LINE = 1_000_000
"""Bytes of a message beyond which it is not read."""


@click.command()
@click.argument("variants", metavar="VARIANT...", nargs=-1, required=True)
@click.option("--reading", "readings", metavar="K=V", multiple=True, help="Take another reading of an open question; may be repeated.")
@click.option("--without", multiple=True, type=click.Choice(CAPABILITIES), help="Do not claim this capability; may be repeated.")
def serve(variants: tuple[str, ...], readings: tuple[str, ...], without: tuple[str, ...]) -> int:
    """Be an engine over the protocol, playing these rule books: a message a line comes in, an answer a line goes out.

    It ends with the message `quit`, or when there is no more input. A rule book of the project is read when it is first asked for.
    """
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read")
    servant = _servant(variants, settings(readings, "reading"), without)
    try:
        _serve(servant, sys.stdin.buffer)
    except KeyboardInterrupt:
        return 130  # Without a word: nobody waits for one.
    return 0


def _servant(variants: tuple[str, ...], readings: dict[str, object], without: tuple[str, ...]) -> Servant:
    from ludo_dsl.conformance.talking.servant import Servant

    # Files say only inside what they are called, and readings have to be looked up: otherwise, a name is enough.
    books: list[str | RuleBook] = [name if name in variant_names() and not readings else open_book(name) for name in variants]
    _require_readings([book for book in books if not isinstance(book, str)], readings)
    names = [book if isinstance(book, str) else book.name for book in books]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"`{name}` is named twice")
    return Servant(books, readings, [c for c in CAPABILITIES if c not in without])


def _require_readings(books: list[RuleBook], readings: dict[str, object]) -> None:
    """Each reading is one of a rule book at least, with a value that it has there."""
    taken: set[str] = set()
    for book in books:
        own = {name: value for name, value in readings.items() if name in book.defaults("reading")}
        book.table(readings=own)
        taken |= own.keys()
    for name, value in readings.items():
        if name not in taken:
            books[0].table(readings={name: value})  # Says what there is instead.


def _serve(servant: Servant, source: BinaryIO) -> None:
    for line in _lines(source):
        answer = _answer(servant, line)
        if not answer:
            return
        sys.stdout.write(protocol.line(answer).decode("ascii"))
        sys.stdout.flush()


def _answer(servant: Servant, line: bytes) -> Answer:
    """The answer to a line, whatever stands in it; empty for `quit`."""
    if len(line) > LONGEST_LINE:
        return {"op": "error", "reason": f"a message has {LONGEST_LINE:,} bytes at most"}
    try:
        return servant.answer(protocol.read_line(line))
    except ProtocolFault as fault:
        return {"op": "error", "reason": fault.message.replace("the answer", "the message")}


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines, without empty ones; of one that is too long, so much that this can be seen."""
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        if not line.isspace():
            yield line
