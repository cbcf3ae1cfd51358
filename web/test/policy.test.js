import assert from "node:assert/strict";
import { test } from "node:test";

import { concat, fromHex, toBase64, utf8 } from "../fairdeal/bytes.js";
import { cosignedText, signedTimes } from "../fairdeal/cosignature.js";
import { OtherNumber, readJson } from "../fairdeal/json.js";
import { keyId, keyText, readKey, readWitnessKey } from "../fairdeal/key.js";
import { countedTwice, isForLog, quorumOf, readPolicy } from "../fairdeal/policy.js";
import { refusal, text, vectors } from "../fixtures.js";

const bytesOf = ({ policy, hex, repeat = "", times = 0 }) =>
  hex === undefined ? utf8(repeat.repeat(times) + policy) : fromHex(hex);

/** The vectors of a file, with each time exact: JSON.parse would round the largest. */
function exact(file) {
  const { vectors: all } = readJson(text("vectors", file));
  assert.ok(all.length > 0);
  return all;
}
const timesOf = (signed) =>
  signed.map((time) =>
    time === null ? null : BigInt(time instanceof OtherNumber ? time.text : time),
  );

/** The code and the line of a policy's fault, or null. */
function faultOf(bytes) {
  try {
    readPolicy(bytes);
    return null;
  } catch ({ name, code, line }) {
    return { name, code, line };
  }
}

test("every vector of policy.json: the first fault of a policy, or its witnesses and numbers", () => {
  for (const vector of vectors("policy.json")) {
    const { name, error: code, line, logs, witnesses, hash, q, v, counted_twice: pairs } = vector;
    const bytes = bytesOf(vector);
    if (code !== undefined) {
      assert.deepEqual(faultOf(bytes), { name: "Refused", code, line }, name);
      continue;
    }
    const policy = readPolicy(bytes);
    assert.deepEqual(
      {
        logs: policy.logs,
        witnesses: policy.witnesses.map(({ vkey }) => vkey),
        hash: policy.hash,
        q: policy.q,
        v: policy.v,
        pairs: countedTwice(policy),
      },
      { logs, witnesses, hash, q, v, pairs },
      name,
    );
  }
});

test("every vector of cosignature.json: which witnesses have signed, and when", async () => {
  for (const vector of exact("cosignature.json")) {
    const { name, note, error, signed, signed_in_anchor: inAnchor } = vector;
    const policy = readPolicy(bytesOf(vector));
    const judge = (options) => signedTimes(policy, utf8(note), options);
    if (error !== undefined) await assert.rejects(judge(), { name: "Refused" }, name);
    else assert.deepEqual(await judge(), timesOf(signed), name);
    const asAnchor = () => judge({ anchor: true });
    if (inAnchor === null) await assert.rejects(asAnchor, { name: "Refused" }, name);
    else assert.deepEqual(await asAnchor(), timesOf(inAnchor), name);
  }
});

test("every vector of quorum.json: whether a quorum is there, and its times", () => {
  for (const vector of exact("quorum.json")) {
    const found = quorumOf(readPolicy(bytesOf(vector)), timesOf(vector.signed));
    assert.deepEqual(found, vector.quorum, vector.name);
  }
});

test("a policy may nest as deeply as it has lines", () => {
  const [{ policy }] = vectors("quorum.json").filter(({ name }) => name === "one witness");
  const [witness] = policy.split("\n");
  const first = witness.split(" ")[1];
  const groups = Array.from(
    { length: 1022 },
    (_, i) => `group ${i}g all ${i === 0 ? first : `${i - 1}g`}`,
  );
  const deep = readPolicy(utf8([witness, ...groups, "quorum 1021g"].join("\n")));
  assert.deepEqual([deep.q, deep.v], [1, 1]);
  assert.deepEqual(quorumOf(deep, [7n]), { by: 7, since: 7 });
  assert.deepEqual(quorumOf(deep, [0n]), { by: null, since: null });
  assert.equal(quorumOf(deep, [null]), null);
});

test("a policy with logs is for these alone, and one without for every log", () => {
  const known = vectors("keys.json").filter(({ error }) => error === undefined);
  const [one, other] = known.map(({ vkey }) => vkey);
  const listing = readPolicy(utf8(`log ${one}\nquorum none`));
  assert.deepEqual([isForLog(listing, one), isForLog(listing, other)], [true, false]);
  assert.ok(isForLog(readPolicy(utf8("quorum none")), other));
});

test("a log's key is no witness's, and a witness's no log's", () => {
  const { witnesses } = vectors("policy.json").find(({ name }) => name === "one witness");
  const key = readWitnessKey(witnesses[0]);
  assert.equal(
    refusal(() => readKey(witnesses[0])),
    "key",
  );
  // The ID depends on the type: the same public key has another one as a log's.
  const { vkey } = vectors("keys.json").find(({ error }) => error === undefined);
  assert.equal(
    refusal(() => readWitnessKey(vkey)),
    "key",
  );
  assert.equal(
    refusal(() => readKey(keyText(key))),
    "key",
  );
});

