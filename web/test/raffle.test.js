// Raffles (spec/raffle.md).

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHex, toHex, utf8 } from "../fairdeal/bytes.js";
import { deal } from "../fairdeal/deal.js";
import {
  entrant,
  entrantLink,
  promiseRaffle,
  readChain,
  readEntrantLink,
  readRaffle,
  verifyRaffle,
} from "../fairdeal/index.js";
import { winnersOf } from "../fairdeal/raffle.js";
import { linesOf } from "../fairdeal/raffle-document.js";
import { canonical } from "../fairdeal/jcs.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { json, names, policyIn, refusal, text } from "../fixtures.js";
import { beaconTable, chain, dealFrom, lockRound, signed } from "./beacons.js";

const { vectors } = json("vectors", "raffle.json");
const of = (kind) => vectors.filter((vector) => vector.kind === kind);

/** A verdict in the form of the fixtures. */
const plain = ({ time, ...verdict }) => ({
  ...verdict,
  findings: verdict.findings.map(({ says, ...finding }) => {
    assert.ok(says.length > 0, finding.code);
    return finding;
  }),
});

/** The exit code of a command with these inputs, and the verdict. */
async function judged({ file, list, key, mine, kept, beacon, line, link, ...more }) {
  try {
    const chains = [];
    for (const chain of more.chains ?? []) chains.push(await readChain(JSON.stringify(chain)));
    const options = { key, policy: policyIn(more), chains, mine, kept, beacon, line, link };
    const { error, ...verdict } = await verifyRaffle(file, utf8(list), options);
    const exit = verdict.findings.length > 0 ? 1 : error !== undefined ? 3 : 0;
    return { exit, verdict: plain(verdict) };
  } catch (error) {
    assert.equal(error.name, "Refused", error.stack);
    return { exit: error.code === "unavailable" ? 3 : 2 };
  }
}

/** The recorded round that decides the drawn raffle of the fixtures. */
function drawnAt() {
  const { verdict } = json("raffles", "drawn", "case.json");
  return { verdict, signature: verdict.beacon.signature };
}

test("every entrant of raffle.json has the salt, the line and the link that the specification gives", () => {
  for (const { secret, address, page, form, salt, line, link, error } of of("entrant")) {
    const make = () => entrant(fromHex(secret), address);
    if (error !== undefined) {
      assert.equal(refusal(make), error, address);
      continue;
    }
    assert.deepEqual(make(), { address: form, salt, line });
    assert.equal(entrantLink(page, make()), link);
    assert.deepEqual(readEntrantLink(link), make());
  }
});

test("every link of raffle.json is read, or refused", () => {
  for (const { link, form, salt, line, error } of of("link")) {
    if (error === undefined)
      assert.deepEqual(readEntrantLink(link), { address: form, salt, line }, link);
    else
      assert.equal(
        refusal(() => readEntrantLink(link)),
        error,
        link,
      );
  }
});

test("the winners of every list of raffle.json", () => {
  for (const vector of of("winners")) {
    const { numbers, modulo, winners, server_seed, signature } = vector;
    const list =
      vector.list ?? Array.from({ length: numbers }, (_, i) => `${i % modulo}\n`).join("");
    const why = refusal(() => linesOf(utf8(list)));
    if (why !== null) {
      assert.equal(why, vector.error);
      continue;
    }
    const lines = linesOf(utf8(list));
    const different = new Set(lines).size;
    if (vector.error !== undefined) {
      assert.ok(vector.error === "winners" && different < winners);
      continue;
    }
    const draw = different === lines.length ? winners : lines.length;
    const terms = { method: "shuffle", deck: { count: lines.length, sha256: "" }, draw };
    const mixed = { nonce: 0, contributions: [], randomness: sha256(fromHex(signature)) };
    const order = deal(new HmacKey(fromHex(server_seed)), terms, mixed);
    const items = winnersOf(order, lines, winners).map(({ item }) => item);
    assert.deepEqual(
      { different, draw, items },
      {
        different: vector.different,
        draw: vector.draw,
        items: vector.items,
      },
    );
  }
});

