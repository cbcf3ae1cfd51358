/**
 * A player's seat at a log.
 * @param {PlayerOptions} options
 * @returns {Promise<Seat>}
 * @throws {Refused} `from`, `key`; or `unavailable`, if this platform has no Ed25519
 */
export function player(options: PlayerOptions): Promise<Seat>;
/** One player at one log. Its event `verdict` has a {@link SeatState} as `detail`. */
export class Seat extends EventTarget {
    /**
     * @param {PlayerOptions} options
     * @param {Book} book
     * @param {CryptoKeyPair} pair
     */
    constructor({ log, key, from, fetch, clock }: PlayerOptions, book: Book, pair: CryptoKeyPair);
    verifierKey: string;
    from: string;
    book: Book;
    pair: CryptoKeyPair;
    clock: () => number;
    log: import("./client.js").Client | null;
    /** @type {SeatState} */
    state: SeatState;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} */
    timers: Map<string, ReturnType<typeof setTimeout>>;
    /** Handles one document after the other. @type {Promise<unknown>} */
    turn: Promise<unknown>;
    /**
     * Makes a contribution for a round: the hash of a new seed, signed, with the log's head that was
     * seen. A second call, also in another tab, gives the same contribution.
     * @param {ContributeInput} input
     * @returns {Promise<any>} for the game's server; an array if `count` is given
     * @throws {Refused} if the promise does not hold, has other terms, or the seed was used before
     */
    contribute({ commitment, nonce, count, seed, promise, seats, expect }: ContributeInput): Promise<any>;
    /**
     * The terms of a commitment whose receipt holds and which is open.
     * @param {string} commitment
     * @param {{[name: string]: unknown}} expect
     * @returns {Promise<import("./entry.js").Commit>}
     */
    terms(commitment: string, expect: {
        [name: string]: unknown;
    }): Promise<import("./entry.js").Commit>;
    /**
     * @param {string} commitment
     * @param {number} nonce
     * @param {string} table
     * @param {string | undefined} seed
     * @param {string[] | undefined} seats
     */
    give(commitment: string, nonce: number, table: string, seed: string | undefined, seats: string[] | undefined): Promise<Omit<import("./mine.js").Kept, "seed" | "blind"> & {
        seed?: string;
    }>;
    /**
     * Takes a message of the game's server: a receipt, an opening, an answer of the service, or an
     * object that holds these.
     * @param {string | Uint8Array | object} message
     * @returns {Promise<{blind: string, commitment: string, from: string, nonce: number, seed: string} | null>}
     *   the reply: the opening of this player's hash, if its lock holds; null if there is no reply
     */
    receive(message: string | Uint8Array | object): Promise<{
        blind: string;
        commitment: string;
        from: string;
        nonce: number;
        seed: string;
    } | null>;
    /** @param {string | Uint8Array | object} message */
    takeAll(message: string | Uint8Array | object): Promise<{
        commitment: string;
        nonce: number;
        blind: string;
        from: string;
        seed: string;
    } | null>;
    /** @param {string} text */
    take(text: string): Promise<{
        commitment: string;
        nonce: number;
        blind: string;
        from: string;
        seed: string;
    } | null>;
    /**
     * The opening that the round's lock allows. It is recorded before it is sent, and is never sent
     * under another lock.
     * @param {Record} record
     * @param {Judgement} judgement
     */
    open(record: Record, { locked, dealt, course, receipt }: Judgement): {
        commitment: string;
        nonce: number;
        blind: string;
        from: string;
        seed: string;
    } | null;
    /**
     * Keeps a file with the others of its round.
     * @param {Record} record
     * @param {Judgement} judgement
     * @param {string} text
     */
    file(record: Record, judgement: Judgement, text: string): Promise<void>;
    /**
     * Judges the round's files together with those of related rounds.
     * @param {Record} record
     * @returns {Promise<ReceiptFinding[]>}
     */
    together(record: Record): Promise<ReceiptFinding[]>;
    /** @param {Judgement} judgement a file that accuses nobody */
    unsure({ findings, logged }: Judgement): null;
    /**
     * @param {Record} record
     * @param {string} [says] why it is unknown
     */
    tell(record: Record, says?: string): void;
    /** @param {SeatState} state */
    emit(state: SeatState): void;
    /**
     * Checks again when the reveal is due.
     * @param {Record} record
     * @param {boolean} over
     */
    watch({ commitment, nonce, revealBy, kept }: Record, over: boolean): void;
    /**
     * Reads the present state of a round from the log.
     * @param {string} commitment
     * @param {number} nonce
     */
    check(commitment: string, nonce: number): Promise<void>;
    /** @param {string} commitment @param {number} nonce @param {number} after milliseconds */
    wake(commitment: string, nonce: number, after: number): void;
    /** This player's cards of the round, in the order in which they were dealt. @returns {PlacedCard[]} */
    get cards(): PlacedCard[];
    /** All known cards of the round. @returns {PlacedCard[]} */
    get places(): PlacedCard[];
    /**
     * All records of this seat, in one file: see `verifyEvidence`. Unopened seeds are left out.
     * @param {{all?: boolean}} [options] `all`: of every table; by default of this commitment, of the
     *   findings at this table, and of the table's last promises
     * @returns {Promise<string>}
     */
    export({ all }?: {
        all?: boolean;
    }): Promise<string>;
    /** Stops the timers. The kept records stay. */
    close(): void;
}
export type Record = import("./book.js").Record;
export type PlacedCard = import("./book.js").PlacedCard;
export type Kept = import("./mine.js").Kept;
export type Judgement = import("./verdict.js").Judgement;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
export type PlayerOptions = {
    /**
     * the address of the log's service; null without one
     */
    log?: string | null | undefined;
    /**
     * the log's verifier key, from an independent place
     */
    key: string;
    /**
     * the player's label. It stays public
     */
    from: string;
    storage?: import("./storage.js").Storage | undefined;
    fetch?: typeof fetch | undefined;
    /**
     * milliseconds
     */
    clock?: (() => number) | undefined;
};
export type ContributeInput = {
    commitment: string;
    nonce: number;
    /**
     * how many rounds, from this one on; the result is then an array
     */
    count?: number | undefined;
    /**
     * a seed typed by the player; the default of 32 random bytes is better
     */
    seed?: string | undefined;
    /**
     * the commitment's receipt; by default read from the log
     */
    promise?: string | object | undefined;
    /**
     * the announced seats: a lock with other seats is not opened
     */
    seats?: string[] | undefined;
    /**
     * terms that the commitment must have, such as `{ "mixing": "hashes", "rules": "…" }`
     */
    expect?: {
        [name: string]: unknown;
    } | undefined;
};
/**
 * The present state of a seat.
 */
export type SeatState = {
    /**
     * `caught`: a rule is broken, and the export shows it
     */
    state: "idle" | "waiting" | "good" | "unsure" | "caught";
    stage: import("./book.js").Stage | "idle";
    findings: ReceiptFinding[];
    shown: string[];
    notShown: string[];
    cards: PlacedCard[];
    /**
     * why it is `unsure`
     */
    says?: string | undefined;
    commitment?: string | undefined;
    nonce?: number | null | undefined;
    table?: string | undefined;
    revealBy?: number | undefined;
};
import { Book } from "./book.js";
