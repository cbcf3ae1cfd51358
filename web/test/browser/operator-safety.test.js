// The operator's page keeps its token to itself, and shows what others wrote as text: players and
// witnesses.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { toGive } from "../../fairdeal/index.js";
import { serving } from "../live.js";
import { dropFiles, picture, serve } from "./harness.js";
import { operating } from "./operator.js";
import { fairdeal, ledger, proxy } from "./service.js";

const {
  FULL,
  browser,
  client,
  dealt,
  entered,
  files,
  newTable,
  open,
  saved,
  seedsOf,
  server,
  served,
  stage,
  stateOf,
  token,
  told,
  path,
} = await operating();

test("the token is in no document, address, log line or lasting memory, and is forgotten on demand", async () => {
  const { page, context, close, complaints } = await open("/operator.html");
  const said = [];
  const asked = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("request", (request) => asked.push(request.url(), request.headers().referer ?? ""));
  await page.fill("#token", "fairdeal_1234");
  await page.click("#enter");
  assert.match(await page.textContent("[role=alert]"), /not a token/);
  await page.fill("#token", `fairdeal_${"0".repeat(64)}`);
  await page.click("#enter");
  await page.locator("[role=alert][data-code=unauthorized]").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.fill("#token", FULL);
  await page.click("#enter");
  await stage(page, "tables");
  await newTable(page, "token");
  await dealt(page, "token", "alice", "bob");
  await saved(page, "#give-0");
  await page.reload();
  await stage(page, "play");
  const digits = FULL.slice(9);
  const found = await page.evaluate(() => ({
    html: document.documentElement.outerHTML,
    values: [...document.querySelectorAll("input, textarea")].map(({ value }) => value).join(" "),
    address: location.href + document.referrer + JSON.stringify(history.state) + window.name,
    local: JSON.stringify({ ...localStorage }),
    cookie: document.cookie,
    session: JSON.stringify({ ...sessionStorage }),
  }));
  for (const [where, text] of Object.entries(found))
    assert.equal(text.includes(digits), where === "session", where);
  const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
  assert.ok(!kept.includes(digits) && !kept.includes('cookie":"f'));
  for (const text of [...said, ...asked, ...told]) assert.ok(!text.includes(digits), text);
  assert.ok(told.length > 0);

  // Another tab of the same browser does not have it.
  const other = await context.newPage();
  await other.goto(`${server.url}/operator.html`);
  await other.waitForSelector("#token");
  await other.close();

  await page.click("#forget");
  await page.waitForSelector("#token");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.reload();
  await page.waitForSelector("#token");
  complaints.splice(0);
  await close();
});

test("a revoked token ends the visit, and the reason is told", async () => {
  const short = token("short", "--open");
  const { page, close, complaints } = await entered(short);
  fairdeal(["token", "revoke", "short", "--ledger", path]);
  // The service knows of it within a second or two.
  await page.waitForTimeout(2_500);
  await newTable(page, "late").catch(() => undefined);
  await page.locator("[role=alert][data-code=unauthorized]").first().waitFor();
  complaints.splice(0);
  await close();
});

test("a stranger's site can neither use the page nor the calls: there is no cookie, and no other origin is let in", async () => {
  const stranger = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>stranger</title><link rel=icon href=data:,>");
  });
  await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const context = await browser.newContext();
  const operator = await context.newPage();
  await operator.goto(`${server.url}/operator.html`);
  await operator.fill("#token", FULL);
  await operator.click("#enter");
  await stage(operator, "tables");
  assert.deepEqual(await context.cookies(), []);
  const before = (await client.ready()).published;
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
  const tries = await page.evaluate(
    async ([url, secret]) => {
      const body = '{"table":"stolen"}';
      const call = (headers) =>
        fetch(`${url}/v1/commitments`, {
          method: "POST",
          credentials: "include",
          headers,
          body,
        }).then(
          ({ status, type }) => `${status} ${type}`,
          () => "blocked",
        );
      const frame = document.createElement("iframe");
      frame.src = `${url}/operator.html`;
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      document.body.append(frame);
      await loaded;
      let framed = true;
      try {
        framed = frame.contentWindow.document !== null;
      } catch {
        framed = false;
      }
      const opened = window.open(`${url}/operator.html`);
      return [
        await call({ "content-type": "text/plain" }),
        await call({ "content-type": "application/json" }),
        // Even with a stolen token a browser does not send it for another site.
        await call({ "content-type": "application/json", authorization: `Bearer ${secret}` }),
        framed,
        opened === null || opened.closed || opened.length === 0,
      ];
    },
    [served.url, FULL],
  );
  assert.deepEqual(tries, ["blocked", "blocked", "blocked", false, true]);
  assert.equal((await client.ready()).published, before);
  await context.close();
  stranger.close();
});

