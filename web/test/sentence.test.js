// The first thing that a page says of a receipt.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { STATES, sentenceOf } from "../fairdeal/badge-words.js";
import { CODES, accusedOf } from "../fairdeal/findings.js";
import { verifyReceipt, verifyReceipts } from "../fairdeal/index.js";
import { IDLE } from "../fairdeal/seat.js";
import { strings as de } from "../strings/de.js";
import { strings as en } from "../strings/en.js";
import { raffle } from "../strings/en-raffle.js";
import { accusation, headlineOf, headlineOfAll } from "../ui/sentence.js";
import { addWords } from "../ui/strings.js";
import { dossierOf } from "../workers/dossier.js";
import { readFile } from "../fairdeal/receipt.js";
import { text, vectors } from "../fixtures.js";

addWords({ en, de });
const spec = readFileSync(new URL("../../spec/receipt.md", import.meta.url), "utf8");

test("the words of each state are those of the specification, on pages and on the badge", () => {
  for (const state of ["fair", "unproved"]) {
    const words = new RegExp(`\\| \`"${state}"\` \\|.*\\| (.*) \\|`).exec(spec)[1];
    assert.equal(STATES.en[state], words);
    assert.equal(en[`state.${state}`], words);
    assert.equal(de[`state.${state}`], STATES.de[state]);
    assert.equal(sentenceOf({ ...IDLE, state }, "en"), words);
  }
  const findings = [{ code: "out-of-turn" }];
  assert.match(sentenceOf({ ...IDLE, state: "caught", findings }, "en"), /^Caught: The dealer /);
  assert.match(sentenceOf({ ...IDLE, state: "caught", findings }, "de-AT"), /^Ertappt: Der Geber /);
});

test("the words of each state of a raffle are those of the specification", () => {
  const raffles = readFileSync(new URL("../../spec/raffle.md", import.meta.url), "utf8");
  for (const state of ["fair", "unproved"]) {
    const words = new RegExp(`\\| \`"${state}"\` \\|.*\\| (.*) \\|`).exec(raffles)[1];
    assert.equal(STATES.en[`${state}-raffle`], words);
    assert.ok(STATES.de[`${state}-raffle`] !== undefined);
  }
  const only = /\*\*(this shows that [^.]*\.)\*\*/.exec(raffles)[1].replaceAll(/\*/g, "");
  assert.equal(raffle["raffle.not-only"].toLowerCase(), only.replaceAll(/\s+/g, " "));
});

test("every receipt begins with its state, or with one sentence that says what is missing", async () => {
  const seen = new Set();
  for (const vector of vectors("receipts.json").filter(({ exit }) => exit < 2)) {
    const { file, key, mine, players, seat } = vector;
    const verdict = await verifyReceipt(file, { key, mine, players, seat: seat ?? undefined });
    const facts = dossierOf(readFile(file), key);
    const { state, sentence, detail } = headlineOf({ file: "x", ...verdict }, facts, mine ?? []);
    assert.equal(state, verdict.state ?? "none", vector.name);
    seen.add(state);
    const isLate = verdict.findings.some(({ code }) => code === "late-reveal");
    if (state === "caught" && isLate && verdict.shown.includes("replayed")) {
      assert.match(sentence, /^The cards follow from the seeds, but the secret came \d+ \w+ late$/);
      seen.add("late");
    } else if (state === "caught") assert.match(sentence, /^Caught: [a-z0-9].*[^.]$/, vector.name);
    else if (state !== "none") assert.equal(sentence, STATES.en[state], vector.name);
    else assert.match(sentence, /^[A-Z].*\.$/, vector.name);
    // A file that accuses only its writer, or nobody, says so at once.
    if (state === "none" && verdict.findings.length > 0)
      assert.match(detail, /not the operator|accuses nobody/, vector.name);
  }
  // One file is never fair: that takes the kept lock.
  assert.deepEqual([...seen].sort(), ["caught", "late", "none", "unproved"]);
});

test("several files begin with their common state", async () => {
  const key = text("receipts", "log.key").trim();
  const round = text("receipts", "round.json");
  for (const [files, state] of [
    [[round, round], "unproved"],
    [[round, '{"a":1}'], "none"],
    [[round, "{"], "none"],
  ]) {
    const verdicts = await verifyReceipts(files, { key });
    const found = headlineOfAll(verdicts, [null, null], []);
    assert.equal(found.state, state);
    assert.equal(verdicts.state ?? "none", state);
  }
});

test("every finding says whom it accuses", () => {
  for (const code of CODES) {
    const signed = accusation({ code, accuses: accusedOf(code, true) });
    const writer = ["invalid-receipt", "tree-mismatch", "opening-mismatch", "placed-mismatch"];
    const nobody = ["bad-signature", "rolled-back"];
    if (writer.includes(code)) assert.match(signed, /^This accuses only whoever wrote/);
    else if (nobody.includes(code)) assert.match(signed, /^This accuses nobody/);
    else assert.match(signed, /^This accuses the operator/, code);
    const unsigned = accusation({ code, accuses: accusedOf(code, false) });
    assert.doesNotMatch(unsigned, /accuses the operator/, code);
  }
});
