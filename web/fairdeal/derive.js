// From the seeds to the key of a deal (spec/shuffle.md, section 3).

import { compare, concat, u16, u64, utf8 } from "./bytes.js";
import { encode, encodeBeacon } from "./contribution.js";
import { HmacKey } from "./sha256.js";

/** @typedef {import("./contribution.js").Clear} Clear */

const DEAL = utf8("fairdeal/v1/deal\0");
const SEAL = utf8("fairdeal/v1/seal\0");

/**
 * Everything that follows the tag in a message: the nonce and what is mixed, in ascending order of the bytes.
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness] of a beacon's round
 * @returns {Uint8Array<ArrayBuffer>}
 */
function body(nonce, contributions, randomness) {
  const encoded = contributions.map(encode);
  if (randomness !== undefined) encoded.push(encodeBeacon(randomness));
  encoded.sort(compare);
  return concat(u64(nonce), u16(encoded.length), ...encoded);
}

/**
 * What the key of a deal is the HMAC of.
 * @param {number} nonce
 * @param {readonly Clear[]} contributions
 * @param {Uint8Array} [randomness]
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function message(nonce, contributions, randomness) {
  return concat(DEAL, body(nonce, contributions, randomness));
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
  return seed.sign(concat(SEAL, body(nonce, contributions, randomness)));
}
