// What the pages say of the witnesses that a reader believes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { strings as en } from "../../strings/en.js";
import { NOON, Witness, anchor, cosigned, dealtAt } from "../witnesses.js";
import { accessible } from "./checks.js";
import { dropFiles, openInputs, picture, start, verdictOf } from "./harness.js";

const { open } = await start();
const [a, b, c] = ["a", "b", "c"].map((name) => new Witness(name));
const policy = [
  ...[a, b, c].map(({ name, vkey }) => `witness ${name} ${vkey}`),
  "group g 2 a b c",
  "quorum g",
].join("\n");
const file = (name, text) => ({ name, bytes: Buffer.from(text) });

/** A log with a round that was dealt at NOON, seen by two witnesses, and revealed. */
async function made() {
  const { log, table } = await dealtAt();
  const signed = [
    [a, NOON + 9],
    [b, NOON + 10],
  ];
  log.push(anchor(log, 3, signed));
  table.reveal();
  return { log, receipt: await log.receipt([0, 1, 2, 3, 4]) };
}

const seen = (page, step) => page.textContent(`[data-seen=${step}]`);

test("with a policy the round's page says who had seen the deal, and by when; without one nothing new", async () => {
  const { log, receipt } = await made();
  const checkpoint = await cosigned(log, [
    [b, NOON + 3600],
    [c, NOON + 7200],
  ]);
  const files = [
    file("round.json", JSON.stringify({ ...receipt, checkpoint })),
    file("log.key", log.signing.vkey),
  ];
  const { page, close } = await open("/verify.html");
  await dropFiles(page, files);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.locator("[data-seen], [data-policy]").count(), 0);
  assert.match(await page.textContent('[data-token="witnessed"]'), /others saw the same log/);
  assert.equal(await page.locator('[data-token="timed"]').count(), 0);

  await dropFiles(page, [file("policy", policy)]);
  assert.equal(await verdictOf(page), "unproved");
  await page.waitForSelector("[data-policy]");
  assert.match(
    await seen(page, "deal"),
    /^2 of your 3 witnesses had seen the deal by 08:53:30\. So it was there at the time /,
  );
  assert.match(await seen(page, "reveal"), /^2 of your 3 witnesses had seen the reveal by /);
  assert.equal(await page.locator('[data-token="witnessed"]').count(), 0);
  const line = await page.textContent("[data-policy]");
  assert.match(line, /names 3 witnesses.*only if 2 of them lie together.*if one of them lies/);
  assert.ok(line.includes(en["policy.weak"]));
  await accessible(page, "verify-witnesses");
  await picture(page, "verify-witnesses");

  // It is kept with the key, if that is kept, and used again.
  assert.equal(await page.locator("#policy-keep").count(), 0);
  await page.evaluate((key) => {
    const kept = { key, from: "", when: Date.now(), compared: false };
    localStorage.setItem("fairdeal.keys", JSON.stringify({ [key.split("+")[0]]: kept }));
  }, log.signing.vkey);
  await dropFiles(page, [file("policy", policy)]);
  await page.click("#policy-keep");
  await page.reload();
  await dropFiles(page, files.slice(0, 1));
  assert.equal(await verdictOf(page), "unproved");
  assert.match(await seen(page, "deal"), /^2 of your 3/);
  await page.click("#policy-forget");
  await page.waitForSelector("[data-policy]", { state: "detached" });
  assert.equal(await page.locator("[data-seen]").count(), 0);

  // A policy can be pasted into the form; one with a fault is refused by its line.
  await openInputs(page);
  await page.click(".policy-form summary");
  await page.fill("textarea[name=policy]", policy.replace("quorum g", "quorum h"));
  await page.click(".policy-form button");
  await page.waitForFunction(() => /line 5 of the policy/.test(document.body.textContent));
  assert.equal(await verdictOf(page), "none");
  await close();
});

test("an entry that was written later than it says is caught under a policy alone", async () => {
  const { log } = await made();
  const time = 1000 * NOON;
  log.push(
    anchor(
      log,
      4,
      [a, b].map((each) => [each, NOON + 301]),
      { time },
    ),
  );
  const exported = log.exported(
    await cosigned(log, [
      [a, NOON + 400],
      [b, 0],
    ]),
  );
  const { page, complaints, context } = await open("/explore.html");
  const audit = async () => {
    await page.waitForFunction(() => document.querySelector("#audit")?.disabled === false);
    await page.click("#audit");
    await page.waitForFunction(() =>
      ["holds", "fails"].includes(document.querySelector(".audit").dataset.state),
    );
    return JSON.parse(
      await page.evaluate(() => document.querySelector(".audit").dataset.verdict ?? "null"),
    );
  };
  await page.waitForFunction(() => document.documentElement.dataset.state === "failed");
  await dropFiles(page, [{ name: "log.export", bytes: exported }]);
  await page.waitForSelector(".key-form input[name=key]");
  await page.fill(".key-form input[name=key]", log.signing.vkey);
  await page.click(".key-form button.first");
  const without = await audit();
  assert.deepEqual(Object.keys(without.counts), ["time-runs-back"]);
  assert.equal(await page.locator("#witnesses, #by-witnesses").count(), 0);

  await dropFiles(page, [file("policy", policy)]);
  await page.waitForSelector("[data-policy]");
  const { counts, witnesses } = await audit();
  assert.deepEqual(Object.keys(counts).sort(), ["backdated", "time-runs-back"]);
  assert.deepEqual([witnesses.proving, witnesses.size, witnesses.by], [2, log.size, null]);
  assert.equal(await page.textContent("#by-witnesses"), en["audit.by-witnesses"]);
  const words = await page.textContent("#witnesses");
  assert.match(words, /have seen the first 6 entries, and do not say when/);
  assert.match(words, /No entry is newer.*One reveal.*2 anchors.*signed 2 of them.*4 minutes/);
  await accessible(page, "explore-witnesses");
  await picture(page, "explore-witnesses");
  await context.close();
  assert.deepEqual(
    complaints.filter((each) => !/Failed to load resource.*404/.test(each)),
    [],
  );
});
