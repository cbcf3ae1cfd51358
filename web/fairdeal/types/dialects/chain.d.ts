/** No claim of more steps is computed. */
export const MOST_STEPS: 20000000;
/**
 * What became of a hash: at a place of the chain; not on it, as `found` shows, where `expected` has to stand; or not
 * known, because the work would be more than was allowed.
 * @typedef {{place: number} | {steps: number, found: string, expected: string} | "too-far"} Followed
 */
/** The part of one chain that was shown until now. */
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
     * @returns {number} after how many steps one hash becomes the other; 0 if after none of them
     */
    stepsTo(reached: Uint8Array, expected: Uint8Array, most: number): number;
    /**
     * Finds the place of a hash that claims none.
     * @param {Uint8Array} hash
     * @param {number} [most] steps that may be computed
     * @returns {Followed}
     */
    find(hash: Uint8Array, most?: number): Followed;
    /**
     * The place of a hash that is kept.
     * @param {Uint8Array} hash
     * @returns {number | null}
     */
    placeOf(hash: Uint8Array): number | null;
    /**
     * The last place that is kept, up to this one.
     * @param {number} place
     * @returns {number}
     */
    nearest(place: number): number;
    /** @param {number} place @returns {number} how many kept places are not over it */
    countUpTo(place: number): number;
    /** @param {number} place @param {Uint8Array} hash */
    add(place: number, hash: Uint8Array): void;
    /** @param {number} place @param {Uint8Array} hash */
    index(place: number, hash: Uint8Array): void;
}
/**
 * What became of a hash: at a place of the chain; not on it, as `found` shows, where `expected` has to stand; or not
 * known, because the work would be more than was allowed.
 */
export type Followed = {
    place: number;
} | {
    steps: number;
    found: string;
    expected: string;
} | "too-far";
