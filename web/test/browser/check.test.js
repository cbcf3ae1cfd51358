import assert from "node:assert/strict";
import { test } from "node:test";

import { dialects } from "../../fairdeal/index.js";
import { json, text } from "../../fixtures.js";
import { dropFiles, isLong, picture, start, verdictOf } from "./harness.js";
import { accessible, fits, longTasks, noLag, pressable, watchTasks } from "./checks.js";

const { open } = await start();
const NAMES = dialects().map(({ name }) => name);
/** Their examples have no promise: nothing shows that the seed was fixed before the round. */
const isUnpromised = (name) => name.startsWith("stake-");
const file = (name) => `${name.replace("/", "-")}.json`;

/** The page, with a scheme chosen. */
const openAt = (dialect, options) =>
  open(`/check.html#dialect=${encodeURIComponent(dialect)}`, options);

/** The number on each button of the verdicts. */
const counts = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".counts button")].map((button) => [
        button.dataset.only,
        Number(button.querySelector("strong").textContent.replaceAll(",", "")),
      ]),
    ),
  );

/** Verdicts of the rows of the fixtures. */
const stated = ({ valid, reason }) =>
  valid ? "valid" : reason === "cards_mismatch" ? "result-mismatch" : reason.replace("_", "-");

async function drop(page, name, bytes) {
  await page.waitForSelector(".ways form");
  await dropFiles(page, [{ name, bytes: Buffer.from(bytes) }]);
  return verdictOf(page);
}

for (const name of NAMES) {
  test(`${name}: the rows of the fixtures are counted as they are stated`, async () => {
    const { page, close } = await openAt(name);
    const rows = json("dialects", file(name)).rows.map(stated);
    const expected = { all: rows.length };
    for (const verdict of rows) expected[verdict] = (expected[verdict] ?? 0) + 1;
    const verdict = await drop(page, file(name), text("dialects", file(name)));
    assert.deepEqual(await counts(page), expected);
    assert.equal(verdict, expected.valid === rows.length ? "holds" : "fails");
    assert.equal(
      await page.locator(".shell code").last().textContent(),
      `fairdeal check ${name} --file ${file(name)}`,
    );
    await picture(page, `check-file-${name.replace("/", "-")}`);
    await close();
  });

  test(`${name}: its example follows from its seeds when it is typed`, async () => {
    const { page, close } = await openAt(name);
    await page.click("[data-fill]");
    await page.click(".ways form button.first");
    assert.equal(await verdictOf(page), isUnpromised(name) ? "unproved" : "holds");
    await picture(page, `check-round-${name.replace("/", "-")}`);
    await close();
  });
}

test("files of every form are judged as the fixtures say", async () => {
  const { page, close } = await openAt("stake-video-poker");
  const letters = { v: "valid", c: "commitment-mismatch", r: "result-mismatch", u: "unreadable" };
  for (const { what, text: content, verdicts } of json("dialects", "changes.json").files) {
    // A text with lone surrogates is not a file.
    const verdict = await drop(page, "rows.csv", content);
    if (verdicts === null || verdicts === "") {
      assert.equal(verdict, "unreadable", what);
      continue;
    }
    const expected = { all: verdicts.length };
    for (const letter of verdicts) expected[letters[letter]] = (expected[letters[letter]] ?? 0) + 1;
    assert.deepEqual(await counts(page), expected, what);
    await page.evaluate(() => {
      document.documentElement.dataset.verdict = "pending";
    });
  }
  await close();
});

