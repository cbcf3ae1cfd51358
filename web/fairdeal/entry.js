// Entries: their canonical form and their grammar (spec/ledger.md, sections 8.1 to 8.3 and 8.6).

import { isHex, textOrNull } from "./bytes.js";
import { Grammar } from "./grammar.js";
import { canonical } from "./jcs.js";
import { isObject, readJson } from "./json.js";
import { Refused } from "./refused.js";

/** The maximum number of bytes of an entry. */
export const LONGEST = 65535;

/**
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {import("./result.js").Result} Result
 * @typedef {import("./result.js").Terms} Terms
 * @typedef {import("./layout.js").Layout} Layout
 */

/**
 * @typedef {{entry: "commit", time: number, commitment: string, protocol: string, origin: string,
 *   table: string, mixing: "seeds" | "hashes" | "beacon", signed?: true, layout?: Layout,
 *   rounds: number, reveal_by: number, after?: string,
 *   rules?: string,
 *   beacon?: {chain: string, margin: number}} & Terms} Commit
 * @typedef {{entry: "lock", time: number, commitment: string, nonce: number,
 *   contributions?: Contribution[], beacon?: number, seats?: string[]}} Lock
 * @typedef {{blind: string, from: string, seed: string}} Opened
 * @typedef {{entry: "deal", time: number, commitment: string, nonce: number, result: Result,
 *   contributions?: Contribution[], seats?: string[], lock?: number, opened?: Opened[],
 *   beacon?: string}} Deal
 * @typedef {{entry: "void", time: number, commitment: string, nonce?: number, reason: string,
 *   blame?: string}} VoidEntry
 * @typedef {{entry: "reveal", time: number, commitment: string, server_seed: string}} Reveal
 * @typedef {{entry: "anchor", time: number, size: number, root: string,
 *   cosignatures: string[]}} Anchor
 * @typedef {Commit | Lock | Deal | VoidEntry | Reveal} UnderCommitment
 * @typedef {UnderCommitment | Anchor} Grammatical
 */

/**
 * An entry as far as its own bytes decide.
 * @typedef {object} Entry
 * @property {string | null} commitment the member of this name, if the entry is an object in which
 *   it is a hash
 * @property {boolean} foreign whether it is a commit of another protocol
 * @property {Grammatical | null} entry the entry, if it is grammatical
 * @property {{code: "not-canonical" | "invalid-entry", says: string} | null} fault why it is not
 *   grammatical
 */

/**
 * @param {"not-canonical" | "invalid-entry"} code
 * @param {string} says
 * @param {string | null} [commitment]
 * @returns {Entry}
 */
function faulty(code, says, commitment = null) {
  return { commitment, foreign: false, entry: null, fault: { code, says } };
}

/**
 * Reads one entry.
 * @param {Uint8Array} bytes
 * @returns {Entry}
 */
export function readEntry(bytes) {
  if (bytes.length > LONGEST)
    return faulty("invalid-entry", `an entry has at most ${LONGEST} bytes, found ${bytes.length}`);
  const text = textOrNull(bytes);
  if (text === null) return faulty("not-canonical", "expected UTF-8");
  /** @type {Json} */
  let value;
  try {
    value = readJson(text);
  } catch (error) {
    if (error instanceof Refused) return faulty("not-canonical", error.message);
    throw error;
  }
  if (canonical(value) !== text)
    return faulty("not-canonical", "the bytes are not the canonical form of their value");
  if (!isObject(value)) return faulty("invalid-entry", "expected an object");
  const commitment = isHex(value.commitment, 32) ? value.commitment : null;
  if (isForeign(value, commitment)) return { commitment, foreign: true, entry: null, fault: null };
  const grammar = new Grammar();
  if (!grammar.entry(value)) return faulty("invalid-entry", grammar.says, commitment);
  return { commitment, foreign: false, entry: /** @type {any} */ (value), fault: null };
}

/**
 * Whether an object is a commit of another protocol (section 8.6).
 * @param {import("./json.js").JsonObject} value
 * @param {string | null} commitment
 * @returns {boolean}
 */
function isForeign(value, commitment) {
  const { entry, time, protocol } = value;
  return (
    entry === "commit" &&
    typeof time === "number" &&
    commitment !== null &&
    typeof protocol === "string" &&
    protocol !== "fairdeal/v1"
  );
}

/**
 * Whether an entry is a grammatical commit, or a commit of another protocol.
 * @param {Entry} read
 * @returns {boolean}
 */
export function isCommit({ entry, foreign }) {
  return foreign || entry?.entry === "commit";
}

/**
 * The nonce of an entry, if its kind has one and it is given.
 * @param {Grammatical} entry
 * @returns {number | null}
 */
export function nonceOf(entry) {
  return "nonce" in entry && entry.nonce !== undefined ? entry.nonce : null;
}

/**
 * The contributions that an entry itself has.
 * @param {Grammatical} entry
 * @returns {readonly Contribution[]}
 */
export function contributionsOf(entry) {
  return entry.entry === "lock" || entry.entry === "deal" ? (entry.contributions ?? []) : [];
}

/**
 * The sizes and roots of the log that an entry names: those that its contributors saw, or an
 * anchor's, which has no `from`.
 * @param {Grammatical} entry
 * @returns {{from?: string, size: number, root: string}[]}
 */
export function seenIn(entry) {
  if (entry.entry === "anchor") return [{ size: entry.size, root: entry.root }];
  return contributionsOf(entry).flatMap(({ from, seen }) =>
    seen === undefined ? [] : [{ from, size: seen.size, root: seen.root }],
  );
}
