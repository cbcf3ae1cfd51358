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

import { slotOf, wheelOf } from "../web/fairdeal/dialects/stake.js";

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

/** The first word of a digest under a limit, or -1. */
function under(digest, limit) {
  for (let word = 0; word < 32; word += 4) {
    const value = digest.readUInt32BE(word);
    if (value < limit) return value;
  }
  return -1;
}

const most = 2 ** 32 - 1;
const duelLimit = (range) => most - (most % range);
const liqdLimit = (range) => 2 ** 32 - (2 ** 32 % range);

/** The draw of a cursor, or of one that is greater by `more` where every word is refused. */
function drawn(key, prefix, cursor, range, limit, more) {
  for (let at = cursor; ; at += more) {
    const word = under(hmac(key, prefix + at), limit);
    if (word >= 0) return word % range;
    if (more === 0) throw new Error("no answer");
  }
}

function shuffled(row, fresh, cursor, limitOf, more) {
  const key = Buffer.from(row.server_seed, "hex");
  const deck = fresh.slice();
  const prefix = `${row.client_seed}:${row.nonce}:`;
  for (let i = deck.length - 1; i > 0; i--) {
    const j = drawn(key, prefix, cursor(i), i + 1, limitOf(i + 1), more);
    const card = deck[i];
    deck[i] = deck[j];
    deck[j] = card;
  }
  return deck;
}

/** Duel's shuffle of numbers, of which the first `count` are shown as a set. */
function duelSet(row, items, count) {
  const fresh = Array.from({ length: items }, (_, at) => at);
  const order = shuffled(row, fresh, (i) => items - 1 - i, duelLimit, 1);
  return isSet(order.slice(0, count), row.numbers);
}

function liqdMines(row) {
  const key = Buffer.from(row.server_seed, "hex");
  const tiles = Array.from({ length: 25 }, (_, at) => at + 1);
  for (let i = 0; i < 25; i++) {
    const range = 25 - i;
    const prefix = `${row.client_seed}:${row.nonce}:`;
    const j = i + drawn(key, prefix, i, range, liqdLimit(range), 1_000_000);
    [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
  }
  return row.numbers.length === row.mine_count && begins(tiles, row.numbers);
}

/** A path of bits, of which a row shows the sum and perhaps the bits. */
function falls(row, bit) {
  const key = Buffer.from(row.server_seed, "hex");
  const prefix = `${row.client_seed}:${row.nonce}:`;
  const path = Array.from({ length: row.rows }, (_, at) => bit(key, prefix, at));
  const slot = path.reduce((sum, one) => sum + one, 0);
  const shown = row.path === undefined || [...row.path].join("") === path.join("");
  return shown && (row.slot === undefined || row.slot === slot);
}

function isSet(dealt, shown) {
  const all = new Set(shown);
  return (
    all.size === dealt.length && shown.length === dealt.length && dealt.every((one) => all.has(one))
  );
}

/** `count` of Stake's numbers under a range. */
function numbers(row, range, count) {
  const words = stream(row);
  return Array.from({ length: count }, () => Math.floor((words.next().value * range) / 2 ** 32));
}

function picked(words, items, count) {
  const left = Array.from({ length: items }, (_, at) => at);
  return Array.from(
    { length: count },
    () => left.splice(Math.floor((words.next().value * left.length) / 2 ** 32), 1)[0],
  );
}

const EGGS = { easy: [3, 4], medium: [2, 3], hard: [1, 2], expert: [1, 3], master: [1, 4] };

function tower(row) {
  const [eggs, places] = EGGS[row.difficulty];
  const words = stream(row);
  return row.floors.every((floor) => begins(picked(words, places, eggs), floor));
}

function symbols(row, names, count) {
  return begins(
    numbers(row, names.length, count).map((at) => names[at]),
    row.symbols,
  );
}

function rolls(row) {
  const dice = numbers(row, 6, 10);
  return row.rolls.every((sum, at) => sum === dice[2 * at] + dice[2 * at + 1] + 2);
}

/** The multiplier of Stake's formula, and the one that doubles give. */
function multiplies(row, bits, word, edge) {
  const exact = Math.max(edge === 0.99 && bits === 24 ? 99 : 100, divided(bits, word, edge));
  const doubles = Math.floor((2 ** bits / word) * edge * 100);
  const shown = Math.round(Number(row.result) * 100);
  return (
    shown === exact || (shown === doubles && doubles < exact) || (exact < 100 && shown === 100)
  );
}

// An integer of at most 2^39 by another one: the quotient of doubles is not under an integer that
// it reaches.
const divided = (bits, word, edge) => Math.floor((Math.round(edge * 100) * 2 ** bits) / word);

const cents = (row) => Math.round(Number(row.result) * 100);

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

const crash = (cents) => (Math.max(100, Math.floor(cents)) / 100).toFixed(2);
const opens = (row, bytes) =>
  row.commitment === null || sha256(bytes).toString("hex") === row.commitment.toLowerCase();
const text = (row) => opens(row, row.server_seed);
const bytes = (row) => opens(row, Buffer.from(row.server_seed, "hex"));

// The tables of multipliers, which are of this project's own module: they take no part in the time.
const WHEELS = new Map();
const SLOTS = new Map();
for (const risk of ["low", "medium", "high"]) {
  for (const segments of [10, 20, 30, 40, 50]) {
    WHEELS.set(`${segments} ${risk}`, wheelOf(segments, risk).map(Number));
  }
  for (let rows = 8; rows <= 16; rows++) {
    const accepted = Array.from({ length: rows + 1 }, (_, ones) => slotOf(rows, risk, ones));
    const all = accepted.map(({ cents, other }) => [Number(cents), Number(other ?? cents)]);
    SLOTS.set(`${rows} ${risk}`, all);
  }
}
const wheel = (row) => WHEELS.get(`${row.segments} ${row.risk}`);
const slots = (row) => SLOTS.get(`${row.rows} ${row.risk}`);

const GEMS = ["green", "purple", "yellow", "red", "cyan", "pink", "blue"];
const first = (row) => stream(row).next().value;

function beacon(row) {
  const drand = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    Buffer.from(row.client_seed, "hex"),
  );
  return hmac(Buffer.from(row.server_seed, "hex"), `${drand}:0`).readUInt32BE(0);
}

