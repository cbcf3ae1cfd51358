// What witnesses show of receipts (spec/receipt.md, sections 11.1, 11.3, 11.4, 11.6 and 11.11).

import assert from "node:assert/strict";
import { test } from "node:test";

import { verifyEvidence } from "../fairdeal/evidence.js";
import { readPolicy, verifyReceipt, verifyReceipts } from "../fairdeal/index.js";
import { toHex, utf8 } from "../fairdeal/bytes.js";
import { Judged, sizesIn } from "../fairdeal/judged.js";
import { fileIn, newRecord } from "../fairdeal/record.js";
import { sortFile } from "../workers/sort.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { NOON, Witness, anchor, cosigned, dealtAt, policyOf } from "./witnesses.js";

const [a, b, c] = ["a", "b", "c"].map((name) => new Witness(name));
const two = policyOf([a, b, c], "group g 2 a b c", "quorum g");
const one = policyOf([a], "quorum a");

/** What a policy changes in a verdict on a receipt. */
async function judge(log, receipt, policy) {
  const verdict = await verifyReceipt(JSON.stringify(receipt), { key: log.signing.vkey, policy });
  const { shown, not_shown: missing, findings, witnessed } = verdict;
  const all = [...shown, ...missing.map((token) => `not ${token}`)];
  return {
    verdict,
    tokens: all.filter((token) => /witnessed|timed/.test(token)),
    found: findings.map(({ code, index, accuses }) => [code, index, accuses].join(" ")),
    witnessed,
  };
}

const seenBy = (by, ...witnesses) => ({ by, witnesses: witnesses.map(({ name }) => name) });

test("without a policy a verdict knows no witnesses, also in a receipt that has them", async () => {
  const { log } = await dealtAt();
  log.push(anchor(log, 3, [[a, NOON]]));
  const receipt = await log.receipt([0, 1, 2, 3]);
  const checkpoint = await cosigned(log, [[a, NOON]]);
  const { verdict, tokens, found } = await judge(log, { ...receipt, checkpoint });
  assert.deepEqual([tokens, found], [["not witnessed"], []]);
  assert.ok(!("policy" in verdict) && !("witnessed" in verdict));
});

test("a receipt is covered by its checkpoint, if a quorum signed it", async () => {
  const { log, table } = await dealtAt();
  const judged = async (signed, policy = two) => {
    const receipt = { ...(await log.receipt([0, 1, 2])), checkpoint: await cosigned(log, signed) };
    return judge(log, receipt, policy);
  };
  const all = await judged([
    [a, NOON + 1],
    [b, NOON + 9],
    [c, NOON + 5],
  ]);
  assert.deepEqual(all.tokens, ["witnessed", "timed"]);
  assert.equal(all.verdict.policy, two.hash);
  assert.deepEqual(all.witnessed, { lock: seenBy(NOON + 5, a, c), deal: seenBy(NOON + 5, a, c) });
  const few = await judged([[b, NOON]]);
  assert.deepEqual(few.tokens, ["not witnessed", "not timed"]);
  assert.ok(!("witnessed" in few.verdict));
  assert.deepEqual((await judged([[a, NOON]], policyOf([a], "quorum none"))).tokens, [
    "not witnessed",
    "not timed",
  ]);
  // No quorum of those who signed says when.
  const timeless = await judged([
    [a, NOON],
    [b, 0],
  ]);
  assert.deepEqual(timeless.tokens, ["witnessed", "not timed"]);
  assert.deepEqual(timeless.witnessed.deal, { witnesses: ["a", "b"] });
  // Who is in no quorum has seen it all the same.
  const outside = await judged(
    [
      [a, NOON],
      [b, NOON],
      [c, NOON + 1],
    ],
    policyOf([c, b, a], "quorum a"),
  );
  assert.deepEqual(outside.witnessed.deal, seenBy(NOON, b, a));
  // A time of 0 counts for the quorum, and says nothing.
  const early = await judged([
    [a, 0],
    [b, NOON],
    [c, NOON],
  ]);
  assert.deepEqual(early.witnessed.deal, seenBy(NOON, b, c));
  // The reveal, and a receipt without a deal.
  table.reveal();
  const after = await judge(
    log,
    { ...(await log.receipt([0, 1, 2, 3])), checkpoint: await cosigned(log, [[a, NOON]]) },
    one,
  );
  assert.deepEqual(Object.keys(after.witnessed), ["lock", "deal", "reveal"]);
  const promise = await judge(
    log,
    { ...(await log.receipt([0])), checkpoint: await cosigned(log, [[a, NOON]]) },
    one,
  );
  assert.deepEqual([promise.tokens, promise.witnessed], [["witnessed"], undefined]);
});

