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
    /** One document after the other. @type {Promise<unknown>} */
    turn: Promise<unknown>;
    /**
     * Makes what to give for a round: the hash of a new seed, signed, with the log's head that was seen. Asked twice, in another
     * tab too, it gives the same.
     * @param {ContributeInput} input
     * @returns {Promise<any>} for the game's server; an array if `count` is given
     * @throws {Refused} if the promise does not hold, has other terms, or the seed was used before
     */
    contribute({ commitment, nonce, count, seed, promise, seats, expect }: ContributeInput): Promise<any>;
    /**
     * The terms of a commitment that holds and is open.
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
     * Takes what the game's server passes on: a receipt, an opening, an answer of the service, or a message that holds some.
     * @param {string | Uint8Array | object} message
     * @returns {Promise<{blind: string, commitment: string, from: string, nonce: number, seed: string} | null>} what to send back: the
     *   opening of this player's hash, once its lock holds; null if there is nothing to send
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
     * What the round's lock allows to be opened. It is written down before it leaves, and under no other lock it leaves again.
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
     * Keeps a file beside the others of its round.
     * @param {Record} record
     * @param {Judgement} judgement
     * @param {string} text
     */
    file(record: Record, judgement: Judgement, text: string): Promise<void>;
    /**
     * What the round's files show together with those beside it.
     * @param {Record} record
     * @returns {Promise<ReceiptFinding[]>}
     */
    together(record: Record): Promise<ReceiptFinding[]>;
    /** @param {Judgement} judgement a file that accuses nobody */
    unsure({ findings, logged }: Judgement): null;
    /**
     * @param {Record} record
     * @param {string} [says] why nobody knows
     */
    tell(record: Record, says?: string): void;
    /** @param {SeatState} state */
    emit(state: SeatState): void;
    /**
     * Looks again when the reveal is due.
     * @param {Record} record
     * @param {boolean} over
     */
    watch({ commitment, nonce, revealBy, kept }: Record, over: boolean): void;
    /**
     * Asks the log how a round stands now.
     * @param {string} commitment
     * @param {number} nonce
     */
    check(commitment: string, nonce: number): Promise<void>;
    /** @param {string} commitment @param {number} nonce @param {number} after milliseconds */
    wake(commitment: string, nonce: number, after: number): void;
    /** This player's cards of the round, in the order in which they were dealt. @returns {PlacedCard[]} */
    get cards(): PlacedCard[];
    /** Every card of the round that is known. @returns {PlacedCard[]} */
    get places(): PlacedCard[];
    /**
     * Everything that this seat knows, in one file: see `verifyEvidence`. A seed that is not opened yet is left out.
     * @param {{all?: boolean}} [options] `all`: of every table; otherwise of this commitment, of what was found at this table, and of the
     *   table's last promises
     * @returns {Promise<string>}
     */
    export({ all }?: {
        all?: boolean;
    }): Promise<string>;
    /** Stops the clocks. What is kept stays. */
    close(): void;
}
export type Record = import("./book.js").Record;
export type PlacedCard = import("./book.js").PlacedCard;
export type Kept = import("./mine.js").Kept;
export type Judgement = import("./verdict.js").Judgement;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
export type PlayerOptions = {
    /**
     * the address of the log's service; null if there is only what the game's server passes on
     */
    log?: string | null | undefined;
    /**
     * the log's verifier key, from a place where the operator cannot show you another one
     */
    key: string;
    /**
     * the player's label. It is public for ever
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
     * how many rounds, from this one on. Then the answer is an array, shorter where the commitment ends
     */
    count?: number | undefined;
    /**
     * the player's own words; 32 random bytes are better
     */
    seed?: string | undefined;
    /**
     * the commitment's receipt; without it the log is asked
     */
    promise?: string | object | undefined;
    /**
     * who sits where: a lock with other seats is not opened
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
 * What is known so far.
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
