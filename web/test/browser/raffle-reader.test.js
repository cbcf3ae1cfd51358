// The page of a raffle for its readers: the list to look at, what a check mark says, the number by
// hand, files that are of no use, and the winners of hashed lists.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { utf8 } from "../../fairdeal/bytes.js";
import { entrant, entrantLink } from "../../fairdeal/entrant.js";
import { bytes, json, text } from "../../fixtures.js";
import { ModelLog } from "../model-log.js";
import { accessible, fits, pressable } from "./checks.js";
import { dropFiles, picture, settled, start, verdictOf } from "./harness.js";
import { NUMBER, OUT, drawnOf, file, hostOf, openAt, stage } from "./raffle.js";

let host = hostOf("before");
const browser = await start((path) => host.extra(path));

/** Opens the raffle of the host an hour after its draw, or at another second. */
const open = (second = OUT + 3600, options = {}) =>
  openAt(browser, second, `/raffle.html#raffle=${host.commitment}`, options);

/** Opens a raffle of the fixtures whose number the host has. */
async function openDrawn(name) {
  host = hostOf(name);
  host.number = NUMBER;
  const opened = await open();
  await stage(opened.page, "drawn");
  return opened;
}

/** A raffle of another commitment. */
const drawnOther = await drawnOf(utf8("anna\nbob\n"), { winners: 1 });
const other = drawnOther.document;

const told = (page) => page.textContent("#told");

/** Drops files, and gives what the reader is told. */
async function give(page, files, at) {
  await page.evaluate(() => document.querySelector("#told").replaceChildren());
  await dropFiles(page, files, at);
  await page.waitForSelector("#told .note");
  return told(page);
}

/** A page as `fairdeal raffle` writes it, without its code. */
const savedPage = (brought) =>
  `<!doctype html>\n<html lang="en">\n<script type="application/json" id="raffle">${JSON.stringify(
    brought,
  ).replaceAll("<", "\\u003c")}</script><body></body></html>`;

test("the list stands in its step, with the number of each line, and is saved byte by byte", async () => {
  host = hostOf("before");
  const { page, close } = await open(OUT - 3600);
  await page.waitForSelector(".step.shown");
  await page.click("[data-step=list] > summary");
  await page.waitForSelector(".lines .window-row");
  assert.deepEqual(
    await page
      .locator(".lines .window-row")
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))),
    Array.from({ length: 12 }, (_, i) => [`${i + 1}`, `ticket ${`${i + 1}`.padStart(2, "0")}`]),
  );
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-list")]);
  assert.equal(download.suggestedFilename(), "list.txt");
  assert.deepEqual(
    readFileSync(await download.path()),
    Buffer.from(bytes("raffles", "before", "list.txt")),
  );
  await picture(page, "raffle-list");
  await accessible(page, "the list");
  await fits(page, "the list");
  await pressable(page, "the list");
  await close();
});

test("hashed lines stand there in a short form", async () => {
  const { page, close } = await openDrawn("hashed");
  await page.click("[data-step=list] > summary");
  await page.waitForSelector(".lines .window-row");
  const [first] = text("raffles", "hashed", "list.txt").split("\n");
  assert.equal(
    await page.locator(".lines .window-row code").first().textContent(),
    `${first.slice(0, 12)}…`,
  );
  await close();
});

test("a list is closed only if that is shown, and drawn only if the winners are", async () => {
  const { page, close } = await openDrawn("before");
  const step = page.locator("[data-step=list]");
  const title = () => step.locator("strong").textContent();
  const meta = () => page.locator(".raffle-top .meta").textContent();
  // The list is that of the promise: its digest was compared. When it was closed is not shown.
  assert.equal(await title(), "The list");
  assert.match(await step.getAttribute("class"), /shown/);
  assert.match(await step.textContent(), /It is the list of the promise\./);
  assert.equal(await step.locator(".at").textContent(), "");
  assert.match(await page.getAttribute("[data-step=promise]", "class"), /missing/);
  assert.match(await meta(), /drawn on 23 August 2023 at 15:59 UTC/);
  await dropFiles(page, [file("saved.json", host.document)], "[data-kept]");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.equal(await title(), "List closed");
  assert.match(await page.textContent("[data-step=promise]"), /You say that you had your copy/);
  await close();

  // The log's key did not sign the promise, and nothing was drawn.
  host = hostOf("before", { key: (await ModelLog.make("cards.example/log")).signing.vkey });
  host.number = NUMBER;
  const other = await open();
  await other.page.waitForSelector("[data-step=list].unchecked");
  assert.equal(await other.page.textContent("[data-step=list] strong"), "The list");
  assert.match(await other.page.textContent(".raffle-top .meta"), /draw of 23 August 2023/);
  assert.doesNotMatch(
    await other.page.textContent("main"),
    /drawn on|It is the list of the promise/,
  );
  await other.close();
});

