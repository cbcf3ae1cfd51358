/** A claim of more steps is not computed. */
export const MOST_STEPS: 20000000;
/**
 * The result for a hash: its place on the chain; or not on the chain, with `found` instead of the
 * expected hash; or unknown, because the search would cost too much.
 * @typedef {{place: number} | {steps: number, found: string, expected: string} | "too-far"} Followed
 */
/** The verified part of one chain. */
export class Chain {
    /** @param {string} end the terminating hash, in lower case */
    constructor(end: string);
    end: string;
    /** @type {Map<number, Uint8Array>} */
    hashes: Map<number, Uint8Array>;
    /** @type {number[]} the keys of `hashes`, ascending */
    places: number[];
    /** @type {Map<number, number[]>} places by the first word of their hash */
    byWord: Map<number, number[]>;
    /**
     * Follows a hash that claims a place.
     * @param {Uint8Array} hash
     * @param {number} place
     * @param {number} [most] steps that may be computed
     * @returns {Followed}
     */
    at(hash: Uint8Array, place: number, most?: number): Followed;
    /**
     * @param {Uint8Array} reached is changed
     * @param {Uint8Array} expected
     * @param {number} most
     * @returns {number} the number of steps from one hash to the other; 0 if it is not reached
     */
    stepsTo(reached: Uint8Array, expected: Uint8Array, most: number): number;
    /**
     * Finds the place of a hash without a claimed place.
     * @param {Uint8Array} hash
     * @param {number} [most] steps that may be computed
     * @returns {Followed}
     */
    find(hash: Uint8Array, most?: number): Followed;
    /**
     * The place of a kept hash.
     * @param {Uint8Array} hash
     * @returns {number | null}
     */
    placeOf(hash: Uint8Array): number | null;
    /**
     * The last kept place up to this one.
     * @param {number} place
     * @returns {number}
     */
    nearest(place: number): number;
    /** @param {number} place @returns {number} how many kept places are at most this one */
    countUpTo(place: number): number;
    /** @param {number} place @param {Uint8Array} hash */
    add(place: number, hash: Uint8Array): void;
    /** @param {number} place @param {Uint8Array} hash */
    index(place: number, hash: Uint8Array): void;
}
/**
 * The result for a hash: its place on the chain; or not on the chain, with `found` instead of the
 * expected hash; or unknown, because the search would cost too much.
 */
export type Followed = {
    place: number;
} | {
    steps: number;
    found: string;
    expected: string;
} | "too-far";
