/**
 * The problem that an answer is.
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export function problemOf(response: Response): Promise<Problem>;
/**
 * The members of a problem that programs use.
 * @typedef {object} ProblemMembers
 * @property {number} status of HTTP; 0 if no answer came
 * @property {string} code a stable name, such as `nonce-gap`; `unreachable` if no answer came
 * @property {string} detail what was expected and what came
 * @property {TableState} [table] where the table stands, if the request did not fit there
 * @property {string[]} [from] the players whom it is about
 * @property {{code: string, says: string, index?: number}[]} [findings] the rules of the log that forbid it
 * @property {number[]} [in_play] the rounds in play, where they are why
 * @property {number} [index] of the entry that is committed, where only its publication failed
 */
/**
 * Where a table stands.
 * @typedef {object} TableState
 * @property {string} table
 * @property {Standing} commitment its last one
 */
/**
 * A commitment, as it stands.
 * @typedef {object} Standing
 * @property {string} commitment
 * @property {number} index
 * @property {string} table
 * @property {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided"} state
 * @property {number} next the next round; while one is locked, that one
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
/** A request that was refused, or that nobody answered. */
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
     * what was expected and what came
     */
    detail: string;
    /**
     * where the table stands, if the request did not fit there
     */
    table?: TableState | undefined;
    /**
     * the players whom it is about
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
     * the rounds in play, where they are why
     */
    in_play?: number[] | undefined;
    /**
     * of the entry that is committed, where only its publication failed
     */
    index?: number | undefined;
};
/**
 * Where a table stands.
 */
export type TableState = {
    table: string;
    /**
     * its last one
     */
    commitment: Standing;
};
/**
 * A commitment, as it stands.
 */
export type Standing = {
    commitment: string;
    index: number;
    table: string;
    state: "unused" | "open" | "locked" | "used-up" | "revealed" | "voided";
    /**
     * the next round; while one is locked, that one
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