test("every document of raffle.json: the exit code and the verdict", async () => {
  for (const { name, exit, verdict, ...given } of of("document")) {
    const expected = verdict === undefined ? { exit } : { exit, verdict };
    assert.deepEqual(await judged(given), expected, name);
  }
});

test("every raffle of the fixtures", async () => {
  for (const name of names("raffles")) {
    const { about, exit, verdict, ...given } = json("raffles", name, "case.json");
    const file = (each) => text("raffles", name, each);
    const policy = names("raffles", name).includes("policy") ? { policy: file("policy") } : {};
    const all = { file: file("document.json"), list: file("list.txt"), key: file("log.key") };
    assert.deepEqual(await judged({ ...all, ...policy, ...given }), { exit, verdict }, name);
  }
});

const NAMES = ["anna", "bob", "cleo", "dora", "emil", "fritz"];

/** A raffle of the chain of the tests: commit 0, lock 1. The draw is at NOON + 10. */
async function raffle({ lines = NAMES, rules = { winners: 2 }, ...more } = {}) {
  const list = utf8(lines.map((line) => `${line}\n`).join(""));
  const draw = new Set(lines).size < lines.length ? lines.length : rules.winners;
  const terms = {
    deck: { count: lines.length, sha256: toHex(sha256(list)) },
    draw,
    rounds: 1,
    rules: toHex(sha256(utf8(canonical(rules)))),
    ...more.terms,
  };
  const { log, table } = await beaconTable({ name: "raffle", ...terms });
  const lock = lockRound(table, RIGHT, more.lock);
  const document = async (indices = [0, 1], seed = true) => ({
    format: "fairdeal/raffle/v1",
    rules,
    receipt: await log.receipt(indices),
    ...(seed ? { server_seed: toHex(table.serverSeed) } : {}),
  });
  const verify = async (file, options) =>
    verifyRaffle(JSON.stringify(file), list, {
      key: log.signing.vkey,
      chains: [chain],
      ...options,
    });
  return { log, table, lock, list, document, verify };
}

const RIGHT = 12;
const beacon = signed(RIGHT);
const codes = ({ findings }) => findings.map(({ code, accuses }) => `${code} ${accuses}`);

test("a document shows when the draw is before anything is verified", async () => {
  const { document, log } = await raffle();
  const { beacon: named, origin, rules } = readRaffle(JSON.stringify(await document()));
  assert.deepEqual([named, origin], [{ chain: chain.hash, round: RIGHT }, log.key.name]);
  assert.deepEqual(rules, { winners: 2 });
});

test("a document has 4,194,304 bytes at most, also with its byte order mark", async () => {
  const { document } = await raffle();
  const file = JSON.stringify(await document());
  const most = 4_194_304 - utf8(file).length;
  const padded = (spaces) => file + " ".repeat(spaces);
  readRaffle(padded(most));
  readRaffle(`\ufeff${padded(most - 3)}`);
  for (const long of [padded(most + 1), `\ufeff${padded(most - 2)}`]) {
    assert.equal(
      refusal(() => readRaffle(long)),
      "unavailable",
    );
    assert.equal(
      refusal(() => readRaffle(utf8(long))),
      "unavailable",
    );
  }
});

test("of several wrong inputs the first one of the specification's order is refused", async () => {
  const { document, verify, log, list } = await raffle();
  const wrong = [
    ["key", { key: "x" }],
    ["beacon", { beacon: "x" }],
    ["link", { link: "#" }],
    ["mine", { mine: "x" }],
    ["kept", { kept: ["x"] }],
  ];
  const file = await document();
  for (const [i, [code]] of wrong.entries()) {
    const options = Object.assign({}, ...wrong.slice(i).map(([, each]) => each));
    await assert.rejects(verify(null, options), { name: "Refused", code }, code);
  }
  const key = log.signing.vkey;
  await assert.rejects(verifyRaffle(null, utf8("a"), { key }), { code: "list" });
  await assert.rejects(verifyRaffle(null, list, { key }), { code: "unavailable" });
  await assert.rejects(verify(file, { beacon: signed(RIGHT + 1) }), { code: "beacon" });
  const other = verifyRaffle(JSON.stringify(file), utf8("x\n"), { key, beacon: signed(RIGHT + 1) });
  await assert.rejects(other, { code: "list-mismatch" });
  await assert.rejects(verify(file, { line: "a", link: "#" }), TypeError);
});

