// The operator's page, with a real service: an evening at a table, what is refused, and the token.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { Client, contribution, toGive } from "../../fairdeal/index.js";
import { serving } from "../live.js";
import { sound } from "./checks.js";
import { WINDOWS, dropFiles, picture, start } from "./harness.js";
import { fairdeal, ledger, proxy } from "./service.js";

const { path, key } = ledger("cards.example/log");
const token = (name, ...args) =>
  JSON.parse(fairdeal(["token", "add", name, "--ledger", path, "--json", ...args])).token;
const FULL = token("evening", "--open");
const DEALS = token("dealer");
const told = [];
const served = await serving(path, { stderr: "pipe" });
served.child.stderr.on("data", (data) => told.push(String(data)));
after(served.stop);
const { open, server, browser } = await start(undefined, proxy(() => served.url));
const client = new Client(served.url, { token: FULL });

const stage = (page, ...stages) =>
  page.waitForFunction((all) => all.includes(document.documentElement.dataset.stage), stages, {
    timeout: 20_000,
  });

/** Opens the page, and goes to the tables. */
async function entered(with_ = FULL, options = {}) {
  const opened = await open("/operator.html", options);
  const { page, complaints } = opened;
  await page.fill("#token", with_);
  await page.click("#enter");
  await stage(page, "tables");
  // The browser's note on the question about a commitment that does not exist.
  complaints.splice(complaints.findIndex((each) => each.includes("404")), 1);
  return opened;
}

/** The seeds of some players for a round. */
const seedsOf = (commitment, nonce, ...players) =>
  Promise.all(players.map((from) => contribution({ from, commitment, nonce, key })));
const files = (all, name = (from) => `${from}.json`) =>
  all.map((each) => ({ name: name(each.from), bytes: Buffer.from(JSON.stringify(each)) }));

/** Where the table is in the log. */
const stateOf = async (table) => (await client.table(table)).commitment;

/** A new hold'em table, made on the page. */
async function newTable(page, name, { rounds = 3 } = {}) {
  await page.click("#new-table");
  await page.fill("#table-name", name);
  await page.fill("#rounds", String(rounds));
  await page.click("#commit");
  await stage(page, "collect");
}

/** Locks and deals the next round. */
async function dealt(page, table, ...players) {
  const { commitment, next } = await stateOf(table);
  const all = await seedsOf(commitment, next, ...players);
  await dropFiles(page, files(all.map(toGive), (from) => `${from}.give.json`));
  await page.click("#lock");
  await stage(page, "locked");
  await dropFiles(page, files(all));
  await page.click("#deal:enabled");
  await stage(page, "play", "dealt");
  return all;
}

async function saved(page, selector) {
  const coming = page.waitForEvent("download");
  await page.click(selector);
  const download = await coming;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

const faces = (page, within) =>
  page.locator(`#cloth ${within} .card[aria-label]`).evaluateAll((all) =>
    all.map((card) => card.getAttribute("aria-label")).filter((name) => !name.includes("face down")),
  );

test("an evening of hold'em: promise, lock, deal, flop, turn, river, one player's cards, round over, a void with a reason, the reveal", async () => {
  const { page, close } = await entered();
  await picture(page, "operator-none");
  await newTable(page, "holdem/1");
  await picture(page, "operator-collect-empty");
  const { commitment } = await stateOf("holdem/1");
  const all = await seedsOf(commitment, 0, "alice", "bob", "carol");
  await dropFiles(page, files(all.map(toGive), (from) => `${from}.give.json`));
  assert.equal(await page.locator(".table-seats li").count(), 3);
  await page.click("#earlier-1");
  assert.deepEqual(await page.locator(".seat-name bdi").allTextContents(), ["bob", "alice", "carol"]);
  await page.click("#earlier-1");
  await picture(page, "operator-collect");
  await page.click("#lock");
  await stage(page, "locked");
  await picture(page, "operator-locked");
  assert.ok(await page.locator("#deal").isDisabled());
  await dropFiles(page, files(all));
  await page.click("#deal:enabled");
  await stage(page, "play");
  await picture(page, "operator-dealt");
  assert.deepEqual(await faces(page, ".board"), []);

  for (const [street, many] of [
    [1, 3],
    [2, 4],
    [3, 5],
  ]) {
    await page.click(`#street-${street}`);
    await page.waitForFunction(
      (n) =>
        [...document.querySelectorAll("#cloth .board .card")].filter(
          (card) => !card.getAttribute("aria-label").includes("face down"),
        ).length === n,
      many,
    );
    if (street === 1) await picture(page, "operator-flop");
  }
  const { name, text } = await saved(page, "#give-0");
  assert.equal(name, "alice-holdem_1-1.json");
  const opening = JSON.parse(text);
  assert.equal(opening.format, "fairdeal/opening/v1");
  assert.deepEqual(opening.opened.map(({ t }) => t), [0, 3]);
  // The dealer does not see them, and everybody else neither.
  assert.deepEqual(await faces(page, ".table-seats"), []);
  await page.waitForSelector(".table-seats .mark.here");
  await page.click("#show-1");
  await page.click("#confirm");
  await page.waitForFunction(() => !document.querySelector("#show-1"));
  assert.equal((await faces(page, ".table-seats")).length, 2);
  await picture(page, "operator-river");
  await page.click("#over");
  await stage(page, "dealt");
  assert.deepEqual((await client.commitment(commitment)).in_play, []);
  await page.click("#next-round");
  await stage(page, "collect");

  const second = await seedsOf(commitment, 1, "alice", "bob");
  await dropFiles(page, files(second.map(toGive)));
  await page.click("#lock");
  await stage(page, "locked");
  await dropFiles(page, files(second.slice(0, 1)));
  await page.click("#void");
  await picture(page, "operator-void");
  await page.fill("#reason", "bob did not open his hash in a minute");
  await page.selectOption("#blame", { label: "bob" });
  await page.click("#confirm");
  await stage(page, "collect");
  const voided = await client.round(commitment, 1);
  assert.deepEqual(
    [voided.state, voided.reason, voided.blame],
    ["voided", "bob did not open his hash in a minute", "bob"],
  );

  await page.click("#reveal");
  assert.match(await page.textContent("#unused"), /1 round is unused/);
  await picture(page, "operator-reveal");
  await page.check("#close-table");
  await page.click("#confirm");
  await stage(page, "ended");
  assert.equal((await stateOf("holdem/1")).state, "revealed");
  await picture(page, "operator-ended");
  assert.equal((await faces(page, ".board")).length, 0, "the voided round has no cards");
  await close();
});
