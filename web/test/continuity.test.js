import assert from "node:assert/strict";
import { test } from "node:test";

import { concat, utf8 } from "../fairdeal/bytes.js";
import { TiledTree } from "../fairdeal/continuity.js";
import { Tree, continues, leafHash, nodeHash } from "../fairdeal/merkle.js";
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

test("a proof made of tiles leads also to sizes that a logarithm of doubles cannot tell apart", async () => {
  // Every leaf of this log is the same, so each full subtree of a level has the same hash.
  const full = [leafHash(utf8("entry"))];
  while (full.length < 54) full.push(nodeHash(full.at(-1), full.at(-1)));
  const rootAt = (size) => {
    let root = null;
    for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / 2))
      if (left % 2 === 1) root = root === null ? full[level] : nodeHash(full[level], root);
    return root;
  };
  const file = (path) => {
    const { level, width } = readPath(path);
    return concat(...Array(width).fill(full[8 * level]));
  };
  const sizes = [40, 47, 48, 49, 50, 51, 52, 53].flatMap((bits) =>
    [-2, -1, 0, 1, 2, 300].map((more) => 2 ** bits + more),
  );
  const exact = sizes.filter((size) => size <= Number.MAX_SAFE_INTEGER);
  for (const size of exact) {
    const tiles = new TiledTree(file, size);
    assert.deepEqual(concat(await tiles.hash(0, size)), concat(rootAt(size)), `root of ${size}`);
    for (const old of [1, 1000, ...exact].filter((each) => each <= size)) {
      const proof = await tiles.proof(old);
      assert.ok(continues(old, rootAt(old), size, rootAt(size), proof), `${old} to ${size}`);
    }
  }
});
