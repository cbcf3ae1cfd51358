import assert from "node:assert/strict";
import { createCipheriv } from "node:crypto";
import { test } from "node:test";

import { below } from "../fairdeal/below.js";
import { fromHex, toHex } from "../fairdeal/bytes.js";
import { Words, keystream } from "../fairdeal/chacha20.js";
import { checkContributions } from "../fairdeal/contribution.js";
import { deckCards, readListOf } from "../fairdeal/deck.js";
import { dealKey, message, sealKey } from "../fairdeal/derive.js";
import { hasRoom, placeOf } from "../fairdeal/layout.js";
import { FairdealError } from "../fairdeal/refused.js";
import { replay } from "../fairdeal/replay.js";
import { closesEarly, impossible } from "../fairdeal/result.js";
import { confusion, commitmentOf, nonceOf, serverSeed } from "../fairdeal/seed.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { refusal, vectors } from "../fixtures.js";

const EXAMPLE = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/** Converts the reference's names of the inputs to ours. */
const inputs = (vector) => ({
  serverSeed: vector.server_seed,
  nonce: vector.nonce,
  contributions: vector.contributions,
  deck: vector.deck ?? vector.items,
  draw: vector.draw,
  method: vector.method,
  randomness: vector.drand,
});

test("the keystream is OpenSSL's ChaCha20 of zeros, for every length from 0 to 300 and over the first counter byte", () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i * 7 + 1);
  const lengths = [...Array(301).keys(), 64 * 257 + 5];
  for (const length of lengths) {
    const theirs = createCipheriv("chacha20", key, new Uint8Array(16)).update(
      new Uint8Array(length),
    );
    assert.equal(toHex(keystream(key, length)), theirs.toString("hex"), `length ${length}`);
  }
});

test("words are the keystream, read as little-endian", () => {
  const key = sha256(new Uint8Array(1));
  const words = new Words(key);
  const bytes = Buffer.from(keystream(key, 400));
  for (let i = 0; i < 100; i++) assert.equal(words.next(), bytes.readUInt32LE(4 * i));
});

test("every vector of below.json: which words settle which value", () => {
  for (const vector of vectors("below.json")) {
    let drawn = 0;
    const words = { next: () => vector.words[drawn++] };
    if (vector.error) {
      assert.equal(
        refusal(() => below(vector.ways, words)),
        vector.error,
        vector.name,
      );
      continue;
    }
    assert.equal(below(vector.ways, words), vector.value, vector.name);
    assert.equal(drawn, vector.drawn, vector.name);
  }
});

test("below is exact: it is the rule in whole numbers, at the edges of every kind of range", () => {
  for (const ways of [2, 3, 5, 7, 52, 416, 65535, 65537, 500001, 2 ** 20 - 1, 2 ** 20]) {
    const threshold = (1n << 32n) % BigInt(ways);
    for (let n = 0; n < 4000; n++) {
      const word =
        n < 2000 ? n * 2147483 : Math.min(0xffffffff, Math.ceil(((n - 2000) * 2 ** 32) / ways));
      const product = BigInt(word) * BigInt(ways);
      const kept = (product & 0xffffffffn) >= threshold;
      let drawn = 0;
      const value = below(ways, { next: () => (drawn++ === 0 ? word : 0xffffffff) });
      assert.equal(drawn, kept ? 1 : 2, `${word} of ${ways}`);
      if (kept) assert.equal(value, Number(product >> 32n));
    }
  }
});

test("every vector of derivation.json: commitment, message, key and seal key", () => {
  for (const vector of vectors("derivation.json")) {
    const run = () => {
      const seed = serverSeed(vector.server_seed);
      const randomness = vector.drand === undefined ? undefined : fromHex(vector.drand);
      nonceOf(vector.nonce);
      checkContributions(vector.contributions, randomness !== undefined);
      const rest = [vector.nonce, vector.contributions, randomness];
      return {
        commitment: toHex(commitmentOf(seed)),
        message: toHex(message(...rest)),
        key: toHex(dealKey(new HmacKey(seed), ...rest)),
        seal_key: toHex(sealKey(new HmacKey(seed), ...rest)),
      };
    };
    if (vector.error) {
      assert.equal(refusal(run), vector.error, vector.name);
      continue;
    }
    const { commitment, message: mixed, key, seal_key } = vector;
    assert.deepEqual(run(), { commitment, message: mixed, key, seal_key }, vector.name);
  }
});

test("every vector of shuffles.json: whole deals, up to 2^20 items", () => {
  for (const vector of vectors("shuffles.json")) {
    if (vector.error) {
      assert.equal(
        refusal(() => replay(inputs(vector))),
        vector.error,
        vector.name,
      );
      continue;
    }
    const ours = replay(inputs(vector));
    assert.equal(ours.words.length, vector.words, vector.name);
    assert.equal(ours.rejected, vector.rejected, vector.name);
    assert.equal(ours.cards, vector.cards, vector.name);
    // A deck's cards are dealt by their numbers, like a list with the same number of items.
    const numbers = replay({
      ...inputs(vector),
      deck: vector.items ?? deckCards(vector.deck).length,
    });
    if (vector.digest) assert.equal(numbers.digest, vector.digest, vector.name);
    else assert.deepEqual(numbers.indices, vector.indices, vector.name);
  }
});