test("a raffle whose whole commitment was given up has no lock that had effect, and is caught", async () => {
  const { log, document, table } = await raffle();
  const fork = log.fork(1);
  fork.push({ entry: "void", commitment: table.commitment, reason: "rain" });
  fork.append(log.entries[1]);
  const file = { ...(await document()), receipt: await fork.receipt([0, 1, 2]) };
  const { list } = await raffle();
  const verdict = await verifyRaffle(JSON.stringify(file), list, {
    key: log.signing.vkey,
    chains: [chain],
    beacon,
  });
  assert.deepEqual(codes(verdict), ["after-void operator"]);
  assert.deepEqual([verdict.state, verdict.void, verdict.beacon], ["caught", fork.now, undefined]);
});

test("a kept document makes a raffle fair, and neither one of another lock nor one with a void does", async () => {
  const { log, table, document, verify } = await raffle();
  const early = JSON.stringify(await document());
  const is = async (kept, file = JSON.parse(early)) => {
    const { state, shown, not_shown: missing } = await verify(file, { kept, beacon });
    const token = "kept-before-beacon";
    return [state, shown.includes(token), missing.includes(token)];
  };
  assert.deepEqual(await is([]), ["unproved", false, false]);
  assert.deepEqual(await is([early]), ["fair", true, false]);
  // A later receipt, without the seed, is as good.
  const secret = JSON.stringify(await document([0, 1], false));
  assert.deepEqual(await is([secret]), ["fair", true, false]);
  log.push({ entry: "void", commitment: table.commitment, nonce: 0, reason: "rain" });
  const late = await document([0, 1, 2]);
  // The void in what the reader kept is the raffle's.
  assert.deepEqual(await is([JSON.stringify(late)]), [undefined, false, true]);
  assert.deepEqual(await is([early, JSON.stringify(late)]), [undefined, true, false]);
  // A void has no state, and its winners are computed.
  const verdict = await verify(late, { kept: [early], beacon });
  assert.deepEqual([verdict.state, verdict.drawn.length, verdict.void], [undefined, 2, log.now]);
});

test("a finding of a kept document's own receipt is in the verdict, once, and between the others", async () => {
  const { log, table, lock, document, verify } = await raffle();
  const early = await document([0, 1], false);
  const revealed = (of, server_seed) =>
    of.push({ entry: "reveal", commitment: table.commitment, server_seed });
  const fork = log.fork();
  revealed(fork, "00".repeat(32));
  const lie = { ...early, receipt: await fork.receipt([0, 1, 2]) };
  const unsigned = { ...lie, receipt: { ...lie.receipt, checkpoint: "x" } };
  const with_ = async (file, ...kept) => {
    const verdict = await verify(file, { kept: kept.map((each) => JSON.stringify(each)), beacon });
    assert.equal(verdict.holds, verdict.findings.length === 0);
    return [verdict.state, ...codes(verdict)];
  };
  const own = "seed-mismatch operator";
  assert.deepEqual(await with_(early, lie), ["caught", own]);
  assert.deepEqual(await with_(early, early, lie, lie), ["caught", own]);
  assert.deepEqual(await with_(lie, lie), ["caught", own]);
  // Anybody can write a document that the log did not sign: nothing of it is found.
  assert.deepEqual(await with_(early, unsigned), [undefined]);
  assert.deepEqual(await with_(lie, unsigned), ["caught", own]);
  // Those among all files are the last: here the reveals differ at one index.
  dealFrom(table, lock, beacon);
  const { receipt } = await document([0, 1, 2]);
  assert.deepEqual(await with_({ ...early, receipt }, lie), [
    "caught",
    own,
    "inconsistent operator",
    "inconsistent operator",
  ]);
});

