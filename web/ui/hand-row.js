// A hand in a short list: table, number, state, and small cards.

import { cardsIn, nameOf, suitSign } from "./cards.js";
import { parts, t } from "./strings.js";
import { el, svg, theirs } from "./text.js";

/**
 * @typedef {import("../workers/explore/latest.js").Hand} Hand
 * @typedef {import("./strings.js").Key} Key
 */

/**
 * What this browser found about a hand.
 * @typedef {object} Found
 * @property {"recomputed" | "caught" | "unknown"} state
 * @property {string | null} cards that the judge computed
 * @property {number[] | null} indices
 * @property {number[] | null} places of the board, if there is one
 */

/**
 * @param {Hand} hand
 * @param {string} when
 * @param {Found | null} found
 * @param {{withTable: boolean, click: () => void}} how
 * @returns {HTMLElement}
 */
export function handRow(hand, when, found, { withTable, click }) {
  const { table, nonce, state } = hand;
  const word = found === null || found.state === "unknown" ? state : found.state;
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "hand-row", "data-state": word, click },
      el(
        "span",
        { class: "about" },
        el(
          "strong",
          {},
          withTable
            ? parts("home.hand", { table: theirs(table, 40), n: nonce + 1 })
            : t("home.hand-only", { n: nonce + 1 }),
        ),
        el("span", { class: "soft" }, `${when} · ${t(/** @type {Key} */ (`home.state.${word}`))}`),
      ),
      el("span", { class: "minis" }, minis(hand, found)),
    ),
  );
}

/**
 * @param {Hand} hand
 * @param {Found | null} found
 * @returns {Element[]}
 */
function minis({ cards, indices, places, state }, found) {
  const text = found?.cards ?? cards;
  const at = found?.places ?? places;
  if (state === "locked" || state === "voided") return [];
  if (text !== null) {
    const all = cardsIn(text);
    return at.filter((t) => t < all.length).map((t) => mini(all[t]));
  }
  const items = found?.indices ?? indices;
  if (items !== null)
    return at
      .slice(0, 3)
      .filter((t) => t < items.length)
      .map((t) => el("span", { class: "mini-item" }, `#${items[t] + 1}`));
  return at.map(back);
}

/** @param {string} card */
function mini(card) {
  const [rank, suit] = card;
  const joker = rank === "X";
  const sign = suitSign(joker ? "x" : suit);
  for (const [name, value] of Object.entries({ x: 5, y: 17, width: 14, height: 14 }))
    sign.setAttribute(name, String(value));
  sign.setAttribute("class", joker ? "x" : suit);
  return svg(
    "svg",
    { class: "card mini", viewBox: "0 0 24 34", role: "img", "aria-label": nameOf(card) },
    svg("rect", { class: "face", width: 24, height: 34, rx: 3 }),
    svg(
      "text",
      { class: joker ? "x" : suit, x: 12, y: 15, "text-anchor": "middle" },
      rank === "T" ? "10" : joker ? "J" : rank,
    ),
    sign,
  );
}

function back() {
  return svg(
    "svg",
    { class: "card mini", viewBox: "0 0 24 34", role: "img", "aria-label": t("card.hidden") },
    svg("rect", { class: "face", width: 24, height: 34, rx: 3 }),
    svg("rect", { class: "back", x: 2.5, y: 2.5, width: 19, height: 29, rx: 1.5 }),
    svg("path", { class: "weave", d: "M4 5L20 29M20 5L4 29M12 5L20 17L12 29L4 17z" }),
  );
}
