// A chain of a beacon whose key the tests have, and rounds that are dealt from it.

import { bls12_381 } from "@noble/curves/bls12-381.js";

import { concat, fromHex, toHex, u64, utf8 } from "../fairdeal/bytes.js";
import { readChain } from "../fairdeal/beacon.js";
import { deal, resultOf } from "../fairdeal/deal.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { NOON } from "./witnesses.js";

const { shortSignatures } = bls12_381;
const secret = Uint8Array.from(sha256(utf8("a chain")), (byte, i) => (i === 0 ? byte & 63 : byte));
const TAG = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export const GENESIS = NOON - 100;
export const PERIOD = 10;

/** The file of the chain. */
export const file = JSON.stringify({
  public_key: toHex(shortSignatures.getPublicKey(secret).toBytes(true)),
  period: PERIOD,
  genesis_time: GENESIS,
  groupHash: "ab".repeat(32),
  schemeID: "bls-unchained-g1-rfc9380",
});
export const chain = await readChain(file);

/** The signature of a round. */
export function signed(round) {
  const message = shortSignatures.hash(sha256(concat(u64(round))), TAG);
  return toHex(shortSignatures.sign(message, secret).toBytes(true));
}

/** The second at which a round is out. */
export const outOf = (round) => GENESIS + (round - 1) * PERIOD;

/** A log with a commit at NOON, whose rounds are of the chain with a margin of two seconds. */
export async function beaconTable({ name = "t", log = null, ...terms } = {}) {
  const own = log ?? (await ModelLog.make());
  if (log === null) own.now = 1000 * NOON;
  const beacon = { chain: chain.hash, margin: 2000 };
  const table = new ModelTable(own, name, { mixing: "beacon", beacon, ...terms });
  await table.commit({ reveal_by: own.now + 86_400_000 });
  return { log: own, table };
}

/** Locks a round of the beacon, and returns the index of the lock. */
export function lockRound({ log, commitment }, beacon, more = {}) {
  return log.push({ entry: "lock", commitment, nonce: 0, beacon, ...more });
}

/** Deals from a signature, and returns the index of the deal. */
export function dealFrom({ log, terms, commitment, serverSeed }, lock, beacon, contributions = []) {
  const nonce = 0;
  const mixed = { nonce, contributions, randomness: sha256(fromHex(beacon)) };
  const seed = new HmacKey(serverSeed);
  const result = resultOf(seed, fromHex(commitment), terms, mixed, deal(seed, terms, mixed));
  return log.push({ entry: "deal", commitment, nonce, lock, beacon, result });
}
