// What a browser remembers of a log, for every label and over reloads: its views, what was caught,
// what was missed, and the lock's receipt. Each test has an attack with the log's own key, and the
// nearest thing that an honest operator does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { evidenceFiles, verifyEvidence } from "../fairdeal/evidence.js";
import { toGive, toOpen } from "../fairdeal/index.js";
import { keyId, keyText } from "../fairdeal/key.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { ModelLog, ModelTable } from "./model-log.js";
import {
  assertCaught,
  assertUnsure,
  bob,
  codes,
  dealt,
  forkOf,
  locked,
  seatAt,
  start,
} from "./seat-game.js";

/** Another seat of the same browser, or the same seat after a reload. */
const again = ({ log, storage }, more = {}) => seatAt(log, { storage, ...more });

test("a forked view for a second label is caught by the head that the first label saw", async () => {
  for (const honest of [false, true]) {
    const game = await start();
    await game.alice.receive(game.promise);
    const second = await again(game, { from: "a new label" });
    const { other, table, grow } = forkOf(game.log, 2);
    await grow();
    if (!honest) game.log.served = other;
    await second.receive(honest ? await game.table.commit({ table: "t2" }) : await table.commit());
    if (!honest) await assertCaught(second, game.log, "inconsistent");
    assert.equal(second.state.state, honest ? "waiting" : "caught");
  }
});

test("labels and tables that look like the names of other values collide with none", async () => {
  for (const from of ["caught", "alice table t", "alice key", '","', "seat"]) {
    const game = await start();
    await game.alice.receive(game.promise);
    const other = await again(game, { from });
    const { commitment } = game.table;
    await other.contribute({ commitment, nonce: 0 });
    const reloaded = await again(game, { from });
    assert.deepEqual([reloaded.state.stage, reloaded.state.state], ["given", "waiting"], from);
    const seat = await again(game);
    assert.equal(seat.state.state, "idle", from);
    await seat.receive(await game.table.commit());
    await assertCaught(seat, game.log, "out-of-turn");
    await other.contribute({ commitment, nonce: 0 }).catch(() => undefined);
    await assertCaught(await again(game), game.log, "out-of-turn");
  }
});

test("evidence keeps the head that a finding rests on, however far the log goes on", async () => {
  for (const honest of [false, true]) {
    for (const more of [{}, { log: null }]) {
      const game = await start({ more });
      const { log, alice, promise } = game;
      await alice.receive(promise);
      const table = new ModelTable(log, "second");
      const seen = honest ? await log.checkpoint() : await log.note(1, new Uint8Array(32).fill(7));
      await table.commit();
      const tied = await table.brought("bob", { seen });
      // Without this proof, only the player's own head shows that the log never had this root.
      const { seen: proofs, ...lock } = await table.lock([toGive(tied)]);
      assert.equal(proofs.length, 1);
      await alice.receive(lock);
      for (let size = 1; size < 8; size = log.size) {
        const later = await new ModelTable(log, `later ${size}`).commit();
        await alice.receive({ ...later, seen: [await log.seen(size)] });
      }
      const seat = await again(game, more);
      if (honest) assert.deepEqual([seat.state.findings, seat.state.claims], [[], []]);
      else await assertCaught(seat, log, "inconsistent");
    }
  }
});

test("two signed heads of one size are caught: both unlinked, or one linked long ago, with a log and without", async () => {
  for (const more of [{}, { log: null }]) {
    for (const how of ["unlinked", "linked long ago", "the same"]) {
      const game = await start({ more });
      await game.alice.receive(game.promise);
      const fork = game.log.fork();
      const views = [];
      for (const log of [game.log, fork]) {
        await new ModelTable(log, log === fork ? "forged" : "x").commit();
        views.push(await new ModelTable(log, log === fork ? "forged too" : "y").commit());
      }
      const [view, forged] = views;
      game.log.down = how !== "linked long ago";
      await game.alice.receive(view);
      for (let i = 0; i < 3; i++)
        await game.alice.receive(await new ModelTable(game.log, `later ${i}`).commit());
      game.log.down = true;
      await game.alice.receive(how === "the same" ? view : forged);
      if (how === "the same") assert.deepEqual(game.alice.state.findings, []);
      else await assertCaught(await again(game, more), game.log, "inconsistent");
    }
  }
});

