import assert from "node:assert/strict";
import { after, test } from "node:test";

import { evidenceFiles, verifyEvidence } from "../fairdeal/evidence.js";
import { client, verifyReceipt } from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { live, signingKey, verify } from "./live.js";
import { ModelLog, ModelTable, entriesOf, readSigningKey } from "./model-log.js";

const service = await live();
after(() => service.stop());
const log = client(service.url, { token: service.token });
const seatOf = (from, more = {}) =>
  player({ log: service.url, key: service.key, from, storage: memoryStorage(), ...more });
const TERMS = {
  mixing: "hashes",
  sealed: true,
  signed: true,
  layout: { hand: 2, board: [3] },
  draw: 7,
  rounds: 4,
  next: false,
};
const SEATS = ["alice", "bob"];
let tables = 0;

/** A table, and two seats at it. */
async function table(terms = TERMS) {
  const promise = await log.commit({ table: `player/${tables++}`, ...terms });
  return { ...promise, alice: await seatOf("alice"), bob: await seatOf("bob") };
}

/** A round up to its lock. */
async function locked({ commitment, receipt: promise, alice, bob }, nonce = 0) {
  const contributions = await Promise.all(
    [alice, bob].map((seat) => seat.contribute({ commitment, nonce, promise, seats: SEATS })),
  );
  return (await log.lock(commitment, { nonce, contributions, seats: SEATS })).receipt;
}

test("a hand from the promise to the reveal: hashed, signed, tied to what was seen, opened, dealt, and verified", async () => {
  const game = await table();
  const { commitment, alice, bob } = game;
  const states = [];
  alice.addEventListener("verdict", ({ detail }) => states.push(`${detail.state} ${detail.stage}`));
  const lock = await locked(game);
  const contributions = await Promise.all([alice, bob].map((seat) => seat.receive({ lock })));
  assert.deepEqual(Object.keys(contributions[0]), ["blind", "from", "seed", "commitment", "nonce"]);
  const dealt = await log.deal(commitment, {
    nonce: 0,
    contributions,
    open: [4, 5, 6],
    public: true,
  });
  assert.equal(await alice.receive(dealt), null);
  assert.deepEqual(
    alice.places.map(({ t, street }) => [t, street]),
    [
      [4, 0],
      [5, 0],
      [6, 0],
    ],
  );
  await alice.receive(await log.open(commitment, 0, { t: [0, 2] }));
  assert.deepEqual(
    alice.cards.map(({ t, seat }) => [t, seat]),
    [
      [0, "alice"],
      [2, "alice"],
    ],
  );
  const round = await log.round(commitment, 0);
  await bob.receive(dealt);
  await bob.receive({ commitment, nonce: 0, opened: round.opened, card_seals: round.card_seals });
  await log.done(commitment, 0);
  await log.reveal(commitment);
  await alice.receive(JSON.stringify(await log.receipt(commitment, 0)));
  assert.equal(alice.state.state, "fair", JSON.stringify(alice.state));
  assert.ok(
    ["logged", "replayed", "committed-first", "yours"].every((token) =>
      alice.state.shown.includes(token),
    ),
  );
  assert.ok(!alice.state.notShown.includes("no-collusion"));
  assert.equal(alice.places.filter(({ card }) => card !== undefined).length, 7);
  assert.deepEqual(
    [...new Set(states)],
    ["waiting promised", "waiting given", "waiting opened", "waiting dealt", "fair revealed"],
  );
  const file = await alice.export();
  const { holds, says } = await verifyEvidence(file, { key: service.key });
  assert.ok(holds);
  assert.deepEqual(says, []);
  const { files, mine } = await evidenceFiles(file);
  const named = Object.fromEntries(files.map((each) => [each.name, each.file]));
  const mines = Object.fromEntries(mine.map((each, i) => [`mine-${i}.json`, each]));
  assert.equal(verify(service, { ...named, ...mines }).exit, 0);
  // For the player, who kept the lock's receipt, the round is fair: with each of the two files that
  // say so, and not without.
  const { file: lockFile } = files.find(({ name }) => name.startsWith("lock"));
  const receipt = { "round.json": await log.receipt(commitment, 0) };
  for (const [kept, state] of [
    [{ ...mines, "mine-lock.json": lockFile }, "fair"],
    [{ "mine-evidence.json": file }, "fair"],
    [mines, "unproved"],
  ])
    assert.equal(verify(service, { ...receipt, ...kept }).verdict.state, state);
  assert.equal((await verifyEvidence(file, { key: service.key, kept: true })).state, "fair");
});

