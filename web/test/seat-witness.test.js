// A player's kit with a policy opens no seed before a quorum of the player's witnesses signed its lock
// (spec/receipt.md, sections 11.8 and 11.11).

import assert from "node:assert/strict";
import { test } from "node:test";

import { checkpointText } from "../fairdeal/checkpoint.js";
import { evidenceFiles } from "../fairdeal/evidence.js";
import { toGive, toOpen } from "../fairdeal/index.js";
import { ModelLog, ModelTable } from "./model-log.js";
import { assertCaught, bob, codes, locked, seatAt, start } from "./seat-game.js";
import { NOON, Witness, anchor, policyOf } from "./witnesses.js";

const [a, b, c] = ["a", "b", "c"].map((name) => new Witness(name));
const two = policyOf([a, b, c], "group g 2 a b c", "quorum g");
const NONE = "0 of your 3 witnesses have signed the lock yet; your policy needs 2";
const ONE = "1 of your 3 witnesses have signed the lock yet; your policy needs 2";
/** A time to wait in which the log is asked once. */
const SHORT = 40;

/** The lines of these witnesses under a checkpoint of a log. */
const lines = (log, witnesses, size = log.size, root = log.tree.rootAt(size)) => {
  const text = checkpointText(log.key.name, size, root);
  return witnesses.map((each) => `${each.line(NOON, text)}\n`).join("");
};

/** From now on each checkpoint that the log shows has these lines. */
function shows(log, linesOf) {
  log.checkpoint = async (size = log.size) =>
    (await ModelLog.prototype.checkpoint.call(log, size)) + linesOf(size);
}
const signedBy = (log, ...witnesses) => shows(log, (size) => lines(log, witnesses, size));

/** A game with a seat that has a policy, up to its lock, which nobody has signed. */
async function game(more = {}) {
  const made = await start({ more: { policy: two, coverWait: SHORT, ...more } });
  /** What the seat has sent: its only way out but for what it returns. */
  made.sent = [];
  const answer = made.log.fetch;
  made.log.asked = () => {};
  made.alice.log.fetch = async (url, init) => {
    made.sent.push(JSON.stringify([url, init?.body]));
    if (String(url).includes("/rounds/")) await made.log.asked();
    return answer(url, init);
  };
  const { lock, given, other } = await locked(made);
  return Object.assign(made, { lock, given, other });
}

/** Asserts that a message opens nothing, with the words that are told, and that the seed is nowhere. */
async function stays({ alice, sent, table, storage, log }, message, says, options) {
  const before = alice.state.findings.length;
  const refused = { name: "Refused", code: "uncovered", message: `${says}: the seed stays secret` };
  await assert.rejects(alice.receive(message, options), refused);
  const { state, claims, findings } = alice.state;
  assert.deepEqual([state, claims[0]], ["unsure", { code: "uncovered", says }]);
  assert.equal(findings.length, before, "nobody is accused");
  const record = await alice.book.find(table.commitment, 0);
  assert.equal(record.opened, undefined);
  const { seed, blind } = record.kept;
  for (const each of [...sent, await alice.export()])
    assert.ok(!each.includes(seed) && !each.includes(blind));
  // Another page of this browser, with the same policy, opens nothing either.
  const again = await seatAt(log, { storage, policy: two, coverWait: 0 });
  await assert.rejects(again.receive(message), { code: "uncovered" });
}

const opens = ({ table, other }, mine) => table.deal([mine, toOpen(other)]);

test("a lock under a checkpoint that a quorum signed is opened at once, and the round is fair", async () => {
  const made = await game({ coverWait: 0 });
  signedBy(made.log, a, c);
  const lock = await made.log.round(made.table.commitment, 0);
  const before = made.sent.length;
  const mine = await made.alice.receive(lock);
  assert.deepEqual(Object.keys(mine).sort(), ["blind", "commitment", "from", "nonce", "seed"]);
  assert.ok(!made.sent.slice(before).some((each) => each.includes("/rounds/")), "nothing is asked");
  await made.alice.receive(await opens(made, mine));
  await made.alice.receive(await made.table.reveal());
  assert.deepEqual([made.alice.state.state, made.alice.state.claims], ["fair", []]);
});

