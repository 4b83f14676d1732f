'use strict';
// A Ludo engine for the rule text `amarnepal`: `node amarnepal.js` answers the line protocol on standard input and output.
// A starting point for engines of your own. AN-14 and the like are clauses of the text; what it leaves open is read as the register's
// default has it. In order: the board, the game, positions as text, the protocol.

const readline = require('node:readline');

const COLOURS = ['red', 'green', 'yellow', 'blue']; // clockwise
const SEATS = new Map([[2, ['red', 'yellow']], [3, ['red', 'green', 'yellow']], [4, COLOURS]]); // AN-01, AN-02
const DEFAULTS = { 'capture-first': 'off', 'capture-roll': 'on', 'one-leaves': 'off' }; // AN-21, AN-25, AN-26
const [RING, ARM] = [52, 13]; // squares round the board, and from one start square to the next

/** A token stands on a place, named as in the notation: Y, 0 to 51 from its own start square, L1 to L5, H. One step on from there: */
function nextPlace(place, laneIsOpen) {
  if (place === 'H') return null; // AN-20: nothing lies behind the centre
  if (place === 'L5') return 'H';
  if (place.startsWith('L')) return `L${Number(place.slice(1)) + 1}`;
  if (place === '50' && laneIsOpen) return 'L1'; // AN-19
  return String((Number(place) + 1) % RING); // 50 leads to 51, and 51 to the start square, on another lap alone (AN-21)
}

/** Where a walk of so many steps ends; null if the way is too short. */
const walk = (place, steps, laneIsOpen) =>
  steps === 0 || place === null ? place : walk(nextPlace(place, laneIsOpen), steps - 1, laneIsOpen);
/** AN-23: steps to the centre. The yard counts 57, one more than the start square. */
const stepsToGo = (place) => (place === 'H' ? 0 : 1 + stepsToGo(place === 'Y' ? '0' : nextPlace(place, true)));
/** The square as red counts it, so that all colours agree on it; null in the yard, in the lane and at home. */
const ringSquare = ({ colour, place }) => (/^\d/.test(place) ? (Number(place) + ARM * COLOURS.indexOf(colour)) % RING : null);
const isSafe = (square) => square % ARM === 0 || square % ARM === 8; // AN-16: the starts, and the stars eight squares past them

// Refusals are thrown anywhere and answered in one place. They change nothing: see the game below.
const refusal = (op) => (reason) => Object.assign(new Error(reason), { op });
const [illegal, unsupported, malformed] = [refusal('illegal'), refusal('unsupported'), refusal('error')];

// A game is never changed: a roll or a move makes the next one. Its parts: `table` (what was agreed), `tokens`, `captures` by colour,
// `turn` (a colour, or 'over'), `die` (the roll that waits to be moved, 0 while one is due) and `sixes` (those rolled one after another
// in this turn, before that die). Forced moves are the host's (AN-06): nothing here rolls or moves by itself.
function opening(table) {
  const tokens = table.colours.flatMap((colour) => Array.from({ length: 4 }, () => ({ colour, place: 'Y' }))); // AN-02, AN-03
  const captures = Object.fromEntries(table.colours.map((colour) => [colour, 0]));
  return { table, tokens, captures, turn: table.first, die: 0, sixes: 0 };
}

/** Where the die takes a token of the player, or null. Own tokens are never in the way (AN-15). */
function destination(game, place) {
  const { options } = game.table;
  if (place === 'Y') return game.die === 6 || (game.die === 1 && options['one-leaves'] === 'on') ? '0' : null; // AN-08, AN-26
  // AN-21: what counts is what was captured before this move; the lane, once open, stays open.
  return walk(place, game.die, options['capture-first'] === 'off' || game.captures[game.turn] > 0);
}

/** The legal moves, any of which the player may choose (AN-09): text, token and target. A stack offers its move once. */
function legalMoves(game) {
  const moves = new Map();
  for (const token of game.die === 0 ? [] : game.tokens.filter(({ colour }) => colour === game.turn)) {
    const target = destination(game, token.place);
    const text = `${token.place}>${target}`;
    if (target !== null && !moves.has(text)) moves.set(text, { token, target });
  }
  return moves;
}

function afterRoll(game, die) {
  if (game.turn === 'over' || game.die !== 0) throw illegal('no roll is due');
  if (die === 6 && game.sixes === 2) return nextPlayer(game); // AN-13: the third six is not moved
  const rolled = { ...game, die };
  if (legalMoves(rolled).size > 0) return rolled;
  return die === 6 ? rollAgain(rolled) : nextPlayer(rolled); // AN-07, AN-10
}

