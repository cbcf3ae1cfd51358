/**
 * A server seed as 32 bytes.
 * @param {string | Uint8Array} given 64 lowercase hexadecimal digits, or the bytes
 * @returns {Uint8Array}
 * @throws {Refused} `server-seed`
 */
export function serverSeed(given: string | Uint8Array): Uint8Array;
/**
 * The commitment, published before the deal.
 * @param {Uint8Array} seed 32 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function commitmentOf(seed: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The usual confusion, if any, that would make this seed open this commitment, for a message to
 * people. It is still a mismatch.
 * @param {Uint8Array} seed
 * @param {Uint8Array} commitment
 * @returns {string | null}
 */
export function confusion(seed: Uint8Array, commitment: Uint8Array): string | null;
/**
 * A nonce, or a size: an integer that a double holds exactly.
 * @param {unknown} value
 * @returns {number}
 * @throws {Refused} `nonce`
 */
export function nonceOf(value: unknown): number;
