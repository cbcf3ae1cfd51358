// The two methods (spec/shuffle.md, section 5).

import { MOST_WAYS, choose } from "./below.js";
import { Refused, shown } from "./refused.js";

/** @typedef {"shuffle" | "cycle"} Method */

/**
 * Called for each swap.
 * @callback Watch
 * @param {number} i the higher position
 * @param {number} j the chosen position
 * @param {Uint32Array} order after the swap
 * @returns {void}
 */

/**
 * Refuses an invalid method, number of items or draw.
 * @param {unknown} method
 * @param {unknown} items
 * @param {unknown} draw
 * @throws {Refused} `method`, `items` or `draw`
 */
export function checkDraw(method, items, draw) {
  if (method !== "shuffle" && method !== "cycle") {
    throw new Refused("method", `a method is "shuffle" or "cycle"; found ${shown(method)}`);
  }
  const least = method === "cycle" ? 2 : 1;
  if (typeof items !== "number" || !Number.isInteger(items) || items < least || items > MOST_WAYS) {
    throw new Refused("items", `${method} takes ${least} to 2^20 items; found ${shown(items)}`);
  }
  if (typeof draw !== "number" || !Number.isInteger(draw) || draw < 1 || draw > items) {
    throw new Refused("draw", `of ${items} items 1 to ${items} can be drawn; found ${shown(draw)}`);
  }
  if (method === "cycle" && draw !== items) {
    throw new Refused("draw", `a cycle draws all ${items} items; found ${draw}`);
  }
}

// Small decks share one array: creating an array takes longer than filling it.
const small = new Uint32Array(416);

/**
 * The deal: the numbers of the items drawn, in deal order.
 * @param {Method} method
 * @param {number} items
 * @param {number} draw
 * @param {{next(): number}} words
 * @param {Watch} [watch]
 * @returns {Uint32Array}
 * @throws {Refused}
 */
export function order(method, items, draw, words, watch) {
  checkDraw(method, items, draw);
  const a =
    method === "shuffle" && watch === undefined && items <= small.length
      ? small
      : new Uint32Array(items);
  for (let i = 0; i < items; i++) a[i] = i;
  return method === "cycle" ? cycle(a, words, watch) : shuffle(a, items, draw, words, watch);
}

/**
 * @param {Uint32Array} a 0, 1, …
 * @param {number} items
 * @param {number} draw
 * @param {{next(): number}} words
 * @param {Watch} [watch]
 * @returns {Uint32Array}
 */
function shuffle(a, items, draw, words, watch) {
  const dealt = new Uint32Array(draw);
  for (let t = 0; t < draw; t++) {
    const i = items - 1 - t;
    const j = choose(i + 1, words);
    const settled = a[j];
    a[j] = a[i];
    a[i] = settled;
    dealt[t] = settled;
    if (watch !== undefined) watch(i, j, a);
  }
  return dealt;
}

/**
 * @param {Uint32Array} a 0, 1, …
 * @param {{next(): number}} words
 * @param {Watch} [watch]
 * @returns {Uint32Array}
 */
function cycle(a, words, watch) {
  for (let i = a.length - 1; i >= 1; i--) {
    // One choice less than in a shuffle: position i itself is not among the choices, so nobody
    // keeps their own place.
    const j = choose(i, words);
    const held = a[j];
    a[j] = a[i];
    a[i] = held;
    if (watch !== undefined) watch(i, j, a);
  }
  return a;
}
