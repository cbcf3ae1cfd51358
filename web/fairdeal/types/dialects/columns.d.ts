/**
 * The name under which a file has each column that it has: the column's own name first, then other ways to write it,
 * then what operators call it.
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
 * Reads what every dialect reads in the same way. What a scheme asks of its own seeds is not looked at.
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
