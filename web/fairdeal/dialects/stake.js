// Stake's games of words (spec/dialects.md, section 18).

import { RANK_MAJOR } from "./cards.js";
import { FLOORS, bitsOf, choose, gameParts, result } from "./game.js";
import { acceptedFor } from "./multiplier.js";
import { dealtCards, requireSeeds } from "./seeds.js";

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./game.js").Game} Game */

/** @type {Scheme} */
const SCHEME = {
  seed: "text",
  walk: "remove",
  numbers: { counts: "digests", from: 0, mapping: "multiply", retry: null },
  deck: RANK_MAJOR,
  copies: 1,
};

const UNSEEN =
  "the sources show no commitments: that a commitment is the hash of the seed's text is the operator's statement, and no row tests it";
const CALCULATED =
  "the rows of the sources come from the operator's own calculator, and are not bets";

/** The power of a player who may choose the client seed; also for Duel's and LIQD's games. */
export const PLAYER =
  "the player, who may change the client seed after seeing the commitment; but the operator knows the server seed from the start, and knows each result as soon as it knows the client seed";

const LIMITS = {
  seed: "a text, which is the key; the scheme fixes no length; the seeds of the sources have 32 hex digits, which is 128 bits at most",
  lastSpeaker: PLAYER,
  also: [UNSEEN],
};

/** @param {string} files @returns {string} */
const rowsIn = (files) =>
  `provably-fair-betting/verifierform-stake, tests/lib/games/testcases/${files}.json`;

const CARDS = /** @type {const} */ ({
  kind: "cards",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "cards", "full"],
  seedDigits: null,
  committed: "hash-text",
  published: null,
  reuse: "seeds",
  require: requireSeeds,
  outcome: dealtCards,
});

/** @type {Dialect} */
const videoPoker = {
  ...CARDS,
  columns: [...CARDS.columns],
  name: "stake-video-poker",
  title: "Stake, video poker",
  covers: "the ten cards of a round: five of the hand, five replacements",
  source: rowsIn("videopoker"),
  scheme: SCHEME,
  limits: { ...LIMITS, resultBits: 55, ways: [52, 51, 50, 49, 48, 47, 46, 45, 44, 43] },
};

/** @type {Dialect} */
const replace = {
  ...videoPoker,
  name: "stake-replace",
  title: "Stake, blackjack, hi-lo and baccarat",
  covers:
    "the stream of cards: blackjack deals it to player, player, dealer, dealer and on, baccarat to player, player, banker, banker and up to two more",
  source: rowsIn("{blackjack,hilo,baccarat}"),
  scheme: { ...SCHEME, walk: "replace" },
  limits: {
    ...LIMITS,
    also: [
      UNSEEN,
      "every card comes from a full deck, so one card may come twice in a row: no shoe is dealt down",
    ],
    // A round has any number of draws.
    ways: Array.from({ length: 100 }, () => 52),
  },
};

/**
 * @param {string} name
 * @param {string} title
 * @param {string} covers
 * @param {string} files
 * @param {Game} game
 * @param {number[]} ways
 * @param {string[]} [also]
 * @returns {Dialect}
 */
function of(name, title, covers, files, game, ways, also = []) {
  return {
    ...videoPoker,
    ...gameParts(game, SCHEME),
    name: `stake-${name}`,
    title: `Stake, ${title}`,
    covers,
    source: rowsIn(files),
    limits: {
      ...LIMITS,
      also: [UNSEEN, CALCULATED, ...also],
      ways,
      resultBits: bitsOf(ways),
    },
  };
}

/** @param {number} first @param {number} last @returns {number[]} from the first down */
export const down = (first, last) =>
  Array.from({ length: first - last + 1 }, (_, at) => first - at);

/** @param {number} range @param {number} count @returns {number[]} */
export const times = (range, count) => Array.from({ length: count }, () => range);

const RISKS = ["low", "medium", "high"];
export const PINS = [8, 9, 10, 11, 12, 13, 14, 15, 16];
export const MINES = /** @type {const} */ ("mines");

/** Hundredths. @param {string} text @returns {bigint[]} */
const cents = (text) => text.split(" ").map((one) => BigInt(Math.round(Number(one) * 100)));

const LOW = cents("1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0");
const MEDIUM = new Map([
  [10, cents("0 1.9 0 1.5 0 2 0 1.5 0 3")],
  [20, cents("1.5 0 2 0 2 0 2 0 1.5 0 3 0 1.8 0 2 0 2 0 2 0")],
  [30, cents("1.5 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.7 0 4 0 1.5 0 2 0")],
  [
    40,
    cents(
      "2 0 3 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.6 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0",
    ),
  ],
  [
    50,
    cents(
      "2 0 1.5 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 1.5 0 5 0 1.5 0 2 0 1.5 0",
    ),
  ],
]);

