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
  "numbers",
  "rolls",
  "symbols",
  "floors",
  "slot",
  "path",
  "rows",
  "segments",
  "mine_count",
  "risk",
  "difficulty",
];

/** Operators' names of a column. */
const OTHER_NAMES = new Map([
  ["server_seed", ["unhashed_server_seed", "revealed_server_seed"]],
  [
    "commitment",
    ["server_seed_hash", "hashed_server_seed", "server_seed_hashed", "server_hash", "seed_hash"],
  ],
  [
    "client_seed",
    [
      "player_seed",
      "salt",
      "drand",
      "drand_value",
      "drand_signature",
      "drand_randomness",
      "randomness",
    ],
  ],
  ["result", ["multiplier", "crash_point", "bust", "busted_at"]],
  ["game_id", ["game_number"]],
  ["numbers", ["mine_positions", "mines_positions", "mine_tiles"]],
  ["rolls", ["roll_totals"]],
  ["symbols", ["gems", "values"]],
  ["floors", ["egg_positions_by_round"]],
  ["slot", ["final_slot", "winning_slot"]],
  ["path", ["drop_details"]],
  ["rows", ["plinko_row", "number_of_rows"]],
  ["segments", ["wheel_segments"]],
  ["mine_count", ["mines_count"]],
  ["risk", ["plinko_risk", "wheel_risk", "risk_level"]],
]);

/** In a chain, the server seed is the hash of a game. */
const CHAIN_NAMES = ["game_hash", "hash"];

/**
 * A name without what does not matter. Only the letters A to Z have a case.
 * @param {string} name
 * @returns {string}
 */
function folded(name) {
  return name.replaceAll(/[-_ ]/g, "").replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** @type {Map<Dialect, Map<string, string>>} for each dialect, folded names to columns */
const known = new Map();

/**
 * The column that a name means, of those that the dialect reads.
 * @param {Dialect} dialect
 * @param {string} name
 * @returns {string | null}
 */
export function meaning(dialect, name) {
  let names = known.get(dialect);
  if (names === undefined) {
    const isChain = dialect.reuse.endsWith("chain");
    // Elsewhere a multiplier is what was paid.
    const isMultiplier = dialect.limits.law !== undefined || dialect.game?.table !== undefined;
    const others = (/** @type {string} */ column) =>
      column === "result" && !isMultiplier ? [] : (OTHER_NAMES.get(column) ?? []);
    names = new Map(
      dialect.columns.flatMap((column) =>
        [
          column,
          ...others(column),
          ...(isChain && column === "server_seed" ? CHAIN_NAMES : []),
        ].map((one) => /** @type {[string, string]} */ ([folded(one), column])),
      ),
    );
    for (const [one, column] of Object.entries(dialect.ownNames ?? {})) names.set(one, column);
    known.set(dialect, names);
  }
  const short = folded(name);
  // A game's name may come first.
  if (/difficulty(level)?$/.test(short) && dialect.columns.includes("difficulty"))
    return "difficulty";
  return names.get(short) ?? null;
}

/**
 * The file's name of each column.
 * @param {Iterable<string>} names
 * @param {Dialect} dialect
 * @returns {Map<string, string>} column to name
 * @throws {Unreadable} if two names mean one column: only the user knows which one counts
 */
export function nameColumns(names, dialect) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const name of names) {
    const column = meaning(dialect, name);
    if (column === null) continue;
    const other = found.get(column);
    if (other !== undefined) {
      throw new Unreadable(
        `${column}: expected one name for it, found ${shown(other)} and ${shown(name)}; choose one, and take the other out of the file`,
      );
    }
    found.set(column, name);
  }
  return found;
}

/** The names of the last row, and their columns: rows of one file have the same names. */
let last = { key: "", columns: /** @type {Map<string, string>} */ (new Map()) };

/**
 * @param {string[]} names
 * @param {Dialect} dialect
 * @returns {Map<string, string>}
 * @throws {Unreadable}
 */
function columnsOf(names, dialect) {
  const key = JSON.stringify([dialect.name, names]);
  if (last.key !== key) last = { key, columns: nameColumns(names, dialect) };
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
 * @param {Dialect} dialect
 * @returns {Cells}
 * @throws {Unreadable}
 */
export function cellsOf(row, dialect) {
  if (row === null || typeof row !== "object" || Array.isArray(row) || row instanceof JsonNumber) {
    throw new Unreadable(`expected an object, found ${shown(row)}`);
  }
  if (row instanceof JsonObject && row.twice !== null) {
    throw new Unreadable(`expected one value, found a second one in ${shown(row.twice)}`);
  }
  const members = membersOf(row);
  /** @type {Cells} */
  const cells = new Map();
  for (const [column, name] of columnsOf([...members.keys()], dialect)) {
    const value = members.get(name);
    if (value !== null && value !== undefined) cells.set(column, value);
  }
  return cells;
}

/**
 * Reads the columns that every dialect reads in the same way. A scheme's own rules for seeds are
 * not checked here.
 * @param {Cells} cells
 * @returns {Round}
 * @throws {Unreadable}
 */
export function readColumns(cells) {
  /**
   * @template T
   * @param {string} column
   * @param {(value: unknown, column: string) => T} read
   * @returns {T | null}
   */
  const take = (column, read) => (cells.has(column) ? read(cells.get(column), column) : null);
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