test("the log is asked again until a quorum has signed the lock, and the seat says what it waits for", async () => {
  const made = await game({ coverWait: 20_000 });
  const told = [];
  made.alice.addEventListener("verdict", ({ detail }) => told.push(detail.claims));
  let asked = 0;
  // At the first time one witness has signed it, at the second one the log does not answer.
  made.log.asked = () => {
    asked++;
    if (asked === 1) signedBy(made.log, b);
    if (asked === 2) throw new TypeError("the network is down");
    if (asked > 2) signedBy(made.log, b, c);
  };
  const mine = await made.alice.receive(made.lock);
  assert.ok(mine !== null && asked >= 3, String(asked));
  const waits = told.filter((claims) => claims.length > 0).map(([{ says }]) => says);
  assert.deepEqual([...new Set(waits)], [NONE, ONE]);
  assert.deepEqual([made.alice.state.stage, made.alice.state.claims], ["opened", []]);
  const { files } = await evidenceFiles(await made.alice.export());
  const kept = files.find(({ name }) => name.startsWith("lock")).file;
  assert.ok(JSON.stringify(kept).includes(`${c.name} `), "the receipt that shows it is kept");
});

test("an anchor covers a lock, if the receipt proves its root; alone it shows nothing", async () => {
  const made = await game({ coverWait: 5_000 });
  const { log } = made;
  const { commitment } = made.table;
  log.round = () => log.receipt([0, 1, ...(log.size > 2 ? [2] : [])]);
  made.log.asked = () => {
    if (log.size === 2)
      log.push(
        anchor(log, 2, [
          [a, NOON],
          [b, NOON],
        ]),
      );
  };
  const mine = await made.alice.receive(made.lock);
  assert.equal(mine.commitment, commitment);

  const other = await game();
  other.log.push(
    anchor(other.log, 2, [
      [a, NOON],
      [b, NOON],
    ]),
  );
  const whole = await other.log.receipt([0, 1, 2]);
  const bare = { ...whole, seen: whole.seen.filter(({ size }) => size !== 2) };
  other.log.round = () => bare;
  await stays(other, bare, NONE);
});

test("a lock that no quorum signs in time is not opened, and nothing is sent", async () => {
  const made = await game();
  await stays(made, made.lock, NONE);
  signedBy(made.log, c);
  await stays(made, await made.log.round(made.table.commitment, 0), ONE);
  // Later it is signed after all.
  signedBy(made.log, c, a);
  assert.notEqual(await made.alice.receive(made.lock), null);
});

test("nothing counts but the signatures of the policy's own witnesses for this tree, over the lock", async () => {
  const made = await game();
  const { log, table } = made;
  const fork = log.fork(1);
  fork.push({ entry: "void", commitment: table.commitment, reason: "another tree" });
  const impostors = ["a", "b", "c"].map((name) => new Witness(name));
  const renamed = [a, b].map((each) => Object.assign(Object.create(each), { name: "d" }));
  for (const [how, text] of Object.entries({
    "of others with these names": lines(log, impostors),
    "under other names": lines(log, renamed),
    "of another tree of this size": lines(fork, [a, b, c]),
    "of a smaller size": lines(log, [a, b, c], 1),
    "twice of one witness": lines(log, [a, a]),
  })) {
    shows(log, () => text);
    const receipt = await log.round(table.commitment, 0);
    if (/another tree|smaller/.test(how)) {
      // A line of a witness that does not verify refuses the note under the policy.
      await assert.rejects(
        made.alice.receive(receipt),
        { code: "uncovered", message: /bad-sig/ },
        how,
      );
      assert.equal((await made.alice.book.find(table.commitment, 0)).opened, undefined);
    } else await stays(made, receipt, how.startsWith("twice") ? ONE : NONE);
  }
  // A quorum with one forged line more: this file is refused, and the next one is not.
  shows(log, (size) => lines(log, [a, b], size) + lines(fork, [c], 2));
  const bad = await log.round(table.commitment, 0);
  await assert.rejects(made.alice.receive(bad), { code: "uncovered" });
  signedBy(log, a, b);
  assert.notEqual(await made.alice.receive(bad), null);
});

test("a size covers the lock only if it is over the lock's index", async () => {
  for (const [size, isOver] of [
    [1, false],
    [2, true],
  ]) {
    const made = await game();
    const { log } = made;
    log.push(
      anchor(log, size, [
        [a, NOON],
        [b, NOON],
      ]),
    );
    log.round = () => log.receipt([0, 1, 2]);
    const taken = made.alice.receive(await log.round());
    if (isOver) assert.notEqual(await taken, null);
    else
      await assert.rejects(taken, { code: "uncovered", message: `${NONE}: the seed stays secret` });
  }
});

test("the words count the signatures over the lock, and say if they are many and no quorum", async () => {
  const made = await game();
  const { log } = made;
  log.push(anchor(log, 1, [[a, NOON]]));
  log.round = () => log.receipt([0, 1, 2]);
  await stays(made, await log.round(), NONE);
  const other = await game({ policy: policyOf([a, b], "quorum a") });
  signedBy(other.log, b);
  const says = "1 of your 2 witnesses have signed the lock yet; this is no quorum of your policy";
  await assert.rejects(other.alice.receive(await other.log.receipt([0, 1])), {
    message: `${says}: the seed stays secret`,
  });
});

