// Checks of every page: no fault found by axe, in both themes; no horizontal scrolling; few bytes
// at first; no foreign script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { test } from "node:test";

import { bytes, text } from "../../fixtures.js";
import { sound } from "./checks.js";
import { HOLDEM, forge } from "./forge.js";
import { WEB, WINDOWS, dropFiles, picture, roundFiles, start, verdictOf } from "./harness.js";

const { open, server } = await start();
const FIRST_PAINT = 100_000;

/** Each checked state of each page, and the way to reach it. */
const STATES = {
  "verify-empty": ["/verify.html", async () => {}],
  "verify-example": [
    "/verify.html",
    async (page) => {
      await page.click("#example");
      await verdictOf(page);
      await page
        .locator(":is(.step:not([open]), .fold:not([open])) > summary")
        .evaluateAll((all) => all.forEach((summary) => summary.click()));
    },
  ],
  "verify-fails": [
    "/verify.html",
    async (page) => {
      const receipt = text("receipts", "round.json")
        .replace("3c5d", "As5d")
        .replace("8cAsKc", "8c3cKc");
      await dropFiles(page, [
        { name: "round.json", bytes: Buffer.from(receipt) },
        { name: "log.key", bytes: bytes("receipts", "log.key") },
      ]);
      await verdictOf(page);
      await page.locator(".step > summary").first().click();
    },
  ],
  "verify-caught": [
    "/verify.html",
    async (page) => {
      const { receipt, key } = forge({
        ...HOLDEM,
        cheat: ({ cards }) => ({
          cards: `${cards.slice(0, 8)}${cards.slice(10, 12)}${cards.slice(8, 10)}${cards.slice(12)}`,
        }),
      });
      await dropFiles(page, roundFiles(receipt, key));
      await verdictOf(page);
      await page.click("[aria-controls=what-now]");
    },
  ],
  "verify-holdem": [
    "/verify.html",
    async (page) => {
      const { receipt, key } = forge(HOLDEM);
      await dropFiles(page, roundFiles(receipt, key));
      await verdictOf(page);
      await page.click(".folded summary");
    },
  ],
  "verify-menu": [
    "/verify.html",
    async (page) => {
      if (await page.isVisible(".menu")) await page.click(".menu");
    },
  ],
  "verify-opening": [
    "/verify.html",
    async (page) => {
      await dropFiles(page, [
        { name: "opening.json", bytes: bytes("receipts", "opening.json") },
        { name: "log.key", bytes: bytes("receipts", "log.key") },
      ]);
      await verdictOf(page);
    },
  ],
  "verify-key": [
    "/verify.html",
    async (page) => {
      await dropFiles(page, [{ name: "round.json", bytes: bytes("receipts", "round.json") }]);
      await page.waitForSelector("#key");
    },
  ],
  "verify-several": [
    "/verify.html",
    async (page) => {
      const files = ["round.json", "opening.json"].map((name) => ({
        name,
        bytes: bytes("receipts", name),
      }));
      await dropFiles(page, [...files, { name: "log.key", bytes: bytes("receipts", "log.key") }]);
      await verdictOf(page);
    },
  ],
  "verify-unreadable": [
    "/verify.html",
    async (page) => {
      await dropFiles(page, [
        { name: "photo.jpg", bytes: Buffer.from([255, 216, 255, 224]) },
        { name: "log.key", bytes: bytes("receipts", "log.key") },
      ]);
      await verdictOf(page);
    },
  ],
  "verify-hand": [
    "/verify.html",
    async (page) => {
      await page.locator("#hand > summary").click();
      await page.click("#hand [data-fill]");
      await page.fill("#hand input[name=expect]", "3c 5d Ac 3s 2h");
      await page.click("#hand button.first");
      await verdictOf(page);
    },
  ],
  watch: [
    "/watch.html",
    async (page) => {
      await page.waitForFunction(() => document.documentElement.dataset.deal !== undefined);
      for (let k = 0; k < 9; k++) await page.click("#step");
      await page.waitForTimeout(700);
    },
  ],
  "check-file": [
    "/check.html#dialect=duel-crash",
    async (page) => {
      await page.waitForSelector(".ways form");
      await dropFiles(page, [{ name: "rounds.json", bytes: bytes("dialects", "duel-crash.json") }]);
      await verdictOf(page);
      await page.waitForSelector(".check-rows .window-row");
    },
  ],
  "check-round": [
    "/check.html#dialect=stake-video-poker",
    async (page) => {
      await page.click("[data-fill]");
      await page.click(".ways form button.first");
      await verdictOf(page);
    },
  ],
  raffle: [
    "/raffle.html",
    async (page) => {
      await page.waitForFunction(() => document.documentElement.dataset.stage === "start");
      const names = ["document.json", "list.txt", "log.key"];
      const files = names.map((name) => ({ name, bytes: bytes("raffles", "drawn", name) }));
      await dropFiles(page, files);
      await page.waitForSelector(".timeline .step");
      await verdictOf(page);
    },
  ],
  embed: [
    "/embed.html",
    async (page) => {
      await page.waitForFunction(() =>
        [...document.querySelectorAll("fairdeal-verify")].every(
          ({ dataset }) => !["pending", undefined].includes(dataset.verdict),
        ),
      );
    },
  ],
};

for (const [name, [path, prepare]] of Object.entries(STATES)) {
  test(`${name}: axe finds nothing, in light and in dark; nothing is wider than the window, from 320 to 1,600 pixels`, async () => {
    for (const [colorScheme, width] of WINDOWS) {
      const { page, close } = await open(path, { colorScheme, viewport: { width, height: 800 } });
      await prepare(page);
      if (width === WINDOWS[0][1]) await picture(page, `${name}`);
      await sound(page, `${name}, ${colorScheme}, ${width}`);
      await close();
    }
  });
}

test("the page to verify paints from less than 100 KB, in each language", async () => {
  for (const locale of ["en-GB", "de-DE"]) {
    server.served.length = 0;
    const { page, close } = await open("/verify.html", { locale });
    await page.waitForSelector("h1");
    await page.waitForLoadState("networkidle");
    const sum = server.served.reduce((total, { length }) => total + length, 0);
    const zipped = server.served.reduce(
      (total, { name }) =>
        total + gzipSync(readFileSync(WEB + (name === "/" ? "verify.html" : name.slice(1)))).length,
      0,
    );
    console.log(
      `first paint, ${locale}: ${sum} bytes in ${server.served.length} files, ${zipped} with gzip`,
    );
    assert.ok(
      sum < FIRST_PAINT,
      `${sum} bytes: ${server.served.map(({ name, length }) => `${name} ${length}`).join(", ")}`,
    );
    await close();
  }
});

test("the page speaks the reader's language", async () => {
  const { page, close } = await open("/verify.html", { locale: "de-DE" });
  assert.equal(await page.textContent("h1"), "War Ihre Hand fair? Prüfen Sie selbst.");
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await page.click("#example");
  await verdictOf(page);
  await picture(page, "verify-german");
  await page.selectOption("select[name=language]", "en");
  await page.waitForFunction(() => document.documentElement.lang === "en");
  await close();
});

test("who asks for less motion gets none", async () => {
  const { page, close } = await open("/watch.html", { reducedMotion: "reduce" });
  await page.waitForFunction(() => document.documentElement.dataset.deal !== undefined);
  await page.click("#step");
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.step), "1/52");
  await close();
});
