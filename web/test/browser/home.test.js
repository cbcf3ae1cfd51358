// The home page of a log's own host: its latest hands, a hand by table and time, and the key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { toFragment } from "../../ui/link.js";
import { forge } from "./forge.js";
import { accessible, fits, pressable } from "./checks.js";
import { dropFiles, picture, start, verdictOf } from "./harness.js";
import { ledger, proxy, service } from "./service.js";

const ORIGIN = "poker.example/log";
const EVIL = "<img src=x onerror=alert(1)>\u202eevil";

/** The service, and what its host says of the log. */
let target = null;
let log = null;
/** Whether the service gives the receipt of another hand. */
let swaps = false;
const forward = proxy(() => target);
const { open } = await start(undefined, (request, response) => {
  if (target === null) return false;
  if (swaps) request.url = request.url.replace(/rounds\/\d+\/receipt$/, "rounds/0/receipt");
  if (request.url !== "/v1/log") return forward(request, response);
  if (log === null) response.writeHead(404).end();
  else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(log));
  return true;
});

const HOLDEM = ["--sealed", "--layout", "hand=2,board=3+1+1,burn", "--draw", "12"];
const seats = (round) => [
  ...["alice", "bob"].flatMap((from) => ["--client", `${from}=${from}${round}`]),
  ...["--seats", "alice", "--seats", "bob"],
];

/** Two tables of hold'em hands, open and sealed, and one of open draws. */
const made = ledger(ORIGIN);
const { run, key } = made;
for (const rounds of [3, 3]) {
  run("commit", "--table", "Gold 7", ...HOLDEM, "--rounds", String(rounds));
  for (let i = 0; i < rounds; i++) run("deal", "--table", "Gold 7", ...seats(i));
  run("reveal", "--table", "Gold 7");
}
run("commit", "--table", "Gold 7", ...HOLDEM, "--rounds", "4");
run("deal", "--table", "Gold 7", ...seats("x"));
run("commit", "--table", EVIL, "--draw", "5", "--rounds", "4");
run("deal", "--table", EVIL, "--client", "carl=1");
const commitments = () =>
  JSON.parse(run("list", "--json")).commitments.filter(({ table }) => table === "Gold 7");
const served = await service(made.path);

const HOST = { key, printed_at: `every table's card ${EVIL}` };
const other = forge({ origin: ORIGIN }).key;

/** Opens the home page, and waits for the log's parts. */
async function home(options = {}, path = "/verify.html") {
  const opened = await open(path, options);
  await opened.page.waitForSelector(".hand-row");
  return opened;
}
const cardState = (page, state) => page.waitForSelector(`.key-card[data-state="${state}"]`);
const judged = (page) => page.waitForSelector('.latest .hand-row[data-state="recomputed"]');
const receiptOf = async (commitment, nonce) =>
  Buffer.from(
    await (
      await fetch(`${served.url}/v1/commitments/${commitment}/rounds/${nonce}/receipt`)
    ).arrayBuffer(),
  );

test("the latest hands come live, sealed ones with backs, and revealed ones are judged here", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  assert.match(await page.textContent(".whose-log"), /poker\.example\/log/);
  await judged(page);
  await page.waitForFunction(
    () => document.querySelector(".latest").dataset.connection === "live",
    null,
    { timeout: 30_000 },
  );
  const rows = page.locator(".latest .hand-row");
  const states = await rows.evaluateAll((all) => all.map(({ dataset }) => dataset.state));
  assert.deepEqual(states.slice(0, 2), ["dealt", "sealed"]);
  assert.ok(states.slice(2).every((each) => ["recomputed", "revealed"].includes(each)));
  assert.equal(await rows.nth(1).locator(".back").count(), 5);
  assert.equal(await page.locator("main img, main iframe, main script").count(), 0);
  assert.match(await page.textContent(".judged"), new RegExp(key.split("+")[1]));
  await accessible(page, "home");
  await fits(page, "home");
  await pressable(page, "home");
  await picture(page, "home");

  run("deal", "--table", "Gold 7", ...seats("y"));
  await page.waitForFunction(
    () => /Gold 7, hand 2/.test(document.querySelector(".latest .hand-row").textContent),
    null,
    { timeout: 30_000 },
  );
  // A hand is opened like a receipt that was dropped.
  await page.locator(".latest .hand-row[data-state=recomputed]").first().click();
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.getAttribute("[data-key]", "data-key"), "host");
  await page.click("#key-compare");
  await cardState(page, "uncompared");
  await accessible(page, "a verdict, and the key to compare");
  await page.click("#key-same");
  await page.waitForSelector('[data-key="kept"]');
  await close();
});

test("the receipt of another hand checks nothing", async () => {
  [target, log, swaps] = [served.url, HOST, true];
  const { page, close } = await home();
  await page.waitForTimeout(4_000);
  const states = await page
    .locator(".latest .hand-row")
    .evaluateAll((all) =>
      all.map((row) => [
        row.dataset.state,
        /hand 1$/.test(row.querySelector("strong").textContent),
      ]),
    );
  swaps = false;
  assert.ok(
    states.every(([state, isFirst]) => state !== "recomputed" || isFirst),
    String(states),
  );
  await close();
});

