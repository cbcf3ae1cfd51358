// Findings: their codes, and the order in which they are listed (spec/ledger.md, section 9.3).

/**
 * A violation of a rule.
 * @typedef {object} Finding
 * @property {FindingCode} code
 * @property {number | null} index of the entry
 * @property {string | null} commitment
 * @property {number | null} nonce
 * @property {string} says for people
 */

/**
 * Whom a finding accuses: the holder of the log's key; whoever wrote or sent the file; or nobody.
 * @typedef {"operator" | "writer" | "nobody"} Accused
 */

/** Every code, in the order of the table. */
export const CODES = /** @type {const} */ ([
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
  "backdated",
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
  "rolled-back",
  "contribution-mismatch",
  "opening-mismatch",
  "placed-mismatch",
  "invalid-receipt",
]);

/** @typedef {(typeof CODES)[number]} FindingCode */

/** @type {ReadonlyMap<string, number>} */
const RANK = new Map(CODES.map((code, rank) => [code, rank]));

const OF_ORDER = new Set([
  "no-commitment",
  "duplicate-commitment",
  "after-reveal",
  "after-void",
  "void-after-use",
  "open-round",
  "nonce-gap",
  "too-many-rounds",
  "out-of-turn",
]);
const OF_TIME = new Set(["time-runs-back", "backdated", "late-reveal", "overdue", "time-ahead"]);

/**
 * What the broken rule protects: that what is shown is what was promised, dealt and signed; that
 * every step came in its turn; that nothing came too early or too late (spec/ledger.md, section
 * 9.3).
 * @typedef {"integrity" | "order" | "time"} FindingClass
 */

/**
 * The class of a finding.
 * @param {string} code
 * @returns {FindingClass}
 */
export function classOf(code) {
  if (OF_ORDER.has(code)) return "order";
  return OF_TIME.has(code) ? "time" : "integrity";
}

/**
 * How wrong clocks may be, in milliseconds: the operator's, the reader's and those of witnesses
 * (spec/ledger.md, 9.2 and `time-ahead`; spec/audit.md, 13.5; spec/receipt.md, 11.11).
 */
export const TOLERANCE = 300_000;

/**
 * A time for people, such as `2026-01-31 12:00:00.811 UTC`; one that no calendar has in digits.
 * @param {number} milliseconds
 * @returns {string}
 */
export function moment(milliseconds) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  return date
    .toISOString()
    .replace("T", " ")
    .replace(/(\.000)?Z$/, " UTC");
}

/** What anybody can write into a file, or do to it on its way. */
const OF_WRITERS = new Set([
  "invalid-receipt",
  "tree-mismatch",
  "opening-mismatch",
  "placed-mismatch",
]);
const OF_NOBODY = new Set(["bad-signature", "rolled-back"]);

/**
 * Whom a finding accuses (spec/receipt.md, section 11.4; spec/audit.md, section 13.4).
 * @param {string} code
 * @param {boolean} signed whether the log's key signed what the finding is about
 * @returns {Accused}
 */
export function accusedOf(code, signed) {
  if (OF_WRITERS.has(code)) return "writer";
  return OF_NOBODY.has(code) || !signed ? "nobody" : "operator";
}

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

/**
 * A finding of a receipt, before it is known whom it accuses.
 * @typedef {object} Found
 * @property {FindingCode} code
 * @property {number} [index]
 * @property {Accused} [accuses] if it is not whom its code accuses
 * @property {string} says
 */

/**
 * @typedef {object} ReceiptFinding
 * @property {FindingCode} code
 * @property {FindingClass} class
 * @property {number} [index]
 * @property {Accused} accuses
 * @property {string} says
 */

/**
 * The findings of a receipt, or of several, with whom each accuses: those without an index in the
 * order in which they were found, then by index; at one index, `tree-mismatch` first.
 * @param {readonly Found[]} findings
 * @param {boolean} signed whether the log's key signed what they are about
 * @returns {ReceiptFinding[]}
 */
export function accused(findings, signed) {
  /** @param {Found} finding */
  const rank = ({ code }) => (code === "tree-mismatch" ? -1 : rankOf(code));
  return [...findings]
    .sort((a, b) => {
      if (a.index === undefined || b.index === undefined)
        return Number(a.index !== undefined) - Number(b.index !== undefined);
      return a.index - b.index || rank(a) - rank(b);
    })
    .map(({ code, says, accuses = accusedOf(code, signed), ...at }) => ({
      code,
      class: classOf(code),
      ...at,
      accuses,
      says,
    }));
}

/**
 * Whether the state of several files does not depend on this one (spec/receipt.md, section 11.4):
 * it holds, is judged, and shows no deal that had effect, as a lock that the reader kept.
 * @param {{holds?: boolean, time?: number, not_shown?: string[]}} verdict
 * @returns {boolean}
 */
export function isWithoutDeal({ holds, time, not_shown = [] }) {
  return holds === true && time === undefined && !not_shown.includes("judged");
}

/**
 * Why a file that accuses nobody is not kept.
 * @param {readonly import("./record.js").Claim[]} found
 * @param {boolean | null} logged
 * @returns {import("./record.js").Claim}
 */
export function doubt(found, logged) {
  const none =
    logged === null
      ? "this browser cannot verify Ed25519 signatures"
      : "this file is of no commitment that can be judged";
  const [{ code, says }] = [...found, { code: "nothing", says: none }];
  return { code, says };
}
