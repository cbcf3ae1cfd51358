import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { evidenceFiles, verifyEvidence } from "../../fairdeal/evidence.js";
import { live, table, verify } from "../live.js";
import { Witness } from "../witnesses.js";
import { sound } from "./checks.js";
import { WINDOWS, dropFiles, picture, readmePicture, start, verdictOf } from "./harness.js";

const service = await table();
const { browser, open } = await start(undefined, undefined, {
  url: service.url,
  close: service.stop,
});
/** What is caught, and what is stopped without a catch. */
const CAUGHT = { "pick-commitment": "out-of-turn", "fork-view": "inconsistent" };
const STOPPED = {
  "swap-card": "opening-mismatch",
  "drop-seed": "absent",
  "never-reveal": "overdue",
};

const is = (page, ...states) =>
  page.waitForFunction((all) => all.includes(document.documentElement.dataset.play), states, {
    timeout: 30_000,
  });

/** Opens the page, and plays a hand to its end. */
async function played(cheat, options = {}) {
  const opened = await open("/play.html", options);
  const { page } = opened;
  await is(page, "ready");
  if (cheat !== undefined) {
    if ((await page.locator("#drawer[open]").count()) === 0)
      await page.locator("#drawer > summary").click();
    await page.check(`input[value=${cheat}]`);
  }
  await page.click("#deal");
  await is(page, "fair", "unproved", "caught", "stopped", "unsure");
  return opened;
}

/** The file that the badge or the page saves. */
async function saved(page, selector) {
  const coming = page.waitForEvent("download");
  await page.locator(selector).click();
  return readFileSync(await (await coming).path(), "utf8");
}

test("an honest hand: ten cards, every step done, a verdict, a record; and the next hand under the next promise", async () => {
  const { page, close } = await played();
  assert.equal(await page.locator('nav a[href="play.html"]').count(), 1);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.play), "fair");
  assert.equal(await page.locator(".place-of-card.shown").count(), 10);
  assert.equal(await page.locator(".hand-steps .done").count(), 7);
  assert.match(await page.textContent(".result"), /You win|The house wins|Equal hands/);
  assert.match(
    await page.locator("fairdeal-seat").evaluate((seat) => seat.shadowRoot.textContent),
    /Fair, and your seed was in it/,
  );
  const file = await saved(page, "fairdeal-seat button");
  assert.equal((await verifyEvidence(file, { key: service.key })).holds, true);
  await page.waitForTimeout(900);
  await picture(page, "play-fair");
  await page.click("#deal");
  await is(page, "dealing");
  await is(page, "fair");
  assert.match(await page.textContent(".score"), /\d/);
  // The next hand has no card face up, and no words of the hand before.
  await page.check("input[value=drop-seed]");
  await page.click("#deal");
  await is(page, "unsure");
  assert.deepEqual(await page.locator(".hand-says").allTextContents(), ["", ""]);
  await close();
});

test("the player's own words are mixed, which leaves the hand unproved; the same words again are refused", async () => {
  const { page, close } = await open("/play.html", { reducedMotion: "reduce" });
  await is(page, "ready");
  await page.fill("input[name=seed]", "my grandmother's words");
  await page.click("#deal");
  await is(page, "unproved");
  const { mine } = await evidenceFiles(await saved(page, "fairdeal-seat button"));
  assert.ok(mine.some(({ seed }) => seed === "my grandmother's words"));
  await page.fill("input[name=seed]", "my grandmother's words");
  await page.click("#deal");
  await is(page, "stopped");
  assert.match(await page.textContent(".wrong[role=alert]"), /used before/);
  await close();
});

for (const [cheat, code] of Object.entries(CAUGHT)) {
  test(`${cheat}: caught within a second of the evidence, said in a sentence, and handed over`, async () => {
    const { page, close } = await played(cheat);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.caught), code);
    assert.ok((await page.textContent(".result")).startsWith("Caught: "));
    assert.ok((await page.textContent(".caught-panel p")).split(" ").length < 40);
    await page.waitForSelector(".caught-panel [data-state=caught]");
    const file = await saved(page, "#evidence");
    const { findings } = await evidenceFiles(file);
    assert.ok(findings.some((each) => each.code === code));
    const { exit, verdict } = verify(service, { "evidence.json": file });
    assert.deepEqual([exit, verdict.state], [1, "caught"]);
    await page.waitForTimeout(900);
    await picture(page, `play-${cheat}`);
    if (cheat === "fork-view")
      await readmePicture(page, "play", {
        fullPage: true,
        clip: { x: 0, y: 0, width: 1280, height: 1060 },
      });
    await close();
  });
}

