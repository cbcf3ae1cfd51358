import assert from "node:assert/strict";
import { test } from "node:test";

import { verifyEvidence } from "../fairdeal/evidence.js";
import { verifyReceipt, verifyReceipts } from "../fairdeal/verify.js";
import {
  attacks,
  bytes,
  filesOf,
  json,
  policyIn,
  text,
  vectorNamed,
  vectors,
} from "../fixtures.js";
import { sortFile } from "../workers/sort.js";
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
const plainAll = ({ receipts, says, error, continues, ...all }) => ({
  ...all,
  findings: silent(all.findings),
  receipts: receipts.map((each) =>
    "holds" in each ? plain(each) : { file: each.file, error: { code: each.error.code } },
  ),
});

/** The exit code of a command, and what it prints in the form of the fixtures. */
async function judged(files, given) {
  const judge = async () => verifyReceipts(files, inputs(given));
  const all = await judge().catch(({ name, code }) => {
    assert.equal(name, "Refused");
    return code === "unavailable" ? 3 : 2;
  });
  if (typeof all === "number") return { exit: all };
  const read = all.receipts.filter((each) => "holds" in each);
  if (read.length === 0) return { exit: 3 };
  const found = [all, ...read].some(({ findings }) => findings.length > 0);
  const unknown = read.length < all.receipts.length || all.error !== undefined;
  return { exit: found ? 1 : unknown ? 3 : 0, verdict: plainAll(all) };
}

const inputs = ({ key, policy, mine, players, seat, since }) => ({
  key,
  policy: policyIn({ policy }),
  mine,
  players,
  since,
  seat: seat ?? undefined,
});

test("every vector of receipts.json: the verdict on one file", async () => {
  for (const vector of vectors("receipts.json")) {
    const run = verifyReceipt(vector.file, inputs(vector));
    if (vector.verdict === undefined) {
      const code = vector.exit === 2 ? "seat" : "unavailable";
      await assert.rejects(run, { name: "Refused", code }, vector.name);
      continue;
    }
    const verdict = await run;
    assert.deepEqual(plain(verdict), vector.verdict, vector.name);
    assert.equal(vector.exit === 1, !verdict.holds, vector.name);
  }
});

for (const file of ["several.json", "evidence.json"]) {
  for (const { name, exit, verdict, ...vector } of vectors(file)) {
    test(`${file}: ${name}`, async () => {
      const files = vector.files?.map(({ text, ...each }) => ({ ...each, file: text })) ?? [
        { name: "evidence.json", file: vector.file, kept: vector.kept },
      ];
      const ours = await judged(files, vector);
      assert.deepEqual(ours, verdict === undefined ? { exit } : { exit, verdict });
    });
  }
}

for (const [name, attack] of attacks("verify")) {
  test(`attacks/${name}: ${attack.about}`, async () => {
    const { exit, verdict } = attack;
    const files = filesOf(attack);
    const ours = await judged(files, attack);
    assert.deepEqual(ours, verdict === undefined ? { exit } : { exit, verdict });
    const { format } = attack.files[0].file ?? {};
    if (verdict === undefined || files.length > 1 || format === "fairdeal/evidence/v1") return;
    const [{ file, ...alone }] = verdict.receipts;
    assert.deepEqual(plain(await verifyReceipt(files[0].file, inputs(attack))), alone, file);
  });
}

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

test("a saved view is continued, contradicted, or joined with nothing", async () => {
  const file = text("receipts", "round.json");
  const key = text("receipts", "log.key").trim();
  const since = JSON.parse(file).checkpoint;
  const verdict = await verifyReceipts([file], { key, since });
  assert.deepEqual([verdict.holds, verdict.continues], [true, Number(since.split("\n")[1])]);

  // Two files under one key with two roots at one size: each view is a fork of the other.
  const vector = vectorNamed("several.json", "two roots at one size, the same entries");
  const [one, other] = vector.files.map(({ text }) => text);
  const view = JSON.parse(other).checkpoint;
  const forked = await verifyReceipts([one], { key: vector.key, since: view });
  assert.deepEqual([forked.holds, forked.continues, forked.state], [false, undefined, "caught"]);
  assert.deepEqual(silent(forked.findings), [
    { code: "inconsistent", class: "integrity", accuses: "operator" },
  ]);
  await assert.rejects(verifyReceipt(one, { key: vector.key, since: view }), { code: "since" });
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
  const apart = JSON.stringify(other);
  const unproved = await judged([{ name: "apart", file: apart }], { key, since });
  assert.deepEqual([unproved.exit, unproved.verdict.holds], [3, true]);
  // What the reader kept needs no proof.
  const kept = await verifyReceipts([file], { key, since, mine: [apart] });
  assert.deepEqual([kept.holds, kept.continues, kept.error], [true, 2, undefined]);
  await assert.rejects(verifyReceipts([file], { key, since: "no note" }), {
    name: "Refused",
    code: "unavailable",
  });
});

