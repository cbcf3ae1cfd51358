import assert from "node:assert/strict";
import { after, test } from "node:test";

import { NobodyLeft, dealer } from "../fairdeal/dealer.js";
import { DECKS } from "../fairdeal/deck.js";
import { FairdealError, Problem, auditLog, client } from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { live } from "./live.js";

const service = await live();
after(() => service.stop());
const log = client(service.url, { token: service.token });
const NAMES = ["alice", "bob", "carol"];
let tables = 0;

/** A table with three seats; the players in `gone` never answer the question of that name. */
async function table(gone = {}, terms = {}) {
  const name = `dealer/${tables++}`;
  await log.commit({
    table: name,
    mixing: "hashes",
    sealed: true,
    signed: true,
    layout: { hand: 2 },
    draw: 6,
    rounds: 8,
    ...terms,
  });
  const seats = new Map();
  for (const from of NAMES)
    seats.set(
      from,
      await player({ log: service.url, key: service.key, from, storage: memoryStorage() }),
    );
  const asked = [];
  return {
    seats,
    asked,
    input: {
      table: name,
      players: NAMES,
      timeouts: { contribute: 3000, open: 3000 },
      ask: async ({ ask, player: who, commitment, nonce, seats: agreed, lock }) => {
        asked.push(`${ask} ${who} ${nonce}`);
        if (gone[who] === ask) throw new Error("away");
        return ask === "contribute"
          ? seats.get(who).contribute({ commitment, nonce, seats: agreed })
          : seats.get(who).receive({ lock });
      },
    },
  };
}

test("three players, each asked twice: a round", async () => {
  const { input, seats, asked } = await table();
  const told = [];
  const round = await dealer(log).round({ ...input, tell: (name) => told.push(name), show: [0] });
  assert.deepEqual(round.seats, NAMES);
  assert.deepEqual(told, ["lock", "deal"]);
  assert.equal(asked.length, 6);
  const { t, item } = round.deal.opened[0];
  assert.equal(t, 0);
  assert.deepEqual(round.cards, {
    seats: { alice: [DECKS.get("standard-52")[item]] },
    board: [],
    burnt: [],
    nobody: [],
  });
  await seats.get("alice").receive(round.deal);
  assert.equal(seats.get("alice").cards.length, 1);
  assert.equal((await dealer(log).round(input)).nonce, 1);
});

test("who does not open is blamed, and the others go on without losing a lock's time", async () => {
  const { input } = await table({ bob: "open" });
  const round = await dealer(log).round(input);
  assert.deepEqual([round.nonce, round.seats, round.absent], [1, ["alice", "carol"], ["bob"]]);
  const { rounds } = await log.rounds(round.commitment);
  assert.deepEqual([rounds[0].state, rounds[0].blame], ["voided", "bob"]);
});

test("who does not bring a hash is left out, and nothing is voided", async () => {
  const { input } = await table({ carol: "contribute" });
  const round = await dealer(log).round(input);
  assert.deepEqual([round.nonce, round.seats, round.absent], [0, ["alice", "bob"], ["carol"]]);
});

test("a void that uses a commitment up: the next round is under the next commitment", async () => {
  const { input } = await table({ bob: "open" }, { rounds: 1 });
  const { commitment: first } = (await log.table(input.table)).commitment;
  const round = await dealer(log).round(input);
  assert.notEqual(round.commitment, first);
  assert.deepEqual([round.nonce, round.seats], [0, ["alice", "carol"]]);
});

test("an answer for another seat, and one that comes too late, are none", async () => {
  const { input, seats } = await table();
  const ask = async (question) => {
    if (question.player === "bob") return seats.get("alice").contribute(question);
    if (question.player === "carol")
      return new Promise((resolve) =>
        question.signal.addEventListener("abort", () => resolve(null)),
      );
    return input.ask(question);
  };
  const round = await dealer(log).round({ ...input, ask, timeouts: { contribute: 300 } });
  assert.deepEqual([round.seats, round.absent], [["alice"], ["bob", "carol"]]);
});

