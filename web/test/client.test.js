import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import {
  Problem,
  auditLog,
  client,
  contribution,
  toGive,
  toOpen,
  verifyReceipt,
} from "../fairdeal/index.js";
import { live } from "./live.js";

const service = await live();
after(() => service.stop());
const log = client(service.url, { token: service.token });
const round = async (from, commitment, nonce) => {
  const kept = await contribution({ from, commitment, nonce, key: service.key });
  return { give: toGive(kept), open: toOpen(kept), kept };
};

test("a round from its promise to its reveal, and every read of it", async () => {
  const { commitment } = await log.commit({
    table: "client/one",
    mixing: "hashes",
    draw: 5,
    sealed: true,
    rounds: 3,
    next: false,
  });
  const alice = await round("alice", commitment, 0);
  assert.equal((await log.lock(commitment, { nonce: 0, contributions: [alice.give] })).nonce, 0);
  assert.equal((await log.table("client/one")).commitment.locked, 0);
  const dealt = await log.deal(commitment, { nonce: 0, contributions: [alice.open], open: [0] });
  assert.equal(dealt.card_seals.length, 5);
  assert.equal(dealt.opened.length, 1);
  assert.deepEqual(
    (await log.open(commitment, 0, { t: [1, 2] })).opened.map(({ t }) => t),
    [1, 2],
  );
  assert.equal(
    (await log.open(commitment, 0, { t: [0], public: true })).format,
    "fairdeal/opening/v1",
  );
  assert.equal((await log.round(commitment, 0)).opened.length, 1);
  await assert.rejects(log.reveal(commitment), { code: "round-in-play", status: 409 });
  assert.deepEqual((await log.done(commitment, 0)).in_play, []);
  const bob = await round("bob", commitment, 1);
  await log.lock(commitment, { nonce: 1, contributions: [bob.give] });
  await log.void(commitment, { nonce: 1, reason: "a misdeal", blame: "bob" });
  assert.match((await log.reveal(commitment)).server_seed, /^[0-9a-f]{64}$/);
  assert.equal((await log.commitment(commitment)).state, "revealed");
  assert.ok(
    (await log.commitments({ table: "client/one" })).commitments.some(
      (each) => each.commitment === commitment,
    ),
  );
  assert.equal((await log.rounds(commitment)).rounds.length, 2);
  assert.equal((await log.receipts(commitment, 0, 1)).receipts.length, 2);
  const { shown } = await verifyReceipt(await log.receipt(commitment, 0), {
    key: service.key,
    mine: [alice.kept],
  });
  assert.ok(
    ["logged", "replayed", "yours"].every((token) => shown.includes(token)),
    shown.join(" "),
  );
  assert.ok((await verifyReceipt(await log.receipt(commitment), { key: service.key })).holds);
});

test("each list says where its next page begins, and the log tells its name and its key", async () => {
  const layout = { hand: 1, board: [1] };
  for (const table of ["client/list/a", "client/list/b"])
    await log.commit({ table, sealed: true, layout, draw: 3, rounds: 5, next: false });
  const { commitment } = (await log.table("client/list/b")).commitment;
  const contributions = ["alice", "bob"].map((from) => ({ from, seed: "lucky" }));
  const seats = ["alice", "bob"];
  // The cards of two seats need `force`, and so they do in a deal.
  const both = { contributions, seats, open: [0, 1] };
  await assert.rejects(log.deal(commitment, both), { code: "not-one-seat" });
  assert.equal((await log.deal(commitment, { ...both, force: true })).opened.length, 2);
  await log.deal(commitment, { contributions, seats });
  const rounds = await log.rounds(commitment, { most: 1 });
  assert.deepEqual([rounds.rounds.length, rounds.next], [1, 1]);
  const opened = await log.openings(commitment, { most: 1 });
  assert.deepEqual([opened.openings[0].t, opened.next], [0, "0/0"]);
  assert.equal((await log.openings(commitment, { after: opened.next })).openings[0].t, 1);
  const first = await log.tables({ after: "client/list", most: 1 });
  assert.deepEqual([first.tables[0].table, first.next], ["client/list/a", "client/list/a"]);
  const { tables } = await log.tables({ after: first.next, most: 1 });
  assert.deepEqual(tables, [{ table: "client/list/b", commitment }]);
  const listed = (await log.commitments({ table: "client/list/b" })).commitments[0];
  assert.deepEqual([listed.layout, listed.in_play], [layout, undefined]);
  assert.deepEqual((await log.commitment(commitment)).in_play, [0, 1]);
  const { origin, key } = await log.log();
  assert.deepEqual([origin, key], ["cards.example/log", service.key]);
  const { tables: same } = await log.get("v1/tables", { after: "client/list", most: 1 });
  assert.deepEqual(same, first.tables);
});