test("what the reader kept: contributions, receipts, openings and evidence, in any order", async () => {
  const {
    key,
    files: [{ text: whole }, { text: lock }],
    mine: [own],
  } = vectorNamed("several.json", "the reader's own hash, and the kept lock");
  const given = [{ name: "whole", file: whole }];
  const evidence = { format: "fairdeal/evidence/v1", key, since: [], findings: [] };
  const inside = [{ name: "lock", file: JSON.parse(lock) }];
  const noFiles = JSON.stringify({ ...evidence, mine: [own], files: [] });
  const both = JSON.stringify({ ...evidence, mine: [own], files: inside });
  for (const [mine, state, names] of [
    [[own], "unproved", ["whole"]],
    [[lock], "unproved", ["whole", "mine 1"]],
    [[own, { name: "lock", file: lock }], "fair", ["whole", "lock"]],
    [[lock, JSON.stringify(own)], "fair", ["whole", "mine 1"]],
    [[both], "fair", ["whole", "mine 1: lock"]],
    [[noFiles, own, lock], undefined, ["whole", "mine 1", "mine 3"]],
  ]) {
    const { state: found, receipts } = await verifyReceipts(given, { key, mine });
    assert.deepEqual([found, ...receipts.map((each) => each.file)], [state, ...names]);
  }
  await assert.rejects(verifyReceipt(whole, { key, mine: [lock] }), { code: "mine" });
  // Evidence among the other files is somebody's word.
  const theirs = await verifyReceipts([...given, { name: "all", file: both }], { key });
  assert.deepEqual([theirs.receipts.length, theirs.state], [2, "unproved"]);
});

test("a reader's contribution is read as its file has it", async () => {
  const { key, file } = vectorNamed("evidence.json", "a whole hand");
  const {
    files,
    mine: [own],
    ...rest
  } = JSON.parse(file);
  const whole = JSON.stringify(files[2].file);
  const wrong = ["1.0", "-0", "0.0", "0e0", "9007199254740993"].map((nonce) =>
    JSON.stringify(own).replace('"nonce":0', `"nonce":${nonce}`),
  );
  for (const each of [...wrong, { ...own, nonce: -0 }])
    await assert.rejects(verifyReceipt(whole, { key, mine: [each] }), { code: "mine" });
  for (const each of wrong) {
    const evidence = JSON.stringify({ ...rest, files, mine: ["own"] }).replace('"own"', each);
    const { receipts } = await verifyEvidence(evidence, { key });
    assert.deepEqual(silent(receipts[0].findings), [
      { code: "invalid-receipt", class: "integrity", accuses: "writer" },
    ]);
  }
  const seen = { size: 1, root: "ab".repeat(32), signature: Buffer.alloc(68).toString("base64") };
  const { hash: _, blind: __, ...clear } = own;
  await assert.rejects(verifyReceipt(whole, { key, mine: [{ ...clear, seen }] }), { code: "mine" });
  // Nobody can say whose log a contribution without a log saw.
  const { log, commitment, nonce, ...nameless } = clear;
  await verifyReceipt(whole, { key, mine: [{ ...nameless, seen }] });
  const inside = JSON.stringify({ ...rest, files, mine: [] }).replace(/"index":1,/, '"index":1.0,');
  const { receipts } = await verifyEvidence(inside, { key });
  assert.equal(receipts[0].findings[0].code, "invalid-receipt");
});

test("20,000 entries that break the rules are judged in about a second", async () => {
  const { receipt, key } = forge({});
  const { entries, ...rest } = JSON.parse(receipt);
  const [commit] = entries;
  const many = Array.from({ length: 20_000 }, (_, i) => ({ index: i + 1, entry: "{}", proof: [] }));
  const [origin] = rest.checkpoint.split("\n");
  const checkpoint = rest.checkpoint.replace(/\n\d+\n/, "\n30000\n");
  assert.ok(checkpoint.startsWith(origin));
  const file = JSON.stringify({ ...rest, checkpoint, entries: [commit, ...many] });
  const start = performance.now();
  const { findings } = await verifyReceipt(file, { key });
  assert.ok(findings.length > 20_000);
  assert.ok(performance.now() - start < 5_000);
});

test("the time for evidence grows with its files and contributions, not with their product", async () => {
  const { receipt, key } = forge({});
  const file = JSON.parse(receipt);
  const { commitment } = JSON.parse(file.entries[0].entry);
  const named = { log: key, commitment };
  const own = { from: "alice", seed: "lucky" };
  /** So many files, and ten times as many contributions: the time in milliseconds. */
  const judged = async (files, kept) => {
    const length = 10 * files;
    const others = Array.from({ length }, (_, i) => ({ ...own, ...named, nonce: i + 1 }));
    const evidence = JSON.stringify({
      format: "fairdeal/evidence/v1",
      key,
      files: Array.from({ length: files }, (_, i) => ({ name: String(i), file })),
      mine: [...others, { ...own, ...named, nonce: 0 }],
      since: [],
      findings: [],
    });
    const start = performance.now();
    const sorted = await sortFile("evidence.json", new TextEncoder().encode(evidence));
    assert.deepEqual(sorted, { kind: "receipt", origin: "test.example/log" });
    const { receipts } = await verifyEvidence(evidence, { key, kept });
    assert.ok(receipts.every(({ shown }) => shown.includes("yours") === kept));
    return performance.now() - start;
  };
  await judged(100, true);
  for (const kept of [false, true]) {
    const [tenth, whole] = [await judged(100, kept), await judged(1_000, kept)];
    // Ten times as much; the product would be a hundred times.
    assert.ok(whole < 40 * tenth, `${whole} ms, for a tenth ${tenth} ms`);
  }
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
    // Of small order, and no point.
    [{ key, players: { alice: `01${"00".repeat(31)}` } }, "players"],
    [{ key, players: { alice: `02${"00".repeat(31)}` } }, "players"],
  ];
  for (const [options, code] of cases)
    await assert.rejects(verifyReceipt(file, options), { name: "Refused", code });
});

test("a wrong card is named by its place from 1, as in an opening and in the Rust", async () => {
  const swapped = ({ cards }) => ({
    cards: cards.slice(0, 8) + cards.slice(10, 12) + cards.slice(8, 10) + cards.slice(12),
  });
  const { receipt, key } = forge({ cheat: swapped });
  const {
    findings: [{ code, says }],
  } = await verifyReceipt(receipt, { key });
  assert.equal(code, "result-mismatch");
  assert.match(says, /^card 5, counted from 1: /);
});
