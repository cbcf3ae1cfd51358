/**
 * @param {string} commitment
 * @param {number | null} nonce
 * @param {string} table
 * @returns {Record}
 */
export function newRecord(commitment: string, nonce: number | null, table: string): Record;
/** The order of a round's stages. @type {Stage[]} */
export const STAGES: Stage[];
/** The records of one seat at one log. */
export class Book {
    /**
     * @param {import("./storage.js").Storage} storage
     * @param {import("./key.js").Key} key of the log
     * @param {string} from
     */
    constructor(storage: import("./storage.js").Storage, key: import("./key.js").Key, from: string);
    storage: import("./storage.js").Storage;
    key: import("./key.js").Key;
    name: string;
    /** @type {Head | null} */
    saved: Head | null;
    /** @type {{id: string, table: string, nonce: number | null}[]} */
    recent: {
        id: string;
        table: string;
        nonce: number | null;
    }[];
    /** @type {Map<string, Judgement>} */
    judged: Map<string, Judgement>;
    /**
     * Runs alone, among all tabs.
     * @template T
     * @param {() => Promise<T>} run
     * @returns {Promise<T>}
     */
    alone<T>(run: () => Promise<T>): Promise<T>;
    /** Reads the records that an earlier page kept. */
    load(): Promise<void>;
    /**
     * @param {string} commitment
     * @param {number | null} nonce
     * @returns {Promise<Record | null>}
     */
    find(commitment: string, nonce: number | null): Promise<Record | null>;
    /**
     * Keeps a record, and adds it to the index.
     * @param {Record} record
     */
    keep(record: Record): Promise<void>;
    /**
     * Keeps a head of the log that continues the kept one.
     * @param {Head} head
     */
    save(head: Head): Promise<void>;
    write(): Promise<void>;
    /** @param {string} id @returns {string} */
    place(id: string): string;
    /**
     * Whether a seed is new. This call marks it as used.
     * @param {string} seed
     * @returns {Promise<boolean>}
     */
    use(seed: string): Promise<boolean>;
    /**
     * The records that are compared with a new one: the rounds of its commitment, and the promises of
     * its table.
     * @param {Record} record
     * @returns {Promise<Record[]>}
     */
    beside({ commitment, nonce, table }: Record): Promise<Record[]>;
    /** Every record that is checked again. @returns {Promise<Record[]>} */
    all(): Promise<Record[]>;
    /**
     * The judgement of a file. Each file is judged once.
     * @param {string} text
     * @returns {Promise<Judgement>}
     */
    judge(text: string): Promise<Judgement>;
}
export type Kept = import("./mine.js").Kept;
export type ReceiptFinding = import("./verdict.js").ReceiptFinding;
export type Head = import("./continuity.js").Head;
export type Stage = "promised" | "given" | "locked" | "opened" | "dealt" | "revealed" | "voided";
/**
 * A card whose place is known, with its item if that is shown.
 */
export type PlacedCard = {
    /**
     * the place in the deal
     */
    t: number;
    item?: number | undefined;
    /**
     * if the deck is a named one
     */
    card?: string | undefined;
    seat?: string | undefined;
    street?: number | undefined;
};
/**
 * The record of one round; or of a commitment, which has no nonce.
 */
export type Record = {
    commitment: string;
    nonce: number | null;
    table: string;
    stage: Stage;
    /**
     * receipts and openings, as received
     */
    files: {
        name: string;
        text: string;
    }[];
    /**
     * the player's contribution. Secret until it is opened
     */
    kept?: import("./mine.js").Kept | undefined;
    /**
     * SHA-256 of the lock under which it was opened
     */
    opened?: string | undefined;
    /**
     * the seats that the game announced beforehand
     */
    seats?: string[] | undefined;
    /**
     * signed heads of the log that the files contradict
     */
    since: string[];
    findings: ReceiptFinding[];
    shown: string[];
    notShown: string[];
    cards: PlacedCard[];
    revealBy?: number | undefined;
};
import { Judgement } from "./verdict.js";
