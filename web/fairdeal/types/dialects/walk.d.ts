/**
 * The places of the first cards of a deal, in deal order.
 * @param {Walk} walk
 * @param {Numbers} numbers
 * @param {Digests} digests
 * @param {number} size of the deck
 * @param {number} count of cards; a walk that does not replace deals no more than the deck has
 * @returns {number[] | null} at least `count` of them where there are as many; null where the scheme has no answer
 */
export function deal(walk: Walk, numbers: Numbers, digests: Digests, size: number, count: number): number[] | null;
export type Numbers = import("./numbers.js").Numbers;
export type Digests = import("./numbers.js").Digests;
/**
 * `remove` closes the gap that a dealt card leaves, `fill` puts the last card into it, `replace` leaves none; the other
 * two swap cards and deal from the first position.
 */
export type Walk = "remove" | "fill" | "replace" | "backward" | "forward";
