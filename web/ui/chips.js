// What the reader gave to the home page, above the verdict. Each can be taken away.

import { originOf } from "./keys.js";
import { t } from "./strings.js";
import { el, theirs } from "./text.js";

/** @typedef {import("./drop.js").GivenFile} GivenFile */

/**
 * The reader's inputs.
 * @typedef {object} Given
 * @property {(GivenFile & {broken?: string})[]} receipts with the reason, if unreadable
 * @property {{name: string, texts: string[]}[]} mine
 * @property {GivenFile | null} since
 * @property {GivenFile | null} list
 * @property {GivenFile | null} policy
 * @property {import("./inputs.js").GivenKey | null} key
 * @property {string | null} named the key that a link has or names
 * @property {string | null} origin of the log that the first receipt claims to be from
 * @property {import("./inputs.js").Brought} brought
 */

/** The maximum number of receipts that are named. */
const MOST_CHIPS = 8;

/**
 * @param {Given} given
 * @param {() => void} changed called when the reader took something away
 * @returns {HTMLElement[]}
 */
export function drawChips(given, changed) {
  /**
   * @param {string} name
   * @param {"receipt" | "unknown" | "key" | "since" | "mine" | "list" | "policy"} kind
   * @param {() => void} remove
   * @param {boolean} [kept]
   */
  const chip = (name, kind, remove, kept = false) =>
    el(
      "li",
      { class: kept ? "kept" : null },
      el(
        "span",
        { class: "chip-text" },
        theirs(name, 60),
        el("span", { class: "soft" }, t(`kind.${kind}`)),
        kept ? el("strong", { class: "tag" }, t("kind.kept")) : null,
      ),
      el(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-label": t("remove", { name }),
          click: () => {
            remove();
            changed();
          },
        },
        "×",
      ),
    );
  return [
    ...given.receipts.slice(0, MOST_CHIPS).map((file) =>
      chip(
        file.name,
        file.broken === undefined ? "receipt" : "unknown",
        () => {
          given.receipts = given.receipts.filter((each) => each !== file);
        },
        file.kept,
      ),
    ),
    ...(given.receipts.length <= MOST_CHIPS
      ? []
      : [el("li", { class: "rest" }, t("and-more", { n: given.receipts.length - MOST_CHIPS }))]),
    ...(given.key === null
      ? []
      : [
          chip(originOf(given.key.text), "key", () => {
            given.key = null;
          }),
        ]),
    ...given.mine.map((file) =>
      chip(
        file.name,
        "mine",
        () => {
          given.mine = given.mine.filter((each) => each !== file);
        },
        true,
      ),
    ),
    ...(given.since === null
      ? []
      : [
          chip(given.since.name, "since", () => {
            given.since = null;
          }),
        ]),
    ...(given.list === null
      ? []
      : [
          chip(given.list.name, "list", () => {
            given.list = null;
          }),
        ]),
    ...(given.policy === null
      ? []
      : [
          chip(given.policy.name, "policy", () => {
            given.policy = null;
          }),
        ]),
  ];
}
