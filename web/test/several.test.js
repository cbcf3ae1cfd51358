// Several files of cheating logs, judged together (spec/receipt.md, sections 11.6 to 11.10).

import assert from "node:assert/strict";
import { test } from "node:test";

import { toGive, toOpen } from "../fairdeal/index.js";
import { verifyReceipts } from "../fairdeal/verify.js";
import { toBase64 } from "../fairdeal/bytes.js";
import { leafHash, nodeHash } from "../fairdeal/merkle.js";
import { ModelLog, ModelTable } from "./model-log.js";

/** A table with a locked round, and the player's contribution to it. */
async function lockedTable(log, terms) {
  const table = new ModelTable(log, "t", terms);
  await table.commit();
  const own = await table.brought();
  const lock = await table.lock([toGive(own)]);
  return { table, own, lock };
}

const found = (findings) =>
  findings.map(({ says, class: _, ...finding }) => Object.values(finding).join(" ")).sort();

test("openings of one deal are judged together, whatever an earlier file has at its index", async () => {
  const log = await ModelLog.make();
  const { table, own } = await lockedTable(log, { sealed: true });
  const other = log.fork();
  const twice = (order) => order.with(1, order[0]);
  await table.deal([toOpen(own)], { arrange: twice });
  const [a, b] = [await table.opening([0]), await table.opening([1])];
  await table.deal([toOpen(own)], { log: other, arrange: (order) => order.toReversed() });
  const g = await table.opening([0], { log: other });
  const files = [g, a, b].map((file) => JSON.stringify(file));
  const judge = async (some) => {
    const { findings, receipts } = await verifyReceipts(some, { key: log.signing.vkey });
    assert.deepEqual(
      receipts.map(({ shown }) => shown),
      some.map(() => ["logged", "opened", "committed-first"]),
    );
    return found(findings);
  };
  const inconsistent = Array(2).fill("inconsistent operator");
  const mismatch = `result-mismatch ${table.dealt} operator`;
  assert.deepEqual(await judge(files), [...inconsistent, mismatch]);
  assert.deepEqual(await judge(files.slice(1)), [mismatch]);
  assert.deepEqual(await judge(files.slice(0, 2)), inconsistent);
});

test("whoever signs more than a checkpoint, or signs it badly, is caught like everybody", async () => {
  const log = await ModelLog.make();
  const { table, own } = await lockedTable(log);
  const fork = log.fork();
  await table.deal([toOpen(own)], {
    cheat: ({ cards }) => ({ cards: cards.slice(2, 4) + cards.slice(0, 2) + cards.slice(4) }),
  });
  const cheated = await table.reveal();
  const key = log.signing.vkey;
  const root = log.tree.rootAt(log.size);
  const [, , signature] = cheated.checkpoint.trimEnd().split("\n").pop().split(" ");
  const bytes = Buffer.from(signature, "base64");
  bytes[10] ^= 1;
  const line = `— ${log.key.name} ${bytes.toString("base64")}\n`;
  const extended = await log.note(log.size, root, "more\n");
  fork.push({ entry: "void", commitment: table.commitment, nonce: 0 });
  while (fork.size < log.size) fork.push({ entry: "x" });
  const other = JSON.stringify(await fork.receipt([0]));

  for (const checkpoint of [extended, cheated.checkpoint + line]) {
    const judge = (file, ...more) =>
      verifyReceipts([JSON.stringify({ ...cheated, checkpoint, ...file }), ...more], { key });
    const alone = await judge({});
    const mismatch = `result-mismatch ${table.dealt} operator`;
    assert.equal(alone.state, "caught");
    assert.deepEqual(found(alone.receipts[0].findings), ["bad-signature nobody", mismatch]);
    assert.ok(!alone.receipts[0].shown.includes("logged"));

    // A changed proof is not the operator's: only whoever wrote the file is accused.
    const [first, ...rest] = cheated.entries;
    const changed = await judge({ entries: [{ ...first, proof: [] }, ...rest] });
    assert.equal(changed.state, undefined);
    assert.deepEqual(found(changed.receipts[0].findings), [
      "bad-signature nobody",
      `result-mismatch ${table.dealt} nobody`,
      "tree-mismatch 0 writer",
    ]);

    // It is a head, in a receipt and in evidence.
    const forked = await judge({}, other);
    assert.deepEqual(found(forked.findings), ["inconsistent operator"]);
    const evidence = {
      format: "fairdeal/evidence/v1",
      key,
      files: [{ name: "other", file: JSON.parse(other) }],
      mine: [],
      since: [{ checkpoint }],
      findings: [],
    };
    const shown = await verifyReceipts([JSON.stringify(evidence)], { key });
    assert.deepEqual(found(shown.findings), ["inconsistent operator"]);
    // A saved view is only a checkpoint that opens.
    await assert.rejects(verifyReceipts([other], { key, since: checkpoint }), {
      name: "Refused",
      code: "unavailable",
    });
  }

  // A line that does not verify is no signature, alone and under another key's name.
  for (const checkpoint of [extended.replace("more\n", "less\n"), extended.replace("\n", "x\n")]) {
    const file = JSON.stringify({ ...cheated, checkpoint });
    const verdicts = await verifyReceipts([file, other], { key });
    assert.equal(verdicts.state, undefined);
    assert.deepEqual(verdicts.findings, []);
  }
});

