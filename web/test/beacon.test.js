// Beacons (spec/beacon.md; ledger.md, rows 13 and 16; receipt.md, 11.4 and 11.5; audit.md, 14 and 15).

import assert from "node:assert/strict";
import { test } from "node:test";

import { Beacons, QUICKNET, curvesFrom, outAt, rightRound } from "../fairdeal/beacon.js";
import { auditExport, readChain, verifyReceipt, verifyReceipts } from "../fairdeal/index.js";
import { contribution } from "../fairdeal/contribute.js";
import { STATES } from "../fairdeal/badge-words.js";
import { json } from "../fixtures.js";
import { strings as en } from "../strings/en.js";
import { headlineOf } from "../ui/sentence.js";
import { addWords } from "../ui/strings.js";
import { GENESIS, PERIOD, beaconTable, chain, dealFrom, file } from "./beacons.js";
import { lockRound, outOf, signed } from "./beacons.js";
import { NOON, Witness, anchor, cosigned, policyOf } from "./witnesses.js";

addWords({ en, de: en });
const { vectors } = json("vectors", "beacon.json");
const of = (kind) => vectors.filter((vector) => vector.kind === kind);
const chains = [chain];
const a = new Witness("a");
const policy = policyOf([a], "quorum a");
const unloaded = () => Promise.reject(new Error("not installed"));

/** The round that is right for a lock two seconds after NOON: it is out at NOON + 10. */
const RIGHT = 12;

/** A round that is dealt and revealed: commit 0, lock 1, deal 2, reveal 3. */
async function dealt({ round = RIGHT, signature = signed(round), ...more } = {}) {
  const { log, table } = await beaconTable(more.terms);
  const lock = lockRound(table, round, more.lock);
  dealFrom(table, lock, signature, more.lock?.contributions);
  if (more.reveal !== false) table.reveal({ nonce: 0 });
  return { log, table };
}

/** The verdict on the receipt of the first round. */
async function verdictOn(log, { signedAt, indices, ...options } = {}) {
  const receipt = await log.receipt(indices ?? [...log.entries.keys()]);
  if (signedAt !== undefined) receipt.checkpoint = await cosigned(log, [[a, signedAt]]);
  return verifyReceipt(JSON.stringify(receipt), { key: log.signing.vkey, chains, ...options });
}

async function audit(log, { signedAt, ...options } = {}) {
  const note =
    signedAt === undefined ? await log.checkpoint() : await cosigned(log, [[a, signedAt]]);
  return auditExport(log.exported(note), { key: log.signing.vkey, chains, ...options });
}

const codes = ({ findings }) => findings.map(({ code, index }) => `${code} ${index}`);
const BEACON_TOKENS = /^(replayed|beacon|no-collusion|locked-before-beacon|seats)$/;
const tokens = ({ shown, not_shown: missing }) =>
  [...shown, ...missing.map((token) => `not ${token}`)].filter((token) =>
    BEACON_TOKENS.test(token.replace("not ", "")),
  );

test("every vector of beacon.json: chains, right rounds and signatures", async () => {
  for (const { name, file: text, hash, error } of of("chain")) {
    if (error === undefined) assert.equal((await readChain(text)).hash, hash, name);
    else await assert.rejects(readChain(text), { name: "Refused", code: "chain" }, name);
  }
  for (const { genesis, period, time, margin, round, out } of of("round")) {
    const own = { genesis, period };
    assert.equal(rightRound(own, time, margin), round, `${time} + ${margin}`);
    if (round !== null) assert.equal(outAt(own, round), out, `${round}`);
  }
  for (const { name, public_key: publicKey, round, signature, verifies } of of("signature")) {
    const own = { hash: publicKey, publicKey, genesis: 1, period: 1 };
    const chain = publicKey === QUICKNET.publicKey ? QUICKNET : own;
    const beacons = new Beacons([chain]);
    await beacons.meet({ beacon: { chain: chain.hash } });
    const named = beacons.named({ beacon: { chain: chain.hash, margin: 0 } }, { beacon: round });
    assert.equal(beacons.verifies(named, signature), verifies, name);
  }
});

test("the built-in chain is the one whose file drand answers", async () => {
  const [{ file: text }] = of("chain");
  assert.deepEqual(await readChain(text), QUICKNET);
});

