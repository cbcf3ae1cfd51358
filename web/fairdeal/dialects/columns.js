// The columns of a row, and the names under which a file may have them (spec/dialects.md, section
// 16.2).

import { JsonObject } from "./json-rows.js";
import { JsonNumber, Unreadable, shown } from "./unreadable.js";
import { readCards } from "./cards.js";
import { readDecimal, readFlag, readHex, readInteger, readText } from "./values.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */

export const COLUMNS = [
  "server_seed",
  "commitment",
  "client_seed",
  "nonce",
  "cards",
  "result",
  "chain_steps",
  "game_id",
  "held",
  "final",
  "full",
  "contributions",
  "deck",
  "method",
];

/** Operators' names of a column. Names are compared in lower case, without spaces, "-" and "_". */
const ALIASES = new Map([
  ["commitment", ["server_seed_hash", "hashed_server_seed"]],
  ["client_seed", ["salt", "drand_randomness"]],
  ["result", ["multiplier", "crash_point", "bust"]],
]);

/** In a chain, the server seed is the hash of a game. */
const CHAIN_ALIASES = new Map([["server_seed", ["game_hash", "hash"]]]);

/** @param {string} name @returns {string} */
function plain(name) {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/**
 * The file's name of each column: the column's own name if present, otherwise another spelling,
 * otherwise an operator's name.
 * @param {Iterable<string>} names
 * @param {boolean} isChain whether the dialect's server seeds are hashes of games
 * @returns {Map<string, string>} column to name
 */
export function nameColumns(names, isChain) {
  /** @type {Map<string, string>} */
  const byPlain = new Map();
  const exact = new Set();
  for (const name of names) {
    exact.add(name);
    if (!byPlain.has(plain(name))) byPlain.set(plain(name), name);
  }
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const column of COLUMNS) {
    const others = [
      ...(ALIASES.get(column) ?? []),
      ...((isChain && CHAIN_ALIASES.get(column)) || []),
    ];
    const name = exact.has(column)
      ? column
      : [column, ...others].map((one) => byPlain.get(plain(one))).find(Boolean);
    if (name !== undefined) found.set(column, name);
  }
  return found;
}

/** The names of the last row, and their columns: rows of one file have the same names. */
let last = { key: "", columns: /** @type {Map<string, string>} */ (new Map()) };

/**
 * @param {string[]} names
 * @param {boolean} isChain
 * @returns {Map<string, string>}
 */
function columnsOf(names, isChain) {
  const key = JSON.stringify([isChain, names]);
  if (last.key !== key) last = { key, columns: nameColumns(names, isChain) };
  return last.columns;
}

/**
 * The given columns of a row. JSON `null` is not given.
 * @typedef {Map<string, unknown>} Cells
 */

/**
 * The names and values of an object's own members.
 * @param {object} row
 * @returns {Map<string, unknown>}
 */
function membersOf(row) {
  if (row instanceof JsonObject) return row.members;
  return new Map(Object.entries(row));
}

/**
 * @param {unknown} row an object, from a file or from a caller
 * @param {boolean} isChain
 * @returns {Cells}
 * @throws {Unreadable}
 */
export function cellsOf(row, isChain) {
  if (row === null || typeof row !== "object" || Array.isArray(row) || row instanceof JsonNumber) {
    throw new Unreadable(`expected an object, found ${shown(row)}`);
  }
  if (row instanceof JsonObject && row.twice !== null) {
    throw new Unreadable(`expected one value, found a second one in ${shown(row.twice)}`);
  }
  const members = membersOf(row);
  /** @type {Cells} */
  const cells = new Map();
  for (const [column, name] of columnsOf([...members.keys()], isChain)) {
    const value = members.get(name);
    if (value !== null && value !== undefined) cells.set(column, value);
  }
  return cells;
}

/**
 * Reads the columns that every dialect reads in the same way. A scheme's own rules for seeds are
 * not checked here.
 * @param {Dialect} dialect
 * @param {Cells} cells
 * @returns {Round}
 * @throws {Unreadable}
 */
export function readColumns(dialect, cells) {
  /**
   * @template T
   * @param {string} column
   * @param {(value: unknown, column: string) => T} read
   * @returns {T | null}
   */
  const take = (column, read) =>
    dialect.columns.includes(column) && cells.has(column) ? read(cells.get(column), column) : null;
  return {
    serverSeed: take("server_seed", readText) ?? "",
    commitment: take("commitment", (value, column) => readHex(value, 64, column).toLowerCase()),
    clientSeed: take("client_seed", readText),
    nonce: take("nonce", readInteger),
    cards: take("cards", readCards),
    full: take("full", readFlag) ?? false,
    result: take("result", readDecimal),
    held: take("held", readCards),
    final: take("final", readCards),
    gameId: take("game_id", readInteger),
    chainSteps: take("chain_steps", readInteger),
    deal: null,
    cells,
  };
}
