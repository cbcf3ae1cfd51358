// The form of an anchor, and where it may stand (spec/ledger.md, sections 8.2 and 9.3).

import assert from "node:assert/strict";
import { test } from "node:test";

import { toBase64, utf8 } from "../fairdeal/bytes.js";
import { readEntry } from "../fairdeal/entry.js";
import { auditExport } from "../fairdeal/index.js";
import { canonical } from "../fairdeal/jcs.js";
import { readJson } from "../fairdeal/json.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { NOON, Witness, anchor, sorted } from "./witnesses.js";

/** A signature line of a name, with so many bytes of which the first is `first`. */
const line = (name, length = 76, first = 0) => {
  const bytes = new Uint8Array(length);
  bytes[0] = first;
  return `\u2014 ${name} ${toBase64(bytes)}`;
};
const plain = {
  entry: "anchor",
  time: 1,
  size: 1,
  root: "00".repeat(32),
  cosignatures: [line("a"), line("b")],
};
const faultOf = (entry) => {
  const { fault, entry: read } = readEntry(utf8(canonical(readJson(JSON.stringify(entry)))));
  assert.equal(fault === null, read !== null);
  return fault?.code ?? null;
};

test("an anchor has exactly its members, and is under no commitment", () => {
  assert.equal(faultOf(plain), null);
  for (const name of Object.keys(plain)) {
    const { [name]: _, ...rest } = plain;
    assert.equal(faultOf(rest), "invalid-entry", `without ${name}`);
  }
  for (const more of [
    { commitment: "00".repeat(32) },
    { ext: "00".repeat(32) },
    { nonce: 0 },
    { size: 0 },
    { size: "1" },
    { root: "00".repeat(31) },
    { root: "AA".repeat(32) },
    { cosignatures: line("a") },
    { cosignatures: [] },
    { cosignatures: [7] },
  ])
    assert.equal(faultOf({ ...plain, ...more }), "invalid-entry", JSON.stringify(more));
  assert.equal(faultOf({ ...plain, size: Number.MAX_SAFE_INTEGER }), null);
  const read = readEntry(utf8(canonical(plain)));
  assert.equal(read.commitment, null);
});

test("the lines of an anchor are 1 to 16 in ascending order, of each key one", () => {
  const many = (n) => sorted(Array.from({ length: n }, (_, i) => line(`w${i}`)));
  const [a, b] = [line("a"), line("b")];
  for (const [cosignatures, holds] of [
    [[a], true],
    [[b, a], false],
    [[a, a], false],
    [many(16), true],
    [many(17), false],
    // One name with two key IDs, and one key ID under two names.
    [[line("a", 76, 0), line("a", 76, 1)], true],
    // One key, twice: of another time, and of another type.
    [sorted([a, `${a.slice(0, -4)}AQ==`]), false],
    [sorted([a, line("a", 2432)]), false],
    // By UTF-8, U+FFFD is before U+10000; by UTF-16 it is after it.
    [[line("\ufffd"), line("\u{10000}")], true],
    [[line("\u{10000}"), line("\ufffd")], false],
  ])
    assert.equal(faultOf({ ...plain, cosignatures }), holds ? null : "invalid-entry");
});

test("a line of an anchor is a signature line of a note, of 76 or 2,432 bytes", () => {
  for (const [text, holds] of [
    [line("a", 75), false],
    [line("a", 77), false],
    [line("a", 2431), false],
    [line("a", 2432), true],
    [line("a", 2433), false],
    [line("n".repeat(255)), true],
    [line("n".repeat(256)), false],
    [line("\u00e9".repeat(127)), true],
    [line("\u00e9".repeat(128)), false],
    [line("a+b"), false],
    [line(""), false],
    [line("a b"), false],
    [line("a\u0085"), false],
    [`${line("a")}\n`, false],
    [line("a").replace("\u2014", "-"), false],
    [line("a").replace(/A=*$/, "B="), false],
    [line("a").replace(/=+$/, ""), false],
  ])
    assert.equal(faultOf({ ...plain, cosignatures: [text] }), holds ? null : "invalid-entry", text);
});

