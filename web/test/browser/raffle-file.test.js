// A raffle from its promise to its end, by the command with the clock of a recorded round of drand,
// and the page that it writes: one file, opened from a folder before the draw, at it and after it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { QUICKNET } from "../../fairdeal/beacon.js";
import { accessible, fits } from "./checks.js";
import { dropFiles, picture, start, verdictOf } from "./harness.js";
import { NUMBER, OUT } from "./raffle.js";
import { FAIRDEAL, fairdeal, folder } from "./service.js";

const place = folder();
const ledger = join(place, "ledger");
const list = join(place, "guests.txt");
writeFileSync(list, "anna\nbob\ncarol\ndave\n</script><b>eve</b>\n");

/** A relay of drand, which has the recorded round once it is switched on. */
const relay = { has: false, asked: /** @type {string[]} */ ([]), url: "" };
const server = createServer((request, response) => {
  relay.asked.push(String(request.url));
  // As drand's own relays: any page may ask.
  response.writeHead(relay.has ? 200 : 404, { "Access-Control-Allow-Origin": "*" });
  response.end(relay.has ? NUMBER : "");
});
await new Promise((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(undefined));
});
relay.url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
after(() => server.close());

/** Runs the command at a second of that day; the clock goes on from there. */
function then(second, args, { codes = [0] } = {}) {
  const at = new Date(1000 * second).toISOString().slice(0, 19).replace("T", " ");
  const { status, stdout, stderr, error } = spawnSync("faketime", [at, FAIRDEAL, ...args], {
    encoding: "utf8",
    env: { ...process.env, TZ: "UTC" },
  });
  assert.ifError(error);
  assert.ok(codes.includes(status ?? -1), `fairdeal ${args.join(" ")}: exit ${status}: ${stderr}`);
  return stdout;
}

const winter = join(place, "winter");
const { open } = await start(undefined, undefined, {
  url: String(pathToFileURL(winter)),
  close: () => undefined,
});

/** Opens the page at a second of the reader's clock. It may ask the relay that it names. */
async function at(second, file = join(winter, "raffle.html")) {
  writeFileSync(join(winter, "blank.html"), "");
  const { page, complaints, close } = await open("/blank.html");
  await page.clock.install({ time: 1000 * second });
  await page.goto(String(pathToFileURL(file)));
  await page.waitForFunction(() => document.documentElement.dataset.stage !== undefined);
  return {
    page,
    close: () => {
      const others = complaints.filter((each) => !each.includes(relay.url));
      complaints.splice(0, complaints.length, ...others);
      return close();
    },
  };
}

const stage = (page, wanted) =>
  page.waitForFunction((each) => document.documentElement.dataset.stage === each, wanted);

let commitment = "";
const draw = () => ["raffle", "draw", commitment, "--ledger", ledger, "-o", winter, "--json"];

test("the command promises a raffle that a recorded round decides", () => {
  then(OUT - 310, ["init", ledger, "--origin", "club.example/raffle"]);
  const time = new Date(1000 * OUT).toISOString().replace(".000", "");
  const promised = JSON.parse(
    then(OUT - 300, [
      ..."raffle new --winners 2 --prize cake --title Winter --json".split(" "),
      ...[list, "--at", time, "--ledger", ledger, "-o", winter, "--beacon-relay", relay.url],
    ]),
  );
  assert.equal(promised.out, 1000 * OUT);
  assert.equal(promised.beacon, JSON.parse(NUMBER).round);
  commitment = promised.commitment;
  const early = JSON.parse(then(OUT - 295, draw(), { codes: [3] }));
  assert.equal(early.error.code, "awaits-beacon");
});

test("before the draw the page, opened from a folder, counts down and finds a ticket", async () => {
  const { page, close } = await at(OUT - 120);
  await stage(page, "before");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  assert.match(await page.textContent("h1"), /2 winners of 5 tickets/);
  // The other pages are not beside the file.
  assert.equal(await page.locator("nav, a[href]:not([href^='#'])").count(), 0);
  assert.match(await page.textContent(".foot p"), /servers only for the public random number/);
  await page.fill("#find input", "</script><b>eve</b>");
  await page.click("#find button");
  await page.waitForFunction(() => /is in/.test(document.querySelector("#found").textContent));
  await picture(page, "raffle-file-before");
  await accessible(page, "before the draw");
  await fits(page, "before the draw");
  assert.deepEqual(relay.asked, []);
  // The same page, still open at the draw.
  relay.has = true;
  await page.clock.runFor(126_000);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "fair");
  const only = `/${QUICKNET.hash}/public/${JSON.parse(NUMBER).round}`;
  assert.deepEqual([...new Set(relay.asked)], [only]);
  assert.equal(await page.locator(".ticket").count(), 2);
  await picture(page, "raffle-file-drawn");
  await close();
});

