// The player's side of a game: a new seed for each round, hashed and signed, opened only when the
// log has its lock; every receipt is judged, compared with all others, and kept.

import { client } from "./client.js";
import { contribution, toGive, toOpen } from "./contribute.js";
import { isLabel } from "./contribution.js";
import { connect } from "./connect.js";
import { Book, STAGES, newRecord } from "./book.js";
import { toHex } from "./bytes.js";
import { canonical } from "./jcs.js";
import { documentsIn } from "./documents.js";
import { isSupported } from "./ed25519.js";
import { evidence } from "./evidence.js";
import { expectObject } from "./expected.js";
import { readKey } from "./key.js";
import { judgeTogether } from "./several.js";
import { IDLE } from "./seat.js";
import { sessionKey } from "./session.js";
import { sha256 } from "./sha256.js";
import { defaultStorage } from "./storage.js";
import { Refused, shown } from "./refused.js";
import { cardsIn, stageOf } from "./seen-cards.js";

/**
 * @import { PlacedCard, Record } from "./book.js"
 * @import { ReceiptFinding } from "./findings.js"
 * @import { Judgement } from "./verdict.js"
 * @typedef {import("./seat.js").ContributeInput} ContributeInput
 * @typedef {import("./seat.js").PlayerOptions} PlayerOptions
 * @typedef {import("./seat.js").SeatState} SeatState
 */

/** The time before a log that did not answer is asked again, in milliseconds. */
const ASK_AGAIN = 15_000;

