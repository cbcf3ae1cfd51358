import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { accessible, fits, pressable } from "./checks.js";
import { dropFiles, picture, start } from "./harness.js";
import { FAIRDEAL, fairdeal, ledger, proxy, service } from "./service.js";

/** The present log of the page. */
let target = null;
const forward = proxy(() => target);
// The host does not show the log's key: the reader brings it. home.test.js has the other case.
const { open } = await start(
  undefined,
  (request, response) => request.url !== "/v1/log" && forward(request, response),
);
const EVIL = "<img src=x onerror=alert(1)>\u202eevil";

/** Opens the page, and waits until it shows a log. */
async function explore(hash = "", options = {}) {
  const opened = await open(`/explore.html${hash}`, options);
  await opened.page.waitForFunction(
    () =>
      document.documentElement.dataset.state === "open" &&
      document.documentElement.dataset.route !== undefined,
  );
  return opened;
}

const size = (page) =>
  page.evaluate(() => Number(document.querySelector(".checkpoint").dataset.size));
const sizeOver = (page, than) =>
  page.waitForFunction(
    (least) => Number(document.querySelector(".checkpoint")?.dataset.size) > least,
    than,
    { timeout: 60_000 },
  );
const relation = (page) =>
  page.evaluate(() => document.querySelector(".checkpoint").dataset.relation);
const connection = (page, wanted) =>
  page.waitForFunction((to) => document.documentElement.dataset.connection === to, wanted, {
    timeout: 60_000,
  });

async function giveKey(page, key, keeps = false) {
  await page.fill(".key-form input[name=key]", key);
  if (keeps) await page.check(".key-form input[name=keep]");
  await page.click(".key-form button.first");
  await page.waitForFunction(() => !document.querySelector("#audit").disabled);
}

/** Waits until the checkpoint's signature was checked. */
const signed = (page) =>
  page.waitForFunction(() =>
    /\b(holds|none)\b/.test(document.querySelector(".checkpoint .line").className),
  );

async function audit(page) {
  await page.click("#audit");
  await page.waitForFunction(
    () => ["holds", "fails", "unreadable"].includes(document.querySelector(".audit").dataset.state),
    null,
    { timeout: 60_000 },
  );
  return JSON.parse(
    await page.evaluate(() => document.querySelector(".audit").dataset.verdict ?? "null"),
  );
}

/** A copy of a ledger, which does not know that it is one. */
function copied(from, to) {
  cpSync(from, to, { recursive: true });
  rmSync(join(to, "private", "place"), { force: true });
}

/** A ledger with one of everything. */
function everything() {
  const made = ledger();
  const { run } = made;
  run("commit", "--table", "main", "--rounds", "6");
  for (let i = 0; i < 4; i++)
    run("deal", "--table", "main", "--client", "alice=lucky", "--client", `bob=x${i}`);
  run("void", "--table", "main", "--nonce", "4", "--reason", EVIL);
  run("deal", "--table", "main", "--client", "alice=lucky");
  run("reveal", "--table", "main");
  run("commit", "--table", "main", "--sealed", "--rounds", "5");
  run("deal", "--table", "main", "--client", `${EVIL}=${EVIL}`);
  run("commit", "--table", EVIL);
  run("lock", "--table", EVIL, "--client", "carol=1");
  run("commit", "--table", "unused");
  run("commit", "--table", "gone");
  run("void", "--table", "gone", "--reason", "no players");
  return made;
}

