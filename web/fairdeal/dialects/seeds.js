// Seeds as bytes: decoded, or as text (spec/dialects.md, conventions).

import { fromHex, utf8 } from "../bytes.js";
import { Unreadable } from "./unreadable.js";
import { hmacDigests } from "./numbers.js";
import { deal } from "./walk.js";
import { deckOf, repeated } from "./cards.js";

/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./round.js").Memory} Memory */
/** @typedef {import("./round.js").Outcome} Outcome */
/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./columns.js").Cells} Cells */

/**
 * The bytes of hexadecimal in either case.
 * @param {string} text
 * @returns {Uint8Array | null} null if it is not hexadecimal
 */
export function decoded(text) {
  return text.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(text) ? fromHex(text.toLowerCase()) : null;
}

/**
 * The bytes with which a seed enters the HMAC.
 * @param {string} seed
 * @param {Scheme["seed"]} form
 * @returns {Uint8Array | null} null if it cannot be read in this form
 */
export function seedBytes(seed, form) {
  return form === "decoded" ? decoded(seed) : utf8(seed);
}

/**
 * Cards follow only from a row with a client seed and a nonce.
 * @param {Cells} _cells
 * @param {Round} round
 */
export function requireSeeds(_cells, round) {
  requireClient(_cells, round);
  if (round.nonce === null)
    throw new Unreadable("nonce: expected a whole number from 0 to 2^53 - 1, found nothing");
}

/**
 * @param {Cells} _cells
 * @param {Round} round
 */
export function requireClient(_cells, round) {
  if (round.clientSeed === null)
    throw new Unreadable("client_seed: expected the client seed, found nothing");
}

/** @type {Map<string, number[]>} */
const decks = new Map();

/**
 * The deck of a scheme; made once, because a file has thousands of rows.
 * @param {Scheme} scheme
 * @returns {number[]}
 */
export function schemeDeck(scheme) {
  const { deck, copies } = /** @type {Required<Scheme>} */ (scheme);
  const name = `${deck.suits} ${deck.inner} ${deck.ace} ${copies}`;
  let cards = decks.get(name);
  if (cards === undefined) decks.set(name, (cards = repeated(deckOf(deck), copies)));
  return cards;
}

/**
 * The deal of a scheme with HMACs, a walk and a deck.
 * @type {Dialect["outcome"]}
 */
export function dealtCards(round, count, scheme, memory) {
  const bytes = seedBytes(round.serverSeed, scheme.seed);
  if (bytes === null) return { none: "the server seed is not hexadecimal" };
  const key = memory.keys.of(`${scheme.seed} ${round.serverSeed}`, () => bytes);
  const { walk, numbers } = /** @type {Required<Scheme>} */ (scheme);
  const deck = schemeDeck(scheme);
  const places = deal(
    walk,
    numbers,
    hmacDigests(key, `${round.clientSeed}:${round.nonce}:`),
    deck.length,
    count,
  );
  if (places === null)
    return {
      none: "all eight words of a digest are refused, and the scheme does not say what then",
    };
  return {
    cards: places.map((place) => deck[place]),
    size: walk === "replace" ? null : deck.length,
  };
}
