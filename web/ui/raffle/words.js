// What the page says of a raffle in one sentence (spec/raffle.md, section 38).

import { accusation, meaningOf } from "../sentence.js";
import { isKey, locale, t, time } from "../strings.js";
import { apart } from "../text.js";

/**
 * @typedef {import("../../workers/raffle.js").RaffleAnswer} RaffleAnswer
 * @typedef {import("../../workers/raffle.js").RaffleFacts} RaffleFacts
 * @typedef {import("../../fairdeal/index.js").RaffleVerdict} RaffleVerdict
 * @typedef {import("../strings.js").Key} Key
 */

/**
 * @typedef {object} Headline
 * @property {"fair" | "unproved" | "caught" | "none" | "pending"} state
 * @property {string} sentence
 * @property {string} [detail]
 * @property {boolean} [isUsual] whether this is what everybody is told who was not there before: no
 *   warning
 * @property {string} [says] of the checking program
 */

const days = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
/** A day and an hour, with the name of its zone. @type {Intl.DateTimeFormatOptions} */
const ZONED = {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
};
const short = new Intl.DateTimeFormat(locale, ZONED);
const weekdays = new Intl.DateTimeFormat(locale, { ...ZONED, weekday: "long" });
const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const ordinals = new Intl.PluralRules(locale, { type: "ordinal" });

/** @param {Intl.DateTimeFormat} format */
const by = (format) => (/** @type {number} */ milliseconds) => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : format.format(date);
};
export const dayAndHour = by(days);
export const when = by(short);
export const weekday = by(weekdays);
export const date = by(dates);

/**
 * A place among the winners, such as "1st".
 * @param {number} n from 1
 */
export const place = (n) => t(/** @type {Key} */ (`raffle.nth.${ordinalOf(n)}`), { n: String(n) });

/** @param {number} n */
function ordinalOf(n) {
  const found = ordinals.select(n);
  return isKey(`raffle.nth.${found}`) ? found : "other";
}

/**
 * The sentence of a verdict.
 * @param {RaffleVerdict} verdict
 * @param {number} now in milliseconds
 * @param {object} reader
 * @param {boolean} reader.isGiven whether the reader gave what was kept, and this browser did not keep it
 * @param {boolean} reader.hasMessage whether the reader says that an older message has the number
 * @returns {Headline}
 */
export function headlineOf(verdict, now, { isGiven, hasMessage }) {
  const { state, findings } = verdict;
  const [worst] = findings.filter(({ accuses }) => accuses === "operator");
  if (state === "caught" && worst !== undefined) {
    const what = meaningOf(worst, null).title;
    const inside = what.charAt(0).toLowerCase() + what.slice(1);
    return { state, sentence: t("state.caught", { what: inside }), detail: accusation(worst) };
  }
  if (state === "fair") {
    const isKept = verdict.shown.includes("kept-before-beacon");
    const detail = t(isKept ? "raffle.not-only" : "raffle.not-only-audit");
    // Only the reader knows when they got their copy.
    const isIf = isGiven && !verdict.shown.includes("locked-before-beacon");
    return isIf
      ? { state, sentence: t("raffle.fair-if"), detail: t("raffle.fair-if-says") }
      : { state, sentence: t("raffle.fair"), detail };
  }
  if (state === "unproved") {
    const why = verdict.not_shown.includes("kept-before-beacon")
      ? "raffle.unproved-kept-other"
      : verdict.policy !== undefined
        ? "raffle.unproved-witnesses"
        : "raffle.unproved-says";
    const isUsual = why === "raffle.unproved-says";
    if (isUsual && hasMessage)
      return {
        state: "fair",
        sentence: t("raffle.fair-message"),
        detail: t("raffle.fair-message-says"),
      };
    return { state, sentence: t("raffle.unproved"), detail: t(why), isUsual };
  }
  return { state: "none", ...missing(verdict, now) };
}

