// The forms of results, and the results that no seed can give (spec/ledger.md, section 8.5).

import { toHex, u32 } from "./bytes.js";
import { deckCards, itemsOf, kindText, kindsOf, readCards } from "./deck.js";
import { Sha256 } from "./sha256.js";

/** @typedef {import("./deck.js").ListDeck} ListDeck */

/**
 * One of four forms. The verdict on a receipt has the same members.
 * @typedef {{cards?: string, indices?: number[], digest?: string, seal?: string}} Result
 */

/**
 * The terms of a commit that decide its deals.
 * @typedef {object} Terms
 * @property {import("./shuffle.js").Method} method
 * @property {string | ListDeck} deck
 * @property {number} draw
 * @property {boolean} sealed
 */

/** A longer list is logged as a digest. */
export const MOST_INDICES = 1000;

/**
 * The form in which a deal's result is logged.
 * @param {Terms} terms
 * @returns {"cards" | "indices" | "digest" | "seal"}
 */
export function formOf({ sealed, deck, draw }) {
  if (sealed) return "seal";
  if (typeof deck === "string") return "cards";
  return draw <= MOST_INDICES ? "indices" : "digest";
}

/**
 * The digest of the numbers of the items.
 * @param {ArrayLike<number>} dealt
 * @returns {string} hexadecimal
 */
export function digestOf(dealt) {
  const hash = new Sha256();
  const piece = new Uint8Array(4096);
  for (let at = 0; at < dealt.length; at += 1024) {
    const end = Math.min(at + 1024, dealt.length);
    for (let i = at; i < end; i++) piece.set(u32(dealt[i]), 4 * (i - at));
    hash.update(piece.subarray(0, 4 * (end - at)));
  }
  return toHex(hash.digest());
}

/**
 * The text of a deal.
 * @param {string} deck
 * @param {ArrayLike<number>} dealt
 * @returns {string}
 */
export function cardText(deck, dealt) {
  const cards = deckCards(deck);
  let text = "";
  for (let t = 0; t < dealt.length; t++) text += cards[dealt[t]];
  return text;
}

/**
 * Why no seed gives this result, or null if some seed may.
 * @param {Result} result
 * @param {Terms} terms
 * @returns {string | null}
 */
export function impossible(result, terms) {
  const form = formOf(terms);
  if (result[form] === undefined)
    return `the result has the form "${Object.keys(result)[0]}", the commit requires "${form}"`;
  if (form === "cards" && result.cards !== undefined) return impossibleCards(result.cards, terms);
  if (form === "indices" && result.indices !== undefined)
    return impossibleIndices(result.indices, terms);
  return null;
}

// The number of cards of each kind left in the deck. One array for all deals: creating an array
// takes longer than filling it.
const left = new Uint8Array(54);

/**
 * @param {string} text
 * @param {Terms} terms
 * @returns {string | null}
 */
function impossibleCards(text, { deck, draw, method }) {
  const dealt = readCards(text) ?? new Uint8Array(0);
  if (dealt.length !== draw)
    return `the result has ${dealt.length} cards, the commit draws ${draw}`;
  const kinds = kindsOf(String(deck));
  left.fill(0);
  for (let i = 0; i < kinds.length; i++) left[kinds[i]]++;
  for (let t = 0; t < draw; t++) {
    const kind = dealt[t];
    if (left[kind] === 0)
      return `the deck has no ${kinds.includes(kind) ? "further " : ""}${kindText(kind)}`;
    left[kind]--;
  }
  if (method === "cycle" && !connected(kinds, dealt)) return "the cards are not one cycle";
  return null;
}

/**
 * @param {number[]} dealt
 * @param {Terms} terms
 * @returns {string | null}
 */
function impossibleIndices(dealt, { deck, draw, method }) {
  if (dealt.length !== draw)
    return `the result has ${dealt.length} items, the commit draws ${draw}`;
  const items = itemsOf(deck);
  const seen = new Set();
  for (const item of dealt) {
    if (item >= items) return `item ${item} is dealt, and the list has ${items}`;
    if (seen.has(item)) return `item ${item} is dealt twice`;
    seen.add(item);
  }
  if (method === "cycle" && !connected([...dealt.keys()], dealt))
    return "the items are not one cycle";
  return null;
}

/**
 * Whether the edges from each position's item to the item dealt there join all items.
 * @param {ArrayLike<number>} from
 * @param {ArrayLike<number>} to as many
 * @returns {boolean}
 */
function connected(from, to) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  /** @param {number} item @returns {number} */
  const root = (item) => {
    let at = item;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) at = up;
    return at;
  };
  let groups = new Set(Array.from(from)).size;
  for (let position = 0; position < from.length; position++) {
    const [a, b] = [root(from[position]), root(to[position])];
    if (a === b) continue;
    parents.set(a, b);
    groups--;
  }
  return groups === 1;
}

/**
 * Whether pairs of a place and its item close a cycle of fewer than `items` edges: no deal of
 * method `cycle` has one.
 * @param {ReadonlyMap<number, number>} pairs
 * @param {number} items
 * @returns {boolean}
 */
export function closesEarly(pairs, items) {
  const visited = new Set();
  for (const start of pairs.keys()) {
    let edges = 0;
    // No item is opened twice, so a path that meets an older path does not return to its start.
    for (
      let at = /** @type {number | undefined} */ (start);
      at !== undefined && !visited.has(at);
      edges++
    ) {
      visited.add(at);
      at = pairs.get(at);
      if (at === start && edges + 1 < items) return true;
    }
  }
  return false;
}
