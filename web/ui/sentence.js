// The sentence of a verdict, in words that a player knows.

import { classOf, isWithoutDeal } from "../fairdeal/findings.js";
import { lasting } from "./explore/words.js";
import { nth } from "./places.js";
import { count, isKey, t } from "./strings.js";
import { apart } from "./text.js";

/**
 * @typedef {import("../fairdeal/index.js").Verdict} Verdict
 * @typedef {import("../fairdeal/index.js").Verdicts} Verdicts
 * @typedef {import("../fairdeal/index.js").ReceiptFinding} ReceiptFinding
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/verdict.js").State} RoundState
 * @typedef {import("../fairdeal/verdict.js").Judgement["compared"]} Compared
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 */

/**
 * The sign of a headline: a receipt's state, or `none` if it has no state; elsewhere whether a log
 * or typed seeds hold; `unreadable` and `pending` if nothing was judged.
 * @typedef {RoundState | "none" | "holds" | "fails" | "unreadable" | "pending"} State
 * `isLate`: all that was caught is about times, and no card and no order is wrong.
 * @typedef {{state: State, isLate?: boolean, sentence: string, detail?: string, says?: string}} Headline
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
  const { is, theirs, yours } = other;
  const values = { theirs: is === "key" ? theirs : apart(theirs, 100), yours };
  return { title: t(`finding.other-${is}.title`, values), means: t(`finding.other-${is}.means`) };
}

/**
 * The finding that the given key is of another log than the file. All others may follow from it.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {ReceiptFinding | undefined}
 */
export function otherKeyIn({ findings }, dossier) {
  if ((dossier?.otherKey ?? null) === null) return undefined;
  return findings.find(({ code }) => code === "bad-signature");
}

/**
 * Whom a finding accuses, in a sentence.
 * @param {{code: string, accuses: import("../fairdeal/findings.js").Accused}} finding
 * @returns {string}
 */
export function accusation({ code, accuses }) {
  const own = code === "contribution-mismatch";
  if (own && accuses === "operator") return t("accuses.operator-mine");
  return t(own && accuses === "nobody" ? "accuses.nobody-mine" : `accuses.${accuses}`);
}

/**
 * The words of `caught`: what was found, and of a wrong card also which one.
 * @param {readonly ReceiptFinding[]} findings
 * @param {Dossier | null} dossier
 * @returns {{isLate: boolean, sentence: string, detail: string}}
 */
function caught(findings, dossier) {
  const accusing = findings.filter(({ accuses }) => accuses === "operator");
  const found = gravest(accusing);
  const { differs = [], cards } = dossier?.expected ?? {};
  const n = differs.length;
  const what =
    found.code === "result-mismatch" && n > 0
      ? count(cards === undefined ? "caught.items" : "caught.cards", n, {
          nth: nth(differs[0] + 1),
        })
      : inside(meaningOf(found, dossier).title);
  return {
    isLate: isLate(accusing),
    sentence: t("state.caught", { what }),
    detail: accusation(found),
  };
}

/**
 * Whether all findings are about times.
 * @param {readonly {code: string}[]} findings
 */
export function isLate(findings) {
  return findings.length > 0 && findings.every(({ code }) => classOf(code) === "time");
}

/**
 * The sentence of a round whose cards are right, and whose secret came late: nothing else.
 * @param {readonly ReceiptFinding[]} findings
 * @param {Dossier | null} dossier
 * @returns {string | null}
 */
function lateness(findings, dossier) {
  const late = Number(dossier?.reveal?.time) - Number(dossier?.commit?.reveal_by);
  return findings.every(({ code }) => code === "late-reveal") && late > 0
    ? t("state.late", { late: lasting(late) })
    : null;
}

/**
 * A sentence as a part of another one.
 * @param {string} sentence
 */
