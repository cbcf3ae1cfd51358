// A real service with two tokens, and what an operator does on the page, for the page's tests.

import { readFileSync } from "node:fs";
import { after } from "node:test";

import { Client, contribution, toGive } from "../../fairdeal/index.js";
import { serving } from "../live.js";
import { dropFiles, start } from "./harness.js";
import { fairdeal, ledger, proxy } from "./service.js";

/** Starts a service, a browser, and what goes with them. */
export async function operating() {
  const { path, key } = ledger("cards.example/log");
  /** A new token. */
  const token = (name, ...args) =>
    JSON.parse(fairdeal(["token", "add", name, "--ledger", path, "--json", ...args])).token;
  const FULL = token("evening", "--open");
  /** The lines of the service's log. */
  const told = [];
  const served = await serving(path, { stderr: "pipe" });
  served.child.stderr.on("data", (data) => told.push(String(data)));
  after(served.stop);
  const { open, server, browser } = await start(
    undefined,
    proxy(() => served.url),
  );
  const client = new Client(served.url, { token: FULL });

  /** Waits until the page is in one of these stages. */
  const stage = (page, ...stages) =>
    page.waitForFunction((all) => all.includes(document.documentElement.dataset.stage), stages, {
      timeout: 60_000,
    });

  /** Opens the page, and goes to the tables. */
  async function entered(with_ = FULL, options = {}) {
    const opened = await open("/operator.html", options);
    const { page } = opened;
    await page.fill("#token", with_);
    await page.click("#enter");
    await stage(page, "tables");
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
    await dropFiles(
      page,
      files(all.map(toGive), (from) => `${from}.give.json`),
    );
    await page.click("#lock");
    await stage(page, "locked");
    await dropFiles(page, files(all));
    await page.click("#deal:enabled");
    await stage(page, "play", "dealt");
    return all;
  }

  /** The file that a press saves. */
  async function saved(page, selector) {
    const coming = page.waitForEvent("download");
    await page.click(selector);
    const download = await coming;
    return {
      name: download.suggestedFilename(),
      text: readFileSync(await download.path(), "utf8"),
    };
  }

  /** The names of the cards that are face up on the cloth. */
  const faces = (page, within) =>
    page
      .locator(`#cloth ${within} .card[aria-label]`)
      .evaluateAll((all) =>
        all
          .map((card) => card.getAttribute("aria-label"))
          .filter((name) => !name.includes("face down")),
      );
  return {
    path,
    token,
    FULL,
    told,
    served,
    client,
    stage,
    entered,
    seedsOf,
    files,
    stateOf,
    newTable,
    dealt,
    saved,
    faces,
    open,
    server,
    browser,
  };
}
