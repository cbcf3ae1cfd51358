// <fairdeal-seat> with a wrong or missing key on its page, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sentenceOf } from "../fairdeal/badge-words.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { text } from "../fixtures.js";
import { ModelLog } from "./model-log.js";
import { Witness, policyOf } from "./witnesses.js";

globalThis.HTMLElement = class {
  attachShadow() {
    return {};
  }
  getAttribute(name) {
    return this[`given-${name}`] ?? null;
  }
};
globalThis.CSSStyleSheet = class {
  replaceSync() {}
};
const { FairdealSeat } = await import("../fairdeal/elements.js");

/** The badge's text after a call. */
async function said(key, storage = memoryStorage()) {
  const seat = new FairdealSeat();
  Object.assign(seat, { "given-key": key, "given-from": "alice", storage });
  let state;
  seat.draw = (drawn) => {
    state = drawn;
  };
  await seat.seat().catch(() => undefined);
  return ["en", "de"].map((language) => sentenceOf(state, language));
}

test("without a valid key the badge says so, and not that another key is kept", async () => {
  for (const key of [undefined, "", "x", `${text("receipts", "log.key").trim()}x`]) {
    const [en, de] = await said(key);
    assert.equal(en, "This page names no valid key for the log.");
    assert.equal(de, "Diese Seite nennt keinen gültigen Schlüssel für das Log.");
  }
  const storage = memoryStorage();
  const [first, second] = [
    await ModelLog.make("a.example/log"),
    await ModelLog.make("a.example/log"),
  ];
  assert.deepEqual((await said(first.signing.vkey, storage))[0], "No round yet.");
  assert.match(
    (await said(second.signing.vkey, storage))[0],
    /than the one that this browser keeps/,
  );
});

test("the element gives its policy to its seat, and the badge says what is wrong with it, or waited for", async () => {
  const log = await ModelLog.make("a.example/log");
  const own = new Witness("w");
  const made = (policy) => {
    const seat = new FairdealSeat();
    const given = { "given-key": log.signing.vkey, "given-from": "alice", policy, coverWait: 7 };
    Object.assign(seat, { ...given, storage: memoryStorage() });
    seat.draw = (state) => (seat.drawn = sentenceOf(state, "en"));
    return seat;
  };
  const policy = policyOf([own], "quorum w");
  const { policy: known, coverWait } = await made(policy).seat();
  assert.deepEqual([known, coverWait], [policy, 7]);
  const wrong = made(policyOf([own], "quorum none"));
  await assert.rejects(wrong.seat(), { code: "policy" });
  assert.equal(wrong.drawn, "The policy of witnesses that you chose is not for this log.");
  for (const code of ["uncovered", "opened-uncovered"])
    for (const language of ["en", "de"])
      assert.match(
        sentenceOf({ state: "unsure", claims: [{ code, says: "" }] }, language),
        /witnesses|Zeugen/,
      );
});
