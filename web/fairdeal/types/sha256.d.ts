/**
 * The SHA-256 of a message.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * The SHA-256 of a message, written to a place in another array.
 * @param {Uint8Array} bytes
 * @param {Uint8Array} out
 * @param {number} at
 */
export function sha256Into(bytes: Uint8Array, out: Uint8Array, at: number): void;
/**
 * HMAC-SHA256.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer>;
/** SHA-256 of a message given in pieces. */
export class Sha256 {
    state: Int32Array<ArrayBuffer>;
    pending: Uint8Array<ArrayBuffer>;
    length: number;
    /**
     * @param {Uint8Array} bytes
     * @returns {this}
     */
    update(bytes: Uint8Array): this;
    /**
     * The digest of the message so far. More pieces may follow.
     * @returns {Uint8Array<ArrayBuffer>} 32 bytes
     */
    digest(): Uint8Array<ArrayBuffer>;
}
/** A key of HMAC-SHA256, with its two first blocks already mixed: each message then saves half of the work. */
export class HmacKey {
    /** @param {Uint8Array} key of any length */
    constructor(key: Uint8Array);
    /** @type {Int32Array} */
    inner: Int32Array;
    /** @type {Int32Array} */
    outer: Int32Array;
    /**
     * @param {Uint8Array} message
     * @returns {Uint8Array<ArrayBuffer>} 32 bytes
     */
    sign(message: Uint8Array): Uint8Array<ArrayBuffer>;
}
