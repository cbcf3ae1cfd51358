// `stake-crash` (spec/dialects.md, section 24): a multiplier from a game's hash and a salt.

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { wordAt } from "./numbers.js";
import { centsFor } from "./multiplier.js";
import { requireClient, seedBytes } from "./seeds.js";

/** @type {import("./multiplier.js").Law} */
const LAW = { numerator: 99n, denominator: 1n, bits: 32n };

/** @type {import("./round.js").Dialect} */
export const stakeCrash = {
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
  outcome(round, _count, scheme) {
    const seed = seedBytes(round.serverSeed, scheme.seed);
    if (seed === null) return { none: "the server seed is not hexadecimal" };
    const salt = utf8(/** @type {string} */ (round.clientSeed));
    return { cents: centsFor(LAW, BigInt(wordAt(new HmacKey(seed).sign(salt), 0)) + 1n) };
  },
  limits: {
    seed: "the game's hash, whose 64 hex digits are used as text for the key",
    seedBits: 256,
    resultBits: 32,
    lastSpeaker: "whoever chose the salt; if it is a block's hash, whoever found that block",
    also: [
      "computed in doubles, with the factor last, 60 of the 2^32 numbers give 0.01 less; the sources do not say how the operator computes",
      "each round of the sources has its own salt; live games are said to use the hash of a Bitcoin block",
    ],
    law: LAW,
  },
};
