import assert from "node:assert/strict";
import { test } from "node:test";

import { auditExport, verifyReceipt } from "../fairdeal/index.js";
import { bytes, text, vectors } from "../fixtures.js";

/** A small generator with a seed, so that a failure is repeatable. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Whether the input holds. A refusal is correct; any other error is a fault. */
async function holds(run) {
  try {
    return (await run()).holds;
  } catch (error) {
    if (error?.name !== "Refused") throw error;
    assert.ok(error.code.length > 0 && error.message.length > 10);
    return false;
  }
}

const key = text("receipts", "log.key").trim();
const flipped = (file, at, bit) => file.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte));

for (const name of ["round.json", "opening.json"]) {
  const file = bytes("receipts", name);

  test(`${name} with one bit flipped, in any byte, does not hold and is not an accident`, async () => {
    assert.ok(await holds(() => verifyReceipt(file, { key })));
    for (let at = 0; at < file.length; at++) {
      const changed = flipped(file, at, at % 8);
      assert.equal(
        await holds(() => verifyReceipt(changed, { key })),
        false,
        `byte ${at}, bit ${at % 8}`,
      );
    }
  });

  test(`${name} cut short anywhere cannot be read`, async () => {
    const end = new TextDecoder().decode(file).trimEnd().length;
    for (let length = 0; length < end; length += 1 + (length % 3)) {
      await assert.rejects(verifyReceipt(file.subarray(0, length), { key }), {
        name: "Refused",
        code: "unavailable",
      });
    }
  });
}

test("receipts with values in the place of others do not hold, or the change meant nothing, and nothing is an accident", async () => {
  const values = [
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    "",
    "a",
    "\ud800",
    [],
    {},
    [[]],
    { format: 1 },
    "AAAA",
    "00".repeat(32),
  ];
  const next = generator(7);
  for (const name of ["round.json", "opening.json"]) {
    for (let round = 0; round < 400; round++) {
      const receipt = JSON.parse(text("receipts", name));
      let at = receipt;
      for (let depth = next(5); depth > 0; depth--) {
        const names = Object.keys(at);
        const inner = at[names[next(names.length)]];
        if (typeof inner !== "object" || inner === null) break;
        at = inner;
      }
      const names = Object.keys(at);
      const member = names[next(names.length)];
      const before = JSON.stringify(receipt);
      if (next(4) === 0) delete at[member];
      else at[member] = values[next(values.length)];
      if (JSON.stringify(receipt) === before) continue;
      assert.equal(
        await holds(() => verifyReceipt(JSON.stringify(receipt), { key })),
        false,
        `${name}: ${member}`,
      );
    }
  }
});

test("an exported log with one bit flipped, or cut short, does not hold and is not an accident", async () => {
  const [{ export: base64, key: vkey }] = vectors("exports.json");
  const file = new Uint8Array(Buffer.from(base64, "base64"));
  assert.ok(await holds(() => auditExport(file, { key: vkey })));
  for (let at = 0; at < file.length; at++) {
    const changed = flipped(file, at, (at * 5) % 8);
    assert.equal(await holds(() => auditExport(changed, { key: vkey })), false, `byte ${at}`);
    assert.equal(
      await holds(() => auditExport(file.subarray(0, at), { key: vkey })),
      false,
      `${at} bytes`,
    );
  }
});

test("random bytes and random JSON are refused", async () => {
  const next = generator(11);
  const tokens = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "1",
    "-",
    "e",
    "null",
    "tru",
    " ",
    "\\u",
    "\u00e9",
  ];
  for (let round = 0; round < 2000; round++) {
    const length = next(40);
    const junk =
      round % 2 === 0
        ? Uint8Array.from({ length }, () => next(256))
        : Array.from({ length }, () => tokens[next(tokens.length)]).join("");
    assert.equal(await holds(() => verifyReceipt(junk, { key })), false);
  }
});
