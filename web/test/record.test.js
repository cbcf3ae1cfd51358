import assert from "node:assert/strict";
import { test } from "node:test";

import { base64OrNull, fromHex, toHex, utf8 } from "../fairdeal/bytes.js";
import { readCheckpoint } from "../fairdeal/checkpoint.js";
import { contribution } from "../fairdeal/contribute.js";
import { contributionHash, signedMessage } from "../fairdeal/contribution.js";
import { isPoint, isSupported, verify } from "../fairdeal/ed25519.js";
import { readEntry } from "../fairdeal/entry.js";
import { canonical } from "../fairdeal/jcs.js";
import { OtherNumber, readJson } from "../fairdeal/json.js";
import { givenKey, keyText, readKey } from "../fairdeal/key.js";
import { Tree, continues, includes, leafHash, nodeHash } from "../fairdeal/merkle.js";
import { readNote, verifyNote } from "../fairdeal/note.js";
import { levelsOf, readBundle, readHashes, readPath, tilePath } from "../fairdeal/tile.js";
import { refusal, text, vectors } from "../fixtures.js";

const bytesOf = (vector, name) =>
  vector[name] === undefined ? fromHex(vector[`${name}_hex`]) : utf8(vector[name]);

test("every vector of entries.json: which entries are canonical and of the grammar", () => {
  for (const vector of vectors("entries.json")) {
    const { entry, fault, foreign } = readEntry(bytesOf(vector, "entry"));
    assert.equal(fault?.code, vector.error, `${vector.name}: ${fault?.says}`);
    if (!vector.error)
      assert.equal(foreign ? "other-protocol" : entry.entry, vector.kind, vector.name);
  }
});

test("the canonical form of what JSON.stringify prints, in any order of the members, is one text", () => {
  const value = {
    b: [1, -0, 1e21, 1.5, 5e-324, '\u001f"\\é\u2028'],
    a: null,
    "\u{10000}": true,
    "\uffff": { "": {} },
  };
  const reversed = Object.fromEntries(Object.entries(value).reverse());
  const expected =
    '{"a":null,"b":[1,0,1e+21,1.5,5e-324,"\\u001f\\"\\\\é\u2028"],"\u{10000}":true,"\uffff":{"":{}}}';
  assert.equal(canonical(readJson(JSON.stringify(value))), expected);
  assert.equal(canonical(readJson(JSON.stringify(reversed, null, 3))), expected);
});

test("the strict reader refuses what JSON.parse forgets, rounds or accepts", () => {
  const refused = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    "1e400",
    "[1,]",
    "01",
    "+1",
    ".5",
    "1.",
    "1e",
    "\ufeff1",
    "1 2",
    '"\n"',
    "'a'",
    "{a:1}",
    "nul",
    "[",
    '{"a"}',
    '"',
    '"\\x"',
    '"\\u12g4"',
    "",
    " ",
    "\u00a01",
    "NaN",
    "[".repeat(128) + "]".repeat(128),
    "\ud800",
  ];
  for (const json of refused)
    assert.equal(
      refusal(() => readJson(json)),
      "json",
      json,
    );
  assert.equal(
    refusal(() => readJson(Uint8Array.of(0x22, 0xff, 0x22))),
    "json",
  );
});

test("the strict reader reads what is legal, and keeps what is not an integer apart", () => {
  assert.deepEqual(readJson(" [ 1 , true ] "), [1, true]);
  assert.equal(readJson('"\\ud83c\\udca1\\/\\b"'), "\u{1f0a1}/\b");
  assert.equal(readJson("9007199254740991"), Number.MAX_SAFE_INTEGER);
  for (const other of ["9007199254740992", "1.0", "1e0", "-0", "-1", "0.5"]) {
    assert.ok(readJson(other) instanceof OtherNumber, other);
  }
  assert.deepEqual(Object.entries(readJson('{"__proto__":1,"toString":2}')), [
    ["__proto__", 1],
    ["toString", 2],
  ]);
  assert.equal(
    refusal(() => readJson('{"__proto__":1,"__proto__":1}')),
    "json",
  );
  assert.doesNotThrow(() => readJson("[".repeat(127) + "]".repeat(127)));
});

