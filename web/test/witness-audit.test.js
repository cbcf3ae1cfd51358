// What witnesses show of a whole log (spec/ledger.md, section 9.3; spec/audit.md, sections 13.3 and
// 15.1).

import assert from "node:assert/strict";
import { test } from "node:test";

import { auditExport } from "../fairdeal/index.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { NOON, Witness, anchor, cosigned, policyOf } from "./witnesses.js";

const [a, b, c] = ["a", "b", "c"].map((name) => new Witness(name));
const twoOfThree = policyOf([a, b, c], "group g 2 a b c", "quorum g");
const one = policyOf([a], "quorum a");

/** A log with a commit at a time, which is the second entry's too. */
async function logAt(time) {
  const log = await ModelLog.make();
  const table = new ModelTable(log, "t");
  await table.commit({ time, reveal_by: time + 86_400_000 });
  return { log, table };
}

/** Audits a log, under its own checkpoint if no other one is given. */
async function audit(log, policy, { checkpoint, ...more } = {}) {
  const file = log.exported(checkpoint ?? (await log.checkpoint()));
  const verdict = await auditExport(file, { key: log.signing.vkey, policy, ...more });
  const found = verdict.findings.map(({ code, index, accuses }) =>
    [code, index, accuses].join(" "),
  );
  return { ...verdict, found };
}

const codesOf = async (...args) => (await audit(...args)).found;

test("an entry is backdated if its time is more than 300,000 ms before the floor", async () => {
  const limit = 1000 * NOON - 300_000;
  for (const [time, index] of [
    [limit, null],
    [limit - 1, 2],
  ]) {
    const { log } = await logAt(limit - 2);
    const signed = [
      [a, NOON - 50],
      [b, NOON],
      [c, NOON + 50],
    ];
    // The second greatest second of three.
    log.push(anchor(log, 1, signed, { time: limit }));
    const table = new ModelTable(log, "u");
    await table.commit({ time, reveal_by: time + 1 });
    const found = await audit(log, twoOfThree);
    const late = [`time-runs-back 2 operator`, "backdated 2 operator"];
    assert.deepEqual(found.found, index === null ? [] : late);
    // Only the policy shows it.
    assert.deepEqual(await codesOf(log), index === null ? [] : late.slice(0, 1));
    assert.ok(!("witnesses" in (await audit(log))));
    if (index === null) continue;
    const { class: is, commitment, nonce, says } = found.findings[1];
    assert.deepEqual([is, commitment, nonce], ["time", table.commitment, null]);
    assert.match(says, /under your policy.*"a", "b", "c"/);
    // Who is no part of the quorum is not named.
    const { findings } = await audit(log, policyOf([a, b, c], "group g any a b", "quorum g"));
    assert.match(findings.at(-1).says, /under your policy.*\("a", "b"\)/);
  }
});

test("an anchor itself is backdated, and one without a quorum, a second or effect raises no floor", async () => {
  const limit = 1000 * NOON - 300_000;
  const judge = async (signed, { policy = twoOfThree, time = limit - 1, size = 1 } = {}) => {
    const { log } = await logAt(limit - 2);
    log.push(anchor(log, 1, signed, { time, size }));
    return codesOf(log, policy);
  };
  const two = [
    [a, NOON],
    [b, NOON],
  ];
  assert.deepEqual(await judge(two), ["backdated 1 operator"]);
  assert.deepEqual(await judge(two, { time: limit }), []);
  assert.deepEqual(await judge([[a, NOON]]), []);
  assert.deepEqual(
    await judge([
      [a, NOON],
      [b, NOON - 1],
    ]),
    [],
  );
  // A time of 0 is none, and counts for the quorum.
  assert.deepEqual(
    await judge([
      [a, NOON],
      [b, 0],
    ]),
    [],
  );
  assert.deepEqual(await judge([[new Witness("a"), NOON], ...two]), ["backdated 1 operator"]);
  assert.deepEqual(await judge(two, { policy: policyOf([a, b], "quorum none") }), []);
  // The lines are of another size: nobody signed this one.
  assert.deepEqual(await judge(two, { size: 2 }), ["split-view 1 operator"]);
  // It has no effect, because its size is not over that of the one before.
  const { log } = await logAt(limit - 2);
  log.push(anchor(log, 1, [[c, NOON]], { time: limit - 1 }));
  log.push(anchor(log, 1, two, { time: limit - 1 }));
  log.push({ entry: "x", time: limit - 1 });
  assert.deepEqual(await codesOf(log, twoOfThree), [
    "invalid-entry 2 operator",
    "invalid-entry 3 operator",
  ]);
});

