// The page of a raffle: before its draw, at its draw and after it, on a host and without one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { utf8 } from "../../fairdeal/bytes.js";
import { QUICKNET } from "../../fairdeal/beacon.js";
import { entrant, entrantLink } from "../../fairdeal/entrant.js";
import { bytes, json, text, vectorNamed } from "../../fixtures.js";
import { ModelLog } from "../model-log.js";
import { accessible, fits, pressable } from "./checks.js";
import { WEB, dropFiles, picture, settled, start, verdictOf } from "./harness.js";
import { NUMBER, OUT, drawnOf, file, hostOf, openAt, stage } from "./raffle.js";

let host = hostOf("before");
const posted = [];
const { open, server } = await start(
  (path) => host.extra(path),
  (request, response) => {
    if (request.method !== "POST") return false;
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      posted.push({ path: request.url, headers: request.headers, body: JSON.parse(body) });
      response.writeHead(201, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ commitment: host.commitment }));
    });
    return true;
  },
);

const filesOf = (name) => [
  file("raffle.json", text("raffles", name, "document.json")),
  file("list.txt", bytes("raffles", name, "list.txt")),
  file("log.key", text("raffles", name, "log.key")),
];
const headline = (page) => page.textContent("#headline");

/** Opens the raffle's link at a second of the reader's clock. */
const at = (second, { path = `/raffle.html#raffle=${host.commitment}`, ...options } = {}) =>
  openAt({ open, server }, second, path, options);

test("before the draw the page counts down, finds a ticket, and asks nobody for the number", async () => {
  host = hostOf("before");
  const { page, close } = await at(OUT - 187_000);
  await stage(page, "before");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  assert.match(await page.textContent("h1"), /3 winners of 12 tickets/);
  assert.equal(await page.getAttribute(".cloth", "class"), "cloth answer raffle fair");
  // The clock goes on meanwhile.
  const left = async () => (await page.locator(".digits").allTextContents()).map(Number);
  const [days, hours, minutes, seconds] = await left();
  assert.deepEqual([days, hours, minutes], [2, 3, 56]);
  await page.clock.runFor(5_000);
  const [, , , later] = await left();
  assert.ok(later <= seconds - 4, `${seconds} ${later}`);
  for (const [line, says] of [
    ["ticket 07", "ticket 07 is in the list, as number 7 of 12."],
    [" ticket 07", "ticket 07 is in the list, as number 7 of 12."],
    [
      "ticket 13",
      "ticket 13 is not in this list, written like this. Open the list in the steps to see all lines.",
    ],
  ]) {
    await page.fill("#find input", line);
    await page.click("#find button");
    await page.waitForFunction(
      (wanted) => document.querySelector("#found").textContent === wanted,
      says,
    );
  }
  assert.equal(
    await page.inputValue("#link"),
    `${server.url}/raffle.html#raffle=${host.commitment}`,
  );
  assert.ok(!host.asked.some((path) => path.includes("/beacons/")));
  await picture(page, "raffle-before");
  await accessible(page, "before the draw");
  await fits(page, "before the draw");
  await pressable(page, "before the draw");
  await close();
});

test("at the draw the page asks for the number, and this browser's own promise makes it fair", async () => {
  host = hostOf("before");
  const { page, close } = await at(OUT - 120);
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  host.asked.length = 0;
  await page.clock.runFor(60_000);
  assert.deepEqual(host.asked, []);
  await page.clock.runFor(66_000);
  await page.waitForSelector("#again");
  assert.ok(host.asked.every((path) => path === `/v1/beacons/${QUICKNET.hash}/1000`));
  assert.match(await headline(page), /The public random number is not here yet/);
  await settled(page);
  await picture(page, "raffle-waiting");
  await accessible(page, "without the number");
  host.number = NUMBER;
  await page.clock.runFor(10_000);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "fair");
  assert.match(
    await headline(page),
    /^\s*Fair: drawn by a number that nobody knew when the list was closed/,
  );
  assert.match(await headline(page), /not that it was the only one/);
  assert.deepEqual(
    await page.locator(".ticket").evaluateAll((all) => all.map(({ dataset }) => dataset.line)),
    ["ticket 05", "ticket 12", "ticket 09"],
  );
  assert.match(await page.textContent("[data-step=promise]"), /This browser has kept it since/);
  await page.fill("#find input", "ticket 12");
  await page.click("#find button");
  await page.waitForSelector(".ticket.own");
  assert.match(await page.textContent("#found"), /It won the 2nd prize: a bicycle/);
  await picture(page, "raffle-drawn");
  await page
    .locator(".step > summary, .fold > summary")
    .evaluateAll((all) => all.forEach((each) => each.click()));
  await accessible(page, "the winners");
  await fits(page, "the winners");
  await pressable(page, "the winners");
  await close();
});

