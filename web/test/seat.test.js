// The player's kit: what is the player's own, what is caught, what accuses nobody.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHex, toBase64 } from "../fairdeal/bytes.js";
import { signedMessage } from "../fairdeal/contribution.js";
import { evidenceFiles } from "../fairdeal/evidence.js";
import { toGive, toOpen, verifyReceipts } from "../fairdeal/index.js";
import { ModelLog, ModelTable } from "./model-log.js";
import {
  assertCaught,
  assertUnsure,
  bob,
  codes,
  dealt,
  forkOf,
  judged,
  locked,
  seatAt,
  start,
} from "./seat-game.js";

test("an honest round with a random seed is fair, here and for a verifier with what was kept: the contribution and the lock, or the evidence", async () => {
  const game = await start();
  await dealt(game);
  assert.equal(game.alice.state.state, "waiting");
  const receipt = JSON.stringify(await game.table.reveal());
  await game.alice.receive(receipt);
  assert.equal(game.alice.state.state, "fair", JSON.stringify(game.alice.state));
  const key = game.log.signing.vkey;
  const evidence = await game.alice.export();
  const { files, mine } = await evidenceFiles(evidence);
  const lock = files.find(({ name }) => name.startsWith("lock")).file;
  const stateWith = async (...kept) => (await verifyReceipts([receipt], { key, mine: kept })).state;
  assert.deepEqual(
    [await stateWith(...mine, lock), await stateWith(evidence), await stateWith(...mine)],
    ["fair", "fair", "unproved"],
  );
  const { own, others } = await judged(game.alice, key);
  assert.deepEqual([own, others], ["fair", "unproved"], "the evidence alone");
});

test("a seed that the page gave is marked as given, and the round is unproved", async () => {
  for (const [seed, state] of [
    ["the page's seed", "unproved"],
    [undefined, "fair"],
  ]) {
    const game = await start();
    await dealt(game, { seed });
    await game.alice.receive(await game.table.reveal());
    assert.equal(game.alice.state.state, state);
    assert.equal(game.alice.state.notShown.includes("no-collusion"), seed !== undefined);
    const { mine } = await evidenceFiles(await game.alice.export());
    assert.equal(mine[0].given, seed === undefined ? undefined : true);
  }
});

test("a round of seeds in the clear is unproved: the operator may know them all", async () => {
  const game = await start({ terms: { mixing: "seeds" } });
  await dealt(game);
  await game.alice.receive(await game.table.reveal());
  assert.equal(game.alice.state.state, "unproved");
});

/** A whole round without the seat, with contributions of these labels. */
async function without(log, name, labels, terms = {}) {
  const table = new ModelTable(log, name, terms);
  await table.commit();
  const all = await Promise.all(labels.map((from) => bob(log, table, 0, from)));
  const more = terms.layout === undefined ? {} : { seats: ["alice", ...labels] };
  await table.lock(all.map(toGive), more);
  await table.deal(all.map(toOpen));
  return table.reveal();
}

test("another table's round with an invented alice is not the player's, and does not displace the player's round", async () => {
  const game = await start();
  const invented = await without(game.log, "other", ["alice", "bob"]);
  const idle = await seatAt(game.log);
  await idle.receive(invented);
  await assertUnsure(idle, game.log, "not-yours");
  await dealt(game);
  const { commitment, cards } = game.alice.state;
  await game.alice.receive(invented);
  assert.deepEqual(
    [game.alice.state.state, game.alice.state.commitment, game.alice.state.cards],
    ["waiting", commitment, cards],
  );
  await game.alice.receive(await game.table.reveal());
  assert.equal(game.alice.state.state, "fair");
});

test("a round in which the player has a seat and no seed is not the player's", async () => {
  const game = await start();
  const terms = { layout: { hand: 2 } };
  await game.alice.receive(await without(game.log, "seats", ["bob"], terms));
  await assertUnsure(game.alice, game.log, "not-yours");
  assert.equal(game.alice.cards.length, 2, "the cards are shown as what they are");
});