test("every vector of keys.json: which texts are verifier keys", () => {
  for (const { vkey, error, key_name, id, public_key, name } of vectors("keys.json")) {
    if (error) {
      assert.equal(
        refusal(() => readKey(vkey)),
        error,
        name,
      );
      continue;
    }
    const key = readKey(vkey);
    assert.deepEqual([key.name, key.id, toHex(key.publicKey)], [key_name, id, public_key], name);
    assert.equal(keyText(key), vkey, name);
  }
});

test("a key may be given as the text of its file, with one line end and nothing else", async () => {
  const of = vectors("keys.json").filter(({ error }) => error === undefined);
  for (const { vkey, key_name, name } of of)
    for (const given of [vkey, `${vkey}\n`, `${vkey}\r\n`, `\ufeff${vkey}`, `\ufeff${vkey}\n`])
      assert.equal(givenKey(given).name, key_name, name);
  const [{ vkey }] = of;
  for (const given of [`${vkey}\n\n`, `${vkey} `, ` ${vkey}`, `\n${vkey}`, `${vkey}\r`])
    assert.equal(
      refusal(() => givenKey(given)),
      "key",
      JSON.stringify(given),
    );
  const input = { from: "alice", commitment: "0".repeat(64), nonce: 0 };
  assert.equal((await contribution({ ...input, key: `${vkey}\n` })).log, vkey);
});

test("every vector of notes.json: which notes are signed by which keys", async () => {
  for (const vector of vectors("notes.json")) {
    const run = async () => {
      const note = readNote(bytesOf(vector, "note"));
      const verified = await verifyNote(note, vector.keys.map(readKey));
      return { text: note.text, signatures: note.signatures.length, verified };
    };
    if (vector.error)
      await assert.rejects(run, { name: "Refused", code: vector.error }, vector.name);
    else
      assert.deepEqual(
        await run(),
        { text: vector.text, signatures: vector.signatures, verified: vector.verified },
        vector.name,
      );
  }
});

test("a note of 1,000,000 bytes is read, and one of a byte more is refused", () => {
  const end = "\n\n— k AAAAAAA=\n";
  const note = (length) => utf8("x".repeat(length - utf8(end).length) + end);
  assert.equal(readNote(note(1_000_000)).signatures.length, 1);
  assert.equal(
    refusal(() => readNote(note(1_000_001))),
    "note-malformed",
  );
});

test("every vector of checkpoints.json: which texts are checkpoints", () => {
  for (const { text, error, origin, size, root, extensions, name } of vectors("checkpoints.json")) {
    if (error)
      assert.equal(
        refusal(() => readCheckpoint(text)),
        error,
        name,
      );
    else {
      const ours = readCheckpoint(text);
      assert.deepEqual(
        { ...ours, size: String(ours.size) },
        { origin, size, root, extensions },
        name,
      );
    }
  }
});

test("every vector of signatures.json: Ed25519 is strict and without the cofactor", async () => {
  assert.equal(await isSupported(), true);
  for (const { public_key, message, signature, ok, name } of vectors("signatures.json")) {
    assert.equal(
      await verify(fromHex(public_key), fromHex(message), fromHex(signature)),
      ok ?? false,
      name,
    );
  }
});

test("half of all encodings are points", () => {
  let points = 0;
  for (let i = 0; i < 200; i++)
    if (isPoint(leafHash(Uint8Array.of(i)).map((byte, n) => (n === 31 ? byte & 0x7f : byte))))
      points++;
  assert.ok(points > 70 && points < 130, String(points));
});

