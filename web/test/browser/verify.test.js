import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { STATES } from "../../fairdeal/badge-words.js";
import { attacks, bytes, filesOf, vectorNamed } from "../../fixtures.js";
import { strings as en } from "../../strings/en.js";
import { toFragment } from "../../ui/link.js";
import { HOLDEM, forge } from "./forge.js";
import {
  dropFiles,
  openInputs,
  picture,
  readmePicture,
  roundFiles,
  settled,
  start,
  verdictOf,
} from "./harness.js";
import { fairdeal, ledger } from "./service.js";

const { open } = await start();
const unrevealed = forge({ revealed: false });

test("the example is one click away, and nothing shows that the operator did not choose it", async () => {
  const { page, close } = await open("/verify.html");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.verdict), "pending");
  await picture(page, "verify-empty");
  await page.click("#example");
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.textContent("h1"), STATES.en.unproved);
  assert.equal(await page.locator("h1").count(), 1);
  assert.equal(await page.locator(".cloth .cards svg").count(), 52);
  await picture(page, "verify-example");
  await close();
});

const named = (files) => files.map(({ name, file }) => ({ name, bytes: Buffer.from(file) }));

for (const [name, wanted] of attacks("verify")) {
  test(`attacks/${name}: ${wanted.about}`, async () => {
    const { page, close } = await open("/verify.html");
    const players = Object.entries(wanted.players ?? {})
      .map(([label, key]) => `${label}=${key}`)
      .join("\n");
    const mine = (wanted.mine ?? []).map((own, at) => ({
      name: `mine-${at}.json`,
      file: JSON.stringify(own),
    }));
    const key = { name: "log.key", file: wanted.key };
    const files = [...filesOf(wanted), ...mine, key];
    await dropFiles(page, named(files.filter(({ kept }) => !kept)));
    let verdict = await verdictOf(page);
    // A policy among an operator's files is not the reader's own: it is dropped alone.
    if (wanted.policy !== undefined) {
      await dropFiles(page, named([{ name: "policy", file: wanted.policy }]));
      verdict = await verdictOf(page);
    }
    const kept = files.filter((each) => each.kept);
    if (kept.length > 0) {
      await dropFiles(page, named(kept), "[data-kept]");
      verdict = await verdictOf(page);
    }
    if (players !== "" || wanted.seat !== undefined) {
      await openInputs(page);
      await page.locator("#with .brought summary").click();
      await page.fill("textarea[name=players]", players);
      await page.fill("input[name=seat]", wanted.seat ?? "");
      await page.locator("#with .brought form button").last().click();
      verdict = await verdictOf(page);
    }
    assert.equal(verdict, wanted.verdict?.state ?? "none");
    const { findings = [], receipts = [] } = wanted.verdict ?? {};
    const codes = [findings, ...receipts.map((receipt) => receipt.findings)]
      .flat()
      .map(({ code }) => code);
    for (const code of codes)
      assert.ok((await page.locator(`[data-token="${code}"]`).count()) > 0, code);
    await close();
  });
}

test("a round is fair with the lock that the reader kept, and says what is missing without it", async () => {
  const {
    key,
    files: [whole, lock],
    mine: [own],
  } = vectorNamed("several.json", "the reader's own hash, and the kept lock");
  const file = ({ text }, name) => ({ name, bytes: Buffer.from(text) });
  const log = { name: "log.key", bytes: Buffer.from(key) };
  const contribution = { name: "alice.json", bytes: Buffer.from(JSON.stringify(own)) };
  const { page, close } = await open("/verify.html");
  const says = () => page.textContent("#headline .says");
  await dropFiles(page, [file(whole, "round.json"), log]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.nothing-kept"]);
  await picture(page, "verify-nothing-kept");
  await dropFiles(page, [contribution], "[data-kept]");
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.no-lock"]);
  await picture(page, "verify-lock-not-kept");
  await dropFiles(page, [file(lock, "lock.json")], "[data-kept]");
  assert.equal(await verdictOf(page), "fair");
  assert.equal(await page.textContent("h1"), STATES.en.fair);
  assert.equal(await says(), en["v.yours"]);
  assert.equal(await page.locator(".chips .kept").count(), 2);
  await picture(page, "verify-fair");

  // A lock among the other files proves nothing until the reader says that they kept it.
  await dropFiles(page, [file(whole, "round.json"), file(lock, "lock.json"), contribution]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.lock-asked"]);
  await picture(page, "verify-kept-question");
  await page.click("#kept-yes");
  assert.equal(await verdictOf(page), "fair");
  await dropFiles(page, [file(whole, "round.json"), contribution]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.locator("#kept-yes").count(), 0);

  // Evidence is the reader's only if the reader kept it.
  const evidence = {
    format: "fairdeal/evidence/v1",
    key,
    files: [{ name: "lock", file: JSON.parse(lock.text) }],
    mine: [own],
    since: [],
    findings: [],
  };
  const all = { name: "evidence.json", bytes: Buffer.from(JSON.stringify(evidence)) };
  await dropFiles(page, [file(whole, "round.json"), all]);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await says(), en["v.nothing-kept"]);
  await dropFiles(page, [file(whole, "round.json")]);
  assert.equal(await verdictOf(page), "unproved");
  await dropFiles(page, [all], "[data-kept]");
  assert.equal(await verdictOf(page), "fair");

  // Evidence with the whole game is taken as kept when the reader says so, but not out of a link.
  const files = [...evidence.files, { name: "round", file: JSON.parse(whole.text) }];
  const game = Buffer.from(JSON.stringify({ ...evidence, files }));
  await dropFiles(page, [{ name: "game.json", bytes: game }]);
  assert.equal(await verdictOf(page), "unproved");
  await page.click("#kept-yes");
  assert.equal(await verdictOf(page), "fair");
  const fragment = await toFragment(new Uint8Array(game));
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
  await page.locator(".chips", { hasText: en["drop.linked"] }).waitFor({ state: "attached" });
  await page.fill("#key", key);
  await page.click(".key-form button.first");
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.locator("#kept-yes").count(), 0);
  await close();
});

