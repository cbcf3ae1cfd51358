/**
 * A head of the log that its key signed.
 * @typedef {object} Head
 * @property {number} size
 * @property {string} root hexadecimal
 * @property {string} note
 */
/**
 * A signed head, or null if the note is not one.
 * @param {string | Uint8Array} note
 * @param {import("./key.js").Key} key
 * @returns {Promise<Head | null>}
 */
export function readHead(note: string | Uint8Array, key: import("./key.js").Key): Promise<Head | null>;
/**
 * The relation of heads to the present log.
 * @typedef {object} Continuity
 * @property {Head | null} now the log's head; null if it is unknown
 * @property {("prefix" | "fork" | "unknown")[]} heads for each head: whether the log continues it;
 *   `fork` if its signed head and its own tiles show that the log never had this root
 */
/**
 * Compares heads with the present log.
 * @param {import("./source.js").ReadFile} readFile
 * @param {import("./key.js").Key} key
 * @param {readonly Head[]} heads
 * @returns {Promise<Continuity>}
 */
export function continuity(readFile: import("./source.js").ReadFile, key: import("./key.js").Key, heads: readonly Head[]): Promise<Continuity>;
/** The tree of a log, read from its tiles. Each tile is read once. */
export class TiledTree {
    /**
     * @param {import("./source.js").ReadFile} readFile
     * @param {number} size
     */
    constructor(readFile: import("./source.js").ReadFile, size: number);
    source: FileSource;
    size: number;
    /** @type {Map<string, Promise<Uint8Array | null>>} */
    tiles: Map<string, Promise<Uint8Array | null>>;
    /**
     * The root of the entries from `start` to before `end`: of a full subtree, or of the incomplete
     * part at the right edge.
     * @param {number} start
     * @param {number} end
     * @returns {Promise<Uint8Array>}
     */
    hash(start: number, end: number): Promise<Uint8Array>;
    /**
     * @param {number} level of 2^level entries
     * @param {number} index
     * @returns {Promise<Uint8Array>}
     */
    subtree(level: number, index: number): Promise<Uint8Array>;
    /**
     * @param {number} level
     * @param {number} index
     * @returns {Promise<Uint8Array>}
     */
    tile(level: number, index: number): Promise<Uint8Array>;
    /**
     * The proof that this tree continues the tree of its first entries (RFC 9162, section 2.1.4.1).
     * @param {number} old how many
     * @returns {Promise<Uint8Array[]>}
     */
    proof(old: number): Promise<Uint8Array[]>;
    /**
     * @param {number} old
     * @param {number} start
     * @param {number} end
     * @param {boolean} whole whether the old root is known to the reader
     * @returns {Promise<Uint8Array[]>}
     */
    part(old: number, start: number, end: number, whole: boolean): Promise<Uint8Array[]>;
}
/**
 * A head of the log that its key signed.
 */
export type Head = {
    size: number;
    /**
     * hexadecimal
     */
    root: string;
    note: string;
};
/**
 * The relation of heads to the present log.
 */
export type Continuity = {
    /**
     * the log's head; null if it is unknown
     */
    now: Head | null;
    /**
     * for each head: whether the log continues it;
     * `fork` if its signed head and its own tiles show that the log never had this root
     */
    heads: ("prefix" | "fork" | "unknown")[];
};
import { FileSource } from "./source.js";
