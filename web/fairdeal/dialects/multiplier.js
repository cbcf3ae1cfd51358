// A word becomes a multiplier (spec/dialects.md, sections 17.3, 17.4, 21 and 22).

/**
 * A scheme pays floor(numerator · 2^bits / (denominator · x)) hundredths for an x from 1 to 2^bits,
 * and at least `least`, which is 100 if it is absent. `inDoubles`: the factor of the formula that the
 * operator computes in doubles.
 * @typedef {{numerator: bigint, denominator: bigint, bits: bigint, least?: bigint,
 *   inDoubles?: number}} Law
 */

/**
 * @param {Law} law
 * @param {bigint} x
 * @returns {bigint} hundredths
 */
export function centsFor({ numerator, denominator, bits, least = 100n }, x) {
  const cents = (numerator << bits) / (denominator * x);
  return cents < least ? least : cents;
}

/**
 * The results that are accepted for x.
 * @param {Law} law
 * @param {bigint} x
 * @returns {import("./game.js").Accepted}
 */
export function acceptedFor(law, x) {
  const cents = centsFor(law, x);
  if (cents < 100n)
    return {
      cents,
      other: 100n,
      says: [
        "the row has the formula's result, which is under 1.00",
        "the formula's result is under 1.00, and the row has 1.00",
      ],
    };
  if (law.inDoubles === undefined) return { cents };
  const doubles = Math.floor((2 ** Number(law.bits) / Number(x)) * law.inDoubles * 100);
  if (doubles >= cents || cents === (law.least ?? 100n)) return { cents };
  return {
    cents,
    other: cents - 1n,
    says: [
      "the row has the exact result, where doubles give 0.01 less",
      "the row has 0.01 less than the exact result, as doubles give it",
    ],
  };
}

/**
 * The number of the 2^bits values of x that give at least this many hundredths.
 * @param {Law} law
 * @param {bigint} cents
 * @returns {bigint}
 */
export function casesAtLeast({ numerator, denominator, bits, least = 100n }, cents) {
  return cents <= least ? 1n << bits : (numerator << bits) / (denominator * cents);
}
