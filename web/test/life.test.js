import assert from "node:assert/strict";
import { test } from "node:test";

import { concat, fromHex, toBase64, toHex, utf8 } from "../fairdeal/bytes.js";
import { checkpointText } from "../fairdeal/checkpoint.js";
import { deal, resultOf } from "../fairdeal/deal.js";
import { readEntry } from "../fairdeal/entry.js";
import { verifyReceipt } from "../fairdeal/index.js";
import { canonical } from "../fairdeal/jcs.js";
import { readJson } from "../fairdeal/json.js";
import { keyId, keyText } from "../fairdeal/key.js";
import { Life } from "../fairdeal/life.js";
import { Tree, leafHash } from "../fairdeal/merkle.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";

const origin = "life.example/log";
const serverSeed = sha256(utf8("life"));
const commitment = toHex(sha256(serverSeed));
const bytesOf = (entry) => utf8(canonical(readJson(JSON.stringify(entry))));

const commit = {
  entry: "commit",
  protocol: "fairdeal/v1",
  origin,
  commitment,
  table: "t",
  method: "shuffle",
  deck: "standard-52",
  draw: 5,
  sealed: false,
  mixing: "seeds",
  rounds: 3,
  time: 1,
  reveal_by: 100,
};
const alice = { from: "alice", seed: "lucky" };
const lock = (nonce) => ({ entry: "lock", commitment, nonce, contributions: [alice], time: 2 });
const blaming = (nonce, blame) => ({
  entry: "void",
  commitment,
  nonce,
  reason: "gone",
  blame,
  time: 3,
});
const reveal = { entry: "reveal", commitment, server_seed: toHex(serverSeed), time: 4 };

/** The code of each entry's first finding, or "". */
function codes(excerpt, ...entries) {
  const life = new Life({ log: { name: origin, id: "", publicKey: new Uint8Array(32) }, excerpt });
  return entries.map((entry, index) => {
    const read = readEntry(bytesOf(entry));
    assert.equal(read.fault, null, read.fault?.says);
    return (
      life.judge(read, index, { seen: [], signatures: [], unknown: false }).findings[0]?.code ?? ""
    );
  });
}

test("blame is for a label of the open lock", () => {
  for (const excerpt of [false, true]) {
    assert.deepEqual(codes(excerpt, commit, lock(0), blaming(0, "alice")), ["", "", ""]);
    assert.deepEqual(codes(excerpt, commit, lock(0), blaming(0, "bob")), ["", "", "invalid-entry"]);
  }
});

test("an excerpt that does not show an open lock of the round accuses nobody of a wrong blame", () => {
  assert.deepEqual(codes(false, commit, blaming(0, "bob")), ["", "invalid-entry"]);
  assert.deepEqual(codes(true, commit, blaming(0, "bob")), ["", ""]);
  // The lock was answered: in the log the blame is invalid, and in an excerpt only the second
  // answer is a violation.
  const twice = [commit, lock(0), blaming(0, "alice"), blaming(0, "bob")];
  assert.deepEqual(codes(false, ...twice), ["", "", "", "invalid-entry"]);
  assert.deepEqual(codes(true, ...twice), ["", "", "", "nonce-gap"]);
  // The lock's answer was left out before the reveal.
  assert.deepEqual(codes(true, commit, lock(0), reveal, blaming(0, "bob")), [
    "",
    "",
    "",
    "after-reveal",
  ]);
  assert.deepEqual(codes(false, commit, lock(0), reveal, blaming(0, "bob")), [
    "",
    "",
    "open-round",
    "invalid-entry",
  ]);
});

test("of an excerpt a higher round may follow a lock, and a lower one may not", () => {
  assert.deepEqual(codes(true, commit, lock(1), lock(2)), ["", "", ""]);
  assert.deepEqual(codes(false, commit, lock(0), lock(1)), ["", "", "open-round"]);
  assert.deepEqual(codes(true, commit, lock(1), lock(0)), ["", "", "open-round"]);
});

/** A receipt of a log that has these entries, and the log's verifier key. */
async function receiptOf(entries) {
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const id = keyId(origin, publicKey);
  const leaves = entries.map((entry) => leafHash(bytesOf(entry)));
  const tree = new Tree();
  for (const leaf of leaves) tree.push(leaf);
  const text = checkpointText(origin, tree.size, tree.rootAt(tree.size));
  const signature = new Uint8Array(
    await crypto.subtle.sign({ name: "Ed25519" }, pair.privateKey, utf8(text)),
  );
  // The proof in a tree of four leaves is the sibling, and the other pair.
  assert.equal(entries.length, 4);
  const pairs = tree.hashes(1, 0, 2);
  const receipt = {
    format: "fairdeal/receipt/v1",
    entries: entries.map((entry, index) => ({
      index,
      entry: new TextDecoder().decode(bytesOf(entry)),
      proof: [leaves[index ^ 1], index < 2 ? pairs.subarray(32) : pairs.subarray(0, 32)].map(
        toBase64,
      ),
    })),
    checkpoint: `${text}\n— ${origin} ${toBase64(concat(fromHex(id), signature))}\n`,
  };
  return { receipt: JSON.stringify(receipt), key: keyText({ name: origin, id, publicKey }) };
}

test("a sealed deal with a beacon follows from the seeds, and is told neither with cards nor with places", async () => {
  const beacon = "5a".repeat(48);
  const terms = {
    ...commit,
    sealed: true,
    mixing: "beacon",
    beacon: { chain: "ef".repeat(32), margin: 0 },
    layout: { hand: 2 },
  };
  const results = [];
  for (const named of [true, false]) {
    const ours = named ? terms : { ...terms, mixing: "seeds", beacon: undefined };
    const locked = { ...lock(0), seats: ["alice", "bob"], ...(named ? { beacon: 3 } : {}) };
    const mixed = {
      nonce: 0,
      contributions: [alice],
      randomness: named ? sha256(fromHex(beacon)) : undefined,
    };
    const hmac = new HmacKey(serverSeed);
    const result = resultOf(hmac, sha256(serverSeed), ours, mixed, deal(hmac, ours, mixed));
    const dealt = {
      entry: "deal",
      commitment,
      nonce: 0,
      lock: 1,
      result,
      time: 3,
      ...(named ? { beacon } : {}),
    };
    const { receipt, key } = await receiptOf([ours, locked, dealt, reveal]);
    results.push(await verifyReceipt(receipt, { key }));
  }
  const [withBeacon, without] = results;
  assert.deepEqual([withBeacon.holds, without.holds], [true, true]);
  assert.deepEqual(["cards" in withBeacon, "placed" in withBeacon], [false, false]);
  assert.deepEqual([without.cards.length, without.placed.length], [10, 5]);
});
