import assert from "node:assert/strict";
import { test } from "node:test";

import { base64OrNull, fromHex } from "../fairdeal/bytes.js";
import { contributionHash, signedMessage } from "../fairdeal/contribution.js";
import { verify } from "../fairdeal/ed25519.js";
import { contribution, toGive, toOpen } from "../fairdeal/index.js";
import { readKey } from "../fairdeal/key.js";
import { readKept } from "../fairdeal/mine.js";
import { verifySeen } from "../fairdeal/signatures.js";
import { text, vectorNamed } from "../fixtures.js";

const commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const note = text("logs", "honest-example", "checkpoint");
const key = text("logs", "honest-example", "key").trim();
// RFC 8032, section 7.1, test 1.
const secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const publicKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

test("a contribution without a round is a label and 32 random bytes", async () => {
  const one = await contribution({ from: "alice" });
  const other = await contribution({ from: "alice" });
  assert.deepEqual(Object.keys(one), ["from", "seed"]);
  assert.match(one.seed, /^[0-9a-f]{64}$/);
  assert.notEqual(one.seed, other.seed);
});

test("a hash is that of the vectors, and hides seed and blind until it is opened", async () => {
  const {
    key: log,
    mine: [{ hash, blind, seed, from }],
  } = vectorNamed("receipts.json", "the reader's own hash among others");
  const kept = await contribution({ from, seed, commitment, nonce: 0, blind, key: log });
  assert.equal(kept.hash, hash);
  assert.deepEqual([kept.log, kept.given], [log, true]);
  assert.deepEqual(toGive(kept), { commitment, from, hash, log, nonce: 0 });
  assert.deepEqual(toOpen(kept), { blind, from, seed });
});

test("what was seen is signed by the log, mixed into the hash, and given to the dealer", async () => {
  const kept = await contribution({ from: "alice", commitment, nonce: 2, seen: note, key });
  assert.equal(kept.seen.size, 3);
  assert.equal(await verifySeen(readKey(key), kept.seen), true);
  assert.equal(contributionHash(readKey(key), commitment, 2, kept, kept.blind), kept.hash);
  assert.notEqual(
    contributionHash(readKey(key), commitment, 2, { ...kept, seen: undefined }, kept.blind),
    kept.hash,
  );
});

test("a kept file whose `seen` the log did not sign is not a contribution, in the clear too", async () => {
  for (const clear of [true, false]) {
    const kept = await contribution({
      from: "alice",
      commitment,
      nonce: 2,
      seen: note,
      key,
      clear,
    });
    assert.deepEqual(await readKept(kept), kept);
    const { signature } = kept.seen;
    const other = `${signature.slice(0, 12)}${signature[12] === "A" ? "B" : "A"}${signature.slice(13)}`;
    const forged = { ...kept, seen: { ...kept.seen, signature: other } };
    await assert.rejects(readKept(forged), { code: "mine", message: /"seen" is not signed/ });
  }
});

for (const clear of [true, false]) {
  test(`a signature ${clear ? "in the clear" : "of a hash"} verifies for its round alone`, async () => {
    const kept = await contribution({
      from: "alice",
      commitment,
      nonce: 1,
      sign: secret,
      key,
      clear,
    });
    assert.equal(kept.key, publicKey);
    assert.equal("hash" in kept, !clear);
    const given = { ...toGive(kept) };
    for (const nonce of [0, 1]) {
      const holds = await verify(
        fromHex(kept.key),
        signedMessage(readKey(key), commitment, nonce, given),
        base64OrNull(kept.signature),
      );
      assert.equal(holds, nonce === 1);
    }
  });
}

test("a pair of keys of WebCrypto signs, too", async () => {
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
  const kept = await contribution({ from: "alice", commitment, nonce: 1, sign: pair, key });
  const message = signedMessage(readKey(key), commitment, 1, toGive(kept));
  assert.equal(await verify(fromHex(kept.key), message, base64OrNull(kept.signature)), true);
});

test("what cannot be written as an entry is refused by its name", async () => {
  const cases = [
    [{ from: "" }, "from"],
    [{ from: "a", seed: "" }, "seed"],
    [{ from: "a", commitment, key }, "nonce"],
    [{ from: "a", nonce: 1 }, "commitment"],
    [{ from: "a", commitment, nonce: 2 ** 53, key }, "nonce"],
    [{ from: "a", commitment, nonce: 0 }, "key"],
    [{ from: "a", commitment, nonce: 0, sign: secret }, "key"],
    [{ from: "a", sign: secret, key }, "sign"],
    [{ from: "a", commitment, nonce: 0, sign: "00", key }, "sign"],
    [{ from: "a", seen: note }, "key"],
    [{ from: "a", seen: "no note", key }, "seen"],
    [{ from: "a", commitment, nonce: 0, blind: "x", key }, "blind"],
  ];
  for (const [input, code] of cases)
    await assert.rejects(contribution(input), { name: "Refused", code });
  await assert.rejects(async () => toOpen({ from: "a", seed: "b" }), {
    name: "Refused",
    code: "blind",
  });
});
