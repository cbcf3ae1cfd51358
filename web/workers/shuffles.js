// Right and wrong shuffles, with the names of `fairdeal lab`. Each takes a list in its first order
// and returns the deal.

import { choose } from "../fairdeal/below.js";

/**
 * @typedef {object} Words
 * @property {() => number} next 32 random bits
 */

/**
 * @callback Shuffle
 * @param {Uint16Array} a 0, 1, …; may be changed
 * @param {Words} words
 * @returns {ArrayLike<number>} in deal order
 */

/** Random words of the system, many at once. @returns {Words} */
export function systemWords() {
  const buffer = new Uint32Array(16384);
  let at = buffer.length;
  return {
    next: () => {
      if (at === buffer.length) {
        crypto.getRandomValues(buffer);
        at = 0;
      }
      return buffer[at++];
    },
  };
}

/** @param {Uint16Array} a @param {number} i @param {number} j */
function swap(a, i, j) {
  const held = a[i];
  a[i] = a[j];
  a[j] = held;
}

/** @param {Words} words */
const coin = (words) => words.next() >>> 31 === 0;

/**
 * Fisher–Yates from the last position down, with one change.
 * @param {{from?: number, to?: number, pick?: (ways: number, words: Words) => number}} change
 * @returns {Shuffle}
 */
function down({ from = 1, to = 0, pick = choose }) {
  return (a, words) => {
    for (let i = a.length - from; i > to; i--) swap(a, i, pick(i + 1, words));
    return a.reverse();
  };
}

/** @type {Shuffle} */
function sattolo(a, words) {
  for (let i = a.length - 1; i > 0; i--) swap(a, i, choose(i, words));
  return a;
}

/** @type {Shuffle} */
function swapAny(a, words) {
  for (let i = 0; i < a.length; i++) swap(a, i, choose(a.length, words));
  return a;
}

/** @type {Shuffle} */
function neverSelf(a, words) {
  for (let i = 0; i < a.length; i++) {
    const other = choose(a.length - 1, words);
    swap(a, i, other < i ? other : other + 1);
  }
  return a;
}

/** @type {Shuffle} */
function randomSwaps(a, words) {
  for (let k = 0; k < a.length; k++) swap(a, choose(a.length, words), choose(a.length, words));
  return a;
}

/**
 * A common mistake. The result depends on the engine's sort, whose comparisons are random.
 * @type {Shuffle}
 */
function compareTim(a, words) {
  return Array.from(a).sort(() => (coin(words) ? -1 : 1));
}

/** @type {Shuffle} */
function compareInsertion(a, words) {
  for (let i = 1; i < a.length; i++)
    for (let at = i; at > 0 && coin(words); at--) swap(a, at - 1, at);
  return a;
}

/** @type {Shuffle} */
function xorSwap(a, words) {
  for (let i = a.length - 1; i > 0; i--) {
    const j = choose(i + 1, words);
    a[i] ^= a[j];
    a[j] ^= a[i];
    a[i] ^= a[j];
  }
  return a.reverse();
}

/**
 * @param {number} times
 * @returns {Shuffle}
 */
function riffles(times) {
  return (a, words) => {
    let deck = a;
    for (let k = 0; k < times; k++) {
      const second = Array.from(deck, () => !coin(words));
      const cut = second.filter((is) => !is).length;
      let [left, right] = [0, cut];
      deck = Uint16Array.from(second, (is) => deck[is ? right++ : left++]);
    }
    return deck;
  };
}

/** @type {Record<string, Shuffle>} */
export const SHUFFLES = {
  "fisher-yates": down({}),
  "swap-any": swapAny,
  "compare-tim": compareTim,
  "compare-insertion": compareInsertion,
  "modulo-8": down({ pick: (ways, words) => (words.next() >>> 24) % ways }),
  "random-swaps": randomSwaps,
  "never-self": neverSelf,
  sattolo,
  "last-stays": down({ from: 2 }),
  "xor-swap": xorSwap,
  "riffle-5": riffles(5),
  "riffle-7": riffles(7),
};
