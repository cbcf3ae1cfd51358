// The dealer of web/play.md, in front of a running service: honest, or cheating as it is asked.
//
//     node web/test/play-dealer.js URL TOKEN SIGNING-KEY-FILE [PORT]

import { createHash, randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { byLabel } from "../fairdeal/contribution.js";
import { Problem, client, contribution, toGive, toOpen } from "../fairdeal/index.js";
import { cardSeal, sealOf } from "../fairdeal/seal.js";
import { concat, fromHex, toHex } from "../fairdeal/bytes.js";
import { ForgedView, entriesOf, readSigningKey } from "./forged-view.js";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const SEATS = ["you", "house"];
const YOURS = [0, 2, 4, 6, 8];
const HOUSES = [1, 3, 5, 7, 9];
const CHEATS = ["swap-card", "drop-seed", "pick-commitment", "fork-view", "never-reveal"];
const MOST_ROUNDS = 1000;

/** What every page is answered with. */
export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const hex = (bytes) => randomBytes(bytes).toString("hex");
const problem = (status, code, detail) => new Problem({ status, code, detail });
const entriesIn = (receipt) => receipt.entries.map(({ entry }) => JSON.parse(entry));

/** One dealer and its rounds. */
export class PlayDealer {
  constructor({ url, token, signing }) {
    this.log = client(url, { token });
    this.signing = signing;
    this.rules = createHash("sha256").update(readFileSync(join(WEB, "play-rules.txt"))).digest("hex");
    this.rounds = new Map();
  }

  about() {
    return { key: this.signing.vkey, log: "/", house: "house", rules: this.rules, cheats: CHEATS };
  }

  /** The answer to a call. */
  async call(path, body) {
    const [, round, step] = /^\/play\/rounds(?:\/([0-9a-f]{32})\/(hash|open|show))?$/.exec(path) ?? [];
    if (path === "/play/rounds") return this.start(body);
    const state = this.rounds.get(round);
    if (state === undefined || step === undefined) throw problem(404, "no-such-round", "the round is unknown, or over");
    const known = state.answers.get(step);
    if (known !== undefined && known.body === JSON.stringify(body)) return known.answer;
    if (known !== undefined || state.at !== step) throw problem(409, "out-of-order", `expected ${state.at}, found ${step}`);
    const answer = await this[step](state, body);
    state.answers.set(step, { body: JSON.stringify(body), answer });
    state.at = { hash: "open", open: "show" }[step] ?? "nothing";
    return answer;
  }

  async start({ table, cheat }) {
    if (cheat !== undefined && !CHEATS.includes(cheat)) throw problem(400, "bad-request", `expected one of ${CHEATS.join(", ")}`);
    const round = hex(16);
    const open = cheat === undefined && table !== undefined ? await this.promiseAt(table) : null;
    const { commitment, receipt, at } = open ?? (await this.promise(cheat));
    this.rounds.set(round, { at: "hash", cheat, table: at, commitment, promise: receipt, answers: new Map() });
    if (this.rounds.size > MOST_ROUNDS) this.rounds.delete(this.rounds.keys().next().value);
    return { round, table: at, commitment, nonce: 0, seats: SEATS, promise: receipt };
  }

  /** The open promise of a visitor's table, if no round of it is locked. */
  async promiseAt(table) {
    const { commitment: { commitment, state, reveal_by } } = await this.log.table(table);
    // A visitor who comes back late must not run into the deadline.
    if (!table.startsWith("play/") || state !== "unused" || reveal_by < Date.now() + 60_000) return null;
    return { commitment, at: table, receipt: await this.log.receipt(commitment) };
  }

  async promise(cheat) {
    const at = `play/${hex(8)}`;
    const never = cheat === "never-reveal";
    const { commitment, receipt } = await this.log.commit({
      table: at, deck: "standard-52", draw: 10, sealed: true, signed: true, mixing: "hashes", layout: { hand: 5 }, rounds: 1,
      rules: this.rules, ...(never ? { reveal_in: "8s", reveal: "manual", next: false } : { reveal_in: "10m", reveal: "deadline" }),
    });
    return { commitment, receipt, at };
  }

  async hash(state, given) {
    const { commitment, cheat } = state;
    if (cheat === "pick-commitment") return this.pick(state);
    state.given = given;
    state.house = await this.houseHash(commitment);
    const contributions = cheat === "drop-seed" ? [toGive(state.house)] : [given, toGive(state.house)];
    const { receipt } = await this.log.lock(commitment, { nonce: 0, contributions, seats: SEATS });
    state.lock = receipt;
    return { lock: receipt };
  }

  async houseHash(commitment) {
    const sign = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    return contribution({ from: "house", commitment, nonce: 0, sign, key: this.signing.vkey });
  }

  /** Another promise at the same table, while the first is open: each says that it is the table's first. */
  async pick({ promise }) {
    const view = new ForgedView(this.signing, await this.entries());
    const [{ after: _, ...terms }] = entriesIn(promise);
    const time = Math.max(Date.now(), terms.time);
    const other = hex(32);
    const index = view.add({ ...terms, commitment: other, time, reveal_by: time + 600_000 });
    return { promise: await view.receipt([index]), commitment: other, nonce: 0 };
  }

  entries(most) {
    return entriesOf((path) => this.log.readFile(path), this.signing.vkey, most);
  }

  async open(state, opened) {
    const { commitment, cheat } = state;
    if (cheat === "fork-view") return this.fork(state, opened);
    const dealt = await this.log.deal(commitment, { nonce: 0, contributions: [opened, toOpen(state.house)], open: YOURS });
    state.dealt = dealt;
    const opening = { format: "fairdeal/opening/v1", receipt: dealt.receipt, card_seals: dealt.card_seals, opened: dealt.opened };
    if (cheat === "swap-card") {
      const theirs = new Set(dealt.opened.map(({ item }) => item));
      const others = Array.from({ length: 52 }, (_, item) => item).filter((item) => !theirs.has(item));
      opening.opened = dealt.opened.map((each, i) => (i === 0 ? { ...each, item: others[randomInt(others.length)] } : each));
    }
    return { opening, ...(dealt.next === undefined ? {} : { next: dealt.next.receipt }) };
  }

  /** A hand of another log: its lock is not the one that was shown before the player opened. */
  async fork(state, { blind, from, seed }) {
    const { commitment, given } = state;
    const [terms, lock] = entriesIn(state.lock);
    const [commitAt, lockAt] = state.lock.entries.map(({ index }) => index);
    const view = new ForgedView(this.signing, await this.entries(lockAt));
    const house = await this.houseHash(commitment);
    const { commitment: _, nonce, ...mine } = given;
    const { commitment: __, nonce: ___, ...theirs } = toGive(house);
    view.add({ ...lock, contributions: [mine, theirs].sort(byLabel) });
    const cards = this.chosen();
    const salts = cards.map(() => randomBytes(16));
    const seals = cards.map((item, t) => cardSeal(fromHex(commitment), 0, t, item, salts[t]));
    const openings = [{ blind, from, seed }, toOpen(house)].sort(byLabel);
    view.add({
      entry: "deal", commitment, nonce, time: Math.max(Date.now(), terms.time, lock.time), lock: lockAt, opened: openings,
      result: { seal: toHex(sealOf(concat(...seals))) },
    });
    state.forged = {
      format: "fairdeal/opening/v1", receipt: await view.receipt([commitAt, lockAt, lockAt + 1], mine.seen === undefined ? [] : [mine.seen.size]),
      card_seals: seals.map(toHex), opened: cards.map((item, t) => ({ t, item, salt: toHex(salts[t]) })),
    };
    await this.log.void(commitment, { nonce: 0, reason: "misdeal" });
    return { opening: { ...state.forged, opened: state.forged.opened.filter(({ t }) => YOURS.includes(t)) } };
  }

  /** Ten items: the house's are four aces and a king. */
  chosen() {
    const best = [12, 25, 38, 51, 11];
    const left = Array.from({ length: 52 }, (_, item) => item).filter((item) => !best.includes(item));
    return Array.from({ length: 10 }, (_, t) => (t % 2 === 1 ? best[(t - 1) / 2] : left.splice(randomInt(left.length), 1)[0]));
  }

  async show({ commitment, cheat, forged }) {
    if (forged !== undefined) return { opening: { ...forged, opened: forged.opened.filter(({ t }) => HOUSES.includes(t)) } };
    const opening = await this.log.open(commitment, 0, { t: HOUSES, public: true });
    if (cheat === "never-reveal") return { opening };
    await this.log.done(commitment, 0);
    await this.log.reveal(commitment);
    return { opening, reveal: await this.log.receipt(commitment, 0) };
  }
}

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".json": "application/json", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
};

