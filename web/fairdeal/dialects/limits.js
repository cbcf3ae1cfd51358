// The weaknesses of a scheme and their size (spec/dialects.md, sections 17.2, 17.3 and 18 to 23).
// All counts are exact.

import { refusedFrom } from "./numbers.js";
import { casesAtLeast, centsFor } from "./multiplier.js";
import { statementsOf } from "./statements.js";
import { centsText } from "./values.js";

/**
 * A dialect's own description of its limits.
 * @typedef {object} Limits
 * @property {string} seed the server seed, in words
 * @property {number} [seedBits] absent if the scheme fixes no length
 * @property {number} [resultBits] absent if a round has any number of draws
 * @property {string} lastSpeaker
 * @property {string[]} also
 * @property {number[]} [ways] of each draw of a round, for schemes of cards
 * @property {import("./multiplier.js").Law} [law] for schemes of multipliers
 */

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./multiplier.js").Law} Law */

/** @typedef {{exact: string, decimal: number}} Ratio */

const WORDS = 2 ** 32;

/** For ranges up to this one, the words of each value are listed. */
const LISTED = 52;

/**
 * @param {bigint | number} cases
 * @param {bigint | number} all
 * @returns {Ratio}
 */
function ratio(cases, all) {
  return { exact: `${cases}/${all}`, decimal: Number(cases) / Number(all) };
}

/**
 * The number of words of each value of one draw.
 * @param {number} range
 * @param {import("./numbers.js").Mapping} mapping
 */
function rangeBias(range, mapping) {
  const used = refusedFrom(mapping, range);
  const least = Math.floor(used / range);
  const over = used % range;
  const isBiased = over > 0;
  const most = least + (isBiased ? 1 : 0);
  // Value v owns the words from ⌈v · 2^32 / m⌉ on, up to those of the next value; or the words v,
  // v + m, …
  const first = (/** @type {number} */ value) =>
    mapping === "remainder"
      ? value * least + Math.min(value, over)
      : Math.ceil((value * used) / range);
  const words = Array.from({ length: range }, (_, value) =>
    isBiased ? first(value + 1) - first(value) : least,
  );
  return {
    range,
    words_refused: WORDS - used,
    least,
    most,
    values_with_most: isBiased ? over : range,
    biased: isBiased,
    probability_least: ratio(least, used),
    probability_most: ratio(most, used),
    deviation: ratio(isBiased ? Math.max(over, range - over) : 0, used),
    ...(range <= LISTED ? { words } : {}),
  };
}

/**
 * @param {number[]} ways
 * @param {import("./numbers.js").Mapping} mapping
 */
function drawsBias(ways, mapping) {
  const ranges = [...new Set(ways)].map((range) => rangeBias(range, mapping));
  const isBiased = ranges.some(({ biased }) => biased);
  let over = 0;
  let under = 0;
  let visible = 0;
  for (const range of isBiased ? ways : []) {
    const owners = WORDS % range;
    if (owners === 0) continue;
    over += range - owners;
    under += owners;
    visible += owners * (range - owners);
  }
  return {
    kind: "draws",
    biased: isBiased,
    word_bits: 32,
    ranges,
    draws: ways.length,
    // The product of (1 + d) over all draws is at most 1 / (1 − their sum), the product of (1 − d)
    // at least 1 − their sum.
    likeliest: ratio(over, WORDS - over),
    least_likely: ratio(under, WORDS),
    // The number of rounds after which the chi-square statistics of all draws together have grown
    // by 1.
    ...(isBiased ? { unseen_rounds: Math.floor(WORDS ** 2 / visible) } : {}),
  };
}

const POINTS = [
  100, 101, 110, 150, 200, 300, 500, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
];

/** Hundredths of 10,000.00. */
const LISTED_CENTS = 1_000_000;

/**
 * @param {Law} law
 * @param {bigint} cents
 */