test("a view that is not linked is remembered and said, over good files and reloads, until there is proof", async () => {
  for (const honest of [false, true]) {
    const game = await start();
    await game.alice.receive(game.promise);
    let promise;
    if (honest) {
      // The service is behind: it shows the log of before.
      game.log.served = game.log.fork();
      for (let i = 0; i < 5; i++) promise = await new ModelTable(game.log, `new ${i}`).commit();
    } else {
      const { other, table, grow } = forkOf(game.log, 5);
      await grow();
      promise = await table.commit();
      assert.ok(other.size > game.log.size);
    }
    await game.alice.receive(promise);
    await assertUnsure(game.alice, game.log, "unlinked");
    // A file that is linked by its own proof.
    await game.alice.receive(game.promise);
    await assertUnsure(game.alice, game.log, "unlinked");
    const seat = await again(game);
    await assertUnsure(seat, game.log, "unlinked");
    assert.ok(codes((await evidenceFiles(await seat.export())).findings).includes("unlinked"));
    assert.equal(seat.timers.size, 1, "the log is asked again");
    // The log grows past the view, and proves one of two things.
    game.log.served = game.log;
    while (game.log.size <= 8) await new ModelTable(game.log, `later ${game.log.size}`).commit();
    await seat.link();
    if (honest) assert.deepEqual([seat.state.findings, seat.state.claims], [[], []]);
    else await assertCaught(seat, game.log, "inconsistent");
    seat.close();
    game.alice.close();
  }
});

test("a reveal that was missing when it was due is remembered after it came backdated, and after a reload; one that was in the log and was not shown is withdrawn", async () => {
  for (const hidden of [false, true]) {
    const game = await start();
    await dealt(game);
    const { commitment } = game.table;
    const due = game.alice.state.revealBy;
    const time = due - 1000;
    if (hidden) {
      await game.table.reveal({ time });
      const index = game.log.size - 1;
      game.log.hidden.add(index);
      await game.alice.receive(await new ModelTable(game.log, "another").commit({ time }));
    }
    game.log.now = due + 300_001;
    await game.alice.check(commitment, 0);
    await assertUnsure(game.alice, game.log, "overdue");
    game.log.hidden.clear();
    if (!hidden) await game.table.reveal({ time });
    const seat = await again(game);
    await assertUnsure(seat, game.log, "overdue");
    await seat.check(commitment, 0);
    if (hidden) assert.deepEqual([seat.state.state, seat.state.claims], ["fair", []]);
    else {
      await assertUnsure(seat, game.log, "overdue");
      await assertUnsure(await again(game), game.log, "overdue");
    }
    seat.close();
    game.alice.close();
  }
});

test("after a reload the seat still waits for each seed that is due, not only for that of the round it shows", async () => {
  const game = await start();
  await dealt(game);
  const { commitment: first } = game.table;
  const next = { ...game, table: new ModelTable(game.log, "next") };
  next.promise = await next.table.commit();
  await dealt(next);
  const seat = await again(game);
  assert.equal(seat.state.commitment, next.table.commitment);
  assert.deepEqual([...seat.timers.keys()], [first, next.table.commitment]);
  game.log.now = seat.state.revealBy + 300_001;
  await seat.check(first, 0);
  const { findings } = await evidenceFiles(await seat.export());
  assert.deepEqual(codes(findings), ["overdue"]);
  await seat.receive(await game.table.reveal());
  await seat.receive(await next.table.reveal());
  assert.equal((await again(game)).timers.size, 0);
  seat.close();
  game.alice.close();
});

test("the first key of a log's name is kept, and another one is refused with both", async () => {
  const game = await start();
  const { name, id } = game.log.key;
  const other = await ModelLog.make(name);
  await assert.rejects(
    again(game, { key: other.signing.vkey }),
    ({ code, message }) =>
      code === "key" &&
      message.includes(game.log.signing.vkey) &&
      message.includes(other.signing.vkey),
  );
  assert.equal((await again(game)).verifierKey.includes(id), true);
  const third = await ModelLog.make(`${name}/third`);
  await again(game, { key: third.signing.vkey });
});

test("a key whose name is too long to be hashed is an error in one line", async () => {
  const { publicKey } = (await ModelLog.make()).key;
  for (const [length, code] of [
    [65_535, undefined],
    [65_536, "key"],
    [400_000, "key"],
  ]) {
    const name = "n".repeat(length);
    const key = keyText({ name, id: keyId(name, publicKey), publicKey });
    const log = { signing: { vkey: key } };
    const made = bob(log, { commitment: "0".repeat(64) });
    if (code === undefined) assert.equal((await made).log, key);
    else await assert.rejects(made, { code, message: /at most 65,535 bytes/ });
  }
});

test("no seed is opened for a lock once a reveal of its commitment was shown, to any seat of this browser", async () => {
  for (const [who, revealed] of [
    ["alice", true],
    ["another label", true],
    ["alice", false],
  ]) {
    const game = await start();
    const { commitment } = game.table;
    const { lock } = await locked(game);
    if (revealed) {
      await game.table.reveal();
      await (await again(game, { from: who })).receive(await game.log.receipt([0, 2]));
    }
    const seat = await again(game);
    assert.equal((await seat.receive(lock)) === null, revealed);
    if (revealed) await assertUnsure(seat, game.log, "late-lock");
    const { mine } = await evidenceFiles(await seat.export());
    assert.equal(mine.length, revealed ? 0 : 1);
    assert.ok(commitment);
    seat.close();
  }
});

