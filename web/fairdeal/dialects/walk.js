// Choices put a deck in order, or take cards from it (spec/dialects.md, sections 18 to 21).
//
// A walk gives places of the deck's initial order, not cards.

import { Choices } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */
/** @typedef {import("./numbers.js").Digests} Digests */

/**
 * `remove` closes the gap of a dealt card, `replace` makes no gap; `backward` swaps cards from the
 * last position down, and deals from the first.
 * @typedef {"remove" | "replace" | "backward"} Walk
 */

/**
 * @param {number} size
 * @param {Choices} choices
 * @param {number} count
 * @returns {number[] | null}
 */
function remove(size, choices, count) {
  const left = Array.from({ length: size }, (_, place) => place);
  const dealt = [];
  while (dealt.length < count) {
    const chosen = choices.choose(left.length, dealt.length);
    if (chosen < 0) return null;
    dealt.push(left.splice(chosen, 1)[0]);
  }
  return dealt;
}

/**
 * @param {number} size
 * @param {Choices} choices
 * @param {number} count
 * @returns {number[] | null}
 */
function replace(size, choices, count) {
  const dealt = [];
  while (dealt.length < count) {
    const chosen = choices.choose(size, dealt.length);
    if (chosen < 0) return null;
    dealt.push(chosen);
  }
  return dealt;
}

/**
 * The whole deck, because the first position is settled last.
 * @param {number} size
 * @param {Choices} choices
 * @returns {number[] | null}
 */
function backward(size, choices) {
  const deck = Array.from({ length: size }, (_, place) => place);
  for (let i = size - 1; i >= 1; i--) {
    const j = choices.choose(i + 1, i);
    if (j < 0) return null;
    const held = deck[i];
    deck[i] = deck[j];
    deck[j] = held;
  }
  return deck;
}

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
export function deal(walk, numbers, digests, size, count) {
  const choices = new Choices(numbers, digests);
  if (walk === "replace") return replace(size, choices, count);
  return walk === "remove" ? remove(size, choices, Math.min(count, size)) : backward(size, choices);
}
