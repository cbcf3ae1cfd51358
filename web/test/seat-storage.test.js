// What a seat tells and keeps when its storage is full, damaged, or not there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStorage } from "../fairdeal/storage.js";
import { assertCaught, codes, dealt, locked, seatAt, start } from "./seat-game.js";

/** A storage that keeps nothing more while it is full. */
function limited() {
  const { get, set } = memoryStorage();
  const storage = {
    isFull: false,
    get,
    set: async (name, value) => {
      if (storage.isFull) throw new Error("it is full");
      await set(name, value);
    },
  };
  return storage;
}

/** Swaps the first card of a deal for one that was not dealt. */
const swap = ({ cards }) => {
  const other = ["2c", "3c", "4c", "5c", "6c", "7c"].find((each) => !cards.includes(each));
  return { cards: other + cards.slice(2) };
};

test("what is caught while the storage is full is told at once, exported, and written when there is space", async () => {
  for (const how of ["second promise", "swapped card", "forked log"]) {
    const storage = limited();
    const game = await start({ terms: { rounds: 2 }, more: { storage } });
    const { alice, log, table } = game;
    const { deal } = await dealt(game, how === "swapped card" ? { cheat: swap } : {});
    let cheat;
    let code = "out-of-turn";
    if (how === "second promise") cheat = await table.commit({ after: undefined });
    if (how === "swapped card") {
      // Another round shows the seed: the swapped one is dealt again all the same.
      await locked(game, { nonce: 1 });
      [cheat, code] = [await table.reveal({ time: log.now }), "result-mismatch"];
    }
    if (how === "forked log") {
      const fork = log.fork(2);
      for (const name of ["a", "b", "c"]) fork.push({ entry: name });
      log.served = fork;
      [cheat, code] = [await fork.receipt([0]), "inconsistent"];
    }
    storage.isFull = true;
    await assert.rejects(alice.receive(cheat), /it is full/, how);
    await assertCaught(alice, log, code);
    assert.ok(codes(alice.state.claims).includes("storage"));
    await alice.receive(deal).catch(() => undefined);
    await assertCaught(alice, log, code);
    storage.isFull = false;
    await alice.receive(deal);
    assert.ok(!codes(alice.state.claims).includes("storage"));
    for (const seat of [alice, await seatAt(log, { storage })]) {
      await assertCaught(seat, log, code);
      seat.close();
    }
  }
});

test("a record that was caught while the storage was full takes nothing from what another tab kept meanwhile", async () => {
  const storage = limited();
  const game = await start({ more: { storage } });
  const { alice, log, table } = game;
  const { lock } = await locked(game);
  const tab = await seatAt(log, { storage });
  storage.isFull = true;
  const forged = await table.lock([{ from: "bob", seed: "in the clear" }]);
  await assert.rejects(tab.receive(forged), /it is full/);
  storage.isFull = false;
  assert.notEqual(await alice.receive(lock), null);
  const before = await alice.book.find(table.commitment, 0);
  await tab.receive(lock);
  const { files, ...after } = await alice.book.find(table.commitment, 0);
  assert.equal(after.opened, before.opened);
  assert.deepEqual(files.filter(({ kept }) => kept).length, 1);
  for (const seat of [tab, await seatAt(log, { storage })]) {
    await assertCaught(seat, log, codes(tab.state.findings)[0]);
    seat.close();
  }
  alice.close();
});
