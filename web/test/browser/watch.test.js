import assert from "node:assert/strict";
import { test } from "node:test";

import { replay } from "../../fairdeal/index.js";
import { dossier } from "../../workers/dossier.js";
import { bytes } from "../../fixtures.js";
import { toFragment } from "../../ui/link.js";
import { forge } from "./forge.js";
import { dropFiles, picture, readmePicture, start } from "./harness.js";
import { fairdeal } from "./service.js";

const { open } = await start();
const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.deal !== undefined);
const data = (page, name) => page.evaluate((key) => document.documentElement.dataset[key], name);
const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

test("the last frame of a receipt's shuffle is the deal that the seeds give, and what the log has", async () => {
  const { page, close } = await open("/watch.html");
  await ready(page);
  const { replay: input, deal } = dossier(bytes("receipts", "round.json"));
  assert.equal(await data(page, "deal"), replay(input).cards);
  assert.equal(await data(page, "deal"), deal.result.cards);
  assert.equal(await data(page, "follows"), "true");
  await picture(page, "watch-start");
  await page.click("#end");
  assert.match(await page.textContent("#sentence"), /All 52 are dealt/);
  await picture(page, "watch-end");
  await close();
});

test("a deck of a million items is only counted: its steps would fill the memory", async () => {
  const { receipt } = forge({ list: "a\nb\n" });
  const huge = JSON.parse(receipt);
  huge.entries[0].entry = huge.entries[0].entry
    .replace('"count":2', '"count":1048576')
    .replace('"draw":2', '"draw":1048576');
  const { page, close } = await open(
    `/watch.html#${await toFragment(Buffer.from(JSON.stringify(huge)))}`,
  );
  await page.waitForSelector("p.wrong:has-text('1,048,576 items')");
  await close();
});

test("a step moves, back undoes it, and the keyboard does the same", async () => {
  const { page, close } = await open("/watch.html");
  await ready(page);
  await page.click("#step");
  assert.equal(await data(page, "step"), "1/52");
  await page.waitForTimeout(120);
  await picture(page, "watch-moving");
  await page.click("#back");
  assert.equal(await data(page, "step"), "0/52");
  await page.locator(".stage-box").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await data(page, "step"), "1/52");
  await page.keyboard.press("End");
  assert.equal(await data(page, "step"), "52/52");
  await page.keyboard.press("Home");
  await page.locator("#speed").fill("5");
  await page.locator(".stage-box").focus();
  await page.keyboard.press(" ");
  await page.waitForFunction(() => document.documentElement.dataset.step === "52/52");
  await close();
});

for (const { method, players } of [
  { method: "shuffle", players: "alice=lucky" },
  { method: "cycle", players: "alice=lucky\nbob=7=8" },
]) {
  test(`by hand, ${method}: the frames end in the deal of the library and of the command`, async () => {
    const { page, close } = await open("/watch.html");
    await ready(page);
    await page.locator("details.panel > summary").first().click();
    await page.fill("input[name=server]", SEED);
    await page.fill("textarea[name=players]", players);
    await page.selectOption("select[name=method]", method);
    const before = await data(page, "deal");
    await page.click("form button.first");
    await page.waitForFunction((old) => document.documentElement.dataset.deal !== old, before);
    const contributions = players.split("\n").map((line) => ({
      from: line.slice(0, line.indexOf("=")),
      seed: line.slice(line.indexOf("=") + 1),
    }));
    const { cards } = replay({ serverSeed: SEED, nonce: 0, contributions, method });
    assert.equal(await data(page, "deal"), cards);
    const clients = players.split("\n").flatMap((line) => ["--client", line]);
    const out = fairdeal([
      "replay",
      "--server-seed",
      SEED,
      ...clients,
      "--nonce",
      "0",
      "--method",
      method,
      "--json",
    ]);
    assert.equal(JSON.parse(out).cards, cards);
    await close();
  });
}

test("names are drawn too, by a shuffle and by a cycle in which nobody draws themselves", async () => {
  const { page, close } = await open("/watch.html");
  await ready(page);
  await page.locator("details.panel > summary").first().click();
  const list = "Zoe\nYan\n<img src=x onerror=alert(1)>\nXim\nWu\n";
  const before = await data(page, "deal");
  await dropFiles(page, [{ name: "names.txt", bytes: Buffer.from(list) }]);
  await page.waitForFunction((old) => document.documentElement.dataset.deal !== old, before);
  assert.deepEqual((await data(page, "deal")).split("\n").sort(), list.trim().split("\n").sort());
  await page.click("#cycle");
  await page.waitForFunction(() => document.documentElement.dataset.deal?.includes("Ada"));
  const names = "Ada Ben Chloe Dov Emil Fay Gus Hana Ida Jon".split(" ");
  const drawn = (await data(page, "deal")).split("\n");
  assert.deepEqual([...drawn].sort(), names);
  assert.ok(drawn.every((name, i) => name !== names[i]));
  await page.click("#step");
  await page.waitForTimeout(600);
  await picture(page, "watch-cycle");
  await close();
});

test("a wrong shuffle shows within seconds, and the right one does not", async () => {
  const { page, close } = await open("/watch.html");
  await ready(page);
  await page.click("#lab-run");
  await page.waitForFunction(
    () => Number(document.documentElement.dataset.shuffles ?? 0) > 4000,
    null,
    { timeout: 30_000 },
  );
  assert.equal(await data(page, "wrong"), "false");
  assert.equal(await data(page, "right"), "true");
  await page.click("#lab-run");
  await picture(page, "watch-lab");
  await readmePicture(page.locator("section", { has: page.locator("#lab-run") }), "watch");
  await close();
});

test("with bytes for words, refusals are seen", async () => {
  const { page, close } = await open("/watch.html");
  await ready(page);
  await page.locator("details.panel > summary").first().click();
  await page.click("#bytes");
  for (let k = 0; k < 200 && !(await page.textContent("#sentence")).includes("refused"); k++)
    await page.click("#step");
  assert.equal(await page.locator(".refused").count(), 1);
  await picture(page, "watch-refused");
  await close();
});