test("with a policy that is kept with the log's key no seed is opened before its witnesses signed the lock, and the page says so", async () => {
  const { page, close } = await open("/play.html", { reducedMotion: "reduce" });
  await is(page, "ready");
  const own = new Witness("w");
  await page.evaluate((policy) => {
    const keys = JSON.parse(localStorage.getItem("fairdeal.keys"));
    for (const each of Object.values(keys)) each.policy = policy;
    localStorage.setItem("fairdeal.keys", JSON.stringify(keys));
  }, `witness w ${own.vkey}\nquorum w`);
  await page.reload();
  await is(page, "ready");
  const posted = [];
  page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
  await page.evaluate(async () => {
    (await document.querySelector("fairdeal-seat").seat()).coverWait = 300;
  });
  await page.click("#deal");
  await is(page, "unsure");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.claim), "uncovered");
  assert.match(await page.textContent(".result"), /witnesses have not signed the lock/);
  assert.match(
    await page.textContent(".caught-panel"),
    /0 of your 1 witness has signed the lock yet/,
  );
  assert.match(
    await page.locator("fairdeal-seat").evaluate((seat) => seat.shadowRoot.textContent),
    /Your witnesses have not signed the lock yet/,
  );
  assert.deepEqual(
    posted.map((url) => url.split("/").pop()),
    ["rounds", "hash"],
  );
  await picture(page, "play-uncovered");
  await close();
});

for (const [cheat, code] of Object.entries(STOPPED)) {
  test(`${cheat}: stopped, with the reason why nobody is caught`, async () => {
    const { page, close } = await played(cheat);
    await is(page, "unsure");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.claim), code);
    assert.ok((await page.textContent(".caught-panel p")).split(" ").length < 50);
    const { findings, revealBy, now } = await page
      .locator("fairdeal-seat")
      .evaluate((seat) => ({ ...seat.state, now: Date.now() }));
    assert.deepEqual(findings, []);
    if (code === "overdue") assert.ok(now - revealBy < 3000, String(now - revealBy));
    await page.waitForTimeout(900);
    await picture(page, `play-${cheat}`);
    await close();
  });
}

test("one cheat after the other, and then honestly: what was caught stays with the player who caught it", async () => {
  const { page, close } = await played("fork-view", { reducedMotion: "reduce" });
  for (const [cheat, code] of [
    ["pick-commitment", "out-of-turn"],
    ["fork-view", "inconsistent"],
  ]) {
    await page.check(`input[value=${cheat}]`);
    await page.click("#deal");
    await page.waitForFunction(
      (wanted) => document.documentElement.dataset.caught === wanted,
      code,
    );
    await page.waitForSelector(".caught-panel [data-state=caught]");
    const { receipts, findings } = await verifyEvidence(await saved(page, "#evidence"), {
      key: service.key,
    });
    const codes = [...findings, ...receipts.flatMap((each) => each.findings)].map(
      (each) => each.code,
    );
    const others = Object.values(CAUGHT).filter((each) => each !== code);
    assert.ok(
      codes.includes(code) && !codes.some((each) => others.includes(each)),
      codes.join(" "),
    );
  }
  await page.check("input[value=honest]");
  await page.click("#deal");
  await is(page, "fair");
  assert.equal(await page.locator("#caught").innerHTML(), "");
  // The browser's own seat still has the first catch.
  await page.reload();
  await is(page, "ready");
  await page.waitForFunction(
    () => document.querySelector("fairdeal-seat").dataset.state === "caught",
  );
  await close();
});

test("the page that verifies takes the evidence file, knows the key from here, and says what is wrong", async () => {
  const { page, close } = await played("fork-view", { reducedMotion: "reduce" });
  const file = await saved(page, "#evidence");
  await page.goto(`${service.url}/verify.html`);
  await page.waitForSelector(".drop");
  await dropFiles(page, [{ name: "evidence.json", bytes: Buffer.from(file) }]);
  assert.equal(await verdictOf(page), "caught");
  assert.ok((await page.locator('[data-token="inconsistent"]').count()) > 0);
  await close();
});