test("an old round never takes the place of the current one; the next given one does, once this one is dealt", async () => {
  const game = await start();
  const { commitment } = game.table;
  const first = await dealt(game);
  const two = await game.alice.contribute({
    commitment,
    nonce: 1,
    promise: game.promise,
    count: 2,
  });
  assert.deepEqual([game.alice.state.nonce, game.alice.state.stage], [1, "given"]);
  await game.alice.receive(first.deal);
  assert.equal(game.alice.state.nonce, 1, "a lower nonce");
  await game.alice.contribute({ commitment, nonce: 0 });
  assert.equal(game.alice.state.nonce, 1, "the same contribution again");
  const one = await bob(game.log, game.table, 1);
  const lock = await game.table.lock([two[0], toGive(one)], { nonce: 1 });
  const mine = await game.alice.receive(lock);
  await game.alice.receive(first.deal);
  assert.deepEqual([game.alice.state.nonce, game.alice.state.stage], [1, "opened"]);
  await game.alice.receive(await game.table.deal([mine, toOpen(one)]));
  const third = await bob(game.log, game.table, 2);
  await game.alice.receive(await game.table.lock([two[1], toGive(third)], { nonce: 2 }));
  assert.equal(game.alice.state.nonce, 2);
  const again = await seatAt(game.log, { storage: game.storage });
  assert.deepEqual([again.state.nonce, again.state.stage], [2, "opened"], "after a reload");
});

test("when the seed is public every round of the commitment is dealt again, though the reveal comes with the last one alone", async () => {
  for (const cheat of [({ cards }) => ({ cards: cards.slice(2) + cards.slice(0, 2) }), undefined]) {
    for (const more of [{}, { log: null }]) {
      const game = await start({ more });
      for (const nonce of [0, 1, 2, 3])
        await dealt(game, { nonce, ...(nonce === 0 && cheat !== undefined ? { cheat } : {}) });
      assert.deepEqual(game.alice.state.findings, []);
      await game.alice.receive(await game.table.reveal());
      if (cheat === undefined) assert.equal(game.alice.state.state, "fair");
      else await assertCaught(game.alice, game.log, "result-mismatch");
    }
  }
});

test("what was caught stays: after good rounds, contributions, a reload and 200 promises of other tables", async () => {
  const game = await start();
  await dealt(game, { cheat: ({ cards }) => ({ cards: cards.slice(2) + cards.slice(0, 2) }) });
  await game.alice.receive(await game.table.reveal());
  await assertCaught(game.alice, game.log, "result-mismatch");
  for (let i = 0; i < 200; i++) {
    const other = new ModelTable(game.log, `other ${i}`);
    await game.alice.receive(await other.commit());
  }
  const good = { ...game, table: new ModelTable(game.log, "good") };
  good.promise = await good.table.commit();
  await dealt(good);
  await game.alice.receive(await good.table.reveal());
  assert.ok(game.alice.state.shown.includes("yours"), "the round itself is shown");
  await assertCaught(game.alice, game.log, "result-mismatch");
  for (const from of ["alice", "a new label"])
    await assertCaught(
      await seatAt(game.log, { storage: game.storage, from }),
      game.log,
      "result-mismatch",
    );
  const other = await seatAt(game.log);
  assert.equal(other.state.state, "idle", "another player caught nothing");
});

test("two promises of one table are compared, however many other tables promise in between", async () => {
  const game = await start();
  await game.alice.receive(game.promise);
  for (let i = 0; i < 100; i++)
    await game.alice.receive(await new ModelTable(game.log, `other ${i}`).commit());
  await game.alice.receive(await game.table.commit());
  await assertCaught(game.alice, game.log, "out-of-turn");
  const { commitment } = game.table;
  await assert.rejects(game.alice.contribute({ commitment, nonce: 0 }), { code: "caught" });
});

test("a larger view that does not continue the saved head is caught, by a proof from the log's own tiles", async () => {
  for (const more of [1, 3, 10, 300]) {
    const game = await start();
    await game.alice.receive(game.promise);
    const { other, table, grow } = forkOf(game.log, more);
    await grow();
    const promise = await table.commit();
    game.log.served = other;
    await game.alice.receive(promise);
    await assertCaught(game.alice, game.log, "inconsistent");
    const { since } = await evidenceFiles(await game.alice.export());
    assert.ok(
      since.some(({ seen }) => seen?.[0].size === game.log.size),
      "a proved root",
    );
  }
});

