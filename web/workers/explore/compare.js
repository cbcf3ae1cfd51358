// The checkpoint, and whether it continues a checkpoint that the reader saw before.

import { textOrNull, toHex, utf8 } from "../../fairdeal/bytes.js";
import { openCheckpoint, readCheckpoint, signedCheckpoint } from "../../fairdeal/checkpoint.js";
import { readKey } from "../../fairdeal/key.js";
import { Tree, leafHash } from "../../fairdeal/merkle.js";
import { readNote } from "../../fairdeal/note.js";
import { Refused } from "../../fairdeal/refused.js";
import { FULL } from "../../fairdeal/tile.js";
import { Edge, WrongTiles } from "./edge.js";

/** @typedef {import("./reader.js").Log} Log */

/**
 * A checkpoint that was seen.
 * @typedef {object} Seen
 * @property {string} note
 * @property {string} origin
 * @property {number} size
 * @property {string} root
 */

/**
 * The relation of a checkpoint to an earlier one.
 * - `first`: there is no earlier one.
 * - `same`, `grown`: the log is the same, or continues the earlier one.
 * - `shorter`: the log has fewer entries. It may be an old copy or another log.
 * - `fork`: it is another log.
 * - `wrong-tiles`: the log's own files do not give the root that it signed.
 * - `foreign`: the key did not sign the earlier one, so anybody may have written it.
 * - `unknown`: it could not be compared.
 * @typedef {{kind: "first" | "same" | "grown" | "shorter" | "fork" | "wrong-tiles" | "foreign"
 *   | "unknown",
 *   says: string | null}} Relation
 */

/**
 * @typedef {object} Compared
 * @property {Seen} now
 * @property {boolean | null} signed whether the key signed it; null if no key was given, or this
 *   browser cannot verify it
 * @property {string | null} bad why the signature does not hold
 * @property {Relation} relation
 */

/**
 * A checkpoint from its text, not verified.
 * @param {Uint8Array} bytes
 * @returns {Seen}
 * @throws {Refused}
 */
export function readSeen(bytes) {
  const note = readNote(bytes);
  const { origin, size, root } = readCheckpoint(note.text);
  if (size > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Refused(
      "checkpoint-malformed",
      `a log of ${size} entries is too large for this page`,
    );
  return { note: textOrNull(bytes) ?? "", origin, size: Number(size), root };
}

/**
 * @param {Log} log
 * @param {Uint8Array} bytes of its checkpoint
 * @param {string | null} key
 * @param {string | null} saved the note that was seen before
 * @returns {Promise<Compared>}
 */
export async function compare(log, bytes, key, saved) {
  const now = readSeen(bytes);
  const reader = key === null ? null : readKey(key);
  const opened = reader === null ? null : await openCheckpoint(bytes, reader);
  const signed = opened?.signed ?? null;
  const foreign = saved === null ? null : await isForeign(saved, signed === null ? null : reader);
  return {
    now,
    signed,
    bad: opened?.bad ?? null,
    relation: foreign ?? (await relate(log, now, saved === null ? null : readSeen(utf8(saved)))),
  };
}

/**
 * Why an earlier checkpoint says nothing about the log.
 * @param {string} saved
 * @param {import("../../fairdeal/key.js").Key | null} key null if nothing can be verified
 * @returns {Promise<Relation | null>}
 */
async function isForeign(saved, key) {
  try {
    const { origin } = readSeen(utf8(saved));
    if (key === null || (await signedCheckpoint(utf8(saved), key)) !== null) return null;
    return { kind: "foreign", says: `the saved checkpoint of ${origin} is not signed by this key` };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: "foreign", says: error.message };
  }
}

/**
 * @param {Log} log
 * @param {Seen} now
 * @param {Seen | null} before
 * @returns {Promise<Relation>}
 */
async function relate(log, now, before) {
  if (before === null) return { kind: "first", says: null };
  if (before.origin !== now.origin)
    return { kind: "unknown", says: `the saved checkpoint is of ${before.origin}` };
  if (before.size === now.size)
    return before.root === now.root ? { kind: "same", says: null } : forked(now, before, now.root);
  if (before.size > now.size)
    return {
      kind: "shorter",
      says: `the saved checkpoint has ${before.size} entries, this one ${now.size}`,
    };
  try {
    const root = await rootAt(log, now, before.size);
    return root === before.root ? { kind: "grown", says: null } : forked(now, before, root);
  } catch (error) {
    const says = /** @type {Error} */ (error).message;
    if (error instanceof WrongTiles || error instanceof Refused)
      return { kind: "wrong-tiles", says };
    return { kind: "unknown", says };
  }
}

/**
 * @param {Seen} now
 * @param {Seen} before
 * @param {string} root
 * @returns {Relation}
 */
function forked(now, before, root) {
  return {
    kind: "fork",
    says: `at ${before.size} entries the saved checkpoint has root ${before.root}, the log of ${now.size} entries ${root}`,
  };
}

/**
 * The root that the log had at a smaller size.
 * @param {Log} log
 * @param {Seen} now
 * @param {number} size
 * @returns {Promise<string>}
 */
async function rootAt(log, now, size) {
  if (log.isRemote) {
    const edge = new Edge(/** @type {import("./reader.js").Remote} */ (log), now.size);
    await edge.open(now.root);
    return edge.rootAt(size);
  }
  // An exported log has no tiles, but all its entries are here.
  const tree = new Tree();
  for (let index = 0; index * FULL < now.size; index++) {
    const entries = (await log.bundle(index, Math.min(FULL, now.size - index * FULL))) ?? [];
    for (const entry of entries) tree.push(leafHash(entry));
  }
  const root = toHex(tree.rootAt(now.size));
  if (root !== now.root)
    throw new WrongTiles(`the entries give root ${root}, the checkpoint has ${now.root}`);
  return toHex(tree.rootAt(size));
}
