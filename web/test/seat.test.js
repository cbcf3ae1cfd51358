// The player's kit against a dealer that holds the log's key, and cheats.

import assert from "node:assert/strict";
import { test } from "node:test";

import { evidenceFiles, verifyEvidence } from "../fairdeal/evidence.js";
import { contribution, toGive, toOpen, verifyReceipt } from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { BASE, ModelLog, ModelTable } from "./model-log.js";

let logs = 0;

/** A log, a table at it, a seat, and the table's promise. */
async function start({ terms = {}, more = {} } = {}) {
  const log = await ModelLog.make(`model-${logs++}.example/log`);
  const table = new ModelTable(log, "t", terms);
  const storage = memoryStorage();
  const alice = await seatAt(log, { storage, ...more });
  return { log, table, storage, alice, promise: await table.commit() };
}

const seatAt = (log, more = {}) =>
  player({
    log: BASE,
    fetch: log.fetch,
    key: log.signing.vkey,
    from: "alice",
    storage: memoryStorage(),
    clock: () => log.now,
    ...more,
  });

/** Another player's contribution, made by hand. */
const bob = (log, { commitment }, nonce = 0, from = "bob") =>
  contribution({ from, commitment, nonce, key: log.signing.vkey });

/** A round up to its lock. */
async function locked({ log, table, alice, promise }, { nonce = 0, seed, ...more } = {}) {
  const { commitment } = table;
  const given = await alice.contribute({ commitment, nonce, promise, seed });
  const other = await bob(log, table, nonce);
  const lock = await table.lock([given, toGive(other)], { nonce, ...more });
  return { lock, other, given };
}

/** A round up to its deal. */
async function dealt(game, more = {}) {
  const { lock, other } = await locked(game, more);
  const mine = await game.alice.receive(lock);
  assert.notEqual(mine, null, JSON.stringify(game.alice.state.claims));
  const deal = await game.table.deal([mine, toOpen(other)], more);
  await game.alice.receive(deal);
  return { lock, deal, mine, other };
}

const codes = (list) => list.map(({ code }) => code);

/** The state, and what the evidence shows to others: never less than `caught`. */
async function judged(seat, key) {
  const verdicts = await verifyEvidence(await seat.export(), { key });
  const accusing = [...verdicts.findings, ...verdicts.receipts.flatMap((r) => r.findings ?? [])]
    .filter(({ accuses }) => accuses === "operator")
    .map(({ code }) => code);
  assert.equal(verdicts.state === "caught", accusing.length > 0);
  return { state: seat.state.state, others: verdicts.state, accusing };
}

/** Asserts that a seat and its evidence agree on what was caught. */
async function assertCaught(seat, { signing: { vkey } }, code) {
  const { state, others, accusing } = await judged(seat, vkey);
  assert.deepEqual([state, others], ["caught", "caught"], JSON.stringify(seat.state));
  assert.ok(accusing.includes(code), accusing.join(" "));
  assert.ok(codes(seat.state.findings).includes(code), JSON.stringify(seat.state.findings));
}

/** Asserts that nobody is caught, with the reason that is told. */
async function assertUnsure(seat, { signing: { vkey } }, code) {
  const { findings, claims } = seat.state;
  assert.deepEqual([seat.state.state, findings, claims[0]?.code], ["unsure", [], code]);
  assert.notEqual((await judged(seat, vkey)).others, "caught");
}

test("an honest round with a random seed is fair, here and for a verifier with the kept contribution", async () => {
  const game = await start();
  const { other } = await dealt(game);
  assert.equal(game.alice.state.state, "waiting");
  const receipt = await game.table.reveal();
  await game.alice.receive(receipt);
  assert.equal(game.alice.state.state, "fair", JSON.stringify(game.alice.state));
  const { mine } = await evidenceFiles(await game.alice.export());
  const options = { key: game.log.signing.vkey, mine };
  assert.equal((await verifyReceipt(JSON.stringify(receipt), options)).state, "fair");
  assert.equal((await judged(game.alice, options.key)).others === "caught", false);
  assert.equal(other.from, "bob");
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

/** A fork of the log from before its last entry, with as many entries more. */
function forkOf(log, more) {
  const fork = log.fork();
  fork.entries.pop();
  const other = new ModelLog(log.signing, fork.entries);
  other.now = log.now;
  const table = new ModelTable(other, "fork");
  return {
    other,
    table,
    grow: async () => {
      for (let i = 0; i < more; i++) await new ModelTable(other, `fork ${i}`).commit();
    },
  };
}

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

test("a clock that is 299 s ahead accuses nobody; one that is further ahead says overdue, which is withdrawn when the reveal came in time", async () => {
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
    assert.deepEqual([alice.state.state, alice.state.claims], ["fair", []]);
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

test("a lock without the player's hash is no catch: the player was not in this round", async () => {
  const game = await start();
  const { commitment } = game.table;
  await game.alice.contribute({ commitment, nonce: 0, promise: game.promise });
  const other = await bob(game.log, game.table);
  assert.equal(await game.alice.receive(await game.table.lock([toGive(other)])), null);
  await assertUnsure(game.alice, game.log, "left-out");
  const { mine } = await evidenceFiles(await game.alice.export());
  assert.deepEqual(mine, [], "the seed stays secret");
  await game.alice.receive(await game.table.deal([toOpen(other)]));
  await game.alice.receive(await game.table.reveal());
  await assertUnsure(game.alice, game.log, "left-out");
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

test("a lock with another hash of the player's is caught; one that the player's own key signed is not", async () => {
  const game = await start();
  const { commitment } = game.table;
  await game.alice.contribute({ commitment, nonce: 0, promise: game.promise });
  const [forged, other] = [
    await bob(game.log, game.table, 0, "alice"),
    await bob(game.log, game.table),
  ];
  assert.equal(await game.alice.receive(await game.table.lock([forged, other].map(toGive))), null);
  await assertCaught(game.alice, game.log, "contribution-mismatch");

  // Two pages that share a key, and no records.
  const two = await start();
  const storage = memoryStorage();
  const twin = await seatAt(two.log, { storage });
  twin.pair = two.alice.pair;
  await two.alice.contribute({ commitment: two.table.commitment, nonce: 0, promise: two.promise });
  const signed = await twin.contribute({
    commitment: two.table.commitment,
    nonce: 0,
    promise: two.promise,
  });
  assert.equal(await two.alice.receive(await two.table.lock([signed])), null);
  await assertUnsure(two.alice, two.log, "own-key");
});

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
