// The operator's page, with a real service: an evening at a table, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";

import { toGive } from "../../fairdeal/index.js";
import { sound } from "./checks.js";
import { WINDOWS, dropFiles, picture } from "./harness.js";
import { operating } from "./operator.js";

const {
  FULL,
  client,
  dealt,
  entered,
  faces,
  files,
  newTable,
  open,
  saved,
  seedsOf,
  stage,
  stateOf,
  token,
} = await operating();

test("an evening of hold'em: promise, lock, deal, flop, turn, river, one player's cards, round over, a void with a reason, the reveal", async () => {
  const { page, close } = await entered();
  await picture(page, "operator-none");
  await newTable(page, "holdem/1");
  await picture(page, "operator-collect-empty");
  const { commitment } = await stateOf("holdem/1");
  const all = await seedsOf(commitment, 0, "alice", "bob", "carol");
  await dropFiles(
    page,
    files(all.map(toGive), (from) => `${from}.give.json`),
  );
  await page.locator(".table-seats li").nth(2).waitFor();
  assert.equal(await page.locator(".table-seats li").count(), 3);
  await page.click("#earlier-1");
  assert.deepEqual(await page.locator(".seat-name bdi").allTextContents(), [
    "bob",
    "alice",
    "carol",
  ]);
  await page.click("#earlier-1");
  await picture(page, "operator-collect");
  await page.click("#lock");
  await stage(page, "locked");
  await picture(page, "operator-locked");
  // A player who keeps it can show later that the hand was fair.
  const lock = await saved(page, "#lock-receipt");
  assert.equal(lock.name, "lock-receipt-holdem_1-1.json");
  assert.equal(JSON.parse(lock.text).entries.length, 2);
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
  assert.deepEqual(
    opening.opened.map(({ t }) => t),
    [0, 3],
  );
  // The dealer does not see them, and everybody else neither.
  assert.deepEqual(await faces(page, ".table-seats"), []);
  await page.waitForSelector(".table-seats .mark.here");
  await page.click("#show-1");
  await page.click("#confirm");
  await page.waitForFunction(() => !document.querySelector("#show-1"));
  assert.equal((await faces(page, ".table-seats")).length, 2);
  await picture(page, "operator-river");
  await page.click("#over");
  assert.equal(await page.locator("#last-round").count(), 0);
  await page.click("#cancel");
  assert.deepEqual((await client.commitment(commitment)).in_play, [0]);
  await page.click("#over");
  await page.click("#confirm");
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

test("a token that may not open cards: the service's refusal is told, with what to do, and nothing is opened", async () => {
  const { page, close, complaints } = await entered(token("dealer"));
  await newTable(page, "limited");
  await dealt(page, "limited", "alice", "bob");
  await page.click("#street-1");
  const refusal = page.locator("[role=alert][data-code=forbidden]");
  await refusal.waitFor();
  assert.match(await refusal.textContent(), /does not have the right to open/);
  assert.match(await refusal.textContent(), /--open/);
  assert.deepEqual(await faces(page, ".board"), []);
  await picture(page, "operator-refused");
  complaints.splice(0);
  await close();
});

test("what the service refuses is told in its words, and in the question that led to it", async () => {
  const { page, close, complaints } = await entered();
  await newTable(page, "refused");
  const { commitment } = await stateOf("refused");
  // Another program of the operator is faster.
  const all = await seedsOf(commitment, 0, "alice", "bob");
  await dropFiles(page, files(all.map(toGive)));
  await page.route("**/v1/events*", (route) => route.abort());
  await page.route("**/locks", async (route) => {
    await client.lock(commitment, { contributions: all.map(toGive), seats: ["alice", "bob"] });
    await route.continue();
  });
  await page.click("#lock");
  await page.locator("[role=alert][data-code] .says").waitFor();
  await stage(page, "locked");
  await dropFiles(page, files(all));
  await page.click("#deal:enabled");
  await stage(page, "play");
  await page.click("#round-1");
  await stage(page, "collect");
  await page.click("#reveal");
  // The hand in play is named, and must be given away expressly.
  assert.match(await page.textContent(".question"), /round 1/);
  await page.click("#confirm");
  assert.equal(await page.locator(".question").count(), 1);
  assert.deepEqual((await client.commitment(commitment)).in_play, [0]);
  await page.click("#cancel");
  await page.click("#back");
  await stage(page, "tables");
  await page.click("#new-table");
  await page.fill("#table-name", "refused");
  await page.click("#commit");
  const refusal = page.locator("[role=alert][data-code=out-of-turn]");
  await refusal.waitFor();
  assert.match(await refusal.textContent(), /neither used up nor revealed nor voided/);
  complaints.splice(0);
  await close();
});

test("files that are no use are refused before they are sent, and a secret is not sent before the lock", async () => {
  const { page, close } = await entered();
  await newTable(page, "files");
  const { commitment } = await stateOf("files");
  const [alice, bob] = await seedsOf(commitment, 0, "alice", "bob");
  const [other] = await seedsOf("ab".repeat(32), 0, "alice");
  const sent = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  const cases = [
    [{ name: "photo.jpg", bytes: Buffer.from([255, 216]) }, /photo.jpg: This is not a player/],
    [files([alice])[0], /secret seed of alice/],
    [files([toGive(other)])[0], /another round/],
    [{ name: "clear.json", bytes: Buffer.from('{"from":"alice","seed":"lucky"}') }, /takes hashes/],
    [
      { name: "twice.json", bytes: Buffer.from('{"from":"a","from":"b","hash":"00"}') },
      /not a player/,
    ],
  ];
  for (const [file, says] of cases) {
    await dropFiles(page, [file]);
    await page.locator(".zone .told", { hasText: says }).waitFor();
    assert.equal(await page.locator(".table-seats li").count(), 0);
  }
  await page.locator(".zone summary").click();
  await page.fill("#paste", JSON.stringify(toGive(alice)));
  await page.click("#add-pasted");
  await dropFiles(page, files([toGive(bob)]));
  await page.click("#lock");
  await stage(page, "locked");
  await dropFiles(page, files([toGive(alice)]));
  await page.locator(".zone .told", { hasText: /only the hash/ }).waitFor();
  assert.ok(await page.locator("#deal").isDisabled());
  assert.ok(!sent.some((body) => body.includes(alice.seed) || body.includes(alice.blind)));
  await close();
});

test("open cards with typed seeds: dealt without a lock, and the last hand stays until the operator goes on", async () => {
  const { page, close } = await entered();
  await page.click("#new-table");
  await page.fill("#table-name", "show");
  await page.selectOption("#game", "cards");
  assert.ok(await page.locator("#sealed").isDisabled());
  await page.selectOption("#mixing", "seeds");
  await page.fill("#rounds", "1");
  await page.click("#commit");
  await stage(page, "collect");
  for (const [from, seed] of [
    ["alice", "lucky"],
    ["bob", "seven"],
  ]) {
    await page.fill("#typed-from", from);
    await page.fill("#typed-seed", seed);
    await page.click("#add-typed");
  }
  await page.click("#deal");
  await stage(page, "dealt");
  assert.equal((await faces(page, ".board")).length, 5);
  await picture(page, "operator-open");
  // The promise is used up, revealed by the service, and followed by the next one.
  await page.click("#next-round");
  await stage(page, "collect");
  assert.equal((await stateOf("show")).state, "unused");
  assert.match(await page.textContent("#cloth h1"), /Round 1/);
  await close();
});

test("Omaha on a phone, with seeds in the clear: the lock fixes the seats, and no file has to follow", async () => {
  const { page, close } = await entered(FULL, { viewport: { width: 390, height: 800 } });
  await page.click("#new-table");
  await page.fill("#table-name", "omaha");
  await page.selectOption("#game", "omaha");
  assert.equal(await page.getAttribute("#many", "max"), "11");
  await page.fill("#many", "4");
  await page.selectOption("#mixing", "seeds");
  await page.click("#commit");
  await stage(page, "collect");
  const { draw, layout } = await stateOf("omaha");
  assert.deepEqual([draw, layout.hand], [24, 4]);
  for (const from of ["alice", "bob"]) {
    await page.fill("#typed-from", from);
    await page.fill("#typed-seed", "lucky");
    await page.click("#add-typed");
  }
  assert.equal(await page.locator("#deal").count(), 0);
  await page.click("#lock");
  await stage(page, "locked");
  assert.equal(await page.locator(".zone").count(), 0);
  await page.click("#deal");
  await stage(page, "play");
  assert.equal(await page.locator(".table-seats .card").count(), 8);
  await page.click("#street-1");
  await page.waitForSelector("#street-2");
  await picture(page, "operator-omaha-phone");
  await close();
});

test("leaving closes the stream of events, and coming back opens one", async () => {
  const { page, close, complaints } = await entered();
  await page.evaluate(() => {
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
      constructor(...given) {
        super(...given);
        globalThis.streams.push(this);
      }
    };
  });
  for (let visit = 0; visit < 8; visit++) {
    await page.click("#forget");
    await page.fill("#token", FULL);
    await page.click("#enter");
    await stage(page, "tables");
  }
  await page.waitForSelector(".mark.live");
  const open = await page.evaluate(
    () => globalThis.streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length,
  );
  assert.equal(open, 1);
  complaints.splice(0);
  await close();
});

test("what another page does is shown at once, and a lost answer is no second deal", async () => {
  const { page, close, complaints } = await entered();
  await newTable(page, "live");
  const { commitment } = await stateOf("live");
  const all = await seedsOf(commitment, 0, "alice", "bob");
  await client.lock(commitment, { contributions: all.map(toGive), seats: ["alice", "bob"] });
  await stage(page, "locked");
  await dropFiles(page, files(all));
  const keys = [];
  await page.route("**/deals", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    // The service deals, and its answers are lost.
    await route.fetch();
    await route.abort();
  });
  await page.route("**/v1/events*", (route) => route.abort());
  await page.click("#deal:enabled");
  await page
    .locator("[role=alert][data-code=unreachable]")
    .or(page.locator("#over"))
    .first()
    .waitFor({ timeout: 30_000 });
  await stage(page, "play");
  assert.ok(keys.length > 1 && new Set(keys).size === 1, keys.join(" "));
  assert.equal((await stateOf("live")).next, 1);
  complaints.splice(0);
  await close();
});