test("two tabs of one player give one hash and one opening, with a key that cannot be read out", async () => {
  // Here the test is the dealer, at an ordinary service: it needs a token.
  const { url, token, key, stop } = await live();
  const context = await browser.newContext();
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(`${url}/verify.html`)));
  const { Client } = await import("../../fairdeal/index.js");
  const log = new Client(url, { token });
  const { commitment, receipt: promise } = await log.commit({
    table: "tabs",
    mixing: "hashes",
    signed: true,
    draw: 5,
    rounds: 2,
  });
  const sit = (tab) =>
    tab.evaluate(
      async ([vkey, at]) => {
        const { player } = await import("/fairdeal/player.js");
        globalThis.seat = await player({ log: location.origin, key: vkey, from: "alice" });
        const { privateKey } = globalThis.seat.pair;
        const given = await globalThis.seat.contribute(at);
        return {
          given,
          readable: await crypto.subtle.exportKey("pkcs8", privateKey).then(
            () => true,
            () => false,
          ),
        };
      },
      [key, { commitment, nonce: 0, promise }],
    );
  const [one, two] = await Promise.all(tabs.map(sit));
  assert.deepEqual(one, two);
  assert.equal(one.readable, false);
  const { receipt } = await log.lock(commitment, { nonce: 0, contributions: [one.given] });
  const opened = await Promise.all(
    tabs.map((tab) => tab.evaluate((lock) => globalThis.seat.receive(lock), receipt)),
  );
  assert.deepEqual(opened[0], opened[1]);
  assert.equal(opened[0].from, "alice");
  await context.close();
  await stop();
});

test("a new card shows where the swapped one lies", async () => {
  const { page, close } = await played("swap-card");
  assert.equal(await page.locator(".yours .place-of-card.differs").count(), 1);
  await close();
});

test("a service without a table, and a dealer that does not answer, are said so", async () => {
  const { page, close, complaints } = await open("/play.html");
  await is(page, "ready");
  await page.route("**/play/rounds", (route) => route.abort());
  await page.click("#deal");
  await is(page, "stopped");
  await page.unroute("**/play/rounds");
  await page.click("#deal");
  await is(page, "fair");
  await page.route("**/play", (route) =>
    route.fulfill({
      status: 404,
      contentType: "application/problem+json",
      body: '{"code":"no-such-path","detail":"nothing is at /play"}',
    }),
  );
  await page.reload();
  await is(page, "absent");
  assert.match(await page.textContent("[role=alert]"), /no play table/);
  await picture(page, "play-absent");
  complaints.splice(0);
  await close();
});

test("another key than the one that this browser keeps is refused, and nothing is played", async () => {
  const { page, close } = await open("/play.html");
  await is(page, "ready");
  await page.route("**/play", async (route) => {
    const about = await (await route.fetch()).json();
    await route.fulfill({ json: { ...about, key: about.key.replace(/.{4}$/, "AAAA") } });
  });
  await page.reload();
  await is(page, "refused");
  assert.match(await page.textContent("[role=alert]"), /another key than the one/);
  assert.equal(await page.locator("#deal").count(), 0);
  await picture(page, "play-other-key");
  await close();
});

for (const state of ["ready", "fair", "caught"]) {
  test(`${state}: axe finds nothing in both themes, nothing is too wide or too small to hit, from 320 to 1,600 pixels`, async () => {
    for (const [colorScheme, width] of WINDOWS) {
      const options = { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" };
      const { page, close } = await (state === "ready"
        ? open("/play.html", options)
        : played(state === "caught" ? "fork-view" : undefined, options));
      await is(page, state);
      await page.waitForTimeout(200);
      if (width === WINDOWS[0][1]) await picture(page, `play-${state}`);
      await sound(page, `${state}, ${colorScheme}, ${width}`);
      await close();
    }
  });
}

test("the table speaks German, and uses no motion where none is wanted", async () => {
  const { page, close } = await played("fork-view", { locale: "de-DE", reducedMotion: "reduce" });
  assert.match(await page.textContent(".result"), /^Ertappt/);
  assert.match(
    await page.locator("fairdeal-seat").evaluate((seat) => seat.shadowRoot.textContent),
    /anderes Log/,
  );
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await picture(page, "play-german");
  await close();
});
