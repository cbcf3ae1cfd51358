/**
 * The keystream as bytes.
 * @param {Uint8Array} key 32 bytes
 * @param {number} length in bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function keystream(key: Uint8Array, length: number): Uint8Array<ArrayBuffer>;
/** The words of a deal: the keystream as unsigned 32-bit integers, little-endian. */
export class Words {
    /** @param {Uint8Array} key 32 bytes */
    constructor(key: Uint8Array);
    state: Int32Array<ArrayBufferLike>;
    words: Uint32Array<ArrayBuffer>;
    /** How many words were drawn. */
    drawn: number;
    /**
     * The next word.
     * @returns {number}
     */
    next(): number;
}
