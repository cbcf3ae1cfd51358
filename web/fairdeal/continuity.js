// Whether a log continues the heads that a player saw: consistency proofs, made from the log's
// tiles (spec/ledger.md, 10.1).

import { fromHex, textOrNull, toBase64, toHex, utf8 } from "./bytes.js";
import { openCheckpoint } from "./checkpoint.js";
import { continues, nodeHash } from "./merkle.js";
import { Refused } from "./refused.js";
import { FileSource } from "./source.js";
import { FULL } from "./tile.js";

/** @typedef {import("./evidence.js").Since} Since */

/**
 * A head of the log that its key signed.
 * @typedef {object} Head
 * @property {number} size
 * @property {string} root hexadecimal
 * @property {string} note
 */

/**
 * A signed head, or null if the note is not one.
 * @param {string | Uint8Array} note
 * @param {import("./key.js").Key} key
 * @returns {Promise<Head | null>}
 */
export async function readHead(note, key) {
  const bytes = typeof note === "string" ? utf8(note) : note;
  const { checkpoint, bad, signed } = await openCheckpoint(bytes, key);
  if (
    checkpoint === null ||
    bad !== null ||
    signed !== true ||
    checkpoint.size > Number.MAX_SAFE_INTEGER
  )
    return null;
  return {
    size: Number(checkpoint.size),
    root: checkpoint.root,
    // With a byte order mark, if the log's name begins with one: the signature is of this text.
    note: textOrNull(bytes) ?? "",
  };
}

/** The tree of a log, read from its tiles. Each tile is read once. */
export class TiledTree {
  /**
   * @param {import("./source.js").ReadFile} readFile
   * @param {number} size
   */
  constructor(readFile, size) {
    this.source = new FileSource(readFile);
    this.size = size;
    /** @type {Map<string, Promise<Uint8Array | null>>} */
    this.tiles = new Map();
  }

  /**
   * The root of the entries from `start` to before `end`: of a full subtree, or of the incomplete
   * part at the right edge.
   * @param {number} start
   * @param {number} end
   * @returns {Promise<Uint8Array>}
   */
  async hash(start, end) {
    const count = end - start;
    const { half, level } = halfOf(count);
    if (half + half === count && start % count === 0) return this.subtree(level + 1, start / count);
    if (count === 1) return this.subtree(0, start);
    const [left, right] = await Promise.all([
      this.hash(start, start + half),
      this.hash(start + half, end),
    ]);
    return nodeHash(left, right);
  }

  /**
   * @param {number} level of 2^level entries
   * @param {number} index
   * @returns {Promise<Uint8Array>}
   */
  async subtree(level, index) {
    const tileLevel = Math.floor(level / 8);
    const many = 2 ** (level - 8 * tileLevel);
    const first = index * many;
    const tile = await this.tile(tileLevel, Math.floor(first / FULL));
    const at = first % FULL;
    let hashes = Array.from({ length: many }, (_, i) =>
      tile.subarray(32 * (at + i), 32 * (at + i + 1)),
    );
    while (hashes.length > 1) {
      hashes = Array.from({ length: hashes.length / 2 }, (_, i) =>
        nodeHash(hashes[2 * i], hashes[2 * i + 1]),
      );
    }
    return hashes[0];
  }

  /**
   * @param {number} level
   * @param {number} index
   * @returns {Promise<Uint8Array>}
   */
  async tile(level, index) {
    const width = Math.min(FULL, Math.floor(this.size / 256 ** level) - index * FULL);
    const name = `${level}/${index}`;
    const coming = this.tiles.get(name) ?? this.source.tile(level, index, width);
    this.tiles.set(name, coming);
    const tile = await coming;
    if (tile === null) throw new Refused("unavailable", `the log has no tile ${name}`);
    return tile;
  }

  /**
   * The proof that this tree continues the tree of its first entries (RFC 9162, section 2.1.4.1).
   * @param {number} old how many
   * @returns {Promise<Uint8Array[]>}
   */
  proof(old) {
    return old === this.size || old === 0
      ? Promise.resolve([])
      : this.part(old, 0, this.size, true);
  }

  /**
   * @param {number} old
   * @param {number} start
   * @param {number} end
   * @param {boolean} whole whether the old root is known to the reader
   * @returns {Promise<Uint8Array[]>}
   */
  async part(old, start, end, whole) {
    if (old === end) return whole ? [] : [await this.hash(start, end)];
    const half = start + halfOf(end - start).half;
    if (old <= half)
      return [...(await this.part(old, start, half, whole)), await this.hash(half, end)];
    return [...(await this.part(old, half, end, false)), await this.hash(start, half)];
  }
}

/**
 * The largest power of two under a count, and its exponent; of 1 it is 1. A logarithm is rounded:
 * near 2^48 it gives the next power.
 * @param {number} count at most 2^53
 * @returns {{half: number, level: number}}
 */
function halfOf(count) {
  let [half, level] = [1, 0];
  for (; half < count / 2; level++) half *= 2;
  return { half, level };
}

/**
 * The relation of a head to the present log.
 * @typedef {{is: "prefix" | "unknown"} | {is: "fork", proof: Since}} Standing `prefix`: the log
 *   continues it. `fork`: the log's signed head proves that the log never had this root
 */

/**
 * @typedef {object} Continuity
 * @property {Head | null} now the log's head; null if it is unknown
 * @property {Standing[]} heads
 */

/**
 * Compares heads with the present log.
 * @param {import("./source.js").ReadFile} readFile
 * @param {import("./key.js").Key} key
 * @param {readonly Head[]} heads
 * @returns {Promise<Continuity>}
 */
export async function continuity(readFile, key, heads) {
  /** @type {Head | null} */
  let now = null;
  try {
    const bytes = await readFile("checkpoint");
    const head = bytes === null ? null : await readHead(bytes, key);
    if (head !== null && head.size > 0) now = head;
  } catch {
    // No answer, or an unreadable one: unknown.
  }
  if (now === null) return { now, heads: heads.map(() => ({ is: "unknown" })) };
  const top = now;
  const tree = new TiledTree(readFile, top.size);
  return { now, heads: await Promise.all(heads.map((head) => stands(head, top, tree))) };
}

/**
 * @param {Head} head
 * @param {Head} now
 * @param {TiledTree} tree
 * @returns {Promise<Standing>}
 */
async function stands({ size, root }, now, tree) {
  if (size > now.size) return { is: "unknown" };
  if (size === now.size)
    return root === now.root ? { is: "prefix" } : { is: "fork", proof: { checkpoint: now.note } };
  try {
    const proof = await tree.proof(size);
    /** @param {string} old */
    const had = (old) => continues(size, fromHex(old), now.size, fromHex(now.root), proof);
    if (had(root)) return { is: "prefix" };
    const other = toHex(await tree.hash(0, size));
    // Nobody signs a tile: only what leads to the signed head is proved.
    if (!had(other)) return { is: "unknown" };
    const seen = [{ size, root: other, proof: proof.map(toBase64) }];
    return { is: "fork", proof: { checkpoint: now.note, seen } };
  } catch {
    return { is: "unknown" };
  }
}
