/**
 * A scheme pays floor(numerator · 2^bits / (denominator · x)) hundredths for an x from 1 to 2^bits, and at least 100.
 * @typedef {{numerator: bigint, denominator: bigint, bits: bigint}} Law
 */
/**
 * @param {Law} law
 * @param {bigint} x
 * @returns {bigint} hundredths
 */
export function centsFor({ numerator, denominator, bits }: Law, x: bigint): bigint;
/**
 * The number of the 2^bits values of x that give at least this many hundredths.
 * @param {Law} law
 * @param {bigint} cents
 * @returns {bigint}
 */
export function casesAtLeast({ numerator, denominator, bits }: Law, cents: bigint): bigint;
/**
 * A scheme pays floor(numerator · 2^bits / (denominator · x)) hundredths for an x from 1 to 2^bits, and at least 100.
 */
export type Law = {
    numerator: bigint;
    denominator: bigint;
    bits: bigint;
};
