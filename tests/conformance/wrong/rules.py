"""Engines that each break one rule of `amarnepal`, and engines that read an open clause otherwise: the sample engine, changed.

`ludo conform py:tests.conformance.wrong.rules:no_capture` plays one of them, from the folder of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.conformance.wrong.moments import Moment
from tests.conformance.wrong.sample import Change, engine

YARD, TURNING, LANE, HOME = -1, 50, 100, 106


@dataclass(frozen=True)
class Broken:
    """An engine that breaks one rule.

    `breaks` are the clauses that say otherwise, by the text of the rules. `where` is the situation in which the engine does: in a
    scenario where it does not arise, nothing can be amiss.
    """

    says: str
    breaks: frozenset[str]
    where: Callable[[Moment], object]
    changes: tuple[Change, ...]


def broken(says: str, breaks: str, where: Callable[[Moment], object], *changes: Change) -> Broken:
    """A broken engine, its clauses as one text."""
    return Broken(says, frozenset(f"AN-{number}" for number in breaks.split()), where, changes)


# ---- what is changed -------------------------------------------------------------------------------------------------

LEAVES = 'leaves = self.die == 6 or (self.die == 1 and self.options["one-leaves"] == "on")'
ENTERS = "return 0 if leaves else None"
EXACT = "return ahead if ahead <= HOME else None"
OPEN = 'lane_is_open = self.options["capture-first"] == "off" or self.captures[self.turn] > 0'
TURNS = """        if place <= TURNING < ahead and lane_is_open:
            return LANE + ahead - TURNING
"""
RING_WALK = "return ahead % RING  # own tokens block nobody (AN-15)"
WAYS = "ways = [(place, self.destination(place)) for place in self.tokens[self.turn]] if self.die else []\n"
THIRD = "third_six = die == 6 and self.sixes == 2"
USELESS = "again=die == 6 and not third_six"
MOVED = "        own[own.index(place)] = target\n"
CAPTURES = "captured = self._capture(ring_square(self.turn, target))"
WINS = "if own.count(HOME) == 4:"
SIX_AGAIN = "again=self.die == 6 or"
HOME_AGAIN = "target == HOME or ("
CAPTURE_AGAIN = ' or (captured and self.options["capture-roll"] == "on")'
VICTIMS = "for colour in self.tokens if square not in SAFE | {None} else ():"
VICTIM = "if colour != self.turn and ring_square(colour, place) == square:"
SENT = "self.tokens[colour][number] = YARD"
NEXT = "seats[(seats.index(self.turn) + 1) % len(seats)]"
SAFE = "for square in (0, 8)}"
SCORES = "(-steps.count(0), sum(steps))"
COUNT = "self.sixes = self.sixes + 1 if again and self.die == 6 else 0"

NO_ROLL_LEFT = """        self.extra = max(0, self.extra + int(again) - 1)
        again = bool(left)
