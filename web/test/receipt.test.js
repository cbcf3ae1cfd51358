import assert from "node:assert/strict";
import { test } from "node:test";

import { verifyEvidence } from "../fairdeal/evidence.js";
import { verifyReceipt, verifyReceipts } from "../fairdeal/verify.js";
import { attacks, bytes, filesOf, json, text, vectors } from "../fixtures.js";
import { forge } from "./browser/forge.js";

/** A verdict in the form of the fixtures: findings without `says`, and no optional members. */
function plain(verdict) {
  const { table, time, opened, ...ours } = verdict;
  if ("seal" in ours) {
    delete ours.cards;
    delete ours.indices;
  }
  return { ...ours, findings: silent(ours.findings) };
}

const silent = (findings) =>
  findings.map(({ says, ...finding }) => {
    assert.ok(says.length > 0, `${finding.code} says nothing`);
    return finding;
  });

/** The same for several files. Of a file that cannot be read only the code is compared. */
const plainAll = ({ receipts, ...all }) => ({
  ...all,
  findings: silent(all.findings),
  receipts: receipts.map((each) =>
    "holds" in each ? plain(each) : { file: each.file, error: { code: each.error.code } },
  ),
});

/** The verdict on evidence. A command also gives the evidence's own name. */
async function onEvidence(file, key) {
  const { says, receipts, ...all } = await verifyEvidence(file, { key });
  const named = receipts.map((each) => ({
    ...each,
    file: each.file === "evidence" ? "evidence.json" : `evidence.json: ${each.file}`,
  }));
  return { ...all, receipts: named };
}

const inputs = ({ key, mine, players, seat }) => ({ key, mine, players, seat: seat ?? undefined });

test("every vector of receipts.json: the verdict on one file", async () => {
  for (const vector of vectors("receipts.json")) {
    const run = verifyReceipt(vector.file, inputs(vector));
    if (vector.exit > 1) {
      const code = vector.exit === 2 ? "seat" : "unavailable";
      await assert.rejects(run, { name: "Refused", code }, vector.name);
      continue;
    }
    const verdict = await run;
    assert.deepEqual(plain(verdict), vector.verdict, vector.name);
    assert.equal(vector.exit, verdict.holds ? 0 : 1, vector.name);
  }
});

test("every vector of several.json: the verdict on several files together", async () => {
  for (const vector of vectors("several.json")) {
    const files = vector.files.map(({ name, text }) => ({ name, file: text }));
    const verdict = await verifyReceipts(files, inputs(vector));
    if (vector.verdict === undefined) {
      assert.equal(vector.exit, 3, vector.name);
      assert.ok(
        verdict.receipts.every((each) => !("holds" in each)),
        vector.name,
      );
      continue;
    }
    // For one file, the vectors have the file's own verdict or the verdict on all files.
    const ours = "receipts" in vector.verdict ? plainAll(verdict) : plain(verdict.receipts[0]);
    for (const each of vector.verdict.receipts ?? []) if ("error" in each) delete each.findings;
    assert.deepEqual(ours, vector.verdict, vector.name);
    if (vector.exit !== 3) assert.equal(vector.exit, verdict.holds ? 0 : 1, vector.name);
  }
});

for (const [name, attack] of attacks("verify")) {
  test(`attacks/${name}: ${attack.about}`, async () => {
    const files = filesOf(attack);
    const isEvidence = attack.files[0].file?.format === "fairdeal/evidence/v1";
    const all = isEvidence
      ? await onEvidence(files[0].file, attack.key)
      : await verifyReceipts(files, inputs(attack));
    if (attack.exit === 3) return assert.ok("error" in all.receipts[0]);
    assert.deepEqual(plainAll(all), attack.verdict);
    assert.equal(attack.exit, all.holds ? 0 : 1);
    if (isEvidence || files.length > 1) return undefined;
    const [{ file, ...alone }] = attack.verdict.receipts;
    return assert.deepEqual(plain(await verifyReceipt(files[0].file, inputs(attack))), alone, file);
  });
}

test("every vector of evidence.json: what a player's program kept", async () => {
  for (const { name, file, key, exit, verdict } of vectors("evidence.json")) {
    if (exit === 3) {
      await assert.rejects(verifyEvidence(file, { key }), { code: "unavailable" }, name);
      continue;
    }
    const ours = await onEvidence(file, key);
    assert.deepEqual(plainAll(ours), verdict, name);
    assert.equal(ours.holds, exit === 0, name);
  }
});

test("the receipt and the opening of fixtures/receipts hold", async () => {
  const key = text("receipts", "log.key").trim();
  for (const [name, token] of [
    ["round.json", "replayed"],
    ["opening.json", "opened"],
  ]) {
    const verdict = await verifyReceipt(bytes("receipts", name), { key });
    assert.deepEqual([verdict.holds, verdict.shown], [true, ["logged", token]]);
    assert.deepEqual(
      await verifyReceipt(json("receipts", name), { key }),
      verdict,
      "an object is judged as its JSON",
    );
  }
});

