/**
 * The file's name of each column: the column's own name if present, otherwise another spelling,
 * otherwise an operator's name.
 * @param {Iterable<string>} names
 * @param {boolean} isChain whether the dialect's server seeds are hashes of games
 * @returns {Map<string, string>} column to name
 */
export function nameColumns(names: Iterable<string>, isChain: boolean): Map<string, string>;
/**
 * @param {unknown} row an object, from a file or from a caller
 * @param {boolean} isChain
 * @returns {Cells}
 * @throws {Unreadable}
 */
export function cellsOf(row: unknown, isChain: boolean): Cells;
/**
 * Reads the columns that every dialect reads in the same way. A scheme's own rules for seeds are
 * not checked here.
 * @param {Dialect} dialect
 * @param {Cells} cells
 * @returns {Round}
 * @throws {Unreadable}
 */
export function readColumns(dialect: Dialect, cells: Cells): Round;
/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
export const COLUMNS: string[];
/**
 * The given columns of a row. JSON `null` is not given.
 */
export type Cells = Map<string, unknown>;
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
