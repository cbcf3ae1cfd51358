/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./guess.js").Guess} Guess */
/**
 * A change. `touches` says which fault it can explain: a commitment that does not open, a result
 * that does not follow, or both. `verifies` says whether the row would be valid; null if the change
 * does not change the row.
 * @typedef {object} Change
 * @property {string} code a short, stable name
 * @property {string} says a clause that follows "would if"
 * @property {"commitment" | "result" | "both"} touches
 * @property {boolean} [isDear] whether a try costs a whole deal
 * @property {(guess: Guess) => boolean | null} verifies
 * @property {(round: Round) => number} [ways] the number of ways to change a row; 1 by default
 */
/**
 * A change of one row's columns.
 * @param {string} code
 * @param {string} says
 * @param {Change["touches"]} touches
 * @param {(round: Round) => Partial<Round> | null} changed null if it changes nothing
 * @param {Change["ways"]} [ways]
 * @returns {Change}
 */
export function rowChange(code: string, says: string, touches: Change["touches"], changed: (round: Round) => Partial<Round> | null, ways?: Change["ways"]): Change;
/**
 * Every change that is tried on a row of a dialect. If several explain the same rows, the first of
 * them is named.
 * @param {Dialect} dialect
 * @param {readonly Dialect[]} all
 * @returns {Change[]}
 */
export function changesOf(dialect: Dialect, all: readonly Dialect[]): Change[];
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Scheme = import("./round.js").Scheme;
export type Guess = import("./guess.js").Guess;
/**
 * A change. `touches` says which fault it can explain: a commitment that does not open, a result
 * that does not follow, or both. `verifies` says whether the row would be valid; null if the change
 * does not change the row.
 */
export type Change = {
    /**
     * a short, stable name
     */
    code: string;
    /**
     * a clause that follows "would if"
     */
    says: string;
    touches: "commitment" | "result" | "both";
    /**
     * whether a try costs a whole deal
     */
    isDear?: boolean | undefined;
    verifies: (guess: Guess) => boolean | null;
    /**
     * the number of ways to change a row; 1 by default
     */
    ways?: ((round: Round) => number) | undefined;
};
