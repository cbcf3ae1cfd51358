// From the seeds to the key of a deal (spec/shuffle.md, section 3).

import { compare, u64, utf8 } from "./bytes.js";
import { encode, encodeBeacon } from "./contribution.js";

/** @typedef {import("./contribution.js").Clear} Clear */
/** @typedef {import("./sha256.js").HmacKey} HmacKey */

const DEAL = utf8("fairdeal/v1/deal\0");
const SEAL = utf8("fairdeal/v1/seal\0");

/**
 * A message: the tag, the nonce, and the mixed contributions in ascending order of their bytes.
 * @param {Uint8Array} tag
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness] of a beacon's round
 * @returns {Uint8Array<ArrayBuffer>}
 */
function tagged(tag, nonce, contributions, randomness) {
  const encoded = contributions.map(encode);
  if (randomness !== undefined) encoded.push(encodeBeacon(randomness));
  if (encoded.length > 1) encoded.sort(compare);
  let at = tag.length;
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, at + 8 + 2));
  bytes.set(tag);
  bytes.set(u64(nonce), at);
  bytes[at + 8] = encoded.length >> 8;
  bytes[at + 9] = encoded.length;
  at += 10;
  for (const each of encoded) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

/**
 * The message whose HMAC is the key of a deal.
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function message(nonce, contributions, randomness) {
  return tagged(DEAL, nonce, contributions, randomness);
}

/**
 * The key of a deal's words.
 * @param {HmacKey} seed the server seed, as a key
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function dealKey(seed, nonce, contributions, randomness) {
  return seed.sign(message(nonce, contributions, randomness));
}

/**
 * The key of a deal's salts (section 7).
 * @param {HmacKey} seed the server seed, as a key
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sealKey(seed, nonce, contributions, randomness) {
  return seed.sign(tagged(SEAL, nonce, contributions, randomness));
}