test("the log's files are what an audit reads", async () => {
  assert.ok((await log.checkpoint()).startsWith("cards.example/log\n"));
  assert.equal(await log.readFile("tile/0/999"), null);
  const { holds, findings } = await auditLog(log.readFile, { key: service.key });
  assert.ok(holds, JSON.stringify(findings));
  assert.equal(await log.live(), await (await fetch(`${service.url}/healthz`)).text());
  assert.equal((await log.ready()).ready, true);
  assert.match(await log.numbers(), /^# HELP /m);
});

test("events follow the log, from where a reader was", async () => {
  const { index } = await log.commit({ table: "client/events", rounds: 5 });
  const following = log.events({ after: index - 1, table: "client/events" });
  const first = (await following.next()).value;
  assert.deepEqual(
    [first.index, first.event, JSON.parse(first.entry).table],
    [index, "commit", "client/events"],
  );
  const coming = following.next();
  const { commitment } = JSON.parse(first.entry);
  const dealt = await log.deal(commitment, { contributions: [{ from: "alice", seed: "lucky" }] });
  assert.equal((await coming).value.index, dealt.index);
  await following.return();
  const { events, last } = await log.eventsPage({ after: index, table: "client/events" });
  assert.deepEqual(
    events.map((each) => each.index),
    [dealt.index],
  );
  assert.ok(last >= dealt.index);
});

test("an iterator over events goes on where a stream broke, and ends when it is told to", async () => {
  const { index } = await log.commit({ table: "client/broken", rounds: 5 });
  let connections = 0;
  const broken = client(service.url, {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (connections++ > 0) return response;
      const { value } = await response.body.getReader().read();
      return new Response(value, { headers: response.headers });
    },
  });
  const stop = new AbortController();
  const following = broken.events({
    after: index - 1,
    table: "client/broken",
    signal: stop.signal,
  });
  assert.equal((await following.next()).value.index, index);
  const coming = following.next();
  const { commitment } = (await log.table("client/broken")).commitment;
  const dealt = await log.deal(commitment, { contributions: [{ from: "alice", seed: "lucky" }] });
  assert.equal((await coming).value.index, dealt.index);
  assert.ok(connections > 1);
  const end = following.next();
  stop.abort();
  assert.equal((await end).done, true);
});

test("a problem says what it is about, as data", async () => {
  const { commitment } = await log.commit({
    table: "client/problems",
    mixing: "hashes",
    rounds: 5,
  });
  const [alice, bob] = [await round("alice", commitment, 0), await round("bob", commitment, 0)];
  await log.lock(commitment, { contributions: [alice.give, bob.give] });
  const wrong = await log.deal(commitment, { contributions: [alice.open] }).catch((error) => error);
  assert.ok(wrong instanceof Problem);
  assert.equal(wrong.status, 409);
  assert.deepEqual(wrong.from, ["bob"]);
  const late = await log
    .lock(commitment, { nonce: 7, contributions: [{ from: "alice", hash: alice.give.hash }] })
    .catch((error) => error);
  assert.equal(late.table.commitment.next, 0);
  const nobody = client(service.url, { token: "fairdeal_0" });
  await assert.rejects(nobody.commit({ table: "x" }), {
    name: "Problem",
    status: 401,
    code: "unauthorized",
  });
});

