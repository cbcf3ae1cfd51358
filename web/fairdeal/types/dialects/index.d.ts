/**
 * The known dialects.
 * @returns {DialectInfo[]}
 */
export function dialects(): DialectInfo[];
/**
 * The limits of a dialect's rows, with its exact bias: the JSON of `fairdeal check DIALECT --limits
 * --json`.
 * @param {string} dialect
 * @returns {ReturnType<typeof limitsOf>}
 * @throws {Refused} `usage`
 */
export function limits(dialect: string): ReturnType<typeof limitsOf>;
/**
 * Judges one round. If no result is given, nothing is compared.
 * @param {string} dialect
 * @param {object} row
 * @param {{cards?: number}} [options] the number of cards listed; by default 10, or as many as the
 *   row has
 * @returns {ReturnType<typeof judgeSingle>}
 * @throws {Refused} `usage`
 */
export function checkRound(dialect: string, row: object, options?: {
    cards?: number;
}): ReturnType<typeof judgeSingle>;
/**
 * Judges rows: a list of objects, or a file as CSV, JSON or JSON lines.
 * @param {string} dialect
 * @param {unknown[] | string | Uint8Array} rows
 * @param {CheckOptions} [options]
 * @returns {Checked}
 * @throws {Refused} `usage`, for an unknown dialect, or if the input is not rows
 */
export function checkRows(dialect: string, rows: unknown[] | string | Uint8Array, { onProgress, brief }?: CheckOptions): Checked;
export type Verdict = import("./judge.js").Verdict;
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type RawRow = import("./rows-file.js").RawRow;
/**
 * The description of a dialect.
 */
export type DialectInfo = {
    name: string;
    title: string;
    /**
     * the checks
     */
    covers: string;
    /**
     * where the scheme is described
     */
    source: string;
    /**
     * of spec/dialects.md, section 16.2, that it reads
     */
    columns: string[];
    /**
     * what its rows
     * show and do not show
     */
    statements: ReturnType<typeof import("./statements.js").statementsOf>;
};
export type RowVerdict = {
    row: number;
    verdict: Verdict;
    says: string;
};
export type WouldVerify = ReturnType<typeof diagnose>;
/**
 * The verdicts on a file.
 */
export type Checked = {
    dialect: string;
    rows: RowVerdict[];
    /**
     * whether every row is valid, and the whole file was read
     */
    holds: boolean;
    valid: number;
    invalid: number;
    unreadable: number;
    would_verify?: {
        failing: number;
        tried: number;
        unexplained: number;
        diagnoses: {
            changes: {
                code: string;
                says: string;
            }[];
            rows: number;
            tried: number;
            first_rows: number[];
            also: number;
            chance: number;
            could_be_chance: boolean;
        }[];
    } | undefined;
    rows_show?: {
        notes: import("./notes.js").Note[];
        without_commitment: import("./rows-show.js").Tally;
        seeds: {
            lengths: {
                length: number;
                rows: number;
            }[];
            unusual_length: import("./rows-show.js").Tally;
            few_characters: import("./rows-show.js").Tally;
            digits_only: import("./rows-show.js").Tally;
            short: import("./rows-show.js").Tally;
        };
        never_revealed?: import("./rows-show.js").Tally | undefined;
        clients?: {
            shared_between_commitments: number;
            changed_under_a_commitment?: import("./rows-show.js").Tally | undefined;
            commonest?: {
                text: string;
                row: number;
                rows: number;
                share: number;
            } | undefined;
            distinct: number;
        } | undefined;
        seeds_used_again?: import("./rows-show.js").Tally | undefined;
        exchanged?: {
            seeds_under_two_commitments: import("./rows-show.js").Tally;
            commitments_with_two_seeds: import("./rows-show.js").Tally;
        } | undefined;
        given_twice: {
            count: number;
            same_result: number;
            other_result: number;
            examples: {
                row: number;
                first_row: number;
                same_result?: boolean;
            }[];
        };
        game_gaps?: {
            missing: number;
            places: number;
            examples: {
                row: number;
                from: number;
                to: number;
            }[];
        } | undefined;
        commitments?: {
            count: number;
            by_rounds: {
                commitments: number;
                to?: number | undefined;
                from: number;
            }[];
            longest: number;
            longest_row: number;
            only_nonce_0: import("./rows-show.js").Tally;
            only_nonce_0_share: number;
        } | undefined;
        nonce_gaps?: {
            missing: number;
            places: number;
            examples: {
                row: number;
                from: number;
                to: number;
            }[];
        } | undefined;
        dialect: string;
        rows: number;
        rows_left_out: number;
    } | undefined;
    cannot_show?: {
        dialect: string;
        title: string;
        covers: string;
        bias: {
            unseen_rounds?: number | undefined;
            kind: string;
            biased: boolean;
            word_bits: number;
            ranges: {
                words?: number[] | undefined;
                range: number;
                words_refused: number;
                least: number;
                most: number;
                values_with_most: number;
                biased: boolean;
                probability_least: import("./limits.js").Ratio;
                probability_most: import("./limits.js").Ratio;
                deviation: import("./limits.js").Ratio;
            }[];
            draws: number;
            likeliest: import("./limits.js").Ratio;
            least_likely: import("./limits.js").Ratio;
        } | {
            points: {
                multiplier: string;
                exactly: number;
                at_least: number;
                probability: import("./limits.js").Ratio;
                ideal: import("./limits.js").Ratio;
                deviation: import("./limits.js").Ratio;
                relative: import("./limits.js").Ratio;
            }[];
            largest_deviation: {
                multiplier: string;
                deviation: import("./limits.js").Ratio;
            };
            largest_deviation_to_10000: {
                multiplier: string;
                deviation: import("./limits.js").Ratio;
            };
            first_impossible?: string | undefined;
            kind: string;
            bits: number;
            cases: number;
            house_edge: import("./limits.js").Ratio;
            lowest: import("./limits.js").Ratio;
            largest: string;
        };
        seed: {
            result_bits?: number | undefined;
            bits?: number | undefined;
        };
        statements: import("./statements.js").Statement[];
        source: string;
    } | undefined;
    /**
     * why there are no more rows, or why no row
     * could be checked
     */
    error?: {
        code: "unavailable";
        says: string;
    } | undefined;
};
export type CheckOptions = {
    /**
     * called after each thousand rows, with the number
     * judged
     */
    onProgress?: ((done: number) => void) | undefined;
    /**
     * the verdicts alone
     */
    brief?: boolean | undefined;
};
import { limitsOf } from "./limits.js";
import { judgeSingle } from "./single.js";
import { diagnose } from "./diagnose.js";