test("a receipt is covered by an anchor whose root is proved to be the log's", async () => {
  const { log, table } = await dealtAt();
  log.push(anchor(log, 3, [[a, NOON]]));
  table.reveal();
  log.push(anchor(log, 5, [[a, NOON + 9]]));
  const whole = await log.receipt([0, 1, 2, 3, 4, 5]);
  const judged = async (change) => {
    const { tokens, found, witnessed } = await judge(log, { ...whole, ...change }, one);
    return [tokens, found, witnessed];
  };
  const deal = { lock: seenBy(NOON, a), deal: seenBy(NOON, a) };
  assert.deepEqual(await judged({}), [
    ["witnessed", "timed"],
    [],
    { ...deal, reveal: seenBy(NOON + 9, a) },
  ]);
  // The reveal is in no size that is left.
  const [first, second] = whole.seen;
  assert.deepEqual(await judged({ seen: [first] }), [["timed", "not witnessed"], [], deal]);
  // The second anchor covers all, and its time is later.
  assert.deepEqual((await judged({ seen: [second] }))[2].deal, seenBy(NOON + 9, a));
  // An anchor alone shows nothing.
  const nothing = ["not witnessed", "not timed"];
  assert.deepEqual(await judged({ seen: undefined }), [nothing, [], undefined]);
  // A receipt that is not logged shows nothing.
  const proofless = { ...second, proof: [] };
  assert.deepEqual(await judged({ seen: [first, proofless] }), [
    nothing,
    ["tree-mismatch  writer"],
    undefined,
  ]);
});

test("an anchor has not seen the entry at its size", async () => {
  const { log } = await dealtAt();
  log.push(anchor(log, 2, [[a, NOON]]));
  const receipt = await log.receipt([0, 1, 2, 3]);
  const { tokens, witnessed } = await judge(log, receipt, one);
  assert.deepEqual(tokens, ["not witnessed", "not timed"]);
  assert.deepEqual(witnessed, { lock: seenBy(NOON, a) });
  // A player who kept a view of this size compares it.
  const judgement = await new Judged(log.key).judge(
    JSON.stringify({ ...receipt, seen: undefined }),
  );
  assert.deepEqual(sizesIn(judgement), [4, 2]);
});

test("an anchor with another root than the proved one is a split view, and covers nothing", async () => {
  const { log } = await dealtAt();
  const root = new Uint8Array(32);
  log.push(anchor(log, 3, [[a, NOON]], { root }));
  const receipt = await log.receipt([0, 1, 2, 3]);
  const { tokens, found, verdict } = await judge(log, receipt, one);
  assert.deepEqual(tokens, ["not witnessed", "not timed"]);
  assert.deepEqual([found, verdict.state], [["split-view 3 operator"], "caught"]);
  const { seen: _, ...unproved } = receipt;
  assert.deepEqual((await judge(log, unproved, one)).found, []);
  // Without a policy too: the log wrote it.
  assert.deepEqual((await judge(log, receipt)).found, ["split-view 3 operator"]);
  // Two of one size, and nothing proves which is the log's: the second one has no effect.
  log.push(anchor(log, 3, [[a, NOON]]));
  const { seen: __, ...both } = await log.receipt([0, 1, 2, 3, 4]);
  assert.deepEqual((await judge(log, both, one)).found, ["invalid-entry 4 operator"]);
});

