// `liqd-blackjack` (spec/dialects.md, section 21): the order of a shoe of eight decks.

import { SHOE } from "./cards.js";
import { dealtCards, requireSeeds } from "./seeds.js";

/** @type {import("./round.js").Dialect} */
export const liqdBlackjack = {
  name: "liqd-blackjack",
  title: "LIQD, blackjack",
  covers:
    "the order of the shoe; who takes which card after the first four is the table's rule and is not checked",
  source: "ProvablyFair-org/liqd-blackjack, data/blackjack-6000hands.json",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "cards", "full"],
  kind: "cards",
  seedDigits: 32,
  committed: "hash-text",
  published: null,
  reuse: "seeds",
  scheme: {
    seed: "decoded",
    walk: "backward",
    numbers: { counts: "positions", from: 0, mapping: "modulo-2^32", retry: 1_000_000 },
    deck: SHOE,
    copies: 8,
  },
  require: requireSeeds,
  outcome: dealtCards,
  limits: {
    seed: "32 hex digits, decoded to a key of 16 bytes",
    seedBits: 128,
    resultBits: 2229,
    lastSpeaker:
      "the player, who may change the client seed after seeing the commitment; but the operator knows the server seed from the start, and knows each result as soon as it knows the client seed",
    also: [
      "the key is the decoded seed, and the commitment is of its text: the seed in upper case deals the same cards and does not open the commitment",
    ],
    ways: Array.from({ length: 415 }, (_, draws) => 416 - draws),
  },
};
