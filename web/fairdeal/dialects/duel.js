// Duel's games (spec/dialects.md, sections 19 and 21).

import { RANK_MAJOR, cardText, cardsText } from "./cards.js";
import { bitsOf, checkResult, gameParts, pathOf, result } from "./game.js";
import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { wordAt } from "./numbers.js";
import { acceptedFor } from "./multiplier.js";
import { dealtCards, decoded, requireClient, requireSeeds, seedBytes } from "./seeds.js";
import { MINES, PINS, PLAYER, down, times } from "./stake.js";
import { Unreadable } from "./unreadable.js";
import { readHex } from "./values.js";

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./round.js").Round} Round */
/** @typedef {import("./round.js").Scheme} Scheme */
/** @typedef {import("./numbers.js").Numbers} Numbers */

/** @type {Numbers} */
const NUMBERS = { counts: "draws", from: 0, mapping: "modulo-2^32-1", retry: null };

/** @type {Scheme} */
const SCHEME = { seed: "decoded", walk: "backward", numbers: NUMBERS, deck: RANK_MAJOR, copies: 1 };

/** A draw whose words are all refused takes the next cursor. @type {Scheme} */
const RETRIES = { ...SCHEME, numbers: { ...NUMBERS, retry: 1 } };

const NEEDLESS =
  "the limit from which words are refused is computed from 2^32 - 1 and not from 2^32: this biases nothing, but it refuses words needlessly if the range is a power of two";

const SEED = {
  seed: "64 hex digits, decoded to a key of 32 bytes",
  seedBits: 256,
  lastSpeaker: PLAYER,
};

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

/** @type {Dialect} */
const videoPoker = {
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
  scheme: SCHEME,
  require: requireSeeds,
  outcome: dealtCards,
  alsoWrongCards: draw,
  limits: {
    ...SEED,
    resultBits: 225,
    also: [
      NEEDLESS,
      "if all eight words of a digest are refused, about once in 10^63 rounds, the scheme has no answer",
    ],
    ways: down(52, 2),
  },
};

/**
 * @param {string} name
 * @param {string} covers
 * @param {string} data
 * @param {import("./game.js").Game} game
 * @param {Scheme} scheme
 * @param {number[]} ways
 * @param {string[]} [also]
 * @returns {Dialect}
 */
function of(name, covers, data, game, scheme, ways, also = [NEEDLESS]) {
  return {
    ...videoPoker,
    ...gameParts(game, scheme),
    alsoWrongCards: undefined,
    name: `duel-${name}`,
    title: `Duel, ${name}`,
    covers,
    source: `ProvablyFair-org/duel-${name}, data/${data}.json`,
    limits: {
      ...SEED,
      also,
      ways,
      resultBits: bitsOf(ways),
    },
  };
}

// The decoder of the Encoding standard replaces each maximal ill-formed part by one U+FFFD.
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A beacon's value, with its bytes read as UTF-8 text.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function lossyText(bytes) {
  return lossy.decode(bytes);
}

/** @type {import("./multiplier.js").Law} */
const LAW = { numerator: 999n, denominator: 10n, bits: 32n };

/**
 * The outcome of the round's word.
 * @param {(word: number) => import("./round.js").Outcome} of
 * @returns {Dialect["outcome"]}
 */
const ofWord = (of) => (round, _count, scheme) => {
  const key = seedBytes(round.serverSeed, scheme.seed);
  const beacon = decoded(/** @type {string} */ (round.clientSeed));
  if (key === null || beacon === null) return { none: "a seed is not hexadecimal" };
  return of(wordAt(new HmacKey(key).sign(utf8(`${lossyText(beacon)}:0`)), 0));
};

const LOSSY =
  "the drand value's bytes are read as text, and bytes that are not UTF-8 are lost: different drand values can give the same message";

