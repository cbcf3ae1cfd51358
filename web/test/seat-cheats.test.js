// Each way in which a dealer is caught: the player's evidence shows it to others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { toGive, toOpen } from "../fairdeal/index.js";
import { ModelTable } from "./model-log.js";
import { assertCaught, bob, dealt, forkOf, judged, locked, start } from "./seat-game.js";

/** Each cheat: what it does after the lock was opened, and what it is caught as. */
const CHEATS = {
  "another card": async (game) => {
    const cheat = ({ cards }) => ({ cards: cards.slice(2) + cards.slice(0, 2) });
    await dealt(game, { cheat });
    await game.alice.receive(await game.table.reveal());
    return "result-mismatch";
  },
  "an impossible card": async (game) => {
    await dealt(game, { cheat: ({ cards }) => ({ cards: cards.slice(0, 8) + cards.slice(0, 2) }) });
    return "result-mismatch";
  },
  "another lock in the same place": async (game) => {
    const before = game.log.fork();
    const { lock, other } = await locked(game);
    const mine = await game.alice.receive(lock);
    const house = await bob(before, game.table, 0, "house");
    const given = [toGive(house), toGive(other), lockOf(lock, "alice")];
    await game.table.lock(given, { log: before });
    const deal = await game.table.deal([mine, toOpen(other), toOpen(house)], { log: before });
    await game.alice.receive(deal);
    return "inconsistent";
  },
  "a second lock": async (game) => {
    const { lock, other } = await locked(game);
    const mine = await game.alice.receive(lock);
    const house = await bob(game.log, game.table, 0, "house");
    await game.table.lock([toGive(house), toGive(other), lockOf(lock, "alice")]);
    await game.alice.receive(await game.table.deal([mine, toOpen(other), toOpen(house)]));
    return "open-round";
  },
  "a seed that is not the promised one": async (game) => {
    await dealt(game);
    await game.alice.receive(await game.table.reveal({ server_seed: "ab".repeat(32) }));
    return "seed-mismatch";
  },
  "a seed in the clear where hashes were promised": async (game) => {
    const { commitment } = game.table;
    const given = await game.alice.contribute({ commitment, nonce: 0, promise: game.promise });
    await game.alice.receive(await game.table.lock([given, { from: "bob", seed: "x" }]));
    return "weak-mixing";
  },
  "a hash that is opened wrongly": async (game) => {
    const { lock, other } = await locked(game);
    const mine = await game.alice.receive(lock);
    const wrong = { ...toOpen(other), seed: "another" };
    await game.alice.receive(await game.table.deal([mine, wrong]));
    return "unopened-hash";
  },
  "two promises at once": async (game) => {
    await game.alice.receive(game.promise);
    await game.alice.receive(await game.table.commit());
    return "out-of-turn";
  },
  "a commit of another log": async (game) => {
    await game.alice.receive(await new ModelTable(game.log, "x").commit({ origin: "another" }));
    return "invalid-entry";
  },
};
const lockOf = (lock, from) =>
  JSON.parse(lock.entries[1].entry).contributions.find((each) => each.from === from);

for (const [name, cheat] of Object.entries(CHEATS)) {
  test(`${name} is caught, and the evidence shows it to others`, async () => {
    const game = await start();
    const code = await cheat(game);
    await assertCaught(game.alice, game.log, code);
  });
}

test("kit and verifier never differ: what is caught is in the evidence, what is fair is fair for a verifier, and an honest dealer is never caught", async () => {
  let random = 12345;
  const below = (n) => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return Math.floor((random / 2 ** 32) * n);
  };
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    const game = await start({ terms: { mixing: below(3) === 0 ? "seeds" : "hashes" } });
    const { log, alice } = game;
    const cheats = below(2) === 0;
    let honest = true;
    for (let nonce = 0; nonce < 3; nonce++) {
      const how = cheats ? below(8) : 7;
      if (below(4) === 0) await new ModelTable(log, `other ${nonce}`).commit();
      if (how < 5) honest = false;
      try {
        if (how === 0) await CHEATS["two promises at once"](game);
        if (how === 1) {
          const { other, grow } = forkOf(log, 1 + below(4));
          await grow();
          log.served = other;
          await alice.receive(await new ModelTable(other, "fork").commit());
          log.served = log;
        }
        const { other, lock } = await locked(game, { nonce });
        const mine = await alice.receive(lock);
        if (mine === null) break;
        const openings = [mine, how === 2 ? { ...toOpen(other), seed: "z" } : toOpen(other)];
        const cheat = ({ cards }) => ({ cards: cards.slice(2) + cards.slice(0, 2) });
        const deal = await game.table.deal(openings, how === 3 ? { cheat } : {});
        await alice.receive(deal);
      } catch (error) {
        if (error.name !== "Refused") throw error;
        break;
      }
    }
    if (game.table.locked !== undefined) {
      const late = cheats && below(4) === 0;
      if (late) honest = false;
      const time = late ? log.now + 700_000 : log.now;
      await alice.receive(await game.table.reveal({ time }));
    }
    const { state, others } = await judged(alice, log.signing.vkey);
    seen.add(state);
    assert.equal(state === "caught", others === "caught", `game ${i}: ${state}, ${others}`);
    if (honest) assert.equal(state, game.table.terms.mixing === "hashes" ? "fair" : "unproved");
  }
  assert.deepEqual(
    [...seen].sort().filter((state) => state !== "unsure"),
    ["caught", "fair", "unproved"],
  );
});
