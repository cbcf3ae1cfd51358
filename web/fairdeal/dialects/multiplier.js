// A word becomes a multiplier (spec/dialects.md, sections 17.3 and 22 to 24).

/**
 * A scheme pays floor(numerator · 2^bits / (denominator · x)) hundredths for an x from 1 to 2^bits,
 * and at least 100.
 * @typedef {{numerator: bigint, denominator: bigint, bits: bigint}} Law
 */

/**
 * @param {Law} law
 * @param {bigint} x
 * @returns {bigint} hundredths
 */
export function centsFor({ numerator, denominator, bits }, x) {
  const cents = (numerator << bits) / (denominator * x);
  return cents < 100n ? 100n : cents;
}

/**
 * The number of the 2^bits values of x that give at least this many hundredths.
 * @param {Law} law
 * @param {bigint} cents
 * @returns {bigint}
 */
export function casesAtLeast({ numerator, denominator, bits }, cents) {
  return cents <= 100n ? 1n << bits : (numerator << bits) / (denominator * cents);
}
