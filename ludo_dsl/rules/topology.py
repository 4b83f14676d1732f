"""The topology of a board: its ring, and the route of each colour as a list of spots.

A **place** is a number: the index of a spot on its colour's route. Place 0 is the yard; then come the approach, the
whole ring from the start square on, the lane, and home. A **square** is a number shared by all colours: two pieces stand
together when their squares are equal. The yard and home are no squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Region(StrEnum):
    """The parts of a route."""

    YARD = "yard"
    APPROACH = "approach"
    TRACK = "track"
    LANE = "lane"
    HOME = "home"


@dataclass(frozen=True, slots=True)
class Spot:
    """A region and a number in it: steps along the ring from the start square, or a count from 1 (0 for yard and home)."""

    region: Region
    number: int

    def __str__(self) -> str:
        match self.region:
            case Region.YARD:
                return "Y"
            case Region.HOME:
                return "H"
            case Region.TRACK:
                return str(self.number)
            case Region.APPROACH:
                return f"A{self.number}"
            case Region.LANE:
                return f"L{self.number}"


YARD = 0
"""The place of every piece in its yard."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a board is made of, in squares; `turning` counts the squares before the start square at which the lane branches off."""

    arms: int
    arm: int
    turning: int
    approach: int
    lane: int
    slots: bool

    @property
    def ring(self) -> int:
        """Squares of the track."""
        return self.arms * self.arm

    @property
    def turn_off(self) -> int:
        """Steps from the start square to the turning."""
        return self.ring - self.turning

    @property
    def route(self) -> int:
        """Steps from the first square of the route to home (to the last slot where there is no other home)."""
        return self.approach + self.turn_off + self.lane + (0 if self.slots else 1)


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a number of steps leads: the destination and the places strictly between; `over` steps are left at home."""

    to: int
    passed: tuple[int, ...]
    over: int


@dataclass(frozen=True)
class Route:
    """The route of one colour: its spots by place, and the square of each place."""

    colour: str
    arm: int
    measures: Measures
    spots: tuple[Spot, ...]
    squares: tuple[int | None, ...]

    @cached_property
    def start(self) -> int:
        """The place of the start square."""
        return 1 + self.measures.approach

    @cached_property
    def first(self) -> int:
        """The place where pieces come out of the yard: the approach, or the start square."""
        return 1

    @cached_property
    def turning(self) -> int:
        """The place from which the lane branches off."""
        return self.start + self.measures.turn_off

    @cached_property
    def lane(self) -> int:
        """The place of the first lane square."""
        return next(i for i, spot in enumerate(self.spots) if spot.region is Region.LANE)

    @cached_property
    def last(self) -> int:
        """The place that ends the route: home, or the last slot."""
        return len(self.spots) - 1

    def is_lane_square(self, square: int) -> bool:
        """Whether a square is of any colour's lane; other private squares are of an approach."""
        measures = self.measures
        return square >= measures.ring and (square - measures.ring) % (measures.approach + measures.lane) >= measures.approach

    @cached_property
    def by_text(self) -> dict[str, int]:
        """Places by their notation."""
        return {str(spot): place for place, spot in enumerate(self.spots)}

    def is_home(self, place: int) -> bool:
        """Whether a piece there is home: in the centre, or in a slot where slots are the goal."""
        return place == self.last or (self.measures.slots and place >= self.lane)

    def after(self, place: int, lane_open: bool) -> int | None:
        """The next place; none after the last one."""
        if place == self.last:
            return None
        if place == self.turning and lane_open:
            return self.lane
        if place == self._ring_end:
            # On a lap more, the start square is an ordinary square of the way; where the lap ends on the start square
            # itself, the piece stands there already.
            return self.start if self.measures.turning else self.start + 1
        return place + 1

    @cached_property
    def _ring_end(self) -> int:
        return self.lane - 1

    def walk(self, place: int, steps: int, lane_open: bool) -> Walk:
        """Where `steps` steps from a place lead (place not the yard, at least 1 step)."""
        key = (place, steps, lane_open)
        walk = self._walks.get(key)
        if walk is None:
            walk = self._walks[key] = self._new_walk(place, steps, lane_open)
        return walk

    @cached_property
    def _walks(self) -> dict[tuple[int, int, bool], Walk]:
        return {}

    def _new_walk(self, place: int, steps: int, lane_open: bool) -> Walk:
        passed: list[int] = []
        at = place
        for done in range(steps):
            following = self.after(at, lane_open)
            if following is None:
                return Walk(at, tuple(passed), steps - done)
            if done:
                passed.append(at)
            at = following
        return Walk(at, tuple(passed), 0)

    def back(self, place: int, steps: int) -> Walk | None:
        """Where `steps` steps backward lead; not before the first square of the route, not out of home."""
        if self.is_home(place) and not self.measures.slots:
            return None
        if place > self._ring_end:
            inside = place - self.lane
            to = place - steps if steps <= inside else self.turning - (steps - inside - 1)
            way = [*range(place - 1, self.lane - 1, -1), *range(self.turning, self.first - 1, -1)]
        else:
            to = place - steps
            way = list(range(place - 1, self.first - 1, -1))
        if to < self.first:
            return None
        return Walk(to, tuple(way[: steps - 1]), 0)

    def bounce(self, over: int) -> tuple[int, tuple[int, ...]]:
        """Where a piece that has reached the end of its route and walks back `over` steps stands, and what it passes then."""
        way = [*range(self.last - 1, self.lane - 1, -1), *range(self.turning, self.first - 1, -1)]
        steps = min(over, len(way))
        return way[steps - 1], tuple(way[: steps - 1])

    @cached_property
    def remaining(self) -> tuple[int, ...]:
        """Steps from each place to the end of the route with the lane open; from the yard one more than from the first square."""
        left = [0] * len(self.spots)
        for place in range(1, len(self.spots)):
            at: int | None = place
            count = 0
            while at is not None and at != self.last:
                at = self.after(at, True)
                count += 1
            left[place] = count
        left[YARD] = left[self.first] + 1
        return tuple(left)

    @cached_property
    def travelled(self) -> tuple[int, ...]:
        """Steps from the first square of the route to each place; 0 in the yard."""
        gone = [0] * len(self.spots)
        for place in range(1, self.lane):
            gone[place] = place - self.first
        for place in range(self.lane, len(self.spots)):
            gone[place] = gone[self.turning] + place - self.lane + 1
        return tuple(gone)


def make_route(colour: str, arm: int, seat: int, measures: Measures) -> Route:
    """The route of a colour whose start square is the first of `arm`; `seat` numbers its private squares."""
    ring = measures.ring
    # A lap that ends on the start square itself passes it twice: as place `start` and as the last of the ring.
    on_ring = ring + 1 if measures.turning == 0 else ring
    spots = [Spot(Region.YARD, 0)]
    squares: list[int | None] = [None]
    private = ring + seat * (measures.approach + measures.lane)
    for number in range(1, measures.approach + 1):
        spots.append(Spot(Region.APPROACH, number))
        squares.append(private + number - 1)
    for step in range(on_ring):
        spots.append(Spot(Region.TRACK, step))
        squares.append((arm * measures.arm + step) % ring)
    for number in range(1, measures.lane + 1):
        spots.append(Spot(Region.LANE, number))
        squares.append(private + measures.approach + number - 1)
    if not measures.slots:
        spots.append(Spot(Region.HOME, 0))
        squares.append(None)
    return Route(colour, arm, measures, tuple(spots), tuple(squares))