test("what the service does not answer waits beside its button, and is not done once it is cancelled", async () => {
  const { page, close, complaints } = await entered();
  await newTable(page, "down");
  await dealt(page, "down", "alice", "bob");
  let isDown = true;
  let sent = 0;
  await page.route("**/openings", async (route) => {
    sent++;
    // As a proxy whose service is being restarted.
    await (isDown
      ? route.fulfill({ status: 503, headers: { "retry-after": "2" } })
      : route.continue());
  });
  await page.click("#street-1");
  await page.waitForSelector("#cancel-wait");
  assert.match(await page.textContent(".waits"), /tries again: Open the flop/);
  await page.click("#cancel-wait");
  await page.locator(".waits", { hasText: "Cancelled" }).waitFor();
  const before = sent;
  isDown = false;
  await page.waitForTimeout(3_000);
  assert.equal(sent, before);
  assert.deepEqual(await faces(page, ".board"), []);
  // Pressed again, it is done.
  await page.click("#street-1");
  await page.waitForFunction(() => document.querySelector("#street-2") !== null);
  assert.equal(await page.textContent(".row.waits"), "");

  // A question that is closed while it waits is not answered later.
  sent = 0;
  isDown = true;
  await page.click("#show-0");
  await page.click("#confirm");
  await page.locator("dialog .waits").waitFor();
  await page.click("#cancel");
  isDown = false;
  const asked = sent;
  await page.waitForTimeout(3_000);
  assert.equal(sent, asked);
  complaints.splice(0);
  await close();
});