test("a log that grew by the rules is no fork, whatever its size", async () => {
  for (const more of [1, 3, 10, 300]) {
    const game = await start();
    await game.alice.receive(game.promise);
    for (let i = 0; i < more; i++) await new ModelTable(game.log, `other ${i}`).commit();
    const table = new ModelTable(game.log, "next");
    await game.alice.receive(await table.commit());
    assert.deepEqual([game.alice.state.state, game.alice.state.claims], ["waiting", []]);
  }
});

test("a view of the same size, and a receipt that proves another root at the saved size, are caught without the log", async () => {
  const game = await start({ more: { log: null } });
  await game.alice.receive(game.promise);
  const { other, table } = forkOf(game.log, 0);
  await game.alice.receive(await table.commit());
  await assertCaught(game.alice, game.log, "inconsistent");

  const two = await start({ more: { log: null } });
  await two.alice.receive(two.promise);
  const fork = forkOf(two.log, 0);
  await fork.grow();
  const promise = await fork.table.commit();
  await new ModelTable(fork.other, "more").commit();
  const shown = await fork.other.receipt([promise.entries[0].index]);
  shown.seen = [await fork.other.seen(two.log.size)];
  await two.alice.receive(shown);
  await assertCaught(two.alice, two.log, "inconsistent");
  assert.ok(other.size > 0);
});

test("where the host gives no proof nobody is caught until there is one, and nothing is opened meanwhile", async () => {
  const game = await start();
  await game.alice.receive(game.promise);
  const { other, table, grow } = forkOf(game.log, 3);
  await grow();
  const promise = await table.commit();
  // The log is shorter than the view: nobody knows yet.
  await game.alice.receive(promise);
  await assertUnsure(game.alice, game.log, "unlinked");
  game.log.down = true;
  await game.alice.receive(promise);
  await assertUnsure(game.alice, game.log, "unlinked");
  game.log.down = false;
  // Tiles that do not lead to the signed head prove nothing.
  game.log.served = Object.assign(Object.create(other), {
    file: (path) => other.file(path)?.map((byte) => byte ^ 1) ?? null,
  });
  await game.alice.receive(promise);
  await assertUnsure(game.alice, game.log, "unlinked");
  // The log grows past the view, and another file brings the proof of it.
  game.log.served = game.log;
  for (let i = 0; i < 6; i++) await new ModelTable(game.log, `grows ${i}`).commit();
  await game.alice.receive(await new ModelTable(game.log, "last").commit());
  await assertCaught(game.alice, game.log, "inconsistent");
});

test("with the log unreachable a seed is opened only under a lock that continues everything that was saved", async () => {
  for (const newer of [false, true]) {
    const game = await start();
    const { lock, other } = await locked(game);
    // Another receipt shows a newer head than the contribution names.
    if (newer) await game.alice.receive(await new ModelTable(game.log, "newer").commit());
    game.log.down = true;
    const reply = await game.alice.receive(lock);
    assert.equal(reply === null, newer);
    if (newer) {
      await assertUnsure(game.alice, game.log, "unlinked");
      game.log.down = false;
      assert.equal((await game.alice.receive(lock)).from, "alice", "the log answers again");
    }
    assert.equal(other.from, "bob");
  }
});

test("a clock that is 299 s ahead says nothing; one that is further ahead says overdue, which is remembered and accuses nobody", async () => {
  for (const [ahead, code] of [
    [299_000, undefined],
    [301_000, "overdue"],
  ]) {
    let wrong = 0;
    const game = await start();
    const alice = await seatAt(game.log, { clock: () => game.log.now + wrong });
    await dealt({ ...game, alice });
    const { commitment } = game.table;
    game.log.now = alice.state.revealBy - 2000;
    wrong = ahead + 2000;
    await alice.check(commitment, 0);
    assert.deepEqual([alice.state.findings, codes(alice.state.claims)], [[], code ? [code] : []]);
    assert.equal(alice.state.state, code === undefined ? "waiting" : "unsure");
    if (code !== undefined) await assertUnsure(alice, game.log, code);
    await game.table.reveal();
    await alice.check(commitment, 0);
    // Nothing shows whether this device's clock was wrong, or the reveal's time.
    if (code !== undefined) await assertUnsure(alice, game.log, code);
    else assert.deepEqual([alice.state.state, alice.state.claims], ["fair", []]);
    alice.close();
  }
});

