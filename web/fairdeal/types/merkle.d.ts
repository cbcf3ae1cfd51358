/**
 * @param {Uint8Array} entry
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function leafHash(entry: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * @param {Uint8Array} left 32 bytes
 * @param {Uint8Array} right 32 bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * Whether an inclusion proof leads from a leaf to a root (RFC 9162, section 2.1.3.2).
 * @param {number | bigint} index
 * @param {number | bigint} size
 * @param {Uint8Array} leaf its hash
 * @param {readonly Uint8Array[]} proof from the leaf's sibling upwards
 * @param {Uint8Array} root
 * @returns {boolean}
 */
export function includes(index: number | bigint, size: number | bigint, leaf: Uint8Array, proof: readonly Uint8Array[], root: Uint8Array): boolean;
/**
 * Whether a consistency proof leads from one root to another (RFC 9162, section 2.1.4.2).
 * @param {number | bigint} oldSize
 * @param {Uint8Array} oldRoot
 * @param {number | bigint} size
 * @param {Uint8Array} root
 * @param {readonly Uint8Array[]} proof
 * @returns {boolean}
 */
export function continues(oldSize: number | bigint, oldRoot: Uint8Array, size: number | bigint, root: Uint8Array, proof: readonly Uint8Array[]): boolean;
/** The root of the empty tree, in hexadecimal. */
export const EMPTY_ROOT: string;
/**
 * A tree that grows by leaves and keeps the hash of every full subtree: 64 bytes for each leaf. So
 * it can give its root at every earlier size.
 */
export class Tree {
    /** @type {Level[]} */
    levels: Level[];
    /** How many leaves it has. */
    get size(): number;
    /**
     * Appends a leaf.
     * @param {Uint8Array} hash of the leaf, 32 bytes
     */
    push(hash: Uint8Array): void;
    /**
     * @param {number} level
     * @returns {number}
     */
    place(level: number): number;
    /**
     * The roots of full subtrees of 2^level leaves.
     * @param {number} level
     * @param {number} start the first of them
     * @param {number} end after the last of them
     * @returns {Uint8Array}
     */
    hashes(level: number, start: number, end: number): Uint8Array;
    /**
     * The root that the tree had at a size.
     * @param {number} size at most the tree's own
     * @returns {Uint8Array} 32 bytes
     */
    rootAt(size: number): Uint8Array;
}
/** Hashes of one level, one after the other, in an array that grows. */
declare class Level {
    bytes: Uint8Array<ArrayBuffer>;
    count: number;
    /** The position of the next hash. @returns {number} */
    next(): number;
}
export {};