"""
SEVERAL_ROLLS: tuple[Change, ...] = (  # A game that remembers how many rolls are owed.
    ("    sixes: int = 0  #", "    extra: int = 0\n    sixes: int = 0  #"),
    (
        f"        {COUNT}\n",
        f"        left = self.extra + int(again) if again or self.die != 6 or self.sixes < 2 else 0\n{NO_ROLL_LEFT}        {COUNT}\n",
    ),
    (
        "        if self.sixes:  # they",
        '        if self.extra:\n            fields.append(f"owed={self.extra + (self.die == 0)}")\n        if self.sixes:  # they',
    ),
)


def reaches(m: Moment, farthest: int = TURNING) -> bool:
    """Whether a token of the player, not yet in its lane, could walk past a square with the die."""
    return m.kind == "roll" and any(0 <= p <= TURNING + 1 and p + m.die > farthest for p in m.own)


def steps_home(place: int) -> int:
    """How many steps a token out of the yard has to go."""
    return HOME - place if place > LANE else HOME - LANE + TURNING - place


def rolled(m: Moment, *faces: int) -> bool:
    """Whether one of these faces has been rolled."""
    return m.kind == "roll" and m.die in faces


def yard(m: Moment) -> bool:
    """Whether the player has a token in the yard."""
    return YARD in m.own


def star(m: Moment) -> bool:
    """Whether the square of arrival is a star."""
    return m.safe(m.way[1]) and m.way[1] % 13 == 8


def passed(m: Moment) -> bool:
    """Whether a move passes over an opponent that could be captured."""
    place, target = m.way
    between = range(place + 1, min(place + m.die, TURNING + 1)) if m.kind == "move" and place >= 0 else range(0)
    return any(m.foes(p) and not m.safe(p) and p != target for p in between)


def shut(m: Moment) -> bool:
    """Whether the lane of the player is shut."""
    return m.on("capture-first") and m.at.captures.get(m.at.turn, 0) == 0


def turn_passes(m: Moment) -> bool:
    """Whether the turn goes to somebody else."""
    return m.kind in ("roll", "move") and m.after.turn not in (m.at.turn, "over")


def six_by(m: Moment) -> bool:
    """Whether a six was moved."""
    return m.kind == "move" and m.die == 6


def finishes(m: Moment) -> bool:
    """Whether the last token of a player comes home."""
    return bool(m.kind == "move" and m.after.turn == "over")


def lost(m: Moment) -> bool:
    """Whether a roll was lost since nothing could use it."""
    return m.kind == "roll" and not m.third_six and not m.ways


# ---- engines ---------------------------------------------------------------------------------------------------------

ENGINES: Mapping[str, Broken] = {
    # Leaving the yard.
    "one_leaves": broken(
        "a one leaves the yard, whatever the table says",
        "08 26",
        lambda m: rolled(m, 1) and yard(m) and not m.on("one-leaves"),
        (LEAVES, "leaves = self.die in (1, 6)"),
    ),
    "five_leaves": broken(
        "a five leaves the yard",
        "08",
        lambda m: rolled(m, 5) and yard(m),
        (LEAVES, f"{LEAVES} or self.die == 5"),
    ),
    "one_never_leaves": broken(
        "a one does not leave the yard even where the table says so",
        "26",
        lambda m: rolled(m, 1) and yard(m) and m.on("one-leaves"),
        (LEAVES, "leaves = self.die == 6"),
    ),
    "two_leave": broken(
        "two tokens leave the yard at once",
        "08",
        lambda m: m.kind == "move" and m.way[0] == YARD and m.own.count(YARD) > 1,
        (MOVED, f"{MOVED}        if place == YARD and YARD in own:\n            own[own.index(YARD)] = 0\n"),
    ),
    "leaves_and_walks": broken(
        "a token that leaves the yard walks the number as well",
        "08",
        lambda m: m.kind == "roll" and any(p == YARD for p, _ in m.ways),
        (ENTERS, "return self.die if leaves else None"),
    ),
    "must_leave": broken(
        "a token must leave the yard if it can",
        "09",
        lambda m: m.kind == "roll" and len({p == YARD for p, _ in m.ways}) == 2,
        (WAYS, f"{WAYS}        ways = [way for way in ways if way[0] == YARD and way[1] is not None] or ways\n"),
    ),
    "start_taken": broken(
        "a token cannot leave the yard while an own token stands on the start square",
        "08 15",
        lambda m: m.kind == "roll" and any(p == YARD for p, _ in m.ways) and 0 in m.own,
        (ENTERS, "return 0 if leaves and 0 not in self.tokens[self.turn] else None"),
    ),
    "one_rolls_again": broken(
        "a one that leaves the yard earns another roll",
        "26",
        lambda m: m.kind == "move" and m.way[0] == YARD and m.die == 1,
        (HOME_AGAIN, f"place == YARD or {HOME_AGAIN}"),
    ),
    "one_token_out": broken(
        "one token begins on its start square",
        "03",
        lambda m: m.kind == "begin" and all(tokens == [YARD] * 4 for tokens in m.at.tokens.values()),
        ("{colour: [YARD] * 4 for", "{colour: [0, YARD, YARD, YARD] for"),
    ),
    # Moving.
    "three_walks_four": broken(
        "a three is walked as a four",
        "05",
        lambda m: rolled(m, 3) and any(p != YARD and p != HOME for p in m.own),
        ("ahead = place + self.die\n", "ahead = place + self.die + (self.die == 3)\n"),
    ),
    "walks_back": broken(
        "a token may walk backwards as well",
        "05",
        lambda m: m.kind in ("roll", "tried") and any(m.die <= p < LANE for p in m.own),
        (
            WAYS,
            f"{WAYS}        ways += [(place, place - self.die) for place, _ in ways if self.die <= place < LANE]\n",
        ),
    ),
    "pass_allowed": broken(
        "a player may decline to move",
        "05",
        lambda m: m.kind == "tried" and m.text == "pass",
        (
            "        way = text.removeprefix(",
            '        if text == "pass" and self.die:\n            return self._use_up_die(again=False)\n        way = text.removeprefix(',
        ),
    ),
    "must_capture": broken(
        "a player must capture if that is possible",
        "09",
        lambda m: m.kind == "roll" and len({m.hits(way) > 0 for way in m.ways}) == 2,
        (
            WAYS,
            f"{WAYS}        foes = {{ring_square(c, p) for c in self.tokens if c != self.turn for p in self.tokens[c]}} - SAFE - {{None}}\n"
            "        ways = [way for way in ways if way[1] is not None and ring_square(self.turn, way[1]) in foes] or ways\n",
        ),
    ),
    "own_blocks": broken(
        "a token cannot end on the square of an own token",
        "15",
        lambda m: m.kind == "roll" and any(0 <= p < LANE and 0 <= t < LANE and t in m.own for p, t in m.ways),
        (RING_WALK, "return None if ahead % RING in self.tokens[self.turn] else ahead % RING"),
    ),
    "own_captured": broken(
        "a token captures own tokens too",
        "15",
        lambda m: m.kind == "move" and 0 <= m.way[1] < 52 and not m.safe(m.way[1]) and m.way[1] in m.own,
        (
            MOVED,
            "        if ring_square(self.turn, target) not in SAFE | {None}:\n"
            f"            own[:] = [YARD if p == target else p for p in own]\n{MOVED}",
        ),
    ),
    "turn_stays": broken(
        "a roll that nothing can use is rolled again",
        "07",
        lambda m: lost(m) and m.die != 6,
        (USELESS, "again=not third_six"),
    ),
    "anticlockwise": broken(
        "the turn passes anticlockwise",
        "04",
        lambda m: turn_passes(m) and len(m.at.tokens) > 2,
        (NEXT, NEXT.replace("+ 1", "- 1")),
    ),
    "yellow_begins": broken(
        "yellow begins",
        "04",
        lambda m: m.kind == "begin" and all(tokens == [YARD] * 4 for tokens in m.at.tokens.values()),
        ('message.get("first", "red")', 'message.get("first", "yellow")'),
    ),
    "third_seat": broken(
        "the third of three players is blue",
        "02",
        lambda m: m.kind == "begin" and len(m.at.tokens) == 3,
        ('3: ("red", "green", "yellow")', '3: ("red", "green", "blue")'),
        (
            "    for colour in game.tokens:\n        game.tokens[colour] = own",
            '    require(game.tokens.keys() <= fields.keys(), "somebody else sits here")\n'
            "    for colour in game.tokens:\n        game.tokens[colour] = own",
        ),
    ),
    # Capturing.
    "no_capture": broken(
        "nothing is captured",
        "14",
        lambda m: m.captured,
        (VICTIMS, "for colour in ():"),
    ),
    "captures_one": broken(
        "only one token of several is captured",
        "14",
        lambda m: m.captured > 1,
        (VICTIM, f"{VICTIM[:-1]} and self.captures[self.turn] == before:"),
    ),
    "captures_in_passing": broken(
        "tokens that are passed over are captured",
        "14",
        passed,
        (
            CAPTURES,
            "way = [*range(place + 1, min(place + self.die, TURNING + 1)), target] if place >= 0 else [target]\n"
            "        captured = any([self._capture(ring_square(self.turn, step)) for step in way])",
        ),
    ),
    "captures_on_stars": broken(
        "stars are not safe",
        "16",
        lambda m: m.kind == "move" and star(m) and m.foes(m.way[1]),
        (SAFE, "for square in (0,)}"),
    ),
    "captures_on_starts": broken(
        "start squares are not safe",
        "16",
        lambda m: m.kind == "move" and m.safe(m.way[1]) and not star(m) and m.foes(m.way[1]),
        (SAFE, "for square in (8,)}"),
    ),
    "star_at_nine": broken(
        "stars lie nine squares past the starts",
        "14 16",
        lambda m: m.kind == "move" and 0 <= m.way[1] < 52 and m.way[1] % 13 in (8, 9) and m.foes(m.way[1]),
        (SAFE, "for square in (0, 9)}"),
    ),
    "lane_not_safe": broken(
        "a lane is taken for the ring beyond the turning, where tokens of all colours meet",
        "18",
        lambda m: m.kind == "move" and any(_meet(m, c, p) for c, p in m.others),
        (
            "return (place + ARM * COLOURS.index(colour)) % RING if 0 <= place < RING else None",
            "place -= (LANE - TURNING) * (LANE < place < HOME)\n"
            "    return (place + ARM * COLOURS.index(colour)) % RING if 0 <= place <= TURNING + 5 else None",
        ),
    ),
    # Further rolls.
    "no_roll_for_six": broken(
        "a six earns no further roll",
        "10",
        lambda m: rolled(m, 6),
        (USELESS, "again=False"),
        (SIX_AGAIN, "again="),
    ),
    "useless_six": broken(
        "a six that nothing can use passes the turn",
        "07 10",
        lambda m: lost(m) and m.die == 6,
        (USELESS, "again=False"),
    ),
    "five_rolls_again": broken(
        "a five that is moved earns a further roll",
        "10",
        lambda m: m.kind == "move" and m.die == 5,
        (SIX_AGAIN, "again=self.die >= 5 or"),
    ),
    "no_roll_for_capture": broken(
        "a capture earns no further roll",
        "11 25",
        lambda m: m.captured and m.die != 6 and m.on("capture-roll"),
        (CAPTURE_AGAIN, ""),
    ),
    "capture_always_pays": broken(
        "a capture earns a further roll although the table switched that off",
        "25",
        lambda m: m.captured and m.die != 6 and not m.on("capture-roll"),
        (CAPTURE_AGAIN, " or captured"),
    ),
    "no_roll_for_home": broken(
        "a token that gets home earns no further roll",
        "12",
        lambda m: m.kind == "move" and m.way[1] == HOME and m.die != 6,
        (HOME_AGAIN, "("),
    ),
    "six_home_pays_twice": broken(
        "a six that brings a token home earns two further rolls",
        "12",
        lambda m: six_by(m) and m.way[1] == HOME,
        *SEVERAL_ROLLS,
        (SIX_AGAIN, "again=1 + (self.die == 6 and target == HOME) if self.die == 6 else"),
    ),
    # Three sixes.
    "third_six_moved": broken(
        "a third six is moved and rolls again as any other",
        "13",
        lambda m: m.third_six,
        (THIRD, "third_six = False"),
    ),
    "third_six_moved_last": broken(
        "a third six is moved before the turn is lost",
        "13",
        lambda m: m.third_six,
        (THIRD, "third_six = False"),
        (USELESS, "again=die == 6 and self.sixes < 2"),
        (SIX_AGAIN, "again=(self.die == 6 and self.sixes < 2) or"),
    ),
    "second_six_loses": broken(
        "two sixes in a row lose the turn",
        "13",
        lambda m: rolled(m, 6) and m.at.sixes == 1,
        (THIRD, "third_six = die == 6 and self.sixes >= 1"),
    ),
    "three_sixes_undo": broken(
        "three sixes take the first two moves back",
        "13",
        lambda m: m.third_six,
        ("    sixes: int = 0  #", "    before: str = ''\n    sixes: int = 0  #"),
        (
            "        self.die = die\n",
            "        if not self.sixes:\n            self.before = repr(self.tokens)\n        self.die = die\n"
            "        if third_six and self.before:\n            self.tokens = eval(self.before)\n",
        ),
    ),
    # The way home.
    "overshoot": broken(
        "a roll that is too large stops at home",
        "20",
        lambda m: m.kind == "roll" and any(LANE < p < HOME < p + m.die for p in m.own),
        (EXACT, "return min(ahead, HOME) if place < HOME else None"),
    ),
    "bounces": broken(
        "a roll that is too large walks back from home",
        "20",
        lambda m: m.kind == "roll" and any(LANE < p < HOME < p + m.die for p in m.own),
        (EXACT, "return min(ahead, 2 * HOME - ahead) if place < HOME else None"),
    ),
    "turns_late": broken(
        "tokens turn into their lane a square late",
        "19",
        reaches,
        (TURNS, TURNS.replace("TURNING", "51")),
    ),
    "turns_early": broken(
        "tokens turn into their lane a square early",
        "19",
        lambda m: reaches(m, TURNING - 1),
        (TURNS, TURNS.replace("TURNING", "49")),
    ),
    "lane_of_six": broken(
        "the lane has six squares",
        "01 19",
        lambda m: m.kind in ("roll", "tried") and any(p != YARD and steps_home(p) in (m.die, m.die - 1) for p in m.own),
        ("YARD, TURNING, LANE, HOME = -1, 50, 100, 106", "YARD, TURNING, LANE, HOME = -1, 50, 100, 107"),
        ('f"L{n}" for n in range(1, 6)', 'f"L{n}" for n in range(1, 7)'),
        ("(TURNING - p) % RING + 6", "(TURNING - p) % RING + 7"),
    ),
    # Capture before home.
    "lane_always_open": broken(
        "the lane is open although nothing was captured",
        "21",
        lambda m: shut(m) and reaches(m),
        (OPEN, "lane_is_open = True"),
    ),
    "lane_opens_at_two": broken(
        "two captures open the lane",
        "21",
        lambda m: m.on("capture-first") and m.at.captures.get(m.at.turn) == 1 and reaches(m),
        (OPEN, OPEN.replace("> 0", "> 1")),
    ),
    "lane_opens_for_all": broken(
        "the capture of any player opens the lane to all",
        "21",
        lambda m: shut(m) and any(m.at.captures.values()) and reaches(m),
        (OPEN, OPEN.replace("self.captures[self.turn] > 0", "any(self.captures.values())")),
    ),
    "lane_shuts_again": broken(
        "the lane shuts again when a token is sent back",
        "21",
        lambda m: m.captured and any(m.at.captures[c] for c, p in m.others if p not in m.after.tokens[c]),
        (SENT, f"{SENT}\n                    self.captures[colour] = 0"),
    ),
    # The end.
    "goes_on": broken(
        "the game goes on when the first player has finished",
        "22",
        lambda m: finishes(m) or m.kind == "places",
        (WINS, "if all(tokens.count(HOME) == 4 for tokens in self.tokens.values()):"),
    ),
    "three_home_win": broken(
        "three tokens in the centre win",
        "22",
        lambda m: m.kind == "move" and m.after.tokens[m.at.turn].count(HOME) >= 3,
        (WINS, "if own.count(HOME) >= 3:"),
    ),
    "fewest_home_first": broken(
        "whoever has fewest tokens in the centre is placed first",
        "23",
        lambda m: m.kind == "places",
        (SCORES, "(steps.count(0), sum(steps))"),
    ),
    "home_not_counted": broken(
        "places go by the steps alone",
        "23",
        lambda m: m.kind == "places",
        (SCORES, "(0, sum(steps))"),
    ),
    "no_shared_place": broken(
        "equal players are placed by their seats",
        "23",
        lambda m: m.kind == "places",
        (SCORES, "(-steps.count(0), sum(steps), COLOURS.index(colour))"),
    ),
    "farthest_first": broken(
        "of players with as many tokens home, whoever has farthest to go is placed first",
        "23",
        lambda m: m.kind == "places",
        (SCORES, "(-steps.count(0), -sum(steps))"),
    ),
}
"""By name."""


def _beyond(colour: str, place: int) -> int | None:
    """The square of the ring, as red counts it, where a token would be if the way went on round the ring in place of the lane."""
    along = place - LANE + TURNING if place > LANE else place
    return None if place in (YARD, HOME) else (along + 13 * ("red", "green", "yellow", "blue").index(colour)) % 52


def _meet(m: Moment, colour: str, place: int) -> bool:
    """Whether a move ends where an opponent's token stands, if the lane of one of the two is taken for the ring."""
    target = m.way[1]
    return max(place, target) > LANE and _beyond(colour, place) == _beyond(m.at.turn, target) is not None


