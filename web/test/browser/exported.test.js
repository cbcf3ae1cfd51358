// The pages that `fairdeal web export` writes, opened from a folder: each does its work without any
// server.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { bytes, filesOf, json, logFile, path, text } from "../../fixtures.js";
import { dropFiles, picture, start, verdictOf } from "./harness.js";
import { fairdeal } from "./service.js";

const folder = mkdtempSync(join(tmpdir(), "fairdeal-exported-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const pages = join(folder, "pages");
fairdeal(["web", "export", pages]);
const { open } = await start(undefined, undefined, {
  url: String(pathToFileURL(pages)),
  close: () => undefined,
});

test("there is a file for each page, and nothing beside them", () => {
  assert.deepEqual(
    readdirSync(pages)
      .filter((name) => name.endsWith(".html"))
      .sort(),
    ["check.html", "explore.html", "raffle.html", "verify.html", "watch.html"],
  );
});

test("verify: the example, and a receipt that is dropped on it", async () => {
  const { page, close } = await open("/verify.html");
  await page.click("#example");
  assert.equal(await verdictOf(page), "unproved");
  await picture(page, "exported-verify");
  await close();
});

/** The page to verify, once it has loaded its modules: until then it takes no files. */
async function openVerify() {
  const opened = await open("/verify.html");
  await opened.page.waitForFunction(() => document.documentElement.dataset.verdict !== undefined);
  return opened;
}

test("verify: a beacon's signature is verified with the library that the page brings", async () => {
  const attack = json("attacks", "receipt-locked-before-beacon.json");
  const files = [
    ...filesOf(attack).map(({ name, file }) => [name, file]),
    ["log.key", attack.key],
    ["policy", attack.policy],
  ].map(([name, file]) => ({ name, bytes: Buffer.from(file) }));
  // A policy among an operator's files is not the reader's own: it is dropped alone.
  const [receipt, key, policy] = files;
  const { page, close } = await openVerify();
  await dropFiles(page, [receipt, key]);
  assert.equal(await verdictOf(page), "unproved");
  await dropFiles(page, [policy]);
  assert.equal(await verdictOf(page), "fair");
  assert.match(await page.textContent("body"), /Locked 5 s before the beacon was out\./);
  await picture(page, "exported-beacon");
  await close();
});

test("verify: a lock that names another round than the rule is caught", async () => {
  const attack = json("attacks", "receipt-locked-to-another-round.json");
  const [{ file }] = filesOf(attack);
  const { page, close } = await openVerify();
  await dropFiles(page, [
    { name: "receipt.json", bytes: Buffer.from(file) },
    { name: "log.key", bytes: Buffer.from(attack.key) },
  ]);
  assert.equal(await verdictOf(page), "caught");
  await close();
});

test("check: a file of rounds, in a worker, is counted as the command counts it", async () => {
  const { page, close } = await open("/check.html#dialect=stake-video-poker");
  await page.waitForSelector(".ways form");
  await dropFiles(page, [
    { name: "rows.json", bytes: bytes("dialects", "stake-video-poker.json") },
  ]);
  const theirs = JSON.parse(
    fairdeal(
      [
        "check",
        "stake-video-poker",
        "--file",
        path("dialects", "stake-video-poker.json"),
        "--json",
      ],
      { codes: [0, 1] },
    ),
  );
  assert.equal(await verdictOf(page), theirs.invalid === 0 ? "holds" : "fails");
  const valid = await page.locator(".counts button[data-only=valid] strong").textContent();
  assert.equal(Number(valid.replaceAll(",", "")), theirs.valid);
  await picture(page, "exported-check");
  await close();
});

test("watch: the example's shuffle, to its last card", async () => {
  const { page, close } = await open("/watch.html");
  await page.waitForFunction(() => document.documentElement.dataset.deal !== undefined);
  await page.click("#end");
  assert.match(await page.textContent("#sentence"), /All 52 are dealt/);
  await picture(page, "exported-watch");
  await close();
});

/** A verdict without the words of its findings, which are each program's own. */
const withoutWords = (verdict) => ({
  ...verdict,
  findings: verdict.findings.map(({ says, ...finding }) => finding),
});

/**
 * Audits an exported log in a worker; the command says the same.
 * @param {string} log its folder
 * @param {string} key
 * @returns {Promise<object>} the verdict
 */
async function audited(log, key) {
  const file = join(mkdtempSync(join(folder, "log-")), "log.export");
  fairdeal(["export", log, "--key", key, "--output", file]);
  const { page, close } = await open("/explore.html");
  // A file has no log at its address: the page asks for one, and complains about nothing.
  await page.waitForFunction(() => document.documentElement.dataset.state === "asking");
  assert.equal(await page.locator(".place .sign").count(), 0);
  await dropFiles(page, [{ name: "log.export", bytes: readFileSync(file) }]);
  await page.waitForSelector(".lanes .window-row");
  await page.fill(".key-form input[name=key]", key);
  await page.click(".key-form button.first");
  await page.waitForFunction(() => !document.querySelector("#audit").disabled);
  await page.click("#audit");
  await page.waitForFunction(
    () => ["holds", "fails", "unreadable"].includes(document.querySelector(".audit").dataset.state),
    null,
    { timeout: 60_000 },
  );
  const verdict = JSON.parse(
    await page.evaluate(() => document.querySelector(".audit").dataset.verdict),
  );
  const theirs = JSON.parse(
    fairdeal(["audit", file, "--key", key, "--clock", String(verdict.clock), "--json"], {
      codes: [0, 1],
    }),
  );
  assert.deepEqual(withoutWords(verdict), withoutWords(theirs));
  await picture(page, "exported-explore");
  await close();
  return verdict;
}

test("explore: an exported log, audited in a worker with the command's verdict", async () => {
  await audited(path("logs", "honest-mixings"), text("logs", "honest-mixings", "key").trim());
});

test("explore: the signature of another round is found in a worker", async () => {
  const { log, key } = json("attacks", "beacon-of-the-next-round.json");
  const files = join(folder, "wrong-round");
  for (const [name, content] of Object.entries(log)) {
    mkdirSync(dirname(join(files, name)), { recursive: true });
    writeFileSync(join(files, name), logFile(name, content));
  }
  const { counts } = await audited(files, key);
  assert.deepEqual(counts, { "beacon-signature": 1 });
});

test("explore: what a monitor found of this log, and not what it found of others", async () => {
  const demo = join(folder, "demo");
  fairdeal(["demo", demo]);
  const log = join(demo, "cheats", "skipped-round");
  const key = join(demo, "log.key");
  const file = join(folder, "skipped.export");
  fairdeal(["export", log, "--key", key, "--output", file]);
  const state = join(folder, "monitor");
  fairdeal(["monitor", log, "--key", key, "--state", state, "--once"], { codes: [1] });
  const found = readFileSync(join(state, "events.ndjson"), "utf8");
  const [first] = found.split("\n");
  const other = { ...JSON.parse(first), id: "0".repeat(32), log: "other.example+00000000" };
  const events = Buffer.from(`${found}${JSON.stringify(other)}\n{"id":1}\n`);

  const { page, close } = await open("/explore.html");
  await page.waitForFunction(() => document.documentElement.dataset.state === "asking");
  await dropFiles(page, [{ name: "skipped.export", bytes: readFileSync(file) }]);
  await page.waitForSelector(".lanes .window-row");
  await dropFiles(page, [{ name: "events.ndjson", bytes: events }]);
  await page.waitForSelector("#monitor .window-row");
  assert.equal(await page.locator("#monitor").getAttribute("data-accusing"), "2");
  const panel = await page.textContent("#monitor");
  assert.match(panel, /2 times that the operator of this log broke a rule/);
  assert.match(panel, /the next round is 0, found 1/);
  assert.match(panel, /One event is about another log/);
  assert.match(panel, /One line is no event/);
  await picture(page, "exported-monitor");

  // A row leads to the round.
  await page.locator("#monitor .window-row").first().click();
  await page.waitForFunction(() => document.documentElement.dataset.route === "round");
  await close();
});
