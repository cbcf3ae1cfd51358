// The files of a log, by their paths (spec/audit.md, sections 13.1 and 13.2).

import { Refused } from "./refused.js";
import { FULL, LONGEST_BUNDLE, LONGEST_TILE, readBundle, readHashes, tilePath } from "./tile.js";

/**
 * Reads a file of a log. Null means that the log does not have it. It throws if that is unknown:
 * then there is no verdict.
 * @callback ReadFile
 * @param {string} path such as `checkpoint` or `tile/0/000.p/3`
 * @returns {Uint8Array | null | Promise<Uint8Array | null>}
 */

/**
 * A log, as an audit reads it.
 * @typedef {object} Source
 * @property {() => Promise<Uint8Array | null>} checkpoint
 * @property {(index: number, width: number) => Promise<Uint8Array[] | null>} bundle its entries;
 * null if it is missing.
 *   Throws {@link Refused} if it does not hold them
 * @property {(level: number, index: number, width: number) => Promise<Uint8Array | null>} [tile]
 *   its hashes; null if it is missing. Throws {@link Refused} if it does not hold them. Absent if
 *   the log has no tiles
 */

/**
 * A log in files.
 * @implements {Source}
 */
export class FileSource {
  /** @param {ReadFile} readFile */
  constructor(readFile) {
    this.readFile = readFile;
  }

  /** @returns {Promise<Uint8Array | null>} */
  async checkpoint() {
    return this.read("checkpoint");
  }

  /**
   * @param {string} path
   * @returns {Promise<Uint8Array | null>}
   */
  async read(path) {
    const bytes = await this.readFile(path);
    if (bytes !== null && !(bytes instanceof Uint8Array))
      throw new TypeError(`${path}: expected a Uint8Array or null`);
    return bytes;
  }

  /**
   * A file of a width, or the full file that may replace it.
   * @param {number | "entries"} level
   * @param {number} index
   * @param {number} width
   * @returns {Promise<{bytes: Uint8Array, width: number} | null>}
   */
  async either(level, index, width) {
    const bytes = await this.read(tilePath(level, index, width));
    if (bytes !== null) return { bytes, width };
    const full = width === FULL ? null : await this.read(tilePath(level, index));
    return full === null ? null : { bytes: full, width: FULL };
  }

  /**
   * @param {number} index
   * @param {number} width
   * @returns {Promise<Uint8Array[] | null>}
   */
  async bundle(index, width) {
    const file = await this.either("entries", index, width);
    if (file === null) return null;
    if (file.bytes.length > LONGEST_BUNDLE)
      throw new Refused("bundle", `a bundle has at most ${LONGEST_BUNDLE} bytes`);
    return readBundle(file.bytes, file.width).slice(0, width);
  }

  /**
   * @param {number} level
   * @param {number} index
   * @param {number} width
   * @returns {Promise<Uint8Array | null>}
   */
  async tile(level, index, width) {
    const file = await this.either(level, index, width);
    if (file === null) return null;
    if (file.bytes.length > LONGEST_TILE)
      throw new Refused("tile", `a tile has at most ${LONGEST_TILE} bytes`);
    return readHashes(file.bytes, file.width).subarray(0, 32 * width);
  }
}