test("a seed is new for each round, and the same round gets the same hash from every tab", async () => {
  const { commitment, receipt: promise } = await table();
  const storage = memoryStorage();
  const tabs = await Promise.all([seatOf("alice", { storage }), seatOf("alice", { storage })]);
  const [one, two] = await Promise.all(
    tabs.map((tab) => tab.contribute({ commitment, nonce: 0, promise })),
  );
  assert.deepEqual(one, two);
  const several = await tabs[0].contribute({ commitment, nonce: 1, promise, count: 9 });
  assert.deepEqual(
    several.map(({ nonce }) => nonce),
    [1, 2, 3],
  );
  assert.equal(new Set([one, ...several].map(({ hash }) => hash)).size, 4);
  await assert.rejects(tabs[0].contribute({ commitment, nonce: 4, promise }), { code: "nonce" });
});

test("the player's own words are a seed, once", async () => {
  const [one, two] = [await table(), await table()];
  const seat = await seatOf("alice");
  await seat.contribute({
    commitment: one.commitment,
    nonce: 0,
    promise: one.receipt,
    seed: "my own words",
  });
  await assert.rejects(
    seat.contribute({
      commitment: two.commitment,
      nonce: 0,
      promise: two.receipt,
      seed: "my own words",
    }),
    { code: "seed" },
  );
});

test("two tabs open under one lock alone, and a lock of other seats or of nobody's hash is not opened", async () => {
  const game = await table();
  const storage = memoryStorage();
  const tabs = await Promise.all([seatOf("alice", { storage }), seatOf("alice", { storage })]);
  const lock = await locked({ ...game, alice: tabs[0] });
  const opened = await Promise.all(tabs.map((tab) => tab.receive(lock)));
  assert.deepEqual(opened[0], opened[1]);
  const other = await table();
  const given = await Promise.all(
    [other.alice, other.bob].map((seat) =>
      seat.contribute({ commitment: other.commitment, nonce: 0, seats: ["bob", "alice"] }),
    ),
  );
  const { receipt } = await log.lock(other.commitment, {
    nonce: 0,
    contributions: given,
    seats: SEATS,
  });
  assert.equal(await other.alice.receive(receipt), null);
  const { state, findings, claims } = other.alice.state;
  assert.deepEqual([state, findings, claims[0].code], ["unsure", [], "seats"]);
});

test("a promise with other terms, that is over, or that nobody shows is refused", async () => {
  const { commitment, receipt: promise, alice } = await table();
  await assert.rejects(
    alice.contribute({ commitment, nonce: 0, promise, expect: { mixing: "seeds" } }),
    { code: "terms" },
  );
  await assert.rejects(
    alice.contribute({ commitment, nonce: 0, promise, expect: { rules: "0".repeat(64) } }),
    { code: "terms" },
  );
  const offline = await seatOf("alice", { log: null });
  await assert.rejects(offline.contribute({ commitment, nonce: 0 }), { code: "promise" });
  assert.equal(
    (await offline.contribute({ commitment, nonce: 0, promise, expect: { sealed: true } })).nonce,
    0,
  );
  await log.void(commitment, { reason: "closed", next: false });
  await assert.rejects(alice.contribute({ commitment, nonce: 0 }), { code: "promise" });
});

test("without the log's answer the lock's own proof is enough, and a lock that proves nothing is not opened", async () => {
  const game = await table();
  const far = await seatOf("alice", { log: null });
  const lock = await locked({ ...game, alice: far });
  const { seen, ...unproved } = lock;
  assert.ok(seen.length > 0);
  const before = far.state.state;
  assert.equal(await far.receive(unproved), null);
  assert.deepEqual([before, far.state.state], ["waiting", "unsure"]);
  assert.equal((await far.receive(lock)).from, "alice");
});

test("another promise of the table is caught, and the command finds the same in the evidence", async () => {
  const game = await table();
  await game.alice.receive(game.receipt);
  const signing = await readSigningKey(signingKey(service));
  const entries = await entriesOf((path) => log.readFile(path), service.key);
  const view = new ModelLog(signing, entries);
  view.now = Date.now();
  const { table: name } = JSON.parse(game.receipt.entries[0].entry);
  await game.alice.receive(await new ModelTable(view, name).commit());
  assert.equal(game.alice.state.state, "caught", JSON.stringify(game.alice.state));
  const { exit, verdict } = verify(service, { "evidence.json": await game.alice.export() });
  assert.deepEqual([exit, verdict.state], [1, "caught"]);
});

