// Cards, their forms in rows, and the decks (spec/dialects.md, sections 16.2 and 17.1).
//
// A card is a number: 13 times its suit in the order C D H S, plus its rank in the order A 2 … K.
// The jokers are 52, 53.

import { DECKS } from "../deck.js";
import { Unreadable, shown } from "./unreadable.js";

/** @typedef {number} Card */

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["C", "D", "H", "S"];
const NAMES = [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), "X1", "X2"];

/** @type {Map<string, Card>} every way to write a card, except `HEART:11` */
const WRITTEN = new Map();
for (const [suit, letters] of [
  ["C", "cC♣"],
  ["D", "dD♦"],
  ["H", "hH♥"],
  ["S", "sS♠"],
]) {
  RANKS.forEach((rank, k) => {
    const ranks = rank === "10" ? ["10", "T", "t"] : [rank, rank.toLowerCase()];
    for (const one of ranks)
      for (const letter of letters) WRITTEN.set(one + letter, SUITS.indexOf(suit) * 13 + k);
  });
}
WRITTEN.set("X1", 52).set("x1", 52).set("X2", 53).set("x2", 53);

/** @type {Map<string, Card>} a card of exactly two characters, in one case only */
const JOINED = new Map();
for (const suit of ["c", "d", "h", "s"]) {
  RANKS.forEach((rank, k) =>
    JOINED.set((rank === "10" ? "T" : rank) + suit, "cdhs".indexOf(suit) * 13 + k),
  );
}
JOINED.set("X1", 52).set("X2", 53);

const WORDS = new Map([
  ["CLUB", 0],
  ["DIAMOND", 1],
  ["HEART", 2],
  ["SPADE", 3],
]);

/**
 * @param {Card} card
 * @returns {string} such as `10H`
 */
export function cardText(card) {
  return NAMES[card];
}

/**
 * @param {string} text
 * @returns {Card | null}
 */
function oneCard(text) {
  const card = WRITTEN.get(text);
  if (card !== undefined) return card;
  const word = /^([A-Za-z]+):([1-9]|1[0-3])$/.exec(text);
  const suit = word === null ? undefined : WORDS.get(word[1].toUpperCase());
  return word === null || suit === undefined ? null : suit * 13 + Number(word[2]) - 1;
}

/**
 * The cards of a text with nothing between them.
 * @param {string} text
 * @returns {Card[] | null}
 */
function joinedCards(text) {
  const cards = [];
  for (let at = 0; at < text.length; at += 2) {
    const card = JOINED.get(text.slice(at, at + 2));
    if (card === undefined) return null;
    cards.push(card);
  }
  return cards;
}

/**
 * Whether a text has more than three bytes of UTF-8: a suit's sign alone has three.
 * @param {string} text
 * @returns {boolean}
 */
function isOverThreeBytes(text) {
  let bytes = 0;
  for (let i = 0; i < text.length && bytes <= 3; i++) {
    const unit = text.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return bytes > 3;
}

/**
 * @param {string} text
 * @param {string} column
 * @returns {Card[]}
 */
function cardsOfText(text, column) {
  /** @param {string} found @returns {never} */
  const refuse = (found) => {
    throw new Unreadable(`${column}: expected cards such as 10H, found ${shown(found)}`);
  };
  const parts = text.split(/[ ,]+/).filter((part) => part !== "");
  const [only] = parts;
  if (parts.length === 1 && isOverThreeBytes(only) && !only.includes(":"))
    return joinedCards(only) ?? refuse(only);
  return parts.map((part) => oneCard(part) ?? refuse(part));
}

/**
 * Reads the value of a column of cards: a list of cards, or a text of them.
 * @param {unknown} value
 * @param {string} column
 * @returns {Card[]}
 * @throws {Unreadable}
 */
export function readCards(value, column) {
  if (typeof value === "string") return cardsOfText(value, column);
  if (!Array.isArray(value))
    throw new Unreadable(`${column}: expected cards such as 10H, found ${shown(value)}`);
  return value.map((item) => {
    const card = typeof item === "string" ? oneCard(item) : null;
    if (card === null)
      throw new Unreadable(`${column}: expected cards such as 10H, found ${shown(item)}`);
    return card;
  });
}

/**
 * @param {Card[]} cards
 * @returns {string}
 */
export function cardsText(cards) {
  return cards.map(cardText).join(" ");
}

/**
 * A deck of 52: its suits in order, and whether it is sorted by rank or by suit.
 * @typedef {{suits: string, inner: "suit" | "rank", ace: "low" | "high"}} DeckOrder
 */

/**
 * @param {DeckOrder} order `inner` is the part that changes from each card to the next
 * @returns {Card[]}
 */
export function deckOf({ suits, inner, ace }) {
  const ranks = Array.from({ length: 13 }, (_, k) => (ace === "low" ? k : (k + 1) % 13));
  const places = [...suits].map((suit) => "cdhs".indexOf(suit));
  return inner === "suit"
    ? ranks.flatMap((rank) => places.map((suit) => suit * 13 + rank))
    : places.flatMap((suit) => ranks.map((rank) => suit * 13 + rank));
}

/**
 * Several decks, one after the other.
 * @param {Card[]} deck
 * @param {number} copies
 * @returns {Card[]}
 */
export function repeated(deck, copies) {
  return Array.from({ length: copies }, () => deck).flat();
}

/** @type {DeckOrder} 2D 2H 2S 2C 3D … AC */
export const RANK_MAJOR = { suits: "dhsc", inner: "suit", ace: "high" };

/** @type {DeckOrder} AC 2C … KC AH … KD, of which a shoe has eight */
export const SHOE = { suits: "chsd", inner: "rank", ace: "low" };

/** The named decks of spec/shuffle.md, section 6.1. */
export const NAMED_DECKS = new Map(
  [...DECKS].map(([name, cards]) => [
    name,
    cards.map((card) => /** @type {Card} */ (JOINED.get(card))),
  ]),
);
