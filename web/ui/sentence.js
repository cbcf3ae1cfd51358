// The sentence of a verdict, in words that a player knows.

import { isKey, t } from "./strings.js";

/**
 * @typedef {import("../fairdeal/index.js").Verdict} Verdict
 * @typedef {import("../fairdeal/index.js").Verdicts} Verdicts
 * @typedef {import("../fairdeal/index.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {"holds" | "signed" | "fails" | "unreadable" | "pending"} State
 * @typedef {{state: State, sentence: string, says?: string}} Headline
 */

/** The gravest findings first. The others follow in the order in which they were found. */
const GRAVEST = [
  "invalid-receipt",
  "bad-signature",
  "tree-mismatch",
  "inconsistent",
  "split-view",
  "seed-mismatch",
  "result-mismatch",
  "contribution-mismatch",
  "placed-mismatch",
];

/**
 * Sentences of receipts that hold, but whose shown cards could not be checked. A tick above the
 * cards would claim too much.
 */
const UNCHECKED = new Set(["v.unrevealed", "v.beacon", "v.foreign"]);

/**
 * @param {readonly ReceiptFinding[]} findings
 * @returns {ReceiptFinding}
 */
function gravest(findings) {
  const rank = (/** @type {ReceiptFinding} */ { code }) =>
    (GRAVEST.indexOf(code) + GRAVEST.length + 1) % (GRAVEST.length + 1);
  return [...findings].sort((a, b) => rank(a) - rank(b))[0];
}

/**
 * The short meaning of a finding.
 * @param {string} code
 * @param {"title" | "means"} part
 * @returns {string}
 */
export function meaning(code, part) {
  const key = `finding.${code}.${part}`;
  return isKey(key) ? t(key) : code;
}

/**
 * The same for a finding on a file. A signature by another key of the same name has a different
 * text than a wrong signature.
 * @param {ReceiptFinding} finding
 * @param {Dossier | null} dossier
 * @returns {{title: string, means: string}}
 */
export function meaningOf({ code }, dossier) {
  const other = code === "bad-signature" ? (dossier?.otherKey ?? null) : null;
  if (other === null) return { title: meaning(code, "title"), means: meaning(code, "means") };
  return { title: t("finding.other-key.title", other), means: t("finding.other-key.means", other) };
}

/**
 * @param {({file: string} & Verdict) | {file: string, error: {code: string, says: string}}} receipt
 * @param {Dossier | null} dossier
 * @returns {Headline}
 */
export function headlineOf(receipt, dossier) {
  if (!("holds" in receipt)) {
    const unlinked = /checkpoint has \d+ entries, the saved one/.test(receipt.error.says);
    return {
      state: "unreadable",
      sentence: t(unlinked ? "v.unlinked" : "v.unreadable"),
      says: receipt.error.says,
    };
  }
  if (receipt.findings.length > 0)
    return { state: "fails", sentence: meaningOf(gravest(receipt.findings), dossier).title };
  if (!receipt.holds)
    return { state: "unreadable", sentence: t("v.no-signatures"), says: receipt.error?.says };
  const key = whatHolds(receipt, dossier);
  return { state: UNCHECKED.has(key) ? "signed" : "holds", sentence: t(key) };
}

/**
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {import("./strings.js").Key}
 */
function whatHolds(verdict, dossier) {
  const { shown, not_shown: missing, contributions } = verdict;
  if (missing.includes("judged")) return "v.foreign";
  if (shown.includes("replayed")) {
    if (shown.includes("yours")) return "v.yours";
    if (contributions === undefined) return "v.operator-only";
    return verdict.cards === undefined ? "v.items" : "v.replayed";
  }
  if (shown.includes("opened")) return "v.opened";
  if (missing.includes("beacon") && dossier?.reveal) return "v.beacon";
  if (verdict.time !== undefined) return "v.unrevealed";
  if (dossier?.voided) return "v.voided";
  return dossier?.lock ? "v.locked" : "v.promise";
}

/**
 * @param {Verdicts} verdicts
 * @param {(Dossier | null)[]} dossiers
 * @returns {Headline}
 */
export function headlineOfAll(verdicts, dossiers) {
  const { receipts, findings } = verdicts;
  if (receipts.length === 1) return headlineOf(receipts[0], dossiers[0]);
  const n = receipts.length;
  const each = receipts.map((receipt, i) => headlineOf(receipt, dossiers[i]).state);
  if (findings.length > 0) return { state: "fails", sentence: t("v.together") };
  if (each.includes("fails")) return { state: "fails", sentence: t("v.several-bad", { n }) };
  if (each.includes("unreadable"))
    return { state: "unreadable", sentence: t("v.unreadable-some", { n }) };
  if (each.includes("signed")) return { state: "signed", sentence: t("v.several-signed", { n }) };
  return { state: "holds", sentence: t("v.several", { n }) };
}