/** A witness with a key of its own: its verifier key, and its signature line under a text. */
async function made(name) {
  const { publicKey, privateKey } = await crypto.subtle.generateKey("Ed25519", false, [
    "sign",
    "verify",
  ]);
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const id = keyId(name, key, 4);
  return {
    vkey: `${name}+${id}+${toBase64(concat([4], key))}`,
    async line(time, text) {
      const message = utf8(cosignedText(time, text));
      const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, message));
      const octets = new DataView(new ArrayBuffer(8));
      octets.setBigUint64(0, time);
      const bytes = concat(fromHex(id), new Uint8Array(octets.buffer), signature);
      return `\u2014 ${name} ${toBase64(bytes)}\n`;
    },
  };
}

test("a time of 2^63 does not verify, though the witness signed it; a note must be a checkpoint", async () => {
  const witness = await made("w");
  const policy = readPolicy(utf8(`witness w ${witness.vkey}\nquorum w\n`));
  const text = `log\n1\n${toBase64(new Uint8Array(32))}\n`;
  const judge = async (time, of, options) =>
    signedTimes(policy, utf8(`${of}\n${await witness.line(time, of)}`), options);
  const refused = (code) => ({ name: "Refused", code });
  const last = 2n ** 63n - 1n;
  assert.deepEqual(await judge(last, text), [last]);
  await assert.rejects(judge(last + 1n, text), refused("note-unverified"));
  assert.deepEqual(await judge(last + 1n, text, { anchor: true }), [null]);
  for (const options of [{}, { anchor: true }]) {
    await assert.rejects(judge(1n, "log\n01\n", options), refused("checkpoint-malformed"));
    await assert.rejects(signedTimes(policy, utf8(text), options), refused("note-malformed"));
  }
});

test("each pair of witnesses of one name is counted twice, unless any of the two is enough", async () => {
  const keys = [];
  for (const name of ["a", "b", "a", "b", "a"]) keys.push((await made(name)).vkey);
  const lines = keys.map((vkey, i) => `witness ${i} ${vkey}`);
  const pairs = (...more) =>
    countedTwice(readPolicy(utf8([...lines, ...more].join("\n")))).map((pair) =>
      pair.map((vkey) => keys.indexOf(vkey)).join(""),
    );
  assert.deepEqual(pairs("quorum none"), ["02", "04", "13", "24"]);
  assert.deepEqual(pairs("group g any 0 1 2 3", "quorum g"), ["04", "24"]);
  assert.deepEqual(pairs("group g 2 0 2 4", "quorum g"), ["02", "04", "13", "24"]);
  // Both are under one group of any, but one of them is a member of another group.
  assert.deepEqual(pairs("group f all 1", "group g any f 3", "quorum g"), ["02", "04", "13", "24"]);
});

test("the faults of a line have an order, and octets over 0x7F mean nothing", async () => {
  const [a, b] = [await made("a"), await made("b")];
  const first = `witness w ${a.vkey}\n`;
  const fault = (policy) => {
    const found = faultOf(utf8(policy));
    return found === null ? null : `${found.code} ${found.line}`;
  };
  for (const [policy, expected] of [
    ["#\r\nquorum none", "octet 1"],
    ["x \u0001", "octet 1"],
    ["log", "count 1"],
    ["log a b c", "count 1"],
    ["witness none", "count 1"],
    ["witness none x", "key 1"],
    [`${first}witness none ${a.vkey}`, "duplicate-key 2"],
    [`${first}witness w ${b.vkey}`, "repeated 2"],
    [`${first}group none 0 w`, "name 2"],
    [`${first}group w 0 w`, "repeated 2"],
    [`${first}group g 3 w x`, "threshold 2"],
    [`${first}group g 2 w w x`, "undefined 2"],
    ["quorum none\nquorum none", "quorum-twice 2"],
    ["#", "no-quorum 1"],
    ["#x y\n #\n\t#quorum none\nquorum none", null],
    // U+00E0 has an octet 0xA0, and U+00C0 an octet 0x80.
    [`witness \u00e0x ${a.vkey}\ngroup \u00c0 any \u00e0x\nquorum \u00c0`, null],
    [`${"#".repeat(1_048_564)}\nquorum none`, null],
    [`${"#".repeat(1_048_565)}\nquorum none`, "too-long 2"],
    [`\u0000${"#".repeat(1_048_576)}`, "too-long 1"],
  ])
    assert.equal(fault(policy), expected, policy.slice(0, 200));
});
