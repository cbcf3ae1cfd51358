// What a seat still catches when there is much of something: many rounds, many promises, many files
// in a message; and in a log with an unusual name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readHead } from "../fairdeal/continuity.js";
import { verifyEvidence } from "../fairdeal/evidence.js";
import { toOpen } from "../fairdeal/index.js";
import { readSeen } from "../workers/explore/compare.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { assertCaught, codes, dealt, judged, locked, seatAt, start } from "./seat-game.js";

test("a log whose name begins with a byte order mark is compared as any other log", async () => {
  for (const name of [
    "plain.example/log",
    "\ufeffbom.example/log",
    "\ufeff\ufefftwo.example/log",
  ]) {
    for (const more of [0, 1]) {
      const log = await ModelLog.make(name);
      const promise = await new ModelTable(log, "t").commit();
      const note = await log.checkpoint();
      assert.equal((await readHead(new TextEncoder().encode(note), log.key))?.note, note);
      assert.equal(readSeen(new TextEncoder().encode(note)).note, note);
      const alice = await seatAt(log);
      await alice.receive(promise);
      const fork = new ModelLog(log.signing);
      fork.now = log.now;
      for (let i = 0; i <= more; i++) await new ModelTable(fork, `fork ${i}`).commit();
      log.served = fork;
      await alice.receive(await fork.receipt([0]));
      await assertCaught(alice, log, "inconsistent");
      alice.close();
    }
  }
});

/** Swaps the first card of a deal for one that was not dealt. */
const swap = ({ cards }) => {
  const other = ["2c", "3c", "4c", "5c", "6c", "7c"].find((each) => !cards.includes(each));
  return { cards: other + cards.slice(2) };
};