test("a reveal that does not come is noticed when it is due", async () => {
  const game = await table({ ...TERMS, reveal_in: "3s", reveal: "manual" });
  const { commitment, bob, reveal_by } = game;
  const alice = await seatOf("alice", { tolerance: 0 });
  const lock = await locked({ ...game, alice });
  const due = new Promise((resolve) =>
    alice.addEventListener("verdict", ({ detail }) => {
      if (detail.claims.some(({ code }) => code === "overdue")) resolve(Date.now());
    }),
  );
  const contributions = await Promise.all([alice, bob].map((seat) => seat.receive(lock)));
  await alice.receive(await log.deal(commitment, { nonce: 0, contributions }));
  const keep = setInterval(() => undefined, 1000);
  const late = (await due) - reveal_by;
  clearInterval(keep);
  assert.ok(late > 0 && late < 1000, String(late));
  assert.equal(alice.state.state, "unsure", "only an audit shows it to others");
  alice.close();
  bob.close();
});

test("a view that was never published is found out by the log's own tiles, and the command finds the fork in the evidence", async () => {
  const { alice, commitment, receipt: promise } = await table();
  await alice.contribute({ commitment, nonce: 0, promise });
  const signing = await readSigningKey(signingKey(service));
  const view = new ModelLog(signing, await entriesOf((path) => log.readFile(path), service.key));
  view.now = Date.now();
  const forged = await new ModelTable(view, "forged").commit();
  await new ModelTable(view, "forged too").commit();
  await alice.receive(forged);
  assert.deepEqual(alice.state.findings, [], "the log is shorter than the view: nobody knows yet");
  for (let i = 0; i < 3; i++) await log.commit({ table: `player/grows ${i}` });
  await alice.receive(forged);
  assert.deepEqual(
    alice.state.findings.map(({ code }) => code),
    ["inconsistent"],
  );
  const { exit, verdict } = verify(service, { "evidence.json": await alice.export() });
  assert.deepEqual([exit, verdict.state, verdict.findings[0].code], [1, "caught", "inconsistent"]);
});

test("who cannot ask the log accuses nobody", async () => {
  const game = await table({ ...TERMS, reveal_in: "2s", reveal: "manual" });
  const far = await seatOf("alice", { log: null });
  const lock = await locked({ ...game, alice: far });
  await far.receive(lock);
  await far.check(game.commitment, 0);
  assert.deepEqual([far.state.state, far.state.findings], ["unsure", []]);
});

test("what a seat knows survives its page", async () => {
  const game = await table();
  const storage = memoryStorage();
  const before = await seatOf("alice", { storage });
  const lock = await locked({ ...game, alice: before });
  before.close();
  const now = await seatOf("alice", { storage });
  const mine = await now.receive(lock);
  assert.equal((await verifyReceipt(lock, { key: service.key, mine: [] })).holds, true);
  assert.equal(mine.nonce, 0);
  assert.equal(
    (await now.contribute({ commitment: game.commitment, nonce: 1 })).key,
    (await before.contribute({ commitment: game.commitment, nonce: 1 })).key,
  );
});

test("a wrong question is refused before there is a seed", async () => {
  const { commitment, receipt: promise, alice } = await table();
  const at = { commitment, nonce: 0, promise };
  const call = "contribute(input): expected";
  for (const [input, message] of [
    [undefined, `${call} input with "commitment" and "nonce", as an object, found undefined`],
    [{ ...at, nonce: "0" }, `${call} nonce, a number, found a string`],
    [{ nonce: 0 }, `${call} commitment, a text, found undefined`],
    [{ ...at, seats: null }, `${call} seats, an array of texts, found null`],
    [{ ...at, seats: "alice" }, `${call} seats, an array of texts, found a string`],
    [{ ...at, seats: ["alice", 7] }, `${call} seats, an array of texts, found an array`],
  ])
    await assert.rejects(alice.contribute(input), { name: "TypeError", message });
  // No lock with this player's hash can have these (spec/ledger.md, 8.7).
  for (const seats of [[], ["bob"], ["alice", "alice"], ["alice", ""]])
    await assert.rejects(alice.contribute({ ...at, seats }), { name: "Refused", code: "seats" });
  for (const nonce of [-1, 0.5, Number.NaN])
    await assert.rejects(alice.contribute({ ...at, nonce }), { name: "Refused", code: "nonce" });
  assert.equal(alice.state.state, "idle");
  assert.deepEqual(await alice.book.find(commitment, 0), null);
});
