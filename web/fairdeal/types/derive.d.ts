/**
 * The message whose HMAC is the key of a deal.
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function message(nonce: number, contributions: readonly Clear[], randomness?: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The key of a deal's words.
 * @param {HmacKey} seed the server seed, as a key
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function dealKey(seed: HmacKey, nonce: number, contributions: readonly Clear[], randomness?: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The key of a deal's salts (section 7).
 * @param {HmacKey} seed the server seed, as a key
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sealKey(seed: HmacKey, nonce: number, contributions: readonly Clear[], randomness?: Uint8Array): Uint8Array<ArrayBuffer>;
export type Clear = import("./contribution.js").Clear;
export type HmacKey = import("./sha256.js").HmacKey;
