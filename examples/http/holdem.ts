// A table of six plays hold'em over fairdeal. The cards are sealed: each player sees their own,
// everybody the streets, and nobody needs to trust the dealer. One player drops out, and the others
// play on. Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… FAIRDEAL=path/of/fairdeal
// node holdem.ts FOLDER (Node 22.18 or newer; README.md for an older one)
//
// Dealer and players are functions of one program here. In a real game the players' part runs on
// the players' own machines. They need no token, only the dealer's messages, public data, and the
// log's verifier key, which they have from another place.

import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { FAIRDEAL_URL: url, FAIRDEAL_TOKEN: token, FAIRDEAL: fairdeal = "fairdeal" } = process.env;
const folder = process.argv[2] ?? "holdem";
const session = randomBytes(8).toString("hex");

// ---- Used by both sides ----

type Contribution = {
  log: string;
  commitment: string;
  nonce: number;
  from: string;
  seed: string;
  blind: string;
  hash: string;
  key: string;
  signature: string;
};
type Receipt = { entries: { index: number; entry: string }[]; checkpoint: string };
type Opened = { t: number; item: number; salt: string };
type Opening = { receipt: Receipt; card_seals: string[]; opened: Opened[] };
type Answer = {
  commitment: string;
  receipt: Receipt;
  seal: string;
  card_seals: string[];
} & Opening;

class Refused extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    readonly from: string[],
  ) {
    super(detail);
  }
}

async function call(method: string, path: string, body?: object, key?: string): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body) headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = `${session} ${key}`;
  const signal = AbortSignal.timeout(60_000);
  const answer = await fetch(url + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
    signal,
  });
  const said = await answer.json();
  if (!answer.ok) throw new Refused(said.code, said.detail, said.from ?? []);
  return said;
}

const hex = (text: string) => Buffer.from(text, "hex");
const number = (value: number, bytes: number) => hex(value.toString(16).padStart(2 * bytes, "0"));
const text = (value: string) =>
  Buffer.concat([number(Buffer.byteLength(value), 2), Buffer.from(value)]);
// The log's verifier key is NAME+ID+BASE64, with the key itself after a byte 0x01.
const logKey = process.env.FAIRDEAL_KEY!;
const [origin, , ...base64] = logKey.split("+");
const log = [text(origin), Buffer.from(base64.join("+"), "base64").subarray(1)];
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const save = (name: string, value: object) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};
// The command is another implementation than this program. Anyone can check the files with it.
const verify = (...args: string[]) =>
  execFileSync(fairdeal, ["verify", ...args, "--key", logKey], { stdio: "pipe" });

const RANKS = "23456789TJQKA";
const SUITS = ["♣", "♦", "♥", "♠"];
const card = (item: number) => RANKS[item % 13] + SUITS[Math.floor(item / 13)];
const cards = (items: number[]) => items.map(card).join(" ");

// ---- A player: their seeds, their key, their checks ----

class Player {
  readonly #key: KeyObject;
  readonly #publicKey: string;
  readonly name: string;
  #mine?: Contribution;
  hand: number[] = [];