function afterMove(game, text) {
  const move = legalMoves(game).get(text.replace(new RegExp(`^${game.turn}:|:${game.die}$`, 'g'), '')); // both may be left out
  if (move === undefined) throw (MOVE_FORM.test(text) ? illegal : malformed)(`${text} is not a legal move now`);
  const { token: mover, target } = move;
  // AN-14: every opponent on the square where the move ends, and none that it passes. Start squares are safe, so that coming out
  // captures nobody (AN-17); lanes are off the ring, and belong to one colour (AN-18).
  const square = ringSquare({ ...mover, place: target });
  const isCaught = (token) => token.colour !== mover.colour && ringSquare(token) === square && square !== null && !isSafe(square);
  const caught = game.tokens.filter(isCaught);
  const placeAfter = (token) => (token === mover ? target : caught.includes(token) ? 'Y' : token.place);
  const captures = { ...game.captures, [mover.colour]: game.captures[mover.colour] + caught.length };
  const moved = { ...game, captures, tokens: game.tokens.map((token) => ({ ...token, place: placeAfter(token) })) };
  if (hasWon(moved, mover.colour)) return { ...moved, turn: 'over', die: 0, sixes: 0 }; // AN-22
  // AN-10, AN-11, AN-12, AN-25: one more roll, however many reasons there are for it.
  const captureEarns = caught.length > 0 && game.table.options['capture-roll'] === 'on';
  return game.die === 6 || captureEarns || target === 'H' ? rollAgain(moved) : nextPlayer(moved);
}

/** AN-13: sixes count while they follow upon each other; any other number starts the count anew. */
const rollAgain = (game) => ({ ...game, die: 0, sixes: game.die === 6 ? game.sixes + 1 : 0 });

/** AN-04: clockwise among those who sit at the table. */
function nextPlayer(game) {
  const { colours } = game.table;
  return { ...game, turn: colours[(colours.indexOf(game.turn) + 1) % colours.length], die: 0, sixes: 0 };
}

const placesOf = (game, colour) => game.tokens.filter((token) => token.colour === colour).map(({ place }) => place);
const hasWon = (game, colour) => placesOf(game, colour).every((place) => place === 'H');

/** AN-22, AN-23: more tokens home, then fewer steps to go; who is equal shares the place. */
function ranking(game) {
  const scores = game.table.colours.map((colour) => {
    const left = placesOf(game, colour).map(stepsToGo);
    return { colour, home: left.filter((steps) => steps === 0).length, left: left.reduce((sum, steps) => sum + steps, 0) };
  });
  const isBetter = (one, other) => one.home > other.home || (one.home === other.home && one.left < other.left);
  return scores.map((score) => `${score.colour}=${1 + scores.filter((other) => isBetter(other, score)).length}`).join(' ');
}

// What the notation allows of any game. A text of that form that does not fit this game is illegal, and any other malformed.
const PLACE_FORM = '(?:[YH]|[AL]?\\d+)(?:\\*[\\d/]*)?';
const MOVE_FORM = new RegExp(`^(?:pass|(?:[a-z]+:)?${PLACE_FORM}>${PLACE_FORM}(?::[a-z\\d+-]+)?)$`);
const reader = (fitting, form) => (text) => {
  if (fitting.test(text)) return text;
  throw (form.test(text) ? illegal : malformed)(`${text} does not fit`);
};
const readPlace = reader(/^(?:[YH]|L[1-5]|\d|[1-4]\d|5[01])$/, new RegExp(`^${PLACE_FORM}$`));
const readDie = reader(/^[1-6]$/, /^[a-z\d+,-]+$/); // AN-05
const readCount = reader(/^\d{1,9}$/, /^$/);

function writePosition(game) {
  const fields = game.table.colours.map((colour) => `${colour}=${placesOf(game, colour)}`);
  fields.push(`turn=${game.turn}`);
  if (game.die > 0) fields.push(`pool=${game.die}`);
  if (game.sixes > 0) fields.push(`rolled=${[...Array(game.sixes).fill(6), ...(game.die > 0 ? [game.die] : [])]}`);
  const asked = game.table.options['capture-first'] === 'on' ? game.table.colours : []; // no other rule asks who captured
  fields.push(...asked.filter((colour) => game.captures[colour] > 0).map((colour) => `captures.${colour}=${game.captures[colour]}`));
  return fields.join(' ');
}

function readFields(text) {
  const pairs = text.split(' ').filter(Boolean).map((part) => part.split('='));
  const fields = new Map(pairs);
  if (fields.size < pairs.length || !pairs.every((pair) => pair.length === 2 && pair.every(Boolean))) throw malformed('no list of fields');
  return fields;
}