function inside(sentence) {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/**
 * @param {({file: string} & Verdict) | {file: string, error: {code: string, says: string}}} receipt
 * @param {Dossier | null} dossier
 * @param {readonly Kept[]} mine what the reader brought
 * @param {boolean} [hasLock] whether the lock of its round is among the files
 * @returns {Headline}
 */
export function headlineOf(receipt, dossier, mine, hasLock = false) {
  if (!("holds" in receipt)) return unreadable(receipt.error.says);
  const { state, findings } = receipt;
  if (state === "caught") {
    const late = receipt.shown.includes("replayed") ? lateness(findings, dossier) : null;
    return { state, ...caught(findings, dossier), ...(late === null ? {} : { sentence: late }) };
  }
  if (state !== undefined)
    return {
      state,
      sentence: stateWords(state, [receipt]),
      detail: t(why(receipt, dossier, mine, hasLock)),
    };
  if (findings.length > 0) {
    const found = gravest(findings);
    const isChanged =
      found.code === "tree-mismatch" && findings.some(({ code }) => code === "result-mismatch");
    const sentence = isChanged ? t("v.changed") : meaningOf(found, dossier).title;
    return { state: "none", sentence, detail: accusation(found) };
  }
  if (!receipt.holds)
    return { state: "none", sentence: t("v.no-signatures"), says: receipt.error?.says };
  const missing = whatIsMissing(receipt, dossier);
  const more = missing === "v.voided" ? { detail: voidWords(dossier?.voided) } : {};
  return { state: "none", sentence: t(missing), ...more };
}

/**
 * @param {string} says why it cannot be read
 * @returns {Headline}
 */
export function unreadable(says) {
  const isCut = says.endsWith("found the end");
  return {
    state: "none",
    sentence: t("v.unreadable"),
    ...(isCut ? { detail: t("v.incomplete") } : {}),
    says,
  };
}

/**
 * The operator's reason for a void, and whom it names as the cause.
 * @param {any} voided
 * @returns {string}
 */
export function voidWords({ reason, blame }) {
  const words = t("step.void-says", { reason: apart(String(reason ?? ""), 300) });
  if (typeof blame !== "string") return words;
  return `${words} ${t("step.void-blame", { blame: apart(blame, 64) })}`;
}

/**
 * Whether the time of the reveal is over, by this device's clock: then a receipt without it is old.
 * @param {Dossier | null} dossier
 */
export function isDue(dossier) {
  return Number(dossier?.commit?.reveal_by) < Date.now();
}

/**
 * The words of a state that is not `caught`. Not every fair round has a seed of the reader.
 * @param {"fair" | "unproved"} state
 * @param {readonly object[]} receipts
 * @returns {string}
 */
function stateWords(state, receipts) {
  const isYours = (/** @type {any} */ each) =>
    each.state !== "fair" || each.shown.includes("yours");
  return t(state === "fair" && !receipts.every(isYours) ? "state.fair-beacon" : `state.${state}`);
}

/**
 * What makes a replayed round fair, or what it lacks.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @param {readonly Kept[]} mine
 * @param {boolean} hasLock whether the lock is among the files: if the reader kept it, it is fair
 * @returns {import("./strings.js").Key}
 */
function why({ state, shown, not_shown: missing, contributions }, dossier, mine, hasLock) {
  if (state === "fair")
    return shown.includes("locked-before-beacon") ? "v.before-beacon" : "v.yours";
  if (missing.includes("locked-before-beacon")) return "v.not-before-beacon";
  const isHashed = dossier?.commit?.mixing === "hashes";
  if (contributions === undefined) return isHashed ? "who.nobody-hashed" : "who.nobody";
  if (!shown.includes("yours")) return isHashed ? "v.nothing-kept" : "v.no-mine";
  if (!isHashed) return "v.yours-known";
  const own = mine.filter(({ hash }) => contributions.some((each) => each.hash === hash));
  const hashed = own.filter(({ hash }) => hash !== undefined);
  if (hashed.length === 0) return "v.no-own";
  if (hashed.every(({ given }) => given !== undefined)) return "v.yours-typed";
  return hasLock ? "v.lock-asked" : "v.no-lock";
}

/**
 * Why a receipt that holds has no state.
 * @param {Verdict} verdict
 * @param {Dossier | null} dossier
 * @returns {import("./strings.js").Key}
 */
function whatIsMissing({ shown, not_shown: missing, time }, dossier) {
  // A replayed round has a state, unless it must continue a saved view.
  if (shown.includes("replayed")) return "v.unlinked";
  if (missing.includes("judged")) return "v.foreign";
  if (shown.includes("opened")) return isDue(dossier) ? "v.opened-due" : "v.opened";
  if (missing.includes("beacon") && dossier?.reveal) return "v.beacon";
  if (time !== undefined) return isDue(dossier) ? "v.unrevealed-due" : "v.unrevealed";
  if (dossier?.voided) return "v.voided";
  return dossier?.lock ? "v.locked" : "v.promise";
}

/**
 * @param {Verdicts["receipts"]} receipts
 * @param {(Dossier | null)[]} dossiers
 * @param {number} only the receipt whose lock is looked for
 */
function hasLockOf(receipts, dossiers, only) {
  const receipt = receipts[only];
  return receipts.some(
    (each, i) =>
      "holds" in each &&
      "holds" in receipt &&
      isWithoutDeal(each) &&
      (dossiers[i]?.lock ?? null) !== null &&
      each.commitment === receipt.commitment &&
      each.nonce === receipt.nonce,
  );
}

/**
 * @param {Verdicts} verdicts
 * @param {(Dossier | null)[]} dossiers
 * @param {readonly Kept[]} mine
 * @returns {Headline}
 */
export function headlineOfAll({ state, receipts, findings, error }, dossiers, mine) {
  if (error?.code === "unavailable")
    return { state: "none", sentence: t("v.unlinked"), says: error.says };
  // The kept lock is no question of its own.
  const asked = receipts.flatMap((each, i) => ("holds" in each && isWithoutDeal(each) ? [] : [i]));
  const [only] = receipts.length === 1 ? [0] : asked;
  if (findings.length === 0 && (receipts.length === 1 || asked.length === 1))
    return headlineOf(receipts[only], dossiers[only], mine, hasLockOf(receipts, dossiers, only));
  const n = receipts.length;
  const own = receipts.flatMap((each) => ("findings" in each ? each.findings : []));
  if (state === "caught") return { state, ...caught([...findings, ...own], null) };
  if (state !== undefined)
    return { state, sentence: stateWords(state, receipts), detail: t("v.several", { n }) };
  for (const [i, each] of receipts.entries()) {
    const other = "holds" in each ? otherKeyIn(each, dossiers[i]) : undefined;
    if (other === undefined) continue;
    const { title, means } = meaningOf(other, dossiers[i]);
    return { state: "none", sentence: title, detail: means };
  }
  const sentence = receipts.some((each) => "error" in each && !("holds" in each))
    ? t("v.unreadable-some", { n })
    : t(own.length > 0 ? "v.several-bad" : "v.several-signed", { n });
  return { state: "none", sentence };
}