/** @param {number} segments @param {string} risk @returns {bigint[]} the wheel */
export function wheelOf(segments, risk) {
  if (risk === "low") return Array.from({ length: segments }, (_, at) => LOW[at % 10]);
  if (risk === "medium") return /** @type {bigint[]} */ (MEDIUM.get(segments));
  return Array.from({ length: segments }, (_, at) =>
    at === segments - 1 ? BigInt(segments) * 99n : 0n,
  );
}

/** For 8 rows and on, by risk: from the middle outward. */
const SLOTS = [
  ["0.5 1 1.1 2.1 5.6", "0.4 0.7 1.3 3 13", "0.2 0.3 1.5 4 29"],
  ["0.7 1 1.6 2 5.6", "0.5 0.9 1.7 4 18", "0.2 0.6 2 7 43"],
  ["0.5 1 1.1 1.4 3 8.9", "0.4 0.6 1.4 2 5 22", "0.2 0.3 0.9 3 10 76"],
  ["0.7 1 1.3 1.9 3 8.4", "0.5 0.7 1.8 3 6 24", "0.2 0.4 1.4 5.2 14 120"],
  ["0.5 1 1.1 1.4 1.6 3 10", "0.3 0.6 1.1 2 4 11 33", "0.2 0.2 0.7 2 8.1 24 170"],
  ["0.7 0.9 1.2 1.9 3 4 8.1", "0.4 0.7 1.3 3 6 13 43", "0.2 0.2 1 4 11 37 260"],
  ["0.5 1 1.1 1.3 1.4 1.9 4 7.1", "0.2 0.5 1 1.9 4 7 15 58", "0.2 0.2 0.3 1.9 5 18 56 420"],
  ["0.7 1 1.1 1.5 2 3 8 15", "0.3 0.5 1.3 3 5 11 18 88", "0.2 0.2 0.5 3 8 27 83 620"],
  ["0.5 1 1.1 1.2 1.4 1.4 2 9 16", "0.3 0.5 1 1.5 3 5 10 41 110", "0.2 0.2 0.2 2 4 9 27 130 1000"],
].map((ofRisk) => ofRisk.map(cents));

/** @param {number} rows @param {string} risk @param {number} ones @returns {import("./game.js").Accepted} */
export function slotOf(rows, risk, ones) {
  const found = SLOTS[rows - 8][RISKS.indexOf(risk)][Math.floor(Math.abs(2 * ones - rows) / 2)];
  if (rows !== 16 || risk !== "high" || found !== 2700n) return { cents: found };
  return {
    cents: found,
    other: 2600n,
    says: [
      "the row has 27, as the source of the table; another source has 26 there",
      "the row has 26, where the source of the table has 27",
    ],
  };
}

/** @type {import("./multiplier.js").Law} */
const LIMBO = { numerator: 99n, denominator: 1n, bits: 24n, least: 99n, inDoubles: 0.99 };

const GEMS = ["green", "purple", "yellow", "red", "cyan", "pink", "blue"];
const HANDS = ["rock", "paper", "scissors"];
const FACES = ["heads", "tails"];

/** @type {{[difficulty: string]: [eggs: number, places: number]}} */
const TOWER = { easy: [3, 4], medium: [2, 3], hard: [1, 2], expert: [1, 3], master: [1, 4] };

/** @type {Dialect} */
const limbo = of(
  "limbo",
  "limbo",
  "the multiplier of a round; which targets the operator takes is not checked",
  "limbo",
  {
    shows: ["result"],
    follows: (draws) => ({ result: acceptedFor(LIMBO, BigInt(draws.word() >>> 8) + 1n) }),
  },
  [],
  [
    "a result has 24 bits only: a target of 1,000,000.00 returns 95.37 %, and 977,026.11, the worst up to there, 93.18 %",
    "one number in a hundred gives 0.99; whether the operator shows 1.00 there is not in the sources, so both are accepted",
    "of 44 in 2^24 numbers the formula in doubles gives 0.01 less: both are accepted",
  ],
);

