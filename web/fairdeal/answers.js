// Players' answers to a dealer, checked before they go to the service: one wrong answer must not
// stop everybody's round.

import { base64OrNull, isHex } from "./bytes.js";
import { contributionHash, isSeed } from "./contribution.js";
import { verifyContribution, verifySeen } from "./signatures.js";

/** @typedef {import("./client.js").Given} Given */

/**
 * The known facts of the round.
 * @typedef {object} RoundFacts
 * @property {string} commitment
 * @property {number} nonce
 * @property {boolean} signed whether every contribution must be signed
 * @property {import("./key.js").Key | null} key of the log; without the key only the service finds
 *   a forged `seen`, a forged signature, and a hash that is opened wrongly
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @param {number} length in bytes @returns {value is string} */
const isBase64 = (value, length) =>
  typeof value === "string" && base64OrNull(value)?.length === length;

/**
 * The contribution that a player gives, without the other members of the answer.
 * @param {unknown} answer
 * @param {string} player
 * @param {RoundFacts} round
 * @returns {Promise<Given | null>} null if it is not this player's for this round
 */
export async function givenBy(answer, player, { commitment, nonce, signed, key }) {
  if (!isObject(answer) || answer.from !== player) return null;
  const { from, hash, seed, seen, key: signer, signature } = answer;
  if ((hash === undefined) === (seed === undefined)) return null;
  if (hash === undefined ? !isSeed(seed) : !isHex(hash, 32)) return null;
  if ((answer.commitment ?? commitment) !== commitment || (answer.nonce ?? nonce) !== nonce)
    return null;
  /** @type {Given} */
  const given = hash === undefined ? { from, seed } : { from, hash };
  if (seen !== undefined) {
    if (
      !isObject(seen) ||
      !isHex(seen.root, 32) ||
      !Number.isSafeInteger(seen.size) ||
      seen.size < 1 ||
      !isBase64(seen.signature, 68)
    )
      return null;
    given.seen = { root: seen.root, signature: seen.signature, size: seen.size };
    if (key !== null && (await verifySeen(key, given.seen)) === false) return null;
  }
  if (signer === undefined && signature === undefined) return signed ? null : given;
  if (!isHex(signer, 32) || !isBase64(signature, 64)) return null;
  Object.assign(given, { key: signer, signature });
  if (key === null) return given;
  return (await verifyContribution(key, commitment, nonce, given)) === false ? null : given;
}

/**
 * The opening of a player's hash.
 * @param {unknown} answer
 * @param {Given} given
 * @param {{commitment: string, nonce: number, key: import("./key.js").Key | null}} round
 * @returns {Given | null} null if it does not open this hash
 */
export function openedBy(answer, { from, hash, seed: clear, seen }, { commitment, nonce, key }) {
  if (hash === undefined) return { from, seed: clear };
  if (!isObject(answer) || answer.from !== from || !isSeed(answer.seed) || !isHex(answer.blind, 32))
    return null;
  const { seed, blind } = answer;
  const right =
    key === null || contributionHash(key, commitment, nonce, { from, seed, seen }, blind) === hash;
  return right ? { from, seed, blind } : null;
}