test("a late reveal is told from a wrong card, and shows no more secrecy than a punctual one", async () => {
  const { key, run, path } = ledger("late.example/log");
  run("commit", "--table", "t", "--sealed", "--mixing", "hashes", "--reveal-in", "1s");
  const { commitment } = JSON.parse(run("show", "--table", "t", "--json"));
  const file = (name) => join(path, "..", name);
  const own = ["--for", `${commitment}:0`, "--key", key, "--output", file("alice.json")];
  fairdeal(["contribution", "alice", ...own]);
  run("lock", "--table", "t", "--contributions", file("alice.give.json"));
  run("deal", "--table", "t", "--contributions", file("alice.json"));
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  run("reveal", "--table", "t", "--force");
  run("receipt", "--table", "t", "0", "--output", file("round.json"));
  const read = (name) => ({ name, bytes: readFileSync(file(name)) });
  const log = { name: "log.key", bytes: Buffer.from(key) };
  const { page, close } = await open("/verify.html");
  await dropFiles(page, [read("round.json"), read("alice.json"), log]);
  assert.equal(await verdictOf(page), "caught");
  assert.match(
    await page.textContent("h1"),
    /^The cards follow from the seeds, but the secret came \d+ seconds? late$/,
  );
  assert.ok(await page.locator(".cloth.late").isVisible());
  // The sign is a triangle, as of everything that is amber.
  assert.equal(await page.getAttribute("#headline .outline", "d"), "M24 4l22 40H2z");
  const step = (name) => page.locator(`[data-step=${name}]`);
  assert.match(await step("lock").textContent(), /That it was secret until then is not shown/);
  assert.match(await step("lock").getAttribute("class"), /missing/);
  assert.match(await step("reveal").getAttribute("class"), /unclear/);
  assert.match(await step("deal").textContent(), /The log hid them until the reveal/);
  await page.click("[aria-controls=what-now]");
  assert.doesNotMatch(await page.textContent("#what-now"), /do not play/);
  await picture(page, "verify-late");
  await close();
});

