// Makes logs and receipts of honest and of broken entries, judges each with this package and with
// the command line, and prints those whose verdicts differ. Then the same with files of rows of
// other operators, which the program `tool` makes and judges.
//
//     node web/agree.js FAIRDEAL [LOGS] [SEED]
//
// FAIRDEAL is the built command line; `tool` is beside it. The keys are new in each run; everything
// else follows from the seed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { concat, fromHex, toBase64, toHex, u16, u32, utf8 } from "./fairdeal/bytes.js";
import { contributionHash, signedMessage } from "./fairdeal/contribution.js";
import { deal, resultOf } from "./fairdeal/deal.js";
import { verifyEvidence } from "./fairdeal/evidence.js";
import { auditExport, verifyReceipts } from "./fairdeal/index.js";
import { canonical } from "./fairdeal/jcs.js";
import { readJson } from "./fairdeal/json.js";
import { seal } from "./fairdeal/seal.js";
import { sealKey } from "./fairdeal/derive.js";
import { HmacKey, sha256 } from "./fairdeal/sha256.js";
import { disagreeingRows } from "./agree-rows.js";
import { ModelLog } from "./test/model-log.js";

const [program, logs = "300", firstSeed = "1"] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: node web/agree.js FAIRDEAL [LOGS] [SEED]");
  process.exit(2);
}

const ORIGIN = "agree.example/log";
const { signing } = await ModelLog.make(ORIGIN);
const { vkey } = signing;
const { subtle } = crypto;
const playerKeys = await subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
const playerKey = toHex(new Uint8Array(await subtle.exportKey("raw", playerKeys.publicKey)));
const sign = async (message) =>
  new Uint8Array(await subtle.sign({ name: "Ed25519" }, playerKeys.privateKey, message));

/**
 * One log, made entry by entry: most entries are the correct next entry, and some are arbitrary.
 */
class Maker extends ModelLog {
  constructor(seed) {
    super(signing);
    this.state = seed;
    this.time = 1_760_000_000_000;
    this.courses = [];
    /** What the players kept of the contributions that they made. */
    this.kept = [];
  }

