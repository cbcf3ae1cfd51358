/**
 * The changes that would make failing rows verify.
 * @param {Dialect} dialect
 * @param {Memory} memory of the rows that were checked
 * @param {(Round | null)[]} rounds of all rows; null for rows that were not read
 * @param {Failing[]} failing
 */
export function diagnose(dialect: Dialect, memory: Memory, rounds: (Round | null)[], failing: Failing[]): {
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
};
/**
 * a row's number, its place among the rounds
 */
export type Failing = {
    row: number;
    at: number;
    verdict: Verdict;
};
/**
 * the places it explains; the sum of chances
 */
export type Tried = {
    change: Change;
    explained: Set<number>;
    bound: number;
};
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Memory = import("./round.js").Memory;
export type Verdict = import("./judge.js").Verdict;
export type Change = import("./changes.js").Change;