test("a card that was changed in the file accuses its writer, in one voice", async () => {
  const { receipt, key } = forge({});
  const changed = receipt.replace(/(\\"cards\\":\\")(..)(..)/, "$1$3$2");
  assert.notEqual(changed, receipt);
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(changed, key));
  assert.equal(await verdictOf(page), "none");
  assert.equal(await page.textContent("h1"), en["v.changed"]);
  assert.equal(await page.textContent("#headline .says"), en["accuses.writer"]);
  assert.equal(await page.locator('[data-token="result-mismatch"]').count(), 1);
  assert.ok(!(await page.textContent(".timeline")).includes(en["accuses.nobody"]));
  await picture(page, "verify-changed");
  await close();
});

test("a hand of hold'em is laid out by seat and street, with the reader's hand first", async () => {
  const { key, run, path } = ledger("poker.example/log");
  run(
    "commit",
    "--table",
    "Gold 7",
    "--sealed",
    "--mixing",
    "hashes",
    "--layout",
    "holdem",
    "--draw",
    "14",
  );
  const { commitment } = JSON.parse(run("show", "--table", "Gold 7", "--json"));
  const file = (name) => join(path, "..", name);
  const seats = ["alice", "bob", "carl"];
  for (const seat of seats)
    fairdeal([
      "contribution",
      seat,
      "--for",
      `${commitment}:0`,
      "--key",
      key,
      "--output",
      file(`${seat}.json`),
    ]);
  const given = (end) => seats.flatMap((seat) => ["--contributions", file(seat + end)]);
  run("lock", "--table", "Gold 7", "--seats", seats.join(), ...given(".give.json"));
  run("receipt", "--table", "Gold 7", "0", "--output", file("lock.json"));
  run("deal", "--table", "Gold 7", ...given(".json"));
  run("reveal", "--table", "Gold 7", "--force");
  run("receipt", "--table", "Gold 7", "0", "--output", file("round.json"));
  const read = (name) => ({ name, bytes: readFileSync(file(name)) });
  const { page, close } = await open("/verify.html");
  await dropFiles(page, [read("round.json"), { name: "log.key", bytes: Buffer.from(key) }]);
  assert.equal(await verdictOf(page), "unproved");
  const choice = page.locator(".choice button");
  assert.deepEqual(await choice.allTextContents(), seats);
  await choice.nth(1).click();
  assert.equal(await choice.nth(1).getAttribute("aria-pressed"), "true");
  assert.deepEqual(await page.locator(".hands dt").allTextContents(), ["alice", "carl"]);
  await dropFiles(page, [read("alice.json"), read("lock.json")], "[data-kept]");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.match(await page.textContent(".whose-hand"), /^Your handalice · /);
  assert.deepEqual(await page.locator(".groups.large dt").allTextContents(), [
    "Flop",
    "Turn",
    "River",
  ]);
  assert.deepEqual(await page.locator(".hands dt").allTextContents(), ["bob", "carl"]);
  assert.equal(await page.textContent(".folded summary"), "3 burnt cards");
  assert.equal(await page.locator(".cloth .card").count(), 14);
  assert.match(await page.textContent(".meta"), /^Table \u2068Gold 7\u2069 · hand 1 · /);
  await picture(page, "verify-holdem");
  await settled(page);
  await readmePicture(page, "verify");
  await close();
});

test("the evidence of a wrong card shows it to others, without what the reader typed", async () => {
  const { receipt, key } = forge({
    ...HOLDEM,
    cheat: ({ cards }) => ({
      cards: `${cards.slice(0, 8)}${cards.slice(24, 26)}${cards.slice(10, 24)}${cards.slice(8, 10)}${cards.slice(26)}`,
    }),
  });
  const log = { name: "log.key", bytes: Buffer.from(key) };
  const { page, close } = await open("/verify.html");
  await dropFiles(page, [{ name: "round.json", bytes: Buffer.from(receipt) }, log]);
  assert.equal(await verdictOf(page), "caught");
  assert.match(
    await page.textContent("#headline .says"),
    /^It is \u2068bob\u2069’s second\..*This accuses the operator/,
  );
  await openInputs(page);
  await page.locator("#with .brought summary").click();
  await page.fill("#with input[name=from]", "carl");
  await page.fill("#with input[name=seed]", "nobody's business");
  await page.locator("#with .brought form button").last().click();
  assert.equal(await verdictOf(page), "caught");
  await page.click("[aria-controls=what-now]");
  assert.ok(await page.isVisible("#what-now"));
  const coming = page.waitForEvent("download");
  await page.click("#evidence");
  const evidence = readFileSync(await (await coming).path());
  assert.ok(!evidence.includes("business"));
  await page.click("#another");
  await dropFiles(page, [{ name: "evidence.json", bytes: evidence }, log]);
  assert.equal(await verdictOf(page), "caught");
  await close();
});

test("a receipt with 20,000 wrong entries is judged, and the page draws the first findings", async () => {
  const { receipt, key } = forge({});
  const { entries, ...rest } = JSON.parse(receipt);
  const many = Array.from({ length: 20_000 }, (_, i) => ({ index: i + 1, entry: "{}", proof: [] }));
  const checkpoint = rest.checkpoint.replace(/\n\d+\n/, "\n30000\n");
  const file = JSON.stringify({ ...rest, checkpoint, entries: [entries[0], ...many] });
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(file, key));
  assert.equal(await verdictOf(page), "none");
  const more = page.locator(".findings-list + button");
  assert.equal(await page.locator(".finding").count(), 101);
  await more.click();
  assert.equal(await page.locator(".finding").count(), 201);
  assert.match(await more.textContent(), /^and 39,\d+ more$/);
  await close();
});

