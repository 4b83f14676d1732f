"""The claims of the rule books hold, and a false claim is found out."""

from __future__ import annotations

import pytest

from ludo_dsl.check.book import check
from ludo_dsl.conformance.scenarios.subjects import book_of
from ludo_dsl.play.claims import check_claims, claims_broken_by_changes
from ludo_dsl.resources import variant_names
from ludo_dsl.rules.table import make_table
from ludo_dsl.source import Source

HEAD = 'variant doubtful "Doubtful" extends amarnepal\n'


@pytest.mark.parametrize("variant", variant_names())
def test_claims_hold(variant: str) -> None:
    rules = book_of(variant)
    for players in sorted({rules.players.low, rules.players.high}):
        outcomes = list(check_claims(make_table(rules, players), games=4, seed=1))
        assert not [o for o in outcomes if o.failure], outcomes


def test_a_change_that_breaks_a_claim_is_named() -> None:
    text = HEAD + 'replace rule exact-home\n  "A larger roll stops in the centre."\n  past home stop\n'
    source = Source("doubtful.ludo", text)
    found = list(claims_broken_by_changes(source, check(source).book))
    # Only the claim that L5 cannot use a 2 (`answers`) is about the exact number.
    assert [(d.code, d.severity, source.slice(d.span).split("\n")[0]) for d in found] == [("L0705", "warning", "replace rule exact-home")]
    assert "`answers`" in found[0].message


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("always route = 57", "does not hold"),
        ("never captured", "game 1"),
        ("never landing on star if enemies here", "game"),
        ("always owed = 0 when moved", "game 1"),
        ("never end turn if die = 6", "game"),
        ('given "red=Y,Y,Y,Y yellow=Y,Y,Y,Y turn=red" roll 6 legal "0>6"', "Y>0"),
        ('given "red=20,Y,Y,Y yellow=Y,Y,Y,Y turn=red" roll 3 refuse "20>23"', "allowed"),
        ('for d in 4..6 given "red=20,Y,Y,Y yellow={45+d},Y,Y,Y turn=red" roll d move "20>{20+d}" gives "yellow=Y,Y,Y,Y"', "d = 4"),
    ],
)
def test_a_false_claim_is_found_out(claim: str, told: str) -> None:
    text = f'{HEAD}claim wrong\n  "This is not so."\n  {claim}\n'
    rules = check(Source("doubtful.ludo", text)).book
    found = [o for o in check_claims(make_table(rules, 2), games=25, seed=1) if o.claim == "wrong"]
    assert len(found) == 1
    assert found[0].failure is not None
    assert told in found[0].failure
