/**
 * Lowercase hexadecimal.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes: Uint8Array): string;
/**
 * The bytes of lowercase hexadecimal text. Upper case is refused: the protocol has one spelling.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {Refused} `hex`, if the text is anything else
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer>;
/**
 * Like {@link fromHex}, but null for anything that is not lowercase hexadecimal.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function hexOrNull(text: string): Uint8Array<ArrayBuffer> | null;
/**
 * Whether a value is the text of exactly `length` bytes in lowercase hexadecimal.
 * @param {unknown} value
 * @param {number} length in bytes
 * @returns {value is string}
 */
export function isHex(value: unknown, length: number): value is string;
/**
 * The UTF-8 of a text. A lone surrogate becomes U+FFFD, so callers must refuse such texts first.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function utf8(text: string): Uint8Array<ArrayBuffer>;
/**
 * The text of UTF-8 bytes, or null if they are not UTF-8. A byte order mark stays in the text.
 * @param {Uint8Array} bytes
 * @returns {string | null}
 */
export function textOrNull(bytes: Uint8Array): string | null;
/**
 * How many bytes of UTF-8 a text has.
 * @param {string} text
 * @returns {number}
 */
export function utf8Length(text: string): number;
/**
 * All arrays, one after the other.
 * @param {...ArrayLike<number>} arrays
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function concat(...arrays: ArrayLike<number>[]): Uint8Array<ArrayBuffer>;
/**
 * Whether two arrays hold the same bytes. Not for secrets: it stops at the first difference.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {boolean}
 */
export function equal(a: Uint8Array, b: Uint8Array): boolean;
/**
 * The order of two byte strings, as unsigned values: negative, 0 or positive.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {number}
 */
export function compare(a: Uint8Array, b: Uint8Array): number;
/**
 * The order of two texts by their UTF-8 bytes. JavaScript's own order is by UTF-16 code units, which puts surrogates
 * before U+E000 and so differs.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function compareText(a: string, b: string): number;
/**
 * Unsigned 16 bits, big-endian.
 * @param {number} value
 * @returns {number[]}
 */
export function u16(value: number): number[];
/**
 * Unsigned 32 bits, big-endian.
 * @param {number} value
 * @returns {number[]}
 */
export function u32(value: number): number[];
/**
 * Unsigned 64 bits, big-endian, of an integer up to 2^53 − 1.
 * @param {number} value
 * @returns {number[]}
 */
export function u64(value: number): number[];
/**
 * Standard base64 with padding (RFC 4648, section 4).
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toBase64(bytes: Uint8Array): string;
/**
 * The bytes of strict base64: padded, no other character, and the unused bits of the last character zero. Null for
 * anything else. (`atob` accepts white space, no padding, and any unused bits.)
 * @param {unknown} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function base64OrNull(text: unknown): Uint8Array<ArrayBuffer> | null;