/**
 * What is missing for a state.
 * @param {RaffleVerdict} verdict
 * @param {number} now
 * @returns {Omit<Headline, "state">}
 */
function missing({ findings, shown, beacon, has_seed, error, ...verdict }, now) {
  if (error !== undefined) {
    // Without WebCrypto no signature is checked.
    const detail = isSecureContext ? {} : { detail: t("raffle.v.needs-https") };
    return { sentence: t("raffle.v.refused"), ...detail, says: error.says };
  }
  if (findings.length > 0 || !shown.includes("logged")) {
    const [found] = findings;
    const isKeys = found === undefined || /^(bad-signature|tree-mismatch)$/.test(found.code);
    return isKeys
      ? { sentence: t("raffle.v.not-signed"), detail: t("raffle.v.not-signed-says") }
      : { sentence: meaningOf(found, null).title, detail: accusation(found) };
  }
  const out = beacon?.out;
  if (verdict.void !== undefined) {
    const isAfter = out !== undefined && verdict.void >= 1000 * out;
    const sentence = t(isAfter ? "raffle.v.void-after" : "raffle.v.void-before", {
      when: time(verdict.void),
    });
    return {
      sentence,
      ...(verdict.drawn === undefined ? {} : { detail: t("raffle.v.void-says") }),
    };
  }
  if (beacon === undefined) return { sentence: t("raffle.v.no-lock") };
  if (out === undefined)
    return { sentence: t("raffle.v.no-chain"), detail: t("raffle.v.no-chain-says") };
  if (now < 1000 * out) return { sentence: t("raffle.v.to-come") };
  if (beacon.signature === undefined) return { sentence: t("raffle.v.no-number") };
  if (!has_seed) return { sentence: t("raffle.v.no-seed"), detail: t("raffle.v.no-seed-says") };
  return { sentence: t("raffle.v.no-lock") };
}

/**
 * The sentence of an input that the worker refused.
 * @param {Error & {code?: string}} error
 * @param {Key} [otherList] what a list is that is not the raffle's
 * @returns {Headline}
 */
export function refusal({ code = "", message: says }, otherList = "raffle.v.other-list") {
  const isChanged = otherList === "raffle.v.changed-list";
  /** @type {Record<string, Key>} */
  const sentences = {
    unavailable: "raffle.v.unreadable",
    "list-mismatch": otherList,
    list: "raffle.v.other-list",
    beacon: "raffle.v.other-number",
    policy: "policy.refused",
    "other-raffle": "raffle.v.other-raffle",
  };
  /** @type {Record<string, Key>} */
  const details = {
    "list-mismatch": isChanged ? "raffle.v.changed-list-says" : "raffle.v.other-list-says",
    list: "raffle.v.no-list-form",
    unavailable: "raffle.v.unreadable-says",
  };
  const detail = code in details ? { detail: t(details[code]) } : {};
  const state = code === "list-mismatch" && isChanged ? "unproved" : "none";
  return { state, sentence: t(sentences[code] ?? "raffle.v.refused"), ...detail, says };
}

/**
 * Why an answer has not the number of a round.
 * @param {import("../../workers/raffle.js").FoundNumber} found
 * @param {number} round
 * @param {string} came the answer's beginning
 * @returns {string | null} null if it has
 */
export function numberFault(found, round, came) {
  if (found.is === "right") return null;
  return t(`raffle.number.${found.is}`, {
    round: String(round),
    other: found.is === "other" ? String(found.round) : "",
    came: apart(came.trim(), 60),
  });
}

/**
 * What a reader does who had another raffle before.
 * @param {RaffleFacts} facts
 * @param {import("./stage.js").OtherRaffle} other
 */
export const otherSays = ({ number }, { number: other, title, out, void: time }) =>
  t(time === null ? "raffle.other-says" : "raffle.other-void-says", {
    title: apart(title ?? t("raffle.untitled"), 200),
    when: out === null ? "?" : when(1000 * out),
    void: time === null ? "" : when(time),
    number,
    other,
  });
