import assert from "node:assert/strict";
import { test } from "node:test";

import {
  base64OrNull,
  compare,
  compareText,
  concat,
  equal,
  fromHex,
  hexOrNull,
  isHex,
  textOrNull,
  toBase64,
  toHex,
  u64,
  utf8,
  utf8Length,
} from "../fairdeal/bytes.js";

const bytes = (length) => Uint8Array.from({ length }, (_, i) => (i * 91 + length) & 0xff);

test("hexadecimal and base64 are node's, for every length from 0 to 300", () => {
  for (let length = 0; length <= 300; length++) {
    const some = bytes(length);
    assert.equal(toHex(some), Buffer.from(some).toString("hex"));
    assert.deepEqual(fromHex(toHex(some)), some);
    assert.equal(toBase64(some), Buffer.from(some).toString("base64"));
    assert.deepEqual(base64OrNull(toBase64(some)), some);
  }
});

test("hexadecimal in upper case, of an odd length or of other characters is refused", () => {
  for (const text of ["0", "AB", "0g", "0x", " 0", "é0"]) {
    assert.equal(hexOrNull(text), null);
    assert.throws(() => fromHex(text), { name: "Refused", code: "hex" });
  }
  assert.ok(isHex("00ff", 2));
  assert.ok(!isHex("00ff", 1) && !isHex("00fF", 2) && !isHex(255, 1));
});

test("base64 without padding, with white space or with bits that mean nothing is refused", () => {
  for (const text of [
    "QQ",
    "QQ=",
    "QR==",
    "QUJ=",
    "QQ==\n",
    " QQ=",
    "Q===",
    "====",
    "QQ==QQ==",
    "Q-_=",
    "QéA=",
  ]) {
    assert.equal(base64OrNull(text), null, text);
  }
});

test("texts are compared by the bytes of their UTF-8", () => {
  const texts = [
    "",
    "a",
    "ab",
    "b",
    "\u007f",
    "\u0080",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "\u{10ffff}",
    "a\u{10000}",
    "a\uffff",
  ];
  for (const a of texts) {
    assert.equal(utf8Length(a), utf8(a).length);
    for (const b of texts) {
      assert.equal(
        Math.sign(compareText(a, b)),
        Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))),
        `${a} ${b}`,
      );
      assert.equal(Math.sign(compare(utf8(a), utf8(b))), Math.sign(compareText(a, b)));
    }
  }
});

test("bytes that are not UTF-8 are no text, and a byte order mark is part of the text", () => {
  assert.equal(textOrNull(Uint8Array.of(0xff)), null);
  assert.equal(textOrNull(Uint8Array.of(0xed, 0xa0, 0x80)), null);
  assert.equal(textOrNull(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)), "\ufeffA");
});

test("arrays are joined and compared, and integers are big-endian", () => {
  assert.deepEqual(concat(Uint8Array.of(1), [2, 3], Uint8Array.of()), Uint8Array.of(1, 2, 3));
  assert.ok(equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2)));
  assert.ok(!equal(Uint8Array.of(1, 2), Uint8Array.of(1)));
  assert.deepEqual(u64(2 ** 53 - 1), [0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
});