/** The codes of a log's findings with their indices. */
async function found(log, checkpoint) {
  const { findings, ...verdict } = await auditExport(
    log.exported(checkpoint ?? (await log.checkpoint())),
    { key: log.signing.vkey },
  );
  assert.ok(!("witnesses" in verdict));
  assert.ok(findings.every(({ commitment, nonce }) => commitment === null && nonce === null));
  return findings.map(({ code, index, accuses }) => [code, index, accuses].join(" "));
}

test("an anchor stands for a size that the log has had, greater than that of the one before", async () => {
  const witness = new Witness("w");
  const log = await ModelLog.make();
  await new ModelTable(log, "t").commit();
  const signed = [[witness, NOON]];
  const other = new Uint8Array(32);
  const judge = async (size, more) => {
    const fork = log.fork();
    // Its root is signed, although no log had it.
    const root = size > log.size ? other : log.tree.rootAt(size);
    fork.push(anchor(fork, size, signed, { root, ...more }));
    return found(fork);
  };
  log.push(anchor(log, 1, signed));
  log.push({ entry: "x" });
  assert.deepEqual(await found(log), ["invalid-entry 2 operator"]);
  const before = ["invalid-entry 2 operator"];
  assert.deepEqual(await judge(1), [...before, "invalid-entry 3 operator"]);
  assert.deepEqual(await judge(2), before);
  assert.deepEqual(await judge(3), before);
  assert.deepEqual(await judge(4), [...before, "split-view 3 operator"]);
  assert.deepEqual(await judge(3, { root: other }), [...before, "split-view 3 operator"]);
  // A log that has no roots is not compared with them: it may be damaged.
  const fork = log.fork();
  fork.push(anchor(fork, 3, signed, { root: other }));
  const damaged = await fork.note(fork.size, other);
  assert.deepEqual(await found(fork, damaged), ["tree-mismatch  writer", "invalid-entry 2 nobody"]);
});

test("an anchor that is not over the one before has no effect, and one that is too large has", async () => {
  const log = await ModelLog.make();
  const table = new ModelTable(log, "t");
  await table.commit();
  const signed = [[new Witness("w"), NOON]];
  const root = new Uint8Array(32);
  log.push(anchor(log, 1, signed));
  // If it had effect, the time would run back.
  log.push(anchor(log, 1, signed, { time: log.now + 60_000 }));
  log.push(anchor(log, 9, signed, { root }));
  log.push(anchor(log, 9, signed, { root }));
  log.push(anchor(log, 5, signed));
  assert.deepEqual(await found(log), [
    "invalid-entry 2 operator",
    "split-view 3 operator",
    "invalid-entry 4 operator",
    "invalid-entry 5 operator",
  ]);
});

test("an anchor is of no commitment: it stands in a locked round, and no end of one ends it", async () => {
  const log = await ModelLog.make();
  const table = new ModelTable(log, "t", { mixing: "seeds" });
  await table.commit();
  const signed = [[new Witness("w"), NOON]];
  await table.lock([{ from: "alice", seed: "lucky" }]);
  log.push(anchor(log, 2, signed));
  log.push({ entry: "void", commitment: table.commitment, nonce: 0, reason: "misdeal" });
  table.reveal();
  log.push(anchor(log, 4, signed));
  assert.deepEqual(await found(log), []);
  const { last_time: last, commitments } = await auditExport(log.exported(await log.checkpoint()), {
    key: log.signing.vkey,
  });
  // It counts for the time of the log, and for no number.
  assert.deepEqual([last, commitments], [log.now, 1]);
  log.push(anchor(log, 6, signed, { time: log.now - 1 }));
  log.push({ entry: "anchor", commitment: table.commitment, time: log.now });
  const { findings } = await auditExport(log.exported(await log.checkpoint()), {
    key: log.signing.vkey,
  });
  assert.deepEqual(
    findings.map(({ code, index, commitment }) => [code, index, commitment]),
    [
      ["time-runs-back", 6, null],
      // Its commitment is a hash, and so it is named (spec/audit.md, section 13.4).
      ["invalid-entry", 7, table.commitment],
    ],
  );
});