test("a hand is found by its table and its time, across commitments", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  await page.waitForSelector("#find");
  await page.selectOption("#find select", "Gold 7");
  const when = new Date(commitments()[1].time);
  await page.fill("#find input[name=day]", when.toISOString().slice(0, 10));
  await page.fill("#find input[name=when]", when.toISOString().slice(11, 16));
  await page.click("#find button");
  await page.waitForSelector('#found .hand-row[data-state="recomputed"]');
  assert.ok((await page.locator("#found li").count()) >= 6);
  await accessible(page, "found hands");
  await fits(page, "found hands");
  await page.locator('#found .hand-row[data-state="recomputed"]').nth(1).click();
  assert.equal(await verdictOf(page), "unproved");
  await close();
});

test("the reader compares the key: it is the same, and stays so", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  await cardState(page, "uncompared");
  const groups = await page.locator(".key-groups li").allTextContents();
  assert.equal(groups.length, 11);
  assert.equal(groups.join(""), key.split("+").slice(2).join("+"));
  assert.match(await page.textContent(".key-card"), /every table's card/);
  await page.click("#key-same");
  await cardState(page, "kept");
  await picture(page, "home-compared");
  await page.reload();
  await cardState(page, "kept");
  assert.match(await page.textContent(".key-card"), /compared this key with the printed one/);
  // Another key of this host does not replace the kept one.
  log = { ...HOST, key: other };
  await page.reload();
  await cardState(page, "other");
  await accessible(page, "another key");
  await judged(page);
  await page.locator(".latest .hand-row[data-state=recomputed]").first().click();
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.getAttribute("[data-key]", "data-key"), "kept");
  await close();
});

test("the reader types the printed key: every character counts", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  const last = key.split("+").slice(2).join("+");
  await page.click("#key-type");
  for (const [typed, wanted] of [
    [last.slice(0, 43), /43 characters/],
    [`${last.slice(0, 8)}${last[8] === "x" ? "y" : "x"}${last.slice(9)}`, /Group 3 differs/],
    [other, /Group \d+ differs/],
    [forge({ origin: "else.example" }).key, /another log: else\.example/],
  ]) {
    await page.fill("textarea[name=printed]", typed);
    await page.click(".typed button");
    assert.match(await page.textContent(".typed [role=alert]"), wanted);
    await cardState(page, "uncompared");
  }
  await accessible(page, "a typed key");
  await page.fill("textarea[name=printed]", last.match(/.{1,4}/g).join(" "));
  await page.click(".typed button");
  await cardState(page, "kept");
  await close();
});

test("a key that differs makes no verdict any more, also after a reload, until the reader forgets it", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  await judged(page);
  await page.click("#key-differs");
  await cardState(page, "differs");
  await accessible(page, "a key that differs");
  await page.waitForFunction(
    () =>
      document.querySelector(".latest .hands").textContent === "Not shown: you refused this key.",
  );
  await page.reload();
  await cardState(page, "differs");
  await page.waitForSelector('.latest li:text-is("Not shown: you refused this key.")');
  assert.ok(await page.isDisabled("#home-audit"));
  const receipt = await receiptOf(commitments()[0].commitment, 0);
  // Nobody brings it back: not the host, a link or a file.
  for (const way of ["host", "link", "file"]) {
    if (way === "host") await dropFiles(page, [{ name: "r.json", bytes: receipt }]);
    if (way === "link")
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `${await toFragment(receipt)}&key=${encodeURIComponent(key)}`,
      );
    if (way === "file")
      await dropFiles(page, [
        { name: "r.json", bytes: receipt },
        { name: "log.key", bytes: Buffer.from(key) },
      ]);
    await page.waitForFunction(() => /differs/.test(document.querySelector("h1").textContent));
    assert.equal(await verdictOf(page), "none", way);
  }
  await cardState(page, "differs");
  await page.click("#key-forget");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
  await close();
});

test("a link names the key and cannot set it", async () => {
  [target, log] = [served.url, HOST];
  const receipt = await receiptOf(commitments()[0].commitment, 1);
  const named = await toFragment(receipt, key.split("+", 2).join("+"));
  const { page, close } = await open(`/verify.html#${named}`);
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.getAttribute("[data-key]", "data-key"), "host");
  await picture(page, "home-link");
  await close();
  // A link with another key, or the name of one, of this log or of another log: the reader chooses.
  const forged = forge({ origin: ORIGIN });
  for (const [of, link] of [
    [Buffer.from(forged.receipt), forged.key],
    [receipt, forged.key],
    [receipt, forge({ origin: "else.example/log" }).key],
    [receipt, forge({ origin: "else.example/log" }).key.split("+", 2).join("+")],
  ]) {
    const whole = `${await toFragment(of)}&key=${encodeURIComponent(link)}`;
    const second = await open(`/verify.html#${whole}`);
    assert.equal(await verdictOf(second.page), "none", link);
    assert.match(await second.page.textContent("h1"), /names another key than this host shows/);
    assert.equal(await second.page.locator("[data-key]").count(), 0);
    assert.ok((await second.page.textContent(".key-form")).includes(link.split("+", 2).join("+")));
    await second.page.fill("#key", key);
    await second.page.click(".key-form button.first");
    await second.page.waitForSelector('[data-key="typed"]');
    assert.equal(await verdictOf(second.page), of === receipt ? "unproved" : "none");
    await second.close();
  }
});

