/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./round.js").Outcome} Outcome */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./columns.js").Cells} Cells */
/**
 * The bytes of hexadecimal in either case.
 * @param {string} text
 * @returns {Uint8Array | null} null if it is not hexadecimal
 */
export function decoded(text: string): Uint8Array | null;
/**
 * The bytes with which a seed enters the HMAC.
 * @param {string} seed
 * @param {Scheme["seed"]} form
 * @returns {Uint8Array | null} null if it cannot be read in this form
 */
export function seedBytes(seed: string, form: Scheme["seed"]): Uint8Array | null;
/**
 * Cards follow only from a row with a client seed and a nonce.
 * @param {Cells} _cells
 * @param {Round} round
 */
export function requireSeeds(_cells: Cells, round: Round): void;
/**
 * @param {Cells} _cells
 * @param {Round} round
 */
export function requireClient(_cells: Cells, round: Round): void;
/**
 * The deck of a scheme; made once, because a file has thousands of rows.
 * @param {Scheme} scheme
 * @returns {number[]}
 */
export function schemeDeck(scheme: Scheme): number[];
/**
 * The places that a scheme deals, in deal order; null if it has no answer, a text if the seed is
 * not readable.
 * @param {Round} round
 * @param {number} count
 * @param {Scheme} scheme
 * @param {Memory} memory
 * @returns {number[] | null | string}
 */
export function dealtPlaces(round: Round, count: number, scheme: Scheme, memory: Memory): number[] | null | string;
export function dealtCards(round: import("./round.js").Round, count: number, scheme: import("./round.js").Scheme, memory: import("./round.js").Memory): import("./round.js").Outcome;
export type Round = import("./round.js").Round;
export type Scheme = import("./round.js").Scheme;
export type Memory = import("./round.js").Memory;
export type Outcome = import("./round.js").Outcome;
export type Dialect = import("./round.js").Dialect;
export type Cells = import("./columns.js").Cells;
