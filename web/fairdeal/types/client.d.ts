/**
 * The calls of a service.
 * @param {string | URL} baseUrl
 * @param {ClientOptions} [options]
 * @returns {Client}
 */
export function client(baseUrl: string | URL, options?: ClientOptions): Client;
/**
 * @typedef {import("./mine.js").Kept} Kept
 * @typedef {import("./problem.js").Standing} Standing
 * @typedef {import("./problem.js").TableState} TableState
 * @typedef {import("./events.js").LogEvent} LogEvent
 * @typedef {Record<string, unknown>} Receipt as `verifyReceipt` takes it
 */
/**
 * @typedef {object} ClientOptions
 * @property {string} [token] of an operator: for writes and for openings
 * @property {typeof fetch} [fetch]
 * @property {number} [retries] how often a request is sent again at most; 5 by default
 * @property {number} [timeout] milliseconds for one answer; 30,000 by default
 */
/**
 * @typedef {object} CallOptions
 * @property {string} [key] the idempotency key of a write; random by default. Give your own to
 *   continue after a crash of your program
 * @property {AbortSignal} [signal]
 */
/**
 * A player's contribution as sent to the dealer: a part of the result of `contribution`.
 * @typedef {Partial<Kept> & {from: string}} Given
 */
/** @typedef {{t: number, item: number, salt: string}} OpenedCard */
/**
 * The answer to a request that made an entry.
 * @typedef {object} EntryAnswer
 * @property {string} commitment
 * @property {number} index of the entry in the log
 * @property {number} [nonce]
 * @property {number} reveal_by
 * @property {Receipt} receipt
 * @property {string} [cards]
 * @property {number[]} [indices]
 * @property {number[]} [items]
 * @property {string} [digest]
 * @property {string} [seal]
 * @property {string[]} [card_seals]
 * @property {OpenedCard[]} [opened]
 * @property {string} [server_seed]
 * @property {{commitment: string, index: number, reveal_by: number, receipt: Receipt}} [next] the table's next commitment
 */
/**
 * The terms of a commitment. Only `table` is needed.
 * @typedef {object} Terms
 * @property {string} table
 * @property {string | {count: number, sha256: string}} [deck]
 * @property {number} [draw]
 * @property {"shuffle" | "cycle"} [method]
 * @property {"seeds" | "hashes"} [mixing]
 * @property {boolean} [sealed]
 * @property {boolean} [signed]
 * @property {{hand: number, board?: number[], burn?: boolean}} [layout]
 * @property {number} [rounds]
 * @property {string} [reveal_in] a number and `s`, `m`, `h` or `d`
 * @property {"done" | "deadline" | "manual"} [reveal]
 * @property {string} [last_deal_before]
 * @property {boolean} [next]
 * @property {string} [rules] SHA-256 of the game's rules
 * @property {string} [ext]
 */
/**
 * @typedef {{nonce?: number, reason: string, blame?: string, ext?: string, next?: boolean}} VoidRequest
 * @typedef {{nonce: number, reason: string, blame?: string, ext?: string}} RoundVoid of the round before, which goes with a lock
 * @typedef {{nonce?: number, contributions: Given[], seats?: string[], void?: RoundVoid, ext?: string}} LockRequest
 * @typedef {{nonce?: number, contributions?: Given[], seats?: string[], open?: number[], public?: boolean, next?: boolean,
 *   ext?: string}} DealRequest
 * @typedef {{nonce?: number, force?: boolean, next?: boolean, ext?: string}} RevealRequest
 * @typedef {{format: string, receipt: Receipt, card_seals: string[], opened: OpenedCard[]}} Opening
 */
