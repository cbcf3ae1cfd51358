// Entries audited per second by the page explore.html in Chromium, in a worker, from the click to
// the verdict.
//
//     FAIRDEAL=target/release/fairdeal node web/bench/pages.js [deals]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { dropFiles, serve } from "../test/browser/harness.js";
import { FAIRDEAL } from "../test/live.js";

const LEAST = 20_000;
const deals = process.argv[2] ?? "100000";
const folder = mkdtempSync(join(tmpdir(), "fairdeal-bench-"));
const run = (...args) => execFileSync(FAIRDEAL, args, { stdio: ["ignore", "pipe", "pipe"] });
run("generate", "--deals", deals, "-o", join(folder, "log"));
const key = readFileSync(join(folder, "log", "log.key"), "utf8").trim();
run("export", join(folder, "log"), "--key", key, "-o", join(folder, "log.export"));
const server = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
await page.goto(`${server.url}/explore.html`);
await page.waitForFunction(() => document.documentElement.dataset.state === "failed");
await dropFiles(page, [{ name: "log.export", bytes: readFileSync(join(folder, "log.export")) }]);
await page.waitForSelector(".lanes .window-row");
await page.fill(".key-form input[name=key]", key);
await page.click(".key-form button.first");
await page.waitForFunction(() => !document.querySelector("#audit").disabled);
const { size, took } = await page.evaluate(
  () =>
    new Promise((resolve) => {
      const panel = document.querySelector(".audit");
      const start = performance.now();
      new MutationObserver(() => {
        if (["holds", "fails", "unreadable"].includes(panel.dataset.state)) {
          resolve({
            size: JSON.parse(panel.dataset.verdict).size,
            took: performance.now() - start,
          });
        }
      }).observe(panel, { attributes: true });
      document.querySelector("#audit").click();
    }),
);
console.log(
  `${size} entries in ${(took / 1000).toFixed(1)} s: ${Math.round((size / took) * 1000)} a second (at least ${LEAST} are expected)`,
);
await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });
