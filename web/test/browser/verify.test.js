import assert from "node:assert/strict";
import { test } from "node:test";

import { bytes, json, names, text } from "../../fixtures.js";
import { dropFiles, picture, readmePicture, start, verdictOf } from "./harness.js";

const { open } = await start();
const WORDS = { 0: "holds", 1: "fails", 3: "unreadable" };

test("the example is one click away, and holds", async () => {
  const { page, close } = await open("/verify.html");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.verdict), "pending");
  await picture(page, "verify-empty");
  await page.click("#example");
  assert.equal(await verdictOf(page), "holds");
  assert.equal(await page.locator("h1").count(), 1);
  assert.equal(await page.locator(".report .cards svg").count(), 52);
  await picture(page, "verify-example");
  await readmePicture(page, "verify");
  await close();
});

for (const name of names("attacks")) {
  const wanted = json("attacks", name, "case.json");
  if (wanted.command !== "verify") continue;
  test(`attacks/${name}: ${wanted.about}`, async () => {
    const { page, close } = await open("/verify.html");
    const players = Object.entries(wanted.players).map(([label, key]) => `${label}=${key}`).join("\n");
    const files = [...wanted.files, ...wanted.mine].map((file) => ({ name: file, bytes: bytes("attacks", name, file) }));
    await dropFiles(page, [...files, { name: "log.key", bytes: Buffer.from(text("attacks", name, "key")) }]);
    let verdict = await verdictOf(page);
    if (players !== "" || wanted.seat !== null) {
      await page.locator(".aside details summary").click();
      await page.fill("textarea[name=players]", players);
      await page.fill("input[name=seat]", wanted.seat ?? "");
      await page.locator(".aside form button").last().click();
      verdict = await verdictOf(page);
    }
    assert.equal(verdict, WORDS[wanted.exit]);
    const codes = wanted.expect?.findings?.map(({ code }) => code) ?? [];
    for (const code of codes) assert.ok(await page.locator(`.step[data-token="${code}"]`).count() > 0, code);
    await close();
  });
}