test("an old lock of a round that was given up is not opened", async () => {
  const game = await start();
  const { commitment } = game.table;
  const { lock } = await locked(game);
  game.log.push({ entry: "void", commitment, nonce: 0, reason: "misdeal" });
  await game.alice.receive(await game.log.round(commitment, 0));
  assert.equal(await game.alice.receive(lock), null);
  assert.deepEqual([game.alice.state.stage, game.alice.state.findings], ["voided", []]);
  game.alice.close();
});

test("two seats of one browser that see two views at the same time notice it", async () => {
  for (const honest of [false, true]) {
    const game = await start();
    await game.alice.receive(game.promise);
    const bert = await again(game, { from: "bert" });
    const fork = honest ? game.log : game.log.fork();
    const views = [];
    for (const log of [game.log, fork]) {
      const promise = await new ModelTable(log, `t${views.length}`).commit();
      views.push({ ...promise, seen: [await log.seen(1)] });
    }
    await Promise.all([game.alice.receive(views[0]), bert.receive(views[1])]);
    const seat = await again(game);
    if (honest) assert.deepEqual([seat.state.findings, seat.state.claims], [[], []]);
    else await assertCaught(seat, game.log, "inconsistent");
  }
});

test("a seat without a log waits for nothing once its round is revealed", async () => {
  const game = await start({ more: { log: null } });
  await dealt(game);
  assert.equal(game.alice.timers.size, 1);
  await game.alice.receive(await game.table.reveal());
  assert.deepEqual([game.alice.state.state, game.alice.state.claims], ["fair", []]);
  assert.equal((await again(game, { log: null })).timers.size, 0);
});

test("a round is compared with the next one, whichever is shown first", async () => {
  const game = await start({ terms: { rounds: 3 } });
  const { alice, log, table } = game;
  const { commitment } = table;
  const { lock, other } = await locked(game);
  const mine = await alice.receive(lock);
  const first = table.locked;
  const next = await table.lock([toGive(await bob(log, table, 1))], { nonce: 1 });
  table.locked = first;
  const deal = await table.deal([mine, toOpen(other)]);
  await alice.receive(next);
  assert.deepEqual(alice.state.findings, []);
  await alice.receive(deal);
  await assertCaught(alice, log, "open-round");
  assert.equal(alice.state.commitment, commitment);
});

test("a tab tells what another tab caught, also with a file that says nothing and when the log does not answer", async () => {
  for (const how of ["a stranger's file", "no answer"]) {
    const game = await start();
    const { log, alice, table } = game;
    const { commitment } = table;
    await locked(game);
    const tab = await again(game);
    await tab.receive(await table.commit({ after: undefined }));
    assert.deepEqual([tab.state.state, alice.state.state], ["caught", "waiting"]);
    log.down = true;
    if (how === "no answer") await alice.check(commitment, 0);
    else await alice.receive(await new ModelTable(await ModelLog.make(), "t").commit());
    assert.deepEqual(alice.state.findings, tab.state.findings, how);
    assert.equal(alice.state.state, "caught");
    for (const seat of [alice, tab]) seat.close();
  }
});

/** A storage that remembers its writes; `cut` is what is kept after some of them. */
function written() {
  const writes = [];
  const storage = memoryStorage();
  const set = async (name, value) => {
    writes.push([name, structuredClone(value)]);
    await storage.set(name, value);
  };
  const cut = async (count) => {
    const kept = memoryStorage();
    for (const [name, value] of writes.slice(0, count)) await kept.set(name, value);
    return kept;
  };
  return { writes, cut, storage: { ...storage, set } };
}

test("a page that closes after any write while it catches something has a file that shows what is caught", async () => {
  const { writes, cut, storage } = written();
  const game = await start({ more: { storage } });
  const { alice, log, table, promise } = game;
  await alice.contribute({ commitment: table.commitment, nonce: 0, promise });
  const lock = await table.lock([{ from: "bob", seed: "in the clear" }]);
  const before = writes.length;
  await alice.receive(lock);
  let caught = 0;
  for (let count = before; count <= writes.length; count++) {
    const seat = await again({ log, storage: await cut(count) });
    if (seat.state.findings.length > 0) caught++;
    if (seat.state.findings.length > 0) await assertCaught(seat, log, "weak-mixing");
    seat.close();
  }
  assert.ok(caught > 0);
  alice.close();
});