  constructor(name: string) {
    this.name = name;
    // A key for this session only, because it is as public as the log.
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.#key = privateKey;
    this.#publicKey = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url").toString(
      "hex",
    );
  }

  // A new seed for a round. The dealer first gets its hash, signed (spec/ledger.md, section 8.3).
  hash(commitment: string, nonce: number) {
    const [seed, blind] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    const round = [...log, hex(commitment), number(nonce, 8), text(this.name)];
    const hash = sha256(
      "fairdeal/v1/contribution\0",
      ...round,
      hex(blind),
      Buffer.of(1),
      text(seed),
    );
    const head = Buffer.from("fairdeal/v1/contribution-signature\0");
    const message = Buffer.concat([head, ...round, Buffer.of(0), hex(hash)]);
    const signature = sign(null, message, this.#key).toString("base64");
    const given = { from: this.name, hash, key: this.#publicKey, signature };
    this.#mine = { log: logKey, commitment, nonce, seed, blind, ...given };
    return given;
  }

  // Opens the hash, if the log has the lock with this hash and with the agreed seats. The command
  // does not refuse a lock of another round, nor one without this player: the hash tells.
  open(lock: Receipt, seats: string[]) {
    const { nonce, hash, seed, blind } = this.#mine!;
    const mine = save(`${this.name}.json`, this.#mine!);
    verify(save(`lock-${nonce}.json`, lock), "--mine", mine);
    const entry = JSON.parse(lock.entries.at(-1)!.entry);
    if (entry.entry !== "lock" || JSON.stringify(entry.seats) !== JSON.stringify(seats))
      throw new Error("another lock");
    if (!entry.contributions.some((one: Contribution) => one.hash === hash))
      throw new Error("a lock without my hash");
    return { from: this.name, seed, blind };
  }

  // Takes cards: they must be of the sealed deal, at the places of this seat (spec/ledger.md, 8.7).
  take(opening: Opening, seats: string[]) {
    const seat = seats.indexOf(this.name);
    const places = [seat, seats.length + seat];
    if (String(opening.opened.map(({ t }) => t)) !== String(places))
      throw new Error("not my places");
    this.hand = this.check(opening);
    verify(save(`${this.name}-hand.json`, opening), "--seat", this.name);
  }

  // The opened cards must fit the seal in the log (spec/shuffle.md, section 7).
  check({ receipt, card_seals, opened }: Opening): number[] {
    const deal = receipt.entries
      .map(({ entry }) => JSON.parse(entry))
      .find(({ entry }) => entry === "deal");
    const seal = sha256("fairdeal/v1/seals\0", ...card_seals.map(hex));
    if (deal.result.seal !== seal) throw new Error("the card seals are not those of the deal");
    for (const { t, item, salt } of opened) {
      const at = [
        hex(deal.commitment),
        number(deal.nonce, 8),
        number(t, 4),
        number(item, 4),
        hex(salt),
      ];
      if (sha256("fairdeal/v1/card\0", ...at) !== card_seals[t])
        throw new Error(`card ${t} is another`);
    }
    return opened.map(({ item }) => item);
  }

  // How much the player likes two cards. This is not a good strategy.
  likes() {
    const [low, high] = this.hand.map((item) => item % 13).sort((a, b) => a - b);
    const suited = Math.floor(this.hand[0] / 13) === Math.floor(this.hand[1] / 13);
    return 2 * high + low + (low === high ? 20 : 0) + (suited ? 4 : 0);
  }
}

// ---- The value of a hand ----

const NAMES = [
  "high card",
  "a pair",
  "two pairs",
  "three of a kind",
  "a straight",
  "a flush",
  "a full house",
  "four of a kind",
  "a straight flush",
];

// The rank of five cards as a list that compares from left to right: the kind, then the ranks that
// decide.
function rank(five: number[]): number[] {
  const counts = new Map<number, number>();
  for (const item of five) counts.set(item % 13, (counts.get(item % 13) ?? 0) + 1);
  const groups = [...counts].sort(([r, n], [s, m]) => m - n || s - r);
  let ranks = groups.map(([r]) => r);
  const shape = groups.map(([, n]) => n).join("");
  const flush = new Set(five.map((item) => Math.floor(item / 13))).size === 1;
  if (String(ranks) === "12,3,2,1,0") ranks = [3, 2, 1, 0, -1];
  const straight = ranks.length === 5 && ranks[0] - ranks[4] === 4;
  const kinds: Record<string, number> = {
    "41": 7,
    "32": 6,
    "311": 3,
    "221": 2,
    "2111": 1,
    "11111": 0,
  };
  return [straight && flush ? 8 : flush ? 5 : straight ? 4 : kinds[shape], ...ranks];
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

// The best five of seven: leave out each pair of cards once.
function best(seven: number[]): number[] {
  const all = seven.flatMap((_, i) =>
    seven.slice(i + 1).map((_, j) => seven.filter((_, k) => k !== i && k !== i + 1 + j)),
  );
  return all.map(rank).sort(compare).at(-1)!;
}

// ---- The table ----

const say = (line = "") => console.log(line);
const listed = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];

mkdirSync(folder, { recursive: true });
const players = ["alice", "bob", "carol", "dave", "erin", "frank"].map((name) => new Player(name));
const { commitment, receipt: promise } = await call(
  "POST",
  "/v1/commitments",
  {
    table: "holdem/1",
    sealed: true,
    signed: true,
    mixing: "hashes",
    layout: { hand: 2, board: [3, 1, 1], burn: true },
    draw: 2 * players.length + 8,
    reveal_in: "1h",
    last_deal_before: "10m",
    next: false,
  },
  "commit",
);
const at = `/v1/commitments/${commitment}`;
verify(save("promise.json", promise));
say(
  `Dealer: Good evening. My promise for tonight is ${commitment.slice(0, 12)}…, and it is in the log.`,
);

// One hand, up to its cards. Returns the dealt seats, or the players who did not open their hash.
async function deal(
  nonce: number,
  seated: Player[],
  voided?: object,
): Promise<{ absent: string[]; dealt?: Answer }> {
  const seats = seated.map(({ name }) => name);
  const contributions = seated.map((player) => player.hash(commitment, nonce));
  const lock = await call(
    "POST",
    `${at}/locks`,
    { nonce, contributions, seats, void: voided },
    `lock ${nonce}`,
  );
  say(`Dealer: Hand ${nonce + 1}. ${seats.length} hashes are in, and locked.`);
  const opened = seated
    .filter(({ name }) => !gone.has(name))
    .map((player) => player.open(lock.receipt, seats));
  try {
    const dealt = await call(
      "POST",
      `${at}/deals`,
      { nonce, contributions: opened, next: false },
      `deal ${nonce}`,
    );
    return { absent: [], dealt };
  } catch (error) {
    // The problem has the names of the players who did not open their hash.
    if (error instanceof Refused && error.from.length > 0) return { absent: error.from };
    throw error;
  }
}

const gone = new Set(["frank"]);
const first = await deal(0, players);
say(
  `Dealer: ${listed(first.absent)} does not open his hash. We wait a minute… The hand is void, and I log why.`,
);

// The void is sent with the next lock, so that the others lose no time. Players who opened a seed
// make a new one.
const seated = players.filter(({ name }) => !first.absent.includes(name));
const blame = { nonce: 0, reason: "a hash was not opened in time", blame: first.absent[0] };
const { dealt } = await deal(1, seated, blame);
const seats = seated.map(({ name }) => name);
const hand = `${at}/rounds/1`;
say(`Dealer: Five play. The deal is sealed: ${dealt!.seal.slice(0, 12)}…`);
say();

for (const [seat, player] of seated.entries()) {
  player.take(await call("GET", `${hand}/openings/${seat},${seats.length + seat}`), seats);
}
// At least two stay, so that there is a showdown.
const enough = Math.min(25, seated.map((player) => player.likes()).sort((a, b) => b - a)[1]);
const staying = seated.filter((player) => player.likes() >= enough);
for (const player of seated) {
  say(
    `  ${player.name.padEnd(6)} looks at ${cards(player.hand)}${staying.includes(player) ? "" : ", and folds"}`,
  );
}
say();

// Places after the hands: a burnt card, the flop, a burnt card, the turn, a burnt card, the river.
const board: number[] = [];
let place = 2 * seats.length;
for (const [street, many] of [
  ["Flop", 3],
  ["Turn", 1],
  ["River", 1],
] as const) {
  const t = Array.from({ length: many }, (_, i) => place + 1 + i);
  place += 1 + many;
  const opening = await call("POST", `${hand}/openings`, { t, public: true });
  save(`${street.toLowerCase()}.json`, opening);
  board.push(...staying[0].check(opening));
  say(`Dealer: ${`${street}:`.padEnd(6)} ${cards(board)}`);
}
say();

const shown = staying.map((player) => ({ player, worth: best([...player.hand, ...board]) }));
for (const { player, worth } of shown) {
  const seat = seats.indexOf(player.name);
  const opening = await call("POST", `${hand}/openings`, {
    t: [seat, seats.length + seat],
    public: true,
  });
  save(`showdown-${player.name}.json`, opening);
  say(`  ${player.name.padEnd(6)} shows ${cards(seated[0].check(opening))}: ${NAMES[worth[0]]}`);
}
const top = shown
  .map(({ worth }) => worth)
  .sort(compare)
  .at(-1)!;
const winners = shown
  .filter(({ worth }) => compare(worth, top) === 0)
  .map(({ player }) => player.name);
say(`Dealer: ${listed(winners)} ${winners.length > 1 ? "split" : "wins"} with ${NAMES[top[0]]}.`);
say();

// The hand is over, so the seed may become public. It also opens the folded cards.
await call("POST", `${hand}/done`, {});
await call("POST", `${at}/reveal`, { nonce: 2, next: false }, "reveal");
say("Dealer: That was all for tonight. Here is my seed; deal it again at home.");

// The files that everybody keeps, checked again by the command: all files together, and each
// player's hand for their seat.
const files = [
  "promise.json",
  "lock-0.json",
  "lock-1.json",
  "flop.json",
  "turn.json",
  "river.json",
];
const homes = seats
  .map((name) => `${name}-hand.json`)
  .concat(staying.map(({ name }) => `showdown-${name}.json`));
for (const nonce of [0, 1]) {
  files.push(`receipt-${nonce}.json`);
  save(`receipt-${nonce}.json`, await call("GET", `${at}/rounds/${nonce}/receipt`));
}
verify(...[...files, ...homes].map((name) => join(folder, name)));
say(
  `${files.length + homes.length} receipts and openings: all hold, and none contradicts another.`,
);
// Each player brings the contribution and the receipt of the lock that they kept before they opened.
for (const { name } of seated) {
  const kept = [`${name}.json`, "lock-1.json"].flatMap((file) => ["--mine", join(folder, file)]);
  const { state } = JSON.parse(`${verify(join(folder, "receipt-1.json"), ...kept, "--json")}`);
  say(`${name}: ${state}`);
}