/** Makes the calls of one service. */
export class Client {
    /**
     * @param {string | URL} baseUrl
     * @param {ClientOptions} [options]
     */
    constructor(baseUrl: string | URL, options?: ClientOptions);
    /** With a slash at its end. */
    baseUrl: string;
    token: string | undefined;
    retries: number;
    timeout: number;
    /** @type {typeof fetch} */
    fetch: typeof fetch;
    /** Publishes a commitment. @param {Terms} terms @param {CallOptions} [options] @returns {Promise<EntryAnswer>} */
    commit(terms: Terms, options?: CallOptions): Promise<EntryAnswer>;
    /** Fixes a round's contributions. @param {string} commitment @param {LockRequest} body @param {CallOptions} [options] @returns {Promise<EntryAnswer>} */
    lock(commitment: string, body: LockRequest, options?: CallOptions): Promise<EntryAnswer>;
    /** Deals a round. @param {string} commitment @param {DealRequest} body @param {CallOptions} [options] @returns {Promise<EntryAnswer>} */
    deal(commitment: string, body: DealRequest, options?: CallOptions): Promise<EntryAnswer>;
    /**
     * Voids a round, or a commitment that was never used.
     * @param {string} commitment
     * @param {VoidRequest} body
     * @param {CallOptions} [options]
     * @returns {Promise<EntryAnswer>}
     */
    void(commitment: string, body: VoidRequest, options?: CallOptions): Promise<EntryAnswer>;
    /** Makes the server seed public. @param {string} commitment @param {RevealRequest} [body] @param {CallOptions} [options] @returns {Promise<EntryAnswer>} */
    reveal(commitment: string, body?: RevealRequest, options?: CallOptions): Promise<EntryAnswer>;
    /** Says that a sealed round is over. @param {string} commitment @param {number} nonce @param {CallOptions} [options] @returns {Promise<{commitment: string, nonce: number, in_play: number[]}>} */
    done(commitment: string, nonce: number, options?: CallOptions): Promise<{
        commitment: string;
        nonce: number;
        in_play: number[];
    }>;
    /** Opens sealed cards. @param {string} commitment @param {number} nonce @param {{t: readonly number[], public?: boolean}} body @param {CallOptions} [options] @returns {Promise<Opening>} */
    open(commitment: string, nonce: number, body: {
        t: readonly number[];
        public?: boolean;
    }, options?: CallOptions): Promise<Opening>;
    /** Opens sealed cards for one player. @param {string} commitment @param {number} nonce @param {readonly number[]} t @param {CallOptions} [options] @returns {Promise<Opening>} */
    opening(commitment: string, nonce: number, t: readonly number[], options?: CallOptions): Promise<Opening>;
    /** Commitments in log order; `next` is the `from` of the next page. @param {{table?: string, open?: boolean, from?: number, most?: number}} [query] @param {CallOptions} [options] @returns {Promise<{commitments: Standing[], next?: number}>} */
    commitments(query?: {
        table?: string;
        open?: boolean;
        from?: number;
        most?: number;
    }, options?: CallOptions): Promise<{
        commitments: Standing[];
        next?: number;
    }>;
    /** @param {string} commitment @param {CallOptions} [options] @returns {Promise<Standing>} */
    commitment(commitment: string, options?: CallOptions): Promise<Standing>;
    /**
     * The state of a table.
     * @param {string} table
     * @param {CallOptions} [options]
     * @returns {Promise<TableState>}
     */
    table(table: string, options?: CallOptions): Promise<TableState>;
    /** @param {string} commitment @param {{from?: number, most?: number}} [query] @param {CallOptions} [options] @returns {Promise<{commitment: string, done: number, rounds: Record<string, unknown>[]}>} */
    rounds(commitment: string, query?: {
        from?: number;
        most?: number;
    }, options?: CallOptions): Promise<{
        commitment: string;
        done: number;
        rounds: Record<string, unknown>[];
    }>;
    /** @param {string} commitment @param {number} nonce @param {CallOptions} [options] @returns {Promise<Record<string, unknown>>} */
    round(commitment: string, nonce: number, options?: CallOptions): Promise<Record<string, unknown>>;
    /**
     * The receipt of a round; without `nonce`, of the commitment alone.
     * @param {string} commitment
     * @param {number} [nonce]
     * @param {CallOptions} [options]
     * @returns {Promise<Receipt>}
     */
    receipt(commitment: string, nonce?: number, options?: CallOptions): Promise<Receipt>;
    /** The receipts of some rounds, at most 100. @param {string} commitment @param {number} first @param {number} last @param {CallOptions} [options] @returns {Promise<{receipts: {nonce: number, receipt: Receipt}[]}>} */
    receipts(commitment: string, first: number, last: number, options?: CallOptions): Promise<{
        receipts: {
            nonce: number;
            receipt: Receipt;
        }[];
    }>;
    /**
     * Follows the log. The iterator ends when `signal` is aborted, and connects again when a stream
     * breaks.
     * @param {{after?: number, table?: string, signal?: AbortSignal}} [options] `after`: the index of the last entry that you have
     * @returns {AsyncGenerator<LogEvent, void, void>}
     */
    events(options?: {
        after?: number;
        table?: string;
        signal?: AbortSignal;
    }): AsyncGenerator<LogEvent, void, void>;
    /** A page of the log's entries. @param {{after?: number, table?: string}} [query] @param {CallOptions} [options] @returns {Promise<{events: {index: number, event: string, entry: string}[], last?: number}>} */
    eventsPage(query?: {
        after?: number;
        table?: string;
    }, options?: CallOptions): Promise<{
        events: {
            index: number;
            event: string;
            entry: string;
        }[];
        last?: number;
    }>;
    /** The signed head of the log. @param {CallOptions} [options] @returns {Promise<string>} */
    checkpoint(options?: CallOptions): Promise<string>;
    /**
     * A file of the log: a `read` for `auditLog`.
     * @param {string} path
     * @param {CallOptions} [options]
     * @returns {Promise<Uint8Array | null>} null if the log does not have it
     */
    readFile(path: string, options?: CallOptions): Promise<Uint8Array | null>;
    /** @param {CallOptions} [options] @returns {Promise<string>} */
    live(options?: CallOptions): Promise<string>;
    /** Whether the service can deal. @param {CallOptions} [options] @returns {Promise<{ready: boolean, published: number, unpublished: number, overdue: number, problems?: string[]}>} */
    ready(options?: CallOptions): Promise<{
        ready: boolean;
        published: number;
        unpublished: number;
        overdue: number;
        problems?: string[];
    }>;
    /** Numbers for Prometheus. @param {CallOptions} [options] @returns {Promise<string>} */
    numbers(options?: CallOptions): Promise<string>;
    /**
     * @param {string} path
     * @param {object} body
     * @param {CallOptions} [options]
     * @returns {Promise<any>}
     */
    post(path: string, body: object, options?: CallOptions): Promise<any>;
    /**
     * @param {string} path
     * @param {Record<string, string | number | boolean | undefined>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<any>}
     */
    get(path: string, query?: Record<string, string | number | boolean | undefined>, options?: CallOptions): Promise<any>;
    /**
     * Sends a request until it is answered: again after a broken connection, and when the service is
     * temporarily unable.
     * @param {string} path
     * @param {RequestInit} init
     * @param {CallOptions} [options]
     * @param {readonly number[]} [answers] statuses other than 2xx that are answers
     * @returns {Promise<Response>}
     * @throws {Problem}
     */
    send(path: string, init: RequestInit, { signal }?: CallOptions, answers?: readonly number[]): Promise<Response>;
    /**
     * @param {string} path
     * @param {RequestInit} init
     * @param {AbortSignal | undefined} signal
     * @param {readonly number[]} answers
     * @returns {Promise<{response: Response, problem: null} | {response: null, problem: Problem & {after?: number}}>}
     */
    once(path: string, init: RequestInit, signal: AbortSignal | undefined, answers: readonly number[]): Promise<{
        response: Response;
        problem: null;
    } | {
        response: null;
        problem: Problem & {
            after?: number;
        };
    }>;
    /**
     * @param {string} path
     * @param {RequestInit} init
     * @param {AbortSignal} signal
     * @returns {Promise<Response>}
     */
    request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response>;
}
export type Kept = import("./mine.js").Kept;
export type Standing = import("./problem.js").Standing;
export type TableState = import("./problem.js").TableState;
export type LogEvent = import("./events.js").LogEvent;
/**
 * as `verifyReceipt` takes it
 */