test("the end of the last round warns that it may reveal every card", async () => {
  const { page, close } = await entered();
  await newTable(page, "last", { rounds: 1 });
  const { commitment } = await stateOf("last");
  await dealt(page, "last", "alice", "bob");
  await page.click("#over");
  assert.match(await page.textContent("#last-round"), /every card of every round/);
  await picture(page, "operator-over");
  assert.equal((await client.commitment(commitment)).state, "used-up");
  await page.click("#confirm");
  await stage(page, "dealt", "ended");
  await close();
});

test("an overdue reveal is red, first, and can be made", async () => {
  const { commitment } = await client.commit({
    table: "late",
    reveal_in: "1s",
    reveal: "manual",
    next: false,
  });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const { page, close } = await entered();
  assert.match(await page.textContent("#due h1"), /1 reveal is overdue/);
  assert.ok(await page.locator("#due.caught").isVisible());
  assert.match(await page.locator(".due-rows li").first().textContent(), /^late.*Overdue/s);
  await picture(page, "operator-tables");
  await page.click("#first-due");
  await stage(page, "overdue");
  await page.click("#reveal-now");
  await page.click("#confirm");
  await stage(page, "ended");
  assert.equal((await client.commitment(commitment)).state, "revealed");
  await page.click("#back");
  await page.waitForSelector("#due:not(.caught)");
  await close();
});

