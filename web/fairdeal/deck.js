// Named decks and lists (spec/shuffle.md, section 6).

import { isHex, textOrNull, toHex } from "./bytes.js";
import { MOST_WAYS } from "./below.js";
import { expectBytes } from "./expected.js";
import { Refused, shown } from "./refused.js";
import { sha256 } from "./sha256.js";

/**
 * A list by its number of lines and the SHA-256 of its file.
 * @typedef {object} ListDeck
 * @property {number} count
 * @property {string} sha256 hexadecimal
 */

/**
 * @param {string} ranks
 * @returns {string[]}
 */
function suits(ranks) {
  return [..."cdhs"].flatMap((suit) => [...ranks].map((rank) => rank + suit));
}

const STANDARD = suits("23456789TJQKA");

/**
 * @param {number} decks
 * @returns {readonly string[]}
 */
function copies(decks) {
  return Array.from({ length: decks }, () => STANDARD).flat();
}

/**
 * The cards of each named deck, in its initial order.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
export const DECKS = new Map([
  ["standard-52", STANDARD],
  ["standard-52x2", copies(2)],
  ["standard-52x4", copies(4)],
  ["standard-52x6", copies(6)],
  ["standard-52x8", copies(8)],
  ["short-36", suits("6789TJQKA")],
  ["jokers-54", [...STANDARD, "X1", "X2"]],
]);

/** Every card of any named deck; its index here is its kind. */
const KINDS = DECKS.get("jokers-54") ?? [];

/** The kind of each pair of ASCII characters, or -1. */
const KIND_OF = new Int8Array(1 << 14).fill(-1);
KINDS.forEach((card, kind) => {
  KIND_OF[(card.charCodeAt(0) << 7) | card.charCodeAt(1)] = kind;
});

/** @type {ReadonlyMap<string, Uint8Array>} */
const DECK_KINDS = new Map(
  [...DECKS].map(([name, cards]) => [name, Uint8Array.from(cards, (card) => KINDS.indexOf(card))]),
);

/**
 * The kind of each card of a named deck: copies of a card are of one kind.
 * @param {string} name
 * @returns {Uint8Array}
 */
export function kindsOf(name) {
  return DECK_KINDS.get(name) ?? new Uint8Array(0);
}

/**
 * A kind's text.
 * @param {number} kind
 * @returns {string}
 */
export function kindText(kind) {
  return KINDS[kind];
}

/**
 * The cards of a named deck.
 * @param {unknown} name
 * @returns {readonly string[]}
 * @throws {Refused} `deck`
 */
export function deckCards(name) {
  const cards = typeof name === "string" ? DECKS.get(name) : undefined;
  if (cards === undefined)
    throw new Refused(
      "deck",
      `a deck is one of ${[...DECKS.keys()].join(", ")}; found ${shown(name)}`,
    );
  return cards;
}

/**
 * How many items a deck has.
 * @param {string | ListDeck} deck
 * @returns {number}
 * @throws {Refused} `deck` or `items`
 */
export function itemsOf(deck) {
  if (typeof deck === "string") return deckCards(deck).length;
  if (typeof deck !== "object" || deck === null)
    throw new Refused("deck", `a deck is a name or a list; found ${shown(deck)}`);
  if (!isCount(deck.count))
    throw new Refused("items", `a list has 1 to 2^20 items; found ${shown(deck.count)}`);
  return deck.count;
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
export function isCount(value) {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MOST_WAYS;
}

/**
 * The kinds of the cards in a result's text, or null if it is not one or more cards of some named
 * deck.
 * @param {unknown} text
 * @returns {Uint8Array | null}
 */
export function readCards(text) {
  if (typeof text !== "string" || text.length === 0 || text.length % 2 !== 0) return null;
  const kinds = new Uint8Array(text.length / 2);
  for (let i = 0; i < kinds.length; i++) {
    const [rank, suit] = [text.charCodeAt(2 * i), text.charCodeAt(2 * i + 1)];
    const kind = rank < 128 && suit < 128 ? KIND_OF[(rank << 7) | suit] : -1;
    if (kind < 0) return null;
    kinds[i] = kind;
  }
  return kinds;
}

/**
 * The items of a list's file.
 * @param {Uint8Array} bytes
 * @returns {string[]}
 * @throws {Refused} `list`
 */
export function readList(bytes) {
  expectBytes("readList(bytes)", "bytes, a list's file", bytes);
  const text = textOrNull(bytes);
  if (text === null) throw new Refused("list", "a list is UTF-8; this file is not");
  if (text.startsWith("\ufeff"))
    throw new Refused("list", "a list has no byte order mark; this file begins with one");
  const cr = text.indexOf("\r");
  if (cr >= 0) throw new Refused("list", `a list has no CR; found one after ${cr} characters`);
  if (!text.endsWith("\n"))
    throw new Refused("list", "each line of a list is ended by LF; the last one is not");
  const lines = text.slice(0, -1).split("\n");
  const empty = lines.indexOf("");
  if (empty >= 0) throw new Refused("list", `a list has no empty line; line ${empty + 1} is empty`);
  if (lines.length > MOST_WAYS)
    throw new Refused("list", `a list has 1 to 2^20 items; found ${lines.length}`);
  return lines;
}

/**
 * The items of a list's file, if it is the list that a deck names.
 * @param {Uint8Array} bytes
 * @param {ListDeck} deck
 * @returns {string[]}
 * @throws {Refused} `list` or `list-mismatch`
 */
export function readListOf(bytes, deck) {
  const items = readList(bytes);
  const digest = toHex(sha256(bytes));
  if (items.length !== deck.count || digest !== deck.sha256) {
    throw new Refused(
      "list-mismatch",
      `expected the list of ${deck.count} items with SHA-256 ${deck.sha256}; this one has ${items.length}, and ${digest}`,
    );
  }
  return items;
}

/**
 * Whether a value names a deck, as the grammar of a commit asks.
 * @param {unknown} value
 * @returns {value is string | ListDeck}
 */
export function isDeck(value) {
  if (typeof value === "string") return DECKS.has(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const deck = /** @type {Record<string, unknown>} */ (value);
  return Object.keys(deck).length === 2 && isCount(deck.count) && isHex(deck.sha256, 32);
}
