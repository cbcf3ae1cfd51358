// The names of verdicts and columns of other schemes, and their cards.

import { cardRow } from "../cards.js";
import { same } from "../folds.js";
import { isKey, number, t } from "../strings.js";
import { el } from "../text.js";
import { sign } from "../verdict.js";

/**
 * @typedef {import("../../fairdeal/dialects/index.js").Verdict} Verdict
 * @typedef {import("../sentence.js").State} State
 */

/** In the order in which they are counted. @type {Verdict[]} */
export const VERDICTS = [
  "valid",
  "commitment-mismatch",
  "chain-mismatch",
  "result-mismatch",
  "unreadable",
];

/**
 * @param {Verdict} verdict
 * @returns {State}
 */
export function stateOf(verdict) {
  if (verdict === "valid") return "holds";
  if (verdict === "unreadable") return "unreadable";
  return verdict === "not-compared" ? "pending" : "fails";
}

/**
 * A verdict in a word, with its sign.
 * @param {Verdict} verdict
 * @returns {HTMLElement}
 */
export function drawWord(verdict) {
  const state = stateOf(verdict);
  return el("span", { class: `state ${state}` }, sign(state), t(`check.verdict.${verdict}`));
}

/**
 * A text of the library, which is in English.
 * @param {string} text
 * @returns {HTMLElement}
 */
export function english(text) {
  return el("span", { lang: "en" }, text);
}

/** Dialects whose columns have the names of another one. @type {Record<string, string>} */
const LIKE = {
  "bustabit-v2": "bustabit",
  "stake-slide": "stake-crash",
  "duel-castle-roulette": "duel-crash",
};

/**
 * The name of a column: some schemes have another name for it.
 * @param {string} column
 * @param {string} dialect
 * @param {"label" | "hint"} part
 * @returns {string | null}
 */
export function columnText(column, dialect, part) {
  const like = LIKE[dialect] ?? dialect;
  const key = [`check.col.${column}.${like}.${part}`, `check.col.${column}.${part}`].find(isKey);
  return key === undefined
    ? part === "label"
      ? column
      : null
    : t(/** @type {import("../strings.js").Key} */ (key));
}

/**
 * Cards as other operators write them, such as "10H".
 * @param {string[]} cards
 * @param {string} label
 * @returns {HTMLElement}
 */
export function drawCards(cards, label) {
  const ours = cards.map((card) => {
    const joker = /^X([12])$/i.exec(card);
    return joker === null
      ? `${card.slice(0, -1).replace("10", "T").toUpperCase()}${card.slice(-1).toLowerCase()}`
      : `X${joker[1]}`;
  });
  return cardRow({ cards: ours }, { label });
}

/**
 * The shell line that checks the same.
 * @param {string} line
 * @returns {HTMLElement}
 */
export function shellPanel(line) {
  // The section already has the title of this line.
  const [, ...lines] = same([line]);
  return el("section", { class: "panel" }, el("h2", {}, t("check.shell")), lines);
}

/**
 * Links to rows.
 * @param {number[]} rows
 * @param {(row: number) => void} show
 * @returns {HTMLElement | null}
 */
export function rowLinks(rows, show) {
  if (rows.length === 0) return null;
  return el(
    "p",
    { class: "row-links" },
    el("span", { class: "soft small" }, t("check.see")),
    rows.map((row) =>
      el("button", { type: "button", class: "plain", click: () => show(row) }, number(row)),
    ),
  );
}
