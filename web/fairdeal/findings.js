// Findings: their codes, and the order in which they are listed (spec/ledger.md, section 9.3).

/**
 * A violation of a rule.
 * @typedef {object} Finding
 * @property {string} code
 * @property {number | null} index of the entry
 * @property {string | null} commitment
 * @property {number | null} nonce
 * @property {string} says for people
 */

/** Every code, in the order of the table. */
export const CODES = [
  "not-canonical",
  "invalid-entry",
  "no-commitment",
  "duplicate-commitment",
  "after-reveal",
  "after-void",
  "void-after-use",
  "open-round",
  "nonce-gap",
  "too-many-rounds",
  "seed-mismatch",
  "out-of-turn",
  "time-runs-back",
  "split-view",
  "contribution-signature",
  "weak-mixing",
  "beacon-round",
  "beacon-signature",
  "lock-mismatch",
  "unopened-hash",
  "result-mismatch",
  "late-reveal",
  "overdue",
  "time-ahead",
  "tree-mismatch",
  "bad-signature",
  "inconsistent",
  "contribution-mismatch",
  "placed-mismatch",
  "invalid-receipt",
];

const RANK = new Map(CODES.map((code, rank) => [code, rank]));

/**
 * The row of a code in the table.
 * @param {string} code
 * @returns {number}
 */
export function rankOf(code) {
  return RANK.get(code) ?? CODES.length;
}

/**
 * The order of findings in an audit: those without an index first, then by index, then by the
 * table.
 * @param {{code: string, index: number | null}} a
 * @param {{code: string, index: number | null}} b
 * @returns {number}
 */
export function inOrder(a, b) {
  return (a.index ?? -1) - (b.index ?? -1) || rankOf(a.code) - rankOf(b.code);
}
