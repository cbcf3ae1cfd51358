// Games of numbers and symbols (spec/dialects.md, sections 18 to 21): from the numbers of a scheme
// to the columns of a row, and back.

import { wordAt, Choices, hmacDigests, valueOf } from "./numbers.js";
import { readChoice, readIntegers, readLists, readPath, readSymbols } from "./lists.js";
import { requireSeeds, seedBytes } from "./seeds.js";
import { Unreadable } from "./unreadable.js";
import { centsText, readInteger } from "./values.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Cells} Cells */

/**
 * The choices of a row, as its columns give them: `rows`, `segments`, `mine_count` as numbers,
 * `risk`, `difficulty` as names.
 * @typedef {{[column: string]: number | string}} Asked
 */

/**
 * The values that follow from the seeds, by column. `result` in hundredths, with another one that is accepted
 * and what is said of a row with either; `symbols` with those that are accepted at each place.
 * @typedef {object} Follows
 * @property {Accepted} [result]
 * @property {number[]} [numbers]
 * @property {number[]} [rolls]
 * @property {number[][]} [floors]
 * @property {(readonly string[])[]} [symbols]
 * @property {number[]} [path]
 * @property {number} [slot]
 */

/** @typedef {{cents: bigint, other?: bigint, says?: [string, string]}} Accepted */

/**
 * The results of a game: multiples of a unit, in hundredths.
 * @typedef {{last: bigint, unit: bigint}} Results
 */

/**
 * One game.
 * @typedef {object} Game
 * @property {string[]} shows columns of the result; a row needs one of them
 * @property {{[column: string]: readonly (number | string)[] | "mines"}} [asks] columns of choices,
 *   with the known ones
 * @property {readonly string[]} [symbols]
 * @property {boolean} [isSet] whether `numbers` is a set
 * @property {(asked: Asked) => number} [count] how many `numbers` a row has
 * @property {[first: number, last: number]} [range] the `numbers` that it draws
 * @property {number} [most] how many `symbols` or `rolls` a round has
 * @property {(asked: Asked) => [eggs: number, places: number]} [floor] the eggs of each of nine
 * @property {Results} [results]
 * @property {(asked: Asked) => readonly {share: number, accepted: Accepted}[]} [table] the results of
 *   a game that has a table of them, with the share of each
 * @property {(draws: Draws, asked: Asked) => Follows} follows
 */

/** Thrown where a scheme has no answer. */
export class NoAnswer extends Error {}

/** The numbers of one round. */
export class Draws {
  /**
   * @param {import("./numbers.js").Numbers} numbers
   * @param {import("../sha256.js").HmacKey} key
   * @param {string} round `client:nonce`
   */
  constructor(numbers, key, round) {
    this.key = key;
    this.round = round;
    this.choices = new Choices(numbers, hmacDigests(key, `${round}:`));
  }

  /** @param {number} ways @param {number} [position] @returns {number} */
  under(ways, position = 0) {
    const chosen = this.choices.choose(ways, position);
    if (chosen < 0) throw new NoAnswer();
    return chosen;
  }

  /** @param {number} ways @param {number} count @returns {number[]} */
  several(ways, count) {
    return Array.from({ length: count }, () => this.under(ways));
  }

  /** @returns {number} the next word */
  word() {
    return this.choices.streamWord(2 ** 32);
  }

  /**
   * The number of the message without a cursor.
   * @param {number} ways
   * @returns {number}
   */
  only(ways) {
    const { numbers } = this.choices;
    const digest = this.key.sign(new TextEncoder().encode(this.round));
    for (let at = 0; at < 8; at++) {
      const word = wordAt(digest, at);
      if (word < this.choices.limit(ways)) return valueOf(numbers.mapping, word, ways);
    }
    throw new NoAnswer();
  }

  /**
   * So many of the items, each taken out of the list.
   * @param {number} size
   * @param {number} count
   * @param {number} first
   */
  picked(size, count, first = 0) {
    const left = Array.from({ length: size }, (_, at) => at + first);
    return Array.from({ length: count }, () => left.splice(this.under(left.length), 1)[0]);
  }

