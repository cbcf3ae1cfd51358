// A dealt round on the cloth: the board by streets, and the seats with their cards.

import { drawBack, drawCard, nameOf } from "../cards.js";
import { t } from "../strings.js";
import { el, plain, theirs } from "../text.js";
import { streetName } from "./games.js";

/** @typedef {import("./api.js").Hand} Hand */
/** @typedef {import("./api.js").Shown} Shown */
/** @typedef {import("../text.js").Child} Child */

/** Cards in the order of the deal that are drawn at most. */
const MOST = 60;

/** @param {Shown} card */
const isCard = (card) => card !== null && nameOf(card) !== card;

/** @param {Shown[]} cards @param {string} label */
function row(cards, label) {
  return el(
    "ol",
    { class: "cards", "aria-label": label },
    cards.map((card) =>
      el(
        "li",
        {},
        card === null
          ? drawBack()
          : isCard(card)
            ? drawCard(card)
            : el("span", { class: "item" }, theirs(card, 20)),
      ),
    ),
  );
}

/**
 * @param {Hand} hand
 * @param {import("../../fairdeal/layout.js").Layout | undefined} layout
 * @returns {HTMLElement | null} null without a board
 */
export function drawBoard({ board, rest }, layout) {
  if (rest.length > 0) {
    const shown = rest.slice(0, MOST);
    return el("div", { class: "board" }, row(shown, t("card.title")));
  }
  if (board.length === 0) return null;
  return el(
    "div",
    { class: "board" },
    board.map((cards, i) => {
      const name = streetName(layout, i + 1);
      return el(
        "div",
        { class: "street", "data-street": i + 1 },
        row(cards, name),
        el("span", { class: "caption" }, name),
      );
    }),
  );
}

/**
 * @param {{name: string, cards?: Shown[], mark?: Child, below?: Child | Child[]}[]} seats
 * @returns {HTMLElement | null}
 */
export function drawSeats(seats) {
  if (seats.length === 0) return null;
  return el(
    "ul",
    { class: "table-seats" },
    seats.map(({ name, cards, mark, below }) =>
      el(
        "li",
        {},
        el("span", { class: "seat-name" }, theirs(name, 64), mark),
        cards === undefined ? null : row(cards, t("operator.cards-of", { name: plain(name) })),
        below === undefined ? null : el("div", { class: "row" }, below),
      ),
    ),
  );
}
