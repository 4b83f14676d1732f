"""A Ludo engine for the rule text `amarnepal`, over the line protocol on standard input and output: a starting point for your own.

Numbers such as AN-14 name the clauses of the text; where it leaves something open, the engine takes the register's default reading.
"""

import json
import re
import sys
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

# The board. A token's place is a number: -1 in the yard, 0 to 51 on the ring, counted from its own start square, 101 to 105 in the
# lane, 106 at home. One square of the ring, 51, is passed by on the way to the lane: only a token on another lap enters it (AN-21).
COLOURS = ("red", "green", "yellow", "blue")  # clockwise
SEATED = {2: ("red", "yellow"), 3: ("red", "green", "yellow"), 4: COLOURS}  # AN-01, AN-02
RING, ARM = 52, 13
YARD, TURNING, LANE, HOME = -1, 50, 100, 106  # AN-19: 50 squares, and 6 steps more to the centre
SAFE = {arm * ARM + square for arm in range(4) for square in (0, 8)}  # AN-16: starts, and stars eight squares past them
NAMES = {YARD: "Y", HOME: "H"} | {n: str(n) for n in range(RING)} | {LANE + n: f"L{n}" for n in range(1, 6)}
PLACES = {name: place for place, name in NAMES.items()}
FACES = {str(n): n for n in range(1, 7)}
OPTIONS = {"capture-first": "off", "capture-roll": "on", "one-leaves": "off"}  # and their defaults: AN-21, AN-25, AN-26
OVER = "over"

PLACE_FORM = r"(?:[YH]|[AL]?[0-9]+)(?:\*[0-9/]*)?"  # this and the next: what the notation allows of any game
MOVE_FORM = rf"pass|(?:[a-z]+:)?{PLACE_FORM}>{PLACE_FORM}(?::[a-z0-9+-]+)?"
DICE_FORM = r"[a-z0-9+,-]+"


class RefusalError(Exception):
    """A refusal, `illegal`, `unsupported` or `error`, and its reason; the game stands where it stood."""


def require(holds: object, reason: str, op: str = "illegal") -> None:
    """Refuse the message unless this holds."""
    if not holds:
        raise RefusalError(op, reason)


def look_up(text: str, known: dict[str, Any], form: str) -> Any:
    """What a text means in this game. If it means something in other games only it is illegal; if in none, it is an error."""
    require(text in known, f"not possible here: {text}", "illegal" if re.fullmatch(form, text) else "error")
    return known[text]