test("who first sees the page after the draw is told calmly what is right, and who can say more", async () => {
  for (const [locale, says] of [
    ["en-GB", /usual answer.*or its number.*say below what you had.*ask somebody/s],
    [
      "de-DE",
      /übliche Antwort.*oder ihre Nummer.*sagen Sie unten, was Sie hatten.*fragen Sie jemanden/s,
    ],
  ]) {
    host = hostOf("before");
    host.number = NUMBER;
    const { page, close } = await open(OUT + 3600, { locale });
    assert.equal(await verdictOf(page), "unproved");
    const detail = await page.textContent("#headline .says");
    assert.match(detail, says);
    assert.doesNotMatch(detail, /wrong|suspicio|cheat|falsch|verdächtig|Betrug/i);
    await close();
  }
});

test("witnesses who had not signed in time are said not to show more", async () => {
  const { page, close } = await openDrawn("before");
  const lines = text("raffles", "before", "policy").split("\n");
  const third = lines.find((line) => line.startsWith("witness w3 "));
  await dropFiles(page, [file("policy", `${third}\nquorum w3\n`)]);
  await page.waitForFunction(() =>
    /Your witnesses do not show/.test(document.querySelector("#headline").textContent),
  );
  assert.equal(await verdictOf(page), "unproved");
  await close();
});

test("a line is shown as it stands, also if its word means something to a program", async () => {
  const words = ["constructor", "toString", "__proto__"];
  host = hostOf(
    "before",
    await drawnOf(utf8(words.map((each) => `${each}\n`).join("")), { winners: 3 }),
  );
  host.number = NUMBER;
  const { page, close } = await open();
  await stage(page, "drawn");
  const shown = await page.locator(".ticket-line").allTextContents();
  assert.deepEqual(shown.sort(), words.sort());
  await close();
});

test("without a relay the reader gets the number from a link, and pastes what it shows", async () => {
  host = hostOf("before");
  const { page, close } = await open();
  await page.waitForSelector("#again");
  const link = page.locator(".relay");
  const { chain, round, signature } = json("raffles", "drawn", "case.json").verdict.beacon;
  assert.deepEqual(
    await link.evaluate(({ href, target, rel, referrerPolicy }) => [
      ...[href, target, rel, referrerPolicy],
    ]),
    [
      `https://api.drand.sh/${chain}/public/${round}`,
      ...["_blank", "noopener noreferrer", "no-referrer"],
    ],
  );
  // What the reader types, and the place where they type, stay while the page asks again.
  await page.fill("#number", "half of");
  await page.clock.runFor(70_000);
  assert.equal(await page.inputValue("#number"), "half of");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "number");
  const changed = `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`;
  for (const [typed, says] of [
    ["hello", /not an answer of drand.*“round” and “signature”.*You gave: .hello/s],
    [signature.slice(2), /not an answer of drand.*96 characters/],
    [NUMBER.replace("1000", "1001"), /the number of round 1001\. This raffle needs round 1000/],
    [changed, /not the number of round 1000: drand did not sign it/],
  ]) {
    await page.fill("#number", typed);
    await page.click(".by-hand button:not([type])");
    await page.waitForFunction(
      (pattern) =>
        new RegExp(pattern, "s").test(document.querySelector(".number-told").textContent),
      says.source,
    );
    assert.equal(await page.getAttribute("html", "data-stage"), "waiting");
  }
  await settled(page);
  await picture(page, "raffle-by-hand");
  await accessible(page, "the number by hand");
  await fits(page, "the number by hand");
  await pressable(page, "the number by hand");
  // As a browser shows it that draws JSON as a table.
  await page.fill(
    "#number",
    `round\t1000\nrandomness\t"${"0".repeat(64)}"\nsignature\t"${signature}"`,
  );
  await page.click(".by-hand button:not([type])");
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  await close();
});

test("a relay that is a script is no link", async () => {
  host = hostOf("before");
  const { extra } = host;
  const brought = {
    document: JSON.parse(host.document),
    list: text("raffles", "before", "list.txt"),
    relays: ["javascript:alert(1)//"],
    key: text("raffles", "before", "log.key").trim(),
  };
  const html = readFileSync(new URL("../../raffle.html", import.meta.url), "utf8");
  const data = /<script type="application\/json".*?<\/script>/s.exec(savedPage(brought))[0];
  host.extra = (path) =>
    path === "/raffle.html" ? html.replace("<main>", `${data}<main>`) : extra(path);
  const { page, complaints, close } = await open();
  await page.waitForSelector("#again");
  assert.match(await page.getAttribute(".relay", "href"), /^https:\/\/api\.drand\.sh\//);
  // The page asks it as a relay, and the policy of the page refuses that.
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((each) => !/javascript:/.test(each)),
  );
  await close();
});