test("in an excerpt an anchor fixes the root of its size for a player who saw it, and for one after it", async () => {
  const log = await ModelLog.make();
  const fork = log.fork();
  const table = new ModelTable(log, "t", { mixing: "seeds" });
  await table.commit();
  await new ModelTable(fork, "u").commit();
  const seenAt = async (other) => {
    const note = await other.checkpoint(1);
    const [, size, , , line] = note.split("\n");
    const root = toHex(other.tree.rootAt(1));
    return { from: "x", seed: "s", seen: { root, signature: line.split(" ")[2], size: +size } };
  };
  for (const [other, found] of [
    [log, []],
    [fork, ["split-view 2 operator"]],
  ]) {
    const ours = log.fork();
    ours.push(anchor(ours, 1, [[a, NOON]]));
    const dealer = Object.assign(new ModelTable(ours, "t", { mixing: "seeds" }), {
      commitment: table.commitment,
      index: 0,
    });
    await dealer.lock([await seenAt(other)]);
    const { seen: _, ...receipt } = await ours.receipt([0, 1, 2]);
    assert.deepEqual((await judge(ours, receipt)).found, found);
  }
  // A player who saw it, and then the anchor.
  for (const [other, found] of [
    [log, []],
    [fork, ["split-view 2 operator"]],
  ]) {
    const ours = log.fork();
    const dealer = Object.assign(new ModelTable(ours, "t", { mixing: "seeds" }), {
      commitment: table.commitment,
      index: 0,
    });
    await dealer.lock([await seenAt(log)]);
    ours.push(anchor(other, 1, [[a, NOON]]));
    const { seen: _, ...receipt } = await ours.receipt([0, 1, 2]);
    assert.deepEqual((await judge(ours, receipt)).found, found);
  }
});

test("an anchor in a receipt is of the size of the log before it, and over the one before it", async () => {
  const { log } = await dealtAt();
  const judged = async (...sizes) => {
    const fork = log.fork();
    for (const size of sizes)
      fork.push(
        anchor(fork, size, [[a, NOON]], size > fork.size ? { root: new Uint8Array(32) } : {}),
      );
    const indices = [0, 1, 2, ...sizes.map((_, i) => 3 + i)];
    return (await judge(fork, await fork.receipt(indices), one)).found;
  };
  assert.deepEqual(await judged(3), []);
  assert.deepEqual(await judged(4), ["split-view 3 operator"]);
  assert.deepEqual(await judged(2, 2), ["invalid-entry 4 operator"]);
  assert.deepEqual(await judged(2, 3), []);
});

test("the time of a deal is shown to 300 seconds on either side, and not to a millisecond more", async () => {
  for (const [late, is] of [
    [-300_001, false],
    [-300_000, true],
    [300_000, true],
    [300_001, false],
  ]) {
    const { log } = await dealtAt(1000 * NOON + late);
    const checkpoint = await cosigned(log, [[a, NOON]]);
    const receipt = { ...(await log.receipt([0, 1, 2])), checkpoint };
    const { tokens, found } = await judge(log, receipt, one);
    assert.deepEqual(tokens, is ? ["witnessed", "timed"] : ["witnessed", "not timed"]);
    // An excerpt is not judged for being ahead of time.
    assert.deepEqual(found, []);
  }
});

