/**
 * @typedef {object} Found
 * @property {{count: number, only_nonce_0: Tally}} [commitments]
 * @property {{other_result: number}} given_twice
 * @property {{seeds_under_two_commitments: Tally, commitments_with_two_seeds: Tally}} [exchanged]
 * @property {Tally} [seeds_used_again]
 * @property {{shared_between_commitments: number}} [clients]
 */
/**
 * @param {import("./round.js").Dialect} dialect
 * @param {Found} found
 * @returns {Note[]}
 */
export function notesOn(dialect: import("./round.js").Dialect, found: Found): Note[];
export type Found = {
    commitments?: {
        count: number;
        only_nonce_0: Tally;
    } | undefined;
    given_twice: {
        other_result: number;
    };
    exchanged?: {
        seeds_under_two_commitments: Tally;
        commitments_with_two_seeds: Tally;
    } | undefined;
    seeds_used_again?: import("./rows-show.js").Tally | undefined;
    clients?: {
        shared_between_commitments: number;
    } | undefined;
};
export type Tally = import("./rows-show.js").Tally;
export type Note = {
    code: string;
    says: string;
};