test("numbers of a contribution and of evidence are read as their files have them", async () => {
  const {
    key,
    files: [whole],
    mine: [own],
  } = vectorNamed("several.json", "the reader's own hash, and the kept lock");
  const { page, close } = await open("/verify.html");
  const text = JSON.stringify(own).replace('"nonce":0', '"nonce":0.0');
  await dropFiles(page, [
    { name: "round.json", bytes: Buffer.from(whole.text) },
    { name: "alice.json", bytes: Buffer.from(text) },
    { name: "log.key", bytes: Buffer.from(key) },
  ]);
  assert.equal(await verdictOf(page), "none");
  assert.equal(await page.textContent("h1"), en["v.refused"]);
  await close();
});

test("cards that nothing has checked have no tick above them", async () => {
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(unrevealed.receipt, unrevealed.key));
  assert.equal(await verdictOf(page), "none");
  assert.equal(await page.textContent("h1"), en["v.unrevealed-due"]);
  assert.ok((await page.locator(".cloth .card").count()) > 0);
  assert.equal(await page.locator("#headline .fair").count(), 0);
  await picture(page, "verify-unrevealed");
  await close();
});

test("another key of the same name is told apart, with what that means", async () => {
  const mine = forge({});
  const id = (key) => key.split("+")[1];
  const theirs = forge({});
  const { page, close } = await open("/verify.html");
  await dropFiles(page, roundFiles(theirs.receipt, mine.key));
  assert.equal(await verdictOf(page), "none");
  assert.equal(
    await page.textContent("h1"),
    `Same name, other key: the key ${id(theirs.key)} signed this, yours is ${id(mine.key)}.`,
  );
  assert.match(
    await page.textContent('.step[open]:has([data-token="bad-signature"])'),
    /The key is a log's identity, whatever its name\..*a printed page or a friend/s,
  );
  await picture(page, "verify-other-key");
  await close();
});

test("neither a link nor a file replaces the key that the browser keeps for a name", async () => {
  const {
    key: theirs,
    files: [whole, lock],
    mine: [own],
  } = vectorNamed("several.json", "the reader's own hash, and the kept lock");
  const [origin, id] = theirs.split("+");
  const { key: mine } = forge({ origin });
  const file = (name, text) => ({ name, bytes: Buffer.from(text) });
  const round = file("round.json", whole.text);
  const { page, close } = await open("/verify.html");
  const says = `Same name, other key: the key ${id} signed this, yours is ${mine.split("+")[1]}.`;
  const isRefused = async () => {
    assert.equal(await verdictOf(page), "none");
    assert.equal(await page.textContent("h1"), says);
    assert.ok((await page.textContent(".the-key")).includes(mine));
  };
  await dropFiles(page, [round]);
  await page.fill("#key", mine);
  await page.check("input[name=keep]");
  await page.click(".key-form button.first");
  await isRefused();

  const fragment = await toFragment(new Uint8Array(round.bytes));
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `${fragment}&key=${encodeURIComponent(theirs)}`,
  );
  await page.locator(".chips", { hasText: en["drop.linked"] }).waitFor({ state: "attached" });
  await isRefused();

  await dropFiles(page, [round, file("log.key", theirs)]);
  await isRefused();
  await picture(page, "verify-kept-key");
  const kept = [file("alice.json", JSON.stringify(own)), file("lock.json", lock.text)];
  await dropFiles(page, kept, "[data-kept]");
  await page.locator(".chips .kept").nth(1).waitFor({ state: "attached" });
  await isRefused();

  // The reader can decide that the log has a new key.
  await page.click(".key-line button");
  await page.fill("#key", theirs);
  await page.click(".key-form button.first");
  assert.equal(await verdictOf(page), "fair");
  await close();
});

for (const [what, given] of [
  ["a truncated receipt", bytes("receipts", "round.json").subarray(0, 500)],
  ["hello", Buffer.from("hello")],
  ["other JSON", Buffer.from('{"a":1}')],
]) {
  test(`${what} cannot be read, and nobody is asked for a key`, async () => {
    const { page, close } = await open("/verify.html");
    await dropFiles(page, [{ name: "given.json", bytes: given }]);
    assert.equal(await verdictOf(page), "none");
    assert.equal(
      await page.textContent("h1"),
      "This file cannot be checked, because it cannot be read as a receipt.",
    );
    assert.equal(await page.locator("#key").count(), 0);
    assert.match(await page.textContent(".chips"), /cannot be read/);
    await close();
  });
}

test("the menu offers to play only where the service says that it does", async () => {
  const { page, close } = await open("/verify.html");
  assert.equal(await page.locator('nav a[href="play.html"]').count(), 0);
  await close();
});
