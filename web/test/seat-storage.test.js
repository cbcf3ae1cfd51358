// What a seat tells and keeps when its storage is full, damaged, or not there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStorage } from "../fairdeal/storage.js";
import { ModelTable } from "./model-log.js";
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

/** What somebody else may have left under a name. */
const GARBAGE = [
  "garbage",
  7,
  true,
  null,
  [],
  {},
  [null],
  ["x"],
  { recent: 1, files: "x", saved: {} },
];

/** A storage with its values, to be damaged. */
function open(kept = new Map()) {
  return {
    kept,
    get: async (name) => structuredClone(kept.get(name)),
    set: async (name, value) => void kept.set(name, structuredClone(value)),
  };
}

test("whatever is under the names of a storage, a seat goes on, says it, and forgets nothing else that was caught", async () => {
  const storage = open();
  const game = await start({ terms: { rounds: 2 }, more: { storage } });
  const { alice, log, table } = game;
  const { lock, deal } = await dealt(game);
  const second = new ModelTable(log, "second");
  await alice.receive(await second.commit());
  const first = second.commitment;
  const before = new Map(storage.kept);
  const cheat = await second.commit({ after: undefined });
  await alice.receive(cheat);
  await assertCaught(alice, log, "out-of-turn");
  const reveal = await table.reveal();
  let damaged = 0;
  for (const [caught, kept] of [
    [false, before],
    [true, storage.kept],
  ]) {
    for (const name of kept.keys()) {
      for (const value of GARBAGE) {
        const at = `${caught} ${name} ${JSON.stringify(value)}`;
        const seat = await seatAt(log, { storage: open(new Map([...kept, [name, value]])) });
        const isOfCaught = name.includes('"caught"');
        const told = seat.state.findings.length > 0;
        assert.equal(told, caught && !isOfCaught, at);
        for (const message of [lock, deal, reveal]) await seat.receive(message);
        await seat.export({ all: true });
        if (codes(seat.state.claims).includes("storage")) damaged++;
        else if (value !== null) assert.deepEqual(seat.state.claims, [], at);
        if (!caught) await seat.receive(cheat);
        // Without the first promise, nothing shows that there are two.
        const isShown = ![first, '"table"', '"after"'].some((part) => name.includes(part));
        if (caught ? !isOfCaught : isShown) assert.equal(seat.state.state, "caught", at);
        seat.close();
      }
    }
  }
  assert.ok(damaged > 100, `${damaged}`);
  alice.close();
});

test("a list of what was caught that cannot be read stays under what is caught next", async () => {
  const storage = open();
  const game = await start({ more: { storage } });
  await game.alice.receive(game.promise);
  const name = game.alice.book.name("caught");
  storage.kept.set(name, [{ code: "of a later version" }]);
  await game.alice.receive(await game.table.commit({ after: undefined }));
  assert.deepEqual(codes(storage.kept.get(name)), ["out-of-turn", "of a later version"]);
  await assertCaught(await seatAt(game.log, { storage }), game.log, "out-of-turn");
});

test("a seed is opened under no other lock if the first one cannot be read", async () => {
  const storage = open();
  const game = await start({ more: { storage } });
  const { lock } = await locked(game);
  const name = game.alice.book.place({ commitment: game.table.commitment, nonce: 0 });
  for (const [opened, isOpened] of [
    [undefined, true],
    [7, false],
  ]) {
    const record = { ...storage.kept.get(name), opened };
    const seat = await seatAt(game.log, {
      storage: open(new Map([...storage.kept, [name, record]])),
    });
    assert.equal((await seat.receive(lock)) !== null, isOpened);
    seat.close();
  }
});
