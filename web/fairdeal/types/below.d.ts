/**
 * An integer, uniform on 0 to ways − 1.
 * @param {number} ways 1 to 2^20
 * @param {{next(): number}} words
 * @returns {number}
 * @throws {Refused} `ways`
 */
export function below(ways: number, words: {
    next(): number;
}): number;
/**
 * Like {@link below}, for callers that know that `ways` is legal.
 * @param {number} ways
 * @param {{next(): number}} words
 * @returns {number}
 */
export function choose(ways: number, words: {
    next(): number;
}): number;
/**
 * The maximum number of ways of a choice, and of items of a deck: word · ways then stays under
 * 2^53, where doubles are exact.
 */
export const MOST_WAYS: number;
