import assert from "node:assert/strict";
import { test } from "node:test";

import { concat, utf8 } from "../fairdeal/bytes.js";
import { TiledTree } from "../fairdeal/continuity.js";
import { Tree, continues, leafHash } from "../fairdeal/merkle.js";
import { readPath } from "../fairdeal/tile.js";

const MOST = 70_000;
const tree = new Tree();
for (let i = 0; i < MOST; i++) tree.push(leafHash(utf8(`entry ${i}`)));

/** The files of the log when it had a number of entries. */
const filesAt = (size) => (path) => {
  const { level, index, width } = readPath(path);
  const first = Number(index) * 256;
  return first + width <= Math.floor(size / 256 ** level)
    ? concat(tree.hashes(8 * level, first, first + width))
    : null;
};

test("a proof made of tiles leads from each size to each larger one", async () => {
  const sizes = [1, 2, 3, 7, 8, 255, 256, 257, 300, 511, 512, 1000, 65_535, 65_536, 65_537, MOST];
  for (const size of sizes) {
    const tiles = new TiledTree(filesAt(size), size);
    assert.deepEqual(
      concat(await tiles.hash(0, size)),
      concat(tree.rootAt(size)),
      `root of ${size}`,
    );
    for (const old of [...sizes, 5, 129, 40_000].filter((each) => each <= size)) {
      const proof = await tiles.proof(old);
      assert.ok(
        continues(old, tree.rootAt(old), size, tree.rootAt(size), proof),
        `${old} to ${size}`,
      );
      const other = concat(tree.rootAt(old));
      other[0] ^= 1;
      assert.ok(
        !continues(old, other, size, tree.rootAt(size), proof),
        `another ${old} to ${size}`,
      );
    }
  }
});