/** Serves the pages, the game, and the log behind it, as `fairdeal serve --play` does. */
export async function servePlay({ url, token, signing: text, port = 0 }) {
  const dealer = new PlayDealer({ url, token, signing: await readSigningKey(text) });
  const server = createServer((request, response) => {
    answer(dealer, url, request, response).catch((error) => {
      const { status = 500, code = "internal", detail = String(error) } = error instanceof Problem ? error : {};
      response.writeHead(status || 503, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ type: `urn:fairdeal:problem:${code}`, title: code, status: status || 503, code, detail }));
    });
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, dealer, close: () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  }) };
}

async function answer(dealer, url, request, response) {
  const { pathname, search } = new URL(request.url, "http://local");
  const send = (status, type, body, more = {}) => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...more });
    response.end(body);
  };
  if (pathname === "/play" && request.method === "GET") return send(200, "application/json", JSON.stringify(dealer.about()));
  if (pathname.startsWith("/play/") && request.method === "POST") {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || "{}");
    return send(200, "application/json", JSON.stringify(await dealer.call(pathname, body)));
  }
  if (/^\/(v1\/|tile\/|checkpoint$)/.test(pathname)) {
    const passed = await fetch(url + pathname + search, { headers: { accept: request.headers.accept ?? "*/*" } });
    return send(passed.status, passed.headers.get("content-type") ?? "application/octet-stream", Buffer.from(await passed.arrayBuffer()));
  }
  const name = pathname === "/" ? "/verify.html" : pathname;
  try {
    return send(200, TYPES[extname(name)] ?? "application/octet-stream", readFileSync(join(WEB, normalize(name))), { "content-security-policy": POLICY });
  } catch {
    return send(404, "text/plain", "nothing is here");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url, token, file, port = "0"] = process.argv;
  const { url: at } = await servePlay({ url, token, signing: readFileSync(file, "utf8"), port: Number(port) });
  console.log(`listening on ${at}/play.html`);
}