test("a file that nothing joins with the saved view has no state, unless it is caught", async () => {
  const log = await ModelLog.make();
  const { table, own, lock } = await lockedTable(log);
  const promised = await log.receipt([table.index]);
  const early = await log.checkpoint();
  await table.deal([toOpen(own)]);
  const whole = await table.reveal();
  const same = await log.checkpoint();
  log.push({ entry: "x" });
  const later = await log.checkpoint();
  const judge = async (file, since, mine = [own, lock]) => {
    const { state, error, continues, receipts } = await verifyReceipts([JSON.stringify(file)], {
      key: log.signing.vkey,
      since,
      mine: mine.map((each) => JSON.stringify(each)),
    });
    return [state, receipts[0].state, error?.code, continues];
  };
  assert.deepEqual(await judge(whole, undefined), ["fair", "fair", undefined, undefined]);
  assert.deepEqual(await judge(whole, same), ["fair", "fair", undefined, log.size - 1]);
  const unknown = [undefined, undefined, "unavailable", undefined];
  assert.deepEqual(await judge(whole, later), unknown);
  assert.deepEqual(await judge(whole, early), unknown);
  // Also beside a fair round that the reader kept.
  assert.deepEqual(await judge(promised, later, [own, lock, whole]), unknown);
  const [first, ...rest] = whole.entries;
  const changed = { ...whole, entries: [{ ...first, proof: [] }, ...rest] };
  assert.deepEqual(await judge(changed, later), [undefined, undefined, undefined, undefined]);
  const other = { from: "alice", seed: "other" };
  // A seed that names no round can be mistyped: it accuses nobody.
  assert.deepEqual(await judge(whole, later, [other]), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const { log: of, commitment, nonce } = own;
  assert.deepEqual(await judge(whole, later, [{ ...other, log: of, commitment, nonce }]), [
    "caught",
    "caught",
    undefined,
    undefined,
  ]);
});

test("the size that a file continues is exact, or absent", async () => {
  const log = await ModelLog.make();
  const table = new ModelTable(log, "t");
  const receipt = await table.commit();
  // The commit is the first entry of a tree that nobody could build.
  const sibling = new Uint8Array(32);
  let root = leafHash(log.entries[0]);
  const proof = [];
  for (let level = 1; level <= 53; level++) {
    root = nodeHash(root, sibling);
    proof.push(toBase64(sibling));
    // An inclusion proof of the first entry has the same length from 2^(level - 1) + 1 to 2^level.
    for (const size of [2n ** BigInt(level) - 1n, 2n ** BigInt(level)]) {
      if (size < 3n) continue;
      const checkpoint = await log.note(size, root);
      const entries = [{ ...receipt.entries[0], proof }];
      const found = await verifyReceipts([JSON.stringify({ ...receipt, checkpoint, entries })], {
        key: log.signing.vkey,
        since: checkpoint,
      });
      const continues = size < 2n ** 53n ? Number(size) : undefined;
      assert.deepEqual([found.holds, found.continues], [true, continues], String(size));
    }
  }
});

test("between large deals a page can answer and draw", async () => {
  const log = await ModelLog.make();
  const count = 2 ** 18;
  const files = [];
  for (const name of ["a", "b", "c", "d"]) {
    const table = new ModelTable(log, name, {
      deck: { count, sha256: "00".repeat(32) },
      draw: count,
    });
    await table.commit();
    const bob = await table.brought("bob");
    await table.lock([toGive(bob)]);
    await table.deal([toOpen(bob)]);
    files.push(JSON.stringify(await table.reveal()));
  }
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const { holds } = await verifyReceipts(files, { key: log.signing.vkey });
  clearInterval(timer);
  assert.equal(holds, true);
  // Each file alone, and then each deal with all files.
  assert.ok(ticks >= 5, `${ticks} ticks`);
});