export type Receipt = Record<string, unknown>;
export type ClientOptions = {
    /**
     * of an operator: for writes and for openings
     */
    token?: string | undefined;
    fetch?: typeof fetch | undefined;
    /**
     * how often a request is sent again at most; 5 by default
     */
    retries?: number | undefined;
    /**
     * milliseconds for one answer; 30,000 by default
     */
    timeout?: number | undefined;
};
export type CallOptions = {
    /**
     * the idempotency key of a write; random by default. Give your own to
     * continue after a crash of your program
     */
    key?: string | undefined;
    signal?: AbortSignal | undefined;
};
/**
 * A player's contribution as sent to the dealer: a part of the result of `contribution`.
 */
export type Given = Partial<Kept> & {
    from: string;
};
export type OpenedCard = {
    t: number;
    item: number;
    salt: string;
};
/**
 * The answer to a request that made an entry.
 */
export type EntryAnswer = {
    commitment: string;
    /**
     * of the entry in the log
     */
    index: number;
    nonce?: number | undefined;
    reveal_by: number;
    receipt: Receipt;
    cards?: string | undefined;
    indices?: number[] | undefined;
    items?: number[] | undefined;
    digest?: string | undefined;
    seal?: string | undefined;
    card_seals?: string[] | undefined;
    opened?: OpenedCard[] | undefined;
    server_seed?: string | undefined;
    /**
     * the table's next commitment
     */
    next?: {
        commitment: string;
        index: number;
        reveal_by: number;
        receipt: Receipt;
    } | undefined;
};
/**
 * The terms of a commitment. Only `table` is needed.
 */
