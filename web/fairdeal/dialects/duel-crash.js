// `duel-crash` (spec/dialects.md, section 22): a multiplier from a seed and a value of the drand
// beacon.

import { HmacKey } from "../sha256.js";
import { utf8 } from "../bytes.js";
import { wordAt } from "./numbers.js";
import { centsFor } from "./multiplier.js";
import { decoded, requireClient, seedBytes } from "./seeds.js";
import { Unreadable } from "./unreadable.js";
import { readHex } from "./values.js";

/** @typedef {import("./round.js").Round} Round */

/** @type {import("./multiplier.js").Law} */
const LAW = { numerator: 999n, denominator: 10n, bits: 32n };

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

/** @type {import("./round.js").Dialect} */
export const duelCrash = {
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
  outcome(round, _count, scheme) {
    const key = seedBytes(round.serverSeed, scheme.seed);
    const beacon = decoded(/** @type {string} */ (round.clientSeed));
    if (key === null || beacon === null) return { none: "a seed is not hexadecimal" };
    const message = utf8(`${lossyText(beacon)}:0`);
    return { cents: centsFor(LAW, BigInt(wordAt(new HmacKey(key).sign(message), 0)) + 1n) };
  },
  alsoWrong({ nonce }) {
    return (nonce ?? 0) === 0
      ? null
      : `the nonce of this scheme is 0 in every round, the row says ${nonce}`;
  },
  limits: {
    seed: "64 hex digits, decoded to a key of 32 bytes",
    seedBits: 256,
    resultBits: 32,
    lastSpeaker:
      "the drand network, if the value's round was still to come when the commitment was made; no row shows when that was",
    also: [
      "the drand value's bytes are read as text, and bytes that are not UTF-8 are lost: different drand values can give the same message",
    ],
    law: LAW,
  },
};
