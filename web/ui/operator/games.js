// The games that a promise can be made for, and the names of their streets.

import { hasFlop } from "../places.js";
import { count, t } from "../strings.js";

/** @typedef {import("../../fairdeal/layout.js").Layout} Layout */

const BOARD = { board: [3, 1, 1], burn: true };

/** @type {Record<string, {deck: string, cards: number, layout: Layout}>} `cards`: of the deck */
export const GAMES = {
  holdem: { deck: "standard-52", cards: 52, layout: { hand: 2, ...BOARD } },
  omaha: { deck: "standard-52", cards: 52, layout: { hand: 4, ...BOARD } },
  "short-deck": { deck: "short-36", cards: 36, layout: { hand: 2, ...BOARD } },
};

/** The cards of the board and those burnt before its streets. */
const MIDDLE = 8;

/** @param {string} game @param {number} seats @returns {number} how many cards a round deals */
export const drawOf = (game, seats) => seats * GAMES[game].layout.hand + MIDDLE;

/** @param {string} game @returns {number} the most seats */
export const seatsOf = (game) => Math.floor((GAMES[game].cards - MIDDLE) / GAMES[game].layout.hand);

/** @param {{layout?: Layout, deck: unknown}} terms @returns {string | undefined} */
export function gameOf({ layout, deck }) {
  return Object.keys(GAMES).find(
    (name) => GAMES[name].deck === deck && isLike(GAMES[name].layout, layout),
  );
}

/** @param {Layout} one @param {Layout | undefined} other */
function isLike(one, other) {
  return (
    one.hand === other?.hand &&
    String(one.board) === String(other?.board) &&
    one.burn === (other?.burn === true)
  );
}

/** @param {{layout?: Layout, deck: unknown, draw: number}} terms @returns {string} */
export function gameName(terms) {
  const game = gameOf(terms);
  return game === undefined
    ? count("card.count", terms.draw)
    : t(/** @type {import("../strings.js").Key} */ (`operator.game.${game}`));
}

/**
 * @param {Layout | undefined} layout
 * @param {number} street counted from 1
 * @returns {string}
 */
export function streetName(layout, street) {
  return hasFlop(layout)
    ? t(/** @type {import("../strings.js").Key} */ (`operator.street.${street}`))
    : t("operator.street", { n: street });
}
