/**
 * The places of the first cards of a deal, in deal order.
 * @param {Walk} walk
 * @param {Numbers} numbers
 * @param {Digests} digests
 * @param {number} size of the deck
 * @param {number} count of cards; a walk without replacement deals at most the whole deck
 * @returns {number[] | null} at least `count` places if there are so many; null if the scheme has
 *   no answer
 */
export function deal(walk: Walk, numbers: Numbers, digests: Digests, size: number, count: number): number[] | null;
export type Numbers = import("./numbers.js").Numbers;
export type Digests = import("./numbers.js").Digests;
/**
 * `remove` closes the gap of a dealt card, `fill` puts the last card into the gap, `replace` makes
 * no gap; the other two swap cards and deal from the first position.
 */
export type Walk = "remove" | "fill" | "replace" | "backward" | "forward";