@dataclass
class Game:
    """A position at a table, and the rules by which it changes. Nothing moves by itself: forced moves are the host's (AN-06)."""

    options: dict[str, str]
    tokens: dict[str, list[int]]  # by colour, as they sit
    captures: dict[str, int]
    turn: str  # a colour, or OVER
    die: int = 0  # the roll that waits to be moved; 0 while a roll is due
    sixes: int = 0  # how many sixes in a row came before it in this turn

    def destination(self, place: int) -> int | None:
        """Where the die takes a token of the player; None if it cannot use it."""
        if place == YARD:
            leaves = self.die == 6 or (self.die == 1 and self.options["one-leaves"] == "on")  # AN-08, AN-26
            return 0 if leaves else None
        ahead = place + self.die
        if place > LANE:
            return ahead if ahead <= HOME else None  # AN-20
        # AN-21: the lane is closed while the player has captured nothing; what this very move captures does not open it yet.
        lane_is_open = self.options["capture-first"] == "off" or self.captures[self.turn] > 0
        if place <= TURNING < ahead and lane_is_open:
            return LANE + ahead - TURNING
        return ahead % RING  # own tokens block nobody (AN-15)

    def moves(self) -> dict[str, tuple[int, int]]:
        """The legal moves by their text; the player may choose any (AN-09). Tokens on one square make the same move."""
        ways = [(place, self.destination(place)) for place in self.tokens[self.turn]] if self.die else []
        return {f"{NAMES[place]}>{NAMES[target]}": (place, target) for place, target in ways if target is not None}

    def roll(self, text: str) -> None:
        """The player has rolled this face."""
        die = look_up(text, FACES, DICE_FORM)
        require(self.turn != OVER and not self.die, "no roll is due")
        third_six = die == 6 and self.sixes == 2
        self.die = die
        if third_six or not self.moves():
            self._use_up_die(again=die == 6 and not third_six)  # AN-07, AN-10, AN-13: the third six is not moved

    def move(self, text: str) -> None:
        """The player makes this move."""
        way = text.removeprefix(f"{self.turn}:").removesuffix(f":{self.die}")  # colour and die may be left out
        place, target = look_up(way, self.moves(), MOVE_FORM)
        own = self.tokens[self.turn]
        own[own.index(place)] = target
        captured = self._capture(ring_square(self.turn, target))
        if own.count(HOME) == 4:
            self.turn, self.die, self.sixes = OVER, 0, 0  # AN-22
        else:  # AN-10, AN-11, AN-12, AN-25: however many the reasons are, a move earns one more roll
            self._use_up_die(again=self.die == 6 or target == HOME or (captured and self.options["capture-roll"] == "on"))

    def _capture(self, square: int | None) -> bool:
        # AN-14: all opponents on the square of arrival go back. It is never a start square, so a token that comes out captures
        # nothing (AN-17), and never in a lane, which belongs to one colour (AN-18).
        before = self.captures[self.turn]
        for colour in self.tokens if square not in SAFE | {None} else ():
            for number, place in enumerate(self.tokens[colour]):
                if colour != self.turn and ring_square(colour, place) == square:
                    self.tokens[colour][number] = YARD
                    self.captures[self.turn] += 1
        return self.captures[self.turn] > before

    def _use_up_die(self, *, again: bool) -> None:
        # AN-13: sixes count while they follow each other in one turn. AN-04: the turn passes clockwise.
        self.sixes = self.sixes + 1 if again and self.die == 6 else 0
        self.die = 0
        seats = list(self.tokens)
        self.turn = self.turn if again else seats[(seats.index(self.turn) + 1) % len(seats)]

    def ranking(self) -> dict[str, int]:
        """The place of each player: more tokens home, then fewer steps to go; equals share a place (AN-22, AN-23)."""
        # From the yard as from square 51 it is 57 steps (AN-21, AN-23): one before the start square, -1 and 51 are the same.
        to_go = {colour: [HOME - p if p > LANE else (TURNING - p) % RING + 6 for p in own] for colour, own in self.tokens.items()}
        scores = {colour: (-steps.count(0), sum(steps)) for colour, steps in to_go.items()}
        return {colour: 1 + sum(other < score for other in scores.values()) for colour, score in scores.items()}

    def __str__(self) -> str:
        fields = [f"{colour}={','.join(NAMES[place] for place in own)}" for colour, own in self.tokens.items()]
        fields += [f"turn={self.turn}"] + [f"pool={self.die}"] * (self.die > 0)
        if self.sixes:  # they may become three in a row
            fields.append("rolled=" + ",".join(["6"] * self.sixes + [str(self.die)] * (self.die > 0)))
        asked = self.options["capture-first"] == "on"  # no other rule asks what a player has captured
        return " ".join(fields + [f"captures.{colour}={number}" for colour, number in self.captures.items() if asked and number])


def ring_square(colour: str, place: int) -> int | None:
    """The square as red counts it, one number for all colours that stand there; None off the ring."""
    return (place + ARM * COLOURS.index(colour)) % RING if 0 <= place < RING else None


def read_fields(text: str) -> dict[str, str]:
    """Fields `name=value`, parted by spaces; none comes twice."""
    fields = dict(re.findall(r"([^\s=]+)=([^\s=]+)", text))
    require([f"{name}={value}" for name, value in fields.items()] == text.split(), f"not a list of fields: {text}", "error")
    return fields


def read_position(text: str, opening: Game) -> Game:
    """A position at the table of this opening: any from which the rules know how to go on, whether or not play leads there."""
    fields, game = read_fields(text), deepcopy(opening)
    another_lap = game.options["capture-first"] == "on"
    for colour in game.tokens:
        game.tokens[colour] = own = [look_up(name, PLACES, PLACE_FORM) for name in fields.pop(colour).split(",")]
        require(len(own) == 4 and (another_lap or 51 not in own), f"four tokens, on their way: {own}")  # AN-02, AN-19
        game.captures[colour] = int(fields.pop(f"captures.{colour}", 0)) if another_lap else 0
    game.turn = fields.pop("turn", game.turn)
    over = game.turn == OVER
    require(over or game.turn in game.tokens, f"{game.turn} does not sit here")
    require([*game.tokens.values()].count([HOME] * 4) == over, "the game is over when one player is home, and only then")  # AN-22
    game.die = look_up(fields.pop("pool"), FACES, DICE_FORM) if "pool" in fields else 0
    require(not game.die or (not over and game.moves()), "no token can use the pool")  # AN-07
    rolled = [look_up(f, FACES, DICE_FORM) for f in fields.pop("rolled").split(",")] if "rolled" in fields else [game.die]
    require(not game.die or rolled.pop() == game.die, "the pool is not what was rolled")
    while rolled and rolled.pop() == 6:
        game.sixes += 1
    require(game.sixes + (game.die == 6) <= (0 if over else 2), "the third six in a row ends the turn")  # AN-13
    owed = {0, 1} if game.die == 6 else {0} if game.die or over else {1}  # the further roll of a six may be written or left out
    require(int(fields.pop("owed", min(owed))) in owed and int(fields.pop("due", 0)) == 0, "one roll is owed at a time")
    require(not fields and min(game.captures.values()) >= 0, f"not of this game: {' '.join(fields) or 'captures below 0'}")
    return game


