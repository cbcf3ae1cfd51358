// `stake-video-poker` (spec/dialects.md, section 18): ten cards, each picked and removed.

import { RANK_MAJOR } from "./cards.js";
import { dealtCards, requireSeeds } from "./seeds.js";

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */

/** @type {Scheme} */
export const STAKE_SCHEME = {
  seed: "text",
  walk: "remove",
  numbers: { counts: "digests", from: 0, mapping: "multiply", retry: null },
  deck: RANK_MAJOR,
  copies: 1,
};

/** The common limits of the two card schemes of Stake. */
export const STAKE_LIMITS = {
  seed: "a text, which is the key; the scheme fixes no length; the seeds of the sources have 32 hex digits, which is 128 bits at most",
  lastSpeaker:
    "the player, who may change the client seed after seeing the commitment; but the operator knows the server seed from the start, and knows each result as soon as it knows the client seed",
  also: [
    "the sources show no commitments: that a commitment is the hash of the seed's text is the operator's statement, and no row tests it",
  ],
};

/** @type {Dialect} */
export const stakeVideoPoker = {
  name: "stake-video-poker",
  title: "Stake, video poker",
  covers: "the ten cards of a round: five of the hand, five replacements",
  source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/videopoker.json",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "cards", "full"],
  kind: "cards",
  seedDigits: null,
  committed: "hash-text",
  published: null,
  reuse: "seeds",
  scheme: STAKE_SCHEME,
  require: requireSeeds,
  outcome: dealtCards,
  limits: { ...STAKE_LIMITS, resultBits: 55, ways: [52, 51, 50, 49, 48, 47, 46, 45, 44, 43] },
};
