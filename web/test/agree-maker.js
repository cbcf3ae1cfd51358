// Random logs for agree.js, with receipts, openings, evidence and saved views of them.

import { concat, fromHex, toBase64, toHex, u16, u32, utf8 } from "../fairdeal/bytes.js";
import { contributionHash, signedMessage } from "../fairdeal/contribution.js";
import { deal, resultOf } from "../fairdeal/deal.js";
import { canonical } from "../fairdeal/jcs.js";
import { readJson } from "../fairdeal/json.js";
import { seal } from "../fairdeal/seal.js";
import { sealKey } from "../fairdeal/derive.js";
import { HmacKey, sha256 } from "../fairdeal/sha256.js";
import { ModelLog } from "./model-log.js";

const ORIGIN = "agree.example/log";
const { signing } = await ModelLog.make(ORIGIN);
export const { vkey } = signing;
const { subtle } = crypto;
const playerKeys = await subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
const playerKey = toHex(new Uint8Array(await subtle.exportKey("raw", playerKeys.publicKey)));
const sign = async (message) =>
  new Uint8Array(await subtle.sign({ name: "Ed25519" }, playerKeys.privateKey, message));

/**
 * One log, made entry by entry: most entries are the correct next entry, and some are arbitrary.
 */
export class Maker extends ModelLog {
  constructor(seed, calm) {
    super(signing);
    this.state = seed;
    this.calm = calm;
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

  /** The same of a fault: a calm log has few. */
  odd(oneIn) {
    return this.chance(this.calm ? 60 * oneIn : oneIn);
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
      protocol: this.odd(25) ? "fairdeal/v9" : "fairdeal/v1",
      origin: this.odd(30) ? "x" : ORIGIN,
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
      mixing: this.calm ? "hashes" : this.pick(["seeds", "seeds", "hashes", "beacon"]),
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
    if (last !== undefined && !this.odd(6)) commit.after = last.commit.commitment;
    if (this.odd(20)) commit.after = "11".repeat(32);
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
      const wrong = this.odd(8) ? 1 : 0;
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
    const size = 1 + this.next(this.tree.size + (this.odd(5) ? 2 : 0));
    const root =
      this.odd(6) || size > this.tree.size ? sha256(Uint8Array.of(size)) : this.tree.rootAt(size);
    const note = await this.note(this.odd(10) ? size + 1 : size, root);
    return { root: toHex(root), signature: note.trim().split(" ").at(-1), size };
  }

  async contributions(course, hashed) {
    const labels = ["alice", "bob", "carol"].slice(0, 1 + this.next(3));
    const all = [];
    for (const label of labels)
      all.push(await this.contribution(label, course, hashed !== this.odd(8)));
    return {
      contributions: all.map(({ each }) => each),
      opened: all.flatMap(({ open }) => (open === null ? [] : [open])),
    };
  }

  seats(entry, { commit }) {
    if ((commit.layout === undefined) === this.odd(8))
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
    if (course.commit.mixing === "beacon" && !this.odd(6)) lock.beacon = 3;
    this.seats(lock, course);
    course.lock = { lock, opened, index: this.entries.length };
    this.push(lock);
  }

  async deal(course) {
    const { commit, nonce, lock } = course;
    const entry = { entry: "deal", commitment: commit.commitment, nonce, time: this.time };
    let clear;
    let randomness;
    if (lock === null || this.odd(15)) {
      entry.contributions = (await this.contributions(course, false)).contributions.map(
        ({ hash, ...each }) => ({ seed: "x", ...each }),
      );
      this.seats(entry, course);
      clear = entry.contributions;
    } else {
      entry.lock = lock.index + (this.odd(15) ? 1 : 0);
      const opened = lock.opened
        .filter(() => !this.odd(12))
        .map((each) => (this.odd(15) ? { ...each, seed: "other" } : each));
      if (this.odd(15)) opened.reverse();
      if (this.odd(20)) opened.push({ blind: "07".repeat(32), from: "zoe", seed: "z" });
      if (opened.length > 0) entry.opened = opened;
      if ((lock.lock.beacon !== undefined) !== this.odd(10)) {
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
    const terms = this.odd(12) ? { ...commit, draw: Math.max(1, commit.draw - 1) } : commit;
    const order = deal(
      hmac,
      { ...terms, draw: commit.method === "cycle" ? commit.draw : terms.draw },
      mixed,
    );
    if (this.odd(12)) order[0] = order[order.length - 1];
    else if (this.odd(12)) [order[0], order[1]] = [order[1], order[0]];
    entry.result = resultOf(hmac, sha256(course.serverSeed), commit, mixed, order);
    if (this.odd(25)) entry.result = { seal: "12".repeat(32) };
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
    course.revealed = true;
    const seed = this.odd(12) ? sha256(course.serverSeed) : course.serverSeed;
    this.push({
      entry: "reveal",
      commitment: course.commit.commitment,
      server_seed: toHex(seed),
      time: this.time,
    });
  }

  async step() {
    this.time += this.odd(12) ? -5 : this.next(2000);
    if (this.courses.length === 0 || this.odd(7)) return this.commit();
    const course = this.chance(3) ? this.pick(this.courses) : this.courses[this.courses.length - 1];
    if (this.odd(15)) course.nonce += this.next(3) - 1;
    course.nonce = Math.max(0, course.nonce);
    if (this.calm && !this.chance(25)) return this.goOn();
    const choice = this.next(20);
    if (choice === 0)
      return this.push(this.pick([" {}", "[]", '{"a":1}', this.again(course), "{"]));
    if (choice === 1) return this.void(course, true);
    if (choice === 2) return this.void(course, false);
    if (choice < 5) return this.reveal(course);
    if (choice < 11 && course.lock === null) return this.lock(course);
    return this.deal(course);
  }

  /** What an honest operator writes next. */
  goOn() {
    const course = this.courses[this.courses.length - 1];
    if (course.revealed) return this.commit();
    if (course.lock !== null) return this.deal(course);
    const done = course.nonce >= course.commit.rounds || (course.nonce > 0 && this.chance(2));
    return done ? this.reveal(course) : this.lock(course);
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

  export(head) {
    const checkpoint = utf8(head);
    const entries = this.entries.flatMap((entry) => [u16(entry.length), entry]);
    return concat(utf8("fairdeal/export/v1\n"), u32(checkpoint.length), checkpoint, ...entries);
  }

  /** A receipt, or an opening, of some round: complete, or with entries left out or added. */
  async someReceipt({ commitment, nonce, kept = false }) {
    const course = this.courses.find(({ commit }) => commit.commitment === commitment);
    const wanted = this.entries.flatMap((bytes, index) => {
      const value = parsed(bytes);
      const ours =
        value?.commitment === commitment && (value.nonce === undefined || value.nonce === nonce);
      return ours !== this.odd(150) && (value?.nonce ?? nonce) === nonce ? [index] : [];
    });
    if (wanted.length === 0) wanted.push(course.index);
    // What a reader kept is mostly from before the deal.
    const lock = wanted.findLast((index) => parsed(this.entries[index])?.entry === "lock");
    if (kept && lock !== undefined && !this.chance(4))
      wanted.splice(wanted.indexOf(lock) + 1, wanted.length);
    const least = 1 + wanted[wanted.length - 1];
    const size = this.chance(3) ? least + this.next(this.size - least + 1) : this.size;
    const receipt = {
      format: "fairdeal/receipt/v1",
      entries: wanted.map((index) => ({
        index,
        entry: new TextDecoder().decode(this.entries[index]),
        proof: this.inclusion(index, 0, size).map(toBase64),
      })),
      checkpoint: await this.checkpoint(size),
    };
    if (this.chance(3)) receipt.seen = [await this.seen(1 + this.next(size), size)];
    if (this.odd(25)) receipt.entries[0].proof = [];
    if (kept || course.dealt === undefined || !course.commit.sealed || course.order.length > 100)
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

  /** A round, mostly the same, and in a calm log mostly a whole one. */
  round() {
    const whole = this.courses.filter(({ revealed, nonce }) => revealed && nonce > 0);
    const from = this.calm && whole.length > 0 && !this.chance(4) ? whole : this.courses;
    const { commit } = this.pick(from);
    const nonce = this.next(this.calm && !this.chance(4) ? 1 : 2);
    const round = { commitment: commit.commitment, nonce, signed: commit.signed === true };
    this.asked ??= round;
    return this.odd(3) ? round : this.asked;
  }

  /** A view that the reader saved: of this log, of a fork, of another log, or no view. */
  async view(files) {
    const sizes = files.map((file) => {
      const { receipt = file } = file;
      return Number(receipt.checkpoint.split("\n")[1]);
    });
    const size = this.chance(3) ? this.next(this.size + 2) : this.pick(sizes);
    const known = size <= this.size && !this.odd(6);
    const note = await this.note(
      size,
      known ? this.tree.rootAt(size) : sha256(Uint8Array.of(size)),
    );
    const [text, signed] = note.split("\n\n");
    switch (this.next(16)) {
      case 0:
        return `${text}\n${signed}`;
      case 1:
        return note.replace(ORIGIN, "agree.example/other");
      case 2:
        return `${text}\nextension\n\n${signed}`;
      case 3:
        return this.signedText(`${text}\nextension\n`);
      case 4:
        return this.signedText(`${text}\n`.replace(ORIGIN, "agree.example/other"));
      default:
        return note;
    }
  }

  /** The log's note: mostly sound, or damaged in a way that leaves its root signed, or not. */
  async headOf() {
    const [text, signed] = this.head.split("\n\n");
    switch (this.chance(3) ? this.next(6) : 6) {
      case 0:
        return this.signedText(`${text}\nextension\n`);
      case 1:
        return `${text}\n\n${signed}${signed.replace(/[^ ]{8}\n$/, "AAAAAAAA\n")}`;
      case 2:
        return `${text}\nextension\n\n${signed}`;
      case 3:
        return this.note(this.size, sha256(Uint8Array.of(1)));
      case 4:
        return this.head.replaceAll(ORIGIN, "agree.example/other");
      case 5:
        return this.signedText(`${text}\n`.replace(ORIGIN, "agree.example/other"));
      default:
        return this.head;
    }
  }

  /** A checkpoint that the reader saved before an audit. */
  async older() {
    const size = this.next(this.size + 3);
    const known = size <= this.size && !this.chance(3);
    return this.note(size, known ? this.tree.rootAt(size) : sha256(Uint8Array.of(size)));
  }

  async signedText(text) {
    const signature = concat(fromHex(this.key.id), await this.signing.sign(utf8(text)));
    return `${text}\n— ${this.key.name} ${toBase64(signature)}\n`;
  }

  /** Inputs of a reader. */
  inputs() {
    const mine = this.mine();
    if (this.odd(4))
      mine.push({ from: this.pick(["alice", "bob"]), seed: this.pick(["lucky", "é", "s1"]) });
    return {
      mine,
      players: this.chance(2) && (this.asked.signed || this.chance(4)) ? { alice: playerKey } : {},
      seat: this.chance(3) ? "alice" : undefined,
    };
  }

  /** Some of what the players kept, perhaps of another round of another log. */
  mine() {
    const { commitment, nonce } = this.round();
    const some = this.kept.filter(
      (kept) =>
        this.odd(1 + this.kept.length) ||
        (kept.commitment === commitment && kept.nonce === nonce && this.chance(2)),
    );
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
      const root = this.odd(3) ? sha256(Uint8Array.of(size)) : this.tree.rootAt(size);
      const head = { checkpoint: await this.note(size, root) };
      if (this.chance(2)) {
        const old = 1 + this.next(size);
        const proved = await this.seen(old, size);
        if (this.odd(4)) proved.root = toHex(sha256(Uint8Array.of(old)));
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
