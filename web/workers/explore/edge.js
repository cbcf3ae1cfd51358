// The roots that a log had, from its tiles. Every used tile is verified up to the log's root.
//
// A tree of n leaves has, on each level of tiles, full tiles and at most one partial tile. The
// partial tiles are its right edge. The edge gives the root, and each full tile's hash is in a tile
// of the next level.

import { concat, equal, toHex } from "../../fairdeal/bytes.js";
import { EMPTY_ROOT, nodeHash } from "../../fairdeal/merkle.js";
import { FULL, levelsOf } from "../../fairdeal/tile.js";

/** The tiles do not give the root that was signed, or one is missing. */
export class WrongTiles extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "WrongTiles";
    this.code = "tree-mismatch";
  }
}

/**
 * @param {readonly Uint8Array[]} hashes at least one
 * @returns {Uint8Array}
 */
function rootOf(hashes) {
  if (hashes.length === 1) return hashes[0];
  let half = 1;
  while (2 * half < hashes.length) half *= 2;
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
}

/**
 * @param {Uint8Array} tile
 * @param {number} width
 * @returns {Uint8Array[]}
 */
function hashesOf(tile, width) {
  return Array.from({ length: width }, (_, i) => tile.subarray(32 * i, 32 * i + 32));
}

/**
 * The root over an edge: on each level the last hashes, followed by the hash of the levels below.
 * @param {readonly Uint8Array[][]} levels
 * @returns {string} in hexadecimal
 */
function rootOfEdge(levels) {
  /** @type {Uint8Array | null} */
  let below = null;
  for (const hashes of levels) {
    const all = below === null ? hashes : [...hashes, below];
    if (all.length > 0) below = rootOf(all);
  }
  return below === null ? EMPTY_ROOT : toHex(below);
}

/** The verified tiles of one tree. */
export class Edge {
  /**
   * @param {{tile?: (level: number, index: number, width: number) => Promise<Uint8Array | null>}}
   * source
   * @param {number} size
   */
  constructor(source, size) {
    this.source = source;
    this.levels = levelsOf(size).map(({ full, width }) => ({ full: Number(full), width }));
    /** @type {Map<string, Uint8Array>} */
    this.tiles = new Map();
  }

  /**
   * @param {number} level
   * @param {number} index
   * @param {number} width
   * @returns {Promise<Uint8Array>}
   */
  async read(level, index, width) {
    const tile = (await this.source.tile?.(level, index, width)) ?? null;
    if (tile === null) throw new WrongTiles(`the tile ${index} of level ${level} is missing`);
    return tile;
  }

  /**
   * Reads the right edge, and compares it with the root. All other checks depend on it.
   * @param {string} root in hexadecimal
   * @throws {WrongTiles}
   */
  async open(root) {
    const edge = await Promise.all(
      this.levels.map(async ({ full, width }, level) => {
        if (width === 0) return [];
        const tile = await this.read(level, full, width);
        this.tiles.set(`${level} ${full}`, tile);
        return hashesOf(tile, width);
      }),
    );
    const found = rootOfEdge(edge);
    if (found !== root)
      throw new WrongTiles(`the tiles give root ${found}, the checkpoint has ${root}`);
  }

  /**
   * @param {number} level
   * @param {number} index
   * @returns {Promise<Uint8Array>} a verified tile of the tree
   * @throws {WrongTiles}
   */
  async tileAt(level, index) {
    const name = `${level} ${index}`;
    const known = this.tiles.get(name);
    if (known !== undefined) return known;
    const [tile, above] = await Promise.all([
      this.read(level, index, FULL),
      this.tileAt(level + 1, Math.floor(index / FULL)),
    ]);
    const place = index % FULL;
    if (!equal(rootOf(hashesOf(tile, FULL)), above.subarray(32 * place, 32 * place + 32))) {
      throw new WrongTiles(`the tile ${index} of level ${level} is not the tree's`);
    }
    this.tiles.set(name, tile);
    return tile;
  }

  /**
   * The root that the tree had when it was smaller.
   * @param {number} size at most the tree's own
   * @returns {Promise<string>} in hexadecimal
   * @throws {WrongTiles}
   */
  async rootAt(size) {
    const levels = await Promise.all(
      levelsOf(size).map(async ({ full, width }, level) =>
        width === 0
          ? []
          : hashesOf(
              concat((await this.tileAt(level, Number(full))).subarray(0, 32 * width)),
              width,
            ),
      ),
    );
    return rootOfEdge(levels);
  }
}