@dataclass(frozen=True)
class Other:
    """An engine that takes another reading of an open question than the sample does: it is as right."""

    question: str
    value: str
    changes: tuple[Change, ...]


OTHERS: Mapping[str, Other] = {
    "sixes_of_the_turn": Other(
        "sixes",
        "in-turn",
        ((COUNT, "self.sixes = self.sixes + (self.die == 6) if again else 0"),),
    ),
    "capture_pays_twice": Other(
        "capture-pays",
        "twice",
        (*SEVERAL_ROLLS, (SIX_AGAIN, 'again=1 + (captured and self.options["capture-roll"] == "on") if self.die == 6 else')),
    ),
    "nearest_token": Other("distance", "nearest", ((SCORES, "(-steps.count(0), min([s for s in steps if s] or [0]))"),)),
    "yard_as_start": Other(
        "yard-distance",
        "start",
        (
            (
                "[HOME - p if p > LANE else (TURNING - p) % RING + 6 for p in own]",
                "[HOME - p if p > LANE else (TURNING - max(p, 0)) % RING + 6 for p in own]",
            ),
        ),
    ),
}
"""By name. The register of clauses has each of these readings beside its default."""


def __getattr__(name: str) -> Callable[[], object]:
    """What makes the engine of this name, for `py:tests.conformance.wrong.rules:NAME`."""
    found = ENGINES.get(name) or OTHERS.get(name)
    if found is None:
        raise AttributeError(name)
    return engine(*found.changes)
