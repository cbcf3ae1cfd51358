import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";

import { HmacKey, Sha256, hmacSha256, sha256 } from "../fairdeal/sha256.js";
import { toHex } from "../fairdeal/bytes.js";

// Not random: a failure must be repeatable.
const message = (length, salt = 0) =>
  Uint8Array.from({ length }, (_, i) => (i * 167 + length * 31 + salt) & 0xff);
const theirs = (bytes) => createHash("sha256").update(bytes).digest("hex");

test("SHA-256 is node's, for every length from 0 to 300", () => {
  for (let length = 0; length <= 300; length++) {
    assert.equal(toHex(sha256(message(length))), theirs(message(length)), `length ${length}`);
  }
});

test("SHA-256 is node's for a megabyte and one", () => {
  assert.equal(toHex(sha256(message(1_000_001))), theirs(message(1_000_001)));
});

test("SHA-256 of a message in pieces is that of the whole, wherever it is cut", () => {
  const whole = message(200);
  for (let cut = 0; cut <= 200; cut++) {
    const hash = new Sha256().update(whole.subarray(0, cut));
    assert.equal(toHex(hash.digest()), theirs(whole.subarray(0, cut)), `up to ${cut}`);
    assert.equal(toHex(hash.update(whole.subarray(cut)).digest()), theirs(whole), `cut at ${cut}`);
  }
});

test("HMAC-SHA256 is node's, for every length of the key and of the message from 0 to 300", () => {
  for (let length = 0; length <= 300; length++) {
    const [key, text] = [message(length, 7), message(300 - length)];
    const expected = createHmac("sha256", key).update(text).digest("hex");
    assert.equal(toHex(hmacSha256(key, text)), expected, `key of ${length}`);
    const second = createHmac("sha256", key).update(message(length)).digest("hex");
    const schedule = new HmacKey(key);
    schedule.sign(text);
    assert.equal(toHex(schedule.sign(message(length))), second, `message of ${length}`);
  }
});