test("the floor is the greatest of the anchors so far, also of one that is of another log", async () => {
  const { log } = await logAt(1000 * NOON);
  const root = new Uint8Array(32);
  log.push(anchor(log, 1, [[a, NOON]], { time: 1000 * NOON, root }));
  // A lower one does not lower it.
  log.push(anchor(log, 2, [[a, NOON - 200]], { time: 1000 * NOON }));
  const table = new ModelTable(log, "u");
  const time = 1000 * NOON - 300_001;
  await table.commit({ time, reveal_by: time + 1 });
  assert.deepEqual(await codesOf(log, one), [
    "split-view 1 operator",
    "time-runs-back 3 operator",
    "backdated 3 operator",
  ]);
});

test("an entry is ahead of time if its time is more than 300 s after a quorum had signed it", async () => {
  const by = NOON;
  for (const [late, found] of [
    [0, []],
    [1, ["time-ahead 1 operator"]],
  ]) {
    const time = 1000 * (by + 300) + late;
    const make = async () => {
      const { log } = await logAt(time - 1);
      // Two of one time: the first of them is found.
      for (const name of ["u", "v"])
        await new ModelTable(log, name).commit({ time, reveal_by: time + 86_400_000 });
      return log;
    };
    const byAnchor = await make();
    byAnchor.push(
      anchor(
        byAnchor,
        3,
        [
          [a, by],
          [b, by + 9],
          [c, by - 9],
        ],
        { time },
      ),
    );
    assert.deepEqual(await codesOf(byAnchor, twoOfThree), found);
    assert.deepEqual(await codesOf(byAnchor), []);
    // By the checkpoint alone.
    const log = await make();
    const checkpoint = await cosigned(log, [
      [a, by],
      [b, by],
    ]);
    const { findings, found: codes } = await audit(log, twoOfThree, { checkpoint });
    assert.deepEqual(codes, found);
    assert.deepEqual(await codesOf(log, undefined, { checkpoint }), []);
    if (late === 1) assert.match(findings[0].says, /under your policy.*"a", "b"/);
    // By the reader's clock too: it is one finding.
    const clock = 1000 * by;
    assert.deepEqual(await codesOf(log, twoOfThree, { checkpoint, clock }), found);
    assert.deepEqual(await codesOf(log, undefined, { clock }), found);
  }
});

