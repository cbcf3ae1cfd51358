// What a seat makes of heads of the log that are not linked yet, above all of those that come with a
// file that accuses nobody.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { fromHex, toBase64 } from "../fairdeal/bytes.js";
import { ModelTable } from "./model-log.js";
import { assertCaught, codes, dealt, judged, locked, seatAt, start } from "./seat-game.js";

/** Files that accuse nobody by themselves, under a checkpoint that the log's key signed. */
const WAYS = {
  "an extension line": async (receipt, log) => {
    const checkpoint = await log.note(log.size, log.tree.rootAt(log.size), "more\n");
    return { ...receipt, checkpoint };
  },
  "one more signature line": async (receipt, { key }) => {
    const line = `— ${key.name} ${toBase64(fromHex(`${key.id}${"07".repeat(64)}`))}\n`;
    return { ...receipt, checkpoint: receipt.checkpoint + line };
  },
  "a damaged entry": async ({ entries: [first, ...rest], ...receipt }) => {
    const entry = first.entry.replace(/"table":"/, '"table":"x');
    return { ...receipt, entries: [{ ...first, entry }, ...rest] };
  },
};

/** A fork of a size, and a receipt of it. */
async function forked(log, size) {
  const fork = log.fork(1);
  let receipt;
  while (fork.size < size) receipt = await new ModelTable(fork, `fork ${fork.size}`).commit();
  return { fork, receipt };
}

for (const [name, change] of Object.entries(WAYS)) {
  test(`a fork that only the head of a file with ${name} shows is caught, with a log and without, in any order and after a reload`, async () => {
    for (const more of [{}, { log: null }]) {
      for (const first of [true, false]) {
        const { log, alice, promise, storage } = await start({ more });
        await alice.receive(promise);
        const { fork, receipt } = await forked(log, 2);
        const honest = await new ModelTable(log, "another").commit();
        log.down = true;
        const spoilt = await change(receipt, fork);
        await alice.receive(first ? spoilt : honest);
        assert.deepEqual(alice.state.findings, []);
        const seat = await seatAt(log, { storage, ...more });
        await seat.receive(first ? honest : spoilt);
        await assertCaught(seat, log, "inconsistent");
        await assertCaught(await seatAt(log, { storage, ...more }), log, "inconsistent");
      }
    }
  });

  test(`the head of a file with ${name} is kept until the log has linked it, or is caught`, async () => {
    for (const honest of [true, false]) {
      const { log, alice, promise, storage } = await start();
      await alice.receive(promise);
      const { fork, receipt } = await forked(log, 3);
      while (log.size < 3) await new ModelTable(log, `later ${log.size}`).commit();
      const spoilt = await change(honest ? await log.receipt([2]) : receipt, honest ? log : fork);
      log.down = true;
      for (let i = 0; i < 2; i++) await alice.receive(spoilt);
      assert.deepEqual(alice.state.claims.map(({ code }) => code).sort(), [
        name === "a damaged entry" ? "tree-mismatch" : "bad-signature",
        "unlinked",
      ]);
      alice.close();
      const seat = await seatAt(log, { storage });
      assert.deepEqual(codes(seat.state.claims), ["unlinked"]);
      assert.deepEqual(seat.book.view.saved.size, 1, "it is never what the player saw");
      log.down = false;
      while (log.size < 5) await new ModelTable(log, `later ${log.size}`).commit();
      await seat.link();
      if (honest) assert.deepEqual([seat.state.claims, seat.state.findings], [[], []]);
      else await assertCaught(seat, log, "inconsistent");
      seat.close();
    }
  });

  test(`a round stays fair, here and for a verifier, when a file with ${name} comes before, in and after it`, async () => {
    for (const more of [{}, { log: null }]) {
      const game = await start({ more });
      const { alice, log, table } = game;
      const spoil = async (receipt) => alice.receive(await change(receipt, log));
      await spoil(game.promise);
      const { deal } = await dealt(game);
      await spoil(deal);
      const reveal = await table.reveal();
      await alice.receive(reveal);
      await spoil(reveal);
      await new ModelTable(log, "another").commit();
      await spoil(await log.receipt([log.size - 1]));
      await alice.receive(reveal);
      const { state, own } = await judged(alice, log.signing.vkey);
      assert.deepEqual([state, own], ["fair", "fair"]);
      alice.close();
    }
  });
}

test("one timer asks the log for all heads that are not linked, and no message puts it off", async () => {
  const { log, alice, promise, storage } = await start();
  await alice.receive(promise);
  log.served = log.fork();
  for (const each of [0, 1, 2]) {
    await alice.receive(await new ModelTable(log, `table ${each}`).commit());
    assert.deepEqual([...alice.timers.keys()], [""]);
  }
  const timer = alice.timers.get("");
  for (let i = 3; i < 20; i++)
    await alice.receive(await new ModelTable(log, `table ${i}`).commit());
  assert.deepEqual([...alice.timers], [["", timer]]);
  assert.equal(alice.book.view.heads.length, 20);
  let asked = 0;
  const fetch = (url) => {
    asked += url.endsWith("/checkpoint") ? 1 : 0;
    return log.fetch(url);
  };
  const seat = await seatAt(log, { storage, fetch });
  assert.deepEqual([...seat.timers.keys()], [""]);
  await seat.link();
  assert.deepEqual([asked, codes(seat.state.claims)], [1, ["unlinked"]]);
  log.served = log;
  for (const each of [seat, alice]) {
    await each.link();
    assert.deepEqual(each.state.claims, []);
    each.close();
  }
  assert.equal(asked, 2);
});

test("a log that answers very slowly delays an opening by 5 seconds in all, whatever came before the lock", async (t) => {
  const drips = createServer((_, response) => {
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise((resolve) => drips.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    drips.closeAllConnections();
    drips.close();
  });
  const more = { log: `http://127.0.0.1:${drips.address().port}/`, fetch: globalThis.fetch };
  const game = await start({ more });
  const { alice, log } = game;
  assert.equal(alice.patience.most, 5_000);
  alice.patience.most = 400;
  const { lock } = await locked(game);
  const views = [];
  for (let i = 0; i < 4; i++) views.push(await new ModelTable(log, `table ${i}`).commit());
  const began = performance.now();
  void alice.receive(views.slice(0, 2));
  void alice.receive(await WAYS["an extension line"](views[2], log));
  void alice.receive(views[3]);
  assert.notEqual(await alice.receive(lock), null);
  const took = performance.now() - began;
  assert.ok(took > 350 && took < 1_500, `${took} ms`);
  assert.deepEqual(codes(alice.state.claims), ["unlinked"]);
  // Later messages have a time of their own.
  assert.equal(await alice.receive(await log.receipt([log.size - 1], log.size)), null);
  assert.ok(performance.now() - began - took > 350);
  alice.close();
});
