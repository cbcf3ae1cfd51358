// The pages in Firefox: verify, watch and explore show a log, and a hand is played.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import puppeteer from "puppeteer-core";

import { table } from "../live.js";

const service = await table();
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
});
after(async () => {
  await browser.close();
  await service.stop();
});

/** Opens a page, waits for a value of its root's data, and closes it; it may not complain. */
async function on(path, use) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(service.url + path);
  const is = (name, ...values) =>
    page.waitForFunction(
      (key, all) => {
        const value = document.documentElement.dataset[key];
        return value !== undefined && (all.length === 0 || all.includes(value));
      },
      { timeout: 60_000 },
      name,
      values,
    );
  await use(page, is);
  await page.close();
  assert.deepEqual(complaints, [], `${path} complains`);
}

test("a hand is played, and is fair", async () => {
  await on("/play.html", async (page, is) => {
    await is("play", "ready");
    await page.click("#deal");
    await is("play", "fair");
    assert.equal((await page.$$(".place-of-card.shown")).length, 10);
  });
});

test("the example is verified", async () => {
  await on("/verify.html", async (page, is) => {
    await page.click("#example");
    await is("verdict", "unproved");
    assert.equal((await page.$$(".cloth .cards svg")).length, 52);
  });
});

test("a shuffle is watched to its end", async () => {
  await on("/watch.html", async (page, is) => {
    await is("deal");
    await page.click("#end");
    await is("step", "52/52");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.follows), "true");
  });
});

test("the log is explored", async () => {
  await on("/explore.html", async (page, is) => {
    await is("state", "open");
    await page.waitForFunction(
      () => Number(document.querySelector(".checkpoint")?.dataset.size) > 0,
      { timeout: 60_000 },
    );
  });
});
