// Random raffles for agree-raffles.js: the documents of a log, their lists, and what a reader gives.

import { rightRound, outAt } from "../fairdeal/beacon.js";
import { fromHex, toHex, utf8 } from "../fairdeal/bytes.js";
import { deal, resultOf } from "../fairdeal/deal.js";
import { entrant, entrantLink } from "../fairdeal/entrant.js";
import { canonical } from "../fairdeal/jcs.js";
import { readJson } from "../fairdeal/json.js";
import { promiseRaffle } from "../fairdeal/raffle-promise.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { json } from "../fixtures.js";
import { Maker, vkey } from "./agree-maker.js";
import { chain, file as chainFile, signed } from "./beacons.js";
import { ModelLog } from "./model-log.js";
import { Witness, anchor, cosigned } from "./witnesses.js";

const witnesses = ["w1", "w2", "w3"].map((name) => new Witness(name));
const POLICY = `${witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}\n`).join("")}group all 2 w1 w2 w3\nquorum all\n`;
const other = (await ModelLog.make("agree.example/other")).signing.vkey;
const NAMES = ["anna", "Anna", "bob", "cleo ", "é", "e\u0301", "1", "\u202e"];
const PAGE = "https://club.example/raffle";
/** Round 1000 of quicknet, and when it was out. */
const RECORDED = json("raffles", "drawn", "case.json").verdict.beacon;

const signatures = new Map();
/** The signature of a round, which takes some milliseconds to make. */
function signatureOf(round) {
  if (!signatures.has(round)) signatures.set(round, signed(round));
  return signatures.get(round);
}

const bytesOf = (lines) => utf8(lines.map((line) => `${line}\n`).join(""));
const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** A log with one raffle among the entries of others. */
export class RaffleMaker extends Maker {
  /** Lines, all different or not, or hashed ones with their entrants. */
  list() {
    const count = 1 + this.next(this.chance(20) ? 1100 : 9);
    if (this.chance(3)) {
      const secret = sha256(Uint8Array.of(this.next(4)));
      this.entrants = Array.from({ length: count }, () =>
        entrant(secret, `${this.pick(NAMES)}${this.next(9)}@x`),
      );
      this.lines = this.entrants.map(({ line }) => line).sort();
      return;
    }
    const repeated = this.chance(2);
    this.entrants = [entrant(sha256(utf8("x")), "x")];
    this.lines = Array.from({ length: count }, (_, i) =>
      repeated ? this.pick(NAMES) : `ticket ${i}`,
    );
  }

  rules() {
    const { size } = new Set(this.lines);
    this.different = size;
    const rules = { winners: Math.min(1000, 1 + this.next(this.odd(8) ? size + 2 : size)) };
    if (this.chance(2)) rules.title = this.pick(["Winter", "é".repeat(100)]);
    if (this.chance(2)) rules.prizes = ["a cake", "b"].slice(0, 1 + this.next(rules.winners));
    if (this.odd(15))
      Object.assign(
        rules,
        this.pick([{ more: 1 }, { winners: 1001 }, { title: "" }, { prizes: [] }, { winners: 0 }]),
      );
    this.rulesOf = rules;
  }

  promise() {
    this.list();
    this.rules();
    const { lines, rulesOf } = this;
    const all = lines.length;
    this.seed = sha256(Uint8Array.of(this.next(8), 7));
    const margin = this.pick([0, 2000, 20_000, 600_000]);
    const right = rightRound(chain, this.time, margin) ?? 1;
    this.out = outAt(chain, right);
    this.terms = {
      entry: "commit",
      protocol: "fairdeal/v1",
      origin: this.key.name,
      commitment: toHex(sha256(this.seed)),
      table: "raffle",
      method: "shuffle",
      deck: { count: all, sha256: toHex(sha256(bytesOf(lines))) },
      draw: this.different < all ? all : Math.max(1, Math.min(all, rulesOf.winners)),
      sealed: false,
      mixing: "beacon",
      rounds: 1,
      rules: toHex(sha256(utf8(canonical(readJson(JSON.stringify(rulesOf)))))),
      beacon: { chain: this.chance(12) ? "ef".repeat(32) : chain.hash, margin },
      time: this.time,
      reveal_by: 1000 * this.out + 100_000,
      ...(this.chance(10) ? { signed: true } : {}),
    };
    const faults = [
      { sealed: true },
      { rounds: 2 },
      { draw: 1 + this.next(all) },
      { rules: "00".repeat(32) },
      { mixing: "seeds", beacon: undefined },
      { layout: { hand: 1 } },
      { origin: "x" },
      { protocol: "fairdeal/v9" },
      { deck: { ...this.terms.deck, count: all + 1 } },
      { reveal_by: 1000 * this.out },
    ];
    this.own = [];
    this.stages = [];
    this.given = [];
    this.add({ ...this.terms, ...(this.odd(8) ? this.pick(faults) : {}) });
    this.round = right + (this.odd(15) ? this.next(3) - 1 : 0);
  }

  /** Writes an entry of the raffle, or an anchor. */
  add(entry) {
    this.own.push(this.size);
    this.push(entry);
    this.stages.push([...this.own]);
  }

  under(entry, more) {
    this.add({ entry, commitment: this.terms.commitment, time: this.time, ...more });
  }

  /** Waits until about the time at which the round is out. */
  wait(seconds) {
    if (!this.odd(10)) this.time = Math.max(this.time, 1000 * (this.out + seconds));
  }

  async lockRaffle() {
    const course = { commit: this.terms, nonce: 0 };
    const labels = this.chance(2) ? ["alice", "bob", "carol"].slice(0, 1 + this.next(3)) : [];
    this.given = [];
    for (const label of labels)
      this.given.push((await this.contribution(label, course, this.odd(15))).each);
    const lock = { nonce: this.odd(40) ? 1 : 0 };
    if (this.given.length > 0) lock.contributions = this.given;
    if (!this.odd(30)) lock.beacon = this.round;
    this.locked = this.size;
    this.under("lock", lock);
  }

  /** Witnesses, each with the second of its signature: mostly in time. */
  signers() {
    const before = () => this.out - (this.calm ? 5 + this.next(50) : this.next(10) - 2);
    return witnesses.slice(0, 1 + this.next(3)).map((each) => [each, Math.max(0, before())]);
  }

  anchorRaffle() {
    const signers = this.signers();
    for (const [, second] of signers) this.time = Math.max(this.time, 1000 * second);
    const more = { time: this.time };
    if (this.odd(20)) more.root = sha256(utf8("x"));
    this.add(anchor(this, this.size, signers, more));
  }

  dealRaffle() {
    this.wait(1);
    const beacon = this.odd(8)
      ? this.pick([signatureOf(this.round + 1), "5a".repeat(48)])
      : signatureOf(this.round);
    const contributions = this.given.map((each) => ({ seed: "x", ...each }));
    const mixed = { nonce: 0, contributions, randomness: sha256(fromHex(beacon)) };
    const { terms } = this;
    const hmac = new HmacKey(this.seed);
    const order = deal(hmac, terms, mixed);
    if (this.odd(5)) order.reverse();
    const result = resultOf(hmac, fromHex(terms.commitment), terms, mixed, order);
    this.under("deal", {
      nonce: 0,
      lock: this.locked,
      result,
      ...(this.odd(30) ? {} : { beacon }),
    });
  }

  voidRaffle() {
    if (this.chance(2)) this.wait(this.next(3));
    this.under("void", { reason: "rain", ...(this.odd(4) ? {} : { nonce: 0 }) });
  }

  revealRaffle() {
    this.wait(2);
    this.under("reveal", { server_seed: toHex(this.odd(8) ? sha256(this.seed) : this.seed) });
  }

  async write() {
    for (let i = this.next(4); i > 0; i--) await this.step();
    this.promise();
    if (!this.odd(40)) await this.lockRaffle();
    if (this.chance(2)) this.anchorRaffle();
    const last = this.next(6);
    if (last > 2) this.dealRaffle();
    if (last === 2 || this.odd(12)) this.voidRaffle();
    if (last > 3 || this.odd(12)) this.revealRaffle();
    if (last > 2 && this.chance(4)) this.anchorRaffle();
    if (this.odd(12)) await this.lockRaffle();
    if (this.chance(2)) await this.step();
    return this;
  }

  /** A receipt of the first entries of the raffle, up to a stage. */
  async shown(stage, log = this) {
    const indices = [...this.stages[stage]];
    if (indices.length > 2 && this.odd(15)) indices.splice(this.next(indices.length), 1);
    const least = 1 + indices.at(-1);
    const size = this.chance(2) ? log.size : least;
    const receipt = await log.receipt(indices, size);
    if (this.chance(2)) receipt.checkpoint = await cosigned(log, this.signers(), size);
    const faults = [
      () => (this.pick(receipt.entries).proof = []),
      () => (receipt.checkpoint = "x"),
      () => (receipt.checkpoint = receipt.checkpoint.replace(/[^ ]{8}\n$/, "AAAAAAAA\n")),
      () => delete receipt.seen,
      () => (receipt.seen = []),
    ];
    if (this.odd(12)) this.pick(faults)();
    return receipt;
  }

  /** A document, as text. */
  async document(stage, log = this) {
    const document = {
      format: "fairdeal/raffle/v1",
      rules: this.rulesOf,
      receipt: await this.shown(stage, log),
    };
    if (this.chance(2)) document.server_seed = toHex(this.odd(20) ? sha256(this.seed) : this.seed);
    if (this.chance(3)) document.policy = POLICY;
    if (this.chance(3)) document.list = `${PAGE}/list.txt`;
    if (this.odd(8)) this.spoil(document);
    return `${this.chance(20) ? "\ufeff" : ""}${JSON.stringify(document)}`;
  }

  /** Changes one member at some depth. */
  spoil(inside) {
    const name = this.pick(Object.keys(inside));
    const value = inside[name];
    if (typeof value === "object" && !this.chance(4) && Object.keys(value).length > 0)
      return this.spoil(value);
    const others = [null, "", 1, -1, 0.5, true, [value], { winners: 1 }, "x", undefined, 2 ** 53];
    if (typeof value === "string") others.push(`${value}x`, value.toUpperCase(), `${value}\u007f`);
    if (typeof value === "number") others.push(value + 1, value - 1);
    inside[name] = this.pick(others);
  }

  /** A document of a log with the same commit, which then went another way. */
  async forked() {
    const fork = this.fork(this.locked);
    fork.now = this.time;
    const { commitment } = this.terms;
    const lock = parsed(this.entries[this.locked]);
    const seed = toHex(this.chance(2) ? this.seed : sha256(this.seed));
    for (const entry of this.pick([
      [{ ...lock, time: lock.time + 1 }],
      [{ ...lock, contributions: [{ from: "alice", seed: "lucky" }] }],
      [lock, { entry: "void", commitment, nonce: 0, reason: "rain" }],
      [lock, { entry: "reveal", commitment, server_seed: seed }],
      [{ entry: "void", commitment, reason: "rain" }, lock],
    ]))
      fork.push(entry);
    const stage = this.stages.push([
      this.own[0],
      ...Array.from({ length: fork.size - this.locked }, (_, i) => this.locked + i),
    ]);
    const document = await this.document(stage - 1, fork);
    this.stages.pop();
    return document;
  }

  /** What the reader kept: mostly the promise. */
  async keptOnes() {
    const kept = [];
    for (let i = this.chance(2) ? 0 : 1 + this.next(2); i > 0; i--) {
      const stage = this.chance(2) ? Math.min(1, this.own.length - 1) : this.next(this.own.length);
      const forks = this.locked !== undefined && this.chance(this.calm ? 12 : 3);
      kept.push(forks ? await this.forked() : await this.document(stage));
    }
    return kept;
  }

  /** A signature of the round in one of its forms, or of another round, or none. */
  beacon() {
    const right = signatureOf(this.round);
    const answer = { round: this.round, signature: right, randomness: "x" };
    const good = [
      right,
      ` \r\n${right}\n`,
      JSON.stringify(answer),
      `\ufeff${JSON.stringify(answer)}`,
    ];
    const bad = [
      signatureOf(this.round + 1),
      JSON.stringify({ ...answer, round: this.round + 1 }),
      JSON.stringify({ ...answer, round: String(this.round) }),
      JSON.stringify(answer).replace(/"round":(\d+)/, '"round":$1.0'),
      `\ufeff${right}`,
      right.toUpperCase(),
      "5a".repeat(48),
      `\v${right}`,
      "",
    ];
    return this.chance(3) ? undefined : this.pick(this.odd(4) ? bad : good);
  }

  /** A raffle of the same lines in a log for it alone, which the recorded round decides. */
  async alone() {
    const list = bytesOf(this.lines);
    const winners = 1 + this.next(Math.min(1000, this.different));
    const { document, key } = await promiseRaffle(
      list,
      { winners, title: "Winter" },
      RECORDED.out,
      1000 * RECORDED.out - 1 - this.next(86_400_000),
    );
    const { line, ...named } = this.pick(this.entrants);
    return {
      key: this.odd(10) ? other : key,
      list: this.odd(10) ? utf8("x\n") : list,
      chains: [],
      ...(this.chance(3)
        ? {}
        : { beacon: this.pick([RECORDED.signature, ` ${RECORDED.signature}`]) }),
      ...(this.chance(2) ? { link: entrantLink(PAGE, named) } : { line }),
      mine: [],
      kept: this.chance(2) ? [document] : [],
      document,
    };
  }

  /** What a reader gives a command. */
  async reader() {
    const stage = this.chance(4) ? this.next(this.own.length) : this.own.length - 1;
    const { line, ...named } = this.pick(this.entrants);
    const lists = [
      bytesOf([...this.lines, "zoe"]),
      bytesOf(this.lines).slice(0, -1),
      bytesOf([...this.lines, ""]),
      new Uint8Array(),
      utf8(`\ufeff${bytesOf(this.lines)}`),
    ];
    const mine = this.kept.filter(() => this.chance(4)).map(({ ...kept }) => kept);
    if (this.odd(8)) mine.push({ from: "alice", seed: "lucky" });
    const entrance = this.next(6);
    return {
      key: this.odd(30) ? other : vkey,
      list: this.odd(15) ? this.pick(lists) : bytesOf(this.lines),
      chains: this.chance(15) ? [] : [chainFile],
      beacon: this.beacon(),
      ...(entrance === 0 ? { line: this.pick([line, ...this.lines.slice(0, 9), "zoe", ""]) } : {}),
      ...(entrance === 1 ? { link: entrantLink(PAGE, named).slice(this.odd(6) ? 60 : 0) } : {}),
      mine,
      kept: await this.keptOnes(),
      document: await this.document(stage),
      policy: this.chance(2) ? undefined : this.odd(20) ? `log ${other}\n${POLICY}` : POLICY,
    };
  }
}
