/**
 * The counts over all rows. A count that cannot occur under a dialect is absent.
 * @param {Dialect} dialect
 * @param {Counted[]} counted
 */
export function rowsShow(dialect: Dialect, counted: Counted[]): {
    notes: import("./notes.js").Note[];
    without_commitment: Tally;
    seeds: {
        lengths: {
            length: number;
            rows: number;
        }[];
        unusual_length: Tally;
        few_characters: Tally;
        digits_only: Tally;
        short: Tally;
    };
    never_revealed?: Tally | undefined;
    clients?: {
        shared_between_commitments: number;
        changed_under_a_commitment?: Tally | undefined;
        commonest?: {
            text: string;
            row: number;
            rows: number;
            share: number;
        } | undefined;
        distinct: number;
    } | undefined;
    seeds_used_again?: Tally | undefined;
    exchanged?: {
        seeds_under_two_commitments: Tally;
        commitments_with_two_seeds: Tally;
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
        only_nonce_0: Tally;
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
};
export type Identified = ReturnType<typeof identify>;
export type Round = import("./round.js").Round;
export type Dialect = import("./round.js").Dialect;
export type Verdict = import("./judge.js").Verdict;
export type Counted = {
    row: number;
    round: Round;
    verdict: Verdict;
};
/**
 * A count, with the first rows.
 */
export type Tally = {
    count: number;
    rows: number[];
};
/**
 * The seeds and the client's text, which distinguish rounds.
 * @param {Dialect} dialect
 * @param {Counted} counted
 */
declare function identify(dialect: Dialect, { row, round: given, verdict }: Counted): {
    row: number;
    round: import("./round.js").Round;
    verdict: import("./judge.js").Verdict;
    seed: string;
    client: string;
    nonce: number | null;
    game: number | null;
    group: string | null;
    name: string | null;
};
export {};
