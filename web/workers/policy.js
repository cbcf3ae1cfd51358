// What a page says of a reader's policy (spec/witness.md, section 24.3).

import { readKey } from "../fairdeal/key.js";
import { countedTwice, policyFor, readPolicy } from "../fairdeal/policy.js";

/**
 * @typedef {object} PolicyFacts
 * @property {number} witnesses how many it names
 * @property {number} q how many liars can make the times false
 * @property {number} v how many liars can show two logs to two readers
 * @property {boolean} isNone whether its quorum is `none`
 * @property {[string, string][]} twice the names and IDs of keys whose witnesses count twice
 */

/**
 * Reads a policy for a log.
 * @param {Uint8Array | undefined} bytes
 * @param {string} key the log's
 * @returns {{policy: import("../fairdeal/policy.js").Policy, facts: PolicyFacts} | null} null if there
 * is none
 */
export function readFor(bytes, key) {
  if (bytes === undefined) return null;
  const policy = readPolicy(bytes);
  policyFor(policy, readKey(key));
  const { witnesses, q, v, quorum } = policy;
  const named = (/** @type {string} */ vkey) => vkey.split("+", 2).join("+");
  const twice = countedTwice(policy).map(
    ([a, b]) => /** @type {[string, string]} */ ([named(a), named(b)]),
  );
  return { policy, facts: { witnesses: witnesses.length, q, v, isNone: quorum === null, twice } };
}
