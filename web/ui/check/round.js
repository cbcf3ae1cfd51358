// The verdict on one round: the outcome of the seeds, whether the commitment opens, and possible
// confusions.

import { cellText } from "../../fairdeal/dialects/game.js";
import { t } from "../strings.js";
import { el, quoted, section } from "../text.js";
import { sign } from "../verdict.js";
import { drawDiagnosis } from "./file.js";
import { drawLimits } from "./limits.js";
import { drawCards, english, shellPanel } from "./words.js";

/**
 * @typedef {import("../../workers/check.js").RoundAnswer} RoundAnswer
 * @typedef {import("../sentence.js").Headline} Headline
 */

/**
 * @param {RoundAnswer} answer
 * @returns {Headline}
 */
export function roundHeadline({ rows: [{ verdict, says, opens }] }) {
  if (verdict === "valid")
    return {
      // Without a promise nothing shows that the seed was fixed before the round.
      state: opens === "yes" ? "holds" : "unproved",
      sentence: t(opens === "yes" ? "check.round-valid" : "check.round-follows"),
      says,
    };
  if (verdict === "not-compared") {
    if (opens === "no")
      return { state: "fails", sentence: t("check.round.commitment-mismatch"), says };
    return { state: "pending", sentence: t("check.round-given"), says };
  }
  return {
    state: verdict === "unreadable" ? "unreadable" : "fails",
    sentence: t(`check.round.${verdict}`),
    says,
  };
}

/**
 * @param {RoundAnswer} answer
 * @param {Record<string, unknown>} row
 * @returns {HTMLElement}
 */
export function drawRound(
  { dialect, rows: [round], would_verify: diagnosis, cannot_show: limits },
  row,
) {
  const { outcome, opens, follows, notes = [] } = round;
  /** @type {(HTMLElement | null)[]} */
  const facts = [
    opens === undefined
      ? null
      : fact(
          opens === "yes" ? "holds" : opens === "no" ? "fails" : "pending",
          t(`check.opens.${opens}`),
        ),
    follows === undefined
      ? null
      : fact(follows ? "holds" : "fails", t(follows ? "check.follows" : "check.follows-not")),
  ];
  return el(
    "div",
    { class: "stack" },
    outcome === undefined && opens === undefined
      ? null
      : section(
          t("check.outcome"),
          ...(outcome === undefined
            ? []
            : drawOutcome(outcome, limits.bias.kind === "multiplier" || PAYS.test(dialect))),
          el("ul", { class: "facts-list" }, facts),
          notes.length === 0
            ? null
            : el(
                "div",
                { class: "note" },
                el("h3", {}, t("check.notes")),
                el(
                  "ul",
                  { class: "bullets" },
                  notes.map((note) => el("li", {}, english(note))),
                ),
              ),
        ),
    diagnosis === undefined ? null : drawDiagnosis(diagnosis, null),
    drawLimits(limits),
    shellPanel(shellLine(dialect, row)),
  );
}

/** Games of a number whose result is a multiplier. */
const PAYS = /-(?:plinko|wheel)$/;

/**
 * @param {{[column: string]: unknown}} outcome
 * @param {boolean} isMultiplier
 * @returns {HTMLElement[]}
 */
function drawOutcome({ cards, result, ...columns }, isMultiplier) {
  if (cards !== undefined) return [drawCards(/** @type {string[]} */ (cards), t("check.outcome"))];
  if (result !== undefined)
    return [el("p", { class: "multiplier" }, isMultiplier ? `${result} ×` : String(result))];
  return Object.entries(columns).map(([column, value]) =>
    el(
      "p",
      {},
      el("span", { class: "soft" }, `${t(/** @type {any} */ (`check.col.${column}.label`))} `),
      el("b", {}, cellText(value)),
    ),
  );
}

/**
 * @param {"holds" | "fails" | "pending"} state
 * @param {string} text
 */
function fact(state, text) {
  return el("li", { class: `state ${state}` }, sign(state), text);
}

/** The columns that have an option of the command. @type {Record<string, string>} */
const OPTIONS = {
  server_seed: "--server-seed",
  client_seed: "--client-seed",
  nonce: "--nonce",
  commitment: "--commitment",
  cards: "--expect",
  result: "--expect",
  numbers: "--expect",
  rolls: "--expect",
  symbols: "--expect",
  floors: "--expect",
  slot: "--expect",
};

/**
 * @param {string} dialect
 * @param {Record<string, unknown>} row
 * @returns {string}
 */
export function shellLine(dialect, row) {
  const options = Object.entries(row).map(([column, value]) => {
    const text = Array.isArray(value) ? value.join(" ") : String(value);
    return OPTIONS[column] === undefined
      ? `--with ${word(`${column}=${text}`)}`
      : `${OPTIONS[column]} ${word(text)}`;
  });
  return ["fairdeal check", dialect, ...options].join(" ");
}

/**
 * A word of the shell line. A word that begins with a dash is not a file name here.
 * @param {string} text
 */
function word(text) {
  return text.startsWith("-") ? `'${text.replaceAll("'", "'\\''")}'` : quoted(text);
}