test("without a relay the reader drops the number, and is not told that nobody knew it", async () => {
  relay.has = false;
  const { page, close } = await at(OUT + 3600);
  await page.waitForSelector("#again");
  assert.equal(
    await page.getAttribute(".relay", "href"),
    `${relay.url}/${QUICKNET.hash}/public/${JSON.parse(NUMBER).round}`,
  );
  await dropFiles(page, [{ name: "round.json", bytes: Buffer.from(NUMBER) }]);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  // Who saved the file itself before the draw has the promise.
  const saved = readFileSync(join(winter, "raffle.html"));
  await dropFiles(page, [{ name: "raffle.html", bytes: saved }], "[data-kept]");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  // Only the reader knows when they saved it.
  assert.match(await page.textContent("#headline"), /^\s*Fair, if your copy is from before/);
  await picture(page, "raffle-file-by-hand");
  await close();
});

test("the command draws, and its new page has the draw without any relay", async () => {
  const number = join(place, "round.json");
  writeFileSync(number, NUMBER);
  const kept = join(place, "kept.json");
  writeFileSync(kept, readFileSync(join(winter, "raffle.json")));
  const day = new Date(1000 * OUT).toISOString().slice(0, 10);
  const drawn = JSON.parse(
    then(OUT + 10, [...draw(), "--beacon", number, "--accept-time", day]),
  ).drawn.map(({ line }) => line);
  relay.asked.length = 0;
  const { page, close } = await at(OUT + 3600);
  await stage(page, "drawn");
  const shown = await page
    .locator(".ticket")
    .evaluateAll((all) => all.map((one) => one.dataset.line));
  assert.deepEqual(shown, drawn);
  assert.deepEqual(relay.asked, []);
  await picture(page, "raffle-file-after");
  await close();

  const given = (name) => join(winter, name);
  const verdict = JSON.parse(
    fairdeal([
      ...["raffle", "verify", given("raffle.json"), "--list", given("list.txt")],
      ...["--key", given("log.key"), "--mine", kept, "--json"],
    ]),
  );
  assert.equal(verdict.state, "fair");
  assert.deepEqual(
    verdict.drawn.map(({ line }) => line),
    drawn,
  );
});

test("the page of a raffle that was given up says why, and promises nothing more", async () => {
  const [given, spring] = [join(winter, "given-up"), join(place, "spring")];
  then(OUT - 310, ["init", spring, "--origin", "club.example/spring"]);
  const time = new Date(1000 * OUT).toISOString().replace(".000", "");
  const { commitment: other } = JSON.parse(
    then(OUT - 300, [
      ..."raffle new --winners 1 --title Spring --as-is --json".split(" "),
      ...[list, "--at", time, "--ledger", spring, "-o", given],
    ]),
  );
  then(OUT - 290, ["void", other, "--reason", "a name was missing", "--ledger", spring]);
  then(OUT - 280, ["raffle", "draw", other, "--ledger", spring, "-o", given]);
  const { page, close } = await at(OUT - 120, join(given, "raffle.html"));
  await page.waitForSelector(".step.void");
  assert.match(await page.textContent("#headline"), /gave this raffle up/);
  assert.equal(await page.textContent(".reason q"), "a name was missing");
  assert.match(await page.textContent(".reason"), /^The organiser’s reason:/);
  assert.match(await page.textContent("[data-step=winners]"), /Given up: Winners.*none/s);
  assert.match(await page.textContent("#identity"), /another number/);
  // Nobody keeps what was given up, or announces it.
  assert.equal(await page.locator("#save, #identity button").count(), 0);
  await picture(page, "raffle-file-void");
  await accessible(page, "a raffle that was given up");
  await close();
});

test("a page whose list was changed on the web says so, and shows no winners", async () => {
  const whole = readFileSync(join(winter, "raffle.html"), "utf8");
  assert.ok(whole.includes("anna\\nbob"));
  writeFileSync(join(winter, "raffle.html"), whole.replace("anna\\nbob", "anna\\nme"));
  const { page, close } = await at(OUT + 3600);
  await page.waitForFunction(() => document.querySelector("#headline")?.textContent !== "");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
  assert.match(await page.textContent("#headline"), /list.*Do not believe winners/s);
  assert.equal(await page.locator(".ticket").count(), 0);
  await picture(page, "raffle-file-other-list");
  await close();
});
