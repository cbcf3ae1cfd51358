// Deals again from the seeds, as `fairdeal replay --json` does.

import { hexOrNull, toHex } from "./bytes.js";
import { Words } from "./chacha20.js";
import { checkContributions } from "./contribution.js";
import { deckCards, itemsOf } from "./deck.js";
import { dealKey, sealKey } from "./derive.js";
import * as is from "./expected.js";
import { clearFault } from "./grammar.js";
import { readJson } from "./json.js";
import { fileOf } from "./receipt.js";
import { Refused, shown } from "./refused.js";
import { MOST_INDICES, cardText, digestOf } from "./result.js";
import { MOST_SEALED, seal } from "./seal.js";
import { commitmentOf, nonceOf, serverSeed } from "./seed.js";
import { HmacKey } from "./sha256.js";
import { checkDraw, order } from "./shuffle.js";

/**
 * The seeds and the terms of a deal.
 * @typedef {object} ReplayInput
 * @property {string | Uint8Array} serverSeed 64 lowercase hexadecimal digits, or 32 bytes
 * @property {number} nonce the number of the round under its commitment
 * @property {readonly import("./contribution.js").Clear[]} [contributions] of the players
 * @property {string | import("./deck.js").ListDeck | number} [deck] a deck's name, a list, or a
 *   number of items; `standard-52` by default
 * @property {number} [draw] how many items are dealt; all by default
 * @property {import("./shuffle.js").Method} [method] `shuffle` by default
 * @property {boolean} [sealed] whether to compute the seal, the card seals and the salts
 * @property {string} [randomness] of a drand round, in hexadecimal: the SHA-256 of its signature
 * @property {boolean} [trace] whether to list every draw
 */

/**
 * A word, and the choice that it made.
 * @typedef {object} Step
 * @property {number} word
 * @property {number} range the choice has the values 0 to range − 1
 * @property {boolean} rejected
 * @property {number} [value]
 * @property {number[]} [swap] the two positions
 * @property {string | number[]} [deck] after the swap
 */

/**
 * A deal, from its seeds. `spec/schema/replay.json` describes it.
 * @typedef {object} Replayed
 * @property {string} commitment
 * @property {number} nonce
 * @property {string} key
 * @property {string} [cards] the cards in deal order; absent if the deck is a list
 * @property {number[]} [indices] the numbers of the items, if the deck is a list
 * @property {string} [digest] of the numbers, if a log does not list so many
 * @property {number[]} words every word drawn, also the rejected ones
 * @property {number} rejected how many were rejected
 * @property {string} [seal]
 * @property {string[]} [card_seals]
 * @property {string[]} [salts]
 * @property {Step[]} [steps]
 */

const INPUT = {
  serverSeed: is.NOTE,
  nonce: is.NUMBER,
  contributions: is.listOf("objects", is.OBJECT),
  deck: is.either(is.TEXT, is.either(is.OBJECT, is.NUMBER)),
  draw: is.NUMBER,
  method: is.TEXT,
  sealed: is.FLAG,
  randomness: is.TEXT,
  trace: is.FLAG,
};

/** Lists the choice made by each word of a stream. */
class Recorder {
  /** @param {Words} words */
  constructor(words) {
    this.stream = words;
    /** @type {number[]} */
    this.words = [];
  }

  /** @returns {number} */
  next() {
    const word = this.stream.next();
    this.words.push(word);
    return word;
  }
}

/**
 * Derives a deal from its seeds.
 * @param {ReplayInput} input
 * @returns {Replayed}
 * @throws {import("./refused.js").Refused} with the code of the refused input: `server-seed`,
 *   `nonce`, `contributions`, `from`, `seed`, `duplicate-from`, `deck`, `items`, `draw`, `method`
 */
