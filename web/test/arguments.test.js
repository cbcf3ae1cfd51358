import assert from "node:assert/strict";
import { test } from "node:test";

import { dealer } from "../fairdeal/dealer.js";
import { verifyEvidence } from "../fairdeal/evidence.js";
import {
  auditExport,
  auditLog,
  cardsOf,
  checkRound,
  checkRows,
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
import { bytes, text } from "../fixtures.js";

const read = () => null;
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
    /^client\(baseUrl, options\): expected baseUrl, an address of http or https, .* found undefined$/,
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
    "a time that is no number",
    () => auditLog(read, { key, asOf: Number.NaN }),
    "auditLog(readFile, options): expected asOf, an integer from 0 to 2^53 − 1, found NaN",
  ],
  [
    "a time as a text",
    () => auditLog(read, { key, clock: "now" }),
    /^auditLog.* expected clock, an integer .*, found a string$/,
  ],
  [
    "a time before 1970",
    () => auditExport(new Uint8Array(9), { key, asOf: -1 }),
    /^auditExport.* expected asOf, .* found -1$/,
  ],
  [
    "a part of a millisecond",
    () => auditExport(new Uint8Array(9), { key, clock: 1.5 }),
    /^auditExport.* expected clock, .* found 1\.5$/,
  ],
  [
    "a checkpoint that is a number",
    () => auditLog(read, { key, since: 7 }),
    "auditLog(readFile, options): expected since, a text or a Uint8Array, or an array of these, found 7",
  ],
  [
    "a key that is undefined",
    () => verifyReceipt(file, { key: undefined }),
    "verifyReceipt(file, options): expected key, a text, found undefined",
  ],
  [
    "an audit without a key",
    () => auditLog(read, {}),
    "auditLog(readFile, options): expected key, a text, found undefined",
  ],
  [
    "keys of players that are a text",
    () => verifyReceipt(file, { key, players: "a" }),
    "verifyReceipt(file, options): expected players, an object, found a string",
  ],
  [
    "replay of an empty object",
    async () => replay({}),
    "replay(input): expected serverSeed, a text or a Uint8Array, found undefined",
  ],
  [
    "a path in place of an address",
    async () => client("nope"),
    /^client.* expected baseUrl, an address of http or https, .* found "nope"$/,
  ],
  [
    "an address that is not set",
    async () => client(""),
    /^client.* expected baseUrl, an address of http or https, .* found ""$/,
  ],
  [
    "a token in place of an address",
    async () => client(`fairdeal_${"0".repeat(64)}`),
    /^client.* expected baseUrl, an address of http or https, .* found a string$/,
  ],
  [
    "an address with a password",
    async () => client("ftp://me:secret@x"),
    /^client.* expected baseUrl, an address of http or https, .* found a string$/,
  ],
  [
    "an address of another scheme",
    async () => client(new URL("ftp://x")),
    /^client.* expected baseUrl, an address of http or https, .* found an object of type URL$/,
  ],
  [
    "dealer with an address",
    async () => dealer("http://localhost"),
    "dealer(client, options): expected client, what client(baseUrl, { token }) made, found a string",
  ],
  [
    "a storage without functions",
    () => player({ key, from: "alice", storage: {} }),
    "player(options): expected storage, an object with the functions get and set, found an object",
  ],
  [
    "a seat at a log that is no address",
    () => player({ key, from: "alice", log: "nope" }),
    /^player\(options\): expected log, an address of http or https, .* or null, found "nope"$/,
  ],
  [
    "a player without a key",
    () => player({ from: "alice" }),
    "player(options): expected key, a text, found undefined",
  ],
  [
    "the verdicts on files, in place of one",
    async () => cardsOf(await verifyReceipts([file], { key })),
    /^cardsOf\(shown\): .* found verdicts on files: give one of its "receipts"$/,
  ],
  ...[
    ["mein", "mine", () => verifyReceipts([file], { key, mein: [] })],
    ["asof", "asOf", () => auditLog(read, { key, asof: 1 })],
    ["drow", "draw", async () => replay({ serverSeed: "", nonce: 0, drow: 5 })],
    ["storge", "storage", () => player({ key, from: "alice", storge: {} })],
    ["tokn", "token", async () => client("http://localhost", { tokn: "x" })],
    ["card", "cards", async () => checkRound("bustabit", {}, { card: 3 })],
    ["brif", "brief", async () => checkRows("bustabit", [], { brif: true })],
    ["blnd", "blind", () => contribution({ from: "alice", blnd: "x" })],
    ["KEPT", "kept", () => verifyEvidence(file, { key, KEPT: true })],
  ].map(([found, known, call]) => [
    `the misspelt member ${found}`,
    call,
    new RegExp(`, found the unknown member "${found}": is it "${known}"\\?$`),
  ]),
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

test("a file that is evidence is sent on, and no files have no verdict", async () => {
  const evidence = JSON.stringify({ format: "fairdeal/evidence/v1" });
  await assert.rejects(verifyReceipt(evidence, { key }), {
    name: "Refused",
    code: "evidence",
    message: /verifyEvidence/,
  });
  await assert.rejects(verifyReceipts([], { key }), { name: "Refused", code: "unavailable" });
  const kept = await verifyReceipts([], { key, mine: [file] });
  assert.equal(kept.receipts.length, 1);
});

test("an audit takes one saved checkpoint, or several", async () => {
  const files = (path) => (path === "checkpoint" ? bytes("logs", "honest-example", path) : null);
  const logKey = text("logs", "honest-example", "key").trim();
  const since = text("logs", "honest-example", "checkpoint");
  for (const given of [since, [since]])
    assert.equal((await auditLog(files, { key: logKey, since: given })).size, 0);
  await assert.rejects(auditLog(files, { key: logKey, since: "x" }), { code: "unavailable" });
});