test("every vector of contributions.json: what a player hashes and signs, and whether it verifies", async () => {
  for (const vector of vectors("contributions.json")) {
    const { log, commitment, nonce, contribution, name } = vector;
    const key = readKey(log);
    if (vector.hash !== undefined) {
      const ours = contributionHash(key, commitment, nonce, contribution, vector.blind);
      assert.equal(ours, vector.hash, name);
      continue;
    }
    const signed = signedMessage(key, commitment, nonce, contribution);
    assert.equal(toHex(signed), vector.message, name);
    assert.equal(
      await verify(fromHex(contribution.key), signed, base64OrNull(contribution.signature)),
      vector.verifies,
      name,
    );
  }
});

test("every vector of proofs.json: inclusion and consistency", () => {
  // Sizes up to 2^64 are numbers in the file, and JSON.parse would round them.
  const size = (value) => (value instanceof OtherNumber ? BigInt(value.text) : value);
  const { vectors: all } = readJson(text("vectors", "proofs.json"));
  assert.ok(all.length > 100);
  for (const vector of all) {
    const proof = vector.proof.map(fromHex);
    const root = fromHex(vector.root);
    const holds =
      vector.kind === "inclusion"
        ? includes(size(vector.index), size(vector.size), fromHex(vector.leaf_hash), proof, root)
        : continues(
            size(vector.old_size),
            fromHex(vector.old_root),
            size(vector.size),
            root,
            proof,
          );
    assert.equal(holds, vector.ok ?? false, vector.name);
  }
});

test("a tree knows its root at every size that it had", () => {
  const leaves = Array.from({ length: 70 }, (_, i) => leafHash(Uint8Array.of(i)));
  const plain = (part) => {
    if (part.length === 1) return part[0];
    let half = 1;
    while (2 * half < part.length) half *= 2;
    return nodeHash(plain(part.slice(0, half)), plain(part.slice(half)));
  };
  const tree = new Tree();
  for (const leaf of leaves) tree.push(leaf);
  for (let size = 1; size <= leaves.length; size++)
    assert.deepEqual(tree.rootAt(size), plain(leaves.slice(0, size)));
});

test("a path of more than 256 hashes is none, and a path is legal up to the largest tree", () => {
  for (const width of [256, 257, 999])
    assert.equal(
      refusal(() => readPath(`tile/0/000.p/${width}`)),
      "tile-path",
    );
  assert.equal(
    refusal(() => readPath(tilePath(0, 2n ** 63n))),
    "tile-path",
  );
  assert.equal(readPath(tilePath(0, 2n ** 63n - 1n)).index, 2n ** 63n - 1n);
});

test("every vector of tiles.json: paths, bundles, hashes, and the tiles of a tree", () => {
  for (const vector of vectors("tiles.json")) {
    const run = {
      path: () => {
        const { level, index, width } = readPath(vector.path);
        return { level, index: String(index), width };
      },
      bundle: () => ({ entries: readBundle(fromHex(vector.bundle), vector.width).map(toHex) }),
      hashes: () => ({
        hashes: toHex(readHashes(fromHex(vector.tile), vector.width)).match(/.{64}/g),
      }),
      tree: () => {
        const levels = levelsOf(vector.size);
        const files = levels.flatMap((each) =>
          each.level === 0 ? [each, { ...each, level: "entries" }] : [each],
        );
        const partial = files
          .filter(({ width }) => width > 0)
          .map(({ level, full, width }) => tilePath(level, full, width));
        const counts = files
          .filter(({ full }) => full > 0n)
          .map(({ level, full }) => [level, Number(full)]);
        return { tiles: partial.sort(), counts: Object.fromEntries(counts) };
      },
    }[vector.kind];
    if (vector.error) {
      assert.equal(refusal(run), vector.error, vector.name);
      continue;
    }
    const expected = Object.fromEntries(Object.keys(run()).map((name) => [name, vector[name]]));
    assert.deepEqual(run(), expected, vector.name);
  }
});