test("signatures of two sizes do not add up to a quorum", async () => {
  const made = await game();
  const { log } = made;
  log.push(anchor(log, 2, [[a, NOON]]));
  signedBy(log, b);
  log.round = () => log.receipt([0, 1, 2]);
  await stays(made, await log.round(), ONE);
});

test("a checkpoint that a quorum signed covers no lock that is not in its tree", async () => {
  const made = await game();
  const { log, table } = made;
  // The witnessed log goes on without the lock, and its checkpoint is shown with the lock of a fork.
  const fork = log.fork(1);
  for (const name of ["x", "y"]) await new ModelTable(fork, name).commit();
  signedBy(fork, a, b, c);
  const lie = { ...(await log.round(table.commitment, 0)), checkpoint: await fork.checkpoint() };
  log.round = () => lie;
  assert.equal(await made.alice.receive(lie), null);
  assert.equal((await made.alice.book.find(table.commitment, 0)).opened, undefined);
  // The lock's own receipt waits, whatever the log answers.
  await assert.rejects(made.alice.receive(made.lock), { code: "uncovered" });
});

test("with two locks, of which witnesses signed the one that the player was not shown, the fork is caught, and nothing is opened", async () => {
  for (const isFirst of [false, true]) {
    const made = await game({ coverWait: 3_000 });
    const { log, table, given, alice } = made;
    // Another lock around the same hash, with a seed of the house.
    const fork = log.fork(1);
    const house = await bob(fork, table, 0, "house");
    const there = Object.assign(Object.create(Object.getPrototypeOf(table)), table, { log: fork });
    await there.lock([given, toGive(house)]);
    signedBy(fork, a, b, c);
    log.round = () => fork.round(table.commitment, 0);
    if (isFirst) {
      // The seed is opened under the lock that was signed, and never under the other one.
      const mine = await alice.receive(await log.round());
      assert.notEqual(mine, null);
      assert.equal(await alice.receive(made.lock), null);
    } else assert.equal(await alice.receive(made.lock), null);
    await assertCaught(alice, log, "inconsistent");
    const { opened } = await alice.book.find(table.commitment, 0);
    assert.equal(opened !== undefined, isFirst);
  }
});

test("an answer of the log that does not show the lock ends no wait", async () => {
  const made = await game({ coverWait: 10_000 });
  const { log, table } = made;
  const answers = [
    () => null,
    () => log.receipt([0]),
    () => ({}),
    async () => {
      signedBy(log, a, b);
      return log.receipt([0, 1]);
    },
  ];
  log.round = () => (answers.length > 1 ? answers.shift() : answers[0])();
  const mine = await made.alice.receive(made.lock);
  assert.equal(mine.commitment, table.commitment);
});

test("a round that is given up while its lock waits is not opened, and no error is thrown", async () => {
  const made = await game({ coverWait: 10_000 });
  const { log, table } = made;
  made.log.asked = () => {
    if (log.size > 2) return;
    log.push({ entry: "void", commitment: table.commitment, nonce: 0, reason: "no opening" });
    signedBy(log, a, b, c);
  };
  assert.equal(await made.alice.receive(made.lock), null);
  assert.equal(made.alice.state.stage, "voided");
  assert.equal((await made.alice.book.find(table.commitment, 0)).opened, undefined);
});

test("other messages are taken while a lock waits, and each of them gets its own answer", async () => {
  const made = await game({ coverWait: 20_000 });
  let come;
  const signed = new Promise((resolve) => (come = resolve));
  made.log.asked = () => signed;
  const first = made.alice.receive(made.lock);
  await assert.rejects(made.alice.receive("{"), { code: "unavailable" });
  assert.equal(await made.alice.receive(made.promise), null);
  // The game's server has the signatures before the log shows them.
  signedBy(made.log, a, b);
  const second = await made.alice.receive(await made.log.receipt([0, 1]));
  come();
  assert.deepEqual(await first, second);
});

test("an uncovered lock is opened if the player says so, after the wait; and it is said for ever", async () => {
  const made = await game();
  await stays(made, made.lock, NONE);
  const start = performance.now();
  const mine = await made.alice.receive(made.lock, { acceptUncovered: true });
  assert.ok(performance.now() - start >= SHORT - 1, "it was asked for first");
  assert.notEqual(mine, null);
  const says = `your seed was opened before witnesses had seen the lock: ${NONE}`;
  const claim = { code: "opened-uncovered", says };
  assert.deepEqual(made.alice.state.claims, [claim]);
  // It is for this call alone.
  await assert.rejects(made.alice.receive(made.lock), { code: "uncovered" });
  await made.alice.receive(await opens(made, mine));
  await made.alice.receive(await made.table.reveal());
  const { state, claims } = made.alice.state;
  assert.deepEqual([state, claims], ["fair", [claim]]);
  const again = await seatAt(made.log, { storage: made.storage, policy: two });
  assert.deepEqual(again.state.claims, [claim]);
  const { findings } = await evidenceFiles(await made.alice.export());
  assert.deepEqual(codes(findings), ["opened-uncovered"]);
});

