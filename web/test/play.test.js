import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import { verifyEvidence } from "../fairdeal/evidence.js";
import { auditLog, client } from "../fairdeal/index.js";
import { player } from "../fairdeal/player.js";
import { memoryStorage } from "../fairdeal/storage.js";
import { table, verify } from "./live.js";

const service = await table();
after(() => service.stop());

const ask = (path, body) =>
  fetch(service.url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });

async function post(path, body = {}) {
  const response = await ask(path, body);
  const said = await response.json();
  return response.ok ? said : assert.fail(`${path}: ${said.detail}`);
}

/** A hand, until the kit sends nothing more or the hand ends. */
async function play(cheat, at = {}) {
  const { key } = await (await fetch(`${service.url}/play`)).json();
  const seat = await player({
    log: service.url,
    key,
    from: "you",
    storage: memoryStorage(),
    ...at,
  });
  const { round, commitment, nonce, seats, promise } = await post(
    "/play/rounds",
    cheat === undefined ? {} : { cheat },
  );
  const given = await seat.contribute({
    commitment,
    nonce,
    promise,
    seats,
    expect: { mixing: "hashes" },
  });
  const answer = await post(`/play/rounds/${round}/hash`, given);
  const opened = await seat.receive(answer);
  if (opened === null) return { seat, answer };
  const dealt = await post(`/play/rounds/${round}/open`, opened);
  await seat.receive(dealt);
  if (seat.state.state !== "waiting") return { seat, round };
  const shown = await post(`/play/rounds/${round}/show`);
  await seat.receive(shown);
  return { seat, round, next: dealt.next };
}

/** The command's verdict on the evidence file. */
async function judged(seat) {
  const codes = ({ verdict }) =>
    [...verdict.findings, ...verdict.receipts.flatMap(({ findings }) => findings)].map(
      ({ code }) => code,
    );
  const said = verify(service, { "evidence.json": await seat.export() });
  return { exit: said.exit, codes: codes(said), says: said.verdict.says ?? [] };
}

test("an honest hand: ten cards, all seeds, and a verdict that the command gives too", async () => {
  const { seat, next } = await play(undefined);
  assert.equal(seat.state.state, "fair", JSON.stringify(seat.state));
  assert.equal(seat.cards.length, 5);
  assert.equal(
    seat.places.filter(({ seat: whose, card }) => whose === "house" && card !== undefined).length,
    5,
  );
  assert.equal(JSON.parse(next.entries[0].entry).entry, "commit");
  const { exit, codes } = await judged(seat);
  assert.deepEqual([exit, codes], [0, []]);
  assert.equal((await verifyEvidence(await seat.export(), { key: service.key })).holds, true);
});

test("the rules are those of the file, and are bound by each promise", async () => {
  const { rules } = await (await fetch(`${service.url}/play`)).json();
  assert.equal(
    rules,
    createHash("sha256")
      .update(readFileSync(new URL("../play-rules.txt", import.meta.url)))
      .digest("hex"),
  );
  const { promise, round, table } = await post("/play/rounds");
  assert.equal(JSON.parse(promise.entries[0].entry).rules, rules);
  assert.equal((await post("/play/rounds", { after: round })).table, table);
  assert.notEqual((await post("/play/rounds", { after: "0".repeat(32) })).table, table);
  assert.notEqual((await post("/play/rounds", { after: round, cheat: "drop-seed" })).table, table);
});

for (const [cheat, code] of [
  ["swap-card", "opening-mismatch"],
  ["drop-seed", "absent"],
]) {
  test(`${cheat} is stopped at once, as ${code}, and is no catch: nobody gained by it, or anybody could have written it`, async () => {
    const { seat } = await play(cheat);
    const { state, findings, claims } = seat.state;
    assert.deepEqual([state, findings, claims[0].code], ["unsure", [], code]);
    assert.deepEqual(await judged(seat), { exit: 0, codes: [], says: [] });
  });
}

test("fork-view is caught at once, and the command finds the same in the evidence", async () => {
  const { seat } = await play("fork-view");
  assert.equal(seat.state.state, "caught");
  assert.equal(seat.state.findings[0].code, "inconsistent");
  const { exit, codes } = await judged(seat);
  assert.equal(exit, 1);
  assert.ok(codes.includes("inconsistent"), codes.join(" "));
  const { state } = await verifyEvidence(await seat.export(), { key: service.key });
  assert.equal(state, "caught");
});