/** The states whose look is checked. */
const STATES = {
  out: async () => {
    const opened = await open("/operator.html", states.options);
    await opened.page.waitForSelector("#token");
    return opened;
  },
  tables: async () => {
    const opened = await entered(FULL, states.options);
    await opened.page.click("#new-table");
    await opened.page.locator(".commit summary").click();
    return opened;
  },
  collect: async () => {
    const opened = await at("look/collect");
    const { commitment } = await stateOf("look/collect");
    const all = await seedsOf(commitment, 0, "alice", "bob", "carol", "dora");
    await dropFiles(opened.page, files([...all.map(toGive), all[0]]));
    return opened;
  },
  play: async () => {
    const opened = await at("look/play");
    await opened.page.waitForSelector("#over");
    return opened;
  },
  reveal: async () => {
    const opened = await at("look/play");
    await opened.page.click("#reveal");
    return opened;
  },
};
const states = { options: {} };

/** A table, entered by its address. */
async function at(table) {
  const opened = await entered(FULL, states.options);
  await opened.page.locator(".due-rows a", { hasText: table }).click();
  await stage(opened.page, "collect", "play");
  return opened;
}

test("axe finds nothing in both themes, nothing is too wide or too small to hit, from 320 to 1,600 pixels", async () => {
  const terms = {
    sealed: true,
    mixing: "hashes",
    layout: { hand: 2, board: [3, 1, 1], burn: true },
    draw: 26,
    rounds: 40,
    reveal_in: "10h",
  };
  await client.commit({ ...terms, table: "look/collect" });
  const { commitment } = await client.commit({ ...terms, table: "look/play" });
  const players = ["alice", "bob", "carol", "dora", "a player with a rather long name"];
  const all = await seedsOf(commitment, 0, ...players);
  await client.lock(commitment, { contributions: all.map(toGive), seats: players });
  await client.deal(commitment, { contributions: all });
  await client.open(commitment, 0, { t: [11, 12, 13], public: true });
  await client.open(commitment, 0, { t: [0, 5], public: true });
  await client.open(commitment, 0, { t: [1, 6] });
  for (const [name, prepare] of Object.entries(STATES)) {
    for (const [colorScheme, width] of [...WINDOWS, ["dark", 390], ["light", 1280]]) {
      states.options = { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" };
      const { page, close } = await prepare();
      await page.waitForTimeout(150);
      if (width === WINDOWS[0][1]) await picture(page, `operator-${name}`);
      await sound(page, `${name}, ${colorScheme}, ${width}`);
      await close();
    }
  }
});

test("the page speaks German", async () => {
  const { page, close } = await open("/operator.html", { locale: "de-DE" });
  assert.equal(await page.textContent("h1"), "An den eigenen Tischen geben");
  await picture(page, "operator-german");
  await close();
});