test("another promise of the commitment, which this browser kept, is named after the draw", async () => {
  host = hostOf("before");
  const { page, close } = await at(OUT - 120);
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  await page.evaluate((name) => {
    const all = JSON.parse(localStorage.getItem(name));
    localStorage.setItem(name, JSON.stringify([{ ...all[0], number: "0000-1111" }]));
  }, `fairdeal.raffle.${host.commitment}`);
  host.number = NUMBER;
  await page.clock.fastForward(3_600_000);
  await page.reload();
  await stage(page, "drawn");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
  assert.match(await headline(page), /This address had another raffle before.*0000-1111/s);
  assert.doesNotMatch(await page.textContent("[data-step=promise]"), /This browser has kept it/);
  await close();
});

test("a host that answers with another number is not believed, and asked again", async () => {
  host = hostOf("before");
  const { page, close } = await at(OUT - 60);
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  host.number = NUMBER.replace('"signature":"b4', '"signature":"a4');
  await page.clock.runFor(67_000);
  await page.waitForSelector("#again");
  host.number = NUMBER.replace("1000", "1001");
  await page.click("#again");
  await page.waitForTimeout(300);
  assert.equal(await page.getAttribute("html", "data-stage"), "waiting");
  host.number = NUMBER;
  await page.click("#again");
  await stage(page, "drawn");
  await close();
});

test("who comes after the draw is told that nothing shows when the list was closed, and what would", async () => {
  host = hostOf("before");
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  assert.match(await headline(page), /does not show that the list was closed before the draw/);
  await settled(page);
  await picture(page, "raffle-unproved");
  await accessible(page, "unproved");
  // The document itself, given as one that the reader kept.
  await dropFiles(page, [file("saved.json", host.document)], "[data-kept]");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await close();
});

test("witnesses make it fair, if the reader believes them", async () => {
  host = hostOf("before");
  const document = { ...JSON.parse(host.document), policy: text("raffles", "before", "policy") };
  host.document = JSON.stringify(document);
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  await page.click(".more-checks > summary");
  await page.click(".witnesses > summary");
  await page.click("#their-policy");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.match(
    await page.textContent("[data-step=promise]"),
    /2 of your \d witnesses had seen it by/,
  );
  await close();
});

test("a log with other winners is caught, and the right winners are shown", async () => {
  host = hostOf("wrong-winners");
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "caught");
  assert.match(
    await headline(page),
    /Caught: the winners in the log are not the ones that the list/,
  );
  assert.equal(await page.locator(".finding[data-token=result-mismatch]").count(), 1);
  assert.equal(await page.locator(".ticket").count(), 3);
  await settled(page);
  await picture(page, "raffle-caught");
  await accessible(page, "caught");
  await close();
});

test("without the log's signature no winners are shown, and nobody is accused", async () => {
  const key = (await ModelLog.make("cards.example/log")).signing.vkey;
  host = hostOf("before", { key });
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600);
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "none");
  assert.match(await headline(page), /The key of this log did not sign this raffle/);
  assert.match(await headline(page), /This accuses nobody/);
  assert.equal(await page.locator(".ticket").count(), 0);
  await page.fill("#find input", "ticket 05");
  await page.click("#find button");
  await page.waitForFunction(() => / is in/.test(document.querySelector("#found").textContent));
  assert.doesNotMatch(await page.textContent("#found"), /won/);
  await close();
});

test("an organiser who stopped after the number was out is named, and the winners are shown", async () => {
  const {
    file: document,
    list,
    key,
  } = vectorNamed("raffle.json", "given up a second after the round is out");
  host = hostOf("before", { document, list, key });
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "none");
  assert.match(
    await headline(page),
    /The organiser says that it stopped on .*, when the winners could be known/,
  );
  assert.ok((await page.locator(".ticket").count()) > 0);
  // Nobody has won: they are not named so.
  assert.equal(await page.textContent("h1"), "Who would have won");
  assert.match(await page.textContent(".raffle-top .meta"), /draw of/);
  await page.fill("#find input", (await page.getAttribute(".ticket", "data-line")) ?? "");
  await page.click("#find button");
  await page.waitForSelector(".ticket.own");
  assert.doesNotMatch(await page.textContent("#found"), /won/);
  await close();
});

