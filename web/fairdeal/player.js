// The player's side of a game: a new seed for each round, hashed and signed, opened only when the
// log has its lock; every receipt is judged, compared with all others, and kept.

import { Book, STAGES, idOf, newRecord } from "./book.js";
import { toHex } from "./bytes.js";
import { client } from "./client.js";
import { connect } from "./connect.js";
import { contribution, toGive, toOpen } from "./contribute.js";
import { isLabel } from "./contribution.js";
import { documentsIn } from "./documents.js";
import { isSupported } from "./ed25519.js";
import { evidence, shownBy } from "./evidence.js";
import { expectObject } from "./expected.js";
import { accused } from "./findings.js";
import { canonical } from "./jcs.js";
import { readKey } from "./key.js";
import { Refused, shown } from "./refused.js";
import { IDLE, mayFollow, stateOf } from "./seat.js";
import { cardsIn, stageOf } from "./seen-cards.js";
import { sessionKey } from "./session.js";
import { sha256 } from "./sha256.js";
import { defaultStorage } from "./storage.js";
import { termsOf } from "./terms.js";

/**
 * @import { Claim, PlacedCard, Record } from "./book.js"
 * @import { Judgement } from "./verdict.js"
 * @typedef {import("./seat.js").ContributeInput} ContributeInput
 * @typedef {import("./seat.js").PlayerOptions} PlayerOptions
 * @typedef {import("./seat.js").SeatState} SeatState
 */

/** The time before a log that did not answer is asked again, in milliseconds. */
const ASK_AGAIN = 15_000;
/** How wrong a device's clock may be before the dealer is said to be late, in milliseconds. */
const TOLERANCE = 300_000;

/** One player at one log. Its event `verdict` has a {@link SeatState} as `detail`. */
export class Seat extends EventTarget {
  /**
   * @param {PlayerOptions} options
   * @param {Book} book
   * @param {CryptoKeyPair} pair
   */
  constructor(
    { log = null, key, from, fetch, clock = Date.now, tolerance = TOLERANCE },
    book,
    pair,
  ) {
    super();
    this.verifierKey = key;
    this.from = from;
    this.book = book;
    this.pair = pair;
    this.clock = clock;
    this.tolerance = tolerance;
    this.log = log === null ? null : client(log, { fetch, retries: 2, timeout: 10_000 });
    /** @type {SeatState} */
    this.state = IDLE;
    /** The record that the state is of. @type {Record | null} */
    this.shown = null;
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
    const terms = await termsOf(this.book, commitment, expect, (due) => this.isLate(due));
    const most = Math.min(count ?? 1, terms.rounds - nonce);
    if (most < 1) {
      const says = `this commitment has ${terms.rounds} rounds, from 0; found ${nonce}`;
      throw new Refused("nonce", says);
    }
    const all = [];
    for (let i = 0; i < most; i++) {
      all.push(
        await this.book.alone(() =>
          this.give(commitment, nonce + i, terms.table, seats, i === 0, i === 0 ? seed : undefined),
        ),
      );
    }
    return count === undefined ? all[0] : all;
  }

