// Unbiased choices (spec/shuffle.md, section 4).

import { Refused, shown } from "./refused.js";

/**
 * The maximum number of ways of a choice, and of items of a deck: word · ways then stays under
 * 2^53, where doubles are exact.
 */
export const MOST_WAYS = 2 ** 20;

const TWO_32 = 2 ** 32;

/**
 * An integer, uniform on 0 to ways − 1.
 * @param {number} ways 1 to 2^20
 * @param {{next(): number}} words
 * @returns {number}
 * @throws {Refused} `ways`
 */
export function below(ways, words) {
  if (!(Number.isInteger(ways) && ways >= 1 && ways <= MOST_WAYS)) {
    throw new Refused("ways", `a choice has 1 to 2^20 ways; found ${shown(ways)}`);
  }
  return choose(ways, words);
}

/**
 * Like {@link below}, for callers that know that `ways` is legal.
 * @param {number} ways
 * @param {{next(): number}} words
 * @returns {number}
 */
export function choose(ways, words) {
  if (ways === 1) return 0;
  for (;;) {
    const word = words.next();
    const low = Math.imul(word, ways) >>> 0;
    // The threshold 2^32 mod ways is less than ways: the slow remainder is needed only in one of
    // thousands of cases.
    if (low >= ways || low >= TWO_32 % ways) return (word * ways - low) / TWO_32;
  }
}
