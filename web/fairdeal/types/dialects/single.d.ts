/**
 * Judges one round.
 * @param {Dialect} dialect
 * @param {unknown} row
 * @param {{cards?: number}} options
 * @returns {CheckedRound}
 */
export function judgeSingle(dialect: Dialect, row: unknown, { cards }: {
    cards?: number;
}): CheckedRound;
/**
 * A round with its verdict.
 */
export type SingleRow = {
    /**
     * always 0
     */
    row: number;
    verdict: Verdict;
    says: string;
    /**
     * of the seeds
     */
    outcome?: {
        cards: string[];
    } | {
        result: string;
    } | undefined;
    /**
     * whether the commitment opens
     */
    opens?: "no-rule" | "not-shown" | "yes" | "no" | undefined;
    /**
     * whether the given result follows
     */
    follows?: boolean | undefined;
    /**
     * other readings of the seeds
     */
    notes?: string[] | undefined;
};
/**
 * The verdict on one round.
 */
export type CheckedRound = {
    dialect: string;
    /**
     * one row
     */
    rows: SingleRow[];
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
};
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Outcome = import("./round.js").Outcome;
export type Memory = import("./round.js").Memory;
export type Verdict = import("./judge.js").Verdict;
