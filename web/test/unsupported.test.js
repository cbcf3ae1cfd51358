import assert from "node:assert/strict";
import { test } from "node:test";

import { auditLog, verifiesSignatures, verifyReceipt, verifyReceipts } from "../fairdeal/index.js";
import { bytes, text, vectors } from "../fixtures.js";

// Set before any verification: a browser without Ed25519.
Object.getPrototypeOf(crypto.subtle).importKey = async () => {
  throw new DOMException("unrecognized algorithm", "NotSupportedError");
};

const key = text("receipts", "log.key").trim();

test("where Ed25519 is missing, nothing is shown to be logged, nothing holds, and nobody is accused", async () => {
  assert.equal(await verifiesSignatures(), false);
  const verdict = await verifyReceipt(bytes("receipts", "round.json"), { key });
  assert.equal(verdict.holds, false);
  assert.deepEqual(verdict.findings, []);
  assert.deepEqual(verdict.shown, ["replayed"], "the replay needs no signature");
  assert.equal(verdict.not_shown[0], "logged");
  assert.equal(verdict.error.code, "unavailable");
});

test("where Ed25519 is missing, a player's signature is neither shown nor denied", async () => {
  for (const vector of vectors("receipts.json").filter(
    ({ players, mine }) => players !== undefined || mine?.some((each) => each.key),
  )) {
    const { key, mine, players } = vector;
    const { holds, shown, findings } = await verifyReceipt(vector.file, { key, mine, players });
    assert.equal(holds, false, vector.name);
    assert.ok(!shown.includes("logged") && !shown.includes("committed-first"), vector.name);
    const expected = new Set(vector.verdict.findings.map(({ code }) => code));
    for (const { code } of findings) assert.ok(expected.has(code), `${vector.name}: ${code}`);
  }
});

test("where Ed25519 is missing, files do not contradict each other, and a log has no verdict", async () => {
  const file = bytes("receipts", "round.json");
  const { holds, findings } = await verifyReceipts([file, bytes("receipts", "opening.json")], {
    key,
  });
  assert.deepEqual([holds, findings], [false, []]);
  const read = (path) => (path === "checkpoint" ? bytes("logs", "honest-example", path) : null);
  await assert.rejects(auditLog(read, { key: text("logs", "honest-example", "key").trim() }), {
    code: "unavailable",
  });
});