test("every vector of seals.json: seal, card seals and salts", () => {
  for (const vector of vectors("seals.json")) {
    const { seal, card_seals, salts } = replay({ ...inputs(vector), sealed: true });
    assert.deepEqual(
      { seal, card_seals, salts },
      { seal: vector.seal, card_seals: vector.card_seals, salts: vector.salts },
    );
  }
});

test("every vector of lists.json: which file is which list", () => {
  for (const { list_hex, deck, error, items, name } of vectors("lists.json")) {
    const read = () => readListOf(fromHex(list_hex), deck);
    if (error) assert.equal(refusal(read), error, name);
    else assert.deepEqual(read(), items, name);
  }
});

test("every vector of layouts.json: who gets the item dealt at each place", () => {
  for (const { layout, draw, seats, places, error, name } of vectors("layouts.json")) {
    assert.equal(hasRoom(layout, draw, seats.length), error === undefined, name);
    if (error) continue;
    const ours = Array.from({ length: draw }, (_, t) => {
      const place = placeOf(layout, seats.length, t);
      return place !== null && "seat" in place
        ? { seat: seats[place.seat], card: place.card }
        : place;
    });
    assert.deepEqual(ours, places, name);
  }
});

test("replay refuses a contribution's unknown member, and says what was expected", () => {
  const of = (more) => () =>
    replay({ serverSeed: EXAMPLE, nonce: 0, contributions: [{ from: "a", seed: "b", ...more }] });
  const root = "00".repeat(32);
  for (const [more, code, says] of [
    [{ x: 1 }, "contributions", /^contributions\[0\]: expected no member but "from", .*found "x"$/],
    [{ seen: { size: 1, root, x: 1 } }, "contributions", /"seen": .*"size".*found "x"$/],
    [{ hash: "zz" }, "contributions", /"hash" cannot be "zz"/],
    [{ given: false }, "contributions", /"given" cannot be false/],
    [{ seen: null }, "seen", /found null$/],
    [{ seen: 7 }, "seen", /found 7$/],
  ])
    assert.throws(
      of(more),
      (error) => error instanceof FairdealError && error.code === code && says.test(error.message),
      says.source,
    );
  // What a player keeps has more members than what is mixed.
  const kept = { given: true, hash: root, blind: root, nonce: 1, seen: undefined };
  assert.equal(of(kept)().key, of({})().key);
});

test("the worked example of the specification is dealt, step by step", () => {
  const { steps, cards, key } = replay({
    serverSeed: EXAMPLE,
    nonce: 0,
    contributions: [{ from: "alice", seed: "lucky" }],
    draw: 5,
    trace: true,
  });
  assert.equal(cards, "Td3h6d9d4c");
  assert.equal(key, "ae607dcb85bb37984cc45aa879d59a2db6364493cc2098fc2fbe5f9ec6295931");
  assert.deepEqual(
    steps.map(({ swap }) => swap),
    [
      [51, 21],
      [50, 27],
      [49, 17],
      [48, 20],
      [47, 2],
    ],
  );
  assert.equal(steps[0].word, 0x6b94d072);
});

test("a traced deal tells each rejected word before the one that decides", () => {
  const vector = vectors("shuffles.json").find(({ rejected }) => rejected > 0);
  const { steps, words, rejected } = replay({ ...inputs(vector), trace: true });
  assert.deepEqual(
    steps.map(({ word }) => word),
    words,
  );
  assert.equal(steps.filter((step) => step.rejected).length, rejected);
});

test("the usual confusions about a seed are named, and nothing else is", () => {
  const seed = serverSeed(EXAMPLE);
  assert.equal(confusion(seed, sha256(sha256(seed))), "the hash of the seed's hash");
  assert.equal(
    confusion(seed, sha256(new TextEncoder().encode(EXAMPLE))),
    "the hash of the seed's hexadecimal text",
  );
  assert.equal(confusion(seed, new Uint8Array(32)), null);
});

test("a cycle that is not one is impossible, also among the kinds of several decks", () => {
  const terms = { method: "cycle", deck: { count: 4, sha256: "" }, draw: 4, sealed: false };
  assert.equal(impossible({ indices: [1, 2, 3, 0] }, terms), null);
  assert.match(impossible({ indices: [1, 0, 3, 2] }, terms), /one cycle/);
  assert.match(impossible({ indices: [1, 2, 3, 3] }, terms), /twice/);
});

test("opened cards of a cycle must not close a cycle that leaves items out", () => {
  assert.ok(
    !closesEarly(
      new Map([
        [0, 1],
        [1, 2],
      ]),
      3,
    ),
  );
  assert.ok(
    !closesEarly(
      new Map([
        [0, 1],
        [1, 2],
        [2, 0],
      ]),
      3,
    ),
  );
  assert.ok(
    closesEarly(
      new Map([
        [0, 1],
        [1, 2],
        [2, 0],
      ]),
      4,
    ),
  );
  assert.ok(
    closesEarly(
      new Map([
        [0, 1],
        [5, 5],
      ]),
      9,
    ),
  );
});