test("who accepts an uncovered lock accepts the one in the message, and no other that the log answers with", async () => {
  const made = await game();
  const { log, table, alice } = made;
  const { commitment } = table;
  const next = await alice.contribute({ commitment, nonce: 1, promise: made.promise });
  await table.lock([next, toGive(await bob(log, table, 1))], { nonce: 1 });
  log.round = () => log.receipt([0, 2]);
  const mine = await alice.receive(made.lock, { acceptUncovered: true });
  assert.equal(mine.nonce, 0);
  assert.equal((await alice.book.find(commitment, 1)).opened, undefined);
});

test("to accept uncovered locks changes nothing for a covered one, or for one that is not the player's", async () => {
  const made = await game();
  signedBy(made.log, a, b);
  const options = { acceptUncovered: true };
  assert.notEqual(await made.alice.receive(await made.log.receipt([0, 1]), options), null);
  assert.deepEqual(made.alice.state.claims, []);
  const other = await game();
  const stranger = await seatAt(other.log, { from: "carol", policy: two, coverWait: 0 });
  assert.equal(await stranger.receive(other.lock, options), null);
  // Only true is a yes.
  await assert.rejects(other.alice.receive(other.lock, { acceptUncovered: "no" }), {
    code: "uncovered",
  });
});

test("without the log's address nothing can be asked: an uncovered lock is refused at once", async () => {
  const made = await start({ more: { log: null, policy: two, coverWait: 60_000 } });
  const { lock } = await locked(made);
  await assert.rejects(made.alice.receive(lock), { code: "uncovered" });
  signedBy(made.log, a, b);
  assert.notEqual(await made.alice.receive(await made.log.receipt([0, 1])), null);
});

test("a seed is not opened by a contribution, or by the check of a due reveal, that comes with an uncovered lock", async () => {
  const made = await game({ coverWait: 60_000 });
  const { commitment } = made.table;
  await made.alice.contribute({
    commitment,
    nonce: 1,
    promise: { all: [made.promise, made.lock] },
  });
  await made.alice.check(commitment, 0);
  assert.equal((await made.alice.book.find(commitment, 0)).opened, undefined);
  assert.ok(!codes(made.alice.state.claims).includes("silent"));
});

test("a policy that cannot be used is refused before a hash is made", async () => {
  const log = await ModelLog.make();
  const other = await ModelLog.make("other.example/log");
  const refused = (policy, error) => assert.rejects(seatAt(log, { policy }), error);
  await refused(policyOf([a], "quorum a", `log ${other.signing.vkey}`), { code: "policy" });
  await refused(policyOf([a], "quorum none"), { code: "policy", message: /none/ });
  await refused("quorum none", TypeError);
  await refused(null, TypeError);
  await seatAt(log, { policy: policyOf([a], "quorum a", `log ${log.signing.vkey}`) });
  for (const coverWait of [-1, 0.5, NaN, Infinity])
    await assert.rejects(seatAt(log, { policy: two, coverWait }), TypeError);
});

test("what is found under the policy alone accuses nobody in the seat, and opens nothing", async () => {
  const made = await start({ more: { policy: two, coverWait: SHORT } });
  const { log, table, alice, promise } = made;
  const { commitment } = table;
  // Witnesses signed the promise's tree an hour after the time that the lock states.
  log.push(
    anchor(log, 1, [
      [a, NOON + 3600],
      [b, NOON + 3600],
    ]),
  );
  const given = await alice.contribute({ commitment, nonce: 0, promise });
  await table.lock([given, toGive(await bob(log, table))]);
  signedBy(log, a, b);
  log.round = () => log.receipt([0, 1, 2]);
  await assert.rejects(alice.receive(await log.round()), {
    code: "uncovered",
    message: /backdated/,
  });
  assert.deepEqual(alice.state.findings, []);
  assert.equal((await alice.book.find(commitment, 0)).opened, undefined);
});

test("without a policy witnesses change nothing: a lock is opened at once, also with a forged line", async () => {
  for (const size of [2, 1]) {
    const made = await game({ policy: undefined });
    shows(made.log, () => lines(made.log, [a, b], size));
    assert.notEqual(await made.alice.receive(await made.log.receipt([0, 1])), null);
    assert.deepEqual(made.alice.state.claims, []);
  }
  const bare = await game({ policy: undefined });
  assert.notEqual(await bare.alice.receive(bare.lock), null);
  assert.ok(!bare.sent.some((each) => each.includes("/rounds/")), "nothing is asked");
});
