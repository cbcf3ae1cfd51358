import assert from "node:assert/strict";
import { after, test } from "node:test";

import { cardsOf, client, verifyReceipt } from "../fairdeal/index.js";
import { vectors } from "../fixtures.js";
import { live } from "./live.js";

const service = await live();
after(() => service.stop());
const log = client(service.url, { token: service.token });
const contributions = [{ from: "alice", seed: "lucky" }];
const layout = { hand: 2, board: [3, 1, 1], burn: true };

/** The places of the cards, each with its card, by the rule of spec/ledger.md, 8.7, in words. */
function dealtBy(cards, seats) {
  const at = (t) => cards[t];
  const hands = Object.fromEntries(seats.map((seat, i) => [seat, [at(i), at(i + seats.length)]]));
  const from = 2 * seats.length;
  return {
    seats: hands,
    board: [[at(from + 1), at(from + 2), at(from + 3)], [at(from + 5)], [at(from + 7)]],
    burnt: [at(from), at(from + 4), at(from + 6)],
    nobody: cards.slice(from + 8),
  };
}

test("an open round's cards by seat and street: of the answer, and of its verdict, whatever the labels are", async () => {
  const seats = ["alice", "board", "__proto__"];
  const { commitment } = await log.commit({ table: "hands/open", sealed: false, layout, draw: 16 });
  const answer = await log.deal(commitment, { contributions, seats });
  const hands = cardsOf(answer);
  // A literal with `__proto__` would set the prototype.
  const { seats: dealt, ...rest } = dealtBy(answer.cards.match(/../g), ["alice", "board", "last"]);
  assert.deepEqual(Object.keys(hands.seats), seats);
  assert.deepEqual(Object.values(hands.seats), Object.values(dealt));
  assert.deepEqual({ ...hands, seats: null }, { seats: null, ...rest });
  const verdict = await verifyReceipt(answer.receipt, { key: service.key });
  assert.deepEqual(cardsOf(verdict), hands);
});

test("a sealed round's cards are those that were opened, and after the reveal all", async () => {
  const seats = ["alice", "bob"];
  const terms = { table: "hands/sealed", layout, draw: 12, sealed: true, rounds: 2, next: false };
  const { commitment } = await log.commit(terms);
  const sealed = await log.deal(commitment, { contributions, seats });
  assert.deepEqual(cardsOf(sealed), { seats: {}, board: [], burnt: [], nobody: [] });
  const turn = await log.open(commitment, 0, { t: [9, 2, 0], public: true });
  const shown = cardsOf(turn);
  assert.deepEqual([Object.keys(shown.seats), shown.seats.alice.length], [["alice"], 2]);
  assert.deepEqual(
    shown.board.map(({ length }) => length),
    [0, 1],
  );
  assert.deepEqual(cardsOf(await verifyReceipt(turn, { key: service.key })), shown);
  await log.done(commitment, 0);
  await log.reveal(commitment, { force: true });
  const verdict = await verifyReceipt(await log.receipt(commitment, 0), { key: service.key });
  const whole = cardsOf(verdict);
  assert.deepEqual(whole, dealtBy(verdict.cards.match(/../g), seats));
  assert.deepEqual([whole.seats.alice, whole.board[1]], [shown.seats.alice, shown.board[1]]);
});

test("a list's items are numbers", async () => {
  const terms = {
    table: "hands/list",
    sealed: false,
    deck: { count: 9, sha256: "00".repeat(32) },
    draw: 4,
  };
  const { commitment } = await log.commit({ ...terms, layout: { hand: 1 } });
  const answer = await log.deal(commitment, { contributions, seats: ["alice", "bob"] });
  const { seats, nobody } = cardsOf(answer);
  assert.deepEqual([seats.alice[0], seats.bob[0], ...nobody], answer.indices ?? answer.items);
});

test("without a layout, without seats and before the deal there are none", async () => {
  const plain = await log.commit({ table: "hands/plain", draw: 4 });
  assert.equal(cardsOf(plain), null);
  assert.equal(
    cardsOf(await log.deal(plain.commitment, { contributions, seats: ["alice"] })),
    null,
  );
  const { commitment } = await log.commit({
    table: "hands/none",
    sealed: false,
    layout: { hand: 2 },
    draw: 4,
  });
  const { receipt } = await log.lock(commitment, { contributions, seats: ["alice"] });
  assert.equal(cardsOf({ receipt }), null);
  assert.equal(cardsOf({ holds: true }), null);
});

test("a verdict has the cards at the places that the vectors say", async () => {
  let some = 0;
  for (const { file, key, seat, mine, verdict } of vectors("receipts.json")) {
    if (verdict?.placed === undefined) continue;
    const ours = await verifyReceipt(file, { key, mine, seat: seat ?? undefined });
    const hands = cardsOf(ours);
    some++;
    const of = (name) => verdict.placed.filter((place) => name in place).length;
    const counts = [
      Object.values(hands.seats).flat().length,
      hands.board.flat().length,
      hands.burnt.length,
      hands.nobody.length,
    ];
    if ("cards" in ours || "indices" in ours || "opened" in ours)
      assert.deepEqual(counts, ["seat", "street", "burnt", "nobody"].map(of));
  }
  assert.ok(some > 10);
});

test("a receipt is not a verdict, and what is no receipt is refused", async () => {
  const { receipt } = await log.commit({ table: "hands/receipt" });
  assert.throws(() => cardsOf(receipt), /found a receipt: give the verdict of verifyReceipt/);
  assert.throws(() => cardsOf("receipt"), TypeError);
  assert.throws(() => cardsOf({ receipt: { ...receipt, entries: [] } }), {
    code: "invalid-receipt",
  });
});