test("a seed that a kept document publishes is known, and every deal is replayed with it", async () => {
  const { log, table, lock, document, verify } = await raffle();
  const [secret, published] = [await document([0, 1], false), await document()];
  const fork = log.fork();
  dealFrom({ ...table, log: fork, serverSeed: sha256(utf8("x")) }, lock, beacon);
  const wrong = { ...secret, receipt: await fork.receipt([0, 1, 2]) };
  const of = async (file, ...kept) => {
    const verdict = await verify(file, { kept: kept.map((each) => JSON.stringify(each)), beacon });
    return [verdict.has_seed, verdict.state, ...codes(verdict)];
  };
  const found = "result-mismatch operator";
  assert.deepEqual(await of(secret, published), [true, "fair"]);
  assert.deepEqual(await of(wrong, published), [true, "caught", found]);
  assert.deepEqual(await of(published, wrong), [true, "caught", found]);
  assert.deepEqual(await of(secret, wrong), [false, undefined]);
});

test("a contribution in the lock is the reader's where winners are computed, and not after a void", async () => {
  const contributions = [{ from: "alice", seed: "lucky" }];
  const { log, table, document, verify } = await raffle({ lock: { contributions } });
  const of = async (indices, seed, more = { beacon }) => {
    const mine = { from: "alice", seed };
    const { shown, not_shown: missing } = await verify(await document(indices), { mine, ...more });
    return [shown.includes("yours"), missing.includes("yours")];
  };
  assert.deepEqual(await of([0, 1], "lucky"), [true, false]);
  assert.deepEqual(await of([0, 1], "lucky", {}), [false, true]);
  assert.deepEqual(await of([0, 1], "other"), [false, true]);
  log.push({ entry: "void", commitment: table.commitment, nonce: 0, reason: "rain" });
  assert.deepEqual(await of([0, 1, 2], "lucky"), [false, true]);
});

test("nothing is compared with contributions to other rounds", async () => {
  const { log, document, verify } = await raffle();
  const far = { log: log.signing.vkey, commitment: "00".repeat(32), nonce: 0 };
  const mine = [{ from: "alice", seed: "lucky", ...far }];
  const { error, holds } = await verify(await document(), { mine });
  assert.deepEqual([error.code, holds], ["other-round", true]);
  const { error: none } = await verify(await document(), { mine: [] });
  assert.equal(none, undefined);
});

test("a given signature may begin with a byte order mark, and has 65,536 bytes at most", async () => {
  const { document, verify } = await raffle();
  const file = await document();
  const answer = JSON.stringify({ round: RIGHT, signature: beacon });
  for (const each of [beacon, ` \n${beacon}`, answer]) {
    const verdict = await verify(file, { beacon: `\ufeff${each}` });
    assert.equal(verdict.beacon.signature, beacon);
    await verify(file, { beacon: each.padEnd(65_536) });
    await assert.rejects(verify(file, { beacon: each.padEnd(65_537) }), { code: "beacon" });
    await assert.rejects(verify(file, { beacon: `\ufeff\ufeff${each}` }), { code: "beacon" });
  }
});

test("a contribution that a kept document's lock does not have is found in it", async () => {
  const contributions = [{ from: "alice", seed: "lucky" }];
  const { log, document, verify } = await raffle({ lock: { contributions } });
  const { receipt } = await document();
  const file = await document();
  const [commit, lock] = log.entries.map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  const fork = log.fork(1);
  fork.push({ ...lock, contributions: [{ from: "alice", seed: "other" }] });
  const kept = JSON.stringify({ ...file, receipt: await fork.receipt([0, 1]) });
  const mine = { from: "alice", seed: "lucky", log: log.signing.vkey, nonce: 0 };
  const options = { kept: [kept], mine: { ...mine, commitment: commit.commitment }, beacon };
  assert.equal(receipt.entries.length, 2);
  assert.deepEqual(codes(await verify(file, options)), [
    "contribution-mismatch operator",
    "inconsistent operator",
    "inconsistent operator",
  ]);
});

test("a raffle without its seed says so, and a seed of the reveal is as good as one of the document", async () => {
  const { table, lock, document, verify } = await raffle();
  const before = await verify(await document([0, 1], false), { beacon });
  assert.deepEqual([before.has_seed, before.drawn, before.state], [false, undefined, undefined]);
  dealFrom(table, lock, beacon);
  await table.reveal({ nonce: 0 });
  const after = await verify(await document([0, 1, 2, 3], false));
  const given = await verify(await document(), { beacon });
  assert.deepEqual(after.drawn, given.drawn);
  assert.ok(
    after.has_seed && after.shown.includes("replayed") && !given.shown.includes("replayed"),
  );
});

