// A whole deal: from its seeds to its result (spec/shuffle.md).

import { toHex } from "./bytes.js";
import { Words } from "./chacha20.js";
import { dealKey, sealKey } from "./derive.js";
import { itemsOf } from "./deck.js";
import { cardText, digestOf, formOf } from "./result.js";
import { seal } from "./seal.js";
import { order } from "./shuffle.js";

/** @typedef {import("./contribution.js").Clear} Clear */
/** @typedef {import("./result.js").Terms} Terms */
/** @typedef {import("./result.js").Result} Result */
/** @typedef {import("./sha256.js").HmacKey} HmacKey */

/**
 * All that was mixed into one round, except the server seed.
 * @typedef {object} Mixed
 * @property {number} nonce
 * @property {readonly Clear[]} contributions
 * @property {Uint8Array} [randomness] of a beacon's round
 */

/**
 * The numbers of the items dealt, in deal order.
 * @param {HmacKey} seed the server seed, as a key
 * @param {Terms} terms
 * @param {Mixed} mixed
 * @returns {Uint32Array}
 */
export function deal(seed, { method, deck, draw }, { nonce, contributions, randomness }) {
  const words = new Words(dealKey(seed, nonce, contributions, randomness));
  return order(method, itemsOf(deck), draw, words);
}

/**
 * The result of a deal, as the log has it.
 * @param {HmacKey} seed the server seed, as a key
 * @param {Uint8Array} commitment 32 bytes
 * @param {Terms} terms
 * @param {Mixed} mixed
 * @param {Uint32Array} dealt
 * @returns {Result}
 */
export function resultOf(seed, commitment, terms, mixed, dealt) {
  const form = formOf(terms);
  if (form === "cards" && typeof terms.deck === "string")
    return { cards: cardText(terms.deck, dealt) };
  if (form === "indices") return { indices: [...dealt] };
  if (form === "digest") return { digest: digestOf(dealt) };
  const key = sealKey(seed, mixed.nonce, mixed.contributions, mixed.randomness);
  return { seal: toHex(seal(key, commitment, mixed.nonce, dealt).seal) };
}

/**
 * Whether two results are the same, item by item.
 * @param {Result} a
 * @param {Result} b
 * @returns {boolean}
 */
export function sameResult(a, b) {
  if (a.indices !== undefined && b.indices !== undefined) {
    const [one, other] = [a.indices, b.indices];
    return one.length === other.length && one.every((item, t) => item === other[t]);
  }
  return (
    a.cards === b.cards && a.digest === b.digest && a.seal === b.seal && a.indices === b.indices
  );
}