test("a chain's file has 65,536 bytes at most, and its error names what is wrong", async () => {
  assert.deepEqual(await readChain(file.padEnd(65_536)), chain);
  await assert.rejects(readChain(new TextEncoder().encode(file.padEnd(65_537))), /65537 bytes/);
  const wrong = file.replace(/"period":\d+/, '"period":0');
  await assert.rejects(readChain(wrong), {
    code: "chain",
    message: `the file of the chain: "period": expected an integer from 1 to 4294967295, found 0`,
  });
});

test("the right round with its signature: nothing is found, and the deal is replayed", async () => {
  const { log } = await dealt();
  const verdict = await verdictOn(log);
  assert.deepEqual(codes(verdict), []);
  assert.deepEqual(tokens(verdict), ["replayed", "not no-collusion", "not locked-before-beacon"]);
  assert.equal(verdict.state, "unproved");
  const { unverified, reported, holds } = await audit(log);
  assert.deepEqual(
    [holds, unverified.beacons, reported.beacon_rounds, reported.beacon_voids],
    [true, 0, 1, 0],
  );
});

test("the right round changes at the millisecond at which one is out", async () => {
  const out = 1000 * outOf(RIGHT);
  for (const [y, right] of [
    [1000 * GENESIS - 1, 1],
    [1000 * GENESIS, 2],
    [1000 * (GENESIS + PERIOD) - 1, 2],
    [1000 * (GENESIS + PERIOD), 3],
    [out - 1, RIGHT],
    [out, RIGHT + 1],
  ]) {
    for (const round of [right - 1, right, right + 1].filter((each) => each > 0)) {
      const { log, table } = await beaconTable();
      lockRound(table, round, { time: y - 2000 });
      const found = codes(await audit(log)).filter((each) => each.startsWith("beacon"));
      assert.deepEqual(found, round === right ? [] : ["beacon-round 1"], `${y} ${round}`);
    }
  }
  // No round is right after 2^53 - 1.
  const { log, table } = await beaconTable();
  lockRound(table, RIGHT, { time: Number.MAX_SAFE_INTEGER - 1999 });
  assert.ok(codes(await audit(log)).includes("beacon-round 1"));
});

test("a wrong round is found at the lock, and its signature is judged all the same", async () => {
  const { log } = await dealt({ round: RIGHT + 1 });
  const verdict = await verdictOn(log, { policy, signedAt: NOON + 1 });
  assert.deepEqual(codes(verdict), ["beacon-round 1"]);
  assert.deepEqual(tokens(verdict), [
    "not replayed",
    "not no-collusion",
    "not locked-before-beacon",
  ]);
  assert.equal(verdict.state, "caught");
  const other = await dealt({ round: RIGHT + 1, signature: signed(RIGHT) });
  assert.deepEqual(codes(await audit(other.log)), ["beacon-round 1", "beacon-signature 2"]);
});

test("a signature of another round is found at the deal, also before the reveal", async () => {
  for (const reveal of [true, false]) {
    const { log } = await dealt({ signature: signed(RIGHT - 1), reveal });
    const verdict = await verdictOn(log);
    assert.deepEqual(codes(verdict), ["beacon-signature 2"]);
    assert.ok(!verdict.not_shown.includes("beacon") && !verdict.shown.includes("replayed"));
    assert.deepEqual(codes(await audit(log)), ["beacon-signature 2"]);
  }
});

test("a signature is judged for the open lock, also if the deal names another one", async () => {
  const { log, table } = await beaconTable();
  lockRound(table, RIGHT);
  dealFrom(table, 0, signed(RIGHT + 1));
  assert.deepEqual(codes(await audit(log)), ["beacon-signature 2", "lock-mismatch 2"]);
});

test("of a chain that is not known nothing is judged, and other findings stay", async () => {
  const { log } = await dealt({ round: 3, signature: "5a".repeat(48), reveal: false });
  const verdict = await verdictOn(log, { chains: [] });
  assert.deepEqual(codes(verdict), []);
  assert.deepEqual(tokens(verdict), [
    "not replayed",
    "not beacon",
    "not no-collusion",
    "not locked-before-beacon",
  ]);
  log.push({ entry: "x" });
  const unknown = await audit(log, { chains: [] });
  assert.deepEqual([codes(unknown), unknown.unverified.beacons], [["invalid-entry 3"], 1]);
  const known = await audit(log);
  assert.deepEqual(codes(known), ["beacon-round 1", "beacon-signature 2", "invalid-entry 3"]);
  const skipped = await audit(log, { skipBeacons: true });
  assert.deepEqual([codes(skipped), skipped.unverified.beacons], [["invalid-entry 3"], 1]);
});