const turned = (text) => (text[0] === "A" ? "B" : "A") + text.slice(1);
const WRONG = {
  "no object": () => "hello",
  "a hash that is none": (given) => ({ ...given, hash: "zz" }),
  "a seed beside the hash": (given) => ({ ...given, seed: "x" }),
  "a signature of something else": (given) => ({ ...given, signature: turned(given.signature) }),
  "no signature": ({ from, hash }) => ({ from, hash }),
  "a head that the log never had": (given) => ({
    ...given,
    seen: { ...given.seen, root: "0".repeat(64) },
  }),
  "a signature that is none": (given) => ({ ...given, signature: "x".repeat(70_000) }),
  "a seen that is none": (given) => ({ ...given, seen: [] }),
  "a seen without a signature": (given) => ({ ...given, seen: { ...given.seen, signature: "x" } }),
  "another round": (given) => ({ ...given, nonce: given.nonce + 1 }),
};
for (const [what, change] of Object.entries(WRONG)) {
  test(`one player's wrong hash does not stop the others: ${what}`, async () => {
    const { input } = await table();
    const ask = async (question) => {
      const answer = await input.ask(question);
      return question.ask === "contribute" && question.player === "bob" ? change(answer) : answer;
    };
    const round = await dealer(log, { key: service.key }).round({ ...input, ask });
    assert.deepEqual([round.nonce, round.seats, round.absent], [0, ["alice", "carol"], ["bob"]]);
  });
}

test("what else an answer has does not go to the service; an opening of another seed is none", async () => {
  const { input } = await table();
  const ask = async (question) => {
    const answer = { ...(await input.ask(question)), more: "of the game's own" };
    return question.ask === "open" && question.player === "bob"
      ? { ...answer, seed: "another" }
      : answer;
  };
  const round = await dealer(log).round({ ...input, ask });
  assert.deepEqual([round.nonce, round.seats, round.absent], [1, ["alice", "carol"], ["bob"]]);
});

test("where too few are left, what was locked is voided, and the round says so", async () => {
  const { input } = await table({ alice: "open", bob: "open" });
  const error = await dealer(log)
    .round({ ...input, fewest: 2 })
    .catch((thrown) => thrown);
  assert.ok(error instanceof NobodyLeft && error instanceof FairdealError);
  assert.deepEqual([error.name, error.code], ["NobodyLeft", "nobody-left"]);
  assert.deepEqual(error.absent, ["alice", "bob"]);
  assert.equal((await log.table(input.table)).commitment.locked, undefined);
});

test("a round that a program left locked is voided by the next one", async () => {
  const { input, seats } = await table();
  const { commitment } = (await log.table(input.table)).commitment;
  const given = await seats.get("alice").contribute({ commitment, nonce: 0 });
  await log.lock(commitment, { nonce: 0, contributions: [given], seats: ["alice"] });
  assert.equal((await dealer(log).round(input)).nonce, 1);
});

/** The service, but it finds something wrong in the second lock. */
function finding(from) {
  let locks = 0;
  return Object.assign(Object.create(log), {
    lock: (...call) => {
      if (++locks === 2) throw new Problem({ status: 409, code: "x", detail: "y", from });
      return log.lock(...call);
    },
  });
}

test("who did not open is blamed, also if the next lock is refused", async () => {
  const { input } = await table({ bob: "open" });
  const round = await dealer(finding(["carol"])).round(input);
  assert.deepEqual([round.nonce, round.seats, round.absent], [1, ["alice"], ["bob", "carol"]]);
  const { rounds } = await log.rounds(round.commitment);
  assert.deepEqual(
    [rounds[0].state, rounds[0].reason, rounds[0].blame],
    ["voided", "a hash was not opened in time", "bob"],
  );
});

test("where the locked round ended meanwhile, nobody is blamed, and the next round is dealt", async () => {
  for (const rounds of [1, 8]) await endedMeanwhile(rounds);
});