test("a receipt of another log is not judged with this host's key", async () => {
  [target, log] = [served.url, HOST];
  const foreign = forge({ origin: "else.example/log" });
  const name = foreign.key.split("+", 2).join("+");
  const { page, close } = await open(
    `/verify.html#${await toFragment(Buffer.from(foreign.receipt), name)}`,
  );
  await page.waitForSelector("#key");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.verdict), "pending");
  const says = await page.textContent(".key-form");
  assert.match(says, /This host has another log: poker\.example\/log/);
  assert.ok(says.includes(name));
  await close();
});

test("the audit starts when the reader asks for it, and is remembered", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home();
  assert.equal(await page.getAttribute(".audited", "data-state"), "none");
  await page.click("#home-audit");
  await page.waitForSelector('.audited[data-state="holds"]');
  assert.match(await page.textContent(".audited"), /nothing found/);
  await page.reload();
  await page.waitForSelector('.audited[data-state="holds"]');
  const audited = await page.textContent(".audited .figure strong");
  await page.waitForFunction(
    (wanted) => document.querySelector(".numbers .figure strong").textContent === wanted,
    audited,
  );
  await close();
});

test("the page explore audits with the key of its host, and stops when the reader refuses it", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await open("/explore.html");
  await cardState(page, "uncompared");
  await accessible(page, "explore with the host's key");
  await fits(page, "explore with the host's key");
  await pressable(page, "explore with the host's key");
  await page.click("#audit");
  await page.waitForSelector('.audit[data-state="holds"]');
  await page.click("#key-differs");
  await cardState(page, "differs");
  assert.ok(await page.isDisabled("#audit"));
  await page.reload();
  await cardState(page, "differs");
  assert.ok(await page.isDisabled("#audit"));
  await close();
});

test("in the place of a receipt from before the reveal, the log's own page takes the new one", async () => {
  [target, log] = [served.url, HOST];
  run("commit", "--table", "early", "--draw", "5", "--rounds", "3");
  run("deal", "--table", "early", "--client", "alice=1");
  const early = { name: "early.json", bytes: Buffer.from(run("receipt", "--table", "early", "0")) };
  const { page, close } = await home();
  await dropFiles(page, [early]);
  assert.equal(await verdictOf(page), "none");
  await page.click("#renew");
  await page.waitForSelector("[role=status]:text('does not have the reveal yet')");
  run("reveal", "--table", "early");
  await page.waitForTimeout(1_500);
  await page.click("#renew");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
  assert.equal(await page.locator("#renew").count(), 0);
  await close();
});

test("on a phone everything fits, and nothing is to drop", async () => {
  [target, log] = [served.url, HOST];
  const { page, close } = await home({ viewport: { width: 390, height: 800 }, hasTouch: true });
  assert.equal(await page.isVisible(".spot .drops"), false);
  assert.equal(await page.isVisible(".spot .pastes"), true);
  await fits(page, "home on a phone");
  await picture(page, "home-phone");
  await close();
});

test("a host that shows no key asks for the printed one", async () => {
  [target, log] = [served.url, null];
  const { page, close } = await home();
  await cardState(page, "none");
  assert.equal(await page.locator('.latest [data-state="recomputed"]').count(), 0);
  await page.fill(".key-form input[name=key]", key);
  await page.click(".key-form button.first");
  await cardState(page, "kept");
  await judged(page);
  await close();
});

test("a host that says nonsense has no log, and the receipt part stays", async () => {
  target = served.url;
  for (const nonsense of [
    { key: "x" },
    { key: 3 },
    [],
    { key: `${key}\n`, printed_at: {} },
    { key, long: "x".repeat(70_000) },
  ]) {
    log = nonsense;
    const { page, close } = await open("/verify.html");
    await page.waitForSelector(".whose-log", { state: "detached" });
    assert.equal(await page.locator(".hand-row, .key-card").count(), 0);
    await page.click("#example");
    assert.equal(await verdictOf(page), "unproved");
    await close();
  }
});

test("without a log there is the receipt part, and the other pages", async () => {
  target = null;
  const { page, close } = await open("/verify.html");
  await page.waitForSelector(".whose-log", { state: "detached" });
  assert.equal(await page.locator(".hand-row, .key-card, #find").count(), 0);
  assert.equal(await page.locator(".doors a").count(), 3);
  await accessible(page, "home without a log");
  await fits(page, "home without a log");
  await pressable(page, "home without a log");
  await picture(page, "home-without-log");
  await close();
});
