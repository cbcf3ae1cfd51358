// Games that are links of a hash chain, with a public salt (spec/dialects.md, sections 21 and 22).

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { wordAt } from "./numbers.js";
import { acceptedFor } from "./multiplier.js";
import { requireClient, seedBytes } from "./seeds.js";
import { Unreadable, shown } from "./unreadable.js";

/** @typedef {import("./round.js").Dialect} Dialect */
/** @typedef {import("./multiplier.js").Law} Law */

/**
 * A published chain, and the games of it that a dialect covers.
 * @typedef {object} Published
 * @property {string} end the terminating hash
 * @property {string} salt
 * @property {number} endGame the game whose hash would be the end
 * @property {number} first
 * @property {number} last
 * @property {number} most steps to the end
 * @property {boolean} hashesText whether a hash is hashed as text
 */

/** @type {Law} */
const CRASH = { numerator: 99n, denominator: 1n, bits: 32n, inDoubles: 0.99 };

const SALTS =
  "each round of the sources has its own salt; live games are said to use the hash of a Bitcoin block";

/** @param {Law} law @returns {Dialect["outcome"]} */
const ofWord = (law) => (round, _count, scheme) => {
  const seed = seedBytes(round.serverSeed, scheme.seed);
  if (seed === null) return { none: "the server seed is not hexadecimal" };
  const salt = utf8(/** @type {string} */ (round.clientSeed));
  return { result: acceptedFor(law, BigInt(wordAt(new HmacKey(seed).sign(salt), 0)) + 1n) };
};

/** @type {Dialect} */
const stakeCrash = {
  name: "stake-crash",
  title: "Stake, crash",
  covers:
    "the multiplier at which a game ends; the chain that its hashes are said to be links of is not in the sources, so no commitment is checked",
  source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/crash.json",
  columns: ["server_seed", "commitment", "client_seed", "result"],
  kind: "multiplier",
  seedDigits: null,
  committed: "no-rule",
  published: null,
  reuse: "unknown-chain",
  scheme: { seed: "text" },
  require: requireClient,
  outcome: ofWord(CRASH),
  limits: {
    seed: "the game's hash, whose 64 hex digits are used as text for the key",
    seedBits: 256,
    resultBits: 32,
    lastSpeaker: "whoever chose the salt; if it is a block's hash, whoever found that block",
    also: [
      "computed in doubles, with the factor last, 60 of the 2^32 numbers give 0.01 less: both results are accepted",
      SALTS,
    ],
    law: CRASH,
  },
};

/** @type {Law} */
const SLIDE = { ...CRASH, numerator: 98n, inDoubles: 0.98 };

/** @type {Dialect} */
const stakeSlide = {
  ...stakeCrash,
  name: "stake-slide",
  title: "Stake, slide",
  source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/slide.json",
  outcome: ofWord(SLIDE),
  limits: {
    ...stakeCrash.limits,
    also: [
      "it pays 98 %, where crash pays 99 %",
      "computed in doubles, with the factor last, 57 of the 2^32 numbers give 0.01 less: both results are accepted",
      SALTS,
    ],
    law: SLIDE,
  },
};

/** @type {Law} */
const LAW = { numerator: 99n, denominator: 1n, bits: 52n };

/**
 * @param {Published} links
 * @param {Pick<Dialect, "name" | "title" | "covers" | "source">} about
 * @returns {Dialect}
 */
function bustabit(links, about) {
  const { salt, endGame } = links;
  return {
    ...about,
    columns: ["server_seed", "commitment", "client_seed", "result", "chain_steps", "game_id"],
    kind: "multiplier",
    seedDigits: 64,
    committed: "chain",
    published: links,
    reuse: "chain",
    scheme: { seed: "decoded" },
    require(_cells, { gameId, chainSteps }) {
      const games = [gameId, chainSteps === null ? null : endGame + chainSteps];
      for (const game of games) {
        const wrong = game === null ? null : notCovered(links, game);
        if (wrong !== null) throw new Unreadable(`game_id: ${wrong}, found ${game}`);
      }
    },
    outcome(round, _count, scheme) {
      const hash = seedBytes(round.serverSeed, scheme.seed);
      if (hash === null) return { none: "the game hash is not hexadecimal" };
      const digest = new HmacKey(utf8(round.clientSeed ?? salt)).sign(hash);
      // The first 13 hexadecimal digits.
      const number = wordAt(digest, 0) * 0x100000 + (wordAt(digest, 1) >>> 12);
      return { result: acceptedFor(LAW, (1n << 52n) - BigInt(number)) };
    },
    alsoWrong({ clientSeed }) {
      if (clientSeed === null || clientSeed === salt) return null;
      return `the result follows from the salt ${shown(clientSeed)}; the published one is ${salt}`;
    },
    limits: {
      seed: "the game's hash, 32 bytes; the hashes of all earlier games follow from it, so whoever made the chain knows them all",
      seedBits: 256,
      resultBits: 52,
      lastSpeaker:
        "nobody, if the chain and the salt were fixed before the first game; the operator then knew every result from the start",
      also: [
        "the operator computes in doubles, this check in whole numbers: of results up to 1000.00, those of 225 in 2^52 numbers differ by 0.01",
        "the chain gives the games an order; it does not show that each of them was played, or when",
      ],
      law: LAW,
    },
  };
}

/**
 * @param {Published} links
 * @param {number} game
 * @returns {string | null} what was expected, if the dialect does not cover the game
 */
export function notCovered({ first, last }, game) {
  if (game < first) return `expected ${first} or later, as earlier games were dealt in another way`;
  if (game > last) return `expected ${last} or earlier, as later games were dealt in another way`;
  return null;
}

/** @type {Dialect[]} */
export const LINKS = [
  bustabit(
    {
      end: "567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59",
      salt: "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be",
      endGame: 10_000_000,
      first: 12_279_451,
      last: Infinity,
      most: 20_000_000,
      hashesText: false,
    },
    {
      name: "bustabit",
      title: "bustabit, games after 12,279,450",
      covers:
        "the multiplier at which a game ends; games up to 12,279,450 had another salt and are not covered",
      source: "deduzzo/bustabit-scripts, bustabit-real-data, bustabit-script-simulator",
    },
  ),
  bustabit(
    {
      end: "86728f5fc3bd99db94d3cdaf105d67788194e9701bf95d049ad0e1ee3d004277",
      salt: "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526",
      endGame: 0,
      first: 1,
      last: 10_000_000,
      most: 10_000_000,
      hashesText: true,
    },
    {
      name: "bustabit-v2",
      title: "bustabit, games 1 to 10,000,000",
      covers:
        "the multiplier at which a game ends; later games are on another chain and are not covered",
      source: "vladignatyev/bustabit-rust, tests/lib.rs; deduzzo/bustabit-scripts, verifier-main",
    },
  ),
  stakeCrash,
  stakeSlide,
];