test("an entry of a receipt is backdated if an anchor before it was signed later", async () => {
  for (const [time, found] of [
    [1000 * NOON - 300_000, []],
    [1000 * NOON - 300_001, ["backdated 2 operator"]],
  ]) {
    const log = await ModelLog.make();
    log.now = time - 5000;
    const table = new ModelTable(log, "t", { mixing: "seeds" });
    await table.commit();
    log.push(anchor(log, 1, [[a, NOON]], { time }));
    await table.lock([{ from: "x", seed: "s" }], { time });
    const whole = await log.receipt([0, 1, 2]);
    const own = found.length === 0 ? [] : ["backdated 1 operator"];
    const { verdict, found: codes } = await judge(log, whole, one);
    assert.deepEqual(codes, [...own, ...found]);
    assert.equal(verdict.state, found.length === 0 ? undefined : "caught");
    assert.deepEqual((await judge(log, whole, two)).found, []);
    assert.deepEqual((await judge(log, whole)).found, []);
    // The anchor is in one file, and the lock in another.
    const alone = JSON.stringify(await log.receipt([0, 2]));
    const before = JSON.stringify(await log.receipt([0, 1]));
    const options = { key: log.signing.vkey, policy: one };
    const { findings, receipts } = await verifyReceipts([alone, before], options);
    assert.deepEqual(receipts[0].findings, []);
    assert.deepEqual(
      findings.map(({ code, index }) => `${code} ${index} operator`),
      found,
    );
    const without = await verifyReceipts([alone, before], { key: log.signing.vkey });
    assert.deepEqual(without.findings, []);
    const evidence = {
      format: "fairdeal/evidence/v1",
      key: options.key,
      files: [alone, before].map((file, i) => ({ name: `${i}`, file: JSON.parse(file) })),
      mine: [],
      since: [],
      findings: [],
    };
    const shown = await verifyEvidence(JSON.stringify(evidence), options);
    assert.deepEqual(shown.findings, findings);
  }
});

test("two files whose anchors have two roots of one size contradict each other", async () => {
  const { log } = await dealtAt();
  const fork = log.fork();
  log.push(anchor(log, 3, [[a, NOON]]));
  fork.push({ entry: "x" });
  fork.push(anchor(fork, 3, [[a, NOON]], { root: new Uint8Array(32) }));
  const files = [await log.receipt([0, 1, 2, 3]), await fork.receipt([0, 1, 2, 4])];
  const bare = files.map(({ seen: _, ...receipt }) => JSON.stringify(receipt));
  const { findings } = await verifyReceipts(bare, { key: log.signing.vkey });
  assert.deepEqual(
    findings.map(({ code, accuses, index }) => [code, accuses, index]),
    [
      ["inconsistent", "operator", undefined],
      // All files are one excerpt: the second anchor is not over the first.
      ["invalid-entry", "operator", 4],
    ],
  );
});

test("a receipt's checkpoint with a line of a witness that does not verify is refused, and its entries stay signed", async () => {
  const { log } = await dealtAt();
  log.push(anchor(log, 3, [[a, NOON]], { root: new Uint8Array(32) }));
  const receipt = await log.receipt([0, 1, 2, 3]);
  const wrong = `${receipt.checkpoint}${a.line(NOON, "x\n1\n")}\n`;
  const { found, tokens, verdict } = await judge(log, { ...receipt, checkpoint: wrong }, one);
  assert.deepEqual(found, ["bad-signature  nobody", "split-view 3 operator"]);
  assert.deepEqual(tokens, ["not witnessed", "not timed"]);
  assert.deepEqual(verdict.shown, []);
  assert.deepEqual((await judge(log, { ...receipt, checkpoint: wrong })).found, [
    "split-view 3 operator",
  ]);
});

test("a receipt begins with its commit, and has anchors anywhere after it", async () => {
  const { log } = await dealtAt();
  const fork = log.fork(0);
  fork.push({ ...anchor(log, 1, [[a, NOON]]), time: 1 });
  for (const bytes of log.entries) fork.append(bytes);
  const invalid = await judge(fork, await fork.receipt([0, 1]), one);
  assert.deepEqual(invalid.found, ["invalid-receipt  writer"]);
  assert.deepEqual(invalid.verdict.not_shown, [
    "replayed",
    "no-collusion",
    "witnessed",
    "complete",
  ]);
  assert.deepEqual([invalid.verdict.policy, invalid.witnessed], [one.hash, undefined]);
  // Under a commitment of another protocol too: its entries can be covered.
  const other = log.fork();
  other.push({ entry: "commit", protocol: "x", commitment: "ab".repeat(32) });
  other.push(anchor(other, 4, [[a, NOON]]));
  const foreign = await judge(other, await other.receipt([3, 4]), one);
  assert.deepEqual([foreign.found, foreign.tokens], [[], ["witnessed"]]);
});