test("a file that is of no use is named with a reason, and nothing else changes", async () => {
  const { page, close } = await openDrawn("before");
  const before = await page.textContent(".raffle-middle");
  const forged = host.document.replace(/(\\"beacon\\":)1000/, "$11001");
  assert.notEqual(forged, host.document);
  for (const [name, content, says] of [
    ["photo.png", Buffer.from("89504e470d0a1a0a0000000d", "hex"), /cannot use this file/],
    ["zeros.bin", Buffer.alloc(9), /cannot use this file/],
    ["empty.txt", "", /This file is empty/],
    ["spaces.txt", " \n", /This file is empty/],
    ["list.txt", "ticket 01\n", /not the list of this raffle.*expected 12 lines.*found 1, /s],
    ["list.txt", "ticket 01\r\n", /not the list of this raffle.*exactly the file.*no CR/s],
    ["notes.txt", "my witnesses", /not the list of this raffle.*ended by LF/s],
    ["policy", "witness w1 nonsense\nquorum w1\n", /policy cannot be used/],
    ["receipt.json", "{}", /not a raffle.*expected the document of a raffle/s],
    ["raffle.json", other, /of another raffle, 3a3f-.*This page has dfcc-/],
    // Anybody can write another draw of the commitment.
    ["raffle.json", forged, /did not sign this file/],
    [
      "raffle.html",
      savedPage({ document: JSON.parse(forged), key: drawnOther.key }),
      /did not sign this file/,
    ],
    ["round.json", NUMBER.replace("1000", "1001"), /number of round 1001/],
    [
      "other.key",
      text("raffles", "hashed", "log.key").replace(/^[^+]*/, "x.example/y"),
      /another log/,
    ],
    ["links.txt", "a\thttps://x.example/#salt=0&address=a\n", /None of these links/],
    ["page.html", "<!DOCTYPE html><html></html>", /no raffle in this saved page/],
  ]) {
    assert.match(await give(page, [file(name, content)]), says, name);
    assert.match(await told(page), new RegExp(`^${name}: `));
    await page.waitForFunction(() => document.documentElement.dataset.verdict === "unproved");
    assert.equal(await page.textContent(".raffle-middle"), before);
  }
  const policy = file("policy", text("raffles", "before", "policy"));
  assert.match(
    await give(page, [policy, file("log.key", text("raffles", "before", "log.key"))]),
    /names witnesses\. Give it alone/,
  );
  await settled(page);
  await picture(page, "raffle-useless-file");
  await accessible(page, "a useless file");
  await fits(page, "a useless file");
  // The promise itself, but not at the place for what the reader kept.
  assert.match(await give(page, [file("raffle.json", host.document)]), /already has this promise/);
  assert.equal(await verdictOf(page), "unproved");
  await close();
});

test("what is given as a saved promise is one of this raffle, or the reader is told", async () => {
  const { page, close } = await openDrawn("before");
  for (const [name, content, says] of [
    ["list.txt", text("raffles", "before", "list.txt"), /not a saved promise/],
    ["photo.png", Buffer.from("89504e47", "hex"), /not a saved promise/],
    ["empty", "", /not a saved promise/],
    ["broken.json", "{", /not a raffle/],
    ["raffle.json", other, /of another raffle, 3a3f-.*This page has dfcc-/],
    ["raffle.html", "<!doctype html>\n<html></html>", /no raffle in this saved page.*raffle\.json/],
  ]) {
    assert.match(await give(page, [file(name, content)], "[data-kept]"), says, name);
    assert.equal(await verdictOf(page), "unproved", name);
  }
  // A member who kept another raffle may have caught an organiser who drew again.
  const page2 = savedPage({ document: JSON.parse(other), key: drawnOther.key });
  await dropFiles(page, [file("raffle.html", page2)], "[data-kept]");
  await page.waitForFunction(() =>
    /of another raffle than this page.*3a3f-.*dfcc-.*ask the organiser/s.test(
      document.querySelector("#headline").textContent,
    ),
  );
  await settled(page);
  await picture(page, "raffle-other-kept");
  await accessible(page, "a kept file of another raffle");
  // A saved page is a promise, as for the command.
  const saved = savedPage({ document: JSON.parse(host.document), list: "<b>\n", relays: [] });
  await dropFiles(page, [file("raffle.html", saved)], "[data-kept]");
  await page.waitForFunction(() => document.querySelector("#told").textContent === "");
  // The file of the other raffle is not forgotten, also if a message has this number.
  await page.click("#same-number");
  await settled(page);
  assert.match(await page.textContent("#headline"), /of another raffle than this page/);
  assert.equal(await verdictOf(page), "unproved");
  await close();
});

