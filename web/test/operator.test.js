// The operator's page: the calls that it makes, and how it reads answers and files. The page itself
// is driven in test/browser/.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contribution, toGive } from "../fairdeal/index.js";
import { Api, handOf } from "../ui/operator/api.js";
import { NotTaken, readGiven } from "../ui/operator/given.js";
import { operator as words } from "../strings/en-operator.js";
import { addWords } from "../ui/strings.js";

addWords({ en: words, de: words });
const standing = {
  commitment: "ab".repeat(32),
  table: "t",
  deck: "standard-52",
  draw: 14,
  sealed: true,
  mixing: "hashes",
  layout: { hand: 2, board: [3, 1, 1], burn: true },
};
const round = { nonce: 4, state: "dealt", seats: ["alice", "bob"], players: [], in_play: true };

/** An Api whose service is a function. */
function api(answer) {
  const made = new Api("http://x.example/", `fairdeal_${"0".repeat(64)}`);
  const asked = [];
  made.client.fetch = async (url, init) => {
    const body = init.body === undefined ? undefined : JSON.parse(init.body);
    asked.push({ url: String(url), body, key: init.headers.get("idempotency-key") });
    const { status = 200, ...value } = answer(String(url), body, asked.length);
    return new Response(JSON.stringify(value), { status });
  };
  made.client.retries = 0;
  return { made, asked };
}

test("cards are opened by seat and street, for one player or for everybody", async () => {
  const { made, asked } = api(() => ({}));
  await made.open(standing, round, { seat: "bob" }, false);
  await made.open(standing, round, { street: 2 }, true);
  assert.deepEqual(
    asked.map(({ body }) => body),
    [
      { seat: "bob", public: false },
      { street: 2, public: true },
    ],
  );
});

test("the cards are those that the service tells by seat and street, in the order of the seats", () => {
  const seats = ["bob", "2", "__proto__"];
  const told =
    '{"seats":{"2":["3c","4c"],"bob":[null,null],"__proto__":["Ah",null]},"board":[["As","2c","2d"],[null],[null]]}';
  assert.deepEqual(handOf(standing, { ...round, seats, hands: JSON.parse(told) }), {
    seats: [
      { name: "bob", cards: [null, null] },
      { name: "2", cards: ["3c", "4c"] },
      { name: "__proto__", cards: ["Ah", null] },
    ],
    board: [["As", "2c", "2d"], [null], [null]],
    rest: [],
  });
  const plain = { ...standing, layout: undefined, draw: 3 };
  assert.deepEqual(handOf(plain, { ...round, cards: "5cAdTh" }).rest, ["5c", "Ad", "Th"]);
  assert.deepEqual(handOf(plain, { ...round, opened: [{ t: 1, item: 51 }] }).rest, [
    null,
    "As",
    null,
  ]);
  // The items of a list have no names here: people count them from 1.
  const list = { ...plain, deck: { count: 9, sha256: "00".repeat(32) } };
  assert.deepEqual(handOf(list, { ...round, indices: [0, 8, 4] }).rest, ["1", "9", "5"]);
});

test("a request whose outcome is unknown keeps its key; after an answer or a refusal the next has another", async () => {
  const outcomes = [{ status: 503 }, { status: 409 }, {}, {}];
  const { made, asked } = api((_, __, n) => ({
    code: "x",
    detail: "y",
    ...outcomes[n - 1],
  }));
  const deal = () => made.deal(standing.commitment, { nonce: 4, contributions: [] });
  await assert.rejects(deal);
  await assert.rejects(deal);
  await deal();
  await deal();
  const [lost, refused, done, again] = asked.map(({ key }) => key);
  assert.equal(lost, refused);
  assert.equal(new Set([refused, done, again]).size, 3);
  assert.ok(
    asked.every(({ key }, i) => i === 0 || key.slice(0, 20) >= asked[i - 1].key.slice(0, 20)),
  );
});

test("only a file of this round is taken: a hash before the lock, what opens it after", async () => {
  const key = "cards.example/log+3af62608+Adfti8duvAsW55+DJVQbO4CWPmyXPllkZpm6paF4hM0P";
  const own = await contribution({ from: "alice", commitment: standing.commitment, nonce: 4, key });
  const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));
  const read = (value, lock = null) => readGiven(bytes(value), standing, 4, lock);
  const lock = { ...round, state: "locked", players: [{ from: "alice", hash: own.hash }] };
  assert.deepEqual(read({ ...toGive(own), more: "unknown" }), toGive(own));
  assert.deepEqual(read(own, lock), own);
  const refused = [
    [own],
    [{ from: "alice", seed: own.seed, blind: own.blind }],
    [{ ...toGive(own), nonce: 5 }],
    [{ ...toGive(own), commitment: "cd".repeat(32) }],
    [{ from: "alice", seed: "lucky" }],
    [{ from: "alice", hash: "short" }],
    [{ from: 7, hash: own.hash }],
    [[toGive(own)]],
    [toGive(own), lock],
    [{ ...own, from: "bob" }, lock],
    [{ ...own, hash: "00".repeat(32) }, lock],
    [own, { ...lock, players: [{ from: "alice", seed: "lucky" }] }],
  ];
  for (const [value, at] of refused) assert.throws(() => read(value, at), NotTaken);
});