test("evidence with an opened seed always has the lock that was kept before, whatever came after the opening and whenever the page closed", async () => {
  for (const how of ["honest", "second lock", "second lock in a fork", "second lock alone"]) {
    const { writes, cut, storage } = written();
    const game = await start({ more: { storage } });
    const { alice, table } = game;
    const { lock, other } = await locked(game);
    const mine = await alice.receive(lock);
    const before = writes.length;
    const openings = [mine, toOpen(other)];
    if (how === "second lock in a fork") table.log = game.log.fork(1);
    if (how !== "honest") {
      const house = await bob(game.log, table, 0, "house");
      openings.push(toOpen(house));
      const given = JSON.parse(lock.entries[1].entry).contributions;
      await alice.receive(await table.lock([...given, toGive(house)]));
    }
    if (how !== "second lock alone") {
      await alice.receive(await table.deal(openings));
      await table.reveal();
      const last = table.log.size - 1;
      await alice.receive(await table.log.receipt([0, ...new Set([last - 2, last - 1, last])]));
    }
    alice.close();
    for (let count = before; count <= writes.length; count++) {
      const seat = await again({ log: game.log, storage: await cut(count) });
      const text = await seat.export();
      seat.close();
      const { files, mine: seeds } = JSON.parse(text);
      assert.equal(seeds.length, 1);
      const locks = files.filter(({ file }) => file.entries.at(-1).entry === lock.entries[1].entry);
      assert.equal(locks.length, 1, `${how}, ${count - before} writes after the opening`);
      const { state } = await verifyEvidence(text, { key: game.log.signing.vkey, kept: true });
      const [isLast, isHonest] = [count === writes.length, how === "honest"];
      assert.ok(isHonest ? state !== "caught" : state !== "fair", how);
      if (isLast) assert.equal(state, isHonest ? "fair" : "caught", how);
    }
  }
});

/** A storage whose next writes of a value that has some text fail. */
function failing(storage, text) {
  const set = async (name, value) => {
    if (JSON.stringify(value).includes(text)) throw new Error("the disk is full");
    await storage.set(name, value);
  };
  return { ...storage, set };
}

test("the lock's receipt is on the disk before the opening leaves; if it cannot be kept, nothing is opened, and the player is told why", async () => {
  for (const fails of [false, true]) {
    const game = await start();
    const { lock } = await locked(game);
    const disk = fails ? failing(game.storage, '"opened":') : game.storage;
    const seat = await again(game, { storage: disk });
    if (fails) {
      await assert.rejects(seat.receive(lock), /the disk is full/);
      await assertUnsure(seat, game.log, "storage");
    } else assert.equal((await seat.receive(lock)).from, "alice");
    const record = await seat.book.find(game.table.commitment, 0);
    assert.deepEqual(
      record.files.map(({ text, kept = false }) => [JSON.parse(text).entries.length, kept]),
      [[2, !fails]],
    );
    assert.equal(record.opened === undefined, fails);
    // The disk works again.
    if (fails) assert.equal((await (await again(game)).receive(lock)).from, "alice");
  }
});

test("without a receipt of the lock that is logged and has the player's hash, nothing is opened", async () => {
  for (const [change, code] of [
    [(lock) => ({ locked: lock.entries[1].entry }), undefined],
    [
      (lock) => ({ ...lock, checkpoint: lock.checkpoint.replace("\n\n", "\nx\n\n") }),
      "bad-signature",
    ],
    [(lock) => ({ ...lock, entries: [lock.entries[0]] }), undefined],
    [
      (lock) => ({ ...lock, entries: lock.entries.map((each) => ({ ...each, proof: [] })) }),
      "tree-mismatch",
    ],
  ]) {
    const game = await start();
    const { lock } = await locked(game);
    assert.equal(await game.alice.receive(change(lock)), null);
    if (code !== undefined) await assertUnsure(game.alice, game.log, code);
    assert.equal((await game.alice.receive(lock)).from, "alice");
  }
});

test("a second lock in the same tree, after the opening, never makes a round fair", async () => {
  const game = await start();
  const { lock, other } = await locked(game);
  const mine = await game.alice.receive(lock);
  const given = JSON.parse(lock.entries[1].entry).contributions;
  const house = await bob(game.log, game.table, 0, "house");
  await game.table.lock([...given, toGive(house)]);
  await game.table.deal([mine, toOpen(other), toOpen(house)]);
  await game.alice.receive(await game.table.reveal());
  await assertCaught(game.alice, game.log, "open-round");
  // Without the first lock nothing contradicts, and so nothing is fair.
  const blind = await seatAt(game.log, { storage: memoryStorage() });
  const record = await game.alice.book.find(game.table.commitment, 0);
  await blind.book.keep({ ...record, files: [], findings: [], opened: undefined, stage: "given" });
  const shown = await game.log.receipt([0, 2, 3, 4]);
  await blind.receive(shown);
  assert.equal(blind.state.state, "unproved");
});
