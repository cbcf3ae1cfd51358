import assert from "node:assert/strict";
import { test } from "node:test";

import { Edge, WrongTiles } from "../workers/explore/edge.js";
import { Tree, leafHash } from "../fairdeal/merkle.js";
import { toHex, utf8 } from "../fairdeal/bytes.js";

const LARGEST = 66_100;
const tree = new Tree();
for (let i = 0; i < LARGEST; i++) tree.push(leafHash(utf8(String(i))));
const rootAt = (size) => toHex(tree.rootAt(size));

/** The tiles that a log of a size has, no others. */
const tilesOf = (size) => ({
  tile: async (level, index, width) => {
    const hashes = Math.floor(size / 256 ** level);
    return index * 256 + width <= hashes
      ? tree.hashes(8 * level, 256 * index, 256 * index + width).slice()
      : null;
  },
});

const SIZES = [
  0,
  1,
  2,
  3,
  255,
  256,
  257,
  511,
  512,
  513,
  1000,
  65_535,
  65_536,
  65_537,
  65_792,
  66_000,
  LARGEST,
];

test("the roots that a log had follow from its tiles, for every two sizes", async () => {
  for (const size of SIZES) {
    const edge = new Edge(tilesOf(size), size);
    await edge.open(rootAt(size));
    for (const before of SIZES.filter((each) => each <= size)) {
      assert.equal(await edge.rootAt(before), rootAt(before), `${before} of ${size}`);
    }
  }
  for (let size = 1; size <= 40; size++) {
    const edge = new Edge(tilesOf(size), size);
    await edge.open(rootAt(size));
    for (let before = 0; before <= size; before++)
      assert.equal(await edge.rootAt(before), rootAt(before), `${before} of ${size}`);
  }
});

test("no tile that is not the tree's is used", async () => {
  const size = 66_000;
  for (const [level, index] of [
    [0, 0],
    [0, 255],
    [0, 256],
    [0, 257],
    [1, 0],
    [1, 1],
    [2, 0],
  ]) {
    const honest = tilesOf(size);
    const source = {
      tile: async (...asked) => {
        const tile = await honest.tile(...asked);
        if (tile !== null && asked[0] === level && asked[1] === index) tile[7] ^= 1;
        return tile;
      },
    };
    await assert.rejects(
      async () => {
        const edge = new Edge(source, size);
        await edge.open(rootAt(size));
        await edge.rootAt(index === 0 && level === 0 ? 3 : 256 * index + 5);
        await edge.rootAt(65_536 + 257);
        await edge.rootAt(65_535);
      },
      WrongTiles,
      `level ${level}, tile ${index}`,
    );
  }
  await assert.rejects(new Edge(tilesOf(size), size).open(rootAt(size - 1)), WrongTiles);
  await assert.rejects(new Edge({ tile: async () => null }, size).open(rootAt(size)), WrongTiles);
});
