// `duel-video-poker` (spec/dialects.md, section 20): a whole deck, and a draw from it.

import { RANK_MAJOR, cardText, cardsText } from "./cards.js";
import { dealtCards, requireSeeds } from "./seeds.js";

/** @typedef {import("./round.js").Round} Round */

/**
 * Checks that the held and final cards fit the deal.
 * @param {Round} round
 * @param {number[]} dealt
 * @returns {string | null} the fault
 */
function draw({ held, final }, dealt) {
  const hand = dealt.slice(0, 5);
  const stayed = held ?? hand.filter((card, at) => card === final?.[at]);
  const stranger = stayed.find((card) => !hand.includes(card));
  if (stranger !== undefined)
    return `held: ${cardText(stranger)} is not in the hand ${cardsText(hand)}`;
  if (final === null) return null;
  let next = 5;
  const becomes = hand.map((card) => (stayed.includes(card) ? card : dealt[next++]));
  const isSame = final.length === 5 && becomes.every((card, at) => card === final[at]);
  return isSame ? null : `the hand becomes ${cardsText(becomes)}, the row says ${cardsText(final)}`;
}

/** @type {import("./round.js").Dialect} */
export const duelVideoPoker = {
  name: "duel-video-poker",
  title: "Duel, video poker",
  covers:
    "the whole deck of a round; the hand is its first five cards, the replacements the next five",
  source: "ProvablyFair-org/duel-video-poker, data/video-poker-dataset-5400bets.json",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "cards", "full", "held", "final"],
  kind: "cards",
  seedDigits: 64,
  committed: "hash-decoded",
  published: null,
  reuse: "seeds",
  scheme: {
    seed: "decoded",
    walk: "backward",
    numbers: { counts: "draws", from: 0, mapping: "modulo-2^32-1", retry: null },
    deck: RANK_MAJOR,
    copies: 1,
  },
  require: requireSeeds,
  outcome: dealtCards,
  alsoWrongCards: draw,
  limits: {
    seed: "64 hex digits, decoded to a key of 32 bytes",
    seedBits: 256,
    resultBits: 225,
    lastSpeaker:
      "the player, who may change the client seed after seeing the commitment; but the operator knows the server seed from the start, and knows each result as soon as it knows the client seed",
    also: [
      "the limit from which words are refused is computed from 2^32 - 1 and not from 2^32: this biases nothing, but it refuses words needlessly if the range is a power of two",
      "if all eight words of a digest are refused, about once in 10^63 rounds, the scheme has no answer",
    ],
    ways: Array.from({ length: 51 }, (_, draws) => 52 - draws),
  },
};