/** @type {Dialect} */
const crash = {
  name: "duel-crash",
  title: "Duel, crash",
  covers:
    "the multiplier at which a round ends; that the drand value is the beacon's of that round is not checked",
  source: "ProvablyFair-org/duel-crash, data/crash-master-1100rounds.json",
  columns: ["server_seed", "commitment", "client_seed", "nonce", "result"],
  kind: "multiplier",
  seedDigits: 64,
  committed: "hash-decoded",
  published: null,
  reuse: "rounds",
  scheme: { seed: "decoded" },
  require(cells, round) {
    requireClient(cells, round);
    if (/^[0-9A-Fa-f]{64}$/.test(String(round.clientSeed))) {
      throw new Unreadable(
        "client_seed: expected 96 hex digits, found 64, which may be drand's randomness; this scheme takes drand's signature",
      );
    }
    readHex(round.clientSeed, 96, "client_seed");
  },
  outcome: ofWord((word) => ({ result: acceptedFor(LAW, BigInt(word) + 1n) })),
  alsoWrong({ nonce }) {
    return (nonce ?? 0) === 0
      ? null
      : `the nonce of this scheme is 0 in every round, the row says ${nonce}`;
  },
  limits: {
    seed: SEED.seed,
    seedBits: 256,
    resultBits: 32,
    lastSpeaker:
      "the drand network, if the value's round was still to come when the commitment was made; no row shows when that was",
    also: [LOSSY],
    law: LAW,
  },
};

/** Castle roulette's positions. */
const POSITIONS = { last: 4_700n, unit: 100n };

/** @type {Dialect[]} */
export const DUEL = [
  videoPoker,
  of(
    "mines",
    "the mines, 0 to 24, as a set; the tiles that a player opened are not checked",
    "mines-master-6500bets",
    {
      shows: ["numbers"],
      asks: { mine_count: MINES },
      isSet: true,
      range: [0, 24],
      count: ({ mine_count: count }) => Number(count),
      follows: (draws, { mine_count: count }) => ({
        numbers: draws.backward(25).slice(0, Number(count)),
      }),
    },
    RETRIES,
    down(25, 2),
  ),
  of(
    "beef",
    "the points at which a crossing ends, 0 to 19, as a set",
    "beef-master-6000bets",
    {
      shows: ["numbers"],
      asks: { difficulty: ["1", "2", "3", "4"] },
      isSet: true,
      range: [0, 19],
      count: ({ difficulty }) => [1, 3, 5, 10][Number(difficulty) - 1],
      follows: (draws, { difficulty }) => ({
        numbers: draws.backward(20).slice(0, [1, 3, 5, 10][Number(difficulty) - 1]),
      }),
    },
    RETRIES,
    down(20, 2),
  ),
  of(
    "dice",
    "the number of a roll, 0 to 10000; whether the bet is over or under is not checked",
    "dice-master-6700bets",
    {
      shows: ["result"],
      results: { last: 1_000_000n, unit: 100n },
      follows: (draws) => result(draws.only(10_001) * 100),
    },
    SCHEME,
    [10_001],
  ),
  of(
    "plinko",
    "the path of a ball and its slot; what a slot pays is not checked",
    "plinko-master-8100bets",
    {
      shows: ["slot", "path"],
      asks: { rows: PINS },
      follows: (draws, { rows }) => pathOf(draws.several(2, Number(rows))),
    },
    { ...SCHEME, numbers: { ...NUMBERS, mapping: "remainder" } },
    times(2, 16),
    ["the sources have rows of pins with 8 rows only"],
  ),
  crash,
  {
    ...crash,
    name: "duel-castle-roulette",
    title: "Duel, castle roulette",
    covers:
      "the position, 0 to 47; that the drand value is the beacon's of that round is not checked",
    source: "ProvablyFair-org/duel-castle-roulette, data/castle-roulette-master-1350rounds.json",
    ownNames: { position: "result" },
    results: POSITIONS,
    require(cells, round) {
      crash.require(cells, round);
      checkResult(POSITIONS, round);
    },
    scheme: { seed: "decoded", numbers: { ...NUMBERS, mapping: "remainder" } },
    outcome: ofWord((word) => ({ result: { cents: BigInt(word % 48) * 100n } })),
    limits: {
      ...crash.limits,
      also: [
        LOSSY,
        "the game has no house edge, and the first sixteen positions come a little more often: 7.5 in 10^9 in the player's favour",
      ],
      law: undefined,
      ways: [48],
      resultBits: 5,
    },
  },
];
