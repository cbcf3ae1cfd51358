import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { auditExport, auditLog } from "../fairdeal/audit.js";
import { bytes, json, names, path, text, vectors } from "../fixtures.js";

/** A folder of fixtures as a log's files. */
export const folder = (...where) => (file) => {
  const name = join(path(...where), file);
  return existsSync(name) ? new Uint8Array(readFileSync(name)) : null;
};

/** A verdict as the fixtures have it: findings without `says`. */
const plain = (verdict) => {
  for (const finding of verdict.findings) {
    assert.ok(finding.says.length > 0, `${finding.code} says nothing`);
    delete finding.says;
  }
  return verdict;
};

async function judge(where, wanted) {
  const options = {
    key: text(...where, "key").trim(),
    asOf: wanted.as_of ?? undefined,
    clock: wanted.clock ?? undefined,
    skipSignatures: wanted.skip_signatures,
    since: (wanted.since ?? []).map((name) => bytes(...where, name)),
  };
  const exported = existsSync(path(...where, "export"));
  return exported ? auditExport(bytes(...where, "export"), options) : auditLog(folder(...where), options);
}

for (const kind of ["logs", "attacks"]) {
  for (const name of names(kind)) {
    const wanted = json(kind, name, "case.json");
    if (kind === "attacks" && wanted.command !== "audit") continue;
    test(`${kind}/${name}: ${wanted.about}`, async () => {
      const run = judge([kind, name], wanted);
      if (wanted.exit === 3) await assert.rejects(run, { name: "Refused" });
      else assert.deepEqual(plain(await run), wanted.expect);
    });
  }
}

test("every vector of exports.json: a log in one file, and what its audit comes to", async () => {
  for (const { export: file, key, exit, verdict, name } of vectors("exports.json")) {
    const run = auditExport(new Uint8Array(Buffer.from(file, "base64")), { key });
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
    const run = auditLog((file) => {
      if (file === lost) throw new Error("no network");
      return files(file);
    }, { key });
    await assert.rejects(run, { message: "no network" });
  }
  await assert.rejects(auditLog(() => null, { key }), { name: "Refused", code: "unavailable" });
});
