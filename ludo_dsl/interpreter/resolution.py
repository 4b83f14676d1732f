"""What a move does: the phases of the published order, one after the other, each effect seen by the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from ludo_dsl.game.events import Event, EventKind, Part, Trace
from ludo_dsl.game.state import CounterValue, Granted
from ludo_dsl.interpreter.candidates import Candidate
from ludo_dsl.interpreter.ground import Ground
from ludo_dsl.interpreter.meaning import Condition, Meanings, counter_slot
from ludo_dsl.interpreter.scene import Scene
from ludo_dsl.rules.expressions import NEVER, Expr, Nouns, SquareIs, Squares, Truth
from ludo_dsl.rules.folding import fold
from ludo_dsl.rules.statements import (
    Act,
    Add,
    Builtin,
    Destination,
    Effect,
    Grant,
    Mark,
    Once,
    Phase,
    RollAgain,
    Score,
    Send,
    Share,
    Stands,
    StatementId,
    Target,
    Trigger,
    When,
)
from ludo_dsl.rules.topology import YARD

Action = Callable[[Scene], None]


class Reaction(NamedTuple):
    """A `when` or `once` statement, ready to act."""

    trace: Trace
    condition: Condition
    actions: tuple[Action, ...]


class Resolution:
    """Carries out moves and effects at one table."""

    def __init__(self, ground: Ground, meanings: Meanings) -> None:
        self.ground = ground
        self.meanings = meanings
        table = ground.table
        self._ready: dict[When, Reaction] = {}
        self.reactions: dict[Trigger, tuple[Reaction, ...]] = {
            trigger: tuple(self._when(s) for s in table.statements if isinstance(s, When) and s.trigger is trigger) for trigger in Trigger
        }
        self._landing_here: dict[tuple[int | None, int], tuple[Reaction, ...]] = {}
        self._passing_here: dict[tuple[int | None, int], tuple[Reaction, ...]] = {}
        self.once = tuple(self._once(s) for s in table.statements if isinstance(s, Once))
        self.stands: dict[Builtin, tuple[Trace, ...]] = {
            b: tuple(Trace(s.id, Part.STOOD) for s in table.statements if isinstance(s, Stands) and s.builtin is b) for b in Builtin
        }
        self._on_passing = self.reactions[Trigger.PASSING]
        self._on_moved = self.reactions[Trigger.MOVED]
        self._free_passing, self._own_lane, self._no_score = (
            self.stands[b] for b in (Builtin.FREE_PASSING, Builtin.OWN_LANE, Builtin.NO_SCORE)
        )
        self._several_colours = any(len(player.colours) > 1 for player in table.players)
        self._watched: dict[tuple[int, tuple[int, ...]], tuple[frozenset[int], ...]] = {}
        self.keeps_arrivals = any(e.target is Target.LAST for e in _sends(table.statements))
        self.keeps_last = any(e.target is Target.LAST_MOVED for e in _sends(table.statements))
        phases: dict[Phase, Callable[[Scene, Candidate], None]] = {
            Phase.SPEND: self._spend,
            Phase.PASSING: self._passing,
            Phase.LANDING: self._landing,
            Phase.LINK: self._link,
            Phase.CAPTURED: self._captured,
            Phase.REACHED_HOME: self._reached_home,
            Phase.MOVED: self._moved,
            Phase.ONCE: self._conditions,
            Phase.RETIRED: self._retired,
        }
        self._phases = tuple(phases[p] for p in table.book.resolution if p in phases and self._acts(p))

    def _acts(self, phase: Phase) -> bool:
        """Whether a phase can do anything at this table."""
        needs: dict[Phase, object] = {
            Phase.LINK: self.ground.table.links,
            Phase.ONCE: self.once,
            Phase.CAPTURED: (*self.reactions[Trigger.CAPTURED], *self.stands[Builtin.CAPTOR_STAYS]),
            Phase.REACHED_HOME: self.reactions[Trigger.REACHED_HOME],
        }
        return bool(needs.get(phase, True))

    def resolve(self, scene: Scene, candidate: Candidate) -> None:
        """Carries a move out; its marks are left on the scene."""
        scene.trace.extend(candidate.allowed_by)
        for phase in self._phases:
            phase(scene, candidate)
        if self.keeps_last:
            scene.last = scene.colour, scene.pieces[scene.colour][scene.index]

    def _react_here(self, scene: Scene, trigger: Trigger, cache: dict[tuple[int | None, int], tuple[Reaction, ...]]) -> None:
        """Lets the statements of a trigger act that can act on the square in question."""
        key = (scene.here, scene.colour)
        reactions = cache.get(key)
        if reactions is None:
            reactions = cache[key] = self._reactions_here(trigger, scene.here, scene.colour)
        self.react(scene, reactions)

    @staticmethod
    def react(scene: Scene, reactions: tuple[Reaction, ...]) -> None:
        """Lets statements act, in written order."""
        for reaction in reactions:
            if reaction.condition(scene):
                scene.trace.append(reaction.trace)
                for action in reaction.actions:
                    action(scene)

    def _reactions_here(self, trigger: Trigger, square: int | None, colour: int) -> tuple[Reaction, ...]:
        """The statements of a trigger that can act on a square, with what is known of the square put in."""

        def known(expr: Expr) -> Expr | None:
            if isinstance(expr, SquareIs) and expr.subject == "here" and isinstance(expr.squares, Squares):
                return Truth(self.ground.square_is(square, colour, expr.squares.names))
            return None

        found = []
        for statement in self.ground.table.statements:
            if not isinstance(statement, When) or statement.trigger is not trigger:
                continue
            on = statement.squares
            if isinstance(on, Squares) and not self.ground.square_is(square, colour, on.names):
                continue
            condition = fold(statement.condition, known)
            if condition != NEVER:
                found.append(self._when(replace(statement, condition=condition)))
        return tuple(found)

    def stood(self, scene: Scene, builtin: Builtin) -> None:
        """Notes the rules that state a built-in behaviour which has just shown."""
        scene.trace.extend(self.stands[builtin])

    # ---- phases ------------------------------------------------------------------------------------------------------

    def _spend(self, scene: Scene, candidate: Candidate) -> None:
        move = candidate.move
        if scene.pool == move.dice:
            scene.pool = ()
        else:
            pool = list(scene.pool)
            for die in move.dice:
                pool.remove(die)
            scene.pool = tuple(pool)
        scene.colour = move.colour
        scene.index = self._index(scene, candidate) if scene.marks else scene.pieces[move.colour].index(move.origin)
        scene.die = move.dice[0] if len(move.dice) == 1 else 0
        scene.face = scene.die if isinstance(scene.die, int) else 0
        scene.walked = candidate.walked
        scene.act_entered = move.act is Act.ENTER
        scene.act_retreats = move.act is Act.RETREAT
        route = self.ground.routes[move.colour]
        scene.origin_square = route.squares[move.origin]
        scene.events.append(Event(EventKind.MOVED, scene.player, move.colour, move.origin, move.to, move.dice))
        self._put(scene, move.colour, scene.index, move.to)
        if self._several_colours:
            self.stood(scene, Builtin.ALL_COLOURS)

    @staticmethod
    def _index(scene: Scene, candidate: Candidate) -> int:
        """The index of the piece, where pieces on one square are told apart by their marks."""
        move = candidate.move
        marks = scene.marks[move.colour]
        return next(i for i, place in enumerate(scene.pieces[move.colour]) if place == move.origin and marks[i] == move.mark)

    def _put(self, scene: Scene, colour: int, index: int, place: int) -> None:
        before = scene.pieces[colour][index]
        scene.change(colour)[index] = place
        homes = self.ground.homes[colour]
        if place in homes and before not in homes:
            if colour == scene.colour and index == scene.index:
                scene.came_home = True
            scene.note(EventKind.CAME_HOME, colour, before, place)
        if self.keeps_arrivals:
            old = (colour, before)
            kept = list(scene.arrivals)
            if old in kept:
                kept.remove(old)
            scene.arrivals = (*kept, (colour, place))

    def _passing(self, scene: Scene, candidate: Candidate) -> None:
        if not candidate.passed:
            return
        route = self.ground.routes[scene.colour]
        if self._on_passing:
            for place in candidate.passed:
                scene.here = route.squares[place]
                self._react_here(scene, Trigger.PASSING, self._passing_here)
        if self._free_passing and self._passes_pieces(scene, candidate):
            self.stood(scene, Builtin.FREE_PASSING)
        if self._own_lane and self._passes_lane(candidate):
            self.stood(scene, Builtin.OWN_LANE)

    def _passes_pieces(self, scene: Scene, candidate: Candidate) -> bool:
        key = (candidate.move.colour, candidate.passed)
        watched = self._watched.get(key)
        if watched is None:
            squares = {self.ground.routes[key[0]].squares[place] for place in key[1]}
            watched = self._watched[key] = tuple(frozenset(p for square in squares for p in on.get(square, ())) for on in self.ground.on)
        for there, places in zip(watched, scene.pieces, strict=True):  # noqa: SIM110 (asked at every move: a generator costs more)
            if not there.isdisjoint(places):
                return True
        return False

    def _passes_lane(self, candidate: Candidate) -> bool:
        """Whether the walk turns into the own lane, or goes past the lane of another colour."""
        move = candidate.move
        if move.to >= self.ground.routes[move.colour].lane:
            return True
        mouths = self.ground.mouths[move.colour]
        return move.origin in mouths or not mouths.isdisjoint(candidate.passed)

    def _landing(self, scene: Scene, candidate: Candidate) -> None:
        scene.here = self.ground.routes[scene.colour].squares[scene.pieces[scene.colour][scene.index]]
        if scene.here is not None:
            self._react_here(scene, Trigger.LANDING, self._landing_here)

    def _link(self, scene: Scene, candidate: Candidate) -> None:
        for link in self.ground.table.links:
            for _ in range(link.limit):
                colour, index = scene.colour, scene.index
                place = scene.pieces[colour][index]
                route = self.ground.routes[colour]
                if not isinstance(link.source, Squares) or not isinstance(link.target, Squares):
                    break
                if not self.ground.square_is(route.squares[place], colour, link.source.names) or place in (YARD, route.last):
                    break
                to = next(
                    (p for p in range(place + 1, route.turning + 1) if self.ground.square_is(route.squares[p], colour, link.target.names)),
                    None,
                )
                if to is None and link.or_home:
                    to = route.last
                if to is None:
                    break
                scene.note(EventKind.LINKED, colour, place, to)
                self._put(scene, colour, index, to)
                self._landing(scene, candidate)

    def _captured(self, scene: Scene, candidate: Candidate) -> None:
        if not scene.captured:
            return
        self.react(scene, self.reactions[Trigger.CAPTURED])
        if not scene.came_home and not scene.sent_back:
            self.stood(scene, Builtin.CAPTOR_STAYS)

    def _reached_home(self, scene: Scene, candidate: Candidate) -> None:
        if scene.came_home:
            self.react(scene, self.reactions[Trigger.REACHED_HOME])

    def _moved(self, scene: Scene, candidate: Candidate) -> None:
        self.react(scene, self._on_moved)
        scene.trace.extend(self._no_score)

    def _conditions(self, scene: Scene, candidate: Candidate) -> None:
        self.conditions(scene)

    def conditions(self, scene: Scene) -> None:
        """Lets `once` statements act for every player, the mover first."""
        if not self.once:
            return
        mover = scene.player
        count = len(self.ground.table.players)
        for player in ((mover + i) % count for i in range(count)):
            scene.player = player
            for number, once in enumerate(self.once):
                if number not in scene.done[player] and once.condition(scene):
                    scene.done = tuple(d | {number} if i == player else d for i, d in enumerate(scene.done))
                    scene.trace.append(once.trace)
                    for action in once.actions:
                        action(scene)
        scene.player = mover

    def _retired(self, scene: Scene, candidate: Candidate) -> None:
        self.retire(scene)

    def retire(self, scene: Scene) -> None:
        """Retires the players who are marked for it; each lets `when retired` act."""
        while scene.retiring:
            player = scene.retiring.pop(0)
            if player in scene.retired:
                continue
            scene.retired = (*scene.retired, player)
            mover, scene.player = scene.player, player
            scene.note(EventKind.RETIRED)
            self.react(scene, self.reactions[Trigger.RETIRED])
            scene.player = mover

    # ---- statements and effects --------------------------------------------------------------------------------------

    def _when(self, statement: When) -> Reaction:
        if statement not in self._ready:
            self._ready[statement] = self._make_ready(statement)
        return self._ready[statement]

    def _make_ready(self, statement: When) -> Reaction:
        actions = tuple(self.action(e, statement.id) for e in statement.effects)
        return Reaction(Trace(statement.id, Part.FIRED), self.meanings.condition(statement.condition), actions)

    def _once(self, statement: Once) -> Reaction:
        actions = tuple(self.action(e, statement.id) for e in statement.effects)
        return Reaction(Trace(statement.id, Part.FIRED), self.meanings.condition(statement.condition), actions)

    def action(self, effect: Effect, sid: StatementId) -> Action:
        """What an effect does to a scene."""
        match effect:
            case Send():
                return self._send(effect)
            case Share():
                return lambda s: None
            case RollAgain(at_once):
                return _roll_again_at_once if at_once else _roll_again
            case Grant(value):
                return self._grant(value)
            case Score(points):
                return self._score(self.meanings.value(points))
            case Add(amount, counter):
                return self._add(self.meanings.value(amount), counter_slot(self.ground, counter))
            case Mark():
                return self._mark(effect, sid)

    @staticmethod
    def _grant(value: int | str) -> Action:
        die = Granted(value) if isinstance(value, int) else value

        def grant(s: Scene) -> None:
            s.pool = (*s.pool, die)
            s.note(EventKind.GRANTED, value=str(die))

        return grant

    @staticmethod
    def _score(points: Callable[[Scene], int]) -> Action:
        def score(s: Scene) -> None:
            gained = points(s)
            if gained:
                s.scores = _changed(s.scores, s.player, gained)
                s.note(EventKind.SCORED, value=gained)

        return score

    @staticmethod
    def _mark(mark: Mark, sid: StatementId) -> Action:
        def act(s: Scene) -> None:
            match mark:
                case Mark.END_TURN:
                    s.end_turn, s.ended_by = True, sid.rule
                case Mark.END_GAME:
                    s.end_game, s.ended_by = True, sid.rule
                case Mark.RETIRE:
                    s.retiring.append(s.player)
                case Mark.SKIP_ROLL:
                    s.owed = 0

        return act

    def _add(self, amount: Callable[[Scene], int], slot: int) -> Action:
        counter = self.ground.table.counters[slot]
        scope = counter.scope

        def add(s: Scene) -> None:
            gained = amount(s)
            if not gained:
                return
            if scope == {"piece"}:
                self._add_to_piece(s, self.ground.piece_counters.index(counter.id), gained)
                return
            values = list(s.counters)
            holder = self.ground.side_of[s.player] if scope == {"side"} else s.player
            values[slot] = _grown(values[slot], scope, holder, s.here, gained)
            s.counters = tuple(values)
            s.note(EventKind.COUNTED, value=(counter.id, gained))

        return add

    @staticmethod
    def _add_to_piece(scene: Scene, at: int, gained: int) -> None:
        marks = list(scene.marks[scene.colour])
        own = list(marks[scene.index])
        own[at] += gained
        marks[scene.index] = tuple(own)
        scene.marks[scene.colour] = marks

    # ---- sending -----------------------------------------------------------------------------------------------------

    def _send(self, effect: Send) -> Action:
        choose = self._chosen(effect)

        def send(s: Scene) -> None:
            for colour, index in choose(s):
                self._send_one(s, colour, index, effect)

        return send

    def _send_one(self, scene: Scene, colour: int, index: int, effect: Send) -> None:
        route = self.ground.routes[colour]
        origin = scene.pieces[colour][index]
        to = {Destination.YARD: YARD, Destination.HOME: route.last, Destination.START: route.start}[effect.destination]
        if origin == to:
            return
        mover = colour == scene.colour and index == scene.index
        scene.note(EventKind.CAPTURED if effect.as_capture else EventKind.SENT, colour, origin, to)
        self._put(scene, colour, index, to)
        if mover:
            scene.sent_back = to == YARD
            scene.came_home = scene.came_home and to != YARD
        if effect.as_capture:
            scene.captured += 1
            scene.captures = _changed(scene.captures, scene.player, 1)

    def _chosen(self, effect: Send) -> Callable[[Scene], Iterable[tuple[int, int]]]:
        match effect.target:
            case Target.PIECE:
                return lambda s: [(s.colour, s.index)]
            case Target.MISSED:
                return lambda s: list(s.missed)
            case Target.LAST_MOVED:
                return self._last_moved(effect.nouns)
            case Target.ALL:
                assert effect.nouns is not None
                select = self.ground.selector(effect.nouns)
                return lambda s: list(select(s))
            case Target.ONE | Target.LAST:
                assert effect.nouns is not None
                return self._one(effect.target, effect.nouns)

    def _one(self, target: Target, nouns: Nouns) -> Callable[[Scene], list[tuple[int, int]]]:
        select = self.ground.selector(nouns)
        count = len(self.ground.table.colours)

        def one(s: Scene) -> list[tuple[int, int]]:
            found = list(select(s))
            if target is Target.ONE:
                # Which one nobody chooses: that of the colour next in seat order after the moving piece's.
                found.sort(key=lambda piece: (piece[0] - s.colour) % count)
                return found[:1]
            order = {arrival: i for i, arrival in enumerate(s.arrivals)}
            found.sort(key=lambda piece: order.get((piece[0], s.pieces[piece[0]][piece[1]]), -1))
            return found[-1:]

        return one

    def _last_moved(self, nouns: Nouns | None) -> Callable[[Scene], list[tuple[int, int]]]:
        select = self.ground.selector(nouns) if nouns is not None else None

        def last(s: Scene) -> list[tuple[int, int]]:
            if s.last is None or select is None:
                return []
            return [(c, i) for c, i in select(s) if (c, s.pieces[c][i]) == s.last][:1]

        return last


def _sends(statements: Iterable[object]) -> Iterable[Send]:
    for statement in statements:
        effects = statement.effects if isinstance(statement, When | Once) else getattr(statement, "forfeit", ())
        yield from (e for e in effects if isinstance(e, Send))


def _roll_again(scene: Scene) -> None:
    if not scene.end_turn:
        scene.owed += 1
        scene.note(EventKind.ROLL_AGAIN)


def _roll_again_at_once(scene: Scene) -> None:
    if not scene.end_turn:
        scene.due += 1
        scene.note(EventKind.ROLL_AGAIN)


def _changed(values: Iterable[int], at: int, gained: int) -> tuple[int, ...]:
    return tuple(v + gained if i == at else v for i, v in enumerate(values))


def _grown(value: CounterValue, scope: frozenset[str], holder: int, square: int | None, gained: int) -> CounterValue:
    if isinstance(value, int):
        return value + gained
    if "square" not in scope:
        return tuple(v + gained if i == holder and isinstance(v, int) else v for i, v in enumerate(value))  # type: ignore[return-value]
    squares = dict(value[holder])  # type: ignore[arg-type]
    squares[square or 0] = squares.get(square or 0, 0) + gained
    return tuple(tuple(sorted(squares.items())) if i == holder else v for i, v in enumerate(value))  # type: ignore[return-value]
