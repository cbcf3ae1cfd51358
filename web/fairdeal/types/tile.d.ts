/**
 * The path of a file.
 * @param {number | "entries"} level
 * @param {number | bigint} index
 * @param {number} [width] 256 for a full one
 * @returns {string}
 */
export function tilePath(level: number | "entries", index: number | bigint, width?: number): string;
/**
 * Reads a path. It is legal only as it is printed.
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
 * How many full tiles each level of a tree has, and how wide its partial one is (0 if there is none).
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
/** The most bytes of an entry bundle. */
export const LONGEST_BUNDLE: number;
/** The most bytes of a hash tile. */
export const LONGEST_TILE: number;
export type Tile = {
    level: number | "entries";
    index: bigint;
    /**
     * 1 to 256
     */
    width: number;
};
