// A raffle that one file makes: the page of raffles, opened from a folder, promises it in a log for it
// alone and saves its page; that file is opened before the draw, at it, and by the command. The clocks
// are those of a recorded round of drand.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { QUICKNET } from "../../fairdeal/beacon.js";
import { Witness } from "../witnesses.js";
import { accessible, fits } from "./checks.js";
import { dropFiles, picture, settled, start, verdictOf } from "./harness.js";
import { NUMBER, OUT, file } from "./raffle.js";
import { fairdeal, folder } from "./service.js";

const pages = folder();
fairdeal(["web", "export", pages]);
writeFileSync(join(pages, "blank.html"), "");
const { open } = await start(undefined, undefined, {
  url: String(pathToFileURL(pages)),
  close: () => undefined,
});
const RELAY = "https://api.drand.sh/";
const ROUND = `${RELAY}${QUICKNET.hash}/public/${JSON.parse(NUMBER).round}`;

/** An organiser's website with one address, and the file that it serves there. */
const site = { file: "", url: "" };
const server = createServer((_, response) => {
  response.writeHead(200, { "Content-Type": "text/html" });
  response.end(readFileSync(join(pages, site.file)));
});
await new Promise((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(undefined));
});
site.url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
after(() => server.close());

/** Opens a page of the folder at a second of the reader's clock. */
async function at(second, name, { locale = "en-GB", planted = {} } = {}) {
  const opened = await open("/blank.html", { locale });
  // Any file could write this.
  await opened.page.evaluate((all) => {
    for (const [each, value] of Object.entries(all))
      localStorage.setItem(`fairdeal.${each}`, JSON.stringify(value));
  }, planted);
  const asked = [];
  await opened.page.route(`${RELAY}**`, (route) => {
    asked.push(route.request().url());
    const headers = { "access-control-allow-origin": "*" };
    return route.fulfill({ headers, contentType: "application/json", body: NUMBER });
  });
  await opened.page.clock.install({ time: 1000 * second });
  const [file, fragment] = name.split("#");
  await opened.page.goto(`${pathToFileURL(join(pages, file))}${fragment ? `#${fragment}` : ""}`);
  await opened.page.waitForFunction(() => document.documentElement.dataset.stage !== undefined);
  const close = () => {
    const others = opened.complaints.filter(
      (each) => !each.includes(RELAY) && !each.includes(site.url),
    );
    opened.complaints.splice(0, opened.complaints.length, ...others);
    return opened.close();
  };
  return { ...opened, asked, close };
}

/** Opens the form of an organiser, five minutes before the recorded round. */
async function form(from, more) {
  const opened = await at(OUT - 310, `${from}#new`, more);
  await opened.page.waitForSelector("#make");
  // The recorded round was not out at a full minute, as people choose it.
  await opened.page.evaluate((time) => {
    const field = document.querySelector("#at");
    field.step = "1";
    field.value = new Date(time - 60_000 * new Date(time).getTimezoneOffset())
      .toISOString()
      .slice(0, 19);
  }, 1000 * OUT);
  return opened;
}

/** Saves the page of the raffle that a page just made. */
async function save(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-page")]);
  assert.match(download.suggestedFilename(), /^raffle-[0-9a-f]{4}\.html$/);
  await download.saveAs(join(pages, name));
  return readFileSync(join(pages, name), "utf8");
}

const stage = (page, wanted) =>
  page.waitForFunction((each) => document.documentElement.dataset.stage === each, wanted);
const found = (page, words) =>
  page.waitForFunction(
    (each) => document.querySelector("#found").textContent.includes(each),
    words,
  );
const broughtBy = (html) =>
  JSON.parse(/<script type="application\/json" id="raffle">(.*?)<\/script>/s.exec(html)[1]);

test("a page from a folder makes a raffle without any server, and saves its page", async () => {
  const { page, close, asked } = await form("raffle.html");
  assert.equal(await page.locator("#token").count(), 0);
  await picture(page, "raffle-alone-form");
  await page.fill("#name", "Winter");
  // All mistakes are told together.
  await page.fill("#names", "anna");
  await page.fill("#winners", "2");
  await page.fill("#prizes", "a\nb\nc");
  await page.click("#make");
  const mistakes = () => page.locator(".make .wrong p").allTextContents();
  await page.waitForSelector(".make .wrong");
  assert.deepEqual(await mistakes(), [
    "There are 3 prizes, and 2 winners. Each prize needs a winner.",
    "There are more winners than different lines: the list has one.",
  ]);
  // Each prize has a winner, until the organiser says how many there are.
  await page.fill("#winners", "");
  await page.fill("#prizes", "a cake\n\na book\n");
  assert.equal(await page.inputValue("#winners"), "2");
  await page.fill("#winners", "3");
  await page.fill("#prizes", "a cake");
  assert.equal(await page.inputValue("#winners"), "3");
  await page.fill(
    "#names",
    "Members 2023\nanna\nBob\n</script><b>eve</b>\n bob \ncarol\nHans  Berg\nBerg, Hans",
  );
  await page.fill("#winners", "2");
  await page.click("#make");
  // Nothing is promised yet: what may be a mistake is shown first.
  await page.waitForSelector("#doubts");
  const doubts = await page
    .locator("[data-doubt]")
    .evaluateAll((all) => all.map(({ dataset }) => dataset.doubt));
  assert.deepEqual(doubts, ["heading", "alike", "prizes", "soon"]);
  assert.match(await page.textContent(".review"), /8 tickets, all different/);
  assert.deepEqual(await page.locator("[data-doubt=alike] q").allTextContents(), [
    ...["Bob", "bob", "Hans··Berg", "Berg, Hans"],
  ]);
  await picture(page, "raffle-alone-doubts");
  await accessible(page, "the last look");
  await fits(page, "the last look");
  await page.click("#change");
  // As a spreadsheet of Windows saves it: with its own letters and line ends.
  const latin = Buffer.from("anna\r\nbob\r\n</script><b>eve</b>\r\nJ\u00fcrgen\r\n", "latin1");
  await dropFiles(page, [{ name: "names.txt", bytes: latin }]);
  await page.waitForFunction(() => document.querySelector("#names").value.includes("Jürgen"));
  await dropFiles(page, [{ name: "picture.png", bytes: Buffer.from([0x89, 0x50, 0, 1]) }]);
  await page.waitForSelector(".make .wrong");
  assert.match(await page.textContent(".make .wrong"), /no list of names/);
  await page.fill("#name", "ü".repeat(101));
  await page.click("#make");
  await page.waitForFunction(() =>
    /200 bytes/.test(document.querySelector(".make .wrong")?.textContent),
  );
  await page.fill("#name", "Winter");
  await page.click("#make");
  await page.waitForFunction(() => document.querySelectorAll("[data-doubt]").length === 2);
  await page.click("#promise");
  await page.waitForSelector("#save-page");
  await picture(page, "raffle-alone-made");
  await accessible(page, "the page to save");
  await fits(page, "the page to save");
  assert.match(await page.textContent("#raffle-number"), /^([0-9a-f]{4}-){9}[0-9a-f]{4}$/);
  const html = await save(page, "winter.html");
  assert.match(await page.textContent("#saved"), /Saved as raffle-/);
  assert.deepEqual(asked, []);
  assert.ok(!/PRIVATE|"d":/.test(JSON.stringify(broughtBy(html))));
  // The code is that of the page which made it, and so is its policy, but for the relay.
  const own = readFileSync(join(pages, "raffle.html"), "utf8");
  const script = /<script type="module">.*?<\/script>/s;
  assert.ok(script.exec(html)[0] === script.exec(own)[0]);
  const policy = /Content-Security-Policy" content="([^"]*)"/;
  assert.equal(policy.exec(html)[1], policy.exec(own)[1]);
  assert.equal(broughtBy(html).list, "anna\nbob\n</script><b>eve</b>\nJürgen\n");
  await close();
});

test("its page counts down, draws at the hour, and is fair for who had it before", async () => {
  const { page, close, asked } = await at(OUT - 120, "winter.html");
  await stage(page, "before");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  // The number is that of spec/raffle.md, section 38.
  const { entries } = broughtBy(readFileSync(join(pages, "winter.html"), "utf8")).document.receipt;
  const promise = `${entries[0].entry}\n${entries[1].entry}`;
  const digits = createHash("sha256").update(promise).digest("hex").slice(0, 40);
  assert.equal((await page.textContent("#raffle-number")).replaceAll("-", ""), digits);
  // A line that is not written exactly so is offered.
  await page.fill("#find input", "juergen");
  await page.click("#find button");
  await page.click(".alike button");
  await found(page, "is in");
  assert.deepEqual(asked, []);
  // What is saved here is the same page, with the same raffle.
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  await download.saveAs(join(pages, "copy.html"));
  const copy = readFileSync(join(pages, "copy.html"), "utf8");
  const winter = readFileSync(join(pages, "winter.html"), "utf8");
  const apart = (/** @type {string} */ html) =>
    html.split(/<script type="application.*?<\/script>/s);
  assert.deepEqual(broughtBy(copy), broughtBy(winter));
  assert.ok(apart(copy).length === 2 && apart(copy).join() === apart(winter).join());
  assert.match(await page.textContent("#kept-as"), /Saved as raffle-/);
  await page.clock.runFor(126_000);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "fair");
  assert.deepEqual([...new Set(asked)], [ROUND]);
  assert.equal(await page.locator(".ticket").count(), 2);
  await picture(page, "raffle-alone-drawn");
  await close();
});

test("what another file wrote into the browser's storage changes nothing", async () => {
  const { key } = broughtBy(readFileSync(join(pages, "winter.html"), "utf8"));
  const [origin] = key.split("+");
  const policy = `witness w ${new Witness("w").vkey}\nquorum w\n`;
  const other = `${origin}+00000000+${"A".repeat(44)}`;
  for (const planted of [
    { keys: { [origin]: { key, from: "", when: 1, compared: true, policy } } },
    { "keys-differ": { [key]: 1 } },
    { keys: { [origin]: { key: other, from: "", when: 1, compared: true } } },
  ]) {
    const { page, close } = await at(OUT + 3600, "winter.html", { planted });
    await stage(page, "drawn");
    assert.equal(await verdictOf(page), "unproved");
    assert.equal(await page.locator("[data-policy]").count(), 0);
    await close();
  }
  // Only the reader can say that they had its number before.
  const late = await at(OUT + 3600, "winter.html");
  await stage(late.page, "drawn");
  assert.equal(
    await late.page.textContent(".comparing code"),
    await late.page.textContent("#raffle-number"),
  );
  await settled(late.page);
  await picture(late.page, "raffle-alone-late");
  await accessible(late.page, "a late reader");
  await fits(late.page, "a late reader");
  await late.page.click("#other-number");
  await late.page.waitForFunction(() =>
    /not the raffle that was announced/.test(document.querySelector("#headline").textContent),
  );
  await late.page.click("#same-number");
  await late.page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.match(
    await late.page.textContent("#headline"),
    /^\s*Fair, if your message is from before/,
  );
  assert.match(
    await late.page.textContent("[data-step=promise]"),
    /You say that you had its number/,
  );
  await late.close();
  // Or the file.
  const { page, close } = await at(OUT + 3600, "winter.html");
  await page.click("#had-this");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  assert.match(await page.textContent("#headline"), /^\s*Fair, if your copy is from before/);
  await picture(page, "raffle-alone-had");
  await close();
});

test("another language forgets nothing that the page or its reader knows", async () => {
  const { page, close } = await at(OUT - 120, "winter.html");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  await page.clock.runFor(126_000);
  await stage(page, "drawn");
  assert.match(await page.textContent("#headline"), /^\s*Fair: /);
  await page.selectOption("select[name=language]", "de");
  await page.waitForFunction(() => document.documentElement.lang === "de");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  // Another file that was at this path could have said that.
  assert.match(await page.textContent("#headline"), /^\s*Fair, wenn Ihre Kopie von vor/);
  await page.reload();
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "unproved");
  // What the reader said stays too.
  await page.click("#same-number");
  await page.selectOption("select[name=language]", "en");
  await page.waitForFunction(() => document.documentElement.lang === "en");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await close();

  const organiser = await form("winter.html");
  await organiser.page.fill("#names", "anna\nbob");
  await organiser.page.fill("#winners", "2");
  await organiser.page.check("#hashed");
  await organiser.page.selectOption("select[name=language]", "de");
  await organiser.page.waitForFunction(() => document.documentElement.lang === "de");
  await organiser.page.waitForSelector("#make");
  assert.equal(await organiser.page.inputValue("#names"), "anna\nbob");
  assert.equal(await organiser.page.inputValue("#winners"), "2");
  assert.ok(await organiser.page.isChecked("#hashed"));
  await organiser.close();
});

test("a message from before the draw is compared as it is pasted or dropped", async () => {
  const { page, close } = await at(OUT + 3600, "winter.html");
  await stage(page, "drawn");
  const number = await page.textContent("#raffle-number");
  const compare = async (text) => {
    await page.fill("#message", text);
    await page.click(".comparing form button");
    await page.waitForSelector("#told .note");
    return page.textContent("#told");
  };
  assert.match(await compare("the draw is at 7"), /This text has no raffle number/);
  assert.match(await compare(`${number} ${number.replace(/^..../, "0000")}`), /several raffle/);
  const lines = await page
    .locator(".ticket")
    .evaluateAll((all) => all.map(({ dataset }) => dataset.line));
  const late = lines.map((line, i) => `${i + 1}. ${line}: a cake`).join("");
  assert.match(
    await compare(`The winners:${late} Raffle number ${number}.`),
    /names the winners, so it is from after the draw/,
  );
  assert.equal(await verdictOf(page), "unproved");
  assert.match(await compare(number.replace(/^..../, "0000")), /another number: 0000-/);
  assert.match(await page.textContent("#headline"), /not the raffle that was announced/);
  await settled(page);
  await picture(page, "raffle-alone-other-number");
  const message = `Winter raffle. Raffle number ${number}. Only the raffle with this number counts.`;
  // Of two messages with two numbers neither decides, until the reader does.
  assert.match(await compare(message), /All of the number in your message is the same/);
  assert.match(await page.textContent("#headline"), /not the raffle that was announced/);
  await page.click("#same-number");
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await page.reload();
  await stage(page, "drawn");
  await settled(page);
  await picture(page, "raffle-alone-compare");
  await accessible(page, "a message to compare");
  await fits(page, "a message to compare");
  await dropFiles(page, [file("message.txt", message.replaceAll("-", "\u2011"))]);
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await close();
});

test("a page keeps the key that it brings, whatever key another file has", async () => {
  const winter = readFileSync(join(pages, "winter.html"), "utf8");
  const { key } = broughtBy(winter);
  const other = key.replace(/[A-Za-z0-9+/]{6}(=*)$/, "AAAAAA$1");
  const { page, close } = await at(OUT - 120, "winter.html");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  await dropFiles(page, [file("raffle.html", winter.replace(key, other))]);
  await page.clock.runFor(126_000);
  await stage(page, "drawn");
  assert.equal(await verdictOf(page), "fair");
  await close();
});

test("the command gives the same verdict on it", () => {
  const winter = join(pages, "winter.html");
  const { key } = broughtBy(readFileSync(winter, "utf8"));
  const number = join(pages, "round.json");
  writeFileSync(number, NUMBER);
  // The page has the document and the list.
  const args = [
    "raffle",
    "verify",
    winter,
    "--list",
    winter,
    "--key",
    key,
    "--beacon",
    number,
    "--json",
  ];
  const { state, drawn, findings } = JSON.parse(fairdeal(args));
  assert.deepEqual([state, drawn.length, findings], ["unproved", 2, []]);
  // The page itself is what its reader saved.
  const kept = JSON.parse(fairdeal([...args, "--mine", winter]));
  assert.equal(kept.state, "fair");
  assert.deepEqual(kept.drawn, drawn);
  // A page with two raffles could show its reader one and give the command the other.
  const two = readFileSync(winter, "utf8").replace(
    '<script type="application/json"',
    '<!--<script type="application/json" id="raffle">{}</script>-->$&',
  );
  writeFileSync(join(pages, "two.html"), two);
  fairdeal([...args, "--mine", join(pages, "two.html")], { codes: [2] });
});

test("a raffle's page makes another raffle, with hashed lines and codes for its entrants", async () => {
  const { page, close } = await form("winter.html", { locale: "de-DE" });
  await page.fill("#names", "Anna@example.org\nbob\ncarol\nanna@example.org ");
  await page.check("#hashed");
  await page.click("#make");
  await page.waitForSelector("#promise");
  assert.match(await page.textContent(".review"), /4 Lose, 3 verschiedene/);
  await page.click("#promise");
  await page.waitForSelector("#save-page");
  const [code] = await page.locator(".links code").allTextContents();
  assert.match(code, /^#salt=[0-9a-f]{32}&address=anna%40example\.org$/);
  await page.fill("#page", "https://club.example/raffle.html");
  await page.press("#page", "Tab");
  assert.equal(
    await page.locator(".links code").first().textContent(),
    `https://club.example/raffle.html${code}`,
  );
  const html = await save(page, "hashed.html");
  assert.ok(!/anna|carol/.test(JSON.stringify(broughtBy(html))));
  assert.equal(broughtBy(html).document.rules.title, undefined);
  await close();

  const reader = await at(OUT - 60, "hashed.html");
  await stage(reader.page, "before");
  await reader.page.fill("#find input", code);
  await reader.page.click("#find button");
  await found(reader.page, "2 of 4 tickets");
  // The link of another raffle does not say that its entrant is missing.
  await reader.page.fill("#find input", code.replace(/salt=.{4}/, "salt=0000"));
  await reader.page.click("#find button");
  await found(reader.page, "link of another raffle");
  await reader.close();
});

test("another raffle at the address of the first is not passed over in silence", async () => {
  site.file = "winter.html";
  const { page, close } = await at(OUT - 120, "raffle.html");
  await page.goto(`${site.url}/raffle.html`);
  await stage(page, "before");
  await page.waitForFunction(() => document.querySelector(".step.shown") !== null);
  assert.equal(await page.locator("#other-here").count(), 0);
  // The organiser did not like the winners.
  site.file = "hashed.html";
  await page.clock.fastForward(3_600_000);
  await page.reload();
  await stage(page, "drawn");
  await page.waitForFunction(() =>
    /This address had another raffle before/.test(document.querySelector("#headline").textContent),
  );
  assert.equal(await verdictOf(page), "unproved");
  // The first one is as it was.
  site.file = "winter.html";
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.verdict === "fair");
  await close();
});
