import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { auditExport, auditLog } from "../fairdeal/audit.js";
import { Report } from "../fairdeal/report.js";
import {
  attacks,
  bytes,
  json,
  logFile,
  names,
  path,
  policyIn,
  text,
  vectors,
} from "../fixtures.js";

/** A folder of fixtures as a log's files. */
export const folder =
  (...where) =>
  (file) => {
    const name = join(path(...where), file);
    return existsSync(name) ? new Uint8Array(readFileSync(name)) : null;
  };

/** A verdict in the form of the fixtures: findings without `says`. */
const plain = (verdict) => {
  for (const finding of verdict.findings) {
    assert.ok(finding.says.length > 0, `${finding.code} says nothing`);
    delete finding.says;
  }
  return verdict;
};

for (const name of names("logs")) {
  const wanted = json("logs", name, "case.json");
  test(`logs/${name}: ${wanted.about}`, async () => {
    const where = ["logs", name];
    const isFor = existsSync(path(...where, "policy"));
    const options = {
      policy: policyIn(isFor ? { policy: text(...where, "policy") } : {}),
      key: text(...where, "key").trim(),
      asOf: wanted.as_of ?? undefined,
      clock: wanted.clock ?? undefined,
      skipSignatures: wanted.skip_signatures,
      since: wanted.since.map((file) => bytes(...where, file)),
      missed: wanted.missed ?? undefined,
    };
    const exported = existsSync(path(...where, "export"));
    const run = exported
      ? auditExport(bytes(...where, "export"), options)
      : auditLog(folder(...where), options);
    assert.deepEqual(plain(await run), wanted.verdict);
  });
}

for (const [
  name,
  { about, as_of: asOf, clock, key, missed, export: exported, log, exit, verdict, policy },
] of attacks("audit")) {
  test(`attacks/${name}: ${about}`, async () => {
    const read = (file) => (file in log ? logFile(file, log[file]) : null);
    const judge = async () => {
      const options = { key, asOf, clock, missed, policy: policyIn({ policy }) };
      return exported === undefined
        ? auditLog(read, options)
        : auditExport(logFile("export", exported), options);
    };
    if (exit >= 2) return assert.rejects(judge, { name: "Refused" });
    const ours = await judge();
    assert.equal(exit, ours.holds ? 0 : 1);
    assert.deepEqual(plain(ours), verdict);
  });
}

test("every vector of exports.json: a log in one file, and what its audit comes to", async () => {
  for (const { export: file, key, policy, exit, verdict, name } of vectors("exports.json")) {
    const options = { key, policy: policyIn({ policy }) };
    const run = auditExport(new Uint8Array(Buffer.from(file, "base64")), options);
    if (exit === 3) {
      await assert.rejects(run, { name: "Refused" }, name);
      continue;
    }
    const ours = plain(await run);
    assert.deepEqual(ours, verdict, name);
    assert.equal(exit, ours.holds ? 0 : 1, name);
  }
});

test("a file that nobody knows about gives no verdict, and a log without a checkpoint gives none either", async () => {
  const key = text("logs", "honest-example", "key").trim();
  const files = folder("logs", "honest-example");
  for (const lost of ["checkpoint", "tile/0/000.p/3", "tile/entries/000.p/3"]) {
    const run = auditLog(
      (file) => {
        if (file === lost) throw new Error("no network");
        return files(file);
      },
      { key },
    );
    await assert.rejects(run, { message: "no network" });
  }
  await assert.rejects(
    auditLog(() => null, { key }),
    { name: "Refused", code: "unavailable" },
  );
});

test("a log that promises more than there is ends at the first file that is missing", async () => {
  const { key } = vectors("exports.json")[0];
  const note = `${key.split("+")[0]}\n9223372036854775807\n${"A".repeat(43)}=\n\n— x AAAAAAA=\n`;
  const verdict = await auditLog(
    (file) => (file === "checkpoint" ? new TextEncoder().encode(note) : null),
    { key },
  );
  assert.deepEqual([verdict.size, verdict.counts], [0, { "bad-signature": 1, "tree-mismatch": 1 }]);
});

test("progress is told, and the verdict is the same whether files come at once or later", async () => {
  const where = ["logs", "honest-full-tiles"];
  const key = text(...where, "key").trim();
  const files = folder(...where);
  const told = [];
  const later = async (file) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return files(file);
  };
  const atOnce = await auditLog(files, { key });
  const slowly = await auditLog(later, { key, onProgress: (progress) => told.push(progress) });
  assert.deepEqual(slowly, atOnce);
  assert.deepEqual(told[told.length - 1], { entries: atOnce.size, size: atOnce.size });
});

test("overdue at a time that is still to come, by the reader's clock and by the log, accuses nobody", async () => {
  for (const [log, asOf, clock, accuses] of [
    // After the last entry with effect.
    ["overdue-unused", 1760086405001, undefined, "operator"],
    ["overdue-unused", 1760086405001, 1760086405001, "operator"],
    ["overdue-unused", 1760086405001, 1760086405000, "nobody"],
    // At its time.
    ["overdue", 1760086403000, 0, "operator"],
    ["overdue", 1760086403001, 0, "nobody"],
    ["overdue", undefined, 0, "operator"],
  ]) {
    const key = text("logs", log, "key").trim();
    const { findings } = await auditLog(folder("logs", log), { key, asOf, clock });
    const overdue = findings.filter(({ code }) => code === "overdue");
    assert.deepEqual(
      overdue.map((each) => each.accuses),
      [accuses],
      `${log} as of ${asOf}, clock ${clock}`,
    );
  }
});

test("a delay is counted under the power of two that it reaches", () => {
  const report = new Report();
  for (const delay of [0, 1, 2, 3, 4, 1023, 1024, 2 ** 40, 2 ** 53 - 1]) report.reveal(delay);
  const { by_doubling, shortest, longest, count } = report.end(new Map()).reveal_delays;
  assert.deepEqual(by_doubling, {
    0: 1,
    1: 1,
    2: 2,
    4: 1,
    512: 1,
    1024: 1,
    [2 ** 40]: 1,
    [2 ** 52]: 1,
  });
  assert.deepEqual([shortest, longest, count], [0, 2 ** 53 - 1, 9]);
});

test("of seeds that many brought, 100 are listed: those of the most players, and then the first ones", () => {
  const report = new Report();
  for (let seed = 0; seed < 120; seed++) {
    for (let player = 0; player < (seed === 119 ? 4 : 3); player++)
      report.seed(`s${String(seed).padStart(3, "0")}`, `p${player}`);
    report.seed("few", "p0");
    report.seed("few", "p1");
  }
  const { weak_seeds, seeds_not_told_apart } = report.end(new Map());
  const names = Object.keys(weak_seeds);
  assert.equal(names.length, 100);
  assert.deepEqual([names[0], names[98], names[99], weak_seeds.s119], ["s000", "s098", "s119", 4]);
  assert.equal(seeds_not_told_apart, false);
});

test("labels and tables of any name are counted, also those that mean something to JavaScript", () => {
  const report = new Report();
  for (const name of ["__proto__", "constructor", "7"]) report.table(name).deals++;
  const { tables } = report.end(new Map());
  assert.deepEqual(Object.keys(tables).sort(), ["7", "__proto__", "constructor"]);
  assert.equal(JSON.parse(JSON.stringify(tables))["constructor"].deals, 1);
});