test("without @noble/curves no chain is known, and no file of a chain is read", async () => {
  const { log } = await dealt({ round: 3, signature: signed(4) });
  const found = ["beacon-round 1", "beacon-signature 2"];
  assert.deepEqual(codes(await verdictOn(log)), found);
  const undo = curvesFrom(unloaded);
  try {
    const verdict = await verdictOn(log, { policy, signedAt: NOON });
    assert.deepEqual([codes(verdict), verdict.not_shown.includes("beacon")], [[], true]);
    const { holds, unverified } = await audit(log);
    assert.deepEqual([holds, unverified.beacons], [true, 1]);
    await assert.rejects(readChain(file), { code: "unavailable" });
  } finally {
    undo();
  }
  assert.deepEqual(codes(await verdictOn(log)), found);
});

test("the library is loaded only for a commit that names a known chain", async () => {
  let loads = 0;
  const undo = curvesFrom(() => {
    loads++;
    return unloaded();
  });
  try {
    const { log } = await dealt();
    await verdictOn(log, { chains: [] });
    await audit(log, { chains: [] });
    await audit(log, { skipBeacons: true });
    assert.equal(loads, 0);
    await audit(log);
    assert.equal(loads, 1);
  } finally {
    undo();
  }
});

test("a lock is before the beacon if it was seen at least five seconds before the round was out", async () => {
  const out = outOf(RIGHT);
  const { log } = await dealt();
  for (const [by, before] of [
    [out - 5, 5],
    [out - 4, undefined],
    [out - 6, 6],
    // A quorum without a time shows nothing.
    [0, undefined],
  ]) {
    const verdict = await verdictOn(log, { policy, signedAt: by });
    const is = before !== undefined;
    assert.equal(verdict.before_beacon, before);
    assert.deepEqual(
      tokens(verdict),
      is
        ? ["replayed", "locked-before-beacon"]
        : ["replayed", "not no-collusion", "not locked-before-beacon"],
    );
    assert.equal(verdict.state, is ? "fair" : "unproved");
    const { sentence } = headlineOf({ file: "x", ...verdict }, null, []);
    assert.equal(sentence, is ? STATES.en["fair-beacon"] : STATES.en.unproved);
    const { witnesses } = await audit(log, { policy, signedAt: by });
    assert.equal(witnesses.locks_not_before_beacon, is ? 0 : 1);
  }
  // Without a policy nobody has seen it.
  const alone = await verdictOn(log, { signedAt: out - 9 });
  assert.ok(alone.not_shown.includes("locked-before-beacon") && !("before_beacon" in alone));
  const [token, next] = alone.not_shown.slice(-2);
  assert.deepEqual([token, next], ["locked-before-beacon", "complete"]);
});

test("the anchor over the lock shows it, and the lock alone already", async () => {
  const { log, table } = await beaconTable();
  const lock = lockRound(table, RIGHT);
  const early = await verdictOn(log, { policy, signedAt: NOON + 2 });
  assert.deepEqual(tokens(early), [
    "locked-before-beacon",
    "not replayed",
    "not beacon",
    "not no-collusion",
  ]);
  assert.equal(early.before_beacon, 8);
  log.push(anchor(log, 2, [[a, NOON + 4]]));
  dealFrom(table, lock, signed(RIGHT));
  table.reveal({ nonce: 0 });
  const late = { policy, signedAt: NOON + 100 };
  const verdict = await verdictOn(log, late);
  assert.deepEqual([verdict.state, verdict.before_beacon], ["fair", 6]);
  assert.equal((await audit(log, late)).witnesses.locks_not_before_beacon, 0);
  // In several files together, too.
  const files = [JSON.stringify(await log.receipt([0, 1, 2, 3, 4]))];
  const together = await verifyReceipts(files, { key: log.signing.vkey, policy, chains });
  assert.equal(together.state, "fair");
});