test("a player keeps a newer receipt with other anchors in the place of an older one, and its sizes", async () => {
  const { log, table } = await dealtAt();
  log.push(anchor(log, 3, [[a, NOON]]));
  const old = await log.receipt([0, 1, 2, 3]);
  table.reveal();
  log.push(anchor(log, 5, [[a, NOON]]));
  const newer = await log.receipt([0, 1, 2, 4, 5]);
  const record = newRecord(table.commitment, 0, "t");
  const judged = new Judged(log.key);
  const files = [old, newer].map((file) => JSON.stringify(file));
  const [none, heads] = [
    fileIn(record, await judged.judge(files[0]), files[0]),
    fileIn(record, await judged.judge(files[1]), files[1]),
  ];
  assert.deepEqual([none, heads.map(({ size }) => size)], [[], [3]]);
  assert.deepEqual(
    record.files.map(({ text }) => text),
    files.slice(1),
  );
});

test("a policy is told from other files by the first words of its lines", async () => {
  const kindOf = async (text) => (await sortFile("x", utf8(text))).kind;
  for (const [text, kind] of [
    ["quorum none", "policy"],
    ["# mine\n\n\twitness w KEY\r\nlog x\ngroup g any w\n", "policy"],
    ["witness", "policy"],
    ["log x", "receipt"],
    ["quorum none\nAda", "receipt"],
    ["# nothing", "receipt"],
    ["", "receipt"],
  ])
    assert.equal(await kindOf(text), kind, text);
  const octets = Uint8Array.from([...utf8("quorum "), 0xff]);
  assert.equal((await sortFile("x", octets)).kind, "policy");
});

test("a policy that lists other logs is refused, and what is no policy is a mistake", async () => {
  const { log } = await dealtAt();
  const key = log.signing.vkey;
  const file = JSON.stringify(await log.receipt([0, 1, 2]));
  const other = (await ModelLog.make("other.example/log")).signing.vkey;
  const refused = { name: "Refused", code: "policy" };
  const policy = policyOf([a], `log ${other}`, "quorum a");
  await assert.rejects(verifyReceipt(file, { key, policy }), refused);
  await assert.rejects(verifyReceipts([file], { key, policy }), refused);
  await assert.rejects(verifyEvidence(file, { key, policy }), refused);
  const both = policyOf([a], `log ${other}`, `log ${key} https://x`, "quorum a");
  assert.ok((await verifyReceipt(file, { key, policy: both })).holds);
  for (const wrong of [utf8("quorum none"), {}, null])
    await assert.rejects(verifyReceipt(file, { key, policy: wrong }), { name: "TypeError" });
  // What was sent to a worker is a policy all the same.
  assert.ok((await verifyReceipt(file, { key, policy: structuredClone(both) })).holds);
});

test("the name of a witness is that of the policy; what is not UTF-8 in it is U+FFFD", async () => {
  const { log } = await dealtAt();
  const octets = [...utf8("witness "), 0xff, 0xc3, 0xa9, ...utf8(` ${a.vkey}\nquorum `), 0xff];
  const policy = readPolicy(Uint8Array.from([...octets, 0xc3, 0xa9]));
  const checkpoint = await cosigned(log, [[a, NOON]]);
  const receipt = { ...(await log.receipt([0, 1, 2])), checkpoint };
  const { witnessed } = await judge(log, receipt, policy);
  assert.deepEqual(witnessed.deal, { by: NOON, witnesses: ["\ufffd\u00e9"] });
});
