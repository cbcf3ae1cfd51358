// A shuffle as frames: the change of the deck by each word.

/**
 * @typedef {import("../fairdeal/index.js").Replayed} Replayed
 * @typedef {"shuffle" | "cycle"} Method
 */

/**
 * One frame: a word that is refused, or a swap, after which position `i` is settled.
 * @typedef {object} Frame
 * @property {number | null} word null if there is only one place left
 * @property {number} range
 * @property {boolean} refused
 * @property {number} i the higher position
 * @property {number} j the chosen position
 * @property {number} [words] the number of possible words, if not 2^32
 */

/**
 * @param {Replayed} replayed a deal with its steps
 * @param {Method} method
 * @param {number} items
 * @param {number} draw
 * @returns {Frame[]}
 */
export function framesOf({ steps = [] }, method, items, draw) {
  /** @type {Frame[]} */
  const frames = [];
  const last = method === "cycle" ? 1 : items - draw;
  let at = 0;
  for (let i = items - 1; i >= last; i--) {
    const range = method === "cycle" ? i : i + 1;
    if (range === 1) {
      frames.push({ word: null, range, refused: false, i, j: 0 });
      continue;
    }
    for (let refused = true; refused; at++) {
      const { word, rejected, value = 0 } = steps[at];
      refused = rejected;
      frames.push({ word, range, refused, i, j: refused ? -1 : value });
    }
  }
  return frames;
}

/**
 * The deck after some frames: the item at each position.
 * @param {readonly Frame[]} frames
 * @param {number} items
 * @param {number} done
 * @returns {number[]}
 */
export function orderAfter(frames, items, done) {
  const order = Array.from({ length: items }, (_, i) => i);
  for (const { refused, i, j } of frames.slice(0, done))
    if (!refused) [order[i], order[j]] = [order[j], order[i]];
  return order;
}

/**
 * How many positions are settled after some frames: the highest ones.
 * @param {readonly Frame[]} frames
 * @param {number} items
 * @param {number} done
 * @param {Method} method
 * @returns {number}
 */
export function settledAfter(frames, items, done, method) {
  let settled = 0;
  for (let k = 0; k < done; k++) if (!frames[k].refused) settled++;
  // The last item of a cycle is left: no choice is made for it.
  return method === "cycle" && settled === items - 1 ? items : settled;
}

/**
 * The items dealt, in deal order.
 * @param {readonly number[]} order of the whole deck
 * @param {number} settled
 * @param {Method} method
 * @returns {number[]}
 */
export function dealtOf(order, settled, method) {
  const tail = order.slice(order.length - settled);
  return method === "cycle" ? tail : tail.reverse();
}

/** The number of possible words. */
export const ALL_WORDS = 2 ** 32;

/**
 * A word times its range: the place, the remainder, and the limit under which a remainder is
 * refused.
 * @param {number} word
 * @param {number} range
 * @param {number} [words] the number of possible words
 * @returns {{product: number, place: number, rest: number, limit: number}}
 */
export function productOf(word, range, words = ALL_WORDS) {
  const product = word * range;
  return {
    product,
    place: Math.floor(product / words),
    rest: product % words,
    limit: words % range,
  };
}

/**
 * A shuffle by the same rule with bytes instead of words, so that refusals can be seen: with 32
 * bits they are too rare.
 * @param {number} items
 * @param {() => number} nextByte
 * @returns {Frame[]}
 */
export function byteFrames(items, nextByte) {
  /** @type {Frame[]} */
  const frames = [];
  for (let i = items - 1; i > 0; i--) {
    for (let refused = true; refused;) {
      const word = nextByte();
      const { place, rest, limit } = productOf(word, i + 1, 256);
      refused = rest < limit;
      frames.push({ word, range: i + 1, refused, i, j: refused ? -1 : place, words: 256 });
    }
  }
  frames.push({ word: null, range: 1, refused: false, i: 0, j: 0, words: 256 });
  return frames;
}