  /** Shuffled from the last position down. @param {number} size */
  backward(size) {
    const all = Array.from({ length: size }, (_, at) => at);
    for (let i = size - 1; i >= 1; i--) {
      const j = this.under(i + 1, i);
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
  }

  /** Shuffled from the first position up. @param {number} size @param {number} first */
  forward(size, first) {
    const all = Array.from({ length: size }, (_, at) => at + first);
    for (let i = 0; i < size; i++) {
      const j = i + this.under(size - i, i);
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
  }
}

/** @param {bigint | number} cents @returns {Follows} */
export const result = (cents) => ({ result: { cents: BigInt(cents) } });

/** @param {number[]} path @returns {Follows} */
export const pathOf = (path) => ({ path, slot: path.reduce((sum, bit) => sum + bit, 0) });

/**
 * The values that a row shows, and its choices.
 * @typedef {{shown: Map<string, any>, asked: Asked}} Played
 */

/**
 * @param {Game} game
 * @param {Cells} cells
 * @returns {Played}
 * @throws {Unreadable}
 */
export function readGame(game, cells) {
  /** @type {{[column: string]: (value: unknown) => unknown}} */
  const read = {
    numbers: (value) => readIntegers(value, "numbers"),
    rolls: (value) => readIntegers(value, "rolls"),
    floors: (value) => readLists(value, "floors"),
    symbols: (value) => readSymbols(value, "symbols", game.symbols ?? []),
    path: (value) => readPath(value, "path"),
    slot: (value) => readInteger(value, "slot"),
  };
  const shown = new Map(
    game.shows
      .filter((column) => column in read && cells.has(column))
      .map((column) => [column, read[column](cells.get(column))]),
  );
  /** @type {Asked} */
  const asked = {};
  for (const [column, known] of Object.entries(game.asks ?? {})) {
    const value = cells.get(column);
    const numbers = /** @type {number[] | undefined} */ (shown.get("numbers"));
    asked[column] = known === "mines" ? minesOf(value, numbers) : readChoice(value, column, known);
  }
  return { shown, asked };
}

/**
 * @param {unknown} value
 * @param {number[] | undefined} numbers
 * @returns {number}
 */
function minesOf(value, numbers) {
  const count = value === undefined ? (numbers?.length ?? 0) : readInteger(value, "mine_count");
  if (count < 1 || count > 24) throw new Unreadable(`mine_count: expected 1 to 24, found ${count}`);
  return count;
}

/**
 * The parts of a dialect that its game gives.
 * @param {Game} game
 * @param {import("./round.js").Scheme} scheme
 * @returns {Pick<Dialect, "kind" | "game" | "columns" | "scheme" | "require" | "outcome">}
 */
export function gameParts(game, scheme) {
  return {
    kind: "game",
    game,
    columns: [
      "server_seed",
      "commitment",
      "client_seed",
      "nonce",
      ...game.shows,
      ...Object.keys(game.asks ?? {}),
    ],
    scheme,
    require(cells, round) {
      requireSeeds(cells, round);
      checkShown(game, readGame(game, cells));
      if (game.results !== undefined) checkResult(game.results, round);
    },
    outcome(round, _count, chosen, memory) {
      const bytes = seedBytes(round.serverSeed, chosen.seed);
      if (bytes === null) return { none: "the server seed is not hexadecimal" };
      const key = memory.keys.of(`${chosen.seed} ${round.serverSeed}`, () => bytes);
      const numbers = /** @type {import("./numbers.js").Numbers} */ (chosen.numbers);
      const draws = new Draws(numbers, key, `${round.clientSeed}:${round.nonce}`);
      try {
        return { follows: game.follows(draws, readGame(game, round.cells).asked) };
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        return {
          none: "all eight words of a digest are refused, and the scheme does not say what then",
        };
      }
    },
  };
}

/**
 * Refuses values that no round of the game can show: they are something else than its result.
 * @param {Game} game
 * @param {Played} played
 */
function checkShown(game, { shown: all, asked }) {
  /** @type {(column: string, expected: string, holds: (value: any) => boolean) => void} */
  const check = (column, expected, holds) => {
    const value = all.get(column);
    if (value !== undefined && !holds(value))
      throw new Unreadable(`${column}: expected ${expected}, found ${cellText(value)}`);
  };
  const isTwice = (/** @type {number[]} */ list) => new Set(list).size < list.length;
  const { range: [first, last] = [0, 0], most = 0 } = game;
  check("numbers", `numbers from ${first} to ${last}`, (numbers) =>
    numbers.every((/** @type {number} */ one) => first <= one && one <= last),
  );
  const numbers = /** @type {number[] | undefined} */ (all.get("numbers"));
  if (numbers !== undefined) {
    const count = game.count?.(asked) ?? numbers.length;
    const twice = numbers.find((one, at) => numbers.indexOf(one) !== at);
    check("numbers", `all ${count}`, () => numbers.length === count);
    if (twice !== undefined)
      throw new Unreadable(`numbers: expected all ${count}, found ${twice} twice`);
  }
  check("symbols", `at most ${most} symbols`, ({ length }) => length <= most);
  check(
    "rolls",
    `at most ${most} sums of two dice, 2 to 12`,
    (rolls) =>
      rolls.length <= most && rolls.every((/** @type {number} */ sum) => 2 <= sum && sum <= 12),
  );
  const [eggs, places] = game.floor?.(asked) ?? [0, 0];
  check(
    "floors",
    `at most ${FLOORS} floors, each with ${eggs} of the places 0 to ${places - 1}`,
    (floors) =>
      floors.length <= FLOORS &&
      floors.every(
        (/** @type {number[]} */ floor) =>
          floor.length === eggs && floor.every((place) => place < places) && !isTwice(floor),
      ),
  );
  const { rows } = asked;
  check("path", `${rows} of 0 and 1`, ({ length }) => length === rows);
  check("slot", `a slot from 0 to ${rows}`, (slot) => slot <= Number(rows));
}

/** The share of each order of a floor. @param {[eggs: number, places: number]} floor */
function floorShare([eggs, places]) {
  let share = 1;
  for (let left = places; left > places - eggs; left--) share /= left;
  return share;
}

/** The floors of a tower. */
export const FLOORS = 9;

/**
 * Refuses a result that no round has: it is something else than the result.
 * @param {Results} results
 * @param {Round} round
 */
export function checkResult({ last, unit }, { result: given }) {
  const { cents = 0n, text = "" } = given ?? {};
  if (cents !== null && cents <= last && cents % unit === 0n) return;
  const expected =
    unit === 1n
      ? `a number from 0.00 to ${centsText(last)}`
      : `a whole number from 0 to ${last / unit}`;
  throw new Unreadable(
    `result: expected ${expected}, found ${cents === null ? text : centsText(cents)}`,
  );
}

/**
 * Compares a row with what follows from its seeds.
 * @param {Game} game
 * @param {Round} round
 * @param {Follows} follows
 * @returns {string | null} what differs
 */
export function compareGame(game, round, follows) {
  if (follows.result !== undefined) return compareResult(follows.result, round);
  const { shown: all } = readGame(game, round.cells);
  for (const [column, value] of all) {
    const dealt = /** @type {any} */ (follows)[column];
    if (!isSame(game, column, dealt, value))
      return `${column}: the seeds give ${cellText(dealt)}, the row says ${cellText(value)}`;
  }
  return null;
}

/**
 * @param {Accepted} accepted
 * @param {Round} round
 * @returns {string | null}
 */
export function compareResult({ cents, other }, { result: given }) {
  if (given === null || given.cents === cents) return null;
  if (other !== undefined && given.cents === other) return null;
  const or = other === undefined ? "" : ` or ${centsText(other)}`;
  const says = given.cents === null ? given.text : centsText(given.cents);
  return `the seeds give ${centsText(cents)}${or}, the row says ${says}`;
}

/**
 * @param {Game} game
 * @param {string} column
 * @param {any} dealt
 * @param {any} value
 * @returns {boolean}
 */
function isSame({ isSet = false }, column, dealt, value) {
  if (column === "slot") return dealt === value;
  if (column === "symbols")
    return (
      value.length <= dealt.length &&
      value.every((/** @type {string} */ one, /** @type {number} */ at) => dealt[at].includes(one))
    );
  const isStream = column === "rolls" || column === "floors";
  const wanted = isStream ? dealt.slice(0, value.length) : dealt;
  const order = (/** @type {number[]} */ all) =>
    isSet && column === "numbers" ? [...all].sort((a, b) => a - b) : all;
  return JSON.stringify(order(wanted)) === JSON.stringify(order(value));
}

/** The whole bits of draws of these ranges. @param {readonly number[]} ways @returns {number} */
export const bitsOf = (ways) =>
  Math.floor(ways.reduce((bits, range) => bits + Math.log2(range), 0));

/** The number of ways to choose so many of a set. @param {number} of @param {number} count */
export function choose(of, count) {
  let ways = 1;
  for (let at = 0; at < count; at++) ways *= (of - at) / (at + 1);
  return ways;
}

/**
 * An upper bound of the probability of what a row shows; 0 if it shows no round of the game.
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {number}
 */
export function chanceOfGame({ game, limits, results = game?.results }, round) {
  const { cells, result: given } = round;
  const [first = 1] = limits.ways ?? [];
  // No value comes more often by this than its share (spec/dialects.md, section 17.2).
  const most = 1 + 1e-5;
  /** @type {Played} */
  let played = { shown: new Map(), asked: {} };
  try {
    if (results !== undefined) checkResult(results, round);
    if (game !== undefined) played = readGame(game, cells);
    if (game !== undefined) checkShown(game, played);
  } catch (error) {
    if (error instanceof Unreadable) return 0;
    throw error;
  }
  if (game === undefined) return most / first;
  const { shown: all, asked } = played;
  // A path says more than its slot.
  const column = all.has("path") ? "path" : ([...all.keys()][0] ?? "result");
  const value = all.get(column);
  const length = Array.isArray(value) ? value.length : 0;
  let picked = 1;
  for (let left = first; left > first - length; left--) picked /= Math.max(left, 1);
  const orders = Array.from({ length }, (_, at) => at + 1).reduce((ways, one) => ways * one, 1);
  /** @type {{[column: string]: () => number}} */
  const share = {
    result: () =>
      game.table === undefined
        ? 1 / first
        : game
            .table(asked)
            .filter(({ accepted: { cents, other } }) =>
              [cents, other].includes(given?.cents ?? -1n),
            )
            .reduce((sum, one) => sum + one.share, 0),
    numbers: () => picked * (game.isSet === true ? orders : 1),
    symbols: () => (game.symbols ?? []).length ** -length,
    // Seven is the likeliest sum.
    rolls: () => 6 ** -length,
    floors: () => floorShare(game.floor?.(asked) ?? [0, 0]) ** length,
    path: () => 2 ** -length,
    slot: () => choose(Number(asked.rows), value) * 2 ** -Number(asked.rows),
  };
  return most * share[column]();
}

/** So many items of a list are shown. */
const MOST_ITEMS = 40;

/**
 * @param {any[]} items
 * @param {string} between
 * @returns {string}
 */
function joined(items, between) {
  if (items.length <= MOST_ITEMS) return items.join(between);
  return [...items.slice(0, MOST_ITEMS), `… (${items.length} in all)`].join(between);
}

/** @param {any} value @returns {string} */
export function cellText(value) {
  if (!Array.isArray(value)) return String(value);
  if (!Array.isArray(value[0])) return joined(value, ", ");
  if (typeof value[0][0] === "string")
    return joined(
      value.map((all) => all.join(" or ")),
      ", ",
    );
  return joined(
    value.map((list) => joined(list, ",")),
    "; ",
  );
}
