// A hand by its table and time, over a list that the service gives in short pages.

import assert from "node:assert/strict";
import { test } from "node:test";

import { handsAround } from "../workers/explore/find.js";

/** A repeatable source of numbers under `n`. */
function random(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % n;
  };
}

/** A log of two tables, with many short or few long commitments of each, and its service. */
function logOf({ seed, commitments, rounds }) {
  const next = random(seed);
  const all = [];
  let [index, time] = [0, 1_000];
  for (let i = 0; i < commitments; i++) {
    const table = next(3) === 0 ? "b" : "a";
    const commitment = i.toString(16).padStart(64, "0");
    const course = { commitment, table, index: index++, time: (time += next(50)), state: "open" };
    const deals = Array.from({ length: next(rounds + 1) }, (_, nonce) => ({
      nonce,
      state: "dealt",
      dealt: { index: index++, time: (time += 1 + next(50)) },
    }));
    all.push({ ...course, next: deals.length, deals });
  }
  let asked = 0;
  const api = async (path) => {
    asked++;
    const url = new URL(path, "http://x/");
    const [from, most] = ["from", "most"].map((name) => Number(url.searchParams.get(name)));
    if (url.pathname === "/v1/commitments") {
      const table = url.searchParams.get("table");
      const found = all.filter((each) => each.table === table && each.index >= from);
      return { commitments: found.slice(0, most) };
    }
    const { deals } = all.find(({ commitment }) => path.includes(commitment));
    return { rounds: deals.slice(from, from + most) };
  };
  return { all, api, size: index, last: time, asked: () => asked };
}

test("the hands nearest to a time are found, in long and in short commitments", async () => {
  for (const [seed, commitments, rounds] of [
    [1, 3, 4],
    [2, 400, 1],
    [3, 900, 3],
    [4, 2, 500],
    [5, 40, 0],
  ]) {
    const { all, api, size, last } = logOf({ seed, commitments, rounds });
    const hands = all.filter(({ table }) => table === "a").flatMap(({ deals }) => deals);
    for (let k = 0; k <= 20; k++) {
      const time = Math.round((last * k) / 20);
      const found = await handsAround(api, "a", time, size);
      assert.ok(found.length <= 12);
      const distance = (at) => Math.abs(at.time - time);
      const nearest = Math.min(...hands.map(({ dealt }) => distance(dealt)));
      assert.equal(Math.min(...found.map(distance)), nearest, `${seed}: ${time}`);
      assert.deepEqual(
        found.map(({ index }) => index),
        found.map(({ index }) => index).sort((x, y) => x - y),
      );
    }
    assert.deepEqual(await handsAround(api, "nobody's", last, size), []);
  }
});

test("a search asks little, and a service that says nonsense does not keep it busy", async () => {
  const { api, size, last, asked } = logOf({ seed: 7, commitments: 3000, rounds: 3 });
  await handsAround(api, "a", last / 2, size);
  assert.ok(asked() < 60, String(asked()));
  let count = 0;
  const nonsense = async () => {
    count++;
    return {
      commitments: Array.from({ length: 100 }, () => ({ commitment: "..", index: 0, time: 0 })),
    };
  };
  assert.deepEqual(await handsAround(nonsense, "a", 5, 2 ** 53 - 1), []);
  assert.ok(count < 1000, String(count));
});
