// Sealed deals: each card can be proved alone (spec/shuffle.md, section 7).

import { concat, u32, u64, utf8 } from "./bytes.js";
import { keystream } from "./chacha20.js";
import { sha256, sha256Into } from "./sha256.js";

/** The maximum number of cards of a sealed deal. */
export const MOST_SEALED = 4096;

const CARD = utf8("fairdeal/v1/card\0");
const SEALS = utf8("fairdeal/v1/seals\0");

/**
 * @param {Uint8Array} commitment 32 bytes
 * @param {number} nonce
 * @param {number} t the place in the deal
 * @param {number} item
 * @param {Uint8Array} salt 16 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function cardSeal(commitment, nonce, t, item, salt) {
  return sha256(concat(CARD, commitment, u64(nonce), u32(t), u32(item), salt));
}

/**
 * The seal of all cards, which is logged.
 * @param {Uint8Array} cardSeals all card seals, one after the other
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sealOf(cardSeals) {
  return sha256(concat(SEALS, cardSeals));
}

/**
 * Seals a deal.
 * @param {Uint8Array} key the seal key
 * @param {Uint8Array} commitment 32 bytes
 * @param {number} nonce
 * @param {ArrayLike<number>} dealt the numbers of the items, in deal order
 * @returns {{seal: Uint8Array, cardSeals: Uint8Array, salts: Uint8Array}} 32 bytes; 32 for each
 * card; 16 for each card
 */
export function seal(key, commitment, nonce, dealt) {
  const salts = keystream(key, 16 * dealt.length);
  const cardSeals = new Uint8Array(32 * dealt.length);
  // One buffer for all cards: only the place, the item and the salt change.
  const card = concat(CARD, commitment, u64(nonce), new Uint8Array(4 + 4 + 16));
  const at = card.length - 24;
  for (let t = 0; t < dealt.length; t++) {
    card.set(u32(t), at);
    card.set(u32(dealt[t]), at + 4);
    card.set(salts.subarray(16 * t, 16 * t + 16), at + 8);
    sha256Into(card, cardSeals, 32 * t);
  }
  return { seal: sealOf(cardSeals), cardSeals, salts };
}
