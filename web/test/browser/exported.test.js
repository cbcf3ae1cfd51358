// The pages that `fairdeal web export` writes, opened from a folder: each does its work without any
// server.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { bytes, path, text } from "../../fixtures.js";
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
    ["check.html", "explore.html", "verify.html", "watch.html"],
  );
});

test("verify: the example, and a receipt that is dropped on it", async () => {
  const { page, close } = await open("/verify.html");
  await page.click("#example");
  assert.equal(await verdictOf(page), "unproved");
  await picture(page, "exported-verify");
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

test("explore: an exported log, audited in a worker with the command's verdict", async () => {
  const key = text("logs", "honest-mixings", "key").trim();
  const file = join(folder, "log.export");
  fairdeal(["export", path("logs", "honest-mixings"), "--key", key, "--output", file]);
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
  assert.deepEqual(verdict, theirs);
  await picture(page, "exported-explore");
  await close();
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
