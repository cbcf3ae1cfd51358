// The server seed and the promise about it (spec/shuffle.md, section 1).

import { concat, equal, fromHex, hexOrNull, toHex, utf8 } from "./bytes.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

/**
 * A server seed as 32 bytes.
 * @param {string | Uint8Array} given 64 lowercase hexadecimal digits, or the bytes
 * @returns {Uint8Array}
 * @throws {Refused} `server-seed`
 */
export function serverSeed(given) {
  const bytes = typeof given === "string" ? hexOrNull(given) : given;
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) {
    const found = bytes instanceof Uint8Array ? `${bytes.length} bytes` : "something else";
    throw new Refused(
      "server-seed",
      `a server seed is 32 bytes, as 64 lowercase hexadecimal digits; found ${found}`,
    );
  }
  return bytes;
}

/**
 * The commitment, published before the deal.
 * @param {Uint8Array} seed 32 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function commitmentOf(seed) {
  return sha256(seed);
}

/**
 * The usual confusion, if any, that would make this seed open this commitment, for a message to
 * people. It is still a mismatch.
 * @param {Uint8Array} seed
 * @param {Uint8Array} commitment
 * @returns {string | null}
 */
export function confusion(seed, commitment) {
  const hex = toHex(seed);
  const upper = hex.toUpperCase();
  /** @type {[string, Uint8Array][]} */
  const tries = [
    ["the hash of the seed's hexadecimal text", sha256(utf8(hex))],
    ["the hash of the seed's hexadecimal text in capitals", sha256(utf8(upper))],
    ["the hash of the seed's hexadecimal text and a newline", sha256(concat(utf8(hex), [10]))],
    [
      "the hash of the seed's hexadecimal text in capitals and a newline",
      sha256(concat(utf8(upper), [10])),
    ],
    ["the hash of the seed's hash", sha256(sha256(seed))],
    ["the hash of the reversed seed", sha256(Uint8Array.from(seed).reverse())],
    ["the reversed hash of the seed", sha256(seed).reverse()],
  ];
  const found = tries.find(([, hash]) => equal(hash, commitment));
  return found === undefined ? null : found[0];
}

/**
 * Why a revealed seed does not open a commitment.
 * @param {string} seed hexadecimal
 * @param {string} commitment
 * @returns {string | null} null if it does
 */
export function wrongSeed(seed, commitment) {
  const bytes = fromHex(seed);
  const hash = toHex(sha256(bytes));
  if (hash === commitment) return null;
  const confused = confusion(bytes, fromHex(commitment));
  const hint = confused === null ? "" : `; the commitment is ${confused}`;
  return `the SHA-256 of the seed is ${hash}, the commitment is ${commitment}${hint}`;
}

/**
 * A nonce, or a size: an integer that a double holds exactly.
 * @param {unknown} value
 * @returns {number}
 * @throws {Refused} `nonce`
 */
export function nonceOf(value) {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new Refused("nonce", `a nonce is an integer from 0 to 2^53 − 1; found ${shown(value)}`);
  }
  return value;
}