test("a reveal after its time is caught by its own time", async () => {
  for (const [late, state] of [
    [0, "fair"],
    [1, "caught"],
  ]) {
    const game = await start();
    await dealt(game);
    await game.alice.receive(await game.table.reveal({ time: game.alice.state.revealBy + late }));
    assert.equal(game.alice.state.state, state);
    if (state === "caught") await assertCaught(game.alice, game.log, "late-reveal");
  }
});

test("a seed that never comes is said, and is no catch: only an audit shows it to others", async () => {
  const game = await start();
  await dealt(game);
  game.log.now = game.alice.state.revealBy + 300_001;
  await game.alice.check(game.table.commitment, 0);
  await assertUnsure(game.alice, game.log, "overdue");
  const { findings } = await evidenceFiles(await game.alice.export());
  assert.deepEqual(codes(findings), ["overdue"]);
  game.alice.close();
});

test("a receipt that somebody cut, and a wrong opening, accuse nobody and are not kept", async () => {
  const game = await start({ terms: { sealed: true } });
  const { deal } = await dealt(game);
  const files = async () => (await evidenceFiles(await game.alice.export())).files.length;
  const before = await files();
  const cut = { ...deal, entries: deal.entries.filter((_, i) => i !== 1) };
  await game.alice.receive(cut);
  await assertUnsure(game.alice, game.log, "invalid-receipt");
  await game.alice.receive(await game.table.opening([0], { lie: (item) => (item + 1) % 52 }));
  await assertUnsure(game.alice, game.log, "opening-mismatch");
  assert.equal(await files(), before);
  await game.alice.receive(await game.table.opening([0]));
  assert.deepEqual([game.alice.state.state, await files()], ["waiting", before + 1]);
  await game.alice.receive(await game.table.reveal());
  assert.equal(game.alice.state.state, "fair");
});

test("a file that this log's key did not sign says nothing of a round that is over, and is said before", async () => {
  const game = await start();
  const stranger = await ModelLog.make(game.log.key.name);
  const strange = await new ModelTable(stranger, "strange").commit();
  await dealt(game);
  await game.alice.receive(strange);
  await assertUnsure(game.alice, game.log, "bad-signature");
  await game.alice.receive(await game.table.reveal());
  await game.alice.receive(strange);
  assert.deepEqual([game.alice.state.state, game.alice.state.claims], ["fair", []]);
});

test("a lock without the player's hash is no catch: the player was not in this round", async () => {
  const game = await start();
  const { commitment } = game.table;
  await game.alice.contribute({ commitment, nonce: 0, promise: game.promise });
  const other = await bob(game.log, game.table);
  assert.equal(await game.alice.receive(await game.table.lock([toGive(other)])), null);
  await assertUnsure(game.alice, game.log, "absent");
  const { mine } = await evidenceFiles(await game.alice.export());
  assert.deepEqual(mine, [], "the seed stays secret");
  await game.alice.receive(await game.table.deal([toOpen(other)]));
  await game.alice.receive(await game.table.reveal());
  await assertUnsure(game.alice, game.log, "absent");
});

test("a round that does not have the player's contribution gives way to the next one that does", async () => {
  const { alice, log, table, promise } = await start();
  const { commitment } = table;
  const given = await alice.contribute({ commitment, nonce: 0, promise, count: 2 });
  const other = await bob(log, table);
  await alice.receive(await table.lock([toGive(other)]));
  assert.equal(alice.state.nonce, 0);
  await table.deal([toOpen(other)]);
  await alice.receive(await table.lock([given[1]], { nonce: 1 }));
  assert.deepEqual([alice.state.nonce, alice.state.stage], [1, "opened"]);
});

