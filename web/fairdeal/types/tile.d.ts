/**
 * The path of a file.
 * @param {number | "entries"} level
 * @param {number | bigint} index
 * @param {number} [width] 256 for a full file
 * @returns {string}
 */
export function tilePath(level: number | "entries", index: number | bigint, width?: number): string;
/**
 * Reads a path. Only the printed form is legal.
 * @param {string} path
 * @returns {Tile}
 * @throws {Refused} `tile-path`
 */
export function readPath(path: string): Tile;
/**
 * The entries of a bundle.
 * @param {Uint8Array} bytes
 * @param {number} width how many entries
 * @returns {Uint8Array[]}
 * @throws {Refused} `bundle`
 */
export function readBundle(bytes: Uint8Array, width: number): Uint8Array[];
/**
 * The hashes of a tile, one after the other.
 * @param {Uint8Array} bytes
 * @param {number} width how many hashes
 * @returns {Uint8Array}
 * @throws {Refused} `tile`
 */
export function readHashes(bytes: Uint8Array, width: number): Uint8Array;
/**
 * The number of full tiles of each level of a tree, and the width of its partial tile (0 if there
 * is none).
 * @param {number | bigint} size of the tree
 * @returns {{level: number, full: bigint, width: number}[]}
 */
export function levelsOf(size: number | bigint): {
    level: number;
    full: bigint;
    width: number;
}[];
/** Hashes or entries of a full file. */
export const FULL: 256;
/** The maximum number of bytes of an entry bundle. */
export const LONGEST_BUNDLE: number;
/** The maximum number of bytes of a hash tile. */
export const LONGEST_TILE: number;
export type Tile = {
    level: number | "entries";
    index: bigint;
    /**
     * 1 to 256
     */
    width: number;
};