  next(below) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * below);
  }

  chance(oneIn) {
    return this.next(oneIn) === 0;
  }

  pick(list) {
    return list[this.next(list.length)];
  }

  push(value) {
    this.append(
      utf8(typeof value === "string" ? value : canonical(readJson(JSON.stringify(value)))),
    );
  }

  commit() {
    const serverSeed = sha256(Uint8Array.of(this.next(8), this.courses.length));
    const table = this.pick(["t1", "t2"]);
    const last = this.courses.findLast((course) => course.commit.table === table);
    const commit = {
      entry: "commit",
      protocol: this.chance(25) ? "fairdeal/v9" : "fairdeal/v1",
      origin: this.chance(30) ? "x" : ORIGIN,
      commitment: toHex(sha256(serverSeed)),
      table,
      method: "shuffle",
      draw: 5,
      sealed: this.chance(3),
      deck: this.pick([
        "standard-52",
        "short-36",
        { count: 9, sha256: "ab".repeat(32) },
        { count: 1200, sha256: "cd".repeat(32) },
      ]),
      mixing: this.pick(["seeds", "seeds", "hashes", "beacon"]),
      rounds: 1 + this.next(3),
      time: this.time,
      reveal_by: this.time + 1 + this.next(9000),
    };
    if (this.chance(4)) {
      commit.method = "cycle";
      commit.deck = this.pick(["short-36", "standard-52x2", { count: 4, sha256: "ab".repeat(32) }]);
      commit.draw = { "short-36": 36, "standard-52x2": 104 }[commit.deck] ?? 4;
    } else if (commit.deck.count === 1200) {
      commit.draw = 1100;
    } else if (this.chance(2)) {
      commit.layout = this.pick([
        { hand: 1 },
        { hand: 2 },
        { hand: 1, board: [1, 1], burn: true },
        { hand: 5 },
        { hand: 6 },
      ]);
    }
    if (commit.mixing === "beacon") commit.beacon = { chain: "ef".repeat(32), margin: 1000 };
    if (this.chance(4)) commit.signed = true;
    if (last !== undefined && !this.chance(6)) commit.after = last.commit.commitment;
    if (this.chance(20)) commit.after = "11".repeat(32);
    this.courses.push({ commit, serverSeed, index: this.entries.length, nonce: 0, lock: null });
    this.push(commit);
  }

  async contribution(from, course, hashed) {
    const { commit, nonce } = course;
    const each = { from, seed: this.pick(["lucky", "é", `s${this.next(9)}`]) };
    if (this.chance(4) && this.tree.size > 0) each.seen = await this.saw();
    const blind = "07".repeat(32);
    const open = hashed ? { blind, from, seed: each.seed } : null;
    const round = { log: vkey, commitment: commit.commitment, nonce };
    const kept = { ...each, ...round };
    if (hashed) {
      each.hash = contributionHash(this.key, commit.commitment, nonce, each, blind);
      delete each.seed;
      Object.assign(kept, { blind, hash: each.hash });
    }
    if (commit.signed || this.chance(6)) {
      each.key = playerKey;
      const wrong = this.chance(8) ? 1 : 0;
      each.signature = toBase64(
        await sign(signedMessage(this.key, commit.commitment, nonce + wrong, each)),
      );
      // What does not verify is no contribution.
      if (wrong === 0) Object.assign(kept, { key: each.key, signature: each.signature });
    }
    if (this.chance(4)) kept.given = true;
    this.kept.push(kept);
    return { each, open };
  }

  /** A checkpoint that a player saw: of this log, of none, or not signed. */
  async saw() {
    const size = 1 + this.next(this.tree.size + (this.chance(5) ? 2 : 0));
    const root =
      this.chance(6) || size > this.tree.size
        ? sha256(Uint8Array.of(size))
        : this.tree.rootAt(size);
    const note = await this.note(this.chance(10) ? size + 1 : size, root);
    return { root: toHex(root), signature: note.trim().split(" ").at(-1), size };
  }

  async contributions(course, hashed) {
    const labels = ["alice", "bob", "carol"].slice(0, 1 + this.next(3));
    const all = [];
    for (const label of labels)
      all.push(await this.contribution(label, course, hashed !== this.chance(8)));
    return {
      contributions: all.map(({ each }) => each),
      opened: all.flatMap(({ open }) => (open === null ? [] : [open])),
    };
  }

  seats(entry, { commit }) {
    if ((commit.layout === undefined) === this.chance(8))
      entry.seats = ["alice", "bob", "carol", "dave"].slice(0, 3 + this.next(2));
  }

  async lock(course) {
    const { contributions, opened } = await this.contributions(
      course,
      course.commit.mixing === "hashes",
    );
    const lock = {
      entry: "lock",
      commitment: course.commit.commitment,
      nonce: course.nonce,
      time: this.time,
      contributions,
    };
    if (course.commit.mixing === "beacon" && !this.chance(6)) lock.beacon = 3;
    this.seats(lock, course);
    course.lock = { lock, opened, index: this.entries.length };
    this.push(lock);
  }

  async deal(course) {
    const { commit, nonce, lock } = course;
    const entry = { entry: "deal", commitment: commit.commitment, nonce, time: this.time };
    let clear;
    let randomness;
    if (lock === null || this.chance(15)) {
      entry.contributions = (await this.contributions(course, false)).contributions.map(
        ({ hash, ...each }) => ({ seed: "x", ...each }),
      );
      this.seats(entry, course);
      clear = entry.contributions;
    } else {
      entry.lock = lock.index + (this.chance(15) ? 1 : 0);
      const opened = lock.opened
        .filter(() => !this.chance(12))
        .map((each) => (this.chance(15) ? { ...each, seed: "other" } : each));
      if (this.chance(15)) opened.reverse();
      if (this.chance(20)) opened.push({ blind: "07".repeat(32), from: "zoe", seed: "z" });
      if (opened.length > 0) entry.opened = opened;
      if ((lock.lock.beacon !== undefined) !== this.chance(10)) {
        entry.beacon = "5a".repeat(48);
        if (lock.lock.beacon !== undefined) randomness = sha256(fromHex(entry.beacon));
      }
      clear = lock.lock.contributions.map((each) => ({
        ...each,
        seed: each.seed ?? lock.opened.find(({ from }) => from === each.from)?.seed ?? "",
      }));
    }
    const mixed = { nonce, contributions: clear, randomness };
    const hmac = new HmacKey(course.serverSeed);
    const terms = this.chance(12) ? { ...commit, draw: Math.max(1, commit.draw - 1) } : commit;
    const order = deal(
      hmac,
      { ...terms, draw: commit.method === "cycle" ? commit.draw : terms.draw },
      mixed,
    );
    if (this.chance(12)) order[0] = order[order.length - 1];
    else if (this.chance(12)) [order[0], order[1]] = [order[1], order[0]];
    entry.result = resultOf(hmac, sha256(course.serverSeed), commit, mixed, order);
    if (this.chance(25)) entry.result = { seal: "12".repeat(32) };
    course.order = order;
    course.lock = null;
    course.nonce++;
    course.dealt = { index: this.entries.length, mixed };
    this.push(entry);
  }

  void(course, whole) {
    const entry = {
      entry: "void",
      commitment: course.commit.commitment,
      reason: "stop",
      time: this.time,
    };
    if (!whole) entry.nonce = course.nonce;
    if (!whole && this.chance(2)) entry.blame = this.pick(["alice", "bob", "zoe"]);
    if (!whole) course.nonce++;
    course.lock = null;
    this.push(entry);
  }

  reveal(course) {
    const seed = this.chance(12) ? sha256(course.serverSeed) : course.serverSeed;
    this.push({
      entry: "reveal",
      commitment: course.commit.commitment,
      server_seed: toHex(seed),
      time: this.time,
    });
  }

  async step() {
    this.time += this.chance(12) ? -5 : this.next(2000);
    if (this.courses.length === 0 || this.chance(7)) return this.commit();
    const course = this.chance(3) ? this.pick(this.courses) : this.courses[this.courses.length - 1];
    if (this.chance(15)) course.nonce += this.next(3) - 1;
    course.nonce = Math.max(0, course.nonce);
    const choice = this.next(20);
    if (choice === 0)
      return this.push(this.pick([" {}", "[]", '{"a":1}', this.again(course), "{"]));
    if (choice === 1) return this.void(course, true);
    if (choice === 2) return this.void(course, false);
    if (choice < 5) return this.reveal(course);
    if (choice < 11 && course.lock === null) return this.lock(course);
    return this.deal(course);
  }

  /** A correct entry with an extra member. */
  again({ commit }) {
    return canonical(readJson(JSON.stringify({ ...commit, entry: "reveal" })));
  }

  async make(steps) {
    for (let i = 0; i < steps; i++) await this.step();
    this.head = await this.checkpoint();
    return this;
  }

  export() {
    const checkpoint = utf8(this.head);
    const entries = this.entries.flatMap((entry) => [u16(entry.length), entry]);
    return concat(utf8("fairdeal/export/v1\n"), u32(checkpoint.length), checkpoint, ...entries);
  }

  /** A receipt, or an opening, of some round: complete, or with entries left out or added. */
  someReceipt() {
    const course = this.pick(this.courses);
    const { commitment } = course.commit;
    const nonce = this.next(2);
    const wanted = this.entries.flatMap((bytes, index) => {
      const value = parsed(bytes);
      const ours =
        value?.commitment === commitment && (value.nonce === undefined || value.nonce === nonce);
      return ours !== this.chance(150) && (value?.nonce ?? nonce) === nonce ? [index] : [];
    });
    if (wanted.length === 0) wanted.push(course.index);
    const size = this.entries.length;
    const receipt = {
      format: "fairdeal/receipt/v1",
      entries: wanted.map((index) => ({
        index,
        entry: new TextDecoder().decode(this.entries[index]),
        proof: this.inclusion(index, 0, size).map(toBase64),
      })),
      checkpoint: this.head,
    };
    if (course.dealt === undefined || !course.commit.sealed || course.order.length > 100)
      return receipt;
    const { mixed } = course.dealt;
    const sealed = seal(
      sealKey(new HmacKey(course.serverSeed), mixed.nonce, mixed.contributions, mixed.randomness),
      sha256(course.serverSeed),
      mixed.nonce,
      course.order,
    );
    const seals = Array.from(course.order, (_, t) =>
      toHex(sealed.cardSeals.slice(32 * t, 32 * t + 32)),
    );
    const opened = Array.from(course.order, (item, t) => ({
      t,
      item,
      salt: toHex(sealed.salts.slice(16 * t, 16 * t + 16)),
    }));
    const some = opened.filter(() => this.chance(2));
    return {
      format: "fairdeal/opening/v1",
      receipt,
      card_seals: seals,
      opened: some.length > 0 ? some : opened,
    };
  }

  /** Inputs of a reader. */
  inputs() {
    const mine = this.mine();
    if (this.chance(4))
      mine.push({ from: this.pick(["alice", "bob"]), seed: this.pick(["lucky", "é", "s1"]) });
    return {
      mine,
      players: this.chance(2) ? { alice: playerKey } : {},
      seat: this.chance(3) ? "alice" : undefined,
    };
  }

  /** Some of what the players kept, perhaps of another round of another log. */
  mine() {
    const some = this.kept.filter(() => this.chance(1 + this.kept.length));
    return some.map((kept) => {
      const { log, commitment, nonce, ...nameless } = kept;
      return this.chance(6) ? nameless : kept;
    });
  }

  /** Heads that a player saw, some with proved roots: of this log, or of a fork of it. */
  async since() {
    const heads = [];
    for (let i = this.next(3); i > 0; i--) {
      const size = 1 + this.next(this.tree.size);
      const root = this.chance(3) ? sha256(Uint8Array.of(size)) : this.tree.rootAt(size);
      const head = { checkpoint: await this.note(size, root) };
      if (this.chance(2)) {
        const old = 1 + this.next(size);
        const proved = await this.seen(old, size);
        if (this.chance(4)) proved.root = toHex(sha256(Uint8Array.of(old)));
        head.seen = [proved];
      }
      heads.push(head);
    }
    return heads;
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** The places at which two values differ, with both values. */
function differences(where, here, there) {
  if (isDeepStrictEqual(here, there)) return [];
  const inner = (value) => typeof value === "object" && value !== null;
  const short = (value) => (JSON.stringify(value) ?? "nothing").slice(0, 300);
  if (!inner(here) || !inner(there))
    return [`${where}: here ${short(here)}, there ${short(there)}`];
  const names = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...names].flatMap((name) => differences(`${where}.${name}`, here[name], there[name]));
}