function bust(row) {
  const digest = hmac(row.client_seed, Buffer.from(row.server_seed, "hex")).toString("hex");
  return crash((99 * 2 ** 52) / (2 ** 52 - parseInt(digest.slice(0, 13), 16))) === row.result;
}

const verifiers = {
  "stake-video-poker": (row) => text(row) && remove(row),
  "stake-replace": (row) => text(row) && replace(row),
  "stake-dice": (row) => text(row) && numbers(row, 10_001, 1)[0] === cents(row),
  "stake-roulette": (row) => text(row) && numbers(row, 37, 1)[0] * 100 === cents(row),
  "stake-limbo": (row) => text(row) && multiplies(row, 24, (first(row) >>> 8) + 1, 0.99),
  "stake-wheel": (row) => text(row) && wheel(row)[numbers(row, row.segments, 1)[0]] === cents(row),
  "stake-plinko": (row) =>
    text(row) &&
    slots(row)[numbers(row, 2, row.rows).reduce((sum, one) => sum + one, 0)].includes(cents(row)),
  "stake-mines": (row) =>
    text(row) && isSet(picked(stream(row), 25, row.mine_count ?? row.numbers.length), row.numbers),
  "stake-keno": (row) =>
    text(row) &&
    isSet(
      picked(stream(row), 40, 10).map((at) => at + 1),
      row.numbers,
    ),
  "stake-diamonds": (row) => text(row) && symbols(row, GEMS, 5),
  "stake-flip": (row) => text(row) && symbols(row, ["tails", "heads"], 20),
  "stake-rock-paper-scissors": (row) =>
    text(row) && symbols(row, ["rock", "paper", "scissors"], 20),
  "stake-snakes": (row) => text(row) && rolls(row),
  "stake-dragon-tower": (row) => text(row) && tower(row),
  "stake-slide": (row) =>
    multiplies(row, 32, hmac(row.server_seed, row.client_seed).readUInt32BE(0) + 1, 0.98),
  "duel-video-poker": (row) =>
    bytes(row) &&
    begins(
      shuffled(row, STAKE, (i) => 51 - i, duelLimit, 0),
      row.cards,
    ),
  "duel-mines": (row) => bytes(row) && duelSet(row, 25, row.mine_count),
  "duel-beef": (row) => bytes(row) && duelSet(row, 20, [0, 1, 3, 5, 10][row.difficulty]),
  "duel-dice": (row) => {
    const digest = hmac(Buffer.from(row.server_seed, "hex"), `${row.client_seed}:${row.nonce}`);
    return bytes(row) && (under(digest, duelLimit(10_001)) % 10_001) * 100 === cents(row);
  },
  "duel-plinko": (row) =>
    bytes(row) && falls(row, (key, prefix, at) => hmac(key, prefix + at).readUInt32BE(0) % 2),
  "duel-castle-roulette": (row) => bytes(row) && (beacon(row) % 48) * 100 === cents(row),
  "liqd-blackjack": (row) =>
    text(row) &&
    begins(
      shuffled(row, SHOE, (i) => i, liqdLimit, 1_000_000),
      row.cards,
    ),
  "liqd-dice": (row) => {
    const key = Buffer.from(row.server_seed, "hex");
    const prefix = `${row.client_seed}:${row.nonce}:`;
    return text(row) && drawn(key, prefix, 0, 10_000, liqdLimit(10_000), 1_000_000) === cents(row);
  },
  "liqd-plinko": (row) =>
    text(row) && falls(row, (key, prefix, at) => drawn(key, prefix, at + 1, 2, 2 ** 32, 1_000_000)),
  "liqd-mines": (row) => text(row) && liqdMines(row),
  "fairdeal/v1": (row) => bytes(row) && ours(row),
  "duel-crash": (row) => bytes(row) && crash((99.9 * 2 ** 32) / (beacon(row) + 1)) === row.result,
  "stake-crash": (row) => {
    const word = hmac(row.server_seed, row.client_seed).readUInt32BE(0);
    return crash((99 * 2 ** 32) / (word + 1)) === row.result;
  },
  bustabit: bust,
  "bustabit-v2": bust,
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