test("the exported file shows no character that changes the direction of text, and has its value", async () => {
  const from = "alice\u202egnp";
  const game = await start({ terms: { table: "t\u2066\u061c" }, more: { from } });
  const { deal } = await dealt(game);
  await game.alice.receive(await game.table.reveal());
  const file = await game.alice.export();
  assert.doesNotMatch(file, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  const { files } = JSON.parse(file);
  assert.ok(files.some(({ file: { entries } }) => entries[0].entry === deal.entries[0].entry));
  assert.equal((await judged(game.alice, game.log.signing.vkey)).own, "fair");
});

test("every round is dealt again when its reveal comes, however many records came after it", async () => {
  for (const how of ["honest", "many rounds", "shown after the reveal", "many promises"]) {
    const game = await start({ terms: { rounds: 500 } });
    const { alice, log, table } = game;
    const rounds = how === "many promises" ? 2 : 100;
    let first;
    for (let nonce = 0; nonce < rounds; nonce++) {
      const { lock, other } = await locked(game, { nonce });
      const mine = await alice.receive(lock);
      const cheats = nonce === 0 && how !== "honest";
      const deal = await table.deal([mine, toOpen(other)], cheats ? { cheat: swap } : {});
      if (nonce === 0) first = deal;
      if (nonce > 0 || how !== "shown after the reveal") await alice.receive(deal);
    }
    for (let i = 0; how === "many promises" && i < 100; i++)
      await alice.receive(await new ModelTable(log, `table ${i}`).commit());
    assert.deepEqual(alice.state.findings, []);
    const reveal = await table.reveal({ time: log.now });
    await alice.receive(reveal);
    if (how === "shown after the reveal") {
      assert.equal(alice.book.recent.length, 96);
      await alice.receive(first);
    }
    const { recent, waits } = alice.book;
    assert.deepEqual([waits.length, recent.filter(({ judged }) => judged).length <= 96], [0, true]);
    if (how === "honest") assert.deepEqual([alice.state.state, alice.state.claims], ["fair", []]);
    else {
      await assertCaught(alice, log, "result-mismatch");
      const all = await verifyEvidence(await alice.export({ all: true }), {
        key: log.signing.vkey,
      });
      assert.ok(codes(all.findings).includes("result-mismatch"));
    }
    alice.close();
  }
});

test("a seat still waits for a reveal if its page closed before the rounds were dealt again", async () => {
  const game = await start({ terms: { rounds: 500 } });
  const { alice, log, table, storage } = game;
  for (const nonce of [0, 1]) {
    const { lock, other } = await locked(game, { nonce });
    const mine = await alice.receive(lock);
    await alice.receive(await table.deal([mine, toOpen(other)], nonce ? {} : { cheat: swap }));
  }
  const failed = { ...storage, set: storage.set };
  const tab = await seatAt(log, { storage: failed });
  failed.set = async (name, value) => {
    if (name.includes("caught")) throw new Error("the page closed");
    await storage.set(name, value);
  };
  await assert.rejects(tab.receive(await table.reveal()), /the page closed/);
  tab.close();
  const seat = await seatAt(log, { storage });
  assert.equal(seat.timers.size, 1);
  await seat.check(table.commitment, 1);
  await assertCaught(seat, log, "result-mismatch");
  for (const each of [seat, alice]) each.close();
});

test("a message with very many receipts is refused in one line, before any of them is judged", async () => {
  const { alice, log, promise } = await start();
  const receipts = [promise];
  while (receipts.length < 101) {
    log.push({ entry: "x" });
    receipts.push(await log.receipt([0]));
  }
  const says =
    /^a message has at most 100 receipts and openings; found 101: send several messages$/;
  await assert.rejects(alice.receive({ deep: [receipts] }), { code: "message", message: says });
  assert.equal(alice.book.judged.known.size, 0);
  await alice.receive(receipts.slice(0, 100));
  assert.deepEqual([alice.state.state, alice.state.claims], ["waiting", []]);
});

test("a second successor of a promise is caught, however many promises came between", async () => {
  for (const how of ["honest", "second successor", "second first promise"]) {
    const { alice, log, table, promise } = await start();
    await alice.receive(promise);
    const first = table.commitment;
    const follow = async (after) => {
      log.push({ entry: "void", commitment: table.commitment, reason: "the table closes" });
      await alice.receive(await table.commit({ after }));
    };
    for (let i = 0; i < 20; i++) await follow(table.commitment);
    assert.deepEqual(codes(alice.state.findings), []);
    if (how === "honest") await follow(table.commitment);
    else await follow(how === "second successor" ? first : undefined);
    if (how === "honest") assert.deepEqual(codes(alice.state.findings), []);
    else await assertCaught(alice, log, "out-of-turn");
    alice.close();
  }
});

test("a seat remembers the judgements of few signed files, and of none that anybody can write", async () => {
  const { alice, log, promise } = await start();
  const { judged } = alice.book;
  await alice.receive(promise);
  for (let n = 0; n < 40; n++)
    await alice.receive({ ...promise, checkpoint: `${n}${"x".repeat(2 ** 20)}` });
  assert.equal(judged.known.size, 1);
  const pad = "x".repeat(65_000);
  for (let n = 0; n < 40; n++) log.push({ entry: "x", n, pad });
  const all = await log.receipt([...Array(41).keys()]);
  let last = "";
  for (let n = 1; n <= 20; n++) {
    last = JSON.stringify({ ...all, entries: [all.entries[0], ...all.entries.slice(n)] });
    await alice.book.judge(last);
  }
  const texts = [...judged.known.keys()];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  assert.deepEqual([judged.length, texts.at(-1) === last], [length, true]);
  assert.ok(length > 2 ** 24 && length <= 2 ** 25, `${length}`);
  assert.equal(await alice.book.judge(last), await alice.book.judge(last));
  alice.close();
});

test("of very many receipts of one round the last one stays, and all of them are still compared", async () => {
  for (const how of ["honest", "fork of a replaced checkpoint", "fork of what one showed"]) {
    const game = await start({ more: { log: null } });
    const { alice, log, table, storage } = game;
    await dealt(game);
    const { commitment } = table;
    /** @type {any} */
    let fork;
    for (let i = 0; i < 30; i++) {
      await new ModelTable(log, `other ${i}`).commit();
      if (i === 9) fork = log.fork(log.size - 1);
      // One is shown a tree that no checkpoint of its size is of.
      if (i === 10 && how === "fork of what one showed")
        await alice.receive({
          ...(await log.round(commitment, 0)),
          seen: [await log.seen(log.size - 1)],
        });
      else if (i !== 9 || how !== "fork of what one showed")
        await alice.receive(await log.round(commitment, 0));
    }
    const { files } = await alice.book.find(commitment, 0);
    assert.deepEqual(
      files.map(({ name }) => name.replace(/-.*/, "")),
      ["lock", "deal"],
    );
    const { since } = JSON.parse(await alice.export());
    assert.ok(since.length >= 28, `${since.length}`);
    if (how === "honest") {
      await alice.receive(await table.reveal());
      assert.deepEqual([alice.state.state, alice.state.claims], ["fair", []]);
    } else {
      await alice.receive(await new ModelTable(fork, "forged").commit());
      assert.equal((await seatAt(log, { storage, log: null })).state.state, "caught");
      await assertCaught(alice, log, "inconsistent");
    }
    alice.close();
  }
});

test("an opening of the same cards replaces the one before, and another one does not", async () => {
  const game = await start({ terms: { sealed: true, rounds: 2 }, more: { log: null } });
  const { alice, log, table } = game;
  await dealt(game);
  for (let i = 0; i < 6; i++) {
    await new ModelTable(log, `other ${i}`).commit();
    await alice.receive(await table.opening([i % 2]));
  }
  const { files } = await alice.book.find(table.commitment, 0);
  assert.equal(files.filter(({ name }) => name.startsWith("opening")).length, 2);
  assert.equal(new Set(files.map(({ name }) => name)).size, files.length);
  assert.deepEqual(
    alice.state.cards.flatMap(({ t, item }) => (item === undefined ? [] : [t])),
    [0, 1],
  );
  alice.close();
});