/** Takes any position from which the rules know how to go on, whether or not play can lead to it. */
function readPosition(table, text) {
  const { turn = table.first, pool, rolled = pool, owed, due = '0', ...others } = Object.fromEntries(readFields(text));
  const game = { ...opening(table), tokens: [], turn, die: pool === undefined ? 0 : Number(readDie(pool)) };
  const capturesCount = table.options['capture-first'] === 'on';
  for (const colour of table.colours) {
    const { [colour]: list = '', [`captures.${colour}`]: captures = '0' } = others;
    const places = list.split(',').map(readPlace);
    if (places.length !== 4) throw illegal(`${colour} has four tokens`); // AN-02
    if (places.includes('51') && !capturesCount) throw illegal('a token turns in before square 51'); // AN-19, AN-21
    game.tokens.push(...places.map((place) => ({ colour, place })));
    game.captures[colour] = Number(readCount(captures));
    delete others[colour];
    if (capturesCount) delete others[`captures.${colour}`];
  }
  if (Object.keys(others).length > 0) throw illegal(`no rule asks about ${Object.keys(others)}`);
  const isOver = turn === 'over';
  if (!isOver && !table.colours.includes(turn)) throw illegal(`${turn} does not sit here`);
  if (table.colours.filter((colour) => hasWon(game, colour)).length !== Number(isOver)) throw illegal('over when one is home'); // AN-22
  if (game.die > 0 && (isOver || legalMoves(game).size === 0)) throw illegal('no token can use the pool'); // AN-07
  const faces = (rolled?.split(',') ?? []).map(readDie);
  if (game.die > 0 && faces.pop() !== pool) throw illegal('the pool is not what was rolled last');
  while (faces.pop() === '6') game.sixes += 1;
  if (game.sixes + (game.die === 6) > (isOver ? 0 : 2)) throw illegal('the third six in a row ends the turn'); // AN-13
  // One roll is owed, or none while a die waits; the further roll of a six may be written as owed or left out.
  const mayBeOwed = game.die === 6 ? ['0', '1'] : [game.die > 0 || isOver ? '0' : '1'];
  if (!mayBeOwed.includes(owed ?? mayBeOwed[0]) || due !== '0') throw illegal('one roll is owed at a time');
  return game;
}

function readTable({ variant, seats, options = '', first = 'red' }) {
  if (variant === undefined || !Number.isInteger(seats)) throw malformed('a game has a variant, and a number of seats');
  if (variant !== 'amarnepal' || !SEATS.has(seats)) throw unsupported('only amarnepal for two to four is played here');
  const asked = readFields(options);
  const isOffered = ([name, value]) => Object.hasOwn(DEFAULTS, name) && (value === 'on' || value === 'off');
  if (![...asked].every(isOffered)) throw unsupported('an unknown option or value');
  if (!SEATS.get(seats).includes(first)) throw illegal(`${first} does not sit here`);
  return { colours: SEATS.get(seats), first, options: { ...DEFAULTS, ...Object.fromEntries(asked) } };
}

/** Whole numbers below a limit: a linear congruential generator, of whose bits the high ones are used, as they repeat latest. */
function seededRandom(seed) {
  let state = [...String(seed)].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16777619), 2166136261);
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A whole game from the opening, by random moves, as a log. */
function selfPlay(table, random) {
  const log = [];
  for (let game = opening(table); game.turn !== 'over'; ) {
    const moves = [...legalMoves(game).keys()];
    const next = moves.length > 0 ? moves[random(moves.length)] : 1 + random(6);
    game = moves.length > 0 ? afterMove(game, next) : afterRoll(game, next);
    log.push(next);
  }
  return log.join(' ');
}

const OFFERED = Object.keys(DEFAULTS).map((name) => `amarnepal.${name}=on,off`).join(' ');
const TEXTS = ['op', 'variant', 'options', 'first', 'position', 'values', 'move'];
const session = {}; // after `new`: the table, the game, the dice

/** What the answer says besides `op` and `id`. */
function reply(message) {
  const { op } = message;
  if (op === undefined || TEXTS.some((key) => key in message && typeof message[key] !== 'string')) throw malformed('no message');
  if (op === 'hello') {
    if (message.protocol !== 1) throw (message.protocol === undefined ? malformed : unsupported)('protocol 1 is spoken here');
    return { protocol: 1, name: 'sample-js', version: '1.0', variants: 'amarnepal', capabilities: 'set force legal log', options: OFFERED };
  }
  if (op === 'new') {
    const table = readTable(message);
    Object.assign(session, { table, game: opening(table), random: seededRandom(message.seed ?? 0) });
    return { position: writePosition(session.game) };
  }
  if (!['set', 'roll', 'legal', 'move', 'state', 'log'].includes(op)) throw unsupported(`no such message: ${op}`);
  const { table, game, random } = session;
  if (game === undefined) throw malformed('a game begins with new');
  if (op === 'legal') return { moves: [...legalMoves(game).keys()].join(' ') };
  if (op === 'log') return { log: selfPlay(table, random) };
  const extra = {};
  if (op === 'set') session.game = readPosition(table, message.position);
  if (op === 'move') session.game = afterMove(game, message.move);
  if (op === 'roll') {
    extra.values = message.values ?? String(1 + random(6));
    session.game = afterRoll(game, Number(readDie(extra.values)));
  }
  if (op === 'state' && game.turn === 'over') extra.places = ranking(game);
  return { position: writePosition(session.game), ...extra };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let message = {};
    let answer;
    try {
      message = JSON.parse(line) ?? {};
      if (message.op === 'quit') return;
      answer = { op: message.op, id: message.id, ...reply(message) };
    } catch (error) { // a refusal, or whatever a broken message has made JavaScript throw
      answer = { op: error.op ?? 'error', id: message.id, reason: error.message };
    }
    const ascii = JSON.stringify(answer).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    process.stdout.write(`${ascii}\n`);
  }
}

main();