test("a reader whose seed is not in the round is not told that it is fair", async () => {
  const { log, table } = await dealt();
  const own = await contribution({
    from: "alice",
    commitment: table.commitment,
    nonce: 0,
    key: log.signing.vkey,
  });
  const options = { policy, signedAt: NOON, mine: [own] };
  const verdict = await verdictOn(log, options);
  assert.deepEqual([verdict.state, codes(verdict)], ["unproved", []]);
  assert.ok(verdict.not_shown.includes("yours") && !verdict.not_shown.includes("no-collusion"));
});

test("a reader whose seed is in the round reads so", async () => {
  const alice = { from: "alice", seed: "lucky" };
  const { log } = await dealt({ lock: { contributions: [alice] } });
  const verdict = await verdictOn(log, { policy, signedAt: NOON, mine: [alice] });
  assert.ok(verdict.shown.includes("yours") && verdict.state === "fair");
  const { sentence, detail } = headlineOf({ file: "x", ...verdict }, null, [alice]);
  assert.deepEqual([sentence, detail], [STATES.en.fair, en["v.before-beacon"]]);
});

test("seats that were fixed before the beacon are shown, also before the reveal", async () => {
  const terms = { layout: { hand: 2 }, draw: 5 };
  const { log } = await dealt({ terms, lock: { seats: ["alice", "bob"] }, reveal: false });
  assert.ok((await verdictOn(log)).not_shown.includes("seats"));
  const verdict = await verdictOn(log, { policy, signedAt: NOON });
  assert.ok(verdict.placed.length > 0 && !verdict.not_shown.includes("seats"));
  assert.ok(verdict.not_shown.includes("no-collusion"));
});

test("a void after the round is out is counted by its own time, and by what witnesses had seen", async () => {
  const out = outOf(RIGHT);
  const judge = async (time, by, { round = RIGHT, ...options } = {}) => {
    const { log, table } = await beaconTable();
    lockRound(table, round);
    const { commitment } = table;
    log.push({ entry: "void", commitment, nonce: 0, reason: "gone", time });
    const verdict = await audit(log, { policy, signedAt: by, ...options });
    return [verdict.reported.beacon_voids, verdict.witnesses.voids_not_before_beacon];
  };
  assert.deepEqual(await judge(1000 * out, out), [0, 0]);
  assert.deepEqual(await judge(1000 * out + 1, out), [1, 0]);
  assert.deepEqual(await judge(1000 * out, out + 1), [0, 1]);
  // The round that the lock names, also if it is the wrong one.
  assert.deepEqual(await judge(1000 * out + 1, out + 1, { round: RIGHT + 1 }), [0, 0]);
  assert.deepEqual(await judge(1000 * out, out, { round: RIGHT - 1 }), [1, 1]);
  assert.deepEqual(await judge(1000 * out, out, { round: Number.MAX_SAFE_INTEGER }), [0, 0]);
  assert.deepEqual(await judge(1000 * out + 1, out, { chains: [] }), [0, 1]);
  // A lock without a beacon's round is of no chain.
  const { log, table } = await beaconTable();
  const { commitment } = table;
  const contributions = [{ from: "alice", seed: "lucky" }];
  log.push({ entry: "lock", commitment, nonce: 0, contributions });
  log.push({ entry: "void", commitment, nonce: 0, reason: "gone", time: 1000 * out + 1 });
  const verdict = await audit(log, { policy });
  assert.deepEqual(
    [verdict.reported.beacon_voids, verdict.witnesses.voids_not_before_beacon],
    [0, 0],
  );
});

test("locks that are dealt in another order are each judged by their own place", async () => {
  const { log, table } = await beaconTable();
  const { table: other } = await beaconTable({ log, name: "u" });
  const first = lockRound(table, RIGHT);
  log.push(anchor(log, first + 1, [[a, NOON]]));
  const second = lockRound(other, RIGHT, { time: log.now });
  log.push(anchor(log, second + 1, [[a, outOf(RIGHT)]]));
  dealFrom(other, second, signed(RIGHT));
  dealFrom(table, first, signed(RIGHT));
  const { findings, witnesses } = await audit(log, { policy });
  assert.deepEqual([findings, witnesses.locks_not_before_beacon], [[], 1]);
});

test("a signature of 96 bytes is no grammatical one", async () => {
  const { log } = await dealt({ signature: "5a".repeat(96) });
  assert.deepEqual(codes(await audit(log)).slice(0, 1), ["invalid-entry 2"]);
});
