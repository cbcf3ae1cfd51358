// Bytes: hexadecimal, base64, UTF-8, and the big-endian integers of all hashed data.

import { Refused, shown } from "./refused.js";

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const HEX = "0123456789abcdef";
const PAIRS = Array.from({ length: 256 }, (_, byte) => HEX[byte >> 4] + HEX[byte & 15]);

/**
 * Lowercase hexadecimal.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i]];
  return text;
}

/**
 * The value of one lowercase hexadecimal digit, or -1.
 * @param {number} unit a UTF-16 code unit
 * @returns {number}
 */
function digit(unit) {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x66) return unit - 0x57;
  return -1;
}

/**
 * The bytes of lowercase hexadecimal text. Upper case is refused: the protocol has one spelling.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {Refused} `hex`, if the text is anything else
 */
export function fromHex(text) {
  const bytes = hexOrNull(text);
  if (bytes === null)
    throw new Refused(
      "hex",
      `expected pairs of lowercase hexadecimal digits, found ${shown(text)}`,
    );
  return bytes;
}

/**
 * Like {@link fromHex}, but null for anything that is not lowercase hexadecimal.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function hexOrNull(text) {
  if (typeof text !== "string" || text.length % 2 !== 0) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(text.charCodeAt(2 * i));
    const low = digit(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return null;
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

/**
 * Whether a value is the text of exactly `length` bytes in lowercase hexadecimal.
 * @param {unknown} value
 * @param {number} length in bytes
 * @returns {value is string}
 */
export function isHex(value, length) {
  if (typeof value !== "string" || value.length !== 2 * length) return false;
  for (let i = 0; i < value.length; i++) if (digit(value.charCodeAt(i)) < 0) return false;
  return true;
}

/**
 * The UTF-8 of a text. A lone surrogate becomes U+FFFD, so callers must refuse such texts first.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function utf8(text) {
  return encoder.encode(text);
}

/**
 * The text of UTF-8 bytes, or null if they are not UTF-8. A byte order mark stays in the text.
 * @param {Uint8Array} bytes
 * @returns {string | null}
 */
export function textOrNull(bytes) {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * How many bytes of UTF-8 a text has.
 * @param {string} text
 * @returns {number}
 */
export function utf8Length(text) {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: one more for each of the two.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}

/**
 * All arrays, one after the other.
 * @param {...ArrayLike<number>} arrays
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function concat(...arrays) {
  let length = 0;
  for (const array of arrays) length += array.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const array of arrays) {
    bytes.set(array, at);
    at += array.length;
  }
  return bytes;
}

/**
 * Whether two arrays hold the same bytes. Not for secrets: it stops at the first difference.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {boolean}
 */
export function equal(a, b) {
  return compare(a, b) === 0;
}

/**
 * The order of two byte strings, as unsigned values: negative, 0 or positive.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {number}
 */
export function compare(a, b) {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * The order of two texts by their UTF-8 bytes. JavaScript's own order is by UTF-16 code units,
 * which puts surrogates before U+E000 and so differs.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function compareText(a, b) {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shorter) return a.length - b.length;
  return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
}

/**
 * A code unit's place in the order of code points: surrogates stand for the largest ones.
 * @param {number} unit
 * @returns {number}
 */
function rank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Unsigned 16 bits, big-endian.
 * @param {number} value
 * @returns {number[]}
 */
export function u16(value) {
  return [(value >>> 8) & 0xff, value & 0xff];
}

/**
 * Unsigned 32 bits, big-endian.
 * @param {number} value
 * @returns {number[]}
 */
export function u32(value) {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

/**
 * Unsigned 64 bits, big-endian, of an integer up to 2^53 − 1.
 * @param {number} value
 * @returns {number[]}
 */
export function u64(value) {
  return [...u32(Math.floor(value / 0x100000000)), ...u32(value % 0x100000000)];
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FROM_BASE64 = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) FROM_BASE64[BASE64.charCodeAt(i)] = i;

/**
 * Standard base64 with padding (RFC 4648, section 4).
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += BASE64[three >> 18] + BASE64[(three >> 12) & 63];
    text += left > 1 ? BASE64[(three >> 6) & 63] : "=";
    text += left > 2 ? BASE64[three & 63] : "=";
  }
  return text;
}

/**
 * The bytes of strict base64: padded, no other character, and the unused bits of the last character
 * zero. Null for anything else. (`atob` accepts white space, no padding, and any unused bits.)
 * @param {unknown} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function base64OrNull(text) {
  if (typeof text !== "string" || text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < digits; i++) {
    const unit = text.charCodeAt(i);
    const value = unit < 128 ? FROM_BASE64[unit] : -1;
    if (value < 0) return null;
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 ? bytes : null;
}
