import assert from "node:assert/strict";
import { test } from "node:test";

import { dealer } from "../fairdeal/dealer.js";
import { verifyEvidence } from "../fairdeal/evidence.js";
import {
  auditExport,
  auditLog,
  client,
  contribution,
  readList,
  replay,
  toGive,
  toOpen,
  verifyReceipt,
  verifyReceipts,
} from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { text } from "../fixtures.js";

const file = text("receipts", "round.json");
const key = text("receipts", "log.key").trim();
const options = 'expected options with "key", as an object, found';

for (const [what, call, says] of [
  [
    "verifyReceipt without options",
    () => verifyReceipt(file),
    `verifyReceipt(file, options): ${options} undefined`,
  ],
  [
    "with null for them",
    () => verifyReceipt(file, null),
    `verifyReceipt(file, options): ${options} null`,
  ],
  [
    "with the key for them",
    () => verifyReceipt(file, key),
    `verifyReceipt(file, options): ${options} a string`,
  ],
  [
    "with a file that nobody waited for",
    () => verifyReceipt(Promise.resolve(file), { key }),
    /^verifyReceipt\(file, options\): expected file, .* found a Promise: await it first$/,
  ],
  [
    "with a buffer in place of its bytes",
    () => verifyReceipt(new ArrayBuffer(3), { key }),
    /^verifyReceipt.* a Uint8Array, .* found an object of type ArrayBuffer$/,
  ],
  [
    "verifyReceipts with one file",
    () => verifyReceipts(file, { key }),
    "verifyReceipts(files, options): expected files, an array, found a string",
  ],
  [
    "with a receipt that has no name",
    () => verifyReceipts([JSON.parse(file)], { key }),
    /^verifyReceipts.* files\[0\], .* or \{name, file\}, found an object without "name" or "file"$/,
  ],
  [
    "with a number",
    () => verifyReceipts([file, 7], { key }),
    /^verifyReceipts.* files\[1\], .* found a number$/,
  ],
  [
    "verifyReceipts without options",
    () => verifyReceipts([file]),
    `verifyReceipts(files, options): ${options} undefined`,
  ],
  [
    "verifyEvidence without options",
    () => verifyEvidence(file),
    `verifyEvidence(file, options): ${options} undefined`,
  ],
  [
    "auditLog with a path",
    () => auditLog("public", { key }),
    "auditLog(readFile, options): expected readFile, a function, found a string",
  ],
  [
    "auditLog without options",
    () => auditLog(() => null),
    `auditLog(readFile, options): ${options} undefined`,
  ],
  [
    "auditExport with a text",
    () => auditExport("fairdeal/export/v1\n", { key }),
    "auditExport(bytes, options): expected bytes, as a Uint8Array, found a string",
  ],
  [
    "auditExport without options",
    () => auditExport(new Uint8Array(9)),
    `auditExport(bytes, options): ${options} undefined`,
  ],
  [
    "replay of nothing",
    async () => replay(),
    'replay(input): expected input with "serverSeed" and "nonce", as an object, found undefined',
  ],
  [
    "contribution with a name",
    () => contribution("alice"),
    'contribution(input): expected input with "from", as an object, found a string',
  ],
  [
    "toGive of nothing",
    async () => toGive(),
    'toGive(kept): expected kept, what "contribution" made, as an object, found undefined',
  ],
  [
    "toOpen with a list",
    async () => toOpen([]),
    'toOpen(kept): expected kept, what "contribution" made, as an object, found an array',
  ],
  [
    "client without an address",
    async () => client(),
    "client(baseUrl, options): expected baseUrl, a text or a URL, found undefined",
  ],
  [
    "client with a token for its options",
    async () => client("http://localhost", "token"),
    'client(baseUrl, options): expected options such as "token", as an object, found a string',
  ],
  [
    "dealer with a key for its options",
    async () => dealer({}, key),
    'dealer(client, options): expected options such as "key", as an object, found a string',
  ],
  [
    "player without options",
    () => player(),
    'player(options): expected options with "key" and "from", as an object, found undefined',
  ],
  [
    "readList of a text",
    async () => readList("anna\n"),
    "readList(bytes): expected bytes, a list's file, as a Uint8Array, found a string",
  ],
]) {
  test(`${what}: what was expected, and what came`, async () => {
    await assert.rejects(call, { name: "TypeError", message: says });
  });
}

test("what a call is given in the wrong place is not repeated: it may be a secret", async () => {
  const error = await verifyReceipt(file, "PRIVATE+KEY+secret").catch((thrown) => thrown);
  assert.ok(!error.message.includes("secret"), error.message);
});

test("objects of another realm are objects", async () => {
  const { runInNewContext } = await import("node:vm");
  const theirs = runInNewContext(`({ key: ${JSON.stringify(key)} })`);
  assert.equal((await verifyReceipt(runInNewContext(`(${file})`), theirs)).holds, true);
});