  /**
   * @param {string} commitment
   * @param {number} nonce
   * @param {string} table
   * @param {string[] | undefined} seats
   * @param {boolean} next whether the player sees this round from now on
   * @param {string | undefined} seed
   */
  async give(commitment, nonce, table, seats, next, seed) {
    const record = (await this.book.find(commitment, nonce)) ?? newRecord(commitment, nonce, table);
    const [wrong] = record.findings;
    if (wrong !== undefined) throw new Refused("caught", `${wrong.code}: ${wrong.says}`);
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
    const turn = this.book.turns++;
    await this.book.write();
    Object.assign(record, {
      kept,
      turn,
      stage: "given",
      ...(seats === undefined ? {} : { seats }),
    });
    // Kept before the hash is sent: a round whose seed is lost would have to be voided.
    await this.book.keep(record);
    const lower = this.shown?.commitment === commitment && (this.shown.nonce ?? -1) > nonce;
    if (next && !lower) this.shown = null;
    await this.tell(record);
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
    const { commitment, nonce, files = [] } = this.shown ?? {};
    const receipt =
      [...files]
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
    const { commitment, nonce, course, logged, unknown, receipt } = judgement;
    const found = accused(judgement.findings, logged === true);
    const accuses = found.some((each) => each.accuses === "operator");
    // A file that anybody can write is not kept: it accuses nobody, and nothing follows from it.
    if (logged !== true || unknown || commitment === null || (found.length > 0 && !accuses))
      return this.unsure(found, judgement);
    if (course === null && !accuses) return this.unsure(found, judgement);
    const commit = receipt?.entries[0].read.entry;
    const table = commit?.entry === "commit" ? commit.table : "";
    const connected = await connect(this.book, this.log, judgement);
    return this.book.alone(async () => {
      await this.book.load();
      const record =
        (await this.book.find(commitment, nonce)) ?? newRecord(commitment, nonce, table);
      this.file(record, judgement, text);
      const known = record.since.map((each) => JSON.stringify(each));
      record.since.push(...connected.since.filter((each) => !known.includes(JSON.stringify(each))));
      const mine = record.kept === undefined ? [] : [record.kept];
      const verdict = judgement.verdict(mine, new Map(), undefined);
      const stage = stageOf(judgement);
      if (STAGES.indexOf(stage) >= STAGES.indexOf(record.stage)) {
        const { state, shown: tokens, not_shown: notShown } = verdict;
        Object.assign(record, { stage, state, shown: tokens, notShown });
      }
      const outcome = judgement.compared[0]?.outcome;
      if (outcome !== undefined && outcome !== "early") record.outcome = outcome;
      record.cards = cardsIn(verdict, record.cards);
      record.revealBy = course?.commit.reveal_by;
      await this.book.catch(record);
      const reply =
        record.findings.length > 0 || !connected.proved ? null : this.open(record, judgement);
      if (course !== null && course.ended !== null) await this.withdraw(record);
      await this.book.keep(record);
      const { says } = connected;
      const waits = says !== undefined && (this.log !== null || stage === "locked");
      await this.tell(record, waits && reply === null ? [{ code: "unlinked", says }] : []);
      this.watch(record, course?.ended !== null);
      if (says !== undefined && this.log !== null) this.askAgain(record);
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
      claim(record, "seats", `the lock has other seats than those agreed: ${shown(String(seats))}`);
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
  file(record, judgement, text) {
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
   * A reveal that came in time is not overdue, whatever this device's clock said. (If its time or
   * its place in the log is wrong, that is a finding.)
   * @param {Record} record of the revealed commitment
   */
  async withdraw(record) {
    const { shown: now } = this;
    const other =
      now !== null && now.commitment === record.commitment && now.nonce !== record.nonce
        ? await this.book.find(now.commitment, now.nonce)
        : null;
    for (const each of [record, other]) {
      if (each === null || !each.claims.some(({ code }) => code === "overdue")) continue;
      each.claims = each.claims.filter(({ code }) => code !== "overdue");
      await this.book.keep(each);
    }
    if (other !== null) this.shown = other;
  }

  /**
   * @param {import("./findings.js").ReceiptFinding[]} found in a file that does not accuse the
   *   operator
   * @param {Judgement} judgement
   */
  unsure(found, { logged }) {
    const none =
      logged === null
        ? "this browser cannot verify Ed25519 signatures"
        : "this file is of no commitment that can be judged";
    const [{ code, says }] = [...found, { code: "nothing", says: none }];
    this.emit(stateOf(this.shown, this.book.caught, [{ code, says }]));
    return null;
  }

  /**
   * Tells the state of the round that the player sees, which may be this one now.
   * @param {Record} record
   * @param {Claim[]} [trouble]
   */
  async tell(record, trouble = []) {
    if (mayFollow(record, this.shown)) {
      this.shown = record;
      if (record.turn !== undefined) await this.book.show(record);
      this.emit(stateOf(record, this.book.caught, trouble));
    } else if (record.findings.length > 0 || this.shown?.commitment === record.commitment) {
      this.emit(stateOf(this.shown, this.book.caught, []));
    }
  }

  /** @param {SeatState} state */
  emit(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("verdict", { detail: state }));
  }

  /**
   * Whether something was due, by this device's clock.
   * @param {number} due
   * @returns {boolean}
   */
  isLate(due) {
    return this.clock() > due + this.tolerance;
  }

  /**
   * Checks again when the reveal is due.
   * @param {Record} record
   * @param {boolean} over
   */
  watch({ commitment, nonce, revealBy, kept }, over) {
    clearTimeout(this.timers.get(commitment));
    if (over || revealBy === undefined || kept === undefined || nonce === null) return;
    const due = revealBy + this.tolerance;
    this.wake(commitment, nonce, Math.max(due - this.clock(), 0) + 250);
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
      if (this.log !== null) this.wake(commitment, nonce, ASK_AGAIN);
      const says = "the log does not answer";
      return this.emit(stateOf(this.shown, this.book.caught, [{ code: "silent", says }]));
    }
    await this.book.alone(async () => {
      const record = await this.book.find(commitment, nonce);
      if (record === null || record.revealBy === undefined || !this.isLate(record.revealBy)) return;
      // A voided round does not end its commitment: the seed is still due.
      const courses = await Promise.all(
        record.files.map(async ({ text }) => (await this.book.judge(text)).course),
      );
      if (courses.some((course) => course !== null && course.ended !== null)) return;
      const due = new Date(record.revealBy).toISOString();
      claim(
        record,
        "overdue",
        `the seed was due at ${due}, and by this device's clock that is over; the log has no reveal: an audit shows it to others`,
      );
      await this.book.keep(record);
      await this.tell(record);
      // The reveal may come, and then its time decides.
      this.wake(commitment, nonce, 4 * ASK_AGAIN);
    });
  }

  /** @param {Record} record of which the log has to prove something */
  askAgain({ commitment, nonce }) {
    if (nonce !== null) this.wake(commitment, nonce, ASK_AGAIN);
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
   * The records of this seat, in one file: see `verifyEvidence`. It always has all that shows what
   * was caught. Unopened seeds are left out.
   * @param {{all?: boolean}} [options] `all`: of every table; by default of the present commitment,
   *   and of its table's last promises
   * @returns {Promise<string>}
   */
  async export({ all = false } = {}) {
    const { book, shown: now } = this;
    await book.load();
    const near = now === null ? [] : await book.beside(now);
    const records = await book.records([
      ...book.caught.flatMap(({ records: places }) => places),
      ...book.recent
        .filter((id) => all || id.split(" ")[0] === now?.commitment)
        .map((id) => book.place(id)),
      ...near.map(({ commitment, nonce }) => book.place(idOf(commitment, nonce))),
    ]);
    const claims = [...book.caught, ...records.flatMap((each) => each.claims)];
    return evidence(this.verifierKey, shownBy(records, book.saved), claims);
  }

  /** Shows again what an earlier page showed last. */
  async resume() {
    const { current, caught } = this.book;
    this.shown = current === null ? null : await this.book.find(current.commitment, current.nonce);
    this.state = stateOf(this.shown, caught, []);
    if (this.shown !== null) this.watch(this.shown, this.shown.stage === "revealed");
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
  const seat = new Seat(options, book, await book.alone(() => sessionKey(storage, book.name)));
  await seat.resume();
  return seat;
}

/**
 * Records once what the kit noticed.
 * @param {Record} record
 * @param {string} code
 * @param {string} says
 */
function claim(record, code, says) {
  if (!record.claims.some((each) => each.code === code)) record.claims.push({ code, says });
}
