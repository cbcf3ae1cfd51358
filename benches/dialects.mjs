// One verifier for each dialect with node:crypto, as for a page or a script: the comparison of the
// bench in dialects.rs. Reads rows as JSON, checks them all several times, and prints the least
// time in nanoseconds for a row.
//
//   node benches/dialects.mjs DIALECT ROWS.json ROUNDS
//
// With 0 rounds it prints for each row whether it verifies: the tests check it with the same rows
// as everything else. It does not follow chains.

import { createCipheriv, createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (data) => createHash("sha256").update(data).digest();
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const STAKE = RANKS.flatMap((rank) => ["D", "H", "S", "C"].map((suit) => rank + suit));
const LOW = ["A", ...RANKS.slice(0, 12)];
const ONE = ["C", "H", "S", "D"].flatMap((suit) => LOW.map((rank) => rank + suit));
const SHOE = Array.from({ length: 8 }, () => ONE).flat();

function* stream(row) {
  const key = Buffer.from(row.server_seed);
  for (let t = 0; ; t++) {
    const digest = hmac(key, `${row.client_seed}:${row.nonce}:${t}`);
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

function begins(dealt, cards) {
  return cards.every((card, at) => card === dealt[at]);
}

function remove(row) {
  const deck = STAKE.slice();
  const words = stream(row);
  const dealt = row.cards.map(
    () => deck.splice(Math.floor((words.next().value * deck.length) / 2 ** 32), 1)[0],
  );
  return begins(dealt, row.cards);
}

function replace(row) {
  const words = stream(row);
  return begins(
    row.cards.map(() => STAKE[Math.floor((words.next().value * 52) / 2 ** 32)]),
    row.cards,
  );
}

function shuffle(row, fresh, cursor, limitOf, more) {
  const key = Buffer.from(row.server_seed, "hex");
  const deck = fresh.slice();
  const prefix = `${row.client_seed}:${row.nonce}:`;
  for (let i = deck.length - 1; i > 0; i--) {
    const range = i + 1;
    const limit = limitOf(range);
    let at = cursor(i);
    let j = -1;
    while (j < 0) {
      const digest = hmac(key, prefix + at);
      for (let word = 0; word < 32 && j < 0; word += 4) {
        const value = digest.readUInt32BE(word);
        if (value < limit) j = value % range;
      }
      if (j < 0 && more === 0) throw new Error("no answer");
      at += more;
    }
    const card = deck[i];
    deck[i] = deck[j];
    deck[j] = card;
  }
  return begins(deck, row.cards);
}

// fairdeal/v1 with standard-52 and `shuffle` only: spec/shuffle.md, sections 3 to 6.
const OURS = ["c", "d", "h", "s"].flatMap((suit) =>
  [..."23456789TJQKA"].map((rank) => rank + suit),
);

function dealMessage(row) {
  const seeds = row.client_seed
    .split("\n")
    .map((line) => Buffer.from(line.slice(line.indexOf("=") + 1)));
  seeds.sort((a, b) => a.length - b.length || Buffer.compare(a, b));
  const head = Buffer.alloc(10);
  head.writeBigUInt64BE(BigInt(row.nonce));
  head.writeUInt16BE(seeds.length, 8);
  const parts = seeds.flatMap((seed) => [
    Buffer.from([1, seed.length >> 8, seed.length & 255]),
    seed,
  ]);
  return Buffer.concat([Buffer.from("fairdeal/v1/deal\0"), head, ...parts]);
}

function ours(row) {
  const key = hmac(Buffer.from(row.server_seed, "hex"), dealMessage(row));
  const zeros = Buffer.alloc(1024);
  const stream = createCipheriv("chacha20", key, zeros.subarray(0, 16)).update(zeros);
  const deck = OURS.slice();
  const dealt = [];
  let at = 0;
  for (let i = 51; i >= 0; i--) {
    const range = i + 1;
    let j = range === 1 ? 0 : -1;
    while (j < 0) {
      const product = stream.readUInt32LE(at) * range;
      at += 4;
      if (product % 2 ** 32 >= 2 ** 32 % range) j = Math.floor(product / 2 ** 32);
    }
    [deck[i], deck[j]] = [deck[j], deck[i]];
    dealt.push(deck[i]);
  }
  const cards = typeof row.cards === "string" ? row.cards.match(/../g) : row.cards;
  return begins(dealt, cards) && !(row.full && cards.length !== 52);
}

const most = 2 ** 32 - 1;
const crash = (cents) => (Math.max(100, Math.floor(cents)) / 100).toFixed(2);
const opens = (row, bytes) =>
  row.commitment === null || sha256(bytes).toString("hex") === row.commitment.toLowerCase();
const text = (row) => opens(row, row.server_seed);
const bytes = (row) => opens(row, Buffer.from(row.server_seed, "hex"));

const verifiers = {
  "stake-video-poker": (row) => text(row) && remove(row),
  "stake-replace": (row) => text(row) && replace(row),
  "duel-video-poker": (row) =>
    bytes(row) &&
    shuffle(
      row,
      STAKE,
      (i) => 51 - i,
      (r) => most - (most % r),
      0,
    ),
  "liqd-blackjack": (row) =>
    text(row) &&
    shuffle(
      row,
      SHOE,
      (i) => i,
      (r) => 2 ** 32 - (2 ** 32 % r),
      1_000_000,
    ),
  "fairdeal/v1": (row) => bytes(row) && ours(row),
  "duel-crash": (row) => {
    const drand = new TextDecoder().decode(Buffer.from(row.client_seed, "hex"));
    const word = hmac(Buffer.from(row.server_seed, "hex"), `${drand}:0`).readUInt32BE(0);
    return bytes(row) && crash((99.9 * 2 ** 32) / (word + 1)) === row.result;
  },
  "stake-crash": (row) => {
    const word = hmac(row.server_seed, row.client_seed).readUInt32BE(0);
    return crash((99 * 2 ** 32) / (word + 1)) === row.result;
  },
  bustabit: (row) => {
    const digest = hmac(row.client_seed, Buffer.from(row.server_seed, "hex")).toString("hex");
    return crash((99 * 2 ** 52) / (2 ** 52 - parseInt(digest.slice(0, 13), 16))) === row.result;
  },
};

const [dialect, file, rounds] = process.argv.slice(2);
const rows = JSON.parse(readFileSync(file, "utf8"));
const verify = verifiers[dialect];
if (rounds === "0") {
  console.log(JSON.stringify(rows.map((row) => verify(row))));
  process.exit(0);
}
let least = Infinity;
for (let round = 0; round < Number(rounds); round++) {
  const start = process.hrtime.bigint();
  for (const row of rows) if (!verify(row)) throw new Error(`not valid: ${JSON.stringify(row)}`);
  least = Math.min(least, Number(process.hrtime.bigint() - start) / rows.length);
}
console.log(least);