test("a saved page opens its raffle, and an older file of it takes nothing away", async () => {
  host = hostOf("drawn");
  const document = JSON.parse(host.document);
  host.extra = ((extra) => (path) => (path.startsWith("/v1/") ? null : extra(path)))(host.extra);
  const { page, close } = await openAt(browser, OUT + 3600, "/raffle.html");
  await stage(page, "start");
  assert.match(await give(page, [file("photo.png", Buffer.from([0xff]))]), /cannot use this file/);
  const list = text("raffles", "drawn", "list.txt");
  assert.match(await give(page, [file("list.txt", list)]), /Taken\. The page still needs/);
  const key = text("raffles", "drawn", "log.key").trim();
  await dropFiles(page, [file("raffle.html", savedPage({ document, list, key }))]);
  await stage(page, "drawn");
  assert.equal(await told(page), "");
  // The file from before the draw has no winners in it.
  const early = file("raffle.json", text("raffles", "before", "document.json"));
  assert.match(await give(page, [early]), /already has this promise.*Add my saved promise/);
  await dropFiles(page, [file("policy", text("raffles", "drawn", "policy"))]);
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.match(await give(page, [early]), /older than what the page already has/);
  assert.equal(await verdictOf(page), "fair");
  assert.equal(await page.locator(".ticket").count(), 3);
  await close();
});

test("a useless file does not hide why there is no raffle", async () => {
  host = hostOf("before");
  const { page, complaints, close } = await openAt(
    browser,
    OUT,
    `/raffle.html#raffle=${"0".repeat(64)}`,
  );
  await page.waitForSelector("#headline h1");
  await give(page, [file("photo.png", Buffer.from([0xff]))]);
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "none");
  assert.match(await page.textContent("h1"), /This website does not have this raffle/);
  complaints.length = 0;
  await close();
});

test("the organiser's links name the winners of a hashed list, in the open page alone", async () => {
  const addresses = [
    "anna@example.org",
    "bob@example.org",
    "carol@example.org",
    "dave@example.org",
  ];
  const entrants = addresses.map((address) => entrant(new Uint8Array(32).fill(7), address));
  const list = utf8(
    entrants
      .map(({ line }) => `${line}\n`)
      .sort()
      .join(""),
  );
  host = hostOf("hashed", await drawnOf(list, { winners: 3, prizes: ["cake"] }));
  host.number = NUMBER;
  const { page, close } = await open();
  await stage(page, "drawn");
  const requests = [];
  page.on("request", (request) => requests.push(request.url() + (request.postData() ?? "")));
  const lines = await page
    .locator(".ticket")
    .evaluateAll((all) => all.map(({ dataset }) => dataset.line));
  const nameOf = (line) => entrants.find((each) => each.line === line).address;
  // Of one winner there is no link, one is of another raffle, and one is damaged.
  const known = entrants.filter(({ line }) => line !== lines[2]);
  const stranger = entrant(new Uint8Array(32).fill(8), "eve@example.org");
  const links = [...known, stranger].map(
    (each) => `${each.address}\t${entrantLink("https://club.example/raffle", each)}\r\n`,
  );
  const damaged = "x\thttps://club.example/raffle#salt=00&address=x\r\n";
  const chosen = {
    name: "links.txt",
    mimeType: "text/plain",
    buffer: Buffer.from([...links, damaged].join("")),
  };
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.locator("#naming button, #naming label").first().click(),
  ]);
  await chooser.setFiles(chosen);
  await page.waitForFunction(() => document.querySelector("#told").textContent !== "");
  const says = await told(page);
  assert.match(says, /3 of 5 links belong to lines of this list/);
  await page.waitForFunction(() => /@/.test(document.querySelector(".tickets").textContent));
  assert.deepEqual(await page.locator(".ticket-line").allTextContents(), [
    ...[nameOf(lines[0]), nameOf(lines[1])],
    `${lines[2].slice(0, 12)}…`,
  ]);
  assert.deepEqual(
    requests.filter((each) => /salt|example\.org|%40/.test(each)),
    [],
  );
  const stores = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  assert.doesNotMatch(stores, /example\.org|salt/);
  await settled(page);
  await picture(page, "raffle-links");
  await accessible(page, "the winners' addresses");
  await fits(page, "the winners' addresses");
  await page.reload();
  await stage(page, "drawn");
  assert.doesNotMatch(await page.textContent(".tickets"), /@/);
  await close();
});
