// What the verify page says to a reader who has the wrong key or file, or would show too much.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bytes, vectorNamed } from "../../fixtures.js";
import { strings as en } from "../../strings/en.js";
import { forge } from "./forge.js";
import { dropFiles, roundFiles, settled, start, verdictOf } from "./harness.js";
import { ledger } from "./service.js";

const { open } = await start();
const given = (name, from = name) => ({ name, bytes: bytes("receipts", from) });

test("a link with hidden cards is made only when the reader has read what it shows", async () => {
  const { page, context, close } = await open("/verify.html");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await dropFiles(page, [given("opening.json"), given("log.key")]);
  await verdictOf(page);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  await page.click("#share");
  assert.equal(await page.textContent(".go-on .note"), en["more.hidden"]);
  assert.equal(await page.locator("#link").count(), 0);
  assert.equal(await copied(), "before");
  await page.click("#share-hidden");
  await page.waitForSelector("#link");
  assert.match(await copied(), /#receipt=/);
  await close();
});

for (const [what, origin, says] of [
  [
    "of another log",
    "demo.example",
    /^This receipt is of .?test\.example\/log.?, your key is of demo\.example\.$/,
  ],
  ["of the same name", "test.example/log", /^Same name, other key/],
]) {
  test(`under a key ${what}, the page says this and nothing that follows from it`, async () => {
    const { page, close } = await open("/verify.html");
    await dropFiles(page, roundFiles(forge({}).receipt, forge({ origin }).key));
    assert.equal(await verdictOf(page), "none");
    assert.match(await page.textContent("h1"), says);
    const codes = await page
      .locator(".report [data-token]")
      .evaluateAll((all) => all.map((each) => each.dataset.token));
    assert.deepEqual(codes, ["bad-signature"]);
    assert.equal(await page.locator(".step").count(), 1);
    assert.match(await page.textContent(".step"), /notice board, a printed page or a friend/);
    await close();
  });
}

test("a bad signature stands above what may follow from it", async () => {
  const { receipt, key } = forge({});
  const changed = receipt
    .replace(/(\\"cards\\":\\")(..)(..)/, "$1$3$2")
    .replace(/(.)(..)\\n"/, (all, a, rest) => `${a === "A" ? "B" : "A"}${rest}\\n"`);
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(changed, key));
  assert.equal(await verdictOf(page), "none");
  const codes = await page
    .locator(".report .finding")
    .evaluateAll((all) => all.map((each) => each.dataset.token));
  assert.equal(codes[0], "bad-signature");
  assert.ok(codes.includes("result-mismatch"));
  await close();
});

test("a seed that was typed in is the reason, where the table takes hashes", async () => {
  const {
    key,
    files: [whole],
    mine: [own],
  } = vectorNamed("several.json", "the reader's own hash, and the kept lock");
  const file = (name, value) => ({ name, bytes: Buffer.from(value) });
  const { page, close } = await open("/verify.html");
  const says = () => page.textContent("#headline .says");
  const round = [file("round.json", whole.text), file("log.key", key)];
  const given = JSON.stringify({ ...own, given: true });
  await dropFiles(page, [...round, file("alice.json", given)]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.yours-typed"]);
  const { from, seed } = own;
  await dropFiles(page, [...round, file("alice.json", JSON.stringify({ from, seed }))]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.no-own"]);
  await close();
});

test("on a phone, the name beside a hand of five cards is not squeezed", async () => {
  const { receipt, key } = forge({
    draw: 10,
    layout: { hand: 5 },
    seats: ["you", "house"],
    contributions: ["house", "you"].map((from) => ({ from, seed: `${from}'s seed` })),
  });
  for (const width of [320, 390]) {
    const { page, close } = await open("/verify.html", { viewport: { width, height: 800 } });
    await dropFiles(page, [
      { name: "round.json", bytes: Buffer.from(receipt) },
      { name: "mine.json", bytes: Buffer.from('{"from":"you","seed":"you\'s seed"}') },
      { name: "log.key", bytes: Buffer.from(key) },
    ]);
    assert.equal(await verdictOf(page), "unproved");
    await settled(page);
    const { height } = await page.locator(".whose-hand").boundingBox();
    assert.ok(height < 70, `${width}: ${height}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  }
});

test("the element says which receipt it could not fetch, and is dark where its page is", async () => {
  const { page, complaints, close } = await open("/embed.html", { colorScheme: "dark" });
  const ground = await page.evaluate(
    () => getComputedStyle(document.querySelector("fairdeal-verify")).backgroundColor,
  );
  await page.evaluate(() =>
    document.querySelector("fairdeal-verify").setAttribute("receipt", "/receipts/none.json"),
  );
  await page.waitForFunction(() =>
    document.querySelector("fairdeal-verify").shadowRoot.textContent.includes("404"),
  );
  const says = await page.evaluate(
    () => document.querySelector("fairdeal-verify").shadowRoot.querySelector(".verdict").innerText,
  );
  assert.ok(says.includes(en["element.unfetched"]), says);
  assert.match(says, /\/receipts\/none\.json: status 404/);
  assert.equal(ground, "rgb(24, 33, 28)");
  // A page with no style sheet of ours.
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("link[rel=stylesheet]")) each.remove();
  });
  const bare = await page.evaluate(
    () => getComputedStyle(document.querySelector("fairdeal-verify")).backgroundColor,
  );
  assert.equal(bare, ground);
  assert.ok(complaints.every((each) => each.includes("404")));
  complaints.splice(0);
  await close();
});

test("a cancelled hand says the operator's reason and whom it blames", async () => {
  const { key, run } = ledger("void.example/log");
  run("commit", "--table", "t");
  run("lock", "--table", "t", "--client", "alice=1");
  run("void", "--table", "t", "--nonce", "0", "--reason", "alice \u202eleft", "--blame", "alice");
  const receipt = run("receipt", "--table", "t", "0");
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(receipt, key));
  assert.equal(await verdictOf(page), "none");
  assert.equal(await page.textContent("h1"), en["v.voided"]);
  for (const place of ["#headline .says", "[data-step=void] summary"]) {
    const says = await page.textContent(place);
    assert.match(says, /reason: .alice \[U\+202E\]left/, place);
    assert.match(says, /names .alice. as the cause/, place);
  }
  await close();
});

test("a file that ends too early is said to be incomplete, and other text is not", async () => {
  for (const [given, isCut] of [
    [bytes("receipts", "round.json").subarray(0, 1500), true],
    [Buffer.from("hello"), false],
  ]) {
    const { page, close } = await open("/verify.html");
    await dropFiles(page, [{ name: "given.json", bytes: given }]);
    assert.equal(await verdictOf(page), "none");
    const says = await page.textContent("#headline");
    assert.equal(says.includes(en["v.incomplete"]), isCut, says);
    await close();
  }
});