test("a live log: new deals arrive, also after the service was away, and every link stays", async () => {
  const { path, key } = everything();
  const token = fairdeal(["token", "add", "load", "--ledger", path]).trim();
  let served = await service(path);
  target = served.url;
  const { page, complaints } = await explore();
  await connection(page, "live");
  assert.equal(await size(page), 15);
  await giveKey(page, key, true);
  await signed(page);
  await picture(page, "explore-overview");
  await accessible(page, "the overview");
  await pressable(page, "the overview");

  const load = () =>
    new Promise((resolve, reject) => {
      const child = spawn(
        FAIRDEAL.replace(/fairdeal$/, "load"),
        [
          served.url,
          "--token",
          token,
          "--tables",
          "12",
          "--rate",
          "60",
          "--seconds",
          "3",
          "--connections",
          "4",
          "--verify-every",
          "0",
        ],
        { stdio: "ignore" },
      );
      child.once("error", reject);
      child.once("exit", resolve);
    });
  await page.evaluate(() => {
    location.hash = "#table=main";
  });
  await page.waitForFunction(() => document.documentElement.dataset.route === "table");
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => document.documentElement.dataset.route === "all");
  assert.equal(await load(), 0);
  await sizeOver(page, 60);
  await page.waitForFunction(() => document.querySelectorAll(".lanes .window-row").length > 8);
  await picture(page, "explore-live");

  // The service stops, and starts again at the same address with more entries.
  const before = await size(page);
  await served.stop();
  target = null;
  await connection(page, "offline");
  await picture(page, "explore-offline");
  served = await service(path, served.port);
  target = served.url;
  assert.equal(await load(), 0);
  await connection(page, "live");
  await sizeOver(page, before + 60);
  assert.equal(await relation(page), "grown");

  // Table, commitment, round, receipt.
  await page.evaluate(() => {
    location.hash = "#table=main";
  });
  await page.waitForSelector(".commitments .window-row");
  await page.waitForSelector(".wide-lane svg");
  await picture(page, "explore-table");
  await accessible(page, "a table");
  await page.locator(".commitments .window-row").first().click();
  await page.waitForSelector(".rounds .window-row");
  await picture(page, "explore-commitment");
  await accessible(page, "a commitment");
  await page.locator(".rounds .window-row").nth(2).click();
  await page.waitForSelector("#verify");
  await page.waitForFunction(() => document.querySelectorAll(".cards svg").length === 52);
  await picture(page, "explore-round");
  await accessible(page, "a round");
  const link = page.url();
  const again = await explore(link.slice(link.indexOf("#")));
  await again.page.waitForSelector(".cards svg");
  assert.match(await again.page.locator(".place h2").textContent(), /Round 3/);
  await again.close();
  await page.click("#verify");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
  assert.match(page.url(), /verify\.html#receipt=/);
  // While nothing answered, the only complaints are the browser's own.
  assert.deepEqual(
    complaints.filter(
      (each) =>
        !/ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|Failed to load resource|ERR_SOCKET/.test(
          each,
        ),
    ),
    [],
  );
  await page.context().close();
  await served.stop();
});

test("the audit ends in the command's verdict", async () => {
  const { path, key } = everything();
  const served = await service(path);
  target = served.url;
  const { page, close } = await explore();
  await giveKey(page, key);
  const verdict = await audit(page);
  const clock = String(verdict.clock);
  const theirs = JSON.parse(
    fairdeal(["audit", served.url, "--key", key, "--as-of", clock, "--clock", clock, "--json"]),
  );
  assert.deepEqual(verdict, theirs);
  assert.ok(verdict.holds);
  await picture(page, "explore-audit");
  await accessible(page, "an audit");
  await close();
  await served.stop();
});

