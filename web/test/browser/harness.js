// A server of static files with the pages' policy, a browser, and a page that fails its test for
// any complaint.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { chromium } from "playwright-core";

import { PROBLEM } from "./service.js";

export const WEB = fileURLToPath(new URL("../../", import.meta.url));
const SCREENSHOTS = join(WEB, "..", "target", "screenshots");

/** The headers that the service sends with every page. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** `./check --long`: more windows, more rows, and the pictures. */
export const isLong = process.env.FAIRDEAL_LONG === "1";

/** Theme, and width in pixels: both themes and both ends of the widths, or each with each. */
export const WINDOWS = isLong
  ? [
      ["light", 1600],
      ["dark", 1280],
      ["light", 320],
      ["dark", 320],
      ["light", 768],
    ]
  : [
      ["dark", 1600],
      ["light", 320],
    ];

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The library that verifies beacons, as a build bundles it. @type {Buffer | null} */
let bundled = null;
const curves = () =>
  (bundled ??= execFileSync("esbuild", [join(WEB, "curves.js"), "--bundle", "--format=esm"]));

/**
 * Serves a folder on this machine alone.
 * @param {(path: string) => string | Buffer | null} [extra] a file that is not in the folder
 * @param {(request: object, response: object) => boolean} [handle] answers instead, if it returns
 *   true
 */
export async function serve(extra = () => null, handle = () => false) {
  const served = [];
  const server = createServer((request, response) => {
    if (handle(request, response)) return;
    const path = new URL(request.url, "http://local").pathname;
    const name = path === "/" ? "/verify.html" : path;
    try {
      const body =
        extra(name) ??
        (name === "/curves.js" ? curves() : readFileSync(join(WEB, normalize(name))));
      served.push({ name, length: Buffer.byteLength(body) });
      response.writeHead(200, {
        "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
        "Content-Security-Policy": POLICY,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, served, close: () => server.close() };
}

/**
 * A browser and a server for one test file; both end with it.
 * @param {(path: string) => string | null} [extra]
 * @param {(request: object, response: object) => boolean} [handle] answers instead, if it returns
 *   true
 * @param {{url: string, close: () => unknown}} [given] another server of the pages
 */
export async function start(extra, handle, given) {
  const server = given ?? (await serve(extra, handle));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  /**
   * A new page in a new context.
   * @param {string} path
   * @param {object} [options] of the context
   */
  async function open(path, options = {}) {
    const context = await browser.newContext({
      locale: "en-GB",
      timezoneId: "UTC",
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    await slow(page);
    const complaints = [];
    page.on("console", (message) => {
      // The home page asks whether its host has a log. The browser reports the answer "no".
      const asks = /\/(v1\/log|checkpoint|log\.key)$/.test(message.location().url);
      if (asks && / 404 /.test(message.text())) return;
      // The page of a raffle asks for a number that may not be there yet.
      if (/\/v1\/beacons\//.test(message.location().url) && / 404 /.test(message.text())) return;
      // The operator's page asks about a commitment that does not exist, also without a token.
      if (/\/v1\/commitments\/0{64}\/openings$/.test(message.location().url)) return;
      // It reads the witnesses there, also of a service that is not ready.
      if (/\/readyz$/.test(message.location().url)) return;
      if (["error", "warning"].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`.trim());
    });
    // A committed entry is not published yet for as long as a disk needs. A page that reads it in
    // this time asks again (spec/http.md, section 10), and the browser complains of the first
    // answer.
    const unpublished = [];
    page.on("response", (response) => {
      if (response.headers()[PROBLEM]?.endsWith(":not-published")) unpublished.push(response.url());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url))
        complaints.push(`it asks ${request.url()}`);
    });
    await page.goto(server.url + path);
    return {
      page,
      context,
      complaints,
      close: async () => {
        await context.close();
        for (const url of unpublished) {
          const at = complaints.findIndex((each) => each.endsWith(`(Service Unavailable) ${url}`));
          if (at >= 0) complaints.splice(at, 1);
        }
        assert.deepEqual(complaints, [], `${path} complains`);
      },
    };
  }
  return { server, browser, open };
}

/** With FAIRDEAL_SLOW=6 the processor is slower: a test that does not wait long enough fails. */
async function slow(page) {
  const rate = Number(process.env.FAIRDEAL_SLOW ?? 1);
  if (rate > 1)
    await (
      await page.context().newCDPSession(page)
    ).send("Emulation.setCPUThrottlingRate", { rate });
}

/** Waits until the page has a verdict other than "pending". */
export async function verdictOf(page) {
  await page.waitForFunction(() => document.documentElement.dataset.verdict !== "pending", null, {
    timeout: 60_000,
  });
  return page.evaluate(() => document.documentElement.dataset.verdict);
}

/**
 * A receipt and a key, as files to drop.
 * @param {string} receipt
 * @param {string} key
 */
export const roundFiles = (receipt, key) => [
  { name: "round.json", bytes: Buffer.from(receipt) },
  { name: "log.key", bytes: Buffer.from(key) },
];

/**
 * Drops files on the page, as a person would.
 * @param {import("playwright-core").Page} page
 * @param {{name: string, bytes: Uint8Array | Buffer}[]} files
 */
export async function dropFiles(page, files, at = "body") {
  const given = files.map(({ name, bytes }) => ({
    name,
    base64: Buffer.from(bytes).toString("base64"),
  }));
  await page.evaluate(
    ({ all, at: selector }) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of all) {
        transfer.items.add(
          new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name),
        );
      }
      document
        .querySelector(selector)
        ?.dispatchEvent(
          new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
    },
    { all: given, at },
  );
}

/** Waits for the motion of cards and sentences: what is half there has no contrast yet. */
export async function settled(page) {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
}

/** Opens the fold of what the reader gave, and could give. */
export async function openInputs(page) {
  if (!(await page.evaluate(() => document.querySelector("#with").open)))
    await page.click("#with > summary");
}

/**
 * Keeps two pictures of the page for people to look at, in `./check --long` alone: on a desk in
 * light, and on a phone in dark. Afterwards the page is as it was.
 */
export async function picture(page, name) {
  if (!isLong) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const size = page.viewportSize();
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  for (const [where, colorScheme, width, height] of [
    ["desk", "light", 1280, 900],
    ["phone", "dark", 390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${where}.png`), fullPage: true });
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
  await settled(page);
}

/**
 * A picture of the README. FAIRDEAL_PICTURES=overwrite makes it again; otherwise it must exist.
 * @param {import("playwright-core").Page | import("playwright-core").Locator} of
 */
export async function readmePicture(of, name, options = {}) {
  const path = join(WEB, "..", "docs", "pictures", `${name}.png`);
  if (process.env.FAIRDEAL_PICTURES === "overwrite") {
    mkdirSync(dirname(path), { recursive: true });
    await of.screenshot({ path, ...options });
  }
  assert.ok(existsSync(path), `${path} is missing: FAIRDEAL_PICTURES=overwrite makes it`);
}
