// `stake-replace` (spec/dialects.md, section 19): a stream of cards that repeat, without end.

import { STAKE_LIMITS, STAKE_SCHEME } from "./stake-video-poker.js";
import { dealtCards, requireSeeds } from "./seeds.js";

/** @type {import("./round.js").Dialect} */
export const stakeReplace = {
  name: "stake-replace",
  title: "Stake, blackjack, hi-lo and baccarat",
  covers:
    "the stream of cards: blackjack deals it to player, player, dealer, dealer and on, baccarat to player, player, banker, banker and up to two more",
  source:
    "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/{blackjack,hilo,baccarat}.json",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "cards", "full"],
  kind: "cards",
  seedDigits: null,
  committed: "hash-text",
  published: null,
  reuse: "seeds",
  scheme: { ...STAKE_SCHEME, walk: "replace" },
  require: requireSeeds,
  outcome: dealtCards,
  limits: {
    ...STAKE_LIMITS,
    also: [
      ...STAKE_LIMITS.also,
      "every card comes from a full deck, so one card may come twice in a row: no shoe is dealt down",
    ],
    // A round has any number of cards; a hundred are assumed.
    ways: Array.from({ length: 100 }, () => 52),
  },
};