const IMAGE = "<img src=x onerror=alert(1)>";

test("names of tables and players, reasons and file names are text", async () => {
  const { page, close } = await entered();
  await newTable(page, `${IMAGE}\u202e1`);
  const table = `${IMAGE}\u202e1`;
  await dealt(page, table, IMAGE, '"><script>alert(2)</script>');
  const { name } = await saved(page, "#give-0");
  assert.match(name, /^[\w.-]+$/);
  await page.click("#show-0");
  await page.click("#cancel");
  await page.click("#over");
  await page.click("#confirm");
  await page.click("#next-round");
  await stage(page, "collect");
  const { commitment, next } = await stateOf(table);
  const all = await seedsOf(commitment, next, IMAGE);
  await dropFiles(page, [
    { name: `${IMAGE}.json`, bytes: Buffer.from("{}") },
    ...files(all.map(toGive)),
  ]);
  await page.click("#lock");
  await stage(page, "locked");
  await page.click("#void");
  await page.fill("#reason", IMAGE);
  await page.selectOption("#blame", { index: 1 });
  await page.click("#confirm");
  await stage(page, "collect");
  assert.match(await page.textContent(".last"), /<img src=x/);
  assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
  assert.match(await page.textContent("#cloth .about"), /U\+202E/);
  await page.click("#back");
  await stage(page, "tables");
  assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
  await page.goto(`${server.url}/operator.html#table=${encodeURIComponent(IMAGE)}`);
  await stage(page, "tables");
  await close();
});

test("the public address of a service with another address for operators says that it takes no token", async () => {
  const apart = ledger("apart.example/log");
  const { url, stop } = await serving(apart.path, { more: ["--operator-listen", "127.0.0.1:0"] });
  const pages = await serve(
    undefined,
    proxy(() => url),
  );
  const page = await browser.newPage();
  await page.goto(`${pages.url}/operator.html`);
  const refusal = page.locator("[role=alert][data-code=no-such-path]");
  await refusal.waitFor();
  assert.match(await refusal.textContent(), /no calls for operators/);
  assert.equal(await page.locator("#token").count(), 0);
  await page.close();
  pages.close();
  await stop();
});

test("each witness's last answer is shown, a claim in words, and the tables without them where /readyz is kept back", async () => {
  const { page, close } = await entered();
  assert.ok(await page.locator("#witnesses").isHidden());
  const witnesses = [
    { name: "amsterdam", signed: 1234, answer: "signed 1234 entries", rolled_back: 0 },
    { name: "<b>oslo</b>", answer: "409: 99 entries", claim: "99 entries", rolled_back: 1 },
  ];
  const ready = { ready: false, published: 7, unpublished: 0, overdue: 0, damaged_files: 0 };
  const unanchored = "the witnesses' times are 70 s apart";
  await page.route("**/readyz", (route) =>
    route.fulfill({ status: 503, json: { ...ready, witnesses, unanchored } }),
  );
  await page.reload();
  await page.locator("#witnesses").waitFor();
  const shown = await page.textContent("#witnesses");
  assert.match(shown, /70 s apart.*amsterdam.*signed 1,234 entries.*<b>oslo<\/b> It contradicts/s);
  assert.equal(await page.locator("#witnesses li.late").count(), 1);
  await picture(page, "operator-witnesses");

  await page.unroute("**/readyz");
  await page.route("**/readyz", (route) => route.fulfill({ status: 404, body: "not here" }));
  await page.reload();
  await page.locator(".due-rows, #new-table").first().waitFor();
  await newTable(page, "without readyz");
  assert.ok(await page.locator("#witnesses").isHidden());
  await close();
});
