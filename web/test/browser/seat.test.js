// What <fairdeal-seat> tells when the browser's database is not what it expects.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contribution, toGive } from "../../fairdeal/index.js";
import { ModelLog, ModelTable } from "../model-log.js";
import { start } from "./harness.js";

const log = await ModelLog.make("seat.example/log");
log.now = Date.now();
const key = log.signing.vkey;
const HEAD = "<!doctype html><meta charset=utf-8><title>seat</title><link rel=icon href=data:,>";
const PAGES = {
  "/blank.html": HEAD,
  "/seat.html": `${HEAD}<script type=module src="/fairdeal/elements.js"></script><fairdeal-seat key="${key}" from="alice"></fairdeal-seat>`,
};
const { open } = await start((name) => PAGES[name] ?? null);

const call = (page, name, input) =>
  page.evaluate(
    ([name, input]) => document.querySelector("fairdeal-seat")[name](input),
    [name, input],
  );
const told = (page) =>
  page.evaluate(() => {
    const { state, root } = document.querySelector("fairdeal-seat");
    const codes = state.claims.map(({ code }) => code);
    return { state: state.state, codes, badge: root.querySelector("p").textContent };
  });

/** Brings a hash, and gets its lock, at a new table. */
async function play(page, between = async () => {}) {
  const table = new ModelTable(log, `t${log.size}`);
  const promise = await table.commit();
  const { commitment } = table;
  const given = await call(page, "contribute", { commitment, nonce: 0, promise });
  const bob = await contribution({ from: "bob", commitment, nonce: 0, key });
  const lock = await table.lock([given, toGive(bob)]);
  await between();
  return call(page, "receive", lock);
}

/** Another page of the same browser. */
async function beside(page, path) {
  const other = await page.context().newPage();
  await other.goto(new URL(path, page.url()).href);
  return other;
}

const FORGETS = {
  "without the store": () =>
    new Promise((resolve) => {
      const request = indexedDB.open("fairdeal", 1);
      request.onupgradeneeded = () => void request.result.createObjectStore("another");
      request.onsuccess = () => resolve(request.result.close());
    }),
  "of a newer version": () =>
    new Promise((resolve) => {
      const request = indexedDB.open("fairdeal", 9);
      request.onsuccess = () => resolve(request.result.close());
    }),
  "that another tab holds back": () =>
    new Promise((resolve) => {
      const request = indexedDB.open("fairdeal", 1);
      request.onsuccess = () => {
        indexedDB.deleteDatabase("fairdeal").onblocked = resolve;
      };
    }),
};
for (const [how, prepare] of Object.entries(FORGETS)) {
  test(`a database ${how}: the seat plays on, and says that it will forget`, async () => {
    const { page, close } = await open("/blank.html");
    await page.evaluate(prepare);
    const seat = await beside(page, "/seat.html");
    assert.notEqual(await play(seat), null);
    const { state, codes, badge } = await told(seat);
    assert.deepEqual([state, codes], ["unsure", ["storage"]]);
    assert.match(badge, /storage/);
    await close();
  });
}

test("a seat holds back no other tab that deletes the database, and says what was lost", async () => {
  const { page, close } = await open("/seat.html");
  assert.notEqual(await play(page), null);
  assert.deepEqual(await told(page).then(({ codes }) => codes), []);
  const other = await beside(page, "/blank.html");
  await other.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase("fairdeal");
        request.onsuccess = resolve;
        request.onerror = reject;
      }),
  );
  const seat = await beside(page, "/seat.html");
  assert.notEqual(await play(seat), null);
  assert.deepEqual(await told(seat).then(({ codes }) => codes), []);
  assert.notEqual(await play(page), null);
  assert.deepEqual(await told(page).then(({ codes }) => codes), ["storage"]);
  await close();
});

test("after the site's data was cleared an open seat takes messages, opens nothing of before, and says it", async () => {
  const { page, close } = await open("/seat.html");
  const reply = await play(page, async () => {
    const session = await page.context().newCDPSession(page);
    const origin = new URL(page.url()).origin;
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  });
  assert.equal(reply, null);
  const { state, codes } = await told(page);
  assert.deepEqual([state, codes], ["unsure", ["not-yours", "storage"]]);
  assert.notEqual(await play(page), null);
  await close();
});

test("a database that the browser closes before it says so is opened again", async () => {
  const { page, close } = await open("/seat.html");
  const closes = () =>
    page.evaluate(() => {
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function () {
        IDBDatabase.prototype.transaction = transaction;
        setTimeout(() => this.onclose(new Event("close")), 20);
        throw new DOMException("The database connection is closing.", "InvalidStateError");
      };
    });
  assert.notEqual(await play(page, closes), null);
  assert.deepEqual(await told(page).then(({ codes }) => codes), ["storage"]);
  await close();
});
