/**
 * @param {Dialect} dialect
 * @returns {Memory}
 */
export function newMemory(dialect: Dialect): Memory;
/**
 * A row whose columns have their forms. `refused` is the reason why the scheme nevertheless refuses
 * it; `isSeed` says whether the reason is the form of a seed, which a usual confusion may explain.
 * @typedef {{round: Round, refused: string | null, isSeed: boolean}} Read
 */
/**
 * Reads a row.
 * @param {Dialect} dialect
 * @param {unknown} row
 * @param {boolean} needsResult whether the row must have a result
 * @returns {Read}
 * @throws {Unreadable} if a column does not have its form
 */
export function readRow(dialect: Dialect, row: unknown, needsResult: boolean): Read;
/**
 * Whether a round with changed columns is readable and valid under a scheme.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @param {Scheme} [scheme]
 * @returns {boolean}
 */
export function isValid(dialect: Dialect, round: Round, memory: Memory, scheme?: Scheme): boolean;
/**
 * The commitment that a scheme makes to a seed.
 * @param {string} seed
 * @param {"hash-text" | "hash-decoded"} committed
 * @returns {string | null} 64 digits; null if the seed is not hexadecimal and has to be decoded
 */
export function commitmentTo(seed: string, committed: "hash-text" | "hash-decoded"): string | null;
/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @returns {Judged | null} the fault of the commitment; unreadable if its place shows that the
 *   dialect does not cover the game
 */
export function checkCommitment(dialect: Dialect, round: Round, memory: Memory): Judged | null;
/**
 * Compares the row's result with that of the seeds.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Outcome} outcome
 * @returns {string | null} what differs
 */
export function compareOutcome(dialect: Dialect, round: Round, outcome: Outcome): string | null;
/**
 * The number of cards that must be dealt to check a row.
 * @param {Round} round
 * @returns {number}
 */
export function cardsNeeded({ cards, held, final }: Round): number;
/**
 * The verdict on a round that was read.
 * @param {Dialect} dialect
 * @param {Round} round
 * @param {Memory} memory
 * @param {Scheme} [scheme]
 * @returns {Judged}
 */
export function judge(dialect: Dialect, round: Round, memory: Memory, scheme?: Scheme): Judged;
/**
 * @param {Dialect} dialect
 * @param {Round} round
 * @returns {Judged}
 */
export function valid(dialect: Dialect, round: Round): Judged;
export const NO_RULE_GIVEN: "how a commitment of this scheme opens is not in its sources, so the one given was not checked";
/**
 * A row whose columns have their forms. `refused` is the reason why the scheme nevertheless refuses
 * it; `isSeed` says whether the reason is the form of a seed, which a usual confusion may explain.
 */
export type Read = {
    round: Round;
    refused: string | null;
    isSeed: boolean;
};
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Scheme = import("./round.js").Scheme;
export type Memory = import("./round.js").Memory;
export type Outcome = import("./round.js").Outcome;
export type Verdict = "valid" | "commitment-mismatch" | "chain-mismatch" | "result-mismatch" | "unreadable" | "not-compared";
export type Judged = {
    verdict: Verdict;
    says: string;
};