test("a row with the seed of its neighbour is named so", async () => {
  const { page, close } = await openAt("duel-video-poker");
  await drop(page, "rows.json", text("dialects", "duel-video-poker.json"));
  const named = await page.locator(".confusions").textContent();
  assert.match(named, /the server seed is the previous one of the file/);
  assert.match(named, /the row's cards have another order/);
  await page.locator(".confusions .row-links button").first().click();
  await page.waitForSelector('.check-rows [aria-selected="true"]');
  await close();
});

test("what a scheme cannot show stands as large as what it shows", async () => {
  const { page, close } = await openAt("stake-video-poker");
  await page.waitForSelector(".limits .missing .statement");
  const [shown, missing] = await page.evaluate(() =>
    [".limits .shown h2", ".limits .missing h2"].map((each) => {
      const { fontSize, fontWeight } = getComputedStyle(document.querySelector(each));
      return [
        fontSize,
        fontWeight,
        document.querySelector(each).closest(".panel").getBoundingClientRect().width,
      ];
    }),
  );
  assert.deepEqual(shown, missing);
  await close();
});

test(
  "100,000 rounds are listed without lag",
  { skip: !isLong && "./check --long runs it" },
  async () => {
    const { page, close } = await openAt("stake-crash");
    const [row] = json("dialects", "stake-crash.json").rows;
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `${row.server_seed},${row.client_seed},${i % 1000 === 7 ? "9.99" : row.result}`,
    );
    const bytes = Buffer.from(`server_seed,client_seed,result\n${lines.join("\n")}\n`);
    await page.waitForSelector(".ways form");
    await page.evaluate((content) => {
      globalThis.given = new File([content], "rows.csv");
    }, bytes.toString());
    await watchTasks(page);
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(globalThis.given);
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForFunction(() => document.documentElement.dataset.verdict !== "pending", null, {
      timeout: 120_000,
    });
    const took = await page.evaluate(() => Number(document.documentElement.dataset.took));
    assert.deepEqual(await counts(page), { all: 100_000, valid: 99_900, "result-mismatch": 100 });
    const frames = await page.evaluate(async () => {
      const box = document.querySelector(".check-rows");
      const rest = box.scrollHeight - box.clientHeight;
      let longest = 0;
      let most = 0;
      let last = performance.now();
      for (let i = 0; i <= 120; i++) {
        box.scrollTop = (rest * i) / 120;
        await new Promise(requestAnimationFrame);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        most = Math.max(most, box.querySelectorAll(".window-row").length);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { longest, most, last: box.querySelector(".window-row:last-child span").textContent };
    });
    const tasks = await longTasks(page);
    const longest = Math.max(0, ...tasks.map(({ duration }) => duration));
    console.log(
      `100,000 rounds: checked in ${took} ms, longest task ${longest.toFixed(0)} ms of ${tasks.length} over 50, longest frame ${frames.longest.toFixed(0)} ms, most rows in the document ${frames.most}`,
    );
    assert.equal(frames.last, "99,999");
    assert.ok(frames.most < 60, `${frames.most} rows in the document`);
    await noLag(page, tasks);
    await page.click('[data-only="result-mismatch"]');
    await page.waitForFunction(
      () => document.querySelector(".check-rows .window-row span")?.textContent === "7",
    );
    await page.focus(".check-rows");
    await page.keyboard.press("End");
    await page.waitForFunction(
      () =>
        document.querySelector('.check-rows [aria-selected="true"] span')?.textContent === "99,007",
    );
    await picture(page, "check-100000");
    await close();
  },
);

test("text of a file is shown, and not run", async () => {
  const { page, close } = await openAt("stake-crash");
  const evil = '<img src=x onerror="alert(1)">\u202e';
  await drop(
    page,
    `${evil}.json`,
    JSON.stringify([
      { server_seed: evil, client_seed: evil, result: evil },
      { server_seed: evil, client_seed: evil, result: "1.00", [evil]: 1 },
    ]),
  );
  assert.equal(await page.locator("main img").count(), 0);
  assert.match(await page.locator("main").textContent(), /<img src=x onerror/);
  assert.doesNotMatch(await page.locator("main").textContent(), /\u202e/);
  await close();
});

test("the page holds to the rules of access, in every width, and in German", async () => {
  const { page, close } = await openAt("stake-video-poker");
  await page.waitForSelector(".limits .missing .statement");
  await accessible(page, "the empty page");
  await pressable(page, "the empty page");
  await drop(page, "rows.json", text("dialects", "duel-video-poker.json"));
  await accessible(page, "unreadable rows");
  await page.goto(page.url().split("#")[0] + "#dialect=duel-crash");
  await drop(page, "rows.json", text("dialects", "duel-crash.json"));
  await accessible(page, "a file");
  await pressable(page, "a file");
  await fits(page, "a file");
  await close();
  const german = await openAt("stake-crash", { locale: "de-DE" });
  await german.page.click("[data-fill]");
  await german.page.click(".ways form button.first");
  await verdictOf(german.page);
  await fits(german.page, "in German");
  await picture(german.page, "check-de");
  await german.close();
});

test("a round can be checked with the keyboard alone", async () => {
  const { page, close } = await openAt("duel-plinko");
  const form = await page.waitForSelector(".ways form");
  await page.focus("input[name=dialect]:checked");
  await page.keyboard.press("ArrowRight");
  // The address changes first; what is typed before the form is replaced would be lost.
  await page.waitForFunction(
    (old) => location.hash.includes("duel-video-poker") && !old.isConnected,
    form,
  );
  await page.focus("input[name=server_seed]");
  await page.keyboard.type("2424d436197860c90bad4022573f14eab6c9da3dcc2d50e57ad7d52357f0fdc9");
  await page.focus("input[name=client_seed]");
  await page.keyboard.type("cpc4ihmPtvpHpapv");
  await page.focus("input[name=nonce]");
  await page.keyboard.type("33");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".cards svg");
  assert.equal(
    await page.locator(".panel .cards").first().locator("svg").first().getAttribute("aria-label"),
    "4 of spades",
  );
  assert.match(
    await page.locator(".shell code").first().textContent(),
    /^fairdeal check duel-video-poker --server-seed 2424d436/,
  );
  await close();
});
