/** @typedef {import("./contribution.js").Clear} Clear */
/** @typedef {import("./result.js").Terms} Terms */
/** @typedef {import("./result.js").Result} Result */
/** @typedef {import("./sha256.js").HmacKey} HmacKey */
/**
 * All that was mixed into one round, except the server seed.
 * @typedef {object} Mixed
 * @property {number} nonce
 * @property {readonly Clear[]} contributions
 * @property {Uint8Array} [randomness] of a beacon's round
 */
/**
 * The numbers of the items dealt, in deal order.
 * @param {HmacKey} seed the server seed, as a key
 * @param {Terms} terms
 * @param {Mixed} mixed
 * @returns {Uint32Array}
 */
export function deal(seed: HmacKey, { method, deck, draw }: Terms, { nonce, contributions, randomness }: Mixed): Uint32Array;
/**
 * The result of a deal, as the log has it.
 * @param {HmacKey} seed the server seed, as a key
 * @param {Uint8Array} commitment 32 bytes
 * @param {Terms} terms
 * @param {Mixed} mixed
 * @param {Uint32Array} dealt
 * @returns {Result}
 */
export function resultOf(seed: HmacKey, commitment: Uint8Array, terms: Terms, mixed: Mixed, dealt: Uint32Array): Result;
/**
 * Whether two results are the same, item by item.
 * @param {Result} a
 * @param {Result} b
 * @returns {boolean}
 */
export function sameResult(a: Result, b: Result): boolean;
export type Clear = import("./contribution.js").Clear;
export type Terms = import("./result.js").Terms;
export type Result = import("./result.js").Result;
export type HmacKey = import("./sha256.js").HmacKey;
/**
 * All that was mixed into one round, except the server seed.
 */
export type Mixed = {
    nonce: number;
    contributions: readonly Clear[];
    /**
     * of a beacon's round
     */
    randomness?: Uint8Array<ArrayBufferLike> | undefined;
};