test("an entrant's link finds the hashed line, and neither salt nor address leaves the browser", async () => {
  host = hostOf("hashed");
  const { link } = json("raffles", "hashed", "case.json");
  const found = json("raffles", "hashed", "case.json").verdict.line;
  const path = `/raffle.html#raffle=${host.commitment}&${link.split("#")[1]}`;
  const requests = [];
  const { page, close } = await at(OUT - 3600, { path });
  page.on("request", (request) => requests.push(request.url()));
  await page.waitForFunction(() => document.querySelector("#found").textContent !== "");
  assert.match(
    await page.textContent("#found"),
    new RegExp(found.tickets > 0 ? " is in" : "is not in"),
  );
  assert.equal(await page.getAttribute("#find", "data-tickets"), String(found.tickets));
  const shared = await page.inputValue("#link");
  assert.ok(!/salt|address/.test(shared) && shared.endsWith(host.commitment));
  host.number = NUMBER;
  await page.clock.runFor(3_610_000);
  await stage(page, "drawn");
  const [, salt] = /salt=([0-9a-f]+)/.exec(link);
  const told = [...requests, ...host.asked].filter(
    (url) => /salt|address/.test(url) || url.includes(salt),
  );
  assert.deepEqual(told, []);
  // Nor is it kept.
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(salt));
  await settled(page);
  await picture(page, "raffle-hashed");
  await close();
});

test("files that are dropped: the document, its list, the key and the number", async () => {
  host = hostOf("before", { key: "other.example/log+00000000+AAAA" });
  host.extra = ((extra) => (path) => (path.startsWith("/v1/") ? null : extra(path)))(host.extra);
  const { page, close } = await at(OUT + 3600, { path: "/raffle.html" });
  await stage(page, "start");
  await settled(page);
  await picture(page, "raffle-start");
  await accessible(page, "the start");
  const [document, list, key] = filesOf("before");
  await dropFiles(page, [document]);
  await page.waitForFunction(() => /Give the list/.test(document.querySelector("h1").textContent));
  await dropFiles(page, [list]);
  await page.waitForSelector("#key");
  // Not a receipt, nor cards.
  assert.match(await page.textContent(".key-form"), /This raffle says that it is in the log/);
  assert.doesNotMatch(await page.textContent(".key-form"), /receipt|your cards/);
  await dropFiles(page, [key]);
  await stage(page, "waiting");
  await page.waitForFunction(() => /random number/.test(document.querySelector("h1").textContent));
  await dropFiles(page, [file("drand.json", NUMBER)]);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  await dropFiles(page, [file("policy", text("raffles", "before", "policy"))]);
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await close();
});

test("a page that brings its raffle needs no host, and asks the relays that it names", async () => {
  host = hostOf("before");
  const list = text("raffles", "before", "list.txt");
  const relays = [`${server.url}/silent/`, `${server.url}/relay`];
  const data = {
    document: JSON.parse(host.document),
    list,
    relays,
    key: text("raffles", "before", "log.key").trim(),
  };
  const { extra } = host;
  const asked = [];
  host.extra = (path) => {
    if (path === "/raffle.html")
      return readFileSync(`${WEB}raffle.html`, "utf8").replace(
        "<main>",
        `<script type="application/json" id="raffle">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script><main>`,
      );
    if (/^\/(relay|silent)\//.test(path)) {
      asked.push(path);
      return path === `/relay/${QUICKNET.hash}/public/1000` ? host.number : null;
    }
    return path.startsWith("/v1/") ? null : extra(path);
  };
  const { page, complaints, close } = await at(OUT - 60, { path: "/raffle.html" });
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  assert.match(await page.textContent(".countdown ~ .hour"), /23 August 2023/);
  // The other pages are not there.
  assert.equal(await page.locator("nav, a[href]:not([href^='#'])").count(), 0);
  assert.match(await page.textContent(".foot p"), /only for the public random number/);
  host.number = NUMBER;
  await page.clock.runFor(66_000);
  await stage(page, "drawn");
  assert.deepEqual(
    asked,
    ["silent", "relay"].map((each) => `/${each}/${QUICKNET.hash}/public/1000`),
  );
  assert.equal(await verdictOf(page), "fair");
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((each) => !/ 404 .*silent/.test(each)),
  );
  await close();
});

