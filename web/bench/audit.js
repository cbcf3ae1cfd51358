// How many entries an audit in memory judges in a second, and how long a receipt takes.
//
//     fairdeal generate --deals 100000 -o sample
//     node web/bench/audit.js sample

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { auditLog, verifyReceipt } from "../fairdeal/index.js";
import { FULL, readBundle } from "../fairdeal/tile.js";

const LEAST = 20_000;
const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node web/bench/audit.js FOLDER (a log, as `fairdeal generate` writes it)");
  process.exit(2);
}

const files = new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath ?? each.path, each.name))
    .map((path) => [path.slice(join(folder, "x").length - 1), new Uint8Array(readFileSync(path))]),
);
const key = readFileSync(join(folder, "log.key"), "utf8").trim();

/** Processor time, because other programs disturb the clock on the wall. */
async function measure(run) {
  const [before, start] = [process.cpuUsage(), performance.now()];
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, processor: (user + system) / 1e6, wall: (performance.now() - start) / 1000 };
}

let calls = 0;
const {
  result: verdict,
  processor,
  wall,
} = await measure(() =>
  auditLog((path) => files.get(path) ?? null, { key, onProgress: () => calls++ }),
);
const rate = verdict.size / processor;
const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
console.log(
  `${verdict.holds ? "holds" : "does not hold"}: ${verdict.size} entries in ${processor.toFixed(2)} s of processor time (${wall.toFixed(2)} s in all)`,
);
console.log(
  `${Math.round(rate)} entries in a second of processor time (at least ${LEAST} are expected)`,
);
console.log(`progress told ${calls} times; ${memory} MB with the files themselves`);

// The baseline: each entry parsed and hashed once, by Node's own code.
const floor = await measure(() => {
  const decoder = new TextDecoder();
  for (const [path, bytes] of files) {
    if (!path.startsWith("tile/entries/")) continue;
    const width = path.includes(".p/") ? Number(path.split("/").pop()) : FULL;
    for (const entry of readBundle(bytes, width)) {
      createHash("sha256").update(entry).digest();
      JSON.parse(decoder.decode(entry));
    }
  }
});
console.log(
  `${(processor / floor.processor).toFixed(1)} times the floor: to parse and to hash each entry once, by Node's own code`,
);

const receipts = new URL("../../fixtures/receipts/", import.meta.url);
const receiptKey = readFileSync(new URL("log.key", receipts), "utf8").trim();
const receipt = readFileSync(new URL("round.json", receipts), "utf8");
const times = [];
for (let i = 0; i < 50; i++) {
  const from = performance.now();
  await verifyReceipt(receipt, { key: receiptKey });
  times.push(performance.now() - from);
}
console.log(
  `a receipt: ${times[0].toFixed(1)} ms at first, then ${times.sort((a, b) => a - b)[25].toFixed(2)} ms`,
);
process.exitCode = verdict.holds && rate >= LEAST ? 0 : 1;
