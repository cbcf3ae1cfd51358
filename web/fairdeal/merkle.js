// The Merkle tree of a log (RFC 6962, RFC 9162; spec/ledger.md, section 10.1).

import { concat, equal, toHex } from "./bytes.js";
import { sha256, sha256Into } from "./sha256.js";

/** The root of the empty tree, in hexadecimal. */
export const EMPTY_ROOT = toHex(sha256(new Uint8Array(0)));

const LARGEST = 2n ** 63n - 1n;

// Its first byte stays 0, which says that it is a leaf.
const leaf = new Uint8Array(65536);

/**
 * @param {Uint8Array} entry
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function leafHash(entry) {
  // An entry has at most 65,535 bytes, but a receipt may claim a longer one.
  const all =
    entry.length < leaf.length
      ? leaf.subarray(0, entry.length + 1)
      : new Uint8Array(entry.length + 1);
  all.set(entry, 1);
  return sha256(all);
}

const node = new Uint8Array(65);
node[0] = 1;

/**
 * @param {Uint8Array} left 32 bytes
 * @param {Uint8Array} right 32 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function nodeHash(left, right) {
  node.set(left, 1);
  node.set(right, 33);
  return sha256(node);
}

/**
 * Whether an inclusion proof leads from a leaf to a root (RFC 9162, section 2.1.3.2).
 * @param {number | bigint} index
 * @param {number | bigint} size
 * @param {Uint8Array} leaf its hash
 * @param {readonly Uint8Array[]} proof from the leaf's sibling upwards
 * @param {Uint8Array} root
 * @returns {boolean}
 */
export function includes(index, size, leaf, proof, root) {
  if (BigInt(size) > LARGEST || index >= size || index < 0) return false;
  let at = BigInt(index);
  let last = BigInt(size) - 1n;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0n) return false;
    if ((at & 1n) === 1n || at === last) {
      hash = nodeHash(sibling, hash);
      // On the right edge some levels have no sibling.
      while ((at & 1n) === 0n && at !== 0n) {
        at >>= 1n;
        last >>= 1n;
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n && equal(hash, root);
}

/**
 * Whether a consistency proof leads from one root to another (RFC 9162, section 2.1.4.2).
 * @param {number | bigint} oldSize
 * @param {Uint8Array} oldRoot
 * @param {number | bigint} size
 * @param {Uint8Array} root
 * @param {readonly Uint8Array[]} proof
 * @returns {boolean}
 */
export function continues(oldSize, oldRoot, size, root, proof) {
  const first = BigInt(oldSize);
  const second = BigInt(size);
  if (second > LARGEST || first < 0n || first > second) return false;
  if (first === 0n && toHex(oldRoot) !== EMPTY_ROOT) return false;
  if (second === 0n && toHex(root) !== EMPTY_ROOT) return false;
  if (first === 0n) return proof.length === 0;
  if (first === second) return proof.length === 0 && equal(oldRoot, root);
  // The root of a full tree is a node of the larger one, so that the proof leaves it out.
  const path = (first & (first - 1n)) === 0n ? [oldRoot, ...proof] : proof;
  if (path.length === 0) return false;
  let at = first - 1n;
  let last = second - 1n;
  while ((at & 1n) === 1n) {
    at >>= 1n;
    last >>= 1n;
  }
  let [old] = path;
  let grown = old;
  for (const hash of path.slice(1)) {
    if (last === 0n) return false;
    if ((at & 1n) === 1n || at === last) {
      old = nodeHash(hash, old);
      grown = nodeHash(hash, grown);
      while ((at & 1n) === 0n && at !== 0n) {
        at >>= 1n;
        last >>= 1n;
      }
    } else {
      grown = nodeHash(grown, hash);
    }
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n && equal(old, oldRoot) && equal(grown, root);
}

/** Hashes of one level, one after the other, in an array that grows. */
class Level {
  constructor() {
    this.bytes = new Uint8Array(32 * 64);
    this.count = 0;
  }

  /** The position of the next hash. @returns {number} */
  next() {
    if (32 * this.count === this.bytes.length) {
      const larger = new Uint8Array(2 * this.bytes.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return 32 * this.count++;
  }
}

/**
 * A tree that grows by leaves and keeps the hash of every full subtree: 64 bytes for each leaf. So
 * it can give its root at every earlier size.
 */
export class Tree {
  constructor() {
    /** @type {Level[]} */
    this.levels = [];
  }

  /** How many leaves it has. */
  get size() {
    return this.levels.length === 0 ? 0 : this.levels[0].count;
  }

  /**
   * Appends a leaf.
   * @param {Uint8Array} hash of the leaf, 32 bytes
   */
  push(hash) {
    let at = this.place(0);
    this.levels[0].bytes.set(hash, at);
    for (let level = 0; this.levels[level].count % 2 === 0; level++) {
      const { bytes } = this.levels[level];
      node.set(bytes.subarray(at - 32, at + 32), 1);
      at = this.place(level + 1);
      sha256Into(node, this.levels[level + 1].bytes, at);
    }
  }

  /**
   * @param {number} level
   * @returns {number}
   */
  place(level) {
    if (level === this.levels.length) this.levels.push(new Level());
    return this.levels[level].next();
  }

  /**
   * The roots of full subtrees of 2^level leaves.
   * @param {number} level
   * @param {number} start the first of them
   * @param {number} end after the last of them
   * @returns {Uint8Array}
   */
  hashes(level, start, end) {
    return this.levels[level].bytes.subarray(32 * start, 32 * end);
  }

  /**
   * The root that the tree had at a size.
   * @param {number} size at most the tree's own
   * @returns {Uint8Array} 32 bytes
   */
  rootAt(size) {
    if (size === 0) return sha256(new Uint8Array(0));
    /** @type {Uint8Array | null} */
    let root = null;
    // The full subtrees from right to left: their sizes are the bits of `size`.
    for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / 2)) {
      if (left % 2 === 0) continue;
      const subtree = this.hashes(level, left - 1, left);
      root = root === null ? subtree : nodeHash(subtree, root);
    }
    return concat(root ?? []);
  }
}
