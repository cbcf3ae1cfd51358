// Several files of cheating logs, judged together (spec/receipt.md, sections 11.6 to 11.10).

import assert from "node:assert/strict";
import { test } from "node:test";

import { contribution, toGive, toOpen } from "../fairdeal/index.js";
import { verifyReceipts } from "../fairdeal/verify.js";
import { ModelLog, ModelTable } from "./model-log.js";

/** A table with a locked round, and the player's contribution to it. */
async function lockedTable(log, terms) {
  const table = new ModelTable(log, "t", terms);
  await table.commit();
  const own = await contribution({
    from: "alice",
    commitment: table.commitment,
    nonce: 0,
    key: log.signing.vkey,
  });
  const lock = await table.lock([toGive(own)]);
  return { table, own, lock };
}

const found = (findings) =>
  findings.map(({ says, ...finding }) => Object.values(finding).join(" ")).sort();

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
