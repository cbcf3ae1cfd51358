// The cards of each seat (spec/ledger.md, section 8.7).

/**
 * @typedef {object} Layout
 * @property {number} hand how many cards each seat gets
 * @property {number[]} [board] how many cards each street has
 * @property {boolean} [burn] whether a card is burnt before each street
 */

/**
 * The place of a dealt item: a seat, a street, the burnt cards, or nobody.
 * @typedef {{seat: number, card: number} | {street: number} | {burnt: number} | null} Place
 */

/**
 * Whether a layout has room for a number of seats.
 * @param {Layout} layout
 * @param {number} draw
 * @param {number} seats
 * @returns {boolean}
 */
export function hasRoom(layout, draw, seats) {
  const streets = layout.board ?? [];
  const burnt = layout.burn === true ? streets.length : 0;
  return seats * layout.hand + burnt + streets.reduce((sum, cards) => sum + cards, 0) <= draw;
}

/**
 * The place of the item dealt t-th.
 * @param {Layout} layout
 * @param {number} seats how many
 * @param {number} t
 * @returns {Place}
 */
export function placeOf(layout, seats, t) {
  const hands = seats * layout.hand;
  if (t < hands) return { seat: t % seats, card: Math.floor(t / seats) };
  let left = t - hands;
  for (const [street, cards] of (layout.board ?? []).entries()) {
    if (layout.burn === true) {
      if (left === 0) return { burnt: street };
      left--;
    }
    if (left < cards) return { street };
    left -= cards;
  }
  return null;
}

/**
 * The places of a deal, by who has them.
 * @typedef {object} Groups
 * @property {Map<string, number[]>} seats
 * @property {number[][]} streets with a hole where no card of a street is among the places
 * @property {number[]} burnt
 * @property {number[]} nobody
 */

/**
 * @param {readonly import("./opening.js").Placed[]} placed
 * @returns {Groups} each in the order of `placed`
 */
export function groupsOf(placed) {
  /** @type {Groups} */
  const groups = { seats: new Map(), streets: [], burnt: [], nobody: [] };
  for (const each of placed) {
    if ("seat" in each) {
      const at = groups.seats.get(each.seat) ?? [];
      groups.seats.set(each.seat, at);
      at.push(each.t);
    } else if ("street" in each) (groups.streets[each.street] ??= []).push(each.t);
    else groups["burnt" in each ? "burnt" : "nobody"].push(each.t);
  }
  return groups;
}