function point(law, cents) {
  const cases = 1n << law.bits;
  const atLeast = casesAtLeast(law, cents);
  const isLeast = cents <= (law.least ?? 100n);
  // Without rounding: numerator / (denominator · cents), and surely 1.00.
  const short = isLeast ? 0n : law.numerator * cases - atLeast * cents * law.denominator;
  return {
    multiplier: centsText(cents),
    exactly: Number(atLeast - casesAtLeast(law, cents + 1n)),
    at_least: Number(atLeast),
    probability: ratio(atLeast, cases),
    ideal: isLeast ? ratio(1n, 1n) : ratio(law.numerator, law.denominator * cents),
    deviation: ratio(short, cases * cents * law.denominator),
    relative: ratio(short, law.numerator * cases),
  };
}

/**
 * The first hundredths over 1.00 that no case gives, up to 10,000.00.
 * @param {Law} law
 * @returns {bigint | null}
 */
function firstImpossible(law) {
  // While c · (c + 1) is not over the law's numerator, the cases of c and of c + 1 differ.
  const most = (law.numerator << law.bits) / law.denominator;
  let cents = 101n;
  for (let step = 1n << 20n; step > 0n; step >>= 1n) {
    while ((cents + step) * (cents + step + 1n) <= most && cents + step <= BigInt(LISTED_CENTS))
      cents += step;
  }
  for (; cents <= BigInt(LISTED_CENTS); cents++) {
    if (casesAtLeast(law, cents) === casesAtLeast(law, cents + 1n)) return cents;
  }
  return null;
}

/**
 * Up to 10,000.00, the hundredths whose probability is furthest below the ideal.
 * @param {Law} law
 * @returns {bigint}
 */
function largestShort({ numerator, denominator, bits }) {
  const half = 2 ** (Number(bits) / 2);
  const [above, below] = [Number(numerator), Number(denominator)];
  let [found, largest] = [101, -1];
  for (let cents = 101; cents <= LISTED_CENTS; cents++) {
    // (numerator · 2^bits) mod (denominator · cents), in two halves so that every product stays
    // exact.
    const divisor = below * cents;
    const rest = ((((above * half) % divisor) * half) % divisor) / divisor;
    if (rest > largest) [found, largest] = [cents, rest];
  }
  return BigInt(found);
}

/** @type {Map<Law, {impossible: bigint | null, worst: bigint}>} what takes a million divisions, once for each scheme */
const searched = new Map();

/**
 * @param {Law} law
 */
function search(law) {
  let found = searched.get(law);
  if (found === undefined)
    searched.set(law, (found = { impossible: firstImpossible(law), worst: largestShort(law) }));
  return found;
}

/**
 * @param {Law} law
 */
function multiplierBias(law) {
  const cases = 1n << law.bits;
  const largest = centsFor(law, 1n);
  const { impossible, worst: worstCents } = search(law);
  const worst = point(law, worstCents);
  return {
    kind: "multiplier",
    bits: Number(law.bits),
    cases: Number(cases),
    house_edge: ratio(law.denominator * 100n - law.numerator, law.denominator * 100n),
    lowest: ratio(cases - casesAtLeast(law, 101n), cases),
    largest: centsText(largest),
    ...(impossible === null ? {} : { first_impossible: centsText(impossible) }),
    points: POINTS.map((cents) => point(law, BigInt(cents))),
    // One hundredth over the maximum: its probability is 0.
    largest_deviation: {
      multiplier: centsText(largest + 1n),
      deviation: ratio(law.numerator, law.denominator * (largest + 1n)),
    },
    largest_deviation_to_10000: { multiplier: worst.multiplier, deviation: worst.deviation },
  };
}

/**
 * The limits of a dialect's rows: the JSON of `fairdeal check DIALECT --limits --json`.
 * @param {Dialect} dialect
 */
export function limitsOf(dialect) {
  const { name, title, covers, source, limits, scheme } = dialect;
  const { law, ways, seedBits, resultBits } = limits;
  // Our own mapping keeps floor(2^32 / s) words for each value too (spec/shuffle.md, section 4).
  const mapping = scheme.numbers?.mapping ?? "modulo-2^32";
  return {
    dialect: name,
    title,
    covers,
    bias: law === undefined ? drawsBias(ways ?? [], mapping) : multiplierBias(law),
    seed: {
      ...(seedBits === undefined ? {} : { bits: seedBits }),
      ...(resultBits === undefined ? {} : { result_bits: resultBits }),
    },
    statements: statementsOf(dialect),
    source,
  };
}