test("a round that is given up after its lock is no catch, and its seed is still due", async () => {
  const game = await start();
  const { commitment } = game.table;
  const { lock } = await locked(game);
  assert.notEqual(await game.alice.receive(lock), null);
  game.log.push({ entry: "void", commitment, nonce: 0, reason: "misdeal" });
  await game.alice.receive(await game.log.round(commitment, 0));
  const { state, stage, findings, claims } = game.alice.state;
  assert.deepEqual([state, stage, findings, claims], ["waiting", "voided", [], []]);
  game.log.now = game.alice.state.revealBy + 300_001;
  await game.alice.check(commitment, 0);
  await assertUnsure(game.alice, game.log, "overdue");
  game.alice.close();
});

test("a lock without exactly the player's contribution is no catch, nothing is opened, and the dealt round is not the player's", async () => {
  const stranger = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  /** What becomes of the contribution on its way to the lock. */
  const ways = {
    "another page's": async (given, { log, table }) => toGive(await bob(log, table, 0, "alice")),
    "of another page with the same key": async (given, { log, alice, table, promise }) => {
      const twin = await seatAt(log);
      twin.pair = alice.pair;
      return twin.contribute({ commitment: table.commitment, nonce: 0, promise });
    },
    "without its key": ({ key, signature, ...given }) => given,
    "signed by another": async (given, { log, table: { commitment } }) => {
      const message = signedMessage(log.key, commitment, 0, given);
      const { publicKey, privateKey } = stranger;
      return {
        ...given,
        key: Buffer.from(await crypto.subtle.exportKey("raw", publicKey)).toString("hex"),
        signature: toBase64(
          new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, message)),
        ),
      };
    },
    "without its view": ({ seen, ...given }) => given,
    "with another view": async (given, { log, table }) => {
      const seen = await log.checkpoint();
      return { ...given, seen: toGive(await bob(log, table, 0, "x", { seen })).seen };
    },
  };
  for (const [name, change] of Object.entries(ways)) {
    const game = await start();
    const { alice, log, table, promise } = game;
    const { commitment } = table;
    const given = await alice.contribute({ commitment, nonce: 0, promise });
    const { seed, blind } = (await alice.book.find(commitment, 0)).kept;
    await new ModelTable(log, "other").commit();
    const [changed, other] = [await change(given, game), await bob(log, table)];
    assert.equal(await alice.receive(await table.lock([changed, toGive(other)])), null, name);
    await assertUnsure(alice, log, "absent");
    assert.deepEqual((await evidenceFiles(await alice.export())).mine, [], "it stays secret");
    // A dealer that knows the seed all the same.
    await alice.receive(await table.deal([{ from: "alice", seed, blind }, toOpen(other)]));
    await alice.receive(await table.reveal());
    assert.notEqual(alice.state.state, "fair", name);
  }
});

test("what the log's key signed is caught, also under a checkpoint with an extension line, or with one more line", async () => {
  const ways = {
    extension: ({ log }, { size, root }) => log.note(size, root, "more\n"),
    line: ({ log }, _, note) =>
      `${note}— ${log.key.name} ${toBase64(fromHex(`${log.key.id}${"07".repeat(64)}`))}\n`,
  };
  for (const change of Object.values(ways)) {
    for (const cheats of [true, false]) {
      const game = await start();
      const { alice, log, table } = game;
      const spoilt = async (receipt) => {
        const { size } = log;
        const checkpoint = await change(
          game,
          { size, root: log.tree.rootAt(size) },
          receipt.checkpoint,
        );
        return { ...receipt, checkpoint };
      };
      const { lock, other } = await locked(game);
      assert.equal(await alice.receive(await spoilt(lock)), null, "nothing is opened");
      await assertUnsure(alice, log, "bad-signature");
      const mine = await alice.receive(lock);
      const cheat = ({ cards }) => ({ cards: cards.slice(0, 8) + cards.slice(0, 2) });
      const deal = await table.deal([mine, toOpen(other)], cheats ? { cheat } : {});
      await alice.receive(await spoilt(deal));
      if (cheats) await assertCaught(alice, log, "result-mismatch");
      else await assertUnsure(alice, log, "bad-signature");
    }
  }
});
