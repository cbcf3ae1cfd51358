/**
 * The problem in an answer.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export function problemOf(response: Response): Promise<Problem>;
/**
 * The members of a problem that programs use.
 * @typedef {object} ProblemMembers
 * @property {number} status of HTTP; 0 if no answer came
 * @property {string} code a stable name, such as `nonce-gap`; `unreachable` if no answer came
 * @property {string} detail what was expected and what was received
 * @property {TableState} [table] the table's state, if the request did not fit it
 * @property {string[]} [from] the players whom the problem is about
 * @property {{code: string, says: string, index?: number}[]} [findings] the rules of the log that forbid it
 * @property {number[]} [in_play] the rounds in play, if they are the reason
 * @property {number} [index] of the entry that is committed, if only its publication failed
 */
/**
 * The state of a table.
 * @typedef {object} TableState
 * @property {string} table
 * @property {Standing} commitment its last commitment
 */
/**
 * The present state of a commitment.
 * @typedef {object} Standing
 * @property {string} commitment
 * @property {number} index
 * @property {string} table
 * @property {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided"} state
 * @property {number} next the next round, or the locked round if there is one
 * @property {number} [locked]
 * @property {number} rounds
 * @property {number} reveal_by
 * @property {string} [after]
 * @property {string} mixing
 * @property {number} draw
 * @property {boolean} sealed
 * @property {boolean} signed
 * @property {boolean} overdue
 * @property {number[]} in_play
 */
/** A request that was refused or not answered. */
export class Problem extends Error {
    /**
     * @param {ProblemMembers} members
     * @param {ErrorOptions} [options]
     */
    constructor(members: ProblemMembers, options?: ErrorOptions);
    status: number;
    code: string;
    detail: string;
    table: TableState | undefined;
    from: string[];
    findings: {
        code: string;
        says: string;
        index?: number;
    }[];
    inPlay: number[];
    index: number | undefined;
    /** Whether the same request may be answered a little later. */
    get passing(): boolean;
}
/**
 * The members of a problem that programs use.
 */
export type ProblemMembers = {
    /**
     * of HTTP; 0 if no answer came
     */
    status: number;
    /**
     * a stable name, such as `nonce-gap`; `unreachable` if no answer came
     */
    code: string;
    /**
     * what was expected and what was received
     */
    detail: string;
    /**
     * the table's state, if the request did not fit it
     */
    table?: TableState | undefined;
    /**
     * the players whom the problem is about
     */
    from?: string[] | undefined;
    /**
     * the rules of the log that forbid it
     */
    findings?: {
        code: string;
        says: string;
        index?: number;
    }[] | undefined;
    /**
     * the rounds in play, if they are the reason
     */
    in_play?: number[] | undefined;
    /**
     * of the entry that is committed, if only its publication failed
     */
    index?: number | undefined;
};
/**
 * The state of a table.
 */
export type TableState = {
    table: string;
    /**
     * its last commitment
     */
    commitment: Standing;
};
/**
 * The present state of a commitment.
 */
export type Standing = {
    commitment: string;
    index: number;
    table: string;
    state: "unused" | "open" | "locked" | "used-up" | "revealed" | "voided";
    /**
     * the next round, or the locked round if there is one
     */
    next: number;
    locked?: number | undefined;
    rounds: number;
    reveal_by: number;
    after?: string | undefined;
    mixing: string;
    draw: number;
    sealed: boolean;
    signed: boolean;
    overdue: boolean;
    in_play: number[];
};
