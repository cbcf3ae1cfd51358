import assert from "node:assert/strict";
import { test } from "node:test";

import { replay } from "../fairdeal/index.js";
import {
  byteFrames,
  framesOf,
  orderAfter,
  settledAfter,
  dealtOf,
  productOf,
} from "../ui/frames.js";
import { SHUFFLES } from "../workers/shuffles.js";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/** How often each order of n items occurs, over all sequences of words of a few bits. */
function orders(name, items, values, draws) {
  const counts = new Map();
  for (let path = 0; path < values ** draws; path++) {
    let rest = path;
    // The middle of a word's part, so that no word of an exact choice is refused.
    const words = {
      next: () => {
        const value = rest % values;
        rest = Math.floor(rest / values);
        return Math.floor(((value + 0.5) / values) * 2 ** 32);
      },
    };
    const dealt = Array.from(
      SHUFFLES[name](
        Uint16Array.from({ length: items }, (_, i) => i),
        words,
      ),
    ).join("");
    counts.set(dealt, (counts.get(dealt) ?? 0) + 1);
  }
  return counts;
}

test("Fisher–Yates gives each order of three equally often, over words that 6 divides", () => {
  assert.deepEqual([...orders("fisher-yates", 3, 6, 2).values()], [6, 6, 6, 6, 6, 6]);
});

test("swapping with any place gives some orders of three 4 paths of 27, and others 5", () => {
  assert.deepEqual([...orders("swap-any", 3, 3, 3).values()].sort(), [4, 4, 4, 5, 5, 5]);
});

test("Sattolo's gives cycles alone: 6 of the 24 orders of four", () => {
  const counts = orders("sattolo", 4, 6, 2);
  assert.equal(counts.size, 6);
  for (const order of counts.keys())
    assert.ok(
      [...order].every((item, place) => Number(item) !== place),
      order,
    );
});

test("a swap with any other place never gives an order of the wrong parity", () => {
  assert.equal(orders("never-self", 4, 3, 4).size, 12);
});

test("every shuffle but the XOR swap keeps all cards", () => {
  let state = 1;
  const words = { next: () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) };
  for (const [name, shuffle] of Object.entries(SHUFFLES)) {
    const dealt = shuffle(
      Uint16Array.from({ length: 52 }, (_, i) => i),
      words,
    );
    if (name !== "xor-swap") assert.equal(new Set(Array.from(dealt)).size, 52, name);
    assert.equal(dealt.length, 52, name);
  }
});

test("the frames of a deal end in its deal, for both methods, cards and lists, whole and in part", () => {
  for (const [method, deck, draw] of [
    ["shuffle", "standard-52"],
    ["cycle", "standard-52"],
    ["shuffle", "jokers-54", 5],
    ["shuffle", 7],
    ["cycle", 2],
    ["shuffle", 1],
  ]) {
    for (let nonce = 0; nonce < 20; nonce++) {
      const replayed = replay({
        serverSeed: SEED,
        nonce,
        contributions: [{ from: "a", seed: "b" }],
        deck,
        draw,
        method,
        trace: true,
      });
      const items =
        typeof deck === "number"
          ? deck
          : replay({ serverSeed: SEED, nonce, contributions: [{ from: "a", seed: "b" }], deck })
              .cards.length / 2;
      const frames = framesOf(replayed, method, items, draw ?? items);
      const settled = settledAfter(frames, items, frames.length, method);
      const dealt = dealtOf(orderAfter(frames, items, frames.length), settled, method);
      assert.equal(settled, draw ?? items);
      if (replayed.indices !== undefined) assert.deepEqual(dealt, replayed.indices);
      for (const { word, range, refused, j } of frames) {
        if (word === null) continue;
        const { place, rest, limit, product } = productOf(word, range);
        assert.equal(product, place * 2 ** 32 + rest);
        assert.equal(refused, rest < limit);
        if (!refused) assert.equal(place, j);
      }
    }
  }
});

test("with bytes for words each place keeps equally many of them, and the rest are refused", () => {
  for (let range = 2; range <= 52; range++) {
    const counts = Array(range).fill(0);
    for (let word = 0; word < 256; word++) {
      const { place, rest, limit } = productOf(word, range, 256);
      if (rest >= limit) counts[place]++;
    }
    assert.deepEqual(new Set(counts), new Set([Math.floor(256 / range)]), `${range} places`);
  }
  let byte = 0;
  const frames = byteFrames(52, () => byte++ % 256);
  assert.ok(frames.some(({ refused }) => refused));
  assert.equal(new Set(orderAfter(frames, 52, frames.length)).size, 52);
});