test("a saved view of the same size is continued, or shows a fork", async () => {
  const file = text("receipts", "round.json");
  const key = text("receipts", "log.key").trim();
  const since = JSON.parse(file).checkpoint;
  const verdict = await verifyReceipts([file], { key, since });
  assert.deepEqual([verdict.holds, verdict.continues], [true, Number(since.split("\n")[1])]);

  // Two files under one key with two roots at one size: each view is a fork of the other.
  const vector = vectors("several.json").find(
    ({ name }) => name === "two roots at one size, the same entries",
  );
  const [one, other] = vector.files.map(({ text }) => text);
  const forked = await verifyReceipts([one], {
    key: vector.key,
    since: JSON.parse(other).checkpoint,
  });
  assert.deepEqual([forked.holds, forked.continues], [false, undefined]);
  assert.deepEqual(silent(forked.receipts[0].findings), [
    { code: "inconsistent", accuses: "operator" },
  ]);
});

test("a saved view of another size needs the log, unless the receipt proves that size", async () => {
  const {
    key,
    files: [{ file: receipt }],
  } = json("attacks", "seen-proved.json");
  const file = JSON.stringify(receipt);
  const proved = receipt.seen[0].size;
  const entries = receipt.entries.map(({ entry }) => JSON.parse(entry));
  const { seen } = entries
    .flatMap(({ contributions = [] }) => contributions)
    .find((each) => each.seen?.size === proved);
  const [origin] = receipt.checkpoint.split("\n");
  const root = Buffer.from(seen.root, "hex").toString("base64");
  const since = `${origin}\n${seen.size}\n${root}\n\n— ${origin} ${seen.signature}\n`;
  const verdict = await verifyReceipts([file], { key, since });
  assert.deepEqual([verdict.holds, verdict.continues], [true, proved]);

  const { seen: _, ...other } = receipt;
  const unproved = await verifyReceipts([JSON.stringify(other)], { key, since });
  assert.equal(unproved.receipts[0].error.code, "unavailable");
  await assert.rejects(verifyReceipt(file, { key, since: "no note" }), {
    name: "Refused",
    code: "unavailable",
  });
});

test("another key of the same name is told apart from a signature that does not hold", async () => {
  const [theirs, mine] = [forge({}), forge({})];
  const id = ({ key }) => key.split("+")[1];
  const says = async (receipt, key) =>
    (await verifyReceipt(receipt, { key })).findings.find(({ code }) => code === "bad-signature")
      .says;
  const origin = "test.example/log";
  assert.equal(
    await says(theirs.receipt, mine.key),
    `this log is ${origin}+${id(theirs)}; your key is ${origin}+${id(mine)}: the name is the same, the key is another`,
  );
  const broken = theirs.receipt.replace("\\n3\\n", "\\n4\\n");
  assert.match(await says(broken, theirs.key), /does not verify$/);
  assert.match(
    await says(forge({ origin: "other.example/log" }).receipt, mine.key),
    /^expected a signature of a known key/,
  );
});

test("a list is refused unless it is the one that was dealt", async () => {
  const { key } = vectors("receipts.json")[0];
  const ofList = vectors("receipts.json").find(
    ({ verdict }) => verdict?.indices !== undefined && verdict.holds,
  );
  const list = new TextEncoder().encode("anna\nbob\n");
  await assert.rejects(verifyReceipt(ofList.file, { key: ofList.key, list }), {
    name: "Refused",
    code: "list-mismatch",
  });
  await assert.rejects(verifyReceipt(vectors("receipts.json")[0].file, { key, list }), {
    name: "Refused",
    code: "list",
  });
});

test("an object that has no JSON cannot be read", async () => {
  const circle = {};
  circle.circle = circle;
  const key = text("receipts", "log.key").trim();
  for (const file of [circle, { n: 1n }, undefined, null, 7]) {
    const { holds, code } = await verifyReceipt(file, { key }).catch((error) => error);
    assert.ok(holds === false || code === "unavailable", String(code));
  }
});

test("what is given beside the files is refused by its name", async () => {
  const file = text("receipts", "round.json");
  const key = text("receipts", "log.key").trim();
  const cases = [
    [{ key: "x" }, "key"],
    [{ key, seat: "" }, "seat"],
    [{ key, mine: [{ from: "alice" }] }, "mine"],
    [{ key, mine: ["{"] }, "mine"],
    [{ key, mine: [{ from: "a", seed: "b", nonce: 1 }] }, "mine"],
    [{ key, mine: [{ from: "a", seed: "b", given: false }] }, "mine"],
    [{ key, mine: [{ from: "a", seed: 1n }] }, "mine"],
    [{ key, players: { alice: "AB" } }, "players"],
    [{ key, players: { "": "ab".repeat(32) } }, "players"],
  ];
  for (const [options, code] of cases)
    await assert.rejects(verifyReceipt(file, options), { name: "Refused", code });
});

test("a wrong card is named by its place from 0, as in an opening and in the Rust", async () => {
  const swapped = ({ cards }) => ({
    cards: cards.slice(0, 8) + cards.slice(10, 12) + cards.slice(8, 10) + cards.slice(12),
  });
  const { receipt, key } = forge({ cheat: swapped });
  const {
    findings: [{ code, says }],
  } = await verifyReceipt(receipt, { key });
  assert.equal(code, "result-mismatch");
  assert.match(says, /^card 4, counted from 0: /);
});