test("an entry is compared with the sizes that have it, and with those alone that prove", async () => {
  const time = 1000 * (NOON + 300) + 1;
  const judge = async (make, { policy = one, note } = {}) => {
    const { log } = await logAt(1000 * NOON);
    await new ModelTable(log, "u").commit({ time, reveal_by: time + 1 });
    log.push(make(log));
    const checkpoint = note === undefined ? undefined : await note(log);
    const { found, witnesses } = await audit(log, policy, { checkpoint });
    assert.equal(witnesses.size === null, witnesses.proving === 0);
    return [found, witnesses.anchors, witnesses.proving];
  };
  const ahead = ["time-ahead 1 operator"];
  const anchored = (size, signed, more) => (log) => anchor(log, size, signed, { time, ...more });
  const signed = [[a, NOON]];
  assert.deepEqual(await judge(anchored(2, signed)), [ahead, 1, 1]);
  // The entry is not under the size.
  assert.deepEqual(await judge(anchored(1, signed)), [[], 1, 1]);
  assert.deepEqual(await judge(anchored(2, [[b, NOON]])), [[], 1, 0]);
  assert.deepEqual(await judge(anchored(2, [[a, 0]])), [[], 1, 1]);
  const root = new Uint8Array(32);
  const split = ["split-view 2 operator"];
  assert.deepEqual(await judge(anchored(2, signed, { root })), [split, 1, 0]);
  assert.deepEqual(await judge(anchored(3, signed, { root })), [split, 1, 0]);
  const none = policyOf([a], "quorum none");
  assert.deepEqual(await judge(anchored(2, signed), { policy: none }), [[], 1, 0]);
  // A log without roots proves nothing.
  assert.deepEqual(await judge(anchored(2, signed), { note: (log) => log.note(3, root) }), [
    ["tree-mismatch  writer"],
    1,
    0,
  ]);
  // A checkpoint with extension lines does not prove. Its anchors do.
  const extended = async (log) => {
    const text = `${(await log.checkpoint()).split("\n\n")[0]}\nmore\n`;
    const own = await log.note(3, log.tree.rootAt(3), "more\n");
    return `${own}${a.line(NOON, text)}\n`;
  };
  assert.deepEqual(await judge(anchored(1, signed), { note: extended }), [
    ["bad-signature  nobody"],
    1,
    1,
  ]);
});

test("an entry that no anchor has yet is compared with the next one", async () => {
  const { log } = await logAt(1000 * NOON);
  const time = 1000 * (NOON + 300) + 1;
  await new ModelTable(log, "u").commit({ time, reveal_by: time + 60_000 });
  for (const size of [1, 2]) log.push(anchor(log, size, [[a, NOON]], { time: time + size }));
  assert.deepEqual(await codesOf(log, one), ["time-ahead 1 operator"]);
});

test("a checkpoint with a line of a witness that does not verify is refused, and the entries stay signed", async () => {
  const { log } = await logAt(1000 * NOON);
  log.push({ entry: "x" });
  const [good] = (await cosigned(log, [[a, NOON]])).split("\n").slice(-2);
  const own = await log.checkpoint();
  const wrong = `${a.line(NOON, "x\n1\n")}\n`;
  const invalid = "invalid-entry 1 operator";
  const refused = ["bad-signature  nobody", invalid];
  assert.deepEqual(await codesOf(log, one, { checkpoint: `${own}${good}\n` }), [invalid]);
  for (const checkpoint of [`${own}${wrong}`, `${own}${good}\n${wrong}`])
    for (const [policy, codes] of [
      [one, refused],
      [policyOf([a], "quorum none"), refused],
      [policyOf([b], "quorum b"), [invalid]],
      [undefined, [invalid]],
    ])
      assert.deepEqual(await codesOf(log, policy, { checkpoint }), codes);
  // In an anchor such a line is ignored.
  const fork = log.fork(1);
  fork.push({ ...anchor(log, 1, [[a, NOON]]), cosignatures: [wrong.trimEnd()] });
  const { found, witnesses } = await audit(fork, one);
  assert.deepEqual([found, witnesses.anchors, witnesses.proving], [[], 1, 0]);
});