test("what the key did not sign is no proof of a fork, and does no harm in the memory", async () => {
  const { path, key } = everything();
  const served = await service(path);
  target = served.url;
  const forged = (size) =>
    `x.example/log\n${size}\n${Buffer.alloc(32, 7).toString("base64")}\n\n\u2014 x.example/log ${Buffer.alloc(68, 7).toString("base64")}\n`;
  const { page, close } = await explore();
  const stateIs = (wanted) =>
    page.waitForFunction(
      (state) => document.querySelector(".checkpoint")?.dataset.state === state,
      wanted,
    );
  const kept = () => page.evaluate(() => localStorage.getItem("fairdeal.seen.x.example/log"));
  const genuine = await kept();
  await dropFiles(page, [{ name: "saved.note", bytes: Buffer.from(forged(3)) }]);
  await stateIs("unreadable");
  assert.equal(await relation(page), "fork");
  await giveKey(page, key, true);
  await page.waitForFunction(
    () => document.querySelector(".checkpoint").dataset.relation === "foreign",
  );
  await dropFiles(page, [{ name: "shopping.txt", bytes: Buffer.from("milk\n\n\u2014 and tea\n") }]);
  await page.waitForTimeout(300);
  await stateIs("unreadable");
  assert.equal(await kept(), genuine);
  // An earlier visit, without the key, may have seen another's copy.
  for (const note of [forged(3), forged(9_000_000), "no note"]) {
    await page.evaluate((text) => {
      const seen = { note: text, size: 3, root: "", when: 1, signed: false };
      localStorage.setItem("fairdeal.seen.x.example/log", JSON.stringify(seen));
    }, note);
    await page.reload();
    await stateIs("none");
    assert.equal(await page.locator("#fork").count(), 0);
    assert.equal(JSON.parse(await kept()).signed, true);
  }
  assert.ok((await audit(page)).holds);
  // An unsigned view does not take the place of one that the key signed.
  const good = await kept();
  await page.evaluate(() => localStorage.removeItem("fairdeal.keys"));
  await page.reload();
  await stateIs("pending");
  assert.equal(await kept(), good);
  await close();
  await served.stop();
});

test("a fork is named, and kept as evidence", async () => {
  const { path, key, run } = everything();
  const other = `${path}-other`;
  copied(path, other);
  run("deal", "--table", "main", "--client", "alice=one");
  fairdeal(["deal", "--ledger", other, "--table", "main", "--client", "alice=another"]);
  fairdeal(["deal", "--ledger", other, "--table", "main", "--client", "alice=more"]);
  const first = await service(path);
  target = first.url;
  const { page, close } = await explore();
  await giveKey(page, key, true);
  await signed(page);
  assert.equal(await page.locator("#fork").count(), 0);
  await first.stop();

  const second = await service(other);
  target = second.url;
  await page.reload();
  await page.waitForSelector("#fork");
  assert.equal(await relation(page), "fork");
  assert.match(await page.locator(".checkpoint .sentence").textContent(), /two logs/);
  const saved = [];
  for (const name of ["saved.note", "now.note"]) {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.click(`#fork a[download="${name}"]`),
    ]);
    saved.push(await file.path());
  }
  await accessible(page, "a fork");
  await picture(page, "explore-fork");
  // The command accepts the two as proof.
  const verdict = JSON.parse(
    fairdeal(["audit", second.url, "--key", key, "--since", saved[0], "--json"], { codes: [1] }),
  );
  assert.deepEqual(Object.keys(verdict.counts), ["inconsistent"]);
  assert.equal(
    readFileSync(saved[1], "utf8"),
    await (await fetch(`${second.url}/checkpoint`)).text(),
  );
  const ours = await audit(page);
  assert.deepEqual(Object.keys(ours.counts), ["inconsistent"]);
  // The evidence stays when the first log is served again.
  await second.stop();
  const third = await service(path);
  target = third.url;
  await page.reload();
  await page.waitForSelector("#fork");
  assert.equal(
    await page.evaluate(() => document.querySelector(".checkpoint").dataset.state),
    "fails",
  );
  await close();
  await third.stop();
});

test("a log that lost entries is said to be shorter", async () => {
  const { path, key, run } = everything();
  const old = `${path}-old`;
  copied(path, old);
  run("deal", "--table", "main", "--client", "alice=one");
  const first = await service(path);
  target = first.url;
  const { page, close } = await explore();
  await giveKey(page, key, true);
  await signed(page);
  await first.stop();
  const second = await service(old);
  target = second.url;
  await page.reload();
  await page.waitForFunction(
    () => document.querySelector(".checkpoint")?.dataset.relation === "shorter",
  );
  assert.equal(
    await page.evaluate(() => document.querySelector(".checkpoint").dataset.state),
    "unreadable",
  );
  await close();
  await second.stop();
});