/** @type {Dialect[]} */
export const STAKE = [
  videoPoker,
  replace,
  of(
    "dice",
    "dice (also Primedice)",
    "the number of a roll, 0.00 to 100.00; over or under, and which of them a tie is, is not checked",
    "{dice,primedice}",
    {
      shows: ["result"],
      results: { last: 10_000n, unit: 1n },
      follows: (draws) => result(draws.under(10_001)),
    },
    [10_001],
  ),
  of(
    "roulette",
    "roulette",
    "the pocket, 0 to 36",
    "roulette",
    {
      shows: ["result"],
      results: { last: 3_600n, unit: 100n },
      follows: (draws) => result(draws.under(37) * 100),
    },
    [37],
  ),
  { ...limbo, limits: { ...limbo.limits, ways: undefined, law: LIMBO, resultBits: 24 } },
  of(
    "wheel",
    "wheel",
    "the multiplier of a spin, by the wheel of its segments and risk; most places of the wheels are in no row",
    "wheel",
    {
      shows: ["result"],
      asks: { segments: [10, 20, 30, 40, 50], risk: RISKS },
      table: ({ segments, risk }) =>
        wheelOf(Number(segments), String(risk)).map((one) => ({
          share: 1 / Number(segments),
          accepted: { cents: one },
        })),
      follows: (draws, { segments, risk }) =>
        result(wheelOf(Number(segments), String(risk))[draws.under(Number(segments))]),
    },
    [50],
  ),
  of(
    "plinko",
    "plinko",
    'the multiplier of a ball, by the table of its rows and risk; most places of the tables are in no row, and the risk "expert" is not covered',
    "plinko",
    {
      shows: ["result"],
      asks: { rows: PINS, risk: RISKS },
      table: ({ rows, risk }) =>
        Array.from({ length: Number(rows) + 1 }, (_, ones) => ({
          share: choose(Number(rows), ones) / 2 ** Number(rows),
          accepted: slotOf(Number(rows), String(risk), ones),
        })),
      follows(draws, { rows, risk }) {
        const ones = draws.several(2, Number(rows)).filter((bit) => bit === 1).length;
        return { result: slotOf(Number(rows), String(risk), ones) };
      },
    },
    times(2, 16),
    [
      "whether a 1 is right or left does not matter: the tables are symmetric",
      "with 16 rows and high risk, two from the edge, one source has 27 and another one 26: both are accepted",
    ],
  ),
  of(
    "mines",
    "mines",
    "the mines, 0 to 24, as a set; the tiles that a player opened are not checked",
    "mines",
    {
      shows: ["numbers"],
      asks: { mine_count: MINES },
      isSet: true,
      range: [0, 24],
      count: ({ mine_count: count }) => Number(count),
      follows: (draws, { mine_count: count }) => ({ numbers: draws.picked(25, Number(count)) }),
    },
    down(25, 2),
  ),
  of(
    "keno",
    "keno",
    "the ten numbers that were drawn, 1 to 40, as a set",
    "keno",
    {
      shows: ["numbers"],
      isSet: true,
      range: [1, 40],
      count: () => 10,
      follows: (draws) => ({ numbers: draws.picked(40, 10, 1) }),
    },
    down(40, 31),
  ),
  of(
    "diamonds",
    "diamonds",
    "the five gems of a round, in their order",
    "diamonds",
    {
      shows: ["symbols"],
      symbols: GEMS,
      most: 5,
      follows: (draws) => ({ symbols: draws.several(7, 5).map((at) => [GEMS[at]]) }),
    },
    times(7, 5),
  ),
  of(
    "flip",
    "flip",
    "up to twenty flips, in their order",
    "flip",
    {
      shows: ["symbols"],
      symbols: FACES,
      most: 20,
      follows(draws) {
        const words = Array.from({ length: 20 }, () => draws.word());
        // At 2^31 one source says heads, another one tails.
        return {
          symbols: words.map((word) =>
            word === 2 ** 31 ? FACES : word < 2 ** 31 ? ["tails"] : ["heads"],
          ),
        };
      },
    },
    times(2, 20),
    ["for one word in 2^32 one source says heads and another one tails: both are accepted"],
  ),
  of(
    "rock-paper-scissors",
    "rock paper scissors",
    "up to twenty of the house's moves, in their order",
    "rockpaperscissors",
    {
      shows: ["symbols"],
      symbols: HANDS,
      most: 20,
      follows: (draws) => ({ symbols: draws.several(3, 20).map((at) => [HANDS[at]]) }),
    },
    times(3, 20),
  ),
  of(
    "snakes",
    "snakes",
    "the sums of up to five rolls of two dice; the board, which the difficulty chooses, is not checked",
    "snakes",
    {
      shows: ["rolls"],
      most: 5,
      follows(draws) {
        const dice = draws.several(6, 10);
        return { rolls: [0, 2, 4, 6, 8].map((at) => dice[at] + dice[at + 1] + 2) };
      },
    },
    times(6, 10),
  ),
  of(
    "dragon-tower",
    "dragon tower",
    "the eggs of up to nine floors, the lowest first, in the order in which they are drawn, counted from 0",
    "dragontower",
    {
      shows: ["floors"],
      asks: { difficulty: Object.keys(TOWER) },
      floor: ({ difficulty }) => TOWER[difficulty],
      follows(draws, { difficulty }) {
        const [eggs, places] = TOWER[difficulty];
        return { floors: Array.from({ length: FLOORS }, () => draws.picked(places, eggs)) };
      },
    },
    times(0, 9).flatMap(() => [4, 3, 2]),
  ),
];