test("pick-commitment is caught when the second promise is shown, and no seed is given for it", async () => {
  const { seat, answer } = await play("pick-commitment");
  assert.deepEqual(
    seat.state.findings.map(({ code }) => code),
    ["out-of-turn"],
  );
  await assert.rejects(
    seat.contribute({ commitment: answer.commitment, nonce: 0, promise: answer.promise }),
    { code: "caught" },
  );
  const { exit, codes } = await judged(seat);
  assert.deepEqual([exit, codes], [1, ["out-of-turn"]]);
});

test("never-reveal is said when the reveal is due: the receipt shows no replay, and an audit says overdue", async () => {
  const { seat } = await play("never-reveal", { tolerance: 0 });
  assert.equal(seat.state.state, "waiting");
  const keep = setInterval(() => undefined, 1000);
  await new Promise((resolve) =>
    seat.addEventListener("verdict", ({ detail }) => {
      if (detail.state === "unsure") resolve();
    }),
  );
  clearInterval(keep);
  assert.ok(Date.now() - seat.state.revealBy < 1000);
  assert.deepEqual(
    seat.state.claims.map(({ code }) => code),
    ["overdue"],
  );
  const { exit, codes, says } = await judged(seat);
  assert.deepEqual([exit, codes, says.map(({ code }) => code)], [0, [], ["overdue"]]);
  const file = await verifyEvidence(await seat.export(), { key: service.key });
  assert.deepEqual(
    file.says.map(({ code }) => code),
    ["overdue"],
  );
  const log = client(service.url);
  const audit = await auditLog((path) => log.readFile(path), {
    key: service.key,
    asOf: Date.now(),
  });
  assert.ok(
    audit.findings.some(
      ({ code, commitment }) => code === "overdue" && commitment === seat.state.commitment,
    ),
  );
});

test("a call out of order is refused, and the same call again gets the same answer", async () => {
  const { round, commitment, promise, seats } = await post("/play/rounds");
  const refused = async (path, body, status, code) => {
    const answer = await ask(path, body);
    assert.deepEqual([answer.status, (await answer.json()).code], [status, code]);
  };
  await refused(`/play/rounds/${round}/show`, {}, 409, "out-of-order");
  await refused(`/play/rounds/${"0".repeat(32)}/show`, {}, 404, "no-such-round");
  await refused("/play/rounds", { cheat: "all" }, 400, "bad-request");
  const { key } = await (await fetch(`${service.url}/play`)).json();
  const seat = await player({ log: service.url, key, from: "you", storage: memoryStorage() });
  const given = await seat.contribute({ commitment, nonce: 0, promise, seats });
  const first = await post(`/play/rounds/${round}/hash`, given);
  assert.deepEqual(await post(`/play/rounds/${round}/hash`, given), first);
  await refused(`/play/rounds/${round}/hash`, { ...given, from: "me" }, 409, "out-of-order");
  const opened = await seat.receive(first);
  await refused(`/play/rounds/${round}/open`, { ...opened, seed: "another" }, 409, "unopened-hash");
  const dealt = await post(`/play/rounds/${round}/open`, opened);
  assert.deepEqual(await post(`/play/rounds/${round}/open`, opened), dealt);
});

test("offline, a fork is caught by the files alone", async () => {
  const { seat } = await play("fork-view", { log: null });
  assert.equal(seat.state.findings[0].code, "inconsistent");
  assert.equal((await judged(seat)).exit, 1);
});

test("two calls at once are one hand, and hands that come too fast wait", async () => {
  const { round, commitment, promise, seats } = await post("/play/rounds");
  const { key } = await (await fetch(`${service.url}/play`)).json();
  const seat = await player({ log: service.url, key, from: "you", storage: memoryStorage() });
  const given = await seat.contribute({ commitment, nonce: 0, promise, seats });
  const [one, other] = await Promise.all([
    post(`/play/rounds/${round}/hash`, given),
    post(`/play/rounds/${round}/hash`, given),
  ]);
  assert.deepEqual(one, other);
  const many = await Promise.all(Array.from({ length: 60 }, () => ask("/play/rounds", {})));
  const late = many.filter(({ status }) => status === 503);
  assert.ok(late.length > 0 && late.every(({ headers }) => headers.get("retry-after") === "1"));
  assert.ok(many.every(({ status }) => status === 201 || status === 503));
});
