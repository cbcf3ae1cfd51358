// What a seat still catches when there is much of something: many rounds, many promises, many files
// in a message; and in a log with an unusual name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readHead } from "../fairdeal/continuity.js";
import { readSeen } from "../workers/explore/compare.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { assertCaught, seatAt } from "./seat-game.js";

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