test("a raffle is made with hashed lines: the list has no name, and each entrant gets a link", async () => {
  host = hostOf("hashed");
  posted.length = 0;
  const { page, close } = await open("/raffle.html#new");
  await page.waitForSelector("#make");
  await page.fill("#name", "Winter raffle");
  await page.fill("#names", "Anna@example.org\nbob\n\n anna@example.org\n");
  await page.fill("#prizes", "a weekend\n");
  await page.fill("#token", `fairdeal_${"0".repeat(64)}`);
  await picture(page, "raffle-make");
  await accessible(page, "the form");
  await fits(page, "the form");
  await page.fill("#winners", "3");
  await page.click("#make");
  await page.waitForSelector(".make .wrong");
  assert.match(await page.textContent(".make .wrong"), /the list has 2/);
  assert.equal(posted.length, 0);
  await page.fill("#winners", "2");
  await page.click("#make");
  await page.waitForSelector("#promise");
  assert.equal(posted.length, 0);
  await page.click("#promise");
  await page.waitForSelector("#open");
  const [{ path, headers, body }] = posted;
  assert.equal(path, "/v1/raffles");
  assert.equal(headers.authorization, `Bearer fairdeal_${"0".repeat(64)}`);
  assert.deepEqual(body.rules, { winners: 2, title: "Winter raffle", prizes: ["a weekend"] });
  assert.ok(body.at > Date.now() / 1000);
  const lines = body.list.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  assert.deepEqual(lines, [...lines].sort());
  assert.ok(!/anna|bob|salt/i.test(JSON.stringify(body)));
  const links = await page.locator(".links code").allTextContents();
  assert.equal(links.length, 2);
  for (const link of links) {
    assert.ok(link.startsWith(`${server.url}/raffle.html#raffle=${host.commitment}&salt=`));
    const line = await page.evaluate(async (text) => {
      const { readEntrantLink } = await import("./fairdeal/entrant.js");
      return readEntrantLink(text).line;
    }, link);
    assert.ok(lines.includes(line));
  }
  // Without a trace of the secret, the salts or the names in the browser.
  const stores = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  assert.ok(!/salt|anna/.test(stores));
  await picture(page, "raffle-made");
  await accessible(page, "the links");
  await close();
});

test("a raffle is made with plain lines, in the organiser's order", async () => {
  posted.length = 0;
  const { page, close } = await open("/raffle.html#new", { locale: "de-DE" });
  await page.waitForSelector("#make");
  await page.uncheck("#hashed");
  assert.ok(await page.isVisible(".make .note"));
  await page.fill("#names", "zoe\nanna\nzoe");
  await page.fill("#token", "x");
  await page.click("#make");
  await page.waitForSelector(".make .wrong");
  await page.fill("#token", `fairdeal_${"1".repeat(64)}`);
  await page.click("#make");
  await page.click("#promise");
  await page.waitForSelector("#open");
  assert.equal(posted[0].body.list, "zoe\nanna\nzoe\n");
  assert.equal(await page.locator(".links").count(), 0);
  await close();
});

test("2^20 lines, all drawn, are verified in the page", async () => {
  const rules = { winners: 3 };
  const lines = Array.from({ length: 2 ** 20 }, (_, i) => `member ${i % 900_000} of the club\n`);
  const list = utf8(lines.join(""));
  host = hostOf("before", await drawnOf(list, rules));
  host.number = NUMBER;
  const started = performance.now();
  const { page, close } = await at(OUT + 3600);
  await page.waitForFunction(() => document.documentElement.dataset.stage === "drawn");
  const took = performance.now() - started;
  const inWorker = await page.getAttribute("html", "data-took");
  // Told, not judged: a test is not timed.
  console.log(
    `2^20 lines, ${list.length} bytes: ${inWorker} ms to verify, ${took.toFixed(0)} in all`,
  );
  assert.equal(await verdictOf(page), "unproved");
  assert.equal(await page.locator(".ticket").count(), 3);
  await page.fill("#find input", "member 7 of the club");
  await page.click("#find button");
  await page.waitForFunction(() => document.querySelector("#find").dataset.tickets === "2");
  // All lines can be looked at, and few are in the document.
  await page.click("[data-step=list] > summary");
  await page.focus(".lines");
  await page.keyboard.press("End");
  await page.waitForFunction(() => /1,048,576/.test(document.querySelector(".lines").textContent));
  assert.ok((await page.locator(".lines .window-row").count()) < 100);
  await close();
});

test("the page speaks German", async () => {
  host = hostOf("drawn");
  host.number = NUMBER;
  const { page, close } = await at(OUT + 3600, { locale: "de-DE" });
  await stage(page, "drawn");
  assert.match(await headline(page), /Die Gewinner folgen aus der Liste und der Zahl/);
  await settled(page);
  await picture(page, "raffle-german");
  await close();
});

test("a link to a raffle that the host does not have, or answers with another one, and a link of another kind", async () => {
  host = hostOf("before");
  const path = `/raffle.html#raffle=${"0".repeat(64)}`;
  for (const says of [
    /This website does not have this raffle/,
    /another raffle than the one of this page/,
  ]) {
    const { page, complaints, close } = await at(OUT, { path });
    assert.match(await page.textContent("#headline"), says);
    assert.equal(await verdictOf(page), "none");
    complaints.length = 0;
    await close();
    const { document } = host;
    host.extra = (asked) => (asked.startsWith("/v1/raffles/") ? document : null);
  }
  const made = entrantLink("https://club.example/raffle", entrant(new Uint8Array(32), "a"));
  const other = await at(OUT - 60, { path: `/raffle.html${made.slice(made.indexOf("#"))}` });
  await stage(other.page, "start");
  await other.close();
});