test("text of a log is shown, and not run", async () => {
  const { path } = everything();
  const served = await service(path);
  target = served.url;
  const { page, close } = await explore();
  const clean = async (/** @type {RegExp} */ wanted) => {
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector("main").textContent),
      wanted.source,
    );
    assert.equal(await page.locator("main img").count(), 0);
    assert.doesNotMatch(await page.evaluate(() => document.documentElement.outerHTML), /\u202e/);
  };
  await clean(/<img src=x onerror=alert\(1\)>U\+202E/);
  await page.evaluate((name) => {
    location.hash = `#table=${encodeURIComponent(name)}`;
  }, EVIL);
  await page.waitForSelector(".commitments .window-row");
  await clean(/<img src=x/);
  await page.evaluate(() => {
    location.hash = "#table=main";
  });
  await page.waitForFunction(
    () => document.querySelectorAll(".commitments .window-row").length === 2,
  );
  await page.locator(".commitments .window-row").first().click();
  await page.waitForSelector(".rounds .window-row");
  await clean(/<img src=x/);
  await page.locator(".rounds .window-row").nth(4).click();
  await page.waitForFunction(() =>
    /Round 5/.test(document.querySelector(".place h2")?.textContent),
  );
  await clean(/<img src=x/);
  await close();
  await served.stop();
});

test("with the keyboard alone, from the overview to a round", async () => {
  const { path } = everything();
  const served = await service(path);
  target = served.url;
  const { page, close } = await explore();
  await page.locator(".lanes").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForSelector('.lanes [aria-selected="true"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".commitments .window-row");
  await page.locator(".commitments").focus();
  await page.keyboard.press("Home");
  await page.waitForSelector('.commitments [aria-selected="true"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".rounds .window-row");
  await page.locator(".rounds").focus();
  await page.keyboard.press("End");
  await page.waitForSelector('.rounds [aria-selected="true"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() =>
    /Round 6/.test(document.querySelector(".place h2")?.textContent),
  );
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H2");
  await close();
  await served.stop();
});

test("every width, in German, and an empty log that gets its first entry", async () => {
  const { path } = everything();
  const served = await service(path);
  target = served.url;
  const { page, close } = await explore("", { locale: "de-DE" });
  for (const hash of ["#", "#table=main"]) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await page.waitForTimeout(300);
    await fits(page, hash);
  }
  await page.evaluate(() => {
    location.hash = "#";
  });
  await page.setViewportSize({ width: 320, height: 720 });
  await page.waitForTimeout(300);
  await picture(page, "explore-german");
  await close();
  await served.stop();

  const empty = ledger();
  const fresh = await service(empty.path);
  target = fresh.url;
  const second = await explore();
  await connection(second.page, "live");
  assert.match(await second.page.locator(".place").textContent(), /Nothing is in this log yet/);
  await picture(second.page, "explore-empty");
  await accessible(second.page, "an empty log");
  const token = fairdeal(["token", "add", "one", "--ledger", empty.path]).trim();
  const answer = await fetch(`${fresh.url}/v1/commitments`, {
    method: "POST",
    body: JSON.stringify({ table: "first" }),
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${token}`,
      "Idempotency-Key": "1",
    },
  });
  assert.equal(answer.status, 201);
  await second.page.waitForSelector(".lanes .window-row");
  assert.match(await second.page.locator(".lanes").textContent(), /first/);
  await second.close();
  await fresh.stop();
});

test("no log, and a log in a file", async () => {
  target = "http://127.0.0.1:9";
  const { page, context } = await open("/explore.html");
  await page.waitForFunction(() => document.documentElement.dataset.state === "failed", null, {
    timeout: 60_000,
  });
  assert.match(await page.locator("main").textContent(), /cannot be read at present/);
  await picture(page, "explore-unreachable");
  await accessible(page, "an unreachable log");
  const { path, key } = everything();
  const exported = join(path, "..", "log.export");
  fairdeal(["export", path, "--key", key, "--output", exported]);
  await dropFiles(page, [{ name: "log.export", bytes: readFileSync(exported) }]);
  await page.waitForSelector(".lanes .window-row");
  await giveKey(page, key);
  const verdict = await audit(page);
  const theirs = JSON.parse(
    fairdeal(["audit", exported, "--key", key, "--clock", String(verdict.clock), "--json"]),
  );
  assert.deepEqual(verdict, theirs);
  await picture(page, "explore-file");
  await context.close();
});