const silent = (verdict) =>
  JSON.parse(JSON.stringify(verdict, (name, value) => (name === "says" ? undefined : value)));
const folder = mkdtempSync(join(tmpdir(), "fairdeal-agree-"));
const ask = (...given) =>
  JSON.parse(
    spawnSync(program, given, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout,
  );
const codes = new Set();
let [judged, different] = [0, 0];

function compare(name, ours, theirs) {
  judged++;
  for (const { code } of [
    ...ours.findings,
    ...(ours.receipts ?? []).flatMap(({ findings = [] }) => findings),
  ])
    codes.add(code);
  if (isDeepStrictEqual(silent(ours), silent(theirs))) return;
  different++;
  console.log(name);
  for (const line of differences("", silent(ours), silent(theirs))) console.log(`  ${line}`);
}

for (let n = Number(process.env.FROM ?? 0); n < Number(logs) && different < 5; n++) {
  const seed = Number(firstSeed) * 1_000_003 + n;
  const maker = await new Maker(seed).make(4 + (n % 25));
  const clock = maker.time;
  writeFileSync(join(folder, "log.export"), maker.export());
  const asOf = n % 2 === 0 ? maker.time + 5000 : undefined;
  const audited = await auditExport(maker.export(), {
    key: vkey,
    clock,
    asOf,
    skipSignatures: n % 5 === 0,
  });
  const given = ["audit", "--json", "--key", vkey, "--clock", String(clock)];
  if (asOf !== undefined) given.push("--as-of", String(asOf));
  if (n % 5 === 0) given.push("--skip-signatures");
  compare(`audit ${seed}`, audited, ask(...given, "log.export"));

  const files = Array.from({ length: 1 + (n % 3) }, (_, i) => ({
    name: `${i}.json`,
    file: JSON.stringify(maker.someReceipt()),
  }));
  for (const { name, file } of files) writeFileSync(join(folder, name), file);
  const inputs = maker.inputs();
  if (!files.some(({ file }) => file.includes("opening/v1"))) inputs.seat = undefined;
  const args = inputs.mine.map((each, i) => {
    writeFileSync(join(folder, `mine${i}`), JSON.stringify(each));
    return `--mine=mine${i}`;
  });
  for (const [label, hex] of Object.entries(inputs.players)) args.push(`--player=${label}=${hex}`);
  if (inputs.seat !== undefined) args.push(`--seat=${inputs.seat}`);
  const verified = await verifyReceipts(files, { key: vkey, ...inputs });
  compare(
    `verify ${seed}`,
    verified,
    ask("verify", "--json", "--key", vkey, ...args, ...files.map(({ name }) => name)),
  );

  const evidence = {
    format: "fairdeal/evidence/v1",
    key: vkey,
    files: files.map(({ name, file }) => ({ name, file: JSON.parse(file) })),
    mine: maker.mine(),
    since: await maker.since(),
    findings: [],
  };
  writeFileSync(join(folder, "evidence.json"), JSON.stringify(evidence));
  const { says, receipts, ...all } = await verifyEvidence(JSON.stringify(evidence), { key: vkey });
  const named = receipts.map((each) => ({ ...each, file: `evidence.json: ${each.file}` }));
  compare(
    `evidence ${seed}`,
    { ...all, receipts: named },
    ask("verify", "--json", "--key", vkey, "evidence.json"),
  );
}

for (const { dialect, file, here, there } of disagreeingRows(
  program,
  10 * Number(logs),
  firstSeed,
)) {
  different++;
  console.log(`rows of ${dialect}: here ${here}, there ${there}\n  ${JSON.stringify(file)}`);
}
judged += 10 * Number(logs);

console.log(
  `${judged} judged by both, ${different} differently; found: ${[...codes].sort().join(", ")}`,
);
rmSync(folder, { recursive: true });
process.exitCode = different === 0 ? 0 : 1;
