// The page with files only: a copy of a log without a service, and a large log.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { path as fixture, text } from "../../fixtures.js";
import { accessible, longTasks, noLag, watchTasks } from "./checks.js";
import { isLong, picture, start } from "./harness.js";
import { fairdeal, folder } from "./service.js";

/** The folder with the log's files. */
let files = null;
const { open } = await start((name) => {
  if (files === null || !/^\/(checkpoint$|tile\/)/.test(name)) return null;
  const file = join(files, name);
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file) : null;
});

/** A copy has no service: the browser's message about that is not a fault of the page. */
const expected = /Failed to load resource.*404/;

async function explore(where, hash = "") {
  files = where;
  const opened = await open(`/explore.html${hash}`);
  await opened.page.waitForFunction(
    () =>
      document.documentElement.dataset.state === "failed" ||
      document.documentElement.dataset.route !== undefined,
  );
  return {
    ...opened,
    close: async () => {
      await opened.context.close();
      assert.deepEqual(
        opened.complaints.filter((each) => !expected.test(each)),
        [],
      );
    },
  };
}

async function audit(page, key) {
  await page.fill(".key-form input[name=key]", key);
  await page.click(".key-form button.first");
  await page.waitForFunction(() => !document.querySelector("#audit").disabled);
  await page.click("#audit");
  await page.waitForFunction(
    () => ["holds", "fails", "unreadable"].includes(document.querySelector(".audit").dataset.state),
    null,
    { timeout: 120_000 },
  );
  return JSON.parse(
    await page.evaluate(() => document.querySelector(".audit").dataset.verdict ?? "null"),
  );
}

const LOGS = [
  "honest-mixings",
  "honest-full-tiles",
  "honest-sealed",
  "honest-other-protocol",
  "overdue",
  "late-reveal",
  "seed-mismatch",
  "result-mismatch",
  "tree-mismatch-tile-edited",
  "tree-mismatch-bundle-missing",
  "bad-signature-flipped",
  "nonce-gap",
  "weak-mixing",
];

/** A verdict without its texts for people, which differ between programs. */
const plain = (verdict) => ({
  ...verdict,
  findings: verdict.findings.map(({ says, ...rest }) => {
    assert.ok(says.length > 0);
    return { commitment: null, index: null, nonce: null, ...rest };
  }),
});

for (const name of LOGS) {
  test(`a copy of logs/${name} is audited as the command does`, async () => {
    const where = fixture("logs", name);
    const key = text("logs", name, "key").trim();
    const { page, close } = await explore(where);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.connection), "mirror");
    const verdict = await audit(page, key);
    const time = String(verdict.clock);
    const theirs = JSON.parse(
      fairdeal(["audit", where, "--key", key, "--as-of", time, "--clock", time, "--json"], {
        codes: [0, 1],
      }),
    );
    assert.deepEqual(plain(verdict), plain(theirs));
    if (!verdict.holds) {
      await page.waitForSelector(".findings .window-row");
      assert.equal(await page.locator("#by-clock").count(), name === "overdue" ? 1 : 0);
      await accessible(page, name);
      await picture(page, `explore-finding-${name}`);
    }
    await close();
  });
}

test("what is overdue is red and hatched, and says so", async () => {
  const { page, close } = await explore(fixture("logs", "overdue"));
  await page.waitForSelector(".lanes .bar.overdue");
  assert.equal(
    await page.locator(".lanes .bar.overdue").first().getAttribute("fill"),
    "url(#hatch)",
  );
  // The sheet must not paint over the pattern.
  assert.match(
    await page
      .locator(".lanes .bar.overdue")
      .first()
      .evaluate((each) => getComputedStyle(each).fill),
    /hatch/,
  );
  assert.match(await page.locator(".lanes").textContent(), /overdue/);
  await picture(page, "explore-overdue");
  await close();
});

test(
  "a log of 100,000 rounds: read in parts, listed without lag, audited here",
  { skip: !isLong && "./check --long runs it" },
  async () => {
    const where = join(folder(), "large");
    fairdeal(["generate", "-o", where, "--deals", "100000", "--tables", "1", "--rounds", "100000"]);
    const key = readFileSync(join(where, "log.key"), "utf8").trim();
    const { page, close } = await explore(where);
    await picture(page, "explore-part");
    await watchTasks(page);
    for (let reads = 0; (await page.locator("#earlier").count()) > 0 && reads < 10; reads++) {
      const before = await page.evaluate(() => document.querySelector(".excerpt p")?.textContent);
      await page.click("#earlier");
      await page.waitForFunction(
        (old) => document.querySelector(".excerpt p")?.textContent !== old,
        before,
        { timeout: 60_000 },
      );
    }
    await page.waitForSelector(".lanes .window-row");
    await page.locator(".lanes .window-row .name").first().click();
    await page.waitForSelector(".commitments .window-row");
    await page.locator(".commitments .window-row").first().click();
    await page.waitForSelector(".rounds .window-row");
    const most = await page.evaluate(async () => {
      const box = document.querySelector(".rounds");
      const rest = box.scrollHeight - box.clientHeight;
      let rows = 0;
      for (let i = 0; i <= 100; i++) {
        box.scrollTop = (rest * i) / 100;
        await new Promise(requestAnimationFrame);
        rows = Math.max(rows, box.querySelectorAll(".window-row").length);
      }
      await new Promise((resolve) => setTimeout(resolve, 400));
      return rows;
    });
    const last = await page
      .locator(".rounds .window-row")
      .last()
      .locator("span")
      .first()
      .textContent();
    const listed = Math.max(0, ...(await longTasks(page)).map(({ duration }) => duration));
    await page.evaluate(() => {
      location.hash = "#";
    });
    await page.waitForFunction(() => document.documentElement.dataset.route === "all");
    const began = Date.now();
    const verdict = await audit(page, key);
    const took = Date.now() - began;
    const all = Math.max(0, ...(await longTasks(page)).map(({ duration }) => duration));
    console.log(
      `${verdict.size} entries: audited in ${took} ms; longest task ${listed.toFixed(0)} ms while listing, ${all.toFixed(0)} ms in all; most rows in the document ${most}`,
    );
    assert.ok(verdict.holds);
    assert.ok(most < 60, `${most} rows`);
    assert.match(last, /^(99,999|100,\d{3})$/);
    await noLag(page, await longTasks(page));
    const theirs = JSON.parse(
      fairdeal([
        "audit",
        where,
        "--key",
        key,
        "--as-of",
        String(verdict.as_of),
        "--clock",
        String(verdict.clock),
        "--json",
      ]),
    );
    assert.deepEqual(verdict, theirs);
    await close();
  },
);