test("a line that won has its place, and one that is not in the list has none", async () => {
  const { document, verify } = await raffle({ lines: ["anna", "bob", "anna", "cleo"] });
  const { drawn } = await verify(await document(), { beacon });
  const of = async (line) => (await verify(await document(), { beacon, line })).line;
  const [{ line: first }] = drawn;
  assert.equal((await of(first)).place, 0);
  assert.equal((await of("anna")).tickets, 2);
  assert.deepEqual(await of("zoe"), { line: "zoe", tickets: 0 });
});

test("nobody wins twice in a list of 2^20 lines, and it is verified", async () => {
  const lines = Array.from({ length: 2 ** 20 }, (_, i) => `member ${i % 1000}`);
  const { table, lock, document, verify } = await raffle({ lines, rules: { winners: 1000 } });
  dealFrom(table, lock, beacon);
  await table.reveal({ nonce: 0 });
  const verdict = await verify(await document([0, 1, 2, 3]), { line: "member 7" });
  assert.deepEqual([verdict.count, verdict.different, codes(verdict)], [2 ** 20, 1000, []]);
  assert.ok(verdict.shown.includes("replayed") && verdict.digest !== undefined);
  assert.equal(new Set(verdict.drawn.map(({ line }) => line)).size, 1000);
  assert.equal(verdict.line.tickets, 1049);
});

test("a raffle in a log for it alone is promised, and drawn when its number is out", async () => {
  const { verdict, signature } = drawnAt();
  const now = 1000 * verdict.beacon.out - 310_000;
  const list = utf8("anna\nbob\ncarol\nanna\n");
  const rules = { winners: 2, title: "Winter", prizes: ["a weekend"] };
  const { document, key } = await promiseRaffle(list, rules, verdict.beacon.out, now);
  const raffle = readRaffle(document);
  assert.equal(raffle.beacon.round, verdict.beacon.round);
  assert.match(raffle.origin, /^raffle\/[0-9a-f]{16}$/);
  assert.equal(key.split("+")[0], raffle.origin);
  // Two lines are equal: all are drawn (35.2).
  assert.equal(raffle.draw, 4);
  const before = await verifyRaffle(document, list, { key });
  assert.deepEqual([before.findings, before.shown, before.has_seed], [[], ["logged"], true]);
  const after = await verifyRaffle(document, list, { key, kept: [document], beacon: signature });
  assert.equal(after.state, "fair");
  assert.equal(new Set(after.drawn.map(({ line }) => line)).size, 2);
  // Each has its own key, seed and table.
  const other = await promiseRaffle(list, rules, verdict.beacon.out, now);
  assert.notEqual(other.key, key);
  assert.notEqual(readRaffle(other.document).commitment, raffle.commitment);
  assert.notEqual(readRaffle(other.document).table, raffle.table);
});

test("what cannot be promised is refused, with what was expected", async () => {
  const list = utf8("anna\nbob\n");
  const soon = Math.floor(Date.now() / 1000) + 100;
  const rules = { winners: 1 };
  for (const [args, code, says] of [
    [[utf8("anna\n\n"), rules, soon], "list", /line/],
    [[utf8("a\na\n"), { winners: 2 }, soon], "list", /2 win, and the list has 1 different/],
    [[list, rules, soon - 200], "draw", /from now to 335 days ahead/],
    [[list, rules, soon + 335 * 86_400], "draw", /from now to 335 days ahead/],
    [[list, rules, soon + 0.5], "draw", /from now/],
    [[list, rules, NaN], "draw", /from now/],
    [[list, { winners: 0 }, soon], "unavailable", /winners/],
    [[list, { winners: 1, prizes: ["a", "b"] }, soon], "unavailable", /2 prizes/],
    [[list, { winners: 1, title: "" }, soon], "unavailable", /title/],
  ])
    await assert.rejects(promiseRaffle(...args), (error) => {
      assert.equal(error.code, code, error.message);
      assert.match(error.message, says);
      return true;
    });
  await assert.rejects(promiseRaffle("anna\n", rules, soon), TypeError);
  await assert.rejects(promiseRaffle(list, "one", soon), TypeError);
});
