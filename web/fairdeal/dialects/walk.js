// Choices put a deck in order, or take cards from it (spec/dialects.md, sections 18 to 21).
//
// A walk gives places of the deck's initial order, not cards: so one walk serves every possible
// order of the deck.

import { Choices } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */
/** @typedef {import("./numbers.js").Digests} Digests */

/**
 * `remove` closes the gap of a dealt card, `fill` puts the last card into the gap, `replace` makes
 * no gap; the other two swap cards and deal from the first position.
 * @typedef {"remove" | "fill" | "replace" | "backward" | "forward"} Walk
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
function fill(size, choices, count) {
  const left = Array.from({ length: size }, (_, place) => place);
  const dealt = [];
  while (dealt.length < count) {
    const chosen = choices.choose(left.length, dealt.length);
    if (chosen < 0) return null;
    dealt.push(left[chosen]);
    left[chosen] = left[left.length - 1];
    left.pop();
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
 * @param {number} size
 * @param {Choices} choices
 * @param {number} count
 * @returns {number[] | null}
 */
function forward(size, choices, count) {
  const deck = Array.from({ length: size }, (_, place) => place);
  for (let i = 0; i < Math.min(count, size - 1); i++) {
    const chosen = choices.choose(size - i, i);
    if (chosen < 0) return null;
    const held = deck[i];
    deck[i] = deck[i + chosen];
    deck[i + chosen] = held;
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
  const most = Math.min(count, size);
  if (walk === "remove") return remove(size, choices, most);
  if (walk === "fill") return fill(size, choices, most);
  return walk === "backward" ? backward(size, choices) : forward(size, choices, most);
}
