/**
 * The first word that is refused.
 * @param {Mapping} mapping
 * @param {number} ways
 * @returns {number}
 */
export function refusedFrom(mapping: Mapping, ways: number): number;
/**
 * The value that a word gives; exact, because the product stays under 2^53.
 * @param {Mapping} mapping
 * @param {number} word
 * @param {number} ways
 * @returns {number}
 */
export function valueOf(mapping: Mapping, word: number, ways: number): number;
/**
 * @param {Uint8Array} digest
 * @param {number} index 0 to 7
 * @returns {number}
 */
export function wordAt(digest: Uint8Array, index: number): number;
/**
 * The digests of `prefix` and a number in decimal, under a key. The message is written into one buffer: a deal of a
 * shoe has 415 of them.
 * @param {HmacKey} key
 * @param {string} prefix
 * @returns {Digests}
 */
export function hmacDigests(key: HmacKey, prefix: string): Digests;
/** The choices of one deal, drawn one after the other. */
export class Choices {
    /**
     * @param {Numbers} numbers
     * @param {Digests} digests
     */
    constructor(numbers: Numbers, digests: Digests);
    numbers: Numbers;
    digests: Digests;
    draws: number;
    next: number;
    /** @type {Uint8Array} */
    digest: Uint8Array;
    /**
     * @param {number} ways
     * @param {number} position of the deck, for this choice
     * @returns {number} under `ways`, or −1 if the scheme has no answer
     */
    choose(ways: number, position: number): number;
    /** @param {number} limit @returns {number} */
    streamWord(limit: number): number;
    /** @param {number} limit @param {number} position @returns {number} */
    ownWord(limit: number, position: number): number;
}
/** The last key by its bytes. Rows of one seed follow each other, so one key is enough. */
export class Keys {
    last: string;
    /** @type {HmacKey | null} */
    key: HmacKey | null;
    /**
     * @param {string} name the key's unique name
     * @param {() => Uint8Array} bytes
     * @returns {HmacKey}
     */
    of(name: string, bytes: () => Uint8Array): HmacKey;
}
/**
 * the digest of the message that ends in this number
 */
export type Digests = (number: number) => Uint8Array;
/**
 * The meaning of the number in a message: the index of a digest whose words are all used, of a
 * draw, or of a position of the deck. Each draw and position has one digest, of which the first
 * word that is not refused is used.
 */
export type Counts = "digests" | "draws" | "positions";
/**
 * The mapping of a word u to one of m values: floor(u · m / 2^32); or u mod m with words refused
 * from the largest multiple of m under 2^32 or under 2^32 − 1 on; or u mod m with none refused.
 */
export type Mapping = "multiply" | "modulo-2^32" | "modulo-2^32-1" | "modulo";
export type Numbers = {
    counts: Counts;
    /**
     * the first number of a message
     */
    from: number;
    mapping: Mapping;
    /**
     * added to the number if a digest has no usable word; null: no
     * answer
     */
    retry: number | null;
};
import { HmacKey } from "../sha256.js";