/** One player at one log. Its event `verdict` has a {@link SeatState} as `detail`. */
export class Seat extends EventTarget {
  /**
   * @param {PlayerOptions} options
   * @param {Book} book
   * @param {CryptoKeyPair} pair
   */
  constructor({ log = null, key, from, fetch, clock = Date.now }, book, pair) {
    super();
    this.verifierKey = key;
    this.from = from;
    this.book = book;
    this.pair = pair;
    this.clock = clock;
    this.log = log === null ? null : client(log, { fetch, retries: 2, timeout: 10_000 });
    /** @type {SeatState} */
    this.state = IDLE;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} */
    this.timers = new Map();
    /** Handles one document after the other. @type {Promise<unknown>} */
    this.turn = Promise.resolve();
  }

  /**
   * Makes a contribution for a round: the hash of a new seed, signed, with the log's head that was
   * seen. A second call, also in another tab, gives the same contribution.
   * @param {ContributeInput} input
   * @returns {Promise<any>} for the game's server; an array if `count` is given
   * @throws {Refused} if the promise does not hold, has other terms, or the seed was used before
   */
  async contribute({ commitment, nonce, count, seed, promise, seats, expect = {} }) {
    const given = promise ?? (await this.log?.receipt(commitment));
    if (given !== undefined) await this.receive(given);
    const terms = await this.terms(commitment, expect);
    const most = Math.min(count ?? 1, terms.rounds - nonce);
    if (most < 1) {
      const says = `this commitment has ${terms.rounds} rounds, from 0; found ${nonce}`;
      throw new Refused("nonce", says);
    }
    const all = [];
    for (let i = 0; i < most; i++) {
      all.push(
        await this.book.alone(() =>
          this.give(commitment, nonce + i, terms.table, i === 0 ? seed : undefined, seats),
        ),
      );
    }
    return count === undefined ? all[0] : all;
  }

  /**
   * The terms of a commitment whose receipt holds and which is open.
   * @param {string} commitment
   * @param {{[name: string]: unknown}} expect
   * @returns {Promise<import("./entry.js").Commit>}
   */
  async terms(commitment, expect) {
    const record = await this.book.find(commitment, null);
    if (record === null)
      throw new Refused(
        "promise",
        "no receipt shows this commitment: give its promise, or the log's address",
      );
    const [wrong] = record.findings;
    if (wrong !== undefined) throw new Refused("caught", `${wrong.code}: ${wrong.says}`);
    const { course } = await this.book.judge(record.files[record.files.length - 1].text);
    const over =
      course?.ended ?? (["revealed", "voided"].includes(record.stage) ? record.stage : null);
    if (course === null || over !== null)
      throw new Refused("promise", `this commitment is over: ${over}`);
    if (this.clock() > course.commit.reveal_by)
      throw new Refused("promise", "this commitment had to be revealed before now");
    for (const [name, value] of Object.entries(expect)) {
      const found = /** @type {any} */ (course.commit)[name];
      const same =
        found === undefined || value === undefined
          ? found === value
          : canonical(found) === canonical(/** @type {any} */ (value));
      if (!same)
        throw new Refused(
          "terms",
          `expected ${name} ${shown(JSON.stringify(value))}, the promise has ${shown(JSON.stringify(found))}`,
        );
    }
    return course.commit;
  }

  /**
   * @param {string} commitment
   * @param {number} nonce
   * @param {string} table
   * @param {string | undefined} seed
   * @param {string[] | undefined} seats
   */
  async give(commitment, nonce, table, seed, seats) {
    const record = (await this.book.find(commitment, nonce)) ?? newRecord(commitment, nonce, table);
    if (record.kept !== undefined) {
      if (seed !== undefined && seed !== record.kept.seed)
        throw new Refused("seed", "another seed was given for this round already");
      // Somebody left the table before the lock, so the game's server asks again.
      if (seats !== undefined && record.opened === undefined)
        await this.book.keep({ ...record, seats });
      return toGive(record.kept);
    }
    if (STAGES.indexOf(record.stage) >= STAGES.indexOf("locked"))
      throw new Refused("nonce", `this round is ${record.stage} already`);
    await this.book.load();
    const kept = await contribution({
      from: this.from,
      commitment,
      nonce,
      seed,
      key: this.verifierKey,
      sign: this.pair,
      seen: this.book.saved?.note,
    });
    if (!(await this.book.use(kept.seed)))
      throw new Refused("seed", "this seed was used before: whoever saw it then knows it now");
    Object.assign(record, { kept, stage: "given", ...(seats === undefined ? {} : { seats }) });
    // import("./mine.js").Kept before the hash is sent: a round whose seed is lost would have to be voided.
    await this.book.keep(record);
    this.tell(record);
    return toGive(kept);
  }

  /**
   * Takes a message of the game's server: a receipt, an opening, an answer of the service, or an
   * object that holds these.
   * @param {string | Uint8Array | object} message
   * @returns {Promise<{blind: string, commitment: string, from: string, nonce: number, seed: string} | null>}
   *   the reply: the opening of this player's hash, if its lock holds; null if there is no reply
   */
  receive(message) {
    // One after the other: each is compared with those before it.
    const now = this.turn.then(() => this.takeAll(message));
    this.turn = now.catch(() => undefined);
    return now;
  }

  /** @param {string | Uint8Array | object} message */
  async takeAll(message) {
    // A server need not send the round's receipt again with each card.
    const { commitment, nonce } = this.state;
    const record =
      commitment === undefined ? null : await this.book.find(commitment, nonce ?? null);
    const receipt =
      [...(record?.files ?? [])]
        .reverse()
        .map(({ text }) => JSON.parse(text))
        .find(({ format }) => format.includes("receipt")) ?? null;
    const known = (/** @type {string} */ c, /** @type {number} */ n) =>
      c === commitment && n === nonce ? receipt : null;
    let reply = null;
    for (const { text } of documentsIn(message, known)) reply = (await this.take(text)) ?? reply;
    return reply;
  }

  /** @param {string} text */
  async take(text) {
    const judgement = await this.book.judge(text);
    const { commitment, nonce, course } = judgement;
    if (judgement.logged !== true || judgement.unknown || commitment === null || course === null)
      return this.unsure(judgement);
    const seen = (await this.book.find(commitment, nonce))?.kept?.seen;
    const connected = await connect(this.book, this.log, judgement, seen);
    return this.book.alone(async () => {
      await this.book.load();
      const record =
        (await this.book.find(commitment, nonce)) ??
        newRecord(commitment, nonce, course.commit.table);
      const verdict = judgement.verdict(
        record.kept === undefined ? [] : [record.kept],
        new Map(),
        undefined,
      );
      await this.file(record, judgement, text);
      const found = [...verdict.findings, ...(await this.together(record)), ...connected.findings];
      for (const each of found)
        if (!record.findings.some(({ code, says }) => code === each.code && says === each.says))
          record.findings.push(each);
      record.since.push(...connected.since.filter((note) => !record.since.includes(note)));
      const stage = stageOf(judgement);
      if (STAGES.indexOf(stage) >= STAGES.indexOf(record.stage))
        Object.assign(record, { stage, shown: verdict.shown, notShown: verdict.not_shown });
      record.cards = cardsIn(verdict, record.cards);
      record.revealBy = course.commit.reveal_by;
      const reply =
        record.findings.length > 0 || !connected.proved ? null : this.open(record, judgement);
      await this.book.keep(record);
      const waits =
        stage === "locked" &&
        record.kept !== undefined &&
        found.length === 0 &&
        reply === null &&
        record.opened === undefined;
      this.tell(record, waits ? connected.says : undefined);
      this.watch(record, course.ended !== null);
      return reply;
    });
  }

  /**
   * The opening that the round's lock allows. It is recorded before it is sent, and is never sent
   * under another lock.
   * @param {Record} record
   * @param {Judgement} judgement
   */
  open(record, { locked, dealt, course, receipt }) {
    const { kept, commitment, nonce } = record;
    if (
      kept === undefined ||
      nonce === null ||
      locked === null ||
      dealt !== null ||
      course === null ||
      course.ended !== null
    )
      return null;
    if (course.locked === null) return null;
    const mine = locked.lock.contributions?.find(({ from }) => from === this.from);
    const bytes = receipt?.entries.find(({ index }) => index === locked.index)?.bytes;
    if (mine === undefined || mine.hash !== kept.hash || bytes === undefined) return null;
    const { seats } = locked.lock;
    if (record.seats !== undefined && canonical(seats ?? []) !== canonical(record.seats)) {
      record.findings.push({
        code: "seats",
        index: locked.index,
        accuses: "operator",
        says: `the lock has other seats than those agreed: ${shown(String(seats))}`,
      });
      return null;
    }
    const lock = toHex(sha256(bytes));
    if (record.opened !== undefined && record.opened !== lock) return null;
    record.opened = lock;
    record.stage = "opened";
    return { ...toOpen(kept), commitment, nonce };
  }

  /**
   * Keeps a file with the others of its round.
   * @param {Record} record
   * @param {Judgement} judgement
   * @param {string} text
   */
  async file(record, judgement, text) {
    if (record.files.some((each) => each.text === text)) return;
    const kind = judgement.receipt?.opening
      ? "opening"
      : stageOf(judgement).replace(/ed$/, "").replace("promis", "promise").replace("dealt", "deal");
    const round = record.nonce === null ? "" : `-${record.nonce}`;
    record.files.push({
      name: `${kind}-${record.commitment.slice(0, 8)}${round}-${record.files.length + 1}.json`,
      text,
    });
  }

  /**
   * Judges the round's files together with those of related rounds.
   * @param {Record} record
   * @returns {Promise<ReceiptFinding[]>}
   */
  async together(record) {
    const others = (await this.book.beside(record)).filter(
      ({ commitment, nonce }) => commitment !== record.commitment || nonce !== record.nonce,
    );
    const files = [...others, record].flatMap((each) => each.files);
    if (files.length < 2) return [];
    const named = await Promise.all(
      files.map(async ({ name, text }) => ({ name, judgement: await this.book.judge(text) })),
    );
    return judgeTogether(this.book.key, named);
  }

  /** @param {Judgement} judgement a file that accuses nobody */
  unsure({ findings, logged }) {
    const says =
      findings[0]?.says ??
      (logged === null
        ? "this browser cannot verify Ed25519 signatures"
        : "this file is of no commitment that can be judged");
    this.emit({ ...this.state, state: this.state.state === "caught" ? "caught" : "unsure", says });
    return null;
  }

  /**
   * @param {Record} record
   * @param {string} [says] why it is unknown
   */
  tell(record, says) {
    const {
      stage,
      findings,
      shown: tokens,
      notShown,
      cards,
      commitment,
      nonce,
      table,
      revealBy,
    } = record;
    // The next promise is received in the middle of a round. The player must still see the round.
    if (nonce === null && findings.length === 0 && typeof this.state.nonce === "number") return;
    const mine = record.kept === undefined || tokens.includes("yours");
    const state =
      findings.length > 0
        ? "caught"
        : says !== undefined
          ? "unsure"
          : stage === "revealed" && tokens.includes("replayed") && mine
            ? "good"
            : "waiting";
    this.emit({
      state,
      stage,
      findings,
      shown: tokens,
      notShown,
      cards,
      commitment,
      nonce,
      table,
      revealBy,
      ...(says === undefined ? {} : { says }),
    });
  }

  /** @param {SeatState} state */
  emit(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("verdict", { detail: state }));
  }

  /**
   * Checks again when the reveal is due.
   * @param {Record} record
   * @param {boolean} over
   */
  watch({ commitment, nonce, revealBy, kept }, over) {
    clearTimeout(this.timers.get(commitment));
    if (over || revealBy === undefined || kept === undefined || nonce === null) return;
    this.wake(commitment, nonce, Math.max(revealBy - this.clock(), 0) + 250);
  }

  /**
   * Reads the present state of a round from the log.
   * @param {string} commitment
   * @param {number} nonce
   */
  async check(commitment, nonce) {
    try {
      if (this.log === null) throw new Refused("unavailable", "there is no log to ask");
      await this.receive(await this.log.receipt(commitment, nonce));
    } catch {
      // Without an answer nobody is accused. The badge says so, and the log is asked again.
      const state = this.state.state === "caught" ? "caught" : "unsure";
      if (this.log !== null) this.wake(commitment, nonce, ASK_AGAIN);
      return this.emit({
        ...this.state,
        state,
        says: "the log does not answer, and the reveal was due",
      });
    }
    await this.book.alone(async () => {
      const record = await this.book.find(commitment, nonce);
      if (record === null || record.revealBy === undefined || this.clock() <= record.revealBy)
        return;
      // A voided round does not end its commitment: the seed is still due.
      const courses = await Promise.all(
        record.files.map(async ({ text }) => (await this.book.judge(text)).course),
      );
      if (courses.some((course) => course !== null && course.ended !== null)) return;
      if (record.findings.some(({ code }) => code === "overdue")) return;
      const due = new Date(record.revealBy).toISOString();
      record.findings.push({
        code: "overdue",
        accuses: "operator",
        says: `the seed was due at ${due}, and by this device's clock that is over; the log has no reveal`,
      });
      await this.book.keep(record);
      this.tell(record);
    });
  }

  /** @param {string} commitment @param {number} nonce @param {number} after milliseconds */
  wake(commitment, nonce, after) {
    clearTimeout(this.timers.get(commitment));
    const timer = setTimeout(
      () => void this.check(commitment, nonce),
      Math.min(after, 2 ** 31 - 1),
    );
    // In Node a timer must not keep the program alive.
    /** @type {any} */ (timer).unref?.();
    this.timers.set(commitment, timer);
  }

  /**
   * This player's cards of the round, in the order in which they were dealt.
   * @returns {PlacedCard[]}
   */
  get cards() {
    return this.state.cards.filter(({ seat }) => seat === this.from);
  }

  /** All known cards of the round. @returns {PlacedCard[]} */
  get places() {
    return this.state.cards;
  }

  /**
   * All records of this seat, in one file: see `verifyEvidence`. Unopened seeds are left out.
   * @param {{all?: boolean}} [options] `all`: of every table; by default of this commitment, of the
   *   findings at this table, and of the table's last promises
   * @returns {Promise<string>}
   */
  async export({ all = false } = {}) {
    await this.book.load();
    const { commitment, nonce, table } = this.state;
    const kept = await this.book.all();
    const now = kept.find(
      (each) => each.commitment === commitment && each.nonce === (nonce ?? null),
    );
    const near =
      now === undefined
        ? []
        : (await this.book.beside(now)).map((each) => `${each.commitment} ${each.nonce}`);
    const records = kept.filter(
      (each) =>
        all ||
        near.includes(`${each.commitment} ${each.nonce}`) ||
        each === now ||
        (each.table === table && (each.findings.length > 0 || each.commitment === commitment)),
    );
    return evidence(this.verifierKey, records, this.book.saved);
  }

  /** Stops the timers. The kept records stay. */
  close() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}

/**
 * A player's seat at a log.
 * @param {PlayerOptions} options
 * @returns {Promise<Seat>}
 * @throws {Refused} `from`, `key`; or `unavailable`, if this platform has no Ed25519
 */
export async function player(options) {
  expectObject("player(options)", 'options with "key" and "from"', options);
  const { key, from, storage = defaultStorage() } = options;
  if (!isLabel(from))
    throw new Refused(
      "from",
      `"from" has 1 to 64 bytes and no control characters; found ${shown(from)}`,
    );
  const log = readKey(key);
  if (!(await isSupported()))
    throw new Refused(
      "unavailable",
      "this platform has no Ed25519: nothing can be signed or verified",
    );
  const book = new Book(storage, log, from);
  await book.load();
  return new Seat(options, book, await book.alone(() => sessionKey(storage, book.name)));
}