async function endedMeanwhile(rounds) {
  const { input } = await table({ bob: "open" }, { rounds });
  const { commitment } = (await log.table(input.table)).commitment;
  const ask = async (question) => {
    // As the service does when the commitment's time is over.
    if (question.ask === "open" && question.player === "bob") {
      await log.void(commitment, { nonce: 0, reason: "the commitment's time is over" });
      if (rounds > 1) await log.reveal(commitment);
    }
    return input.ask(question);
  };
  const round = await dealer(log).round({ ...input, ask });
  assert.notEqual(round.commitment, commitment);
  assert.deepEqual([round.nonce, round.seats, round.absent], [0, ["alice", "carol"], ["bob"]]);
  const [first] = (await log.rounds(commitment)).rounds;
  assert.deepEqual([first.state, first.blame], ["voided", undefined]);
}

test("a problem that names nobody of the round ends it", async () => {
  const { input } = await table({ bob: "open" });
  await assert.rejects(dealer(finding(["mallory"])).round(input), { code: "x" });
});

test("one player's answer that is of no shape does not stop the others, without the log's key too", async () => {
  const { input } = await table();
  const ask = async (question) => {
    const answer = await input.ask(question);
    return question.ask === "contribute" && question.player === "bob"
      ? { ...answer, signature: "x".repeat(70_000) }
      : answer;
  };
  const round = await dealer(log).round({ ...input, ask });
  assert.deepEqual([round.nonce, round.seats], [0, ["alice", "carol"]]);
});

test("why each player has no answer is told", async () => {
  const { input } = await table();
  const ask = async ({ player: who, signal, ...question }) => {
    if (who === "alice") throw new Error("no socket");
    if (who === "bob") return { ...(await input.ask({ ...question, player: who })), from: "bo" };
    return new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const wrong = { ...input, ask, timeouts: { contribute: 300 } };
  const error = await dealer(log)
    .round(wrong)
    .catch((thrown) => thrown);
  assert.deepEqual(error.absent.toSorted(), NAMES);
  assert.equal(error.reasons.alice.message, "no socket");
  assert.match(error.reasons.bob.message, /^expected the answer of "bob" to "contribute" .*"bo"$/);
  assert.match(error.reasons.carol.message, /^no answer to "contribute" within 300 milliseconds$/);
  const { alice, bob, carol } = error.reasons;
  assert.deepEqual([alice.code, bob.code, carol.code], ["failed", "wrong", "late"]);
  assert.ok(alice instanceof FairdealError && alice.cause instanceof Error);
  assert.match(error.message, /: no answer of alice \(no socket\), bob \(expected .*, carol \(no /);
  const { reasons } = await dealer(log).round({
    ...input,
    ask: (question) => (question.player === "bob" ? undefined : input.ask(question)),
  });
  assert.match(reasons.bob.message, /, found undefined$/);
  assert.equal(reasons.bob.code, "missing");
});

test("a round that cannot be asked for is a mistake of the program, and nothing is locked", async () => {
  const { input, asked } = await table();
  const round = (more) => dealer(log).round(more);
  const call = "round(input): expected";
  for (const [given, message] of [
    [undefined, `${call} input with "table", "players" and "ask", as an object, found undefined`],
    [{ ...input, ask: undefined }, `${call} ask, a function, found undefined`],
    [{ ...input, players: "a" }, `${call} players, an array of texts, found a string`],
    [{ ...input, players: [] }, `${call} players, one or more different labels, found none`],
    [{ ...input, players: ["a", "b", "a"] }, /^round.* different labels, found "a" twice$/],
    [{ ...input, fewest: 4 }, `${call} fewest, at most the 3 players, found 4`],
    [{ ...input, timeouts: { opn: 1 } }, /^round.*"opn": is it "open"\?$/],
  ])
    await assert.rejects(round(given), { name: "TypeError", message });
  assert.deepEqual(asked, []);
});

test("whatever happened, the log has no findings", async () => {
  const { holds, findings } = await auditLog((path) => log.readFile(path), { key: service.key });
  assert.ok(holds, JSON.stringify(findings));
});