/** A service that gives prepared answers, and keeps the requests. */
async function puppet(answers) {
  const came = [];
  const server = createServer((request, response) => {
    came.push({ at: Date.now(), key: request.headers["idempotency-key"] });
    const answer = answers[Math.min(came.length, answers.length) - 1];
    if (answer === null) return request.socket.destroy();
    const [status, headers, body] = answer;
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { came, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

test("a broken connection and a busy service are asked again, under one key, not before the service allows it", async () => {
  const busy = [503, { "retry-after": "1" }, { code: "overloaded", detail: "busy" }];
  const { came, url, close } = await puppet([null, busy, [201, {}, { commitment: "c", index: 0 }]]);
  assert.equal((await client(url).commit({ table: "x" })).commitment, "c");
  assert.equal(came.length, 3);
  assert.equal(new Set(came.map(({ key }) => key)).size, 1);
  assert.ok(came[2].at - came[1].at >= 990);
  close();
});

test("asking again has an end, and what a rule forbids is not asked again", async () => {
  const down = await puppet([null]);
  await assert.rejects(client(down.url, { retries: 2 }).table("x"), {
    name: "Problem",
    status: 0,
    code: "unreachable",
  });
  assert.equal(down.came.length, 3);
  down.close();
  const proxy = await puppet([[404, {}, "no JSON object"]]);
  await assert.rejects(client(proxy.url).table("x"), { status: 404, code: "http-404" });
  assert.equal(proxy.came.length, 1);
  proxy.close();
});

test("a call that is given up ends at once", async () => {
  const { url, close } = await puppet([
    [503, { "retry-after": "20" }, { code: "overloaded", detail: "busy" }],
  ]);
  const stop = new AbortController();
  const coming = client(url).table("x", { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(coming, { name: "AbortError" });
  close();
});

/** A service that answers as a function says. */
async function hostile(answer) {
  const came = [];
  const server = createServer((request, response) => {
    came.push({ method: request.method, key: request.headers["idempotency-key"] });
    response.on("error", () => undefined);
    answer(response, came.length);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { came, url: `http://127.0.0.1:${server.address().port}`, close };
}

/** Sends for ever what is never a line, and counts it. */
function endless(status, type) {
  const sent = { bytes: 0 };
  const chunk = Buffer.alloc(2 ** 16, 32);
  const answer = (response) => {
    response.writeHead(status, { "content-type": type });
    const more = () => {
      while (!response.destroyed) {
        sent.bytes += chunk.length;
        if (!response.write(chunk)) return response.once("drain", more);
      }
    };
    more();
  };
  return { sent, answer };
}

test("an answer, a problem and an event that never end are given up before they fill the memory", async () => {
  const calls = [
    [200, 2 ** 23, (log) => log.table("x"), "unreachable"],
    [200, 2 ** 25, (log) => log.readFile("checkpoint"), "unreachable"],
    [409, 2 ** 20, (log) => log.lock("c", { contributions: [] }), "http-409"],
  ];
  for (const [status, largest, call, code] of calls) {
    const { sent, answer } = endless(status, "application/json");
    const { url, close } = await hostile(answer);
    await assert.rejects(call(client(url, { retries: 0 })), { name: "Problem", code });
    assert.ok(sent.bytes < largest + 2 ** 23, `${sent.bytes} bytes were sent`);
    close();
  }
  const { sent, answer } = endless(200, "text/event-stream");
  const { came, url, close } = await hostile((response, count) => {
    if (count === 1) return answer(response);
    response.writeHead(200).write("id: 7\ndata: {}\n\n");
  });
  const following = client(url).events();
  assert.equal((await following.next()).value.index, 7);
  assert.equal(came.length, 2);
  assert.ok(sent.bytes < 2 ** 23, `${sent.bytes} bytes were sent`);
  await following.return();
  close();
});

test("events that come twice, or in another order, or have no index, are passed over", async () => {
  const { url, close } = await hostile((response) => {
    const ids = ["3", "-4", "", "1e1", "9007199254740993", "3", "2", "5"];
    response.writeHead(200).write(ids.map((id) => `id: ${id}\ndata: {}\n\n`).join(""));
  });
  const following = client(url).events();
  const found = [(await following.next()).value.index, (await following.next()).value.index];
  assert.deepEqual(found, [3, 5]);
  await following.return();
  close();
});

test("what is no JSON object is not the service's answer: the request is sent again, under its key", async () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const answers = ["<html>", "", "null", "[]", deep, '{"index":4}'];
  const { came, url, close } = await hostile((response, count) =>
    response.writeHead(200).end(answers[count - 1]),
  );
  const log = client(url);
  assert.deepEqual(await log.commit({ table: "x" }), { index: 4 });
  assert.equal(came.length, 6);
  assert.equal(new Set(came.map(({ key }) => key)).size, 1);
  await assert.rejects(client(url, { retries: 0 }).table("x"), { code: "unreachable" });
  close();
});

test("a write is not sent to another address, where it could become a read", async () => {
  const other = await hostile((response) => response.end("{}"));
  for (const status of [301, 302, 303, 307, 308]) {
    const { url, close } = await hostile((response) =>
      response.writeHead(status, { location: other.url }).end(),
    );
    await assert.rejects(client(url).commit({ table: "x" }), { status, code: `http-${status}` });
    close();
  }
  assert.equal(other.came.length, 0);
  other.close();
});

test("a problem of another shape is a problem", async () => {
  const body = { code: "x", detail: "y", from: "alice", findings: 7, in_play: { length: 9 } };
  const { url, close } = await puppet([[409, {}, body]]);
  const problem = await client(url)
    .table("x")
    .catch((error) => error);
  assert.deepEqual([problem.from, problem.findings, problem.inPlay], [[], [], []]);
  close();
});

test("a problem's message says its code, and the name of a member, once", async () => {
  const table = "says/1";
  await log.commit({ table });
  const says = async (terms) => (await log.commit(terms).catch((error) => error)).message;
  assert.match(await says({ table }), /^409 out-of-turn: the table's last commitment, /);
  assert.match(await says({ table, mixing: "x" }), /^400 bad-request: mixing: expected seeds, /);
});