test("the numbers of an audit with a policy", async () => {
  const log = await ModelLog.make();
  const table = new ModelTable(log, "t", { mixing: "seeds", rounds: 9 });
  log.now = 1000 * NOON;
  const empty = await audit(log, one, { checkpoint: await cosigned(log, [[a, NOON]]) });
  const nothing = {
    policy: one.hash,
    anchors: 0,
    proving: 0,
    size: null,
    by: null,
    longest: null,
    not_covered: 0,
    reveals_not_in_time: 0,
    locks_not_before_beacon: 0,
    voids_not_before_beacon: 0,
  };
  assert.equal(JSON.stringify(empty.witnesses), JSON.stringify(nothing));
  assert.equal(
    Object.keys(empty)
      .filter((name) => name !== "found")
      .at(-1),
    "witnesses",
  );

  await table.commit({ reveal_by: 1000 * (NOON + 1000) });
  log.push(anchor(log, 1, [[a, NOON + 100]]));
  log.push(anchor(log, 2, [[b, NOON + 150]]));
  log.push(anchor(log, 3, [[a, 0]]));
  log.push(anchor(log, 4, [[a, NOON + 90]]));
  assert.deepEqual((await audit(log, one)).witnesses, {
    ...nothing,
    anchors: 4,
    proving: 3,
    size: 4,
    by: NOON + 90,
    // The times run back: it is 0 at least.
    longest: 0,
    not_covered: 1,
  });
  table.reveal({ nonce: 0 });
  assert.equal(log.size, 6);
  const last = (second) => async () => cosigned(log, [[a, second]]);
  for (const [checkpoint, size, by, longest, notCovered, late] of [
    [() => log.checkpoint(), 4, NOON + 90, 0, 2, 1],
    [last(0), 6, null, 0, 0, 1],
    [last(NOON + 290), 6, NOON + 290, 200, 0, 0],
    // At most 300 s after it was due.
    [last(NOON + 1300), 6, NOON + 1300, 1210, 0, 0],
    [last(NOON + 1301), 6, NOON + 1301, 1211, 0, 1],
  ])
    assert.deepEqual((await audit(log, one, { checkpoint: await checkpoint() })).witnesses, {
      ...nothing,
      anchors: 4,
      proving: 3,
      size,
      by,
      longest,
      not_covered: notCovered,
      reveals_not_in_time: late,
    });
  // An anchor has not seen what comes after its size.
  log.push(anchor(log, 5, [[a, NOON + 300]]));
  assert.equal((await audit(log, one)).witnesses.reveals_not_in_time, 1);
  log.push(anchor(log, 6, [[a, NOON + 400]]));
  assert.equal((await audit(log, one)).witnesses.reveals_not_in_time, 0);
  // Any size over it is enough.
  log.push(anchor(log, 7, [[a, NOON + 9000]]));
  const { witnesses, found } = await audit(log, one);
  assert.deepEqual([witnesses.reveals_not_in_time, witnesses.longest], [0, 8600]);
  assert.deepEqual(found, ["backdated 7 operator", "backdated 8 operator"]);
});

test("a policy that lists other logs is refused, and what is no policy is a mistake", async () => {
  const { log } = await logAt(1000 * NOON);
  const other = await ModelLog.make("other.example/log");
  const file = log.exported(await log.checkpoint());
  const key = log.signing.vkey;
  const listing = (...logs) =>
    policyOf([a], ...logs.map(({ signing }) => `log ${signing.vkey}`), "quorum a");
  for (const policy of [listing(log), listing(other, log), one])
    assert.ok((await auditExport(file, { key, policy })).holds);
  await assert.rejects(auditExport(file, { key, policy: listing(other) }), {
    name: "Refused",
    code: "policy",
    message: /for other logs/,
  });
  await assert.rejects(auditExport(file, { key, policy: "witness a" }), {
    name: "TypeError",
    message: /expected policy, a policy that readPolicy made, found a string/,
  });
});

test("a log with very many anchors is judged in time that grows with it", async () => {
  const { log } = await logAt(1);
  const lines = [[b, NOON]];
  const cosignatures = anchor(log, 1, lines).cosignatures;
  for (let i = 0; i < 3000; i++) log.push({ entry: "x" });
  for (let size = 1; size <= 3000; size++)
    log.push({
      entry: "anchor",
      size,
      root: "00".repeat(32),
      cosignatures,
      time: size + 1,
    });
  const { counts, witnesses } = await audit(log, one);
  assert.deepEqual(counts, { "invalid-entry": 3000, "split-view": 3000 });
  assert.deepEqual([witnesses.anchors, witnesses.proving], [3000, 0]);
});
