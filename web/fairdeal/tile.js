// The files of a log (C2SP tlog-tiles; spec/ledger.md, section 10.2).

import { Refused, shown } from "./refused.js";

/** Hashes or entries of a full file. */
export const FULL = 256;
/** The maximum number of bytes of an entry bundle. */
export const LONGEST_BUNDLE = 256 * 65537;
/** The maximum number of bytes of a hash tile. */
export const LONGEST_TILE = 256 * 32;

/**
 * @typedef {object} Tile
 * @property {number | "entries"} level
 * @property {bigint} index
 * @property {number} width 1 to 256
 */

const PATH =
  /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/**
 * The path of a file.
 * @param {number | "entries"} level
 * @param {number | bigint} index
 * @param {number} [width] 256 for a full file
 * @returns {string}
 */
export function tilePath(level, index, width = FULL) {
  const digits = String(index);
  const padded = digits.padStart(3 * Math.ceil(digits.length / 3), "0");
  const elements = padded.match(/.{3}/g) ?? [];
  const last = elements.length - 1;
  const path = elements.map((element, i) => (i < last ? `x${element}` : element)).join("/");
  return `tile/${level}/${path}${width === FULL ? "" : `.p/${width}`}`;
}

/**
 * Reads a path. Only the printed form is legal.
 * @param {string} path
 * @returns {Tile}
 * @throws {Refused} `tile-path`
 */
export function readPath(path) {
  const found = PATH.exec(path);
  if (found !== null) {
    const level = found[1] === "entries" ? found[1] : Number(found[1]);
    const index = BigInt(found[2].replace(/[x/]/g, ""));
    const width = found[3] === undefined ? FULL : Number(found[3]);
    const legal = level === "entries" || level < 64;
    if (legal && width <= FULL && index < 2n ** 63n && tilePath(level, index, width) === path)
      return { level, index, width };
  }
  throw new Refused("tile-path", `expected the path of a tile, found ${shown(path)}`);
}

/**
 * The entries of a bundle.
 * @param {Uint8Array} bytes
 * @param {number} width how many entries
 * @returns {Uint8Array[]}
 * @throws {Refused} `bundle`
 */
export function readBundle(bytes, width) {
  const entries = [];
  let at = 0;
  for (let i = 0; i < width; i++) {
    const start = at + 2;
    const end = start + bytes[at] * 256 + bytes[at + 1];
    // Past the end of the array the length is NaN.
    if (!(end <= bytes.length))
      throw new Refused("bundle", `expected ${width} entries, entry ${i} is cut short`);
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  if (at !== bytes.length)
    throw new Refused(
      "bundle",
      `expected ${width} entries and nothing after them, found ${bytes.length - at} bytes`,
    );
  return entries;
}

/**
 * The hashes of a tile, one after the other.
 * @param {Uint8Array} bytes
 * @param {number} width how many hashes
 * @returns {Uint8Array}
 * @throws {Refused} `tile`
 */
export function readHashes(bytes, width) {
  if (bytes.length !== 32 * width || width < 1 || width > FULL) {
    throw new Refused(
      "tile",
      `a tile of ${width} hashes has ${32 * width} bytes, found ${bytes.length}`,
    );
  }
  return bytes;
}

/**
 * The number of full tiles of each level of a tree, and the width of its partial tile (0 if there
 * is none).
 * @param {number | bigint} size of the tree
 * @returns {{level: number, full: bigint, width: number}[]}
 */
export function levelsOf(size) {
  const levels = [];
  for (let hashes = BigInt(size), level = 0; hashes > 0n; hashes /= 256n, level++) {
    levels.push({ level, full: hashes / 256n, width: Number(hashes % 256n) });
  }
  return levels;
}
