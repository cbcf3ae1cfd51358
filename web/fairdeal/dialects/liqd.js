// LIQD's games (spec/dialects.md, section 20).

import { SHOE } from "./cards.js";
import { bitsOf, gameParts, pathOf, result } from "./game.js";
import { dealtCards, requireSeeds } from "./seeds.js";
import { MINES, PINS, PLAYER, down, times } from "./stake.js";

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./numbers.js").Numbers} Numbers */

/** @type {Numbers} */
const NUMBERS = { counts: "draws", from: 0, mapping: "modulo-2^32", retry: 1_000_000 };

const SEED = {
  seed: "32 hex digits, decoded to a key of 16 bytes",
  seedBits: 128,
  lastSpeaker: PLAYER,
  also: [
    "the key is the decoded seed, and the commitment is of its text: the seed in upper case deals the same cards and does not open the commitment",
  ],
};

/** @type {Dialect} */
const blackjack = {
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
    numbers: { ...NUMBERS, counts: "positions" },
    deck: SHOE,
    copies: 8,
  },
  require: requireSeeds,
  outcome: dealtCards,
  limits: { ...SEED, resultBits: 2229, ways: down(416, 2) },
};

/**
 * @param {string} name
 * @param {string} covers
 * @param {string} rows
 * @param {import("./game.js").Game} game
 * @param {number} from the first cursor
 * @param {number[]} ways
 * @returns {Dialect}
 */
function of(name, covers, rows, game, from, ways) {
  return {
    ...blackjack,
    ...gameParts(game, { seed: "decoded", numbers: { ...NUMBERS, from } }),
    name: `liqd-${name}`,
    title: `LIQD, ${name}`,
    covers,
    source: `ProvablyFair-org/liqd-${name}, ${rows}.json`,
    limits: {
      ...SEED,
      ways,
      resultBits: bitsOf(ways),
    },
  };
}

/** @type {Dialect[]} */
export const LIQD = [
  blackjack,
  {
    ...of(
      "dice",
      "the number of a roll, 0.00 to 99.99; which numbers win is not checked",
      "evidence/E13-verify-endpoint-boundary-probes",
      {
        shows: ["result"],
        results: { last: 9_999n, unit: 1n },
        follows: (draws) => result(draws.under(10_000)),
      },
      0,
      [10_000],
    ),
    ownNames: { roll: "result" },
  },
  of(
    "plinko",
    "the path of a ball and its slot; what a slot pays is not checked",
    "data/plinko-master-10100bets",
    {
      shows: ["slot", "path"],
      asks: { rows: PINS },
      follows: (draws, { rows }) => pathOf(draws.several(2, Number(rows))),
    },
    1,
    times(2, 16),
  ),
  of(
    "mines",
    "the mines, 1 to 25, in the order in which they are drawn; the tiles that a player opened are not checked",
    "data/mines-master-6900bets",
    {
      shows: ["numbers"],
      asks: { mine_count: MINES },
      range: [1, 25],
      count: ({ mine_count: count }) => Number(count),
      follows: (draws, { mine_count: count }) => ({
        numbers: draws.forward(25, 1).slice(0, Number(count)),
      }),
    },
    0,
    down(25, 2),
  ),
];
