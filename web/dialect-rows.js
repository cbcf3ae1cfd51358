// Makes rows of every dialect for which rows can be made. For a published chain this is impossible.

import { createHash } from "node:crypto";
import { cardText, NAMED_DECKS } from "./fairdeal/dialects/cards.js";
import { commitmentTo, newMemory, readRow } from "./fairdeal/dialects/judge.js";
import { ALL, dialectNamed } from "./fairdeal/dialects/registry.js";
import { centsText } from "./fairdeal/dialects/values.js";

/** @typedef {import("./fairdeal/dialects/round.js").Dialect} Dialect */
/** @typedef {import("./fairdeal/dialects/round.js").Scheme} Scheme */
/** @typedef {Record<string, any>} Row */

export const MADE = ALL.filter(({ published }) => published === null);
/** The dialects whose rows have so many results that a few rows tell one change from chance. */
export const TELLING = MADE.filter(({ name }) => !["stake-plinko", "stake-wheel"].includes(name));
export const OF_CARDS = MADE.filter(({ kind }) => kind === "cards");
export const WALKED = OF_CARDS.filter(({ scheme }) => scheme.walk !== undefined);
export { NAMED_DECKS, dialectNamed };

/**
 * @param {string | Uint8Array} text
 * @returns {string}
 */
export function hash(text) {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Sets a row's result to the result of its seeds under a scheme.
 * @param {Dialect} dialect
 * @param {Row} row
 * @param {Scheme} [scheme]
 * @param {number} [count] of cards
 * @returns {Row}
 */
export function settle(
  dialect,
  row,
  scheme = dialect.scheme,
  count = dialect.name === "stake-replace" ? 12 : 8,
) {
  const { round, refused } = readRow(dialect, row, false);
  if (refused !== null) throw new Error(refused);
  const outcome = dialect.outcome(round, count, scheme, newMemory(dialect));
  if ("none" in outcome) throw new Error(outcome.none);
  const { result, symbols, ...columns } = "follows" in outcome ? outcome.follows : outcome;
  if (result !== undefined) row.result = centsText(result.cents);
  else if (symbols !== undefined) row.symbols = symbols.map((all) => all[0]);
  else if ("cards" in outcome) row.cards = outcome.cards.slice(0, count).map(cardText);
  else Object.assign(row, columns);
  return row;
}

/**
 * Rows of a dialect, each server seed used for `each` of them, with the results of a scheme.
 * @param {Dialect} dialect
 * @param {number} count
 * @param {number} each
 * @param {Scheme} [scheme]
 * @returns {Row[]}
 */
export function rowsOf(dialect, count, each, scheme = dialect.scheme) {
  return Array.from({ length: count }, (_, at) => {
    const seed = hash(`${dialect.name} ${Math.floor(at / each)}`).slice(
      0,
      dialect.seedDigits ?? 64,
    );
    const client = hash(`client ${Math.floor(at / 2)}`);
    /** @type {Row} */
    const row = { server_seed: seed, client_seed: client };
    if (dialect.reuse === "rounds") row.client_seed = client + client.slice(0, 32);
    if (dialect.name === "fairdeal/v1") row.client_seed = `alice=${client}`;
    if (dialect.reuse === "rounds") row.nonce = 0;
    else if (dialect.kind !== "multiplier") row.nonce = (at % each) + 3;
    for (const [column, known] of Object.entries(dialect.game?.asks ?? {}))
      row[column] = known === "mines" ? 12 : known[known.length - 1];
    if (dialect.committed === "hash-text" || dialect.committed === "hash-decoded")
      row.commitment = commitmentTo(seed, dialect.committed);
    return settle(dialect, row, scheme);
  });
}

/**
 * Each row gets the next row's value of a column; the last row keeps its own.
 * @param {Row[]} rows
 * @param {...string} columns
 * @returns {Row[]}
 */
export function shifted(rows, ...columns) {
  return rows.map((row, at) => {
    const next = rows[Math.min(at + 1, rows.length - 1)];
    return { ...row, ...Object.fromEntries(columns.map((column) => [column, next[column]])) };
  });
}

/** Values that a column may have by mistake, and some that only look like a mistake. */
const STRANGE = [
  null,
  "",
  " ",
  0,
  1,
  33,
  1.5,
  "1.83",
  "1,234.50",
  "1,23",
  "7.74x",
  "7.74×",
  "x",
  true,
  false,
  "TRUE",
  "False",
  [],
  {},
  [[]],
  [null],
  ["5S", "AS"],
  ["5s"],
  "5S AS",
  "5sAs",
  "5SAS",
  "10h,th",
  "HEART:7",
  "heart:13 X1",
  "X1",
  "x1",
  ["X2"],
  "0".repeat(64),
  "A".repeat(64),
  "a".repeat(32),
  "ab",
  2 ** 53 - 1,
  2 ** 53,
  "9007199254740991",
  "00",
  "a=b",
  "a=b\nc=d",
  "=b",
  "a=",
  "a",
  "a=b\r",
  "é=ü",
  "a=b\u0085",
  [{ from: "a", seed: "b" }],
  [{ from: "a" }],
  "[",
  [{ from: "a", seed: "b", seen: { size: 3, root: "0".repeat(64) } }],
  '[{"from":"a","seed":"b"}]',
  "short-36",
  "standard-52x8",
  "jokers-54",
  "cycle",
  "shuffle",
  "♠",
  "5♠ 4♥",
  ["5♠"],
  "10",
  "T",
  "9".repeat(26),
  [3, 1, 2],
  [3, 3],
  "3, 1, 2",
  "[3, 1, 2]",
  [[0, 1], [2]],
  "0,1; 2",
  ["heads", "T"],
  "heads, tails",
  "r p s",
  "R",
  "01101001",
  [0, 1, 1],
  "low",
  "High",
  "easy",
  4,
  "4",
  16,
  "1.000000000000000000001",
];

/**
 * Random numbers that are the same in every run.
 * @param {number} seed
 * @returns {(below: number) => number}
 */
export function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Rows of a fixture with one or two columns changed.
 * @param {Dialect} dialect
 * @param {Row[]} rows
 * @param {number} count
 * @param {number} seed
 * @returns {Row[]}
 */
export function changedRows(dialect, rows, count, seed) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const row = { ...rows[next(rows.length)] };
    for (let left = next(3); left > 0; left--) {
      row[dialect.columns[next(dialect.columns.length)]] = STRANGE[next(STRANGE.length)];
    }
    // A search for a hash that is not on the chain takes long, so the row claims no place.
    if (dialect.published !== null) row.commitment = null;
    return row;
  });
}
