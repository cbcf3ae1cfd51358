// `bustabit` (spec/dialects.md, section 23): a multiplier from a game's hash, which has a place on
// a chain.

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { wordAt } from "./numbers.js";
import { centsFor } from "./multiplier.js";
import { seedBytes } from "./seeds.js";
import { Unreadable, shown } from "./unreadable.js";

/** @type {import("./multiplier.js").Law} */
const LAW = { numerator: 99n, denominator: 1n, bits: 52n };

const SALT = "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be";
const END = "567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59";

/** The game whose hash is the end of the chain. */
export const FIRST_GAME = 10_000_000;

/** The last place whose game was dealt by another method. */
export const LAST_OTHER = 2_279_450;

/** @type {import("./round.js").Dialect} */
export const bustabit = {
  name: "bustabit",
  title: "bustabit, games after 12,279,450",
  covers:
    "the multiplier at which a game ends; games up to 12,279,450 had another salt and are not covered",
  source: "deduzzo/bustabit-scripts, bustabit-real-data, bustabit-script-simulator",
  columns: ["server_seed", "commitment", "client_seed", "result", "chain_steps", "game_id"],
  kind: "multiplier",
  seedDigits: 64,
  committed: "chain",
  published: END,
  reuse: "chain",
  scheme: { seed: "decoded" },
  require(_cells, { gameId, chainSteps }) {
    const isOther =
      (gameId ?? Infinity) <= FIRST_GAME + LAST_OTHER || (chainSteps ?? Infinity) <= LAST_OTHER;
    if (!isOther) return;
    const game = gameId ?? FIRST_GAME + Number(chainSteps);
    throw new Unreadable(
      `game_id: expected ${FIRST_GAME + LAST_OTHER + 1} or later, as earlier games were dealt in another way, found ${game}`,
    );
  },
  outcome(round, _count, scheme) {
    const hash = seedBytes(round.serverSeed, scheme.seed);
    if (hash === null) return { none: "the game hash is not hexadecimal" };
    const salt = utf8(round.clientSeed ?? SALT);
    const digest = new HmacKey(salt).sign(hash);
    // The first 13 hexadecimal digits.
    const number = wordAt(digest, 0) * 0x100000 + (wordAt(digest, 1) >>> 12);
    return { cents: centsFor(LAW, (1n << 52n) - BigInt(number)) };
  },
  alsoWrong({ clientSeed }) {
    if (clientSeed === null || clientSeed === SALT) return null;
    return `the result follows from the salt ${shown(clientSeed)}; the published one is ${SALT}`;
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