export function replay(input) {
  const needed = ["serverSeed", "nonce"];
  is.expectOptions("replay(input)", 'input with "serverSeed" and "nonce"', input, INPUT, needed);
  const seed = serverSeed(input.serverSeed);
  const nonce = nonceOf(input.nonce);
  const randomness = randomnessOf(input.randomness);
  const contributions = input.contributions ?? [];
  checkContributions(contributions, randomness !== undefined);
  contributions.forEach(checkMembers);
  const deck = input.deck ?? "standard-52";
  const items = typeof deck === "number" ? deck : itemsOf(deck);
  const draw = input.draw ?? items;
  const method = input.method ?? "shuffle";
  checkDraw(method, items, draw);
  const named = typeof deck === "string" ? deck : null;

  const hmac = new HmacKey(seed);
  const commitment = commitmentOf(seed);
  const key = dealKey(hmac, nonce, contributions, randomness);
  const words = new Recorder(new Words(key));
  /** @type {Step[] | undefined} */
  const steps = input.trace === true ? [] : undefined;
  const watch = steps === undefined ? undefined : watcher(steps, words, method, named);
  const dealt = order(method, items, draw, words, watch);

  // The members in the order of the command's.
  const result = /** @type {Replayed} */ ({
    commitment: toHex(commitment),
    nonce,
    key: toHex(key),
  });
  if (named !== null) result.cards = cardText(named, dealt);
  else result.indices = Array.from(dealt);
  if (named === null && draw > MOST_INDICES) result.digest = digestOf(dealt);
  result.words = words.words;
  result.rejected = words.words.length - choices(method, items, draw);
  if (input.sealed === true) {
    if (draw > MOST_SEALED)
      throw new Refused("draw", `a sealed deal draws 1 to ${MOST_SEALED}; found ${draw}`);
    const sealed = seal(sealKey(hmac, nonce, contributions, randomness), commitment, nonce, dealt);
    result.seal = toHex(sealed.seal);
    result.card_seals = pieces(sealed.cardSeals, 32);
    result.salts = pieces(sealed.salts, 16);
  }
  if (steps !== undefined) result.steps = steps;
  return result;
}

/**
 * Refuses a contribution with another member than those that a player's has, as the command does.
 * @param {import("./contribution.js").Clear} contribution
 * @param {number} i
 */
function checkMembers(contribution, i) {
  const why = clearFault(readJson(fileOf(contribution)));
  if (why !== null) throw new Refused("contributions", `contributions[${i}]: ${why}`);
}

/**
 * @param {string | undefined} text
 * @returns {Uint8Array | undefined}
 */
function randomnessOf(text) {
  if (text === undefined) return undefined;
  const bytes = hexOrNull(text);
  if (bytes === null || bytes.length !== 32) {
    throw new Refused(
      "randomness",
      `a beacon's randomness is 64 lowercase hexadecimal digits; found ${shown(text)}`,
    );
  }
  return bytes;
}

/**
 * The number of choices of more than one way in a deal.
 * @param {import("./shuffle.js").Method} method
 * @param {number} items
 * @param {number} draw
 * @returns {number}
 */
function choices(method, items, draw) {
  return method === "cycle" ? items - 2 : Math.min(draw, items - 1);
}

/**
 * @param {Step[]} steps
 * @param {Recorder} recorder
 * @param {import("./shuffle.js").Method} method
 * @param {string | null} deck
 * @returns {import("./shuffle.js").Watch}
 */
function watcher(steps, recorder, method, deck) {
  const cards = deck === null ? null : deckCards(deck);
  let told = 0;
  return (i, j, after) => {
    const range = method === "cycle" ? i : i + 1;
    const taken = recorder.words.slice(told);
    told = recorder.words.length;
    taken.forEach((word, n) => {
      if (n < taken.length - 1) {
        steps.push({ word, range, rejected: true });
        return;
      }
      const state =
        cards === null ? Array.from(after) : Array.from(after, (item) => cards[item]).join("");
      steps.push({ word, range, rejected: false, value: j, swap: [i, j], deck: state });
    });
  };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} length of each piece
 * @returns {string[]}
 */
function pieces(bytes, length) {
  return Array.from({ length: bytes.length / length }, (_, i) =>
    toHex(bytes.subarray(length * i, length * (i + 1))),
  );
}