export type Terms = {
    table: string;
    deck?: string | {
        count: number;
        sha256: string;
    } | undefined;
    draw?: number | undefined;
    method?: "shuffle" | "cycle" | undefined;
    mixing?: "seeds" | "hashes" | undefined;
    sealed?: boolean | undefined;
    signed?: boolean | undefined;
    layout?: {
        hand: number;
        board?: number[];
        burn?: boolean;
    } | undefined;
    rounds?: number | undefined;
    /**
     * a number and `s`, `m`, `h` or `d`
     */
    reveal_in?: string | undefined;
    reveal?: "manual" | "done" | "deadline" | undefined;
    last_deal_before?: string | undefined;
    next?: boolean | undefined;
    /**
     * SHA-256 of the game's rules
     */
    rules?: string | undefined;
    ext?: string | undefined;
};
export type VoidRequest = {
    nonce?: number;
    reason: string;
    blame?: string;
    ext?: string;
    next?: boolean;
};
/**
 * of the round before, which goes with a lock
 */
export type RoundVoid = {
    nonce: number;
    reason: string;
    blame?: string;
    ext?: string;
};
export type LockRequest = {
    nonce?: number;
    contributions: Given[];
    seats?: string[];
    void?: RoundVoid;
    ext?: string;
};
export type DealRequest = {
    nonce?: number;
    contributions?: Given[];
    seats?: string[];
    open?: number[];
    public?: boolean;
    next?: boolean;
    ext?: string;
};
export type RevealRequest = {
    nonce?: number;
    force?: boolean;
    next?: boolean;
    ext?: string;
};
export type Opening = {
    format: string;
    receipt: Receipt;
    card_seals: string[];
    opened: OpenedCard[];
};
import { Problem } from "./problem.js";
