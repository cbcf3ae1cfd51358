// <fairdeal-seat> with a wrong or missing key on its page, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sentenceOf } from "../fairdeal/badge-words.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { text } from "../fixtures.js";
import { ModelLog } from "./model-log.js";

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
