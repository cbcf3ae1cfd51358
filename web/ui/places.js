// Who has which card, in the words of a table: places count from 1 here, and have names.

import { groupsOf } from "../fairdeal/layout.js";
import { KINDS, RANKS, compareHands, worth } from "./poker.js";
import { count, isKey, t } from "./strings.js";
import { apart } from "./text.js";

/**
 * @typedef {import("./strings.js").Key} Key
 * @typedef {import("../fairdeal/opening.js").Placed} Placed
 */

/**
 * Whether a board is of 3, 1 and 1 cards: then its streets are flop, turn and river.
 * @param {any} layout
 * @returns {boolean}
 */
export const hasFlop = (layout) => String(layout?.board) === "3,1,1";

/**
 * Whether a commitment deals hold'em: only then are hands compared.
 * @param {any} commit
 * @returns {boolean}
 */
export const isHoldem = (commit) => commit?.layout?.hand === 2 && hasFlop(commit.layout);

/**
 * @param {number} street
 * @param {any} commit
 * @returns {string}
 */
export function streetName(street, commit) {
  if (hasFlop(commit?.layout) && street < 3) return t(/** @type {Key} */ (`street.${street + 1}`));
  return t("street.other", { n: street + 1 });
}

/**
 * A number in words, such as "fifth".
 * @param {number} n from 1
 * @returns {string}
 */
export function nth(n) {
  const key = `nth.${n}`;
  return isKey(key) ? t(key) : t("nth.other", { n });
}

/**
 * Whose card a place is, such as "bob’s second".
 * @param {number} at the place, from 0
 * @param {readonly Placed[] | undefined} placed
 * @param {any} commit
 * @returns {string | null} null if nothing says it
 */
export function placeName(at, placed, commit) {
  const place = placed?.find((each) => each.t === at);
  if (placed === undefined || place === undefined || "nobody" in place) return null;
  if ("burnt" in place) return t("place.burnt", { nth: nth(place.burnt + 1) });
  const { seats, streets } = groupsOf(placed);
  if ("seat" in place) {
    const n = (seats.get(place.seat) ?? []).indexOf(at) + 1;
    return t("place.seat", { seat: apart(place.seat, 64), nth: nth(n) });
  }
  const name = streetName(place.street, commit);
  const among = streets[place.street] ?? [];
  return among.length === 1
    ? t("place.street-only", { street: name })
    : t("place.street", { street: name, nth: nth(among.indexOf(at) + 1) });
}

/**
 * The best five of some cards, in words, such as "a pair of fives".
 * @param {readonly string[]} cards
 * @returns {string | null} null if there are fewer than five, or not only cards of a suit
 */
export function handName(cards) {
  if (cards.length < 5 || cards.some(([rank]) => !RANKS.includes(rank))) return null;
  const best = fives(cards).reduce((a, b) => (compareHands(b, a) === 1 ? b : a));
  const [kind, first, second] = worth(best);
  const name = (/** @type {number} */ rank, /** @type {"rank" | "ranks"} */ many) => {
    const key = `${many}.${RANKS[rank]}`;
    return isKey(key) ? t(key) : RANKS[rank];
  };
  return t(/** @type {Key} */ (`hand.kind.${KINDS[kind]}`), {
    rank: name(first, "rank"),
    ranks: name(first, "ranks"),
    others: second === undefined || second < 0 ? "" : name(second, "ranks"),
  });
}

/**
 * @param {readonly string[]} cards
 * @returns {string[][]} each choice of five
 */
function fives(cards) {
  /** @type {(from: number, taken: string[]) => string[][]} */
  const more = (from, taken) =>
    taken.length === 5
      ? [taken]
      : cards.slice(from).flatMap((card, i) => more(from + i + 1, [...taken, card]));
  return more(0, []);
}

/**
 * @param {number} n
 * @param {boolean} areCards
 * @returns {string} such as "14 cards"
 */
export function howMany(n, areCards) {
  return count(areCards ? "card.count" : "item.count", n);
}