class Engine:
    """Answers the messages of the protocol, over a pipe or in process."""

    def __init__(self) -> None:
        self.opening: Game | None = None
        self.game: Game | None = None
        self.dice = Random()

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message. One that lacks a key, or holds rubbish, raises something on the way: that is an error as well."""
        try:
            answer = {"op": message["op"]} | self._reply(message)
        except RefusalError as refusal:
            answer = {"op": refusal.args[0], "reason": refusal.args[1]}
        except Exception as fault:
            answer = {"op": "error", "reason": repr(fault)}
        if isinstance(message.get("id"), int | str):
            answer["id"] = message["id"]
        return answer

    def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        op, game, opening = message["op"], self.game, self.opening
        require(isinstance(op, str), "an op is a text", "error")
        if op == "hello":
            require(message["protocol"] == 1, "only version 1 is spoken", "unsupported")
            hello = {"protocol": 1, "name": "sample-py", "version": "1.0", "variants": "amarnepal", "capabilities": "set force legal log"}
            return hello | {"options": " ".join(f"amarnepal.{name}=on,off" for name in OPTIONS)}
        if op == "new":
            self.opening = opening = self._opening(message)
            self.game, self.dice = deepcopy(opening), Random(str(message.get("seed", 0)))
            return {"position": str(opening)}
        require(op in ("set", "roll", "legal", "move", "state", "log", "quit"), f"no such message: {op}", "unsupported")
        if not game or not opening:
            raise RefusalError("error", "a game begins with new")
        match op:
            case "legal":
                return {"moves": " ".join(game.moves())}
            case "log":
                return {"log": self._play_alone(deepcopy(opening))}
            case "roll":
                face = message["values"] if "values" in message else str(self.dice.randint(1, 6))
                game.roll(face)
                return {"values": face, "position": str(game)}
            case "set":
                self.game = game = read_position(message["position"], opening)
            case "move":
                game.move(message["move"])
            case "state" if game.turn == OVER:
                return {"position": str(game), "places": " ".join(f"{colour}={place}" for colour, place in game.ranking().items())}
        return {"position": str(game)}

    def _opening(self, message: dict[str, Any]) -> Game:
        seats, first, variant = message["seats"], message.get("first", "red"), message["variant"]  # AN-04
        require(type(seats) is int and isinstance(first, str) and isinstance(variant, str), "a value of a wrong type", "error")
        require(variant == "amarnepal" and seats in SEATED, "only amarnepal for 2 to 4 players", "unsupported")
        options = OPTIONS | read_fields(message.get("options", ""))
        require(options.keys() == OPTIONS.keys() and {*options.values()} <= {"on", "off"}, "no such option or value", "unsupported")
        require(first in SEATED[seats], f"{first} does not sit here")
        return Game(options, {colour: [YARD] * 4 for colour in SEATED[seats]}, dict.fromkeys(SEATED[seats], 0), first)  # AN-02, AN-03

    def _play_alone(self, game: Game) -> str:
        log: list[str] = []
        while game.turn != OVER:
            moves = list(game.moves())
            log.append(self.dice.choice(moves) if moves else str(self.dice.randint(1, 6)))
            (game.move if moves else game.roll)(log[-1])
        return " ".join(log)


if __name__ == "__main__":
    engine = Engine()
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        message = message if isinstance(message, dict) else {}  # what cannot be read lacks an op, which is answered as an error
        if message.get("op") == "quit":
            break
        print(json.dumps(engine.answer(message)), flush=True)
